//! Asynchronous calls. A later reply delivers their results, and the guest allocates ids for the objects that they make. (Language, clauses
//! `async` and `flush`)

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
    /// Memory that replaces `out` arguments which the program passed as null.
    pub in_use: Vec<Arc<Allocation>>,
}

impl SentCall {
    /// Copies the argument struct and redirects `parts` to the copy. Returns `None` if there is no memory.
    ///
    /// # Safety
    ///
    /// `from` must be the address of `size` readable bytes, the argument struct of the call.
    pub unsafe fn new(call: &'static Call, from: usize, size: usize, mut parts: Parts) -> Option<SentCall> {
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
        Some(SentCall { call, arguments, parts, in_use: Vec::new() })
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
