//! A machine with one state context of MulAcc and with Crc32C, both in software: each command traps and is done there.

use core::fmt::Write;

use bare_metal::{crc32c, mulacc, program};
use lapis_cx_core::encoding::Profile;
use lapis_cx_core::machine::{
    Cxu, Emulated, Hart, MachineHart, Pool, RustUnit, SelectorWords, StateContext, Thread, Unit,
};
use lapis_cx_core::trap::{Firmware, FirmwareRuntime, Frame, TrapStack};
use lapis_cx_core::{Error, Slot};

use crate::board::{Uart, exit, stack_used};

/// What a trap needs: its frame, the handler, and the deepest command.
const TRAP_STACK: usize = 4096;

static mut TRAPS: TrapStack<TRAP_STACK> = TrapStack::NEW;
#[cfg(feature = "mcx-table")]
static mut TABLE: SelectorWords = SelectorWords::NEW;

/// The table, on a hart with `mcx_table`.
fn table() -> Option<&'static mut SelectorWords> {
    #[cfg(feature = "mcx-table")]
    // SAFETY: this is called once.
    return Some(unsafe { &mut *(&raw mut TABLE) });
    #[cfg(not(feature = "mcx-table"))]
    None
}

/// Called by `_start`.
pub extern "C" fn main() -> ! {
    match run() {
        Ok(never) => match never {},
        Err(error) => panic!("{error}"),
    }
}

/// What is made here stays to the end.
fn run() -> Result<core::convert::Infallible, Error> {
    let mut mulacc = RustUnit::<mulacc::SoftCxu, _>::new([mulacc::State::RESET]);
    let mut crc32c = RustUnit::<crc32c::SoftCxu, _>::new([(); 0]);
    let mut contexts = [StateContext::FREE];
    let mulacc: &mut dyn Cxu = &mut mulacc;
    let crc32c: &mut dyn Cxu = &mut crc32c;
    let units = [Unit::new(mulacc, &mut contexts[..])?, Unit::new(crc32c, &mut [][..])?];

    // An image of a MulAcc is two words. One for each CX that is open, and one to be read and written.
    let mut images = [[0; 2]; 5];
    let images = Pool::new(images.each_mut().map(|image| &mut image[..]));
    let thread = Thread::new([const { Slot::VACANT }; 4])?;

    let machine = MachineHart::new(Hart::new(0, units), thread, table(), Emulated);
    let firmware = Firmware::new(machine, Profile::DEFAULT, other);
    // SAFETY: this is machine mode. Nobody else has the stack, and this function does not return from here on.
    unsafe { firmware.install(&raw mut TRAPS) };

    if let Err(problem) = program(FirmwareRuntime::new(&firmware, |words| images.lend(words)), &mut Uart) {
        panic!("{problem:?}");
    }
    let counters = firmware.access(|machine| machine.hart().counters()).unwrap_or_default();
    // SAFETY: it was installed, and no trap is being handled.
    let traps = TRAP_STACK - unsafe { TrapStack::untouched(&raw const TRAPS) };
    let _ = writeln!(Uart, "# {} swaps; bytes of stack: {} of main, {traps} of traps", counters.swaps, stack_used());
    exit(true)
}

/// A trap that is no custom instruction.
fn other(frame: &mut Frame) {
    panic!("trap {:#x} at {:#x}, {:#x}", frame.mcause, frame.mepc, frame.mtval)
}
