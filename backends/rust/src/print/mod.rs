//! The one authority for layout: from tokens to text, as rustfmt would have it with its defaults.
//!
//! `flat` decides once what stands between two tokens and measures them; `item` and `expr` decide where lines break. A line
//! breaks at 100 columns, and where rustfmt's default limits for calls, chains, literals and `if` break it. Tokens are as
//! they come, with these exceptions, of which none changes what they mean:
//!
//! * `#[doc = "…"]` becomes `///`, if a comment can hold the text.
//! * `#[comment = "…"]` becomes `//`, as tokens know no comments.
//! * A comma that ends a list, or an arm of a `match`, is there if rustfmt wants it.
//! * An expression of an arm gets braces if it does not fit behind `=>`.
//!
//! What the printer does not know it prints in one line, with the tokens as they are.

mod expr;
mod flat;
mod item;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;

pub use expr::Layout;
use flat::Flat;

/// The name of the attribute that stands for a comment.
const COMMENT: &str = "comment";

/// A comment as a line of its own, before an item, a statement or another attribute.
pub fn comment(text: &str) -> TokenStream {
    let comment = proc_macro2::Ident::new(COMMENT, proc_macro2::Span::call_site());
    quote!(#[#comment = #text])
}

/// Prints items, `depth` levels in.
pub fn items(tokens: TokenStream, depth: usize, out: &mut String) {
    let flat = Flat::new(tokens);
    let mut layout = Layout::new(&flat, out);
    layout.items(0, flat.len(), 4 * depth);
}

/// Prints parameters and a body as text.
pub fn parts((list, block): (Vec<TokenStream>, proc_macro2::Group)) -> (Vec<String>, String) {
    let line = |tokens: TokenStream| {
        let flat = Flat::new(tokens);
        flat.text(0, flat.len()).to_owned()
    };
    let mut text = String::new();
    let head = quote!(fn f() #block);
    items(head, 0, &mut text);
    let text = text.trim_start_matches("fn f() {").trim_start_matches('\n').trim_end();
    let text = text.strip_suffix('}').unwrap_or(text);
    (list.into_iter().map(line).collect(), text.to_owned())
}
