//! The tree gives back the text, and broken text gives findings.
#![allow(clippy::unwrap_used)]

use lapis_cx::source::SourceMap;
use lapis_cx::syntax;

fn round_trip(text: &str) -> usize {
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    let (tree, diagnostics) = syntax::parse(&sources, file);
    let joined: String = tree.root().leaves().map(|l| l.text()).collect();
    assert_eq!(joined, text);
    for d in &diagnostics {
        eprintln!("{}: {} {:?}", d.code, d.message, sources.text(d.labels[0].span));
    }
    diagnostics.len()
}

#[test]
fn shipped_specs_parse_and_round_trip() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "cxspec") {
            assert_eq!(round_trip(&std::fs::read_to_string(&path).unwrap()), 0, "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 4);
}

#[test]
fn broken_text_round_trips() {
    assert!(
        round_trip(
            "cxspec 1;\npackage a.b;\ninterface X {\n command m = 0 : R (a: word b: word) -> word { return a; }\n const X = 4;\n}\n"
        ) == 1
    );
    assert!(
        round_trip(
            "cxspec 1;\npackage a.b;\ninterface X {\n command m = 0 : R (a: word) -> word { let x = 3 \n return a; }\n} const Y = ;"
        ) == 2
    );
    assert!(
        round_trip(
            "cxspec 1;\npackage a.b;\ninterface X {\n command m = 0 : R (a: word) -> word { return a; \n\n command n = 1 : R () { } }"
        ) == 1
    );
}
