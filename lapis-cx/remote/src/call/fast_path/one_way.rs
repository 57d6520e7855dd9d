//! One-way scalar calls ([`FastCall::is_scalar`]). Programs make many of them in a row, so everything except the numbers is computed in
//! advance on both sides.

use super::super::described::{Described, Thunk};
use super::super::link::Link;
use super::scalar_call::{ScalarCall, scalar_calls};
use crate::marshal::access::{bytes, bytes_mut};
use crate::plan::{FEW, FastCall};
use crate::word::{BYTES, Part};

/// A function with scalar calls, on the worker.
pub(super) struct Served {
    pub scalar_call: ScalarCall,
    pub thunk: Thunk,
}

/// A function with one-way scalar calls, on the worker.
pub(super) struct ServedOneWay {
    pub one_way: OneWayCall,
    pub thunk: Thunk,
    pub name: u32,
}

/// The scalar-only functions of a library, by function.
pub(crate) struct ScalarCalls {
    pub(super) served: Box<[Option<Served>]>,
    pub(super) one_way: Box<[Option<ServedOneWay>]>,
}

impl ScalarCalls {
    pub fn new(described: &Described, thunks: &[Option<Thunk>]) -> ScalarCalls {
        let scalar_calls = scalar_calls(described);
        let one_way = one_way_calls(&scalar_calls).into_iter().zip(&scalar_calls).zip(thunks).map(
            |((one_way, scalar_call), thunk)| {
                Some(ServedOneWay { one_way: one_way?, thunk: (*thunk)?, name: scalar_call.as_ref()?.call.name })
            },
        );
        let one_way = one_way.collect();
        let served = scalar_calls
            .into_iter()
            .zip(thunks)
            .map(|(scalar_call, thunk)| Some(Served { scalar_call: scalar_call?, thunk: (*thunk)? }));
        ScalarCalls { served: served.collect(), one_way }
    }
}

/// The precomputed record of a one-way scalar call, in words: the framing, the head, and the layout of the numbers.
pub(crate) struct OneWayCall {
    part: Part,
    head: u64,
    /// The distance in bytes from its record to the next record.
    stride: usize,
    /// The offset of the numbers in the arguments and their count, if they are contiguous words.
    offset: u32,
    words: u32,
    fast: &'static FastCall,
}

/// The value of [`OneWayCall::words`] for numbers that are not contiguous words.
const APART: u32 = u32::MAX;

/// Returns the one-way scalar calls of a library, by function.
pub(crate) fn one_way_calls(scalar_calls: &[Option<ScalarCall>]) -> Box<[Option<OneWayCall>]> {
    let one_way = |scalar_call: &ScalarCall| {
        let (offset, words) = match *scalar_call.fast.copy_in {
            [] => (0, 0),
            [(offset, size @ (8 | 16))] => (offset as u32, (size / BYTES) as u32),
            _ => (0, APART),
        };
        let (part, head, fast) = (scalar_call.part, scalar_call.head, scalar_call.fast);
        scalar_call.is_one_way().then(|| OneWayCall { part, head, stride: part.one_way_stride(), offset, words, fast })
    };
    scalar_calls.iter().map(|scalar_call| scalar_call.as_ref().and_then(one_way)).collect()
}

/// Reads `N` words.
///
/// # Safety
///
/// `address` must have `N` readable words.
#[inline(always)]
unsafe fn words<const N: usize>(address: usize) -> [u64; N] {
    // SAFETY: the caller upholds the contract of this function.
    unsafe { (address as *const [u64; N]).read_unaligned() }
}

impl OneWayCall {
    /// Sends the call if its predecessor on the channel was also a one-way scalar call. Returns whether it was sent.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of the call.
    #[inline(always)]
    pub unsafe fn send(&self, link: &Link, arguments: usize) -> bool {
        let Ok(mut sender) = link.sender() else { return false };
        let at = arguments + self.offset as usize;
        sender.send_one_way(self.part, self.stride, |ring, to| {
            ring.store_words(to, [self.head]);
            // SAFETY: the plan places these members inside the argument struct.
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

    /// Copies non-contiguous numbers into the record. The next record overwrites the bytes after them.
    ///
    /// # Safety
    ///
    /// Same contract as [`send`](OneWayCall::send).
    #[cold]
    unsafe fn gather(&self, arguments: usize) -> [u64; FEW / BYTES] {
        let mut all = [0; FEW / BYTES];
        let mut to = all.as_mut_ptr().expose_provenance();
        for (offset, size) in &self.fast.copy_in {
            // SAFETY: the plan places these members inside the argument struct, and their total size is at most `FEW` bytes.
            unsafe { bytes_mut(to, *size).copy_from_slice(bytes(arguments + offset, *size)) };
            to += size;
        }
        all
    }

    /// Checks whether these words begin with the record of this call. If so, fills the arguments and returns the number of words used.
    /// Worker only.
    ///
    /// # Safety
    ///
    /// `arguments` must have space for the argument struct of the call.
    #[inline(always)]
    pub unsafe fn take(&self, window: &[u64], arguments: usize) -> Option<usize> {
        let (record, _) = window.split_at_checked(self.stride / BYTES)?;
        let [word, head, numbers @ ..] = record else { return None };
        if *word != self.part.word() || *head != self.head {
            return None;
        }
        let target = std::ptr::with_exposed_provenance_mut::<u64>(arguments + self.offset as usize);
        // SAFETY: the plan places these members inside the argument struct; `write_unaligned` accepts any alignment.
        unsafe {
            match (self.words, numbers) {
                (0, _) => {}
                (1, [one]) => target.write_unaligned(*one),
                (2, [one, other]) => {
                    target.write_unaligned(*one);
                    target.add(1).write_unaligned(*other);
                }
                _ => self.scatter(numbers, arguments),
            }
        }
        Some(record.len())
    }

    /// Copies non-contiguous numbers out of the record.
    ///
    /// # Safety
    ///
    /// Same contract as [`take`](OneWayCall::take).
    #[cold]
    unsafe fn scatter(&self, numbers: &[u64], arguments: usize) {
        let mut from = numbers.as_ptr().expose_provenance();
        let end = from + size_of_val(numbers);
        for (offset, size) in &self.fast.copy_in {
            if *size > end - from {
                return;
            }
            // SAFETY: `from` stays within the words of the numbers, and the target is a member of the argument struct.
            unsafe { bytes_mut(arguments + offset, *size).copy_from_slice(bytes(from, *size)) };
            from += size;
        }
    }
}

/// Returns the function index of the record that these words begin with.
#[inline(always)]
pub(crate) fn function_of(window: &[u64]) -> Option<u32> {
    window.get(1).map(|head| *head as u32)
}
