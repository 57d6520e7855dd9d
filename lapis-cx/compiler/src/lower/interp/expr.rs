//! Expressions and calls.

use super::frame::{Frame, Role, elements, fits};
use super::memory::Place;
use super::stmt::Ending;
use super::{Defect, Machine, Thing, sign_extend, wide};
use crate::contract::FnId;
use crate::lower::ir::{BinaryOp, CallArg, CompareOp, Expr, ExprKind, Function, Shape, Slice, Storage, Ty, ones};

impl<'a> Machine<'a> {
    /// The value of an expression that must have this type.
    pub(super) fn typed(&mut self, frame: &Frame<'a>, e: &'a Expr, ty: Ty) -> Result<u64, Defect> {
        if e.ty == ty { self.expr(frame, e) } else { Err(Defect::Type) }
    }

    /// The value of a word.
    pub(super) fn word_of(&mut self, frame: &Frame<'a>, e: &'a Expr) -> Result<u64, Defect> {
        if e.ty == Ty::Bool { Err(Defect::Type) } else { self.expr(frame, e) }
    }

    pub(super) fn condition(&mut self, frame: &Frame<'a>, e: &'a Expr) -> Result<bool, Defect> {
        Ok(self.typed(frame, e, Ty::Bool)? != 0)
    }

    /// The value of an expression: a pattern of its type.
    pub(super) fn expr(&mut self, frame: &Frame<'a>, e: &'a Expr) -> Result<u64, Defect> {
        self.charge(1)?;
        let has = |ty: Ty, v: u64| if ty == e.ty { Ok(v) } else { Err(Defect::Type) };
        match &e.kind {
            ExprKind::Const(v) => fits(*v, e.ty.bits()),
            ExprKind::Local(id) => has(frame.scalar(*id)?, frame.read(*id, 0)?),
            ExprKind::Arg(i) => {
                let (ty, v) = *frame.args.get(*i as usize).ok_or(Defect::Absent(Thing::Argument))?;
                has(ty, v)
            }
            ExprKind::Field(id) => match self.field_shape(frame, *id)? {
                Shape::Scalar(storage) => has(storage.ty(), self.field_element(*id, 0)?),
                Shape::Array { .. } => Err(Defect::Type),
            },
            ExprKind::Status => {
                command_with_state(self, frame)?;
                has(Ty::W32, u64::from(self.status))
            }
            _ => self.deeper(|m| m.compound(frame, e)),
        }
    }

    fn compound(&mut self, frame: &Frame<'a>, e: &'a Expr) -> Result<u64, Defect> {
        match &e.kind {
            ExprKind::Element(base, index) => {
                let at = self.typed(frame, index, Ty::W32)?;
                let (storage, len) = self.extent(frame, *base)?;
                if storage.ty() != e.ty {
                    return Err(Defect::Type);
                }
                if at >= len {
                    return Err(Defect::Outside { index: at, len });
                }
                self.element(frame, *base, at)
            }
            ExprKind::Not(a) => Ok(!self.typed(frame, a, e.ty)? & e.ty.max()),
            ExprKind::Binary(op, a, b) => self.binary(frame, e.ty, *op, a, b),
            ExprKind::Compare(op, a, b) if e.ty == Ty::Bool => self.compare(frame, *op, a, b),
            ExprKind::And(a, b) if e.ty == Ty::Bool => {
                Ok(u64::from(self.condition(frame, a)? && self.condition(frame, b)?))
            }
            ExprKind::Or(a, b) if e.ty == Ty::Bool => {
                Ok(u64::from(self.condition(frame, a)? || self.condition(frame, b)?))
            }
            ExprKind::Convert(a) if e.ty != Ty::Bool && a.ty != e.ty => Ok(self.expr(frame, a)? & e.ty.max()),
            ExprKind::SignExtend(a, bits) if e.ty != Ty::Bool && (1..e.ty.bits()).contains(bits) => {
                let v = fits(self.typed(frame, a, e.ty)?, *bits)?;
                Ok(sign_extend(v, *bits) & e.ty.max())
            }
            ExprKind::Select(c, a, b) => {
                let taken = if self.condition(frame, c)? { a } else { b };
                self.typed(frame, taken, e.ty)
            }
            ExprKind::StateWord(index) if e.ty == self.word() => {
                command_with_state(self, frame)?;
                let index = self.typed(frame, index, e.ty)?;
                let state = self.section.state.as_ref().ok_or(Defect::Absent(Thing::State))?;
                self.read_word(state, index)
            }
            // Calls and wide values count twice: they take more stack.
            ExprKind::Call(id, args) => match self.deeper(|m| m.call_function(frame, *id, args, None))? {
                Returned::Scalar(ty, v) if ty == e.ty => Ok(v),
                _ => Err(Defect::Type),
            },
            _ => self.deeper(|m| m.of_wide(frame, e)),
        }
    }

    fn of_wide(&mut self, frame: &Frame<'a>, e: &'a Expr) -> Result<u64, Defect> {
        match &e.kind {
            ExprKind::WideLess(a, b, n) if e.ty == Ty::Bool => {
                Ok(u64::from(self.wide(frame, a, *n)? < self.wide(frame, b, *n)?))
            }
            ExprKind::WideEqual(a, b, n) if e.ty == Ty::Bool => {
                Ok(u64::from(self.wide(frame, a, *n)? == self.wide(frame, b, *n)?))
            }
            ExprKind::WideWord { src, limbs, at } if e.ty != Ty::Bool => {
                let v = self.wide(frame, src, *limbs)?;
                let at = self.typed(frame, at, Ty::W32)?;
                Ok(wide::shifted_right(&v, at, *limbs).wrap(e.ty.bits(), false).to_u64().unwrap_or(0))
            }
            ExprKind::WideClamp(a, n) if e.ty == Ty::W32 => {
                Ok(self.wide(frame, a, *n)?.to_u32().map_or(ones(32), u64::from))
            }
            _ => Err(Defect::Type),
        }
    }

    fn binary(
        &mut self,
        frame: &Frame<'a>,
        ty: Ty,
        op: BinaryOp,
        left: &'a Expr,
        right: &'a Expr,
    ) -> Result<u64, Defect> {
        if ty == Ty::Bool {
            return Err(Defect::Type);
        }
        let a = self.typed(frame, left, ty)?;
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let b = self.typed(frame, right, if is_shift { Ty::W32 } else { ty })?;
        if is_shift && b >= u64::from(ty.bits()) {
            return Err(Defect::Shift { amount: b, bits: ty.bits() });
        }
        let v = match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.checked_div(b).ok_or(Defect::ZeroDivisor)?,
            BinaryOp::Rem => a.checked_rem(b).ok_or(Defect::ZeroDivisor)?,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Shl => a << b,
            BinaryOp::Shr => a >> b,
        };
        Ok(v & ty.max())
    }

    fn compare(&mut self, frame: &Frame<'a>, op: CompareOp, left: &'a Expr, right: &'a Expr) -> Result<u64, Defect> {
        let ordered = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        if ordered && left.ty == Ty::Bool {
            return Err(Defect::Type);
        }
        let a = self.expr(frame, left)?;
        let b = self.typed(frame, right, left.ty)?;
        Ok(u64::from(match op {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        }))
    }

    /// Calls a function. An array or wide result goes to `dst`, which overlaps no argument.
    pub(super) fn call_function(
        &mut self,
        caller: &Frame<'a>,
        id: FnId,
        args: &'a [CallArg],
        dst: Option<&Place>,
    ) -> Result<Returned, Defect> {
        // One that is not in the order would not be printed.
        let known = self.section.functions.get(id.index()).filter(|_| self.section.call_order.contains(&id));
        let function: &'a Function = known.ok_or(Defect::Absent(Thing::Function))?;
        if args.len() != function.params as usize {
            return Err(Defect::Absent(Thing::Argument));
        }
        let out = Some(function.result).filter(|shape| matches!(shape, Shape::Array { .. }));
        self.charge(function.body.locals.len() as u64 + u64::from(out.map_or(0, elements)))?;
        let mut frame = Frame::new(Role::Function, &function.body, Vec::new(), out);
        for (i, arg) in (0..).zip(args) {
            let local = crate::lower::ir::LocalId(i);
            match (frame.shape(local)?, arg) {
                (Shape::Scalar(_), CallArg::Value(e)) => frame.begin_with(local, e.ty, self.expr(caller, e)?)?,
                (Shape::Array { storage, len }, CallArg::Array(slice)) => {
                    let place = self.place(caller, slice, len)?;
                    if place.storage() != storage {
                        return Err(Defect::Type);
                    }
                    dst.map_or(Ok(()), |dst| dst.apart(&place))?;
                    // Nobody writes it during the call, so a copy is as good as a reference.
                    frame.begin_fixed(local, self.load(caller, &place)?)?;
                }
                _ => return Err(Defect::Type),
            }
        }
        let ending = self.deeper(|m| m.body(&mut frame, &function.body))?;
        match (ending, function.result, frame.out) {
            (Some(Ending::Return(Some((ty, v)))), Shape::Scalar(storage), None) if storage.ty() == ty => {
                Ok(Returned::Scalar(ty, fits(v, storage.bits())?))
            }
            (Some(Ending::Return(None)), Shape::Array { storage, .. }, Some((_, cells))) => {
                let values: Option<Vec<u64>> = cells.into_iter().collect();
                Ok(Returned::Array(storage, values.ok_or(Defect::Unset)?))
            }
            _ => Err(Defect::Ending),
        }
    }

    /// The value of a run of limbs.
    pub(super) fn wide(&mut self, frame: &Frame<'a>, slice: &'a Slice, limbs: u32) -> Result<crate::int::Int, Defect> {
        let place = self.place(frame, slice, limbs)?;
        self.wide_at(frame, &place)
    }

    pub(super) fn wide_at(&self, frame: &Frame<'a>, place: &Place) -> Result<crate::int::Int, Defect> {
        if place.storage() != Storage::U32 {
            return Err(Defect::Type);
        }
        Ok(wide::value(&self.load(frame, place)?))
    }
}

/// What a function returns.
pub(super) enum Returned {
    Scalar(Ty, u64),
    Array(Storage, Vec<u64>),
}

/// Refuses what only commands and restores of an interface with state do.
pub(super) fn command_with_state(machine: &Machine<'_>, frame: &Frame<'_>) -> Result<(), Defect> {
    match (frame.role, &machine.section.state) {
        (Role::Command | Role::Restore, Some(_)) => Ok(()),
        (Role::Command | Role::Restore, None) => Err(Defect::Absent(Thing::State)),
        _ => Err(Defect::Role),
    }
}
