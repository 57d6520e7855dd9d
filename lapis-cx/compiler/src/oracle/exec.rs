//! The statements of the reference [`evaluator`](super::eval).

use super::eval::{Ending, EvalError, Evaluator, World};
use super::ops;
use crate::contract::Function;
use crate::contract::core::{Body, Expr, Local, LocalId, Place, PlaceRoot, PlaceStep, Stmt, Type, Value};
use crate::int::Int;

/// What a call counts towards the limit of nesting, beside the level itself: it takes more stack than an operator.
const CALL_DEPTH: u32 = 4;

impl<W: World> Evaluator<'_, W> {
    /// Runs a function whose arguments are on the stack from `base` on, and removes them.
    pub(super) fn run_function(&mut self, function: &Function, base: usize) -> Result<Value, EvalError> {
        match self.run_body(&function.body, base)? {
            Ending::Returned(Some(value)) => Ok(value),
            _ => Err(EvalError::Malformed("a function does not return a value")),
        }
    }

    pub(super) fn run_body(&mut self, body: &Body, base: usize) -> Result<Ending, EvalError> {
        self.enter()?;
        self.depth += CALL_DEPTH;
        self.charge(body.locals.len() as u64)?;
        self.stack.resize(base + body.locals.len(), Value::Int(Int::ZERO));
        let outer = std::mem::replace(&mut self.base, base);
        let ending = self.stmts(&body.stmts, &body.locals)?;
        self.base = outer;
        self.stack.truncate(base);
        self.depth -= CALL_DEPTH + 1;
        Ok(ending.unwrap_or(Ending::Returned(None)))
    }

    /// Runs the statements of a body whose locals are on the stack.
    pub(super) fn statements_of(&mut self, body: &Body) -> Result<Ending, EvalError> {
        Ok(self.stmts(&body.stmts, &body.locals)?.unwrap_or(Ending::Returned(None)))
    }

    fn stmts(&mut self, stmts: &[Stmt], locals: &[Local]) -> Result<Option<Ending>, EvalError> {
        for stmt in stmts {
            if let Some(ending) = self.stmt(stmt, locals)? {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    fn block(&mut self, stmts: &[Stmt], locals: &[Local]) -> Result<Option<Ending>, EvalError> {
        self.enter()?;
        let ending = self.stmts(stmts, locals)?;
        self.depth -= 1;
        Ok(ending)
    }

    fn stmt(&mut self, stmt: &Stmt, locals: &[Local]) -> Result<Option<Ending>, EvalError> {
        self.charge(1)?;
        match stmt {
            Stmt::Let(id, value) => {
                let value = self.value(value)?;
                self.set_local(*id, value);
                Ok(None)
            }
            Stmt::Set(place, value) => self.assign(place, value, locals).map(|()| None),
            Stmt::If(c, a, b) => {
                let taken = if self.int(c)?.is_zero() { b } else { a };
                self.block(taken, locals)
            }
            Stmt::For { local, lo, hi, body } => self.run_loop(*local, lo, hi, body, locals),
            Stmt::Match { value, arms, default } => {
                let v = self.int(value)?;
                let hit = arms.iter().find(|arm| arm.patterns.iter().any(|(lo, hi)| *lo <= v && v < *hi));
                self.charge(arms.len() as u64)?;
                self.block(hit.map_or(default, |arm| &arm.body), locals)
            }
            Stmt::Return(value) => Ok(Some(Ending::Returned(self.optional(value)?))),
            Stmt::Raise { error, commit, value } => {
                Ok(Some(Ending::Raised { error: *error, commit: *commit, value: self.optional(value)? }))
            }
            Stmt::Trap => Ok(Some(Ending::Trapped)),
            Stmt::Do(e) => self.value(e).map(|_| None),
            Stmt::With(with) => {
                if !self.world.begin_with(with)? {
                    return self.block(with.otherwise.as_deref().unwrap_or_default(), locals);
                }
                let ending = self.block(&with.body, locals)?;
                self.world.end_with(with);
                Ok(ending)
            }
        }
    }

    fn optional(&mut self, value: &Option<Expr>) -> Result<Option<Value>, EvalError> {
        value.as_ref().map(|v| self.value(v)).transpose()
    }

    fn run_loop(
        &mut self,
        local: LocalId,
        lo: &Expr,
        hi: &Expr,
        body: &[Stmt],
        locals: &[Local],
    ) -> Result<Option<Ending>, EvalError> {
        let mut i = self.int(lo)?;
        let hi = self.int(hi)?;
        while i < hi {
            self.set_local(local, Value::Int(i.clone()));
            if let Some(ending) = self.block(body, locals)? {
                return Ok(Some(ending));
            }
            i = &i + &Int::ONE;
        }
        Ok(None)
    }

    fn assign(&mut self, place: &Place, value: &Expr, locals: &[Local]) -> Result<(), EvalError> {
        let value = self.value(value)?;
        // Positions are computed before the place is borrowed; bits can only be the last step.
        let path_base = self.path.len();
        let mut bits = None;
        for step in &place.path {
            match step {
                PlaceStep::Index(i) => {
                    let i = self.index_value(i)?;
                    self.path.push(i);
                }
                PlaceStep::Bits { at, width } => bits = Some((self.int(at)?, *width)),
            }
        }
        let (mut slot, mut ty) = match place.root {
            PlaceRoot::Local(id) => {
                let ty = locals.get(id.index()).map(|l| &l.ty);
                self.stack.get_mut(self.base + id.index()).zip(ty)
            }
            PlaceRoot::State(id) => self.world.field_mut(id),
        }
        .ok_or(EvalError::Malformed("an assigned variable is not there"))?;
        let steps = self.path.drain(path_base..);
        for i in steps {
            let (Value::Array(items), Type::Array { elem, .. }) = (slot, ty) else {
                return Err(EvalError::Malformed("an element of a scalar is assigned"));
            };
            let Some(item) = i.and_then(|i| items.get_mut(i)) else {
                return Ok(());
            };
            slot = item;
            ty = elem;
        }
        *slot = match bits {
            None => value,
            Some((at, width)) => Value::Int(ops::with_bits(ty, &slot.int(), &at, width, &value.int())),
        };
        Ok(())
    }
}
