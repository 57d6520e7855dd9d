//! Compiled fallbacks against the typed evaluator, on random bodies and random operands.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::fmt::Write;

use lapis_cx::contract::Section;
use lapis_cx::oracle::machine::{Machine, Operands, Outcome};
use support::random::core::Generator;
use support::random::{Call, calls};
use support::{WARNINGS, contract, emit, must, write};

/// What the evaluator says: response, rd and all words after each call.
fn expected(section: &Section, calls: &[Call]) -> String {
    let mut machine = Machine::new(section);
    let mut text = String::new();
    for (function, rs1, rs2) in calls {
        let outcome = machine.issue(*function, Operands { rs1: *rs1, rs2: *rs2, imm: 0 }).unwrap();
        let (response, rd) = match outcome {
            Outcome::Replied { rd, response } => (response as u8, rd),
            Outcome::Trapped => (7, 0),
        };
        let _ = write!(text, "{function} {response} {rd:x} | {:x}", machine.status());
        for word in machine.words() {
            let _ = write!(text, " {word:x}");
        }
        text.push('\n');
    }
    text
}

/// A program that makes the same calls, and sends each context once through an image.
fn program(calls: &[Call], words: u64) -> String {
    let rows: Vec<String> = calls.iter().map(|(f, a, b)| format!("    {{{f}u, {a}ull, {b}ull}},")).collect();
    format!(
        r#"#include "rnd.h"
#include <stdio.h>
static const struct {{ uint32_t function; uint64_t rs1, rs2; }} calls[] = {{
{}
}};
int main(void)
{{
    rnd_state state;
    rnd_soft_cxu.init(&state);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {{
        cx_reg_t rd = 0;
        cx_word_t image[{} + 1];
        uint32_t response = rnd_soft_cxu.issue(&state, calls[i].function, (cx_reg_t)calls[i].rs1, (cx_reg_t)calls[i].rs2, &rd);
        rnd_soft_cxu.save(&state, image);
        printf("%u %u %llx |", (unsigned)calls[i].function, (unsigned)response, (unsigned long long)rd);
        for (size_t k = 0; k < {} + 1; k++) {{
            printf(" %llx", (unsigned long long)image[k]);
        }}
        printf("\n");
        rnd_soft_cxu.restore(&state, image);
    }}
    return 0;
}}
"#,
        rows.join("\n"),
        words,
        words
    )
}

fn compare(seed: u64, compiler: &str, flags: &[&str]) {
    let commands = std::env::var("CX_DIFFERENTIAL_COMMANDS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    for xlen in [32, 64] {
        let section = Generator::new(seed, xlen).section(commands);
        let calls = calls(&section, 40 * usize::from(commands), seed);
        let expected = expected(&section, &calls);
        let words = lapis_cx::contract::layout::Layout::new(&section).words;
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &emit(&contract("Random", Some("rnd"), "", vec![section])));
        std::fs::write(dir.path().join("main.c"), program(&calls, words)).unwrap();
        let xlen_flag = format!("-DCX_XLEN={xlen}");
        let mut args = vec!["-std=c11", &xlen_flag, "-Iinclude", "main.c", "src/rnd_fallback.c", "-o", "main"];
        args.extend(WARNINGS);
        args.extend(flags);
        let dir_path = dir.path().to_owned();
        if std::env::var_os("CX_KEEP").is_some() {
            let _ = dir.keep();
        }
        must(compiler, &args, &dir_path);
        let printed = must("./main", &[], &dir_path);
        for (i, (got, want)) in printed.lines().zip(expected.lines()).enumerate() {
            assert_eq!(got, want, "seed {seed}, xlen {xlen}, call {i}: {:x?}", calls.get(i));
        }
        assert_eq!(printed.lines().count(), expected.lines().count());
    }
}

const SANITIZE: &[&str] = &["-O0", "-g", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"];

#[test]
fn fallbacks_agree_with_the_evaluator_and_have_no_undefined_behaviour() {
    let first = std::env::var("CX_DIFFERENTIAL_SEED").ok().and_then(|n| n.parse().ok());
    let count = std::env::var("CX_DIFFERENTIAL_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let first: u64 = first.unwrap_or(1);
    for seed in first..first + count {
        compare(seed, "gcc", SANITIZE);
    }
}

#[test]
fn fallbacks_agree_with_the_evaluator_when_optimised() {
    for seed in 101..103 {
        compare(seed, "clang", &["-O2"]);
        compare(seed + 50, "gcc", &["-O2"]);
    }
}

#[test]
fn every_compiler_takes_random_bodies_without_a_warning() {
    for seed in 301..304 {
        for xlen in [32, 64] {
            let section = Generator::new(seed, xlen).section(12);
            let dir = tempfile::tempdir().unwrap();
            write(dir.path(), &emit(&contract("Random", Some("rnd"), "", vec![section])));
            let define = format!("-DCX_XLEN={xlen}");
            for (compiler, language) in support::compilers() {
                let mut args = language.to_vec();
                args.extend(WARNINGS);
                args.extend([define.as_str(), "-O1", "-Iinclude", "-c", "src/rnd_fallback.c", "-o", "out.o"]);
                must(compiler, &args, dir.path());
            }
        }
    }
}
