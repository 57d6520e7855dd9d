//! Lists in braces, their members, and chains of braces with `else`.

use super::LEVEL;
use super::document::{Class, Fill, Op};
use super::space::gap;
use super::walk::Walker;
use crate::syntax::{Kind, Node};

/// How the braces of a chain stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    /// On one line, if it fits.
    Line,
    /// Each on a line of its own, if all fit.
    Stack,
    /// Over several lines each.
    Open,
}

impl<'t> Walker<'t> {
    /// The items of a file: each on a line of its own.
    pub(super) fn file(&mut self, file: Node<'t>) {
        let list = self.new_list();
        let mut place = 0;
        for item in file.children() {
            self.before_member(item, 0, &mut place);
            self.member(item, None, 0, list, place);
            place += 1;
        }
        self.lines_before(self.text.len(), 0, &mut place);
        self.hard(0);
    }

    /// A list in braces, of a node of a kind.
    pub(super) fn braces(&mut self, kind: Kind, open: Node<'t>, parts: &[Node<'t>], close: Node<'t>) {
        let is_line = self.is_line(open, parts, close);
        if is_line || parts.is_empty() {
            let group = self.begin();
            self.line_of(open, parts, close);
            self.end(group);
        } else {
            self.lines_of(kind, open, parts, close);
        }
    }

    /// Whether a list was written on one line: no line ends between its members.
    fn is_line(&self, open: Node<'t>, parts: &[Node<'t>], close: Node<'t>) -> bool {
        let mut before = open;
        for part in parts.iter().chain([&close]) {
            if self.has_line(before, *part) {
                return false;
            }
            before = *part;
        }
        true
    }

    /// A list on one line, if the group around it fits on one; else each member has its own.
    fn line_of(&mut self, open: Node<'t>, parts: &[Node<'t>], close: Node<'t>) {
        let (outer, inner) = (self.base, self.base + LEVEL);
        self.node(open);
        let list = self.new_list();
        let mut place = 0;
        for (member, comma) in members(parts) {
            self.line_break(inner, true);
            self.member(member, comma, inner, list, place);
            place += 1;
        }
        if self.lines_before(close.span().start as usize, inner, &mut place) > 0 && !parts.is_empty()
            || self.after_comment
        {
            self.hard(outer);
        } else if parts.is_empty() {
            self.space();
        } else {
            self.line_break(outer, true);
        }
        self.close(close, outer);
    }

    /// A list over several lines. Statements have a line each. Other members that were on a line with the one before
    /// stay there, if both fit on it.
    fn lines_of(&mut self, kind: Kind, open: Node<'t>, parts: &[Node<'t>], close: Node<'t>) {
        let (outer, inner) = (self.base, self.base + LEVEL);
        self.node(open);
        let list = self.new_list();
        let mut place = 0;
        let mut last = None;
        let mut before: Option<Node<'t>> = None;
        for (member, comma) in members(parts) {
            self.end_fill(&mut last);
            match before {
                Some(before) if kind != Kind::block && !self.has_line(before, member) && may_share(before) => {
                    last = Some(self.fill(inner, Fill::Members));
                }
                _ => self.before_member(member, inner, &mut place),
            }
            self.member(member, comma, inner, list, place);
            // A program writes this line, which is aligned with none and stands in the way of none.
            place += u32::from(member.kind() != Kind::contract_clause);
            before = comma.or(Some(member));
        }
        self.end_fill(&mut last);
        self.lines_before(close.span().start as usize, inner, &mut place);
        self.hard(outer);
        self.close(close, outer);
    }

    fn close(&mut self, close: Node<'t>, outer: u32) {
        (self.base, self.indent) = (outer, outer + LEVEL);
        self.node(close);
    }

    fn new_list(&mut self) -> u32 {
        self.lists += 1;
        self.lists
    }

    /// The line on which a member begins, after the comments and the empty line before it.
    fn before_member(&mut self, member: Node<'t>, indent: u32, place: &mut u32) {
        let line_ends = self.lines_before(member.span().start as usize, indent, place);
        self.hard(indent);
        if line_ends > 1 && self.has_before(*place) {
            self.document.push(Op::Blank);
            *place += 1;
        }
    }

    /// The comments up to the byte `end`, with the empty lines before them; how many lines end after the last. An empty
    /// line counts as a place.
    fn lines_before(&mut self, end: usize, indent: u32, place: &mut u32) -> usize {
        self.lines_between(end, |walker, line_ends| {
            walker.hard(indent);
            if line_ends > 1 && walker.has_before(*place) {
                walker.document.push(Op::Blank);
                *place += 1;
            }
        })
    }

    /// Whether something stands before in a list: an empty line may follow.
    fn has_before(&self, place: u32) -> bool {
        place > 0 || self.is_after_comment()
    }

    fn is_after_comment(&self) -> bool {
        let last = self.document.ops.iter().rev().find(|op| !matches!(op, Op::Hard { .. } | Op::Break { .. }));
        matches!(last, Some(Op::Comment { trailing: false, .. }))
    }

    /// A member of a list, behind the line on which it begins, with the comma behind it.
    fn member(&mut self, member: Node<'t>, comma: Option<Node<'t>>, base: u32, list: u32, place: u32) {
        (self.base, self.indent) = (base, base);
        self.documentation(member);
        self.indent = base + LEVEL;
        self.document.push(Op::Element { class: class(member.kind()), list, place });
        self.node(member);
        if let Some(comma) = comma {
            self.node(comma);
        }
        self.document.push(Op::ElementEnd);
    }

    /// The documentation of a member, and comments between it and the member.
    pub(super) fn documentation(&mut self, member: Node<'t>) {
        let mut parts = member.children();
        let mut next = parts.next();
        while let Some(doc) = next.filter(|part| part.kind() == Kind::doc) {
            self.node(doc);
            next = parts.next();
        }
        if let Some(next) = next {
            self.comments(next.span().start as usize, self.base);
        }
        if self.after_comment {
            self.hard(self.base);
        }
    }

    /// `if`, `when` or `with` and what follows with `else`.
    pub(super) fn chain(&mut self, node: Node<'t>) {
        let links = links(node);
        let shape = self.chain_shape(&links);
        let whole = (shape == Chain::Line).then(|| self.begin());
        let base = self.base;
        // Where the groups, the lines before `else` and the parts between these are.
        let (mut groups, mut lines, mut spans) = (Vec::new(), Vec::new(), Vec::new());
        for (place, link) in links.iter().enumerate() {
            if place > 0
                && let Some(word) = link.head.first()
            {
                self.comments(word.span().start as usize, base);
                let is_kept = self.after_comment;
                if is_kept || shape == Chain::Stack {
                    let line = self.hard(base);
                    lines.extend((!is_kept).then_some(line));
                } else {
                    self.space();
                }
            }
            let start = self.document.len();
            self.head(link);
            let group = (shape != Chain::Line).then(|| self.begin());
            self.body(link);
            if let Some(group) = group {
                self.end(group);
                if shape == Chain::Open {
                    self.document.break_group(group);
                }
                groups.push(group);
            }
            spans.push((start, self.document.len()));
        }
        let fits = |span: &(usize, usize)| {
            self.document.width(span.0, span.1).is_some_and(|width| base + width <= super::LIMIT)
        };
        if shape == Chain::Stack && !spans.iter().all(fits) {
            groups.iter().for_each(|group| self.document.break_group(*group));
            lines.iter().for_each(|line| self.document.join(*line));
        }
        if let Some(whole) = whole {
            self.end(whole);
        }
    }

    fn chain_shape(&self, links: &[Link<'t>]) -> Chain {
        let has_lines = links.windows(2).any(|pair| match pair {
            [left, right] => right.head.first().is_some_and(|word| self.has_line(left.body, *word)),
            _ => false,
        });
        let is_line = |link: &Link<'t>| match braced(link.body) {
            Some((open, parts, close)) => self.is_line(open, &parts, close),
            None => false,
        };
        match (links.iter().all(is_line), has_lines) {
            (true, false) => Chain::Line,
            (true, true) => Chain::Stack,
            (false, _) => Chain::Open,
        }
    }

    /// What stands before the braces of a link.
    fn head(&mut self, link: &Link<'t>) {
        let mut last = None;
        for (place, part) in link.head.iter().enumerate() {
            if let Some(before) = place.checked_sub(1).and_then(|place| link.head.get(place)) {
                self.gap(gap(link.node, *before, *part), self.base + 2 * LEVEL, &mut last);
            }
            self.node(*part);
        }
        self.end_fill(&mut last);
        self.space();
    }

    fn body(&mut self, link: &Link<'t>) {
        let Some((open, parts, close)) = braced(link.body) else { return };
        if self.is_line(open, &parts, close) || parts.is_empty() {
            self.line_of(open, &parts, close);
        } else {
            self.lines_of(link.body.kind(), open, &parts, close);
        }
    }
}

/// A part of a chain: `if (c) { … }` or `else { … }`.
struct Link<'t> {
    node: Node<'t>,
    head: Vec<Node<'t>>,
    body: Node<'t>,
}

/// The parts of a chain. An `else if` is a statement in a statement; here it is one more part.
fn links<'t>(node: Node<'t>) -> Vec<Link<'t>> {
    let mut links = Vec::new();
    let mut head = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next.take() {
        for part in node.children() {
            match part.kind() {
                Kind::if_stmt => next = Some(part),
                Kind::block | Kind::clauses => {
                    links.push(Link { node, head: std::mem::take(&mut head), body: part });
                }
                _ => head.push(part),
            }
        }
    }
    links
}

/// The braces of a node and what is in them.
fn braced<'t>(node: Node<'t>) -> Option<(Node<'t>, Vec<Node<'t>>, Node<'t>)> {
    let mut parts = node.children();
    let open = parts.next()?;
    let mut parts: Vec<_> = parts.collect();
    let close = parts.pop()?;
    Some((open, parts, close))
}

/// The members of a list, each with the comma behind it.
fn members<'a, 't>(parts: &'a [Node<'t>]) -> impl Iterator<Item = (Node<'t>, Option<Node<'t>>)> + 'a {
    let is_comma = |part: &&Node<'t>| part.kind() == Kind::comma;
    let pairs = parts.iter().enumerate().filter(move |(_, part)| !is_comma(part));
    pairs.map(move |(place, part)| (*part, parts.get(place + 1).filter(is_comma).copied()))
}

/// Whether another member may follow on the line on which this one ends.
fn may_share(member: Node<'_>) -> bool {
    member.text().ends_with([';', ',', '"'])
}

/// With which neighbours a member is aligned. The `contract` line is none of the clauses: a program writes it.
fn class(kind: Kind) -> Option<Class> {
    use Kind::*;
    match kind {
        uuid_clause | short_clause | xlen_clause | xintf_clause | refines_clause | xcmds_clause | harts_clause
        | levels_clause => Some(Class::Clause),
        state_field | c_field | csr_field | enum_case | error_item | unit | command | handle_item | metadata_item
        | discover | lun | cxu | resource_item | arm | type_arm => Some(Class::Of(kind)),
        _ => None,
    }
}
