//! Random specs by the thousand: `cargo run --release -p lapis-cx-tests --bin fuzz_specs -- --seed N --count M`.
//!
//! Each spec is judged without a compiler of a target; then the generated C of a hundred at a time, by one build after
//! the other. What is wrong is printed with its seed, and as small as it can be made. `--print` shows the specs, `--no-c`
//! leaves the compilers out, `--c` has one seed compiled by all builds. `--no-shrink` shows faults as they were found.

use std::collections::BTreeMap;
use std::process::ExitCode;

use lapis_cx::driver::Outcome;
use lapis_cx_tests::random_spec::batch::{self, Build};
use lapis_cx_tests::random_spec::dice::Dice;
use lapis_cx_tests::random_spec::judge::{Fault, judge};
use lapis_cx_tests::random_spec::model::Spec;
use lapis_cx_tests::random_spec::names::Names;
use lapis_cx_tests::random_spec::print::{PLAIN, print};
use lapis_cx_tests::random_spec::{of_seed, shrink, try_seed};

/// Specs of one program.
const BATCH: usize = 100;
/// Smaller specs that are tried for each fault.
const TRIES: usize = 4_000;
/// As many where each try needs a compiler of a target.
const SLOW_TRIES: usize = 600;
/// Faults that are made small; the others are only counted.
const SHOWN: u32 = 20;

#[derive(Default)]
struct Found {
    kinds: BTreeMap<String, u32>,
    count: u32,
}

impl Found {
    fn add(&mut self, seed: u64, spec: &Spec, fault: &Fault, tries: usize, wrong: impl FnMut(&Spec) -> bool) {
        self.count += 1;
        *self.kinds.entry(fault.kind.clone()).or_default() += 1;
        println!("---- seed {seed}: {}\n{}", fault.kind, fault.what);
        if self.count <= SHOWN && !std::env::args().any(|a| a == "--no-shrink") {
            let small = shrink::shrink(spec, tries, wrong);
            println!("{}", print(&small, &Names::plain(&small), PLAIN));
        }
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| args.iter().any(|a| a == name);
    let number = |name: &str, default: u64| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("--seed", 1), number("--count", 1_000));
    let mut found = Found::default();
    let (mut mutated, mut batch_number) = (0u64, 0usize);
    let mut batch: Vec<(u64, Outcome)> = Vec::new();
    for seed in first..first.saturating_add(count) {
        if has("--print")
            && let Ok(spec) | Err((spec, _)) = of_seed(seed)
        {
            println!("{}", print(&spec, &Names::plain(&spec), PLAIN));
        }
        match try_seed(seed) {
            Ok((_, judged)) => {
                mutated += u64::from(judged.mutated);
                batch.push((seed, judged.outcome));
            }
            Err((spec, fault)) => {
                // Whatever is left out, the same choices are made.
                let wrong = |s: &Spec| judge(s, &mut Dice::seeded(seed)).is_err_and(|f| f.kind == fault.kind);
                found.add(seed, &spec, &fault, TRIES, wrong);
            }
        }
        if batch.len() == BATCH || seed == first + count - 1 {
            if !has("--no-c") {
                let all = batch::builds();
                let builds =
                    if has("--c") { all } else { all.into_iter().cycle().skip(batch_number).take(1).collect() };
                builds.into_iter().for_each(|build| compile(&batch, build, &mut found));
            }
            batch_number += 1;
            batch.clear();
        }
    }
    println!(
        "{count} specs from seed {first}: {} wrong {:?}; {mutated} mutants with another hash",
        found.count, found.kinds
    );
    ExitCode::from(u8::from(found.count > 0))
}

fn compile(batch: &[(u64, Outcome)], build: Build, found: &mut Found) {
    let outcomes: Vec<&Outcome> = batch.iter().map(|(_, outcome)| outcome).collect();
    if batch::agree(&outcomes, build).is_ok() {
        return;
    }
    for (seed, outcome) in batch {
        let Err(fault) = batch::agree(&[outcome], build) else { continue };
        let Ok(spec) = of_seed(*seed) else { continue };
        let wrong = |s: &Spec| {
            let judged = judge(s, &mut Dice::seeded(*seed));
            judged.is_ok_and(|j| batch::agree(&[&j.outcome], build).is_err())
        };
        found.add(*seed, &spec, &fault, SLOW_TRIES, wrong);
    }
}
