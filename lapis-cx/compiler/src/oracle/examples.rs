//! Runs examples: exactly as written, at every XLEN, from reset.

use super::eval::{DEFAULT_FUEL, EvalError, Evaluator};
use super::finding::Findings;
use super::judge::{judge, show};
use super::machine::{Answer, Issued, Session};
use crate::contract::WHAT_FORM_I_CARRIES;
use crate::contract::core::{Expr, LocalId, Type, Value};
use crate::contract::{Example, Interface, Raises, Response, Section, Step};
use crate::diagnostic::{Diagnostic, catalogue};
use crate::int::Int;
use crate::source::Span;

/// Runs every example of an interface. Of each the first step that fails is reported.
pub fn check(interface: &Interface) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for section in &interface.sections {
        for example in &section.examples {
            if let Some(diagnostic) = run(section, example, DEFAULT_FUEL) {
                findings.add(section.xlen, diagnostic);
            }
        }
    }
    findings.into_diagnostics()
}

/// What the commands and CSRs of a step answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The step.
    pub span: Span,
    /// How often it ran: more than once in a loop.
    pub rounds: u64,
    /// The answers of its last round, in order.
    pub answers: Vec<ShownAnswer>,
}

/// An answer for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAnswer {
    /// The command or CSR.
    pub name: String,
    /// The result, in decimal and in hex if that says more; nothing for a command without one.
    pub value: Option<String>,
    /// The error or response that is not ok.
    pub raised: Option<String>,
}

/// Runs one example at the XLEN of its section and gives what each step answered, in the order of their first rounds. Of
/// one that fails it gives the steps before.
pub fn trace(section: &Section, example: &Example) -> Vec<Answered> {
    let mut log = Vec::new();
    run_with(section, example, DEFAULT_FUEL, Some(&mut log));
    log
}

/// Runs one example at the XLEN of its section, on a budget of steps.
fn run(section: &Section, example: &Example, fuel: u64) -> Option<Diagnostic> {
    run_with(section, example, fuel, None)
}

/// Runs one example and writes down what it answers, if there is a log.
fn run_with(section: &Section, example: &Example, fuel: u64, log: Option<&mut Vec<Answered>>) -> Option<Diagnostic> {
    let mut evaluator = Evaluator::with_world(section, Session::new(section), fuel);
    evaluator.open_frame(example.locals.len());
    let mut run = Run { section, example, evaluator, loops: Vec::new(), span: example.span, log };
    match run.steps(&example.steps) {
        Ok(()) => None,
        Err(Stop::Failed(diagnostic)) => Some(*diagnostic),
        Err(Stop::Error(error)) => Some(run.not_run(&error)),
    }
}

/// Why an example does not go on.
enum Stop {
    Failed(Box<Diagnostic>),
    Error(EvalError),
}

impl From<EvalError> for Stop {
    fn from(error: EvalError) -> Stop {
        Stop::Error(error)
    }
}

struct Run<'a> {
    section: &'a Section,
    example: &'a Example,
    evaluator: Evaluator<'a, Session<'a>>,
    /// The variables of the loops around the current step.
    loops: Vec<LocalId>,
    /// The last step that was begun and has a place.
    span: Span,
    log: Option<&'a mut Vec<Answered>>,
}

impl Run<'_> {
    fn steps(&mut self, steps: &[Step]) -> Result<(), Stop> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Result<(), Stop> {
        match step {
            Step::Run { expr, raises, span } => {
                self.span = *span;
                self.run_step(expr, *raises)
            }
            Step::Reset => {
                self.evaluator.world().reset();
                Ok(())
            }
            Step::Let { local, value } => {
                self.evaluator.world().answers.clear();
                let value = self.evaluator.eval(value)?;
                self.judge_answers(Raises::Nothing)?;
                self.evaluator.set_local(*local, value);
                Ok(())
            }
            Step::For { local, lo, hi, steps } => {
                let mut i = self.evaluator.eval(lo)?.int();
                let hi = self.evaluator.eval(hi)?.int();
                self.loops.push(*local);
                while i < hi {
                    self.evaluator.charge(1)?;
                    self.evaluator.set_local(*local, Value::Int(i.clone()));
                    self.steps(steps)?;
                    i = &i + &Int::ONE;
                }
                self.loops.pop();
                Ok(())
            }
        }
    }

    fn run_step(&mut self, expr: &Expr, raises: Raises) -> Result<(), Stop> {
        self.evaluator.world().answers.clear();
        let verdict = judge(&mut self.evaluator, self.section, expr)?;
        self.write_down();
        self.judge_answers(raises)?;
        if verdict.holds {
            return Ok(());
        }
        let label = verdict.sides.unwrap_or_else(|| "is false".into());
        let message = format!("{} fails: {label}", self.title());
        Err(self.failed(Diagnostic::error(&catalogue::oracle::EXAMPLE_FALSE, message, self.span, label)))
    }

    /// Adds the answers of the step to the log.
    fn write_down(&mut self) {
        let section = self.section;
        let Some(log) = self.log.as_deref_mut() else { return };
        let answers = &self.evaluator.world().answers;
        let answers = answers.iter().map(|answer| shown(section, answer)).collect();
        match log.iter_mut().find(|before| before.span == self.span) {
            Some(before) => {
                before.rounds += 1;
                before.answers = answers;
            }
            None => log.push(Answered { span: self.span, rounds: 1, answers }),
        }
    }

    /// Every command before the last must have answered ok, the last as expected.
    fn judge_answers(&mut self, raises: Raises) -> Result<(), Stop> {
        let answers = std::mem::take(&mut self.evaluator.world().answers);
        let Some((last, before)) = answers.split_last() else {
            if raises == Raises::Nothing {
                return Ok(());
            }
            let message = format!("{} expects {}, but the step issues no command", self.title(), self.expected(raises));
            let label = "no command here";
            return Err(self.failed(Diagnostic::error(
                &catalogue::oracle::EXAMPLE_RESPONSE,
                message,
                self.span,
                label,
            )));
        };
        for answer in &answers {
            self.judge_issue(answer)?;
        }
        for answer in before {
            self.judge_answer(answer, Raises::Nothing)?;
        }
        self.judge_answer(last, raises)
    }

    /// A program cannot issue what no instruction carries, so an example of it shows nothing.
    fn judge_issue(&mut self, answer: &Answer) -> Result<(), Stop> {
        let (Some((at, value)), Issued::Command(id)) = (&answer.not_carried, answer.issued) else { return Ok(()) };
        let command = self.section.commands.get(id.index());
        let Some((command, operand)) = command.and_then(|c| Some((c, c.operands.get(*at)?))) else { return Ok(()) };
        let value = show(self.section, &operand.ty, &Value::Int(value.clone()));
        let label = format!("no instruction of `{}` carries {value} as `{}`", command.name, operand.name);
        let message = format!("{} cannot be issued: {label}", self.title());
        let found = Diagnostic::error(&catalogue::types::IMMEDIATE, message, self.span, label);
        Err(self.failed(found.help(WHAT_FORM_I_CARRIES)))
    }

    fn judge_answer(&mut self, answer: &Answer, raises: Raises) -> Result<(), Stop> {
        let right = match raises {
            Raises::Nothing => answer.response == Response::Ok,
            Raises::Response(response) => answer.response == response,
            Raises::Error(id) => {
                let code = self.section.errors.get(id.index()).map(|e| e.code);
                answer.response == Response::Custom && code == Some(answer.error)
            }
        };
        if right {
            return Ok(());
        }
        let issued = answer.issued.name(self.section);
        let given = self.given(answer);
        let label = format!("`{issued}` answers {given}, expected {}", self.expected(raises));
        let message = format!("{} fails: {label}", self.title());
        let diagnostic = Diagnostic::error(&catalogue::oracle::EXAMPLE_RESPONSE, message, self.span, label);
        Err(self.failed(match (raises, answer.response) {
            (Raises::Nothing, Response::Custom | Response::Op | Response::Off) => {
                diagnostic.help(format!("if that is meant, end the step with `raises {given};`"))
            }
            _ => diagnostic,
        }))
    }

    fn expected(&self, raises: Raises) -> String {
        match raises {
            Raises::Nothing => "ok".into(),
            Raises::Error(id) => self.section.errors.get(id.index()).map_or_else(String::new, |e| e.name.clone()),
            Raises::Response(response) => response_name(response).into(),
        }
    }

    fn given(&self, answer: &Answer) -> String {
        given(self.section, answer)
    }

    fn title(&self) -> String {
        match &self.example.name {
            Some(name) => format!("example \"{name}\""),
            None => "an example".into(),
        }
    }

    fn failed(&self, diagnostic: Diagnostic) -> Stop {
        Stop::Failed(Box::new(self.with_loops(diagnostic)))
    }

    fn with_loops(&self, diagnostic: Diagnostic) -> Diagnostic {
        let values: Vec<String> = self
            .loops
            .iter()
            .filter_map(|id| {
                let local = self.example.locals.get(id.index())?;
                let value = show(self.section, &local.ty, self.evaluator.local(*id)?);
                Some(format!("{} = {value}", local.name))
            })
            .collect();
        if values.is_empty() { diagnostic } else { diagnostic.note(format!("in the round with {}", values.join(", "))) }
    }

    fn not_run(&self, error: &EvalError) -> Diagnostic {
        let message = format!("{} cannot be run: {error}", self.title());
        let diagnostic =
            Diagnostic::error(&catalogue::oracle::NOT_RUN, message, self.span, "the step that cannot be run");
        self.with_loops(diagnostic)
    }
}

/// What an answer says beside its value: an error by its name.
fn given(section: &Section, answer: &Answer) -> String {
    let declared = section.errors.iter().find(|e| e.code == answer.error);
    match (answer.response, declared) {
        (Response::Custom, Some(error)) => error.name.clone(),
        (response, _) => response_name(response).into(),
    }
}

fn shown(section: &Section, answer: &Answer) -> ShownAnswer {
    let ty = match answer.issued {
        Issued::Command(id) => section.commands.get(id.index()).and_then(|command| command.result.clone()),
        Issued::Csr(_) => Some(Type::U(section.xlen)),
    };
    ShownAnswer {
        name: answer.issued.name(section).to_owned(),
        value: ty.map(|ty| show(section, &ty, &answer.value)),
        raised: (answer.response != Response::Ok).then(|| given(section, answer)),
    }
}

/// The name of a response as `raises` writes it.
pub fn response_name(response: Response) -> &'static str {
    match response {
        Response::Ok => "ok",
        Response::Cxu => "cxu",
        Response::State => "state",
        Response::Off => "off",
        Response::Func => "func",
        Response::Op => "op",
        Response::Custom => "custom",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::core::{BinaryOp, Local, Raised, Stmt};
    use crate::contract::testing::*;
    use crate::contract::{ErrorDef, ErrorId};

    fn at(start: u32) -> Span {
        Span { start, end: start + 1, ..Span::default() }
    }

    fn step(start: u32, expr: Expr, raises: Raises) -> Step {
        Step::Run { expr: Box::new(expr), raises, span: at(start) }
    }

    fn equal(a: Expr, b: Expr) -> Expr {
        bin(BinaryOp::Eq, Type::Bool, a, b)
    }

    fn example(locals: Vec<Type>, steps: Vec<Step>) -> Example {
        let locals = locals.into_iter().enumerate().map(|(i, ty)| Local { name: format!("l{i}"), ty }).collect();
        Example { name: Some("sum".into()), docs: String::new(), locals, steps, span: at(0) }
    }

    /// MulAcc with the same example at both XLENs.
    fn with_example(make: impl Fn(u32) -> Example) -> Interface {
        let mut interface = mulacc();
        edit_both(&mut interface, |section| section.examples = vec![make(section.xlen)]);
        interface
    }

    fn mul(w: u32, a: i32, b: i32) -> Expr {
        issue(u(w), 0, vec![constant(u(w), a), constant(u(w), b)])
    }

    fn mulacc_of(w: u32, a: i32, b: i32) -> Expr {
        issue(u(w), 1, vec![constant(u(w), a), constant(u(w), b)])
    }

    #[test]
    fn the_documents_example_holds() {
        let interface = with_example(|w| {
            let read_state = issue(u(w), 3, vec![constant(u(w), 0)]);
            let steps = vec![
                Step::Reset,
                step(1, equal(mul(w, 3, 4), constant(u(4), 12)), Raises::Nothing),
                step(2, equal(mulacc_of(w, 5, 6), constant(u(6), 42)), Raises::Nothing),
                step(3, equal(read_state, constant(u(6), 42)), Raises::Nothing),
                Step::Let { local: LocalId(0), value: Box::new(mulacc_of(w, 1, 1)) },
                step(4, equal(local(u(w), 0), field(u(w), 0)), Raises::Nothing),
            ];
            example(vec![u(w)], steps)
        });
        assert_eq!(check(&interface), []);
    }

    #[test]
    fn a_false_step_shows_both_sides_once_for_both_xlens() {
        let interface =
            with_example(|w| example(vec![], vec![step(7, equal(mul(w, 3, 4), constant(u(4), 11)), Raises::Nothing)]));
        let found = check(&interface);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, catalogue::oracle::EXAMPLE_FALSE.code);
        assert_eq!(found[0].message, "example \"sum\" fails: left is 12 (0xC), right is 11 (0xB) at XLEN 32 and 64");
        assert_eq!(found[0].span(), Some(at(7)));
    }

    #[test]
    fn a_failing_round_is_named_and_conjunctions_show_what_failed() {
        let interface = with_example(|w| {
            let small = bin(BinaryOp::Lt, Type::Bool, field(u(w), 0), constant(u(8), 40));
            let both = bin(BinaryOp::LogicalAnd, Type::Bool, equal(mulacc_of(w, 4, 4), field(u(w), 0)), small);
            let body = vec![step(5, both, Raises::Nothing)];
            let (lo, hi) = (Box::new(constant(u(1), 0)), Box::new(constant(u(3), 5)));
            example(vec![u(3)], vec![Step::For { local: LocalId(0), lo, hi, steps: body }])
        });
        let found = check(&interface);
        assert!(found[0].message.contains("left is 48 (0x30), right is 40 (0x28)"), "{}", found[0].message);
        assert_eq!(found[0].note.as_deref(), Some("in the round with l0 = 2"));
    }

    /// Command 0 raises the error of its operand's value.
    fn raising(expected: Raises, with: i32, value: i32) -> Vec<Diagnostic> {
        let error = |name: &str, code| ErrorDef {
            name: name.into(),
            code,
            message: None,
            docs: String::new(),
            span: Span::default(),
        };
        let raise = |id, error| {
            let stmt = Stmt::Raise { error, commit: false, value: Some(constant(u(32), 9)) };
            Stmt::If(equal(local(u(32), 0), constant(u(32), id)), vec![stmt], vec![])
        };
        let stmts = vec![
            raise(1, Raised::Error(ErrorId(0))),
            raise(2, Raised::Error(ErrorId(1))),
            raise(3, Raised::Op),
            Stmt::If(equal(local(u(32), 0), constant(u(32), 4)), vec![Stmt::Trap], vec![]),
            ret(constant(u(32), 9)),
        ];
        let issued = issue(u(32), 0, vec![constant(u(32), with)]);
        let section = Section {
            xlen: 32,
            state: Some(exclusive(vec![])),
            errors: vec![error("one", 1), error("two", 2)],
            commands: vec![command("fail", 0, Some(u(32)), body(1, vec![u(32)], stmts))],
            examples: vec![example(vec![], vec![step(1, equal(issued, constant(u(32), value)), expected)])],
            ..Section::default()
        };
        check(&interface("F", vec![section]))
    }

    #[test]
    fn responses_must_be_as_expected() {
        let (one, two) = (Raises::Error(ErrorId(0)), Raises::Error(ErrorId(1)));
        let op = Raises::Response(Response::Op);
        for (raises, with) in [(Raises::Nothing, 0), (one, 1), (two, 2), (op, 3)] {
            assert_eq!(raising(raises, with, 9), [], "{with}");
        }
        let said = |raises, with| raising(raises, with, 9)[0].labels[0].text.clone();
        assert_eq!(said(one, 0), "`fail` answers ok, expected one");
        assert_eq!(said(one, 2), "`fail` answers two, expected one");
        assert_eq!(said(two, 3), "`fail` answers op, expected two");
        assert_eq!(said(Raises::Nothing, 1), "`fail` answers one, expected ok");
        let help = raising(Raises::Nothing, 1, 9)[0].help.clone();
        assert_eq!(help.as_deref(), Some("if that is meant, end the step with `raises one;`"));
        // The value counts too, also with the right response.
        assert_eq!(raising(one, 1, 8)[0].code, catalogue::oracle::EXAMPLE_FALSE.code);
    }

    #[test]
    fn a_step_that_cannot_run_is_an_error() {
        let found = raising(Raises::Nothing, 4, 9);
        assert_eq!(found[0].code, catalogue::oracle::NOT_RUN.code);
        assert!(found[0].message.contains("command `fail` traps"), "{}", found[0].message);
        let hi = Box::new(constant(u(64), Int::ones(64)));
        let lo = Box::new(constant(u(1), 0));
        let endless = example(vec![u(64)], vec![Step::For { local: LocalId(0), lo, hi, steps: vec![] }]);
        let diagnostic = run(&mulacc_section(32), &endless, 1000).unwrap();
        assert!(diagnostic.message.contains("too many steps"), "{}", diagnostic.message);
    }

    #[test]
    fn a_step_without_a_command_raises_nothing() {
        let no_command =
            with_example(|_| example(vec![], vec![step(1, constant(Type::Bool, 1), Raises::Response(Response::Op))]));
        assert_eq!(check(&no_command)[0].code, catalogue::oracle::EXAMPLE_RESPONSE.code);
    }
}
