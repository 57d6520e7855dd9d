//! Stores received contents of memory that both sides have for longer than a call.
//!
//! One side owns the memory, the other side has a copy. Both may write between calls, and other threads send messages about the memory at the same
//! time. So the side with the copy keeps a *base*: the contents on which both sides last agreed. It sends the bytes that differ from the base as
//! changes, and the owner stores only the changes. Of the contents that it receives, the side with the copy stores only the bytes that the owner
//! has changed. Messages have numbers, because they can arrive in another order, see [`Versions`]. Copy, base and versions change together while
//! the tables are locked.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::access::{bytes, bytes_mut, store_runs};
use super::element_values::ElementValues;
use super::entries::InRegion;
use super::frame::{MemoryKind, Received};
use super::marshaller::Marshaller;
use super::pointer::{Known, alignment_of};
use super::region_contents::{AllChanges, Changes, CopyTarget, NO_NUMBER, ReceivedContents, Run, RunValue, changes};
use super::side::{CallError, CallResult, OUTSIDE, REPLACED};
use super::sources::Reads;
use super::tables::{MOST_CHANGES, MOST_VERSIONS, Stored, Tables, Versions, is_id_of_other_side};
use crate::Reader;
use crate::locks::{MutexGuard, guard};
use crate::plan::{
    Buffer, Kind, Match, Numbers, Value, bytes_behind, is_local, is_measured_by_c, single_bytes, tells_valid,
};

/// The reason for rejecting changes of memory that the other side may only read.
const CONSTANT: &str = "the program changed it, but the library returned it as constant memory";

impl<'a> Marshaller<'a> {
    /// Returns the values in the elements of a buffer at `start`.
    pub(super) fn values_of(&self, buffer: &'static Buffer, start: usize) -> ElementValues {
        let in_element: &[Numbers] = match &buffer.element.kind {
            Kind::Block(id) => self.block(*id).map_or(&[], |block| &block.facts.values),
            kind => match single_bytes(kind) {
                Some(2) => &[Numbers { offset: 0, bytes: 2, each: 2 }],
                Some(4) => &[Numbers { offset: 0, bytes: 4, each: 4 }],
                Some(8) => &[Numbers { offset: 0, bytes: 8, each: 8 }],
                _ => &[],
            },
        };
        ElementValues { start, stride: buffer.stride.max(1), in_element }
    }

    /// Locks the tables to access regions. Unlike [`lock`](Self::lock) it closes no ended files, so the caller must end nothing under this lock.
    pub(super) fn lock_regions(&self) -> MutexGuard<'a, Tables> {
        guard(self.tables)
    }

    /// Returns whether a region has an id that the other side assigns.
    pub fn is_theirs(&self, id: u32) -> bool {
        is_id_of_other_side(id, self.is_worker())
    }

    /// Returns the size of a part of `size` bytes of a copy: at most `most` bytes, and the rest of the number that contains the last of them.
    pub(super) fn part_of_copy(&self, of: u32, address: usize, (size, most): (usize, usize)) -> usize {
        let part = size.min(most);
        let contents = self.contents.received.get(of as usize).filter(|_| part != 0);
        contents.map_or(part, |one| (one.numbers.end(address + part - 1) - address).min(size))
    }

    /// Returns whether memory has no contents that this side or its peer had before the message.
    pub(super) fn is_new(&self, kind: MemoryKind) -> bool {
        match kind {
            MemoryKind::Region { of } | MemoryKind::Staged { of, .. } => {
                self.contents.received.get(of as usize).is_some_and(|one| one.is_new)
            }
            MemoryKind::Fresh => true,
            MemoryKind::Used | MemoryKind::Snapshot { .. } => false,
        }
    }

    pub(super) fn is_scratch(&self, of: u32) -> bool {
        self.contents.received.get(of as usize).is_some_and(ReceivedContents::is_scratch)
    }

    /// Prepares the contents of elements that are decoded one by one. They stay in staged memory until all are decoded, so they are stored in one
    /// step, and expressions read the values of the message meanwhile.
    pub(super) fn stage_contents(&mut self, kind: MemoryKind, received: &Received) -> CallResult<MemoryKind> {
        let MemoryKind::Region { of } = kind else { return Ok(kind) };
        let Received { here, bytes: size, name, .. } = *received;
        let known = self.stage.sources.distance(&(here..here + size)).filter(|_| size != 0 && !received.is_gone);
        let to_staged = match known {
            _ if self.is_scratch(of) => 0,
            Some(distance) => distance,
            None => {
                let staged = self.arena.allocate(size, 1 << alignment_of(here), false, self.limits.call);
                let staged = staged.ok_or_else(|| self.exceeds(size, name))?;
                // SAFETY: the staged memory was allocated with this size, and so was the memory of the region unless the library may have freed it.
                unsafe {
                    match received.is_gone {
                        true => bytes_mut(staged, size).fill(0),
                        false => bytes_mut(staged, size).copy_from_slice(bytes(here, size)),
                    }
                }
                staged.wrapping_sub(here)
            }
        };
        if let Some(contents) = self.contents.received.get_mut(of as usize) {
            contents.staged = (here.wrapping_add(to_staged), size);
            contents.part.size = size;
        }
        Ok(MemoryKind::Staged { of, to_staged })
    }

    /// Makes expressions read the contents of a buffer from the memory from which they are encoded, or to which they are decoded. Returns whether
    /// that memory differs from the buffer.
    pub(super) fn add_source(&mut self, kind: MemoryKind, received: &Received) -> bool {
        let owned = |of: u32| self.contents.received.get(of as usize).map(|one| one.memory);
        let start = match kind {
            // Expressions follow the pointer in the argument, which leads to the memory of the owner.
            MemoryKind::Staged { of, .. } if self.is_scratch(of) => owned(of).unwrap_or(received.here),
            _ => received.here,
        };
        let to_source = received.here.wrapping_sub(start).wrapping_add(kind.to_source());
        self.stage.sources.add(start..start + received.bytes, to_source)
    }

    /// Prepares flat contents. They are staged if their length, the number of valid elements, or their end is checked, because the memory of the
    /// region may have other contents. Returns whether expressions read the staged memory.
    pub(super) fn stage_flat(&mut self, kind: MemoryKind, received: &Received) -> CallResult<(MemoryKind, bool)> {
        let Buffer { is_measured, until, valid, .. } = received.buffer;
        if !is_measured && until.is_none() && valid.is_none() {
            return Ok((kind, false));
        }
        let kind = self.stage_contents(kind, received)?;
        Ok((kind, self.add_source(kind, received)))
    }

    /// Records that bytes of staged contents were decoded for an address.
    ///
    /// # Errors
    ///
    /// As for [`store_runs`](Self::store_runs).
    pub(super) fn add_run(&mut self, of: u32, (address, size): (usize, usize), value: RunValue) -> CallResult<()> {
        let Some(contents) = self.contents.received.get_mut(of as usize) else { return Ok(()) };
        let start = address - contents.start;
        if contents.add_run(start..start + size, value) { self.charge(size_of::<Run>()) } else { Ok(()) }
    }

    /// Returns the position of the case that a `match` selects, and the addresses and sizes of the values that select it, if these may be in staged
    /// contents.
    pub(super) fn choose_by(&mut self, choice: &'static Match) -> (Option<usize>, Reads) {
        self.record_reads();
        let at = self.choose(choice);
        (at, self.stage.sources.take_reads())
    }

    /// Makes the values of a case replace those of this side, if the sender has changed one of the values that select the case. Both sides may have
    /// values of other cases in this memory.
    pub(super) fn select(&mut self, reads: Reads, case: &'static Value) {
        let MemoryKind::Staged { of, .. } = self.kind else { return };
        if !reads.into_iter().any(|(at, size)| self.is_changed(of, at, size)) {
            return;
        }
        let (at, size) = (self.stage.scopes.innermost().this, self.extent(case));
        if let Some(contents) = self.contents.received.get_mut(of as usize) {
            let start = at.wrapping_sub(contents.start);
            contents.select(start..start.saturating_add(size));
        }
    }

    /// Returns the size in bytes of a value in memory.
    pub(super) fn extent(&mut self, value: &'static Value) -> usize {
        match &value.kind {
            Kind::Block(id) => self.block(*id).map_or(0, |block| block.bytes),
            Kind::Array(array) => {
                let count = self.eval(&array.count).and_then(|count| usize::try_from(count).ok());
                count.unwrap_or_default().saturating_mul(array.stride)
            }
            Kind::Match(choice) => choice.cases().map(|case| self.extent(case)).max().unwrap_or_default(),
            single => single_bytes(single).unwrap_or_default(),
        }
    }

    /// Returns whether the sender has changed a value in staged contents.
    fn is_changed(&self, of: u32, address: usize, size: usize) -> bool {
        let Some(contents) = self.contents.received.get(of as usize) else { return false };
        let Some(at) = address.checked_sub(contents.start) else { return false };
        let (staged, inside) = (contents.staged, at..at.saturating_add(size));
        if inside.end > staged.1 {
            return false;
        }
        if let Some(before) = &contents.before {
            // SAFETY: the staged contents have this size.
            return before.get(inside) != Some(unsafe { bytes(staged.0 + at, size) });
        }
        let mut tables = self.lock_regions();
        if !contents.is_copy {
            // Changes of an earlier message that this side has already stored do not count.
            let versions = tables.versions(contents.at.id, contents.region());
            let is_stored =
                |(versions, _): (&mut Versions, _)| contents.runs_to_store(inside.clone(), versions).is_empty();
            return contents.changes_any(inside.clone()) && !versions.is_some_and(is_stored);
        }
        let Some((versions, Some(to_base))) = tables.versions(contents.at.id, contents.region()) else { return false };
        // SAFETY: the staged contents and the base of the copy have this size. The tables are locked, so no other thread changes the base.
        let (new, base) = unsafe { (bytes(staged.0 + at, size), bytes(address.wrapping_add(to_base), size)) };
        versions.is_changed(&contents.in_region(&inside), (base, new), &contents.included)
    }

    /// Stores the decoded bytes of staged contents.
    fn store_staged(&mut self, of: u32) -> CallResult<()> {
        let Some(contents) = self.contents.received.get_mut(of as usize).filter(|one| !one.runs.is_empty()) else {
            return Ok(());
        };
        let (runs, (staged, size)) = (std::mem::take(&mut contents.runs), contents.staged);
        // SAFETY: the staged memory has this size until the end of the call.
        unsafe { self.store_runs(of, (0, bytes(staged, size)), &runs)? };
        self.check_pointers_of_call(of)
    }

    /// Stores a part of flat contents, which was decoded for `address`.
    ///
    /// # Safety
    ///
    /// As for [`store_runs`](Self::store_runs).
    pub(super) unsafe fn store_part(&self, of: u32, address: usize, part: &[u8]) -> CallResult<()> {
        let Some(contents) = self.contents.received.get(of as usize) else { return Ok(()) };
        let start = address - contents.start;
        let run = Run { range: start..start + part.len(), value: RunValue::Bytes };
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.store_runs(of, (start, part), &[run]) }
    }

    /// Stores runs of received contents: into a copy and its base, or into the memory of the owner. `source` contains the contents from the offset
    /// `first` on.
    ///
    /// # Errors
    ///
    /// The owner's memory is not writable.
    ///
    /// # Safety
    ///
    /// The memory of the contents must be valid for all runs, and the base of a copy too.
    unsafe fn store_runs(&self, of: u32, (first, source): (usize, &[u8]), runs: &[Run]) -> CallResult<()> {
        let Some(contents) = self.contents.received.get(of as usize) else { return Ok(()) };
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            match contents.is_copy {
                true => self.merge(contents, (first, source), runs),
                false => self.apply(contents, (first, source), &contents.valid_runs(runs))?,
            }
        }
        Ok(())
    }

    /// Stores received bytes into a copy and its base: the numbers that the owner has changed, unless a later message has stored them.
    ///
    /// # Safety
    ///
    /// As for [`store_runs`](Self::store_runs).
    unsafe fn merge(&self, contents: &ReceivedContents, (first, source): (usize, &[u8]), runs: &[Run]) {
        let address = contents.start + first;
        let mut tables = self.lock_regions();
        // SAFETY: the caller upholds the contract of this function.
        let copy = unsafe { bytes_mut(address, source.len()) };
        let here = |run: &Run| run.range.start - first..run.range.end - first;
        let Some((versions, to_base)) = tables.versions(contents.at.id, contents.region()) else {
            // Another thread has ended the region. This call still uses the copy.
            let runs = contents.runs_for_copy(runs, contents.is_new);
            return runs.iter().map(here).for_each(|run| copy[run.clone()].copy_from_slice(&source[run]));
        };
        // If another message was stored in the copy that this message made, the library may have changed the copy since. So this message does not
        // replace the whole copy.
        let whole = contents.in_region(&(0..contents.part.size));
        let is_new = contents.is_new && !versions.has(&whole, 0, contents.number);
        let runs = contents.runs_for_copy(runs, is_new);
        // SAFETY: as for the copy. The base is a separate allocation.
        let base = to_base.map(|to_base| unsafe { bytes_mut(address.wrapping_add(to_base), source.len()) });
        let (number, included) = (contents.number, &contents.included[..]);
        let all = contents.in_region(&(first..first + source.len()));
        let is_latest = !versions.has(&all, number, number);
        let is_alone = is_latest && versions.are_included(&all, included);
        let mut target = CopyTarget { copy, base, versions, start: all.start, number, included };
        for run in runs.iter() {
            let (inside, range) = (here(run), contents.in_region(&run.range));
            let is_whole = is_new || contents.is_output || target.base.is_none();
            if run.value != RunValue::Bytes || is_latest && is_whole {
                let is_sent = contents.is_output || run.value == RunValue::Selected;
                let replaces = is_sent || target.replaces_left_out(&range);
                // The address of new memory differs from the base, although the owner may not have changed its pointer since this side has.
                let is_older = run.value == RunValue::New && !is_new && target.has_changed(inside.clone());
                if !is_older || replaces {
                    target.store(inside, source, replaces);
                }
            } else if is_alone {
                let left_out: Vec<Range<usize>> = target.versions.left_out(range.clone()).collect();
                for part in left_out {
                    let part = part.start - all.start..part.end - all.start;
                    let whole = contents.numbers.around(address, part);
                    target.store(whole.start.max(inside.start)..whole.end.min(inside.end), source, true);
                }
                let mut at = inside.start;
                while let Some(base) = &target.base
                    && let Some(run) =
                        contents.numbers.next_difference(address, &base[..inside.end], &source[..inside.end], at)
                {
                    at = run.end;
                    target.store(run, source, false);
                }
            } else {
                for part in contents.numbers.split(address + inside.start, inside.len()) {
                    let part = inside.start + part.start..inside.start + part.end;
                    let replaces = target.replaces_left_out(&(all.start + part.start..all.start + part.end));
                    target.store(part, source, replaces);
                }
            }
            if is_latest && target.versions.are_included(&range, included) {
                target.versions.carry(range.clone());
            }
            target.versions.store(range, number);
        }
    }

    /// Returns whether the pointer at `slot` is stored for longer than the call: the receiver has the memory of the slot for longer, or the sender
    /// has changed the pointer in memory of the receiver.
    pub(super) fn must_last(&self, slot: usize) -> bool {
        let is_change = |of: u32| {
            let one = self.contents.received.get(of as usize).filter(|one| one.is_scratch())?;
            let at = slot.checked_sub(one.start)?;
            Some(one.changes_any(at..at + size_of::<usize>()))
        };
        let is_received = matches!(self.kind, MemoryKind::Staged { of, .. } if is_change(of) == Some(true));
        self.outlives || is_received || self.is_sent_as_changed(slot)
    }

    /// Decodes the version that precedes the contents of a buffer, and returns the kind of memory into which to decode them. `known` is the memory,
    /// if both sides had it before. `at` is the location of the buffer in a region according to the message, and `is_there` whether this side has the
    /// region. Contents for memory that this side owns are decoded into scratch memory, or into the memory of an argument if they are results; only
    /// changes are stored.
    pub(super) fn prepare_contents(
        &mut self,
        received: &mut Received,
        known: Option<Known>,
        (at, is_there): (InRegion, bool),
        align: usize,
        from: &mut Reader<'_>,
    ) -> CallResult<MemoryKind> {
        let Received { buffer, here, name, .. } = *received;
        let is_theirs = self.is_theirs(at.id);
        if at.id == 0 {
            let is_used = received.is_result && buffer.is_in || known.is_some_and(|known| known.accepts_data);
            let before = self.contents_before(here, received.bytes).filter(|_| received.is_result);
            if let Some(before) = before {
                let kind = self.receive(received, at, (here, here), (NO_NUMBER, None))?;
                if let Some(contents) = self.contents.received.last_mut() {
                    contents.before = Some(before);
                }
                return Ok(kind);
            }
            return match known {
                Some(known) if known.is_owner || !known.accepts_data => {
                    self.use_scratch(received, align)?;
                    Ok(MemoryKind::Fresh)
                }
                _ => Ok(if is_used { MemoryKind::Used } else { MemoryKind::Fresh }),
            };
        }
        if is_theirs {
            return self.prepare_copy(received, known.is_none(), (at, is_there), from);
        }
        let kind = from.get_u8()?;
        let has_number = kind != changes::NONE || !buffer.facts.is_flat;
        let number = if has_number { get_number(name, from)? } else { NO_NUMBER };
        let changes = match kind {
            changes::NONE => Some(AllChanges::new()),
            changes::SOME => Some(self.get_changes(received.carried(), name, from)?),
            changes::ALL => None,
            _ => return Err(CallError::Refused("unknown kind of changes", name)),
        };
        if received.is_result {
            let kind = self.receive(received, at, (here, here), (number, changes))?;
            if let Some(contents) = self.contents.received.last_mut() {
                contents.sent = self.effects.sent_structs.get(&(here, received.bytes)).copied();
            }
            return Ok(kind);
        }
        let Some(known) = known else { return Err(CallError::Refused(OUTSIDE, name)) };
        // The library may change all memory that it keeps.
        let may_change = known.is_owner && (known.is_changeable || !self.is_worker());
        if kind != changes::NONE && !may_change {
            return Err(CallError::Refused(CONSTANT, name));
        }
        self.use_scratch(received, align)?;
        if kind == changes::NONE && buffer.facts.is_flat {
            return Ok(MemoryKind::Fresh);
        }
        let kind = self.receive(received, at, (received.here, known.here), (number, changes))?;
        if let Some(contents) = self.contents.received.last_mut() {
            contents.may_change = may_change;
        }
        Ok(kind)
    }

    /// Decodes the version that precedes contents from the owner of a copy, and returns the kind of memory into which to decode them.
    pub(super) fn prepare_copy(
        &mut self,
        received: &Received,
        is_new: bool,
        (at, is_there): (InRegion, bool),
        from: &mut Reader<'_>,
    ) -> CallResult<MemoryKind> {
        let Received { buffer, here, name, is_result, .. } = *received;
        let (number, stored) = get_version(name, from)?;
        let mut tables = self.lock_regions();
        if at.offset == 0 && !is_result {
            tables.set_described(at.id, received.bytes);
        }
        if tables.region(at.id).is_none_or(|one| one.memory.is_none()) || !is_there {
            return Ok(if is_result { MemoryKind::Used } else { MemoryKind::Fresh });
        }
        drop(tables);
        let kind = self.receive(received, at, (here, here), (number, Some(AllChanges::new())))?;
        if let Some(contents) = self.contents.received.last_mut() {
            (contents.is_copy, contents.is_new, contents.included) = (true, is_new && !is_result, stored);
            contents.is_output = is_result && !buffer.is_in && !buffer.facts.is_flat;
        }
        Ok(kind)
    }

    /// Allocates scratch memory into which contents are decoded.
    fn use_scratch(&mut self, received: &mut Received, align: usize) -> CallResult<()> {
        received.here = self.allocate(received.bytes + bytes_behind(received.buffer), align, received.name)?;
        Ok(())
    }

    /// Records the contents of a region that follow in the message.
    fn receive(
        &mut self,
        received: &Received,
        at: InRegion,
        (start, memory): (usize, usize),
        (number, changes): (u64, Option<AllChanges>),
    ) -> CallResult<MemoryKind> {
        self.charge(size_of::<ReceivedContents>())?;
        let numbers = self.values_of(received.buffer, start);
        let of = self.contents.received.len() as u32;
        let mut contents = ReceivedContents::new((at, number), (start, memory), changes, numbers);
        (contents.part.size, contents.part.tail) = (received.bytes, received.tail(self.is_worker()));
        contents.part.exclude(received.certain()..received.carried());
        contents.part.leave_out(received.carried()..received.bytes);
        self.contents.received.push(contents);
        Ok(MemoryKind::Region { of })
    }

    /// Decodes which of `size` bytes are changes.
    fn get_changes(&mut self, size: usize, name: u32, from: &mut Reader<'_>) -> CallResult<AllChanges> {
        let count = from.get_u32()? as usize;
        if count > MOST_CHANGES {
            let what = "the number of messages with changes is";
            return Err(CallError::TooLarge(what, name, count as u64, MOST_CHANGES as u64));
        }
        self.charge(count * size.div_ceil(8))?;
        let mut all = AllChanges::new();
        for _ in 0..count {
            let mut changes = Changes::new(from.get_u64()?, size);
            from.get(&mut changes.bytes.bits)?;
            all.push(changes);
        }
        Ok(all)
    }

    /// Returns whether contents that are numbers only are left out of the message, because the side with the copy has not changed them.
    pub(super) fn has_no_contents(&self, kind: MemoryKind) -> bool {
        let MemoryKind::Region { of } = kind else { return false };
        self.contents.received.get(of as usize).is_some_and(|one| !one.is_scratch() && one.is_unchanged())
    }

    /// Stores the changes among received bytes into the owner's memory.
    ///
    /// # Errors
    ///
    /// The owner's memory is not writable.
    ///
    /// # Safety
    ///
    /// As for [`store_runs`](Self::store_runs).
    unsafe fn apply(
        &self,
        contents: &ReceivedContents,
        (first, source): (usize, &[u8]),
        runs: &[Run],
    ) -> CallResult<()> {
        let is_result = !contents.is_scratch();
        let may_change = |run: &&Run| {
            let may_be_new = match run.value {
                RunValue::New | RunValue::Selected => true,
                RunValue::Whole => is_result,
                RunValue::Bytes => false,
            };
            may_be_new || contents.changes_any(run.range.clone())
        };
        let mut changed = runs.iter().filter(may_change).peekable();
        if changed.peek().is_none() {
            return Ok(());
        }
        let mut tables = self.lock_regions();
        // Another thread may have ended the region.
        let mut none = Versions::default();
        let versions = tables.versions(contents.at.id, contents.region()).map_or(&mut none, |(versions, _)| versions);
        let mut stored = SmallVec::<[Run; 4]>::new();
        for run in changed {
            let range = contents.in_region(&run.range);
            let changes = contents.runs_to_store(run.range.clone(), versions);
            let is_latest = contents.number == NO_NUMBER || !versions.has(&range, contents.number, contents.number);
            // A pointer in a result may lead to a new block at the address of a freed block. A pointer that a callback or another thread has stored since
            // the request stays.
            // SAFETY: the caller upholds the contract of this function.
            let is_as_sent = || unsafe { is_result && contents.is_as_sent(&run.range) };
            match run.value {
                RunValue::New | RunValue::Selected if is_latest => stored.push(run.clone()),
                RunValue::Whole if is_latest && (!changes.is_empty() || is_as_sent()) => stored.push(run.clone()),
                // An older pointer or handle replaces no part of a later value.
                RunValue::New | RunValue::Whole => {}
                value => stored.extend(changes.into_iter().map(|range| Run { range, value })),
            }
            if contents.number != NO_NUMBER {
                versions.store(range, contents.number);
            }
        }
        contents.retain_changes(&mut stored, (first, source));
        // The offsets in the source.
        let in_source = |run: Run| run.range.start - first..run.range.end - first;
        let mut stored: SmallVec<[Range<usize>; 4]> = stored.into_iter().map(in_source).collect();
        let to = contents.memory + first;
        if !contents.may_change && !stored.is_empty() {
            return Err(CallError::Refused(CONSTANT, self.outer));
        }
        // SAFETY: the caller upholds the contract of this function.
        let is_same = |run: &Range<usize>| unsafe { bytes(to + run.start, run.len()) } == &source[run.clone()];
        // Constant memory may have these bytes already.
        stored.retain(|run| !is_same(run));
        if !is_result {
            // SAFETY: the caller upholds the contract of this function.
            let is_stored = unsafe { store_runs(to, source, &stored) };
            let refused = CallError::Refused("the other side changed it, but its memory is not writable", self.outer);
            return if is_stored { Ok(()) } else { Err(refused) };
        }
        for run in stored {
            // SAFETY: the memory of an argument for results is writable where these differ.
            unsafe { bytes_mut(to + run.start, run.len()) }.copy_from_slice(&source[run]);
        }
        Ok(())
    }

    /// Checks that the other side has changed nothing in memory that this side may have freed, if the contents at the time of the request are known.
    fn check_unchanged(&self, of: u32, name: u32) -> CallResult<()> {
        let Some(contents) = self.contents.received.get(of as usize) else { return Ok(()) };
        let Some(before) = &contents.before else { return Ok(()) };
        let (staged, size) = contents.staged;
        // SAFETY: the staged memory has this size until the end of the call.
        let staged = unsafe { bytes(staged, size) };
        let is_same = |run: &Run| before.get(run.range.clone()) == staged.get(run.range.clone());
        if contents.runs.iter().all(is_same) { Ok(()) } else { Err(CallError::Refused(REPLACED, name)) }
    }

    /// Returns the contents of a buffer of this call at the time of the request, if this side may have changed them since.
    pub(super) fn contents_before(&self, here: usize, size: usize) -> Option<Arc<[u8]>> {
        self.effects.before.as_ref()?.get(&(here, size)).cloned()
    }

    /// Checks decoded contents with `check`, and stores them. Expressions read the staged contents, but C code reads the region, so contents whose
    /// length C code computes are stored before the check.
    ///
    /// # Errors
    ///
    /// The error of the check, or as for [`store_runs`](Self::store_runs).
    ///
    /// # Safety
    ///
    /// As for [`store_runs`](Self::store_runs).
    pub(super) unsafe fn end_contents(
        &mut self,
        kind: MemoryKind,
        received: &Received,
        check: impl FnOnce(&mut Self) -> CallResult<()>,
    ) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            if is_measured_by_c(received.buffer) {
                self.finish_contents(kind, Some(received))?;
                check(self)
            } else {
                check(self)?;
                self.finish_contents(kind, Some(received))
            }
        }
    }

    /// Stores the staged contents of a region, and records that this side has decoded the message. Without `received`, the message carried only
    /// numbers of the buffer.
    ///
    /// # Errors
    ///
    /// As for [`store_runs`](Self::store_runs).
    ///
    /// # Safety
    ///
    /// As for [`store_runs`](Self::store_runs).
    pub(super) unsafe fn finish_contents(&mut self, kind: MemoryKind, received: Option<&Received>) -> CallResult<()> {
        let (MemoryKind::Region { of } | MemoryKind::Staged { of, .. }) = kind else { return Ok(()) };
        match received.filter(|one| one.is_gone) {
            None => self.store_staged(of)?,
            Some(gone) => self.check_unchanged(of, gone.name)?,
        }
        let Some(contents) = self.contents.received.get(of as usize).filter(|one| one.number != NO_NUMBER) else {
            return Ok(());
        };
        if let Some((versions, _)) = self.lock_regions().versions(contents.at.id, contents.region()) {
            let Some(received) = received else {
                versions.finish(contents.number, None);
                return Ok(());
            };
            let whole = contents.in_region(&(0..received.carried()));
            versions.acknowledge(&whole, &contents.included);
            // A later message determines which bytes are left out: one that was stored, or one of this side that the owner did not have.
            let is_last = !versions.has(&whole, contents.number, contents.number);
            if contents.is_copy && is_last && versions.are_included(&whole, &contents.included) {
                contents.part.end(contents.at.offset, versions);
            }
            versions.finish(contents.number, Some(whole));
        }
        Ok(())
    }
}

/// Decodes the number of a message.
fn get_number(name: u32, from: &mut Reader<'_>) -> CallResult<u64> {
    match from.get_u64()? {
        NO_NUMBER => Err(CallError::Refused("its message about the region has no number", name)),
        number => Ok(number),
    }
}

/// Decodes the number of a message of the owner, and the messages of this side that its contents include.
fn get_version(name: u32, from: &mut Reader<'_>) -> CallResult<(u64, SmallVec<[Stored; 1]>)> {
    let (number, count) = (get_number(name, from)?, from.get_u32()? as usize);
    if count > MOST_VERSIONS + 1 {
        return Err(CallError::TooLarge("the number of messages is", name, count as u64, MOST_VERSIONS as u64));
    }
    let mut stored = SmallVec::new();
    for _ in 0..count {
        let range = from.get_u64()? as usize..from.get_u64()? as usize;
        stored.push(Stored { range, number: from.get_u64()? });
    }
    Ok((number, stored))
}

impl Received {
    /// Describes a buffer of a request whose elements are all valid, or none of `local` memory.
    pub(super) fn of_request(
        buffer: &'static Buffer,
        (here, count, bytes): (usize, u64, usize),
        name: u32,
    ) -> Received {
        let valid = if is_local(buffer) { 0 } else { count };
        Received { buffer, here, count, valid, certain: valid, bytes, name, is_result: false, is_gone: false }
    }

    /// Returns the size in bytes of the elements that a message carries.
    pub(super) fn carried(&self) -> usize {
        if self.buffer.facts.varies { self.bytes } else { self.valid as usize * self.buffer.stride }
    }

    /// Returns the offset of the elements that a program may pass later without having written them, because the library and not the memory
    /// determines their number.
    pub(super) fn tail(&self, is_worker: bool) -> usize {
        if is_worker || tells_valid(self.buffer) { self.bytes } else { self.certain() }
    }

    /// Returns the size in bytes of the elements that are certainly valid for the sender.
    pub(super) fn certain(&self) -> usize {
        if self.buffer.facts.varies { self.bytes } else { self.certain as usize * self.buffer.stride }
    }
}
