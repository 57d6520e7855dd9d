//! Memory of this side that a call in a callback ends. The calls and callbacks around that call must not use it afterwards.

use std::collections::{BTreeMap, BTreeSet};

use super::tables::{EndedNow, Owner, Tables};

/// The memory and the owners that a call in a callback ended.
#[derive(Default)]
pub(crate) struct EndedMemory {
    /// Regions that the call names.
    pub named: Vec<u32>,
    pub now: EndedNow,
}

/// The memory of this side that a call or callback sends or receives, by what ends it.
#[derive(Default)]
pub(crate) struct OwnMemory {
    /// Regions and the positions of their entries.
    pub regions: BTreeSet<(u32, usize)>,
    /// The regions of entries, by the owner of the memory and the position.
    pub owners: BTreeMap<(Owner, usize), u32>,
}

impl OwnMemory {
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Records that a call has ended parts of this memory: in their regions, or else by returning the positions of their entries. The program may keep
    /// memory whose owner has ended, unless the entry gives it the same owner. The library may not.
    #[must_use]
    pub fn end(&self, ended: &EndedMemory, tables: &mut Tables) -> Vec<usize> {
        let is_worker = tables.is_worker;
        let regions = ended.named.iter().chain(ended.now.regions.iter().filter(|_| is_worker));
        let by_region = regions.flat_map(|id| self.regions.range((*id, 0)..=(*id, usize::MAX)).copied());
        let owners = ended.now.owners.iter();
        let by_owner = owners.flat_map(|range| self.owners.range((*range.start(), 0)..=(*range.end(), usize::MAX)));
        let all = by_region.chain(by_owner.map(|((_, n), id)| (*id, *n)));
        all.filter(|(id, _)| !tables.set_over_unless_owned(*id)).map(|(_, n)| n).collect()
    }
}
