//! Custom instructions (CX-ISA): one for each command, and the CSRs around them.
//!
//! Commands with state and CSR accesses are volatile, so they keep their order. A command without state is pure, and
//! selecting may write memory: equal commands merge, but none leaves the selection under which it was issued.

use core::arch::asm;

use crate::abi1::Immediate;
use crate::encoding::{self, Csr, Profile};

const CUSTOM_0: u8 = Profile::DEFAULT.r();
const CUSTOM_1: u8 = Profile::DEFAULT.i();
const CUSTOM_2: u8 = Profile::DEFAULT.flex();

/// The fields of a function id.
const fn functs<const FUNCTION: u32>() -> (u8, u8) {
    encoding::functs(FUNCTION as u16)
}

/// `.insn r`: a register that has no operand is x0.
macro_rules! registers {
    ($opcode:ident, $rd:literal, $rs1:ident, $rs2:ident, ($($output:tt)*), ($($option:ident),+)) => {
        // SAFETY: a custom instruction reads its operands, writes rd, and touches no memory.
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
                    opcode = const CUSTOM_1, funct3 = const functs::<FUNCTION>().0, imm = const low12::<I>(),
                    rs1 = in(reg) rs1, $($output)* options($($option),+)
                ),
                None => asm!(
                    concat!(".insn i {opcode}, {funct3}, ", $rd, ", x0, {imm}"),
                    opcode = const CUSTOM_1, funct3 = const functs::<FUNCTION>().0, imm = const low12::<I>(),
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
