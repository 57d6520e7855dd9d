//! Whether a bool expression holds, and if not, what its sides are.

use super::eval::{EvalError, Evaluator, World};
use super::ops;
use crate::contract::Section;
use crate::contract::core::{BinaryOp, Expr, ExprKind, Type, Value};
use crate::int::Int;

/// The most elements of an array that are shown.
const SHOWN_ELEMENTS: usize = 8;

/// How a bool came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub holds: bool,
    /// The sides of the comparison that decided, such as "left is 15 (0xF), right is 12 (0xC)".
    pub sides: Option<String>,
}

/// Evaluates an expression once, over the open frame of the evaluator. One that is no bool holds.
pub(super) fn judge<W: World>(
    evaluator: &mut Evaluator<'_, W>,
    section: &Section,
    expr: &Expr,
) -> Result<Verdict, EvalError> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::LogicalAnd, a, b) => {
            let left = judge(evaluator, section, a)?;
            if left.holds { judge(evaluator, section, b) } else { Ok(left) }
        }
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let left = evaluator.eval(a)?;
            let right = evaluator.eval(b)?;
            let holds = !ops::binary(*op, &Type::Bool, &left.int(), &right.int()).is_zero();
            let sides =
                || format!("left is {}, right is {}", show(section, &a.ty, &left), show(section, &b.ty, &right));
            Ok(Verdict { holds, sides: (!holds).then(sides) })
        }
        _ => {
            let value = evaluator.eval(expr)?;
            Ok(Verdict { holds: expr.ty != Type::Bool || !value.int().is_zero(), sides: None })
        }
    }
}

/// A value for people: in decimal, and the pattern in hex if that says more.
pub fn show(section: &Section, ty: &Type, value: &Value) -> String {
    match (ty, value) {
        (Type::Array { elem, .. }, Value::Array(items)) => {
            let mut shown: Vec<String> = items.iter().take(SHOWN_ELEMENTS).map(|v| show(section, elem, v)).collect();
            if items.len() > SHOWN_ELEMENTS {
                shown.push("…".into());
            }
            format!("[{}]", shown.join(", "))
        }
        (Type::Bool, v) => if v.int().is_zero() { "false" } else { "true" }.into(),
        (Type::Enum { id, .. }, v) => {
            let v = v.int();
            let case = section.enums.get(id.index()).and_then(|e| {
                let case = e.cases.iter().find(|case| case.pattern == v)?;
                Some(format!("{}.{}", e.name, case.name))
            });
            case.unwrap_or_else(|| number(ty, &v))
        }
        (_, v) => number(ty, &v.int()),
    }
}

fn number(ty: &Type, v: &Int) -> String {
    if *v >= Int::ZERO && *v < Int::from(10) { v.to_string() } else { format!("{v} (0x{})", hex(&ops::pattern(ty, v))) }
}

/// Hex digits of a non-negative number.
fn hex(v: &Int) -> String {
    let limbs = v.limbs32(v.bits().div_ceil(32) as usize);
    let digits: String = limbs.iter().rev().map(|limb| format!("{limb:08X}")).collect();
    match digits.trim_start_matches('0') {
        "" => "0".into(),
        digits => digits.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::testing::{ints, s, u};

    #[test]
    fn values_are_shown_in_decimal_and_hex() {
        let section = Section::default();
        let shown = |ty: Type, v: Value| show(&section, &ty, &v);
        assert_eq!(shown(u(8), Value::Int(Int::from(9))), "9");
        assert_eq!(shown(u(8), Value::Int(Int::from(10))), "10 (0xA)");
        assert_eq!(shown(s(40), Value::Int(Int::from(-1))), "-1 (0xFFFFFFFFFF)");
        assert_eq!(shown(u(65), Value::Int(Int::pow2(64))), "18446744073709551616 (0x10000000000000000)");
        assert_eq!(shown(Type::Bool, Value::Int(Int::ONE)), "true");
        assert_eq!(shown(Type::array(u(4), 9), ints([1; 9])), "[1, 1, 1, 1, 1, 1, 1, 1, …]");
    }
}
