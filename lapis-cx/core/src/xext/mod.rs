//! A processor with overloadable opcodes, in software (overloadable opcodes, "Description of the extension as C functions").
//!
//! Two tables say all: [`LunRow`]s what `xext` finds, [`DeviceRow`]s where an `xcmd` goes. Together they are a
//! [`Platform`], which `cxc` prints from a `platform` item. A [`Cpu`] is a hart of it, at a privilege level, with its
//! devices. Whatever a program asks of it has an answer: a value, or a [`Trap`].
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
