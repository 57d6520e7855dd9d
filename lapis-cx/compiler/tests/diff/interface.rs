//! An interface, and edits of it.

use super::{Edit, Group};

pub const BASE: &str = r#"cxspec 1;
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

    /// What one user has.
    state exclusive {
        mode: Mode = Mode.up;
        level: u8 = 0;
        /// All of it.
        total: u32 = 0;
        count: u16 = 0;
    }

    /// How, and how many.
    csr control = 0x810 rw {
        mode [1:0]: Mode = mode @warl;
        /// All.
        level [15:8]: u8 = level;
    }
    csr what = 0xCC0 ro { over [0]: bool = total > 50; }

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

/// Each edit: the text it replaces, the text it puts there, and the changes that it is.
pub const EDITS: &[Edit] = &[
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
    ("/// What one user has.", "/// One user's.", &["docs-changed: "]),
    ("    /// What one user has.\n", "", &["docs-changed: "]),
    ("/// All of it.", "/// The sum.", &["docs-changed: "]),
    // CSRs.
    ("    csr what", "    csr more = 0x811 ro { }\n    csr what", &["csr-added: "]),
    ("csr what", "csr that", &["csr-renamed: source"]),
    ("0xCC0", "0xCC1", &["csr-address-changed: abi"]),
    ("0x810 rw", "0x811 rw", &["csr-address-changed: abi"]),
    ("over [0]", "beyond [0]", &["csr-field-renamed: source"]),
    ("over [0]", "over [1]", &["csr-field-moved: abi"]),
    ("total > 50; }", "total > 50; none [4]: bool = total == 0; }", &["csr-field-added: behaviour"]),
    ("bool = total > 50; }", "bool = total > 60; }", &["csr-field-value-changed: behaviour"]),
    ("over [0]: bool = total > 50", "over [0]: u1 = total[0]", &["csr-field-type-changed: abi source"]),
    (" @warl", "", &["csr-warl-changed: behaviour"]),
    ("/// How, and how many.", "/// How.", &["docs-changed: "]),
    ("        /// All.\n", "", &["docs-changed: "]),
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

/// Edits in several places.
pub const GROUPS: &[Group] = &[
    (
        &[
            ("draft interface", "abstract interface"),
            ("    uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";\n", ""),
            ("    xintf 0x12345;\n", ""),
        ],
        &["uuid-removed: abi source", "xintf-removed: abi source", "made-final: ", "made-abstract: abi source"],
    ),
    (&[("count", "number")], &["field-renamed: source"]),
    (&[("full", "overflow")], &["error-renamed: source", "error-message-changed: "]),
    (&[("LIMIT", "MOST")], &["const-added: ", "const-removed: source"]),
    (
        &[("Mode", "Kind")],
        &[
            "field-type-changed: wire abi source",
            "csr-field-type-changed: abi source",
            "enum-added: ",
            "enum-removed: source",
        ],
    ),
    // The package is a part of every name; an interface is known by its UUID, a library is not.
    (
        &[("org.example.t", "org.example.u")],
        &["interface-renamed: source", "library-added: ", "library-removed: abi source"],
    ),
    (
        &[("        count: u16 = 0;\n", ""), ("bump(count)", "bump(1)"), ("{ count = m; }", "{ }")],
        &["body-changed: behaviour", "body-changed: behaviour", "field-removed: wire abi source"],
    ),
    (
        &[("Mode: u2", "Mode: u3"), ("Mode(m)", "Mode(m.zext(3))"), ("[1:0]", "[2:0]")],
        &["body-changed: behaviour", "enum-base-changed: abi source"],
    ),
    (&[("add = 0", "add = 1"), ("peek = 1", "peek = 0")], &["command-id-changed: abi", "command-id-changed: abi"]),
    (&[("csr what = 0xCC0 ro { over [0]: bool = total > 50; }", "")], &["csr-removed: abi source"]),
    (&[("0x810 rw", "0x810 ro"), (" @warl", "")], &["csr-made-read-only: abi source", "csr-warl-changed: behaviour"]),
    (
        &[("        level [15:8]: u8 = level;\n", ""), ("        /// All.\n", "")],
        &["csr-field-removed: behaviour source"],
    ),
];

/// An interface with state that no command needs.
pub const STATEFUL: &str = r#"cxspec 1;
package a.b;
draft interface I {
    xintf 0x54321;
    state exclusive { f: u8 = 0; }
    command c = 0 : R (x: u8) -> u8 { return x; }
}
"#;

pub const STATEFUL_EDITS: &[Edit] = &[("state exclusive { f: u8 = 0; }", "", &["state-removed: wire abi source"])];
