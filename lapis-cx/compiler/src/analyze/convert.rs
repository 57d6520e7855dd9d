//! Implicit conversion: allowed exactly where all values fit.

use crate::contract::core::{Expr, ExprKind, Type, Value};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::types as codes;
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::checker::Checker;
use super::expr::without_parentheses;
use super::shift::Widening;
use super::typed::{Ty, Typed, UNKNOWN_LENGTH, is_of_unknown_length};
use super::types::can_be_declared;

/// Why a buffer is no array, and no array is a buffer.
pub(super) const UNKNOWN: &str = "only the call knows how long this buffer is";

impl<'t> Checker<'_, 't> {
    /// Converts to `target`, or says why that loses values.
    pub(super) fn coerce(&mut self, from: Typed, target: &Type, node: Node<'t>) -> Expr {
        if fits(&from, target) {
            return self.widen(from, target, node);
        }
        self.mismatch(&from, target, node);
        poison(target)
    }

    /// The value of `node` in a type that holds it.
    pub(super) fn widen(&mut self, from: Typed, target: &Type, node: Node<'t>) -> Expr {
        self.widened_shift(&from, target, Widening::Type, node);
        convert(from, target)
    }

    /// As [`Self::coerce`], where a scalar also fills an array.
    pub(super) fn coerce_or_fill(&mut self, from: Typed, target: &Type, node: Node<'t>) -> Expr {
        let is_scalar = !matches!(from.ty, Ty::Sized(Type::Array { .. }));
        if let (Type::Array { .. }, true) = (target, is_scalar) {
            if is_of_unknown_length(target) {
                self.number_for_buffer(&from, target, node);
                return poison(target);
            }
            let (scalar, _) = target.flattened();
            let scalar = scalar.clone();
            let elem = self.coerce(from, &scalar, node);
            return match &elem.kind {
                // A buffer of a library may be longer than any array of the language.
                ExprKind::Const(Value::Int(v)) if can_be_declared(target) && self.spend_elements(target, node) => {
                    Expr { ty: target.clone(), kind: ExprKind::Const(Value::fill(target, v)) }
                }
                _ => fill(elem, target),
            };
        }
        self.coerce(from, target, node)
    }

    /// A scalar stands for a whole buffer of which nobody knows how much there is to fill.
    fn number_for_buffer(&mut self, from: &Typed, target: &Type, node: Node<'t>) {
        if from.is_error() {
            return;
        }
        let message = format!("{} is assigned to a buffer of unknown length", self.describe(from));
        let label = format!("expected `{}`", self.name_of(target));
        self.report(
            Diagnostic::error(&codes::MISMATCH, message, node.span(), label)
                .note(UNKNOWN)
                .help("assign its elements, as in `for i in 0..n { p[i] = 0; }`"),
        );
    }

    /// A list or a comprehension has another length than the array that it stands for.
    pub(super) fn wrong_length(&mut self, wanted: u32, found: &Int, node: Node<'t>, label: &str) {
        let diagnostic = match wanted {
            UNKNOWN_LENGTH => {
                let message = format!("an array of {found} in place of a buffer of unknown length");
                Diagnostic::error(&codes::MISMATCH, message, node.span(), label).note(UNKNOWN)
            }
            _ => {
                let message = format!("expected {wanted} elements, found {found}");
                Diagnostic::error(&codes::MISMATCH, message, node.span(), label)
            }
        };
        self.report(diagnostic);
    }

    /// "expected `u8`, found `u9`", with the conversion that was perhaps meant.
    pub(super) fn mismatch(&mut self, from: &Typed, target: &Type, node: Node<'t>) {
        let wanted = self.name_of(target);
        let mut found = match &from.ty {
            Ty::Unsized { lo, hi } if lo == hi => Diagnostic::error(
                &codes::MISMATCH,
                format!("{lo} does not fit `{wanted}`"),
                node.span(),
                format!("expected `{wanted}`"),
            ),
            Ty::Unsized { lo, hi } => Diagnostic::error(
                &codes::MISMATCH,
                format!("values from {lo} to {hi} do not all fit `{wanted}`"),
                node.span(),
                format!("expected `{wanted}`"),
            ),
            Ty::Sized(ty) => Diagnostic::error(
                &codes::MISMATCH,
                format!("expected `{wanted}`, found `{}`", self.name_of(ty)),
                node.span(),
                format!("this is `{}`", self.name_of(ty)),
            ),
            Ty::Error => return,
        };
        let help = self.conversion_help(from, target);
        found.help = match (modular_operator(node), &from.ty) {
            (Some((exact, modular)), Ty::Sized(Type::U(n) | Type::S(n)))
                if *n > target.width() || exact == "-" && !target.is_signed() =>
            {
                let rest = help.map_or(String::new(), |h| format!("; {h}"));
                Some(format!("`{exact}` is exact, `{modular}` keeps the width of its operands{rest}"))
            }
            _ => help,
        };
        if [Some(target), from.sized_type()].into_iter().flatten().any(is_of_unknown_length) {
            found = found.note(UNKNOWN);
        }
        self.report(found);
    }

    /// How to write the conversion that was perhaps meant.
    fn conversion_help(&self, from: &Typed, target: &Type) -> Option<String> {
        let (width, name) = (target.width(), self.name_of(target));
        match (&from.ty, target) {
            (
                Ty::Unsized { .. } | Ty::Sized(Type::U(_) | Type::S(_) | Type::Bool | Type::Enum { .. }),
                Type::Array { .. },
            ) if can_be_declared(target) => {
                let help = "a scalar fills an array only where that is declared or assigned, as in `var r: %s = …;`; \
                            `[for i in 0..n => …]` is an array anywhere";
                Some(help.replace("%s", &name))
            }
            (Ty::Unsized { lo, hi }, _) if target.is_integer() => {
                let needed = Type::smallest(lo, hi);
                if lo.is_negative() && !target.is_signed() {
                    return Some(format!("`{name}` has no negative values, `{}` has", self.name_of(&needed)));
                }
                Some(format!("it needs `{}`", self.name_of(&needed)))
            }
            (Ty::Sized(Type::U(n)), Type::U(m)) if n > m => Some(format!(
                "`.trunc({width})` keeps the low {width} bits, `.sat({width})` clamps to the range of `{name}`"
            )),
            (Ty::Sized(Type::S(n)), Type::S(m)) if n > m => Some(format!(
                "`.trunc({width})` keeps the low {width} bits, `.sat({width})` clamps to the range of `{name}`"
            )),
            (Ty::Sized(Type::S(n)), Type::U(m)) if n == m => {
                Some("`.unsigned()` reads the same bits without a sign".to_owned())
            }
            (Ty::Sized(Type::S(_)), Type::U(_)) => Some(format!(
                "`.unsigned()` reads the bits without a sign; `.usat({width})` clamps to the range of `{name}`"
            )),
            (Ty::Sized(Type::U(n)), Type::S(m)) if n == m => {
                Some("`.signed()` reads the same bits with a sign".to_owned())
            }
            (Ty::Sized(Type::U(n)), Type::S(_)) => Some(format!(
                "`{name}` cannot hold every `u{n}`: `s{}` can; `.signed()` reads the same bits with a sign",
                n + 1
            )),
            (Ty::Sized(Type::Bool | Type::Enum { .. }), _) if target.is_integer() => {
                Some("`.unsigned()` gives its bits".to_owned())
            }
            (Ty::Sized(Type::U(1)), Type::Bool) => Some("write `bool(x)`, or compare it, as in `x == 1`".to_owned()),
            (_, Type::Bool) if from.is_integer() => Some("compare it, as in `x != 0`".to_owned()),
            (_, Type::Enum { .. }) if from.is_integer() => Some(format!("`{name}(x)` reads bits as `{name}`")),
            _ => None,
        }
    }

    /// The type of the side that holds the other, for `+% / % ?:` and the like.
    pub(super) fn common_type(&self, a: &Typed, b: &Typed) -> Option<Type> {
        let types = [a.sized_type(), b.sized_type()].into_iter().flatten();
        types.into_iter().find(|ty| fits(a, ty) && fits(b, ty)).cloned()
    }
}

/// The operator at the top of an expression, if it has a partner that keeps the width.
fn modular_operator(node: Node<'_>) -> Option<(&'static str, &'static str)> {
    let node = without_parentheses(node);
    let op = node.child(Kind::op_add).or(node.child(Kind::op_mul)).filter(|_| node.kind() == Kind::binary)?;
    [("+", "+%"), ("-", "-%"), ("*", "*%")].into_iter().find(|(exact, _)| *exact == op.text())
}

/// Whether every value fits `target`.
pub(super) fn fits(from: &Typed, target: &Type) -> bool {
    match &from.ty {
        Ty::Error => true,
        Ty::Sized(ty) if ty == target => true,
        _ if !target.is_integer() || !from.is_integer() => false,
        _ => {
            let ((lo, hi), (least, greatest)) = (from.range(), target.range());
            least <= lo && hi <= greatest
        }
    }
}

/// The value in another type, for integers modulo its width; a constant stays one.
pub(super) fn convert(from: Typed, target: &Type) -> Expr {
    if from.expr.ty == *target {
        return from.expr;
    }
    let kind = match (&from.ty, &from.value) {
        (Ty::Error, _) => return poison(target),
        (_, Some(v)) => ExprKind::Const(Value::Int(target.reduce(v))),
        _ => ExprKind::Convert(Box::new(from.expr)),
    };
    Expr { ty: target.clone(), kind }
}

/// An expression that stands where something was wrong; never evaluated. A buffer of a library may be longer than any
/// memory, so an array is not a constant.
pub(super) fn poison(ty: &Type) -> Expr {
    let (scalar, _) = ty.flattened();
    fill(Expr { ty: scalar.clone(), kind: ExprKind::Const(Value::Int(Int::ZERO)) }, ty)
}

/// A scalar in every element, level by level, so that each `Fill` node makes one array of its operand.
fn fill(elem: Expr, target: &Type) -> Expr {
    match target {
        Type::Array { elem: inner, .. } => {
            let filled = fill(elem, inner);
            Expr { ty: target.clone(), kind: ExprKind::Fill(Box::new(filled)) }
        }
        _ => elem,
    }
}
