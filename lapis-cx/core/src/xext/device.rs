//! What answers commands.

use core::cell::RefCell;

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

/// A unit in its device.
#[derive(Debug, Default)]
pub struct Mount<U>(RefCell<U>);

impl<U> Mount<U> {
    /// In its device.
    pub const fn new(unit: U) -> Mount<U> {
        Mount(RefCell::new(unit))
    }

    /// The unit, out of its device.
    pub fn into_inner(self) -> U {
        self.0.into_inner()
    }
}

impl<U: Unit> Mount<U> {
    /// Does the command of a port; the subdevice was looked at.
    ///
    /// # Errors
    /// Those of [`Unit::xcmd`]; [`Refused::Configuration`] also for a command that the unit itself sends to this place.
    pub fn xcmd(&self, port: Port, rs1: Cookie, rs2: usize) -> Result<usize, Refused> {
        match self.0.try_borrow_mut() {
            Ok(mut unit) => unit.xcmd(port.command(), rs1, rs2),
            Err(_) => Err(Refused::Configuration),
        }
    }
}

/// Whether a unit answers an interface, by id and contract. It is `const`, so that devices are put together where they
/// are compiled.
pub const fn is_unit<U: Unit>(xintf: u64, contract: &[u8; 32]) -> bool {
    let (mut i, mut same) = (0, U::XINTF == xintf);
    while i < contract.len() {
        same = same && U::CONTRACT[i] == contract[i];
        i += 1;
    }
    same
}
