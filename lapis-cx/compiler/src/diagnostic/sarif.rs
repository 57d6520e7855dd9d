//! Diagnostics as SARIF 2.1.0: one document for a whole run, as code scanning services and editors read it.
//!
//! Columns count UTF-16 code units, which is what readers of SARIF take for granted, and `columnKind` says so. The rules
//! are the entries of the catalogue that occur, with cause, remedy and examples. Section numbers below are those of
//! "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Diagnostic, Entry, Label, Severity, catalogue};
use crate::source::SourceMap;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings of a run so far.
#[derive(Default)]
pub struct Log {
    results: Vec<Finding>,
    /// The position of each code's rule.
    indices: BTreeMap<super::Code, usize>,
    rules: Vec<Rule>,
}

impl Log {
    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds findings of one compilation. A label of a file that is not in `sources` is left out.
    pub fn add(&mut self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        for diagnostic in diagnostics {
            let rule_index = *self.indices.entry(diagnostic.code).or_insert_with(|| {
                self.rules.push(Rule::new(diagnostic.code));
                self.rules.len() - 1
            });
            let mut places = diagnostic.labels.iter().filter_map(|label| Location::new(label, sources));
            let locations = places.next().into_iter().collect();
            let related = places.zip(1..).map(|(place, id)| Location { id: Some(id), ..place });
            self.results.push(Finding {
                rule_id: diagnostic.code.to_string(),
                rule_index,
                level: diagnostic.severity,
                message: Message::new(diagnostic.full_text()),
                locations,
                related_locations: related.collect(),
            });
        }
    }

    /// The document, with a line feed at the end. `could_run` is false if the work could not be done at all.
    pub fn document(self, could_run: bool, exit_code: u8) -> String {
        let document = Document {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [Run {
                tool: Tool { driver: Driver { name: "cxc", version: env!("CARGO_PKG_VERSION"), rules: self.rules } },
                invocations: [Invocation { execution_successful: could_run, exit_code }],
                column_kind: "utf16CodeUnits",
                results: self.results,
            }],
        };
        // Strings and numbers only: this cannot fail.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }
}

/// 3.13
#[derive(Serialize)]
struct Document {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

/// 3.14
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Finding>,
}

/// 3.20
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
}

/// 3.18
#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

/// 3.19
#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

/// 3.49
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Message>,
}

impl Rule {
    fn new(code: super::Code) -> Self {
        let id = code.to_string();
        let Some(entry) = catalogue::find(&id) else {
            return Rule { id, short_description: None, full_description: None, help: None };
        };
        Rule {
            id,
            short_description: Some(Message::new(entry.title)),
            full_description: Some(Message::new(entry.cause)),
            help: Some(Message { text: entry.remedy.to_owned(), markdown: Some(markdown(entry)) }),
        }
    }
}

/// What `cxc explain` says, as Markdown.
fn markdown(entry: &Entry) -> String {
    let mut text = format!("{}\n\n{}", entry.cause, entry.remedy);
    for (head, code) in [("Wrong", entry.bad), ("Right", entry.good)] {
        if !code.is_empty() {
            text += &format!("\n\n{head}:\n\n```\n{}\n```", code.trim_matches('\n'));
        }
    }
    text
}

/// 3.27
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: String,
    rule_index: usize,
    /// `error`, `warning` and `note` are also SARIF's words.
    level: Severity,
    message: Message,
    /// The primary place, if there is one.
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
}

/// 3.11, 3.12
#[derive(Serialize)]
struct Message {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

impl Message {
    fn new(text: impl Into<String>) -> Self {
        Message { text: text.into(), markdown: None }
    }
}

/// 3.28
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

impl Location {
    fn new(label: &Label, sources: &SourceMap) -> Option<Self> {
        let file = sources.get(label.span.file)?;
        let place = |offset: u32| (file.line_column(offset).line, file.utf16_column(offset));
        let (start_line, start_column) = place(label.span.start);
        let (end_line, end_column) = place(label.span.end);
        Some(Location {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(file.name()) },
                region: Region { start_line, start_column, end_line, end_column },
            },
            message: (!label.text.is_empty()).then(|| Message::new(&label.text)),
        })
    }
}

/// 3.29
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

/// 3.4
#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// 3.30: lines and columns from 1; the end column is one past the last character.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// A path as a URI reference (RFC 3986): relative as it is, absolute with the scheme `file`.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len() + 8);
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagnostic::catalogue::driver::{CANNOT_READ, SAME_IDENTITY};
    use crate::source::Span;

    #[test]
    fn columns_are_utf16_and_rules_come_once() {
        let mut sources = SourceMap::new();
        let file = sources.add("specs/a b.cxspec", "x\n😀é y\n");
        let span = |start, end| Span { file, start, end };
        let one = Diagnostic::error(&SAME_IDENTITY, "one", span(9, 10), "here").label(span(2, 6), "").help("mend it");
        let lost =
            Diagnostic::warning(&SAME_IDENTITY, "two", Span { file: crate::source::FileId(7), ..span(0, 0) }, "");
        let placeless = Diagnostic::without_place(&CANNOT_READ, "three");
        let mut log = Log::new();
        log.add(&[one, lost], &sources);
        log.add(&[placeless], &SourceMap::new());
        let log: serde_json::Value = serde_json::from_str(&log.document(true, 1)).unwrap();
        let run = &log["runs"][0];
        let rules: Vec<_> = run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|r| &r["id"]).collect();
        assert_eq!(rules, ["CX0914", "CX0901"]);
        assert_eq!(run["columnKind"], "utf16CodeUnits");
        let first = &run["results"][0];
        assert_eq!((&first["ruleIndex"], &first["level"]), (&0.into(), &"error".into()));
        assert_eq!(first["message"]["text"], "one\nhelp: mend it");
        let region = |location: &serde_json::Value| location["physicalLocation"]["region"].clone();
        let at = |line, from, to| serde_json::json!({ "startLine": line, "startColumn": from, "endLine": line, "endColumn": to });
        assert_eq!(region(&first["locations"][0]), at(2, 5, 6));
        assert_eq!(region(&first["relatedLocations"][0]), at(2, 1, 3));
        assert_eq!(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "specs/a%20b.cxspec");
        assert_eq!(run["results"][1]["locations"], serde_json::json!([]));
        assert_eq!(run["results"][2]["ruleIndex"], 1);
    }

    #[test]
    fn uris_hold_only_what_they_may() {
        assert_eq!(uri("/a/é.cxspec"), "file:///a/%C3%A9.cxspec");
        assert_eq!(uri("../c:d"), "../c%3Ad");
    }
}
