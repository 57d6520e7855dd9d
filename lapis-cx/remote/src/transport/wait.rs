//! Waiting for the other end: a short spin, then a sleep that it ends.

use std::sync::OnceLock;
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
    /// It spins for about as long as a wake-up takes, less if that was in vain lately, and not at all on the processor of the other
    /// thread. Then it sleeps.
    #[default]
    Adaptive,
    /// It sleeps at once.
    Never,
}

/// What a wake-up takes at least, and the most that a spin takes for it: nanoseconds.
const WAKE_UP: u32 = 5_000;
const LONGEST_WAKE_UP: u32 = 50_000;

/// How many pauses are 1024 ns on this machine.
fn pauses() -> u32 {
    static PAUSES: OnceLock<u32> = OnceLock::new();
    *PAUSES.get_or_init(|| {
        const TRIED: u32 = 500;
        let measure = || {
            let began = Instant::now();
            (0..TRIED).for_each(|_| pause());
            began.elapsed().as_nanos().max(1)
        };
        // The least of some: others were interrupted.
        let least = (0..4).map(|_| measure()).min().unwrap_or(1);
        (1024 * u128::from(TRIED) / least).clamp(4, 1 << 14) as u32
    })
}

/// How long each thread may spin, whatever the others do: nanoseconds. What is on its way already comes within this.
const SHORT: u32 = 1_000;

/// One of those threads of a side that spin for longer. There are half as many as processors: the other side has as many, mostly in
/// another process, and if more spin then they keep from running what they wait for.
struct Place<'a>(&'a Spinners);

/// The threads of a side in this process that spin for longer, and how often there was no place for one.
struct Spinners {
    now: AtomicUsize,
    denied: AtomicU32,
}

static SPINNERS: [Spinners; 2] = [const { Spinners { now: AtomicUsize::new(0), denied: AtomicU32::new(0) } }; 2];
/// While there are too few places, who slept a short time only spins for longer at one of so many waits.
const TRIES: u32 = 64;

impl Spinners {
    fn place(&self) -> Option<Place<'_>> {
        static PLACES: OnceLock<usize> = OnceLock::new();
        // Of the machine: to which a thread is bound says nothing about the others.
        // SAFETY: without pointers.
        let processors = || usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) });
        let places = *PLACES.get_or_init(|| processors().unwrap_or(1) / 2);
        if self.now.fetch_add(1, Ordering::Relaxed) < places {
            return Some(Place(self));
        }
        self.now.fetch_sub(1, Ordering::Relaxed);
        self.denied.fetch_add(1, Ordering::Relaxed);
        None
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(crate) struct Waiter {
    others: &'static Spinners,
    spin: Spin,
    /// Pauses in 1024 ns.
    pauses: u32,
    /// What a wake-up took lately, and how long to spin: nanoseconds.
    wake_up: u32,
    budget: u32,
    /// For so many sleeps there are too few places; how often one was denied up to the last.
    crowded: u32,
    denied: u32,
    /// Spins for longer than [`SHORT`] that were in vain, less those that were not: up to [`LAST_TO_SKIP`]. How many waits go by without one.
    misses: u32,
    skip: u32,
    /// Pauses between two looks at a stream.
    gap: u32,
    /// The processor that was stored last.
    cpu: u32,
    /// How many waits in a row were on the processor of the other end, and after how many this thread leaves it, if it ever does.
    together: u32,
    leaves_after: Option<u32>,
}

/// How many waits on one processor are too many, at first and at most: each time that it leaves it waits for twice as many.
const FIRST_TO_LEAVE: u32 = 16;
const LAST_TO_LEAVE: u32 = 1 << 14;

/// After this many spins in vain, each of the next skips twice as many waits, up to 2 to the power of the second number. Beside other load a
/// spin uses up the time that the scheduler would give this thread at once when it is woken.
const FIRST_TO_SKIP: u32 = 2;
const LAST_TO_SKIP: u32 = 8;

/// A stream of which so much was there is looked at soon again; of less, later: bytes.
const MUCH: u64 = 4096;

/// How to fence before a sleep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Full,
    Heavy,
}

impl Waiter {
    /// Of side A if `side` is 0.
    pub fn new(spin: Spin, side: usize) -> Waiter {
        // Of two threads on one processor, the one that spins keeps the other from running.
        let spin = if has_one_processor() { Spin::Never } else { spin };
        let pauses = if spin == Spin::Never { 0 } else { pauses() };
        let others = &SPINNERS[side & 1];
        Waiter {
            others,
            spin,
            pauses,
            wake_up: WAKE_UP,
            budget: 2 * WAKE_UP,
            crowded: 0,
            denied: 0,
            misses: 0,
            skip: 0,
            gap: 1,
            cpu: 0,
            together: 0,
            // Those of side B are threads of the engine. Where the others run is the program's business.
            leaves_after: (side & 1 == 1).then_some(FIRST_TO_LEAVE),
        }
    }

    /// Pauses in 1024 ns; none if it never spins.
    pub fn pauses(&self) -> u32 {
        self.pauses
    }

    fn pauses_of(&self, nanoseconds: u32) -> u32 {
        ((u64::from(nanoseconds) * u64::from(self.pauses)) >> 10) as u32
    }

    /// What this thread learns of a sleep that took so long.
    fn slept(&mut self, mine: &End, took: Duration) {
        self.note_cpu(mine);
        // What the other end says may be anything: it only matters within these bounds.
        let woken = now().wrapping_sub(mine.woken.load(Ordering::Relaxed)).clamp(WAKE_UP, LONGEST_WAKE_UP);
        self.wake_up = (3 * self.wake_up + woken) / 4;
        // Two that wait for each other's wake-up never meet if both spin for less than one.
        let most = self.wake_up + self.wake_up / 2;
        let met = took.as_nanos() < u128::from(3 * self.wake_up);
        let denied = self.others.denied.load(Ordering::Relaxed);
        if std::mem::replace(&mut self.denied, denied) != denied && self.crowded == 0 {
            self.crowded = TRIES;
        }
        self.crowded = self.crowded.saturating_sub(1);
        self.budget = if met && self.crowded == 0 { most } else { (self.budget / 2).max(WAKE_UP / 8) };
    }

    /// This thread is about to sleep on the processor of the one that will wake it.
    fn leave_the_other(&mut self, mine: &End) {
        self.together += 1;
        let Some(most) = self.leaves_after.as_mut().filter(|most| self.together >= **most) else { return };
        *most = (2 * *most).min(LAST_TO_LEAVE);
        self.together = 0;
        if leave_cpu() {
            self.note_cpu(mine);
        }
    }

    fn note_cpu(&mut self, mine: &End) {
        let cpu = this_cpu().wrapping_add(1);
        if cpu != self.cpu {
            self.cpu = cpu;
            mine.cpu.store(cpu, Ordering::Relaxed);
        }
    }

    /// Waits until `ready`, or for an end of it all: how long it slept. After a sleep of `most` it is [`Error::Silent`].
    ///
    /// Of a stream, `stream` bytes were there since the last wait. If that is not much, it looks less often, so as not to take the
    /// line from the sender for each record: at most some microsecond late.
    pub fn wait(
        &mut self,
        (mine, other): (End, End),
        ends: &Ends,
        fences: &Fences,
        (before, stream): (Before, Option<u64>),
        most: Option<Duration>,
        mut ready: impl FnMut() -> Result<bool, Error>,
    ) -> Result<Duration, Error> {
        let mut look = || -> Result<bool, Error> {
            if ready()? {
                return Ok(true);
            }
            let ended = ends.check().and(match other.closed.load(Ordering::Acquire) {
                0 => Ok(()),
                _ => Err(Error::Closed),
            });
            match ended {
                Ok(()) => Ok(false),
                // What came before the end counts.
                Err(why) => {
                    if ready()? {
                        Ok(true)
                    } else {
                        Err(why)
                    }
                }
            }
        };
        if self.spin == Spin::Adaptive {
            self.note_cpu(&mine);
            // Who would wake this thread cannot run while it spins there.
            if other.cpu.load(Ordering::Relaxed) == self.cpu {
                self.leave_the_other(&mine);
            } else {
                self.together = 0;
                self.gap = match stream {
                    None => 1,
                    Some(bytes) if bytes >= MUCH => (self.gap / 2).max(1),
                    Some(_) => (self.gap * 2).min(self.pauses + 1),
                };
                let all = self.pauses_of(self.budget);
                let mut left = all.min(self.pauses_of(SHORT));
                let mut place = None;
                loop {
                    while left > 0 {
                        for _ in 0..self.gap {
                            pause();
                        }
                        if look()? {
                            if place.is_some() {
                                self.misses = self.misses.saturating_sub(1);
                            }
                            return Ok(Duration::ZERO);
                        }
                        left = left.saturating_sub(self.gap);
                    }
                    if place.is_some() {
                        self.misses = (self.misses + 1).min(LAST_TO_SKIP);
                        self.skip = if self.misses > FIRST_TO_SKIP { 1 << self.misses } else { 0 };
                        break;
                    }
                    if self.skip > 0 {
                        self.skip -= 1;
                        break;
                    }
                    // The one that is waited for may be without a processor because too many spin.
                    place = self.others.place();
                    if place.is_none() {
                        break;
                    }
                    left = all.saturating_sub(self.pauses_of(SHORT));
                }
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
            mine.asleep.swap(1, Ordering::AcqRel);
            match before {
                Before::Full => fences.full(),
                Before::Heavy => fences.heavy()?,
            }
            if look()? {
                return Ok(());
            }
            futex_wait(mine.asleep, 1, left()?)?;
            if look()? {
                return Ok(());
            }
        };
        let slept = sleep();
        mine.asleep.swap(0, Ordering::AcqRel);
        ends.leave();
        let took = began.map_or(Duration::ZERO, |began| began.elapsed());
        if self.spin == Spin::Adaptive {
            self.slept(&mine, took);
        }
        slept.map(|()| took)
    }
}

/// After a fence: wakes the other end if it sleeps.
#[inline]
pub(crate) fn wake(other: End) {
    if other.asleep.load(Ordering::Relaxed) != 0 {
        wake_sleeper(&other);
    }
}

#[cold]
pub(crate) fn wake_sleeper(other: &End) {
    other.woken.store(now(), Ordering::Relaxed);
    // Once for each sleep.
    if other.asleep.swap(0, Ordering::AcqRel) != 0 {
        futex_wake(other.asleep);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn may_run_on() -> Vec<usize> {
        // SAFETY: a set of processors is numbers, and the call gets one of its size.
        unsafe {
            let mut all: libc::cpu_set_t = std::mem::zeroed();
            assert_eq!(libc::sched_getaffinity(0, size_of_val(&all), &raw mut all), 0);
            (0..libc::CPU_SETSIZE as usize).filter(|cpu| libc::CPU_ISSET(*cpu, &all)).collect()
        }
    }

    #[test]
    fn who_leaves_a_processor_may_run_where_it_might_before() {
        let before = may_run_on();
        for _ in 0..100 {
            leave_cpu();
            assert_eq!(may_run_on(), before);
        }
        std::thread::spawn(move || {
            // SAFETY: as above; it means this thread.
            unsafe {
                let mut one: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(before[0], &mut one);
                assert_eq!(libc::sched_setaffinity(0, size_of_val(&one), &raw const one), 0);
            }
            assert!(!leave_cpu() && may_run_on() == before[..1]);
        })
        .join()
        .unwrap_or_else(|_| panic!("it was moved"));
    }
}
