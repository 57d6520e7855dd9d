//! What a channel knows of the calls that wait on it, for calls and messages that are made meanwhile: their objects with members, their
//! marshallers and their buffers.

use std::ptr;

use super::link::{Link, WaitingBuffer};
use crate::marshal::Marshaller;

/// A request that names objects waits or runs, until this is dropped.
pub(crate) struct WithMembers<'a> {
    link: &'a Link,
    /// So many objects are of the requests around it.
    before: usize,
}

impl Drop for WithMembers<'_> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.link.members.try_borrow_mut() {
            all.truncate(self.before);
        }
    }
}

/// A call on the fast path runs a callback, until this is dropped.
pub(crate) struct WithBuffers<'a> {
    link: &'a Link,
    id: u32,
}

impl Drop for WithBuffers<'_> {
    fn drop(&mut self) {
        self.link.forget_buffers(self.id);
    }
}

/// A waiting call whose marshaller is known, until this is dropped.
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
    /// Whether a request waits that names objects with members that are copied.
    pub fn has_members(&self) -> bool {
        self.members.try_borrow().is_ok_and(|all| !all.is_empty())
    }

    /// A message is also about the objects of the requests around it.
    pub fn add_members(&self, marshaller: &mut Marshaller<'_>) {
        if let Ok(all) = self.members.try_borrow() {
            marshaller.with_members.extend_from_slice(&all);
        }
    }

    /// Until the result is dropped, a request waits or runs that names these objects.
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

    /// Lets [`leave`](Link::leave) find the marshaller of the waiting call `id`, until the result is dropped.
    pub fn with_marshaller<'l>(&'l self, id: u32, marshaller: &mut Marshaller<'_>) -> WithMarshaller<'l> {
        if let Ok(mut all) = self.marshallers.try_borrow_mut() {
            all.push((id, ptr::from_mut(marshaller).cast()));
        }
        WithMarshaller { link: self, id }
    }

    /// Lets calls in a callback find the buffers of the waiting call `id` on the fast path, until the result is dropped.
    pub fn with_buffers(&self, id: u32, buffers: impl Iterator<Item = WaitingBuffer>) -> WithBuffers<'_> {
        if let Ok(mut all) = self.buffers.try_borrow_mut() {
            all.extend(buffers.map(|one| (id, one)));
        }
        WithBuffers { link: self, id }
    }

    /// Forgets the buffers of the waiting call `id`, and of calls inside it.
    pub(super) fn forget_buffers(&self, id: u32) {
        if let Ok(mut all) = self.buffers.try_borrow_mut() {
            all.retain(|(call, _)| *call < id);
        }
    }

    /// Returns whether the library has a copy of memory between these addresses, for a call of this channel that waits, and the library or a
    /// call that writes it changes one of both.
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
