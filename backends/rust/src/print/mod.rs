//! The one authority for layout: from tokens to text, as rustfmt would have it with its defaults.
//!
//! `read` makes pieces of tokens and `flat` decides once what stands between two of them, and measures them; `item` and `expr` decide where lines break. A line
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
mod level;
mod read;
#[cfg(test)]
mod tests;
mod verify;

use proc_macro2::TokenStream;
use quote::quote;

use expr::{Layout, STEP};
use flat::Flat;
use item::Closeness;
use verify::Said;

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
    flat: Flat,
    depth: usize,
    above: Option<Closeness>,
    /// What was to be printed, if that is to be compared.
    said: Option<Said>,
}

/// A place between items.
#[derive(Clone, Copy)]
pub struct Mark {
    text: usize,
    said: usize,
}

impl Writer {
    /// Begins with lines that are no tokens.
    pub fn new(head: &str) -> Writer {
        Writer { out: head.to_owned(), ..Writer::default() }
    }

    /// Keeps what is to be printed, so that [`finish`](Self::finish) compares it.
    pub fn verified(self) -> Writer {
        Writer { said: Some(Said::default()), ..self }
    }

    /// Prints items.
    pub fn items(&mut self, tokens: TokenStream) {
        if let Some(said) = &mut self.said {
            said.add(tokens.clone());
        }
        self.print(tokens);
    }

    fn print(&mut self, tokens: TokenStream) {
        self.flat.read(tokens);
        let mut layout = Layout::new(&self.flat, &mut self.out);
        self.above = layout.items(0, self.flat.len(), STEP * self.depth, self.above);
    }

    /// Begins an item whose items follow, up to [`close`](Self::close).
    pub fn open(&mut self, head: TokenStream) {
        if let Some(said) = &mut self.said {
            said.add(head.clone());
            said.push("{");
        }
        self.print(quote!(#head {}));
        self.out.truncate(self.out.trim_end().len() - "}".len());
        self.out.push('\n');
        self.depth += 1;
        self.above = None;
    }

    /// Ends what was begun last.
    pub fn close(&mut self) {
        if let Some(said) = &mut self.said {
            said.push("}");
        }
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

    /// The place behind what is printed.
    pub fn mark(&self) -> Mark {
        Mark { text: self.out.len(), said: self.said.as_ref().map_or(0, Said::len) }
    }

    /// Whether something printed since then has this text.
    pub fn has(&self, since: Mark, text: &str) -> bool {
        self.out.get(since.text..).is_some_and(|out| out.contains(text))
    }

    /// Puts items where something else begins that has no items of their kind before it.
    pub fn insert(&mut self, at: Mark, tokens: TokenStream) {
        if let Some(said) = &mut self.said {
            said.insert(at.said, tokens.clone());
        }
        let mut first = Writer { depth: self.depth, ..Writer::default() };
        first.items(tokens);
        first.out.push('\n');
        if self.out.is_char_boundary(at.text) {
            self.out.insert_str(at.text, &first.out);
        }
    }

    /// All of it.
    ///
    /// # Errors
    /// Where the text does not say what was to be printed, if that is compared.
    pub fn finish(self) -> Result<String, String> {
        match self.said.and_then(|said| said.differs(&self.out)) {
            Some(place) => Err(place),
            None => Ok(self.out),
        }
    }
}
