//! The layout of memory, for checks of pointers.

use crate::plan::Layout;

/// The layout of memory, to the detail that determines what the other side may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// Numbers only.
    Flat,
    /// Structs with pointers or members of one side: their layout ([`BlockFacts::layout`](crate::plan::BlockFacts::layout)), and their size in
    /// bytes.
    Blocks(u32, usize),
    /// Other elements, by their [`element`](crate::plan::ValueFacts::element).
    Other(u32),
}

impl Shape {
    /// Returns whether a buffer with this layout may start `offset` bytes into memory with the layout `into`. Writing numbers over
    /// pointers, or one struct over another, would forge pointers.
    pub fn fits(self, into: Shape, offset: usize) -> bool {
        match self {
            Shape::Blocks(_, bytes) => self == into && offset.is_multiple_of(bytes.max(1)),
            _ => self == into,
        }
    }

    /// Returns whether a buffer of `bytes` bytes with this layout may be at an offset in memory with the layout `into`. It may also be a part of a
    /// struct: an embedded struct, or numbers.
    pub fn is_part(self, bytes: usize, into: Shape, offset: usize, layouts: &[Layout]) -> bool {
        let around = |number: u32| layouts.get(number as usize);
        self.fits(into, offset)
            || match (self, into) {
                (Shape::Flat, Shape::Blocks(into, _)) => around(into).is_some_and(|one| one.has_numbers(offset, bytes)),
                (Shape::Blocks(one, size), Shape::Blocks(into, _)) => {
                    around(into).is_some_and(|around| around.has_embedded(offset, (one, size), bytes))
                }
                _ => false,
            }
    }
}
