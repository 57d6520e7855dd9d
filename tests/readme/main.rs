//! The documents do what they say: their commands run, in the order they stand there, in a copy of the repository.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx_tests::{blocks, repository};

/// A copy of what the repository holds, always in the same place and with what is built linked in, so that nothing is
/// compiled twice. It is this process's until the file is closed.
fn copy() -> (PathBuf, File) {
    let root = repository();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (target, copy) = (folder.parent().unwrap(), folder.join("readme"));
    let lock = File::create(folder.join("readme.lock")).unwrap();
    lock.lock().unwrap();
    if copy.exists() {
        fs::remove_dir_all(&copy).unwrap();
    }
    fs::create_dir_all(&copy).unwrap();
    let skipped = ["target", "out", ".git"];
    for entry in fs::read_dir(&root).unwrap() {
        let entry = entry.unwrap();
        if !skipped.iter().any(|s| entry.file_name() == *s) {
            let status = Command::new("cp").arg("-Rp").arg(entry.path()).arg(&copy).status().unwrap();
            assert!(status.success());
        }
    }
    // The documents name `target`. A link to the build folder, in which the copy is, would lead round in a circle.
    fs::create_dir(copy.join("target")).unwrap();
    // The runtime's files have no hash in their names, so what the copy builds of it has a folder of its own.
    for (profile, folder) in [("debug", "debug"), ("release", "tmp/readme-release")] {
        fs::create_dir_all(target.join(folder)).unwrap();
        symlink(target.join(folder), copy.join("target").join(profile)).unwrap();
    }
    // Each command runs once, so optimising takes longer than it saves.
    let config = copy.join(".cargo/config.toml");
    fs::create_dir_all(copy.join(".cargo")).unwrap();
    assert!(!config.exists(), "the repository has settings of its own now");
    fs::write(config, "[profile.dev.package]\nlapis-cx.opt-level = 0\nlapis-cx-grammar.opt-level = 0\n").unwrap();
    (copy, lock)
}

const REMOTE: &str = "lapis-cx/remote/README.md";

/// The documents with commands, and what these print where the document says it.
const DOCUMENTS: [(&str, Option<&str>); 4] = [
    ("README.md", Some("12\n42\n12\n42\n42\n")),
    ("lapis-cx/cli/README.md", None),
    (REMOTE, None),
    ("specs/README.md", Some("176\n174841bc 8e411006 f9462090\n")),
];

#[test]
fn the_commands_work_and_print_what_is_said() {
    let (copy, _lock) = copy();
    for (document, said) in DOCUMENTS {
        let printed = run(document, &copy);
        assert!(said.is_none_or(|said| said == printed), "{document}: {printed}");
        // What is installed before says where.
        assert!(document != REMOTE || printed.ends_with("12\n42\n"), "{printed}");
    }
}

/// Runs the commands of a document in a copy of the repository and gives what they print. What a document builds can be
/// called by name.
fn run(document: &str, copy: &Path) -> String {
    let text = fs::read_to_string(repository().join(document)).unwrap();
    let path = format!("{}/target/debug:{}", copy.display(), std::env::var("PATH").unwrap());
    let mut printed = String::new();
    let mut count = 0;
    for block in blocks(&text, "sh") {
        // This test is a part of what it would start. What begins with a clone is run where crates and C programs are built,
        // so that nothing is compiled twice: `cargo_build` and `c_build`.
        if block.trim() == "tests/run" || block.starts_with("git clone ") {
            continue;
        }
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", &block]).current_dir(copy).env("PATH", &path);
        // The paths are those of the default build folder.
        command.env_remove("CARGO_TARGET_DIR");
        // What is installed of the runtime has a name without a hash, too: it must not be there when this test runs again, and an
        // example outside of the workspace finds its own as fresh as it was.
        if block.contains("lapis-cx/runtime/install") {
            command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme-installed"));
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{block}\n{}", String::from_utf8_lossy(&output.stderr));
        printed += &String::from_utf8_lossy(&output.stdout);
        count += 1;
    }
    assert!(count >= 2, "{document} has commands");
    printed
}

#[test]
fn the_programs_shown_are_the_examples() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    for (language, path) in [("c", "examples/mulacc/main.c"), ("rust", "examples/mulacc/main.rs")] {
        let example = fs::read_to_string(repository().join(path)).unwrap();
        assert!(example.ends_with(&blocks(&readme, language)[0]), "{path} and the README differ");
    }
}

#[test]
fn the_tour_of_the_language_compiles() {
    let tour = fs::read_to_string(repository().join("specs/README.md")).unwrap();
    let shown = blocks(&tour, "");
    let find = |start: &str| shown.iter().find(|b| b.starts_with(start)).unwrap().as_str();
    let outcome = lapis_cx_tests::spec::build_text("tour", find("cxspec 1;").to_owned() + find("/// Saturating"));
    assert_eq!(outcome.files.len(), 4);
}

#[test]
fn the_library_of_the_tour_is_checked() {
    let tour = fs::read_to_string(repository().join("specs/README.md")).unwrap();
    let shown = blocks(&tour, "");
    let library = shown.iter().find(|b| b.starts_with("library")).unwrap();
    lapis_cx_tests::spec::build_text("tour", format!("cxspec 1;\npackage org.example.store;\n{library}"));
}

#[test]
fn the_interface_shown_compiles() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let shown = blocks(&readme, "");
    let interface = shown.iter().find(|b| b.starts_with("interface")).unwrap();
    let text = format!("cxspec 1;\npackage org.example.dsp;\nuse cx.std:IStateContext;\n{interface}");
    let outcome = lapis_cx_tests::spec::build_text("readme", text);
    assert_eq!(outcome.files.len(), 4);
}
