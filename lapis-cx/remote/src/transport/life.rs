//! Whether a channel's other process lives, and who of this one waits for it.

use std::sync::{PoisonError, Weak};

use crate::transport::Error;
use crate::transport::locks::{Mutex, MutexGuard};
use crate::transport::memory::Ring;
use crate::transport::stream::{Half, Stream};
use crate::transport::sync::{Arc, AtomicU32, Fences, Ordering, futex_wake};

const ALIVE: u32 = 0;
const DIED: u32 = 1;
const STOPPED: u32 = 2;
const SILENT: u32 = 3;

/// The ends that a process has of one channel. It is private: the other process cannot change it.
pub(crate) struct Ends {
    sends: Ring,
    receives: Ring,
    /// How many of the ends are about to sleep, or do.
    waiting: AtomicU32,
    /// Why they must not wait any more.
    state: AtomicU32,
    fences: Fences,
    closed: Option<Closed>,
    /// What carries the records, if both processes share no memory. Then the rings are this process's own.
    stream: Option<Arc<Stream>>,
}

/// What is done once a channel has no end here any more.
pub(crate) type Closed = Box<dyn FnOnce() + Send + Sync>;

impl Drop for Ends {
    fn drop(&mut self) {
        if let Some(closed) = self.closed.take() {
            closed();
        }
    }
}

impl Ends {
    pub fn new(sends: &Ring, receives: &Ring, fences: Fences) -> Ends {
        let (waiting, state) = (AtomicU32::new(0), AtomicU32::new(ALIVE));
        let (sends, receives) = (sends.clone(), receives.clone());
        Ends { sends, receives, waiting, state, fences, closed: None, stream: None }
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // as `Life::add`
    pub fn on_close(mut self, closed: Option<Closed>) -> Ends {
        self.closed = closed;
        self
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // as `Life::add`
    pub fn over(mut self, stream: Option<Arc<Stream>>) -> Ends {
        self.stream = stream;
        self
    }

    #[inline]
    pub fn stream(&self) -> Option<&Stream> {
        self.stream.as_deref()
    }

    /// Why nothing comes out of the stream, or goes into it, any more, if `half` is the other side's end.
    pub fn hung_up(&self, stream: &Stream, half: Half) -> Error {
        match self.check() {
            Err(why) => why,
            Ok(()) if stream.is_gone(half) => Error::Closed,
            // The connection is about to learn the same.
            Ok(()) => {
                let _ = self.state.compare_exchange(ALIVE, DIED, Ordering::Relaxed, Ordering::Relaxed);
                stream.end();
                self.check().err().unwrap_or(Error::Died)
            }
        }
    }

    /// The other side was waited for in vain, while nobody could be told: it is not waited for again.
    pub fn give_up(&self, stream: &Stream) {
        let _ = self.state.compare_exchange(ALIVE, SILENT, Ordering::Relaxed, Ordering::Relaxed);
        stream.end();
    }

    /// An error once waiting is of no use.
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        match self.state.load(Ordering::Relaxed) {
            ALIVE => Ok(()),
            DIED => Err(Error::Died),
            SILENT => Err(Error::Silent),
            _ => Err(Error::Stopped),
        }
    }

    /// Before a sleep, and before the last look whether it is needed. [`check`](Ends::check) comes after a fence.
    pub fn enter(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    pub fn leave(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    fn end(&self, why: u32) {
        // The first reason stays.
        let _ = self.state.compare_exchange(ALIVE, why, Ordering::Relaxed, Ordering::Relaxed);
        if let Some(stream) = self.stream() {
            return stream.end();
        }
        // One of this thread and of the thread that is about to sleep sees what the other stored.
        self.fences.full();
        let mut first = true;
        while std::mem::take(&mut first) || self.waiting.load(Ordering::Relaxed) != 0 {
            for asleep in [self.sends.sender().asleep, self.receives.receiver().asleep] {
                // Who is between its last look and its sleep does not sleep then. Somebody hostile may set the word again: who
                // sleeps is woken in the next turn.
                asleep.store(0, Ordering::Relaxed);
                futex_wake(asleep);
            }
            crate::transport::sync::yield_now();
        }
    }
}

#[cfg(all(loom, test))]
impl Ends {
    pub fn end_for_test(&self) {
        self.end(DIED);
    }
}

/// The life of one connection, which many channels share.
#[derive(Clone, Default)]
pub struct Life(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: AtomicU32,
    ends: Mutex<Vec<Weak<Ends>>>,
}

impl Life {
    fn ends(&self) -> MutexGuard<'_, Vec<Weak<Ends>>> {
        self.0.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, why: u32) {
        let ends = {
            let ends = self.ends();
            let _ = self.0.state.compare_exchange(ALIVE, why, Ordering::Relaxed, Ordering::Relaxed);
            ends.clone()
        };
        for ends in ends.iter().filter_map(Weak::upgrade) {
            ends.end(why);
        }
    }

    /// The other process ended. Whoever waits for it, now or later, gets [`Error::Died`].
    pub fn died(&self) {
        self.end(DIED);
    }

    /// This process wants no more of it: whoever waits, now or later, gets [`Error::Stopped`].
    pub fn stop(&self) {
        self.end(STOPPED);
    }

    /// Whether neither has happened.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) == ALIVE
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // channels are made by the models themselves
    pub(crate) fn add(&self, new: &Arc<Ends>) {
        let mut ends = self.ends();
        ends.retain(|ends| ends.strong_count() > 0);
        ends.push(Arc::downgrade(new));
        let state = self.0.state.load(Ordering::Relaxed);
        if state != ALIVE {
            new.state.store(state, Ordering::Relaxed);
            if let Some(stream) = new.stream() {
                stream.end();
            }
        }
    }
}
