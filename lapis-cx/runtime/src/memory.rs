//! Memory for states.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::slice;

use lapis_cx_core::machine::Image;

/// Bytes, on nearly all machines.
const CACHE_LINE: usize = 64;

/// Zeroed memory with the alignment that a CXU asks for.
#[derive(Debug)]
pub(crate) struct Memory {
    /// Dangling if there are no words.
    start: NonNull<u64>,
    words: usize,
    align: usize,
}

impl Memory {
    /// So many words; `None` if there is no room, or no such alignment.
    pub fn new(words: usize, align: usize) -> Option<Memory> {
        // States are copied as a whole: those that fill cache lines begin with one.
        let least = if words >= CACHE_LINE / size_of::<u64>() { CACHE_LINE } else { align_of::<u64>() };
        let align = align.max(least);
        if words == 0 {
            return Some(Memory { start: NonNull::dangling(), words, align });
        }
        let layout = layout(words, align)?;
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast();
        Some(Memory { start, words, align })
    }

    /// The memory as what nobody has written yet.
    ///
    /// # Safety
    /// It is used for as long as this lives, and this is used for nothing else.
    pub unsafe fn lent<'m>(&mut self) -> &'m mut [MaybeUninit<u8>] {
        // SAFETY: the memory is this one's, and the caller has no other use of it.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.words * size_of::<u64>()) }
    }
}

fn layout(words: usize, align: usize) -> Option<Layout> {
    Layout::from_size_align(words.checked_mul(size_of::<u64>())?, align).ok()
}

impl AsRef<[u64]> for Memory {
    fn as_ref(&self) -> &[u64] {
        // SAFETY: it was allocated with this size, and zeroed.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.words) }
    }
}

impl AsMut<[u64]> for Memory {
    fn as_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and this is the only reference.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.words) }
    }
}

// SAFETY: the memory is where it was allocated, for as long as this lives.
unsafe impl Image for Memory {
    fn address(&mut self) -> *mut c_void {
        self.start.as_ptr().cast()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(layout) = layout(self.words, self.align).filter(|layout| layout.size() > 0) {
            // A CXU has no function that ends a state. One that keeps states elsewhere looks for what it left here
            // (`cx_remote_cxu.h`), and not every allocator writes over memory that it gets back.
            self.as_mut().fill(0);
            std::hint::black_box(self.start);
            // SAFETY: it was allocated with this layout, and is freed here only.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}
