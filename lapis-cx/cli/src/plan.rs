//! `cxc plan`: how calls of a library are marshalled, for people.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use cxc_io::roots;
use lapis_cx::contract::Contract;
use lapis_cx::driver::{Effort, Unjudged};
use lapis_cx::lower::plan;
use lapis_cx::source::SourceMap;

use crate::options::{Color, Imports};
use crate::report::{Reporter, print};

/// Options of `cxc plan`.
#[derive(Args)]
pub struct Options {
    /// The spec
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Functions and callbacks to show; all, if none is named
    #[arg(value_name = "FUNCTION")]
    pub functions: Vec<String>,
    /// Where imports are searched
    #[command(flatten)]
    pub imports: Imports,
    /// When to use colour for findings, which go to stderr
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// Runs it. Examples and laws are not run.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::for_people(options.color);
    let missing = roots::missing_folders(&options.imports.search);
    if !missing.is_empty() {
        reporter.show(missing, &SourceMap::new());
        return reporter.finish();
    }
    let (shown, findings, sources) =
        match roots::compile_root(&options.spec, &options.imports.search, &mut Unjudged, Effort::Build, &[]) {
            Ok(outcome) => (outcome.contract.as_ref().map(plans), outcome.diagnostics, outcome.sources),
            Err(problem) => (None, vec![problem], SourceMap::new()),
        };
    reporter.show(findings, &sources);
    let Some(plans) = shown else { return reporter.finish() };
    let named = |name: &String| options.functions.is_empty() || options.functions.contains(name);
    let texts: Vec<&str> = plans.iter().filter(|(name, _)| named(name)).map(|(_, text)| text.as_str()).collect();
    if !texts.is_empty() {
        reporter.put_out(&texts.join("\n"));
    }
    let is_there = |name: &&String| plans.iter().any(|(known, _)| known == *name);
    if let Some(unknown) = options.functions.iter().find(|name| !is_there(name)) {
        let code = reporter.finish();
        let spec = options.spec.display();
        print(&mut io::stderr(), &format!("no library of {spec} has a function or callback `{unknown}`\n"));
        return if code == ExitCode::SUCCESS { ExitCode::from(2) } else { code };
    }
    reporter.finish()
}

/// The name of each function and callback, and its plan as text.
fn plans(contract: &Contract) -> Vec<(String, String)> {
    let mut plans = Vec::new();
    for library in contract.libraries() {
        let plan = plan::plan_library(library);
        let functions = library.functions.iter().zip(&plan.functions);
        for (function, call) in functions {
            let text = match call {
                Some(call) => plan::describe(library, &plan, function, call),
                None => format!("{}\n  runs in the caller\n", function.name),
            };
            plans.push((function.name.clone(), text));
        }
        let callbacks = library.callbacks.iter().zip(&plan.callbacks);
        plans.extend(callbacks.map(|(f, call)| (f.name.clone(), plan::describe(library, &plan, f, call))));
    }
    plans
}
