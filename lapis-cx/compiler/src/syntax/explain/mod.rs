//! From bad nodes to diagnostics: one mistake, one finding.

mod consequence;
mod foreign;
mod hints;
mod layout;
mod library;
mod misfit;
mod types;
mod unclosed;
mod words;

pub(crate) use types::type_here;

use lapis_cx_grammar::Rule;

use self::consequence::Told;
use super::tree::{Node, Tree};
use super::{MAX_DEPTH, MAX_HEIGHT};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::{FileId, Span};

/// A finding for each mistake in the tree, except those that follow from `faults`.
pub(super) fn explain(tree: &Tree, faults: &[Span], diagnostics: &mut Vec<Diagnostic>) {
    let mut explainer = Explainer { tree, told: Told::new(tree, faults), diagnostics };
    // Nodes still to look at, in reverse: nesting must not recurse here either.
    let mut stack =
        vec![Visit { node: tree.root(), parent: tree.root(), before: None, open: false, behind_arms: true }];
    while let Some(visit) = stack.pop() {
        if !explainer.node(&visit) {
            continue;
        }
        let first = stack.len();
        let open = visit.open || visit.node.has(Rule::unclosed);
        let arms_end = visit.node.children_of(Rule::type_arm).last().map_or(0, |arm| arm.span().end);
        let mut before = None;
        for node in visit.node.all_children() {
            if node.is_broken() {
                let behind_arms = node.span().start >= arms_end;
                stack.push(Visit { node, parent: visit.node, before, open, behind_arms });
            }
            if !node.is_trivia() {
                before = Some(node);
            }
        }
        if let Some(new) = stack.get_mut(first..) {
            new.reverse();
        }
    }
    unclosed::explain(tree, &explainer.told.missing_braces, explainer.diagnostics);
}

struct Visit<'t> {
    node: Node<'t>,
    parent: Node<'t>,
    /// The sibling before it that is no trivia.
    before: Option<Node<'t>>,
    /// A `}` is missing of something that it stands in.
    open: bool,
    /// No arm of a `match` type stands behind it, among its siblings.
    behind_arms: bool,
}

struct Explainer<'t, 'd> {
    tree: &'t Tree,
    told: Told<'t, 'd>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'t> Explainer<'t, '_> {
    /// Explains a broken node itself; says whether to look below it.
    fn node(&mut self, visit: &Visit<'t>) -> bool {
        use Rule::*;
        let Visit { node, parent, before, .. } = *visit;
        let span = node.span();
        if self.told.is_consequence(visit) {
            return false;
        }
        let diagnostic = match node.kind() {
            unclosed => {
                if !self.told.follows_fault(span) {
                    self.told.missing_braces.push(parent);
                }
                return false;
            }
            bad_type_arm if node.text() == ";" && self.told.ends_early(visit) => {
                self.told.take_brace(parent);
                let brace = parent.child(lbrace).unwrap_or(parent).span();
                Diagnostic::error(&codes::UNCLOSED, "this `{` is never closed", brace, "opened here")
                    .label(span, "a `}` is missing before this")
                    .help("add the `}`")
            }
            no_semi | no_comma | no_brace | no_body if self.told.follows_fault(span) => return false,
            no_semi => missing_semicolon(self.tree, node, parent),
            no_comma => Diagnostic::error(&codes::UNEXPECTED, "a `,` is missing", span, "expected `,` here")
                .help("write a `,` between the two"),
            no_brace => {
                Diagnostic::error(&codes::UNEXPECTED, "a `{` is missing", span, "expected `{` here").help("add the `{`")
            }
            no_body => missing_body(node, parent),
            bad_body => Diagnostic::error(&codes::UNEXPECTED, "missing braces around a body", span, "expected `{ … }`")
                .help(format!("write `{{ {} }}`", one_line(node.text()))),
            open_body => Diagnostic::error(
                &codes::UNEXPECTED,
                format!("the body of this {} does not begin with `{{`", words::what(parent.kind())),
                before.map_or(span, |b| Span { start: b.span().end, end: b.span().end, ..span }),
                "expected `{` here",
            )
            .help("add the `{`"),
            bad_doc => Diagnostic::error(
                &codes::STRAY_DOC,
                "nothing follows that this could document",
                span,
                "documentation of nothing",
            )
            .help("begin a comment with `//`; `///` stands before what it documents"),
            bad_int => hints::malformed_number(node),
            too_deep => Diagnostic::error(
                &codes::TOO_DEEP,
                "this expression is nested too deeply",
                Span { end: end_of_first_char(self.tree, span), ..span },
                format!("more than {MAX_HEIGHT} operators above each other start here"),
            )
            .help("name parts of it with `let` or `const`"),
            misplaced | misplaced_parts => {
                // A mistake in the item before it is most likely the reason, or an item in an item: the outer one lacks its
                // `}` then.
                if !before.is_some_and(|b| b.is_broken()) && self.told.missing_braces.is_empty() {
                    self.diagnostics.push(misplaced_members(node, before));
                }
                return true;
            }
            stray_clauses => {
                self.diagnostics.extend(hints::stray_clauses(node, before));
                return true;
            }
            stray_stmts => {
                self.diagnostics.extend(hints::stray_statements(node, before));
                return true;
            }
            bad_item
                if node.text() == "}"
                    && (before.is_some_and(|b| b.is_broken()) || !self.told.missing_braces.is_empty()) =>
            {
                return false;
            }
            _ if node.is_bad() => {
                if self.told.holds_fault(span) {
                    return true;
                }
                misfit::Misfit { tree: self.tree, node, parent, before }.explain()
            }
            ident => bad_name(node),
            binary => {
                self.diagnostics.extend(comparison_chain(node));
                return true;
            }
            _ => return true,
        };
        self.told.remember(visit, &diagnostic);
        self.diagnostics.push(diagnostic);
        matches!(node.kind(), bad_body | open_body)
    }
}

fn missing_semicolon(tree: &Tree, node: Node<'_>, parent: Node<'_>) -> Diagnostic {
    // `let x =` before another `let` reads that word as a name: then a value is missing, not a `;`.
    let before = parent.leaves().take_while(|l| *l != node).filter(|l| !l.is_trivia()).last();
    if let Some(word) = before.filter(|l| l.kind() == Rule::ident && hints::is_statement_word(l.text())) {
        let error = |message, label| Diagnostic::error(&codes::UNEXPECTED, message, word.span(), label);
        if let Some(form) = words::statement(word.text()).and_then(words::form)
            && word.span().start == parent.span().start
        {
            return error(format!("`{}` is not written like this", word.text()), "in this statement")
                .help(format!("the form is `{form}`"));
        }
        return error(format!("expected an expression, found `{}`", word.text()), "expected an expression before this")
            .help(format!("finish the {} before it", words::what(parent.kind())));
    }
    let place = node.span();
    let what = words::what(parent.kind());
    let line_end = tree
        .text()
        .get(place.end as usize..)
        .is_some_and(|rest| rest.trim_start_matches(' ').starts_with(['\r', '\n']));
    let help = if line_end { format!("end the {what} with `;`") } else { format!("write a `;` after the {what}") };
    Diagnostic::error(&codes::UNEXPECTED, "a `;` is missing", place, "expected `;` here").help(help)
}

fn missing_body(node: Node<'_>, parent: Node<'_>) -> Diagnostic {
    let name = parent.name();
    let (message, help) = if parent.kind() == Rule::command {
        ("this command has no body", "write its meaning in `{ … }`, or `;` if only hardware knows it")
    } else {
        ("this function has no body", "write what it returns: `{ return …; }`")
    };
    let place = if node.span().start == node.span().end { name.span() } else { node.span() };
    Diagnostic::error(&codes::UNEXPECTED, message, place, "expected a body in `{ }`").help(help)
}

fn misplaced_members(node: Node<'_>, before: Option<Node<'_>>) -> Diagnostic {
    let first = node.children().find(|n| n.kind() != Rule::doc).unwrap_or(node);
    let what = words::what(first.kind());
    let word = first.leaves().find(|l| !l.is_trivia() && l.kind() != Rule::doc).unwrap_or(first);
    let is_of_platform = words::PLATFORM.contains(&word.text()) && first.kind() != Rule::xlen_clause;
    let (holder, place) = match node.kind() {
        Rule::misplaced_parts => (Rule::library, "a library"),
        _ if is_of_platform => (Rule::platform, "a platform"),
        _ => (Rule::interface, "an interface"),
    };
    let (name, form) = (words::what(holder), words::form(holder).unwrap_or_default());
    let message = format!("{what} outside of a {name}");
    let diagnostic = Diagnostic::error(&codes::MISPLACED, message, word.span(), format!("this belongs in {place}"));
    let brace = before.filter(|b| b.kind() == holder).and_then(|b| b.child(Rule::rbrace));
    match brace {
        Some(brace) => diagnostic
            .label(brace.span(), format!("the {name} ends here"))
            .help(format!("is there a `}}` too many before this? otherwise move this into the {name}")),
        None => diagnostic.help(format!("write it inside `{form}`")),
    }
}

fn bad_name(node: Node<'_>) -> Diagnostic {
    let fixed: Vec<_> = node.text().split('_').filter(|part| !part.is_empty()).collect();
    let fixed = fixed.join("_");
    let diagnostic = Diagnostic::error(
        &codes::BAD_NAME,
        format!("`{}` cannot be a name", node.text()),
        node.span(),
        "`_` is allowed between letters and digits only",
    )
    .note("`__` separates the parts of the names in the generated code");
    if fixed.starts_with(|c: char| c.is_ascii_alphabetic()) {
        diagnostic.help(format!("write `{fixed}`"))
    } else {
        diagnostic.help("begin it with a letter")
    }
}

fn comparison_chain(node: Node<'_>) -> Option<Diagnostic> {
    let op = node.child(Rule::op_cmp)?;
    let left = node.exprs().next().filter(|l| l.kind() == Rule::binary)?;
    let first = left.child(Rule::op_cmp)?;
    Some(
        Diagnostic::error(&codes::CHAINED, "comparisons do not chain", op.span(), "a second comparison")
            .label(first.span(), "of the result of this one")
            .help("join two comparisons with `&&`, or put one in parentheses"),
    )
}

/// The start of a text in one line, for a help.
fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && line.len() <= 40 { line.to_owned() } else { "…".to_owned() }
}

fn end_of_first_char(tree: &Tree, span: Span) -> u32 {
    let first = tree.text().get(span.start as usize..).and_then(|t| t.chars().next());
    span.start + first.map_or(0, char::len_utf8) as u32
}

/// A failure of the tolerant grammar itself; its `file` takes any text, so none is known.
pub(super) fn unreadable(text: &str, file: FileId, start: usize) -> Diagnostic {
    let end = text.get(start..).and_then(|r| r.chars().next()).map_or(start, |c| start + c.len_utf8());
    let span = Span { file, start: start as u32, end: end as u32 };
    Diagnostic::error(&codes::UNEXPECTED, "this text cannot be read", span, "here")
        .help(format!("is a brace missing before this place, or are more than {MAX_DEPTH} nested?"))
}
