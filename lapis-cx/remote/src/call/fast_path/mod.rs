//! Calls on the fast path ([`FastCall`](crate::plan::FastCall)), which need no marshaller.
//!
//! A flag of the request selects their record format:
//!
//! ```text
//! CALL    u64 function, mode and flags | u64 ticket of the global lane, if any | numbers | u64 of each object
//!         | if there are buffers: u64, four bits for each ([`alignment`](in_place::alignment)) | contents of copied-in buffers
//! RETURN  u64 flags, errno in the upper half | announcements | the result | on success: contents of copied-out buffers
//! ```
//!
//! If the request has the flag `IN_PLACE`, contents are in the channel's in-place memory in both directions ([`in_place`]), and every buffer is
//! copied in.
//!
//! No size is sent. Both sides compute each size from the same numbers, and the receiver rejects a record of another length. Calls with memory that
//! both sides keep, or with nested buffers, need a marshaller.

pub(super) mod in_place;
pub(super) mod make;
pub(super) mod one_way;
pub(super) mod scalar_call;
pub(super) mod serve;
pub(super) mod serve_scalar_calls;

use super::endpoint::Endpoint;
use crate::marshal::access::{bytes, bytes_mut};
use crate::marshal::{CallError, CallResult, NO_NAME, NO_SIZE};
use crate::plan::{Flat, Object};
use crate::send::Small;
use crate::{Reader, Writer};

/// Checks that the record ends here.
pub(crate) fn ends(from: &Reader<'_>) -> CallResult<()> {
    if from.remaining() == 0 && !from.is_open() { Ok(()) } else { Err(OTHER_SIZE) }
}

const OTHER_SIZE: CallError = CallError::Refused("the record has another size than its arguments determine", NO_NAME);

impl Object {
    /// Returns the bits of a handle argument.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of the call.
    unsafe fn bits(&self, arguments: usize) -> u64 {
        // SAFETY: the plan places this member inside the argument struct.
        unsafe {
            match self.bytes {
                4 => u64::from(((arguments + self.offset) as *const u32).read_unaligned()),
                _ => ((arguments + self.offset) as *const u64).read_unaligned(),
            }
        }
    }

    /// Stores the bits of a handle argument.
    ///
    /// # Safety
    ///
    /// Same contract as [`bits`](Object::bits).
    unsafe fn store(&self, arguments: usize, bits: u64) {
        // SAFETY: the plan places this member inside the argument struct.
        unsafe {
            match self.bytes {
                4 => ((arguments + self.offset) as *mut u32).write_unaligned(bits as u32),
                _ => ((arguments + self.offset) as *mut u64).write_unaligned(bits),
            }
        }
    }
}

impl Flat {
    /// Returns the size of the buffer in bytes.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of the call.
    unsafe fn size<P: Endpoint>(&self, endpoint: &P, arguments: usize) -> CallResult<usize> {
        // SAFETY: the caller upholds the contract of this function.
        let count = unsafe { self.count.value(arguments) }.and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or(CallError::Refused(NO_SIZE, self.name))?;
        let (size, limit) = (count.saturating_mul(self.stride), endpoint.limits().call);
        let what = "its size in bytes (CX_REMOTE_CALL_BYTES) is";
        if size <= limit { Ok(size) } else { Err(CallError::TooLarge(what, self.name, size as u64, limit as u64)) }
    }

    /// Checks that the buffer may be null: it is optional or its size is 0. A null pointer sends no contents, regardless of the size.
    ///
    /// # Safety
    ///
    /// Same contract as [`size`](Flat::size).
    unsafe fn check_null_allowed<P: Endpoint>(&self, endpoint: &P, arguments: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        if self.is_optional || unsafe { self.size(endpoint, arguments)? } == 0 {
            return Ok(());
        }
        Err(CallError::null(self.name))
    }
}

/// A destination for the encoded record.
trait Put {
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]);
    fn put(&mut self, bytes: &[u8]);
}

macro_rules! puts {
    ($type:ident) => {
        impl Put for $type<'_> {
            #[inline(always)]
            fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
                $type::put_array(self, bytes);
            }

            #[inline(always)]
            fn put(&mut self, bytes: &[u8]) {
                $type::put(self, bytes);
            }
        }
    };
}

puts!(Writer);
puts!(Small);

/// Encodes `size` bytes at `address`, usually a few numbers.
///
/// # Safety
///
/// `address` must have `size` readable bytes.
#[inline(always)]
unsafe fn put(to: &mut impl Put, address: usize, size: usize) {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        match size {
            4 => to.put_array((address as *const [u8; 4]).read()),
            8 => to.put_array((address as *const [u8; 8]).read()),
            16 => to.put_array((address as *const [u8; 16]).read()),
            _ => to.put(bytes(address, size)),
        }
    }
}

/// Decodes `size` bytes into `address`.
///
/// # Safety
///
/// `address` must have `size` writable bytes.
#[inline(always)]
unsafe fn get(from: &mut Reader<'_>, address: usize, size: usize) -> CallResult<()> {
    // SAFETY: the caller upholds the contract of this function.
    Ok(from.get(unsafe { bytes_mut(address, size) })?)
}
