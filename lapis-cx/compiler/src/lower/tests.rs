//! What lowering leaves out, and the corners that random bodies do not reach. Backends compare what they print with the
//! evaluator; here is what no result shows.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::flow::rollback;
use super::interp::Machine;
use super::ir::{self, Answer, BinaryOp as Op, ExprKind as Kind, Shape, Stmt, Storage, Ty};
use super::lower_section;
use crate::contract::core::{self, BinaryOp, ExprKind, Raised, Type, Value};
use crate::contract::testing::*;
use crate::contract::{ConstId, ErrorId, FieldId, Section};
use crate::int::Int;

/// A section with one command and, maybe, fields.
fn section(command_body: core::Body, result: Option<Type>, fields: Vec<(&str, Type)>) -> Section {
    let fields: Vec<_> = fields.into_iter().map(|(name, ty)| state_field(name, ty.clone(), Value::zero(&ty))).collect();
    let state = (!fields.is_empty()).then(|| exclusive(fields));
    Section { xlen: 32, state, commands: vec![command("c", 0, result, command_body)], ..Section::default() }
}

fn lowered(section: &Section) -> ir::Command {
    lower_section(section).commands.remove(0)
}

fn raise(commit: bool) -> core::Stmt {
    core::Stmt::Raise { error: Raised::Error(ErrorId(0)), commit, value: None }
}

fn set(id: u32) -> core::Stmt {
    set_field(id, vec![], u(8), constant(u(8), 1))
}

#[test]
fn only_what_was_written_before_an_error_is_kept() {
    let ids = |stmts: &[core::Stmt]| rollback(stmts).fields.into_iter().map(|f: FieldId| f.0).collect::<Vec<u32>>();
    let maybe = |stmts| core::Stmt::If(constant(Type::Bool, 1), stmts, vec![]);
    assert_eq!(ids(&[set(0), raise(false)]), [0]);
    assert_eq!(ids(&[set(0), core::Stmt::Trap]), [0]);
    assert_eq!(ids(&[maybe(vec![raise(false)]), set(0)]), [0u32; 0]);
    assert_eq!(ids(&[set(0), raise(true)]), [0u32; 0]);
    assert_eq!(ids(&[maybe(vec![set(1), core::Stmt::Return(None)]), maybe(vec![set(2)]), raise(false)]), [2]);
    // The error of a later round comes after the write of an earlier one.
    let body = vec![maybe(vec![raise(false)]), set(3)];
    let rounds = core::Stmt::For {
        local: core::LocalId(0),
        lo: Box::new(constant(u(1), 0)),
        hi: Box::new(constant(u(2), 2)),
        body,
    };
    assert_eq!(ids(&[rounds]), [3]);
}

#[test]
fn a_command_without_rollback_saves_nothing_and_marks_once() {
    let stmts = vec![core::Stmt::If(local(Type::Bool, 0), vec![raise(false)], vec![]), set(0), set(1)];
    let section = section(body(1, vec![Type::Bool], stmts), None, vec![("f", u(8)), ("g", u(8))]);
    let command = lowered(&section);
    assert!(command.can_fail);
    let [Stmt::If(_, off, _), Stmt::Let(..), Stmt::If(_, error, _), rest @ ..] = &command.body.stmts[..] else {
        panic!("{:#?}", command.body.stmts)
    };
    assert_eq!(off[..], [Stmt::Finish(Answer::Off, None)]);
    assert!(matches!(error[..], [Stmt::SetStatus(_), Stmt::Finish(Answer::Custom, None)]), "{error:#?}");
    assert!(
        matches!(rest, [Stmt::SetStatus(_), Stmt::SetField(..), Stmt::SetField(..), Stmt::Finish(Answer::Ok, None)]),
        "{rest:#?}"
    );
}

#[test]
fn an_index_that_its_type_keeps_inside_is_not_checked() {
    for (width, len, checked) in [(8, 256, false), (8, 255, true), (5, 256, false), (9, 256, true)] {
        let read = index(u(8), expr(Type::array(u(8), len), ExprKind::Table(ConstId(0))), local(u(width), 0));
        let mut section = section(body(1, vec![u(width)], vec![ret(read)]), Some(u(8)), vec![]);
        section.consts.push(table("T", Type::array(u(8), len), ints((0..len).map(|k| k % 256))));
        let command = lowered(&section);
        let Some(Stmt::Finish(Answer::Ok, Some(value))) = command.body.stmts.last() else { panic!() };
        assert_eq!(matches!(value.kind, Kind::Select(..)), checked, "u{width}, {len} elements");
        assert_eq!(matches!(value.kind, Kind::Element(..)), !checked, "u{width}, {len} elements");
    }
}

#[test]
fn sums_are_masked_once_and_only_where_needed() {
    let sum = |ty: Type, a: u32| bin(BinaryOp::Add, ty, local(u(a), 0), local(u(a), 1));
    let result = |value: core::Expr, operand: u32, ty: Type| {
        let command = lowered(&section(body(2, vec![u(operand); 2], vec![ret(value)]), Some(ty), vec![]));
        let Some(Stmt::Finish(_, Some(value))) = command.body.stmts.last() else { panic!() };
        value.kind.clone()
    };
    assert!(matches!(result(sum(u(32), 32), 32, u(32)), Kind::Binary(Op::Add, ..)), "the word wraps by itself");
    assert!(matches!(result(sum(u(9), 8), 8, u(9)), Kind::Binary(Op::Add, ..)), "nine bits hold the sum");
    let Kind::Binary(Op::And, inside, _) = result(sum(u(8), 8), 8, u(8)) else { panic!() };
    assert!(matches!(inside.kind, Kind::Binary(Op::Add, ..)));
    // A product that only matters in its low 32 bits is one of 32 bits.
    let product = bin(BinaryOp::Mul, u(64), local(u(32), 0), local(u(32), 1));
    let low = result(conv(u(32), product), 32, u(32));
    assert!(matches!(&low, Kind::Binary(Op::Mul, a, _) if a.ty == Ty::W32), "{low:?}");
}

/// The loop of a command that counts up to `hi` in a variable of this type.
fn counter(ty: Type, hi: Int) -> (Ty, ir::Expr) {
    let end = constant(Type::smallest(&hi, &hi), hi);
    let count = core::Stmt::For {
        local: core::LocalId(0),
        lo: Box::new(constant(u(1), 0)),
        hi: Box::new(end),
        body: vec![set_field(0, vec![], u(8), conv(u(8), local(ty.clone(), 0)))],
    };
    let command = lowered(&section(body(0, vec![ty], vec![count]), None, vec![("f", u(8))]));
    for stmt in &command.body.stmts {
        if let Stmt::For { var, hi, .. } = stmt {
            let Shape::Scalar(storage) = command.body.locals[var.index()].shape else { panic!() };
            return (storage.ty(), hi.clone());
        }
    }
    panic!("no loop")
}

#[test]
fn a_counter_holds_its_end() {
    assert_eq!(counter(u(8), Int::from(256)), (Ty::W32, ir::Expr::constant(Ty::W32, 256)));
    assert_eq!(counter(u(32), Int::ones(32)), (Ty::W32, ir::Expr::constant(Ty::W32, u64::from(u32::MAX))));
    assert_eq!(counter(u(32), Int::pow2(32)), (Ty::W64, ir::Expr::constant(Ty::W64, 1 << 32)));
    assert_eq!(counter(u(64), Int::pow2(64)).0, Ty::W64);
}

#[test]
fn what_nobody_reads_is_gone() {
    let stmts = vec![
        core::Stmt::Let(core::LocalId(1), constant(u(8), 0)),
        set_local(1, vec![], u(8), bin(BinaryOp::Add, u(8), local(u(8), 1), local(u(8), 0))),
        ret(local(u(8), 0)),
    ];
    let command = lowered(&section(body(1, vec![u(8), u(8)], stmts), Some(u(8)), vec![]));
    assert!(matches!(command.body.stmts[..], [Stmt::Let(..), Stmt::Finish(..)]), "{:#?}", command.body.stmts);
}

#[test]
fn only_tables_and_functions_in_use_are_printed() {
    let mut section = section(body(0, vec![], vec![ret(call(u(8), 1, vec![]))]), Some(u(8)), vec![]);
    let one = |id| index(u(8), expr(Type::array(u(8), 2), ExprKind::Table(ConstId(id))), constant(u(1), 0));
    for (id, name) in ["A", "B"].into_iter().enumerate() {
        section.consts.push(table(name, Type::array(u(8), 2), ints([1, 2])));
        section.fns.push(function(name, u(8), body(0, vec![], vec![ret(one(id as u32))])));
    }
    let lowered = lower_section(&section);
    assert_eq!(lowered.call_order.iter().map(|f| f.0).collect::<Vec<_>>(), [1]);
    let names: Vec<_> = lowered.used_tables.iter().map(|t| lowered.tables[t.0 as usize].name.as_str()).collect();
    assert_eq!(names, ["B"]);
    assert!(!lowered.recursive);
}

#[test]
fn an_array_that_its_own_right_side_mentions_is_built_apart() {
    let row = Type::array(u(8), 4);
    let item = |k: core::Expr| index(u(8), field(row.clone(), 0), k);
    let back = bin(BinaryOp::Sub, u(2), constant(u(2), 3), local(u(2), 0));
    let reversed = expr(
        row.clone(),
        ExprKind::Comprehension(Box::new(core::Comprehension {
            local: core::LocalId(0),
            lo: Int::ZERO,
            hi: Int::from(4),
            elem: item(back),
        })),
    );
    let stmts = vec![set_field(0, vec![], row.clone(), reversed)];
    let command = lowered(&section(body(0, vec![u(2)], stmts), None, vec![("v", row)]));
    let apart = command.body.locals.iter().any(|l| l.shape == Shape::Array { storage: Storage::U8, len: 4 });
    assert!(apart, "{:#?}", command.body);
    let written: Vec<_> = command.body.stmts.iter().filter(|s| matches!(s, Stmt::Copy { .. })).collect();
    assert_eq!(written.len(), 1, "one copy into the field, after the loop");
}

#[test]
fn a_restored_status_has_a_declared_code_and_its_own_size() {
    let mut section = section(body(0, vec![], vec![]), None, vec![("f", u(8))]);
    section.errors.push(crate::contract::ErrorDef {
        name: "e".into(),
        code: 3,
        message: None,
        docs: String::new(),
        span: crate::source::Span::default(),
    });
    let lowered = lower_section(&section);
    let mut machine = Machine::new(&lowered).unwrap();
    let mut restored = |word: u64| {
        machine.restore(&[word, 9]).unwrap();
        machine.save().unwrap()
    };
    assert_eq!(restored(0x0300_0FFF), [0x0300_0007, 9]);
    assert_eq!(restored(0x0400_0002), [0x0000_0006, 9]);
    assert_eq!(restored(0x0300_0001), [0x0300_0005, 0], "initial: the words are not read");
}
