//! Regions: memory that both sides have for longer than a call.

use std::sync::Arc;

use super::super::shape::Shape;
use super::{MOST, Owner, Tables};
use crate::marshal::memory::Allocation;
use crate::protocol::Ended;

/// Memory that both sides have for longer than a call.
pub(crate) struct Region {
    /// The address on this side.
    pub start: usize,
    pub bytes: usize,
    pub shape: Shape,
    /// The other side has a copy and may refer to it.
    pub is_shared: bool,
    /// The number of running calls that determine owners of the region. The region ends when it has neither uses nor owners.
    pub uses: usize,
    pub owners: Vec<Owner>,
    /// The memory, if the engine allocated it. It is freed after the region ended and the last call stopped using it.
    pub memory: Option<Arc<Allocation>>,
    /// The side that allocated the memory gave it to the other side, so the library no longer owns it.
    pub is_given: bool,
}

impl Region {
    /// Creates a region with one use, of memory that this side's program or library allocated.
    pub fn new(start: usize, bytes: usize, shape: Shape) -> Region {
        Region { start, bytes, shape, is_shared: true, uses: 1, owners: Vec::new(), memory: None, is_given: false }
    }
}

impl Tables {
    /// Returns the size in bytes of the memory that the engine keeps for longer than a call.
    pub fn kept(&self) -> usize {
        self.kept
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

    /// Returns whether the other side may assign this id to a new region.
    pub fn may_be_theirs(&self, id: u32) -> bool {
        self.is_theirs(id) && !self.regions.contains_key(&id) && self.regions.len() < MOST
    }

    /// Returns whether this id is one that the other side assigns.
    pub fn is_theirs(&self, id: u32) -> bool {
        id > 1 && (id & 1 == 1) != self.is_worker
    }

    pub fn add_region(&mut self, id: u32, region: Region) {
        if region.is_shared {
            self.by_address.insert(region.start, id);
        }
        self.kept += if region.memory.is_some() { region.bytes } else { 0 };
        self.regions.insert(id, region);
    }

    pub fn region(&self, id: u32) -> Option<&Region> {
        self.regions.get(&id)
    }

    /// Returns the region that contains an address, and the offset in it.
    pub fn find_region(&self, address: usize) -> Option<(u32, usize)> {
        self.find_end_of_region(address)
            .filter(|(id, offset)| self.regions.get(id).is_some_and(|region| *offset < region.bytes.max(1)))
    }

    /// Returns the region with room for `bytes` bytes of the layout `shape` at an address, and the offset in it.
    pub fn region_with(&self, address: usize, bytes: usize, shape: Option<Shape>) -> Option<(u32, usize)> {
        let (id, offset) = self.find_region(address)?;
        let region = self.regions.get(&id)?;
        let fits = shape.is_none_or(|shape| shape.fits(region.shape, offset));
        (bytes <= region.bytes - offset.min(region.bytes) && fits).then_some((id, offset))
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

    /// Like [`find_region`](Self::find_region), but the address may also be the end of the region.
    pub fn find_end_of_region(&self, address: usize) -> Option<(u32, usize)> {
        if address == 0 || self.regions.is_empty() {
            return None;
        }
        let (start, id) = self.by_address.range(..=address).next_back()?;
        let region = self.regions.get(id)?;
        let offset = address - start;
        (offset <= region.bytes).then_some((*id, offset))
    }

    /// Adds a use of a region by a call, which [`settle_region`](Self::settle_region) ends.
    pub fn use_region(&mut self, id: u32) {
        if let Some(region) = self.regions.get_mut(&id) {
            region.uses += 1;
        }
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

    /// Ends a region, whatever owns it, and everything that it owns. Appends what ended to `ended`.
    pub fn end_region(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let Some(mut region) = self.regions.remove(&id) else { return };
        self.over.extend(region.memory.take().inspect(|_| self.kept -= region.bytes));
        if self.by_address.get(&region.start) == Some(&id) {
            self.by_address.remove(&region.start);
        }
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
        self.end_attached(None, region.start as u64, ended);
        self.end_owned(Owner::Region(id), ended);
    }

    /// Removes and returns the memory of the regions that ended since the last call. The caller keeps it until its call is over, as the
    /// reply may contain it.
    pub fn take_over(&mut self) -> std::vec::Drain<'_, Arc<Allocation>> {
        self.over.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_memory_is_not_taken_for_something_else() {
        let (row, pair) = (Shape::Blocks(16), Shape::Blocks(24));
        assert!(row.fits(row, 0) && row.fits(row, 32) && !row.fits(row, 8));
        assert!(!row.fits(pair, 0) && !Shape::Flat.fits(row, 0) && !row.fits(Shape::Flat, 0));
        assert!(Shape::Flat.fits(Shape::Flat, 3));
    }
}
