//! Counts the threads that serve the calls of a guest, and waits for the end of their work after the guest has disconnected.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use crate::locks::{Condvar, Mutex, MutexGuard, guard};

/// The interval at which [`Serving::finish`] checks whether all threads only wait.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// The time after which threads that only wait count as blocked.
const STUCK: Duration = Duration::from_secs(2);

/// Counts the threads that serve the channels of a guest, and the records that they serve after the guest has disconnected.
#[derive(Default)]
pub(crate) struct Serving(Arc<Counts>);

#[derive(Default)]
struct Counts {
    threads: Mutex<usize>,
    changed: Condvar,
    has_ended: AtomicBool,
    served: AtomicU64,
}

/// Counts a thread that serves a channel, until this is dropped.
pub(crate) struct ServingThread(Arc<Counts>);

impl Counts {
    fn threads(&self) -> MutexGuard<'_, usize> {
        guard(&self.threads)
    }
}

impl Drop for ServingThread {
    fn drop(&mut self) {
        *self.0.threads() -= 1;
        self.0.changed.notify_all();
    }
}

impl Serving {
    /// Counts a thread.
    pub fn begin(&self) -> ServingThread {
        *self.0.threads() += 1;
        ServingThread(Arc::clone(&self.0))
    }

    /// Records that the guest has disconnected.
    pub fn end(&self) {
        self.0.has_ended.store(true, Ordering::Relaxed);
    }

    /// Counts a record that was served. While the guest is connected, threads only read shared data here.
    #[inline(always)]
    pub fn count(&self) {
        if self.0.has_ended.load(Ordering::Relaxed) {
            self.0.served.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the number of records that were served since the guest has disconnected.
    pub fn served(&self) -> u64 {
        self.0.served.load(Ordering::Relaxed)
    }

    /// Waits until the threads have served all records that the guest sent before it disconnected. Returns earlier if all threads only wait for
    /// calls that have not arrived. `waiting` returns the number of threads that wait for other calls.
    pub fn finish(&self, waiting: impl Fn() -> usize) {
        let mut threads = self.0.threads();
        let mut since = (Instant::now(), self.served());
        while *threads != 0 && since.0.elapsed() < STUCK {
            if waiting() < *threads || since.1 != self.served() {
                since = (Instant::now(), self.served());
            }
            threads = self.0.changed.wait_timeout(threads, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn finish_waits_for_threads_that_work_and_not_for_those_that_wait() {
        let serving = Serving::default();
        serving.finish(|| 0);
        let serves = serving.begin();
        let works = thread::spawn(move || drop(serves));
        serving.finish(|| 0);
        assert!(works.join().is_ok());
        let _stuck = serving.begin();
        serving.finish(|| 1);
        assert_eq!(serving.served(), 0);
    }
}
