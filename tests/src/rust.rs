//! The Rust compiler that builds this, used on generated Rust.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::cc::run;

/// The editions that generated Rust is written in at once.
pub const EDITIONS: [&str; 2] = ["2021", "2024"];

/// `lapis-cx-core` as a library that programs of the host link.
struct Core {
    folder: tempfile::TempDir,
}

impl Core {
    /// Built once for a test program.
    fn get() -> &'static Core {
        static CORE: OnceLock<Core> = OnceLock::new();
        CORE.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("no temporary folder: {e}"));
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/core/src/lib.rs");
            let mut command = Command::new("rustc");
            command.args(["--crate-name", "lapis_cx_core", "--crate-type", "rlib", "--edition", "2024", "-O"]);
            run(command.arg(source).arg("--out-dir").arg(folder.path()));
            Core { folder }
        })
    }
}

/// A command line of `program`, which takes what rustc takes, for a crate that uses generated modules: the caller adds a
/// file.
pub fn command(program: &str, edition: &str) -> Command {
    let folder = Core::get().folder.path();
    let mut command = Command::new(program);
    // As cargo does: a `cfg` that is not one of these is warned about.
    command.args(["--edition", edition, "-Dwarnings", "--check-cfg=cfg(docsrs,test)", "--extern"]);
    command.arg(format!("lapis_cx_core={}", folder.join("liblapis_cx_core.rlib").display()));
    command
}

/// Compiles a program and gives its path.
///
/// # Panics
///
/// As [`run`].
pub fn program(mut command: Command, source: &Path, to: &Path) -> PathBuf {
    run(command.arg(source).arg("-o").arg(to));
    to.to_owned()
}
