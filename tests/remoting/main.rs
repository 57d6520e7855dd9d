//! Tests of the code that the backend `remoting` generates: both sides compile without warnings against the real headers, reject other
//! headers, and each build system builds a library that programs load in place of the real one.
//!
//! `BLESS=1` writes the expected files of the small library. These tests have their own engine, which makes each call at once.

#![allow(clippy::unwrap_used, clippy::panic)]

mod builds;
mod small;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lapis_cx::backend::Backend;
use lapis_cx::contract::Item;
use lapis_cx::contract::library::Library;
use lapis_cx::driver::Outcome;
use lapis_cx_backend_c::library::prototypes;
use lapis_cx_tests::spec;

/// The compilers, each for C and for C++.
const COMPILERS: [&[&str]; 4] = [
    &["gcc", "-std=c11"],
    &["clang", "-std=c11"],
    &["g++", "-x", "c++", "-std=c++17"],
    &["clang++", "-x", "c++", "-std=c++17"],
];

const STRICT: [&str; 7] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-O2"];

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("remoting")
}

/// Returns the folder of cx_remote.h.
fn engine_headers() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/remote/include")
}

fn run(command: &mut Command) -> Output {
    command.env("LC_ALL", "C").output().unwrap_or_else(|e| panic!("{command:?}: {e}; `tests/run` installs it"))
}

/// Runs a command that must succeed, and returns its output.
fn out(command: &mut Command) -> String {
    let output = run(command);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap()
}

fn library(outcome: &Outcome) -> &Library {
    let mut libraries = spec::contract(outcome).items.iter().filter_map(|item| match item {
        Item::Library(library) => Some(&**library),
        _ => None,
    });
    libraries.next().unwrap()
}

/// Compiles one side of a library with one compiler. Returns the messages if it fails.
fn compile(compiler: &[&str], folder: &Path, file: &str, flags: &[String]) -> Result<(), String> {
    let [name, rest @ ..] = compiler else { panic!("no compiler") };
    let mut command = Command::new(name);
    command.args(rest).args(STRICT).args(["-D_GNU_SOURCE", "-fPIC", "-fvisibility=hidden", "-c", "-o", "/dev/null"]);
    command.arg("-I").arg(engine_headers()).arg("-I").arg(here().join("headers")).arg("-I").arg(here());
    command
        .arg("-I")
        .arg(folder)
        .arg("-I")
        .arg(folder.join("include"))
        .args(flags)
        .arg(folder.join("remoting").join(file));
    let output = run(&mut command);
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Writes the generated files of a specification, and declarations of its functions for headers that tests write.
fn printed(outcome: &Outcome, stem: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    spec::write(outcome, folder.path());
    let declarations: String = prototypes(library(outcome)).iter().map(|one| format!("{}\n", one.text)).collect();
    fs::write(folder.path().join(format!("{stem}_prototypes.h")), declarations.replace("_Bool", "bool")).unwrap();
    folder
}

/// Both sides compile with all compilers, and the fuzzer with those of C.
fn compiles(spec: &str, stem: &str, flags: &[&str]) {
    let outcome = spec::build(spec);
    let folder = printed(&outcome, spec);
    let flags = flags.iter().map(|flag| (*flag).to_owned());
    let flags: Vec<String> = flags.chain(library(&outcome).binding.cflags.iter().cloned()).collect();
    for compiler in COMPILERS {
        for side in ["guest", "worker"] {
            if let Err(said) = compile(compiler, folder.path(), &format!("{stem}_{side}.c"), &flags) {
                panic!("{compiler:?} {side}: {said}");
            }
        }
    }
    let text = fs::read(spec::folder().join(format!("{spec}.cxspec"))).unwrap();
    fuzzer_compiles(&text, (spec, stem), folder.path(), &flags);
}

fn fuzzer_compiles(text: &[u8], (name, stem): (&str, &str), folder: &Path, flags: &[String]) {
    let backend = spec::REMOTING.with_options(&[("fuzzer", "on")]).unwrap();
    spec::write(&spec::build_with(name, text, &[&*backend]), folder);
    for compiler in &COMPILERS[..2] {
        assert_eq!(compile(compiler, folder, &format!("{stem}_fuzz.c"), flags), Ok(()), "{compiler:?}");
    }
}

#[test]
fn zlib_compiles() {
    compiles("zlib", "zlib", &[]);
}

#[test]
fn sqlite_compiles() {
    compiles("sqlite", "sqlite", &[]);
}

#[test]
fn opencl_compiles() {
    compiles("opencl", "open_cl", &[]);
}

#[test]
fn tinycl_compiles() {
    compiles("tinycl", "tiny_cl", &[]);
}

#[test]
fn rows_compile() {
    compiles("rows", "rows", &[]);
}

/// A stub defines a function that the header declares, so another type in the header is an error.
#[test]
fn header_with_another_type_is_an_error() {
    let outcome = spec::build_text("small", fs::read(here().join("small.cxspec")).unwrap());
    let header = fs::read_to_string(here().join("small.h")).unwrap();
    let changes = [
        ("int (small_add)(int a, int b);", "int (small_add)(int a, long b);", "guest"),
        ("int small_sum(const int values[4]);", "int small_sum(int values[4]);", "guest"),
        ("small_point small_move(", "int small_move(", "guest"),
        ("int small_control(int operation, ...);", "int small_control(int operation);", "guest"),
        ("int small_secret(int n);", "int small_secret(unsigned n);", "guest"),
        ("typedef int (*small_visit)(int value);", "typedef int (*small_visit)(unsigned value);", "worker"),
        ("int x; unsigned char tag;", "int y; unsigned char tag;", "guest"),
    ];
    for (from, to, side) in changes {
        assert!(header.contains(from), "{from}");
        let folder = printed(&outcome, "small");
        let own = folder.path().join("small.h");
        fs::write(&own, &header).unwrap();
        let flags = ["-include".to_owned(), own.display().to_string()];
        let file = format!("small_{side}.c");
        for compiler in &COMPILERS[..2] {
            fs::write(&own, &header).unwrap();
            assert_eq!(compile(compiler, folder.path(), &file, &flags), Ok(()), "{from}");
            fs::write(&own, header.replace(from, to)).unwrap();
            assert!(compile(compiler, folder.path(), &file, &flags).is_err(), "{to} {compiler:?}");
        }
    }
}

/// A build that does not name the backend generates nothing.
#[test]
fn backend_runs_only_on_request() {
    let unasked = lapis_cx_backends::unasked();
    assert!(unasked.iter().all(|backend| backend.name() != "remoting"));
    assert_eq!(unasked.len() + 1, lapis_cx_backends::all().len());
}
