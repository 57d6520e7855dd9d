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

use expr::{Layout, STEP};
use flat::Flat;
use item::Closeness;

/// The name of the attribute that stands for a comment.
const COMMENT: &str = "comment";

/// A comment as a line of its own, before an item, a statement or another attribute.
pub fn comment(text: &str) -> TokenStream {
    let comment = proc_macro2::Ident::new(COMMENT, proc_macro2::Span::call_site());
    quote!(#[#comment = #text])
}

/// Prints items one after the other, so that no more than one of them is tokens at a time.
#[derive(Default)]
pub struct Writer {
    out: String,
    depth: usize,
    above: Option<Closeness>,
}

impl Writer {
    /// Begins with lines that are no tokens.
    pub fn new(head: &str) -> Writer {
        Writer { out: head.to_owned(), ..Writer::default() }
    }

    /// Prints items.
    pub fn items(&mut self, tokens: TokenStream) {
        let flat = Flat::new(tokens);
        let mut layout = Layout::new(&flat, &mut self.out);
        self.above = layout.items(0, flat.len(), STEP * self.depth, self.above);
    }

    /// Begins an item whose items follow, up to [`close`](Self::close).
    pub fn open(&mut self, head: TokenStream) {
        self.items(quote!(#head {}));
        self.out.truncate(self.out.trim_end().len() - "}".len());
        self.out.push('\n');
        self.depth += 1;
        self.above = None;
    }

    /// Ends what was begun last.
    pub fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.above.is_none() {
            // Nothing is in it.
            self.out.truncate(self.out.trim_end().len());
        } else {
            self.out.extend(std::iter::repeat_n(' ', STEP * self.depth));
        }
        self.out.push_str("}\n");
        self.above = Some(Closeness::No);
    }

    /// How much is printed.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether something printed since then has this text.
    pub fn has(&self, since: usize, text: &str) -> bool {
        self.out.get(since..).is_some_and(|out| out.contains(text))
    }

    /// Puts items where something else begins that has no items of their kind before it.
    pub fn insert(&mut self, at: usize, tokens: TokenStream) {
        let mut first = Writer { depth: self.depth, ..Writer::default() };
        first.items(tokens);
        first.out.push('\n');
        if self.out.is_char_boundary(at) {
            self.out.insert_str(at, &first.out);
        }
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.out
    }
}
