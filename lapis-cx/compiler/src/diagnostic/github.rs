//! Diagnostics as workflow commands of GitHub Actions: each becomes an annotation beside the line it is about.
//!
//! `::error file=a.cxspec,line=3,col=5,endLine=3,endColumn=8,title=CX0123::what is wrong`
//!
//! An annotation has one place and one text, so the other labels become lines of the text.

use super::{Diagnostic, Label, Severity};
use crate::source::SourceMap;

/// The findings in the given order, one line each. A label of a file that is not in `sources` is left out.
pub fn lines(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut labels = diagnostic.labels.iter();
        let place = labels.next().and_then(|label| properties(label, sources)).unwrap_or_default();
        let mut text = diagnostic.full_text();
        labels.filter_map(|label| line(label, sources)).for_each(|line| text += &line);
        out += &format!("::{command} {place}title={}::{}\n", diagnostic.code, data(&text));
    }
    out
}

/// Where a label is, as properties of a command, each with a comma behind it.
fn properties(label: &Label, sources: &SourceMap) -> Option<String> {
    let file = sources.get(label.span.file)?;
    let (start, end) = (file.line_column(label.span.start), file.line_column(label.span.end));
    let name = property(file.name());
    Some(format!("file={name},line={},col={},endLine={},endColumn={},", start.line, start.column, end.line, end.column))
}

/// A label as a line of text.
fn line(label: &Label, sources: &SourceMap) -> Option<String> {
    let file = sources.get(label.span.file)?;
    let at = file.line_column(label.span.start);
    Some(format!("\n{}:{}:{}: {}", file.name(), at.line, at.column, label.text))
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::catalogue::driver::{CANNOT_READ, SAME_IDENTITY};
    use crate::source::Span;

    #[test]
    fn a_command_is_one_line_with_everything_escaped() {
        let mut sources = SourceMap::new();
        let file = sources.add("a,b:100%.cxspec", "é\nxy\n");
        let span = |start, end| Span { file, start, end };
        let findings = [
            Diagnostic::error(&SAME_IDENTITY, "100%\nsure: yes, no", span(3, 5), "here").label(span(0, 2), "there"),
            Diagnostic::warning(&SAME_IDENTITY, "w", span(0, 5), "").note("why").help("do"),
            Diagnostic::note_at(&SAME_IDENTITY, "n\r", span(3, 3), ""),
            Diagnostic::without_place(&CANNOT_READ, "no place"),
        ];
        let want = "\
::error file=a%2Cb%3A100%25.cxspec,line=2,col=1,endLine=2,endColumn=3,title=CX0914::100%25%0Asure: yes, no%0Aa,b:100%25.cxspec:1:1: there
::warning file=a%2Cb%3A100%25.cxspec,line=1,col=1,endLine=2,endColumn=3,title=CX0914::w%0Anote: why%0Ahelp: do
::notice file=a%2Cb%3A100%25.cxspec,line=2,col=1,endLine=2,endColumn=1,title=CX0914::n%0D
::error title=CX0901::no place
";
        assert_eq!(lines(&findings, &sources), want);
    }
}
