//! Commands without a body: the fallback in C calls a function that the program defines, the one in Rust has them as a
//! parameter. With bodies that do the same, both answer the same; without, neither builds.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::{self, COMPILERS, Language, WARNINGS};
use lapis_cx_tests::rust::{EDITIONS, command, program};
use lapis_cx_tests::spec;

/// Bodies in C, and a program that issues all commands to one state and tells what they answer.
const C: &str = include_str!("bodies.c");
/// The same in Rust.
const RUST: &str = include_str!("bodies.rs");

fn printed(program: &Path) -> String {
    String::from_utf8(cc::run(&mut Command::new(program)).stdout).unwrap()
}

fn generated(folder: &Path) {
    spec::write(&spec::build_text("open", include_str!("../../backends/open.cxspec")), folder);
}

#[test]
fn c_and_rust_with_the_same_bodies_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path());
    let (c, rust) = (folder.path().join("bodies.c"), folder.path().join("bodies.rs"));
    fs::write(&c, C).unwrap();
    let to = folder.path().join("program");
    for xlen in [32, 64] {
        let mut said = Vec::new();
        for compiler in COMPILERS {
            let mut command = compiler.command(Language::C11);
            command.args(WARNINGS).arg("-O2").arg(format!("-DCX_XLEN={xlen}"));
            command.arg("-I").arg(folder.path().join("include"));
            let fallbacks = ["op", "plain", "dev"].map(|stem| folder.path().join(format!("src/{stem}_fallback.c")));
            let sources: Vec<_> = std::iter::once(c.clone()).chain(fallbacks).collect();
            said.push(printed(&cc::program(command, &sources, &to)));
        }
        fs::write(&rust, RUST.replace("XLEN", &xlen.to_string())).unwrap();
        for edition in EDITIONS {
            said.push(printed(&program(command("rustc", edition), &rust, &to)));
        }
        // Each kind of end occurs.
        for response in 0..=6 {
            let is_here = said[0].lines().any(|line| line.split(' ').nth(1) == Some(&response.to_string()));
            assert!(is_here || response == 2, "{xlen}: no command answered {response}");
        }
        for other in &said {
            for (line, (expected, found)) in said[0].lines().zip(other.lines()).enumerate() {
                assert_eq!(expected, found, "XLEN {xlen}, line {line}");
            }
            assert_eq!(said[0].len(), other.len());
        }
    }
}

/// What rustc says of a crate that registers `cxu`.
fn refusal(cxu: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path());
    let source = folder.path().join("registers.rs");
    let text = format!(
        "#[path = \"rust/op.rs\"]\nmod op;\nfn register<C: lapis_cx_core::RustCxu>() {{}}\nstruct Other;\n\
         fn main() {{\n    register::<op::{cxu}>();\n}}\n"
    );
    fs::write(&source, text).unwrap();
    let mut rustc = command("rustc", "2024");
    let output = rustc.arg("--emit=metadata").arg("-o").arg(folder.path().join("m")).arg(&source).output().unwrap();
    assert!(!output.status.success(), "{cxu}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn nothing_is_registered_without_bodies() {
    let said = refusal("SoftCxu<Other>");
    assert!(said.contains("`Other` does not say what the open commands of `org.example.open:Open` do"), "{said}");
    assert!(said.contains("implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"), "{said}");
    let said = refusal("SoftCxu");
    assert!(said.contains("error[E0107]: missing generics for struct `xlen64::SoftCxu`"), "{said}");
}
