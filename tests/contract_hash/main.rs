//! Two implementations of the contract hash agree: the compiler, and a program in Python that was written from
//! `lapis-cx/compiler/src/contract/CANONICAL.md`.
//!
//! Inputs are the shipped specs, the good cases of the compiler, and `cases/*.cxspec`, which cover the document's tables
//! row by row. A folder with the name of a case holds what it imports.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx::contract::canonical;
use lapis_cx::diagnostic::render::{Style, render};
use lapis_cx::driver::{Effort, NoVerdicts, compile};
use lapis_cx_tests::random_spec::{dice::Dice, item, names::Names, print};
use lapis_cx_tests::spec::{Files, read};

/// `tests` in the repository.
fn tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The specs of a folder by name, at least so many.
fn specs(folder: &Path, least: usize) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cxspec"));
    paths.sort();
    assert!(paths.len() >= least, "{} has {} specs", folder.display(), paths.len());
    paths
}

/// The files beside a spec and those in the folder of its name.
fn beside(path: &Path) -> Files {
    let mut paths = specs(path.parent().unwrap(), 1);
    paths.retain(|other| other != path);
    let folder = path.with_extension("");
    if folder.is_dir() {
        paths.extend(specs(&folder, 1));
    }
    Files(paths)
}

/// Name, hash and text of each interface, as the compiler has them, or its findings.
fn compiled(path: &Path) -> Result<String, String> {
    let outcome = compile(read(path), &mut beside(path), &mut NoVerdicts, Effort::Build, &[]);
    if outcome.has_errors() {
        return Err(render(&outcome.diagnostics, &outcome.sources, Style::GOLDEN));
    }
    let mut out = String::new();
    for interface in outcome.contract.unwrap().interfaces().filter(|i| !i.is_abstract) {
        let text = canonical::text(interface);
        write!(out, "{}:{} {}\n{text}", interface.package, interface.name, interface.hash).unwrap();
    }
    Ok(out)
}

/// The same, as the Python program has them.
fn computed(path: &Path) -> Result<String, String> {
    let mut command = Command::new("python3");
    // No compiled files beside the sources.
    command.arg("-B").arg(tests().join("contract_hash")).arg(path).arg("--text");
    let folder = path.with_extension("");
    if folder.is_dir() {
        command.arg("-I").arg(folder);
    }
    let output = command.output().unwrap_or_else(|e| panic!("python3 does not run: {e}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Where the Python program says something else.
fn difference(path: &Path, expected: &str) -> Option<String> {
    let got = match computed(path) {
        Ok(got) if got == expected => return None,
        Ok(got) => got,
        Err(why) => return Some(format!("---- {}\n{why}", path.display())),
    };
    let mut lines = expected.lines().zip(got.lines().chain(std::iter::repeat("")));
    let (expected, got) = lines.find(|(a, b)| a != b).unwrap_or(("the end", "more"));
    Some(format!("---- {}\n-- the compiler\n{expected}\n-- Python\n{got}\n", path.display()))
}

/// Compares every spec of a folder, and gives how many interfaces they have.
fn agree(folder: &Path, least: usize) -> usize {
    let (mut interfaces, mut wrong) = (0, String::new());
    for path in specs(folder, least) {
        let expected = compiled(&path).unwrap_or_else(|findings| panic!("{findings}"));
        interfaces += expected.matches("(cx1\n").count();
        wrong.extend(difference(&path, &expected));
    }
    assert!(wrong.is_empty(), "{wrong}");
    interfaces
}

#[test]
fn shipped_specs() {
    assert!(agree(&tests().join("../specs"), 4) >= 5);
}

#[test]
fn good_cases_of_the_compiler() {
    assert!(agree(&tests().join("../lapis-cx/compiler/tests/cases/ok"), 15) >= 15);
}

#[test]
fn rows_of_the_document() {
    assert!(agree(&tests().join("contract_hash/cases"), 10) >= 15);
}

#[test]
fn random_specs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.cxspec");
    let count = if lapis_cx_tests::long() { 1000 } else { 25 };
    let (mut compared, mut wrong) = (0, String::new());
    for seed in 0..count {
        let spec = item::generate(Dice::seeded(seed), format!("s{seed}"));
        fs::write(&path, print::print(&spec, &Names::plain(&spec), print::PLAIN)).unwrap();
        // Whether the compiler should take a spec is a question for other tests.
        let Ok(expected) = compiled(&path) else { continue };
        compared += 1;
        wrong.extend(difference(&path, &expected).map(|found| format!("seed {seed}: {found}")));
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared >= count * 9 / 10, "the compiler took {compared} of {count} specs");
}

#[test]
fn the_worked_example_of_the_language() {
    let hash = "014907b79753bf39cb68b8cc31762d17da8e10c193796aa02a339ed0238f36f9";
    let printed = computed(&tests().join("../specs/mulacc.cxspec")).unwrap();
    assert!(printed.starts_with(&format!("org.example.dsp:MulAcc {hash}\n(cx1\n")), "{printed}");
}

#[test]
fn what_is_no_spec_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.cxspec");
    for (text, said) in [
        ("cxspec 1; package a.b; draft interface X {", "line 1: expected name, found ''"),
        ("cxspec 1; package a.b; draft interface X { command a = 0 : R () { x = 1; } }", "no value is called 'x'"),
        ("cxspec 1; package a.b; draft interface X { command a = 0 : R () -> u8 { return 256; } }", "does not fit"),
    ] {
        fs::write(&path, text).unwrap();
        let why = computed(&path).unwrap_err();
        assert!(why.contains(said) && !why.contains("Traceback"), "{why}");
    }
}
