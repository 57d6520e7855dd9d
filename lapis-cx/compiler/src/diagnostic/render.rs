//! Diagnostics for people: text with the marked source lines, through miette.
//!
//! miette knows one source per diagnostic, so labels in other files than the first become lines of the form
//! `--> file:line:column: text`. Source text may come from anywhere, so control characters and changes of writing
//! direction never reach the terminal. Nothing here reads the environment: the same input gives the same text.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents, ThemeCharacters, ThemeStyles,
};

use super::shown::{MOST_SHOWN, clean, most_severe, summary, words};
use super::wrap::wrap;
use super::{Diagnostic, Label, Severity};
use crate::source::{SourceFile, SourceMap, Span};

/// Longer lines are not shown; their labels become `-->` lines.
const LONGEST_LINE: usize = 400;
/// A label over more lines than this marks its first line only.
const MOST_LINES: u32 = 12;
/// Lines above and below a label that are shown with it.
const CONTEXT_LINES: u32 = 1;

/// How the text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Draw with box characters, else with ASCII.
    pub unicode: bool,
    /// Use ANSI colours.
    pub color: bool,
    /// Columns after which messages wrap, at least 40. Source lines are never wrapped.
    pub width: usize,
    /// How many findings of one compilation are rendered; the rest are only counted. 0 for all.
    pub most: usize,
}

impl Style {
    /// The same on every machine: for files that tests compare with.
    pub const GOLDEN: Style = Style { unicode: true, color: false, width: 100, most: MOST_SHOWN };
}

/// Renders the findings as [`render_most`] does, and at the end the [`summary`].
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let mut out = render_most(diagnostics, sources, style);
    if let Some(line) = summary(diagnostics) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Renders the findings in the given order, with an empty line after each. Nobody reads thousands of them: of more than
/// [`Style::most`] only so many are rendered, the most severe and of those the first, and a line counts the others.
pub fn render_most(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let (chosen, hidden) = most_severe(diagnostics, style.most);
    let mut out = String::new();
    for diagnostic in chosen {
        out.push_str(&render_one(diagnostic, sources, style));
        out.push('\n');
    }
    if hidden > 0 {
        let dots = if style.unicode { "…" } else { "..." };
        out.push_str(&format!("{dots} and {hidden} more\n\n"));
    }
    out
}

/// Renders one finding; ends with a line feed.
pub fn render_one(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let width = style.width.max(40);
    let (shown, elsewhere) = split_labels(diagnostic, sources);
    let theme = GraphicalTheme {
        characters: if style.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() },
        styles: if style.color { ThemeStyles::ansi() } else { ThemeStyles::none() },
    };
    let help_style = theme.styles.help;
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_urls(false)
        .without_syntax_highlighting()
        .with_context_lines(CONTEXT_LINES as usize);

    let report = Report { diagnostic, message: words(&diagnostic.message), shown };
    let mut out = String::new();
    if handler.render_report(&mut out, &report).is_err() {
        // Writing to a string does not fail; only a source that refuses a span could. Keep what matters.
        out = format!("{}\n\n  {}\n", report.head(), report.message);
    }
    for label in elsewhere {
        let text = format!("{}{}", place(sources, label.span), words(&label.text));
        out.push_str(&wrap(text.trim_end_matches([' ', ':']), "  --> ", "      ", width));
    }
    for (head, text) in [("note", &diagnostic.note), ("help", &diagnostic.help)] {
        if let Some(text) = text {
            let body = wrap(&words(text), "        ", "        ", width);
            let body = body.get(8..).unwrap_or_default();
            out.push_str(&format!("  {} {body}", help_style.style(format_args!("{head}:"))));
        }
    }
    out
}

/// `file:line:column: `, or nothing for a span of another map.
fn place(sources: &SourceMap, span: Span) -> String {
    match sources.get(span.file) {
        None => String::new(),
        Some(file) => {
            let at = file.line_column(span.start);
            format!("{}:{}:{}: ", words(file.name()), at.line, at.column)
        }
    }
}

/// The labels that miette can show, with the file of the primary one; and the rest.
fn split_labels<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> (Option<Shown<'a>>, Vec<&'a Label>) {
    let Some(first) = diagnostic.labels.first() else { return (None, Vec::new()) };
    let Some(file) = sources.get(first.span.file) else { return (None, diagnostic.labels.iter().collect()) };
    let mut shown = Shown { file, windows: Vec::new(), labels: Vec::new() };
    let mut elsewhere = Vec::new();
    for (i, label) in diagnostic.labels.iter().enumerate() {
        let span = if label.span.file == first.span.file { visible(file, label.span) } else { None };
        let Some(span) = span else {
            elsewhere.push(label);
            continue;
        };
        let text = words(&label.text);
        let text = (!text.is_empty()).then_some(text);
        shown.labels.push(match i {
            0 => LabeledSpan::new_primary_with_span(text, span),
            _ => LabeledSpan::new_with_span(text, span),
        });
    }
    shown.open_windows();
    ((!shown.labels.is_empty()).then_some(shown), elsewhere)
}

/// The part of a span that is worth showing: inside the text, not past the last line feed, not over too many lines;
/// `None` if a line
/// is too long to print.
fn visible(file: &SourceFile, span: Span) -> Option<SourceSpan> {
    let text = file.text();
    let last = text.strip_suffix('\n').unwrap_or(text).len();
    let start = text.floor_char_boundary(last.min(span.start as usize));
    let mut end = text.ceil_char_boundary(text.len().min(span.end as usize)).max(start);
    let first_line = file.line_of(start as u32);
    let mut last_line = file.line_of(end.saturating_sub(1).max(start) as u32);
    if last_line - first_line >= MOST_LINES {
        last_line = first_line;
        end = file.line_range(first_line).end;
    }
    let shown_lines = first_line.saturating_sub(1)..=last_line + 1;
    let printable = shown_lines.into_iter().all(|line| file.line_range(line).len() <= LONGEST_LINE);
    printable.then(|| (start, end - start).into())
}

/// What miette sees of a diagnostic.
struct Report<'a> {
    diagnostic: &'a Diagnostic,
    message: String,
    shown: Option<Shown<'a>>,
}

impl Report<'_> {
    fn head(&self) -> String {
        let severity = match self.diagnostic.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        format!("{severity}[{}]", self.diagnostic.code)
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.head()))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Note => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.shown.as_ref().map(|shown| shown as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.shown.as_ref().map(|shown| Box::new(shown.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }
}

/// The file of the primary label, of which only the lines near labels are prepared. Lines come from the file's own
/// index, where miette would count from the start.
struct Shown<'a> {
    file: &'a SourceFile,
    /// Whole lines in order, ready to be printed: where each run of lines starts in the file, and its text.
    windows: Vec<(usize, String)>,
    labels: Vec<LabeledSpan>,
}

impl Shown<'_> {
    /// The lines of a span, from 0.
    fn lines(&self, start: usize, end: usize) -> (u32, u32) {
        (self.file.line_of(start as u32), self.file.line_of(end.saturating_sub(1).max(start) as u32))
    }

    /// Prepares the lines that miette will ask for. It shows two labels in one frame if their lines touch.
    fn open_windows(&mut self) {
        let spans = self.labels.iter().map(|label| self.lines(label.offset(), label.offset() + label.len()));
        let mut runs: Vec<_> =
            spans.map(|(first, last)| (first.saturating_sub(CONTEXT_LINES), last + CONTEXT_LINES)).collect();
        runs.sort_unstable();
        runs.dedup_by(|next, run| {
            let touch = next.0 <= run.1 + 1;
            if touch {
                run.1 = run.1.max(next.1);
            }
            touch
        });
        for (first, last) in runs {
            let bytes = self.file.line_range(first).start..self.file.line_range(last).end;
            let start = bytes.start;
            let mut text = clean(self.file.text().get(bytes).unwrap_or_default()).into_owned();
            if !text.ends_with('\n') {
                // The end of the text is a place too, and miette only marks what stands in a line.
                text.push('\n');
            }
            self.windows.push((start, text));
        }
    }

    /// The prepared text of these bytes.
    fn text(&self, bytes: std::ops::Range<usize>) -> Option<&[u8]> {
        let window = self.windows.partition_point(|(start, _)| *start <= bytes.start).checked_sub(1)?;
        let (start, text) = self.windows.get(window)?;
        text.as_bytes().get(bytes.start - start..bytes.end.checked_sub(*start)?)
    }
}

impl SourceCode for Shown<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let (first, last) = self.lines(start, end);
        // Without context miette asks where the span starts, not for whole lines.
        let (line, column, bytes) = if lines_before == 0 && lines_after == 0 {
            (first, self.file.line_column(start as u32).column as usize - 1, start..end)
        } else {
            let top = first.saturating_sub(lines_before as u32);
            let bottom = last + lines_after as u32;
            let mut end = self.file.line_range(bottom).end;
            if end == self.file.text().len() && !self.file.text().ends_with('\n') {
                end += 1;
            }
            (top, 0, self.file.line_range(top).start..end)
        };
        let data = self.text(bytes.clone()).ok_or(MietteError::OutOfBounds)?;
        let name = words(self.file.name());
        let lines = data.iter().filter(|&&b| b == b'\n').count();
        let span = (bytes.start, data.len()).into();
        Ok(Box::new(MietteSpanContents::new_named(name, data, span, line as usize, column, lines)))
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
