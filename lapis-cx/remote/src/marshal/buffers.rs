//! Finds and records the buffers of a request.

use super::entries::{BufferEntry, Sought, element_key};
use super::frame::Retained;
use super::marshaller::Marshaller;
use super::shape::Shape;
use super::side::{CallError, CallResult};
use crate::plan::{Buffer, Kind, Lifetime, Ownership, is_written};

/// What kind of memory a buffer is in.
#[derive(Clone, Copy, Default)]
pub(super) struct NotedMemory {
    /// The region whose owner is determined by the buffer's lifetime; 0 for memory of the call.
    pub region: u32,
    /// See [`BufferEntry::frees_on`].
    pub frees_on: Option<bool>,
    /// The engine allocated the memory.
    pub is_ours: bool,
    /// See [`BufferEntry::is_owner`].
    pub is_owner: bool,
    /// See [`BufferEntry::to_base`].
    pub to_base: Option<usize>,
}

impl Marshaller<'_> {
    /// Returns the buffer of the pointer at `slot`, with its position.
    pub(super) fn entry_at(&mut self, slot: usize) -> Option<(u32, BufferEntry)> {
        let at = self.entries.at_slot(slot)?;
        Some((at as u32, *self.entries.get(at)?))
    }

    /// Returns the position of the buffer of this call that contains `bytes` bytes at `address`, and the offset of `address` in it.
    pub(super) fn entry_with(&mut self, address: usize, bytes: usize, shape: Option<Shape>) -> Option<(u32, usize)> {
        let at = self.entries.containing(address, bytes, shape.map_or(Sought::Anything, Sought::Shape))?;
        Some((at as u32, address - self.entries.get(at)?.here))
    }

    /// Returns the position of the buffer of this call that ends at `address`, and its size.
    pub(super) fn entry_ending(&self, address: usize) -> Option<(u32, usize)> {
        let at = self.entries.iter().position(|entry| entry.end() == address)?;
        Some((at as u32, self.entries.get(at)?.bytes))
    }

    /// Returns the position of an earlier buffer that already carries the `bytes` bytes of `buffer` at `here`, and the offset in it. The
    /// message then carries the contents once. Only blocks are searched, as only they can point to themselves.
    ///
    /// Memory that outlives the call is only repeated for the same lifetime: the memory that it points to has the owner of the first pointer.
    pub(super) fn repeated(&mut self, buffer: &'static Buffer, here: usize, bytes: usize) -> Option<(u32, usize)> {
        if !matches!(buffer.element.kind, Kind::Block(_)) || buffer.facts.is_flat || buffer.facts.varies || bytes == 0 {
            return None;
        }
        if buffer.until.is_some() || buffer.valid.is_some() || buffer.ownership == Ownership::Taken {
            return None;
        }
        let retained = self.retained(buffer);
        let offset_in = |entry: &BufferEntry| {
            let offset = here.checked_sub(entry.here)?;
            (entry.has_contents_of(buffer, offset, bytes) && entry.has_lifetime(retained)).then_some(offset)
        };
        let at = self.entries.containing(here, bytes, Sought::Element(element_key(buffer)))?;
        if let Some(offset) = offset_in(self.entries.get(at)?) {
            return Some((at as u32, offset));
        }
        retained?;
        self.entries.iter().enumerate().find_map(|(at, entry)| Some((at as u32, offset_in(entry)?)))
    }

    /// Records a buffer of the request with `count` elements in `bytes` bytes. Its record is charged before its memory is made.
    pub(super) fn note_buffer(
        &mut self,
        buffer: &'static Buffer,
        slot: usize,
        (here, count, bytes): (usize, u64, usize),
        memory: NotedMemory,
        is_repeated: bool,
    ) {
        let NotedMemory { region, frees_on, is_ours, is_owner, to_base } = memory;
        let Retained { lifetime, own } =
            self.retained(buffer).unwrap_or(Retained { lifetime: &Lifetime::Call, own: self.own() });
        let entry = BufferEntry {
            slot,
            here,
            count,
            valid: 0,
            bytes,
            region,
            lifetime,
            ends_region: matches!(buffer.ownership, Ownership::EndsMirror | Ownership::Taken) && frees_on.is_none(),
            is_returned: false,
            frees_on,
            free: buffer.free,
            shape: self.shape(buffer),
            element: element_key(buffer),
            is_ours,
            is_owner,
            to_base,
            takes_in: buffer.takes_in,
            takes_out: buffer.takes_out,
            is_written: is_written(buffer),
            is_blank: buffer.facts.is_flat && buffer.takes_out && !self.has_contents(buffer, bytes),
            is_repeated,
            provisional: self.provisional(buffer),
            own,
        };
        self.entries.push(entry);
    }

    /// Sets how many elements of the last recorded buffer the request carries.
    pub(super) fn carries(&mut self, valid: u64) {
        if let Some(entry) = self.entries.all.last_mut() {
            entry.valid = valid;
        }
    }

    /// Charges memory that the engine allocates for this call.
    ///
    /// # Errors
    ///
    /// Fails if the call exceeds its memory limit.
    pub(super) fn charge(&mut self, bytes: usize) -> CallResult<()> {
        if self.arena.charge(bytes, self.limits.call) { Ok(()) } else { Err(self.exceeds(bytes, self.outer)) }
    }

    /// The error of a call that would use `more` bytes beyond its limit.
    pub(super) fn exceeds(&self, more: usize, name: u32) -> CallError {
        let needed = (self.arena.total() as u64).saturating_add(more as u64);
        CallError::TooLarge(
            "the memory of the call in bytes (CX_REMOTE_CALL_BYTES) would be",
            name,
            needed,
            self.limits.call as u64,
        )
    }
}

impl BufferEntry {
    /// Returns whether the buffer has this lifetime, evaluated in the same block, if it is one that outlives the call.
    pub(super) fn has_lifetime(&self, retained: Option<Retained>) -> bool {
        retained.is_none_or(|one| self.region != 0 && std::ptr::eq(self.lifetime, one.lifetime) && self.own == one.own)
    }
}
