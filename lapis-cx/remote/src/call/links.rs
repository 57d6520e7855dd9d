//! The channels of a thread of the program, one for each guest.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{Ordering, compiler_fence};

use super::link::Link;

/// By guest.
#[derive(Default)]
struct Links {
    all: Vec<(usize, Rc<Link>)>,
    /// Those that are of no use any more, but in use: a signal handler found them to be so.
    gone: Vec<Rc<Link>>,
}

impl Drop for Links {
    fn drop(&mut self) {
        LAST.set(NONE);
    }
}

thread_local! {
    static LINKS: RefCell<Links> = const { RefCell::new(Links { all: Vec::new(), gone: Vec::new() }) };
    /// The one of `LINKS` that was found last. One word, as signal handlers change it too.
    static LAST: Cell<*const Link> = const { Cell::new(NONE) };
    /// An asynchronous callback of a thread of the library runs.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
    /// The channel of the innermost callback. A word that needs no destructor: it is there until the thread has ended.
    static CALLBACK: Cell<*const Link> = const { Cell::new(NONE) };
    /// It is in use.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

const NONE: *const Link = std::ptr::null();

/// No channel can be kept: the thread is about to end, or this is a signal handler in the middle of a change.
pub(super) struct NoPlace;

/// The channel of this thread to a guest, if it is the one that was found last.
#[inline(always)]
pub(super) fn with_last<T>(guest: usize, work: impl FnOnce(&Link) -> T) -> Option<T> {
    let before = IS_USED.replace(true);
    // A signal handler that finds the channel to be of no use sees that, and leaves it.
    compiler_fence(Ordering::SeqCst);
    let link = LAST.get();
    // SAFETY: one of `LINKS`, which drop none while this is in use.
    let link = unsafe { link.as_ref() }.filter(|link| link.guest == guest);
    let done = link.map(work);
    compiler_fence(Ordering::SeqCst);
    IS_USED.set(before);
    done
}

/// The same, to keep.
#[inline(always)]
pub(super) fn last(guest: usize) -> Option<Rc<Link>> {
    with_last(guest, |link| {
        // SAFETY: as above; it was made of an `Rc`.
        unsafe {
            Rc::increment_strong_count(link);
            Rc::from_raw(link)
        }
    })
}

/// The channel of this thread to a guest, if there is one.
///
/// # Errors
///
/// Nobody knows, and none can be kept.
pub(super) fn find(guest: usize) -> Result<Option<Rc<Link>>, NoPlace> {
    if let Some(link) = last(guest) {
        return Ok(Some(link));
    }
    let found = LINKS.try_with(|links| {
        let links = links.try_borrow().map_err(|_| NoPlace)?;
        let found = links.all.iter().find(|(id, _)| *id == guest);
        if let Some((_, link)) = found {
            LAST.set(Rc::as_ptr(link));
        }
        Ok(found.map(|(_, link)| Rc::clone(link)))
    });
    // When the thread has no table any more, it may end in a callback (`exit`), over whose channel the worker waits.
    found.unwrap_or_else(|_| in_callback(guest).map(Some).ok_or(NoPlace))
}

/// The channel over which the innermost callback of this thread came, if it is one of this guest.
fn in_callback(guest: usize) -> Option<Rc<Link>> {
    // SAFETY: whoever runs the callback has it.
    let link = unsafe { CALLBACK.get().as_ref() }.filter(|link| link.guest == guest)?;
    // SAFETY: as above; it was made of an `Rc`.
    unsafe {
        Rc::increment_strong_count(link);
        Some(Rc::from_raw(link))
    }
}

/// Until this is dropped, a callback runs that came over this channel.
pub(super) struct Runs(*const Link);

/// A callback begins that came over this channel, and whose calls go over it.
pub(super) fn runs(link: &Rc<Link>) -> Runs {
    Runs(CALLBACK.replace(Rc::as_ptr(link)))
}

impl Drop for Runs {
    fn drop(&mut self) {
        CALLBACK.set(self.0);
    }
}

/// From now on this is it, if it can be kept.
pub(super) fn keep(guest: usize, link: &Rc<Link>) {
    change(|links| links.all.push((guest, Rc::clone(link))));
}

/// Until this is dropped, a callback runs on this thread: its calls go over the channel that was lent, or over one of the thread's own.
pub(super) enum Lent {
    Already,
    Other(usize, *const Link),
    Own(bool),
}

/// Whether this thread runs an asynchronous callback of a thread of the library.
pub(super) fn is_in_callback() -> bool {
    IN_CALLBACK.get()
}

/// Calls that this thread makes meanwhile go over a channel of its own.
pub(super) fn use_own() -> Lent {
    Lent::Own(IN_CALLBACK.replace(true))
}

/// Calls that this thread makes meanwhile go over this channel.
pub(super) fn lend(guest: usize, link: &Rc<Link>) -> Lent {
    if find(guest).is_ok_and(|found| found.is_some_and(|found| Rc::ptr_eq(&found, link))) {
        return Lent::Already;
    }
    change(|links| links.all.insert(0, (guest, Rc::clone(link))));
    Lent::Other(guest, Rc::as_ptr(link))
}

impl Drop for Lent {
    fn drop(&mut self) {
        let (guest, lent) = match *self {
            Lent::Already => return,
            Lent::Own(before) => return IN_CALLBACK.set(before),
            Lent::Other(guest, lent) => (guest, lent),
        };
        change(|links| {
            let found = links.all.iter().position(|(id, link)| *id == guest && Rc::as_ptr(link) == lent);
            links.gone.extend(found.map(|at| links.all.remove(at).1));
        });
    }
}

/// It is of no use any more.
pub(super) fn forget(guest: usize) {
    change(|links| {
        let forgotten = links.all.extract_if(.., |(id, _)| *id == guest);
        links.gone.extend(forgotten.map(|(_, link)| link));
    });
}

/// In the child of a fork: all of them are the parent's, and stay open.
pub(super) fn leave_to_parent() {
    change(|links| std::mem::forget(std::mem::take(links)));
}

fn change(work: impl FnOnce(&mut Links)) {
    let _ = LINKS.try_with(|links| {
        if let Ok(mut links) = links.try_borrow_mut() {
            // Now, as no signal handler sets it while they are borrowed.
            LAST.set(NONE);
            work(&mut links);
            if !IS_USED.get() {
                links.gone.clear();
            }
        }
    });
}
