//! Diagnostics for programs: one JSON object on a line for each finding.
//!
//! ```json
//! {"code":"CX0123","severity":"error","message":"…","labels":[…],"help":null,"note":null}
//! ```
//!
//! | member | value |
//! |---|---|
//! | `code` | the entry of the catalogue, `CX` and four digits |
//! | `severity` | `error`, `warning` or `note` |
//! | `message` | what is wrong: one sentence without a full stop |
//! | `labels` | the marked places, the primary one first; may be empty |
//! | `help` | what to do, or `null` |
//! | `note` | why, or `null` |
//!
//! A label is `{"file":…,"start":{"byte":…,"line":…,"column":…},"end":{…},"text":…}`. `file` is the name the caller
//! gave; `byte` counts from 0, `line` and `column` (in characters) from 1; `end` is one past the last character;
//! `text` may be empty. Members may be added later; those above keep their meaning.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Diagnostic, Severity};
use crate::source::{LineColumn, SourceFile, SourceMap};

/// One finding of `cxc --message-format json`. Members may be added later; these keep their meaning.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Finding")]
pub struct Line<'a> {
    /// The entry of the catalogue, which `cxc explain` prints.
    #[schemars(regex(pattern = r"^CX[0-9]{4}$"))]
    code: String,
    /// How bad it is.
    severity: Severity,
    /// What is wrong: one sentence without a full stop.
    message: &'a str,
    /// The marked places, the primary one first; may be empty.
    labels: Vec<Place<'a>>,
    /// What to do.
    help: Option<&'a str>,
    /// Why, where the message does not say it.
    note: Option<&'a str>,
}

/// A marked piece of source.
#[derive(Serialize, JsonSchema)]
struct Place<'a> {
    /// The name of the file as the caller gave it.
    file: &'a str,
    /// Its first character.
    start: Position,
    /// One past its last character.
    end: Position,
    /// What is said there; may be empty.
    text: &'a str,
}

/// A place between two characters.
#[derive(Serialize, JsonSchema)]
struct Position {
    /// Byte of the file, from 0.
    byte: u32,
    #[serde(flatten)]
    at: LineColumn,
}

impl Position {
    fn new(file: &SourceFile, byte: u32) -> Self {
        Position { byte, at: file.line_column(byte) }
    }
}

/// The findings in the given order, one line each. A label of a file that is not in `sources` is left out.
pub fn lines(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter().filter_map(|label| {
            let file = sources.get(label.span.file)?;
            Some(Place {
                file: file.name(),
                start: Position::new(file, label.span.start),
                end: Position::new(file, label.span.end),
                text: &label.text,
            })
        });
        let line = Line {
            code: diagnostic.code.to_string(),
            severity: diagnostic.severity,
            message: &diagnostic.message,
            labels: labels.collect(),
            help: diagnostic.help.as_deref(),
            note: diagnostic.note.as_deref(),
        };
        // Strings and numbers only: this cannot fail.
        out.push_str(&serde_json::to_string(&line).unwrap_or_default());
        out.push('\n');
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::Span;

    #[test]
    fn a_line_holds_the_whole_finding() {
        let mut sources = SourceMap::new();
        let file = sources.add("a\"b.cxspec", "é\nxy\n");
        let span = Span { file, start: 3, end: 5 };
        let finding = Diagnostic {
            code: Code(7),
            severity: Severity::Warning,
            message: "line\nfeed".into(),
            labels: Vec::new(),
            help: Some("do".into()),
            note: None,
        }
        .label(span, "here");
        let text = lines(&[finding.clone(), finding], &sources);
        assert_eq!(text.lines().count(), 2);
        let value: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(
            value,
            serde_json::json!({
                "code": "CX0007", "severity": "warning", "message": "line\nfeed", "help": "do", "note": null,
                "labels": [{
                    "file": "a\"b.cxspec", "text": "here",
                    "start": { "byte": 3, "line": 2, "column": 1 },
                    "end": { "byte": 5, "line": 2, "column": 3 },
                }],
            })
        );
    }
}
