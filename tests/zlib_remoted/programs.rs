//! Tests of installed programs that load zlib: CPython's own tests, git, qemu-img and optipng. Each prints and writes the same as with zlib
//! in its own process, and the engine logs nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx_tests::cc;

use super::{command, here, made, python, run, wait_for_workers_to_end};

/// A worker that adds a line to a file when it is started.
struct CountedWorker {
    program: PathBuf,
    log: PathBuf,
}

impl CountedWorker {
    fn new(folder: &Path) -> CountedWorker {
        let (program, log) = (folder.join("counted_worker"), folder.join("starts"));
        let worker = made().remoting.join("zlib_worker");
        let text = format!("#!/bin/sh\necho started >> '{}'\nexec '{}' \"$@\"\n", log.display(), worker.display());
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        CountedWorker { program, log }
    }

    fn starts(&self) -> usize {
        fs::read_to_string(&self.log).unwrap_or_default().lines().count()
    }
}

/// Runs a program natively and with zlib in another process, each in a separate folder. Returns its output, and how many workers were
/// started.
fn same(program: &str, prepare: impl Fn(&mut Command)) -> (String, usize) {
    let tools = tempfile::tempdir().unwrap();
    let worker = CountedWorker::new(tools.path());
    let say = |is_remote: bool| {
        let home = tempfile::tempdir().unwrap();
        let mut command = command(program, is_remote);
        command.current_dir(&home).env("HOME", home.path()).env("LC_ALL", "C.UTF-8");
        if is_remote {
            command.env("CX_REMOTE_VERBOSE", "1").env("CX_REMOTE_WORKER", &worker.program);
        }
        prepare(&mut command);
        let output = run(&mut command);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    let native = say(false);
    let remote = say(true);
    assert_eq!(remote, native);
    assert!(!remote.1.contains("cx_remote"), "{}", remote.1);
    wait_for_workers_to_end();
    (native.0, worker.starts())
}

/// Fails if a program does not load the shared library: then nothing would be tested.
fn loads_zlib(program: &str) {
    let path = cc::run(Command::new("sh").args(["-c", "command -v \"$0\"", program])).stdout;
    let libraries = cc::run(Command::new("ldd").arg(String::from_utf8(path).unwrap().trim())).stdout;
    assert!(String::from_utf8_lossy(&libraries).contains("libz.so.1"), "{program} is not linked with libz.so.1");
}

#[test]
fn git_makes_the_same_packs() {
    loads_zlib("git");
    let (said, starts) = same("sh", |command| {
        command.arg(here().join("git.sh"));
    });
    assert_eq!(said.matches("pack-").count(), 6, "{said}");
    assert!(starts >= 10, "{starts} workers for many processes");
}

#[test]
fn qemu_img_writes_the_same_disks() {
    loads_zlib("qemu-img");
    let (said, starts) = same("sh", |command| {
        command.arg(here().join("disk.sh")).env("PYTHON", python());
    });
    assert!(said.contains("Images are identical."), "{said}");
    assert!(starts >= 2, "{starts}");
}

#[test]
fn optipng_writes_the_same_picture() {
    loads_zlib("optipng");
    let (said, starts) = same("sh", |command| {
        command.arg(here().join("picture.sh")).env("PYTHON", python());
    });
    assert!(said.contains("picture.png"), "{said}");
    assert!(starts >= 1, "{starts}");
}

/// The suites that CPython has for its modules `zlib` and `gzip`.
#[test]
fn suites_of_cpython_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let worker = CountedWorker::new(folder.path());
    let mut command = command(python(), true);
    command.current_dir(&folder).env("CX_REMOTE_VERBOSE", "1").env("CX_REMOTE_WORKER", &worker.program);
    let output = run(command.args(["-m", "unittest", "test.test_zlib", "test.test_gzip"]));
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.split("Ran ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    assert!(count.is_some_and(|count| count > 100) && said.contains("\nOK"), "{said}");
    assert!(!said.contains("cx_remote"), "{said}");
    assert!(worker.starts() >= 1);
    wait_for_workers_to_end();
}

/// A relative `LD_LIBRARY_PATH` is resolved when the guest library is loaded: the program may change its working directory before its
/// first call.
#[test]
fn relative_paths_hold_after_a_chdir() {
    let made = made();
    let folder = made.remoting.parent().unwrap();
    let script = "import os, zlib; os.chdir('/'); print(zlib.decompress(zlib.compress(b'text')))";
    for (name, value) in [("CX_REMOTE_VERBOSE", "1"), ("CX_REMOTE_WORKER", "remoting/../remoting/zlib_worker")] {
        let mut command = command(python(), true);
        command.current_dir(folder).env("LD_LIBRARY_PATH", "remoting:lib").env(name, value);
        let output = run(command.args(["-c", script]));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "b'text'\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    }
    // The real library too.
    std::os::unix::fs::symlink(&made.real, made.folder.path().join("real_zlib.so")).unwrap();
    let mut command = command(python(), true);
    command.current_dir(folder).env("LD_LIBRARY_PATH", "remoting").env("CX_REMOTE_LIBRARY", "./real_zlib.so");
    assert_eq!(String::from_utf8_lossy(&run(command.args(["-c", script])).stdout), "b'text'\n");
    wait_for_workers_to_end();
}
