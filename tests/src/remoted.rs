//! Libraries in another process: both sides made of what is printed of a spec, with the real engine.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

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

/// The same of an engine that lies (`lapis-cx/remote/src/spoil.rs`), for guests; `folder` is where cargo builds it.
///
/// # Panics
///
/// If it cannot be built.
pub fn lying_engine(folder: &Path) -> String {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["build", "--locked", "-p", "lapis-cx-remote", "--features", "spoil", "--target-dir"]).arg(folder);
    cc::run(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
    format!("{} -lpthread -ldl -lm", folder.join("debug/liblapis_cx_remote.a").display())
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
    make_with(&engine(), outcome, folder, variables)
}

/// The same with this engine.
///
/// # Panics
///
/// As there.
pub fn make_with(engine: &str, outcome: &Outcome, folder: &Path, variables: &[(&str, &str)]) -> PathBuf {
    spec::write(outcome, folder);
    let remoting = folder.join("remoting");
    let mut make = Command::new("make");
    make.arg("-C").arg(&remoting).env_remove("MAKEFLAGS");
    make.arg(format!("CX_REMOTE_INCLUDE={}", headers().display())).arg(format!("CX_REMOTE_LIB={engine}"));
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

/// A worker that listens. It is killed when this is dropped.
pub struct Listening(Child);

impl Listening {
    /// Starts it, and waits until it accepts guests at `socket`.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub fn start(command: &mut Command, socket: &Path) -> Listening {
        let child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let mut worker = Listening(child);
        // The kernel's list of sockets says whether somebody accepts.
        let listens = || {
            let all = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
            all.lines().any(|line| line.ends_with(&*socket.to_string_lossy()) && line.contains(" 00010000 "))
        };
        while !listens() {
            assert!(worker.is_running(), "{command:?} ended");
            std::thread::yield_now();
        }
        worker
    }

    /// Whether it has not ended.
    pub fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// Waits for its end: whether it was a good one.
    pub fn ends_well(mut self) -> bool {
        self.0.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
