//! Findings as rustc shows its own: people know that form in cargo's output, and editors find the places in it.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use lapis_cx::diagnostic::shown::{self, MOST_SHOWN, clean, most_severe, words};
use lapis_cx::diagnostic::wrap::wrap;
use lapis_cx::diagnostic::{Diagnostic, Label, Severity};
use lapis_cx::source::{SourceFile, SourceMap};

use crate::Error;

/// Columns after which notes and helps wrap, and lines of source are cut.
const WIDTH: usize = 100;

/// The columns before the text of a note: `   = note: `, with line numbers of up to three digits.
const MARGIN: usize = 12;

/// No colours, as cargo keeps what a script says in a file, and no box characters, as nobody knows where it is shown.
const RENDERER: Renderer = Renderer::plain().decor_style(DecorStyle::Ascii).term_width(WIDTH);

/// Findings as they come.
#[derive(Default)]
pub struct Findings {
    found: Vec<Diagnostic>,
    /// All of them with source lines, for errors.
    text: String,
    /// Warnings, a line each: cargo shows no others.
    warnings: Vec<String>,
}

impl Findings {
    /// Adds those of one compilation. Notes are for who asks.
    pub fn add(&mut self, findings: &[Diagnostic], sources: &SourceMap) {
        let findings: Vec<_> = findings.iter().filter(|one| one.severity > Severity::Note).cloned().collect();
        self.text += &show(&findings, sources);
        let warnings = findings.iter().filter(|one| one.severity == Severity::Warning);
        self.warnings.extend(warnings.map(|warning| line(warning, sources)));
        self.found.extend(findings);
    }

    /// The warnings, if there are no errors.
    ///
    /// # Errors
    ///
    /// All findings.
    pub fn finish(self) -> Result<Vec<String>, Error> {
        if self.found.iter().all(|one| one.severity < Severity::Error) {
            return Ok(self.warnings);
        }
        Err(self.into_error())
    }

    /// All of them: first how many there are, as cargo puts `Error: ` before it.
    pub fn into_error(self) -> Error {
        let count = shown::summary(&self.found).unwrap_or_default();
        Error::new(format!("{count}\n\n{}", self.text.trim_end()))
    }
}

/// A warning as compilers say it in one line.
pub fn line(warning: &Diagnostic, sources: &SourceMap) -> String {
    let place = warning.labels.first().and_then(|label| {
        let file = sources.get(label.span.file)?;
        let at = file.line_column(label.span.start);
        Some(format!("{}:{}:{}: ", words(file.name()), at.line, at.column))
    });
    let text = words(&warning.full_text()).replace('\n', "; ");
    format!("{}{text} [{}]", place.unwrap_or_default(), warning.code)
}

/// Shows the findings in their order, with an empty line after each; of many only the most severe.
fn show(findings: &[Diagnostic], sources: &SourceMap) -> String {
    let (chosen, hidden) = most_severe(findings, MOST_SHOWN);
    let mut text: String = chosen.into_iter().map(|one| RENDERER.render(&[group(one, sources)]) + "\n\n").collect();
    if hidden > 0 {
        text += &format!("... and {hidden} more\n\n");
    }
    text
}

/// What to show of a finding: a piece of each file that it is about, its note and its help.
fn group<'a>(finding: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(words(&finding.message)).id(finding.code.to_string()));
    let mut files = Vec::new();
    for label in &finding.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    for id in files {
        if let Some(file) = sources.get(id) {
            let labels = finding.labels.iter().enumerate().filter(|(_, label)| label.span.file == id);
            group = group.element(piece(file, &labels.collect::<Vec<_>>()));
        }
    }
    for (level, text) in [(Level::NOTE, &finding.note), (Level::HELP, &finding.help)] {
        if let Some(text) = text {
            group = group.element(level.message(wrap(&words(text), "", "", WIDTH - MARGIN).trim_end().to_owned()));
        }
    }
    group
}

/// The lines of a file from the first label to the last, with these labels; label 0 is the primary one.
fn piece<'a>(file: &'a SourceFile, labels: &[(usize, &'a Label)]) -> Snippet<'a, Annotation<'a>> {
    let spans = labels.iter().map(|(_, label)| inside(file.text(), label));
    let spans: Vec<Range<usize>> = spans.collect();
    let first = file.line_of(spans.iter().map(|span| span.start).min().unwrap_or(0) as u32);
    let last = file.line_of(spans.iter().map(|span| span.end).max().unwrap_or(0) as u32);
    let lines = file.line_range(first).start..file.line_range(last).end;
    let text = file.text().get(lines.clone()).unwrap_or_default();
    let annotations = labels.iter().zip(spans).map(|((place, label), span)| {
        let kind = if *place == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = Some(words(&label.text)).filter(|text| !text.is_empty());
        kind.span(span.start - lines.start..span.end - lines.start).label(label)
    });
    Snippet::source(clean(text)).path(words(file.name())).line_start(first as usize + 1).annotations(annotations)
}

/// The bytes of a label, inside the text and not in the middle of a character.
fn inside(text: &str, label: &Label) -> Range<usize> {
    let start = text.floor_char_boundary(text.len().min(label.span.start as usize));
    start..text.ceil_char_boundary(text.len().min(label.span.end as usize)).max(start)
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
