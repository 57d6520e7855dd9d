//! `cxc fmt`: puts specs into the style of the language. Only blanks and line ends change.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use cxc_io::{cannot_read, roots};
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::diagnostic::catalogue::driver::NOT_FORMATTED;
use lapis_cx::driver::{SourceText, parse};
use lapis_cx::format::format;
use lapis_cx::source::{FileId, SourceMap, Span};
use similar::TextDiff;

use crate::options::Shown;
use crate::report::{Reporter, count};

/// Options of `cxc fmt`.
#[derive(Args)]
pub struct Options {
    /// Specs to format; of a folder, all `.cxspec` files in it and below; `-` formats stdin to stdout
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// Write nothing; exit with 1 if a spec would change, and show what would
    #[arg(long)]
    pub check: bool,
    /// What findings call the text that comes from stdin
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_name: String,
    /// How findings are shown
    #[command(flatten)]
    pub shown: Shown,
}

/// How many files there were of a kind.
#[derive(Default)]
struct Counts {
    changed: usize,
    same: usize,
}

/// Runs it. A spec with mistakes stays as it is.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::showing(&options.shown);
    let (stdin, paths): (Vec<&PathBuf>, Vec<&PathBuf>) = options.specs.iter().partition(|path| is_stdin(path));
    let (specs, problems) = roots::find(&paths.into_iter().cloned().collect::<Vec<_>>());
    reporter.show(problems, &SourceMap::new());
    if !stdin.is_empty() {
        filter(options, &mut reporter);
    }
    let mut counts = Counts::default();
    for spec in &specs {
        match roots::read_root(spec) {
            Ok(text) => file(spec, text, options, &mut counts, &mut reporter),
            Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
        }
    }
    if counts.changed + counts.same > 0 {
        reporter.say(&said(&counts, options.check));
    }
    reporter.finish()
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// What was done with files that could be read, such as `formatted 1 of 3 files`.
fn said(counts: &Counts, is_check: bool) -> String {
    let files = count(counts.changed + counts.same, "file");
    match (counts.changed, is_check) {
        (0, _) => format!("checked {files}: all as they should be"),
        (changed, true) => format!("checked {files}: {changed} would change"),
        (changed, false) => format!("formatted {changed} of {files}"),
    }
}

/// From stdin to stdout. Nothing is printed of a text with mistakes.
fn filter(options: &Options, reporter: &mut Reporter) {
    let mut bytes = Vec::new();
    if let Err(error) = io::stdin().lock().read_to_end(&mut bytes) {
        return reporter.show(vec![cannot_read(Path::new(&options.stdin_name), error)], &SourceMap::new());
    }
    let text = SourceText { name: options.stdin_name.clone(), bytes };
    if let Some((sources, new)) = formatted(text, reporter) {
        if options.check {
            compare(&options.stdin_name, &sources, &new, reporter);
        } else {
            reporter.put_out(&new);
        }
    }
}

/// A file in its place, which is only written if it changes.
fn file(spec: &Path, text: SourceText, options: &Options, counts: &mut Counts, reporter: &mut Reporter) {
    let Some((sources, new)) = formatted(text, reporter) else { return };
    let name = spec.display().to_string();
    if original(&sources) == new {
        counts.same += 1;
    } else if options.check {
        counts.changed += 1;
        compare(&name, &sources, &new, reporter);
    } else if let Some(problem) = roots::replace(spec, &new) {
        reporter.show(vec![problem], &SourceMap::new());
    } else {
        counts.changed += 1;
        reporter.say(&format!("formatted {name}"));
    }
}

/// A text in the style; the findings about one with mistakes are shown.
fn formatted(text: SourceText, reporter: &mut Reporter) -> Option<(SourceMap, String)> {
    let (tree, sources, findings) = parse(text);
    if findings.is_empty()
        && let Some(new) = tree.as_ref().and_then(format)
    {
        return Some((sources, new));
    }
    reporter.show(findings, &sources);
    None
}

/// The text as it was read.
fn original(sources: &SourceMap) -> &str {
    sources.get(FileId(0)).map(|file| file.text()).unwrap_or_default()
}

/// Shows what would change: a finding at the first line that does and, to people, all of it.
fn compare(name: &str, sources: &SourceMap, new: &str, reporter: &mut Reporter) {
    let old = original(sources);
    if old == new {
        return;
    }
    let same: usize = old.split_inclusive('\n').zip(new.split_inclusive('\n')).take_while(|(a, b)| a == b).count();
    let start = old.split_inclusive('\n').take(same).map(str::len).sum::<usize>();
    let line = old.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let span = Span { file: FileId(0), start: start as u32, end: (start + line.len()) as u32 };
    let message = format!("`{name}` is not formatted");
    let finding =
        Diagnostic::error(&NOT_FORMATTED, message, span, "from here").help("run the same command without `--check`");
    if reporter.is_talkative() {
        // The difference says where.
        reporter.show(vec![Diagnostic { labels: Vec::new(), ..finding }], sources);
        let diff = TextDiff::from_lines(old, new);
        reporter.put_out(&diff.unified_diff().header(name, &format!("{name} (formatted)")).to_string());
    } else {
        reporter.show(vec![finding], sources);
    }
}
