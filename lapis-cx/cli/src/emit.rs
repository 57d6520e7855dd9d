//! `cxc emit` and `cxc build --emit`: the stages of the compiler as JSON.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use cxc_io::roots;
use lapis_cx::backend::File;
use lapis_cx::driver::{Effort, Outcome, Unjudged, parse};
use lapis_cx::emit::{self, Stage};
use lapis_cx::source::{FileId, SourceMap};
use lapis_cx::syntax;

use crate::options::{Color, Imports};
use crate::report::Reporter;

/// Options of `cxc emit`.
#[derive(Args)]
pub struct Options {
    /// What to print
    #[arg(value_enum, value_name = "STAGE")]
    pub stage: StageName,
    /// The spec
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Where imports are searched
    #[command(flatten)]
    pub imports: Imports,
    /// When to use colour for findings, which go to stderr
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// A [`Stage`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum StageName {
    /// The syntax tree, lossless; also of a spec with mistakes
    Ast,
    /// The contract: names resolved, types known, constants folded
    Contract,
    /// The lowered core: the program that backends print
    Core,
}

impl StageName {
    fn stage(self) -> Stage {
        match self {
            StageName::Ast => Stage::Ast,
            StageName::Contract => Stage::Contract,
            StageName::Core => Stage::Core,
        }
    }
}

/// What `cxc build --emit` writes beside what backends print unasked.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emitted {
    /// The syntax tree, lossless; also of a spec with mistakes
    Ast,
    /// The contract: names resolved, types known, constants folded
    Contract,
    /// The lowered core: the program that backends print
    Core,
    /// Both sides of libraries in another process
    Remoting,
}

impl Emitted {
    /// The stage, if it is one.
    fn stage(self) -> Option<StageName> {
        match self {
            Emitted::Ast => Some(StageName::Ast),
            Emitted::Contract => Some(StageName::Contract),
            Emitted::Core => Some(StageName::Core),
            Emitted::Remoting => None,
        }
    }

    /// The name of the backend, if it is one.
    pub fn backend(self) -> Option<&'static str> {
        (self == Emitted::Remoting).then_some("remoting")
    }
}

/// Runs `cxc emit`. Examples and laws are not run.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::for_people(options.color);
    let missing = roots::missing_folders(&options.imports.search);
    if !missing.is_empty() {
        reporter.show(missing, &SourceMap::new());
        return reporter.finish();
    }
    let (document, findings, sources) = if options.stage == StageName::Ast {
        match roots::read_root(&options.spec) {
            Ok(root) => {
                let (tree, sources, findings) = parse(root);
                (tree.as_ref().map(emit::ast), findings, sources)
            }
            Err(problem) => (None, vec![problem], SourceMap::new()),
        }
    } else {
        match roots::compile_root(&options.spec, &options.imports.search, &mut Unjudged, Effort::Build, &[]) {
            Ok(outcome) => (document(&outcome, options.stage.stage()), outcome.diagnostics, outcome.sources),
            Err(problem) => (None, vec![problem], SourceMap::new()),
        }
    };
    reporter.show(findings, &sources);
    document.iter().for_each(|document| reporter.put_out(document));
    reporter.finish()
}

/// A stage of a compilation; none if errors kept it from being reached.
fn document(outcome: &Outcome, stage: Stage) -> Option<String> {
    let contract = outcome.contract.as_ref();
    match stage {
        Stage::Ast => Some(emit::ast(&syntax::parse(&outcome.sources, FileId(0)).0)),
        Stage::Contract => contract.map(emit::contract),
        Stage::Core => contract.map(emit::core),
    }
}

/// The stages as outputs of a build, such as `emit/org.example.dsp/mulacc.core.json`. The package keeps files of one
/// name in different folders apart.
pub fn files(spec: &Path, outcome: &Outcome, emitted: &[Emitted]) -> Vec<File> {
    let stages: BTreeSet<_> = emitted.iter().filter_map(|one| one.stage()).collect();
    let package = outcome.contract.as_ref().map_or("", |contract| &contract.package);
    let stem = spec.file_stem().unwrap_or_default().to_string_lossy();
    let file = |stage: Stage| {
        let path = format!("emit/{package}/{stem}.{}.json", stage.name());
        document(outcome, stage).map(|text| File { path, text })
    };
    stages.into_iter().filter_map(|name| file(name.stage())).collect()
}
