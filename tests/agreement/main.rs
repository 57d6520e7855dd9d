//! The lowered core and the generated C agree with the oracle: result, state and response, for every command, at each
//! XLEN, on all edge values and on random ones. The C is compiled by gcc and clang, at -O0 with the undefined-behaviour
//! sanitizer and at -O2.

#![allow(clippy::unwrap_used, clippy::panic)]

mod program;
mod vectors;

use std::fmt::Debug;

use lapis_cx::contract::Section;
use lapis_cx::driver::Outcome;
use lapis_cx_tests::cc::{COMPILERS, Language};
use lapis_cx_tests::{cc, long, spec};

/// Random vectors for each command, XLEN and build.
fn random_vectors() -> usize {
    if long() { 1_000_000 } else { 10_000 }
}

fn agree(name: &str) {
    agree_all(&spec::build(name));
}

fn agree_all(outcome: &Outcome) {
    let folder = tempfile::tempdir().unwrap();
    spec::write(outcome, folder.path());
    let contract = spec::contract(outcome);
    let program = lapis_cx::lower::lower(contract);
    let interfaces = contract.interfaces().zip(&program.interfaces);
    for (interface, lowered) in interfaces.filter(|(interface, _)| !interface.is_abstract) {
        let stem = spec::stem(interface);
        for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
            let driver = folder.path().join(format!("{stem}_{}.c", section.xlen));
            std::fs::write(&driver, program::text(interface, section)).unwrap();
            let vectors = vectors::make(section, random_vectors());
            let expected = vectors::expect(section, &vectors);
            compare(section, &vectors, &expected, &vectors::interpret(section, lowered, &vectors), &"the lowered core");
            let input = vectors::encode(section, &vectors);
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
                    let found = vectors::decode(section, &program::run(&built, &input));
                    compare(section, &vectors, &expected, &found, &("the generated C", compiler, optimised));
                }
            }
        }
    }
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

#[test]
fn mulacc_agrees() {
    agree("mulacc");
}

#[test]
fn bitkit_agrees() {
    agree("bitkit");
}

#[test]
fn tile_agrees() {
    agree("tile");
}

#[test]
fn csrs_of_every_kind_agree() {
    let text = include_str!("../../lapis-cx/compiler/tests/cases/ok/csrs.cxspec");
    agree_all(&spec::build_text("csrs", text));
}

#[test]
fn images_of_what_is_live_agree() {
    let text = include_str!("../../lapis-cx/compiler/tests/cases/ok/live.cxspec");
    agree_all(&spec::build_text("live", text));
}

#[test]
fn fallbacks_agree() {
    agree("fallback");
}
