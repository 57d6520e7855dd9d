//! Calls that nobody waits for: what comes back of them comes with a later call, and objects that they make have an identifier
//! before they are there. (Language, clauses `async` and `flush`)

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError};

use super::eval::Number;
use super::memory::Allocation;
use super::order::Keys;
use super::walk::{Kept, Scratch, Visit, Walk};
use crate::locks::{Condvar, Mutex, MutexGuard};
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
    pub unsafe fn new(call: &'static Call, from: usize, bytes: usize, mut parts: Parts) -> Option<Asked> {
        let arguments = Allocation::zeroed(bytes)?;
        let to = arguments.address();
        // SAFETY: as the caller says; the copy is as large.
        unsafe { super::memory::bytes_mut(to, bytes).copy_from_slice(super::memory::bytes(from, bytes)) };
        let moved = |own: &mut usize| {
            if *own == from {
                *own = to;
            }
        };
        for visit in parts.visits.iter_mut().chain(&mut parts.unsaid) {
            moved(&mut visit.own);
            if let Some(offset) = visit.slot.checked_sub(from).filter(|offset| *offset < bytes) {
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

/// An object that the guest named before it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// What the library knows it by.
    Made(u64),
    /// Its call failed.
    Failed,
}

/// The highest bit says that the guest made an identifier.
pub(crate) fn is_minted(id: u64, bytes: usize) -> bool {
    id >> (8 * bytes.clamp(4, 8) - 1) & 1 == 1 && (bytes == 8 || id >> 32 == 0)
}

/// An identifier that the guest makes.
pub(crate) fn mint(number: u64, bytes: usize) -> u64 {
    let bits = 8 * bytes.clamp(4, 8) - 1;
    1 << bits | number & ((1 << bits) - 1)
}

/// Which of them it was.
pub(crate) fn number_of(id: u64, bytes: usize) -> u64 {
    id & ((1 << (8 * bytes.clamp(4, 8) - 1)) - 1)
}

/// Objects by the identifiers that the guest made.
#[derive(Default)]
pub(crate) struct Names {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    known: HashMap<(u32, u64), Named>,
    /// Identifiers that were known once; all below `first` were.
    seen: BTreeSet<u64>,
    first: u64,
    is_over: bool,
}

impl Names {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call that makes an object was done.
    pub fn name(&self, kind: u32, id: u64, number: u64, named: Named) {
        let mut state = self.state();
        state.known.insert((kind, id), named);
        state.seen.insert(number);
        while let first = state.first
            && state.seen.remove(&first)
        {
            state.first += 1;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// What an identifier means. It is waited for if its call was not done yet.
    pub fn find(&self, kind: u32, id: u64, number: u64) -> Option<Named> {
        let mut state = self.state();
        loop {
            if let Some(named) = state.known.get(&(kind, id)) {
                return Some(*named);
            }
            if state.is_over || number < state.first || state.seen.contains(&number) {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The object is gone.
    pub fn forget(&self, kind: u32, id: u64) {
        self.state().known.remove(&(kind, id));
    }

    /// Nobody waits any more.
    pub fn end(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }
}
