//! What follows from a mistake that was told, and is not told again.
//!
//! Recovery cuts text at `;`, `,` and closed braces. Where a bracket is missing it cuts at the wrong place, and what it leaves
//! looks wrong, too. Such a consequence is the rest of a bad node, a place or clause in a part whose braces have moved, a `}`
//! that something in it has taken, or what an unended string or comment has swallowed. All else is a mistake of its own.

use lapis_cx_grammar::Rule;

use super::layout::{indent, line_before};
use super::{Visit, misfit};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;
use crate::syntax::tree::{Node, Tree};

/// What was told up to the node that is looked at, as far as something can follow from it. Nodes come in source order.
pub(super) struct Told<'t, 'f> {
    tree: &'t Tree,
    /// Mistakes in characters, in source order.
    faults: &'f [Span],
    /// Nodes whose `}` is missing.
    pub(super) missing_braces: Vec<Node<'t>>,
    /// The item, member or part that is looked at.
    part: Node<'t>,
    /// The one in which nobody knows what belongs to what.
    spoilt: Option<Node<'t>>,
    /// Where each `match` starts that was said to lack its `}` and has one: that of what it stands in, which takes the next
    /// outer one, so that in the end something outer lacks its own.
    shifted: Vec<u32>,
    /// The `match` that was last found to have its own `}`.
    closed: Option<Node<'t>>,
    /// The last parentheses in which a name stood alone.
    nameless: Option<Node<'t>>,
    /// The run of bad nodes that is looked at.
    run: Option<Run<'t>>,
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

impl<'t, 'f> Told<'t, 'f> {
    pub(super) fn new(tree: &'t Tree, faults: &'f [Span]) -> Self {
        Told {
            tree,
            faults,
            missing_braces: Vec::new(),
            part: tree.root(),
            spoilt: None,
            shifted: Vec::new(),
            closed: None,
            nameless: None,
            run: None,
        }
    }

    /// Whether what is wrong here follows from what was told. To be asked of each broken node, in source order.
    pub(super) fn is_consequence(&mut self, visit: &Visit<'t>) -> bool {
        use Rule::*;
        let Visit { node, parent, before, .. } = *visit;
        if matches!(parent.kind(), file | interface | library | platform | group_item | misplaced_parts | stray_clauses)
        {
            self.part = node;
        }
        let spoilt = self.spoilt == Some(self.part);
        match node.kind() {
            unclosed if self.lacks_shifted(parent) => true,
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

    /// Remembers what follows from a finding about a node.
    pub(super) fn remember(&mut self, visit: &Visit<'t>, finding: &Diagnostic) {
        use Rule::*;
        let Visit { node, parent, .. } = *visit;
        // Types stand in places and in the heads that hold these, and braces in types. No other head has any.
        let holds_types =
            node.kind() == bad_place || node.kind() == bad_head && matches!(parent.kind(), func_item | callback_item);
        if holds_types && (finding.code == codes::UNCLOSED.code || lacks_group(node)) {
            self.spoilt = Some(self.part);
        }
        if node.kind() == bad_place && is_name(node) {
            self.nameless = Some(parent);
        }
    }

    /// Remembers that a `match` was said to lack its `}`.
    pub(super) fn take_brace(&mut self, of: Node<'t>) {
        self.spoilt = Some(self.part);
        if !of.has(Rule::unclosed) {
            self.shifted.push(of.span().start);
        }
    }

    /// Whether a `match` ends before a `;` that is no arm, and is that of what the `match` stands in: no arm follows, and it
    /// lacks its `}`, or something around it does and what stands behind its `}` does not go on with a type.
    pub(super) fn ends_early(&mut self, semi: &Visit<'t>) -> bool {
        let Visit { parent, open, behind_arms, .. } = *semi;
        // Asked once of each `match`: it may be long.
        if !open || !behind_arms || self.closed == Some(parent) {
            return false;
        }
        let is_closed = !parent.has(Rule::unclosed) && self.type_goes_on(parent.span().end);
        if is_closed {
            self.closed = Some(parent);
        }
        !is_closed
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
    /// It does if it begins as nothing does but a rest, or closes a bracket that was open, or both are a `;` too many. Where a
    /// bracket has no partner, or the part before is spoilt, nobody knows where the mistake ends; then, and behind a group in
    /// braces, which may be the first half of something of another language (`do { … } while (…);`), the line or the
    /// indentation decides.
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
        if is_else || closes || node.text() == ";" && before.text() == ";" {
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
        let (line, before) = line_before(self.tree, node.span().start);
        let (other, _) = line_before(self.tree, than.span().start);
        before.trim().is_empty() && indent(self.tree, line) > indent(self.tree, other)
    }

    /// Whether an earlier finding lies within, so that this one is a consequence.
    pub(super) fn holds_fault(&self, span: Span) -> bool {
        let first = self.faults.partition_point(|f| f.end <= span.start);
        self.faults.get(first).is_some_and(|f| f.start < span.end)
    }

    /// Whether an unended string or comment right before has swallowed what is missing here.
    pub(super) fn follows_fault(&self, span: Span) -> bool {
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
