//! What programs show of an interface: which calls, by which way.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::contract::{Contract, Interface};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx::usage::{Call, Failures, Way, calls, commands, csrs, only_csr};

/// The contract of an interface `X` with these members, at both XLENs.
fn contract(members: &str) -> Contract {
    let text = format!("cxspec 1;\npackage a.b;\nuse cx.std:IStateContext;\ndraft interface X {members}\n");
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.into_bytes() };
    let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
    assert!(!outcome.has_errors(), "{:#?}", outcome.diagnostics);
    outcome.contract.unwrap()
}

fn of<T>(members: &str, look: impl Fn(&Interface) -> T) -> T {
    look(contract(members).interfaces().next().unwrap())
}

const UUID: &str = "uuid \"aa0f7d0e-00ff-4000-8000-000000000001\";";

/// The calls, each as the source would write it.
fn shown(members: &str) -> Vec<String> {
    let text = |call: &Call| {
        let values: Vec<String> = call.values.iter().map(ToString::to_string).collect();
        let result = call.result.as_ref().map(|v| format!(" == {v}")).unwrap_or_default();
        format!("{}({}){result}", call.command, values.join(", "))
    };
    of(members, |interface| calls(interface).iter().map(text).collect())
}

#[test]
fn an_example_is_shown_as_far_as_it_is_plain() {
    let commands = "command add = 0 : R (a: u8, b: s8) -> s10 { return a + b; }
        command yes = 1 : R (on: bool) -> bool { return on; }
        command fail = 2 : R (a: word) -> word { if (a == 0) { raise op; } return a; }
        command low = 3 : I (n: imm u16) -> u16 { return n; }";
    let of = |examples: &str| shown(&format!("{{ {UUID} {commands} {examples} }}"));
    assert_eq!(of("example { add(3, -4) == -1; yes(true); }"), ["add(3, -4) == -1", "yes(1) == 1"]);
    // An expected error, another expression, and what differs with XLEN end it; values that do not differ stay.
    assert_eq!(of("example { yes(true); fail(0) raises op; yes(true); }"), ["yes(1) == 1"]);
    assert_eq!(of("example { yes(true); add(1, 1) + 1 == 3; }"), ["yes(1) == 1"]);
    assert_eq!(of("example { yes(true); fail(XLEN) == XLEN; }"), ["yes(1) == 1"]);
    assert_eq!(of("example { fail(5) == XLEN - XLEN + 5; }"), ["fail(5) == 5"]);
    // The longest one, the first of several; no more than three.
    assert_eq!(
        of("example { add(1, 1); } example { add(2, 2); add(3, 3); } example { yes(true); yes(true); }").len(),
        2
    );
    assert_eq!(of("example { add(1, 1); add(1, 2); add(1, 3); add(1, 4); }"), ["add(1, 1)", "add(1, 2)", "add(1, 3)"]);
    // The pattern 65535 is -1 in twelve bits, which no language writes as it stands.
    assert_eq!(of("example { low(0xFFFF) == 0xFFFF; }"), ["add(0, 0)", "yes(0)"]);
    assert_eq!(of("example { low(2047) == 2047; }"), ["low(2047) == 2047"]);
}

#[test]
fn a_result_that_differs_with_xlen_is_not_said() {
    let members =
        "command top = 0 : R (a: word) -> word { return a << XLEN - 1; } example { top(1) == 1 << (XLEN - 1); }";
    assert_eq!(shown(&format!("{{ {UUID} {members} }}")), ["top(1)"]);
}

#[test]
fn without_an_example_the_first_commands_get_zeros() {
    let members = "enum Way: u3 { up = 1, down = 5 }
        command gone = 0 : R () { trap; }
        command turn = 1 : R (w: Way, a: s8) -> Way { return w; }
        command wide = 2 : R (a: u40) -> u40 @xlen(64) { return a; }
        command next = 3 : flex (a: u8) { }
        command last = 4 : R (a: u8) -> u8 { return a; }";
    assert_eq!(shown(&format!("{{ {UUID} {members} }}")), ["turn(1, 0)", "next(0)"]);
}

#[test]
fn what_is_read_back_of_the_state_is_not_shown() {
    let members = "state exclusive { n: word = 0; } command set = 0 : R (a: u8) -> word { n = a.zext(XLEN); return n; }
        example { set(7) == 7; read_state(0) == 7; set(8) == 8; }";
    assert_eq!(shown(&format!(": IStateContext {{ {UUID} {members} }}")), ["set(7) == 7"]);
}

#[test]
fn devices_are_the_way_to_what_nothing_else_issues() {
    let both = "command both = 0 : R | xcmd (a: u8) -> u8 { return a; }";
    let sent = "command sent = 1 : xcmd (a: u8) -> u8 { return a; }";
    let way = |members: String| of(&members, Way::of);
    assert_eq!(way(format!("{{ {UUID} xintf 0x12345; {both} {sent} }}")), Some(Way::Cx));
    assert_eq!(way(format!("{{ xintf 0x12345; {sent} }}")), Some(Way::Device));
    assert_eq!(way(format!("{{ {UUID} xintf 0x12345; {sent} }}")), Some(Way::Device));
    assert_eq!(way(format!("{{ {UUID} }}")), Some(Way::Cx));
    assert_eq!(way("{ xintf 0x12345; }".to_owned()), None);
    // Only what goes that way is called, and no device is asked for what may trap.
    assert_eq!(shown(&format!("{{ {UUID} xintf 0x12345; {sent} {both} }}")), ["both(0)"]);
    let trap = "command trap = 2 : xcmd (a: u8) -> u8 { trap; } command open = 3 : xcmd (a: u8) -> u8;";
    assert_eq!(shown(&format!("{{ xintf 0x12345; {trap} {sent} }}")), ["sent(0)"]);
}

#[test]
fn a_csr_stands_in_for_commands() {
    let members = "state exclusive { n: u8 = 0; } csr x = 0x810 rw { n [7:0]: u8 = n; }";
    let csr = |members: &str| of(members, |interface| only_csr(interface).map(|csr| csr.name.clone()));
    assert_eq!(csr(&format!("{{ {UUID} {members} }}")), Some("x".to_owned()));
    assert_eq!(csr(&format!("{{ {UUID} {members} command c = 0 : R () {{ }} }}")), None);
}

#[test]
fn every_command_of_any_xlen_is_listed_once() {
    let members = "state exclusive { n: u8 = 0; } csr x = 0x810 rw { n [7:0]: u8 = n; }
        command lane[k in 0..XLEN / 32] = k : R () -> u8 { return n; }";
    let names = of(&format!("{{ {UUID} {members} }}"), |interface| {
        let commands = commands(interface).into_iter().map(|(section, c)| format!("{} {}", c.name, section.xlen));
        commands.chain(csrs(interface).into_iter().map(|(section, c)| format!("{} {}", c.name, section.xlen))).collect()
    });
    let names: Vec<String> = names;
    assert_eq!(names, ["lane0 32", "lane1 64", "x 32"]);
}

#[test]
fn failures_are_what_a_body_raises_at_any_depth() {
    let members = "state exclusive { n: u8 = 0; } error one = 1; error two = 2; error three = 3;
        command c = 0 : R (a: u8) -> u8 { for i in 0..2 { if (a == i) { raise two; } } match (a) { 7 => { raise one; } _ => { } } return a; }
        command d = 1 : R (a: u8) { if (a == 1) { raise op; } }
        command e = 2 : R (a: u8) { }
        command open = 3 : R (a: u8);";
    let flags = of(&format!("{{ {UUID} {members} }}"), |interface| {
        let section = &interface.sections[0];
        let of = |name: &str| {
            let failures = Failures::of(section, section.command(name).unwrap());
            let declared: Vec<&str> = failures.declared.iter().map(|e| e.name.as_str()).collect();
            format!("{} {}", failures.flags(), declared.join(" "))
        };
        ["c", "d", "e", "open"].map(of)
    });
    assert_eq!(flags, ["CX_STATUS_CU one two", "CX_STATUS_OP ", " ", "CX_STATUS_OP | CX_STATUS_CU "]);
}
