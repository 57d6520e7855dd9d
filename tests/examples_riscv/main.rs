//! `examples/riscv`: one command builds and runs it on a machine in a language, and what it prints is always the same.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::{Command, Output};

use lapis_cx_tests::cc::run;
use lapis_cx_tests::riscv::{SETTINGS, target_folder};
use lapis_cx_tests::{cxc, repository};

/// What is printed, and what is said beside it.
fn said(Output { stdout, stderr, .. }: Output) -> (String, String) {
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn the_examples_print_the_same_everywhere() {
    let folder = repository().join("examples/riscv");
    let expected = fs::read_to_string(folder.join("expected.txt")).unwrap();
    let cxc = cxc();
    // What is built for RISC-V, the standard library too, is there for other tests already.
    let command = || {
        let mut command = Command::new(folder.join("run"));
        for name in SETTINGS {
            command.env_remove(name);
        }
        command.env("CXC", &cxc).env("CARGO_TARGET_DIR", target_folder()).env("CARGO_NET_OFFLINE", "true");
        command
    };
    let (printed, told) = said(run(&mut command()));
    let ways = ["host, c", "riscv64, c", "host, rust", "riscv64, rust"];
    let outputs = ways.map(|way| format!("== {way}\n{expected}")).concat();
    assert_eq!(printed, format!("{outputs}== all four are equal\n"));
    // Both ways of the checksum were taken each time.
    for way in ["by the fallback\n", "by the CX\n"] {
        assert_eq!(told.matches(way).count(), ways.len(), "{told}");
    }
    // One of them alone, as README says.
    assert_eq!(said(run(command().args(["riscv64", "c"]))).0, expected);
    assert_eq!(command().arg("riscv32").output().unwrap().status.code(), Some(2));
}

/// Copies are copies.
#[test]
fn the_specs_are_those_that_ship() {
    let origins = ["specs/crc32c.cxspec", "specs/mulacc.cxspec", "tests/routines/dotp.cxspec"];
    let folder = repository().join("examples/riscv/specs");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), origins.len());
    for origin in origins.map(|origin| repository().join(origin)) {
        let copy = folder.join(origin.file_name().unwrap());
        assert!(fs::read(&copy).unwrap() == fs::read(&origin).unwrap(), "{}", copy.display());
    }
}
