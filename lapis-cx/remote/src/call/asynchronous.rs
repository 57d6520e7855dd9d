//! Asynchronous calls. A later reply delivers their results, and the guest allocates ids for the objects that they make. (Language, clauses
//! `async` and `flush`)

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::order::Keys;
use crate::marshal::access::{bytes, bytes_mut};
use crate::marshal::memory::Allocation;
use crate::marshal::scopes::Scopes;
use crate::marshal::{BufferEntry, Kept, Marshaller, Scratch};
use crate::plan::Call;

/// The parts of a marshaller that are kept until the results arrive.
#[derive(Default)]
pub(crate) struct Parts {
    pub entries: Vec<BufferEntry>,
    pub unsent: Vec<BufferEntry>,
    pub kept: Vec<Kept>,
    pub scopes: Box<Scopes>,
}

impl Marshaller<'_> {
    /// Returns whether the call has `out` buffers whose contents have not arrived.
    pub fn is_open(&self) -> bool {
        self.entries.iter().any(|entry| entry.takes_out && entry.provisional.is_none())
    }

    /// Takes the parts that are needed when the results arrive.
    pub fn part(&mut self) -> Parts {
        Parts {
            entries: self.entries.take(),
            unsent: std::mem::take(self.unsent),
            kept: std::mem::take(self.kept),
            scopes: Box::new(self.stage.scopes.clone()),
        }
    }

    /// Restores the parts, in the state after the call.
    pub fn resume(&mut self, parts: Parts) {
        self.entries.set(parts.entries);
        (*self.unsent, *self.kept) = (parts.unsent, parts.kept);
        self.stage.scopes = *parts.scopes;
        self.stage.is_entry = false;
    }
}

/// An asynchronous call of the guest whose results have not arrived. The program's argument struct is gone, so this holds a copy.
pub(crate) struct SentCall {
    pub call: &'static Call,
    pub arguments: Allocation,
    pub parts: Parts,
    /// The lanes of the call. A synchronous call that shares one of them brings the results.
    pub keys: Keys,
    /// Memory that replaces `out` arguments which the program passed as null.
    pub in_use: Vec<Arc<Allocation>>,
}

impl SentCall {
    /// Copies the argument struct and redirects `parts` to the copy. Returns `None` if there is no memory.
    ///
    /// # Safety
    ///
    /// `from` must be the address of `size` readable bytes, the argument struct of the call.
    pub unsafe fn new(
        (call, keys): (&'static Call, Keys),
        (from, size): (usize, usize),
        mut parts: Parts,
    ) -> Option<SentCall> {
        let arguments = Allocation::zeroed(size)?;
        let to = arguments.address();
        // SAFETY: the caller guarantees `size` bytes at `from`, and the new allocation has `size` bytes.
        unsafe { bytes_mut(to, size).copy_from_slice(bytes(from, size)) };
        for entry in parts.entries.iter_mut().chain(&mut parts.unsent) {
            if let Some(offset) = entry.slot.checked_sub(from).filter(|offset| *offset < size) {
                entry.slot = to + offset;
            }
        }
        parts.scopes.move_arguments(from, size, to);
        Some(SentCall { call, arguments, parts, keys, in_use: Vec::new() })
    }

    /// Returns the buffers of the program that the results change: start and end of each.
    fn buffers(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_open = |entry: &&BufferEntry| entry.takes_out && entry.provisional.is_none() && entry.bytes != 0;
        self.parts.entries.iter().filter(is_open).map(|entry| (entry.here, entry.here.saturating_add(entry.bytes)))
    }
}

/// The asynchronous calls of a guest whose results have not arrived.
#[derive(Default)]
pub(crate) struct SentCalls {
    calls: HashMap<u64, SentCall>,
    /// The buffers that their results change: the end of each, and the number of the call, by start. No call is sent with a buffer that overlaps
    /// one of an earlier call, so they are disjoint.
    buffers: BTreeMap<usize, (usize, u64)>,
}

impl SentCalls {
    pub fn add(&mut self, id: u64, sent_call: SentCall) {
        for (mut start, mut end) in sent_call.buffers() {
            // Buffers of one call may overlap, and so may those of threads that race.
            while let Some((other, (last, _))) = self.overlapping(start, end) {
                self.buffers.remove(&other);
                (start, end) = (start.min(other), end.max(last));
            }
            self.buffers.insert(start, (end, id));
        }
        self.calls.insert(id, sent_call);
    }

    pub fn take(&mut self, id: u64) -> Option<SentCall> {
        let sent_call = self.calls.remove(&id)?;
        for (start, end) in sent_call.buffers() {
            if let Some((other, _)) = self.overlapping(start, end).filter(|(_, (_, of))| *of == id) {
                self.buffers.remove(&other);
            }
        }
        Some(sent_call)
    }

    /// Forgets all calls, in the child of a fork.
    pub fn clear(&mut self) {
        *self = SentCalls::default();
    }

    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the lanes of a call whose results change memory between these addresses.
    pub fn lanes_of(&self, start: usize, end: usize) -> Option<&Keys> {
        let (_, (_, id)) = self.overlapping(start, end)?;
        self.calls.get(&id).map(|one| &one.keys)
    }

    fn overlapping(&self, start: usize, end: usize) -> Option<(usize, (usize, u64))> {
        let (other, range) = self.buffers.range(..end).next_back()?;
        (start < range.0).then_some((*other, *range))
    }
}

/// An asynchronous call that the worker finished, with results that the guest has not received.
pub(crate) struct Done {
    pub id: u64,
    /// The function.
    pub number: u32,
    pub call: &'static Call,
    pub arguments: usize,
    /// The memory of the decoded arguments.
    pub scratch: Box<Scratch>,
    /// The size in bytes of this memory.
    pub cost: usize,
    pub parts: Parts,
    pub success: bool,
    /// The lanes of the call. A synchronous call that shares a lane delivers the results.
    pub keys: Keys,
    /// When the call was over. Only calls that started later deliver the results: an outer call that started earlier does not, and neither
    /// does one that ran at the same time.
    pub over: u64,
}

/// The information about asynchronous calls that the next reply delivers.
pub(crate) struct LateResults {
    pub failed: Vec<(u32, i64)>,
    pub dropped: Vec<u64>,
    pub done: Vec<Done>,
}
