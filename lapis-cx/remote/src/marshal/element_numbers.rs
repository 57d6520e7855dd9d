//! The bytes of elements that belong to one number.

use std::ops::Range;

use crate::plan::Numbers;

/// The numbers in the elements of a copy. A number changes as a whole: if both sides change it, the result is the number of one side.
pub(super) struct ElementNumbers {
    /// The address of the first element, and the distance between two elements in bytes, which is not 0.
    pub start: usize,
    pub stride: usize,
    pub in_element: &'static [Numbers],
}

impl ElementNumbers {
    /// Returns the end of the number that contains an address, or the next address if no number contains it.
    pub fn end(&self, address: usize) -> usize {
        let at = address.wrapping_sub(self.start) % self.stride;
        let before = self.in_element.partition_point(|one| one.offset <= at);
        let number = before.checked_sub(1).and_then(|last| self.in_element.get(last));
        let left =
            number.filter(|one| at < one.offset + one.bytes).map_or(1, |one| one.each - (at - one.offset) % one.each);
        // No number has more than 16 bytes.
        address + left.min(16)
    }

    /// Splits `size` bytes at an address into numbers and other bytes.
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
    fn split_ends_where_numbers_and_padding_end() {
        const PAIR: &[Numbers] = &[Numbers { offset: 0, bytes: 4, each: 2 }, Numbers { offset: 8, bytes: 8, each: 8 }];
        let pairs = ElementNumbers { start: 100, stride: 16, in_element: PAIR };
        let ends: Vec<usize> = pairs.split(100, 34).map(|range| range.end).collect();
        assert_eq!(ends, [2, 4, 5, 6, 7, 8, 16, 18, 20, 21, 22, 23, 24, 32, 34]);
        let ends: Vec<usize> = pairs.split(110, 7).map(|range| range.end).collect();
        assert_eq!(ends, [6, 7]);
        let bytes = ElementNumbers { start: 100, stride: 1, in_element: &[] };
        assert_eq!(bytes.split(100, 3).count(), 3);
    }
}
