//! Tests of memory that outlives a call, with a program and a library in another process: it lasts as long as one of its owners, and blocks
//! whose ownership passes are freed once.

use std::process::Command;

use lapis_cx_tests::remoted;

const SAID: &str = "\
kept 2000
half 500
kept 600000
half 150000
box and list 2153
page and shelf 6000, shelf 3000, page again 6000
a shelf
same 8
counted 4000 4000
again 5000
a constant name
fired 0 7
fired 7
added
passed 30002100
given
not given -1
kept, then passed
pinned
";

/// Freed memory is overwritten, so that its use is seen.
fn overwrite(command: &mut Command) -> &mut Command {
    command.env("MALLOC_PERTURB_", "165").env("CX_REMOTE_VERBOSE", "1")
}

#[test]
fn memory_lasts_as_long_as_one_of_its_owners() {
    let library = remoted::Library::make("kept_memory", "shelves", "-O1", &["-D_GNU_SOURCE"]);
    let program = library.program("program");
    let native = remoted::said(overwrite(&mut remoted::command(&program, library.folder.path(), &library.real)));
    assert_eq!(native, SAID);
    let output = overwrite(&mut remoted::command(&program, &library.remoting, &library.real)).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), SAID);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

/// Without a setting, the first refusal of each function is logged, by the side that has the reason.
#[test]
fn refused_calls_are_logged_with_the_reason() {
    let library = remoted::Library::make("kept_memory", "shelves", "-O1", &["-D_GNU_SOURCE"]);
    let program = library.program("program");
    for (setting, lines) in [("", 1), ("1", 2), ("0", 0)] {
        let mut written = remoted::command(&program, &library.remoting, &library.real);
        let output = written.arg("written").env("CX_REMOTE_VERBOSE", setting).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "-99 -99\n");
        let why = "copy: `from`: part of its memory is in another argument, and one of both is written";
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.matches(why).count() == lines && said.lines().count() == lines, "{setting}: {said}");
    }
}

/// The library changes pointers between structs of a call. A result that is too large is refused, and later calls get their own results.
#[test]
fn structs_of_a_call_point_to_each_other_as_the_library_says() {
    let library = remoted::Library::make("kept_memory", "links", "-O1", &[]);
    let program = library.program("links_program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.env("CX_REMOTE_VERBOSE", "1")), native);
    // The worker finds that the result is too large, or the program that it cannot keep it, while the worker still sends it.
    for kept in ["100000000", "10000"] {
        let mut long = remoted::command(&program, &library.remoting, &library.real);
        long.arg("long").env("CX_REMOTE_CALL_BYTES", "1000000").env("CX_REMOTE_KEPT_BYTES", kept);
        assert_eq!(remoted::said(&mut long), "-9\n");
    }
}

/// What the program changes in memory that the library lends it, and the library in memory of the program, reaches the other side with the
/// next call that names the memory. Neither side's changes undo those of the other.
#[test]
fn changes_to_memory_of_the_other_side_reach_it() {
    let library = remoted::Library::make("kept_memory", "changes", "-O1", &[]);
    let program = library.program("changes_program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    assert_eq!(remoted::said(remote.arg("remote")), native);
}
