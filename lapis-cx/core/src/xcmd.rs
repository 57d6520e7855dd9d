//! Overloadable opcodes: cookies, and the processor that answers `xext` and `xcmd` (overloadable opcodes, "Description of
//! the instructions").

use crate::encoding::{FAILED_LUNS, FIRST_DEVICE_LUN, Fallback, LUN_BITS};
use crate::xext::{self, LunKind};

/// What a lookup gives and a command takes: a register with the lun of a device in bits 11:0, and data above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Cookie(usize);

impl Cookie {
    const LUN: usize = (1 << LUN_BITS) - 1;

    /// A register as a cookie: a device may give one as the result of a command.
    pub const fn from_bits(bits: usize) -> Cookie {
        Cookie(bits)
    }

    /// The register.
    pub const fn bits(self) -> usize {
        self.0
    }

    /// The lun.
    pub const fn lun(self) -> u16 {
        (self.0 & Cookie::LUN) as u16
    }

    /// A cookie in a register of XLEN bits: the low bits of the data count. `None` if the lun has more than twelve bits.
    pub const fn new<const XLEN: u32>(lun: u16, data: usize) -> Option<Cookie> {
        if lun as usize > Cookie::LUN {
            return None;
        }
        Some(Cookie((data << LUN_BITS | lun as usize) & xext::mask::<XLEN>()))
    }

    /// The number of an error in place of a cookie, as an init command may give it. `None` if it is not 8 to 30.
    pub const fn from_error(number: u8) -> Option<Cookie> {
        match LunKind::of(number as u16) {
            LunKind::Error(number) => Some(Cookie(number as usize)),
            _ => None,
        }
    }

    /// The error whose number stands in place of a cookie, 8 to 30.
    pub const fn error(self) -> Option<u8> {
        match LunKind::of(self.lun()) {
            LunKind::Error(number) if self.data() == 0 => Some(number),
            _ => None,
        }
    }

    /// Whether this is no cookie of a device: a fallback that an unknown id led to, or the number of an error. One
    /// `bltu` against 31 tells so (overloadable opcodes, "`.lun = 8 .. 30` reserved as error numbers").
    pub const fn has_failed(self) -> bool {
        self.0 < FAILED_LUNS as usize
    }

    /// What the lun means.
    pub const fn kind(self) -> LunKind {
        LunKind::of(self.lun())
    }

    /// Whether the lun names a device. Those below are fallbacks, error numbers and reserved.
    pub const fn is_device(self) -> bool {
        self.lun() >= FIRST_DEVICE_LUN
    }

    /// The data.
    pub const fn data(self) -> usize {
        self.0 >> LUN_BITS
    }

    /// The same device with other data, of which the low XLEN - 12 bits count.
    pub const fn with(self, data: usize) -> Cookie {
        Cookie((self.0 & Cookie::LUN) | data << LUN_BITS)
    }
}

/// A processor that has overloadable opcodes.
pub trait Xcmd {
    /// The opcode of `xcmd` and `xext`, if they are instructions of the hart that runs this code. Typed commands are
    /// that instruction then, and the functions here are not called. It is custom-0, custom-1, custom-2 or custom-3; with
    /// any other number no command compiles.
    const OPCODE: Option<u8>;

    /// The width of its registers, if it is a processor of one width. Code for another XLEN does not compile then.
    const XLEN: Option<u32> = None;

    /// `xext`, or the variant that gives another fallback: the cookie of a device, for an interface's id above the
    /// number of the device.
    fn xext(&self, fallback: Fallback, rs1: usize) -> usize;

    /// `xcmd`: sends a command, 0 to 7, to the device that the cookie in `rs1` names.
    fn xcmd(&self, command: u32, rs1: usize, rs2: usize) -> usize;
}

/// A processor that is used by several is one too.
impl<X: Xcmd> Xcmd for &X {
    const OPCODE: Option<u8> = X::OPCODE;
    const XLEN: Option<u32> = X::XLEN;

    fn xext(&self, fallback: Fallback, rs1: usize) -> usize {
        X::xext(self, fallback, rs1)
    }

    fn xcmd(&self, command: u32, rs1: usize, rs2: usize) -> usize {
        X::xcmd(self, command, rs1, rs2)
    }
}

/// The hart that runs this code. `XcmdOnHart::new()` has the opcode of the default
/// [`Profile`](crate::encoding::Profile); `XcmdOnHart::<0x5B>` is one that has another.
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct XcmdOnHart<const OPCODE: u8 = { crate::encoding::Profile::DEFAULT.xcmd() }>;

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
impl XcmdOnHart {
    /// With the opcode of the default profile.
    pub const fn new() -> XcmdOnHart {
        XcmdOnHart
    }
}

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
impl<const OPCODE: u8> Xcmd for XcmdOnHart<OPCODE> {
    const OPCODE: Option<u8> = Some(OPCODE);

    /// An instruction names its fallback, so this is never called; it says that there is no device.
    fn xext(&self, fallback: Fallback, _rs1: usize) -> usize {
        usize::from(fallback.lun())
    }

    /// An instruction names its command, so one that is known only now has none.
    fn xcmd(&self, _command: u32, _rs1: usize, _rs2: usize) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Cookie;

    #[test]
    fn a_cookie_is_a_lun_and_data() {
        let cookie = Cookie::from_bits(0x5_A021);
        assert_eq!((cookie.lun(), cookie.data(), cookie.is_device()), (0x021, 0x5A, true));
        assert_eq!(cookie.with(usize::MAX).bits(), usize::MAX << 12 | 0x021);
        assert_eq!(cookie.with(0).bits(), 0x021);
        // 31 is reserved: no device has it, and no error.
        for (lun, is_device, has_failed) in [(30, false, true), (31, false, false), (32, true, false)] {
            assert_eq!(Cookie::from_bits(0xF000 | lun).is_device(), is_device);
            assert_eq!(Cookie::from_bits(lun).has_failed(), has_failed);
        }
    }
}
