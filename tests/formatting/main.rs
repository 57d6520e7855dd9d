//! `cxc fmt` changes blanks only, and nothing the second time: on every spec of the repository, and on random ones, each
//! also in layouts that nobody would choose. The style itself is shown by `lapis-cx/compiler/tests/format`.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::driver::{Effort, Outcome, SourceText, Unjudged, compile};
use lapis_cx_tests::layout::{Gaps, formatted, relaid};
use lapis_cx_tests::random_spec::dice::Dice;
use lapis_cx_tests::random_spec::names::Names;
use lapis_cx_tests::random_spec::of_seed;
use lapis_cx_tests::random_spec::print::{PLAIN, print};
use lapis_cx_tests::{long, spec};

/// The specs in a folder and below.
fn below(folder: &str) -> Vec<PathBuf> {
    let mut specs = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cxspec") {
                specs.push(path);
            }
        }
    }
    specs.sort();
    specs
}

const LAYOUTS: [Gaps; 6] = [Gaps::Tight, Gaps::Wild(3), Gaps::Lines, Gaps::Wild(10), Gaps::Wild(1), Gaps::Wild(100)];

/// A text in so many other layouts, which are formatted too.
fn try_layouts(text: &str, seed: u64, rounds: usize) {
    let mut dice = Dice::seeded(seed);
    for gaps in LAYOUTS.iter().cycle().skip(seed as usize % LAYOUTS.len()).take(rounds) {
        formatted(&relaid(text, *gaps, &mut dice)).unwrap();
    }
}

/// What the contracts of a file say.
fn contracts(text: &str) -> Vec<String> {
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.as_bytes().to_vec() };
    let outcome: Outcome = compile(root, &mut spec::importable(), &mut Unjudged, Effort::Build, &[]);
    let contract = outcome.contract.unwrap();
    contract.interfaces().map(|interface| interface.hash.clone()).collect()
}

#[test]
fn specs_of_the_repository_are_formatted_in_any_layout() {
    let mut count = 0;
    for folder in ["specs", "lapis-cx/cli/templates", "lapis-cx/compiler/tests", "tests"] {
        for (place, path) in below(folder).iter().enumerate() {
            // Some hold no text, or mistakes.
            let Ok(text) = fs::read_to_string(path) else { continue };
            let Some(once) = formatted(&text) else { continue };
            let is_large = text.len() > 2_000;
            try_layouts(
                &text,
                place as u64,
                if long() {
                    200
                } else if is_large {
                    12
                } else {
                    4
                },
            );
            try_layouts(&once, place as u64, 2);
            count += 1;
        }
    }
    assert!(count > 250, "{count}");
}

#[test]
fn random_specs_keep_their_contract_in_any_layout() {
    for seed in 0..if long() { 5_000 } else { 300 } {
        let spec = of_seed(seed).unwrap_or_else(|(_, fault)| panic!("seed {seed}: {}", fault.what));
        let text = print(&spec, &Names::plain(&spec), PLAIN);
        let once = formatted(&text).unwrap();
        try_layouts(&text, seed, if long() { 12 } else { 1 });
        assert_eq!(contracts(&text), contracts(&once), "seed {seed}");
    }
}

/// The specs that people copy are in the style that they are told of.
#[test]
fn shipped_specs_and_templates_are_formatted() {
    let mut wrong = Vec::new();
    for folder in ["specs", "lapis-cx/cli/templates"] {
        for path in below(folder) {
            let text = fs::read_to_string(&path).unwrap();
            if formatted(&text).unwrap() != text {
                wrong.push(path.display().to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "run `cxc fmt` on {}", wrong.join(", "));
}
