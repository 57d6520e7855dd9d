//! Functions of the program that do not return: the program leaves a callback, and the call around it, by `longjmp`, by an exception or by the
//! end of its thread.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

use super::forks;
use super::link::Link;

/// A running callback that is called during a waiting call of its thread.
struct Callback<'a> {
    link: &'a Link,
    /// The id of the callback.
    id: u32,
    /// The number of waiting calls of the thread.
    depth: u32,
    is_over: Cell<bool>,
    /// The number of forks before the callback. In a child, the channel belongs to the parent.
    forks: u64,
    /// The callback of this thread that was the innermost before.
    outer: *const c_void,
}

impl Callback<'_> {
    fn leave(&self) {
        if !self.is_over.replace(true) {
            INNERMOST.set(self.outer);
            if self.forks == forks::count() {
                self.link.leave(self.id, self.depth);
            }
        }
    }
}

/// An exception, or the end of the thread in C libraries that unwind for it, drops the frames of the engine.
impl Drop for Callback<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// An entry of the list of cleanup functions of a thread. `longjmp` of glibc calls those of the frames that it leaves.
#[repr(C)]
struct CleanupBuffer {
    routine: Option<unsafe extern "C" fn(*mut c_void)>,
    argument: *mut c_void,
    cancel_type: c_int,
    previous: *mut CleanupBuffer,
}

#[cfg(target_env = "gnu")]
unsafe extern "C" {
    fn _pthread_cleanup_push(
        buffer: *mut CleanupBuffer,
        routine: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    );
    fn _pthread_cleanup_pop(buffer: *mut CleanupBuffer, execute: c_int);
}

/// Other C libraries have no such list, so the worker learns of a `longjmp` when the thread ends.
#[cfg(not(target_env = "gnu"))]
mod without_list {
    pub(super) unsafe fn _pthread_cleanup_push(
        _: *mut super::CleanupBuffer,
        _: unsafe extern "C" fn(*mut super::c_void),
        _: *mut super::c_void,
    ) {
    }
    pub(super) unsafe fn _pthread_cleanup_pop(_: *mut super::CleanupBuffer, _: super::c_int) {}
}
#[cfg(not(target_env = "gnu"))]
use without_list::{_pthread_cleanup_pop, _pthread_cleanup_push};

std::thread_local! {
    /// The innermost [`Callback`] of this thread.
    static INNERMOST: Cell<*const c_void> = const { Cell::new(ptr::null()) };
}

unsafe extern "C" fn left(callback: *mut c_void) {
    // SAFETY: `run` registered the callback, which is in a frame that the program leaves now.
    unsafe { (*callback.cast::<Callback<'_>>()).leave() };
}

/// Runs a function of the program for the callback `id`, which is called during a waiting call. Returns `false` if the program has left the
/// callback before, and comes back by a context switch.
pub(super) fn run(link: &Link, id: u32, function: impl FnOnce()) -> bool {
    let callback = Callback {
        link,
        id,
        depth: link.depth(),
        is_over: Cell::new(false),
        forks: forks::count(),
        outer: INNERMOST.get(),
    };
    let mut buffer =
        CleanupBuffer { routine: None, argument: ptr::null_mut(), cancel_type: 0, previous: ptr::null_mut() };
    let this = ptr::from_ref(&callback).cast_mut().cast::<c_void>();
    INNERMOST.set(this);
    // SAFETY: both values stay in this frame until `_pthread_cleanup_pop`, or until the program leaves the frame, which removes the entry.
    unsafe { _pthread_cleanup_push(&raw mut buffer, left, this) };
    function();
    if INNERMOST.get() != this {
        // The program switched contexts, so entries of other frames may be in the list. An empty list is safe.
        buffer.previous = ptr::null_mut();
        INNERMOST.set(ptr::null());
    } else {
        INNERMOST.set(callback.outer);
    }
    // SAFETY: the entry is removed, with all that follow it.
    unsafe { _pthread_cleanup_pop(&raw mut buffer, 0) };
    !callback.is_over.replace(true)
}
