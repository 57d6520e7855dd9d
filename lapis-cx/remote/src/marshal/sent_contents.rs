//! The sender's side of contents of regions: what a message says about memory that both sides have.

use super::access::{bytes, bytes_mut};
use super::entries::InRegion;
use super::frame::MemoryKind;
use super::marshaller::Marshaller;
use super::region_contents::{Agreed, AllChanges, CarriedPart, Changes, SentChanges, changes};
use super::side::{CallError, CallResult};
use super::tables::{Region, Stored};
use crate::Writer;
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Buffer, Value, single_bytes};

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

/// The position of the changes of a copy that this side has not changed.
const NO_CHANGES: u32 = u32::MAX;

impl Marshaller<'_> {
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

    /// Encodes what precedes the contents of memory, if it is in a region. Returns whether the contents follow if they are numbers only, as the receiver
    /// needs none that did not change, and the kind of memory that they are encoded from.
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
    ) -> CallResult<(bool, MemoryKind)> {
        if at.id == 0 {
            return Ok((true, MemoryKind::Fresh));
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
        Ok((true, MemoryKind::Fresh))
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
    ) -> CallResult<(bool, MemoryKind)> {
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
            return Ok((is_all, MemoryKind::Fresh));
        };
        // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
        let (copy, base) = unsafe { (bytes(here, size), bytes_mut(here.wrapping_add(to_base), size)) };
        let first = if is_all { None } else { numbers.next_difference(here, copy, base, 0) };
        let before = (!buffer.facts.is_flat && (is_all || first.is_some())).then(|| base.to_vec());
        let mut agreed = Agreed { base, versions, start: at.offset };
        let all = match is_all {
            true => {
                agreed.take_all(number, copy);
                AllChanges::new()
            }
            false => agreed.take_changes(number, (copy, first), &numbers, here),
        };
        let after = before.is_some().then(|| agreed.base.to_vec());
        drop(tables);
        if !is_all && all.is_empty() {
            to.put_u8(changes::NONE);
            return Ok((false, MemoryKind::Snapshot { of: NO_CHANGES, to_base }));
        }
        let part = before.zip(after).map(|(before, after)| {
            let carried = Changes::new(number, size);
            CarriedPart { carried, before, after }
        });
        self.charge(all.len() * size.div_ceil(8) + if part.is_some() { 2 * size + size.div_ceil(8) } else { 0 })?;
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
        let of = self.sent_changes.len() as u32;
        self.sent_changes.push(SentChanges { at, start: here, changes: all, part });
        Ok((true, MemoryKind::Snapshot { of, to_base }))
    }

    /// Notes that the message carries `size` bytes at an address.
    pub(super) fn carry(&mut self, address: usize, size: usize) {
        let MemoryKind::Snapshot { of, .. } = self.kind else { return };
        let Some(sent) = self.sent_changes.get_mut(of as usize) else { return };
        if let Some(part) = &mut sent.part {
            let at = address.wrapping_sub(sent.start).min(part.before.len());
            part.carried.add(at..at.saturating_add(size).min(part.before.len()));
        }
    }

    /// Notes that the message carries a value that contains no others.
    pub(super) fn carry_value(&mut self, value: &Value, address: usize) {
        if let Some(size) = single_bytes(&value.kind) {
            self.carry(address, size);
        }
    }

    /// Ends the contents of a copy that were encoded: the sides agree on what the message carries.
    pub(super) fn end_sent(&mut self, kind: MemoryKind) {
        let MemoryKind::Snapshot { of, to_base } = kind else { return };
        let Some(sent) = self.sent_changes.get_mut(of as usize) else { return };
        let (at, start) = (sent.at, sent.start);
        let Some(part) = sent.part.take() else { return };
        let mut tables = self.lock_regions();
        // Another thread may have ended the region.
        if tables.versions(at.id, start.wrapping_sub(at.offset)).is_some_and(|(_, base)| base == Some(to_base)) {
            // SAFETY: the tables are locked, and the region still has its base, which is as large as the copy.
            part.restore(unsafe { bytes_mut(start.wrapping_add(to_base), part.before.len()) });
        }
    }

    /// Returns whether this request says that this side has changed the pointer at `slot`, which is in a copy.
    pub(super) fn is_sent_as_changed(&self, slot: usize) -> bool {
        let changes = |one: &SentChanges| {
            let at = slot.checked_sub(one.start)?;
            Some(one.changes.iter().any(|one| one.contain_any(at..at + size_of::<usize>())))
        };
        self.sent_changes.iter().any(|one| changes(one) == Some(true))
    }

    /// Returns the address from which the message gets the value at `address`.
    pub(super) fn source(&self, address: usize) -> usize {
        self.kind.source(address)
    }
}
