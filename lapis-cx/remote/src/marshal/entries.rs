//! Buffers and handles that one call has encoded or decoded so far.

use std::collections::{BTreeSet, HashMap};
use std::ops::{Deref, Range};

use smallvec::SmallVec;

use super::frame::Retained;
use super::intervals::OuterRanges;
use super::scopes::Scopes;
use crate::marshal::shape::Shape;
use crate::plan::{Buffer, HandleValue, Kind, Lifetime, Value, is_of_block};

/// A location in a region: its id, which is 0 for no region, and an offset in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InRegion {
    pub id: u32,
    pub offset: usize,
}

/// A buffer of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferEntry {
    /// The address of the pointer to the buffer.
    pub slot: usize,
    /// The address of the buffer.
    pub here: usize,
    /// The number of elements.
    pub count: u64,
    /// The number of elements whose contents the request carries.
    pub valid: u64,
    pub bytes: usize,
    /// The region whose owner is determined by this buffer's lifetime; 0 for memory of the call.
    pub region: u32,
    pub lifetime: &'static Lifetime,
    /// The specification does not say how long the memory outlives the call.
    pub has_unknown_end: bool,
    /// The lifetime is that of the memory that contains the pointer.
    pub is_inherited: bool,
    /// The memory lasts until a scope ends that belongs to metadata of this memory, as with `next: [Node; 1] @lifetime(next.kept)`.
    pub is_own_scope: bool,
    /// A reply refers to the memory, so that the caller has it although the call may have failed.
    pub is_returned: bool,
    /// The region that starts at this address ends with the call.
    pub ends_region: bool,
    /// For a block that the callee owns after a successful call: this side frees its block if the call has succeeded (the caller's), or if
    /// it has failed (the callee's).
    pub frees_on: Option<bool>,
    /// The function that frees such a block; C's `free` frees it if the specification names no function.
    pub free: Option<u32>,
    pub shape: Shape,
    /// The type of the elements, as returned by [`element_key`].
    pub element: usize,
    /// On the side that decodes the request: data of the other side may be stored in the memory, see [`Known`](super::pointer::Known).
    pub accepts_data: bool,
    /// The memory belongs to this side's program or library, and the other side has a copy. Received contents do not replace it.
    pub is_owner: bool,
    /// The receiver has the memory for longer than the call, and not as a struct whose pointers last for a call only (`new` of `in`).
    pub outlives: bool,
    /// The region of the program's memory to which both sides count this reference; 0 for none.
    pub counted: u32,
    /// The location of the buffer in a region, according to the request.
    pub at: InRegion,
    /// On the side that decodes the request: this side had the region of `at`.
    pub in_region: bool,
    /// The specification copies the contents to the callee.
    pub is_in: bool,
    /// The reply carries the contents.
    pub is_out: bool,
    /// Each side has its own contents.
    pub is_local: bool,
    /// The callee may change the contents, or memory behind their pointers.
    pub is_written: bool,
    /// The reply carries values in the memory itself, and not only in memory behind its pointers.
    pub is_changed: bool,
    /// The request does not carry the contents.
    pub is_blank: bool,
    /// The position of an earlier buffer that contains the same elements. The message carries them once.
    pub repeats: Option<u32>,
    /// The reply has carried the contents.
    pub is_sent: bool,
    /// The reply does not carry the contents, because a condition does not hold.
    pub is_left_out: bool,
    /// Memory of this side that may have been freed since the request.
    pub is_gone: bool,
    /// The memory already has the owner for its lifetime, or had it.
    pub is_owned: bool,
    /// The elements are objects with provisional ids. The reply does not carry them.
    pub provisional: Option<&'static HandleValue>,
    /// The scope in which the lifetime is evaluated.
    pub scope: usize,
}

impl BufferEntry {
    /// The absence of a buffer.
    pub const NONE: BufferEntry = BufferEntry {
        slot: usize::MAX,
        here: 0,
        count: 0,
        valid: 0,
        bytes: 0,
        region: 0,
        counted: 0,
        lifetime: &Lifetime::Call,
        has_unknown_end: false,
        is_inherited: false,
        is_own_scope: false,
        is_returned: false,
        ends_region: false,
        frees_on: None,
        free: None,
        shape: Shape::Flat,
        element: 0,
        accepts_data: false,
        is_owner: false,
        outlives: false,
        at: InRegion { id: 0, offset: 0 },
        in_region: false,
        is_in: false,
        is_out: false,
        is_local: false,
        is_written: false,
        is_changed: false,
        is_blank: false,
        repeats: None,
        is_sent: false,
        is_left_out: false,
        is_gone: false,
        is_owned: false,
        provisional: None,
        scope: 0,
    };

    /// Creates an entry for memory of the call in which several buffers overlap. At least one of the buffers is written.
    pub(super) fn span(here: usize, bytes: usize) -> BufferEntry {
        BufferEntry { here, count: bytes as u64, bytes, accepts_data: true, is_written: true, ..BufferEntry::NONE }
    }

    /// Returns whether the results of an asynchronous call change the buffer.
    pub fn has_late_results(&self) -> bool {
        self.is_changed && self.provisional.is_none()
    }

    /// Returns whether the reply may still carry the contents.
    pub(super) fn has_unsent(&self) -> bool {
        self.provisional.is_none() && self.repeats.is_none() && !self.is_sent
    }

    /// Returns whether another pointer of the reply that leads to the buffer can carry its contents, which `buffer` describes. The pointer of the
    /// request may be unreachable.
    pub(super) fn is_sent_with(&self, buffer: &'static Buffer) -> bool {
        self.is_out && self.element == element_key(buffer) && self.has_unsent()
    }

    /// Returns whether the call passes the block with `own`, or ends it.
    pub(super) fn is_passed(&self) -> bool {
        self.frees_on.is_some() || self.ends_region
    }

    pub(super) fn end(&self) -> usize {
        self.here.saturating_add(self.bytes)
    }
}

/// The memory that contains a buffer.
#[derive(Clone, Copy, Default)]
pub(super) struct BufferMemory {
    /// The region whose owner is determined by the buffer's lifetime; 0 for memory of the call.
    pub region: u32,
    /// See [`BufferEntry::counted`].
    pub counted: u32,
    /// See [`BufferEntry::frees_on`].
    pub frees_on: Option<bool>,
    /// See [`BufferEntry::accepts_data`].
    pub accepts_data: bool,
    /// See [`BufferEntry::is_owner`].
    pub is_owner: bool,
    /// See [`BufferEntry::outlives`].
    pub outlives: bool,
    /// See [`BufferEntry::at`].
    pub at: InRegion,
    /// See [`BufferEntry::in_region`].
    pub in_region: bool,
}

/// Identifies the element type of a buffer: the id of its block, or the address of the buffer in the plan.
pub(super) fn element_key(buffer: &'static Buffer) -> usize {
    match &buffer.element.kind {
        // Addresses of the plan are larger than all ids of blocks.
        Kind::Block(id) => *id as usize,
        _ => std::ptr::from_ref(buffer).addr(),
    }
}

/// Identifies a lifetime and the block in which it is evaluated. Two pointers to a block of this side may be decoded into different scratch memory,
/// so the block is identified by its address in the reply.
pub(super) fn lifetime_key(lifetime: &'static Lifetime, scope: usize, scopes: &Scopes) -> (usize, usize) {
    let block = if is_of_block(lifetime) { scopes.address_in_reply(scope) } else { scope };
    (std::ptr::from_ref(lifetime).addr(), block)
}

/// On the worker: a handle to whose object the call adds a reference, or takes one (`is_own`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandleEntry {
    pub value: &'static Value,
    pub of: u32,
    pub bytes: usize,
    pub id: u64,
    pub is_own: bool,
    /// The scope in which the condition of the value is evaluated.
    pub scope: usize,
}

/// The number of buffers up to which searches are linear.
const FEW: usize = 16;

/// The buffers of a request, in its order.
#[derive(Default)]
pub(crate) struct BufferEntries {
    pub(super) all: Vec<BufferEntry>,
    /// The position at which the next search for a slot begins. A reply has the slots in the order of the request.
    cursor: usize,
    /// Of more than [`FEW`] buffers, once a search needs them.
    indexes: Option<Box<Indexes>>,
}

/// Indexes for searches among many buffers. Each search first adds the new buffers to its index.
#[derive(Default)]
struct Indexes {
    by_slot: Index<BTreeSet<(usize, u32)>>,
    /// The largest buffers to which the pointer at an address leads.
    largest: Index<HashMap<usize, Largest>>,
    /// The size in bytes of the largest buffer, for the address of a pointer and the address to which it leads.
    sizes: Index<HashMap<(usize, usize), usize>>,
    /// The first buffer that ends at an address.
    by_end: Index<HashMap<usize, u32>>,
    /// The memory of the buffers, for each kind of search.
    by_address: HashMap<Sought, Index<OuterRanges>>,
    repeatable: Index<Repeatable>,
}

/// The address and the size in bytes of the largest buffer of a pointer, and of the largest buffer at any other address. A request can carry the same
/// struct many times, so its pointers can have very many buffers.
#[derive(Default)]
struct Largest([(usize, usize); 2]);

impl Largest {
    fn add(&mut self, here: usize, bytes: usize) {
        let [first, second] = &mut self.0;
        if first.0 == here {
            first.1 = first.1.max(bytes);
        } else if bytes > first.1 {
            (*first, *second) = ((here, bytes), *first);
        } else if bytes > second.1 {
            *second = (here, bytes);
        }
    }

    /// Returns whether a buffer at another address than `here` is larger.
    fn exceeds(&self, here: usize, bytes: usize) -> bool {
        self.0.iter().any(|(other, size)| *other != here && *size > bytes)
    }
}

/// An index of the first buffers of a list.
#[derive(Default)]
struct Index<T> {
    /// The number of buffers that the index contains.
    count: usize,
    of: T,
}

impl<T> Index<T> {
    /// Adds the buffers that the index does not contain yet.
    fn update(&mut self, all: &[BufferEntry], mut add: impl FnMut(&mut T, u32, &BufferEntry)) -> &mut T {
        for (at, entry) in (self.count as u32..).zip(all.get(self.count..).unwrap_or_default()) {
            add(&mut self.of, at, entry);
        }
        self.count = all.len();
        &mut self.of
    }
}

/// The buffers with a lifetime whose contents a later pointer can repeat, by the type of the elements and the [`lifetime_key`]. Buffers are in one
/// list of ranges only if they agree in the other properties that `repeated` compares.
type Repeatable = HashMap<(usize, (usize, usize)), Vec<([bool; 4], OuterRanges)>>;

/// The kind of buffer that a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sought {
    Anything,
    Written,
    /// Memory of which the other side has a separate copy for this call.
    Copied,
    /// Such memory that is written.
    WrittenCopied,
    Shape(Shape),
    /// Elements of this type whose contents the request carries.
    Element(usize),
    /// Blocks that the request passes with `own`.
    Passed,
}

impl Sought {
    fn is(self, entry: &BufferEntry) -> bool {
        match self {
            Sought::Anything => true,
            Sought::Written => entry.is_written,
            Sought::Copied => entry.region == 0 && entry.repeats.is_none() && !entry.is_owner && !entry.accepts_data,
            Sought::WrittenCopied => entry.is_written && Sought::Copied.is(entry),
            Sought::Shape(shape) => entry.shape == shape,
            Sought::Element(element) => entry.element == element && entry.valid != 0,
            Sought::Passed => entry.is_passed(),
        }
    }
}

/// Adds a buffer with its elements that the message carries.
fn add_repeatable(repeatable: &mut Repeatable, at: u32, entry: &BufferEntry, scopes: &Scopes) {
    if entry.region == 0 || entry.valid == 0 {
        return;
    }
    let properties = [entry.is_in, entry.is_out, entry.outlives, entry.is_inherited];
    let key = (entry.element, lifetime_key(entry.lifetime, entry.scope, scopes));
    let same = repeatable.entry(key).or_default();
    let found = same.iter().position(|(one, _)| *one == properties).unwrap_or(same.len());
    if found == same.len() {
        same.push((properties, OuterRanges::default()));
    }
    let carried = entry.bytes / entry.count.max(1) as usize * entry.valid as usize;
    same[found].1.add(entry.here, entry.here + carried, at);
}

impl Deref for BufferEntries {
    type Target = [BufferEntry];

    fn deref(&self) -> &[BufferEntry] {
        &self.all
    }
}

impl BufferEntries {
    pub fn clear(&mut self) {
        self.reset_search();
        self.all.clear();
    }

    /// Makes this side keep the blocks that the call passed: it frees none of them, whether the call succeeded or not.
    pub fn keep_passed_blocks(&mut self) {
        self.all.iter_mut().for_each(|entry| entry.frees_on = None);
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut BufferEntry> {
        self.all.iter_mut()
    }

    /// Marks the buffers at these positions as memory that may have been freed.
    pub fn set_gone(&mut self, positions: &[usize]) {
        for n in positions {
            if let Some(entry) = self.all.get_mut(*n) {
                entry.is_gone = true;
            }
        }
    }

    /// Marks the buffer of the pointer at `slot` as one whose contents the reply does not carry.
    pub fn set_left_out(&mut self, slot: usize) {
        let entry = self.at_slot(slot).and_then(|at| self.all.get_mut(at));
        entry.into_iter().for_each(|entry| entry.is_left_out = true);
    }

    /// Removes the buffers in these ranges of memory, and the pointers in them, from the buffers that a reply can name.
    pub(super) fn remove_in(&mut self, gone: &OuterRanges<()>) {
        let contains = |address: usize| gone.between(address, address.saturating_add(1)).next().is_some();
        for entry in self.all.iter_mut().filter(|entry| entry.frees_on.is_none()) {
            let is_gone = contains(entry.here);
            entry.is_gone |= is_gone;
            entry.is_sent |= is_gone;
            if is_gone {
                (entry.here, entry.bytes, entry.count, entry.valid) = (0, 0, 0, 0);
            }
            if is_gone || contains(entry.slot) {
                entry.slot = BufferEntry::NONE.slot;
            }
        }
        self.reset_search();
    }

    pub(super) fn reset_search(&mut self) {
        self.cursor = 0;
        self.indexes = None;
    }

    /// Removes and returns all buffers.
    pub fn take(&mut self) -> Vec<BufferEntry> {
        self.reset_search();
        std::mem::take(&mut self.all)
    }

    /// Replaces the buffers by those of a suspended call.
    pub fn set(&mut self, all: Vec<BufferEntry>) {
        self.reset_search();
        self.all = all;
    }

    pub(super) fn push(&mut self, entry: BufferEntry) {
        self.all.push(entry);
    }

    /// Sets how many elements the message carries of the last recorded buffer.
    pub(super) fn carries(&mut self, valid: u64) {
        if let Some(entry) = self.all.last_mut() {
            entry.valid = valid;
        }
    }

    /// Returns the position of the buffer with which a message carries the contents of the buffer at `at`.
    pub(super) fn carrier(&self, at: u32) -> u32 {
        self.all.get(at as usize).and_then(|entry| entry.repeats).unwrap_or(at)
    }

    /// Returns a buffer whose contents the reply has not carried yet, and marks them as carried.
    pub(super) fn take_contents(&mut self, at: u32) -> Option<BufferEntry> {
        let entry = self.all.get_mut(at as usize).filter(|entry| entry.has_unsent())?;
        entry.is_sent = true;
        Some(*entry)
    }

    fn by_slot(&mut self) -> &mut BTreeSet<(usize, u32)> {
        self.indexes
            .get_or_insert_default()
            .by_slot
            .update(&self.all, |by_slot, at, entry| _ = by_slot.insert((entry.slot, at)))
    }

    fn largest(&mut self) -> &mut HashMap<usize, Largest> {
        let add = |largest: &mut HashMap<usize, Largest>, _, entry: &BufferEntry| {
            largest.entry(entry.slot).or_default().add(entry.here, entry.bytes);
        };
        self.indexes.get_or_insert_default().largest.update(&self.all, add)
    }

    fn by_address(&mut self, sought: Sought) -> &OuterRanges {
        let by_address = &mut self.indexes.get_or_insert_default().by_address;
        by_address.entry(sought).or_default().update(&self.all, |ranges, at, entry| {
            if sought.is(entry) && entry.bytes != 0 {
                ranges.add(entry.here, entry.end(), at);
            }
        })
    }

    /// Returns the position of the buffer of the pointer at `slot`. If several buffers match, returns the first match after the previous result.
    pub(super) fn at_slot(&mut self, slot: usize) -> Option<usize> {
        let is_it = |entry: Option<&BufferEntry>| entry.is_some_and(|entry| entry.slot == slot);
        let at = if is_it(self.all.get(self.cursor)) {
            self.cursor
        } else if self.all.len() <= FEW {
            let count = self.all.len();
            (0..count).map(|n| (self.cursor + n) % count).find(|n| is_it(self.all.get(*n)))?
        } else {
            let (cursor, by_slot) = (self.cursor as u32, self.by_slot());
            let next = by_slot.range((slot, cursor)..=(slot, u32::MAX)).next();
            next.or_else(|| by_slot.range((slot, 0)..(slot, cursor)).next())?.1 as usize
        };
        self.cursor = at + 1;
        Some(at)
    }

    /// Returns the size in bytes of the largest buffer at `here` to which the pointer at `slot` led in this message.
    pub(super) fn bytes_at(&mut self, slot: usize, here: usize) -> Option<usize> {
        if self.all.len() <= FEW {
            let entries = self.all.iter().filter(|entry| entry.slot == slot && entry.here == here);
            return entries.map(|entry| entry.bytes).max();
        }
        let sizes = self.indexes.get_or_insert_default().sizes.update(&self.all, |sizes, _, entry| {
            let size = sizes.entry((entry.slot, entry.here)).or_default();
            *size = entry.bytes.max(*size);
        });
        sizes.get(&(slot, here)).copied()
    }

    /// Returns the buffers of the pointers at these addresses, and removes the pointers from the buffers.
    pub(super) fn take_slots(&mut self, slots: Range<usize>) -> SmallVec<[BufferEntry; 1]> {
        let mut taken = SmallVec::new();
        let mut take = |entry: &mut BufferEntry| {
            taken.push(*entry);
            entry.slot = usize::MAX;
        };
        if self.all.len() <= FEW {
            self.all.iter_mut().filter(|entry| slots.contains(&entry.slot)).for_each(take);
            return taken;
        }
        let by_slot = self.by_slot();
        let found: SmallVec<[(usize, u32); 4]> = by_slot.range((slots.start, 0)..(slots.end, 0)).copied().collect();
        for one in &found {
            by_slot.remove(one);
        }
        let largest = self.largest();
        for (slot, _) in &found {
            largest.remove(slot);
        }
        for (_, at) in found {
            self.all.get_mut(at as usize).map(&mut take);
        }
        taken
    }

    /// Returns whether the pointer at `slot` led to a larger buffer at another address than `here` before.
    pub(super) fn replaces(&mut self, slot: usize, here: usize, bytes: usize) -> bool {
        let is_replaced = |entry: &BufferEntry| entry.slot == slot && entry.here != here && entry.bytes > bytes;
        if self.all.len() <= FEW {
            return self.all.iter().any(is_replaced);
        }
        let largest = self.largest();
        largest.get(&slot).is_some_and(|largest| largest.exceeds(here, bytes))
    }

    /// Returns the positions of buffers with elements of this type and with this lifetime that may carry the element at `here`.
    pub(super) fn repeatable(
        &mut self,
        element: usize,
        retained: Retained,
        here: usize,
        scopes: &Scopes,
    ) -> SmallVec<[usize; FEW]> {
        if self.all.len() <= FEW {
            return (0..self.all.len()).collect();
        }
        let add = |all: &mut Repeatable, at: u32, entry: &BufferEntry| add_repeatable(all, at, entry, scopes);
        let repeatable = self.indexes.get_or_insert_default().repeatable.update(&self.all, add);
        let same = repeatable.get(&(element, lifetime_key(retained.lifetime, retained.scope, scopes)));
        same.into_iter().flatten().filter_map(|(_, ranges)| Some(ranges.at(here)?.0 as usize)).collect()
    }

    /// Returns the position of the first buffer that ends at an address.
    pub(super) fn ending(&mut self, address: usize) -> Option<usize> {
        if self.all.len() <= FEW {
            return self.all.iter().position(|entry| entry.end() == address);
        }
        let by_end = &mut self.indexes.get_or_insert_default().by_end;
        let by_end = by_end.update(&self.all, |by_end, at, entry| _ = by_end.entry(entry.end()).or_insert(at));
        by_end.get(&address).map(|at| *at as usize)
    }

    /// Returns whether a buffer has a byte between these addresses.
    pub(super) fn overlaps(&mut self, start: usize, end: usize, sought: Sought) -> bool {
        if self.all.len() <= FEW {
            return self.all.iter().any(|entry| sought.is(entry) && entry.overlaps(start, end));
        }
        self.by_address(sought).between(start, end).next().is_some()
    }

    /// Returns whether a buffer of which the other side has a separate copy for this call has a byte between these addresses.
    pub fn has_copy_of(&mut self, (start, end): (usize, usize), is_written: bool) -> bool {
        self.overlaps(start, end, if is_written { Sought::Copied } else { Sought::WrittenCopied })
    }

    /// Returns the position of the buffer that contains `bytes` bytes at `address`.
    pub(super) fn containing(&mut self, address: usize, bytes: usize, sought: Sought) -> Option<usize> {
        let contains = |entry: &BufferEntry| {
            let is_inside = (entry.here..entry.end()).contains(&address) && bytes <= entry.end() - address;
            let fits = match sought {
                Sought::Shape(shape) => shape.fits(entry.shape, address - entry.here.min(address)),
                _ => true,
            };
            sought.is(entry) && is_inside && fits
        };
        if self.all.len() <= FEW {
            return self.all.iter().position(contains);
        }
        let at = self.by_address(sought).at(address)?.0 as usize;
        self.all.get(at).filter(|entry| contains(entry)).map(|_| at)
    }
}

impl BufferEntry {
    /// Returns whether the buffer has a byte between these addresses.
    fn overlaps(&self, start: usize, end: usize) -> bool {
        self.bytes != 0 && self.here < end && start < self.end()
    }

    /// Returns whether the request carries the contents of `bytes` bytes from `offset`, in all directions in which `buffer` is copied.
    pub(super) fn has_contents_of(&self, buffer: &'static Buffer, offset: usize, bytes: usize) -> bool {
        let stride = buffer.stride.max(1);
        let is_same = self.element == element_key(buffer) && offset.is_multiple_of(stride);
        let is_carried = (offset + bytes).div_ceil(stride) as u64 <= self.valid;
        let does_as_much = (self.is_in || !buffer.is_in) && (self.is_out || !buffer.is_out);
        is_same && is_carried && does_as_much
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(slot: usize, here: usize, bytes: usize, shape: Shape) -> BufferEntry {
        BufferEntry { slot, here, bytes, shape, ..BufferEntry::NONE }
    }

    /// The index returns what a linear search returns.
    #[test]
    fn visits_many_searched_by_slot_and_address_as_few() {
        let mut many = BufferEntries::default();
        for n in 0..200 {
            many.push(entry(n, 0x1000 + n * 64, 48, if n % 2 == 0 { Shape::Flat } else { Shape::Blocks(0, 16) }));
        }
        assert_eq!(many.at_slot(150), Some(150));
        assert_eq!(many.at_slot(151), Some(151));
        assert_eq!(many.at_slot(3), Some(3));
        assert_eq!(many.at_slot(200), None);
        assert_eq!(many.containing(0x1000 + 64 * 7 + 47, 1, Sought::Anything), Some(7));
        assert_eq!((many.ending(0x1000 + 64 * 7 + 48), many.ending(0x1000 + 64 * 7)), (Some(7), None));
        assert_eq!(many.containing(0x1000 + 64 * 7 + 47, 2, Sought::Anything), None);
        assert!(many.overlaps(0x1000 + 64 * 7 + 47, 0x1000 + 64 * 7 + 48, Sought::Anything));
        assert!(!many.overlaps(0x1000 + 64 * 7 + 48, 0x1000 + 64 * 8, Sought::Anything));
        assert!(!many.overlaps(0x1000, 0x9000, Sought::Written));
        for n in 0..4 {
            many.push(entry(300, 0x9000 + n % 3 * 64, 16 + n, Shape::Flat));
        }
        let replaces = |(here, bytes)| many.replaces(300, here, bytes);
        let sought = [(0x9000, 18), (0x9000, 17), (0x9040, 18), (0x9040, 19), (0x9080, 18)];
        assert_eq!(sought.map(replaces), [false, true, true, false, true]);
        many.push(entry(200, 0x1000 + 64 * 7 + 56, 0, Shape::Flat));
        assert!(!many.overlaps(0x1000 + 64 * 7 + 48, 0x1000 + 64 * 8, Sought::Anything));
        assert_eq!(many.containing(0x1000 + 64 * 7, 16, Sought::Shape(Shape::Flat)), None);
        assert_eq!(many.containing(0x1000 + 64 * 7 + 16, 32, Sought::Shape(Shape::Blocks(0, 16))), Some(7));
        assert_eq!(many.containing(0x1000 + 64 * 7 + 8, 32, Sought::Shape(Shape::Blocks(0, 16))), None);
        let sizes =
            [(300, 0x9000), (300, 0x9040), (300, 0x90c0), (301, 0x9000)].map(|(slot, here)| many.bytes_at(slot, here));
        assert_eq!(sizes, [Some(19), Some(17), None, None]);
    }

    /// No search in the buffers of a call returns a buffer of an earlier call.
    #[test]
    fn searches_start_anew_with_each_call() {
        let mut buffers = BufferEntries::default();
        for count in [3, FEW + 1, FEW, 2, 3 * FEW] {
            buffers.clear();
            for n in 0..count {
                let slot = 100 * count + n;
                buffers.push(entry(slot, 0x1000 + n * 64, 48, Shape::Flat));
                assert_eq!(buffers.bytes_at(slot, 0x1000 + n * 64), Some(48));
                assert!(!buffers.replaces(slot, 0, 48) && buffers.replaces(slot, 0, 47));
                assert!(buffers.overlaps(0x1000 + n * 64, 0x1001 + n * 64, Sought::Anything));
            }
            let taken = buffers.take_slots(100 * count..100 * count + 1);
            assert_eq!(taken.iter().map(|entry| entry.here).collect::<Vec<_>>(), [0x1000]);
            for n in (0..count).rev() {
                assert_eq!(buffers.at_slot(100 * count + n), (n > 0).then_some(n));
                assert_eq!(buffers.ending(0x1030 + n * 64), Some(n));
            }
            for other in [3, FEW + 1, FEW, 2, 3 * FEW].into_iter().filter(|other| *other != count) {
                assert!((0..other).all(|n| buffers.at_slot(100 * other + n).is_none()));
            }
        }
    }
}
