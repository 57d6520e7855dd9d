//! Shared helpers of the tests that cross crates: specs compiled in memory, and C compilers.

#![allow(clippy::panic)] // a test that cannot go on says why and stops

use std::path::PathBuf;
use std::process::Command;

pub mod agreement;
pub mod cc;
pub mod ckernel_cost;
pub mod layout;
pub mod random_library;
pub mod random_spec;
pub mod remoted;
pub mod riscv;
pub mod riscv_cost;
pub mod rust;
pub mod spec;
pub mod start;
pub mod survive;

/// The command `cxc`, as `cargo test --workspace` has built it: with other crates selected, features would differ, and much
/// would be compiled anew.
///
/// # Panics
///
/// If it cannot be built.
pub fn cxc() -> PathBuf {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["test", "--workspace", "--locked", "--no-run", "--test", "cli"]);
    cargo.arg("--message-format=json-render-diagnostics").current_dir(env!("CARGO_MANIFEST_DIR"));
    let said = String::from_utf8_lossy(&cc::run(&mut cargo).stdout).into_owned();
    let is_program = |line: &&str| line.contains("\"name\":\"cxc\"") && line.contains("\"kind\":[\"bin\"]");
    let path = said.lines().find(is_program).and_then(|line| line.split_once("\"executable\":\"")?.1.split('"').next());
    path.map_or_else(|| panic!("cargo names no cxc"), PathBuf::from)
}

/// The fenced blocks of a language in a text of Markdown, in order.
pub fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|part| part.split("```").next()).map(str::to_owned).collect()
}

/// The repository, by its real path.
///
/// # Panics
///
/// If it is not there any more.
pub fn repository() -> PathBuf {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::canonicalize(&here).unwrap_or_else(|e| panic!("{}: {e}", here.display()))
}

/// Whether the long variants of the tests were asked for (`tests/run --long`).
pub fn long() -> bool {
    std::env::var_os("CX_LONG").is_some_and(|v| v == "1")
}

/// The number that a variable of the environment says, as `CX_SEED` does.
///
/// # Panics
///
/// If it says something else.
pub fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|number| number.parse().unwrap_or_else(|why| panic!("{variable}: {why}")))
}
