//! `cxc check`: runs everything that `build` checks, and the laws harder. Writes nothing.

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

use lapis_cx::contract::{Contract, Interface, Section};
use lapis_cx::driver::{Effort, NoVerdicts};
use lapis_cx::source::{SourceMap, Span};

use crate::options::Check;
use crate::report::{Reporter, count};
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
            Ok(outcome) => {
                let done = (!outcome.has_errors()).then(|| done(spec, outcome.contract.as_ref()));
                reporter.show(outcome.diagnostics, &outcome.sources);
                done.iter().for_each(|line| reporter.say(line));
            }
            Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
        }
    }
    reporter.finish()
}

/// What was checked, such as `checked a.cxspec: 1 interface, 2 examples, 1 law`.
fn done(spec: &Path, contract: Option<&Contract>) -> String {
    let interfaces: Vec<&Interface> = contract.into_iter().flat_map(Contract::interfaces).collect();
    let sections = || contract.into_iter().flat_map(Contract::sections);
    // The sections of two XLENs hold the same ones, and heirs those of their bases.
    let distinct = |spans: fn(&Section) -> Vec<Span>| sections().flat_map(spans).collect::<HashSet<_>>().len();
    let examples = distinct(|section| section.examples.iter().map(|example| example.span).collect());
    let laws = distinct(|section| section.laws.iter().map(|law| law.span).collect());
    let mut line = format!(
        "checked {}: {}, {}, {}",
        spec.display(),
        count(interfaces.len(), "interface"),
        count(examples, "example"),
        count(laws, "law")
    );
    match contract.map_or(0, |contract| contract.platforms().count()) {
        0 => {}
        platforms => line += &format!(", {}", count(platforms, "platform")),
    }
    line
}
