//! Lowers commands: operands at the edge, the `off` check, errors with roll-back, the dirty mark.

use std::collections::BTreeMap;

use super::array::word;
use super::ir::{Answer, Base, Command, Edge, Expr, ExprKind as Kind, LocalId, Param, Shape, Slice, Stmt, Ty, ones};
use super::lowerer::{Lowerer, Tables, elements, in_memory, local_shape, memory_shape, scalar_ty};
use super::value::{self, Val};
use super::{flow, ir};
use crate::contract::core::{self, Body, Raised, Type};
use crate::contract::{FieldId, Section, Semantics, Slot, Standard, layout};

/// `cs = dirty` in the status word; all bits of `cs`.
const DIRTY: u64 = layout::status::DIRTY as u64;
/// Where the error code lies in the status word.
const ERROR_SHIFT: u32 = layout::status::ERROR_SHIFT;
/// The status word without the error code.
const NO_ERROR: u64 = (1 << ERROR_SHIFT) - 1;

/// How the body that is being lowered ends.
pub enum Ending<'a> {
    /// A function, with its result; also the bodies of a state, which return a word or nothing.
    Function(Option<&'a Type>),
    /// A command.
    Command(CommandEnding),
}

/// What the ends of a command need.
pub struct CommandEnding {
    result: Option<Edge>,
    result_ty: Option<Type>,
    /// Copies of fields that an error may have to take back.
    saved: BTreeMap<FieldId, LocalId>,
    /// The status word before the first write, if anything is saved.
    saved_status: Option<LocalId>,
    stateful: bool,
    /// Whether `cs = dirty` is set on every path to here.
    dirty: bool,
}

/// How values of a scalar type pass the edge.
pub fn edge(ty: &Type) -> Edge {
    let bits = match ty.width() {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => 64,
    };
    match ty {
        Type::Bool => Edge::Bool,
        Type::S(_) => Edge::Signed(bits),
        _ => Edge::Unsigned(bits),
    }
}

fn status() -> Val {
    Val::new(Ty::W32, Kind::Status, u64::MAX)
}

/// Begins a body that ends as a command does, with a result of this type.
pub fn begin<'a>(section: &'a Section, tables: &'a mut Tables, typed: &Body, result: Option<&Type>) -> Lowerer<'a> {
    let ending = CommandEnding {
        result: result.map(edge),
        result_ty: result.cloned(),
        saved: BTreeMap::new(),
        saved_status: None,
        stateful: section.state.is_some(),
        dirty: false,
    };
    Lowerer::new(section, tables, typed, Ending::Command(ending))
}

/// The finished body of a command; one that comes to its end is done.
pub fn end(mut lowerer: Lowerer<'_>) -> ir::Body {
    if !super::tidy::ends(&lowerer.block) {
        lowerer.finish_with(Answer::Ok, None);
    }
    lowerer.finish()
}

/// Whether the context is off.
pub fn is_off() -> Expr {
    value::compare(ir::CompareOp::Eq, value::and(status(), word(DIRTY)), word(0))
}

/// Lowers a command; `None` if it is declared without a body.
pub fn command(
    section: &Section,
    tables: &mut Tables,
    source: &crate::contract::Command,
    words: Option<u32>,
) -> Option<Command> {
    let params = params(source);
    let result = source.result.as_ref().map(edge);
    let stateful = words.is_some();
    let runs_when_off = matches!(source.semantics, Semantics::Standard(Standard::ReadStatus | Standard::WriteStatus));
    let default = Body::default();
    let (typed, standard) = match &source.semantics {
        Semantics::Body(body) => (body, None),
        Semantics::Standard(standard) => (&default, Some(*standard)),
        Semantics::Opaque => return None,
    };
    let mut lowerer = begin(section, tables, typed, source.result.as_ref());
    if !runs_when_off {
        lowerer.refuse_when_off();
    }
    match standard {
        Some(standard) => lowerer.standard(standard, words.unwrap_or(0)),
        None => {
            let types: Vec<Type> = source.operands.iter().map(|o| o.ty.clone()).collect();
            lowerer.operands(&types);
            lowerer.save(&typed.stmts);
            lowerer.statements(&typed.stmts);
        }
    }
    let can_fail = typed.stmts.iter().any(|stmt| stmt.raises() || traps(stmt));
    let body = end(lowerer);
    Some(Command {
        name: source.name.clone(),
        id: source.id,
        params,
        result,
        uses_state: stateful,
        can_fail,
        runs_when_off,
        body,
    })
}

/// A command declared without a body: its edges, and that it may give any answer.
pub fn opaque(source: &crate::contract::Command, stateful: bool) -> Command {
    Command {
        name: source.name.clone(),
        id: source.id,
        params: params(source),
        result: source.result.as_ref().map(edge),
        uses_state: stateful,
        can_fail: true,
        runs_when_off: false,
        body: ir::Body::default(),
    }
}

fn params(source: &crate::contract::Command) -> Vec<Param> {
    let param = |operand: &crate::contract::Operand| Param {
        name: operand.name.clone(),
        edge: edge(&operand.ty),
        width: operand.ty.width(),
        register: register(source, operand.slot),
    };
    source.operands.iter().map(param).collect()
}

/// The register that carries an operand in an emulated command.
fn register(source: &crate::contract::Command, slot: Slot) -> Option<u32> {
    match slot {
        Slot::Rs1 => Some(0),
        Slot::Rs2 => Some(1),
        // The I form puts its immediate where R has rs2.
        Slot::Imm => (!source.operands.iter().any(|o| o.slot == Slot::Rs2)).then_some(1),
    }
}

/// Whether a command can answer [`Answer::Trap`]; one without a body may.
pub fn can_trap(command: &crate::contract::Command) -> bool {
    match &command.semantics {
        Semantics::Body(body) => body.stmts.iter().any(traps),
        Semantics::Standard(_) => false,
        Semantics::Opaque => true,
    }
}

/// Whether a `trap` stands here or below.
pub fn traps(stmt: &core::Stmt) -> bool {
    matches!(stmt, core::Stmt::Trap) || flow::blocks(stmt).into_iter().flatten().any(traps)
}

impl Lowerer<'_> {
    fn command_ending(&mut self) -> Option<&mut CommandEnding> {
        match &mut self.ending {
            Ending::Command(ending) => Some(ending),
            Ending::Function(_) => None,
        }
    }

    /// Whether the dirty mark is set on every path to here.
    pub fn dirty(&mut self) -> bool {
        self.command_ending().is_some_and(|ending| ending.dirty)
    }

    /// Changes what is known of the dirty mark, and returns what was.
    pub fn swap_dirty(&mut self, now: bool) -> bool {
        self.command_ending().is_some_and(|ending| std::mem::replace(&mut ending.dirty, now))
    }

    /// Emits the dirty mark unless it is set already.
    pub fn mark_dirty(&mut self) {
        let Some(ending) = self.command_ending() else { return };
        if ending.stateful && !ending.dirty {
            ending.dirty = true;
            self.emit(Stmt::SetStatus(value::or(status(), word(DIRTY)).expr));
        }
    }

    /// The type of a field.
    pub fn field_type(&self, id: FieldId) -> Type {
        let fields = self.section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
        fields.get(id.index()).map_or(Type::U(1), |f| f.ty.clone())
    }

    /// Answers `Off` if the context is off.
    pub fn refuse_when_off(&mut self) {
        if self.command_ending().is_some_and(|ending| ending.stateful) {
            let (then, ()) = self.capture(|l| l.finish_with(Answer::Off, None));
            self.emit(Stmt::If(is_off(), then, Vec::new()));
        }
    }

    /// The operands begin: the low bits of what the caller passed.
    pub fn operands(&mut self, types: &[Type]) {
        types.iter().enumerate().for_each(|(i, ty)| self.begin_operand(i, ty));
    }

    /// One of them begins.
    pub fn begin_operand(&mut self, i: usize, ty: &Type) {
        let edge = edge(ty);
        let Some(&local) = self.lowered.get(i) else { return };
        let bits = match edge {
            Edge::Bool => 1,
            Edge::Unsigned(n) | Edge::Signed(n) => n,
        };
        let arg = Val::new(edge.ty(), Kind::Arg(i as u32), ones(bits));
        let v = if edge == Edge::Bool { arg.expr } else { arg.mask(ty.width()).expr };
        self.emit(Stmt::Let(local, v));
    }

    /// Keeps what an error may have to take back.
    fn save(&mut self, stmts: &[core::Stmt]) {
        let fields = flow::rollback(stmts).fields;
        if fields.is_empty() {
            return;
        }
        let kept = self.new_local("old_status".into(), Shape::Scalar(ir::Storage::U32), u64::from(u32::MAX));
        self.emit(Stmt::Let(kept, status().expr));
        let mut saved = BTreeMap::new();
        for id in fields {
            let ty = self.field_type(id);
            let name = self.section.state.as_ref().and_then(|s| s.fields.get(id.index())).map(|f| &f.name);
            let name = format!("old_{}", name.map_or("", String::as_str));
            let local = self.new_local(name, local_shape(&ty), ones(ty.width().min(64)));
            if in_memory(&ty) {
                self.emit(Stmt::Declare(local));
                let (dst, src) = (Slice::start(Base::Local(local)), Slice::start(Base::Field(id)));
                self.emit(Stmt::Copy { dst, src, len: elements(&ty) });
            } else {
                self.emit(Stmt::Let(local, Expr { ty: scalar_ty(&ty), kind: Kind::Field(id) }));
            }
            saved.insert(id, local);
        }
        if let Some(ending) = self.command_ending() {
            ending.saved = saved;
            ending.saved_status = Some(kept);
        }
    }

    /// Emits the roll-back, and returns the status word to go on from.
    fn take_back(&mut self) -> Val {
        let Some(ending) = self.command_ending() else { return status() };
        let (saved, kept) = (ending.saved.clone(), ending.saved_status);
        for (id, local) in saved {
            let ty = self.field_type(id);
            self.emit(match memory_shape(&ty) {
                Shape::Scalar(_) => Stmt::SetField(id, Expr { ty: scalar_ty(&ty), kind: Kind::Local(local) }),
                Shape::Array { len, .. } => {
                    Stmt::Copy { dst: Slice::start(Base::Field(id)), src: Slice::start(Base::Local(local)), len }
                }
            });
        }
        kept.map_or(status(), |local| Val::new(Ty::W32, Kind::Local(local), u64::MAX))
    }

    /// Ends the command; a missing value is 0.
    fn finish_with(&mut self, answer: Answer, value: Option<Expr>) {
        let result = self.command_ending().and_then(|ending| ending.result);
        let value = result.map(|edge| value.unwrap_or(Expr::constant(edge.ty(), 0)));
        self.emit(Stmt::Finish(answer, value));
    }

    /// A value at the edge: extended to the bits of the edge.
    fn at_edge(&mut self, e: &core::Expr) -> Option<Expr> {
        let ending = self.command_ending()?;
        let (edge, ty) = (ending.result?, ending.result_ty.clone()?);
        let converted;
        let e = if e.ty == ty {
            e
        } else {
            converted = core::Expr { ty, kind: core::ExprKind::Convert(Box::new(e.clone())) };
            &converted
        };
        Some(self.at_edge_of(e, edge))
    }

    /// A value at this edge, which is one for values of its type.
    pub fn at_edge_of(&mut self, e: &core::Expr, edge: Edge) -> Expr {
        match edge {
            Edge::Bool => self.truth(e),
            Edge::Unsigned(_) => self.exact(e).to(edge.ty()).expr,
            Edge::Signed(bits) => self.extend(e, bits).to(edge.ty()).expr,
        }
    }

    /// `return`.
    pub fn end_with(&mut self, e: Option<&core::Expr>) {
        match &self.ending {
            Ending::Command(_) => {
                let value = e.and_then(|e| self.at_edge(e));
                self.finish_with(Answer::Ok, value);
            }
            Ending::Function(Some(ty)) if in_memory(ty) => {
                if let Some(e) = e {
                    self.build(e, Slice::start(Base::Out));
                }
                self.emit(Stmt::Return(None));
            }
            Ending::Function(_) => {
                let value = e.map(|e| self.scalar(e));
                self.emit(Stmt::Return(value));
            }
        }
    }

    /// `raise`.
    pub fn end_with_error(&mut self, error: Raised, commit: bool, value: Option<&core::Expr>) {
        let mut value = value.and_then(|e| self.at_edge(e));
        let Some(ending) = self.command_ending() else { return self.end_with(None) };
        let (stateful, saves) = (ending.stateful, ending.saved_status.is_some());
        // The value sees the writes that are taken back.
        if !commit && saves {
            value = value.map(|v| match v.ty {
                Ty::Bool => self.bool_atom(v),
                ty => self.temp(Val { expr: v, max: ty.max() }).expr,
            });
        }
        let before = if commit { status() } else { self.take_back() };
        let answer = match error {
            Raised::Op => {
                if stateful && before.expr.kind != Kind::Status {
                    self.emit(Stmt::SetStatus(before.expr));
                }
                Answer::Op
            }
            Raised::Error(id) => {
                let code = self.section.errors.get(id.index()).map_or(0, |e| u64::from(e.code));
                if stateful {
                    let others = value::and(before, word(NO_ERROR));
                    self.emit(Stmt::SetStatus(value::or(others, word(code << ERROR_SHIFT)).expr));
                }
                Answer::Custom
            }
        };
        self.finish_with(answer, value);
    }

    /// `trap`.
    pub fn end_with_trap(&mut self) {
        if self.command_ending().is_none() {
            return self.end_with(None);
        }
        let before = self.take_back();
        if before.expr.kind != Kind::Status {
            self.emit(Stmt::SetStatus(before.expr));
        }
        self.finish_with(Answer::Trap, None);
    }

    /// The standard functions of a state context.
    fn standard(&mut self, standard: Standard, words: u32) {
        let xlen = Ty::for_width(self.section.xlen);
        let arg = |i| Val::new(xlen, Kind::Arg(i), u64::MAX);
        match standard {
            Standard::ReadStatus => self.finish_with(Answer::Ok, Some(status().to(xlen).expr)),
            Standard::ReadState => {
                let v = Expr { ty: xlen, kind: Kind::StateWord(Box::new(arg(0).expr)) };
                self.finish_with(Answer::Ok, Some(v));
            }
            Standard::WriteState => {
                self.emit(Stmt::SetStateWord(arg(0).expr, arg(1).expr));
                self.mark_dirty();
                self.finish_with(Answer::Ok, Some(arg(1).expr));
            }
            Standard::WriteStatus => {
                let old = self.temp(status());
                let new = self.temp(arg(0).to(Ty::W32));
                self.restore_status(old.clone(), new, words);
                self.finish_with(Answer::Ok, Some(old.to(xlen).expr));
            }
        }
    }

    /// What a write of the status word does: `cs` 0 or 1 resets the fields, an undeclared error code is ignored, and
    /// so are the other bits.
    fn restore_status(&mut self, old: Val, new: Val, words: u32) {
        use ir::CompareOp::{Eq, Lt};
        let cs = self.temp(value::and(new.clone(), word(DIRTY)));
        let (reset, ()) = self.capture(|l| l.emit(Stmt::Reset));
        self.emit(Stmt::If(value::compare(Lt, cs.clone(), word(2)), reset, Vec::new()));
        let code = self.temp(value::shr(new, word(u64::from(ERROR_SHIFT))));
        let known = value::logical_or(value::compare(Eq, code.clone(), word(0)), self.is_declared(&code));
        let old_code = value::shr(old, word(u64::from(ERROR_SHIFT)));
        let code = value::select(known, code, old_code);
        self.set_status(cs, code, words);
    }

    /// The body of [`ir::State::restore`], whose parameter is `new`.
    pub fn restore_image(&mut self, new: Val, words: u32) {
        self.emit(Stmt::Reset);
        let cs = self.temp(value::and(new.clone(), word(DIRTY)));
        let code = self.temp(value::shr(new, word(u64::from(ERROR_SHIFT))));
        // After a reset the old code is 0, so an undeclared one becomes 0, as `write_status` has it.
        let code = value::select(self.is_declared(&code), code, word(0));
        self.set_status(cs.clone(), code, words);
        self.emit(Stmt::Return(Some(value::compare(ir::CompareOp::Ge, cs, word(2)))));
    }

    /// Whether a word is the code of a declared error.
    fn is_declared(&self, code: &Val) -> Expr {
        let codes = self.section.errors.iter().map(|e| word(u64::from(e.code)));
        codes.fold(value::boolean(false), |known, declared| {
            value::logical_or(known, value::compare(ir::CompareOp::Eq, code.clone(), declared))
        })
    }

    fn set_status(&mut self, cs: Val, code: Val, words: u32) {
        let size = word(u64::from(layout::status::word(0, u64::from(words), 0)));
        let all = value::or(value::shl(code, word(u64::from(ERROR_SHIFT))), value::or(size, cs));
        self.emit(Stmt::SetStatus(all.expr));
    }
}
