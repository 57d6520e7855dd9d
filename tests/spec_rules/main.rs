//! Rules that the reference states for every expression and every place, in two processes; and the shipped SQLite specification.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

use lapis_cx_tests::{cc, remoted, spec};

#[test]
fn rules_hold_in_two_processes() {
    let library = remoted::Library::make("spec_rules", "rules", "-O1", &[]);
    let program = library.program("program");
    let native = remoted::said(Command::new(&program).env("LD_LIBRARY_PATH", library.folder.path()));
    assert!(native.lines().count() > 25, "{native}");
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.arg("remote").env("CX_REMOTE_VERBOSE", "1")), native);
}

#[test]
fn handle_with_struct_members_are_copied_both_ways() {
    let library = remoted::Library::make("spec_rules", "public", "-O1", &[]);
    let program = library.program("public_program");
    let native = remoted::said(Command::new(&program).env("LD_LIBRARY_PATH", library.folder.path()));
    assert!(native.lines().count() > 20, "{native}");
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.env("CX_REMOTE_VERBOSE", "1")), native);
}

#[test]
fn sqlite_in_two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let remoting = remoted::make(&spec::build("sqlite"), folder.path(), &[("CFLAGS", "-O1 -Wall -Werror")]);
    let found = cc::run(Command::new("gcc").arg("-print-file-name=libsqlite3.so.0"));
    let real = std::fs::canonicalize(String::from_utf8(found.stdout).unwrap().trim()).unwrap();
    let program = folder.path().join("sqlite");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec_rules/sqlite.c");
    let mut gcc = Command::new("gcc");
    cc::run(gcc.args(["-std=c11", "-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(source).arg("-lsqlite3"));
    let native = remoted::said(Command::new(&program).env_remove("LD_LIBRARY_PATH"));
    assert!(native.contains("same hook 1"), "{native}");
    let mut remote = remoted::command(&program, &remoting, &real);
    assert_eq!(remoted::said(remote.env("CX_REMOTE_VERBOSE", "1")), native);
}
