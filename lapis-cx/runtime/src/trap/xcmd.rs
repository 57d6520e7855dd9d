//! Overloadable opcodes whose instructions trap: what answers them.

use std::sync::OnceLock;

use lapis_cx_core::Error;
use lapis_cx_core::encoding::Fallback;

use super::{Finding, start};
use crate::last_error::Failure;

/// Gets the lun of the fallback or the number of a command, rs1 and rs2; gives rd.
pub(super) type Function = unsafe extern "C" fn(u32, usize, usize) -> usize;

/// A processor with overloadable opcodes, in software: `cx_cpu_xext` and `cx_cpu_xcmd` of `xext.h`, or the like.
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

/// `xext` and its variants; `None` if nobody answers.
pub(super) fn xext(fallback: Fallback, rs1: usize, rs2: usize) -> Option<usize> {
    // SAFETY: whoever installed it vouches for it.
    PROCESSOR.get().map(|processor| unsafe { (processor.xext)(fallback.lun().into(), rs1, rs2) })
}

/// `xcmd`; `None` if nobody answers.
pub(super) fn xcmd(command: u8, rs1: usize, rs2: usize) -> Option<usize> {
    // SAFETY: as above.
    PROCESSOR.get().map(|processor| unsafe { (processor.xcmd)(command.into(), rs1, rs2) })
}
