//! Tests of files that programs pass to a library in another process. A C program asserts the results, natively and remoted.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lapis_cx_tests::{cc, remoted, riscv};

const SAID: &str = "calls\npaths\njobs\nobjects\nlater\ncallbacks\nthreads\nforks\n";

struct Made {
    files: remoted::Library,
    program: PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let files = remoted::Library::make("files", "files", "-O1", &["-pthread"]);
        let program = files.program("program");
        Made { files, program }
    })
}

/// Starts a worker that listens, with a low limit of descriptors, and returns its socket.
fn listening(folder: &Path) -> (remoted::Listening, String) {
    let files = &made().files;
    let socket = folder.join("own").join("socket");
    let mut worker = Command::new("sh");
    worker.args(["-c", "ulimit -n 96; exec \"$@\"", "sh"]).arg(files.remoting.join("files_worker"));
    worker.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &files.real).env_remove("LD_LIBRARY_PATH");
    // The worker must not wait long for a faulty guest.
    worker.env("CX_REMOTE_SILENT_SECONDS", "1").current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    (remoted::Listening::start(&mut worker, &socket), format!("unix:{}", socket.display()))
}

/// Returns the program, in a separate folder.
fn program(remoting: &Path) -> (Command, tempfile::TempDir) {
    let made = made();
    let home = tempfile::tempdir().unwrap();
    let mut command = remoted::command(&made.program, remoting, &made.files.real);
    command.current_dir(&home).env("CX_REMOTE_VERBOSE", "1");
    (command, home)
}

#[test]
fn files_native_program_succeeds() {
    let (mut command, _home) = program(made().files.folder.path());
    assert_eq!(remoted::said(&mut command), SAID);
}

#[test]
fn files_private_worker_program_succeeds() {
    let (mut command, _home) = program(&made().files.remoting);
    assert_eq!(remoted::said(command.arg("remote")), SAID);
}

/// The worker has as many descriptors afterwards as before, and limits those of each guest.
#[test]
fn files_shared_worker_closes_all_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, reach) = listening(folder.path());
    let before = worker.files().count();
    for _ in 0..2 {
        let (mut command, _home) = program(&made().files.remoting);
        command.env("CX_REMOTE", &reach).arg("remote").arg(worker.process().to_string());
        assert_eq!(remoted::said(&mut command), format!("{SAID}limits\n"));
        remoted::wait_until("the worker closes its descriptors", || worker.files().count() == before);
    }
    assert!(worker.is_running());
}

/// A program for RISC-V, in an emulator, with a worker of this machine.
#[test]
fn files_risc_v_program_succeeds_with_native_worker() {
    let (files, folder) = (&made().files, tempfile::tempdir().unwrap());
    let engine = format!("{} -lpthread -ldl -lm -lgcc_s", riscv::linux().remote.display());
    let variables = [("CC", riscv::GCC), ("CFLAGS", "-O1 -Wall -Werror")];
    let remoting = files.sides("files", folder.path(), &variables, &engine);
    let program = folder.path().join("program");
    let mut gcc = Command::new(riscv::GCC);
    gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&program);
    cc::run(gcc.arg(files.here.join("program.c")).arg(remoting.join("libfiles.so.1")));
    let (_worker, reach) = listening(folder.path());
    let home = tempfile::tempdir().unwrap();
    let mut qemu = riscv::qemu_with(&["-E", &format!("LD_LIBRARY_PATH={}", remoting.display())], &program);
    qemu.args(["remote", "without-forks"]).env("CX_REMOTE", reach).current_dir(&home);
    assert_eq!(remoted::said(&mut qemu), SAID.replace("forks\n", ""));
}

/// Guests with fault injection send wrong numbers, files without a record and records without a file. The worker keeps running and keeps
/// none of their files.
#[test]
fn files_corrupted_worker_keeps_running() {
    let folder = tempfile::tempdir().unwrap();
    let engine = remoted::faulty_engine(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty"));
    let faulty = made().files.sides("files", &folder.path().join("faulty"), &[("CFLAGS", "-O1")], &engine);
    let log = folder.path().join("faults");
    let (mut worker, reach) = listening(folder.path());
    let before = worker.files().count();
    for seed in 1..=if lapis_cx_tests::long() { 300 } else { 12 } {
        let (command, home) = program(&faulty);
        // A faulty guest may wait for a reply that is never sent.
        let mut guest = Command::new("timeout");
        guest.args(["-s", "KILL", "60"]).arg(command.get_program()).arg("remote");
        guest.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(&home);
        guest.env("CX_REMOTE", &reach).env("CX_REMOTE_FAULT_SEED", seed.to_string()).env("CX_REMOTE_FAULT_LOG", &log);
        guest.env("CX_REMOTE_CALL_SECONDS", "1").env("CX_REMOTE_SILENT_SECONDS", "1").env_remove("CX_REMOTE_VERBOSE");
        // The output and the exit status of a faulty guest do not matter.
        guest.output().unwrap();
        assert!(worker.is_running(), "seed {seed} ended the worker");
    }
    assert!(remoted::faults(&log).values().sum::<u64>() > 12, "no fault was injected");
    let (mut command, _home) = program(&made().files.remoting);
    assert_eq!(remoted::said(command.env("CX_REMOTE", &reach).arg("remote")), SAID);
    remoted::wait_until("the worker closes its descriptors", || worker.files().count() == before);
}
