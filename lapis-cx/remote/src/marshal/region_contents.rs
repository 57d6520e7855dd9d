//! Contents of memory in regions, and what a side has changed of them.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use super::element_numbers::ElementNumbers;
use super::entries::InRegion;
use super::tables::{Stored, Versions};

/// The number of a message about a region that the sender has no more. Its contents replace those of all others.
pub(super) const NO_NUMBER: u64 = 0;

/// Kinds of changes in a message from the side with the copy.
pub(super) mod changes {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// The bytes whose bits follow.
    pub const SOME: u8 = 1;
    /// Everything that the message carries.
    pub const ALL: u8 = 2;
}

/// Changes that a message carries: the message that made them, and a bit for each byte.
pub(super) struct Changes {
    pub number: u64,
    pub bits: SmallVec<[u8; 16]>,
}

/// Changes of several messages. Usually there is one.
pub(super) type AllChanges = SmallVec<[Changes; 1]>;

impl Changes {
    pub fn new(number: u64, size: usize) -> Changes {
        Changes { number, bits: smallvec![0; size.div_ceil(8)] }
    }

    pub fn add(&mut self, range: Range<usize>) {
        let (first, last) = (range.start.next_multiple_of(8).min(range.end), (range.end / 8 * 8).max(range.start));
        self.bits[first / 8..last.max(first) / 8].fill(0xff);
        for at in (range.start..first).chain(last.max(first)..range.end) {
            self.bits[at / 8] |= 1 << (at % 8);
        }
    }

    /// Adds where two contents for an address differ, which are at an offset.
    fn add_differences(
        &mut self,
        numbers: &ElementNumbers,
        address: usize,
        (one, other): (&[u8], &[u8]),
        offset: usize,
    ) {
        let mut at = 0;
        while let Some(run) = numbers.next_difference(address, one, other, at) {
            at = run.end;
            self.add(offset + run.start..offset + run.end);
        }
    }

    fn contains(&self, at: usize) -> bool {
        self.bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0)
    }

    pub fn contain_any(&self, range: Range<usize>) -> bool {
        if range.is_empty() {
            return false;
        }
        let (first, last) = (range.start / 8, (range.end - 1) / 8);
        let (from, to) = (0xff << (range.start % 8), 0xff >> (7 - (range.end - 1) % 8));
        let byte = |at: usize| self.bits.get(at).copied().unwrap_or(0);
        if first == last {
            return byte(first) & from & to != 0;
        }
        let mut between = self.bits.iter().take(last).skip(first + 1);
        byte(first) & from != 0 || byte(last) & to != 0 || between.any(|byte| *byte != 0)
    }

    /// Returns the first run of changed bytes in a range.
    pub fn next(&self, range: Range<usize>) -> Option<Range<usize>> {
        if !self.contain_any(range.clone()) {
            return None;
        }
        let skip = |mut at: usize, byte: u8, is_change: bool| {
            while at < range.end && self.contains(at) == is_change {
                let alike = self.bits.iter().skip(at / 8).take_while(|one| at.is_multiple_of(8) && **one == byte);
                at += (8 * alike.count()).max(1);
            }
            at.min(range.end)
        };
        let start = skip(range.start, 0, false);
        (start < range.end).then(|| start..skip(start, 0xff, true))
    }
}

/// Changes that a message carries.
pub(super) struct SentChanges {
    pub at: InRegion,
    /// The address of the copy.
    pub start: usize,
    pub changes: AllChanges,
    /// The bytes of the copy that the message carries, if the elements are structs: a message carries only the selected case of a union.
    pub part: Option<CarriedPart>,
}

/// The part of a copy that a message carries, and the base before and after the message took its contents.
pub(super) struct CarriedPart {
    pub carried: Changes,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

impl CarriedPart {
    /// Gives a base the bytes before the message where the message does not carry the new bytes, unless another message has changed these.
    pub fn restore(&self, base: &mut [u8]) {
        for (at, byte) in base.iter_mut().enumerate() {
            if *byte == self.after[at] && !self.carried.contains(at) {
                *byte = self.before[at];
            }
        }
    }
}

/// Received bytes at offsets from the start of their contents.
#[derive(Clone)]
pub(super) struct Run {
    pub range: Range<usize>,
    pub value: RunValue,
}

/// The kind of value that a run of bytes contains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RunValue {
    /// Any number of values.
    Bytes,
    /// One value, which changes as a whole: no side ever gets a pointer of which only some bytes changed.
    Whole,
    /// Numbers of the case of a choice that the sender has selected. They are stored even if the sender did not change them.
    Selected,
    /// A pointer to memory that was made for this message and lasts. It is stored even if the sender did not change its own pointer.
    New,
}

/// Contents of a region that a message carries.
pub(super) struct ReceivedContents {
    /// Whether the memory is a copy of memory of the sender, and whether the message made the copy.
    pub is_copy: bool,
    pub is_new: bool,
    pub at: InRegion,
    /// The number of the message.
    pub number: u64,
    /// The address to which the contents are decoded.
    pub start: usize,
    /// The address of the memory of this side that is in the region: of the copy, or the owner's.
    pub memory: usize,
    /// On the side of the owner, what to store of the contents, or all if there is no list.
    pub changes: Option<AllChanges>,
    /// Whether the other side may change the memory of the owner.
    pub may_change: bool,
    /// On the side with the copy, which messages of this side the contents include.
    pub included: SmallVec<[Stored; 1]>,
    /// The numbers in the contents.
    pub numbers: ElementNumbers,
    /// Decoded bytes that are still to be stored, and the staged contents that have them: their address and their size.
    pub runs: Vec<Run>,
    pub staged: (usize, usize),
    /// The offsets of the last case of a choice that the sender has selected.
    pub selected: Range<usize>,
}

impl ReceivedContents {
    /// Creates contents for memory of the owner. See the members.
    pub fn new(
        (at, number): (InRegion, u64),
        (start, memory): (usize, usize),
        changes: Option<AllChanges>,
        numbers: ElementNumbers,
    ) -> ReceivedContents {
        let (included, runs) = (SmallVec::new(), Vec::new());
        let (is_copy, is_new, may_change, staged) = (false, false, true, (0, 0));
        ReceivedContents {
            is_copy,
            is_new,
            at,
            number,
            start,
            memory,
            changes,
            may_change,
            included,
            numbers,
            runs,
            staged,
            selected: 0..0,
        }
    }

    /// Whether the contents are decoded into memory of their own, from which changes go to the memory of the owner.
    pub fn is_scratch(&self) -> bool {
        self.memory != self.start
    }

    /// Returns whether the other side changed nothing.
    pub fn is_unchanged(&self) -> bool {
        !self.is_copy && self.changes.as_ref().is_some_and(|all| all.is_empty())
    }

    /// The address of the region.
    pub fn region(&self) -> usize {
        self.memory.wrapping_sub(self.at.offset)
    }

    /// Notes that decoded bytes are to be stored. Returns whether they are not part of the run before.
    pub fn add_run(&mut self, range: Range<usize>, mut value: RunValue) -> bool {
        let is_selected = self.selected.start <= range.start && range.end <= self.selected.end;
        if is_selected && value == RunValue::Bytes {
            value = RunValue::Selected;
        }
        let is_one = |last: &&mut Run| {
            last.value == value
                && last.range.end == range.start
                && matches!(value, RunValue::Bytes | RunValue::Selected)
        };
        match self.runs.last_mut().filter(is_one) {
            Some(last) => last.range.end = range.end,
            None => {
                self.runs.push(Run { range, value });
                return true;
            }
        }
        false
    }

    /// Notes that the sender has selected a case of a choice, whose values are decoded next.
    pub fn select(&mut self, case: Range<usize>) {
        if self.selected.start > case.start || case.end > self.selected.end {
            self.selected = case;
        }
    }

    /// Returns the offsets in the region of these offsets in the contents.
    pub fn in_region(&self, offsets: &Range<usize>) -> Range<usize> {
        self.at.offset + offsets.start..self.at.offset + offsets.end
    }

    /// Returns whether the other side has changed a byte at these offsets from the start of the contents.
    pub fn changes_any(&self, range: Range<usize>) -> bool {
        self.changes.as_ref().is_none_or(|all| all.iter().any(|one| one.contain_any(range.clone())))
    }

    /// Returns which of the bytes at these offsets from the start of the contents to store into the owner's memory.
    pub fn runs_to_store(&self, range: Range<usize>, versions: &Versions) -> SmallVec<[Range<usize>; 4]> {
        let mut runs = SmallVec::<[Range<usize>; 4]>::new();
        let mut add = |run: Range<usize>| match runs.last_mut().filter(|last| last.end == run.start) {
            Some(last) => last.end = run.end,
            None => runs.push(run),
        };
        let has = |range: &Range<usize>, least| versions.has(&self.in_region(range), least, self.number);
        let bytes = |range: Range<usize>| range.map(|at| at..at + 1);
        match &self.changes {
            None if !has(&range, self.number) => add(range),
            None => bytes(range).filter(|at| !has(at, self.number)).for_each(add),
            Some(all)
                if let [one] = &all[..]
                    && !has(&range, one.number) =>
            {
                let mut at = range.start;
                while let Some(run) = one.next(at..range.end) {
                    at = run.end;
                    add(run);
                }
            }
            Some(all) => {
                let is_stored =
                    |at: &Range<usize>| all.iter().any(|one| one.contains(at.start) && !has(at, one.number));
                bytes(range).filter(is_stored).for_each(add);
            }
        }
        runs
    }
}

/// Bytes of a copy into which contents of the owner are decoded.
pub(super) struct CopiedPlace<'a> {
    pub copy: &'a mut [u8],
    pub base: Option<&'a mut [u8]>,
    pub versions: &'a mut Versions,
    /// The offset of the bytes in their region.
    pub start: usize,
    /// The number of the message, and which messages of this side its contents include.
    pub number: u64,
    pub included: &'a [Stored],
}

impl CopiedPlace<'_> {
    /// Stores a run of received bytes, if the owner has changed it or its case `is_selected`, and this side has stored no later message in its range.
    pub fn store(&mut self, run: Range<usize>, received: &[u8], is_selected: bool) {
        let (new, at) = (&received[run.clone()], self.start + run.start..self.start + run.end);
        if self.versions.has(&at, self.number, self.number) || !is_selected && !self.is_changed(run.clone(), new) {
            return;
        }
        if let Some(base) = &mut self.base {
            base[run.clone()].copy_from_slice(new);
        }
        self.copy[run].copy_from_slice(new);
        self.versions.replace(&at, new);
    }

    /// Returns whether the owner has changed bytes.
    fn is_changed(&self, run: Range<usize>, new: &[u8]) -> bool {
        let at = self.start + run.start..self.start + run.end;
        self.base.as_ref().is_none_or(|base| self.versions.is_changed(&at, (&base[run], new), self.included))
    }
}

/// The contents of a copy on which both sides agree, which becomes equal to the copy as this side sends it.
pub(super) struct Agreed<'a> {
    pub base: &'a mut [u8],
    pub versions: &'a mut Versions,
    /// The offset of the bytes in their region.
    pub start: usize,
}

impl Agreed<'_> {
    /// Notes that the message `number` sends everything.
    pub fn take_all(&mut self, number: u64, copy: &[u8]) {
        self.versions.sent(number, (self.start, self.base.to_vec()));
        self.base.copy_from_slice(copy);
    }

    /// Returns what the message `number` sends of a copy at an address: what differs from the base, and what earlier messages sent that the owner may not
    /// have stored. All bytes of a number count as changed. `found` is the first difference.
    pub fn take_changes(
        &mut self,
        number: u64,
        (copy, mut found): (&[u8], Option<Range<usize>>),
        numbers: &ElementNumbers,
        address: usize,
    ) -> AllChanges {
        let mut all = self.earlier_changes(numbers, address);
        if let Some(first) = &found {
            let mut changes = Changes::new(number, copy.len());
            let (first, mut before, mut end) =
                (first.start, self.base.get(first.start..).unwrap_or_default().to_vec(), 0);
            // The library can write to the copy meanwhile. So the base gets each number once, and the message is encoded from the base.
            while let Some(run) = found {
                self.base[run.clone()].copy_from_slice(&copy[run.clone()]);
                found = numbers.next_difference(address, copy, self.base, run.end);
                end = run.end;
                changes.add(run);
            }
            before.truncate(end - first);
            self.versions.sent(number, (self.start + first, before));
            all.push(changes);
        }
        all
    }

    /// Returns what earlier messages sent that the owner may not have stored.
    fn earlier_changes(&self, numbers: &ElementNumbers, address: usize) -> AllChanges {
        let (size, mut all) = (self.base.len(), AllChanges::new());
        let range = self.start..self.start + size;
        let mut earlier = self.versions.unacknowledged(&range).rev().peekable();
        let mut after = if earlier.peek().is_some() { self.base.to_vec() } else { Vec::new() };
        for (number, range, before) in earlier {
            // The parts of one message follow each other.
            if all.last().is_none_or(|last| last.number != number) {
                all.push(Changes::new(number, size));
            }
            let at = range.start - self.start;
            let after = &mut after[at..at + before.len()];
            if let Some(changes) = all.last_mut() {
                changes.add_differences(numbers, address + at, (before, after), at);
            }
            after.copy_from_slice(before);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;

    static BYTES: ElementNumbers = ElementNumbers { start: 0, stride: 1, in_element: &[] };

    struct Message {
        range: Range<usize>,
        number: u64,
        contents: Vec<u8>,
        /// From the owner: what its contents include. From the copy: the changes.
        kind: Result<SmallVec<[Stored; 1]>, AllChanges>,
    }

    /// A region of eight bytes on both sides, and the messages that have not arrived. The owner writes to even offsets, the side with the copy to odd
    /// ones.
    #[derive(Default)]
    struct Pair {
        owner: [u8; 8],
        copy: [u8; 8],
        base: [u8; 8],
        of_owner: Versions,
        of_copy: Versions,
        messages: Vec<Message>,
        last: u64,
    }

    impl Pair {
        fn send(&mut self, is_owner: bool, range: Range<usize>) {
            self.last += 1;
            let number = self.last;
            let (contents, kind) = if is_owner {
                (self.owner[range.clone()].to_vec(), Ok(self.of_owner.stored(&range)))
            } else {
                let base = &mut self.base[range.clone()];
                let mut agreed = Agreed { base, versions: &mut self.of_copy, start: range.start };
                let copy = &self.copy[range.clone()];
                let first = BYTES.next_difference(range.start, copy, agreed.base, 0);
                let changes = agreed.take_changes(number, (copy, first), &BYTES, range.start);
                (self.base[range.clone()].to_vec(), Err(changes))
            };
            self.messages.push(Message { range, number, contents, kind });
        }

        fn deliver(&mut self, at: usize) {
            let Message { range, number, contents, kind } = self.messages.remove(at);
            let (start, size) = (range.start, range.len());
            let (versions, there) = match kind {
                Ok(included) => {
                    let versions = &mut self.of_copy;
                    let (base, copy) = (Some(&mut self.base[range.clone()]), &mut self.copy[range.clone()]);
                    let mut place = CopiedPlace { copy, base, versions, start, number, included: &included };
                    BYTES.split(start, size).for_each(|run| place.store(run, &contents, false));
                    versions.acknowledge(&range, &included);
                    (versions, &self.copy)
                }
                Err(changes) => {
                    let (at, numbers) = (InRegion { id: 2, offset: start }, ElementNumbers { ..BYTES });
                    let received = ReceivedContents::new((at, number), (start, start), Some(changes), numbers);
                    for run in received.runs_to_store(0..size, &self.of_owner) {
                        self.owner[start + run.start..start + run.end].copy_from_slice(&contents[run]);
                    }
                    (&mut self.of_owner, &self.owner)
                }
            };
            let is_from_owner = std::ptr::eq(there, &self.copy);
            versions.store(range.clone(), number);
            versions.finish(number, Some(range.clone()));
            // The receiver has each byte that its sender wrote, unless a later message has arrived.
            for at in range.filter(|at| at.is_multiple_of(2) == is_from_owner) {
                assert!(versions.has(&(at..at + 1), number + 1, 0) || there[at] == contents[at - start]);
            }
        }
    }

    proptest! {
        #[test]
        fn runs_of_changes_are_the_bytes_that_were_added(
            ranges in prop::collection::vec((0usize..70, 1usize..30), 0..5),
            (start, size) in (0usize..90, 0usize..90),
        ) {
            let (mut changes, mut model) = (Changes::new(1, 100), [false; 200]);
            for (start, size) in ranges {
                changes.add(start..start + size);
                model[start..start + size].fill(true);
            }
            let (mut found, mut at) = ([false; 200], start);
            while let Some(run) = changes.next(at..start + size) {
                prop_assert!(at <= run.start && run.end <= start + size);
                at = run.end;
                found[run].fill(true);
            }
            model[..start].fill(false);
            model[start + size..].fill(false);
            prop_assert_eq!(found, model);
        }

        /// Messages about parts of a region arrive in any order. Each brings what its sender wrote, unless a later one has arrived, and in the end both
        /// sides have the last value of each byte.
        #[test]
        fn both_sides_get_all_changes_in_any_order(
            events in prop::collection::vec((0u8..5, 0usize..8, 1usize..8, 1u8..4, any::<Index>()), 1..60),
        ) {
            let mut pair = Pair::default();
            pair.of_copy.keep(16 * 8);
            for (kind, at, size, value, which) in events {
                match kind {
                    0 if at.is_multiple_of(2) => pair.owner[at] = value,
                    0 | 1 => pair.copy[at | 1] = value,
                    2 | 3 if pair.messages.len() < 12 => pair.send(kind == 2, at..(at + size).min(8)),
                    _ if pair.messages.is_empty() => {}
                    _ => pair.deliver(which.index(pair.messages.len())),
                }
            }
            let last: Vec<u8> =
                (0..8).map(|at: usize| if at.is_multiple_of(2) { pair.owner[at] } else { pair.copy[at] }).collect();
            for is_owner in [false, true, false, true] {
                pair.send(is_owner, 0..8);
                while !pair.messages.is_empty() {
                    pair.deliver(0);
                }
            }
            prop_assert_eq!((&pair.owner[..], &pair.copy[..]), (&last[..], &last[..]));
            prop_assert!(pair.of_copy.are_included(&(0..8), &[]));
        }
    }
}
