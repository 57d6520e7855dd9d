//! Firmware without Rust: the machine in C that a platform becomes, against the machine in Rust, on a board without an operating
//! system, and against the oracle.

#![allow(clippy::unwrap_used, clippy::panic)]

mod board;
mod commands;
mod model;
mod opcodes;
mod traps;

use std::path::Path;

use lapis_cx::diagnostic::render;
use lapis_cx::driver::{Effort, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx_backend_c::C;
use lapis_cx_tests::spec;

/// A spec in C, with the machines of its platforms.
fn build(name: &str, text: &str) -> Outcome {
    let root = SourceText { name: format!("{name}.cxspec"), bytes: text.as_bytes().to_vec() };
    let outcome = compile(root, &mut spec::importable(), &mut NoVerdicts, Effort::Build, &[&C::WITH_FIRMWARE]);
    let shown = render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN);
    assert!(!outcome.has_errors(), "{shown}");
    outcome
}

/// Where generated headers are, and those of the CX API.
fn includes(folder: &Path) -> Vec<String> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders =
        [folder.join("include"), project.join("lapis-cx/runtime/include"), project.join("lapis-cx/core/include")];
    folders.iter().map(|folder| format!("-I{}", folder.display())).collect()
}
