//! Reading a root spec and running the compiler on it.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use cxc_io::imports::Folders;
use cxc_io::{cannot_read, read_spec};
use lapis_cx::backend::Backend;
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::driver::{Effort, Outcome, SourceText, Verdicts, compile};

/// Compiles one root. Findings of the search for imports come first.
///
/// # Errors
///
/// The root cannot be read.
pub fn compile_root(
    spec: &Path,
    search: &[PathBuf],
    verdicts: &mut dyn Verdicts,
    effort: Effort,
    backends: &[&dyn Backend],
) -> Result<Outcome, Diagnostic> {
    let root = read_root(spec)?;
    let mut imports = Folders::new(spec, search);
    let mut outcome = compile(root, &mut imports, verdicts, effort, backends);
    outcome.diagnostics.splice(0..0, imports.into_findings());
    Ok(outcome)
}

/// Reads a root.
///
/// # Errors
///
/// It cannot be read.
pub fn read_root(spec: &Path) -> Result<SourceText, Diagnostic> {
    if spec.is_dir() {
        return Err(cannot_read(spec, "it is a folder").help("name a `.cxspec` file"));
    }
    let bytes = read_spec(spec).map_err(|error| cannot_read(spec, error))?;
    Ok(SourceText { name: spec.display().to_string(), bytes })
}

/// The specs without those that are the same file as an earlier one.
pub fn distinct(specs: &[PathBuf]) -> Vec<&Path> {
    let mut seen = HashSet::new();
    let mut is_new = |path: &Path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()));
    specs.iter().map(PathBuf::as_path).filter(|path| is_new(path)).collect()
}

/// The folders of `-I` that are none, as findings.
pub fn missing_folders(search: &[PathBuf]) -> Vec<Diagnostic> {
    let is_none = search.iter().filter(|folder| !folder.is_dir());
    let why = |folder: &Path| if folder.exists() { "it is not a folder" } else { "no such folder" };
    is_none.map(|folder| cannot_read(folder, why(folder))).collect()
}
