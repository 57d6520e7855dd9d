//! Libraries in another process: both sides made of what is printed of a spec, with the real engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};

use lapis_cx::backend::Backend;
use lapis_cx::driver::Outcome;
use lapis_cx_backend_remoting::Remoting;

use crate::{cc, spec};

/// What programs in C link of the engine.
///
/// # Panics
///
/// If the test program has no path.
pub fn engine() -> String {
    let here = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    format!("{} -lpthread -ldl -lm", here.with_file_name("liblapis_cx_remote.a").display())
}

/// The runtime, as programs in C link it. Before the engine: both have the standard library of Rust, and the first one counts.
///
/// # Panics
///
/// As [`engine`].
pub fn runtime() -> PathBuf {
    let here = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    here.with_file_name("liblapis_cx_runtime.a")
}

/// Builds an engine that corrupts the records it sends (`tests/fault_injection/engine`) in `folder`, and returns its linker arguments.
///
/// # Panics
///
/// If it cannot be built.
pub fn faulty_engine(folder: &Path) -> String {
    let mut cargo = faulty_cargo(folder);
    cc::run(&mut cargo);
    format!("{} -lpthread -ldl -lm", folder.join("debug/liblapis_cx_faulty_remote.a").display())
}

/// The build of that engine in `folder`.
pub fn faulty_cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("fault_injection/engine");
    cargo.args(["build", "--locked", "--target-dir"]).arg(folder).current_dir(engine);
    cargo
}

/// The counts in the file `CX_REMOTE_FAULT_LOG` of such engines, by name. `records` is the count of corrupted records, others count faults.
pub fn faults(log: &Path) -> BTreeMap<String, u64> {
    let all = std::fs::read(log).unwrap_or_default();
    let rows = all.chunks_exact(40).map(|row| {
        let (name, count) = row.split_at(32);
        let name = String::from_utf8_lossy(name).trim_end_matches('\0').to_owned();
        (name, u64::from_ne_bytes(count.try_into().unwrap_or_default()))
    });
    rows.filter(|(_, count)| *count > 0).collect()
}

/// The seeds of [`faulty_engine`] that are no numbers.
pub const NAMED_SEEDS: [&str; 3] = ["failure", "ended", "later"];

/// Compiles the program of `zlib_remoted` for faulty guests. It handles less data, so it makes fewer calls. It leaves out `gzungetc`: if no byte
/// was read before, zlib 1.2.13 then writes through an uninitialised pointer.
pub fn zlib_program(program: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("zlib_remoted/program.c");
    let flags = ["-std=c11", "-O1", "-pthread", "-DWITHOUT_UNGETC", "-DSIZE=5000", "-o"];
    crate::cc::run(Command::new("gcc").args(flags).arg(program).arg(source).arg("-lz"));
}

/// Runs a guest whose engine is [`faulty_engine`] with a seed, and returns what it prints. `log` counts the faults, see [`faults`].
/// The guest may end in any way.
///
/// # Panics
///
/// If it does not run.
pub fn run_faulty(guest: &mut Command, seed: &str, log: &Path) -> String {
    guest.env("CX_REMOTE_FAULT_SEED", seed).env("CX_REMOTE_FAULT_LOG", log);
    // A faulty guest may wait for a reply that is never sent.
    guest.env("CX_REMOTE_CALL_SECONDS", "1").env("CX_REMOTE_SILENT_SECONDS", "1").stdin(Stdio::null());
    let output = guest.output().unwrap_or_else(|e| panic!("{guest:?}: {e}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The folder of `cx_remote.h`.
pub fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/remote/include")
}

/// Prints a spec and makes both sides of its libraries: below `folder/remoting`, which is returned. `variables` are make's.
///
/// # Panics
///
/// If they cannot be made.
pub fn make(outcome: &Outcome, folder: &Path, variables: &[(&str, &str)]) -> PathBuf {
    make_with(&engine(), outcome, folder, variables)
}

/// The same with this engine.
///
/// # Panics
///
/// As there.
pub fn make_with(engine: &str, outcome: &Outcome, folder: &Path, variables: &[(&str, &str)]) -> PathBuf {
    spec::write(outcome, folder);
    let remoting = folder.join("remoting");
    make_target(engine, &remoting, "all", variables);
    remoting
}

/// Makes a target of the sides in the folder `remoting`.
///
/// # Panics
///
/// If it cannot be made.
pub fn make_target(engine: &str, remoting: &Path, target: &str, variables: &[(&str, &str)]) {
    let mut make = Command::new("make");
    make.arg("-C").arg(remoting).arg(target).env_remove("MAKEFLAGS");
    make.arg(format!("CX_REMOTE_INCLUDE={}", headers().display())).arg(format!("CX_REMOTE_LIB={engine}"));
    make.args(variables.iter().map(|(name, value)| format!("{name}={value}")));
    cc::run(&mut make);
}

/// Makes what `CX_REMOTE=shadow` needs too, of sides that were made.
///
/// # Panics
///
/// If it cannot be made.
pub fn make_shadow(remoting: &Path, variables: &[(&str, &str)]) {
    make_target(&engine(), remoting, "shadow", variables);
}

/// The backend with the option `fuzzer`.
///
/// # Panics
///
/// If there is no such option.
pub fn with_fuzzer() -> Box<dyn Backend> {
    Remoting::DEFAULT.with_options(&[("fuzzer", "on")]).unwrap_or_else(|e| panic!("{e}"))
}

/// Makes the fuzzer that is printed of the text of a spec, below `folder`.
///
/// # Panics
///
/// If it cannot be made.
pub fn fuzzer(name: &str, text: impl Into<Vec<u8>>, folder: &Path, variables: &[(&str, &str)]) -> PathBuf {
    spec::write(&spec::build_with(name, text, &[&*with_fuzzer()]), folder);
    let remoting = folder.join("remoting");
    let flags = ("CFLAGS", "-O1 -Wall -Wextra -Wshadow -Werror");
    make_target(&engine(), &remoting, "fuzz", &[variables, &[flags]].concat());
    remoting.join(format!("{name}_fuzz"))
}

/// A library in C of a test's own, and both of its sides.
pub struct Library {
    /// Where its sources are.
    pub here: PathBuf,
    /// Where it and its programs are.
    pub folder: tempfile::TempDir,
    /// The real one.
    pub real: PathBuf,
    /// The folder of its sides.
    pub remoting: PathBuf,
    flags: Vec<String>,
}

impl Library {
    /// Makes `lib<name>.so.1` of `<here>/<name>.c`, a folder of the tests, and its sides of the spec beside it. `flags` are the
    /// compiler's for sources that are no generated ones.
    ///
    /// # Panics
    ///
    /// If it cannot be made.
    pub fn make(here: &str, name: &str, optimised: &str, flags: &[&str]) -> Library {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join(here);
        let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        let soname = format!("lib{name}.so.1");
        let real = folder.path().join(&soname);
        let first = ["-std=c11", optimised, "-Wall", "-Wextra", "-Werror", "-fPIC"];
        let flags: Vec<String> = first.iter().chain(flags).map(|&flag| flag.to_owned()).collect();
        let mut gcc = Command::new("gcc");
        gcc.args(&flags).args(["-shared", &format!("-Wl,-soname,{soname}"), "-o"]).arg(&real);
        cc::run(gcc.arg(here.join(name).with_extension("c")));
        let library = Library { remoting: folder.path().join("remoting"), here, folder, real, flags };
        let cflags = format!("{optimised} -Wall -Werror");
        library.sides(name, library.folder.path(), &[("CFLAGS", &cflags)], &engine());
        library
    }

    /// Makes sides in another folder, with another engine: where they are.
    ///
    /// # Panics
    ///
    /// If they cannot be made.
    pub fn sides(&self, name: &str, folder: &Path, variables: &[(&str, &str)], engine: &str) -> PathBuf {
        let outcome = spec::build_text(name, self.spec(name));
        let (real, here) = (self.real.to_string_lossy(), self.here.to_string_lossy());
        let real_of = format!("{}_REAL", name.to_uppercase());
        let mut all = vec![(&*real_of, &*real), ("SOURCE_DIR", &*here)];
        all.extend(variables);
        make_with(engine, &outcome, folder, &all)
    }

    fn spec(&self, name: &str) -> Vec<u8> {
        let spec = self.here.join(name).with_extension("cxspec");
        std::fs::read(spec).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Makes the fuzzer that is printed of its spec.
    ///
    /// # Panics
    ///
    /// If it cannot be made.
    pub fn fuzzer(&self, name: &str) -> PathBuf {
        let (real, here) = (self.real.to_string_lossy(), self.here.to_string_lossy());
        let real_of = format!("{}_REAL", name.to_uppercase());
        fuzzer(
            name,
            self.spec(name),
            &self.folder.path().join("fuzzed"),
            &[(&*real_of, &*real), ("SOURCE_DIR", &*here)],
        )
    }

    /// Makes a program of `<here>/<name>.c` with the real library.
    ///
    /// # Panics
    ///
    /// If it cannot be made.
    pub fn program(&self, name: &str) -> PathBuf {
        let program = self.folder.path().join(name);
        let mut gcc = Command::new("gcc");
        gcc.args(&self.flags).arg("-o").arg(&program).arg(self.here.join(name).with_extension("c"));
        cc::run(gcc.arg(&self.real));
        program
    }
}

/// A program that finds the guest library, and its worker the real one.
pub fn command(program: &Path, remoting: &Path, real: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", remoting).env("CX_REMOTE_LIBRARY", real).env_remove("CX_REMOTE");
    command
}

/// Runs a program, which must succeed: what it prints.
///
/// # Panics
///
/// If it fails.
pub fn said(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}

/// Waits until `condition` returns true.
///
/// # Panics
///
/// Panics with `what` if `condition` returns false for 600 s.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !condition() {
        assert!(start.elapsed().as_secs() < 600, "timeout of 600 s: {what}");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// A worker that listens. It is killed when this is dropped.
pub struct Listening(Child);

impl Listening {
    /// Starts it, and waits until it accepts guests at `socket`.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub fn start(command: &mut Command, socket: &Path) -> Listening {
        let child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let mut worker = Listening(child);
        // The kernel's list of sockets shows which paths a process accepts at. Another worker's path may end like this one.
        let path = format!(" {}", socket.display());
        wait_until("the worker listens", || {
            assert!(worker.is_running(), "{command:?} ended");
            let all = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
            all.lines().any(|line| line.ends_with(&path) && line.contains(" 00010000 "))
        });
        // A worker that starts locks the socket's folder, and unlocks it after it has begun to listen.
        let folder = socket.parent().and_then(|folder| folder.canonicalize().ok());
        wait_until("the worker has unlocked the folder", || !worker.files().any(|file| Some(file) == folder));
        worker
    }

    /// Returns the paths of the worker's open descriptors, as the kernel shows them.
    ///
    /// # Panics
    ///
    /// Panics if the kernel does not show the descriptors, because the process no longer exists.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let all = std::fs::read_dir(format!("/proc/{}/fd", self.0.id())).unwrap_or_else(|e| panic!("{e}"));
        all.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok())
    }

    /// Whether it has not ended.
    pub fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// Its number.
    pub fn process(&self) -> u32 {
        self.0.id()
    }

    /// Waits for its end: whether it was a good one.
    pub fn ends_well(self) -> bool {
        self.end().success()
    }

    /// Waits for its end.
    ///
    /// # Panics
    ///
    /// If it cannot be waited for.
    pub fn end(mut self) -> ExitStatus {
        self.0.wait().unwrap_or_else(|e| panic!("{e}"))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
