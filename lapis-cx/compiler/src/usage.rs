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
    /// What else whoever writes a program should know, as Markdown; perhaps nothing.
    pub note: String,
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
    /// The way to an interface: a CX, unless overloadable opcodes issue all that it has. `None` for one that nothing
    /// reaches: it has no UUID and no command.
    pub fn of(interface: &Interface) -> Option<Way> {
        let mut commands = interface.sections.iter().flat_map(|s| &s.commands);
        let selected = interface.sections.iter().any(|s| !s.csrs.is_empty()) || commands.clone().any(is_selected);
        match interface.xintf {
            Some(_) if !selected && commands.next().is_some() => Some(Way::Device),
            _ => interface.uuid.map(|_| Way::Cx),
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
/// XLEN; without such an example, the first commands with zeros. No call traps.
pub fn calls(interface: &Interface) -> Vec<Call> {
    let (Some(way), Some((first, others))) = (Way::of(interface), interface.sections.split_first()) else {
        return Vec::new();
    };
    let mut best = Vec::new();
    for example in &first.examples {
        let mut calls = beginning(first, example, way);
        for other in others {
            let all = other.examples.iter().map(|example| common(&calls, &beginning(other, example, way)));
            calls = all.fold(Vec::new(), |best, calls| if calls.len() > best.len() { calls } else { best });
        }
        if calls.len() > best.len() {
            best = calls;
        }
    }
    if !best.is_empty() {
        return best;
    }
    let is_everywhere = |command: &Command| {
        let same = |other: &Command| way.has(other) && zeros(first, command).len() == other.operands.len();
        others.iter().all(|section| section.command(&command.name).is_some_and(same))
    };
    // Where there is no device, what is open is the user's to write, and may trap.
    let is_safe = |command: &Command| match command.semantics {
        Semantics::Opaque => way == Way::Cx,
        _ => !crate::lower::can_trap(command),
    };
    let shown = first
        .commands
        .iter()
        .filter(|c| way.has(c) && is_everywhere(c) && is_safe(c) && !matches!(c.semantics, Semantics::Standard(_)));
    let call = |c: &Command| Call { command: c.name.clone(), values: zeros(first, c), result: None };
    shown.take(CALLS - 1).map(call).collect()
}

/// What two lists begin with, without the results in which they differ.
fn common(calls: &[Call], others: &[Call]) -> Vec<Call> {
    let same = |(call, other): &(&Call, &Call)| call.command == other.command && call.values == other.values;
    let result = |call: &Call, other: &Call| call.result.clone().filter(|result| other.result.as_ref() == Some(result));
    let pairs = calls.iter().zip(others).take_while(same);
    pairs.map(|(call, other)| Call { result: result(call, other), ..call.clone() }).collect()
}

/// The CSR that a program reads, as it has no command to show.
pub fn only_csr(interface: &Interface) -> Option<&Csr> {
    let (first, others) = interface.sections.split_first()?;
    let is_everywhere = |csr: &&Csr| others.iter().all(|s| s.csrs.iter().any(|other| other.name == csr.name));
    if calls(interface).is_empty() { first.csrs.iter().find(is_everywhere) } else { None }
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
                Some((command, call)) if calls.len() < CALLS => {
                    // What is read back of the state belongs to tests.
                    if matches!(command.semantics, Semantics::Standard(_)) {
                        break;
                    }
                    calls.push(call);
                }
                _ => break,
            },
            _ => break,
        }
    }
    calls
}

/// A step that is a command with constants, alone or compared with a constant.
fn call<'a>(section: &'a Section, expr: &Expr, way: Way) -> Option<(&'a Command, Call)> {
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
    carried.then(|| (command, Call { command: command.name.clone(), values, result }))
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

    /// The flags of `cx_status` that they set, as C and assembly call them.
    pub fn flags(&self) -> String {
        let op = (self.op || self.anything).then_some("CX_STATUS_OP");
        let custom = (!self.declared.is_empty() || self.anything).then_some("CX_STATUS_CU");
        op.into_iter().chain(custom).collect::<Vec<_>>().join(" | ")
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
