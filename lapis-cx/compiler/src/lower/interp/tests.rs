//! Every promise that a program breaks is found, and the operations are those that `ir` says. That lowering keeps the
//! promises is tested in `tests/lowering`.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::{Defect, Machine, Reply, Thing};
use crate::contract::{FieldId, FnId};
use crate::lower::ir::*;

const X: LocalId = LocalId(0);
const Y: LocalId = LocalId(1);

fn w32(v: u64) -> Expr {
    Expr::constant(Ty::W32, v)
}

fn node(ty: Ty, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    node(a.ty, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

fn read(id: LocalId) -> Expr {
    node(Ty::W32, ExprKind::Local(id))
}

fn element(base: Base, at: u64) -> Expr {
    node(Ty::W32, ExprKind::Element(base, Box::new(w32(at))))
}

fn slice(id: LocalId, at: u64) -> Slice {
    Slice::new(Base::Local(id), w32(at))
}

fn finish(e: Expr) -> Stmt {
    Stmt::Finish(Answer::Ok, Some(e))
}

fn local(shape: Shape) -> Local {
    Local { name: String::new(), shape }
}

fn words(len: u32) -> Shape {
    Shape::Array { storage: Storage::U32, len }
}

const WORD: Shape = Shape::Scalar(Storage::U32);

/// A field `u8`, a table of two, a function of an array of four limbs that gives it back, and one command.
fn section(locals: Vec<Shape>, stmts: Vec<Stmt>) -> Section {
    let locals = locals.into_iter().map(local).collect();
    let copy = Stmt::Copy { dst: Slice::start(Base::Out), src: slice(X, 0), len: 4 };
    let function = Function {
        name: "same".into(),
        generics: Vec::new(),
        docs: String::new(),
        params: 1,
        result: words(4),
        body: Body { locals: vec![local(words(4))], stmts: vec![copy, Stmt::Return(None)] },
    };
    let word = |v: u64| Stmt::Return(Some(w32(v)));
    let state = State {
        fields: vec![Field {
            name: "f".into(),
            shape: Shape::Scalar(Storage::U8),
            first_word: 0,
            words: 1,
            reset: vec![0],
        }],
        words: 1,
        codes: vec![3],
        initial: 5,
        is_off: node(
            Ty::Bool,
            ExprKind::Compare(
                CompareOp::Eq,
                Box::new(binary(BinaryOp::And, node(Ty::W32, ExprKind::Status), w32(3))),
                Box::new(w32(0)),
            ),
        ),
        not_off: vec![8],
        live: None,
        reset: Body { locals: Vec::new(), stmts: vec![Stmt::SetField(FieldId(0), w32(7))] },
        restore: Body {
            locals: vec![local(WORD)],
            stmts: vec![Stmt::Reset, Stmt::SetStatus(read(X)), Stmt::Return(Some(Expr::constant(Ty::Bool, 1)))],
        },
        read_word: Body { locals: vec![local(WORD)], stmts: vec![word(0)] },
        write_word: Body { locals: vec![local(WORD), local(WORD)], stmts: Vec::new() },
    };
    let command = Command {
        name: "c".into(),
        id: 0,
        params: Vec::new(),
        result: Some(Edge::Unsigned(32)),
        uses_state: true,
        can_fail: false,
        runs_when_off: false,
        body: Body { locals, stmts },
    };
    let table = Table { name: String::new(), docs: String::new(), storage: Storage::U32, values: vec![5, 6] };
    Section {
        xlen: 32,
        state: Some(state),
        tables: vec![table.clone(), table],
        used_tables: vec![TableId(0)],
        functions: vec![function.clone(), function],
        call_order: vec![FnId(0)],
        recursive: false,
        commands: vec![command],
        opaque: Vec::new(),
        csrs: Vec::new(),
    }
}

fn issue(section: &Section) -> Result<u64, Defect> {
    Machine::new(section)?.issue(0u16, 0, 0).map(|reply| reply.rd)
}

fn run(locals: Vec<Shape>, stmts: Vec<Stmt>) -> Result<u64, Defect> {
    issue(&section(locals, stmts))
}

/// The value of an expression.
fn value(e: Expr) -> Result<u64, Defect> {
    run(Vec::new(), vec![finish(e)])
}

#[test]
fn words_wrap_and_are_unsigned() {
    assert_eq!(value(binary(BinaryOp::Sub, w32(1), w32(2))), Ok(0xFFFF_FFFF));
    assert_eq!(value(binary(BinaryOp::Mul, w32(1 << 31), w32(6))), Ok(0));
    assert_eq!(value(node(Ty::W32, ExprKind::Not(Box::new(w32(1))))), Ok(0xFFFF_FFFE));
    assert_eq!(value(node(Ty::W32, ExprKind::SignExtend(Box::new(w32(0x80)), 8))), Ok(0xFFFF_FF80));
    let long = Expr::constant(Ty::W64, 0x1_0000_0002);
    assert_eq!(value(node(Ty::W32, ExprKind::Convert(Box::new(long)))), Ok(2));
    assert_eq!(value(element(Base::Table(TableId(0)), 1)), Ok(6));
    assert_eq!(value(node(Ty::W32, ExprKind::Field(FieldId(0)))), Ok(7));
}

#[test]
fn operators_have_no_undefined_operand() {
    let shift = |ty: Ty, n| Expr { ty, ..binary(BinaryOp::Shl, Expr::constant(ty, 1), w32(n)) };
    assert_eq!(value(shift(Ty::W32, 31)), Ok(1 << 31));
    assert_eq!(value(shift(Ty::W32, 32)), Err(Defect::Shift { amount: 32, bits: 32 }));
    let cut = |e| node(Ty::W32, ExprKind::Convert(Box::new(e)));
    assert_eq!(value(cut(shift(Ty::W64, 63))), Ok(0));
    assert_eq!(value(cut(shift(Ty::W64, 64))), Err(Defect::Shift { amount: 64, bits: 64 }));
    for op in [BinaryOp::Div, BinaryOp::Rem] {
        assert_eq!(value(binary(op, w32(1), w32(0))), Err(Defect::ZeroDivisor));
    }
    assert_eq!(value(element(Base::Table(TableId(0)), 2)), Err(Defect::Outside { index: 2, len: 2 }));
    // What is not evaluated does no harm.
    let never = binary(BinaryOp::Div, w32(1), w32(0));
    let condition = Box::new(Expr::constant(Ty::Bool, 1));
    assert_eq!(value(node(Ty::W32, ExprKind::Select(condition, Box::new(w32(3)), Box::new(never)))), Ok(3));
}

#[test]
fn types_must_agree() {
    let long = Expr::constant(Ty::W64, 1);
    assert_eq!(value(binary(BinaryOp::Add, w32(1), long.clone())), Err(Defect::Type));
    assert_eq!(value(long.clone()), Err(Defect::Type));
    assert_eq!(value(node(Ty::W32, ExprKind::Convert(Box::new(w32(1))))), Err(Defect::Type));
    assert_eq!(run(vec![WORD], vec![Stmt::Let(X, long), finish(read(X))]), Err(Defect::Type));
    assert_eq!(run(vec![words(1)], vec![Stmt::Declare(X), finish(read(X))]), Err(Defect::Type));
    let truth = Box::new(Expr::constant(Ty::Bool, 1));
    let less = node(Ty::Bool, ExprKind::Compare(CompareOp::Lt, truth.clone(), truth));
    assert_eq!(value(node(Ty::W32, ExprKind::Convert(Box::new(less)))), Err(Defect::Type));
}

#[test]
fn patterns_must_have_zeros_above_them() {
    let pattern = |value, bits| Err(Defect::Pattern { value, bits });
    assert_eq!(value(node(Ty::W32, ExprKind::SignExtend(Box::new(w32(0x180)), 8))), pattern(0x180, 8));
    assert_eq!(value(node(Ty::W32, ExprKind::Const(1 << 32))), pattern(1 << 32, 32));
    assert_eq!(run(vec![], vec![Stmt::SetField(FieldId(0), w32(256)), finish(w32(0))]), pattern(256, 8));
    let bytes = Shape::Array { storage: Storage::U8, len: 2 };
    let store = Stmt::Store(Base::Local(X), w32(1), w32(256));
    assert_eq!(run(vec![bytes], vec![Stmt::Declare(X), store]), pattern(256, 8));
    let fill = Stmt::Fill { dst: slice(X, 0), len: 2, value: w32(300) };
    assert_eq!(run(vec![bytes], vec![Stmt::Declare(X), fill]), pattern(300, 8));
    let mut narrow = section(vec![], vec![finish(w32(256))]);
    narrow.commands[0].result = Some(Edge::Unsigned(8));
    assert_eq!(issue(&narrow), pattern(256, 8));
    // A signed result is cut to its edge and extended to a register.
    narrow.commands[0].result = Some(Edge::Signed(8));
    narrow.commands[0].body.stmts = vec![finish(w32(0x180))];
    assert_eq!(issue(&narrow), Ok(0xFFFF_FF80));
}

#[test]
fn memory_is_written_before_it_is_read() {
    let declare = |id| Stmt::Declare(id);
    let store = Stmt::Store(Base::Local(X), w32(0), w32(1));
    let item = |at| finish(element(Base::Local(X), at));
    assert_eq!(run(vec![words(2)], vec![declare(X), store.clone(), item(0)]), Ok(1));
    assert_eq!(run(vec![words(2)], vec![declare(X), store.clone(), item(1)]), Err(Defect::Unset));
    assert_eq!(
        run(vec![words(2)], vec![declare(X), store.clone(), item(2)]),
        Err(Defect::Outside { index: 2, len: 2 })
    );
    assert_eq!(run(vec![WORD], vec![declare(X), finish(read(X))]), Err(Defect::Unset));
    assert_eq!(run(vec![WORD], vec![finish(read(X))]), Err(Defect::NotBegun(X)));
    assert_eq!(run(vec![WORD], vec![Stmt::Assign(X, w32(1))]), Err(Defect::NotBegun(X)));
    let arm = vec![Stmt::Let(X, w32(1))];
    let branch = Stmt::If(Expr::constant(Ty::Bool, 1), arm, vec![]);
    assert_eq!(run(vec![WORD], vec![branch.clone(), branch.clone(), finish(w32(4))]), Ok(4));
    assert_eq!(run(vec![WORD], vec![branch.clone(), finish(read(X))]), Err(Defect::NotBegun(X)));
    assert_eq!(run(vec![WORD], vec![Stmt::Let(X, w32(1)), branch]), Err(Defect::BegunTwice(X)));
}

#[test]
fn runs_of_elements_lie_inside_and_apart() {
    let copy = |dst, src, len| Stmt::Copy { dst: slice(X, dst), src: slice(X, src), len };
    let fill = |len| Stmt::Fill { dst: slice(X, 0), len, value: w32(9) };
    let start = || vec![Stmt::Declare(X), fill(4)];
    let with = |stmt| run(vec![words(4)], [start(), vec![stmt, finish(w32(0))]].concat());
    assert_eq!(with(copy(2, 0, 2)), Ok(0));
    assert_eq!(with(copy(1, 0, 2)), Err(Defect::Overlap));
    assert_eq!(with(copy(3, 0, 2)), Err(Defect::Outside { index: 4, len: 4 }));
    assert_eq!(with(fill(5)), Err(Defect::Outside { index: 4, len: 4 }));
    let call = |id, to| Stmt::CallInto(FnId(id), vec![CallArg::Array(slice(X, 0))], slice(to, 0));
    let both = |stmt| {
        let end = vec![Stmt::Declare(Y), stmt, finish(element(Base::Local(Y), 3))];
        run(vec![words(4), words(4)], [start(), end].concat())
    };
    assert_eq!(both(call(0, Y)), Ok(9));
    assert_eq!(both(call(0, X)), Err(Defect::Overlap));
    assert_eq!(both(call(1, Y)), Err(Defect::Absent(Thing::Function)), "it would not be printed");
    let add = |to| Stmt::Wide { dst: slice(to, 0), limbs: 4, op: WideOp::Add(slice(X, 0), slice(X, 0)) };
    assert_eq!(both(add(Y)), Ok(18));
    assert_eq!(both(add(X)), Err(Defect::Overlap));
}

#[test]
fn some_memory_is_only_read() {
    let store = |base| Stmt::Store(base, w32(0), w32(0));
    assert_eq!(run(vec![], vec![store(Base::Table(TableId(0)))]), Err(Defect::Access));
    assert_eq!(value(element(Base::Table(TableId(1)), 0)), Err(Defect::Absent(Thing::Table)));
    let mut section = section(vec![words(4), words(4)], Vec::new());
    let fill = Stmt::Fill { dst: slice(X, 0), len: 4, value: w32(9) };
    let call = Stmt::CallInto(FnId(0), vec![CallArg::Array(slice(X, 0))], slice(Y, 0));
    section.commands[0].body.stmts = vec![Stmt::Declare(X), fill, Stmt::Declare(Y), call, finish(w32(1))];
    assert_eq!(issue(&section), Ok(1));
    let mut with = |stmt: Stmt| {
        section.functions[0].body.stmts = vec![stmt, Stmt::Return(None)];
        issue(&section)
    };
    assert_eq!(with(store(Base::Local(X))), Err(Defect::Access), "a parameter");
    assert_eq!(with(Stmt::If(truth_of(element(Base::Out, 0)), vec![], vec![])), Err(Defect::Access));
    assert_eq!(with(store(Base::Out)), Err(Defect::Unset), "three elements are not there");
    assert_eq!(with(Stmt::SetField(FieldId(0), w32(0))), Err(Defect::Role));
    assert_eq!(with(Stmt::If(truth_of(node(Ty::W32, ExprKind::Status)), vec![], vec![])), Err(Defect::Role));
    assert_eq!(with(Stmt::Return(Some(w32(1)))), Err(Defect::Ending));
}

fn truth_of(e: Expr) -> Expr {
    node(Ty::Bool, ExprKind::Compare(CompareOp::Ne, Box::new(e), Box::new(w32(0))))
}

#[test]
fn loops_and_switches_are_as_they_say() {
    let count = |hi: Expr, body| Stmt::For { var: X, lo: w32(1), hi, body };
    let sum = || Stmt::Assign(Y, binary(BinaryOp::Add, read(Y), read(X)));
    let with = |stmt| run(vec![WORD, WORD], vec![Stmt::Let(Y, w32(4)), stmt, finish(read(Y))]);
    assert_eq!(with(count(w32(4), vec![sum()])), Ok(10));
    assert_eq!(with(count(w32(0), vec![sum()])), Ok(4));
    assert_eq!(with(count(w32(4), vec![Stmt::Assign(X, w32(2))])), Err(Defect::Access));
    assert_eq!(with(count(read(Y), vec![sum()])), Err(Defect::Bound));
    assert_eq!(with(count(binary(BinaryOp::Add, w32(1), w32(1)), vec![sum()])), Err(Defect::Bound));
    assert_eq!(
        with(count(w32(u64::from(u32::MAX)), vec![Stmt::Let(LocalId(2), w32(0))])),
        Err(Defect::Absent(Thing::Local))
    );
    assert_eq!(with(count(w32(u64::from(u32::MAX)), vec![sum()])), Err(Defect::Steps));
    let arm = |values: &[u64], v| (values.to_vec(), vec![Stmt::Assign(Y, w32(v))]);
    let switch = |arms| Stmt::Switch { value: read(Y), arms, default: vec![Stmt::Assign(Y, w32(99))] };
    assert_eq!(with(switch(vec![arm(&[1, 2], 10), arm(&[3, 4], 20)])), Ok(20));
    assert_eq!(with(switch(vec![arm(&[1, 2], 10)])), Ok(99));
    assert_eq!(with(switch(vec![arm(&[1, 4], 10), arm(&[3, 4], 20)])), Err(Defect::Arms(4)));
}

#[test]
fn commands_end_and_answer_as_they_say() {
    assert_eq!(run(vec![], vec![]), Err(Defect::Ending));
    assert_eq!(run(vec![], vec![Stmt::Return(Some(w32(1)))]), Err(Defect::Ending));
    assert_eq!(run(vec![], vec![Stmt::Finish(Answer::Ok, None)]), Err(Defect::Type));
    let fails = vec![Stmt::Finish(Answer::Op, Some(w32(1)))];
    assert_eq!(run(vec![], fails.clone()), Err(Defect::Answer(Answer::Op)));
    let mut section = section(vec![], fails);
    section.commands[0].can_fail = true;
    assert_eq!(Machine::new(&section).unwrap().issue(0u16, 0, 0), Ok(Reply { rd: 1, response: 5 }));
    assert_eq!(Machine::new(&section).unwrap().issue(9u16, 0, 0), Ok(Reply { rd: 0, response: 4 }));
    let off = vec![Stmt::SetStatus(w32(0)), finish(w32(1))];
    section.commands[0].body.stmts = off;
    let mut machine = Machine::new(&section).unwrap();
    machine.issue(0u16, 0, 0).unwrap();
    assert_eq!(machine.issue(9u16, 0, 0), Ok(Reply { rd: 0, response: 3 }));
    assert_eq!(machine.issue(8u16, 0, 0), Ok(Reply { rd: 0, response: 4 }), "looked for in a context that is off too");
}

#[test]
fn every_program_ends() {
    let mut deep = w32(0);
    for _ in 0..1_000 {
        deep = node(Ty::W32, ExprKind::Not(Box::new(deep)));
    }
    assert_eq!(value(deep), Err(Defect::Depth));
    let mut deep = w32(0);
    for _ in 0..1_000 {
        let src = Slice::start(Base::Table(TableId(0)));
        deep = node(Ty::W32, ExprKind::WideWord { src, limbs: 2, at: Box::new(deep) });
    }
    assert_eq!(value(deep), Err(Defect::Depth));
    let mut deep = Vec::new();
    for _ in 0..1_000 {
        deep = vec![Stmt::If(Expr::constant(Ty::Bool, 1), deep, Vec::new())];
    }
    assert_eq!(run(vec![], deep), Err(Defect::Depth));
    let mut deep = w32(0);
    for _ in 0..1_000 {
        let array = CallArg::Array(Slice::new(Base::Local(X), deep));
        deep = node(Ty::W32, ExprKind::Call(FnId(0), vec![array]));
    }
    assert_eq!(run(vec![words(4)], vec![Stmt::Declare(X), finish(deep)]), Err(Defect::Depth));
    let again = node(Ty::W32, ExprKind::Call(FnId(0), Vec::new()));
    let mut section = section(vec![], vec![finish(again.clone())]);
    section.functions[0] = Function {
        params: 0,
        result: WORD,
        body: Body { locals: Vec::new(), stmts: vec![Stmt::Return(Some(again))] },
        ..section.functions[0].clone()
    };
    assert_eq!(issue(&section), Err(Defect::Depth));
    let huge = Stmt::Declare(X);
    assert_eq!(run(vec![words(u32::MAX)], vec![huge]), Err(Defect::Steps));
}

#[test]
fn wide_values_are_exact() {
    let all = 0xFFFF_FFFFu64;
    // X = 2^96 - 1, Y = the result.
    let with = |op, at: u64| {
        let stmts = vec![
            Stmt::Declare(X),
            Stmt::Fill { dst: slice(X, 0), len: 3, value: w32(all) },
            Stmt::Declare(Y),
            Stmt::Fill { dst: slice(Y, 0), len: 3, value: w32(0x8000_0000) },
            Stmt::Wide { dst: slice(Y, 0), limbs: 3, op },
            finish(element(Base::Local(Y), at)),
        ];
        run(vec![words(3), words(3)], stmts)
    };
    let x = || slice(X, 0);
    assert_eq!([0, 1, 2].map(|at| with(WideOp::Add(x(), x()), at)), [Ok(all - 1), Ok(all), Ok(all)]);
    assert_eq!([0, 1, 2].map(|at| with(WideOp::Mul(x(), x()), at)), [Ok(1), Ok(0), Ok(0)]);
    assert_eq!([0, 1, 2].map(|at| with(WideOp::Shl(x(), w32(40)), at)), [Ok(0), Ok(0xFFFF_FF00), Ok(all)]);
    assert_eq!([0, 1, 2].map(|at| with(WideOp::Shr(x(), w32(40)), at)), [Ok(all), Ok(0x00FF_FFFF), Ok(0)]);
    assert_eq!(with(WideOp::Shl(x(), w32(96)), 2), Ok(0));
    assert_eq!(with(WideOp::Shr(x(), w32(all)), 0), Ok(0));
    assert_eq!([0, 1, 2].map(|at| with(WideOp::Mask(33), at)), [Ok(0x8000_0000), Ok(0), Ok(0)]);
    assert_eq!([0, 1, 2].map(|at| with(WideOp::SignExtend(32), at)), [Ok(0x8000_0000), Ok(all), Ok(all)]);
    assert_eq!(with(WideOp::SignExtend(97), 0), Err(Defect::Type));
    assert_eq!(with(WideOp::Resize(x(), 1), 1), Ok(0));
    assert_eq!(with(WideOp::Resize(x(), 4), 0), Err(Defect::Outside { index: 3, len: 3 }));
    let zero = || Slice::new(Base::Local(LocalId(2)), w32(0));
    let divided = |op| {
        let stmts = vec![
            Stmt::Declare(X),
            Stmt::Fill { dst: slice(X, 0), len: 3, value: w32(6) },
            Stmt::Declare(LocalId(2)),
            Stmt::Fill { dst: zero(), len: 3, value: w32(0) },
            Stmt::Declare(Y),
            Stmt::Wide { dst: slice(Y, 0), limbs: 3, op },
            finish(element(Base::Local(Y), 2)),
        ];
        run(vec![words(3), words(3), words(3)], stmts)
    };
    assert_eq!(divided(WideOp::Div(x(), zero())), Ok(all));
    assert_eq!(divided(WideOp::Rem(x(), zero())), Ok(6));
    assert_eq!(divided(WideOp::Div(x(), x())), Ok(0));
}
