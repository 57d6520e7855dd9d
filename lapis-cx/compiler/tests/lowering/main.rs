//! The lowered core agrees with the oracle and breaks none of its promises: on all shipped specs and on random bodies,
//! without a compiler of any target. `CX_LONG=1` tries more, `CX_SPECS=FOLDER` takes the specs of another folder.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../folder/mod.rs"]
mod folder;
mod random;

use std::path::Path;

use folder::{Folder, source};

use lapis_cx::contract::layout::status;
use lapis_cx::contract::{Command, Contract, CsrOp, Section, Semantics, Slot};
use lapis_cx::driver::{Effort, NoVerdicts, compile};
use lapis_cx::lower::interp::{Machine as Lowered, Reply};
use lapis_cx::lower::{ir, lower};
use lapis_cx::oracle::machine::{Context, Machine, Operands, Outcome};
use lapis_cx::oracle::vectors::{accesses, context_words, contexts, cost, operands, words_cost};
use random::core::Generator;
use random::{calls, contract};

fn long() -> bool {
    std::env::var_os("CX_LONG").is_some_and(|v| v == "1")
}

/// Steps of the oracle and the interpreter for one command of one XLEN.
fn steps() -> u64 {
    if long() { 40_000_000 } else { 10_000_000 }
}

/// An instruction and the context it starts from.
#[derive(Debug)]
struct Vector<'a> {
    /// For an access of a CSR: what is done. The address is in `function`, the value in rs1.
    op: Option<CsrOp>,
    function: u16,
    operands: Operands,
    context: &'a Context,
}

/// What the oracle says.
fn replied(machine: &mut Machine<'_>, function: u16, operands: Operands) -> Reply {
    match machine.issue(function, operands).unwrap() {
        Outcome::Replied { rd, response } => Reply { rd, response: response as u8 },
        Outcome::Trapped => Reply { rd: 0, response: ir::Answer::Trap as u8 },
    }
}

/// The status and state words.
fn image(machine: &Machine<'_>) -> Vec<u64> {
    match machine.section().state {
        Some(_) => machine.save().unwrap(),
        None => Vec::new(),
    }
}

/// All commands on all edges and `n` random operands (fewer of what takes long), and all CSRs, over all contexts.
fn agrees(name: &str, section: &Section, lowered: &ir::Section, n: usize) -> usize {
    let reset = Context::reset(section);
    // A context that is off or initial holds reset values, and none an undeclared error: a restore sees to that.
    let reachable = |c: Context| {
        let error = if section.errors.iter().any(|e| e.code == c.error) { c.error } else { 0 };
        Context { fields: if c.cs < status::CLEAN { reset.fields.clone() } else { c.fields }, cs: c.cs, error }
    };
    let contexts: Vec<Context> = contexts(section, 64, 11).into_iter().map(reachable).collect();
    let mut oracle = Machine::new(section);
    let mut machine = Lowered::new(lowered).unwrap();
    let mut count = 0;
    let mut check = |vector: &Vector<'_>, command: Option<&Command>| {
        let words = context_words(section, vector.context);
        let size = words.len() as u64;
        let word = status::word(vector.context.cs, size, vector.context.error);
        let start = [vec![u64::from(word)], words].concat();
        oracle.restore(&start).unwrap();
        machine.restore(&start).unwrap();
        let reply = match vector.op {
            Some(op) => {
                let (rd, response) = oracle.access(vector.function, op, vector.operands.rs1).unwrap();
                Reply { rd, response: response as u8 }
            }
            None => replied(&mut oracle, vector.function, vector.operands),
        };
        let want = (reply, image(&oracle));
        let got = match vector.op {
            Some(op) => machine.access(vector.function, op, vector.operands.rs1),
            None => issue(&mut machine, vector, command),
        };
        let got = got.and_then(|reply| Ok((reply, machine.save()?)));
        assert_eq!(got.as_ref(), Ok(&want), "{name}, XLEN {}: {vector:#x?} (right: the oracle)", section.xlen);
        count += 1;
    };
    for command in section.commands.iter().filter(|c| !matches!(c.semantics, Semantics::Opaque)) {
        // Of what takes long only some, evenly spread over edges and random ones.
        let most = (steps() / cost(section, command)) as usize;
        let all = operands(section, command, n, u64::from(command.id) + 1);
        let stride = all.len().div_ceil(most.max(1));
        for (i, operands) in all.into_iter().step_by(stride).enumerate() {
            let context = &contexts[i % contexts.len()];
            check(&Vector { op: None, function: command.id, operands, context }, Some(command));
        }
    }
    for csr in &section.csrs {
        let all = accesses(section, csr, n, u64::from(csr.address));
        // An odd stride, as neighbours differ in the operation.
        let stride = all.len().div_ceil((steps() / words_cost(section)) as usize) | 1;
        for (i, (op, value)) in all.into_iter().step_by(stride).enumerate() {
            let operands = Operands { rs1: value, ..Operands::default() };
            let context = &contexts[i % contexts.len()];
            check(&Vector { op: Some(op), function: csr.address, operands, context }, None);
        }
    }
    // Of a large state only some.
    let few = contexts.iter().step_by(1 + lowered.state.as_ref().map_or(0, |s| s.words) as usize / 32);
    for (i, context) in few.clone().enumerate() {
        let op = Some(CsrOp::ALL[i % 4]);
        check(&Vector { op, function: 0x805, operands: Operands::default(), context }, None);
    }
    for function in [5, 1007, 1020, 1023] {
        if section.commands.iter().all(|c| c.id != function) {
            for context in few.clone() {
                check(&Vector { op: None, function, operands: Operands::default(), context }, None);
            }
        }
    }
    count
}

/// As an emulated command is issued: an immediate takes the place of rs2, or stands above the id if that is taken.
fn issue(
    machine: &mut Lowered<'_>,
    vector: &Vector<'_>,
    command: Option<&Command>,
) -> Result<Reply, lapis_cx::lower::interp::Defect> {
    let Operands { rs1, rs2, imm } = vector.operands;
    let has = |slot| command.is_some_and(|c| c.operands.iter().any(|o| o.slot == slot));
    match (has(Slot::Imm), has(Slot::Rs2)) {
        (false, _) => machine.issue(vector.function, rs1, rs2),
        (true, false) => machine.issue(vector.function, rs1, imm),
        (true, true) => machine.issue(u32::from(vector.function) | (imm as u32 & 31) << 16, rs1, rs2),
    }
}

fn compiled(path: &Path) -> Contract {
    let root = source(path);
    let name = root.name.clone();
    let outcome = compile(root, &mut Folder(path.parent().unwrap().to_owned()), &mut NoVerdicts, Effort::Build, &[]);
    assert!(!outcome.has_errors(), "{name}: {:#?}", outcome.diagnostics);
    outcome.contract.unwrap()
}

#[test]
fn every_shipped_spec_agrees_with_the_oracle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let folder = std::env::var_os("CX_SPECS").map_or(folder, Into::into);
    let mut specs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    specs.retain(|path| path.extension().is_some_and(|e| e == "cxspec"));
    specs.sort();
    let mut count = 0;
    for path in &specs {
        let contract = compiled(path);
        let program = lower(&contract);
        for (interface, lowered) in contract.interfaces().zip(&program.interfaces) {
            for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
                count += agrees(&interface.name, section, lowered, if long() { 100_000 } else { 1_000 });
            }
        }
    }
    assert!(count > 10_000, "{count} vectors");
    println!("{count} vectors");
}

/// A case that is no shipped spec; at least so many vectors for each XLEN.
fn case_agrees(name: &str, least: usize) {
    let contract = compiled(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/ok").join(name));
    let program = lower(&contract);
    let (interface, lowered) = contract.interfaces().zip(&program.interfaces).find(|(i, _)| !i.is_abstract).unwrap();
    assert_eq!(lowered.sections.len(), 2);
    for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
        let count = agrees(name, section, lowered, 500);
        assert!(count > least, "{name}, XLEN {}: {count} vectors", section.xlen);
    }
}

#[test]
fn csrs_of_every_kind_agree_with_the_oracle() {
    case_agrees("csrs.cxspec", 10_000);
}

#[test]
fn images_of_what_is_live_agree_with_the_oracle() {
    case_agrees("live.cxspec", 500);
}

/// A random section, its calls, and the reply to each. The words, which take most of the time, only now and then: what
/// went wrong before mostly still shows.
fn random_section_agrees(seed: u64, xlen: u32, commands: u16, n: usize) {
    let section = Generator::new(seed, xlen).section(commands);
    let contract = contract("Random", None, "", vec![section]);
    let section = &contract.interfaces().next().unwrap().sections[0];
    let program = lower(&contract);
    let mut oracle = Machine::new(section);
    let mut machine = Lowered::new(&program.interfaces[0].sections[0]).unwrap();
    assert_eq!(machine.save(), Ok(image(&oracle)), "seed {seed}, XLEN {xlen}, reset");
    for (i, (function, rs1, rs2)) in calls(section, n, seed).into_iter().enumerate() {
        let place = format!("seed {seed}, XLEN {xlen}, call {i}: {function} {rs1:#x} {rs2:#x} (right: the oracle)");
        let want = replied(&mut oracle, function, Operands { rs1, rs2, imm: 0 });
        assert_eq!(machine.issue(function, rs1, rs2), Ok(want), "{place}");
        if i % 6 == 5 {
            let want = image(&oracle);
            assert_eq!(machine.save().as_ref(), Ok(&want), "{place}");
            machine.restore(&want).unwrap();
        }
    }
}

/// Two tests, so that they run side by side.
fn random_bodies_agree(xlen: u32) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first: u64 = number("CX_DIFFERENTIAL_SEED").unwrap_or(1);
    let count = number("CX_DIFFERENTIAL_COUNT").unwrap_or(if long() { 5_000 } else { 120 });
    for seed in first..first + count {
        random_section_agrees(seed, xlen, 12, 60);
    }
}

#[test]
fn random_bodies_agree_with_the_oracle_at_32() {
    random_bodies_agree(32);
}

#[test]
fn random_bodies_agree_with_the_oracle_at_64() {
    random_bodies_agree(64);
}
