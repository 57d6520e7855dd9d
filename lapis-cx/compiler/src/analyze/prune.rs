//! The last step of a section: only functions that something calls are kept, in order of first call by the state, CSRs in order
//! of their addresses, commands in order of their ids, then by laws and examples.

use std::collections::HashMap;

use crate::contract::core::{Argument, Expr, ExprKind, Place, PlaceStep, Stmt};
use crate::contract::{FnId, Function, Section, Semantics, Step};

/// Drops what is unused and renumbers the rest.
pub(super) fn prune(section: &mut Section) {
    let mut order = Order { fns: std::mem::take(&mut section.fns), kept: HashMap::new(), sequence: Vec::new() };
    if let Some(live) = &mut section.live {
        order.call(&mut live.save.function);
        order.call(&mut live.restore.function);
    }
    for csr in &mut section.csrs {
        csr.fields.iter_mut().for_each(|field| order.expr(&mut field.value));
    }
    for command in &mut section.commands {
        if let Semantics::Body(body) = &mut command.semantics {
            order.stmts(&mut body.stmts);
        }
    }
    for law in &mut section.laws {
        order.stmts(&mut law.body.stmts);
    }
    for example in &mut section.examples {
        order.steps(&mut example.steps);
    }
    section.fns = order.sequence.into_iter().flatten().collect();
}

struct Order {
    fns: Vec<Function>,
    kept: HashMap<FnId, FnId>,
    /// Filled when the body of an instance has been walked; its place is taken at its first call.
    sequence: Vec<Option<Function>>,
}

impl Order {
    fn call(&mut self, id: &mut FnId) {
        if let Some(new) = self.kept.get(id) {
            *id = *new;
            return;
        }
        let new = FnId(self.sequence.len() as u32);
        self.kept.insert(*id, new);
        self.sequence.push(None);
        let function = self.fns.get(id.index()).cloned();
        if let Some(mut function) = function {
            self.stmts(&mut function.body.stmts);
            if let Some(place) = self.sequence.get_mut(new.index()) {
                *place = Some(function);
            }
        }
        *id = new;
    }

    fn steps(&mut self, steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Run { expr, .. } | Step::Let { value: expr, .. } => self.expr(expr),
                Step::For { lo, hi, steps, .. } => {
                    self.expr(lo);
                    self.expr(hi);
                    self.steps(steps);
                }
                Step::Reset => {}
            }
        }
    }

    fn stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(_, e) => self.expr(e),
                Stmt::Set(place, e) => {
                    self.place(place);
                    self.expr(e);
                }
                Stmt::If(c, a, b) => {
                    self.expr(c);
                    self.stmts(a);
                    self.stmts(b);
                }
                Stmt::For { lo, hi, body, .. } => {
                    self.expr(lo);
                    self.expr(hi);
                    self.stmts(body);
                }
                Stmt::Match { value, arms, default } => {
                    self.expr(value);
                    for arm in arms {
                        self.stmts(&mut arm.body);
                    }
                    self.stmts(default);
                }
                Stmt::Return(Some(e)) | Stmt::Raise { value: Some(e), .. } | Stmt::Do(e) => self.expr(e),
                Stmt::With(with) => {
                    self.stmts(&mut with.body);
                    with.otherwise.iter_mut().for_each(|stmts| self.stmts(stmts));
                }
                Stmt::Return(None) | Stmt::Raise { value: None, .. } | Stmt::Trap => {}
            }
        }
    }

    fn place(&mut self, place: &mut Place) {
        for step in &mut place.path {
            match step {
                PlaceStep::Index(e) | PlaceStep::Bits { at: e, .. } => self.expr(e),
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Const(_) | ExprKind::Table(_) | ExprKind::Local(_) | ExprKind::State(_) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Convert(a)
            | ExprKind::Saturate(a)
            | ExprKind::Rep(a, _)
            | ExprKind::Fill(a)
            | ExprKind::Split(a)
            | ExprKind::Join(a) => self.expr(a),
            ExprKind::Comprehension(map) => self.expr(&mut map.elem),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Bits(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cat(items) | ExprKind::Array(items) | ExprKind::Command(_, items) => {
                items.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::Csr(_, value) => value.iter_mut().for_each(|e| self.expr(e)),
            ExprKind::Issue(issue) => issue.args.iter_mut().for_each(|e| self.expr(e)),
            ExprKind::Foreign(call) => {
                for arg in &mut call.args {
                    if let Argument::Value(e) = arg {
                        self.expr(e);
                    }
                }
            }
            ExprKind::Call(id, args) => {
                self.call(id);
                args.iter_mut().for_each(|e| self.expr(e));
            }
        }
    }
}
