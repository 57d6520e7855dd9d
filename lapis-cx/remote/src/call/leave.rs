//! Functions of the program that do not return: the program leaves a callback, and the call around it, by `longjmp`, by an exception or by the
//! end of its thread.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

use super::forks;
use super::link::Link;
use super::stack;

/// A running callback that was made during a waiting call of its thread.
struct Callback<'a> {
    link: &'a Link,
    /// The id of the callback.
    id: u32,
    /// The number of waiting calls of the thread.
    depth: u32,
    is_over: Cell<bool>,
    /// The number of forks before the callback. In a child, the channel belongs to the parent.
    forks: u64,
    /// The previous innermost callback of this thread.
    outer: *const c_void,
}

impl Callback<'_> {
    fn leave(&self) {
        if !self.is_over.replace(true) && self.forks == forks::count() {
            self.link.leave(self.id, self.depth);
        }
    }
}

/// An exception drops the frames of the engine. So does the end of the thread in C libraries that unwind the stack for it. The [`Entry`] is dropped
/// before the callback.
impl Drop for Callback<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// An entry of a thread's list of cleanup functions. glibc's `longjmp` calls the functions of the frames that it leaves.
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

/// Replaces the list in other C libraries, which have none. There the worker is notified of a `longjmp` when the thread ends.
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
    /// The innermost [`Callback`] on the stack of this thread.
    static INNERMOST: Cell<*const c_void> = const { Cell::new(ptr::null()) };
}

/// The entry of a callback in the list of its thread, until this is dropped.
struct Entry<'a> {
    callback: &'a Callback<'a>,
    buffer: CleanupBuffer,
    is_listed: Cell<bool>,
}

impl<'a> Entry<'a> {
    fn new(callback: &'a Callback<'a>) -> Entry<'a> {
        let buffer =
            CleanupBuffer { routine: None, argument: ptr::null_mut(), cancel_type: 0, previous: ptr::null_mut() };
        Entry { callback, buffer, is_listed: Cell::new(false) }
    }

    /// Adds the entry to the list.
    ///
    /// # Safety
    ///
    /// The entry must not be moved before it is dropped or the program leaves its frame by `longjmp`.
    unsafe fn push(&mut self) {
        let this = ptr::from_ref(self).cast_mut().cast::<c_void>();
        self.is_listed.set(true);
        let innermost = INNERMOST.replace(ptr::from_ref(self.callback).cast());
        // SAFETY: the caller does not move the entry, and its destructor removes it from the list.
        unsafe { _pthread_cleanup_push(&raw mut self.buffer, left, this) };
        if !innermost.is_null() && innermost.addr() <= this.addr() {
            // The frames of the other entries are below this frame, so the program left them by a context switch. An empty list is safe.
            self.buffer.previous = ptr::null_mut();
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        if !self.is_listed.replace(false) {
            return;
        }
        if INNERMOST.get() != ptr::from_ref(self.callback).cast() {
            // The program switched contexts, so entries of other frames may be in the list. An empty list is safe.
            self.buffer.previous = ptr::null_mut();
            INNERMOST.set(ptr::null());
        } else {
            INNERMOST.set(self.callback.outer);
        }
        // SAFETY: `push` added the entry, which has not moved. This removes it and all entries that follow it.
        unsafe { _pthread_cleanup_pop(&raw mut self.buffer, 0) };
    }
}

/// glibc calls this with the entry that it has removed from the list.
unsafe extern "C" fn left(entry: *mut c_void) {
    // SAFETY: `push` registered the entry, which is in a frame that the program leaves now.
    let entry = unsafe { &*entry.cast::<Entry<'_>>() };
    entry.is_listed.set(false);
    INNERMOST.set(entry.callback.outer);
    entry.callback.leave();
}

/// Runs a function of the program for the callback `id`, which was made during a waiting call. Returns `false` if the program had already left the
/// callback and returns into it by a context switch.
pub(super) fn run(link: &Link, id: u32, function: impl FnOnce()) -> bool {
    let callback = Callback {
        link,
        id,
        depth: link.depth(),
        is_over: Cell::new(false),
        forks: forks::count(),
        outer: INNERMOST.get(),
    };
    let mut entry = Entry::new(&callback);
    if stack::is_own() {
        // SAFETY: the entry stays in this frame.
        unsafe { entry.push() };
    }
    function();
    drop(entry);
    !callback.is_over.replace(true)
}
