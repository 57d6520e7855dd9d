//! The three interfaces that every processor implements (overloadable opcodes, "The following standard xintfs").

use super::{Device, DeviceRow, Levels, LunRow, Port, Refused};
use crate::Cookie;
use crate::encoding::Fallback;

/// What `xext` finds on every processor, at all levels. The document's own table lacks the row of `Trap`, but says
/// that the CPU implements that interface: so a program that asks for it is told lun 0, whichever `xext` it uses.
pub const STANDARD_LUNS: [LunRow; 3] = [lun(Fallback::Trap), lun(Fallback::Zero), lun(Fallback::MinusOne)];

/// Where luns 1 and 2 lead, at all levels: subdevices 1 and 2 of a [`FallbackDevice`]. Lun 0 leads nowhere, so it traps.
pub const STANDARD_DEVICES: [DeviceRow; 2] = [device(Fallback::Zero), device(Fallback::MinusOne)];

const fn lun(fallback: Fallback) -> LunRow {
    LunRow { uuid: fallback.lun() as u64, dev: 0, levels: Levels::ALL, lun: fallback.lun() }
}

const fn device(fallback: Fallback) -> DeviceRow {
    DeviceRow { lun: fallback.lun(), levels: Levels::ALL, device: 0, subdevice: fallback.lun() }
}

/// The fallback device (overloadable opcodes, `cpu__fallback`): commands of subdevice 1 give 0, those of subdevice 2 give
/// -1. The document's function has 0 and 1 there, and its table 1 and 2; here both have the numbers of the luns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FallbackDevice;

impl Device for FallbackDevice {
    fn xcmd(&self, port: Port, _rs1: Cookie, _rs2: usize) -> Result<usize, Refused> {
        match port.subdevice() {
            1 => Ok(0),
            2 => Ok(usize::MAX),
            _ => Err(Refused::Configuration),
        }
    }
}
