//! The synchronization primitives of shared memory: atomics, fences and futexes of the system, or, in `models`, those of loom, which
//! explores the interleavings of threads and the values that they may read.

#[cfg(all(loom, test))]
pub(crate) use crate::transport::models::sync::*;
#[cfg(not(all(loom, test)))]
pub(crate) use real::*;

#[cfg(not(all(loom, test)))]
mod real {
    use crate::transport::Error;
    pub(crate) use std::sync::Arc;
    pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
    use std::sync::atomic::{compiler_fence, fence};
    use std::time::Duration;

    /// The fences of a ring. If two threads each store, execute a fence and load the value that the other stored, at least one of them sees
    /// the store. That requires two [`full`](Fences::full) fences, or one [`heavy`](Fences::heavy) fence and any other.
    #[derive(Clone, Default)]
    pub(crate) struct Fences;

    impl Fences {
        /// Pairs with `full` and `heavy`.
        #[inline]
        pub fn full(&self) {
            fence(Ordering::SeqCst);
        }

        /// Pairs with `heavy` only. It is free: a compiler fence.
        #[inline]
        pub fn light(&self) {
            compiler_fence(Ordering::SeqCst);
        }

        /// Pairs with all fences. It is a system call that executes a fence on all running threads of processes that have [`registered`].
        ///
        /// # Errors
        ///
        /// The kernel does not support it.
        pub fn heavy(&self) -> Result<(), Error> {
            fence(Ordering::SeqCst);
            membarrier(libc::MEMBARRIER_CMD_GLOBAL_EXPEDITED)
        }
    }

    fn membarrier(command: libc::c_int) -> Result<(), Error> {
        // SAFETY: `membarrier` takes no pointers.
        let code = unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
        if code < 0 { Err(Error::last()) } else { Ok(()) }
    }

    /// The [`Registration`] of this process for heavy fences.
    static REGISTRATION: AtomicU32 = AtomicU32::new(Registration::None as u32);

    #[repr(u32)]
    enum Registration {
        None,
        Running,
        Done,
        /// The kernel does not support heavy fences.
        Unsupported,
    }

    /// Returns whether heavy fences of other processes affect this one, and this process can execute them. It becomes true when the
    /// registration that [`register_fences`] began is complete.
    #[inline]
    pub(crate) fn registered() -> bool {
        REGISTRATION.load(Ordering::Acquire) == Registration::Done as u32
    }

    /// Registers this process for heavy fences, unless it already did.
    ///
    /// The kernel does this at once for a process with one thread. With more threads it waits for an RCU grace period, at least 10 ms, so a
    /// separate thread does it. Channels use full fences until then.
    pub(crate) fn register_fences() {
        let begins = REGISTRATION.compare_exchange(
            Registration::None as u32,
            Registration::Running as u32,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        if begins.is_err() {
            return;
        }
        let register = || {
            let works = membarrier(libc::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)
                .and_then(|()| membarrier(libc::MEMBARRIER_CMD_GLOBAL_EXPEDITED));
            let now = if works.is_ok() { Registration::Done } else { Registration::Unsupported };
            REGISTRATION.store(now as u32, Ordering::Release);
        };
        if count_threads() == Some(1) {
            return register();
        }
        let thread = std::thread::Builder::new().name("lapis-cx-fence".to_owned());
        if without_signals(|| thread.spawn(register)).is_err() {
            // The next channel tries again.
            REGISTRATION.store(Registration::None as u32, Ordering::Relaxed);
        }
    }

    /// Returns the number of threads of the process, if it is known: `/proc/self/task` has two links more.
    pub(crate) fn count_threads() -> Option<usize> {
        use std::os::unix::fs::MetadataExt;
        usize::try_from(std::fs::metadata("/proc/self/task").ok()?.nlink()).ok()?.checked_sub(2)
    }

    /// Runs `work` with signals blocked for this thread and for threads that it starts, so handlers of the program run on the program's
    /// threads. Signals that an instruction raises stay enabled, because a blocked one ends the process even if there is a handler.
    pub(crate) fn without_signals<T>(work: impl FnOnce() -> T) -> T {
        // SAFETY: both sets are initialized locals; the mask that the call stores in `before` is the one restored.
        unsafe {
            let mut all = std::mem::zeroed::<libc::sigset_t>();
            let mut before = std::mem::zeroed::<libc::sigset_t>();
            libc::sigfillset(&raw mut all);
            for raised in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP] {
                libc::sigdelset(&raw mut all, raised);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            let done = work();
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
            done
        }
    }

    /// Sleeps while `word` has this value, for at most `most`. It may return early.
    pub(crate) fn futex_wait(word: &AtomicU32, value: u32, most: Option<Duration>) -> Result<(), Error> {
        let time = most.map(|most| libc::timespec {
            tv_sec: libc::time_t::try_from(most.as_secs()).unwrap_or(libc::time_t::MAX),
            tv_nsec: most.subsec_nanos().into(),
        });
        let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the word is borrowed during the call. The futex is not private, because another process wakes it.
        let code = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, time) };
        match if code < 0 { Error::last() } else { return Ok(()) } {
            Error::System(libc::EAGAIN | libc::EINTR | libc::ETIMEDOUT) => Ok(()),
            error => Err(error),
        }
    }

    /// Wakes all threads that sleep on `word`.
    pub(crate) fn futex_wake(word: &AtomicU32) {
        // SAFETY: the word is borrowed during the call.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }

    /// Returns the number of the processor on which this thread runs or ran just now.
    #[inline]
    pub(crate) fn this_cpu() -> u32 {
        // SAFETY: `sched_getcpu` takes no arguments.
        unsafe { libc::sched_getcpu() as u32 }
    }

    /// Moves this thread to another processor, if its affinity allows that. Returns whether it moved. The scheduler otherwise keeps two threads
    /// that wake each other on one processor. If the other processors are busy, the caller moves less and less often.
    #[cold]
    pub(crate) fn leave_cpu() -> bool {
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: all zeros is a valid empty set of processors. The calls get a set of `size` bytes, and 0 means this thread.
        unsafe {
            let mut allowed: libc::cpu_set_t = std::mem::zeroed();
            if libc::sched_getaffinity(0, size, &raw mut allowed) != 0 || libc::CPU_COUNT(&allowed) < 2 {
                return false;
            }
            let (mut others, here) = (allowed, this_cpu() as usize);
            if here >= 8 * size {
                return false;
            }
            libc::CPU_CLR(here, &mut others);
            // The thread moves at once; afterwards the scheduler may move it back.
            libc::sched_setaffinity(0, size, &raw const others) == 0
                && libc::sched_setaffinity(0, size, &raw const allowed) == 0
        }
    }

    /// Returns whether the affinity of this thread allows one processor only.
    pub(crate) fn has_one_processor() -> bool {
        // SAFETY: all zeros is a valid set of processors, and the call gets its size.
        unsafe {
            let mut allowed: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of_val(&allowed), &raw mut allowed) == 0 && libc::CPU_COUNT(&allowed) == 1
        }
    }

    /// Returns the low 32 bits of the monotonic clock in nanoseconds. All processes share this clock.
    pub(crate) fn now() -> u32 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a local of the right type.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        (time.tv_sec as u32).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u32)
    }

    /// Returns whether a failed model is being torn down; always `false` outside of models.
    #[inline]
    pub(crate) fn is_over() -> bool {
        false
    }

    pub(crate) fn yield_now() {
        std::thread::yield_now();
    }

    #[inline]
    pub(crate) fn pause() {
        std::hint::spin_loop();
    }
}
