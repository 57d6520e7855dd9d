//! Instructions that the processor does not have, done in software: what a handler of illegal instructions calls.
//!
//! A handler has the word and the registers of who trapped, and a [`CustomHart`], which is what CX commands, CSRs and
//! overloadable opcodes act on (CX API, "CX-ISA"; overloadable opcodes, "Description of the instructions"). [`emulate`] decodes,
//! reads operands and writes rd. Going on behind the instruction is the handler's: all of these have [`LENGTH`] bytes.

#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), target_os = "none", not(target_feature = "f")))]
mod entry;
#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), target_os = "none", not(target_feature = "f")))]
mod runtime;

use crate::encoding::{Csr, CsrAccess, CsrAddress, CsrOperation, CsrSource, Fallback, Instruction, Profile};
use crate::machine::Operation;
use crate::{CsrOp, Selector, Status};

#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), target_os = "none", not(target_feature = "f")))]
pub use entry::{Firmware, Frame, TrapStack};
#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), target_os = "none", not(target_feature = "f")))]
pub use runtime::{FirmwareRuntime, Instructions};

/// Bytes of each instruction that is emulated: none has a compressed form.
pub const LENGTH: usize = 4;

/// x0 to x31 of who trapped.
pub trait Registers {
    /// Reads a register, 0 to 31; x0 is 0.
    fn get(&self, register: u8) -> usize;
    /// Writes one; x0 stays 0.
    fn set(&mut self, register: u8, value: usize);
}

impl Registers for [usize; 32] {
    fn get(&self, register: u8) -> usize {
        usize::from(register != 0) * <[usize]>::get(self, usize::from(register)).copied().unwrap_or(0)
    }

    fn set(&mut self, register: u8, value: usize) {
        if let Some(place) = self.get_mut(usize::from(register)).filter(|_| register != 0) {
            *place = value;
        }
    }
}

/// A hart in software, as the instructions of a program see it. What gives `None` is an illegal instruction there too.
pub trait CustomHart {
    /// What was written to `cx_index` last.
    fn selected(&mut self) -> Selector;
    /// Writes `cx_index`.
    fn select(&mut self, selector: Selector);
    /// Does `op` with `cx_status`, and gives what was there before. Bits that are no flags are 0.
    fn status(&mut self, op: CsrOp, value: Status) -> Status;
    /// Does a command or an access at the selected CX: the value for rd. `None` under built-in.
    fn operate(&mut self, operation: Operation) -> Option<usize>;
    /// Whether the hart itself does the operation for which [`operate`](Self::operate) has just given `None`, if the instruction is
    /// issued again: nothing was done but for what kept the hart from it.
    fn issues_again(&mut self) -> bool {
        false
    }
    /// Which `function`, and which second operand, a command on the opcode of flex has with the 15 bits `rs2:rs1:rd` of its
    /// register fields, if a constant stands in them.
    fn flex(&mut self, function: u32, fields: u16, rs2: usize) -> (u32, usize) {
        let _ = fields;
        (function, rs2)
    }
    /// `xext` and its variants.
    fn xext(&mut self, fallback: Fallback, rs1: usize, rs2: usize) -> Option<usize> {
        let _ = (fallback, rs1, rs2);
        None
    }
    /// `xcmd`.
    fn xcmd(&mut self, command: u8, rs1: usize, rs2: usize) -> Option<usize> {
        let _ = (command, rs1, rs2);
        None
    }
}

/// What became of an instruction that trapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done: go on behind it.
    Done,
    /// Go on at it: the hart does it now.
    Again,
    /// It is none of the hart's; nothing has changed.
    Other,
}

/// Does the instruction whose word trapped, as [`emulate`] does, for a hart that may do it itself.
pub fn handle(word: u32, profile: Profile, registers: &mut impl Registers, hart: &mut impl CustomHart) -> Outcome {
    if emulate(word, profile, registers, hart) {
        Outcome::Done
    } else if hart.issues_again() {
        Outcome::Again
    } else {
        Outcome::Other
    }
}

/// Does the instruction whose word trapped. False if it is none of the hart's: nothing has changed then.
pub fn emulate(word: u32, profile: Profile, registers: &mut impl Registers, hart: &mut impl CustomHart) -> bool {
    let done = match Instruction::decode(word, profile) {
        Some(Instruction::R { function, rd, rs1, rs2 }) => {
            let (rs1, rs2) = (registers.get(rs1), registers.get(rs2));
            hart.operate(Operation::Command { function: function.into(), rs1, rs2 }).map(|value| (rd, value))
        }
        Some(Instruction::I { function, rd, rs1, immediate }) => {
            let (rs1, rs2) = (registers.get(rs1), immediate as isize as usize);
            hart.operate(Operation::Command { function: function.into(), rs1, rs2 }).map(|value| (rd, value))
        }
        Some(flex @ Instruction::Flex { function, rs1, rs2, .. }) => {
            let (rs1, rs2) = (registers.get(rs1), registers.get(rs2));
            let (function, rs2) = hart.flex(function.into(), flex.immediate25().unwrap_or(0), rs2);
            // It has no rd.
            hart.operate(Operation::Command { function, rs1, rs2 }).map(|_| (0, 0))
        }
        Some(Instruction::Xcmd { command, rd, rs1, rs2 }) => {
            hart.xcmd(command, registers.get(rs1), registers.get(rs2)).map(|value| (rd, value))
        }
        Some(Instruction::Xext { fallback, rd, rs1, rs2 }) => {
            hart.xext(fallback, registers.get(rs1), registers.get(rs2)).map(|value| (rd, value))
        }
        Some(Instruction::Csr(access)) => csr(access, registers, hart).map(|value| (access.rd, value)),
        None => None,
    };
    done.map(|(rd, value)| registers.set(rd, value)).is_some()
}

/// What the register held before.
fn csr(access: CsrAccess, registers: &impl Registers, hart: &mut impl CustomHart) -> Option<usize> {
    let (value, is_zero) = match access.source {
        CsrSource::Register(register) => (registers.get(register), register == 0),
        CsrSource::Immediate(value) => (value.into(), value == 0),
    };
    let op = match access.operation {
        CsrOperation::Write => CsrOp::Write,
        CsrOperation::Set | CsrOperation::Clear if is_zero => CsrOp::Read,
        CsrOperation::Set => CsrOp::Set,
        CsrOperation::Clear => CsrOp::Clear,
    };
    match CsrAddress::of(access.csr.into()) {
        CsrAddress::Taken(Csr::CxIndex) => {
            let old = hart.selected().raw() as isize as usize;
            if let Some(new) = op.written(old, value) {
                hart.select(Selector::from_raw(new as i32));
            }
            Some(old)
        }
        CsrAddress::Taken(Csr::CxStatus) => Some(hart.status(op, Status::from_bits(value as u32)).bits() as usize),
        // Those of machine mode are not for who traps.
        CsrAddress::Taken(Csr::McxSelector | Csr::McxTable) | CsrAddress::Other => None,
        // An illegal instruction on each hart (RISC-V Zicsr), whatever is selected.
        CsrAddress::Custom { read_only: true, .. } if op != CsrOp::Read => None,
        CsrAddress::Custom { .. } => hart.operate(Operation::Csr { op, address: access.csr.into(), value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down what it is asked, and gives a number that tells the operation.
    #[derive(Default)]
    struct Asked {
        selected: i32,
        status: u32,
        last: Option<Operation>,
        flex: Option<u16>,
    }

    impl CustomHart for Asked {
        fn selected(&mut self) -> Selector {
            Selector::from_raw(self.selected)
        }
        fn select(&mut self, selector: Selector) {
            self.selected = selector.raw();
        }
        fn status(&mut self, op: CsrOp, value: Status) -> Status {
            let old = self.status;
            self.status = op.written(old as usize, value.bits() as usize).map_or(old, |new| new as u32);
            Status::from_bits(old)
        }
        fn operate(&mut self, operation: Operation) -> Option<usize> {
            self.last = (self.selected != 0).then_some(operation);
            self.last.map(|_| 77)
        }
        fn flex(&mut self, function: u32, fields: u16, rs2: usize) -> (u32, usize) {
            self.flex = Some(fields);
            (function | 1 << 16, rs2 + 1)
        }
        fn xext(&mut self, fallback: Fallback, rs1: usize, rs2: usize) -> Option<usize> {
            Some(rs1 + rs2 + usize::from(fallback.lun()))
        }
    }

    fn run(hart: &mut Asked, registers: &mut [usize; 32], instruction: Instruction) -> bool {
        let word = instruction.encode(Profile::DEFAULT).unwrap_or(0);
        emulate(word, Profile::DEFAULT, registers, hart)
    }

    fn numbered() -> [usize; 32] {
        core::array::from_fn(|i| 100 + i)
    }

    #[test]
    fn commands_get_their_operands_and_write_rd() {
        let (mut hart, mut x) = (Asked { selected: 5, ..Asked::default() }, numbered());
        assert!(run(&mut hart, &mut x, Instruction::R { function: 1023, rd: 7, rs1: 8, rs2: 0 }));
        assert_eq!((hart.last, x[7]), (Some(Operation::Command { function: 1023, rs1: 108, rs2: 0 }), 77));
        assert!(run(&mut hart, &mut x, Instruction::I { function: 3, rd: 0, rs1: 31, immediate: -2048 }));
        let minus = (-2048isize) as usize;
        assert_eq!(hart.last, Some(Operation::Command { function: 3, rs1: 131, rs2: minus }));
        assert_eq!(x[0], 100, "x0 is not written, whatever its place holds");
        let fields = 3 << 10 | 2 << 5 | 9;
        assert!(run(&mut hart, &mut x, Instruction::Flex { function: 4, rs1: 2, rs2: 3, immediate: 9 }));
        assert_eq!(
            (hart.last, hart.flex),
            (Some(Operation::Command { function: 4 | 1 << 16, rs1: 102, rs2: 104 }), Some(fields))
        );
        assert_eq!(x[9], 109, "flex has no rd");
    }

    #[test]
    fn the_selection_and_the_flags_are_registers() {
        let (mut hart, mut x) = (Asked::default(), numbered());
        let mut access = |hart: &mut Asked, csr, operation, source| {
            let done = run(hart, &mut x, Instruction::Csr(CsrAccess { csr, operation, rd: 1, source }));
            done.then_some(x[1])
        };
        use CsrOperation::{Clear, Set, Write};
        use CsrSource::{Immediate, Register};
        assert_eq!(access(&mut hart, 0x800, Write, Immediate(6)), Some(0));
        assert_eq!(access(&mut hart, 0x800, Set, Immediate(1)), Some(6));
        assert_eq!(access(&mut hart, 0x800, Clear, Immediate(4)), Some(7));
        // It only reads: the place of x0 has a number here that would be seen.
        assert_eq!(access(&mut hart, 0x800, Set, Register(0)), Some(3));
        hart.selected = -1;
        assert_eq!(access(&mut hart, 0x800, Write, Register(0)), Some(usize::MAX), "extended by its sign");
        assert_eq!(hart.selected, 0);
        hart.status = 0x7F;
        assert_eq!(access(&mut hart, 0x801, Clear, Register(2)), Some(0x7F));
        assert_eq!(hart.status, 0x7F & !102);
        assert_eq!(access(&mut hart, 0xBC0, Set, Register(0)), None);
        assert_eq!(access(&mut hart, 0x300, Set, Register(0)), None);
        // A CSR of a CX: only if one is selected.
        assert_eq!(access(&mut hart, 0x802, Set, Register(3)), None);
        hart.selected = 9;
        assert_eq!(access(&mut hart, 0x802, Set, Register(3)), Some(77));
        assert_eq!(hart.last, Some(Operation::Csr { op: CsrOp::Set, address: 0x802, value: 103 }));
    }

    #[test]
    fn a_read_only_csr_is_not_written() {
        use CsrOperation::{Clear, Set, Write};
        use CsrSource::{Immediate, Register};
        // x4 holds 0 and is not x0.
        let (mut hart, mut x) = (Asked { selected: 9, ..Asked::default() }, numbered());
        x[4] = 0;
        let before = x;
        for csr in [0xCC0, 0xCFF, 0xDC0, 0xDFF, 0xFC0, 0xFFF] {
            for (operation, source) in [
                (Write, Register(0)),
                (Write, Register(3)),
                (Write, Immediate(0)),
                (Set, Register(3)),
                (Set, Register(4)),
                (Clear, Register(4)),
                (Set, Immediate(1)),
                (Clear, Immediate(31)),
            ] {
                let access = Instruction::Csr(CsrAccess { csr, operation, rd: 1, source });
                assert!(!run(&mut hart, &mut x, access), "{csr:#x}: {operation:?} {source:?}");
            }
            assert_eq!((x, hart.last), (before, None));
        }
        for source in [Register(0), Immediate(0)] {
            for operation in [Set, Clear] {
                let access = Instruction::Csr(CsrAccess { csr: 0xCC0, operation, rd: 1, source });
                assert!(run(&mut hart, &mut x, access));
                let asked = hart.last.take();
                assert!(matches!(asked, Some(Operation::Csr { op: CsrOp::Read, address: 0xCC0, .. })), "{asked:?}");
            }
        }
    }

    #[test]
    fn what_is_not_the_harts_changes_nothing() {
        let (mut hart, mut x) = (Asked { selected: 1, ..Asked::default() }, numbered());
        for word in [0, u32::MAX, 0x0000_0013, 0xC000_2573, 0x7B | 3 << 25, 0x1005_252F] {
            assert!(!emulate(word, Profile::DEFAULT, &mut x, &mut hart), "{word:#x}");
        }
        assert!(!run(&mut hart, &mut x, Instruction::Xcmd { command: 0, rd: 1, rs1: 2, rs2: 3 }));
        assert_eq!((x, hart.last), (numbered(), None));
        assert!(run(&mut hart, &mut x, Instruction::Xext { fallback: Fallback::MinusOne, rd: 1, rs1: 2, rs2: 3 }));
        assert_eq!(x[1], 102 + 103 + 2);
        hart.selected = 0;
        assert!(!run(&mut hart, &mut x, Instruction::R { function: 0, rd: 7, rs1: 8, rs2: 9 }), "built-in");
    }
}
