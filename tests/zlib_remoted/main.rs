//! Tests of unmodified programs with zlib in another process: they behave as natively.

#![allow(clippy::unwrap_used, clippy::panic)]

mod programs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use lapis_cx_tests::{cc, remoted, spec};

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("zlib_remoted")
}

/// Guest and worker, built once.
struct Made {
    folder: tempfile::TempDir,
    remoting: PathBuf,
    real: PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let remoting = remoted::make(&spec::build("zlib"), folder.path(), &[("CFLAGS", "-O1 -Wall -Werror")]);
        let gcc = cc::run(Command::new("gcc").arg("-print-file-name=libz.so.1"));
        let real = fs::canonicalize(String::from_utf8(gcc.stdout).unwrap().trim()).unwrap();
        Made { folder, remoting, real }
    })
}

/// Returns a program with zlib in its own process or in another.
fn command(program: &str, is_remote: bool) -> Command {
    let made = made();
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH").env_remove("CX_REMOTE");
    if is_remote {
        command = remoted::command(Path::new(program), &made.remoting, &made.real);
        command.env(TEST, test_name());
    }
    command.stdin(Stdio::null());
    command
}

/// The variable that names the test in the environment of its programs, and of their workers.
const TEST: &str = "ZLIB_REMOTED_TEST";

fn test_name() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; `tests/run` installs it"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    output
}

/// Waits until the workers of this test have ended, after their guests.
fn wait_for_workers_to_end() {
    let worker = made().remoting.join("zlib_worker");
    let mark = format!("{TEST}={}\0", test_name());
    remoted::wait_until("the workers end", || {
        let is_ours = |entry: fs::DirEntry| {
            fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == worker)
                && fs::read(entry.path().join("environ"))
                    .is_ok_and(|all| all.windows(mark.len()).any(|part| part == mark.as_bytes()))
        };
        !fs::read_dir("/proc").unwrap().flatten().any(is_ours)
    });
}

/// Compiles a program.
fn compiled(name: &str) -> String {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let program = made().folder.path().join(name);
    if !program.exists() {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&program);
        cc::run(gcc.arg(here().join(format!("{name}.c"))).arg("-lz"));
    }
    program.to_str().unwrap().to_owned()
}

/// Asserts that a program in C prints and writes the same natively and remoted.
fn program(name: &str) {
    let program = compiled(name);
    let say = |is_remote: bool| {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("file.gz");
        let mut command = command(&program, is_remote);
        command.current_dir(&home).env("TMPDIR", home.path()).env("XDG_RUNTIME_DIR", home.path());
        let output = run(command.arg(&file));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        let left: Vec<_> = fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, std::slice::from_ref(&file), "and no other file is left");
        (String::from_utf8(output.stdout).unwrap(), fs::read(file).unwrap())
    };
    let native = say(false);
    assert!(native.0.lines().count() > 60, "{}", native.0);
    assert_eq!(say(true), native);
    wait_for_workers_to_end();
}

#[test]
fn c_program_prints_the_same() {
    program("program");
}

#[test]
fn rarely_used_functions_print_the_same() {
    program("functions");
}

/// Starts a worker that listens, and returns its socket.
fn listening(folder: &Path) -> (remoted::Listening, String) {
    let socket = folder.join("own").join("socket");
    let mut worker = Command::new(made().remoting.join("zlib_worker"));
    worker.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &made().real).env_remove("LD_LIBRARY_PATH");
    // The worker has another working folder and file mask than the programs.
    worker.current_dir("/").stdin(Stdio::null());
    (remoted::Listening::start(&mut worker, &socket), format!("unix:{}", socket.display()))
}

/// Runs `descriptors` in a separate folder: files by descriptor and by path.
fn descriptors(is_remote: bool, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let home = tempfile::tempdir().unwrap();
    let input = home.path().join("input");
    fs::write(&input, "what is read\n").unwrap();
    let mut command = command(&compiled("descriptors"), is_remote);
    command.current_dir(&home).args(arguments).envs(variables.iter().copied()).stdin(fs::File::open(input).unwrap());
    let output = run(&mut command);
    let is_lost = "cx_remote: libz.so.1: its worker is lost: the other process ended; its calls fail\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), if arguments.contains(&"kill") { is_lost } else { "" });
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn files_by_descriptor_and_path_print_the_same() {
    let native = descriptors(false, &[], &[]);
    assert!(native.lines().count() > 40 && native.ends_with("as many here 1, there 1\n"), "{native}");
    assert_eq!(descriptors(true, &[], &[]), native);
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, socket) = listening(folder.path());
    let process = worker.process().to_string();
    let before = worker.files().count();
    for _ in 0..2 {
        assert_eq!(descriptors(true, &[&process], &[("CX_REMOTE", &socket)]), native);
    }
    // The state of a guest ends with the guest.
    remoted::wait_until("the worker closes its descriptors", || worker.files().count() == before);
    let killed = descriptors(true, &[&process, "kill"], &[("CX_REMOTE", &socket)]);
    assert_eq!(killed, format!("{native}last 5\nkilled -1, open 1\nanother 0, open 1\n"));
    assert!(!worker.is_running());
    wait_for_workers_to_end();
}

/// The specification describes all functions of the library, with their names and versions.
#[test]
fn specification_describes_all_functions() {
    let exports = |library: &Path| {
        let output = cc::run(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut names: Vec<_> = text.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
        names.sort();
        names
    };
    let made = made();
    let guest = made.remoting.join("libz.so.1");
    let names = exports(&guest);
    assert!(names.iter().any(|name| name == "inflateMark@@ZLIB_1.2.3.4"), "{names:?}");
    assert_eq!(names, exports(&made.real));
    assert_eq!(fs::read_to_string(made.remoting.join("zlib_left_out.txt")).unwrap(), "");
    let dynamic = cc::run(Command::new("readelf").arg("-d").arg(&guest)).stdout;
    assert!(String::from_utf8(dynamic).unwrap().contains("soname: [libz.so.1]"));
}

/// Returns a Python whose module loads the shared library instead of containing it.
fn python() -> &'static str {
    let find = "import zlib; print(getattr(zlib, '__file__', ''))";
    let python = ["/usr/bin/python3", "python3"].into_iter().find(|python| {
        let Ok(output) = Command::new(python).args(["-c", find]).output() else { return false };
        let module = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        !module.is_empty()
            && String::from_utf8_lossy(&cc::run(Command::new("ldd").arg(module)).stdout).contains("libz.so.1")
    });
    python.expect("a python3 whose zlib module loads libz.so.1; `tests/run` installs one")
}

#[test]
fn python_modules_print_the_same() {
    let say = |is_remote: bool| {
        let output = run(command(python(), is_remote).arg(here().join("modules.py")));
        let is_said = if is_remote { "True\n" } else { "False\n" };
        assert_eq!(String::from_utf8_lossy(&output.stderr), is_said, "and nothing else is said");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(say(true), say(false));
    wait_for_workers_to_end();
}

/// Runs a program without a worker. Returns its status and output, which does not include the engine's message.
fn without_a_worker(command: &mut Command) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("none");
    command.current_dir(&folder).env("CX_REMOTE", format!("unix:{}", socket.display()));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let why = format!("cx_remote: libz.so.1: no connection to {}: ", socket.display());
    // The library itself would not accept some of the arguments.
    let is_refusal = |line: &str| line.ends_with(": what the call requires does not hold");
    assert!(said.starts_with(&why) && said.lines().skip(1).all(is_refusal), "{}: {said}", output.status);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Calls each function of the library without checking returned texts and tables.
#[test]
fn c_program_without_worker_gets_failure_results() {
    let (status, said) = without_a_worker(&mut command(&compiled("no_worker"), true));
    let expected = here().join("no_worker.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expected, &said).unwrap();
    }
    assert_eq!(said, fs::read_to_string(expected).unwrap());
    assert_eq!(status, Some(0));
}

#[test]
fn python_without_worker_gets_errors() {
    let (status, said) = without_a_worker(command(python(), true).arg(here().join("no_worker.py")));
    let expected = "\
        compress said Out of memory while compressing data\n\
        decompress said Out of memory while decompressing data\n\
        compressobj said Can't allocate memory for compression object\n\
        decompressobj said Can't allocate memory for decompression object\n\
        gzip said Can't allocate memory for decompression object\n\
        sums 0xffffffff 0xffffffff\n";
    assert_eq!(said, expected);
    assert_eq!(status, Some(3), "it goes on to its end");
}

/// Compresses 100 MB of each kind of data, in one call and in pieces.
#[test]
#[ignore = "packs 300 MB: most of a minute"]
fn python_large_data_prints_the_same() {
    let say = |is_remote: bool| {
        let output = run(command(python(), is_remote).arg(here().join("much.py")));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(say(true), say(false));
    wait_for_workers_to_end();
}

#[test]
fn pigz_writes_the_same_files() {
    let folder = made().folder.path();
    let plain = folder.join("plain");
    let text: String = (0..400_000u32).map(|n| format!("{:x} ", n.wrapping_mul(2_654_435_761) >> 18)).collect();
    fs::write(&plain, &text).unwrap();
    for threads in ["1", "2"] {
        let pack =
            |is_remote: bool| run(command("pigz", is_remote).args(["-n", "-c", "-p", threads]).arg(&plain)).stdout;
        let native = pack(false);
        assert!(native.len() > 100_000 && native.len() < text.len());
        assert!(pack(true) == native, "-p {threads}");
        let packed = folder.join("packed.gz");
        fs::write(&packed, &native).unwrap();
        let output = run(command("pigz", true).args(["-d", "-c", "-p", threads]).arg(&packed));
        assert!(output.stdout == text.as_bytes() && output.stderr.is_empty(), "-p {threads}");
    }
    wait_for_workers_to_end();
}

/// Returns the program `starts.c`, in the folder above guest and worker.
fn starts(mode: &str) -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let program = made().folder.path().join("starts");
        let mut gcc = Command::new("gcc");
        gcc.args(["-Wall", "-Werror", "-o"]).arg(&program).arg(here().join("starts.c"));
        cc::run(gcc.arg(&made().real));
        program
    });
    let mut command = command(&program.to_string_lossy(), true);
    command.arg(mode);
    command
}

#[test]
fn start_with_relative_paths_after_chdir_finds_the_worker() {
    let folder = made().folder.path();
    let real = Path::new("real").join(made().real.file_name().unwrap());
    let _ = fs::create_dir(folder.join("real"));
    fs::copy(&made().real, folder.join(&real)).unwrap();
    for library_path in ["remoting", "./remoting", "x:remoting:", "../absent:remoting"] {
        for worker in [None, Some("remoting/zlib_worker")] {
            let mut command = starts("chdir");
            command.current_dir(folder).env("LD_LIBRARY_PATH", library_path).env("CX_REMOTE_LIBRARY", &real);
            worker.map(|worker| command.env("CX_REMOTE_WORKER", worker));
            assert_eq!(String::from_utf8_lossy(&run(&mut command).stdout), "352441c2\n", "{library_path} {worker:?}");
        }
    }
}

#[test]
fn start_with_relative_socket_path_after_chdir_connects() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("own/socket");
    let mut worker = Command::new(made().remoting.join("zlib_worker"));
    worker.arg("--listen").arg("own/socket").current_dir(folder.path());
    let _worker = remoted::Listening::start(
        worker.env("CX_REMOTE_LIBRARY", &made().real).stdin(Stdio::null()),
        Path::new("own/socket"),
    );
    assert!(socket.exists());
    let mut command = starts("chdir");
    command.current_dir(folder.path()).env("CX_REMOTE", "unix:own/socket");
    assert_eq!(String::from_utf8_lossy(&run(&mut command).stdout), "352441c2\n");
}

/// The first call fails, and the next one starts the worker.
#[test]
fn start_that_failed_for_a_passing_reason_is_retried_by_the_next_call() {
    assert_eq!(String::from_utf8_lossy(&run(&mut starts("files")).stdout), "ffffffff 352441c2\n");
    let folder = tempfile::tempdir().unwrap();
    let [worker, moved] = ["worker", "moved"].map(|name| folder.path().join(name));
    fs::copy(made().remoting.join("zlib_worker"), &moved).unwrap();
    let mut command = starts("moved");
    command.arg(&worker).arg(&moved).env("CX_REMOTE_WORKER", &worker);
    let output = run(&mut command);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ffffffff 352441c2\n");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("its calls fail until it does"), "{said}");
}
