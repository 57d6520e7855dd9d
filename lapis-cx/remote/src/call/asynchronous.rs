//! Asynchronous calls: the guest's calls whose results have not arrived, and the worker's results that the guest has not collected. The guest
//! allocates ids for the objects that such calls create. (Language, clauses `async` and `flush`)

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use smallvec::SmallVec;

use super::order::Keys;
use crate::locks::{Condvar, Mutex, MutexGuard};
use crate::marshal::access::{bytes, bytes_mut};
use crate::marshal::ended_memory::{EndedMemory, OwnMemory};
use crate::marshal::memory::Allocation;
use crate::marshal::scopes::Scopes;
use crate::marshal::tables::Tables;
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
    /// Returns whether the call has buffers whose results have not arrived.
    pub fn is_open(&self) -> bool {
        self.entries.iter().any(BufferEntry::has_late_results)
    }

    /// Returns whether an asynchronous call with results uses memory of the library, of which the guest has a copy.
    pub fn has_results_in_library_memory(&self) -> bool {
        let is_of_library = |id: u32| id != 0 && self.is_theirs(id) != self.is_worker();
        self.is_open() && self.entries.iter().any(|entry| is_of_library(entry.at.id))
    }

    /// Removes and returns the parts that are needed when the results arrive.
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

/// An asynchronous call of the guest whose results have not arrived. It has a copy of the argument struct, which no longer exists.
pub(crate) struct SentCall {
    pub call: &'static Call,
    pub arguments: Allocation,
    pub parts: Parts,
    /// The lanes of the call. The results arrive at the latest with the next synchronous call that shares one of these lanes.
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

    /// Returns start and end of the program's buffers that the results change.
    fn buffers(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_open = |entry: &&BufferEntry| entry.has_late_results() && entry.bytes != 0;
        self.parts.entries.iter().filter(is_open).map(|entry| (entry.here, entry.here.saturating_add(entry.bytes)))
    }
}

/// The number of asynchronous calls after which a guest collects the results and reports that the worker keeps for it.
const MOST_UNCOLLECTED: u32 = 1 << 12;

/// The asynchronous calls of a guest whose results have not arrived. A thread claims the calls whose results it needs, so each result is
/// decoded once. Other threads that need a claimed result wait until the claim is over.
#[derive(Default)]
pub(crate) struct SentCalls {
    state: Mutex<Expected>,
    /// Signals that a claim is over.
    changed: Condvar,
    /// False only if there are no such calls.
    has_any: AtomicBool,
    /// The number of the last call with results. The first one has the number 1.
    last: AtomicU64,
    /// The number of asynchronous calls since the last regular collection.
    uncollected: AtomicU32,
}

/// The state of [`SentCalls`].
#[derive(Default)]
pub(crate) struct Expected {
    calls: BTreeMap<u64, ExpectedCall>,
    /// The buffers that results change, by start: the end of each, and the number of its call. They are disjoint, because no call is sent with a
    /// buffer that overlaps a buffer of an earlier call.
    buffers: BTreeMap<usize, (usize, u64)>,
}

struct ExpectedCall {
    /// `None` while a thread claims the call.
    sent_call: Option<SentCall>,
    keys: Keys,
    buffers: SmallVec<[(usize, usize); 2]>,
    /// The program's memory that the call has sent.
    own_memory: Option<Box<OwnMemory>>,
    /// The positions of the buffers that a call in a callback has ended since.
    gone: Vec<usize>,
}

impl Expected {
    fn add(&mut self, id: u64, sent_call: SentCall, own_memory: Option<Box<OwnMemory>>) {
        let buffers: SmallVec<[(usize, usize); 2]> = sent_call.buffers().collect();
        for (mut start, mut end) in buffers.iter().copied() {
            // Buffers of one call may overlap, and so may buffers of calls that threads make at the same time.
            while let Some((other, (last, _))) = self.overlapping(start, end) {
                self.buffers.remove(&other);
                (start, end) = (start.min(other), end.max(last));
            }
            self.buffers.insert(start, (end, id));
        }
        let keys = sent_call.keys.clone();
        self.calls.insert(id, ExpectedCall { sent_call: Some(sent_call), keys, buffers, own_memory, gone: Vec::new() });
    }

    fn remove(&mut self, id: u64) {
        for (start, end) in self.calls.remove(&id).map(|one| one.buffers).unwrap_or_default() {
            if let Some((other, _)) = self.overlapping(start, end).filter(|(_, (_, of))| *of == id) {
                self.buffers.remove(&other);
            }
        }
    }

    fn overlapping(&self, start: usize, end: usize) -> Option<(usize, (usize, u64))> {
        let (other, range) = self.buffers.range(..end).next_back()?;
        (start < range.0).then_some((*other, *range))
    }
}

impl SentCalls {
    /// Returns the lock of the calls, for a fork.
    pub fn lock(&self) -> &Mutex<Expected> {
        &self.state
    }

    fn state(&self) -> MutexGuard<'_, Expected> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allocates the number of an asynchronous call with results.
    pub fn new_id(&self) -> u64 {
        self.last.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Returns the number of the next call if there may be calls whose results have not arrived. Earlier calls have lower numbers.
    #[inline(always)]
    pub fn next_id(&self) -> Option<u64> {
        self.has_any.load(Ordering::Relaxed).then(|| self.last.load(Ordering::SeqCst) + 1)
    }

    /// Registers a call before the guest sends it, because another thread may collect its results immediately afterwards.
    /// `own_memory` is the program's memory that the call sends, if other calls can end it.
    pub fn add(&self, id: u64, sent_call: SentCall, own_memory: Option<Box<OwnMemory>>) {
        self.state().add(id, sent_call, own_memory);
        self.has_any.store(true, Ordering::SeqCst);
    }

    /// Removes a call that was not sent.
    pub fn remove(&self, id: u64) {
        self.state().remove(id);
    }

    /// Removes all calls, in the child of a fork. Returns their number.
    pub fn clear(&self) -> usize {
        std::mem::take(&mut *self.state()).calls.len()
    }

    /// Returns a call whose results change memory between these addresses.
    pub fn call_that_changes(&self, start: usize, end: usize) -> Option<u64> {
        let (_, (_, id)) = self.state().overlapping(start, end)?;
        Some(id)
    }

    /// Returns the calls with lower numbers than `before` that share a lane with these keys.
    pub fn of_lanes(&self, keys: &[super::order::Key], before: u64) -> Vec<u64> {
        let state = self.state();
        self.has_any.store(!state.calls.is_empty(), Ordering::SeqCst);
        let shares = |one: &ExpectedCall| one.keys.iter().any(|key| keys.contains(key));
        state.calls.range(..before).filter(|(_, one)| shares(one)).map(|(id, _)| *id).collect()
    }

    /// Records that a call in a callback has ended memory, which the program may have freed when the results arrive.
    pub fn end_memory(&self, ended: &EndedMemory, tables: &mut Tables) {
        for call in self.state().calls.values_mut() {
            if let Some(own) = &call.own_memory {
                call.gone.extend(own.end(ended, tables));
            }
        }
    }

    /// Returns the positions of the buffers of a call that [`end_memory`](Self::end_memory) has ended.
    pub fn gone(&self, id: u64) -> Vec<usize> {
        self.state().calls.get_mut(&id).map(|call| std::mem::take(&mut call.gone)).unwrap_or_default()
    }

    /// Returns all calls.
    pub fn all(&self) -> Vec<u64> {
        self.state().calls.keys().copied().collect()
    }

    /// Counts an asynchronous call.
    pub fn count(&self) {
        self.uncollected.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns whether the guest should collect results and reports, and then restarts the count.
    pub fn is_collection_due(&self) -> bool {
        let is_due = self.uncollected.load(Ordering::Relaxed) >= MOST_UNCOLLECTED;
        if is_due {
            self.uncollected.store(0, Ordering::Relaxed);
        }
        is_due
    }

    /// Claims those of these calls that no other thread has claimed.
    pub fn claim(&self, ids: &[u64]) -> Claims<'_> {
        let mut state = self.state();
        let claim = |id: &u64| Some((*id, state.calls.get_mut(id)?.sent_call.take()?));
        Claims { sent_calls: self, calls: ids.iter().filter_map(claim).collect() }
    }

    /// Waits until no thread claims one of these calls. Returns the calls whose results have not arrived.
    pub fn wait(&self, ids: &[u64]) -> Vec<u64> {
        let mut state = self.state();
        let is_claimed =
            |state: &Expected| ids.iter().any(|id| state.calls.get(id).is_some_and(|one| one.sent_call.is_none()));
        while is_claimed(&state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        ids.iter().copied().filter(|id| state.calls.contains_key(id)).collect()
    }
}

/// Calls that a thread has claimed. Dropping this removes the calls that are left. Their results do not arrive, because the channel failed.
pub(crate) struct Claims<'a> {
    sent_calls: &'a SentCalls,
    pub calls: VecDeque<(u64, SentCall)>,
}

impl Claims<'_> {
    /// Ends the claim of the first call, and removes the call if it is over.
    pub fn end_first(&mut self, is_over: bool) {
        let Some((id, sent_call)) = self.calls.pop_front() else { return };
        let mut state = self.sent_calls.state();
        if is_over {
            state.remove(id);
        } else if let Some(one) = state.calls.get_mut(&id) {
            one.sent_call = Some(sent_call);
        }
    }
}

impl Drop for Claims<'_> {
    fn drop(&mut self) {
        let mut state = self.sent_calls.state();
        self.calls.iter().for_each(|(id, _)| state.remove(*id));
        drop(state);
        self.sent_calls.changed.notify_all();
    }
}

/// An asynchronous call that the worker finished, with results that the guest has not received.
pub(crate) struct Done {
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
}

/// The state of an asynchronous call whose results a guest collects.
pub(crate) enum Collected {
    /// The call is not over.
    NotOver,
    /// The call was refused, so it has no results.
    Nothing,
    Results(Done),
}

/// The largest number of calls without results that a worker stores for a guest. An honest guest collects them before.
const MOST_REFUSED: usize = 1 << 20;

/// The results of asynchronous calls of a guest, until the guest collects them.
#[derive(Default)]
pub(crate) struct Results {
    state: Mutex<Uncollected>,
    changed: Condvar,
}

#[derive(Default)]
struct Uncollected {
    /// By the number of the call. `None` if the call was refused.
    all: BTreeMap<u64, Option<Done>>,
    /// The number of refused calls.
    refused: usize,
    /// The number of threads that wait.
    waiting: usize,
    is_stopped: bool,
}

impl Uncollected {
    fn take(&mut self, id: u64) -> Collected {
        match self.all.remove(&id) {
            Some(Some(done)) => Collected::Results(done),
            Some(None) => {
                self.refused -= 1;
                Collected::Nothing
            }
            None => Collected::NotOver,
        }
    }
}

impl Results {
    fn state(&self) -> MutexGuard<'_, Uncollected> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the results of a call, or that it was refused. Returns `false` if the guest collects too few of them.
    pub fn store(&self, id: u64, done: Option<Done>) -> bool {
        let mut state = self.state();
        state.refused += usize::from(done.is_none());
        if state.all.insert(id, done).is_some_and(|earlier| earlier.is_none()) {
            state.refused -= 1;
        }
        let is_bounded = state.refused <= MOST_REFUSED;
        drop(state);
        self.changed.notify_all();
        is_bounded
    }

    /// Takes the results of these calls. Waits until the calls are over, if `waits` is true. Returns `None` if they will not arrive.
    pub fn take(&self, ids: &[u64], waits: bool) -> Option<Vec<Collected>> {
        let mut state = self.state();
        let is_over = |state: &Uncollected| ids.iter().all(|id| state.all.contains_key(id));
        while waits && !is_over(&state) {
            if state.is_stopped {
                return None;
            }
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        Some(ids.iter().map(|id| state.take(*id)).collect())
    }

    /// Returns the number of threads that wait for calls.
    pub fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Wakes all waiting threads, and lets none wait again: the calls will not arrive.
    pub fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}
