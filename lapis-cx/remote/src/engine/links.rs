//! The channels of a thread of the program, one for each guest.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::link::Link;

/// By guest.
#[derive(Default)]
struct Links {
    all: Vec<(usize, Rc<Link>)>,
    /// Those that are of no use any more. A call may use one that a signal handler found to be so in the middle of it.
    gone: Vec<Rc<Link>>,
}

impl Drop for Links {
    fn drop(&mut self) {
        LAST.set(NONE);
    }
}

thread_local! {
    static LINKS: RefCell<Links> = const { RefCell::new(Links { all: Vec::new(), gone: Vec::new() }) };
    /// The one of `LINKS` that was found last: a guest, and its channel.
    static LAST: Cell<(usize, *const Link)> = const { Cell::new(NONE) };
}

const NONE: (usize, *const Link) = (0, std::ptr::null());

/// No channel can be kept: the thread is about to end, or this is a signal handler in the middle of a change.
pub(super) struct NoPlace;

/// The channel of this thread to a guest, if it is the one that was found last.
#[inline(always)]
pub(super) fn with_last<T>(guest: usize, work: impl FnOnce(&Link) -> T) -> Option<T> {
    let (of, link) = LAST.get();
    if of != guest {
        return None;
    }
    // SAFETY: one of `LINKS`, which keep them until the thread ends.
    Some(work(unsafe { &*link }))
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
            LAST.set((guest, Rc::as_ptr(link)));
        }
        Ok(found.map(|(_, link)| Rc::clone(link)))
    });
    found.unwrap_or(Err(NoPlace))
}

/// From now on this is it, if it can be kept.
pub(super) fn keep(guest: usize, link: &Rc<Link>) {
    change(|links| links.all.push((guest, Rc::clone(link))));
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
        }
    });
}
