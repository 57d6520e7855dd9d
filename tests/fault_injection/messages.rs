//! Many corrupted records in a short time, under the address sanitizer. Fuzzers make random calls without end; the engine of one side
//! corrupts every second record that it sends. In both directions the other side must not crash, hang, leak or read beyond its memory:
//!
//! - a worker whose guests corrupt requests, and answers to callbacks. A correct guest of that worker gets the same results as before;
//! - guests whose worker corrupts replies and callbacks.
//!
//! `CX_MESSAGES=N` is the number of corrupted records for each library and direction.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lapis_cx_tests::{cc, number, remoted, spec};

/// How many fuzzers run at a time: most of them wait for replies that are never sent, until a timeout.
const GUESTS: u64 = 6;
/// The target of sanitized builds. Build scripts are not sanitized.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Libraries of the system that programs without default libraries need.
const OTHERS: &str = "-lpthread -ldl -lm -lrt -lgcc_s -lgcc -lc";
const SANITIZED: &str = "-O1 -g -fno-sanitize-recover=all -fsanitize=address";
const NO_RUNTIME: &str = "-Wl,-z,undefs -nodefaultlibs";
/// Leaks of a guest last until its process ends. Requests for more memory than there is are refused.
const OPTIONS: &str = "detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=64:max_allocation_size_mb=4000";

/// An engine under the address sanitizer, and the sanitizer, which the program links for all its libraries.
struct Sanitized {
    engine: String,
    runtime: String,
}

/// Builds them. None if the toolchain has no sanitizer for this machine.
fn sanitized() -> Option<&'static Sanitized> {
    static MADE: OnceLock<Option<Sanitized>> = OnceLock::new();
    let make = || {
        let rustc = |arguments: &[&str]| cc::run(Command::new("rustc").args(arguments)).stdout;
        let libraries = String::from_utf8(rustc(&["--print=target-libdir"])).unwrap();
        let mut files = fs::read_dir(libraries.trim()).unwrap().filter_map(|one| Some(one.ok()?.path()));
        let runtime = files.find(|one| one.to_string_lossy().ends_with("_rt.asan.a"))?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty-address");
        let mut cargo = remoted::faulty_cargo(&folder);
        // The compiler allows sanitizers only to those who ask for unstable options.
        cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address").args(["--target", TARGET]);
        cc::run(&mut cargo);
        let engine = folder.join(TARGET).join("debug/liblapis_cx_faulty_remote.a");
        let runtime = format!("-Wl,--export-dynamic -Wl,--whole-archive {} -Wl,--no-whole-archive", runtime.display());
        Some(Sanitized { engine: format!("{} {OTHERS}", engine.display()), runtime })
    };
    MADE.get_or_init(make).as_ref()
}

/// Which side corrupts what it sends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corrupts {
    Guest,
    Worker,
}

struct Case {
    name: &'static str,
    library: remoted::Library,
    /// The sides with the engine that corrupts, and with the sanitizer.
    faulty: PathBuf,
    sanitized: PathBuf,
    /// A correct guest.
    program: PathBuf,
    arguments: &'static [&'static str],
    /// Functions that the fuzzers do not call: with unpredictable results, or that crash the library itself in some order of calls.
    without: &'static str,
}

impl Case {
    fn new(
        here: &str,
        name: &'static str,
        flags: &[&str],
        arguments: &'static [&'static str],
        without: &'static str,
    ) -> Option<Case> {
        let made = sanitized()?;
        let library = remoted::Library::make(here, name, "-O1", flags);
        let folder = library.folder.path();
        let faulty = library.sides(name, &folder.join("faulty"), &[("CFLAGS", "-O1")], &crate::faulty_engine());
        let fuzzer = library.fuzzer(name);
        let program = if arguments.contains(&"--honest") { fuzzer } else { library.program("program") };
        let sanitized = folder.join("sanitized/remoting");
        let backend = remoted::with_fuzzer();
        let text = fs::read(library.here.join(name).with_extension("cxspec")).unwrap();
        spec::write(&spec::build_with(name, text, &[&*backend]), &folder.join("sanitized"));
        let (real, here) = (library.real.to_string_lossy(), library.here.to_string_lossy());
        let real_of = format!("{}_REAL", name.to_uppercase());
        let make = |target: &str, engine: &str, flags: &str| {
            let variables = [(&*real_of, &*real), ("SOURCE_DIR", &*here), ("CFLAGS", SANITIZED), ("LDFLAGS", flags)];
            remoted::make_target(engine, &sanitized, target, &variables);
        };
        make(&format!("lib{name}.so.1"), &made.engine, NO_RUNTIME);
        make(&format!("{name}_worker"), &format!("{} {}", made.runtime, made.engine), NO_RUNTIME);
        make("fuzz", "", &format!("{NO_RUNTIME} {} {OTHERS}", made.runtime));
        Some(Case { name, library, faulty, sanitized, program, arguments, without })
    }

    /// The real library, built with the sanitizer.
    fn real(&self, flags: &[&str]) -> PathBuf {
        let real = self.sanitized.join("real.so");
        // It reads memory that a guest lent which has ended. A worker refuses functions that the library lacks.
        let flags = [flags, &["-Dplaces_kept=places_kept_left_out"]].concat();
        let mut gcc = Command::new("gcc");
        gcc.args(SANITIZED.split(' ')).args(NO_RUNTIME.split(' ')).args(["-std=c11", "-fPIC", "-shared"]).args(flags);
        cc::run(gcc.arg("-o").arg(&real).arg(self.library.here.join(self.name).with_extension("c")));
        real
    }

    /// Runs fuzzers until the engine of one side has corrupted `count` records. Returns how many it corrupted.
    fn run(&self, corrupts: Corrupts, count: u64, real: &Path) -> u64 {
        let what = match corrupts {
            Corrupts::Guest => "guests corrupt",
            Corrupts::Worker => "worker corrupts",
        };
        static ROUNDS: AtomicU64 = AtomicU64::new(0);
        let seed = number("CX_SEED").unwrap_or(1) + ROUNDS.fetch_add(1, Ordering::Relaxed);
        let own = self.library.folder.path().join(format!("round-{seed}"));
        fs::create_dir(&own).unwrap();
        let [log, socket, says] = ["faults", "own/socket", "worker"].map(|name| own.join(name));
        let (worker_of, guest_of) = match corrupts {
            Corrupts::Guest => (&self.sanitized, &self.faulty),
            Corrupts::Worker => (&self.faulty, &self.sanitized),
        };
        let faults = |command: &mut Command, seed: u64| {
            command.env("CX_REMOTE_FAULT_SEED", seed.to_string()).env("CX_REMOTE_FAULT_LOG", &log);
        };
        let mut worker = Command::new(worker_of.join(format!("{}_worker", self.name)));
        worker.arg("--listen").arg(&socket).env_remove("LD_LIBRARY_PATH");
        worker.env("CX_REMOTE_LIBRARY", if corrupts == Corrupts::Guest { real } else { &self.library.real });
        limits(&mut worker).stderr(File::create(&says).unwrap());
        if corrupts == Corrupts::Worker {
            faults(&mut worker, seed);
        }
        let mut worker = remoted::Listening::start(&mut worker, &socket);
        let files = worker.files().count();
        let honest = || {
            let mut command = remoted::command(&self.program, &self.library.remoting, &self.library.real);
            command.args(self.arguments).current_dir(self.library.folder.path());
            remoted::said(command.env("CX_REMOTE", format!("unix:{}", socket.display())).stdin(Stdio::null()))
        };
        let before = (corrupts == Corrupts::Guest).then(&honest);
        let guests: Vec<Guest> = (0..GUESTS)
            .map(|n| {
                let fuzzer = match corrupts {
                    Corrupts::Guest => self.library.folder.path().join("fuzzed/remoting"),
                    Corrupts::Worker => self.sanitized.clone(),
                };
                let mut command = Command::new(fuzzer.join(format!("{}_fuzz", self.name)));
                let first = seed * 1_000_000_000 + n * 10_000_000;
                command.args(["--seconds", "1000000", "--calls", "300", "--seed", &first.to_string()]);
                command.args(["--without", self.without]).env("LD_LIBRARY_PATH", guest_of);
                command.env("CX_REMOTE", format!("unix:{}", socket.display()));
                if corrupts == Corrupts::Guest {
                    faults(&mut command, first);
                }
                Guest::start(limits(&mut command).env("CX_REMOTE_CALL_SECONDS", "0.05"), &own, n)
            })
            .collect();
        let began = Instant::now();
        let records = || remoted::faults(&log).get("records").copied().unwrap_or(0);
        let mut last = (0, Instant::now());
        while records() < count {
            std::thread::sleep(Duration::from_millis(20));
            assert!(worker.is_running(), "{}: {what}: the worker ended\n{}", self.name, tail(&says));
            let now = records();
            if now != last.0 {
                last = (now, Instant::now());
            }
            assert!(last.1.elapsed() < Duration::from_secs(90), "{}: {what}: hangs after {now} records", self.name);
            guests.iter().for_each(|guest| guest.check(corrupts));
        }
        let (made, took) = (records(), began.elapsed().as_secs_f64());
        drop(guests);
        // Nothing of the guests remains.
        let until = Instant::now() + Duration::from_secs(60);
        while worker.files().count() > files {
            let now = worker.files().count();
            assert!(Instant::now() < until, "{}: {what}: {now} files are open instead of {files}", self.name);
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Some(before) = before {
            assert_eq!(honest(), before, "{}: {what}: changed what others get", self.name);
        }
        let memory = resident(worker.process());
        println!(
            "{}: {what}: {made} records in {took:.1} s, {:.0} a second, worker {memory} MiB, {:?}",
            self.name,
            made as f64 / took,
            remoted::faults(&log)
        );
        assert!(memory < 2048, "{}: {what}: the worker has {memory} MiB", self.name);
        let said = fs::read_to_string(&says).unwrap();
        assert!(!said.contains("panicked"), "{}: {what}: {said}", self.name);
        fs::remove_dir_all(&own).unwrap();
        made
    }
}

/// Limits that no correct guest reaches, and small rings, which are made often.
fn limits(command: &mut Command) -> &mut Command {
    command.env("CX_REMOTE_CALL_BYTES", "16777216").env("CX_REMOTE_KEPT_BYTES", "67108864");
    command.env("CX_REMOTE_RING_BYTES", "65536").env("CX_REMOTE_SILENT_SECONDS", "2").env("CX_REMOTE_FAULT_EVERY", "2");
    // A guest can change buffers in the shared pool during the call.
    command.env("CX_REMOTE_IN_PLACE_BYTES", "65536").env("PLACES_NEVER_BLOCKS", "1");
    command.env("ASAN_OPTIONS", OPTIONS).stdin(Stdio::null())
}

/// The resident memory of a process in MiB.
fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// The end of a file.
pub fn tail(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(80)..].join("\n")
}

/// A fuzzer, which ends with this.
struct Guest {
    fuzzer: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Guest {
    fn start(command: &mut Command, folder: &Path, n: u64) -> Guest {
        let [out, err] = ["out", "err"].map(|name| folder.join(format!("{name}.{n}")));
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        Guest { fuzzer: command.process_group(0).spawn().unwrap(), out, err }
    }

    /// A guest that corrupts what it sends may end in any way; others may not.
    fn check(&self, corrupts: Corrupts) {
        let said = fs::read_to_string(&self.out).unwrap_or_default();
        let ended = said.lines().find(|line| line.contains(": ended ")).filter(|_| corrupts == Corrupts::Worker);
        assert_eq!(ended, None, "{}", tail(&self.err));
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // A child of it makes the calls.
        let group = i32::try_from(self.fuzzer.id()).unwrap();
        // SAFETY: without pointers; the group has that number, and is waited for below.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let _ = self.fuzzer.wait();
    }
}

/// Runs the fuzzers of a library in both directions. `each` is how many corrupted records one worker gets or sends.
fn run(case: Option<Case>, flags: &[&str], each: u64) {
    let Some(case) = case else {
        println!("skipped: the toolchain has no address sanitizer for this machine");
        return;
    };
    let count = number("CX_MESSAGES").unwrap_or(if lapis_cx_tests::long() { 1_000_000 } else { 10_000 });
    let real = case.real(flags);
    for corrupts in [Corrupts::Guest, Corrupts::Worker] {
        let mut left = count;
        while left > 0 {
            left -= left.min(case.run(corrupts, left.min(each), &real));
        }
    }
}

#[test]
fn many_records_about_buffers_handles_and_callbacks() {
    let flags = &["-pthread"];
    // Guests share what other functions store.
    const HONEST: [&str; 5] =
        ["--honest", "--count", "5", "--functions", "copy,maybe,sum,turn_all,fill,length,find,call,two"];
    let case = Case::new("behaviours", "places", flags, &HONEST, "kept,process,thread");
    run(case, flags, u64::MAX);
}

#[test]
fn many_records_about_asynchronous_calls() {
    let flags = &["-D_GNU_SOURCE", "-rdynamic", "-pthread", "-DLATER_SAFE"];
    // The library keeps the queues of guests that ended.
    run(Case::new("later", "later", flags, &[], ""), flags, 20_000);
}

#[test]
fn many_records_about_scalars() {
    const WITHOUT: &str = "note,note_in_order,noted,work";
    run(Case::new("calls", "calls", &[], &["--honest", "--count", "3", "--without", WITHOUT], WITHOUT), &[], u64::MAX);
}
