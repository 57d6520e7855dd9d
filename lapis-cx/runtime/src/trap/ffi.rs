//! The part of the C ABI that only RISC-V has: `cx.h` documents these functions. None of them unwinds.

use lapis_cx_core::Error;
use libc::{c_int, c_void, siginfo_t};

use super::{handle, xcmd};
use crate::last_error::{Failure, note};

/// Does the custom instruction behind a SIGILL.
///
/// # Safety
/// The arguments are those of a handler with `SA_SIGINFO`, on the thread that it interrupted, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_trap_handle(signal: c_int, info: *const siginfo_t, context: *mut c_void) -> bool {
    // SAFETY: the caller's promise.
    unsafe { handle(signal, info, context) }
}

/// Lets a processor in software answer overloadable opcodes that trap.
///
/// # Safety
/// Both functions may be called on any thread, at any instruction of `xext` or `xcmd` that it executes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_xcmd_install(xext: Option<xcmd::Function>, xcmd: Option<xcmd::Function>) -> c_int {
    let installed = match (xext, xcmd) {
        // SAFETY: the caller's promise.
        (Some(xext), Some(xcmd)) => unsafe { xcmd::install(xcmd::Processor { xext, xcmd }) },
        _ => Err(Failure::from(Error::Fault)),
    };
    note(installed).map_or_else(|code| code, |()| 0)
}
