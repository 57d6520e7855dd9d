//! Waiting for the other end: a short spin, then a sleep that it ends.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::Error;
use crate::life::Ends;
use crate::memory::End;
use crate::sync::{Fences, Ordering, futex_wait, futex_wake, pause, this_cpu};

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

/// What a wake-up takes, about.
const WAKE_UP: Duration = Duration::from_micros(5);

/// How many pauses that is on this machine.
fn pauses() -> u32 {
    static PAUSES: OnceLock<u32> = OnceLock::new();
    *PAUSES.get_or_init(|| {
        const TRIED: u32 = 500;
        let measure = || {
            let began = Instant::now();
            (0..TRIED).for_each(|_| pause());
            began.elapsed().as_nanos().max(1)
        };
        // The least of some: others were not interrupted.
        let least = (0..4).map(|_| measure()).min().unwrap_or(1);
        (WAKE_UP.as_nanos() * u128::from(TRIED) / least).clamp(16, 1 << 16) as u32
    })
}

/// The longest gap between two looks at a stream: pauses.
const LONGEST_GAP: u32 = 16;

pub(crate) struct Waiter {
    spin: Spin,
    /// Pauses, now and at most.
    budget: u32,
    most: u32,
    /// What was stored last.
    cpu: u32,
}

/// How to fence before a sleep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Full,
    Heavy,
}

impl Waiter {
    pub fn new(spin: Spin) -> Waiter {
        let most = if spin == Spin::Never { 0 } else { pauses() };
        Waiter { spin, budget: most, most, cpu: 0 }
    }

    fn note_cpu(&mut self, mine: &End) {
        let cpu = this_cpu().wrapping_add(1);
        if cpu != self.cpu {
            self.cpu = cpu;
            mine.cpu.store(cpu, Ordering::Relaxed);
        }
    }

    /// Waits until `ready`, or for an end of it all. In a stream it looks seldom, so as not to take the line from the sender each
    /// time; but at most 16 pauses late.
    pub fn wait(
        &mut self,
        (mine, other): (End, End),
        ends: &Ends,
        fences: &Fences,
        (before, stream): (Before, bool),
        mut ready: impl FnMut() -> Result<bool, Error>,
    ) -> Result<(), Error> {
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
            if other.cpu.load(Ordering::Relaxed) != self.cpu {
                let (mut left, mut gap) = (self.budget, if stream { 4 } else { 1 });
                while left > 0 {
                    for _ in 0..gap {
                        pause();
                    }
                    if look()? {
                        self.budget = self.most;
                        return Ok(());
                    }
                    left = left.saturating_sub(gap);
                    if stream {
                        gap = (gap * 2).min(LONGEST_GAP);
                    }
                }
            }
        }
        let began = (self.spin == Spin::Adaptive).then(Instant::now);
        ends.enter();
        let mut sleep = || loop {
            mine.asleep.store(1, Ordering::Relaxed);
            match before {
                Before::Full => fences.full(),
                Before::Heavy => fences.heavy()?,
            }
            if look()? {
                return Ok(());
            }
            futex_wait(mine.asleep, 1)?;
            if look()? {
                return Ok(());
            }
        };
        let slept = sleep();
        mine.asleep.store(0, Ordering::Relaxed);
        ends.leave();
        if let Some(began) = began {
            self.note_cpu(&mine);
            // Would a longer spin have met it?
            let met = began.elapsed() < 3 * WAKE_UP;
            self.budget = if met { self.most } else { (self.budget / 2).max(self.most / 8) };
        }
        slept
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
fn wake_sleeper(other: &End) {
    // Once for each sleep.
    if other.asleep.swap(0, Ordering::Relaxed) != 0 {
        futex_wake(other.asleep);
    }
}
