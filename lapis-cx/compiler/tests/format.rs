//! The style, shown: each `tests/format/*.cxspec` is formatted to the `.out` beside it. `BLESS=1 cargo test -p lapis-cx
//! --test format` writes these anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::path::Path;

use lapis_cx::format::format;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{Tree, parse};

fn tree(text: &str) -> Tree {
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    parse(&sources, file).0
}

#[test]
fn files_are_formatted_to_those_beside_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "cxspec"));
    files.sort();
    assert!(files.len() >= 8);
    let mut wrong = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let got = format(&tree(&text)).unwrap_or_else(|| panic!("{} has mistakes", path.display()));
        let golden = path.with_extension("out");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, got).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if got != expected {
            writeln!(wrong, "---- {}\n-- expected\n{expected}-- got\n{got}", path.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

const SMALL: &str = "cxspec 1;\npackage a;\n\nutility_free interface";

#[test]
fn a_file_with_mistakes_is_not_formatted() {
    for text in ["cxspec 1;\npackage a;\nconst X = ;\n", "cxspec 1;\npackage a;\nlaw l(): \"open;\n", SMALL, "\0"] {
        assert_eq!(format(&tree(text)), None, "{text:?}");
    }
}

/// A file of a system with other line ends stays one, and its code texts stay whatever they are.
#[test]
fn line_ends_are_those_of_the_first_line() {
    let text = "cxspec 1;\r\npackage a;\nlibrary L {\nutility c\"\"\"\n x\r\n\"\"\"\r\nversion  \"1\"; // v\n}";
    let formatted = format(&tree(text)).unwrap();
    let expected = "cxspec 1;\r\npackage a;\r\nlibrary L {\r\n    utility c\"\"\"\n x\r\n\"\"\"\r\n    version \"1\";                        // v\r\n}\r\n";
    assert_eq!(formatted, expected);
    assert_eq!(format(&tree(&formatted)).unwrap(), expected);
}

#[test]
fn a_byte_order_mark_goes() {
    assert_eq!(format(&tree("\u{feff}cxspec 1;\npackage a;")).unwrap(), "cxspec 1;\npackage a;\n");
    assert_eq!(format(&tree("\u{feff}// c\ncxspec 1;\npackage a;")).unwrap(), "// c\ncxspec 1;\npackage a;\n");
}

/// As deep as text may nest: no stack is exhausted, also not that of a small thread.
#[test]
fn deep_nesting_is_formatted() {
    let deep = |open: &str, inner: &str, close: &str| {
        let body = format!("{}{inner}{}", open.repeat(80), close.repeat(80));
        let text = format!("cxspec 1;\npackage a;\nfn f(x: u8) -> u8 {{ {body} }}\n");
        let once = format(&tree(&text)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(format(&tree(&once)).unwrap(), once);
    };
    let run = move || {
        deep("if (x == 1) { ", "return x;", " } else { return 1; }");
        deep("if (x == 1) { return 1; }\nelse { ", "return x;", " }");
        deep("for i in 0..2 { ", "return x;", " }");
    };
    let nested = |open: &str, close: &str| {
        let value = format!("{}x{}", open.repeat(80), close.repeat(80));
        let once = format(&tree(&format!("cxspec 1;\npackage a;\nconst X = {value};"))).unwrap();
        assert_eq!(format(&tree(&once)).unwrap(), once);
    };
    let run = move || {
        run();
        nested("cat(1, ", ")");
        nested("(y + ", ")");
        nested("[\n", "]");
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}
