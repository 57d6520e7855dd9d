//! Whether the processor traps on what is to be emulated.

use std::arch::asm;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

use lapis_cx_core::Error;
use lapis_cx_core::encoding::{Csr, Profile};
use lapis_cx_core::trap::LENGTH;
use libc::{c_int, c_void, siginfo_t, ucontext_t};

use super::{chain, is_of_instruction, pass_on};
use crate::last_error::Failure;
use crate::sync::{AtomicUsize, Ordering};

shared! {
    /// The address of the instruction that is tried.
    static TRIED: AtomicUsize = AtomicUsize::new(0);
}

/// Why commands cannot be emulated on this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It executes custom-0.
    ExecutesR,
    /// It executes custom-1.
    ExecutesI,
    /// It executes custom-2.
    ExecutesFlex,
    /// It executes custom-3. Commands of CXs can be emulated, those of overloadable opcodes cannot.
    ExecutesXcmd,
    /// It has `cx_index` or `cx_status`.
    HasCsrs,
    /// The system takes no handler.
    NoHandler,
}

impl Finding {
    /// In words.
    pub fn message(self) -> &'static CStr {
        match self {
            Finding::ExecutesR => {
                c"this processor executes custom-0 instructions of its own, so CX commands cannot be emulated"
            }
            Finding::ExecutesI => {
                c"this processor executes custom-1 instructions of its own, so CX commands cannot be emulated"
            }
            Finding::ExecutesFlex => {
                c"this processor executes custom-2 instructions of its own, so CX commands cannot be emulated"
            }
            Finding::ExecutesXcmd => {
                c"this processor executes custom-3 instructions of its own, so overloadable opcodes cannot be emulated"
            }
            Finding::HasCsrs => {
                c"this processor has the registers of CXs, but this system does not say which CXs it has"
            }
            Finding::NoHandler => {
                c"this system lets nobody handle illegal instructions, so CX commands cannot be emulated"
            }
        }
    }
}

impl From<Finding> for Failure {
    fn from(finding: Finding) -> Failure {
        Failure::said(Error::NoDevice, finding.message())
    }
}

/// Tries one instruction: a0 is 0 before, and what the handler writes there if it trapped. Its operands are the address of
/// memory that it may read and write, if it is one of the processor's own.
macro_rules! trapped {
    ($instruction:literal $(, $operand:ident = $value:expr)* $(,)?) => {{
        let mut memory = [0u64; 64];
        let mut a0 = 0usize;
        // SAFETY: it traps, and the handler goes on behind it; or it is an instruction of the processor's own, which
        // writes t0 and what its operands point to, as far as anybody knows one.
        unsafe {
            asm!(
                "lla t0, 2f", "sd t0, 0({tried})", concat!("2: ", $instruction), $($operand = const $value,)*
                tried = in(reg) TRIED.as_ptr(), inout("a0") a0, in("a1") memory.as_mut_ptr(), out("t0") _
            )
        };
        a0 != 0
    }};
}

/// All functions in funct3 of one opcode.
macro_rules! opcode_traps {
    ($opcode:expr; $($funct3:literal)*) => {
        true $(&& trapped!(".insn r {opcode}, {funct3}, 0, t0, a1, a1", opcode = $opcode, funct3 = $funct3))*
    };
}

/// Looks at the opcodes and registers of a CX. A processor may execute some functions of an opcode and not others, so this is
/// a sample: funct7 0, with which vendors begin. Whether the opcode of overloadable opcodes traps too.
pub(super) fn probe() -> Result<bool, Finding> {
    const R: u8 = Profile::DEFAULT.r();
    const I: u8 = Profile::DEFAULT.i();
    const FLEX: u8 = Profile::DEFAULT.flex();
    const XCMD: u8 = Profile::DEFAULT.xcmd();
    let _catch = Catch::begin().ok_or(Finding::NoHandler)?;
    for (finding, traps) in [
        (Finding::ExecutesR, opcode_traps!(R; 0 1 2 3 4 5 6 7)),
        (Finding::ExecutesI, opcode_traps!(I; 0 1 2 3 4 5 6 7)),
        (Finding::ExecutesFlex, opcode_traps!(FLEX; 0 1 2 3 4 5 6 7)),
        (Finding::HasCsrs, trapped!("csrr t0, {csr}", csr = Csr::CxIndex.number())),
        (Finding::HasCsrs, trapped!("csrr t0, {csr}", csr = Csr::CxStatus.number())),
    ] {
        if !traps {
            return Err(finding);
        }
    }
    Ok(opcode_traps!(XCMD; 0 1 2 3 4 5 6 7))
}

/// While it lives, the instruction that is tried writes a0 and is passed over if it traps.
struct Catch {
    before: libc::sigaction,
    mask: libc::sigset_t,
}

impl Catch {
    fn begin() -> Option<Catch> {
        let before = chain::exchange(&chain::action(pass_over))?;
        let mut mask = MaybeUninit::uninit();
        // SAFETY: both sets are ours; the first one is empty before a signal is added. Where SIGILL is blocked, an illegal
        // instruction ends the process.
        unsafe {
            let mut illegal = MaybeUninit::uninit();
            libc::sigemptyset(illegal.as_mut_ptr());
            libc::sigaddset(illegal.as_mut_ptr(), libc::SIGILL);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, illegal.as_ptr(), mask.as_mut_ptr());
            Some(Catch { before, mask: mask.assume_init() })
        }
    }
}

impl Drop for Catch {
    fn drop(&mut self) {
        chain::exchange(&self.before);
        // SAFETY: the set is the one from before.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.mask, ptr::null_mut()) };
    }
}

extern "C" fn pass_over(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives all three.
    let is_instruction = unsafe { is_of_instruction(signal, info) };
    // SAFETY: as above; the context is that of who trapped.
    let registers = unsafe { context.cast::<ucontext_t>().as_mut() }.map(|context| &mut context.uc_mcontext.__gregs);
    match registers {
        Some(registers) if is_instruction && registers[0] == TRIED.load(Ordering::Relaxed) as u64 => {
            registers[0] = registers[0].wrapping_add(LENGTH as u64);
            registers[10] = 1;
        }
        // Other threads may run, and other signals come: they know nothing of this.
        // SAFETY: as above.
        _ => unsafe { pass_on(signal, info, context) },
    }
}
