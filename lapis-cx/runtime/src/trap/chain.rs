//! Handlers of SIGILL: ours, and the one that was there before.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use libc::{c_int, c_void, siginfo_t, ucontext_t};

/// A handler with `SA_SIGINFO`.
pub(super) type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// One without.
type Plain = extern "C" fn(c_int);

/// The action that was there before.
pub(super) struct Previous {
    action: libc::sigaction,
    /// It was one for one signal, which came.
    is_spent: AtomicBool,
}

/// What installs a handler: no other signal comes while it runs, and it runs on the alternate stack if the thread has one. An
/// illegal instruction of a CXU in software is one of the thread's too. (Were SIGILL to wait, qemu 7.2 would let it wait in the
/// handler of a signal that comes at the same time, and a command there would end the process.)
pub(super) fn action(handler: Handler) -> libc::sigaction {
    // SAFETY: zeros are an action.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
    // SAFETY: the set is ours.
    unsafe {
        libc::sigfillset(&raw mut action.sa_mask);
        libc::sigdelset(&raw mut action.sa_mask, libc::SIGILL);
    }
    action
}

/// Sets the action of SIGILL, and gives the one before.
pub(super) fn exchange(action: &libc::sigaction) -> Option<libc::sigaction> {
    // SAFETY: zeros are an action.
    let mut before: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: both are actions.
    let done = unsafe { libc::sigaction(libc::SIGILL, action, &raw mut before) };
    (done == 0).then_some(before)
}

/// SIGILL ends the process again.
pub(super) fn end(signal: c_int) {
    // SAFETY: zeros are an action, the default one.
    let default: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: it is an action.
    unsafe { libc::sigaction(signal, &raw const default, ptr::null_mut()) };
}

impl Previous {
    /// The action of SIGILL as it is, before one of ours is installed. `None` if the system does not say.
    pub fn now() -> Option<Previous> {
        // SAFETY: zeros are an action.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: it is a place for one; nothing is installed.
        let done = unsafe { libc::sigaction(libc::SIGILL, ptr::null(), &raw mut action) };
        (done == 0).then_some(Previous { action, is_spent: AtomicBool::new(false) })
    }

    /// Does what would have been done without this library.
    ///
    /// # Safety
    /// The arguments are those of the handler that runs.
    pub unsafe fn pass_on(&self, signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        let action = &self.action;
        let once = action.sa_flags & libc::SA_RESETHAND != 0;
        let is_spent = once && self.is_spent.swap(true, Ordering::Relaxed);
        // SAFETY: the kernel gives both.
        let (sent, mask) = unsafe { ((*info).si_code <= 0, &(*context.cast::<ucontext_t>()).uc_sigmask) };
        match if is_spent { libc::SIG_DFL } else { action.sa_sigaction } {
            // One that was sent can be ignored; the kernel lets nobody ignore an illegal instruction.
            libc::SIG_IGN if sent => {}
            libc::SIG_DFL | libc::SIG_IGN => {
                end(signal);
                if sent {
                    // It comes again when this handler returns; an instruction does so by itself.
                    // SAFETY: it is a signal.
                    unsafe { libc::raise(signal) };
                }
            }
            handler => {
                // SAFETY: the sets are the kernel's and the program's; the signals wait that would wait for that handler.
                // It may leave by a jump, so nothing is to be done behind it. The number is the address of a function
                // of the kind that the flags say.
                unsafe {
                    let mut waiting = *mask;
                    (1..=libc::SIGRTMAX()).filter(|other| libc::sigismember(&action.sa_mask, *other) == 1).for_each(
                        |other| {
                            libc::sigaddset(&raw mut waiting, other);
                        },
                    );
                    if action.sa_flags & libc::SA_NODEFER == 0 {
                        libc::sigaddset(&raw mut waiting, signal);
                    }
                    libc::pthread_sigmask(libc::SIG_SETMASK, &raw const waiting, ptr::null_mut());
                    if action.sa_flags & libc::SA_SIGINFO != 0 {
                        mem::transmute::<usize, Handler>(handler)(signal, info, context);
                    } else {
                        mem::transmute::<usize, Plain>(handler)(signal);
                    }
                }
            }
        }
    }
}
