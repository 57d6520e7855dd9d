//! From specs to files, in memory but for reading.

use std::path::{Path, PathBuf};

use cxc_io::choose::choose;
use cxc_io::roots;
use cxc_io::verdicts::VerdictFile;
use lapis_cx::backend::File;
use lapis_cx::driver::Effort;
use lapis_cx::source::SourceMap;

use crate::findings::Findings;
use crate::{Build, Error};

/// What the specs came to.
#[derive(Debug, Default)]
pub struct Built {
    /// One for each root, in the order in which they were named.
    pub specs: Vec<Spec>,
    /// Warnings, a line each.
    pub warnings: Vec<String>,
}

/// A root.
#[derive(Debug)]
pub struct Spec {
    /// Its path.
    pub root: PathBuf,
    /// The root and what it imports.
    pub read: Vec<PathBuf>,
    /// What the backends printed.
    pub files: Vec<File>,
}

/// Compiles the specs. What was proved about them before is remembered below `out_dir`.
///
/// # Errors
///
/// All errors, with the warnings.
pub fn compile(build: &Build, out_dir: &Path) -> Result<Built, Error> {
    if build.specs.is_empty() {
        return Err(Error::new("there is nothing to build: name a spec with `Build::spec`"));
    }
    let backends = build.backends();
    // One that runs only when it is asked for is: then all are named.
    let is_asked_for = backends.iter().any(|backend| !backend.is_default());
    let names = backends.iter().filter(|_| is_asked_for).map(|backend| backend.name().to_owned());
    let names: Vec<String> = names.collect();
    let chosen = choose(&backends, &names, &build.options).map_err(|finding| Error::of_findings(vec![finding]))?;
    let mut findings = Findings::default();
    findings.add(&roots::missing_folders(&build.import_dirs), &SourceMap::new());
    let (paths, problems) = roots::find(&build.specs);
    findings.add(&problems, &SourceMap::new());
    let mut together = roots::together(&paths);
    let mut specs = Vec::new();
    for root in paths {
        let mut verdicts = VerdictFile::of(out_dir);
        let search = &build.import_dirs;
        match roots::compile_root(&root, search, &mut verdicts, Effort::Build, &chosen.list()) {
            Ok(outcome) => {
                verdicts.save();
                findings.add(&outcome.diagnostics, &outcome.sources);
                if let Some(together) = &mut together {
                    let name = root.display().to_string();
                    let clashes = together.add(&name, &outcome.sources, outcome.contract.as_ref(), &chosen.list());
                    findings.add(&clashes, together.sources());
                }
                let read = std::iter::once(root.clone()).chain(roots::imported(&outcome)).collect();
                specs.push(Spec { root, read, files: outcome.files });
            }
            Err(problem) => findings.add(&[problem], &SourceMap::new()),
        }
    }
    findings.finish().map(|warnings| Built { specs, warnings })
}
