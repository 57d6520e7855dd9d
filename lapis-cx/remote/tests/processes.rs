//! A guest and a worker that are two processes: this program again, which is told what to be.
#![cfg(not(loom))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{scope, spawn};

use lapis_cx_remote::{Channel, ConnectError, Connection, Error, Geometry, Library, Listener, Spin, Wake, socket_pair};

const RINGS: Geometry = Geometry { ring: 16384, channels: 8 };

/// Set for the processes that tests start: others that run all tests have no socket.
const STARTED: &str = "LAPIS_CX_STARTED";

fn library() -> Library {
    Library { name: "adder".to_owned(), contract: [7; 32] }
}

/// Starts a worker whose standard input is its socket.
fn worker(socket: OwnedFd) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(STARTED, "").args(["--exact", "be_a_worker", "--ignored", "--nocapture"]);
    command.stdin(Stdio::from(socket)).stdout(Stdio::null()).spawn().unwrap()
}

fn guest(socket: OwnedFd, spin: Spin) -> Connection {
    Connection::guest(socket, &library(), RINGS, spin).unwrap()
}

/// Answers each record with its bytes.
fn serve(mut channel: Channel) -> Error {
    loop {
        let bytes = match channel.receiver.next() {
            Err(why) => return why,
            Ok(mut asked) => {
                let mut bytes = vec![0; asked.get_u32().unwrap() as usize];
                if let Err(why) = asked.get(&mut bytes) {
                    return why;
                }
                bytes
            }
        };
        let mut answer = channel.sender.record(2);
        answer.put(&bytes);
        if let Err(why) = answer.commit(Wake::Now) {
            return why;
        }
    }
}

fn call(channel: &mut Channel, bytes: &[u8]) -> Result<(), Error> {
    let mut asked = channel.sender.record(1);
    asked.put_u32(bytes.len() as u32);
    asked.put(bytes);
    asked.commit(Wake::Now)?;
    let mut answer = channel.receiver.next()?;
    let mut back = vec![0; bytes.len()];
    answer.get(&mut back)?;
    assert!(back == bytes);
    Ok(())
}

/// The other process of these tests.
#[test]
#[ignore = "it is started by other tests"]
fn be_a_worker() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
    let null = std::fs::File::open("/dev/null").unwrap();
    // SAFETY: both are files of this process. Standard input must not keep the socket open.
    unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&null), 0) };
    let connection = Connection::worker(socket, &library(), Geometry::default(), Spin::Adaptive, |_| Ok(())).unwrap();
    while let Ok(channel) = connection.accept() {
        spawn(move || serve(channel));
    }
}

#[test]
fn each_thread_calls_over_a_channel_of_its_own() {
    let [mine, other] = socket_pair().unwrap();
    let mut child = worker(other);
    let connection = guest(mine, Spin::Adaptive);
    assert_eq!(connection.geometry(), RINGS);
    // More than there are at a time: what was closed is used again.
    for round in 0..20u8 {
        scope(|threads| {
            for n in 0..2 {
                let connection = &connection;
                threads.spawn(move || {
                    let mut channel = loop {
                        match connection.open() {
                            Ok(channel) => break channel,
                            // The worker has not dropped its end yet.
                            Err(Error::System(_)) => std::thread::yield_now(),
                            Err(why) => panic!("{why}"),
                        }
                    };
                    for size in [0, 1, 100, 20_000, 300_000] {
                        call(&mut channel, &vec![n + round; size]).unwrap();
                    }
                });
            }
        });
    }
    drop(connection);
    assert!(child.wait().unwrap().success());
}

/// Files of this process, and threads.
fn held() -> (usize, usize) {
    let count = |folder| std::fs::read_dir(folder).unwrap().count();
    (count("/proc/self/fd"), count("/proc/self/task"))
}

#[test]
#[ignore = "counts what the process has: alone, by the test below"]
fn be_alone_with_killed_workers() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let before = held();
    for round in 0..200 {
        let [mine, other] = socket_pair().unwrap();
        let mut child = worker(other);
        let connection = guest(mine, if round % 2 == 0 { Spin::Adaptive } else { Spin::Never });
        let mut channel = connection.open().unwrap();
        let process = child.id() as libc::pid_t;
        let why = scope(|threads| {
            let calls = threads.spawn(|| (0..).find_map(|n| call(&mut channel, &vec![1; n * 97 % 40_000]).err()));
            for _ in 0..round * 50 {
                std::thread::yield_now();
            }
            // SAFETY: without pointers; a child of ours that nobody waited for.
            unsafe { libc::kill(process, libc::SIGKILL) };
            calls.join().unwrap()
        });
        assert_eq!(why, Some(Error::Died));
        assert_eq!(connection.accept().err(), Some(Error::Died));
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
    assert_eq!(held(), before);
}

#[test]
fn a_killed_worker_is_learnt_of_and_leaves_nothing() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(STARTED, "").args([
        "--exact",
        "be_alone_with_killed_workers",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

/// The guest of the next test: calls until it is killed.
#[test]
#[ignore = "it is started by the next test"]
fn be_a_guest() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
    let connection = guest(socket, Spin::Adaptive);
    let mut channel = connection.open().unwrap();
    while call(&mut channel, &[1; 30_000]).is_ok() {}
}

#[test]
fn a_killed_guest_is_learnt_of() {
    for round in 0..50 {
        let [mine, other] = socket_pair().unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(STARTED, "").args(["--exact", "be_a_guest", "--ignored", "--nocapture"]);
        let mut child = command.stdin(Stdio::from(other)).stdout(Stdio::null()).spawn().unwrap();
        drop(command);
        let served = Connection::worker(mine, &library(), RINGS, Spin::Adaptive, |guest| {
            if guest.process > 0 { Ok(()) } else { Err("who is that?".to_owned()) }
        });
        let connection = served.unwrap();
        let channel = connection.accept().unwrap();
        let why = scope(|threads| {
            let served = threads.spawn(|| serve(channel));
            (0..round * 20).for_each(|_| std::thread::yield_now());
            child.kill().unwrap();
            served.join().unwrap()
        });
        assert_eq!(why, Error::Died);
        child.wait().unwrap();
    }
}

#[test]
fn others_are_refused_in_words_that_both_have() {
    let mut other_contract = library();
    other_contract.contract = [8; 32];
    let mut other_name = library();
    other_name.name = "subtracter".to_owned();
    let cases = [(other_contract, "contract"), (other_name, "not `subtracter`"), (library(), "not today")];
    for (asks, word) in cases {
        let [mine, other] = socket_pair().unwrap();
        let worker = spawn(move || {
            let policy = |_: &_| if word == "not today" { Err(word.to_owned()) } else { Ok(()) };
            Connection::worker(other, &library(), RINGS, Spin::Never, policy).err()
        });
        let guest = Connection::guest(mine, &asks, RINGS, Spin::Never).err();
        let (Some(ConnectError::Refused(there)), Some(ConnectError::Refused(here))) = (worker.join().unwrap(), guest)
        else {
            panic!("{word}: not refused")
        };
        assert_eq!(here, there);
        assert!(here.contains(word), "{here}");
    }
}

#[test]
fn a_path_is_for_its_owner_and_is_replaced_after_a_kill() {
    let folder = std::env::temp_dir().join(format!("lapis-cx-test-{}", std::process::id()));
    let path = folder.join("socket");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let listener = Listener::bind(&path).unwrap();
    assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
    // Somebody listens.
    assert!(Listener::bind(&path).is_err());
    // As after a kill: the file is there, and nobody listens.
    std::fs::rename(&path, folder.join("kept")).unwrap();
    drop(listener);
    std::fs::rename(folder.join("kept"), &path).unwrap();
    let listener = Listener::bind(&path).unwrap();
    scope(|threads| {
        threads.spawn(|| {
            let socket = listener.accept().unwrap();
            let worker = Connection::worker(socket, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap();
            assert_eq!(serve(worker.accept().unwrap()), Error::Closed);
        });
        let guest = Connection::connect(&path, &library(), RINGS, Spin::Never).unwrap();
        call(&mut guest.open().unwrap(), &[5; 50]).unwrap();
        // The connection stays until the worker has its end.
        while guest.open().is_ok() {
            std::thread::yield_now();
        }
    });
    drop(listener);
    assert!(!path.exists());
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Listener::bind(&path).is_err());
    std::fs::remove_dir(folder).unwrap();
}
