//! Specs of the repository, compiled in memory.

use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::backend::Backend;
use lapis_cx::contract::{Contract, Interface};
use lapis_cx::diagnostic::render;
use lapis_cx::driver::{Effort, Imports, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx_backend_remoting::Remoting;

/// The folder of the shipped specs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs")
}

/// The names of the shipped specs, sorted. `std`, which is built in and abstract, is not among them.
///
/// # Panics
///
/// If the folder cannot be read.
pub fn shipped() -> Vec<String> {
    let mut names: Vec<String> = files().into_iter().map(|(name, _)| name).filter(|name| name != "std").collect();
    names.sort();
    names
}

/// Name and path of every spec in the folder.
fn files() -> Vec<(String, PathBuf)> {
    let folder = folder();
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let specs = paths.filter(|path| path.extension().is_some_and(|e| e == "cxspec"));
    specs.filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path))).collect()
}

/// Files that may be imported.
pub struct Files(pub Vec<PathBuf>);

impl Imports for Files {
    fn files(&mut self) -> Vec<SourceText> {
        self.0.iter().map(|path| read(path)).collect()
    }
}

/// A spec.
///
/// # Panics
///
/// If it cannot be read.
pub fn read(path: &Path) -> SourceText {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    SourceText { name: path.display().to_string(), bytes }
}

/// The shipped specs may import each other, and whatever is tried may import them. `std` is built in.
pub fn importable() -> Files {
    Files(files().into_iter().filter(|(name, _)| name != "std").map(|(_, path)| path).collect())
}

/// Compiles `specs/NAME.cxspec` with all backends.
///
/// # Panics
///
/// If the spec is missing or has an error.
pub fn build(name: &str) -> Outcome {
    build_text(name, read(&folder().join(format!("{name}.cxspec"))).bytes)
}

/// Remoting, with all that it can print: the shipped specs that show the whole language use more than the engine carries out.
pub static REMOTING: Remoting = Remoting::DEFAULT.printing_all();

/// Compiles the text of a spec with all backends.
///
/// # Panics
///
/// If the spec has an error.
pub fn build_text(name: &str, bytes: impl Into<Vec<u8>>) -> Outcome {
    let remoting = |backend: &&'static dyn Backend| backend.name() == REMOTING.name();
    let all = lapis_cx_backends::all().iter().copied();
    let all = all.map(|backend| if remoting(&backend) { &REMOTING as &dyn Backend } else { backend });
    build_with(name, bytes, &all.collect::<Vec<_>>())
}

/// The same with these backends.
///
/// # Panics
///
/// As there.
pub fn build_with(name: &str, bytes: impl Into<Vec<u8>>, backends: &[&dyn Backend]) -> Outcome {
    try_build(name, bytes, backends).unwrap_or_else(|shown| panic!("{shown}"))
}

/// The same; errors are given as text.
///
/// # Errors
///
/// The diagnostics, if one is an error.
pub fn try_build(name: &str, bytes: impl Into<Vec<u8>>, backends: &[&dyn Backend]) -> Result<Outcome, String> {
    let root = SourceText { name: format!("{name}.cxspec"), bytes: bytes.into() };
    let outcome = compile(root, &mut importable(), &mut NoVerdicts, Effort::Build, backends);
    let shown = render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN);
    if outcome.has_errors() { Err(shown) } else { Ok(outcome) }
}

/// Writes what the backends printed below `folder`.
///
/// # Panics
///
/// If a file cannot be written.
pub fn write(outcome: &Outcome, folder: &Path) {
    for file in &outcome.files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).unwrap_or_else(|e| panic!("{}: {e}", parent.display()));
        }
        fs::write(&path, &file.text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

/// The contract of an outcome without errors.
///
/// # Panics
///
/// If there is none.
pub fn contract(outcome: &Outcome) -> &Contract {
    outcome.contract.as_ref().unwrap_or_else(|| panic!("no contract"))
}

/// The stem of an interface's C names and files, as the C backend derives it.
pub fn stem(interface: &Interface) -> String {
    lapis_cx_backend_c::naming::Names::new(interface).stem
}
