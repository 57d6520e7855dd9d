//! Exit, the caller's side: what came is taken into its own memory.

use super::super::memory::{bytes_mut, store, store_pointer};
use super::super::tables::Owner;
use super::receive_entry::receive_number;
use super::{Fault, Walk, Walked, tag};
use crate::Reader;
use crate::plan::{Block, Buffer, Kind, Value};

impl<'a> Walk<'a> {
    /// Takes what comes back of a block.
    ///
    /// # Safety
    ///
    /// The block is there, and of the caller.
    pub unsafe fn receive_exit(
        &mut self,
        block: &'static Block,
        own: usize,
        success: bool,
        result: Option<usize>,
        from: &mut Reader<'_>,
    ) -> Walked<()> {
        self.each_back(block, own, (success, result), |walk, value, address, comes| {
            // SAFETY: a value of the block.
            unsafe { walk.take_back(value, address, comes, from) }
        })
    }

    /// # Safety
    ///
    /// The value lies there.
    unsafe fn take_back(
        &mut self,
        value: &'static Value,
        address: usize,
        comes: bool,
        from: &mut Reader<'_>,
    ) -> Walked<()> {
        let comes = match &value.on {
            Some(code) => {
                let claimed = from.get_u8()? != 0;
                self.claim(code, claimed);
                claimed
            }
            None => comes,
        };
        match &value.kind {
            Kind::Scalar { scalar, wire } if value.comes && comes => {
                // SAFETY: as the caller says.
                unsafe { receive_number(from, address, *scalar, *wire)? };
            }
            Kind::Address { .. } if value.comes && comes => {
                let pointer = match from.get_u8()? {
                    tag::BITS => from.get_u64()? as usize,
                    other => self.receive_known(other, value.name, from)?.here,
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, pointer) };
            }
            Kind::Handle(handle) if value.comes && comes => {
                let id = from.get_u64()?;
                let bits = if id == 0 {
                    if self.is_worker() && !handle.is_optional && !handle.is_new {
                        return Err(Fault::Refused("it is null", value.name));
                    }
                    0
                } else if self.is_worker() {
                    let bits = self.named(handle, id);
                    bits.ok_or(Fault::Refused("it is no object of this guest, or a dead one", value.name))?
                } else {
                    self.stand_in(handle, id, value.name)?
                };
                // SAFETY: as the caller says.
                unsafe { store(address, handle.bytes, i128::from(bits)) };
            }
            Kind::Block(id) => {
                let Some(block) = self.block(*id) else { return Ok(()) };
                // SAFETY: the block lies there.
                unsafe { self.receive_exit(block, address, comes, None, from)? };
            }
            Kind::Array(array) => {
                let sent = from.get_u64()?;
                self.array_room(array, address, sent, value.name)?;
                self.check_array(array, sent, true, value.name)?;
                if array.is_flat {
                    if value.comes && comes {
                        // SAFETY: the array lies there.
                        from.get(unsafe { bytes_mut(address, sent as usize * array.stride) })?;
                    }
                } else {
                    self.each(address, sent, array.stride, |walk, at| {
                        // SAFETY: an element of the array.
                        unsafe { walk.take_back(&array.element, at, comes, from) }
                    })?;
                }
            }
            Kind::Buffer(buffer) if comes => {
                // SAFETY: as the caller says.
                unsafe { self.take_buffer_back(value, buffer, address, from)? };
            }
            Kind::Userdata { .. } if value.comes && comes => {
                let id = from.get_u32()?;
                let tag = self.lock().registrations.get(&id).map_or(0, |one| one.tag);
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, tag) };
            }
            Kind::Within { is_optional } if value.comes && comes => {
                let pointer = match from.get_u8()? {
                    tag::NULL if *is_optional || !self.is_worker() => 0,
                    other => self.receive_known(other, value.name, from)?.here,
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, pointer) };
            }
            Kind::Function(name) if value.comes && comes => {
                let is_there = from.get_u8()? != 0;
                let name = self.eval(name).unwrap_or(0) as usize;
                let function = if is_there && name != 0 {
                    // SAFETY: the program gave a name.
                    let name = unsafe { std::ffi::CStr::from_ptr(std::ptr::with_exposed_provenance(name)) };
                    self.side.function(name.to_bytes())
                } else {
                    0
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, function) };
            }
            Kind::Match(choice) => {
                if let Some(chosen) = self.chosen(choice) {
                    // SAFETY: as the caller says.
                    unsafe { self.take_back(chosen, address, comes, from)? };
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// # Safety
    ///
    /// The pointer lies there.
    unsafe fn take_buffer_back(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        from: &mut Reader<'_>,
    ) -> Walked<()> {
        let name = value.name;
        let visit = self.visit_at(slot);
        if value.comes {
            let mut new = None;
            let pointer = match from.get_u8()? {
                tag::SAME => {
                    self.check_same(buffer, visit, name)?;
                    None
                }
                tag::NULL => {
                    self.check_null(buffer, name)?;
                    Some(0)
                }
                said @ (tag::CALL | tag::RETAINED) => {
                    let id = if said == tag::CALL { 0 } else { from.get_u32()? };
                    let (here, count) = self.take_new(value, buffer, id, from)?;
                    new = Some(count);
                    Some(here)
                }
                tag::REFRESHED => {
                    let (place, count) = (self.receive_region(name, from)?, from.get_u64()?);
                    self.check_count(buffer, count, name)?;
                    let size = self.get_size(buffer, count, name, from)?;
                    if size > place.room || !place.may_take(self.shape(buffer)) {
                        return Err(Fault::Refused("it points into something else", name));
                    }
                    let here = place.here;
                    // SAFETY: there is room for so many.
                    let valid = unsafe { self.take_contents(value, buffer, here, (count, size), from)? };
                    // SAFETY: as above.
                    unsafe { self.check_size(buffer, here, (count, size), name)? };
                    self.check_end(buffer, here, (valid, count), name)?;
                    Some(here)
                }
                other => {
                    let place = self.receive_known(other, name, from)?;
                    self.check_known(buffer, place, name)?;
                    Some(place.here)
                }
            };
            if let Some(pointer) = pointer {
                // SAFETY: as the caller says.
                unsafe { store_pointer(slot, pointer) };
            }
            if let Some(count) = new.filter(|_| self.is_worker()) {
                self.check_measured(buffer, count, name)?;
            }
        }
        if !buffer.takes_out {
            return Ok(());
        }
        let follows = from.get_u8()? != 0;
        let there = match visit.filter(|there| there.minted.is_none()) {
            Some(there) if follows => there,
            // The library's own memory, which the worker did not look into.
            Some(_) if !self.is_worker() => return Ok(()),
            None if !follows => return Ok(()),
            _ => return Err(Fault::Refused("contents of something else", name)),
        };
        let count = self.room_at_exit(&there, buffer, name)?;
        // SAFETY: the caller's own memory, of that size.
        let valid = unsafe { self.take_contents(value, buffer, there.here, (count, there.bytes), from)? };
        if self.is_worker() { self.check_end_of_out(buffer, there.here, (valid, count), name) } else { Ok(()) }
    }

    /// Takes elements: how many there are.
    ///
    /// # Safety
    ///
    /// There is room for `count` elements, which are so many bytes.
    unsafe fn take_contents(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        here: usize,
        (count, room): (u64, usize),
        from: &mut Reader<'_>,
    ) -> Walked<u64> {
        let valid = from.get_u64()?;
        if valid > count {
            return Err(Fault::Refused("more elements came than there is room for", value.name));
        }
        self.check_valid(buffer, (valid, count), value.name)?;
        if buffer.is_flat {
            // SAFETY: as the caller says.
            from.get(unsafe { bytes_mut(here, valid as usize * buffer.stride) })?;
            return Ok(valid);
        }
        let end = std::mem::replace(&mut self.end, here + room);
        let outer = std::mem::replace(&mut self.outer, value.name);
        self.each(here, valid, buffer.stride, |walk, at| {
            // SAFETY: an element of the buffer.
            unsafe { walk.take_back(&buffer.element, at, true, from) }
        })?;
        (self.end, self.outer) = (end, outer);
        Ok(valid)
    }

    /// Memory for what the callee pointed at.
    fn take_new(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        id: u32,
        from: &mut Reader<'_>,
    ) -> Walked<(usize, u64)> {
        let count = from.get_u64()?;
        self.check_count(buffer, count, value.name)?;
        let size = self.get_size(buffer, count, value.name, from)?;
        let here = if id == 0 {
            let memory = self.side.allocate(buffer.allocate, (size + buffer.behind()).max(1));
            if memory == 0 {
                return Err(Fault::Refused("there is no memory for it", value.name));
            }
            self.given.push((buffer.free, memory));
            // SAFETY: it has this size.
            unsafe { bytes_mut(memory, size + buffer.behind()) }.fill(0);
            memory
        } else {
            if !self.lock().may_be_theirs(id) {
                return Err(Fault::Refused("a region that cannot be made", value.name));
            }
            let shape = self.shape(buffer);
            let here = self.retain(id, (size, buffer.behind()), (shape, true), value.name)?;
            self.lock().set_owner(id, Owner::Static);
            self.keep_region(id, buffer);
            here
        };
        // SAFETY: there is room for so many, all zero.
        let valid = unsafe { self.take_contents(value, buffer, here, (count, size), from)? };
        // SAFETY: as above.
        unsafe { self.check_size(buffer, here, (count, size), value.name)? };
        self.check_end(buffer, here, (valid, count), value.name)?;
        Ok((here, count))
    }

    /// Bytes of what comes with a number of elements.
    fn get_size(&mut self, buffer: &Buffer, count: u64, name: u32, from: &mut Reader<'_>) -> Walked<usize> {
        let least = self.bytes(count, buffer.stride, name)?;
        Ok(if buffer.varies { self.bytes(from.get_u64()?, 1, name)?.max(least) } else { least })
    }

    /// Who relies on the arguments and the result to know a size relies on that: so many elements must have come.
    fn check_count(&mut self, buffer: &Buffer, count: u64, name: u32) -> Walked<()> {
        let is_known = buffer.until.is_none() && !buffer.is_measured;
        let Some(code) = buffer.count.as_ref().filter(|_| is_known) else { return Ok(()) };
        match self.eval(code) {
            Some(expected) if expected == i128::from(count) => Ok(()),
            // What only the worker can say it has said.
            None if !self.is_worker() => Ok(()),
            _ => Err(Fault::Refused("it has another size than the call says", name)),
        }
    }
}
