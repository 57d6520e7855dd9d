//! From source text to verdict: examples, laws and frozen contracts.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use lapis_cx::contract::frozen::Frozen;
use lapis_cx::diagnostic::catalogue::{contract as frozen_codes, oracle as oracle_codes};
use lapis_cx::diagnostic::{Diagnostic, Entry};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, Verdicts, compile};

fn run(text: &str, verdicts: &mut dyn Verdicts, effort: Effort) -> Outcome {
    let root = SourceText { name: "test.cxspec".into(), bytes: text.as_bytes().to_vec() };
    compile(root, &mut NoImports, verdicts, effort, &[])
}

fn found(text: &str) -> Vec<Diagnostic> {
    run(text, &mut NoVerdicts, Effort::Build).diagnostics
}

#[test]
fn the_catalogues_bad_examples_show_their_codes_and_the_good_ones_nothing() {
    let entries: Vec<&Entry> = frozen_codes::ALL.iter().chain(oracle_codes::ALL).copied().collect();
    for entry in entries.into_iter().filter(|e| !e.bad.is_empty()) {
        let codes: BTreeSet<_> = found(entry.bad).iter().map(|d| d.code).collect();
        assert_eq!(codes, BTreeSet::from([entry.code]), "{}", entry.code);
        assert_eq!(found(entry.good), [], "{}", entry.code);
    }
}

const SPEC: &str = r#"cxspec 1;
package org.example.memory;
draft interface Sums {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    xlen 32, 64;
    fn twice<N>(x: u<N>) -> u<N> { return x +% x; }
    command double = 0 : R (x: word) -> word { return twice(x); }
    command next = 1 : R (x: word) -> word { return x +% 1; }
    example { double(3) == 6; }
    law even(x: word): double(x)[0] == 0;
}
"#;

#[derive(Default)]
struct Memory {
    keys: BTreeSet<String>,
    hits: usize,
}

impl Verdicts for Memory {
    fn passed(&mut self, key: &str) -> bool {
        let hit = self.keys.contains(key);
        self.hits += usize::from(hit);
        hit
    }
    fn record(&mut self, key: &str) {
        self.keys.insert(key.into());
    }
}

#[test]
fn what_passed_is_not_run_again_and_what_failed_is() {
    let mut memory = Memory::default();
    for round in 0..3 {
        assert_eq!(run(SPEC, &mut memory, Effort::Build).diagnostics, []);
        assert_eq!((memory.keys.len(), memory.hits), (1, round));
    }
    // More effort, or another contract, is another question.
    assert_eq!(run(SPEC, &mut memory, Effort::Check { vectors: 5 }).diagnostics, []);
    assert_eq!((memory.keys.len(), memory.hits), (2, 2));
    let wrong = SPEC.replace("== 6", "== 7");
    for _ in 0..2 {
        let diagnostics = run(&wrong, &mut memory, Effort::Build).diagnostics;
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].code, oracle_codes::EXAMPLE_FALSE.code);
    }
    assert_eq!((memory.keys.len(), memory.hits), (2, 2));
}

#[test]
fn a_changed_function_names_the_command_that_calls_it() {
    let outcome = run(SPEC, &mut NoVerdicts, Effort::Build);
    let line = Frozen::new(outcome.contract.unwrap().interfaces().next().unwrap()).to_string();
    let frozen = SPEC.replace("xlen 32", &format!("contract \"{line}\";\n    xlen 32"));
    assert_eq!(found(&frozen), []);
    // Names, order of declaration and text may change; what a command does may not.
    let renamed = frozen.replace("double", "dbl").replace("(x: word)", "(y: word)").replace("twice(x);", "twice(y);");
    let renamed = renamed.replace("return x +% 1", "return y +% 1").replace("even(y: word)", "even(x: word)");
    assert_eq!(found(&renamed), []);
    let changed = frozen.replace("return x +% x;", "return x << 1;");
    let diagnostics = found(&changed);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0].message, "command `double` (id 0) changed, but `Sums` is frozen");
}
