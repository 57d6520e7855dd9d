//! Random well-typed bodies over every kind of expression and statement, at the widths where words end.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::contract::core::{
    Arm, BinaryOp, Body, Comprehension, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, PlaceStep, Raised, Stmt,
    Type, UnaryOp, Value,
};
use lapis_cx::contract::{
    Const, ConstId, Enum, EnumCase, EnumId, ErrorDef, ErrorId, FieldId, FnId, Function, Section, Sharing, State,
};
use lapis_cx::int::Int;
use lapis_cx::oracle::vectors::Random;
use lapis_cx::source::Span;

/// Widths around the words and limbs.
pub const WIDTHS: &[u32] = &[1, 2, 5, 7, 8, 9, 16, 31, 32, 33, 40, 63, 64, 65, 96, 127, 128, 200, 1024];

/// The generator.
pub struct Generator {
    random: Random,
    xlen: u32,
    section: Section,
    locals: Vec<Local>,
    /// Locals that may be read here.
    visible: Vec<LocalId>,
    /// Locals that may be assigned.
    variables: Vec<LocalId>,
    reads_state: bool,
    /// Loops around this place, so that bodies end soon.
    loops: u32,
}

fn node(ty: Type, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

impl Generator {
    /// A generator of sections.
    pub fn new(seed: u64, xlen: u32) -> Generator {
        let section = Section { xlen, ..Section::default() };
        let random = Random::new(seed);
        let (locals, visible, variables) = (Vec::new(), Vec::new(), Vec::new());
        Generator { random, xlen, section, locals, visible, variables, reads_state: false, loops: 0 }
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.random.below(one_in) == 0
    }

    fn width(&mut self) -> u32 {
        // Narrow ones are what most code has.
        let limit = if self.chance(4) { WIDTHS.len() } else { 13 };
        *self.random.pick(&WIDTHS[..limit]).unwrap()
    }

    fn int_ty(&mut self) -> Type {
        let width = self.width();
        if self.chance(2) { Type::U(width) } else { Type::S(width) }
    }

    fn scalar_ty(&mut self) -> Type {
        match self.random.below(16) {
            0 | 1 => Type::Bool,
            2 => Type::Enum { id: EnumId(0), width: 3 },
            _ => self.int_ty(),
        }
    }

    fn array_ty(&mut self) -> Type {
        let len = 1 + self.random.below(9) as u32;
        let elem = self.scalar_ty();
        let row = Type::array(elem, len);
        if self.chance(4) { Type::array(row, 1 + self.random.below(3) as u32) } else { row }
    }

    fn unsigned_ty(&mut self) -> Type {
        let width = self.width();
        Type::U(width)
    }

    /// A section with state, tables, functions, and `n` commands.
    pub fn section(mut self, n: u16) -> Section {
        let fields = (0..6).map(|i| {
            let ty = match i {
                0 => Type::U(self.xlen),
                1 | 2 => self.array_ty(),
                3 => Type::array(Type::S(33), 3),
                _ => self.scalar_ty(),
            };
            let reset = self.random.value(&ty);
            super::field(&format!("f{i}"), "", ty, reset)
        });
        let fields = fields.collect();
        self.section.state = Some(State { docs: String::new(), sharing: Sharing::Exclusive, ucontext: false, fields });
        let case = |name: &str, pattern: u32| EnumCase {
            name: name.into(),
            docs: String::new(),
            pattern: Int::from(pattern),
            span: Span::default(),
        };
        let cases = vec![case("low", 0), case("high", 7)];
        let (name, docs, span) = ("Mode".into(), String::new(), Span::default());
        self.section.enums.push(Enum { name, docs, width: 3, signed: false, cases, span });
        for code in [3, 7] {
            let (name, span) = (format!("e{code}"), Span::default());
            self.section.errors.push(ErrorDef { name, code, message: None, docs: String::new(), span });
        }
        for i in 0..3 {
            let elem = self.int_ty();
            let ty = Type::array(elem, if i == 0 { 256 } else { 5 });
            let value = self.random.value(&ty);
            let name = format!("T{i}");
            let (docs, span) = (String::new(), Span::default());
            self.section.consts.push(Const { name, docs, is_member: true, ty: Some(ty), value, span });
        }
        for i in 0..3 {
            let result = match i {
                0 => self.scalar_ty(),
                1 => self.array_ty(),
                _ => Type::U(100),
            };
            let params = vec![self.scalar_ty(), self.array_ty()];
            self.reads_state = false;
            let body = self.body(params, Some(&result), false);
            let (name, docs, span) = (format!("fun{i}"), String::new(), Span::default());
            // Only complete functions are called: none calls itself.
            self.section.fns.push(Function { name, generics: vec![], result, body, docs, span });
        }
        self.reads_state = true;
        for id in 0..n {
            let params = (0..self.random.below(3))
                .map(|_| {
                    loop {
                        let ty = self.scalar_ty();
                        if ty.width() <= self.xlen {
                            break ty;
                        }
                    }
                })
                .collect();
            let result = loop {
                let ty = self.scalar_ty();
                if ty.width() <= self.xlen {
                    break ty;
                }
            };
            let result = (!self.chance(8)).then_some(result);
            let body = self.body(params, result.as_ref(), true);
            self.section.commands.push(super::command(&format!("c{id}"), id, result, body));
        }
        self.section.commands.extend(super::standard_commands(self.xlen));
        self.section
    }

    fn declare(&mut self, name: &str, ty: Type) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        // Names that C has taken, and names that generated ones would like to have.
        let awkward = ["int", "st", "t1", "i", "status", "errno", "word", "out"];
        let name = match self.locals.len() {
            n if n % 3 == 0 => format!("{}{n}", self.random.pick(&awkward).unwrap()),
            n => format!("{name}{n}"),
        };
        let name = if self.locals.iter().any(|l| l.name == "int") { name } else { "int".into() };
        self.locals.push(Local { name, ty });
        id
    }

    fn body(&mut self, params: Vec<Type>, result: Option<&Type>, command: bool) -> Body {
        self.locals.clear();
        self.visible.clear();
        self.variables.clear();
        let count = params.len() as u32;
        for ty in params {
            let id = self.declare("p", ty);
            self.visible.push(id);
        }
        let mut stmts = self.block(3, result, command);
        stmts.push(Stmt::Return(result.map(|ty| self.expr(ty, 3))));
        Body { locals: std::mem::take(&mut self.locals), params: count, stmts }
    }

    fn block(&mut self, depth: u32, result: Option<&Type>, command: bool) -> Vec<Stmt> {
        let (visible, variables) = (self.visible.len(), self.variables.len());
        let n = 1 + self.random.below(4);
        let stmts = (0..n).map(|_| self.stmt(depth, result, command)).collect();
        self.visible.truncate(visible);
        self.variables.truncate(variables);
        stmts
    }

    fn stmt(&mut self, depth: u32, result: Option<&Type>, command: bool) -> Stmt {
        let kinds = if depth == 0 { 5 } else { 11 };
        match self.random.below(kinds) {
            0 | 1 => {
                let ty = if self.chance(3) { self.array_ty() } else { self.scalar_ty() };
                let value = self.expr(&ty, 3);
                let id = self.declare("v", ty);
                self.visible.push(id);
                self.variables.push(id);
                Stmt::Let(id, value)
            }
            2..=4 => self.assignment(command),
            5 | 6 => {
                let c = self.expr(&Type::Bool, 3);
                let then = self.block(depth - 1, result, command);
                let other = if self.chance(2) { self.block(depth - 1, result, command) } else { Vec::new() };
                Stmt::If(c, then, other)
            }
            7 if self.loops < 2 => self.for_loop(depth, result, command),
            8 => self.match_stmt(depth, result, command),
            9 if command && self.chance(2) => match self.random.below(5) {
                0 => Stmt::If(self.expr(&Type::Bool, 2), vec![Stmt::Trap], Vec::new()),
                k => {
                    let error = if k == 1 { Raised::Op } else { Raised::Error(ErrorId(k as u32 % 2)) };
                    let value = result.filter(|_| k != 4).map(|ty| self.expr(ty, 2));
                    let raise = Stmt::Raise { error, commit: self.chance(3), value };
                    Stmt::If(self.expr(&Type::Bool, 2), vec![raise], Vec::new())
                }
            },
            10 if self.chance(2) => {
                let value = result.map(|ty| self.expr(ty, 2));
                Stmt::If(self.expr(&Type::Bool, 2), vec![Stmt::Return(value)], Vec::new())
            }
            _ => self.assignment(command),
        }
    }

    fn for_loop(&mut self, depth: u32, result: Option<&Type>, command: bool) -> Stmt {
        let lo = self.random.below(9) as i32 - 4;
        let hi = lo + self.random.below(6) as i32;
        let (lo, hi) = (Int::from(lo), Int::from(hi));
        let ty = Type::smallest(&lo, &(&hi - &Int::ONE).max(lo.clone()));
        let constant = |v: &Int| node(Type::smallest(v, v), ExprKind::Const(Value::Int(v.clone())));
        let (mut from, mut to) = (constant(&lo), constant(&hi));
        let mut var = ty;
        if self.chance(3) {
            // Bounds that are not constant, of few values, and a variable that holds them all.
            let (a, b, c) = self
                .random
                .pick(&[
                    (Type::U(2), Type::U(3), Type::U(3)),
                    (Type::S(3), Type::S(3), Type::S(3)),
                    (Type::S(3), Type::U(2), Type::S(40)),
                    (Type::U(1), Type::U(3), Type::U(64)),
                    (Type::U(2), Type::U(2), Type::U(70)),
                    (Type::S(2), Type::S(3), Type::S(65)),
                ])
                .unwrap()
                .clone();
            (from, to, var) = (self.expr(&a, 2), self.expr(&b, 2), c);
            if self.chance(3) {
                from = node(var.clone(), ExprKind::Convert(Box::new(from)));
            }
            if self.chance(3) {
                to = node(var.clone(), ExprKind::Convert(Box::new(to)));
            }
        }
        self.loops += 1;
        let id = self.declare("k", var);
        self.visible.push(id);
        let body = self.block(depth - 1, result, command);
        self.visible.retain(|v| *v != id);
        self.loops -= 1;
        Stmt::For { local: id, lo: Box::new(from), hi: Box::new(to), body }
    }

    fn match_stmt(&mut self, depth: u32, result: Option<&Type>, command: bool) -> Stmt {
        let ty = self.scalar_ty();
        let value = self.expr(&ty, 3);
        let mut at = ty.range().0;
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let lo = &at + &Int::from(self.random.below(2));
            let hi = &lo + &Int::from(1 + if self.chance(3) { self.random.below(40) } else { 0 });
            let hi = hi.min(&ty.range().1 + &Int::ONE);
            if lo >= hi {
                break;
            }
            arms.push(Arm { patterns: vec![(lo, hi.clone())], body: self.block(depth - 1, result, command) });
            at = hi;
        }
        let default = if self.chance(2) { self.block(depth - 1, result, command) } else { Vec::new() };
        Stmt::Match { value, arms, default }
    }

    fn assignment(&mut self, command: bool) -> Stmt {
        let to_state = command && self.chance(2) || self.variables.is_empty();
        let (root, mut ty) = if to_state {
            if !command {
                let ty = self.scalar_ty();
                let value = self.expr(&ty, 2);
                let id = self.declare("w", ty);
                return Stmt::Let(id, value);
            }
            let fields = &self.section.state.as_ref().unwrap().fields;
            let types: Vec<Type> = fields.iter().map(|f| f.ty.clone()).collect();
            let i = self.random.below(types.len() as u64);
            (PlaceRoot::State(FieldId(i as u32)), types[i as usize].clone())
        } else {
            let id = *self.random.pick(&self.variables.clone()).unwrap();
            (PlaceRoot::Local(id), self.locals[id.index()].ty.clone())
        };
        let mut path = Vec::new();
        while let Type::Array { elem, .. } = ty.clone() {
            if self.chance(3) {
                break;
            }
            let index = self.index();
            path.push(PlaceStep::Index(index));
            ty = *elem;
        }
        if ty.is_integer() && self.chance(3) {
            let width = 1 + self.random.below(u64::from(ty.width())) as u32;
            let at = if self.chance(2) {
                node(Type::U(10), ExprKind::Const(Value::Int(Int::from(self.random.below(u64::from(ty.width()))))))
            } else {
                self.index()
            };
            path.push(PlaceStep::Bits { at, width });
            ty = Type::U(width);
        }
        let value = self.expr(&ty, 3);
        Stmt::Set(Place { root, path, ty }, value)
    }

    /// An index or position: mostly small.
    fn index(&mut self) -> Expr {
        let ty = match self.random.below(6) {
            0 => self.unsigned_ty(),
            1 | 2 => Type::U(2),
            3 | 4 => Type::U(3),
            _ => Type::U(6),
        };
        let e = self.expr(&ty, 2);
        if self.chance(2) { e } else { self.bounded(e) }
    }

    /// An unsigned value that a constant bounds: what lets lowering drop checks and masks.
    fn bounded(&mut self, e: Expr) -> Expr {
        use BinaryOp::*;
        let op = *self.random.pick(&[Rem, And, Min, Div, Shr, Add, Mul]).unwrap();
        let width = e.ty.width();
        let bound = Int::from(1 + self.random.below(70)).min(Int::ones(width));
        let bound = node(if op == Shr { Type::U(7) } else { e.ty.clone() }, ExprKind::Const(Value::Int(bound)));
        // Sums and products may have room for all of their bits.
        let ty = if matches!(op, Add | Mul) && self.chance(2) { Type::U(2 * width) } else { e.ty.clone() };
        node(ty, ExprKind::Binary(op, Box::new(e), Box::new(bound)))
    }

    fn leaf(&mut self, ty: &Type) -> Expr {
        let same: Vec<Expr> = self.readable().into_iter().filter(|e| e.ty == *ty).collect();
        if !same.is_empty() && !self.chance(3) {
            return self.random.pick(&same).unwrap().clone();
        }
        let other: Vec<Expr> = self.readable().into_iter().filter(|e| e.ty.is_integer()).collect();
        if ty.is_integer() && !other.is_empty() && !self.chance(3) {
            let e = self.random.pick(&other).unwrap().clone();
            return node(ty.clone(), ExprKind::Convert(Box::new(e)));
        }
        node(ty.clone(), ExprKind::Const(self.random.value(ty)))
    }

    /// What can be read here without computing.
    fn readable(&self) -> Vec<Expr> {
        let local = |id: &LocalId| node(self.locals[id.index()].ty.clone(), ExprKind::Local(*id));
        let mut list: Vec<Expr> = self.visible.iter().map(local).collect();
        if self.reads_state {
            let fields = self.section.state.iter().flat_map(|s| &s.fields).enumerate();
            list.extend(fields.map(|(i, f)| node(f.ty.clone(), ExprKind::State(FieldId(i as u32)))));
        }
        let tables = self.section.consts.iter().enumerate();
        list.extend(tables.map(|(i, c)| node(c.ty.clone().unwrap(), ExprKind::Table(ConstId(i as u32)))));
        list
    }

    /// An expression of a type.
    pub fn expr(&mut self, ty: &Type, depth: u32) -> Expr {
        if depth == 0 || self.chance(8) {
            return self.leaf(ty);
        }
        if let Some(e) = self.general(ty, depth) {
            return e;
        }
        match ty {
            Type::Bool => self.bool_expr(depth),
            Type::Enum { width, .. } => {
                let pattern = self.expr(&Type::U(*width), depth - 1);
                node(ty.clone(), ExprKind::Convert(Box::new(pattern)))
            }
            Type::Array { len, elem } => self.array_expr(ty, *len, elem, depth),
            _ => self.int_expr(ty, depth),
        }
    }

    /// Kinds that every type has: selections, calls, elements.
    fn general(&mut self, ty: &Type, depth: u32) -> Option<Expr> {
        let d = depth - 1;
        let kind = match self.random.below(12) {
            0 => {
                let (c, a, b) = (self.expr(&Type::Bool, d), self.expr(ty, d), self.expr(ty, d));
                ExprKind::Select(Box::new(c), Box::new(a), Box::new(b))
            }
            1 | 2 => {
                let rows: Vec<Expr> = self
                    .readable()
                    .into_iter()
                    .filter(|e| matches!(&e.ty, Type::Array { elem, .. } if **elem == *ty))
                    .collect();
                let row = match self.random.pick(&rows) {
                    Some(row) => row.clone(),
                    None if matches!(ty, Type::Array { .. }) => return None,
                    None => self.expr(&Type::array(ty.clone(), 4), d),
                };
                let index = self.index();
                ExprKind::Index(Box::new(row), Box::new(index))
            }
            3 => {
                let fits = |(_, f): &(usize, &Function)| f.result == *ty;
                let fns: Vec<(usize, Vec<Type>)> = self
                    .section
                    .fns
                    .iter()
                    .enumerate()
                    .filter(fits)
                    .map(|(i, f)| (i, f.body.locals.iter().take(2).map(|l| l.ty.clone()).collect()))
                    .collect();
                let (id, params) = self.random.pick(&fns)?.clone();
                let args = params.iter().map(|ty| self.expr(ty, d)).collect();
                ExprKind::Call(FnId(id as u32), args)
            }
            _ => return None,
        };
        Some(node(ty.clone(), kind))
    }

    fn bool_expr(&mut self, depth: u32) -> Expr {
        use BinaryOp::*;
        let d = depth - 1;
        let kind = match self.random.below(8) {
            0 => {
                let a = self.expr(&Type::Bool, d);
                ExprKind::Unary(UnaryOp::LogicalNot, Box::new(a))
            }
            1 | 2 => {
                let op = *self.random.pick(&[LogicalAnd, LogicalOr, Eq, Ne]).unwrap();
                let (a, b) = (self.expr(&Type::Bool, d), self.expr(&Type::Bool, d));
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
            3 => {
                let op = *self.random.pick(&[Eq, Ne]).unwrap();
                let ty = Type::Enum { id: EnumId(0), width: 3 };
                let (a, b) = (self.expr(&ty, d), self.expr(&ty, d));
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
            _ => {
                let op = *self.random.pick(&[Eq, Ne, Lt, Le, Gt, Ge]).unwrap();
                let (ta, tb) = (self.int_ty(), self.int_ty());
                let tb = if self.chance(2) { ta.clone() } else { tb };
                let (a, b) = (self.expr(&ta, d), self.expr(&tb, d));
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
        };
        node(Type::Bool, kind)
    }

    fn int_expr(&mut self, ty: &Type, depth: u32) -> Expr {
        use BinaryOp::*;
        let d = depth - 1;
        let width = ty.width();
        let kind = match self.random.below(16) {
            0 => {
                let from = self.int_ty();
                let a = self.expr(&from, d);
                let op = if from == *ty && self.chance(2) { UnaryOp::Not } else { UnaryOp::Neg };
                ExprKind::Unary(op, Box::new(a))
            }
            1 | 2 => {
                let from = self.scalar_ty();
                ExprKind::Convert(Box::new(self.expr(&from, d)))
            }
            3 => {
                let from = self.int_ty();
                ExprKind::Saturate(Box::new(self.expr(&from, d)))
            }
            4..=6 => {
                let op = *self.random.pick(&[Add, Sub, Mul]).unwrap();
                let (ta, tb) = (self.int_ty(), self.int_ty());
                let (ta, tb) = if self.chance(2) { (ty.clone(), ty.clone()) } else { (ta, tb) };
                let (a, b) = (self.expr(&ta, d), self.expr(&tb, d));
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
            7..=9 => {
                let op = *self.random.pick(&[Div, Rem, And, Or, Xor, Min, Max, Div, Rem]).unwrap();
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                if matches!(ty, Type::U(_)) && self.chance(3) {
                    let e = self.bounded(a);
                    return if e.ty == *ty { e } else { node(ty.clone(), ExprKind::Convert(Box::new(e))) };
                }
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
            10 | 11 => {
                let op = *self.random.pick(&[Shl, Shr]).unwrap();
                let a = self.expr(ty, d);
                let amount = self.index();
                ExprKind::Binary(op, Box::new(a), Box::new(amount))
            }
            12 if ty.is_signed() => ExprKind::Convert(Box::new(self.expr(&Type::U(width), d))),
            12 => {
                let from = self.int_ty();
                let a = self.expr(&from, d);
                let at = self.index();
                ExprKind::Bits(Box::new(a), Box::new(at))
            }
            13 if !ty.is_signed() => {
                let mut left = width;
                let mut parts = Vec::new();
                while left > 0 {
                    let part = 1 + self.random.below(u64::from(left)) as u32;
                    let ty = if self.chance(2) { Type::U(part) } else { Type::S(part) };
                    parts.push(self.expr(&ty, d.min(1)));
                    left -= part;
                }
                ExprKind::Cat(parts)
            }
            14 if !ty.is_signed() => {
                let n = *[1, 2, 4, width].iter().rfind(|n| width.is_multiple_of(**n)).unwrap();
                let n = if self.chance(2) && width.is_multiple_of(2) { 2 } else { n };
                let part = Type::U(width / n);
                ExprKind::Rep(Box::new(self.expr(&part, d)), n)
            }
            15 if !ty.is_signed() => {
                let n = [16, 8, 5, 4, 2, 1].into_iter().find(|n| width.is_multiple_of(*n)).unwrap();
                let n = if self.chance(4) { width.min(100) } else { n };
                if !width.is_multiple_of(n) {
                    return self.leaf(ty);
                }
                let elem = if self.chance(2) { Type::U(width / n) } else { Type::S(width / n) };
                ExprKind::Join(Box::new(self.expr(&Type::array(elem, n), d)))
            }
            _ => return self.leaf(ty),
        };
        node(ty.clone(), kind)
    }

    fn array_expr(&mut self, ty: &Type, len: u32, elem: &Type, depth: u32) -> Expr {
        let d = depth - 1;
        let kind = match self.random.below(6) {
            0 => ExprKind::Array((0..len).map(|_| self.expr(elem, d.min(1))).collect()),
            1 | 2 => {
                let (lo, hi) = (Int::from(2u32), Int::from(2 + len));
                let last = &hi - &Int::ONE;
                let local = self.declare("x", Type::smallest(&lo, &last));
                self.visible.push(local);
                let item = self.expr(elem, d);
                self.visible.retain(|v| *v != local);
                ExprKind::Comprehension(Box::new(Comprehension { local, lo, hi, elem: item }))
            }
            3 if !matches!(elem, Type::Array { .. }) => ExprKind::Fill(Box::new(self.expr(elem, d))),
            4 if elem.is_integer() && elem.width() * len <= 1024 => {
                let whole = elem.width() * len;
                let from = if elem.is_signed() { Type::S(whole) } else { Type::U(whole) };
                ExprKind::Split(Box::new(self.expr(&from, d)))
            }
            _ => return self.leaf(ty),
        };
        node(ty.clone(), kind)
    }
}
