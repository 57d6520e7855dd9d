//! Saved states.
//!
//! An image is the status word and then the state words, each of the CXU's XLEN, in the machine's byte order. Its size is fixed by the CX.
//! A stateless CX has an empty image.

use std::ffi::c_void;
use std::ptr;

use lapis_cx_core::{Error, Selector, SoftCxu};

use crate::last_error::Failure;
use crate::thread;

/// Bytes in an image of the CX behind `selector`; 0 for built-in.
pub(crate) fn size(selector: Selector) -> Result<usize, Error> {
    if selector == Selector::BUILTIN {
        return Ok(0);
    }
    let (cxu, _) = thread::state_of(selector)?;
    cxu.image_size().ok_or(Error::Invalid)
}

/// Writes an image and returns its size in bytes. On an error nothing is written.
///
/// # Safety
/// `to` is good for writes of `room` bytes.
pub(crate) unsafe fn save(selector: Selector, to: *mut u8, room: usize) -> Result<usize, Failure> {
    let bytes = size(selector)?;
    if bytes == 0 {
        return Ok(0);
    }
    let (cxu, state) = thread::state_of(selector)?;
    if bytes > room {
        return Err(Failure::said(Error::Invalid, c"invalid: the memory is smaller than an image of this CX"));
    }
    let Some(state) = state else {
        let mut copy = aligned(bytes)?;
        thread::save(selector, &mut copy)?;
        // SAFETY: `to` has room, and the copy is not there.
        unsafe { ptr::copy_nonoverlapping(copy.as_ptr().cast(), to, bytes) };
        return Ok(bytes);
    };
    let save = cxu.save.ok_or(Error::Invalid)?;
    if to.addr().is_multiple_of(cxu.word_size()) {
        // SAFETY: `to` is aligned and has room; the state is this CXU's, and nothing else uses it.
        thread::attempt(|| unsafe { save(state.cast_const(), to.cast()) })?;
    } else {
        let mut copy = aligned(bytes)?;
        // SAFETY: as above, with the copy's memory.
        thread::attempt(|| unsafe { save(state.cast_const(), copy.as_mut_ptr().cast()) })?;
        // SAFETY: `to` has room, and the copy is not there.
        unsafe { ptr::copy_nonoverlapping(copy.as_ptr().cast(), to, bytes) };
    }
    Ok(bytes)
}

/// Loads an image. On an error the state is as it was.
///
/// # Safety
/// `from` is good for reads of `length` bytes.
pub(crate) unsafe fn restore(selector: Selector, from: *const u8, length: usize) -> Result<(), Failure> {
    let bytes = size(selector)?;
    if bytes == 0 {
        return Ok(());
    }
    let (cxu, state) = thread::state_of(selector)?;
    if bytes > length {
        return Err(Failure::said(Error::Invalid, c"invalid: the image is smaller than one of this CX"));
    }
    // SAFETY: the length was looked at; an image has at least two words.
    if !unsafe { names_size_of(from, cxu) } {
        let text = c"invalid: the image names another number of state words than this CX has";
        return Err(Failure::said(Error::Invalid, text));
    }
    let Some(state) = state else {
        let mut copy = aligned(bytes)?;
        // SAFETY: `from` is long enough, and the copy is not there.
        unsafe { ptr::copy_nonoverlapping(from, copy.as_mut_ptr().cast(), bytes) };
        return Ok(thread::restore(selector, &copy)?);
    };
    let restore = cxu.restore.ok_or(Error::Invalid)?;
    if from.addr().is_multiple_of(cxu.word_size()) {
        // SAFETY: `from` is aligned and long enough; the state is this CXU's, and nothing else uses it.
        thread::attempt(|| unsafe { restore(state, from.cast::<c_void>()) })?;
    } else {
        let mut copy = aligned(bytes)?;
        // SAFETY: `from` is long enough, and the copy is not there.
        unsafe { ptr::copy_nonoverlapping(from, copy.as_mut_ptr().cast(), bytes) };
        // SAFETY: as above, with the copy.
        thread::attempt(|| unsafe { restore(state, copy.as_ptr().cast()) })?;
    }
    Ok(())
}

/// Whether the status word in front names the state size of this CXU (bits 11:2; they cannot hold more than 1023).
///
/// # Safety
/// `from` is good for reads of a word.
unsafe fn names_size_of(from: *const u8, cxu: &SoftCxu) -> bool {
    // SAFETY: the caller has a word there.
    let status = unsafe {
        match cxu.word_size() {
            4 => u64::from(from.cast::<u32>().read_unaligned()),
            _ => from.cast::<u64>().read_unaligned(),
        }
    };
    cxu.state_words > 1023 || (status >> 2) & 1023 == u64::from(cxu.state_words)
}

/// Zeroed memory that is aligned for a word.
pub(crate) fn aligned(bytes: usize) -> Result<Vec<u64>, Error> {
    zeroed(bytes.div_ceil(8))
}

/// So many zeros.
pub(crate) fn zeroed<T: Clone + Default>(count: usize) -> Result<Vec<T>, Error> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(count).map_err(|_| Error::NoMemory)?;
    memory.resize(count, T::default());
    Ok(memory)
}
