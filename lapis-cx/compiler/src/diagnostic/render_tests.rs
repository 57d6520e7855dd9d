#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::diagnostic::Code;
use crate::source::FileId;

const TEXT: &str = "cxspec 1;\npackage a.b;\n\tinterface Fööö {\n    command f = 0 : R ();\n}\n";

fn finding(severity: Severity) -> Diagnostic {
    Diagnostic { code: Code(42), severity, message: "a thing is wrong".into(), labels: vec![], help: None, note: None }
}

fn map() -> SourceMap {
    let mut map = SourceMap::new();
    map.add("a.cxspec", TEXT);
    map.add("dir/b.cxspec", "cxspec 1;\nb\n");
    map
}

fn span(file: u32, text: &str, of: &str) -> Span {
    let start = of.find(text).unwrap() as u32;
    Span { file: FileId(file), start, end: start + text.len() as u32 }
}

#[test]
fn one_finding_with_everything() {
    let d = finding(Severity::Error)
        .label(span(0, "Fööö", TEXT), "this")
        .label(span(0, "command", TEXT), "")
        .label(span(1, "b", "cxspec 1;\nb\n"), "first declared here")
        .note("because it is so, and it will stay so as long as this sentence is long enough to be wrapped into two lines")
        .help("do\n  this");
    let want = "\
error[CX0042]

  × a thing is wrong
   ╭─[a.cxspec:3:12]
 2 │ package a.b;
 3 │     interface Fööö {
   ·               ──┬─
   ·                 ╰── this
 4 │     command f = 0 : R ();
   ·     ───────
 5 │ }
   ╰────
  --> dir/b.cxspec:2:1: first declared here
  note: because it is so, and it will stay so as long as this sentence is long enough to be wrapped
        into two lines
  help: do
          this
";
    let got = render_one(&d, &map(), Style::GOLDEN);
    assert_eq!(got, want, "\n{got}");
}

#[test]
fn ascii_and_colour() {
    let d = finding(Severity::Warning).label(span(0, "Fööö", TEXT), "this").help("do");
    let ascii = render_one(&d, &map(), Style { unicode: false, ..Style::GOLDEN });
    assert!(ascii.replace("Fööö", "").is_ascii(), "{ascii}");
    assert!(!ascii.contains('\x1b'), "{ascii}");
    let colour = render_one(&d, &map(), Style { color: true, ..Style::GOLDEN });
    assert!(colour.contains("\x1b["), "{colour}");
}

#[test]
fn far_labels_get_their_own_frames() {
    let text = format!("first\n{}last\n", "\n".repeat(20));
    let mut map = SourceMap::new();
    map.add("a.cxspec", text.as_str());
    let d = finding(Severity::Note).label(span(0, "last", &text), "").label(span(0, "first", &text), "");
    let got = render_one(&d, &map, Style::GOLDEN);
    assert!(got.contains("[a.cxspec:22:1]") && got.contains("[a.cxspec:1:1]"), "{got}");
}

#[test]
fn summaries_count() {
    let [note, warning, error] = [Severity::Note, Severity::Warning, Severity::Error].map(finding);
    assert_eq!(summary(&[]), None);
    assert_eq!(summary(std::slice::from_ref(&note)), None);
    assert_eq!(summary(std::slice::from_ref(&warning)).unwrap(), "1 warning");
    assert_eq!(summary(&[error.clone(), warning, note, error]).unwrap(), "2 errors, 1 warning");
}

#[test]
fn a_terminal_is_never_told_what_to_do() {
    let text = "x \x1b[31m y \u{202e} z \u{9b} \r w\r\n";
    let mut map = SourceMap::new();
    map.add("a\x1b.cxspec", text);
    let d = Diagnostic { message: format!("bad `{text}`"), ..finding(Severity::Error) }
        .label(span(0, "w", text), text)
        .note(text);
    let got = render_one(&d, &map, Style::GOLDEN);
    assert!(!got.contains(['\x1b', '\u{202e}', '\u{9b}', '\r']), "{got:?}");
    assert_eq!(clean(text).len(), text.len());
}

#[test]
fn long_lines_and_long_spans_stay_short() {
    let text = format!("cxspec 1;\n{}\n{}", "y".repeat(100_000), "z\n".repeat(1000));
    let mut map = SourceMap::new();
    map.add("a.cxspec", text.as_str());
    let long_line = finding(Severity::Error).label(Span { file: FileId(0), start: 500, end: 501 }, "here");
    let got = render_one(&long_line, &map, Style::GOLDEN);
    assert!(got.contains("--> a.cxspec:2:491: here") && got.len() < 1000, "{got}");
    let start = text.find('z').unwrap() as u32 + 2;
    let long_span = finding(Severity::Error).label(Span { file: FileId(0), start, end: text.len() as u32 }, "all");
    let got = render_one(&long_span, &map, Style::GOLDEN);
    assert!(got.contains("all") && got.len() < 1000, "{got}");
}

#[test]
fn every_pair_of_spans_renders() {
    for text in ["", "\n", "a", "é\n", "ab\r\ncd\r\n", "\tx\n\n y", "a\rb\n\u{feff}"] {
        let mut map = SourceMap::new();
        map.add("t", text);
        let all = 0..=text.len() as u32 + 2;
        let spans: Vec<Span> = all
            .clone()
            .flat_map(|start| all.clone().map(move |end| Span { file: FileId(0), start, end }))
            .chain([Span { file: FileId(9), start: 3, end: 1 }])
            .collect();
        for &a in &spans {
            for &b in &spans {
                let d = finding(Severity::Error).label(a, "one").label(b, "two");
                let got = render_one(&d, &map, Style::GOLDEN);
                assert!(got.contains("one") && got.contains("two"), "{text:?} {a:?} {b:?}\n{got}");
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
    let got = render(&many, &map(), Style::GOLDEN);
    assert!(got.contains("number 48!") && !got.contains("number 49!") && got.contains("number 150!"), "{got}");
    assert!(got.ends_with("\n… and 150 more\n\n1 error, 199 warnings\n"), "{got}");
    let ascii = render(&many, &map(), Style { unicode: false, ..Style::GOLDEN });
    assert!(ascii.contains("\n... and 150 more\n"), "{ascii}");
    let few = render(&many[..MOST_SHOWN], &map(), Style::GOLDEN);
    assert!(few.contains("number 49!") && !few.contains("more"), "{few}");
    let two = render(&many, &map(), Style { most: 2, ..Style::GOLDEN });
    assert!(two.contains("number 0!") && !two.contains("number 1!") && two.contains("number 150!"), "{two}");
    assert!(two.contains("\n… and 198 more\n"), "{two}");
    let all = render(&many, &map(), Style { most: 0, ..Style::GOLDEN });
    assert!(all.contains("number 199!") && !all.contains("more"), "{all}");
}

#[test]
fn only_the_lines_near_labels_are_prepared() {
    let text = format!("first\n{}last", "filler\n".repeat(10_000));
    let mut map = SourceMap::new();
    map.add("a.cxspec", text.as_str());
    let d = finding(Severity::Error).label(span(0, "last", &text), "").label(span(0, "first", &text), "");
    let (shown, _) = split_labels(&d, &map);
    let windows = shown.unwrap().windows;
    assert_eq!(
        windows.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
        ["first\nfiller\n", "filler\nlast\n"]
    );
}
