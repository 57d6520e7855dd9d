//! The address sanitizer and the thread sanitizer over Rust and C: both languages are instrumented. They need a nightly toolchain.
//!
//! The standard library is the one that is shipped, which is not instrumented. The address sanitizer does without. The thread
//! sanitizer sees no lock of it that was waited for, so with `--cfg lapis_cx_tsan` the runtime and the engine of remoting say themselves
//! when they have one; that the locks do what they promise is the standard library's to show, and loom's. Threads that start and end
//! are seen.

use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::repository;

use crate::Skipped;

/// A sanitizer.
#[derive(Clone, Copy)]
pub struct Sanitizer {
    /// Its name for both compilers.
    name: &'static str,
    /// Its library in the toolchain.
    library: &'static str,
    /// What rustc gets.
    rust: &'static str,
    /// What gcc gets.
    pub c: &'static str,
}

pub const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    library: "librustc-nightly_rt.asan.a",
    rust: "-Zsanitizer=address",
    c: "-fsanitize=address,undefined",
};
pub const THREAD: Sanitizer = Sanitizer {
    name: "thread",
    library: "librustc-nightly_rt.tsan.a",
    rust: "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer --cfg lapis_cx_tsan",
    c: "-fsanitize=thread",
};

/// The target of the nightly toolchain, and the library of the sanitizer there.
pub type Nightly = (String, PathBuf);

pub fn nightly(sanitizer: Sanitizer) -> Result<Nightly, String> {
    let rustc = |argument: &str| {
        let output = Command::new("rustup").args(["run", "nightly", "rustc", argument]).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok())?
    };
    let (Some(about), Some(libraries)) = (rustc("-vV"), rustc("--print=target-libdir")) else {
        return Err("there is no nightly toolchain".to_owned());
    };
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let library = Path::new(libraries.trim()).join(sanitizer.library);
    if !library.exists() {
        return Err(format!("the nightly toolchain has no {} sanitizer for {host}", sanitizer.name));
    }
    Ok((host.to_owned(), library))
}

/// Cargo of the nightly toolchain, which instruments what it builds in a folder of its own; build scripts are left alone.
pub fn cargo(sanitizer: Sanitizer, host: &str) -> (Command, PathBuf) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(sanitizer.name);
    let mut cargo = Command::new("rustup");
    cargo.args(["run", "nightly", "cargo"]).current_dir(repository());
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo.env("RUSTFLAGS", sanitizer.rust).env("CARGO_TARGET_DIR", &target).env("CARGO_TERM_COLOR", "never");
    (cargo, target.join(host).join("debug"))
}

/// Programs of `runtime/tests/c`, and their arguments: each says the same whatever it runs on.
const PROGRAMS: [(&str, &[&str]); 4] =
    [("threads", &[""]), ("platform", &["soft", "few", "emulated"]), ("program", &[""]), ("ckernel_cxu", &[""])];

pub fn c_programs(sanitizer: Sanitizer) -> Skipped {
    let (host, library) = match nightly(sanitizer) {
        Ok(nightly) => nightly,
        Err(why) => return Some(why),
    };
    let (mut build, folder) = cargo(sanitizer, &host);
    build.args([
        "rustc",
        "--locked",
        "-p",
        "lapis-cx-runtime",
        "--lib",
        "--crate-type",
        "staticlib",
        "--target",
        &host,
    ]);
    run(&mut build);
    let object = |name: &str| {
        let (runtime, object) = (repository().join("lapis-cx/runtime"), folder.join(name).with_extension("o"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-O1", "-g", "-fno-sanitize-recover=all", sanitizer.c]);
        gcc.args(["include", "../core/include"].map(|folder| format!("-I{}", runtime.join(folder).display())));
        run(gcc.arg("-c").arg(runtime.join(format!("tests/c/{name}.c"))).arg("-o").arg(&object));
        object
    };
    let soft = object("mulacc_soft");
    for (name, arguments) in PROGRAMS {
        let program = folder.join(name);
        let mut gcc = Command::new("gcc");
        gcc.args([&object(name), &soft, &folder.join("liblapis_cx_runtime.a")]);
        // The sanitizer of the toolchain serves both languages.
        gcc.args(["-Wl,--export-dynamic", "-Wl,--whole-archive"]).arg(&library).arg("-Wl,--no-whole-archive");
        run(gcc.args(["-lpthread", "-ldl", "-lm", "-lrt", "-o"]).arg(&program));
        for argument in arguments {
            run(strict(&mut Command::new(&program)).args(Some(argument).filter(|argument| !argument.is_empty())));
        }
    }
    None
}

/// Tests of the core and the runtime without programs of C or crates of their own, which would not be instrumented.
pub fn rust_tests(sanitizer: Sanitizer) -> Skipped {
    let host = match nightly(sanitizer) {
        Ok((host, _)) => host,
        Err(why) => return Some(why),
    };
    let test = |package: &str, tests: &[&str]| {
        let (mut cargo, _) = cargo(sanitizer, &host);
        cargo.args(["test", "--locked", "--target", &host, "-p", package, "--lib"]);
        cargo.args(tests.iter().flat_map(|name| ["--test", name]));
        // One after another: what the threads of the test harness tell each other is not seen.
        cargo.args(["--", "--test-threads=1"]);
        cargo.args(
            ["programs_run", "headers_agree", "what_is_built", "python"].iter().flat_map(|name| ["--skip", name]),
        );
        strict(&mut cargo).env_remove("CX_LONG");
        cargo
    };
    // These lend memory to their harts for good.
    run(test("lapis-cx-core", &["machine"]).env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1"));
    run(&mut test("lapis-cx-runtime", &["document", "memory", "rust_api", "ckernel", "ckernel_cxu"]));
    None
}

/// A finding ends the program. To ask for more memory than there is, as some tests do, is none.
pub fn strict(command: &mut Command) -> &mut Command {
    let suppressions = repository().join("tests/proof/thread_sanitizer.suppressions");
    let thread = format!("halt_on_error=1:allocator_may_return_null=1:suppressions='{}'", suppressions.display());
    command.env("TSAN_OPTIONS", thread).env("ASAN_OPTIONS", "detect_leaks=1:allocator_may_return_null=1")
}
