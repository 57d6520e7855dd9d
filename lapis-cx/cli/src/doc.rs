//! `cxc doc`: writes documentation of specs, and of pages of prose beside them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use cxc_io::cannot_read;
use cxc_io::outputs::{self, Edited};
use cxc_io::roots;
use cxc_io::verdicts::VerdictFile;
use lapis_cx::contract::{Contract, Item};
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::diagnostic::catalogue::driver::BACKEND_DEFECT;
use lapis_cx::driver::{Effort, Outcome};
use lapis_cx::source::SourceMap;
use lapis_cx_backend_docs::{Format, Guide, Input, Spec, print};

use crate::options::Common;
use crate::report::{Reporter, count};
use crate::together::stands_alone;

/// Options of `cxc doc`.
#[derive(Args)]
pub struct Options {
    /// Specs to document; of a folder, all `.cxspec` files in it and below
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// The folder to write into; it holds what the last run wrote
    #[arg(long, value_name = "DIR")]
    pub out_dir: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = FormatName::Html, value_name = "FORMAT")]
    pub format: FormatName,
    /// A page of Markdown to show as well; of a folder, all `.md` files in it and below; may be given again
    #[arg(long = "page", value_name = "FILE")]
    pub pages: Vec<PathBuf>,
    /// The title of the whole [default: the name of the item or package, if there is one only]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Overwrite outputs that were edited since the last run
    #[arg(long)]
    pub force: bool,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// What documentation can be written as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// A static site, which needs no server and no network
    Html,
    /// Markdown, with drawings as SVG files
    Markdown,
    /// AsciiDoc, with WaveDrom blocks as in the documents of RISC-V
    #[value(name = "asciidoc")]
    AsciiDoc,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    let (specs, mut problems) = roots::find(&options.specs);
    problems.extend(roots::missing_folders(&options.common.imports.search));
    let mut guides = Vec::new();
    for page in &options.pages {
        match read_pages(page) {
            Ok(found) => guides.extend(found),
            Err(problem) => problems.push(problem),
        }
    }
    reporter.show(problems, &SourceMap::new());
    let compiled = compile(options, &specs, &mut reporter);
    if !reporter.has_errors() {
        write(options, &compiled, &guides, &mut reporter);
    }
    reporter.finish()
}

/// A spec without findings: its name, and what came out of it.
type Compiled = (String, Outcome);

fn compile(options: &Options, specs: &[PathBuf], reporter: &mut Reporter) -> Vec<Compiled> {
    let mut verdicts = VerdictFile::of(&options.out_dir);
    let mut together = roots::together(specs);
    let mut compiled = Vec::new();
    for spec in specs {
        let search = &options.common.imports.search;
        match roots::compile_root(spec, search, &mut verdicts, Effort::Build, &[]) {
            Ok(mut outcome) => {
                stands_alone(&mut together, spec, &outcome, &[], reporter);
                reporter.show(std::mem::take(&mut outcome.diagnostics), &outcome.sources);
                compiled.push((published(spec), outcome));
            }
            Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
        }
    }
    verdicts.save();
    compiled
}

/// The name of a spec on pages that others read: those do not care where the folders of this machine are.
fn published(spec: &Path) -> String {
    let path = if spec.is_absolute() { spec.file_name().map_or(spec, Path::new) } else { spec };
    path.display().to_string()
}

fn write(options: &Options, compiled: &[Compiled], guides: &[(String, String)], reporter: &mut Reporter) {
    let specs: Vec<_> = compiled
        .iter()
        .filter_map(|(name, outcome)| {
            Some(Spec { name, contract: outcome.contract.as_ref()?, sources: &outcome.sources })
        })
        .collect();
    let title = options.title.clone().unwrap_or_else(|| title(specs.iter().map(|spec| spec.contract)));
    let input = Input {
        title: &title,
        specs,
        guides: guides.iter().map(|(path, text)| Guide { path, text }).collect(),
        backends: lapis_cx_backends::all(),
    };
    let format = match options.format {
        FormatName::Html => Format::Html,
        FormatName::Markdown => Format::Markdown,
        FormatName::AsciiDoc => Format::AsciiDoc,
    };
    let files = match print(&input, format) {
        Ok(files) => files,
        Err(error) => {
            let defect = Diagnostic::without_place(&BACKEND_DEFECT, error.to_string());
            return reporter.show(vec![defect], &SourceMap::new());
        }
    };
    let edited = if options.force { Edited::Overwrite } else { Edited::Refuse };
    match outputs::write_documentation(&options.out_dir, &files, edited) {
        Ok(report) => {
            let first = options.out_dir.join(files.first().map_or("", |file| file.path.as_str()));
            let written = match report.written.len() {
                0 => "nothing changed".to_owned(),
                written => format!("{written} written"),
            };
            reporter.show(report.warnings, &SourceMap::new());
            reporter.say(&format!("documented {}: {}, {written}", first.display(), count(files.len(), "file")));
        }
        Err(problems) => reporter.show(problems, &SourceMap::new()),
    }
}

/// The name of the only item, or of the only package.
fn title<'c>(contracts: impl Iterator<Item = &'c Contract>) -> String {
    let (mut packages, mut names) = (BTreeSet::new(), Vec::new());
    for contract in contracts {
        packages.insert(contract.package.as_str());
        names.extend(contract.items.iter().filter_map(|item| match item {
            Item::Interface(of) => Some(of.name.as_str()),
            Item::Library(of) => Some(of.name.as_str()),
            Item::Platform(of) => Some(of.name.as_str()),
            Item::Laws(_) => None,
        }));
    }
    match (names.as_slice(), packages.first()) {
        ([only], _) => (*only).to_owned(),
        (_, Some(only)) if packages.len() == 1 => (*only).to_owned(),
        _ => "Custom instructions".to_owned(),
    }
}

/// The Markdown files that a path names, each with its path, by `/`. A README comes before its folder's other pages.
fn read_pages(path: &Path) -> Result<Vec<(String, String)>, Diagnostic> {
    let mut found = vec![path.to_path_buf()];
    if path.is_dir() {
        let below = roots::below(path, "md").map_err(|(folder, error)| cannot_read(&folder, error))?;
        found = below.into_iter().collect();
        let is_first = |path: &PathBuf| path.file_stem() == Some(OsStr::new("README"));
        found.sort_by_key(|path| (path.parent().map(Path::to_path_buf), !is_first(path), path.clone()));
        if found.is_empty() {
            return Err(cannot_read(path, "there is no `.md` file in it"));
        }
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|error| cannot_read(&path, error))?;
        Ok((slashed(&path), text))
    };
    found.into_iter().map(read).collect()
}

/// A path with `/` between its parts, and without those that say nothing.
fn slashed(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}
