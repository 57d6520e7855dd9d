//! The state of lowering one body: its locals, the block being built, and the tables of the section.

use std::collections::HashMap;

use super::ir::{
    Base, Body, Expr, ExprKind, Local, LocalId, Shape, Slice, Stmt, Storage, Table, TableId, Ty, limbs, ones,
};
use super::value::Val;
use crate::contract::core::{self, Type, Value};
use crate::contract::{ConstId, Section};

/// How an element of a scalar type lies in memory, and how many of them a value takes: more than one for limbs.
pub fn element(ty: &Type) -> (Storage, u32) {
    match (ty, ty.width()) {
        (Type::Bool, _) => (Storage::Bool, 1),
        (_, 0..=8) => (Storage::U8, 1),
        (_, 9..=16) => (Storage::U16, 1),
        (_, 17..=32) => (Storage::U32, 1),
        (_, 33..=64) => (Storage::U64, 1),
        (_, width) => (Storage::U32, limbs(width)),
    }
}

/// How many elements in memory a value of a type takes.
pub fn elements(ty: &Type) -> u32 {
    let (scalar, n) = ty.flattened();
    u32::try_from(n * u64::from(element(scalar).1)).unwrap_or(u32::MAX)
}

/// Whether a scalar type needs limbs.
pub fn is_wide(ty: &Type) -> bool {
    ty.width() > 64
}

/// Whether a value of a type lies in memory: arrays and wide values.
pub fn in_memory(ty: &Type) -> bool {
    matches!(ty, Type::Array { .. }) || is_wide(ty)
}

/// The scalar of a local or result that is not in memory.
pub fn scalar_ty(ty: &Type) -> Ty {
    if *ty == Type::Bool { Ty::Bool } else { Ty::for_width(ty.width()) }
}

/// The shape of a field: scalars in their smallest storage.
pub fn memory_shape(ty: &Type) -> Shape {
    let storage = element(ty.flattened().0).0;
    if in_memory(ty) { Shape::Array { storage, len: elements(ty) } } else { Shape::Scalar(storage) }
}

/// The shape of a local: scalars in a whole word.
pub fn local_shape(ty: &Type) -> Shape {
    match memory_shape(ty) {
        Shape::Scalar(storage) => Shape::Scalar(word_storage(storage.ty())),
        array => array,
    }
}

/// The storage that is a whole scalar.
pub fn word_storage(ty: Ty) -> Storage {
    match ty {
        Ty::Bool => Storage::Bool,
        Ty::W32 => Storage::U32,
        Ty::W64 => Storage::U64,
    }
}

/// What the bodies of one section share.
#[derive(Default)]
pub struct Tables {
    /// In order of first use.
    pub tables: Vec<Table>,
    named: HashMap<ConstId, TableId>,
    unnamed: HashMap<(Storage, Vec<u64>), TableId>,
}

impl Tables {
    /// The patterns of a value as elements in memory.
    pub fn patterns(ty: &Type, value: &Value) -> (Storage, Vec<u64>) {
        let scalar = ty.flattened().0;
        let (storage, per) = element(scalar);
        let width = scalar.width();
        let values = value.scalars().into_iter().flat_map(|v| {
            let pattern = v.wrap(width, false);
            if per > 1 {
                pattern.limbs32(per as usize).into_iter().map(u64::from).collect()
            } else {
                vec![super::ir::pattern(&pattern, width)]
            }
        });
        (storage, values.collect())
    }

    fn push(&mut self, table: Table) -> TableId {
        self.tables.push(table);
        TableId(self.tables.len() as u32 - 1)
    }

    /// The table of a constant without a name.
    pub fn unnamed(&mut self, storage: Storage, values: Vec<u64>) -> TableId {
        if let Some(&id) = self.unnamed.get(&(storage, values.clone())) {
            return id;
        }
        let id = self.push(Table { name: String::new(), docs: String::new(), storage, values: values.clone() });
        self.unnamed.insert((storage, values), id);
        id
    }

    /// The table of a named constant; `None` if there is no such constant or it is no array.
    pub fn named(&mut self, section: &Section, id: ConstId) -> Option<TableId> {
        if let Some(&table) = self.named.get(&id) {
            return Some(table);
        }
        let constant = section.consts.get(id.index())?;
        let (storage, values) = Tables::patterns(constant.ty.as_ref()?, &constant.value);
        let table = self.push(Table { name: constant.name.clone(), docs: constant.docs.clone(), storage, values });
        self.named.insert(id, table);
        Some(table)
    }
}

/// Memory that the caller of a library's function gives.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// How many elements it has: an exact number, which may be negative.
    pub length: core::Expr,
    /// Whether it may be null; then it has none.
    pub optional: bool,
}

/// The body that is being lowered.
pub struct Lowerer<'a> {
    /// The section it belongs to.
    pub section: &'a Section,
    /// Tables of that section.
    pub tables: &'a mut Tables,
    /// The locals of the typed body, then those that lowering adds.
    pub typed: Vec<core::Local>,
    /// The lowered local of each typed one.
    pub lowered: Vec<LocalId>,
    /// Whether the body assigns the typed local after it began.
    pub assigned: Vec<bool>,
    /// The lowered locals.
    pub locals: Vec<Local>,
    /// An inclusive bound of each lowered scalar local.
    pub bounds: Vec<u64>,
    /// Statements of the block that is being built.
    pub block: Vec<Stmt>,
    /// In the body of a library's function: of each parameter that is a buffer, how long it is.
    pub buffers: Vec<Option<Buffer>>,
    /// The variables of loops around, with what each is less than in all of its rounds.
    pub below: Vec<(core::LocalId, core::Expr)>,
    /// How the body ends, and what goes with that.
    pub ending: super::command::Ending<'a>,
}

impl<'a> Lowerer<'a> {
    /// Starts a body; its locals get lowered ones of the same position.
    pub fn new(
        section: &'a Section,
        tables: &'a mut Tables,
        body: &core::Body,
        ending: super::command::Ending<'a>,
    ) -> Lowerer<'a> {
        let mut assigned = vec![false; body.locals.len()];
        super::flow::mark_assigned(&body.stmts, &mut assigned);
        let mut lowerer = Lowerer {
            section,
            tables,
            typed: Vec::new(),
            lowered: Vec::new(),
            assigned,
            locals: Vec::new(),
            bounds: Vec::new(),
            block: Vec::new(),
            buffers: Vec::new(),
            below: Vec::new(),
            ending,
        };
        for local in &body.locals {
            lowerer.add_typed(local.clone());
        }
        for (i, bound) in super::sums::bounds(body).into_iter().enumerate() {
            lowerer.limit(core::LocalId(i as u32), bound);
        }
        lowerer
    }

    fn add_typed(&mut self, local: core::Local) -> core::LocalId {
        let bound = if in_memory(&local.ty) { 0 } else { ones(local.ty.width()) };
        let id = self.new_local(local.name.clone(), local_shape(&local.ty), bound);
        self.lowered.push(id);
        self.typed.push(local);
        core::LocalId(self.typed.len() as u32 - 1)
    }

    /// Adds a typed local of the lowering's own.
    pub fn typed_temp(&mut self, ty: Type) -> core::LocalId {
        self.assigned.push(false);
        self.add_typed(core::Local { name: String::new(), ty })
    }

    /// Adds a lowered local.
    pub fn new_local(&mut self, name: String, shape: Shape, bound: u64) -> LocalId {
        self.locals.push(Local { name, shape });
        self.bounds.push(bound);
        LocalId(self.locals.len() as u32 - 1)
    }

    /// The lowered local of a typed one.
    pub fn local(&self, id: core::LocalId) -> LocalId {
        self.lowered.get(id.index()).copied().unwrap_or(LocalId(0))
    }

    /// Where a typed local that is an array lies.
    pub fn base(&self, id: core::LocalId) -> Base {
        match self.buffers.get(id.index()) {
            Some(Some(_)) => Base::Buffer(id.0),
            _ => Base::Local(self.local(id)),
        }
    }

    /// The type of a typed local.
    pub fn type_of(&self, id: core::LocalId) -> Type {
        self.typed.get(id.index()).map_or(Type::U(1), |l| l.ty.clone())
    }

    /// Appends a statement.
    pub fn emit(&mut self, stmt: Stmt) {
        self.block.push(stmt);
    }

    /// Runs `f` on a new block and returns that block with the result.
    pub fn capture<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (Vec<Stmt>, R) {
        let outer = std::mem::take(&mut self.block);
        let result = f(self);
        (std::mem::replace(&mut self.block, outer), result)
    }

    /// A temporary with this value.
    pub fn temp(&mut self, v: Val) -> Val {
        let ty = v.ty();
        let id = self.new_local(String::new(), Shape::Scalar(word_storage(ty)), v.max);
        self.emit(Stmt::Let(id, v.expr));
        Val::new(ty, ExprKind::Local(id), v.max)
    }

    /// The value in a form that costs nothing to use twice.
    pub fn atom(&mut self, v: Val) -> Val {
        match &v.expr.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => v,
            ExprKind::Convert(inner) if matches!(inner.kind, ExprKind::Local(_)) => v,
            _ => self.temp(v),
        }
    }

    /// The truth value in a form that costs nothing to use twice.
    pub fn bool_atom(&mut self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => e,
            _ => {
                let id = self.new_local(String::new(), Shape::Scalar(Storage::Bool), 1);
                self.emit(Stmt::Let(id, e));
                Expr { ty: Ty::Bool, kind: ExprKind::Local(id) }
            }
        }
    }

    /// A scalar without a value yet: both arms of the next `If` assign it.
    pub fn undefined(&mut self, ty: Ty) -> LocalId {
        let id = self.new_local(String::new(), Shape::Scalar(word_storage(ty)), ty.max());
        self.emit(Stmt::Declare(id));
        id
    }

    /// An array of the lowering's own, without a value yet.
    pub fn temp_array(&mut self, storage: Storage, len: u32) -> Slice {
        let id = self.new_local(String::new(), Shape::Array { storage, len }, 0);
        self.emit(Stmt::Declare(id));
        Slice::start(Base::Local(id))
    }

    /// Emits a branch; decided ones leave only the taken arm, in a block of its own scope or not at all.
    pub fn emit_if(&mut self, c: Expr, then: Vec<Stmt>, other: Vec<Stmt>) {
        match c.as_const() {
            Some(0) => self.block.extend(other),
            Some(_) => self.block.extend(then),
            None => match (then.is_empty(), other.is_empty()) {
                (true, true) => {}
                (true, false) => self.emit(Stmt::If(super::value::logical_not(c), other, Vec::new())),
                _ => self.emit(Stmt::If(c, then, other)),
            },
        }
    }

    /// The finished body.
    pub fn finish(self) -> Body {
        super::tidy::tidy(Body { locals: self.locals, stmts: self.block })
    }
}
