//! What registers hold: the id and the sequence number for an `xext`, and what a lun means.

use super::{LIMIT, mask};
use crate::encoding::{Fallback, LUN_BITS};

/// rs1 of `xext` (overloadable opcodes, `uuid_device_t`): the sequence number of a device in bits 11:0, the id of the
/// interface above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UuidDevice {
    /// The id: 20 bits on RV32, 52 bits on RV64.
    pub uuid: u64,
    /// The sequence number, 0 to 4095. 0 is the default implementation.
    pub dev: u16,
}

impl UuidDevice {
    /// Reads a register, of which the low XLEN bits count.
    pub const fn from_register<const XLEN: u32>(register: usize) -> UuidDevice {
        let register = register & mask::<XLEN>();
        UuidDevice { uuid: (register >> LUN_BITS) as u64, dev: (register & (LIMIT as usize - 1)) as u16 }
    }

    /// The register. `None` if the id or the sequence number does not fit.
    pub const fn register<const XLEN: u32>(self) -> Option<usize> {
        if self.uuid > (mask::<XLEN>() >> LUN_BITS) as u64 || self.dev >= LIMIT {
            return None;
        }
        Some((self.uuid as usize) << LUN_BITS | self.dev as usize)
    }
}

/// What a lun is for (overloadable opcodes, `dev_subdevice_map`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LunKind {
    /// 0 to 2: one of the interfaces that every processor implements.
    Fallback(Fallback),
    /// 3 to 7 for further fallbacks, 31 out of caution.
    Reserved,
    /// 8 to 30: no lun at all, but the number of an error.
    Error(u8),
    /// From 32 on: a device.
    Device,
}

impl LunKind {
    /// That of a lun; of a number with more than twelve bits, that of its low ones.
    pub const fn of(lun: u16) -> LunKind {
        match lun & (LIMIT - 1) {
            0 => LunKind::Fallback(Fallback::Trap),
            1 => LunKind::Fallback(Fallback::Zero),
            2 => LunKind::Fallback(Fallback::MinusOne),
            error @ 8..=30 => LunKind::Error(error as u8),
            3..=7 | 31 => LunKind::Reserved,
            _ => LunKind::Device,
        }
    }
}
