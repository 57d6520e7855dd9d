//! Starts and counts the threads of the engine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};

use super::without_signals;

/// The number of threads of the engine.
static THREADS: AtomicUsize = AtomicUsize::new(0);
/// The number of threads of the engine that run a function of the program.
static CALLBACKS: AtomicUsize = AtomicUsize::new(0);

/// Counts a thread until this is dropped.
pub(crate) struct Counted(&'static AtomicUsize);

impl Counted {
    fn new(count: &'static AtomicUsize) -> Counted {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }

    /// Counts the calling thread as a thread of the engine. Before and after, it counts as a thread of the program.
    pub fn thread() -> Counted {
        Counted::new(&THREADS)
    }

    /// Counts the calling thread of the engine as running a function of the program.
    pub fn callback() -> Counted {
        Counted::new(&CALLBACKS)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        // In the child of a fork, the counts begin at 0 again.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
    }
}

/// Resets the counts in the child of a fork, which has one thread.
pub(crate) fn begin_in_child() {
    THREADS.store(0, Ordering::Relaxed);
    CALLBACKS.store(0, Ordering::Relaxed);
}

/// Returns the number of threads of the engine.
pub(crate) fn count() -> usize {
    THREADS.load(Ordering::Relaxed)
}

/// Returns the number of threads of the engine that run a function of the program.
pub(crate) fn callbacks() -> usize {
    CALLBACKS.load(Ordering::Relaxed)
}

/// Returns the id of the calling thread.
pub(crate) fn id() -> libc::pid_t {
    // SAFETY: `gettid` takes no arguments.
    unsafe { libc::gettid() }
}

/// Waits until the thread `task` of this process sleeps in a system call. Returns earlier if the kernel does not report that, or after 1000
/// attempts.
pub(crate) fn wait_until_it_sleeps(task: libc::pid_t) {
    /// The largest number of attempts. Each attempt lets other threads run.
    const ATTEMPTS: u32 = 1000;
    let path = format!("/proc/self/task/{task}/syscall");
    for _ in 0..ATTEMPTS {
        match std::fs::read(&path) {
            Ok(text) if text.starts_with(b"running") => std::thread::yield_now(),
            _ => return,
        }
    }
}

/// Starts a thread that blocks all signals. Returns `None` if the system cannot create a thread.
pub(crate) fn thread(name: &str, what: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    spawn(Builder::new().name(name.to_owned()), what)
}

/// Fault injection starts many threads, whose stacks the address sanitizer clears.
const IS_FAULTY: bool = cfg!(all(feature = "fault-injection", not(loom)));
/// The stack size in bytes of a worker thread that makes calls, which may nest in callbacks. Unused pages take no memory.
pub(crate) const WORK_STACK: usize = if IS_FAULTY { 1 << 20 } else { 64 << 20 };
/// The stack size in bytes of a guest thread that runs callbacks: the default of a library thread.
pub(crate) const CALLBACK_STACK: usize = if IS_FAULTY { 1 << 20 } else { 8 << 20 };

/// Same as [`thread`], with a stack of `stack` bytes.
pub(crate) fn thread_with(name: &str, stack: usize, what: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    spawn(Builder::new().name(name.to_owned()).stack_size(stack), what)
}

fn spawn(builder: Builder, what: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let counted = || {
        let _counted = Counted::thread();
        what();
    };
    without_signals(|| builder.spawn(counted).ok())
}
