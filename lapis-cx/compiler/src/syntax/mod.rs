//! Text to tree: lossless and error-tolerant. See [`parse`].

mod build;
mod explain;
mod fold;
mod header;
mod lexical;
mod pieces;
pub mod tree;

pub(crate) use explain::type_here;
pub use header::EDITIONS;
pub use lapis_cx_grammar::Rule as Kind;
pub use tree::{Node, Tree};

use lapis_cx_grammar::Grammar;
use pest::Parser;

use self::build::Builder;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceMap};

/// Nested brackets and chains of `else if`, `? :` or `match` deeper than this are refused, so that no later walk can run out of stack.
pub const MAX_DEPTH: u32 = 100;

/// Nodes above each other in a tree are at most so many.
pub const MAX_HEIGHT: u16 = 500;

/// Parses a file. There is always a tree; every mistake is marked in it ([`Node::is_broken`]) and has a diagnostic.
/// Diagnostics come in the order of the text.
pub fn parse(sources: &SourceMap, file: FileId) -> (Tree, Vec<Diagnostic>) {
    let text = sources.get(file).map(|f| f.text()).unwrap_or_default();
    let lexical = lexical::scan(text, file);
    if lexical.fatal {
        return (Tree::unread(text, file), lexical.diagnostics);
    }
    let blanked = lexical.blanked(text);
    let lexical::Lexical { mut diagnostics, mut faults, .. } = lexical;
    // The grammar takes any text, so a failure is a fault of the grammar; it is shown, not hidden.
    let mut builder = Builder::new(text, file, &faults);
    if let Err(place) = pieces::read(&blanked, &mut builder) {
        diagnostics.push(explain::unreadable(text, file, place));
        return (Tree::unread(text, file), diagnostics);
    }
    let tree = builder.finish();
    if let Some(diagnostic) = header::unknown_edition(&tree) {
        return (tree, vec![diagnostic]);
    }
    if let Some(explained) = header::check(&tree, &mut diagnostics) {
        faults.push(explained);
        faults.sort();
    }
    if tree.root().is_broken() {
        explain::explain(&tree, &faults, &mut diagnostics);
    }
    diagnostics.sort_by_key(|d| d.span().map_or(0, |span| span.start));
    // A second finding at one place is a consequence of the first.
    diagnostics.dedup_by(|later, earlier| later.span() == earlier.span() && later.code == earlier.code);
    (tree, diagnostics)
}

/// Whether a text is a name: letters, digits and `_`, of which the first is a letter and each `_` stands between others.
pub fn is_name(text: &str) -> bool {
    let ident = Grammar::parse(Kind::ident, text).ok();
    ident.is_some_and(|pairs| pairs.as_str() == text) && build::is_proper_name(text)
}

/// Runs the grammar alone and as one piece: for counts of its calls. Pieces are the same rules from the same places.
#[doc(hidden)]
pub fn recognize(text: &str) -> usize {
    let blanked = lexical::scan(text, FileId::default()).blanked(text);
    Grammar::parse(Kind::file, &blanked).map_or(0, |pairs| pairs.len())
}
