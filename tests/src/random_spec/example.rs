//! Examples: calls with random arguments, and what the oracle says of them.

use std::collections::HashMap;

use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::csr::{Access, Csr};
use lapis_cx::contract::{CsrOp, Interface as Resolved, Response, Section};
use lapis_cx::driver::Outcome;
use lapis_cx::int::Int;
use lapis_cx::oracle::machine::{Machine, TypedOutcome};
use lapis_cx::oracle::vectors::Random;

use super::dice::Dice;
use super::judge::has_body;
use super::model::{Example, Expr, ExprKind, Item, Member, Name, Radix, Raised, Spec, Step};
use super::names::Names;

/// Steps of one call, at most.
const FUEL: u64 = 1_000_000;

/// Adds examples to a spec whose compiled plain text is given.
pub fn add(spec: &mut Spec, outcome: &Outcome, dice: &mut Dice) {
    let names = Names::plain(spec);
    let spelled: HashMap<&str, Name> =
        (0..spec.names.len() as u32).rev().map(|n| (names.get(Name(n)), Name(n))).collect();
    let Some(contract) = &outcome.contract else { return };
    for item in &mut spec.items {
        let Item::Interface(interface) = item else { continue };
        let resolved = contract.interfaces().find(|i| i.name == names.get(interface.name) && !i.is_abstract);
        for section in resolved.iter().flat_map(|i: &&Resolved| &i.sections) {
            if dice.one_in(2) {
                let steps = steps(section, &spelled, dice);
                interface.members.push(Member::Example(Example { xlen: Some(section.xlen), steps }));
            }
        }
    }
}

fn steps(section: &Section, spelled: &HashMap<&str, Name>, dice: &mut Dice) -> Vec<Step> {
    let mut machine = Machine::new(section);
    let mut random = Random::new(dice.below(1 << 32));
    let mut steps = Vec::new();
    for _ in 0..dice.between(1, 8) {
        if dice.one_in(8) {
            machine.reset();
            steps.push(Step::Reset);
            continue;
        }
        if let Some(csr) = dice.pick(&section.csrs).filter(|_| dice.one_in(3)) {
            steps.extend(access(&mut machine, csr, spelled, &mut random, dice));
            continue;
        }
        let callable: Vec<usize> =
            section.commands.iter().enumerate().filter(|(_, c)| has_body(c)).map(|(i, _)| i).collect();
        let Some(&at) = dice.pick(&callable) else { break };
        let Some(command) = section.commands.get(at) else { break };
        let base = command.family.as_ref().map_or(&command.name, |(base, _)| base);
        let Some(&name) = spelled.get(base.as_str()) else { break };
        let values: Vec<Value> = command.operands.iter().map(|o| Value::Int(random.scalar(&o.ty))).collect();
        let args: Option<Vec<Expr>> =
            command.operands.iter().zip(&values).map(|(o, v)| written(section, spelled, &o.ty, &v.int())).collect();
        let Some(args) = args else { continue };
        let mut fuel = FUEL;
        let id = lapis_cx::contract::CommandId(at as u32);
        let Ok(TypedOutcome::Replied { value, response }) = machine.issue_values(id, values, &mut fuel) else { break };
        let raises = match response {
            Response::Ok => None,
            Response::Op => Some(Raised::Word("op")),
            _ => {
                let error = section.errors.iter().find(|e| e.code == machine.context.error);
                let Some(name) = error.and_then(|e| spelled.get(e.name.as_str())) else { break };
                Some(Raised::Error(*name))
            }
        };
        let value = command.result.as_ref().and_then(|ty| written(section, spelled, ty, &value.int()));
        let index = command.family.as_ref().map(|(_, index)| *index);
        // A result of `bool` alone would have to be true.
        steps.push(Step::Call { command: name, index, args, value, raises });
    }
    steps
}

/// An access of a CSR.
fn access(
    machine: &mut Machine<'_>,
    csr: &Csr,
    spelled: &HashMap<&str, Name>,
    random: &mut Random,
    dice: &mut Dice,
) -> Option<Step> {
    let name = *spelled.get(csr.name.as_str())?;
    let word = |v: u64| Expr { kind: ExprKind::Lit(Int::from(v), Radix::Hex, None), of: Vec::new() };
    let writes = csr.access == Access::Rw && dice.one_in(2);
    let v = random.bits(machine.section().xlen).to_u64()?;
    let op = if writes { CsrOp::Write } else { CsrOp::Read };
    let (old, response) = machine.access(csr.address, op, v).ok()?;
    let step = Step::Access { csr: name, written: writes.then(|| word(v)), value: word(old) };
    (response == Response::Ok).then_some(step)
}

/// A value as the source writes it; none for a pattern of an enum without a name.
fn written(section: &Section, spelled: &HashMap<&str, Name>, ty: &Type, v: &Int) -> Option<Expr> {
    let bare = |kind| Expr { kind, of: Vec::new() };
    Some(match ty {
        Type::Bool => bare(ExprKind::Bool(!v.is_zero())),
        Type::Enum { id, .. } => {
            let declared = section.enums.get(id.index())?;
            let case = declared.cases.iter().find(|c| c.pattern == *v)?;
            bare(ExprKind::Case(*spelled.get(declared.name.as_str())?, *spelled.get(case.name.as_str())?))
        }
        _ if v.is_negative() => {
            let literal = bare(ExprKind::Lit(-v, Radix::Decimal, None));
            bare(ExprKind::Unary("-", Box::new(literal)))
        }
        _ => bare(ExprKind::Lit(v.clone(), Radix::Hex, None)),
    })
}
