//! Ends a process whose main thread ended with `pthread_exit`. The C library would end the process with its last thread, but the threads of the
//! engine never end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::transport::{count_threads, threads};

/// The interval at which the threads are counted, once the main thread has ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// Whether a thread waits for the end of the program's last thread.
static WATCHES: AtomicBool = AtomicBool::new(false);

/// Resets the state in the child of a fork.
pub(super) fn begin_in_child() {
    threads::begin_in_child();
    WATCHES.store(false, Ordering::Relaxed);
}

/// Waits on a new thread for the program's last thread, and then ends the process, if the main thread has ended or is this thread. Threads of the
/// program call this when they end.
pub(super) fn thread_ends() {
    // SAFETY: these functions take no pointers and always succeed.
    let (thread, process) = unsafe { (libc::gettid(), libc::getpid()) };
    let main = format!("/proc/self/task/{process}");
    if (thread == process || has_ended(Path::new(&main))) && !WATCHES.swap(true, Ordering::Relaxed) {
        threads::thread("lapis-cx-exit", || {
            while threads::callbacks() != 0 || runs_thread_of_program() {
                std::thread::sleep(INTERVAL);
            }
            // SAFETY: `exit` takes no pointers. The C library calls it after the last thread too.
            unsafe { libc::exit(0) };
        });
    }
}

/// Returns whether this process has a thread that is neither the main thread nor the engine's. Returns `true` if that is unknown. The kernel
/// counts the main thread until the process ends.
fn runs_thread_of_program() -> bool {
    count_threads().is_none_or(|count| count > 1 + threads::count())
}

/// Returns whether a thread has ended: it has no directory in `/proc`, or is a zombie.
fn has_ended(thread: &Path) -> bool {
    let Ok(stat) = std::fs::read(thread.join("stat")) else { return true };
    // The name of the thread is in parentheses, and its state is the next field.
    let end_of_name = stat.iter().rposition(|byte| *byte == b')');
    matches!(end_of_name.and_then(|at| stat.get(at + 2)), Some(b'Z' | b'X'))
}
