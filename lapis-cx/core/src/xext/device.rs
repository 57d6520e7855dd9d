//! What answers commands.

use super::Port;
use crate::Cookie;

/// Why a device gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refused {
    /// The command traps, one level higher.
    Trap,
    /// The device has no such subdevice, or the subdevice no such command: the tables do not fit the device ("hardware
    /// configuration error").
    Configuration,
}

/// A device (overloadable opcodes, `device_fn`). It may be anything: functions, a model, a driver of a chip.
///
/// While it runs it belongs to the command: what it keeps is in cells of its own.
pub trait Device {
    /// Does a command of a subdevice. `rs1` has the lun and the data, in XLEN bits; `rs2` is cut to them.
    /// Of the result the low XLEN bits count.
    ///
    /// # Errors
    /// Where there is no value: the processor traps.
    fn xcmd(&self, port: Port, rs1: Cookie, rs2: usize) -> Result<usize, Refused>;
}

impl<F: Fn(Port, Cookie, usize) -> Result<usize, Refused>> Device for F {
    fn xcmd(&self, port: Port, rs1: Cookie, rs2: usize) -> Result<usize, Refused> {
        self(port, rs1, rs2)
    }
}

/// An interface as a unit of a device answers it. Generated fallbacks of interfaces with overloadable opcodes are units.
pub trait Unit {
    /// The id that `xext` finds it by at this XLEN.
    const XINTF: u64;
    /// SHA-256 of the contract.
    const CONTRACT: [u8; 32];

    /// Does a command; `rs1` and `rs2` as [`Device::xcmd`] has them.
    ///
    /// # Errors
    /// [`Refused::Trap`] if the command traps, [`Refused::Configuration`] if the interface has no such command.
    fn xcmd(&mut self, command: u8, rs1: Cookie, rs2: usize) -> Result<usize, Refused>;
}
