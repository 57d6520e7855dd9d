//! Each construct of libraries is carried out in two processes by a named test, or rejected at its span.
//!
//! The constructs are those of the grammar and of the checker's tables, read from their sources. A new one fails this test until it has
//! a row here: a test with a specification that uses it, or a rejection.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::contract::library::construct::Construct;
use lapis_cx::driver::{Effort, Imports, NoImports, NoVerdicts, Outcome, SourceText, compile, parse};
use lapis_cx::syntax::{Kind, Node};
use lapis_cx_backend_remoting::Remoting;

/// Specifications, and the test that runs their library in another process.
const CARRIED_OUT: &[(&str, &str, &str)] = &[
    ("tests/behaviours/places.cxspec", "tests/behaviours/main.rs", "places_private_worker_program_succeeds"),
    ("tests/lends/lends.cxspec", "tests/lends/main.rs", "lends_private_worker_program_succeeds"),
    ("tests/files/files.cxspec", "tests/files/main.rs", "files_private_worker_program_succeeds"),
    ("tests/later/later.cxspec", "tests/later/main.rs", "asynchronous_calls_keep_their_order"),
    ("tests/mixed/mixed.cxspec", "tests/mixed/main.rs", "mixed_remoted_program_succeeds"),
    (
        "tests/data_shapes/shapes.cxspec",
        "tests/data_shapes/main.rs",
        "data_shapes_remoted_print_what_they_print_natively",
    ),
    ("tests/spec_rules/rules.cxspec", "tests/spec_rules/main.rs", "rules_hold_in_two_processes"),
    ("specs/zlib.cxspec", "tests/zlib_remoted/main.rs", "c_program_prints_the_same"),
    ("specs/sqlite.cxspec", "tests/spec_rules/main.rs", "sqlite_in_two_processes"),
];

/// Facts that say nothing about calls: what reads them.
const SHOWN_OTHERWISE: &[(&str, &str, &str)] = &[
    // Each library has a connection of its own, so its number is only checked.
    ("fact number", "lapis-cx/compiler/src/analyze/library/spelling.rs", "between"),
];

/// Members of a library that use each construct which is rejected, and the text at the span of the rejection.
const REJECTED: &[(Construct, &str, &str)] = &[
    (Construct::Until, "func f(p: out [int; 1]) -> int { sync until p[0] == 7; }", "p[0] == 7"),
    (Construct::Until, "func f(p: in [int; 1]) -> int { async returns 0 until p[0] == 7; }", "p[0] == 7"),
    (Construct::Until, "func f(p: in [int; 1]) -> int { flush returns 0 until p[0] == 7; }", "p[0] == 7"),
    (Construct::Until, "func f(n: int) -> int { when (n > 0) { sync until n == 7; } }", "n == 7"),
    (Construct::ZeroCopy, "func f(p: in [u8; 4] @zero_copy) -> int;", "@zero_copy"),
    (Construct::ZeroCopy, "func f(p: in [u8; 4] @zero_copy(physical)) -> int;", "@zero_copy(physical)"),
    (Construct::ZeroCopy, "func f(p: in [u8; 4]) -> int { arg p @zero_copy(virtual); }", "@zero_copy(virtual)"),
    (Construct::Resource, "resource store m; func f(n: int) -> int { acquires(m: n); }", "acquires(m: n);"),
    (Construct::Resource, "resource store m; func f(n: int) -> int { releases(m: n); }", "releases(m: n);"),
    (Construct::Resource, "resource rate m; defaults { consumes(m: 1); } func f(n: int) -> int;", "consumes(m: 1);"),
    (Construct::Replay, "handle H; func f() -> new H? { record; }", "record;"),
    (Construct::Replay, "handle H; func o() -> new H; func f(h: H) -> new H? { depends_on(h); }", "depends_on(h);"),
    (Construct::Replay, "handle H { record; } func f() -> new H?;", "record;"),
    (
        Construct::Replay,
        "handle H { snapshot(save, load); } func o() -> new H?; func save(h: H, n: out [size; 1]) -> new [u8; n[0]]?; func load(h: H, p: in [u8; n], n: size) -> int;",
        "snapshot(save, load);",
    ),
    (Construct::MainThread, "func f(n: int) -> int { thread(main); }", "thread(main);"),
    (
        Construct::MainThread,
        "callback C(u: userdata) -> void { thread(main); } func f(c: C, u: userdata(c)) -> int;",
        "thread(main);",
    ),
    (Construct::Stream, "func f(s: in stream) -> int;", "stream"),
    (Construct::Stream, "struct S { s: out stream; } func f(s: inout [S; 1]) -> int;", "stream"),
    (Construct::FileResult, "func f(path: in file) -> int as out file;", "f"),
    (Construct::FileResult, "func f(fd: out [int as out file; 1]) -> int;", "fd"),
    (Construct::AfterMessage, "on send after c\"\"\"x();\"\"\" func f() -> int;", "after"),
    (Construct::AfterMessage, "on reply after c\"\"\"x();\"\"\" func f() -> int;", "after"),
    (
        Construct::CallbackOrder,
        "callback C(u: userdata) -> void { ordered(global); } func f(c: C, u: userdata(c)) -> int;",
        "ordered(global);",
    ),
    (
        Construct::CallbackOrder,
        "defaults callback { monitor(thread); } callback C(u: userdata) -> void; func f(c: C, u: userdata(c)) -> int;",
        "monitor(thread);",
    ),
    (
        Construct::UserdataBuffer,
        "callback C(u: userdata) -> void; func f(c: C, p: userdata(c) as in [u8; 4] @lifetime(c)) -> int;",
        "p",
    ),
    (Construct::HandleLifetime, "handle H; func o() -> new H; func f(h: H, k: H @lifetime(h)) -> int;", "@lifetime(h)"),
    (
        Construct::HandleLifetime,
        "handle H; func o() -> new H; func f(h: H, k: in [H @lifetime(h); 2]) -> int;",
        "@lifetime(h)",
    ),
    (Construct::UnboundUserdata, "func f(u: userdata) -> int;", "u"),
    (Construct::CallbackFunction, "callback C(u: userdata) -> userdata; func f(c: C, u: userdata(c)) -> int;", "C"),
    (Construct::AsyncContents, "func f(p: out [int; 2]) -> int { async returns 0; unordered; }", "p"),
    (Construct::AsyncContents, "struct S { x: out int; } func f(p: in [S; 1]) -> int { async returns 0; }", "p"),
    (
        Construct::AsyncContents,
        "struct S { x: out int; } callback C(p: in [S; 1], u: userdata) -> void { async; } func f(c: C, u: userdata(c)) -> int;",
        "p",
    ),
    (Construct::AsyncContents, "func f(p: out [int; 2]) -> int { async returns 0; }", "p"),
    (
        Construct::AsyncContents,
        "handle H; func o() -> new H { ordered(thread); } func f(h: H, p: inout [int; 2]) -> int { async returns 0; ordered(h); }",
        "p",
    ),
    (
        Construct::AsyncContents,
        "handle H; metadata H { m: ptr; } func w() -> int; func o(p: in [int; 1] @lifetime(ret)) -> new H { set ret.m = p; } func f(h: H) { async; implicit v: out [int; 1]? @lifetime(h) = h.m; }",
        "v",
    ),
    (
        Construct::AsyncContents,
        "callback C(p: out [int; 1], u: userdata) -> void { async; } func f(c: C, u: userdata(c)) -> int;",
        "p",
    ),
    (
        Construct::EntryContents,
        "func f(n: int, p: inout [match (is_in) { true => out [u8; n]; false => within(any); }; 1]) -> int;",
        "p",
    ),
    (Construct::PassedContents, "func f(p: own inout [u8; 4]) -> int;", "p"),
    (Construct::PassedContents, "func f(p: own in [u8; 4] @on(true)) -> int;", "p"),
    (Construct::PassedContents, "struct S { p: own [u8; 4]; } func f(s: own [S; 1]) -> int;", "s"),
    (
        Construct::PassedContents,
        "handle H; func o() -> new H; struct S { h: H; p: in [u8; 4] @lifetime(h); } func f(s: own in [S; 1]) -> int;",
        "s",
    ),
    (
        Construct::AsyncSet,
        "handle H; metadata H { n: int; } func o() -> new H; func f(h: H, p: out [int; 1]) -> int { async returns 0; set h.n = p[0]; }",
        "f",
    ),
    (
        Construct::RoomInStruct,
        "struct S { n: out [int; 1]?; } func f(s: inout [S; 1], p: out [u8; 4] @valid(s[0].n[0])) -> int;",
        "n",
    ),
    (
        Construct::CallbackFunction,
        "callback D(u: userdata) -> void; callback C(d: out [D?; 1], u: userdata) -> void; func f(c: C, u: userdata(c)) -> int;",
        "d",
    ),
    (Construct::VariableChoice, "func f(n: int, ...: match (n & 15) { 1 => (v: int); _ => (); }) -> int;", "f"),
    (
        Construct::ObjectGivenBack,
        "handle H; struct S { n: int; h: new H; } func f(h: own H, s: out [S; 1]) -> int;",
        "s",
    ),
    (Construct::ObjectGivenBack, "handle H; func f(h: own H, to: out [new H; 1]) -> int { async returns 0; }", "to"),
    (Construct::Fraction, "func f(x: double) -> int { success x == 1; fails -1; }", "f"),
    (Construct::Fraction, "func f(x: double) -> double { fails x; }", "f"),
    (Construct::Fraction, "func f(n: int) -> double { fails n; }", "f"),
    (
        Construct::PublicMember,
        "callback C(n: int) -> void; struct S { n: int; c: C?; } handle H as S; func o() -> new H;",
        "c",
    ),
    (Construct::PublicMember, "struct S { p: in [int; 2]; } handle H as S; func o() -> new H;", "p"),
    (Construct::ForeignHandle, "handle H = \"int\"; func f(h: H) -> int;", "H"),
    (
        Construct::Undefined,
        "utility c\"\"\"int peek(int);\"\"\" func f(n: int) -> int { implicit m: int = c\"\"\"peek(n)\"\"\"; }",
        "c\"\"\"peek(n)\"\"\"",
    ),
];

/// Which constructs of the tables these rejections are about.
const REJECTED_WORDS: &[&str] = &[
    "clause acquires",
    "clause releases",
    "clause consumes",
    "clause record",
    "clause depends_on",
    "clause snapshot",
    "attribute zero_copy",
    "type stream",
    "rule resource_item",
    "builtin physical",
    "word virtual",
    "word physical",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The first texts in quotes of the rows between two lines of a source file.
fn rows(text: &str, begin: &str, mark: &str) -> Vec<String> {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("no {begin}"));
    let rest = rest.split_once("];").unwrap().0;
    rest.split(mark).skip(1).map(|row| row.split('"').next().unwrap().to_owned()).collect()
}

/// Every construct of libraries: rules of the grammar, and words of the checker's tables.
fn constructs() -> BTreeSet<String> {
    let grammar = read("grammars/cxspec.pest");
    let (_, rest) = grammar.split_once("// ---- parts of a library ----").unwrap();
    let rules = rest.split_once("// ---- members of a platform ----").unwrap().0;
    let rules =
        rules.lines().filter_map(|line| line.split_once('=').filter(|(_, body)| !body.trim_start().starts_with('_')));
    let rules = rules
        .map(|(name, _)| name.trim())
        .filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !name.is_empty());
    let mut all: BTreeSet<String> = rules.map(|name| format!("rule {name}")).collect();
    let table = read("lapis-cx/compiler/src/analyze/library/table.rs");
    let calls = read("lapis-cx/compiler/src/analyze/library/call.rs");
    for (text, begin, mark, kind) in [
        (&table, "pub(super) const CLAUSES", "row(\"", "clause"),
        (&table, "pub(super) const ATTRIBUTES", "    (\"", "attribute"),
        (&table, "pub(super) const FACTS", "    (\"", "fact"),
        (&table, "pub(super) const EVENTS", "    (\"", "event"),
        (&table, "const SCALARS", "    (\"", "type"),
    ] {
        let found = rows(text, begin, mark);
        assert!(found.len() >= 6, "{kind}: {found:?}");
        all.extend(found.into_iter().map(|name| format!("{kind} {name}")));
    }
    for (text, begin, kind) in [
        (&table, "pub(super) const OTHER_TYPES", "type"),
        (&table, "pub(super) const RESERVED", "word"),
        (&table, "pub(super) const WORDS", "word"),
        (&calls, "const BUILTINS", "builtin"),
    ] {
        let (_, rest) = text.split_once(begin).unwrap();
        let list = rest.split_once("];").unwrap().0;
        let names: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert!(names.len() >= 6, "{kind}: {names:?}");
        all.extend(names.into_iter().map(|name| format!("{kind} {name}")));
    }
    // What `sizeof` and `old` are as words they are as functions.
    all.remove("word old");
    all.remove("word sizeof");
    all
}

/// The constructs that a specification uses.
fn used(path: &str) -> BTreeSet<String> {
    let (tree, _, found) = parse(SourceText { name: path.to_owned(), bytes: read(path).into_bytes() });
    assert!(found.is_empty(), "{path}: {found:?}");
    let tree = tree.unwrap();
    let mut all = BTreeSet::new();
    visit(tree.root(), &mut all);
    all
}

fn visit(node: Node<'_>, all: &mut BTreeSet<String>) {
    all.insert(format!("rule {:?}", node.kind()));
    let word = |node: Node<'_>| node.leaves().find(|leaf| !leaf.is_trivia()).map(|leaf| leaf.text().to_owned());
    let named = match node.kind() {
        Kind::clauses => {
            all.extend(node.children().filter_map(word).map(|word| format!("clause {word}")));
            None
        }
        Kind::attr => Some(("attribute", node.name().text().to_owned())),
        Kind::binding => Some(("fact", node.name().text().to_owned())),
        Kind::hook_item => Some(("event", node.name().text().to_owned())),
        Kind::named_type => word(node).map(|word| ("type", word)),
        Kind::name => Some(("word", node.text().to_owned())),
        Kind::call => word(node).map(|word| ("builtin", word)),
        _ => None,
    };
    all.extend(named.map(|(kind, name)| format!("{kind} {name}")));
    node.children().for_each(|child| visit(child, all));
}

fn build(members: &str) -> Outcome {
    build_with(members, &mut NoImports)
}

fn build_with(members: &str, imports: &mut dyn Imports) -> Outcome {
    let text = format!(
        "cxspec 1;\npackage a.b;\nlibrary L {{\n    c soname \"libl.so.1\"; c header \"l.h\";\n    {members}\n}}\n"
    );
    let root = SourceText { name: "l.cxspec".to_owned(), bytes: text.into_bytes() };
    compile(root, imports, &mut NoVerdicts, Effort::Build, &[&Remoting::DEFAULT])
}

#[test]
fn every_construct_is_carried_out_or_rejected() {
    let mut shown: BTreeMap<String, &str> = BTreeMap::new();
    for (spec, file, test) in CARRIED_OUT {
        assert!(read(file).contains(&format!("fn {test}(")), "{file} has no test `{test}`");
        shown.extend(used(spec).into_iter().map(|construct| (construct, *test)));
    }
    for (construct, file, name) in SHOWN_OTHERWISE {
        assert!(read(file).contains(&format!("fn {name}")), "{file} has no `{name}`");
        shown.insert((*construct).to_owned(), name);
    }
    let constructs = constructs();
    assert!(constructs.len() > 150, "{}", constructs.len());
    for word in REJECTED_WORDS {
        assert!(constructs.contains(*word), "there is no construct `{word}`");
    }
    let missing: Vec<_> = constructs
        .iter()
        .filter(|construct| !shown.contains_key(*construct) && !REJECTED_WORDS.contains(&construct.as_str()))
        .collect();
    assert!(missing.is_empty(), "neither carried out by a test nor rejected: {missing:#?}");
    // What is rejected cannot be shown by a specification that builds.
    let both: Vec<_> = REJECTED_WORDS.iter().filter(|word| shown.contains_key(**word)).collect();
    assert!(both.is_empty(), "rejected, and carried out by a test: {both:?}");
}

#[test]
fn constructs_that_are_not_implemented_are_rejected_at_their_span() {
    for construct in Construct::ALL {
        assert!(REJECTED.iter().any(|(rejected, ..)| rejected == construct), "{construct:?} has no rejection");
    }
    for (construct, members, at) in REJECTED {
        let outcome = build(members);
        let rejected = outcome.diagnostics.iter().filter(|found| found.code.0 == 920);
        let marked: Vec<_> = rejected.clone().map(|found| outcome.sources.text(found.span().unwrap())).collect();
        assert_eq!(marked, [*at], "{members}: {:?}", outcome.diagnostics);
        let message = rejected.map(|found| found.message.clone()).collect::<String>();
        assert!(message.ends_with(": not implemented by the remoting backend"), "{message}");
        assert!(outcome.files.is_empty(), "{members}");
        let help = outcome.diagnostics.iter().find(|found| found.code.0 == 920).and_then(|found| found.help.clone());
        assert_eq!(help.as_deref(), Some(construct.help()), "{members}");
    }
}

#[test]
fn missing_sources_are_rejected_at_their_path() {
    struct NoSources;
    impl Imports for NoSources {
        fn files(&mut self) -> Vec<SourceText> {
            Vec::new()
        }

        fn has_source(&mut self, _: &str) -> bool {
            false
        }
    }
    let outcome = build_with("c sources(worker) \"missing.c\"; func f() -> int;", &mut NoSources);
    let rejected: Vec<_> = outcome.diagnostics.iter().filter(|found| found.code.0 == 921).collect();
    let marked: Vec<_> = rejected.iter().map(|found| outcome.sources.text(found.span().unwrap())).collect();
    assert_eq!(marked, ["\"missing.c\""], "{:?}", outcome.diagnostics);
    assert_eq!(rejected[0].message, "there is no source file `missing.c`");
    assert!(outcome.files.is_empty());
}

#[test]
fn a_check_does_not_reject_what_a_backend_lacks() {
    for (_, members, _) in REJECTED {
        let text = format!("cxspec 1;\npackage a.b;\nlibrary L {{\n    c soname \"libl.so.1\";\n    {members}\n}}\n");
        let root = SourceText { name: "l.cxspec".to_owned(), bytes: text.into_bytes() };
        let check = Effort::Check { vectors: 1 };
        let outcome = compile(root, &mut NoImports, &mut NoVerdicts, check, &[&Remoting::DEFAULT]);
        assert!(outcome.diagnostics.iter().all(|found| found.code.0 != 920), "{members}: {:?}", outcome.diagnostics);
    }
}

#[test]
fn calls_that_a_later_call_completes_are_carried_out() {
    for members in [
        "func f(p: out [int; 2]) -> int { async returns 0; } func g() -> int;",
        "handle H; func o() -> new H; func f(h: H, p: out [int; 2]) -> int { async returns 0; ordered(h); } func g(h: H) -> int { ordered(h); }",
        "handle H; func f(h: out [new H; 1]) -> int { async returns 0; unordered; } func g(h: H) -> int;",
        "func f(n: int) -> int { async returns 0; unordered; }",
    ] {
        let outcome = build(members);
        assert!(!outcome.has_errors() && !outcome.files.is_empty(), "{members}: {:?}", outcome.diagnostics);
    }
}
