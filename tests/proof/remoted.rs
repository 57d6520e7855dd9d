//! The address sanitizer over both sides of libraries in another process: the engine in Rust, what is printed in C, libraries and their
//! programs, which are those of other tests. The engine's own tests run under it too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_tests::cc::run;
use lapis_cx_tests::{number, remoted, repository, spec};

use crate::Skipped;
use crate::sanitizers::{ADDRESS, THREAD, cargo, nightly, strict};

/// A library, and programs that hold it.
struct Case {
    /// Of the spec and the sources, and the folder of the tests where they are.
    name: &'static str,
    folder: &'static str,
    soname: &'static str,
    programs: &'static [&'static str],
    /// They hold what is so natively too.
    is_native: bool,
    /// The compiler's for its sources.
    flags: &'static [&'static str],
    /// A function of the library.
    function: &'static str,
}

const CASES: [Case; 3] = [
    Case {
        name: "places",
        folder: "behaviours",
        soname: "libplaces.so.1",
        programs: &["program"],
        is_native: true,
        flags: &[],
        function: "places_copy",
    },
    Case {
        name: "later",
        folder: "later",
        soname: "liblater.so.1",
        programs: &["program"],
        is_native: false,
        flags: &["-D_GNU_SOURCE"],
        function: "later_add",
    },
    // Memory that both sides keep, and what is known of it.
    Case {
        name: "zlib",
        folder: "zlib_remoted",
        soname: "libz.so.1",
        programs: &["program", "functions"],
        is_native: true,
        flags: &[],
        function: "deflate",
    },
];

/// What everything is made of.
struct Tools {
    flags: String,
    engine: PathBuf,
    /// A program has the sanitizer of the toolchain, which serves both languages and all its libraries.
    sanitizer: String,
}

const OTHERS: &str = "-lpthread -ldl -lm -lrt -lgcc_s -lgcc -lc";

pub fn under_the_address_sanitizer() -> Skipped {
    let (host, library) = match nightly(ADDRESS) {
        Ok(nightly) => nightly,
        Err(why) => return Some(why),
    };
    let (mut build, built) = cargo(ADDRESS, &host);
    build.args(["rustc", "--locked", "-p", "lapis-cx-remote", "--lib", "--crate-type", "staticlib", "--target", &host]);
    run(&mut build);
    let tools = Tools {
        flags: format!("-O1 -g -fno-sanitize-recover=all {}", ADDRESS.c),
        engine: built.join("liblapis_cx_remote.a"),
        sanitizer: format!("-Wl,--export-dynamic -Wl,--whole-archive {} -Wl,--no-whole-archive", library.display()),
    };
    for case in &CASES {
        let folder = built.join("remoted").join(case.name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        case.hold(&tools, &folder);
        if case.name == "zlib" {
            run_faulty_guests(&folder);
        }
    }
    let (mut test, _) = cargo(ADDRESS, &host);
    test.args(["test", "--locked", "-p", "lapis-cx-remote", "--lib", "--target", &host]);
    // What a guest knows it knows until its process ends.
    run(strict(&mut test).env("ASAN_OPTIONS", "detect_leaks=0"));
    None
}

/// Faulty guests of the worker of zlib that was made in `folder` (`tests/fault_injection`).
fn run_faulty_guests(folder: &Path) {
    let engine = remoted::faulty_engine(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty"));
    let faulty = remoted::make_with(&engine, &spec::build("zlib"), &folder.join("faulty"), &[("CFLAGS", "-O1")]);
    let [program, socket, log] = ["program", "own/socket", "faults"].map(|name| folder.join(name));
    remoted::zlib_program(&program);
    let mut worker = Command::new(folder.join("remoting/zlib_worker"));
    worker.arg("--listen").arg(&socket).env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
    worker.env("CX_REMOTE_CALL_BYTES", "16777216").env("CX_REMOTE_KEPT_BYTES", "67108864").stdin(Stdio::null());
    let mut worker = remoted::Listening::start(&mut worker, &socket);
    let (first, count) = (number("CX_SEED").unwrap_or(2001), number("CX_FAULTS").unwrap_or(12));
    for seed in
        remoted::NAMED_SEEDS.map(str::to_owned).into_iter().chain((first..first + count).map(|seed| seed.to_string()))
    {
        let mut guest = Command::new("timeout");
        guest.args(["-s", "KILL", "300"]).arg(&program).arg(folder.join("file.gz")).env("LD_LIBRARY_PATH", &faulty);
        remoted::run_faulty(guest.env("CX_REMOTE", format!("unix:{}", socket.display())), &seed, &log);
        assert!(worker.is_running(), "seed {seed} ended the worker");
    }
    let faults = remoted::faults(&log);
    assert!(faults["records"] > 50 && remoted::NAMED_SEEDS.iter().all(|seed| faults.contains_key(*seed)), "{faults:?}");
}

/// The engine's own tests, and both ends of a channel in one process. Without those in which a peer changes what is read: that is a
/// race, and what comes of it is looked at there.
pub fn the_engine_under_the_thread_sanitizer() -> Skipped {
    let host = match nightly(THREAD) {
        Ok((host, _)) => host,
        Err(why) => return Some(why),
    };
    let (mut test, _) = cargo(THREAD, &host);
    test.args(["test", "--locked", "-p", "lapis-cx-remote", "--lib", "--test", "threads", "--target", &host]);
    // One after another: what the threads of the test harness tell each other is not seen.
    test.args(["--", "--test-threads=1"]);
    test.args(
        ["ring_arbitrary_writes_end_with_an_error", "ring_changing_bytes_are_read_once"]
            .iter()
            .flat_map(|name| ["--skip", name]),
    );
    run(strict(&mut test));
    None
}

impl Case {
    /// Makes all, and runs the programs natively and remoted.
    fn hold(&self, tools: &Tools, folder: &Path) {
        let here = repository().join("tests").join(self.folder);
        let real = self.real(tools, &here, folder);
        let own = here.join(self.name).with_extension("cxspec");
        let outcome = match fs::read(own) {
            Ok(text) => spec::build_text(self.name, text),
            Err(_) => spec::build(self.name),
        };
        spec::write(&outcome, folder);
        let remoting = folder.join("remoting");
        let make = |target: &str, engine: &str| {
            let mut make = Command::new("make");
            make.arg("-C").arg(&remoting).env_remove("MAKEFLAGS").arg(target);
            make.arg(format!("CX_REMOTE_INCLUDE={}", remoted::headers().display()));
            make.arg(format!("CX_REMOTE_LIB={} {engine}", tools.engine.display()));
            make.arg(format!("{}_REAL={}", self.name.to_uppercase(), real.display()));
            make.arg(format!("SOURCE_DIR={}", here.display()));
            // The sanitizer of the toolchain is in the program; gcc's own is one of its default libraries.
            make.arg(format!("CFLAGS={}", tools.flags)).arg("LDFLAGS=-Wl,-z,undefs -nodefaultlibs");
            run(&mut make);
        };
        let worker = format!("{}_worker", self.name);
        make(self.soname, OTHERS);
        make(&worker, &format!("{} {OTHERS}", tools.sanitizer));
        let thunk = format!("{}_cxr_thunk_{}", self.name, self.function.trim_start_matches(&format!("{}_", self.name)));
        for (file, function) in [(self.soname, self.function), (&worker, &*thunk)] {
            let mut objdump = Command::new("objdump");
            let text = run(objdump.arg(format!("--disassemble={function}")).arg(remoting.join(file))).stdout;
            assert!(String::from_utf8_lossy(&text).contains("asan_"), "{function} of {file} is not instrumented");
        }
        for name in self.programs {
            let program = folder.join(name);
            let mut link = Command::new("gcc");
            link.arg(tools.object(&here.join(name).with_extension("c"), self.flags, folder)).arg(&real);
            run(link.args(tools.sanitizer.split(' ')).args(OTHERS.split(' ')).arg("-o").arg(&program));
            let say = |libraries: &Path| {
                let file = folder.join("file.gz");
                let mut command = remoted::command(&program, libraries, &real);
                match self.name {
                    "places" => drop(command.args((libraries == remoting).then_some("remote"))),
                    "zlib" => drop(command.arg(&file)),
                    _ => {}
                }
                // What a guest knows it knows until its process ends.
                command.env("ASAN_OPTIONS", "detect_leaks=0");
                let said = remoted::said(&mut command);
                let _ = fs::remove_file(file);
                said
            };
            let remoted = say(&remoting);
            assert!(!self.is_native || say(folder) == remoted, "{name} of {}: {remoted}", self.name);
        }
    }

    /// The real library: of the system, or made of its source.
    fn real(&self, tools: &Tools, here: &Path, folder: &Path) -> PathBuf {
        let source = here.join(self.name).with_extension("c");
        if !source.exists() {
            let found = run(Command::new("gcc").arg(format!("-print-file-name={}", self.soname))).stdout;
            return fs::canonicalize(String::from_utf8(found).unwrap().trim()).unwrap();
        }
        let real = folder.join(self.soname);
        let mut link = Command::new("gcc");
        link.args(["-shared", &format!("-Wl,-soname,{}", self.soname), "-pthread", "-o"]).arg(&real);
        run(link.arg(tools.object(&source, self.flags, folder)));
        real
    }
}

impl Tools {
    fn object(&self, source: &Path, flags: &[&str], folder: &Path) -> PathBuf {
        let object = folder.join(source.file_stem().unwrap()).with_extension("o");
        let mut gcc = Command::new("gcc");
        gcc.args(self.flags.split(' ')).args(["-std=c11", "-fPIC", "-pthread", "-c"]).args(flags);
        run(gcc.arg(source).arg("-o").arg(&object));
        object
    }
}
