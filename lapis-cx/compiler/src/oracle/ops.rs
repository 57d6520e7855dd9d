//! The operators of the typed core on exact integers. Each result lies within its type; nothing is undefined.

use crate::contract::core::{BinaryOp, Type, UnaryOp};
use crate::int::Int;

/// One operand; `ty` is the node's type.
pub fn unary(op: UnaryOp, ty: &Type, x: &Int) -> Int {
    match op {
        UnaryOp::Neg => ty.reduce(&-x),
        // ~x = -1 - x, for signed and unsigned patterns alike.
        UnaryOp::Not => ty.reduce(&(&Int::from(-1) - x)),
        UnaryOp::LogicalNot => Int::from(x.is_zero()),
    }
}

/// Two operands; `ty` is the node's type.
pub fn binary(op: BinaryOp, ty: &Type, a: &Int, b: &Int) -> Int {
    match op {
        BinaryOp::Add => ty.reduce(&(a + b)),
        BinaryOp::Sub => ty.reduce(&(a - b)),
        BinaryOp::Mul => ty.reduce(&(a * b)),
        BinaryOp::Div => ty.reduce(&a.div_trunc(b).unwrap_or(Int::from(-1))),
        BinaryOp::Rem => ty.reduce(&a.rem_trunc(b).unwrap_or_else(|| a.clone())),
        BinaryOp::And => ty.reduce(&a.and(b)),
        BinaryOp::Or => ty.reduce(&a.or(b)),
        BinaryOp::Xor => ty.reduce(&a.xor(b)),
        BinaryOp::Shl => match b.to_u32() {
            Some(n) if n < ty.width() => ty.reduce(&a.shl(n)),
            _ => Int::ZERO,
        },
        BinaryOp::Shr => ty.reduce(&a.shr(b.to_u32().unwrap_or(u32::MAX).min(ty.width()))),
        BinaryOp::Min => a.min(b).clone(),
        BinaryOp::Max => a.max(b).clone(),
        BinaryOp::Eq => Int::from(a == b),
        BinaryOp::Ne => Int::from(a != b),
        BinaryOp::Lt => Int::from(a < b),
        BinaryOp::Le => Int::from(a <= b),
        BinaryOp::Gt => Int::from(a > b),
        BinaryOp::Ge => Int::from(a >= b),
        BinaryOp::LogicalAnd => Int::from(!a.is_zero() && !b.is_zero()),
        BinaryOp::LogicalOr => Int::from(!a.is_zero() || !b.is_zero()),
    }
}

/// The nearest value of `ty`.
pub fn saturate(ty: &Type, x: &Int) -> Int {
    let (lo, hi) = ty.range();
    x.clone().clamp(lo, hi)
}

/// The unsigned pattern of a scalar of type `ty`.
pub fn pattern(ty: &Type, x: &Int) -> Int {
    if x.is_negative() { x.wrap(ty.width(), false) } else { x.clone() }
}

/// `result.width()` bits from bit `at` of a scalar of type `ty`; zero beyond its top.
pub fn bits(result: &Type, ty: &Type, x: &Int, at: &Int) -> Int {
    match at.to_u32() {
        Some(at) if at < ty.width() => result.reduce(&pattern(ty, x).shr(at)),
        _ => Int::ZERO,
    }
}

/// A scalar of type `ty` whose `width` bits from bit `at` are replaced by those of `v`; bits beyond the top are
/// dropped.
pub fn with_bits(ty: &Type, x: &Int, at: &Int, width: u32, v: &Int) -> Int {
    match at.to_u32() {
        Some(at) if at < ty.width() => {
            let width = width.min(ty.width() - at);
            let hole = Int::ones(width).shl(at);
            let old = pattern(ty, x);
            let kept = &old - &old.and(&hole);
            ty.reduce(&(&kept + &v.wrap(width, false).shl(at)))
        }
        _ => x.clone(),
    }
}

/// `low` with the `width` bits of `high` above it, at bit `at`: one step of joining patterns.
pub fn beside(low: &Int, at: u32, high: &Int) -> Int {
    low.or(&high.shl(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_follows_the_m_extension() {
        let (u8, s8) = (Type::U(8), Type::S(8));
        assert_eq!(binary(BinaryOp::Div, &u8, &Int::from(7), &Int::ZERO), Int::from(255));
        assert_eq!(binary(BinaryOp::Div, &s8, &Int::from(7), &Int::ZERO), Int::from(-1));
        assert_eq!(binary(BinaryOp::Rem, &s8, &Int::from(-7), &Int::ZERO), Int::from(-7));
        assert_eq!(binary(BinaryOp::Div, &s8, &Int::from(-128), &Int::from(-1)), Int::from(-128));
        assert_eq!(binary(BinaryOp::Rem, &s8, &Int::from(-128), &Int::from(-1)), Int::ZERO);
    }

    #[test]
    fn shifts_beyond_the_width_leave_zero_or_the_sign() {
        let huge = Int::pow2(900);
        for amount in [Int::from(8), Int::from(u32::MAX), huge] {
            assert_eq!(binary(BinaryOp::Shl, &Type::U(8), &Int::from(255), &amount), Int::ZERO);
            assert_eq!(binary(BinaryOp::Shr, &Type::U(8), &Int::from(255), &amount), Int::ZERO);
            assert_eq!(binary(BinaryOp::Shr, &Type::S(8), &Int::from(-1), &amount), Int::from(-1));
        }
    }

    #[test]
    fn bits_come_from_the_pattern_and_are_zero_beyond_it() {
        let at = |n: i32| Int::from(n);
        assert_eq!(bits(&Type::U(4), &Type::S(8), &Int::from(-1), &at(6)), Int::from(3));
        assert_eq!(bits(&Type::U(4), &Type::S(8), &Int::from(-1), &at(8)), Int::ZERO);
        assert_eq!(with_bits(&Type::S(8), &Int::ZERO, &at(4), 4, &Int::from(8)), Int::from(-128));
        assert_eq!(with_bits(&Type::U(8), &Int::ZERO, &at(6), 4, &Int::from(15)), Int::from(0xC0));
        assert_eq!(with_bits(&Type::U(8), &Int::from(5), &at(8), 4, &Int::from(15)), Int::from(5));
        assert_eq!(with_bits(&Type::S(8), &Int::from(-1), &at(0), 4, &Int::ZERO), Int::from(-16));
    }
}
