//! What instructions may carry. Safe code names these numbers as constants, and one that is not of a CX would be any
//! instruction: a store, or a write of a register that belongs to the system. So they are looked at where constants are
//! evaluated, and a wrong one does not compile; in software neither, so that what was tried on a host builds for hardware.

use crate::Xcmd;
use crate::encoding::{CsrAddress, FUNCTION_LIMIT, Profile, SMALL_LIMIT, is_custom_opcode};

/// The id of a function, for the forms R and flex.
pub const fn function(id: u32) -> u16 {
    assert!(id < FUNCTION_LIMIT as u32, "a function id is below 1024");
    id as u16
}

/// The id of a function of form I, and of a command of an overloadable opcode: funct3 has it alone.
pub const fn small(id: u32) -> u16 {
    assert!(id < SMALL_LIMIT as u32, "the function id of this form is below 8");
    id as u16
}

/// The address of a CSR of a CX.
pub const fn csr(address: u32) -> u32 {
    assert!(
        matches!(CsrAddress::of(address), CsrAddress::Custom { .. }),
        "a CSR of a CX has an address for custom use that the CX-ISA has not taken"
    );
    address
}

/// The opcode of `xcmd` and `xext`.
pub const fn xcmd_opcode<X: Xcmd>() -> u8 {
    match X::OPCODE {
        Some(opcode) => {
            assert!(is_custom_opcode(opcode), "the opcode of `xcmd` is one of custom-0 to custom-3");
            opcode
        }
        None => Profile::DEFAULT.xcmd(),
    }
}
