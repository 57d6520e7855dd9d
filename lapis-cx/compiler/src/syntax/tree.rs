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
    /// It or something below it is bad.
    broken: bool,
    start: u32,
    end: u32,
    first_child: u32,
    next_sibling: u32,
}

/// What an id of another tree would give; ids of a tree itself are always in it.
const NOTHING: NodeData =
    NodeData { kind: Kind::bad_item, broken: true, start: 0, end: 0, first_child: NONE, next_sibling: NONE };

/// The tree of one file.
#[derive(Clone, Debug)]
pub struct Tree {
    file: FileId,
    text: String,
    nodes: Vec<NodeData>,
    root: u32,
}

impl Tree {
    /// A tree for text that is not parsed at all: the text is one `bad_item`.
    pub fn unread(text: &str, file: FileId) -> Tree {
        let mut tree = Tree::new(text, file);
        let all = tree.leaf(Kind::bad_item, 0, text.len() as u32, true);
        tree.root = tree.branch(Kind::file, &[all]);
        tree
    }

    pub(super) fn new(text: &str, file: FileId) -> Tree {
        // Specs have some eight bytes to a node; two growths at most where one has more.
        Tree { file, text: text.to_owned(), nodes: Vec::with_capacity(text.len() / 6), root: 0 }
    }

    fn push(&mut self, node: NodeData) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// A leaf; `broken` if there is a mistake in its text.
    pub(super) fn leaf(&mut self, kind: Kind, start: u32, end: u32, broken: bool) -> u32 {
        let broken = broken || is_bad(kind);
        self.push(NodeData { kind, broken, start, end, first_child: NONE, next_sibling: NONE })
    }

    /// A node over `children`, which are linked in order.
    pub(super) fn branch(&mut self, kind: Kind, children: &[u32]) -> u32 {
        for pair in children.windows(2) {
            if let &[left, right] = pair
                && let Some(node) = self.nodes.get_mut(left as usize)
            {
                node.next_sibling = right;
            }
        }
        let mut broken = is_bad(kind);
        // Left operand, gap, operator: `a < b < c`.
        let mut compared = false;
        for &child in children {
            let data = self.data(child);
            broken |= data.broken || compared && data.kind == Kind::op_cmp;
            compared |= kind == Kind::binary && self.is_comparison(child);
        }
        let first_child = children.first().copied().unwrap_or(NONE);
        let start = children.first().map_or(0, |&c| self.data(c).start);
        let end = children.last().map_or(start, |&c| self.data(c).end);
        self.push(NodeData { kind, broken, start, end, first_child, next_sibling: NONE })
    }

    fn is_comparison(&self, id: u32) -> bool {
        self.kind_of(id) == Kind::binary && self.node(id).has(Kind::op_cmp)
    }

    pub(super) fn set_root(&mut self, root: u32) {
        self.root = root;
    }

    fn data(&self, id: u32) -> NodeData {
        self.nodes.get(id as usize).copied().unwrap_or(NOTHING)
    }

    pub(super) fn node(&self, id: u32) -> Node<'_> {
        Node { tree: self, id }
    }

    pub(super) fn kind_of(&self, id: u32) -> Kind {
        self.data(id).kind
    }

    /// The `file` node.
    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the text was not parsed at all: a diagnostic says why.
    pub fn is_unread(&self) -> bool {
        let mut children = self.root().all_children();
        matches!((children.next(), children.next()), (Some(only), None) if only.kind() == Kind::bad_item)
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

/// Whether a kind stands for a mistake.
fn is_bad(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        bad_item
            | bad_member
            | bad_platform_member
            | bad_stmt
            | bad_step
            | bad_field
            | bad_row
            | bad_arm
            | bad_case
            | bad_param
            | bad_part
            | bad_clause
            | bad_type_arm
            | bad_place
            | bad_head
            | bad_cond
            | bad_loop
            | bad_body
            | open_body
            | bad_doc
            | bad_int
            | misplaced
            | misplaced_parts
            | stray_clauses
            | stray_stmts
            | unclosed
            | no_semi
            | no_comma
            | no_brace
            | no_body
            | too_deep
    )
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
        self.tree.data(self.id)
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
        matches!(self.kind(), Kind::WHITESPACE | Kind::comment)
    }

    /// Whether it stands for a mistake: text that fits no rule, or, without text, a missing token.
    pub fn is_bad(self) -> bool {
        is_bad(self.kind())
    }

    /// Whether there is a mistake in it: it or something below it is bad, or a name, string, comment or chain of
    /// comparisons below it is not allowed. A broken node may lack children that its rule demands.
    pub fn is_broken(self) -> bool {
        self.data().broken
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
                | code
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
