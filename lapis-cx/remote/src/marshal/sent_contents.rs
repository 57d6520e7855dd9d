//! The sender's side of contents of regions: encodes which bytes of a region a message carries, changes and leaves out.

use super::access::{bytes, bytes_mut};
use super::byte_set::ByteSet;
use super::entries::InRegion;
use super::frame::{MemoryKind, Received};
use super::marshaller::Marshaller;
use super::pointer::alignment_of;
use super::region_contents::{Agreed, AllChanges, Changes, Part, SentChanges, changes};
use super::side::{CallError, CallResult};
use super::tables::{Region, Stored};
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Buffer, Code, Value, single_bytes};
use crate::{Reader, Writer};

/// The kind of buffer whose contents a message carries.
#[derive(Clone, Copy)]
pub(super) enum SentKind {
    /// Memory that both sides have.
    Memory,
    /// Results in the memory of an argument.
    Results,
    /// Results in memory of an argument that has ended during the call: no changes.
    Nothing,
    /// An argument that only the reply has.
    Output,
}

/// Decodes how many of the elements that a request carries are valid for the sender: all if the argument has no `@valid`.
pub(super) fn get_certain(has_valid: bool, carried: u64, name: u32, from: &mut Reader<'_>) -> CallResult<u64> {
    let certain = if has_valid { from.get_u64()? } else { carried };
    if certain > carried {
        return Err(CallError::TooLarge("the number of valid elements is", name, certain, carried));
    }
    Ok(certain)
}

/// Encodes which bytes the message `number` changes: all, or the bytes of the lists. The receiver stores pointers of a reply even without changes, so it
/// must know which message is later.
fn put_lists(is_all: bool, number: u64, (lists, is_flat): (&AllChanges, bool), to: &mut Writer<'_>) {
    let kind = match (is_all, lists.is_empty()) {
        (true, _) => changes::ALL,
        (false, true) => changes::NONE,
        (false, false) => changes::SOME,
    };
    next_field(FieldKind::Flags);
    to.put_u8(kind);
    if kind != changes::NONE || !is_flat {
        next_field(FieldKind::Version);
        to.put_u64(number);
    }
    if kind == changes::SOME {
        next_field(FieldKind::Length);
        to.put_u32(lists.len() as u32);
        for Changes { number, bytes } in lists {
            next_field(FieldKind::Version);
            to.put_u64(*number);
            next_field(FieldKind::Flags);
            to.put(&bytes.bits);
        }
    }
}

/// The position `of` in [`MemoryKind::Snapshot`] for a copy that this side has not changed.
const NO_CHANGES: u32 = u32::MAX;

impl Marshaller<'_> {
    /// Adds a base to the copy `region`, unless it has one, or this side may not change the copy. `region` is 0 for other memory.
    pub(super) fn add_base(&mut self, buffer: &'static Buffer, region: u32, name: u32) -> CallResult<()> {
        if region == 0 || buffer.is_constant {
            return Ok(());
        }
        let is_copy_without = |one: &&Region| one.memory.is_some() && one.base.is_none();
        let Some(cost) = self.lock_regions().region(region).filter(is_copy_without).map(Region::cost_of_base) else {
            return Ok(());
        };
        self.check_kept_limit(cost, name)?;
        let is_added = self.lock().add_base(region);
        if is_added { Ok(()) } else { Err(CallError::Refused("there is no memory for it", name)) }
    }

    /// Encodes the version that precedes the contents of memory in a region. Returns whether contents that are numbers only follow, because the
    /// receiver needs no unchanged numbers, and the kind of memory from which the contents are encoded.
    ///
    /// # Safety
    ///
    /// The memory of `sent` must be in the region.
    pub(super) unsafe fn put_version(
        &mut self,
        sent: &Received,
        at: InRegion,
        sent_kind: SentKind,
        to: &mut Writer<'_>,
    ) -> CallResult<(bool, MemoryKind)> {
        if at.id == 0 {
            return Ok((true, MemoryKind::Fresh));
        }
        if self.is_theirs(at.id) {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.put_changes(sent, at, sent_kind, to) };
        }
        let mut tables = self.lock_regions();
        let number = tables.next_message();
        let versions = tables.versions(at.id, sent.here.wrapping_sub(at.offset));
        let range = at.offset..at.offset + sent.carried();
        let stored = versions.map(|(versions, _)| versions.stored(&range)).unwrap_or_default();
        let copied = if sent.buffer.facts.is_flat { Ok(None) } else { self.copy_struct(sent, 0) };
        drop(tables);
        let copied = copied?;
        next_field(FieldKind::Version);
        to.put_u64(number);
        next_field(FieldKind::Length);
        to.put_u32(stored.len() as u32);
        for Stored { range, number } in stored {
            next_field(FieldKind::Offset);
            to.put_u64(range.start as u64);
            next_field(FieldKind::Offset);
            to.put_u64(range.end as u64);
            next_field(FieldKind::Version);
            to.put_u64(number);
        }
        let Some(copy) = copied else { return Ok((true, MemoryKind::Fresh)) };
        if matches!(sent_kind, SentKind::Memory) {
            self.effects.sent_structs.insert((sent.here, sent.bytes), copy);
        }
        Ok((true, MemoryKind::Snapshot { of: NO_CHANGES, to_source: copy.wrapping_sub(sent.here) }))
    }

    /// Copies structs from their memory or, at the distance `to_base`, from their base. The caller has the lock under which other threads store there. So
    /// the message has all values of one time: a choice and the number that selects its case, or elements and their number. Returns the address of the
    /// copy.
    fn copy_struct(&mut self, sent: &Received, to_base: usize) -> CallResult<Option<usize>> {
        let (here, size) = (sent.here, sent.bytes);
        if size == 0 {
            return Ok(None);
        }
        let copy = self.arena.allocate(size, 1 << alignment_of(here), false, self.limits.call);
        let copy = copy.ok_or_else(|| self.exceeds(size, sent.name))?;
        // SAFETY: the caller of `put_version` guarantees this many bytes, and the copy was allocated with this size.
        unsafe { bytes_mut(copy, size).copy_from_slice(bytes(here.wrapping_add(to_base), size)) };
        Ok(Some(copy))
    }

    /// Encodes which bytes of a copy this side has changed, including changes of earlier messages that the owner may not have stored. All bytes of a
    /// changed number count as changed, and all bytes of an `out` argument. Copies the changes to the base, from which the message is encoded.
    ///
    /// # Safety
    ///
    /// As for [`put_version`](Self::put_version).
    unsafe fn put_changes(
        &mut self,
        sent: &Received,
        at: InRegion,
        sent_kind: SentKind,
        to: &mut Writer<'_>,
    ) -> CallResult<(bool, MemoryKind)> {
        let (buffer, here, size) = (sent.buffer, sent.here, sent.carried());
        let numbers = self.values_of(buffer, here);
        let mut tables = self.lock_regions();
        let number = tables.next_message();
        // Keeps the base, from which the message is encoded: another call may end the region meanwhile.
        self.in_use.extend(tables.region(at.id).and_then(|one| one.base.clone()));
        let known = tables.versions(at.id, here.wrapping_sub(at.offset));
        let is_reply = matches!(sent_kind, SentKind::Results);
        let is_all = match sent_kind {
            SentKind::Memory | SentKind::Nothing => false,
            SentKind::Results => !buffer.is_in || known.as_ref().is_none_or(|(_, to_base)| to_base.is_none()),
            SentKind::Output => true,
        };
        let Some((versions, Some(to_base))) = known else {
            drop(tables);
            put_lists(is_all, number, (&AllChanges::new(), buffer.facts.is_flat), to);
            return Ok((is_all, MemoryKind::Fresh));
        };
        let is_flat = buffer.facts.is_flat;
        // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
        let (copy, base) = unsafe { (bytes(here, size), bytes_mut(here.wrapping_add(to_base), size)) };
        let first = if is_all { None } else { numbers.next_difference(here, copy, base, 0) };
        let before = (!is_flat && (is_all || first.is_some())).then(|| base.to_vec());
        let mut agreed = Agreed { base, versions, start: at.offset };
        let changes = match is_all {
            true => {
                agreed.take_all(number, copy);
                AllChanges::new()
            }
            false => {
                let left_out = agreed.versions.left_out_changes(at.offset..at.offset + sent.certain(), is_reply);
                agreed.take_changes(number, (copy, left_out, first), &numbers, here)
            }
        };
        let bases = before.map(|before| (before, agreed.base.to_vec()));
        let (mut part, mut carried) =
            (Part { size: sent.bytes, tail: sent.tail(self.is_worker()), ..Part::default() }, ByteSet::default());
        part.leave_out(size..sent.bytes);
        part.exclude(sent.certain()..size);
        if is_flat {
            carried.add(0..size);
        }
        let mut changes = SentChanges { at, start: here, to_base, number, changes, part, carried, bases };
        if is_flat {
            changes.end(agreed.versions, agreed.base);
        }
        let copied = if is_flat { Ok(None) } else { self.copy_struct(sent, to_base) };
        drop(tables);
        let to_source = copied?.map_or(to_base, |copy| copy.wrapping_sub(here));
        put_lists(is_all, number, (&changes.changes, is_flat), to);
        let follows = is_all || !changes.changes.is_empty();
        if is_flat && !follows && sent.certain() == sent.bytes {
            return Ok((false, MemoryKind::Snapshot { of: NO_CHANGES, to_source }));
        }
        let copies = if changes.bases.is_some() { 2 * size } else { 0 };
        self.charge((changes.changes.len() + 2) * size.div_ceil(8) + copies)?;
        let of = self.contents.sent.len() as u32;
        // Pointers are in structs only.
        for run in changes.changes.iter().filter(|_| !is_flat).flat_map(|one| one.bytes.runs(0..size)) {
            self.contents.changed.add(here + run.start, here + run.end, of);
        }
        self.contents.sent.push(changes);
        Ok((follows, MemoryKind::Snapshot { of, to_source }))
    }

    /// Encodes how many of the elements that a request carries are valid for the sender, if the argument has `@valid`. If the expression has no
    /// value before the call, all elements are valid, because the caller passes all elements.
    pub(super) fn put_certain(
        &mut self,
        valid: (Option<&'static Code>, bool),
        carried: u64,
        to: &mut Writer<'_>,
    ) -> u64 {
        let (Some(code), is_known) = valid else { return carried };
        let certain = if is_known { self.valid_at_entry(code, carried) } else { carried };
        next_field(FieldKind::Length);
        to.put_u64(certain);
        certain
    }

    /// Records that the message carries `size` bytes at an address.
    pub(super) fn carry(&mut self, address: usize, size: usize) {
        match self.kind {
            MemoryKind::Snapshot { of, .. } => {
                if let Some(sent) = self.contents.sent.get_mut(of as usize) {
                    sent.carry(address, size);
                }
            }
            MemoryKind::Staged { of, .. } => {
                if let Some(contents) = self.contents.received.get_mut(of as usize) {
                    let at = address.wrapping_sub(contents.start);
                    contents.part.carry(at..at.saturating_add(size));
                }
            }
            _ => {}
        }
    }

    /// Records that the message leaves out the bytes after the first `carried` bytes of the innermost value, and that only `certain` of the carried
    /// bytes are valid for the sender. See [`Versions::leave_out`](super::tables::Versions::leave_out).
    pub(super) fn leave_out(&mut self, value: &'static Value, (carried, certain): (usize, usize)) {
        let (MemoryKind::Snapshot { of, .. } | MemoryKind::Staged { of, .. }) = self.kind else { return };
        let (at, size) = (self.stage.scopes.innermost().this, self.extent(value));
        let (start, parts) = match self.kind {
            MemoryKind::Staged { .. } => {
                let Some(contents) = self.contents.received.get_mut(of as usize) else { return };
                (contents.start, &mut contents.part)
            }
            _ => {
                let Some(sent) = self.contents.sent.get_mut(of as usize) else { return };
                (sent.start, &mut sent.part)
            }
        };
        let at = at.wrapping_sub(start);
        parts.leave_out(at.saturating_add(carried)..at.saturating_add(size));
        parts.exclude(at.saturating_add(certain)..at.saturating_add(carried));
    }

    /// Records that the message carries a value that contains no other values.
    pub(super) fn carry_value(&mut self, value: &Value, address: usize) {
        if let Some(size) = single_bytes(&value.kind) {
            self.carry(address, size);
        }
    }

    /// Finishes the changes of a copy after its structs were encoded.
    pub(super) fn end_sent(&mut self, kind: MemoryKind) {
        let MemoryKind::Snapshot { of, .. } = kind else { return };
        let mut tables = self.lock_regions();
        let Some(sent) = self.contents.sent.get_mut(of as usize) else { return };
        let Some((versions, Some(base))) = sent.versions(&mut tables) else { return };
        // Another thread may have ended the region.
        let to_base = sent.to_base;
        if base == to_base {
            let size = sent.bases.as_ref().map_or(0, |(before, _)| before.len());
            // SAFETY: the tables are locked, and the region still has its base, which is as large as the copy.
            sent.end(versions, unsafe { bytes_mut(sent.start.wrapping_add(to_base), size) });
        }
    }

    /// Records the bytes that a completely encoded message carries. A message that is not sent does not change which bytes the last message left out.
    pub(super) fn commit_sent(&mut self) {
        if self.contents.sent.is_empty() {
            return;
        }
        let mut tables = self.lock_regions();
        for sent in &mut self.contents.sent {
            if let Some((versions, _)) = sent.versions(&mut tables) {
                sent.commit(versions);
            }
            (sent.part, sent.carried) = Default::default();
        }
    }

    /// Returns whether this request reports the pointer at `slot` in a copy as changed by this side.
    pub(super) fn is_sent_as_changed(&self, slot: usize) -> bool {
        let end = slot.saturating_add(size_of::<usize>());
        let changes = |one: &SentChanges| {
            let at = slot.checked_sub(one.start)?;
            Some(one.changes_any(at..at + size_of::<usize>()))
        };
        let (sent, mut changed) = (&self.contents.sent, self.contents.changed.between(slot, end).peekable());
        // Only if the found changes are invalid, others in the same bytes can be valid.
        changed.peek().is_some()
            && (changed.filter_map(|of| sent.get(of as usize)).any(|one| changes(one) == Some(true))
                || sent.iter().any(|one| changes(one) == Some(true)))
    }

    /// Returns the address from which the value at `address` is encoded, or to which it is decoded.
    pub(super) fn source(&self, address: usize) -> usize {
        self.kind.source(address)
    }
}
