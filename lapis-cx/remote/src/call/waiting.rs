//! Records the objects with copied members, the marshallers and the buffers of the calls that wait on a channel, for calls and messages that are made
//! meanwhile.

use std::cell::RefCell;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::asynchronous::SentCalls;
use super::link::{Link, Unfinished, WaitingBuffer};
use crate::marshal::Marshaller;

/// Keeps the objects that a waiting or running request names in the channel's list, until this is dropped.
pub(crate) struct WithMembers<'a> {
    link: &'a Link,
    /// The number of objects of outer requests.
    before: usize,
}

impl Drop for WithMembers<'_> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.link.members.try_borrow_mut() {
            all.truncate(self.before);
        }
    }
}

/// The callbacks of a guest on all its threads, so a waiting call can tell whether one may have changed its buffers.
#[derive(Default)]
pub(crate) struct CallbackCount {
    /// How often a callback has begun or ended.
    changes: AtomicU64,
    /// The callbacks that run on threads of the library.
    running: AtomicU64,
}

impl CallbackCount {
    /// Counts a callback that begins. It runs until the result is dropped. A callback during a waiting call of its thread need not end, because the
    /// program may leave it by `longjmp`.
    pub fn begin(&self, is_in_call: bool) -> RunningCallback<'_> {
        self.running.fetch_add(u64::from(!is_in_call), Ordering::SeqCst);
        self.changes.fetch_add(1, Ordering::SeqCst);
        RunningCallback { count: self, is_in_call }
    }

    /// Returns a number that is the same later only if no callback has begun or ended since; `None` if one runs on a thread of the library.
    pub fn now(&self) -> Option<u64> {
        let changes = self.changes.load(Ordering::SeqCst);
        let none_runs = self.running.load(Ordering::SeqCst) == 0;
        // One may have begun in between.
        (none_runs && self.changes.load(Ordering::SeqCst) == changes).then_some(changes)
    }

    /// Forgets the running callbacks, in the child of a fork, which does not have the other threads.
    pub fn clear(&self) {
        self.running.store(0, Ordering::SeqCst);
    }
}

/// A callback that runs.
pub(crate) struct RunningCallback<'a> {
    count: &'a CallbackCount,
    is_in_call: bool,
}

impl Drop for RunningCallback<'_> {
    fn drop(&mut self) {
        self.count.changes.fetch_add(1, Ordering::SeqCst);
        if !self.is_in_call {
            let less = |running: u64| Some(running.saturating_sub(1));
            let _ = self.count.running.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        }
    }
}

/// Keeps the buffers of a waiting call on the fast path in the channel's list, until this is dropped.
pub(crate) struct WithBuffers<'a> {
    link: &'a Link,
    id: u32,
}

impl Drop for WithBuffers<'_> {
    fn drop(&mut self) {
        self.link.forget_buffers(self.id);
    }
}

/// Keeps a marshaller in a list of its channel, until this is dropped.
pub(crate) struct WithMarshaller<'a> {
    list: &'a RefCell<Vec<Unfinished>>,
    marshaller: *mut Marshaller<'static>,
}

impl<'a> WithMarshaller<'a> {
    fn new(list: &'a RefCell<Vec<Unfinished>>, id: u32, marshaller: &mut Marshaller<'_>) -> WithMarshaller<'a> {
        let is_worker = marshaller.is_worker();
        let marshaller: *mut Marshaller<'static> = ptr::from_mut(marshaller).cast();
        if let Ok(mut all) = list.try_borrow_mut() {
            // The library has left the frames below this frame, with `longjmp`.
            all.retain(|(_, outer)| !is_worker || outer.addr() > marshaller.addr());
            all.push((id, marshaller));
        }
        WithMarshaller { list, marshaller }
    }
}

impl Drop for WithMarshaller<'_> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.list.try_borrow_mut()
            && let Some(at) = all.iter().rposition(|(_, one)| *one == self.marshaller)
        {
            all.truncate(at);
        }
    }
}

impl Link {
    /// Returns whether a waiting or running request names objects with copied members.
    pub fn has_members(&self) -> bool {
        self.members.try_borrow().is_ok_and(|all| !all.is_empty())
    }

    /// Adds the objects of outer requests to a message, because it also carries their members.
    pub fn add_members(&self, marshaller: &mut Marshaller<'_>) {
        if let Ok(all) = self.members.try_borrow() {
            marshaller.with_members.extend_from_slice(&all);
        }
    }

    /// Adds the objects that a request names to the channel's list, until the result is dropped.
    pub fn with_members(&self, marshaller: &Marshaller<'_>) -> WithMembers<'_> {
        let mut before = 0;
        if let Ok(mut all) = self.members.try_borrow_mut() {
            before = all.len();
            for object in &*marshaller.with_members {
                if !all.contains(object) {
                    all.push(*object);
                }
            }
        }
        WithMembers { link: self, before }
    }

    /// Adds the marshaller of the waiting call or callback `id` to the channel's list, for calls in callbacks, until the result is dropped.
    pub fn with_marshaller<'l>(&'l self, id: u32, marshaller: &mut Marshaller<'_>) -> WithMarshaller<'l> {
        WithMarshaller::new(&self.marshallers, id, marshaller)
    }

    /// Adds the marshaller of a call or callback that this side runs to the channel's list, for calls in callbacks, until the result is dropped.
    pub fn with_running<'l>(&'l self, marshaller: &mut Marshaller<'_>) -> WithMarshaller<'l> {
        WithMarshaller::new(&self.running, self.depth(), marshaller)
    }

    /// Keeps the contents of the waiting call's buffers, before this side runs a function that may change them.
    pub fn keep_contents(&self) {
        for (_, marshaller) in self.marshallers.try_borrow().iter().flat_map(|all| all.last()) {
            // SAFETY: the frame of the call exists until it removes this pointer, and does not use the marshaller meanwhile.
            unsafe { (**marshaller).keep_contents(None) };
        }
    }

    /// Calls `then` with the marshaller of each call and callback of this channel that waits or runs. The caller must have removed its own marshaller.
    fn each_unfinished(&self, mut then: impl FnMut(&mut Marshaller<'static>)) {
        for list in [&self.marshallers, &self.running] {
            for (_, marshaller) in list.try_borrow().iter().flat_map(|all| all.iter()) {
                // SAFETY: the frame of the call exists until it removes this pointer, and does not use the marshaller while a callback or an inner
                // call runs.
                then(unsafe { &mut **marshaller });
            }
        }
    }

    /// Makes a call record what it ends, if it is made in a callback. The calls and callbacks around it must learn of it, because the memory that they
    /// sent or received may be freed ([`end_memory`](Self::end_memory)). `has_sent` is whether results of asynchronous calls have not arrived.
    pub fn watch_ended(&self, marshaller: &mut Marshaller<'_>, has_sent: bool) {
        let is_empty = |list: &RefCell<Vec<Unfinished>>| list.try_borrow().is_ok_and(|all| all.is_empty());
        if has_sent || !(is_empty(&self.marshallers) && is_empty(&self.running)) {
            self.each_unfinished(Marshaller::list_own_memory);
            marshaller.watch_ended();
        }
    }

    /// Records which memory a successful call in a callback has ended, for the calls and callbacks around it, and for asynchronous calls.
    pub fn end_memory(&self, marshaller: &mut Marshaller<'_>, sent_calls: Option<&SentCalls>) {
        if let Some(ended) = marshaller.take_ended() {
            self.each_unfinished(|one| one.end_own_memory(&ended));
            if let Some(sent_calls) = sent_calls {
                sent_calls.end_memory(&ended, &mut marshaller.lock());
            }
        }
    }

    /// Adds the buffers of the waiting call `id` on the fast path to the channel's list, for calls in callbacks, until the result is dropped.
    pub fn with_buffers(&self, id: u32, buffers: impl Iterator<Item = WaitingBuffer>) -> WithBuffers<'_> {
        if let Ok(mut all) = self.buffers.try_borrow_mut() {
            all.extend(buffers.map(|one| (id, one)));
        }
        WithBuffers { link: self, id }
    }

    /// Removes the buffers of the waiting call `id`, and of calls nested in it.
    pub(super) fn forget_buffers(&self, id: u32) {
        if let Ok(mut all) = self.buffers.try_borrow_mut() {
            all.retain(|(call, _)| *call < id);
        }
    }

    /// Returns whether a waiting call of this channel has a buffer between these addresses of which the library has a separate copy, and the waiting
    /// call or the new call (`is_written`) writes it.
    pub fn is_in_waiting_call(&self, (start, end): (usize, usize), is_written: bool) -> bool {
        let meets =
            |(_, one): &(u32, WaitingBuffer)| one.start < end && start < one.end && (is_written || one.is_written);
        let waits = |marshaller: &*mut Marshaller<'static>| {
            // SAFETY: the frame of the waiting call exists until it removes this pointer, and does not use the marshaller while a callback
            // runs, in which this call is made.
            unsafe { (**marshaller).entries.has_copy_of((start, end), is_written) }
        };
        self.buffers.try_borrow().is_ok_and(|all| all.iter().any(meets))
            || self.marshallers.try_borrow().is_ok_and(|all| all.iter().any(|(_, one)| waits(one)))
    }
}
