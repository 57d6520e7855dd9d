//! Whole files through the whole pipeline. Drop a file into `tests/cases/ok` and its contract is compared with the
//! `.json` beside it; into `tests/cases/bad`, and what `cxc check` shows is compared with the `.txt` beside it. A folder
//! with the name of a case holds the files it may import from. `tests/cases/doubtful` is as `bad`, for files with warnings only.
//!
//! `BLESS=1 cargo test -p lapis-cx --test cases` writes the expected files anew; read them before you keep them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod folder;

use std::fmt::Write;
use std::path::Path;

use folder::{Folder, source};
use lapis_cx::diagnostic::catalogue;
use lapis_cx::diagnostic::render::{Style, render};
use lapis_cx::driver::{Effort, Imports, NoImports, NoVerdicts, Outcome, SourceText, compile};

fn outcome_of(root: SourceText, imports: &mut dyn Imports) -> Outcome {
    compile(root, imports, &mut NoVerdicts, Effort::Check { vectors: 50 }, &[])
}

fn shown(outcome: &Outcome) -> String {
    render(&outcome.diagnostics, &outcome.sources, Style::GOLDEN)
}

/// Compiles every file of a folder, and compares what `text_of` gives with the file of extension `golden` beside it. Returns
/// all these texts.
fn run(folder: &str, least: usize, golden: &str, text_of: impl Fn(&Outcome) -> Result<String, String>) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "cxspec"));
    files.sort();
    assert!(files.len() >= least);
    let (mut wrong, mut all) = (String::new(), String::new());
    for path in files {
        let got = match text_of(&outcome_of(source(&path), &mut Folder(path.with_extension("")))) {
            Ok(got) => got,
            Err(why) => {
                writeln!(wrong, "---- {}\n{why}", path.display()).unwrap();
                continue;
            }
        };
        all += &got;
        let golden = path.with_extension(golden);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, got).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if got != expected {
            writeln!(wrong, "---- {}\n-- expected\n{expected}-- got\n{got}", path.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    all
}

#[test]
fn good_files_give_their_contract() {
    run("ok", 17, "json", |outcome| match &outcome.contract {
        Some(contract) if !outcome.has_errors() => Ok(serde_json::to_string_pretty(contract).unwrap() + "\n"),
        _ => Err(shown(outcome)),
    });
}

/// The shipped board, with the shipped specs that it names: clean, and its contract is `tests/cases/demo_board.json`.
#[test]
fn the_demo_board_gives_its_contract() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let specs = root.join("../../specs");
    let outcome = outcome_of(source(&specs.join("demo_board.cxspec")), &mut Folder(specs));
    assert!(outcome.diagnostics.is_empty(), "{}", shown(&outcome));
    let got = serde_json::to_string_pretty(&outcome.contract.unwrap()).unwrap() + "\n";
    let golden = root.join("tests/cases/demo_board.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &got).unwrap();
    }
    assert_eq!(got, std::fs::read_to_string(&golden).unwrap_or_default());
}

#[test]
fn bad_and_doubtful_files_give_their_findings() {
    let mut shown_codes =
        run(
            "bad",
            95,
            "txt",
            |outcome| {
                if outcome.has_errors() { Ok(shown(outcome)) } else { Err("no error".to_owned()) }
            },
        );
    shown_codes += &run("doubtful", 3, "txt", |outcome| {
        let is_doubtful = !outcome.has_errors() && !outcome.diagnostics.is_empty();
        if is_doubtful { Ok(shown(outcome)) } else { Err(format!("not only warnings:\n{}", shown(outcome))) }
    });
    // Together they cover the codes of the front end. CX0214 takes seconds; `robustness` shows it.
    for entry in catalogue::all().filter(|e| [1, 2, 3, 4, 7, 8].contains(&(e.code.0 / 100)) && e.code.0 != 214) {
        assert!(shown_codes.contains(&entry.code.to_string()), "no case shows {}: {}", entry.code, entry.title);
    }
}

#[test]
fn examples_of_the_catalogue() {
    let compiled = |text: &str| {
        outcome_of(SourceText { name: "t.cxspec".to_owned(), bytes: text.as_bytes().to_vec() }, &mut NoImports)
    };
    let mut wrong = String::new();
    for entry in catalogue::all().filter(|e| !e.bad.is_empty()) {
        let bad = compiled(entry.bad);
        if bad.diagnostics.is_empty() || bad.diagnostics.iter().any(|d| d.code != entry.code) {
            writeln!(wrong, "bad example of {}:\n{}", entry.code, shown(&bad)).unwrap();
        }
        let good = compiled(entry.good);
        if good.has_errors() {
            writeln!(wrong, "good example of {}:\n{}", entry.code, shown(&good)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The help for a reserved name proposes a declaration that the compiler accepts.
#[test]
fn help_of_reserved_names_proposes_accepted_declarations() {
    let compiled = |item: &str| {
        let text = format!("cxspec 1;\npackage org.example.cases;\n\nlibrary L {{\n    {item}\n}}\n");
        outcome_of(SourceText { name: "t.cxspec".to_owned(), bytes: text.into_bytes() }, &mut NoImports)
    };
    let items = [
        ("struct S { old: int; }", "old"),
        ("struct S { sizeof: int; }", "sizeof"),
        ("struct S { is_in: int; }", "is_in"),
        ("func errno() -> int;", "errno"),
        ("callback index() -> int;", "index"),
        ("struct u8 { n: int; }", "u8"),
        ("handle null;", "null"),
    ];
    for (item, name) in items {
        let refused = compiled(item);
        let help = refused.diagnostics.iter().find_map(|d| d.help.as_deref()).unwrap();
        let proposal = help.split('`').nth(1).unwrap().trim_end_matches(": …");
        let mended = item.replace(name, proposal);
        let outcome = compiled(&mended);
        assert!(proposal != name && !outcome.has_errors(), "{mended}:\n{}", shown(&outcome));
    }
}
