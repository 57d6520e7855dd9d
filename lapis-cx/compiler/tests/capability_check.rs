//! What a backend cannot print, and names that meet in its target, are refused at the declaration.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input, What};
use lapis_cx::contract::Contract;
use lapis_cx::diagnostic::Severity;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, compile};

/// A backend that can do what it is told, and calls every command `c` and every interface's file by its name.
struct Picky(Capabilities);

const ALL: Capabilities = Capabilities { max_width: 1024, ..Capabilities::ALL };

impl Backend for Picky {
    fn name(&self) -> &'static str {
        "picky"
    }

    fn about(&self) -> &'static str {
        "refuses"
    }

    fn capabilities(&self) -> Capabilities {
        self.0
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        let mut names = Vec::new();
        for interface in contract.interfaces() {
            for command in interface.sections.iter().flat_map(|s| &s.commands) {
                // As a target would that does not tell letters' cases apart.
                let name = command.name.to_lowercase();
                let what = What::new(["command `", &command.name, "`"]);
                let derived = DerivedName { space: "picky word", name, what, span: command.span };
                if !names.contains(&derived) {
                    names.push(derived);
                }
            }
        }
        names
    }

    fn emit(&self, _: Input<'_>) -> Result<Vec<File>, EmitError> {
        Ok(vec![File { path: "x".to_owned(), text: String::new() }])
    }
}

fn run(capabilities: Capabilities, members: &str) -> Outcome {
    run_with(Effort::Build, capabilities, members)
}

fn run_with(effort: Effort, capabilities: Capabilities, members: &str) -> Outcome {
    let text = format!(
        "cxspec 1;\npackage a.b;\ndraft interface X {{ uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\"; xintf 0x12345;\n{members}\n}}\n"
    );
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.into_bytes() };
    compile(root, &mut NoImports, &mut NoVerdicts, effort, &[&Picky(capabilities)])
}

/// Checks that a backend without a capability refuses these members where `marked` stands, and one with all does not.
fn refused(capabilities: Capabilities, members: &str, marked: &str) {
    let outcome = run(capabilities, members);
    let [finding] = outcome.diagnostics.as_slice() else { panic!("{members}: {:?}", outcome.diagnostics) };
    assert_eq!(finding.code.0, 904, "{members}");
    assert_eq!(outcome.sources.text(finding.span().unwrap()), marked, "{members}");
    assert!(outcome.files.is_empty());
    let outcome = run(ALL, members);
    assert!(outcome.diagnostics.is_empty() && outcome.files.len() == 1, "{members}: {:?}", outcome.diagnostics);
}

#[test]
fn each_capability_counts() {
    let c = "command c = 0 : R (a: u8) -> u8 { return a; }";
    refused(Capabilities { state: false, ..ALL }, &format!("state exclusive {{ s: u8 = 0; }} {c}"), "X");
    refused(Capabilities { opaque_commands: false, ..ALL }, "command o = 0 : R (a: u8) -> u8;", "o");
    refused(Capabilities { xcmd: false, ..ALL }, "command x = 0 : xcmd (a: u8, b: u8) -> u8 { return b; }", "x");
    let flex = "command f = 0 : flex (a: u8, b: u8, n: imm u5) { return; }";
    refused(Capabilities { flex_immediates: false, ..ALL }, flex, "f");
    let wide = "command w = 0 : R (a: u8) -> u8 { let x: u65 = a; return x.trunc(8); }";
    refused(Capabilities { max_width: 64, ..ALL }, wide, "w");
    let csr = format!("csr r = 0xCC0 ro {{ one [0]: u1 = 1; }} {c}");
    refused(Capabilities { csrs: false, ..ALL }, &csr, "r");
    let live = format!(
        "state shared(custom, save: f, restore: f) {{ s: u8 = 0; }} fn f(i: u10) -> bool {{ return true; }} {c}"
    );
    refused(Capabilities { live: false, ..ALL }, &live, "X");
    let field = format!("state exclusive {{ big: u65 = 0; }} {c}");
    refused(Capabilities { max_width: 64, ..ALL }, &field, "big");
}

/// What of a library's functions a backend refuses that cannot declare types of C, as it is marked.
fn undeclared(capabilities: Capabilities, library: &str) -> Vec<String> {
    let text = format!("cxspec 1;\npackage a.b;\nlibrary L {{\n{library}\n}}\n");
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.into_bytes() };
    let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&Picky(capabilities)]);
    let refused = outcome.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    let refused = refused.inspect(|finding| assert_eq!(finding.code.0, 904, "{library}"));
    refused.map(|finding| outcome.sources.text(finding.span().unwrap()).to_owned()).collect()
}

#[test]
fn types_that_no_header_declares_are_refused_where_functions_are_printed() {
    let cannot = Capabilities { undeclared_types: false, remote_libraries: false, ..ALL };
    let types = "handle H; struct P { a: u32; } callback D = \"done_fn\" (x: u32) -> void; handle V = \"void *\";";
    let body = "-> u32 { impl { return 1; } }";
    for (functions, marked) in [
        (format!("func of(h: H) -> u32; func f() {body}"), "h"),
        (format!("func f(n: size, all: in [P; n]) {body}"), "all"),
        (format!("func f(d: D) {body}"), "d"),
        (format!("func make() -> H; func f() {body}"), "make"),
        // What a real library has is its own affair.
        (format!("c libs \"-lreal\"; func of(h: H) -> u32; func f(g: H) {body}"), "g"),
    ] {
        let library = format!("{types}\n{functions}");
        assert_eq!(undeclared(cannot, &library), [marked], "{library}");
        assert_eq!(undeclared(ALL, &library), [""; 0], "{library}");
        assert_eq!(undeclared(Capabilities { libraries: false, ..cannot }, &library), [""; 0], "{library}");
    }
    for functions in [
        format!("func f(v: V, x: \"const char *\" as ptr) {body}"),
        format!("c header \"made.h\", \"types.h\"; func f(h: H) {body}"),
        format!("c libs \"-lreal\"; c header \"real.h\"; func f(h: H) {body}"),
        "func f(h: H) -> u32;".to_owned(),
    ] {
        assert_eq!(undeclared(cannot, &format!("{types}\n{functions}")), [""; 0], "{functions}");
    }
    // A backend that sends the calls of a real library prints all of its functions.
    let remote = Capabilities { undeclared_types: false, libraries: false, ..ALL };
    for (functions, marked) in [
        ("c libs \"-lreal\"; func of(h: H) -> u32;", &["h"][..]),
        ("c libs \"-lreal\"; c header \"real.h\"; func of(h: H) -> u32;", &[]),
        ("c libs \"-lreal\"; utility c\"\"\"typedef struct h *H;\"\"\" func of(h: H) -> u32;", &[]),
        ("c libs \"-lreal\"; func of(n: size, p: in [u8; n]) -> u32;", &[]),
        ("func of(h: H) -> u32;", &[]),
    ] {
        assert_eq!(undeclared(remote, &format!("{types}\n{functions}")), marked, "{functions}");
    }
    let own = format!("{types} c header \"made.h\"; func f(h: H) {body}");
    assert_eq!(undeclared(cannot, &own), ["h"], "the only header is the one that is made");
}

#[test]
fn commands_of_one_xlen_count_too() {
    let members = "command o = 0 : R (a: u8) -> u8 @xlen(32);\ncommand c = 1 : R (a: u8) -> u8 { return a; }";
    refused(Capabilities { opaque_commands: false, ..ALL }, members, "o");
}

#[test]
fn names_that_meet_are_refused() {
    let outcome =
        run(ALL, "command one = 0 : R (a: u8) -> u8 { return a; }\ncommand ONE = 1 : R (a: u8) -> u8 { return a; }");
    let [finding] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!(finding.code.0, 905);
    let marked: Vec<_> = finding.labels.iter().map(|l| outcome.sources.text(l.span)).collect();
    assert_eq!(marked, ["ONE", "one"]);
    assert!(outcome.files.is_empty());
}

#[test]
fn a_check_says_what_backends_cannot_and_refuses_names_that_meet() {
    let check = Effort::Check { vectors: 1 };
    let opaque = "command o = 0 : R (a: u8) -> u8;\ncommand c = 1 : R (a: u8) -> u8 { return a; }";
    let outcome = run_with(check, Capabilities { opaque_commands: false, ..ALL }, opaque);
    let [finding] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((finding.code.0, finding.severity), (904, Severity::Note));
    assert!(outcome.files.is_empty() && outcome.contract.is_some());
    let twins = "command one = 0 : R (a: u8) -> u8 { return a; }\ncommand ONE = 1 : R (a: u8) -> u8 { return a; }";
    let outcome = run_with(check, ALL, twins);
    let codes: Vec<_> = outcome.diagnostics.iter().map(|d| (d.code.0, d.severity)).collect();
    assert_eq!(codes, [(905, Severity::Error)]);
}
