//! The evaluator against native arithmetic, and its limits.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::eval::{DEFAULT_FUEL, Ending, EvalError, Evaluator, Pure};
use super::vectors::Random;
use crate::contract::Section;
use crate::contract::core::{BinaryOp::*, *};
use crate::contract::testing::*;
use crate::int::Int;

fn eval(e: &Expr) -> Result<Value, EvalError> {
    Evaluator::new(&Section::default()).eval_const_expr(e)
}

fn int(e: &Expr) -> Int {
    eval(e).unwrap().int()
}

/// A pattern of `width` bits, often with an edge near.
fn pattern(random: &mut Random, width: u32) -> u128 {
    let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    let v = u128::from(random.next()) << 64 | u128::from(random.next());
    let near = u128::from(random.next() % 3);
    mask & match random.next() % 4 {
        0 => near,
        1 => 0u128.wrapping_sub(near),
        2 => (1u128 << (width - 1)).wrapping_sub(near),
        _ => v,
    }
}

/// Sign extension of a pattern in native arithmetic.
fn signed(width: u32, v: u128) -> i128 {
    ((v << (128 - width)) as i128) >> (128 - width)
}

#[test]
fn unsigned_operators_agree_with_native_arithmetic() {
    let mut random = Random::new(1);
    for width in (1..=64).chain([65, 80, 100, 127, 128]) {
        let mask = if width == 128 { u128::MAX } else { (1u128 << width) - 1 };
        for _ in 0..12 {
            let (a, b) = (pattern(&mut random, width), pattern(&mut random, width));
            let ty = || u(width);
            let node = |op| int(&bin(op, ty(), constant(ty(), a), constant(ty(), b)));
            assert_eq!(node(Add), Int::from(a.wrapping_add(b) & mask), "u{width} {a} + {b}");
            assert_eq!(node(Sub), Int::from(a.wrapping_sub(b) & mask), "u{width} {a} - {b}");
            assert_eq!(node(Mul), Int::from(a.wrapping_mul(b) & mask), "u{width} {a} * {b}");
            assert_eq!(node(Div), Int::from(a.checked_div(b).unwrap_or(mask)), "u{width} {a} / {b}");
            assert_eq!(node(Rem), Int::from(a.checked_rem(b).unwrap_or(a)), "u{width} {a} % {b}");
            assert_eq!(node(And), Int::from(a & b));
            assert_eq!(node(Or), Int::from(a | b));
            assert_eq!(node(Xor), Int::from(a ^ b));
            assert_eq!(node(Min), Int::from(a.min(b)));
            assert_eq!(node(Max), Int::from(a.max(b)));
            let amount = (b % 140) as u32;
            let shift = |op| int(&bin(op, ty(), constant(ty(), a), constant(u(8), amount)));
            let within = amount < width;
            assert_eq!(shift(Shl), Int::from(if within { a << amount & mask } else { 0 }), "u{width} {a} << {amount}");
            assert_eq!(shift(Shr), Int::from(if within { a >> amount } else { 0 }), "u{width} {a} >> {amount}");
            let truth = |op| int(&bin(op, Type::Bool, constant(ty(), a), constant(ty(), b)));
            for (op, native) in [(Eq, a == b), (Ne, a != b), (Lt, a < b), (Le, a <= b), (Gt, a > b), (Ge, a >= b)] {
                assert_eq!(truth(op), Int::from(native), "u{width} {a} {op:?} {b}");
            }
            assert_eq!(int(&un(UnaryOp::Not, ty(), constant(ty(), a))), Int::from(!a & mask));
            assert_eq!(int(&un(UnaryOp::Neg, ty(), constant(ty(), a))), Int::from(a.wrapping_neg() & mask));
        }
    }
}

#[test]
fn signed_operators_agree_with_native_arithmetic() {
    let mut random = Random::new(2);
    for width in (1..=64).chain([65, 90, 127, 128]) {
        let wrap = |v: i128| signed(width, v as u128);
        for _ in 0..12 {
            let a = signed(width, pattern(&mut random, width));
            let b = signed(width, pattern(&mut random, width));
            let ty = || s(width);
            let node = |op| int(&bin(op, ty(), constant(ty(), a), constant(ty(), b)));
            assert_eq!(node(Add), Int::from(wrap(a.wrapping_add(b))), "s{width} {a} + {b}");
            assert_eq!(node(Sub), Int::from(wrap(a.wrapping_sub(b))), "s{width} {a} - {b}");
            assert_eq!(node(Mul), Int::from(wrap(a.wrapping_mul(b))), "s{width} {a} * {b}");
            let quotient = if b == 0 { -1 } else { wrap(a.wrapping_div(b)) };
            let remainder = if b == 0 { a } else { a.wrapping_rem(b) };
            assert_eq!(node(Div), Int::from(quotient), "s{width} {a} / {b}");
            assert_eq!(node(Rem), Int::from(remainder), "s{width} {a} % {b}");
            assert_eq!(node(And), Int::from(a & b));
            assert_eq!(node(Xor), Int::from(a ^ b));
            assert_eq!(node(Min), Int::from(a.min(b)));
            let amount = (b.unsigned_abs() % 140) as u32;
            let shift = |op| int(&bin(op, ty(), constant(ty(), a), constant(u(8), amount)));
            let left = if amount < width { wrap(a << amount) } else { 0 };
            assert_eq!(shift(Shl), Int::from(left), "s{width} {a} << {amount}");
            assert_eq!(shift(Shr), Int::from(a >> amount.min(127)), "s{width} {a} >> {amount}");
            assert_eq!(int(&bin(Lt, Type::Bool, constant(ty(), a), constant(ty(), b))), Int::from(a < b));
            assert_eq!(int(&un(UnaryOp::Not, ty(), constant(ty(), a))), Int::from(!a));
        }
    }
}

#[test]
fn wide_operators_keep_the_laws_of_arithmetic() {
    let mut random = Random::new(3);
    for width in [129, 150, 200, 512, 1024] {
        for ty in [u(width), s(width)] {
            for _ in 0..20 {
                let (a, b) = (random.scalar(&ty), random.scalar(&ty));
                let c = |v: &Int| constant(ty.clone(), v.clone());
                let node = |op, x: Expr, y: Expr| bin(op, ty.clone(), x, y);
                // (a + b) - b = a, and (a / b) * b + a % b = a, all modulo 2^width.
                assert_eq!(int(&node(Sub, node(Add, c(&a), c(&b)), c(&b))), a);
                let product = node(Mul, node(Div, c(&a), c(&b)), c(&b));
                if !b.is_zero() {
                    assert_eq!(int(&node(Add, product, node(Rem, c(&a), c(&b)))), a);
                }
                // a ^ b = (a | b) - (a & b)
                let split = node(Sub, node(Or, c(&a), c(&b)), node(And, c(&a), c(&b)));
                assert_eq!(int(&split), int(&node(Xor, c(&a), c(&b))));
                // ~a = -a - 1
                let minus_one = node(Sub, un(UnaryOp::Neg, ty.clone(), c(&a)), c(&Int::ONE));
                if width > 1 {
                    assert_eq!(int(&un(UnaryOp::Not, ty.clone(), c(&a))), int(&minus_one));
                }
            }
        }
    }
}

#[test]
fn mixed_comparisons_compare_numbers() {
    let less = bin(Lt, Type::Bool, constant(s(8), -1), constant(u(8), 255));
    assert_eq!(int(&less), Int::ONE);
    assert_eq!(int(&bin(Eq, Type::Bool, constant(s(8), -1), constant(u(8), 255))), Int::ZERO);
}

#[test]
fn conversions_reduce_and_saturate() {
    assert_eq!(int(&conv(u(8), constant(s(8), -1))), Int::from(255));
    assert_eq!(int(&conv(s(8), constant(u(8), 200))), Int::from(-56));
    let saturate = |ty, x| int(&expr(ty, ExprKind::Saturate(Box::new(x))));
    assert_eq!(saturate(s(8), constant(s(9), 200)), Int::from(127));
    assert_eq!(saturate(s(8), constant(s(9), -200)), Int::from(-128));
    assert_eq!(saturate(u(8), constant(s(9), -3)), Int::ZERO);
}

#[test]
fn patterns_are_cut_and_joined() {
    let cat = expr(u(12), ExprKind::Cat(vec![constant(s(4), -1), constant(u(8), 0x12)]));
    assert_eq!(int(&cat), Int::from(0xF12));
    let rep = expr(u(6), ExprKind::Rep(Box::new(constant(s(2), -2)), 3));
    assert_eq!(int(&rep), Int::from(0b101010));
    let parts = Type::array(s(8), 2);
    let split = expr(parts.clone(), ExprKind::Split(Box::new(constant(s(16), -2))));
    assert_eq!(eval(&split), Ok(ints([-2, -1])));
    assert_eq!(int(&expr(u(16), ExprKind::Join(Box::new(split)))), Int::from(0xFFFE));
}

#[test]
fn arrays_are_built_filled_and_indexed() {
    let row = Type::array(u(8), 3);
    let squares = expr(
        row.clone(),
        ExprKind::Comprehension(Box::new(Comprehension {
            local: LocalId(0),
            lo: Int::from(2),
            hi: Int::from(5),
            elem: bin(Mul, u(8), local(u(8), 0), local(u(8), 0)),
        })),
    );
    let f = function("f", row.clone(), body(0, vec![u(3)], vec![ret(squares)]));
    let section = Section { fns: vec![f], ..Section::default() };
    let mut evaluator = Evaluator::new(&section);
    let made = call(row.clone(), 0, vec![]);
    assert_eq!(evaluator.eval_const_expr(&made), Ok(ints([4, 9, 16])));
    for (i, v) in [(0, 4), (2, 16), (3, 0), (255, 0)] {
        assert_eq!(evaluator.eval_const_expr(&index(u(8), made.clone(), constant(u(8), i))), Ok(Value::Int(v.into())));
    }
    let grid = Type::array(row.clone(), 2);
    let by_row = expr(grid.clone(), ExprKind::Fill(Box::new(made)));
    assert_eq!(evaluator.eval_const_expr(&by_row), Ok(Value::Array(vec![ints([4, 9, 16]); 2])));
    let by_scalar = expr(grid, ExprKind::Fill(Box::new(constant(u(8), 7))));
    assert_eq!(evaluator.eval_const_expr(&by_scalar), Ok(Value::Array(vec![ints([7, 7, 7]); 2])));
    let element = index(u(8), index(row, by_scalar, constant(u(1), 1)), constant(u(2), 2));
    assert_eq!(evaluator.eval_const_expr(&element), Ok(Value::Int(Int::from(7))));
}

#[test]
fn assignments_reach_elements_and_bits_and_drop_what_is_outside() {
    let grid = Type::array(Type::array(s(8), 2), 2);
    let at = |i: i64| PlaceStep::Index(constant(u(40), i));
    let bits_at = |at, width| PlaceStep::Bits { at: constant(u(8), at), width };
    let stmts = vec![
        Stmt::Let(LocalId(0), expr(grid.clone(), ExprKind::Fill(Box::new(constant(s(8), 0))))),
        set_local(0, vec![at(1), at(0)], s(8), constant(s(8), -3)),
        set_local(0, vec![at(0), at(1), bits_at(7, 1)], u(1), constant(u(1), 1)),
        set_local(0, vec![at(2), at(0)], s(8), constant(s(8), 9)),
        set_local(0, vec![at(1 << 33), at(0)], s(8), constant(s(8), 9)),
        set_local(0, vec![at(0), at(0), bits_at(8, 1)], u(1), constant(u(1), 1)),
        ret(local(grid.clone(), 0)),
    ];
    let section = Section::default();
    let ending = Evaluator::new(&section).run(&body(0, vec![grid], stmts), vec![]);
    let expected = Value::Array(vec![ints([0, -128]), ints([-3, 0])]);
    assert_eq!(ending, Ok(Ending::Returned(Some(expected))));
}

#[test]
fn statements_branch_loop_match_and_end() {
    // A loop that counts the odd numbers below its parameter; 7 raises and 8 traps.
    let count = || local(u(8), 1);
    let odd = bits(u(1), local(u(8), 2), constant(u(1), 0));
    let step = set_local(1, vec![], u(8), bin(Add, u(8), count(), constant(u(8), 1)));
    let counted = Stmt::For {
        local: LocalId(2),
        lo: Box::new(constant(u(1), 0)),
        hi: Box::new(local(u(8), 0)),
        body: vec![Stmt::If(bin(Eq, Type::Bool, odd, constant(u(1), 1)), vec![step], vec![])],
    };
    let arm = |v: i32, stmt| Arm { patterns: vec![(Int::from(v), Int::from(v + 1))], body: vec![stmt] };
    let raise = Stmt::Raise { error: Raised::Op, commit: true, value: Some(constant(u(8), 1)) };
    let choice = Stmt::Match {
        value: local(u(8), 0),
        arms: vec![arm(7, raise), arm(8, Stmt::Trap)],
        default: vec![counted, ret(count())],
    };
    let body = body(1, vec![u(8), u(8), u(8)], vec![Stmt::Let(LocalId(1), constant(u(8), 0)), choice]);
    let section = Section::default();
    let mut evaluator = Evaluator::new(&section);
    let mut run = |v: i32| evaluator.run(&body, vec![Value::Int(v.into())]).unwrap();
    assert_eq!(run(5), Ending::Returned(Some(Value::Int(Int::from(2)))));
    assert_eq!(run(0), Ending::Returned(Some(Value::Int(Int::ZERO))));
    assert_eq!(run(7), Ending::Raised { error: Raised::Op, commit: true, value: Some(Value::Int(Int::ONE)) });
    assert_eq!(run(8), Ending::Trapped);
}

/// The 256 entries of the CRC-32 table by a function that is called once a bit.
fn crc_table() -> (Section, Expr) {
    let w = || u(32);
    let half = || bin(Shr, w(), local(w(), 0), constant(u(1), 1));
    let low = bin(Eq, Type::Bool, bits(u(1), local(w(), 0), constant(u(1), 0)), constant(u(1), 1));
    let mixed = bin(Xor, w(), half(), constant(w(), 0xEDB8_8320u32));
    let step = function("crc_step", w(), body(1, vec![w()], vec![ret(select(w(), low, mixed, half()))]));
    let again = set_local(1, vec![], w(), call(w(), 0, vec![local(w(), 1)]));
    let byte_body = vec![
        Stmt::Let(LocalId(1), conv(w(), local(u(8), 0))),
        Stmt::For {
            local: LocalId(2),
            lo: Box::new(constant(u(1), 0)),
            hi: Box::new(constant(u(4), 8)),
            body: vec![again],
        },
        ret(local(w(), 1)),
    ];
    let byte = function("crc_byte", w(), body(1, vec![u(8), w(), u(3)], byte_body));
    let entries = ExprKind::Comprehension(Box::new(Comprehension {
        local: LocalId(0),
        lo: Int::ZERO,
        hi: Int::from(256),
        elem: call(w(), 1, vec![local(u(8), 0)]),
    }));
    let all = Type::array(w(), 256);
    let table = function("table", all.clone(), body(0, vec![u(8)], vec![ret(expr(all.clone(), entries))]));
    (Section { fns: vec![step, byte, table], ..Section::default() }, call(all, 2, vec![]))
}

#[test]
fn the_crc_table_is_right_and_cheap() {
    let (section, table) = crc_table();
    let mut evaluator = Evaluator::new(&section);
    let value = evaluator.eval_const_expr(&table).unwrap();
    let entries = value.scalars();
    assert_eq!((entries.len(), entries[1], entries[255]), (256, &0x7707_3096u32.into(), &0x2D02_EF8Du32.into()));
    assert!(DEFAULT_FUEL - evaluator.fuel() < 60_000, "{}", DEFAULT_FUEL - evaluator.fuel());
}

#[test]
fn a_loop_without_end_runs_out_of_fuel() {
    let forever = Stmt::For {
        local: LocalId(0),
        lo: Box::new(constant(u(1), 0)),
        hi: Box::new(constant(u(64), Int::ones(64))),
        body: vec![],
    };
    let section = Section::default();
    let mut evaluator = Evaluator::with_world(&section, Pure, 1000);
    assert_eq!(evaluator.run(&body(0, vec![u(64)], vec![forever]), vec![]), Err(EvalError::OutOfFuel));
    let huge = Type::array(Type::array(u(8), u32::MAX), u32::MAX);
    assert_eq!(eval(&expr(huge, ExprKind::Fill(Box::new(constant(u(8), 0))))), Err(EvalError::OutOfFuel));
}

#[test]
fn deep_expressions_are_an_error_on_a_small_stack() {
    let mut deep = constant(u(8), 1);
    for _ in 0..5000 {
        deep = un(UnaryOp::Not, u(8), deep);
    }
    assert_eq!(eval(&deep), Err(EvalError::TooDeep));
    let elements = Type::array(u(8), 1);
    let mut deep = constant(u(8), 1);
    for _ in 0..2000 {
        deep = index(u(8), expr(elements.clone(), ExprKind::Array(vec![deep])), constant(u(1), 0));
    }
    assert_eq!(eval(&deep), Err(EvalError::TooDeep));
}

#[test]
fn deep_calls_are_an_error_on_a_small_stack() {
    // A function that calls itself in many branches, which the front end refuses.
    let mut stmts = vec![ret(call(u(8), 0, vec![]))];
    for _ in 0..20 {
        stmts = vec![Stmt::If(constant(Type::Bool, 1), stmts, vec![])];
    }
    let endless = function("f", u(8), body(0, vec![], stmts));
    let shorter = function("f", u(8), body(0, vec![], vec![ret(call(u(8), 0, vec![]))]));
    for function in [endless, shorter] {
        let section = Section { fns: vec![function], ..Section::default() };
        let found = Evaluator::new(&section).eval_const_expr(&call(u(8), 0, vec![]));
        assert_eq!(found, Err(EvalError::TooDeep));
    }
}

#[test]
fn malformed_trees_are_errors() {
    for kind in [
        ExprKind::State(crate::contract::FieldId(0)),
        ExprKind::Local(LocalId(3)),
        ExprKind::Call(crate::contract::FnId(9), vec![]),
        ExprKind::Command(crate::contract::CommandId(0), vec![]),
        ExprKind::Table(crate::contract::ConstId(1)),
    ] {
        assert!(matches!(eval(&expr(u(8), kind.clone())), Err(EvalError::Malformed(_))), "{kind:?}");
    }
}
