//! What memory holds.

/// What memory holds, as far as it matters who writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// Numbers only.
    Flat,
    /// Structs of so many bytes, with pointers or members of one side. A specification may have several for one struct of C.
    Blocks(usize),
    /// What the buffer at this address of the plan has.
    Other(usize),
}

impl Shape {
    /// Whether what has this shape may lie `offset` bytes behind the start of what has that one: numbers over pointers, or one
    /// struct over another, would be forged pointers.
    pub fn fits(self, into: Shape, offset: usize) -> bool {
        match self {
            Shape::Blocks(bytes) => self == into && offset.is_multiple_of(bytes.max(1)),
            _ => self == into,
        }
    }
}
