//! Operators of a library's expressions: on exact integers, truth values and addresses.

use crate::contract::core::{BinaryOp, UnaryOp};
use crate::contract::library::expr::{Expr, ExprKind, ValueKind};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::int::Int;
use crate::syntax::Node;

use super::Lib;
use super::expr::{constant_of, int};
use super::scope::{Scope, Typed};

/// Shifts of constants by more are not folded: nothing in a library is so large.
const MAX_SHIFT: u32 = 1024;

impl<'t> Lib<'_, 't> {
    pub(super) fn unary(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let (Some(operand), Some(op)) = (node.expr(), node.children().next()) else { return Typed::poison() };
        let typed = self.value(scope, operand);
        let when = typed.expr.when;
        if op.text() == "!" {
            let operand = self.as_condition(typed.expr, operand);
            return Typed::new(ValueKind::Bool, when, ExprKind::Unary(UnaryOp::LogicalNot, Box::new(operand)));
        }
        let expr = self.as_number(typed.expr, operand);
        if let (Some(v), "-") = (constant_of(&expr), op.text()) {
            return int(-&v);
        }
        let op = if op.text() == "-" { UnaryOp::Neg } else { UnaryOp::Not };
        Typed::new(ValueKind::Int, when, ExprKind::Unary(op, Box::new(expr)))
    }

    fn as_number(&mut self, expr: Expr, node: Node<'t>) -> Expr {
        if matches!(expr.value, ValueKind::Int | ValueKind::Any) {
            return expr;
        }
        self.wrong_value(node, "a number", &expr);
        Typed::poison().expr
    }

    pub(super) fn ternary(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let parts: Vec<_> = node.exprs().collect();
        let [c, a, b] = parts.as_slice() else { return Typed::poison() };
        let cond = self.value(scope, *c).expr;
        let cond = self.as_condition(cond, *c);
        let (x, y) = (self.value(scope, *a), self.value(scope, *b));
        let when = cond.when.max(x.expr.when).max(y.expr.when);
        let value = self.common(&x.expr, &y.expr, node);
        let place = x.place.or(y.place);
        let kind = ExprKind::Select(Box::new(cond), Box::new(x.expr), Box::new(y.expr));
        Typed { expr: Expr { value, when, kind }, place }
    }

    /// The kind of value that both sides are; a complaint if there is none.
    fn common(&mut self, a: &Expr, b: &Expr, node: Node<'t>) -> ValueKind {
        match (a.value, b.value) {
            (x, y) if x == y => x,
            (ValueKind::Any, other) | (other, ValueKind::Any) => other,
            (ValueKind::Null, other @ (ValueKind::Pointer | ValueKind::Handle(_)))
            | (other @ (ValueKind::Pointer | ValueKind::Handle(_)), ValueKind::Null) => other,
            (x, y) => {
                let message = format!("{} and {} are not the same kind of value", self.describe(x), self.describe(y));
                self.error(&codes::VALUE, node, message, "one value, whatever the condition");
                ValueKind::Any
            }
        }
    }

    pub(super) fn binary(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let parts: Vec<_> = node.exprs().collect();
        let op = node.children().find(|n| !n.is_expr());
        let ([left, right], Some(op)) = (parts.as_slice(), op) else { return Typed::poison() };
        let (a, b) = (self.value(scope, *left).expr, self.value(scope, *right).expr);
        let when = a.when.max(b.when);
        let made = |value, op, a, b| Typed::new(value, when, ExprKind::Binary(op, Box::new(a), Box::new(b)));
        let op = match op.text() {
            "&&" | "||" => {
                let kind = if op.text() == "&&" { BinaryOp::LogicalAnd } else { BinaryOp::LogicalOr };
                let (a, b) = (self.as_condition(a, *left), self.as_condition(b, *right));
                return made(ValueKind::Bool, kind, a, b);
            }
            "==" | "!=" => {
                if !self.comparable(&a, &b) {
                    let (x, y) = (self.describe(a.value), self.describe(b.value));
                    let message = format!("{x} and {y} cannot be compared");
                    let diagnostic = Diagnostic::error(&codes::VALUE, message, node.span(), "never equal");
                    self.report(match (a.value, b.value) {
                        (ValueKind::Pointer | ValueKind::Handle(_), ValueKind::Int)
                        | (ValueKind::Int, ValueKind::Pointer | ValueKind::Handle(_)) => {
                            diagnostic.help("compare it with `null`")
                        }
                        (ValueKind::Bool, _) | (_, ValueKind::Bool) => {
                            diagnostic.help("write the condition alone, or `!` before it")
                        }
                        _ => diagnostic,
                    });
                }
                let kind = if op.text() == "==" { BinaryOp::Eq } else { BinaryOp::Ne };
                return made(ValueKind::Bool, kind, a, b);
            }
            "<" => BinaryOp::Lt,
            "<=" => BinaryOp::Le,
            ">" => BinaryOp::Gt,
            ">=" => BinaryOp::Ge,
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Sub,
            "*" => BinaryOp::Mul,
            "/" => BinaryOp::Div,
            "%" => BinaryOp::Rem,
            "&" => BinaryOp::And,
            "|" => BinaryOp::Or,
            "^" => BinaryOp::Xor,
            "<<" => BinaryOp::Shl,
            ">>" => BinaryOp::Shr,
            modular => {
                let message = format!("numbers are exact here: there is no `{modular}`");
                let help = format!("write `{}`", modular.trim_end_matches('%'));
                self.report(Diagnostic::error(&codes::VALUE, message, op.span(), "keeps a width").help(help));
                return Typed::poison();
            }
        };
        let (a, b) = (self.as_number(a, *left), self.as_number(b, *right));
        if op.is_comparison() {
            return made(ValueKind::Bool, op, a, b);
        }
        if let (Some(x), Some(y)) = (constant_of(&a), constant_of(&b)) {
            match folded(op, &x, &y) {
                Some(v) => return int(v),
                None if matches!(op, BinaryOp::Div | BinaryOp::Rem) && y.is_zero() => {
                    self.error(&codes::VALUE, *right, "a division by zero", "zero");
                    return Typed::poison();
                }
                None => {}
            }
        }
        made(ValueKind::Int, op, a, b)
    }

    fn comparable(&self, a: &Expr, b: &Expr) -> bool {
        use ValueKind::{Any, Array, Bool, Float, Handle, Int, Null, Pointer, Scope, Struct, Void};
        match (a.value, b.value) {
            (Any, other) | (other, Any) => !matches!(other, Void | Scope | Array | Struct(_)),
            (Int, Int) | (Bool, Bool) | (Float, Float | Int) | (Int, Float) => true,
            (Pointer | Null, Pointer | Null) => true,
            (Handle(x), Handle(y)) => x == y,
            (Handle(_), Null) | (Null, Handle(_)) => true,
            _ => false,
        }
    }
}

/// The value of an operator on constants, as far as it has one.
fn folded(op: BinaryOp, x: &Int, y: &Int) -> Option<Int> {
    Some(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x.div_trunc(y)?,
        BinaryOp::Rem => x.rem_trunc(y)?,
        BinaryOp::And => x.and(y),
        BinaryOp::Or => x.or(y),
        BinaryOp::Xor => x.xor(y),
        BinaryOp::Shl => x.shl(y.to_u32().filter(|n| *n <= MAX_SHIFT)?),
        BinaryOp::Shr => x.shr(y.to_u32().filter(|n| *n <= MAX_SHIFT)?),
        _ => return None,
    })
    .filter(|v| v.bits() <= 4 * MAX_SHIFT)
}
