//! Specs that nest, repeat or grow without end get an answer from the whole pipeline, lowering and printing included.

#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::backend::Backend;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, compile};

fn run(items: &str, interface: &str) -> Outcome {
    run_for(lapis_cx_backends::all(), items, interface)
}

fn run_for(backends: &[&dyn Backend], items: &str, interface: &str) -> Outcome {
    let text = format!("cxspec 1;\npackage a.b;\n{items}\ninterface X {{ uuid auto; short x;\n{interface}\n}}\n");
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.into_bytes() };
    compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, backends)
}

fn codes(outcome: &Outcome) -> Vec<u16> {
    outcome.diagnostics.iter().map(|d| d.code.0).collect()
}

fn chain(calls: u32) -> Outcome {
    let functions: String =
        (1..=calls).map(|i| format!("fn f{i}(x: u32) -> u32 {{ return f{}(x); }}\n", i - 1)).collect();
    let items = format!("fn f0(x: u32) -> u32 {{ return x; }}\n{functions}");
    run(&items, &format!("command c = 0 : R (a: u32) -> u32 {{ return f{calls}(a); }}"))
}

#[test]
fn functions_call_each_other_only_so_deep() {
    assert_eq!(codes(&chain(15)), [0u16; 0]);
    let outcome = chain(5000);
    assert!(codes(&outcome).iter().all(|&code| code == 4) && outcome.has_errors());
}

fn arms(count: u32) -> Outcome {
    let arms: String =
        (0..count).map(|i| format!("{}..{} => {{ return {}; }}\n", 100 * i, 100 * i + 50, i % 7)).collect();
    run("", &format!("command c = 0 : R (a: u32) -> u32 {{ match (a) {{ {arms} _ => {{ return 9; }} }} }}"))
}

#[test]
fn a_match_has_only_so_many_arms() {
    assert_eq!(codes(&arms(255)), [0u16; 0]);
    assert_eq!(codes(&arms(20_000)), [4]);
}

#[test]
fn nested_loops_are_lowered_in_time() {
    let (open, close): (String, String) = ((0..45).map(|i| format!("for i{i} in 0..2 {{ ")).collect(), "}".repeat(45));
    let body = format!("{open} if (a == 1) {{ raise op; }} x = a; {close} return x;");
    let outcome =
        run("", &format!("state exclusive {{ x: u32 = 0; }}\ncommand c = 0 : R (a: u32) -> u32 {{ {body} }}"));
    assert_eq!(codes(&outcome), [0u16; 0]);
    assert!(!outcome.files.is_empty());
}

/// All function ids of its own, and all user-level addresses.
#[test]
fn a_full_interface_is_printed_in_time() {
    let commands: String =
        (0..1008).map(|i| format!("command c{i} = {i} : R (a: u32) -> u32 {{ return a ^ {i}; }}\n")).collect();
    let csrs: String = (0x802..0x8FF).map(|i| format!("csr r{i} = {i:#x} rw {{ f [31:0]: u32 = f{i}; }}\n")).collect();
    let fields: String = (0x802..0x8FF).map(|i| format!("f{i}: u32 = 0;")).collect();
    let c = lapis_cx_backends::by_name("c").unwrap();
    let outcome = run_for(&[c], "", &format!("state exclusive {{ {fields} }}\n{commands}{csrs}"));
    assert_eq!(codes(&outcome), [0u16; 0]);
    assert_eq!(outcome.files.len(), 2);
}

/// A machine with this many units, where lun after lun leads to the unit after that of the one before.
fn machine(units: u32, luns: u32) -> Outcome {
    let lines = |from: u32, to: u32, line: &dyn Fn(u32) -> String| (from..to).map(line).collect::<String>();
    let items = format!(
        "platform P {{ xlen 64; levels u; device d {{ {} }} {} discover X {{ {} }} }}",
        lines(0, units, &|i| format!("unit {i} = X;\n")),
        lines(0, luns, &|i| format!("lun {} = X {{ u -> d.{i}; }}\n", 32 + i)),
        lines(0, luns, &|i| format!("{i} at u -> lun {};\n", 32 + i)),
    );
    run_for(&[], &items, "xintf auto; command c = 0 : xcmd (a: u8) -> u8 { return a; }")
}

#[test]
fn a_full_machine_is_checked_in_time() {
    assert_eq!(codes(&machine(4000, 4000)), [0u16; 0]);
    // Half of the luns lead to units that are not there.
    assert!(machine(2000, 4000).has_errors());
}

#[test]
fn long_names_are_not_compared() {
    let (one, two) = ("a".repeat(60_000), format!("{}b", "a".repeat(60_000)));
    let outcome = run(&format!("const {one}: u8 = 1;"), &format!("command c = 0 : R () -> u8 {{ return {two}; }}"));
    assert_eq!(codes(&outcome), [101]);
}

#[test]
fn laws_over_large_arrays_have_room() {
    let outcome =
        run("", "command c = 0 : R () -> u8 { return 1; }\nlaw l(a: u32[16384], b: u32[16384]): a[0] == a[0];");
    assert!(!outcome.has_errors());
}
