//! `cxc check`: runs everything that `build` checks for any backend, and the laws harder. Writes nothing.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use cxc_io::roots;
use lapis_cx::contract::{Contract, Interface, Section};
use lapis_cx::driver::{Effort, NoVerdicts};
use lapis_cx::source::{SourceMap, Span};

use crate::c_side;
use crate::options::Common;
use crate::report::{Reporter, count};
use crate::together::stands_alone;

/// Options of `cxc check`.
#[derive(Args)]
pub struct Options {
    /// Specs to check; of a folder, all `.cxspec` files in it and below
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// Random vectors for each law and register width
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub vectors: u32,
    /// What to check on the C side of libraries
    #[command(flatten)]
    pub c_side: c_side::CSide,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    round(options, &mut reporter);
    reporter.finish()
}

/// Runs it once.
pub fn round(options: &Options, reporter: &mut Reporter) {
    let missing = roots::missing_folders(&options.common.imports.search);
    if !missing.is_empty() {
        return reporter.show(missing, &SourceMap::new());
    }
    let effort = Effort::Check { vectors: options.vectors };
    let (specs, problems) = roots::find(&options.specs);
    reporter.show(problems, &SourceMap::new());
    let mut together = roots::together(&specs);
    let backends = lapis_cx_backends::unasked();
    reporter.begin(specs.len());
    for spec in &specs {
        reporter.step(spec);
        match roots::compile_root(spec, &options.common.imports.search, &mut NoVerdicts, effort, &backends) {
            Ok(mut outcome) => {
                if let (Some(contract), false) = (&outcome.contract, outcome.has_errors()) {
                    outcome.diagnostics.extend(c_side::check(&options.c_side, spec, contract));
                }
                let is_alone = stands_alone(&mut together, spec, &outcome, &backends, reporter);
                let is_good = is_alone && !outcome.has_errors();
                let done = is_good.then(|| done(spec, outcome.contract.as_ref()));
                reporter.show(outcome.diagnostics, &outcome.sources);
                done.iter().for_each(|line| reporter.say(line));
            }
            Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
        }
    }
}

/// What was checked, such as `checked a.cxspec: 1 interface, 2 examples, 1 law`.
fn done(spec: &Path, contract: Option<&Contract>) -> String {
    let interfaces: Vec<&Interface> = contract.into_iter().flat_map(Contract::interfaces).collect();
    let sections = || contract.into_iter().flat_map(Contract::sections);
    // The sections of two XLENs hold the same ones, and heirs those of their bases.
    let distinct = |spans: fn(&Section) -> Vec<Span>| sections().flat_map(spans).collect::<HashSet<_>>().len();
    let examples = distinct(|section| section.examples.iter().map(|example| example.span).collect());
    let laws = distinct(|section| section.laws.iter().map(|law| law.span).collect());
    let (mut platforms, mut libraries) = (0, 0);
    if let Some(contract) = contract {
        (platforms, libraries) = (contract.platforms().count(), contract.libraries().count());
    }
    let mut parts = Vec::new();
    // A file of a machine or an API alone says nothing of interfaces.
    if !interfaces.is_empty() || platforms + libraries == 0 {
        parts.extend([count(interfaces.len(), "interface"), count(examples, "example"), count(laws, "law")]);
    }
    if platforms > 0 {
        parts.push(count(platforms, "platform"));
    }
    match libraries {
        0 => {}
        1 => parts.push("1 library".to_owned()),
        n => parts.push(format!("{n} libraries")),
    }
    format!("checked {}: {}", spec.display(), parts.join(", "))
}
