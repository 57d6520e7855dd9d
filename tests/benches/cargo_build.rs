//! What a build script that calls `lapis-cx-build` adds to `cargo build`: a clean one, in which `lapis-cx` is compiled, and
//! one in which nothing is to be done. Beside it stands the same crate without a script, which has the module as a file.
//! Times are of the clock, in milliseconds.
//!
//! `cargo bench -p lapis-cx-tests --bench cargo_build [-- RUNS]`
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)]
#[path = "../cargo_build/project.rs"]
mod project;

use std::fs;
use std::time::{Duration, Instant};

use project::Project;

/// A build of the crate with the script, or of the one without.
fn build(project: &Project, name: &str) -> Duration {
    let mut command = project.command(&["build", "--quiet", "-p", name]);
    command.env("CARGO_TARGET_DIR", project.folder.join("target").join(name));
    let start = Instant::now();
    let output = command.output().unwrap();
    let time = start.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    time
}

/// One workspace with both crates, so that cargo reads the same for each.
fn project() -> Project {
    let project = Project::of_example("cargo-fallback");
    let with = project.folder.join("with");
    for part in ["Cargo.toml", "build.rs", "src", "specs"] {
        fs::create_dir_all(&with).unwrap();
        fs::rename(project.folder.join(part), with.join(part)).unwrap();
    }
    project.edit("with/Cargo.toml", "name = \"cargo-fallback\"", "name = \"with\"");
    project.edit("with/Cargo.toml", "[workspace]\n", "");
    project.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"with\", \"without\"]\n");
    let manifest = fs::read_to_string(with.join("Cargo.toml")).unwrap();
    let manifest = manifest.split("[build-dependencies]").next().unwrap();
    project.write("without/Cargo.toml", &manifest.replace("name = \"with\"", "name = \"without\""));
    let lib = fs::read_to_string(with.join("src/lib.rs")).unwrap();
    let call = "lapis_cx_core::include_spec!(\"crc32c\");";
    assert!(lib.contains(call));
    project.write("without/src/lib.rs", &lib.replace(call, "include!(\"crc32c.rs\");"));
    let outcome = lapis_cx_tests::spec::build("crc32c");
    project.write("without/src/crc32c.rs", &outcome.files.iter().find(|file| file.path.ends_with(".rs")).unwrap().text);
    project
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    let runs = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(31);
    let project = project();
    let clean = ["with", "without"].map(|name| build(&project, name));
    let (mut with, mut without) = (Vec::new(), Vec::new());
    // In turns, so that a machine that gets slower slows both.
    for _ in 0..runs {
        with.push(build(&project, "with"));
        without.push(build(&project, "without"));
    }
    println!("{:24} {:>10} {:>10} {:>10}", "ms", "script", "none", "added");
    for (what, [with, without]) in [("clean build", clean), ("nothing to do", [median(with), median(without)])] {
        let [with, without] = [with, without].map(|time| time.as_secs_f64() * 1000.0);
        println!("{what:24} {with:10.1} {without:10.1} {:10.1}", with - without);
    }
}
