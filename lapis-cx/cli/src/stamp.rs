//! Stamps, for build systems that go by times. An output that does not change keeps its time, so make would
//! run `cxc` again and again; the stamp beside it says when the outputs were last found to be right.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use lapis_cx::diagnostic::catalogue::driver::OUTPUT_EXISTS;
use lapis_cx::diagnostic::{Diagnostic, Severity};

use crate::{cannot_read, cannot_write, finding};

/// What stands in a stamp. Only its time counts.
const TEXT: &str = "The time of this file is when `cxc build --stamp` last found its outputs to be right.\n";

/// Writes the stamp, so that its time is now. A file that is neither a stamp nor empty is never replaced.
///
/// # Errors
///
/// What stands against it; then the file is as it was.
pub fn write(path: &Path) -> Result<(), Diagnostic> {
    match fs::read(path) {
        Ok(found) if !found.is_empty() && found != TEXT.as_bytes() => {
            let message = format!("`{}` exists and is no stamp", path.display());
            return Err(finding(&OUTPUT_EXISTS, Severity::Error, message)
                .help("give `--stamp` another name, or delete that file"));
        }
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot_read(path, error)),
        _ => {}
    }
    // The time is that of the file system, as it is for the outputs: a clock of ours may be ahead of it.
    fs::write(path, TEXT).map_err(|error| cannot_write(path, error))
}
