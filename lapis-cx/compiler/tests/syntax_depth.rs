//! Deep and long text is refused with a finding, or read; neither exhausts the 2 MiB stack of a test's thread.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{self, Kind, MAX_DEPTH, MAX_HEIGHT};

/// The codes and messages found in a constant, or with `in_body`, in a function.
fn findings(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    let (tree, diagnostics) = syntax::parse(&sources, file);
    let joined: usize = tree.root().leaves().map(|l| l.text().len()).sum();
    assert_eq!(joined, text.len());
    diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

fn constant(value: &str) -> Vec<String> {
    findings(&format!("cxspec 1;\npackage a;\nconst X = {value};\n"))
}

fn body(statements: &str) -> Vec<String> {
    findings(&format!("cxspec 1;\npackage a;\nfn f(a: u8) -> u8 {{ {statements} }}\n"))
}

fn too_deep(found: &[String]) -> bool {
    matches!(found, [one] if one.starts_with("CX0004"))
}

const MANY: usize = 200_000;

#[test]
fn brackets_at_the_limit_are_read() {
    let depth = MAX_DEPTH as usize;
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("f(", ")"),
        ("a[", "]"),
        ("a[0:", "]"),
        ("a[0 +: ", "]"),
        ("-(", ")"),
        ("a + (", ")"),
        ("a.b(", ")"),
        ("f(x: ", ")"),
        ("[for i in 0..3 => ", "]"),
    ] {
        let text = format!("{}a{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(constant(&text), Vec::<String>::new(), "{open}");
        let text = format!("{}a{}", open.repeat(depth + 1), close.repeat(depth + 1));
        assert!(too_deep(&constant(&text)), "{open}");
    }
    // The function's own brace is one level.
    for open in ["if (a) {", "for i in 0..3 {", "match (a) { _ => {"] {
        let braces = open.matches('{').count();
        let fits = (depth - 1) / braces;
        let text = |n: usize| format!("{}{}", open.repeat(n), "}".repeat(n * braces));
        assert_eq!(body(&text(fits)), Vec::<String>::new(), "{open}");
        assert!(too_deep(&body(&text(fits + 1))), "{open}");
    }
}

#[test]
fn mistakes_at_the_limit_are_explained() {
    let depth = MAX_DEPTH as usize - 1;
    for open in ["(", "[", "f(", "a[", "a[0:", "-(", "[for i in 0..3 => ", "[1, "] {
        let found = constant(&open.repeat(depth));
        assert!(matches!(found.as_slice(), [_]), "{open}: {found:?}");
        let found = body(&format!("let x = {}; let y = 3; retrun y;", open.repeat(depth)));
        assert!(matches!(found.as_slice(), [_, _]), "{open}: {found:?}");
        let found = findings(&format!("cxspec 1;\npackage a;\nfn f(a: {}", open.repeat(depth)));
        assert!(!found.is_empty() && found.len() <= 2, "{open}: {found:?}");
    }
    for open in ["if (a) {", "{", "for i in 0..3 {", "while (x) {", "x {", "if (a) { x = ;"] {
        let found = body(&open.repeat(depth - 1));
        assert!(!found.is_empty(), "{open}");
        findings(&format!("cxspec 1;\npackage a;\ninterface X {{ {}", open.repeat(depth - 1)));
        findings(&format!("cxspec 1;\npackage a;\nlibrary X {{ {}", open.repeat(depth - 1)));
    }
}

#[test]
fn endless_nesting_is_refused() {
    for open in [
        "(",
        "[",
        "{",
        "f(",
        "a[0:",
        "if (a) { x = 1; } else { ",
        "a.b(",
        "-(",
        "match (a) { _ => { ",
        "[for i in 0..3 => ",
    ] {
        for text in [
            open.repeat(MANY),
            format!("interface X {{ {}", open.repeat(MANY)),
            format!("library X {{ {}", open.repeat(MANY)),
        ] {
            let text = format!("cxspec 1;\npackage a;\n{text}");
            assert!(too_deep(&findings(&text)), "{open}");
        }
        assert!(too_deep(&constant(&open.repeat(MANY))), "{open}");
        assert!(too_deep(&body(&open.repeat(MANY))), "{open}");
    }
    assert!(too_deep(&constant(&format!("{}a{}", "(".repeat(MANY), ")".repeat(MANY)))));
    assert!(too_deep(&body(&format!("if (a) {{ }} {}", "else if (a) { } ".repeat(MANY)))));
    assert!(too_deep(&body(&"if (a) ".repeat(MANY))));
    assert!(too_deep(&constant(&format!("{}a", "a ? b : ".repeat(MANY)))));
    assert!(too_deep(&constant(&"a ? ".repeat(MANY))));
}

/// Brackets in strings and in documentation are text. What looks ahead over brackets must not count them either.
#[test]
fn brackets_in_text_nest_nothing() {
    for bracket in ["(", "[", "{"] {
        // Enough to exhaust the stack if each were one call.
        let many = bracket.repeat(MANY / 10);
        let close = match bracket {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        for quoted in [format!("\"{many}\""), format!("\"\"\"{many}\"\"\""), format!("\n/// {many}\n")] {
            let group = format!("{bracket}{quoted}{close}");
            for text in [
                format!("library L {{ func f(x: match strcmp{group} {{ _ => int; }}); }}"),
                format!("library L {{ func f(x: in {group}); }}"),
                format!("library L {{ func f(x: in [{quoted} as u8; n], y: ({quoted}, z: int)); }}"),
                format!("library L {{ func f(x: match (x) {{ {quoted} }}) {{ when (a) {{ b{group}; }} }} }}"),
                format!("interface X {{ example {{ x == 1 f{group} == 2; }} }}"),
                format!("fn f() -> u8 {{ let x = a y{group} = 1; x{group} = 2; }}"),
                format!("interface X {{ command c = 0 : R (a: u8{group}) -> word {group} }}"),
            ] {
                let found = findings(&format!("cxspec 1;\npackage a;\n{text}\n"));
                assert!(!too_deep(&found), "{bracket}: {:.100}: {found:?}", text);
            }
        }
    }
}

#[test]
fn types_of_libraries_nest_to_the_limit() {
    let library = |ty: &str| findings(&format!("cxspec 1;\npackage a;\nlibrary L {{ func f(p: {ty}) -> int; }}\n"));
    // Neither a stack nor a list of findings grows with these.
    let mut texts =
        ["[ { } ", "( { } x ", "(y: [u8; 1], z: ", "match (x) _ => "].map(|part| part.repeat(MANY)).to_vec();
    // How many levels of brackets one step takes; the library and the parameters are two.
    for (open, close, levels) in [
        ("in [", "; 1]", 1),
        ("match (x) { _ => ", "; }", 1),
        ("match (x) { _ => (y: ", "); }", 2),
        ("in [match (x) { _ => ", "; }; 1]", 2),
    ] {
        let fits = (MAX_DEPTH as usize - 2) / levels;
        // The arguments of the innermost condition are one level more.
        let text = |n: usize| format!("{}u8{}", open.repeat(n), close.repeat(n));
        assert_eq!(library(&text(fits - 1)), Vec::<String>::new(), "{open}");
        assert!(too_deep(&library(&text(fits + 1))), "{open}");
        texts.extend([open.repeat(MANY), text(MANY)]);
        for n in [30, 60, 90].map(|n| n / levels) {
            for broken in ["", "=", "(", "{", "[", "}", ";", "match (", "in [u8 1]"] {
                library(&format!("{}{broken}", open.repeat(n)));
                library(&format!("{}{broken}{}", open.repeat(n), close.repeat(n)));
            }
        }
    }
    for text in texts {
        let found = library(&text);
        let start: String = text.chars().take(20).collect();
        assert!(!found.is_empty() && found.len() < 10, "{start}… gives {} findings: {:?}", found.len(), found.first());
    }
    // Mistakes side by side do not add up to nesting.
    let broken = "func f(a: match (x) { _ => u8; }, b: int -> int { sync; }\n".repeat(1000);
    let found = findings(&format!("cxspec 1;\npackage a;\nlibrary L {{ {broken} }}\n"));
    assert_eq!(found.len(), 1000);
}

#[test]
fn chains_at_the_limit_are_read() {
    let depth = MAX_DEPTH as usize;
    let ladder = |n: usize| format!("if (a) {{ }} {}", "else if (a) { } ".repeat(n));
    assert_eq!(body(&ladder(depth - 1)), Vec::<String>::new());
    assert!(too_deep(&body(&ladder(depth + 1))));
    let ladder = |n: usize| format!("{}a", "a ? b : ".repeat(n));
    assert_eq!(constant(&ladder(depth)), Vec::<String>::new());
    assert!(too_deep(&constant(&ladder(2 * depth + 1))));
    // Chains within brackets within chains add up.
    let chains = |link: &str, open: &str| format!("{}{open}", link.repeat(199)).repeat(90);
    assert!(too_deep(&constant(&chains("a ? ", "("))));
    assert!(too_deep(&constant(&chains("a ? b : ", "["))));
    assert!(too_deep(&body(&chains("if (a) ", "{ "))));
    let library = |ty: &str| findings(&format!("cxspec 1;\npackage a;\nlibrary L {{ func f(p: {ty}) -> int; }}\n"));
    assert!(too_deep(&library(&chains("match (x) _ => ", "(y: "))));
    assert!(!library(&"match (x) _ => ".repeat(199)).is_empty());
    // What merely follows one another is no chain.
    assert_eq!(body(&"if (a) { } else { } x = a ? b : c; ".repeat(1000)), Vec::<String>::new());
    assert_eq!(body(&"if (a) { } ".repeat(1000)), Vec::<String>::new());
}

#[test]
fn long_chains_of_operators_are_refused_where_they_stand() {
    let height = MAX_HEIGHT as usize - 10;
    for (text, part) in [("a", " + a"), ("a", "[0]"), ("a", ".b"), ("a", ".b(c)"), ("a", "[1:0]")] {
        assert_eq!(constant(&format!("{text}{}", part.repeat(height / 2))), Vec::<String>::new(), "{part}");
        let found = constant(&format!("{text}{}", part.repeat(20_000)));
        assert!(!found.is_empty() && found.iter().all(|f| f.starts_with("CX0004")), "{part}: {:?}", found.first());
    }
    for prefix in ["-", "~", "!", "- "] {
        let found = constant(&format!("{}a", prefix.repeat(20_000)));
        assert!(!found.is_empty() && found.iter().all(|f| f.starts_with("CX0004")), "{prefix}: {:?}", found.first());
    }
    // The rest of the file is still read.
    let text = format!("cxspec 1;\npackage a;\nconst X = a{};\nconst Y = 3;\n", " + a".repeat(100_000));
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    let (tree, _) = syntax::parse(&sources, file);
    assert_eq!(tree.root().children_of(Kind::const_item).count(), 2);
}

#[test]
fn long_lists_are_no_nesting() {
    let n = 20_000;
    assert_eq!(constant(&format!("[{}]", "1, ".repeat(n))), Vec::<String>::new());
    assert_eq!(body(&"x = 1; ".repeat(n)), Vec::<String>::new());
    assert_eq!(body(&format!("match (a) {{ {} }}", "1 => { } ".repeat(n))), Vec::<String>::new());
    assert_eq!(findings(&format!("cxspec 1;\npackage a{};\n", ".a".repeat(n))), Vec::<String>::new());
    assert_eq!(
        findings(&format!("cxspec 1;\npackage a;\n{}const X = 1;\n", "/// Text.\n".repeat(n))),
        Vec::<String>::new()
    );
    assert_eq!(body(&"// comment\n".repeat(n)), Vec::<String>::new());
    // Mistakes side by side do not add up to nesting.
    assert_eq!(body(&"x = (1; ".repeat(1000)).len(), 1000);
}
