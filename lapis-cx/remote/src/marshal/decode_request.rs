//! Decodes requests: the callee copies the arguments that the caller sent.

use super::access::{bytes, bytes_mut, load, number, store, store_changed, store_pointer};
use super::buffers::may_repeat;
use super::entries::{BufferEntry, HandleEntry, NotedMemory};
use super::frame::{Choice, Elements, MemoryKind, Received, Retained};
use super::known_pointers::{NO_LAST, is_ended};
use super::marshaller::{Kept, Marshaller, inherited_lifetime, lock};
use super::memory::Allocation;
use super::names::{Named, Names, is_provisional, is_without_object, number_of};
use super::pointer::{Known, get_tag, tag};
use super::shape::Shape;
use super::side::{CallError, CallResult, ENDS, OUTSIDE};
use super::tables::{STAND_IN, Tables};
use super::traverse::{Next, Pass};
use super::watched_memory;
use crate::Reader;
use crate::locks::Mutex;
use crate::plan::{
    Array, Block, Buffer, Code, Handle, HandleValue, Kind, Lifetime, Match, Ownership, Scalar, Scratch, Tagged, Value,
    bytes_behind, callback_of,
};
use crate::protocol::Ended;

/// The reason for rejecting a call that would free or end memory which the callee may not free.
const NO_BLOCK: &str = "it is not the start of a block that a call may end";

/// The pass that decodes requests into zeroed memory.
struct DecodeRequest<'a, 'r>(&'a mut Reader<'r>);

impl Pass for DecodeRequest<'_, '_> {
    const IS_REQUEST: bool = true;

    unsafe fn copy(&mut self, marshaller: &Marshaller<'_>, address: usize, size: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.decode_bytes(address, size, marshaller.kind, self.0) }
    }

    unsafe fn value(
        &mut self,
        marshaller: &mut Marshaller<'_>,
        value: &'static Value,
        address: usize,
        _: bool,
    ) -> CallResult<Next> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.decode_argument(value, address, self.0) }
    }

    unsafe fn after(&mut self, marshaller: &mut Marshaller<'_>, received: &Received) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { marshaller.check_received(received) }
    }
}

impl Marshaller<'_> {
    /// Decodes the arguments of a call.
    ///
    /// # Errors
    ///
    /// Fails if the request contradicts itself or the plan, or if the channel fails.
    ///
    /// # Safety
    ///
    /// `own` must be the address of zeroed, writable memory with the size of `block`.
    pub unsafe fn decode_request(
        &mut self,
        block: &'static Block,
        own: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.traverse(&mut DecodeRequest(from), block, own, true, None) }
    }

    /// Decodes one value of the arguments.
    ///
    /// # Safety
    ///
    /// `address` must be valid for writing the value.
    unsafe fn decode_argument(
        &mut self,
        value: &'static Value,
        address: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let name = value.name;
        match &value.kind {
            Kind::Block(id) => return Ok(self.block(*id).map_or(Next::Done, |block| Next::Block(block, true))),
            // SAFETY: the caller upholds the contract of this function.
            Kind::Array(array) => return unsafe { self.decode_array(value, array, address, from) },
            Kind::Match(choice) => return self.decode_choice(choice, name, from),
            // SAFETY: the caller upholds the contract of this function.
            Kind::Local(Some(room)) if self.kind.is_fresh() => unsafe {
                store_pointer(address, self.make_local(room, name)?);
            },
            _ if !value.goes => {}
            // SAFETY: the caller upholds the contract of this function.
            Kind::Buffer(buffer) => return unsafe { self.decode_buffer(name, buffer, address, from) },
            // SAFETY: the caller upholds the contract of this function.
            Kind::Scalar { scalar, wire } => unsafe { self.decode_scalar(address, *scalar, *wire, from)? },
            Kind::Address { is_own } => {
                let pointer = self.decode_address(*is_own, address, name, from)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            Kind::Handle(handle) => {
                let id = from.get_u64()?;
                let bits = self.decode_handle(value, handle, id)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set(address, handle.bytes, i128::from(bits))? };
            }
            Kind::Callback { of, is_optional, lifetime } => {
                let pointer = self.decode_callback(*of, *is_optional, lifetime, name, from)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            Kind::Userdata { of, .. } if of.is_empty() => {
                let tag = self.userdata(self.registration, name)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, tag)? };
            }
            Kind::Userdata { of, lifetime } => {
                let record = self.decode_userdata(of, lifetime, name, from)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, record)? };
            }
            Kind::Within { is_optional, .. } => {
                let pointer = match get_tag(from)?.0 {
                    tag::NULL if *is_optional => 0,
                    other => {
                        let known = self.get_known(other, name, from)?;
                        if other == tag::ENTRY && self.must_last(address) && !known.outlives {
                            return Err(CallError::Refused(ENDS, name));
                        }
                        known.here
                    }
                };
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            Kind::File(file) => {
                // SAFETY: the caller upholds the contract of this function.
                unsafe {
                    if file.is_descriptor {
                        self.receive_descriptor(file, address, name, from)?;
                    } else {
                        self.receive_path(file, address, name, from)?;
                    }
                }
            }
            Kind::Stream { .. } => return Err(CallError::Refused("streams are not carried", name)),
            Kind::Nothing | Kind::Local(_) | Kind::Function(_) => {}
        }
        Ok(Next::Done)
    }

    /// Decodes a userdata. Returns the program's pointer on the guest, and the address that the library gets for it on the worker.
    fn decode_userdata(
        &mut self,
        of: &[Tagged],
        lifetime: &'static Lifetime,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<usize> {
        let id = from.get_u32()?;
        if !self.is_worker() {
            return self.userdata(id, name);
        }
        if id == 0 {
            return Ok(0);
        }
        let is_null = from.get_u8()? != 0;
        let record = self.decode_registration(id, lifetime, name)?;
        if !is_null {
            return Ok(record);
        }
        let mut slots = Vec::new();
        for one in of {
            slots.extend(Some((callback_of(one), from.get_u32()?)).filter(|(_, slot)| *slot != u32::MAX));
        }
        Ok(if self.side.claims_null(&slots, id) { 0 } else { record })
    }

    /// Decodes a number of `wire` bytes.
    ///
    /// # Safety
    ///
    /// `address` must be valid for the number, and writable as for [`decode_bytes`](Self::decode_bytes).
    #[inline]
    pub(super) unsafe fn decode_scalar(
        &self,
        address: usize,
        scalar: Scalar,
        wire: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        if scalar.bytes == wire {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.decode_bytes(address, wire, self.kind, from) };
        }
        let mut all = [0; 16];
        if let Some(some) = all.get_mut(..wire) {
            from.get(some)?;
        }
        let value = number(all, Scalar { bytes: wire, ..scalar });
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set(address, scalar.bytes, value)? };
        Ok(())
    }

    /// Decodes bytes. Used memory may be constant, so bytes that the other side did not change are not written.
    ///
    /// # Safety
    ///
    /// `address` must be valid for `size` bytes, and writable unless the decoded bytes are there already.
    pub(super) unsafe fn decode_bytes(
        &self,
        address: usize,
        size: usize,
        kind: MemoryKind,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function. A part is within its bytes.
        unsafe {
            match kind {
                MemoryKind::Fresh => from.get(bytes_mut(address, size))?,
                MemoryKind::Used => store_changed(address, size, |_, piece| from.get(piece))?,
                MemoryKind::Copy { to_base, changed } => {
                    let (mut received, mut at) = ([0; 512 + 16], 0);
                    while at < size {
                        let part = &mut received[..self.part_of_copy(address + at, (size - at, 512), changed)];
                        from.get(part)?;
                        self.merge(address + at, part, to_base, changed);
                        at += part.len();
                    }
                }
                MemoryKind::Scratch { of } => {
                    from.get(bytes_mut(address, size))?;
                    self.apply_changes(of, (address, size), false)?;
                }
            }
        }
        Ok(())
    }

    /// Stores the low `bytes` bytes of a number, unless the memory contains them, as [`decode_bytes`](Self::decode_bytes) does.
    ///
    /// # Safety
    ///
    /// `address` must be valid for `bytes` bytes, and writable unless it contains the value.
    pub(super) unsafe fn set(&self, address: usize, bytes: usize, value: i128) -> CallResult<()> {
        let is_same = || {
            let value = number(value.to_le_bytes(), Scalar::unsigned(bytes));
            // SAFETY: the caller upholds the contract of this function.
            unsafe { load(address, Scalar::unsigned(bytes)) == value }
        };
        // SAFETY: the caller upholds the contract of this function. A copy has a base with as many bytes.
        unsafe {
            match self.kind {
                MemoryKind::Copy { to_base, changed } => {
                    let base = address.wrapping_add(to_base);
                    let scalar = Scalar::unsigned(bytes);
                    let _pair = self.lock();
                    let now = number(value.to_le_bytes(), scalar);
                    if changed.is_none() || now != load(base, scalar) {
                        store(address, bytes, value);
                    }
                    store(base, bytes, value);
                }
                MemoryKind::Used if is_same() => {}
                MemoryKind::Scratch { of } => {
                    store(address, bytes, value);
                    return self.apply_changes(of, (address, bytes), true);
                }
                MemoryKind::Fresh | MemoryKind::Used => store(address, bytes, value),
            }
        }
        Ok(())
    }

    /// Stores a pointer as [`set`](Self::set) does.
    ///
    /// # Safety
    ///
    /// As for [`set`](Self::set).
    pub(super) unsafe fn set_pointer(&self, address: usize, value: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set(address, size_of::<usize>(), value as i128) }
    }

    fn decode_address(&mut self, is_own: bool, address: usize, name: u32, from: &mut Reader<'_>) -> CallResult<usize> {
        match get_tag(from)?.0 {
            tag::BITS => match from.get_u64()? as usize {
                bits if bits != 0 && is_own && self.is_worker() => Err(CallError::Refused(NO_BLOCK, name)),
                bits => Ok(bits),
            },
            tag::REGION => {
                let known = self.get_region(name, from)?;
                if is_own {
                    may_end(known, name)?;
                    self.ends(known.here, address);
                }
                Ok(known.here)
            }
            _ => Err(CallError::Refused("unknown pointer tag", name)),
        }
    }

    /// Decodes an array within a block.
    ///
    /// # Safety
    ///
    /// `address` must be valid for writing the array.
    unsafe fn decode_array(
        &mut self,
        value: &'static Value,
        array: &'static Array,
        address: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let sent = from.get_u64()?;
        self.array_room(array, address, sent, value.name)?;
        self.check_array(array, sent, value.goes && !value.comes, value.name)?;
        if !array.facts.is_flat {
            return Ok(Next::Elements(Elements::of_array(value.name, array, address, sent, true)));
        }
        if value.goes {
            // SAFETY: `array_room` checked that the array has the capacity for the elements.
            unsafe { self.decode_bytes(address, sent as usize * array.stride, self.kind, from)? };
        }
        Ok(Next::Done)
    }

    fn decode_choice(&mut self, choice: &'static Match, name: u32, from: &mut Reader<'_>) -> CallResult<Next> {
        let at = if choice.facts.is_told { Some(from.get_u32()? as usize) } else { self.choose(choice) };
        let Some((at, chosen)) = at.and_then(|at| Some((at, choice.case(at)?))) else {
            return Err(CallError::Refused("the specification does not describe this case", name));
        };
        self.remember_choice(choice, at, chosen)?;
        // The values that determine the case are decoded after it, so the case is checked at the end.
        let check = choice.facts.is_told.then_some(Choice { of: choice, at, name });
        Ok(Next::Chosen(chosen, true, check))
    }

    fn decode_callback(
        &mut self,
        of: u32,
        is_optional: bool,
        lifetime: &'static Lifetime,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<usize> {
        let function = from.get_u32()?;
        if function == 0 && !is_optional {
            return Err(CallError::null(name));
        }
        if function == 0 {
            return Ok(0);
        }
        if !self.is_worker() {
            return self.decode_function(of, function, name);
        }
        // A slot, from 1, or a registration.
        let function = if self.has_userdata(of) { function - 1 } else { function };
        if !self.has_userdata(of) {
            self.decode_registration(function, lifetime, name)?;
        }
        let pointer = self.side.trampoline(of, function);
        pointer.ok_or(CallError::Refused("all slots for such callbacks are in use", name))
    }

    /// Records that the region at `here` ends with the call.
    pub(super) fn ends(&mut self, here: usize, slot: usize) {
        self.unsent.push(BufferEntry { slot, here, ends_region: true, ..BufferEntry::NONE });
    }

    /// Allocates zeroed memory of the call. `align` is in bytes.
    pub(super) fn allocate(&mut self, bytes: usize, align: usize, name: u32) -> CallResult<usize> {
        self.allocate_for(bytes, align, true, name)
    }

    /// Like [`allocate`](Self::allocate). Unless `zeroed`, the caller must write all of it.
    fn allocate_for(&mut self, bytes: usize, align: usize, zeroed: bool, name: u32) -> CallResult<usize> {
        let of = self.names_of(name);
        let memory = self.arena.allocate_watched(bytes, align, (zeroed, self.limits.call), of);
        memory.ok_or_else(|| self.exceeds(bytes, name))
    }

    /// Allocates memory that only this side has.
    fn make_local(&mut self, room: &'static Scratch, name: u32) -> CallResult<usize> {
        let count = self.count(&room.count, name)?;
        let size = self.bytes(count, room.bytes, name)?;
        if matches!(room.lifetime, Lifetime::Call) {
            return self.allocate(size, 1, name);
        }
        Ok(self.retain_local(size, &room.lifetime, name)?.1)
    }

    /// On the guest: returns the userdata of a registration. No registration has null.
    pub(super) fn userdata(&self, id: u32, name: u32) -> CallResult<usize> {
        let tag = self.lock().registrations.get(&id).map(|one| one.tag);
        tag.or((id == 0).then_some(0)).ok_or(CallError::Refused("its registration is over", name))
    }

    fn decode_registration(&mut self, id: u32, lifetime: &'static Lifetime, name: u32) -> CallResult<usize> {
        let record = self.lock().record(id).ok_or(CallError::Refused("there are too many registrations", name))?;
        let Retained { lifetime, scope } = self.registered(lifetime);
        self.kept.push(Kept { what: Ended::Registration(id), lifetime, scope });
        Ok(record)
    }

    fn decode_handle(&mut self, value: &'static Value, handle: &'static HandleValue, id: u64) -> CallResult<u64> {
        let is_without = is_without_object(id);
        if is_without && !handle.is_optional && !handle.is_new && (self.is_worker() || id == 0) {
            return Err(CallError::without_object(id, value.name));
        }
        if !self.is_worker() {
            return self.stand_in(handle, id, value.name);
        }
        let bits = self.named(handle, id);
        let bits = bits.ok_or(CallError::Refused("it is no object of this guest, or a dead one", value.name))?;
        if is_without {
            return Ok(bits);
        }
        self.arguments.push((handle.of, id));
        self.copies_members(handle.of, id);
        if handle.is_own || handle.is_new {
            let (of, bytes, is_own, scope) = (handle.of, handle.bytes, handle.is_own, self.keep_scope());
            self.handles.push(HandleEntry { value, of, bytes, id, is_own, scope });
        }
        Ok(bits)
    }

    /// On the worker: returns the library's value of an object. The id may be provisional.
    pub(super) fn named(&self, handle: &HandleValue, id: u64) -> Option<u64> {
        named(self.tables, self.side.names(), (handle.of, handle.bytes), id)
    }

    /// On the guest: returns the value that the program has for an object, or the value without an object.
    pub(crate) fn stand_in(&mut self, value: &HandleValue, id: u64, name: u32) -> CallResult<u64> {
        let of = value.of;
        let has_memory = |handle: &&Handle| handle.has_memory && !is_without_object(id);
        let Some(handle) = self.stage.plan.handles.get(of as usize).filter(has_memory) else {
            return Ok(id);
        };
        self.copies_members(of, id);
        if let Some(known) = self.lock().stand_in(of, id) {
            return Ok(known);
        }
        let capacity = value.capacity.as_ref().map(|code| self.count(code, name)).transpose()?.unwrap_or(0);
        let size = self.bytes(capacity, 1, name)?.max(handle.memory);
        self.may_keep(size.saturating_add(handle.memory + STAND_IN), name)?;
        let memory = Allocation::zeroed(size).ok_or(CallError::Refused("there is no memory for it", name))?;
        for initial in &handle.initial {
            // SAFETY: the check of the plan guarantees that the member is within the struct, which was just allocated.
            unsafe { store(memory.address() + initial.offset, initial.bytes, initial.value) };
        }
        for one in &handle.computed {
            if let Some(native) = self.stage.natives.get(one.native as usize).copied().flatten() {
                let at = std::ptr::with_exposed_provenance_mut(memory.address());
                // SAFETY: the function reads the struct that was just allocated and initialized. The check of the plan guarantees that the
                // member is within it.
                unsafe { store(memory.address() + one.offset, one.bytes, i128::from(native(at, std::ptr::null()))) };
            }
        }
        // SAFETY: the memory has the size of the struct at least.
        let seen =
            unsafe { bytes(memory.address(), if handle.members.is_some() { handle.memory } else { 0 }) }.to_vec();
        Ok(self.lock().add_stand_in(of, id, memory, seen))
    }
}

/// Checks that the call may end memory that both sides have: the callee frees it, or does not use it any more.
fn may_end(known: Known, name: u32) -> CallResult<()> {
    if known.may_end { Ok(()) } else { Err(CallError::Refused(NO_BLOCK, name)) }
}

/// The header of a buffer in a request, without its contents.
struct Announced {
    tag: u8,
    /// The alignment of the copy in bytes.
    align: usize,
    known: Option<Known>,
    /// The region that the caller created for the buffer, or 0.
    made: u32,
    count: u64,
    size: usize,
}

impl Marshaller<'_> {
    /// Decodes a pointer argument, and the contents of its buffer if they are flat.
    ///
    /// # Safety
    ///
    /// `slot` must be valid for writing a pointer.
    unsafe fn decode_buffer(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        slot: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let (tag, align) = get_tag(from)?;
        let has_changes = tag == tag::CHANGED;
        let tag = if has_changes { tag::REGION } else { tag };
        if tag == tag::NULL {
            self.may_be_null(buffer, name)?;
            self.may_store(slot, (0, 0), name)?;
            // Clears the pointer: in a region the slot still contains the pointer of an earlier call.
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.set(slot, size_of::<usize>(), 0)? };
            return Ok(Next::Done);
        }
        // SAFETY: the caller upholds the contract of this function.
        let mut announced = unsafe { self.decode_place(name, buffer, (tag, align), slot, from)? };
        let Announced { count, size, .. } = announced;
        self.charge(size_of::<BufferEntry>())?;
        let is_of_region = announced.tag == tag::REGION || announced.tag == tag::RETAINED;
        let is_passed = buffer.ownership == Ownership::Taken;
        if !is_passed && !is_of_region && self.must_last(slot) && !announced.known.is_some_and(|place| place.outlives) {
            return Err(CallError::Refused(ENDS, name));
        }
        let (here, memory) = self.memory_for(name, buffer, &mut announced)?;
        let known = announced.known;
        let is_repeated = tag == tag::REPEATED;
        let to_base = self.base_of(buffer, memory.region, known, name)?;
        let (is_ours, is_owner) = known.map_or((true, false), |place| (place.is_ours, place.is_owner));
        let is_new = announced.tag == tag::RETAINED && buffer.ownership != Ownership::Mirror;
        let outlives = known.map_or(is_new, |place| place.outlives);
        let memory = NotedMemory { is_ours, is_owner, outlives, to_base, ..memory };
        self.may_store(slot, (here, size), name)?;
        self.note_buffer(buffer, slot, (here, count, size), memory, is_repeated);
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set_pointer(slot, here)? };
        let mut received = Received { buffer, here, count, valid: count, bytes: size, name, is_result: false };
        if is_repeated {
            return Ok(Next::Done);
        }
        if !self.has_contents(buffer, size) {
            // SAFETY: the memory has the size of the buffer.
            return unsafe { self.decode_uncarried(received, (known, to_base), (align, has_changes), from) };
        }
        let valid = if buffer.valid.is_some() || buffer.until.is_some() { from.get_u64()? } else { count };
        if valid > count {
            return Err(CallError::TooLarge("the number of elements sent is", name, valid, count));
        }
        self.check_valid(buffer, (valid, count), name)?;
        self.carries(valid);
        received.valid = valid;
        let kind = self.prepare_contents(&mut received, (known, to_base), (align, has_changes), from)?;
        let shift = here.wrapping_sub(received.here);
        let here = received.here;
        if buffer.facts.is_flat {
            let used = valid as usize * buffer.stride;
            // SAFETY: the buffer has the capacity for this many elements, as checked before.
            unsafe { self.decode_bytes(here, used, kind, from)? };
            if kind.is_fresh() {
                // SAFETY: the memory was allocated for `size` bytes, and those behind.
                unsafe { bytes_mut(here + used, size + bytes_behind(buffer) - used) }.fill(0);
            }
            // SAFETY: this many elements were decoded just before.
            unsafe { self.check_received(&received)? };
            return Ok(Next::Done);
        }
        let around = inherited_lifetime(buffer, self.retained(buffer));
        let elements = Elements::of_buffer(name, buffer, here, valid);
        let (around, kind, shift) = (Some(around), Some(kind), Some(shift));
        let (outlives, received) = (Some(memory.outlives), Some(received));
        Ok(Next::Elements(Elements { around, kind, shift, outlives, received, ..elements }))
    }

    /// Prepares a buffer whose contents the request does not carry as a whole: decodes changes of shared memory, and numbers that the library may
    /// leave unwritten. `known` is the memory if both sides had it before, and the distance to the base of a copy.
    ///
    /// # Safety
    ///
    /// `received` must describe memory with this size.
    unsafe fn decode_uncarried(
        &mut self,
        mut received: Received,
        (known, to_base): (Option<Known>, Option<usize>),
        (align, has_changes): (usize, bool),
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        let Received { buffer, here, count, bytes: size, .. } = received;
        if known.is_none() && buffer.facts.is_flat && watched_memory::is_on() {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes_mut(here, size) }.fill(watched_memory::BLANK);
        }
        if has_changes && buffer.facts.is_flat {
            let kind = self.prepare_contents(&mut received, (known, to_base), (align, true), from)?;
            if !kind.is_fresh() {
                // SAFETY: the scratch memory has this size.
                unsafe { self.decode_bytes(received.here, size, kind, from)? };
            }
        }
        let mut numbers = self.numbers_in(buffer, here, count).peekable();
        let kind = match known {
            _ if numbers.peek().is_none() => None,
            None => Some(to_base.map_or(MemoryKind::Fresh, |to_base| MemoryKind::Copy { to_base, changed: None })),
            Some(place) if place.is_ours && !place.is_owner => Some(self.copy_with_changes(buffer, here, to_base)),
            // The memory of the owner has the numbers already.
            Some(_) => None,
        };
        for (at, bytes) in numbers {
            match kind {
                // SAFETY: the buffer has `count` elements, and the numbers are in them.
                Some(kind) => unsafe { self.decode_bytes(at, bytes, kind, from)? },
                None => from.skip(bytes)?,
            }
        }
        // SAFETY: the buffer has `count` elements in `size` bytes.
        unsafe { self.check_size(&received)? };
        Ok(Next::Done)
    }

    /// Checks that a pointer to `size` bytes at `here` may be stored. Two arguments can describe one struct with different lengths. The library then
    /// finds the memory of the last argument, which must be as large as the memory of the first one.
    fn may_store(&mut self, slot: usize, (here, size): (usize, usize), name: u32) -> CallResult<()> {
        let slot = self.address_in_reply(slot);
        if self.is_worker() && !self.kind.is_fresh() && self.entries.replaces(slot, here, size) {
            return Err(CallError::Refused("another argument has more elements for this pointer", name));
        }
        Ok(())
    }

    /// Decodes the location and the size of a buffer, and checks both.
    ///
    /// # Safety
    ///
    /// `slot` must be valid for writing a pointer.
    unsafe fn decode_place(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (tag, align): (u8, usize),
        slot: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<Announced> {
        let region = match tag {
            tag::REGION => Some((from.get_u32()?, from.get_u64()?)),
            tag::RETAINED => Some((from.get_u32()?, 0)),
            _ => None,
        };
        let mut repeats = None;
        let known = match (region, tag) {
            (Some((id, offset)), _) => self.known_at(id, offset),
            (None, tag::ENTRY) => Some(self.get_entry(name, from)?.1),
            (None, tag::SPAN) => Some(self.decode_span(align, name, from)?),
            (None, tag::REPEATED) => {
                let (entry, known) = self.get_entry(name, from)?;
                repeats = Some((entry, known.offset));
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
            let (tag, known, made) = self.place_in_region(name, buffer, (tag, region), (known, size))?;
            return Ok(Announced { tag, align, known, made, count, size });
        }
        if known.is_some_and(|place| size > place.room || !place.shape_fits(self.shape(buffer))) {
            return Err(CallError::Refused("it points outside of the buffers of this call, or to another type", name));
        }
        let retained = self.retained(buffer);
        let scopes = &self.stage.scopes;
        let is_other = |entry: BufferEntry, offset: usize| {
            let is_same = entry.has_contents_of(buffer, offset, size) && entry.has_lifetime(retained, scopes);
            !is_same || !may_repeat(buffer)
        };
        if repeats.is_some_and(|(entry, offset)| is_other(entry, offset)) {
            return Err(CallError::Refused("its contents are not those of an earlier pointer", name));
        }
        Ok(Announced { tag, align, known, made: 0, count, size })
    }

    /// Checks a buffer of `size` bytes that the sender has in a region. Returns the tag, the memory and the region to make for it.
    ///
    /// This side may not have the region: its first message is still to be decoded by another thread, or it ended here and the sender does
    /// not know yet. The message has the contents, so the memory is made as for a new region, or for the call.
    fn place_in_region(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (tag, (id, offset)): (u8, (u32, u64)),
        (known, size): (Option<Known>, usize),
    ) -> CallResult<(u8, Option<Known>, u32)> {
        let (is_passed, ends_mirror) =
            (buffer.ownership == Ownership::Taken, buffer.ownership == Ownership::EndsMirror);
        let known = known.and_then(|_| self.known_with((id, offset), size, self.shape(buffer)));
        match known {
            Some(place) if is_passed || ends_mirror => return may_end(place, name).map(|()| (tag::REGION, known, 0)),
            None if is_passed => return Err(CallError::Refused(NO_BLOCK, name)),
            Some(_) => return Ok((tag::REGION, known, 0)),
            None => {}
        }
        match self.retained(buffer) {
            _ if !self.lock().is_theirs(id) => Err(CallError::Refused(OUTSIDE, name)),
            retained if offset == 0 && (retained.is_some() || self.outlives) => Ok((tag::RETAINED, None, id)),
            None if tag == tag::REGION => Ok((tag::CALL, None, 0)),
            _ => Err(CallError::Refused(OUTSIDE, name)),
        }
    }

    /// Allocates memory in which several buffers overlap. Returns the location of the first of them.
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
            (Some(limit), Some(_)) if !buffer.takes_out && count <= limit => Ok(()),
            (Some(limit), Some(_)) if !buffer.takes_out => {
                Err(CallError::TooLarge("the number of elements sent is", name, count, limit))
            }
            (None, Some(_)) => Ok(()),
            (expected, _) if expected.unwrap_or(0) == count => Ok(()),
            (expected, _) => {
                Err(CallError::Differs("the number of elements sent is", name, count, expected.unwrap_or(0)))
            }
        }
    }

    /// Returns the memory of a buffer: shared memory, or new memory for the call or longer.
    fn memory_for(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        announced: &mut Announced,
    ) -> CallResult<(usize, NotedMemory)> {
        let Announced { tag, align, known, made, size, .. } = *announced;
        let in_region = |region: u32| NotedMemory { region, ..NotedMemory::default() };
        let is_passed = buffer.ownership == Ownership::Taken;
        match (known, self.retained(buffer)) {
            (None, _) if is_passed && tag == tag::CALL => {
                let here = self.make_passed(buffer, (size + bytes_behind(buffer), align), name)?;
                Ok((here, NotedMemory { frees_on: Some(false), ..NotedMemory::default() }))
            }
            (Some(place), retained) if is_passed || retained.is_none() => Ok((place.here, NotedMemory::default())),
            // The first pointer to the memory determines its owner.
            (Some(place), _) if tag == tag::REPEATED => Ok((place.here, NotedMemory::default())),
            (Some(place), _) if tag == tag::REGION => {
                self.lock().use_region(place.region, buffer);
                Ok((place.here, in_region(place.region)))
            }
            (None, retained) if tag == tag::RETAINED && (retained.is_some() || self.outlives) => {
                let shape = self.shape(buffer);
                if let Some(here) = self.retain(made, (size, align, bytes_behind(buffer)), (shape, true), name)? {
                    self.lock().describe(made, buffer);
                    return Ok((here, in_region(made)));
                }
                let place = self.known_with((made, 0), size, shape);
                announced.known = place;
                let place = place.ok_or(CallError::Refused(OUTSIDE, name))?;
                self.lock().use_region(made, buffer);
                Ok((place.here, in_region(made)))
            }
            (None, None) if tag == tag::CALL => {
                let zeroed = !buffer.facts.is_flat || !self.has_contents(buffer, size);
                Ok((self.allocate_for(size + bytes_behind(buffer), align, zeroed, name)?, NotedMemory::default()))
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

    /// Checks a buffer after its contents were decoded: the measured length, the last element, and the size that a struct contains.
    ///
    /// # Safety
    ///
    /// The elements that `received` describes must have been decoded.
    pub(super) unsafe fn check_received(&mut self, received: &Received) -> CallResult<()> {
        let Received { buffer, here, count, valid, name, .. } = *received;
        // The worker has already checked lengths that only the worker can measure.
        if self.is_worker() || self.stage.is_entry {
            self.check_measured(buffer, count, name)?;
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
        // SAFETY: `valid` elements were decoded to `here`.
        let is_ended = unsafe { is_ended(buffer, here, (valid, count), last) };
        if is_ended { Ok(()) } else { Err(CallError::Refused(NO_LAST, name)) }
    }

    pub(super) fn last_element(&mut self, code: &Code, name: u32) -> CallResult<i128> {
        self.eval(code).ok_or(CallError::Refused("the value of its last element cannot be computed", name))
    }
}

/// On the worker: returns the library's value of the object `id`, of the kind `of` with `bytes` bytes. If the id is provisional, it blocks
/// until the object is made.
pub(crate) fn named(tables: &Mutex<Tables>, names: Option<&Names>, (of, bytes): (u32, usize), id: u64) -> Option<u64> {
    if is_without_object(id) {
        // A guest only passes values that the library has returned.
        let is_known = id == 0 || lock(tables).without_object.contains(&(of, id));
        return is_known.then_some(id);
    }
    if !is_provisional(id, bytes) {
        return lock(tables).value_of(of, id, bytes);
    }
    match names?.find(of, id, number_of(id, bytes))? {
        Named::Made(bits) => Some(bits),
        Named::Failed => None,
    }
}
