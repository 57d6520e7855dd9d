//! A left shift keeps the width of what it shifts. Where its result is widened at once, the wider type has room for the
//! bits that were lost, so they were hardly meant to go.

use crate::contract::core::{BinaryOp, Expr, ExprKind, Type, Value};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::types as codes;
use crate::int::Int;
use crate::syntax::Node;

use super::checker::Checker;
use super::expr::without_parentheses;
use super::typed::Typed;

/// How a value gets wider.
#[derive(Clone, Copy)]
pub(super) enum Widening<'a> {
    /// By itself, or by the name of the type.
    Type,
    /// By the method of this name.
    Method(&'a str),
}

impl<'t> Checker<'_, 't> {
    /// Warns if `node`, which is about to become a `target`, is a left shift that can lose bits. Whoever wants them lost says so
    /// with `.trunc`, or names the result with `let`.
    pub(super) fn widened_shift(&mut self, from: &Typed, target: &Type, how: Widening<'_>, node: Node<'t>) {
        let (Some(ty), ExprKind::Binary(BinaryOp::Shl, shifted, amount)) = (from.sized_type(), &from.expr.kind) else {
            return;
        };
        if !target.is_integer() || target.width() <= ty.width() || !can_lose(ty, shifted, amount) {
            return;
        }
        let node = without_parentheses(node);
        let mut parts = node.children();
        let (Some(left), Some(op), Some(right)) = (parts.next(), parts.next(), parts.next()) else { return };
        if op.text() != "<<" {
            return;
        }
        // At XLEN 32 nobody knows whether `u32` or `word` was written; the first is right at both XLENs, if not the best.
        let wide = if self.xlen == 32 { self.name_of(target) } else { self.written(target) };
        let width = ty.width();
        let inner = without_parentheses(left).text();
        let wider = match how {
            Widening::Type => format!("{wide}({inner})"),
            Widening::Method(name) => format!("{}.{name}({})", left.text(), target.width()),
        };
        let found = Diagnostic::warning(
            &codes::SHIFT_WIDENED,
            format!("`<<` keeps the {width} bits of `{}`, and its result is widened to `{wide}`", self.name_of(ty)),
            node.span(),
            format!("bits above the lowest {width} are lost here"),
        );
        let is_short = !wider.contains('\n') && wider.len() + right.text().len() < 60;
        let shown = if is_short { format!("`{wider} << {}`", right.text()) } else { format!("`{wide}(x) << n`") };
        self.report(
            found.help(format!("widen first, as in {shown}; if they shall go, say `.trunc({width})` behind it")),
        );
    }
}

/// Whether a value of this type, shifted by this amount, can be one that the type does not hold.
fn can_lose(ty: &Type, shifted: &Expr, amount: &Expr) -> bool {
    let ((lo, hi), (least, greatest)) = (range(shifted, DEPTH), ty.range());
    // By its width and more nothing but the sign is left of any value.
    let most = range(amount, DEPTH).1.to_u32().map_or(ty.width(), |most| most.min(ty.width()));
    lo.shl(most) < least || hi.shl(most) > greatest
}

/// How far [`range`] looks into an expression.
const DEPTH: u32 = 8;

/// Bounds of the values of an integer: those of its type, or tighter ones where the expression shows them.
fn range(expr: &Expr, depth: u32) -> (Int, Int) {
    let of_type = expr.ty.range();
    let within = |(lo, hi): (Int, Int)| (of_type.0 <= lo && hi <= of_type.1).then_some((lo, hi));
    let Some(depth) = depth.checked_sub(1) else { return of_type };
    let tighter = match &expr.kind {
        ExprKind::Const(Value::Int(v)) => within((v.clone(), v.clone())),
        ExprKind::Convert(inner) => within(range(inner, depth)),
        ExprKind::Select(_, a, b) => {
            let ((al, ah), (bl, bh)) = (range(a, depth), range(b, depth));
            Some((al.min(bl), ah.max(bh)))
        }
        // A mask that is not negative bounds what it leaves.
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let sides = [range(a, depth), range(b, depth)];
            let most = sides.into_iter().filter(|(lo, _)| !lo.is_negative()).map(|(_, hi)| hi).min();
            most.map(|most| (Int::ZERO, most))
        }
        ExprKind::Binary(BinaryOp::Shr, a, n) => {
            let ((lo, hi), least) = (range(a, depth), range(n, depth).0.to_u32().unwrap_or(expr.ty.width()));
            (!lo.is_negative()).then(|| (Int::ZERO, hi.shr(least)))
        }
        _ => None,
    };
    tighter.unwrap_or(of_type)
}
