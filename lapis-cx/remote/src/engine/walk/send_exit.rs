//! Exit, the callee's side: what comes back is sent.

use super::super::memory::{bytes, load};
use super::super::tables::{Owner, Region};
use super::send_entry::{put_place, send_number};
use super::{Fault, Lifetime, Visit, Walk, Walked, tag};
use crate::Writer;
use crate::meaning::{Meaning, next_is};
use crate::plan::{Block, Buffer, Kind, Ownership, Scalar, Value};

/// What the result of a call is said under, whether or not it succeeded.
fn is_plain(kind: &Kind) -> bool {
    matches!(kind, Kind::Scalar { .. } | Kind::Address { .. } | Kind::Within { .. } | Kind::Function(_))
}

/// How many elements are sent, and their bytes if the number does not say them.
fn put_size(to: &mut Writer<'_>, buffer: &Buffer, count: u64, size: usize) {
    next_is(Meaning::Length);
    to.put_u64(count);
    if buffer.varies {
        to.put_u64(size as u64);
    }
}

impl<'a> Walk<'a> {
    /// Sends what comes back of a block. `success` says whether anything does; a plain `result` does in any case.
    ///
    /// # Safety
    ///
    /// The block is there.
    pub unsafe fn send_exit(
        &mut self,
        block: &'static Block,
        own: usize,
        success: bool,
        result: Option<usize>,
        to: &mut Writer<'_>,
    ) -> Walked<()> {
        self.each_back(block, own, (success, result), |walk, value, address, comes| {
            // SAFETY: a value of the block.
            unsafe { walk.send_back(value, address, comes, to) }
        })
    }

    /// Walks over the values of a block at exit: where each is, and whether it comes back.
    #[inline(always)]
    pub(super) fn each_back(
        &mut self,
        block: &'static Block,
        own: usize,
        (success, result): (bool, Option<usize>),
        mut one: impl FnMut(&mut Self, &'static Value, usize, bool) -> Walked<()>,
    ) -> Walked<()> {
        self.enter(own);
        for (n, value) in block.values.iter().enumerate() {
            let address = own + value.offset;
            self.stand_at(address);
            let comes = success || (result == Some(n) && is_plain(&value.kind));
            one(self, value, address, comes)?;
        }
        self.leave();
        Ok(())
    }

    /// # Safety
    ///
    /// The value lies there.
    unsafe fn send_back(
        &mut self,
        value: &'static Value,
        address: usize,
        comes: bool,
        to: &mut Writer<'_>,
    ) -> Walked<()> {
        let comes = match &value.on {
            Some(code) => {
                let holds = self.holds(Some(code));
                to.put_u8(u8::from(holds));
                holds
            }
            None => comes,
        };
        match &value.kind {
            Kind::Scalar { scalar, wire } if value.comes && comes => {
                // SAFETY: as the caller says.
                unsafe { send_number(to, address, *scalar, *wire) };
            }
            Kind::Address { .. } if value.comes && comes => {
                // SAFETY: as the caller says.
                let bits = unsafe { Self::pointer(address) };
                // One behind the end of something is not in it: it may be the start of what nobody else knows.
                if !self.send_known(bits, 1, (address, None), to) {
                    next_is(Meaning::Tag);
                    to.put_u8(tag::BITS);
                    to.put_u64(bits as u64);
                }
            }
            Kind::Handle(handle) if value.comes && comes => {
                let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
                // SAFETY: as the caller says.
                let bits = unsafe { load(address, scalar) } as u64;
                // A result that is null says more than a refusal.
                let id = if bits == 0 { 0 } else { self.handle_to_send(handle, bits, value.name)? };
                next_is(Meaning::Handle);
                to.put_u64(id);
            }
            Kind::Block(id) => {
                let Some(block) = self.block(*id) else { return Ok(()) };
                // SAFETY: the block lies there.
                unsafe { self.send_exit(block, address, comes, None, to)? };
            }
            Kind::Array(array) => {
                let count = self.count(&array.count, value.name)?;
                let count = match &array.valid {
                    Some(code) => count.min(self.count(code, value.name)?),
                    None => count,
                };
                let size = self.bytes(count, array.stride, value.name)?;
                if array.is_tail && address.checked_add(size).is_none_or(|end| end > self.end) {
                    return Err(Fault::Refused("more elements come back than there is room for", value.name));
                }
                next_is(Meaning::Length);
                to.put_u64(count);
                if array.is_flat {
                    if value.comes && comes {
                        // SAFETY: the array lies there.
                        to.put(unsafe { bytes(address, count as usize * array.stride) });
                    }
                } else {
                    self.each(address, count, array.stride, |walk, at| {
                        // SAFETY: an element of the array.
                        unsafe { walk.send_back(&array.element, at, comes, to) }
                    })?;
                }
            }
            Kind::Buffer(buffer) if comes => {
                // SAFETY: as the caller says.
                unsafe { self.send_buffer_back(value, buffer, address, to)? };
            }
            Kind::Userdata { .. } if value.comes && comes => {
                // SAFETY: as the caller says.
                let record = unsafe { Self::pointer(address) };
                next_is(Meaning::Handle);
                to.put_u32(self.lock().registration_at(record).unwrap_or(0));
            }
            Kind::Within { .. } if value.comes && comes => {
                // SAFETY: as the caller says.
                let pointer = unsafe { Self::pointer(address) };
                if !self.send_known(pointer, 0, (0, None), to) {
                    next_is(Meaning::Tag);
                    to.put_u8(tag::NULL);
                }
            }
            Kind::Function(_) if value.comes && comes => {
                // SAFETY: as the caller says.
                to.put_u8(u8::from(unsafe { Self::pointer(address) } != 0));
            }
            Kind::File(_) | Kind::Stream if value.comes && !value.goes && comes => {
                return Err(Fault::Refused("files of the library do not come back", value.name));
            }
            Kind::Match(choice) => {
                if let Some(chosen) = self.chosen(choice) {
                    // SAFETY: as the caller says.
                    unsafe { self.send_back(chosen, address, comes, to)? };
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// # Safety
    ///
    /// The pointer lies there.
    unsafe fn send_buffer_back(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        to: &mut Writer<'_>,
    ) -> Walked<()> {
        let visit = self.visit_at(slot);
        if value.comes {
            // SAFETY: as the caller says.
            let pointer = unsafe { Self::pointer(slot) };
            let there = visit.map(|visit| visit.here);
            if pointer == 0 {
                next_is(Meaning::Tag);
                to.put_u8(tag::NULL);
            } else if there == Some(pointer) {
                next_is(Meaning::Tag);
                to.put_u8(tag::SAME);
            } else if visit.is_some() || !buffer.takes_out {
                // What went is only pointed into.
                if !self.send_known(pointer, 0, (slot, None), to) {
                    next_is(Meaning::Tag);
                    to.put_u8(tag::NULL);
                }
            } else {
                // SAFETY: the library gave a pointer to such elements.
                unsafe { self.send_new(value, buffer, pointer, to)? };
            }
        }
        if !buffer.takes_out {
            return Ok(());
        }
        let there = visit.filter(|there| there.minted.is_none());
        next_is(Meaning::Tag);
        to.put_u8(u8::from(there.is_some()));
        let Some(there) = there else { return Ok(()) };
        let count = self.room_at_exit(&there, buffer, value.name)?;
        // SAFETY: so many elements are there since entry.
        unsafe { self.send_contents(value, buffer, there.here, (count, there.bytes), to) }
    }

    /// How many elements a buffer of entry has at exit.
    pub(super) fn room_at_exit(&mut self, there: &Visit, buffer: &'static Buffer, name: u32) -> Walked<u64> {
        if there.takes_out {
            return Ok(there.count);
        }
        // At entry it was another type: only the memory is the same.
        let room = (there.bytes / buffer.stride.max(1)) as u64;
        let Some(code) = &buffer.count else { return Ok(room) };
        let said = self.count(code, name)?;
        if said > room {
            return Err(Fault::Refused("more elements come back than there is room for", name));
        }
        Ok(said)
    }

    /// # Safety
    ///
    /// So many elements lie there, in so many bytes.
    unsafe fn send_contents(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        here: usize,
        (count, room): (u64, usize),
        to: &mut Writer<'_>,
    ) -> Walked<()> {
        // SAFETY: as the caller says.
        let valid = unsafe { self.valid(buffer, here, count, value.name)? };
        next_is(Meaning::Length);
        to.put_u64(valid);
        if buffer.is_flat {
            let size = self.bytes(valid, buffer.stride, value.name)?;
            // SAFETY: as the caller says.
            to.put(unsafe { bytes(here, size) });
            return Ok(());
        }
        let end = std::mem::replace(&mut self.end, here + room);
        self.each(here, valid, buffer.stride, |walk, at| {
            // SAFETY: an element of the buffer.
            unsafe { walk.send_back(&buffer.element, at, true, to) }
        })?;
        self.end = end;
        Ok(())
    }

    /// What the callee points at, and the caller has not yet.
    ///
    /// # Safety
    ///
    /// Elements of the buffer lie there.
    unsafe fn send_new(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        pointer: usize,
        to: &mut Writer<'_>,
    ) -> Walked<()> {
        // SAFETY: as the caller says.
        let count = unsafe { self.capacity(buffer, pointer, value.name)? };
        // SAFETY: as above.
        let size = unsafe { self.size(buffer, pointer, count, value.name)? };
        let is_given = buffer.ownership == Ownership::Given && matches!(buffer.lifetime, Lifetime::Call);
        let region = if is_given {
            next_is(Meaning::Tag);
            to.put_u8(tag::CALL);
            put_size(to, buffer, count, size);
            self.frees.push((buffer.free, pointer));
            None
        } else {
            let shape = self.shape(buffer);
            let mut tables = self.lock();
            let known = tables
                .find_region(pointer)
                .filter(|(_, offset)| *offset == 0 || !matches!(buffer.lifetime, Lifetime::Call));
            let room = known.and_then(|(id, _)| tables.region(id)).map(|region| region.start + region.bytes);
            match (known, room) {
                (Some((id, offset)), Some(end)) if pointer + size <= end => {
                    put_place(to, tag::REFRESHED, id, offset);
                    put_size(to, buffer, count, size);
                    None
                }
                _ => {
                    let id = tables.new_region_id();
                    let region = Region {
                        start: pointer,
                        bytes: size,
                        shape,
                        is_shared: true,
                        owner: Owner::Static,
                        memory: None,
                        is_given: buffer.ownership == Ownership::Given,
                    };
                    tables.add_region(id, region);
                    next_is(Meaning::Tag);
                    to.put_u8(tag::RETAINED);
                    next_is(Meaning::Region);
                    to.put_u32(id);
                    put_size(to, buffer, count, size);
                    Some(id)
                }
            }
        };
        if let Some(id) = region {
            self.keep_region(id, buffer);
        }
        // SAFETY: as the caller says.
        unsafe { self.send_contents(value, buffer, pointer, (count, size), to) }
    }

    /// A region that was made at exit lives as long as the plan says; what is lent without a word stays.
    pub(super) fn keep_region(&mut self, id: u32, buffer: &'static Buffer) {
        if !matches!(buffer.lifetime, Lifetime::Call | Lifetime::Static) {
            // The result and all else is known once the walk is over.
            let own = self.stage.scopes.last().map_or(0, |scope| scope.own);
            self.unsaid.push(super::Visit { made: id, lifetime: &buffer.lifetime, own, ..super::Visit::NONE });
        }
    }
}
