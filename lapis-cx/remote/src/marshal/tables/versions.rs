//! The order of the messages about a region.
//!
//! Calls of several threads carry contents of the same memory, and their messages can arrive in another order than they were encoded. So each side
//! numbers its messages about a region, and the receiver drops contents where it has stored contents of a later message. Contents from the owner
//! list the messages of the other side that they include.

use std::collections::VecDeque;
use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use crate::marshal::byte_set::ByteSet;

/// The largest number of ranges of a region whose messages a side distinguishes.
pub(crate) const MOST: usize = 1024;
/// The largest number of messages without an acknowledgement whose former contents are kept.
const MOST_KEPT: usize = 64;
/// The largest number of messages whose changes a message carries: those without an acknowledgement, and its own.
pub(crate) const MOST_CHANGES: usize = MOST_KEPT + 1;

/// Ranges of offsets in a region.
pub(crate) type Offsets = SmallVec<[Range<usize>; 2]>;

/// A range of offsets in a region, and the number of the latest message whose contents were stored there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub range: Range<usize>,
    pub number: u64,
}

/// A message of the side with the copy that the owner has not acknowledged, with the former contents of the base.
#[derive(Debug)]
struct Unacknowledged {
    number: u64,
    /// The offsets that are not acknowledged.
    range: Range<usize>,
    /// The former contents of the base, from the offset `start`, which may be before the range.
    before: Vec<u8>,
    start: usize,
    /// Changes that earlier messages had left out, as offsets from `start`.
    changed: ByteSet,
}

impl Unacknowledged {
    fn offsets_in_before(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let is_inside = self.range.start <= range.start && range.end <= self.range.end;
        is_inside.then(|| range.start - self.start..range.end - self.start)
    }

    /// Returns the former contents of the base at these offsets, if the message carried all of the bytes.
    fn at(&self, range: &Range<usize>) -> Option<&[u8]> {
        self.before.get(self.offsets_in_before(range)?)
    }

    fn at_mut(&mut self, range: &Range<usize>) -> Option<&mut [u8]> {
        let place = self.offsets_in_before(range)?;
        self.before.get_mut(place)
    }

    /// Returns the parts of the message that remain without these offsets.
    fn without(mut self, range: &Range<usize>) -> impl Iterator<Item = Unacknowledged> {
        let (number, after) = (self.number, range.end..self.range.end);
        let has_part_before = self.range.start < range.start;
        if has_part_before && !after.is_empty() {
            let before = self.at(&after).unwrap_or_default().to_vec();
            self.range.end = range.start;
            self.before.truncate(range.start - self.start);
            let (mut changed, start) = (ByteSet::default(), after.start);
            self.changed.runs(start - self.start..after.end - self.start).for_each(|run| {
                changed.add(run.start + self.start - start..run.end + self.start - start);
            });
            return [Some(self), Some(Unacknowledged { number, start, range: after, before, changed })]
                .into_iter()
                .flatten();
        }
        self.range = if has_part_before { self.range.start..range.start } else { after };
        [Some(self).filter(|one| !one.range.is_empty()), None].into_iter().flatten()
    }
}

/// The messages of both sides about a region.
#[derive(Default)]
pub(crate) struct Versions {
    /// The ranges that messages of the other side stored. They are disjoint and sorted.
    stored: Vec<Stored>,
    /// The number of the last message whose ranges this side has removed. This message and all earlier messages count as stored everywhere.
    forgotten: u64,
    /// Messages of the other side that are being decoded: their numbers, and the ranges that each has stored so far.
    open: Vec<(u64, SmallVec<[Range<usize>; 4]>)>,
    /// On the side with the copy: its messages without an acknowledgement, the oldest first.
    unacknowledged: VecDeque<Unacknowledged>,
    /// Ranges of older messages without an acknowledgement, whose former contents are not kept.
    unknown: Vec<Stored>,
    /// The largest total size in bytes of the former contents in `unacknowledged`.
    most_bytes: usize,
    /// On the side with the copy: the offsets that the last message of either side left out, see [`leave_out`](Self::leave_out).
    left_out: ByteSet,
    /// On the side with the copy: the left-out offsets that count as changed by this side, see [`leave_out_change`](Self::leave_out_change).
    changed: ByteSet,
}

fn common(one: &Range<usize>, other: &Range<usize>) -> Option<Range<usize>> {
    let both = one.start.max(other.start)..one.end.min(other.end);
    (!both.is_empty()).then_some(both)
}

/// Returns whether contents that include the messages `included` include the message `number` in a part of a range.
fn includes(included: &[Stored], number: u64, range: &Range<usize>) -> bool {
    included.iter().any(|one| number <= one.number && common(&one.range, range).is_some())
}

/// Adds the range of a message to a sorted list of disjoint ranges. Parts that a later message has are not changed.
fn add(list: &mut Vec<Stored>, range: Range<usize>, number: u64) {
    if range.is_empty() {
        return;
    }
    if let [one] = &mut list[..]
        && one.range == range
    {
        one.number = one.number.max(number);
        return;
    }
    // A range that ends where this range starts, or starts where it ends, can be merged with this range.
    let first = list.partition_point(|one| one.range.end < range.start);
    let last = first + list[first..].partition_point(|one| one.range.start <= range.end);
    let (mut parts, mut end) = (SmallVec::<[Stored; 4]>::new(), range.start);
    let mut add = |range: Range<usize>, number: u64| match parts.last_mut() {
        _ if range.is_empty() => {}
        Some(Stored { range: last, number: same }) if *same == number && last.end == range.start => {
            last.end = range.end;
        }
        _ => parts.push(Stored { range, number }),
    };
    for one in &list[first..last] {
        if one.number <= number {
            add(one.range.start..range.start.min(one.range.end), one.number);
            add(end..range.end.min(one.range.end), number);
            add(range.end.max(one.range.start)..one.range.end, one.number);
        } else {
            add(end..one.range.start, number);
            add(one.range.clone(), one.number);
        }
        end = end.max(one.range.end);
    }
    add(end..range.end, number);
    list.splice(first..last, parts);
}

/// Removes the ranges of the oldest message from such a list if it has more than [`MOST`] ranges. Returns the number of that message.
fn drop_oldest(list: &mut Vec<Stored>) -> Option<u64> {
    let oldest = list.iter().map(|one| one.number).min().filter(|_| list.len() > MOST)?;
    list.retain(|one| one.number != oldest);
    Some(oldest)
}

impl Versions {
    /// Sets how many bytes of former contents this side keeps for its messages without an acknowledgement.
    pub fn keep(&mut self, most_bytes: usize) {
        self.most_bytes = most_bytes;
    }

    /// Returns the parts of a range that messages of the other side have stored.
    pub fn stored(&self, range: &Range<usize>) -> SmallVec<[Stored; 1]> {
        let first = self.stored.partition_point(|one| one.range.end <= range.start);
        let inside = self.stored.iter().skip(first).take_while(|one| one.range.start < range.end);
        let forgotten = Stored { range: 0..usize::MAX, number: self.forgotten };
        inside.cloned().chain(Some(forgotten).filter(|one| one.number != 0)).collect()
    }

    /// Returns whether a message of the other side with a number of at least `least`, except `but`, has stored a byte in a range.
    pub fn has(&self, range: &Range<usize>, least: u64, but: u64) -> bool {
        let is_it = |number: u64| number >= least && number != but;
        let first = self.stored.partition_point(|one| one.range.end <= range.start);
        let mut inside = self.stored.iter().skip(first).take_while(|one| one.range.start < range.end);
        let mut open = self.open.iter().filter(|(number, _)| is_it(*number)).flat_map(|(_, stored)| stored);
        inside.any(|one| is_it(one.number)) || open.any(|one| common(one, range).is_some())
    }

    /// Records that the message `number` of the other side stored a part of its contents in a range.
    pub fn store(&mut self, range: Range<usize>, number: u64) {
        let Some((_, stored)) = self.open.iter_mut().find(|(one, _)| *one == number) else {
            self.open.push((number, smallvec![range]));
            return self.limit();
        };
        match stored.last_mut().filter(|last| last.end == range.start) {
            Some(last) => last.end = range.end,
            None => stored.push(range),
        }
    }

    /// Records that the message `number` of the other side is decoded. If `whole` is given, the message carried all contents of that range.
    pub fn finish(&mut self, number: u64, whole: Option<Range<usize>>) {
        let at = self.open.iter().position(|(one, _)| *one == number);
        let (_, parts) = at.map(|at| self.open.swap_remove(at)).unwrap_or_default();
        match whole {
            Some(whole) => add(&mut self.stored, whole, number),
            None => parts.into_iter().for_each(|part| add(&mut self.stored, part, number)),
        }
        self.limit();
    }

    /// Removes the ranges of the oldest messages if there are too many. A message whose decoding failed stays in `open` until then.
    fn limit(&mut self) {
        while self.open.len() > MOST {
            let oldest = self.open.iter().enumerate().min_by_key(|(_, (number, _))| *number).map_or(0, |(at, _)| at);
            self.open.swap_remove(oldest);
        }
        while let Some(oldest) = drop_oldest(&mut self.stored) {
            self.forgotten = self.forgotten.max(oldest);
        }
    }

    /// On the side with the copy: records the contents of the base before the message `number` of this side, from an offset on, and the changes in
    /// these bytes that earlier messages had left out.
    pub fn sent(&mut self, number: u64, start: usize, before: Vec<u8>, changed: ByteSet) {
        let range = start..start + before.len();
        self.unacknowledged.push_back(Unacknowledged { number, range, before, start, changed });
        let mut kept: usize = self.unacknowledged.iter().map(|one| one.before.len()).sum();
        while self.unacknowledged.len() > MOST_KEPT || kept > self.most_bytes {
            let Some(oldest) = self.unacknowledged.pop_front() else { break };
            kept -= oldest.before.len();
            add(&mut self.unknown, oldest.range, oldest.number);
        }
        // More than `MOST` ranges were sent since the oldest message, so the owner has stored that message.
        while drop_oldest(&mut self.unknown).is_some() {}
    }

    /// Records that a message about memory with this range did not carry the range: it is behind the elements that `@valid` includes, or in no
    /// selected case of a union. The sides may have different contents there, regardless of the base. The next contents of the owner for the range
    /// replace those of the copy.
    pub fn leave_out(&mut self, range: Range<usize>) {
        self.left_out.add(range);
    }

    /// Records that a message leaves out a range that counts as changed by this side. The next message of this side that carries the range sends it.
    pub fn leave_out_change(&mut self, range: Range<usize>) {
        self.changed.add(range.clone());
        self.left_out.add(range);
    }

    /// Records that a message carries a range.
    pub fn carry(&mut self, range: Range<usize>) {
        self.left_out.remove(range.clone());
        self.changed.remove(range);
    }

    pub fn has_left_out(&self, range: &Range<usize>) -> bool {
        self.left_out.contains_any(range.clone())
    }

    /// Returns the parts of a range that the last message left out.
    pub fn left_out(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        self.left_out.runs(range)
    }

    /// Returns the parts of a range that count as changed by this side because messages left the parts out. In a reply, all left-out parts
    /// count as changed: the callee has written the elements that the reply includes.
    pub fn left_out_changes(&self, range: Range<usize>, is_reply: bool) -> Offsets {
        if is_reply { self.left_out.runs(range).collect() } else { self.changed.runs(range).collect() }
    }

    /// Removes from a range the messages of this side that contents of the owner include.
    pub fn acknowledge(&mut self, range: &Range<usize>, stored: &[Stored]) {
        for one in stored {
            let Some(included) = common(&one.range, range) else { continue };
            self.acknowledge_unknown(&included, one.number);
            if self.unacknowledged.is_empty() {
                continue;
            }
            let mut rest = VecDeque::new();
            for message in self.unacknowledged.drain(..) {
                match common(&message.range, &included).filter(|_| message.number <= one.number) {
                    Some(both) => rest.extend(message.without(&both)),
                    None => rest.push_back(message),
                }
            }
            self.unacknowledged = rest;
        }
    }

    fn acknowledge_unknown(&mut self, range: &Range<usize>, number: u64) {
        let is_it = |one: &Stored| one.number <= number && common(&one.range, range).is_some();
        if !self.unknown.iter().any(is_it) {
            return;
        }
        for one in std::mem::take(&mut self.unknown) {
            if is_it(&one) {
                let parts = [one.range.start..range.start, range.end..one.range.end];
                let rest = parts.into_iter().filter(|part| !part.is_empty());
                self.unknown.extend(rest.map(|range| Stored { range, number: one.number }));
            } else {
                self.unknown.push(one);
            }
        }
    }

    /// Returns whether a range has a byte of a message of this side whose former contents are not kept and which the contents do not include.
    fn is_unknown(&self, range: &Range<usize>, included: &[Stored]) -> bool {
        let first = self.unknown.partition_point(|one| one.range.end <= range.start);
        let mut inside = self.unknown.iter().skip(first).map_while(|one| Some((one, common(&one.range, range)?)));
        inside.any(|(one, both)| !includes(included, one.number, &both))
    }

    /// Returns whether contents include all messages of this side in a range.
    pub fn are_included(&self, range: &Range<usize>, included: &[Stored]) -> bool {
        let is_included =
            |one: &Unacknowledged| common(&one.range, range).is_none_or(|both| includes(included, one.number, &both));
        self.unacknowledged.iter().all(is_included) && !self.is_unknown(range, included)
    }

    /// Returns whether the owner may have had these bytes in a range before it stored messages of this side that the contents do not include.
    /// Otherwise the owner has changed them. A message may have carried a part of the range, as only some bytes of a pointer differ.
    fn was(&self, range: &Range<usize>, (base, received): (&[u8], &[u8]), included: &[Stored]) -> bool {
        self.former(range, base, included).any(|former| former[..] == *received) || self.is_unknown(range, included)
    }

    /// Returns whether messages of this side that contents of the owner do not include have changed a range.
    pub fn has_changed(&self, range: &Range<usize>, base: &[u8], included: &[Stored]) -> bool {
        self.former(range, base, included).any(|former| former[..] != *base) || self.is_unknown(range, included)
    }

    /// Returns the former contents of a range before each message of this side that contents of the owner do not include, the latest first.
    fn former(
        &self,
        range: &Range<usize>,
        base: &[u8],
        included: &[Stored],
    ) -> impl Iterator<Item = SmallVec<[u8; 16]>> {
        let mut before = SmallVec::<[u8; 16]>::from_slice(base);
        let missing = self.unacknowledged.iter().rev().filter(|one| !includes(included, one.number, range));
        missing.filter_map(move |one| {
            let both = common(&one.range, range)?;
            before[both.start - range.start..both.end - range.start].copy_from_slice(one.at(&both)?);
            Some(before.clone())
        })
    }

    /// Returns whether the owner has changed a range, given the base on this side and the received bytes.
    pub fn is_changed(&self, range: &Range<usize>, (base, received): (&[u8], &[u8]), included: &[Stored]) -> bool {
        base != received && !self.was(range, (base, received), included)
    }

    /// Records that the owner has changed a range.
    pub fn replace(&mut self, range: &Range<usize>, received: &[u8]) {
        for one in &mut self.unacknowledged {
            if let Some(both) = common(&one.range, range)
                && let Some(before) = one.at_mut(&both)
            {
                before.copy_from_slice(&received[both.start - range.start..both.end - range.start]);
            }
        }
    }

    /// Returns the messages of this side without an acknowledgement that have a byte in a range, the oldest first: the number of each, its part of
    /// the range, the former contents of the base there, and the changes that earlier messages had left out, from the start of that part.
    pub fn unacknowledged(
        &self,
        range: &Range<usize>,
    ) -> impl DoubleEndedIterator<Item = (u64, Range<usize>, &[u8], impl Iterator<Item = Range<usize>>)> {
        self.unacknowledged.iter().filter_map(move |one| {
            let both = common(&one.range, range)?;
            let (before, first) = (one.at(&both)?, both.start - one.start);
            let changed = one.changed.runs(first..both.end - one.start);
            Some((one.number, both, before, changed.map(move |run| run.start - first..run.end - first)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: usize = 24;

    proptest! {
        /// The ranges contain the same number for each byte as a list with one number per byte.
        #[test]
        fn stored_ranges_have_the_latest_message_of_each_byte(
            messages in prop::collection::vec((0..SIZE, 1..SIZE, 1u64..9), 0..20),
        ) {
            let (mut versions, mut model) = (Versions::default(), [0; SIZE]);
            for (start, size, number) in messages {
                let range = start..(start + size).min(SIZE);
                model[range.clone()].iter_mut().for_each(|one| *one = number.max(*one));
                versions.store(range.clone(), number);
                versions.finish(number, Some(range));
                for (at, number) in model.iter().enumerate() {
                    prop_assert_eq!(versions.has(&(at..at + 1), 1.max(*number), 0), *number != 0);
                    prop_assert!(!versions.has(&(at..at + 1), *number + 1, 0));
                }
                let stored = versions.stored(&(0..SIZE));
                prop_assert!(stored.is_sorted_by(|one, next| one.range.end <= next.range.start), "{:?}", stored);
            }
        }
    }
}
