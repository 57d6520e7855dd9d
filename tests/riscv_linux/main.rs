//! On a RISC-V Linux whose processor has no CXs: programs of real instructions, which trap and run on the thread's hart. qemu
//! is that processor, and the kernel's signals are this one's.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lapis_cx_tests::cc::{Language, run};
use lapis_cx_tests::riscv::{gcc, linux, program, qemu};

/// The signal of an illegal instruction.
const SIGILL: i32 = 4;

/// A program of the runtime's own tests, or of this one, with the runtime and its software CXUs.
fn built(source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let c = folder.join("../lapis-cx/runtime/tests/c");
    let path = if source == "signals" { folder.join("riscv_linux/signals.c") } else { c.join(format!("{source}.c")) };
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("riscv_{source}"));
    let mut command = gcc(Language::C11);
    command.arg("-O1");
    program(command, &[path, c.join("mulacc_soft.c")], &to)
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
    assert!(said.contains("test result: ok.") && !said.contains("0 passed"), "{said}");
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
    for mode in ["ignored", "chain", "plain", "deferred", "later"] {
        assert_eq!(says(qemu(&exe).arg(mode)), "good\n", "{mode}");
    }
    for (mode, before) in
        [("illegal", "55\n"), ("built-in", ""), ("ignored fault", ""), ("sent", ""), ("once", "once\n")]
    {
        let output = qemu(&exe).arg(mode).output().unwrap();
        assert_eq!(output.status.signal(), Some(SIGILL), "{mode}: {}", said(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), before, "{mode}");
    }
}

/// A processor that does something of its own with the opcodes is not taken for one without CXs.
#[test]
fn a_processor_with_instructions_of_its_own_is_refused() {
    assert_eq!(says(qemu(&built("signals")).arg("native")), "good\n");
}
