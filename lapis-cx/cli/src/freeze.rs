//! `cxc freeze`: writes the `contract` lines into a spec.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cxc_io::{cannot_write, outputs};
use lapis_cx::diagnostic::catalogue::contract::{NOT_FROZEN, STALE_PARTS};
use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx::driver::{Effort, NoVerdicts};
use lapis_cx::freeze;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax;

use crate::options::Freeze;
use crate::report::Reporter;
use crate::roots;

/// Runs it. A spec with errors other than the missing lines is not frozen: what does not hold should not be promised.
pub fn run(options: &Freeze) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    let search = &options.common.search;
    let missing = roots::missing_folders(search);
    if !missing.is_empty() {
        reporter.show(missing, &SourceMap::new());
        return reporter.finish();
    }
    let outcome = match roots::compile_root(&options.spec, search, &mut NoVerdicts, Effort::Build, &[]) {
        Ok(outcome) => outcome,
        Err(problem) => {
            reporter.show(vec![problem], &SourceMap::new());
            return reporter.finish();
        }
    };
    // With `--check` the missing lines are what we look for; else they are what we mend.
    let mut findings = outcome.diagnostics;
    if !options.check {
        findings.retain(|finding| finding.code != NOT_FROZEN.code && finding.code != STALE_PARTS.code);
    }
    let has_errors = findings.iter().any(|finding| finding.severity == Severity::Error);
    if let (Some(contract), Some((file, source))) = (&outcome.contract, outcome.sources.files().next())
        && !has_errors
        && !options.check
    {
        let (tree, _) = syntax::parse(&outcome.sources, file);
        match freeze::freeze(&tree, &freeze::lines(contract)) {
            Ok(text) if text != source.text() => findings.extend(save(&options.spec, &text)),
            Ok(_) => {}
            Err(refused) => findings.extend(refused),
        }
    }
    reporter.show(findings, &outcome.sources);
    reporter.finish()
}

/// Replaces the text of a spec as a whole; a link keeps pointing to it.
fn save(spec: &Path, text: &str) -> Option<Diagnostic> {
    let done = fs::canonicalize(spec).and_then(|real| {
        if fs::metadata(&real)?.permissions().readonly() {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        }
        outputs::replace(real.parent().unwrap_or(&real), &real, text)
    });
    done.err().map(|error| cannot_write(spec, error))
}
