//! Calls that nobody waits for: what comes back of them comes with a later call, and objects that they make have an identifier
//! before they are there. (Language, clauses `async` and `flush`)

use std::sync::Arc;

use super::order::Keys;
use crate::marshal::access::{bytes, bytes_mut};
use crate::marshal::eval::Number;
use crate::marshal::memory::Allocation;
use crate::marshal::{Kept, Scratch, Visit, Walk};
use crate::plan::Call;

/// What is kept of a walk until the results come.
#[derive(Default)]
pub(crate) struct Parts {
    pub visits: Vec<Visit>,
    pub unsaid: Vec<Visit>,
    pub kept: Vec<Kept>,
    pub old_blocks: Vec<(usize, usize)>,
    pub olds: Vec<Number>,
}

impl Walk<'_> {
    /// Whether something comes back that is not there yet.
    pub fn is_open(&self) -> bool {
        self.visits.iter().any(|visit| visit.takes_out && visit.minted.is_none())
    }

    /// What is needed of it later.
    pub fn part(&mut self) -> Parts {
        Parts {
            visits: self.visits.take(),
            unsaid: std::mem::take(self.unsaid),
            kept: std::mem::take(self.kept),
            old_blocks: self.stage.old_blocks.clone(),
            olds: self.stage.olds.clone(),
        }
    }

    /// Goes on at exit.
    pub fn resume(&mut self, parts: Parts) {
        self.visits.set(parts.visits);
        (*self.unsaid, *self.kept) = (parts.unsaid, parts.kept);
        (self.stage.old_blocks, self.stage.olds) = (parts.old_blocks, parts.olds);
        self.stage.is_entry = false;
    }
}

/// A call of the guest whose results are still to come. Its struct of arguments ended with the call: this is a copy.
pub(crate) struct Asked {
    pub call: &'static Call,
    pub arguments: Allocation,
    pub parts: Parts,
    /// Memory for arguments that the program left out.
    pub in_use: Vec<Arc<Allocation>>,
}

impl Asked {
    /// # Safety
    ///
    /// The struct of arguments is there, of so many bytes.
    pub unsafe fn new(call: &'static Call, from: usize, size: usize, mut parts: Parts) -> Option<Asked> {
        let arguments = Allocation::zeroed(size)?;
        let to = arguments.address();
        // SAFETY: as the caller says; the copy is as large.
        unsafe { bytes_mut(to, size).copy_from_slice(bytes(from, size)) };
        let moved = |own: &mut usize| {
            if *own == from {
                *own = to;
            }
        };
        for visit in parts.visits.iter_mut().chain(&mut parts.unsaid) {
            moved(&mut visit.own);
            if let Some(offset) = visit.slot.checked_sub(from).filter(|offset| *offset < size) {
                visit.slot = to + offset;
            }
        }
        parts.kept.iter_mut().for_each(|kept| moved(&mut kept.own));
        parts.old_blocks.iter_mut().for_each(|(own, _)| moved(own));
        Some(Asked { call, arguments, parts, in_use: Vec::new() })
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
pub(crate) struct News {
    pub failed: Vec<(u32, i64)>,
    pub dropped: Vec<u64>,
    pub done: Vec<Done>,
}
