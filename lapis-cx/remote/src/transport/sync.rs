//! What processes share is made of this: atomics, fences and futexes of the system, or, in `models`, those of loom, which tries the
//! orders in which threads can take them, and the values that they may read.

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

    /// Fences of one ring. Of two threads that each store, fence and load what the other stored, one sees the store: if both fences
    /// are [`full`](Fences::full), or one is [`heavy`](Fences::heavy).
    #[derive(Clone, Default)]
    pub(crate) struct Fences;

    impl Fences {
        /// Pairs with itself and with `heavy`.
        #[inline]
        pub fn full(&self) {
            fence(Ordering::SeqCst);
        }

        /// Costs nothing, and pairs with `heavy` only.
        #[inline]
        pub fn light(&self) {
            compiler_fence(Ordering::SeqCst);
        }

        /// Costs a call of the system: all threads that run, of processes that have [`registered`], fence.
        pub fn heavy(&self) -> Result<(), Error> {
            fence(Ordering::SeqCst);
            membarrier(libc::MEMBARRIER_CMD_GLOBAL_EXPEDITED)
        }
    }

    fn membarrier(command: libc::c_int) -> Result<(), Error> {
        // SAFETY: without pointers.
        let code = unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
        if code < 0 { Err(Error::last()) } else { Ok(()) }
    }

    /// Whether this process is registered for heavy fences: a [`Registration`].
    static REGISTRATION: AtomicU32 = AtomicU32::new(Registration::None as u32);

    #[repr(u32)]
    enum Registration {
        None,
        Running,
        Done,
        /// The kernel has no such fences.
        Unsupported,
    }

    /// Whether heavy fences of other processes reach this one, and those of this one work. It changes to true when the registration that
    /// [`register_fences`] began is done.
    #[inline]
    pub(crate) fn registered() -> bool {
        REGISTRATION.load(Ordering::Acquire) == Registration::Done as u32
    }

    /// Registers this process for heavy fences, unless it is registered.
    ///
    /// The kernel does it at once for a process of one thread. With more threads it waits for an RCU grace period, 10 ms and more, so a
    /// thread of its own does it then. Channels use full fences until it is done.
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
        if is_single_threaded() {
            return register();
        }
        let thread = std::thread::Builder::new().name("lapis-cx-fence".to_owned());
        if without_signals(|| thread.spawn(register)).is_err() {
            // The next channel tries it again.
            REGISTRATION.store(Registration::None as u32, Ordering::Relaxed);
        }
    }

    /// Whether the calling thread is known to be the only one of its process: the folder of its threads has two links more than threads.
    fn is_single_threaded() -> bool {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self/task").is_ok_and(|folder| folder.nlink() == 3)
    }

    /// Runs `work` while this thread, and threads that it starts, receive no signals: handlers of the program run on its own threads.
    /// Signals that an instruction raises stay enabled, as a blocked one ends the process in spite of a handler.
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

    /// Sleeps while `word` has this value, `most` at most; may return for no reason.
    pub(crate) fn futex_wait(word: &AtomicU32, value: u32, most: Option<Duration>) -> Result<(), Error> {
        let time = most.map(|most| libc::timespec {
            tv_sec: libc::time_t::try_from(most.as_secs()).unwrap_or(libc::time_t::MAX),
            tv_nsec: most.subsec_nanos().into(),
        });
        let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the word is there while it is borrowed. Not private: another process wakes.
        let code = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, time) };
        match if code < 0 { Error::last() } else { return Ok(()) } {
            Error::System(libc::EAGAIN | libc::EINTR | libc::ETIMEDOUT) => Ok(()),
            error => Err(error),
        }
    }

    /// Wakes who sleeps on `word`.
    pub(crate) fn futex_wake(word: &AtomicU32) {
        // SAFETY: the word is there while it is borrowed.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }

    /// The processor on which this thread runs, or ran just now.
    #[inline]
    pub(crate) fn this_cpu() -> u32 {
        // SAFETY: it takes nothing.
        unsafe { libc::sched_getcpu() as u32 }
    }

    /// Moves this thread to another processor, if it may run on one and there is one with nothing to do: whether it did. Two threads that
    /// wake each other stay on one otherwise, where the system does not look further for one that is idle.
    #[cold]
    pub(crate) fn leave_cpu() -> bool {
        let runnable = std::fs::read_to_string("/proc/loadavg").ok();
        let runnable = runnable.and_then(|all| all.split_whitespace().nth(3)?.split('/').next()?.parse::<i64>().ok());
        // SAFETY: without pointers.
        let processors = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
        // This one runs, and the one that it woke is about to, on the same processor.
        if runnable.is_none_or(|runnable| runnable > processors) {
            return false;
        }
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: sets of processors are numbers, and all 0 is an empty one. The calls get one of its size each, and mean this thread.
        unsafe {
            let mut mine: libc::cpu_set_t = std::mem::zeroed();
            if libc::sched_getaffinity(0, size, &raw mut mine) != 0 || libc::CPU_COUNT(&mine) < 2 {
                return false;
            }
            let (mut others, here) = (mine, this_cpu() as usize);
            if here >= 8 * size {
                return false;
            }
            libc::CPU_CLR(here, &mut others);
            // It goes there at once, and may come back when the system wants it to.
            libc::sched_setaffinity(0, size, &raw const others) == 0
                && libc::sched_setaffinity(0, size, &raw const mine) == 0
        }
    }

    /// Whether this thread may run on one processor only.
    pub(crate) fn has_one_processor() -> bool {
        // SAFETY: a set of processors is numbers, and the call gets its size.
        unsafe {
            let mut mine: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of_val(&mine), &raw mut mine) == 0 && libc::CPU_COUNT(&mine) == 1
        }
    }

    /// The clock that all processes share: nanoseconds, without the high bits.
    pub(crate) fn now() -> u32 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: a place for a time.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        (time.tv_sec as u32).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u32)
    }

    /// Models end like that.
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
