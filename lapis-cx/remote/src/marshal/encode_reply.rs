//! Encodes replies: the results that the callee sends back.

use super::access::{bytes, load, store};
use super::encode_request::{NO_MEMORY_THERE, constant_word, put_null, put_numbers, put_scalar};
use super::entries::{BufferEntry, InRegion, element_key};
use super::frame::{Elements, Received};
use super::intervals::OuterRanges;
use super::marshaller::Marshaller;
use super::memory::is_of_engine;
use super::names::{id_without_object, is_without_object};
use super::pages;
use super::pointer::{MemoryRef, tag};
use super::sent_contents::SentKind;
use super::side::{CallError, CallResult};
use super::tables::is_function;
use super::traverse::{Next, Pass};
use crate::Writer;
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Array, Block, Buffer, Kind, Ownership, Scalar, Value, gives_block, is_tail, is_written};

/// The pass that encodes replies.
struct EncodeReply<'a, 'w>(&'a mut Writer<'w>);

impl Pass for EncodeReply<'_, '_> {
    const IS_REQUEST: bool = false;

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
        copy_out: bool,
    ) -> CallResult<Next> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.encode_result(value, address, copy_out, self.0) }
    }

    unsafe fn after(&mut self, _: &mut Marshaller<'_>, _: &Received) -> CallResult<()> {
        Ok(())
    }
}

/// Encodes the pointer that a failed call returned: null, or an error value such as `MAP_FAILED`.
fn put_error(to: &mut Writer<'_>, pointer: usize) {
    next_field(FieldKind::Handle);
    to.put_u64(if is_without_object(pointer as u64) { pointer as u64 } else { 0 });
}

/// The contents that the reply to a call carries.
#[derive(Clone, Copy)]
pub(crate) enum Reply {
    /// The results of a call that succeeded.
    Results,
    /// The results of a call that failed: those with a condition that holds.
    Failure,
    /// Nothing.
    None,
}

/// Returns the offset of each byte in which two contents of equal size differ.
fn differences(one: &[u8], other: &[u8]) -> impl Iterator<Item = usize> {
    // Equal chunks are compared as a whole.
    const CHUNK: usize = 64;
    let chunks = one.chunks(CHUNK).zip(other.chunks(CHUNK)).enumerate().filter(|(_, (ours, theirs))| ours != theirs);
    chunks.flat_map(|(n, (ours, theirs))| {
        let bytes = (n * CHUNK..).zip(ours.iter().zip(theirs));
        bytes.filter(|(_, (ours, theirs))| ours != theirs).map(|(at, _)| at)
    })
}

impl Marshaller<'_> {
    /// Encodes the results of a call. Without `success` it only encodes `result`, if it is a plain value.
    ///
    /// # Errors
    ///
    /// Fails if a value cannot be sent or the channel fails.
    ///
    /// # Safety
    ///
    /// `own` must be the address of memory laid out as `block`.
    pub unsafe fn encode_reply(
        &mut self,
        block: &'static Block,
        own: usize,
        success: bool,
        result: Option<usize>,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let result_value = result.and_then(|at| block.values.get(at)).filter(|_| !success);
        if let Some(Value { offset, kind: Kind::Handle(handle), .. }) = result_value {
            let (address, scalar) = (own + offset, Scalar::unsigned(handle.bytes));
            // SAFETY: the caller upholds the contract of this function.
            unsafe {
                // A failed call gives no new object.
                if handle.is_new && id_without_object(load(address, scalar) as u64, handle.bytes).is_none() {
                    store(address, handle.bytes, 0);
                }
            }
        }
        self.deferred.unknown_addresses.clear();
        self.remove_gone();
        // SAFETY: the caller upholds the contract of this function.
        let encoded = unsafe { self.traverse(&mut EncodeReply(to), block, own, success, result) };
        self.leave_out_unsent(match encoded {
            Err(_) => Reply::None,
            Ok(()) if success => Reply::Results,
            Ok(()) => Reply::Failure,
        });
        encoded?;
        self.put_late_addresses(to);
        Ok(())
    }

    /// Records what the callee has changed in copies although no reply carries the changes: in `local` memory, in results of a failed call or with a
    /// condition that does not hold, and in a call that the program has left. The owner's next contents replace these bytes.
    pub fn leave_out_unsent(&mut self, reply: Reply) {
        let has_reply = !matches!(reply, Reply::None);
        // Contents with a condition contain pointers to others.
        let (mut left, mut sent, mut unsent) = (OuterRanges::default(), OuterRanges::default(), Vec::new());
        for entry in self.entries.iter().filter(|entry| entry.bytes != 0) {
            let is_inside = || left.between(entry.slot, entry.slot.saturating_add(1)).next().is_some();
            let is_left = entry.is_left_out || entry.is_out && !entry.is_sent && is_inside();
            if is_left {
                left.add(entry.here, entry.end(), ());
            }
            let is_failure = entry.is_out && !matches!(reply, Reply::Results) && (entry.has_unsent() || !has_reply);
            if has_reply && entry.is_sent {
                sent.add(entry.here, entry.end(), ());
            } else if entry.at.id != 0 && (entry.is_local || is_left || is_failure) {
                unsent.push(*entry);
            }
        }
        if unsent.is_empty() {
            return;
        }
        let mut tables = self.lock_regions();
        for entry in unsent {
            let BufferEntry { here, bytes: size, at, is_sent, .. } = entry;
            if !tables.is_theirs(at.id) || sent.between(here, entry.end()).next().is_some() {
                continue;
            }
            // The region may be a later one with the same id.
            let fits = tables.region(at.id).is_some_and(|one| at.offset.saturating_add(size) <= one.bytes);
            let versions = tables.versions(at.id, here.wrapping_sub(at.offset)).filter(|_| fits);
            let Some((versions, Some(to_base))) = versions else { continue };
            // The base already has the contents of a reply that was not sent.
            if is_sent {
                versions.leave_out(at.offset..at.offset + size);
                continue;
            }
            // SAFETY: the tables are locked, so the region exists. Its base is as large as the copy, which contains the buffer.
            let (copy, base) = unsafe { (bytes(here, size), bytes(here.wrapping_add(to_base), size)) };
            differences(copy, base).for_each(|byte| versions.leave_out(at.offset + byte..at.offset + byte + 1));
        }
    }

    /// Encodes one value of the results. `copy_out` is whether the reply carries it.
    ///
    /// # Safety
    ///
    /// `address` must be the address of a valid value of the kind of `value`.
    unsafe fn encode_result(
        &mut self,
        value: &'static Value,
        address: usize,
        copy_out: bool,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let copy_out = match &value.on {
            Some(code) => {
                let holds = self.holds(Some(code));
                to.put_u8(u8::from(holds));
                holds
            }
            None => copy_out,
        };
        if copy_out && value.copy_out {
            self.carry_value(value, address);
        }
        match &value.kind {
            // A block or an array may contain values that have conditions.
            Kind::Block(id) => return Ok(self.block(*id).map_or(Next::Done, |block| Next::Block(block, copy_out))),
            // SAFETY: the caller upholds the contract of this function.
            Kind::Array(array) => return unsafe { self.encode_reply_array(value, array, address, copy_out, to) },
            Kind::Match(choice) => {
                let chosen = self.chosen_at_exit(value, choice, copy_out)?;
                return Ok(chosen.map_or(Next::Done, |chosen| Next::Chosen(chosen, copy_out, None)));
            }
            // SAFETY: the caller upholds the contract of this function.
            Kind::Buffer(_) if !copy_out && value.is_result => put_error(to, unsafe { self.pointer(address) }),
            Kind::Buffer(_) if !copy_out => self.entries.set_left_out(address),
            _ if !copy_out => {}
            // SAFETY: the caller upholds the contract of this function.
            Kind::Buffer(buffer) => return unsafe { self.encode_reply_buffer(value, buffer, address, to) },
            _ if !value.copy_out => {}
            // SAFETY: the caller upholds the contract of this function.
            Kind::Scalar { scalar, wire } => unsafe { put_scalar(to, self.source(address), *scalar, *wire) },
            Kind::Address { .. } => {
                // SAFETY: the caller upholds the contract of this function.
                let bits = unsafe { self.pointer(address) };
                // An address at the end of a buffer is not in it: it may be the start of other memory.
                match self.find_known(bits, 1, None) {
                    Some(place) => place.put(to),
                    None => self.put_unknown((address, false), bits, to)?,
                }
            }
            Kind::Handle(handle) => {
                // SAFETY: the caller upholds the contract of this function.
                let bits = unsafe { load(self.source(address), Scalar::unsigned(handle.bytes)) } as u64;
                // Null results are always sent, even where null is not allowed: the caller can handle null better than a rejected reply.
                let id = if bits == 0 { 0 } else { self.handle_to_send(handle, bits, value.name)? };
                next_field(FieldKind::Handle);
                to.put_u64(id);
            }
            Kind::Userdata { .. } => {
                // SAFETY: the caller upholds the contract of this function.
                let userdata = unsafe { self.pointer(address) };
                self.encode_returned_userdata(userdata, value.name, to)?;
            }
            Kind::Within { region, .. } => {
                // SAFETY: the caller upholds the contract of this function.
                let pointer = unsafe { self.pointer(address) };
                match self.find_within(pointer, region.as_ref()) {
                    Some(place) => place.put(to),
                    None if pointer == 0 => put_null(to),
                    None => return Err(CallError::Refused(NO_MEMORY_THERE, value.name)),
                }
            }
            // SAFETY: the caller upholds the contract of this function.
            Kind::Function(_) => to.put_u8(u8::from(unsafe { self.pointer(address) } != 0)),
            Kind::File(_) | Kind::Stream { .. } if !value.copy_in => {
                return Err(CallError::Refused("files of the library do not come back", value.name));
            }
            Kind::Callback { of, .. } => {
                // SAFETY: the caller upholds the contract of this function.
                let pointer = unsafe { self.pointer(address) };
                self.encode_function((value.name, value.copy_in), *of, pointer, to)?;
            }
            _ => {}
        }
        Ok(Next::Done)
    }

    /// Encodes a function of the program that the library returns or passes to a callback. `was_there` is whether the program passed a function
    /// in the same argument or member with this call.
    pub(super) fn encode_function(
        &self,
        (name, was_there): (u32, bool),
        of: u32,
        pointer: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let known = if is_function(pointer) { self.side.function_at(of, pointer) } else { None };
        next_field(FieldKind::Handle);
        match known {
            None if !is_function(pointer) => to.put_u32(constant_word(pointer)),
            Some(registration) if !self.has_userdata(of) => to.put_u32(registration),
            Some(slot @ 1..) => to.put_u32(slot + 1),
            // The trampoline that several functions share. The program keeps the function that it passed there.
            Some(0) if was_there => to.put_u32(1),
            Some(0) => {
                let why = "it has no trampoline of its own, so it cannot be told apart";
                return Err(CallError::Refused(why, name));
            }
            None => return Err(CallError::Refused("it is no function that the program passed", name)),
        }
        Ok(())
    }

    /// Encodes an array within a block.
    ///
    /// # Safety
    ///
    /// `address` must be the address of the array.
    unsafe fn encode_reply_array(
        &mut self,
        value: &'static Value,
        array: &'static Array,
        address: usize,
        copy_out: bool,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let count = self.count(&array.count, value.name)?;
        let count = match &array.valid {
            Some(code) => count.min(self.count(code, value.name)?),
            None => count,
        };
        let size = self.size_of_array(array, address, count, value.name)?;
        next_field(FieldKind::Length);
        to.put_u64(count);
        if copy_out && value.copy_out && array.valid.is_some() {
            self.leave_out(value, (size, size));
        }
        if !array.facts.is_flat {
            return Ok(Next::Elements(Elements::of_array(value.name, array, address, count, copy_out)));
        }
        if value.copy_out && copy_out {
            self.carry(address, size);
            // SAFETY: the caller guarantees that the array is at `address`, and `size` is computed from its count.
            to.put(unsafe { bytes(self.source(address), size) });
        }
        Ok(Next::Done)
    }

    /// Returns the size of the elements of an array within a block.
    ///
    /// # Errors
    ///
    /// The array is larger than the memory of its struct.
    pub(super) fn size_of_array(&self, array: &Array, address: usize, count: u64, name: u32) -> CallResult<usize> {
        let size = self.bytes(count, array.stride, name)?;
        if is_tail(array) && address.checked_add(size).is_none_or(|end| end > self.end) {
            return Err(CallError::Refused("it is larger than the memory of its struct", name));
        }
        Ok(size)
    }

    /// Encodes a pointer of the results, and the contents of its buffer if they are flat.
    ///
    /// # Safety
    ///
    /// `slot` must be the address of a valid pointer.
    unsafe fn encode_reply_buffer(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        slot: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let entry = self.entry_at(slot);
        let own = entry.map(|(at, _)| at);
        let (mut is_carried, mut target) = (false, own.filter(|_| !value.copy_out));
        if value.copy_out {
            // SAFETY: the caller upholds the contract of this function.
            let pointer = unsafe { self.pointer(slot) };
            let is_given = buffer.ownership == Ownership::Given;
            let before = entry.filter(|_| !is_given && pointer != 0);
            // SAFETY: the caller upholds the contract of this function.
            let advanced = unsafe { self.advanced(buffer, before, pointer, value.name)? };
            match advanced {
                _ if pointer == 0 => put_null(to),
                Some((at, 0)) => {
                    target = Some(at);
                    next_field(FieldKind::Tag);
                    to.put_u8(tag::SAME);
                }
                // The library advanced its pointer.
                Some((at, offset)) => {
                    target = Some(at).filter(|_| buffer.is_out);
                    MemoryRef::Entry(at, offset).put(to);
                }
                None if buffer.is_out => {
                    // SAFETY: the library returned this pointer, and the specification guarantees that it points to such elements.
                    unsafe {
                        let place = match self.entry_of_request(buffer, pointer, value.name) {
                            Some((at, offset)) => Some(MemoryRef::Entry(at, offset)),
                            None => self.returned_before(buffer, pointer, value.name)?,
                        };
                        if let Some((at, there)) = before.filter(|_| !matches!(place, Some(MemoryRef::Returned(..))))
                            && (there.accepts_data || place.is_some())
                            && self.is_sent_back(value, &there, slot)
                            && let Some(there) = self.entries.take_contents(at)
                        {
                            // Perhaps no other pointer leads to the former buffer.
                            next_field(FieldKind::Tag);
                            to.put_u8(tag::MOVED);
                            return Ok(self.encode_entry(value.name, buffer, &there, to)?.and_again());
                        }
                        match place {
                            Some(MemoryRef::Entry(at, _)) => target = Some(at),
                            Some(_) => {
                                is_carried = self.is_worker() && entry.is_some_and(|(_, there)| !there.accepts_data)
                            }
                            None => return self.encode_new(value, buffer, (slot, pointer), to),
                        }
                        place.iter().for_each(|place| place.put(to));
                    }
                }
                None => {
                    // SAFETY: as before.
                    let place = unsafe { self.find_read(buffer, pointer, value.name) };
                    place.ok_or(CallError::Refused(NO_MEMORY_THERE, value.name))?.put(to);
                }
            }
        }
        if !is_written(buffer) {
            return Ok(Next::Done);
        }
        // SAFETY: the caller upholds the contract of this function.
        let is_own = |there: &BufferEntry| unsafe { !is_carried && self.is_sent_back(value, there, slot) };
        let at = match target.map(|at| self.entries.carrier(at)) {
            Some(at) if Some(at) != own => {
                Some(at).filter(|at| self.entries.get(*at as usize).is_some_and(|there| there.is_sent_with(buffer)))
            }
            _ => entry.filter(|(_, there)| is_own(there)).map(|(at, _)| at),
        };
        next_field(FieldKind::Tag);
        to.put_u8(u8::from(at.is_some()));
        let Some(there) = at.and_then(|at| self.entries.take_contents(at)) else { return Ok(Next::Done) };
        // SAFETY: the buffer of the request still exists.
        unsafe { self.encode_entry(value.name, buffer, &there, to) }
    }

    /// Returns the buffer of the request to which a pointer of the reply leads, and the offset in it, if the receiver finds the memory there.
    ///
    /// # Safety
    ///
    /// `pointer` must point to elements of the buffer.
    unsafe fn entry_of_request(&mut self, buffer: &'static Buffer, pointer: usize, name: u32) -> Option<(u32, usize)> {
        let (at, offset) = self.entry_with(pointer, 1, Some(self.shape(buffer)))?;
        let entry = self.entries[at as usize];
        // SAFETY: the caller upholds the contract of this function.
        if unsafe { self.is_too_short(buffer, &entry, pointer, name) } {
            return None;
        }
        let (entry, is_worker) = (&self.entries[at as usize], self.is_worker());
        // The library returned an argument as a new block: the program gets its own block, which it can free.
        let is_own = || is_worker && offset == 0 && gives_block(buffer) && is_of_engine(pointer, 1);
        let may_be_it = buffer.ownership != Ownership::Given || is_own();
        // Not for a block that the call passed to this side, which owns the block now, nor for memory of the library.
        (may_be_it && entry.frees_on != Some(false) && (!is_worker || entry.accepts_data)).then_some((at, offset))
    }

    /// Returns whether the reply carries the contents of the buffer of an argument whose pointer is at `slot`.
    ///
    /// # Safety
    ///
    /// `slot` must be the address of a valid pointer.
    unsafe fn is_sent_back(&self, value: &Value, there: &BufferEntry, slot: usize) -> bool {
        // SAFETY: the caller upholds the contract of this function.
        let is_in_use = || !value.copy_out || unsafe { self.is_in_use(there, self.pointer(slot)) };
        there.has_unsent() && is_in_use()
    }

    /// On the worker: returns whether the program took memory that the library keeps with `own` since the request, and may have freed it. The call itself
    /// has not ended it. Of asynchronous calls, the guest knows which memory the program may have freed.
    fn has_ended(&self, there: &BufferEntry) -> bool {
        let id = there.at.id;
        // The call uses such a region, so only a call that names the memory ends it.
        let is_used = self.is_worker() && there.in_region && there.region != 0 && !self.is_async;
        let has_region = || self.lock_regions().region(id).is_some();
        let is_ended_here = || there.ends_region || self.effects.ended_regions.iter().any(|one| one.id == id);
        is_used && !has_region() && !is_ended_here()
    }

    /// Encodes the contents of the buffer of an argument.
    ///
    /// # Safety
    ///
    /// The buffer must still exist.
    unsafe fn encode_entry(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        there: &BufferEntry,
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        let sent_kind = if self.has_ended(there) { SentKind::Nothing } else { SentKind::Results };
        if !buffer.is_out {
            let sent = there.with_results(name, buffer);
            // SAFETY: the buffer of the request has this size.
            let (_, kind) = unsafe { self.put_version(&sent, there.at, sent_kind, to)? };
            return Ok(Next::Elements(Elements::with_results(sent, kind)));
        }
        let count = self.capacity_at_exit(there, buffer, name)?;
        // SAFETY: the buffer of the request has the capacity for `count` elements.
        let mut valid = unsafe { self.valid(buffer, there.here, count, name)? };
        // A function such as `strtok` stores end markers before the end of the request's contents, so the reply carries at least as many elements as
        // the request.
        let may_be_cut = buffer.until.is_some() && buffer.valid.is_none() && buffer.facts.is_flat;
        if may_be_cut && there.is_in && !there.is_owner && there.element == element_key(buffer) {
            valid = valid.max(there.valid.min(count));
        }
        let contents = (there.here, (count, valid), there.bytes);
        // SAFETY: as before.
        unsafe { self.encode_contents(name, buffer, contents, (there.at, sent_kind), to) }
    }

    /// Returns whether the buffer of an argument still exists after the call, which left `pointer` in the argument. The library may have freed
    /// its own memory.
    fn is_in_use(&self, entry: &BufferEntry, pointer: usize) -> bool {
        !self.is_worker() || !entry.is_owner || entry.offset_of(pointer).is_some()
    }

    /// Returns the position of the buffer to which the pointer led in the request, and the offset to which it leads now. Returns `None` if it leads
    /// elsewhere, or if the number of elements does not fit the buffer: the request carried only a part of the memory, the library changed the
    /// size of its memory, or the pointer leads to memory directly behind the buffer.
    ///
    /// # Safety
    ///
    /// `pointer` must point to elements of the buffer.
    unsafe fn advanced(
        &mut self,
        buffer: &'static Buffer,
        entry: Option<(u32, BufferEntry)>,
        pointer: usize,
        name: u32,
    ) -> CallResult<Option<(u32, usize)>> {
        let Some((at, entry, offset)) = entry.and_then(|(at, entry)| Some((at, entry, entry.offset_of(pointer)?)))
        else {
            return Ok(None);
        };
        // The guest does not check the number of elements of an unchanged pointer of the library to memory that the library only reads.
        let is_checked = !self.is_worker() || buffer.is_out || offset != 0;
        // SAFETY: the caller upholds the contract of this function.
        if is_checked && unsafe { self.is_too_short(buffer, &entry, pointer, name) } {
            return Ok(None);
        }
        if offset != 0 && buffer.is_out {
            // SAFETY: the caller upholds the contract of this function.
            let size = unsafe {
                let count = self.capacity(buffer, pointer, name)?;
                self.size(buffer, pointer, count, name)?
            };
            return Ok((size <= entry.bytes - offset).then_some((at, offset)));
        }
        if offset == 0 && buffer.is_out && self.is_worker() && entry.is_owner {
            // SAFETY: the caller upholds the contract of this function.
            let count = unsafe { self.capacity(buffer, pointer, name)? };
            return Ok((count == entry.count).then_some((at, 0)));
        }
        Ok(Some((at, offset)))
    }

    /// Returns the capacity in elements that a buffer of the request has for the reply.
    pub(super) fn capacity_at_exit(
        &mut self,
        there: &BufferEntry,
        buffer: &'static Buffer,
        name: u32,
    ) -> CallResult<u64> {
        if there.is_out && there.element == element_key(buffer) {
            return Ok(there.count);
        }
        // The request described this memory with another type, so only its size in bytes is known.
        self.same_shape(there, buffer, name)?;
        let capacity = (there.bytes / buffer.stride.max(1)) as u64;
        let Some(code) = &buffer.count else { return Ok(capacity) };
        let count = self.count(code, name)?;
        if count > capacity {
            return Err(CallError::TooLarge("the number of elements to return is", name, count, capacity));
        }
        Ok(count)
    }

    /// Checks that the elements of the buffer in the request have the layout of `buffer`.
    pub(super) fn same_shape(&self, there: &BufferEntry, buffer: &'static Buffer, name: u32) -> CallResult<()> {
        let is_same = there.shape == self.shape(buffer);
        if is_same { Ok(()) } else { Err(CallError::Refused("the call passed its memory as another type", name)) }
    }

    /// Encodes `valid` elements of a buffer if they are flat. Otherwise returns them to the traversal.
    ///
    /// # Safety
    ///
    /// `here` must point to `count` elements in `size` bytes, of which `valid` are valid.
    pub(super) unsafe fn encode_contents(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (here, (count, valid), size): (usize, (u64, u64), usize),
        (at, sent_kind): (InRegion, SentKind),
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        next_field(FieldKind::Length);
        to.put_u64(valid);
        let is_new = !matches!(sent_kind, SentKind::Results | SentKind::Nothing);
        if is_new {
            self.returned.carries(valid);
        }
        let sent =
            Received { buffer, here, count, valid, certain: valid, bytes: size, name, is_result: true, is_gone: false };
        // SAFETY: the caller upholds the contract of this function.
        let (follows, kind) = unsafe { self.put_version(&sent, at, sent_kind, to)? };
        if buffer.facts.is_flat {
            let (from, size) = (kind.source(here), sent.carried());
            // SAFETY: the caller upholds the contract of this function.
            unsafe {
                match size {
                    _ if !follows && !is_new => {}
                    ..pages::LEAST => to.put(bytes(from, size)),
                    _ => self.encode_runs(from, size, to),
                }
            }
            return Ok(Next::Done);
        }
        let elements = Elements::of_buffer(name, buffer, here, valid);
        Ok(Next::Elements(Elements { kind: Some(kind), received: Some(sent), ..elements }))
    }
}
