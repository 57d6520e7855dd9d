//! The CSR `mcx_selector`, and an entry of the table at `mcx_table`.

use core::fmt;

/// What a hart's custom instructions go to (CX-ISA, CSR `mcx_selector`): `cxu_id` 7:0, `state_id` 23:16, `cxe` 28, `version`
/// 31:29.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct HartSelector(u32);

const TRAPS: u32 = 1 << 28;
const VERSION_SHIFT: u32 = 29;

impl HartSelector {
    /// The processor's own custom instructions.
    pub const BUILTIN: HartSelector = HartSelector(0);
    /// Nothing: each custom instruction traps.
    pub const INVALID: HartSelector = HartSelector(TRAPS);
    /// The version of the CX-ISA that this crate implements.
    pub const VERSION: u32 = 1;

    /// The state context `state_id` of the unit `cxu_id`.
    pub const fn new(cxu_id: u8, state_id: u8) -> HartSelector {
        HartSelector(HartSelector::VERSION << VERSION_SHIFT | (state_id as u32) << 16 | cxu_id as u32)
    }

    /// Any value that a supervisor wrote.
    pub const fn from_bits(bits: u32) -> HartSelector {
        HartSelector(bits)
    }

    /// The value of the CSR.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The unit.
    pub const fn cxu_id(self) -> u8 {
        self.0 as u8
    }

    /// The state context of the unit.
    pub const fn state_id(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// `cxe`, which the virtualization document calls `cte`: whether each custom instruction and each access of a custom CSR is
    /// an illegal instruction.
    pub const fn traps(self) -> bool {
        self.0 & TRAPS != 0
    }

    /// The version: 0 for built-in.
    pub const fn version(self) -> u32 {
        self.0 >> VERSION_SHIFT
    }

    /// The same with `cxe` set: the poisoned selector.
    pub const fn poisoned(self) -> HartSelector {
        HartSelector(self.0 | TRAPS)
    }
}

impl fmt::Debug for HartSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HartSelector({:#010x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::HartSelector;

    #[test]
    fn fields_are_where_the_isa_has_them() {
        let selector = HartSelector::new(0xA5, 0x3C);
        assert_eq!(selector.bits(), 0x203C_00A5);
        assert_eq!((selector.cxu_id(), selector.state_id(), selector.version()), (0xA5, 0x3C, 1));
        assert!(!selector.traps() && selector.poisoned().traps());
        assert_eq!(selector.poisoned().bits(), 0x303C_00A5);
        assert_eq!(HartSelector::INVALID.bits(), 0x1000_0000);
        assert_eq!(HartSelector::BUILTIN.bits(), 0);
    }
}
