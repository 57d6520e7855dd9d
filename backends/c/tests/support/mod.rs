//! What the tests of this crate share: running compilers, and building contracts.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod random_core;

use std::path::Path;
use std::process::{Command, Output};

use lapis_cx::backend::{Backend, File, Input};
use lapis_cx::contract::core::{BinaryOp, Body, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, Stmt, Type, Value};
use lapis_cx::contract::{self, Contract, FieldId, Form, Interface, Item, Operand, Section, Semantics, Slot, Standard};
use lapis_cx::int::Int;
use lapis_cx::source::Span;

/// Every warning that users switch on, as errors.
pub const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// The compilers and the language each is told to read.
pub const COMPILERS: &[(&str, &[&str])] = &[
    ("gcc", &["-std=c11"]),
    ("g++", &["-std=c++17", "-x", "c++"]),
    ("clang", &["-std=c11"]),
    ("clang++", &["-std=c++17", "-x", "c++"]),
];

/// Runs a tool; a missing one fails with the package that has it.
pub fn run(tool: &str, args: &[&str], dir: &Path) -> Output {
    let package = match tool {
        "gcc" => "gcc",
        "g++" => "g++",
        "llvm-objdump" => "llvm",
        _ => "clang",
    };
    match Command::new(tool).args(args).current_dir(dir).output() {
        Ok(output) => output,
        Err(e) => panic!("`{tool}` does not run ({e}): install the package `{package}`"),
    }
}

/// Runs a tool that must succeed, and returns what it printed.
pub fn must(tool: &str, args: &[&str], dir: &Path) -> String {
    let output = run(tool, args, dir);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} {}\n{stderr}", args.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes files below a folder.
pub fn write(dir: &Path, files: &[File]) {
    for file in files {
        let path = dir.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.text).unwrap();
    }
}

/// Prints a contract.
pub fn emit(contract: &Contract) -> Vec<File> {
    let program = lapis_cx::lower::lower(contract);
    lapis_cx_backend_c::C.emit(Input { contract, program: &program }).unwrap()
}

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

/// MulAcc of the language's documents, built by hand.
pub fn mulacc() -> Contract {
    let section = |xlen: u32| {
        let word = || Type::U(xlen);
        let local = |i| Expr { ty: word(), kind: ExprKind::Local(LocalId(i)) };
        let acc = || Expr { ty: word(), kind: ExprKind::State(FieldId(0)) };
        let binary = |op, a, b| Expr { ty: word(), kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) };
        let product = || binary(BinaryOp::Mul, local(0), local(1));
        let body = |value| Body {
            locals: ["a", "b"].map(|name| Local { name: name.into(), ty: word() }).to_vec(),
            params: 2,
            stmts: vec![
                Stmt::Set(Place { root: PlaceRoot::State(FieldId(0)), path: Vec::new(), ty: word() }, value),
                Stmt::Return(Some(acc())),
            ],
        };
        let mut mul = command("mul", 0, Some(word()), body(product()));
        mul.docs = "acc = a * b; returns the new total. Starts a fresh sum.".into();
        let mut mulacc = command("mulacc", 1, Some(word()), body(binary(BinaryOp::Add, acc(), product())));
        mulacc.docs = "acc += a * b; returns the new total.".into();
        mulacc.forms = vec![Form::R, Form::Flex];
        let state = contract::State {
            sharing: contract::Sharing::Exclusive,
            ucontext: false,
            fields: vec![field("acc", "Running total.", word(), Value::Int(Int::ZERO))],
        };
        let commands = [mul, mulacc].into_iter().chain(standard_commands(xlen)).collect();
        Section { xlen, state: Some(state), commands, ..Section::default() }
    };
    let docs = "Multiply-accumulate over one private accumulator.\nAll arithmetic is modulo 2^XLEN, so signed and \
                unsigned use coincide.";
    contract("MulAcc", Some("mulacc"), docs, vec![section(32), section(64)])
}
