//! Each effect gets a statement of its own: what is left of expressions can be computed at any time between two of them.

use super::Node;
use super::walk;
use crate::contract::core::{
    Argument, Arm, BinaryOp, Comprehension, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, PlaceStep, Stmt, Type,
    Value,
};
use crate::int::Int;

/// Flattens the statements of a body.
pub struct Flattener<'a> {
    /// The locals of the body; new ones come behind.
    pub locals: &'a mut Vec<Local>,
    /// How many of them are parameters: those of array types are buffers of the caller.
    pub params: u32,
}

fn node(ty: Type, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

fn number(v: &Int) -> Expr {
    node(Type::smallest(v, v), ExprKind::Const(Value::Int(v.clone())))
}

fn whole(local: LocalId, ty: Type) -> Place {
    Place { root: PlaceRoot::Local(local), path: Vec::new(), ty }
}

impl Flattener<'_> {
    /// Flattens a block.
    pub fn block(&mut self, stmts: &[Stmt]) -> Vec<Node> {
        let mut out = Vec::new();
        for stmt in stmts {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn temp(&mut self, ty: Type) -> LocalId {
        self.locals.push(Local { name: String::new(), ty });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Names a value.
    fn name(&mut self, e: Expr, out: &mut Vec<Node>) -> Expr {
        let ty = e.ty.clone();
        let id = self.temp(ty.clone());
        out.push(Node::Stmt(Stmt::Let(id, e)));
        node(ty, ExprKind::Local(id))
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Node>) {
        match stmt {
            Stmt::Let(id, e) => match &e.kind {
                ExprKind::Issue(_) | ExprKind::Foreign(_) => self.effect(e, Some(*id), out),
                _ => {
                    let e = self.pure(e, out);
                    out.push(Node::Stmt(Stmt::Let(*id, e)));
                }
            },
            Stmt::Do(e) => match &e.kind {
                ExprKind::Issue(_) | ExprKind::Foreign(_) => self.effect(e, None, out),
                _ => {
                    self.pure(e, out);
                }
            },
            Stmt::Set(place, e) => self.set(place, e, out),
            Stmt::If(c, a, b) => {
                let c = self.pure(c, out);
                let (a, b) = (self.block(a), self.block(b));
                out.push(Node::If(c, a, b));
            }
            Stmt::For { local, lo, hi, body } => {
                let bounds = self.in_order(&[lo, hi], out);
                let body = self.block(body);
                if let [lo, hi] = bounds.as_slice() {
                    out.push(Node::For { local: *local, lo: lo.clone(), hi: hi.clone(), body });
                }
            }
            Stmt::Match { value, arms, default } => self.select_arm(value, arms, default, out),
            Stmt::Return(e) => {
                let e = e.as_ref().map(|e| self.pure(e, out));
                out.push(Node::Return(e));
            }
            Stmt::With(with) => {
                let body = self.block(&with.body);
                let otherwise = with.otherwise.as_ref().map(|stmts| self.block(stmts));
                out.push(Node::With { context: with.context, body, otherwise });
            }
            // Only commands end like this.
            Stmt::Raise { .. } | Stmt::Trap => out.push(Node::Return(None)),
        }
    }

    /// A `match` whose arms have effects is a chain of branches; another one stays what it is.
    fn select_arm(&mut self, value: &Expr, arms: &[Arm], default: &[Stmt], out: &mut Vec<Node>) {
        let value = self.pure(value, out);
        let blocks: Vec<_> = arms.iter().map(|arm| self.block(&arm.body)).collect();
        let last = self.block(default);
        let plain = |nodes: &[Node]| {
            let stmt = |node: &Node| match node {
                Node::Stmt(stmt) => Some(stmt.clone()),
                _ => None,
            };
            nodes.iter().map(stmt).collect::<Option<Vec<_>>>()
        };
        let bodies: Option<Vec<_>> = blocks.iter().map(|block| plain(block)).collect();
        if let (Some(bodies), Some(default)) = (bodies, plain(&last)) {
            let arms = arms.iter().zip(bodies).map(|(arm, body)| Arm { patterns: arm.patterns.clone(), body });
            out.push(Node::Stmt(Stmt::Match { value, arms: arms.collect(), default }));
            return;
        }
        let value = match value.kind {
            ExprKind::Local(_) | ExprKind::Const(_) => value,
            _ => self.name(value, out),
        };
        let binary = |op, a: Expr, b: Expr| node(Type::Bool, ExprKind::Binary(op, Box::new(a), Box::new(b)));
        // Only numbers have an order.
        let value = match value.ty {
            Type::Bool | Type::Enum { .. } => node(Type::U(value.ty.width()), ExprKind::Convert(Box::new(value))),
            _ => value,
        };
        let mut chain = last;
        for (arm, body) in arms.iter().zip(blocks).rev() {
            let tests = arm.patterns.iter().map(|(lo, hi)| {
                let last = hi - &Int::ONE;
                if *lo == last {
                    return binary(BinaryOp::Eq, value.clone(), number(lo));
                }
                let (above, below) = (
                    binary(BinaryOp::Ge, value.clone(), number(lo)),
                    binary(BinaryOp::Le, value.clone(), number(&last)),
                );
                binary(BinaryOp::LogicalAnd, above, below)
            });
            let Some(any) = tests.reduce(|a, b| binary(BinaryOp::LogicalOr, a, b)) else { continue };
            chain = vec![Node::If(any, body, chain)];
        }
        out.extend(chain);
    }

    /// The value comes first, then the positions.
    fn set(&mut self, place: &Place, e: &Expr, out: &mut Vec<Node>) {
        let mut parts = vec![e];
        parts.extend(place.path.iter().map(|step| match step {
            PlaceStep::Index(at) | PlaceStep::Bits { at, .. } => at,
        }));
        let mut parts = self.in_order(&parts, out).into_iter();
        let Some(value) = parts.next() else { return };
        let steps = place.path.iter().zip(parts).map(|(step, at)| match step {
            PlaceStep::Index(_) => PlaceStep::Index(at),
            PlaceStep::Bits { width, .. } => PlaceStep::Bits { at, width: *width },
        });
        let place = Place { root: place.root, path: steps.collect(), ty: place.ty.clone() };
        match (&place.root, &place.ty) {
            // A buffer is assigned element by element, after all of the value is known.
            (PlaceRoot::Local(id), Type::Array { len, elem }) if id.0 < self.params && place.path.is_empty() => {
                let (len, elem) = (*len, (**elem).clone());
                let (k, at) = self.position(len);
                let item = self.element_of(value, &at, &elem, out);
                let place = Place { root: place.root, path: vec![PlaceStep::Index(at)], ty: elem };
                let body = vec![Node::Stmt(Stmt::Set(place, item))];
                out.push(Node::For { local: k, lo: number(&Int::ZERO), hi: number(&Int::from(len)), body });
            }
            _ => out.push(Node::Stmt(Stmt::Set(place, value))),
        }
    }

    /// An element of a value that is put into a buffer, which may be what the value is made of.
    fn element_of(&mut self, value: Expr, at: &Expr, elem: &Type, out: &mut Vec<Node>) -> Expr {
        match value.kind {
            ExprKind::Fill(one) if one.ty == *elem => self.name(*one, out),
            kind => {
                let value = self.name(node(value.ty, kind), out);
                node(elem.clone(), ExprKind::Index(Box::new(value), Box::new(at.clone())))
            }
        }
    }

    /// A variable for the elements of an array.
    fn position(&mut self, len: u32) -> (LocalId, Expr) {
        let ty = Type::smallest(&Int::ZERO, &Int::from(len.saturating_sub(1)));
        let k = self.temp(ty.clone());
        (k, node(ty, ExprKind::Local(k)))
    }

    /// Emits a command or a call.
    fn effect(&mut self, e: &Expr, into: Option<LocalId>, out: &mut Vec<Node>) {
        match &e.kind {
            ExprKind::Issue(issue) => {
                let args = self.in_order(&issue.args.iter().collect::<Vec<_>>(), out);
                let (context, command) = (issue.context, issue.command);
                out.push(Node::Issue { context, command, args, ty: e.ty.clone(), into });
            }
            ExprKind::Foreign(call) => {
                let values = walk::operands(e);
                let mut values = self.in_order(&values, out).into_iter();
                let args = call.args.iter().filter_map(|arg| match arg {
                    Argument::Value(_) => values.next().map(Argument::Value),
                    Argument::Param(at) => Some(Argument::Param(*at)),
                });
                let args = args.collect();
                out.push(Node::Foreign { function: call.function, args, ty: e.ty.clone(), into });
            }
            _ => {}
        }
    }

    /// Expressions one after the other. One that reads memory is named if a call comes behind it.
    fn in_order(&mut self, list: &[&Expr], out: &mut Vec<Node>) -> Vec<Expr> {
        let mut done = Vec::new();
        let last_call = list.iter().rposition(|e| walk::calls(e)).unwrap_or(0);
        for (i, e) in list.iter().enumerate() {
            let e = self.pure(e, out);
            let overtaken = i < last_call;
            done.push(if overtaken && walk::reads_memory(&e, self.params) { self.name(e, out) } else { e });
        }
        done
    }

    /// The expression without effects, after these were emitted.
    fn pure(&mut self, e: &Expr, out: &mut Vec<Node>) -> Expr {
        if let ExprKind::Local(id) = e.kind
            && let (true, Type::Array { len, elem }) = (id.0 < self.params, &e.ty)
        {
            return self.copied(e, *len, elem);
        }
        match &e.kind {
            // A buffer that is only looked into stays where it is.
            ExprKind::Index(array, at) if matches!(array.kind, ExprKind::Local(_)) => {
                let at = self.pure(at, out);
                node(e.ty.clone(), ExprKind::Index(array.clone(), Box::new(at)))
            }
            _ if !walk::has_effect(e) => {
                let mut e = e.clone();
                for operand in walk::operands_mut(&mut e) {
                    *operand = self.pure(operand, out);
                }
                e
            }
            ExprKind::Issue(_) | ExprKind::Foreign(_) => {
                let id = self.temp(e.ty.clone());
                self.effect(e, Some(id), out);
                node(e.ty.clone(), ExprKind::Local(id))
            }
            ExprKind::Select(c, a, b) => {
                let c = self.pure(c, out);
                self.either(c, a, b, out)
            }
            ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), a, b) => {
                let a = self.pure(a, out);
                let known = node(Type::Bool, ExprKind::Const(Value::Int(Int::from(*op == BinaryOp::LogicalOr))));
                match op {
                    BinaryOp::LogicalAnd => self.either(a, b, &known, out),
                    _ => self.either(a, &known, b, out),
                }
            }
            ExprKind::Comprehension(map) => self.each(e, map, out),
            _ => {
                let parts = self.in_order(&walk::operands(e), out);
                let mut e = e.clone();
                for (operand, part) in walk::operands_mut(&mut e).into_iter().zip(parts) {
                    *operand = part;
                }
                e
            }
        }
    }

    /// A buffer of known length as a value.
    fn copied(&mut self, buffer: &Expr, len: u32, elem: &Type) -> Expr {
        let (local, at) = self.position(len);
        let elem = node(elem.clone(), ExprKind::Index(Box::new(buffer.clone()), Box::new(at)));
        let map = Comprehension { local, lo: Int::ZERO, hi: Int::from(len), elem };
        node(buffer.ty.clone(), ExprKind::Comprehension(Box::new(map)))
    }

    /// `c ? a : b`, of which only one has its effects.
    fn either(&mut self, c: Expr, a: &Expr, b: &Expr, out: &mut Vec<Node>) -> Expr {
        let id = self.temp(a.ty.clone());
        out.push(Node::Stmt(Stmt::Let(id, node(a.ty.clone(), ExprKind::Const(Value::zero(&a.ty))))));
        let mut arm = |e: &Expr| {
            let mut nodes = Vec::new();
            let value = self.pure(e, &mut nodes);
            nodes.push(Node::Stmt(Stmt::Set(whole(id, e.ty.clone()), value)));
            nodes
        };
        let (a, b) = (arm(a), arm(b));
        let ty = self.locals.get(id.index()).map_or(Type::Bool, |local| local.ty.clone());
        out.push(Node::If(c, a, b));
        node(ty, ExprKind::Local(id))
    }

    /// An array whose elements have effects.
    fn each(&mut self, e: &Expr, map: &Comprehension, out: &mut Vec<Node>) -> Expr {
        let id = self.temp(e.ty.clone());
        out.push(Node::Stmt(Stmt::Let(id, node(e.ty.clone(), ExprKind::Const(Value::zero(&e.ty))))));
        let mut body = Vec::new();
        let value = self.pure(&map.elem, &mut body);
        let ty = self.locals.get(map.local.index()).map_or(Type::U(32), |local| local.ty.clone());
        let here = node(ty.clone(), ExprKind::Local(map.local));
        let at = if map.lo.is_zero() {
            here
        } else {
            let length = &map.hi - &map.lo;
            let ty = Type::smallest(&Int::ZERO, &(&length - &Int::ONE).max(Int::ZERO));
            node(ty, ExprKind::Binary(BinaryOp::Sub, Box::new(here), Box::new(number(&map.lo))))
        };
        let place = Place { root: PlaceRoot::Local(id), path: vec![PlaceStep::Index(at)], ty: map.elem.ty.clone() };
        body.push(Node::Stmt(Stmt::Set(place, value)));
        out.push(Node::For { local: map.local, lo: number(&map.lo), hi: number(&map.hi), body });
        node(e.ty.clone(), ExprKind::Local(id))
    }
}
