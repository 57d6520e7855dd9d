#![doc = include_str!("CANONICAL.md")]

use std::fmt::Write;

use super::core::{
    BinaryOp, Body, Comprehension, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, PlaceStep, Raised, Stmt, Type,
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
        self.put(format_args!("(state {sharing} {}", u8::from(*ucontext)));
        for field in fields {
            self.put(format_args!(" ("));
            self.ty(&field.ty);
            self.put(format_args!(" "));
            self.value(&field.reset);
            self.put(format_args!(")"));
        }
        if let Some(live) = &section.live {
            for (name, words) in [("save", &live.save), ("restore", &live.restore)] {
                let number = self.function_number(words.function);
                self.put(format_args!(" ({name} (call {number} (l 0)"));
                words.fields.iter().for_each(|id| self.put(format_args!(" (s {})", id.0)));
                self.put(format_args!("))"));
            }
        }
        self.put(format_args!(")"));
        Some(self.take())
    }

    /// The `(csr …)` part.
    pub(crate) fn csr(&mut self, csr: &Csr) -> String {
        self.put(format_args!("(csr {} {}", csr.address, csr.access.name()));
        self.begin_locals(&csr.locals, 0);
        for field in &csr.fields {
            self.put(format_args!(" ({} ", field.lo));
            self.ty(&field.ty);
            self.args([&field.value], &csr.locals);
            self.put(format_args!("{})", if field.warl { " warl" } else { "" }));
        }
        self.put(format_args!(")"));
        self.take()
    }

    /// The `(cmd …)` part.
    pub(crate) fn command(&mut self, interface: &Interface, command: &Command) -> String {
        let forms: Vec<&str> = command.forms.iter().map(|f| f.name()).collect();
        self.put(format_args!("(cmd {} ({}) ", command.id, forms.join(" ")));
        self.operands(&command.operands);
        self.put(format_args!(" "));
        match &command.result {
            Some(ty) => self.ty(ty),
            None => self.put(format_args!("()")),
        }
        self.put(format_args!(" "));
        match &command.semantics {
            Semantics::Body(body) => self.body(body),
            Semantics::Opaque | Semantics::Standard(_) => {
                self.put(format_args!("(opaque {}:{}.{})", interface.package, interface.name, command.name));
            }
        }
        self.put(format_args!(")"));
        self.take()
    }

    /// The `(fn …)` parts of all functions that have appeared so far, and of those that they reach.
    pub(crate) fn functions(&mut self) -> Vec<String> {
        let section = self.section;
        let mut parts = Vec::new();
        let mut number = 0;
        while let Some(&id) = self.order.get(number) {
            self.put(format_args!("(fn {number} ("));
            if let Some(function) = section.fns.get(id.index()) {
                let params = function.body.locals.iter().take(function.body.params as usize);
                self.spaced(params, |p, local| p.ty(&local.ty));
                self.put(format_args!(") "));
                self.ty(&function.result);
                self.put(format_args!(" "));
                self.body(&function.body);
            }
            self.put(format_args!(")"));
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

    /// A number between texts. Half of what a body prints is this, and a formatter would cost more than the digits.
    fn number(&mut self, before: &str, number: u64, after: &str) {
        self.out.push_str(before);
        self.out.push_str(itoa::Buffer::new().format(number));
        self.out.push_str(after);
    }

    pub(crate) fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.out.write_fmt(text);
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
                self.put(format_args!(" "));
            }
            each(self, item);
        }
    }

    fn operands(&mut self, operands: &[Operand]) {
        self.put(format_args!("("));
        let mut usual = [Slot::Rs1, Slot::Rs2].into_iter();
        self.spaced(operands, |p, operand| {
            let mark = match operand.slot {
                Slot::Imm => Some("imm"),
                slot if usual.next() == Some(slot) => None,
                Slot::Rs1 => Some("rs1"),
                Slot::Rs2 => Some("rs2"),
            };
            if let Some(mark) = mark {
                p.put(format_args!("({mark} "));
            }
            p.ty(&operand.ty);
            if mark.is_some() {
                p.put(format_args!(")"));
            }
        });
        self.put(format_args!(")"));
    }

    pub(crate) fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Bool => self.put(format_args!("(b)")),
            Type::U(n) => self.number("(u ", u64::from(*n), ")"),
            Type::S(n) => self.number("(s ", u64::from(*n), ")"),
            Type::Enum { id, width } => {
                self.put(format_args!("(e {width}"));
                if let Some(def) = self.section.enums.get(id.index()) {
                    let mut patterns: Vec<_> = def.cases.iter().map(|case| &case.pattern).collect();
                    patterns.sort();
                    for pattern in patterns {
                        self.put(format_args!(" {pattern}"));
                    }
                }
                self.put(format_args!(")"));
            }
            Type::Array { len, elem } => {
                self.put(format_args!("(a {len} "));
                self.ty(elem);
                self.put(format_args!(")"));
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Int(v) => self.put(format_args!("{v}")),
            Value::Array(items) => {
                self.put(format_args!("("));
                self.spaced(items, Self::value);
                self.put(format_args!(")"));
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
        self.number("(l ", number as u64, ")");
    }

    fn field(&mut self, id: FieldId) {
        let number = self.fields.get(id.index()).copied().unwrap_or(id.0);
        self.number("(s ", u64::from(number), ")");
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
        self.out.push('(');
        self.out.push_str(op);
        self.out.push(' ');
        self.ty(ty);
        self.args(args, locals);
        self.put(format_args!(")"));
    }

    fn args<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>, locals: &[Local]) {
        for arg in args {
            self.put(format_args!(" "));
            self.expr(locals, arg);
        }
    }

    fn constant(&mut self, ty: &Type, value: &Value) {
        self.put(format_args!("(c "));
        self.ty(ty);
        self.put(format_args!(" "));
        self.value(value);
        self.put(format_args!(")"));
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
                self.put(format_args!("(rep "));
                self.ty(ty);
                self.args([&**x], locals);
                self.put(format_args!(" {n})"));
            }
            ExprKind::Comprehension(map) => {
                let Comprehension { local, lo, hi, elem } = &**map;
                self.put(format_args!("(map "));
                self.ty(ty);
                self.put(format_args!(" "));
                self.local_with_type(locals, *local);
                self.put(format_args!(" {lo} {hi}"));
                self.args([elem], locals);
                self.put(format_args!(")"));
            }
            ExprKind::Call(id, args) => {
                let number = self.function_number(*id);
                self.put(format_args!("(call {number}"));
                self.args(args, locals);
                self.put(format_args!(")"));
            }
            // These two only in examples and laws, so never in the hashed text.
            ExprKind::Csr(id, value) => {
                self.put(format_args!("(access {}", id.0));
                self.args(value.as_deref(), locals);
                self.put(format_args!(")"));
            }
            ExprKind::Command(id, args) => {
                self.put(format_args!("(issue {}", id.0));
                self.args(args, locals);
                self.put(format_args!(")"));
            }
        }
    }

    pub(crate) fn local_with_type(&mut self, locals: &[Local], id: LocalId) {
        self.local(id);
        self.put(format_args!(" "));
        if let Some(local) = locals.get(id.index()) {
            self.ty(&local.ty);
        }
    }

    fn stmts(&mut self, locals: &[Local], stmts: &[Stmt]) {
        self.put(format_args!("("));
        self.spaced(stmts, |p, stmt| p.stmt(locals, stmt));
        self.put(format_args!(")"));
    }

    fn stmt(&mut self, locals: &[Local], stmt: &Stmt) {
        match stmt {
            Stmt::Let(id, value) => {
                self.put(format_args!("(let "));
                self.local_with_type(locals, *id);
                self.args([value], locals);
            }
            Stmt::Set(place, value) => {
                self.put(format_args!("(set "));
                self.place(locals, place);
                self.args([value], locals);
            }
            Stmt::If(c, a, b) => {
                self.put(format_args!("(if"));
                self.args([c], locals);
                for branch in [a, b] {
                    self.put(format_args!(" "));
                    self.stmts(locals, branch);
                }
            }
            Stmt::For { local, lo, hi, body } => {
                self.put(format_args!("(for "));
                self.local_with_type(locals, *local);
                self.args([&**lo, &**hi], locals);
                self.put(format_args!(" "));
                self.stmts(locals, body);
            }
            Stmt::Match { value, arms, default } => {
                self.put(format_args!("(match"));
                self.args([value], locals);
                for arm in arms {
                    let mut patterns: Vec<_> = arm.patterns.iter().collect();
                    patterns.sort();
                    self.put(format_args!(" (arm ("));
                    self.spaced(patterns, |p, (lo, hi)| p.put(format_args!("({lo} {hi})")));
                    self.put(format_args!(") "));
                    self.stmts(locals, &arm.body);
                    self.put(format_args!(")"));
                }
                self.put(format_args!(" (else "));
                self.stmts(locals, default);
                self.put(format_args!(")"));
            }
            Stmt::Return(value) => {
                self.put(format_args!("(ret"));
                self.args(value, locals);
            }
            Stmt::Raise { error, commit, value } => {
                self.put(format_args!("(raise "));
                match error {
                    Raised::Op => self.put(format_args!("op")),
                    Raised::Error(id) => {
                        let code = self.section.errors.get(id.index()).map_or(0, |e| e.code);
                        self.put(format_args!("{code}"));
                    }
                }
                self.put(format_args!(" {}", u8::from(*commit)));
                match value {
                    Some(value) => self.args([value], locals),
                    None => self.put(format_args!(" ()")),
                }
            }
            Stmt::Trap => self.put(format_args!("(trap")),
        }
        self.put(format_args!(")"));
    }

    fn place(&mut self, locals: &[Local], place: &Place) {
        match place.root {
            PlaceRoot::Local(id) => self.local(id),
            PlaceRoot::State(id) => self.field(id),
        }
        self.put(format_args!(" ("));
        self.spaced(&place.path, |p, step| {
            match step {
                PlaceStep::Index(i) => {
                    p.put(format_args!("(i"));
                    p.args([i], locals);
                }
                PlaceStep::Bits { at, width } => {
                    p.put(format_args!("(b {width}"));
                    p.args([at], locals);
                }
            }
            p.put(format_args!(")"));
        });
        self.put(format_args!(")"));
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
