//! What threads share is made of this: locks and atomics of the standard library, or, in `models`, those of loom, which tries the
//! orders in which threads can take them.
//!
//! Both have the same names, but loom makes its statics anew for each order that it tries, and has thread locals of its own, as
//! its threads are coroutines. So statics that change stand in [`shared!`], and this stands before all other modules.

use std::sync::PoisonError;

#[cfg(all(loom, test))]
pub(crate) use loom::sync::{
    Mutex, RwLock,
    atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering},
};
#[cfg(not(all(loom, test)))]
pub(crate) use std::sync::{
    Mutex, RwLock,
    atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering},
};

/// Statics that threads share.
#[cfg(not(all(loom, test)))]
macro_rules! shared {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$attribute])* static $name: $type = $value;)*
    };
}
#[cfg(all(loom, test))]
macro_rules! shared {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        loom::lazy_static! { $($(#[$attribute])* static ref $name: $type = $value;)* }
    };
}

/// As the standard library's, which it stands in for.
#[cfg(all(loom, test))]
macro_rules! thread_local {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = const $value:block;)*) => {
        loom::thread_local! { $($(#[$attribute])* static $name: $type = $value;)* }
    };
}

/// A cell whose users see to it themselves that nobody else uses it: loom looks whether they do.
#[cfg(all(loom, test))]
pub(crate) use loom::cell::UnsafeCell;
#[cfg(not(all(loom, test)))]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);
#[cfg(not(all(loom, test)))]
impl<T> UnsafeCell<T> {
    pub fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// Reads: others may read too while `work` runs.
    pub fn with<R>(&self, work: impl FnOnce(*const T) -> R) -> R {
        work(self.0.get())
    }

    /// Writes: nobody else uses it while `work` runs.
    pub fn with_mut<R>(&self, work: impl FnOnce(*mut T) -> R) -> R {
        work(self.0.get())
    }
}

/// Works with what a lock guards. Nothing here is left half changed by a panic, so there is no poison.
pub(crate) fn with<T, R>(lock: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
    let mut held = lock.lock().unwrap_or_else(PoisonError::into_inner);
    let _seen = Seen::new(lock);
    work(&mut held)
}

/// As [`with`], for changes of what many read.
pub(crate) fn change<T, R>(lock: &RwLock<T>, work: impl FnOnce(&mut T) -> R) -> R {
    let mut held = lock.write().unwrap_or_else(PoisonError::into_inner);
    let _seen = Seen::new(lock);
    work(&mut held)
}

/// As [`with`], with other readers at the same time.
pub(crate) fn look<T, R>(lock: &RwLock<T>, work: impl FnOnce(&T) -> R) -> R {
    let held = lock.read().unwrap_or_else(PoisonError::into_inner);
    let _seen = Seen::new(lock);
    work(&held)
}

/// Changes a thread local without a destructor, while others of the thread are dropped: it is still there. Not so loom's.
#[cfg(not(all(loom, test)))]
pub(crate) fn at_end_of_thread<T>(local: &'static std::thread::LocalKey<T>, change: impl FnOnce(&T)) {
    local.with(change);
}
#[cfg(all(loom, test))]
pub(crate) fn at_end_of_thread<T>(local: &'static loom::thread::LocalKey<T>, change: impl FnOnce(&T)) {
    // After a model failed there are no threads any more.
    if !std::thread::panicking() {
        let _ = local.try_with(change);
    }
}

/// While a lock is held: nothing, but with `--cfg lapis_cx_tsan` it tells the thread sanitizer that what was done under the
/// lock before is done. The standard library as it is shipped does not tell it (`tests/proof`).
struct Seen(#[cfg(lapis_cx_tsan)] *mut std::ffi::c_void);

#[cfg(not(lapis_cx_tsan))]
impl Seen {
    fn new<T>(_lock: &T) -> Seen {
        Seen()
    }
}

#[cfg(lapis_cx_tsan)]
mod tsan {
    use std::ffi::c_void;

    // Of the sanitizer's runtime.
    unsafe extern "C" {
        fn __tsan_acquire(of: *mut c_void);
        fn __tsan_release(of: *mut c_void);
    }

    impl super::Seen {
        pub(super) fn new<T>(lock: &T) -> super::Seen {
            let lock = std::ptr::from_ref(lock).cast_mut().cast();
            // SAFETY: the address is a name, and nothing is read there.
            unsafe { __tsan_acquire(lock) };
            super::Seen(lock)
        }
    }

    impl Drop for super::Seen {
        fn drop(&mut self) {
            // SAFETY: as above.
            unsafe { __tsan_release(self.0) };
        }
    }
}
