//! Guests that lie, for each of some specifications: a real program makes real calls, or the fuzzer that is printed of the specification
//! makes random ones, and its engine spoils what it sends (`lapis-cx/remote/src/spoil.rs`). Whatever they send, the worker goes on, and
//! an honest guest beside them gets what it always gets.
//!
//! Fuzzers belong here of libraries that any sequence of calls leaves whole. zlib is one without its streams: one that was not
//! initialised has pointers that it follows. None is a library whose guests share something, as those of `lends` do, whose fuzzer is in
//! [`honest`].
//!
//! Each lies by a seed of its own. `CX_LIARS=N` tries so many for each specification, `CX_SEED=N` begins with that seed.

#![allow(clippy::unwrap_used, clippy::panic)]

mod honest;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_tests::{cc, number, remoted, spec};

/// Both sides of a library, an honest guest and one that lies, a program, and perhaps a fuzzer.
struct Case {
    folder: tempfile::TempDir,
    name: &'static str,
    real: PathBuf,
    honest: PathBuf,
    lying: PathBuf,
    program: PathBuf,
    arguments: Vec<String>,
    /// And which functions it calls.
    fuzzer: (PathBuf, [&'static str; 2]),
}

fn lying_engine() -> String {
    remoted::lying_engine(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("lying"))
}

/// Functions of zlib that leave it whole in any order.
const ZLIB: &str = "adler32,crc32,compress,compress2,compressBound,uncompress";

fn real_zlib() -> PathBuf {
    let found = cc::run(Command::new("gcc").arg("-print-file-name=libz.so.1")).stdout;
    fs::canonicalize(String::from_utf8(found).unwrap().trim()).unwrap()
}

/// What a line of a fuzzer says how many there are of: 0 if it ended before it said so.
fn counted(line: &str, what: &str) -> u64 {
    let number = |part: &str| part.strip_suffix(what)?.rsplit(' ').find(|word| !word.is_empty())?.parse().ok();
    line.split(", ").find_map(number).unwrap_or(0)
}

impl Case {
    /// Of a library of the tests. Its fuzzer calls all functions but these.
    fn own(here: &str, name: &'static str, flags: &[&str], arguments: &[&str], without: &'static str) -> Case {
        let library = remoted::Library::make(here, name, "-O1", flags);
        let fuzzer = library.fuzzer(name);
        let is_fuzzer = arguments.contains(&"--honest");
        let program = if is_fuzzer { fuzzer.clone() } else { library.program("program") };
        let lying = library.sides(name, &library.folder.path().join("lying"), &[("CFLAGS", "-O1")], &lying_engine());
        let arguments = arguments.iter().map(|&one| one.to_owned()).collect();
        let remoted::Library { folder, real, remoting: honest, .. } = library;
        Case { folder, name, real, honest, lying, program, arguments, fuzzer: (fuzzer, ["--without", without]) }
    }

    fn zlib() -> Case {
        let folder = tempfile::tempdir().unwrap();
        let outcome = spec::build("zlib");
        let honest = remoted::make(&outcome, folder.path(), &[("CFLAGS", "-O1")]);
        let lying = remoted::make_with(&lying_engine(), &outcome, &folder.path().join("lying"), &[("CFLAGS", "-O1")]);
        let text = fs::read(spec::folder().join("zlib.cxspec")).unwrap();
        let fuzzer = remoted::fuzzer("zlib", text, &folder.path().join("fuzzed"), &[]);
        let real = real_zlib();
        let program = folder.path().join("program");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-O1", "-pthread", "-o"]).arg(&program);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("zlib_remoted/program.c");
        cc::run(gcc.arg(source).arg("-lz"));
        let arguments = vec![folder.path().join("file.gz").display().to_string()];
        Case { folder, name: "zlib", real, honest, lying, program, arguments, fuzzer: (fuzzer, ["--functions", ZLIB]) }
    }

    /// Lets them lie: so many, and in ways that were too much once.
    fn lie(&self, at_least: u64, kept: &[&str]) {
        let here = self.folder.path();
        let [log, says, socket] = ["lies", "says", "own/socket"].map(|name| here.join(name));
        let mut worker = Command::new(self.honest.join(format!("{}_worker", self.name)));
        worker.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &self.real).env_remove("LD_LIBRARY_PATH");
        // What no honest guest needs is refused, rather than taken from the machine.
        worker.env("CX_REMOTE_CALL_BYTES", "16777216").env("CX_REMOTE_KEPT_BYTES", "67108864");
        worker.env("PLACES_NEVER_BLOCKS", "1");
        if self.name == "calls" {
            // Its buffers lie where they may still be changed.
            worker.env("CX_REMOTE_IN_PLACE_BYTES", "65536");
        }
        worker.env("CX_REMOTE_VERBOSE", "1").stdin(Stdio::null()).stderr(fs::File::create(&says).unwrap());
        let mut worker = remoted::Listening::start(&mut worker, &socket);
        let program = |remoting: &Path, program: &Path, arguments: &[String]| {
            // Who lies may wait for what never comes.
            let mut command = remoted::command(Path::new("timeout"), remoting, &self.real);
            command.args(["-s", "KILL", "60"]).arg(program).args(arguments).current_dir(here);
            command.env("CX_REMOTE", format!("unix:{}", socket.display())).stdin(Stdio::null());
            command
        };
        let guest = |remoting: &Path| program(remoting, &self.program, &self.arguments);
        let fuzzed = |seed: &str| {
            let (fuzzer, [only, functions]) = &self.fuzzer;
            // What is kept to be tried again need not be a number.
            let seed = if seed.parse::<u64>().is_ok() { seed } else { "1" };
            let arguments = ["--seed", seed, "--count", "1", only, functions].map(str::to_owned);
            program(&self.lying, fuzzer, &arguments)
        };
        let honest = remoted::said(&mut guest(&self.honest));
        let count = number("CX_LIARS").unwrap_or(if lapis_cx_tests::long() { 1000 } else { at_least });
        let first = number("CX_SEED").unwrap_or(1);
        let seeds: Vec<String> =
            kept.iter().map(|&kept| kept.to_owned()).chain((first..first + count).map(|n| n.to_string())).collect();
        let mut not_made = 0;
        for (n, seed) in (1..).zip(&seeds) {
            // Every other one makes random calls.
            if n % 2 == 0 {
                let said = remoted::lie(&mut fuzzed(seed), seed, &log);
                not_made += said.lines().map(|line| counted(line, "not made")).sum::<u64>();
            } else {
                remoted::lie(&mut guest(&self.lying), seed, &log);
            }
            assert!(worker.is_running(), "{}: seed {seed} ended the worker", self.name);
            if n % 8 == 0 || n == seeds.len() {
                let said = remoted::said(&mut guest(&self.honest));
                assert!(
                    said == honest,
                    "{}: seed {seed}, or one before it, changed what others get:\n{said}",
                    self.name
                );
            }
        }
        let mut lies: BTreeMap<String, u64> = BTreeMap::new();
        for line in fs::read_to_string(&log).unwrap().lines() {
            *lies.entry(line.to_owned()).or_default() += 1;
        }
        let refused = fs::read_to_string(&says).unwrap().lines().count();
        let name = self.name;
        println!(
            "{name}: {count} liars from seed {first}, {refused} refusals, {not_made} random calls not made, lies: {lies:?}"
        );
        assert!(not_made > 0, "{name}: nobody said that a call was refused");
        assert!(lies.len() >= 6 + kept.len() && refused > 0, "{}: {refused} refusals, lies: {lies:?}", self.name);
    }
}

#[test]
fn about_buffers_handles_and_callbacks() {
    // What one guest kept another one reads, who may come when it is gone.
    Case::own("behaviours", "places", &["-pthread"], &["remote", "without-end"], "kept").lie(40, &[]);
}

#[test]
fn about_calls_that_nobody_waits_for() {
    Case::own("later", "later", &["-D_GNU_SOURCE", "-rdynamic", "-pthread"], &[], "").lie(16, &[]);
}

#[test]
fn about_calls_of_few_numbers() {
    // There is no other program of it. What was noted guests share.
    let arguments = ["--honest", "--count", "3", "--without", "note,note_in_order,noted,work"];
    Case::own("calls", "calls", &[], &arguments, "work").lie(16, &[]);
}

#[test]
fn about_memory_that_both_sides_keep() {
    // Who gives zlib its input never fails. If that is said, the buffer does not come, and its length did. If what zlib reads is said to
    // have ended, it has not.
    Case::zlib().lie(10, &["failure", "ended"]);
}
