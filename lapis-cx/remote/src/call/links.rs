//! The channels of a program's thread, one for each guest.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{Ordering, compiler_fence};

use super::link::Link;

/// The channels, by guest.
#[derive(Default)]
struct Links {
    all: Vec<(usize, Rc<Link>)>,
    /// Dropped channels that may still be in use, because a signal handler dropped them.
    gone: Vec<Rc<Link>>,
}

impl Drop for Links {
    fn drop(&mut self) {
        LAST.set(NONE);
    }
}

thread_local! {
    static LINKS: RefCell<Links> = const { RefCell::new(Links { all: Vec::new(), gone: Vec::new() }) };
    /// The entry of `LINKS` that was found last. It is a single word, because signal handlers change it too.
    static LAST: Cell<*const Link> = const { Cell::new(NONE) };
    /// Whether an asynchronous callback of a library thread runs.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
    /// The channel of the innermost callback. It needs no destructor, so it is valid until the thread has ended.
    static CALLBACK: Cell<*const Link> = const { Cell::new(NONE) };
    /// Whether the channel in `LAST` is in use.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

const NONE: *const Link = std::ptr::null();

/// The error if no channel can be stored: the thread is about to end, or a signal handler interrupts a change.
pub(super) struct CannotStore;

/// Runs `work` with the channel of this thread to a guest, if it is the one that was found last.
#[inline(always)]
pub(super) fn with_last<T>(guest: usize, work: impl FnOnce(&Link) -> T) -> Option<T> {
    let before = IS_USED.replace(true);
    // A signal handler that drops the channel sees `IS_USED` and keeps the memory.
    compiler_fence(Ordering::SeqCst);
    let link = LAST.get();
    // SAFETY: `LAST` is null or an entry of `LINKS`, which frees no entry while `IS_USED` is set.
    let link = unsafe { link.as_ref() }.filter(|link| link.guest == guest);
    let done = link.map(work);
    compiler_fence(Ordering::SeqCst);
    IS_USED.set(before);
    done
}

/// Returns the channel of this thread to a guest, if it is the one that was found last.
#[inline(always)]
pub(super) fn last(guest: usize) -> Option<Rc<Link>> {
    with_last(guest, |link| {
        // SAFETY: the reference is valid inside `with_last`, and the link was created as an `Rc`.
        unsafe {
            Rc::increment_strong_count(link);
            Rc::from_raw(link)
        }
    })
}

/// Returns the channel of this thread to a guest, if one exists.
///
/// # Errors
///
/// The table is not accessible, so the channel is unknown and none can be stored.
pub(super) fn find(guest: usize) -> Result<Option<Rc<Link>>, CannotStore> {
    if let Some(link) = last(guest) {
        return Ok(Some(link));
    }
    let found = LINKS.try_with(|links| {
        let links = links.try_borrow().map_err(|_| CannotStore)?;
        let found = links.all.iter().find(|(id, _)| *id == guest);
        if let Some((_, link)) = found {
            LAST.set(Rc::as_ptr(link));
        }
        Ok(found.map(|(_, link)| Rc::clone(link)))
    });
    // A thread that is ending has no table, but may run in a callback (`exit`) over whose channel the worker waits.
    found.unwrap_or_else(|_| in_callback(guest).map(Some).ok_or(CannotStore))
}

/// Returns the channel of the innermost callback of this thread, if it belongs to this guest.
fn in_callback(guest: usize) -> Option<Rc<Link>> {
    // SAFETY: the caller of the callback holds an `Rc` of the channel until the callback returns.
    let link = unsafe { CALLBACK.get().as_ref() }.filter(|link| link.guest == guest)?;
    // SAFETY: same guarantee, and the link was created as an `Rc`.
    unsafe {
        Rc::increment_strong_count(link);
        Some(Rc::from_raw(link))
    }
}

/// Marks the channel of a running callback. Dropping it restores the outer callback's channel.
pub(super) struct Runs(*const Link);

/// Marks this channel as the one of the innermost callback, whose calls use it.
pub(super) fn runs(link: &Rc<Link>) -> Runs {
    Runs(CALLBACK.replace(Rc::as_ptr(link)))
}

impl Drop for Runs {
    fn drop(&mut self) {
        CALLBACK.set(self.0);
    }
}

/// Stores a channel of this thread, if the table is accessible.
pub(super) fn keep(guest: usize, link: &Rc<Link>) {
    change(|links| links.all.push((guest, Rc::clone(link))));
}

/// Selects the channel for the calls of a callback that runs on this thread. Dropping it restores the previous channel.
pub(super) enum Route {
    Already,
    Other(usize, *const Link),
    Own(bool),
}

/// Returns whether this thread runs an asynchronous callback of a library thread.
pub(super) fn is_in_callback() -> bool {
    IN_CALLBACK.get()
}

/// Makes calls of this thread use a separate channel until the guard is dropped.
pub(super) fn use_own() -> Route {
    Route::Own(IN_CALLBACK.replace(true))
}

/// Makes calls of this thread use this channel until the guard is dropped.
pub(super) fn use_channel(guest: usize, link: &Rc<Link>) -> Route {
    if find(guest).is_ok_and(|found| found.is_some_and(|found| Rc::ptr_eq(&found, link))) {
        return Route::Already;
    }
    change(|links| links.all.insert(0, (guest, Rc::clone(link))));
    Route::Other(guest, Rc::as_ptr(link))
}

impl Drop for Route {
    fn drop(&mut self) {
        let (guest, borrowed) = match *self {
            Route::Already => return,
            Route::Own(before) => return IN_CALLBACK.set(before),
            Route::Other(guest, borrowed) => (guest, borrowed),
        };
        change(|links| {
            let found = links.all.iter().position(|(id, link)| *id == guest && Rc::as_ptr(link) == borrowed);
            links.gone.extend(found.map(|at| links.all.remove(at).1));
        });
    }
}

/// Drops the channel of this thread to a guest.
pub(super) fn forget(guest: usize) {
    change(|links| {
        let forgotten = links.all.extract_if(.., |(id, _)| *id == guest);
        links.gone.extend(forgotten.map(|(_, link)| link));
    });
}

/// Leaks all channels in the child of a fork, because they belong to the parent.
pub(super) fn leave_to_parent() {
    change(|links| std::mem::forget(std::mem::take(links)));
}

fn change(work: impl FnOnce(&mut Links)) {
    let _ = LINKS.try_with(|links| {
        if let Ok(mut links) = links.try_borrow_mut() {
            // No signal handler sets `LAST` while the table is borrowed, so it stays null.
            LAST.set(NONE);
            work(&mut links);
            if !IS_USED.get() {
                links.gone.clear();
            }
        }
    });
}
