//! Which values of an operand the instructions of a command carry.

use super::core::Type;
use super::{Command, Form, Operand, Slot};
use crate::int::Int;

/// Bits of the immediate of form I.
const BITS: u32 = 12;

/// What is said beside a value that no form carries.
pub(crate) const WHAT_FORM_I_CARRIES: &str =
    "form I has 12 bits for it, sign-extended and cut to the type of the operand";

impl Command {
    /// Whether an instruction of some form carries this value of an operand, which its type holds.
    ///
    /// Registers carry any value, and the immediates of flex and flex25 are as wide as their types. The immediate of form I
    /// has twelve bits, which are sign-extended and cut to the type of the operand (language rules, "Commands").
    pub fn carries(&self, operand: &Operand, value: &Int) -> bool {
        self.forms.iter().any(|form| *form != Form::I || operand.slot == Slot::Rs1 || fits(&operand.ty, value))
    }
}

/// The constant in the register fields of a command on the opcode of flex, and where software looks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlexConstant {
    /// How many of the 15 bits `rs2:rs1:rd` it has, the low ones: 5, or 15 for flex25.
    pub bits: u32,
    /// Whether its type is signed.
    pub signed: bool,
    /// Whether it goes above the function id, as both registers have operands; else it takes the place of the second one.
    pub above: bool,
}

impl Command {
    /// The constant that an instruction on the opcode of flex carries; `None` if its fields are registers only.
    pub fn flex_constant(&self) -> Option<FlexConstant> {
        let operand = self.operands.iter().find(|operand| operand.slot == Slot::Imm)?;
        let bits = [(Form::Flex, 5), (Form::Flex25, 15)].into_iter().find(|(form, _)| self.forms.contains(form))?.1;
        let above = self.operands.iter().any(|operand| operand.slot == Slot::Rs2);
        Some(FlexConstant { bits, signed: matches!(operand.ty, Type::S(_)), above })
    }
}

/// Whether twelve bits, sign-extended and cut to the type, give this value.
fn fits(ty: &Type, value: &Int) -> bool {
    let half = Int::ONE.shl(BITS - 1);
    let from_lowest = (value + &half).wrap(ty.width(), false);
    from_lowest < Int::ONE.shl(BITS)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::contract::Semantics;
    use crate::contract::testing::{command_of, operand, s, u};

    #[test]
    fn twelve_bits_are_sign_extended_and_cut_to_the_type() {
        let extremes = |ty: Type, bits: u32| -> Vec<bool> {
            let all = |n: i64| Int::from(n);
            let top = Int::ONE.shl(bits);
            let wide = [&top - &all(2049), &top - &all(2048), &top - &all(1)];
            [all(0), all(2047), all(2048), all(-2048), all(-2049)]
                .into_iter()
                .chain(wide)
                .map(|v| ty.reduce(&v) == v && fits(&ty, &v))
                .collect()
        };
        let (yes, no) = (true, false);
        assert_eq!(extremes(u(32), 32), [yes, yes, no, no, no, no, yes, yes]);
        assert_eq!(extremes(s(32), 32), [yes, yes, no, yes, no, no, no, no]);
        assert_eq!(extremes(u(64), 64), [yes, yes, no, no, no, no, yes, yes]);
        assert!((0..4096).all(|v| fits(&u(12), &Int::from(v))));
        assert!((-2048..2048).all(|v| fits(&s(12), &Int::from(v))));
        assert!(!fits(&u(13), &Int::from(2048)));
    }

    #[test]
    fn one_form_that_carries_a_value_is_enough() {
        let registers = vec![operand("x", u(32), Slot::Rs1), operand("k", u(32), Slot::Rs2)];
        let mut command = command_of("c", 0, registers, None, Semantics::Opaque);
        let big = Int::from(1 << 20);
        command.forms = vec![Form::I];
        assert!(command.carries(&command.operands[0], &big));
        assert!(!command.carries(&command.operands[1], &big));
        command.forms = vec![Form::I, Form::R];
        assert!(command.carries(&command.operands[1], &big));
        let immediate = vec![operand("k", u(15), Slot::Imm)];
        let mut command = command_of("c", 0, immediate, None, Semantics::Opaque);
        command.forms = vec![Form::I];
        assert!(!command.carries(&command.operands[0], &Int::from(5000)));
        command.forms = vec![Form::I, Form::Flex25];
        assert!(command.carries(&command.operands[0], &Int::from(5000)));
    }
}
