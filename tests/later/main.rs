//! Calls that nobody waits for, and the order of calls of several threads: a program, and a library in another process.

use lapis_cx_tests::remoted;

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
    let library = remoted::Library::make("later", "later", "-O1", &["-D_GNU_SOURCE", "-rdynamic", "-pthread"]);
    let program = library.program("program");
    // The order of threads is another one each time.
    for _ in 0..5 {
        assert_eq!(remoted::said(&mut remoted::command(&program, &library.remoting, &library.real)), SAID);
    }
}
