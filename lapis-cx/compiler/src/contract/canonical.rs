#![doc = include_str!("CANONICAL.md")]

use std::fmt::Write;

use crate::int::Int;

use super::core::{
    Argument, BinaryOp, Body, Comprehension, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, PlaceStep, Raised, Stmt,
    Type,
};
use super::core::{UnaryOp, Value};
use super::{Command, Csr, FieldId, FnId, Interface, Operand, Section, Semantics, Sharing, Slot, State};

/// The canonical text, LF at the end.
pub fn text(interface: &Interface) -> String {
    let sections: Vec<String> = interface.sections.iter().map(|s| section_text(interface, s)).collect();
    let mut out = String::from("(cx1");
    for section in sections {
        out.push('\n');
        out.push_str(&section);
    }
    out.push_str(")\n");
    out
}

fn section_text(interface: &Interface, section: &Section) -> String {
    let mut lines = vec![format!("(xlen {}", section.xlen)];
    lines.extend(std_text(interface));
    let mut printer = Printer::new(section);
    lines.extend(printer.state());
    lines.extend(section.csrs.iter().map(|csr| printer.csr(csr)));
    lines.extend(errors_text(section));
    let commands: Vec<String> = section
        .commands
        .iter()
        .filter(|c| !matches!(c.semantics, Semantics::Standard(_)))
        .map(|c| printer.command(interface, c))
        .collect();
    lines.extend(printer.functions());
    lines.extend(commands);
    lines.join("\n") + ")"
}

/// The part that says which standard commands are inherited.
pub(super) fn std_text(interface: &Interface) -> Option<String> {
    interface.state_context.then(|| "(std IStateContext)".to_string())
}

/// The part of the declared errors.
pub(super) fn errors_text(section: &Section) -> Option<String> {
    if section.errors.is_empty() {
        return None;
    }
    let codes: String = section.errors.iter().map(|e| format!(" {}", e.code)).collect();
    Some(format!("(err{codes})"))
}

/// Prints pieces of one section, numbering functions as they appear.
pub(crate) struct Printer<'a> {
    section: &'a Section,
    /// The number of each function that has appeared.
    numbers: Vec<Option<usize>>,
    /// The functions that have appeared, by number.
    order: Vec<FnId>,
    /// The number of each local of the current body that has appeared.
    locals: Vec<Option<usize>>,
    next_local: usize,
    /// Numbers of fields other than their own, for [`Printer::with_fields`].
    fields: Vec<u32>,
    out: String,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(section: &'a Section) -> Self {
        Printer {
            section,
            numbers: vec![None; section.fns.len()],
            order: Vec::new(),
            locals: Vec::new(),
            next_local: 0,
            fields: Vec::new(),
            out: String::new(),
        }
    }

    /// Prints field `i` as field `numbers[i]`: to compare bodies over states that hold the same fields elsewhere.
    pub(crate) fn with_fields(section: &'a Section, numbers: Vec<u32>) -> Self {
        Printer { fields: numbers, ..Printer::new(section) }
    }

    /// The `(state …)` part.
    pub(crate) fn state(&mut self) -> Option<String> {
        let section = self.section;
        let State { docs: _, sharing, ucontext, fields } = section.state.as_ref()?;
        let sharing = match sharing {
            Sharing::Exclusive => "exclusive",
            Sharing::CallerSave => "caller_save",
            Sharing::CalleeSave => "callee_save",
            Sharing::AlwaysInit => "always_init",
            Sharing::Custom => "custom",
        };
        self.text("(state ");
        self.text(sharing);
        self.number(" ", u8::from(*ucontext), "");
        for field in fields {
            self.text(" (");
            self.ty(&field.ty);
            self.text(" ");
            self.value(&field.reset);
            self.text(")");
        }
        if let Some(live) = &section.live {
            for (name, words) in [("save", &live.save), ("restore", &live.restore)] {
                let number = self.function_number(words.function);
                self.text(" (");
                self.text(name);
                self.number(" (call ", number, " (l 0)");
                words.fields.iter().for_each(|id| self.number(" (s ", id.0, ")"));
                self.text("))");
            }
        }
        self.text(")");
        Some(self.take())
    }

    /// The `(csr …)` part.
    pub(crate) fn csr(&mut self, csr: &Csr) -> String {
        self.number("(csr ", csr.address, " ");
        self.text(csr.access.name());
        self.begin_locals(&csr.locals, 0);
        for field in &csr.fields {
            self.number(" (", field.lo, " ");
            self.ty(&field.ty);
            self.args([&field.value], &csr.locals);
            self.text(if field.warl { " warl)" } else { ")" });
        }
        self.text(")");
        self.take()
    }

    /// The `(cmd …)` part.
    pub(crate) fn command(&mut self, interface: &Interface, command: &Command) -> String {
        self.number("(cmd ", command.id, " (");
        self.spaced(&command.forms, |p, form| p.text(form.name()));
        self.text(") ");
        self.operands(&command.operands);
        self.text(" ");
        match &command.result {
            Some(ty) => self.ty(ty),
            None => self.text("()"),
        }
        self.text(" ");
        match &command.semantics {
            Semantics::Body(body) => self.body(body),
            Semantics::Opaque | Semantics::Standard(_) => {
                let name = ["(opaque ", &interface.package, ":", &interface.name, ".", &command.name, ")"];
                name.iter().for_each(|part| self.text(part));
            }
        }
        self.text(")");
        self.take()
    }

    /// The `(fn …)` parts of all functions that have appeared so far, and of those that they reach.
    pub(crate) fn functions(&mut self) -> Vec<String> {
        let section = self.section;
        let mut parts = Vec::new();
        let mut number = 0;
        while let Some(&id) = self.order.get(number) {
            self.number("(fn ", number, " (");
            if let Some(function) = section.fns.get(id.index()) {
                let params = function.body.locals.iter().take(function.body.params as usize);
                self.spaced(params, |p, local| p.ty(&local.ty));
                self.text(") ");
                self.ty(&function.result);
                self.text(" ");
                self.body(&function.body);
            }
            self.text(")");
            parts.push(self.take());
            number += 1;
        }
        parts
    }

    /// What was printed, behind the functions that it reaches.
    pub(crate) fn with_functions(mut self) -> String {
        let text = self.take();
        self.functions().join("\n") + "\n" + &text
    }

    /// What was printed since the last call.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Text as it stands.
    pub(crate) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A number of the machine between texts. Half of what a body prints is this, and a formatter would cost more than the
    /// digits.
    pub(crate) fn number(&mut self, before: &str, number: impl itoa::Integer, after: &str) {
        self.text(before);
        self.text(itoa::Buffer::new().format(number));
        self.text(after);
    }

    /// A value of the language, in decimal.
    fn int(&mut self, value: &Int) {
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{value}");
    }

    /// Starts the local numbers of another body: the first `params` locals have theirs.
    pub(crate) fn begin_locals(&mut self, locals: &[Local], params: u32) {
        self.next_local = params as usize;
        self.locals = (0..locals.len()).map(|i| (i < params as usize).then_some(i)).collect();
    }

    /// The statements of a body.
    pub(crate) fn body(&mut self, body: &Body) {
        self.begin_locals(&body.locals, body.params);
        self.stmts(&body.locals, &body.stmts);
    }

    fn spaced<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.text(" ");
            }
            each(self, item);
        }
    }

    fn operands(&mut self, operands: &[Operand]) {
        self.text("(");
        let mut usual = [Slot::Rs1, Slot::Rs2].into_iter();
        self.spaced(operands, |p, operand| {
            let mark = match operand.slot {
                Slot::Imm => Some("imm"),
                slot if usual.next() == Some(slot) => None,
                Slot::Rs1 => Some("rs1"),
                Slot::Rs2 => Some("rs2"),
            };
            if let Some(mark) = mark {
                p.text("(");
                p.text(mark);
                p.text(" ");
            }
            p.ty(&operand.ty);
            if mark.is_some() {
                p.text(")");
            }
        });
        self.text(")");
    }

    pub(crate) fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Bool => self.text("(b)"),
            Type::U(n) => self.number("(u ", *n, ")"),
            Type::S(n) => self.number("(s ", *n, ")"),
            Type::Enum { id, width } => {
                self.number("(e ", *width, "");
                if let Some(def) = self.section.enums.get(id.index()) {
                    let mut patterns: Vec<_> = def.cases.iter().map(|case| &case.pattern).collect();
                    patterns.sort();
                    for pattern in patterns {
                        self.text(" ");
                        self.int(pattern);
                    }
                }
                self.text(")");
            }
            Type::Array { len, elem } => {
                self.number("(a ", *len, " ");
                self.ty(elem);
                self.text(")");
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Int(v) => self.int(v),
            Value::Array(items) => {
                self.text("(");
                self.spaced(items, Self::value);
                self.text(")");
            }
        }
    }

    pub(crate) fn local(&mut self, id: LocalId) {
        let number = match self.locals.get_mut(id.index()) {
            Some(Some(number)) => *number,
            Some(unseen) => {
                let number = self.next_local;
                *unseen = Some(number);
                self.next_local += 1;
                number
            }
            // Only a malformed body names a local that it does not declare.
            None => usize::MAX,
        };
        self.number("(l ", number, ")");
    }

    fn field(&mut self, id: FieldId) {
        let number = self.fields.get(id.index()).copied().unwrap_or(id.0);
        self.number("(s ", number, ")");
    }

    pub(crate) fn function_number(&mut self, id: FnId) -> usize {
        match self.numbers.get_mut(id.index()) {
            Some(Some(number)) => *number,
            Some(unseen) => {
                let number = self.order.len();
                *unseen = Some(number);
                self.order.push(id);
                number
            }
            // Only a malformed section calls a function that it does not hold.
            None => usize::MAX,
        }
    }

    /// `(op type args…)`
    fn node<'e>(&mut self, op: &str, ty: &Type, args: impl IntoIterator<Item = &'e Expr>, locals: &[Local]) {
        self.text("(");
        self.text(op);
        self.text(" ");
        self.ty(ty);
        self.args(args, locals);
        self.text(")");
    }

    fn args<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>, locals: &[Local]) {
        for arg in args {
            self.text(" ");
            self.expr(locals, arg);
        }
    }

    fn constant(&mut self, ty: &Type, value: &Value) {
        self.text("(c ");
        self.ty(ty);
        self.text(" ");
        self.value(value);
        self.text(")");
    }

    pub(crate) fn expr(&mut self, locals: &[Local], expr: &Expr) {
        let ty = &expr.ty;
        match &expr.kind {
            ExprKind::Const(value) => self.constant(ty, value),
            ExprKind::Table(id) => {
                let section = self.section;
                if let Some(table) = section.consts.get(id.index()) {
                    self.constant(ty, &table.value);
                }
            }
            ExprKind::Local(id) => self.local(*id),
            ExprKind::State(id) => self.field(*id),
            ExprKind::Unary(op, x) => self.node(unary_name(*op), ty, [&**x], locals),
            ExprKind::Binary(op, a, b) => self.node(binary_name(*op), ty, [&**a, &**b], locals),
            ExprKind::Convert(x) => self.node("conv", ty, [&**x], locals),
            ExprKind::Saturate(x) => self.node("sat", ty, [&**x], locals),
            ExprKind::Select(c, a, b) => self.node("sel", ty, [&**c, &**a, &**b], locals),
            ExprKind::Index(a, i) => self.node("idx", ty, [&**a, &**i], locals),
            ExprKind::Bits(x, at) => self.node("bits", ty, [&**x, &**at], locals),
            ExprKind::Cat(items) => self.node("cat", ty, items, locals),
            ExprKind::Array(items) => self.node("arr", ty, items, locals),
            ExprKind::Fill(x) => self.node("fill", ty, [&**x], locals),
            ExprKind::Split(x) => self.node("split", ty, [&**x], locals),
            ExprKind::Join(x) => self.node("join", ty, [&**x], locals),
            ExprKind::Rep(x, n) => {
                self.text("(rep ");
                self.ty(ty);
                self.args([&**x], locals);
                self.number(" ", *n, ")");
            }
            ExprKind::Comprehension(map) => {
                let Comprehension { local, lo, hi, elem } = &**map;
                self.text("(map ");
                self.ty(ty);
                self.text(" ");
                self.local_with_type(locals, *local);
                for bound in [lo, hi] {
                    self.text(" ");
                    self.int(bound);
                }
                self.args([elem], locals);
                self.text(")");
            }
            ExprKind::Call(id, args) => {
                let number = self.function_number(*id);
                self.number("(call ", number, "");
                self.args(args, locals);
                self.text(")");
            }
            // These only in examples, laws and bodies of libraries, so never in the hashed text.
            ExprKind::Issue(issue) => {
                self.number("(issue ", issue.context, " ");
                self.number("", issue.command, "");
                self.args(&issue.args, locals);
                self.text(")");
            }
            ExprKind::Foreign(call) => {
                self.number("(foreign ", call.function.0, "");
                for arg in &call.args {
                    match arg {
                        Argument::Value(e) => self.args([e], locals),
                        Argument::Param(at) => self.number(" (param ", *at, ")"),
                    }
                }
                self.text(")");
            }
            ExprKind::Csr(id, value) => {
                self.number("(access ", id.0, "");
                self.args(value.as_deref(), locals);
                self.text(")");
            }
            ExprKind::Command(id, args) => {
                self.number("(issue ", id.0, "");
                self.args(args, locals);
                self.text(")");
            }
        }
    }

    pub(crate) fn local_with_type(&mut self, locals: &[Local], id: LocalId) {
        self.local(id);
        self.text(" ");
        if let Some(local) = locals.get(id.index()) {
            self.ty(&local.ty);
        }
    }

    fn stmts(&mut self, locals: &[Local], stmts: &[Stmt]) {
        self.text("(");
        self.spaced(stmts, |p, stmt| p.stmt(locals, stmt));
        self.text(")");
    }

    fn stmt(&mut self, locals: &[Local], stmt: &Stmt) {
        match stmt {
            Stmt::Let(id, value) => {
                self.text("(let ");
                self.local_with_type(locals, *id);
                self.args([value], locals);
            }
            Stmt::Set(place, value) => {
                self.text("(set ");
                self.place(locals, place);
                self.args([value], locals);
            }
            Stmt::If(c, a, b) => {
                self.text("(if");
                self.args([c], locals);
                for branch in [a, b] {
                    self.text(" ");
                    self.stmts(locals, branch);
                }
            }
            Stmt::For { local, lo, hi, body } => {
                self.text("(for ");
                self.local_with_type(locals, *local);
                self.args([&**lo, &**hi], locals);
                self.text(" ");
                self.stmts(locals, body);
            }
            Stmt::Match { value, arms, default } => {
                self.text("(match");
                self.args([value], locals);
                for arm in arms {
                    let mut patterns: Vec<_> = arm.patterns.iter().collect();
                    patterns.sort();
                    self.text(" (arm (");
                    self.spaced(patterns, |p, (lo, hi)| {
                        p.text("(");
                        p.int(lo);
                        p.text(" ");
                        p.int(hi);
                        p.text(")");
                    });
                    self.text(") ");
                    self.stmts(locals, &arm.body);
                    self.text(")");
                }
                self.text(" (else ");
                self.stmts(locals, default);
                self.text(")");
            }
            Stmt::Return(value) => {
                self.text("(ret");
                self.args(value, locals);
            }
            Stmt::Raise { error, commit, value } => {
                self.text("(raise ");
                match error {
                    Raised::Op => self.text("op"),
                    Raised::Error(id) => {
                        let code = self.section.errors.get(id.index()).map_or(0, |e| e.code);
                        self.number("", code, "");
                    }
                }
                self.number(" ", u8::from(*commit), "");
                match value {
                    Some(value) => self.args([value], locals),
                    None => self.text(" ()"),
                }
            }
            Stmt::Trap => self.text("(trap"),
            Stmt::Do(e) => {
                self.text("(do");
                self.args([e], locals);
            }
            Stmt::With(with) => {
                self.number("(with ", with.context, " ");
                self.stmts(locals, &with.body);
                if let Some(block) = &with.otherwise {
                    self.text(" ");
                    self.stmts(locals, block);
                }
            }
        }
        self.text(")");
    }

    fn place(&mut self, locals: &[Local], place: &Place) {
        match place.root {
            PlaceRoot::Local(id) => self.local(id),
            PlaceRoot::State(id) => self.field(id),
        }
        self.text(" (");
        self.spaced(&place.path, |p, step| {
            match step {
                PlaceStep::Index(i) => {
                    p.text("(i");
                    p.args([i], locals);
                }
                PlaceStep::Bits { at, width } => {
                    p.number("(b ", *width, "");
                    p.args([at], locals);
                }
            }
            p.text(")");
        });
        self.text(")");
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::Not => "not",
        UnaryOp::LogicalNot => "lnot",
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "add",
        Sub => "sub",
        Mul => "mul",
        Div => "div",
        Rem => "rem",
        And => "and",
        Or => "or",
        Xor => "xor",
        Shl => "shl",
        Shr => "shr",
        Min => "min",
        Max => "max",
        Eq => "eq",
        Ne => "ne",
        Lt => "lt",
        Le => "le",
        Gt => "gt",
        Ge => "ge",
        LogicalAnd => "land",
        LogicalOr => "lor",
    }
}

#[cfg(test)]
#[path = "canonical_tests.rs"]
mod tests;
