//! Generated Rust compiles without a warning in editions 2021 and 2024, without `std` and `unsafe`, also under clippy's
//! pedantic lints; documentation builds; the same file is a module by `#[path]` and by `include!`.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use lapis_cx::backend::platforms;
use lapis_cx::contract::library::Function;
use lapis_cx_backend_rust::naming;
use lapis_cx_tests::cc::run;
use lapis_cx_tests::rust::{EDITIONS, command};
use lapis_cx_tests::spec;

/// Lints that users may set and that generated code must not trip over.
const LINTS: [&str; 5] =
    ["-Dmissing_docs", "-Drust_2018_idioms", "-Dunreachable_pub", "-Funsafe_code", "-Dunused_qualifications"];

/// Specs of what is awkward: for any target, and for Rust.
const AWKWARD: [(&str, &str); 5] = [
    ("torture", include_str!("../../backends/torture.cxspec")),
    ("open", include_str!("../../backends/open.cxspec")),
    ("names", include_str!("../../backends/rust/tests/names.cxspec")),
    ("dotp", include_str!("../routines/dotp.cxspec")),
    ("routines", include_str!("../../backends/rust/tests/routines.cxspec")),
];

/// Writes every shipped spec's modules, and the awkward ones, and a crate that has them all, in one of
/// the two ways. A platform has one XLEN, so one that is forced leaves the others out.
fn crate_of_all(folder: &Path, include: bool, forced: Option<u32>) -> std::path::PathBuf {
    let mut text = "//! Every module.\n#![no_std]\n".to_owned();
    let shipped = spec::shipped().into_iter().map(|name| spec::build(&name));
    for outcome in shipped.chain(AWKWARD.map(|(name, text)| spec::build_text(name, text))) {
        spec::write(&outcome, folder);
        let contract = spec::contract(&outcome);
        let interfaces = contract.interfaces().filter(|i| !i.is_abstract);
        let interfaces = interfaces.map(|interface| (naming::file(interface), naming::module(interface)));
        let platforms = platforms(contract).filter(|p| forced.is_none_or(|xlen| p.xlen == xlen));
        let platforms = platforms.map(|p| (naming::platform_file(p), naming::platform_module(p)));
        let libraries = contract.libraries().filter(|library| library.functions.iter().any(Function::has_body));
        let libraries = libraries.map(|l| (naming::library::file(l), naming::snake(&naming::library::stem(l))));
        for (file, module) in interfaces.chain(platforms).chain(libraries) {
            let _ = match include {
                true => writeln!(text, "/// A module.\npub mod {module} {{\n    include!(\"{file}\");\n}}"),
                false => writeln!(text, "/// A module.\n#[path = \"{file}\"]\npub mod {module};"),
            };
        }
    }
    let path = folder.join(if include { "included.rs" } else { "modules.rs" });
    std::fs::write(&path, text).unwrap();
    path
}

/// A compiler or linter that makes no code.
fn checks(mut command: Command, source: &Path, folder: &Path) {
    command.args(["--crate-type", "lib", "--emit=metadata"]).args(LINTS);
    run(command.arg(source).arg("-o").arg(folder.join("checked.rmeta")));
}

#[test]
fn rust_has_no_warnings() {
    let folder = tempfile::tempdir().unwrap();
    for include in [false, true] {
        let source = crate_of_all(folder.path(), include, None);
        for edition in EDITIONS {
            checks(command("rustc", edition), &source, folder.path());
            let mut clippy = command("clippy-driver", edition);
            clippy.args(["-Wclippy::pedantic"]);
            checks(clippy, &source, folder.path());
        }
    }
}

#[test]
fn a_forced_xlen_has_no_warnings() {
    let folder = tempfile::tempdir().unwrap();
    for xlen in [32, 64] {
        let source = crate_of_all(folder.path(), false, Some(xlen));
        let text = std::fs::read_to_string(&source).unwrap();
        std::fs::write(&source, format!("{text}const _: () = assert!(mulacc::XLEN == {xlen});\n")).unwrap();
        for edition in EDITIONS {
            let mut command = command("rustc", edition);
            command.arg(format!("--cfg=cx_xlen=\"{xlen}\""));
            checks(command, &source, folder.path());
        }
    }
}

#[test]
fn rust_documents_itself() {
    let folder = tempfile::tempdir().unwrap();
    let source = crate_of_all(folder.path(), false, None);
    run(command("rustdoc", "2024").arg(&source).arg("-o").arg(folder.path().join("doc")));
}

/// Lines that rustfmt would change, removed and added ones: expressions of several levels that all break, such as `if` within
/// shifts and masks, or an element of an array as a factor. All other files it leaves alone.
const REFORMATTED: [(&str, usize); 2] = [("names.rs", 40), ("tile.rs", 26)];

#[test]
fn rustfmt_has_nothing_to_say() {
    let folder = tempfile::tempdir().unwrap();
    crate_of_all(folder.path(), false, None);
    std::fs::write(folder.path().join("rustfmt.toml"), "").unwrap();
    let (mut seen, mut found) = (0, Vec::new());
    for file in std::fs::read_dir(folder.path().join("rust")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.args(["--edition", "2021", "--check", "--color", "never", "--config-path"]).arg(folder.path());
        let output = rustfmt.arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let lines = said.lines().filter(|line| line.starts_with(['-', '+'])).count();
        let allowed = REFORMATTED.iter().find(|(other, _)| *other == name).map_or(0, |(_, lines)| *lines);
        if lines > allowed || (lines == 0 && !output.status.success()) {
            found.push(format!("{name}: {lines} lines, {allowed} are known\n{said}"));
        }
        seen += 1;
    }
    assert!(seen > 10, "{seen} files");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_printed_is_what_was_meant() {
    let shipped = spec::shipped().into_iter().map(|name| spec::build(&name));
    for outcome in shipped.chain(AWKWARD.map(|(name, text)| spec::build_text(name, text))) {
        lapis_cx_tests::random_spec::judge::retold(&outcome).unwrap_or_else(|fault| panic!("{fault:?}"));
    }
}
