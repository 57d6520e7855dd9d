//! Builds a random library and its program, and runs it with the library in the same process and in another one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_backend_remoting::Remoting;

use super::model::Library;
use super::{library_c, program_c, spec};
use crate::{remoted, spec as specs};

/// What compiles a specification and what its sides are linked with.
#[derive(Clone, Debug)]
pub enum Toolchain {
    /// This build: the compiler in this process, and the engine beside this program.
    Own,
    /// A command `cxc`, and a folder where an engine is installed.
    Installed {
        /// The command.
        cxc: PathBuf,
        /// The folder.
        prefix: PathBuf,
    },
}

/// What became of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both runs say the same, and nothing was logged.
    Same,
    /// The compiler rejects the specification.
    Rejected(String),
    /// The generated code or the library does not compile.
    Build(String),
    /// The native run crashes: the generator is wrong.
    Native(String),
    /// The runs differ.
    Differs(Difference),
}

/// How two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first line that differs, natively and remoted.
    pub lines: (String, String),
    /// How both ended.
    pub ends: (String, String),
    /// What the engine logged.
    pub log: String,
}

impl Outcome {
    /// A word for the kind of outcome.
    pub fn kind(&self) -> &'static str {
        match self {
            Outcome::Same => "same",
            Outcome::Rejected(_) => "rejected",
            Outcome::Build(_) => "build",
            Outcome::Native(_) => "native",
            Outcome::Differs(difference) if difference.log.is_empty() => "differs",
            Outcome::Differs(_) => "refused",
        }
    }
}

/// Writes the files of a library.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(library: &Library, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("r.cxspec"), spec::specification(library))?;
    fs::write(folder.join("r.h"), spec::header(library))?;
    fs::write(folder.join("r.c"), library_c::source(library))?;
    fs::write(folder.join("main.c"), program_c::source(library))?;
    fs::write(folder.join("common.h"), include_str!("common.h"))
}

impl Toolchain {
    /// Builds and runs a library in a folder.
    ///
    /// # Panics
    ///
    /// If a tool is missing, or a file cannot be written.
    pub fn judge(&self, library: &Library, folder: &Path) -> Outcome {
        write(library, folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        if let Err(outcome) = self.sides(library, folder) {
            return outcome;
        }
        let real = folder.join("libr.so.1");
        if let Err(said) = gcc(folder, &["-shared", "-fPIC", "-Wl,-soname,libr.so.1", "r.c", "-o", "libr.so.1"]) {
            return Outcome::Native(said);
        }
        if let Err(said) = gcc(folder, &["main.c", "-o", "main", "./libr.so.1"]) {
            return Outcome::Native(said);
        }
        if let Err(said) = self.make(folder, &real) {
            return Outcome::Build(said);
        }
        let (native, _) = run(folder, "native", |command| {
            command.env("LD_LIBRARY_PATH", folder);
        });
        if !native.end.ends_with("0") {
            return Outcome::Native(native.end);
        }
        let (remote, log) = run(folder, "remote", |command| {
            command.env("LD_LIBRARY_PATH", folder.join("remoting")).env("CX_REMOTE_LIBRARY", &real);
        });
        compare(native, remote, log)
    }

    fn sides(&self, library: &Library, folder: &Path) -> Result<(), Outcome> {
        match self {
            Toolchain::Own => match specs::try_build("r", spec::specification(library), &[&Remoting::DEFAULT]) {
                Ok(outcome) => specs::write(&outcome, folder),
                Err(said) => return Err(Outcome::Rejected(said)),
            },
            Toolchain::Installed { cxc, .. } => {
                let mut command = Command::new(cxc);
                command.args(["build", "r.cxspec", "--backend", "remoting", "-q", "--out-dir", "."]);
                let output = command.current_dir(folder).output().unwrap_or_else(|e| panic!("{}: {e}", cxc.display()));
                if !output.status.success() {
                    return Err(Outcome::Rejected(String::from_utf8_lossy(&output.stderr).into_owned()));
                }
            }
        }
        Ok(())
    }

    fn make(&self, folder: &Path, real: &Path) -> Result<(), String> {
        let mut make = Command::new("make");
        make.arg("-s").arg("-C").arg(folder.join("remoting")).env_remove("MAKEFLAGS");
        make.arg(format!("R_REAL={}", real.display())).arg(format!("CFLAGS=-w -O0 -I{}", folder.display()));
        match self {
            Toolchain::Own => {
                make.arg(format!("CX_REMOTE_INCLUDE={}", remoted::headers().display()));
                make.arg(format!("CX_REMOTE_LIB={}", remoted::engine()));
            }
            Toolchain::Installed { prefix, .. } => {
                make.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
            }
        }
        checked(&mut make)
    }
}

fn gcc(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder).args(["-std=gnu11", "-w", "-O0", "-pthread"]).args(arguments);
    checked(&mut gcc)
}

fn checked(command: &mut Command) -> Result<(), String> {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

struct Run {
    printed: Vec<String>,
    told: Vec<String>,
    end: String,
}

/// Runs the program: what it printed, what its library was told, and what the engine logged.
fn run(folder: &Path, name: &str, prepare: impl FnOnce(&mut Command)) -> (Run, String) {
    let trace = folder.join(format!("{name}.trace"));
    let _ = fs::remove_file(&trace);
    // `timeout` ends what hangs.
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "60", "./main"]).current_dir(folder).stdin(Stdio::null());
    command.env("R_TRACE", &trace).env("CX_REMOTE_VERBOSE", "1").env_remove("CX_REMOTE");
    // The allocator overwrites freed memory, so that its use is seen.
    command.env("MALLOC_PERTURB_", "165");
    prepare(&mut command);
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let (printed, log) = (lines(&output.stdout), String::from_utf8_lossy(&output.stderr).into_owned());
    let _ = fs::write(folder.join(format!("{name}.out")), &output.stdout);
    let _ = fs::write(folder.join(format!("{name}.log")), &output.stderr);
    let told = lines(&fs::read(&trace).unwrap_or_default());
    (Run { printed, told, end: output.status.to_string() }, log)
}

fn compare(native: Run, remote: Run, log: String) -> Outcome {
    // Calls of callbacks may come between those of the program.
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines
    };
    let told = first(&sorted(native.told), &sorted(remote.told));
    let printed = first(&native.printed, &remote.printed);
    let lines = printed.or(told);
    if lines.is_none() && native.end == remote.end && log.is_empty() {
        return Outcome::Same;
    }
    let lines = lines.unwrap_or_default();
    Outcome::Differs(Difference { lines, ends: (native.end, remote.end), log })
}

fn first(native: &[String], remote: &[String]) -> Option<(String, String)> {
    let count = native.len().max(remote.len());
    let line = |lines: &[String], at: usize| lines.get(at).cloned().unwrap_or_default();
    (0..count).map(|at| (line(native, at), line(remote, at))).find(|(a, b)| a != b)
}
