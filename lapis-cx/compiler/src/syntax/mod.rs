//! Text to tree: lossless and error-tolerant. See [`parse`].

mod build;
mod grammar;
mod recover;
pub mod tree;
mod words;

pub use grammar::Rule as Kind;
pub use tree::{Node, Tree};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceMap};

/// Nested brackets and chains of `else if` or `? :` deeper than this are refused, so that no later walk can run out of stack.
pub const MAX_DEPTH: u32 = 100;

/// Nodes above each other in a tree are at most so many.
pub const MAX_HEIGHT: u32 = 500;

/// Parses a file. There is always a tree; what fits no rule is a `bad_…` node in it and a diagnostic beside it.
pub fn parse(sources: &SourceMap, file: FileId) -> (Tree, Vec<Diagnostic>) {
    let text = sources.get(file).map(|f| f.text()).unwrap_or_default();
    let mut diagnostics = recover::check_text(text, file);
    if !diagnostics.is_empty() {
        return (Tree::empty(text, file), diagnostics);
    }
    let tree = build::build(text, file, &mut diagnostics);
    recover::explain(&tree, &mut diagnostics);
    (tree, diagnostics)
}
