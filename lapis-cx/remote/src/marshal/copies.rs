//! Copies of memory that the other side owns. Both sides may write to such memory between calls. So the side with the copy keeps its
//! *base*: the contents on which both sides last agreed. It sends what differs from the base as changes, and the owner stores these only. Of
//! contents that it receives, it keeps what this side has changed meanwhile. Other threads compare copy and base at the same time, so both are
//! written while the tables are locked.

use super::access::{bytes, bytes_mut, store_runs};
use super::element_numbers::ElementNumbers;
use super::frame::{MemoryKind, Received};
use super::marshaller::{Marshaller, ReceivedChanges, SentChanges, lock};
use super::pointer::Known;
use super::side::{CallError, CallResult};
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Buffer, Kind, Numbers, bytes_behind};
use crate::{Reader, Writer};

fn is_set(bits: &[u8], at: usize) -> bool {
    bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0)
}

fn is_any_set(bits: &[u8], at: usize, count: usize) -> bool {
    (at..at + count).any(|at| is_set(bits, at))
}

impl Marshaller<'_> {
    /// Returns the numbers in the elements of a buffer at `start`.
    fn numbers_of(&self, buffer: &'static Buffer, start: usize) -> ElementNumbers {
        let in_element: &[Numbers] = match &buffer.element.kind {
            Kind::Block(id) => self.block(*id).map_or(&[], |block| &block.facts.numbers),
            Kind::Scalar { scalar, .. } => match scalar.bytes {
                2 => &[Numbers { offset: 0, bytes: 2, each: 2 }],
                4 => &[Numbers { offset: 0, bytes: 4, each: 4 }],
                8 => &[Numbers { offset: 0, bytes: 8, each: 8 }],
                _ => &[],
            },
            _ => &[],
        };
        ElementNumbers { start, stride: buffer.stride.max(1), in_element }
    }

    /// Returns the size of a part of `size` bytes of a copy: at most `most` bytes, and the rest of the number that contains the last of them.
    pub(super) fn part_of_copy(&self, address: usize, (size, most): (usize, usize), changed: Option<u32>) -> usize {
        let part = size.min(most);
        let numbers = changed.and_then(|at| self.changed_copies.get(at as usize)).filter(|_| part != 0);
        numbers.map_or(part, |numbers| (numbers.end(address + part - 1) - address).min(size))
    }

    /// Stores received bytes into a copy and its base. If the copy keeps changes, only numbers that the owner has changed are stored.
    ///
    /// # Safety
    ///
    /// The copy at `address` and its base must be valid for as many bytes.
    pub(super) unsafe fn merge(&self, address: usize, received: &[u8], to_base: usize, changed: Option<u32>) {
        let _pair = self.lock();
        // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
        let (copy, base) =
            unsafe { (bytes_mut(address, received.len()), bytes_mut(address.wrapping_add(to_base), received.len())) };
        match changed.and_then(|at| self.changed_copies.get(at as usize)) {
            Some(numbers) if copy != base => {
                for number in numbers.split(address, received.len()) {
                    if base[number.clone()] != received[number.clone()] {
                        copy[number.clone()].copy_from_slice(&received[number]);
                    }
                }
            }
            _ => copy.copy_from_slice(received),
        }
        base.copy_from_slice(received);
    }

    /// Notes that the other side has the present contents of a copy, which this message carries.
    ///
    /// # Safety
    ///
    /// `size` bytes at `here` must be in a copy with a base at this distance.
    pub(super) unsafe fn agree(&self, (here, size): (usize, usize), to_base: usize) {
        let _pair = self.lock();
        // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
        unsafe { bytes_mut(here.wrapping_add(to_base), size).copy_from_slice(bytes(here, size)) };
    }

    /// Returns the distance from a buffer to its base, if it is a copy that has one, or gets one because this side may change it. `region` is 0
    /// if the message does not keep the copy.
    pub(super) fn base_of(
        &mut self,
        buffer: &'static Buffer,
        region: u32,
        known: Option<Known>,
        name: u32,
    ) -> CallResult<Option<usize>> {
        if region == 0 || buffer.is_constant {
            return Ok(known.and_then(|place| place.to_base));
        }
        self.add_base(region, name)
    }

    /// Gives a copy a base, unless it has one. Returns the distance from the copy to the base.
    fn add_base(&mut self, region: u32, name: u32) -> CallResult<Option<usize>> {
        let room = self.lock().region(region).filter(|one| one.base.is_none()).map_or(0, |one| one.room);
        self.may_keep(room, name)?;
        let mut tables = self.lock();
        if !tables.add_base(region) {
            return Err(CallError::Refused("there is no memory for it", name));
        }
        let Some(region) = tables.region(region) else { return Ok(None) };
        self.in_use.extend(region.base.clone());
        Ok(region.to_base())
    }

    /// Returns the address of memory that this side owns, if the other side may change it through its copy.
    fn changeable(&self, place: Known, name: u32) -> CallResult<usize> {
        // The library may change all memory that it keeps.
        if place.is_owner && (place.is_changeable || !self.is_worker()) {
            return Ok(place.here);
        }
        Err(CallError::Refused("the program changed it, but the library returned it as constant memory", name))
    }

    /// Encodes which bytes of a copy this side has changed. All bytes of a changed number count as changed. Returns whether there are changes. The
    /// contents follow; those of a buffer that the request does not carry follow only if there are changes.
    ///
    /// # Safety
    ///
    /// `size` bytes at `here` must be in a copy with a base at this distance.
    pub(super) unsafe fn put_changes(
        &mut self,
        buffer: &'static Buffer,
        (here, size): (usize, usize),
        to_base: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<bool> {
        // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
        let (copy, base) = unsafe { (bytes(here, size), bytes_mut(here.wrapping_add(to_base), size)) };
        let is_changed = {
            let _pair = self.lock();
            copy != base
        };
        next_field(FieldKind::Flags);
        to.put_u8(u8::from(is_changed));
        if !is_changed {
            return Ok(false);
        }
        self.charge(size.div_ceil(8))?;
        let mut changed = vec![0u8; size.div_ceil(8)];
        let numbers = self.numbers_of(buffer, here);
        let pair = self.lock();
        for number in numbers.split(here, size) {
            if copy[number.clone()] != base[number.clone()] {
                base[number.clone()].copy_from_slice(&copy[number.clone()]);
                number.for_each(|at| changed[at / 8] |= 1 << (at % 8));
            }
        }
        drop(pair);
        next_field(FieldKind::Flags);
        to.put(&changed);
        self.sent_changes.push(SentChanges { start: here, to_base, changed });
        Ok(true)
    }

    /// Returns whether this request says that this side has changed the pointer at `slot`, which is in a copy.
    fn is_sent_as_changed(&self, slot: usize) -> bool {
        let changes = |one: &SentChanges| {
            slot.checked_sub(one.start).is_some_and(|at| is_any_set(&one.changed, at, size_of::<usize>()))
        };
        self.sent_changes.iter().any(changes)
    }

    /// Returns whether the pointer at `slot` is stored for longer than the call: the receiver has its memory for longer, or the sender has changed
    /// it in memory of the receiver.
    pub(super) fn must_last(&self, slot: usize) -> bool {
        let is_change = |of: usize| {
            let one = self.received_changes.get(of)?;
            Some(is_any_set(&one.changed, slot.checked_sub(one.start)?, size_of::<usize>()))
        };
        let is_received = matches!(self.kind, MemoryKind::Scratch { of } if is_change(of) == Some(true));
        self.outlives || is_received || self.is_sent_as_changed(slot)
    }

    /// Marks the changes that were sent as unsent: the call was not made.
    pub(super) fn take_back_sent_changes(&mut self) {
        let _pairs = lock(self.tables);
        for SentChanges { start, to_base, changed } in self.sent_changes.drain(..) {
            for at in (0..changed.len() * 8).filter(|at| is_set(&changed, *at)) {
                // SAFETY: the call keeps the copy and its base allocated. A base with another value makes the byte a change.
                unsafe { bytes_mut((start + at).wrapping_add(to_base), 1).fill(!bytes(start + at, 1)[0]) };
            }
        }
    }

    /// Returns what memory the contents of a received buffer go to, which follow. `known` is the memory if both sides had it before, and the
    /// distance to the base of a copy. The message tells the alignment, and whether the sender has changed the memory. Of contents for memory
    /// that this side owns, only changes are stored.
    pub(super) fn prepare_contents(
        &mut self,
        received: &mut Received,
        (known, to_base): (Option<Known>, Option<usize>),
        (align, has_changes): (usize, bool),
        from: &mut Reader<'_>,
    ) -> CallResult<MemoryKind> {
        let copy = |changed| to_base.map(|to_base| MemoryKind::Copy { to_base, changed });
        let Some(place) = known else {
            let is_used = received.is_result && received.buffer.takes_in;
            return Ok(copy(None).unwrap_or(if is_used { MemoryKind::Used } else { MemoryKind::Fresh }));
        };
        if !has_changes && !place.is_owner && place.is_ours {
            return Ok(self.copy_with_changes(received.buffer, received.here, to_base));
        }
        received.here = self.allocate(received.bytes + bytes_behind(received.buffer), align, received.name)?;
        if !has_changes {
            return Ok(MemoryKind::Fresh);
        }
        let owner = self.changeable(place, received.name)?;
        self.get_changes((received.here, received.carried()), owner, from)
    }

    /// Returns the kind of memory of a copy that keeps the changes of this side, if it has a base.
    pub(super) fn copy_with_changes(
        &mut self,
        buffer: &'static Buffer,
        here: usize,
        to_base: Option<usize>,
    ) -> MemoryKind {
        let Some(to_base) = to_base else { return MemoryKind::Used };
        self.changed_copies.push(self.numbers_of(buffer, here));
        MemoryKind::Copy { to_base, changed: Some(self.changed_copies.len() as u32 - 1) }
    }

    /// Decodes which bytes of the contents that follow are changes. The contents go to `size` bytes of scratch memory at `here`, the changes to
    /// the owner's memory at `owner`, too.
    fn get_changes(
        &mut self,
        (here, size): (usize, usize),
        owner: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<MemoryKind> {
        if from.get_u8()? == 0 {
            return Ok(MemoryKind::Fresh);
        }
        self.charge(size.div_ceil(8))?;
        let mut changed = vec![0u8; size.div_ceil(8)];
        from.get(&mut changed)?;
        self.received_changes.push(ReceivedChanges { start: here, owner, changed });
        Ok(MemoryKind::Scratch { of: self.received_changes.len() - 1 })
    }

    /// Stores the changes among `size` bytes that were decoded to scratch memory into the owner's memory. `is_whole` is whether the bytes are one
    /// value, which changes as a whole: the owner never gets a pointer of which only some bytes changed.
    ///
    /// # Errors
    ///
    /// The owner's memory is not writable.
    ///
    /// # Safety
    ///
    /// The bytes must be in the scratch memory of these changes. The other side may change the owner's memory.
    pub(super) unsafe fn apply_changes(
        &self,
        of: usize,
        (address, size): (usize, usize),
        is_whole: bool,
    ) -> CallResult<()> {
        let Some(ReceivedChanges { start, owner, changed }) = self.received_changes.get(of) else { return Ok(()) };
        let first = address - start;
        if !is_any_set(changed, first, size) {
            return Ok(());
        }
        let (mut at, mut runs) = (0, Vec::new());
        while at < size && !is_whole {
            let run = (at..size).take_while(|at| is_set(changed, first + at)).count();
            runs.extend((run != 0).then_some(at..at + run));
            at += run + 1;
        }
        if is_whole {
            runs.push(0..size);
        }
        // SAFETY: the caller upholds the contract of this function.
        let is_stored = unsafe { store_runs(owner + first, bytes(address, size), &runs) };
        let refused = CallError::Refused("the other side changed it, but its memory is not writable", self.outer);
        if is_stored { Ok(()) } else { Err(refused) }
    }
}

impl Received {
    /// The size in bytes of the elements that a message carries.
    pub(super) fn carried(&self) -> usize {
        if self.buffer.facts.varies { self.bytes } else { self.valid as usize * self.buffer.stride }
    }
}
