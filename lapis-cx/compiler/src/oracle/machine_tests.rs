//! The machine: endings of commands, the standard commands, CSRs.
#![allow(clippy::unwrap_used, clippy::panic)]
use super::eval::EvalError;
use super::machine::*;
use crate::contract::core::{BinaryOp, Raised, Stmt, Type, Value};
use crate::contract::csr::Access;
use crate::contract::layout::status;
use crate::contract::testing::*;
use crate::contract::{CsrOp, ErrorDef, ErrorId, Response, Section, Semantics, Slot};
use crate::int::Int;
use crate::source::Span;

fn replied(machine: &mut Machine<'_>, function: u16, rs1: u64, rs2: u64) -> (u64, Response) {
    match machine.issue(function, Operands { rs1, rs2, imm: 0 }).unwrap() {
        Outcome::Replied { rd, response } => (rd, response),
        Outcome::Trapped => panic!("trapped"),
    }
}

/// Command `n` of each kind of ending, over a field `f: s8 = 5` and the errors 3 and 7.
fn endings() -> Section {
    let raise = |error, commit, value| Stmt::Raise { error, commit, value };
    let set = |v: i32| set_field(0, vec![], s(8), constant(s(8), v));
    let one = |id, result, stmts| command("c", id, result, body(1, vec![s(8)], stmts));
    let custom = Raised::Error(ErrorId(1));
    let mut commands = vec![
        one(0, Some(s(8)), vec![set(1), raise(custom, false, Some(local(s(8), 0)))]),
        one(1, Some(s(8)), vec![set(2), raise(custom, true, None)]),
        one(2, Some(s(8)), vec![set(3), raise(Raised::Op, false, Some(constant(s(8), -1)))]),
        one(3, None, vec![set(4), Stmt::Trap]),
        one(4, Some(s(8)), vec![set_field(0, vec![], s(8), local(s(8), 0)), ret(field(s(8), 0))]),
        one(5, Some(s(8)), vec![ret(field(s(8), 0))]),
        one(6, None, vec![set(5)]),
    ];
    commands.extend(standard_commands(64));
    let error = |name: &str, code| ErrorDef {
        name: name.into(),
        code,
        message: None,
        docs: String::new(),
        span: Span::default(),
    };
    Section {
        xlen: 64,
        state: Some(exclusive(vec![state_field("f", s(8), Value::Int(Int::from(5)))])),
        errors: vec![error("three", 3), error("seven", 7)],
        commands,
        ..Section::default()
    }
}

#[test]
fn multiply_accumulate_follows_the_document() {
    for xlen in [32, 64] {
        let section = mulacc_section(xlen);
        let mut machine = Machine::new(&section);
        assert_eq!(machine.status(), 0b101);
        assert_eq!(replied(&mut machine, 0, 3, 4), (12, Response::Ok));
        assert_eq!(replied(&mut machine, 1, 5, 6), (42, Response::Ok));
        assert_eq!(replied(&mut machine, 1021, 0, 0), (42, Response::Ok));
        assert_eq!(replied(&mut machine, 1023, 0, 0), (0b111, Response::Ok));
        assert_eq!(replied(&mut machine, 7, 0, 0), (0, Response::Func));
        let max = u64::MAX >> (64 - xlen);
        assert_eq!(replied(&mut machine, 0, u64::MAX, u64::MAX), (1, Response::Ok));
        assert_eq!(replied(&mut machine, 0, u64::MAX, 1), (max, Response::Ok));
    }
}

#[test]
fn raising_rolls_state_and_dirty_mark_back_without_commit() {
    let section = endings();
    let mut machine = Machine::new(&section);
    assert_eq!(replied(&mut machine, 0, 0x80, 0), (0xFFFF_FFFF_FFFF_FF80, Response::Custom));
    assert_eq!(machine.context, Context { fields: vec![Value::Int(5.into())], cs: 1, error: 7 });
    assert_eq!(replied(&mut machine, 1, 1, 0), (0, Response::Custom));
    assert_eq!(machine.context, Context { fields: vec![Value::Int(2.into())], cs: 3, error: 7 });
    machine.reset();
    machine.context.error = 3;
    assert_eq!(replied(&mut machine, 2, 1, 0), (u64::MAX, Response::Op));
    assert_eq!(machine.context, Context { fields: vec![Value::Int(5.into())], cs: 1, error: 3 });
}

#[test]
fn a_trap_has_no_effect() {
    let section = endings();
    let mut machine = Machine::new(&section);
    assert_eq!(machine.issue(3, Operands::default()), Ok(Outcome::Trapped));
    assert_eq!(machine.context, Context::reset(&section));
}

#[test]
fn operands_are_low_bits_and_results_are_extended() {
    let section = endings();
    let mut machine = Machine::new(&section);
    assert_eq!(replied(&mut machine, 4, 0xABCD_EF7F, 0), (0x7F, Response::Ok));
    assert_eq!(replied(&mut machine, 4, 0x1FF, 0), (u64::MAX, Response::Ok));
    // An assignment marks, also if nothing changed; a read does not.
    machine.reset();
    assert_eq!(replied(&mut machine, 5, 0, 0), (5, Response::Ok));
    assert_eq!(machine.context.cs, status::INITIAL);
    assert_eq!(replied(&mut machine, 6, 0, 0), (0, Response::Ok));
    assert_eq!(machine.context, Context { cs: status::DIRTY, ..Context::reset(&section) });
}

#[test]
fn an_off_context_answers_only_for_its_status() {
    let section = endings();
    let mut machine = Machine::new(&section);
    replied(&mut machine, 4, 9, 0);
    assert_eq!(replied(&mut machine, 1022, 0, 0), (0b111, Response::Ok));
    for function in [0, 3, 4, 5, 99, 1020, 1021] {
        assert_eq!(replied(&mut machine, function, 1, 1), (0, Response::Off), "{function}");
    }
    assert_eq!(replied(&mut machine, 1023, 0, 0), (0b100, Response::Ok));
    assert_eq!(replied(&mut machine, 1022, 2, 0), (0b100, Response::Ok));
    assert_eq!(machine.context, Context { cs: status::CLEAN, ..Context::reset(&section) });
}

#[test]
fn write_status_takes_declared_errors_and_ignores_the_size() {
    let section = endings();
    let mut machine = Machine::new(&section);
    for (written, error) in [(7, 7), (9, 7), (3, 3), (255, 3), (0, 0)] {
        replied(&mut machine, 1022, 0xFFFF_FFFF_0000_0FFE | written << 24, 0);
        assert_eq!(machine.context.error, error, "{written}");
        assert_eq!(machine.status() & 0xFFFF, 0b110);
    }
    // cs 2 and 3 leave the fields, 1 resets them.
    replied(&mut machine, 4, 9, 0);
    replied(&mut machine, 1022, 2, 0);
    assert_eq!(replied(&mut machine, 5, 0, 0).0, 9);
    replied(&mut machine, 1022, 1, 0);
    assert_eq!(machine.context, Context::reset(&section));
}

#[test]
fn write_state_returns_its_value_drops_what_is_outside_and_marks() {
    let section = endings();
    let mut machine = Machine::new(&section);
    assert_eq!(replied(&mut machine, 1020, 1, 0x1234), (0x1234, Response::Ok));
    assert_eq!(machine.context, Context { cs: status::DIRTY, ..Context::reset(&section) });
    assert_eq!(replied(&mut machine, 1020, 0, 0xFFF0), (0xFFF0, Response::Ok));
    assert_eq!(replied(&mut machine, 1021, 0, 0), (0xF0, Response::Ok));
    assert_eq!(replied(&mut machine, 5, 0, 0), (0xFFFF_FFFF_FFFF_FFF0, Response::Ok));
    assert_eq!(replied(&mut machine, 1021, u64::MAX, 0), (0, Response::Ok));
}

#[test]
fn opaque_commands_are_refused_and_immediates_taken() {
    let imm = vec![operand("n", s(12), Slot::Imm), operand("x", u(32), Slot::Rs1)];
    let sum = bin(BinaryOp::Add, u(32), local(s(12), 0), local(u(32), 1));
    let add = command_of("addi", 0, imm, Some(u(32)), Semantics::Body(body(2, vec![s(12), u(32)], vec![ret(sum)])));
    let opaque = command_of("secret", 1, vec![], None, Semantics::Opaque);
    let section = Section { xlen: 32, commands: vec![add, opaque], ..Section::default() };
    let mut machine = Machine::new(&section);
    let reply = machine.issue(0, Operands { rs1: 5, rs2: 99, imm: u64::MAX - 1 });
    assert_eq!(reply, Ok(Outcome::Replied { rd: 3, response: Response::Ok }));
    assert_eq!(machine.issue(1, Operands::default()), Err(EvalError::Opaque("secret".into())));
}

#[test]
fn csrs_are_views_of_state() {
    let e = Type::Enum { id: crate::contract::EnumId(0), width: 2 };
    let case = |name: &str, pattern: i32| crate::contract::EnumCase {
        name: name.into(),
        docs: String::new(),
        pattern: Int::from(pattern),
        span: Span::default(),
    };
    let cases = vec![case("a", 0), case("b", 2)];
    let (name, docs, span) = ("E".into(), String::new(), Span::default());
    let fields =
        vec![state_field("e", e.clone(), Value::Int(Int::ZERO)), state_field("s", s(4), Value::Int(Int::ZERO))];
    let view = vec![(1, field(e, 0), true), (8, field(s(4), 1), false)];
    let section = Section {
        xlen: 32,
        enums: vec![crate::contract::Enum { name, docs, width: 2, signed: false, cases, span }],
        state: Some(exclusive(fields)),
        csrs: vec![
            csr("view", 0x810, Access::Rw, view),
            csr("double", 0xCC0, Access::Ro, vec![(4, conv(u(5), field(s(4), 1)), false)]),
        ],
        ..Section::default()
    };
    let mut machine = Machine::new(&section);
    let mut access = |address, op, value| machine.access(address, op, value).unwrap();
    assert_eq!(access(0x810, CsrOp::Read, 77), (0, Response::Ok));
    assert_eq!(access(0x810, CsrOp::Write, u64::MAX), (0, Response::Ok));
    // 3 is no case, so `e` stays; unlisted bits are dropped.
    assert_eq!(access(0x810, CsrOp::Write, 0xFFF2_F9FD), (0xF00, Response::Ok));
    assert_eq!(access(0x810, CsrOp::Clear, 0x100), (0x904, Response::Ok));
    assert_eq!(access(0xCC0, CsrOp::Read, 0), (0x180, Response::Ok), "-8 in five bits");
    assert_eq!(access(0xCC0, CsrOp::Set, 0), (0, Response::Func));
    assert_eq!(access(0x811, CsrOp::Read, 0), (0, Response::Func));
    machine.context = Context { cs: status::OFF, ..machine.context.clone() };
    let before = machine.context.clone();
    for op in CsrOp::ALL {
        assert_eq!(machine.access(0x810, op, 4).unwrap(), (0, Response::Off));
    }
    assert_eq!(machine.context, before);
    machine.context.cs = status::INITIAL;
    machine.access(0x810, CsrOp::Read, 0).unwrap();
    assert_eq!(machine.context.cs, status::INITIAL, "a read does not mark");
    machine.access(0x810, CsrOp::Set, 0).unwrap();
    assert_eq!(machine.context.cs, status::DIRTY, "a write that changes nothing does");
}
