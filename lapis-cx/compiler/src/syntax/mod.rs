//! Text to tree: lossless and error-tolerant. See [`parse`].

mod build;
mod fold;
mod grammar;
mod recover;
pub mod tree;
mod words;

pub use grammar::Rule as Kind;
pub use tree::{Node, Tree};

use pest::Parser;

use self::grammar::Grammar;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceMap};

/// Nested brackets and chains of `else if` or `? :` deeper than this are refused, so that no later walk can run out of stack.
pub const MAX_DEPTH: u32 = 100;

/// Nodes above each other in a tree are at most so many.
pub const MAX_HEIGHT: u16 = 500;

/// Parses a file. There is always a tree; what fits no rule is a bad node in it and a diagnostic beside it.
pub fn parse(sources: &SourceMap, file: FileId) -> (Tree, Vec<Diagnostic>) {
    let text = sources.get(file).map(|f| f.text()).unwrap_or_default();
    let mut diagnostics = recover::check_text(text, file);
    if !diagnostics.is_empty() {
        return (Tree::unread(text, file), diagnostics);
    }
    // `file` takes any text, so a failure is a fault of the grammar; it is shown, not hidden.
    let pairs = match Grammar::parse(Kind::file, text) {
        Ok(pairs) => pairs,
        Err(error) => {
            diagnostics.push(recover::unreadable(text, file, &error));
            return (Tree::unread(text, file), diagnostics);
        }
    };
    let tree = build::build(text, file, &pairs);
    recover::explain(&tree, &mut diagnostics);
    (tree, diagnostics)
}

/// Runs the grammar alone, without a tree: for benchmarks.
#[doc(hidden)]
pub fn recognize(text: &str) -> usize {
    Grammar::parse(Kind::file, text).map_or(0, |pairs| pairs.len())
}
