//! The printer alone.

use proc_macro2::TokenStream;

use super::Writer;

fn printed(text: &str) -> String {
    let tokens: TokenStream = text.parse().unwrap();
    let mut writer = Writer::default();
    writer.items(tokens);
    writer.finish()
}

#[test]
fn probe() {
    let Ok(path) = std::env::var("PROBE") else { return };
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path + ".out", printed(&text)).unwrap();
}
