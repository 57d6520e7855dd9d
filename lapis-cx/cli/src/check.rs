//! `cxc check`: runs everything that `build` checks, and the laws harder. Writes nothing.

use std::process::ExitCode;

use lapis_cx::driver::{Effort, NoVerdicts};
use lapis_cx::source::SourceMap;

use crate::options::Check;
use crate::report::Reporter;
use crate::roots;

/// Runs it.
pub fn run(options: &Check) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    let missing = roots::missing_folders(&options.common.search);
    if !missing.is_empty() {
        reporter.show(missing, &SourceMap::new());
        return reporter.finish();
    }
    let effort = Effort::Check { vectors: options.vectors };
    for spec in roots::distinct(&options.specs) {
        match roots::compile_root(spec, &options.common.search, &mut NoVerdicts, effort, &[]) {
            Ok(outcome) => reporter.show(outcome.diagnostics, &outcome.sources),
            Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
        }
    }
    reporter.finish()
}
