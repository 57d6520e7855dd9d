//! Where expressions read memory of a region while a message with its contents is encoded or decoded: other threads change the memory itself, and
//! expressions must have the values of the message.

use std::collections::BTreeMap;
use std::ops::Range;

/// How many ranges are searched for one that contains an address. Ranges overlap if memory is nested in itself.
const MOST_OVERLAPPING: usize = 8;

/// The end of a range of addresses, and the distance from each byte there to the byte to read, which may wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    end: usize,
    distance: usize,
}

/// A range that was added: its start, and what it replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Added {
    start: usize,
    replaced: Option<Source>,
}

/// Ranges of addresses by their start.
#[derive(Debug, Default)]
pub(crate) struct Sources(BTreeMap<usize, Source>);

impl Sources {
    /// Adds a range. Returns what [`remove`](Self::remove) needs, or `None` if its bytes have this distance already.
    pub fn add(&mut self, range: Range<usize>, distance: usize) -> Option<Added> {
        let is_there = distance == 0 || range.is_empty() || self.distance(&range) == Some(distance);
        let start = range.start;
        (!is_there).then(|| Added { start, replaced: self.0.insert(start, Source { end: range.end, distance }) })
    }

    /// Removes a range, and adds again what it replaced.
    pub fn remove(&mut self, Added { start, replaced }: Added) {
        match replaced {
            Some(replaced) => self.0.insert(start, replaced),
            None => self.0.remove(&start),
        };
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the address from which to read the byte at `address`.
    pub fn of(&self, address: usize) -> usize {
        let distance = self.distance(&(address..address.saturating_add(1))).unwrap_or(0);
        address.wrapping_add(distance)
    }

    /// Returns the distance of a range that contains all of these addresses.
    pub fn distance(&self, addresses: &Range<usize>) -> Option<usize> {
        let mut before = self.0.range(..=addresses.start).rev().take(MOST_OVERLAPPING);
        before.find(|(_, source)| addresses.end <= source.end).map(|(_, source)| source.distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_range_is_read_first_and_the_outer_one_again_after_it() {
        let read = |sources: &Sources| [99, 100, 110, 155, 160, 200, 205].map(|at| sources.of(at));
        let mut sources = Sources::default();
        assert!(sources.add(100..200, 1000).is_some());
        assert_eq!(sources.add(150..200, 1000), None);
        let (inner, longer) = (sources.add(150..160, 2000), sources.add(100..210, 3000));
        assert_eq!(read(&sources), [99, 3100, 3110, 2155, 3160, 3200, 3205]);
        longer.into_iter().chain(inner).for_each(|added| sources.remove(added));
        assert_eq!(read(&sources), [99, 1100, 1110, 1155, 1160, 200, 205]);
        assert_eq!(sources.distance(&(190..201)), None);
    }
}
