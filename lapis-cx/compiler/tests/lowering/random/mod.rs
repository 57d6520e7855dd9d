//! Random sections and calls, for the tests of lowering and of backends.
#![allow(clippy::unwrap_used)]

pub mod core;

use lapis_cx::contract::core::{Body, Local, Type, Value};
use lapis_cx::contract::{self, Contract, Form, Interface, Item, Operand, Section, Semantics, Slot, Standard};
use lapis_cx::oracle::vectors::Random;
use lapis_cx::source::Span;

/// A contract of one interface.
pub fn contract(name: &str, short: Option<&str>, docs: &str, sections: Vec<Section>) -> Contract {
    let state_context =
        sections.iter().any(|s| s.commands.iter().any(|c| matches!(c.semantics, Semantics::Standard(_))));
    let interface = Interface {
        package: "org.example.dsp".into(),
        name: name.into(),
        long_name: None,
        short: short.map(Into::into),
        docs: docs.into(),
        is_abstract: false,
        is_draft: true,
        uuid: Some(uuid::Uuid::from_u128(0x0b7c2a52_6f0e_4d0b_9b37_5a1f6a2c9e11)),
        xintf: None,
        hash: "014907b79753bf39cb68b8cc31762d17da8e10c193796aa02a339ed0238f36f9".into(),
        state_context,
        sections,
        span: Span::default(),
    };
    Contract { edition: 1, package: "org.example.dsp".into(), items: vec![Item::Interface(interface)] }
}

/// A command whose operands are the first locals of its body.
pub fn command(name: &str, id: u16, result: Option<Type>, body: Body) -> contract::Command {
    let slots = [Slot::Rs1, Slot::Rs2];
    let operands = body.locals.iter().take(body.params as usize).zip(slots);
    let operands =
        operands.map(|(l, slot)| Operand { name: l.name.clone(), ty: l.ty.clone(), slot, span: Span::default() });
    contract::Command {
        name: name.into(),
        family: None,
        docs: String::new(),
        id,
        forms: vec![Form::R],
        operands: operands.collect(),
        result,
        latency: None,
        semantics: Semantics::Body(body),
        span: Span::default(),
    }
}

/// The four commands of a state context.
pub fn standard_commands(xlen: u32) -> Vec<contract::Command> {
    let word = || Type::U(xlen);
    let of = |name: &str, id, params: &[&str], standard| {
        let locals = params.iter().map(|p| Local { name: (*p).into(), ty: word() }).collect();
        let body = Body { locals, params: params.len() as u32, stmts: Vec::new() };
        contract::Command { semantics: Semantics::Standard(standard), ..command(name, id, Some(word()), body) }
    };
    vec![
        of("write_state", 1020, &["index", "value"], Standard::WriteState),
        of("read_state", 1021, &["index"], Standard::ReadState),
        of("write_status", 1022, &["status"], Standard::WriteStatus),
        of("read_status", 1023, &[], Standard::ReadStatus),
    ]
}

/// A state field.
pub fn field(name: &str, docs: &str, ty: Type, reset: Value) -> contract::Field {
    contract::Field { name: name.into(), docs: docs.into(), ty, reset, span: Span::default() }
}

/// A call: function id and what the registers hold.
pub type Call = (u16, u64, u64);

/// Calls in a random order: mostly commands, sometimes a write of a state word or of the status.
pub fn calls(section: &Section, n: usize, seed: u64) -> Vec<Call> {
    let mut random = Random::new(seed);
    let words = lapis_cx::contract::layout::Layout::new(section).words;
    let mask = u64::MAX >> (64 - section.xlen);
    let mut list = Vec::new();
    while list.len() < n {
        let register = |random: &mut Random| match random.below(4) {
            0 => random.below(9),
            1 => random.below(9).wrapping_neg() & mask,
            2 => 1u64.wrapping_shl(random.below(64) as u32) & mask,
            _ => random.next() & mask,
        };
        let (a, b) = (register(&mut random), register(&mut random));
        list.push(match random.below(12) {
            0 | 1 => (1020, random.below(words + 2), b),
            2 => (1021, random.below(words + 2), 0),
            // Off is rare, as nothing happens there.
            3 => (1022, if random.below(8) == 0 { a } else { 2 | (b & 0xFF00_0000) }, 0),
            4 if random.below(4) == 0 => (1023, 0, 0),
            5 if random.below(8) == 0 => (999, a, b),
            _ => (random.pick(&section.commands).unwrap().id.min(900), a, b),
        });
    }
    // A context that was turned off comes back.
    list.chunks(7).flat_map(|c| c.iter().copied().chain([(1022, 2, 0)])).collect()
}
