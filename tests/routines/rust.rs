//! The same in Rust, in both editions.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx_tests::rust::{EDITIONS, program, with_runtime};
use lapis_cx_tests::spec;

use crate::{MACHINES, here, printed};

/// Builds a program of this folder over what is generated in another one.
fn built(folder: &Path, name: &str, edition: &str, xlen: u32) -> PathBuf {
    let copy = folder.join(name);
    fs::copy(here("routines").join(name), &copy).unwrap();
    let mut rustc = with_runtime(edition);
    rustc.arg(format!("--cfg=cx_xlen=\"{xlen}\"")).args(["-Copt-level=1", "-Cdebug-assertions", "-Coverflow-checks"]);
    program(rustc, &copy, &folder.join("rust_program"))
}

/// The dot products of the CX API's examples, out of the source that C has too; and what they call panics.
#[test]
fn four_dot_products_of_one_source_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = spec::build_text("dotp", include_bytes!("dotp.cxspec").as_slice());
    spec::write(&outcome, folder.path());
    let mut said = Vec::new();
    for (edition, xlen) in EDITIONS.into_iter().zip([32, 64]) {
        let program = built(folder.path(), "dotp.rs", edition, xlen);
        said.extend(MACHINES.map(|machine| printed(&program, machine)));
    }
    assert!(said[0].split_whitespace().count() == 40 && said.iter().all(|one| *one == said[0]), "{said:?}");
}

/// Several interfaces in one `with`, `else`, early ends, buffers that are lent, short or not there, and commands that are
/// issued once for many.
#[test]
fn commands_are_issued_as_often_as_they_must_be() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = spec::build_text("issued", include_bytes!("issued.cxspec").as_slice());
    spec::write(&outcome, folder.path());
    for (edition, xlen) in EDITIONS.into_iter().zip([64, 32]) {
        let program = built(folder.path(), "issued.rs", edition, xlen);
        let said = ["both", "second", "none"].map(|machine| printed(&program, machine));
        assert!(!said[0].is_empty() && said[1..].iter().all(|one| *one == said[0]), "{said:?}");
    }
}

/// A program that runs the functions of a random library: of each, whether it follows the CX calling convention, and whether
/// all that it calls preserves shared state.
pub fn random(folder: &Path, edition: &str, xlen: u32, functions: impl Iterator<Item = (bool, bool)>) -> PathBuf {
    let generated = fs::read_to_string(folder.join("rust/rnd.rs")).unwrap();
    let has = |text: &str| generated.contains(text);
    let mut table = "const ROWS: &[Row] = &[\n".to_owned();
    for (at, (follows_cx, preserves)) in functions.enumerate() {
        let (called, given) =
            if has(&format!("pub fn f{at}<C: Calls>(")) { ("called", "called, ") } else { ("_called", "") };
        let _ = writeln!(
            table,
            "    Row {{ run: |library, {called}, a, out, v0, n| library.f{at}({given}a, out, v0, n), follows_cx: \
             {follows_cx}, preserves: {preserves} }},"
        );
    }
    table += "];\n";
    if has("pub trait Calls") {
        table += "impl rnd::Calls for Called<'_> {\n";
        for name in ["legacy", "aware"].iter().filter(|name| has(&format!("fn {name}(&mut self"))) {
            let _ = writeln!(table, "    fn {name}(&mut self, x: u32) -> u32 {{ Called::{name}(self, x) }}");
        }
        table += "}\n";
    }
    fs::write(folder.join("table.rs"), table).unwrap();
    built(folder, "rnd.rs", edition, xlen)
}
