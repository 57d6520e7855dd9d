//! Generated Rust compiles without a warning in editions 2021 and 2024, without `std` and `unsafe`, also under clippy's
//! pedantic lints; documentation builds; the same file is a module by `#[path]` and by `include!`.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::rust::{EDITIONS, command};
use lapis_cx_tests::spec;

/// Lints that users may set and that generated code must not trip over.
const LINTS: [&str; 5] =
    ["-Dmissing_docs", "-Drust_2018_idioms", "-Dunreachable_pub", "-Funsafe_code", "-Dunused_qualifications"];

/// Specs of what is awkward: for any target, and for Rust.
const AWKWARD: [(&str, &str); 3] = [
    ("torture", include_str!("../../backends/torture.cxspec")),
    ("open", include_str!("../../backends/open.cxspec")),
    ("names", include_str!("../../backends/rust/tests/names.cxspec")),
];

/// Writes every shipped spec's modules, and the awkward ones, and a crate that has them all, in one of
/// the two ways.
fn crate_of_all(folder: &Path, include: bool) -> std::path::PathBuf {
    let mut text = "//! Every module.\n#![no_std]\n".to_owned();
    let shipped = spec::shipped().into_iter().map(|name| spec::build(&name));
    for outcome in shipped.chain(AWKWARD.map(|(name, text)| spec::build_text(name, text))) {
        spec::write(&outcome, folder);
        for interface in spec::contract(&outcome).interfaces().filter(|i| !i.is_abstract) {
            let (file, module) =
                (lapis_cx_backend_rust::naming::file(interface), lapis_cx_backend_rust::naming::module(interface));
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
        let source = crate_of_all(folder.path(), include);
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
    let source = crate_of_all(folder.path(), false);
    let text = std::fs::read_to_string(&source).unwrap();
    for xlen in ["32", "64"] {
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
    let source = crate_of_all(folder.path(), false);
    run(command("rustdoc", "2024").arg(&source).arg("-o").arg(folder.path().join("doc")));
}
