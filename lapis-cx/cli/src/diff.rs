//! `cxc diff`: what changed between two versions, and whom that breaks.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use cxc_io::roots;
use lapis_cx::contract::Contract;
use lapis_cx::diagnostic::Severity;
use lapis_cx::diff::document::{Side, json, text};
use lapis_cx::diff::{Change, compare};
use lapis_cx::driver::{Effort, Unjudged};
use lapis_cx::source::SourceMap;

use crate::options::{Color, Imports};
use crate::report::Reporter;
use crate::together::stands_alone;

/// Options of `cxc diff`.
#[derive(Args)]
#[command(after_help = "Exit codes: 0 nothing breaks, 1 something breaks, 2 could not compare.")]
pub struct Options {
    /// The old version: a spec, or a folder of specs
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The new version
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// How the changes are shown, on stdout
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,
    /// Where imports are searched
    #[command(flatten)]
    pub imports: Imports,
    /// When to use colour for findings, which go to stderr
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// How changes are shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A list for each item, and a summary
    Human,
    /// One document, which `cxc schema diff` describes
    Json,
}

/// Runs it. A version that cannot be compiled cannot be compared; that a frozen contract changed is no mistake here, but
/// a difference.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::for_people(options.color);
    reporter.show(roots::missing_folders(&options.imports.search), &SourceMap::new());
    let old = load(&options.old, &options.imports.search, &mut reporter);
    let new = load(&options.new, &options.imports.search, &mut reporter);
    if reporter.has_errors() {
        reporter.finish();
        return ExitCode::from(2);
    }
    let changes = compare(&contracts(&old), &contracts(&new));
    let names = [options.old.display().to_string(), options.new.display().to_string()];
    let [old, new] = [(&names[0], &old), (&names[1], &new)]
        .map(|(name, roots)| Side { name, sources: roots.iter().map(|(_, sources)| sources).collect() });
    reporter.put_out(&match options.format {
        Format::Human => text(&changes, &old, &new),
        Format::Json => json(&changes, &old, &new),
    });
    let breaking = ExitCode::from(u8::from(changes.iter().any(Change::is_breaking)));
    let printed = reporter.finish();
    if printed == ExitCode::SUCCESS { breaking } else { printed }
}

type Root = (Contract, SourceMap);

fn contracts(roots: &[Root]) -> Vec<&Contract> {
    roots.iter().map(|(contract, _)| contract).collect()
}

/// The contracts of one version. Examples and laws are not run.
fn load(path: &Path, search: &[PathBuf], reporter: &mut Reporter) -> Vec<Root> {
    let (specs, problems) = roots::find(&[path.to_path_buf()]);
    reporter.show(problems, &SourceMap::new());
    let mut together = roots::together(&specs);
    let mut loaded = Vec::new();
    for spec in &specs {
        match roots::compile_root(spec, search, &mut Unjudged, Effort::Build, &[]) {
            Ok(outcome) => {
                stands_alone(&mut together, spec, &outcome, &[], reporter);
                let mut findings = outcome.diagnostics;
                findings.retain(|finding| finding.severity == Severity::Error && !finding.code.is_of_identity());
                reporter.show(findings, &outcome.sources);
                loaded.extend(outcome.contract.map(|contract| (contract, outcome.sources)));
            }
            Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
        }
    }
    loaded
}
