//! C and C++ compilers. The tests of the C backend have this file too.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Warnings that generated code must be free of, all as errors.
pub const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// A compiler of Debian: its command is also its package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// GNU.
    Gcc,
    /// LLVM.
    Clang,
}

/// Both compilers.
pub const COMPILERS: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];

/// The two languages that generated C is written in at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11.
    C11,
    /// C++17.
    Cpp17,
}

/// Both languages.
pub const LANGUAGES: [Language; 2] = [Language::C11, Language::Cpp17];

impl Compiler {
    /// The program for a language, and what tells it that language.
    pub fn tool(self, language: Language) -> (&'static str, [&'static str; 3]) {
        match (self, language) {
            (Compiler::Gcc, Language::C11) => ("gcc", ["-std=c11", "-x", "c"]),
            (Compiler::Gcc, Language::Cpp17) => ("g++", ["-std=c++17", "-x", "c++"]),
            (Compiler::Clang, Language::C11) => ("clang", ["-std=c11", "-x", "c"]),
            (Compiler::Clang, Language::Cpp17) => ("clang++", ["-std=c++17", "-x", "c++"]),
        }
    }

    /// A command line for a language: the caller adds files.
    pub fn command(self, language: Language) -> Command {
        let (program, arguments) = self.tool(language);
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    /// Flags that stop the program at undefined behaviour. clang traps, as its runtime is a package of its own.
    pub fn sanitize(self) -> &'static [&'static str] {
        match self {
            Compiler::Gcc => &["-fsanitize=undefined", "-fno-sanitize-recover=all"],
            Compiler::Clang => &["-fsanitize=undefined", "-fsanitize-trap=undefined"],
        }
    }
}

/// Runs a command and gives its output.
///
/// # Panics
///
/// If it cannot be started or fails; with what it said.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| {
        panic!("{} cannot be started ({e}): `tests/run` installs it", command.get_program().to_string_lossy())
    });
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Compiles sources into a program and gives its path.
///
/// # Panics
///
/// As [`run`].
pub fn program<S: AsRef<OsStr>>(mut command: Command, sources: &[S], to: &Path) -> PathBuf {
    run(command.args(sources).arg("-o").arg(to));
    to.to_owned()
}
