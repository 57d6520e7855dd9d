//! Functions of libraries in Rust, generated from bodies that use interfaces: compiled in both editions with warnings as
//! errors, run over the runtime on each machine, they compute what plain code does, and leave selections and states as their
//! conventions say, also where a function that they call panics.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::rust::{EDITIONS, with_runtime};
use lapis_cx_tests::spec;

/// What a machine has of the CXs: all in software; one context of each; none; none, and software that stands in.
const MACHINES: [&str; 4] = ["soft", "few", "absent", "emulated"];

/// Builds a program over what is generated of a spec, and tells what it prints on each machine: the same on all.
fn said(spec: &str, text: &str, program: &str) {
    let folder = tempfile::tempdir().unwrap();
    spec::write(&spec::build_text(spec, text), folder.path());
    let mut said = Vec::new();
    for edition in EDITIONS {
        for xlen in [32, 64] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("routines_rust").join(program);
            let copy = folder.path().join(program);
            fs::copy(source, &copy).unwrap();
            let mut rustc = with_runtime(edition);
            rustc.arg(format!("--cfg=cx_xlen=\"{xlen}\"")).args(["-Copt-level=1", "-Cdebug-assertions"]);
            let to: PathBuf = lapis_cx_tests::rust::program(rustc, &copy, &folder.path().join("program"));
            said.extend(MACHINES.map(|machine| {
                String::from_utf8(run(Command::new(&to).arg(machine).arg(xlen.to_string())).stdout).unwrap()
            }));
        }
    }
    assert!(!said[0].is_empty() && said.iter().all(|one| *one == said[0]), "{said:?}");
}

/// The dot products of the CX API's examples, out of the source that C has too.
#[test]
fn four_dot_products_of_one_source() {
    said("dotp", include_str!("../routines/dotp.cxspec"), "dotp.rs");
}
