//! Random specs, from the text to the compiled program: each is read as it was meant, clean, of one contract hash under
//! other names, layouts and orders and of another one with another operator, and what it is compiled to answers as the
//! oracle does. What is found is kept: `agreement/kept`. `CX_LONG=1` tries more, the program `fuzz_specs` any number.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use lapis_cx_tests::random_spec::batch::{self, Build};
use lapis_cx_tests::random_spec::dice::Dice;
use lapis_cx_tests::random_spec::names::Names;
use lapis_cx_tests::random_spec::print::{PLAIN, print};
use lapis_cx_tests::random_spec::try_seed;
use lapis_cx_tests::{long, survive};

/// The specs of one build.
fn agree(place: usize) {
    let builds = batch::builds();
    let build = builds[place];
    let rounds = if long() { 20 } else { 1 };
    for round in 0..rounds {
        let share = match build {
            // rustc takes longer.
            Build::Rust { .. } => 14,
            Build::C { .. } => 34,
        };
        let first = 1 + (1_000 * round + 100 * place) as u64;
        let mut mutated = 0;
        let judged = (first..first + share).map(|seed| match try_seed(seed) {
            Ok((_, judged)) => {
                mutated += u64::from(judged.mutated);
                (seed, judged.outcome)
            }
            Err((spec, fault)) => {
                panic!("seed {seed}: {}\n{}\n{}", fault.kind, fault.what, print(&spec, &Names::plain(&spec), PLAIN))
            }
        });
        let judged: Vec<_> = judged.collect();
        // Some have nothing to change; if hardly any had, nothing would be tried.
        assert!(mutated * 3 > share, "only {mutated} of {share} have another hash with another operator");
        let outcomes: Vec<_> = judged.iter().map(|(_, outcome)| outcome).collect();
        let Err(all) = batch::agree(&outcomes, build) else { continue };
        for (seed, outcome) in &judged {
            if let Err(fault) = batch::agree(&[outcome], build) {
                panic!("seed {seed}: {}\n{}", fault.kind, fault.what);
            }
        }
        panic!("seeds {first} and on, only together: {}\n{}", all.kind, all.what);
    }
}

/// What fuzzers found: `fuzz/kept/bytes*` are files, `fuzz/kept/choices*` are choices.
#[test]
fn kept_inputs_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/kept");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let data = std::fs::read(&path).unwrap();
        match path.file_name().and_then(|n| n.to_str()) {
            Some(name) if name.starts_with("bytes") => drop(survive::bytes(&data)),
            Some(name) if name.starts_with("choices") => survive::choices(&data),
            _ => panic!("{}: is it a file or choices?", path.display()),
        }
    }
}

/// The fuzzer's own ways to make inputs, on some.
#[test]
fn random_choices_are_answered() {
    for seed in 0..if long() { 2_000 } else { 40 } {
        let mut dice = Dice::seeded(seed);
        let data: Vec<u8> = (0..400).map(|_| dice.below(256) as u8).collect();
        survive::choices(&data);
    }
}

/// One test for each build, so that they run side by side.
macro_rules! builds {
    ($($name:ident $place:literal)*) => {
        $(#[test] fn $name() { agree($place); })*

        #[test]
        fn every_build_has_a_test() {
            assert_eq!(batch::builds().len(), [$($place),*].len());
        }
    };
}
builds! {
    gcc_checked_32 0
    gcc_checked_64 1
    clang_checked_32 2
    clang_checked_64 3
    rust_checked 4
    gcc_optimised_32 5
    gcc_optimised_64 6
    clang_optimised_32 7
    clang_optimised_64 8
    rust_optimised 9
}
