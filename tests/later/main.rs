//! Calls that nobody waits for, and the order of calls of several threads: a program, and a library in another process.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx_tests::{cc, remoted, spec};

/// What the program prints: how far it came. It holds all else itself.
const SAID: &str = "\
in order
filled
late 1 add -5
named before it was made
poisoned -99
freed -99
called 21
in order of both threads
waits for what another thread makes
refused -99
nested
";

#[test]
fn calls_that_nobody_waits_for() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("later");
    let folder = tempfile::tempdir().unwrap();
    let (real, program) = (folder.path().join("liblater.so.1"), folder.path().join("program"));
    let gcc = || {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC"]);
        gcc
    };
    cc::run(gcc().args(["-shared", "-Wl,-soname,liblater.so.1", "-o"]).arg(&real).arg(here.join("later.c")));
    cc::run(gcc().args(["-rdynamic", "-pthread", "-o"]).arg(&program).arg(here.join("program.c")).arg(&real));
    let outcome = spec::build_text("later", fs::read(here.join("later.cxspec")).unwrap());
    let variables = [
        ("LATER_REAL", real.to_str().unwrap()),
        ("SOURCE_DIR", here.to_str().unwrap()),
        ("CFLAGS", "-O1 -Wall -Werror"),
    ];
    let remoting = remoted::make(&outcome, folder.path(), &variables);
    // The order of threads is another one each time.
    for _ in 0..5 {
        assert_eq!(remoted::said(&mut remoted::command(&program, &remoting, &real)), SAID);
    }
}
