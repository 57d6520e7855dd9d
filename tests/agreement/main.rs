//! The lowered core and the generated code agree with the oracle: result, state and response, for every command, at each
//! XLEN, on all edge values and on random ones. The C is compiled by gcc and clang, at -O0 with the undefined-behaviour
//! sanitizer and at -O2. So does the generated Rust, in both editions, with overflow checks and optimised.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use lapis_cx::contract::{Contract, Interface, Section, Semantics};
use lapis_cx::driver::Outcome;
use lapis_cx::lower::Program;
use lapis_cx_tests::agreement::{program, rust, vectors};
use lapis_cx_tests::cc::{COMPILERS, Language};
use lapis_cx_tests::random_spec::{batch, judge};
use lapis_cx_tests::rust::EDITIONS;
use lapis_cx_tests::{cc, long, spec};

/// Random vectors for each command, XLEN and build.
fn random_vectors() -> usize {
    if long() { 1_000_000 } else { 10_000 }
}

fn agree(name: &str) {
    agree_all(&spec::build(name), random_vectors());
}

fn agree_all(outcome: &Outcome, random: usize) {
    let folder = tempfile::tempdir().unwrap();
    spec::write(outcome, folder.path());
    let contract = spec::contract(outcome);
    let program = lapis_cx::lower::lower(contract);
    let built_in_rust = in_rust(contract, &program, folder.path());
    let interfaces = contract.interfaces().zip(&program.interfaces);
    // An interface of opaque commands has nothing to agree about.
    let runs = |interface: &Interface| {
        interface.sections.iter().flat_map(|s| &s.commands).any(|c| c.semantics != Semantics::Opaque)
    };
    for (interface, lowered) in interfaces.filter(|(interface, _)| !interface.is_abstract && runs(interface)) {
        let stem = spec::stem(interface);
        for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
            let driver = folder.path().join(format!("{stem}_{}.c", section.xlen));
            std::fs::write(&driver, program::text(&[(interface, section)])).unwrap();
            let vectors = vectors::make(section, random);
            let expected = vectors::expect(section, &vectors);
            let interpreted = vectors::interpret(section, lowered, &vectors).unwrap();
            compare(section, &vectors, &expected, &interpreted, &"the lowered core");
            let input = vectors::encode(section, &vectors);
            let words = program::bytes(&input.concat());
            for (edition, built) in &built_in_rust {
                let found = program::run(built, &[&rust::name(interface, section)], &words);
                let found = vectors::decode(section, &found.unwrap());
                compare(section, &vectors, &expected, &found, &("the generated Rust", edition));
            }
            let input = program::input(&[input]);
            for compiler in COMPILERS {
                for optimised in [false, true] {
                    let to = folder.path().join(format!("{stem}_{}_{compiler:?}_{optimised}", section.xlen));
                    let mut command = compiler.command(Language::C11);
                    if optimised {
                        command.arg("-O2");
                    } else {
                        command.arg("-O0").args(compiler.sanitize());
                    }
                    command.args(cc::WARNINGS).arg(format!("-DCX_XLEN={}", section.xlen));
                    command.arg("-I").arg(folder.path().join("include"));
                    let sources = [driver.clone(), folder.path().join(format!("src/{stem}_fallback.c"))];
                    let built = cc::program(command, &sources, &to);
                    let found = vectors::decode(section, &program::run(&built, &[], &input).unwrap());
                    compare(section, &vectors, &expected, &found, &("the generated C", compiler, optimised));
                }
            }
        }
    }
}

/// All modules of a spec in one program of Rust, built in each edition and with each choice of flags, each of them once.
fn in_rust(contract: &Contract, program: &Program, folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let interfaces = contract.interfaces().zip(&program.interfaces).filter(|(interface, _)| !interface.is_abstract);
    let modules = interfaces.flat_map(|(interface, lowered)| {
        let sections = interface.sections.iter().zip(&lowered.sections);
        sections.map(move |(section, lowered)| rust::Module { interface, section, lowered })
    });
    let source = folder.join("agree.rs");
    std::fs::write(&source, rust::text(&modules.collect::<Vec<_>>())).unwrap();
    let flags = [["-Copt-level=0", "-Cdebug-assertions=on"], ["-Copt-level=3", "-Cdebug-assertions=off"]];
    let built = EDITIONS.into_iter().zip(flags).map(|(edition, flags)| {
        let mut command = lapis_cx_tests::rust::command("rustc", edition);
        command.args(flags);
        (edition, lapis_cx_tests::rust::program(command, &source, &folder.join(format!("agree{edition}"))))
    });
    built.collect()
}

fn compare(
    section: &Section,
    vectors: &[vectors::Vector],
    expected: &[vectors::Answer],
    found: &[vectors::Answer],
    whose: &dyn Debug,
) {
    assert_eq!(found.len(), expected.len(), "{whose:?}: the program answered another number of vectors");
    for ((vector, expected), found) in vectors.iter().zip(expected).zip(found) {
        assert_eq!(expected, found, "XLEN {}: {vector:#x?} (left: the oracle, right: {whose:?})", section.xlen);
    }
}

/// One test for each spec, so that they run side by side; and one that none is forgotten.
macro_rules! agree {
    ($($name:ident)*) => {
        $(#[test] fn $name() { agree(stringify!($name)); })*

        #[test]
        fn every_spec_is_here() {
            // Libraries and platforms have no commands.
            let has_commands = |name: &String| {
                let contract = spec::build(name).contract.unwrap();
                contract.interfaces().flat_map(|i| &i.sections).any(|s| !s.commands.is_empty())
            };
            let shipped: Vec<_> = spec::shipped().into_iter().filter(has_commands).collect();
            assert_eq!(shipped, [$(stringify!($name)),*]);
        }
    };
}
agree!(bitkit crc32c crypto fallback frobate keccak mulacc pair rocknroll simd tile);

/// What random specs found once. A file that is dropped into `kept` stays right, in all builds.
#[test]
fn kept_specs_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("agreement/kept");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let build = |path: &PathBuf| spec::build_text(&path.display().to_string(), std::fs::read(path).unwrap());
    let outcomes: Vec<_> = paths.iter().map(build).collect();
    for (path, outcome) in paths.iter().zip(&outcomes) {
        judge::lowered(outcome).unwrap_or_else(|fault| panic!("{}: {fault:?}", path.display()));
    }
    let outcomes: Vec<_> = outcomes.iter().collect();
    for build in batch::builds() {
        batch::agree(&outcomes, build).unwrap_or_else(|fault| panic!("{}\n{}", fault.kind, fault.what));
    }
}

#[test]
fn what_is_awkward_agrees() {
    // Long divisions take their time in exact arithmetic.
    agree_all(&spec::build_text("torture", include_str!("../../backends/torture.cxspec")), 100);
    agree_all(&spec::build_text("names", include_str!("../../backends/rust/tests/names.cxspec")), 100);
}

#[test]
fn csrs_of_every_kind_agree() {
    let text = include_str!("../../lapis-cx/compiler/tests/cases/ok/csrs.cxspec");
    agree_all(&spec::build_text("csrs", text), 1_000);
}

#[test]
fn images_of_what_is_live_agree() {
    let text = include_str!("../../lapis-cx/compiler/tests/cases/ok/live.cxspec");
    agree_all(&spec::build_text("live", text), 1_000);
}
