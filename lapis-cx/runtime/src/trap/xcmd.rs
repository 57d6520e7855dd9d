//! Overloadable opcodes whose instructions trap: what answers them.

use std::sync::OnceLock;

use lapis_cx_core::Error;
use lapis_cx_core::encoding::Fallback;

use super::{Finding, start};
use crate::last_error::Failure;

/// Gets the lun of the fallback or the number of a command, rs1 and rs2, and where rd goes. False if the instruction traps.
pub(super) type Function = unsafe extern "C" fn(u32, usize, usize, *mut usize) -> bool;

/// A processor with overloadable opcodes, in software: `cx_cpu_execute_xext` and `cx_cpu_execute_xcmd` of `xext.h`, or the like.
#[derive(Clone, Copy)]
pub(super) struct Processor {
    /// Looks up.
    pub xext: Function,
    /// Sends a command.
    pub xcmd: Function,
}

static PROCESSOR: OnceLock<Processor> = OnceLock::new();

/// Lets a processor in software answer from now on.
///
/// # Errors
/// [`Error::Busy`] if there is one already; [`Error::NoDevice`] if the instructions do not trap.
///
/// # Safety
/// Both functions may be called on any thread, at any instruction of `xext` or `xcmd` that it executes.
pub(super) unsafe fn install(processor: Processor) -> Result<(), Failure> {
    if !start()? {
        return Err(Finding::ExecutesXcmd.into());
    }
    PROCESSOR.set(processor).map_err(|_| Error::Busy.into())
}

/// `xext` and its variants; `None` if nobody answers, or the instruction traps.
pub(super) fn xext(fallback: Fallback, rs1: usize, rs2: usize) -> Option<usize> {
    execute(PROCESSOR.get()?.xext, fallback.lun().into(), rs1, rs2)
}

/// `xcmd`; `None` if nobody answers, or the instruction traps.
pub(super) fn xcmd(command: u8, rs1: usize, rs2: usize) -> Option<usize> {
    execute(PROCESSOR.get()?.xcmd, command.into(), rs1, rs2)
}

fn execute(function: Function, number: u32, rs1: usize, rs2: usize) -> Option<usize> {
    let mut rd = 0;
    // SAFETY: whoever installed it vouches for it; rd lives until it has returned.
    unsafe { function(number, rs1, rs2, &raw mut rd) }.then_some(rd)
}
