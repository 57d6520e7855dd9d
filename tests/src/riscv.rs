//! RISC-V Linux on this computer: the runtime built for it, a compiler of C, and qemu.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::cc::{self, Language, run};

/// The target of rustc.
const TARGET: &str = "riscv64gc-unknown-linux-gnu";
/// The compiler and linker.
pub const GCC: &str = "riscv64-linux-gnu-gcc";
/// Where Debian's cross compilers have the C library.
const ROOT: &str = "/usr/riscv64-linux-gnu";

/// Variables with settings for another target than RISC-V.
pub const SETTINGS: [&str; 5] =
    ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_BUILD_TARGET", "RUSTUP_TOOLCHAIN"];

/// What was built: once in a process, and kept from run to run.
pub struct Linux {
    /// The static library of the runtime.
    pub runtime: PathBuf,
    /// The static library of remoting.
    pub remote: PathBuf,
    /// The tests of generated Rust.
    pub host: PathBuf,
}

/// A cargo that has the standard library for the target, or makes it out of the sources.
fn cargo(subcommand: &str) -> Command {
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"])).stdout;
    let sysroot = String::from_utf8_lossy(&sysroot).into_owned();
    let is_installed = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).exists();
    let mut command = Command::new(if is_installed { "cargo" } else { "/usr/bin/cargo" });
    command.arg(subcommand);
    if !is_installed {
        let sources = Path::new("/usr/lib/rustlib/src/rust/library").exists();
        assert!(sources, "`rustup target add {TARGET}`, or install rustc-web, cargo-web and rust-web-src");
        command.arg("-Zbuild-std=std,panic_unwind,test").env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
    }
    // What the caller of this test has set is for its own target.
    for name in SETTINGS {
        command.env_remove(name);
    }
    command.args(["--target", TARGET]);
    command.env("CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER", GCC);
    command
}

/// The runtime and its tests for RISC-V Linux.
///
/// # Panics
///
/// If they cannot be built.
pub fn linux() -> &'static Linux {
    static BUILT: OnceLock<Linux> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut command = cargo("test");
        let host = executable(command.args(["--no-run", "--test", "host"]));
        let [runtime, remote] = ["runtime", "remote"].map(|name| {
            let library = target_folder().join(TARGET).join(format!("debug/deps/liblapis_cx_{name}.a"));
            assert!(library.exists(), "there is no {}", library.display());
            library
        });
        Linux { runtime, remote, host }
    })
}

/// Builds a program of Rust whose text is in a file, with the runtime.
///
/// # Panics
///
/// If it cannot be built.
pub fn rust_program(source: &Path) -> PathBuf {
    linux();
    let mut command = cargo("build");
    executable(command.args(["--bin", "agree", "--features", "agree"]).env("CX_AGREE_PROGRAM", source))
}

/// What cargo has built.
fn executable(command: &mut Command) -> PathBuf {
    command
        .args(["--locked", "--message-format=json-render-diagnostics"])
        .arg("--manifest-path")
        .arg(here("riscv_linux/guest/Cargo.toml"));
    let said = run(command.env("CARGO_TARGET_DIR", target_folder())).stdout;
    let said = String::from_utf8_lossy(&said);
    let built = said.lines().rev().find_map(|line| line.split_once("\"executable\":\"")?.1.split_once('"'));
    built.unwrap_or_else(|| panic!("cargo has built nothing: {said}")).0.into()
}

/// Where cargo builds for RISC-V: beside what the tests themselves are built in.
pub fn target_folder() -> PathBuf {
    let exe = env::current_exe().unwrap_or_default();
    let target = exe.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "deps"));
    target.and_then(|deps| deps.ancestors().nth(2)).unwrap_or(Path::new("target")).join("riscv")
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// gcc for RISC-V Linux, with warnings as errors and the runtime's headers.
pub fn gcc(language: Language) -> Command {
    assert_eq!(language, Language::C11, "there is no C++ library for RISC-V");
    let mut command = Command::new(GCC);
    command.args(["-std=gnu11"]).args(cc::WARNINGS);
    for folder in ["../lapis-cx/runtime/include", "../lapis-cx/core/include"] {
        command.arg("-I").arg(here(folder));
    }
    command
}

/// Compiles sources into a program with the runtime.
///
/// # Panics
///
/// As [`cc::program`].
pub fn link<S: AsRef<std::ffi::OsStr>>(mut command: Command, sources: &[S], to: &Path) -> PathBuf {
    command.args(sources).arg(&linux().runtime).args(["-lpthread", "-ldl", "-lm", "-lgcc_s"]).arg("-o").arg(to);
    run(&mut command);
    to.to_owned()
}

/// What runs a program: a processor without vendors' instructions.
pub fn qemu(program: &Path) -> Command {
    qemu_with(&[], program)
}

/// The same, with options of qemu's own.
pub fn qemu_with(options: &[&str], program: &Path) -> Command {
    let mut command = Command::new("qemu-riscv64");
    command.args(["-cpu", "rv64", "-L", ROOT]).args(options).arg(program);
    // qemu 7.2 has no unwinding information for its signal frames: a backtrace out of a handler ends in them.
    command.env("RUST_BACKTRACE", "0");
    command
}
