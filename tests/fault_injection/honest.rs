//! Tests of fuzzers that pass only arguments that the library itself accepts. They print the same with the real library and with its guest
//! library, so each kind of argument is compared in random calls, without a hand-written program.

use std::path::Path;
use std::process::Command;

use lapis_cx_tests::random_spec::dice::Dice;
use lapis_cx_tests::{cc, number, remoted, spec};

/// Messages that are expected of correct runs: the program ends while the library still calls it, an asynchronous call
/// failed, or a closed box of `places` calls a function whose registration ended with the box. Which side notices that first varies.
const EXPECTED: [&str; 6] = [
    ": the other process ended",
    " failed after it had returned: ",
    ": the library called a function for `Tell` whose registration had ended",
    ": Tell: no function of the program is registered for it",
    ": Tell: `user`: its registration is over",
    ": Tell: the other side refused the call",
];

/// Runs the fuzzer of a test library natively and remoted. `without` lists functions that cannot print the same, `kept` seeds that once
/// differed.
fn prints_the_same(here: &str, name: &str, flags: &[&str], without: &str, kept: &[u64]) {
    let library = remoted::Library::make(here, name, "-O1", flags);
    let fuzzer = library.fuzzer(name);
    let (folders, which) = ((library.folder.path(), &*library.remoting), ["--without", without]);
    compare(name, &fuzzer, &library.real, folders, which);
    for seed in kept {
        compare_from(*seed, 1, name, &fuzzer, &library.real, folders, which);
    }
}

fn compare(name: &str, fuzzer: &Path, real: &Path, (native, remote): (&Path, &Path), which: [&str; 2]) {
    let count = number("CX_FAULTS").unwrap_or(if lapis_cx_tests::long() { 500 } else { 20 });
    compare_from(number("CX_SEED").unwrap_or(1), count, name, fuzzer, real, (native, remote), which);
}

fn compare_from(
    seed: u64,
    count: u64,
    name: &str,
    fuzzer: &Path,
    real: &Path,
    (native, remote): (&Path, &Path),
    which: [&str; 2],
) {
    let run = |folder: &Path| {
        let mut command = Command::new(fuzzer);
        command.args(["--honest", "--seed", &seed.to_string(), "--count", &count.to_string()]).args(which);
        command.env("LD_LIBRARY_PATH", folder).env("CX_REMOTE_LIBRARY", real).env_remove("CX_REMOTE");
        let output = command.env("CX_REMOTE_VERBOSE", "1").env("PLACES_NEVER_BLOCKS", "1").output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (natively, _) = run(native);
    let (remotely, said) = run(remote);
    for (native, remote) in natively.lines().zip(remotely.lines()) {
        assert!(native.contains(" calls, "), "{name} natively: {native}");
        assert_eq!(native, remote, "{name}: {said}");
    }
    assert_eq!(natively, remotely);
    assert_eq!(natively.lines().count() as u64, count);
    assert_eq!(unexpected(&said), None, "{name}");
    println!("{name}: {count} sequences of random calls from seed {seed} say the same natively and remotely");
}

fn unexpected(said: &str) -> Option<&str> {
    said.lines().find(|line| !EXPECTED.iter().any(|one| line.contains(one)))
}

/// Without a worker all calls count as not made. The program cannot see that in the results; the guest library reports it.
#[test]
fn calls_without_worker_count_as_not_made() {
    let library = remoted::Library::make("calls", "calls", "-O1", &[]);
    let fuzzer = library.fuzzer("calls");
    let line = |worker: &str| {
        let mut command = remoted::command(&fuzzer, &library.remoting, &library.real);
        command.args(["--honest", "--count", "1", "--without", "note,work"]);
        if !worker.is_empty() {
            command.env("CX_REMOTE_WORKER", worker);
        }
        remoted::said(&mut command)
    };
    let counts = |line: &str| ["calls", "not made", "left out"].map(|what| crate::counted(line, what));
    let [made, refused, left_out] = counts(&line(""));
    assert!(made > 0 && refused == 0, "{made} made, {refused} not made");
    assert_eq!(counts(&line("/nowhere/worker")), [0, made, left_out]);
}

/// If a function ends a sequence or never returns, the fuzzer names it.
#[test]
fn function_that_ends_a_sequence_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    write("ends.h", "int ends_well(int value);\nint ends_badly(int value);\n");
    let source = "#include \"ends.h\"\n#include <signal.h>\nint ends_well(int value) { return value; }\nint ends_badly(int value) { \
                  raise(SIGKILL); return value; }\n";
    let (source, native) = (write("ends.c", source), folder.path().join("native"));
    std::fs::create_dir(&native).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-Wall", "-Werror", "-fPIC", "-shared", "-o"]).arg(native.join("libends.so.1"));
    cc::run(gcc.arg(source));
    let text = "cxspec 1;\npackage org.example.ends;\nlibrary Ends { c prefix \"ends_\"; c header \"ends.h\"; c soname \
                \"libends.so.1\"; func well(value: int) -> int { fails -1; } func badly(value: int) -> int { fails -1; } }\n";
    let here = folder.path().to_string_lossy();
    let fuzzer = remoted::fuzzer("ends", text, &folder.path().join("fuzzed"), &[("SOURCE_DIR", &here)]);
    let output = Command::new(fuzzer).args(["--count", "2"]).env("LD_LIBRARY_PATH", native).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "seed 1: ended by signal 9 in badly\nseed 2: ended by signal 9 in badly\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

/// Bytes of a fuzzing engine choose the calls. AFL++ passes them in a file, libFuzzer to a function.
#[test]
fn bytes_of_a_fuzzing_engine_choose_the_calls() {
    let library = remoted::Library::make("lends", "lends", "-O1", &["-pthread"]);
    let (fuzzer, folder) = (library.fuzzer("lends"), library.folder.path());
    let run = |command: &mut Command| {
        let output = command.env("CX_REMOTE_VERBOSE", "1").output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", output.status);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let mut made = 0;
    for seed in 0..20 {
        let input = folder.join("input");
        std::fs::write(&input, random_bytes(seed)).unwrap();
        let of = |remoting: &Path| {
            let mut command = remoted::command(&fuzzer, remoting, &library.real);
            command.args(["--without", "process,noted,allocated", "--input"]).arg(&input);
            command
        };
        let (native, remote) = (run(&mut of(folder)), run(&mut of(&library.remoting)));
        assert_eq!(native.0, remote.0, "seed {seed}");
        assert_eq!(unexpected(&remote.1), None, "seed {seed}");
        made += crate::counted(&native.0, "calls");
    }
    assert!(made > 100, "{made} calls");

    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("fault_injection/inputs.c");
    let entry = folder.join("entry");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-DCX_LIBFUZZER", "-pthread", "-fsanitize=address"]);
    gcc.arg("-I").arg(remoted::headers()).arg("-I").arg(&library.here).arg("-o").arg(&entry);
    cc::run(gcc.arg(folder.join("fuzzed/remoting/lends_fuzz.c")).arg(&driver).arg(&library.real));
    let mut inputs: Vec<_> = (0..20).map(|seed| folder.join(format!("input-{seed}"))).collect();
    for (seed, path) in inputs.iter().enumerate() {
        std::fs::write(path, random_bytes(seed as u64)).unwrap();
    }
    inputs.push("/dev/null".into());
    let mut command = Command::new(entry);
    command.args(inputs).env("LD_LIBRARY_PATH", folder).env("ASAN_OPTIONS", "detect_leaks=0");
    run(command.env("CX_FUZZ_WITHOUT", "process"));
}

fn random_bytes(seed: u64) -> Vec<u8> {
    let mut dice = Dice::seeded(seed);
    (0..4000).map(|_| dice.below(256) as u8).collect()
}

#[test]
fn buffers_handles_and_callbacks_print_the_same() {
    prints_the_same("behaviours", "places", &["-pthread"], "process,thread", &[]);
}

#[test]
fn asynchronous_calls_print_the_same() {
    // An asynchronous call of a callback may be unfinished when the outer call returns.
    prints_the_same("later", "later", &["-D_GNU_SOURCE", "-pthread"], "", &[20101]);
}

/// `without`: only the worker counts how often text of the specification ran, and only the engine frees blocks of the library. In the kept
/// seed a block of 0 bytes is pinned, read and unpinned.
#[test]
fn kept_memory_and_metadata_print_the_same() {
    prints_the_same("lends", "lends", &["-pthread"], "process,noted,allocated", &[]);
}

#[test]
fn scalar_calls_print_the_same() {
    // Unordered calls may be recorded after they were queried.
    prints_the_same("calls", "calls", &[], "note,work", &[]);
}

/// Functions that any order of calls leaves intact.
#[test]
fn zlib_without_streams_prints_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read(spec::folder().join("zlib.cxspec")).unwrap();
    let fuzzer = remoted::fuzzer("zlib", text, folder.path(), &[]);
    let remoting = folder.path().join("remoting");
    remoted::make(&spec::build("zlib"), folder.path(), &[]);
    let real = crate::real_zlib();
    compare("zlib", &fuzzer, &real, (real.parent().unwrap(), &remoting), ["--functions", crate::ZLIB]);
}
