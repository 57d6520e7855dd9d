//! What stands against a build.

use std::fmt;
use std::path::Path;

use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::diagnostic::render::{self, Style};
use lapis_cx::source::SourceMap;

/// How findings look: as `cxc` shows them where there is no terminal.
pub(crate) const STYLE: Style = Style { unicode: false, color: false, width: 100, most: render::MOST_SHOWN };

/// Why there are no modules, as text for people: what [`Display`](fmt::Display) and [`Debug`] give, because cargo shows
/// what `main` returns by the latter.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    text: String,
}

impl Error {
    /// Of a text of one or more lines.
    pub(crate) fn new(text: impl Into<String>) -> Error {
        Error { text: text.into() }
    }

    /// Of findings about no place in a file.
    pub(crate) fn of_findings(findings: Vec<Diagnostic>) -> Error {
        Error::of(&findings, &render::render_most(&findings, &SourceMap::new(), STYLE))
    }

    /// Of findings and the text that shows them: first how many there are, as cargo puts `Error: ` before it.
    pub(crate) fn of(findings: &[Diagnostic], shown: &str) -> Error {
        Error::new(format!("{}\n\n{}", render::summary(findings).unwrap_or_default(), shown.trim_end()))
    }

    /// A file or folder that cannot be read, written or named.
    pub(crate) fn about(path: &Path, what: &str, why: impl fmt::Display) -> Error {
        Error::new(format!("cannot {what} `{}`: {why}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
