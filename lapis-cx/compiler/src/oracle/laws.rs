//! Tries laws on edge values and random ones, and shrinks what breaks them.
//!
//! A law is about values: a command's response is not judged in it (a `raise` gives rd = its value, or 0), but a
//! `trap` has no value and breaks it. Each trial starts from reset.

use super::eval::{DEFAULT_FUEL, Ending, EvalError, Evaluator};
use super::finding::Findings;
use super::judge::{Verdict, judge, show};
use super::machine::Session;
use super::vectors;
use crate::contract::core::{LocalId, Stmt, Type, Value};
use crate::contract::{Law, Section};
use crate::diagnostic::{Diagnostic, catalogue};
use crate::driver::Effort;
use crate::int::Int;

/// Trials that a law gets on edge values and on random ones in a build: 64 together.
const BUILD_EDGES: usize = 40;
const BUILD_RANDOM: usize = 24;

/// The most trials on edge values of a check.
const CHECK_EDGES: usize = 4096;

/// How many trials a counterexample is shrunk with.
const SHRINK_TRIALS: usize = 300;

/// The seed of the random values: the same trials in every run.
const SEED: u64 = 0x6C61_7069_735F_6378;

/// Tries every law of some sections: those of an interface, or of a package.
///
/// A law that takes many steps gets fewer trials, at least one; with [`Effort::Check`] a note says so.
pub fn check(sections: &[Section], effort: Effort) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for section in sections {
        for law in &section.laws {
            if let Some(diagnostic) = (Trials { section, law }).run(limits(effort)) {
                findings.add(section.xlen, diagnostic);
            }
        }
    }
    findings.into_diagnostics()
}

/// How much is tried of one law.
#[derive(Clone, Copy)]
struct Limits {
    random: usize,
    edges: usize,
    /// Steps of all trials together.
    fuel: u64,
    /// Whether to say that not all was tried.
    tells: bool,
}

fn limits(effort: Effort) -> Limits {
    match effort {
        Effort::Build => Limits { random: BUILD_RANDOM, edges: BUILD_EDGES, fuel: DEFAULT_FUEL, tells: false },
        Effort::Check { vectors } => {
            Limits { random: vectors as usize, edges: CHECK_EDGES, fuel: 20 * DEFAULT_FUEL, tells: true }
        }
    }
}

struct Trials<'a> {
    section: &'a Section,
    law: &'a Law,
}

impl<'a> Trials<'a> {
    fn run(&self, limits: Limits) -> Option<Diagnostic> {
        let Limits { random, edges, mut fuel, tells } = limits;
        let types = self.types();
        let tuples = vectors::tuples(&types, edges, random, SEED ^ u64::from(self.section.xlen));
        let mut session = Session::new(self.section);
        for (tried, args) in tuples.iter().enumerate() {
            if fuel == 0 {
                return tells.then(|| self.cut_short(tried, tuples.len()));
            }
            let mut budget = DEFAULT_FUEL;
            let verdict = self.trial(&mut session, args, &mut budget);
            fuel = fuel.saturating_sub(1 + DEFAULT_FUEL - budget);
            match verdict {
                Ok(verdict) if verdict.holds => {}
                Ok(_) => return Some(self.broken(&mut session, args.clone())),
                Err(error) => return Some(self.not_run(args, &error)),
            }
        }
        None
    }

    fn types(&self) -> Vec<&'a Type> {
        self.law.body.locals.iter().take(self.law.body.params as usize).map(|l| &l.ty).collect()
    }

    /// One trial from reset.
    fn trial(&self, session: &mut Session<'a>, args: &[Value], fuel: &mut u64) -> Result<Verdict, EvalError> {
        session.reset();
        let body = &self.law.body;
        let mut evaluator = Evaluator::with_world(self.section, session, *fuel);
        let verdict = match body.stmts.as_slice() {
            [Stmt::Return(Some(expr))] => {
                evaluator.open_frame(body.locals.len());
                for (i, arg) in args.iter().enumerate() {
                    evaluator.set_local(LocalId(i as u32), arg.clone());
                }
                judge(&mut evaluator, self.section, expr)
            }
            _ => evaluator.run(body, args.to_vec()).map(|ending| {
                let holds = matches!(&ending, Ending::Returned(Some(v)) if !v.int().is_zero());
                Verdict { holds, sides: None }
            }),
        };
        *fuel = evaluator.fuel();
        verdict
    }

    fn broken(&self, session: &mut Session<'a>, args: Vec<Value>) -> Diagnostic {
        let args = self.shrink(session, args);
        let sides = self.trial(session, &args, &mut { DEFAULT_FUEL }).ok().and_then(|v| v.sides);
        let entry = &catalogue::oracle::LAW_BROKEN;
        let message = format!("law `{}` does not hold{}", self.law.name, self.values(&args));
        Diagnostic::error(entry, message, self.law.span, sides.unwrap_or_else(|| "is false".into()))
    }

    fn not_run(&self, args: &[Value], error: &EvalError) -> Diagnostic {
        let message = format!("law `{}` cannot be tried{}: {error}", self.law.name, self.values(args));
        Diagnostic::error(&catalogue::oracle::NOT_RUN, message, self.law.span, "this law")
    }

    fn cut_short(&self, tried: usize, all: usize) -> Diagnostic {
        let message = format!("law `{}` takes many steps: tried {tried} of {all} times", self.law.name);
        Diagnostic::note_at(&catalogue::oracle::LAW_CUT_SHORT, message, self.law.span, "held each time")
    }

    /// ` for a = 1, b = 2`; empty without parameters.
    fn values(&self, args: &[Value]) -> String {
        let named = self.law.body.locals.iter().zip(args);
        let values: Vec<String> =
            named.map(|(l, v)| format!("{} = {}", l.name, show(self.section, &l.ty, v))).collect();
        if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) }
    }

    /// Moves each number of a counterexample towards 0 while it stays one.
    fn shrink(&self, session: &mut Session<'a>, mut args: Vec<Value>) -> Vec<Value> {
        let mut left = SHRINK_TRIALS;
        let mut improved = true;
        while improved {
            improved = false;
            let count: usize = args.iter().map(|v| v.scalars().len()).sum();
            for place in 0..count {
                let Some(v) = args.iter().flat_map(Value::scalars).nth(place).cloned() else {
                    continue;
                };
                for smaller in smaller(&v) {
                    if left == 0 {
                        return args;
                    }
                    left -= 1;
                    let mut candidate = args.clone();
                    if let Some(slot) = candidate.iter_mut().flat_map(scalars_mut).nth(place) {
                        *slot = smaller;
                    }
                    let verdict = self.trial(session, &candidate, &mut { DEFAULT_FUEL });
                    if verdict.is_ok_and(|v| !v.holds) {
                        args = candidate;
                        improved = true;
                        break;
                    }
                }
            }
        }
        args
    }
}

/// Values nearer to 0, the nearest first: 0, then steps that halve towards `v`.
fn smaller(v: &Int) -> Vec<Int> {
    let two = Int::from(2);
    let mut step = v.clone();
    let mut values = Vec::new();
    while !step.is_zero() {
        values.push(v - &step);
        step = step.div_trunc(&two).unwrap_or(Int::ZERO);
    }
    values
}

fn scalars_mut(value: &mut Value) -> Vec<&mut Int> {
    match value {
        Value::Int(v) => vec![v],
        Value::Array(items) => items.iter_mut().flat_map(scalars_mut).collect(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::core::{BinaryOp, Expr};
    use crate::contract::testing::*;
    use crate::source::Span;

    const CHECK: Effort = Effort::Check { vectors: 50 };

    fn law(params: Vec<Type>, holds: Expr) -> Law {
        let n = params.len() as u32;
        Law { name: "l".into(), docs: String::new(), body: body(n, params, vec![ret(holds)]), span: Span::default() }
    }

    fn found(section: Section, law: Law, effort: Effort) -> Vec<Diagnostic> {
        check(&[Section { laws: vec![law], ..section }], effort)
    }

    fn xlen32() -> Section {
        Section { xlen: 32, ..Section::default() }
    }

    fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        bin(op, Type::Bool, a, b)
    }

    #[test]
    fn a_law_of_commands_holds_from_reset() {
        let w = || u(32);
        let product = issue(w(), 1, vec![local(w(), 0), local(w(), 1)]);
        let holds = compare(BinaryOp::Eq, product, bin(BinaryOp::Mul, w(), local(w(), 0), local(w(), 1)));
        for effort in [Effort::Build, CHECK] {
            assert_eq!(found(mulacc_section(32), law(vec![w(), w()], holds.clone()), effort), []);
        }
    }

    #[test]
    fn a_counterexample_is_shrunk_and_named() {
        // x + y < 2^32 breaks from the greatest sum on, and only in the last bit: 0xFFFFFFFF + 1.
        let sum = bin(BinaryOp::Add, u(33), local(u(32), 0), local(u(32), 1));
        let holds = compare(BinaryOp::Lt, sum, constant(u(33), Int::pow2(32)));
        let diagnostics = found(xlen32(), law(vec![u(32), u(32)], holds), Effort::Build);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].code, catalogue::oracle::LAW_BROKEN.code);
        assert_eq!(
            diagnostics[0].labels[0].text,
            "left is 4294967296 (0x100000000), right is 4294967296 (0x100000000)"
        );
        let small = compare(BinaryOp::Lt, local(u(32), 0), constant(u(8), 100));
        let message = &found(xlen32(), law(vec![u(32)], small), CHECK)[0].message;
        assert_eq!(message, "law `l` does not hold for l0 = 100 (0x64) at XLEN 32");
        let above = compare(BinaryOp::Gt, local(s(16), 0), constant(s(16), -300));
        let message = &found(xlen32(), law(vec![s(16)], above), CHECK)[0].message;
        assert_eq!(message, "law `l` does not hold for l0 = -300 (0xFED4) at XLEN 32");
    }

    #[test]
    fn small_domains_are_tried_in_full() {
        // Fails for one of 64 values only.
        let holds = compare(BinaryOp::Ne, local(u(6), 0), constant(u(6), 43));
        let message = &found(xlen32(), law(vec![u(6)], holds), Effort::Build)[0].message;
        assert!(message.contains("l0 = 43 (0x2B)"), "{message}");
    }

    #[test]
    fn costly_laws_are_cut_short_and_a_check_says_so() {
        let section = xlen32();
        let law = law(vec![u(32)], compare(BinaryOp::Eq, local(u(32), 0), local(u(32), 0)));
        let trials = Trials { section: &section, law: &law };
        let few = Limits { fuel: 30, ..limits(CHECK) };
        let diagnostic = trials.run(few).unwrap();
        assert_eq!(diagnostic.code, catalogue::oracle::LAW_CUT_SHORT.code);
        assert_eq!(diagnostic.severity, crate::diagnostic::Severity::Note);
        assert!(trials.run(Limits { tells: false, ..few }).is_none());
    }

    #[test]
    fn a_trap_breaks_a_law() {
        let trap = command("t", 0, Some(u(32)), body(0, vec![], vec![Stmt::Trap]));
        let section = Section { commands: vec![trap], ..xlen32() };
        let holds = compare(BinaryOp::Eq, issue(u(32), 0, vec![]), constant(u(1), 0));
        let diagnostics = found(section, law(vec![], holds), Effort::Build);
        assert_eq!(diagnostics[0].message, "law `l` cannot be tried: command `t` traps at XLEN 32");
    }

    #[test]
    fn shrinking_steps_end_at_zero() {
        assert_eq!(smaller(&Int::ZERO), []);
        assert_eq!(smaller(&Int::ONE), [Int::ZERO]);
        assert_eq!(smaller(&Int::from(-7)), [Int::ZERO, Int::from(-4), Int::from(-6)]);
    }
}
