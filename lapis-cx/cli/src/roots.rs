//! Finding root specs, reading them and running the compiler on them.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use lapis_cx::backend::Backend;
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::driver::together::Together;
use lapis_cx::driver::{Effort, Outcome, SourceText, Verdicts, compile};

use crate::imports::Folders;
use crate::{cannot_read, cannot_write, outputs, read_spec};

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

/// The files that the imports of a root led to, in the order in which they were read; none of those that are built in.
pub fn imported(outcome: &Outcome) -> Vec<PathBuf> {
    let names = outcome.sources.files().skip(1).map(|(_, file)| file.name());
    names.filter(|name| !name.starts_with("<built in>/")).map(PathBuf::from).collect()
}

/// Reads a root.
///
/// # Errors
///
/// It cannot be read.
pub fn read_root(spec: &Path) -> Result<SourceText, Diagnostic> {
    if spec.is_dir() {
        return Err(cannot_read(spec, "it is a folder").help("name one `.cxspec` file"));
    }
    let bytes = read_spec(spec).map_err(|error| cannot_read(spec, error))?;
    Ok(SourceText { name: spec.display().to_string(), bytes })
}

/// Replaces the text of a spec as a whole; a link keeps pointing to it. A finding if that cannot be done, and then the spec
/// is as it was.
pub fn replace(spec: &Path, text: &str) -> Option<Diagnostic> {
    let done = fs::canonicalize(spec).and_then(|real| {
        if fs::metadata(&real)?.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        outputs::replace_beside(&real, text)
    });
    done.err().map(|error| cannot_write(spec, error))
}

/// The root specs that paths name: a file as it is, of a folder all `.cxspec` files in it and below, sorted. No file
/// comes twice. What cannot be listed comes as findings.
pub fn find(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let (mut roots, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            roots.push(path.clone());
            continue;
        }
        match below(path, "cxspec") {
            Ok(found) if found.is_empty() => problems.push(cannot_read(path, "there is no `.cxspec` file in it")),
            Ok(found) => roots.extend(found),
            Err((folder, error)) => problems.push(cannot_read(&folder, error)),
        }
    }
    let mut seen = HashSet::new();
    roots.retain(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    (roots, problems)
}

/// What several roots say together; nothing for one, which is not parsed again for it.
pub fn together(roots: &[PathBuf]) -> Option<Together> {
    (roots.len() > 1).then(Together::new)
}

/// The files with this ending in a folder and below. Hidden folders are not entered, nor links to folders, which may lead back.
///
/// # Errors
///
/// A folder that cannot be listed, and why.
pub fn below(top: &Path, ending: &str) -> Result<BTreeSet<PathBuf>, (PathBuf, io::Error)> {
    let mut found = BTreeSet::new();
    let mut folders = vec![if top == Path::new(".") { PathBuf::new() } else { top.to_path_buf() }];
    while let Some(folder) = folders.pop() {
        let to_read = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let failed = |error| (to_read.to_path_buf(), error);
        for entry in fs::read_dir(to_read).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = folder.join(entry.file_name());
            if entry.file_type().map_err(failed)?.is_dir() {
                if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                    folders.push(path);
                }
            } else if path.extension() == Some(OsStr::new(ending)) && path.is_file() {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

/// The folders of `-I` that are none, as findings.
pub fn missing_folders(search: &[PathBuf]) -> Vec<Diagnostic> {
    let is_none = search.iter().filter(|folder| !folder.is_dir());
    let why = |folder: &Path| if folder.exists() { "it is not a folder" } else { "no such folder" };
    is_none.map(|folder| cannot_read(folder, why(folder))).collect()
}
