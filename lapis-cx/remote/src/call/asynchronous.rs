//! Calls that nobody waits for: what comes back of them comes with a later call, and objects that they make have an identifier
//! before they are there. (Language, clauses `async` and `flush`)

use std::sync::Arc;

use super::order::Keys;
use crate::marshal::access::{bytes, bytes_mut};
use crate::marshal::eval::Number;
use crate::marshal::memory::Allocation;
use crate::marshal::{BufferEntry, Kept, Marshaller, Scratch};
use crate::plan::Call;

/// What is kept of a walk until the results come.
#[derive(Default)]
pub(crate) struct Parts {
    pub entries: Vec<BufferEntry>,
    pub unsent: Vec<BufferEntry>,
    pub kept: Vec<Kept>,
    pub snapshot_blocks: Vec<(usize, usize)>,
    pub snapshots: Vec<Number>,
}

impl Marshaller<'_> {
    /// Whether something comes back that is not there yet.
    pub fn is_open(&self) -> bool {
        self.entries.iter().any(|entry| entry.takes_out && entry.provisional.is_none())
    }

    /// What is needed of it later.
    pub fn part(&mut self) -> Parts {
        Parts {
            entries: self.entries.take(),
            unsent: std::mem::take(self.unsent),
            kept: std::mem::take(self.kept),
            snapshot_blocks: self.stage.snapshot_blocks.clone(),
            snapshots: self.stage.snapshots.clone(),
        }
    }

    /// Goes on at exit.
    pub fn resume(&mut self, parts: Parts) {
        self.entries.set(parts.entries);
        (*self.unsent, *self.kept) = (parts.unsent, parts.kept);
        (self.stage.snapshot_blocks, self.stage.snapshots) = (parts.snapshot_blocks, parts.snapshots);
        self.stage.is_entry = false;
    }
}

/// A call of the guest whose results are still to come. Its struct of arguments ended with the call: this is a copy.
pub(crate) struct SentCall {
    pub call: &'static Call,
    pub arguments: Allocation,
    pub parts: Parts,
    /// Memory for arguments that the program left out.
    pub in_use: Vec<Arc<Allocation>>,
}

impl SentCall {
    /// # Safety
    ///
    /// The struct of arguments is there, of so many bytes.
    pub unsafe fn new(call: &'static Call, from: usize, size: usize, mut parts: Parts) -> Option<SentCall> {
        let arguments = Allocation::zeroed(size)?;
        let to = arguments.address();
        // SAFETY: as the caller says; the copy is as large.
        unsafe { bytes_mut(to, size).copy_from_slice(bytes(from, size)) };
        let moved = |own: &mut usize| {
            if *own == from {
                *own = to;
            }
        };
        for entry in parts.entries.iter_mut().chain(&mut parts.unsent) {
            moved(&mut entry.own);
            if let Some(offset) = entry.slot.checked_sub(from).filter(|offset| *offset < size) {
                entry.slot = to + offset;
            }
        }
        parts.kept.iter_mut().for_each(|kept| moved(&mut kept.own));
        parts.snapshot_blocks.iter_mut().for_each(|(own, _)| moved(own));
        Some(SentCall { call, arguments, parts, in_use: Vec::new() })
    }
}

/// A call that the worker did, and whose results the guest still has to get.
pub(crate) struct Done {
    pub id: u64,
    pub call: &'static Call,
    pub arguments: usize,
    /// The memory of the call.
    pub scratch: Box<Scratch>,
    pub parts: Parts,
    pub success: bool,
    /// In which lanes it was ordered: a call that is waited for and shares one brings the results.
    pub keys: Keys,
    /// When it started, of all calls of its guest: one that started before it, around the callback that made it, does not bring them.
    pub started: u64,
}

/// What the next reply tells the guest about asynchronous calls.
pub(crate) struct LateResults {
    pub failed: Vec<(u32, i64)>,
    pub dropped: Vec<u64>,
    pub done: Vec<Done>,
}
