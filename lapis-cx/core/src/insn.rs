//! Custom instructions (CX-ISA): one for each command and each access of a CSR of a CX, and the CSRs around them. Those of
//! overloadable opcodes.
//!
//! Commands with state and CSR accesses are volatile, so they keep their order. A command without state is pure, and
//! selecting may write memory: equal commands merge, but none leaves the selection under which it was issued. An `xcmd`
//! is volatile, as it traps where there is no device; a lookup is pure.
//!
//! Each function id, address and opcode passes [`checked`]: safe code can name no other instruction.

use core::arch::asm;

use crate::abi1::Immediate;
use crate::encoding::{self, Csr, Profile};
use crate::{Xcmd, checked};

const CUSTOM_0: u8 = Profile::DEFAULT.r();
const CUSTOM_1: u8 = Profile::DEFAULT.i();
const CUSTOM_2: u8 = Profile::DEFAULT.flex();

/// The fields of a function id.
const fn functs<const FUNCTION: u32>() -> (u8, u8) {
    encoding::functs(checked::function(FUNCTION))
}

/// `.insn r`: a register that has no operand is x0.
macro_rules! registers {
    ($opcode:ident, $rd:literal, $rs1:ident, $rs2:ident, ($($output:tt)*), ($($option:ident),+)) => {
        // SAFETY: a custom instruction, which its opcode makes it, reads its operands, writes rd, and touches no memory.
        unsafe {
            match ($rs1, $rs2) {
                (Some(rs1), Some(rs2)) => asm!(
                    concat!(".insn r {opcode}, {funct3}, {funct7}, ", $rd, ", {rs1}, {rs2}"),
                    opcode = const $opcode, funct3 = const functs::<FUNCTION>().0, funct7 = const functs::<FUNCTION>().1,
                    rs1 = in(reg) rs1, rs2 = in(reg) rs2, $($output)* options($($option),+)
                ),
                (Some(rs1), None) => asm!(
                    concat!(".insn r {opcode}, {funct3}, {funct7}, ", $rd, ", {rs1}, x0"),
                    opcode = const $opcode, funct3 = const functs::<FUNCTION>().0, funct7 = const functs::<FUNCTION>().1,
                    rs1 = in(reg) rs1, $($output)* options($($option),+)
                ),
                (None, Some(rs2)) => asm!(
                    concat!(".insn r {opcode}, {funct3}, {funct7}, ", $rd, ", x0, {rs2}"),
                    opcode = const $opcode, funct3 = const functs::<FUNCTION>().0, funct7 = const functs::<FUNCTION>().1,
                    rs2 = in(reg) rs2, $($output)* options($($option),+)
                ),
                (None, None) => asm!(
                    concat!(".insn r {opcode}, {funct3}, {funct7}, ", $rd, ", x0, x0"),
                    opcode = const $opcode, funct3 = const functs::<FUNCTION>().0, funct7 = const functs::<FUNCTION>().1,
                    $($output)* options($($option),+)
                ),
            }
        }
    };
}

/// `.insn i`.
macro_rules! immediate {
    ($rd:literal, $rs1:ident, ($($output:tt)*), ($($option:ident),+)) => {
        // SAFETY: as for the forms with registers.
        unsafe {
            match $rs1 {
                Some(rs1) => asm!(
                    concat!(".insn i {opcode}, {funct3}, ", $rd, ", {rs1}, {imm}"),
                    opcode = const CUSTOM_1, funct3 = const checked::small(FUNCTION), imm = const low12::<I>(),
                    rs1 = in(reg) rs1, $($output)* options($($option),+)
                ),
                None => asm!(
                    concat!(".insn i {opcode}, {funct3}, ", $rd, ", x0, {imm}"),
                    opcode = const CUSTOM_1, funct3 = const checked::small(FUNCTION), imm = const low12::<I>(),
                    $($output)* options($($option),+)
                ),
            }
        }
    };
}

/// The twelve bits, as the signed number that an assembler wants.
const fn low12<I: Immediate>() -> i32 {
    (((I::VALUE & 0xFFF) ^ 0x800) - 0x800) as i32
}

/// Form R.
#[inline(always)]
pub fn value<const FUNCTION: u32>(rs1: Option<usize>, rs2: Option<usize>) -> usize {
    let rd;
    registers!(CUSTOM_0, "{rd}", rs1, rs2, (rd = lateout(reg) rd,), (nomem, nostack, preserves_flags));
    rd
}

/// Form R of a command without state.
#[inline(always)]
pub fn pure_value<const FUNCTION: u32>(rs1: Option<usize>, rs2: Option<usize>) -> usize {
    let rd;
    registers!(CUSTOM_0, "{rd}", rs1, rs2, (rd = lateout(reg) rd,), (pure, readonly, nostack, preserves_flags));
    rd
}

/// Form R of a command without result; gives 0.
#[inline(always)]
pub fn silent<const FUNCTION: u32>(rs1: Option<usize>, rs2: Option<usize>) -> usize {
    registers!(CUSTOM_0, "x0", rs1, rs2, (), (nomem, nostack, preserves_flags));
    0
}

/// Form flex, which has no result register; gives 0.
#[inline(always)]
pub fn flex<const FUNCTION: u32>(rs1: Option<usize>, rs2: Option<usize>) -> usize {
    registers!(CUSTOM_2, "x0", rs1, rs2, (), (nomem, nostack, preserves_flags));
    0
}

/// Form flex with a constant in place of rd; gives 0.
#[inline(always)]
pub fn flex_immediate<const FUNCTION: u32, I: Immediate>(rs1: Option<usize>, rs2: Option<usize>) -> usize {
    registers!(CUSTOM_2, "x{imm}", rs1, rs2, (imm = const five::<I>(0),), (nomem, nostack, preserves_flags));
    0
}

/// Form flex25, a constant in place of all registers; gives 0.
#[inline(always)]
pub fn flex25<const FUNCTION: u32, I: Immediate>() -> usize {
    // SAFETY: as for the forms with registers.
    unsafe {
        asm!(
            ".insn r {opcode}, {funct3}, {funct7}, x{low}, x{middle}, x{high}",
            opcode = const CUSTOM_2, funct3 = const functs::<FUNCTION>().0, funct7 = const functs::<FUNCTION>().1,
            low = const five::<I>(0), middle = const five::<I>(5), high = const five::<I>(10),
            options(nomem, nostack, preserves_flags)
        );
    }
    0
}

/// Five bits of a constant, in a register's place.
const fn five<I: Immediate>(shift: u32) -> u8 {
    ((I::VALUE >> shift) & 31) as u8
}

/// Form I.
#[inline(always)]
pub fn immediate<const FUNCTION: u32, I: Immediate>(rs1: Option<usize>) -> usize {
    let rd;
    immediate!("{rd}", rs1, (rd = lateout(reg) rd,), (nomem, nostack, preserves_flags));
    rd
}

/// Form I of a command without state.
#[inline(always)]
pub fn pure_immediate<const FUNCTION: u32, I: Immediate>(rs1: Option<usize>) -> usize {
    let rd;
    immediate!("{rd}", rs1, (rd = lateout(reg) rd,), (pure, readonly, nostack, preserves_flags));
    rd
}

/// Form I of a command without result; gives 0.
#[inline(always)]
pub fn silent_immediate<const FUNCTION: u32, I: Immediate>(rs1: Option<usize>) -> usize {
    immediate!("x0", rs1, (), (nomem, nostack, preserves_flags));
    0
}

/// Writes `cx_index` and returns what it held. No command moves across this.
#[inline(always)]
pub fn swap_index(new: usize) -> usize {
    let old;
    // SAFETY: the CSR decides only which CX answers commands.
    unsafe {
        asm!("csrrw {old}, {csr}, {new}", csr = const Csr::CxIndex.number(), old = lateout(reg) old, new = in(reg) new, options(nostack, preserves_flags))
    };
    old
}

/// Writes `cx_status` and returns what it held.
#[inline(always)]
pub fn swap_status(new: usize) -> usize {
    let old;
    // SAFETY: the CSR holds flags and nothing else.
    unsafe {
        asm!("csrrw {old}, {csr}, {new}", csr = const Csr::CxStatus.number(), old = lateout(reg) old, new = in(reg) new, options(nostack, preserves_flags))
    };
    old
}

/// Sets flags of `cx_status`.
#[inline(always)]
pub fn set_status(flags: usize) {
    // SAFETY: as above.
    unsafe {
        asm!("csrs {csr}, {flags}", csr = const Csr::CxStatus.number(), flags = in(reg) flags, options(nostack, preserves_flags))
    };
}

/// An access of a CSR, with a value in a register, which is never x0.
macro_rules! csr {
    ($($(#[$doc:meta])* $name:ident $instruction:literal;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<const ADDRESS: u32>(value: usize) -> usize {
            let old;
            // SAFETY: the address is checked to be for custom use. A CSR of a CX is part of its state, and no memory.
            unsafe {
                asm!(
                    concat!($instruction, " {old}, {csr}, {value}"), csr = const checked::csr(ADDRESS), value = in(reg) value,
                    old = lateout(reg) old, options(nomem, nostack, preserves_flags)
                )
            };
            old
        }
    )* };
}
csr! {
    /// Writes a CSR and gives what it held.
    csr_swap "csrrw";
    /// Sets bits of a CSR and gives what it held.
    csr_set "csrrs";
    /// Clears bits of a CSR and gives what it held.
    csr_clear "csrrc";
}

/// Reads a CSR; there is no value.
#[inline(always)]
pub fn csr_read<const ADDRESS: u32>(_value: usize) -> usize {
    let old;
    // SAFETY: as for the other accesses.
    unsafe {
        asm!("csrr {old}, {csr}", csr = const checked::csr(ADDRESS), old = lateout(reg) old, options(nomem, nostack, preserves_flags))
    };
    old
}

/// Writes a CSR; gives 0.
#[inline(always)]
pub fn csr_write<const ADDRESS: u32>(value: usize) -> usize {
    // SAFETY: as for the other accesses.
    unsafe {
        asm!("csrw {csr}, {value}", csr = const checked::csr(ADDRESS), value = in(reg) value, options(nomem, nostack, preserves_flags))
    };
    0
}

/// Writes a constant to a CSR: one below 32 is in the instruction. Gives 0.
#[inline(always)]
pub fn csr_write_constant<const ADDRESS: u32, I: Immediate>() -> usize {
    if I::VALUE >= 32 {
        return csr_write::<ADDRESS>(I::VALUE as usize);
    }
    // SAFETY: as for the other accesses.
    unsafe {
        asm!("csrwi {csr}, {value}", csr = const checked::csr(ADDRESS), value = const five::<I>(0), options(nomem, nostack, preserves_flags))
    };
    0
}

/// Bits of a CSR that a constant names: one below 32 is in the instruction, but for 0, with which it would not write.
macro_rules! csr_constant {
    ($($(#[$doc:meta])* $name:ident $instruction:literal $register:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<const ADDRESS: u32, I: Immediate>() -> usize {
            if I::VALUE == 0 || I::VALUE >= 32 {
                return $register::<ADDRESS>(I::VALUE as usize);
            }
            let old;
            // SAFETY: as for the other accesses.
            unsafe {
                asm!(
                    concat!($instruction, " {old}, {csr}, {bits}"), csr = const checked::csr(ADDRESS), bits = const five::<I>(0),
                    old = lateout(reg) old, options(nomem, nostack, preserves_flags)
                )
            };
            old
        }
    )* };
}
csr_constant! {
    /// Sets bits of a CSR and gives what it held.
    csr_set_constant "csrrsi" csr_set;
    /// Clears bits of a CSR and gives what it held.
    csr_clear_constant "csrrci" csr_clear;
}

/// `xcmd`.
#[inline(always)]
pub fn xcmd<X: Xcmd, const COMMAND: u32>(rs1: usize, rs2: Option<usize>) -> usize {
    let rd;
    // SAFETY: as for the forms of a CX; the opcode is checked to be a custom one.
    unsafe {
        match rs2 {
            Some(rs2) => asm!(
                ".insn r {opcode}, {command}, 0, {rd}, {rs1}, {rs2}", opcode = const checked::xcmd_opcode::<X>(),
                command = const checked::small(COMMAND), rd = lateout(reg) rd, rs1 = in(reg) rs1, rs2 = in(reg) rs2,
                options(nomem, nostack, preserves_flags)
            ),
            None => asm!(
                ".insn r {opcode}, {command}, 0, {rd}, {rs1}, x0", opcode = const checked::xcmd_opcode::<X>(),
                command = const checked::small(COMMAND), rd = lateout(reg) rd, rs1 = in(reg) rs1,
                options(nomem, nostack, preserves_flags)
            ),
        }
    }
    rd
}

/// `xcmd` of a command without result; gives 0.
#[inline(always)]
pub fn silent_xcmd<X: Xcmd, const COMMAND: u32>(rs1: usize, rs2: Option<usize>) -> usize {
    // SAFETY: as for the forms of a CX; the opcode is checked to be a custom one.
    unsafe {
        match rs2 {
            Some(rs2) => asm!(
                ".insn r {opcode}, {command}, 0, x0, {rs1}, {rs2}", opcode = const checked::xcmd_opcode::<X>(),
                command = const checked::small(COMMAND), rs1 = in(reg) rs1, rs2 = in(reg) rs2,
                options(nomem, nostack, preserves_flags)
            ),
            None => asm!(
                ".insn r {opcode}, {command}, 0, x0, {rs1}, x0", opcode = const checked::xcmd_opcode::<X>(),
                command = const checked::small(COMMAND), rs1 = in(reg) rs1, options(nomem, nostack, preserves_flags)
            ),
        }
    }
    0
}

/// `xext`, `xext0` or `xextm1`, by the lun of the fallback.
#[inline(always)]
pub fn xext<X: Xcmd, const FALLBACK: u16>(rs1: usize) -> usize {
    let rd;
    // SAFETY: a lookup has no effect; the opcode is checked to be a custom one.
    unsafe {
        asm!(
            ".insn r {opcode}, {fallback}, 1, {rd}, {rs1}, x0", opcode = const checked::xcmd_opcode::<X>(),
            fallback = const FALLBACK, rd = lateout(reg) rd, rs1 = in(reg) rs1,
            options(pure, nomem, nostack, preserves_flags)
        )
    };
    rd
}
