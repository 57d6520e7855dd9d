//! Decodes requests: the callee copies the arguments that the caller sent.

use super::access::{bytes, bytes_mut, load, number, store, store_changed};
use super::decode_buffer::{NO_BLOCK, check_may_end};
use super::entries::{BufferEntry, HandleEntry};
use super::frame::{Choice, Elements, MemoryKind, Received, Retained};
use super::kept_changes;
use super::marshaller::{Marshaller, lock};
use super::memory::Allocation;
use super::names::{Named, Names, is_provisional, is_without_object, number_of};
use super::pointer::{get_tag, tag};
use super::region_contents::RunValue;
use super::scratch::Kept;
use super::sent_contents::get_certain;
use super::side::{CallError, CallResult, ENDS};
use super::sources::Reads;
use super::tables::{STAND_IN, Tables};
use super::traverse::{Next, Pass};
use crate::Reader;
use crate::locks::Mutex;
use crate::plan::{Array, Block, Handle, HandleValue, Kind, Lifetime, Match, Op, Scalar, Tagged, Value, callback_of};
use crate::protocol::Ended;

/// The size in bytes of the parts in which contents of a region are stored.
const PART: usize = 512;
/// The size in bytes of such parts if the contents are larger than [`PART`].
const LARGE_PART: usize = 32 << 10;
/// The size in bytes of the largest number.
const LARGEST_NUMBER: usize = 16;

/// Resizes `memory` to `bytes` bytes and returns them.
fn reserve(memory: &mut Vec<u8>, bytes: usize) -> &mut [u8] {
    memory.resize(bytes, 0);
    memory
}

/// The pass that decodes requests into zeroed memory.
struct DecodeRequest<'a, 'r>(&'a mut Reader<'r>);

impl Pass for DecodeRequest<'_, '_> {
    const IS_REQUEST: bool = true;

    unsafe fn copy(&mut self, marshaller: &mut Marshaller<'_>, address: usize, size: usize) -> CallResult<()> {
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
        if value.copy_in {
            marshaller.carry_value(value, address);
        }
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
        unsafe {
            kept_changes::count_message();
            self.deferred.unknown_addresses.clear();
            self.traverse(&mut DecodeRequest(from), block, own, true, None)?;
            self.get_late_addresses(from)
        }
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
            Kind::Match(choice) => return self.decode_choice(value, choice, from),
            _ if !value.copy_in => {}
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
                unsafe { self.set(address, handle.bytes, i128::from(bits), RunValue::Whole)? };
            }
            Kind::Callback { of, is_optional, lifetime } => {
                let pointer = self.decode_callback(*of, *is_optional, lifetime, name, from)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            Kind::Userdata { of, .. } if of.is_empty() => {
                // Contents of a callback may have the userdata of any registration.
                let registration = if self.is_argument(address) { self.registration } else { from.get_u32()? };
                let userdata = self.userdata(registration, name)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, userdata)? };
            }
            Kind::Userdata { of, lifetime } => {
                let userdata = self.decode_userdata(of, lifetime, name, from)?;
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, userdata)? };
            }
            Kind::Within { is_optional, .. } => {
                self.add_pointer_of_call(address, Reads::new(), name)?;
                let pointer = match get_tag(from)?.0 {
                    tag::NULL if *is_optional => 0,
                    other => {
                        let known = self.get_known(other, name, from)?;
                        if other == tag::ENTRY && self.must_last(address) && !known.lasts() {
                            return Err(CallError::Refused(ENDS, name));
                        }
                        known.here
                    }
                };
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.set_pointer(address, pointer)? };
            }
            // SAFETY: the caller upholds the contract of this function.
            Kind::File(file) if file.is_descriptor => unsafe { self.receive_descriptor(file, address, name, from)? },
            // SAFETY: the caller upholds the contract of this function.
            Kind::File(file) => unsafe { self.receive_path(file, address, name, from)? },
            Kind::Stream { .. } => return Err(CallError::Refused("streams are not carried", name)),
            Kind::Nothing | Kind::Local { .. } | Kind::Function(_) => {}
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
        let userdata = self.decode_registration(id, lifetime, name)?;
        if !is_null {
            return Ok(userdata);
        }
        let mut slots = Vec::new();
        for one in of {
            slots.extend(Some((callback_of(one), from.get_u32()?)).filter(|(_, slot)| *slot != u32::MAX));
        }
        Ok(if self.side.claims_null(&slots, id) { 0 } else { userdata })
    }

    /// Decodes a number of `wire` bytes.
    ///
    /// # Safety
    ///
    /// `address` must be valid for the number, and writable as for [`decode_bytes`](Self::decode_bytes).
    #[inline]
    pub(super) unsafe fn decode_scalar(
        &mut self,
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
        unsafe { self.set(address, scalar.bytes, value, RunValue::Bytes) }
    }

    /// Decodes bytes. Memory of kind `Used` may be constant, so bytes that do not differ are not written.
    ///
    /// # Safety
    ///
    /// `address` must be valid for `size` bytes, and writable unless the decoded bytes are there already.
    pub(super) unsafe fn decode_bytes(
        &mut self,
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
                MemoryKind::Region { of } if self.is_scratch(of) => {
                    from.get(bytes_mut(address, size))?;
                    self.store_part(of, address, bytes(address, size))?;
                }
                MemoryKind::Region { of } => {
                    // Large contents are stored in large parts, each while the tables are locked.
                    let (mut few, mut many) = ([0; PART + LARGEST_NUMBER], Vec::new());
                    let most = if size <= PART { PART } else { size.min(LARGE_PART) };
                    let buffer = if size <= PART { &mut few[..] } else { reserve(&mut many, most + LARGEST_NUMBER) };
                    let mut at = 0;
                    while at < size {
                        let part = &mut buffer[..self.part_of_copy(of, address + at, (size - at, most))];
                        from.get(part)?;
                        self.store_part(of, address + at, part)?;
                        at += part.len();
                    }
                }
                MemoryKind::Staged { of, to_staged } => {
                    from.get(bytes_mut(address.wrapping_add(to_staged), size))?;
                    self.add_run(of, (address, size), RunValue::Bytes)?;
                }
                MemoryKind::Snapshot { .. } => {}
            }
        }
        Ok(())
    }

    /// Stores the low `bytes` bytes of a number, unless the memory contains them, as [`decode_bytes`](Self::decode_bytes) does.
    ///
    /// # Safety
    ///
    /// `address` must be valid for `bytes` bytes, and writable unless it contains the value.
    pub(super) unsafe fn set(&mut self, address: usize, bytes: usize, value: i128, run: RunValue) -> CallResult<()> {
        let is_same = || {
            let value = number(value.to_le_bytes(), Scalar::unsigned(bytes));
            // SAFETY: the caller upholds the contract of this function.
            unsafe { load(address, Scalar::unsigned(bytes)) == value }
        };
        if matches!(self.kind, MemoryKind::Used) && is_same() {
            return Ok(());
        }
        // SAFETY: the caller upholds the contract of this function. Staged memory has the size of the contents.
        unsafe { store(self.source(address), bytes, value) };
        match self.kind {
            MemoryKind::Staged { of, .. } => self.add_run(of, (address, bytes), run),
            _ => Ok(()),
        }
    }

    /// Stores a pointer as [`set`](Self::set) does.
    ///
    /// # Safety
    ///
    /// As for [`set`](Self::set).
    pub(super) unsafe fn set_pointer(&mut self, address: usize, value: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set(address, size_of::<usize>(), value as i128, RunValue::Whole) }
    }

    fn decode_address(&mut self, is_own: bool, address: usize, name: u32, from: &mut Reader<'_>) -> CallResult<usize> {
        match get_tag(from)?.0 {
            tag::BITS => match self.get_unknown((address, is_own), from)? {
                bits if bits != 0 && is_own && self.is_worker() => Err(CallError::Refused(NO_BLOCK, name)),
                bits => Ok(bits),
            },
            tag::REGION => {
                let known = self.get_region(name, from)?;
                if is_own {
                    check_may_end(known, name)?;
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
        self.check_array_capacity(array, address, sent, value.name)?;
        self.check_array(value, array, sent)?;
        let size = sent as usize * array.stride;
        if value.copy_in && array.valid.is_some() {
            let certain = get_certain(value.copy_out, sent, value.name, from)?;
            self.leave_out(value, (size, certain as usize * array.stride));
        }
        if !array.facts.is_flat {
            return Ok(Next::Elements(Elements::of_array(value.name, array, address, sent, true)));
        }
        if value.copy_in {
            self.carry(address, size);
            // SAFETY: `check_array_capacity` checked that the array has the capacity for the elements.
            unsafe { self.decode_bytes(address, size, self.kind, from)? };
        }
        Ok(Next::Done)
    }

    fn decode_choice(
        &mut self,
        value: &'static Value,
        choice: &'static Match,
        from: &mut Reader<'_>,
    ) -> CallResult<Next> {
        // If the message carries the case, the expression is only evaluated if it follows no pointer, which may not be decoded yet.
        let is_simple = |op: &Op| matches!(op, Op::Own | Op::EnterOuter | Op::Leave | Op::Field(_) | Op::Load(_));
        let (selected, reads) = if !choice.facts.sends_case || choice.value.ops.iter().all(is_simple) {
            self.choose_by(choice)
        } else {
            Default::default()
        };
        let at = if choice.facts.sends_case { Some(from.get_u32()? as usize) } else { selected };
        let Some((at, chosen)) = at.and_then(|at| Some((at, choice.case(at)?))) else {
            return Err(CallError::Refused("the specification does not describe this case", value.name));
        };
        if value.copy_in {
            self.leave_out(value, (0, 0));
        }
        self.remember_choice(choice, at, chosen)?;
        self.select(reads, chosen);
        // The values that determine the case are decoded after it, so the case is checked at the end.
        let check = choice.facts.sends_case.then_some(Choice { of: choice, at, name: value.name });
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
        // `function` is a slot, starting at 1, or a registration.
        let function = if self.has_userdata(of) { function - 1 } else { function };
        if !self.has_userdata(of) {
            self.decode_registration(function, lifetime, name)?;
        }
        let pointer = self.side.trampoline(of, function);
        pointer.ok_or(CallError::Refused("all slots for such callbacks are in use", name))
    }

    /// Records that the call ends the region at `here`.
    pub(super) fn ends(&mut self, here: usize, slot: usize) {
        self.unsent.push(BufferEntry { slot, here, ends_region: true, ..BufferEntry::NONE });
    }

    /// Allocates zeroed memory of the call. `align` is in bytes.
    pub(super) fn allocate(&mut self, bytes: usize, align: usize, name: u32) -> CallResult<usize> {
        self.allocate_for(bytes, align, true, name)
    }

    /// Like [`allocate`](Self::allocate). Unless `zeroed`, the caller must write all of it.
    pub(super) fn allocate_for(&mut self, bytes: usize, align: usize, zeroed: bool, name: u32) -> CallResult<usize> {
        let of = self.names_of(name);
        let memory = self.arena.allocate_watched(bytes, align, (zeroed, self.limits.call), of);
        memory.ok_or_else(|| self.exceeds(bytes, name))
    }

    /// On the guest: returns the userdata of a registration. The id 0 represents null.
    pub(super) fn userdata(&self, id: u32, name: u32) -> CallResult<usize> {
        let userdata = self.lock().registrations.get(&id).map(|one| one.userdata);
        userdata.or((id == 0).then_some(0)).ok_or(CallError::Refused("its registration is over", name))
    }

    fn decode_registration(&mut self, id: u32, lifetime: &'static Lifetime, name: u32) -> CallResult<usize> {
        let userdata =
            self.lock().use_registration(id).ok_or(CallError::Refused("there are too many registrations", name))?;
        let Retained { lifetime, scope } = self.registered(lifetime);
        self.kept.push(Kept { what: Ended::Registration(id), lifetime, scope });
        Ok(userdata)
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

    /// On the guest: returns the handle value that the program gets for an object. If handles are pointers, it is the address of stand-in memory,
    /// which this function allocates for a new object.
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
        self.check_kept_limit(size.saturating_add(handle.memory + STAND_IN), name)?;
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
        // SAFETY: the memory is at least as large as the struct.
        let seen =
            unsafe { bytes(memory.address(), if handle.members.is_some() { handle.memory } else { 0 }) }.to_vec();
        Ok(self.lock().add_stand_in(of, id, memory, seen))
    }
}

/// On the worker: returns the library's value of the object `id`, of the kind `of` with `bytes` bytes. If the id is provisional, blocks until
/// the call that creates the object is over.
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
