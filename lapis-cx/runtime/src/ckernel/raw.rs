//! What the builder does, on memory of C: the document's five functions.

use std::alloc::{Layout, alloc_zeroed, dealloc, realloc};
use std::mem::size_of;
use std::ptr;

use lapis_cx_core::ckernel::{ALIGN, Failure, Prefix, RawBuilder, STATIC_WORDS, aligned, destroy};

/// Bytes of a builder's own memory.
const STATIC_BYTES: usize = STATIC_WORDS * size_of::<isize>();

/// Constructs a builder.
///
/// # Safety
/// `builder` is good for writes of a [`RawBuilder`].
pub(super) unsafe fn construct(builder: *mut RawBuilder) {
    // SAFETY: the caller gives the memory; nothing is read, and no reference made to what may be uninitialised.
    unsafe {
        (&raw mut (*builder).m_static_data).write([0; STATIC_WORDS]);
        (&raw mut (*builder).m_data).write((&raw mut (*builder).m_static_data).cast());
        (&raw mut (*builder).m_capacity).write(STATIC_BYTES as isize);
    }
}

/// Whether the ckernel is in the builder's own memory.
unsafe fn is_static(builder: *mut RawBuilder) -> bool {
    // SAFETY: as for the callers.
    unsafe { ptr::eq((*builder).m_data, (&raw const (*builder).m_static_data).cast()) }
}

/// The layout of `bytes` of memory.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGN).ok()
}

/// Destroys the ckernel and frees the memory. What is left has no memory.
///
/// # Safety
/// `builder` was constructed, at this place, and nobody else uses it.
pub(super) unsafe fn destruct(builder: *mut RawBuilder) {
    // SAFETY: it was constructed, so `m_data` is null or points to `m_capacity` bytes, which are its own or of `alloc`.
    unsafe {
        let data = (*builder).m_data;
        if data.is_null() {
            return;
        }
        destroy(data.cast::<Prefix>());
        if !is_static(builder)
            && let Some(layout) = layout((*builder).m_capacity as usize)
        {
            dealloc(data.cast(), layout);
        }
        (*builder).m_data = ptr::null_mut();
        (*builder).m_capacity = 0;
    }
}

/// Makes room for `bytes`. On failure all is as it was.
///
/// # Safety
/// As [`destruct`].
pub(super) unsafe fn grow(builder: *mut RawBuilder, bytes: usize) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (data, capacity) = unsafe { ((*builder).m_data, (*builder).m_capacity as usize) };
    if data.is_null() {
        return Err(Failure::Invalid);
    }
    if bytes <= capacity {
        return Ok(());
    }
    let least = aligned(bytes).ok_or(Failure::NoMemory)?;
    // Half as much again, so that many small steps copy little; only what is needed if there is no memory for that.
    let ample = aligned(capacity + capacity / 2).filter(|ample| *ample > least);
    // SAFETY: as above; a new size is a multiple of the alignment, and greater than the old one.
    let grown = ample.into_iter().chain([least]).find_map(|size| unsafe { resized(builder, size) });
    let (memory, size) = grown.ok_or(Failure::NoMemory)?;
    // SAFETY: as above.
    unsafe {
        (*builder).m_data = memory;
        (*builder).m_capacity = size as isize;
    }
    Ok(())
}

/// The ckernel in memory of `size` bytes, with zeros behind it; the memory before is gone. `None`, and nothing happened, if
/// there is no such memory.
unsafe fn resized(builder: *mut RawBuilder, size: usize) -> Option<(*mut isize, usize)> {
    // SAFETY: the caller's promise, and that `size` is greater than the capacity.
    let (data, capacity) = unsafe { ((*builder).m_data.cast::<u8>(), (*builder).m_capacity as usize) };
    // SAFETY: as above.
    let memory = if unsafe { is_static(builder) } {
        // SAFETY: the size is not 0.
        let memory = unsafe { alloc_zeroed(layout(size)?) };
        if !memory.is_null() {
            // SAFETY: both are good for the old capacity, and different.
            unsafe { ptr::copy_nonoverlapping(data, memory, capacity) };
        }
        memory
    } else {
        layout(size)?;
        // SAFETY: the memory is of `alloc` with the layout of the capacity, and the new size can be one.
        let memory = unsafe { realloc(data, layout(capacity)?, size) };
        if !memory.is_null() {
            // SAFETY: the memory goes up to `size`.
            unsafe { memory.add(capacity).write_bytes(0, size - capacity) };
        }
        memory
    };
    // Both allocators align to a pointer, as the layout asks.
    (!memory.is_null()).then(|| (memory.cast(), size))
}
