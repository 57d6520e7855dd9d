//! Tests of interfaces in another process: a program that uses them by the CX API prints the same wherever their CXUs are.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lapis_cx_remote::cxu::{Error, Reach, Remote};
use lapis_cx_runtime::OpenFlags;
use lapis_cx_tests::{cc, remoted, repository, riscv, spec};

/// A program and a worker, both with the fallbacks of all interfaces.
struct Made {
    folder: tempfile::TempDir,
    program: PathBuf,
    worker: PathBuf,
    /// The program for registers of 32 bits.
    narrow: (PathBuf, PathBuf),
}

/// The specifications of the interfaces that the program uses.
const FALLBACKS: [&str; 5] = ["mulacc", "bk", "tile", "own", "plain"];

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cxu_remoted").join(name)
}

/// Returns compiler options for the headers of the program.
fn includes(printed: &Path) -> Vec<String> {
    let here = repository();
    let folders = [printed.join("include"), here.join("lapis-cx/remote/include")];
    let more = [here.join("lapis-cx/runtime/include"), here.join("lapis-cx/core/include")];
    folders.iter().chain(&more).map(|folder| format!("-I{}", folder.display())).collect()
}

/// Compiles the fallbacks to objects, for program and worker.
fn fallbacks(printed: &Path, to: &Path, xlen: &str) -> Vec<PathBuf> {
    let compile = |name: &str| {
        let object = to.join(format!("{name}.o"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-O1", xlen, "-c"]).args(cc::WARNINGS).args(includes(printed));
        cc::run(gcc.arg(printed.join(format!("src/{name}_fallback.c"))).arg("-o").arg(&object));
        object
    };
    FALLBACKS.map(compile).to_vec()
}

/// Compiles and links a program of this folder with an engine, and with the runtime if the program needs it.
fn linked(name: &str, printed: &Path, to: &Path, xlen: &str, engine: &str) -> PathBuf {
    let program = to.join(name);
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O1", "-pthread", xlen]).args(cc::WARNINGS).args(includes(printed));
    gcc.arg(here(&format!("{name}.c"))).args(fallbacks(printed, to, xlen));
    if name == "program" {
        gcc.arg(remoted::runtime());
    }
    cc::run(gcc.args(engine.split(' ')).arg("-lgcc_s").arg("-o").arg(&program));
    program
}

fn printed(folder: &Path) {
    for name in ["mulacc", "bitkit", "tile"] {
        spec::write(&spec::build(name), folder);
    }
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("firmware/units.cxspec");
    spec::write(&spec::build_text("units", std::fs::read(units).unwrap()), folder);
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        printed(folder.path());
        let both = |xlen: &str| {
            let to = folder.path().join(xlen);
            std::fs::create_dir(&to).unwrap();
            let of = |name| linked(name, folder.path(), &to, xlen, &remoted::engine());
            (of("program"), of("worker"))
        };
        let ((program, worker), narrow) = (both("-DCX_XLEN=64"), both("-DCX_XLEN=32"));
        Made { folder, program, worker, narrow }
    })
}

fn command(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null());
    command
}

fn output_of(words: &[&str]) -> String {
    remoted::said(&mut command(&made().program, words))
}

fn private() -> String {
    format!("private:{}", made().worker.display())
}

/// Starts a worker that listens, and returns the text that reaches it.
fn listening(folder: &Path, change: impl FnOnce(&mut Command)) -> (remoted::Listening, String) {
    let socket = folder.join("own").join("socket");
    let mut worker = command(&made().worker, &["--listen"]);
    change(worker.arg(&socket));
    (remoted::Listening::start(&mut worker, &socket), format!("unix:{}", socket.display()))
}

#[test]
fn cxu_local_private_and_shared_print_the_same() {
    let local = output_of(&["all", "local"]);
    assert!(
        local.contains("mulacc ffffffffffffffee, 0\n") && local.contains("division by nothing ffffffffffffffff, 20\n"),
        "{local}"
    );
    assert_eq!(output_of(&["all", &private()]), local);
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, reach) = listening(folder.path(), |_| ());
    assert_eq!(output_of(&["all", &reach]), local);
    // Two programs at once.
    let guests = [(); 2].map(|()| {
        let mut guest = command(&made().program, &["all", &reach]);
        guest.stdout(Stdio::piped()).spawn().unwrap()
    });
    for guest in guests {
        let output = guest.wait_with_output().unwrap();
        assert!(output.status.success() && output.stdout == local.as_bytes());
    }
    assert!(worker.is_running());
}

/// Program and CXU have registers of 32 bits.
#[test]
fn cxu_with_32_bit_registers_prints_the_same() {
    let (program, worker) = &made().narrow;
    let reach = format!("private:{}", worker.display());
    let [local, remote] = ["local", &reach].map(|reach| remoted::said(&mut command(program, &["all", reach])));
    assert!(local.contains("mulacc ffffffee, 0\n"), "{local}");
    assert_eq!(local, remote);
    // The other worker has no CXU for this XLEN.
    let output = command(program, &["all", &private()]).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && words.contains("no CXU for the interface 0b7c2a52-") && words.contains("XLEN 32"),
        "{words}"
    );
}

/// All states share the one context of their unit, so they are saved and restored across processes.
#[test]
fn cxu_states_sharing_one_context_print_the_same() {
    let [local, remote] = ["local", &private()].map(|reach| output_of(&["few", reach]));
    assert!(local.ends_with("1 swaps\n"), "{local}");
    assert_eq!(local, remote);
}

#[test]
fn images_move_between_local_and_remote() {
    let private = private();
    let folder = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for (n, from) in ["local", &private].into_iter().enumerate() {
        let path = folder.path().join(n.to_string());
        let path = path.to_str().unwrap();
        all.push(output_of(&["write", from, path]));
        all.extend(["local", &private].map(|to| output_of(&["read", to, path])));
    }
    assert!(all.iter().all(|one| *one == all[0] && one.len() > 4), "{all:?}");
    let [first, second] = ["0", "1"].map(|n| std::fs::read(folder.path().join(n)).unwrap());
    assert_eq!(first, second);
}

#[test]
fn worker_dead_commands_return_zero_and_set_status() {
    for _ in 0..if lapis_cx_tests::long() { 100 } else { 5 } {
        let folder = tempfile::tempdir().unwrap();
        let (worker, reach) = listening(folder.path(), |_| ());
        assert_eq!(output_of(&["killed", &reach, &worker.process().to_string()]), "killed\n");
        assert!(!worker.ends_well());
    }
}

#[test]
fn fork_child_uses_a_separate_connection() {
    let folder = tempfile::tempdir().unwrap();
    let (_worker, reach) = listening(folder.path(), |_| ());
    for reach in [&reach, &private()] {
        assert_eq!(output_of(&["forked", reach]), "forked\n");
    }
}

/// A guest that exceeds the worker's memory limit logs that, and ended states do not count.
#[test]
fn states_beyond_memory_limit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_worker, reach) = listening(folder.path(), |worker| {
        worker.env("CX_REMOTE_KEPT_BYTES", "20000");
    });
    // Ended states are also detected with an allocator that does not overwrite freed memory.
    let engine = format!("-DKEEPS_MEMORY {}", remoted::engine());
    let other = linked("program", made().folder.path(), folder.path(), "-DCX_XLEN=64", &engine);
    for program in [&made().program, &other] {
        let output = command(program, &["full", &reach]).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}");
        assert_eq!(words.matches("no memory for another state").count(), 1, "{words}");
    }
}

#[test]
fn threads_beyond_channel_limit_are_refused() {
    assert_eq!(output_of(&["crowd", &private()]), "128 of 130\n128 of 130\n");
}

#[test]
fn invalid_requests_are_refused_with_message() {
    let words = output_of(&["refused", &private()]);
    let expected = [
        "`org.example.dsp:MulAcc` of the worker has contract 014907b79753…, the program expects fe4907b79753…: build both from the same specification",
        "the worker has no CXU for the interface 00000000-0000-0001-0000-000000000002 at XLEN 64: start a worker that has one, with `cx-cxu-worker --load`",
        "the program already uses 64 CXUs of other processes, which is the maximum",
    ];
    assert_eq!(words.lines().collect::<Vec<_>>(), expected);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // A worker that listens, but serves no CXUs.
    let library = remoted::Library::make("behaviours", "places", "-O0", &["-pthread"]);
    let socket = folder.path().join("own").join("socket");
    let mut other = Command::new(library.remoting.join("places_worker"));
    other.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &library.real);
    let _other = remoted::Listening::start(other.stdin(Stdio::null()).stderr(Stdio::null()), &socket);
    for (reach, code, part) in [
        (path("worker"), "2", "does not name a worker: write `private:FILE ARGUMENTS` or `unix:PATH`"),
        (format!("private:{}", path("none")), "3", "none does not start: No such file or directory"),
        (format!("unix:{}", path("none")), "3", "no connection to "),
        ("private:/bin/true".to_owned(), "3", "the worker /bin/true does not start"),
        (format!("unix:{}", socket.display()), "4", "this worker serves `org.example.places:"),
    ] {
        let words = output_of(&["connect", &reach]);
        assert!(words.starts_with(&format!("{code}: ")) && words.contains(part), "{reach}: {words}");
    }
}

/// A program for RISC-V, on qemu, whose commands are instructions that trap, with a worker of this machine.
#[test]
fn risc_v_instructions_reach_worker() {
    let made = made();
    let folder = tempfile::tempdir().unwrap();
    let (_worker, reach) = listening(folder.path(), |_| ());
    let mut gcc = riscv::gcc(cc::Language::C11);
    gcc.args(["-O1", "-pthread"]).args(includes(made.folder.path())).arg(here("program.c"));
    let sources = FALLBACKS.map(|name| made.folder.path().join(format!("src/{name}_fallback.c")));
    let program = folder.path().join("program");
    let program = riscv::link(gcc, &sources.iter().chain([&riscv::linux().remote]).collect::<Vec<_>>(), &program);
    let [local, remote] = ["local", &reach].map(|reach| remoted::said(riscv::qemu(&program).args(["all", reach])));
    assert_eq!(local, output_of(&["all", "local"]));
    assert_eq!(local, remote);
}

/// Guests send corrupted records: the worker keeps running, and a correct guest gets the same results as before.
#[test]
fn faulty_guests_worker_keeps_running() {
    let made = made();
    let folder = tempfile::tempdir().unwrap();
    let engine = remoted::faulty_engine(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty"));
    let faulty = linked("program", made.folder.path(), folder.path(), "-DCX_XLEN=64", &engine);
    let (mut worker, reach) = listening(folder.path(), |worker| {
        worker.env("CX_REMOTE_KEPT_BYTES", "1000000").stderr(Stdio::null());
    });
    let honest = output_of(&["all", "local"]);
    for seed in 1..=if lapis_cx_tests::long() { 1000 } else { 20 } {
        let what = if seed % 2 == 0 { "all" } else { "few" };
        // The output and the exit status of a faulty guest do not matter.
        command(&faulty, &[what, &reach]).env("CX_REMOTE_FAULT_SEED", seed.to_string()).output().unwrap();
        assert!(worker.is_running(), "seed {seed} ended the worker");
        if seed % 10 == 0 {
            assert!(output_of(&["all", &reach]) == honest, "seed {seed} changed what others get");
        }
    }
}

/// A program in Rust with the API of the runtime.
#[test]
fn rust_program_uses_remote_cxu() {
    let reach: Reach = private().parse().unwrap();
    let remote = Remote::connect(&reach).unwrap();
    let names: Vec<_> = remote.listed().iter().map(|one| one.name.to_str().unwrap()).collect();
    assert_eq!(names[..2], ["org.example.dsp:MulAcc", "org.example.bits:BitKit"]);
    let uuid = remote.listed()[0].uuid;
    let refused = remote.find(uuid, 64, Some(&[0; 32])).unwrap_err();
    assert!(matches!(refused, Error::Contract { ref name, .. } if name == names[0]), "{refused}");
    let cxu = remote.find(uuid, 64, None).unwrap();
    // SAFETY: the functions of the descriptor are those of a remote CXU.
    unsafe { lapis_cx_runtime::register(cxu) }.unwrap();
    let [first, second] = [(); 2].map(|()| lapis_cx_runtime::open(uuid, OpenFlags::EXCLUSIVE).unwrap());
    let mut image = [0; 16];
    {
        let selected = first.select();
        assert_eq!([selected.issue(0, 3, 4).unwrap(), selected.issue(1, 5, 6).unwrap()], [12, 42]);
        assert_eq!(selected.save(&mut image).unwrap(), image.len());
    }
    let selected = second.select();
    selected.restore(&image).unwrap();
    assert_eq!(selected.issue(1, 1, 1).unwrap(), 43);
    assert!(selected.issue(77, 0, 0).is_err());
    // A runtime calls the descriptor: a state is valid at its address only, not at that of a copy.
    let mut places = [[0u64; 4]; 2];
    assert_eq!(cxu.state_size, size_of_val(&places[0]));
    let (init, issue, mut rd) = (cxu.init.unwrap(), cxu.issue.unwrap(), 0);
    // SAFETY: the memory has the size and alignment of the descriptor; the copy is only read.
    unsafe {
        init(places[0].as_mut_ptr().cast());
        places[1] = places[0];
        let mut add =
            |at: usize| (issue(places[at].as_mut_ptr().cast(), 1, 5, 6, &raw mut rd), std::mem::take(&mut rd));
        assert_eq!([add(0), add(1), add(0)], [(0, 30), (2, 0), (0, 60)]);
        init(places[0].as_mut_ptr().cast());
        assert_eq!(issue(places[0].as_mut_ptr().cast(), 1, 5, 6, &raw mut rd), 0);
        assert_eq!(rd, 30);
    }
}

#[test]
fn header_compiles_as_c_and_cpp() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("header.c");
    std::fs::write(&source, "#include \"cx_remote_cxu.h\"\nint main(void) { return cxr_cxu_count(0) > 0; }\n").unwrap();
    for compiler in cc::COMPILERS {
        for language in cc::LANGUAGES {
            let mut command = compiler.command(language);
            command.args(cc::WARNINGS).args(includes(folder.path())).arg("-fsyntax-only");
            cc::run(command.arg(&source));
        }
    }
}
