//! The functions that the marshaller needs from the process it runs in.

use std::ffi::{CStr, CString};
use std::fmt;
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};

use super::names::Names;
use crate::Error;

/// The reason why a call was not made, or its reply was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The channel failed.
    Channel(Error),
    /// On the worker: the program left the call during a callback, and expects no reply.
    Left,
    /// A value was rejected: the reason, and the value's name as a text of the plan.
    Refused(&'static str, u32),
    /// A number is not the expected one: what it is, the value's name, the number, and the expected number.
    Differs(&'static str, u32, u64, u64),
    /// A number exceeds a limit: what it is, the value's name, the number, and the limit.
    TooLarge(&'static str, u32, u64, u64),
    /// `@valid` exceeds the number of elements: the buffer's name, the value of `@valid`, and the number of elements.
    TooManyValid(u32, u64, u64),
}

impl CallError {
    /// Returns the name of the rejected value. `None` if the channel failed.
    pub fn name(&self) -> Option<u32> {
        match *self {
            CallError::Channel(_) | CallError::Left => None,
            CallError::Refused(_, name) | CallError::Differs(_, name, ..) | CallError::TooLarge(_, name, ..) => {
                Some(name)
            }
            CallError::TooManyValid(name, ..) => Some(name),
        }
    }

    /// Returns the error for a null pointer, handle or function that may not be null.
    pub fn null(name: u32) -> CallError {
        CallError::Refused("it is null; write `?` after the type if it may be null", name)
    }

    /// Returns the error for a handle that represents no object where the specification requires an object.
    pub fn without_object(id: u64, name: u32) -> CallError {
        let why = "it is -1 or another negative number, not an object; write `?` after the type if it may be one";
        if id == 0 { CallError::null(name) } else { CallError::Refused(why, name) }
    }

    /// Returns the error for a call that the other side refused, which logs the reason.
    pub fn of_other_side(call: u32) -> CallError {
        CallError::Refused(OF_OTHER_SIDE, call)
    }

    /// Returns whether the other side refused the call.
    pub fn is_of_other_side(&self) -> bool {
        matches!(self, CallError::Refused(OF_OTHER_SIDE, _))
    }

    /// Returns the same error about a value with another name.
    pub fn about(self, name: u32) -> CallError {
        match self {
            CallError::Channel(_) | CallError::Left => self,
            CallError::Refused(why, _) => CallError::Refused(why, name),
            CallError::Differs(what, _, number, expected) => CallError::Differs(what, name, number, expected),
            CallError::TooLarge(what, _, number, limit) => CallError::TooLarge(what, name, number, limit),
            CallError::TooManyValid(_, number, limit) => CallError::TooManyValid(name, number, limit),
        }
    }

    /// Returns whether a size or a count was rejected.
    pub fn is_about_size(&self) -> bool {
        matches!(self, CallError::Differs(..) | CallError::TooLarge(..) | CallError::TooManyValid(..))
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Channel(why) => write!(f, "{why}"),
            CallError::Left => {
                f.write_str("the program left the call by longjmp, an exception or the end of its thread")
            }
            CallError::Refused(why, _) => f.write_str(why),
            CallError::Differs(what, _, number, expected) => write!(f, "{what} {number}, but {expected} was expected"),
            CallError::TooLarge(what, _, number, limit) => {
                write!(f, "{what} {number}, which exceeds the limit {limit}")
            }
            CallError::TooManyValid(_, number, limit) => {
                write!(f, "`@valid` is {number}, and there are {limit} elements; limit the expression with `min`")
            }
        }
    }
}

impl From<Error> for CallError {
    fn from(why: Error) -> CallError {
        CallError::Channel(why)
    }
}

const OF_OTHER_SIDE: &str = "the other side refused the call";
/// The name in an error that is about the call and no value.
pub(crate) const NO_NAME: u32 = u32::MAX;
/// The reason for the rejection of a buffer whose `@valid` expression has no usable value.
pub(crate) const NO_VALID: &str =
    "its number of valid elements (`@valid`) is negative, too large, or cannot be computed";
/// The reason for rejecting a block of the caller where the callee stores a new block. The callee could free or reallocate its copy.
pub(super) const NOT_NEW: &str =
    "`new` describes a block that the callee makes; set the pointer to null before the call";
/// The reason for refusing a pointer that is stored for longer than the memory to which it points.
pub(super) const ENDS: &str =
    "it is stored for longer than the call, and the other side has its memory for this call only";
/// The reason for rejecting contents for memory of the library that it may have freed.
pub(super) const REPLACED: &str = "the library replaced this memory during the callback, which may have changed it; write `in`, or give it a `@lifetime`";
/// The reason for rejecting changed contents for memory of the program that it may have freed.
pub(super) const GONE: &str =
    "a call in a callback ended this memory after the library had changed it; end the memory after this call";
/// The reason for refusing an asynchronous call whose effects on memory must be known before the next call. A guest makes such a call synchronous.
pub(crate) const NEEDS_REPLY: &str = "it is asynchronous, and may end memory, or has results in memory of the library";
/// The reason for refusing a request that refers to an unknown region and cannot wait for its turn: it is made in a callback, or the guest would give
/// the worker up before.
pub(super) const EARLY: &str =
    "an asynchronous call, which has not started yet, may bring this memory; make this call when that call is over";
/// The reason for rejecting a reference to a region.
pub(super) const OUTSIDE: &str = "it points outside of all shared regions, or to another type";
/// The reason for the rejection of a value whose size expression has no usable value.
pub(crate) const NO_SIZE: &str = "its size is negative, too large, or cannot be computed";

pub(crate) type CallResult<T> = Result<T, CallError>;

/// Operations that differ between guest, worker and shadow mode.
pub(crate) trait Side {
    /// On the worker: returns the address of a function that the library can call. `function` identifies the program's function: its
    /// registration, or its slot if the callback has userdata.
    fn trampoline(&self, callback: u32, function: u32) -> Option<usize>;
    /// On the worker: returns the `function` for which [`trampoline`](Side::trampoline) returned this address.
    fn function_at(&self, _callback: u32, _trampoline: usize) -> Option<u32> {
        None
    }
    /// On the worker: returns whether null userdata can identify this registration, for all these callbacks and slots. Only one guest can use null
    /// with a slot at a time; for others the library gets an address of the engine.
    fn claims_null(&self, _: &[(u32, u32)], _registration: u32) -> bool {
        false
    }
    /// On the guest: returns the address of the program's function `name`, or 0.
    fn function(&self, name: &[u8]) -> usize;
    /// Allocates `bytes` bytes that the receiver frees with the counterpart of `function`, or with C's `free`. Returns 0 if it fails.
    fn allocate(&self, function: Option<u32>, bytes: usize) -> usize;
    /// Frees memory of the program or library with a function of the API, or with C's `free`.
    fn free(&self, function: Option<u32>, address: usize);
    /// Returns whether this side can free memory with this function. The guest cannot call functions of the worker's library for that.
    fn can_free(&self, _function: Option<u32>) -> bool {
        true
    }
    /// On the guest: returns whether the guest has issued this provisional number.
    fn has_named(&self, _: u64) -> bool {
        false
    }
    /// On the guest: returns the number of an asynchronous call whose results have not arrived and change memory between these addresses.
    fn call_that_changes(&self, _start: usize, _end: usize) -> Option<u64> {
        None
    }
    /// On the guest: returns whether there may be such calls.
    fn awaits_results(&self) -> bool {
        false
    }
    /// On the worker: returns the objects that have provisional ids.
    fn names(&self) -> Option<&Names> {
        None
    }
    /// Sends a file beside the records. Returns the id by which a record refers to it.
    fn send_file(&self, _: BorrowedFd<'_>) -> Result<u32, Error> {
        Err(Error::Died)
    }
    /// Withdraws a sent file to which no record refers.
    fn take_file_back(&self, _: u32) {}
    /// Receives the file that a record refers to.
    fn take_file(&self, _: u32) -> Result<OwnedFd, Error> {
        Err(Error::Died)
    }
    /// On a guest in shadow mode: returns the replacements for values of the program.
    fn substitutes(&self) -> Option<&dyn Substitutes> {
        None
    }
}

/// Replaces values of the program before they are sent. In shadow mode the program uses objects, memory and files of the library in its own
/// process. The worker needs the corresponding objects, memory and files of the library in its process.
pub(crate) trait Substitutes {
    /// Returns the address of the worker's copy of the memory at `address`, or `address` itself if the worker has no copy.
    fn address(&self, address: usize) -> usize;
    /// Returns the worker's object for the object `bits` of kind `of`.
    ///
    /// # Errors
    ///
    /// The worker has no such object.
    fn object(&self, of: u32, bits: u64) -> Result<u64, &'static str>;
    /// Returns a descriptor that is sent in place of the open descriptor `number`.
    ///
    /// # Errors
    ///
    /// The worker cannot have a separate descriptor.
    fn descriptor(&self, number: RawFd) -> Result<OwnedFd, &'static str>;
    /// Returns a path that is sent in place of `path`, if the worker must not write to the same file.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_specification_end_with_what_to_write() {
        assert_eq!(CallError::null(3).to_string(), "it is null; write `?` after the type if it may be null");
        let valid = CallError::TooManyValid(3, 9, 8).about(4);
        assert_eq!(valid.to_string(), "`@valid` is 9, and there are 8 elements; limit the expression with `min`");
        assert_eq!((valid.name(), valid.is_about_size()), (Some(4), true));
    }
}
