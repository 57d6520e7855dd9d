//! The reference evaluator of the typed core ([`contract::core`](crate::contract::core)) in exact arithmetic.
//!
//! It is the authority for what a body means; the front end folds constants with it. It cannot hang: every node and
//! every copied element costs fuel. It cannot overflow the stack: nesting is bounded.

use std::borrow::Cow;
use std::fmt;

use super::ops;
use crate::contract::core::{
    Argument, BinaryOp, Body, Comprehension, Expr, ExprKind, Foreign, Issue, LocalId, Raised, Type, UnaryOp, Value,
    With,
};
use crate::contract::library::FunctionId;
use crate::contract::{CommandId, ConstId, CsrId, FieldId, FnId, Function, Section};
use crate::int::Int;

/// Fuel for one constant, command or step: about one second of work.
pub const DEFAULT_FUEL: u64 = 50_000_000;

/// How deeply expressions, blocks and calls may nest together. At worst this takes 1.5 MB of stack in a build without
/// optimisation; a thread has 2 MB.
const MAX_DEPTH: u32 = 400;

/// What bodies refer to by id.
pub trait Definitions {
    /// The value of a named array constant.
    fn table(&self, id: ConstId) -> Option<&Value>;
    /// A function instance.
    fn function(&self, id: FnId) -> Option<&Function>;
}

impl Definitions for Section {
    fn table(&self, id: ConstId) -> Option<&Value> {
        self.consts.get(id.index()).map(|c| &c.value)
    }
    fn function(&self, id: FnId) -> Option<&Function> {
        self.fns.get(id.index())
    }
}

/// What lies outside a pure expression: state, commands that can be issued, and CSRs.
pub trait World {
    /// A state field.
    fn field(&self, id: FieldId) -> Option<&Value>;
    /// A state field to assign to, and its type. Asking counts as an assignment.
    fn field_mut(&mut self, id: FieldId) -> Option<(&mut Value, &Type)>;
    /// Issues a command and returns the value of its result.
    fn issue(&mut self, id: CommandId, args: Vec<Value>, fuel: &mut u64) -> Result<Value, EvalError>;
    /// Reads a CSR, or writes a word to it; returns the word that was there before.
    fn access(&mut self, id: CsrId, value: Option<Value>, fuel: &mut u64) -> Result<Value, EvalError>;
    /// Begins a `with`: whether its body runs, and not its `else`.
    fn begin_with(&mut self, _with: &With) -> Result<bool, EvalError> {
        Err(LIBRARY_ONLY)
    }
    /// Ends a `with` whose body ran.
    fn end_with(&mut self, _with: &With) {}
    /// Issues a command of a context.
    fn issue_in(&mut self, _issue: &Issue, _args: Vec<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(LIBRARY_ONLY)
    }
    /// Calls a function of the library, which may change what it is passed. What gives nothing gives 0.
    fn call_foreign(
        &mut self,
        _function: FunctionId,
        _args: &mut [Value],
        _fuel: &mut u64,
    ) -> Result<Value, EvalError> {
        Err(LIBRARY_ONLY)
    }
}

const LIBRARY_ONLY: EvalError = EvalError::Malformed("the body of a library's function");

impl<W: World> World for &mut W {
    fn field(&self, id: FieldId) -> Option<&Value> {
        (**self).field(id)
    }
    fn field_mut(&mut self, id: FieldId) -> Option<(&mut Value, &Type)> {
        (**self).field_mut(id)
    }
    fn issue(&mut self, id: CommandId, args: Vec<Value>, fuel: &mut u64) -> Result<Value, EvalError> {
        (**self).issue(id, args, fuel)
    }
    fn access(&mut self, id: CsrId, value: Option<Value>, fuel: &mut u64) -> Result<Value, EvalError> {
        (**self).access(id, value, fuel)
    }
}

/// Nothing outside: constants and pure functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pure;

impl World for Pure {
    fn field(&self, _id: FieldId) -> Option<&Value> {
        None
    }
    fn field_mut(&mut self, _id: FieldId) -> Option<(&mut Value, &Type)> {
        None
    }
    fn issue(&mut self, _id: CommandId, _args: Vec<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(EvalError::Malformed("a command is issued where only values are known"))
    }
    fn access(&mut self, _id: CsrId, _value: Option<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(EvalError::Malformed("a CSR is accessed where only values are known"))
    }
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// The budget of steps is spent.
    OutOfFuel,
    /// Expressions and calls nest too deeply.
    TooDeep,
    /// The tree is not one that the front end makes.
    Malformed(&'static str),
    /// A command without a body was issued; its name.
    Opaque(String),
    /// A command trapped where a value was needed; its name.
    Trapped(String),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::OutOfFuel => f.write_str("this takes too many steps"),
            EvalError::TooDeep => f.write_str("this nests too deeply"),
            EvalError::Malformed(what) => write!(f, "malformed core: {what}"),
            EvalError::Opaque(name) => write!(f, "command `{name}` has no body to run"),
            EvalError::Trapped(name) => write!(f, "command `{name}` traps"),
        }
    }
}

impl std::error::Error for EvalError {}

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `return`, or the end of the statements (then without a value).
    Returned(Option<Value>),
    /// `raise`.
    Raised {
        /// Which error.
        error: Raised,
        /// Whether state changes are kept.
        commit: bool,
        /// The value of rd.
        value: Option<Value>,
    },
    /// `trap`.
    Trapped,
}

/// Runs expressions and bodies.
pub struct Evaluator<'a, W: World> {
    definitions: &'a dyn Definitions,
    pub(super) world: W,
    /// Locals of all active bodies; those of the innermost start at `base`.
    pub(super) stack: Vec<Value>,
    pub(super) base: usize,
    /// Indices of the element that is being looked up, kept to save allocations. `None` is beyond any array.
    pub(super) path: Vec<Option<usize>>,
    fuel: u64,
    pub(super) depth: u32,
}

impl<'a> Evaluator<'a, Pure> {
    /// An evaluator of constants and pure functions with [`DEFAULT_FUEL`] for all of them together.
    pub fn new(definitions: &'a dyn Definitions) -> Self {
        Evaluator::with_world(definitions, Pure, DEFAULT_FUEL)
    }

    /// The value of a constant expression.
    pub fn eval_const_expr(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        self.begin();
        self.value(expr)
    }
}

impl<'a, W: World> Evaluator<'a, W> {
    /// An evaluator in a world, with a budget of steps.
    pub fn with_world(definitions: &'a dyn Definitions, world: W, fuel: u64) -> Self {
        Evaluator { definitions, world, stack: Vec::new(), base: 0, path: Vec::new(), fuel, depth: 0 }
    }

    /// What is left of the budget.
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Gives the world back.
    pub fn into_world(self) -> W {
        self.world
    }

    /// The world.
    pub fn world(&mut self) -> &mut W {
        &mut self.world
    }

    fn begin(&mut self) {
        self.stack.clear();
        self.path.clear();
        self.base = 0;
        self.depth = 0;
    }

    /// Calls a pure function.
    pub fn call_function(&mut self, id: FnId, args: Vec<Value>) -> Result<Value, EvalError> {
        self.begin();
        let function = self.function(id)?;
        self.stack.extend(args);
        self.run_function(function, 0)
    }

    /// Runs a body; `args` are its parameters. Ends with all locals gone.
    pub fn run(&mut self, body: &Body, args: Vec<Value>) -> Result<Ending, EvalError> {
        self.begin();
        self.stack.extend(args);
        self.run_body(body, 0)
    }

    /// The same, and what the parameters are then.
    pub fn run_with(&mut self, body: &Body, args: Vec<Value>) -> Result<(Ending, Vec<Value>), EvalError> {
        self.begin();
        self.stack.extend(args);
        self.stack.resize(body.locals.len(), Value::Int(Int::ZERO));
        let ending = self.statements_of(body)?;
        Ok((ending, self.stack.drain(..).take(body.params as usize).collect()))
    }

    /// Makes room for locals that [`Evaluator::eval`] and [`Evaluator::set_local`] use, all 0. For code that steps
    /// through expressions itself, such as examples.
    pub fn open_frame(&mut self, locals: usize) {
        self.begin();
        self.stack.resize(locals, Value::Int(Int::ZERO));
    }

    /// Sets a local of the open frame.
    pub fn set_local(&mut self, id: LocalId, value: Value) {
        if let Some(slot) = self.stack.get_mut(self.base + id.index()) {
            *slot = value;
        }
    }

    /// A local of the open frame.
    pub fn local(&self, id: LocalId) -> Option<&Value> {
        self.stack.get(self.base + id.index())
    }

    /// The value of an expression over the locals of the open frame.
    pub fn eval(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        self.value(expr)
    }

    fn function(&self, id: FnId) -> Result<&'a Function, EvalError> {
        self.definitions.function(id).ok_or(EvalError::Malformed("a function is not there"))
    }

    /// Takes steps from the budget.
    pub(super) fn charge(&mut self, cost: u64) -> Result<(), EvalError> {
        match self.fuel.checked_sub(cost) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(EvalError::OutOfFuel)
            }
        }
    }

    /// Takes a step, one level deeper; the caller comes back up.
    pub(super) fn enter(&mut self) -> Result<(), EvalError> {
        self.charge(1)?;
        if self.depth >= MAX_DEPTH {
            return Err(EvalError::TooDeep);
        }
        self.depth += 1;
        Ok(())
    }

    /// The value of any expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        match &expr.ty {
            Type::Array { .. } => self.array(expr),
            _ => self.int(expr).map(Value::Int),
        }
    }

    /// The value of a scalar expression.
    pub(super) fn int(&mut self, expr: &Expr) -> Result<Int, EvalError> {
        match &expr.kind {
            ExprKind::Const(Value::Int(v)) => Ok(v.clone()),
            ExprKind::Local(id) => {
                let slot = self.stack.get(self.base + id.index());
                slot.map(Value::int).ok_or(EvalError::Malformed("a local is not there"))
            }
            _ => {
                self.enter()?;
                let v = self.compound(expr)?;
                self.depth -= 1;
                Ok(v)
            }
        }
    }

    // Each kind has a function of its own, so that the frame of this one, which nests, stays small.
    fn compound(&mut self, expr: &Expr) -> Result<Int, EvalError> {
        match &expr.kind {
            ExprKind::Unary(op, x) => self.unary(*op, &expr.ty, x),
            ExprKind::Binary(op, a, b) => self.binary(*op, &expr.ty, a, b),
            ExprKind::Convert(x) => self.convert(&expr.ty, x),
            ExprKind::Saturate(x) => self.saturate(&expr.ty, x),
            ExprKind::Select(c, a, b) => self.select(c, a, b),
            ExprKind::Bits(x, at) => self.bits(&expr.ty, x, at),
            ExprKind::Cat(items) => self.cat(&expr.ty, items),
            ExprKind::Rep(x, n) => self.rep(&expr.ty, x, *n),
            ExprKind::Join(x) => self.join(&expr.ty, x),
            ExprKind::Call(id, args) => self.call(*id, args).map(into_int),
            ExprKind::Command(id, args) => self.issue(*id, args).map(into_int),
            ExprKind::Csr(id, value) => self.access(*id, value.as_deref()).map(into_int),
            ExprKind::Issue(issue) => {
                let args = self.values(&issue.args)?;
                self.world.issue_in(issue, args, &mut self.fuel).map(into_int)
            }
            ExprKind::Foreign(call) => self.call_foreign(call).map(into_int),
            ExprKind::State(_) | ExprKind::Index(..) | ExprKind::Table(_) | ExprKind::Const(_) | ExprKind::Local(_) => {
                self.by_reference(expr).map(|v| v.int())
            }
            ExprKind::Array(_) | ExprKind::Comprehension(_) | ExprKind::Fill(_) | ExprKind::Split(_) => {
                Err(EvalError::Malformed("an array has the type of a scalar"))
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: &Type, x: &Expr) -> Result<Int, EvalError> {
        Ok(ops::unary(op, ty, &self.int(x)?))
    }

    fn binary(&mut self, op: BinaryOp, ty: &Type, a: &Expr, b: &Expr) -> Result<Int, EvalError> {
        let left = self.int(a)?;
        // The right side of && and || only runs if it matters: a command there has an effect.
        match op {
            BinaryOp::LogicalAnd if left.is_zero() => Ok(Int::ZERO),
            BinaryOp::LogicalOr if !left.is_zero() => Ok(Int::ONE),
            _ => Ok(ops::binary(op, ty, &left, &self.int(b)?)),
        }
    }

    fn convert(&mut self, ty: &Type, x: &Expr) -> Result<Int, EvalError> {
        Ok(ty.reduce(&self.int(x)?))
    }

    fn saturate(&mut self, ty: &Type, x: &Expr) -> Result<Int, EvalError> {
        Ok(ops::saturate(ty, &self.int(x)?))
    }

    fn select(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Result<Int, EvalError> {
        let taken = if self.int(c)?.is_zero() { b } else { a };
        self.int(taken)
    }

    fn bits(&mut self, ty: &Type, x: &Expr, at: &Expr) -> Result<Int, EvalError> {
        let v = self.int(x)?;
        Ok(ops::bits(ty, &x.ty, &v, &self.int(at)?))
    }

    fn rep(&mut self, ty: &Type, x: &Expr, n: u32) -> Result<Int, EvalError> {
        self.charge(u64::from(n))?;
        let v = ops::pattern(&x.ty, &self.int(x)?);
        let width = x.ty.width();
        let joined = (0..n).fold(Int::ZERO, |sum, _| ops::beside(&v, width, &sum));
        Ok(ty.reduce(&joined))
    }

    fn join(&mut self, ty: &Type, x: &Expr) -> Result<Int, EvalError> {
        let (elem, count) = x.ty.flattened();
        self.charge(count)?;
        let v = self.by_reference(x)?;
        let width = elem.width();
        // From the highest element down: each goes below those after it.
        let scalars = v.scalars().into_iter().rev();
        let joined = scalars.fold(Int::ZERO, |sum, item| ops::beside(&ops::pattern(elem, item), width, &sum));
        Ok(ty.reduce(&joined))
    }

    fn cat(&mut self, ty: &Type, items: &[Expr]) -> Result<Int, EvalError> {
        let mut joined = Int::ZERO;
        for item in items {
            let v = self.int(item)?;
            joined = ops::beside(&ops::pattern(&item.ty, &v), item.ty.width(), &joined);
        }
        Ok(ty.reduce(&joined))
    }

    fn array(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        self.enter()?;
        self.charge(expr.ty.flattened().1)?;
        let value = self.array_kind(expr)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array_kind(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        match &expr.kind {
            ExprKind::Select(c, a, b) => {
                let taken = if self.int(c)?.is_zero() { b } else { a };
                self.value(taken)
            }
            ExprKind::Array(items) => self.values(items).map(Value::Array),
            ExprKind::Comprehension(map) => self.comprehension(map),
            ExprKind::Fill(x) => self.fill(&expr.ty, x),
            ExprKind::Split(x) => self.split(&expr.ty, x),
            ExprKind::Call(id, args) => self.call(*id, args),
            ExprKind::Command(id, args) => self.issue(*id, args),
            ExprKind::Const(_) | ExprKind::Table(_) | ExprKind::Local(_) | ExprKind::State(_) | ExprKind::Index(..) => {
                self.by_reference(expr).map(Cow::into_owned)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Convert(_)
            | ExprKind::Saturate(_)
            | ExprKind::Bits(..)
            | ExprKind::Cat(_)
            | ExprKind::Rep(..)
            | ExprKind::Csr(..)
            | ExprKind::Issue(_)
            | ExprKind::Foreign(_)
            | ExprKind::Join(_) => Err(EvalError::Malformed("a scalar has the type of an array")),
        }
    }

    fn comprehension(&mut self, map: &Comprehension) -> Result<Value, EvalError> {
        let mut items = Vec::new();
        let mut i = map.lo.clone();
        while i < map.hi {
            self.charge(1)?;
            self.set_local(map.local, Value::Int(i.clone()));
            items.push(self.value(&map.elem)?);
            i = &i + &Int::ONE;
        }
        Ok(Value::Array(items))
    }

    fn fill(&mut self, ty: &Type, x: &Expr) -> Result<Value, EvalError> {
        // A scalar fills every scalar of an array of arrays.
        match (ty, self.value(x)?) {
            (_, Value::Int(v)) => Ok(Value::fill(ty, &v)),
            (Type::Array { len, .. }, item) => Ok(Value::Array(vec![item; *len as usize])),
            _ => Err(EvalError::Malformed("a scalar is filled")),
        }
    }

    fn split(&mut self, ty: &Type, x: &Expr) -> Result<Value, EvalError> {
        let (scalar, count) = ty.flattened();
        let pattern = ops::pattern(&x.ty, &self.int(x)?);
        let part = |i: u64| pattern.shr((i as u32).saturating_mul(scalar.width()));
        Ok(Value::Array((0..count).map(|i| Value::Int(scalar.reduce(&part(i)))).collect()))
    }

    fn values(&mut self, items: &[Expr]) -> Result<Vec<Value>, EvalError> {
        items.iter().map(|item| self.value(item)).collect()
    }

    fn call(&mut self, id: FnId, args: &[Expr]) -> Result<Value, EvalError> {
        let function = self.function(id)?;
        let base = self.stack.len();
        for arg in args {
            let value = self.value(arg)?;
            self.stack.push(value);
        }
        self.run_function(function, base)
    }

    fn access(&mut self, id: CsrId, value: Option<&Expr>) -> Result<Value, EvalError> {
        let value = value.map(|e| self.value(e)).transpose()?;
        self.world.access(id, value, &mut self.fuel)
    }

    fn issue(&mut self, id: CommandId, args: &[Expr]) -> Result<Value, EvalError> {
        let args = self.values(args)?;
        self.world.issue(id, args, &mut self.fuel)
    }

    fn call_foreign(&mut self, call: &Foreign) -> Result<Value, EvalError> {
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(match arg {
                Argument::Value(e) => self.value(e)?,
                Argument::Param(at) => self.local(LocalId(*at)).cloned().unwrap_or(Value::Int(Int::ZERO)),
            });
        }
        let result = self.world.call_foreign(call.function, &mut args, &mut self.fuel)?;
        for (arg, value) in call.args.iter().zip(args) {
            if let Argument::Param(at) = arg {
                self.set_local(LocalId(*at), value);
            }
        }
        Ok(result)
    }

    /// An index as a position; `None` if it is beyond any array.
    pub(super) fn index_value(&mut self, index: &Expr) -> Result<Option<usize>, EvalError> {
        Ok(self.int(index)?.to_u32().map(|i| i as usize))
    }

    /// The value of an expression, borrowed where it is stored: an element of a big array is not copied with it.
    fn by_reference<'s>(&'s mut self, expr: &'s Expr) -> Result<Cow<'s, Value>, EvalError> {
        let path_base = self.path.len();
        let mut root = expr;
        while let ExprKind::Index(array, _) = &root.kind {
            root = array;
        }
        let stored =
            matches!(root.kind, ExprKind::Const(_) | ExprKind::Table(_) | ExprKind::Local(_) | ExprKind::State(_));
        if !stored {
            let computed = self.value(root)?;
            self.push_indices(expr)?;
            let found = self.path.get(path_base..).and_then(|path| descend(&computed, path)).cloned();
            self.path.truncate(path_base);
            return Ok(Cow::Owned(found.unwrap_or_else(|| Value::zero(&expr.ty))));
        }
        self.push_indices(expr)?;
        let stored = match &root.kind {
            ExprKind::Const(value) => Some(value),
            ExprKind::Table(id) => self.definitions.table(*id),
            ExprKind::Local(id) => self.stack.get(self.base + id.index()),
            ExprKind::State(id) => self.world.field(*id),
            _ => None,
        }
        .ok_or(EvalError::Malformed("a variable or table is not there"))?;
        let found = self.path.get(path_base..).and_then(|path| descend(stored, path));
        self.path.truncate(path_base);
        Ok(found.map_or_else(|| Cow::Owned(Value::zero(&expr.ty)), Cow::Borrowed))
    }

    /// Pushes the indices of a chain of [`ExprKind::Index`], outermost array first.
    fn push_indices(&mut self, expr: &Expr) -> Result<(), EvalError> {
        if let ExprKind::Index(array, i) = &expr.kind {
            self.enter()?;
            self.push_indices(array)?;
            let i = self.index_value(i)?;
            self.path.push(i);
            self.depth -= 1;
        }
        Ok(())
    }
}

fn into_int(value: Value) -> Int {
    match value {
        Value::Int(v) => v,
        Value::Array(_) => Int::ZERO,
    }
}

/// The element at these indices; `None` outside.
fn descend<'v>(value: &'v Value, path: &[Option<usize>]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, i| match (value, i) {
        (Value::Array(items), Some(i)) => items.get(*i),
        _ => None,
    })
}
