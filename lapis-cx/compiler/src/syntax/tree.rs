//! The lossless syntax tree.
//!
//! All nodes of a file lie in one vector and are linked by first child and next sibling. Leaves are tokens, blanks and
//! comments; read in order they give back the text, byte for byte.

use super::Kind;
use crate::source::{FileId, Span};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct NodeData {
    kind: Kind,
    start: u32,
    end: u32,
    first_child: u32,
    next_sibling: u32,
}

/// The tree of one file.
#[derive(Clone, Debug)]
pub struct Tree {
    file: FileId,
    text: String,
    nodes: Vec<NodeData>,
    root: u32,
}

impl Tree {
    /// A tree of one `file` node, for text that cannot be read at all.
    pub fn empty(text: &str, file: FileId) -> Tree {
        let mut tree = Tree::new(text, file);
        tree.root = tree.leaf(Kind::file, 0, text.len() as u32);
        tree
    }

    pub(super) fn new(text: &str, file: FileId) -> Tree {
        Tree { file, text: text.to_owned(), nodes: Vec::with_capacity(text.len() / 2), root: 0 }
    }

    pub(super) fn leaf(&mut self, kind: Kind, start: u32, end: u32) -> u32 {
        self.nodes.push(NodeData { kind, start, end, first_child: NONE, next_sibling: NONE });
        self.nodes.len() as u32 - 1
    }

    /// A node over `children`, which are linked in order; it spans from the first to the last that is no trivia.
    pub(super) fn branch(&mut self, kind: Kind, children: &[u32]) -> u32 {
        for pair in children.windows(2) {
            self.nodes[pair[0] as usize].next_sibling = pair[1];
        }
        let first = children.first().copied().unwrap_or(NONE);
        let start = children.first().map_or(0, |&c| self.nodes[c as usize].start);
        let end = children.last().map_or(start, |&c| self.nodes[c as usize].end);
        self.nodes.push(NodeData { kind, start, end, first_child: first, next_sibling: NONE });
        self.nodes.len() as u32 - 1
    }

    pub(super) fn set_root(&mut self, root: u32) {
        self.root = root;
    }

    pub(super) fn end_of(&self, id: u32) -> u32 {
        self.nodes[id as usize].end
    }

    pub(super) fn kind_of(&self, id: u32) -> Kind {
        self.nodes[id as usize].kind
    }

    /// The `file` node.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: self.root }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file.
    pub fn file(&self) -> FileId {
        self.file
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.kind(), self.data().start, self.data().end)
    }
}

impl<'t> Node<'t> {
    fn data(self) -> NodeData {
        self.tree.nodes[self.id as usize]
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.data().kind
    }

    /// Where it is; blanks and comments around it are not part of it.
    pub fn span(self) -> Span {
        let NodeData { start, end, .. } = self.data();
        Span { file: self.tree.file, start, end }
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        self.tree.text.get(self.data().start as usize..self.data().end as usize).unwrap_or_default()
    }

    /// Whether it is a blank or a comment.
    pub fn is_trivia(self) -> bool {
        matches!(self.kind(), Kind::WHITESPACE | Kind::COMMENT)
    }

    /// Whether it stands for text that fits no rule.
    pub fn is_bad(self) -> bool {
        matches!(self.kind(), Kind::bad_item | Kind::bad_member | Kind::bad_stmt | Kind::unclosed)
    }

    /// All children, trivia too.
    pub fn all_children(self) -> impl Iterator<Item = Node<'t>> {
        let wrap = move |id: u32| (id != NONE).then_some(Node { tree: self.tree, id });
        std::iter::successors(wrap(self.data().first_child), move |n| wrap(n.data().next_sibling))
    }

    /// The children that are no trivia.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> {
        self.all_children().filter(|n| !n.is_trivia())
    }

    /// The first child of a kind.
    pub fn child(self, kind: Kind) -> Option<Node<'t>> {
        self.children().find(|n| n.kind() == kind)
    }

    /// All children of a kind.
    pub fn children_of(self, kind: Kind) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |n| n.kind() == kind)
    }

    /// Whether it has a child of a kind.
    pub fn has(self, kind: Kind) -> bool {
        self.child(kind).is_some()
    }

    /// The first child that is an expression.
    pub fn expr(self) -> Option<Node<'t>> {
        self.exprs().next()
    }

    /// The children that are expressions, in order.
    pub fn exprs(self) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(|n| n.is_expr())
    }

    /// Whether it is an expression.
    pub fn is_expr(self) -> bool {
        use Kind::*;
        matches!(
            self.kind(),
            expr | width
                | binary
                | unary
                | ternary
                | access_expr
                | int
                | kw_true
                | kw_false
                | string
                | call
                | name
                | paren
                | list
                | comprehension
        )
    }

    /// The first `ident` child, or a node without text where a broken file has none.
    pub fn name(self) -> Node<'t> {
        self.child(Kind::ident).unwrap_or(self)
    }

    /// The documentation before an item: the `///` lines without their marker.
    pub fn docs(self) -> String {
        let lines: Vec<_> = self
            .children_of(Kind::doc)
            .map(|doc| doc.text().trim_start_matches('/'))
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
            .collect();
        lines.join("\n")
    }

    /// Every leaf below, in order, trivia too: their texts joined are the node's text.
    pub fn leaves(self) -> impl Iterator<Item = Node<'t>> {
        let mut stack = vec![self];
        std::iter::from_fn(move || {
            while let Some(node) = stack.pop() {
                let at = stack.len();
                stack.extend(node.all_children());
                if stack.len() == at {
                    return Some(node);
                }
                stack[at..].reverse();
            }
            None
        })
    }

    /// Every node below that satisfies `test`, itself included, in source order.
    pub fn descendants(self, test: impl Fn(Node<'t>) -> bool) -> impl Iterator<Item = Node<'t>> {
        let mut stack = vec![self];
        std::iter::from_fn(move || {
            while let Some(node) = stack.pop() {
                let at = stack.len();
                stack.extend(node.all_children());
                stack[at..].reverse();
                if test(node) {
                    return Some(node);
                }
            }
            None
        })
    }
}
