//! What does not change the meaning of a shipped spec changes neither its contract hash nor the key of its verdict; what
//! does is found under a frozen UUID, and named.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::contract::Interface;
use lapis_cx::driver::{Effort, NoImports, Outcome, SourceText, Verdicts, compile};

const MULACC: &str = include_str!("../../../specs/mulacc.cxspec");
const BITKIT: &str = include_str!("../../../specs/bitkit.cxspec");

/// Notes the keys, and lets everything run.
#[derive(Default)]
struct Keys(Vec<String>);

impl Verdicts for Keys {
    fn passed(&mut self, _key: &str) -> bool {
        false
    }
    fn record(&mut self, key: &str) {
        self.0.push(key.to_owned());
    }
}

fn run(text: &str) -> (Outcome, Vec<String>) {
    let mut keys = Keys::default();
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.as_bytes().to_vec() };
    let outcome = compile(root, &mut NoImports, &mut keys, Effort::Build, &[]);
    (outcome, keys.0)
}

fn interface(outcome: &Outcome) -> &Interface {
    outcome.contract.as_ref().unwrap().interfaces().next().unwrap()
}

/// The text with a part replaced, which must be in it.
fn with(text: &str, part: &str, by: &str) -> String {
    assert!(text.contains(part), "{part}");
    text.replace(part, by)
}

fn same(text: &str, changed: &str) {
    let ((before, keys), (after, new_keys)) = (run(text), run(changed));
    assert!(after.diagnostics.is_empty(), "{:?}", after.diagnostics);
    assert_eq!(interface(&before).hash, interface(&after).hash, "{changed}");
    assert_eq!(keys, new_keys, "{changed}");
    assert_eq!(keys.len(), 1);
}

/// A change of meaning that only `command` (or another part) feels.
fn different(text: &str, changed: &str, part: &str) {
    let (before, _) = run(text);
    let (after, keys) = run(changed);
    // Its examples fail as well, perhaps.
    let found: Vec<_> = after.diagnostics.iter().filter(|d| (500..600).contains(&d.code.0)).collect();
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(one.code.0, 501, "{one:?}");
    let said = format!("{one:?}");
    assert!(said.contains(part), "`{part}` is not named: {said}");
    assert_ne!(interface(&before).hash, interface(&after).hash);
    assert!(!keys.is_empty() || after.has_errors());
}

#[test]
fn layout_and_comments() {
    for spec in [MULACC, BITKIT] {
        same(spec, &spec.replace('\n', "\n\n"));
        same(spec, &spec.replace(";\n", "; // a comment\n"));
        same(spec, &spec.replace("    ", "\t"));
        same(spec, &spec.replace('\n', "\r\n"));
        let without_comments: String =
            spec.lines().map(|l| l.split("//").next().unwrap().trim_end().to_owned() + "\n").collect();
        same(spec, &without_comments);
    }
}

#[test]
fn documentation_and_attributes() {
    same(MULACC, &with(MULACC, "/// acc = a * b; returns the new total. Starts a fresh sum.", "/// Something else."));
    same(MULACC, &with(MULACC, "/// Running total.\n", "/// A total that runs,\n/// in two lines.\n"));
    same(MULACC, &with(MULACC, "@latency(1, 4)", "@latency(2, 40)"));
    same(MULACC, &with(MULACC, " @latency(1, 4)", ""));
    same(BITKIT, &with(BITKIT, "    /// Signed saturating add.\n", ""));
}

#[test]
fn names() {
    // A local, an operand, a function, a constant of the interface and of the package, a command, a loop variable.
    same(BITKIT, &BITKIT.replace("mask", "low_ones"));
    same(
        BITKIT,
        &with(
            BITKIT,
            "(x: word, n: u<clog2(XLEN)>) -> word {\n        return (x >> n) | (x << (0 -% n));",
            "(value: word, by: u<clog2(XLEN)>) -> word {\n        return (value >> by) | (value << (0 -% by));",
        ),
    );
    same(BITKIT, &BITKIT.replace("crc_step", "one_bit"));
    same(BITKIT, &BITKIT.replace("CRC[", "TABLE[").replace("const CRC:", "const TABLE:"));
    same(BITKIT, &BITKIT.replace("POLY", "GENERATOR"));
    same(BITKIT, &BITKIT.replace("popcnt", "count_ones"));
    let renamed = MULACC.replace(" acc: word", " total: word").replace("        acc = ", "        total = ");
    same(MULACC, &renamed.replace("= acc +%", "= total +%").replace("return acc;", "return total;"));
}

#[test]
fn unused_and_moved_parts() {
    same(BITKIT, &with(BITKIT, "const POLY", "fn unused(x: u8) -> u8 { return x; }\nconst UNUSED = 3;\nconst POLY"));
    // Commands are ordered by id, not by place.
    let start = BITKIT.find("    /// Number of set bits.").unwrap();
    let end = BITKIT.find("    /// Rotate right;").unwrap();
    let (part, rest) = (&BITKIT[start..end], format!("{}{}", &BITKIT[..start], &BITKIT[end..]));
    same(BITKIT, &with(&rest, "    example { crc32_b", &format!("{part}    example {{ crc32_b")));
    // What is folded: the contract has the value.
    same(BITKIT, &with(BITKIT, "0xEDB88320", "0xEDB88300 | (1 << 5)"));
    same(
        BITKIT,
        &with(BITKIT, "return a / b;\n    }", "if (XLEN == 16) { return missing; }\n        return a / b;\n    }"),
    );
}

#[test]
fn constants_of_which_only_the_number_counts() {
    same(BITKIT, &with(BITKIT, "(crc >> 8)", "(crc >> 8u32)"));
    same(BITKIT, &with(BITKIT, "if (b == 0)", "if (b == 0u8)"));
    same(BITKIT, &with(BITKIT, "for i in 0..XLEN", "for i in 0u16..word(XLEN)"));
    same(BITKIT, &with(BITKIT, "pl[5:0]", "pl[5u8:0u1]"));
    let part = with(BITKIT, "let pos: u6 = pl[5:0];", "let pos: u6 = pl[0 +: 6];");
    same(BITKIT, &part);
    same(BITKIT, &part.replace("pl[0 +: 6]", "pl[0u9 +: 6u4]"));
}

/// The canonical text of a command with this body.
fn text_of(body: &str) -> String {
    let text = format!(
        "cxspec 1; package a.b; draft interface X {{ uuid auto; xlen 32; const N: u8 = 2;
         state exclusive {{ s: u8[4] = 0; t: s7 = 0; }} command c = 0 : R (a: u8) {{ {body} }} }}"
    );
    let (outcome, _) = run(&text);
    assert!(!outcome.has_errors(), "{:?}", outcome.diagnostics);
    lapis_cx::contract::canonical::text(interface(&outcome))
}

#[test]
fn a_constant_by_whatever_name_or_method() {
    assert_eq!(text_of("s[N] = a[N] ? 1 : 0;"), text_of("s[2] = a[2] ? 1 : 0;"));
    assert_eq!(text_of("s[0][N] = 1; s[1][N +: 2] = 1;"), text_of("s[0][2] = 1; s[1][2 +: 2] = 1;"));
    assert_eq!(text_of("t = 5u3.sext(7);"), text_of("t = -3;"));
    assert_eq!(text_of("t = (0 - 1u1).trunc(1).zext(5).signed().sext(7);"), text_of("t = 1;"));
    // But where a constant's type makes another type, it stays.
    assert_ne!(text_of("let x = a + N;"), text_of("let x = a + 2u16;"));
}

#[test]
fn compound_assignments_are_expanded() {
    assert_eq!(text_of("s[a] +%= 1; t <<= 2;"), text_of("s[a] = s[a] +% 1; t = t << 2;"));
    let place = "s[[for i in 0..2 => a][0]]";
    assert_eq!(text_of(&format!("{place} ^= a;")), text_of(&format!("{place} = {place} ^ a;")));
}

#[test]
fn a_loop_variable_has_the_smallest_type() {
    for (range, ty) in
        [("-1..1", "(s 1)"), ("-2..1", "(s 2)"), ("-1..2", "(s 2)"), ("0..2", "(u 1)"), ("0..3", "(u 2)")]
    {
        let text = text_of(&format!("for i in {range} {{ }}"));
        assert!(text.contains(&format!("(for (l 1) {ty} ")), "{text}");
    }
}

#[test]
fn another_body_under_a_frozen_uuid() {
    different(MULACC, &with(MULACC, "acc = a *% b;", "acc = a +% b;"), "mul");
    different(MULACC, &with(MULACC, "acc = acc +% a *% b;", "acc = acc -% a *% b;"), "mulacc");
    different(BITKIT, &with(BITKIT, "(crc >> 8)", "(crc >> 7)"), "crc32_b");
    different(BITKIT, &with(BITKIT, "return (a + b).sat(XLEN);", "return (a + b).trunc(XLEN);"), "adds");
    different(BITKIT, &with(BITKIT, "raise op -> a / b;", "raise op;"), "divchk");
    // A form, a type, an id and the state belong to the contract as well.
    different(BITKIT, &with(BITKIT, "ror = 2 : R | I", "ror = 2 : R"), "ror");
    different(MULACC, &with(MULACC, "acc: word = 0;", "acc: word = 1;"), "state");
    // Through a function that only one command calls.
    different(BITKIT, &with(BITKIT, "0xEDB88320", "0xEDB88321"), "crc32_b");
}
