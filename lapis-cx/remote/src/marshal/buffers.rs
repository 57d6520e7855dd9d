//! Finds and records the buffers of a request.

use super::entries::{BufferEntry, BufferMemory, Sought, element_key, lifetime_key};
use super::frame::Retained;
use super::marshaller::Marshaller;
use super::scopes::{Scope, Scopes};
use super::shape::Shape;
use super::side::{CallError, CallResult};
use crate::plan::{Buffer, Kind, Lifetime, Ownership, is_local, is_written};

/// The reason for rejecting a block that an earlier pointer passes in another way.
pub(super) const PASSED_TWICE: &str =
    "another pointer of the call passes memory of this block with `own` and describes it otherwise";

/// Returns whether a second pointer to the elements of a buffer has the same contents as the first pointer: the plan determines the number of
/// elements, and no expression in the elements reads an enclosing block.
pub(super) fn may_repeat(buffer: &Buffer) -> bool {
    buffer.until.is_none() && !buffer.facts.varies && !buffer.facts.reads_outer
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
    pub(super) fn entry_ending(&mut self, address: usize) -> Option<(u32, usize)> {
        let at = self.entries.ending(address)?;
        Some((at as u32, self.entries.get(at)?.bytes))
    }

    /// Returns the position of an earlier buffer that already carries the `bytes` bytes of `buffer` at `here`, and the offset in it. The
    /// message then carries the contents once. Only buffers of blocks are searched, because only blocks can point to themselves.
    ///
    /// For memory that outlives the call, the lifetimes must be equal: memory that it points to gets the owner of the first pointer. The first pointer
    /// must also let the other side change the memory if `buffer` does.
    pub(super) fn repeated(&mut self, buffer: &'static Buffer, here: usize, bytes: usize) -> Option<(u32, usize)> {
        if buffer.facts.is_flat || bytes == 0 || buffer.valid.is_some() || buffer.ownership == Ownership::Taken {
            return None;
        }
        if !matches!(buffer.element.kind, Kind::Block(_)) || !may_repeat(buffer) {
            return None;
        }
        let (retained, must_last) = (self.retained(buffer), self.outlives);
        let scopes = &self.stage.scopes;
        let candidates = match retained {
            None => self.entries.containing(here, bytes, Sought::Element(element_key(buffer))).into_iter().collect(),
            Some(retained) => self.entries.repeatable(element_key(buffer), retained, here, scopes),
        };
        candidates.into_iter().find_map(|at| {
            let entry = self.entries.get(at)?;
            let offset = here.checked_sub(entry.here)?;
            let is_same = entry.has_contents_of(buffer, offset, bytes) && entry.has_lifetime(buffer, retained, scopes);
            let region = entry.region;
            let is_changeable = || self.lock_regions().region(region).is_some_and(|one| one.is_changeable);
            let is_same = is_same && (region == 0 || buffer.is_constant || is_changeable());
            (is_same && (entry.outlives || !must_last)).then_some((at as u32, offset))
        })
    }

    /// Returns the position of an earlier buffer that passes the same block with `own`, as the link of a ring of nodes does, and the offset 0. The
    /// block is passed once, and the pointer repeats it.
    ///
    /// # Errors
    ///
    /// The earlier pointer passes a part of the block, or the block with another description.
    pub(super) fn passed_before(
        &mut self,
        buffer: &'static Buffer,
        here: usize,
        bytes: usize,
        name: u32,
    ) -> CallResult<Option<(u32, usize)>> {
        if !self.entries.overlaps(here, here.saturating_add(bytes), Sought::Passed) {
            return Ok(None);
        }
        let found = self.entries.containing(here, bytes, Sought::Passed);
        let at = found.filter(|at| self.entries.get(*at).is_some_and(|entry| entry.passes(buffer, here, bytes)));
        at.map(|at| Some((at as u32, 0))).ok_or(CallError::Refused(PASSED_TWICE, name))
    }

    /// Records a buffer of the request with `count` elements in `bytes` bytes. The caller must have charged the size of its [`BufferEntry`].
    pub(super) fn record_buffer(
        &mut self,
        buffer: &'static Buffer,
        slot: usize,
        (here, count, bytes): (usize, u64, usize),
        memory: BufferMemory,
        repeats: Option<u32>,
    ) {
        let BufferMemory { region, counted, frees_on, accepts_data, is_owner, outlives, at, in_region } = memory;
        let retained = self.retained(buffer);
        // Memory without a lifetime is kept because the pointer to it is kept.
        let has_unknown_end = region != 0 && retained.is_none();
        let is_inherited = region != 0 && retained.is_some() && matches!(buffer.lifetime, Lifetime::Call);
        let Retained { lifetime, scope } = retained.unwrap_or(Retained { lifetime: &Lifetime::Call, scope: 0 });
        // Such an expression has another value once either side stores another pointer here.
        let is_own_scope = match lifetime {
            Lifetime::Scope(_, code) => self.eval_in(code, scope) == Some(here as i128),
            _ => false,
        };
        let entry = BufferEntry {
            slot: self.address_in_reply(slot),
            here,
            count,
            valid: 0,
            bytes,
            region,
            counted,
            lifetime,
            // The first pointer with `own` to a block ends it.
            ends_region: match buffer.ownership {
                Ownership::EndsMirroredStruct => frees_on.is_none(),
                Ownership::Taken => frees_on.is_none() && repeats.is_none(),
                _ => false,
            },
            has_unknown_end,
            is_inherited,
            is_own_scope,
            is_returned: false,
            frees_on,
            free: buffer.free,
            shape: self.shape(buffer),
            element: element_key(buffer),
            accepts_data,
            is_owner,
            outlives,
            at,
            in_region,
            is_in: buffer.is_in,
            is_out: buffer.is_out,
            is_written: is_written(buffer) || is_local(buffer),
            is_local: is_local(buffer),
            is_changed: buffer.is_out || buffer.facts.has_own_results,
            is_blank: buffer.facts.is_flat && buffer.is_out && !self.has_contents(buffer, bytes),
            repeats,
            is_sent: false,
            is_left_out: false,
            is_gone: false,
            is_owned: false,
            provisional: self.provisional(buffer),
            scope,
        };
        self.entries.push(entry);
    }

    /// Sets how many elements of the last recorded buffer the request carries.
    pub(super) fn carries(&mut self, valid: u64) {
        self.entries.carries(valid);
    }

    /// Charges memory that the engine allocates for this call, and scopes that were added since the previous charge.
    ///
    /// # Errors
    ///
    /// Fails if the call exceeds its memory limit.
    pub(super) fn charge(&mut self, bytes: usize) -> CallResult<()> {
        let scopes = self.stage.scopes.len();
        let bytes = bytes + scopes.saturating_sub(self.most_scopes) * size_of::<Scope>();
        self.most_scopes = self.most_scopes.max(scopes);
        if self.arena.charge(bytes, self.limits.call) { Ok(()) } else { Err(self.exceeds(bytes, self.outer)) }
    }

    /// Returns the error of a call that would exceed its memory limit with `more` bytes.
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
    /// Returns whether the entry passes the block at `here` with the contents and the function that frees it of `buffer`, which has `own`.
    pub(super) fn passes(&self, buffer: &'static Buffer, here: usize, bytes: usize) -> bool {
        let is_block = self.is_passed() && self.here == here && self.free == buffer.free;
        is_block && may_repeat(buffer) && self.has_contents_of(buffer, 0, bytes)
    }

    /// Returns whether the memory of this entry has the lifetime `retained` of a pointer to `buffer`, or there is no such lifetime. If the entry got
    /// its lifetime from an enclosing struct of the library, the memory may end earlier than that of a pointer that declares the same lifetime.
    pub(super) fn has_lifetime(&self, buffer: &Buffer, retained: Option<Retained>, scopes: &Scopes) -> bool {
        retained.is_none_or(|one| {
            let is_declared = !matches!(buffer.lifetime, Lifetime::Call);
            let is_same =
                lifetime_key(self.lifetime, self.scope, scopes) == lifetime_key(one.lifetime, one.scope, scopes);
            self.region != 0 && is_same && !(is_declared && self.is_inherited)
        })
    }
}
