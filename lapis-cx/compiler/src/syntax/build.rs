//! From pest's pairs to the tree: puts back the trivia that pest drops, and folds flat expressions by precedence.

use pest::Parser;
use pest::iterators::Pair;

use super::grammar::{Grammar, Rule};
use super::tree::Tree;
use super::{MAX_HEIGHT, recover};
use crate::diagnostic::{Diagnostic, catalogue};
use crate::source::{FileId, Span};

/// Builds the tree of text that passed [`recover::check_text`].
pub(super) fn build(text: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Tree {
    // `file` takes any text: what fits no rule is a `bad_…` node. So a failure is one of the grammar's, and is shown.
    let root = match Grammar::parse(Rule::file, text) {
        Ok(mut pairs) => pairs.next(),
        Err(error) => {
            diagnostics.push(recover::unreadable(text, file, &error));
            None
        }
    };
    let Some(root) = root else { return Tree::empty(text, file) };
    let mut builder = Builder { text, tree: Tree::new(text, file), heights: Vec::new(), too_high: None };
    let Built { id, .. } = builder.node(root);
    if let Some((start, end)) = builder.too_high {
        let span = Span { file, start, end };
        diagnostics.push(
            Diagnostic::error(
                &catalogue::syntax::TOO_DEEP,
                "this expression is nested too deeply",
                span,
                format!("more than {MAX_HEIGHT} levels of operators"),
            )
            .help("name parts of it with `let` or `const`"),
        );
        return Tree::empty(text, file);
    }
    builder.tree.set_root(id);
    builder.tree
}

struct Builder<'t> {
    text: &'t str,
    tree: Tree,
    /// Per node: how many levels are below it.
    heights: Vec<u32>,
    too_high: Option<(u32, u32)>,
}

/// A node and whether it has text; one without has no place between trivia.
struct Built {
    id: u32,
}

impl Builder<'_> {
    fn leaf(&mut self, kind: Rule, start: u32, end: u32) -> u32 {
        self.heights.push(0);
        self.tree.leaf(kind, start, end)
    }

    fn branch(&mut self, kind: Rule, children: &[u32]) -> u32 {
        let height = children.iter().map(|&c| self.heights[c as usize] + 1).max().unwrap_or(0);
        self.heights.push(height);
        let id = self.tree.branch(kind, children);
        if height > MAX_HEIGHT && self.too_high.is_none() {
            let end = self.tree.end_of(id);
            self.too_high = Some((end.saturating_sub(1), end));
        }
        id
    }

    fn node(&mut self, pair: Pair<'_, Rule>) -> Built {
        let rule = pair.as_rule();
        let (start, end) = (pair.as_span().start() as u32, pair.as_span().end() as u32);
        if is_token(rule) {
            return Built { id: self.leaf(rule, start, end) };
        }
        let mut children = Vec::new();
        let mut at = start;
        for inner in pair.into_inner() {
            if inner.as_rule() == Rule::EOI {
                continue;
            }
            self.trivia(&mut at, inner.as_span().start() as u32, &mut children);
            let id = self.node(inner).id;
            at = at.max(self.tree.end_of(id));
            children.push(id);
        }
        let id = match rule {
            Rule::file => {
                self.trivia(&mut at, end, &mut children);
                self.branch(rule, &children)
            }
            Rule::expr | Rule::width => self.fold(rule, &children),
            _ if children.is_empty() => self.leaf(rule, start, start),
            _ => self.branch(rule, &children),
        };
        Built { id }
    }

    /// The blanks and comments of a gap between tokens. The grammar has no other text there.
    fn trivia(&mut self, at: &mut u32, end: u32, children: &mut Vec<u32>) {
        while *at < end {
            let rest = self.text.get(*at as usize..end as usize).unwrap_or_default();
            let comment = rest.starts_with("//");
            let len = if comment {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                rest.find("//").unwrap_or(rest.len()).max(1)
            };
            // A CR before the LF belongs to the blank, so that a comment's text has no line end.
            let len = if comment && rest[..len].ends_with('\r') { len - 1 } else { len } as u32;
            let kind = if comment { Rule::COMMENT } else { Rule::WHITESPACE };
            let id = self.leaf(kind, *at, *at + len);
            children.push(id);
            *at += len;
        }
    }

    /// Folds `prefix* primary postfix* (infix …)* (? … : …)?` into nested nodes under one `expr` or `width`.
    fn fold(&mut self, rule: Rule, parts: &[u32]) -> u32 {
        let mut cursor = Cursor { parts, at: 0 };
        let first = self.climb(&mut cursor, 0);
        let mut children = vec![first];
        let mut gap = cursor.gap(self);
        if let Some(&question) = cursor.peek() {
            // Only `?` can follow a complete operand and its operators.
            children.append(&mut gap);
            children.push(question);
            children.extend_from_slice(&parts[cursor.at + 1..]);
            let ternary = self.branch(Rule::ternary, &children);
            return self.branch(rule, &[ternary]);
        }
        self.branch(rule, &children)
    }

    /// Precedence climbing: an operand and all operators of at least `level`.
    fn climb(&mut self, cursor: &mut Cursor<'_>, level: u8) -> u32 {
        let mut left = self.operand(cursor);
        loop {
            let before = cursor.at;
            let gap = cursor.gap(self);
            let Some((&op, op_level)) = cursor.peek().and_then(|id| Some((id, infix_level(self.kind(*id))?))) else {
                cursor.at = before;
                return left;
            };
            if op_level < level {
                cursor.at = before;
                return left;
            }
            cursor.at += 1;
            let mut children = vec![left];
            children.extend(gap);
            children.push(op);
            children.extend(cursor.gap(self));
            children.push(self.climb(cursor, op_level + 1));
            left = self.branch(Rule::binary, &children);
        }
    }

    fn operand(&mut self, cursor: &mut Cursor<'_>) -> u32 {
        // Prefix operators are gathered first: a long chain of them must not recurse.
        let mut prefixes = Vec::new();
        while let Some(&op) = cursor.peek()
            && self.kind(op) == Rule::op_prefix
        {
            cursor.at += 1;
            let mut chain = vec![op];
            chain.extend(cursor.gap(self));
            prefixes.push(chain);
        }
        let mut operand = match cursor.peek() {
            Some(&primary) => {
                cursor.at += 1;
                primary
            }
            None => self.leaf(Rule::unclosed, 0, 0),
        };
        loop {
            let before = cursor.at;
            let gap = cursor.gap(self);
            match cursor.peek() {
                Some(&postfix) if is_postfix(self.kind(postfix)) => {
                    cursor.at += 1;
                    let mut children = vec![operand];
                    children.extend(gap);
                    children.push(postfix);
                    operand = self.branch(Rule::access_expr, &children);
                }
                _ => {
                    cursor.at = before;
                    break;
                }
            }
        }
        for mut chain in prefixes.into_iter().rev() {
            chain.push(operand);
            operand = self.branch(Rule::unary, &chain);
        }
        operand
    }

    fn kind(&self, id: u32) -> Rule {
        self.tree.kind_of(id)
    }
}

struct Cursor<'p> {
    parts: &'p [u32],
    at: usize,
}

impl<'p> Cursor<'p> {
    fn peek(&self) -> Option<&'p u32> {
        self.parts.get(self.at)
    }

    /// Takes the trivia that comes next.
    fn gap(&mut self, builder: &Builder<'_>) -> Vec<u32> {
        let start = self.at;
        while let Some(&id) = self.peek()
            && matches!(builder.kind(id), Rule::WHITESPACE | Rule::COMMENT)
        {
            self.at += 1;
        }
        self.parts[start..self.at].to_vec()
    }
}

/// The levels of the infix operators, loosest first, in the order the grammar lists them.
fn infix_level(rule: Rule) -> Option<u8> {
    use Rule::*;
    [op_lor, op_land, op_cmp, op_bor, op_bxor, op_band, op_shift, op_add, op_mul]
        .iter()
        .position(|&r| r == rule)
        .map(|p| p as u8)
}

fn is_postfix(rule: Rule) -> bool {
    matches!(rule, Rule::dim | Rule::slice | Rule::part_select | Rule::method | Rule::field)
}

/// Rules that are one leaf, though some of them are written with others.
fn is_token(rule: Rule) -> bool {
    matches!(rule, Rule::assign_op | Rule::unclosed)
}
