//! Encodes the buffers of requests: the references to their memory, and their contents.

use std::sync::Arc;

use super::access::{bytes, is_readable, store_pointer};
use super::encode_request::{put_null, put_numbers};
use super::entries::{BufferEntry, BufferMemory, InRegion, Sought};
use super::eval::Before;
use super::frame::{Elements, Received};
use super::marshaller::Marshaller;
use super::memory::Allocation;
use super::pointer::{MemoryRef, put_memory_ref, put_tag, tag};
use super::sent_contents::SentKind;
use super::settle::inherited_lifetime;
use super::shape::Shape;
use super::side::{CallError, CallResult, ENDS, NOT_NEW, OUTSIDE};
use super::tables::{Owner, Region};
use super::traverse::Next;
use crate::Writer;
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Buffer, Ownership, is_local, is_replaced, is_written};

impl Marshaller<'_> {
    /// Encodes a pointer argument, and the contents of its buffer if they are flat.
    ///
    /// # Safety
    ///
    /// `slot` must be the address of a valid pointer.
    pub(super) unsafe fn encode_buffer(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        slot: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        // SAFETY: the caller upholds the contract of this function.
        let here = match unsafe { self.pointer(slot) } {
            // SAFETY: the caller upholds the contract of this function.
            0 if buffer.has_always_memory => unsafe { self.allocate_for_null(buffer, slot, name)? },
            here => here,
        };
        if here == 0 {
            self.check_null_allowed(buffer, name)?;
            put_null(to);
            return Ok(Next::Done);
        }
        self.check_final(here, 1, name)?;
        // SAFETY: the buffer is memory of the program, and the specification guarantees that it has such elements.
        let count = unsafe { self.capacity(buffer, here, name)? };
        // SAFETY: the specification guarantees `count` elements at `here`.
        let size = unsafe { self.size(buffer, here, count, name)? };
        self.check_final(here, size, name)?;
        if self.side.substitutes().is_some() && !is_readable(here, size) {
            return Err(CallError::Refused("not all of its memory is readable", name));
        }
        let repeated = match self.has_contents(buffer, size) {
            true if buffer.ownership == Ownership::Taken => self.passed_before(buffer, here, size, name)?,
            true => self.repeated(buffer, here, size),
            false => None,
        };
        self.charge(size_of::<BufferEntry>())?;
        let memory = match repeated {
            Some((entry, offset)) => {
                put_memory_ref(to, tag::REPEATED, entry, offset);
                BufferMemory::default()
            }
            None => self.encode_memory(name, buffer, (slot, here, size), to)?,
        };
        next_field(FieldKind::Length);
        to.put_u64(count);
        if buffer.facts.varies {
            to.put_u64(size as u64);
        }
        self.record_buffer(buffer, slot, (here, count, size), memory, repeated.map(|(at, _)| at));
        if repeated.is_some() {
            return Ok(Next::Done);
        }
        let mut sent = Received::of_request(buffer, (here, count, size), name);
        if !self.has_contents(buffer, size) {
            // SAFETY: the specification guarantees `count` elements at `here`.
            return unsafe { self.encode_uncarried(&sent, memory.at, to) };
        }
        // SAFETY: the specification guarantees `count` elements at `here`, including their contents.
        let valid = unsafe { self.valid(buffer, here, count, name)? };
        self.carries(valid);
        if buffer.valid.is_some() || buffer.until.is_some() {
            next_field(FieldKind::Length);
            to.put_u64(valid);
        }
        let code = buffer.valid.as_ref().filter(|_| buffer.is_out);
        (sent.valid, sent.certain) = (valid, self.put_certain((code, buffer.is_valid_known), valid, to));
        // SAFETY: the buffer has this size.
        let (_, kind) = unsafe { self.put_version(&sent, memory.at, SentKind::Memory, to)? };
        if buffer.facts.is_flat {
            // SAFETY: the specification guarantees that the buffer has `valid` elements. A program that changes them during the call has the
            // same race with the real library.
            to.put(unsafe { bytes(kind.source(here), valid as usize * buffer.stride) });
            return Ok(Next::Done);
        }
        let inherited = inherited_lifetime(buffer, self.retained(buffer));
        let elements = Elements::of_buffer(name, buffer, here, valid);
        let (inherited, outlives) = (Some(inherited), Some(memory.outlives));
        Ok(Next::Elements(Elements { kind: Some(kind), inherited, outlives, received: Some(sent), ..elements }))
    }

    /// Encodes a buffer whose contents the request does not carry as a whole: changes of a copy, and numbers that the library may leave unwritten.
    ///
    /// # Safety
    ///
    /// The elements of `sent` must be in memory.
    unsafe fn encode_uncarried(&mut self, sent: &Received, at: InRegion, to: &mut Writer<'_>) -> CallResult<Next> {
        let Received { buffer, here, count, bytes: size, .. } = *sent;
        let is_copy = self.is_theirs(at.id);
        // SAFETY: the buffer has this size.
        let (follows, kind) = unsafe { self.put_version(sent, at, SentKind::Memory, to)? };
        if buffer.facts.is_flat && follows && is_copy {
            // SAFETY: as before.
            to.put(unsafe { bytes(kind.source(here), size) });
        }
        let outer = std::mem::replace(&mut self.kind, kind);
        for (at, bytes) in self.numbers_in(buffer, (here, count), is_copy) {
            self.carry(at, bytes);
            // SAFETY: the caller guarantees `count` elements at `here`, and the numbers are in them.
            unsafe { put_numbers(to, kind.source(at), bytes) };
        }
        self.kind = outer;
        self.end_sent(kind);
        Ok(Next::Done)
    }

    /// Allocates memory for an `out` argument that is null, and stores its address in the argument. Expressions of the reply read this
    /// memory on both sides. The program never receives the address.
    ///
    /// # Safety
    ///
    /// `slot` must be the address of a pointer in the arguments of the call.
    unsafe fn allocate_for_null(&mut self, buffer: &'static Buffer, slot: usize, name: u32) -> CallResult<usize> {
        if buffer.facts.varies {
            return Ok(0);
        }
        // SAFETY: in a request the capacity of an `out` buffer is computed without reading its elements.
        let count = unsafe { self.capacity(buffer, 0, name)? };
        let size = self.bytes(count, buffer.stride, name)?;
        let memory = Allocation::zeroed(size).ok_or(CallError::Refused("there is no memory for it", name))?;
        let here = memory.address();
        self.in_use.push(Arc::new(memory));
        self.filled_nulls.push(slot);
        // SAFETY: the caller upholds the contract of this function.
        unsafe { store_pointer(slot, here) };
        Ok(here)
    }

    /// Stores null again in the arguments of a call that was not sent: the engine's memory there ends with the attempt.
    pub fn empty_nulls(&mut self) {
        for slot in std::mem::take(&mut self.filled_nulls) {
            // SAFETY: the request was encoded from the argument struct, which still exists.
            unsafe { store_pointer(slot, 0) };
        }
    }

    /// Encodes the reference to the memory of a buffer: memory that both sides have, or memory that the receiver allocates.
    fn encode_memory(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (slot, here, size): (usize, usize, usize),
        to: &mut Writer<'_>,
    ) -> CallResult<BufferMemory> {
        if buffer.ownership == Ownership::Taken {
            return self.encode_passed(name, buffer, (here, size), to);
        }
        if self.retained(buffer).is_some() {
            return self.encode_retained(name, buffer, (here, size), to);
        }
        let shape = self.shape(buffer);
        let entry = self.entry_with(here, size.max(1), Some(shape));
        let must_last = self.must_last(slot);
        // Each pointer into a region is encoded with the version of its contents. A pointer that outlives the call leads to memory that does.
        let is_it = |entry: &BufferEntry| entry.at.id == 0 && (entry.outlives || !must_last);
        let entry = entry.filter(|(at, _)| self.entries.get(*at as usize).is_some_and(is_it));
        let entry = entry.map(|(entry, at)| MemoryRef::Entry(entry, at));
        let region =
            || self.lock().region_of_buffer(here, size, shape).map(|(id, offset)| MemoryRef::Region(id, offset));
        match entry.or_else(region) {
            Some(MemoryRef::Region(id, offset)) => {
                let known = self.put_known(tag::REGION, (buffer, here), (id, offset), to);
                // If the worker has ended the memory, it makes it again for a pointer that outlives the call.
                let counted = if self.outlives && !self.is_theirs(id) { id } else { 0 };
                self.lock_regions().count_reference(counted, true);
                return Ok(BufferMemory { counted, ..known });
            }
            Some(place) => {
                place.put(to);
                return Ok(BufferMemory { outlives: must_last, ..BufferMemory::default() });
            }
            None if self.outlives => return self.encode_retained(name, buffer, (here, size), to),
            None => {}
        }
        if must_last {
            return Err(CallError::Refused(ENDS, name));
        }
        if is_replaced(buffer) {
            return Err(CallError::Refused(NOT_NEW, name));
        }
        if size != 0 {
            self.check_no_copy(here, name)?;
        }
        self.check_no_overlap(name, buffer, (here, size))?;
        let end = here.saturating_add(size);
        let is_part = |span: &(usize, usize)| span.0 <= here && end <= span.1 && *span != (here, end);
        let span = self.spans.iter().copied().find(is_part);
        match span.filter(|_| shape == Shape::Flat && size != 0) {
            Some((start, end)) => {
                put_tag(to, tag::SPAN, start, buffer);
                next_field(FieldKind::Length);
                to.put_u64((end - start) as u64);
                next_field(FieldKind::Offset);
                to.put_u64((here - start) as u64);
                self.entries.push(BufferEntry::span(start, end - start));
            }
            None => put_tag(to, tag::CALL, here, buffer),
        }
        Ok(BufferMemory::default())
    }

    /// Encodes the reference to a block whose ownership passes to the callee: a region, or a block that the callee allocates.
    ///
    /// # Errors
    ///
    /// The memory is that of another argument, the caller's block cannot be freed, or its contents are not sent.
    fn encode_passed(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (here, size): (usize, usize),
        to: &mut Writer<'_>,
    ) -> CallResult<BufferMemory> {
        let known = self.lock().region_with(here, size, Some(self.shape(buffer)));
        if let Some((id, offset)) = known
            && self.lock().region(id).is_some_and(|one| one.memory.is_some() || one.owners.contains(&Owner::Manual))
        {
            // The block is memory of the other side, or the other side keeps a copy that such a call ends.
            let known = self.put_known(tag::REGION, (buffer, here), (id, offset), to);
            let frees_on = self.side.substitutes().map(|_| true);
            return Ok(BufferMemory { frees_on, ..known });
        }
        self.check_no_copy(here, name)?;
        if buffer.free.is_some() && buffer.allocate.is_none() || !self.side.can_free(buffer.free) {
            return Err(CallError::Refused("it is not memory of the library, whose function frees it", name));
        }
        if !buffer.is_in && size != 0 {
            let why = "the callee does not have the block, and `own` without `in` does not send its contents";
            return Err(CallError::Refused(why, name));
        }
        self.check_no_overlap(name, buffer, (here, size))?;
        put_tag(to, tag::CALL, here, buffer);
        Ok(BufferMemory { frees_on: Some(true), ..BufferMemory::default() })
    }

    /// Checks that the callee may have a separate copy of a buffer: no part of the memory is in an earlier buffer of the call or in memory that
    /// the callee keeps, unless neither is written.
    fn check_no_overlap(&mut self, name: u32, buffer: &Buffer, (here, size): (usize, usize)) -> CallResult<()> {
        let end = here.saturating_add(size);
        let is_written = is_written(buffer) || is_local(buffer);
        let sought = if is_written { Sought::Anything } else { Sought::Written };
        if size != 0 && self.entries.overlaps(here, end, sought) {
            return Err(CallError::Refused(
                "part of its memory is in another argument, and one of both is written",
                name,
            ));
        }
        if size != 0 && self.lock().overlaps_kept(here, end, is_written) {
            let why = "part of its memory is in memory that the other side keeps, and one of both is written";
            return Err(CallError::Refused(why, name));
        }
        Ok(())
    }

    /// Checks that memory is not in a copy of memory of the other side. The receiver would get new memory instead of the memory that it has.
    fn check_no_copy(&self, here: usize, name: u32) -> CallResult<()> {
        let tables = self.lock();
        if tables.find_region(here).and_then(|(id, _)| tables.region(id)).is_some_and(|one| one.memory.is_some()) {
            let why = "it is memory of the other side whose elements another function describes otherwise; describe them alike";
            return Err(CallError::Refused(why, name));
        }
        Ok(())
    }

    /// Encodes the reference to memory that outlives the call: an existing region, or a new region.
    ///
    /// # Errors
    ///
    /// The memory is that of another argument, whose copy ends with the call.
    fn encode_retained(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (here, size): (usize, usize),
        to: &mut Writer<'_>,
    ) -> CallResult<BufferMemory> {
        let shape = self.shape(buffer);
        let refused = |why| CallError::Refused(why, name);
        let put = |marshaller: &mut Self, place: (u32, usize), to: &mut Writer<'_>| {
            let known = marshaller.put_known(tag::REGION, (buffer, here), place, to);
            BufferMemory { region: place.0, counted: place.0, ..known }
        };
        let mut tables = self.lock_regions();
        if !self.stage.has_reports && tables.is_part_that_may_have_ended((here, size), shape) {
            tables.may_fail_to_keep = false;
            drop(tables);
            self.stage.before = Some(Before::Reports);
            return Err(refused(OUTSIDE));
        }
        let known = tables.find_and_use_region((here, size), shape, buffer).map_err(refused)?;
        drop(tables);
        if let Some(place) = known {
            return Ok(put(self, place, to));
        }
        let checked = self.check_no_overlap(name, buffer, (here, size));
        let mut tables = self.lock();
        // Another thread may have added the region meanwhile.
        if let Some(place) = tables.find_and_use_region((here, size), shape, buffer).map_err(refused)? {
            drop(tables);
            return Ok(put(self, place, to));
        }
        checked?;
        let id = tables.new_region_id();
        tables.add_region(
            id,
            Region {
                is_written: is_written(buffer) || is_local(buffer),
                references: 1,
                ..self.own_region(here, size, shape)
            },
        );
        tables.describe(id, buffer);
        put_tag(to, tag::RETAINED, here, buffer);
        next_field(FieldKind::Region);
        to.put_u32(id);
        let outlives = buffer.ownership != Ownership::MirroredStruct;
        Ok(BufferMemory {
            region: id,
            counted: id,
            outlives,
            at: InRegion { id, offset: 0 },
            ..BufferMemory::default()
        })
    }
}
