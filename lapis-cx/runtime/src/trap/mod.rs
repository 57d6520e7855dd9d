//! Custom instructions on a RISC-V Linux whose processor does not have them: each raises SIGILL, and the handler here does it on
//! the thread's hart.
//!
//! A program's commands and its writes of `cx_index` stay the one instruction that they are; what is on the hart, how few
//! contexts it has and what stands in for what is absent is as everywhere (`platform.rs`). The processor is probed when the
//! library is loaded: if it executes one of the opcodes, or has `cx_index` itself, nothing is emulated and no CX opens, as
//! nobody could tell a command from what the processor makes of it.
//!
//! The handler may interrupt anything: it takes no memory and no lock. What it looks at belongs to the thread and is there before
//! the first CX opens, or is atomic (`platform.rs`), and all signals wait while it runs. It keeps `errno`. A SIGILL that is not
//! its own goes to the handler that was there before.

mod chain;
mod ffi;
mod hart;
mod probe;
mod xcmd;

use std::sync::OnceLock;

use lapis_cx_core::encoding::Profile;
use lapis_cx_core::trap;
use libc::{c_int, c_void, siginfo_t, ucontext_t};

use crate::last_error::Failure;
use hart::ThreadHart;
use probe::Finding;

/// What the processor does with the opcodes: whether that of overloadable opcodes traps too, if the others do.
static PROBED: OnceLock<Result<bool, Finding>> = OnceLock::new();

/// The handler that was there before: known before one of ours is installed.
static PREVIOUS: OnceLock<chain::Previous> = OnceLock::new();

/// Probes the processor and installs the handler, once. Whether overloadable opcodes trap too.
///
/// # Errors
/// What keeps commands from being emulated.
pub(crate) fn start() -> Result<bool, Failure> {
    let probed = PROBED.get_or_init(|| {
        let previous = chain::Previous::now().ok_or(Finding::NoHandler)?;
        PREVIOUS.get_or_init(|| previous);
        let xcmd_traps = probe::probe()?;
        chain::exchange(&chain::action(on_illegal_instruction)).ok_or(Finding::NoHandler)?;
        Ok(xcmd_traps)
    });
    probed.map_err(Failure::from)
}

/// The first command of a program may come before anything here is called.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    // What is found is said by whoever opens a CX.
    let _ = start();
}

/// The handler of SIGILL.
extern "C" fn on_illegal_instruction(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel calls it, with all three.
    if !unsafe { handle(signal, info, context) } {
        // SAFETY: as above.
        unsafe { pass_on(signal, info, context) };
    }
}

/// Does what would have been done without this library.
///
/// # Safety
/// The arguments are those of the handler that runs.
unsafe fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    match PREVIOUS.get() {
        // SAFETY: the caller's promise.
        Some(previous) => unsafe { previous.pass_on(signal, info, context) },
        // No handler that comes here is installed before it is known.
        None => chain::end(signal),
    }
}

/// Whether a signal is that of an instruction: not one that a process has sent.
///
/// # Safety
/// The second argument is that of a handler with `SA_SIGINFO`, or null.
unsafe fn is_of_instruction(signal: c_int, info: *const siginfo_t) -> bool {
    // SAFETY: the caller's promise.
    signal == libc::SIGILL && unsafe { info.as_ref() }.is_some_and(|info| info.si_code > 0)
}

/// The word of an instruction with 32 bits that trapped; `None` if it has another length.
///
/// # Safety
/// The processor has fetched an instruction there.
unsafe fn fetch(pc: u64) -> Option<u32> {
    // A short one may end a page behind which there is none. One with 32 bits may begin at an odd half.
    // SAFETY: the caller's promise: each has a first half.
    let low = unsafe { (pc as *const u16).read() };
    // What is longer has not been fetched whole by a processor that knows no such length.
    if low & 0b11 != 0b11 || low & 0b1_1100 == 0b1_1100 {
        return None;
    }
    // SAFETY: its low bits say that there is a second half.
    let high = unsafe { (pc.wrapping_add(2) as *const u16).read() };
    Some(u32::from(high) << 16 | u32::from(low))
}

/// Does the custom instruction that raised a SIGILL, and leaves the context behind it. False if there is none: nothing has
/// changed. For handlers that a program installs itself, behind this library's back.
///
/// # Safety
/// The arguments are those of a handler with `SA_SIGINFO`, on the thread that it interrupted.
unsafe fn handle(signal: c_int, info: *const siginfo_t, context: *mut c_void) -> bool {
    // SAFETY: the caller's promise.
    let is_instruction = unsafe { is_of_instruction(signal, info) };
    // SAFETY: as above.
    let Some(context) = (unsafe { context.cast::<ucontext_t>().as_mut() }).filter(|_| is_instruction) else {
        return false;
    };
    let registers = &mut context.uc_mcontext.__gregs;
    let pc = registers[0];
    // SAFETY: the processor has just fetched it.
    let Some(word) = (unsafe { fetch(pc) }) else { return false };
    let errno = Errno::keep();
    let done = trap::emulate(word, Profile::DEFAULT, &mut Saved(registers), &mut ThreadHart);
    drop(errno);
    if done {
        context.uc_mcontext.__gregs[0] = pc.wrapping_add(trap::LENGTH as u64);
    }
    done
}

/// The registers in a context: x1 to x31, and the program counter in the place of x0.
struct Saved<'c>(&'c mut [libc::c_ulong; 32]);

impl trap::Registers for Saved<'_> {
    fn get(&self, register: u8) -> usize {
        if register == 0 { 0 } else { self.0.get(usize::from(register)).map_or(0, |value| *value as usize) }
    }

    fn set(&mut self, register: u8, value: usize) {
        if let Some(place) = self.0.get_mut(usize::from(register)).filter(|_| register != 0) {
            *place = value as libc::c_ulong;
        }
    }
}

/// The interrupted code's `errno`, which comes back when this is dropped.
struct Errno(c_int);

impl Errno {
    fn keep() -> Errno {
        // SAFETY: it is the thread's own.
        Errno(unsafe { *libc::__errno_location() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}
