//! Tests of metadata, choices, casts and kept memory, of text in C on each side, and of programs with several processes and libraries. C
//! programs assert the results, natively and remoted.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lapis_cx_tests::{cc, remoted, spec};

const SAID: &str = "remembers\nkinds\nstructs\nends\npointers\ncasts\ntails\npins\ntext\nallocators\nflushes\n";

struct Made {
    lends: remoted::Library,
    places: remoted::Library,
    program: PathBuf,
    processes: PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let lends = remoted::Library::make("lends", "lends", "-O1", &["-pthread", "-rdynamic"]);
        let places = remoted::Library::make("behaviours", "places", "-O1", &["-pthread"]);
        let program = lends.program("program");
        let processes = lends.folder.path().join("processes");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&processes);
        cc::run(gcc.arg(lends.here.join("processes.c")).args([&lends.real, &places.real]));
        Made { lends, places, program, processes }
    })
}

#[test]
fn lends_native_program_succeeds() {
    let made = made();
    let mut command = Command::new(&made.program);
    assert_eq!(remoted::said(command.env("LD_LIBRARY_PATH", made.lends.folder.path())), SAID);
}

/// With a low limit for kept memory: memory that ended frees its share.
#[test]
fn lends_private_worker_program_succeeds() {
    let made = made();
    let mut command = remoted::command(&made.program, &made.lends.remoting, &made.lends.real);
    command.arg("remote").env("CX_REMOTE_KEPT_BYTES", "16000000").env("CX_REMOTE_VERBOSE", "1");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), SAID, "{said}");
    assert!(output.status.success());
    // A wrong cast is refused with the name of the parameter.
    assert!(said.contains("store: `value`: it is no object of this guest, or a dead one"), "{said}");
    assert!(said.contains("either: `at`: it is no object of this guest, or a dead one"), "{said}");
}

/// Several libraries, programs that start programs, and the death of the worker during callbacks.
#[test]
fn several_processes_and_libraries_succeed() {
    let made = made();
    let (lends, places) = (&made.lends, &made.places);
    let said = format!("both\n{}programs\nkilled\nlast\n", "child\n".repeat(9));
    let reals = [lends.folder.path(), places.folder.path()];
    let remotes = [&*lends.remoting, &*places.remoting];
    for (mode, path) in [("native", &reals[..]), ("remote", &[&remotes[..], &reals[..]].concat()[..])] {
        let mut command = Command::new(&made.processes);
        command.arg(mode).env("LD_LIBRARY_PATH", std::env::join_paths(path).unwrap()).env_remove("CX_REMOTE");
        assert_eq!(remoted::said(&mut command), said, "{mode}");
    }
}

/// A worker serves guests of its own specification; others get a message.
#[test]
fn guest_of_another_contract_is_refused() {
    let made = made();
    let lends = &made.lends;
    let text = std::fs::read_to_string(lends.here.join("lends.cxspec")).unwrap();
    let other = text.replace("fails -99;", "fails -98;");
    assert_ne!(text, other);
    let folder = tempfile::tempdir().unwrap();
    let (real, here) = (lends.real.to_string_lossy(), lends.here.to_string_lossy());
    let variables = [("LENDS_REAL", &*real), ("SOURCE_DIR", &*here), ("CFLAGS", "-O1 -Wall -Werror")];
    let other = remoted::make(&spec::build_text("lends", other), folder.path(), &variables);
    let socket = folder.path().join("own").join("socket");
    let mut command = Command::new(lends.remoting.join("lends_worker"));
    command.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &lends.real).stdin(Stdio::null());
    let mut worker = remoted::Listening::start(&mut command, &socket);
    for (remoting, served) in [(&lends.remoting, true), (&other, false), (&lends.remoting, true), (&other, false)] {
        let path = [remoting.as_path(), made.places.folder.path()];
        let mut command = Command::new(&made.processes);
        command.args(["remote", "process"]).env("LD_LIBRARY_PATH", std::env::join_paths(path).unwrap());
        let output = command.env("CX_REMOTE", format!("unix:{}", socket.display())).output().unwrap();
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(stdout, if served { "served\n" } else { "refused\n" }, "{stderr}");
        assert_eq!(stderr.contains("this worker was built for contract"), !served, "{stderr}");
    }
    assert!(worker.is_running());
}
