//! Prints the statements of one body.

use lapis_cx::contract::{FieldId, FnId};
use lapis_cx::lower::ir::{
    self, Answer, Base, BinaryOp, Body, Edge, Expr, ExprKind, LocalId, Shape, Slice, Stmt, Storage, WideOp,
};
use lapis_cx::lower::{Use, block_uses};

use crate::expr::{number, scalar_type, storage_type};
use crate::helper::Helper;
use crate::method::edge_type;
use crate::mutable::Locals;
use crate::naming::{self, STATUS};
use crate::unit::Unit;

/// Prints one body.
pub struct Printer<'u, 's> {
    /// What the section shares.
    pub unit: &'u mut Unit<'s>,
    /// The name of the state: `self` in its own methods.
    pub state: &'static str,
    /// Rust parameters of a command, with their types.
    pub params: Vec<(String, Edge)>,
    names: Vec<String>,
    locals: Locals,
    read: Vec<bool>,
    body: &'s Body,
    /// The storage and length of a function's array result.
    array_result: Option<(Storage, u32)>,
    /// The parameters of a function, which are borrowed if they are arrays.
    borrowed: usize,
    result: Option<Edge>,
    reports: bool,
    text: String,
    depth: usize,
}

/// Where a function puts its array result.
const OUT: &str = "out";

impl<'u, 's> Printer<'u, 's> {
    /// A printer of a body whose first `params` locals are parameters.
    fn new(unit: &'u mut Unit<'s>, body: &'s Body, params: usize) -> Printer<'u, 's> {
        let locals = Locals::new(body, params);
        let mut read = vec![false; body.locals.len()];
        block_uses(&body.stmts, &mut |u| {
            if let Use::Local(id) = u
                && let Some(flag) = read.get_mut(id.index())
            {
                *flag = true;
            }
        });
        // Loop variables have a scope of their own, so many may have one name; other locals must differ, as lowering may
        // have merged their scopes.
        let mut scope = unit.taken.clone();
        let is_loop = |i: usize| locals.is_loop(LocalId(i as u32));
        let name = |local: &ir::Local| naming::snake(&local.name);
        let mut names = vec![String::new(); body.locals.len()];
        for (i, (local, place)) in body.locals.iter().zip(&mut names).enumerate() {
            if !local.name.is_empty() && !is_loop(i) {
                *place = scope.fresh(&name(local));
            }
        }
        let others = scope.clone();
        for (i, (local, place)) in body.locals.iter().zip(&mut names).enumerate() {
            if !local.name.is_empty() && is_loop(i) {
                *place = others.clone().fresh(&name(local));
                scope.reserve(place);
            }
        }
        let mut next = 0;
        names.iter_mut().filter(|n| n.is_empty()).for_each(|name| *name = scope.temporary(&mut next));
        Printer {
            unit,
            state: "st",
            params: Vec::new(),
            names,
            locals,
            read,
            body,
            array_result: None,
            borrowed: params,
            result: None,
            reports: false,
            text: String::new(),
            depth: 1,
        }
    }

    /// Prints a method of the state: the names of its parameters, and its statements.
    pub fn method(unit: &'u mut Unit<'s>, body: &'s Body, params: usize) -> (Vec<String>, String) {
        let mut printer = Printer::new(unit, body, params);
        printer.state = "self";
        printer.borrowed = 0;
        let names = (0..params as u32).map(|i| printer.parameter(LocalId(i))).collect();
        printer.block(&body.stmts, true);
        (names, printer.text)
    }

    /// Prints the body of a command, or of an access of a CSR: the parameters that stand behind the state, and statements.
    /// `reports` says that it gives an answer beside its value.
    pub fn issued(
        unit: &'u mut Unit<'s>,
        body: &'s Body,
        params: &[ir::Param],
        result: Option<Edge>,
        reports: bool,
    ) -> (Vec<String>, String) {
        let mut printer = Printer::new(unit, body, 0);
        let mut scope = printer.unit.taken.clone();
        printer.names.iter().for_each(|name| scope.reserve(name));
        let mut list = Vec::new();
        let mut direct = Vec::new();
        let stmts = &body.stmts;
        let mut arguments = Vec::new();
        block_uses(stmts, &mut |u| {
            if let Use::Argument(i) = u {
                arguments.push(i);
            }
        });
        for (i, param) in params.iter().enumerate() {
            // A word of the right type is its own local; others begin as the low bits of what was passed.
            let own = stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let(id, Expr { kind: ExprKind::Arg(n), .. }) if *n as usize == i => Some(*id),
                _ => None,
            });
            let named = |id: &LocalId| body.locals.get(id.index()).is_some_and(|l| !l.name.is_empty());
            let own = own.filter(named).filter(|_| matches!(param.edge, Edge::Bool | Edge::Unsigned(32 | 64)));
            let ty = edge_type(param.edge);
            let name = match own {
                Some(id) => {
                    direct.push(id);
                    let mark = if printer.locals.is_changed(id) { "mut " } else { "" };
                    let name = printer.local(id);
                    list.push(format!("{mark}{name}: {ty}"));
                    name
                }
                None => {
                    let name = naming::snake(&param.name);
                    let name = match arguments.iter().filter(|a| **a as usize == i).count() {
                        0 => format!("_{}", naming::stem(&name)),
                        // Its local hides it where it is read.
                        1 if printer.is_first(&name) => name,
                        _ => scope.fresh(&name),
                    };
                    list.push(format!("{name}: {ty}"));
                    name
                }
            };
            printer.params.push((name, param.edge));
        }
        printer.result = result;
        printer.reports = reports;
        let is_direct = |stmt: &Stmt| matches!(stmt, Stmt::Let(id, _) if direct.contains(id));
        let kept: Vec<&Stmt> = stmts.iter().filter(|stmt| !is_direct(stmt)).collect();
        printer.statements(&kept, true);
        (list, printer.text)
    }

    /// Prints a function: parameter list and statements.
    pub fn function(unit: &'u mut Unit<'s>, function: &'s ir::Function) -> (String, String) {
        let mut printer = Printer::new(unit, &function.body, function.params as usize);
        let mut list = Vec::new();
        for (i, local) in function.body.locals.iter().take(function.params as usize).enumerate() {
            let id = LocalId(i as u32);
            let name = printer.parameter(id);
            list.push(match local.shape {
                Shape::Scalar(storage) => format!("{name}: {}", storage_type(storage)),
                Shape::Array { storage, .. } => format!("{name}: &[{}]", storage_type(storage)),
            });
        }
        if let Shape::Array { storage, len } = function.result {
            printer.array_result = Some((storage, len));
            list.push(format!("{OUT}: &mut [{}]", storage_type(storage)));
        }
        printer.block(&function.body.stmts, true);
        (list.join(", "), printer.text)
    }

    /// Whether the body begins with a local of this name among others.
    fn is_first(&self, name: &str) -> bool {
        self.body.stmts.iter().any(|stmt| matches!(stmt, Stmt::Let(id, _) if self.local(*id) == name))
    }

    /// How a parameter is declared.
    fn parameter(&self, id: LocalId) -> String {
        let name = self.local(id);
        if !self.read.get(id.index()).copied().unwrap_or(false) {
            return format!("_{}", naming::stem(&name));
        }
        if self.locals.is_changed(id) { format!("mut {name}") } else { name }
    }

    /// The name of a local.
    pub fn local(&self, id: LocalId) -> String {
        self.names.get(id.index()).cloned().unwrap_or_default()
    }

    /// A field of the state.
    pub fn field(&self, id: FieldId) -> String {
        format!("{}.{}", self.state, self.unit.fields.get(id.index()).map_or("", String::as_str))
    }

    /// The status word.
    pub fn status(&self) -> String {
        format!("{}.{STATUS}", self.state)
    }

    fn field_shape(&self, id: FieldId) -> Shape {
        let fields = self.unit.section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
        fields.get(id.index()).map_or(Shape::Scalar(Storage::U32), |f| f.shape)
    }

    /// The storage of a field.
    pub fn field_storage(&self, id: FieldId) -> Storage {
        match self.field_shape(id) {
            Shape::Scalar(storage) | Shape::Array { storage, .. } => storage,
        }
    }

    /// The name of an array.
    pub fn base(&self, base: Base) -> String {
        match base {
            Base::Local(id) => self.local(id),
            Base::Field(id) => self.field(id),
            Base::Table(id) => self.unit.table(id),
            Base::Out => OUT.to_owned(),
        }
    }

    /// Whether the name of an array stands for a borrow of it.
    pub fn is_borrowed(&self, base: Base) -> bool {
        match base {
            Base::Local(id) => id.index() < self.borrowed,
            Base::Out => true,
            Base::Field(_) | Base::Table(_) => false,
        }
    }

    fn elements(&self, base: Base) -> Option<(Storage, u32)> {
        let of = |shape: Shape| match shape {
            Shape::Scalar(_) => None,
            Shape::Array { storage, len } => Some((storage, len)),
        };
        match base {
            Base::Local(id) => self.body.locals.get(id.index()).and_then(|l| of(l.shape)),
            Base::Field(id) => of(self.field_shape(id)),
            Base::Table(id) => {
                let table = self.unit.section.tables.get(id.0 as usize)?;
                Some((table.storage, table.values.len() as u32))
            }
            Base::Out => self.array_result,
        }
    }

    /// The storage of an array's elements.
    pub fn storage(&self, base: Base) -> Storage {
        self.elements(base).map_or(Storage::U32, |(storage, _)| storage)
    }

    /// The length of an array.
    pub fn len(&self, base: Base) -> Option<u32> {
        self.elements(base).map(|(_, len)| len)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Prints statements. `last` says that the body ends behind them: a `return` there is a value, or nothing.
    fn block(&mut self, stmts: &[Stmt], last: bool) {
        let stmts: Vec<&Stmt> = stmts.iter().collect();
        self.statements(&stmts, last);
    }

    fn statements(&mut self, stmts: &[&Stmt], last: bool) {
        let mut rest = stmts.iter();
        while let Some(stmt) = rest.next() {
            let following = rest.as_slice().first();
            if let (Stmt::Declare(id), Some(next)) = (stmt, following)
                && self.declared_with(*id, next)
            {
                rest.next();
                continue;
            }
            self.stmt(stmt, last && following.is_none());
        }
    }

    fn indented(&mut self, stmts: &[Stmt], last: bool) {
        self.depth += 1;
        self.block(stmts, last);
        self.depth -= 1;
    }

    /// An array that is filled or copied whole right after it begins, as one statement.
    fn declared_with(&mut self, id: LocalId, next: &Stmt) -> bool {
        let Some((storage, len)) = self.elements(Base::Local(id)) else { return false };
        let whole = |p: &Self, slice: &Slice, n: u32| {
            slice.at.as_const() == Some(0) && n == len && p.len(slice.base) == Some(len)
        };
        let value = match next {
            Stmt::Fill { dst, len: n, value } if dst.base == Base::Local(id) && whole(self, dst, *n) => {
                let value = self.stored(storage, value, true);
                format!("[{value}; {len}]")
            }
            Stmt::Copy { dst, src, len: n }
                if dst.base == Base::Local(id)
                    && whole(self, dst, *n)
                    && whole(self, src, *n)
                    && !self.is_borrowed(src.base) =>
            {
                self.base(src.base)
            }
            _ => return false,
        };
        let mark = if self.locals.writes(id) > 1 { "mut " } else { "" };
        let name = self.local(id);
        self.line(&format!("let {mark}{name} = {value};"));
        true
    }

    /// A value in the type of memory; `alone` if nothing else says its type.
    fn stored(&mut self, storage: Storage, e: &Expr, alone: bool) -> String {
        let ty = storage_type(storage);
        if let ExprKind::Const(v) = &e.kind {
            let text = number(e.ty, *v, false);
            return if alone && storage != Storage::Bool { format!("{text}_{ty}") } else { text };
        }
        if !matches!(storage, Storage::U8 | Storage::U16) {
            return self.expr(e);
        }
        match &e.kind {
            // An element of the same storage needs no way through a word.
            ExprKind::Element(base, index) if self.storage(*base) == storage => self.element(*base, index),
            ExprKind::Field(id) if self.field_storage(*id) == storage => self.field(*id),
            _ => self.cut(ty, storage.bits(), e),
        }
    }

    /// A cast to a narrower type, which does what a mask of its width would.
    fn cut(&mut self, ty: &str, bits: u32, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And, a, mask) if mask.as_const() == Some(ir::ones(bits)) => {
                self.cast(ty, a).text
            }
            ExprKind::Convert(a) if a.ty == ir::Ty::Bool => format!("{ty}::from({})", self.expr(a)),
            _ => self.cast(ty, e).text,
        }
    }

    fn stmt(&mut self, stmt: &Stmt, last: bool) {
        match stmt {
            Stmt::Declare(id) => self.declare(*id),
            Stmt::Let(id, e) => {
                let mark = if self.locals.is_changed(*id) { "mut " } else { "" };
                let (ty, name, e) = (scalar_type(e.ty), self.local(*id), self.expr(e));
                self.line(&format!("let {mark}{name}: {ty} = {e};"));
            }
            Stmt::Assign(id, e) => {
                let name = self.local(*id);
                self.assign(&name, e);
            }
            Stmt::SetField(id, e) => {
                let (place, storage) = (self.field(*id), self.field_storage(*id));
                self.set(&place, storage, e);
            }
            Stmt::Store(base, index, e) => {
                let (place, storage) = (self.element(*base, index), self.storage(*base));
                self.set(&place, storage, e);
            }
            Stmt::Copy { dst, src, len } => self.copy(dst, src, *len),
            Stmt::Fill { dst, len, value } => {
                let value = self.stored(self.storage(dst.base), value, false);
                let run = self.run(dst, *len);
                self.line(&format!("{run}.fill({value});"));
            }
            Stmt::CallInto(id, args, dst) => self.call_into(*id, args, dst),
            Stmt::Wide { dst, limbs, op } => self.wide(dst, *limbs, op),
            Stmt::If(c, then, other) => self.branch("if", c, (then, other), last),
            Stmt::For { var, lo, hi, body } => self.repeat(*var, lo, hi, body),
            Stmt::Switch { value, arms, default } => self.switch(value, arms, default, last),
            Stmt::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e));
                self.end(value, last);
            }
            Stmt::Finish(answer, value) => {
                let value = self.answer(*answer, value.as_ref());
                self.end(value, last);
            }
            Stmt::SetStatus(e) => {
                let place = self.status();
                self.assign(&place, e);
            }
            Stmt::SetStateWord(index, value) => {
                let (index, value) = (self.expr(index), self.expr(value));
                self.line(&format!("{}.write_word({index}, {value});", self.state));
            }
            Stmt::Reset => {
                let st = self.state;
                self.line(&format!("*{st} = State {{ {STATUS}: {st}.{STATUS}, ..State::RESET }};"));
            }
        }
    }

    fn declare(&mut self, id: LocalId) {
        let name = self.local(id);
        let text = match self.body.locals.get(id.index()).map(|l| l.shape) {
            Some(Shape::Array { storage: Storage::Bool, len }) => format!("let mut {name} = [false; {len}];"),
            Some(Shape::Array { storage, len }) => format!("let mut {name} = [0_{}; {len}];", storage_type(storage)),
            Some(Shape::Scalar(storage)) => {
                let mark = if self.locals.is_changed(id) { "mut " } else { "" };
                format!("let {mark}{name}: {};", storage_type(storage))
            }
            None => return,
        };
        self.line(&text);
    }

    fn set(&mut self, place: &str, storage: Storage, e: &Expr) {
        if matches!(storage, Storage::U32 | Storage::U64) {
            return self.assign(place, e);
        }
        let value = self.stored(storage, e, false);
        self.line(&format!("{place} = {value};"));
    }

    /// `x = x & e` is said as `x &= e`.
    fn assign(&mut self, place: &str, e: &Expr) {
        if let ExprKind::Binary(op, a, b) = &e.kind {
            let (sign, commutes) = match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => ("", false),
                BinaryOp::Div => ("/=", false),
                BinaryOp::Rem => ("%=", false),
                BinaryOp::And => ("&=", true),
                BinaryOp::Or => ("|=", true),
                BinaryOp::Xor => ("^=", true),
                BinaryOp::Shl => ("<<=", false),
                BinaryOp::Shr => (">>=", false),
            };
            let other = if sign.is_empty() {
                None
            } else if self.expr(a) == place {
                Some(b)
            } else if commutes && self.expr(b) == place {
                Some(a)
            } else {
                None
            };
            if let Some(other) = other {
                let other = self.expr(other);
                return self.line(&format!("{place} {sign} {other};"));
            }
        }
        let e = self.expr(e);
        self.line(&format!("{place} = {e};"));
    }

    /// Leaves the body with a value or without.
    fn end(&mut self, value: Option<String>, last: bool) {
        match (value, last) {
            (Some(value), true) => self.line(&value),
            (Some(value), false) => self.line(&format!("return {value};")),
            (None, true) => {}
            (None, false) => self.line("return;"),
        }
    }

    fn branch(&mut self, word: &str, c: &Expr, (then, other): (&[Stmt], &[Stmt]), last: bool) {
        let c = self.expr(c);
        self.line(&format!("{word} {c} {{"));
        self.indented(then, last);
        match other {
            [] => self.line("}"),
            [Stmt::If(c, then, other)] => self.branch("} else if", c, (then, other), last),
            _ => {
                self.line("} else {");
                self.indented(other, last);
                self.line("}");
            }
        }
    }

    fn repeat(&mut self, var: LocalId, lo: &Expr, hi: &Expr, body: &[Stmt]) {
        let ty = scalar_type(lo.ty);
        let is_read = self.read.get(var.index()).copied().unwrap_or(false);
        let name = if is_read { self.local(var) } else { "_".to_owned() };
        let (from, to) = (self.expr(lo), self.expr(hi));
        // Two constants do not say their type.
        let suffix = if lo.as_const().is_some() && hi.as_const().is_some() { format!("_{ty}") } else { String::new() };
        self.line(&format!("for {name} in {from}..{to}{suffix} {{"));
        self.indented(body, false);
        self.line("}");
    }

    fn switch(&mut self, value: &Expr, arms: &[(Vec<u64>, Vec<Stmt>)], default: &[Stmt], last: bool) {
        let ty = value.ty;
        let value = self.expr(value);
        self.line(&format!("match {value} {{"));
        self.depth += 1;
        for (values, body) in arms {
            let values: Vec<String> = values.iter().map(|v| number(ty, *v, false)).collect();
            self.line(&format!("{} => {{", values.join(" | ")));
            self.indented(body, last);
            self.line("}");
        }
        self.line("_ => {");
        self.indented(default, last);
        self.line("}");
        self.depth -= 1;
        self.line("}");
    }

    fn copy(&mut self, dst: &Slice, src: &Slice, len: u32) {
        let (to, from) = (self.run(dst, len), self.run(src, len));
        let whole = to == self.base(dst.base) && from == self.base(src.base);
        let owned = matches!(dst.base, Base::Field(_)) && !self.is_borrowed(src.base);
        let text = if whole && owned {
            format!("{to} = {from};")
        } else if len == 1 {
            let (to, from) = (self.element(dst.base, &dst.at), self.element(src.base, &src.at));
            format!("{to} = {from};")
        } else if dst.base == src.base {
            let (base, at, from) = (self.base(dst.base), self.expr(&dst.at), self.expr(&src.at));
            format!("{{ let from = ({from}) as usize; {base}.copy_within(from..from + {len}, ({at}) as usize); }}")
        } else {
            let from = self.slice(src, len, false);
            format!("{to}.copy_from_slice({from});")
        };
        self.line(&text);
    }

    fn call_into(&mut self, id: FnId, args: &[ir::CallArg], dst: &Slice) {
        let len = self.unit.section.functions.get(id.index()).map(|f| f.result);
        let len = match len {
            Some(Shape::Array { len, .. }) => len,
            _ => 1,
        };
        let mut args = self.arguments(id, args, Some(dst.base));
        args.push(self.slice(dst, len, true));
        let name = self.unit.function(id);
        self.line(&format!("{name}({});", args.join(", ")));
    }

    fn wide(&mut self, dst: &Slice, limbs: u32, op: &WideOp) {
        let base = Some(dst.base);
        let mut args = vec![self.slice(dst, limbs, true)];
        let helper = match op {
            WideOp::Word(e) => {
                args.push(match e.ty {
                    ir::Ty::W64 => self.expr(e),
                    _ if e.as_const().is_some() => self.expr(e),
                    _ => format!("u64::from({})", self.untyped(e)),
                });
                Helper::FromWord
            }
            WideOp::Resize(a, m) => {
                args.push(self.operand(a, *m, base));
                Helper::Resize
            }
            WideOp::Not(a) => {
                args.push(self.operand(a, limbs, base));
                Helper::Not
            }
            WideOp::Shl(a, by) | WideOp::Shr(a, by) => {
                args.push(self.operand(a, limbs, base));
                args.push(self.expr(by));
                if matches!(op, WideOp::Shl(..)) { Helper::Shl } else { Helper::Shr }
            }
            WideOp::Mask(width) | WideOp::SignExtend(width) => {
                args.push(width.to_string());
                if matches!(op, WideOp::Mask(_)) { Helper::Mask } else { Helper::SignExtend }
            }
            WideOp::Add(a, b)
            | WideOp::Sub(a, b)
            | WideOp::Mul(a, b)
            | WideOp::And(a, b)
            | WideOp::Or(a, b)
            | WideOp::Xor(a, b)
            | WideOp::Div(a, b)
            | WideOp::Rem(a, b) => {
                args.push(self.operand(a, limbs, base));
                args.push(self.operand(b, limbs, base));
                match op {
                    WideOp::Add(..) => Helper::Add,
                    WideOp::Sub(..) => Helper::Sub,
                    WideOp::Mul(..) => Helper::Mul,
                    WideOp::And(..) => Helper::And,
                    WideOp::Or(..) => Helper::Or,
                    WideOp::Xor(..) => Helper::Xor,
                    WideOp::Div(..) => {
                        self.unit.division_limbs = self.unit.division_limbs.max(limbs);
                        Helper::Div
                    }
                    _ => Helper::Rem,
                }
            }
        };
        let name = self.unit.helper(helper);
        self.line(&format!("{name}({});", args.join(", ")));
    }

    /// What a command gives: the value, and the answer if it reports one.
    fn answer(&mut self, answer: Answer, value: Option<&Expr>) -> Option<String> {
        let value = value.zip(self.result).map(|(value, edge)| match (edge, &value.kind) {
            (Edge::Bool | Edge::Unsigned(32 | 64), _) => self.expr(value),
            (Edge::Signed(bits) | Edge::Unsigned(bits), ExprKind::Const(v)) if *v < 1 << (bits - 1) => {
                number(value.ty, *v, false)
            }
            (Edge::Unsigned(bits) | Edge::Signed(bits), _) => self.cut(&edge_type(edge), bits, value),
        });
        if !self.reports {
            return value;
        }
        Some(format!("({}, abi1::Answer::{answer:?})", value.unwrap_or_else(|| "()".to_owned())))
    }
}
