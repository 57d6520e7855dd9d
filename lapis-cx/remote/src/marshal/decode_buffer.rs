//! Decodes the buffers of requests: finds or allocates their memory, and checks their sizes.

use super::access::bytes_mut;
use super::buffers::{PASSED_TWICE, may_repeat};
use super::entries::{BufferEntry, BufferMemory, InRegion};
use super::frame::{Elements, MemoryKind, Received};
use super::known_pointers::{NO_LAST, is_ended};
use super::marshaller::Marshaller;
use super::pointer::{Known, get_tag, tag};
use super::region_contents::RunValue;
use super::sent_contents::get_certain;
use super::settle::inherited_lifetime;
use super::shape::Shape;
use super::side::{CallError, CallResult, EARLY, ENDS, NOT_NEW, OUTSIDE};
use super::sources::Reads;
use super::traverse::Next;
use super::watched_memory;
use crate::Reader;
use crate::plan::{Buffer, Code, Ownership, bytes_behind, is_replaced};

/// The reason for rejecting a call that would free or end memory which the callee may not free.
pub(super) const NO_BLOCK: &str = "it is not the start of a block that a call may end";

/// Checks that the call may end memory that both sides have, which the callee then frees or no longer uses.
pub(super) fn check_may_end(known: Known, name: u32) -> CallResult<()> {
    if known.may_end { Ok(()) } else { Err(CallError::Refused(NO_BLOCK, name)) }
}

/// The header of a buffer in a request, without its contents.
struct BufferHeader {
    tag: u8,
    /// The alignment of the copy in bytes.
    align: usize,
    known: Option<Known>,
    /// The region that the caller created for the buffer, or 0.
    made: u32,
    /// The location of the buffer in a region, according to the message.
    at: InRegion,
    /// The position of an earlier buffer that carries the contents.
    repeats: Option<u32>,
    count: u64,
    size: usize,
}

impl Marshaller<'_> {
    /// Decodes a pointer argument, and the contents of its buffer if they are flat.
    ///
    /// # Safety
    ///
    /// `slot` must be valid for writing a pointer.
    pub(super) unsafe fn decode_buffer(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        slot: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let (tag, align) = get_tag(from)?;
        if tag == tag::NULL {
            self.check_null_allowed(buffer, name)?;
            self.check_replaced_pointer(slot, (0, 0), name)?;
            // Clears the pointer: in a region the slot still contains the pointer of an earlier call.
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.set_pointer(slot, 0)? };
            self.add_buffer_of_call(buffer, slot, Reads::new(), name)?;
            return Ok(Next::Done);
        }
        self.record_reads();
        // SAFETY: the caller upholds the contract of this function.
        let mut header = unsafe { self.decode_header(name, buffer, (tag, align), slot, from)? };
        let reads = self.stage.sources.take_reads();
        self.add_buffer_of_call(buffer, slot, reads, name)?;
        let BufferHeader { count, size, .. } = header;
        self.charge(size_of::<BufferEntry>())?;
        let is_of_region = header.tag == tag::REGION || header.tag == tag::RETAINED;
        let is_passed = buffer.ownership == Ownership::Taken;
        self.check_memory(buffer, &header, slot, name)?;
        let (here, memory) = self.memory_for(name, buffer, &mut header)?;
        let (known, at) = (header.known, header.at);
        let is_kept = is_of_region && (memory.region != 0 || buffer.is_out);
        self.add_base(buffer, if is_kept { at.id } else { 0 }, name)?;
        let (accepts_data, is_owner) = known.map_or((true, false), |place| (place.accepts_data, place.is_owner));
        let is_new = header.tag == tag::RETAINED && buffer.ownership != Ownership::MirroredStruct;
        let outlives = known.map_or(is_new, |place| place.outlives);
        let memory = BufferMemory { accepts_data, is_owner, outlives, at, in_region: is_of_region, ..memory };
        self.check_replaced_pointer(slot, (here, size), name)?;
        self.record_buffer(buffer, slot, (here, count, size), memory, header.repeats);
        let is_made = known.is_none() && (is_passed || header.tag == tag::RETAINED);
        let run = if is_made { RunValue::New } else { RunValue::Whole };
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set(slot, size_of::<usize>(), here as i128, run)? };
        let mut received = Received::of_request(buffer, (here, count, size), name);
        if header.repeats.is_some() {
            return Ok(Next::Done);
        }
        if !self.has_contents(buffer, size) {
            // SAFETY: the memory has the size of the buffer.
            return unsafe { self.decode_uncarried(received, known, (at, is_of_region), align, from) };
        }
        let valid = if buffer.valid.is_some() || buffer.until.is_some() { from.get_u64()? } else { count };
        if valid > count {
            return Err(CallError::TooLarge("the number of elements sent is", name, valid, count));
        }
        self.carries(valid);
        received.valid = valid;
        received.certain = get_certain(buffer.valid.is_some() && buffer.is_out, valid, name, from)?;
        let kind = self.prepare_contents(&mut received, known, (at, is_of_region), align, from)?;
        let shift = here.wrapping_sub(received.here);
        let here = received.here;
        if buffer.facts.is_flat {
            let used = valid as usize * buffer.stride;
            let (kind, has_source) = self.stage_flat(kind, &received)?;
            // SAFETY: the buffer has the capacity for this many elements, as checked before.
            unsafe { self.decode_bytes(here, used, kind, from)? };
            // The engine zeroes memory of regions at allocation, and other threads may use this region already.
            if matches!(kind, MemoryKind::Fresh) {
                // SAFETY: the memory was allocated with `size` bytes and `bytes_behind(buffer)` more.
                unsafe { bytes_mut(here + used, size + bytes_behind(buffer) - used) }.fill(0);
            }
            // SAFETY: this many elements were decoded just before.
            unsafe { self.end_contents(kind, &received, |marshaller| marshaller.check_received(&received))? };
            self.stage.sources.remove(has_source);
            return Ok(Next::Done);
        }
        let inherited = inherited_lifetime(buffer, self.retained(buffer));
        let elements = Elements::of_buffer(name, buffer, here, valid);
        let (inherited, kind, shift) = (Some(inherited), Some(kind), Some(shift));
        let (outlives, received) = (Some(memory.outlives), Some(received));
        Ok(Next::Elements(Elements { inherited, kind, shift, outlives, received, ..elements }))
    }

    /// Prepares a buffer whose contents the request does not carry as a whole: decodes changes of a copy, and numbers that the library may leave
    /// unwritten. `known`, `at`, `is_there` and `align` are as for [`prepare_contents`](Self::prepare_contents).
    ///
    /// # Safety
    ///
    /// `received` must describe memory with this size.
    unsafe fn decode_uncarried(
        &mut self,
        mut received: Received,
        known: Option<Known>,
        (at, is_there): (InRegion, bool),
        align: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let Received { buffer, here, count, bytes: size, .. } = received;
        if known.is_none() && buffer.is_out && buffer.facts.is_flat && watched_memory::is_on() {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes_mut(here, size) }.fill(watched_memory::BLANK);
        }
        let is_theirs = self.is_theirs(at.id);
        let is_owned = at.id != 0 && !is_theirs;
        let kind = match known {
            _ if is_owned => Some(self.prepare_contents(&mut received, known, (at, is_there), align, from)?),
            _ if is_theirs => Some(self.prepare_copy(&received, known.is_none(), (at, is_there), from)?),
            None => Some(MemoryKind::Fresh),
            Some(place) if place.accepts_data && !place.is_owner => Some(MemoryKind::Used),
            // The memory of the owner has the numbers already.
            Some(_) => None,
        };
        // The message has no flat contents for the owner if the other side has not changed them.
        let changes = kind.filter(|kind| is_owned && buffer.facts.is_flat && !self.is_new(*kind));
        if let Some(changes) = changes {
            // SAFETY: the scratch memory has this size.
            unsafe { self.decode_bytes(received.here, size, changes, from)? };
        }
        for (at, bytes) in self.numbers_in(buffer, (received.here, count), is_owned) {
            match kind {
                // SAFETY: the buffer has `count` elements, and the numbers are in them.
                Some(kind) => unsafe { self.decode_bytes(at, bytes, kind, from)? },
                None => from.skip(bytes)?,
            }
        }
        if let Some(kind) = kind {
            // SAFETY: these numbers were decoded.
            unsafe { self.finish_contents(kind, Some(&received).filter(|_| is_owned))? };
        }
        // SAFETY: the buffer has `count` elements in `size` bytes.
        unsafe { self.check_size(&received)? };
        Ok(Next::Done)
    }

    /// Checks that a pointer to `size` bytes at `here` may be stored. Two arguments can describe one struct with different lengths. The library then
    /// finds the memory of the last argument, which must be at least as large as the memory of the first.
    fn check_replaced_pointer(&mut self, slot: usize, (here, size): (usize, usize), name: u32) -> CallResult<()> {
        let slot = self.address_in_reply(slot);
        if self.is_worker() && !self.is_new(self.kind) && self.entries.replaces(slot, here, size) {
            return Err(CallError::Refused("another argument has more elements for this pointer", name));
        }
        Ok(())
    }

    /// Checks that the memory of a buffer exists for as long as the pointer at `slot` is stored, and that `own` passes a block.
    fn check_memory(
        &mut self,
        buffer: &'static Buffer,
        header: &BufferHeader,
        slot: usize,
        name: u32,
    ) -> CallResult<()> {
        let is_of_region = header.tag == tag::REGION || header.tag == tag::RETAINED;
        if buffer.ownership == Ownership::Taken {
            self.check_passed_once(buffer, header, name)
        } else if !is_of_region && self.must_last(slot) && !header.known.is_some_and(Known::lasts) {
            Err(CallError::Refused(ENDS, name))
        } else if is_replaced(buffer) && !is_of_region && header.known.is_none() {
            Err(CallError::Refused(NOT_NEW, name))
        } else {
            Ok(())
        }
    }

    /// Checks that the call passes a block with `own` once, and that further pointers to the block repeat the first pointer. The library may free the
    /// block, so it must not be memory of the call.
    fn check_passed_once(&mut self, buffer: &'static Buffer, header: &BufferHeader, name: u32) -> CallResult<()> {
        let BufferHeader { tag, known, repeats, size, .. } = *header;
        let Some(known) = known else { return Ok(()) };
        let is_checked = match repeats {
            Some(at) => self.entries.get(at as usize).is_some_and(|entry| entry.passes(buffer, known.here, size)),
            None => tag == tag::REGION,
        };
        if !is_checked {
            return Err(CallError::Refused(NO_BLOCK, name));
        }
        let is_again = repeats.is_none() && !self.effects.passed_with_own.insert(known.region);
        if is_again { Err(CallError::Refused(PASSED_TWICE, name)) } else { Ok(()) }
    }

    /// Decodes the location and the size of a buffer, and checks both.
    ///
    /// # Safety
    ///
    /// `slot` must be valid for writing a pointer.
    unsafe fn decode_header(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (tag, align): (u8, usize),
        slot: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<BufferHeader> {
        let region = match tag {
            tag::REGION => Some((from.get_u32()?, from.get_u64()?)),
            tag::RETAINED => Some((from.get_u32()?, 0)),
            _ => None,
        };
        let mut repeats = None;
        let known = match (region, tag) {
            (Some((id, offset)), _) if self.makes_again(buffer, offset) => self.known_now(id, offset),
            (Some((id, offset)), _) => self.known_at(id, offset),
            (None, tag::ENTRY) => Some(self.get_entry(name, from)?.1),
            (None, tag::SPAN) => Some(self.decode_span(align, name, from)?),
            (None, tag::REPEATED) => {
                let (at, known) = self.get_entry(name, from)?;
                repeats = Some((at, known.offset));
                Some(known)
            }
            _ => None,
        };
        if let Some(place) = known {
            // The expression for the size may read metadata attached to this address.
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.set_pointer(slot, place.here)? };
        }
        let count = from.get_u64()?;
        self.check_sent_count(buffer, count, name)?;
        let size = self.decode_size(buffer, count, name, from)?;
        if let Some(region) = region {
            let at = InRegion { id: region.0, offset: known.map_or(0, |place| place.offset) };
            let (tag, known, made) = self.find_in_region(name, buffer, (tag, region), (known, size))?;
            return Ok(BufferHeader { tag, align, known, made, at, repeats: None, count, size });
        }
        if known.is_some_and(|place| {
            size > place.bytes_left || !place.fits(self.shape(buffer), size, &self.stage.plan.layouts)
        }) {
            return Err(CallError::Refused("it points outside of the buffers of this call, or to another type", name));
        }
        let retained = self.retained(buffer);
        let scopes = &self.stage.scopes;
        let is_other = |entry: BufferEntry, offset: usize| {
            // A block that is passed with `own` has no lifetime. `check_passed_once` checks it.
            let has_lifetime = buffer.ownership == Ownership::Taken || entry.has_lifetime(buffer, retained, scopes);
            !(entry.has_contents_of(buffer, offset, size) && has_lifetime && may_repeat(buffer))
        };
        if repeats.is_some_and(|(at, offset)| is_other(self.entries[at as usize], offset)) {
            return Err(CallError::Refused("its contents are not those of an earlier pointer", name));
        }
        let repeats = repeats.map(|(at, _)| at);
        Ok(BufferHeader { tag, align, known, made: 0, at: InRegion::default(), repeats, count, size })
    }

    /// Returns whether this side makes a region for a buffer of the other side if it does not have it.
    fn makes_again(&mut self, buffer: &'static Buffer, offset: u64) -> bool {
        offset == 0 && (self.retained(buffer).is_some() || self.outlives)
    }

    /// Checks a buffer of `size` bytes that the sender has in a region. Returns the tag, the memory, and the id of the region to create for it.
    ///
    /// This side may not have the region: another thread has yet to decode its first message, or it ended here and the sender has not been
    /// notified. The message carries the contents, so the buffer gets a new region, or memory of the call.
    fn find_in_region(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (tag, (id, offset)): (u8, (u32, u64)),
        (known, size): (Option<Known>, usize),
    ) -> CallResult<(u8, Option<Known>, u32)> {
        let (is_passed, ends_mirror) =
            (buffer.ownership == Ownership::Taken, buffer.ownership == Ownership::EndsMirroredStruct);
        let shape = self.shape(buffer);
        let fits = |place: &Known| size <= place.bytes_left && place.fits(shape, size, &self.stage.plan.layouts);
        let known = match known.filter(fits) {
            None if known.is_some() => self.known_with((id, offset), size, shape),
            known => known,
        };
        match known {
            Some(place) if is_passed || ends_mirror => {
                return check_may_end(place, name).map(|()| (tag::REGION, known, 0));
            }
            None if is_passed => return Err(CallError::Refused(NO_BLOCK, name)),
            Some(_) => return Ok((tag::REGION, known, 0)),
            None => {}
        }
        match tag {
            _ if !self.is_theirs(id) => Err(CallError::Refused(OUTSIDE, name)),
            _ if self.makes_again(buffer, offset) => Ok((tag::RETAINED, None, id)),
            tag::REGION if self.retained(buffer).is_none() && !self.is_early => Ok((tag::CALL, None, 0)),
            _ if self.is_early => Err(CallError::Refused(EARLY, name)),
            _ => Err(CallError::Refused(OUTSIDE, name)),
        }
    }

    /// Allocates memory in which several buffers overlap. Returns the location of the first buffer.
    fn decode_span(&mut self, align: usize, name: u32, from: &mut Reader<'_>) -> CallResult<Known> {
        let (bytes, offset) = (from.get_u64()?, from.get_u64()?);
        let bytes = self.bytes(bytes, 1, name)?;
        let here = self.allocate(bytes, align, name)?;
        self.charge(size_of::<BufferEntry>())?;
        self.entries.push(BufferEntry::span(here, bytes));
        let known = Known::within(here, bytes, offset, Shape::Flat, true);
        known.ok_or(CallError::Refused("it points outside of the buffers of this call", name))
    }

    /// Checks the element count that the caller sent.
    fn check_sent_count(&mut self, buffer: &'static Buffer, count: u64, name: u32) -> CallResult<()> {
        // The count depends on the contents, so it is checked after they were decoded.
        if buffer.is_measured {
            return Ok(());
        }
        let expected = buffer.count.as_ref().map(|code| self.count(code, name)).transpose()?;
        match (expected, &buffer.until) {
            (Some(limit), Some(_)) if !buffer.is_out && count <= limit => Ok(()),
            (Some(limit), Some(_)) if !buffer.is_out => {
                Err(CallError::TooLarge("the number of elements sent is", name, count, limit))
            }
            (None, Some(_)) => Ok(()),
            (expected, _) if expected.unwrap_or(0) == count => Ok(()),
            (expected, _) => {
                Err(CallError::Differs("the number of elements sent is", name, count, expected.unwrap_or(0)))
            }
        }
    }

    /// Returns the memory of a buffer: memory that both sides have, or new memory for the call or longer.
    fn memory_for(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        header: &mut BufferHeader,
    ) -> CallResult<(usize, BufferMemory)> {
        let BufferHeader { tag, align, known, made, size, .. } = *header;
        let in_region = |region: u32| BufferMemory { region, counted: region, ..BufferMemory::default() };
        let is_passed = buffer.ownership == Ownership::Taken;
        match (known, self.retained(buffer)) {
            (None, _) if is_passed && tag == tag::CALL => {
                let here = self.make_passed(buffer, (size + bytes_behind(buffer), align), name)?;
                Ok((here, BufferMemory { frees_on: Some(false), ..BufferMemory::default() }))
            }
            (Some(place), retained) if is_passed || retained.is_none() => {
                let is_counted = tag == tag::REGION && self.outlives && !is_passed && self.is_theirs(place.region);
                let counted = if is_counted { place.region } else { 0 };
                self.lock_regions().count_reference(counted, false);
                Ok((place.here, BufferMemory { counted, ..BufferMemory::default() }))
            }
            // The first pointer to the memory determines its owner.
            (Some(place), _) if tag == tag::REPEATED => Ok((place.here, BufferMemory::default())),
            (Some(place), _) if tag == tag::REGION => {
                let mut tables = self.lock_regions();
                if tables.use_region(place.region, buffer) {
                    tables.count_reference(place.region, false);
                    return Ok((place.here, in_region(place.region)));
                }
                drop(tables);
                // A call of another thread has ended the region meanwhile.
                if !self.is_theirs(place.region) || place.offset != 0 {
                    return Err(CallError::Refused(OUTSIDE, name));
                }
                (header.tag, header.known, header.made) = (tag::RETAINED, None, place.region);
                self.memory_for(name, buffer, header)
            }
            (None, retained) if tag == tag::RETAINED && (retained.is_some() || self.outlives) => {
                let shape = self.shape(buffer);
                if let Some(here) = self.retain(made, (size, align, bytes_behind(buffer)), (shape, true), name)? {
                    let mut tables = self.lock();
                    tables.describe(made, buffer);
                    tables.count_reference(made, false);
                    drop(tables);
                    return Ok((here, in_region(made)));
                }
                let place = self.known_with((made, 0), size, shape);
                header.known = place;
                let place = place.ok_or(CallError::Refused(OUTSIDE, name))?;
                let mut tables = self.lock_regions();
                tables.use_region(made, buffer);
                tables.count_reference(made, false);
                drop(tables);
                Ok((place.here, in_region(made)))
            }
            (None, None) if tag == tag::CALL => {
                let zeroed = !buffer.facts.is_flat || !self.has_contents(buffer, size);
                Ok((self.allocate_for(size + bytes_behind(buffer), align, zeroed, name)?, BufferMemory::default()))
            }
            _ => Err(CallError::Refused("its lifetime is not that of the specification", name)),
        }
    }

    /// Allocates a zeroed block of `size` bytes that the callee owns after a successful call.
    fn make_passed(&mut self, buffer: &'static Buffer, (size, align): (usize, usize), name: u32) -> CallResult<usize> {
        self.charge(size)?;
        let here = match (buffer.allocate, buffer.free) {
            // SAFETY: C's allocator; the callee frees the block with `free`.
            (None, None) => unsafe { libc::memalign(align, size.max(1)).expose_provenance() },
            (None, Some(_)) => return Err(CallError::Refused("no function is named that allocates it", name)),
            (function, _) => self.side.allocate(function, size.max(1)),
        };
        if here == 0 {
            return Err(CallError::Refused("there is no memory for it", name));
        }
        // SAFETY: the block was just allocated with this size.
        unsafe { bytes_mut(here, size) }.fill(0);
        Ok(here)
    }

    /// Checks a buffer after its contents were decoded: the length that the contents determine, the number of valid elements, the last element, and
    /// the size of a struct that ends with an array of variable length.
    ///
    /// # Safety
    ///
    /// The elements that `received` describes must have been decoded.
    pub(super) unsafe fn check_received(&mut self, received: &Received) -> CallResult<()> {
        let Received { buffer, here, count, valid, name, .. } = *received;
        // The worker has already checked lengths that only it can compute.
        if self.is_worker() || self.stage.is_entry {
            self.check_measured(buffer, count, name)?;
        }
        if self.stage.is_entry {
            self.check_valid(buffer, (valid, count), name)?;
        }
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.check_size(received)? };
        self.check_end(buffer, here, (valid, count), name)
    }

    /// Compares the element count of the message with the length that the contents determine. The pointer must have been stored already.
    fn check_measured(&mut self, buffer: &'static Buffer, sent: u64, name: u32) -> CallResult<()> {
        let Some(code) = buffer.count.as_ref().filter(|_| buffer.is_measured) else { return Ok(()) };
        self.stage.received = Some(sent);
        let measured = self.count(code, name);
        self.stage.received = None;
        let measured = measured?;
        let is_right = if buffer.until.is_some() { sent <= measured } else { sent == measured };
        if is_right { Ok(()) } else { Err(CallError::Differs("the number of elements sent is", name, sent, measured)) }
    }

    /// Checks that a struct with an array of variable length at its end has the size that its members determine.
    ///
    /// # Safety
    ///
    /// The elements that `received` describes must be valid for reads.
    pub(super) unsafe fn check_size(&mut self, received: &Received) -> CallResult<()> {
        let Received { buffer, here, count, bytes, name, .. } = *received;
        if !buffer.facts.varies {
            return Ok(());
        }
        // SAFETY: the caller upholds the contract of this function.
        let size = unsafe { self.size(buffer, here, count, name)? };
        let differs = CallError::Differs("the size sent in bytes is", name, bytes as u64, size as u64);
        if size == bytes { Ok(()) } else { Err(differs) }
    }

    /// Checks that an array with an end marker has it, unless the array is filled up to its capacity. The receiver would search for the
    /// marker past the end.
    pub(super) fn check_end(
        &mut self,
        buffer: &Buffer,
        here: usize,
        (valid, count): (u64, u64),
        name: u32,
    ) -> CallResult<()> {
        let Some(until) = &buffer.until else { return Ok(()) };
        let last = self.last_element(&until.value, name)?;
        // SAFETY: `valid` elements were decoded for this address.
        let is_ended = unsafe { is_ended(buffer, self.stage.sources.of(here), (valid, count), last) };
        if is_ended { Ok(()) } else { Err(CallError::Refused(NO_LAST, name)) }
    }

    pub(super) fn last_element(&mut self, code: &Code, name: u32) -> CallResult<i128> {
        self.eval(code).ok_or(CallError::Refused("the value of its last element cannot be computed", name))
    }
}
