//! Calls that a program makes inside of callbacks: each gets its own reply, and so do the calls around it.

use std::process::Command;

use lapis_cx_tests::{cc, long, number, remoted};

/// Every timing of a callback, with every kind of call inside, within every kind of result, on one thread and on four at the same time.
/// `CX_ROUNDS=N` repeats the four threads; with many rounds it also compares the memory of both processes.
#[test]
fn calls_in_callbacks_and_around_them_get_their_own_replies() {
    let library = remoted::Library::make("nested_calls", "nests", "-O1", &["-D_GNU_SOURCE", "-pthread"]);
    let program = library.program("program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    assert!(native.ends_with("threads same\n"), "{native}");
    let rounds = number("CX_ROUNDS").unwrap_or(if long() { 1000 } else { 3 });
    let mut command = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(command.arg(rounds.to_string()).env("CX_REMOTE_VERBOSE", "1")), native);
}

/// What a program does in callbacks beside calls: it ends, changes `errno`, passes null, and gives memory away.
#[test]
fn programs_that_do_other_things_in_callbacks_behave_as_natively() {
    let library = remoted::Library::make("nested_calls", "nests", "-O1", &["-D_GNU_SOURCE", "-pthread"]);
    let program = library.program("cases");
    let run = |folder, mode: &[&str]| {
        let mut command = remoted::command(&program, folder, &library.real);
        let output = command.args(mode).output().unwrap_or_else(|e| panic!("{mode:?}: {e}"));
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), said(&output.stdout), said(&output.stderr))
    };
    let modes: [&[&str]; 12] = [
        &["exit"],
        &["exit handler"],
        &["exit at once"],
        &["exit thread"],
        &["exit library"],
        &["exit main"],
        &["exit main without calls"],
        &["leaves"],
        &["errno"],
        &["null"],
        &["own"],
        &["deep", "100"],
    ];
    for mode in modes {
        assert_eq!(run(&library.remoting, mode), run(library.folder.path(), mode), "{mode:?}");
    }
    // Deeper than any stack: refused with the failure value, in words, and the next call works.
    let (status, said, log) = run(&library.remoting, &["deep", "1000000"]);
    assert_eq!(status, Some(0), "{said}{log}");
    assert!(said.ends_with("after 15\n") && log.contains("CX_REMOTE_CALL_DEPTH"), "{said}{log}");
}

/// Exceptions of a program in C++ leave callbacks, and the worker leaves the calls around them.
#[test]
fn exceptions_leave_callbacks_and_their_calls_as_natively() {
    let library = remoted::Library::make("nested_calls", "nests", "-O1", &["-D_GNU_SOURCE", "-pthread"]);
    let program = library.folder.path().join("exceptions");
    let mut gcc = Command::new("g++");
    gcc.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    cc::run(gcc.arg(library.here.join("exceptions.cc")).arg(&library.real));
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    assert!(native.starts_with("caught 1000, "), "{native}");
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.env("CX_REMOTE_VERBOSE", "1")), native);
}

/// Calls that a program leaves do not change later calls, later jumps, or the end of threads and of the process.
#[test]
fn calls_that_the_program_leaves_change_nothing_else() {
    let library = remoted::Library::make("nested_calls", "left", "-O1", &["-pthread"]);
    let program = library.folder.path().join("left_program");
    let mut gcc = Command::new("g++");
    gcc.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&program);
    cc::run(gcc.arg(library.here.join("left_program.cc")).arg(&library.real));
    for mode in [
        "in place",
        "kept",
        "exceptions",
        "exceptions, jump",
        "coroutines",
        "coroutines, jump",
        "threads",
        "main without calls",
        "started in a callback",
        "chain",
    ] {
        let native = remoted::said(remoted::command(&program, library.folder.path(), &library.real).arg(mode));
        let remote = remoted::said(remoted::command(&program, &library.remoting, &library.real).arg(mode));
        assert_eq!(remote, native, "{mode}");
    }
}

/// Functions of one type that share userdata or have none, and functions that the library gives back.
#[test]
fn functions_that_the_library_keeps_and_returns_are_those_of_the_program() {
    let library = remoted::Library::make("nested_calls", "functions", "-O1", &[]);
    let program = library.program("functions_program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    assert!(native.lines().count() > 8, "{native}");
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.env("CX_REMOTE_VERBOSE", "1")), native);
    // A function of the library itself, and more functions than can be told apart, are refused in words.
    let mut limits = remoted::command(&program, &library.remoting, &library.real);
    let output = limits.arg("limits").env("CX_REMOTE_VERBOSE", "1").output().unwrap_or_else(|e| panic!("{e}"));
    let (said, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.ends_with("shared -99 constant null null own null after 2\n"), "{said}{log}");
    for words in [
        "no function can be at this address",
        "cannot be told apart",
        "no function that the program passed",
        "not each has a trampoline of its own",
    ] {
        assert!(log.contains(words), "{words}: {log}");
    }
}

/// `errno` is one number for the program and the library, whichever changed it last.
#[test]
fn errno_is_that_of_one_process() {
    let library = remoted::Library::make("nested_calls", "numbers", "-O1", &[]);
    let program = library.program("numbers_program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.env("CX_REMOTE_VERBOSE", "1")), native);
}

/// The library keeps a struct with callbacks, and constant memory that a callback gets back: both live as long as an object.
#[test]
fn callbacks_and_memory_of_kept_structs_are_those_of_the_program() {
    let library = remoted::Library::make("nested_calls", "kept", "-O1", &[]);
    let program = library.program("kept_program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    assert!(native.contains("<7 seven><8 none><-2 minus two>"), "{native}");
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    let output = remote.env("CX_REMOTE_VERBOSE", "1").output().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), native);
}
