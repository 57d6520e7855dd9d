//! A hart that has overloadable opcodes.

use core::cell::Cell;
use core::fmt;

use super::register::{LunKind, UuidDevice};
use super::table::{Platform, TableError};
use super::{Device, FallbackDevice, Levels, Port, Privilege, Refused, mask};
use crate::encoding::{Fallback, Instruction, LUN_BITS};
use crate::{Cookie, Xcmd};

/// A hart of a platform, with its devices and a current privilege level.
///
/// Looking up has no effect, so a hart keeps nothing but its level; what devices keep is theirs.
#[derive(Clone)]
pub struct Cpu<'c, const XLEN: u32> {
    platform: &'c Platform<'c, XLEN>,
    devices: &'c [&'c dyn Device],
    level: Cell<Privilege>,
}

/// A command that gave no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trap {
    /// Why.
    pub cause: Cause,
    /// The level at which it was issued.
    pub from: Privilege,
    /// The level that takes the trap: the next higher one that the platform has. `None` from the highest one. What the
    /// fallback does at machine level the document leaves open, but wants an exception to a debug environment in debug mode: this
    /// is such an exception always, as a value.
    pub to: Option<Privilege>,
    /// The command, 0 to 7.
    pub command: u8,
    /// Its rs1.
    pub rs1: Cookie,
    /// Its rs2.
    pub rs2: usize,
}

/// Why a command traps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The cookie has lun 0, as `xext` gives it for what is not known.
    Fallback,
    /// The lun leads nowhere at this level: it is unknown, reserved, or the number of an error.
    Lun(LunKind),
    /// The device did it, and the command traps.
    Command,
    /// The device has no such subdevice or command.
    Configuration,
    /// The platform has no such `xcmd` instruction.
    Instruction,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trap { cause, from, to, command, rs1, .. } = self;
        let lun = rs1.lun();
        write!(f, "xcmd{command} at the level {from}: ")?;
        match cause {
            Cause::Fallback => f.write_str("no device was found (lun 0)"),
            Cause::Lun(LunKind::Error(n)) => write!(f, "{n} is the number of an error and no device"),
            Cause::Lun(LunKind::Device) => write!(f, "lun {lun} leads to no device at this level"),
            Cause::Lun(_) => write!(f, "lun {lun} is reserved"),
            Cause::Command => write!(f, "the command of lun {lun} traps"),
            Cause::Configuration => {
                write!(f, "hardware configuration error: the device of lun {lun} has no such command")
            }
            Cause::Instruction => f.write_str("there is no such instruction"),
        }?;
        match to {
            Some(to) => write!(f, "; it traps to {to}"),
            None => f.write_str("; it ends in the debug environment"),
        }
    }
}

impl core::error::Error for Trap {}

/// Why a processor does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadError {
    /// Its tables are wrong.
    Table(TableError),
    /// There are fewer devices than the tables name.
    Devices {
        /// How many there are.
        given: usize,
        /// How many the tables name.
        named: u16,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Table(error) => error.fmt(f),
            LoadError::Devices { given, named } => write!(f, "the tables name {named} devices, but {given} are given"),
        }
    }
}

impl core::error::Error for LoadError {}

/// A platform does not have this level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoSuchLevel(
    /// The level.
    pub Privilege,
);

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the platform has no level {}", self.0)
    }
}

impl core::error::Error for NoSuchLevel {}

impl<const XLEN: u32> fmt::Debug for Cpu<'_, XLEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cpu").field("platform", &self.platform.name).field("level", &self.level.get()).finish()
    }
}

impl<'c, const XLEN: u32> Cpu<'c, XLEN> {
    /// A hart as it is after reset: at the highest level that the platform has. The devices stand in the order in which the
    /// tables count them.
    ///
    /// # Errors
    /// If the tables are wrong, or name a device that is not given.
    pub fn new(platform: &'c Platform<'c, XLEN>, devices: &'c [&'c dyn Device]) -> Result<Self, LoadError> {
        platform.check().map_err(LoadError::Table)?;
        if devices.len() < usize::from(platform.devices) {
            return Err(LoadError::Devices { given: devices.len(), named: platform.devices });
        }
        let level = platform.levels.highest().ok_or(LoadError::Table(TableError::NoLevels))?;
        Ok(Cpu { platform, devices, level: Cell::new(level) })
    }

    /// The current privilege level.
    pub fn level(&self) -> Privilege {
        self.level.get()
    }

    /// The levels that the platform has.
    pub fn levels(&self) -> Levels {
        self.platform.levels
    }

    /// Goes to another level, as `mret` and its like do; gives the one before.
    ///
    /// # Errors
    /// If the platform has no such level; the level stays.
    pub fn set_level(&self, level: Privilege) -> Result<Privilege, NoSuchLevel> {
        if self.platform.levels.has(level) { Ok(self.level.replace(level)) } else { Err(NoSuchLevel(level)) }
    }

    /// `xext`, `xext0` and `xextm1`: the lun of a device above which stand the low XLEN - 12 bits of `rs2`, or, for
    /// what is not known at this level, the lun of the fallback with no data.
    pub fn xext(&self, fallback: Fallback, rs1: usize, rs2: usize) -> Cookie {
        let UuidDevice { uuid, dev } = UuidDevice::from_register::<XLEN>(rs1);
        match self.platform.lookup_lun(uuid, dev, self.level()) {
            Some(lun) => Cookie::from_bits((rs2 << LUN_BITS | usize::from(lun)) & mask::<XLEN>()),
            None => Cookie::from_bits(usize::from(fallback.lun())),
        }
    }

    /// `xcmd` of a number: what the device gives for `rd` that the lun in `rs1` leads to at this level.
    ///
    /// # Errors
    /// The [`Trap`] that the hart takes. The level is still the one from which it comes.
    pub fn xcmd(&self, command: u8, rs1: usize, rs2: usize) -> Result<usize, Trap> {
        let (rs1, rs2) = (Cookie::from_bits(rs1 & mask::<XLEN>()), rs2 & mask::<XLEN>());
        let from = self.level();
        self.answer(command, rs1, rs2).map_err(|cause| {
            let to = self.platform.levels.above(from);
            Trap { cause, from, to, command, rs1, rs2 }
        })
    }

    fn answer(&self, command: u8, rs1: Cookie, rs2: usize) -> Result<usize, Cause> {
        if command >= self.platform.xcmds {
            return Err(Cause::Instruction);
        }
        let kind = LunKind::of(rs1.lun());
        let (device, subdevice): (&dyn Device, u16) = match kind {
            LunKind::Fallback(Fallback::Trap) => return Err(Cause::Fallback),
            LunKind::Fallback(fallback) => (&FallbackDevice, fallback.lun()),
            _ => {
                let row = self.platform.lookup_device(rs1.lun(), self.level()).ok_or(Cause::Lun(kind))?;
                let device = self.devices.get(usize::from(row.device)).ok_or(Cause::Configuration)?;
                (*device, row.subdevice)
            }
        };
        let port = Port::new(subdevice, command).ok_or(Cause::Instruction)?;
        match device.xcmd(port, rs1, rs2) {
            Ok(value) => Ok(value & mask::<XLEN>()),
            Err(Refused::Trap) => Err(Cause::Command),
            Err(Refused::Configuration) => Err(Cause::Configuration),
        }
    }

    /// Executes a decoded instruction on the registers that it names: what goes to rd. `None` for one that is not of
    /// overloadable opcodes.
    pub fn execute(&self, instruction: Instruction, rs1: usize, rs2: usize) -> Option<Result<usize, Trap>> {
        match instruction {
            Instruction::Xext { fallback, .. } => Some(Ok(self.xext(fallback, rs1, rs2).bits())),
            Instruction::Xcmd { command, .. } => Some(self.xcmd(command, rs1, rs2)),
            _ => None,
        }
    }

    /// The hart as generated code takes it, with a handler of traps. The handler runs at the level that takes the trap and
    /// gives the value for rd; behind it the level is again the one before. It may issue commands, also to the lun that
    /// trapped, which may lead somewhere at its level.
    ///
    /// From the highest level there is nobody to trap to: the handler is the debug environment then, at the same level.
    pub fn on_trap<F: Fn(&Self, Trap) -> usize>(&self, handler: F) -> Trapping<'_, 'c, XLEN, F> {
        Trapping { cpu: self, handler }
    }
}

/// A hart with a handler of traps: an [`Xcmd`].
#[derive(Clone, Copy, Debug)]
pub struct Trapping<'a, 'c, const XLEN: u32, F> {
    cpu: &'a Cpu<'c, XLEN>,
    handler: F,
}

impl<'c, const XLEN: u32, F: Fn(&Cpu<'c, XLEN>, Trap) -> usize> Xcmd for Trapping<'_, 'c, XLEN, F> {
    const OPCODE: Option<u8> = None;
    const XLEN: Option<u32> = Some(XLEN);

    fn xext(&self, fallback: Fallback, rs1: usize) -> usize {
        self.cpu.xext(fallback, rs1, 0).bits()
    }

    fn xcmd(&self, command: u32, rs1: usize, rs2: usize) -> usize {
        // A number beyond eight bits is no instruction either.
        let command = u8::try_from(command).unwrap_or(u8::MAX);
        match self.cpu.xcmd(command, rs1, rs2) {
            Ok(value) => value,
            Err(trap) => {
                let _back = Back(&self.cpu.level, trap.from);
                self.cpu.level.set(trap.to.unwrap_or(trap.from));
                (self.handler)(self.cpu, trap) & mask::<XLEN>()
            }
        }
    }
}

/// Sets the level back, also if a handler unwinds.
struct Back<'a>(&'a Cell<Privilege>, Privilege);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}
