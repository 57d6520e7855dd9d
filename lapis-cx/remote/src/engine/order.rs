//! Monitors: what never runs at the same time. (Language, clauses `monitor` and `atomic`)

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What a call shares with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Global,
    /// A thread of the worker.
    Thread(u64),
    /// What the library knows something by.
    Value(u64),
}

/// The monitors of a library. Who waits goes in the order in which it came; a chain of calls, which is a thread, enters again
/// what it holds.
#[derive(Default)]
pub(crate) struct Monitors {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    held: HashMap<Key, (u64, u32)>,
    waiting: VecDeque<(u64, Vec<Key>)>,
    next: u64,
}

/// Keys that are held.
pub(crate) struct Held<'a> {
    monitors: &'a Monitors,
    keys: Vec<Key>,
}

impl Monitors {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nobody else holds one of these, and holds them.
    pub fn enter(&self, thread: u64, keys: Vec<Key>) -> Held<'_> {
        if keys.is_empty() {
            return Held { monitors: self, keys };
        }
        let mut state = self.lock();
        if !state.is_free(thread, &keys, None) {
            let turn = state.next;
            state.next += 1;
            state.waiting.push_back((turn, keys.clone()));
            while !state.is_free(thread, &keys, Some(turn)) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.waiting.retain(|(one, _)| *one != turn);
        }
        for key in &keys {
            state.held.entry(*key).or_insert((thread, 0)).1 += 1;
        }
        Held { monitors: self, keys }
    }
}

impl State {
    /// Whether a thread may hold these: nobody else does, and nobody who came before waits for one that it does not hold yet.
    fn is_free(&self, thread: u64, keys: &[Key], turn: Option<u64>) -> bool {
        keys.iter().all(|key| match self.held.get(key) {
            Some((owner, _)) => *owner == thread,
            None => {
                let mut before = self.waiting.iter().take_while(|(one, _)| Some(*one) != turn);
                !before.any(|(_, wanted)| wanted.contains(key))
            }
        })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.keys.is_empty() {
            return;
        }
        let mut state = self.monitors.lock();
        for key in &self.keys {
            if let Some((_, depth)) = state.held.get_mut(key) {
                *depth -= 1;
                if *depth == 0 {
                    state.held.remove(key);
                }
            }
        }
        let someone_waits = !state.waiting.is_empty();
        drop(state);
        if someone_waits {
            self.monitors.changed.notify_all();
        }
    }
}
