//! How programs use an interface, as text for people: what backends give for documentation, and what they all need to
//! write it. The calls that a program shows are chosen here, once, so that the programs of all targets do the same.

use crate::contract::core::{BinaryOp, Expr, ExprKind, Raised, Stmt, Type};
use crate::contract::{
    Command, Csr, ErrorDef, Example, Form, Interface, Operand, Raises, Section, Semantics, Slot, Step,
};
use crate::int::Int;

/// How programs in one language use one interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The language as people call it, such as `C`.
    pub language: &'static str,
    /// Its name for syntax highlighters, such as `c`, `rust`, `asm`.
    pub syntax: &'static str,
    /// The generated files that a program needs, relative to the output folder.
    pub files: Vec<String>,
    /// A whole small program, or a function where the target has no programs. It compiles as it stands, without warnings, and
    /// where what it needs is there it ends with success.
    pub program: String,
    /// For each command that some XLEN has, in order of first appearance: lines that issue it, once in each spelling.
    ///
    /// They stand in a function whose parameters are the operands, under the names that the generated code gives them. An
    /// operand that an instruction carries as a constant is a constant there.
    pub commands: Vec<Snippet>,
    /// The same for the accesses of each CSR.
    pub csrs: Vec<Snippet>,
}

/// Lines that use one thing of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// Its name in the source.
    pub name: String,
    /// The lines, each with its line break, without indentation.
    pub code: String,
}

/// By what a small program reaches an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It opens and selects a CX.
    Cx,
    /// It looks up a device of overloadable opcodes.
    Device,
}

impl Way {
    /// The way to an interface: a CX, unless overloadable opcodes issue all that it has.
    pub fn of(interface: &Interface) -> Way {
        let selected = interface.sections.iter().any(|s| !s.csrs.is_empty() || s.commands.iter().any(is_selected));
        match interface.xintf {
            Some(_) if interface.uuid.is_none() || !selected => Way::Device,
            _ => Way::Cx,
        }
    }

    /// Whether a command goes this way.
    pub fn has(self, command: &Command) -> bool {
        match self {
            Way::Cx => is_selected(command),
            Way::Device => command.forms.contains(&Form::Xcmd),
        }
    }
}

/// Whether a command has a form that goes to the selected CX.
fn is_selected(command: &Command) -> bool {
    command.forms.iter().any(|form| *form != Form::Xcmd)
}

/// A command that a program issues, with constants for its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The command's name; every XLEN has it.
    pub command: String,
    /// A value for each operand, of its type at every XLEN. The pattern, for enums.
    pub values: Vec<Int>,
    /// What it gives, if an example of the interface says so.
    pub result: Option<Int>,
}

/// The most calls that a program shows.
const CALLS: usize = 3;

/// What a program issues: the beginning of an example, as far as it is calls with plain numbers that are the same at every
/// XLEN; without such an example, the first commands with zeros. No call traps or asks for what the program does not have.
pub fn calls(interface: &Interface) -> Vec<Call> {
    let way = Way::of(interface);
    let mut sections = interface.sections.iter();
    let Some(first) = sections.next() else { return Vec::new() };
    let shown = |section: &Section| -> Vec<Vec<Call>> {
        section
            .examples
            .iter()
            .map(|example| beginning(section, example, way))
            .filter(|calls| !calls.is_empty())
            .collect()
    };
    let others: Vec<_> = sections.map(|section| (section, shown(section))).collect();
    let everywhere = |calls: &Vec<Call>| others.iter().all(|(_, all)| all.contains(calls));
    if let Some(calls) = shown(first).into_iter().find(everywhere) {
        return calls;
    }
    let has_it = |command: &&Command| {
        let same = |section: &Section| {
            section.command(&command.name).is_some_and(|c| way.has(c) && zeros(section, c) == zeros(first, command))
        };
        way.has(command) && !crate::lower::can_trap(command) && others.iter().all(|(section, _)| same(section))
    };
    let plain: Vec<&Command> = first.commands.iter().filter(has_it).collect();
    let own = |c: &&&Command| !matches!(c.semantics, Semantics::Standard(_));
    let opaque = || first.commands.iter().filter(|c| way == Way::Cx && c.semantics == Semantics::Opaque && way.has(c));
    let chosen: Vec<&Command> = plain.iter().filter(own).copied().chain(opaque()).take(CALLS - 1).collect();
    let call = |c: &Command| Call { command: c.name.clone(), values: zeros(first, c), result: None };
    chosen.into_iter().map(call).collect()
}

/// A value for each operand: 0, or the first case of an enum that does not name 0.
fn zeros(section: &Section, command: &Command) -> Vec<Int> {
    let zero = |operand: &Operand| match &operand.ty {
        Type::Enum { id, .. } => {
            let cases = section.enums.get(id.index()).map(|def| def.cases.as_slice()).unwrap_or_default();
            match cases.first() {
                Some(first) if !cases.iter().any(|case| case.pattern.is_zero()) => first.pattern.clone(),
                _ => Int::ZERO,
            }
        }
        _ => Int::ZERO,
    };
    command.operands.iter().map(zero).collect()
}

/// The calls with which an example begins.
fn beginning(section: &Section, example: &Example, way: Way) -> Vec<Call> {
    let mut calls = Vec::new();
    for step in &example.steps {
        match step {
            Step::Reset if calls.is_empty() => {}
            Step::Run { expr, raises: Raises::Nothing, .. } => match call(section, expr, way) {
                Some(call) if calls.len() < CALLS => calls.push(call),
                _ => break,
            },
            _ => break,
        }
    }
    calls
}

/// A step that is a command with constants, alone or compared with a constant.
fn call(section: &Section, expr: &Expr, way: Way) -> Option<Call> {
    let (issued, result) = match &expr.kind {
        ExprKind::Binary(BinaryOp::Eq, left, right) => (exact(left), Some(constant(right)?)),
        // A bool must be true; another value is dropped.
        _ => (expr, (expr.ty == Type::Bool).then_some(Int::ONE)),
    };
    let ExprKind::Command(id, args) = &issued.kind else { return None };
    let command = section.commands.get(id.index()).filter(|command| way.has(command))?;
    let values: Vec<Int> = args.iter().map(constant).collect::<Option<_>>()?;
    let result = result.filter(|_| command.result.is_some());
    let carried = command.operands.iter().zip(&values).all(|(operand, value)| is_plain(command, operand, value));
    carried.then(|| Call { command: command.name.clone(), values, result })
}

/// What a conversion that loses nothing is made of.
fn exact(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert(inner) => {
            let ((low, high), (inner_low, inner_high)) = (expr.ty.range(), inner.ty.range());
            if low <= inner_low && inner_high <= high { inner } else { expr }
        }
        _ => expr,
    }
}

fn constant(expr: &Expr) -> Option<Int> {
    match &expr.kind {
        ExprKind::Const(value) if expr.ty.width() > 0 => Some(value.int()),
        _ => None,
    }
}

/// Whether a value can be written as it is in any language, and each instruction of the command carries it.
fn is_plain(command: &Command, operand: &Operand, value: &Int) -> bool {
    let within = |low: i64, high: u64| Int::from(low) <= *value && *value <= Int::from(high);
    let twelve = command.forms.contains(&Form::I) && operand.slot != Slot::Rs1;
    within(-0x7FFF_FFFF, u64::MAX) && (!twelve || within(-2048, 2047))
}

/// The commands of all XLENs, each with the first section that has it, by name.
pub fn commands(interface: &Interface) -> Vec<(&Section, &Command)> {
    each(interface, |section| &section.commands, |command| &command.name)
}

/// The CSRs of all XLENs, each with the first section that has it, by name.
pub fn csrs(interface: &Interface) -> Vec<(&Section, &Csr)> {
    each(interface, |section| &section.csrs, |csr| &csr.name)
}

fn each<'a, T>(
    interface: &'a Interface,
    all: impl Fn(&'a Section) -> &'a [T],
    name: impl Fn(&'a T) -> &'a str,
) -> Vec<(&'a Section, &'a T)> {
    let mut seen = std::collections::HashSet::new();
    let everything = interface.sections.iter().flat_map(|section| all(section).iter().map(move |item| (section, item)));
    everything.filter(|(_, item)| seen.insert(name(item))).collect()
}

/// What a command may raise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failures<'a> {
    /// `raise op`.
    pub op: bool,
    /// Declared errors, in order of their codes.
    pub declared: Vec<&'a ErrorDef>,
    /// The command has no body here, so it may raise anything.
    pub anything: bool,
}

impl<'a> Failures<'a> {
    /// Those of a command.
    pub fn of(section: &'a Section, command: &Command) -> Failures<'a> {
        let mut failures = Failures { anything: command.semantics == Semantics::Opaque, ..Failures::default() };
        let mut raised = Vec::new();
        if let Semantics::Body(body) = &command.semantics {
            body.stmts.iter().for_each(|stmt| raises(stmt, &mut raised));
        }
        failures.op = raised.contains(&Raised::Op);
        let declared = section.errors.iter().enumerate();
        let is_raised = |i: usize| raised.iter().any(|r| matches!(r, Raised::Error(id) if id.index() == i));
        failures.declared = declared.filter(|(i, _)| is_raised(*i)).map(|(_, error)| error).collect();
        failures
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        !self.op && self.declared.is_empty() && !self.anything
    }
}

fn raises(stmt: &Stmt, all: &mut Vec<Raised>) {
    if let Stmt::Raise { error, .. } = stmt {
        all.push(*error);
    }
    crate::lower::blocks(stmt).into_iter().flatten().for_each(|stmt| raises(stmt, all));
}
