//! No text makes the front end panic, hang or point outside of the file; what nests, repeats or grows without end is
//! refused. The evaluator of constants is the oracle's, so the budgets are counted in steps, not in time.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx::oracle::vectors;

const SPECS: [&str; 7] = [
    include_str!("../../../specs/tinycl.cxspec"),
    include_str!("../../../specs/rows.cxspec"),
    include_str!("cases/ok/library.cxspec"),
    include_str!("../../../specs/mulacc.cxspec"),
    include_str!("../../../specs/bitkit.cxspec"),
    include_str!("cases/ok/matching.cxspec"),
    include_str!("cases/ok/platform.cxspec"),
];

/// What a thread has, in bytes.
const STACK: usize = 2 << 20;

fn run(text: &str) -> Outcome {
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.as_bytes().to_vec() };
    // Few vectors: the laws of a spec are not what is tried here.
    let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Check { vectors: 1 }, &[]);
    for diagnostic in &outcome.diagnostics {
        for label in &diagnostic.labels {
            let file = outcome.sources.get(label.span.file).unwrap();
            let marked = file.text().get(label.span.start as usize..label.span.end as usize);
            assert!(marked.is_some(), "{:?} of {diagnostic:?} in\n{text}", label.span);
        }
    }
    outcome
}

fn codes(text: &str) -> Vec<u16> {
    run(text).diagnostics.iter().map(|d| d.code.0).collect()
}

/// The same numbers in every run.
struct Random(vectors::Random);

impl Random {
    fn new(seed: u64) -> Random {
        Random(vectors::Random::new(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// Words, numbers and single characters; blanks are dropped.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap();
        let mut rest = line.trim_start();
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
            let len = if is_word(c) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
            tokens.push(&rest[..len]);
            rest = rest[len..].trim_start();
        }
    }
    tokens
}

#[test]
fn truncated_files() {
    for spec in SPECS {
        let mut at = 0;
        while at < spec.len() {
            run(spec.get(..at).unwrap());
            at += (spec.len() / 60).max(37);
        }
    }
}

#[test]
fn mutated_files() {
    let mut random = Random::new(1);
    for round in 0..200 {
        let spec = SPECS[round % SPECS.len()];
        let words = tokens(spec);
        let mut changed: Vec<&str> = words.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(changed.len());
            let other = words[random.below(words.len())];
            match random.below(4) {
                0 => drop(changed.remove(at)),
                1 => changed.insert(at, other),
                2 => changed[at] = other,
                _ => {
                    let with = random.below(changed.len());
                    changed.swap(at, with);
                }
            }
        }
        run(&changed.join(" "));
    }
}

#[test]
fn expressions_of_any_kind() {
    const ATOMS: [&str; 22] = [
        "a", "b", "c", "d", "v", "e", "s", "T", "N", "XLEN", "0", "1", "255", "1u8", "3s4", "true", "E.p", "E", "f",
        "k", "[1, 2]", "missing",
    ];
    const INFIX: [&str; 22] = [
        "+", "-", "*", "/", "%", "+%", "-%", "*%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">=", "&&", "||",
        "? a :", "[b +:", "=",
    ];
    const AROUND: [&str; 20] = [
        "(#)",
        "-#",
        "~#",
        "!#",
        "#[0]",
        "#[3:0]",
        "#[b +: 2]",
        "#.trunc(4)",
        "#.zext(70)",
        "#.sat(3)",
        "#.signed()",
        "#.split(2)",
        "#.join()",
        "u8(#)",
        "E(#)",
        "f(#)",
        "cat(#, a)",
        "rep(#, 3)",
        "len(#)",
        "[for i in 0..4 => #]",
    ];
    let mut random = Random::new(2);
    for _ in 0..250 {
        let mut lines = String::new();
        for line in 0..8 {
            let mut text = random.pick(&ATOMS).to_owned();
            for _ in 0..random.below(5) {
                text = match random.below(2) {
                    0 => random.pick(&AROUND).replace('#', &text),
                    _ => format!("{text} {} {}", random.pick(&INFIX), random.pick(&ATOMS)),
                };
            }
            lines += &match random.below(8) {
                0 => format!("let x{line} = {text};\n"),
                1 => format!("var x{line}: u8[2] = {text}; x{line}[{text}] = 1;\n"),
                2 => format!("s = {text};\n"),
                3 => format!("if ({text}) {{ d = a; }}\n"),
                4 => format!("for i in 0..{text} {{ s = i; }}\n"),
                5 => format!("match ({text}) {{ 0..3 | 7 => {{ s = 1; }} p => {{ }} _ => {{ }} }}\n"),
                6 => format!("raise {text} -> {text};\n"),
                _ => format!("return {text};\n"),
            };
        }
        run(&format!(
            "cxspec 1;\npackage a.b;\nconst T: u16[4] = [1, 2, 3, 4];\nconst N = 5;\n
             fn f<W>(x: u<W>) -> u<W> {{ return x; }}\ndraft interface X {{ uuid auto; enum E : u2 {{ p = 1 }}
             state exclusive {{ s: u8 = 0; w: s33[2] = 1; }}
             command k[j in 0..2] = j : R (a: word, b: u8) -> word {{\nvar c: s8 = 1; var d: word = 0;
             let v: u8[4] = 3; var e: E = E.p;\n{lines} }} }}"
        ));
    }
}

/// A dimension of a type costs three characters and no level of the tree, but one of the type.
#[test]
fn types_have_only_so_many_dimensions() {
    let head = "cxspec 1;\npackage a.b;\n";
    for n in [20_000, 100_000] {
        let many = format!("u8{}", "[1]".repeat(n));
        for item in [
            format!("fn f(a: {many}) -> u8 {{ return 0; }}"),
            format!("fn f() -> u8 {{ let a: {many} = 0; return 0; }}"),
            format!("interface I {{ uuid auto; state exclusive {{ a: {many} = 0; }} }}"),
            format!("library L {{ version \"1\"; func f(a: in {many}) -> int {{ fails 0; }} }}"),
            format!("library L {{ version \"1\"; struct S {{ a: {many}; }} func f(s: in S) -> int {{ fails 0; }} }}"),
            format!("library L {{ version \"1\"; type T = {many}; func f(a: in [T; 2]) -> int {{ fails 0; }} }}"),
            format!("library L {{ version \"1\"; func f() -> {many} {{ fails 0; impl {{ return 0; }} }} }}"),
        ] {
            let found = codes(&format!("{head}{item}\n"));
            assert!(found.contains(&202), "{found:?} of {}", &item[..60]);
        }
    }
}

/// Named types add up, and so do their dimensions.
#[test]
fn dimensions_of_named_types_are_levels() {
    let dims = "[1]".repeat(16);
    for count in [7, 99] {
        let types: String = (1..=count).map(|i| format!("type T{i} = [T{}{dims}; 1];\n", i - 1)).collect();
        let found = codes(&format!(
            "cxspec 1;\npackage a.b;\nlibrary L {{\nversion \"1\";\ntype T0 = u8;\n{types}\
             func f(a: in T{count}) -> int {{ fails 0; }} }}\n"
        ));
        assert_eq!(found.contains(&4), count == 99, "{found:?}");
    }
}

#[test]
fn a_small_stack_is_enough() {
    let run_in_thread = |text: String| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn(move || codes(&text)).unwrap().join().unwrap()
    };
    let function = |body: String| {
        format!("cxspec 1;\npackage a.b;\nfn g(x: u8) -> u8 {{ return x; }}\nfn f(a: u8) -> u8 {{ {body} }}\n")
    };
    let returned = |open: &str, middle: &str, close: &str, n: usize| {
        function(format!("return {}{middle}{};", open.repeat(n), close.repeat(n)))
    };
    let mut texts = Vec::new();
    for n in [20, 95, 400] {
        for (open, close) in [
            ("(", ")"),
            ("-(", ")"),
            ("g(", ")"),
            ("[", "]"),
            ("u8(", ")"),
            ("a[", "]"),
            ("cat(", ")"),
            ("(a +% ", ")"),
            ("a == 0 ? a : ", ""),
            ("a == 0 ? ", " : a"),
            ("[for i in 0..2 => ", "]"),
            ("min(a, ", ")"),
            ("~", ""),
            ("- ", ""),
            ("(a && ", ")"),
            ("g(g(", "))"),
            ("len([", "])"),
            ("E.", ""),
            ("", "[0]"),
            ("", ".zext(8)"),
            ("", "[7:0]"),
            ("", " +% a"),
            ("", " && a == 1"),
            ("", " ^ (a +% 1)"),
        ] {
            texts.push(returned(open, "a", close, n));
            texts.push(format!("cxspec 1;\npackage a.b;\nconst C: u8 = {}1{};\n", open.repeat(n), close.repeat(n)));
        }
        for (open, close) in [
            ("if (a == 0) { ", "}"),
            ("if (a == 0) { } else { ", "}"),
            ("if (a == 0) { } else ", "{ }"),
            ("for i in 0..2 { ", "}"),
            ("match (a) { 0 => { ", "} _ => { } }"),
            ("match (a) { _ => { ", "} }"),
        ] {
            texts.push(function(format!("{}{} return a;", open.repeat(n), close.repeat(n))));
            texts.push(function(format!(
                "{}return {}a{};{}",
                open.repeat(n / 2),
                "(g(".repeat(n / 4),
                "))".repeat(n / 4),
                close.repeat(n / 2)
            )));
        }
    }
    for n in [10, 30, 2000] {
        let chain: String = (0..n)
            .map(|i| format!("fn f{i}(x: u8) -> u8 {{ if (x == 0) {{ return (f{}(x)); }} return x; }}\n", i + 1))
            .collect();
        texts.push(format!("cxspec 1;\npackage a.b;\n{chain}fn f{n}(x: u8) -> u8 {{ return x; }}\n"));
        let chain: String = (0..n).map(|i| format!("const C{i}: u8 = (C{}) +% 1;\n", i + 1)).collect();
        texts.push(format!("cxspec 1;\npackage a.b;\n{chain}const C{n} = 1;\n"));
        let chain: String = (0..n)
            .map(|i| format!("const C{i}: u8 = f{i}(1);\nfn f{i}(x: u8) -> u8 {{ return x +% C{}; }}\n", i + 1))
            .collect();
        texts.push(format!("cxspec 1;\npackage a.b;\n{chain}const C{n} = 1;\n"));
        let chain: String = (0..n).map(|i| format!("abstract interface I{i} : I{} {{ }}\n", i + 1)).collect();
        texts.push(format!("cxspec 1;\npackage a.b;\n{chain}abstract interface I{n} {{ }}\n"));
        let steps = "for i in 0..2 { ".repeat(n.min(90));
        texts.push(format!(
            "cxspec 1;\npackage a.b;\ninterface I {{ uuid auto; example {{ {steps} {} }} }}\n",
            "}".repeat(n.min(90))
        ));
    }
    texts.push("cxspec 1;\npackage a.b;\nfn g<N>(x: u8[N]) -> u8 { return g([for i in 0..N + 1 => x[0]]); }\nfn f(x: u8) -> u8 { return g([x]); }\n".to_owned());
    for text in texts {
        run_in_thread(text);
    }
}

#[test]
fn constants_together_have_one_budget() {
    let spin = "fn spin(n: u32) -> u32 { var s: u32 = n; for i in 0..3000000 { s = s ^ i; } return s; }\n";
    let table = "const T: u64[65536] = [for i in 0..65536 => spin(i).zext(64)];\n";
    assert_eq!(codes(&format!("cxspec 1;\npackage a.b;\n{spin}{table}")), [213]);
}

#[test]
fn arrays_have_one_budget_of_room() {
    let file = |text: &str| format!("cxspec 1;\npackage a.b;\n{text}\n");
    // Arrays of arrays count in full, wherever their type comes from.
    for text in [
        "const A: u8[65536][65536] = 0;",
        "const A: u8[256][256][256][256] = 0;",
        "fn f(x: u8) -> u8 { var a: u8[4096][4096] = x; return a[0][0]; }",
        "const A = [for i in 0..60000 => [for j in 0..60000 => 1u8]];",
        "const B: u8[65536] = 0;\nconst A = [B, B];",
        "draft interface X { uuid auto; state exclusive { a: u8[65536][2] = 0; } }",
    ] {
        assert_eq!(codes(&file(text)), [202], "{text}");
    }
    let many: String = (0..500).map(|i| format!("const A{i}: u8[65536] = 0;\n")).collect();
    assert_eq!(codes(&file(&many)), [213]);
    let many: String = (0..500).map(|i| format!("let a{i}: u8[65536] = 0;\n")).collect();
    assert!(codes(&file(&format!("fn f(x: u8) -> u8 {{ {many} return x; }}"))).contains(&213));
}

#[test]
fn bases_do_not_multiply() {
    // Each interface names the one before by two ways.
    let mut text = "cxspec 1;\npackage a.b;\nabstract interface A0 { const C = 1; }\n".to_owned();
    for i in 1..40 {
        text +=
            &format!("abstract interface B{i} : A{} {{ }}\nabstract interface A{i} : A{}, B{i} {{ }}\n", i - 1, i - 1);
    }
    assert_eq!(codes(&text), [0u16; 0]);
}

#[test]
fn families_of_large_bodies() {
    let steps = "s = s ^ TABLE[a[9:0]].zext(XLEN);\n".repeat(30);
    let text = format!(
        "cxspec 1;\npackage a.b;\ndraft interface X {{ uuid auto;\nconst TABLE: u32[1024] = [for i in 0..1024 => i];
         state exclusive {{ s: word = 0; }}\ncommand c[k in 0..32] = k : R (a: word) -> word {{ {steps} return s; }} }}\n"
    );
    assert_eq!(codes(&text), [0u16; 0]);
    // The hash covers the table at each use: that has an end too.
    let text = text.replace("0..32]", "0..64]").replace("1024", "16384");
    assert_eq!(codes(&text), [213]);
}

#[test]
fn named_types_do_not_multiply_without_end() {
    let library = |types: &str, part: &str| format!("cxspec 1;\npackage a.b;\nlibrary L {{\n{types}{part}}}\n");
    // Each of these names the next one once: they nest too deeply.
    let chain = |n: u32| (0..n).map(|i| format!("type A{i} = A{};\n", i + 1)).collect::<String>() + "type A";
    let found = codes(&library(&chain(500), "500 = int;\n"));
    assert!(!found.is_empty() && found.iter().all(|code| [4, 214].contains(code)), "{found:?}");
    assert_eq!(codes(&library(&chain(60), "60 = int;\nfunc f(p: A0) -> int;\n")), [0u16; 0]);
    // Each of these names the next one twice: there are a thousand million of the last one.
    let tree = |n: u32| (0..n).map(|i| format!("type M{i} = match (1) {{ 0 => M{0}; _ => M{0}; }};\n", i + 1));
    let tree = |n: u32| tree(n).collect::<String>() + &format!("type M{n} = in [u8; k];\n");
    for part in ["", "struct S { m: M0; }\n", "func f(k: int, p: M0) -> int;\n"] {
        assert_eq!(codes(&library(&tree(30), part)), [214]);
    }
    assert_eq!(codes(&library(&tree(8), "func f(k: int, p: M0) -> int;\n")), [0u16; 0]);
}

#[test]
#[ignore = "takes some twenty seconds without optimisation"]
fn families_do_not_multiply_without_end() {
    // A family that calls functions of many widths, each of which calls others of many widths.
    let widths: String = (1..400).map(|w| format!("s = s ^ inner(x, u{w}(0));\n")).collect();
    let text = format!(
        "cxspec 1;\npackage a.b;\nfn inner<N, M>(x: u<N>, y: u<M>) -> u8 {{ return x.wrap(8) ^ y.wrap(8) ^ {} 1; }}
         fn outer<N>(x: u<N>) -> u8 {{ var s: u8 = 0;\n{widths} return s; }}
         draft interface X {{ uuid auto; command c[k in 1..400] = k : R () -> u8 {{ return outer(u<k>(0)); }} }}\n",
        "(x == 0 ? 3u8 : 4u8) ^ ".repeat(40),
    );
    let text = text.replace("outer(u<k>(0))", "outer(0.zext(k))");
    assert_eq!(codes(&text), [214]);
}
