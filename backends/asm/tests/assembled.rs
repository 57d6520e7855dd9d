//! What the backend prints, through clang's assembler and GNU as, at both XLENs: each use of a macro is the word that the
//! encoder gives. `BLESS=1` writes the kept texts anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output};

use lapis_cx::backend::{Backend, File};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx_backend_asm::Asm;
use lapis_cx_core::encoding::{CsrAccess, CsrOperation, CsrSource, Fallback, Instruction, Profile};

const ROCKNROLL: &str = r#"cxspec 1;
package org.tinker.tinker;

/// The interface of the document's example.
interface RocknRoll {
    xintf 0xABCDE;
    /// Takes data */ and rs2.
    command rock = 0 : xcmd (a: u<XLEN-12>, b: word) -> word { return a.zext(XLEN) +% b; }
    command roll = 1 : xcmd (a: u<XLEN-12>, b: word) -> word { return a.zext(XLEN) ^ b; }
    command shut = 7 : xcmd (b: word @rs2) { }
}
interface Wide { short wd; xintf 0x12345, 0x8000000012345; command c = 0 : xcmd () -> word { return 1; } }
"#;

const FORMS: &str = r#"cxspec 1;
package org.example.forms;

/// Every form, and what else a header holds.
draft interface Forms {
    uuid "aa0f7d0e-00ff-4000-8000-000000000002";
    xintf 0x00007;
    short add;
    const LEAST = -5;
    const TABLE: u8[2] = [1, 2];
    /// Where to.
    enum Way: u3 { up = 1, down = 5 }
    /// Nothing is left.
    error empty = 3 "it is empty";
    /// What one user has. */ .word 0 /*
    state exclusive {
        /// Whether it
        /// is on.
        flag: bool = true;
        five: u5[5] = [1,2,3,4,31]; odd: s33[3] = [-1,2,-4]; last: u8 = 0;
    }
    /// Two fields of the state.
    csr control = 0x810 rw {
        flag [0]: bool = flag;
        /// The last one.
        level [15:8]: u8 = last;
    }
    csr made = 0xCC0 ro { top [31:31]: bool = five[0] == 1; }

    command add = 0 : R (x: word, y: word) -> word { return x +% y; }
    command first = 1 : I (n: imm s12, x: word) -> word { return x +% n.sext(XLEN).unsigned(); }
    command second = 2 : I (x: sword, n: imm u12) -> sword { return x; }
    command constant = 3 : I (n: imm u16) -> u16 { return n; }
    command lone = 4 : R | I (x: word) -> word { return x; }
    command wide = 5 : R | I | flex | xcmd (x: u16, y: word) -> word { return y; }
    command way = 7 : I (x: Way, w: imm Way) -> Way { return w; }
    command third = 14 : flex (a: word, b: word, n: imm u5) { }
    command fourth = 15 : flex (n: imm s4, a: word) { }
    command upper = 16 : R (x: word @rs2) -> word { return x; }
    command lower = 17 : flex (x: word @rs2, on: imm bool) { }
    command big = 18 : flex25 (n: imm u15) { }
    command bigs = 1007 : flex25 (n: imm s15) { }
    command empty_one = 20 : flex25 () { }
    command few = 21 : flex25 (n: imm u7) { }
    command only64 = 22 : R (x: u64) -> u64 @xlen(64) { return x; }
    command nothing = 23 : R () { }
}
"#;

fn outcome(backend: &dyn Backend, text: &str) -> Outcome {
    let source = SourceText { name: "t.cxspec".into(), bytes: text.into() };
    compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[backend])
}

fn printed(backend: &dyn Backend, text: &str) -> Vec<File> {
    let outcome = outcome(backend, text);
    assert!(!outcome.has_errors(), "{:#?}", outcome.diagnostics);
    outcome.files
}

fn run(tool: &str, args: &[&str], dir: &Path) -> Output {
    let package = match tool {
        "riscv64-linux-gnu-as" => "binutils-riscv64-linux-gnu",
        "llvm-objdump" | "llvm-objcopy" => "llvm",
        _ => "clang",
    };
    match Command::new(tool).args(args).current_dir(dir).output() {
        Ok(output) => output,
        Err(e) => panic!("`{tool}` does not run ({e}): install the package `{package}`"),
    }
}

fn done(tool: &str, args: &[&str], dir: &Path) -> Result<String, String> {
    let output = run(tool, args, dir);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap())
    } else {
        Err(format!("{tool}: {stderr}"))
    }
}

fn write(dir: &Path, files: &[File]) {
    for file in files {
        let path = dir.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.text).unwrap();
    }
}

/// The words of the `.text` of a source, which both assemblers must give alike, or what each had to say.
fn assembled(files: &[File], xlen: u32, source: &str) -> Result<Vec<u32>, Vec<String>> {
    let [clang, gnu] = by_each(files, xlen, source)?;
    assert_eq!(clang, gnu, "{xlen}");
    Ok(clang)
}

/// The words of clang and of GNU as.
fn by_each(files: &[File], xlen: u32, source: &str) -> Result<[Vec<u32>; 2], Vec<String>> {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    write(dir, files);
    std::fs::write(dir.join("use.S"), source).unwrap();
    let target = format!("--target=riscv{xlen}");
    let (march, mabi) = (format!("-march=rv{xlen}i"), if xlen == 32 { "-mabi=ilp32" } else { "-mabi=lp64" });
    let common = [target.as_str(), march.as_str(), mabi, "-Iasm", "-Wall", "-Werror"];
    let clang = done("clang", &[&common[..], &["-Wa,--fatal-warnings", "-c", "use.S", "-o", "clang.o"]].concat(), dir);
    done("clang", &[&common[..], &["-E", "use.S", "-o", "use.s"]].concat(), dir).unwrap();
    let gnu = done("riscv64-linux-gnu-as", &["--fatal-warnings", &march, mabi, "use.s", "-o", "gnu.o"], dir);
    match (clang, gnu) {
        (Ok(_), Ok(_)) => {}
        (Err(a), Err(b)) => return Err(vec![a, b]),
        (a, b) => panic!("{xlen}: one assembler takes it, the other does not:\n{a:?}\n{b:?}\n{source}"),
    }
    Ok(["clang.o", "gnu.o"].map(|object| words(dir, object)))
}

/// The words that the disassembler sees.
fn words(dir: &Path, object: &str) -> Vec<u32> {
    let listing = done("llvm-objdump", &["-d", "--no-leading-addr", object], dir).unwrap();
    let word = |line: &str| {
        let bytes: Vec<&str> = line.split_whitespace().take(4).collect();
        let hex = bytes.concat();
        (bytes.iter().all(|b| b.len() == 2) && hex.len() == 8).then(|| u32::from_str_radix(&hex, 16).ok()).flatten()
    };
    listing.lines().filter_map(word).map(u32::swap_bytes).collect()
}

fn word(instruction: Instruction) -> u32 {
    instruction.encode(Profile::DEFAULT).unwrap()
}

fn r(function: u16, rd: u8, rs1: u8, rs2: u8) -> u32 {
    word(Instruction::R { function, rd, rs1, rs2 })
}

fn i(function: u16, rd: u8, rs1: u8, immediate: i16) -> u32 {
    word(Instruction::I { function, rd, rs1, immediate })
}

fn flex(function: u16, rs1: u8, rs2: u8, immediate: u8) -> u32 {
    word(Instruction::Flex { function, rs1, rs2, immediate })
}

fn flex25(function: u16, immediate: u16) -> u32 {
    word(Instruction::flex25(function, immediate).unwrap())
}

fn xcmd(command: u8, rd: u8, rs1: u8, rs2: u8) -> u32 {
    word(Instruction::Xcmd { command, rd, rs1, rs2 })
}

fn xext(fallback: Fallback, rd: u8, rs1: u8, rs2: u8) -> u32 {
    word(Instruction::Xext { fallback, rd, rs1, rs2 })
}

const A0: u8 = 10;
const A1: u8 = 11;
const A2: u8 = 12;
const T0: u8 = 5;
const T1: u8 = 6;
const X0: u8 = 0;

fn lui(rd: u8, immediate: u32) -> u32 {
    immediate << 12 | u32::from(rd) << 7 | 0x37
}

// Sentences: overloadable-opcodes 33, 36, 40-41, 47.
#[test]
fn the_sequences_of_the_document_assemble() {
    let files = printed(&Asm::DEFAULT, ROCKNROLL);
    // Overloadable opcodes: the sequence under its long names, as macros of the assembler and of the preprocessor.
    let source = "#include \"org_tinker_tinker__RocknRoll.h\"\n\
        lui t1, org_tinker_tinker__RocknRoll__uuid\n\
        xext t1, t1, zero\n\
        xcmd0 a5, t1, a0\n\
        org_tinker_tinker__RocknRoll__roll a2, t1, a1\n\
        org_tinker_tinker__RocknRoll__rock(a0, t1, a2)\n\
        org_tinker_tinker__RocknRoll__shut t1, a0\n\
        xext0 t0, t0, a1\n\
        xextm1 t0 t0 a1\n\
        xcmd7 t0, t0, a1\n";
    for xlen in [32, 64] {
        let want = vec![
            lui(T1, 0xABCDE),
            xext(Fallback::Trap, T1, T1, X0),
            xcmd(0, 15, T1, A0),
            xcmd(1, A2, T1, A1),
            xcmd(0, A0, T1, A2),
            xcmd(7, X0, T1, A0),
            xext(Fallback::Zero, T0, T0, A1),
            xext(Fallback::MinusOne, T0, T0, A1),
            xcmd(7, T0, T0, A1),
        ];
        assert_eq!(assembled(&files, xlen, source), Ok(want), "{xlen}");
    }
}

#[test]
fn a_lookup_loads_the_id_and_the_device() {
    let files = printed(&Asm::DEFAULT, ROCKNROLL);
    let source = "#include \"org_tinker_tinker__RocknRoll.h\"\n#include \"wd.h\"\n\
        org_tinker_tinker__RocknRoll__xext t0\n\
        org_tinker_tinker__RocknRoll__xextm1 t1, a0, device=3\n";
    let addi = |xlen, rd: u8| 3 << 20 | u32::from(rd) << 15 | u32::from(rd) << 7 | if xlen == 32 { 0x13 } else { 0x1B };
    for xlen in [32, 64] {
        let want = vec![
            lui(T0, 0xABCDE),
            xext(Fallback::Trap, T0, T0, X0),
            lui(T1, 0xABCDE),
            addi(xlen, T1),
            xext(Fallback::MinusOne, T1, T1, A0),
        ];
        assert_eq!(assembled(&files, xlen, source), Ok(want), "{xlen}");
    }
    // An id of 52 bits takes what the assembler's `li` takes; the lookup is last.
    for (xlen, id) in [(32, "0x12345FFF"), (64, "0x8000000012345FFF")] {
        let lookups = by_each(&files, xlen, "#include \"wd.h\"\nwd_xext0 t0, device=4095\n").unwrap();
        let constants = by_each(&files, xlen, &format!("li t0, {id}\n")).unwrap();
        for (lookup, mut want) in lookups.into_iter().zip(constants) {
            want.push(xext(Fallback::Zero, T0, T0, X0));
            assert_eq!(lookup, want, "{xlen}");
        }
    }
    for (line, why) in [("t0, t0", "two registers"), ("t0, device=4096", "0 to 4095"), ("t0, device=-1", "0 to 4095")] {
        let source = format!("#include \"wd.h\"\nwd_xext {line}\n");
        let said = assembled(&files, 64, &source).unwrap_err();
        assert!(said.iter().all(|s| s.contains(why)), "{said:?}");
    }
}

#[test]
fn each_form_is_the_word_that_the_encoder_gives() {
    let files = printed(&Asm::DEFAULT, FORMS);
    let uses = [
        // The mnemonic of the ISA stays what it is.
        ("add a0, a1, a2", 0x00C5_8533),
        ("add_add a0, a1, a2", r(0, A0, A1, A2)),
        ("org_example_forms__Forms__add a0, a1, a2", r(0, A0, A1, A2)),
        ("add_add(a0, a1, a2)", r(0, A0, A1, A2)),
        ("add_first a0, -2048, a1", i(1, A0, A1, -2048)),
        ("add_first a0, 2047, a1", i(1, A0, A1, 2047)),
        ("add_first(a0, (1 << 4) | 3, a1)", i(1, A0, A1, 19)),
        ("add_second a0, a1, 0xFFF", i(2, A0, A1, -1)),
        ("add_second a0, a1, 0x7FF", i(2, A0, A1, 0x7FF)),
        ("add_constant a0, 0xF800", i(3, A0, X0, -2048)),
        ("add_constant a0, 0x7FF", i(3, A0, X0, 0x7FF)),
        ("add_lone a0, a1", r(4, A0, A1, X0)),
        ("add_lone_i a0, a1", i(4, A0, A1, 0)),
        ("add_wide a0, a1, a2", r(5, A0, A1, A2)),
        ("add_wide_i a0, a1, -5", i(5, A0, A1, -5)),
        ("add_wide_flex a1, a2", flex(5, A1, A2, 0)),
        ("add_wide_x a0, a1, a2", xcmd(5, A0, A1, A2)),
        ("add_way a0, a1, add_Way_down", i(7, A0, A1, 5)),
        ("add_third a1, a2, 31", flex(14, A1, A2, 31)),
        ("add_third a1, a2, 0", flex(14, A1, A2, 0)),
        ("add_fourth -8, a1", flex(15, A1, X0, 8)),
        ("add_fourth -1, a1", flex(15, A1, X0, 15)),
        ("add_upper a0, a1", r(16, A0, X0, A1)),
        ("add_lower a1, 1", flex(17, X0, A1, 1)),
        ("add_big 0x7FFF", flex25(18, 0x7FFF)),
        ("add_big 0x1234", flex25(18, 0x1234)),
        ("add_bigs -2", flex25(1007, 0x7FFE)),
        ("add_empty_one", flex25(20, 0)),
        ("add_few 127", flex25(21, 127)),
        ("add_nothing", r(23, X0, X0, X0)),
        ("add_nothing()", r(23, X0, X0, X0)),
        ("csrrw a1, cx_index, a0", 0x8005_15F3),
        ("csrr a0, mcx_selector", 0xBC00_2573),
    ];
    for xlen in [32, 64] {
        let lines: Vec<&str> = uses.iter().map(|(line, _)| *line).collect();
        let source = format!("#include \"add.h\"\n#include \"add.h\"\n{}\n", lines.join("\n"));
        let found = assembled(&files, xlen, &source).unwrap();
        assert_eq!(found.len(), uses.len(), "{xlen}: {found:x?}");
        for ((line, want), got) in uses.iter().zip(found) {
            assert_eq!(got, *want, "{xlen}: {line}: {got:08x}, not {want:08x}");
            if want & 0x7F != 0x33 {
                assert_eq!(
                    Instruction::decode(got, Profile::DEFAULT).and_then(|i| i.encode(Profile::DEFAULT)),
                    Some(got)
                );
            }
        }
    }
    assert_eq!(assembled(&files, 64, "#include \"add.h\"\nadd_only64 a0, a1\n"), Ok(vec![r(22, A0, A1, X0)]));
    assert!(assembled(&files, 32, "#include \"add.h\"\nadd_only64 a0, a1\n").is_err());
}

#[test]
fn what_no_immediate_carries_does_not_assemble() {
    let files = printed(&Asm::DEFAULT, FORMS);
    let refused = [
        ("add_first a0, 2048, a1", "12 bits do not carry n"),
        ("add_first a0, -2049, a1", "12 bits do not carry n"),
        ("add_second a0, a1, 4096", "12 bits do not carry n"),
        ("add_second a0, a1, -1", "12 bits do not carry n"),
        ("add_constant a0, 0x0800", "12 bits, sign-extended, do not carry n"),
        ("add_constant a0, 0xF7FF", "12 bits, sign-extended, do not carry n"),
        ("add_wide_i a0, a1, 2048", "12 bits, sign-extended, do not carry y"),
        ("add_wide_i a0, a1, -2049", "12 bits, sign-extended, do not carry y"),
        ("add_way a0, a1, 8", "3 bits do not carry w"),
        ("add_third a1, a2, 32", "5 bits do not carry n"),
        ("add_third a1, a2, -1", "5 bits do not carry n"),
        ("add_fourth 8, a1", "4 bits do not carry n"),
        ("add_lower a1, 2", "1 bit does not carry a bool"),
        ("add_big 0x8000", "15 bits do not carry n"),
        ("add_bigs 0x4000", "15 bits do not carry n"),
        ("add_few 128", "7 bits do not carry n"),
    ];
    for (line, why) in refused {
        let said = assembled(&files, 64, &format!("#include \"add.h\"\n{line}\n")).unwrap_err();
        assert!(said.iter().all(|s| s.contains(why)), "{line}: {said:?}");
    }
    // An operand too few is said, not taken for x0.
    assert!(assembled(&files, 64, "#include \"add.h\"\nadd_add a0, a1\n").is_err());
}

#[test]
fn constants_state_and_data_are_there() {
    let files = printed(&Asm::DEFAULT, FORMS);
    // Word indices: on, five times five bits, three times 33 bits, last.
    for (xlen, last) in [(32, 6), (64, 4)] {
        let source = format!(
            "#include \"add.h\"\n.if add_word_flag != 0 || add_word_five != 1 || add_word_odd != 2 || add_word_last != {last}\n\
             .error \"words\"\n.endif\n.if add_state_words != {last} + 1\n.error \"count\"\n.endif\n\
             .if add_LEAST != -5 || add_Way_up != 1 || add_error_empty != 3 || add_id_bigs != 1007\n.error \"values\"\n.endif\n\
             .if add_csr_made != 0xCC0 || add_control_level_shift != 8 || add_control_level_mask != 0xFF00 || add_made_top_mask != 1 << 31\n\
             .error \"csrs\"\n.endif\n.if org_example_forms__Forms__id_bigs != 1007 || CX_STATUS_CU != 64\n.error \"long\"\n.endif\n"
        );
        assert_eq!(assembled(&files, xlen, &source), Ok(vec![]), "{xlen}");
    }
}

#[test]
fn csr_instructions_take_the_names_of_csrs() {
    let files = printed(&Asm::DEFAULT, FORMS);
    let source = "#include \"add.h\"\ncsrr a0, add_csr_made\ncsrrs a1, org_example_forms__Forms__csr_control, a2\n";
    for xlen in [32, 64] {
        let set = |csr, rd, register| {
            let source = CsrSource::Register(register);
            word(Instruction::Csr(CsrAccess { csr, operation: CsrOperation::Set, rd, source }))
        };
        let expected = vec![set(0xCC0, 10, 0), set(0x810, 11, 12)];
        assert_eq!(assembled(&files, xlen, source), Ok(expected), "{xlen}");
    }
}

#[test]
fn identity_is_data_where_it_is_wanted() {
    let contract = outcome(&Asm::DEFAULT, FORMS).contract.unwrap();
    let interface = contract.interfaces().next().unwrap();
    let (high, low) = interface.uuid.unwrap().as_u64_pair();
    let mut want = [high.to_le_bytes(), low.to_le_bytes()].concat();
    want.extend((0..64).step_by(2).map(|i| u8::from_str_radix(&interface.hash[i..i + 2], 16).unwrap()));
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    write(dir, &printed(&Asm::DEFAULT, FORMS));
    std::fs::write(dir.join("use.S"), "#include \"add.h\"\n.section .rodata\nadd_uuid_data\nadd_contract_data\n")
        .unwrap();
    done("clang", &["--target=riscv64", "-Iasm", "-c", "use.S", "-o", "clang.o"], dir).unwrap();
    done("clang", &["--target=riscv64", "-Iasm", "-E", "use.S", "-o", "use.s"], dir).unwrap();
    done("riscv64-linux-gnu-as", &["use.s", "-o", "gnu.o"], dir).unwrap();
    for object in ["clang.o", "gnu.o"] {
        done("llvm-objcopy", &["-O", "binary", "--only-section=.rodata", object, "data"], dir).unwrap();
        assert_eq!(std::fs::read(dir.join("data")).unwrap(), want, "{object}");
    }
}

#[test]
fn options_change_the_profile() {
    let set = |options: &[(&str, &str)]| Asm::DEFAULT.with_options(options);
    let other = set(&[("xcmd-opcode", "0x5B"), ("flex-opcode", "custom-3")]).unwrap();
    let source = "#include \"add.h\"\nxcmd1 a0, a1, a2\nadd_wide_flex a1, a2\nadd_third a1, a2, 3\nadd_big 0x1234\n";
    let files = printed(&*other, FORMS);
    let profile = Profile::new(0x0B, 0x2B, 0x7B, 0x5B).unwrap();
    let want = [
        Instruction::Xcmd { command: 1, rd: A0, rs1: A1, rs2: A2 },
        Instruction::Flex { function: 5, rs1: A1, rs2: A2, immediate: 0 },
        Instruction::Flex { function: 14, rs1: A1, rs2: A2, immediate: 3 },
        Instruction::flex25(18, 0x1234).unwrap(),
    ];
    let want: Vec<u32> = want.iter().map(|i| i.encode(profile).unwrap()).collect();
    assert_eq!(assembled(&files, 64, source), Ok(want));
    // Headers of two profiles do not meet.
    let mut both = files;
    both.extend(printed(&Asm::DEFAULT, ROCKNROLL));
    let said = assembled_fails(&both, "#include \"add.h\"\n#include \"wd.h\"\n");
    assert!(said.contains("another opcode for xcmd"), "{said}");
    for (options, why) in [
        (&[("opcode", "1")][..], "the options are `r-opcode`"),
        (&[("r-opcode", "custom-4")], "is no opcode"),
        (&[("r-opcode", "0x2B")], "four different opcodes"),
        (&[("xcmd-opcode", "0x73")], "four different opcodes"),
    ] {
        let error = set(options).err().unwrap().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// What the preprocessor says of a source that it refuses.
fn assembled_fails(files: &[File], source: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    std::fs::write(dir.path().join("use.S"), source).unwrap();
    done("clang", &["--target=riscv64", "-Iasm", "-c", "use.S", "-o", "use.o"], dir.path()).unwrap_err()
}

#[test]
fn a_header_says_where_it_cannot_be_used() {
    let files = printed(&Asm::DEFAULT, &FORMS.replace("short add;", "short add;\n    xlen 64;"));
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    std::fs::write(dir.path().join("use.S"), "#include \"add.h\"\n").unwrap();
    std::fs::write(dir.path().join("use.c"), "#include \"add.h\"\n").unwrap();
    let of = |args: &[&str]| done("clang", args, dir.path()).unwrap_err();
    assert!(of(&["--target=riscv32", "-Iasm", "-c", "use.S"]).contains("no contract for this XLEN, only for 64"));
    assert!(of(&["-Iasm", "-c", "use.S"]).contains("for RISC-V assembly"));
    assert!(of(&["--target=riscv64", "-Iasm", "-fsyntax-only", "use.c"]).contains("for RISC-V assembly"));
}

#[test]
fn names_that_assemblers_take_for_one_are_refused() {
    let of = |members: &str| {
        let text = format!(
            "cxspec 1;\npackage a.b;\ndraft interface X {{\n    uuid \"aa0f7d0e-00ff-4000-8000-000000000003\";\n    short x;\n{members}}}\n"
        );
        let outcome = outcome(&Asm::DEFAULT, &text);
        outcome.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    // GNU as does not tell cases of macros apart; the preprocessor does.
    let found = of("    command aB = 0 : R () { }\n    command ab = 1 : R () { }\n");
    assert!(found.iter().any(|m| m.contains("assembler macro `a_b__x__ab`")), "{found:?}");
    assert_eq!(of("    const LIMIT = 1;\n    command limit = 1 : R () { }\n"), [] as [String; 0]);
    let found = of("    command a = 0 : R | I (p: u8, q: u8) { }\n    command a_i = 1 : R () { }\n");
    assert!(found.len() == 1 && found[0].contains("`a_b__x__a_i`"), "{found:?}");
    let found = of("    const word_s = 1;\n    state exclusive { s: u8 = 0; }\n    command c = 0 : R () { }\n");
    assert!(found.len() == 1 && found[0].contains("__word_s`"), "{found:?}");
}

#[test]
fn every_name_has_an_underscore_that_no_mnemonic_has() {
    for text in [ROCKNROLL, FORMS] {
        let contract = outcome(&Asm::DEFAULT, text).contract.unwrap();
        let names = Asm::DEFAULT.names(&contract);
        assert!(names.iter().filter(|n| !n.space.ends_with("file")).all(|n| n.name.contains('_')));
        // All that is defined is said, so that collisions are seen.
        for file in printed(&Asm::DEFAULT, text) {
            let own = file.text.split("#ifndef CX_ASM_COMMON").nth(1).unwrap();
            for line in own.lines() {
                let Some(rest) = line.strip_prefix(".macro ").or(line.strip_prefix("#define ")) else { continue };
                let name = rest.split([' ', '(']).next().unwrap();
                let is_shared = ["cx_", "mcx_", "CX_", "xext", "xcmd"].iter().any(|shared| name.starts_with(shared));
                assert!(is_shared || names.iter().any(|n| n.name == name), "{name}");
            }
        }
    }
}

#[test]
fn headers_print_as_kept() {
    let files = printed(&Asm::DEFAULT, ROCKNROLL);
    let files = files.into_iter().chain(printed(&Asm::DEFAULT, FORMS));
    for file in files.filter(|f| !f.path.ends_with("wd.h")) {
        let name = Path::new(&file.path).file_name().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &file.text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == file.text, "{name:?} differs from the kept text; look at it, then run with BLESS=1");
    }
}

#[test]
fn every_shipped_spec_assembles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cxspec"));
    paths.sort();
    let mut count = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        // A spec that is not frozen yet has a contract all the same; one with imports from its folder has not, here.
        let Some(contract) = outcome(&Asm::DEFAULT, &text).contract else { continue };
        let program = lapis_cx::lower::lower(&contract);
        let input = lapis_cx::backend::Input::new(&contract, &program);
        let files = Asm::DEFAULT.emit(input).unwrap();
        let all: String =
            files.iter().map(|f| f.path.trim_start_matches("asm/")).map(|f| format!("#include \"{f}\"\n")).collect();
        for xlen in [32, 64] {
            let interfaces = contract.interfaces().filter(|i| !i.is_abstract);
            if interfaces.flat_map(|i| &i.sections).any(|s| s.xlen == xlen) && !files.is_empty() {
                assembled(&files, xlen, &all).unwrap_or_else(|said| panic!("{}: {said:?}", path.display()));
                count += 1;
            }
        }
    }
    assert!(count >= 6, "{count}");
}
