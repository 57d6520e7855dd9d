//! Waiting for the peer: a thread spins for a short time, then sleeps until the peer wakes it.

use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::time::{Duration, Instant};

use crate::transport::Error;
use crate::transport::life::Ends;
use crate::transport::memory::End;
use crate::transport::sync::{
    Fences, Ordering, futex_wait, futex_wake, has_one_processor, leave_cpu, now, pause, this_cpu,
};

/// How a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spin {
    /// Spins for about as long as a wake-up takes, less if recent spins were in vain, and not at all on the processor of the peer. Then it
    /// sleeps.
    #[default]
    Adaptive,
    /// Sleeps at once.
    Never,
}

/// The shortest and the longest time that a wake-up is assumed to take, in nanoseconds.
const WAKE_UP: u32 = 5_000;
const LONGEST_WAKE_UP: u32 = 50_000;

/// Measures the number of `pause` instructions in 1024 ns.
fn pauses() -> u32 {
    const TRIED: u32 = 500;
    // 0 if it is unknown. No thread waits for another that measures, because the child of a fork would wait forever.
    static PAUSES: AtomicU32 = AtomicU32::new(0);
    let known = PAUSES.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let measure = || {
        let began = Instant::now();
        (0..TRIED).for_each(|_| pause());
        began.elapsed().as_nanos().max(1)
    };
    // The shortest of four: the others may have been interrupted.
    let least = (0..4).map(|_| measure()).min().unwrap_or(1);
    let measured = (1024 * u128::from(TRIED) / least).clamp(4, 1 << 14) as u32;
    PAUSES.store(measured, Ordering::Relaxed);
    measured
}

/// Returns the number of processors of the machine. The affinity of this thread does not limit the others.
fn processors() -> usize {
    // 0 if it is unknown, as above.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    match COUNT.load(Ordering::Relaxed) {
        0 => {
            // SAFETY: `sysconf` takes no pointers.
            let count = usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1);
            COUNT.store(count, Ordering::Relaxed);
            count
        }
        known => known,
    }
}

/// The nanoseconds for which each thread may spin without a [`SpinSlot`].
const SHORT: u32 = 1_000;

/// The right of a thread to spin for longer than [`SHORT`]. A side has half as many slots as the machine has processors, because the peer
/// has as many, usually in another process. More spinning threads would take the processor from the threads they wait for.
struct SpinSlot<'a>(&'a SpinSlots);

/// The slots of one side in this process: the number in use, and how often none was free.
struct SpinSlots {
    used: AtomicUsize,
    denied: AtomicU32,
}

static SPIN_SLOTS: [SpinSlots; 2] = [const { SpinSlots { used: AtomicUsize::new(0), denied: AtomicU32::new(0) } }; 2];
/// If no slot was free, the spin budget of the thread stays short for this many sleeps.
const CROWDED_SLEEPS: u32 = 64;

impl SpinSlots {
    fn acquire(&self) -> Option<SpinSlot<'_>> {
        if self.used.fetch_add(1, Ordering::Relaxed) < processors() / 2 {
            return Some(SpinSlot(self));
        }
        self.used.fetch_sub(1, Ordering::Relaxed);
        self.denied.fetch_add(1, Ordering::Relaxed);
        None
    }
}

impl Drop for SpinSlot<'_> {
    fn drop(&mut self) {
        self.0.used.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits for the peer on behalf of one end of a ring, and adapts the spin time to past waits.
pub(crate) struct Waiter {
    slots: &'static SpinSlots,
    spin: Spin,
    /// The number of `pause` instructions in 1024 ns.
    pauses: u32,
    /// The average time of recent wake-ups and the time to spin, in nanoseconds.
    wake_up: u32,
    budget: u32,
    /// The number of sleeps for which the slots still count as too few, and [`SpinSlots::denied`] at the last sleep.
    crowded: u32,
    denied: u32,
    /// The number of spins longer than [`SHORT`] that were in vain, minus the successful spins: from 0 to [`LAST_TO_SKIP`].
    misses: u32,
    /// The number of waits that will not spin for longer than [`SHORT`].
    skip: u32,
    /// The pauses between two reads of the shared word.
    gap: u32,
    /// The number of consecutive waits on the processor of the peer.
    together: u32,
    /// The value of `together` at which this thread moves to another processor; `None` if it never does.
    leaves_after: Option<u32>,
    /// The number of successful spins since the last attempt to move.
    apart: u32,
}

/// The first and the largest value of `leaves_after`. A move doubles it if fewer than `WORTHWHILE` spins succeeded since the last move, and
/// otherwise resets it.
const FIRST_TO_LEAVE: u32 = 16;
const LAST_TO_LEAVE: u32 = 1 << 10;
const WORTHWHILE: u32 = 256;

/// After more than `FIRST_TO_SKIP` misses, a miss skips the next 2^`misses` long spins; `LAST_TO_SKIP` bounds `misses`. Under load, a spin
/// uses up the time slice that the scheduler would give this thread at once when it is woken.
const FIRST_TO_SKIP: u32 = 2;
const LAST_TO_SKIP: u32 = 8;

/// A stream that moves at least this many bytes between two waits is polled more often, any other less often.
const MUCH: u64 = 4096;

/// The kind of fence before a sleep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Full,
    Heavy,
}

/// Returns whether `ready` does, or why waiting is of no use. Data that was sent before the peer or the connection ended still counts.
fn check(ready: &mut impl FnMut() -> Result<bool, Error>, ends: &Ends, peer: &End) -> Result<bool, Error> {
    if ready()? {
        return Ok(true);
    }
    let ended = ends.check().and(match peer.closed.load(Ordering::Acquire) {
        0 => Ok(()),
        _ => Err(Error::Closed),
    });
    match ended {
        Ok(()) => Ok(false),
        Err(why) if !ready()? => Err(why),
        Err(_) => Ok(true),
    }
}

/// Publishes the processor on which this thread runs. Returns its number plus 1.
fn publish_cpu(own: &End) -> u32 {
    let cpu = this_cpu().wrapping_add(1);
    // The peer reads the cache line, so this thread writes it only if the processor has changed.
    if own.cpu.load(Ordering::Relaxed) != cpu {
        own.cpu.store(cpu, Ordering::Relaxed);
    }
    cpu
}

impl Waiter {
    /// `side` is 0 for side A.
    pub fn new(spin: Spin, side: usize) -> Waiter {
        // On a single processor, a thread that spins keeps its peer from running.
        let spin = if has_one_processor() { Spin::Never } else { spin };
        let pauses = if spin == Spin::Never { 0 } else { pauses() };
        let slots = &SPIN_SLOTS[side & 1];
        Waiter {
            slots,
            spin,
            pauses,
            wake_up: WAKE_UP,
            budget: 2 * WAKE_UP,
            crowded: 0,
            denied: 0,
            misses: 0,
            skip: 0,
            gap: 1,
            together: 0,
            // Threads of side B belong to the engine. The program decides where its own threads run.
            leaves_after: (side & 1 == 1).then_some(FIRST_TO_LEAVE),
            apart: 0,
        }
    }

    /// Returns the number of `pause` instructions in 1024 ns, or 0 if this waiter never spins.
    pub fn pauses(&self) -> u32 {
        self.pauses
    }

    fn pauses_of(&self, nanoseconds: u32) -> u32 {
        ((u64::from(nanoseconds) * u64::from(self.pauses)) >> 10) as u32
    }

    /// Updates the wake-up time and the spin budget after a sleep.
    fn learn_from_sleep(&mut self, own: &End, took: Duration) {
        publish_cpu(own);
        // The peer can store any value, so it only counts within these bounds.
        let woken = now().wrapping_sub(own.woken.load(Ordering::Relaxed)).clamp(WAKE_UP, LONGEST_WAKE_UP);
        self.wake_up = (3 * self.wake_up + woken) / 4;
        // If two threads wait for each other's wake-up and both spin for less than one, neither spin ever succeeds.
        let most = self.wake_up + self.wake_up / 2;
        let was_short = took.as_nanos() < u128::from(3 * self.wake_up);
        let denied = self.slots.denied.load(Ordering::Relaxed);
        if std::mem::replace(&mut self.denied, denied) != denied && self.crowded == 0 {
            self.crowded = CROWDED_SLEEPS;
        }
        self.crowded = self.crowded.saturating_sub(1);
        self.budget = if was_short && self.crowded == 0 { most } else { (self.budget / 2).max(WAKE_UP / 8) };
    }

    /// Counts a wait on the processor of the peer, and moves this thread to another processor after several of them. Returns whether it moved.
    fn leaves_peer_cpu(&mut self, own: &End) -> bool {
        self.together += 1;
        let Some(most) = self.leaves_after.as_mut().filter(|most| self.together >= **most) else { return false };
        *most = if self.apart < WORTHWHILE { (2 * *most).min(LAST_TO_LEAVE) } else { FIRST_TO_LEAVE };
        self.together = 0;
        self.apart = 0;
        let has_left = leave_cpu();
        publish_cpu(own);
        has_left
    }

    /// Waits until `ready` returns true, and returns how long it slept.
    ///
    /// `stream` is the number of bytes of a stream that arrived since the last wait. After fewer than [`MUCH`], the waiter reads the shared
    /// word less often, so the sender keeps the cache line. That delays a record by a few microseconds at most.
    ///
    /// # Errors
    ///
    /// [`Error::Silent`] after a sleep of `most`; the error of `ready`, of `ends` or of a futex call; [`Error::Closed`] if the peer closed its end.
    pub fn wait(
        &mut self,
        (own, peer): (End, End),
        ends: &Ends,
        fences: &Fences,
        (before, stream): (Before, Option<u64>),
        most: Option<Duration>,
        mut ready: impl FnMut() -> Result<bool, Error>,
    ) -> Result<Duration, Error> {
        let mut is_ready = || check(&mut ready, ends, &peer);
        if self.spin == Spin::Adaptive {
            let cpu = publish_cpu(&own);
            // A peer on the same processor cannot run while this thread spins.
            let is_together = peer.cpu.load(Ordering::Relaxed) == cpu && !self.leaves_peer_cpu(&own);
            if !is_together && self.spin(stream, &mut is_ready)? {
                return Ok(Duration::ZERO);
            }
        }
        let began = (self.spin == Spin::Adaptive || most.is_some()).then(Instant::now);
        let left = || match (most, began) {
            (Some(most), Some(began)) => {
                most.checked_sub(began.elapsed()).filter(|left| !left.is_zero()).map(Some).ok_or(Error::Silent)
            }
            _ => Ok(None),
        };
        ends.enter();
        let mut sleep = || loop {
            own.asleep.swap(1, Ordering::AcqRel);
            match before {
                Before::Full => fences.full(),
                Before::Heavy => fences.heavy()?,
            }
            if is_ready()? {
                return Ok(());
            }
            futex_wait(own.asleep, 1, left()?)?;
            if is_ready()? {
                return Ok(());
            }
        };
        let slept = sleep();
        own.asleep.swap(0, Ordering::AcqRel);
        ends.leave();
        let took = began.map_or(Duration::ZERO, |began| began.elapsed());
        if self.spin == Spin::Adaptive {
            self.learn_from_sleep(&own, took);
        }
        slept.map(|()| took)
    }

    /// Spins until the budget is used up or `is_ready` returns true, which it returns.
    fn spin(&mut self, stream: Option<u64>, is_ready: &mut impl FnMut() -> Result<bool, Error>) -> Result<bool, Error> {
        self.together = 0;
        self.gap = match stream {
            None => 1,
            Some(bytes) if bytes >= MUCH => (self.gap / 2).max(1),
            Some(_) => (self.gap * 2).min(self.pauses + 1),
        };
        let is_over = self.spin_within_budget(is_ready)?;
        if is_over {
            self.misses = self.misses.saturating_sub(1);
            self.apart = self.apart.saturating_add(1);
        }
        Ok(is_over)
    }

    /// Spins for [`SHORT`], then for the rest of the budget if a slot is free. Returns whether `is_ready` returned true.
    fn spin_within_budget(&mut self, is_ready: &mut impl FnMut() -> Result<bool, Error>) -> Result<bool, Error> {
        let (all, short) = (self.pauses_of(self.budget), self.pauses_of(SHORT));
        if self.spin_for(all.min(short), is_ready)? {
            return Ok(true);
        }
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(false);
        }
        // The peer may lack a processor because too many threads spin.
        let Some(_slot) = self.slots.acquire() else { return Ok(false) };
        if self.spin_for(all.saturating_sub(short), is_ready)? {
            return Ok(true);
        }
        self.misses = (self.misses + 1).min(LAST_TO_SKIP);
        self.skip = if self.misses > FIRST_TO_SKIP { 1 << self.misses } else { 0 };
        Ok(false)
    }

    /// Spins for a number of pauses. Returns whether `is_ready` returned true.
    fn spin_for(&self, mut pauses: u32, is_ready: &mut impl FnMut() -> Result<bool, Error>) -> Result<bool, Error> {
        while pauses > 0 {
            (0..self.gap).for_each(|_| pause());
            if is_ready()? {
                return Ok(true);
            }
            pauses = pauses.saturating_sub(self.gap);
        }
        Ok(false)
    }
}

/// Wakes the peer if it sleeps. The caller must have executed a fence.
#[inline]
pub(crate) fn wake(peer: End) {
    if peer.asleep.load(Ordering::Relaxed) != 0 {
        wake_sleeper(&peer);
    }
}

#[cold]
pub(crate) fn wake_sleeper(peer: &End) {
    peer.woken.store(now(), Ordering::Relaxed);
    // One futex call for each sleep.
    if peer.asleep.swap(0, Ordering::AcqRel) != 0 {
        futex_wake(peer.asleep);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::transport::memory::{Geometry, Segment};

    fn may_run_on() -> Vec<usize> {
        // SAFETY: all zeros is a valid set of processors, and the call gets its size.
        unsafe {
            let mut all: libc::cpu_set_t = std::mem::zeroed();
            assert_eq!(libc::sched_getaffinity(0, size_of_val(&all), &raw mut all), 0);
            (0..libc::CPU_SETSIZE as usize).filter(|cpu| libc::CPU_ISSET(*cpu, &all)).collect()
        }
    }

    /// Calls `then` on a thread that is bound to one processor.
    fn on_one_processor(processor: usize, then: impl FnOnce() + Send + 'static) {
        let thread = std::thread::spawn(move || {
            // SAFETY: as above; 0 is this thread.
            unsafe {
                let mut one: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(processor, &mut one);
                assert_eq!(libc::sched_setaffinity(0, size_of_val(&one), &raw const one), 0);
            }
            then();
        });
        assert!(thread.join().is_ok(), "the thread on one processor panicked");
    }

    #[test]
    fn moves_that_separate_no_peers_become_rare() {
        let rings = Segment::new(Geometry { ring: 1 << 16, channels: 1, in_place: 0 }).unwrap().channel(0).unwrap();
        let mut waiter = Waiter::new(Spin::Adaptive, 1);
        let mut waits = |spins| {
            waiter.apart = spins;
            let mut count = 1..;
            count.find(|_| {
                waiter.leaves_peer_cpu(&rings[0].receiver());
                waiter.together == 0
            })
        };
        let doubled = (4..=10).map(|shift| Some(1 << shift)).chain([Some(LAST_TO_LEAVE)]);
        doubled.for_each(|expected| assert_eq!(waits(WORTHWHILE - 1), expected));
        assert_eq!(waits(WORTHWHILE), Some(LAST_TO_LEAVE));
        assert_eq!(waits(0), Some(FIRST_TO_LEAVE));
    }

    #[test]
    fn receivers_publish_their_processor_to_each_other() {
        let rings = Segment::new(Geometry { ring: 1 << 16, channels: 1, in_place: 0 }).unwrap().channel(0).unwrap();
        for (own, other) in [(0, 1), (1, 0)] {
            rings[own].receiver().cpu.store(7, Ordering::Relaxed);
            assert_eq!(rings[other].sender().cpu.swap(0, Ordering::Relaxed), 7);
        }
    }

    #[test]
    fn leave_cpu_restores_the_affinity() {
        let before = may_run_on();
        for _ in 0..100 {
            leave_cpu();
            assert_eq!(may_run_on(), before);
        }
        on_one_processor(before[0], move || assert!(!leave_cpu() && may_run_on() == before[..1]));
    }

    #[test]
    fn thread_bound_to_one_processor_never_spins() {
        on_one_processor(may_run_on()[0], || {
            let waiter = Waiter::new(Spin::Adaptive, 0);
            assert_eq!((waiter.spin, waiter.pauses()), (Spin::Never, 0));
        });
    }
}
