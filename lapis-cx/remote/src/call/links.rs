//! The channels of a program's thread, one for each guest.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{Ordering, compiler_fence};

use super::last_thread;
use super::link::Link;
use crate::transport::without_signals;

/// The channels, by guest.
#[derive(Default)]
struct Links {
    all: Vec<(usize, Rc<Link>)>,
    /// Dropped channels that may still be in use, because a signal handler dropped them.
    dropped: Vec<Rc<Link>>,
    /// Whether the thread ended its channels.
    is_over: bool,
}

/// The number of rounds in which pthread runs destructors of thread-specific data when a thread ends. POSIX requires at least 4; glibc and musl have
/// 4.
const DESTRUCTOR_ROUNDS: usize = 4;

/// The thread-specific value that ends the channels of its thread. It counts the rounds of destructors.
static END: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// Returns the key of the thread-specific value. The first caller runs under a lock that forks wait for.
pub(super) fn key() -> Option<libc::pthread_key_t> {
    *END.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `end_of_thread` is a function of this library, which is never unloaded.
        (unsafe { libc::pthread_key_create(&raw mut key, Some(end_of_thread)) } == 0).then_some(key)
    })
}

/// Makes pthread call [`end_of_thread`] when this thread ends. Returns `false` if it cannot.
fn watch_end_of_thread(round: usize) -> bool {
    // SAFETY: the key was created, and is never deleted. The value is a number.
    key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, std::ptr::without_provenance(round)) } == 0)
}

/// Drops the channels of a thread in the last round of destructors. Until then, destructors of the program's thread-specific data may make calls,
/// which the same thread of the worker serves.
extern "C" fn end_of_thread(round: *mut c_void) {
    if round.addr() < DESTRUCTOR_ROUNDS && watch_end_of_thread(round.addr() + 1) {
        return;
    }
    // A signal handler that makes a call would allocate memory while this thread frees some.
    without_signals(|| {
        change(|links| {
            links.is_over = true;
            let all = std::mem::take(&mut links.all);
            links.dropped.extend(all.into_iter().map(|(_, link)| link));
            links.dropped.iter().for_each(drop_references_of_left_calls);
        });
        last_thread::thread_ends();
    });
}

/// Drops all references to a channel except `link`. Calls that the program left by `longjmp` still have references.
fn drop_references_of_left_calls(link: &Rc<Link>) {
    while Rc::strong_count(link) > 1 {
        // SAFETY: the thread ends, so no frame of a call exists that could use or drop its reference.
        unsafe { Rc::decrement_strong_count(Rc::as_ptr(link)) };
    }
}

/// Makes pthread call [`end_of_thread`] for the main thread, if this is the main thread, although it may never make a call.
pub(crate) fn watch_main_thread() {
    // SAFETY: these functions take no pointers and always succeed.
    if unsafe { libc::gettid() == libc::getpid() } {
        watch_end_of_thread(1);
    }
}

thread_local! {
    /// The channels, which [`end_of_thread`] drops. A Rust destructor would run before the destructors of the program's thread-specific data, and
    /// also when the program calls `exit` in a callback.
    static LINKS: RefCell<ManuallyDrop<Links>> =
        const { RefCell::new(ManuallyDrop::new(Links { all: Vec::new(), dropped: Vec::new(), is_over: false })) };
    /// The entry of `LINKS` that was found last. It is a single word, because signal handlers change it too.
    static LAST: Cell<*const Link> = const { Cell::new(NONE) };
    /// Whether an asynchronous callback of a library thread runs.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
    /// Whether the channel in `LAST` is in use.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

const NONE: *const Link = std::ptr::null();

/// The error if no channel can be stored: the thread is about to end, or a signal handler interrupts a change.
pub(super) struct CannotStore;

/// Runs `work` with the channel of this thread to a guest, if it is the channel that was found last.
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

/// Returns the channel of this thread to a guest, if it is the channel that was found last.
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
    LINKS.with(|links| {
        let links = links.try_borrow().map_err(|_| CannotStore)?;
        let found = links.all.iter().find(|(id, _)| *id == guest);
        if let Some((_, link)) = found {
            LAST.set(Rc::as_ptr(link));
        }
        if found.is_none() && links.is_over { Err(CannotStore) } else { Ok(found.map(|(_, link)| Rc::clone(link))) }
    })
}

/// Stores a channel of this thread, if the table is accessible.
pub(super) fn keep(guest: usize, link: &Rc<Link>) {
    if watch_end_of_thread(1) {
        change(|links| links.all.push((guest, Rc::clone(link))));
    }
}

/// The channel for the calls of a callback that runs on this thread. Dropping this restores the previous channel.
pub(super) enum ChannelSelection {
    /// The channel was selected before.
    Unchanged,
    Other(usize, *const Link),
    Separate(bool),
}

/// Returns whether this thread runs an asynchronous callback of a library thread.
pub(super) fn is_in_callback() -> bool {
    IN_CALLBACK.get()
}

/// Makes calls of this thread use a separate channel until the guard is dropped.
pub(super) fn use_separate_channel() -> ChannelSelection {
    ChannelSelection::Separate(IN_CALLBACK.replace(true))
}

/// Makes calls of this thread use this channel until the guard is dropped.
pub(super) fn use_channel(guest: usize, link: &Rc<Link>) -> ChannelSelection {
    if find(guest).is_ok_and(|found| found.is_some_and(|found| Rc::ptr_eq(&found, link))) {
        return ChannelSelection::Unchanged;
    }
    change(|links| links.all.insert(0, (guest, Rc::clone(link))));
    ChannelSelection::Other(guest, Rc::as_ptr(link))
}

impl Drop for ChannelSelection {
    fn drop(&mut self) {
        let (guest, selected) = match *self {
            ChannelSelection::Unchanged => return,
            ChannelSelection::Separate(before) => return IN_CALLBACK.set(before),
            ChannelSelection::Other(guest, selected) => (guest, selected),
        };
        change(|links| {
            let found = links.all.iter().position(|(id, link)| *id == guest && Rc::as_ptr(link) == selected);
            links.dropped.extend(found.map(|at| links.all.remove(at).1));
        });
    }
}

/// Drops the channel of this thread to a guest.
pub(super) fn forget(guest: usize) {
    change(|links| {
        let forgotten = links.all.extract_if(.., |(id, _)| *id == guest);
        links.dropped.extend(forgotten.map(|(_, link)| link));
    });
}

/// Leaks all channels in the child of a fork, because they belong to the parent.
pub(super) fn leave_to_parent() {
    change(|links| std::mem::forget(std::mem::take(links)));
}

/// Changes the channels of this thread, unless a signal handler interrupts another change.
fn change(work: impl FnOnce(&mut Links)) {
    LINKS.with(|links| {
        if let Ok(mut links) = links.try_borrow_mut() {
            // No signal handler sets `LAST` while the table is borrowed, so it stays null.
            LAST.set(NONE);
            work(&mut links);
            // No destructor frees the memory of the lists when the thread ends.
            if !IS_USED.get() {
                links.dropped = Vec::new();
            }
            if links.all.is_empty() {
                links.all = Vec::new();
            }
        }
    });
}
