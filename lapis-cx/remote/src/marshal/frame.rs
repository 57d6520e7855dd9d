//! Frames of the traversal: where it is in each block and in the elements of each buffer and array.

use super::entries::BufferEntry;
use crate::plan::{Array, Block, Buffer, Lifetime, Match, Value};

/// A choice that the caller made.
pub(super) struct Choice {
    pub of: &'static Match,
    /// The position of the case.
    pub at: usize,
    pub name: u32,
}

/// Elements that a pass entries one after the other.
pub(super) struct Elements {
    pub element: &'static Value,
    pub base: usize,
    pub count: u64,
    /// Bytes from one to the next.
    pub stride: usize,
    pub comes: bool,
    /// The name of the value that they belong to: they have none.
    pub name: u32,
    /// Where the memory ends that they lie in, if it is another one than around them.
    pub end: Option<usize>,
    /// Whether that memory is new, if that is not as around them: memory that both sides keep has what earlier calls left there.
    pub is_fresh: Option<bool>,
    /// How long memory lives that is found inside, if that is not as around them.
    pub around: Option<Option<&'static Lifetime>>,
    /// What is checked behind the last one.
    pub received: Option<Received>,
}

impl Elements {
    /// Those of an array within a block.
    pub fn of_array(name: u32, array: &'static Array, base: usize, count: u64, comes: bool) -> Elements {
        let (element, stride) = (&array.element, array.stride);
        Elements { element, base, count, stride, comes, name, end: None, is_fresh: None, around: None, received: None }
    }

    /// Those of a buffer.
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

    /// Those of a buffer that only travels to the callee, and contains places that travel back.
    pub fn with_results(name: u32, buffer: &'static Buffer, there: &BufferEntry) -> Elements {
        Elements { end: Some(there.here + there.bytes), ..Elements::of_buffer(name, buffer, there.here, there.valid) }
    }
}

/// A buffer whose elements were decoded.
#[derive(Clone, Copy)]
pub(super) struct Received {
    pub buffer: &'static Buffer,
    pub here: usize,
    /// Elements, and how many of them carry contents.
    pub count: u64,
    pub valid: u64,
    pub bytes: usize,
    pub name: u32,
    /// It is the caller's own buffer, which the callee filled.
    pub is_result: bool,
}

/// Where the traversal is.
pub(super) enum Frame {
    Block { block: &'static Block, at: usize, own: usize, comes: bool },
    Elements { all: Elements, index: u64, before: Before },
    Choice(Choice),
}

/// What a walk had before it entered elements.
pub(super) struct Before {
    pub this: usize,
    pub index: u64,
    pub around: Option<&'static Lifetime>,
    pub end: usize,
    pub is_fresh: bool,
    pub outer: u32,
}
