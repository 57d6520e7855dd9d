//! Orders the start of calls, and excludes calls that must not run at the same time. (Language, clauses `ordered` and `monitor`)
//!
//! *Tickets* order the calls of a lane across threads. An asynchronous call takes the next ticket of each of its lanes when the guest sends
//! it. A synchronous call carries the next ticket of each lane without taking it, because the program makes no later call before it returns.
//! The worker starts a call once all calls with lower tickets have started. Calls with late results count as started once their results are stored.
//! A call that ends objects or memory starts once all calls with lower tickets are over, because these have returned to the program. Other calls do
//! not wait for the end of earlier calls, which may wait for them. A synchronous call that waits or is never made delays no other call. Libraries
//! without asynchronous calls have no tickets.
//!
//! A call counts as started when it has entered the queue of its monitors, so calls of one lane also enter a monitor in order.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use smallvec::{SmallVec, smallvec};

use crate::field_kind::{FieldKind, next_field};
use crate::locks::{Condvar, Mutex, MutexGuard, guard};
use crate::plan::Constant;
use crate::protocol::MOST;
use crate::{Error, ProtocolError, Reader, Writer};

/// A key that groups calls for ordering or mutual exclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Global,
    /// The id of a thread.
    Thread(u64),
    /// The value of an expression, such as a handle.
    Value(u64),
}

/// The number of lanes of a connection. Values are hashed to lanes. A collision only orders the start of unrelated calls. It cannot cause a
/// deadlock, because all tickets follow one global order.
const LANES: u32 = 1024;

/// The maximum number of calls of one lane that start before their turn.
const MOST_EARLY: usize = 1 << 16;

/// A lane and a position in it.
pub(crate) type Ticket = (u32, u64);

/// The keys of a call, usually one or two.
pub(crate) type Keys = SmallVec<[Key; 2]>;
pub(crate) type TicketList = SmallVec<[Ticket; 2]>;

/// Returns the keys of a function whose keys do not depend on the arguments.
#[inline]
pub(crate) fn constant(keys: Constant) -> Keys {
    if !keys.is_global && !keys.is_thread {
        return Keys::new();
    }
    let global = keys.is_global.then_some(Key::Global);
    global.into_iter().chain(keys.is_thread.then(|| Key::Thread(thread()))).collect()
}

/// Returns the id of the current thread, for keys that are per thread.
#[inline]
pub(crate) fn thread() -> u64 {
    THREAD.with(|thread| *thread)
}

thread_local! {
    static THREAD: u64 = THREADS.fetch_add(1, Ordering::Relaxed);
}

static THREADS: AtomicU64 = AtomicU64::new(1);

/// The guest's ticket counters, one for each lane.
pub(crate) struct Tickets {
    next: Vec<AtomicU64>,
    /// Makes taking tickets of several lanes atomic, so that two calls never wait for each other.
    several: Mutex<()>,
}

impl Default for Tickets {
    fn default() -> Tickets {
        Tickets { next: (0..LANES).map(|_| AtomicU64::new(0)).collect(), several: Mutex::new(()) }
    }
}

impl Tickets {
    /// Returns the lock for taking several tickets.
    pub fn lock(&self) -> &Mutex<()> {
        &self.several
    }

    /// Resets all lanes, for a new worker.
    pub fn reset(&self) {
        self.next.iter().for_each(|next| next.store(0, Ordering::SeqCst));
    }

    fn of(&self, lane: u32, is_async: bool) -> u64 {
        self.next
            .get(lane as usize)
            .map_or(0, |next| if is_async { next.fetch_add(1, Ordering::SeqCst) } else { next.load(Ordering::SeqCst) })
    }

    /// Returns the next ticket of the global lane. An asynchronous call takes the ticket.
    pub fn global(&self, is_async: bool) -> Ticket {
        (0, self.of(0, is_async))
    }

    /// Returns the next ticket of each key's lane. An asynchronous call takes the tickets. Thread keys have no lane, because calls of one thread
    /// are ordered anyway.
    pub fn of_keys(&self, keys: &[Key], is_async: bool) -> TicketList {
        match keys {
            [] => return TicketList::new(),
            [Key::Global] => return smallvec![self.global(is_async)],
            _ => {}
        }
        let mut lanes: SmallVec<[u32; 4]> = keys
            .iter()
            .filter_map(|key| match key {
                Key::Global => Some(0),
                Key::Thread(_) => None,
                Key::Value(value) => {
                    let mut hasher = DefaultHasher::new();
                    value.hash(&mut hasher);
                    Some(1 + (hasher.finish() % u64::from(LANES - 1)) as u32)
                }
            })
            .collect();
        lanes.sort_unstable();
        lanes.dedup();
        let several = (is_async && lanes.len() > 1).then(|| guard(&self.several));
        let tickets = lanes.iter().map(|lane| (*lane, self.of(*lane, is_async))).collect();
        drop(several);
        tickets
    }
}

/// The worker's state of the lanes.
#[derive(Default)]
pub(crate) struct Turns {
    state: Mutex<Lanes>,
    changed: Condvar,
}

#[derive(Default)]
struct Lanes {
    started: Progress,
    over: Progress,
    /// The number of calls that wait for their turn.
    waiting: u32,
    is_stopped: bool,
}

/// The next ticket of each lane, and later tickets that were used before their turn.
#[derive(Default)]
struct Progress(HashMap<u32, (u64, BTreeSet<u64>)>);

impl Progress {
    fn is_turn(&self, tickets: &[Ticket]) -> bool {
        tickets.iter().all(|(lane, ticket)| self.0.get(lane).map_or(0, |(next, _)| *next) >= *ticket)
    }

    fn pass(&mut self, tickets: &[Ticket]) {
        for (lane, ticket) in tickets.iter().filter(|(lane, _)| *lane < LANES) {
            let (next, early) = self.0.entry(*lane).or_default();
            if ticket == next {
                *next += 1;
            } else if ticket > next && early.len() < MOST_EARLY {
                // Only a faulty guest can have more calls in flight; its excess tickets are dropped.
                early.insert(*ticket);
            }
            while early.remove(next) {
                *next += 1;
            }
        }
    }
}

/// The state that earlier calls of its lanes must reach before a call starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WaitsFor {
    /// The call does not wait. It is nested in a call that holds monitors, so earlier calls may wait for that call.
    Nothing,
    /// Earlier calls have started.
    Starts,
    /// Earlier calls are over.
    Ends,
}

impl Turns {
    /// Waits for earlier calls of these lanes, then starts this call. Returns `None` if an earlier call will not arrive ([`stop`](Turns::stop)).
    ///
    /// `passes` is whether this marks the tickets as started: for an asynchronous call, which has taken its tickets, if later calls may start now.
    #[inline]
    pub fn start<T>(
        &self,
        tickets: &[Ticket],
        (waits_for, passes): (WaitsFor, bool),
        start: impl FnOnce() -> T,
    ) -> Option<T> {
        if tickets.is_empty() {
            return Some(start());
        }
        let mut state = guard(&self.state);
        let is_turn = |state: &Lanes| match waits_for {
            WaitsFor::Nothing => true,
            WaitsFor::Starts => state.started.is_turn(tickets),
            WaitsFor::Ends => state.over.is_turn(tickets),
        };
        while !is_turn(&state) {
            if state.is_stopped {
                return None;
            }
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        let started = start();
        if passes {
            state.started.pass(tickets);
            self.wake(state);
        }
        Some(started)
    }

    /// Waits until earlier calls of these lanes have started or will not arrive, for at most `limit`. Returns `false` if they have not.
    pub fn wait(&self, tickets: &[Ticket], limit: Option<Duration>) -> bool {
        let until = limit.map(|limit| Instant::now() + limit);
        let mut state = guard(&self.state);
        while !state.started.is_turn(tickets) && !state.is_stopped {
            let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return false;
            }
            state.waiting += 1;
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            state.waiting -= 1;
        }
        true
    }

    /// Marks the tickets of an asynchronous call that is over, or that will not be made.
    #[inline]
    pub fn finish(&self, tickets: &[Ticket]) {
        if !tickets.is_empty() {
            let mut state = guard(&self.state);
            state.started.pass(tickets);
            state.over.pass(tickets);
            self.wake(state);
        }
    }

    fn wake(&self, state: MutexGuard<'_, Lanes>) {
        let has_waiting = state.waiting != 0;
        drop(state);
        if has_waiting {
            self.changed.notify_all();
        }
    }

    /// Returns the number of calls that wait for their turn.
    pub fn waiting(&self) -> usize {
        guard(&self.state).waiting as usize
    }

    /// Wakes all waiting calls, and lets none wait again: the calls that they wait for will not arrive.
    pub fn stop(&self) {
        guard(&self.state).is_stopped = true;
        self.changed.notify_all();
    }
}

/// The monitors of a library. Waiting calls enter in order of arrival. A thread can re-enter a monitor that it holds.
#[derive(Default)]
pub(crate) struct Monitors {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The held keys, with the owning thread, the number of its calls that hold the key, and the name of the first of these calls.
    held: Vec<(Key, u64, u32, u32)>,
    waiting: VecDeque<(u64, Keys)>,
    next: u64,
}

/// A request for keys: a position in the queue, or `turn: None` if the thread already holds the keys.
pub(crate) struct QueuedKeys<'a> {
    monitors: &'a Monitors,
    thread: u64,
    name: u32,
    keys: Keys,
    turn: Option<u64>,
}

/// Keys that a thread holds. Dropping it releases them.
pub(crate) struct Held<'a> {
    monitors: &'a Monitors,
    keys: Keys,
    thread: u64,
}

impl Monitors {
    /// Takes the keys for the call `name` if they are free, otherwise enters the queue.
    #[inline]
    pub fn ask(&self, thread: u64, name: u32, keys: Keys) -> QueuedKeys<'_> {
        if keys.is_empty() {
            return QueuedKeys { monitors: self, thread, name, keys, turn: None };
        }
        let mut state = guard(&self.state);
        if state.is_free(thread, &keys, None) {
            state.hold(thread, name, &keys);
            return QueuedKeys { monitors: self, thread, name, keys, turn: None };
        }
        let turn = state.next;
        state.next += 1;
        state.waiting.push_back((turn, keys.clone()));
        QueuedKeys { monitors: self, thread, name, keys, turn: Some(turn) }
    }

    /// Releases all keys of a thread, because `longjmp` has skipped destructors of [`Held`].
    pub fn release(&self, thread: u64) {
        guard(&self.state).held.retain(|(_, owner, ..)| *owner != thread);
        self.changed.notify_all();
    }
}

impl<'a> QueuedKeys<'a> {
    /// Waits until no other thread holds one of the keys. If this takes longer than `slow`, calls `report` once with the name of a call that holds
    /// one of the keys.
    #[inline]
    pub fn wait(self, slow: Option<Duration>, report: impl FnOnce(u32)) -> Held<'a> {
        let QueuedKeys { monitors, thread, name, keys, turn } = self;
        if turn.is_some() {
            let start = Instant::now();
            let mut report = slow.map(|slow| (slow, report));
            let mut state = guard(&monitors.state);
            while !state.is_free(thread, &keys, turn) {
                let Some((slow, _)) = report else {
                    state = monitors.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    continue;
                };
                let rest = slow.saturating_sub(start.elapsed());
                state = monitors.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0;
                if start.elapsed() >= slow
                    && let Some(other) = state.holder(thread, &keys)
                    && let Some((_, report)) = report.take()
                {
                    report(other);
                }
            }
            state.waiting.retain(|(one, _)| Some(*one) != turn);
            state.hold(thread, name, &keys);
            drop(state);
            // Later requests in the queue may be free too.
            monitors.changed.notify_all();
        }
        Held { monitors, keys, thread }
    }
}

impl State {
    /// Returns whether a thread may take these keys: no other thread holds one of them, and no earlier request waits for a key that is free.
    fn is_free(&self, thread: u64, keys: &[Key], turn: Option<u64>) -> bool {
        keys.iter().all(|key| match self.held.iter().find(|(held, ..)| held == key) {
            Some((_, owner, ..)) => *owner == thread,
            None => {
                let mut before = self.waiting.iter().take_while(|(one, _)| Some(*one) != turn);
                !before.any(|(_, wanted)| wanted.contains(key))
            }
        })
    }

    /// Returns the name of a call of another thread that holds one of the keys.
    fn holder(&self, thread: u64, keys: &[Key]) -> Option<u32> {
        self.held.iter().find(|(key, owner, ..)| *owner != thread && keys.contains(key)).map(|(.., name)| *name)
    }

    fn hold(&mut self, thread: u64, name: u32, keys: &[Key]) {
        for key in keys {
            match self.held.iter_mut().find(|(held, ..)| held == key) {
                Some((_, _, depth, _)) => *depth += 1,
                None => self.held.push((*key, thread, 1, name)),
            }
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.keys.is_empty() {
            return;
        }
        let mut state = guard(&self.monitors.state);
        for key in &self.keys {
            let is_it = |(held, owner, ..): &(Key, u64, u32, u32)| held == key && *owner == self.thread;
            let Some(at) = state.held.iter().position(is_it) else { continue };
            if let Some((_, _, depth, _)) = state.held.get_mut(at) {
                *depth -= 1;
                if *depth == 0 {
                    state.held.swap_remove(at);
                }
            }
        }
        let has_waiting = !state.waiting.is_empty();
        drop(state);
        if has_waiting {
            self.monitors.changed.notify_all();
        }
    }
}

/// Encodes the tickets of a request, if it has any.
pub(crate) fn put_tickets(to: &mut Writer<'_>, tickets: &[Ticket]) {
    if tickets.is_empty() {
        return;
    }
    next_field(FieldKind::Length);
    to.put_u32(tickets.len() as u32);
    for (lane, ticket) in tickets {
        to.put_u32(*lane);
        to.put_u64(*ticket);
    }
}

/// Decodes the output of [`put_tickets`].
///
/// # Errors
///
/// The channel failed, or there are more than [`MOST`] tickets.
pub(crate) fn get_tickets(from: &mut Reader<'_>) -> Result<TicketList, Error> {
    let count = from.get_u32()?;
    if count > MOST {
        return Err(Error::Protocol(ProtocolError::Order));
    }
    (0..count).map(|_| Ok((from.get_u32()?, from.get_u64()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::sync::{Arc, mpsc};
    use std::thread;

    #[test]
    fn release_frees_the_keys_of_one_thread() {
        let (monitors, keys) = (Monitors::default(), || Keys::from_slice(&[Key::Global]));
        let outer = monitors.ask(1, 0, keys()).wait(None, |_| ());
        // `longjmp` skips the destructor of an inner call.
        std::mem::forget(monitors.ask(1, 0, keys()).wait(None, |_| ()));
        monitors.release(1);
        let other = monitors.ask(2, 0, keys()).wait(None, |_| ());
        drop(outer);
        assert!(!guard(&monitors.state).is_free(3, &keys(), None));
        drop(other);
        assert!(guard(&monitors.state).is_free(3, &keys(), None));
    }

    #[test]
    fn calls_start_in_the_order_of_tickets() {
        let (tickets, turns) = (Tickets::default(), Arc::new(Turns::default()));
        let keys = [[Key::Global, Key::Value(3)], [Key::Value(3), Key::Value(9)], [Key::Global, Key::Value(9)]];
        let taken: Vec<_> = (0..30).map(|n| tickets.of_keys(&keys[n % 3], true)).collect();
        let order = Arc::new(Mutex::new(Vec::new()));
        let threads: Vec<_> = (0..30)
            .rev()
            .map(|n| {
                let (turns, order, taken) = (Arc::clone(&turns), Arc::clone(&order), taken[n].clone());
                thread::spawn(move || turns.start(&taken, (WaitsFor::Starts, true), || guard(&order).push(n)))
            })
            .collect();
        for thread in threads {
            assert_eq!(thread.join().ok(), Some(Some(())));
        }
        assert_eq!(*guard(&order), (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn nested_call_does_not_wait_and_the_end_wakes_all() {
        let (nested, waits_for_turn) = ((WaitsFor::Nothing, true), (WaitsFor::Starts, true));
        let turns = Arc::new(Turns::default());
        assert_eq!(turns.start(&[(0, 1)], nested, || 1), Some(1));
        let waits = Arc::clone(&turns);
        let thread = thread::spawn(move || waits.start(&[(0, 3)], waits_for_turn, || 2));
        assert_eq!(turns.start(&[(0, 0)], waits_for_turn, || 3), Some(3));
        turns.stop();
        assert_eq!(thread.join().ok(), Some(None));
    }

    /// A synchronous call waits for earlier calls. Later calls do not wait for it, whether or not it is sent.
    #[test]
    fn synchronous_call_takes_no_ticket() {
        let (tickets, turns) = (Tickets::default(), Turns::default());
        let keys = [Key::Global, Key::Value(3)];
        let first = tickets.of_keys(&keys, true);
        let (sync, never_sent) = (tickets.of_keys(&keys, false), tickets.of_keys(&keys, false));
        let second = tickets.of_keys(&keys, true);
        assert!(!guard(&turns.state).started.is_turn(&sync) && sync == never_sent && sync == second);
        let started: Vec<_> = [(&first, true), (&second, true), (&sync, false), (&second, false)]
            .into_iter()
            .filter_map(|(tickets, is_async)| turns.start(tickets, (WaitsFor::Starts, is_async), || tickets.clone()))
            .collect();
        assert_eq!(started.len(), 4);
    }

    #[test]
    fn call_that_ends_an_object_starts_when_earlier_calls_are_over() {
        let turns = Arc::new(Turns::default());
        assert_eq!(turns.start(&[(0, 0)], (WaitsFor::Starts, true), || 1), Some(1));
        assert_eq!(turns.start(&[(0, 1)], (WaitsFor::Starts, true), || 2), Some(2));
        let (sends, receives) = mpsc::channel();
        let ends = Arc::clone(&turns);
        let thread = thread::spawn(move || {
            let ended = ends.start(&[(0, 2)], (WaitsFor::Ends, false), || ());
            let _ = sends.send(());
            ended
        });
        turns.finish(&[(0, 1)]);
        assert!(receives.try_recv().is_err());
        turns.finish(&[(0, 0)]);
        assert_eq!((receives.recv(), thread.join().ok()), (Ok(()), Some(Some(()))));
    }

    #[test]
    fn a_monitor_has_one_thread_at_a_time_which_enters_again() {
        let monitors = Arc::new(Monitors::default());
        let (inside, total) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let threads: Vec<_> = (0..4u64)
            .map(|thread| {
                let (monitors, inside, total) = (Arc::clone(&monitors), Arc::clone(&inside), Arc::clone(&total));
                thread::spawn(move || {
                    for round in 0..200u64 {
                        let held = monitors
                            .ask(thread, 0, smallvec![Key::Value(1), Key::Value(2 + round % 3)])
                            .wait(None, |_| {});
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        let again = monitors.ask(thread, 0, smallvec![Key::Value(1)]).wait(None, |_| {});
                        assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                        drop((again, held));
                        total.fetch_add(1, Ordering::SeqCst);
                    }
                })
            })
            .collect();
        for thread in threads {
            assert!(thread.join().is_ok());
        }
        assert_eq!(total.load(Ordering::SeqCst), 800);
        assert!(guard(&monitors.state).held.is_empty());
    }

    #[test]
    fn others_run_beside_a_monitor_that_is_held() {
        let monitors = Arc::new(Monitors::default());
        let held = monitors.ask(1, 0, smallvec![Key::Value(1)]).wait(None, |_| {});
        let (sends, receives) = mpsc::channel();
        let other = Arc::clone(&monitors);
        let thread = thread::spawn(move || {
            let _other = other.ask(2, 0, smallvec![Key::Value(2)]).wait(None, |_| {});
            let _ = sends.send(());
            let _same = other.ask(2, 0, smallvec![Key::Value(1)]).wait(None, |_| {});
        });
        assert_eq!(receives.recv(), Ok(()));
        drop(held);
        assert!(thread.join().is_ok());
    }

    #[test]
    fn call_that_waits_long_names_the_call_that_it_waits_for() {
        let monitors = Arc::new(Monitors::default());
        let held = monitors.ask(1, 7, smallvec![Key::Global]).wait(None, |_| {});
        let (sends, receives) = mpsc::channel();
        let other = Arc::clone(&monitors);
        let thread = thread::spawn(move || {
            let report = |name| assert!(sends.send(name).is_ok());
            drop(other.ask(2, 8, smallvec![Key::Global]).wait(Some(Duration::ZERO), report));
        });
        assert_eq!(receives.recv(), Ok(7));
        drop(held);
        assert!(thread.join().is_ok());
    }
}
