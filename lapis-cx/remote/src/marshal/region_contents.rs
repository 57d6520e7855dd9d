//! Contents of memory in regions, and the bytes of them that a side has changed.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::access::bytes;
use super::byte_set::ByteSet;
use super::element_values::ElementValues;
use super::entries::InRegion;
use super::intervals::OuterRanges;
use super::sources::Reads;
use super::tables::{Offsets, Stored, Tables, Versions};

/// The number of messages that are not recorded: the side with the copy reports no changes in memory that contains only numbers.
pub(super) const NO_NUMBER: u64 = 0;

/// Kinds of changes in a message from the side with the copy.
pub(super) mod changes {
    /// No bytes.
    pub const NONE: u8 = 0;
    /// The bytes whose bits follow.
    pub const SOME: u8 = 1;
    /// All bytes that the message carries.
    pub const ALL: u8 = 2;
}

/// Changes that a message carries: the number of the message that made them, and the changed bytes.
pub(super) struct Changes {
    pub number: u64,
    pub bytes: ByteSet,
}

/// Changes of several messages. Usually there is one.
pub(super) type AllChanges = SmallVec<[Changes; 1]>;

impl Changes {
    pub fn new(number: u64, size: usize) -> Changes {
        Changes { number, bytes: ByteSet::with_capacity(size) }
    }

    /// Adds the bytes in which two contents for an address differ. The contents begin at `offset`.
    fn add_differences(
        &mut self,
        numbers: &ElementValues,
        address: usize,
        (one, other): (&[u8], &[u8]),
        offset: usize,
    ) {
        let mut at = 0;
        while let Some(run) = numbers.next_difference(address, one, other, at) {
            at = run.end;
            self.bytes.add(offset + run.start..offset + run.end);
        }
    }
}

/// The changes of a copy that a message carries, while the message is encoded.
pub(super) struct SentChanges {
    pub at: InRegion,
    /// The address of the copy.
    pub start: usize,
    /// The distance from the copy to its base, which may wrap.
    pub to_base: usize,
    /// The number of the message.
    pub number: u64,
    pub changes: AllChanges,
    pub part: Part,
    /// The bytes that the message carries.
    pub carried: ByteSet,
    /// If the elements are structs: the base before and after the message took its contents, if they differ.
    pub bases: Option<(Vec<u8>, Vec<u8>)>,
}

impl SentChanges {
    /// Records that the message carries `size` bytes at an address.
    pub fn carry(&mut self, address: usize, size: usize) {
        let at = address.wrapping_sub(self.start);
        self.carried.add(self.part.carry(at..at.saturating_add(size)));
    }

    /// Returns whether the message reports a valid byte at these offsets as changed by this side.
    pub fn changes_any(&self, range: Range<usize>) -> bool {
        changes_any(&self.changes, &self.part, range)
    }

    /// Returns the messages about the region, and the distance from the copy to its base.
    pub fn versions<'t>(&self, tables: &'t mut Tables) -> Option<(&'t mut Versions, Option<usize>)> {
        tables.versions(self.at.id, self.start.wrapping_sub(self.at.offset))
    }

    /// Records what the message carries, after it was encoded completely.
    pub fn commit(&self, versions: &mut Versions) {
        for run in self.carried.runs(0..self.part.size) {
            versions.carry(self.at.offset + run.start..self.at.offset + run.end);
        }
        self.part.end(self.at.offset, versions);
    }

    /// Records the changes that the contents leave out. Restores the former bytes of the base where the contents neither carry nor leave out the new
    /// bytes, unless another message has changed the base there.
    pub fn end(&mut self, versions: &mut Versions, base: &mut [u8]) {
        let carried = self.bases.is_some().then(|| self.carried.clone());
        for run in self.part.excluded() {
            self.carried.remove(run.clone());
            for change in self.own_changes().into_iter().flat_map(|own| own.bytes.runs(run.clone())) {
                versions.leave_out_change(self.at.offset + change.start..self.at.offset + change.end);
            }
        }
        let (Some((before, after)), Some(mut described)) = (&self.bases, carried) else { return };
        self.part.excluded().for_each(|run| described.add(run));
        for (at, byte) in base.iter_mut().enumerate() {
            if *byte == after[at] && !described.contains(at) {
                *byte = before[at];
            }
        }
    }

    fn own_changes(&self) -> Option<&Changes> {
        self.changes.iter().find(|one| one.number == self.number)
    }
}

/// Returns whether a valid byte of a range is changed.
fn changes_any(all: &AllChanges, part: &Part, range: Range<usize>) -> bool {
    let is_valid = |mut run: Range<usize>| run.any(|at| !part.invalid.contains(at));
    all.iter().any(|one| one.bytes.runs(range.clone()).any(is_valid))
}

/// The bytes of contents that a message does not carry. Offsets are from the start of the contents.
#[derive(Default)]
pub(super) struct Part {
    /// The size of the contents in bytes.
    pub size: usize,
    /// The offset of the elements that a program may pass later without having written them, see [`Received::tail`](super::frame::Received::tail).
    pub tail: usize,
    /// The bytes that the message leaves out.
    pub left_out: ByteSet,
    /// Elements that `@valid` excludes, but that the request of an `inout` argument carries. Only a new copy gets them.
    pub invalid: ByteSet,
}

impl Part {
    fn inside(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.size);
        range.start.min(end)..end
    }

    pub fn leave_out(&mut self, range: Range<usize>) {
        self.left_out.add(self.inside(range));
    }

    /// Records that the message carries a range. Returns the part of the range that is inside the contents.
    pub fn carry(&mut self, range: Range<usize>) -> Range<usize> {
        let range = self.inside(range);
        self.left_out.remove(range.clone());
        range
    }

    pub fn exclude(&mut self, range: Range<usize>) {
        self.invalid.add(self.inside(range));
    }

    /// Returns the bytes that do not count as carried: left-out and invalid bytes.
    pub fn excluded(&self) -> impl Iterator<Item = Range<usize>> {
        self.left_out.runs(0..self.size).chain(self.invalid.runs(0..self.size))
    }

    /// Records the bytes on which the sides do not agree after the message, for contents at the offset `start` in their region. Bytes before the tail
    /// count as changed by both sides: a side that includes them later has written them, because it has changed the count or the choice in the
    /// struct. In the tail, a program can pass more elements without writing them, because their number is not part of the memory.
    pub fn end(&self, start: usize, versions: &mut Versions) {
        for run in self.excluded() {
            let range = start + run.start..start + run.end;
            if run.start < self.tail { versions.leave_out_change(range) } else { versions.leave_out(range) }
        }
    }
}

/// A run of received bytes, as offsets from the start of the contents.
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
    /// One value, which changes as a whole: no side ever gets a pointer with only some bytes changed.
    Whole,
    /// Values of the case of a choice that the sender has selected. They are stored even if the sender did not change them.
    Selected,
    /// A pointer to memory that was allocated for this message and outlives the call. It is stored even if the sender did not change its own pointer,
    /// unless the receiver has changed the pointer since, or a later message was stored there.
    New,
}

/// A pointer whose memory lasts only for the call.
pub(super) struct PointerOfCall {
    /// The address of the pointer.
    pub slot: usize,
    /// The values on which the size of its memory depends.
    pub size_depends_on: Reads,
    pub name: u32,
}

/// Contents of a region that a message carries.
pub(super) struct ReceivedContents {
    /// Whether the memory is a copy of memory of the sender.
    pub is_copy: bool,
    /// Whether the message made the copy.
    pub is_new: bool,
    /// Whether an `out` argument returns these contents, which are structs. The sender only received the numbers in them that this side has changed,
    /// so the contents replace the whole copy.
    pub is_output: bool,
    pub at: InRegion,
    /// The number of the message.
    pub number: u64,
    /// The address to which the contents are decoded.
    pub start: usize,
    /// The address of the memory of this side that is in the region: of the copy, or of the owner's memory.
    pub memory: usize,
    /// On the side of the owner, the changes to store; `None` if all bytes are changed.
    pub changes: Option<AllChanges>,
    /// Whether the other side may change the memory of the owner.
    pub may_change: bool,
    /// On the side with the copy, the messages of this side that the contents include.
    pub included: SmallVec<[Stored; 1]>,
    /// If this side may have changed its memory since the request: the contents at that time. Only values that differ from these are stored.
    pub before: Option<Arc<[u8]>>,
    /// If the contents are results in structs of this side: a copy of what the request carried of them. Results of asynchronous calls have none.
    pub sent: Option<usize>,
    /// The numbers in the contents.
    pub numbers: ElementValues,
    /// Decoded bytes that are not stored yet.
    pub runs: Vec<Run>,
    /// The address and the size of the staged contents that contain these bytes.
    pub staged: (usize, usize),
    /// The offsets of the last case of a choice that the sender has selected.
    pub selected: Range<usize>,
    /// On the worker, the pointers [of the call](super::of_call) in a copy.
    pub of_call: Vec<PointerOfCall>,
    pub part: Part,
}

impl ReceivedContents {
    /// Creates contents for memory of the owner.
    pub fn new(
        (at, number): (InRegion, u64),
        (start, memory): (usize, usize),
        changes: Option<AllChanges>,
        numbers: ElementValues,
    ) -> ReceivedContents {
        let (included, runs) = (SmallVec::new(), Vec::new());
        let (is_copy, is_new, may_change, staged) = (false, false, true, (0, 0));
        ReceivedContents {
            is_copy,
            is_new,
            is_output: false,
            at,
            number,
            start,
            memory,
            changes,
            may_change,
            included,
            before: None,
            sent: None,
            numbers,
            runs,
            staged,
            selected: 0..0,
            of_call: Vec::new(),
            part: Part::default(),
        }
    }

    /// Returns whether the contents are decoded into scratch memory, from which changes are copied to the memory of the owner.
    pub fn is_scratch(&self) -> bool {
        self.memory != self.start
    }

    /// Returns whether the other side changed nothing.
    pub fn is_unchanged(&self) -> bool {
        !self.is_copy && self.changes.as_ref().is_some_and(|all| all.is_empty())
    }

    /// Returns the address of the region.
    pub fn region(&self) -> usize {
        self.memory.wrapping_sub(self.at.offset)
    }

    /// Records decoded bytes to store. Returns whether this adds a run, and does not extend the last run.
    pub fn add_run(&mut self, range: Range<usize>, mut value: RunValue) -> bool {
        let is_selected = self.selected.start <= range.start && range.end <= self.selected.end;
        if is_selected && value != RunValue::New {
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

    /// Records that the sender has selected a case of a choice, whose values are decoded next.
    pub fn select(&mut self, case: Range<usize>) {
        if self.selected.start > case.start || case.end > self.selected.end {
            self.selected = case;
        }
    }

    /// Returns the parts of runs that are valid for the sender.
    pub fn valid_runs<'r>(&self, runs: &'r [Run]) -> Cow<'r, [Run]> {
        if self.part.invalid.is_empty() {
            return Cow::Borrowed(runs);
        }
        let parts = |run: &'r Run| {
            let valid = self.part.invalid.gaps(run.range.clone());
            valid.map(|range| Run { range, value: run.value })
        };
        runs.iter().flat_map(parts).collect()
    }

    /// Returns the runs to store in a copy. A new copy also gets the parts that are not valid.
    pub fn runs_for_copy<'r>(&self, runs: &'r [Run], is_new: bool) -> Cow<'r, [Run]> {
        if is_new { Cow::Borrowed(runs) } else { self.valid_runs(runs) }
    }

    /// Returns whether this side has the same bytes at these offsets from the start of the contents as when it sent the request.
    ///
    /// # Safety
    ///
    /// The memory of the contents must be valid for reads there.
    pub unsafe fn is_as_sent(&self, range: &Range<usize>) -> bool {
        let (at, size) = (range.start, range.len());
        // SAFETY: the caller upholds the contract of this function. The copy of what the request carried has the same size.
        self.sent.is_some_and(|sent| unsafe { bytes(self.memory + at, size) == bytes(sent + at, size) })
    }

    /// Removes from the values to store those that the other side has left as they were. The values are ranges of offsets; `source` contains the
    /// decoded contents from the offset `first` on.
    pub fn retain_changes(&self, stored: &mut SmallVec<[Run; 4]>, (first, source): (usize, &[u8])) {
        let Some(before) = &self.before else { return };
        let in_source = |range: &Range<usize>| range.start - first..range.end - first;
        for run in std::mem::take(stored) {
            // The request carried only a part of the contents.
            let known = run.range.start..run.range.end.min(before.len());
            let range = match run.value {
                RunValue::Whole if before.get(run.range.clone()) == source.get(in_source(&run.range)) => continue,
                RunValue::Bytes if !known.is_empty() => known,
                _ => {
                    stored.push(run);
                    continue;
                }
            };
            if range.end < run.range.end {
                stored.push(Run { range: range.end..run.range.end, ..run });
            }
            let (old, new) = (&before[range.clone()], &source[in_source(&range)]);
            let mut at = 0;
            while let Some(inside) = self.numbers.next_difference(self.start + range.start, new, old, at) {
                at = inside.end;
                let range = range.start + inside.start..range.start + inside.end;
                stored.push(Run { range, value: RunValue::Bytes });
            }
        }
    }

    /// Returns the offsets in the region of these offsets in the contents.
    pub fn in_region(&self, offsets: &Range<usize>) -> Range<usize> {
        self.at.offset + offsets.start..self.at.offset + offsets.end
    }

    /// Returns whether the other side has changed a valid byte at these offsets from the start of the contents.
    pub fn changes_any(&self, range: Range<usize>) -> bool {
        self.changes.as_ref().is_none_or(|all| changes_any(all, &self.part, range))
    }

    /// Returns the bytes at these offsets from the start of the contents that are to be stored in the owner's memory.
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
                while let Some(run) = one.bytes.next(at..range.end) {
                    at = run.end;
                    add(run);
                }
            }
            Some(all) => {
                let is_stored =
                    |at: &Range<usize>| all.iter().any(|one| one.bytes.contains(at.start) && !has(at, one.number));
                bytes(range).filter(is_stored).for_each(add);
            }
        }
        runs
    }
}

/// The contents of memory that both sides have for longer than a call, in one message.
#[derive(Default)]
pub(super) struct RegionContents {
    /// The changes of copies that the message carries.
    pub sent: Vec<SentChanges>,
    /// The changes in structs that the message reports: their addresses, and the position in `sent`.
    pub changed: OuterRanges,
    /// The contents of regions that the message carries.
    pub received: Vec<ReceivedContents>,
}

impl RegionContents {
    pub fn clear(&mut self) {
        self.sent.clear();
        self.received.clear();
        self.changed = OuterRanges::default();
    }
}

/// Bytes of a copy into which contents of the owner are decoded.
pub(super) struct CopyTarget<'a> {
    pub copy: &'a mut [u8],
    pub base: Option<&'a mut [u8]>,
    pub versions: &'a mut Versions,
    /// The offset of the bytes in their region.
    pub start: usize,
    /// The number of the message.
    pub number: u64,
    /// The messages of this side that the contents include.
    pub included: &'a [Stored],
}

impl CopyTarget<'_> {
    /// Stores a run of received bytes, unless this side has stored a later message in its range. The owner must have changed the run, or the run
    /// `replaces` changes of this side.
    pub fn store(&mut self, run: Range<usize>, received: &[u8], replaces: bool) {
        let (new, at) = (&received[run.clone()], self.start + run.start..self.start + run.end);
        if self.versions.has(&at, self.number, self.number) || !replaces && !self.is_changed(run.clone(), new) {
            return;
        }
        if let Some(base) = &mut self.base {
            base[run.clone()].copy_from_slice(new);
        }
        self.copy[run].copy_from_slice(new);
        self.versions.replace(&at, new);
    }

    /// Returns whether the last message left out a part of a range, which these contents replace. Contents that the owner sent before it had all
    /// messages of this side replace nothing.
    pub fn replaces_left_out(&self, range: &Range<usize>) -> bool {
        self.versions.has_left_out(range) && self.versions.are_included(range, self.included)
    }

    /// Returns whether this side has changed bytes in a message that these contents do not include.
    pub fn has_changed(&self, run: Range<usize>) -> bool {
        let at = self.start + run.start..self.start + run.end;
        self.base.as_ref().is_some_and(|base| self.versions.has_changed(&at, &base[run], self.included))
    }

    /// Returns whether the owner has changed bytes.
    fn is_changed(&self, run: Range<usize>, new: &[u8]) -> bool {
        let at = self.start + run.start..self.start + run.end;
        self.base.as_ref().is_none_or(|base| self.versions.is_changed(&at, (&base[run], new), self.included))
    }
}

/// The base of a copy. When this side sends contents of the copy, they become the contents of the base.
pub(super) struct Agreed<'a> {
    pub base: &'a mut [u8],
    pub versions: &'a mut Versions,
    /// The offset of the bytes in their region.
    pub start: usize,
}

impl Agreed<'_> {
    /// Records that the message `number` sends all bytes.
    pub fn take_all(&mut self, number: u64, copy: &[u8]) {
        self.versions.sent(number, self.start, self.base.to_vec(), ByteSet::default());
        self.base.copy_from_slice(copy);
    }

    /// Returns the changes that the message `number` sends of a copy at an address: the bytes that differ from the base, those of earlier messages
    /// that the owner may not have stored, and those that messages had `left_out`. All bytes of a number count as changed. `found` is the first
    /// difference.
    pub fn take_changes(
        &mut self,
        number: u64,
        (copy, left_out, mut found): (&[u8], Offsets, Option<Range<usize>>),
        numbers: &ElementValues,
        address: usize,
    ) -> AllChanges {
        let mut all = self.earlier_changes(numbers, address);
        if found.is_none() && left_out.is_empty() {
            return all;
        }
        let mut changes = Changes::new(number, copy.len());
        for run in left_out {
            changes.bytes.add(run.start - self.start..run.end - self.start);
        }
        let first_left_out = changes.bytes.next(0..copy.len()).map(|run| run.start);
        let first = found.iter().map(|run| run.start).chain(first_left_out).min().unwrap_or_default();
        let (mut resent, mut before) = (ByteSet::default(), self.base.get(first..).unwrap_or_default().to_vec());
        let mut end = first;
        for run in changes.bytes.runs(first..copy.len()) {
            resent.add(run.start - first..run.end - first);
            end = run.end;
        }
        // The library can write to the copy meanwhile. So each number is read once, into the base, and the message is encoded from the base.
        while let Some(run) = found {
            self.base[run.clone()].copy_from_slice(&copy[run.clone()]);
            found = numbers.next_difference(address, copy, self.base, run.end);
            end = end.max(run.end);
            changes.bytes.add(run);
        }
        before.truncate(end - first);
        self.versions.sent(number, self.start + first, before, resent);
        all.push(changes);
        all
    }

    /// Returns the changes of earlier messages that the owner may not have stored.
    fn earlier_changes(&self, numbers: &ElementValues, address: usize) -> AllChanges {
        let (size, mut all) = (self.base.len(), AllChanges::new());
        let range = self.start..self.start + size;
        let mut earlier = self.versions.unacknowledged(&range).rev().peekable();
        let mut after = if earlier.peek().is_some() { self.base.to_vec() } else { Vec::new() };
        for (number, range, before, changed) in earlier {
            // The parts of one message are adjacent.
            if all.last().is_none_or(|last| last.number != number) {
                all.push(Changes::new(number, size));
            }
            let at = range.start - self.start;
            let after = &mut after[at..at + before.len()];
            if let Some(changes) = all.last_mut() {
                changes.add_differences(numbers, address + at, (before, after), at);
                changed.for_each(|run| changes.bytes.add(at + run.start..at + run.end));
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

    static BYTES: ElementValues = ElementValues { start: 0, stride: 1, in_element: &[] };

    struct Message {
        range: Range<usize>,
        number: u64,
        contents: Vec<u8>,
        /// From the owner: what its contents include. From the copy: the changes.
        kind: Result<SmallVec<[Stored; 1]>, AllChanges>,
    }

    /// A region of eight bytes on both sides, and the messages that have not arrived. The owner writes to even offsets, the side with the copy to
    /// odd offsets.
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
                let changes = agreed.take_changes(number, (copy, Offsets::new(), first), &BYTES, range.start);
                (self.base[range.clone()].to_vec(), Err(changes))
            };
            self.messages.push(Message { range, number, contents, kind });
        }

        /// Sends a message about all bytes that carries some of them, and delivers it.
        fn exchange(&mut self, is_owner: bool, carried: Range<usize>) {
            self.last += 1;
            let number = self.last;
            let rest = [0..carried.start, carried.end..8];
            if is_owner {
                let included = self.of_owner.stored(&carried);
                let (base, copy, versions) = (Some(&mut self.base[..]), &mut self.copy[..], &mut self.of_copy);
                let mut place = CopyTarget { copy, base, versions, start: 0, number, included: &included };
                for at in carried.clone() {
                    let replaces = place.versions.has_left_out(&(at..at + 1));
                    place.store(at..at + 1, &self.owner, replaces);
                }
                self.of_copy.carry(carried.clone());
                self.of_copy.acknowledge(&carried, &included);
                rest.into_iter().for_each(|part| self.of_copy.leave_out_change(part));
                return self.of_copy.finish(number, Some(carried));
            }
            let before = self.base.to_vec();
            let first = BYTES.next_difference(0, &self.copy, &self.base, 0);
            let mut agreed = Agreed { base: &mut self.base, versions: &mut self.of_copy, start: 0 };
            let left_out = agreed.versions.left_out_changes(0..8, false);
            let changes = agreed.take_changes(number, (&self.copy, left_out, first), &BYTES, 0);
            let bases = Some((before, self.base.to_vec()));
            let (at, part) = (InRegion { id: 2, offset: 0 }, Part { size: 8, tail: 8, ..Part::default() });
            let mut sent =
                SentChanges { at, start: 0, to_base: 0, number, changes, part, carried: ByteSet::default(), bases };
            sent.part.leave_out(0..8);
            sent.carry(carried.start, carried.len());
            sent.end(&mut self.of_copy, &mut self.base);
            sent.commit(&mut self.of_copy);
            let changes = sent.changes;
            let numbers = ElementValues { ..BYTES };
            let received = ReceivedContents::new((at, number), (0, 0), Some(changes), numbers);
            for run in received.runs_to_store(carried.clone(), &self.of_owner) {
                self.owner[run.clone()].copy_from_slice(&self.copy[run]);
            }
            self.of_owner.finish(number, Some(carried));
        }

        fn deliver(&mut self, at: usize) {
            let Message { range, number, contents, kind } = self.messages.remove(at);
            let (start, size) = (range.start, range.len());
            let (versions, there) = match kind {
                Ok(included) => {
                    let versions = &mut self.of_copy;
                    let (base, copy) = (Some(&mut self.base[range.clone()]), &mut self.copy[range.clone()]);
                    let mut place = CopyTarget { copy, base, versions, start, number, included: &included };
                    BYTES.split(start, size).for_each(|run| place.store(run, &contents, false));
                    versions.acknowledge(&range, &included);
                    (versions, &self.copy)
                }
                Err(changes) => {
                    let (at, numbers) = (InRegion { id: 2, offset: start }, ElementValues { ..BYTES });
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
        /// Messages about parts of a region arrive in any order. Each brings what its sender wrote, unless a later one has arrived, and in the end
        /// both sides have the last value of each byte.
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

        /// Messages leave out parts. The next message that carries a byte which a message left out, or which its sender has changed since, replaces
        /// the byte of the receiver.
        #[test]
        fn the_next_message_replaces_what_one_left_out(
            events in prop::collection::vec((0u8..4, 0usize..8, 1usize..8, 1u8..4), 1..60),
        ) {
            let mut pair = Pair::default();
            pair.of_copy.keep(16 * 8);
            // Which bytes the last message left out, and which each side has changed since.
            let (mut left_out, mut changed) = ([false; 8], [[false; 8]; 2]);
            for (kind, at, size, value) in events {
                let is_owner = kind & 1 == 0;
                if kind < 2 {
                    // One side changes a byte between two messages that carry it.
                    if left_out[at] || !changed[usize::from(is_owner)][at] {
                        changed[usize::from(!is_owner)][at] = true;
                        let memory = if is_owner { &mut pair.owner } else { &mut pair.copy };
                        memory[at] = value;
                    }
                    continue;
                }
                let carried = at..(at + size).min(8);
                pair.exchange(is_owner, carried.clone());
                for at in carried.clone() {
                    let is_replaced = left_out[at] || changed[usize::from(!is_owner)][at];
                    prop_assert!(!is_replaced || pair.owner[at] == pair.copy[at], "{at}: {:?} {:?}", pair.owner, pair.copy);
                    if is_replaced {
                        changed.iter_mut().for_each(|all| all[at] = false);
                    }
                }
                (0..8).for_each(|at| left_out[at] = !carried.contains(&at));
            }
            pair.exchange(false, 0..8);
            pair.exchange(true, 0..8);
            prop_assert_eq!(pair.owner, pair.copy);
        }
    }
}
