//! Tests of asynchronous calls and of the order of calls of several threads, with a program and a library in another process.

use lapis_cx_tests::remoted;

/// The output of the program: its progress. The program asserts the rest.
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
freed in use: 0
refused -99
nested
";

#[test]
fn asynchronous_calls_keep_their_order() {
    let library = remoted::Library::make("later", "later", "-O1", &["-D_GNU_SOURCE", "-rdynamic", "-pthread"]);
    let program = library.program("program");
    // The order of threads differs from run to run.
    for _ in 0..5 {
        assert_eq!(remoted::said(&mut remoted::command(&program, &library.remoting, &library.real)), SAID);
    }
}

/// A thread of the library sends asynchronous callbacks on its own channel, and the reply that ends their registration overtakes them.
/// Memory that lives until a callback has its contents there, and memory of an object ends with the asynchronous call that ends the object.
#[test]
fn asynchronous_callbacks_of_ended_registrations_are_delivered() {
    let library = remoted::Library::make("later", "posts", "-O1", &["-D_GNU_SOURCE", "-pthread"]);
    let program = library.program("posts_program");
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    assert_eq!(native, "written 505000000\nended\n2000 callbacks, sum 4000\n");
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    let output = remote.env("CX_REMOTE_VERBOSE", "1").output().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), native);
}
