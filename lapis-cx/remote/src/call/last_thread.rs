//! The end of a program whose main thread ends by `pthread_exit`. The C library ends such a process with its last thread, but the threads of the
//! engine never end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::start;

/// The interval in which the threads are counted, once the main thread has ended.
const INTERVAL: Duration = Duration::from_millis(20);
/// The names of all threads of the engine begin like this.
const ENGINE: &[u8] = b"lapis-cx-";

/// The number of engine threads that run a function of the program.
static CALLBACKS: AtomicUsize = AtomicUsize::new(0);

/// An engine thread that runs a function of the program, until this is dropped.
pub(super) struct RunsCallback;

impl RunsCallback {
    pub fn new() -> RunsCallback {
        CALLBACKS.fetch_add(1, Ordering::Relaxed);
        RunsCallback
    }
}

impl Drop for RunsCallback {
    fn drop(&mut self) {
        CALLBACKS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends the process with its last thread, if the main thread has ended or is this thread. Threads of the program call this when they end.
pub(super) fn thread_ends() {
    static WATCHES: AtomicBool = AtomicBool::new(false);
    // SAFETY: these functions take no pointers and always succeed.
    let (thread, process) = unsafe { (libc::gettid(), libc::getpid()) };
    let main = format!("/proc/self/task/{process}");
    if (thread == process || has_ended(Path::new(&main))) && !WATCHES.swap(true, Ordering::Relaxed) {
        start::thread("lapis-cx-exit", || {
            while CALLBACKS.load(Ordering::Relaxed) != 0 || runs_thread_of_program() {
                std::thread::sleep(INTERVAL);
            }
            // SAFETY: as the C library does after the last thread.
            unsafe { libc::exit(0) };
        });
    }
}

/// Returns whether this process has a thread that is not the engine's. Returns `true` if that is unknown.
fn runs_thread_of_program() -> bool {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return true };
    threads.flatten().any(|thread| {
        let is_of_engine = |name: Vec<u8>| name.starts_with(ENGINE);
        !std::fs::read(thread.path().join("comm")).is_ok_and(is_of_engine) && !has_ended(&thread.path())
    })
}

/// Returns whether a thread has ended: it has no folder, or is a zombie.
fn has_ended(thread: &Path) -> bool {
    let Ok(stat) = std::fs::read(thread.join("stat")) else { return true };
    // The name of the thread is in parentheses, and its state is the next field.
    let end_of_name = stat.iter().rposition(|byte| *byte == b')');
    matches!(end_of_name.and_then(|at| stat.get(at + 2)), Some(b'Z' | b'X'))
}
