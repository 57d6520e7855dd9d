//! On a RISC-V Linux whose processor has no CXs: programs of real instructions, which trap and run on the thread's hart. qemu
//! is that processor, and the kernel's signals are this one's.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use lapis_cx::contract::Interface;
use lapis_cx::driver::Outcome;
use lapis_cx::lower::Program;
use lapis_cx_tests::agreement::{hart, program, rust, vectors};
use lapis_cx_tests::cc::{self, Compiler, Language, WARNINGS, run};
use lapis_cx_tests::riscv::{gcc, link, linux, qemu, rust_program};
use lapis_cx_tests::riscv_cost::loops;
use lapis_cx_tests::{blocks, long, repository, spec};

/// The signal of an illegal instruction.
const SIGILL: i32 = 4;

/// A program of the runtime's own tests, or of this one, with the runtime and its software CXUs. It is built once: others may run it.
fn built(source: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(source.to_owned()).or_insert_with(|| build(source)).clone()
}

fn build(source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let c = folder.join("../lapis-cx/runtime/tests/c");
    let ours = folder.join(format!("riscv_linux/{source}.c"));
    let path = if ours.exists() { ours } else { c.join(format!("{source}.c")) };
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("riscv_{source}"));
    let mut command = gcc(Language::C11);
    command.arg("-O1").arg("-I").arg(&c);
    link(command, &[path, c.join("mulacc_soft.c")], &to)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn says(command: &mut Command) -> String {
    said(&run(command))
}

/// What the CX API promises holds as it does where commands are calls.
#[test]
fn the_programs_of_the_api_run() {
    for source in ["program", "threads", "context"] {
        assert_eq!(says(&mut qemu(&built(source))), "0 failures\n", "{source}");
    }
}

/// The commands of README, but those that build the runtime: that one is there.
#[test]
fn the_program_of_the_readme_runs() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let shown = blocks(&readme, "text");
    let (_, commands) = shown.iter().find_map(|block| block.split_once("\nriscv64-linux-gnu-gcc ")).unwrap();
    let library = "target/riscv64gc-unknown-linux-gnu/release/liblapis_cx_runtime.a";
    assert!(commands.contains(library), "{commands}");
    let commands = commands.replace(library, linux().runtime.to_str().unwrap());
    let folder = tempfile::tempdir().unwrap();
    for name in ["examples", "lapis-cx"] {
        std::os::unix::fs::symlink(repository().join(name), folder.path().join(name)).unwrap();
    }
    spec::write(&spec::build("mulacc"), &folder.path().join("out"));
    let mut command = Command::new("bash");
    command
        .args(["-euo", "pipefail", "-c"])
        .arg(format!("riscv64-linux-gnu-gcc {commands}"))
        .current_dir(folder.path());
    assert_eq!(says(&mut command), "12\n42\n");
}

/// Two libraries over one context, over too few, without the CX, and with software that stands in: the same.
#[test]
fn a_program_runs_on_every_machine() {
    let exe = built("platform");
    let machines = ["soft", "few", "absent", "emulated"].map(|machine| says(qemu(&exe).arg(machine)));
    assert_eq!(machines[0].lines().count(), 4, "{}", machines[0]);
    assert!(machines.iter().all(|one| *one == machines[0]), "{machines:?}");
}

/// Guards of the runtime, with instructions: nested ones, errors, immediates, CSRs, panics.
#[test]
fn generated_rust_runs() {
    let mut command = qemu(&linux().host);
    let said = says(command.arg("--test-threads=1"));
    assert!(said.contains("test result: ok.") && !said.contains(" 0 passed"), "{said}");
}

#[test]
fn signals_that_are_the_runtimes_leave_no_trace() {
    let exe = built("signals");
    for mode in ["first", "kept", "nested", "fork", "threads"] {
        assert_eq!(says(qemu(&exe).arg(mode)), "good\n", "{mode}");
    }
}

#[test]
fn signals_that_are_not_go_where_they_went_before() {
    let exe = built("signals");
    for mode in ["ignored", "chain", "plain", "deferred", "later", "probing", "read-only", "page"] {
        assert_eq!(says(qemu(&exe).arg(mode)), "good\n", "{mode}");
    }
    for (mode, before) in [
        ("illegal", "55\n"),
        ("built-in", ""),
        ("ignored fault", ""),
        ("sent", ""),
        ("once", "once\n"),
        ("blocked", "55\n"),
    ] {
        let output = qemu(&exe).arg(mode).output().unwrap();
        assert_eq!(output.status.signal(), Some(SIGILL), "{mode}: {}", said(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), before, "{mode}");
    }
}

/// Not by the handler itself, whatever it finds; so signals may come at any moment of the runtime, and of the C library.
#[test]
fn the_handler_takes_no_memory_and_no_lock() {
    let exe = built("heap");
    for mode in ["first", "software", "swaps", "revoked", "policy", "interrupted", "interrupted machine"] {
        assert_eq!(said(&qemu(&exe).arg(mode).output().unwrap()), "good\n", "{mode}");
    }
}

/// A processor that does something of its own with the opcodes is not taken for one without CXs.
#[test]
fn a_processor_with_instructions_of_its_own_is_refused() {
    assert_eq!(says(qemu(&built("signals")).arg("native")), "good\n");
}

/// Each command of each shipped spec, by the stubs of its header: instructions that trap give what the oracle says.
#[test]
fn every_command_agrees() {
    let mut commands = 0;
    for name in spec::shipped() {
        commands += agree(&name, &spec::build(&name));
    }
    assert!(commands > 60, "{commands}");
}

/// The same in Rust: the guard of the runtime issues instructions.
#[test]
fn every_command_agrees_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    let outcomes: Vec<Outcome> = spec::shipped().iter().map(|name| spec::build(name)).collect();
    let programs: Vec<Program> =
        outcomes.iter().map(|outcome| lapis_cx::lower::lower(spec::contract(outcome))).collect();
    let mut modules = Vec::new();
    for (outcome, program) in outcomes.iter().zip(&programs) {
        spec::write(outcome, folder.path());
        for (interface, lowered) in spec::contract(outcome).interfaces().zip(&program.interfaces) {
            let sections = interface.sections.iter().zip(&lowered.sections).filter(|(section, _)| section.xlen == 64);
            let is_cx = !interface.is_abstract && interface.uuid.is_some();
            let module = |(section, lowered)| rust::Module { interface, section, lowered };
            modules.extend(sections.filter(|_| is_cx).map(module));
        }
    }
    assert!(modules.len() > 6);
    let source = folder.path().join("agree.rs");
    std::fs::write(&source, rust::text_with_runtime(&modules)).unwrap();
    let exe = rust_program(&source);
    for rust::Module { interface, section, .. } in &modules {
        let vectors = vectors::some(section, if long() { 20_000 } else { 100 }, 65);
        let words = program::bytes(&vectors::encode(section, &vectors).concat());
        let found = program::feed(qemu(&exe).arg(rust::name(interface, section)), &words).unwrap();
        assert_eq!(vectors::decode(section, &found), vectors::expect(section, &vectors), "{}", interface.name);
    }
}

/// Constants in the fields of registers, commands of all forms, errors of their own.
#[test]
fn commands_of_every_form_agree() {
    let names = include_str!("../../backends/rust/tests/names.cxspec");
    let odd = include_str!("../usage/odd.cxspec");
    for (name, text) in [("names", names), ("odd", odd)] {
        assert!(agree(name, &spec::build_text(name, text)) > 4, "{name}");
    }
}

/// A loop of stubs executes as many instructions as one by hand, as qemu counts them.
#[test]
fn loops_of_stubs_are_loops_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    for level in ["-O1", "-O2"] {
        for (name, stub, hand) in loops(folder.path(), level) {
            assert!(stub > 4_000 && stub == hand, "{name} {level}: {stub} by stub, {hand} by hand");
        }
    }
}

/// Overloadable opcodes: the instructions give what the processor in software gives on this computer, traps included.
#[test]
fn overloadable_opcodes_run() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../xext/board.cxspec");
    spec::write(&spec::build_text("board", text), folder.path());
    let mut sources = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("riscv_linux/xcmd.c")];
    sources.extend(std::fs::read_dir(folder.path().join("src")).unwrap().map(|entry| entry.unwrap().path()));
    let mut host = Compiler::Gcc.command(Language::C11);
    host.args(WARNINGS).arg("-DCX_XCMD_CPU").arg("-I").arg(folder.path().join("include"));
    let expected = says(&mut Command::new(cc::program(host, &sources, &folder.path().join("host"))));
    assert_eq!(expected.lines().count(), 7, "{expected}");
    let mut command = gcc(Language::C11);
    command.arg("-O1").arg("-I").arg(folder.path().join("include"));
    let exe = link(command, &sources, &folder.path().join("hart"));
    assert_eq!(says(&mut qemu(&exe)), expected);
}

/// Compares the answers of all vectors of a spec's CXs; gives how many commands there were.
fn agree(name: &str, outcome: &Outcome) -> usize {
    let folder = tempfile::tempdir().unwrap();
    spec::write(outcome, folder.path());
    let contract = spec::contract(outcome);
    let mut commands = 0;
    let is_cx = |interface: &&Interface| !interface.is_abstract && interface.uuid.is_some();
    for interface in contract.interfaces().filter(is_cx) {
        let Some(section) = interface.sections.iter().find(|section| section.xlen == 64) else { continue };
        let all = vectors::some(section, if long() { 20_000 } else { 100 }, 64);
        let on_hart = hart::make(interface, section, &all);
        let asked: std::collections::BTreeSet<u64> = on_hart.vectors.iter().map(|v| v.function & 0xFFFF_FFFF).collect();
        if asked.is_empty() {
            continue;
        }
        commands += asked.len();
        let stem = spec::stem(interface);
        let driver = folder.path().join(format!("{stem}_hart.c"));
        std::fs::write(&driver, &on_hart.text).unwrap();
        let mut command = gcc(Language::C11);
        command.arg("-O1").arg("-I").arg(folder.path().join("include"));
        let sources = [driver, folder.path().join(format!("src/{stem}_fallback.c"))];
        let exe = link(command, &sources, &folder.path().join(format!("{stem}_hart")));
        let input = program::input(&[hart::encode(section, &on_hart.vectors)]);
        let expected = hart::expect(section, &on_hart);
        let found = vectors::decode(section, &program::feed(&mut qemu(&exe), &input).unwrap());
        assert_eq!(found.len(), expected.len(), "{name}: {stem}");
        for ((vector, expected), found) in on_hart.vectors.iter().zip(&expected).zip(&found) {
            assert_eq!(expected, found, "{name}: {stem}: {vector:#x?} (left: the oracle, right: the instruction)");
        }
    }
    commands
}
