//! The order of a file: edition, package, imports, items. The grammar takes them in any order, for better messages.

use lapis_cx_grammar::Rule;

use super::tree::{Node, Tree};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;

/// The editions of the language that this compiler reads.
pub const EDITIONS: &[&str] = &["1"];

/// The finding about an edition that is not known: nothing else that is found in such a file means much.
pub(super) fn unknown_edition(tree: &Tree) -> Option<Diagnostic> {
    let int = tree.root().child(Rule::edition)?.child(Rule::int)?;
    if EDITIONS.contains(&int.text()) {
        return None;
    }
    let known = EDITIONS.join(", ");
    let message = format!("edition {} is not known", int.text());
    let diagnostic = Diagnostic::error(&codes::EDITION, message, int.span(), "this edition")
        .help(format!("this compiler reads edition {known}; a newer one may be needed for this file"));
    Some(diagnostic)
}

/// Missing, repeated and misplaced clauses. Where something else stands in the place of a missing clause, its span is
/// returned: it needs no finding of its own.
pub(super) fn check(tree: &Tree, diagnostics: &mut Vec<Diagnostic>) -> Option<Span> {
    let root = tree.root();
    // A clause that is there but broken is a finding already.
    let has = |kind, word| root.children().any(|n| n.kind() == kind || n.is_bad() && n.text().starts_with(word));
    let missing = match (has(Rule::edition, "cxspec"), has(Rule::package, "package")) {
        (true, true) => None,
        (false, true) => Some(("the edition", "cxspec 1;")),
        (true, false) => Some(("its package", "package my.name;")),
        (false, false) => Some(("the edition and its package", "cxspec 1;` and `package my.name;")),
    };
    let mut explained = None;
    if let Some((what, lines)) = missing {
        let edition = root.child(Rule::edition);
        let next = root.children().find(|n| edition.is_none_or(|e| n.span().start > e.span().start));
        explained = next.filter(|n| is_headless_clause(*n)).map(|n| n.span());
        let place = match (explained, edition) {
            (Some(span), _) => span,
            (None, Some(edition)) => Span { start: edition.span().end, ..edition.span() },
            (None, None) => first_token(root),
        };
        diagnostics.push(
            Diagnostic::error(&codes::HEADER, format!("the file does not name {what}"), place, "missing here")
                .help(format!("start the file with `{lines}`")),
        );
    }
    let mut seen = Seen::default();
    for node in root.children() {
        diagnostics.extend(seen.next(node));
    }
    if let [first, rest @ ..] = seen.late_uses.as_slice() {
        let mut diagnostic =
            Diagnostic::error(&codes::ORDER, "imports stand before all items", first.span(), "this comes too late")
                .help("move it up, right after `package`");
        for late in rest {
            diagnostic = diagnostic.label(late.span(), "and this");
        }
        diagnostics.push(diagnostic);
    }
    explained
}

/// Text such as `1;` or `a.b;`: a clause that lost its first word. No item has only such tokens.
fn is_headless_clause(node: Node<'_>) -> bool {
    let tokens: Vec<_> = node.leaves().filter(|l| !l.is_trivia()).map(|l| l.kind()).collect();
    let two_words = tokens.windows(2).any(|pair| pair == [Rule::ident, Rule::ident]);
    let simple = |kind: &Rule| matches!(kind, Rule::int | Rule::ident | Rule::bad_char | Rule::semi);
    node.kind() == Rule::bad_item && !two_words && tokens.iter().all(simple) && tokens.ends_with(&[Rule::semi])
}

#[derive(Default)]
struct Seen<'t> {
    edition: Option<Node<'t>>,
    package: Option<Node<'t>>,
    import: bool,
    item: bool,
    late_uses: Vec<Node<'t>>,
}

impl<'t> Seen<'t> {
    fn next(&mut self, node: Node<'t>) -> Option<Diagnostic> {
        let (earlier, name, late) = match node.kind() {
            Rule::edition => (self.edition.replace(node), "cxspec", self.package.is_some() || self.import || self.item),
            Rule::package => (self.package.replace(node), "package", self.import || self.item),
            Rule::use_clause => {
                self.import = true;
                if self.item {
                    self.late_uses.push(node);
                }
                return None;
            }
            _ => {
                self.item |= !node.is_bad();
                return None;
            }
        };
        if let Some(earlier) = earlier {
            let message = format!("a file has one `{name}` clause");
            let diagnostic = Diagnostic::error(&codes::ORDER, message, node.span(), "this is the second")
                .label(earlier.span(), "the first")
                .help("remove one of them");
            return Some(diagnostic);
        }
        if late {
            let message = format!("`{name}` must be at the start of the file");
            let diagnostic = Diagnostic::error(&codes::ORDER, message, node.span(), "move this up")
                .help("the order is: `cxspec 1;`, `package …;`, imports, items");
            return Some(diagnostic);
        }
        None
    }
}

/// The first token of a file, or an empty span at its start.
fn first_token(root: Node<'_>) -> Span {
    let start = Span { start: 0, end: 0, ..root.span() };
    root.leaves().find(|l| !l.is_trivia() && !l.text().is_empty()).map_or(start, |l| l.span())
}
