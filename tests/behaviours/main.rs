//! Tests of each kind of argument in two processes. A C program asserts the results, natively and remoted.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lapis_cx_remote::{ConnectError, Connection, Geometry, Library, Spin};
use lapis_cx_tests::{cc, remoted, riscv};

const SAID: &str = "buffers\nlifetimes\nhandles\ncallbacks\nthreads\nsignals\nforks\nkilled\n";

struct Made {
    library: remoted::Library,
    program: PathBuf,
    kills: PathBuf,
    handlers: PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let library = remoted::Library::make("behaviours", "places", "-O1", &["-pthread"]);
        let (program, kills, handlers) =
            (library.program("program"), library.program("kills"), library.program("handlers"));
        Made { library, program, kills, handlers }
    })
}

fn remote() -> Command {
    let made = made();
    let mut command = remoted::command(&made.program, &made.library.remoting, &made.library.real);
    command.arg("remote");
    command
}

#[test]
fn places_native_program_succeeds() {
    let made = made();
    let mut command = Command::new(&made.program);
    assert_eq!(remoted::said(command.env("LD_LIBRARY_PATH", made.library.folder.path())), SAID);
}

#[test]
fn places_private_worker_program_succeeds() {
    for _ in 0..3 {
        assert_eq!(remoted::said(&mut remote()), SAID);
    }
}

/// Two programs use one worker at once. The program kills its worker, so each run starts a new one.
#[test]
fn places_shared_worker_programs_succeed() {
    let made = made();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("own").join("socket");
    let mut command = Command::new(made.library.remoting.join("places_worker"));
    command.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &made.library.real).stdin(Stdio::null());
    let worker = remoted::Listening::start(&mut command, &socket);
    let with = |mut command: Command| {
        command.env("CX_REMOTE", format!("unix:{}", socket.display()));
        command
    };
    assert_eq!(remoted::said(&mut with(remote())), SAID);
    assert!(!worker.ends_well(), "the program killed it");
}

/// A worker that ends by a signal removes its socket, so programs that wait for the file wait for a worker.
#[test]
fn worker_ended_by_signal_removes_its_socket() {
    let made = made();
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new("asked-to-end/socket");
    let socket = folder.path().join(path);
    let signals = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP];
    let start = || {
        let mut command = Command::new(made.library.remoting.join("places_worker"));
        // The path is relative to the folder in which the worker was started.
        command.current_dir(folder.path()).arg("--listen").arg(path);
        command.env("CX_REMOTE_LIBRARY", &made.library.real).stdin(Stdio::null());
        let as_usual = move || {
            for signal in signals {
                // SAFETY: `signal` gets the default action. The parent of this test may ignore these signals.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            Ok(())
        };
        // SAFETY: the closure only makes system calls.
        unsafe { command.pre_exec(as_usual) };
        let worker = remoted::Listening::start(&mut command, path);
        // By now the worker has finished its start-up.
        let nobody = Library { name: "nobody".to_owned(), contract: [0; 32] };
        let refused = Connection::connect(&socket, &nobody, Geometry::default(), Spin::Never);
        assert!(matches!(refused, Err(ConnectError::Refused(_))));
        worker
    };
    for signal in signals {
        let worker = start();
        // SAFETY: `kill` takes no pointers, and the child has not been waited for.
        assert_eq!(unsafe { libc::kill(worker.process() as i32, signal) }, 0);
        assert_eq!(worker.end().signal(), Some(signal));
        assert!(!socket.exists(), "after signal {signal}");
    }
    // A killed worker cannot remove its socket; the next worker replaces it.
    drop(start());
    assert!(socket.exists());
    start();
}

/// A stopped worker, before or after the greeting, delays no program beyond the timeout.
#[test]
fn worker_stopped_calls_time_out() {
    assert_eq!(remoted::said(remote().arg("stops-worker").env("CX_REMOTE_CALL_SECONDS", "1")), "stopped\n");
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("own").join("socket");
    let _nobody = lapis_cx_remote::Listener::bind(&socket).unwrap();
    let mut program = remote();
    program.env("CX_REMOTE", format!("unix:{}", socket.display())).env("CX_REMOTE_SILENT_SECONDS", "1");
    assert_eq!(remoted::said(program.arg("without-worker")), "none\n");
}

#[test]
fn descriptors_closed_by_program_calls_succeed() {
    for _ in 0..5 {
        assert_eq!(remoted::said(remote().arg("closes")), "closed\n");
    }
}

/// A private worker ends after its program, also in the middle of a function that does not return.
#[test]
fn worker_in_endless_function_ends_after_its_program() {
    let said = tempfile::NamedTempFile::new().unwrap();
    let mut program = remote();
    program.arg("leaves").env("CX_REMOTE_SILENT_SECONDS", "1").stdout(said.reopen().unwrap());
    assert!(program.status().unwrap().success());
    let worker: i32 = std::fs::read_to_string(said.path()).unwrap().trim().parse().unwrap();
    // SAFETY: `kill` takes no pointers. An error means that the process has ended, too.
    let process = unsafe { libc::syscall(libc::SYS_pidfd_open, worker, 0) } as i32;
    let mut end = libc::pollfd { fd: process, events: libc::POLLIN, revents: 0 };
    // SAFETY: `poll` gets one entry, whose descriptor belongs to this process.
    assert!(process < 0 || unsafe { libc::poll(&raw mut end, 1, 60_000) } == 1, "{worker} is still there");
}

/// A program for RISC-V, on qemu, and a worker of this machine. qemu 7.2 cannot start threads in the child of a process that has some.
#[test]
fn places_risc_v_program_succeeds_with_native_worker() {
    let made = made();
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("{} -lpthread -ldl -lm -lgcc_s", riscv::linux().remote.display());
    let variables = [("CC", riscv::GCC), ("CFLAGS", "-O1 -Wall -Werror")];
    let remoting = made.library.sides("places", folder.path(), &variables, &engine);
    let program = folder.path().join("program");
    let mut gcc = Command::new(riscv::GCC);
    gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&program);
    cc::run(gcc.arg(made.library.here.join("program.c")).arg(remoting.join("libplaces.so.1")));
    let socket = folder.path().join("own").join("socket");
    let mut command = Command::new(made.library.remoting.join("places_worker"));
    command.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &made.library.real).stdin(Stdio::null());
    let _worker = remoted::Listening::start(&mut command, &socket);
    let library_path = format!("LD_LIBRARY_PATH={}", remoting.display());
    let mut qemu = riscv::qemu_with(&["-E", &library_path], &program);
    qemu.args(["remote", "without-forks"]).env("CX_REMOTE", format!("unix:{}", socket.display()));
    assert_eq!(remoted::said(&mut qemu), SAID.replace("forks\n", ""));
}

#[test]
fn worker_missing_calls_fail_with_message() {
    let mut command = remote();
    command.env("CX_REMOTE", "unix:/nobody/listens/here");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("libplaces.so.1: no connection to /nobody/listens/here: "), "{said}");
}

#[test]
fn worker_without_real_library_names_the_variable() {
    let mut command = remote();
    command.env_remove("CX_REMOTE_LIBRARY").arg("without-worker");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("libplaces.so.1: cannot open"), "{said}");
    assert!(said.contains("; CX_REMOTE_LIBRARY says in which file it is\n"), "{said}");
}

/// A signal handler whose call interrupts an allocation of the engine gets the failure result, also if the engine logs refusals.
#[test]
fn signal_in_allocation_of_the_engine_refuses_the_handlers_call() {
    let made = made();
    let mut native = Command::new(&made.handlers);
    native.env("LD_LIBRARY_PATH", made.library.folder.path());
    assert_eq!(remoted::said(&mut native), "no call refused\n");
    let mut command = remoted::command(&made.handlers, &made.library.remoting, &made.library.real);
    assert_eq!(remoted::said(&mut command), "calls refused\n");
    let output = command.env("CX_REMOTE_VERBOSE", "1").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "calls refused\n");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(": places_process: it interrupts another call of its thread\n"), "{said}");
}

/// Kills 200 processes, or 10,000 with `CX_LONG=1`.
#[test]
fn processes_killed_at_random_leave_nothing() {
    let (made, rounds) = (made(), if lapis_cx_tests::long() { 10_000 } else { 200 });
    let mut command = remoted::command(&made.kills, &made.library.remoting, &made.library.real);
    command.args([rounds.to_string(), "20260101".to_owned()]);
    assert_eq!(remoted::said(&mut command), format!("{rounds} rounds\n"));
}
