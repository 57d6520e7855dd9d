//! How much the grammar does for broken text that nests. pest does not remember what it has read: a rule that fails after
//! a nested part, and is read again by another, doubles the work with each level. Counted are calls of the parser, which
//! no machine and no load changes.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::num::NonZeroUsize;

use lapis_cx::syntax;

/// Calls for each byte and level. Some lookahead at each level goes over all that is nested in it, so the work may grow
/// with the depth, but not faster.
const CALLS: usize = 60;

/// Where something nests, what nests there, and how many brackets each opening has.
const PLACES: &[(&str, &[(&str, usize)])] = &[
    (
        "library L { func f(p: ",
        &[
            ("in [", 1),
            ("\"int *\" as [", 1),
            ("match (x) { _ => ", 1),
            ("match x { _ => ", 1),
            ("match (x) _ => ", 0),
            ("match (x) { a => u8; _ => ", 1),
            ("(y: ", 1),
            ("(u8, y: ", 1),
            ("T(", 1),
            ("[u8; ", 1),
            ("u8[", 1),
            ("u8 @a(", 1),
            ("u8, q: ", 0),
            ("{ ", 1),
        ],
    ),
    (
        "library L { func f(p: int) -> int { ",
        &[
            ("when (a) { ", 1),
            ("when a { ", 1),
            ("when (a) { } else { ", 1),
            ("when (", 1),
            ("arg p: in [", 1),
            ("arg p: match (x) { _ => ", 1),
            ("requires (", 1),
            ("set a[", 1),
            ("fact(", 1),
            ("impl { if (a) { ", 2),
            ("sync; ", 0),
            ("{ ", 1),
            ("x ", 0),
        ],
    ),
    (
        "library L { ",
        &[("group g { ", 1), ("struct s { ", 1), ("func f(p: ", 1), ("handle h { ", 1), ("when (a) { ", 1), ("{ ", 1)],
    ),
    (
        "fn f(a: u8) -> u8 { ",
        &[
            ("if (a) { ", 1),
            ("if a { ", 1),
            ("if (a) ", 0),
            ("if (a) x = 1; else ", 0),
            ("if (a) { } else ", 0),
            ("if (a) { } else { ", 1),
            ("else ", 0),
            ("if (", 1),
            ("for i in 0..3 { ", 1),
            ("for i in 0..3 ", 0),
            ("for (i = 0; ", 1),
            ("for i in (", 1),
            ("match (a) { _ => { ", 2),
            ("match a { 1 => { ", 2),
            ("match (a) { _ => ", 1),
            ("with X as m { ", 1),
            ("let x = (", 1),
            ("let x: u<(", 1),
            ("x = ", 0),
            ("x[", 1),
            ("x.y(", 1),
            ("return (", 1),
            ("while (x) { ", 1),
            ("{ ", 1),
            ("x ", 0),
        ],
    ),
    (
        "const X = ",
        &[
            ("(", 1),
            ("[", 1),
            ("[1, ", 1),
            ("f(", 1),
            ("f(x: ", 1),
            ("a[", 1),
            ("a[0:", 1),
            ("a[0 +: ", 1),
            ("a.b(", 1),
            ("a + ", 0),
            ("-", 0),
            ("a ? ", 0),
            ("a ? b : ", 0),
            ("[for i in 0..3 => ", 1),
            ("[for i in ", 1),
            ("{ ", 1),
        ],
    ),
    ("fn f(a: ", &[("u8[", 1), ("u<(", 1), ("(", 1), ("[", 1), ("u8 @a(", 1), ("u8, b: ", 0), ("{ ", 1)]),
    (
        "interface X { ",
        &[
            ("command c = 0 : R (a: word) -> word { ", 1),
            ("command c = 0 : R (", 1),
            ("state exclusive { ", 1),
            ("a: u8[", 1),
            ("csr c = 0 rw { ", 1),
            ("a[0", 1),
            ("enum E: u8 { ", 1),
            ("example { ", 1),
            ("for i in 0..3 { ", 1),
            ("reset; ", 0),
            ("law l(a: u8[", 1),
            ("interface Y { ", 1),
            ("library Z { ", 1),
            ("{ ", 1),
        ],
    ),
    (
        "platform P { ",
        &[
            ("device d { ", 1),
            ("lun 1 = a { ", 1),
            ("discover a { ", 1),
            ("cxu 1 = a { ", 1),
            ("platform Q { ", 1),
            ("{ ", 1),
        ],
    ),
    (
        "",
        &[
            ("interface X { ", 1),
            ("library L { ", 1),
            ("platform P { ", 1),
            ("fn f() { ", 1),
            ("command c = 0 { ", 1),
            ("struct s { ", 1),
            ("{ ", 1),
        ],
    ),
];

/// What is long without nesting, and where it stands: before it, over and over, and after it.
const LONG: &[(&str, &str, &str)] = &[
    ("foo\n", "/// x\n", ""),
    ("foo ", "abstract ", ""),
    ("", "draft abstract ", "interface X { }"),
    ("interface X { foo\n", "/// x\n", "}"),
    ("library L { func f(a\n", "/// x\n", ", b: int); }"),
    // Brackets in strings and documentation nest nothing.
    ("library L { func f(x: match strcmp(n, \"", "(", "\") { _ => int; }); }"),
    ("library L { func f(x: match strcmp(n\n/// ", "(", "\n) { _ => int; }); }"),
    ("library L { func f(x: in [\"", "[", "\" as u8; n]); }"),
    ("library L { func f(x: match {\"", "{", "\"} ); }"),
    ("interface X { example { x == 1 f(\"", "(", "\") == 2; } }"),
    ("fn f() -> u8 { let x = a y[\"", "[", "\"] = 1; }"),
    ("library L { func f() { impl { let x = a y(\"\"\"", "(", "\"\"\") = 1; } } }"),
];

/// What stands at the innermost place.
const STRAY: &[&str] = &["", "=", "(", ",", "{", "}"];

fn check(place: &str, opening: &str, levels: usize, depth: usize, stray: &str) {
    let text = format!("cxspec 1;\npackage a;\n{place}{}{stray}", opening.repeat(depth / levels.max(1)));
    let calls = CALLS * text.len() * depth;
    pest::set_call_limit(NonZeroUsize::new(calls));
    assert!(
        syntax::recognize(&text) > 0,
        "more than {calls} calls for {depth} levels of {opening:?} in {place:?}, then {stray:?}"
    );
}

/// One test, as the limit is that of the process.
#[test]
fn broken_text_that_nests_is_read_once() {
    for (place, openings) in PLACES {
        for (opening, levels) in *openings {
            for depth in [30, 90] {
                STRAY.iter().for_each(|stray| check(place, opening, *levels, depth, stray));
            }
            for (inner, more) in *openings {
                check(place, &format!("{opening}{inner}"), levels + more, 30, "=");
            }
        }
    }
    for (before, part, after) in LONG {
        let text = format!("cxspec 1;\npackage a;\n{before}{}{after}", part.repeat(2_000));
        let calls = CALLS * text.len();
        pest::set_call_limit(NonZeroUsize::new(calls));
        assert!(syntax::recognize(&text) > 0, "more than {calls} calls for many {part:?} behind {before:?}");
    }
    // The limit does what the test relies on.
    pest::set_call_limit(NonZeroUsize::new(100));
    assert_eq!(syntax::recognize("cxspec 1;\npackage a;\nconst X = 1;\n"), 0);
}
