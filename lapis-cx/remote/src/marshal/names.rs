//! Identifiers that the guest gives to objects of asynchronous calls before the worker has made them.

use std::collections::{BTreeSet, HashMap};
use std::sync::PoisonError;

use crate::locks::{Condvar, Mutex, MutexGuard};

/// An object that the guest named before it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// What the library knows it by.
    Made(u64),
    /// Its call failed.
    Failed,
}

/// The highest bit says that the guest made an identifier.
pub(crate) fn is_provisional(id: u64, bytes: usize) -> bool {
    id >> (8 * bytes.clamp(4, 8) - 1) & 1 == 1 && (bytes == 8 || id >> 32 == 0)
}

/// An identifier that the guest makes.
pub(crate) fn provisional_id(number: u64, bytes: usize) -> u64 {
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
