//! Lines of the text, where layout tells what brackets do not.

use crate::source::Span;
use crate::syntax::tree::Tree;

/// Where the line of an offset starts, as an empty span, and its text up to the offset.
pub(super) fn line_before(tree: &Tree, offset: u32) -> (Span, &str) {
    let before = tree.text().get(..offset as usize).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |p| p + 1);
    let line = Span { file: tree.file(), start: start as u32, end: start as u32 };
    (line, before.get(start..).unwrap_or_default())
}

/// By how many blanks the line that starts at `line` is indented.
pub(super) fn indent(tree: &Tree, line: Span) -> usize {
    let rest = tree.text().get(line.start as usize..).unwrap_or_default();
    rest.len() - rest.trim_start_matches([' ', '\t']).len()
}
