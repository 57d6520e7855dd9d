//! Lowers values wider than 64 bits to operations on runs of limbs.

use super::array::word;
use super::ir::{Base, CompareOp, Expr, ExprKind as Kind, Slice, Stmt, Storage, Ty, WideOp, limbs};
use super::lowerer::{Lowerer, is_wide};
use super::scalar::{bools_differ, int_const};
use super::value::{self, Val};
use crate::contract::core::{self, BinaryOp, ExprKind, LocalId, Type, UnaryOp};
use crate::int::Int;

impl Lowerer<'_> {
    fn wide_temp(&mut self, limbs: u32) -> Slice {
        self.temp_array(Storage::U32, limbs)
    }

    /// A new wide value.
    fn wide_op(&mut self, limbs: u32, op: WideOp) -> Slice {
        let dst = self.wide_temp(limbs);
        self.emit(Stmt::Wide { dst: dst.clone(), limbs, op });
        dst
    }

    /// The same with the bits from `width` up cleared.
    fn wide_op_masked(&mut self, width: u32, op: WideOp) -> Slice {
        let dst = self.wide_op(limbs(width), op);
        self.wide_mask(dst, width)
    }

    fn wide_mask(&mut self, dst: Slice, width: u32) -> Slice {
        if !width.is_multiple_of(32) {
            self.emit(Stmt::Wide { dst: dst.clone(), limbs: limbs(width), op: WideOp::Mask(width) });
        }
        dst
    }

    /// The limbs of a constant.
    fn wide_const(&mut self, v: &Int, width: u32) -> Slice {
        let values = v.wrap(width, false).limbs32(limbs(width) as usize).into_iter().map(u64::from).collect();
        Slice::start(Base::Table(self.tables.unnamed(Storage::U32, values)))
    }

    /// The word that starts at a bit; 0 beyond the top.
    pub fn wide_word(&mut self, src: Slice, limbs: u32, at: Val, ty: Ty, want: u32) -> Val {
        let at = self.clamp(at);
        let max = if at.as_const().is_some_and(|at| at + u64::from(want) >= u64::from(32 * limbs)) {
            super::ir::ones(want)
        } else {
            u64::MAX
        };
        Val::new(ty, Kind::WideWord { src, limbs, at: Box::new(at.expr) }, max)
    }

    /// An amount as a W32; the greatest one if it does not fit.
    fn clamp(&mut self, amount: Val) -> Val {
        let most = u64::from(u32::MAX);
        if amount.max <= most {
            return amount.to(Ty::W32);
        }
        let amount = self.atom(amount);
        let fits = value::compare(CompareOp::Lt, amount.clone(), Val::constant(Ty::W64, most));
        value::select(fits, amount.to(Ty::W32), word(most))
    }

    /// One bit of a wide value.
    fn wide_bit(&mut self, src: &Slice, limbs: u32, bit: u32) -> Expr {
        let v = self.wide_word(src.clone(), limbs, word(u64::from(bit)), Ty::W32, 32);
        value::compare(CompareOp::Ne, value::and(v, word(1)), word(0))
    }

    /// A wide expression as a typed local, so that typed nodes can use it more than once.
    pub fn typed_wide(&mut self, e: &core::Expr) -> LocalId {
        if let ExprKind::Local(id) = e.kind {
            return id;
        }
        let id = self.typed_temp(e.ty.clone());
        self.begin(id, e);
        id
    }

    /// Where a wide value lies; its pattern is exact.
    pub fn wide(&mut self, e: &core::Expr) -> Slice {
        match &e.kind {
            ExprKind::Const(v) => self.wide_const(&v.int(), e.ty.width()),
            ExprKind::Local(_) | ExprKind::State(_) | ExprKind::Index(..) => self.slice(e),
            _ => self.wide_low(e, e.ty.width()),
        }
    }

    /// Puts a wide value at a run of elements that it does not mention.
    pub fn wide_into(&mut self, e: &core::Expr, dst: Slice) {
        let len = limbs(e.ty.width());
        if let ExprKind::Call(id, args) = &e.kind {
            let args = self.call_args(args);
            return self.emit(Stmt::CallInto(*id, args, dst));
        }
        let src = self.wide(e);
        self.emit(Stmt::Copy { dst, src, len });
    }

    /// The low `want` bits of a wide expression, exactly; `want` is above 64 and at most its width.
    fn wide_low(&mut self, e: &core::Expr, want: u32) -> Slice {
        let width = e.ty.width();
        let n = limbs(want);
        match &e.kind {
            ExprKind::Const(v) => self.wide_const(&v.int(), want),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.wide_extend(a, want);
                let zero = self.wide_const(&Int::ZERO, want);
                self.wide_op_masked(want, WideOp::Sub(zero, a))
            }
            ExprKind::Unary(_, a) => {
                let a = self.wide_extend(a, want);
                self.wide_op_masked(want, WideOp::Not(a))
            }
            ExprKind::Convert(a) => self.wide_extend(a, want),
            ExprKind::Saturate(a) => self.wide_saturate(&e.ty, a, want),
            ExprKind::Binary(op, a, b) => self.wide_binary(e, *op, a, b, want),
            ExprKind::Select(c, a, b) => {
                let c = self.truth(c);
                let dst = self.wide_temp(n);
                let mut arm = |e: &core::Expr| {
                    let (block, ()) = self.capture(|l| {
                        let src = l.wide_extend(e, want);
                        l.emit(Stmt::Copy { dst: dst.clone(), src, len: n });
                    });
                    block
                };
                let (then, other) = (arm(a), arm(b));
                self.emit_if(c, then, other);
                dst
            }
            ExprKind::Bits(a, at) => {
                let at = self.amount(at);
                let at = self.clamp(at);
                let whole = a.ty.width().max(want);
                let unsigned = core::Expr { ty: Type::U(a.ty.width()), kind: ExprKind::Convert(a.clone()) };
                let src = self.wide_extend(&unsigned, whole);
                let shifted = self.wide_op(limbs(whole), WideOp::Shr(src, at.expr));
                self.wide_cut(shifted, whole, want)
            }
            ExprKind::Cat(parts) => {
                let mut parts = parts.iter().rev();
                let Some(lowest) = parts.next() else { return self.wide_const(&Int::ZERO, want) };
                let mut at = lowest.ty.width().max(1);
                let only = self.wide_piece(lowest, want, 0);
                if at >= want || parts.len() == 0 {
                    // One part alone is exact already, and may be a constant or somebody's variable.
                    return only;
                }
                let mut low = only;
                for part in parts {
                    if at >= want {
                        break;
                    }
                    let piece = self.wide_piece(part, want, at);
                    low = self.wide_op(n, WideOp::Or(piece, low));
                    at += part.ty.width().max(1);
                }
                self.wide_mask(low, want)
            }
            ExprKind::Rep(a, count) => {
                // The pattern times the constant with a one at the start of each copy.
                let part = a.ty.width().max(1);
                let unsigned = core::Expr { ty: Type::U(part), kind: ExprKind::Convert(a.clone()) };
                let ones = (0..*count).map(|k| k.saturating_mul(part)).take_while(|&at| at < want);
                let copies = ones.fold(Int::ZERO, |sum, at| &sum + &Int::pow2(at));
                let (a, copies) = (self.wide_extend(&unsigned, want), self.wide_const(&copies, want));
                self.wide_op_masked(want, WideOp::Mul(a, copies))
            }
            ExprKind::Join(a) => self.wide_join(a, want),
            ExprKind::Call(id, args) => {
                let args = self.call_args(args);
                let dst = self.wide_temp(limbs(width));
                self.emit(Stmt::CallInto(*id, args, dst.clone()));
                self.wide_cut(dst, width, want)
            }
            ExprKind::Local(_) | ExprKind::State(_) | ExprKind::Index(..) => {
                let src = self.slice(e);
                self.wide_cut(src, width, want)
            }
            _ => self.wide_const(&Int::ZERO, want),
        }
    }

    /// The low `want` bits of a value of `width` bits.
    fn wide_cut(&mut self, src: Slice, width: u32, want: u32) -> Slice {
        if width == want {
            return src;
        }
        let dst = self.wide_op(limbs(want), WideOp::Resize(src, limbs(width)));
        self.wide_mask(dst, want)
    }

    /// A part of a `cat`: its pattern, shifted left.
    fn wide_piece(&mut self, part: &core::Expr, want: u32, by: u32) -> Slice {
        let unsigned = core::Expr { ty: Type::U(part.ty.width()), kind: ExprKind::Convert(Box::new(part.clone())) };
        let src = self.wide_extend(&unsigned, want);
        if by == 0 {
            return src;
        }
        self.wide_op(limbs(want), WideOp::Shl(src, word(u64::from(by)).expr))
    }

    /// The value of any expression in exactly `want` bits, more than 64: extended by its sign kind, or cut.
    pub fn wide_extend(&mut self, e: &core::Expr, want: u32) -> Slice {
        let width = e.ty.width();
        if let Some(v) = int_const(e) {
            return self.wide_const(v, want);
        }
        if width >= want {
            return if width == want { self.wide(e) } else { self.wide_low(e, want) };
        }
        let n = limbs(want);
        let dst = if is_wide(&e.ty) {
            let src = self.wide(e);
            if limbs(width) == n && !e.ty.is_signed() {
                return src;
            }
            self.wide_op(n, WideOp::Resize(src, limbs(width)))
        } else {
            let v = self.exact(e);
            self.wide_op(n, WideOp::Word(v.expr))
        };
        if e.ty.is_signed() {
            self.emit(Stmt::Wide { dst: dst.clone(), limbs: n, op: WideOp::SignExtend(width) });
            return self.wide_mask(dst, want);
        }
        dst
    }

    fn wide_binary(&mut self, e: &core::Expr, op: BinaryOp, a: &core::Expr, b: &core::Expr, want: u32) -> Slice {
        let width = e.ty.width();
        let n = limbs(want);
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let (x, y) = (self.wide_extend(a, want), self.wide_extend(b, want));
                match op {
                    BinaryOp::Add => self.wide_op_masked(want, WideOp::Add(x, y)),
                    BinaryOp::Sub => self.wide_op_masked(want, WideOp::Sub(x, y)),
                    BinaryOp::Mul => self.wide_op_masked(want, WideOp::Mul(x, y)),
                    BinaryOp::And => self.wide_op(n, WideOp::And(x, y)),
                    BinaryOp::Or => self.wide_op(n, WideOp::Or(x, y)),
                    _ => self.wide_op(n, WideOp::Xor(x, y)),
                }
            }
            BinaryOp::Shl => {
                let x = self.wide_extend(a, want);
                let amount = self.amount(b);
                let amount = self.clamp(amount);
                self.wide_op_masked(want, WideOp::Shl(x, amount.expr))
            }
            BinaryOp::Shr => {
                let x = self.wide_extend(a, width);
                let amount = self.amount(b);
                let amount = self.clamp(amount);
                let amount = self.atom(amount);
                let shifted = self.wide_op(limbs(width), WideOp::Shr(x.clone(), amount.expr.clone()));
                if e.ty.is_signed() {
                    let sign = self.wide_bit(&x, limbs(width), width - 1);
                    let (then, ()) = self.capture(|l| {
                        // The ones that a shift of all ones loses are those that come in at the top.
                        let all = l.wide_const(&Int::ones(width), width);
                        let kept = l.wide_op(limbs(width), WideOp::Shr(all.clone(), amount.expr));
                        let came_in = l.wide_op(limbs(width), WideOp::Xor(all, kept));
                        let filled = l.wide_op(limbs(width), WideOp::Or(shifted.clone(), came_in));
                        l.emit(Stmt::Copy { dst: shifted.clone(), src: filled, len: limbs(width) });
                    });
                    self.emit_if(sign, then, Vec::new());
                }
                self.wide_cut(shifted, width, want)
            }
            BinaryOp::Min | BinaryOp::Max => {
                let (ta, tb) = (self.typed_wide(a), self.typed_wide(b));
                let [x, y] =
                    [(ta, &a.ty), (tb, &b.ty)].map(|(id, ty)| core::Expr { ty: ty.clone(), kind: ExprKind::Local(id) });
                let less = self.compare(CompareOp::Lt, &x, &y);
                let (x, y) = (self.wide_extend(&x, want), self.wide_extend(&y, want));
                let (first, second) = if op == BinaryOp::Min { (x, y) } else { (y, x) };
                let dst = self.wide_temp(n);
                let (then, ()) = self.capture(|l| l.emit(Stmt::Copy { dst: dst.clone(), src: first, len: n }));
                let (other, ()) = self.capture(|l| l.emit(Stmt::Copy { dst: dst.clone(), src: second, len: n }));
                self.emit_if(less, then, other);
                dst
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let result = self.wide_divide(op, &e.ty, a, b);
                self.wide_cut(result, width, want)
            }
            _ => {
                let truth = self.truth(e);
                let v = value::from_bool(Ty::W32, truth);
                self.wide_op(n, WideOp::Word(v.expr))
            }
        }
    }

    fn wide_divide(&mut self, op: BinaryOp, ty: &Type, a: &core::Expr, b: &core::Expr) -> Slice {
        let width = ty.width();
        let n = limbs(width);
        let (x, y) = (self.wide_extend(a, width), self.wide_extend(b, width));
        let apply = |x, y| if op == BinaryOp::Div { WideOp::Div(x, y) } else { WideOp::Rem(x, y) };
        if !ty.is_signed() {
            return self.wide_op_masked(width, apply(x, y));
        }
        let x_negative = self.wide_bit(&x, n, width - 1);
        let y_negative = self.wide_bit(&y, n, width - 1);
        let (x_negative, y_negative) = (self.bool_atom(x_negative), self.bool_atom(y_negative));
        let mx = self.wide_negate_if(x_negative.clone(), x.clone(), width);
        let my = self.wide_negate_if(y_negative.clone(), y.clone(), width);
        let magnitude = self.wide_op(n, apply(mx, my));
        let zero = self.wide_const(&Int::ZERO, width);
        let by_zero = Expr { ty: Ty::Bool, kind: Kind::WideEqual(y, zero, n) };
        // A zero divisor already gives what it must: all ones, never negated, or the dividend with its own sign.
        let negate = match op {
            BinaryOp::Div => value::logical_and(value::logical_not(by_zero), bools_differ(x_negative, y_negative)),
            _ => x_negative,
        };
        let result = self.wide_negate_if(negate, magnitude, width);
        self.wide_mask(result, width)
    }

    fn wide_negate_if(&mut self, c: Expr, x: Slice, width: u32) -> Slice {
        let n = limbs(width);
        let dst = self.wide_temp(n);
        let zero = self.wide_const(&Int::ZERO, width);
        let (then, ()) = self.capture(|l| {
            l.emit(Stmt::Wide { dst: dst.clone(), limbs: n, op: WideOp::Sub(zero, x.clone()) });
            l.wide_mask(dst.clone(), width);
        });
        let (other, ()) = self.capture(|l| l.emit(Stmt::Copy { dst: dst.clone(), src: x, len: n }));
        self.emit_if(c, then, other);
        dst
    }

    fn wide_saturate(&mut self, to: &Type, a: &core::Expr, want: u32) -> Slice {
        let ((lo, hi), (from_lo, from_hi)) = (to.range(), a.ty.range());
        let id = self.typed_temp(a.ty.clone());
        self.begin(id, a);
        let a = core::Expr { ty: a.ty.clone(), kind: ExprKind::Local(id) };
        let n = limbs(want);
        let dst = self.wide_temp(n);
        let src = self.wide_extend(&a, want);
        self.emit(Stmt::Copy { dst: dst.clone(), src, len: n });
        for (outside, bound, op) in [(from_lo < lo, &lo, CompareOp::Lt), (from_hi > hi, &hi, CompareOp::Gt)] {
            if outside {
                let beyond = self.compare_with(op, &a, bound);
                let src = self.wide_const(bound, want);
                let (then, ()) = self.capture(|l| l.emit(Stmt::Copy { dst: dst.clone(), src, len: n }));
                self.emit_if(beyond, then, Vec::new());
            }
        }
        dst
    }

    fn wide_join(&mut self, a: &core::Expr, want: u32) -> Slice {
        let Type::Array { len, elem } = &a.ty else { return self.wide_const(&Int::ZERO, want) };
        let n = limbs(want);
        let part = elem.width().max(1);
        let id = self.typed_temp(a.ty.clone());
        self.begin(id, a);
        let array = core::Expr { ty: a.ty.clone(), kind: ExprKind::Local(id) };
        let dst = self.wide_temp(n);
        self.emit(Stmt::Fill { dst: dst.clone(), len: n, value: word(0).expr });
        // Elements that start beyond what is wanted stay out.
        self.repeat((*len).min(want.div_ceil(part)), |l, k| {
            let index = l.typed_index(k.clone());
            let item = core::Expr { ty: (**elem).clone(), kind: ExprKind::Index(Box::new(array), Box::new(index)) };
            let piece = l.wide_piece(&item, want, 0);
            let by = value::mul(k, word(u64::from(part)));
            let moved = l.wide_op(n, WideOp::Shl(piece, by.expr));
            let sum = l.wide_op(n, WideOp::Or(dst.clone(), moved));
            l.emit(Stmt::Copy { dst: dst.clone(), src: sum, len: n });
        });
        self.wide_mask(dst, want)
    }

    /// Compares two numbers, both extended to `width` bits.
    pub fn wide_compare(&mut self, op: CompareOp, a: &core::Expr, b: &core::Expr, width: u32, signed: bool) -> Expr {
        let n = limbs(width);
        let (x, y) = (self.wide_extend(a, width), self.wide_extend(b, width));
        let equal = |x, y| Expr { ty: Ty::Bool, kind: Kind::WideEqual(x, y, n) };
        let (x, y) = match op {
            CompareOp::Eq => return equal(x, y),
            CompareOp::Ne => return value::logical_not(equal(x, y)),
            CompareOp::Lt | CompareOp::Ge => (x, y),
            CompareOp::Gt | CompareOp::Le => (y, x),
        };
        let mut less = Expr { ty: Ty::Bool, kind: Kind::WideLess(x.clone(), y.clone(), n) };
        if signed {
            // Of two numbers with different signs the negative one, whose pattern is greater, is less.
            let x_negative = self.wide_bit(&x, n, width - 1);
            let y_negative = self.wide_bit(&y, n, width - 1);
            less = bools_differ(less, bools_differ(x_negative, y_negative));
        }
        if matches!(op, CompareOp::Lt | CompareOp::Gt) { less } else { value::logical_not(less) }
    }

    /// Replaces `width` bits of a wide value from a position; bits beyond the top are dropped.
    pub fn wide_insert(&mut self, old: Slice, total: u32, at: &core::Expr, width: u32, v: &core::Expr) -> Slice {
        let at = self.amount(at);
        let at = self.clamp(at);
        let at = self.atom(at).expr;
        let whole = total.max(width).max(65);
        let n = limbs(whole);
        let mask = self.wide_const(&Int::ones(width), whole);
        let unsigned = core::Expr { ty: Type::U(width), kind: ExprKind::Convert(Box::new(v.clone())) };
        let value = self.wide_extend(&unsigned, whole);
        let mask = self.wide_op(n, WideOp::Shl(mask, at.clone()));
        let keep = self.wide_op(n, WideOp::Not(mask));
        let old = if limbs(total) == n { old } else { self.wide_op(n, WideOp::Resize(old, limbs(total))) };
        let kept = self.wide_op(n, WideOp::And(old, keep));
        let moved = self.wide_op(n, WideOp::Shl(value, at));
        let all = self.wide_op(n, WideOp::Or(kept, moved));
        let cut = if limbs(total) == n { all } else { self.wide_op(limbs(total), WideOp::Resize(all, n)) };
        self.wide_mask(cut, total)
    }
}
