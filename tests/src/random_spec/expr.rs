//! Random expressions.

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::build::array_parts;
use super::generator::{Generator, Kind};
use super::model::*;
use super::types::{self, Known, Static};

/// Steps of a body, at most, that calls may add to.
pub const MAX_COST: u64 = 4000;

const EXACT: &[&str] = &["+", "-", "*"];
const MODULAR: &[&str] = &["+%", "-%", "*%", "/", "%"];
const BITWISE: &[&str] = &["&", "|", "^"];
const COMPARE: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

impl Generator {
    /// A width that breaks things, or any.
    pub fn some_width(&mut self) -> u32 {
        match self.dice.below(10) {
            0 => 8,
            1 => *self.dice.pick(&[1, 7, 9, 15, 16, 17, 31, 33, 63, 65, 127, 128]).unwrap_or(&1),
            2 => 32,
            3 => 64,
            4 => self.dice.between(65, 128),
            5 if self.dice.one_in(6) => *self.dice.pick(&[129, 256, 511, 1023, 1024]).unwrap_or(&129),
            5 | 6 => self.dice.between(33, 64),
            _ => self.dice.between(1, 32),
        }
    }

    /// A type of integer for each world: mostly one type, sometimes one that depends on XLEN or a generic.
    pub fn some_int_types(&mut self) -> Vec<Type> {
        let signed = self.dice.one_in(3);
        let of = |n: u32| if signed { Type::S(n) } else { Type::U(n) };
        let count = self.body.worlds.len();
        let generics = self.generic_exprs();
        let kind = self.dice.below(8);
        let widths: Vec<u32> = match kind {
            0 | 1 => (0..count).map(|w| self.xlen_in(w)).collect(),
            2 => {
                let (times, more) = (self.dice.between(1, 2), self.dice.between(0, 9));
                (0..count).map(|w| self.xlen_in(w) * times + more).map(|n| n.saturating_sub(4).max(1)).collect()
            }
            3 if !generics.is_empty() => {
                let (pick, more) = (self.dice.index(generics.len()), self.dice.between(0, 9));
                let of = |w: usize| generics.get(pick)?.of.get(w)?.int()?.to_u32();
                (0..count).map(|w| of(w).unwrap_or(1) + more).map(|n| n.clamp(1, 200)).collect()
            }
            _ => vec![self.some_width(); count],
        };
        let uniform = vec![of(self.some_width()); count];
        let types: Vec<Type> = widths.into_iter().map(of).collect();
        if self.type_text(&types).is_some() { types } else { uniform }
    }

    /// A scalar type for each world.
    pub fn some_scalar_types(&mut self) -> Vec<Type> {
        let enums = self.visible_enums();
        match self.dice.below(8) {
            0 => vec![Type::Bool; self.body.worlds.len()],
            1 if !enums.is_empty() => {
                let id = enums.get(self.dice.index(enums.len())).copied().unwrap_or(0);
                vec![self.enum_type(id); self.body.worlds.len()]
            }
            _ => self.some_int_types(),
        }
    }

    /// Any type for each world.
    pub fn some_types(&mut self) -> Vec<Type> {
        let mut types = self.some_scalar_types();
        if self.dice.one_in(4) {
            for _ in 0..self.dice.between(1, 2) {
                let len = self.dice.between(1, 5);
                types = types.into_iter().map(|ty| Type::array(ty, len)).collect();
            }
        }
        types
    }

    /// One of the visible values for which a test holds.
    fn value_where(&mut self, test: impl Fn(&Self, &Expr) -> bool) -> Option<Expr> {
        let all: Vec<Expr> = self.values().into_iter().filter(|e| test(self, e)).collect();
        let at = self.dice.index(all.len().max(1));
        all.into_iter().nth(at)
    }

    /// A number without a size, perhaps written with one.
    fn literal(&mut self) -> Expr {
        let (least, most) = (Int::from(-300), Int::pow2(self.dice.between(1, 70)));
        let v = self.dice.int(&least, &most);
        let radix = *self.dice.pick(&[Radix::Decimal, Radix::Hex, Radix::Binary]).unwrap_or(&Radix::Decimal);
        if v.is_negative() {
            return self.number(v);
        }
        let ty = match self.dice.below(4) {
            0 => Some(Type::U(v.bits().max(1) + self.dice.between(0, 5))),
            1 => Some(Type::S(v.bits() + 1 + self.dice.between(0, 5))),
            _ => None,
        };
        let of = match &ty {
            Some(ty) => Static::constant(ty.clone(), v.clone()),
            None => Static::number(v.clone()),
        };
        self.everywhere(ExprKind::Lit(v, radix, ty), of)
    }

    fn int_leaf(&mut self) -> Expr {
        match self.dice.below(8) {
            0 => self.literal(),
            1 if self.dice.one_in(2) => self.xlen_expr(),
            2 => {
                let all = self.generic_exprs();
                let at = self.dice.index(all.len().max(1));
                all.into_iter().nth(at).unwrap_or_else(|| self.literal())
            }
            _ => match self.value_where(|g, e| g.is(e, Static::is_integer)) {
                Some(value) => value,
                None => self.literal(),
            },
        }
    }

    fn out_of_fuel(&mut self, depth: u32) -> bool {
        self.body.fuel -= 1;
        self.spend(1);
        depth == 0 || self.body.fuel <= 0
    }

    /// Any integer.
    pub fn int(&mut self, depth: u32) -> Expr {
        if self.out_of_fuel(depth) {
            return self.int_leaf();
        }
        for _ in 0..3 {
            if let Some(e) = self.try_int(depth - 1) {
                // Very wide values are rare: they take long, and hide others.
                let wide = !self.is(&e, |s| s.core().width() <= 130);
                if !wide || self.dice.one_in(12) {
                    return e;
                }
                let n = self.some_width().min(128);
                if let Some(e) = self.resize(e, "wrap", &vec![n; self.body.worlds.len()]) {
                    return e;
                }
            }
        }
        self.int_leaf()
    }

    fn try_int(&mut self, depth: u32) -> Option<Expr> {
        match self.dice.below(24) {
            0 | 1 => Some(self.int_leaf()),
            2 | 3 => {
                let (a, b, op) = (self.int(depth), self.int(depth), self.dice.word(EXACT));
                self.binary(op, a, b)
            }
            4 | 5 => {
                let op = self.dice.word(MODULAR);
                let (a, b) = self.alike(depth, |g, a, b| g.binary(op, a.clone(), b.clone()).is_some())?;
                self.binary(op, a, b)
            }
            6 | 7 => {
                let op = self.dice.word(BITWISE);
                let (a, b) = self.alike(depth, |g, a, b| g.binary(op, a.clone(), b.clone()).is_some())?;
                self.binary(op, a, b)
            }
            8 | 9 => {
                let (a, op) = (self.int(depth), self.dice.word(&["<<", ">>"]));
                let b = self.natural(depth)?;
                if self.is(&a, Static::is_sized_integer)
                    || self.is(&b, |s| s.sized().is_none() && s.range().1 < Int::from(200))
                {
                    return self.binary(op, a, b);
                }
                let a = self.sized(a)?;
                self.binary(op, a, b)
            }
            10 => {
                let (a, op) = (self.int(depth), self.dice.word(&["-", "~"]));
                let a = if op == "~" { self.sized(a)? } else { a };
                self.unary(op, a)
            }
            11 | 12 => {
                let c = self.condition(depth);
                let (a, b) = self.alike(depth, |g, a, b| g.select(c.clone(), a.clone(), b.clone()).is_some())?;
                self.select(c, a, b)
            }
            13..=15 => {
                let a = self.int(depth);
                self.some_method(a)
            }
            16 => {
                let x = self.int(depth);
                let x = self.sized(x)?;
                self.some_bits(x, depth)
            }
            17 | 18 => self.element(depth, |s| s.sized().is_some_and(Type::is_integer)),
            19 => {
                let mut parts = Vec::new();
                for _ in 0..self.dice.between(1, 3) {
                    let part = self.int(depth);
                    parts.push(self.sized(part)?);
                }
                if parts.len() == 1 {
                    let (part, n) = (parts.pop()?, self.dice.between(1, 4));
                    return self.rep(part, n);
                }
                self.cat(parts)
            }
            20 => {
                let op = self.dice.word(&["min", "max"]);
                let (a, b) = self.alike(depth, |g, a, b| g.min_max(op, a.clone(), b.clone()).is_some())?;
                self.min_max(op, a, b)
            }
            21 => self.call_where(depth, |ty| ty.is_integer()),
            22 => match self.dice.below(4) {
                0 => {
                    let x = self.value_where(|g, e| g.is(e, |s| matches!(s.sized(), Some(Type::Array { .. }))))?;
                    self.len(x)
                }
                1 => {
                    let n = self.dice.between(1, 2000);
                    self.clog2(self.number(n))
                }
                2 => {
                    let n = self.some_width();
                    self.ones(&vec![n; self.body.worlds.len()])
                }
                _ => {
                    let x = self.array_value()?;
                    self.method(x, "join")
                }
            },
            _ => {
                let x = if self.dice.one_in(2) { self.bool(depth) } else { self.enum_value(depth)? };
                self.method(x, "unsigned")
            }
        }
    }

    /// Two integers for which a construct is possible; the second is converted to the type of the first if it must be.
    fn alike(&mut self, depth: u32, possible: impl Fn(&Self, &Expr, &Expr) -> bool) -> Option<(Expr, Expr)> {
        let (a, b) = (self.int(depth), self.int(depth));
        if possible(self, &a, &b) {
            return Some((a, b));
        }
        let a = self.sized(a)?;
        let types: Vec<Type> = a.of.iter().map(Static::core).collect();
        let b = self.exact(b, &types)?;
        possible(self, &a, &b).then_some((a, b))
    }

    /// The same number with a size.
    fn sized(&mut self, e: Expr) -> Option<Expr> {
        if self.is(&e, Static::is_sized_integer) {
            return Some(e);
        }
        let types = self.some_int_types();
        self.exact(e, &types)
    }

    /// An integer that is never negative and not signed.
    fn natural(&mut self, depth: u32) -> Option<Expr> {
        let e = self.int(depth);
        let is_natural = |s: &Static| !s.range().0.is_negative() && !s.sized().is_some_and(Type::is_signed);
        if self.is(&e, is_natural) {
            return Some(e);
        }
        self.method(e, "unsigned")
    }

    fn some_method(&mut self, x: Expr) -> Option<Expr> {
        let count = self.body.worlds.len();
        let name = self.dice.word(&["trunc", "zext", "sext", "ext", "wrap", "sat", "usat", "signed", "unsigned"]);
        if let "signed" | "unsigned" = name {
            return self.method(x, name);
        }
        let n = self.some_width();
        let most = x.of.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(s, _)| s.core().width()).max()?;
        let least = x.of.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(s, _)| s.core().width()).min()?;
        let n = match name {
            "trunc" => self.dice.between(1, least),
            "zext" | "sext" | "ext" => (most + self.dice.between(0, 40)).min(types::MAX_WIDTH),
            _ => n,
        };
        self.resize(x, name, &vec![n; count])
    }

    fn some_bits(&mut self, x: Expr, depth: u32) -> Option<Expr> {
        let widths: Vec<u32> = x.of.iter().map(|s| s.core().width()).collect();
        let least = x.of.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(s, _)| s.core().width()).min()?;
        match self.dice.below(3) {
            0 => {
                let at = self.position(least, depth)?;
                self.index(x, at)
            }
            1 => {
                let l = self.dice.between(0, least - 1);
                // The top bit of each world, or one number.
                let h: Vec<u32> = match self.dice.below(3) {
                    0 => widths.iter().map(|w| w.saturating_sub(1)).collect(),
                    _ => vec![self.dice.between(l, least - 1); widths.len()],
                };
                self.slice(x, &h, &vec![l; widths.len()])
            }
            _ => {
                let count = self.dice.between(1, least);
                let at = self.position(least - count + 1, depth)?;
                self.part(x, at, count)
            }
        }
    }

    /// A position in something of at least this length: any that varies, or a constant inside.
    pub fn position(&mut self, len: u32, depth: u32) -> Option<Expr> {
        if self.dice.one_in(2) {
            let at = self.natural(depth)?;
            if self.is(&at, |s| types::position(s, len)) {
                return Some(at);
            }
        }
        let at = self.dice.between(0, len - 1);
        Some(self.number(at))
    }

    /// An element of an array, possibly of an array in it.
    fn element(&mut self, depth: u32, wanted: impl Fn(&Static) -> bool) -> Option<Expr> {
        let mut x = self.array_value()?;
        while self.is(&x, |s| matches!(s.sized(), Some(Type::Array { .. }))) {
            let lens = x.of.iter().zip(&self.body.active).filter(|(_, on)| **on);
            let len = lens.filter_map(|(s, _)| Some(array_parts(s.sized()?).0)).min()?;
            let at = self.position(len, depth)?;
            x = self.index(x, at)?;
        }
        self.is(&x, wanted).then_some(x)
    }

    /// Some array: a value in scope, or a number cut up.
    fn array_value(&mut self) -> Option<Expr> {
        if self.dice.one_in(4) {
            let (n, times) = (self.dice.between(1, 9), self.dice.between(1, 6));
            let x = self.int(1);
            let x = self.resize(x, "wrap", &vec![n * times; self.body.worlds.len()])?;
            return self.resize(x, "split", &vec![n; self.body.worlds.len()]);
        }
        self.value_where(|g, e| g.is(e, |s| matches!(s.sized(), Some(Type::Array { .. }))))
    }

    /// A condition: `bool`, or `u1` at times.
    pub fn condition(&mut self, depth: u32) -> Expr {
        if self.dice.one_in(6) {
            let x = self.int(depth);
            let bit = self.sized(x).and_then(|x| self.some_bits(x, depth));
            if let Some(bit) = bit.filter(|b| self.is(b, |s| types::condition(s).is_some())) {
                return bit;
            }
        }
        let c = self.bool(depth);
        if self.is(&c, |s| types::condition(s).is_some()) { c } else { self.bool_literal() }
    }

    fn bool_literal(&mut self) -> Expr {
        let v = self.dice.one_in(2);
        self.everywhere(ExprKind::Bool(v), Static::constant(Type::Bool, Int::from(v)))
    }

    /// A bool.
    pub fn bool(&mut self, depth: u32) -> Expr {
        if !self.out_of_fuel(depth) {
            for _ in 0..3 {
                if let Some(e) = self.try_bool(depth - 1) {
                    return e;
                }
            }
        }
        match self.value_where(|g, e| g.is(e, |s| s.sized() == Some(&Type::Bool))) {
            Some(value) => value,
            None => {
                // Constants decide too much to be frequent.
                let (a, op) = (self.int_leaf(), self.dice.word(COMPARE));
                let b = self.int_leaf();
                self.binary(op, a, b).unwrap_or_else(|| self.bool_literal())
            }
        }
    }

    fn try_bool(&mut self, depth: u32) -> Option<Expr> {
        match self.dice.below(10) {
            0..=3 => {
                let (a, b, op) = (self.int(depth), self.int(depth), self.dice.word(COMPARE));
                self.binary(op, a, b)
            }
            4 | 5 => {
                let (a, b, op) = (self.condition(depth), self.condition(depth), self.dice.word(&["&&", "||"]));
                self.binary(op, a, b)
            }
            6 => {
                let c = self.condition(depth);
                self.unary("!", c)
            }
            7 => {
                let (a, b) = (self.bool(depth), self.bool(depth));
                let op = self.dice.word(&["==", "!=", "&", "|", "^"]);
                self.binary(op, a, b)
            }
            8 => {
                let a = self.enum_value(depth)?;
                let types: Vec<Type> = a.of.iter().map(Static::core).collect();
                let (b, op) = (self.of_types(&types, depth)?, self.dice.word(&["==", "!="]));
                self.binary(op, a, b)
            }
            _ => {
                let (c, a, b) = (self.condition(depth), self.bool(depth), self.bool(depth));
                self.select(c, a, b)
            }
        }
    }

    /// A value of some visible enum.
    fn enum_value(&mut self, depth: u32) -> Option<Expr> {
        let enums = self.visible_enums();
        let id = *self.dice.pick(&enums)?;
        let ty = self.enum_type(id);
        self.of_types(&vec![ty; self.body.worlds.len()], depth)
    }

    /// A call of a function whose result passes a test.
    fn call_where(&mut self, depth: u32, wanted: impl Fn(&Type) -> bool) -> Option<Expr> {
        let mut found = Vec::new();
        for (f, callee) in self.fns.iter().enumerate() {
            let affordable = self.body.cost + callee.cost * self.body.factor < MAX_COST;
            if self.body.kind == Kind::Law || !affordable || !self.sees(callee.sections.as_deref()) {
                continue;
            }
            for (i, instance) in callee.instances.iter().enumerate() {
                let result = self.project(&instance.result);
                if self.each_active(|w| result.get(w).is_some_and(&wanted)) {
                    found.push((f, i));
                }
            }
        }
        let (f, i) = *self.dice.pick(&found)?;
        let callee = self.fns.get(f)?.clone();
        let instance = callee.instances.get(i)?;
        let mut args = Vec::new();
        for param in &instance.params {
            let types = self.project(param);
            let is_array = matches!(self.first_active(&types), Some(Type::Array { .. }));
            args.push(match callee.is_generic {
                // A list has no type before the generics are known.
                true if is_array => self.value_where(|g, e| g.fits(e, &types))?,
                true => {
                    let arg = self.of_types(&types, depth.min(2))?;
                    self.exact_or_same(arg, &types)?
                }
                false => self.of_types(&types, depth.min(2))?,
            });
        }
        self.spend(callee.cost);
        let of = self.project(&instance.result).into_iter().map(Static::varies).collect();
        Some(Expr { kind: ExprKind::Call(callee.name, args), of })
    }

    /// An expression that needs no conversion to some types.
    pub fn of_types(&mut self, target: &[Type], depth: u32) -> Option<Expr> {
        let first = self.first_active(target)?.clone();
        if matches!(first, Type::Array { .. }) {
            return self.array(target, depth);
        }
        if self.dice.one_in(3)
            && let Some(value) = self.value_where(|g, e| g.fits(e, target))
        {
            return Some(value);
        }
        match &first {
            Type::Bool => Some(self.bool(depth)),
            Type::Enum { id, .. } => {
                let info = self.enums.get(id.index())?.clone();
                if depth > 0 && self.dice.one_in(3) {
                    let base = self.int(depth - 1);
                    let base = self.exact(base, &vec![info.base.clone(); self.body.worlds.len()])?;
                    return self.convert(base, target);
                }
                let (case, pattern) = self.dice.pick(&info.cases)?.clone();
                Some(self.everywhere(ExprKind::Case(info.name, case), Static::constant(first.clone(), pattern)))
            }
            _ => {
                if depth == 0 || self.body.fuel <= 0 {
                    return Some(self.number_for(target));
                }
                if self.dice.one_in(4) {
                    let op = self.dice.word(MODULAR);
                    let (a, b) = (self.of_types(target, depth - 1)?, self.of_types(target, depth - 1)?);
                    let both = self.binary(op, a.clone(), b.clone());
                    if let Some(e) = both.or_else(|| {
                        let a = self.exact(a, target)?;
                        self.binary(op, a, b)
                    }) {
                        return Some(e);
                    }
                }
                let e = self.int(depth);
                if self.fits(&e, target) {
                    return Some(e);
                }
                self.exact(e, target).or_else(|| Some(self.number_for(target)))
            }
        }
    }

    /// A literal that fits some integer types.
    pub fn number_for(&mut self, target: &[Type]) -> Expr {
        let ranges = target.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(ty, _)| ty.range());
        let common = ranges.reduce(|(al, ah), (bl, bh)| (al.max(bl), ah.min(bh)));
        let (lo, hi) = common.unwrap_or((Int::ZERO, Int::ZERO));
        let v = self.dice.int(&lo, &hi);
        self.number(v)
    }

    /// A conversion to exactly some integer types.
    pub fn exact(&mut self, e: Expr, target: &[Type]) -> Option<Expr> {
        if self.each_active(|w| e.of.get(w).and_then(Static::sized) == target.get(w)) {
            return Some(e);
        }
        let e = if self.is(&e, Static::is_integer) { e } else { self.method(e, "unsigned")? };
        if self.fits(&e, target)
            && self.dice.one_in(2)
            && let Some(e) = self.convert(e.clone(), target)
        {
            return Some(e);
        }
        let widths: Vec<u32> = target.iter().map(Type::width).collect();
        let signed = self.first_active(target)?.is_signed();
        let name = self.dice.word(&["wrap", "wrap", "wrap", "sat", "usat", "trunc", "ext"]);
        let e = match self.resize(e.clone(), name, &widths) {
            Some(e) => e,
            None => self.resize(e, "wrap", &widths)?,
        };
        if self.each_active(|w| e.of.get(w).and_then(Static::sized) == target.get(w)) {
            return Some(e);
        }
        self.method(e, if signed { "signed" } else { "unsigned" })
    }

    fn exact_or_same(&mut self, e: Expr, target: &[Type]) -> Option<Expr> {
        let is_integer = self.first_active(target).is_some_and(Type::is_integer);
        if is_integer { self.exact(e, target) } else { Some(e) }
    }

    /// An array of some types.
    fn array(&mut self, target: &[Type], depth: u32) -> Option<Expr> {
        if self.dice.one_in(2)
            && let Some(value) = self.value_where(|g, e| g.fits(e, target))
        {
            return Some(value);
        }
        if depth > 0 && self.dice.one_in(4) {
            let wanted = target.to_vec();
            if let Some(e) = self.call_where(depth - 1, |ty| wanted.contains(ty)).filter(|e| self.fits(e, target)) {
                return Some(e);
            }
        }
        if depth > 1 && self.dice.one_in(4) {
            let (c, a, b) = (self.condition(1), self.array(target, depth - 1)?, self.array(target, depth - 1)?);
            return self.select(c, a, b);
        }
        let parts: Vec<(u32, Type)> = target.iter().map(array_parts).collect();
        let lens: Vec<u32> = parts.iter().map(|p| p.0).collect();
        let elems: Vec<Type> = parts.into_iter().map(|p| p.1).collect();
        let len = *self.first_active(&lens)?;
        let uniform = self.each_active(|w| lens.get(w) == Some(&len));
        if uniform && len <= 6 && self.dice.one_in(2) {
            let mut items = Vec::new();
            for _ in 0..len {
                items.push(self.of_types(&elems, depth.saturating_sub(1))?);
            }
            return self.list(items, target);
        }
        self.comprehension(&lens, &elems, depth)
    }

    /// `[for i in lo..hi => e]`
    fn comprehension(&mut self, lens: &[u32], elems: &[Type], depth: u32) -> Option<Expr> {
        let start = if self.dice.one_in(4) { self.dice.between(1, 9) } else { 0 };
        let ends: Vec<u32> = lens.iter().map(|len| start + len).collect();
        let (lo, hi) = (self.number(start), self.numbers(&ends)?);
        let name = self.local();
        let of = ends.iter().map(|end| Static::ranged(Int::from(start), Int::from(*end - 1))).collect();
        let most = u64::from(*lens.iter().max()?);
        let (vars, factor) = (self.body.vars.len(), self.body.factor);
        self.body.vars.push(super::generator::Var { name, of, mutable: false });
        self.body.factor *= most;
        let elem = self.of_types(elems, if factor * most > 500 { 0 } else { depth.saturating_sub(1) });
        self.body.vars.truncate(vars);
        self.body.factor = factor;
        let types = lens.iter().zip(elems).map(|(len, ty)| Type::array(ty.clone(), *len));
        let of = types.map(|ty| Static { known: Known::No, ..Static::varies(ty) }).collect();
        Some(Expr { kind: ExprKind::Comprehension(name, Box::new(lo), Box::new(hi), Box::new(elem?)), of })
    }
}
