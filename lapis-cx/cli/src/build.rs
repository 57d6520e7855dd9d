//! `cxc build`: compiles each spec and writes its outputs. A spec with errors keeps the outputs it had.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use cxc_io::choose::choose;
use cxc_io::depfile::{self, Rule};
use cxc_io::finding;
use cxc_io::outputs::{self, Edited, Report};
use cxc_io::roots;
use cxc_io::stamp;
use cxc_io::verdicts::VerdictFile;
use lapis_cx::backend::{Backend, File};
use lapis_cx::diagnostic::catalogue::driver::OUT_OF_DATE;
use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx::driver::together::Together;
use lapis_cx::driver::{Effort, Outcome, Unjudged, Verdicts};
use lapis_cx::source::SourceMap;

use crate::emit::{self, Emitted};
use crate::options::Common;
use crate::report::{Reporter, count};
use crate::together::stands_alone;

/// Options of `cxc build`.
#[derive(Args)]
pub struct Options {
    /// Specs to build; of a folder, all `.cxspec` files in it and below
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// The folder to write into; it holds what the last build of each spec wrote
    #[arg(long, value_name = "DIR")]
    pub out_dir: PathBuf,
    /// Run only this backend; may be given again
    #[arg(long = "backend", value_name = "NAME")]
    pub backends: Vec<String>,
    /// Set an option of a backend, as in `asm.r-opcode=0x6B`; may be given again, as the opcodes of all forms differ:
    /// `--option asm.flex-opcode=custom-3 --option asm.xcmd-opcode=custom-2`. They are those of
    /// assembly only: C takes the opcode of xcmd when it is compiled, as `-DCX_XCMD_OPCODE=0x5B`, and Rust as
    /// `XcmdOnHart::<0x5B>`
    #[arg(long = "option", value_name = "BACKEND.KEY=VALUE")]
    pub options: Vec<String>,
    /// Write these too: stages as JSON below `emit/`, which are the syntax tree, the contract and the lowered core; or what the
    /// backend `remoting` prints, which runs only when it is asked for
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub emit: Vec<Emitted>,
    /// Write all files into DIR itself, without folders such as `include`; Meson wants that
    #[arg(long)]
    pub flat: bool,
    /// Write to this file, for make and ninja, which sources each output depends on; or, with `--stamp`, the stamp
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub depfile: Option<PathBuf>,
    /// Write this file after all outputs, changed or not. make goes by times, and outputs that do not change keep theirs
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub stamp: Option<PathBuf>,
    /// Write nothing; print the paths of the outputs, one on a line. Examples and laws are not run
    #[arg(long, conflicts_with_all = ["check", "depfile", "stamp", "message_format"])]
    pub list_outputs: bool,
    /// Write nothing; exit with 1 if a build would change an output
    #[arg(long)]
    pub check: bool,
    /// Overwrite outputs that were edited since the last build
    #[arg(long)]
    pub force: bool,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// The backends and what can be set of each, with its default, for `--help`.
pub fn backends() -> String {
    let mut text = "Backends and their options:".to_owned();
    for backend in lapis_cx_backends::all() {
        text += &format!("\n  {}: {}", backend.name(), backend.about());
        for option in backend.options() {
            text += &format!("\n      {}.{}={}: {}", backend.name(), option.key, option.default, option.about);
        }
    }
    text
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::new(&options.common);
    round(options, &mut reporter);
    reporter.finish()
}

/// Runs it once.
pub fn round(options: &Options, reporter: &mut Reporter) {
    match (
        choose(lapis_cx_backends::all(), &names(options), &options.options),
        roots::missing_folders(&options.common.imports.search),
    ) {
        (Ok(backends), missing) if missing.is_empty() => {
            let (specs, problems) = roots::find(&options.specs);
            reporter.show(problems, &SourceMap::new());
            let list = backends.list();
            let mut build = Build {
                options,
                backends: &list,
                together: roots::together(&specs),
                rules: Vec::new(),
                listed: String::new(),
            };
            reporter.begin(specs.len());
            specs.iter().for_each(|spec| build.build(spec, reporter));
            if !reporter.has_errors() {
                reporter.put_out(&build.listed);
                reporter.show(build.tell().err().into_iter().collect(), &SourceMap::new());
            }
        }
        (chosen, mut problems) => {
            problems.extend(chosen.err());
            reporter.show(problems, &SourceMap::new());
        }
    }
}

/// The backends that are asked for by name: none, unless somebody asks for one that does not run unasked.
fn names(options: &Options) -> Vec<String> {
    let mut names = options.backends.clone();
    let asked: Vec<_> = options.emit.iter().filter_map(|what| what.backend()).collect();
    if names.is_empty() && !asked.is_empty() {
        names.extend(lapis_cx_backends::unasked().iter().map(|backend| backend.name().to_owned()));
    }
    names.extend(asked.into_iter().map(str::to_owned));
    names
}

struct Build<'a> {
    options: &'a Options,
    backends: &'a [&'a dyn Backend],
    together: Option<Together>,
    /// What depends on what.
    rules: Vec<Rule>,
    /// Paths of outputs, for `--list-outputs`.
    listed: String,
}

impl Build<'_> {
    fn build(&mut self, spec: &Path, reporter: &mut Reporter) {
        reporter.step(spec);
        let options = self.options;
        let mut remembered = VerdictFile::of(&options.out_dir);
        let verdicts: &mut dyn Verdicts = if options.list_outputs { &mut Unjudged } else { &mut remembered };
        let search = &options.common.imports.search;
        let mut outcome = match roots::compile_root(spec, search, verdicts, Effort::Build, self.backends) {
            Ok(outcome) => outcome,
            Err(problem) => return reporter.show(vec![problem], &SourceMap::new()),
        };
        let is_good =
            stands_alone(&mut self.together, spec, &outcome, self.backends, reporter) && !outcome.has_errors();
        if is_good {
            outcome.files.extend(emit::files(spec, &outcome, &options.emit));
            if options.flat {
                outcome.files.iter_mut().for_each(flatten);
            }
        }
        reporter.show(std::mem::take(&mut outcome.diagnostics), &outcome.sources);
        if !options.check {
            // Also for a spec with errors: a verdict is about an interface alone, whose examples and laws did hold.
            remembered.save();
        }
        if is_good && options.list_outputs {
            self.list(&outcome.files, reporter);
        } else if is_good {
            self.rules.push(rule(options, spec, &outcome));
            self.write(spec, &outcome.files, reporter);
        }
    }

    /// Notes where the outputs of a spec would be written, or says why they cannot be.
    fn list(&mut self, files: &[File], reporter: &mut Reporter) {
        let out_dir = &self.options.out_dir;
        if let Err(problems) = outputs::check(out_dir, files) {
            return reporter.show(problems, &SourceMap::new());
        }
        for file in files {
            let path = out_dir.join(&file.path);
            self.listed += &format!("{}\n", path.strip_prefix(".").unwrap_or(&path).display());
        }
    }

    /// Tells build systems about the outputs, which are there now. The stamp is last: it says that all went well.
    fn tell(&self) -> Result<(), Diagnostic> {
        if let Some(path) = &self.options.depfile {
            depfile::write(path, &self.rules)?;
        }
        self.options.stamp.as_deref().map_or(Ok(()), stamp::write)
    }

    fn write(&self, spec: &Path, files: &[File], reporter: &mut Reporter) {
        let out_dir = &self.options.out_dir;
        let edited = if self.options.force { Edited::Overwrite } else { Edited::Refuse };
        let done = if self.options.check {
            outputs::preview(out_dir, spec, files, edited)
        } else {
            outputs::write(out_dir, spec, files, edited)
        };
        match done {
            Ok(report) if self.options.check => {
                let stale = stale(out_dir, &report);
                let line = format!("checked {}: {}, all as they should be", spec.display(), count(files.len(), "file"));
                if stale.is_empty() {
                    reporter.say(&line);
                }
                reporter.show(stale, &SourceMap::new());
            }
            Ok(report) => {
                let line = done_line(spec, files.len(), &report);
                reporter.show(report.warnings, &SourceMap::new());
                reporter.say(&line);
            }
            Err(problems) => reporter.show(problems, &SourceMap::new()),
        }
    }
}

/// Takes an output out of its folders.
fn flatten(file: &mut File) {
    if let Some((_, name)) = file.path.rsplit_once('/') {
        file.path = name.to_owned();
    }
}

/// What the outputs of a spec, or the stamp, depend on: the spec first, then what it imports.
fn rule(options: &Options, spec: &Path, outcome: &Outcome) -> Rule {
    let outputs = || outcome.files.iter().map(|file| options.out_dir.join(&file.path)).collect();
    Rule {
        outputs: options.stamp.as_ref().map_or_else(outputs, |stamp| vec![stamp.clone()]),
        root: spec.to_path_buf(),
        imports: roots::imported(outcome),
    }
}

/// A finding for each output that a build would change.
fn stale(out_dir: &Path, report: &Report) -> Vec<Diagnostic> {
    let finding = |path: &String, what: &str| {
        let message = format!("`{}` {what}", out_dir.join(path).display());
        finding(&OUT_OF_DATE, Severity::Error, message).help("run the same command without `--check`")
    };
    let written = report.written.iter().map(|path| finding(path, "is not what a build would write"));
    let deleted = report.deleted.iter().map(|path| finding(path, "is no longer produced"));
    written.chain(deleted).collect()
}

/// What was built, such as `built a.cxspec: 2 files, 1 written`.
fn done_line(spec: &Path, files: usize, report: &Report) -> String {
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
