//! The canonical text: the document's example, every node form, and what does and does not change the hash.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::contract::canonical::text;
use crate::contract::core::{BinaryOp::*, *};
use crate::contract::csr::Access;
use crate::contract::frozen::Frozen;
use crate::contract::identity::contract_hash;
use crate::contract::testing::*;
use crate::contract::{
    ConstId, Enum, EnumCase, EnumId, ErrorDef, ErrorId, Form, Interface, Section, Semantics, Sharing, Slot,
};
use crate::int::Int;
use crate::source::Span;

/// Changes one section.
type Edit = Box<dyn Fn(&mut Section)>;

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

fn error(name: &str, code: u8) -> ErrorDef {
    ErrorDef { name: name.into(), code, message: None, docs: String::new(), span: Span::default() }
}

/// An interface with every form of node.
fn everything() -> Interface {
    let case = |name: &str, pattern: i32| EnumCase {
        name: name.into(),
        docs: String::new(),
        pattern: Int::from(pattern),
        span: Span::default(),
    };
    let mode = Enum {
        name: "Mode".into(),
        docs: String::new(),
        width: 2,
        signed: false,
        cases: vec![case("b", 2), case("a", 0)],
        span: Span::default(),
    };
    let mode_ty = Type::Enum { id: EnumId(0), width: 2 };
    let grid = Type::array(Type::array(s(8), 2), 2);
    let row = || Type::array(s(8), 2);
    let x = || local(u(8), 0);
    // Locals out of order of declaration: 3 appears first, and 2 never.
    let first = body(
        2,
        vec![u(8), u(8), u(1), u(4), u(3), s(8)],
        vec![
            Stmt::Let(LocalId(3), call(u(4), 1, vec![bits(u(4), x(), constant(u(3), 4))])),
            Stmt::For {
                local: LocalId(4),
                lo: boxed(constant(u(1), 0)),
                hi: boxed(constant(u(3), 7)),
                body: vec![set_field(
                    0,
                    vec![
                        PlaceStep::Index(constant(u(1), 1)),
                        PlaceStep::Index(local(u(3), 4)),
                        PlaceStep::Bits { at: constant(u(1), 0), width: 2 },
                    ],
                    u(2),
                    expr(u(2), ExprKind::Rep(boxed(constant(u(1), 1)), 2)),
                )],
            },
            Stmt::If(
                un(UnaryOp::LogicalNot, Type::Bool, bin(Lt, Type::Bool, x(), local(u(8), 1))),
                vec![Stmt::Raise { error: Raised::Error(ErrorId(1)), commit: true, value: Some(x()) }],
                vec![],
            ),
            Stmt::Match {
                value: field(mode_ty.clone(), 1),
                arms: vec![Arm {
                    patterns: vec![(Int::from(2), Int::from(3)), (Int::from(-1), Int::from(1))],
                    body: vec![Stmt::Raise { error: Raised::Op, commit: false, value: None }],
                }],
                default: vec![Stmt::Trap],
            },
            Stmt::Return(None),
        ],
    );
    let made = ExprKind::Comprehension(Box::new(Comprehension {
        local: LocalId(1),
        lo: Int::ZERO,
        hi: Int::from(2),
        elem: local(u(1), 1),
    }));
    let eight = |kind| expr(u(8), kind);
    let parts = vec![
        eight(ExprKind::Convert(boxed(index(
            s(8),
            index(row(), field(grid.clone(), 0), constant(u(1), 0)),
            constant(u(1), 1),
        )))),
        expr(s(8), ExprKind::Saturate(boxed(x()))),
        eight(ExprKind::Join(boxed(expr(Type::array(u(1), 2), made)))),
        select(
            u(8),
            constant(Type::Bool, 1),
            index(u(8), expr(Type::array(u(8), 2), ExprKind::Table(ConstId(0))), x()),
            x(),
        ),
        call(u(4), 0, vec![index(u(4), expr(Type::array(u(4), 2), ExprKind::Split(boxed(x()))), constant(u(1), 0))]),
        index(s(8), expr(row(), ExprKind::Array(vec![constant(s(8), -1), constant(s(8), 2)])), constant(u(1), 0)),
        index(s(8), expr(row(), ExprKind::Fill(boxed(constant(s(8), 0)))), constant(u(1), 0)),
    ];
    let second = body(1, vec![u(8), u(1)], vec![ret(expr(u(52), ExprKind::Cat(parts)))]);
    let twice = function("twice", u(4), body(1, vec![u(4)], vec![ret(call(u(4), 2, vec![local(u(4), 0)]))]));
    let same = function("same", u(4), body(1, vec![u(4)], vec![ret(local(u(4), 0))]));
    let unused = function("unused", Type::Bool, body(0, vec![], vec![]));
    let mut c0 = command("first", 0, None, first);
    c0.forms = vec![Form::I, Form::R, Form::Flex];
    let mut c1 = command("second", 5, Some(u(52)), second);
    c1.operands[0].slot = Slot::Rs2;
    let imm = vec![operand("n", u(5), Slot::Imm), operand("x", u(64), Slot::Rs1)];
    let c2 = command_of("secret", 9, imm, Some(Type::Bool), Semantics::Opaque);
    let section = Section {
        xlen: 64,
        enums: vec![mode],
        consts: vec![table("t", Type::array(u(8), 2), ints([7, 9]))],
        state: Some(crate::contract::State {
            docs: String::new(),
            sharing: Sharing::CalleeSave,
            ucontext: true,
            fields: vec![
                state_field("g", grid, Value::Array(vec![ints([1, -2]), ints([3, 4])])),
                state_field("m", mode_ty, Value::Int(Int::from(2))),
            ],
        }),
        errors: vec![error("e", 3), error("f", 200)],
        // Declared in another order than they are called in.
        fns: vec![same, twice, function("inner", u(4), body(1, vec![u(4)], vec![ret(local(u(4), 0))])), unused],
        commands: vec![c0, c1, c2],
        ..Section::default()
    };
    interface("All", vec![section])
}

#[test]
fn every_form_of_node_is_printed_as_documented() {
    let expected = "\
(cx1
(xlen 64
(state callee_save 1 ((a 2 (a 2 (s 8))) ((1 -2) (3 4))) ((e 2 0 2) 2))
(err 3 200)
(fn 0 ((u 4)) (u 4) ((ret (call 2 (l 0)))))
(fn 1 ((u 4)) (u 4) ((ret (l 0))))
(fn 2 ((u 4)) (u 4) ((ret (l 0))))
(cmd 0 (I R flex) ((u 8) (u 8)) () (\
(let (l 2) (u 4) (call 0 (bits (u 4) (l 0) (c (u 3) 4)))) \
(for (l 3) (u 3) (c (u 1) 0) (c (u 3) 7) ((set (s 0) ((i (c (u 1) 1)) (i (l 3)) (b 2 (c (u 1) 0))) (rep (u 2) (c (u 1) 1) 2)))) \
(if (lnot (b) (lt (b) (l 0) (l 1))) ((raise 200 1 (l 0))) ()) \
(match (s 1) (arm ((-1 1) (2 3)) ((raise op 0 ()))) (else ((trap)))) \
(ret)))
(cmd 5 (R) ((rs2 (u 8))) (u 52) ((ret (cat (u 52) \
(conv (u 8) (idx (s 8) (idx (a 2 (s 8)) (s 0) (c (u 1) 0)) (c (u 1) 1))) \
(sat (s 8) (l 0)) \
(join (u 8) (map (a 2 (u 1)) (l 1) (u 1) 0 2 (l 1))) \
(sel (u 8) (c (b) 1) (idx (u 8) (c (a 2 (u 8)) (7 9)) (l 0)) (l 0)) \
(call 1 (idx (u 4) (split (a 2 (u 4)) (l 0)) (c (u 1) 0))) \
(idx (s 8) (arr (a 2 (s 8)) (c (s 8) -1) (c (s 8) 2)) (c (u 1) 0)) \
(idx (s 8) (fill (a 2 (s 8)) (c (s 8) 0)) (c (u 1) 0))))))
(cmd 9 (R) ((imm (u 5)) (u 64)) (b) (opaque org.example.test:All.secret))))
";
    let text = text(&everything());
    for (i, (line, wanted)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(line, wanted, "line {i}");
    }
    assert_eq!(text, expected);
}

#[test]
fn the_documents_text() {
    let text = text(&mulacc());
    assert!(text.starts_with(
        "(cx1\n(xlen 32\n(std IStateContext)\n(state exclusive 0 ((u 32) 0))\n(cmd 0 (R) ((u 32) (u 32)) (u 32) \
         ((set (s 0) () (mul (u 32) (l 0) (l 1))) (ret (s 0))))\n"
    ));
    let last = "(cmd 1 (R flex) ((u 64) (u 64)) (u 64) ((set (s 0) () (add (u 64) (s 0) (mul (u 64) (l 0) (l 1)))) \
                (ret (s 0))))))\n";
    assert!(text.ends_with(last), "{text}");
}

#[test]
fn an_interface_without_commands_still_has_sections() {
    let empty = interface("E", vec![Section { xlen: 32, ..Section::default() }]);
    assert_eq!(text(&empty), "(cx1\n(xlen 32))\n");
}

/// The hash after an edit of every section.
fn hash_after(edit: impl Fn(&mut Section)) -> String {
    let mut interface = everything();
    edit_both(&mut interface, edit);
    contract_hash(&interface)
}

#[test]
fn names_and_all_that_is_for_people_leave_the_hash() {
    let base = contract_hash(&everything());
    let rename_locals = |body: &mut Body| body.locals.iter_mut().for_each(|l| l.name.push('x'));
    let edits: Vec<Edit> = vec![
        Box::new(|s| s.commands[0].name = "renamed".into()),
        Box::new(|s| s.commands[0].docs = "Words.".into()),
        Box::new(|s| s.commands[0].latency = Some((1, 4))),
        Box::new(|s| s.commands[0].operands[0].name = "renamed".into()),
        Box::new(|s| s.commands[0].family = Some(("first".into(), 0))),
        Box::new(|s| s.errors[0].name = "renamed".into()),
        Box::new(|s| s.errors[0].message = Some("words".into())),
        Box::new(|s| s.enums[0].cases.reverse()),
        Box::new(|s| s.enums[0].cases[0].name = "renamed".into()),
        Box::new(|s| s.state.as_mut().unwrap().docs = "Words.".into()),
        Box::new(|s| s.state.as_mut().unwrap().fields[0].name = "renamed".into()),
        Box::new(|s| s.fns[0].name = "renamed".into()),
        Box::new(|s| s.fns[3].result = u(7)),
        Box::new(|s| s.consts[0].name = "renamed".into()),
        Box::new(move |s| {
            if let Semantics::Body(body) = &mut s.commands[0].semantics {
                rename_locals(body);
                // Another place in the table of locals.
                body.locals[2].ty = u(99);
            }
        }),
    ];
    for (i, edit) in edits.iter().enumerate() {
        assert_eq!(hash_after(edit), base, "{i}");
    }
    let mut interface = everything();
    interface.uuid = Some(uuid::Uuid::nil());
    interface.docs = "Words.".into();
    interface.is_draft = true;
    assert_eq!(contract_hash(&interface), base);
}

#[test]
fn all_that_has_meaning_changes_the_hash() {
    let swap_fns = |s: &mut Section| s.fns.swap(0, 3);
    let edits: Vec<Edit> = vec![
        Box::new(|s| s.xlen = 32),
        Box::new(|s| s.commands[0].id = 1),
        Box::new(|s| s.commands[0].forms = vec![Form::R]),
        Box::new(|s| s.commands[1].result = Some(u(51))),
        Box::new(|s| s.commands[1].result = None),
        Box::new(|s| s.commands[0].operands[0].ty = u(7)),
        Box::new(|s| s.commands[1].operands[0].slot = Slot::Rs1),
        Box::new(|s| s.commands[2].operands[0].slot = Slot::Rs2),
        Box::new(|s| s.commands[2].name = "renamed".into()),
        Box::new(|s| s.errors[0].code = 4),
        Box::new(|s| s.enums[0].cases[0].pattern = Int::ONE),
        Box::new(|s| s.state.as_mut().unwrap().ucontext = false),
        Box::new(|s| s.state.as_mut().unwrap().sharing = Sharing::CallerSave),
        Box::new(|s| s.state.as_mut().unwrap().fields[1].reset = Value::Int(Int::ZERO)),
        Box::new(|s| s.state.as_mut().unwrap().fields.swap(0, 1)),
        Box::new(|s| s.consts[0].value = ints([7, 8])),
        Box::new(|s| s.fns[2].body.stmts = vec![ret(constant(u(4), 0))]),
        Box::new(swap_fns),
        Box::new(|s| {
            if let Semantics::Body(body) = &mut s.commands[0].semantics {
                body.stmts.pop();
            }
        }),
        Box::new(|s| {
            if let Semantics::Body(body) = &mut s.commands[0].semantics {
                body.locals[4].ty = u(4);
            }
        }),
    ];
    let mut hashes: Vec<String> = edits.iter().map(hash_after).collect();
    hashes.push(contract_hash(&everything()));
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

/// Two CSRs, of which one calls a function that a command calls as well.
fn with_csrs() -> Interface {
    let mut interface = mulacc();
    edit_both(&mut interface, |section| {
        let case = |name: &str, pattern: i32| EnumCase {
            name: name.into(),
            docs: String::new(),
            pattern: Int::from(pattern),
            span: Span::default(),
        };
        let (width, signed) = (2, false);
        let cases = vec![case("one", 1), case("zero", 0)];
        section.enums.push(Enum { name: "E".into(), docs: String::new(), width, signed, cases, span: Span::default() });
        let e = Type::Enum { id: EnumId(0), width };
        let state = section.state.as_mut().unwrap();
        state.fields.push(state_field("e", e.clone(), Value::Int(Int::ONE)));
        section.fns.push(function("never", u(1), body(0, vec![], vec![ret(constant(u(1), 0))])));
        section.fns.push(function("same", u(5), body(1, vec![u(5)], vec![ret(local(u(5), 0))])));
        let sum = expr(Type::array(u(4), 3), ExprKind::Local(LocalId(1)));
        let map = ExprKind::Comprehension(Box::new(Comprehension {
            local: LocalId(1),
            lo: Int::ZERO,
            hi: Int::from(3),
            elem: conv(u(4), local(u(2), 1)),
        }));
        let map = Expr { kind: map, ..sum };
        section.csrs = vec![
            csr("view", 0x810, Access::Rw, vec![(0, field(e.clone(), 1), true)]),
            csr(
                "info",
                0xCC0,
                Access::Ro,
                vec![
                    (0, call(u(5), 1, vec![constant(u(5), 9)]), false),
                    (8, index(u(4), map, constant(u(2), 2)), false),
                ],
            ),
        ];
        section.csrs[1].locals = [u(9), u(2)].map(|ty| Local { name: "k".into(), ty }).to_vec();
    });
    interface
}

#[test]
fn csrs_stand_between_state_and_errors() {
    let wanted = "(state exclusive 0 ((u 32) 0) ((e 2 0 1) 1))\n\
                  (csr 2064 rw (0 (e 2 0 1) (s 1) warl))\n\
                  (csr 3264 ro (0 (u 5) (call 0 (c (u 5) 9))) \
                  (8 (u 4) (idx (u 4) (map (a 3 (u 4)) (l 0) (u 2) 0 3 (conv (u 4) (l 0))) (c (u 2) 2))))\n\
                  (fn 0 ((u 5)) (u 5) ((ret (l 0))))\n(cmd 0 (R)";
    let text = text(&with_csrs());
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn what_a_csr_means_changes_the_hash_and_its_names_do_not() {
    let base = contract_hash(&with_csrs());
    let after = |edit: &dyn Fn(&mut Section)| {
        let mut interface = with_csrs();
        edit_both(&mut interface, edit);
        contract_hash(&interface)
    };
    let edits: [Edit; 7] = [
        Box::new(|s| s.csrs[0].address = 0x811),
        Box::new(|s| s.csrs[0].access = Access::Ro),
        Box::new(|s| s.csrs[0].fields[0].lo = 1),
        Box::new(|s| s.csrs[0].fields[0].warl = false),
        Box::new(|s| s.csrs[1].fields[0].value = constant(u(5), 9)),
        Box::new(|s| s.fns[1].body.stmts = vec![ret(constant(u(5), 3))]),
        Box::new(|s| drop(s.csrs.pop())),
    ];
    for (i, edit) in edits.iter().enumerate() {
        assert_ne!(after(edit), base, "{i}");
    }
    let renamed = after(&|s| {
        s.csrs[0].name = "renamed".into();
        s.csrs[0].docs = "Words.".into();
        s.csrs[0].fields[0].name = "renamed".into();
        s.csrs[1].locals[1].name = "renamed".into();
    });
    assert_eq!(renamed, base);
    let frozen = Frozen::new(&with_csrs());
    assert!(frozen.to_string().contains(",state="), "{frozen}");
    assert_eq!(Frozen::parse(&frozen.to_string()), Ok(frozen.clone()));
    let named = |edit: &dyn Fn(&mut Section)| {
        let mut interface = with_csrs();
        edit_both(&mut interface, edit);
        let parts = frozen.differences(&interface);
        parts.iter().map(|p| format!("{p} {}", p.change.verb())).collect::<Vec<_>>()
    };
    assert_eq!(named(&|s| s.csrs[0].fields[0].warl = false), ["CSR `view` (address 0x810) changed"]);
    assert_eq!(named(&|s| s.fns[1].body.stmts.clear()), ["CSR `info` (address 0xCC0) changed"]);
    assert_eq!(named(&|s| drop(s.csrs.pop())), ["the CSR at address 0xCC0 is gone"]);
}
