//! The one authority for layout: from tokens to text, as rustfmt would have it with its defaults.
//!
//! `read` makes pieces of tokens and `flat` decides once what stands between two of them, and measures them; `item` and
//! `expr` decide where lines break. A line breaks at 100 columns, and where rustfmt's default limits for calls, chains,
//! literals and `if` break it. Tokens are as they come, with these exceptions, of which none changes what they mean:
//!
//! * `#[doc = "…"]` becomes `///`, if a comment can hold the text.
//! * `#[comment = "…"]` becomes `//`, as tokens know no comments.
//! * A comma that ends a list, or an arm of a `match`, is there if rustfmt wants it.
//! * An expression of an arm gets braces if it does not fit behind `=>`.
//!
//! What the printer does not know it prints in one line, with the tokens as they are.
//!
//! Two things are not tokens each time. Documentation of items, and attributes of one word, are lines that a [`Writer`] puts
//! before what it prints next. And items that many files have in common are made and laid out once, and then are text.

mod expr;
mod flat;
mod item;
mod level;
mod read;
#[cfg(test)]
mod tests;
mod verify;

use std::collections::HashMap;
use std::fmt::Display;

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{TokenStreamExt, quote};

use crate::common::Common;
use crate::docs;
use expr::{Layout, STEP, blanks};
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

/// Prints files: items one after the other, so that no more than one of them is tokens at a time.
#[derive(Default)]
pub struct Writer {
    out: String,
    flat: Flat,
    depth: usize,
    above: Option<Closeness>,
    /// The lines before what is printed next: its documentation, and attributes.
    before: String,
    /// What files have in common.
    kept: Keeper,
    /// What the modules of this file have in common, and no other file has.
    kept_here: Keeper,
    /// What was to be printed, if that is to be compared. Then nothing is kept.
    said: Option<Said>,
}

/// What was printed, by its depth and what it is.
type Keeper = HashMap<(usize, Common), Kept>;

/// Items as they were printed, and what the first and the last one are.
struct Kept {
    text: String,
    first: Closeness,
    last: Closeness,
}

/// A place between items.
#[derive(Clone, Copy)]
pub struct Mark {
    text: usize,
    said: usize,
}

impl Writer {
    /// A writer that keeps what is to be printed, so that [`finish`](Self::finish) compares it.
    pub fn verified() -> Writer {
        Writer { said: Some(Said::default()), ..Writer::default() }
    }

    /// Begins a file with lines that are no tokens.
    pub fn begin(&mut self, head: &str) {
        self.out.push_str(head);
    }

    /// Documents what is printed next, with another paragraph if it has documentation already; `first` if the text is empty.
    pub fn docs(&mut self, text: &str, first: impl Display) {
        if !self.before.is_empty() {
            self.document("");
        }
        docs::lines(text, first, |line| self.document(line));
    }

    /// A line of documentation.
    fn document(&mut self, line: &str) {
        blanks(&mut self.before, STEP * self.depth);
        self.before.push_str(if line.is_empty() { "///" } else { "/// " });
        self.before.push_str(line);
        self.before.push('\n');
        if let Some(said) = &mut self.said {
            said.document(line);
        }
    }

    /// Puts an attribute of one word before what is printed next, behind its documentation.
    pub fn attribute(&mut self, word: &str) {
        blanks(&mut self.before, STEP * self.depth);
        self.before.extend(["#[", word, "]\n"]);
        if let Some(said) = &mut self.said {
            ["#", "[", word, "]"].iter().for_each(|token| said.push(token));
        }
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
        self.above = layout.items(0, self.flat.len(), STEP * self.depth, self.above, &self.before);
        self.before.clear();
    }

    /// Prints items that files have in common: as they were printed the first time at this depth.
    pub fn common(&mut self, common: Common) {
        if self.said.is_some() {
            return self.items(common.tokens());
        }
        let keeper = if common.is_of_one_file() { &mut self.kept_here } else { &mut self.kept };
        let kept = Kept::of(keeper, &mut self.flat, self.depth, common);
        if self.above.is_some_and(|above| above.is_apart(kept.first)) {
            self.out.push('\n');
        }
        self.out.push_str(&self.before);
        self.out.push_str(&kept.text);
        self.above = Some(kept.last);
        self.before.clear();
    }

    /// Begins an item whose items follow, up to [`close`](Self::close).
    pub fn open(&mut self, mut head: TokenStream) {
        head.append(Group::new(Delimiter::Brace, TokenStream::new()));
        self.items(head);
        self.reopen();
    }

    /// Begins an item that files have in common, and in which is nothing yet.
    pub fn open_common(&mut self, common: Common) {
        self.common(common);
        self.reopen();
    }

    /// Takes the end of the last item away, in which is nothing.
    fn reopen(&mut self) {
        if let Some(said) = &mut self.said {
            said.pop();
        }
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
            blanks(&mut self.out, STEP * self.depth);
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
    pub fn insert(&mut self, at: Mark, common: Common) {
        let own;
        let kept = match &mut self.said {
            Some(said) => {
                said.insert(at.said, common.tokens());
                own = Kept::new(&mut self.flat, self.depth, &common);
                &own
            }
            None => Kept::of(&mut self.kept, &mut self.flat, self.depth, common),
        };
        if self.out.is_char_boundary(at.text) {
            self.out.insert(at.text, '\n');
            self.out.insert_str(at.text, &kept.text);
        }
    }

    /// The file, after which another may begin.
    ///
    /// # Errors
    /// Where the text does not say what was to be printed, if that is compared.
    pub fn finish(&mut self) -> Result<String, String> {
        self.above = None;
        self.kept_here.clear();
        // A copy is as long as the text, and the next file finds room.
        let text = self.out.clone();
        self.out.clear();
        let said = self.said.as_mut().map(std::mem::take);
        match said.and_then(|said| said.differs(&text)) {
            Some(place) => Err(place),
            None => Ok(text),
        }
    }
}

impl Kept {
    /// What is kept of these items at a depth, from now on if they are new.
    fn of<'k>(all: &'k mut Keeper, flat: &mut Flat, depth: usize, common: Common) -> &'k Kept {
        all.entry((depth, common)).or_insert_with_key(|(depth, common)| Kept::new(flat, *depth, common))
    }

    fn new(flat: &mut Flat, depth: usize, common: &Common) -> Kept {
        flat.read(common.tokens());
        let mut text = String::new();
        let mut layout = Layout::new(flat, &mut text);
        let first = layout.first(0, flat.len(), STEP * depth);
        let last = layout.items(0, flat.len(), STEP * depth, None, "").unwrap_or(first);
        Kept { text, first, last }
    }
}
