//! Calls that a program makes inside of callbacks: each gets its own reply, and so do the calls around it.

use lapis_cx_tests::remoted;

/// Every timing of a callback, with every kind of call inside, within every kind of result, on the first thread and on three others.
#[test]
fn calls_in_callbacks_and_around_them_get_their_own_replies() {
    let library = remoted::Library::make("nested_calls", "nests", "-O1", &["-D_GNU_SOURCE", "-pthread"]);
    let program = library.program("program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    assert!(native.contains("thread 2: same"), "{native}");
    // Threads meet in another order each time.
    for _ in 0..3 {
        let mut command = remoted::command(&program, &library.remoting, &library.real);
        assert_eq!(remoted::said(command.env("CX_REMOTE_VERBOSE", "1")), native);
    }
}
