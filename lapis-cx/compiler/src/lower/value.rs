//! Words with a bound, and constructors that fold constants and drop work that the bound shows to be useless.

use super::ir::{BinaryOp, CompareOp, Expr, ExprKind, Ty, ones};

/// A word expression and the greatest value it can have.
#[derive(Clone, Debug)]
pub struct Val {
    /// The expression: a W32 or a W64.
    pub expr: Expr,
    /// An inclusive bound.
    pub max: u64,
}

impl Val {
    /// An expression of which nothing is known but its type and this bound.
    pub fn new(ty: Ty, kind: ExprKind, max: u64) -> Val {
        Val { expr: Expr { ty, kind }, max: max.min(ty.max()) }
    }

    /// A constant.
    pub fn constant(ty: Ty, v: u64) -> Val {
        let v = v & ty.max();
        Val { expr: Expr::constant(ty, v), max: v }
    }

    /// The value of a constant.
    pub fn as_const(&self) -> Option<u64> {
        self.expr.as_const()
    }

    /// The word it lies in.
    pub fn ty(&self) -> Ty {
        self.expr.ty
    }

    /// In another word: zero-extended or cut.
    pub fn to(self, ty: Ty) -> Val {
        if self.ty() == ty {
            return self;
        }
        if let Some(v) = self.as_const() {
            return Val::constant(ty, v);
        }
        let max = if self.max <= ty.max() { self.max } else { ty.max() };
        match self.expr.kind {
            // Cutting what was extended gives back the original; extending what was cut does not.
            ExprKind::Convert(inner) if inner.ty == ty && ty == Ty::W32 => Val { expr: *inner, max },
            ExprKind::Convert(inner) if inner.ty == Ty::Bool => Val::new(ty, ExprKind::Convert(inner), 1),
            _ => Val::new(ty, ExprKind::Convert(Box::new(self.expr)), max),
        }
    }

    /// The low `width` bits, the others cleared.
    pub fn mask(self, width: u32) -> Val {
        if self.max <= ones(width) {
            return self;
        }
        let mask = Val::constant(self.ty(), ones(width));
        and(self, mask)
    }
}

fn binary(op: BinaryOp, a: Val, b: Val, max: u64) -> Val {
    let ty = a.ty();
    Val::new(ty, ExprKind::Binary(op, Box::new(a.expr), Box::new(b.expr)), max)
}

/// The two in one word, the wider one.
fn unify(a: Val, b: Val) -> (Val, Val) {
    let ty = if a.ty() == Ty::W64 || b.ty() == Ty::W64 { Ty::W64 } else { Ty::W32 };
    (a.to(ty), b.to(ty))
}

/// All bits up to the highest one that `max` can have.
fn fill(max: u64) -> u64 {
    ones(64 - max.leading_zeros())
}

/// Sum modulo 2^width of the word.
pub fn add(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    let ty = a.ty();
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => return Val::constant(ty, x.wrapping_add(y)),
        (_, Some(0)) => return a,
        (Some(0), _) => return b,
        _ => {}
    }
    let max = a.max.checked_add(b.max).filter(|&m| m <= ty.max()).unwrap_or(ty.max());
    binary(BinaryOp::Add, a, b, max)
}

/// Difference modulo 2^width of the word.
pub fn sub(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    let ty = a.ty();
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => return Val::constant(ty, x.wrapping_sub(y)),
        (_, Some(0)) => return a,
        _ => {}
    }
    binary(BinaryOp::Sub, a, b, ty.max())
}

/// Product modulo 2^width of the word.
pub fn mul(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    let ty = a.ty();
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => return Val::constant(ty, x.wrapping_mul(y)),
        (_, Some(0)) | (Some(0), _) => return Val::constant(ty, 0),
        (_, Some(1)) => return a,
        (Some(1), _) => return b,
        _ => {}
    }
    let max = a.max.checked_mul(b.max).filter(|&m| m <= ty.max()).unwrap_or(ty.max());
    binary(BinaryOp::Mul, a, b, max)
}

/// Quotient; the divisor is not zero.
pub fn div(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) if y != 0 => return Val::constant(a.ty(), x / y),
        (_, Some(1)) => return a,
        (_, Some(y)) if a.max < y => return Val::constant(a.ty(), 0),
        _ => {}
    }
    let max = b.as_const().and_then(|y| a.max.checked_div(y)).unwrap_or(a.max);
    binary(BinaryOp::Div, a, b, max)
}

/// Remainder; the divisor is not zero.
pub fn rem(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) if y != 0 => return Val::constant(a.ty(), x % y),
        (_, Some(1)) => return Val::constant(a.ty(), 0),
        (_, Some(y)) if a.max < y => return a,
        _ => {}
    }
    let max = a.max.min(b.max.saturating_sub(1));
    binary(BinaryOp::Rem, a, b, max)
}

/// Bitwise and.
pub fn and(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    let ty = a.ty();
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => return Val::constant(ty, x & y),
        (_, Some(0)) | (Some(0), _) => return Val::constant(ty, 0),
        (_, Some(y)) if fill(a.max) & y == fill(a.max) => return a,
        (Some(x), _) if fill(b.max) & x == fill(b.max) => return b,
        // C compilers take `x &= x` for a mistake.
        _ if a.expr == b.expr => return a,
        _ => {}
    }
    let max = a.max.min(b.max);
    binary(BinaryOp::And, a, b, max)
}

/// Bitwise or.
pub fn or(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => return Val::constant(a.ty(), x | y),
        (_, Some(0)) => return a,
        (Some(0), _) => return b,
        _ if a.expr == b.expr => return a,
        _ => {}
    }
    let max = fill(a.max | b.max);
    binary(BinaryOp::Or, a, b, max)
}

/// Bitwise exclusive or.
pub fn xor(a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => return Val::constant(a.ty(), x ^ y),
        (_, Some(0)) => return a,
        (Some(0), _) => return b,
        _ => {}
    }
    let max = fill(a.max | b.max);
    binary(BinaryOp::Xor, a, b, max)
}

/// All bits of the word inverted.
pub fn not(a: Val) -> Val {
    let ty = a.ty();
    match a.as_const() {
        Some(v) => Val::constant(ty, !v),
        // C compilers take the complement of a truth value for a mistake.
        None if matches!(&a.expr.kind, ExprKind::Convert(inner) if inner.ty == Ty::Bool) => {
            xor(a, Val::constant(ty, ty.max()))
        }
        None => Val::new(ty, ExprKind::Not(Box::new(a.expr)), ty.max()),
    }
}

/// Left shift by less than the width of the word.
pub fn shl(a: Val, amount: Val) -> Val {
    let ty = a.ty();
    match (a.as_const(), amount.as_const()) {
        (_, Some(0)) => return a,
        (Some(0), _) => return a,
        (Some(x), Some(n)) if n < u64::from(ty.bits()) => return Val::constant(ty, x << n),
        _ => {}
    }
    let max = amount.as_const().filter(|&n| n < 64 && a.max <= ty.max() >> n).map_or(ty.max(), |n| a.max << n);
    binary(BinaryOp::Shl, a, amount.to(Ty::W32), max)
}

/// Right shift with zeros by less than the width of the word.
pub fn shr(a: Val, amount: Val) -> Val {
    let ty = a.ty();
    match (a.as_const(), amount.as_const()) {
        (_, Some(0)) => return a,
        (Some(0), _) => return a,
        (Some(x), Some(n)) if n < u64::from(ty.bits()) => return Val::constant(ty, x >> n),
        (_, Some(n)) if n < 64 && a.max >> n == 0 => return Val::constant(ty, 0),
        _ => {}
    }
    let max = amount.as_const().filter(|&n| n < 64).map_or(a.max, |n| a.max >> n);
    binary(BinaryOp::Shr, a, amount.to(Ty::W32), max)
}

/// A constant bool.
pub fn boolean(v: bool) -> Expr {
    Expr::constant(Ty::Bool, u64::from(v))
}

/// Whether a mask, or bits that are always set, show that a word never has this value.
fn cannot_be(e: &Expr, v: u64) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => [a, b].iter().any(|x| x.as_const().is_some_and(|m| v & !m != 0)),
        ExprKind::Binary(BinaryOp::Or, a, b) => [a, b].iter().any(|x| x.as_const().is_some_and(|m| m & !v != 0)),
        _ => false,
    }
}

/// Compares as unsigned numbers.
pub fn compare(op: CompareOp, a: Val, b: Val) -> Expr {
    use CompareOp::*;
    let (a, b) = unify(a, b);
    if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
        return boolean(match op {
            Eq => x == y,
            Ne => x != y,
            Lt => x < y,
            Le => x <= y,
            Gt => x > y,
            Ge => x >= y,
        });
    }
    // `a <= 0` says `a == 0`, and so on: what is left of a comparison with zero.
    let op = match (op, b.as_const()) {
        (Le, Some(0)) => Eq,
        (Gt, Some(0)) => Ne,
        _ => op,
    };
    // Comparisons that are decided would be warnings in most targets.
    let decided = match (op, a.as_const(), b.as_const()) {
        _ if a.expr == b.expr => Some(matches!(op, Eq | Le | Ge)),
        (Eq | Ne, _, Some(y)) if cannot_be(&a.expr, y) => Some(op == Ne),
        (Eq | Ne, Some(x), _) if cannot_be(&b.expr, x) => Some(op == Ne),
        (Lt, _, Some(y)) if a.max < y => Some(true),
        (Lt, _, Some(0)) => Some(false),
        (Le, _, Some(y)) if a.max <= y => Some(true),
        (Gt, _, Some(y)) if a.max <= y => Some(false),
        (Ge, _, Some(0)) => Some(true),
        (Ge, _, Some(y)) if a.max < y => Some(false),
        (Lt, Some(x), _) if b.max <= x => Some(false),
        (Le, Some(0), _) => Some(true),
        (Le, Some(x), _) if b.max < x => Some(false),
        (Gt, Some(0), _) => Some(false),
        (Gt, Some(x), _) if b.max < x => Some(true),
        (Ge, Some(x), _) if b.max <= x => Some(true),
        (Eq, _, Some(y)) if a.max < y => Some(false),
        (Eq, Some(x), _) if b.max < x => Some(false),
        (Ne, _, Some(y)) if a.max < y => Some(true),
        (Ne, Some(x), _) if b.max < x => Some(true),
        _ => None,
    };
    match decided {
        Some(v) => boolean(v),
        None => {
            // A truth value as a word, compared with zero, is that truth value.
            match (op, a.expr.kind, b.as_const()) {
                (Ne, ExprKind::Convert(inner), Some(0)) if inner.ty == Ty::Bool => *inner,
                (Eq, ExprKind::Convert(inner), Some(0)) if inner.ty == Ty::Bool => logical_not(*inner),
                (op, kind, _) => Expr {
                    ty: Ty::Bool,
                    kind: ExprKind::Compare(op, Box::new(Expr { ty: b.expr.ty, kind }), Box::new(b.expr)),
                },
            }
        }
    }
}

/// `!a`
pub fn logical_not(a: Expr) -> Expr {
    use CompareOp::*;
    let kind = match a.kind {
        ExprKind::Const(v) => return boolean(v == 0),
        ExprKind::Not(inner) => return *inner,
        ExprKind::Compare(op, x, y) => {
            let opposite = match op {
                Eq => Ne,
                Ne => Eq,
                Lt => Ge,
                Le => Gt,
                Gt => Le,
                Ge => Lt,
            };
            ExprKind::Compare(opposite, x, y)
        }
        kind => ExprKind::Not(Box::new(Expr { ty: Ty::Bool, kind })),
    };
    Expr { ty: Ty::Bool, kind }
}

/// `a && b`
pub fn logical_and(a: Expr, b: Expr) -> Expr {
    match (a.as_const(), b.as_const()) {
        (Some(0), _) => a,
        (Some(_), _) => b,
        (_, Some(0)) => b,
        (_, Some(_)) => a,
        _ if !may_both_hold(&a, &b) => boolean(false),
        _ => Expr { ty: Ty::Bool, kind: ExprKind::And(Box::new(a), Box::new(b)) },
    }
}

/// `a || b`
pub fn logical_or(a: Expr, b: Expr) -> Expr {
    match (a.as_const(), b.as_const()) {
        (Some(0), _) => b,
        (Some(_), _) => a,
        (_, Some(0)) => a,
        (_, Some(_)) => b,
        // One holds if their opposites cannot both.
        _ if !may_both_hold(&logical_not(a.clone()), &logical_not(b.clone())) => boolean(true),
        _ => Expr { ty: Ty::Bool, kind: ExprKind::Or(Box::new(a), Box::new(b)) },
    }
}

/// Whether two conditions can hold at once; certainly not, if they compare one value with constants and leave it none.
/// C compilers warn of what is always true or false for that reason.
fn may_both_hold(a: &Expr, b: &Expr) -> bool {
    let (Some((x, a)), Some((y, b))) = (compared(a), compared(b)) else { return true };
    x != y || a.iter().any(|(lo, hi)| b.iter().any(|(least, most)| lo.max(least) <= hi.min(most)))
}

/// The value that a condition compares with a constant, and the values for which it holds, from and to.
fn compared(e: &Expr) -> Option<(&Expr, Vec<(u64, u64)>)> {
    use CompareOp::*;
    let ExprKind::Compare(op, a, b) = &e.kind else { return None };
    let (value, op, v) = match (a.as_const(), b.as_const()) {
        (None, Some(v)) => (a, *op, v),
        (Some(v), None) => {
            let turned = match op {
                Eq => Eq,
                Ne => Ne,
                Lt => Gt,
                Le => Ge,
                Gt => Lt,
                Ge => Le,
            };
            (b, turned, v)
        }
        _ => return None,
    };
    let below = || v.checked_sub(1).map(|hi| (0, hi));
    let above = || v.checked_add(1).map(|lo| (lo, value.ty.max())).filter(|(lo, hi)| lo <= hi);
    let runs = match op {
        Eq => vec![(v, v)],
        Ne => below().into_iter().chain(above()).collect(),
        Lt => below().into_iter().collect(),
        Le => vec![(0, v)],
        Gt => above().into_iter().collect(),
        Ge => vec![(v, value.ty.max())],
    };
    Some((value, runs))
}

/// 0 or 1 in a word.
pub fn from_bool(ty: Ty, a: Expr) -> Val {
    match a.as_const() {
        Some(v) => Val::constant(ty, v),
        None => Val::new(ty, ExprKind::Convert(Box::new(a)), 1),
    }
}

/// `c ? a : b` on words.
pub fn select(c: Expr, a: Val, b: Val) -> Val {
    let (a, b) = unify(a, b);
    match c.as_const() {
        Some(0) => b,
        Some(_) => a,
        None if a.expr == b.expr => a,
        None => {
            let max = a.max.max(b.max);
            Val::new(a.ty(), ExprKind::Select(Box::new(c), Box::new(a.expr), Box::new(b.expr)), max)
        }
    }
}

/// `c ? a : b` on bools.
pub fn select_bool(c: Expr, a: Expr, b: Expr) -> Expr {
    match (c.as_const(), a.as_const(), b.as_const()) {
        (Some(0), ..) => b,
        (Some(_), ..) => a,
        (_, Some(1), Some(0)) => c,
        (_, Some(0), Some(1)) => logical_not(c),
        (_, Some(0), _) => logical_and(logical_not(c), b),
        (_, Some(_), _) => logical_or(c, b),
        (_, _, Some(0)) => logical_and(c, a),
        (_, _, Some(_)) => logical_or(logical_not(c), a),
        _ => Expr { ty: Ty::Bool, kind: ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(max: u64) -> Val {
        Val::new(Ty::W32, ExprKind::Arg(0), max)
    }

    #[test]
    fn a_mask_that_a_bound_shows_useless_is_dropped() {
        let sum = add(word(255), word(255));
        assert_eq!(sum.max, 510);
        assert_eq!(sum.clone().mask(9).expr, sum.expr);
        assert_ne!(sum.clone().mask(8).expr, sum.expr);
        assert_eq!(sub(word(1), word(1)).max, u64::from(u32::MAX));
    }

    #[test]
    fn comparisons_that_bounds_decide_are_constants() {
        let c = |v| Val::constant(Ty::W32, v);
        assert_eq!(compare(CompareOp::Lt, word(255), c(256)), boolean(true));
        assert_eq!(compare(CompareOp::Ge, word(255), c(256)), boolean(false));
        assert_eq!(compare(CompareOp::Lt, word(255), c(0)), boolean(false));
        assert_eq!(compare(CompareOp::Eq, word(255), c(256)), boolean(false));
        assert_eq!(compare(CompareOp::Lt, word(255), c(255)).as_const(), None);
        assert_eq!(compare(CompareOp::Gt, c(255), word(255)).as_const(), None);
        let odd = || or(word(255), c(1));
        assert_eq!(compare(CompareOp::Eq, odd(), c(2)), boolean(false));
        assert_eq!(compare(CompareOp::Ne, c(2), odd()), boolean(true));
        assert_eq!(compare(CompareOp::Eq, c(3), odd()).as_const(), None);
    }

    #[test]
    fn the_complement_of_a_truth_value_is_no_not() {
        let truth = from_bool(Ty::W32, compare(CompareOp::Lt, word(9), Val::constant(Ty::W32, 5)));
        assert!(matches!(not(truth).expr.kind, ExprKind::Binary(BinaryOp::Xor, ..)));
        assert!(matches!(not(word(9)).expr.kind, ExprKind::Not(_)));
    }

    #[test]
    fn cutting_an_extended_word_gives_it_back() {
        let v = word(7);
        assert_eq!(v.clone().to(Ty::W64).to(Ty::W32).expr, v.expr);
        let long = Val::new(Ty::W64, ExprKind::Arg(0), u64::MAX);
        let cut = long.clone().to(Ty::W32);
        assert_eq!(cut.max, u64::from(u32::MAX));
        assert_ne!(cut.to(Ty::W64).expr, long.expr);
    }
}
