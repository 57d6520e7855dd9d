//! Frames of the traversal: the position in each block and in the elements of each buffer and array.

use crate::plan::{Array, Block, Buffer, Lifetime, Match, Value};

/// The lifetime of something that outlives the call, and the scope in which its expression is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Retained {
    pub lifetime: &'static Lifetime,
    pub scope: usize,
}

/// The case of a `match` that the caller sent.
pub(super) struct Choice {
    pub of: &'static Match,
    /// The position of the case.
    pub at: usize,
    pub name: u32,
}

/// The memory that a pass encodes from or decodes into.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemoryKind {
    /// Memory that was allocated for the message, or has no contents yet.
    Fresh,
    /// Memory that had contents before. It may be constant, so only bytes that differ are written.
    Used,
    /// Memory in a region. `of` is the position of the received contents in the marshaller.
    Region { of: u32 },
    /// Memory in a region whose contents are stored after their last element is decoded. Until then, the byte at `address` is at
    /// `address + to_staged`, which may wrap.
    Staged { of: u32, to_staged: usize },
    /// On the sender's side: memory that is encoded from its base or from a copy. The byte at `address` is encoded from `address + to_source`, which may
    /// wrap. `of` is the position of the changes in the marshaller.
    Snapshot { of: u32, to_source: usize },
}

impl MemoryKind {
    /// Returns the address from which the value at `address` is encoded, or to which it is decoded.
    pub fn source(self, address: usize) -> usize {
        address.wrapping_add(self.to_source())
    }

    /// Returns the distance from a value to the memory from which it is encoded, or to which it is decoded. The distance may wrap.
    pub fn to_source(self) -> usize {
        match self {
            MemoryKind::Staged { to_staged: distance, .. } | MemoryKind::Snapshot { to_source: distance, .. } => {
                distance
            }
            MemoryKind::Fresh | MemoryKind::Used | MemoryKind::Region { .. } => 0,
        }
    }
}

/// A plain address into no memory that was known when the address was encoded or decoded.
pub(super) struct UnknownAddress {
    /// The address at which it is stored.
    pub slot: usize,
    /// The memory that contains the slot.
    pub kind: MemoryKind,
    pub bits: usize,
}

/// Elements that a pass processes in order.
pub(super) struct Elements {
    pub element: &'static Value,
    pub base: usize,
    pub count: u64,
    /// The distance between two elements in bytes.
    pub stride: usize,
    /// The reply carries the elements.
    pub copy_out: bool,
    /// The name of the array or buffer. Its elements have no names.
    pub name: u32,
    /// The memory of the elements, if it differs from that of the enclosing value.
    pub kind: Option<MemoryKind>,
    /// Whether the receiver has the elements for longer than the call, if it differs from the enclosing value.
    pub outlives: Option<bool>,
    /// The lifetime of memory that the elements point to, if it differs from that of the enclosing value.
    pub inherited: Option<Option<Retained>>,
    /// The distance to the memory from which the reply encodes the elements, if it differs from that of the enclosing value. It may wrap.
    pub shift: Option<usize>,
    /// The buffer that contains the elements, unless the enclosing value does.
    pub received: Option<Received>,
}

impl Elements {
    /// Creates elements in the memory of the enclosing value.
    fn new(name: u32, (element, stride): (&'static Value, usize), base: usize, count: u64, copy_out: bool) -> Elements {
        Elements {
            element,
            base,
            count,
            stride,
            copy_out,
            name,
            kind: None,
            outlives: None,
            inherited: None,
            shift: None,
            received: None,
        }
    }

    /// Creates the elements of an array within a block.
    pub fn of_array(name: u32, array: &'static Array, base: usize, count: u64, copy_out: bool) -> Elements {
        Elements::new(name, (&array.element, array.stride), base, count, copy_out)
    }

    /// Creates the elements of a buffer.
    pub fn of_buffer(name: u32, buffer: &'static Buffer, base: usize, count: u64) -> Elements {
        Elements { shift: Some(0), ..Elements::new(name, (&buffer.element, buffer.stride), base, count, true) }
    }

    /// Creates the elements of an `in` buffer that contains results of the callee.
    pub fn with_results(received: Received, kind: MemoryKind) -> Elements {
        let Received { buffer, here, valid, name, .. } = received;
        Elements { kind: Some(kind), received: Some(received), ..Elements::of_buffer(name, buffer, here, valid) }
    }
}

/// A buffer whose elements were encoded or decoded.
#[derive(Clone, Copy)]
pub(super) struct Received {
    pub buffer: &'static Buffer,
    pub here: usize,
    /// The number of elements.
    pub count: u64,
    /// The number of elements whose contents the message carries.
    pub valid: u64,
    /// The number of elements that are certainly valid for the sender. A request carries all elements of an `inout` buffer, also invalid elements.
    pub certain: u64,
    pub bytes: usize,
    pub name: u32,
    /// The buffer is memory of the caller that the callee filled.
    pub is_result: bool,
    /// Memory of this side that may have been freed since the request. The contents are not stored.
    pub is_gone: bool,
}

/// The position of the traversal in one block, in elements or in a choice.
#[expect(clippy::large_enum_variant, reason = "the list of frames is reused, so boxes would be its only allocations")]
pub(super) enum Frame {
    Block {
        block: &'static Block,
        at: usize,
        own: usize,
        copy_out: bool,
    },
    Elements {
        all: Elements,
        index: u64,
        before: OuterState,
    },
    Choice(Choice),
    /// A value that is processed again after its elements.
    Again {
        value: &'static Value,
        address: usize,
        copy_out: bool,
    },
}

/// The state of the marshaller before it entered elements.
pub(super) struct OuterState {
    pub this: usize,
    pub index: u64,
    pub inherited: Option<Retained>,
    pub outlives: bool,
    pub end: usize,
    pub kind: MemoryKind,
    pub shift: usize,
    pub outer: u32,
    /// The elements were added to the sources of expressions.
    pub has_source: bool,
}
