//! Finds the values in the elements of a buffer, as byte ranges.

use std::ops::Range;

use crate::plan::Numbers;

/// The values in the elements of a buffer: numbers, pointers and handles. A value changes as a whole: if both sides change it, the result is the
/// value of one side. The engine copies it as a whole, because another thread may change it meanwhile.
pub(super) struct ElementValues {
    /// The address of the first element, and the distance between two elements in bytes, which is not 0.
    pub start: usize,
    pub stride: usize,
    pub in_element: &'static [Numbers],
}

impl ElementValues {
    /// Returns the value that contains an address, or the byte there if no value contains it.
    fn at(&self, address: usize) -> Range<usize> {
        if self.in_element.is_empty() {
            return address..address + 1;
        }
        let at = address.wrapping_sub(self.start) % self.stride;
        let before = self.in_element.partition_point(|one| one.offset <= at);
        let value = before.checked_sub(1).and_then(|last| self.in_element.get(last));
        let inside = value.filter(|one| at < one.offset + one.bytes);
        // No value has more than 16 bytes.
        let (before, size) = inside.map_or((0, 1), |one| ((at - one.offset) % one.each, one.each.min(16)));
        address - before..address - before + size.max(before + 1)
    }

    /// Returns the end of the value that contains an address, or the next address if no value contains it.
    pub fn end(&self, address: usize) -> usize {
        self.at(address).end
    }

    /// Returns the bytes of all values that overlap these offsets from an address.
    pub fn around(&self, address: usize, part: Range<usize>) -> Range<usize> {
        let (first, end) = (self.at(address + part.start).start, self.end(address + part.end - 1));
        first.saturating_sub(address)..end - address
    }

    /// Returns the next difference, from the offset `at`, between two contents for an address. It consists of whole values.
    pub fn next_difference(&self, address: usize, one: &[u8], other: &[u8], mut at: usize) -> Option<Range<usize>> {
        const STEP: usize = 64;
        let size = one.len().min(other.len());
        while at + STEP <= size && one[at..at + STEP] == other[at..at + STEP] {
            at += STEP;
        }
        let first = at + one[at..size].iter().zip(&other[at..size]).position(|(one, other)| one != other)?;
        if self.in_element.is_empty() {
            let mut rest = one[first..size].iter().zip(&other[first..size]);
            let count = rest.position(|(one, other)| one == other).unwrap_or(size - first);
            return Some(first..first + count);
        }
        let value = self.at(address + first);
        Some(value.start.saturating_sub(address)..(value.end - address).min(size))
    }

    /// Splits `size` bytes at an address into values and other bytes.
    pub fn split(&self, address: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let start = next;
            next = (self.end(address + start) - address).min(size);
            (start < size).then_some(start..next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_ends_where_values_and_padding_end() {
        const PAIR: &[Numbers] = &[Numbers { offset: 0, bytes: 4, each: 2 }, Numbers { offset: 8, bytes: 8, each: 8 }];
        let pairs = ElementValues { start: 100, stride: 16, in_element: PAIR };
        let ends: Vec<usize> = pairs.split(100, 34).map(|range| range.end).collect();
        assert_eq!(ends, [2, 4, 5, 6, 7, 8, 16, 18, 20, 21, 22, 23, 24, 32, 34]);
        let ends: Vec<usize> = pairs.split(110, 7).map(|range| range.end).collect();
        assert_eq!(ends, [6, 7]);
        let bytes = ElementValues { start: 100, stride: 1, in_element: &[] };
        assert_eq!(bytes.split(100, 3).count(), 3);
    }

    #[test]
    fn differences_are_whole_values() {
        const PAIR: &[Numbers] = &[Numbers { offset: 0, bytes: 4, each: 2 }, Numbers { offset: 8, bytes: 8, each: 8 }];
        let pairs = ElementValues { start: 100, stride: 16, in_element: PAIR };
        let bytes = ElementValues { start: 0, stride: 1, in_element: &[] };
        let (old, mut new) = ([0u8; 160], [0u8; 160]);
        for at in [1, 6, 7, 13, 130, 159] {
            new[at] = 1;
        }
        let all = |numbers: &ElementValues| -> Vec<Range<usize>> {
            let mut at = 0;
            let next = || numbers.next_difference(100, &new, &old, at).inspect(|run| at = run.end);
            std::iter::from_fn(next).collect()
        };
        assert_eq!(all(&pairs), [0..2, 6..7, 7..8, 8..16, 130..132, 152..160]);
        assert_eq!(all(&bytes), [1..2, 6..8, 13..14, 130..131, 159..160]);
    }
}
