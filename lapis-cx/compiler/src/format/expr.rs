//! Expressions that are broken at their operators, and arrays.

use super::document::{Fill, Group, Op};
use super::walk::Walker;
use crate::syntax::{Kind, Node};

impl<'t> Walker<'t> {
    pub(super) fn begin(&mut self) -> usize {
        self.document.push(Op::Begin { end: 0, kind: Group::Fit })
    }

    pub(super) fn end(&mut self, begin: usize) {
        self.document.reach(begin);
        self.document.push(Op::End);
    }

    /// Operators of one level, which group to the left, are one list: they break together, before each operator.
    pub(super) fn binary(&mut self, node: Node<'t>) {
        let operator = |node: Node<'t>| node.children().nth(1).map(|op| op.kind());
        let mut chain = vec![node];
        let mut first = node.children().next();
        while let Some(left) = first
            && left.kind() == Kind::binary
            && operator(left) == operator(node)
        {
            chain.push(left);
            first = left.children().next();
        }
        self.go_in();
        let indent = self.base;
        let group = self.begin();
        first.into_iter().for_each(|first| self.node(first));
        for binary in chain.into_iter().rev() {
            for (place, part) in binary.children().enumerate().skip(1) {
                if place == 1 {
                    self.line_break(indent, true);
                } else {
                    self.space();
                }
                self.node(part);
            }
        }
        self.end(group);
    }

    /// `c ? a : b`: both choices stand on lines of their own, or none.
    pub(super) fn ternary(&mut self, node: Node<'t>) {
        self.go_in();
        let indent = self.base;
        let group = self.begin();
        for part in node.children() {
            match part.kind() {
                Kind::question | Kind::colon => self.line_break(indent, true),
                _ if part.span().start != node.span().start => {
                    self.space();
                }
                _ => {}
            }
            self.node(part);
        }
        self.end(group);
    }

    /// `[a, b]`. The rows of one that was written on several lines stay.
    pub(super) fn array(&mut self, node: Node<'t>) {
        let outer = self.base;
        self.go_in();
        let indent = self.base;
        let parts: Vec<_> = node.children().collect();
        let has_lines = parts.windows(2).any(|pair| match pair {
            [left, right] => self.has_line(*left, *right),
            _ => false,
        });
        let group = self.begin();
        if has_lines {
            self.document.break_group(group);
        }
        let mut last = None;
        let mut before: Option<Node<'t>> = None;
        for part in parts {
            match before {
                Some(before) if before.kind() == Kind::lbracket => self.line_break(indent, false),
                _ if part.kind() == Kind::rbracket => {
                    self.end_fill(&mut last);
                    self.line_break(outer, false);
                }
                Some(before) if before.kind() == Kind::comma => {
                    self.end_fill(&mut last);
                    if self.has_line(before, part) {
                        self.hard(indent);
                    } else {
                        last = Some(self.fill(indent, Fill::Parts));
                    }
                }
                _ => {}
            }
            self.node(part);
            before = Some(part);
        }
        self.end(group);
    }

    /// Whether a line ends between two nodes.
    pub(super) fn has_line(&self, left: Node<'t>, right: Node<'t>) -> bool {
        let between = self.text.get(left.span().end as usize..right.span().start as usize);
        between.is_some_and(|text| text.contains('\n'))
    }
}
