//! Any text gives a tree that is the text, and findings that lie in it.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{self, Kind, Node};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const TOKENS: &[&str] = &[
    "cxspec 1;",
    "package a.b;",
    "use a.b:C;",
    "interface",
    "library",
    "platform",
    "const",
    "fn",
    "enum",
    "state",
    "csr",
    "error",
    "command",
    "example",
    "law",
    "uuid",
    "short",
    "xlen",
    "contract",
    "xintf",
    "refines",
    "auto",
    "for",
    "in",
    "imm",
    "let",
    "var",
    "if",
    "else",
    "match",
    "return",
    "raise",
    "raises",
    "trap",
    "reset",
    "true",
    "false",
    "exclusive",
    "rw",
    "a",
    "b_c",
    "X",
    "word",
    "u<8>",
    "u8",
    "0",
    "42",
    "0xFF",
    "0b1u8",
    "0xZ",
    "\"text\"",
    "\"",
    "\"\"\"",
    "/// doc\n",
    "// comment\n",
    "/*",
    "*/",
    "/",
    ";",
    ",",
    ".",
    "..",
    ":",
    "=",
    "->",
    "=>",
    "@",
    "?",
    "|",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "+:",
    "||",
    "&&",
    "==",
    "!=",
    "<=",
    ">=",
    "^",
    "&",
    "<<",
    ">>",
    "+",
    "-",
    "+%",
    "*%",
    "*",
    "%",
    "~",
    "!",
    "+%=",
    "^=",
    "_",
    "__",
    "\n",
    "\r\n",
    " ",
    "\t",
    "é",
    "“",
    "\u{a0}",
    "'",
    "#",
    "\\",
    "command c = 0 : R () -> word {",
    "interface X {",
    "x = 3;",
    "if (a) {",
    "} else {",
    "return a;",
    "match (a) {",
    "0 => { }",
    "library X {",
    "func f(a: int) -> int {",
    "a: in [u8; n],",
    "\"int *\" as",
    "new",
    "own",
    "until",
    "match (a) { _ =>",
    "defaults {",
    "group g {",
    "handle",
    "struct",
    "async returns",
    "fails",
    "arg p[]",
    "when (a) {",
    "set a = b;",
    "c\"\"\"x\"\"\"",
    "replace",
    "impl {",
    "with X as m {",
    "...",
    "on",
    "resource",
    "xcmds 8;",
    "levels u, m;",
    "device",
    "unit 0 =",
    "lun 32 = X {",
    "u, s -> d.0;",
    "discover a.b:C {",
    "0 at u -> lun 32;",
    "cxu 0 = X {",
    "level 1;",
    "omits",
];

fn specs() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs");
    let mut specs: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "cxspec"))
        .map(|p| std::fs::read_to_string(p).unwrap())
        .collect();
    specs.sort();
    specs
}

fn check(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    let (tree, diagnostics) = syntax::parse(&sources, file);
    let root = tree.root();
    let joined: String = root.leaves().map(|l| l.text()).collect();
    assert_eq!(joined, text);
    assert_eq!(root.kind(), Kind::file);
    for node in root.descendants(|_| true) {
        well_formed(node);
    }
    // A mistake in the tree has a finding, and a finding is marked in the tree, but for those about the file's head.
    let bad = root.descendants(|n| n.is_bad()).next().is_some();
    assert!(!bad || root.is_broken(), "{text:?}");
    assert!(!root.is_broken() || !diagnostics.is_empty(), "{text:?}");
    assert!(root.is_broken() || diagnostics.iter().all(|d| matches!(d.code.0, 6..=8)), "{text:?} {diagnostics:?}");
    for diagnostic in &diagnostics {
        assert!(!diagnostic.labels.is_empty());
        for label in &diagnostic.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(label.span.file == file && start <= end, "{diagnostic:?}");
            assert!(text.get(start..end).is_some(), "{diagnostic:?} in {text:?}");
        }
    }
    // One mistake, one finding: never two at one place.
    let mut places: Vec<_> = diagnostics.iter().map(|d| (d.span(), d.code)).collect();
    places.dedup();
    assert_eq!(places.len(), diagnostics.len(), "{text:?}");
}

fn well_formed(node: Node<'_>) {
    let mut at = node.span().start;
    let mut last = None;
    for child in node.all_children() {
        assert_eq!(child.span().start, at, "{child:?} in {node:?}");
        assert!(child.span().end >= at);
        at = child.span().end;
        last = Some(child);
    }
    if last.is_some() {
        assert_eq!(at, node.span().end, "{node:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn token_soup(tokens in prop::collection::vec(select(TOKENS), 0..60), blanks: bool) {
        check(&tokens.join(if blanks { " " } else { "" }));
    }

    #[test]
    fn token_soup_in_an_interface(tokens in prop::collection::vec(select(TOKENS), 0..40)) {
        check(&format!("cxspec 1;\npackage a.b;\ninterface X {{\n{}\n}}\n", tokens.join(" ")));
        check(&format!("cxspec 1;\npackage a.b;\nfn f(a: u8) -> u8 {{\n{}\n}}\n", tokens.join(" ")));
        check(&format!("cxspec 1;\npackage a.b;\nlibrary X {{\n{}\n}}\n", tokens.join(" ")));
        check(&format!("cxspec 1;\npackage a.b;\nlibrary X {{ func f({}", tokens.join(" ")));
        check(&format!("cxspec 1;\npackage a.b;\nlibrary X {{ func f(a: int) -> int {{\n{}\n}} }}\n", tokens.join(" ")));
        check(&format!("cxspec 1;\npackage a.b;\nplatform P {{\n{}\n}}\n", tokens.join(" ")));
    }

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        check(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn cut_specs(spec in select(specs()), cut: Index) {
        let chars: Vec<char> = spec.chars().collect();
        check(&chars[..cut.index(chars.len() + 1)].iter().collect::<String>());
    }

    #[test]
    fn mutated_specs(spec in select(specs()), changes in prop::collection::vec((any::<Index>(), 0..12usize, select(TOKENS)), 1..5)) {
        let mut chars: Vec<char> = spec.chars().collect();
        for (place, remove, token) in changes {
            let at = place.index(chars.len() + 1);
            let end = (at + remove).min(chars.len());
            chars.splice(at..end, token.chars());
        }
        check(&chars.into_iter().collect::<String>());
    }
}

/// Leaving out any one token of a spec gives few findings, and never panics.
#[test]
fn a_missing_token_does_not_cascade() {
    let mut cascades = String::new();
    let (mut sum, mut files) = (0, 0);
    for spec in specs() {
        let mut sources = SourceMap::new();
        let file = sources.add("t", spec.as_str());
        let (tree, _) = syntax::parse(&sources, file);
        let leaves: Vec<_> = tree.root().leaves().filter(|l| !l.is_trivia() && l.kind() != Kind::raw_string).collect();
        // The time is quadratic: of a long spec every so many tokens are left out, other ones in each file; all of them in the
        // long variant.
        let step = if std::env::var_os("CX_LONG").is_some() { 1 } else { (leaves.len() / 200).max(1) };
        for leaf in leaves.into_iter().step_by(step) {
            let (start, end) = (leaf.span().start as usize, leaf.span().end as usize);
            let text = format!("{} {}", &spec[..start], &spec[end..]);
            let mut sources = SourceMap::new();
            let file = sources.add("t", text.as_str());
            let (_, diagnostics) = syntax::parse(&sources, file);
            sum += diagnostics.len();
            files += 1;
            if diagnostics.len() > 2 {
                let lines: Vec<_> = diagnostics.iter().map(|d| d.message.as_str()).collect();
                let around = &text[start.saturating_sub(60)..(start + 60).min(text.len())];
                cascades += &format!("without {leaf:?} {:?} in {around:?}: {lines:#?}\n", leaf.text());
            }
        }
    }
    assert!(files > 900);
    assert!(cascades.is_empty(), "{cascades}");
    // Some tokens may be left out: a name after `-`, documentation, an attribute's `@`.
    assert!(sum <= files, "{sum} findings for {files} missing tokens");
}
