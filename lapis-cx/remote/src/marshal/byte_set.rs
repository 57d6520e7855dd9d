//! Sets of bytes, with a bit for each byte.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

/// A set of offsets.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByteSet {
    pub bits: SmallVec<[u8; 16]>,
}

/// Returns how many bytes at the start have a value.
fn alike(bytes: &[u8], value: u8) -> usize {
    const BLOCK: usize = 64;
    let is_alike = |block: &&[u8]| block.iter().fold(0, |all, byte| all | (byte ^ value)) == 0;
    let blocks = BLOCK * bytes.chunks_exact(BLOCK).take_while(is_alike).count();
    blocks + bytes[blocks..].iter().take_while(|byte| **byte == value).count()
}

impl ByteSet {
    /// Creates an empty set with memory for the offsets below `size`.
    pub fn with_capacity(size: usize) -> ByteSet {
        ByteSet { bits: smallvec![0; size.div_ceil(8)] }
    }

    pub fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        if self.bits.len() * 8 < range.end {
            self.bits.resize(range.end.div_ceil(8), 0);
        }
        self.fill(range, true);
    }

    pub fn remove(&mut self, range: Range<usize>) {
        let end = range.end.min(self.bits.len() * 8);
        self.fill(range.start.min(end)..end, false);
    }

    fn fill(&mut self, range: Range<usize>, is_inside: bool) {
        let (first, last) = (range.start.next_multiple_of(8).min(range.end), (range.end / 8 * 8).max(range.start));
        self.bits[first / 8..last.max(first) / 8].fill(if is_inside { 0xff } else { 0 });
        for at in (range.start..first).chain(last.max(first)..range.end) {
            let bit = 1 << (at % 8);
            self.bits[at / 8] = if is_inside { self.bits[at / 8] | bit } else { self.bits[at / 8] & !bit };
        }
    }

    pub fn is_empty(&self) -> bool {
        alike(&self.bits, 0) == self.bits.len()
    }

    pub fn contains(&self, at: usize) -> bool {
        self.bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0)
    }

    pub fn contains_any(&self, range: Range<usize>) -> bool {
        if range.is_empty() {
            return false;
        }
        let (first, last) = (range.start / 8, (range.end - 1) / 8);
        let (from, to) = (0xff << (range.start % 8), 0xff >> (7 - (range.end - 1) % 8));
        let byte = |at: usize| self.bits.get(at).copied().unwrap_or(0);
        if first == last {
            return byte(first) & from & to != 0;
        }
        let between = self.bits.get(first + 1..last.min(self.bits.len())).unwrap_or_default();
        byte(first) & from != 0 || byte(last) & to != 0 || alike(between, 0) != between.len()
    }

    /// Returns the first run of offsets in a range that the set contains.
    pub fn next(&self, range: Range<usize>) -> Option<Range<usize>> {
        let start = self.skip(range.clone(), false);
        (start < range.end).then(|| start..self.skip(start..range.end, true))
    }

    /// Returns the end of the first run of a range: of offsets that the set contains if `is_inside`, else of offsets that it does not contain.
    fn skip(&self, range: Range<usize>, is_inside: bool) -> usize {
        let (mut at, bits, end) = (range.start, if is_inside { 0xff } else { 0 }, range.end.min(8 * self.bits.len()));
        while at < end && self.contains(at) == is_inside {
            let rest = || self.bits.get(at / 8..end.div_ceil(8)).unwrap_or_default();
            let whole = if at.is_multiple_of(8) { alike(rest(), bits) } else { 0 };
            at += (8 * whole).max(1);
        }
        // The set contains no offset after its last bit.
        if !is_inside && at >= end { range.end } else { at.min(range.end) }
    }

    /// Returns the runs of offsets in a range that the set does not contain.
    pub fn gaps(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut start = range.start;
        let ends = self.runs(range.clone()).chain(Some(range.end..range.end));
        ends.map(move |run| std::mem::replace(&mut start, run.end)..run.start).filter(|gap| !gap.is_empty())
    }

    /// Returns the runs of offsets in a range that the set contains, in order.
    pub fn runs(&self, mut range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        std::iter::from_fn(move || self.next(range.clone()).inspect(|run| range.start = run.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_the_bytes_that_were_added_and_not_removed(
            ranges in prop::collection::vec((0usize..70, 1usize..30, any::<bool>()), 0..8),
            (start, size) in (0usize..90, 0usize..90),
        ) {
            let (mut set, mut model) = (ByteSet::default(), [false; 200]);
            for (start, size, is_added) in ranges {
                if is_added { set.add(start..start + size) } else { set.remove(start..start + size) };
                model[start..start + size].fill(is_added);
            }
            let (mut found, mut at) = ([false; 200], start);
            while let Some(run) = set.next(at..start + size) {
                prop_assert!(at <= run.start && run.end <= start + size);
                at = run.end;
                found[run].fill(true);
            }
            model[..start].fill(false);
            model[start + size..].fill(false);
            prop_assert_eq!(found, model);
            prop_assert_eq!(set.contains_any(start..start + size), model.contains(&true));
            let gaps: Vec<usize> = set.gaps(start..start + size).flatten().collect();
            let expected: Vec<usize> = (start..start + size).filter(|at| !model[*at]).collect();
            prop_assert_eq!(gaps, expected);
        }
    }
}
