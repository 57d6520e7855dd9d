//! The source text of declarations: what a contract says of bodies is shown as their author wrote it.

use std::collections::HashMap;

use lapis_cx::source::{SourceMap, Span};
use lapis_cx::syntax::{Kind, Node, Tree, parse};

/// The trees of all files of one compilation.
pub struct Trees {
    trees: Vec<Tree>,
}

impl Trees {
    /// Parses the files again: a compilation does not keep its trees.
    pub fn new(sources: &SourceMap) -> Trees {
        Trees { trees: sources.files().map(|(id, _)| parse(sources, id).0).collect() }
    }

    /// Finds declarations by their names.
    pub fn declarations(&self) -> Declarations<'_> {
        let nodes = self.trees.iter().flat_map(|tree| tree.root().descendants(is_declaration));
        Declarations { nodes: nodes.map(|node| (key(node), node)).collect() }
    }
}

/// Where the contract says that a declaration is: its name, or its keyword if it has none.
fn key(node: Node<'_>) -> Span {
    let name = match node.kind() {
        Kind::example => node.child(Kind::string).or_else(|| node.child(Kind::kw_example)),
        _ => node.child(Kind::ident),
    };
    name.unwrap_or(node).span()
}

fn is_declaration(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        Kind::command | Kind::fn_item | Kind::const_item | Kind::law | Kind::example | Kind::csr_field | Kind::csr_item
    )
}

/// Declarations by their names.
pub struct Declarations<'t> {
    nodes: HashMap<Span, Node<'t>>,
}

impl<'t> Declarations<'t> {
    /// The declaration of which the contract has this span.
    pub fn at(&self, span: Span) -> Option<Node<'t>> {
        self.nodes.get(&span).copied()
    }
}
