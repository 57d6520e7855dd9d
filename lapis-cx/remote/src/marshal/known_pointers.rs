//! Pointers of a reply into memory that the caller already has. They are checked once the whole reply is decoded.

use super::access::{is_end, load, scan};
use super::side::{CallError, CallResult};
use crate::plan::Buffer;

/// A pointer of a reply into memory that the caller already has.
pub(super) struct KnownPointer {
    pub buffer: &'static Buffer,
    pub here: usize,
    /// The number of bytes from `here` to the end of the memory.
    pub bytes_left: usize,
    /// The value of the last element, if the buffer has an end marker.
    pub last: Option<i128>,
    /// The scope in which the number of elements is evaluated.
    pub scope: usize,
    pub name: u32,
}

impl KnownPointer {
    /// Returns the number of elements up to the end of the memory.
    pub fn elements(&self) -> u64 {
        self.bytes_left as u64 / self.buffer.stride.max(1) as u64
    }

    /// Checks that the memory has `count` elements, or the end marker.
    pub fn check(&self, count: Option<u64>) -> CallResult<()> {
        let all = self.elements();
        let (Some(_), Some(last)) = (&self.buffer.until, self.last) else {
            let needed = count.unwrap_or(0);
            let what = "the number of elements behind the pointer must be";
            return if needed <= all { Ok(()) } else { Err(CallError::TooLarge(what, self.name, needed, all)) };
        };
        let limit = count.unwrap_or(all).min(all);
        // SAFETY: the memory has `bytes_left` bytes, which are at least `limit` elements.
        let is_ended = unsafe { is_ended(self.buffer, self.here, (limit, count.unwrap_or(u64::MAX)), last) };
        if is_ended { Ok(()) } else { Err(CallError::Refused(NO_LAST, self.name)) }
    }
}

/// The reason for rejecting an array with an end marker that lacks it.
pub(super) const NO_LAST: &str = "its last element is missing";

/// Returns whether one of `valid` elements is the end marker `last`, or the array is filled up to its capacity of `count` elements.
///
/// # Safety
///
/// `here` must point to `valid` elements of the buffer, which has an end marker.
pub(super) unsafe fn is_ended(buffer: &Buffer, here: usize, (valid, count): (u64, u64), last: i128) -> bool {
    let Some(until) = &buffer.until else { return true };
    // SAFETY: the caller upholds the contract of this function.
    let found = unsafe { scan(here, buffer.stride, until.scalar, last, Some(valid)) };
    let end = here + (found as usize).saturating_sub(1) * buffer.stride;
    // SAFETY: `end` is the address of one of `valid` elements.
    let is_ended = found != 0 && is_end(unsafe { load(end, until.scalar) }, until.scalar, last);
    is_ended || buffer.count.is_some() && valid == count
}
