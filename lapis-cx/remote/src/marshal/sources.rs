//! Redirects reads of expressions while a message with contents of a region is encoded or decoded. Other threads may change the memory of the
//! region, but expressions must have the values of the message.

use std::collections::BTreeMap;
use std::ops::Range;

use smallvec::SmallVec;

/// The end of a range of addresses, and the distance from each byte there to the byte that expressions read instead, which may wrap.
#[derive(Clone, Copy, Debug)]
struct Source {
    end: usize,
    distance: usize,
}

/// A range that was added, and the ranges that it replaced, by their starts.
#[derive(Debug)]
struct Added {
    range: Range<usize>,
    replaced: Vec<(usize, Source)>,
}

/// The ranges of addresses whose bytes expressions read elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Disjoint ranges of addresses by their start.
    ranges: BTreeMap<usize, Source>,
    /// The ranges that were added and not removed, the innermost range last.
    added: Vec<Added>,
    /// The addresses and sizes of the values that expressions read, while they are recorded.
    reads: Option<Reads>,
}

/// Addresses and sizes in bytes of values.
pub(crate) type Reads = SmallVec<[(usize, usize); 2]>;

impl Sources {
    /// Adds a range, until [`remove`](Self::remove). Returns false if its bytes have this distance already.
    pub fn add(&mut self, range: Range<usize>, distance: usize) -> bool {
        let overlapping = self.ranges.range(..range.end).rev().take_while(|(_, source)| source.end > range.start);
        let replaced: Vec<(usize, Source)> = overlapping.map(|(start, source)| (*start, *source)).collect();
        let known = if replaced.is_empty() { None } else { self.distance(&range) };
        if range.is_empty() || known.unwrap_or(0) == distance {
            return false;
        }
        for (start, source) in &replaced {
            self.ranges.remove(start);
            if *start < range.start {
                self.ranges.insert(*start, Source { end: range.start, ..*source });
            }
            if source.end > range.end {
                self.ranges.insert(range.end, *source);
            }
        }
        self.ranges.insert(range.start, Source { end: range.end, distance });
        self.added.push(Added { range, replaced });
        true
    }

    /// Removes the range that was added last, if `is_added`, and adds again what it replaced.
    pub fn remove(&mut self, is_added: bool) {
        let Some(Added { range, replaced }) = self.added.pop_if(|_| is_added) else { return };
        self.ranges.remove(&range.start);
        // `add` split a replaced range that continues behind the added range.
        if replaced.iter().any(|(_, source)| source.end > range.end) {
            self.ranges.remove(&range.end);
        }
        self.ranges.extend(replaced);
    }

    pub fn clear(&mut self) {
        self.ranges.clear();
        self.added.clear();
        self.reads = None;
    }

    /// Returns the address from which to read the byte at `address`.
    pub fn of(&self, address: usize) -> usize {
        let distance = self.distance(&(address..address.saturating_add(1))).unwrap_or(0);
        address.wrapping_add(distance)
    }

    /// Returns the address from which an expression reads `size` bytes at `address`.
    pub fn read(&mut self, address: usize, size: usize) -> usize {
        if let Some(reads) = &mut self.reads {
            reads.push((address, size));
        }
        self.of(address)
    }

    /// Records the values that expressions read, until [`take_reads`](Self::take_reads).
    pub fn record_reads(&mut self) {
        self.reads = Some(Reads::new());
    }

    pub fn take_reads(&mut self) -> Reads {
        self.reads.take().unwrap_or_default()
    }

    /// Returns the distance of a range that contains all of these addresses.
    pub fn distance(&self, addresses: &Range<usize>) -> Option<usize> {
        let (_, source) = self.ranges.range(..=addresses.start).next_back()?;
        (addresses.end <= source.end).then_some(source.distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The innermost range that contains an address determines where it is read.
        #[test]
        fn the_innermost_range_says_where_to_read(
            steps in prop::collection::vec((0..64_usize, 0..24_usize, 0..4_usize), 0..40),
        ) {
            let (mut sources, mut model) = (Sources::default(), Vec::new());
            for (start, size, kind) in steps {
                if kind == 0 {
                    if let Some((_, _, is_added)) = model.pop() {
                        sources.remove(is_added);
                    }
                } else {
                    let (range, distance) = (start..start + size, kind * 1000);
                    let is_added = sources.add(range.clone(), distance);
                    model.push((range, distance, is_added));
                }
                for at in 0..90 {
                    let innermost = model.iter().rev().find(|(range, ..)| range.contains(&at));
                    prop_assert_eq!(sources.of(at), at + innermost.map_or(0, |(_, distance, _)| *distance));
                }
            }
        }
    }
}
