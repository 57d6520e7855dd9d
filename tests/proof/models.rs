//! The models of the runtime, `lapis-cx/runtime/src/models`, and of channels, `lapis-cx/remote/src/transport/models`.

use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::{long, repository};

use crate::Skipped;

pub fn threads_of_the_runtime_in_every_order() -> Skipped {
    models_of("lapis-cx-runtime")
}

pub fn channels_in_every_order() -> Skipped {
    models_of("lapis-cx-remote")
}

/// Each model passes. All else that is compiled is loom, in a folder of its own, as `--cfg loom` is for all crates.
fn models_of(package: &str) -> Skipped {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["test", "--locked", "-p", package, "--lib", "--target-dir"]);
    cargo.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("loom")).current_dir(repository());
    cargo
        .env("RUSTFLAGS", "--cfg loom -D warnings")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_TERM_COLOR", "never");
    // Most defects show when a thread is interrupted twice.
    if !long() {
        cargo.env("LOOM_MAX_PREEMPTIONS", "2");
    }
    let said = String::from_utf8(run(&mut cargo).stdout).unwrap();
    let passed = said.lines().filter(|line| line.contains("models::") && line.ends_with("... ok"));
    assert!(passed.count() > 10, "{said}");
    None
}
