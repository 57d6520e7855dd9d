//! Drawings as data: what they show, before they have a format.

pub mod svg;
pub mod wavedrom;

/// A drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it shows, for those who do not see it.
    pub about: String,
    /// What is drawn.
    pub shape: Shape,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Words of one width, one below the other.
    Words {
        /// Bits of each word.
        width: u32,
        /// The words.
        rows: Vec<Row>,
    },
    /// What leads to what, from left to right.
    Graph(Graph),
}

/// A word of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What stands before it, such as its index.
    pub label: String,
    /// Its fields from the highest bit to the lowest: they take all bits of it. None where words are left out.
    pub fields: Vec<Field>,
}

/// Neighbouring bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// How many bits.
    pub width: u32,
    /// What is in them: a name, or the bits themselves.
    pub text: String,
    /// What stands below, such as what the bits mean.
    pub note: String,
    /// What they are.
    pub kind: FieldKind,
}

/// What bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The same in each instruction of this kind.
    Fixed,
    /// The number of a register.
    Register,
    /// A part of a value.
    Value,
    /// Nothing: they read 0.
    Unused,
}

impl FieldKind {
    /// As the style sheet names it.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Fixed => "fixed",
            FieldKind::Register => "register",
            FieldKind::Value => "value",
            FieldKind::Unused => "unused",
        }
    }
}

/// Nodes in columns, and lines between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The titles of the columns; may be empty.
    pub columns: Vec<String>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The lines.
    pub edges: Vec<Edge>,
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its column, from 0.
    pub column: usize,
    /// Its row, from 0.
    pub row: usize,
    /// Its name.
    pub text: String,
    /// What it is.
    pub note: String,
}

/// A line between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it begins: a position in [`Graph::nodes`].
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What stands at its end.
    pub text: String,
}
