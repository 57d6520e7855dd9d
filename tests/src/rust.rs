//! The Rust compiler that builds this, used on generated Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::cc::run;

/// The editions that generated Rust is written in at once.
pub const EDITIONS: [&str; 2] = ["2021", "2024"];

/// `lapis-cx-core` as a library that programs of the host link.
struct Core {
    folder: tempfile::TempDir,
}

impl Core {
    /// Built once for a test program.
    fn get() -> &'static Core {
        static CORE: OnceLock<Core> = OnceLock::new();
        CORE.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("no temporary folder: {e}"));
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/core/src/lib.rs");
            let mut command = Command::new("rustc");
            command.args(["--crate-name", "lapis_cx_core", "--crate-type", "rlib", "--edition", "2024", "-O"]);
            run(command.arg(source).arg("--out-dir").arg(folder.path()));
            Core { folder }
        })
    }
}

/// A command line of `program`, which takes what rustc takes, for a crate that uses generated modules: the caller adds a
/// file.
pub fn command(program: &str, edition: &str) -> Command {
    let folder = Core::get().folder.path();
    let mut command = Command::new(program);
    // As cargo does: a `cfg` that is not one of these is warned about.
    command.args(["--edition", edition, "-Dwarnings", "--check-cfg=cfg(docsrs,test)", "--extern"]);
    command.arg(format!("lapis_cx_core={}", folder.join("liblapis_cx_core.rlib").display()));
    command
}

/// The same for a program that links `lapis-cx-runtime` too. For a test of a package that has it as a dependency.
///
/// # Panics
///
/// As [`run`], and if the runtime's own dependency is not beside the test.
pub fn with_runtime(edition: &str) -> Command {
    static RUNTIME: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    let (runtime, dependencies) = RUNTIME.get_or_init(|| {
        let test = std::env::current_exe().unwrap_or_else(|e| panic!("no test: {e}"));
        let folder = test.parent().unwrap_or(&test);
        let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let is_libc = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("liblibc-") && name.ends_with(".rlib")
        };
        let files = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_libc);
        let newest = files.max_by_key(|path| fs::metadata(path).and_then(|file| file.modified()).ok());
        let libc = newest.unwrap_or_else(|| panic!("no libc in {}", folder.display()));
        let mut rustc = command("rustc", "2024");
        // It knows `cfg`s that users do not; cargo looks at its warnings.
        rustc.args(["--crate-name", "lapis_cx_runtime", "--crate-type", "rlib", "-O", "--cap-lints=allow"]);
        rustc.arg("--extern").arg(format!("libc={}", libc.display()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/runtime/src/lib.rs");
        run(rustc.arg(source).arg("--out-dir").arg(Core::get().folder.path()));
        (Core::get().folder.path().join("liblapis_cx_runtime.rlib"), folder.to_owned())
    });
    let mut command = command("rustc", edition);
    command.arg("--extern").arg(format!("lapis_cx_runtime={}", runtime.display()));
    // Where the runtime finds `libc`.
    command.arg("-L").arg(format!("dependency={}", dependencies.display()));
    command
}

/// Compiles a program and gives its path.
///
/// # Panics
///
/// As [`run`].
pub fn program(mut command: Command, source: &Path, to: &Path) -> PathBuf {
    run(command.arg(source).arg("-o").arg(to));
    to.to_owned()
}

/// A compiler with `core` for a target without an operating system, and the flags it takes. Where `core` must be built, it is
/// kept in `folder`.
///
/// # Panics
///
/// If there is neither `core` nor what builds it.
pub fn bare(target: &str, folder: &Path) -> (PathBuf, Vec<String>) {
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"])).stdout;
    let sysroot = String::from_utf8_lossy(&sysroot).into_owned();
    if Path::new(sysroot.trim()).join("lib/rustlib").join(target).exists() {
        return ("rustc".into(), Vec::new());
    }
    let (rustc, cargo) = (Path::new("/usr/bin/rustc"), Path::new("/usr/bin/cargo"));
    assert!(
        rustc.exists() && cargo.exists() && Path::new("/usr/lib/rustlib/src/rust/library").exists(),
        "`rustup target add {target}`, or install rustc-web, cargo-web and rust-web-src"
    );
    // Kept from run to run.
    let folder = folder.join("core");
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&folder))
            .and_then(|()| fs::write(&path, text))
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    };
    let manifest =
        "[package]\nname = \"only_core\"\nedition = \"2021\"\n[workspace]\n[profile.release]\npanic = \"abort\"\n";
    write("Cargo.toml", manifest);
    write("src/lib.rs", "#![no_std]\n");
    let mut command = Command::new(cargo);
    // The lock file of its sources says which crates: the first time they are fetched, then they are there.
    command.args(["build", "--release", "-Zbuild-std=core", "--target", target]).current_dir(&folder);
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", folder.join("target"));
    command.env_remove("RUSTFLAGS").env_remove("CARGO_BUILD_RUSTFLAGS");
    run(&mut command);
    let libraries = folder.join("target").join(target).join("release/deps");
    let entries = fs::read_dir(&libraries).unwrap_or_else(|e| panic!("{}: {e}", libraries.display()));
    let built: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let find = |name: &str| {
        let start = format!("lib{name}-");
        let is_it = |file: &str| file.starts_with(&start) && file.ends_with(".rlib");
        let found = built.iter().find(|path| path.file_name().and_then(|file| file.to_str()).is_some_and(is_it));
        found.unwrap_or_else(|| panic!("no {name} in {}", libraries.display()))
    };
    let mut flags = vec!["-Zunstable-options".to_owned(), "-L".to_owned(), libraries.display().to_string()];
    for name in ["core", "compiler_builtins"] {
        flags.extend(["--extern".to_owned(), format!("noprelude:{name}={}", find(name).display())]);
    }
    (rustc.to_owned(), flags)
}

/// The flags by which a program for such a target is linked: everybody has the linker, and it knows both widths.
pub fn bare_linker(target: &str) -> [String; 3] {
    let emulation = if target.starts_with("riscv32") { "elf32lriscv" } else { "elf64lriscv" };
    ["-Clinker=riscv64-linux-gnu-ld".into(), "-Clinker-flavor=ld".into(), format!("-Clink-arg=-m{emulation}")]
}
