//! Forks of the program. The child has one thread and a copy of the memory: the connections and channels in it belong to the parent.

use std::any::Any;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once, Weak};
use std::time::{Duration, Instant};

use super::{last_thread, links};
use crate::locks::{Mutex, guard};
use crate::marshal::memory::try_lock_all;

/// A type with locks that other threads may hold when a thread forks.
pub(crate) trait AtFork: Send + Sync {
    /// Acquires all locks and returns their guards. Returns `None` if another thread holds one of them.
    fn hold(self: Arc<Self>) -> Option<Box<dyn Any>>;
}

/// The number of forks between the first process and the current process.
static FORKS: AtomicU64 = AtomicU64::new(0);
static ALL: Mutex<Vec<Weak<dyn AtFork>>> = Mutex::new(Vec::new());
static WATCHES: Once = Once::new();

/// The longest time that a fork waits for the locks. A thread that starts a worker holds a lock. After this time the program forks anyway, and the
/// child can block in its first call.
const MOST_WAIT: Duration = Duration::from_secs(10);

thread_local! {
    /// The guards, during a fork by this thread. It has no destructor, because destructors of thread-local data and `atexit` handlers may fork.
    static HELD: Cell<ManuallyDrop<Vec<Box<dyn Any>>>> = const { Cell::new(ManuallyDrop::new(Vec::new())) };
}

/// Returns the number of forks between the first process and the current process.
#[inline(always)]
pub(crate) fn count() -> u64 {
    FORKS.load(Ordering::Relaxed)
}

/// Makes guests connect again, as in the child of a fork.
#[cfg(all(feature = "fault-injection", not(loom)))]
pub(crate) fn pretend(forks: u64) {
    FORKS.fetch_add(forks, Ordering::Relaxed);
}

/// Starts to count forks, and lets forks wait until no other thread holds a lock of `one`: in the child, no thread would release it.
pub(crate) fn watch(one: Weak<dyn AtFork>) {
    WATCHES.call_once(|| {
        // SAFETY: the functions are those of this library, which is never unloaded.
        let _ = unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    });
    let mut all = guard(&ALL);
    all.retain(|one| one.strong_count() != 0);
    all.push(one);
}

/// Runs before a fork: waits for the locks.
extern "C" fn before() {
    let start = Instant::now();
    loop {
        // Guests that a thread creates meanwhile wait until the fork is over.
        let all = guard(&ALL);
        // Threads acquire these locks in different orders, so this thread must not hold a lock while it waits for another.
        let held: Option<Vec<Box<dyn Any>>> = all.iter().filter_map(Weak::upgrade).map(AtFork::hold).collect();
        if let (Some(mut held), Some(memory)) = (held, try_lock_all()) {
            held.push(Box::new(memory));
            held.push(Box::new(all));
            HELD.set(ManuallyDrop::new(held));
            return;
        }
        drop(all);
        if start.elapsed() > MOST_WAIT {
            return;
        }
        std::thread::yield_now();
    }
}

/// Runs in the parent after a fork: releases the locks.
extern "C" fn in_parent() {
    drop(ManuallyDrop::into_inner(HELD.take()));
}

/// Runs in the child: releases the locks, and leaves the channels to the parent.
extern "C" fn in_child() {
    in_parent();
    FORKS.fetch_add(1, Ordering::Relaxed);
    // Closing the connections here would close them in the parent, so they are leaked.
    links::leave_to_parent();
    last_thread::begin_in_child();
}
