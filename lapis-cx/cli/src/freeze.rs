//! `cxc freeze`: writes the `contract` lines into a spec.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use cxc_io::roots;
use lapis_cx::diagnostic::Severity;
use lapis_cx::diagnostic::catalogue::contract::{NOT_FROZEN, STALE_PARTS};
use lapis_cx::driver::{Effort, NoVerdicts};
use lapis_cx::freeze;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{self, Kind, Tree};

use crate::options::Common;
use crate::report::Reporter;

/// Options of `cxc freeze`.
#[derive(Args)]
pub struct Options {
    /// The spec to write the lines into
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Write nothing; exit with 1 if a line is missing
    #[arg(long)]
    pub check: bool,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// Runs it. A spec with errors other than the missing lines is not frozen: what does not hold should not be promised.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    let search = &options.common.imports.search;
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
    let mut done = None;
    let has_errors = findings.iter().any(|finding| finding.severity == Severity::Error);
    if let (Some(contract), Some((file, source))) = (&outcome.contract, outcome.sources.files().next())
        && !has_errors
    {
        let (tree, _) = syntax::parse(&outcome.sources, file);
        let lines = freeze::lines(contract);
        match freeze::freeze(&tree, &lines) {
            Ok(text) if text != source.text() && !options.check => match roots::replace(&options.spec, &text) {
                None => done = Some(format!("froze {}: {}", options.spec.display(), states(&tree, &lines))),
                failed => findings.extend(failed),
            },
            Ok(_) => {
                done = Some(format!("nothing to freeze in {}: {}", options.spec.display(), states(&tree, &lines)));
            }
            Err(refused) => findings.extend(refused),
        }
    }
    reporter.show(findings, &outcome.sources);
    done.iter().for_each(|line| reporter.say(line));
    reporter.finish()
}

/// How each interface of the file as it was before stands to freezing.
fn states(tree: &Tree, lines: &BTreeMap<String, String>) -> String {
    let interfaces = tree.root().children_of(Kind::interface);
    let states = interfaces.filter_map(|interface| {
        let name = interface.name().text();
        let is = |keyword| interface.children_of(Kind::modifier).any(|modifier| modifier.has(keyword));
        if is(Kind::kw_abstract) {
            return Some(format!("`{name}` is abstract; those that take it over are frozen"));
        }
        let line = lines.get(name)?;
        let is_draft = is(Kind::kw_draft);
        let has_literal = interface.child(Kind::uuid_clause).is_some_and(|clause| clause.has(Kind::string));
        Some(match interface.child(Kind::contract_clause) {
            Some(clause) if clause.text().contains(line.as_str()) => format!("`{name}` is frozen already"),
            Some(_) => format!("the line of `{name}` is complete again"),
            None if is_draft => format!("`{name}` is a draft; remove `draft` once its meaning is final"),
            None if !interface.has(Kind::uuid_clause) => {
                format!("`{name}` has no UUID, and a contract is frozen to one; an xintf id does not name a contract")
            }
            None if !has_literal => {
                format!("`{name}` has no literal UUID; write `uuid \"…\";` with what `uuidgen` prints")
            }
            None => format!("`{name}` is frozen now"),
        })
    });
    let states: Vec<_> = states.collect();
    if states.is_empty() { "it holds no interface".to_owned() } else { states.join(", ") }
}
