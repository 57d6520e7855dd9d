//! Layout of a file: the one style of `.cxspec` text. See decision 0026.
//!
//! Only blanks change, and line ends within them: each token and comment stays, in its order. What the style leaves open
//! is taken from the text: empty lines (one at most), whether a body stands on one line, and which of several short
//! members share one. So formatting what is formatted changes nothing.
//!
//! A tree becomes a `document`: its tokens, and where lines may end (`walk`, `list`, `expr`, `space`). `print`
//! chooses the line ends, `align` puts parts of neighbouring lines below each other. Each takes time in proportion
//! to the length of the text.

mod align;
mod document;
mod expr;
mod list;
mod print;
mod space;
mod walk;

use crate::syntax::Tree;

/// Columns of a line, in characters. Strings, comments and names may be longer.
pub const LIMIT: u32 = 120;

/// Columns of a level.
const LEVEL: u32 = 4;

/// The text of a file in the style of the language; none if there are mistakes in the tree, as nobody knows what is meant. What
/// [`parse`](crate::syntax::parse) finds about the head of a file is not in the tree.
///
/// Lines end as the first one of the text does, with LF or CR LF; a byte order mark goes.
pub fn format(tree: &Tree) -> Option<String> {
    if tree.root().is_broken() {
        return None;
    }
    let document = walk::walk(tree);
    let text = print::print(&document, tree.text());
    let signs = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<_>>();
    debug_assert_eq!(signs(&text), signs(tree.text().trim_start_matches('\u{feff}')));
    Some(text)
}

/// How the first line of a text ends.
fn line_end(text: &str) -> &'static str {
    let first = text.find('\n').unwrap_or(0);
    if text.get(..first).is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}
