//! What documentation says, as text that people review, and what no input may do to it.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::backend::File;
use lapis_cx::diagnostic::render::{Style, render};
use lapis_cx::driver::{Effort, Imports, NoVerdicts, Outcome, SourceText, Unjudged, compile};
use lapis_cx_backend_docs::{Format, Guide, Input, Spec, print};

const FORMATS: [Format; 3] = [Format::Html, Format::Markdown, Format::AsciiDoc];

struct Beside(Vec<PathBuf>);

impl Imports for Beside {
    fn files(&mut self) -> Vec<SourceText> {
        self.0.iter().map(|path| source(path)).collect()
    }
}

fn source(path: &Path) -> SourceText {
    SourceText { name: path.file_name().unwrap().to_str().unwrap().to_owned(), bytes: fs::read(path).unwrap() }
}

fn specs(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut specs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "cxspec")).collect();
    specs.sort();
    specs
}

fn documented(outcome: &Outcome, guides: &[Guide<'_>], format: Format) -> Vec<File> {
    let contract = outcome.contract.as_ref().unwrap();
    let guides = guides.iter().map(|guide| Guide { ..*guide }).collect();
    let specs = vec![Spec { name: "case.cxspec", contract, sources: &outcome.sources }];
    print(&Input { title: "Case", specs, guides, backends: lapis_cx_backends::all() }, format).unwrap()
}

fn compiled(root: SourceText, imports: &mut dyn Imports, runs: bool) -> Outcome {
    let outcome = if runs {
        compile(root, imports, &mut NoVerdicts, Effort::Build, &[])
    } else {
        compile(root, imports, &mut Unjudged, Effort::Build, &[])
    };
    assert!(!outcome.has_errors(), "{}", render(&outcome.diagnostics, &outcome.sources, Style::GOLDEN));
    outcome
}

/// Each case beside what it becomes: `.md` and `.adoc`, the pages one after the other.
#[test]
fn cases_are_documented_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let cases = specs(&folder);
    assert!(cases.len() >= 3);
    for case in cases {
        let outcome = compiled(source(&case), &mut Beside(Vec::new()), true);
        for (format, ending) in [(Format::Markdown, "md"), (Format::AsciiDoc, "adoc")] {
            let pages = documented(&outcome, &[], format);
            let pages = pages.iter().filter(|file| file.path.ends_with(ending));
            let text: String = pages.map(|file| format!("<!-- {} -->\n\n{}\n", file.path, file.text)).collect();
            golden(&case.with_extension(ending), &text);
        }
    }
}

fn golden(path: &Path, text: &str) {
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        return fs::write(path, text).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    let line = expected.lines().zip(text.lines()).position(|(a, b)| a != b).map_or(0, |at| at + 1);
    assert!(expected == text, "{} differs from line {line} on; BLESS=1 writes it anew", path.display());
}

/// The elements of a page are closed in the order in which they are open.
fn assert_well_formed(name: &str, html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("{name}: `<{piece}` does not end"));
        assert!(!text.contains('>'), "{name}: a `>` in {text:?}");
        let word = tag.split([' ', '\n']).next().unwrap();
        match word.strip_prefix('/') {
            Some(word) => assert_eq!(open.pop(), Some(word), "{name}: </{word}>"),
            None if tag.ends_with('/') || tag.starts_with('!') => {}
            None if ["meta", "link", "input", "img", "br", "hr"].contains(&word) => {}
            None => open.push(word),
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} are open");
}

/// Every good case of the compiler has documentation in every format.
#[test]
fn everything_that_compiles_can_be_documented() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lapis-cx/compiler/tests/cases/ok");
    let cases = specs(&folder);
    assert!(cases.len() > 25);
    for case in cases {
        let outcome = compiled(source(&case), &mut Beside(specs(&case.with_extension(""))), false);
        for format in FORMATS {
            let files = documented(&outcome, &[], format);
            assert!(files.len() > 1 || outcome.contract.as_ref().unwrap().items.is_empty(), "{}", case.display());
            for file in files.iter().filter(|file| file.path.ends_with(".html")) {
                assert_well_formed(&format!("{} {}", case.display(), file.path), &file.text);
            }
        }
    }
}

/// Text that means something to a format stays text.
const HOSTILE: [&str; 17] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "....",
    "----",
    "|===",
    "]] ++++ {empty} `+x+`",
    "<!-- --> <?php ?> &lt; &#60;",
    "![picture](https://example.org/x.png)",
    "Text \\![picture](https://example.org/y.png)",
    ",===",
    "NOTE: term:: a. x",
    "\\- dash, 1\\. one, ((a + b) * (c + d)) ... (C) x--y (((z)))",
    "```\n    /// include::/etc/hostname[]\n    /// ifdef::x[]\n    /// ```",
    "~~~a`b\n    /// <script>alert(2)</script>\n    /// ~~~",
    "> outer\n    /// > > inner\n    /// >\n    /// > after",
    "## Main",
];

#[test]
fn documentation_does_not_become_markup() {
    let docs: String = HOSTILE.iter().map(|line| format!("    /// {line}\n    ///\n")).collect();
    let title = HOSTILE[0].replace('"', "");
    let text = format!(
        "cxspec 1;\npackage org.example.hostile;\n{docs}interface Hostile {{\n    uuid auto;\n    state exclusive {{ x: u1 = 0; }}\n    error bad = 1 \"{title}\";\n\
         {docs}    command c = 0 : R (a: word) -> word {{ return a; }}\n    example \"{title}\" {{ c(1) == 1; }}\n}}\n"
    );
    let outcome = compiled(SourceText { name: "h".into(), bytes: text.into() }, &mut Beside(Vec::new()), true);
    let guide = HOSTILE.join("\n\n").replace("\n    /// ", "\n");
    let guides = [Guide { path: "hostile.md", text: &guide }];
    for file in documented(&outcome, &guides, Format::Html).iter().filter(|file| file.path.ends_with(".html")) {
        assert_well_formed(&file.path, &file.text);
        assert_eq!(file.text.matches("<script").count(), 1, "{}", file.path);
        for bad in ["<img src=x", "javascript:", "<?php", "src=\"http"] {
            assert!(!file.text.replace("&lt;img src=x", "").contains(bad), "{}: {bad}", file.path);
        }
    }
    for file in documented(&outcome, &guides, Format::Markdown).iter().filter(|file| file.path.ends_with(".md")) {
        let images = file.text.replace("\\!", "");
        let images = images.lines().filter(|line| line.contains("!["));
        assert!(images.clone().all(|line| line.ends_with(".svg)")), "{}: {:?}", file.path, images.collect::<Vec<_>>());
    }
    // A block of AsciiDoc is closed where it was opened, whatever the text in it.
    for file in documented(&outcome, &guides, Format::AsciiDoc) {
        let fences = file.text.lines().filter(|line| *line == "....").count();
        assert_eq!(fences % 2, 0, "{}:\n{}", file.path, file.text);
        let tables = file.text.lines().filter(|line| *line == "|===").count();
        assert_eq!(tables % 2, 0, "{}", file.path);
    }
}

#[test]
fn deep_and_long_prose_is_answered() {
    let empty = SourceText { name: "e".into(), bytes: b"cxspec 1;\npackage org.example.e;\n".to_vec() };
    let outcome = compiled(empty, &mut Beside(Vec::new()), true);
    for text in ["> ".repeat(20_000) + "x", "- ".repeat(5_000) + "x", "*a ".repeat(20_000), "[".repeat(20_000)] {
        for format in FORMATS {
            let files = documented(&outcome, &[Guide { path: "deep.md", text: &text }], format);
            assert!(files.iter().any(|file| file.path.starts_with("guide/deep")));
        }
    }
}

#[test]
fn paths_stay_apart_also_where_case_does_not_count() {
    let empty = SourceText { name: "e".into(), bytes: b"cxspec 1;\npackage org.example.e;\n".to_vec() };
    let outcome = compiled(empty, &mut Beside(Vec::new()), true);
    let guides = ["a/One.md", "a/one.md", "a/b/../one.md", "a/..md", "a/ö .md"].map(|path| Guide { path, text: "x" });
    let files = documented(&outcome, &guides, Format::Html);
    let mut paths: Vec<String> = files.iter().map(|file| file.path.to_lowercase()).collect();
    let count = paths.len();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), count, "{paths:?}");
    assert!(paths.iter().all(|path| !path.contains("..") && path.is_ascii()), "{paths:?}");
}
