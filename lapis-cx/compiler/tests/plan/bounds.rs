//! Short texts that ask for plans without end get an answer.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use lapis_cx::driver::{Effort, NoImports, SourceText, Unjudged, compile};

/// The codes of all findings.
fn findings(items: &str) -> Vec<String> {
    let text = format!("cxspec 1; package org.example.bounds; library L {{ {items} }}");
    let root = SourceText { name: "bounds".to_owned(), bytes: text.into_bytes() };
    let outcome = compile(root, &mut NoImports, &mut Unjudged, Effort::Build, &[]);
    outcome.diagnostics.iter().map(|diagnostic| diagnostic.code.to_string()).collect()
}

/// Structs of which each points to the next so many times, and a function that takes the first.
fn structs(count: usize, pointers: usize, last: &str) -> String {
    let mut text = String::new();
    for n in 0..count {
        write!(text, "struct S{n} {{ ").unwrap();
        for pointer in 0..pointers {
            write!(text, "p{pointer}: in [S{}; 1]?; ", n + 1).unwrap();
        }
        text += "} ";
    }
    write!(text, "struct S{count} {{ {last} }} func f(p: in [S0; 1], amount: u32) -> void;").unwrap();
    text
}

#[test]
fn plans_are_bounded() {
    assert_eq!(findings(&structs(50, 2, "a: u32;")), Vec::<String>::new());
    assert_eq!(findings(&structs(3, 2, "a: in [u8; amount];")), Vec::<String>::new());
    // Each use of a struct that names what is around it has a plan of its own.
    assert_eq!(findings(&structs(30, 2, "a: in [u8; amount];")), ["CX0214"]);
    assert_eq!(findings(&structs(5000, 1, "a: u32;")), ["CX0214"]);
    // Lengths that need lengths.
    let chain = |count: usize, reads: &str| {
        let params = (0..count).map(|n| format!("p{n}: in [u8; {}]", reads.replace('#', &format!("p{}", n + 1))));
        format!("func f({}, p{count}: in [u8; 4]) -> void;", params.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(findings(&chain(10, "#[0] + #[1]")), Vec::<String>::new());
    assert_eq!(findings(&chain(40, "#[0] + #[1]")), ["CX0214"]);
    assert_eq!(findings(&chain(2000, "#[0]")), ["CX0214"]);
    // Many things are no deep ones.
    let many: String = (0..2000).map(|n| format!("func f{n}(p: in [u8; n], n: size) -> void; ")).collect();
    assert_eq!(findings(&many), Vec::<String>::new());
    let wide = (0..2000).map(|n| format!("p{n}: in [u8; n]")).collect::<Vec<_>>().join(", ");
    assert_eq!(findings(&format!("func f({wide}, n: size) -> void;")), Vec::<String>::new());
}

/// The engine decodes plans of at most 128 levels, and sizes of at most 1 GiB.
#[test]
fn plans_that_the_engine_cannot_decode_are_rejected() {
    // Named types, because text nests less deeply.
    let nested = |levels: usize, (open, close): (&str, &str)| {
        let half = |inner: &str, levels: usize| format!("{}{inner}{}", open.repeat(levels), close.repeat(levels));
        let (inner, outer) = (half("in [u8; 1]", levels / 2), half("T", levels - levels / 2));
        format!("type T = {inner}; func f(p: {outer}, k: int) -> void;")
    };
    let (lists, choices) = (("in [", "; 1]"), ("match (k) { 0 => ", "; _ => in [u8; 1]; }"));
    assert_eq!(findings(&nested(120, lists)), Vec::<String>::new());
    assert_eq!(findings(&nested(130, lists)), ["CX0004"]);
    assert_eq!(findings(&nested(60, choices)), Vec::<String>::new());
    assert_eq!(findings(&nested(65, choices)), ["CX0004"]);

    let array = |elements: &str| format!("struct S {{ a: u8{elements}; }} func f(s: in [S; 1]) -> void;");
    assert_eq!(findings(&array("[1073741824]")), Vec::<String>::new());
    assert_eq!(findings(&array("[1073741825]")), ["CX0214"]);
    assert_eq!(findings(&array("[65536][16385]")), ["CX0214"]);
    assert_eq!(findings("func f(p: in [u64[134217729]; 1]) -> void;"), ["CX0214"]);
}
