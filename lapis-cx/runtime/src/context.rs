//! User contexts: what coroutines and `longjmp` take with them (CX API, "User thread context includes the thread's current CX
//! selection").
//!
//! A saved context is a header and then, for each instance that takes part, where it was open and an image of its state.

use lapis_cx_core::{Error, Selector};

use crate::last_error::Failure;
use crate::{image, thread};

/// The selection, how many instances follow, the bytes of all, and whose it is.
const HEADER: usize = 16;
/// The selector of an instance, and the bytes of its image, which come next and are filled up to a multiple of 8.
const ENTRY: usize = 8;

/// The instances that take part, with the sizes of their images.
fn instances() -> Result<Vec<(Selector, usize)>, Error> {
    thread::in_user_context().into_iter().map(|selector| Ok((selector, image::size(selector)?))).collect()
}

/// Bytes of a saved context with these.
fn size_with(instances: &[(Selector, usize)]) -> usize {
    instances.iter().map(|(_, bytes)| ENTRY + bytes.next_multiple_of(8)).sum::<usize>() + HEADER
}

/// Bytes of a saved context now: it changes when such a CX is opened or closed.
pub(crate) fn size() -> Result<usize, Error> {
    Ok(size_with(&instances()?))
}

/// Saves the selection, and the states of the instances that take part. Returns the bytes written.
///
/// # Safety
/// `to` is good for writes of `room` bytes.
pub(crate) unsafe fn save(to: *mut u8, room: usize) -> Result<usize, Failure> {
    let instances = instances()?;
    let total = size_with(&instances);
    if room < total {
        return Err(Failure::said(Error::Invalid, c"invalid: the memory is smaller than a user context"));
    }
    let put = |at: usize, value: u32| {
        // SAFETY: all that is written lies in the first `total` bytes.
        unsafe { to.add(at).cast::<u32>().write_unaligned(value) };
    };
    put(0, thread::selected().raw().cast_unsigned());
    put(4, instances.len() as u32);
    put(8, u32::try_from(total).map_err(|_| Error::Invalid)?);
    put(12, thread::token());
    let mut at = HEADER;
    for (selector, bytes) in instances {
        put(at, selector.raw().cast_unsigned());
        put(at + 4, u32::try_from(bytes).map_err(|_| Error::Invalid)?);
        // SAFETY: as above.
        unsafe { image::save(selector, to.add(at + ENTRY), bytes) }?;
        at += ENTRY + bytes.next_multiple_of(8);
    }
    Ok(total)
}

/// Loads what [`save`] wrote: the states of instances that are still open, and the selection. What was opened since then stays
/// as it is.
///
/// # Safety
/// `from` is good for reads of `length` bytes.
pub(crate) unsafe fn restore(from: *const u8, length: usize) -> Result<(), Failure> {
    let short = || Failure::said(Error::Invalid, c"invalid: this is no saved user context");
    let get = |at: usize| -> Option<u32> {
        // SAFETY: the place was looked at.
        (at.checked_add(4)? <= length).then(|| unsafe { from.add(at).cast::<u32>().read_unaligned() })
    };
    let (selection, count) = (get(0).ok_or_else(short)?, get(4).ok_or_else(short)?);
    let (total, token) = (get(8).ok_or_else(short)? as usize, get(12).ok_or_else(short)?);
    if total > length {
        return Err(short());
    }
    // Selectors of another thread would be those of other CXs here.
    if token != thread::token() {
        return Err(Failure::said(Error::Invalid, c"invalid: this user context is one of another thread"));
    }
    let mut at = HEADER;
    let mut failed = Ok(());
    for _ in 0..count {
        let (selector, bytes) = (get(at).ok_or_else(short)?, get(at + 4).ok_or_else(short)? as usize);
        let selector = Selector::from_raw(selector.cast_signed());
        let end =
            bytes.checked_next_multiple_of(8).and_then(|bytes| bytes.checked_add(at + ENTRY)).ok_or_else(short)?;
        if end > total {
            return Err(short());
        }
        if thread::is_open(selector) {
            // SAFETY: the image lies in the first `length` bytes.
            let loaded = unsafe { image::restore(selector, from.add(at + ENTRY), bytes) };
            failed = failed.and(loaded);
        }
        at = end;
    }
    thread::select(Selector::from_raw(selection.cast_signed()));
    failed
}

/// The thread's selection, and the states of the CXs that take part in user contexts: those opened with
/// [`OpenFlags::UCONTEXT`](crate::OpenFlags::UCONTEXT), and those whose contract says it. A library that switches between
/// coroutines saves one when it leaves a coroutine, and loads it when it comes back.
#[derive(Clone, Debug)]
pub struct UserContext {
    bytes: Vec<u8>,
}

impl UserContext {
    /// Saves the context of this thread.
    ///
    /// # Errors
    /// [`Error::NoMemory`], and what saving a state can fail with.
    pub fn save() -> Result<UserContext, Error> {
        let mut bytes = image::zeroed(size()?)?;
        // SAFETY: the vector is as long as it says.
        unsafe { save(bytes.as_mut_ptr(), bytes.len()) }?;
        Ok(UserContext { bytes })
    }

    /// Loads it into the thread that saved it.
    ///
    /// # Errors
    /// [`Error::Invalid`] on another thread; what loading a state can fail with: the other states and the selection are loaded
    /// all the same.
    pub fn restore(&self) -> Result<(), Error> {
        // SAFETY: the vector is as long as it says.
        Ok(unsafe { restore(self.bytes.as_ptr(), self.bytes.len()) }?)
    }
}

/// As [`save`], or the [`size`] if `to` is null.
///
/// # Safety
/// As [`save`], if `to` is not null.
pub(crate) unsafe fn save_or_size(to: *mut u8, room: usize) -> Result<usize, Failure> {
    if to.is_null() {
        return Ok(size()?);
    }
    // SAFETY: the caller's promise.
    unsafe { save(to, room) }
}
