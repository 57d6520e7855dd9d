//! Guests whose engine corrupts the records that it sends (`engine`). A program makes real calls, or the
//! fuzzer that `cxc` generates from the specification makes random ones. Whatever they send, the worker keeps running, and a correct guest
//! of the same worker gets the same results as before.
//!
//! Fuzzers are used here for libraries that any sequence of calls leaves intact. zlib is such a library without its streams: it follows the
//! pointers of a stream that was not initialised. The fuzzer of `lends`, whose guests share state, is in [`honest`].
//!
//! Each guest has its own seed. `CX_FAULTS=N` runs N guests for each specification, `CX_SEED=N` begins with that seed.

#![allow(clippy::unwrap_used, clippy::panic)]

mod honest;
mod messages;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_tests::{cc, number, remoted, spec};

/// Both sides of a library, a correct and a faulty guest library, a program and a fuzzer.
struct Case {
    folder: tempfile::TempDir,
    name: &'static str,
    real: PathBuf,
    honest: PathBuf,
    faulty: PathBuf,
    program: PathBuf,
    arguments: Vec<String>,
    /// The fuzzer, and which functions it calls.
    fuzzer: (PathBuf, [&'static str; 2]),
}

fn faulty_engine() -> String {
    remoted::faulty_engine(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty"))
}

/// Functions of zlib that may be called in any order.
const ZLIB: &str = "adler32,crc32,compress,compress2,compressBound,uncompress";

fn real_zlib() -> PathBuf {
    let found = cc::run(Command::new("gcc").arg("-print-file-name=libz.so.1")).stdout;
    fs::canonicalize(String::from_utf8(found).unwrap().trim()).unwrap()
}

/// The count of `what` in a line of a fuzzer; 0 if the line ends before it.
fn counted(line: &str, what: &str) -> u64 {
    let number = |part: &str| part.strip_suffix(what)?.rsplit(' ').find(|word| !word.is_empty())?.parse().ok();
    line.split(", ").find_map(number).unwrap_or(0)
}

impl Case {
    /// A library of the tests. Its fuzzer calls all functions but `without`.
    fn own(here: &str, name: &'static str, flags: &[&str], arguments: &[&str], without: &'static str) -> Case {
        let library = remoted::Library::make(here, name, "-O1", flags);
        let fuzzer = library.fuzzer(name);
        let is_fuzzer = arguments.contains(&"--honest");
        let program = if is_fuzzer { fuzzer.clone() } else { library.program("program") };
        let faulty = library.sides(name, &library.folder.path().join("faulty"), &[("CFLAGS", "-O1")], &faulty_engine());
        let arguments = arguments.iter().map(|&one| one.to_owned()).collect();
        let remoted::Library { folder, real, remoting: honest, .. } = library;
        Case { folder, name, real, honest, faulty, program, arguments, fuzzer: (fuzzer, ["--without", without]) }
    }

    fn zlib() -> Case {
        let folder = tempfile::tempdir().unwrap();
        let outcome = spec::build("zlib");
        let honest = remoted::make(&outcome, folder.path(), &[("CFLAGS", "-O1")]);
        let faulty =
            remoted::make_with(&faulty_engine(), &outcome, &folder.path().join("faulty"), &[("CFLAGS", "-O1")]);
        let text = fs::read(spec::folder().join("zlib.cxspec")).unwrap();
        let fuzzer = remoted::fuzzer("zlib", text, &folder.path().join("fuzzed"), &[]);
        let real = real_zlib();
        let program = folder.path().join("program");
        remoted::zlib_program(&program);
        let arguments = vec![folder.path().join("file.gz").display().to_string()];
        Case { folder, name: "zlib", real, honest, faulty, program, arguments, fuzzer: (fuzzer, ["--functions", ZLIB]) }
    }

    /// Runs `at_least` faulty guests, and those with the seeds in `kept`, which ended the worker once.
    fn run(&self, at_least: u64, kept: &[&str]) {
        let here = self.folder.path();
        let [log, says, socket] = ["faults", "says", "own/socket"].map(|name| here.join(name));
        let mut worker = Command::new(self.honest.join(format!("{}_worker", self.name)));
        worker.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &self.real).env_remove("LD_LIBRARY_PATH");
        // Limits that no correct guest reaches.
        worker.env("CX_REMOTE_CALL_BYTES", "16777216").env("CX_REMOTE_KEPT_BYTES", "67108864");
        worker.env("PLACES_NEVER_BLOCKS", "1");
        if self.name == "calls" {
            // A guest can change buffers in the shared pool during the call.
            worker.env("CX_REMOTE_IN_PLACE_BYTES", "65536");
        }
        worker.env("CX_REMOTE_VERBOSE", "1").stdin(Stdio::null()).stderr(fs::File::create(&says).unwrap());
        let mut worker = remoted::Listening::start(&mut worker, &socket);
        let program = |remoting: &Path, program: &Path, arguments: &[String]| {
            // A faulty guest may wait for a reply that is never sent.
            let mut command = remoted::command(Path::new("timeout"), remoting, &self.real);
            command.args(["-s", "KILL", "300"]).arg(program).args(arguments).current_dir(here);
            command.env("CX_REMOTE", format!("unix:{}", socket.display())).stdin(Stdio::null());
            command
        };
        let guest = |remoting: &Path| program(remoting, &self.program, &self.arguments);
        let fuzzed = |seed: &str| {
            let (fuzzer, [only, functions]) = &self.fuzzer;
            let arguments = ["--seed", seed, "--count", "1", only, functions].map(str::to_owned);
            program(&self.faulty, fuzzer, &arguments)
        };
        let honest = remoted::said(&mut guest(&self.honest));
        let count = number("CX_FAULTS").unwrap_or(if lapis_cx_tests::long() { 1000 } else { at_least });
        let first = number("CX_SEED").unwrap_or(1);
        let seeds: Vec<String> =
            kept.iter().map(|&kept| kept.to_owned()).chain((first..first + count).map(|n| n.to_string())).collect();
        let mut not_made = 0;
        for (n, seed) in (1_usize..).zip(&seeds) {
            // Every second guest makes random calls. The kept seeds are those of programs.
            if n % 2 == 0 && n > kept.len() {
                let said = remoted::run_faulty(&mut fuzzed(seed), seed, &log);
                not_made += said.lines().map(|line| counted(line, "not made")).sum::<u64>();
            } else {
                let said = remoted::run_faulty(&mut guest(&self.faulty), seed, &log);
                let is_complete = n > kept.len() || said.lines().count() == honest.lines().count();
                assert!(is_complete, "{}: the guest with seed {seed} did not make all its calls:\n{said}", self.name);
            }
            assert!(worker.is_running(), "{}: seed {seed} ended the worker\n{}", self.name, messages::tail(&says));
            if n % 8 == 0 || n == seeds.len() {
                let said = remoted::said(&mut guest(&self.honest));
                assert!(
                    said == honest,
                    "{}: seed {seed}, or one before it, changed what others get:\n{said}",
                    self.name
                );
            }
        }
        let mut faults = remoted::faults(&log);
        let records = faults.remove("records").unwrap_or(0);
        let refused = fs::read_to_string(&says).unwrap().lines().count();
        let name = self.name;
        println!(
            "{name}: {count} faulty guests from seed {first}, {records} corrupted records, {refused} refusals, {not_made} random calls not \
             made, faults: {faults:?}"
        );
        assert!(not_made > 0, "{name}: no guest reported a refused call");
        assert!(faults.len() >= 6 + kept.len() && refused > 0, "{}: {refused} refusals, faults: {faults:?}", self.name);
    }
}

#[test]
fn buffers_handles_and_callbacks_corrupted_worker_keeps_running() {
    // A guest may read what an earlier guest, which has ended, kept.
    Case::own("behaviours", "places", &["-pthread"], &["remote", "without-end"], "kept").run(40, &[]);
}

#[test]
fn asynchronous_calls_corrupted_worker_keeps_running() {
    Case::own("later", "later", &["-D_GNU_SOURCE", "-rdynamic", "-pthread"], &[], "").run(16, &[]);
}

#[test]
fn scalar_calls_corrupted_worker_keeps_running() {
    // The fuzzer is its only program. Guests share what `note` stores.
    let arguments = ["--honest", "--count", "3", "--without", "note,note_in_order,noted,work"];
    Case::own("calls", "calls", &[], &arguments, "work").run(16, &[]);
}

/// In shadow mode the program gets the results of the real library, whatever a faulty engine does, and wrong results of that engine are reported.
#[test]
fn faulty_engine_is_reported_by_shadow_mode() {
    const VARIABLES: [(&str, &str); 1] = [("CFLAGS", "-O1")];
    let folder = tempfile::tempdir().unwrap();
    let engine = faulty_engine();
    let remoting = remoted::make_with(&engine, &spec::build("zlib"), folder.path(), &VARIABLES);
    remoted::make_target(&engine, &remoting, "shadow", &VARIABLES);
    let [program, file, faults] = ["program", "file.gz", "faults"].map(|name| folder.path().join(name));
    remoted::zlib_program(&program);
    let command = |folder: &Path| {
        let mut command = remoted::command(&program, folder, &real_zlib());
        command.arg(&file);
        command
    };
    let native = remoted::said(&mut command(folder.path()));
    let mut reported = 0;
    for seed in 1..=10 {
        let log = folder.path().join(format!("log{seed}"));
        let mut shadowed = command(&remoting);
        shadowed.env("CX_REMOTE", "shadow").env("CX_REMOTE_SHADOW_LOG", &log);
        let output = remoted::run_faulty(&mut shadowed, &seed.to_string(), &faults);
        assert_eq!(output, native, "seed {seed}");
        let log = fs::read_to_string(log).unwrap();
        println!("seed {seed}: {log}");
        reported += usize::from(!log.ends_with("mistakes found: 0\n"));
    }
    assert!(remoted::faults(&faults)["records"] > 0);
    assert!(reported > 5, "{reported} of 10 runs with faults were reported");
}

#[test]
fn kept_memory_corrupted_worker_keeps_running() {
    // `failure`: the callback that gives zlib its input is reported as failed, so its buffer is missing while its length arrived.
    // `ended`: the memory that zlib reads is reported as ended.
    // `later`: the stream of a call is reported as older than one before, so the worker's copy kept the pointers of the call before. Their memory
    // had ended.
    Case::zlib().run(10, &remoted::NAMED_SEEDS);
}
