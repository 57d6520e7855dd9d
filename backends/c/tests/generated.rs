//! What the backend prints: kept texts, warnings as errors with every compiler, one instruction for a stub.
//!
//! `BLESS=1 cargo test` writes the kept texts anew.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::{Path, PathBuf};

use lapis_cx::backend::{Backend, File};
use lapis_cx::contract::core::{Body, Stmt};
use lapis_cx::contract::{Contract, Section};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use support::{COMPILERS, WARNINGS, command, contract, emit, mulacc, must, run, write};

fn golden(name: &str, text: &str) {
    // The ABI text has its own tests; here it would only blur what this crate prints.
    let text = text.replace(lapis_cx_core::CX_ABI_H.trim_end(), "/* the text of cx_abi.h */");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} differs from the kept text; look at it, then run with BLESS=1");
}

fn spec(name: &str) -> Vec<File> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../specs").join(name);
    compiled(name, std::fs::read(path).unwrap())
}

fn compiled(name: &str, bytes: Vec<u8>) -> Vec<File> {
    let source = SourceText { name: name.into(), bytes };
    let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
    // A spec that is not frozen yet has a contract all the same.
    let contract = outcome.contract.unwrap_or_else(|| panic!("{name}: {:#?}", outcome.diagnostics));
    assert!(contract.interfaces().next().is_some(), "{name}: {:#?}", outcome.diagnostics);
    emit(&contract)
}

/// One interface with what is awkward for C: names, forms, signs, docs.
const TORTURE: &str = r#"cxspec 1;
package org.example.torture;
use cx.std:IStateContext;

fn lanes(a: s32, b: s32) -> s32 {
    let x = a.split(8);
    let y = b.split(8);
    var sum: s32 = 0;
    for k in 0..4 { sum = sum +% x[k] * y[k]; }
    return sum;
}

/// Ends a comment */ and begins /* one.
draft interface Torture : IStateContext {
    uuid "aa0f7d0e-00ff-4000-8000-000000000001";
    short tt;
    xlen 32, 64;
    const LEAST = -2147483648;
    const MOST: u64 = 18446744073709551615;
    const YES: bool = true;
    const TABLE: s16[3] = [-1, 2, -3];
    enum Mode: u2 { wrap = 0, saturate = 1, class = 3 }
    error overflow = 1 "it did */ overflow";
    state exclusive {
        /// A keyword of C.
        volatile: u7 = 5;
        int: s33[3] = [-1, 2, -4];
        wide: u200 = 1;
        mode: Mode = Mode.class;
    }
    command dot = 0 : R (st: s32, status_in: s32) -> s32 { return lanes(st, status_in); }
    command latch = 1 : flex (a: word, b: word) { wide[64 +: XLEN] = a; wide[0 +: XLEN] = b; }
    command only = 2 : I (n: imm u1) -> bool { return n == 1; }
    command shift = 3 : I (rd: sword, n: imm u5) -> sword { return rd >> n; }
    command pick = 4 : R (m: Mode, on: bool) -> Mode { mode = m; return on ? m : Mode.wrap; }
    command entry = 5 : R (i: word) -> s16 { return TABLE[i]; }
    command over = 6 : R (a: s8) -> s8 {
        volatile = 9;
        if (a < 0) { raise overflow -> a; }
        int[a.unsigned()] = a;
        return a;
    }
    command gone = 7 : R () { trap; }
}
"#;

/// Compiles headers alone and fallbacks with every compiler at the XLENs given.
fn compile_everywhere(files: &[File], xlens: &[u32]) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    for file in files {
        // A header compiles by itself, also twice, and with what it declares unused.
        let source = match file.path.strip_prefix("include/") {
            Some(header) => {
                let text = format!("#include \"{header}\"\n#include \"{header}\"\nint cx_test;\n");
                std::fs::write(dir.path().join("alone.c"), text).unwrap();
                "alone.c"
            }
            None => file.path.as_str(),
        };
        for (compiler, language) in COMPILERS {
            for xlen in xlens {
                let define = format!("-DCX_XLEN={xlen}");
                let mut args = language.to_vec();
                args.extend(WARNINGS);
                args.extend([define.as_str(), "-O2", "-Iinclude", "-c", source, "-o", "out.o"]);
                must(compiler, &args, dir.path());
            }
        }
    }
}

fn text_of<'f>(files: &'f [File], path: &str) -> &'f str {
    &files.iter().find(|f| f.path == path).unwrap().text
}

#[test]
fn mulacc_prints_as_kept() {
    let files = emit(&mulacc());
    assert_eq!(
        files.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(),
        ["include/mulacc.h", "src/mulacc_fallback.c"]
    );
    golden("mulacc.h", text_of(&files, "include/mulacc.h"));
    golden("mulacc_fallback.c", text_of(&files, "src/mulacc_fallback.c"));
}

#[test]
fn mulacc_is_one_sum_and_one_product() {
    let files = emit(&mulacc());
    assert!(text_of(&files, "src/mulacc_fallback.c").contains("\n    st->acc += a * b;\n"));
}

#[test]
fn the_same_contract_gives_the_same_bytes() {
    assert_eq!(emit(&mulacc()), emit(&mulacc()));
}

#[test]
fn every_compiler_takes_the_shipped_specs_without_a_warning() {
    for name in ["mulacc.cxspec", "bitkit.cxspec", "fallback.cxspec"] {
        let files = spec(name);
        assert!(!files.is_empty(), "{name}");
        compile_everywhere(&files, &[32, 64]);
    }
}

#[test]
fn every_compiler_takes_what_is_awkward() {
    let files = compiled("torture.cxspec", TORTURE.into());
    compile_everywhere(&files, &[32, 64]);
    golden("torture.h", text_of(&files, "include/tt.h"));
    golden("torture_fallback.c", text_of(&files, "src/tt_fallback.c"));
}

#[test]
fn stubs_of_all_forms_compile_for_riscv() {
    let source = "#include \"tt.h\"\n\
                  int32_t f(int32_t a, int32_t b) { return tt_dot(a, b); }\n\
                  void g(cx_word_t a, cx_word_t b) { tt_latch(a, b); }\n\
                  bool h(void) { return tt_only(1); }\n";
    let files = compiled("torture.cxspec", TORTURE.into());
    for xlen in [32, 64] {
        let found = for_riscv(&files, xlen, source);
        for want in [0x00B5_050B, 0x00B5_105B, 0x0010_252B] {
            assert!(found.contains(&want), "{want:x} in {found:x?}");
        }
    }
}

#[test]
fn an_xlen_without_a_section_is_an_error_that_says_so() {
    let mut contract = mulacc();
    if let lapis_cx::contract::Item::Interface(interface) = &mut contract.items[0] {
        interface.sections.truncate(1);
    }
    let dir = tempfile::tempdir().unwrap();
    let files = emit(&contract);
    write(dir.path(), &files);
    compile_everywhere(&files, &[32]);
    let output = run("gcc", &["-DCX_XLEN=64", "-Iinclude", "-c", "src/mulacc_fallback.c"], dir.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("org.example.dsp:MulAcc has no contract for this CX_XLEN"));
}

/// The 32-bit instructions of the functions in an object file, in order, without compressed ones.
fn instructions(dir: &Path, object: &str) -> Vec<u32> {
    let listing = must("llvm-objdump", &["-d", "--no-leading-addr", object], dir);
    let word = |line: &str| {
        let bytes: Vec<&str> = line.split_whitespace().take(4).collect();
        let hex = bytes.concat();
        (bytes.iter().all(|b| b.len() == 2) && hex.len() == 8).then(|| u32::from_str_radix(&hex, 16).ok()).flatten()
    };
    listing.lines().filter_map(word).map(u32::swap_bytes).collect()
}

fn for_riscv(files: &[File], xlen: u32, source: &str) -> Vec<u32> {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    std::fs::write(dir.path().join("stubs.c"), source).unwrap();
    let target = format!("--target=riscv{xlen}");
    let (march, mabi) = if xlen == 32 { ("-march=rv32imac", "-mabi=ilp32") } else { ("-march=rv64imac", "-mabi=lp64") };
    let mut args = vec![target.as_str(), march, mabi, "-ffreestanding", "-std=c11", "-O2", "-Iinclude"];
    args.extend(WARNINGS);
    args.extend(["-c", "stubs.c", "-o", "stubs.o"]);
    must("clang", &args, dir.path());
    instructions(dir.path(), "stubs.o")
}

#[test]
fn a_stub_is_one_instruction_on_riscv() {
    let source = "#include \"mulacc.h\"\n\
                  cx_word_t f(cx_word_t a, cx_word_t b) { return mulacc_mul(a, b); }\n\
                  cx_word_t g(cx_word_t a, cx_word_t b) { return mulacc_mulacc(a, b); }\n\
                  cx_word_t h(cx_word_t i) { return mulacc_read_state(i); }\n";
    for xlen in [32, 64] {
        // insn a0, a0, a1 of custom-0: funct3 = id & 7, funct7 = id >> 3; the returns are compressed.
        let found = for_riscv(&emit(&mulacc()), xlen, source);
        assert_eq!(found, [0x00B5_050B, 0x00B5_150B, 0xFE05_550B], "{xlen}: {found:x?}");
    }
}

#[test]
fn an_immediate_is_in_the_instruction() {
    let source = "#include \"bk.h\"\ncx_word_t f(cx_word_t x) { return bk_bfx(x, 0xFC1); }\n";
    for xlen in [32, 64] {
        // 0xFC1 is -63 in twelve bits: custom-1, funct3 3, rd = rs1 = a0.
        assert_eq!(for_riscv(&spec("bitkit.cxspec"), xlen, source), [0xFC15_352B], "{xlen}");
    }
}

#[test]
fn fallbacks_compile_for_bare_riscv_too() {
    let files = emit(&mulacc());
    let source = text_of(&files, "src/mulacc_fallback.c").to_owned();
    for xlen in [32, 64] {
        assert!(!for_riscv(&files, xlen, &source).is_empty());
    }
}

fn trivial(names: &[&str]) -> Contract {
    let commands = names.iter().enumerate().map(|(id, name)| {
        let body = Body { locals: vec![], params: 0, stmts: vec![Stmt::Return(None)] };
        command(name, id as u16, None, body)
    });
    let section = Section { xlen: 32, commands: commands.collect(), ..Section::default() };
    contract("Torture", Some("tt"), "Ends */ a comment /* and ??/ begins.", vec![section])
}

#[test]
fn names_of_commands_that_c_has_taken_are_no_trouble() {
    compile_everywhere(&emit(&trivial(&["int", "main", "errno", "class", "new", "NULL", "t1", "_x"])), &[32]);
}

#[test]
fn names_show_what_collides() {
    let derived = lapis_cx_backend_c::C.names(&trivial(&["state", "a", "sw_a", "a_st"]));
    let count = |name: &str| derived.iter().filter(|d| d.name == name).count();
    assert_eq!(count("tt_state"), 2, "the state and the command");
    assert_eq!(count("tt_sw_a"), 2, "the fallback and the command");
    assert_eq!(count("tt_sw_a_st"), 2, "one with status and one of another command");
    assert_eq!(count("include/tt.h"), 1);
}
