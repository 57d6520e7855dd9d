//! The threads of the engine, and how many there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};

use super::without_signals;

/// The number of engine threads, and how many of them run a function of the program.
static THREADS: AtomicUsize = AtomicUsize::new(0);
static CALLBACKS: AtomicUsize = AtomicUsize::new(0);

/// Counts something until it is dropped.
pub(crate) struct Counted(&'static AtomicUsize);

impl Counted {
    fn new(count: &'static AtomicUsize) -> Counted {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }

    /// Counts the calling thread as one of the engine. It is taken for one of the program before and after that.
    pub fn thread() -> Counted {
        Counted::new(&THREADS)
    }

    /// Counts the calling thread of the engine as one that runs a function of the program.
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

/// Begins to count in the child of a fork, which has one thread.
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

/// Waits until the thread `task` of this process sleeps in a system call. Gives up if the kernel does not report that, or if the thread does
/// not get there.
pub(crate) fn wait_until_it_sleeps(task: libc::pid_t) {
    /// Each attempt lets other threads run.
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

/// Does the same as [`thread`] with a stack of `stack` bytes.
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
