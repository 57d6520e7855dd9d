//! Crates whose build scripts call `lapis-cx-build`: the examples, as a user copies them, what is built again, and what
//! is said of mistakes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod lints;
mod new;
mod project;
mod published;
mod rebuilt;
mod said;

use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::repository;
use lapis_cx_tests::rust::bare;
use project::Project;

/// The examples, what runs each, and what that prints.
const EXAMPLES: [(&str, &[&str], &str); 7] = [
    ("cargo-fallback", &["test", "-q"], "running 1 test\n"),
    ("cargo-cx", &["run"], "(Fallback, 42) 42\n(Cx, 42) 42\n"),
    ("cargo-no-std", &["test", "-q"], "running 1 test\n"),
    ("cargo-c-and-rust", &["run"], "registered: 0\n12\n50\n"),
    ("cargo-workspace", &["run"], "7FFF2030 7FFF2030\n"),
    ("cargo-service", &["test", "-q"], "running 1 test\n"),
    // On the host; `tests/bare_metal` runs it without one.
    ("bare-metal", &["run"], "crc32c e3069283\nsquares 30\n"),
];

#[test]
fn examples_run_where_a_user_copies_them() {
    for (name, arguments, printed) in EXAMPLES {
        let project = Project::of_example(name);
        let run = project.cargo(arguments).good();
        assert!(run.stdout.contains(printed), "{name}: {}\n{}", run.stdout, run.stderr);
        project.cargo(&["build"]).good();
        assert_eq!(project.build(), [""; 0], "{name}: nothing changed");
    }
}

#[test]
fn examples_have_the_specs_that_ship() {
    let mut count = 0;
    let has_its_own = |name: &str| ["cargo-workspace", "cargo-service"].contains(&name);
    for (name, ..) in EXAMPLES.iter().filter(|(name, ..)| !has_its_own(name)) {
        for entry in fs::read_dir(repository().join("examples").join(name).join("specs")).unwrap() {
            let path = entry.unwrap().path();
            let shipped = repository().join("specs").join(path.file_name().unwrap());
            assert!(fs::read(&path).unwrap() == fs::read(shipped).unwrap(), "{}", path.display());
            count += 1;
        }
    }
    assert_eq!(count, 6);
}

#[test]
fn each_example_is_listed() {
    let list = fs::read_to_string(repository().join("examples/README.md")).unwrap();
    for (name, ..) in EXAMPLES {
        assert!(list.contains(&format!("[{name}]({name})")), "{name}");
    }
}

/// The modules were made on this machine; the crate is compiled for a hart without an operating system.
#[test]
#[ignore = "builds `core` for RISC-V: half a minute the first time"]
fn the_library_without_std_is_one_for_firmware() {
    let project = Project::of_example("cargo-no-std");
    project.cargo(&["build"]).good();
    let told = project.told("cargo-no-std", "rustc-env");
    let (variable, specs) = told[0].split_once('=').unwrap();
    let core = repository().join("lapis-cx/core/src/lib.rs");
    for target in ["riscv32imac-unknown-none-elf", "riscv64imac-unknown-none-elf"] {
        let (rustc, flags) = bare(target, Path::new(env!("CARGO_TARGET_TMPDIR")));
        let folder = tempfile::tempdir().unwrap();
        let library = |name: &str, source: &Path, uses: &[&str]| {
            let mut command = Command::new(&rustc);
            command.env("RUSTC_BOOTSTRAP", "1").env(variable, specs).args(&flags).args([
                "--target",
                target,
                "-Dwarnings",
            ]);
            command.args(["--edition", "2024", "--crate-type", "rlib", "--crate-name", name, "-Cpanic=abort", "-L"]);
            command.arg(folder.path()).args(uses.iter().flat_map(|name| ["--extern", *name]));
            run(command.arg("--out-dir").arg(folder.path()).arg(source));
        };
        library("lapis_cx_core", &core, &[]);
        library("cargo_no_std", &project.folder.join("src/lib.rs"), &["lapis_cx_core"]);
    }
}
