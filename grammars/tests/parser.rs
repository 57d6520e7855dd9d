//! `parser.rs` is what pest makes of the grammar. `BLESS=1` writes it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;

use lapis_cx_grammar_generate::parser_text;

const HEAD: &str =
    "// What pest makes of cxspec.pest, a line for each rule: `BLESS=1 cargo test -p lapis-cx-grammar` writes it.\n";

#[test]
fn the_parser_is_that_of_the_grammar() {
    let text = format!("{HEAD}{}\n", parser_text!("cxspec.pest"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("parser.rs");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    // The texts are too long to be shown.
    let same = fs::read_to_string(&path).is_ok_and(|found| found == text);
    assert!(same, "the grammar changed: `BLESS=1 cargo test -p lapis-cx-grammar` writes the parser anew");
}
