//! The IO around the compiler: reading imports, writing outputs, remembering verdicts.
//!
//! The command `cxc` and build scripts share it. Whatever goes wrong here becomes a
//! [`Diagnostic`] without a place in a file, so that callers have one way to report.

pub mod choose;
pub mod depfile;
pub mod imports;
pub mod outputs;
pub mod roots;
pub mod stamp;
pub mod verdicts;

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use lapis_cx::diagnostic::catalogue::driver;
use lapis_cx::diagnostic::{Diagnostic, Entry, Severity};

/// A finding about the world, not about a place in a file.
pub fn finding(entry: &'static Entry, severity: Severity, message: impl Into<String>) -> Diagnostic {
    Diagnostic { code: entry.code, severity, message: message.into(), labels: Vec::new(), help: None, note: None }
}

/// Whether a finding says that the work could not be done at all, in contrast to a fault in a spec or its outputs.
pub fn could_not_run(diagnostic: &Diagnostic) -> bool {
    let codes = [&driver::CANNOT_READ, &driver::CANNOT_WRITE, &driver::UNKNOWN_BACKEND, &driver::BAD_OPTION]
        .map(|entry| entry.code);
    diagnostic.severity == Severity::Error && codes.contains(&diagnostic.code)
}

/// An error that `path` cannot be read.
pub fn cannot_read(path: &Path, why: impl Display) -> Diagnostic {
    finding(&driver::CANNOT_READ, Severity::Error, format!("cannot read `{}`: {why}", path.display()))
}

/// An error that `path` cannot be written.
pub fn cannot_write(path: &Path, why: impl Display) -> Diagnostic {
    finding(&driver::CANNOT_WRITE, Severity::Error, format!("cannot write `{}`: {why}", path.display()))
}

/// Specs are written by people: a larger file is something else, such as a device that never ends.
const LARGEST_SPEC: u64 = 64 << 20;

/// The bytes of a spec.
///
/// # Errors
///
/// What the file system says, or that the file is larger than 64 MiB.
pub fn read_spec(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_SPEC + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_SPEC {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 64 MiB, the most for a spec"));
    }
    Ok(bytes)
}
