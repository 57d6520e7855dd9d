//! A processor with overloadable opcodes, in software (overloadable opcodes, "Description of the extension as C functions").
//!
//! Two tables say all: [`LunRow`]s what `xext` finds, [`DeviceRow`]s where an `xcmd` goes. Together they are a
//! [`Platform`], which `cxc` prints from a `platform` item. A [`Cpu`] is a hart of it, at a privilege level, with its
//! devices. Whatever a program asks of it has an answer: a value, or a [`Trap`].
//!
//! ```
//! use lapis_cx_core::encoding::Fallback;
//! use lapis_cx_core::xext::{Cpu, Device, DeviceRow, Levels, LunRow, Platform, Port, Privilege, Refused, UuidDevice};
//! use lapis_cx_core::{Cookie, Xcmd};
//!
//! // A device whose command 0 adds the data of the cookie, for users only.
//! let adder = |port: Port, rs1: Cookie, rs2: usize| match port.command() {
//!     0 => Ok(rs1.data() + rs2),
//!     _ => Err(Refused::Configuration),
//! };
//! let platform = Platform::<32> {
//!     name: "example",
//!     levels: Levels::of(&[Privilege::User, Privilege::Mach]),
//!     xcmds: 8,
//!     devices: 1,
//!     luns: &[LunRow::new(0xABCDE, 0, &[Privilege::User], 32)],
//!     routes: &[DeviceRow::new(32, &[Privilege::User], 0, 0)],
//! };
//! let devices: [&dyn Device; 1] = [&adder];
//! let cpu = Cpu::new(&platform, &devices)?;
//! cpu.set_level(Privilege::User)?;
//!
//! let rs1 = UuidDevice { uuid: 0xABCDE, dev: 0 }.register::<32>().unwrap_or(0);
//! let cookie = cpu.xext(Fallback::Trap, rs1, 40);
//! assert_eq!((cookie.lun(), cpu.xcmd(0, cookie.bits(), 2)), (32, Ok(42)));
//! // What is not there traps to the next level, which the handler stands for.
//! let user = cpu.on_trap(|cpu, trap| if cpu.level() == Privilege::Mach { trap.rs2 } else { 0 });
//! assert_eq!(user.xcmd(0, 33, 7), 7);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! The C side of the same is `xext.h` ([`XEXT_H`]).

mod cpu;
mod device;
mod fallback;
mod port;
mod privilege;
mod register;
mod table;

#[cfg(test)]
mod tests;

pub use cpu::{Cause, Cpu, LoadError, NoSuchLevel, Trap, Trapping};
pub use device::{Device, Mount, Refused, Unit, is_unit};
pub use fallback::{FallbackDevice, STANDARD_DEVICES, STANDARD_LUNS};
pub use port::{Port, device_port, unit_and_xcmd};
pub use privilege::{Levels, Privilege};
pub use register::{LunKind, UuidDevice};
pub use table::{DeviceRow, LunRow, Platform, RowFault, TableError};

/// The text of `xext.h`: the same processor in C, with the document's types and functions. A header that is generated
/// from a platform carries it as it stands.
pub const XEXT_H: &str = include_str!("../../include/xext.h");

/// One more than the greatest lun, subdevice and sequence number: each has twelve bits.
pub const LIMIT: u16 = 1 << crate::encoding::LUN_BITS;

/// The bits of a register. An XLEN that is neither 32 nor 64, or wider than the registers of this target, does not
/// compile.
pub(crate) const fn mask<const XLEN: u32>() -> usize {
    const {
        assert!(XLEN == 32 || XLEN == 64, "XLEN is 32 or 64");
        assert!(XLEN <= usize::BITS, "registers of this target are narrower than this XLEN");
        usize::MAX >> (usize::BITS - XLEN)
    }
}
