//! Diagnostics as data. Renderers are separate: [`render`] for people, [`json`], [`sarif`] and [`github`] for programs.

pub mod catalogue;
pub mod github;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "json")]
pub mod sarif;
pub mod shown;
pub mod wrap;

use crate::source::Span;

pub use catalogue::{Code, Entry};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, crate::json::Serialize, crate::json::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Probably a mistake; the build goes on.
    Warning,
    /// The build stops after all errors are collected.
    Error,
}

/// A marked piece of source with a few words beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What is marked.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
}

/// One finding: what, where, why, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its entry in the catalogue.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where; the first label is the primary one.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// Why, where the message does not say it.
    pub note: Option<String>,
}

impl Diagnostic {
    /// An error whose primary label is `span` with the words `label`.
    pub fn error(entry: &'static Entry, message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Diagnostic {
            code: entry.code,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![Label { span, text: label.into() }],
            help: None,
            note: None,
        }
    }

    /// As [`Diagnostic::error`], as a warning.
    pub fn warning(entry: &'static Entry, message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(entry, message, span, label) }
    }

    /// As [`Diagnostic::error`], as a note.
    pub fn note_at(entry: &'static Entry, message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, ..Self::error(entry, message, span, label) }
    }

    /// An error about no place in a file.
    pub fn without_place(entry: &'static Entry, message: impl Into<String>) -> Self {
        Diagnostic {
            code: entry.code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            note: None,
        }
    }

    /// Adds a secondary label.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says why.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }

    /// Whether the build stops because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Message, note and help, each on a line of its own: for renderers that show one text.
    pub fn full_text(&self) -> String {
        let mut text = self.message.clone();
        for (what, more) in [("note", &self.note), ("help", &self.help)] {
            if let Some(more) = more {
                text += &format!("\n{what}: {more}");
            }
        }
        text
    }

    /// The primary span; `None` for a finding about no place in a file.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|l| l.span)
    }
}
