//! Statements.

use super::expr::{Returned, command_with_state};
use super::frame::{Frame, Role, elements, fits};
use super::{Defect, Machine, Thing};
use crate::contract::FieldId;
use crate::lower::ir::{Answer, Body, Expr, ExprKind, LocalId, Shape, Slice, Stmt, Ty};

/// How a body ends.
pub(super) enum Ending {
    /// A function or a body of the state.
    Return(Option<(Ty, u64)>),
    /// A command.
    Finish(Answer, Option<(Ty, u64)>),
}

impl<'a> Machine<'a> {
    /// Runs a body whose parameters have begun; none if it runs off its end.
    pub(super) fn body(&mut self, frame: &mut Frame<'a>, body: &'a Body) -> Result<Option<Ending>, Defect> {
        self.block(frame, &body.stmts)
    }

    fn block(&mut self, frame: &mut Frame<'a>, stmts: &'a [Stmt]) -> Result<Option<Ending>, Defect> {
        let mark = frame.mark();
        let ending = self.deeper(|m| {
            for stmt in stmts {
                if let Some(ending) = m.stmt(frame, stmt)? {
                    return Ok(Some(ending));
                }
            }
            Ok(None)
        });
        frame.end(mark);
        ending
    }

    fn stmt(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt) -> Result<Option<Ending>, Defect> {
        self.charge(1)?;
        match stmt {
            Stmt::If(c, then, other) => {
                let taken = if self.condition(frame, c)? { then } else { other };
                self.block(frame, taken)
            }
            Stmt::For { var, lo, hi, body } => self.for_loop(frame, *var, lo, hi, body),
            Stmt::Switch { value, arms, default } => {
                let v = self.word_of(frame, value)?;
                self.charge(arms.iter().map(|(values, _)| values.len() as u64).sum())?;
                let mut hits = arms.iter().filter(|(values, _)| values.contains(&v));
                let taken = hits.next().map_or(default, |(_, body)| body);
                if hits.next().is_some() {
                    return Err(Defect::Arms(v));
                }
                self.block(frame, taken)
            }
            Stmt::Return(value) if frame.role != Role::Command => {
                Ok(Some(Ending::Return(self.optional(frame, value)?)))
            }
            Stmt::Finish(answer, value) if frame.role == Role::Command => {
                Ok(Some(Ending::Finish(*answer, self.optional(frame, value)?)))
            }
            Stmt::Return(_) | Stmt::Finish(..) => Err(Defect::Ending),
            simple => self.simple(frame, simple).map(|()| None),
        }
    }

    fn optional(&mut self, frame: &Frame<'a>, e: &'a Option<Expr>) -> Result<Option<(Ty, u64)>, Defect> {
        e.as_ref().map(|e| Ok((e.ty, self.expr(frame, e)?))).transpose()
    }

    fn for_loop(
        &mut self,
        frame: &mut Frame<'a>,
        var: LocalId,
        lo: &'a Expr,
        hi: &'a Expr,
        body: &'a [Stmt],
    ) -> Result<Option<Ending>, Defect> {
        if !matches!(hi.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            return Err(Defect::Bound);
        }
        let mut i = self.word_of(frame, lo)?;
        let last = self.typed(frame, hi, lo.ty)?;
        let mark = frame.mark();
        frame.begin(var)?;
        while i < last {
            frame.count(var, lo.ty, i)?;
            if let Some(ending) = self.block(frame, body)? {
                return Ok(Some(ending));
            }
            if self.expr(frame, hi)? != last {
                return Err(Defect::Bound);
            }
            i += 1;
        }
        frame.end(mark);
        Ok(None)
    }

    /// Statements without others inside.
    fn simple(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt) -> Result<(), Defect> {
        match stmt {
            Stmt::Declare(id) => {
                self.charge(u64::from(elements(frame.shape(*id)?)))?;
                frame.begin(*id)
            }
            Stmt::Let(id, e) => {
                let v = self.expr(frame, e)?;
                frame.begin_with(*id, e.ty, v)
            }
            Stmt::Assign(id, e) => {
                let v = self.expr(frame, e)?;
                frame.assign(*id, e.ty, v)
            }
            Stmt::SetField(id, e) => self.set_field(frame, *id, e),
            Stmt::Store(base, index, e) => {
                let at = self.typed(frame, index, Ty::W32)?;
                let (storage, len) = self.extent(frame, *base)?;
                let v = self.typed(frame, e, storage.ty())?;
                if at >= len {
                    return Err(Defect::Outside { index: at, len });
                }
                self.set_element(frame, *base, at, v)
            }
            Stmt::Copy { dst, src, len } => {
                let (dst, src) = (self.place(frame, dst, *len)?, self.place(frame, src, *len)?);
                if dst.storage() != src.storage() {
                    return Err(Defect::Type);
                }
                dst.apart(&src)?;
                let values = self.load(frame, &src)?;
                self.store(frame, &dst, &values)
            }
            Stmt::Fill { dst, len, value } => {
                let dst = self.place(frame, dst, *len)?;
                let v = self.typed(frame, value, dst.storage().ty())?;
                self.store(frame, &dst, &vec![v; *len as usize])
            }
            Stmt::CallInto(id, args, dst) => self.call_into(frame, *id, args, dst),
            Stmt::Wide { dst, limbs, op } => self.wide_stmt(frame, dst, *limbs, op),
            other => self.on_state(frame, other),
        }
    }

    fn call_into(
        &mut self,
        frame: &mut Frame<'a>,
        id: crate::contract::FnId,
        args: &'a [crate::lower::ir::CallArg],
        dst: &'a Slice,
    ) -> Result<(), Defect> {
        let result = self.section.functions.get(id.index()).ok_or(Defect::Absent(Thing::Function))?.result;
        let dst = self.place(frame, dst, elements(result))?;
        match self.call_function(frame, id, args, Some(&dst))? {
            Returned::Array(storage, values) if storage == dst.storage() => self.store(frame, &dst, &values),
            _ => Err(Defect::Type),
        }
    }

    fn set_field(&mut self, frame: &Frame<'a>, id: FieldId, e: &'a Expr) -> Result<(), Defect> {
        match self.field_shape(frame, id)? {
            Shape::Scalar(storage) => {
                let v = fits(self.typed(frame, e, storage.ty())?, storage.bits())?;
                self.set_field_element(frame, id, 0, v)
            }
            Shape::Array { .. } => Err(Defect::Type),
        }
    }

    /// What only commands and restores do.
    fn on_state(&mut self, frame: &Frame<'a>, stmt: &'a Stmt) -> Result<(), Defect> {
        command_with_state(self, frame)?;
        let state = self.section.state.as_ref().ok_or(Defect::Absent(Thing::State))?;
        match stmt {
            Stmt::SetStatus(e) => {
                self.status = self.typed(frame, e, Ty::W32)? as u32;
                Ok(())
            }
            Stmt::SetStateWord(index, word) => {
                let index = self.typed(frame, index, self.word())?;
                let word = self.typed(frame, word, self.word())?;
                self.write_word(state, index, word)
            }
            Stmt::Reset => self.reset(state),
            _ => Err(Defect::Role),
        }
    }
}
