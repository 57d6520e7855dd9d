//! The generated C agrees with the oracle: result, state and response, for every command, at each XLEN, on all edge
//! values and on random ones, compiled by gcc and clang, at -O0 with the undefined-behaviour sanitizer and at -O2.

#![allow(clippy::unwrap_used, clippy::panic)]

mod program;
mod vectors;

use lapis_cx::contract::Section;
use lapis_cx_tests::cc::{COMPILERS, Compiler, Language};
use lapis_cx_tests::{cc, long, spec};

/// Random vectors for each command, XLEN and build.
fn random_vectors() -> usize {
    if long() { 1_000_000 } else { 10_000 }
}

fn agree(name: &str) {
    let outcome = spec::build(name);
    let folder = tempfile::tempdir().unwrap();
    spec::write(&outcome, folder.path());
    for interface in spec::contract(&outcome).interfaces().filter(|i| !i.is_abstract) {
        let stem = spec::stem(interface);
        for section in &interface.sections {
            let driver = folder.path().join(format!("{stem}_{}.c", section.xlen));
            std::fs::write(&driver, program::text(interface, section)).unwrap();
            let vectors = vectors::make(section, random_vectors());
            let expected = vectors::expect(section, &vectors);
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
                    compare(section, &vectors, &expected, &program::run(&built, &input), (compiler, optimised));
                }
            }
        }
    }
}

fn compare(
    section: &Section,
    vectors: &[vectors::Vector],
    expected: &[vectors::Answer],
    found: &[u8],
    build: (Compiler, bool),
) {
    let found = vectors::decode(section, found);
    assert_eq!(found.len(), expected.len(), "{build:?}: the program answered another number of vectors");
    for ((vector, expected), found) in vectors.iter().zip(expected).zip(&found) {
        assert_eq!(
            expected, found,
            "XLEN {} {build:?}: {vector:#x?} (left: the oracle, right: the generated C)",
            section.xlen
        );
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
fn fallbacks_agree() {
    agree("fallback");
}
