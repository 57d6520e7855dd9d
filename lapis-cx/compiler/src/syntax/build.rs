//! From pest's tokens to the tree: puts back the trivia that pest drops, and tells apart what the grammar reads as one.

use lapis_cx_grammar::Rule;
use pest::Token;
use pest::iterators::Pairs;

use super::MAX_HEIGHT;
use super::fold::{Fold, fold};
use super::tree::Tree;
use crate::source::{FileId, Span};

/// Builds nodes bottom-up from the tokens of [`Rule::file`]. The stack is its own: no nesting of the text can exhaust the
/// thread's.
pub(super) struct Builder<'t> {
    text: &'t str,
    /// What is wrong with strings and comments, in the order of the text.
    faults: &'t [Span],
    tree: Tree,
    /// Per node: how many levels are below it.
    heights: Vec<u16>,
    open: Vec<Open>,
    /// The children of all open nodes, outermost node first.
    pending: Vec<u32>,
    /// Up to here the text has its leaves.
    at: u32,
    scratch: Fold,
}

/// A node whose end is still to come.
struct Open {
    start: u32,
    /// Where its children begin in `pending`.
    first: usize,
    /// How much was pending when it began.
    before: usize,
}

impl<'t> Builder<'t> {
    /// Of a tree of `text`. Leaves that hold one of the `faults` are marked as broken.
    pub(super) fn new(text: &'t str, file: FileId, faults: &'t [Span]) -> Builder<'t> {
        Builder {
            text,
            faults,
            tree: Tree::new(text, file),
            heights: Vec::with_capacity(text.len() / 6),
            open: Vec::new(),
            pending: Vec::new(),
            at: 0,
            scratch: Fold::default(),
        }
    }

    /// Takes what a rule gave for the text behind the byte `offset`.
    pub(super) fn add(&mut self, pairs: &Pairs<'_, Rule>, offset: usize) {
        for token in pairs.clone().tokens() {
            match token {
                Token::Start { rule, pos } => self.start(rule, (offset + pos.pos()) as u32),
                Token::End { rule, pos } => self.end(rule, (offset + pos.pos()) as u32),
            }
        }
    }

    /// The tree, once [`Rule::file`] has ended.
    pub(super) fn finish(self) -> Tree {
        self.tree
    }

    pub(super) fn kind(&self, id: u32) -> Rule {
        self.tree.kind_of(id)
    }

    fn leaf(&mut self, kind: Rule, start: u32, end: u32) -> u32 {
        self.heights.push(0);
        let broken = match kind {
            Rule::ident => self.text.get(start as usize..end as usize).is_some_and(|name| !is_proper_name(name)),
            // A control character is in a blank.
            Rule::string | Rule::comment | Rule::raw_string | Rule::WHITESPACE if !self.faults.is_empty() => {
                let first = self.faults.partition_point(|fault| fault.start < start);
                self.faults.get(first).is_some_and(|fault| fault.start < end)
            }
            _ => false,
        };
        self.tree.leaf(kind, start, end, broken)
    }

    /// A node over `children`, or a leaf over their text if that would be nested too deeply for later walks.
    pub(super) fn branch(&mut self, kind: Rule, children: &[u32]) -> u32 {
        let below = children.iter().filter_map(|&c| self.heights.get(c as usize)).max().copied();
        let height = below.map_or(0, |h| h + 1);
        if height > MAX_HEIGHT {
            let span = |id: Option<&u32>| id.map(|&id| self.tree.node(id).span()).unwrap_or_default();
            let (start, end) = (span(children.first()).start, span(children.last()).end);
            return self.leaf(Rule::too_deep, start, end);
        }
        self.heights.push(height);
        self.tree.branch(kind, children)
    }

    /// A node begins.
    pub(super) fn start(&mut self, rule: Rule, start: u32) {
        if rule == Rule::EOI || rule == Rule::file {
            self.open.push(Open { start: 0, first: 0, before: 0 });
            return;
        }
        // What is missing is missing right after the last token, not after the blanks.
        if !is_missing(rule) {
            self.trivia(start);
        }
        let before = self.pending.len();
        let first = if takes_docs(rule) { self.first_doc() } else { before };
        self.open.push(Open { start, first, before });
    }

    /// The node that began last ends.
    pub(super) fn end(&mut self, rule: Rule, end: u32) {
        let Some(Open { start, first, before }) = self.open.pop() else { return };
        match rule {
            Rule::EOI => return,
            Rule::file => {
                self.trivia(self.text.len() as u32);
                let children = std::mem::take(&mut self.pending);
                let root = self.branch(Rule::file, &children);
                self.tree.set_root(root);
                return;
            }
            _ => {}
        }
        let id = if self.pending.len() == before {
            let (start, end) = if is_missing(rule) { (self.at, self.at) } else { (start, end) };
            self.at = self.at.max(end);
            self.leaf(rule, start, end)
        } else {
            // The children move to a vector that is kept between calls: `branch` needs `self`.
            let mut scratch = std::mem::take(&mut self.scratch);
            scratch.parts.clear();
            scratch.parts.extend(self.pending.drain(first..));
            let id = match rule {
                Rule::expr | Rule::width => fold(self, rule, &mut scratch),
                _ => self.branch(self.actual(rule, &scratch.parts), &scratch.parts),
            };
            self.scratch = scratch;
            id
        };
        self.pending.push(id);
    }

    /// The kind of a node that the grammar reads together with others.
    fn actual(&self, rule: Rule, children: &[u32]) -> Rule {
        let has = |kind| children.iter().any(|&c| self.kind(c) == kind);
        match rule {
            Rule::call if has(Rule::raw_string) => Rule::code,
            Rule::call if !has(Rule::args) => Rule::name,
            Rule::method if !has(Rule::args) => Rule::field,
            Rule::index if has(Rule::colon) => Rule::slice,
            Rule::index if has(Rule::psl) => Rule::part_select,
            Rule::index => Rule::dim,
            _ => rule,
        }
    }

    /// Where the documentation right before the end of `pending` begins; its end if there is none.
    fn first_doc(&self) -> usize {
        let mut first = self.pending.len();
        let floor = self.open.last().map_or(0, |open| open.first);
        for (i, &id) in self.pending.iter().enumerate().skip(floor).rev() {
            match self.kind(id) {
                Rule::doc => first = i,
                Rule::WHITESPACE | Rule::comment => {}
                _ => break,
            }
        }
        first
    }

    /// Leaves for the blanks and comments before the next token. The grammar has no other text there.
    fn trivia(&mut self, end: u32) {
        while self.at < end {
            let rest = self.text.get(self.at as usize..end as usize).unwrap_or_default();
            let (kind, len) = if rest.starts_with("//") {
                // A CR before the LF belongs to the blank, so that a comment's text has no line end.
                let line = rest.lines().next().map_or(0, str::len);
                (Rule::comment, line.max(2))
            } else if rest.starts_with("/*") {
                (Rule::comment, rest.find("*/").map_or(rest.len(), |p| p + 2))
            } else {
                (Rule::WHITESPACE, rest.find('/').unwrap_or(rest.len()).max(1))
            };
            let id = self.leaf(kind, self.at, self.at + len as u32);
            self.pending.push(id);
            self.at += len as u32;
        }
        self.at = self.at.max(end);
    }
}

/// Rules that stand for a token that is not there. `no_body` may hold a `;` instead of the body.
fn is_missing(rule: Rule) -> bool {
    matches!(rule, Rule::unclosed | Rule::no_semi | Rule::no_comma | Rule::no_brace)
}

/// Rules that are read after their documentation and hold it in the tree.
fn takes_docs(rule: Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        interface
            | library
            | platform
            | const_item
            | fn_item
            | law
            | enum_item
            | state_item
            | csr_item
            | error_item
            | command
            | example
            | func_item
            | callback_item
            | struct_item
            | handle_item
            | type_item
            | metadata_item
            | resource_item
            | group_item
            | defaults_item
            | utility_item
            | hook_item
            | binding
            | version_clause
            | device
            | lun
            | discover
            | cxu
    )
}

/// Whether each `_` stands alone between letters or digits.
pub(super) fn is_proper_name(name: &str) -> bool {
    !name.contains('_') || !(name.starts_with('_') || name.ends_with('_') || name.contains("__"))
}
