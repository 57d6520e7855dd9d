//! Frames of the traversal: the position in each block and in the elements of each buffer and array.

use super::entries::BufferEntry;
use crate::plan::{Array, Block, Buffer, Lifetime, Match, Value};

/// The lifetime of something that outlives the call, and the block whose values its expression reads.
#[derive(Clone, Copy)]
pub(super) struct Retained {
    pub lifetime: &'static Lifetime,
    pub own: usize,
}

/// The case of a `match` that the caller sent.
pub(super) struct Choice {
    pub of: &'static Match,
    /// The position of the case.
    pub at: usize,
    pub name: u32,
}

/// Elements that a pass processes in order.
pub(super) struct Elements {
    pub element: &'static Value,
    pub base: usize,
    pub count: u64,
    /// The distance between two elements in bytes.
    pub stride: usize,
    pub comes: bool,
    /// The name of the array or buffer. Its elements have no names.
    pub name: u32,
    /// The end of the memory that contains the elements, if it differs from that of the enclosing value.
    pub end: Option<usize>,
    /// Whether that memory is new, if it differs from the enclosing value. A region is not new: it contains data of earlier calls.
    pub is_fresh: Option<bool>,
    /// The lifetime of memory that the elements point to, if it differs from that of the enclosing value.
    pub around: Option<Option<Retained>>,
    /// The buffer to check after the last element.
    pub received: Option<Received>,
}

impl Elements {
    /// Creates the elements of an array within a block.
    pub fn of_array(name: u32, array: &'static Array, base: usize, count: u64, comes: bool) -> Elements {
        let (element, stride) = (&array.element, array.stride);
        Elements { element, base, count, stride, comes, name, end: None, is_fresh: None, around: None, received: None }
    }

    /// Creates the elements of a buffer.
    pub fn of_buffer(name: u32, buffer: &'static Buffer, base: usize, count: u64) -> Elements {
        let (element, stride) = (&buffer.element, buffer.stride);
        Elements {
            element,
            base,
            count,
            stride,
            comes: true,
            name,
            end: None,
            is_fresh: None,
            around: None,
            received: None,
        }
    }

    /// Creates the elements of an `in` buffer that contains results of the callee.
    pub fn with_results(name: u32, buffer: &'static Buffer, there: &BufferEntry) -> Elements {
        Elements { end: Some(there.here + there.bytes), ..Elements::of_buffer(name, buffer, there.here, there.valid) }
    }
}

/// A buffer whose elements were decoded.
#[derive(Clone, Copy)]
pub(super) struct Received {
    pub buffer: &'static Buffer,
    pub here: usize,
    /// The number of elements, and how many of them carry contents.
    pub count: u64,
    pub valid: u64,
    pub bytes: usize,
    pub name: u32,
    /// The buffer is the caller's own, and the callee filled it.
    pub is_result: bool,
}

/// The position of the traversal in one block, in elements or in a choice.
pub(super) enum Frame {
    Block { block: &'static Block, at: usize, own: usize, comes: bool },
    Elements { all: Elements, index: u64, before: Before },
    Choice(Choice),
}

/// The state of the marshaller before it entered elements.
pub(super) struct Before {
    pub this: usize,
    pub index: u64,
    pub around: Option<Retained>,
    pub end: usize,
    pub is_fresh: bool,
    pub outer: u32,
}
