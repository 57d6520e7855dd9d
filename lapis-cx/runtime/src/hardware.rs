//! What is under the process: whether its custom instructions reach this runtime, or hardware.
//!
//! No kernel tells a program yet which CXs a processor has. Until one does, a `platform` says it (`platform.rs`), and this is
//! the one place that asks the processor. What a kernel offers one day (hwprobe, prctl, a device tree) is asked here too.

#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
use lapis_cx_core::OnHart;

use lapis_cx_core::Selector;

use crate::last_error::Failure;

/// Whether commands are instructions, which reach the CX that is selected.
pub(crate) const INSTRUCTIONS: bool = cfg!(all(target_os = "linux", target_arch = "riscv64"));

/// Whether commands of this process get an answer: before a CX is opened.
///
/// # Errors
/// [`Error::NoDevice`](lapis_cx_core::Error::NoDevice), in words that say what the processor does with them.
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
pub(crate) fn ready() -> Result<(), Failure> {
    crate::trap::start().map(drop)
}

/// Off RISC-V a command is a call of this runtime.
#[cfg(not(all(target_os = "linux", target_arch = "riscv64")))]
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn ready() -> Result<(), Failure> {
    Ok(())
}

/// What was written to the thread's own words is there for the instructions that follow, and what instructions wrote is read
/// behind them: these say of themselves that they touch no memory, so a compiler would move them across.
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
#[inline(always)]
pub(crate) fn fence() {
    std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
}

/// Calls touch what they touch.
#[cfg(not(all(target_os = "linux", target_arch = "riscv64")))]
#[inline(always)]
pub(crate) fn fence() {}

/// Selects, and returns the selection before: on RISC-V by the instruction, which the runtime does where the hart has not.
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
#[inline]
pub(crate) fn select(selector: Selector) -> Selector {
    let outer = OnHart::swap(selector);
    // On a hart that has the register nobody else sees it; a compiler sees here that the selection is this one.
    crate::thread::note_selected(selector);
    outer
}

/// Selects, and returns the selection before.
#[cfg(not(all(target_os = "linux", target_arch = "riscv64")))]
#[inline]
pub(crate) fn select(selector: Selector) -> Selector {
    crate::thread::select(selector)
}

/// Nanoseconds that an instruction takes to get to what does it: hardly any in hardware, and those of a signal where the runtime
/// does it.
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
pub(crate) fn way() -> f64 {
    const COUNT: u32 = 8;
    let turn = || {
        let start = std::time::Instant::now();
        for _ in 0..COUNT / 2 {
            let outer = OnHart::swap(Selector::BUILTIN);
            OnHart::swap(outer);
        }
        start.elapsed().as_nanos() as f64 / f64::from(COUNT)
    };
    (0..8).map(|_| turn()).fold(f64::INFINITY, f64::min)
}

/// A call has no way to go.
#[cfg(not(all(target_os = "linux", target_arch = "riscv64")))]
pub(crate) fn way() -> f64 {
    0.0
}
