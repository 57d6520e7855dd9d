//! Braces that are never closed.

use lapis_cx_grammar::Rule;

use super::layout::{indent, line_before};
use super::misfit::{after_trivia, token_len};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;
use crate::syntax::tree::{Node, Tree};

/// One finding for each place where `}` is missing; `nodes` lack theirs, inner ones before outer ones.
pub(super) fn explain(tree: &Tree, nodes: &[Node<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let mut places: Vec<(u32, Vec<Node<'_>>)> = Vec::new();
    for &node in nodes {
        let place = node.child(Rule::unclosed).unwrap_or(node).span().start;
        match places.last_mut() {
            Some((last, group)) if *last == place => group.push(node),
            _ => places.push((place, vec![node])),
        }
    }
    for (place, group) in places {
        diagnostics.extend(one_place(tree, place, &group));
    }
}

fn one_place(tree: &Tree, place: u32, nodes: &[Node<'_>]) -> Option<Diagnostic> {
    let (outermost, inner) = nodes.split_last()?;
    let brace = |node: Node<'_>| node.child(Rule::lbrace).unwrap_or(node).span();
    let message = match nodes.len() {
        1 => "this `{` is never closed".to_owned(),
        n => format!("{n} braces are never closed"),
    };
    let mut diagnostic = Diagnostic::error(&codes::UNCLOSED, message, brace(*outermost), "opened here");
    for &node in inner.iter().rev() {
        diagnostic = diagnostic.label(brace(node), "and here");
    }
    let (next, label) = after(tree, place);
    diagnostic = diagnostic.label(next, label);
    if let Some(suspect) = misaligned(tree, *outermost) {
        diagnostic = diagnostic.label(suspect, "the `}` of this one is indented differently: is it the one meant?");
    }
    let is_item = tree.text().get(next.start as usize..).is_some_and(|rest| rest.starts_with("interface"));
    let help = match nodes.len() {
        1 if is_item && outermost.kind() == Rule::interface => "add the `}`: interfaces do not stand in each other",
        1 => "add the `}`",
        _ => "add a `}` for each",
    };
    Some(diagnostic.help(help))
}

/// The token that shows that the brace is missing.
fn after(tree: &Tree, place: u32) -> (Span, &'static str) {
    let start = after_trivia(tree.text(), place);
    let file = tree.file();
    let rest = tree.text().get(start as usize..).unwrap_or_default();
    match token_len(rest) as u32 {
        0 => (Span { file, start: place, end: place }, "the text ends here"),
        len => (Span { file, start, end: start + len }, "a `}` is missing before this"),
    }
}

/// The opening brace of the first inner block whose `}` begins a line that is indented less than the block's own line.
fn misaligned(tree: &Tree, node: Node<'_>) -> Option<Span> {
    node.descendants(|n| n.kind() == Rule::block && n.has(Rule::rbrace)).find_map(|block| {
        let (open, close) = (block.child(Rule::lbrace)?.span(), block.child(Rule::rbrace)?.span());
        let (open_line, _) = line_before(tree, open.start);
        let (close_line, before_close) = line_before(tree, close.start);
        let differs = open_line.start != close_line.start
            && before_close.trim().is_empty()
            && before_close.len() < indent(tree, open_line);
        differs.then_some(open)
    })
}
