//! Records the objects with copied members, the marshallers and the buffers of the calls that wait on a channel, for calls and messages that are made
//! meanwhile.

use std::ptr;

use super::link::{Link, WaitingBuffer};
use crate::marshal::Marshaller;
use crate::plan::Call;

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

/// Keeps the marshaller of a waiting call in the channel's list, until this is dropped.
pub(crate) struct WithMarshaller<'a> {
    link: &'a Link,
    id: u32,
}

impl Drop for WithMarshaller<'_> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.link.marshallers.try_borrow_mut() {
            all.pop_if(|(id, _)| *id == self.id);
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
        let is_worker = marshaller.is_worker();
        let marshaller: *mut Marshaller<'static> = ptr::from_mut(marshaller).cast();
        if let Ok(mut all) = self.marshallers.try_borrow_mut() {
            // The library has left the callbacks whose frames are below this frame, with `longjmp`.
            all.retain(|(_, outer)| !is_worker || outer.addr() > marshaller.addr());
            all.push((id, marshaller));
        }
        WithMarshaller { link: self, id }
    }

    /// Calls `then` with the marshaller of each waiting call and callback of this channel.
    fn each_waiting(&self, mut then: impl FnMut(&mut Marshaller<'static>)) {
        for (_, marshaller) in self.marshallers.try_borrow().iter().flat_map(|all| all.iter()) {
            // SAFETY: the frame of the waiting call exists until it removes this pointer, and does not use the marshaller while a callback runs.
            then(unsafe { &mut **marshaller });
        }
    }

    /// Makes a call record what it ends, if other calls wait for the callback in which it is made. They must learn of it, because the memory that they
    /// sent may be freed ([`end_memory`](Self::end_memory)).
    pub fn watch_ended(&self, marshaller: &mut Marshaller<'_>, call: &'static Call) {
        if call.facts.ends && self.marshallers.try_borrow().is_ok_and(|all| !all.is_empty()) {
            self.each_waiting(Marshaller::list_sent_memory);
            marshaller.watch_ended();
        }
    }

    /// Records for the waiting calls of this channel which memory a successful call in a callback has ended.
    pub fn end_memory(&self, marshaller: &mut Marshaller<'_>) {
        if let Some(ended) = marshaller.take_ended() {
            self.each_waiting(|waiting| waiting.end_sent_memory(&ended));
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
