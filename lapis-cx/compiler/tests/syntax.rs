//! Broken files and what is said about them: each `tests/syntax/*.cxspec` has a `.txt` beside it with the findings.
//! `BLESS=1 cargo test -p lapis-cx --test syntax` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use lapis_cx::diagnostic::{Diagnostic, catalogue};
use lapis_cx::source::SourceMap;
use lapis_cx::syntax;

/// Findings as plain text: code, message, then per label its place, the marked text and its words, then help and note.
fn findings(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    let (tree, diagnostics) = syntax::parse(&sources, file);
    let joined: String = tree.root().leaves().map(|l| l.text()).collect();
    assert_eq!(joined, text);
    let mut out = String::new();
    for Diagnostic { code, message, labels, help, note, .. } in &diagnostics {
        writeln!(out, "{code}: {message}").unwrap();
        for label in labels {
            let place = sources.get(file).unwrap().line_column(label.span.start);
            let marked = sources.text(label.span).lines().next().unwrap_or_default();
            writeln!(out, "  {}:{} `{marked}` {}", place.line, place.column, label.text).unwrap();
        }
        for (name, words) in [("help", help), ("note", note)] {
            if let Some(words) = words {
                writeln!(out, "  {name}: {words}").unwrap();
            }
        }
    }
    out
}

fn specs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "cxspec"));
    files.sort();
    files
}

#[test]
fn broken_files_give_the_findings_beside_them() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    let files = specs("tests/syntax");
    assert!(files.len() >= 25);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let got = findings(&text);
        let golden = path.with_extension("txt");
        if bless {
            std::fs::write(&golden, got).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if got != expected {
            writeln!(wrong, "---- {}\n-- expected\n{expected}-- got\n{got}", path.display()).unwrap();
        }
        // CR LF changes neither what is found nor where.
        if !text.contains("\r\n") {
            let crlf = findings(&text.replace('\n', "\r\n"));
            assert_eq!(crlf, got, "{} with CR LF", path.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn shipped_specs_have_no_findings() {
    let files = specs("../../specs");
    assert!(files.len() >= 4);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(findings(&text), "", "{}", path.display());
        assert_eq!(findings(&text.replace('\n', "\r\n")), "", "{} with CR LF", path.display());
        assert_eq!(findings(&format!("\u{feff}{text}")), "", "{} with a byte order mark", path.display());
    }
}

#[test]
fn examples_of_the_catalogue() {
    for entry in catalogue::syntax::ALL.iter().filter(|e| !e.bad.is_empty()) {
        let found = findings(entry.bad);
        let codes: Vec<_> = found.lines().filter(|l| !l.starts_with(' ')).collect();
        assert!(
            matches!(codes.as_slice(), [one] if one.starts_with(&entry.code.to_string())),
            "{}: {found}",
            entry.code
        );
        assert_eq!(findings(entry.good), "", "{}", entry.code);
    }
}
