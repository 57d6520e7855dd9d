//! Entry, the caller's side: what goes is sent.

use super::super::later::{is_minted, number_of};
use std::sync::Arc;

use super::super::memory::{Allocation, bytes, load, store_pointer};
use super::super::shadow;
use super::super::tables::{Ended, Owner, Region, Shape};
use super::{Fault, HandleVisit, Kept, Walk, Walked, put_number, tag};
use crate::Writer;
use crate::meaning::{Meaning, next_is};
use crate::plan::{Block, Buffer, HandleValue, Kind, Lifetime, Ownership, Scalar, Value};

/// What an `out` buffer of so many bytes has before the call goes too: what the library does not write stays.
pub(in crate::engine) const STAYS: usize = 256;
/// An identifier that no object has, whatever its size: its position is 0, and it is none that a guest makes.
pub(in crate::engine) const NO_OBJECT: u64 = 1 << 32;

impl<'a> Walk<'a> {
    /// Whether what a buffer has goes.
    pub(super) fn has_contents(&self, buffer: &Buffer, size: usize) -> bool {
        buffer.takes_in || (buffer.takes_out && buffer.valid.is_none() && size <= STAYS && buffer.is_flat)
    }

    /// Sends the values of a block.
    ///
    /// # Safety
    ///
    /// The block is there.
    pub unsafe fn send_entry(&mut self, block: &'static Block, own: usize, to: &mut Writer<'_>) -> Walked<()> {
        self.enter(own);
        for value in &block.values {
            let address = own + value.offset;
            self.stand_at(address);
            // SAFETY: a value of the block.
            unsafe { self.send_value(value, address, to)? };
        }
        self.keep_olds(block, own);
        self.leave();
        Ok(())
    }

    /// # Safety
    ///
    /// The value lies there.
    unsafe fn send_value(&mut self, value: &'static Value, address: usize, to: &mut Writer<'_>) -> Walked<()> {
        match &value.kind {
            Kind::Nothing | Kind::Local(_) => {}
            Kind::Scalar { scalar, wire } if value.goes => {
                // SAFETY: as the caller says.
                unsafe { send_number(to, address, *scalar, *wire) };
            }
            Kind::Address { is_own } if value.goes => {
                // SAFETY: as the caller says.
                let bits = unsafe { Self::pointer(address) };
                let bits = self.side.shadow().map_or(bits, |shadow| shadow.address(bits));
                let found = self.lock().find_region(bits);
                match found {
                    Some((id, offset)) => {
                        put_place(to, tag::REGION, id, offset);
                        if *is_own {
                            self.ends(bits, address);
                        }
                    }
                    None => {
                        next_is(Meaning::Tag);
                        to.put_u8(tag::BITS);
                        to.put_u64(bits as u64);
                    }
                }
            }
            Kind::Handle(handle) if value.goes => {
                let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
                // SAFETY: as the caller says.
                let bits = unsafe { load(address, scalar) } as u64;
                let id = self.handle_to_send(handle, bits, value.name)?;
                next_is(Meaning::Handle);
                to.put_u64(id);
                if self.is_worker() && handle.is_own && id != 0 {
                    let (of, bytes, is_own, own) = (handle.of, handle.bytes, true, self.own());
                    self.handles.push(HandleVisit { value, of, bytes, id, is_own, own });
                }
            }
            Kind::Block(id) => {
                let Some(block) = self.block(*id) else { return Ok(()) };
                // SAFETY: the block lies there.
                unsafe { self.send_entry(block, address, to)? };
            }
            Kind::Array(array) => {
                let count = self.count(&array.count, value.name)?;
                let count = match &array.valid {
                    Some(code) if value.goes && !value.comes => count.min(self.count(code, value.name)?),
                    _ => count,
                };
                self.bytes(count, array.stride, value.name)?;
                next_is(Meaning::Length);
                to.put_u64(count);
                if array.is_flat {
                    if value.goes {
                        // SAFETY: the array lies there.
                        to.put(unsafe { bytes(address, count as usize * array.stride) });
                    }
                } else {
                    self.each(address, count, array.stride, |walk, at| {
                        // SAFETY: an element of the array.
                        unsafe { walk.send_value(&array.element, at, to) }
                    })?;
                }
            }
            Kind::Buffer(buffer) if value.goes => {
                // SAFETY: as the caller says.
                unsafe { self.send_buffer(value, buffer, address, to)? };
            }
            Kind::Callback { of, is_optional, lifetime } if value.goes => {
                // SAFETY: as the caller says.
                let function = unsafe { Self::pointer(address) };
                if function == 0 && !is_optional {
                    return Err(Fault::Refused("it is null", value.name));
                }
                let has_userdata = self.stage.plan.callbacks.get(*of as usize).is_some_and(|one| one.has_userdata);
                next_is(Meaning::Handle);
                to.put_u32(match (function, has_userdata) {
                    (0, _) => 0,
                    (_, true) => u32::MAX,
                    _ => self.register(&[(*of, function)], 0, lifetime),
                });
            }
            Kind::Userdata { of, lifetime } if value.goes => {
                if of.is_empty() {
                    return Ok(());
                }
                // SAFETY: as the caller says.
                let data = unsafe { Self::pointer(address) };
                let mut functions = Vec::new();
                for (callback, code) in of {
                    let function = self.eval(code).unwrap_or(0) as usize;
                    if function != 0 {
                        functions.push((*callback, function));
                    }
                }
                next_is(Meaning::Handle);
                to.put_u32(self.register(&functions, data, lifetime));
            }
            Kind::Within { is_optional } if value.goes => {
                // SAFETY: as the caller says.
                let pointer = unsafe { Self::pointer(address) };
                let pointer = self.side.shadow().map_or(pointer, |shadow| shadow.address(pointer));
                if !self.send_known(pointer, 0, (0, None), to) {
                    if pointer != 0 || !is_optional {
                        return Err(Fault::Refused("it points into nothing that the other side has", value.name));
                    }
                    next_is(Meaning::Tag);
                    to.put_u8(tag::NULL);
                }
            }
            Kind::File(file) if value.goes => {
                // SAFETY: as the caller says.
                unsafe {
                    if file.is_descriptor {
                        self.send_descriptor(file, address, value.name, to)?;
                    } else {
                        self.send_path(file, address, value.name, to)?;
                    }
                }
            }
            Kind::Match(choice) => {
                let at = self.choose(choice);
                let Some((at, chosen)) = at.and_then(|at| Some((at, choice.case(at)?))) else {
                    return Err(Fault::Refused("nothing is said of this case", value.name));
                };
                if choice.is_told {
                    to.put_u32(at as u32);
                }
                // SAFETY: as the caller says.
                let sent = unsafe { self.send_value(chosen, address, to) };
                self.named_by(value.name, sent)?;
            }
            Kind::Stream if value.goes => {
                return Err(Fault::Refused("streams do not travel", value.name));
            }
            _ => {}
        }
        Ok(())
    }

    fn register(&mut self, functions: &[(u32, usize)], tag: usize, lifetime: &'static Lifetime) -> u32 {
        let id = self.lock().register(functions, tag);
        self.kept.push(Kept { what: Ended::Registration(id), lifetime, own: self.own() });
        id
    }

    pub(super) fn own(&self) -> usize {
        self.stage.scopes.last().map_or(0, |scope| scope.own)
    }

    /// The identifier of an object that the other side gets.
    pub(super) fn handle_to_send(&mut self, handle: &HandleValue, bits: u64, name: u32) -> Walked<u64> {
        if bits == 0 {
            // Null makes no reference, and its meaning is the library's.
            return if handle.is_optional || handle.is_new { Ok(0) } else { Err(Fault::Refused("it is null", name)) };
        }
        if !self.is_worker() {
            let bits = match self.side.shadow() {
                Some(shadow) => shadow.object_to_send(handle.of, bits).map_err(|why| Fault::Refused(why, name))?,
                None => bits,
            };
            // What is no object of this library is refused by the worker, which would wait for one that has a name only.
            let is_one = |id: &u64| !is_minted(*id, handle.bytes) || self.side.has_named(number_of(*id, handle.bytes));
            return Ok(self.id_here(handle.of, bits).filter(is_one).unwrap_or(NO_OBJECT));
        }
        let mut tables = self.lock();
        let is_known = tables.known_id(handle.of, bits).is_some();
        let id = tables.id_of(handle.of, bits, handle.bytes);
        let id = id.ok_or(Fault::Refused("there are too many objects", name))?;
        let parent = self.stage.plan.handles.get(handle.of as usize).and_then(|handle| handle.parent);
        if let Some(parent) = self.arguments.iter().rev().find(|(of, _)| Some(*of) == parent).filter(|_| !is_known) {
            tables.own(Owner::Handle(parent.0, parent.1), Ended::Object(handle.of, id));
        }
        if handle.is_new {
            tables.refer(handle.of, id, handle.bytes, true);
        }
        Ok(id)
    }

    /// A pointer into what both sides have: true if it was said.
    pub(super) fn send_known(
        &mut self,
        pointer: usize,
        bytes: usize,
        (slot, shape): (usize, Option<Shape>),
        to: &mut Writer<'_>,
    ) -> bool {
        if pointer == 0 {
            return false;
        }
        if let Some((visit, offset)) = self.visit_with(pointer, bytes, slot, shape) {
            put_place(to, tag::VISIT, visit, offset);
            return true;
        }
        let tables = self.lock();
        let found = tables.find_end_of_region(pointer);
        let Some((id, offset)) = found.filter(|(id, offset)| {
            tables.region(*id).is_some_and(|region| {
                let fits = shape.is_none_or(|shape| shape.fits(region.shape, *offset));
                bytes <= region.bytes - offset && fits
            })
        }) else {
            return false;
        };
        put_place(to, tag::REGION, id, offset);
        true
    }

    /// Allocates memory for an `out` argument that the caller leaves out, and makes the argument point there: expressions at exit read
    /// it on both sides. The program does not see it.
    ///
    /// # Safety
    ///
    /// The pointer lies in the arguments of the call.
    unsafe fn room_for_null(&mut self, buffer: &'static Buffer, slot: usize, name: u32) -> Walked<usize> {
        if buffer.varies {
            return Ok(0);
        }
        // SAFETY: the elements of a buffer that is filled are not read.
        let count = unsafe { self.capacity(buffer, 0, name)? };
        let size = self.bytes(count, buffer.stride, name)?;
        let memory = Allocation::zeroed(size.max(1)).ok_or(Fault::Refused("there is no memory for it", name))?;
        let here = memory.address();
        self.in_use.push(Arc::new(memory));
        // SAFETY: as the caller says.
        unsafe { store_pointer(slot, here) };
        Ok(here)
    }

    /// Memory of no bytes that is kept already: nothing lies in it, so only its start tells. True if it was said.
    fn send_empty(&mut self, pointer: usize, shape: Shape, to: &mut Writer<'_>) -> bool {
        let tables = self.lock();
        let Some((id, 0)) = tables.find_region(pointer) else { return false };
        let is_it = tables.region(id).is_some_and(|region| region.bytes == 0 && region.shape == shape);
        if is_it {
            put_place(to, tag::REGION, id, 0);
        }
        is_it
    }

    /// # Safety
    ///
    /// The pointer lies there.
    unsafe fn send_buffer(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        to: &mut Writer<'_>,
    ) -> Walked<()> {
        // SAFETY: as the caller says.
        let here = match unsafe { Self::pointer(slot) } {
            // SAFETY: the pointer lies in the arguments.
            0 if buffer.has_always_room => unsafe { self.room_for_null(buffer, slot, value.name)? },
            here => here,
        };
        if here == 0 {
            if !buffer.is_optional && buffer.until.is_none() {
                // A pointer to nothing may be null.
                // SAFETY: nothing is read where nothing is.
                let count = unsafe { self.capacity(buffer, here, value.name)? };
                if count != 0 {
                    return Err(Fault::Refused("it is null", value.name));
                }
            } else if !buffer.is_optional {
                return Err(Fault::Refused("it is null", value.name));
            }
            next_is(Meaning::Tag);
            to.put_u8(tag::NULL);
            return Ok(());
        }
        // SAFETY: the program's own memory, which it says is such a buffer.
        let count = unsafe { self.capacity(buffer, here, value.name)? };
        // SAFETY: as above.
        let size = unsafe { self.size(buffer, here, count, value.name)? };
        if self.side.shadow().is_some() && !shadow::is_readable(here, size) {
            return Err(Fault::TooLarge("it is larger than the program's memory there", value.name));
        }
        let (lifetime, shape) = (self.retained(buffer), self.shape(buffer));
        let mut made = 0;
        // Memory of no bytes is its own only where it ends.
        let room = if buffer.ownership == Ownership::Taken { size } else { size.max(1) };
        let is_known =
            self.send_known(here, room, (0, Some(shape)), to) || size == 0 && self.send_empty(here, shape, to);
        if !is_known {
            match lifetime {
                None => {
                    next_is(Meaning::Tag);
                    to.put_u8(tag::CALL);
                }
                Some(_) => {
                    let mut tables = self.lock();
                    made = tables.new_region_id();
                    let region = Region {
                        start: here,
                        bytes: size,
                        shape,
                        is_shared: true,
                        owner: Owner::Manual,
                        memory: None,
                        is_given: false,
                    };
                    tables.add_region(made, region);
                    next_is(Meaning::Tag);
                    to.put_u8(tag::RETAINED);
                    next_is(Meaning::Region);
                    to.put_u32(made);
                }
            }
        }
        next_is(Meaning::Length);
        to.put_u64(count);
        if buffer.varies {
            to.put_u64(size as u64);
        }
        self.visit(buffer, slot, (here, count, size), made, false);
        if !self.has_contents(buffer, size) {
            return Ok(());
        }
        // SAFETY: as above.
        let valid = unsafe { self.valid(buffer, here, count, value.name)? };
        if buffer.valid.is_some() || buffer.until.is_some() {
            next_is(Meaning::Length);
            to.put_u64(valid);
        }
        if buffer.is_flat {
            // SAFETY: as above. If the program changes it meanwhile, so it would natively.
            to.put(unsafe { bytes(here, valid as usize * buffer.stride) });
            return Ok(());
        }
        let inside = around_inside(buffer, lifetime);
        let around = std::mem::replace(&mut self.around, inside);
        self.each(here, valid, buffer.stride, |walk, at| {
            // SAFETY: an element of the buffer.
            unsafe { walk.send_value(&buffer.element, at, to) }
        })?;
        self.around = around;
        Ok(())
    }
}

/// A place in memory that both sides know, and what of it the tag says.
pub(super) fn put_place(to: &mut Writer<'_>, tag: u8, id: u32, offset: usize) {
    next_is(Meaning::Tag);
    to.put_u8(tag);
    next_is(Meaning::Region);
    to.put_u32(id);
    next_is(Meaning::Offset);
    to.put_u64(offset as u64);
}

/// What lies in memory that is kept is kept as long. A twin's members say for themselves.
pub(super) fn around_inside(buffer: &Buffer, lifetime: Option<&'static Lifetime>) -> Option<&'static Lifetime> {
    if buffer.ownership == Ownership::Twin { None } else { lifetime }
}

/// # Safety
///
/// The number lies there.
pub(super) unsafe fn send_number(to: &mut Writer<'_>, address: usize, scalar: Scalar, wire: usize) {
    // SAFETY: as the caller says.
    unsafe {
        match (scalar.bytes, wire) {
            (1, 1) => to.put_array((address as *const [u8; 1]).read()),
            (2, 2) => to.put_array((address as *const [u8; 2]).read()),
            (4, 4) => to.put_array((address as *const [u8; 4]).read()),
            (8, 8) => to.put_array((address as *const [u8; 8]).read()),
            _ => put_number(to, wire, load(address, scalar)),
        }
    }
}
