//! Showing findings, and the exit code that follows from them.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use cxc_io::could_not_run;
use lapis_cx::diagnostic::render::{Style, render_most};
use lapis_cx::diagnostic::sarif::Log;
use lapis_cx::diagnostic::shown::{MOST_SHOWN, most_severe, summary};
use lapis_cx::diagnostic::{Diagnostic, Severity, github, json};
use lapis_cx::source::SourceMap;

use crate::options::{Color, Common, MessageFormat, Shown};
use crate::progress::Progress;

/// Shows findings as they come and remembers them.
pub struct Reporter {
    format: MessageFormat,
    style: Style,
    says_what_was_done: bool,
    shows_notes: bool,
    /// Whether the command has `--error-limit`.
    offers_all: bool,
    /// Whether findings were only counted.
    hides_some: bool,
    found: Vec<Diagnostic>,
    /// The findings as SARIF, which is one document for all.
    sarif: Log,
    /// Whether everything could be printed.
    printed: bool,
    progress: Progress,
}

impl Reporter {
    /// Nothing found yet.
    pub fn new(options: &Common) -> Self {
        Self::showing(&options.shown)
    }

    /// For commands that search no imports.
    pub fn showing(options: &Shown) -> Self {
        let says_what_was_done = options.message_format == MessageFormat::Human && !options.quiet;
        // Programs choose by severity themselves.
        let shows_notes = options.message_format != MessageFormat::Human || !options.quiet;
        let people = Self::for_people(options.color);
        let style = Style { most: options.error_limit, ..people.style };
        let offers_all = true;
        Reporter { format: options.message_format, style, says_what_was_done, shows_notes, offers_all, ..people }
    }

    /// For commands whose output is a document of its own: findings go to people, and nothing else is said.
    pub fn for_people(color: Color) -> Self {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
                io::stderr().is_terminal() && !set("NO_COLOR") && env::var_os("TERM") != Some("dumb".into())
            }
        };
        let style = Style { unicode: is_unicode(), color, width: width(), most: MOST_SHOWN };
        Reporter {
            format: MessageFormat::Human,
            style,
            says_what_was_done: false,
            shows_notes: true,
            offers_all: false,
            hides_some: false,
            found: Vec::new(),
            sarif: Log::new(),
            printed: true,
            progress: Progress::none(),
        }
    }

    /// Shows findings of one compilation.
    pub fn show(&mut self, mut findings: Vec<Diagnostic>, sources: &SourceMap) {
        findings.retain(|one| self.shows_notes || one.severity > Severity::Note);
        self.hides_some |= most_severe(&findings, self.style.most).1 > 0;
        self.printed &= match self.format {
            MessageFormat::Human => {
                let text = render_most(&findings, sources, self.style);
                self.progress.aside(|| print(&mut io::stderr(), &text))
            }
            MessageFormat::Json => self.to_stdout(&json::lines(&findings, sources)),
            MessageFormat::Github => self.to_stdout(&github::lines(&findings, sources)),
            MessageFormat::Sarif => {
                self.sarif.add(&findings, sources);
                true
            }
        };
        self.found.extend(findings);
    }

    /// Says in one line what was done, to people who did not ask for quiet.
    pub fn say(&mut self, line: &str) {
        if self.says_what_was_done {
            self.printed &= self.progress.aside(|| print(&mut io::stderr(), &format!("{line}\n")));
        }
    }

    /// Work of so many steps begins. People who look at a terminal see how far it is.
    pub fn begin(&mut self, steps: usize) {
        if self.says_what_was_done {
            self.progress = Progress::new(steps);
        }
    }

    /// The next step begins, which is about a file.
    pub fn step(&self, path: &Path) {
        self.progress.step(path);
    }

    fn to_stdout(&self, text: &str) -> bool {
        self.progress.aside(|| print(&mut io::stdout(), text))
    }

    /// Whether what is shown is for people who did not ask for quiet.
    pub fn is_talkative(&self) -> bool {
        self.says_what_was_done
    }

    /// Prints the document that the command is about.
    pub fn put_out(&mut self, document: &str) {
        self.printed &= self.to_stdout(document);
    }

    /// Shows the summary; the exit code of the command.
    pub fn finish(mut self) -> ExitCode {
        let code = self.end();
        if self.format == MessageFormat::Human {
            let all = if self.offers_all && self.hides_some { "; `--error-limit 0` shows all" } else { "" };
            let line = summary(&self.found).map(|line| format!("{line}{all}\n"));
            self.printed &= print(&mut io::stderr(), &line.unwrap_or_default());
        }
        ExitCode::from(if self.printed { code } else { 2 })
    }

    /// For a command that goes on: the summary of what was shown, such as `1 error`, if there is any.
    pub fn finish_round(mut self) -> Option<String> {
        self.end();
        summary(&self.found)
    }

    /// Prints what comes at the end in the formats for programs; the exit code that follows from the findings.
    fn end(&mut self) -> u8 {
        self.progress = Progress::none();
        let code = if self.found.iter().any(could_not_run) { 2 } else { u8::from(self.has_errors()) };
        if self.format == MessageFormat::Sarif {
            let log = std::mem::replace(&mut self.sarif, Log::new());
            self.printed &= print(&mut io::stdout(), &log.document(code < 2, code));
        }
        code
    }

    /// Whether any finding so far is an error.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|one| one.severity == Severity::Error)
    }
}

/// Prints, and says whether that went well. A reader that has gone away is no fault of ours.
pub fn print(to: &mut impl Write, text: &str) -> bool {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::BrokenPipe,
    }
}

/// `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Columns of the terminal, 100 at most; 80 if there is none.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).clamp(40, 100)
}

/// Whether the locale says that text is UTF-8.
fn is_unicode() -> bool {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or(OsString::new());
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
