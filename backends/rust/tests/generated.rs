//! What the backend prints: kept texts, and the names it reports. `tests/warnings` compiles it, `tests/agreement` runs it.
//!
//! `BLESS=1 cargo test` writes the kept texts anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use lapis_cx::backend::{Backend, File, Input};
use lapis_cx::diagnostic::render;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx_backend_rust::Rust;

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} differs from the kept text; look at it, then run with BLESS=1");
}

fn outcome(name: &str, bytes: Vec<u8>) -> Outcome {
    let source = SourceText { name: name.into(), bytes };
    compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&Rust::DEFAULT])
}

fn printed(name: &str, bytes: Vec<u8>) -> Vec<File> {
    let outcome = outcome(name, bytes);
    let shown = render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN);
    assert!(!outcome.has_errors(), "{shown}");
    // The same contract gives the same bytes.
    let contract = outcome.contract.unwrap();
    let program = lapis_cx::lower::lower(&contract);
    let again = Rust::DEFAULT.emit(Input::new(&contract, &program)).unwrap();
    assert_eq!(outcome.files, again);
    // The text says what its tokens say.
    assert_eq!(lapis_cx_backend_rust::verify(Input::new(&contract, &program)).unwrap(), again);
    again
}

fn shipped(name: &str) -> Vec<File> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../specs").join(name);
    printed(name, std::fs::read(path).unwrap())
}

#[test]
fn texts_are_as_kept() {
    let awkward = include_bytes!("../../torture.cxspec").to_vec();
    let names = include_bytes!("names.cxspec").to_vec();
    let open = printed("open.cxspec", include_bytes!("../../open.cxspec").to_vec());
    let of = |stem: &str, files: &[File]| {
        files.iter().filter(|f| f.path == format!("rust/{stem}.rs")).cloned().collect::<Vec<_>>()
    };
    let one = |stem: &str| of(stem, &open);
    let mulacc = shipped("mulacc.cxspec");
    let routines = printed("routines.cxspec", include_bytes!("routines.cxspec").to_vec());
    let dotp = printed("dotp.cxspec", include_bytes!("../../../tests/routines/dotp.cxspec").to_vec());
    let all = [
        ("mulacc.rs", of("mulacc", &mulacc)),
        ("dot.rs", of("dot", &mulacc)),
        ("dotp.rs", of("dotp", &dotp)),
        ("routines.rs", of("org_example_routines__New", &routines)),
        ("crc32c.rs", shipped("crc32c.cxspec")),
        ("torture.rs", printed("torture.cxspec", awkward)),
        ("names.rs", printed("names.cxspec", names)),
        ("open.rs", one("op")),
        ("feeder.rs", one("dev")),
    ];
    for (name, files) in all {
        let [file] = files.as_slice() else { panic!("{name}: {} files", files.len()) };
        golden(name, &file.text);
    }
}

/// What the driver says of an interface with these members.
fn said(members: &str) -> String {
    let text = format!(
        "cxspec 1;\npackage a.b;\ndraft interface X {{ uuid \"aa0f7d0e-00ff-4000-8000-0000000000b1\"; xlen 32;\n{members}\n}}\n"
    );
    let outcome = outcome("x.cxspec", text.into());
    assert!(outcome.has_errors(), "{members}");
    render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN)
}

#[test]
fn names_that_meet_in_rusts_case_are_refused() {
    let command = |name: &str, id: u32| format!("command {name} = {id} : R () -> word {{ return 1; }}\n");
    for (members, name) in [
        (command("RocknRoll", 0) + &command("Rockn_Roll", 1), "x::rockn_roll"),
        ("enum E: u3 { a_b = 0, aB = 1 }\n".to_owned() + &command("c", 0), "x::E::A_B"),
        ("const ab = 1; const AB = 2;\n".to_owned() + &command("c", 0), "x::AB"),
        ("enum Soft: u3 { a = 0 }\n".to_owned() + &command("c", 0), "x::Soft"),
        (
            "state exclusive { n: word = 0; }\ncsr r = 0x810 rw { n [XLEN-1:0]: word = n; }\n".to_owned()
                + &command("r_set", 0),
            "x::r_set",
        ),
        ("csr aB = 0xCC0 ro { }\ncsr AB = 0xCC1 ro { }\n".to_owned() + &command("c", 0), "x::csr::AB"),
        (
            "state exclusive { a: u1 = 0; b: u1 = 0; }\ncsr r = 0x810 rw { x [0]: u1 = a; with_x [1]: u1 = b; }\n"
                .to_owned()
                + &command("c", 0),
            "x::csr::R::with_x",
        ),
        ("const UUID = 1;\n".to_owned() + &command("c", 0), "x::UUID"),
        (
            "command a = 0 : R (x: word) -> word { if (x == 0) { raise op; } return x; }\n".to_owned()
                + &command("try_a", 1),
            "x::try_a",
        ),
        ("command a = 0 : R | I (x: word, y: word) -> word { return x; }\n".to_owned() + &command("a_i", 1), "x::a_i"),
    ] {
        let said = said(&members);
        assert!(said.contains(&format!("{name}`")), "{name} in {said}");
    }
}

#[test]
fn names_of_libraries_that_meet_are_refused() {
    let text = |library: &str| {
        let interface = "interface I { uuid auto; short taken; command c = 0 : R () -> u32 { return 1; } }";
        format!("cxspec 1;\npackage a.b;\n{interface}\nlibrary {library}\n").into_bytes()
    };
    let body = "-> u32 { impl { return 1; } }";
    for (library, name) in [
        (format!("L {{ c header \"taken.h\"; func f() {body} }}"), "rust/taken.rs"),
        (format!("Calls {{ c header \"l.h\"; func f() {body} }}"), "l::Calls"),
        (format!("L {{ c header \"l.h\"; func aB() {body} func a_b() {body} }}"), "l::L::a_b"),
        (format!("L {{ c header \"l.h\"; func new() {body} func New() {body} }}"), "l::L::new_"),
        (format!("L {{ c header \"l.h\"; enum Calls: s32 {{ a = 0 }} func f(x: Calls) {body} }}"), "l::Calls"),
    ] {
        let outcome = outcome("l.cxspec", text(&library));
        let said = render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN);
        assert!(outcome.has_errors() && said.contains(&format!("{name}`")), "{library}: {said}");
    }
}
