//! `cxc build`: compiles each spec and writes its outputs. A spec with errors keeps the outputs it had.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use cxc_io::finding;
use cxc_io::outputs::{self, Edited, Report};
use cxc_io::verdicts::VerdictFile;
use lapis_cx::backend::Backend;
use lapis_cx::diagnostic::catalogue::driver::UNKNOWN_BACKEND;
use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx::driver::Effort;
use lapis_cx::driver::together::Together;
use lapis_cx::source::SourceMap;

use crate::emit::{self, StageName};
use crate::options::Common;
use crate::report::{Reporter, count};
use crate::roots;

/// Options of `cxc build`.
#[derive(Args)]
pub struct Options {
    /// Specs to build; of a folder, all `.cxspec` files in it and below
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// The folder to write into; it holds what the last build of each spec wrote
    #[arg(long, value_name = "DIR")]
    pub out_dir: PathBuf,
    /// Run only this backend; may be given again
    #[arg(long = "backend", value_name = "NAME")]
    pub backends: Vec<String>,
    /// Write these stages as JSON too, below `emit/`: the syntax tree, the contract, the lowered core
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STAGE")]
    pub emit: Vec<StageName>,
    /// Overwrite outputs that were edited since the last build
    #[arg(long)]
    pub force: bool,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    match (choose(&options.backends), roots::missing_folders(&options.common.imports.search)) {
        (Ok(backends), missing) if missing.is_empty() => {
            let (specs, problems) = roots::find(&options.specs);
            reporter.show(problems, &SourceMap::new());
            let mut together = Together::new();
            for spec in &specs {
                build(spec, options, &backends, &mut together, &mut reporter);
            }
        }
        (chosen, mut problems) => {
            problems.extend(chosen.err());
            reporter.show(problems, &SourceMap::new());
        }
    }
    reporter.finish()
}

fn build(spec: &Path, options: &Options, backends: &[&dyn Backend], together: &mut Together, reporter: &mut Reporter) {
    let mut verdicts = VerdictFile::of(&options.out_dir);
    let compiled = roots::compile_root(spec, &options.common.imports.search, &mut verdicts, Effort::Build, backends);
    let mut outcome = match compiled {
        Ok(outcome) => outcome,
        Err(problem) => return reporter.show(vec![problem], &SourceMap::new()),
    };
    verdicts.save();
    let clashes = together.add(&spec.display().to_string(), &outcome.sources, outcome.contract.as_ref());
    let has_errors = outcome.has_errors() || !clashes.is_empty();
    if !has_errors {
        outcome.files.extend(emit::files(spec, &outcome, &options.emit));
    }
    reporter.show(outcome.diagnostics, &outcome.sources);
    reporter.show(clashes, together.sources());
    if !has_errors {
        let edited = if options.force { Edited::Overwrite } else { Edited::Refuse };
        match outputs::write(&options.out_dir, spec, &outcome.files, edited) {
            Ok(report) => {
                let line = done(spec, outcome.files.len(), &report);
                reporter.show(report.warnings, &outcome.sources);
                reporter.say(&line);
            }
            Err(problems) => reporter.show(problems, &outcome.sources),
        }
    }
}

/// What was built, such as `built a.cxspec: 2 files, 1 written`.
fn done(spec: &Path, files: usize, report: &Report) -> String {
    let mut line = format!("built {}: {}", spec.display(), count(files, "file"));
    for (paths, what) in [(&report.written, "written"), (&report.deleted, "deleted")] {
        if !paths.is_empty() {
            line += &format!(", {} {what}", paths.len());
        }
    }
    if report.written.is_empty() && report.deleted.is_empty() {
        line += ", nothing changed";
    }
    line
}

/// The backends of these names, each once; all of them for no name.
fn choose(names: &[String]) -> Result<Vec<&'static dyn Backend>, Diagnostic> {
    let all = lapis_cx_backends::all();
    if let Some(unknown) = names.iter().find(|name| lapis_cx_backends::by_name(name).is_none()) {
        let known: Vec<_> = all.iter().map(|backend| format!("`{}`", backend.name())).collect();
        return Err(finding(&UNKNOWN_BACKEND, Severity::Error, format!("there is no backend `{unknown}`"))
            .help(format!("the backends are {}", known.join(", "))));
    }
    let is_chosen = |backend: &&dyn Backend| names.is_empty() || names.iter().any(|name| name == backend.name());
    Ok(all.iter().copied().filter(is_chosen).collect())
}
