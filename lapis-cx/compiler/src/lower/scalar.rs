//! Lowers scalar expressions of at most 64 bits to words.
//!
//! [`Lowerer::low`] computes only as many low bits as its caller wants and leaves garbage above them, which sums,
//! products and shifts to the left may do; [`Lowerer::exact`] clears the garbage once, at the end. Signed values are
//! extended with `(x ^ g) - g` and compared as `x ^ g`, where `g` is their sign bit.

use super::ir::{BinaryOp as Op, CompareOp, Expr, ExprKind as Kind, Ty, ones, pattern};
use super::lowerer::{Lowerer, in_memory, is_wide, scalar_ty};
use super::value::{self, Val};
use crate::contract::core::{self, BinaryOp, ExprKind, Type, UnaryOp, Value};
use crate::int::Int;

/// `2^(width-1)`, the sign bit.
fn sign_bit(width: u32) -> u64 {
    1 << (width.clamp(1, 64) - 1)
}

/// The value of an integer constant.
pub fn int_const(e: &core::Expr) -> Option<&Int> {
    match &e.kind {
        ExprKind::Const(Value::Int(v)) => Some(v),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// The pattern of a scalar of at most 64 bits, zero-extended.
    pub fn exact(&mut self, e: &core::Expr) -> Val {
        let width = e.ty.width().clamp(1, 64);
        self.low(e, width).mask(width)
    }

    /// A word whose low `want` bits are those of the pattern; what lies above is bounded by `max` only. `want` counts as
    /// the width of the expression if it is more.
    pub fn low(&mut self, e: &core::Expr, want: u32) -> Val {
        let want = want.min(e.ty.width()).clamp(1, 64);
        let ty = Ty::for_width(want);
        if e.ty == Type::Bool {
            let truth = self.truth(e);
            return value::from_bool(ty, truth);
        }
        self.low_number(e, want, ty).to(ty)
    }

    fn low_number(&mut self, e: &core::Expr, want: u32, ty: Ty) -> Val {
        let width = e.ty.width();
        match &e.kind {
            ExprKind::Const(v) => Val::constant(ty, pattern(&v.int(), want)),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.extend(a, want);
                value::sub(Val::constant(ty, 0), a)
            }
            ExprKind::Unary(UnaryOp::Not | UnaryOp::LogicalNot, a) => {
                let a = self.extend(a, want);
                value::not(a)
            }
            ExprKind::Convert(a) => self.extend(a, want),
            ExprKind::Saturate(a) => self.saturate(&e.ty, a, want),
            ExprKind::Binary(op, a, b) => self.low_binary(e, *op, a, b, want),
            ExprKind::Select(c, a, b) => {
                let c = self.truth(c);
                let (then, x) = self.capture(|l| l.low(a, want));
                let (other, y) = self.capture(|l| l.low(b, want));
                self.join_arms(c, then, x, other, y)
            }
            ExprKind::Bits(a, at) => self.bits(a, at, want, ty),
            ExprKind::Cat(parts) => self.cat(parts, want, ty),
            ExprKind::Rep(a, _) => {
                let part = a.ty.width().max(1);
                if is_wide(&a.ty) {
                    return self.low(a, want);
                }
                let a = self.exact(a).to(ty);
                if part == 1 {
                    return value::sub(Val::constant(ty, 0), a);
                }
                // One product puts all copies side by side: they do not overlap.
                let copies = (0..want).step_by(part as usize).fold(0, |acc, at| acc | 1 << at);
                value::mul(a, Val::constant(ty, copies))
            }
            ExprKind::Join(a) => self.join(a, want, ty),
            ExprKind::Local(id) if !is_wide(&e.ty) => {
                let id = self.local(*id);
                let bound = self.bounds.get(id.index()).copied().unwrap_or(u64::MAX);
                Val::new(Ty::for_width(width), Kind::Local(id), bound)
            }
            ExprKind::State(id) if !is_wide(&e.ty) => Val::new(Ty::for_width(width), Kind::Field(*id), ones(width)),
            ExprKind::Index(..) if !is_wide(&e.ty) => self.element(e),
            ExprKind::Call(id, args) if !is_wide(&e.ty) => {
                let args = self.call_args(args);
                Val::new(Ty::for_width(width), Kind::Call(*id, args), ones(width))
            }
            _ if is_wide(&e.ty) => {
                let src = self.wide(e);
                self.wide_word(src, super::ir::limbs(width), Val::constant(Ty::W32, 0), ty, want)
            }
            _ => Val::constant(ty, 0),
        }
    }

    /// The value of an expression in at least `want` low bits: extended by its sign kind where it is narrower.
    pub fn extend(&mut self, e: &core::Expr, want: u32) -> Val {
        let width = e.ty.width();
        if width >= want {
            return self.low(e, want);
        }
        let word = Ty::for_width(want);
        let v = self.exact(e).to(word);
        if e.ty.is_signed() { sign_extend(v, width) } else { v }
    }

    fn low_binary(&mut self, e: &core::Expr, op: BinaryOp, a: &core::Expr, b: &core::Expr, want: u32) -> Val {
        let ty = Ty::for_width(want);
        let width = e.ty.width();
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let (x, y) = (self.extend(a, want), self.extend(b, want));
                match op {
                    BinaryOp::Add => value::add(x, y),
                    BinaryOp::Sub => value::sub(x, y),
                    BinaryOp::Mul => value::mul(x, y),
                    BinaryOp::And => value::and(x, y),
                    BinaryOp::Or => value::or(x, y),
                    _ => value::xor(x, y),
                }
            }
            BinaryOp::Shl => {
                let x = self.extend(a, want);
                let amount = self.amount(b);
                self.checked_shift(Op::Shl, x, amount)
            }
            BinaryOp::Shr => self.shift_right(e, a, b, want),
            _ if is_wide(&e.ty) || is_wide(&a.ty) || is_wide(&b.ty) => {
                if op.is_comparison() || matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
                    let truth = self.truth(e);
                    return value::from_bool(ty, truth);
                }
                let src = self.wide(e);
                self.wide_word(src, super::ir::limbs(width), Val::constant(Ty::W32, 0), ty, want)
            }
            BinaryOp::Div | BinaryOp::Rem => self.divide(op, &e.ty, a, b),
            BinaryOp::Min | BinaryOp::Max => {
                let (x, y) = (self.exact(a), self.exact(b));
                let (x, y) = (self.atom(x), self.atom(y));
                let g = if e.ty.is_signed() { sign_bit(width) } else { 0 };
                let less = less(x.clone(), y.clone(), g);
                if op == BinaryOp::Min { value::select(less, x, y) } else { value::select(less, y, x) }
            }
            _ => {
                let truth = self.truth(e);
                value::from_bool(ty, truth)
            }
        }
    }

    /// Shifts by any amount: 0 from the width of the word on.
    fn checked_shift(&mut self, op: Op, x: Val, amount: Val) -> Val {
        let shift = |x, n| if op == Op::Shl { value::shl(x, n) } else { value::shr(x, n) };
        let ty = x.ty();
        let limit = u64::from(ty.bits());
        if amount.max < limit {
            return shift(x, amount);
        }
        if amount.as_const().is_some() {
            return Val::constant(ty, 0);
        }
        let amount = self.atom(amount);
        let inside = value::compare(CompareOp::Lt, amount.clone(), Val::constant(amount.ty(), limit));
        value::select(inside, shift(x, amount), Val::constant(ty, 0))
    }

    fn shift_right(&mut self, e: &core::Expr, a: &core::Expr, b: &core::Expr, want: u32) -> Val {
        let width = e.ty.width();
        let amount = self.amount(b);
        if let Some(n) = amount.as_const() {
            // Only the bits from n on matter, and garbage above what is wanted stays above.
            let n = n.min(u64::from(width)) as u32;
            if n + want <= width && n + want <= 64 {
                let x = self.low(a, n + want);
                return value::shr(x, Val::constant(Ty::W32, u64::from(n)));
            }
        }
        if is_wide(&e.ty) {
            let src = self.wide(e);
            return self.wide_word(src, super::ir::limbs(width), Val::constant(Ty::W32, 0), Ty::for_width(want), want);
        }
        let x = self.exact(a);
        let g = sign_bit(width);
        if !e.ty.is_signed() || x.max < g {
            return self.checked_shift(Op::Shr, x, amount);
        }
        // x ^ g is the value plus g, and g is a multiple of 2^n: so rounding down commutes with taking g off again.
        let last = Val::constant(amount.ty(), u64::from(width - 1));
        let amount = if amount.max < u64::from(width) {
            amount
        } else {
            let amount = self.atom(amount);
            let inside = value::compare(CompareOp::Lt, amount.clone(), last.clone());
            value::select(inside, amount, last)
        };
        let amount = self.atom(amount).to(Ty::W32);
        let ty = x.ty();
        let biased = value::xor(x, Val::constant(ty, g));
        value::sub(value::shr(biased, amount.clone()), value::shr(Val::constant(ty, g), amount))
    }

    fn divide(&mut self, op: BinaryOp, result: &Type, a: &core::Expr, b: &core::Expr) -> Val {
        let width = result.width();
        let (x, y) = (self.exact(a), self.exact(b));
        let ty = x.ty();
        let zero = Val::constant(ty, 0);
        let by_zero = |x: &Val| match op {
            BinaryOp::Div => Val::constant(ty, ones(width)),
            _ => x.clone(),
        };
        let apply = |x, y| if op == BinaryOp::Div { value::div(x, y) } else { value::rem(x, y) };
        let g = sign_bit(width);
        let signed = result.is_signed();
        if !signed || (x.max < g && y.max < g) {
            if y.as_const().is_some_and(|y| y != 0) {
                return apply(x, y);
            }
            let (x, y) = (self.atom(x), self.atom(y));
            let is_zero = value::compare(CompareOp::Eq, y.clone(), zero);
            return value::select(is_zero, by_zero(&x), apply(x, y));
        }
        let (x, y) = (self.atom(x), self.atom(y));
        let negative = |v: &Val| value::compare(CompareOp::Ge, v.clone(), Val::constant(ty, g));
        let magnitude = |v: &Val| {
            let negated = value::sub(Val::constant(ty, 0), v.clone()).mask(width);
            value::select(negative(v), negated, v.clone())
        };
        let (x_negative, y_negative) = (self.bool_atom(negative(&x)), negative(&y));
        let (mx, my) = (magnitude(&x), magnitude(&y));
        let my = self.atom(my);
        // A divisor of zero is replaced here and its result selected below: all is evaluated without branches.
        let nonzero = value::compare(CompareOp::Ne, my.clone(), zero.clone());
        let safe = value::select(nonzero.clone(), my, Val::constant(ty, 1));
        let quotient = apply(mx, safe);
        let quotient = self.atom(quotient);
        let negate = match op {
            BinaryOp::Div => bools_differ(x_negative, y_negative),
            _ => x_negative,
        };
        let signed_result = value::select(negate, value::sub(zero, quotient.clone()), quotient);
        value::select(nonzero, signed_result, by_zero(&x))
    }

    fn saturate(&mut self, to: &Type, a: &core::Expr, want: u32) -> Val {
        let ty = Ty::for_width(want);
        let ((lo, hi), (from_lo, from_hi)) = (to.range(), a.ty.range());
        let bound = |v: &Int| Val::constant(ty, pattern(v, want));
        if is_wide(&a.ty) {
            let id = self.typed_wide(a);
            let local = core::Expr { ty: a.ty.clone(), kind: ExprKind::Local(id) };
            let below =
                if from_lo < lo { self.compare_with(CompareOp::Lt, &local, &lo) } else { value::boolean(false) };
            let above =
                if from_hi > hi { self.compare_with(CompareOp::Gt, &local, &hi) } else { value::boolean(false) };
            let inside = self.extend(&local, want);
            let inside = self.atom(inside);
            return value::select(below, bound(&lo), value::select(above, bound(&hi), inside));
        }
        let width = a.ty.width();
        let x = self.exact(a);
        let x = self.atom(x);
        let g = if a.ty.is_signed() && x.max >= sign_bit(width) { sign_bit(width) } else { 0 };
        // The operand and the bounds, all moved up by g, compare as unsigned numbers.
        let biased = value::xor(x.clone(), Val::constant(x.ty(), g));
        let biased = if g != 0 && from_lo < lo && from_hi > hi { self.atom(biased) } else { biased };
        let moved = |v: &Int| Val::constant(x.ty(), pattern(&(v + &Int::from(g)), 64));
        let mut result = match a.ty.is_signed() && width < want {
            true => sign_extend(x.clone().to(ty), width),
            false => x.clone().to(ty),
        };
        if from_hi > hi {
            let above = value::compare(CompareOp::Gt, biased.clone(), moved(&hi));
            let high = bound(&hi);
            if g == 0 && want == to.width() {
                result.max = result.max.min(high.max);
            }
            result = value::select(above, high, result);
        }
        if from_lo < lo && g != 0 {
            let below = value::compare(CompareOp::Lt, biased, moved(&lo));
            result = value::select(below, bound(&lo), result);
        }
        result
    }

    fn bits(&mut self, a: &core::Expr, at: &core::Expr, want: u32, ty: Ty) -> Val {
        let width = a.ty.width();
        let at = self.amount(at);
        if let Some(n) = at.as_const() {
            if n >= u64::from(width) {
                return Val::constant(ty, 0);
            }
            let top = (n as u32 + want).min(width);
            if top <= 64 {
                let x = if top == width { self.exact(a) } else { self.low(a, top) };
                return value::shr(x, Val::constant(Ty::W32, n));
            }
        }
        if is_wide(&a.ty) {
            let src = self.wide(a);
            return self.wide_word(src, super::ir::limbs(width), at, ty, want);
        }
        let x = self.exact(a);
        self.checked_shift(Op::Shr, x, at)
    }

    fn cat(&mut self, parts: &[core::Expr], want: u32, ty: Ty) -> Val {
        let mut result = Val::constant(ty, 0);
        let mut at = 0;
        for part in parts.iter().rev() {
            let width = part.ty.width();
            let v = if at + width > want { self.low(part, want - at) } else { self.exact(part) };
            result = value::or(value::shl(v.to(ty), Val::constant(Ty::W32, u64::from(at))), result);
            at += width;
            if at >= want {
                break;
            }
        }
        result
    }

    /// An amount or position: exact, or clamped to a W32 if it is wide.
    pub fn amount(&mut self, e: &core::Expr) -> Val {
        if !is_wide(&e.ty) {
            return self.exact(e);
        }
        if let Some(v) = int_const(e) {
            return Val::constant(Ty::W32, v.to_u32().map_or(u64::from(u32::MAX), u64::from));
        }
        let src = self.wide(e);
        Val::new(Ty::W32, Kind::WideClamp(src, super::ir::limbs(e.ty.width())), u64::MAX)
    }

    /// One value out of two arms; arms with statements become the arms of an `If`.
    fn join_arms(
        &mut self,
        c: Expr,
        mut then: Vec<super::ir::Stmt>,
        x: Val,
        mut other: Vec<super::ir::Stmt>,
        y: Val,
    ) -> Val {
        use super::ir::Stmt;
        if then.is_empty() && other.is_empty() {
            return value::select(c, x, y);
        }
        let ty = if x.ty() == Ty::W64 { Ty::W64 } else { y.ty() };
        let (x, y) = (x.to(ty), y.to(ty));
        let id = self.undefined(ty);
        let max = x.max.max(y.max);
        then.push(Stmt::Assign(id, x.expr));
        other.push(Stmt::Assign(id, y.expr));
        self.emit_if(c, then, other);
        Val::new(ty, Kind::Local(id), max)
    }

    fn join_truths(
        &mut self,
        c: Expr,
        mut then: Vec<super::ir::Stmt>,
        x: Expr,
        mut other: Vec<super::ir::Stmt>,
        y: Expr,
    ) -> Expr {
        use super::ir::Stmt;
        if then.is_empty() && other.is_empty() {
            return value::select_bool(c, x, y);
        }
        let id = self.undefined(Ty::Bool);
        then.push(Stmt::Assign(id, x));
        other.push(Stmt::Assign(id, y));
        self.emit_if(c, then, other);
        Expr { ty: Ty::Bool, kind: Kind::Local(id) }
    }

    /// A truth value: the expression is a bool, or an integer of which bit 0 counts.
    pub fn truth(&mut self, e: &core::Expr) -> Expr {
        let leaf = |kind| Expr { ty: Ty::Bool, kind };
        let is_bool = e.ty == Type::Bool;
        match &e.kind {
            ExprKind::Const(v) => value::boolean(!v.int().and(&Int::ONE).is_zero()),
            ExprKind::Local(id) if is_bool => leaf(Kind::Local(self.local(*id))),
            ExprKind::State(id) if is_bool => leaf(Kind::Field(*id)),
            ExprKind::Index(..) if is_bool => self.bool_element(e),
            ExprKind::Call(id, args) if is_bool => {
                let args = self.call_args(args);
                leaf(Kind::Call(*id, args))
            }
            ExprKind::Unary(UnaryOp::LogicalNot | UnaryOp::Not, a) if is_bool => {
                let a = self.truth(a);
                value::logical_not(a)
            }
            ExprKind::Select(c, a, b) if is_bool => {
                let c = self.truth(c);
                let (then, x) = self.capture(|l| l.truth(a));
                let (other, y) = self.capture(|l| l.truth(b));
                self.join_truths(c, then, x, other, y)
            }
            ExprKind::Binary(op, a, b) => self.binary_truth(e, *op, a, b),
            ExprKind::Convert(a) if is_bool && a.ty == Type::Bool => self.truth(a),
            ExprKind::Convert(a) if is_bool => self.odd(a),
            _ if is_bool => value::boolean(false),
            _ => self.odd(e),
        }
    }

    fn odd(&mut self, e: &core::Expr) -> Expr {
        let low = self.low(e, 1).mask(1);
        value::compare(CompareOp::Ne, low.clone(), Val::constant(low.ty(), 0))
    }

    fn binary_truth(&mut self, e: &core::Expr, op: BinaryOp, a: &core::Expr, b: &core::Expr) -> Expr {
        use BinaryOp::*;
        match op {
            Eq => self.compare(CompareOp::Eq, a, b),
            Ne => self.compare(CompareOp::Ne, a, b),
            Lt => self.compare(CompareOp::Lt, a, b),
            Le => self.compare(CompareOp::Le, a, b),
            Gt => self.compare(CompareOp::Gt, a, b),
            Ge => self.compare(CompareOp::Ge, a, b),
            LogicalAnd | LogicalOr => {
                let x = self.truth(a);
                let (more, y) = self.capture(|l| l.truth(b));
                match op {
                    LogicalAnd => self.join_truths(x, more, y, Vec::new(), value::boolean(false)),
                    _ => self.join_truths(x, Vec::new(), value::boolean(true), more, y),
                }
            }
            And | Min | Mul if e.ty == Type::Bool => {
                let (x, y) = (self.truth(a), self.truth(b));
                value::logical_and(x, y)
            }
            Or | Max if e.ty == Type::Bool => {
                let (x, y) = (self.truth(a), self.truth(b));
                value::logical_or(x, y)
            }
            Xor | Add | Sub if e.ty == Type::Bool => {
                let (x, y) = (self.truth(a), self.truth(b));
                bools_differ(x, y)
            }
            _ if e.ty == Type::Bool => value::boolean(false),
            _ => self.odd(e),
        }
    }

    /// Compares an expression with a number of any size.
    pub fn compare_with(&mut self, op: CompareOp, a: &core::Expr, v: &Int) -> Expr {
        let constant = core::Expr { ty: Type::smallest(v, v), kind: ExprKind::Const(Value::Int(v.clone())) };
        self.compare(op, a, &constant)
    }

    /// Compares two scalars as numbers.
    pub fn compare(&mut self, op: CompareOp, a: &core::Expr, b: &core::Expr) -> Expr {
        if a.ty == Type::Bool && b.ty == Type::Bool && matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let (x, y) = (self.truth(a), self.truth(b));
            let differ = bools_differ(x, y);
            return if op == CompareOp::Ne { differ } else { value::logical_not(differ) };
        }
        let (ta, tb) = common_types(a, b);
        let signed = ta.is_signed() || tb.is_signed();
        let width = |t: &Type| t.width() + u32::from(signed && !t.is_signed());
        let n = width(&ta).max(width(&tb));
        if n > 64 {
            return self.wide_compare(op, a, b, n, signed);
        }
        if !signed || (!self.may_be_negative(a) && !self.may_be_negative(b)) {
            let (x, y) = (self.operand(a, &ta), self.operand(b, &tb));
            return value::compare(op, x, y);
        }
        if matches!(op, CompareOp::Eq | CompareOp::Ne) && ta.width() == tb.width() && ta.is_signed() == tb.is_signed() {
            let (x, y) = (self.operand(a, &ta), self.operand(b, &tb));
            return value::compare(op, x, y);
        }
        let (x, y) = (self.biased(a, &ta, n), self.biased(b, &tb, n));
        value::compare(op, x, y)
    }

    fn may_be_negative(&self, e: &core::Expr) -> bool {
        match int_const(e) {
            Some(v) => v.is_negative(),
            None => e.ty.is_signed(),
        }
    }

    /// The pattern of an operand, a constant in the type of the other side.
    fn operand(&mut self, e: &core::Expr, ty: &Type) -> Val {
        match int_const(e) {
            Some(v) => Val::constant(Ty::for_width(ty.width()), pattern(v, ty.width())),
            None => self.exact(e),
        }
    }

    /// The value plus 2^(n-1), which is never negative.
    fn biased(&mut self, e: &core::Expr, ty: &Type, n: u32) -> Val {
        let word = Ty::for_width(n);
        let bias = sign_bit(n);
        if let Some(v) = int_const(e) {
            return Val::constant(word, pattern(&(v + &Int::from(bias)), 64));
        }
        let x = self.exact(e).to(word);
        if !ty.is_signed() {
            return value::add(x, Val::constant(word, bias));
        }
        let g = sign_bit(ty.width());
        value::add(value::xor(x, Val::constant(word, g)), Val::constant(word, bias - g))
    }

    /// The arguments of a call.
    pub fn call_args(&mut self, args: &[core::Expr]) -> Vec<super::ir::CallArg> {
        use super::ir::CallArg;
        args.iter()
            .map(
                |arg| {
                    if in_memory(&arg.ty) { CallArg::Array(self.slice(arg)) } else { CallArg::Value(self.scalar(arg)) }
                },
            )
            .collect()
    }

    /// A scalar that is not wide, in its own type: a bool or an exact word.
    pub fn scalar(&mut self, e: &core::Expr) -> Expr {
        if e.ty == Type::Bool { self.truth(e) } else { self.exact(e).to(scalar_ty(&e.ty)).expr }
    }
}

/// `a != b` of two bools.
pub fn bools_differ(a: Expr, b: Expr) -> Expr {
    match (a.as_const(), b.as_const()) {
        (Some(0), _) => b,
        (Some(_), _) => value::logical_not(b),
        (_, Some(0)) => a,
        (_, Some(_)) => value::logical_not(a),
        _ if a == b => value::boolean(false),
        _ => Expr { ty: Ty::Bool, kind: Kind::Compare(CompareOp::Ne, Box::new(a), Box::new(b)) },
    }
}

/// The types two sides are compared in: a constant takes the other side's type if that holds it.
pub fn common_types(a: &core::Expr, b: &core::Expr) -> (Type, Type) {
    let holds = |ty: &Type, v: &Int| {
        let (lo, hi) = ty.range();
        *v >= lo && *v <= hi
    };
    match (int_const(a), int_const(b)) {
        (Some(v), None) if holds(&b.ty, v) => (b.ty.clone(), b.ty.clone()),
        (None, Some(v)) if holds(&a.ty, v) => (a.ty.clone(), a.ty.clone()),
        _ => (a.ty.clone(), b.ty.clone()),
    }
}

/// A pattern of `width` bits as a signed value in the whole word.
pub fn sign_extend(v: Val, width: u32) -> Val {
    let (ty, v) = (v.ty(), v.mask(width));
    if width >= ty.bits() || v.max < sign_bit(width) {
        return v;
    }
    match v.as_const() {
        Some(c) => Val::constant(ty, (c ^ sign_bit(width)).wrapping_sub(sign_bit(width))),
        None => Val::new(ty, Kind::SignExtend(Box::new(v.expr), width), u64::MAX),
    }
}

/// `a < b` where both are moved by the sign bit `g`; 0 for unsigned.
fn less(a: Val, b: Val, g: u64) -> Expr {
    let ty = a.ty();
    let g = if a.max < g && b.max < g { 0 } else { g };
    value::compare(CompareOp::Lt, value::xor(a, Val::constant(ty, g)), value::xor(b, Val::constant(ty, g)))
}
