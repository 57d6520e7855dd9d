//! Overloadable opcodes and commands without a body: the words of the stubs, what they do without hardware, and that a
//! missing body does not link.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::Path;

use lapis_cx::backend::File;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx_core::encoding::{Fallback, Instruction, Profile};
use support::{WARNINGS, compilers, emit, must, run, write};

const ROCKNROLL: &str = r#"cxspec 1;
package org.tinker.tinker;

interface RocknRoll {
    xintf 0x12345;
    command rock = 0 : xcmd (a: u<XLEN-12>, b: word) -> word { return a.zext(XLEN) +% b; }
    command roll = 1 : xcmd (a: u<XLEN-12>, b: word) -> word { return a.zext(XLEN) ^ b; }
    command stop = 2 : xcmd (a: s8, on: bool) -> s8 { if (on) { trap; } return a; }
    command open = 3 : xcmd () -> word { return 7; }
    command both = 4 : R | xcmd (b: s16 @rs2) -> bool { return b < 0; }
    command shut = 7 : xcmd (b: word @rs2) { }
}
/// Bit 19 of its id is set.
interface High {
    xintf 0xABCDE;
    short hi;
    state exclusive { n: word = 0; }
    command next = 0 : xcmd () -> word { n = n +% 1; return n; }
}
interface Jazz {
    xintf 0xBEB0B;
    command boogy = 0 : xcmd (a: u<XLEN-12>, b: word) -> word;
}
draft interface Swing {
    uuid "aa0f7d0e-00ff-4000-8000-000000000004";
    short sw;
    state exclusive { last: word = 0; }
    command swing = 0 : R (a: word) -> word;
    command last_one = 1 : R () -> word { return last; }
    command odd = 3 : R (a: word) -> s5;
    command even = 4 : R (a: word) -> u5;
    command quiet = 2 : flex (a: u8, b: u8, n: imm u5);
}
"#;

const STEM: &str = "org_tinker_tinker__RocknRoll";

fn files() -> Vec<File> {
    let source = SourceText { name: "rocknroll.cxspec".into(), bytes: ROCKNROLL.into() };
    let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
    assert!(!outcome.has_errors(), "{:#?}", outcome.diagnostics);
    emit(&outcome.contract.unwrap())
}

fn text_of<'f>(files: &'f [File], path: &str) -> &'f str {
    &files.iter().find(|f| f.path == path).unwrap().text
}

fn kept(name: &str, text: &str) {
    let text = text.replace(lapis_cx_core::CX_ABI_H.trim_end(), "/* the text of cx_abi.h */");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} differs from the kept text; look at it, then run with BLESS=1");
}

/// The custom instructions of a function file, compiled for a bare RISC-V with the arguments given.
fn custom(xlen: u32, source: &str, extra: &[&str]) -> Vec<u32> {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files());
    std::fs::write(dir.path().join("use.c"), source).unwrap();
    let target = format!("--target=riscv{xlen}");
    let (march, mabi) = if xlen == 32 { ("-march=rv32im", "-mabi=ilp32") } else { ("-march=rv64im", "-mabi=lp64") };
    for (compiler, language) in [("clang++", ["-std=c++17", "-xc++"].as_slice()), ("clang", &["-std=c11"])] {
        for level in ["-O0", "-O2"] {
            let mut args = language.to_vec();
            args.extend([
                target.as_str(),
                march,
                mabi,
                "-ffreestanding",
                level,
                "-Iinclude",
                "-c",
                "use.c",
                "-o",
                "use.o",
            ]);
            args.extend(WARNINGS);
            args.extend(extra);
            must(compiler, &args, dir.path());
        }
    }
    let listing = must("llvm-objdump", &["-d", "--no-leading-addr", "use.o"], dir.path());
    let word = |line: &str| {
        let bytes: Vec<&str> = line.split_whitespace().take(4).collect();
        let hex = bytes.concat();
        (bytes.iter().all(|b| b.len() == 2) && hex.len() == 8).then(|| u32::from_str_radix(&hex, 16).ok()).flatten()
    };
    listing.lines().filter_map(word).map(u32::swap_bytes).filter(|w| matches!(w & 0x7F, 0x7B | 0x5B | 0x37)).collect()
}

fn xcmd(command: u8, rd: u8, rs1: u8, rs2: u8) -> u32 {
    Instruction::Xcmd { command, rd, rs1, rs2 }.encode(Profile::DEFAULT).unwrap()
}

#[test]
fn a_lookup_is_lui_and_xext_and_a_command_is_one_xcmd() {
    let source = format!(
        "#include \"{STEM}.h\"\n#include \"hi.h\"\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\
         cx_cookie_t f(void);\ncx_cookie_t f(void) {{ return {STEM}__xext(0); }}\n\
         cx_cookie_t g(void);\ncx_cookie_t g(void) {{ return hi_xextm1(0); }}\n\
         cx_word_t h(cx_cookie_t c);\ncx_word_t h(cx_cookie_t c) {{ return {STEM}__open(c); }}\n\
         void i(cx_cookie_t c, cx_word_t b);\nvoid i(cx_cookie_t c, cx_word_t b) {{ {STEM}__shut(c, b); }}\n\
         #ifdef __cplusplus\n}}\n#endif\n"
    );
    let (a0, a1, x0) = (10, 11, 0);
    let xext = |fallback| Instruction::Xext { fallback, rd: a0, rs1: a0, rs2: x0 }.encode(Profile::DEFAULT).unwrap();
    let lui = |id: u32| id << 12 | u32::from(a0) << 7 | 0x37;
    for xlen in [32, 64] {
        let found = custom(xlen, &source, &[]);
        let want = [
            lui(0x12345),
            xext(Fallback::Trap),
            // On RV64 `lui` extends the sign of an id with bit 19 set, as its 52 bits have it.
            lui(0xABCDE),
            xext(Fallback::MinusOne),
            xcmd(3, a0, a0, x0),
            xcmd(7, x0, a0, a1),
        ];
        assert_eq!(found, want, "{xlen}: {found:x?}");
    }
}

#[test]
fn data_is_packed_above_the_lun() {
    let source = format!(
        "#include \"{STEM}.h\"\n\
         cx_word_t f(cx_cookie_t c, cx_word_t a, cx_word_t b);\n\
         cx_word_t f(cx_cookie_t c, cx_word_t a, cx_word_t b) {{ return {STEM}__rock(c, a, b); }}\n\
         bool g(cx_cookie_t c, int16_t b);\nbool g(cx_cookie_t c, int16_t b) {{ return {STEM}__both_x(c, b); }}\n"
    );
    for xlen in [32, 64] {
        let found = custom(xlen, &source, &[]);
        let decoded: Vec<_> = found.iter().map(|word| Instruction::decode(*word, Profile::DEFAULT)).collect();
        assert!(
            matches!(
                decoded[..],
                [
                    Some(Instruction::Xcmd { command: 0, rs2: 12, .. }),
                    Some(Instruction::Xcmd { command: 4, rs1: 10, .. })
                ]
            ),
            "{xlen}: {decoded:?}"
        );
    }
}

#[test]
fn the_opcode_is_a_macro() {
    let source = format!("#include \"{STEM}.h\"\ncx_word_t f(cx_cookie_t c) {{ return {STEM}__open(c); }}\n");
    let source = source.replace("cx_word_t f", "cx_word_t f(cx_cookie_t c);\ncx_word_t f");
    assert_eq!(custom(64, &source, &["-DCX_XCMD_OPCODE=0x5B"]), [0x0005_355B]);
    // A CPU without the instructions has the software functions.
    let found = custom(64, &source, &["-DCX_XCMD_SOFTWARE"]);
    assert!(found.iter().all(|word| word & 0x7F == 0x37), "{found:x?}");
}

/// Compiles and runs a program with the fallbacks of some interfaces; gives what it printed, or how it ended.
fn ran(main: &str, sources: &[&str]) -> Result<String, String> {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files());
    std::fs::write(dir.path().join("main.c"), main).unwrap();
    let mut printed = Vec::new();
    for (compiler, language) in compilers() {
        for xlen in ["-DCX_XLEN=32", "-DCX_XLEN=64"] {
            let mut args = language.to_vec();
            args.extend(WARNINGS);
            args.extend([xlen, "-Iinclude", "main.c"]);
            args.extend(sources);
            args.extend(["-o", "main"]);
            let output = run(compiler, &args, dir.path());
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned());
            }
            let output = run(dir.path().join("main").to_str().unwrap(), &[], dir.path());
            if !output.status.success() {
                return Err(output.status.to_string());
            }
            printed.push(String::from_utf8(output.stdout).unwrap());
        }
    }
    printed.dedup();
    assert_eq!(printed.len(), 1, "{printed:?}");
    Ok(printed.remove(0))
}

const ROCK_SOURCE: &str = "src/org_tinker_tinker__RocknRoll_fallback.c";
const JAZZ_SOURCE: &str = "src/org_tinker_tinker__Jazz_fallback.c";

fn main_of(statements: &str) -> String {
    format!(
        "#include <stdio.h>\n#include \"{STEM}.h\"\n#include \"hi.h\"\n#define ROLL(name) org_tinker_tinker__RocknRoll__##name\n\
         static unsigned u(cx_word_t w) {{ return (unsigned)w; }}\n\
         int main(void)\n{{\n    cx_cookie_t c = ROLL(xext)(0);\n    (void)u(c.bits);\n{statements}    return 0;\n}}\n"
    )
}

#[test]
fn without_hardware_the_software_functions_answer() {
    let main = main_of(
        "    printf(\"%d %u %u\", cx_cookie_is_device(c), u(ROLL(rock)(c, 40, 2)), u(ROLL(roll)(c, 5, 6)));\n    \
         printf(\" %d %u %d\", ROLL(stop)(c, -5, false), u(ROLL(open)(c)), ROLL(both_x)(c, -1));\n    \
         ROLL(shut)(c, 1);\n    c = cx_cookie_with(c, 0x54321);\n    \
         printf(\" %x %u\", u(cx_cookie_data(c)), u(ROLL(open)(c)));\n",
    );
    assert_eq!(ran(&main, &[ROCK_SOURCE]), Ok("1 42 3 -5 7 1 54321 7".into()));
}

#[test]
fn a_lookup_takes_data_and_a_command_may_leave_the_cookie_as_it_is() {
    let main = main_of(
        "    printf(\"%u\", u(ROLL(rock_cookie)(ROLL(xext_with)(0, 40), 2)));\n    \
         printf(\" %d\", ROLL(stop_cookie)(ROLL(xext_with)(0, (cx_word_t)-5), false));\n    \
         printf(\" %x\", u(cx_cookie_data(ROLL(xext_with)(0, (cx_word_t)0x12345))));\n    \
         printf(\" %u\", u(cx_cookie_data(ROLL(xext0_with)(1, 40))));\n    \
         printf(\" %x %u\", u(ROLL(rock_cookie)(ROLL(xextm1_with)(1, 40), 2)), u(hi_xext0_with(0, 3).bits));\n    (void)c;\n",
    );
    assert_eq!(ran(&main, &[ROCK_SOURCE]), Ok("42 -5 12345 0 ffffffff 1".into()));
}

#[test]
fn absent_devices_answer_as_their_lun_says() {
    // Device 1 is not there; a cookie may also be made by hand, and an interface with state has no device.
    let main = main_of(
        "    cx_cookie_t zero = ROLL(xext0)(1), ones = ROLL(xextm1)(4095), none = hi_xext0(0);\n    \
         printf(\"%d %d\", cx_cookie_is_device(zero), cx_cookie_is_device(ROLL(xext)(1)));\n    \
         printf(\" %u %x %d\", u(ROLL(rock)(zero, 1, 2)), u(ROLL(rock)(ones, 1, 2)), ROLL(stop)(ones, 1, true));\n    \
         printf(\" %d %u\", ROLL(both_x)(cx_cookie_from(0x7FFF002), 1), u(hi_next(none)));\n",
    );
    assert_eq!(ran(&main, &[ROCK_SOURCE]), Ok("0 0 0 ffffffff -1 1 0".into()));
}

#[test]
fn what_traps_ends_the_program() {
    for call in ["ROLL(rock)(ROLL(xext)(1), 1, 2)", "ROLL(stop)(c, 1, true)", "ROLL(open)(cx_cookie_from(40))"] {
        let ended = ran(&main_of(&format!("    (void){call};\n")), &[ROCK_SOURCE]).unwrap_err();
        assert!(ended.contains("signal"), "{call}: {ended}");
    }
}

#[test]
fn a_body_comes_from_outside_or_it_does_not_link() {
    let main = "#include <stdio.h>\n#include \"org_tinker_tinker__Jazz.h\"\n\
         #ifdef BODY\n\
         #if CX_XLEN == 32\n#define WORD uint32_t\n#else\n#define WORD uint64_t\n#endif\n\
         WORD org_tinker_tinker__Jazz__body_boogy(WORD a, WORD b, uint32_t *status)\n{\n    \
         if (b == 0) { *status = CX_RESPONSE_OP; }\n    return a * b;\n}\n#endif\n\
         int main(void)\n{\n    cx_reg_t rd = 1;\n    cx_cookie_t c = org_tinker_tinker__Jazz__xext(0);\n    \
         printf(\"%u\", (unsigned)org_tinker_tinker__Jazz__boogy(c, 6, 7));\n    \
         printf(\" %u\", (unsigned)org_tinker_tinker__Jazz__sw_issue(NULL, 0, 3, 0, &rd));\n    \
         printf(\" %u\\n\", (unsigned)rd);\n    return 0;\n}\n";
    let with = format!("#define BODY 1\n{main}");
    assert_eq!(ran(&with, &[JAZZ_SOURCE]), Ok("42 5 0\n".into()));
    let missing = ran(main, &[JAZZ_SOURCE]).unwrap_err();
    assert!(missing.contains("body_boogy"), "{missing}");
}

#[test]
fn a_body_with_state_sees_a_context_that_is_on_and_leaves_it_dirty() {
    let main = "#include <stdio.h>\n#include \"sw.h\"\n\
         #if CX_XLEN == 32\n#define WORD uint32_t\n#else\n#define WORD uint64_t\n#endif\n\
         WORD sw_body_swing(sw_state *st, WORD a, uint32_t *status)\n{\n    \
         if (a == 9) { *status = CX_RESPONSE_OP; return 1; }\n    st->last = a;\n    return a + 1;\n}\n\
         void sw_body_quiet(sw_state *st, uint8_t a, uint8_t b, uint8_t n, uint32_t *status)\n{\n    \
         (void)status;\n    st->last = (WORD)a + b + n;\n}\n\
         int8_t sw_body_odd(sw_state *st, WORD a, uint32_t *status) { (void)st; (void)status; return (int8_t)a; }\n\
         uint8_t sw_body_even(sw_state *st, WORD a, uint32_t *status) { (void)st; (void)status; return (uint8_t)a; }\n\
         int main(void)\n{\n    sw_state st;\n    cx_reg_t rd;\n    uint32_t answer;\n    sw_state_init(&st);\n    \
         answer = sw_sw_issue(&st, 0, 9, 0, &rd);\n    printf(\"%u %u %u;\", answer, (unsigned)rd, st.status & 3u);\n    \
         answer = sw_sw_issue(&st, 0, 4, 0, &rd);\n    printf(\"%u %u %u;\", answer, (unsigned)rd, st.status & 3u);\n    \
         answer = sw_sw_issue(&st, CX_WITH_IMMEDIATE(2, 31), 1, 2, &rd);\n    printf(\"%u %u;\", answer, (unsigned)sw_sw_last_one(&st));\n    \
         st.status &= ~3u;\n    answer = sw_sw_issue(&st, 0, 4, 0, &rd);\n    printf(\"%u %u;\", answer, (unsigned)rd);\n    \
         printf(\"%u;\", (unsigned)sw_sw_swing(&st, 4));\n    st.status |= 3u;\n    \
         printf(\"%d %d %u\", sw_sw_odd(&st, 0x30), sw_sw_odd(&st, 0x4F), sw_sw_even(&st, 0xFF));\n    return 0;\n}\n";
    assert_eq!(ran(main, &["src/sw_fallback.c"]), Ok("5 1 1;0 5 3;0 34;3 0;0;-16 15 31".into()));
}

#[test]
fn headers_print_as_kept() {
    let files = files();
    kept("rocknroll.h", text_of(&files, &format!("include/{STEM}.h")));
    kept("swing_fallback.c", text_of(&files, "src/sw_fallback.c"));
}
