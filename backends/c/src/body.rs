//! Prints the statements of one body.

use std::borrow::Cow;
use std::fmt::Write;

use lapis_cx::contract::FieldId;
use lapis_cx::lower::ir::{
    self, Answer, Base, Body, Edge, Expr, ExprKind, LocalId, Shape, Slice, Stmt, Storage, WideOp,
};

use crate::expr::{Argument, edge_type, scalar_type, storage_type};
use crate::helper::Helper;
use crate::naming::{self, Scope};
use crate::routine::RoutineNames;
use crate::text::List;
use crate::unit::Unit;

/// How the body that is being printed ends.
#[derive(Clone, Debug)]
pub enum Ending<'s> {
    /// A function or a body of the state.
    Plain,
    /// A command that reports its response through this pointer.
    Reported(Cow<'s, str>),
    /// A command whose response is not reported.
    Silent,
}

/// Prints one body.
pub struct Printer<'u, 's> {
    /// What the section shares.
    pub unit: &'u mut Unit<'s>,
    /// The name of the pointer to the state.
    pub state: Cow<'s, str>,
    /// C parameters of a command, with their types.
    pub params: Vec<(Cow<'s, str>, Edge)>,
    /// What is printed so far.
    pub text: String,
    /// In the body of a library's function: what its statements are in C.
    pub routine: Option<RoutineNames<'s>>,
    /// Names of the locals.
    pub locals: Vec<Cow<'s, str>>,
    /// What is printed.
    pub body: &'s Body,
    /// The edge of the result.
    pub result: Option<Edge>,
    out: Cow<'s, str>,
    out_storage: Storage,
    /// How the body ends.
    pub ending: Ending<'s>,
    /// Locals that are parameters of a library's function.
    pub direct: Vec<LocalId>,
    /// Names that are given out.
    pub scope: Scope<'s>,
    depth: usize,
}

impl<'u, 's> Printer<'u, 's> {
    /// A printer of a body whose locals get their names here.
    pub fn new(unit: &'u mut Unit<'s>, body: &'s Body) -> Printer<'u, 's> {
        let mut scope = Scope::inside(&unit.taken);
        // Loop variables have a scope of their own, so many may have one name; other locals must differ, as lowering may
        // have merged their scopes.
        let mut loops = vec![false; body.locals.len()];
        mark_loops(&body.stmts, &mut loops);
        let visible = |name: &'s str| Scope::inside(&unit.taken).fresh(naming::local(name));
        let named = body.locals.iter().zip(&loops).map(|(local, is_loop)| match local.name.as_str() {
            "" => None,
            name if *is_loop => Some(visible(name)),
            name => Some(scope.fresh(naming::local(name))),
        });
        let named: Vec<Option<Cow<'s, str>>> = named.collect();
        for ((local, name), _) in body.locals.iter().zip(&named).zip(&loops).filter(|(_, is_loop)| **is_loop) {
            if let Some(name) = name {
                scope.reserve(naming::local(&local.name));
                scope.reserve(name.clone());
            }
        }
        let mut next = 0;
        let locals = named.into_iter().map(|name| name.unwrap_or_else(|| scope.temporary(&mut next))).collect();
        let (state, out) = (scope.fresh("st"), scope.fresh("out"));
        Printer {
            unit,
            state,
            params: Vec::new(),
            text: String::new(),
            routine: None,
            locals,
            body,
            result: None,
            out,
            out_storage: Storage::U32,
            ending: Ending::Plain,
            direct: Vec::new(),
            scope,
            depth: 1,
        }
    }

    /// Prints a body that is not a command's; braces are the caller's.
    pub fn plain(mut self) -> String {
        self.block(&self.body.stmts);
        self.finished()
    }

    /// The text without a `return;` that the closing brace says as well.
    pub fn finished(mut self) -> String {
        let rest = self.text.strip_suffix("    return;\n").filter(|rest| rest.is_empty() || rest.ends_with('\n'));
        let len = rest.map_or(self.text.len(), str::len);
        self.text.truncate(len);
        self.text
    }

    /// Prints the body of a command or of an access of a CSR: parameter list, with these types, and statements. `state` is
    /// the type of the state, if it gets one.
    pub fn issued(
        mut self,
        params: &[ir::Param],
        result: Option<Edge>,
        types: &[Cow<'_, str>],
        state: Option<&str>,
        reports: bool,
    ) -> (String, String) {
        let mut list = List::default();
        if let Some(state) = state {
            list.item(&[state, " *", &self.state]);
        }
        let mut direct = Vec::new();
        for (i, (param, ty)) in params.iter().zip(types).enumerate() {
            // A word of the right type is its own local; others begin as the low bits of what was passed.
            let own = self.body.stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let(id, Expr { kind: ExprKind::Arg(n), .. }) if *n as usize == i => Some(*id),
                _ => None,
            });
            let named = |id: &LocalId| self.body.locals.get(id.index()).is_some_and(|l| !l.name.is_empty());
            let own = own.filter(named).filter(|_| matches!(param.edge, Edge::Bool | Edge::Unsigned(32 | 64)));
            let name = match own {
                Some(id) => {
                    direct.push(id);
                    self.locals.get(id.index()).cloned().unwrap_or_default()
                }
                None => {
                    let mut name = naming::local(&param.name).into_owned();
                    if self.scope.has(&name) {
                        name.push_str("_in");
                    }
                    self.scope.fresh(name)
                }
            };
            list.item(&[ty, " ", &name]);
            self.params.push((name, param.edge));
        }
        self.result = result;
        self.ending = if reports {
            let status = self.scope.fresh("status");
            list.item(&["uint32_t *", &status]);
            Ending::Reported(status)
        } else {
            Ending::Silent
        };
        self.unused_arguments();
        for stmt in &self.body.stmts {
            if !matches!(stmt, Stmt::Let(id, _) if direct.contains(id)) {
                self.stmt(stmt);
            }
        }
        (list.or_void(), self.finished())
    }

    /// Says of each parameter that nobody reads that this is meant so.
    pub fn unused_arguments(&mut self) {
        let mut used = Vec::new();
        arguments_read(&self.body.stmts, &mut used);
        for (i, (name, _)) in self.params.iter().enumerate() {
            if !used.contains(&(i as u32)) {
                put!(&mut self.text, "    (void)", name, ";\n");
            }
        }
    }

    /// Prints a function: parameter list and statements.
    pub fn function(mut self, function: &ir::Function) -> (String, String) {
        let mut list = List::default();
        for (local, name) in self.body.locals.iter().zip(&self.locals).take(function.params as usize) {
            match local.shape {
                Shape::Scalar(storage) => list.item(&[storage_type(storage), " ", name]),
                Shape::Array { storage, .. } => list.item(&["const ", storage_type(storage), " *", name]),
            }
        }
        self.out_storage = function.result.storage();
        if let Shape::Array { storage, .. } = function.result {
            list.item(&[storage_type(storage), " *", &self.out]);
        }
        let mut used = vec![false; function.params as usize];
        lapis_cx::lower::block_uses(&self.body.stmts, &mut |u| {
            if let lapis_cx::lower::Use::Local(id) = u
                && let Some(flag) = used.get_mut(id.index())
            {
                *flag = true;
            }
        });
        for (name, _) in self.locals.iter().zip(used).filter(|(_, used)| !used) {
            put!(&mut self.text, "    (void)", name, ";\n");
        }
        self.block(&self.body.stmts);
        (list.or_void(), self.finished())
    }

    /// Prints the name of a local.
    pub fn local(&mut self, id: LocalId) {
        self.text.push_str(self.locals.get(id.index()).map_or("", |name| name));
    }

    /// Prints a field of the state.
    pub fn field(&mut self, id: FieldId) {
        let name = self.unit.fields.get(id.index()).map_or("", |name| name);
        put!(&mut self.text, self.state, "->", name);
    }

    /// Prints the status word.
    pub fn status(&mut self) {
        put!(&mut self.text, self.state, "->", naming::STATUS);
    }

    /// The storage of a field.
    pub fn field_storage(&self, id: FieldId) -> Storage {
        let fields = self.unit.section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
        fields.get(id.index()).map_or(Storage::U32, |f| f.shape.storage())
    }

    /// Prints the name of an array.
    pub fn base(&mut self, base: Base) {
        match base {
            Base::Local(id) => self.local(id),
            Base::Field(id) => self.field(id),
            Base::Table(id) => self.text.push_str(self.unit.table(id)),
            Base::Out => self.text.push_str(&self.out),
            Base::Buffer(at) => {
                let name =
                    self.routine.as_ref().and_then(|routine| routine.buffer(at)).map(|buffer| buffer.name.clone());
                self.text.push_str(name.as_deref().unwrap_or_default());
            }
        }
    }

    /// The storage of an array's elements.
    pub fn storage(&self, base: Base) -> Storage {
        match base {
            Base::Local(id) => self.body.locals.get(id.index()).map_or(Storage::U32, |l| l.shape.storage()),
            Base::Field(id) => self.field_storage(id),
            Base::Table(id) => self.unit.section.tables.get(id.0 as usize).map_or(Storage::U32, |t| t.storage),
            Base::Out => self.out_storage,
            Base::Buffer(at) => {
                let buffer = self.routine.as_ref().and_then(|routine| routine.buffer(at));
                buffer.map_or(Storage::U32, |buffer| buffer.storage)
            }
        }
    }

    /// Begins a line.
    pub fn indent(&mut self) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
    }

    /// Prints a whole line.
    fn line(&mut self, text: &str) {
        self.indent();
        put!(&mut self.text, text, "\n");
    }

    /// Ends a statement and its line.
    pub fn end(&mut self) {
        self.text.push_str(";\n");
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn indented(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        self.block(stmts);
        self.depth -= 1;
    }

    /// A value that goes to memory: narrow storage wants the cast said.
    fn stored(&mut self, storage: Storage, e: &Expr) {
        let bits = match storage {
            Storage::U8 | Storage::U16 => storage.bits(),
            _ => return self.expr(e),
        };
        match &e.kind {
            ExprKind::Const(v) => self.count(*v),
            // An element of the same storage needs no way through a word.
            ExprKind::Element(base, index) if self.storage(*base) == storage && !matches!(base, Base::Buffer(_)) => {
                self.element(*base, index);
            }
            ExprKind::Field(id) if self.field_storage(*id) == storage => self.field(*id),
            _ => self.cut(storage_type(storage), bits, e),
        }
    }

    /// A cast to a narrower type, which does what a mask of its width would.
    fn cut(&mut self, ty: &str, bits: u32, e: &Expr) {
        match &e.kind {
            ExprKind::Binary(ir::BinaryOp::And, a, mask) if mask.as_const() == Some(ir::ones(bits)) => self.cast(ty, a),
            _ => self.cast(ty, e),
        }
    }

    pub fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If(c, then, other) => self.branch("if (", c, then, other),
            Stmt::Copy { dst, src, len } => self.each(*len, |p, i| {
                p.element_of(dst, i);
                p.text.push_str(" = ");
                p.element_of(src, i);
            }),
            Stmt::Fill { dst, len, value } => {
                let storage = self.storage(dst.base);
                self.each(*len, |p, i| {
                    p.element_of(dst, i);
                    p.text.push_str(" = ");
                    p.stored(storage, value);
                });
            }
            Stmt::For { var, lo, hi, body } => self.count_up(*var, lo, hi, body),
            Stmt::Switch { value, arms, default } => self.switch(value, arms, default),
            Stmt::Finish(answer, value) => self.finish(*answer, value.as_ref()),
            Stmt::Cx(cx) => self.cx(cx),
            line => {
                self.indent();
                self.statement(line);
                self.end();
            }
        }
    }

    /// Prints a statement of one line, without its indentation and its end.
    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If(..)
            | Stmt::Copy { .. }
            | Stmt::Fill { .. }
            | Stmt::For { .. }
            | Stmt::Switch { .. }
            | Stmt::Finish(..)
            | Stmt::Cx(_) => {}
            Stmt::Declare(id) => {
                let shape = self.body.locals.get(id.index()).map_or(Shape::Scalar(Storage::U32), |l| l.shape);
                put!(&mut self.text, storage_type(shape.storage()), " ");
                self.local(*id);
                if let Shape::Array { len, .. } = shape {
                    let _ = write!(self.text, "[{len}]");
                }
            }
            Stmt::Let(id, e) => {
                put!(&mut self.text, scalar_type(e.ty), " ");
                self.local(*id);
                self.text.push_str(" = ");
                self.expr(e);
            }
            Stmt::Assign(id, e) => self.assign(e, |p| p.local(*id)),
            Stmt::SetField(id, e) => {
                let storage = self.field_storage(*id);
                if matches!(storage, Storage::U32 | Storage::U64) {
                    self.assign(e, |p| p.field(*id));
                } else {
                    self.field(*id);
                    self.text.push_str(" = ");
                    self.stored(storage, e);
                }
            }
            Stmt::Store(base, index, e) => {
                self.element(*base, index);
                self.text.push_str(" = ");
                match self.routine.as_ref().and_then(|routine| routine.foreign_element(*base)) {
                    Some(ty) => self.cast(&ty, e),
                    None => self.stored(self.storage(*base), e),
                }
            }
            Stmt::CallInto(id, args, dst) => {
                put!(&mut self.text, self.unit.function(*id), "(");
                self.arguments(args);
                if !args.is_empty() {
                    self.text.push_str(", ");
                }
                self.slice(dst);
                self.text.push(')');
            }
            Stmt::Wide { dst, limbs, op } => self.wide(dst, *limbs, op),
            Stmt::Return(None) => self.text.push_str("return"),
            Stmt::Return(Some(e)) => {
                self.text.push_str("return ");
                self.expr(e);
            }
            Stmt::SetStatus(e) => self.assign(e, Printer::status),
            Stmt::SetStateWord(index, value) => {
                put!(&mut self.text, self.unit.write_word, "(", self.state, ", ");
                self.expr(index);
                self.text.push_str(", ");
                self.expr(value);
                self.text.push(')');
            }
            Stmt::Reset => put!(&mut self.text, self.unit.reset, "(", self.state, ")"),
        }
    }

    /// A loop over a word.
    fn count_up(&mut self, var: LocalId, lo: &Expr, hi: &Expr, body: &[Stmt]) {
        self.indent();
        put!(&mut self.text, "for (", scalar_type(lo.ty), " ");
        self.local(var);
        self.text.push_str(" = ");
        self.expr(lo);
        self.text.push_str("; ");
        self.local(var);
        self.text.push_str(" < ");
        self.expr(hi);
        self.text.push_str("; ");
        self.local(var);
        self.text.push_str("++) {\n");
        self.indented(body);
        self.line("}");
    }

    fn switch(&mut self, value: &Expr, arms: &[(Vec<u64>, Vec<Stmt>)], default: &[Stmt]) {
        self.indent();
        self.text.push_str("switch (");
        self.expr(value);
        self.text.push_str(") {\n");
        for (values, body) in arms {
            for v in values {
                self.indent();
                let suffix = if *v > u64::from(u32::MAX) { "ull" } else { "u" };
                let _ = writeln!(self.text, "case {v}{suffix}:");
            }
            self.arm(body);
        }
        self.line("default:");
        self.arm(default);
        self.line("}");
    }

    /// `x = x + e` is said as `x += e`.
    fn assign(&mut self, e: &Expr, place: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        place(self);
        let end = self.text.len();
        // Only these print as a place does.
        let is_place =
            |e: &Expr| matches!(e.kind, ExprKind::Local(_) | ExprKind::Field(_) | ExprKind::Status | ExprKind::Arg(_));
        if let ExprKind::Binary(op, a, b) = &e.kind
            && is_place(a)
        {
            self.expr(a);
            let is_same = self.text.get(start..end) == self.text.get(end..);
            self.text.truncate(end);
            if is_same {
                self.text.push_str(match op {
                    ir::BinaryOp::Add => " += ",
                    ir::BinaryOp::Sub => " -= ",
                    ir::BinaryOp::Mul => " *= ",
                    ir::BinaryOp::Div => " /= ",
                    ir::BinaryOp::Rem => " %= ",
                    ir::BinaryOp::And => " &= ",
                    ir::BinaryOp::Or => " |= ",
                    ir::BinaryOp::Xor => " ^= ",
                    ir::BinaryOp::Shl => " <<= ",
                    ir::BinaryOp::Shr => " >>= ",
                });
                return self.expr(b);
            }
        }
        self.text.push_str(" = ");
        self.expr(e);
    }

    fn branch(&mut self, word: &str, c: &Expr, then: &[Stmt], other: &[Stmt]) {
        self.indent();
        self.text.push_str(word);
        self.expr(c);
        self.text.push_str(") {\n");
        self.indented(then);
        match other {
            [] => self.line("}"),
            [Stmt::If(c, then, other)] => self.branch("} else if (", c, then, other),
            _ => {
                self.line("} else {");
                self.indented(other);
                self.line("}");
            }
        }
    }

    fn arm(&mut self, body: &[Stmt]) {
        self.depth += 1;
        // Braces, as an arm may declare locals.
        self.line("{");
        self.indented(body);
        self.line("}");
        if !lapis_cx::lower::ends(body) {
            self.line("break;");
        }
        self.depth -= 1;
    }

    /// A statement for each position.
    fn each(&mut self, len: u32, statement: impl FnOnce(&mut Self, &str)) {
        if len == 1 {
            self.indent();
            statement(self, "0");
            return self.end();
        }
        // A fresh name in a scope of its own: the next loop may use it again.
        let i = self.scope.fresh("i");
        self.indent();
        let _ = writeln!(self.text, "for (uint32_t {i} = 0; {i} < {len}u; {i}++) {{");
        self.depth += 1;
        self.indent();
        statement(self, &i);
        self.end();
        self.depth -= 1;
        self.line("}");
        self.scope.release(&i);
    }

    fn wide(&mut self, dst: &Slice, limbs: u32, op: &WideOp) {
        use Argument::{Count, Slice, Word};
        let n = [Count(limbs)];
        let r = || Slice(dst);
        let (a, b, helper) = match op {
            WideOp::Word(e) => return self.help(Helper::FromWord, [r(), Word(e)], n),
            WideOp::Resize(a, m) => return self.help(Helper::Resize, [r(), Count(limbs)], [Slice(a), Count(*m)]),
            WideOp::Not(a) => return self.help(Helper::Not, [r(), Slice(a)], n),
            WideOp::Shl(a, by) => return self.help(Helper::Shl, [r(), Slice(a), Word(by)], n),
            WideOp::Shr(a, by) => return self.help(Helper::Shr, [r(), Slice(a), Word(by)], n),
            WideOp::Mask(width) => return self.help(Helper::Mask, [r(), Count(*width)], n),
            WideOp::SignExtend(width) => return self.help(Helper::SignExtend, [r(), Count(*width)], n),
            WideOp::Add(a, b) => (a, b, Helper::Add),
            WideOp::Sub(a, b) => (a, b, Helper::Sub),
            WideOp::Mul(a, b) => (a, b, Helper::Mul),
            WideOp::And(a, b) => (a, b, Helper::And),
            WideOp::Or(a, b) => (a, b, Helper::Or),
            WideOp::Xor(a, b) => (a, b, Helper::Xor),
            WideOp::Rem(a, b) => (a, b, Helper::Rem),
            WideOp::Div(a, b) => {
                self.unit.division_limbs = self.unit.division_limbs.max(limbs);
                (a, b, Helper::Div)
            }
        };
        self.help(helper, [r(), Slice(a), Slice(b)], n);
    }

    fn finish(&mut self, answer: Answer, value: Option<&Expr>) {
        self.indent();
        if let Ending::Reported(status) = &self.ending {
            put!(&mut self.text, "*", status, " = ", answer_name(answer), ";\n");
            self.indent();
        }
        self.text.push_str("return");
        if let Some((value, edge)) = value.zip(self.result) {
            self.text.push(' ');
            let declared = self.routine.as_ref().and_then(|routine| routine.result.clone());
            match (edge, &value.kind) {
                _ if declared.is_some() => {
                    let cut = if let Edge::Signed(_) = edge { format!("({})", edge_type(edge)) } else { String::new() };
                    put!(&mut self.text, "(", declared.unwrap_or_default(), ")", cut);
                    self.operand_of_cast(value);
                }
                (Edge::Bool | Edge::Unsigned(32 | 64), _) => self.expr(value),
                (_, ExprKind::Const(0)) => self.text.push('0'),
                (Edge::Unsigned(_), ExprKind::Const(v)) => self.count(*v),
                (Edge::Unsigned(bits) | Edge::Signed(bits), _) => self.cut(edge_type(edge), bits, value),
            }
        }
        self.end();
    }
}

/// The constant of a response.
fn answer_name(answer: Answer) -> &'static str {
    match answer {
        Answer::Ok => "CX_RESPONSE_OK",
        Answer::Off => "CX_RESPONSE_OFF",
        Answer::Func => "CX_RESPONSE_FUNC",
        Answer::Op => "CX_RESPONSE_OP",
        Answer::Custom => "CX_RESPONSE_CUSTOM",
        Answer::Trap => "CX_RESPONSE_TRAP",
    }
}

/// Marks the variables of loops.
fn mark_loops(stmts: &[Stmt], loops: &mut [bool]) {
    for stmt in stmts {
        match stmt {
            Stmt::For { var, body, .. } => {
                if let Some(flag) = loops.get_mut(var.index()) {
                    *flag = true;
                }
                mark_loops(body, loops);
            }
            Stmt::If(_, a, b) => {
                mark_loops(a, loops);
                mark_loops(b, loops);
            }
            Stmt::Switch { arms, default, .. } => {
                arms.iter().for_each(|(_, body)| mark_loops(body, loops));
                mark_loops(default, loops);
            }
            _ => {}
        }
    }
}

/// The operands of a command that its body reads.
fn arguments_read(stmts: &[Stmt], used: &mut Vec<u32>) {
    lapis_cx::lower::block_uses(stmts, &mut |u| {
        if let lapis_cx::lower::Use::Argument(i) = u {
            used.push(i);
        }
    });
}
