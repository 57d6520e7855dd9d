//! The locks of the standard library.
//!
//! The shipped standard library is not instrumented, so the thread sanitizer does not see its locks. With `--cfg lapis_cx_tsan`
//! (`tests/proof`), these wrappers announce acquire and release to the sanitizer. They do not test the locks themselves.

#[cfg(lapis_cx_tsan)]
pub(crate) use announced::{Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
#[cfg(not(all(loom, test)))]
use std::sync::TryLockError;
#[cfg(not(lapis_cx_tsan))]
#[cfg_attr(all(loom, test), allow(unused_imports))] // models use the locks of loom
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

/// Acquires a lock. Ignores poisoning: all users of these locks accept the data after a panic.
pub(crate) fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Acquires a lock, unless another thread holds it.
#[cfg(not(all(loom, test)))]
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

#[cfg(lapis_cx_tsan)]
mod announced {
    use std::ffi::c_void;
    use std::ops::{Deref, DerefMut};
    use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult, WaitTimeoutResult};
    use std::time::Duration;

    // Functions of the sanitizer's runtime.
    unsafe extern "C" {
        fn __tsan_acquire(of: *mut c_void);
        fn __tsan_release(of: *mut c_void);
    }

    #[derive(Default)]
    pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

    /// The guard is `None` only during a wait for a condition.
    pub(crate) struct MutexGuard<'a, T>(Option<std::sync::MutexGuard<'a, T>>, *mut c_void);

    /// Ignores poisoning: all users of these locks accept the data after a panic.
    fn whole<T>(locked: LockResult<T>) -> T {
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    impl<T> Mutex<T> {
        pub const fn new(value: T) -> Mutex<T> {
            Mutex(std::sync::Mutex::new(value))
        }

        pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
            let name = std::ptr::from_ref(self).cast_mut().cast();
            match self.0.try_lock() {
                Ok(guard) => Ok(MutexGuard::held(guard, name)),
                Err(TryLockError::Poisoned(poisoned)) => Ok(MutexGuard::held(poisoned.into_inner(), name)),
                Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            }
        }

        pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
            Ok(MutexGuard::held(whole(self.0.lock()), std::ptr::from_ref(self).cast_mut().cast()))
        }
    }

    impl<'a, T> MutexGuard<'a, T> {
        fn held(guard: std::sync::MutexGuard<'a, T>, name: *mut c_void) -> MutexGuard<'a, T> {
            // SAFETY: the sanitizer uses the address as an identifier and does not access it.
            unsafe { __tsan_acquire(name) };
            MutexGuard(Some(guard), name)
        }

        /// Announces the release and returns the guard of the standard library.
        fn leave(mut self) -> Option<std::sync::MutexGuard<'a, T>> {
            // SAFETY: as above.
            unsafe { __tsan_release(self.1) };
            self.0.take()
        }
    }

    impl<T> Drop for MutexGuard<'_, T> {
        fn drop(&mut self) {
            if self.0.is_some() {
                // SAFETY: as above.
                unsafe { __tsan_release(self.1) };
            }
        }
    }

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;

        #[allow(clippy::unwrap_used)] // compiled for tests only
        fn deref(&self) -> &T {
            self.0.as_ref().unwrap()
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        #[allow(clippy::unwrap_used)]
        fn deref_mut(&mut self) -> &mut T {
            self.0.as_mut().unwrap()
        }
    }

    #[derive(Default)]
    pub(crate) struct Condvar(std::sync::Condvar);

    #[allow(clippy::unwrap_used)]
    impl Condvar {
        pub const fn new() -> Condvar {
            Condvar(std::sync::Condvar::new())
        }

        pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
            let name = guard.1;
            Ok(MutexGuard::held(whole(self.0.wait(guard.leave().unwrap())), name))
        }

        pub fn wait_timeout<'a, T>(
            &self,
            guard: MutexGuard<'a, T>,
            most: Duration,
        ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
            let name = guard.1;
            let (guard, ended) = whole(self.0.wait_timeout(guard.leave().unwrap(), most));
            Ok((MutexGuard::held(guard, name), ended))
        }

        pub fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}
