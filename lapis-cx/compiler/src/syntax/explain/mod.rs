//! From bad nodes to diagnostics: one mistake, one finding.

mod foreign;
mod hints;
mod library;
mod misfit;
mod types;
mod unclosed;
mod words;

pub(crate) use types::type_here;

use super::grammar::Rule;
use super::tree::{Node, Tree};
use super::{MAX_DEPTH, MAX_HEIGHT};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::{FileId, Span};

/// A finding for each mistake in the tree, except those that follow from `faults`.
pub(super) fn explain(tree: &Tree, faults: &[Span], diagnostics: &mut Vec<Diagnostic>) {
    let mut explainer = Explainer {
        tree,
        faults,
        missing_braces: Vec::new(),
        part: tree.root(),
        spoilt: None,
        shifted: Vec::new(),
        nameless: None,
        run: None,
        diagnostics,
    };
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
    unclosed::explain(tree, &explainer.missing_braces, explainer.diagnostics);
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
    faults: &'d [Span],
    /// Nodes whose `}` is missing.
    missing_braces: Vec<Node<'t>>,
    /// The item, member or part that is looked at.
    part: Node<'t>,
    /// The one in which nobody knows what belongs to what, and that was said.
    spoilt: Option<Node<'t>>,
    /// Where each `match` starts that was said to lack its `}` and has one: that of what it stands in, which takes the next
    /// outer one, so that in the end something outer lacks its own.
    shifted: Vec<u32>,
    /// The last parentheses in which a name stood alone, and that was said.
    nameless: Option<Node<'t>>,
    /// The run of bad nodes that is looked at.
    run: Option<Run<'t>>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'t> Explainer<'t, '_> {
    /// Explains a broken node itself; says whether to look below it.
    fn node(&mut self, visit: &Visit<'t>) -> bool {
        use Rule::*;
        let Visit { node, parent, before, .. } = *visit;
        let span = node.span();
        if matches!(parent.kind(), file | interface | library | platform | group_item | misplaced_parts | stray_clauses)
        {
            self.part = node;
        }
        if node.kind() == unclosed && self.lacks_shifted(parent) || self.is_consequence(visit) {
            return false;
        }
        let diagnostic = match node.kind() {
            unclosed if self.follows_fault(span) => return false,
            unclosed => {
                self.missing_braces.push(parent);
                return false;
            }
            bad_type_arm if node.text() == ";" && self.ends_early(visit) => {
                self.spoilt = Some(self.part);
                if !parent.has(unclosed) {
                    self.shifted.push(parent.span().start);
                }
                let brace = parent.child(lbrace).unwrap_or(parent).span();
                Diagnostic::error(&codes::UNCLOSED, "this `{` is never closed", brace, "opened here")
                    .label(span, "a `}` is missing before this")
                    .help("add the `}`")
            }
            no_semi | no_comma | no_brace | no_body if self.follows_fault(span) => return false,
            no_semi => missing_semicolon(self.tree, node, parent),
            no_comma => Diagnostic::error(&codes::UNEXPECTED, "a `,` is missing", span, "expected `,` here")
                .help("write a `,` between the two"),
            no_brace => {
                Diagnostic::error(&codes::UNEXPECTED, "a `{` is missing", span, "expected `{` here").help("add the `{`")
            }
            no_body => missing_body(node, parent),
            bad_body => Diagnostic::error(&codes::UNEXPECTED, "this body stands in braces", span, "expected `{ … }`")
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
                if !before.is_some_and(|b| b.is_broken()) && self.missing_braces.is_empty() {
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
                if node.text() == "}" && (before.is_some_and(|b| b.is_broken()) || !self.missing_braces.is_empty()) =>
            {
                return false;
            }
            _ if node.is_bad() => {
                if self.holds_fault(span) {
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
        // Types stand in places and in the heads that hold these, and braces in types. No other head has any.
        let holds_types =
            node.kind() == bad_place || node.kind() == bad_head && matches!(parent.kind(), func_item | callback_item);
        if holds_types && (diagnostic.code == codes::UNCLOSED.code || lacks_group(node)) {
            self.spoilt = Some(self.part);
        }
        if node.kind() == bad_place && is_name(node) {
            self.nameless = Some(parent);
        }
        self.diagnostics.push(diagnostic);
        matches!(node.kind(), bad_body | open_body)
    }

    /// Whether what is wrong here follows from what was found before it.
    fn is_consequence(&mut self, visit: &Visit<'t>) -> bool {
        use Rule::*;
        let Visit { node, parent, before, .. } = *visit;
        let spoilt = self.spoilt == Some(self.part);
        match node.kind() {
            bad_clause | bad_type_arm | bad_place | unclosed | no_semi if spoilt => true,
            // `(a, b)` of a type without its name.
            bad_place if is_name(node) => self.nameless == Some(parent),
            // It is without the `}`, and so without the `;` behind that.
            no_semi => self.missing_braces.last().is_some_and(|last| last.span().end == node.span().end),
            unclosed | no_comma | no_brace | no_body => false,
            _ if node.is_bad() => before.is_some_and(|b| self.runs_on(b, node)),
            _ => false,
        }
    }

    /// Whether a `match` ends before a `;` that is no arm, and is that of what the `match` stands in: no arm follows, and it
    /// lacks its `}`, or something around it does and what stands behind its `}` does not go on with a type.
    fn ends_early(&self, semi: &Visit<'t>) -> bool {
        let Visit { parent, open, behind_arms, .. } = *semi;
        let closed = || !parent.has(Rule::unclosed) && self.type_goes_on(parent.span().end);
        open && behind_arms && !closed()
    }

    /// Whether what stands behind an offset is what may follow a type in the thing that holds it.
    fn type_goes_on(&self, offset: u32) -> bool {
        let next = misfit::token_at(self.tree.text(), misfit::after_trivia(self.tree.text(), offset));
        matches!(next, "," | ";" | ")" | "]" | "[" | "?" | "@" | "=" | "as")
    }

    /// Whether a node lacks its `}` because a `match` in it has taken one.
    fn lacks_shifted(&mut self, node: Node<'_>) -> bool {
        self.shifted.pop_if(|start| *start >= node.span().start).is_some()
    }

    /// Whether a bad node goes on with what was found to be wrong before it: one mistake, whatever its length.
    ///
    /// It does if it begins as nothing does but a rest, or closes a bracket that was open. Where a bracket has no partner, or
    /// the part before is spoilt, nobody knows where the mistake ends; then, and behind a group in braces, which may be the
    /// first half of something of another language (`do { … } while (…);`), the line or the indentation decides.
    fn runs_on(&mut self, before: Node<'t>, node: Node<'t>) -> bool {
        use Rule::*;
        let spoils = self.spoilt == Some(before);
        let run = match self.run {
            Some(run) if run.last == before => run,
            _ => Run { last: before, spoilt: spoils, open: if spoils { surplus(before) } else { [0; 3] } },
        };
        let own = surplus(node);
        self.run = Some(Run { last: node, open: std::array::from_fn(|i| run.open[i] + own[i]), ..run });
        let is_rest = node.text().starts_with([',', ')', ']', '?', '@', '=', '-', '.']);
        if node.kind() == bad_item && before.is_broken() && is_rest {
            return true;
        }
        if !spoils && before.kind() != node.kind() {
            return false;
        }
        let is_else = node.leaves().find(|l| !l.is_trivia()).is_some_and(|l| l.text() == "else");
        let closes = run.open.iter().zip(own).any(|(before, here)| *before > 0 && here < 0);
        if is_else || closes {
            return true;
        }
        let between = self.tree.text().get(before.span().end as usize..node.span().start as usize);
        let in_line = between.is_some_and(|blank| !blank.contains('\n'));
        let has_no_end = run.spoilt || run.open != [0; 3] || own.iter().any(|n| *n < 0);
        match node.kind() {
            bad_part => is_rest || has_no_end && (in_line || self.is_deeper(node, before)),
            bad_clause | bad_type_arm => is_rest || has_no_end && in_line,
            _ => in_line && before.text().len() > 1 && before.text().ends_with('}'),
        }
    }

    /// Whether a node begins a line that is indented more than the line in which another begins.
    fn is_deeper(&self, node: Node<'_>, than: Node<'_>) -> bool {
        let (line, before) = unclosed::line_before(self.tree, node.span().start);
        let (other, _) = unclosed::line_before(self.tree, than.span().start);
        before.trim().is_empty() && unclosed::indent(self.tree, line) > unclosed::indent(self.tree, other)
    }

    /// Whether an earlier finding lies within, so that this one is a consequence.
    fn holds_fault(&self, span: Span) -> bool {
        let first = self.faults.partition_point(|f| f.end <= span.start);
        self.faults.get(first).is_some_and(|f| f.start < span.end)
    }

    /// Whether an unended string or comment right before has swallowed what is missing here.
    fn follows_fault(&self, span: Span) -> bool {
        let next = self.faults.partition_point(|f| f.start < span.start);
        // One that goes on to the end of the text takes all with it that would follow.
        let to_the_end = self.faults.get(next).is_some_and(|f| {
            let text = self.tree.text();
            let between = text.get(span.start as usize..f.start as usize);
            f.end as usize == text.len() && between.is_some_and(|t| t.trim().is_empty())
        });
        to_the_end || self.faults.binary_search_by_key(&span.start, |f| f.end).is_ok()
    }
}

/// Whether a bad node is a name alone.
fn is_name(node: Node<'_>) -> bool {
    let mut leaves = node.leaves().filter(|l| !l.is_trivia());
    leaves.next().is_some_and(|l| l.kind() == Rule::ident) && leaves.next().is_none()
}

/// Whether a bad place or head has a `match` or `impl` whose braces are not in it: they stand behind it, where they are taken
/// for those of the clauses.
fn lacks_group(node: Node<'_>) -> bool {
    let count = |texts: &[&str]| node.leaves().filter(|l| texts.contains(&l.text())).count();
    count(&["match", "impl"]) > count(&["{"])
}

/// Bad nodes one behind the other.
#[derive(Clone, Copy)]
struct Run<'t> {
    last: Node<'t>,
    /// It began behind a spoilt part.
    spoilt: bool,
    /// What [`surplus`] gives for all of it.
    open: [i64; 3],
}

/// How many more brackets open in a node than close: `( )`, `[ ]` and `{ }`.
fn surplus(node: Node<'_>) -> [i64; 3] {
    let mut surplus = [0; 3];
    for leaf in node.leaves() {
        let (form, change) = match leaf.text() {
            "(" => (0, 1),
            ")" => (0, -1),
            "[" => (1, 1),
            "]" => (1, -1),
            "{" => (2, 1),
            "}" => (2, -1),
            _ => continue,
        };
        surplus[form] += change;
    }
    surplus
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
    let message = format!("this {what} stands outside of any {name}");
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
        "`_` stands only between letters and digits",
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
