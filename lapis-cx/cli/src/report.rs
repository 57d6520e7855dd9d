//! Showing findings, and the exit code that follows from them.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use cxc_io::could_not_run;
use lapis_cx::diagnostic::render::{Style, render_one, summary};
use lapis_cx::diagnostic::{Diagnostic, Severity, json};
use lapis_cx::source::SourceMap;

use crate::options::{Color, Common, MessageFormat};

/// Shows findings as they come and remembers them.
pub struct Reporter {
    format: MessageFormat,
    style: Style,
    found: Vec<Diagnostic>,
}

impl Reporter {
    /// Nothing found yet.
    pub fn new(common: &Common) -> Self {
        let color = match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
                io::stderr().is_terminal() && !set("NO_COLOR") && env::var_os("TERM") != Some("dumb".into())
            }
        };
        let style = Style { unicode: is_unicode(), color, width: width() };
        Reporter { format: common.message_format, style, found: Vec::new() }
    }

    /// Shows findings of one compilation.
    pub fn show(&mut self, findings: Vec<Diagnostic>, sources: &SourceMap) {
        match self.format {
            MessageFormat::Human => {
                let text: String = findings.iter().map(|one| render_one(one, sources, self.style) + "\n").collect();
                print(&mut io::stderr(), &text);
            }
            MessageFormat::Json => print(&mut io::stdout(), &json::lines(&findings, sources)),
        }
        self.found.extend(findings);
    }

    /// Shows the summary; the exit code of the command.
    pub fn finish(self) -> ExitCode {
        if let (MessageFormat::Human, Some(line)) = (self.format, summary(&self.found)) {
            print(&mut io::stderr(), &format!("{line}\n"));
        }
        if self.found.iter().any(could_not_run) {
            ExitCode::from(2)
        } else {
            ExitCode::from(u8::from(self.found.iter().any(|one| one.severity == Severity::Error)))
        }
    }
}

/// Prints; a reader that has gone away is no fault of ours.
pub fn print(to: &mut impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
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
