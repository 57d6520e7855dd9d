//! Vectors: a function id, two registers and a state context before; a result, a response and the context after.

use lapis_cx::contract::layout::{Layout, status};
use lapis_cx::contract::{CsrOp, Section, Semantics, Slot};
use lapis_cx::lower::interp::{Defect, Machine as Lowered};
use lapis_cx::lower::ir;
use lapis_cx::oracle::machine::{Context, Machine, Operands, Outcome};
use lapis_cx::oracle::vectors::{Random, accesses, contexts, cost, operands, words_cost};

/// How the fallback answers a command that traps.
pub const TRAPPED: u64 = 7;

/// Steps of the oracle and the interpreter for one command of one XLEN. Short commands over a few words take all vectors.
fn steps() -> u64 {
    if crate::long() { 40_000_000 } else { 4_000_000 }
}

/// Above the function ids: an access of a CSR, with the operation in bits 13:12 and the address below; the value is in rs1.
pub const ACCESS: u64 = 0x8000_0000;

/// What goes in.
#[derive(Clone, Debug)]
pub struct Vector {
    /// A function id, or [`ACCESS`] and more.
    pub function: u64,
    /// What the registers and the immediate hold.
    pub operands: Operands,
    /// The state before.
    pub context: Context,
}

/// What comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The result register.
    pub rd: u64,
    /// The response status.
    pub response: u64,
    /// Status word and state words; empty for a stateless interface.
    pub image: Vec<u64>,
}

/// All edge values of the operands of every command, each with two contexts; all contexts; and `random` more.
pub fn make(section: &Section, random: usize) -> Vec<Vector> {
    let mut vectors = Vec::new();
    let contexts: Vec<Context> = contexts(section, 64, 11).into_iter().map(|c| reachable(section, c)).collect();
    for command in &section.commands {
        if matches!(command.semantics, Semantics::Opaque) {
            continue;
        }
        let all = operands(section, command, random, u64::from(command.id) + 1);
        // Of what takes long only some, evenly spread over edges and random ones.
        let most = (steps() / cost(section, command)) as usize;
        let all: Vec<Operands> = all.iter().step_by(all.len().div_ceil(most.max(1)).max(1)).copied().collect();
        for (i, operands) in all.iter().enumerate() {
            // 7 and 3 spread the contexts over neighbouring operands.
            for context in [i, 7 * i + 3] {
                vectors.push(Vector {
                    function: u64::from(command.id),
                    operands: *operands,
                    context: contexts
                        .get(context % contexts.len().max(1))
                        .cloned()
                        .unwrap_or_else(|| Context::reset(section)),
                });
            }
        }
    }
    for csr in &section.csrs {
        let all = accesses(section, csr, random / 20, u64::from(csr.address));
        // An odd stride, as neighbours differ in the operation.
        let stride = all.len().div_ceil((steps() / words_cost(section)) as usize) | 1;
        for (i, (op, value)) in all.into_iter().step_by(stride).enumerate() {
            let operands = Operands { rs1: value, ..Operands::default() };
            let function = access(op, csr.address);
            vectors.push(Vector { function, operands, context: contexts[i % contexts.len()].clone() });
        }
    }
    // Of a large state only some.
    let few: Vec<&Context> = contexts.iter().step_by(1 + Layout::new(section).words as usize / 32).collect();
    // Addresses that the interface does not have, and a write of each CSR, in these contexts.
    for (op, address) in [(CsrOp::Read, 0x805), (CsrOp::Clear, 0x805), (CsrOp::Write, 0xCC1)]
        .into_iter()
        .chain(section.csrs.iter().map(|csr| (CsrOp::Write, csr.address)))
        .filter(|_| !section.csrs.is_empty())
    {
        for &context in &few {
            let function = access(op, address);
            vectors.push(Vector { function, operands: Operands::default(), context: context.clone() });
        }
    }
    // Ids that the interface does not have, with and without state that is off.
    for function in [5, 7, 100, 1007, 1015, 1019, 1020, 1023] {
        for &context in &few {
            vectors.push(Vector { function, operands: Operands::default(), context: context.clone() });
        }
    }
    vectors
}

/// At most `count` vectors for each command that has a body and some more for each CSR, over all kinds of operands and
/// contexts, and one for an id that the interface does not have.
pub fn some(section: &Section, count: usize, seed: u64) -> Vec<Vector> {
    let mut random = Random::new(seed);
    let contexts: Vec<Context> = contexts(section, 8, seed).into_iter().map(|c| reachable(section, c)).collect();
    let mut vectors = Vec::new();
    let mut push = |function: u64, operands: Operands, random: &mut Random| {
        let context = random.pick(&contexts).cloned().unwrap_or_else(|| Context::reset(section));
        vectors.push(Vector { function, operands, context });
    };
    for command in section.commands.iter().filter(|c| !matches!(c.semantics, Semantics::Opaque)) {
        let all = operands(section, command, count, u64::from(command.id) + seed);
        // In a command of few operands all of them; of others some, the random ones included.
        for i in 0..count.min(2 * all.len()) {
            let operands = if i < all.len() && all.len() <= count { all.get(i) } else { random.pick(&all) };
            push(u64::from(command.id), operands.copied().unwrap_or_default(), &mut random);
        }
    }
    for csr in &section.csrs {
        let all = accesses(section, csr, count, u64::from(csr.address) + seed);
        for _ in 0..count {
            let (op, rs1) = random.pick(&all).copied().unwrap_or((CsrOp::Read, 0));
            push(access(op, csr.address), Operands { rs1, ..Operands::default() }, &mut random);
        }
        // One that cannot be written, and one that is not there.
        for address in [csr.address, 0x805] {
            push(access(CsrOp::Write, address), Operands::default(), &mut random);
        }
    }
    push(1007, Operands::default(), &mut random);
    vectors
}

/// The number of an access.
pub fn access(op: CsrOp, address: u16) -> u64 {
    ACCESS | (op as u64) << 12 | u64::from(address)
}

/// What a number says: the operation and the address of an access.
fn accessed(function: u64) -> Option<(CsrOp, u16)> {
    let op = CsrOp::ALL.get((function >> 12) as usize & 3).copied()?;
    (function >= ACCESS).then_some((op, function as u16 & 0xFFF))
}

/// A context that is off or initial holds reset values, and one that was reset no undeclared error code:
/// `write_status` sees to that, and so does a restore.
fn reachable(section: &Section, context: Context) -> Context {
    let is_declared = section.errors.iter().any(|e| e.code == context.error);
    let context = Context { error: if is_declared { context.error } else { 0 }, ..context };
    if context.cs >= status::CLEAN { context } else { Context { fields: Context::reset(section).fields, ..context } }
}

/// The oracle's answers.
///
/// # Panics
///
/// If it does not come to an end.
pub fn expect(section: &Section, vectors: &[Vector]) -> Vec<Answer> {
    let mut machine = Machine::new(section);
    let layout = Layout::new(section);
    let mut answers = Vec::with_capacity(vectors.len());
    for vector in vectors {
        machine.restore(&image(section, &layout, &vector.context)).unwrap_or_else(|e| panic!("{vector:?}: {e}"));
        let outcome = match accessed(vector.function) {
            Some((op, address)) => {
                machine.access(address, op, vector.operands.rs1).map(|(rd, response)| Outcome::Replied { rd, response })
            }
            None => machine.issue(vector.function as u16, vector.operands),
        };
        let (rd, response) = match outcome.unwrap_or_else(|e| panic!("{vector:?}: {e}")) {
            Outcome::Replied { rd, response } => (rd, response as u64),
            Outcome::Trapped => (0, TRAPPED),
        };
        let image = match section.state {
            Some(_) => machine.save().unwrap_or_else(|e| panic!("{vector:?}: {e}")),
            None => Vec::new(),
        };
        answers.push(Answer { rd, response, image });
    }
    answers
}

/// The answers of the lowered core, and of none of its targets.
///
/// # Errors
///
/// The promise of the lowered core that it broke.
pub fn interpret(section: &Section, lowered: &ir::Section, vectors: &[Vector]) -> Result<Vec<Answer>, Defect> {
    let mut machine = Lowered::new(lowered)?;
    let layout = Layout::new(section);
    let answer = |vector: &Vector| {
        machine.restore(&image(section, &layout, &vector.context))?;
        let [function, rs1, rs2] = registers(section, vector.function, &vector.operands);
        let reply = match accessed(vector.function) {
            Some((op, address)) => machine.access(address, op, rs1)?,
            None => machine.issue(function as u32, rs1, rs2)?,
        };
        Ok(Answer { rd: reply.rd, response: u64::from(reply.response), image: machine.save()? })
    };
    vectors.iter().map(answer).collect()
}

/// The status word and the state words of a context; none if there is no state.
pub(super) fn image(section: &Section, layout: &Layout, context: &Context) -> Vec<u64> {
    if section.state.is_none() {
        return Vec::new();
    }
    let word = status::word(context.cs, layout.words, context.error);
    let mut image = vec![u64::from(word)];
    image.extend(layout.pack(&context.fields));
    image
}

/// Vectors as the driver program reads them.
pub fn encode(section: &Section, vectors: &[Vector]) -> Vec<Vec<u64>> {
    let layout = Layout::new(section);
    let encode = |Vector { function, operands, context }: &Vector| {
        let mut words = registers(section, *function, operands).to_vec();
        words.extend(image(section, &layout, context));
        words
    };
    vectors.iter().map(encode).collect()
}

/// Function number and registers of the ABI: an immediate takes the place of rs2, or stands above the id if both
/// registers are taken.
fn registers(section: &Section, function: u64, operands: &Operands) -> [u64; 3] {
    let Operands { rs1, rs2, imm } = *operands;
    let command = section.commands.iter().find(|c| u64::from(c.id) == function);
    let has = |slot| command.is_some_and(|c| c.operands.iter().any(|o| o.slot == slot));
    match (has(Slot::Imm), has(Slot::Rs2)) {
        (false, _) => [function, rs1, rs2],
        (true, false) => [function, rs1, imm],
        (true, true) => [function | (imm & 31) << 16, rs1, rs2],
    }
}

/// The driver program's answers, from the words it wrote.
pub fn decode(section: &Section, words: &[u64]) -> Vec<Answer> {
    let answer = |w: &[u64]| match w {
        [rd, response, image @ ..] => Answer { rd: *rd, response: *response, image: image.to_vec() },
        _ => Answer { rd: 0, response: 0, image: Vec::new() },
    };
    words.chunks_exact(answer_words(section)).map(answer).collect()
}

/// Words of an answer.
pub fn answer_words(section: &Section) -> usize {
    2 + section.state.as_ref().map_or(0, |_| 1 + Layout::new(section).words as usize)
}
