//! Lowers statements.

use std::collections::HashSet;

use super::array::{Access, word};
use super::ir::{Base, CompareOp, Expr, ExprKind as Kind, Slice, Stmt, Ty, limbs, ones, pattern};
use super::lowerer::{Lowerer, element, elements, in_memory, is_wide};
use super::scalar::int_const;
use super::value::{self, Val};
use super::{flow, ir};
use crate::contract::core::{self, Arm, BinaryOp, ExprKind, LocalId, Place, PlaceRoot, PlaceStep, Type, Value};
use crate::int::Int;

/// A range of patterns up to this size becomes single values of a switch.
const CASES_OF_A_RANGE: i32 = 16;

fn typed(ty: Type, kind: ExprKind) -> core::Expr {
    core::Expr { ty, kind }
}

fn typed_binary(ty: Type, op: BinaryOp, a: core::Expr, b: core::Expr) -> core::Expr {
    typed(ty, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

impl Lowerer<'_> {
    /// Lowers a block into the current one.
    pub fn statements(&mut self, stmts: &[core::Stmt]) {
        for stmt in stmts {
            if flow::surely_sets_state(stmt) {
                self.mark_dirty();
            }
            self.statement(stmt);
        }
    }

    fn nested(&mut self, stmts: &[core::Stmt]) -> Vec<Stmt> {
        self.capture(|l| l.statements(stmts)).0
    }

    fn statement(&mut self, stmt: &core::Stmt) {
        match stmt {
            core::Stmt::Let(id, e) => self.begin(*id, e),
            core::Stmt::Set(place, e) => {
                let root = match place.root {
                    PlaceRoot::Local(id) => self.type_of(id),
                    PlaceRoot::State(id) => self.field_type(id),
                };
                self.set(&root, place, e);
            }
            core::Stmt::If(c, a, b) => {
                let c = self.truth(c);
                let before = self.dirty();
                let then = self.nested(a);
                let after = self.swap_dirty(before);
                let other = self.nested(b);
                let both = self.dirty() && after;
                self.swap_dirty(before || both);
                self.emit_if(c, then, other);
            }
            core::Stmt::For { local, lo, hi, body } => {
                let before = self.dirty();
                self.for_range(*local, lo, hi, |l, _| l.statements(body));
                self.swap_dirty(before);
            }
            core::Stmt::Match { value, arms, default } => {
                let before = self.dirty();
                self.select_arm(value, arms, default);
                self.swap_dirty(before);
            }
            core::Stmt::Return(e) => self.end_with(e.as_ref()),
            core::Stmt::Raise { error, commit, value } => self.end_with_error(*error, *commit, value.as_ref()),
            core::Stmt::Trap => self.end_with_trap(),
            // Only bodies of libraries have these: `library` lowers them.
            core::Stmt::Do(_) | core::Stmt::With(_) => {}
        }
    }

    /// A local begins with a value.
    pub fn begin(&mut self, id: LocalId, e: &core::Expr) {
        let local = self.local(id);
        if in_memory(&e.ty) {
            self.emit(Stmt::Declare(local));
            self.build(e, Slice::start(Base::Local(local)));
        } else if e.ty == Type::Bool {
            let v = self.truth(e);
            self.emit(Stmt::Let(local, v));
        } else {
            let v = self.exact(e);
            if !self.assigned.get(id.index()).copied().unwrap_or(true) {
                self.limit(id, Some(v.max));
            }
            self.emit(Stmt::Let(local, v.expr));
        }
    }

    /// Emits a loop over a typed variable; `f` gets the number of the round.
    pub fn for_range(&mut self, local: LocalId, lo: &core::Expr, hi: &core::Expr, f: impl FnOnce(&mut Self, Val)) {
        let ty = self.type_of(local);
        let negative = |e: &core::Expr| e.ty.is_signed() && int_const(e).is_none_or(Int::is_negative);
        let fixed = !self.assigned.get(local.index()).copied().unwrap_or(true);
        let simple = fixed && !ty.is_signed() && ![lo, hi].into_iter().any(|e| negative(e) || is_wide(&e.ty));
        if simple && !is_wide(&ty) {
            let (first, end) = (self.exact(lo), self.exact(hi));
            let word_ty = Ty::for_width(ty.width());
            if first.max <= word_ty.max() && end.max <= word_ty.max() {
                let is_fixed = |e: &core::Expr| match e.kind {
                    ExprKind::Local(id) => !self.assigned.get(id.index()).copied().unwrap_or(true),
                    _ => false,
                };
                let (first_stays, end_stays) = (is_fixed(lo), is_fixed(hi));
                // Evaluated once, also if the body changes what a bound was computed from.
                let mut kept = |v: Val, stays: bool| {
                    let v = v.to(word_ty);
                    if stays || v.as_const().is_some() { v } else { self.temp(v) }
                };
                let end = kept(end, end_stays);
                let first = kept(first, first_stays);
                return self.direct_loop(local, word_ty, first, end, f);
            }
        }
        // Counted from 0, with the variable computed in each round: right for every type.
        let rounds = match (int_const(lo), int_const(hi)) {
            (Some(lo), Some(hi)) => {
                let n = (hi - lo).max(Int::ZERO).min(Int::from(u64::MAX)).to_u64().unwrap_or(u64::MAX);
                Val::constant(if n > u64::from(u32::MAX) { Ty::W64 } else { Ty::W32 }, n)
            }
            _ => {
                let less = typed_binary(Type::Bool, BinaryOp::Lt, lo.clone(), hi.clone());
                let width = lo.ty.width().max(hi.ty.width()) + 2;
                let count = typed_binary(Type::S(width), BinaryOp::Sub, hi.clone(), lo.clone());
                let count = typed(Type::U(64), ExprKind::Saturate(Box::new(count)));
                let none = typed(Type::U(64), ExprKind::Const(Value::Int(Int::ZERO)));
                let count = typed(Type::U(64), ExprKind::Select(Box::new(less), Box::new(count), Box::new(none)));
                let v = self.exact(&count);
                self.temp(v)
            }
        };
        let start = self.typed_temp(lo.ty.clone());
        self.begin(start, lo);
        let start = typed(lo.ty.clone(), ExprKind::Local(start));
        let storage = super::lowerer::word_storage(rounds.ty());
        let var = self.new_local(String::new(), ir::Shape::Scalar(storage), rounds.max.saturating_sub(1));
        let k = Val::new(rounds.ty(), Kind::Local(var), rounds.max.saturating_sub(1));
        let (body, ()) = self.capture(|l| {
            let step = l.typed_index(k.clone());
            l.begin(local, &typed_binary(ty, BinaryOp::Add, start, step));
            f(l, k);
        });
        if rounds.as_const() != Some(0) && !body.is_empty() {
            let lo = Expr::constant(rounds.ty(), 0);
            self.emit(Stmt::For { var, lo, hi: rounds.expr, body });
        }
    }

    /// Both bounds stay what they are.
    fn direct_loop(&mut self, local: LocalId, ty: Ty, first: Val, end: Val, f: impl FnOnce(&mut Self, Val)) {
        let last = end.max.saturating_sub(1);
        self.limit(local, Some(last));
        let var = self.local(local);
        let here = Val::new(ty, Kind::Local(var), last);
        let (zero, lo) = (first.as_const() == Some(0), first);
        let round = if zero { here } else { Val { max: last, ..value::sub(here, lo.clone()) } };
        let (body, ()) = self.capture(|l| f(l, round));
        let empty = end.max == 0 || matches!((lo.as_const(), end.as_const()), (Some(lo), Some(end)) if lo >= end);
        if !empty && !body.is_empty() {
            self.emit(Stmt::For { var, lo: lo.expr, hi: end.expr, body });
        }
    }

    /// Assigns a value to a place in a root of type `root`.
    pub fn set(&mut self, root: &Type, place: &Place, e: &core::Expr) {
        if matches!(place.root, PlaceRoot::State(_)) {
            self.mark_dirty();
        }
        let base = match place.root {
            PlaceRoot::Local(id) => self.base(id),
            PlaceRoot::State(id) => Base::Field(id),
        };
        let mut part = Access { base, at: word(0), guard: value::boolean(true), bound: 0 };
        let mut ty = root.clone();
        for step in &place.path {
            match step {
                PlaceStep::Index(index) => {
                    part = self.step(part, &ty, index);
                    ty = match ty {
                        Type::Array { elem, .. } => *elem,
                        scalar => scalar,
                    };
                }
                PlaceStep::Bits { at, width } => return self.set_bits(root, part, &ty, at, *width, e),
            }
        }
        if in_memory(&ty) {
            self.set_memory(place, part, &ty, e);
        } else {
            let v = self.scalar(e);
            self.put(root, part, v);
        }
    }

    fn set_memory(&mut self, place: &Place, part: Access, ty: &Type, e: &core::Expr) {
        // The position must not be computed again once parts of the array are overwritten.
        let start = self.atom(part.at);
        let dst = Slice::new(part.base, start.expr);
        let src = flow::mentions(e, place.root).then(|| {
            let src = self.temp_memory(ty);
            self.build(e, src.clone());
            src
        });
        let (store, ()) = self.capture(|l| match src {
            Some(src) => l.emit(Stmt::Copy { dst, src, len: elements(ty) }),
            None => l.build(e, dst),
        });
        self.emit_if(part.guard, store, Vec::new());
    }

    /// Stores a scalar that is not wide.
    fn put(&mut self, root: &Type, part: Access, v: Expr) {
        // An assignment to itself would be a warning.
        let itself = match (in_memory(root), part.base, &v.kind) {
            (false, Base::Local(id), Kind::Local(from)) => id == *from,
            (false, Base::Field(id), Kind::Field(from)) => id == *from,
            (true, base, Kind::Element(from, index)) => base == *from && part.at.expr == **index,
            _ => false,
        };
        if itself {
            return;
        }
        let stmt = match (in_memory(root), part.base) {
            (false, Base::Local(id)) => Stmt::Assign(id, v),
            (false, Base::Field(id)) => Stmt::SetField(id, v),
            (_, base) => Stmt::Store(base, part.at.expr, v),
        };
        self.emit_if(part.guard, vec![stmt], Vec::new());
    }

    fn set_bits(&mut self, root: &Type, part: Access, ty: &Type, position: &core::Expr, width: u32, e: &core::Expr) {
        let total = ty.width();
        if is_wide(ty) {
            let start = self.atom(part.at);
            let place = Slice::new(part.base, start.expr);
            let len = limbs(total);
            let (store, ()) = self.capture(|l| {
                let src = l.wide_insert(place.clone(), total, position, width, e);
                l.emit(Stmt::Copy { dst: place, src, len });
            });
            return self.emit_if(part.guard, store, Vec::new());
        }
        let word_ty = Ty::for_width(total);
        let storage = element(ty).0;
        let old = match (in_memory(root), part.base) {
            (false, Base::Local(id)) => Val::new(word_ty, Kind::Local(id), ones(total)),
            (false, Base::Field(id)) => Val::new(word_ty, Kind::Field(id), ones(total)),
            (_, base) => Val::new(storage.ty(), Kind::Element(base, Box::new(part.at.expr.clone())), ones(total)),
        };
        let lowest = self.amount(position);
        let lowest = if lowest.max < u64::from(total) { lowest } else { self.atom(lowest) };
        let inside = value::compare(CompareOp::Lt, lowest.clone(), Val::constant(lowest.ty(), u64::from(total)));
        let lowest = lowest.to(Ty::W32);
        let lowest = self.atom(lowest);
        if inside.as_const() == Some(0) {
            return;
        }
        let kept = width.min(total);
        let v = self.low(e, kept).to(word_ty).mask(kept);
        let hole = value::shl(Val::constant(word_ty, ones(kept)), lowest.clone());
        let others = value::and(old, value::not(hole));
        let fits = lowest.max + u64::from(kept) <= u64::from(total);
        let moved = value::shl(v, lowest);
        let moved = if fits { Val { max: moved.max.min(ones(total)), ..moved } } else { moved.mask(total) };
        let new = value::or(others, moved);
        let guard = value::logical_and(part.guard, inside);
        self.put(root, Access { guard, ..part }, new.expr);
    }

    fn select_arm(&mut self, e: &core::Expr, arms: &[Arm], default: &[core::Stmt]) {
        let width = e.ty.width();
        let before = self.dirty();
        let small = |(lo, hi): &(Int, Int)| (hi - lo) <= Int::from(CASES_OF_A_RANGE);
        if arms.len() < 2 || width > 64 || !arms.iter().flat_map(|arm| &arm.patterns).all(small) {
            let id = self.typed_temp(e.ty.clone());
            self.begin(id, e);
            return self.chain(&typed(e.ty.clone(), ExprKind::Local(id)), arms, default, before);
        }
        let (least, greatest) = e.ty.range();
        let value = if e.ty == Type::Bool {
            let truth = self.truth(e);
            value::from_bool(Ty::W32, truth)
        } else {
            self.exact(e)
        };
        let mut seen = HashSet::new();
        let mut cases = Vec::new();
        for arm in arms {
            let mut values = Vec::new();
            for (lo, hi) in &arm.patterns {
                let mut v = lo.clone();
                while v < *hi {
                    if v >= least && v <= greatest && seen.insert(pattern(&v, width)) {
                        values.push(pattern(&v, width));
                    }
                    v = &v + &Int::ONE;
                }
            }
            if !values.is_empty() {
                self.swap_dirty(before);
                cases.push((values, self.nested(&arm.body)));
            }
        }
        self.swap_dirty(before);
        let mut otherwise = self.nested(default);
        // Where every pattern has an arm the last one is the default, so that a target sees that none is missing.
        if width < 32 && seen.len() as u64 == 1 << width {
            otherwise = cases.pop().map(|(_, body)| body).unwrap_or_default();
        }
        if cases.is_empty() {
            return self.block.extend(otherwise);
        }
        self.emit(Stmt::Switch { value: value.expr, arms: cases, default: otherwise });
    }

    /// The arms as branches, tried in order.
    fn chain(&mut self, value: &core::Expr, arms: &[Arm], default: &[core::Stmt], dirty: bool) {
        let Some((first, rest)) = arms.split_first() else {
            self.swap_dirty(dirty);
            return self.statements(default);
        };
        let mut any = value::boolean(false);
        for (lo, hi) in joined(&first.patterns) {
            let last = &hi - &Int::ONE;
            let one = if lo == last {
                self.compare_with(CompareOp::Eq, value, &lo)
            } else {
                let (above, below) =
                    (self.compare_with(CompareOp::Ge, value, &lo), self.compare_with(CompareOp::Le, value, &last));
                value::logical_and(above, below)
            };
            any = value::logical_or(any, one);
        }
        self.swap_dirty(dirty);
        let then = self.nested(&first.body);
        let (other, ()) = self.capture(|l| l.chain(value, rest, default, dirty));
        // Without arms left and without a default the patterns cover everything, or nothing is to be done.
        self.emit_if(any, then, other);
    }
}

/// The ranges in order, neighbours as one: a comparison less, and none that a C compiler knows to be always true.
fn joined(patterns: &[(Int, Int)]) -> Vec<(Int, Int)> {
    let mut sorted = patterns.to_vec();
    sorted.sort();
    let mut joined: Vec<(Int, Int)> = Vec::new();
    for (lo, hi) in sorted {
        match joined.last_mut() {
            Some(last) if last.1 == lo => last.1 = hi,
            _ => joined.push((lo, hi)),
        }
    }
    joined
}
