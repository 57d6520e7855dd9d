//! Decodes replies: the caller stores the results in its own memory.

use std::collections::BTreeSet;

use super::access::{bytes_mut, load_pointer};
use super::encode_request::{CONSTANT_FLAG, address_of};
use super::entries::{BufferEntry, InRegion};
use super::frame::{Elements, MemoryKind, Received};
use super::intervals::OuterRanges;
use super::kept_changes;
use super::marshaller::Marshaller;
use super::names::is_without_object;
use super::pages;
use super::pointer::{Known, get_tag, tag};
use super::region_contents::{ReceivedContents, RunValue};
use super::side::{CallError, CallResult, GONE, NO_SIZE, OUTSIDE, REPLACED};
use super::traverse::{Next, Pass};
use crate::Reader;
use crate::plan::{
    Array, Block, Buffer, Code, HandleValue, Kind, Ownership, Value, bytes_behind, gives_block, is_written,
};

/// The pass that decodes replies.
struct DecodeReply<'a, 'r>(&'a mut Reader<'r>);

impl Pass for DecodeReply<'_, '_> {
    const IS_REQUEST: bool = false;

    unsafe fn copy(&mut self, marshaller: &mut Marshaller<'_>, address: usize, size: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.decode_bytes(address, size, marshaller.kind, self.0) }
    }

    unsafe fn value(
        &mut self,
        marshaller: &mut Marshaller<'_>,
        value: &'static Value,
        address: usize,
        copy_out: bool,
    ) -> CallResult<Next> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.decode_result(value, address, copy_out, self.0) }
    }

    unsafe fn after(&mut self, marshaller: &mut Marshaller<'_>, received: &Received) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.check_result(received) }
    }
}

/// Decodes the pointer that a failed call returned: null, or an error.
fn get_error(from: &mut Reader<'_>, name: u32) -> CallResult<usize> {
    let bits = from.get_u64()?;
    if is_without_object(bits) {
        Ok(bits as usize)
    } else {
        Err(CallError::Refused("a failed call returns no memory", name))
    }
}

/// The reason for rejecting contents that belong to no buffer of the call.
const NOT_THERE: &str = "the reply has contents for another buffer";

impl Marshaller<'_> {
    /// Decodes the results of a call.
    ///
    /// # Errors
    ///
    /// Fails if the reply contradicts itself or the plan, or if the channel fails.
    ///
    /// # Safety
    ///
    /// `own` must be the address of the caller's arguments, laid out as `block`.
    pub unsafe fn decode_reply(
        &mut self,
        block: &'static Block,
        own: usize,
        success: bool,
        result: Option<usize>,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            kept_changes::count_message();
            self.deferred.unknown_addresses.clear();
            self.find_gone();
            self.traverse(&mut DecodeReply(from), block, own, success, result)?;
            self.get_late_addresses(from)?;
        }
        self.check_pointers()
    }

    /// Marks the buffers of the request whose memory this side may have freed since. On the guest, a callback or a call in a callback has ended the
    /// memory. On the worker, such a call has ended it too, or the library's pointer leads elsewhere now, or is in freed memory itself.
    ///
    /// # Safety
    ///
    /// Memory of the library to which its own pointers lead must exist, unless its region has ended.
    unsafe fn find_gone(&mut self) {
        if !self.entries.iter().any(|entry| entry.is_written) {
            return;
        }
        let (arguments, tables) = (self.stage.arguments..self.arguments_end, self.lock_regions());
        let (mut gone, mut moved) = (OuterRanges::default(), BTreeSet::new());
        // The pointer to a buffer is in a buffer before it, or in an argument.
        for entry in self.entries.iter_mut().filter(|entry| entry.here != 0 && entry.slot != BufferEntry::NONE.slot) {
            if tables.is_theirs(entry.at.id) {
                continue;
            }
            // Memory that the call does not keep has no use, so its region can end although the memory exists. An asynchronous call ends its own regions
            // when it is sent.
            if entry.at.id != 0 && !entry.is_gone {
                match tables.region(entry.at.id) {
                    Some(region) => entry.is_gone = region.is_over,
                    None if entry.region != 0 && !self.is_sent => {
                        entry.is_gone = true;
                        self.effects.taken_meanwhile.insert(entry.at.id);
                    }
                    None => {}
                }
            }
            if self.stage.is_worker && !entry.is_gone && !arguments.contains(&entry.slot) {
                let is_inside = gone.between(entry.slot, entry.slot + 1).next().is_some();
                // SAFETY: the caller upholds the contract of this function.
                let pointer = if is_inside { 0 } else { unsafe { load_pointer(entry.slot) } };
                moved.insert(pointer);
                // The library may have moved the pointer from one buffer to the next.
                entry.is_gone = !moved.contains(&entry.here);
            }
            if entry.is_gone {
                gone.add(entry.here, entry.end(), ());
            }
        }
    }

    /// Decodes whether the reply carries a value: the value of its condition, or else whether it carries the enclosing value.
    fn decode_condition(&mut self, value: &'static Value, copy_out: bool, from: &mut Reader<'_>) -> CallResult<bool> {
        let Some(code) = &value.on else { return Ok(copy_out) };
        let claimed = from.get_u8()? != 0;
        self.claim(code, claimed);
        Ok(claimed)
    }

    /// Decodes one value of the results. `copy_out` is whether the reply carries it.
    ///
    /// # Safety
    ///
    /// `address` must be the address of a valid value of the kind of `value`.
    unsafe fn decode_result(
        &mut self,
        value: &'static Value,
        address: usize,
        copy_out: bool,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let (name, copy_out) = (value.name, self.decode_condition(value, copy_out, from)?);
        if copy_out && value.copy_out {
            self.carry_value(value, address);
        }
        match &value.kind {
            Kind::Block(id) => return Ok(self.block(*id).map_or(Next::Done, |block| Next::Block(block, copy_out))),
            // SAFETY: the caller upholds the contract of this function.
            Kind::Array(array) => return unsafe { self.decode_reply_array(value, array, address, copy_out, from) },
            Kind::Match(choice) => {
                let chosen = self.chosen_at_exit(value, choice, copy_out)?;
                return Ok(chosen.map_or(Next::Done, |chosen| Next::Chosen(chosen, copy_out, None)));
            }
            Kind::Buffer(_) if !copy_out && value.is_result => {
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, get_error(from, name)?)? };
            }
            _ if !copy_out => {}
            // SAFETY: the caller upholds the contract of this function.
            Kind::Buffer(buffer) => return unsafe { self.decode_reply_buffer(value, buffer, address, from) },
            _ if !value.copy_out => {}
            // SAFETY: the caller upholds the contract of this function.
            Kind::Scalar { scalar, wire } => unsafe { self.decode_scalar(address, *scalar, *wire, from)? },
            Kind::Address { .. } => {
                let pointer = match get_tag(from)?.0 {
                    tag::BITS => self.get_unknown((address, false), from)?,
                    other => self.get_known(other, name, from)?.here,
                };
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            Kind::Handle(handle) => {
                let id = from.get_u64()?;
                let bits = self.decode_reply_handle(handle, id, name)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set(address, handle.bytes, i128::from(bits), RunValue::Whole)? };
            }
            Kind::Userdata { .. } => {
                let id = from.get_u32()?;
                let userdata = self.userdata(id, name)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, userdata)? };
            }
            Kind::Within { is_optional, .. } => {
                let pointer = match get_tag(from)?.0 {
                    tag::NULL if *is_optional || !self.is_worker() => 0,
                    other => self.get_known(other, name, from)?.here,
                };
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            Kind::Callback { of, .. } => {
                let function = from.get_u32()?;
                if function != 1 || !self.has_userdata(*of) {
                    let function = self.decode_function(*of, function, name)?;
                    // SAFETY: the caller upholds the contract of this function.
                    unsafe { self.set_pointer(address, function)? };
                }
            }
            Kind::Function(code) => {
                let is_there = from.get_u8()? != 0;
                let function = if is_there { self.function_named(code) } else { 0 };
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, function)? };
            }
            _ => {}
        }
        Ok(Next::Done)
    }

    /// On the guest: decodes a function of the program that the library returned or passed to a callback.
    pub(super) fn decode_function(&self, of: u32, function: u32, name: u32) -> CallResult<usize> {
        if self.is_worker() {
            return Err(CallError::Refused("functions do not come back from the program", name));
        }
        if function == 0 || function & CONSTANT_FLAG != 0 {
            return Ok(address_of(function));
        }
        let tables = self.lock();
        let found = if self.has_userdata(of) {
            tables.function_of(of, function - 1)
        } else {
            let functions = tables.registrations.get(&function).map_or(&[][..], |one| &one.functions);
            functions.iter().find(|(callback, _)| *callback == of).map(|(_, function)| *function)
        };
        found.ok_or(CallError::Refused("its registration is over", name))
    }

    /// Returns the address of the program's function whose name is at the address that an expression computes, or 0.
    fn function_named(&mut self, code: &Code) -> usize {
        let name = self.eval(code).unwrap_or(0) as usize;
        if name == 0 {
            return 0;
        }
        // SAFETY: the specification guarantees that the address is that of a null-terminated string of the program.
        let name = unsafe { std::ffi::CStr::from_ptr(std::ptr::with_exposed_provenance(name)) };
        self.side.function(name.to_bytes())
    }

    fn decode_reply_handle(&mut self, handle: &'static HandleValue, id: u64, name: u32) -> CallResult<u64> {
        match id {
            _ if self.is_worker() && is_without_object(id) && !handle.is_optional && !handle.is_new => {
                Err(CallError::without_object(id, name))
            }
            _ if self.is_worker() => {
                let bits = self.named(handle, id);
                bits.ok_or(CallError::Refused("it is no object of this guest, or a dead one", name))
            }
            _ => self.stand_in(handle, id, name),
        }
    }

    /// Decodes an array within a block.
    ///
    /// # Safety
    ///
    /// `address` must be the address of the array.
    unsafe fn decode_reply_array(
        &mut self,
        value: &'static Value,
        array: &'static Array,
        address: usize,
        copy_out: bool,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let sent = from.get_u64()?;
        self.check_array_capacity(array, address, sent, value.name)?;
        self.check_array(value, array, sent)?;
        let size = sent as usize * array.stride;
        if copy_out && value.copy_out && array.valid.is_some() {
            self.leave_out(value, (size, size));
        }
        if !array.facts.is_flat {
            return Ok(Next::Elements(Elements::of_array(value.name, array, address, sent, copy_out)));
        }
        if value.copy_out && copy_out {
            self.carry(address, size);
            // SAFETY: `check_array_capacity` checked that the array at `address` has the capacity for `sent` elements.
            unsafe { self.decode_bytes(address, size, self.kind, from)? };
        }
        Ok(Next::Done)
    }

    /// Decodes a pointer of the results, and the contents of its buffer if they are flat.
    ///
    /// # Safety
    ///
    /// `slot` must be the address of a valid pointer.
    unsafe fn decode_reply_buffer(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let name = value.name;
        let found = self.entry_at(slot);
        let (own, entry) = found.unzip();
        let mut target = own.filter(|_| !value.copy_out);
        if value.copy_out {
            let (tag, align) = get_tag(from)?;
            if tag == tag::MOVED && buffer.is_out {
                let there = own.and_then(|at| self.entries.take_contents(at));
                let there = there.ok_or(CallError::Refused(NOT_THERE, name))?;
                // SAFETY: the caller upholds the contract of this function.
                return Ok(unsafe { self.decode_entry(name, buffer, &there, from)? }.and_again());
            }
            let is_known = matches!(tag, tag::SAME | tag::ENTRY | tag::REGION);
            if is_known && self.is_worker() && buffer.ownership == Ownership::Given {
                // The library would free its own memory.
                return Err(CallError::Refused("it is no new block, but memory of the library", name));
            }
            let pointer = match tag {
                tag::SAME => {
                    // The library may have replaced its memory, or the text in it. A text that the program has changed is checked with its contents.
                    let is_of_library =
                        |there: &BufferEntry| there.is_gone || there.at.id != 0 && buffer.until.is_some();
                    if if self.is_worker() { !entry.as_ref().is_some_and(is_of_library) } else { buffer.is_out } {
                        self.check_same(buffer, entry, name)?;
                    }
                    target = own;
                    // The other side has not changed the pointer, which leads to the memory of the request.
                    entry.filter(|there| !there.is_gone).map(|there| there.here)
                }
                tag::NULL => {
                    self.check_null(buffer, name)?;
                    Some(0)
                }
                tag::CALL | tag::RETAINED | tag::REFRESHED if buffer.is_out => {
                    // SAFETY: the caller upholds the contract of this function.
                    return unsafe { self.decode_new(value, buffer, slot, (tag, align), from) };
                }
                other => {
                    let place = if other == tag::ENTRY {
                        let (at, place) = self.get_entry(name, from)?;
                        target = Some(at).filter(|_| buffer.is_out);
                        place
                    } else {
                        self.get_known(other, name, from)?
                    };
                    // The library may advance its pointer in a buffer that it reads without changing the size.
                    let is_advanced = !buffer.is_out && entry.is_some_and(|one| one.offset_of(place.here).is_some());
                    if self.is_worker() || !is_advanced {
                        self.check_known(buffer, place, name)?;
                    }
                    if other == tag::RETURNED && buffer.is_out && place.region != 0 {
                        self.lock().use_region(place.region, buffer);
                        self.keep_region(place.region, buffer);
                    }
                    Some(place.here)
                }
            };
            if let Some(pointer) = pointer {
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(slot, pointer)? };
            }
        }
        if !is_written(buffer) {
            return Ok(Next::Done);
        }
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.decode_written(name, buffer, (own, target), from) }
    }

    /// Decodes the contents that follow a pointer: the contents of the buffer that it led to in the request, or of the buffer that it leads to now.
    ///
    /// # Safety
    ///
    /// The buffers must still exist.
    unsafe fn decode_written(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (own, target): (Option<u32>, Option<u32>),
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let (at, follows) = (target.map(|at| self.entries.carrier(at)).or(own), from.get_u8()? != 0);
        let (entry, is_own) = (at.and_then(|at| self.entries.get(at as usize)), at == own);
        let may_follow =
            entry.is_some_and(|there| if is_own { there.has_unsent() } else { there.is_sent_with(buffer) });
        // The guest must send the contents, except contents of memory of the guest, which may have ended. The worker leaves out contents of memory of
        // the library.
        let is_of_guest = entry.is_some_and(|there| self.is_theirs(there.at.id));
        let must_follow = may_follow && is_own && self.is_worker() && !is_of_guest;
        if !follows && !must_follow {
            return Ok(Next::Done);
        }
        let there = at.filter(|_| may_follow && follows).and_then(|at| self.entries.take_contents(at));
        let there = there.ok_or(CallError::Refused(NOT_THERE, name))?;
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.decode_entry(name, buffer, &there, from) }
    }

    /// Decodes the contents of the buffer of an argument.
    ///
    /// # Safety
    ///
    /// The buffer must still exist.
    unsafe fn decode_entry(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        there: &BufferEntry,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let is_gone = there.is_gone;
        // The results in an `in` buffer may depend on its contents, which the reply does not carry.
        let is_known = there.at.id != 0 || self.contents_before(there.here, there.bytes).is_some();
        if is_gone && (!is_known || !buffer.is_out || self.has_input(buffer)) {
            return Err(CallError::Refused(REPLACED, name));
        }
        if !buffer.is_out {
            self.same_shape(there, buffer, name)?;
            let mut received = there.with_results(name, buffer);
            let kind = self.prepare_contents(&mut received, None, (there.at, true), 1, from)?;
            return Ok(Next::Elements(Elements::with_results(received, kind)));
        }
        let count = self.capacity_at_exit(there, buffer, name)?;
        let (here, bytes) = (there.here, there.bytes);
        let received = Received { buffer, here, count, valid: 0, certain: 0, bytes, name, is_result: true, is_gone };
        // SAFETY: the buffer is memory of the caller with this capacity.
        unsafe { self.decode_contents(received, None, (there.at, true), 1, from) }
    }

    /// Returns whether elements contain numbers that only a request carries.
    fn has_input(&self, buffer: &Buffer) -> bool {
        let Kind::Block(id) = buffer.element.kind else { return false };
        let is_input = |value: &Value| value.copy_in && !value.copy_out && matches!(value.kind, Kind::Scalar { .. });
        self.block(id).is_some_and(|block| block.values.iter().any(is_input))
    }

    /// Checks that no change is lost because this side may have freed its memory. Changes of the program in memory of the library that has ended have no
    /// effect, but the program can read its own memory after a call has ended it.
    fn check_gone(&self, kind: MemoryKind, received: &Received) -> CallResult<()> {
        let MemoryKind::Region { of } = kind else { return Ok(()) };
        let is_lost = |contents: &ReceivedContents| {
            let has_ended = || self.lock_regions().region(contents.at.id).is_none_or(|region| region.is_over);
            // Other contents are compared when they are decoded.
            let is_compared = contents.before.is_some();
            let is_taken = self.effects.taken_meanwhile.contains(&contents.at.id);
            !(is_compared || is_taken || contents.is_unchanged() || self.is_worker() && has_ended())
        };
        if received.is_gone && self.contents.received.get(of as usize).is_some_and(is_lost) {
            return Err(CallError::Refused(if self.is_worker() { REPLACED } else { GONE }, received.name));
        }
        Ok(())
    }

    /// Decodes elements into a buffer. `known`, `at` and `align` are as for [`prepare_contents`](Self::prepare_contents).
    ///
    /// # Safety
    ///
    /// `received.here` must be valid for `count` elements in `bytes` bytes, and for writing what differs from the decoded elements.
    unsafe fn decode_contents(
        &mut self,
        mut received: Received,
        known: Option<Known>,
        at: (InRegion, bool),
        align: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let Received { buffer, count, name, .. } = received;
        let valid = from.get_u64()?;
        if valid > count {
            return Err(CallError::TooLarge("the number of elements received is", name, valid, count));
        }
        if !received.is_gone {
            self.check_valid(buffer, (valid, count), name)?;
        }
        (received.valid, received.certain) = (valid, valid);
        let kind = self.prepare_contents(&mut received, known, at, align, from)?;
        self.check_gone(kind, &received)?;
        let here = received.here;
        if buffer.facts.is_flat {
            // The owner may have changed the contents meanwhile, so they need not be those of the request.
            if self.has_no_contents(kind) {
                return Ok(Next::Done);
            }
            let size = valid as usize * buffer.stride;
            let (kind, has_source) = match received.is_gone {
                true => (self.stage_contents(kind, &received)?, false),
                false => self.stage_flat(kind, &received)?,
            };
            // SAFETY: the caller upholds the contract of this function.
            unsafe {
                match size {
                    ..pages::LEAST => self.decode_bytes(here, size, kind, from)?,
                    _ => self.decode_runs((here, size), kind, name, from)?,
                }
            }
            // SAFETY: this many elements were decoded just before.
            unsafe { self.end_contents(kind, &received, |marshaller| marshaller.check_result(&received))? };
            self.stage.sources.remove(has_source);
            return Ok(Next::Done);
        }
        let elements = Elements::of_buffer(name, buffer, here, valid);
        Ok(Next::Elements(Elements { kind: Some(kind), received: Some(received), ..elements }))
    }

    /// Checks a buffer after the reply was decoded into it.
    ///
    /// # Safety
    ///
    /// The elements that `received` describes must be valid for reads.
    unsafe fn check_result(&mut self, received: &Received) -> CallResult<()> {
        let Received { buffer, here, count, valid, name, .. } = *received;
        if received.is_gone {
            return Ok(());
        }
        if !received.is_result {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.check_received(received) };
        }
        if self.is_worker() && buffer.is_out {
            self.check_end_of_out(buffer, here, (valid, count), name)
        } else {
            Ok(())
        }
    }

    /// Decodes a pointer to memory of the callee that is new to the caller or has new contents.
    ///
    /// # Safety
    ///
    /// `slot` must be the address of a valid pointer.
    unsafe fn decode_new(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        (tag, align): (u8, usize),
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let name = value.name;
        let region = match tag {
            tag::REFRESHED => Some((from.get_u32()?, from.get_u64()?)),
            tag::RETAINED => Some((from.get_u32()?, 0)),
            _ => None,
        };
        if region.is_none() != gives_block(buffer) {
            return Err(CallError::Refused("its lifetime is not that of the specification", name));
        }
        let count = from.get_u64()?;
        self.check_count(buffer, count, name)?;
        let bytes = self.decode_size(buffer, count, name, from)?;
        let shape = self.shape(buffer);
        let (mut known, mut made) = (region.and_then(|at| self.known_with(at, bytes, shape)), None);
        // The region is new, or this side does not have it yet or no longer, as for requests.
        if let (Some((id, 0)), None) = (region, known)
            && self.is_theirs(id)
        {
            made = self.retain(id, (bytes, align, bytes_behind(buffer)), (shape, true), name)?;
            known = if made.is_none() { self.known_with((id, 0), bytes, shape) } else { None };
        }
        let (here, id) = match (region, known, made) {
            (None, ..) => (self.make_given(buffer, slot, bytes, name)?, 0),
            (Some(_), Some(place), _) if self.lock().use_region(place.region, buffer) => (place.here, place.region),
            (Some((id, _)), None, Some(here)) => (here, id),
            _ => return Err(CallError::Refused(OUTSIDE, name)),
        };
        if id != 0 {
            self.lock().count_reference(id, false);
            self.keep_region(id, buffer);
        }
        self.charge(size_of::<BufferEntry>())?;
        self.add_returned(buffer, (here, count, bytes), id);
        let run = if id == 0 || made.is_some() { RunValue::New } else { RunValue::Whole };
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set(slot, size_of::<usize>(), here as i128, run)? };
        self.add_base(buffer, id, name)?;
        let at = InRegion { id, offset: known.map_or(0, |place| place.offset) };
        let received =
            Received { buffer, here, count, valid: 0, certain: 0, bytes, name, is_result: false, is_gone: false };
        // SAFETY: the buffer has the capacity for this many elements, as checked before.
        unsafe { self.decode_contents(received, known, (at, true), align, from) }
    }

    /// Allocates a block that the caller owns after the call and frees with the function that the specification names.
    fn make_given(&mut self, buffer: &'static Buffer, slot: usize, size: usize, name: u32) -> CallResult<usize> {
        let size = size + bytes_behind(buffer);
        self.charge(size)?;
        let memory = self.side.allocate(buffer.allocate, size.max(1));
        if memory == 0 {
            return Err(CallError::Refused("there is no memory for it", name));
        }
        self.effects.given.push((buffer.free, memory, slot));
        // SAFETY: `memory` was just allocated with this size.
        unsafe { bytes_mut(memory, size) }.fill(0);
        Ok(memory)
    }

    /// Compares the element count of the reply with the count that the arguments and results determine, on which the receiver relies.
    fn check_count(&mut self, buffer: &Buffer, count: u64, name: u32) -> CallResult<()> {
        let Some(code) = buffer.count.as_ref().filter(|_| buffer.until.is_none()) else { return Ok(()) };
        // The count depends on contents that are decoded later.
        if buffer.is_measured {
            return Ok(());
        }
        match self.eval(code) {
            Some(expected) if expected == i128::from(count) => Ok(()),
            Some(expected) => Err(match u64::try_from(expected) {
                Ok(expected) => CallError::Differs("the number of elements received is", name, count, expected),
                Err(_) => CallError::Refused(NO_SIZE, name),
            }),
            // Only the worker can evaluate this expression, and it has checked the count.
            None if !self.is_worker() => Ok(()),
            None => Err(CallError::Refused(NO_SIZE, name)),
        }
    }
}

impl BufferEntry {
    /// Describes the part that a reply carries of an `in` buffer that contains results of the callee.
    pub(super) fn with_results(&self, name: u32, buffer: &'static Buffer) -> Received {
        let BufferEntry { here, count, valid, bytes, .. } = *self;
        Received { buffer, here, count, valid, certain: valid, bytes, name, is_result: true, is_gone: false }
    }

    /// Returns the offset of an address in the buffer, or `None` if it is outside. The end of the buffer counts as inside.
    pub(super) fn offset_of(&self, address: usize) -> Option<usize> {
        address.checked_sub(self.here).filter(|offset| *offset <= self.bytes)
    }
}
