//! Random statements.

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::build::array_parts;
use super::generator::{Generator, Kind, Var};
use super::model::*;
use super::types::{self, Known, Static, Ty};

/// How often one place runs at most.
const MAX_FACTOR: u64 = 200;

/// A statement, and in which worlds it ends the body.
struct Flow {
    stmt: Stmt,
    ends: Vec<bool>,
    /// It is a branch of a constant condition: what follows is dropped where it ends.
    constant: bool,
}

impl Generator {
    /// The statements of a body.
    pub fn statements(&mut self, depth: u32, must_end: bool) -> Vec<Stmt> {
        self.block(depth, must_end).0
    }

    fn count(&self) -> usize {
        self.body.worlds.len()
    }

    fn all_active(&self, flags: &[bool]) -> bool {
        self.each_active(|w| flags.get(w) == Some(&true))
    }

    /// A block, and whether it ends the body: in all worlds or in none.
    fn block(&mut self, depth: u32, must_end: bool) -> (Vec<Stmt>, bool) {
        let vars = self.body.vars.len();
        let mut stmts = Vec::new();
        let mut ended = vec![false; self.count()];
        for _ in 0..self.dice.between(u32::from(!must_end), 4) {
            self.body.fuel = 24;
            let Some(flow) = self.stmt(depth) else { continue };
            stmts.push(flow.stmt);
            ended.iter_mut().zip(&flow.ends).for_each(|(all, one)| *all |= one);
            let stops = flow.ends.iter().any(|e| *e) && !flow.constant;
            if stops || self.all_active(&ended) {
                break;
            }
        }
        let mixed = ended.iter().zip(&self.body.active).any(|(e, on)| *e && *on);
        let mut ends = self.all_active(&ended);
        if !ends && (must_end || mixed) {
            self.body.fuel = 24;
            stmts.extend(self.ending(depth));
            ends = true;
        }
        self.body.vars.truncate(vars);
        (stmts, ends)
    }

    /// Statements of which the last ends the body.
    fn ending(&mut self, depth: u32) -> Vec<Stmt> {
        let in_command = self.body.kind == Kind::Command;
        match self.dice.below(10) {
            6 if depth > 0 => {
                let cond = self.varying_condition();
                if let Some(cond) = cond {
                    let (then, other) = (self.block(depth - 1, true).0, self.block(depth - 1, true).0);
                    return vec![Stmt::If(cond, then, Some(other))];
                }
                self.returned()
            }
            7 if depth > 0 => match self.match_stmt(depth, true) {
                Some(flow) if !flow.constant => vec![flow.stmt],
                _ => self.returned(),
            },
            8 if in_command && self.body.may_raise => vec![self.raise()],
            9 if in_command && self.dice.one_in(3) => vec![Stmt::Trap],
            _ => self.returned(),
        }
    }

    fn returned(&mut self) -> Vec<Stmt> {
        let Some(types) = self.body.result.clone() else { return vec![Stmt::Return(None)] };
        let value = self.init(&types);
        let is_array = matches!(self.first_active(&types), Some(Type::Array { .. }));
        match self.type_text(&types).filter(|_| is_array && !self.fits(&value, &types)) {
            // A scalar fills an array where one is declared, and nowhere else.
            Some(text) => {
                let (name, of) = (self.local(), types.into_iter().map(Static::varies).collect());
                let filled = Expr { kind: ExprKind::Name(name), of };
                vec![Stmt::Var(name, text, value), Stmt::Return(Some(filled))]
            }
            None => vec![Stmt::Return(Some(value))],
        }
    }

    /// A value that a declaration of some types takes; a scalar fills an array.
    pub fn init(&mut self, types: &[Type]) -> Expr {
        let is_array = matches!(self.first_active(types), Some(Type::Array { .. }));
        if !is_array || !self.dice.one_in(5) {
            for depth in [3, 1, 0] {
                if let Some(e) = self.of_types(types, depth) {
                    return e;
                }
            }
        }
        let scalars: Vec<Type> = types.iter().map(|ty| ty.flattened().0.clone()).collect();
        match self.of_types(&scalars, 2) {
            Some(e) => e,
            None => self.number_for(&scalars),
        }
    }

    fn raise(&mut self) -> Stmt {
        let errors = self.visible_errors();
        let error = self.dice.pick(&errors).copied().unwrap_or(Raised::Word("op"));
        let result = self.body.result.clone();
        let value = result.filter(|_| self.dice.one_in(2)).and_then(|types| self.of_types(&types, 2));
        Stmt::Raise { error, commit: self.dice.one_in(3), value }
    }

    /// A condition that is constant in all worlds or in none; and which it is.
    fn uniform_condition(&mut self) -> Option<(Expr, bool)> {
        let cond = if self.dice.one_in(6) { self.constant_condition()? } else { self.condition(3) };
        let varies = self.is(&cond, |s| s.known == Known::No);
        let known = self.is(&cond, |s| s.int().is_some());
        (varies || known).then_some((cond, known))
    }

    fn varying_condition(&mut self) -> Option<Expr> {
        self.uniform_condition().filter(|(_, known)| !known).map(|(cond, _)| cond)
    }

    /// A comparison of XLEN, a generic or a constant.
    fn constant_condition(&mut self) -> Option<Expr> {
        let mut numbers = vec![self.xlen_expr()];
        numbers.extend(self.generic_exprs());
        numbers.extend(self.values().into_iter().filter(|e| self.is(e, |s| s.is_integer() && s.int().is_some())));
        let x = self.dice.pick(&numbers)?.clone();
        let v = x.of.get(self.dice.index(x.of.len())).and_then(|s| s.int().cloned()).unwrap_or(Int::ZERO);
        let (op, y) = (self.dice.word(&["==", "!=", "<", ">="]), self.number(v));
        self.binary(op, x, y)
    }

    fn never(&self, stmt: Stmt) -> Option<Flow> {
        Some(Flow { stmt, ends: vec![false; self.count()], constant: false })
    }

    fn stmt(&mut self, depth: u32) -> Option<Flow> {
        let nested = depth > 0 && self.body.cost < 2000;
        match self.dice.below(if nested { 12 } else { 7 }) {
            0 | 1 => {
                let stmt = self.let_stmt()?;
                self.never(stmt)
            }
            2 | 3 => {
                let types = self.some_types();
                let (text, init, name) = (self.type_text(&types)?, self.init(&types), self.local());
                self.declare(name, types.into_iter().map(Static::varies).collect(), true);
                self.never(Stmt::Var(name, text, init))
            }
            4..=6 => {
                let stmt = self.assign()?;
                self.never(stmt)
            }
            7 | 8 => self.if_stmt(depth),
            9 => {
                let stmt = self.for_stmt(depth)?;
                self.never(stmt)
            }
            10 => self.match_stmt(depth, false),
            _ => {
                let cond = self.varying_condition()?;
                let then = self.block(depth - 1, true).0;
                self.never(Stmt::If(cond, then, None))
            }
        }
    }

    fn declare(&mut self, name: Name, of: Vec<Static>, mutable: bool) {
        self.body.vars.push(Var { name, of, mutable });
    }

    fn let_stmt(&mut self) -> Option<Stmt> {
        if self.dice.one_in(3) {
            let types = self.some_types();
            let (text, init, name) = (self.type_text(&types)?, self.init(&types), self.local());
            self.declare(name, types.into_iter().map(Static::varies).collect(), false);
            return Some(Stmt::Let(name, Some(text), init));
        }
        let init = match self.dice.below(6) {
            0 => self.bool(3),
            1 => {
                let types = self.some_types();
                let e = self.of_types(&types, 3)?;
                // A list of numbers without a size has no type here.
                let is_array = matches!(self.first_active(&types), Some(Type::Array { .. }));
                if is_array && !matches!(e.kind, ExprKind::Name(_) | ExprKind::Call(..)) {
                    return None;
                }
                e
            }
            _ => self.int(4),
        };
        let name = self.local();
        // A number that is known is only a name for it; everything else is a local.
        let of = init.of.iter().map(|s| match (&s.ty, &s.known) {
            (Ty::Unsized { .. }, Known::Int(_)) => s.clone(),
            (ty, _) => Static { ty: ty.clone(), known: Known::No },
        });
        let of = of.collect();
        self.declare(name, of, false);
        Some(Stmt::Let(name, None, init))
    }

    fn assign(&mut self) -> Option<Stmt> {
        let mut roots: Vec<(Name, Vec<Type>)> = Vec::new();
        for var in self.body.vars.iter().filter(|v| v.mutable) {
            roots.push((var.name, var.of.iter().map(Static::core).collect()));
        }
        if self.body.kind == Kind::Command {
            for global in self.globals.iter().filter(|g| g.is_field && self.sees(g.sections.as_deref())) {
                roots.push((global.name, self.project(&global.of).iter().map(Static::core).collect()));
            }
        }
        let (root, mut types) = self.dice.pick(&roots)?.clone();
        let mut path = Vec::new();
        while matches!(self.first_active(&types), Some(Type::Array { .. })) && !self.dice.one_in(4) {
            let parts: Vec<(u32, Type)> = types.iter().map(array_parts).collect();
            let len = parts.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(p, _)| p.0).min()?;
            path.push(PlaceStep::Index(self.position(len, 2)?));
            types = parts.into_iter().map(|p| p.1).collect();
        }
        if self.first_active(&types)?.is_integer() && self.dice.one_in(3) {
            let (step, width) = self.place_bits(&types)?;
            path.push(step);
            types = vec![Type::U(width); self.count()];
        }
        if self.first_active(&types)?.is_integer() && self.dice.one_in(3) {
            let op = self.dice.word(&["+%=", "-%=", "*%=", "<<=", ">>=", "^=", "|=", "&="]);
            let value = match op {
                "<<=" | ">>=" => {
                    let value = self.int(3);
                    self.method(value, "unsigned")?
                }
                _ => {
                    let value = self.of_types(&types, 3)?;
                    self.exact(value, &types)?
                }
            };
            return Some(Stmt::Assign(root, path, op, value));
        }
        let value = self.init(&types);
        Some(Stmt::Assign(root, path, "=", value))
    }

    /// Bits of integers, and how many.
    fn place_bits(&mut self, types: &[Type]) -> Option<(PlaceStep, u32)> {
        let least = types.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(ty, _)| ty.width()).min()?;
        Some(match self.dice.below(3) {
            0 => (PlaceStep::Index(self.position(least, 2)?), 1),
            1 => {
                let l = self.dice.between(0, least - 1);
                let h = self.dice.between(l, least - 1);
                (PlaceStep::Slice(self.number(h), self.number(l)), h - l + 1)
            }
            _ => {
                let count = self.dice.between(1, least);
                let at = self.position(least - count + 1, 2)?;
                (PlaceStep::Part(at, self.number(count)), count)
            }
        })
    }

    /// Runs something with only some of the worlds that are checked.
    fn within<T>(&mut self, taken: &[bool], inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.body.active.clone();
        let narrowed: Vec<bool> = before.iter().zip(taken).map(|(on, taken)| *on && *taken).collect();
        // What no world checks may be anything; it is written as if all did.
        if narrowed.iter().any(|on| *on) {
            self.body.active = narrowed;
        }
        let result = inner(self);
        self.body.active = before;
        result
    }

    fn if_stmt(&mut self, depth: u32) -> Option<Flow> {
        let (cond, known) = self.uniform_condition()?;
        let (ends_then, ends_other) = (self.dice.one_in(4), self.dice.one_in(4));
        let has_other = self.dice.one_in(2);
        if !known {
            let (then, a) = self.block(depth - 1, ends_then);
            let other = has_other.then(|| self.block(depth - 1, ends_other));
            let ends = a && other.as_ref().is_some_and(|o| o.1);
            let stmt = Stmt::If(cond, then, other.map(|o| o.0));
            return Some(Flow { stmt, ends: vec![ends; self.count()], constant: false });
        }
        let taken: Vec<bool> = cond.of.iter().map(|s| s.int().is_some_and(|v| !v.is_zero())).collect();
        let others: Vec<bool> = taken.iter().map(|t| !t).collect();
        let (then, a) = self.within(&taken, |g| g.block(depth - 1, ends_then));
        let other = has_other.then(|| self.within(&others, |g| g.block(depth - 1, ends_other)));
        let b = other.as_ref().is_some_and(|o| o.1);
        let ends = taken.iter().zip(&self.body.active).map(|(t, on)| *on && if *t { a } else { b }).collect();
        Some(Flow { stmt: Stmt::If(cond, then, other.map(|o| o.0)), ends, constant: true })
    }

    fn for_stmt(&mut self, depth: u32) -> Option<Stmt> {
        let name = self.local();
        let first = self.dice.between(0, 8) as i64 - if self.dice.one_in(5) { 6 } else { 0 };
        let mut lo = self.number(first);
        // A loop within a loop may begin where the outer one is.
        if self.dice.one_in(3) {
            let vars =
                self.body.vars.iter().filter(|v| v.of.iter().all(|s| s.sized().is_none() && s.known == Known::No));
            let vars: Vec<Var> = vars.cloned().collect();
            if let Some(var) = self.dice.pick(&vars) {
                lo = Expr { kind: ExprKind::Name(var.name), of: var.of.clone() };
            }
        }
        let least = lo.of.iter().map(|s| s.range().0).min()?;
        let hi = match self.dice.below(6) {
            0 => {
                let all = self.generic_exprs();
                self.dice.pick(&all).cloned().unwrap_or_else(|| self.xlen_expr())
            }
            1 => {
                let end = (&least + &Int::from(self.dice.below(5))).max(Int::ZERO);
                let ty = Type::U(end.bits() + 3);
                self.everywhere(ExprKind::Lit(end.clone(), Radix::Decimal, Some(ty.clone())), Static::constant(ty, end))
            }
            _ => {
                let rounds = self.dice.below(6);
                self.number(&least + &Int::from(rounds))
            }
        };
        let mut of = Vec::new();
        let mut rounds = 1;
        for w in 0..self.count() {
            let (lo, hi) = (lo.of.get(w)?, hi.of.get(w)?);
            let (least, most) = (lo.range().0, hi.int().cloned().unwrap_or(hi.range().1));
            if most < least {
                return None;
            }
            rounds = rounds.max((&most - &least).to_u64()?);
            of.push(Static::ranged(least.clone(), (&most - &Int::ONE).max(least)));
        }
        let (vars, factor) = (self.body.vars.len(), self.body.factor);
        if factor * rounds > MAX_FACTOR {
            return None;
        }
        self.declare(name, of, false);
        self.body.factor = factor * rounds;
        let ends = self.dice.one_in(8);
        let body = self.block(depth - 1, ends).0;
        self.body.factor = factor;
        self.body.vars.truncate(vars);
        Some(Stmt::For(name, lo, hi, body))
    }

    fn match_stmt(&mut self, depth: u32, must_end: bool) -> Option<Flow> {
        let value = match self.dice.below(6) {
            0 => self.bool(2),
            1 => {
                let types = self.some_scalar_types();
                self.of_types(&types, 2)?
            }
            2 => {
                let mut numbers = vec![self.xlen_expr()];
                numbers.extend(self.generic_exprs());
                self.dice.pick(&numbers)?.clone()
            }
            _ => self.int(3),
        };
        let varies = self.is(&value, |s| s.known == Known::No);
        let number = self.is(&value, |s| s.sized().is_none() && s.int().is_some());
        if !varies && !number {
            return None;
        }
        let (mut groups, complete) = self.patterns(&value)?;
        self.dice.shuffle(&mut groups);
        if !complete {
            groups.push(vec![Pattern::Any]);
        }
        let mut arms = Vec::new();
        let mut ends = vec![!number; self.count()];
        let mut left: Vec<bool> = vec![true; self.count()];
        for patterns in groups {
            let arm_ends = must_end || self.dice.one_in(4);
            if !number {
                let (body, ended) = self.block(depth - 1, arm_ends);
                ends.iter_mut().for_each(|e| *e &= ended);
                arms.push(Arm { patterns, body });
                continue;
            }
            let takes = |s: &Static| s.int().is_some_and(|v| patterns.iter().any(|p| matches_int(p, v)));
            let taken: Vec<bool> = value.of.iter().zip(&left).map(|(s, left)| *left && takes(s)).collect();
            left.iter_mut().zip(&taken).for_each(|(l, t)| *l &= !t);
            let (body, ended) = self.within(&taken, |g| g.block(depth - 1, arm_ends));
            ends.iter_mut().zip(&taken).filter(|(_, t)| **t).for_each(|(e, _)| *e = ended);
            arms.push(Arm { patterns, body });
        }
        ends.iter_mut().zip(&self.body.active).for_each(|(e, on)| *e &= on);
        Some(Flow { stmt: Stmt::Match(value, arms), ends, constant: number })
    }

    /// Patterns in groups for arms that overlap nowhere; and whether they cover everything.
    fn patterns(&mut self, value: &Expr) -> Option<(Vec<Vec<Pattern>>, bool)> {
        let first = self.first_active(&value.of)?.clone();
        let mut singles: Vec<Pattern> = Vec::new();
        let mut complete: bool;
        match first.sized() {
            Some(Type::Bool) => {
                singles.extend([Pattern::Bool(true), Pattern::Bool(false)]);
                complete = true;
            }
            Some(Type::Enum { id, width }) => {
                let info = self.enums.get(id.index())?.clone();
                singles.extend(info.cases.iter().map(|(case, _)| Pattern::Name(*case)));
                complete = Int::from(info.cases.len()) == Int::pow2(*width);
            }
            _ if !first.is_integer() => return None,
            _ => {
                let active = || value.of.iter().zip(&self.body.active).filter(|(_, on)| **on).map(|(s, _)| s.range());
                let uniform = active().all(|range| range == first.range());
                let known = first.int().is_some();
                // Of one known number any pattern may be asked; of others only those that may occur.
                let (lo, hi) = match known {
                    true => (Int::from(-9), Int::from(99)),
                    false => active().reduce(|(al, ah), (bl, bh)| (al.max(bl), ah.min(bh)))?,
                };
                if lo > hi {
                    return None;
                }
                let mut cuts = vec![lo.clone(), &hi + &Int::ONE];
                for _ in 0..self.dice.between(1, 6) {
                    let cut = self.dice.int(&lo, &hi);
                    cuts.extend([(&cut + &Int::ONE).min(&hi + &Int::ONE), cut]);
                }
                // No literal has 1025 bits: the greatest value of the widest type stands alone.
                if hi.bits() == types::MAX_WIDTH {
                    cuts.push(hi);
                }
                cuts.sort();
                cuts.dedup();
                for pair in cuts.windows(2) {
                    let (a, b) = (pair.first()?.clone(), pair.get(1)?.clone());
                    singles.push(if &a + &Int::ONE == b { Pattern::Int(a) } else { Pattern::Range(a, b) });
                }
                complete = uniform && !known;
            }
        }
        self.dice.shuffle(&mut singles);
        if singles.len() > 1 && self.dice.one_in(2) {
            let kept = self.dice.between(1, singles.len() as u32 - 1);
            singles.truncate(kept as usize);
            complete = false;
        }
        let mut groups: Vec<Vec<Pattern>> = Vec::new();
        for single in singles {
            match groups.last_mut() {
                Some(group) if self.dice.one_in(3) => group.push(single),
                _ => groups.push(vec![single]),
            }
        }
        Some((groups, complete))
    }
}

fn matches_int(pattern: &Pattern, v: &Int) -> bool {
    match pattern {
        Pattern::Int(p) => p == v,
        Pattern::Range(lo, hi) => lo <= v && v < hi,
        Pattern::Any => true,
        Pattern::Bool(_) | Pattern::Name(_) => false,
    }
}
