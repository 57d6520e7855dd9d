//! Checks that kept structs have the pointers of the call: pointers to memory that lasts only for the call, and the numbers that determine the size
//! of this memory.
//!
//! A message stores no value where a later message of another thread has stored one. The pointer of the later call leads to memory of that call,
//! which may have ended. So the worker refuses a call if a later message has stored another pointer or size. Messages of a correct guest arrive in
//! such an order only if two threads pass the struct at the same time, or if a thread passes it while an asynchronous call of another has not arrived.

use std::ops::Range;

use super::access::{bytes, load_pointer};
use super::entries::BufferEntries;
use super::frame::MemoryKind;
use super::marshaller::Marshaller;
use super::region_contents::{PointerOfCall, ReceivedContents};
use super::side::{CallError, CallResult};
use super::sources::Reads;
use super::tables::Tables;
use crate::locks::guard;
use crate::plan::{Buffer, Lifetime, Ownership};

/// The reason for refusing a call whose pointers were replaced.
const OVERTAKEN: &str = "another thread passed it in a later call that arrived first; use a lock around the calls";

impl Marshaller<'_> {
    /// Records the values that expressions read, if these may be in staged contents, until the reads are taken.
    pub(super) fn record_reads(&mut self) {
        if matches!(self.kind, MemoryKind::Staged { .. }) {
            self.stage.sources.record_reads();
        }
    }

    /// Records a pointer of the call in staged contents, and the values on which the size of its memory depends.
    pub(super) fn add_pointer_of_call(&mut self, slot: usize, size_depends_on: Reads, name: u32) -> CallResult<()> {
        let (MemoryKind::Staged { of, .. }, true) = (self.kind, self.is_worker()) else { return Ok(()) };
        let Some(contents) = self.contents.received.get_mut(of as usize).filter(|contents| contents.is_copy) else {
            return Ok(());
        };
        let cost = size_of::<PointerOfCall>() + size_depends_on.len() * size_of::<(usize, usize)>();
        contents.of_call.push(PointerOfCall { slot, size_depends_on, name });
        self.charge(cost)
    }

    /// Records the pointer to a buffer as [`add_pointer_of_call`](Self::add_pointer_of_call) does, if its memory lasts only for the call.
    pub(super) fn add_buffer_of_call(
        &mut self,
        buffer: &'static Buffer,
        slot: usize,
        size_depends_on: Reads,
        name: u32,
    ) -> CallResult<()> {
        let is_of_call = matches!(buffer.lifetime, Lifetime::Call) && buffer.ownership == Ownership::Borrowed;
        if !is_of_call || self.inherited.is_some() {
            return Ok(());
        }
        self.add_pointer_of_call(slot, size_depends_on, name)
    }

    /// Checks that a copy contains the pointers of the call after its contents were stored.
    ///
    /// # Errors
    ///
    /// A later message has stored another pointer or size.
    pub(super) fn check_pointers_of_call(&mut self, of: u32) -> CallResult<()> {
        let (tables, entries) = (self.tables, &mut *self.entries);
        let Some(contents) = self.contents.received.get_mut(of as usize) else { return Ok(()) };
        // Late addresses are stored after the contents, with a second call. The pointers are checked with the first.
        let (all, contents) = (std::mem::take(&mut contents.of_call), &*contents);
        let mut different = all.iter().filter(|one| contents.has_other_values(one));
        let overtaken = different.find(|one| contents.is_overtaken(&mut guard(tables), entries, one));
        overtaken.map_or(Ok(()), |one| Err(CallError::Refused(OVERTAKEN, one.name)))
    }
}

impl PointerOfCall {
    /// Returns the address and size of the pointer, then those of the values on which the size of its memory depends.
    fn values(&self) -> impl Iterator<Item = (usize, usize)> {
        [(self.slot, size_of::<usize>())].into_iter().chain(self.size_depends_on.iter().copied())
    }
}

impl ReceivedContents {
    /// Returns the offsets of a value if the copy has other bytes there than the message.
    fn other_value(&self, (address, count): (usize, usize)) -> Option<Range<usize>> {
        let (staged, size) = self.staged;
        let at = address.checked_sub(self.start).filter(|at| at.saturating_add(count) <= size)?;
        // SAFETY: the copy and the staged contents have the same size.
        let differs = unsafe { bytes(address, count) != bytes(staged + at, count) };
        differs.then_some(at..at + count)
    }

    fn has_other_values(&self, pointer: &PointerOfCall) -> bool {
        pointer.values().any(|value| self.other_value(value).is_some())
    }

    /// Returns whether a later message of another call has stored another pointer, or another value on which its size depends. If this message has
    /// null or a pointer into a region, the copy may have another pointer into a region, as that memory lasts.
    fn is_overtaken(&self, tables: &mut Tables, entries: &mut BufferEntries, pointer: &PointerOfCall) -> bool {
        let in_region = |pointer: usize| tables.region_with(pointer, 1, None).is_some();
        // SAFETY: the slot is in the copy and in the staged contents, which have the same size.
        let (now, new) =
            unsafe { (load_pointer(pointer.slot), load_pointer(self.staged.0 + pointer.slot - self.start)) };
        if in_region(now) && (new == 0 || in_region(new)) {
            return false;
        }
        let Some((versions, _)) = tables.versions(self.at.id, self.region()) else { return false };
        // Nested contents of the same message count as later contents, and may have stored another pointer of this call. Its buffer must be as
        // large as that of this pointer, if this pointer has one.
        let [stored, own] = [now, new].map(|here| entries.bytes_at(pointer.slot, here));
        let is_of_this_call = stored.is_some_and(|stored| own.is_none_or(|own| stored >= own));
        let values = pointer.values().skip(usize::from(is_of_this_call));
        values
            .filter_map(|value| self.other_value(value))
            .any(|range| versions.has(&self.in_region(&range), self.number, self.number))
    }
}
