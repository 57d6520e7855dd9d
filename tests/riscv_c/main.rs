//! Generated C on RISC-V, by gcc and clang, at 32 and 64 bits: a command is the one instruction that
//! `lapis_cx_core::encoding` says, with its operands where the calling convention has them; no command leaves its selection;
//! equal commands merge where they are allowed to. An emulator that knows none of our code then runs the same instructions.
//!
//! The number of instructions of each stub is part of the test: it fails if a stub grows.

#![allow(clippy::unwrap_used, clippy::panic)]

mod compile;
mod stubs;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use compile::{TARGETS, Target, as_cpp, functions};
use lapis_cx::contract::Interface;
use lapis_cx::driver::Outcome;
use lapis_cx_core::encoding::{Csr, CsrAccess, CsrOperation, CsrSource, Instruction, Profile};
use lapis_cx_tests::cc::{COMPILERS, LANGUAGES, WARNINGS, program, run};
use lapis_cx_tests::spec;
use serde_json::{Value, json};
use stubs::{A0, Case, Cases, Want, step, typed};

const RET: u32 = 0x0000_8067;

/// The header of the CX API, and of those that it includes.
fn api() -> [PathBuf; 2] {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    [here.join("../lapis-cx/core/include"), here.join("../lapis-cx/runtime/include")]
}

/// All shipped specs, and three with types and forms that they do not have; their headers are written.
fn specs(folder: &Path) -> Vec<Outcome> {
    let own = [
        ("narrow", include_str!("narrow.cxspec")),
        ("names", include_str!("../../backends/rust/tests/names.cxspec")),
        ("open", include_str!("../../backends/open.cxspec")),
    ];
    let shipped = spec::shipped().into_iter().map(|name| spec::build(&name));
    let all: Vec<Outcome> = shipped.chain(own.map(|(name, text)| spec::build_text(name, text))).collect();
    all.iter().for_each(|outcome| spec::write(outcome, folder));
    all
}

/// The cases of all interfaces at one XLEN, and the C file that has them.
fn cases(outcomes: &[Outcome], xlen: u32, folder: &Path) -> (Vec<Case>, PathBuf) {
    let (mut includes, mut text, mut list) = (String::new(), String::new(), Vec::new());
    let interfaces = outcomes.iter().flat_map(|outcome| spec::contract(outcome).interfaces());
    let is_used = |interface: &&Interface| !interface.is_abstract;
    for interface in interfaces.filter(is_used) {
        let Some(section) = interface.sections.iter().find(|s| s.xlen == xlen) else { continue };
        writeln!(includes, "#include \"{}.h\"", spec::stem(interface)).unwrap();
        list.extend(Cases::of(interface, section));
    }
    list.iter().for_each(|case| text.push_str(&case.text));
    let path = folder.join(format!("stubs{xlen}.c"));
    fs::write(&path, includes + &text).unwrap();
    (list, path)
}

/// A word that a CX or a CPU with overloadable opcodes knows.
fn custom(word: u32) -> Option<Instruction> {
    Instruction::decode(word, Profile::DEFAULT)
}

fn rd_of(word: u32) -> u8 {
    (word >> 7 & 31) as u8
}

/// The instruction that is wanted, with what the compiler may choose taken from the word.
fn wanted(want: Want, word: u32) -> Instruction {
    let rd = rd_of(word);
    let rs1_of = (word >> 15 & 31) as u8;
    match want {
        Want::R { function, rs1, rs2 } => Instruction::R { function, rd, rs1, rs2 },
        Want::I { function, rs1, immediate } => Instruction::I { function, rd, rs1, immediate },
        Want::Flex { function, immediate, rs1, rs2 } => Instruction::Flex { function, rs1, rs2, immediate },
        Want::Flex25 { function, immediate } => Instruction::flex25(function, immediate).unwrap(),
        Want::Xcmd { command, rs1, rs2 } => Instruction::Xcmd { command, rd, rs1: rs1.unwrap_or(rs1_of), rs2 },
        Want::Xext { fallback, rs2 } => Instruction::Xext { fallback, rd, rs1: rs1_of, rs2 },
        Want::Csr { address, operation, source } => Instruction::Csr(CsrAccess { csr: address, operation, rd, source }),
    }
}

/// Judges the words of one case, of an optimised build: what is wrong with them, if anything is.
fn judge(case: &Case, words: &[u32]) -> Option<String> {
    let found: Vec<usize> = (0..words.len()).filter(|i| custom(words[*i]).is_some()).collect();
    let Some(last) = found.last().copied() else { return Some(format!("no custom instruction: {}", case.text)) };
    let others = last + 1 - found.len();
    let rd = rd_of(words[last]);
    let is_right =
        |want: &Want, place: usize| wanted(*want, words[place]).encode(Profile::DEFAULT) == Some(words[place]);
    let what = if found.len() != case.wants.len() {
        format!("{} custom instructions", found.len())
    } else if !case.wants.iter().zip(&found).all(|(want, place)| is_right(want, *place)) {
        format!("not {:?}", case.wants)
    } else if !case.before.contains(&others) {
        format!("{others} instructions before, not {:?}", case.before)
    } else if words.len() - last != case.after + 2 || words.last() != Some(&RET) {
        format!("{} instructions after, not {} and ret", words.len() - last - 1, case.after)
    } else {
        let is_flex = matches!(case.wants.last(), Some(Want::Flex { .. } | Want::Flex25 { .. }));
        let is_rd = match (case.has_result, case.after) {
            _ if is_flex => true,
            (false, _) => rd == 0,
            (true, 0) => rd == A0,
            (true, _) => rd != 0,
        };
        if is_rd {
            return None;
        }
        format!("the result is in x{rd}")
    };
    let words: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
    Some(format!("{what}: {}{}", case.text, words.join(" ")))
}

/// What an instruction is, without its registers.
fn kind(instruction: Instruction) -> (u8, u16, i16) {
    match instruction {
        Instruction::R { function, .. } => (0, function, 0),
        Instruction::I { function, immediate, .. } => (1, function, immediate),
        Instruction::Flex { function, immediate, .. } => (2, function, i16::from(immediate)),
        Instruction::Xcmd { command, .. } => (3, u16::from(command), 0),
        Instruction::Xext { fallback, .. } => (4, fallback.lun(), 0),
        Instruction::Csr(access) => (5, access.csr, access.operation as i16),
    }
}

/// Without optimisation, where stubs are functions of their own: the same instructions, with operands in whatever registers.
fn judge_loosely(case: &Case, functions: &[(String, Vec<u32>)], context: &str) {
    let is_called = |name: &str| {
        name == case.name || case.text.contains(&format!(" {name}(")) || case.text.contains(&format!("({name}("))
    };
    let mut found: Vec<_> = functions
        .iter()
        .filter(|(name, _)| is_called(name))
        .flat_map(|(_, words)| words)
        .filter_map(|word| custom(*word))
        .map(kind)
        .collect();
    // Lookups come before commands, whatever the order of the functions.
    found.sort_by_key(|found| std::cmp::Reverse(found.0));
    let want: Vec<_> = case.wants.iter().map(|want| kind(wanted(*want, 0))).collect();
    // The constant of a flex command stands where rd is.
    let low = |(kind, number, immediate): (u8, u16, i16)| (kind, number, if kind == 2 { 0 } else { immediate });
    let is_same = found.iter().copied().map(low).eq(want.iter().copied().map(low));
    assert!(is_same, "{context}: {} {found:?}, not {want:?}", case.text);
}

/// A name for messages and files.
fn name(target: Target, level: &str) -> String {
    format!("{}{}{level}", target.program, target.xlen)
}

/// The words of a function.
fn of<'w>(functions: &'w [(String, Vec<u32>)], name: &str) -> &'w [u32] {
    functions.iter().find(|(n, _)| n == name).map_or_else(|| panic!("no {name}"), |(_, words)| words)
}

// Sentences: overloadable-opcodes 33.
#[test]
fn a_command_is_one_instruction_and_an_emulator_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = specs(folder.path());
    let include = folder.path().join("include");
    let object = folder.path().join("stubs.o");
    let (mut machine, mut wrong) = (Vec::<Value>::new(), Vec::<String>::new());
    for xlen in [32, 64] {
        let (list, source) = cases(&outcomes, xlen, folder.path());
        assert!(list.len() > 150, "{} cases", list.len());
        for target in TARGETS.into_iter().filter(|target| target.xlen == xlen) {
            if !target.is_gcc() {
                as_cpp(target, &source, &include, &object);
            }
            for level in ["-O0", "-O1", "-O2", "-Os"] {
                let context = name(target, level);
                let functions = functions(target, level, &source, &[&include], &object);
                for case in &list {
                    let words = of(&functions, &case.name);
                    match level {
                        "-O0" => judge_loosely(case, &functions, &context),
                        _ => wrong.extend(judge(case, words).map(|what| format!("{context}: {what}"))),
                    }
                    let runs = &case.runs;
                    if let Some(id) = loaded(case, words) {
                        let bytes = fs::read(&object).unwrap();
                        assert!(
                            bytes.windows(8).any(|w| w == id.to_le_bytes()),
                            "{context}: no {id:#x}: {}",
                            case.text
                        );
                    } else if level == "-O2" && target.program != "riscv64-linux-gnu-gcc" && !runs.is_empty() {
                        machine.push(
                            json!({ "name": case.name, "on": context, "xlen": xlen, "words": words, "runs": runs }),
                        );
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let runs = emulate(&machine, folder.path());
    assert!(runs > 4000, "{runs}");
}

/// The interface's id, if a lookup has it from memory, as compilers do for one that `lui` cannot make. That memory does not come
/// along with the words.
fn loaded(case: &Case, words: &[u32]) -> Option<u64> {
    let is_load = |word: &u32| word & 0x7F == 0x03;
    let id = case.runs.first().filter(|_| *case.before.start() > 1 && words.iter().any(is_load))?;
    let id = id["steps"][0]["rs1"][1].as_str().and_then(|hex| hex.strip_prefix("0x"));
    id.filter(|_| matches!(case.wants[0], Want::Xext { .. })).and_then(|hex| u64::from_str_radix(hex, 16).ok())
}

/// Runs functions in the emulator, and gives the number of runs.
fn emulate(table: &[Value], folder: &Path) -> usize {
    let path = folder.join("table.json");
    fs::write(&path, serde_json::to_vec(table).unwrap()).unwrap();
    // Debian's Python has the package; another one that comes first in PATH need not.
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("riscv_c/machine.py");
    let said = run(Command::new("/usr/bin/python3").arg(script).arg(&path)).stdout;
    let runs: usize = table.iter().map(|f| f["runs"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(String::from_utf8_lossy(&said).trim(), format!("{runs} runs"));
    runs
}

/// A hart as `windows.c` sees it: what is selected, and what was done.
struct Selections {
    selected: u64,
    operand: Value,
    steps: Vec<Value>,
}

impl Selections {
    fn select(&mut self, to: u64) -> u64 {
        let from = std::mem::replace(&mut self.selected, to);
        let rs1 = typed("int32_t", to);
        self.steps.push(step("csrrw", Csr::CxIndex.number(), 0, Some(rs1), None, from));
        from
    }

    /// Each CX has another answer.
    fn pop(&mut self) -> u64 {
        let rd = self.selected * 3 + 1;
        self.steps.push(step("R", 1, 0, Some(self.operand.clone()), None, rd));
        rd
    }
}

/// What functions of `windows.c` must do, instruction by instruction, as they are executed.
fn traces(xlen: u32) -> Vec<(&'static str, Value)> {
    let (word, outside, s, t) = (if xlen == 64 { "uint64_t" } else { "uint32_t" }, 7, 40, 60);
    let sel = |sel| typed("int32_t", sel);
    let a = typed(word, 0x1234_5678);
    let trace = |args: Vec<Value>, body: &dyn Fn(&mut Selections) -> u64| {
        let mut hart = Selections { selected: outside, operand: a.clone(), steps: Vec::new() };
        let result = body(&mut hart);
        json!({ "args": args, "steps": hart.steps, "ret": typed(word, result) })
    };
    let straight = trace(vec![sel(s), sel(t), a.clone()], &|hart| {
        let mut r = hart.pop();
        let outer = hart.select(s);
        r += hart.pop();
        hart.select(t);
        r += hart.pop();
        hart.select(outer);
        r
    });
    let late = |taken: u64| {
        trace(vec![sel(s), a.clone(), typed(word, taken)], &move |hart| {
            let outer = hart.select(s);
            let r = hart.pop();
            hart.select(outer);
            if taken == 0 { 0 } else { r }
        })
    };
    let nested = trace(vec![sel(s), sel(t), a.clone()], &|hart| {
        let outer = hart.select(s);
        let mut r = hart.pop();
        let inner = hart.select(t);
        r ^= hart.pop() << 8;
        hart.select(inner);
        r ^= hart.pop() << 16;
        hart.select(outer);
        r
    });
    let around = trace(vec![sel(s), sel(t), a.clone(), typed("int32_t", 3)], &|hart| {
        (0..3).fold(0, |r, _| {
            hart.select(s);
            let r = r + hart.pop();
            hart.select(t);
            r ^ hart.pop()
        })
    });
    let twice = |merged: bool| {
        trace(vec![sel(s), a.clone()], &move |hart| {
            let outer = hart.select(s);
            let first = hart.pop();
            let second = if merged { first } else { hart.pop() };
            hart.select(outer);
            first ^ (second + 1)
        })
    };
    vec![
        ("straight", straight.clone()),
        ("straight_in", straight),
        ("late", late(0)),
        ("late_in", late(0)),
        ("late", late(1)),
        ("late_in", late(1)),
        ("nested_in", nested),
        ("around", around.clone()),
        ("around_in", around),
        ("twice", twice(false)),
        ("twice_in", twice(true)),
    ]
}

/// S for a selection, P for a command, in the order of the words.
fn order(words: &[u32]) -> String {
    words
        .iter()
        .filter_map(|word| match custom(*word)? {
            Instruction::Csr(access) if access.csr == Csr::CxIndex.number() => Some('S'),
            _ => Some('P'),
        })
        .collect()
}

/// What answers calls off RISC-V, and holds movable stubs against the others.
const HOST: &str = r#"
#include "windows.c"

static cx_sel_t selected = cx_sel_builtin;
cx_sel_t cx_select(cx_sel_t sel)
{
    cx_sel_t outer = selected;
    selected = sel;
    return outer;
}
void elsewhere(void) {}
cx_reg_t cx_issue(uint32_t function, cx_reg_t rs1, cx_reg_t rs2)
{
    cx_reg_t rd = 0;
    bk_sw_issue(NULL, function, rs1 ^ (cx_reg_t)selected, rs2, &rd);
    return rd;
}
int main(void)
{
    const cx_sel_t s = (cx_sel_t)3, t = (cx_sel_t)9;
    const cx_word_t p[3] = {7, 8, 9};
    int wrong = straight(s, t, 0xF0F) != straight_in(s, t, 0xF0F);
    wrong += late(s, 5, 1) != late_in(s, 5, 1);
    wrong += around(s, t, 77, 5) != around_in(s, t, 77, 5);
    wrong += twice(s, 1234) != twice_in(s, 1234);
    wrong += invariant(s, 3, p, 3) != invariant_in(s, 3, p, 3);
    wrong += bk_ror_i(64, 3) != bk_ror_i_in(64, 3) || bk_bfx(0xABC, 0x101) != bk_bfx_in(0xABC, 0x101);
    return wrong;
}
"#;

#[test]
fn the_same_source_works_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bitkit", "mulacc"] {
        spec::write(&spec::build(name), folder.path());
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("riscv_c");
    let main = folder.path().join("main.c");
    fs::write(&main, HOST).unwrap();
    for compiler in COMPILERS {
        for language in LANGUAGES {
            let mut command = compiler.command(language);
            command.args(WARNINGS).arg("-O2").arg("-I").arg(&here).arg("-I").arg(folder.path().join("include"));
            api().iter().for_each(|folder| {
                command.arg("-I").arg(folder);
            });
            let sources = [main.clone(), folder.path().join("src/bk_fallback.c")];
            run(&mut Command::new(program(command, &sources, &folder.path().join("host"))));
        }
    }
}

/// Whether a word that `is_it` stands in a loop: between a branch back and where it leads.
fn in_loop(words: &[u32], is_it: impl Fn(u32) -> bool) -> bool {
    words.iter().enumerate().any(|(from, word)| {
        let back = match word & 0x7F {
            // Branches: bit 31 is the sign, 11 bits at 7, 10:5 at 25, 4:1 at 8.
            0x63 => {
                ((*word as i32) >> 31) << 12
                    | (((word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1) as i32)
            }
            // jal: 20 at 31, 19:12 at 12, 11 at 20, 10:1 at 21.
            0x6F => {
                ((*word as i32) >> 31) << 20
                    | ((word & 0xF_F000 | (word >> 20 & 1) << 11 | (word >> 21 & 0x3FF) << 1) as i32)
            }
            _ => 0,
        };
        let to = from as i32 + back / 4;
        back < 0 && words.iter().take(from + 1).skip(to.max(0) as usize).any(|word| is_it(*word))
    })
}

/// The functions of `windows.c`.
fn windows(target: Target, level: &str, folder: &Path) -> Vec<(String, Vec<u32>)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("riscv_c/windows.c");
    let include = folder.join("include");
    let [core, runtime] = api();
    functions(target, level, &source, &[&include, &core, &runtime], &folder.join("windows.o"))
}

const LEVELS: [&str; 4] = ["-O1", "-O2", "-Os", "-O3"];

#[test]
fn commands_stay_in_their_selection_and_loops_are_those_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bitkit", "mulacc"] {
        spec::write(&spec::build(name), folder.path());
    }
    let (mut machine, mut wrong) = (Vec::new(), Vec::<String>::new());
    for target in TARGETS {
        for level in LEVELS {
            let context = name(target, level);
            let functions = windows(target, level, folder.path());
            let words = |name: &str| of(&functions, name);
            let check = |wrong: &mut Vec<String>, ok: bool, what: String| {
                if !ok {
                    wrong.push(format!("{context}: {what}"));
                }
            };
            for (function, want) in [
                ("straight", "PSPSPS"),
                ("straight_in", "PSPSPS"),
                ("late", "SPS"),
                ("late_in", "SPS"),
                ("nested_in", "SPSPSPS"),
                ("call_in", "SPPS"),
                ("twice", "SPPS"),
                ("twice_in", "SPS"),
                ("unused", "SPS"),
                ("unused_in", "SS"),
                ("invariant", "SPS"),
                ("invariant_in", "SPS"),
                ("around", "SPSP"),
                ("around_in", "SPSP"),
            ] {
                let found = order(words(function));
                // clang keeps an unused one.
                let want = if function == "unused_in" && !target.is_gcc() { "SPS" } else { want };
                check(&mut wrong, found == want, format!("{function}: {found}, not {want}"));
            }
            for (function, trace) in traces(target.xlen) {
                let words = words(function);
                machine.push(
                    json!({ "name": function, "on": context, "xlen": target.xlen, "words": words, "runs": [trace] }),
                );
            }
            // Of what does not change in a loop clang takes one that is allowed to move out of it; gcc 12 does not.
            let is_command = |word: u32| matches!(custom(word), Some(Instruction::R { .. }));
            check(&mut wrong, in_loop(words("invariant"), is_command), "invariant".to_owned());
            let moved = !in_loop(words("invariant_in"), is_command);
            check(&mut wrong, moved != target.is_gcc(), format!("invariant_in: moved: {moved}"));
            for (function, source) in [
                ("select_it", CsrSource::Register(A0)),
                ("select_one", CsrSource::Immediate(1)),
                ("select_31", CsrSource::Immediate(31)),
                ("select_none", CsrSource::Register(0)),
            ] {
                let words = words(function);
                check(&mut wrong, words.len() == 2, format!("{function}: {words:x?}"));
                let csr = Csr::CxIndex.number();
                let rd = rd_of(words[0]);
                let access = CsrAccess { csr, operation: CsrOperation::Write, rd, source };
                let is_it = custom(words[0]) == Some(Instruction::Csr(access));
                check(&mut wrong, is_it, format!("{function}: {words:x?}"));
            }
            // A number that the instruction has no room for is loaded; a result is extended to a long by the convention.
            check(&mut wrong, words("select_32").len() == 3, "select_32".to_owned());
            let swap = words("select_swap").len();
            check(&mut wrong, swap == 2 + usize::from(target.xlen == 64), format!("select_swap: {swap} instructions"));
            for pair in ["dot", "crc", "pop", "ror"] {
                let [stubs, hand] = ["stubs", "hand"].map(|way| words(&format!("{pair}_{way}")));
                let shown = |words: &[u32]| words.iter().map(|w| format!("{w:08x} ")).collect::<String>();
                check(&mut wrong, stubs == hand, format!("{pair}:\n{}\n{}", shown(stubs), shown(hand)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    emulate(&machine, folder.path());
}
