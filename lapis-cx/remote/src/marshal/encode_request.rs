//! Encodes requests: the arguments that the caller sends.

use super::access::{bytes, load};
use super::entries::HandleEntry;
use super::frame::{Elements, Received, Retained};
use super::marshaller::{Marshaller, put_number};
use super::names::{id_without_object, is_provisional, number_of};
use super::pages;
use super::pointer::{MemoryRef, put_memory_ref, tag};
use super::scratch::Kept;
use super::side::{CallError, CallResult, ENDS};
use super::tables::{Owner, is_function};
use super::traverse::{Next, Pass};
use super::watched_memory;
use crate::Writer;
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{
    Array, Block, Buffer, HandleValue, Kind, Lifetime, Match, Scalar, Tagged, Value, callback_of, carries_valid_only,
    plain_buffer,
};
use crate::protocol::Ended;

/// The size in bytes from which a request does not carry the contents of an `out` buffer in shadow mode, which detects reads of `out` buffers.
const UNSENT_IN_SHADOW: usize = 257;
/// An identifier that no object has, whatever its size: its position is 0, and it is not a provisional id.
pub(crate) const NO_OBJECT: u64 = 1 << 32;

/// The pass that encodes requests.
struct EncodeRequest<'a, 'w>(&'a mut Writer<'w>);

impl Pass for EncodeRequest<'_, '_> {
    const IS_REQUEST: bool = true;

    unsafe fn copy(&mut self, marshaller: &mut Marshaller<'_>, address: usize, size: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { put_numbers(self.0, marshaller.source(address), size) };
        Ok(())
    }

    unsafe fn value(
        &mut self,
        marshaller: &mut Marshaller<'_>,
        value: &'static Value,
        address: usize,
        _: bool,
    ) -> CallResult<Next> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.encode_argument(value, address, self.0) }
    }

    unsafe fn after(&mut self, _: &mut Marshaller<'_>, _: &Received) -> CallResult<()> {
        Ok(())
    }
}

impl Marshaller<'_> {
    /// Encodes the arguments of a call.
    ///
    /// # Errors
    ///
    /// Fails if an argument cannot be sent or the channel fails.
    ///
    /// # Safety
    ///
    /// `own` must be the address of memory laid out as `block`.
    pub unsafe fn encode_request(&mut self, block: &'static Block, own: usize, to: &mut Writer<'_>) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            self.find_spans(block, own);
            self.deferred.unknown_addresses.clear();
            self.traverse(&mut EncodeRequest(to), block, own, true, None)?;
        }
        self.put_late_addresses(to);
        Ok(())
    }

    /// Finds the memory ranges that plain buffers of the arguments cover. The callee allocates a range as one block if several buffers are in it.
    ///
    /// # Safety
    ///
    /// `own` must be the address of memory laid out as `block`.
    unsafe fn find_spans(&mut self, block: &'static Block, own: usize) {
        self.spans.clear();
        let mut all = Vec::new();
        for value in block.facts.may_overlap.iter().filter_map(|at| block.values.get(*at)) {
            let Some(buffer) = plain_buffer(value) else { continue };
            // SAFETY: the caller upholds the contract of this function.
            let here = unsafe { self.pointer(own + value.offset) };
            // The length may depend on the contents.
            self.set_current_value(own + value.offset);
            let count = buffer.count.as_ref().and_then(|code| self.eval(code));
            let bytes = count.and_then(|count| usize::try_from(count).ok()?.checked_mul(buffer.stride));
            if let Some(end) = bytes.and_then(|bytes| here.checked_add(bytes)).filter(|end| here != 0 && *end > here) {
                all.push((here, end));
            }
        }
        self.set_current_value(own);
        all.sort_unstable();
        for (start, end) in all {
            match self.spans.last_mut() {
                Some((_, last)) if start < *last => *last = end.max(*last),
                _ => self.spans.push((start, end)),
            }
        }
    }

    /// Returns whether the request carries the contents of a buffer of `size` bytes. It also carries contents of `out` buffers, so bytes that the
    /// library does not write keep their values.
    pub(super) fn has_contents(&self, buffer: &Buffer, size: usize) -> bool {
        buffer.is_in
            || buffer.facts.has_inner_results && !buffer.is_out
            || buffer.is_out
                && buffer.valid.is_none()
                && buffer.facts.is_flat
                && size < if self.is_in_shadow() { UNSENT_IN_SHADOW } else { pages::LEAST }
    }

    fn is_in_shadow(&self) -> bool {
        self.side.substitutes().is_some() || watched_memory::is_on()
    }

    /// Returns the addresses and sizes in bytes of the numbers that the request carries of an `out` buffer at `here`, whose `count` elements also
    /// contain pointers, objects or padding. The owner of memory gets all numbers that the other side may have changed in its copy.
    pub(super) fn numbers_in(
        &self,
        buffer: &'static Buffer,
        (here, count): (usize, u64),
        is_to_owner: bool,
    ) -> impl Iterator<Item = (usize, usize)> + use<> {
        let is_whole = is_to_owner || buffer.valid.is_none() && buffer.until.is_none();
        let is_sent = buffer.is_out && is_whole && !buffer.facts.is_flat;
        let block = match buffer.element.kind {
            Kind::Block(id) if is_sent && !self.is_in_shadow() => self.block(id),
            _ => None,
        };
        let numbers = block.filter(|block| block.bytes <= buffer.stride).map_or(&[][..], |block| &block.facts.numbers);
        let count = if numbers.is_empty() { 0 } else { count as usize };
        let elements = (0..count).map(move |index| here.wrapping_add(index.wrapping_mul(buffer.stride)));
        elements.flat_map(|element| numbers.iter().map(move |one| (element.wrapping_add(one.offset), one.bytes)))
    }

    /// Encodes one value of the arguments.
    ///
    /// # Safety
    ///
    /// `address` must be the address of a valid value of the kind of `value`.
    unsafe fn encode_argument(
        &mut self,
        value: &'static Value,
        address: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let name = value.name;
        if value.copy_in {
            self.carry_value(value, address);
        }
        match &value.kind {
            Kind::Block(id) => return Ok(self.block(*id).map_or(Next::Done, |block| Next::Block(block, true))),
            // SAFETY: the caller upholds the contract of this function.
            Kind::Array(array) => return unsafe { self.encode_array(value, array, address, to) },
            Kind::Match(choice) => return self.encode_choice(value, choice, to),
            _ if !value.copy_in => {}
            // SAFETY: the caller upholds the contract of this function.
            Kind::Buffer(buffer) => return unsafe { self.encode_buffer(name, buffer, address, to) },
            // SAFETY: the caller upholds the contract of this function.
            Kind::Scalar { scalar, wire } => unsafe { put_scalar(to, self.source(address), *scalar, *wire) },
            // SAFETY: the caller upholds the contract of this function.
            Kind::Address { is_own } => self.encode_address(unsafe { self.pointer(address) }, *is_own, address, to)?,
            Kind::Handle(handle) => {
                // SAFETY: the caller upholds the contract of this function.
                let bits = unsafe { load(self.source(address), Scalar::unsigned(handle.bytes)) } as u64;
                self.encode_handle(value, handle, bits, to)?;
            }
            Kind::Callback { of, is_optional, lifetime } => {
                // SAFETY: the caller upholds the contract of this function.
                let function = unsafe { self.pointer(address) };
                if function == 0 && !is_optional {
                    return Err(CallError::null(name));
                }
                self.encode_callback(*of, (function, lifetime), name, to)?;
            }
            Kind::Userdata { of, lifetime } if !of.is_empty() => {
                // SAFETY: the caller upholds the contract of this function.
                let data = unsafe { self.pointer(address) };
                if self.is_worker() {
                    self.encode_returned_userdata(data, name, to)?;
                } else {
                    self.encode_userdata(of, (data, lifetime), name, to)?;
                }
            }
            Kind::Userdata { .. } if !self.is_argument(address) => {
                // SAFETY: the caller upholds the contract of this function.
                let userdata = unsafe { self.pointer(address) };
                self.encode_returned_userdata(userdata, name, to)?;
            }
            Kind::Within { is_optional, region } => {
                // SAFETY: the caller upholds the contract of this function.
                let pointer = unsafe { self.pointer(address) };
                let pointer = self.side.substitutes().map_or(pointer, |other| other.address(pointer));
                match self.find_within(pointer, region.as_ref()) {
                    Some(MemoryRef::Entry(at, _)) if self.must_last(address) && !self.lasts(at) => {
                        return Err(CallError::Refused(ENDS, name));
                    }
                    Some(place) => place.put(to),
                    None if pointer == 0 && *is_optional => put_null(to),
                    None => {
                        return Err(CallError::Refused(NO_MEMORY_THERE, name));
                    }
                }
            }
            Kind::File(file) => {
                // SAFETY: the caller upholds the contract of this function.
                unsafe {
                    if file.is_descriptor {
                        self.send_descriptor(file, address, name, to)?;
                    } else {
                        self.send_path(file, address, name, to)?;
                    }
                }
            }
            Kind::Stream { .. } => return Err(CallError::Refused("streams are not carried", name)),
            Kind::Nothing | Kind::Local { .. } | Kind::Userdata { .. } | Kind::Function(_) => {}
        }
        Ok(Next::Done)
    }

    /// Returns whether the receiver has the memory of an earlier buffer for longer than the call: it keeps a copy, or it owns the memory.
    fn lasts(&self, at: u32) -> bool {
        let is_copy = |id| self.lock_regions().region(id).is_some_and(|one| one.memory.is_some());
        self.entries.get(at as usize).is_some_and(|entry| entry.outlives || is_copy(entry.at.id))
    }

    /// Encodes a function pointer: a registration of this call, or the slot of a function whose userdata is another argument.
    fn encode_callback(
        &mut self,
        of: u32,
        (function, lifetime): (usize, &'static Lifetime),
        name: u32,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        if self.is_worker() {
            return self.encode_function((name, false), of, function, to);
        }
        if function != 0 && !is_function(function) {
            // The worker cannot determine whether its library accepts this constant or would call it.
            return Err(CallError::Refused("no function can be at this address", name));
        }
        next_field(FieldKind::Handle);
        to.put_u32(match (function != 0, self.has_userdata(of)) {
            (false, _) => 0,
            (true, true) => self.lock().slot_of(of, function) + 1,
            (true, false) => self.register(&[(of, function)], 0, lifetime),
        });
        Ok(())
    }

    /// Encodes a userdata that the library returns or passes to a callback, as the id of its registration.
    pub(super) fn encode_returned_userdata(&self, userdata: usize, name: u32, to: &mut Writer<'_>) -> CallResult<()> {
        let id = if userdata == 0 { Some(0) } else { self.lock().registration_at(userdata) };
        next_field(FieldKind::Handle);
        to.put_u32(id.ok_or(CallError::Refused(NO_USERDATA, name))?);
        Ok(())
    }

    fn encode_address(&mut self, bits: usize, is_own: bool, address: usize, to: &mut Writer<'_>) -> CallResult<()> {
        let bits = self.side.substitutes().map_or(bits, |other| other.address(bits));
        let found = self.lock().find_region(bits);
        match found {
            Some((id, offset)) => {
                put_memory_ref(to, tag::REGION, id, offset);
                if is_own {
                    self.ends(bits, address);
                }
            }
            None => self.put_unknown((address, is_own), bits, to)?,
        }
        Ok(())
    }

    fn encode_handle(
        &mut self,
        value: &'static Value,
        handle: &HandleValue,
        bits: u64,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let id = self.handle_to_send(handle, bits, value.name)?;
        next_field(FieldKind::Handle);
        to.put_u64(id);
        if handle.is_own && id != 0 {
            let (of, bytes, scope) = (handle.of, handle.bytes, self.keep_scope());
            self.handles.push(HandleEntry { value, of, bytes, id, is_own: true, scope });
        }
        Ok(())
    }

    /// Encodes an array within a block.
    ///
    /// # Safety
    ///
    /// `address` must be the address of the array.
    unsafe fn encode_array(
        &mut self,
        value: &'static Value,
        array: &'static Array,
        address: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let count = self.count(&array.count, value.name)?;
        let has_valid_only = value.copy_in && carries_valid_only(array.is_valid_known, array.facts.is_flat);
        let is_in_only = value.copy_in && !value.copy_out;
        let count = self.carried_at_entry(array.valid.as_ref(), (is_in_only, has_valid_only), count, value.name)?;
        let size = self.size_of_array(array, address, count, value.name)?;
        next_field(FieldKind::Length);
        to.put_u64(count);
        if value.copy_in && array.valid.is_some() {
            let valid = array.valid.as_ref().filter(|_| value.copy_out);
            let certain = self.put_certain((valid, array.is_valid_known), count, to);
            self.leave_out(value, (size, certain as usize * array.stride));
        }
        if !array.facts.is_flat {
            return Ok(Next::Elements(Elements::of_array(value.name, array, address, count, true)));
        }
        if value.copy_in {
            self.carry(address, size);
            // SAFETY: the caller guarantees that the array is at `address`, and `size` is computed from its count.
            to.put(unsafe { bytes(self.source(address), size) });
        }
        Ok(Next::Done)
    }

    fn encode_choice(
        &mut self,
        value: &'static Value,
        choice: &'static Match,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let at = self.choose(choice);
        let Some((at, chosen)) = at.and_then(|at| Some((at, choice.case(at)?))) else {
            return Err(CallError::Refused("the specification does not describe this case", value.name));
        };
        if value.copy_in {
            self.leave_out(value, (0, 0));
        }
        if choice.facts.sends_case {
            to.put_u32(at as u32);
        }
        self.remember_choice(choice, at, chosen)?;
        Ok(Next::Chosen(chosen, true, None))
    }

    /// On the guest: encodes userdata and the functions `of` that it belongs to, as the id of a registration.
    fn encode_userdata(
        &mut self,
        of: &'static [Tagged],
        (data, lifetime): (usize, &'static Lifetime),
        name: u32,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let mut known: Vec<(u32, usize, u32)> = Vec::new();
        let mut slots = Vec::new();
        for one in of {
            let callback = callback_of(one);
            let function = self.eval(&one.function).unwrap_or(0) as usize;
            if !is_function(function) {
                slots.push(u32::MAX);
                continue;
            }
            let slot = self.lock().slot_of(callback, function);
            // The worker distinguishes the functions only by trampoline and userdata.
            let is_unclear = |(of, other, its): &(u32, usize, u32)| {
                *of == callback && *other != function && (slot == 0 || *its == 0)
            };
            if known.iter().any(is_unclear) {
                let why = "it belongs to two functions of one callback type, and not each has a trampoline of its own";
                return Err(CallError::Refused(why, name));
            }
            known.push((callback, function, slot));
            slots.push(slot);
        }
        let functions: Vec<(u32, usize)> = known.iter().map(|(callback, function, _)| (*callback, *function)).collect();
        next_field(FieldKind::Handle);
        // Null userdata without a function needs no registration: the library gets null.
        let is_null = functions.is_empty() && data == 0;
        to.put_u32(if is_null { 0 } else { self.register(&functions, data, lifetime) });
        if !is_null {
            to.put_u8(u8::from(data == 0));
            slots.iter().filter(|_| data == 0).for_each(|slot| to.put_u32(*slot));
        }
        Ok(())
    }

    /// Returns whether the worker distinguishes the functions of a callback type by their userdata.
    pub(super) fn has_userdata(&self, callback: u32) -> bool {
        self.stage.plan.callbacks.get(callback as usize).is_some_and(|one| one.facts.has_userdata)
    }

    fn register(&mut self, functions: &[(u32, usize)], userdata: usize, lifetime: &'static Lifetime) -> u32 {
        let id = self.lock().register(functions, userdata);
        let Retained { lifetime, scope } = self.registered(lifetime);
        self.kept.push(Kept { what: Ended::Registration(id), lifetime, scope });
        id
    }

    /// On the worker: returns the object with which a new object of this kind ends, which is an argument of the call.
    fn parent_of(&self, kind: u32) -> Option<Owner> {
        let parent = self.stage.plan.handles.get(kind as usize)?.parent?;
        self.arguments.iter().rev().find(|(of, _)| *of == parent).map(|(of, id)| Owner::Handle(*of, *id))
    }

    /// On the worker: records an object that an asynchronous call created for a provisional id. Returns whether this was possible.
    pub fn name_object(&mut self, (kind, id, bytes): (u32, u64, usize), value: u64) -> bool {
        let parent = self.parent_of(kind);
        let mut tables = self.lock();
        let is_named = tables.name(kind, id, value);
        if let Some(parent) = parent.filter(|_| is_named) {
            tables.set_parent(kind, id, bytes, parent);
        }
        is_named
    }

    /// Returns the identifier that the other side receives for an object.
    pub(super) fn handle_to_send(&mut self, handle: &HandleValue, bits: u64, name: u32) -> CallResult<u64> {
        if let Some(id) = id_without_object(bits, handle.bytes) {
            // The value creates no reference. The library defines its meaning.
            if self.is_worker() && id != 0 {
                self.lock().without_object.insert((handle.of, id));
            } else if !handle.is_optional && !handle.is_new {
                return Err(CallError::without_object(id, name));
            }
            return Ok(id);
        }
        if !self.is_worker() {
            let bits = match self.side.substitutes() {
                Some(other) => other.object(handle.of, bits).map_err(|why| CallError::Refused(why, name))?,
                None => bits,
            };
            // The worker rejects objects of other libraries. It would wait for an unknown provisional id, so the guest only sends ids that it
            // has issued.
            let is_one =
                |id: &u64| !is_provisional(*id, handle.bytes) || self.side.has_named(number_of(*id, handle.bytes));
            let id = self.id_here(handle.of, bits).filter(is_one).unwrap_or(NO_OBJECT);
            self.copies_members(handle.of, id);
            return Ok(id);
        }
        let mut tables = self.lock();
        let is_known = tables.known_id(handle.of, bits).is_some();
        let id = tables.id_of(handle.of, bits, handle.bytes);
        let id = id.ok_or(CallError::Refused("there are too many objects", name))?;
        if let Some(parent) = self.parent_of(handle.of).filter(|_| !is_known) {
            tables.set_parent(handle.of, id, handle.bytes, parent);
        }
        if handle.is_new {
            tables.refer(handle.of, id, handle.bytes, true);
        }
        drop(tables);
        self.copies_members(handle.of, id);
        Ok(id)
    }
}

/// The reason for rejecting a pointer into memory of one side only.
pub(super) const NO_MEMORY_THERE: &str = "it points to memory that the other side does not have";
/// The reason for rejecting userdata that the library has made, or whose registration is over.
pub(super) const NO_USERDATA: &str = "it is no userdata that the program passed, or its registration is over";

/// Flag of an encoded function pointer: the other bits are an address that is not a function.
pub(super) const CONSTANT_FLAG: u32 = 1 << 31;

/// Returns the word for an address that is no function. It is 0 for null.
pub(super) fn constant_word(address: usize) -> u32 {
    if address == 0 { 0 } else { CONSTANT_FLAG | address as u32 & 0xffff }
}

/// Returns the address for a word of [`constant_word`].
pub(super) fn address_of(constant: u32) -> usize {
    constant as u16 as i16 as isize as usize
}

/// Encodes null.
pub(super) fn put_null(to: &mut Writer<'_>) {
    next_field(FieldKind::Tag);
    to.put_u8(tag::NULL);
}

/// Encodes adjacent numbers. Optimized for 4 and 8 bytes.
///
/// # Safety
///
/// `size` bytes at `address` must be valid for reads.
pub(super) unsafe fn put_numbers(to: &mut Writer<'_>, address: usize, size: usize) {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        match size {
            4 => to.put_array((address as *const [u8; 4]).read()),
            8 => to.put_array((address as *const [u8; 8]).read()),
            _ => to.put(bytes(address, size)),
        }
    }
}

/// Encodes a number in `wire` bytes.
///
/// # Safety
///
/// `address` must be the address of a valid number of this type.
pub(super) unsafe fn put_scalar(to: &mut Writer<'_>, address: usize, scalar: Scalar, wire: usize) {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        if scalar.bytes == wire {
            put_numbers(to, address, wire);
        } else {
            put_number(to, wire, load(address, scalar));
        }
    }
}
