//! Small edits of one spec, and what each is said to break.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use lapis_cx::contract::Contract;
use lapis_cx::diff::{Breaks, Change, compare, rules};
use lapis_cx::driver::{Effort, NoImports, SourceText, Unjudged, compile};

const BASE: &str = r#"cxspec 1;
package org.example.t;
use cx.std:IStateContext;

const STEP: u16 = 1;
fn bump(x: u16) -> u16 { return x +% STEP; }

/// Counts.
draft interface Base : IStateContext {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    short base;
    xlen 32, 64;
    xintf 0x12345;

    const LIMIT: u16 = 100;
    enum Mode: u2 { up = 0, down = 1 }
    error full = 1 "it is full";

    state exclusive {
        /// All of it.
        total: u32 = 0;
        count: u16 = 0;
    }

    /// Adds.
    command add = 0 : R (a: u16, b: u16) -> u32 {
        if (total > LIMIT) { raise full; }
        total = total +% a;
        return total;
    }
    command peek = 1 : R () -> u16 { return bump(count); }
    command step = 2 : R | I (x: word, y: u8) -> word @latency(1, 2) { return x +% y; }
    command set = 3 : R (m: u2) { count = m; }
    command turn = 4 : R (m: u2) -> u1 { return Mode(m) == Mode.up ? 1 : 0; }
}

library Lib { version "1.0.0"; }
"#;

fn contract(text: &str) -> Contract {
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.as_bytes().to_vec() };
    let outcome = compile(root, &mut NoImports, &mut Unjudged, Effort::Build, &[]);
    let errors: Vec<_> = outcome.diagnostics.iter().filter(|d| d.is_error() && !d.code.is_of_identity()).collect();
    assert!(errors.is_empty(), "{:#?}\n{text}", errors[0]);
    outcome.contract.unwrap()
}

fn hashes(contract: &Contract) -> Vec<&str> {
    contract.interfaces().map(|interface| interface.hash.as_str()).collect()
}

/// The changes from one text to another. Whatever changes a hash is a change that may; and nothing differs from itself.
fn changes(old: &str, new: &str) -> Vec<Change> {
    let (old, new) = (contract(old), contract(new));
    assert_eq!(compare(&[&old], &[&old]), []);
    assert_eq!(compare(&[&new], &[&new]), []);
    let changes = compare(&[&old], &[&new]);
    let named = changes.iter().any(|change| change.rule.hashed && *change.rule != rules::CHANGED_OTHERWISE);
    let same_items = hashes(&old).len() == hashes(&new).len();
    assert!(!same_items || hashes(&old) == hashes(&new) || named, "{changes:#?}");
    changes
}

fn names(changes: &[Change]) -> Vec<String> {
    let breaks = |change: &Change| change.rule.breaks.iter().map(|one| one.name()).collect::<Vec<_>>().join(" ");
    let xlens = |change: &Change| if change.everywhere { String::new() } else { format!(" @{:?}", change.xlens) };
    changes.iter().map(|change| format!("{}: {}{}", change.rule.name, breaks(change), xlens(change))).collect()
}

/// Each edit: the text it replaces, the text it puts there, and the changes that it is.
const EDITS: &[(&str, &str, &[&str])] = &[
    ("", "", &[]),
    ("    short base;", "    short base; // a comment", &[]),
    // The interface as a whole.
    ("interface Base ", "interface Other ", &["interface-renamed: source"]),
    ("short base", "short other", &["short-changed: source"]),
    ("/// Counts.", "/// Counts more.", &["docs-changed: "]),
    ("draft interface", "interface", &["made-final: "]),
    ("5f1d3a0e", "6f1d3a0e", &["uuid-changed: abi"]),
    ("uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";", "", &["uuid-removed: abi source"]),
    ("xintf 0x12345;", "", &["xintf-removed: abi source"]),
    ("0x12345", "0x12346", &["xintf-changed: abi"]),
    ("0x12345", "0x12345, 0x1000000012345", &["xintf-changed: abi"]),
    ("xlen 32, 64", "xlen 32", &["xlen-removed: abi source"]),
    (" : IStateContext {", " {", &["state-context-removed: wire abi source"]),
    ("library Lib {", "library Other {", &["library-added: ", "library-removed: abi source"]),
    ("library Lib { version \"1.0.0\"; }", "", &["library-removed: abi source"]),
    ("library Lib", "platform P { xlen 64; }\nlibrary Lib", &["platform-added: "]),
    (
        "library Lib",
        "draft interface New { xintf 0x54321; xlen 32; command c = 0 : R () { } }\nlibrary Lib",
        &["interface-added: "],
    ),
    ("draft interface", "abstract interface", &["made-final: ", "made-abstract: abi source"]),
    // Commands.
    ("command peek = 1 : R () -> u16 { return bump(count); }", "", &["command-removed: abi source"]),
    ("    command peek", "    command more = 7 : R () { }\n    command peek", &["command-added: "]),
    ("command peek", "command look", &["command-renamed: source"]),
    ("peek = 1", "peek = 7", &["command-id-changed: abi"]),
    (
        "peek = 1 : R () -> u16 { return bump(count); }",
        "zero = 1 : R () -> u16 { return 0; }",
        &["command-added: ", "command-id-reused: behaviour abi", "command-removed: abi source"],
    ),
    ("step = 2 : R | I", "step = 2 : R", &["form-removed: abi source"]),
    ("peek = 1 : R ", "peek = 1 : R | flex ", &["form-added: "]),
    ("(1, 2)", "(1, 3)", &["latency-changed: "]),
    ("/// Adds.", "/// Sums.", &["docs-changed: "]),
    ("add = 0 : R (a: u16, b: u16)", "add = 0 : R (a: u16)", &["operand-count-changed: abi source"]),
    ("add = 0 : R (a: u16, b: u16)", "add = 0 : R (a: u16, c: u16)", &["operand-renamed: "]),
    ("add = 0 : R (a: u16, b: u16)", "add = 0 : R (a: u16, b: s16)", &["operand-type-changed: abi source"]),
    (
        "add = 0 : R (a: u16, b: u16)",
        "add = 0 : R (b: u16, a: u16)",
        &["operands-reordered: behaviour abi source", "body-changed: behaviour"],
    ),
    (
        "-> u16 { return bump(count); }",
        "-> u8 { return bump(count).trunc(8); }",
        &["result-type-changed: abi source", "body-changed: behaviour"],
    ),
    (
        "(m: u2) { count = m; }",
        "(m: u2) -> u16 { count = m; return 0; }",
        &["result-added: abi", "body-changed: behaviour"],
    ),
    ("total = total +% a;", "total = total -% a;", &["body-changed: behaviour"]),
    ("STEP: u16 = 1", "STEP: u16 = 2", &["body-changed: behaviour"]),
    ("x +% STEP", "STEP +% x", &["body-changed: behaviour"]),
    ("if (total > LIMIT) { raise full; }", "", &["body-changed: behaviour", "status-variant-removed: source"]),
    ("{ count = m; }", ";", &["made-opaque: behaviour"]),
    (
        "R | I (x: word, y: u8)",
        "I (x: word, y: imm u8)",
        &["form-removed: abi source", "operand-slot-changed: abi source"],
    ),
    // What differs at one XLEN only.
    ("x: word, y", "x: u32, y", &["operand-type-changed: abi source @[64]", "body-changed: behaviour @[64]"]),
    // State.
    ("state exclusive", "state shared(caller_save)", &["sharing-changed: behaviour abi source"]),
    ("state exclusive", "state exclusive @ucontext(true)", &["ucontext-changed: behaviour abi"]),
    ("count: u16 = 0;", "count: u16 = 0; more: u8 = 0;", &["field-added: wire abi"]),
    ("count: u16 = 0;", "count: u16 = 7;", &["reset-changed: behaviour"]),
    (
        "        count: u16",
        "        first: u8 = 0;\n        count: u16",
        &["field-moved: wire abi", "field-added: wire abi"],
    ),
    (
        "count: u16",
        "count: u8",
        &["body-changed: behaviour", "body-changed: behaviour", "field-type-changed: wire abi source"],
    ),
    ("/// All of it.", "/// The sum.", &["docs-changed: "]),
    // Names.
    ("full = 1", "full = 2", &["body-changed: behaviour", "error-code-changed: wire abi"]),
    ("\"it is full\"", "\"no room\"", &["error-message-changed: "]),
    ("error full", "error spare = 9;\n    error full", &["error-added: "]),
    ("{ up = 0, down = 1 }", "{ up = 0, down = 1, left = 2 }", &["body-changed: behaviour", "case-added: "]),
    ("down = 1", "below = 1", &["case-renamed: source"]),
    ("down = 1", "down = 3", &["body-changed: behaviour", "case-value-changed: behaviour abi"]),
    ("Mode: u2 { up = 0, down = 1 }", "Mode: u2 { up = 0 }", &["body-changed: behaviour", "case-removed: source"]),
    ("    enum Mode", "    enum More: u1 { no = 0 }\n    enum Mode", &["enum-added: "]),
    ("LIMIT: u16 = 100", "LIMIT: u16 = 101", &["body-changed: behaviour", "const-value-changed: behaviour"]),
    ("LIMIT: u16 = 100", "LIMIT: u8 = 100", &["const-type-changed: source"]),
    ("    const LIMIT", "    const MORE: u8 = 1;\n    const LIMIT", &["const-added: "]),
];

/// Each edit and its way back.
#[test]
fn edits_break_what_they_break() {
    let mut wrong = String::new();
    let mut seen = BTreeSet::new();
    for (from, to, expected) in EDITS {
        assert!(BASE.contains(from), "{from}");
        let edited = BASE.replacen(from, to, 1);
        let found = changes(BASE, &edited);
        let back = changes(&edited, BASE);
        assert_eq!(found.is_empty(), back.is_empty());
        seen.extend(found.iter().chain(&back).map(|change| change.rule.name));
        let found = names(&found);
        if found != *expected {
            wrong += &format!("{from} -> {to}\n  {found:?}\n  {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    // These take another base or more than one edit; they are shown below.
    let others = [
        "platform-xlen-changed",
        "platform-size-changed",
        "platform-xcmds-removed",
        "service-added",
        "service-removed",
        "service-contract-changed",
        "contexts-removed",
        "omits-changed",
        "enum-base-changed",
        "field-renamed",
        "error-renamed",
        "state-added",
        "state-removed",
        "contract-changed",
    ];
    let missing: Vec<_> = rules::ALL.iter().map(|rule| rule.name).filter(|name| !seen.contains(name)).collect();
    assert!(missing.iter().all(|name| others.contains(name) || *name == "changed-otherwise"), "{missing:?}");
}

/// Edits in several places.
#[test]
fn one_change_may_be_several_edits() {
    let edited = |pairs: &[(&str, &str)]| {
        let new = pairs.iter().fold(BASE.to_owned(), |text, (from, to)| text.replace(from, to));
        names(&changes(BASE, &new))
    };
    assert_eq!(edited(&[("count", "number")]), ["field-renamed: source"]);
    assert_eq!(edited(&[("full", "overflow")]), ["error-renamed: source", "error-message-changed: "]);
    assert_eq!(edited(&[("LIMIT", "MOST")]), ["const-added: ", "const-removed: source"]);
    assert_eq!(edited(&[("Mode", "Kind")]), ["enum-added: ", "enum-removed: source"]);
    // The package is a part of every name; an interface is known by its UUID, a library is not.
    let moved = ["interface-renamed: source", "library-added: ", "library-removed: abi source"];
    assert_eq!(edited(&[("org.example.t", "org.example.u")]), moved);
    let gone = edited(&[("        count: u16 = 0;\n", ""), ("bump(count)", "bump(1)"), ("{ count = m; }", "{ }")]);
    assert_eq!(gone, ["body-changed: behaviour", "body-changed: behaviour", "field-removed: wire abi source"]);
    let wider = edited(&[("Mode: u2", "Mode: u3"), ("Mode(m)", "Mode(m.zext(3))")]);
    assert_eq!(wider, ["body-changed: behaviour", "enum-base-changed: abi source"]);
    let swapped = edited(&[("add = 0", "add = 1"), ("peek = 1", "peek = 0")]);
    assert_eq!(swapped, ["command-id-changed: abi", "command-id-changed: abi"]);
}

#[test]
fn state_comes_and_goes() {
    let text = |state: &str| {
        format!(
            "cxspec 1;\npackage a.b;\ndraft interface I {{ xintf 0x54321; {state} command c = 0 : R (x: u8) -> u8 {{ return x; }} }}\n"
        )
    };
    let (without, with) = (text(""), text("state exclusive { f: u8 = 0; }"));
    assert_eq!(names(&changes(&without, &with)), ["state-added: wire abi source"]);
    assert_eq!(names(&changes(&with, &without)), ["state-removed: wire abi source"]);
}

/// The worst of all, and what is none of it.
#[test]
fn a_uuid_names_one_contract() {
    let fixed = BASE.replace("draft interface", "interface");
    let broken = |old: &str, from: &str, to: &str| {
        let found = changes(old, &old.replace(from, to));
        found.iter().any(|change| change.rule.breaks.contains(&Breaks::Identity))
    };
    assert!(broken(&fixed, "total +% a", "total -% a"));
    assert!(broken(&fixed, "    command peek", "    command more = 7 : R () { }\n    command peek"));
    let found = changes(&fixed, &fixed.replace("total +% a", "total -% a"));
    assert!(found[0].rule.name == "contract-changed" && found[0].message.contains("5f1d3a0e"), "{found:?}");
    for harmless in [("Counts", "Counts more"), ("command peek", "command look"), ("(1, 2)", "(2, 2)")] {
        assert!(!broken(&fixed, harmless.0, harmless.1), "{harmless:?}");
    }
    // A draft may change, and a new contract takes a new UUID.
    assert!(!broken(BASE, "total +% a", "total -% a"));
    let renewed = fixed.replace("5f1d3a0e", "6f1d3a0e").replace("total +% a", "total -% a");
    assert_eq!(names(&changes(&fixed, &renewed)), ["uuid-changed: abi", "body-changed: behaviour"]);
    let automatic = fixed.replace("\"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\"", "auto");
    assert!(!broken(&automatic, "total +% a", "total -% a"));
}

const BOARD: &str = r#"cxspec 1;
package org.example.p;
use cx.std:IStateContext;

draft interface X { xintf 0x12345; uuid auto; xlen 64; command c = 0 : xcmd (x: u8) -> u8 { return x; } }
draft interface Y : IStateContext {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    xlen 64;
    state exclusive { f: u8 = 0; }
    command d = 0 : R () -> u8 { return f; }
}
platform P {
    xlen 64; xcmds 2; harts 1; levels u, m;
    device dev { unit 0 = org.example.p:X; unit 1 = org.example.p:X; }
    lun 32 = org.example.p:X { u, m -> dev.0; }
    discover org.example.p:X { 0 at u, m -> lun 32; }
    cxu 0 = org.example.p:Y { level 1; latency 1..1; contexts 4; }
}
"#;

/// What programs find on a platform; and its numbers, which they ask for.
const BOARD_EDITS: &[(&str, &str, &[&str])] = &[
    ("harts 1", "harts 2", &["platform-size-changed: "]),
    ("xcmds 2", "xcmds 1", &["platform-xcmds-removed: abi"]),
    ("u, m -> lun 32", "m -> lun 32", &["service-removed: abi"]),
    ("dev.0", "dev.1", &[]),
    ("contexts 4", "contexts 3", &["contexts-removed: abi"]),
    ("return f;", "return f ^ 1;", &["body-changed: behaviour", "service-contract-changed: behaviour"]),
    ("platform P", "/// It.\nplatform P", &["docs-changed: "]),
];

#[test]
fn platforms_are_what_programs_find() {
    let mut seen = BTreeSet::new();
    for (from, to, expected) in BOARD_EDITS {
        assert!(BOARD.contains(from), "{from}");
        let edited = BOARD.replacen(from, to, 1);
        let found = changes(BOARD, &edited);
        seen.extend(changes(&edited, BOARD).iter().chain(&found).map(|change| change.rule.name));
        assert_eq!(names(&found), *expected, "{from} -> {to}");
    }
    assert!(seen.contains("service-added"), "{seen:?}");
}

#[test]
fn changes_say_where() {
    let edited = BASE.replace("command peek", "\n    command look");
    let (old, new) = (contract(BASE), contract(&edited));
    let change = compare(&[&old], &[&new]).remove(0);
    let text = |side: &str, place: Option<lapis_cx::diff::Place>| {
        let span = place.unwrap().span;
        side[span.start as usize..span.end as usize].to_owned()
    };
    assert_eq!((text(BASE, change.old), text(&edited, change.new)), ("peek".to_owned(), "look".to_owned()));
}
