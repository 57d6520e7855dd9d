//! Buffers and handles that one call has encoded or decoded so far.

use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;

use crate::marshal::shape::Shape;
use crate::plan::{Buffer, HandleValue, Kind, Lifetime, Value};

/// A buffer of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferEntry {
    /// The address of the pointer.
    pub slot: usize,
    /// The address that it held.
    pub here: usize,
    /// Elements.
    pub count: u64,
    /// Elements whose contents the request carries.
    pub valid: u64,
    pub bytes: usize,
    /// The region that was made for it, or 0.
    pub made: u32,
    pub lifetime: &'static Lifetime,
    pub ends_twin: bool,
    pub shape: Shape,
    /// What the elements are, as [`element_key`] identifies it.
    pub element: usize,
    /// It is the engine's memory: what the other side sends may be written there.
    pub is_ours: bool,
    pub takes_in: bool,
    /// Contents come back.
    pub takes_out: bool,
    /// The request carries nothing of what is in it.
    pub is_blank: bool,
    /// An earlier pointer of the same call has the same elements: they are carried once.
    pub is_repeated: bool,
    /// They are objects that the guest names: nothing comes back.
    pub provisional: Option<&'static HandleValue>,
    /// The scope of the value.
    pub own: usize,
}

impl BufferEntry {
    /// Nothing was there.
    pub const NONE: BufferEntry = BufferEntry {
        slot: usize::MAX,
        here: 0,
        count: 0,
        valid: 0,
        bytes: 0,
        made: 0,
        lifetime: &Lifetime::Call,
        ends_twin: false,
        shape: Shape::Flat,
        element: 0,
        is_ours: false,
        takes_in: false,
        takes_out: false,
        is_blank: false,
        is_repeated: false,
        provisional: None,
        own: 0,
    };

    /// Memory of the call in which several buffers overlap.
    pub(super) fn span(here: usize, bytes: usize) -> BufferEntry {
        BufferEntry { here, count: bytes as u64, bytes, is_ours: true, ..BufferEntry::NONE }
    }

    pub(super) fn end(&self) -> usize {
        self.here.saturating_add(self.bytes)
    }
}

/// Identifies what lies in a buffer: its block, or the buffer of the plan itself.
pub(super) fn element_key(buffer: &'static Buffer) -> usize {
    match &buffer.element.kind {
        // Addresses of the plan are larger.
        Kind::Block(id) => *id as usize,
        _ => std::ptr::from_ref(buffer).addr(),
    }
}

/// A handle of which a reference is given or taken, on the worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandleEntry {
    pub value: &'static Value,
    pub of: u32,
    pub bytes: usize,
    pub id: u64,
    pub is_own: bool,
    pub own: usize,
}

/// Searches are linear up to this many.
const FEW: usize = 16;

/// The buffers of a request, in its order.
#[derive(Default)]
pub(crate) struct BufferEntries {
    pub(super) all: Vec<BufferEntry>,
    /// Where the next search for a slot begins: a reply has them in the order of the request.
    cursor: usize,
    index: Index,
}

/// What makes searches fast among many. It is brought up to date by each of them.
#[derive(Default)]
struct Index {
    /// So many of them are in it.
    count: usize,
    by_slot: HashMap<usize, Vec<u32>>,
    /// By what is looked for: intervals of memory of which none contains another, so the last one that begins before an address reaches
    /// furthest behind it. Each with its end and position.
    by_address: HashMap<Sought, BTreeMap<usize, (usize, u32)>>,
}

/// What is looked for at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sought {
    Anything,
    Shape(Shape),
    /// Elements of one kind whose contents are carried.
    Element(usize),
}

impl Sought {
    fn is(self, entry: &BufferEntry) -> bool {
        match self {
            Sought::Anything => true,
            Sought::Shape(shape) => entry.shape == shape,
            Sought::Element(element) => entry.element == element && entry.valid != 0,
        }
    }
}

impl Index {
    fn add(&mut self, at: u32, entry: &BufferEntry) {
        self.by_slot.entry(entry.slot).or_default().push(at);
        for sought in [Sought::Anything, Sought::Shape(entry.shape), Sought::Element(entry.element)] {
            if sought.is(entry) {
                add_interval(self.by_address.entry(sought).or_default(), entry.here, (entry.end(), at));
            }
        }
    }
}

/// Adds an interval, unless another one contains it. Those that it contains are removed.
fn add_interval(all: &mut BTreeMap<usize, (usize, u32)>, start: usize, (end, at): (usize, u32)) {
    if all.range(..=start).next_back().is_some_and(|(_, (last, _))| *last >= end) {
        return;
    }
    while let Some((inside, _)) = all.range(start..).next().filter(|(_, (last, _))| *last <= end) {
        let inside = *inside;
        all.remove(&inside);
    }
    all.insert(start, (end, at));
}

impl Deref for BufferEntries {
    type Target = [BufferEntry];

    fn deref(&self) -> &[BufferEntry] {
        &self.all
    }
}

impl BufferEntries {
    pub fn clear(&mut self) {
        self.all.clear();
        self.take_index();
    }

    fn take_index(&mut self) {
        self.cursor = 0;
        if self.index.count != 0 {
            self.index = Index::default();
        }
    }

    /// Removes all.
    pub fn take(&mut self) -> Vec<BufferEntry> {
        self.take_index();
        std::mem::take(&mut self.all)
    }

    /// Those of a call that goes on later.
    pub fn set(&mut self, all: Vec<BufferEntry>) {
        self.take_index();
        self.all = all;
    }

    pub(super) fn push(&mut self, entry: BufferEntry) {
        self.all.push(entry);
    }

    fn update_index(&mut self) {
        let BufferEntries { all, index, .. } = self;
        for (at, entry) in (index.count as u32..).zip(all.get(index.count..).unwrap_or_default()) {
            index.add(at, entry);
        }
        index.count = all.len();
    }

    /// The buffer of the pointer at `slot`. Where several have it, the next one behind that of the last search.
    pub(super) fn at_slot(&mut self, slot: usize) -> Option<usize> {
        let is_it = |entry: Option<&BufferEntry>| entry.is_some_and(|entry| entry.slot == slot);
        let at = if is_it(self.all.get(self.cursor)) {
            self.cursor
        } else if self.all.len() <= FEW {
            let count = self.all.len();
            (0..count).map(|n| (self.cursor + n) % count).find(|n| is_it(self.all.get(*n)))?
        } else {
            self.update_index();
            let known = self.index.by_slot.get(&slot)?;
            let next = known.iter().find(|at| **at as usize >= self.cursor).or(known.first())?;
            *next as usize
        };
        self.cursor = at + 1;
        Some(at)
    }

    /// The buffer in which `bytes` at an address lie.
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
        self.update_index();
        let (_, (_, at)) = self.index.by_address.get(&sought)?.range(..=address).next_back()?;
        self.all.get(*at as usize).filter(|entry| contains(entry)).map(|_| *at as usize)
    }
}

impl BufferEntry {
    /// Whether the request carries the contents of so many bytes from an offset on, for whatever `buffer` does with them.
    pub(super) fn has_contents_of(&self, buffer: &'static Buffer, offset: usize, bytes: usize) -> bool {
        let stride = buffer.stride.max(1);
        let is_same = self.element == element_key(buffer) && offset.is_multiple_of(stride);
        let is_carried = (offset + bytes).div_ceil(stride) as u64 <= self.valid;
        let does_as_much = (self.takes_in || !buffer.takes_in) && (self.takes_out || !buffer.takes_out);
        is_same && is_carried && does_as_much
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(slot: usize, here: usize, bytes: usize, shape: Shape) -> BufferEntry {
        BufferEntry { slot, here, bytes, shape, ..BufferEntry::NONE }
    }

    /// The index gives what a linear search gives.
    #[test]
    fn visits_many_searched_by_slot_and_address_as_few() {
        let mut many = BufferEntries::default();
        for n in 0..200 {
            many.push(entry(n, 0x1000 + n * 64, 48, if n % 2 == 0 { Shape::Flat } else { Shape::Blocks(16) }));
        }
        assert_eq!(many.at_slot(150), Some(150));
        assert_eq!(many.at_slot(151), Some(151));
        assert_eq!(many.at_slot(3), Some(3));
        assert_eq!(many.at_slot(200), None);
        assert_eq!(many.containing(0x1000 + 64 * 7 + 47, 1, Sought::Anything), Some(7));
        assert_eq!(many.containing(0x1000 + 64 * 7 + 47, 2, Sought::Anything), None);
        assert_eq!(many.containing(0x1000 + 64 * 7, 16, Sought::Shape(Shape::Flat)), None);
        assert_eq!(many.containing(0x1000 + 64 * 7 + 16, 32, Sought::Shape(Shape::Blocks(16))), Some(7));
        assert_eq!(many.containing(0x1000 + 64 * 7 + 8, 32, Sought::Shape(Shape::Blocks(16))), None);
    }

    #[test]
    fn visits_interval_larger_one_replaces_those_inside() {
        let mut all = BTreeMap::new();
        for (at, (start, end)) in (0..).zip([(10, 20), (30, 40), (12, 15), (5, 50), (45, 60), (5, 50)]) {
            add_interval(&mut all, start, (end, at));
        }
        assert_eq!(all.into_iter().collect::<Vec<_>>(), [(5, (50, 3)), (45, (60, 4))]);
    }
}
