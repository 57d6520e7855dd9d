//! Tracks whether the other process of a connection is alive, and wakes the threads that wait for it.

use std::sync::Weak;

use crate::transport::Error;
use crate::transport::locks::{Mutex, MutexGuard, guard};
use crate::transport::memory::Ring;
use crate::transport::stream::{Half, Stream};
use crate::transport::sync::{Arc, AtomicU32, Fences, Ordering, futex_wake};

const ALIVE: u32 = 0;
const DIED: u32 = 1;
const STOPPED: u32 = 2;
const SILENT: u32 = 3;

/// The state of the ends of one channel in this process. It is private: the other process cannot change it.
pub(crate) struct Ends {
    sends: Ring,
    receives: Ring,
    /// The number of ends that sleep or are about to sleep.
    waiting: AtomicU32,
    /// `ALIVE`, or the reason why the ends must no longer wait.
    state: AtomicU32,
    fences: Fences,
    closed: Option<Closed>,
    /// The socket that carries the records, if the processes share no memory. The rings are private to this process then.
    stream: Option<Arc<Stream>>,
}

/// A function that runs after both halves of a channel in this process were dropped.
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
    pub fn with_stream(mut self, stream: Option<Arc<Stream>>) -> Ends {
        self.stream = stream;
        self
    }

    #[inline]
    pub fn stream(&self) -> Option<&Stream> {
        self.stream.as_deref()
    }

    /// Returns why the stream of a channel ended. `half` is the peer's end that this end depends on.
    pub fn close_reason(&self, stream: &Stream, half: Half) -> Error {
        match self.check() {
            Err(why) => why,
            Ok(()) if stream.is_closed(half) => Error::Closed,
            // The process died. The connection will detect that too.
            Ok(()) => {
                let _ = self.state.compare_exchange(ALIVE, DIED, Ordering::Relaxed, Ordering::Relaxed);
                stream.end();
                self.check().err().unwrap_or(Error::Died)
            }
        }
    }

    /// Records that the peer did not respond in time while no caller could receive the error. Later waits fail with [`Error::Silent`].
    pub fn set_silent(&self, stream: &Stream) {
        let _ = self.state.compare_exchange(ALIVE, SILENT, Ordering::Relaxed, Ordering::Relaxed);
        stream.end();
    }

    /// Returns an error if the connection ended.
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        match self.state.load(Ordering::Relaxed) {
            ALIVE => Ok(()),
            DIED => Err(Error::Died),
            SILENT => Err(Error::Silent),
            _ => Err(Error::Stopped),
        }
    }

    /// Announces a sleep. Must precede the last check of the condition; [`check`](Ends::check) must follow a fence.
    pub fn enter(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    pub fn leave(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    fn end(&self, why: u32) {
        // The first reason is kept.
        let _ = self.state.compare_exchange(ALIVE, why, Ordering::Relaxed, Ordering::Relaxed);
        if let Some(stream) = self.stream() {
            return stream.end();
        }
        // Either this thread sees `waiting`, or the thread that is about to sleep sees `state`.
        self.fences.full();
        let mut first = true;
        while std::mem::take(&mut first) || self.waiting.load(Ordering::Relaxed) != 0 {
            for asleep in [self.sends.sender().asleep, self.receives.receiver().asleep] {
                // A thread between its last check and its sleep will not sleep. A corrupt peer can set the word again; the next iteration
                // wakes a thread that fell asleep because of that.
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

/// The state of one connection, which its channels share.
#[derive(Clone, Default)]
pub struct Life(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: AtomicU32,
    ends: Mutex<Vec<Weak<Ends>>>,
}

impl Life {
    fn ends(&self) -> MutexGuard<'_, Vec<Weak<Ends>>> {
        guard(&self.0.ends)
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

    /// Records that the other process ended. All current and later waits fail with [`Error::Died`].
    pub fn died(&self) {
        self.end(DIED);
    }

    /// Ends the connection from this side. All current and later waits fail with [`Error::Stopped`].
    pub fn stop(&self) {
        self.end(STOPPED);
    }

    /// Returns whether the connection is still in use: neither [`died`](Life::died) nor [`stop`](Life::stop) was called.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) == ALIVE
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // models make their channels themselves
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
