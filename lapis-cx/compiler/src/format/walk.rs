//! From the tree to a document: tokens in their order, and where lines may end between them.

use super::LEVEL;
use super::document::{Document, Fill, Op};
use super::space::{Gap, gap};
use crate::syntax::{Kind, Node, Tree};

/// The document of a tree without mistakes.
pub(super) fn walk(tree: &Tree) -> Document {
    let text = tree.text();
    let mut walker = Walker {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
        document: Document::with_capacity(tree.node_count()),
        base: 0,
        indent: LEVEL,
        after_comment: false,
        is_after_token: false,
        lists: 0,
    };
    walker.file(tree.root());
    walker.document
}

pub(super) struct Walker<'t> {
    pub(super) text: &'t str,
    /// Up to here the text is in the document.
    pub(super) at: usize,
    pub(super) document: Document,
    /// The column at which the line of what is being walked begins.
    pub(super) base: u32,
    /// The column of further lines of it.
    pub(super) indent: u32,
    /// A comment came last: only a line can follow.
    pub(super) after_comment: bool,
    /// A token came last, and it is not known yet whether a comment stands behind it.
    is_after_token: bool,
    /// How many lists there were.
    pub(super) lists: u32,
}

impl<'t> Walker<'t> {
    /// A node with all that is below it. The nesting of a tree is bounded, and so is that of this.
    pub(super) fn node(&mut self, node: Node<'t>) {
        if node.all_children().next().is_none() {
            return self.token(node);
        }
        let outer = (self.base, self.indent);
        match node.kind() {
            Kind::binary => self.binary(node),
            Kind::ternary => self.ternary(node),
            Kind::list => self.array(node),
            Kind::params | Kind::places => self.parameters(node),
            Kind::if_stmt | Kind::when_clause | Kind::with_stmt => self.chain(node),
            _ => self.parts(node),
        }
        (self.base, self.indent) = outer;
    }

    /// Part for part, with what stands between them.
    fn parts(&mut self, node: Node<'t>) {
        match node.kind() {
            // The lines of a signature are set off from those of the body.
            Kind::command | Kind::fn_item | Kind::func_item | Kind::callback_item | Kind::law | Kind::cond => {
                self.indent = self.base + 2 * LEVEL;
            }
            Kind::args | Kind::paren | Kind::comprehension => self.go_in(),
            _ => {}
        }
        let fill = if matches!(node.kind(), Kind::args | Kind::comprehension) { self.base } else { self.indent };
        let mut before: Option<Node<'t>> = None;
        let mut last = None;
        let mut rest = node.children();
        while let Some(part) = rest.next() {
            // Documentation comes before all else of a member.
            if part.kind() == Kind::doc && part.span().end as usize <= self.at {
                continue;
            }
            if let Some(before) = before {
                let is_law = node.kind() == Kind::law && before.kind() == Kind::colon;
                self.gap(gap(node, before, part), if is_law { self.base + LEVEL } else { fill }, &mut last);
            }
            if matches!(part.kind(), Kind::lbrace | Kind::block | Kind::clauses) {
                self.end_fill(&mut last);
            }
            if part.kind() == Kind::lbrace {
                let members: Vec<_> = rest.by_ref().take_while(|part| part.kind() != Kind::rbrace).collect();
                if let Some(close) = node.child(Kind::rbrace) {
                    self.braces(node.kind(), part, &members, close);
                    before = Some(close);
                }
                continue;
            }
            self.node(part);
            before = Some(part);
        }
        self.end_fill(&mut last);
    }

    /// Parameters in parentheses. Where they do not fit on a line, they keep the lines they have if these fit.
    fn parameters(&mut self, node: Node<'t>) {
        self.go_in();
        let (base, indent) = (self.base, self.indent);
        let group = self.begin();
        let mut rows = Vec::new();
        let mut last = None;
        let mut before: Option<Node<'t>> = None;
        for part in node.children() {
            if let Some(comma) = before.filter(|before| before.kind() == Kind::comma) {
                self.end_fill(&mut last);
                let is_row = self.has_line(comma, part);
                let fill = self.fill(base, if is_row { Fill::Row } else { Fill::Members });
                rows.extend(is_row.then_some(fill));
                last = Some(fill);
            }
            if matches!(part.kind(), Kind::comma | Kind::lparen | Kind::rparen) {
                self.node(part);
            } else {
                self.indent = base;
                self.documentation(part);
                self.indent = indent;
                self.document.push(Op::Element { class: None, list: 0, place: 0 });
                self.node(part);
                self.document.push(Op::ElementEnd);
            }
            before = Some(part);
        }
        self.end_fill(&mut last);
        self.document.set_rows(group, rows);
        self.end(group);
    }

    /// What follows is inside of what stands before: its further lines are one level deeper.
    pub(super) fn go_in(&mut self) {
        (self.base, self.indent) = (self.indent, self.indent + LEVEL);
    }

    /// Lets the fill that came last reach up to here.
    pub(super) fn end_fill(&mut self, last: &mut Option<usize>) {
        if let Some(place) = last.take() {
            self.document.reach(place);
        }
    }

    /// What stands between two parts. The fill before ends here if another one begins, which is the `last` then.
    pub(super) fn gap(&mut self, gap: Gap, indent: u32, last: &mut Option<usize>) {
        let kind = match gap {
            Gap::None => return,
            Gap::Cell => {
                self.document.push(Op::Cell);
                return self.space();
            }
            Gap::Space => return self.space(),
            Gap::Fill => Fill::Parts,
            Gap::Whole => Fill::Whole,
        };
        self.end_fill(last);
        *last = Some(self.fill(indent, kind));
    }

    pub(super) fn space(&mut self) {
        self.trailing_comment();
        self.document.push(Op::Space);
    }

    pub(super) fn fill(&mut self, indent: u32, kind: Fill) -> usize {
        self.line(Op::Fill { indent, end: 0, kind })
    }

    pub(super) fn line_break(&mut self, indent: u32, space: bool) {
        self.line(Op::Break { indent, space });
    }

    pub(super) fn hard(&mut self, indent: u32) -> usize {
        self.line(Op::Hard { indent })
    }

    /// A step that is a line if a comment stands before it.
    fn line(&mut self, op: Op) -> usize {
        self.trailing_comment();
        self.after_comment = false;
        self.document.push(op)
    }

    /// A token, and the comments before it that are not in the document yet.
    fn token(&mut self, token: Node<'t>) {
        let (start, is_doc) = (token.span().start, token.kind() == Kind::doc);
        self.trailing_comment();
        let is_close = matches!(token.kind(), Kind::rparen | Kind::rbracket);
        let indent = if is_close { self.base } else { self.indent };
        self.comments(start as usize, indent);
        if self.after_comment || is_doc {
            self.hard(indent);
        }
        let text = if is_doc { token.text().trim_ascii_end() } else { token.text() };
        self.document.text(start, text);
        self.at = token.span().end as usize;
        self.after_comment = is_doc;
        self.is_after_token = true;
    }

    /// The comment on the line of the last token, if only blanks stand between them. It comes before the next step that
    /// prints something, so that it is behind the end of all that the token ends.
    pub(super) fn trailing_comment(&mut self) {
        if !std::mem::take(&mut self.is_after_token) {
            return;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let found = rest.trim_start_matches([' ', '\t']);
        if found.starts_with("//") && !is_doc(found) {
            self.comment(self.at + rest.len() - found.len(), true);
        }
    }

    /// Puts the comments up to the byte `end` on lines of their own.
    pub(super) fn comments(&mut self, end: usize, indent: u32) {
        self.lines_between(end, |walker, _| {
            walker.hard(indent);
        });
    }

    /// The comments on lines of their own up to the byte `end`; `before` comes before each, with the number of line ends
    /// since the last token or comment. Gives that of those at the end.
    pub(super) fn lines_between(&mut self, end: usize, mut before: impl FnMut(&mut Self, usize)) -> usize {
        self.trailing_comment();
        let gap = self.text.get(self.at..end).unwrap_or_default();
        let mut line_ends = 0;
        let mut at = self.at;
        for line in gap.split_inclusive('\n') {
            let blanks = line.len() - line.trim_ascii_start().len();
            if blanks < line.len() {
                before(self, line_ends);
                self.comment(at + blanks, false);
                line_ends = 0;
            }
            line_ends += usize::from(line.ends_with('\n'));
            at += line.len();
        }
        self.at = self.at.max(end);
        line_ends
    }

    /// The comment that starts at a byte.
    fn comment(&mut self, start: usize, trailing: bool) {
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        self.at = start + line.len();
        let end = start + line.trim_ascii_end().len();
        self.document.push(Op::Comment { start: start as u32, end: end as u32, trailing });
        self.after_comment = true;
    }
}

/// Whether text that starts with two slashes is documentation, which is a token.
fn is_doc(text: &str) -> bool {
    text.starts_with("///") && !text.starts_with("////")
}
