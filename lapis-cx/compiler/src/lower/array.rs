//! Lowers arrays: reads as runs of elements where they lie, right-hand sides built element by element.

use super::ir::{Base, CompareOp, Expr, ExprKind as Kind, Shape, Slice, Stmt, Storage, Ty, ones};
use super::lowerer::{Buffer, Lowerer, Tables, element, elements, in_memory, is_wide};
use super::value::{self, Val};
use crate::contract::core::{self, ExprKind, Type};
use crate::int::Int;

/// A part of an array in memory, there only if the guard holds.
pub struct Access {
    /// The array.
    pub base: Base,
    /// First element of the part, a W32; below the length of the array if the guard holds.
    pub at: Val,
    /// Whether all indices are inside; often a constant.
    pub guard: Expr,
    /// Greatest pattern of an element.
    pub bound: u64,
}

/// The unsigned word constant.
pub fn word(v: u64) -> Val {
    Val::constant(Ty::W32, v)
}

impl Lowerer<'_> {
    /// Where an array, or an element of one, lies. What lies nowhere is built in a temporary first.
    pub fn access(&mut self, e: &core::Expr) -> Access {
        let bound = ones(e.ty.flattened().0.width());
        let whole = |base| Access { base, at: word(0), guard: value::boolean(true), bound };
        match &e.kind {
            ExprKind::Local(id) => whole(self.base(*id)),
            ExprKind::State(id) => whole(Base::Field(*id)),
            ExprKind::Table(id) => match self.tables.named(self.section, *id) {
                Some(table) => self.whole_table(table, bound),
                None => whole(self.zeros(&e.ty)),
            },
            ExprKind::Const(v) => {
                let (storage, values) = Tables::patterns(&e.ty, v);
                let table = self.tables.unnamed(storage, values);
                self.whole_table(table, bound)
            }
            ExprKind::Index(array, index) if matches!(array.ty, Type::Array { .. }) => {
                let outer = self.access(array);
                self.step(outer, &array.ty, index)
            }
            _ => {
                let dst = self.temp_memory(&e.ty);
                self.build(e, dst.clone());
                whole(dst.base)
            }
        }
    }

    fn whole_table(&self, table: super::ir::TableId, bound: u64) -> Access {
        let values = self.tables.tables.get(table.0 as usize).map(|t| t.values.as_slice()).unwrap_or_default();
        let max = values.iter().copied().max().unwrap_or(bound);
        Access { base: Base::Table(table), at: word(0), guard: value::boolean(true), bound: max }
    }

    /// One index further into an array of this type.
    pub fn step(&mut self, outer: Access, array: &Type, index: &core::Expr) -> Access {
        if let Base::Buffer(at) = outer.base
            && let Some(buffer) = self.buffers.get(at as usize).cloned().flatten()
        {
            return self.step_in_buffer(outer, &buffer, index);
        }
        let Type::Array { len, elem } = array else { return outer };
        let i = self.amount(index);
        let mut i = if i.max < u64::from(*len) { i } else { self.atom(i) };
        let inside = value::compare(CompareOp::Lt, i.clone(), Val::constant(i.ty(), u64::from(*len)));
        let guard = value::logical_and(outer.guard, inside);
        i = i.to(Ty::W32);
        i.max = i.max.min(u64::from(len - 1));
        let at = value::add(outer.at, value::mul(i, word(u64::from(elements(elem)))));
        Access { base: outer.base, at, guard, bound: outer.bound }
    }

    /// An element of memory whose length only the call knows.
    fn step_in_buffer(&mut self, outer: Access, buffer: &Buffer, index: &core::Expr) -> Access {
        let index = match &index.kind {
            ExprKind::Local(_) | ExprKind::Const(_) => index.clone(),
            _ => {
                let id = self.typed_temp(index.ty.clone());
                self.begin(id, index);
                core::Expr { ty: index.ty.clone(), kind: ExprKind::Local(id) }
            }
        };
        let bounded = |(variable, end): &(core::LocalId, core::Expr)| {
            matches!(index.kind, ExprKind::Local(id) if id == *variable) && *end == buffer.length
        };
        let mut guard = if !index.ty.is_signed() && self.below.iter().any(bounded) {
            value::boolean(true)
        } else {
            let (i, length) = (Box::new(index.clone()), Box::new(buffer.length.clone()));
            self.truth(&core::Expr { ty: Type::Bool, kind: ExprKind::Binary(core::BinaryOp::Lt, i, length) })
        };
        if let (true, Base::Buffer(at)) = (buffer.optional, outer.base) {
            let null = Expr { ty: Ty::Bool, kind: Kind::IsNull(at) };
            guard = value::logical_and(value::logical_not(null), guard);
        }
        let at = self.amount(&index);
        Access { at, guard, ..outer }
    }

    /// A temporary for a value in memory.
    pub fn temp_memory(&mut self, ty: &Type) -> Slice {
        self.temp_array(element(ty.flattened().0).0, elements(ty))
    }

    fn zeros(&mut self, ty: &Type) -> Base {
        let dst = self.temp_memory(ty);
        self.fill_zero(dst.clone(), ty);
        dst.base
    }

    fn fill_zero(&mut self, dst: Slice, ty: &Type) {
        let storage = element(ty.flattened().0).0;
        self.emit(Stmt::Fill { dst, len: elements(ty), value: Expr::constant(storage.ty(), 0) });
    }

    /// A value in memory as a run of elements; zeros if an index is outside.
    pub fn slice(&mut self, e: &core::Expr) -> Slice {
        let access = self.access(e);
        let found = Slice::new(access.base, access.at.expr);
        match access.guard.as_const() {
            Some(1) => found,
            Some(_) => Slice::start(self.zeros(&e.ty)),
            None => {
                let dst = self.temp_memory(&e.ty);
                self.copy_if(access.guard, dst.clone(), found, &e.ty);
                dst
            }
        }
    }

    fn copy_if(&mut self, guard: Expr, dst: Slice, src: Slice, ty: &Type) {
        let len = elements(ty);
        let (then, ()) = self.capture(|l| l.emit(Stmt::Copy { dst: dst.clone(), src, len }));
        let (other, ()) = self.capture(|l| l.fill_zero(dst, ty));
        self.emit_if(guard, then, other);
    }

    /// Reads a scalar element of at most 64 bits, as a word.
    pub fn element(&mut self, e: &core::Expr) -> Val {
        let access = self.access(e);
        let storage = element(&e.ty).0;
        let found = Val::new(storage.ty(), Kind::Element(access.base, Box::new(access.at.expr)), access.bound);
        value::select(access.guard, found, Val::constant(storage.ty(), 0))
    }

    /// Reads an element that is a bool.
    pub fn bool_element(&mut self, e: &core::Expr) -> Expr {
        let access = self.access(e);
        let found = Expr { ty: Ty::Bool, kind: Kind::Element(access.base, Box::new(access.at.expr)) };
        value::logical_and(access.guard, found)
    }

    /// Puts a value, of any type, at a run of elements that the value does not mention.
    pub fn build(&mut self, e: &core::Expr, dst: Slice) {
        if !in_memory(&e.ty) {
            let value = self.scalar(e);
            self.emit(Stmt::Store(dst.base, *dst.at, value));
            return;
        }
        if is_wide(&e.ty) {
            return self.wide_into(e, dst);
        }
        let Type::Array { len, elem } = &e.ty else { return };
        let stride = elements(elem);
        match &e.kind {
            ExprKind::Select(c, a, b) => {
                let c = self.truth(c);
                let (then, ()) = self.capture(|l| l.build(a, dst.clone()));
                let (other, ()) = self.capture(|l| l.build(b, dst));
                self.emit_if(c, then, other);
            }
            ExprKind::Array(items) => {
                for (k, item) in items.iter().take(*len as usize).enumerate() {
                    self.build(item, offset(&dst, k as u64 * u64::from(stride)));
                }
            }
            ExprKind::Comprehension(map) => {
                let core::Comprehension { local, lo, hi, elem: item } = &**map;
                let end = |v: &Int| core::Expr {
                    ty: Type::smallest(v, v),
                    kind: ExprKind::Const(core::Value::Int(v.clone())),
                };
                // More rounds than elements cannot be in typed code, and must not write past the end in any other.
                let hi = hi.min(&(lo + &Int::from(*len))).clone();
                self.for_range(*local, &end(lo), &end(&hi), |l, k| {
                    let to = at(&dst, value::mul(k, word(u64::from(stride))));
                    l.build(item, to);
                });
            }
            ExprKind::Fill(a) if !matches!(a.ty, Type::Array { .. }) => {
                if is_wide(&a.ty) {
                    let src = self.wide(a);
                    self.fill_with(src, dst, super::ir::limbs(a.ty.width()), elements(&e.ty));
                } else {
                    let value = self.scalar(a);
                    self.emit(Stmt::Fill { dst, len: elements(&e.ty), value });
                }
            }
            ExprKind::Fill(a) => {
                let src = self.slice(a);
                self.fill_with(src, dst, elements(&a.ty), elements(&e.ty));
            }
            ExprKind::Split(a) => self.split(a, elem, *len, dst),
            ExprKind::Call(id, args) => {
                let args = self.call_args(args);
                self.emit(Stmt::CallInto(*id, args, dst));
            }
            ExprKind::Const(v) => {
                let (storage, values) = Tables::patterns(&e.ty, v);
                match values.split_first() {
                    Some((first, rest)) if rest.iter().all(|v| v == first) => {
                        let value = Expr::constant(storage.ty(), *first);
                        self.emit(Stmt::Fill { dst, len: elements(&e.ty), value });
                    }
                    _ => self.copy(e, dst),
                }
            }
            ExprKind::Local(_) | ExprKind::State(_) | ExprKind::Table(_) | ExprKind::Index(..) => self.copy(e, dst),
            _ => self.fill_zero(dst, &e.ty),
        }
    }

    fn copy(&mut self, e: &core::Expr, dst: Slice) {
        let access = self.access(e);
        let src = Slice::new(access.base, access.at.expr);
        self.copy_if(access.guard, dst, src, &e.ty);
    }

    /// Copies `len` elements again and again until `total` are written.
    fn fill_with(&mut self, src: Slice, dst: Slice, len: u32, total: u32) {
        self.repeat(total / len.max(1), |l, k| {
            let dst = at(&dst, value::mul(k, word(u64::from(len))));
            l.emit(Stmt::Copy { dst, src, len });
        });
    }

    fn split(&mut self, a: &core::Expr, elem: &Type, len: u32, dst: Slice) {
        let width = elem.width();
        // As a local, so that each element is a cut of something that is there already.
        let id = self.typed_temp(a.ty.clone());
        self.begin(id, a);
        let whole = core::Expr { ty: a.ty.clone(), kind: ExprKind::Local(id) };
        let (dst, stride) = (dst, elements(elem));
        let cut = |l: &mut Self, k: Val| {
            let position = l.typed_index(value::mul(k.clone(), word(u64::from(width))));
            let part =
                core::Expr { ty: elem.clone(), kind: ExprKind::Bits(Box::new(whole.clone()), Box::new(position)) };
            l.build(&part, at(&dst, value::mul(k, word(u64::from(stride)))));
        };
        if len <= 8 {
            (0..len).for_each(|k| cut(self, word(u64::from(k))));
        } else {
            self.repeat(len, cut);
        }
    }

    /// An array of integers as one pattern, element 0 lowest: in its low `want` bits, at most those of `ty`.
    pub fn join(&mut self, a: &core::Expr, want: u32, ty: Ty) -> Val {
        let Type::Array { len, elem } = &a.ty else { return Val::constant(ty, 0) };
        if is_wide(elem) {
            let zero = self.typed_index(word(0));
            let first = core::Expr { ty: (**elem).clone(), kind: ExprKind::Index(Box::new(a.clone()), Box::new(zero)) };
            return self.low(&first, want).to(ty);
        }
        let (src, part) = (self.slice(a), elem.width().max(1));
        // Elements that start above what is wanted stay out.
        let len = (*len).min(want.div_ceil(part));
        let width = (len * part).min(ty.bits());
        let storage = element(elem).0;
        let read = |k: Val| {
            let place = at(&src, k);
            let bound = ones(part);
            let kind = Kind::Element(place.base, place.at);
            if storage == Storage::Bool {
                value::from_bool(ty, Expr { ty: Ty::Bool, kind })
            } else {
                Val::new(storage.ty(), kind, bound).to(ty)
            }
        };
        let put = |k: Val| value::shl(read(k.clone()), value::mul(k, word(u64::from(part))));
        if len <= 8 {
            return (0..len).fold(Val::constant(ty, 0), |acc, k| value::or(put(word(u64::from(k))), acc));
        }
        let id = self.new_local(String::new(), Shape::Scalar(super::lowerer::word_storage(ty)), ones(width));
        self.emit(Stmt::Let(id, Expr::constant(ty, 0)));
        let so_far = Val::new(ty, Kind::Local(id), ones(width));
        self.repeat(len, |l, k| l.emit(Stmt::Assign(id, value::or(so_far.clone(), put(k)).expr)));
        so_far
    }

    /// Emits a loop of `n` rounds; `f` gets the number of the round.
    pub fn repeat(&mut self, n: u32, f: impl FnOnce(&mut Self, Val)) {
        let bound = u64::from(n).saturating_sub(1);
        let var = self.new_local(String::new(), Shape::Scalar(Storage::U32), bound);
        let (body, ()) = self.capture(|l| f(l, Val::new(Ty::W32, Kind::Local(var), bound)));
        if n > 0 && !body.is_empty() {
            self.emit(Stmt::For { var, lo: word(0).expr, hi: word(u64::from(n)).expr, body });
        }
    }

    /// Lowers the bound of an unsigned local that is known from elsewhere.
    pub fn limit(&mut self, local: core::LocalId, bound: Option<u64>) {
        let id = self.local(local);
        if let (Some(bound), Some(known)) = (bound, self.bounds.get_mut(id.index())) {
            *known = (*known).min(bound);
        }
    }

    /// A word as a typed expression, so that typed nodes can use it: a constant or a local of its own.
    pub fn typed_index(&mut self, v: Val) -> core::Expr {
        let ty = Type::U(v.ty().bits());
        if let Some(c) = v.as_const() {
            return core::Expr { ty, kind: ExprKind::Const(core::Value::Int(Int::from(c))) };
        }
        let id = self.typed_temp(ty.clone());
        let lowered = self.local(id);
        self.limit(id, Some(v.max));
        self.emit(Stmt::Let(lowered, v.expr));
        core::Expr { ty, kind: ExprKind::Local(id) }
    }
}

/// A run of elements further on.
pub fn at(slice: &Slice, by: Val) -> Slice {
    let start = Val { expr: (*slice.at).clone(), max: u64::from(u32::MAX) };
    Slice::new(slice.base, value::add(start, by).expr)
}

/// A run of elements a constant number of elements further on.
pub fn offset(slice: &Slice, by: u64) -> Slice {
    at(slice, word(by))
}
