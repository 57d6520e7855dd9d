//! Small libraries, each with one shape of interface, in a folder each: `p.c`, `p.h`, `p.cxspec` and a program, `main.c`. The program prints the
//! same with the library in another process. If the folder has a file `refused`, then a call is refused instead: the log contains each line
//! of this file, and the program, which checks results itself, succeeds.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use lapis_cx_tests::remoted::{self, Library};
use libtest_mimic::{Arguments, Failed, Trial};

fn output(command: &mut Command) -> Result<(Output, String, String), Failed> {
    // Calls that wait for ever fail.
    let output = command.env("CX_REMOTE_CALL_SECONDS", "60").env("CX_REMOTE_VERBOSE", "1").output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (printed, log) = (text(&output.stdout), text(&output.stderr));
    Ok((output, printed, log))
}

fn check(name: &str) -> Result<(), Failed> {
    let library = Library::make(&format!("small_libraries/{name}"), "p", "-O1", &["-pthread", "-D_GNU_SOURCE"]);
    let program = library.program("main");
    let (native, native_printed, _) = output(&mut remoted::command(&program, library.folder.path(), &library.real))?;
    let (remote, printed, log) = output(&mut remoted::command(&program, &library.remoting, &library.real))?;
    let refused = fs::read_to_string(library.here.join("refused")).unwrap_or_default();
    let is_right = if refused.is_empty() {
        printed == native_printed && remote.status == native.status && log.is_empty()
    } else {
        remote.status.success() && refused.lines().all(|line| log.contains(line))
    };
    let (status, native) = (remote.status, native.status);
    let said = format!("{native}\n{native_printed}remote: {status}\n{printed}{log}");
    if is_right { Ok(()) } else { Err(Failed::from(said)) }
}

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("small_libraries");
    let mut names: Vec<String> = fs::read_dir(here)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let tests = names.into_iter().map(|name| Trial::test(name.clone(), move || check(&name))).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
