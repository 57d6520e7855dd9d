//! ScalarCall calls ([`FastCall::is_scalar`]) that nobody waits for: programs make many of them, and do not do much else. All that is sent is
//! known before, but for few numbers, and both sides know it.

use super::super::described::{Described, Thunk};
use super::super::link::Link;
use super::scalar_call::{ScalarCall, scalar_call};
use crate::marshal::access::{bytes, bytes_mut};
use crate::plan::{FEW, FastCall};
use crate::word::{BYTES, Part};

/// A function whose calls hold few numbers only.
pub(super) struct Served {
    pub scalar_call: ScalarCall,
    pub thunk: Thunk,
}

/// An asynchronous one.
pub(super) struct ServedOneWay {
    pub tell: OneWayCall,
    pub thunk: Thunk,
    pub name: u32,
}

/// The scalar-only functions of a library, by function.
pub(crate) struct ScalarCalls {
    pub(super) served: Box<[Option<Served>]>,
    pub(super) told: Box<[Option<ServedOneWay>]>,
}

impl ScalarCalls {
    pub fn new(described: &Described, thunks: &[Option<Thunk>]) -> ScalarCalls {
        let scalar_call = scalar_call(described);
        let told = one_way_calls(&scalar_call).into_iter().zip(&scalar_call).zip(thunks).map(
            |((tell, scalar_call), thunk)| {
                Some(ServedOneWay { tell: tell?, thunk: (*thunk)?, name: scalar_call.as_ref()?.call.name })
            },
        );
        let told = told.collect();
        let served = scalar_call
            .into_iter()
            .zip(thunks)
            .map(|(scalar_call, thunk)| Some(Served { scalar_call: scalar_call?, thunk: (*thunk)? }));
        ScalarCalls { served: served.collect(), told }
    }
}

/// Such a call, as words: that of its record, the first one behind it, and its numbers.
pub(crate) struct OneWayCall {
    part: Part,
    head: u64,
    /// From its record to the next one: bytes.
    stride: usize,
    /// Where its numbers lie in the arguments if they are whole words side by side, and how many these are.
    offset: u32,
    words: u32,
    fast: &'static FastCall,
}

/// In place of how many words there are: the numbers lie apart.
const APART: u32 = u32::MAX;

/// Such calls of a library, by function.
pub(crate) fn one_way_calls(scalar_call: &[Option<ScalarCall>]) -> Box<[Option<OneWayCall>]> {
    let tell = |scalar_call: &ScalarCall| {
        let (offset, words) = match *scalar_call.fast.goes {
            [] => (0, 0),
            [(offset, size @ (8 | 16))] => (offset as u32, (size / BYTES) as u32),
            _ => (0, APART),
        };
        let (part, head, fast) = (scalar_call.part, scalar_call.head, scalar_call.fast);
        scalar_call.is_told().then(|| OneWayCall { part, head, stride: part.told_stride(), offset, words, fast })
    };
    scalar_call.iter().map(|scalar_call| scalar_call.as_ref().and_then(tell)).collect()
}

/// # Safety
///
/// So many words can be read there.
#[inline(always)]
unsafe fn words<const N: usize>(address: usize) -> [u64; N] {
    // SAFETY: as the caller says.
    unsafe { (address as *const [u64; N]).read_unaligned() }
}

impl OneWayCall {
    /// Sends the call if it follows another such one: true. Otherwise there is more to be done.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    #[inline(always)]
    pub unsafe fn send(&self, link: &Link, arguments: usize) -> bool {
        let Ok(mut sender) = link.sender() else { return false };
        let at = arguments + self.offset as usize;
        sender.tell(self.part, self.stride, |ring, to| {
            ring.store_words(to, [self.head]);
            // SAFETY: members of the arguments.
            unsafe {
                match self.words {
                    0 => {}
                    1 => ring.store_words(to + BYTES, words::<1>(at)),
                    2 => ring.store_words(to + BYTES, words::<2>(at)),
                    _ => ring.store_words(to + BYTES, self.gather(arguments)),
                }
            }
        })
    }

    /// Numbers that lie apart, side by side. What is behind them is written over by the next record.
    ///
    /// # Safety
    ///
    /// As [`send`](OneWayCall::send).
    #[cold]
    unsafe fn gather(&self, arguments: usize) -> [u64; FEW / BYTES] {
        let mut all = [0; FEW / BYTES];
        let mut to = all.as_mut_ptr().expose_provenance();
        for (offset, size) in &self.fast.goes {
            // SAFETY: members of the arguments, of no more than `FEW` bytes in all.
            unsafe { bytes_mut(to, *size).copy_from_slice(bytes(arguments + offset, *size)) };
            to += size;
        }
        all
    }

    /// The worker's side: whether these words begin with the record of this call. Then the arguments are filled, and it is said how
    /// many words that were.
    ///
    /// # Safety
    ///
    /// There is room for the struct of the call's arguments.
    #[inline(always)]
    pub unsafe fn take(&self, window: &[u64], arguments: usize) -> Option<usize> {
        let (record, _) = window.split_at_checked(self.stride / BYTES)?;
        let [word, head, numbers @ ..] = record else { return None };
        if *word != self.part.word() || *head != self.head {
            return None;
        }
        let place = std::ptr::with_exposed_provenance_mut::<u64>(arguments + self.offset as usize);
        // SAFETY: members of the arguments, which are aligned as they are.
        unsafe {
            match (self.words, numbers) {
                (0, _) => {}
                (1, [one]) => place.write_unaligned(*one),
                (2, [one, other]) => {
                    place.write_unaligned(*one);
                    place.add(1).write_unaligned(*other);
                }
                _ => self.scatter(numbers, arguments),
            }
        }
        Some(record.len())
    }

    /// # Safety
    ///
    /// As [`take`](OneWayCall::take).
    #[cold]
    unsafe fn scatter(&self, numbers: &[u64], arguments: usize) {
        let mut from = numbers.as_ptr().expose_provenance();
        let end = from + size_of_val(numbers);
        for (offset, size) in &self.fast.goes {
            if *size > end - from {
                return;
            }
            // SAFETY: within the numbers; members of the arguments.
            unsafe { bytes_mut(arguments + offset, *size).copy_from_slice(bytes(from, *size)) };
            from += size;
        }
    }
}

/// Which function a record means, of which these are the words.
#[inline(always)]
pub(crate) fn function_of(window: &[u64]) -> Option<u32> {
    window.get(1).map(|head| *head as u32)
}
