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
use lapis_cx_core::encoding::{Instruction, Profile};
use support::{WARNINGS, command, compilers, contract, emit, mulacc, must, run, write};

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

/// One interface with what is awkward for any target: names, forms, signs, docs.
const TORTURE: &str = include_str!("../../torture.cxspec");

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
        for (compiler, language) in compilers() {
            for xlen in xlens {
                let define = format!("-DCX_XLEN={xlen}");
                let mut args = language.to_vec();
                args.extend(WARNINGS);
                args.extend([define.as_str(), "-O2", "-Iinclude", "-c", source, "-o", "out.o"]);
                // What a library's functions are made of is the CX API.
                args.extend([concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../lapis-cx/runtime/include")]);
                args.extend([concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../lapis-cx/core/include")]);
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
fn a_library_prints_as_kept() {
    let files = spec("mulacc.cxspec");
    golden("dot.h", text_of(&files, "include/dot.h"));
    golden("dot.c", text_of(&files, "src/dot.c"));
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
    assert!(!output.status.success());
    assert!(
        stderr
            .contains("org.example.dsp:MulAcc has no contract for this CX_XLEN, only for 32: build with -DCX_XLEN=32"),
        "{stderr}"
    );
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

/// What compiles for a bare RISC-V: the command, and what it needs beside the flags of all. clang takes the target from a
/// flag, gcc has it in its name; 32 bits need no library where there is none.
const RISCV_COMPILERS: [(&str, &[&str]); 3] =
    [("clang++", &["-std=c++17", "-x", "c++"]), ("riscv64-linux-gnu-gcc", &["-std=c11"]), ("clang", &["-std=c11"])];

/// Compiles a file for a bare RISC-V.
fn riscv(dir: &Path, xlen: u32, (compiler, language): (&str, &[&str]), level: &str) -> std::process::Output {
    let target = format!("--target=riscv{xlen}");
    let mabi = if xlen == 32 { "-mabi=ilp32" } else { "-mabi=lp64" };
    let mut march = format!("-march=rv{xlen}imac");
    let mut args = language.to_vec();
    if compiler.starts_with("clang") {
        args.push(&target);
    } else {
        // To its assembler the CSR instructions are an extension. A Linux compiler makes code for shared libraries.
        march += "_zicsr";
        args.push("-fno-pie");
    }
    args.extend([march.as_str(), mabi, "-ffreestanding", level, "-Iinclude"]);
    args.extend(WARNINGS);
    args.extend(["-c", "stubs.c", "-o", "stubs.o"]);
    run(compiler, &args, dir)
}

/// The instructions of a source that uses generated headers. All compilers take it at each level, and at the highest one all
/// agree on the words that are no base instructions.
fn for_riscv(files: &[File], xlen: u32, source: &str) -> Vec<u32> {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    std::fs::write(dir.path().join("stubs.c"), source).unwrap();
    let all = RISCV_COMPILERS.map(|compiler| {
        for level in ["-O0", "-O2"] {
            let output = riscv(dir.path(), xlen, compiler, level);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{compiler:?} {level} RV{xlen}\n{stderr}");
        }
        instructions(dir.path(), "stubs.o")
    });
    // Custom-0 to custom-3, and SYSTEM, by what they do; registers are the compiler's choice.
    let done = |words: &[u32]| -> Vec<u32> {
        let is_issued = |word: &u32| matches!(word & 0x7F, 0x0B | 0x2B | 0x5B | 0x7B | 0x73);
        words.iter().filter(|word| is_issued(word)).map(|word| word & 0xFE00_707F).collect()
    };
    let [cpp, gcc, clang] = all;
    assert_eq!(done(&cpp), done(&clang), "RV{xlen}");
    assert_eq!(done(&gcc), done(&clang), "RV{xlen}");
    clang
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
fn a_hart_of_another_width_issues_nothing() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &emit(&mulacc()));
    let source =
        "#include \"mulacc.h\"\ncx_word_t f(cx_word_t a);\ncx_word_t f(cx_word_t a) { return mulacc_mul(a, a); }\n";
    std::fs::write(dir.path().join("use.c"), source).unwrap();
    let args =
        ["--target=riscv64", "-march=rv64imac", "-mabi=lp64", "-ffreestanding", "-DCX_XLEN=32", "-O2", "-Iinclude"];
    must("clang", &[&args[..], &["-c", "use.c", "-o", "use.o"]].concat(), dir.path());
    // It calls the runtime instead.
    assert!(instructions(dir.path(), "use.o").iter().all(|word| word & 0x7F != 0x0B));
    assert!(must("llvm-objdump", &["-t", "use.o"], dir.path()).contains("*UND*"));
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
fn an_access_of_a_csr_is_one_instruction() {
    let source = "#include \"tt.h\"\n\
                  cx_word_t f(void) { return tt_word_read(); }\n\
                  cx_word_t g(cx_word_t v) { return tt_mstat_swap(v); }\n\
                  cx_word_t h(cx_word_t v) { return tt_mstat_set(v); }\n\
                  cx_word_t i(cx_word_t v) { return tt_mstat_clear(v); }\n\
                  void j(cx_word_t v) { tt_mstat_write(v); }\n\
                  void k(void) { tt_mstat_write(3); }\n\
                  void l(void) { (void)tt_mstat_set(0); }\n";
    let files = compiled("torture.cxspec", TORTURE.into());
    for xlen in [32, 64] {
        let found = for_riscv(&files, xlen, source);
        let found: Vec<u32> = found.into_iter().filter(|i| i & 0x7F == 0x73).collect();
        // csrr a0; csrrw, csrrs, csrrc a0, a0; csrw a0; csrwi 3; csrrs of a register that holds 0, which is a write.
        let (csr, last) = ([0xCC00_2573, 0x8105_1573, 0x8105_2573, 0x8105_3573, 0x8105_1073, 0x8101_D073], found[6]);
        assert_eq!(found[..6], csr, "{xlen}: {found:x?}");
        assert_eq!((last >> 20, last >> 12 & 7, found.len()), (0x810, 2, 7), "{xlen}: {last:x}");
        assert_ne!(last >> 15 & 31, 0, "x0 would only read");
    }
}

#[test]
fn fields_of_csrs_are_cut_out_and_put_in() {
    let files = compiled("torture.cxspec", TORTURE.into());
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    let source = "#include <stdio.h>\n#include \"tt.h\"\n\
                  int main(void)\n{\n    tt_state st;\n    cx_word_t word;\n    cx_reg_t old = 9;\n    tt_state_init(&st);\n    \
                  word = tt_sw_mstat_read(&st);\n    printf(\"%u %u;\", tt_mstat_int_get(word), tt_mstat_mode_get(word));\n    \
                  tt_sw_mstat_write(&st, tt_mstat_mode_put(tt_mstat_int_put(~(cx_word_t)0, 0x55), 2));\n    \
                  word = tt_sw_mstat_read(&st);\n    printf(\"%u %u;\", tt_mstat_int_get(word), tt_mstat_mode_get(word));\n    \
                  word = tt_sw_word_read(&st);\n    printf(\"%d %d %u;\", tt_word_neg_get(word), tt_word_top_get(word), tt_word_out_get(word));\n    \
                  printf(\"%u \", (unsigned)tt_sw_access(&st, CX_CSR_SET, 0x810, 3, &old));\n    \
                  printf(\"%x %x;\", (unsigned)old, (unsigned)tt_sw_mstat_read(&st));\n    \
                  printf(\"%u \", (unsigned)tt_sw_access(&st, CX_CSR_WRITE, 0xCC0, 3, &old));\n    \
                  printf(\"%u \", (unsigned)tt_sw_access(&st, CX_CSR_READ, 0x811, 3, &old));\n    \
                  st.status = 0;\n    printf(\"%u\", (unsigned)tt_sw_access(&st, CX_CSR_READ, 0xCC0, 3, &old));\n    \
                  return old != 0;\n}\n";
    std::fs::write(dir.path().join("main.c"), source).unwrap();
    for xlen in ["-DCX_XLEN=32", "-DCX_XLEN=64"] {
        must("gcc", &[xlen, "-Iinclude", "main.c", "src/tt_fallback.c", "-o", "main"], dir.path());
        let program = dir.path().join("main");
        // The pattern 2 has no name, so `mode` stays; -4 is read as such.
        assert_eq!(must(program.to_str().unwrap(), &[], dir.path()), "5 3;85 3;-4 1 2;0 2ab 2ab;4 4 3", "{xlen}");
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
    let contract = trivial(&["state", "a", "sw_a", "a_st"]);
    let derived = lapis_cx_backend_c::C.names(&contract);
    let count = |name: &str| derived.iter().filter(|d| d.name == name).count();
    assert_eq!(count("tt_state"), 2, "the state and the command");
    assert_eq!(count("tt_sw_a"), 2, "the fallback and the command");
    assert_eq!(count("tt_sw_a_st"), 2, "one with status and one of another command");
    assert_eq!(count("include/tt.h"), 1);
}

/// Every form with operands in every order, and names that stubs use themselves.
const FORMS: &str = r#"cxspec 1;
package org.example.forms;

draft interface Forms {
    uuid "aa0f7d0e-00ff-4000-8000-000000000002";
    short fm;
    xlen 32, 64;
    enum Way: u3 { up = 1, down = 5 }

    /// The immediate stands first.
    command first = 0 : I (n: imm s12, x: word) -> word { return x +% n.sext(XLEN).unsigned(); }
    command second = 1 : I (cx_rd: sword, rd: imm u12) -> sword { return cx_rd; }
    command constant = 2 : I (asm: imm u16) -> u16 { return asm; }
    command lone = 3 : I (x: word) -> word { return x; }
    command wide = 4 : I (x: word, y: word) -> word { return x ^ y; }
    command both = 5 : R | I (cx_fm_both_i_rd: u8, n: s13) -> s13 { return n; }
    command none = 6 : I (x: u8, on: imm bool) { }
    command way = 7 : I (x: Way, w: imm Way) -> Way { return w; }
    command dropped = 9 : flex (a: word, b: word) { }
    command nothing = 10 : R () { }
    command upper = 11 : R (x: word @rs2) -> word { return x; }
    command small = 12 : flex (x: s8) { }
    command neither = 13 : flex | R () -> bool { return true; }
    command third = 14 : flex (a: word, b: word, n: imm u5) { }
    command fourth = 15 : flex (n: imm s4, a: word) { }
    command alone = 16 : flex (w: imm Way) { }
    command lower = 17 : flex (x: word @rs2, on: imm bool) { }
    command big = 18 : flex25 (n: imm u15) { }
    command bigs = 1007 : flex25 (rd: imm s15) { }
    command empty = 20 : flex25 () { }
    command few = 21 : flex25 (n: imm u7) { }
}
"#;

fn word(instruction: Instruction) -> u32 {
    instruction.encode(Profile::DEFAULT).unwrap()
}

fn form_i(function: u16, rd: u8, rs1: u8, immediate: i16) -> u32 {
    word(Instruction::I { function, rd, rs1, immediate })
}

fn form_r(function: u16, rd: u8, (rs1, rs2): (u8, u8)) -> u32 {
    word(Instruction::R { function, rd, rs1, rs2 })
}

fn form_flex(function: u16, (rs1, rs2): (u8, u8), immediate: u8) -> u32 {
    word(Instruction::Flex { function, rs1, rs2, immediate })
}

fn form_flex25(function: u16, immediate: u16) -> u32 {
    word(Instruction::flex25(function, immediate).unwrap())
}

#[test]
fn each_form_is_the_instruction_that_the_language_says() {
    const A0: u8 = 10;
    let a0_a1 = (10, 11);
    // A use on one or two words in a0 and a1, the type of its result, and the instructions.
    let uses = [
        ("fm_first(-3, a)", "cx_word_t", vec![form_i(0, A0, A0, -3)]),
        ("fm_first(-2048, a)", "cx_word_t", vec![form_i(0, A0, A0, -2048)]),
        ("fm_first(2047, a + b)", "cx_word_t", vec![form_i(0, A0, A0, 2047)]),
        ("(cx_word_t)fm_second((signed_t)a, 0xFFF)", "cx_word_t", vec![form_i(1, A0, A0, -1)]),
        ("(cx_word_t)fm_second((signed_t)a, 0x7FF)", "cx_word_t", vec![form_i(1, A0, A0, 0x7FF)]),
        ("fm_constant(0x07FF)", "uint16_t", vec![form_i(2, A0, 0, 0x7FF)]),
        ("fm_constant(0xF800)", "uint16_t", vec![form_i(2, A0, 0, -2048)]),
        ("fm_lone(a)", "cx_word_t", vec![form_i(3, A0, A0, 0)]),
        ("fm_wide(a, 5)", "cx_word_t", vec![form_i(4, A0, A0, 5)]),
        ("fm_wide(a, (cx_word_t)-5)", "cx_word_t", vec![form_i(4, A0, A0, -5)]),
        // Nested, and in a condition: each argument is evaluated once.
        ("fm_wide(fm_wide(a, 1), 2)", "cx_word_t", vec![form_i(4, A0, A0, 1), form_i(4, A0, A0, 2)]),
        ("fm_wide(((void)b, a) ? a : b, 1 ? 3 : 4)", "cx_word_t", vec![form_i(4, A0, A0, 3)]),
        ("fm_both((uint8_t)a, (int16_t)b)", "int16_t", vec![form_r(5, A0, a0_a1)]),
        ("fm_both_i((uint8_t)a, -4)", "int16_t", vec![form_i(5, A0, A0, -4)]),
        ("fm_none((uint8_t)a, true)", "void", vec![form_i(6, 0, A0, 1)]),
        ("fm_way((fm_Way)a, fm_Way_down)", "fm_Way", vec![form_i(7, A0, A0, 5)]),
        ("fm_dropped(a, b)", "void", vec![form_flex(9, a0_a1, 0)]),
        ("fm_nothing()", "void", vec![form_r(10, 0, (0, 0))]),
        ("fm_upper(a)", "cx_word_t", vec![form_r(11, A0, (0, A0))]),
        ("fm_small((int8_t)a)", "void", vec![form_flex(12, (A0, 0), 0)]),
        ("fm_neither()", "bool", vec![form_r(13, A0, (0, 0))]),
        ("fm_third(a, b, 31)", "void", vec![form_flex(14, a0_a1, 31)]),
        ("fm_fourth(-8, a)", "void", vec![form_flex(15, (A0, 0), 8)]),
        ("fm_fourth(-1, a)", "void", vec![form_flex(15, (A0, 0), 15)]),
        ("fm_alone(fm_Way_down)", "void", vec![form_flex(16, (0, 0), 5)]),
        ("fm_lower(a, true)", "void", vec![form_flex(17, (0, A0), 1)]),
        ("fm_big(0x7FFF)", "void", vec![form_flex25(18, 0x7FFF)]),
        ("fm_big(0x1234)", "void", vec![form_flex25(18, 0x1234)]),
        ("fm_bigs(-2)", "void", vec![form_flex25(1007, 0x7FFE)]),
        ("fm_empty()", "void", vec![form_flex25(20, 0)]),
        ("fm_few(127)", "void", vec![form_flex25(21, 127)]),
    ];
    let files = compiled("forms.cxspec", FORMS.into());
    let mut source =
        "#include \"fm.h\"\n#if CX_XLEN == 32\ntypedef int32_t signed_t;\n#else\ntypedef int64_t signed_t;\n#endif\n"
            .to_owned();
    source.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (i, (text, ty, _)) in uses.iter().enumerate() {
        let give = if *ty == "void" { "" } else { "return " };
        let head = format!("{ty} f{i}(cx_word_t a, cx_word_t b)");
        source.push_str(&format!("{head};\n{head}\n{{\n    (void)a;\n    (void)b;\n    {give}{text};\n}}\n"));
    }
    source.push_str("#ifdef __cplusplus\n}\n#endif\n");
    for xlen in [32, 64] {
        let found = for_riscv(&files, xlen, &source);
        let custom: Vec<u32> = found.into_iter().filter(|word| matches!(word & 0x7F, 0x0B | 0x2B | 0x5B)).collect();
        // Which registers a compiler takes is its own affair where a value is prepared first.
        let wanted: Vec<u32> = uses.iter().flat_map(|(_, _, words)| words.clone()).collect();
        assert_eq!(custom.len(), wanted.len(), "{xlen}: {custom:x?}");
        for (i, (got, want)) in custom.iter().zip(&wanted).enumerate() {
            let free = match Instruction::decode(*want, Profile::DEFAULT) {
                Some(Instruction::Flex { function: 12, .. }) => 0x1F << 15,
                Some(Instruction::Flex { .. }) => 0,
                _ => 0x1F << 7 | 0x1F << 15,
            };
            let x0 = |word: u32| (word >> 7 & 0x1F == 0, word >> 15 & 0x1F == 0);
            assert!(got | free == want | free && x0(*got) == x0(*want), "{xlen}, {i}: {got:08x}, not {want:08x}");
        }
    }
    // The same uses compile everywhere else.
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    std::fs::write(dir.path().join("uses.c"), source).unwrap();
    for (compiler, language) in compilers() {
        for define in ["-DCX_XLEN=32", "-DCX_XLEN=64"] {
            let mut args = language.to_vec();
            args.extend(WARNINGS);
            args.extend([define, "-O2", "-Iinclude", "-c", "uses.c", "-o", "uses.o"]);
            must(compiler, &args, dir.path());
        }
    }
    golden("forms.h", text_of(&files, "include/fm.h"));
}

#[test]
fn what_no_immediate_carries_does_not_compile() {
    let files = compiled("forms.cxspec", FORMS.into());
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    let refused = [
        ("fm_constant(0x0800)", "12 bits, sign-extended, do not carry `asm_`"),
        ("fm_constant(0xF7FF)", "12 bits, sign-extended, do not carry `asm_`"),
        ("(uint16_t)fm_wide(a, 2048)", "12 bits, sign-extended, do not carry `y`"),
        ("(uint16_t)fm_wide(a, (cx_word_t)-2049)", "12 bits, sign-extended, do not carry `y`"),
        ("(fm_third(a, a, 32), (uint16_t)1)", "5 bits do not carry `n`"),
        ("(fm_third(a, a, -1), (uint16_t)1)", "5 bits do not carry `n`"),
        ("(fm_fourth(8, a), (uint16_t)1)", "4 bits do not carry `n`"),
        ("(fm_fourth(-9, a), (uint16_t)1)", "4 bits do not carry `n`"),
        ("(fm_big(0x8000), (uint16_t)1)", "15 bits do not carry `n`"),
        ("(fm_few(128), (uint16_t)1)", "7 bits do not carry `n`"),
        ("(fm_third(a, a, (uint8_t)a), (uint16_t)1)", "constant|captured"),
        ("fm_constant(0x1F800)", "12 bits, sign-extended, do not carry `asm_`"),
        ("fm_constant(-1)", "12 bits, sign-extended, do not carry `asm_`"),
        ("(uint16_t)fm_both_i((uint8_t)a, 2048)", "12 bits, sign-extended, do not carry `n`"),
        // In C++ the words are about a lambda.
        ("(uint16_t)fm_wide(a, a)", "constant|captured"),
    ];
    for (text, want) in refused {
        let source = format!(
            "#include \"fm.h\"\nuint16_t f(cx_word_t a);\nuint16_t f(cx_word_t a)\n{{\n    (void)a;\n    return {text};\n}}\n"
        );
        std::fs::write(dir.path().join("stubs.c"), source).unwrap();
        for language in RISCV_COMPILERS {
            let output = riscv(dir.path(), 32, language, "-O2");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(
                !output.status.success() && want.split('|').any(|w| stderr.contains(w)),
                "{language:?} {text}\n{stderr}"
            );
        }
        for (compiler, language) in compilers() {
            let mut args = language.to_vec();
            args.extend(["-DCX_XLEN=32", "-Iinclude", "-c", "stubs.c", "-o", "stubs.o"]);
            let output = run(compiler, &args, dir.path());
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(
                !output.status.success() && want.split('|').any(|w| stderr.contains(w)),
                "{compiler} {text}\n{stderr}"
            );
        }
    }
}

#[test]
fn an_undeclared_error_code_does_not_come_back_from_an_image() {
    let files = compiled("torture.cxspec", TORTURE.into());
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    let source = "#include <stdio.h>\n#include \"tt.h\"\n\
                  int main(void)\n{\n    cx_word_t words[32] = {0};\n    tt_state st;\n    uint32_t code;\n    \
                  for (code = 0; code < 3; code++) {\n        words[0] = code << 24 | 3u;\n        \
                  tt_state_restore(&st, words);\n        printf(\"%u %u;\", (unsigned)st.status >> 24, (unsigned)st.status & 3u);\n    }\n    \
                  return 0;\n}\n";
    std::fs::write(dir.path().join("main.c"), source).unwrap();
    must("gcc", &["-Iinclude", "main.c", "src/tt_fallback.c", "-o", "main"], dir.path());
    let program = dir.path().join("main");
    assert_eq!(must(program.to_str().unwrap(), &[], dir.path()), "0 3;1 3;0 3;");
}

#[test]
fn the_form_i_takes_no_rs2() {
    for operands in ["x: word @rs2", "n: imm u5, x: word @rs2"] {
        let text = format!(
            "cxspec 1;\npackage a.b;\ndraft interface X {{\n    uuid \"aa0f7d0e-00ff-4000-8000-000000000003\";\n    xlen \
             32;\n    command f = 0 : I ({operands}) -> word {{ return x; }}\n}}\n"
        );
        let source = SourceText { name: "x.cxspec".into(), bytes: text.into() };
        let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
        let messages: Vec<&str> = outcome.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, ["`I` has no rs2"]);
    }
}

#[test]
fn stubs_beside_others_have_names_that_may_collide() {
    let start = "cxspec 1;\npackage org.example.near;\ndraft interface Near {\n    uuid \"aa0f7d0e-00ff-4000-8000-0000000000e1\";\n    \
                 xintf 0x12345;\n    short near;\n    xlen 32;\n    command get = 0 : R (a: word) -> word { return a; }\n    \
                 command far = 1 : xcmd (a: u8, b: word) -> word { return b; }\n";
    for taken in ["get_in", "far_cookie", "xext0_with"] {
        let text = format!("{start}    command {taken} = 2 : R (a: word) -> word {{ return a; }}\n}}\n");
        let source = SourceText { name: "near.cxspec".into(), bytes: text.into() };
        let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
        let found = outcome.diagnostics.iter().any(|d| format!("{d:?}").contains(&format!("near_{taken}")));
        assert!(found, "{taken}: {:#?}", outcome.diagnostics);
    }
}

#[test]
fn the_stub_of_form_i_has_a_name_that_may_collide() {
    let text = FORMS.replace("command nothing =", "command both_i =");
    let source = SourceText { name: "forms.cxspec".into(), bytes: text.into() };
    let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
    let found = outcome.diagnostics.iter().any(|d| format!("{d:?}").contains("fm_both_i"));
    assert!(found, "{:#?}", outcome.diagnostics);
}
