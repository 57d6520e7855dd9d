//! What a build script that calls `lapis-cx-build` adds to `cargo build`: a clean one, in which `lapis-cx` is compiled, and
//! one in which nothing is to be done. Beside it stands the same crate with a script that does nothing, for which cargo looks
//! after the same crates; without a script, in the same workspace, with the module as a file; and so in a workspace of its
//! own, where cargo reads nothing about what a script needs. Times are of the clock, in milliseconds.
//!
//! `cargo bench -p lapis-cx-tests --bench cargo_build [-- RUNS]`
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)]
#[path = "../cargo_build/project.rs"]
mod project;

use std::fs;
use std::time::{Duration, Instant};

use project::Project;

/// The crates: with the script, with one that does nothing, and without. They are of one workspace, but for the last.
const CRATES: [&str; 4] = ["with", "idle", "without", "alone"];

/// A build of one of the crates. Those with a script share what it needs.
fn build(project: &Project, name: &str) -> Duration {
    let mut command = project.command(&["build", "--quiet", "-p", name]);
    let target = if matches!(name, "with" | "idle") { "with" } else { name };
    command.env("CARGO_TARGET_DIR", project.folder.join("target").join(target));
    if name == "alone" {
        command.current_dir(project.folder.join(name));
    }
    let start = Instant::now();
    let output = command.output().unwrap();
    let time = start.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    time
}

/// The crates.
fn project() -> Project {
    let project = Project::of_example("cargo-fallback");
    fs::create_dir_all(project.folder.join("with")).unwrap();
    for part in ["Cargo.toml", "build.rs", "src", "specs"] {
        fs::rename(project.folder.join(part), project.folder.join("with").join(part)).unwrap();
    }
    project.edit("with/Cargo.toml", "name = \"cargo-fallback\"", "name = \"with\"");
    project.edit("with/Cargo.toml", "[workspace]\n", "");
    project.write("Cargo.toml", &format!("[workspace]\nresolver = \"3\"\nmembers = {:?}\n", &CRATES[..3]));
    let manifest = fs::read_to_string(project.folder.join("with/Cargo.toml")).unwrap();
    let lib = fs::read_to_string(project.folder.join("with/src/lib.rs")).unwrap();
    let call = "lapis_cx_core::include_spec!(\"crc32c\");";
    assert!(lib.contains(call));
    let outcome = lapis_cx_tests::spec::build("crc32c");
    let module = &outcome.files.iter().find(|file| file.path == "rust/crc32c.rs").unwrap().text;
    for name in &CRATES[1..] {
        project.write(&format!("{name}/src/lib.rs"), &lib.replace(call, "include!(\"crc32c.rs\");"));
        project.write(&format!("{name}/src/crc32c.rs"), module);
    }
    project.write("idle/Cargo.toml", &manifest.replace("name = \"with\"", "name = \"idle\""));
    project.write("idle/build.rs", "fn main() {\n    println!(\"cargo::rerun-if-changed=build.rs\");\n}\n");
    let manifest = manifest.split("[build-dependencies]").next().unwrap();
    for (name, workspace) in [("without", ""), ("alone", "[workspace]\n")] {
        let named = manifest.replace("name = \"with\"", &format!("name = \"{name}\""));
        project.write(&format!("{name}/Cargo.toml"), &format!("{named}{workspace}"));
    }
    project
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    let runs = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(31);
    let project = project();
    let row = |what: &str, times: [Option<Duration>; 4]| {
        print!("{what:16}");
        for time in times {
            match time {
                Some(time) => print!(" {:12.1}", time.as_secs_f64() * 1000.0),
                None => print!(" {:>12}", "-"),
            }
        }
        println!();
    };
    println!("{:16} {:>12} {:>12} {:>12} {:>12}", "ms", "script", "idle script", "none", "none, alone");
    // The one that does nothing finds everything compiled.
    let [with, _, without, alone] = CRATES.map(|name| build(&project, name));
    row("clean build", [Some(with), None, Some(without), Some(alone)]);
    let mut times = CRATES.map(|_| Vec::new());
    // In turns, so that a machine that gets slower slows all.
    for _ in 0..runs {
        CRATES.iter().zip(&mut times).for_each(|(name, times)| times.push(build(&project, name)));
    }
    row("nothing to do", times.map(|times| Some(median(times))));
}
