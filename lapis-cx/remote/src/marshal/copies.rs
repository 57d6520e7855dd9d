//! Contents of memory that both sides have for longer than a call. One side owns it, the other has a copy. Both may write to it between calls, and
//! other threads send messages about it at the same time. So the side with the copy keeps a *base*: the contents on which both sides last
//! agreed. It sends what differs from the base as changes, and the owner stores these only. Of contents that it receives, it stores what the owner
//! has changed. Messages have numbers, as they can arrive in another order, see [`Versions`]. Copy, base and versions change together
//! while the tables are locked.

use std::sync::PoisonError;

use smallvec::{SmallVec, smallvec};

use super::access::{bytes, bytes_mut, store_runs};
use super::element_numbers::ElementNumbers;
use super::entries::InRegion;
use super::frame::{MemoryKind, Received};
use super::marshaller::Marshaller;
use super::pointer::Known;
use super::region_contents::{Agreed, AllChanges, Changes, CopiedPlace, NO_NUMBER, ReceivedContents, SentChanges};
use super::side::{CallError, CallResult, OUTSIDE};
use super::tables::{MOST_CHANGES, MOST_VERSIONS, Region, Stored, Tables, Versions};
use crate::field_kind::{FieldKind, next_field};
use crate::locks::MutexGuard;
use crate::plan::{Buffer, Kind, Numbers, bytes_behind};
use crate::{Reader, Writer};

/// Kinds of changes in a message from the side with the copy.
mod changes {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// The bytes whose bits follow.
    pub const SOME: u8 = 1;
    /// Everything that the message carries.
    pub const ALL: u8 = 2;
}

/// The kind of buffer whose contents a message carries.
#[derive(Clone, Copy)]
pub(super) enum About {
    /// Memory that both sides have.
    Memory,
    /// Results in the memory of an argument.
    Results,
    /// An argument that only the reply has.
    Output,
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

    /// Locks the tables to use regions. Nothing may end meanwhile.
    fn lock_regions(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the size of a part of `size` bytes of a copy: at most `most` bytes, and the rest of the number that contains the last of them.
    pub(super) fn part_of_copy(&self, of: usize, address: usize, (size, most): (usize, usize)) -> usize {
        let part = size.min(most);
        let contents = self.received_contents.get(of).filter(|_| part != 0);
        contents.map_or(part, |one| (one.numbers.end(address + part - 1) - address).min(size))
    }

    /// Stores received bytes into a copy and its base: the numbers that the owner has changed, unless a later message did so. `is_whole` is whether
    /// the bytes are one value.
    ///
    /// # Safety
    ///
    /// The copy at `address` and its base must be valid for as many bytes.
    pub(super) unsafe fn merge(&self, of: usize, address: usize, received: &[u8], (is_new, is_whole): (bool, bool)) {
        let Some(contents) = self.received_contents.get(of) else { return };
        let (size, range) = (received.len(), contents.range(address, received.len()));
        let mut tables = self.lock_regions();
        // SAFETY: the caller upholds the contract of this function.
        let copy = unsafe { bytes_mut(address, size) };
        let Some((versions, to_base)) = tables.versions(contents.at.id, contents.region()) else {
            // Another thread has ended the region. This call still uses the copy.
            return copy.copy_from_slice(received);
        };
        // SAFETY: as for the copy. The base is a separate allocation.
        let base = to_base.map(|to_base| unsafe { bytes_mut(address.wrapping_add(to_base), size) });
        let (number, included) = (contents.number, &contents.included[..]);
        let is_latest = !versions.has(&range, number, number);
        let is_alone = is_latest && versions.are_included(&range, included);
        let mut place = CopiedPlace { copy, base, versions, start: range.start, number, included };
        if is_whole || is_latest && (is_new || place.base.is_none()) {
            place.store(0..size, received);
        } else if is_alone {
            let mut at = 0;
            while let Some(base) = &place.base
                && let Some(run) = contents.numbers.next_difference(address, base, received, at)
            {
                at = run.end;
                place.store(run, received);
            }
        } else {
            contents.numbers.split(address, size).for_each(|run| place.store(run, received));
        }
        versions.store(range, number);
    }

    /// Gives a copy that this message keeps a base, unless it has one, or this side may not change it. `region` is 0 for other memory.
    pub(super) fn add_base(&mut self, buffer: &'static Buffer, region: u32, name: u32) -> CallResult<()> {
        if region == 0 || buffer.is_constant {
            return Ok(());
        }
        let is_copy_without = |one: &&Region| one.memory.is_some() && one.base.is_none();
        let Some(cost) = self.lock().region(region).filter(is_copy_without).map(Region::cost_of_base) else {
            return Ok(());
        };
        self.may_keep(cost, name)?;
        let mut tables = self.lock();
        if !tables.add_base(region) {
            return Err(CallError::Refused("there is no memory for it", name));
        }
        self.in_use.extend(tables.region(region).and_then(|one| one.base.clone()));
        Ok(())
    }

    /// Returns the address of memory that this side owns, if the other side may change it through its copy.
    fn changeable(&self, place: Known, name: u32) -> CallResult<usize> {
        // The library may change all memory that it keeps.
        if place.is_owner && (place.is_changeable || !self.is_worker()) {
            return Ok(place.here);
        }
        Err(CallError::Refused("the program changed it, but the library returned it as constant memory", name))
    }

    /// Encodes what precedes the contents of memory, if it is in a region. Returns whether the contents follow if they are numbers only: the receiver
    /// needs none that did not change.
    ///
    /// # Safety
    ///
    /// `size` bytes at `here` must be in the region.
    pub(super) unsafe fn put_version(
        &mut self,
        buffer: &'static Buffer,
        at: InRegion,
        (here, size): (usize, usize),
        about: About,
        to: &mut Writer<'_>,
    ) -> CallResult<bool> {
        if at.id == 0 {
            return Ok(true);
        }
        let mut tables = self.lock_regions();
        if tables.is_theirs(at.id) {
            drop(tables);
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.put_changes(buffer, at, (here, size), about, to) };
        }
        let number = tables.next_message();
        let versions = tables.versions(at.id, here.wrapping_sub(at.offset));
        let range = at.offset..at.offset + size;
        let stored = versions.map(|(versions, _)| versions.stored(&range)).unwrap_or_default();
        drop(tables);
        next_field(FieldKind::Length);
        to.put_u64(number);
        next_field(FieldKind::Length);
        to.put_u32(stored.len() as u32);
        for Stored { range, number } in stored {
            next_field(FieldKind::Offset);
            to.put_u64(range.start as u64);
            next_field(FieldKind::Offset);
            to.put_u64(range.end as u64);
            next_field(FieldKind::Length);
            to.put_u64(number);
        }
        Ok(true)
    }

    /// Encodes which bytes of a copy this side has changed, also with earlier messages that the owner may not have stored. All bytes of a changed
    /// number count as changed, and all bytes of an `out` argument. The base gets the contents, from which the message is encoded then.
    ///
    /// # Safety
    ///
    /// As for [`put_version`](Self::put_version).
    unsafe fn put_changes(
        &mut self,
        buffer: &'static Buffer,
        at: InRegion,
        (here, size): (usize, usize),
        about: About,
        to: &mut Writer<'_>,
    ) -> CallResult<bool> {
        let numbers = self.numbers_of(buffer, here);
        let mut tables = self.lock_regions();
        let number = tables.next_message();
        let known = tables.versions(at.id, here.wrapping_sub(at.offset));
        let is_all = match about {
            About::Memory => false,
            About::Results => !buffer.takes_in || known.as_ref().is_none_or(|(_, to_base)| to_base.is_none()),
            About::Output => true,
        };
        next_field(FieldKind::Flags);
        let Some((versions, Some(to_base))) = known else {
            drop(tables);
            to.put_u8(if is_all { changes::ALL } else { changes::NONE });
            if is_all {
                next_field(FieldKind::Length);
                to.put_u64(number);
            }
            return Ok(is_all);
        };
        // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
        let (copy, base) = unsafe { (bytes(here, size), bytes_mut(here.wrapping_add(to_base), size)) };
        let mut agreed = Agreed { base, versions, start: at.offset };
        let all = match is_all {
            true => {
                agreed.take_all(number, copy);
                AllChanges::new()
            }
            false => agreed.take_changes(number, copy, &numbers, here),
        };
        if !is_all && all.is_empty() {
            drop(tables);
            to.put_u8(changes::NONE);
            return Ok(false);
        }
        drop(tables);
        self.charge(all.len() * size.div_ceil(8))?;
        to.put_u8(if is_all { changes::ALL } else { changes::SOME });
        next_field(FieldKind::Length);
        to.put_u64(number);
        if !is_all {
            next_field(FieldKind::Length);
            to.put_u32(all.len() as u32);
            for Changes { number, bits } in &all {
                next_field(FieldKind::Length);
                to.put_u64(*number);
                next_field(FieldKind::Flags);
                to.put(bits);
            }
        }
        self.sent_changes.push(SentChanges { start: here, changes: all });
        Ok(true)
    }

    /// Returns whether this request says that this side has changed the pointer at `slot`, which is in a copy.
    fn is_sent_as_changed(&self, slot: usize) -> bool {
        let changes = |one: &SentChanges| {
            let at = slot.checked_sub(one.start)?;
            Some(one.changes.iter().any(|one| one.contain_any(at..at + size_of::<usize>())))
        };
        self.sent_changes.iter().any(|one| changes(one) == Some(true))
    }

    /// Returns whether the pointer at `slot` is stored for longer than the call: the receiver has its memory for longer, or the sender has changed
    /// it in memory of the receiver.
    pub(super) fn must_last(&self, slot: usize) -> bool {
        let is_change = |of: usize| {
            let one = self.received_contents.get(of)?;
            let at = slot.checked_sub(one.start)?;
            Some(one.changes_any(at..at + size_of::<usize>()))
        };
        let is_received = matches!(self.kind, MemoryKind::Scratch { of } if is_change(of) == Some(true));
        self.outlives || is_received || self.is_sent_as_changed(slot)
    }

    /// Decodes what precedes the contents of a buffer, and returns what memory they go to. `known` is the memory if both sides had it before. `at`
    /// is where the message says that the buffer is, and `is_there` whether this side has this region. Contents for memory that this side owns
    /// go to scratch memory, or to the memory of an argument if they are results; only changes are stored.
    pub(super) fn prepare_contents(
        &mut self,
        received: &mut Received,
        known: Option<Known>,
        (at, is_there): (InRegion, bool),
        align: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<MemoryKind> {
        let Received { buffer, here, name, .. } = *received;
        let is_theirs = self.lock_regions().is_theirs(at.id);
        if at.id == 0 {
            let is_used = received.is_result && buffer.takes_in || known.is_some_and(|place| place.is_ours);
            return match known {
                Some(place) if place.is_owner || !place.is_ours => {
                    self.use_scratch(received, align)?;
                    Ok(MemoryKind::Fresh)
                }
                _ => Ok(if is_used { MemoryKind::Used } else { MemoryKind::Fresh }),
            };
        }
        if is_theirs {
            return self.prepare_copy(received, known.is_none(), (at, is_there), from);
        }
        let kind = from.get_u8()?;
        let number = if kind == changes::NONE { NO_NUMBER } else { get_number(name, from)? };
        let changes = match kind {
            changes::NONE => Some(AllChanges::new()),
            changes::SOME => Some(self.get_changes(received.carried(), name, from)?),
            changes::ALL => None,
            _ => return Err(CallError::Refused("unknown kind of changes", name)),
        };
        if received.is_result {
            return Ok(MemoryKind::Own { of: self.receive(buffer, at, (here, here), (number, changes))? });
        }
        let Some(place) = known else { return Err(CallError::Refused(OUTSIDE, name)) };
        self.use_scratch(received, align)?;
        if kind == changes::NONE {
            return Ok(MemoryKind::Fresh);
        }
        let owner = self.changeable(place, name)?;
        Ok(MemoryKind::Scratch { of: self.receive(buffer, at, (received.here, owner), (number, changes))? })
    }

    /// Decodes what precedes contents from the owner of a copy, and returns what memory they go to.
    pub(super) fn prepare_copy(
        &mut self,
        received: &Received,
        is_new: bool,
        (at, is_there): (InRegion, bool),
        from: &mut Reader<'_>,
    ) -> CallResult<MemoryKind> {
        let Received { buffer, here, name, is_result, .. } = *received;
        let (number, stored) = get_version(name, from)?;
        let tables = self.lock_regions();
        if tables.region(at.id).is_none_or(|one| one.memory.is_none()) || !is_there {
            return Ok(if is_result { MemoryKind::Used } else { MemoryKind::Fresh });
        }
        drop(tables);
        let of = self.receive(buffer, at, (here, here), (number, Some(AllChanges::new())))?;
        if let Some(contents) = self.received_contents.last_mut() {
            contents.included = stored;
        }
        Ok(MemoryKind::Copy { of, is_new: is_new && !is_result })
    }

    /// Allocates scratch memory for contents.
    fn use_scratch(&mut self, received: &mut Received, align: usize) -> CallResult<()> {
        received.here = self.allocate(received.bytes + bytes_behind(received.buffer), align, received.name)?;
        Ok(())
    }

    /// Records contents that follow. Returns their position.
    fn receive(
        &mut self,
        buffer: &'static Buffer,
        at: InRegion,
        (start, memory): (usize, usize),
        (number, changes): (u64, Option<AllChanges>),
    ) -> CallResult<usize> {
        self.charge(size_of::<ReceivedContents>())?;
        let numbers = self.numbers_of(buffer, start);
        self.received_contents.push(ReceivedContents {
            at,
            number,
            start,
            memory,
            changes,
            included: SmallVec::new(),
            numbers,
        });
        Ok(self.received_contents.len() - 1)
    }

    /// Decodes which of `size` bytes are changes.
    fn get_changes(&mut self, size: usize, name: u32, from: &mut Reader<'_>) -> CallResult<AllChanges> {
        let count = from.get_u32()? as usize;
        if count > MOST_CHANGES {
            let what = "the number of messages with changes is";
            return Err(CallError::TooLarge(what, name, count as u64, MOST_CHANGES as u64));
        }
        self.charge(count * size.div_ceil(8))?;
        let mut all = AllChanges::new();
        for _ in 0..count {
            let mut changes = Changes::new(from.get_u64()?, size);
            from.get(&mut changes.bits)?;
            all.push(changes);
        }
        Ok(all)
    }

    /// Returns whether no contents follow if they are numbers only: the side with the copy has not changed them.
    pub(super) fn has_no_contents(&self, kind: MemoryKind) -> bool {
        let MemoryKind::Own { of } = kind else { return false };
        self.received_contents.get(of).is_some_and(|one| one.changes.as_ref().is_some_and(|all| all.is_empty()))
    }

    /// Stores the changes among received bytes into the owner's memory. `address` is where the contents are decoded to. `is_whole` is whether the bytes
    /// are one value, which changes as a whole: the owner never gets a pointer of which only some bytes changed.
    ///
    /// # Errors
    ///
    /// The owner's memory is not writable.
    ///
    /// # Safety
    ///
    /// The other side may change the owner's memory.
    pub(super) unsafe fn apply(&self, of: usize, address: usize, received: &[u8], is_whole: bool) -> CallResult<()> {
        let Some(contents) = self.received_contents.get(of) else { return Ok(()) };
        let (first, size, range) = (address - contents.start, received.len(), contents.range(address, received.len()));
        let is_result = contents.memory == contents.start;
        if !(contents.changes_any(first..first + size) || is_whole && is_result) {
            return Ok(());
        }
        let mut tables = self.lock_regions();
        // Another thread may have ended the region.
        let mut none = Versions::default();
        let versions = tables.versions(contents.at.id, contents.region()).map_or(&mut none, |(versions, _)| versions);
        // The offsets are those in the received bytes.
        let mut runs = contents.runs_to_store(first..first + size, versions);
        runs.iter_mut().for_each(|run| *run = run.start - first..run.end - first);
        // A pointer that is a result may lead to a new block at the address of an old one.
        let is_latest = contents.number == NO_NUMBER || !versions.has(&range, contents.number, contents.number);
        let is_new = is_result && is_latest;
        if is_whole && (is_new || !runs.is_empty()) {
            runs = smallvec![0..size];
        }
        if contents.number != NO_NUMBER {
            versions.store(range, contents.number);
        }
        let to = contents.memory + first;
        if !is_result {
            // SAFETY: the caller upholds the contract of this function.
            let is_stored = unsafe { store_runs(to, received, &runs) };
            let refused = CallError::Refused("the other side changed it, but its memory is not writable", self.outer);
            return if is_stored { Ok(()) } else { Err(refused) };
        }
        for run in runs {
            // SAFETY: the memory of an argument for results is writable where these differ.
            let memory = unsafe { bytes_mut(to + run.start, run.len()) };
            if *memory != received[run.clone()] {
                memory.copy_from_slice(&received[run]);
            }
        }
        Ok(())
    }

    /// Records that this side has decoded a buffer in a region. Without `received`, the message carried only numbers of the buffer.
    pub(super) fn finish_contents(&self, kind: MemoryKind, received: Option<&Received>) {
        let (MemoryKind::Copy { of, .. } | MemoryKind::Scratch { of } | MemoryKind::Own { of }) = kind else { return };
        let Some(contents) = self.received_contents.get(of).filter(|one| one.number != NO_NUMBER) else { return };
        if let Some((versions, _)) = self.lock_regions().versions(contents.at.id, contents.region()) {
            let whole = received.map(|received| contents.range(contents.start, received.carried()));
            if let Some(whole) = &whole {
                versions.acknowledge(whole, &contents.included);
            }
            versions.finish(contents.number, whole);
        }
    }

    /// Returns the kind of memory of a buffer whose contents are encoded, after its version.
    pub(super) fn kind_to_send(&self, at: InRegion, here: usize) -> MemoryKind {
        let to_base =
            self.lock_regions().versions(at.id, here.wrapping_sub(at.offset)).and_then(|(_, to_base)| to_base);
        to_base.map_or(MemoryKind::Fresh, |to_base| MemoryKind::Snapshot { to_base })
    }

    /// Returns the address from which the message gets the number at `address`.
    pub(super) fn source(&self, address: usize) -> usize {
        self.kind.source(address)
    }
}

impl MemoryKind {
    /// Returns the address from which a message gets the contents at `address`. Other threads of this side change a copy, but its base has what the
    /// message says.
    pub(super) fn source(self, address: usize) -> usize {
        match self {
            MemoryKind::Snapshot { to_base } => address.wrapping_add(to_base),
            _ => address,
        }
    }
}

/// Decodes the number of a message.
fn get_number(name: u32, from: &mut Reader<'_>) -> CallResult<u64> {
    match from.get_u64()? {
        NO_NUMBER => Err(CallError::Refused("its message about the region has no number", name)),
        number => Ok(number),
    }
}

/// Decodes the number of a message of the owner, and which messages of this side its contents include.
fn get_version(name: u32, from: &mut Reader<'_>) -> CallResult<(u64, SmallVec<[Stored; 1]>)> {
    let (number, count) = (get_number(name, from)?, from.get_u32()? as usize);
    if count > MOST_VERSIONS + 1 {
        return Err(CallError::TooLarge("the number of messages is", name, count as u64, MOST_VERSIONS as u64));
    }
    let mut stored = SmallVec::new();
    for _ in 0..count {
        let range = from.get_u64()? as usize..from.get_u64()? as usize;
        stored.push(Stored { range, number: from.get_u64()? });
    }
    Ok((number, stored))
}

impl Received {
    /// The size in bytes of the elements that a message carries.
    pub(super) fn carried(&self) -> usize {
        if self.buffer.facts.varies { self.bytes } else { self.valid as usize * self.buffer.stride }
    }
}
