//! Tests of libraries in another process in Rust: the generated client and service, each with the other side in Rust and in C. All four
//! pairings print what the program in C prints with its library.
//!
//! This program contains the tests, the client and the worker in Rust. `BLESS=1` writes the expected module.

#![deny(warnings)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod client;
mod service;

/// Includes the module as a build script's output is included.
mod desk {
    include!("kept/desk_remote.rs");
}

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

use lapis_cx::backend::Backend;
use lapis_cx_tests::{cc, remoted, spec};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let is_worker = std::env::var_os("CX_REMOTE_IS_WORKER").is_some();
    match std::env::args().nth(1).as_deref() {
        Some("--listen") => return desk::serve(service::Service::default(), std::env::args()),
        None if is_worker => return desk::serve(service::Service::default(), std::env::args()),
        Some("client") => {
            client::run();
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let test = |name: &str, run: fn()| {
        Trial::test(name, move || {
            run();
            Ok::<(), Failed>(())
        })
    };
    let tests = vec![
        test("module_matches_golden_file", module_matches_golden_file),
        test("modules_of_shipped_specifications_compile", modules_of_shipped_specifications_compile),
        test("pairings_of_c_and_rust_print_the_same", pairings_of_c_and_rust_print_the_same),
        test("shared_workers_serve_c_and_rust", shared_workers_serve_c_and_rust),
        test("service_overlapping_memory_is_refused", service_overlapping_memory_is_refused),
        test("client_without_worker_gets_error", client_without_worker_gets_error),
        test("service_panic_fails_only_its_call", service_panic_fails_only_its_call),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

struct Made {
    library: remoted::Library,
    program: PathBuf,
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rust_remoted")
}

fn me() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Builds the same specification in C: program, library, guest and worker.
fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let library = remoted::Library::make("rust_remoted", "desk", "-O1", &[]);
        let program = library.program("program");
        Made { library, program }
    })
}

/// Returns the expected output of all programs.
fn expected() -> String {
    fs::read_to_string(here().join("expected.txt")).unwrap()
}

/// Returns the program in C or Rust.
fn program(in_rust: bool) -> Command {
    let made = made();
    if in_rust {
        let mut command = Command::new(me());
        command.arg("client").env("CX_REMOTE_LIBRARY", &made.library.real).env_remove("CX_REMOTE");
        return command;
    }
    remoted::command(&made.program, &made.library.remoting, &made.library.real)
}

/// Returns the file of the worker in C or Rust.
fn worker(in_rust: bool) -> PathBuf {
    if in_rust { me() } else { made().library.remoting.join("desk_worker") }
}

/// Generates the module of a specification.
fn module(spec: &Path) -> String {
    let remoting = spec::REMOTING.with_options(&[("language", "rust")]).unwrap();
    let mut printed = spec::build_with("it", fs::read(spec).unwrap(), &[&*remoting]);
    assert_eq!(printed.files.len(), 1);
    printed.files.remove(0).text
}

fn module_matches_golden_file() {
    let (text, kept) = (module(&here().join("desk.cxspec")), here().join("kept/desk_remote.rs"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&kept, &text).unwrap();
    }
    assert!(fs::read_to_string(&kept).unwrap() == text, "{} differs: BLESS=1 writes it anew", kept.display());
}

/// Modules of the shipped specifications compile in both editions, included as a build script's output is.
fn modules_of_shipped_specifications_compile() {
    let folder = tempfile::tempdir().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped =
        ["zlib", "sqlite", "opencl", "tinycl", "rows"].map(|name| spec::folder().join(format!("{name}.cxspec")));
    let tried = ["remoting/small", "behaviours/places", "later/later"].map(|name| tests.join(format!("{name}.cxspec")));
    let mut all = String::from("#![deny(warnings)]\n");
    for (n, spec) in shipped.iter().chain(&tried).enumerate() {
        fs::write(folder.path().join(format!("module_{n}.rs")), module(spec)).unwrap();
        all += &format!("pub mod module_{n} {{ include!(\"module_{n}.rs\"); }}\n");
    }
    fs::write(folder.path().join("all.rs"), all).unwrap();
    let (engine, libraries) = (me().with_file_name("liblapis_cx_remote.rlib"), me());
    for edition in ["2021", "2024"] {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        rustc.args(["--crate-type", "lib", "--emit", "metadata", "--edition", edition, "-L"]);
        rustc.arg(libraries.parent().unwrap()).arg("--extern").arg(format!("lapis_cx_remote={}", engine.display()));
        cc::run(rustc.arg("-o").arg(folder.path().join("all.rmeta")).arg(folder.path().join("all.rs")));
    }
}

fn pairings_of_c_and_rust_print_the_same() {
    for (client, server) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut command = program(client);
        command.env("CX_REMOTE_WORKER", worker(server));
        assert_eq!(remoted::said(&mut command), expected(), "client in Rust: {client}, server in Rust: {server}");
    }
}

/// Programs kill their worker, so each gets a new one.
fn shared_workers_serve_c_and_rust() {
    for (client, server) in [(false, true), (true, true), (true, false)] {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("own").join("socket");
        let mut command = Command::new(worker(server));
        command.arg("--listen").arg(&socket).env("CX_REMOTE_LIBRARY", &made().library.real).stdin(Stdio::null());
        let listening = remoted::Listening::start(&mut command, &socket);
        let mut command = program(client);
        command.env("CX_REMOTE", format!("unix:{}", socket.display()));
        assert_eq!(remoted::said(&mut command), expected(), "client in Rust: {client}, server in Rust: {server}");
        assert!(!listening.ends_well(), "the program killed it");
    }
}

/// A program in C may pass the same memory as input and output. A service must not get overlapping references.
fn service_overlapping_memory_is_refused() {
    for (server, said) in [(false, "0 0\n"), (true, "-99 0\n")] {
        let mut command = program(false);
        command.arg("twice").env("CX_REMOTE_WORKER", worker(server));
        assert_eq!(remoted::said(&mut command), said, "server in Rust: {server}");
    }
}

fn client_without_worker_gets_error() {
    use desk::{Client, Error, Reach};
    let nobody = Client::new(&Reach::Unix("/nobody/listens/here".into()));
    assert!(matches!(&nobody, Err(Error::Connection(why)) if why.contains("/nobody/listens/here")), "{nobody:?}");
    let nobody = Client::new(&Reach::Private("/no/such/worker".into()));
    assert!(matches!(&nobody, Err(Error::Connection(why)) if why.contains("/no/such/worker")), "{nobody:?}");
}

fn service_panic_fails_only_its_call() {
    use desk::{Client, Error, Failed, Reach};
    let desk = Client::new(&Reach::Private(me())).unwrap();
    let failed = desk.check(-1000);
    assert!(matches!(failed, Err(Failed { declared: -99, error: Error::Refused(..) })), "{failed:?}");
    assert_eq!(desk.add(1, 2).unwrap(), 3, "the worker goes on");
    // The panic of a closure propagates from the enclosing call, and later calls succeed.
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        desk.each(&[1, 2], 2, &mut |_| std::panic::resume_unwind(Box::new("of a closure")))
    }));
    assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"of a closure"));
    assert_eq!(desk.add(3, 4).unwrap(), 7);
}
