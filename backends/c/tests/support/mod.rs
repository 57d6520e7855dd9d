//! What the tests of this crate share: running compilers, and building contracts.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

#[path = "../../../../lapis-cx/compiler/tests/lowering/random/mod.rs"]
pub mod random;

#[path = "../../../../tests/src/cc.rs"]
mod cc;

use std::path::Path;
use std::process::{Command, Output};

pub use cc::WARNINGS;
use lapis_cx::backend::{Backend, File, Input};
use lapis_cx::contract::core::{BinaryOp, Body, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, Stmt, Type, Value};
use lapis_cx::contract::{self, Contract, FieldId, Form, Section};
use lapis_cx::int::Int;
pub use random::{command, contract, field, standard_commands};

/// The programs of all compilers, and what tells each its language.
pub fn compilers() -> impl Iterator<Item = (&'static str, [&'static str; 3])> {
    cc::COMPILERS.into_iter().flat_map(|compiler| cc::LANGUAGES.map(|language| compiler.tool(language)))
}

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
    lapis_cx_backend_c::C.emit(Input::new(contract, &program)).unwrap()
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
            docs: String::new(),
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
