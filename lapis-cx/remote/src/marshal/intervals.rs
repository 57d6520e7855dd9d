//! Address ranges, searched by address.

use std::collections::{BTreeMap, BTreeSet};

/// Ranges of which none contains another, by their starts: the end and the owner of each. So the last range that starts at or before an address
/// extends furthest past it. The owner is `()` where only the addresses matter.
#[derive(Default)]
pub(super) struct OuterRanges<Owner = u32>(BTreeMap<usize, (usize, Owner)>);

impl<Owner: Copy> OuterRanges<Owner> {
    /// Adds a range, unless another range contains it. Removes the ranges that the added range contains.
    pub fn add(&mut self, start: usize, end: usize, owner: Owner) {
        if self.0.range(..=start).next_back().is_some_and(|(_, (last, _))| *last >= end) {
            return;
        }
        while let Some((inside, _)) = self.0.range(start..).next().filter(|(_, (last, _))| *last <= end) {
            let inside = *inside;
            self.0.remove(&inside);
        }
        self.0.insert(start, (end, owner));
    }

    /// Returns the owner of the range that starts at or before an address and extends furthest, and the end of that range.
    pub fn at(&self, address: usize) -> Option<(Owner, usize)> {
        self.0.range(..=address).next_back().map(|(_, (end, owner))| (*owner, *end))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the owners of ranges that have an address from `start` up to, but not including, `end`.
    pub fn between(&self, start: usize, end: usize) -> impl Iterator<Item = Owner> {
        let before = self.0.range(..end).rev();
        before.take_while(move |(_, (last, _))| start < *last).map(|(_, (_, owner))| *owner)
    }
}

/// All ranges, which may contain and overlap each other.
#[derive(Default)]
pub(super) struct Ranges {
    all: BTreeSet<(usize, u32)>,
    outer: OuterRanges,
}

impl Ranges {
    pub fn add(&mut self, start: usize, end: usize, owner: u32) {
        self.all.insert((start, owner));
        self.outer.add(start, end, owner);
    }

    /// Removes a range. `end_of` must return the end of the range of an owner.
    pub fn remove(&mut self, start: usize, owner: u32, end_of: impl Fn(u32) -> Option<usize>) {
        self.all.remove(&(start, owner));
        if self.outer.0.get(&start).is_none_or(|(_, of)| *of != owner) {
            return;
        }
        let Some((end, _)) = self.outer.0.remove(&start) else { return };
        for (inside, other) in self.all.range((start, 0)..=(end, u32::MAX)) {
            if let Some(end) = end_of(*other) {
                self.outer.add(*inside, end, *other);
            }
        }
    }

    /// Returns the owners of ranges that may contain an address: first the range that starts last at or before it, then the range that extends
    /// furthest past it.
    pub fn at(&self, address: usize) -> impl Iterator<Item = u32> + use<> {
        let nearest = self.all.range(..=(address, u32::MAX)).next_back().map(|(_, owner)| *owner);
        let outer = self.outer.at(address).map(|(owner, _)| owner);
        nearest.into_iter().chain(outer.filter(|owner| Some(*owner) != nearest))
    }

    /// Returns the owners of ranges that have an address from `start` up to, but not including, `end`. Leaves out ranges that other ranges contain.
    pub fn between(&self, start: usize, end: usize) -> impl Iterator<Item = u32> {
        self.outer.between(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_range_replaces_those_inside() {
        let mut all = OuterRanges::default();
        for (at, (start, end)) in (0..).zip([(10, 20), (30, 40), (12, 15), (5, 50), (45, 60), (5, 50)]) {
            all.add(start, end, at);
        }
        assert_eq!(all.0.into_iter().collect::<Vec<_>>(), [(5, (50, 3)), (45, (60, 4))]);
    }

    #[test]
    fn ranges_inside_of_a_removed_one_are_found_again() {
        let ends = [20, 40, 15, 50, 60];
        let end_of = |owner: u32| ends.get(owner as usize).copied();
        let mut all = Ranges::default();
        for (owner, start) in (0..).zip([10, 30, 12, 5, 45]) {
            all.add(start, ends[owner as usize], owner);
        }
        assert_eq!(all.at(13).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(all.at(25).collect::<Vec<_>>(), [2, 3]);
        let between = |all: &Ranges, start, end| all.between(start, end).collect::<Vec<_>>();
        assert_eq!((between(&all, 0, 5), between(&all, 41, 47), between(&all, 60, 70)), (vec![], vec![4, 3], vec![]));
        all.remove(5, 3, end_of);
        assert_eq!(all.at(17).collect::<Vec<_>>(), [2, 0]);
        assert_eq!((between(&all, 41, 42), between(&all, 35, 46)), (vec![], vec![4, 1]));
    }
}
