//! The same in Rust, in both editions.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx_tests::rust::{EDITIONS, program, with_runtime};
use lapis_cx_tests::spec;

use crate::random::draw::Drawn;
use crate::random::kind::Kind;
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

/// What was wrong once.
#[test]
fn kept_mistakes_stay_mended_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    spec::write(&spec::build_text("kept", include_bytes!("kept.cxspec").as_slice()), folder.path());
    for (edition, xlen) in EDITIONS.into_iter().zip([32, 64]) {
        let program = built(folder.path(), "kept.rs", edition, xlen);
        MACHINES.iter().for_each(|machine| drop(printed(&program, machine)));
    }
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

/// A program that runs the functions of a random library.
pub fn random(folder: &Path, edition: &str, xlen: u32, drawn: &Drawn) -> PathBuf {
    let generated = fs::read_to_string(folder.join("rust/rnd.rs")).unwrap();
    let has = |text: &str| generated.contains(text);
    let (mut callers, mut rows) = (String::new(), String::new());
    for (at, f) in drawn.functions.iter().enumerate() {
        let shape = drawn.shapes[f.shape];
        let (called, given) =
            if has(&format!("pub fn f{at}<C: Calls>(")) { ("called", "called, ") } else { ("_called", "") };
        let number = |kind: &Kind, value: &str| match kind.is_bool() {
            true => format!("{value} & 1 != 0"),
            false => format!("{value} as {}", kind.api[2]),
        };
        let array = |name: &str, kind: &Kind, is_mutable: bool| {
            let mutable = if is_mutable { "mut " } else { "" };
            format!("    let {mutable}{name} = call.{name}.map(|x| {});\n", number(kind, "x"))
        };
        let (a, out, b) = (array("a", shape.a, false), array("out", shape.out, true), array("b", shape.b, true));
        let (v, w, n) = (number(f.v, "call.v"), number(f.w, "call.w"), number(shape.n, "call.n"));
        let call =
            format!("library.f{at}({given}&a, (!call.is_null).then_some(&mut out[..]), &mut b, {v}, {w}, call.t, {n})");
        let call = if f.result.is_some() { format!("call.result = {call} as u64") } else { call };
        let _ = write!(
            callers,
            "fn f{at}(library: &Library, {called}: &mut Called<'_>, call: &mut Call) {{\n{a}{out}{b}    let before = out;\n    \
             {call};\n    for k in 0..8 {{\n        assert!((k as i64) < call.n as i64 || out[k] == before[k]);\n    }}\n    \
             call.out = out.map(|x| x as u64);\n    call.b = b.map(|x| x as u64);\n}}\n"
        );
        let (follows_cx, preserves, is_signed) = (f.follows_cx, !f.destroys, shape.n.is_signed);
        let _ = writeln!(
            rows,
            "    Row {{ run: f{at}, follows_cx: {follows_cx}, preserves: {preserves}, is_signed: {is_signed} }},"
        );
    }
    let mut table = format!("{callers}const ROWS: &[Row] = &[\n{rows}];\n");
    if has("pub trait Calls") {
        table += "impl rnd::Calls for Called<'_> {\n";
        let all = [
            ("legacy", "x: u32", "x", "u32"),
            ("aware", "x: u32", "x", "u32"),
            ("narrow", "x: i8, y: u64", "x, y", "i16"),
            ("flagged", "x: bool, y: usize", "x, y", "bool"),
        ];
        for (name, params, args, result) in all.iter().filter(|(name, ..)| has(&format!("fn {name}(&mut self"))) {
            let _ =
                writeln!(table, "    fn {name}(&mut self, {params}) -> {result} {{ Called::{name}(self, {args}) }}");
        }
        table += "}\n";
    }
    fs::write(folder.join("table.rs"), table).unwrap();
    built(folder, "rnd.rs", edition, xlen)
}
