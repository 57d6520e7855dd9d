//! FastCall calls ([`FastCall`]): what most of a walk is for is not in them, so there is none.
//!
//! Their records have a form of their own, of which the guest says that it is theirs:
//!
//! ```text
//! CALL    u64 function, mode and flags | u64 ticket of the lane of all calls, if there is one | numbers | u64 of each object
//!         | if there are buffers: u64, four bits for each ([`alignment`]) | contents of those that go
//! RETURN  u64 flags, errno in the upper half | what they announce | the result | if it succeeded: contents that come
//! ```
//!
//! Of a call whose flags say so, contents are in the room of the channel both times ([`in_place`]), and those of each buffer go.
//!
//! No size is sent: both sides compute each of the same numbers, and a record that ends sooner or later is refused. A call with memory
//! that both sides keep, or with a buffer inside of another, is made by a walk.

pub(super) mod in_place;
pub(super) mod make;
pub(super) mod one_way;
pub(super) mod scalar_call;
pub(super) mod serve;
pub(super) mod serve_scalar_calls;

use super::endpoint::Endpoint;
use crate::marshal::access::{bytes, bytes_mut};
use crate::marshal::{CallError, CallResult, STAYS, alignment_of};
use crate::plan::{Flat, Object};
use crate::send::Small;
use crate::{Reader, Writer};

/// What a request says of a buffer: 0 if it is null, else 1 and the logarithm of its alignment, which its copy keeps.
fn alignment(here: usize) -> u64 {
    if here == 0 { 0 } else { 1 + u64::from(alignment_of(here)) }
}

/// Nothing more may follow.
fn ends(from: &Reader<'_>) -> CallResult<()> {
    if from.remaining() == 0 && !from.is_open() { Ok(()) } else { Err(OTHER_SIZE) }
}

const OTHER_SIZE: CallError = CallError::Refused("what was sent has another size than its numbers say", 0);

impl Object {
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    unsafe fn bits(&self, arguments: usize) -> u64 {
        // SAFETY: a member of the arguments.
        unsafe {
            match self.bytes {
                4 => u64::from(((arguments + self.offset) as *const u32).read_unaligned()),
                _ => ((arguments + self.offset) as *const u64).read_unaligned(),
            }
        }
    }

    /// # Safety
    ///
    /// As above.
    unsafe fn store(&self, arguments: usize, bits: u64) {
        // SAFETY: a member of the arguments.
        unsafe {
            match self.bytes {
                4 => ((arguments + self.offset) as *mut u32).write_unaligned(bits as u32),
                _ => ((arguments + self.offset) as *mut u64).write_unaligned(bits),
            }
        }
    }
}

impl Flat {
    /// Whether contents of so many bytes go. What an `out` buffer has before the call goes too if it is small: what the library does
    /// not write stays.
    fn goes(&self, size: usize) -> bool {
        self.takes_in || size <= STAYS
    }

    /// Bytes.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    unsafe fn size<P: Endpoint>(&self, endpoint: &P, arguments: usize) -> CallResult<usize> {
        // SAFETY: as the caller says.
        let count = unsafe { self.count.value(arguments) }.and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or(CallError::Refused("its size is no number, below 0 or too large", self.name))?;
        let size = count.checked_mul(self.stride).filter(|size| *size <= endpoint.limits().call);
        size.ok_or(CallError::TooLarge("it is larger than the limit", self.name))
    }

    /// Of a null pointer nothing travels, however many elements there were. One to nothing may be null, whatever is said of it.
    ///
    /// # Safety
    ///
    /// As [`size`](Flat::size).
    unsafe fn may_be_null<P: Endpoint>(&self, endpoint: &P, arguments: usize) -> CallResult<()> {
        // SAFETY: as the caller says.
        if self.is_optional || unsafe { self.size(endpoint, arguments)? } == 0 {
            return Ok(());
        }
        Err(CallError::Refused("it is null", self.name))
    }
}

/// A record that is written.
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

/// Sends members, which are mostly one number or few.
///
/// # Safety
///
/// So many bytes lie there.
#[inline(always)]
unsafe fn put(to: &mut impl Put, address: usize, size: usize) {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            4 => to.put_array((address as *const [u8; 4]).read()),
            8 => to.put_array((address as *const [u8; 8]).read()),
            16 => to.put_array((address as *const [u8; 16]).read()),
            _ => to.put(bytes(address, size)),
        }
    }
}

/// Receives them.
///
/// # Safety
///
/// There is room for so many bytes.
#[inline(always)]
unsafe fn get(from: &mut Reader<'_>, address: usize, size: usize) -> CallResult<()> {
    // SAFETY: as the caller says.
    Ok(from.get(unsafe { bytes_mut(address, size) })?)
}
