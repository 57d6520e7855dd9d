//! Buffers of a call on the fast path in the in-place memory of its channel. The library uses the buffers there, so they are copied once instead of
//! twice. The worker decides how much in-place memory it grants ([`Geometry::in_place`](crate::Geometry)), because its library reads memory that the
//! guest can still change.
//!
//! No address is sent. Both sides lay out the buffers in sequence, after the buffers of outer calls. A thread nests a call only inside a callback, so
//! both sides allocate and free in the same order.

use std::cell::{Cell, RefCell};

use smallvec::SmallVec;

use crate::Writer;
use crate::marshal::access::bytes;
use crate::marshal::alignment_of;
use crate::memory::InPlaceArea;

/// The address of a buffer, or null, and its size in bytes.
pub(super) type BufferSpan = (usize, usize);

/// The minimum total size in bytes for in-place buffers. Smaller buffers are sent in the record. With fault injection, all buffers are in place.
const LEAST: usize = if cfg!(all(feature = "fault-injection", not(loom))) { 1 } else { 2048 };
/// The number of remaining bytes of a copy from which the sender keeps the other side awake. The cost of a wake-up is small compared with a longer
/// copy.
const AWAKE: usize = 1 << 20;
/// The number of bytes copied between two signals to the other side. Copying them takes less than its spin time.
const STEP: usize = 128 << 10;
/// The alignment of a buffer that is smaller than a page: a cache line.
const LINE: usize = 64;
/// The alignment of other buffers.
const PAGE: usize = 4096;

/// Encodes a buffer in a request: 0 if it is null, else 1 plus the logarithm of its alignment, which the copy keeps.
pub(super) fn alignment(here: usize) -> u64 {
    if here == 0 { 0 } else { 1 + u64::from(alignment_of(here)) }
}

/// Returns the alignment in bytes that [`alignment`] encoded, at most a page.
pub(super) fn align_of(encoded: u64) -> usize {
    1 << encoded.saturating_sub(1).min(12)
}

/// The in-place memory of a channel, and the number of bytes that running calls use.
pub(crate) struct InPlaceMemory {
    area: Option<InPlaceArea>,
    used: Cell<usize>,
    /// The ids of the calls that use the memory, each with the number of bytes that outer calls use.
    calls: RefCell<Vec<(u32, usize)>>,
}

impl InPlaceMemory {
    pub fn new(area: Option<InPlaceArea>) -> InPlaceMemory {
        InPlaceMemory { area, used: Cell::new(0), calls: RefCell::default() }
    }

    /// Allocates in-place memory for the buffers of call `id` until the call is over. Returns `None` if they do not fit or are too small.
    #[inline]
    pub fn allocate(&self, id: u32, buffers: &[BufferSpan]) -> Option<InPlaceBuffers<'_>> {
        let total = buffers.iter().try_fold(0usize, |sum, (_, size)| sum.checked_add(*size))?;
        if total < LEAST {
            return None;
        }
        let mut in_place = self.begin(id)?;
        for (here, size) in buffers {
            in_place.add(*size, alignment(*here))?;
        }
        Some(in_place)
    }

    /// Starts an empty allocation for call `id`.
    pub fn begin(&self, id: u32) -> Option<InPlaceBuffers<'_>> {
        let area = self.area.as_ref()?;
        self.calls.try_borrow_mut().ok()?.push((id, self.used.get()));
        Some(InPlaceBuffers { area, memory: self, id, offsets: SmallVec::new() })
    }

    /// Frees the memory of call `id` and of the calls nested in it.
    pub fn leave(&self, id: u32) {
        if let Ok(mut calls) = self.calls.try_borrow_mut()
            && let Some(first) = calls.iter().position(|(call, _)| *call >= id)
        {
            self.used.set(calls[first].1);
            calls.truncate(first);
        }
    }
}

/// The in-place buffers of a call. Dropping it frees their memory.
pub(crate) struct InPlaceBuffers<'a> {
    area: &'a InPlaceArea,
    memory: &'a InPlaceMemory,
    id: u32,
    offsets: SmallVec<[usize; 4]>,
}

impl Drop for InPlaceBuffers<'_> {
    fn drop(&mut self) {
        self.memory.leave(self.id);
    }
}

impl InPlaceBuffers<'_> {
    /// Allocates `size` bytes for the next buffer and returns the address, or `None` if the memory is full. `alignment` is that of the
    /// caller's buffer, as the request encodes it.
    pub fn add(&mut self, size: usize, alignment: u64) -> Option<usize> {
        let least = if size < PAGE { LINE } else { PAGE };
        let at = self.memory.used.get().next_multiple_of(least.max(align_of(alignment)));
        let address = self.area.address(at, size)?;
        self.memory.used.set(at + size);
        self.offsets.push(at);
        Some(address)
    }

    /// Copies the buffers into in-place memory, and ends the record with a word. A large copy takes longer than the other side spins. The
    /// sender therefore signals it at intervals, which avoids a wake-up at the end.
    ///
    /// # Safety
    ///
    /// Each buffer must have its number of readable bytes.
    pub unsafe fn send(&self, to: &mut Writer<'_>, buffers: &[BufferSpan]) {
        // Null buffers have size 0.
        let mut left: usize = buffers.iter().map(|(_, size)| size).sum();
        for (mut at, (here, size)) in self.offsets.iter().copied().zip(buffers) {
            // SAFETY: the caller guarantees the buffer. A program that changes it meanwhile would race with the library natively too.
            let mut rest = unsafe { bytes(*here, *size) };
            while !rest.is_empty() {
                if (STEP / 2..=AWAKE).contains(&left) {
                    to.keep_awake();
                }
                let step = if left > AWAKE { left - AWAKE } else { STEP };
                let (now, later) = rest.split_at(step.min(rest.len()));
                self.area.write(at, now);
                at += now.len();
                left -= now.len();
                rest = later;
            }
        }
        to.put_u64(0);
    }

    /// Copies the part of a buffer at `offset` from in-place memory.
    pub fn read(&self, buffer: usize, offset: usize, to: &mut [u8]) {
        if let Some(at) = self.offsets.get(buffer) {
            self.area.read(*at + offset, to);
        }
    }
}
