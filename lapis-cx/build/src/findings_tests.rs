#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::diagnostic::Code;
use lapis_cx::source::{FileId, Span};

use super::*;

const TEXT: &str = "cxspec 1;\npackage a.b;\n\tinterface Fööö {\n    command f = 0 : R ();\n}\n";

fn finding(severity: Severity) -> Diagnostic {
    Diagnostic { code: Code(42), severity, message: "a thing is wrong".into(), labels: vec![], help: None, note: None }
}

fn span(file: u32, text: &str, of: &str) -> Span {
    let start = of.find(text).unwrap() as u32;
    Span { file: FileId(file), start, end: start + text.len() as u32 }
}

fn show_one(finding: Diagnostic, text: &str) -> String {
    let mut sources = SourceMap::new();
    sources.add("a.cxspec", text);
    show(&[finding], &sources)
}

#[test]
fn one_finding_with_everything() {
    let mut sources = SourceMap::new();
    sources.add("a.cxspec", TEXT);
    sources.add("dir/b.cxspec", "cxspec 1;\nb\n");
    let one = finding(Severity::Error)
        .label(span(0, "Fööö", TEXT), "this")
        .label(span(0, "command", TEXT), "")
        .label(span(1, "b", "cxspec 1;\nb\n"), "first declared here")
        .note("because it is so, and it will stay so as long as this sentence is long enough to be wrapped into two lines")
        .help("do\n  this");
    let want = "\
error[CX0042]: a thing is wrong
 --> a.cxspec:3:12
  |
3 |     interface Fööö {
  |               ^^^^ this
4 |     command f = 0 : R ();
  |     -------
  |
 ::: dir/b.cxspec:2:1
  |
2 | b
  | - first declared here
  |
  = note: because it is so, and it will stay so as long as this sentence is long enough to be
          wrapped into two lines
  = help: do
            this

";
    let got = show(&[one], &sources);
    assert_eq!(got, want, "\n{got}");
}

#[test]
fn a_terminal_is_never_told_what_to_do() {
    let text = "x \x1b[31m y \u{202e} z \u{9b} \r w\r\n";
    let mut sources = SourceMap::new();
    sources.add("a\x1b.cxspec", text);
    let one = Diagnostic { message: format!("bad `{text}`"), ..finding(Severity::Error) };
    let got = show(&[one.label(span(0, "w", text), text).note(text)], &sources);
    let got = got + &line(&finding(Severity::Warning).label(span(0, "w", text), "").note(text), &sources);
    assert!(!got.contains(['\x1b', '\u{202e}', '\u{9b}', '\r']), "{got:?}");
}

#[test]
fn long_lines_and_long_spans_stay_short() {
    let text = format!("cxspec 1;\n{}\n{}", "y".repeat(100_000), "z\n".repeat(1000));
    let at = Span { file: FileId(0), start: 500, end: 501 };
    let got = show_one(finding(Severity::Error).label(at, "here"), &text);
    assert!(got.contains("a.cxspec:2:491") && got.contains("here") && got.len() < 1000, "{got}");
    let start = text.find('z').unwrap() as u32 + 2;
    let all = Span { file: FileId(0), start, end: text.len() as u32 };
    let got = show_one(finding(Severity::Error).label(all, "all"), &text);
    assert!(got.contains("all") && got.len() < 1000, "{got}");
}

#[test]
fn every_pair_of_spans_is_shown() {
    for text in ["", "\n", "a", "é\n", "ab\r\ncd\r\n", "\tx\n\n y", "a\rb\n\u{feff}"] {
        let all = 0..=text.len() as u32 + 2;
        let spans: Vec<Span> = all
            .clone()
            .flat_map(|start| all.clone().map(move |end| Span { file: FileId(0), start, end }))
            .chain([Span { file: FileId(9), start: 3, end: 1 }])
            .collect();
        for &a in &spans {
            for &b in &spans {
                let got = show_one(finding(Severity::Error).label(a, "one").label(b, "two"), text);
                let has = |span: Span, words| span.file.0 == 9 || got.contains(words);
                assert!(has(a, "one") && has(b, "two"), "{text:?} {a:?} {b:?}\n{got}");
            }
        }
    }
}

#[test]
fn of_many_findings_the_most_severe_are_shown() {
    let many: Vec<_> = (0..200)
        .map(|i| {
            let severity = if i == 150 { Severity::Error } else { Severity::Warning };
            Diagnostic { message: format!("number {i}!"), ..finding(severity) }
        })
        .collect();
    let got = show(&many, &SourceMap::new());
    assert!(got.contains("number 48!") && !got.contains("number 49!") && got.contains("number 150!"), "{got}");
    assert!(got.ends_with("\n... and 150 more\n\n"), "{got}");
}
