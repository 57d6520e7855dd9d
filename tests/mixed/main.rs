//! Tests of a library with functions in another process and functions with a body in the language, which run in the program's process.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lapis_cx_tests::{cc, remoted, spec};

struct Made {
    folder: tempfile::TempDir,
    real: PathBuf,
    remoting: PathBuf,
    program: PathBuf,
    include: String,
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mixed")
}

fn gcc() -> Command {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-pthread", "-I"]).arg(here());
    gcc
}

/// Builds the shared runtime: a program has one runtime, whichever libraries use it.
fn runtime() -> PathBuf {
    remoted::runtime().with_extension("so")
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let outcome = spec::build_text("mixed", std::fs::read(here().join("mixed.cxspec")).unwrap());
        spec::write(&outcome, folder.path());
        let folders = ["runtime/include", "core/include"].map(|name| here().join("../../lapis-cx").join(name));
        let include = folders.map(|folder| folder.display().to_string()).join(" ");
        // The real library has all functions, as a native program finds it.
        let real = folder.path().join("libmixed.so.1");
        let printed = |name: &str| folder.path().join("src").join(name);
        let mut shared = gcc();
        shared
            .args(["-shared", "-Wl,-soname,libmixed.so.1"])
            .args(include.split(' ').map(|folder| format!("-I{folder}")));
        shared.arg("-I").arg(folder.path().join("include")).arg("-o").arg(&real).arg(here().join("mixed.c"));
        shared.arg(printed("org_example_mixed__Mixed.c")).arg(printed("total_fallback.c"));
        cc::run(shared.arg(runtime()));
        let variables = variables(&real, &include);
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, &**value)).collect();
        let remoting = remoted::make(&outcome, folder.path(), &variables);
        let program = folder.path().join("program");
        cc::run(gcc().arg("-o").arg(&program).arg(here().join("program.c")).arg(&real));
        Made { folder, real, remoting, program, include }
    })
}

fn variables(real: &Path, include: &str) -> Vec<(&'static str, String)> {
    vec![
        ("MIXED_REAL", real.display().to_string()),
        ("SOURCE_DIR", here().display().to_string()),
        ("CX_RUNTIME_INCLUDE", include.to_owned()),
        ("CX_RUNTIME_LIB", runtime().display().to_string()),
        ("CFLAGS", "-O1 -Wall -Werror".to_owned()),
    ]
}

#[test]
fn mixed_native_program_succeeds() {
    let made = made();
    let mut command = Command::new(&made.program);
    assert_eq!(remoted::said(command.env("LD_LIBRARY_PATH", made.folder.path())), "mixed\n");
}

#[test]
fn mixed_remoted_program_succeeds() {
    let made = made();
    let mut command = remoted::command(&made.program, &made.remoting, &made.real);
    assert_eq!(remoted::said(command.arg("remote")), "mixed\n");
}

/// Builds the library with CMake or Meson.
fn built_by(system: &str) {
    let made = made();
    let remoting = lapis_cx_backends::by_name("remoting").unwrap().with_options(&[("build", system)]).unwrap();
    let backends = [lapis_cx_backends::by_name("c").unwrap(), &*remoting];
    let outcome = spec::build_with("mixed", std::fs::read(here().join("mixed.cxspec")).unwrap(), &backends);
    let folder = tempfile::tempdir().unwrap();
    spec::write(&outcome, folder.path());
    let (source, result) = (folder.path().join("remoting"), folder.path().join("result"));
    let mut all = variables(&made.real, &made.include);
    all.retain(|(name, _)| *name != "CFLAGS");
    all.push(("CX_REMOTE_INCLUDE", remoted::headers().display().to_string()));
    all.push(("CX_REMOTE_LIB", remoted::engine()));
    if system == "cmake" {
        let settings = all.iter().map(|(name, value)| format!("-D{name}={}", value.replace(' ', ";")));
        cc::run(Command::new("cmake").arg("-S").arg(&source).arg("-B").arg(&result).args(settings));
        cc::run(Command::new("cmake").arg("--build").arg(&result));
    } else {
        cc::run(Command::new("meson").arg("setup").arg(&result).arg(&source).envs(all));
        cc::run(Command::new("meson").arg("compile").arg("-C").arg(&result));
    }
    let mut command = remoted::command(&made.program, &result, &made.real);
    assert_eq!(remoted::said(command.arg("remote")), "mixed\n", "{system}");
}

#[test]
fn mixed_built_by_cmake_succeeds() {
    built_by("cmake");
}

#[test]
fn mixed_built_by_meson_succeeds() {
    built_by("meson");
}

/// Without the files of the C backend, make reports what is missing.
#[test]
fn make_without_bodies_fails_with_message() {
    let made = made();
    let outcome = spec::build_text("mixed", std::fs::read(here().join("mixed.cxspec")).unwrap());
    let folder = tempfile::tempdir().unwrap();
    spec::write(&outcome, folder.path());
    std::fs::remove_dir_all(folder.path().join("src")).unwrap();
    let mut make = Command::new("make");
    make.arg("-C").arg(folder.path().join("remoting")).env_remove("MAKEFLAGS");
    make.arg(format!("CX_REMOTE_INCLUDE={}", remoted::headers().display()))
        .arg(format!("CX_REMOTE_LIB={}", remoted::engine()));
    make.args(variables(&made.real, &made.include).iter().map(|(name, value)| format!("{name}={value}")));
    let output = make.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("cxc build SPEC --backend c --backend remoting"), "{said}");
}
