//! Replaces `sync.rs` in models, with primitives of loom.

use loom::sync::{Condvar, Mutex};
pub(crate) use loom::thread::yield_now;
pub(crate) use std::sync::Arc;

pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};

use crate::transport::Error;

/// An atomic word with the kernel's futex queue of the threads that sleep on it.
#[derive(Debug)]
pub(crate) struct AtomicU32 {
    value: loom::sync::atomic::AtomicU32,
    bucket: Mutex<()>,
    sleepers: Condvar,
}

impl AtomicU32 {
    pub fn new(value: u32) -> AtomicU32 {
        AtomicU32 { value: loom::sync::atomic::AtomicU32::new(value), bucket: Mutex::new(()), sleepers: Condvar::new() }
    }
}

impl Default for AtomicU32 {
    fn default() -> AtomicU32 {
        AtomicU32::new(0)
    }
}

impl std::ops::Deref for AtomicU32 {
    type Target = loom::sync::atomic::AtomicU32;
    fn deref(&self) -> &Self::Target {
        &self.value
    }
}

pub(crate) fn futex_wait(word: &AtomicU32, value: u32, _: Option<std::time::Duration>) -> Result<(), Error> {
    let held = word.bucket.lock().unwrap();
    if word.load(Ordering::Relaxed) == value {
        drop(word.sleepers.wait(held).unwrap());
    }
    Ok(())
}

pub(crate) fn futex_wake(word: &AtomicU32) {
    let _held = word.bucket.lock().unwrap();
    word.sleepers.notify_all();
}

/// Fences that order only against their counterparts: two read-modify-writes of one word are ordered, and the later thread sees the earlier
/// stores of the other. Fences of loom would order a light fence against a full one, which the system does not.
#[derive(Clone)]
pub(crate) struct Fences {
    full: Arc<AtomicU64>,
    light: Arc<AtomicU64>,
    /// The kind of fence that this end omits, to show that it is needed.
    pub without: Option<Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Full,
    Light,
    Heavy,
}

impl Fences {
    pub fn new() -> Fences {
        let word = || Arc::new(AtomicU64::new(0));
        Fences { full: word(), light: word(), without: None }
    }

    pub fn full(&self) {
        if self.without != Some(Kind::Full) {
            self.full.fetch_add(1, Ordering::AcqRel);
        }
    }

    pub fn light(&self) {
        if self.without != Some(Kind::Light) {
            self.light.fetch_add(1, Ordering::AcqRel);
        }
    }

    pub fn heavy(&self) -> Result<(), Error> {
        if self.without != Some(Kind::Heavy) {
            self.full.fetch_add(1, Ordering::AcqRel);
            self.light.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }
}

pub(crate) fn registered() -> bool {
    true
}

pub(crate) fn this_cpu() -> u32 {
    0
}

pub(crate) fn has_one_processor() -> bool {
    false
}

pub(crate) fn leave_cpu() -> bool {
    false
}

pub(crate) fn now() -> u32 {
    0
}

pub(crate) fn pause() {
    yield_now();
}

/// After a model failed, loom's threads and atomics must not be used any more.
pub(crate) fn is_over() -> bool {
    std::thread::panicking()
}
