//! Tests of in-place buffers, which a library uses in shared memory if the worker grants it. A C program asserts their addresses and
//! contents: natively, remoted with copies, and remoted in place.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lapis_cx_tests::remoted;

const SAID: &str = "places\ncontents\nlater\ncallbacks\nthreads\n";
const BYTES: &str = "CX_REMOTE_IN_PLACE_BYTES";

struct Made {
    library: remoted::Library,
    program: PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let library = remoted::Library::make("in_place", "room", "-O1", &["-pthread"]);
        let program = library.program("program");
        Made { library, program }
    })
}

/// Returns the program, which expects an in-place area of `bytes` bytes.
fn remote(bytes: &str) -> Command {
    let made = made();
    let mut command = remoted::command(&made.program, &made.library.remoting, &made.library.real);
    // The program also makes calls that are refused.
    command.arg(bytes).env_remove(BYTES).env("CX_REMOTE_VERBOSE", "0");
    command
}

#[test]
fn in_place_native_program_succeeds() {
    let made = made();
    let mut command = Command::new(&made.program);
    assert_eq!(remoted::said(command.env("LD_LIBRARY_PATH", made.library.folder.path())), SAID);
}

#[test]
fn in_place_disabled_buffers_are_copied() {
    assert_eq!(remoted::said(remote("0").env(BYTES, "0")), SAID);
    let output = remote("67108864").env(BYTES, "much").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), SAID);
    let said = format!("cx_remote: {BYTES}=much is no number that it can be, and is ignored\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), said);
}

#[test]
fn in_place_private_worker_uses_buffers_in_place() {
    assert_eq!(remoted::said(&mut remote("67108864")), SAID);
    // The minimum, and a value that is rounded up to a power of two.
    assert_eq!(remoted::said(remote("65536").env(BYTES, "1")), SAID);
    assert_eq!(remoted::said(remote("8388608").env(BYTES, "5000000")), SAID);
}

/// The setting of the worker decides, not that of the program. By default a worker that listens grants no in-place memory.
#[test]
fn in_place_shared_worker_setting_decides() {
    for (grants, asks) in [("1048576", "0"), ("0", "1048576"), ("", "1048576")] {
        let made = made();
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("own").join("socket");
        let mut worker = Command::new(made.library.remoting.join("room_worker"));
        worker.arg("--listen").arg(&socket).stdin(Stdio::null());
        // The environment of the worker has the guest library before the real one.
        let folders = [&*made.library.remoting, made.library.folder.path()];
        worker.env("LD_LIBRARY_PATH", std::env::join_paths(folders).unwrap()).env_remove("CX_REMOTE_LIBRARY");
        let _worker = remoted::Listening::start(worker.env(BYTES, grants), &socket);
        let mut guest = remote(if grants.is_empty() { "0" } else { grants });
        guest.env(BYTES, asks).env("CX_REMOTE", format!("unix:{}", socket.display()));
        assert_eq!(remoted::said(&mut guest), SAID);
    }
}
