//! What stands against a build.

use std::fmt;
use std::path::Path;

use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::source::SourceMap;

use crate::findings::Findings;

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
        let mut all = Findings::default();
        all.add(&findings, &SourceMap::new());
        all.into_error()
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
