//! Operators: the table of the language's rules, row by row.

use crate::contract::core::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::types as codes;
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::checker::{Checker, Frame};
use super::convert::convert;
use super::literal::MAX_WIDTH;
use super::typed::{Ty, Typed};

impl<'t> Checker<'_, 't> {
    pub(super) fn unary(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Typed {
        let (Some(op), Some(operand)) = (node.child(Kind::op_prefix), node.expr()) else { return Typed::error() };
        if op.text() == "!" {
            let cond = self.condition(frame, operand);
            return match cond.int() {
                _ if cond.is_error() => cond,
                Some(v) => Typed::bool(v.is_zero()),
                None => Typed::sized(Type::Bool, ExprKind::Unary(UnaryOp::LogicalNot, Box::new(cond.expr))),
            };
        }
        let typed = self.expr(frame, operand, None);
        match (op.text(), &typed.ty) {
            (_, Ty::Error) => typed,
            ("-", Ty::Unsized { lo, hi }) => {
                let (lo, hi) = (-hi, -lo);
                let typed = match &typed.value {
                    Some(_) => Typed::number(lo),
                    None => Typed::ranged(lo, hi, ExprKind::Unary(UnaryOp::Neg, Box::new(typed.expr))),
                };
                self.bounded(typed, node)
            }
            ("-", Ty::Sized(Type::U(n) | Type::S(n))) => {
                let n = n + 1;
                self.computed(Type::S(n), ExprKind::Unary(UnaryOp::Neg, Box::new(typed.expr)), node)
            }
            ("~", Ty::Sized(ty @ (Type::U(_) | Type::S(_)))) => {
                let ty = ty.clone();
                self.computed(ty, ExprKind::Unary(UnaryOp::Not, Box::new(typed.expr)), node)
            }
            (symbol, _) => {
                let what = self.describe(&typed);
                let mut found = Diagnostic::error(
                    &codes::OPERANDS,
                    format!("`{symbol}` does not take {what}"),
                    node.span(),
                    "wrong kind of operand",
                );
                found = match (symbol, &typed.ty) {
                    ("~", Ty::Unsized { .. }) => {
                        found.help("a number without a width has no bits to invert: write `~u32(x)`")
                    }
                    ("~", Ty::Sized(Type::Bool)) => found.help("use `!` on a bool"),
                    _ => found,
                };
                self.report(found);
                Typed::error()
            }
        }
    }

    pub(super) fn binary(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Typed {
        // `a + b + c + …` groups to the left; a loop instead of recursion, so that such chains may be long.
        let mut spine = Vec::new();
        let mut left = node;
        while left.kind() == Kind::binary {
            let mut parts = left.children();
            let (Some(a), Some(op), Some(b)) = (parts.next(), parts.next(), parts.next()) else {
                return Typed::error();
            };
            spine.push((left, a, op, b));
            left = a;
        }
        let mut x = self.expr(frame, left, None);
        for (node, a, op, b) in spine.into_iter().rev() {
            let chained = op.kind() == Kind::op_cmp && a.kind() == Kind::binary && a.has(Kind::op_cmp);
            x = if chained {
                // The parser has said that comparisons do not chain.
                self.expr(frame, b, None);
                Typed::error()
            } else if matches!(op.kind(), Kind::op_land | Kind::op_lor) {
                let x = self.as_condition(x, a);
                self.logical(frame, x, op, b)
            } else {
                let y = self.expr(frame, b, None);
                self.operate(op.text(), x, y, node)
            };
        }
        x
    }

    fn logical(&mut self, frame: &mut Frame<'t>, x: Typed, op: Node<'t>, b: Node<'t>) -> Typed {
        let is_and = op.kind() == Kind::op_land;
        // Under a constant left side that decides, the right side is a branch that is not taken.
        if x.int().is_some_and(|v| v.is_zero() == is_and) {
            return x;
        }
        let y = self.condition(frame, b);
        if x.is_error() || y.is_error() {
            return Typed::error();
        }
        if x.value.is_some() {
            return y;
        }
        let op = if is_and { BinaryOp::LogicalAnd } else { BinaryOp::LogicalOr };
        Typed::sized(Type::Bool, ExprKind::Binary(op, Box::new(x.expr), Box::new(y.expr)))
    }

    /// An operator other than `&&` and `||`, also for `+%=` and the like.
    pub(super) fn operate(&mut self, op: &str, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        if x.is_error() || y.is_error() {
            return Typed::error();
        }
        match op {
            "==" | "!=" | "<" | "<=" | ">" | ">=" => self.compare(op, x, y, node),
            "<<" | ">>" => self.shift(op, x, y, node),
            "&" | "|" | "^" => self.bitwise(op, x, y, node),
            _ if !x.is_integer() || !y.is_integer() => self.wrong_operands(op, &x, &y, node),
            _ if x.sized_type().is_none() && y.sized_type().is_none() => self.unsized_arithmetic(op, x, y, node),
            "+" => self.exact(BinaryOp::Add, x, y, node),
            "-" => self.exact(BinaryOp::Sub, x, y, node),
            "*" => self.exact(BinaryOp::Mul, x, y, node),
            "+%" => self.in_one_type(BinaryOp::Add, op, x, y, node),
            "-%" => self.in_one_type(BinaryOp::Sub, op, x, y, node),
            "*%" => self.in_one_type(BinaryOp::Mul, op, x, y, node),
            "/" => self.in_one_type(BinaryOp::Div, op, x, y, node),
            "%" => self.in_one_type(BinaryOp::Rem, op, x, y, node),
            _ => Typed::error(),
        }
    }

    pub(super) fn wrong_operands(&mut self, op: &str, x: &Typed, y: &Typed, node: Node<'t>) -> Typed {
        let (a, b) = (self.describe(x), self.describe(y));
        let mut found = Diagnostic::error(
            &codes::OPERANDS,
            format!("`{op}` does not take {a} and {b}"),
            node.span(),
            "wrong kind of operand",
        );
        let is = |t: &Typed, test: fn(&Type) -> bool| t.sized_type().is_some_and(test);
        if matches!(op, "<" | "<=" | ">" | ">=") && x.ty == y.ty && is(x, |t| matches!(t, Type::Enum { .. })) {
            found = found.help("an enum has no order; `.unsigned()` gives its bits, which have one");
        } else if is(x, |t| matches!(t, Type::Bool | Type::Enum { .. }))
            || is(y, |t| matches!(t, Type::Bool | Type::Enum { .. }))
        {
            found = found.help("bool, enum and number never mix; `.unsigned()` gives the bits of a bool or an enum");
        } else if is(x, |t| matches!(t, Type::Array { .. })) || is(y, |t| matches!(t, Type::Array { .. })) {
            found = found.help("arrays are worked on element by element, as in `[for i in 0..4 => a[i] ^ b[i]]`");
        }
        self.report(found);
        Typed::error()
    }

    /// A node of a type, folded if its operands are constant.
    fn computed(&mut self, ty: Type, kind: ExprKind, node: Node<'t>) -> Typed {
        if ty.width() > MAX_WIDTH {
            self.report(
                Diagnostic::error(
                    &codes::BAD_WIDTH,
                    format!("the result needs {} bits, more than {MAX_WIDTH}", ty.width()),
                    node.span(),
                    "too wide",
                )
                .help("narrow an operand first, or use `+%`, `-%` or `*%`, which keep the width"),
            );
            return Typed::error();
        }
        self.fold(Typed::sized(ty, kind), node)
    }

    /// `+ - *` with a sized operand: the result holds every value.
    fn exact(&mut self, op: BinaryOp, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        let (a, b) = (&x.expr.ty, &y.expr.ty);
        let signed = a.is_signed() || b.is_signed();
        let ty = if op == BinaryOp::Mul {
            let width = a.width() + b.width();
            if signed { Type::S(width) } else { Type::U(width) }
        } else {
            // Where the signs are mixed the unsigned side counts one wider.
            let side = |t: &Type| t.width() + u32::from(signed && !t.is_signed());
            let width = side(a).max(side(b)) + 1;
            if signed || op == BinaryOp::Sub { Type::S(width) } else { Type::U(width) }
        };
        self.computed(ty, ExprKind::Binary(op, Box::new(x.expr), Box::new(y.expr)), node)
    }

    /// `+% -% *% / %`: in the type of the side that holds the other.
    fn in_one_type(&mut self, op: BinaryOp, symbol: &str, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        match self.common_type(&x, &y) {
            Some(ty) => {
                let (left, right) = sides(node);
                let (a, b) = (self.widen(x, &ty, left), self.widen(y, &ty, right));
                self.computed(ty, ExprKind::Binary(op, Box::new(a), Box::new(b)), node)
            }
            None => {
                self.no_common_type(&format!("`{symbol}`"), &x, &y, node);
                Typed::error()
            }
        }
    }

    fn bitwise(&mut self, symbol: &str, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        let op = match symbol {
            "&" => BinaryOp::And,
            "|" => BinaryOp::Or,
            _ => BinaryOp::Xor,
        };
        let build = |a: Expr, b: Expr| ExprKind::Binary(op, Box::new(a), Box::new(b));
        match (&x.ty, &y.ty) {
            (Ty::Sized(a), Ty::Sized(b)) if a == b && (a.is_integer() || *a == Type::Bool) => {
                let ty = a.clone();
                self.computed(ty, build(x.expr, y.expr), node)
            }
            (Ty::Sized(ty), Ty::Unsized { .. }) if ty.is_integer() => {
                let ty = ty.clone();
                let b = self.coerce(y, &ty, node);
                self.computed(ty, build(x.expr, b), node)
            }
            (Ty::Unsized { .. }, Ty::Sized(ty)) if ty.is_integer() => {
                let ty = ty.clone();
                let a = self.coerce(x, &ty, node);
                self.computed(ty, build(a, y.expr), node)
            }
            (Ty::Unsized { .. }, Ty::Unsized { .. }) => self.unsized_arithmetic(symbol, x, y, node),
            (Ty::Sized(a), Ty::Sized(b)) if a.is_integer() && b.is_integer() => {
                let help = match (a.is_signed() == b.is_signed(), a.width() == b.width()) {
                    (false, true) => "`.unsigned()` and `.signed()` read the same bits in the other way".to_owned(),
                    (true, false) => {
                        let (narrow, wide) = if a.width() < b.width() { (a, b) } else { (b, a) };
                        format!(
                            "`{}(x)` widens one side, `.trunc({})` narrows the other",
                            self.written(wide),
                            narrow.width()
                        )
                    }
                    _ => "convert one side: `.unsigned()` and `.signed()` change the sign, `.wrap(N)` the width"
                        .to_owned(),
                };
                let message = format!(
                    "`{symbol}` needs one type on both sides, found `{}` and `{}`",
                    self.name_of(a),
                    self.name_of(b)
                );
                self.report(Diagnostic::error(&codes::OPERANDS, message, node.span(), "two types").help(help));
                Typed::error()
            }
            _ => self.wrong_operands(symbol, &x, &y, node),
        }
    }

    fn shift(&mut self, symbol: &str, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        if !x.is_integer() || !y.is_integer() {
            return self.wrong_operands(symbol, &x, &y, node);
        }
        if y.range().0.is_negative() {
            let amount = self.describe(&y);
            self.report(
                Diagnostic::error(
                    &codes::OPERANDS,
                    format!("`{symbol}` needs an unsigned amount"),
                    node.span(),
                    format!("the amount is {amount}"),
                )
                .help("`.unsigned()` reads the bits without a sign"),
            );
            return Typed::error();
        }
        let op = if symbol == "<<" { BinaryOp::Shl } else { BinaryOp::Shr };
        match (&x.ty, &y.ty) {
            (Ty::Sized(ty), _) => {
                let ty = ty.clone();
                self.computed(ty, ExprKind::Binary(op, Box::new(x.expr), Box::new(y.into_number())), node)
            }
            (_, Ty::Unsized { .. }) => self.unsized_arithmetic(symbol, x, y, node),
            _ => {
                self.report(
                    Diagnostic::error(
                        &codes::NEEDS_SIZE,
                        "a number without a type is shifted by an amount that varies",
                        node.span(),
                        "the result has no width",
                    )
                    .help("give the left side a type, as in `word(1) << n`"),
                );
                Typed::error()
            }
        }
    }

    fn compare(&mut self, symbol: &str, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        let op = match symbol {
            "==" => BinaryOp::Eq,
            "!=" => BinaryOp::Ne,
            "<" => BinaryOp::Lt,
            "<=" => BinaryOp::Le,
            ">" => BinaryOp::Gt,
            _ => BinaryOp::Ge,
        };
        let alike = match (&x.ty, &y.ty) {
            (Ty::Sized(a @ (Type::Bool | Type::Enum { .. })), Ty::Sized(b)) => {
                a == b && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            }
            _ => x.is_integer() && y.is_integer(),
        };
        if !alike {
            return self.wrong_operands(symbol, &x, &y, node);
        }
        let kind = ExprKind::Binary(op, Box::new(x.into_number()), Box::new(y.into_number()));
        self.fold(Typed::sized(Type::Bool, kind), node)
    }

    /// Interval arithmetic on two numbers without a size.
    fn unsized_arithmetic(&mut self, symbol: &str, x: Typed, y: Typed, node: Node<'t>) -> Typed {
        let ((al, ah), (bl, bh)) = (x.range(), y.range());
        let negative = |v: &Int| v.is_negative();
        let hull = |corners: [Int; 4]| {
            let lo = corners.iter().min().cloned().unwrap_or(Int::ZERO);
            let hi = corners.iter().max().cloned().unwrap_or(Int::ZERO);
            (lo, hi)
        };
        let mut refuse = |message: &str, help: &str| {
            self.report(Diagnostic::error(&codes::OPERANDS, message, node.span(), "cannot be computed").help(help));
        };
        let (op, (lo, hi)) = match symbol {
            "+" => (BinaryOp::Add, (&al + &bl, &ah + &bh)),
            "-" => (BinaryOp::Sub, (&al - &bh, &ah - &bl)),
            "*" => (BinaryOp::Mul, hull([&al * &bl, &al * &bh, &ah * &bl, &ah * &bh])),
            "/" | "%" if negative(&bl) || bl.is_zero() => {
                refuse("the divisor must be positive", "a number without a type has no value for a division by zero");
                return Typed::error();
            }
            "%" | "&" | "|" | "^" if negative(&al) || negative(&bl) => {
                refuse(
                    &format!("`{symbol}` on numbers without a type needs both to be 0 or more"),
                    "give one side a type, as in `s32(x)`",
                );
                return Typed::error();
            }
            "/" => {
                let q = |a: &Int, b: &Int| a.div_trunc(b).unwrap_or(Int::ZERO);
                (BinaryOp::Div, hull([q(&al, &bl), q(&al, &bh), q(&ah, &bl), q(&ah, &bh)]))
            }
            "%" => (BinaryOp::Rem, (Int::ZERO, (&bh - &Int::ONE).min(ah.clone()))),
            "&" => (BinaryOp::And, (Int::ZERO, ah.clone().min(bh.clone()))),
            // Both fill at most the bits of the wider one.
            "|" => (BinaryOp::Or, (al.clone().max(bl.clone()), Int::ones(ah.bits().max(bh.bits())))),
            "^" => (BinaryOp::Xor, (Int::ZERO, Int::ones(ah.bits().max(bh.bits())))),
            "<<" | ">>" => {
                let (Some(least), Some(most)) = (bl.to_u32(), bh.to_u32().filter(|n| *n <= 4 * MAX_WIDTH)) else {
                    refuse("this shift is too far", "at most 4096 bits");
                    return Typed::error();
                };
                if symbol == "<<" {
                    (BinaryOp::Shl, hull([al.shl(least), al.shl(most), ah.shl(least), ah.shl(most)]))
                } else {
                    (BinaryOp::Shr, hull([al.shr(least), al.shr(most), ah.shr(least), ah.shr(most)]))
                }
            }
            _ => {
                refuse(
                    &format!("`{symbol}` keeps a width, and neither side has one"),
                    "give one side a type, as in `u32(x)`",
                );
                return Typed::error();
            }
        };
        if let (Some(a), Some(b)) = (x.int(), y.int()) {
            return match exact_value(op, &a, &b) {
                Some(v) => self.bounded(Typed::number(v), node),
                None => Typed::error(),
            };
        }
        let ty = Type::smallest(&lo, &hi);
        let kind = match op {
            // These nodes want both operands in their own type; the shifts only the left one.
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let wide = Type::smallest(&al.min(bl), &ah.max(bh));
                let (a, b) = (convert(x, &wide), convert(y, &wide));
                convert(Typed::sized(wide, ExprKind::Binary(op, Box::new(a), Box::new(b))), &ty).kind
            }
            BinaryOp::Shl => ExprKind::Binary(op, Box::new(convert(x, &ty)), Box::new(y.expr)),
            BinaryOp::Shr => {
                let left = x.expr.ty.clone();
                convert(Typed::sized(left, ExprKind::Binary(op, Box::new(x.expr), Box::new(y.expr))), &ty).kind
            }
            _ => ExprKind::Binary(op, Box::new(x.expr), Box::new(y.expr)),
        };
        let typed = Typed { ty: Ty::Unsized { lo, hi }, value: None, expr: Expr { ty, kind } };
        self.bounded(typed, node)
    }

    /// Refuses an unsized number whose type would be wider than any.
    fn bounded(&mut self, typed: Typed, node: Node<'t>) -> Typed {
        if typed.expr.ty.width() > MAX_WIDTH {
            self.error(&codes::BAD_WIDTH, node, format!("this number needs more than {MAX_WIDTH} bits"), "too wide");
            return Typed::error();
        }
        typed
    }
}

/// The value of an operator on two known numbers; ranges were checked before.
fn exact_value(op: BinaryOp, a: &Int, b: &Int) -> Option<Int> {
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a.div_trunc(b)?,
        BinaryOp::Rem => a.rem_trunc(b)?,
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => a.shl(b.to_u32()?),
        BinaryOp::Shr => a.shr(b.to_u32()?),
        _ => return None,
    })
}

/// What stands left and right of an operator, or of that of an assignment.
fn sides(node: Node<'_>) -> (Node<'_>, Node<'_>) {
    (node.children().next().unwrap_or(node), node.exprs().last().unwrap_or(node))
}
