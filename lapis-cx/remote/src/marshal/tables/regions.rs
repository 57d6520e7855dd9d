//! Regions: memory that both sides have for longer than a call.

use std::sync::Arc;

use super::super::shape::Shape;
use super::versions::Versions;
use super::{MOST, Owner, Tables};
use crate::marshal::access::{bytes, bytes_mut, is_writable};
use crate::marshal::memory::Allocation;
use crate::plan::{Buffer, Ownership, is_local};
use crate::protocol::Ended;

/// The reason for rejecting memory that overlaps a region.
const OVERLAPS: &str = "the other side has a part of this memory already, with another type or size; describe it alike, or end it with \
                        `@lifetime`";

/// Memory that both sides have for longer than a call.
pub(crate) struct Region {
    /// The address on this side.
    pub start: usize,
    pub bytes: usize,
    /// The size in bytes to which the region can grow: the capacity of the copy.
    pub capacity: usize,
    /// On the side with the copy: the size in bytes with which the owner last described the memory from its start. The owner may have replaced the
    /// memory by a smaller block.
    pub described: usize,
    /// The size in bytes that the region counts against the limit of kept memory, including its bookkeeping.
    pub cost: usize,
    pub shape: Shape,
    /// The other side has a copy and may refer to it.
    pub is_shared: bool,
    /// The number of running calls that determine owners of the region. The region ends when it has neither uses nor owners.
    pub uses: usize,
    pub owners: Vec<Owner>,
    /// The memory, if the engine allocated it. It is freed after the region ended and the last call stopped using it.
    pub memory: Option<Arc<Allocation>>,
    /// On the owner's side: the callee may write its copy during calls that pass the memory.
    pub is_written: bool,
    /// The side that allocated the memory passed its ownership to the other side.
    pub is_given: bool,
    /// On the owner's side: the other side may change the memory through its copy.
    pub is_changeable: bool,
    /// Messages carry contents of the region: a buffer with a lifetime that names the memory is not `local`.
    pub has_contents: bool,
    /// The memory is a struct that is kept by `new` of `in`: pointers in it last for a call only, unless they declare a lifetime.
    pub is_mirrored_struct: bool,
    /// On the side with the copy, if that side may change it: the contents on which both sides last agreed.
    pub base: Option<Arc<Allocation>>,
    /// The messages about the region.
    pub versions: Versions,
    /// The memory has ended, and its owner may have freed it, but calls still use the region.
    pub is_over: bool,
    /// On the worker: the specification gives the memory no lifetime, so the library may have freed it.
    pub may_be_freed: bool,
    /// Of the program's memory: the number of references of the guest since the worker made its copy, or, on the guest, since the last copy ended.
    pub references: u32,
}

impl Region {
    /// Creates a region with one use, of memory that this side's program or library allocated.
    pub fn new(start: usize, bytes: usize, shape: Shape) -> Region {
        Region {
            start,
            bytes,
            capacity: capacity_for(bytes),
            described: bytes,
            cost: 0,
            shape,
            is_shared: true,
            uses: 1,
            owners: Vec::new(),
            memory: None,
            is_written: false,
            is_given: false,
            is_changeable: false,
            has_contents: false,
            is_mirrored_struct: false,
            base: None,
            versions: Versions::default(),
            is_over: false,
            may_be_freed: false,
            references: 0,
        }
    }

    /// Returns the size in bytes of a base and the former contents that its [`Versions`] keep.
    pub fn cost_of_base(&self) -> usize {
        4 * self.capacity
    }

    /// Returns the distance in bytes from a copy to its base, which may wrap.
    pub fn to_base(&self) -> Option<usize> {
        self.base.as_ref().map(|base| base.address().wrapping_sub(self.start))
    }

    /// Returns whether the region is certainly valid. Memory without a known end may have been freed and reused.
    fn is_kept(&self) -> bool {
        let is_known = |owner: &Owner| *owner != Owner::Connection;
        let is_certain = !self.is_over && !self.may_be_freed;
        is_certain && (self.owners.is_empty() || self.owners.iter().any(is_known))
    }
}

/// Returns the capacity in bytes of the copy of `bytes` bytes, which later contents can exceed a little, such as a text that grows.
pub(crate) fn capacity_for(bytes: usize) -> usize {
    bytes.saturating_add((bytes / 2).clamp(16, 4096)).max(256)
}

/// Returns whether the other side assigns this id of a region.
pub(crate) fn is_id_of_other_side(id: u32, is_worker: bool) -> bool {
    id > 1 && (id & 1 == 1) != is_worker
}

/// A region that ended, whose memory the engine allocated.
pub(crate) struct EndedRegion {
    pub id: u32,
    pub start: usize,
    pub bytes: usize,
    pub memory: Arc<Allocation>,
}

impl Tables {
    /// Returns the size in bytes of the memory that the engine keeps for longer than a call.
    pub fn kept(&mut self) -> usize {
        let mut freed = 0;
        self.ended_in_use.retain(|(memory, cost)| {
            let is_in_use = memory.strong_count() != 0;
            freed += if is_in_use { 0 } else { *cost };
            is_in_use
        });
        self.kept -= freed;
        self.kept
    }

    /// Adds memory for results of asynchronous calls to the kept memory.
    pub fn keep_results(&mut self, bytes: usize) {
        self.kept += bytes;
    }

    /// Subtracts memory for results of asynchronous calls from the kept memory.
    pub fn drop_results(&mut self, bytes: usize) {
        self.kept -= bytes;
    }

    /// Returns a new id for a region that this side creates. The guest uses even ids, the worker odd ids.
    pub fn new_region_id(&mut self) -> u32 {
        loop {
            self.last_region = self.last_region.wrapping_add(2);
            let id = self.last_region & !1 | u32::from(self.is_worker);
            if id > 1 && !self.regions.contains_key(&id) {
                return id;
            }
        }
    }

    /// Returns whether no region can be added.
    pub fn is_full(&self) -> bool {
        self.regions.len() >= MOST
    }

    /// Returns whether this id is one that the other side assigns.
    pub fn is_theirs(&self, id: u32) -> bool {
        is_id_of_other_side(id, self.is_worker)
    }

    pub fn add_region(&mut self, id: u32, region: Region) {
        if region.memory.is_some() {
            self.forget_freed(region.start, region.start + region.bytes);
        }
        if region.is_shared {
            self.by_address.add(region.start, region.start + region.bytes, id);
        }
        self.kept += region.cost;
        self.regions.insert(id, region);
    }

    /// Makes regions between these addresses unreachable if they are memory of this side's program or library. Their memory has been freed, because
    /// the engine has allocated memory there.
    fn forget_freed(&mut self, start: usize, end: usize) {
        loop {
            let is_freed = |id: &u32| self.regions.get(id).is_some_and(|region| region.memory.is_none());
            let mut all = self.by_address.between(start, end).chain(self.replaced.between(start, end));
            let Some(id) = all.find(is_freed) else { return };
            drop(all);
            let Some(region) = self.regions.get_mut(&id) else { return };
            region.is_shared = false;
            let start = region.start;
            self.forget_address(id, start);
        }
    }

    /// Makes a region unreachable by address.
    fn forget_address(&mut self, id: u32, start: usize) {
        let end_of = |id| self.regions.get(&id).map(|region| region.start + region.bytes);
        self.by_address.remove(start, id, end_of);
        self.replaced.remove(start, id, end_of);
    }

    /// Adds a base with the present contents to a copy, unless it has a base. Returns false if there is no memory for the base.
    pub fn add_base(&mut self, id: u32) -> bool {
        let Some(region) = self.regions.get_mut(&id).filter(|one| one.memory.is_some() && one.base.is_none()) else {
            return true;
        };
        let Some(base) = Allocation::zeroed(region.capacity) else { return false };
        // SAFETY: the copy has `bytes` bytes, and the new base has its capacity.
        unsafe { bytes_mut(base.address(), region.bytes).copy_from_slice(bytes(region.start, region.bytes)) };
        region.base = Some(Arc::new(base));
        region.versions.keep(2 * region.capacity);
        let cost = region.cost_of_base();
        region.cost += cost;
        self.kept += cost;
        true
    }

    /// Records properties of a buffer in a region: whether the other side may change the memory through its copy, whether both sides have the same
    /// contents, and how long pointers in it last.
    pub fn describe(&mut self, id: u32, buffer: &Buffer) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.is_changeable |= !buffer.is_constant;
            region.has_contents |= !is_local(buffer);
            region.is_mirrored_struct |= buffer.ownership == Ownership::MirroredStruct;
        }
    }

    /// Returns the copies of the other side's memory that have the same contents as the memory, by id: the memory, its address, its size in bytes and its layout.
    pub fn copies(&self) -> impl Iterator<Item = (&Arc<Allocation>, usize, usize, Shape)> {
        let mut all: Vec<_> = self.regions.iter().filter(|(_, one)| one.has_contents).collect();
        all.sort_by_key(|(id, _)| **id);
        all.into_iter().filter_map(|(_, one)| Some((one.memory.as_ref()?, one.start, one.bytes, one.shape)))
    }

    /// Returns whether the specification describes the byte at an offset in memory with this layout. In structs, only numbers count.
    pub fn is_described(&self, shape: Shape, offset: usize) -> bool {
        match shape {
            Shape::Blocks(layout, _) => self.layouts.get(layout as usize).is_some_and(|one| one.has_numbers(offset, 1)),
            Shape::Flat | Shape::Other(_) => true,
        }
    }

    pub fn region(&self, id: u32) -> Option<&Region> {
        self.regions.get(&id)
    }

    /// Returns the number of the next message about a region. All regions share one counter, because a side that has lost a region can get it again
    /// under the same id.
    pub fn next_message(&mut self) -> u64 {
        self.last_message += 1;
        self.last_message
    }

    /// Returns the versions of a region if it starts at an address, and the distance from a copy to its base.
    pub fn versions(&mut self, id: u32, start: usize) -> Option<(&mut Versions, Option<usize>)> {
        let region = self.regions.get_mut(&id).filter(|one| one.start == start)?;
        let to_base = region.to_base();
        Some((&mut region.versions, to_base))
    }

    /// Returns the region that contains an address, and the offset in it.
    pub fn find_region(&self, address: usize) -> Option<(u32, usize)> {
        self.regions_at(address)
            .map(|(id, region)| (id, address - region.start, region.bytes))
            .find_map(|(id, offset, bytes)| (offset < bytes.max(1)).then_some((id, offset)))
    }

    /// Returns the region that contains `bytes` bytes at an address, and the offset in it. The bytes may have the layout `shape`.
    pub fn region_with(&self, address: usize, bytes: usize, shape: Option<Shape>) -> Option<(u32, usize)> {
        self.regions_at(address).find_map(|(id, region)| {
            let offset = address - region.start;
            let fits = shape.is_none_or(|shape| shape.is_part(bytes, region.shape, offset, self.layouts));
            let is_inside = offset < region.bytes.max(1) && bytes <= region.bytes - offset.min(region.bytes);
            (is_inside && fits).then_some((id, offset))
        })
    }

    /// Returns the region of a buffer, and the offset in it. Only the start identifies the region of an empty buffer, which is empty too.
    pub fn region_of_buffer(&self, address: usize, bytes: usize, shape: Shape) -> Option<(u32, usize)> {
        let empty = || {
            let (id, offset) = self.find_region(address).filter(|_| bytes == 0)?;
            let is_it = self.regions.get(&id).is_some_and(|region| region.bytes == 0 && region.shape == shape);
            (offset == 0 && is_it).then_some((id, 0))
        };
        self.region_with(address, bytes.max(1), Some(shape)).or_else(empty)
    }

    /// Extends a region to `bytes` bytes if it has this layout and capacity. `is_copy` is whether the region must be a copy or memory of the owner.
    /// Returns whether the region grew.
    pub fn grow(&mut self, id: u32, bytes: usize, shape: Shape, is_copy: bool) -> bool {
        let Some(region) = self.regions.get_mut(&id) else { return false };
        let may_grow = region.shape == shape && bytes <= region.capacity && region.memory.is_some() == is_copy;
        if !region.is_shared || !may_grow || bytes <= region.bytes {
            return false;
        }
        region.bytes = bytes;
        let start = region.start;
        self.by_address.remove(start, id, |id| self.regions.get(&id).map(|region| region.start + region.bytes));
        self.by_address.add(start, start + bytes, id);
        true
    }

    /// Returns the region that contains memory which outlives a call, and the offset in it. The region may grow. Returns `None` if the memory needs a
    /// new region, which must not overlap another region.
    ///
    /// # Errors
    ///
    /// The memory overlaps a region with another type or size. Only constant data of a program, in pages that are not writable, may overlap.
    pub fn find_or_grow_region(
        &mut self,
        start: usize,
        bytes: usize,
        shape: Shape,
    ) -> Result<Option<(u32, usize)>, &'static str> {
        if let Some(known) = self.region_of_buffer(start, bytes, shape) {
            return Ok(Some(known));
        }
        let others: Vec<u32> = self.by_address.between(start, start.saturating_add(bytes)).collect();
        if let [id] = *others
            && self.regions.get(&id).is_some_and(|one| one.start == start)
            && self.grow(id, bytes, shape, false)
        {
            return Ok(Some((id, 0)));
        }
        let is_in_the_way =
            |one: &Region| one.bytes != 0 && one.is_kept() && (one.start == start || is_writable(one.start));
        if others.iter().filter_map(|id| self.regions.get(id)).any(is_in_the_way) {
            return Err(OVERLAPS);
        }
        others.into_iter().for_each(|id| self.replace(id, (start, bytes), shape));
        Ok(None)
    }

    /// Makes a region without a known end unreachable by address if new memory contains all of it. Later pointers into it then lead to the new
    /// memory; pointers that the other side already has still lead to the region.
    fn replace(&mut self, id: u32, (start, bytes): (usize, usize), shape: Shape) {
        let is_inside = |one: &&Region| {
            let offset = one.start.checked_sub(start).filter(|offset| offset + one.bytes <= bytes);
            !one.is_kept() && offset.is_some_and(|offset| one.shape.is_part(one.bytes, shape, offset, self.layouts))
        };
        if let Some((start, end)) =
            self.regions.get(&id).filter(is_inside).map(|one| (one.start, one.start + one.bytes))
        {
            self.forget_address(id, start);
            self.replaced.add(start, end, id);
        }
    }

    /// Returns whether memory between these addresses overlaps a region with a known end, and the region or the memory (`is_written`) is written.
    pub fn overlaps_kept(&self, start: usize, end: usize, is_written: bool) -> bool {
        self.by_address.between(start, end).filter_map(|id| self.regions.get(&id)).any(|region| {
            let is_kept = !region.owners.is_empty() && region.is_kept();
            is_kept && region.bytes != 0 && (is_written || region.is_written)
        })
    }

    /// Like [`find_region`](Self::find_region), but the address may also be the end of the region.
    pub fn find_end_of_region(&self, address: usize) -> Option<(u32, usize)> {
        self.find_region(address).or_else(|| {
            let at_end = self.regions_at(address).find(|(_, region)| address == region.start + region.bytes);
            at_end.map(|(id, region)| (id, region.bytes))
        })
    }

    /// Returns the regions that may contain an address, the nearest first.
    fn regions_at(&self, address: usize) -> impl Iterator<Item = (u32, &Region)> {
        self.by_address.at(address).filter_map(|id| Some((id, self.regions.get(&id)?)))
    }

    /// Returns whether memory contains a byte or the end of a region, or ends where a region starts.
    pub fn meets_region(&self, start: usize, bytes: usize) -> bool {
        self.by_address.between(start.saturating_sub(1), start.saturating_add(bytes).saturating_add(1)).next().is_some()
    }

    /// Adds a use of a region by a buffer of a call, which [`settle_region`](Self::settle_region) ends. Returns whether the region exists.
    pub fn use_region(&mut self, id: u32, buffer: &Buffer) -> bool {
        let Some(region) = self.regions.get_mut(&id) else { return false };
        region.uses += 1;
        self.describe(id, buffer);
        true
    }

    /// Counts a reference in a message that this side sends (on the guest, `is_sent`) or receives (on the worker).
    pub fn count_reference(&mut self, id: u32, is_sent: bool) {
        if let Some(region) = self.regions.get_mut(&id).filter(|_| self.is_worker != is_sent) {
            region.references = region.references.saturating_add(1);
        }
    }

    /// Takes back a counted reference.
    pub fn take_back_reference(&mut self, id: u32) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.references = region.references.saturating_sub(1);
        }
    }

    /// Adds a use of the region that [`find_or_grow_region`](Self::find_or_grow_region) finds for a buffer of a request, if there is one.
    ///
    /// # Errors
    ///
    /// The memory is in a region with another type or size.
    pub fn find_and_use_region(
        &mut self,
        (start, bytes): (usize, usize),
        shape: Shape,
        buffer: &Buffer,
    ) -> Result<Option<(u32, usize)>, &'static str> {
        let known = self.find_or_grow_region(start, bytes, shape)?;
        if let Some((id, _)) = known {
            self.confirm(id);
            self.use_region(id, buffer);
            self.count_reference(id, true);
        }
        Ok(known)
    }

    /// On the worker: records whether the specification gives memory of the library no lifetime.
    pub fn set_may_be_freed(&mut self, id: u32, may_be_freed: bool) {
        if let Some(region) = self.regions.get_mut(&id).filter(|one| self.is_worker && one.memory.is_none()) {
            region.may_be_freed = may_be_freed;
        }
    }

    /// Sets [`Region::described`].
    pub fn set_described(&mut self, id: u32, bytes: usize) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.described = bytes;
        }
    }

    /// Records that the memory of a region has ended, unless it has an owner. Returns whether the region exists.
    pub fn set_over_unless_owned(&mut self, id: u32) -> bool {
        let Some(region) = self.regions.get_mut(&id) else { return false };
        region.is_over |= region.owners.is_empty();
        true
    }

    /// Records that the owner of a region passes its memory, which exists therefore.
    pub fn confirm(&mut self, id: u32) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.is_over = false;
        }
    }

    /// Adds an owner of a region.
    pub fn own_region(&mut self, id: u32, owner: Owner) {
        // A list that is passed often has the same owner each time.
        if self.regions.get(&id).is_some_and(|region| region.owners.first() != Some(&owner))
            && self.own(owner, Ended::Region(id))
            && let Some(region) = self.regions.get_mut(&id)
        {
            region.owners.push(owner);
        }
    }

    /// Returns whether memory is a part, but not the start, of a region of this side that a failed asynchronous call may have ended. The worker
    /// could not make the region again from a reference to such a part.
    pub fn is_part_that_may_have_ended(&self, (start, bytes): (usize, usize), shape: Shape) -> bool {
        let is_own = |id| self.regions.get(&id).is_some_and(|region| region.memory.is_none());
        self.may_fail_to_keep
            && self.region_of_buffer(start, bytes, shape).is_some_and(|(id, offset)| offset != 0 && is_own(id))
    }

    /// Ends a use of a region, and adds its owner if there is one.
    pub fn settle_region(&mut self, id: u32, owner: Option<Owner>, ended: &mut Vec<Ended>) {
        let Some(region) = self.regions.get_mut(&id) else { return };
        region.uses = region.uses.saturating_sub(1);
        let is_unused = region.uses == 0;
        if let Some(owner) = owner {
            self.own_region(id, owner);
        }
        if is_unused {
            self.end_unused_region(id, ended);
        }
    }

    /// Removes an owner of a region.
    pub(super) fn leave_region(&mut self, id: u32, owner: Owner, ended: &mut Vec<Ended>) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.owners.retain(|one| *one != owner);
            // Calls may still use the region.
            region.is_over |= self.is_worker && region.memory.is_none() && region.owners.is_empty();
            self.end_unused_region(id, ended);
        }
    }

    fn end_unused_region(&mut self, id: u32, ended: &mut Vec<Ended>) {
        if self.regions.get(&id).is_some_and(|region| region.uses == 0 && region.owners.is_empty()) {
            self.end_region(id, ended);
        }
    }

    /// Returns whether a call may end a region: a region that lasts until such a call, or a block of this side whose ownership passed to the other
    /// side. Any other region is a copy that the engine frees, or borrowed memory.
    pub fn may_end(&self, id: u32) -> bool {
        self.regions.get(&id).is_some_and(|region| {
            let is_given = region.memory.is_none() && (region.is_given || !self.is_worker);
            // The call that gives the memory its owner may still run, while another thread ends the memory.
            let is_unowned_copy = region.memory.is_some() && region.owners.is_empty();
            is_given || is_unowned_copy || region.owners.contains(&Owner::Manual)
        })
    }

    /// Ends a region on behalf of a call, if a call [may end](Self::may_end) it. A copy of the other side's memory with further owners only loses
    /// `Owner::Manual`.
    pub fn end_explicitly(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let may_end = self.may_end(id);
        let Some(region) = self.regions.get(&id).filter(|_| may_end) else { return };
        if region.memory.is_none() { self.end_region(id, ended) } else { self.end_manual(id, ended) }
    }

    /// Removes `Owner::Manual` of a region. Ends the region if it has no other owner.
    pub fn end_manual(&mut self, id: u32, ended: &mut Vec<Ended>) {
        match self.regions.get_mut(&id) {
            Some(region) if region.owners.len() > 1 => region.owners.retain(|owner| *owner != Owner::Manual),
            _ => return self.end_region(id, ended),
        }
        self.disown(Owner::Manual, id);
    }

    /// On the guest: ends a region after the worker has ended its copy, to which this number of references was sent ([`Ended::Copy`]).
    pub fn end_copy(&mut self, id: u32, references: u32, ended: &mut Vec<Ended>) {
        let Some(region) = self.regions.get_mut(&id).filter(|one| one.memory.is_none() && !self.is_worker) else {
            return;
        };
        region.references = region.references.saturating_sub(references);
        if region.references == 0 {
            self.end_region(id, ended);
        }
    }

    /// Removes a region from what ends with an owner.
    fn disown(&mut self, owner: Owner, id: u32) {
        if let Some(owned) = self.owned.get_mut(&owner)
            && owned.remove(&Ended::Region(id))
            && owned.is_empty()
        {
            self.owned.remove(&owner);
        }
    }

    /// Ends a region, regardless of its owners, and all entries that it owns. Appends them to `ended`.
    pub fn end_region(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let Some(mut region) = self.regions.remove(&id) else { return };
        if let Some(now) = &mut self.ended_now {
            now.regions.push(id);
        }
        match region.memory.take() {
            None => self.kept -= region.cost,
            Some(memory) => {
                // Results of asynchronous calls can need the memory until the guest collects them.
                self.ended_in_use.push((Arc::downgrade(&memory), region.cost));
                self.ended_regions.push(EndedRegion { id, start: region.start, bytes: region.bytes, memory });
            }
        }
        self.forget_address(id, region.start);
        for owner in region.owners {
            self.disown(owner, id);
        }
        self.files.end_for_path(id);
        let is_copy = self.is_worker && self.is_theirs(id);
        ended.push(if is_copy { Ended::Copy(id, region.references) } else { Ended::Region(id) });
        self.end_attached(None, (region.start as u64, region.bytes), ended);
        self.end_owned(Owner::Region(id), ended);
    }

    /// Removes and returns the ended regions whose memory the engine allocated. The caller must keep the memory until its call is over, because the
    /// reply may contain it.
    pub fn take_ended_regions(&mut self) -> std::vec::Drain<'_, EndedRegion> {
        self.ended_regions.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine may allocate memory where the library has freed an array of which it had returned an element before.
    #[test]
    fn place_of_freed_array_forgets_its_elements() {
        let (mut tables, owner) = (Tables { is_worker: true, ..Tables::default() }, Owner::Connection);
        let region = |start, bytes| Region { owners: vec![owner], ..Region::new(start, bytes, Shape::Flat) };
        tables.add_region(3, region(0x1008, 8));
        assert_eq!(tables.find_or_grow_region(0x1000, 40, Shape::Flat), Ok(None));
        tables.add_region(5, region(0x1000, 40));
        assert_eq!(tables.find_or_grow_region(0x1008, 8, Shape::Flat), Ok(Some((5, 8))));
        assert!(tables.region(3).is_some_and(|one| one.is_shared));
        tables.forget_freed(0x1000, 0x1100);
        assert!([3, 5].iter().all(|id| tables.region(*id).is_some_and(|one| !one.is_shared)));
        assert_eq!(tables.find_or_grow_region(0x1008, 8, Shape::Flat), Ok(None));
    }

    #[test]
    fn what_lies_in_memory_is_not_taken_for_something_else() {
        let (row, pair) = (Shape::Blocks(0, 16), Shape::Blocks(0, 24));
        assert!(row.fits(row, 0) && row.fits(row, 32) && !row.fits(row, 8));
        assert!(!row.fits(pair, 0) && !Shape::Flat.fits(row, 0) && !row.fits(Shape::Flat, 0));
        assert!(Shape::Flat.fits(Shape::Flat, 3));
    }

    /// The worker ends its copy while the guest's second reference is on the way, and then ends the copy that it made for it.
    #[test]
    fn region_ends_with_the_report_that_counts_all_references() {
        let (mut guest, mut worker) = (Tables::default(), Tables { is_worker: true, ..Tables::default() });
        let id = guest.new_region_id();
        guest.add_region(id, Region { references: 1, ..Region::new(0x1000, 8, Shape::Flat) });
        guest.count_reference(id, true);
        let mut reports = Vec::new();
        for _ in 0..2 {
            worker.add_region(id, Region::new(0x2000, 8, Shape::Flat));
            worker.count_reference(id, false);
            worker.end_region(id, &mut reports);
        }
        assert_eq!(reports, [Ended::Copy(id, 1), Ended::Copy(id, 1)]);
        guest.forget(&reports[..1]);
        assert!(guest.region(id).is_some());
        guest.forget(&reports[1..]);
        assert!(guest.region(id).is_none());
    }
}
