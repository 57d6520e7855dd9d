//! What the marshaller needs of the side that it runs on.

use std::ffi::{CStr, CString};
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};

use super::names::Names;
use crate::Error;

/// Why a call was not made, or its result not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The channel failed.
    Channel(Error),
    /// The value of this name (a text of the plan) cannot be.
    Refused(&'static str, u32),
    /// It is larger than it may be.
    TooLarge(&'static str, u32),
}

impl From<Error> for CallError {
    fn from(why: Error) -> CallError {
        CallError::Channel(why)
    }
}

pub(crate) type CallResult<T> = Result<T, CallError>;

/// What a side can do that depends on who uses the engine.
pub(crate) trait Side {
    /// On the worker: a function that the library can call, for a callback and a function of the program: its registration, or its slot
    /// if the callback has userdata.
    fn trampoline(&self, callback: u32, function: u32) -> Option<usize>;
    /// On the worker: what [`trampoline`](Side::trampoline) got for a function that it returned.
    fn function_at(&self, _callback: u32, _trampoline: usize) -> Option<u32> {
        None
    }
    /// On the worker: whether null userdata means this registration, for all these callbacks and slots. One can have it at a time: the
    /// library gets null for it, and an address of the engine for others.
    fn claims_null(&self, _: &[(u32, u32)], _registration: u32) -> bool {
        false
    }
    /// On the guest: the program's own function of a name, or 0.
    fn function(&self, name: &[u8]) -> usize;
    /// Memory that whoever gets it frees with the other function of this one, or with C's: so many bytes. 0 if there is none.
    fn allocate(&self, function: Option<u32>, bytes: usize) -> usize;
    /// On the worker: frees memory of the library, by a function of the API or that of C.
    fn free(&self, function: Option<u32>, address: usize);
    /// On the guest: whether it has named so many objects that this number is one of them.
    fn has_named(&self, _: u64) -> bool {
        false
    }
    /// On the worker: objects that the guest named before they were made.
    fn names(&self) -> Option<&Names> {
        None
    }
    /// Sends a file beside the records: the number that a record names it by.
    fn send_file(&self, _: BorrowedFd<'_>) -> Result<u32, Error> {
        Err(Error::Died)
    }
    /// No record names it.
    fn take_file_back(&self, _: u32) {}
    /// The file that a record names.
    fn take_file(&self, _: u32) -> Result<OwnedFd, Error> {
        Err(Error::Died)
    }
    /// On a guest in shadow mode: replaces values of the program before they are sent.
    fn substitutes(&self) -> Option<&dyn Substitutes> {
        None
    }
}

/// Replaces values of the program before they are sent. In shadow mode the program has the objects, the memory and the files of the
/// library in its own process; the worker needs those of its library in their place.
pub(crate) trait Substitutes {
    /// The address of the worker's copy of the memory at `address`; `address` itself if the worker has no copy.
    fn address(&self, address: usize) -> usize;
    /// The worker's object for the object `bits` of kind `of`.
    ///
    /// # Errors
    ///
    /// The worker has none.
    fn object(&self, of: u32, bits: u64) -> Result<u64, &'static str>;
    /// A descriptor that is sent in place of an open one.
    ///
    /// # Errors
    ///
    /// The worker cannot have one of its own.
    fn descriptor(&self, number: RawFd) -> Result<OwnedFd, &'static str>;
    /// A path that is sent in place of `path`, if the worker must not write to the same file.
    ///
    /// # Errors
    ///
    /// As for [`descriptor`](Substitutes::descriptor).
    fn path(&self, path: &CStr) -> Result<Option<CString>, &'static str>;
}

/// Limits of what a side accepts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of memory that one call may use on a side.
    pub call: usize,
    /// Bytes of memory that one connection may keep on a side for longer than a call.
    pub kept: usize,
    /// Nested requests that may wait for replies on one channel.
    pub depth: u32,
}
