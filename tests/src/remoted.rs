//! Libraries in another process: both sides made of what is printed of a spec, with the real engine.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lapis_cx::driver::Outcome;

use crate::{cc, spec};

/// What programs in C link of the engine.
///
/// # Panics
///
/// If the test program has no path.
pub fn engine() -> String {
    let here = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    format!("{} -lpthread -ldl -lm", here.with_file_name("liblapis_cx_remote.a").display())
}

/// The folder of `cx_remote.h`.
pub fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/remote/include")
}

/// Prints a spec and makes both sides of its libraries: below `folder/remoting`, which is returned. `variables` are make's.
///
/// # Panics
///
/// If they cannot be made.
pub fn make(outcome: &Outcome, folder: &Path, variables: &[(&str, &str)]) -> PathBuf {
    spec::write(outcome, folder);
    let remoting = folder.join("remoting");
    let mut make = Command::new("make");
    make.arg("-C").arg(&remoting).env_remove("MAKEFLAGS");
    make.arg(format!("CX_REMOTE_INCLUDE={}", headers().display())).arg(format!("CX_REMOTE_LIB={}", engine()));
    make.args(variables.iter().map(|(name, value)| format!("{name}={value}")));
    cc::run(&mut make);
    remoting
}

/// A program that finds the guest library, and its worker the real one.
pub fn command(program: &Path, remoting: &Path, real: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", remoting).env("CX_REMOTE_LIBRARY", real).env_remove("CX_REMOTE");
    command
}

/// Runs a program, which must succeed: what it prints.
///
/// # Panics
///
/// If it fails.
pub fn said(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}
