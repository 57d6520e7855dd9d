//! Tests of data shapes in two processes: a program prints the same as with the library in its own process.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lapis_cx_tests::{blocks, remoted, repository};

fn library() -> &'static remoted::Library {
    static MADE: OnceLock<remoted::Library> = OnceLock::new();
    MADE.get_or_init(|| remoted::Library::make("data_shapes", "shapes", "-O1", &["-D_GNU_SOURCE"]))
}

/// A program whose calls need much memory.
fn limited() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| library().program("limited"))
}

#[test]
fn data_shapes_remoted_print_what_they_print_natively() {
    let library = library();
    let program = library.program("program");
    let natively = remoted::said(Command::new(&program).env("LD_LIBRARY_PATH", library.folder.path()));
    assert!(natively.contains("ladder: 60\n") && natively.contains("long: "), "{natively}");
    assert!(natively.ends_with("constant: 0 2 0 20\npages: 2 bb 0\npages: 2 bb 0\npages: 2 bb 0\n"), "{natively}");
    let mut command = remoted::command(&program, &library.remoting, &library.real);
    let output = command.env("CX_REMOTE_VERBOSE", "1").env("CX_REMOTE_CALL_SECONDS", "60").output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), natively, "{log}");
    assert!(output.status.success() && log.is_empty(), "{log}");
}

/// A call that needs more than its limit fails with a message, and the next one works.
#[test]
fn data_shapes_beyond_the_limit_are_refused_and_both_processes_live() {
    let library = library();
    let mut command = remoted::command(limited(), &library.remoting, &library.real);
    let output = command.env("CX_REMOTE_VERBOSE", "1").env("CX_REMOTE_CALL_BYTES", "4000000").output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-99 1\n".repeat(3), "{log}");
    assert!(output.status.success() && log.contains("sum: "), "{log}");
    assert!(log.contains("CX_REMOTE_CALL_BYTES"), "{log}");
}

/// The program may not see what a worker that listens logs, so the guest logs that the worker refused a call, once.
#[test]
fn data_shapes_beyond_the_limit_of_a_shared_worker_are_logged_by_both() {
    let library = library();
    let folder = tempfile::tempdir().unwrap();
    let (socket, log) = (folder.path().join("own").join("socket"), folder.path().join("log"));
    let mut worker = remoted::command(&library.remoting.join("shapes_worker"), &library.remoting, &library.real);
    worker.arg("--listen").arg(&socket).env("CX_REMOTE_CALL_BYTES", "4000000");
    worker.stdin(Stdio::null()).stderr(std::fs::File::create(&log).unwrap());
    let worker = remoted::Listening::start(&mut worker, &socket);
    let mut command = remoted::command(limited(), &library.remoting, &library.real);
    let output = command.env("CX_REMOTE", format!("unix:{}", socket.display())).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-99 1\n".repeat(3));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_said = said.ends_with(": shapes_sum: the worker refused the call, and logs the reason\n");
    assert!(is_said && said.lines().count() == 1, "{said}");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("CX_REMOTE_CALL_BYTES") && log.lines().count() == 1, "{log}");
    drop(worker);
}

/// The idioms of the language reference work as it says. A call that waits for another one runs in a separate thread.
#[test]
fn idioms_of_the_reference_remoted_print_what_they_print_natively() {
    let reference = std::fs::read_to_string(repository().join("grammars/reference/libraries.md")).unwrap();
    let library = remoted::Library::make("data_shapes", "idioms", "-O1", &["-pthread"]);
    let spec = std::fs::read_to_string(library.here.join("idioms.cxspec")).unwrap();
    assert!(blocks(&reference, "cxspec").contains(&spec), "the last example of the reference and idioms.cxspec differ");
    let program = library.program("idioms_program");
    let natively = remoted::said(Command::new(&program).env("LD_LIBRARY_PATH", library.folder.path()));
    let mut command = remoted::command(&program, &library.remoting, &library.real);
    let output = command.env("CX_REMOTE_VERBOSE", "1").output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), natively, "{log}");
    assert!(output.status.success() && log.is_empty(), "{log}");
}
