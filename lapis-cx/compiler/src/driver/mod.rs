//! The pipeline: text → tree → contract → core → backends → files, as one line.

mod capability_check;
mod identities;
mod judge;
mod parallel;
mod print;
mod sources;
pub mod together;

use crate::analyze::world::World;
use crate::analyze::{analyze, imported_identities};
use crate::backend::{Backend, File};
use crate::contract::Contract;
use crate::diagnostic::catalogue::driver as codes;
use crate::diagnostic::catalogue::names::UNKNOWN_PACKAGE;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::plan::check_library;
use crate::source::SourceMap;
use crate::syntax::Tree;
use judge::judge;

/// A source file as the caller read it.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The name shown to people, usually the path they gave.
    pub name: String,
    /// Contents; bytes that are not UTF-8 become a diagnostic.
    pub bytes: Vec<u8>,
}

/// Where imports come from. `cx.std` and the standard fallbacks are built in.
pub trait Imports {
    /// Every `.cxspec` file of the root's folder and of the search path. Asked at most once, and only if the root
    /// imports a package that is not built in.
    fn files(&mut self) -> Vec<SourceText>;

    /// Whether a source file of C that a library names is there. `path` is relative to the folder of the root.
    fn has_source(&mut self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// The folders that [`files`](Self::files) looks into, as people know them.
    fn folders(&self) -> Vec<String> {
        Vec::new()
    }
}

/// No search path.
pub struct NoImports;

impl Imports for NoImports {
    fn files(&mut self) -> Vec<SourceText> {
        Vec::new()
    }
}

/// How much the oracle runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Examples, and at most 64 vectors a law: what `build` does.
    Build,
    /// Examples, and laws on all edge values and this many random vectors: what `check` does.
    Check {
        /// Random vectors for each law and XLEN.
        vectors: u32,
    },
}

/// Remembers which examples and laws have passed, by a key that covers all they depend on.
pub trait Verdicts {
    /// Whether this key has passed before.
    fn passed(&mut self, key: &str) -> bool;
    /// This key has passed now.
    fn record(&mut self, key: &str);
}

/// Remembers nothing.
pub struct NoVerdicts;

impl Verdicts for NoVerdicts {
    fn passed(&mut self, _key: &str) -> bool {
        false
    }
    fn record(&mut self, _key: &str) {}
}

/// Takes everything as passed: no example and no law runs.
pub struct Unjudged;

impl Verdicts for Unjudged {
    fn passed(&mut self, _key: &str) -> bool {
        true
    }
    fn record(&mut self, _key: &str) {}
}

/// What came out.
#[derive(Debug, Default)]
pub struct Outcome {
    /// All files that were read, for rendering.
    pub sources: SourceMap,
    /// Findings in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The contract, unless errors left it incomplete. Findings about its identity (CX05xx) do not: `cxc freeze` needs
    /// the contract of an interface that is not frozen yet.
    pub contract: Option<Contract>,
    /// Files to write; empty if there were errors.
    pub files: Vec<File>,
}

impl Outcome {
    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether errors left the contract incomplete; findings about its identity do not.
    fn is_incomplete(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error && !d.code.is_of_identity())
    }
}

/// Reads one file, and nothing that it imports. There is no tree of a file that is not text.
pub fn parse(file: SourceText) -> (Option<Tree>, SourceMap, Vec<Diagnostic>) {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Vec::new());
    let tree = sources::parse(file, &mut sources, &mut diagnostics);
    let is_text = diagnostics.iter().all(|d| d.code != codes::NOT_UTF8.code);
    (is_text.then_some(tree), sources, diagnostics)
}

/// A root of fewer bytes is done before threads have started.
const SMALL: usize = 16 * 1024;

/// Compiles one root file.
///
/// With [`Effort::Check`] nothing is printed: `backends` are those whose names must not collide, and what one of them
/// cannot print is only a note.
pub fn compile(
    root: SourceText,
    imports: &mut dyn Imports,
    verdicts: &mut dyn Verdicts,
    effort: Effort,
    backends: &[&dyn Backend],
) -> Outcome {
    let mut outcome = Outcome::default();
    let workers = parallel::workers(root.bytes.len() < SMALL);
    let Outcome { sources, diagnostics, .. } = &mut outcome;
    let (trees, elsewhere) = sources::load(root, imports, sources, diagnostics);
    let world = World::new(&trees, elsewhere, diagnostics);
    name_folders(&imports.folders(), diagnostics);
    let contract = analyze(&world, diagnostics);
    if !outcome.is_incomplete() {
        outcome.diagnostics.extend(identities::clashes(&contract, &imported_identities(&world)));
        outcome.diagnostics.extend(contract.libraries().flat_map(check_library));
        outcome.diagnostics.extend(judge(&contract, effort, verdicts));
        outcome.diagnostics.extend(capability_check::check(&contract, backends, effort, workers));
        if effort == Effort::Build {
            outcome.diagnostics.extend(capability_check::missing_sources(&contract, backends, imports));
        }
        if !outcome.has_errors() && !backends.is_empty() && effort == Effort::Build {
            match print::print(&contract, backends, workers) {
                Ok(files) => outcome.files = files,
                Err(defects) => outcome.diagnostics.extend(defects),
            }
        }
        outcome.contract = Some(contract);
    }
    if outcome.has_errors() {
        outcome.files.clear();
    }
    outcome.diagnostics.sort_by_key(|d| d.span().map(|s| (s.file, s.start)));
    outcome
}

/// Says with each package that was not found where it was looked for.
fn name_folders(folders: &[String], diagnostics: &mut [Diagnostic]) {
    if folders.is_empty() {
        return;
    }
    let names: Vec<_> = folders.iter().map(|folder| format!("`{folder}`")).collect();
    for diagnostic in diagnostics.iter_mut().filter(|d| d.code == UNKNOWN_PACKAGE.code && d.note.is_none()) {
        diagnostic.note = Some(format!("searched in {}", names.join(", ")));
    }
}
