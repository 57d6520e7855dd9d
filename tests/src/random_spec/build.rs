//! Expressions that are well typed: each constructor applies the language's rules in every world of the body, and gives
//! nothing where one of them refuses.

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::generator::Generator;
use super::model::*;
use super::types::{self, Known, Static};

impl Generator {
    /// Applies a rule in each world that is checked.
    fn lift(&self, operands: &[&Expr], rule: impl Fn(usize, &[&Static]) -> Option<Static>) -> Option<Vec<Static>> {
        let worlds = 0..self.body.worlds.len();
        let of = worlds.map(|w| {
            if !*self.body.active.get(w)? {
                return Some(Static::dead());
            }
            let statics: Option<Vec<&Static>> = operands.iter().map(|e| e.of.get(w)).collect();
            rule(w, &statics?)
        });
        of.collect()
    }

    /// The same in every world.
    pub fn everywhere(&self, kind: ExprKind, of: Static) -> Expr {
        Expr { kind, of: vec![of; self.body.worlds.len()] }
    }

    /// A number without a size.
    pub fn number(&self, v: impl Into<Int>) -> Expr {
        let v = v.into();
        let positive = if v.is_negative() { -&v } else { v.clone() };
        let literal = self.everywhere(ExprKind::Lit(positive.clone(), Radix::Decimal, None), Static::number(positive));
        match v.is_negative() {
            true => self.everywhere(ExprKind::Unary("-", Box::new(literal)), Static::number(v)),
            false => literal,
        }
    }

    /// A number that may differ from world to world, from XLEN, a generic or an index.
    pub fn numbers(&self, wanted: &[u32]) -> Option<Expr> {
        let active: Vec<usize> = (0..wanted.len()).filter(|w| self.body.active.get(*w) == Some(&true)).collect();
        let first = *active.first()?;
        let at = |w: usize| i64::from(wanted.get(w).copied().unwrap_or(0));
        if active.iter().all(|w| at(*w) == at(first)) {
            return Some(self.number(at(first)));
        }
        let mut bases = vec![self.xlen_expr()];
        bases.extend(self.generic_exprs());
        for base in bases {
            for divisor in [1, 2, 4, 8] {
                let scaled = if divisor == 1 {
                    Some(base.clone())
                } else {
                    self.binary("/", base.clone(), self.number(divisor))
                };
                let Some(scaled) = scaled else { continue };
                let of = |w: usize| scaled.of.get(w).and_then(|s| s.int()?.to_i128()).unwrap_or(0) as i64;
                let Some(&second) = active.iter().find(|w| of(**w) != of(first)) else { continue };
                let (rise, run) = (at(second) - at(first), of(second) - of(first));
                if rise % run != 0 || !(1..=64).contains(&(rise / run)) {
                    continue;
                }
                let factor = rise / run;
                let rest = at(first) - factor * of(first);
                if active.iter().any(|w| factor * of(*w) + rest != at(*w)) {
                    continue;
                }
                let mut expr = scaled.clone();
                if factor != 1 {
                    expr = self.binary("*", expr, self.number(factor))?;
                }
                return match rest {
                    0 => Some(expr),
                    1.. => self.binary("+", expr, self.number(rest)),
                    _ => self.binary("-", expr, self.number(-rest)),
                };
            }
        }
        None
    }

    /// `XLEN`
    pub fn xlen_expr(&self) -> Expr {
        let of = self.body.worlds.iter().map(|w| Static::number(Int::from(self.xlen_of(w.section))));
        Expr { kind: ExprKind::Xlen, of: of.collect() }
    }

    /// The generics or the index of the body.
    pub fn generic_exprs(&self) -> Vec<Expr> {
        let names = self.body.worlds.first().map(|w| w.generics.as_slice()).unwrap_or_default();
        let expr = |i: usize, name: Name| {
            let of = self.body.worlds.iter().map(|w| Static::number(Int::from(w.generics.get(i).map_or(0, |g| g.1))));
            Expr { kind: ExprKind::Name(name), of: of.collect() }
        };
        names.iter().enumerate().map(|(i, (name, _))| expr(i, *name)).collect()
    }

    /// How a type is written here.
    pub fn type_text(&self, types: &[Type]) -> Option<TypeText> {
        let mut checked = types.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(ty, _)| ty);
        let first = checked.next()?;
        let uniform = checked.all(|ty| ty == first);
        match first {
            Type::Bool => Some(TypeText::Bool),
            Type::Enum { id, .. } => Some(TypeText::Enum(self.enums.get(id.index())?.name)),
            Type::U(n) | Type::S(n) if uniform => Some(TypeText::Plain(first.is_signed(), *n)),
            Type::U(_) | Type::S(_) => {
                let signed = first.is_signed();
                let is_word = self.each_active(|w| types.get(w).is_some_and(|t| t.width() == self.xlen_in(w)));
                if is_word {
                    return Some(if signed { TypeText::Sword } else { TypeText::Word });
                }
                let widths: Vec<u32> = types.iter().map(Type::width).collect();
                Some(TypeText::Computed(signed, Box::new(self.numbers(&widths)?)))
            }
            Type::Array { .. } => {
                let (mut dims, mut at) = (Vec::new(), types.to_vec());
                while let Some(Type::Array { .. }) = self.first_active(&at) {
                    let parts: Vec<(u32, Type)> = at.iter().map(array_parts).collect();
                    let lens: Vec<u32> = parts.iter().map(|p| p.0).collect();
                    dims.push(self.numbers(&lens)?);
                    at = parts.into_iter().map(|p| p.1).collect();
                }
                Some(TypeText::Array(Box::new(self.type_text(&at)?), dims))
            }
        }
    }

    /// The value in the first world that is checked.
    pub fn first_active<'a, T>(&self, items: &'a [T]) -> Option<&'a T> {
        items.iter().zip(&self.body.active).find(|(_, on)| **on).map(|(item, _)| item)
    }

    /// Whether something holds in each world that is checked.
    pub fn each_active(&self, test: impl Fn(usize) -> bool) -> bool {
        (0..self.body.worlds.len()).filter(|w| self.body.active.get(*w) == Some(&true)).all(test)
    }

    /// XLEN in a world.
    pub fn xlen_in(&self, world: usize) -> u32 {
        self.body.worlds.get(world).map_or(32, |w| self.xlen_of(w.section))
    }

    /// Whether an expression needs no conversion.
    pub fn fits(&self, e: &Expr, target: &[Type]) -> bool {
        self.each_active(|w| e.of.get(w).zip(target.get(w)).is_some_and(|(s, ty)| types::fits(s, ty)))
    }

    /// Whether a test holds for what is known of an expression, wherever it is checked.
    pub fn is(&self, e: &Expr, test: impl Fn(&Static) -> bool) -> bool {
        self.each_active(|w| e.of.get(w).is_some_and(&test))
    }

    /// `-x`, `~x`, `!x`
    pub fn unary(&self, op: &'static str, a: Expr) -> Option<Expr> {
        let of = self.lift(&[&a], |_, s| types::unary(op, s[0]))?;
        Some(Expr { kind: ExprKind::Unary(op, Box::new(a)), of })
    }

    /// An infix operator.
    pub fn binary(&self, op: &'static str, a: Expr, b: Expr) -> Option<Expr> {
        let of = self.lift(&[&a, &b], |_, s| types::binary(op, s[0], s[1]))?;
        Some(Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), of })
    }

    /// `min(a, b)`, `max(a, b)`
    pub fn min_max(&self, op: &'static str, a: Expr, b: Expr) -> Option<Expr> {
        let of = self.lift(&[&a, &b], |_, s| types::min_max(op, s[0], s[1]))?;
        Some(Expr { kind: ExprKind::Builtin(op, vec![a, b]), of })
    }

    /// `c ? a : b`
    pub fn select(&self, c: Expr, a: Expr, b: Expr) -> Option<Expr> {
        let of = self.lift(&[&c, &a, &b], |_, s| types::select(s[0], s[1], s[2]))?;
        Some(Expr { kind: ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)), of })
    }

    /// A method without argument.
    pub fn method(&self, x: Expr, name: &'static str) -> Option<Expr> {
        let of = self.lift(&[&x], |_, s| types::method(name, s[0], 0))?;
        Some(Expr { kind: ExprKind::Method(Box::new(x), name, None), of })
    }

    /// A method with a width for each world.
    pub fn resize(&self, x: Expr, name: &'static str, widths: &[u32]) -> Option<Expr> {
        let of = self.lift(&[&x], |w, s| types::method(name, s[0], *widths.get(w)?))?;
        let width = self.numbers(widths)?;
        Some(Expr { kind: ExprKind::Method(Box::new(x), name, Some(Box::new(width))), of })
    }

    /// `u32(x)`, if the type is a single word.
    pub fn convert(&self, x: Expr, target: &[Type]) -> Option<Expr> {
        let text = self.type_text(target)?;
        if matches!(text, TypeText::Computed(..) | TypeText::Array(..)) {
            return None;
        }
        let of = self.lift(&[&x], |w, s| {
            let ty = target.get(w)?;
            types::conversion(ty, &self.base_of(ty), s[0])
        })?;
        Some(Expr { kind: ExprKind::Convert(text, Box::new(x)), of })
    }

    /// `x[i]`
    pub fn index(&self, x: Expr, at: Expr) -> Option<Expr> {
        let of = self.lift(&[&x, &at], |_, s| types::index(s[0], s[1]))?;
        Some(Expr { kind: ExprKind::Index(Box::new(x), Box::new(at)), of })
    }

    /// `x[h:l]`, with numbers that may differ from world to world.
    pub fn slice(&self, x: Expr, h: &[u32], l: &[u32]) -> Option<Expr> {
        let of = self.lift(&[&x], |w, s| types::slice(s[0], *h.get(w)?, *l.get(w)?))?;
        let (h, l) = (self.numbers(h)?, self.numbers(l)?);
        Some(Expr { kind: ExprKind::Slice(Box::new(x), Box::new(h), Box::new(l)), of })
    }

    /// `x[b +: w]`
    pub fn part(&self, x: Expr, at: Expr, width: u32) -> Option<Expr> {
        let of = self.lift(&[&x, &at], |_, s| types::part(s[0], s[1], width))?;
        let width = self.number(width);
        Some(Expr { kind: ExprKind::Part(Box::new(x), Box::new(at), Box::new(width)), of })
    }

    /// `cat(…)`
    pub fn cat(&self, parts: Vec<Expr>) -> Option<Expr> {
        let operands: Vec<&Expr> = parts.iter().collect();
        let of = self.lift(&operands, |_, s| types::cat(s))?;
        Some(Expr { kind: ExprKind::Builtin("cat", parts), of })
    }

    /// `rep(x, n)`
    pub fn rep(&self, x: Expr, n: u32) -> Option<Expr> {
        let of = self.lift(&[&x], |_, s| types::rep(s[0], n))?;
        Some(Expr { kind: ExprKind::Builtin("rep", vec![x, self.number(n)]), of })
    }

    /// `len(x)`
    pub fn len(&self, x: Expr) -> Option<Expr> {
        let of = self.lift(&[&x], |_, s| match s[0].sized()? {
            Type::Array { len, .. } => Some(Static::number(Int::from(*len))),
            _ => None,
        })?;
        Some(Expr { kind: ExprKind::Builtin("len", vec![x]), of })
    }

    /// `ones(n)`
    pub fn ones(&self, widths: &[u32]) -> Option<Expr> {
        let of = self.lift(&[], |w, _| {
            let n = widths.get(w).filter(|n| (1..=types::MAX_WIDTH).contains(n))?;
            Some(Static::constant(Type::U(*n), Int::ones(*n)))
        })?;
        Some(Expr { kind: ExprKind::Builtin("ones", vec![self.numbers(widths)?]), of })
    }

    /// `clog2(n)`
    pub fn clog2(&self, x: Expr) -> Option<Expr> {
        let of = self.lift(&[&x], |_, s| {
            let v = s[0].int().filter(|v| s[0].is_integer() && **v >= Int::ONE)?;
            let bits = if *v == Int::ONE { 0 } else { (v - &Int::ONE).bits() };
            Some(Static::number(Int::from(bits)))
        })?;
        Some(Expr { kind: ExprKind::Builtin("clog2", vec![x]), of })
    }

    /// `[a, b]` where an array of this type is expected, or with elements of exactly its element type.
    pub fn list(&self, items: Vec<Expr>, target: &[Type]) -> Option<Expr> {
        let operands: Vec<&Expr> = items.iter().collect();
        let of = self.lift(&operands, |w, s| match target.get(w)? {
            ty @ Type::Array { len, elem } if *len as usize == s.len() && s.iter().all(|s| types::fits(s, elem)) => {
                let varies = s.iter().any(|s| s.known == Known::No);
                Some(Static { known: if varies { Known::No } else { Known::Some }, ..Static::varies(ty.clone()) })
            }
            _ => None,
        })?;
        Some(Expr { kind: ExprKind::List(items), of })
    }
}

/// Length and element; of a scalar, one of it.
pub fn array_parts(ty: &Type) -> (u32, Type) {
    match ty {
        Type::Array { len, elem } => (*len, (**elem).clone()),
        scalar => (1, scalar.clone()),
    }
}
