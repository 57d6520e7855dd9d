//! Regions: memory that both sides have for longer than a call.

use std::sync::Arc;

use super::super::shape::Shape;
use super::versions::Versions;
use super::{MOST, Owner, Tables};
use crate::marshal::access::{bytes, bytes_mut, is_writable};
use crate::marshal::memory::Allocation;
use crate::plan::{Buffer, Ownership};
use crate::protocol::Ended;

/// The reason for rejecting memory that the other side has already.
const OVERLAPS: &str = "the other side has a part of this memory already, with another type or size; describe it alike, or end it with \
                        `@lifetime`";

/// Memory that both sides have for longer than a call.
pub(crate) struct Region {
    /// The address on this side.
    pub start: usize,
    pub bytes: usize,
    /// The size in bytes to which the region can grow: that of the copy's memory.
    pub room: usize,
    /// The memory that the engine allocated for it, in bytes. Its records count too.
    pub cost: usize,
    pub shape: Shape,
    /// The other side has a copy and may refer to it.
    pub is_shared: bool,
    /// The number of running calls that determine owners of the region. The region ends when it has neither uses nor owners.
    pub uses: usize,
    pub owners: Vec<Owner>,
    /// The memory, if the engine allocated it. It is freed after the region ended and the last call stopped using it.
    pub memory: Option<Arc<Allocation>>,
    /// On the side that made it from its own memory: the other side may write its copy.
    pub is_written: bool,
    /// The side that allocated the memory gave it to the other side, so the library no longer owns it.
    pub is_given: bool,
    /// On the side that made it from its own memory: the other side may change the memory through its copy.
    pub is_changeable: bool,
    /// A struct that is kept by `new` of `in`: pointers in it last for a call only, unless they say otherwise.
    pub is_mirror: bool,
    /// On the side with the copy, if it may change it: the contents on which both sides last agreed.
    pub base: Option<Arc<Allocation>>,
    /// The messages about the region.
    pub versions: Versions,
}

impl Region {
    /// Creates a region with one use, of memory that this side's program or library allocated.
    pub fn new(start: usize, bytes: usize, shape: Shape) -> Region {
        Region {
            start,
            bytes,
            room: room_for(bytes),
            cost: 0,
            shape,
            is_shared: true,
            uses: 1,
            owners: Vec::new(),
            memory: None,
            is_written: false,
            is_given: false,
            is_changeable: false,
            is_mirror: false,
            base: None,
            versions: Versions::default(),
        }
    }

    /// The memory in bytes that a base needs, with what messages have changed in it.
    pub fn cost_of_base(&self) -> usize {
        4 * self.room
    }

    /// The distance in bytes, which may wrap, from a copy to its base.
    pub fn to_base(&self) -> Option<usize> {
        self.base.as_ref().map(|base| base.address().wrapping_sub(self.start))
    }

    /// Returns whether the memory stays what it is. Memory without a known end may be in use for something else.
    fn is_kept(&self) -> bool {
        let is_known = |owner: &Owner| *owner != Owner::Connection;
        self.owners.is_empty() || self.owners.iter().any(is_known)
    }
}

/// Returns the size in bytes of the copy of `bytes` bytes: it has room for later contents that are a little larger, as a text.
pub(crate) fn room_for(bytes: usize) -> usize {
    bytes.saturating_add((bytes / 2).clamp(16, 4096)).max(256)
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
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Counts memory that keeps the results of asynchronous calls.
    pub fn keep_results(&mut self, bytes: usize) {
        self.kept += bytes;
    }

    /// Counts such memory no more.
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
        id > 1 && (id & 1 == 1) != self.is_worker
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

    /// Makes regions of this side's program or library unreachable whose memory has been freed: the engine has allocated memory between these
    /// addresses.
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

    /// Gives a copy a base with its present contents, unless it has one. Returns false if there is no memory for it.
    pub fn add_base(&mut self, id: u32) -> bool {
        let Some(region) = self.regions.get_mut(&id).filter(|one| one.memory.is_some() && one.base.is_none()) else {
            return true;
        };
        let Some(base) = Allocation::zeroed(region.room) else { return false };
        // SAFETY: the copy has this size, and the base, which was just allocated, at least.
        unsafe { bytes_mut(base.address(), region.bytes).copy_from_slice(bytes(region.start, region.bytes)) };
        region.base = Some(Arc::new(base));
        region.versions.keep(2 * region.room);
        let cost = region.cost_of_base();
        region.cost += cost;
        self.kept += cost;
        true
    }

    /// Notes that a buffer of a message is in a region: whether the other side may change the memory through its copy, and how long pointers in it
    /// last.
    pub fn describe(&mut self, id: u32, buffer: &Buffer) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.is_changeable |= !buffer.is_constant;
            region.is_mirror |= buffer.ownership == Ownership::Mirror;
        }
    }

    pub fn region(&self, id: u32) -> Option<&Region> {
        self.regions.get(&id)
    }

    /// Returns the number of the next message about a region. Numbers of all regions grow together, as a side that has lost a region can get it
    /// again under the same id.
    pub fn next_message(&mut self) -> u64 {
        self.last_message += 1;
        self.last_message
    }

    /// Returns the messages about a region that starts at an address, and the distance from a copy to its base.
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

    /// Returns the region with room for `bytes` bytes of the layout `shape` at an address, and the offset in it.
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

    /// Lets a region grow to `bytes` bytes if it has this layout, its copy has room, and it is the copy, or not. Returns whether it did.
    pub fn grow(&mut self, id: u32, bytes: usize, shape: Shape, is_copy: bool) -> bool {
        let Some(region) = self.regions.get_mut(&id) else { return false };
        let may_grow = region.shape == shape && bytes <= region.room && region.memory.is_some() == is_copy;
        if !region.is_shared || !may_grow || bytes <= region.bytes {
            return false;
        }
        region.bytes = bytes;
        let start = region.start;
        self.by_address.remove(start, id, |id| self.regions.get(&id).map(|region| region.start + region.bytes));
        self.by_address.add(start, start + bytes, id);
        true
    }

    /// Returns the region of memory that outlives a call, and the offset in it. Both sides have a block once: there is no second region for
    /// memory of which a region contains a part. A region may grow.
    ///
    /// # Errors
    ///
    /// The memory is in a region with another type or size. Constant data of a program may overlap in pages that nothing can write.
    pub fn place_of(&mut self, start: usize, bytes: usize, shape: Shape) -> Result<Option<(u32, usize)>, &'static str> {
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

    /// Makes a region without a known end unreachable by address if new memory contains all of it: later pointers into it lead to the new memory.
    /// Pointers that the other side already has still lead to the region.
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

    /// Returns whether memory between these addresses is in a region of which one side writes its memory, or is written itself.
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

    /// Returns the regions that may contain an address, the best one first.
    fn regions_at(&self, address: usize) -> impl Iterator<Item = (u32, &Region)> {
        self.by_address.at(address).filter_map(|id| Some((id, self.regions.get(&id)?)))
    }

    /// Returns whether memory has a byte or the end of a region in it, or ends where one starts.
    pub fn meets_region(&self, start: usize, bytes: usize) -> bool {
        self.by_address.between(start.saturating_sub(1), start.saturating_add(bytes).saturating_add(1)).next().is_some()
    }

    /// Adds a use of a region by a buffer of a call, which [`settle_region`](Self::settle_region) ends.
    pub fn use_region(&mut self, id: u32, buffer: &Buffer) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.uses += 1;
        }
        self.describe(id, buffer);
    }

    /// Adds a use of the region that [`place_of`](Self::place_of) finds for a buffer, if there is one.
    ///
    /// # Errors
    ///
    /// The memory is in a region with another type or size.
    pub fn use_place(
        &mut self,
        (start, bytes): (usize, usize),
        shape: Shape,
        buffer: &Buffer,
    ) -> Result<Option<(u32, usize)>, &'static str> {
        let known = self.place_of(start, bytes, shape)?;
        if let Some((id, _)) = known {
            self.use_region(id, buffer);
        }
        Ok(known)
    }

    /// Ends a use of a region, and gives it an owner if there is one.
    pub fn settle_region(&mut self, id: u32, owner: Option<Owner>, ended: &mut Vec<Ended>) {
        let is_there = self.regions.contains_key(&id);
        let owner = owner.filter(|owner| is_there && self.own(*owner, Ended::Region(id)));
        if let Some(region) = self.regions.get_mut(&id) {
            region.uses = region.uses.saturating_sub(1);
            region.owners.extend(owner);
            self.end_unused_region(id, ended);
        }
    }

    /// Removes an owner of a region.
    pub(super) fn leave_region(&mut self, id: u32, owner: Owner, ended: &mut Vec<Ended>) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.owners.retain(|one| *one != owner);
            self.end_unused_region(id, ended);
        }
    }

    fn end_unused_region(&mut self, id: u32, ended: &mut Vec<Ended>) {
        if self.regions.get(&id).is_some_and(|region| region.uses == 0 && region.owners.is_empty()) {
            self.end_region(id, ended);
        }
    }

    /// Returns whether a call may end a region: one that lasts until such a call, or a block of this side that the other side was given. Any
    /// other region is a copy that the engine frees, or borrowed memory.
    pub fn may_end(&self, id: u32) -> bool {
        self.regions.get(&id).is_some_and(|region| {
            let is_given = region.memory.is_none() && (region.is_given || !self.is_worker);
            is_given || region.owners.contains(&Owner::Manual)
        })
    }

    /// Ends a region as a call demands, if a call [may end](Self::may_end) it. A copy of the other side's memory that something else owns too
    /// loses only the owner that such a call ends.
    pub fn end_explicitly(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let may_end = self.may_end(id);
        let Some(region) = self.regions.get_mut(&id).filter(|_| may_end) else { return };
        if region.memory.is_none() || region.owners.len() == 1 {
            return self.end_region(id, ended);
        }
        region.owners.retain(|owner| *owner != Owner::Manual);
        if let Some(owned) = self.owned.get_mut(&Owner::Manual) {
            owned.remove(&Ended::Region(id));
        }
    }

    /// Ends a region, whatever owns it, and everything that it owns. Appends what ended to `ended`.
    pub fn end_region(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let Some(mut region) = self.regions.remove(&id) else { return };
        self.kept -= region.cost;
        if let Some(memory) = region.memory.take() {
            self.over.push(EndedRegion { id, start: region.start, bytes: region.bytes, memory });
        }
        self.forget_address(id, region.start);
        for owner in region.owners {
            if let Some(owned) = self.owned.get_mut(&owner)
                && owned.remove(&Ended::Region(id))
                && owned.is_empty()
            {
                self.owned.remove(&owner);
            }
        }
        self.files.close_behind(id);
        ended.push(Ended::Region(id));
        self.end_attached(None, (region.start as u64, region.bytes), ended);
        self.end_owned(Owner::Region(id), ended);
    }

    /// Removes and returns the regions with memory of the engine that ended since the last call. The caller keeps it until its call is over, as the
    /// reply may contain it.
    pub fn take_over(&mut self) -> std::vec::Drain<'_, EndedRegion> {
        self.over.drain(..)
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
        assert_eq!(tables.place_of(0x1000, 40, Shape::Flat), Ok(None));
        tables.add_region(5, region(0x1000, 40));
        assert_eq!(tables.place_of(0x1008, 8, Shape::Flat), Ok(Some((5, 8))));
        assert!(tables.region(3).is_some_and(|one| one.is_shared));
        tables.forget_freed(0x1000, 0x1100);
        assert!([3, 5].iter().all(|id| tables.region(*id).is_some_and(|one| !one.is_shared)));
        assert_eq!(tables.place_of(0x1008, 8, Shape::Flat), Ok(None));
    }

    #[test]
    fn what_lies_in_memory_is_not_taken_for_something_else() {
        let (row, pair) = (Shape::Blocks(0, 16), Shape::Blocks(0, 24));
        assert!(row.fits(row, 0) && row.fits(row, 32) && !row.fits(row, 8));
        assert!(!row.fits(pair, 0) && !Shape::Flat.fits(row, 0) && !row.fits(Shape::Flat, 0));
        assert!(Shape::Flat.fits(Shape::Flat, 3));
    }
}
