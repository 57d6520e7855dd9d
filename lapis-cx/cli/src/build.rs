//! `cxc build`: compiles each spec and writes its outputs. A spec with errors keeps the outputs it had.

use std::path::Path;
use std::process::ExitCode;

use cxc_io::finding;
use cxc_io::outputs::{self, Edited, Report};
use cxc_io::verdicts::VerdictFile;
use lapis_cx::backend::Backend;
use lapis_cx::diagnostic::catalogue::driver::UNKNOWN_BACKEND;
use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx::driver::Effort;
use lapis_cx::source::SourceMap;

use crate::options::Build;
use crate::report::{Reporter, count};
use crate::roots;

/// Runs it.
pub fn run(options: &Build) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    match (choose(&options.backends), roots::missing_folders(&options.common.search)) {
        (Ok(backends), missing) if missing.is_empty() => {
            for spec in roots::distinct(&options.specs) {
                build(spec, options, &backends, &mut reporter);
            }
        }
        (chosen, mut problems) => {
            problems.extend(chosen.err());
            reporter.show(problems, &SourceMap::new());
        }
    }
    reporter.finish()
}

fn build(spec: &Path, options: &Build, backends: &[&dyn Backend], reporter: &mut Reporter) {
    let mut verdicts = VerdictFile::of(&options.out_dir);
    let compiled = roots::compile_root(spec, &options.common.search, &mut verdicts, Effort::Build, backends);
    let outcome = match compiled {
        Ok(outcome) => outcome,
        Err(problem) => return reporter.show(vec![problem], &SourceMap::new()),
    };
    verdicts.save();
    let has_errors = outcome.has_errors();
    reporter.show(outcome.diagnostics, &outcome.sources);
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
