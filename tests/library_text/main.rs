//! Text of C in a specification, with the real engine: text that calls functions which the specification does not describe, variables
//! that `before` and `after` share, type names that contain words of C, and functions that are missing.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::unix::process::ExitStatusExt;
use std::process::Output;
use std::sync::OnceLock;

use lapis_cx_backend_remoting::Remoting;
use lapis_cx_tests::{remoted, spec};

use lapis_cx::backend::Backend;

struct Made {
    library: remoted::Library,
    program: std::path::PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let library = remoted::Library::make("library_text", "text", "-O1", &[]);
        let program = library.program("program");
        Made { library, program }
    })
}

fn run(remoting: &std::path::Path, arguments: &[&str]) -> (Output, String, String) {
    let made = made();
    let mut command = remoted::command(&made.program, remoting, &made.library.real);
    let output = command.args(arguments).env("CX_REMOTE_VERBOSE", "1").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    (output, stdout, stderr)
}

const PRINTED: &str = "even 1 0\nflip 42 1 42 1\neach 1\nsum 6\nsee 3\nseen 6\nplus 21\nshared 37\nfailing 5 1\nfailing 0 1\nown name 18\n";

#[test]
fn text_runs_in_the_worker() {
    let (output, stdout, stderr) = run(&made().library.remoting, &[]);
    assert_eq!((stdout.as_str(), stderr.as_str()), (PRINTED, ""));
    assert!(output.status.success());
}

#[test]
fn missing_function_aborts_the_program() {
    let (output, stdout, stderr) = run(&made().library.remoting, &["missing"]);
    assert_eq!(stdout, PRINTED);
    let expected = "cx_remote: libtext.so.1: the program called `text_missing`, which the specification org.example.text:Text does \
                    not describe: the program is aborted. Add the function to the specification, or build the guest library with \
                    `--option remoting.missing=zero` to return 0\n";
    assert_eq!(stderr, expected);
    assert_eq!(output.status.signal(), Some(6));
}

#[test]
fn missing_function_returns_zero_if_the_backend_is_told() {
    let library = &made().library;
    let folder = tempfile::tempdir().unwrap();
    let backend = Remoting::DEFAULT.with_options(&[("missing", "zero")]).unwrap();
    let text = std::fs::read(library.here.join("text.cxspec")).unwrap();
    let outcome = spec::build_with("text", text, &[&*backend]);
    let (real, here) = (library.real.display().to_string(), library.here.display().to_string());
    let variables = [("TEXT_REAL", real.as_str()), ("SOURCE_DIR", here.as_str())];
    let remoting = remoted::make(&outcome, folder.path(), &variables);
    let (output, stdout, stderr) = run(&remoting, &["missing"]);
    assert_eq!(stdout, format!("{PRINTED}missing 0\n"));
    assert!(stderr.ends_with("Text does not describe: it returns 0\n") && stderr.lines().count() == 1, "{stderr}");
    assert!(output.status.success());
}
