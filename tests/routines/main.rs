//! Functions of libraries, generated from bodies that use interfaces: compiled with warnings as errors, run over the runtime
//! on each machine, they compute what plain code does, and leave selections and states as their conventions say.

#![allow(clippy::unwrap_used)]

mod random;
mod rust;

use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx::backend::Backend;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx_backend_c::C;
use lapis_cx_tests::cc::{self, COMPILERS, Compiler, LANGUAGES, Language, WARNINGS};
use lapis_cx_tests::spec;

/// What a machine has of the CXs: all in software; one context of each; none; none, and software that stands in.
const MACHINES: [&str; 4] = ["soft", "few", "absent", "emulated"];

/// What `rustc --print=native-static-libs` says for Linux.
const SYSTEM: [&str; 7] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What compiles generated files, with the headers of the runtime.
fn compiler(compiler: Compiler, language: Language, xlen: u32, folder: &Path) -> Command {
    let mut command = compiler.command(language);
    command.args(WARNINGS).arg("-O1").arg(format!("-DCX_XLEN={xlen}"));
    for include in [folder.join("include"), here("../lapis-cx/runtime/include"), here("../lapis-cx/core/include")] {
        command.arg("-I").arg(include);
    }
    command
}

/// A program of these sources, with the runtime.
fn linked(mut command: Command, sources: &[PathBuf], flags: &[&str], to: &Path) -> PathBuf {
    command.args(flags).args(sources).args(["-x", "none"]);
    command.arg(std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.a")).args(SYSTEM);
    cc::run(command.arg("-o").arg(to));
    to.to_owned()
}

fn printed(program: &Path, machine: &str) -> String {
    String::from_utf8(cc::run(Command::new(program).arg(machine)).stdout).unwrap()
}

/// The files of the dot products, printed in one of two ways.
fn generated(abi: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = SourceText { name: "dotp.cxspec".to_owned(), bytes: include_bytes!("dotp.cxspec").to_vec() };
    let c = C.with_options(&[("abi", abi)]).unwrap();
    let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&*c]);
    assert!(!outcome.has_errors());
    spec::write(&outcome, folder.path());
    folder
}

/// The dot products of the CX API's examples, out of one source; and the same as older code calls them.
// Sentences: cx-api 52-57.
#[test]
fn four_dot_products_of_one_source() {
    let folders = [(generated("preserved"), None), (generated("ambient"), Some("-DAMBIENT"))];
    let wraps = ["cx_select", "cx_save", "cx_restore"].map(|name| format!("-Wl,--wrap={name}"));
    let mut said = Vec::new();
    let compilers = COMPILERS.iter().flat_map(|c| LANGUAGES.map(|l| (*c, l)));
    for (at, (family, language)) in compilers.enumerate() {
        let xlen = if at % 2 == 0 { 64 } else { 32 };
        // The older one in two of four ways.
        for (folder, define) in folders.iter().take(if at % 3 == 0 { 2 } else { 1 }) {
            let folder = folder.path();
            let sources = ["src/dotp.c", "src/mac_fallback.c", "src/smac_fallback.c"].map(|name| folder.join(name));
            let sources: Vec<_> = sources.into_iter().chain([here("routines/dotp.c")]).collect();
            let flags = wraps.iter().map(String::as_str).chain(family.sanitize().iter().copied()).chain(*define);
            let command = compiler(family, language, xlen, folder);
            let program = linked(command, &sources, &flags.collect::<Vec<_>>(), &folder.join(format!("dotp{at}")));
            said.extend(MACHINES.map(|machine| printed(&program, machine)));
        }
    }
    assert!(said[0].split_whitespace().count() == 40 && said.iter().all(|one| *one == said[0]), "{said:?}");
}

/// What was wrong once, on each machine.
#[test]
fn kept_mistakes_stay_mended() {
    let folder = tempfile::tempdir().unwrap();
    spec::write(&spec::build_text("kept", include_bytes!("kept.cxspec").as_slice()), folder.path());
    let names = ["kept", "ex_fallback", "ce_fallback", "cr_fallback", "bare_fallback", "own_fallback"];
    let sources = names.map(|name| folder.path().join(format!("src/{name}.c")));
    // `(const bool[]){…}` is no C++.
    let ways =
        [(COMPILERS[0], Language::C11, 32), (COMPILERS[0], Language::C11, 64), (COMPILERS[1], Language::C11, 32)];
    for (family, language, xlen) in ways {
        let sources: Vec<_> = sources.iter().cloned().chain([here("routines/kept.c")]).collect();
        let command = compiler(family, language, xlen, folder.path());
        let program = linked(command, &sources, family.sanitize(), &folder.path().join("program"));
        MACHINES.iter().for_each(|machine| drop(printed(&program, machine)));
    }
    for (family, language) in COMPILERS.into_iter().flat_map(|c| LANGUAGES.map(|l| (c, l))) {
        for xlen in [32, 64] {
            let mut command = compiler(family, language, xlen, folder.path());
            cc::run(command.arg("-c").arg(&sources[0]).arg("-o").arg(folder.path().join("kept.o")));
        }
    }
}
