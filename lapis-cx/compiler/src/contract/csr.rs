//! CSRs of an interface: views of its state, and of what can be computed from it (CX API, "cx_select": custom CSR
//! accesses are performed by the selected CX instance).
//!
//! A CSR is a word of XLEN bits. Its fields are named bits; the others read 0, and writes to them are dropped. A `rw`
//! CSR writes the state fields that its fields name; a `ro` CSR has no writes. An access has no other effect than those
//! writes and the dirty mark.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FieldId;
use super::core::{Expr, ExprKind, Local, Type};
use crate::source::Span;

/// A CSR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Csr {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its address: 12 bits, one of those that [`Address::of`] calls custom.
    pub address: u16,
    /// Whether it can be written.
    pub access: Access,
    /// The locals of the expressions of all fields: variables of comprehensions.
    pub locals: Vec<Local>,
    /// Its fields by ascending low bit. They do not overlap.
    pub fields: Vec<CsrField>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// What instructions may do with a CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Read and write.
    Rw,
    /// Read.
    Ro,
}

impl Access {
    /// As the source writes it.
    pub fn name(self) -> &'static str {
        match self {
            Access::Rw => "rw",
            Access::Ro => "ro",
        }
    }
}

/// Bits of a CSR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CsrField {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its lowest bit. It takes as many bits as its type has, all below XLEN.
    pub lo: u32,
    /// Its type, a scalar; the bits are its pattern.
    pub ty: Type,
    /// What is read, of the type `ty`. In a `rw` CSR it is a state field, to which a write goes; no other field of that CSR
    /// names the same one.
    pub value: Expr,
    /// `@warl`: a pattern that is no case of the enum leaves the state field alone. Only an enum in a `rw` CSR has it.
    pub warl: bool,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl CsrField {
    /// How many bits it takes.
    pub fn width(&self) -> u32 {
        self.ty.width()
    }

    /// The state field that it names, if its value is nothing more.
    pub fn state(&self) -> Option<FieldId> {
        match self.value.kind {
            ExprKind::State(id) => Some(id),
            _ => None,
        }
    }
}

/// What an instruction does with a CSR (RISC-V Zicsr). The numbers are the ABI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum CsrOp {
    /// `csrr`: only reads.
    Read = 0,
    /// `csrrw`: reads, then writes the value.
    Write = 1,
    /// `csrrs`: reads, then writes what was read with these bits set.
    Set = 2,
    /// `csrrc`: reads, then writes what was read with these bits cleared.
    Clear = 3,
}

impl CsrOp {
    /// All there are, by number.
    pub const ALL: [CsrOp; 4] = [CsrOp::Read, CsrOp::Write, CsrOp::Set, CsrOp::Clear];

    /// What is written, if anything is.
    pub fn written(self, old: u64, value: u64) -> Option<u64> {
        match self {
            CsrOp::Read => None,
            CsrOp::Write => Some(value),
            CsrOp::Set => Some(old | value),
            CsrOp::Clear => Some(old & !value),
        }
    }
}

/// What the RISC-V privileged specification ("CSR Address Mapping Conventions") and the CX-ISA say of a CSR address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Free for custom use.
    Custom {
        /// The two top bits are 11: each write is an illegal instruction.
        read_only: bool,
    },
    /// The CX-ISA has it: what it is called there.
    Taken(&'static str),
    /// Standard, reserved, or of more than 12 bits.
    Other,
}

/// The custom ranges: first and last address.
const CUSTOM: [(u32, u32); 11] = [
    // Supervisor, hypervisor and machine.
    (0x5C0, 0x5FF),
    (0x6C0, 0x6FF),
    (0x7C0, 0x7FF),
    // User, and the levels above it again.
    (0x800, 0x8FF),
    (0x9C0, 0x9FF),
    (0xAC0, 0xAFF),
    (0xBC0, 0xBFF),
    // The same, read only.
    (0xCC0, 0xCFF),
    (0xDC0, 0xDFF),
    (0xEC0, 0xEFF),
    (0xFC0, 0xFFF),
];

impl Address {
    /// Judges an address.
    pub fn of(address: u32) -> Address {
        match address {
            0x800 => Address::Taken("cx_index"),
            0x801 => Address::Taken("cx_status"),
            0xBC0 => Address::Taken("mcx_selector"),
            0xBC1 => Address::Taken("mcx_table"),
            _ if CUSTOM.iter().any(|(first, last)| (*first..=*last).contains(&address)) => {
                Address::Custom { read_only: address >> 10 == 3 }
            }
            _ => Address::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_addresses_are_those_of_the_privileged_specification() {
        let custom = |address| matches!(Address::of(address), Address::Custom { .. });
        assert_eq!((0..0x1000).filter(|a| custom(*a)).count(), 10 * 64 + 256 - 4);
        assert!(!custom(0x1810));
        assert_eq!(Address::of(0x810), Address::Custom { read_only: false });
        assert_eq!(Address::of(0xCC0), Address::Custom { read_only: true });
        assert_eq!(Address::of(0xBFF), Address::Custom { read_only: false });
        // mstatus, debug mode, the standard user counters.
        for address in [0x300, 0x7B0, 0xC00, 0xCBF, 0x4C0, 0x1000] {
            assert_eq!(Address::of(address), Address::Other, "{address:#x}");
        }
        assert_eq!(Address::of(0xBC1), Address::Taken("mcx_table"));
    }

    #[test]
    fn set_and_clear_write_what_was_read_with_changes() {
        let written = CsrOp::ALL.map(|op| op.written(0b1100, 0b1010));
        assert_eq!(written, [None, Some(0b1010), Some(0b1110), Some(0b0100)]);
    }
}
