//! Checks of functions without `fails`, whose calls return 0 if they are not made.

use crate::contract::core::{BinaryOp, UnaryOp};
use crate::contract::library::clause::Clause;
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Place, Scalar, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::int::Int;
use crate::source::Span;
use crate::syntax::Node;

use super::Lib;

impl<'t> Lib<'_, 't> {
    /// Warns about a condition of `success` that 0 fulfils, if it reaches a function without `fails`. `span` is the clause: a clause of
    /// `defaults` is reported once. `success true` is not reported, since such a function has no failure.
    pub(super) fn check_failure(
        &mut self,
        result: Option<&Place>,
        span: Option<Span>,
        clauses: &[Clause],
        name: Node<'t>,
    ) {
        let is_other = clauses.iter().any(|clause| matches!(clause, Clause::Replace(_) | Clause::Impl { .. }));
        let fails = clauses.iter().any(has_fails);
        let success = clauses.iter().find_map(|clause| match clause {
            Clause::Success(condition) => Some(condition),
            _ => None,
        });
        let (Some(result), Some(condition), Some(span), false) = (result, success, span, is_other || fails) else {
            return;
        };
        let holds = |ret: Option<&Int>| value(condition, ret).map(|value| !value.is_zero());
        if holds(Some(&Int::from(0))) != Some(true) || holds(None).is_some() {
            return;
        }
        let help = match self.failure(result, &|value| holds(Some(value)) == Some(false)) {
            Some(value) => {
                format!("write what such a call returns: `fails {value};`, or another value that is a failure")
            }
            None => "write what such a call returns: `fails` and a value that is a failure".to_owned(),
        };
        let message = "a call that is not made returns 0, which `success` calls a success";
        let found = Diagnostic::warning(&codes::FAILS_AS_SUCCESS, message, span, "true for 0");
        let function = format!("`{}` has no `fails`", name.text());
        self.report(found.label(name.span(), function).help(help));
    }

    /// Returns a result that is a failure, as the specification writes it.
    fn failure(&self, result: &Place, is_failure: &dyn Fn(&Int) -> bool) -> Option<String> {
        if let Type::Enum(id) = result.ty {
            let def = self.enums().get(id.index())?;
            let value = |pattern: &Int| match def.signed && *pattern >= Int::pow2(def.width.saturating_sub(1)) {
                true => pattern - &Int::pow2(def.width),
                false => pattern.clone(),
            };
            return def.cases.iter().find(|case| is_failure(&value(&case.pattern))).map(|case| case.name.clone());
        }
        let is_signed = matches!(
            result.ty,
            Type::Scalar(Scalar::Short | Scalar::Int | Scalar::Long | Scalar::IntPtr | Scalar::Signed(_))
        );
        (is_signed && is_failure(&Int::from(-1))).then(|| "-1".to_owned())
    }
}

/// Whether `fails` applies in any case of a `when`.
fn has_fails(clause: &Clause) -> bool {
    match clause {
        Clause::Fails(_) => true,
        Clause::When { then, otherwise, .. } => then.iter().chain(otherwise).any(has_fails),
        _ => false,
    }
}

/// The value of an expression if the result is `ret`. Truth values and null are 0 and 1. `None` if it depends on anything else.
fn value(expr: &Expr, ret: Option<&Int>) -> Option<Int> {
    let truth = |expr: &Expr| value(expr, ret).map(|value| !value.is_zero());
    let is = match &expr.kind {
        ExprKind::Int(value) | ExprKind::Case { value, .. } => return Some(value.clone()),
        ExprKind::Ret => return ret.cloned(),
        ExprKind::Null => false,
        ExprKind::Bool(is) => *is,
        ExprKind::Unary(UnaryOp::Neg, of) => return Some(-&value(of, ret)?),
        ExprKind::Unary(UnaryOp::LogicalNot, of) => !truth(of)?,
        ExprKind::Binary(BinaryOp::LogicalAnd, a, b) => match (truth(a), truth(b)) {
            (Some(false), _) | (_, Some(false)) => false,
            (a, b) => a? && b?,
        },
        ExprKind::Binary(BinaryOp::LogicalOr, a, b) => match (truth(a), truth(b)) {
            (Some(true), _) | (_, Some(true)) => true,
            (a, b) => a? || b?,
        },
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let order = value(a, ret)?.cmp(&value(b, ret)?);
            match op {
                BinaryOp::Eq => order.is_eq(),
                BinaryOp::Ne => order.is_ne(),
                BinaryOp::Lt => order.is_lt(),
                BinaryOp::Le => order.is_le(),
                BinaryOp::Gt => order.is_gt(),
                _ => order.is_ge(),
            }
        }
        _ => return None,
    };
    Some(Int::from(u64::from(is)))
}
