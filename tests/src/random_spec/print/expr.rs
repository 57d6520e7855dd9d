//! Expressions and types.

use std::fmt::Write;

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::super::model::*;
use super::Printer;

/// How tightly an operator binds; 0 is `?:`.
fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Select(..) => 0,
        ExprKind::Binary(op, ..) => binary_level(op),
        ExprKind::Unary(..) => 10,
        ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Part(..) | ExprKind::Method(..) | ExprKind::Case(..) => {
            11
        }
        _ => 12,
    }
}

fn binary_level(op: &str) -> u8 {
    match op {
        "||" => 1,
        "&&" => 2,
        "|" => 4,
        "^" => 5,
        "&" => 6,
        "<<" | ">>" => 7,
        "+" | "-" | "+%" | "-%" => 8,
        "*" | "/" | "%" | "*%" => 9,
        _ => 3,
    }
}

impl Printer<'_> {
    /// A number that may have a minus.
    pub(super) fn int(&mut self, v: &Int) {
        if v.is_negative() {
            self.put("-");
        }
        self.put(if v.is_negative() { -v } else { v.clone() }.to_string());
    }

    pub(super) fn type_text(&mut self, ty: &TypeText) {
        match ty {
            TypeText::Bool => self.put("bool"),
            TypeText::Word => self.put("word"),
            TypeText::Sword => self.put("sword"),
            TypeText::Int => self.put("int"),
            TypeText::Plain(signed, width) => self.put(format!("{}{width}", letter(*signed))),
            TypeText::Computed(signed, width) => {
                self.puts(&[letter(*signed), "<"]);
                self.expr(width, 8);
                self.put(">");
            }
            TypeText::Enum(name) => self.name(*name),
            TypeText::Array(elem, dims) => {
                self.type_text(elem);
                for dim in dims {
                    self.put("[");
                    self.expr(dim, 0);
                    self.put("]");
                }
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr, least: u8) {
        let own = level(&expr.kind);
        let wrapped = own < least || self.style.all_parentheses && own < 12;
        if wrapped {
            self.put("(");
        }
        self.bare_expr(&expr.kind);
        if wrapped {
            self.put(")");
        }
    }

    fn bare_expr(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Lit(v, radix, ty) => self.put(literal(v, *radix, ty.as_ref())),
            ExprKind::Bool(v) => self.put(if *v { "true" } else { "false" }),
            ExprKind::Xlen => self.put("XLEN"),
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Case(name, case) => {
                self.name(*name);
                self.put(".");
                self.name(*case);
            }
            ExprKind::Unary(op, a) => {
                self.put(*op);
                self.expr(a, 10);
            }
            ExprKind::Binary(op, a, b) => {
                let level = binary_level(op);
                // Comparisons do not chain, the others group to the left.
                self.expr(a, if level == 3 { 4 } else { level });
                self.put(*op);
                self.expr(b, level + 1);
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c, 1);
                self.put("?");
                self.expr(a, 0);
                self.put(":");
                self.expr(b, 0);
            }
            ExprKind::Index(x, at) => {
                self.expr(x, 11);
                self.put("[");
                self.expr(at, 0);
                self.put("]");
            }
            ExprKind::Slice(x, h, l) => {
                self.expr(x, 11);
                self.put("[");
                self.expr(h, 0);
                self.put(":");
                self.expr(l, 0);
                self.put("]");
            }
            ExprKind::Part(x, at, w) => {
                self.expr(x, 11);
                self.put("[");
                self.expr(at, 0);
                self.put("+:");
                self.expr(w, 0);
                self.put("]");
            }
            ExprKind::List(items) => {
                self.put("[");
                self.list(items, |p, item| p.expr(item, 0));
                self.put("]");
            }
            ExprKind::Comprehension(name, lo, hi, elem) => {
                self.puts(&["[", "for"]);
                self.name(*name);
                self.put("in");
                self.range(lo, hi);
                self.put("=>");
                self.expr(elem, 0);
                self.put("]");
            }
            ExprKind::Builtin(name, args) => {
                self.put(*name);
                self.args(args);
            }
            ExprKind::Convert(ty, x) => {
                self.type_text(ty);
                self.put("(");
                self.expr(x, 0);
                self.put(")");
            }
            ExprKind::Method(x, name, n) => {
                self.expr(x, 11);
                self.puts(&[".", name, "("]);
                if let Some(n) = n {
                    self.expr(n, 0);
                }
                self.put(")");
            }
            ExprKind::Call(name, args) => {
                self.name(*name);
                self.args(args);
            }
            ExprKind::Member(family, index, args) => {
                let name = format!("{}{index}", self.names.get(*family));
                self.put(name);
                self.args(args);
            }
        }
    }

    pub(super) fn args(&mut self, args: &[Expr]) {
        self.put("(");
        self.list(args, |p, arg| p.expr(arg, 0));
        self.put(")");
    }
}

fn letter(signed: bool) -> &'static str {
    if signed { "s" } else { "u" }
}

fn literal(v: &Int, radix: Radix, ty: Option<&Type>) -> String {
    let mut text = match radix {
        Radix::Decimal => v.to_string(),
        Radix::Hex => {
            let limbs = v.limbs32(v.bits().div_ceil(32).max(1) as usize);
            let digits: String = limbs.iter().rev().map(|limb| format!("{limb:08X}")).collect();
            let digits = digits.trim_start_matches('0');
            format!("0x{}", if digits.is_empty() { "0" } else { digits })
        }
        Radix::Binary => {
            let bits = (0..v.bits().max(1)).rev();
            let digits: String = bits.map(|i| if v.shr(i).and(&Int::ONE).is_zero() { '0' } else { '1' }).collect();
            format!("0b{digits}")
        }
    };
    if let Some(ty) = ty {
        let _ = write!(text, "{}{}", letter(ty.is_signed()), ty.width());
    }
    text
}
