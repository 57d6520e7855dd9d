//! Entry, the callee's side: copies are made of what was sent.

use super::super::later::{Named, Names, is_minted, number_of};
use super::super::memory::{bytes_mut, load, number, scan, store, store_pointer};
use super::super::shadow::guard;
use super::super::tables::{Ended, Shape, Tables};
use super::send_entry::around_inside;
use super::{Allocation, Fault, HandleVisit, Kept, Visit, Walk, Walked, lock, tag};
use crate::Reader;
use crate::locks::Mutex;
use crate::plan::{Block, Buffer, HandleValue, Kind, Lifetime, Ownership, Scalar, Value};

/// A place in memory that both sides have.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub here: usize,
    /// From the start of it.
    offset: usize,
    /// Bytes up to its end.
    pub room: usize,
    shape: Shape,
    /// What the other side sends may be written there.
    is_ours: bool,
}

/// Why a call is refused that would end memory which is none of its kind.
const NO_BLOCK: &str = "it is not the start of memory that both sides have";

impl Known {
    /// So far behind a start, if that is not behind the end.
    pub fn within(start: usize, bytes: usize, offset: u64, shape: Shape, is_ours: bool) -> Option<Known> {
        let offset = usize::try_from(offset).ok().filter(|at| *at <= bytes)?;
        Some(Known { here: start + offset, offset, room: bytes - offset, shape, is_ours })
    }

    /// Whether what has this shape may lie there.
    pub fn shape_fits(self, shape: Shape) -> bool {
        shape.fits(self.shape, self.offset)
    }

    /// Whether the other side may fill it with what has this shape.
    pub fn may_take(self, shape: Shape) -> bool {
        self.is_ours && self.shape_fits(shape)
    }
}

impl<'a> Walk<'a> {
    /// Receives the values of a block. `fresh`: its memory is zeroed, and of this call.
    ///
    /// # Safety
    ///
    /// There is room for the block.
    pub unsafe fn receive_entry(
        &mut self,
        block: &'static Block,
        own: usize,
        fresh: bool,
        from: &mut Reader<'_>,
    ) -> Walked<()> {
        self.enter(own);
        for value in &block.values {
            let address = own + value.offset;
            self.stand_at(address);
            // SAFETY: a value of the block.
            unsafe { self.receive_value(value, address, fresh, from)? };
        }
        self.keep_olds(block, own);
        self.leave();
        Ok(())
    }

    /// # Safety
    ///
    /// There is room for the value.
    unsafe fn receive_value(
        &mut self,
        value: &'static Value,
        address: usize,
        fresh: bool,
        from: &mut Reader<'_>,
    ) -> Walked<()> {
        match &value.kind {
            Kind::Scalar { scalar, wire } if value.goes => {
                // SAFETY: as the caller says.
                unsafe { receive_number(from, address, *scalar, *wire)? };
            }
            Kind::Address { is_own } if value.goes => {
                let pointer = match from.get_u8()? {
                    tag::BITS => match from.get_u64()? as usize {
                        bits if bits != 0 && *is_own && self.is_worker() => {
                            return Err(Fault::Refused(NO_BLOCK, value.name));
                        }
                        bits => bits,
                    },
                    tag::REGION => {
                        let known = self.receive_region(value.name, from)?;
                        if *is_own {
                            self.may_end(Some(known), value.name)?;
                            self.ends(known.here, address);
                        }
                        known.here
                    }
                    _ => return Err(Fault::Refused("an address that is said in no known way", value.name)),
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, pointer) };
            }
            Kind::Handle(handle) if value.goes => {
                let id = from.get_u64()?;
                let bits = self.receive_handle(value, handle, id)?;
                // SAFETY: as the caller says.
                unsafe { store(address, handle.bytes, i128::from(bits)) };
            }
            Kind::Block(id) => {
                let Some(block) = self.block(*id) else { return Ok(()) };
                // SAFETY: there is room for the block.
                unsafe { self.receive_entry(block, address, fresh, from)? };
            }
            Kind::Array(array) => {
                let sent = from.get_u64()?;
                self.array_room(array, address, sent, value.name)?;
                self.check_array(array, sent, value.goes && !value.comes, value.name)?;
                if array.is_flat {
                    if value.goes {
                        // SAFETY: there is room for the array.
                        from.get(unsafe { bytes_mut(address, sent as usize * array.stride) })?;
                    }
                } else {
                    self.each(address, sent, array.stride, |walk, at| {
                        // SAFETY: an element of the array.
                        unsafe { walk.receive_value(&array.element, at, fresh, from) }
                    })?;
                }
            }
            Kind::Buffer(buffer) if value.goes => {
                // SAFETY: as the caller says.
                unsafe { self.receive_buffer(value, buffer, address, from)? };
            }
            Kind::Callback { of, is_optional, lifetime } if value.goes => {
                let id = from.get_u32()?;
                let pointer = match id {
                    0 if !is_optional => return Err(Fault::Refused("it is null", value.name)),
                    0 => 0,
                    _ => {
                        let has_userdata =
                            self.stage.plan.callbacks.get(*of as usize).is_some_and(|one| one.has_userdata);
                        if has_userdata != (id == u32::MAX) {
                            return Err(Fault::Refused("a callback that is registered in another way", value.name));
                        }
                        if !has_userdata {
                            self.receive_registration(id, lifetime, value.name)?;
                        }
                        let pointer = self.side.trampoline(*of, id);
                        pointer.ok_or(Fault::Refused("all slots for such callbacks are in use", value.name))?
                    }
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, pointer) };
            }
            Kind::Userdata { of, lifetime } if value.goes => {
                if of.is_empty() {
                    let tables = self.lock();
                    let tag = tables.registrations.get(&self.registration).map_or(0, |one| one.tag);
                    // SAFETY: as the caller says.
                    unsafe { store_pointer(address, tag) };
                    return Ok(());
                }
                let id = from.get_u32()?;
                let record = self.receive_registration(id, lifetime, value.name)?;
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, record) };
            }
            Kind::Within { is_optional } if value.goes => {
                let pointer = match from.get_u8()? {
                    tag::NULL if *is_optional => 0,
                    other => self.receive_known(other, value.name, from)?.here,
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, pointer) };
            }
            Kind::File(file) if value.goes => {
                // SAFETY: as the caller says.
                unsafe {
                    if file.is_descriptor {
                        self.receive_descriptor(file, address, value.name, from)?;
                    } else {
                        self.receive_path(file, address, value.name, from)?;
                    }
                }
            }
            Kind::Match(choice) => {
                let at = if choice.is_told { Some(from.get_u32()? as usize) } else { self.choose(choice) };
                let Some((at, chosen)) = at.and_then(|at| Some((at, choice.case(at)?))) else {
                    return Err(Fault::Refused("nothing is said of this case", value.name));
                };
                // SAFETY: as the caller says.
                let received = unsafe { self.receive_value(chosen, address, fresh, from) };
                self.named_by(value.name, received)?;
                // Now what it reads is there.
                if choice.is_told && self.choose(choice) != Some(at) {
                    return Err(Fault::Refused("the other case of it was sent", value.name));
                }
            }
            Kind::Local(Some(room)) if fresh => {
                let count = self.count(&room.count, value.name)?;
                let size = self.bytes(count, room.bytes, value.name)?;
                let pointer = if matches!(room.lifetime, Lifetime::Call) {
                    self.allocate(size, value.name)?
                } else {
                    let made = self.lock().new_region_id();
                    let pointer = self.retain(made, (size, 0), (Shape::Flat, false), value.name)?;
                    let own = self.own();
                    let lifetime = &room.lifetime;
                    let visit = Visit { here: pointer, count, bytes: size, made, lifetime, own, ..Visit::NONE };
                    self.unsaid.push(visit);
                    pointer
                };
                // SAFETY: as the caller says.
                unsafe { store_pointer(address, pointer) };
            }
            Kind::Stream if value.goes => {
                return Err(Fault::Refused("streams do not travel", value.name));
            }
            _ => {}
        }
        Ok(())
    }

    /// A case of a choice has no name of its own: the choice is what is refused.
    pub(super) fn named_by(&self, name: u32, done: Walked<()>) -> Walked<()> {
        done.map_err(|fault| match fault {
            Fault::Refused(why, of) if self.stage.plan.text(of).is_empty() => Fault::Refused(why, name),
            Fault::TooLarge(why, of) if self.stage.plan.text(of).is_empty() => Fault::TooLarge(why, name),
            other => other,
        })
    }

    /// Whether the library may end what is there: it frees blocks that it gave, and what it was given. All else it would take for one.
    fn may_end(&self, known: Option<Known>, name: u32) -> Walked<()> {
        let is_block = known.is_some_and(|known| known.offset == 0 && known.is_ours);
        if is_block || !self.is_worker() { Ok(()) } else { Err(Fault::Refused(NO_BLOCK, name)) }
    }

    /// The region there ends with the call.
    pub(super) fn ends(&mut self, here: usize, slot: usize) {
        let visit = Visit { slot, here, count: 0, bytes: 0, made: 0, ends_twin: true, own: self.own(), ..Visit::NONE };
        self.unsaid.push(visit);
    }

    pub(super) fn allocate(&mut self, bytes: usize, name: u32) -> Walked<usize> {
        let of = self.names_of(name);
        let memory = self.arena.allocate_watched(bytes, self.limits.call, of);
        memory.ok_or(Fault::Refused("the call needs more memory than the limit", name))
    }

    fn receive_registration(&mut self, id: u32, lifetime: &'static Lifetime, name: u32) -> Walked<usize> {
        let record = self.lock().record(id).ok_or(Fault::Refused("there are too many registrations", name))?;
        self.kept.push(Kept { what: Ended::Registration(id), lifetime, own: self.own() });
        Ok(record)
    }

    fn receive_handle(&mut self, value: &'static Value, handle: &'static HandleValue, id: u64) -> Walked<u64> {
        if id == 0 {
            let may_be = handle.is_optional || handle.is_new;
            return if may_be { Ok(0) } else { Err(Fault::Refused("it is null", value.name)) };
        }
        if !self.is_worker() {
            return self.stand_in(handle, id, value.name);
        }
        let bits = self.named(handle, id);
        let bits = bits.ok_or(Fault::Refused("it is no object of this guest, or a dead one", value.name))?;
        self.arguments.push((handle.of, id));
        if handle.is_own || handle.is_new {
            let (of, bytes, is_own, own) = (handle.of, handle.bytes, handle.is_own, self.own());
            self.handles.push(HandleVisit { value, of, bytes, id, is_own, own });
        }
        Ok(bits)
    }

    /// On the worker: what the library knows an object by, which the guest may have named before it was made.
    pub(super) fn named(&self, handle: &HandleValue, id: u64) -> Option<u64> {
        named(self.tables, self.side.names(), (handle.of, handle.bytes), id)
    }

    /// On the guest: what the program has for an object.
    pub(in crate::engine) fn stand_in(&mut self, value: &HandleValue, id: u64, name: u32) -> Walked<u64> {
        let of = value.of;
        let Some(handle) = self.stage.plan.handles.get(of as usize).filter(|handle| handle.has_memory) else {
            return Ok(id);
        };
        if let Some(known) = self.lock().stand_in(of, id) {
            return Ok(known);
        }
        let room = value.room.as_ref().map(|code| self.count(code, name)).transpose()?.unwrap_or(0);
        let size = self.bytes(room, 1, name)?.max(handle.memory);
        let memory = Allocation::zeroed(size).ok_or(Fault::Refused("there is no memory for it", name))?;
        for initial in &handle.initial {
            // SAFETY: within the struct, as the plan was checked for.
            unsafe { store(memory.address() + initial.offset, initial.bytes, initial.value) };
        }
        for (offset, bytes, native) in &handle.computed {
            if let Some(native) = self.stage.natives.get(*native as usize).copied().flatten() {
                let at = std::ptr::with_exposed_provenance_mut(memory.address());
                // SAFETY: the function reads the struct, which was made just now; the member is within it.
                unsafe { store(memory.address() + offset, *bytes, i128::from(native(at, std::ptr::null()))) };
            }
        }
        Ok(self.lock().add_stand_in(of, id, memory))
    }

    /// A place in a region.
    pub(super) fn receive_region(&mut self, name: u32, from: &mut Reader<'_>) -> Walked<Known> {
        let (id, offset) = (from.get_u32()?, from.get_u64()?);
        let is_worker = self.is_worker();
        let tables = self.lock();
        let inside = tables.region(id).filter(|region| region.is_shared).and_then(|region| {
            // Another call may end it meanwhile.
            self.in_use.extend(region.memory.clone());
            // A guest writes nothing into memory of the library itself, but for what the library gave it.
            let is_ours = !is_worker || region.memory.is_some() || region.is_given;
            Known::within(region.start, region.bytes, offset, region.shape, is_ours)
        });
        inside.ok_or(Fault::Refused("it points outside of what both sides have", name))
    }

    /// The same of a tag that was read.
    pub(super) fn receive_known(&mut self, said: u8, name: u32, from: &mut Reader<'_>) -> Walked<Known> {
        match said {
            tag::REGION => self.receive_region(name, from),
            tag::VISIT => {
                let (visit, offset) = (from.get_u32()?, from.get_u64()?);
                let inside = self.visits.get(visit as usize).and_then(|visit| {
                    let is_ours = !self.is_worker() || visit.is_ours;
                    Known::within(visit.here, visit.bytes, offset, visit.shape, is_ours)
                });
                inside.ok_or(Fault::Refused("it points outside of what was sent", name))
            }
            _ => Err(Fault::Refused("a pointer that is said in no known way", name)),
        }
    }

    /// # Safety
    ///
    /// There is room for the pointer.
    unsafe fn receive_buffer(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        from: &mut Reader<'_>,
    ) -> Walked<()> {
        let name = value.name;
        let said = from.get_u8()?;
        if said == tag::NULL {
            let may_be = buffer.is_optional
                || (buffer.until.is_none() && buffer.count.is_some() && {
                    // SAFETY: nothing is read of a buffer without an end of its own.
                    unsafe { self.capacity(buffer, 0, name)? == 0 }
                });
            if !may_be {
                return Err(Fault::Refused("it is null", name));
            }
            // SAFETY: as the caller says.
            unsafe { store_pointer(slot, 0) };
            return Ok(());
        }
        let known = match said {
            tag::REGION | tag::VISIT => Some(self.receive_known(said, name, from)?),
            _ => None,
        };
        let shape = self.shape(buffer);
        if known.is_some_and(|place| !place.shape_fits(shape)) {
            return Err(Fault::Refused("it points into something else", name));
        }
        if buffer.ownership == Ownership::Taken {
            self.may_end(known, name)?;
        }
        if let Some(place) = known {
            // Its size may be what is attached to it.
            // SAFETY: as the caller says.
            unsafe { store_pointer(slot, place.here) };
        }
        // A guest writes nothing into memory of the library: it has what is there, and says it for nothing.
        let is_ours = known.is_none_or(|place| place.is_ours);
        let made = if said == tag::RETAINED { from.get_u32()? } else { 0 };
        let count = from.get_u64()?;
        if buffer.is_measured {
            // The contents say it, once they are there.
        } else if buffer.until.is_none() || buffer.takes_out {
            // What this side computes itself is what the library relies on.
            let expected = match &buffer.count {
                Some(code) => self.count(code, name)?,
                None if buffer.until.is_some() => count,
                None => 0,
            };
            if expected != count {
                return Err(Fault::Refused("it has another size than the arguments say", name));
            }
        } else if let Some(code) = &buffer.count
            && count > self.count(code, name)?
        {
            return Err(Fault::Refused("it is longer than the arguments say", name));
        }
        let least = self.bytes(count, buffer.stride, name)?;
        // What it says of itself is there once it was received.
        let size = if buffer.varies { self.bytes(from.get_u64()?, 1, name)?.max(least) } else { least };
        let lifetime = self.retained(buffer);
        let (here, fresh) = match (known, lifetime) {
            (Some(place), _) if size > place.room => {
                return Err(Fault::Refused("it points outside of what both sides have", name));
            }
            (Some(place), _) => (place.here, false),
            (None, Some(_)) if said == tag::RETAINED => {
                if !self.lock().may_be_theirs(made) {
                    return Err(Fault::Refused("a region that cannot be made", name));
                }
                (self.retain(made, (size, buffer.behind()), (shape, true), name)?, true)
            }
            (None, None) if said == tag::CALL => (self.allocate(size + buffer.behind(), name)?, true),
            _ => return Err(Fault::Refused("it is sent for another time than it lives", name)),
        };
        self.visit(buffer, slot, (here, count, size), made, is_ours);
        // SAFETY: as the caller says.
        unsafe { store_pointer(slot, here) };
        if !self.has_contents(buffer, size) {
            if fresh && !buffer.is_flat {
                // SAFETY: it was allocated just now. Pointers in it are null.
                unsafe { bytes_mut(here, size) }.fill(0);
            } else if fresh && guard::is_on() {
                // SAFETY: as above. Who reads it does not find what it may expect.
                unsafe { bytes_mut(here, size) }.fill(guard::BLANK);
            }
            // SAFETY: so many elements lie there.
            return unsafe { self.check_size(buffer, here, (count, size), name) };
        }
        let valid = if buffer.valid.is_some() || buffer.until.is_some() { from.get_u64()? } else { count };
        if valid > count {
            return Err(Fault::Refused("more elements were sent than there is room for", name));
        }
        self.check_valid(buffer, (valid, count), name)?;
        let (here, fresh) = if is_ours { (here, fresh) } else { (self.allocate(size + buffer.behind(), name)?, true) };
        if fresh {
            // SAFETY: it was allocated just now, with so many bytes behind the elements.
            unsafe { bytes_mut(here + size, buffer.behind()) }.fill(0);
        }
        if buffer.is_flat {
            // SAFETY: there is room for so many.
            from.get(unsafe { bytes_mut(here, valid as usize * buffer.stride) })?;
        } else {
            if fresh {
                // SAFETY: it was allocated just now.
                unsafe { bytes_mut(here, size) }.fill(0);
            }
            let inside = around_inside(buffer, lifetime);
            let around = std::mem::replace(&mut self.around, inside);
            let end = std::mem::replace(&mut self.end, here + size);
            let outer = std::mem::replace(&mut self.outer, name);
            self.each(here, valid, buffer.stride, |walk, at| {
                // SAFETY: an element of the buffer.
                unsafe { walk.receive_value(&buffer.element, at, fresh, from) }
            })?;
            (self.around, self.end, self.outer) = (around, end, outer);
        }
        // SAFETY: so many elements were received.
        unsafe { self.check_size(buffer, here, (count, size), name)? };
        self.check_measured(buffer, count, name)?;
        self.check_end(buffer, here, (valid, count), name)
    }

    /// Compares the number of elements that was sent with what the contents say, if they say it. The pointer to them was stored.
    pub(super) fn check_measured(&mut self, buffer: &'static Buffer, sent: u64, name: u32) -> Walked<()> {
        let Some(code) = buffer.count.as_ref().filter(|_| buffer.is_measured) else { return Ok(()) };
        self.stage.received = Some(sent);
        let said = self.count(code, name);
        self.stage.received = None;
        let is_right = if buffer.until.is_some() { sent <= said? } else { sent == said? };
        if is_right { Ok(()) } else { Err(Fault::Refused("it has another size than its contents say", name)) }
    }

    /// Who gets a struct that ends with an array of any length relies on what the struct says of it.
    ///
    /// # Safety
    ///
    /// So many elements of the buffer lie there.
    pub(super) unsafe fn check_size(
        &mut self,
        buffer: &'static Buffer,
        here: usize,
        (count, size): (u64, usize),
        name: u32,
    ) -> Walked<()> {
        // SAFETY: as the caller says.
        if buffer.varies && unsafe { self.size(buffer, here, count, name)? } != size {
            return Err(Fault::Refused("it has another size than it says", name));
        }
        Ok(())
    }

    /// Who gets an array that an element ends looks for that element: it must be there, unless the number of elements ends it too.
    pub(super) fn check_end(
        &mut self,
        buffer: &Buffer,
        here: usize,
        (valid, count): (u64, u64),
        name: u32,
    ) -> Walked<()> {
        let Some((scalar, last)) = &buffer.until else { return Ok(()) };
        let last = self.eval(last).ok_or(Fault::Refused("its last element is no number", name))?;
        // SAFETY: within what was received.
        let found = unsafe { scan(here, buffer.stride, *scalar, last, Some(valid)) };
        let end = here + (valid as usize).saturating_sub(1) * buffer.stride;
        // SAFETY: as above.
        let is_ended = valid != 0 && found == valid && unsafe { load(end, *scalar) } == last;
        let may_be_full = buffer.count.is_some() && valid == count;
        if is_ended || may_be_full { Ok(()) } else { Err(Fault::Refused("its last element is missing", name)) }
    }
}

/// On the worker: what the library knows an object by, of a kind and with so many bytes. The guest may have named it before it was
/// made: then this waits until it is.
pub(in crate::engine) fn named(
    tables: &Mutex<Tables>,
    names: Option<&Names>,
    (of, bytes): (u32, usize),
    id: u64,
) -> Option<u64> {
    if !is_minted(id, bytes) {
        return lock(tables).value_of(of, id, bytes);
    }
    match names?.find(of, id, number_of(id, bytes))? {
        Named::Made(bits) => Some(bits),
        Named::Failed => None,
    }
}

/// # Safety
///
/// There is room for the number.
pub(super) unsafe fn receive_number(from: &mut Reader<'_>, address: usize, scalar: Scalar, wire: usize) -> Walked<()> {
    // SAFETY: as the caller says.
    unsafe {
        match (scalar.bytes, wire) {
            (1, 1) => (address as *mut [u8; 1]).write(from.get_array()?),
            (2, 2) => (address as *mut [u8; 2]).write(from.get_array()?),
            (4, 4) => (address as *mut [u8; 4]).write(from.get_array()?),
            (8, 8) => (address as *mut [u8; 8]).write(from.get_array()?),
            _ => {
                let mut all = [0; 16];
                if let Some(some) = all.get_mut(..wire) {
                    from.get(some)?;
                }
                store(address, scalar.bytes, number(all, Scalar { bytes: wire, ..scalar }));
            }
        }
    }
    Ok(())
}
