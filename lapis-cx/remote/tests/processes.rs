//! Tests with guest and worker in two processes. Each test starts this program again as the other process.
#![cfg(not(loom))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{scope, spawn};

use lapis_cx_remote::{
    Capabilities, Channel, ConnectError, Connection, Error, Geometry, Library, Listener, Spin, Transport, Wake,
    socket_pair,
};

const RINGS: Geometry = Geometry { ring: 16384, channels: 8, in_place: 0 };

/// Set in processes that tests start. Without it, the tests that play the other process return at once.
const STARTED: &str = "LAPIS_CX_STARTED";

/// The transports that each test covers.
const OVER: [Transport; 2] = [Transport::Shared, Transport::Socket];

fn library() -> Library {
    Library { name: "adder".to_owned(), contract: [7; 32] }
}

/// Returns a command that runs this program again. `LAPIS_CX_RUNNER` names the emulator to run it with, if any, and its options.
fn this_program() -> Command {
    let program = std::env::current_exe().unwrap();
    let runner = std::env::var("LAPIS_CX_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(first) = words.next() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(words).arg(program);
    command
}

/// Starts a worker whose standard input is its socket.
fn worker(socket: OwnedFd) -> Child {
    let mut command = this_program();
    command.env(STARTED, "").args(["--exact", "be_a_worker", "--ignored", "--nocapture"]);
    command.stdin(Stdio::from(socket)).stdout(Stdio::null()).spawn().unwrap()
}

fn guest(socket: OwnedFd, over: Transport, geometry: Geometry, spin: Spin) -> Connection {
    let connection = Connection::guest_over(&[over], socket, &library(), geometry, spin).unwrap();
    assert_eq!(connection.transport(), over);
    let Capabilities { shares_memory, passes_files, reports_death } = connection.capabilities();
    assert_eq!((shares_memory, passes_files, reports_death), (over == Transport::Shared, true, true));
    connection
}

/// Sends the bytes of each record back.
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

/// The worker process of these tests.
#[test]
#[ignore = "started by other tests"]
fn be_a_worker() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
    let null = std::fs::File::open("/dev/null").unwrap();
    // SAFETY: both descriptors are open. Standard input must not keep the socket open.
    unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&null), 0) };
    let connection = Connection::worker(socket, &library(), Geometry::default(), Spin::Adaptive, |_| Ok(())).unwrap();
    while let Ok(channel) = connection.accept() {
        spawn(move || serve(channel));
    }
}

#[test]
fn threads_call_over_separate_channels() {
    for over in OVER {
        let [mine, other] = socket_pair().unwrap();
        let mut child = worker(other);
        let connection = guest(mine, over, RINGS, Spin::Adaptive);
        assert_eq!(connection.geometry(), RINGS);
        // More channels than the connection has: closed ones are reused after the worker closed them too.
        for round in 0..20u8 {
            scope(|threads| {
                for n in 0..2 {
                    let connection = &connection;
                    threads.spawn(move || {
                        let mut channel = connection.open().unwrap();
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
}

#[test]
fn short_threads_make_calls() {
    for over in OVER {
        let [mine, other] = socket_pair().unwrap();
        let mut child = worker(other);
        let connection = guest(mine, over, Geometry::default(), Spin::Adaptive);
        for _ in 0..10 {
            scope(|threads| {
                for n in 0..8 {
                    let connection = &connection;
                    threads.spawn(move || {
                        let mut channel = connection.open().unwrap();
                        for _ in 0..2000 {
                            call(&mut channel, &[n; 16]).unwrap();
                        }
                    });
                }
            });
        }
        drop(connection);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn open_waits_for_channel_that_peer_still_uses() {
    for over in OVER {
        let [mine, other] = socket_pair().unwrap();
        let worker =
            spawn(move || Connection::worker_over(&[over], other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
        let guest = guest(mine, over, Geometry { channels: 2, ..RINGS }, Spin::Never);
        let worker = worker.join().unwrap();
        let first = guest.open().unwrap();
        // This side has the only channel, so waiting would be useless.
        assert_eq!(guest.open().err(), Some(Error::System(libc::EMFILE)));
        let theirs = worker.accept().unwrap();
        drop(first);
        scope(|threads| {
            let opened = threads.spawn(|| guest.open());
            drop(theirs);
            let mut opened = opened.join().unwrap().unwrap();
            let mut again = worker.accept().unwrap();
            opened.sender.record(1).commit(Wake::Now).unwrap();
            assert_eq!(again.receiver.next().unwrap().kind(), 1);
            // A thread that waits for a channel learns that the connection ended.
            drop(opened);
            let opened = threads.spawn(|| guest.open().err());
            drop(worker);
            assert_eq!(opened.join().unwrap(), Some(Error::Died));
            drop(again);
        });
    }
}

#[test]
fn guest_and_worker_open_channels() {
    for over in OVER {
        let [mine, other] = socket_pair().unwrap();
        let worker = spawn(move || Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
        let guest = guest(mine, over, RINGS, Spin::Never);
        let worker = worker.join().unwrap();
        assert_eq!(worker.transport(), over);
        for _ in 0..30 {
            for [opens, accepts] in [[&guest, &worker], [&worker, &guest]] {
                let mut mine = opens.open().unwrap();
                mine.sender.record(5).commit(Wake::Later).unwrap();
                // Records that were sent before the close are received.
                drop(mine);
                let mut other = accepts.accept().unwrap();
                assert_eq!(other.receiver.next().unwrap().kind(), 5);
                assert_eq!(other.receiver.next().err(), Some(Error::Closed));
            }
        }
    }
}

/// Returns the number of open descriptors and of threads of this process.
fn open_resources() -> (usize, usize) {
    let count = |folder| std::fs::read_dir(folder).unwrap().count();
    (count("/proc/self/fd"), count("/proc/self/task"))
}

#[test]
#[ignore = "counts descriptors and threads, so the test below starts it alone"]
fn be_alone_with_killed_workers() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let before = open_resources();
    for round in 0..250 {
        let over = if round < 200 { Transport::Shared } else { Transport::Socket };
        let [mine, other] = socket_pair().unwrap();
        let mut child = worker(other);
        let connection = guest(mine, over, RINGS, if round % 2 == 0 { Spin::Adaptive } else { Spin::Never });
        let mut channel = connection.open().unwrap();
        let process = child.id() as libc::pid_t;
        let made = AtomicUsize::new(0);
        let why = scope(|threads| {
            let calls = threads.spawn(|| {
                (0..).find_map(|n| {
                    made.store(n, Ordering::Relaxed);
                    call(&mut channel, &vec![1; n * 97 % 40_000]).err()
                })
            });
            // Kill the worker during a different call in each round, at a different moment.
            while made.load(Ordering::Relaxed) < round % 200 / 2 {
                std::thread::yield_now();
            }
            (0..round % 7 * 100).for_each(|_| std::hint::spin_loop());
            // SAFETY: `kill` takes no pointers, and the child has not been waited for, so its id is still valid.
            unsafe { libc::kill(process, libc::SIGKILL) };
            calls.join().unwrap()
        });
        assert_eq!(why, Some(Error::Died));
        assert_eq!(connection.accept().err(), Some(Error::Died));
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
    assert_eq!(open_resources(), before);
}

#[test]
fn worker_killed_calls_fail_and_nothing_leaks() {
    let mut command = this_program();
    command.env(STARTED, "").args([
        "--exact",
        "be_alone_with_killed_workers",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

/// The guest process of the next test: makes calls until it is killed.
#[test]
#[ignore = "started by the next test"]
fn be_a_guest() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
    let over = if std::env::var(STARTED).unwrap() == "Socket" { Transport::Socket } else { Transport::Shared };
    let connection = guest(socket, over, RINGS, Spin::Adaptive);
    let mut channel = connection.open().unwrap();
    while call(&mut channel, &[1; 30_000]).is_ok() {}
}

#[test]
fn guest_killed_worker_gets_died() {
    for round in 0..70 {
        let over = if round < 50 { Transport::Shared } else { Transport::Socket };
        let [mine, other] = socket_pair().unwrap();
        let mut command = this_program();
        command.env(STARTED, format!("{over:?}")).args(["--exact", "be_a_guest", "--ignored", "--nocapture"]);
        let mut child = command.stdin(Stdio::from(other)).stdout(Stdio::null()).spawn().unwrap();
        drop(command);
        let served = Connection::worker(mine, &library(), RINGS, Spin::Adaptive, |guest| {
            if guest.process > 0 { Ok(()) } else { Err("who is that?".to_owned()) }
        });
        let connection = served.unwrap();
        assert_eq!(connection.transport(), over);
        let channel = connection.accept().unwrap();
        let why = scope(|threads| {
            let served = threads.spawn(|| serve(channel));
            (0..round).for_each(|_| std::thread::yield_now());
            child.kill().unwrap();
            served.join().unwrap()
        });
        assert_eq!(why, Error::Died);
        child.wait().unwrap();
    }
}

#[test]
fn handshake_mismatch_is_reported_to_both_sides() {
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
fn handshake_chooses_a_common_transport() {
    use Transport::{Shared, Socket};
    let both: &[Transport] = &OVER;
    let agreed = |guest: &[Transport], worker: &'static [Transport]| {
        let [mine, other] = socket_pair().unwrap();
        let served = spawn(move || {
            Connection::worker_over(worker, other, &library(), RINGS, Spin::Never, |_| Ok(()))
                .map(|connection| connection.transport())
        });
        let guest = Connection::guest_over(guest, mine, &library(), RINGS, Spin::Never);
        let guest = guest.map(|connection| connection.transport()).map_err(|why| why.to_string());
        assert_eq!(served.join().unwrap().map_err(|why| why.to_string()), guest);
        guest
    };
    for (guest, worker, expected) in [
        (both, &OVER[..], Shared),
        (&[Socket], &OVER, Socket),
        (both, &[Socket], Socket),
        (both, &[Shared], Shared),
        (&[Socket, Shared], &OVER, Shared),
    ] {
        assert_eq!(agreed(guest, worker).as_ref(), Ok(&expected), "{guest:?} {worker:?}");
    }
    let why = agreed(&[Socket], &[Shared]).unwrap_err();
    assert!(why.contains("this worker offers shared memory, the guest sockets"), "{why}");
}

#[test]
fn handshake_malformed_hello_is_refused() {
    let version = 2u32.to_le_bytes();
    let hello = |bytes: usize| [b"LAPISCX?".as_slice(), &version, &vec![0; bytes]].concat();
    for bytes in [hello(0), hello(10), hello(19), hello(20), hello(100), hello(115), hello(117), vec![7; 300], vec![1]]
    {
        let [mine, other] = socket_pair().unwrap();
        // SAFETY: the pointer and length are those of a vector.
        let sent = unsafe {
            libc::send(std::os::fd::AsRawFd::as_raw_fd(&mine), bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL)
        };
        assert_eq!(sent, bytes.len() as isize);
        let served = Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(()));
        assert!(matches!(served.err(), Some(ConnectError::Refused(_))), "{} bytes", bytes.len());
    }
}

#[test]
fn listeners_racing_for_stale_socket_leave_one() {
    let folder = std::env::temp_dir().join(format!("lapis-cx-race-{}", std::process::id()));
    let path = folder.join("socket");
    for round in 0..40 {
        if round % 2 == 0 {
            // The state after a kill: the file exists, and no process listens.
            let killed = Listener::bind(&path).unwrap();
            std::fs::rename(&path, folder.join("kept")).unwrap();
            drop(killed);
            std::fs::rename(folder.join("kept"), &path).unwrap();
        }
        let all = std::sync::Barrier::new(8);
        let mut bound: Vec<Listener> = scope(|threads| {
            let start = || {
                all.wait();
                Listener::bind(&path)
            };
            let started: Vec<_> = (0..8).map(|_| threads.spawn(start)).collect();
            started.into_iter().filter_map(|one| one.join().unwrap().ok()).collect()
        });
        assert_eq!(bound.len(), 1, "round {round}");
        let listener = bound.remove(0);
        scope(|threads| {
            // The other listeners also connected, to check whether a process listens.
            threads.spawn(|| {
                let served = |socket| Connection::worker(socket, &library(), RINGS, Spin::Never, |_| Ok(()));
                while served(listener.accept().unwrap()).is_err() {}
            });
            Connection::connect(&path, &library(), RINGS, Spin::Never).unwrap();
        });
    }
    assert!(!path.exists());
    std::fs::remove_dir(folder).unwrap();
}

#[test]
fn listener_restricts_access_and_replaces_stale_socket() {
    let folder = std::env::temp_dir().join(format!("lapis-cx-test-{}", std::process::id()));
    let path = folder.join("socket");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let listener = Listener::bind(&path).unwrap();
    assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
    // Another listener is active.
    assert!(Listener::bind(&path).is_err());
    // A file that is not a socket is not replaced.
    std::fs::write(folder.join("text"), "kept").unwrap();
    assert!(Listener::bind(&folder.join("text")).is_err());
    assert_eq!(std::fs::read_to_string(folder.join("text")).unwrap(), "kept");
    std::fs::remove_file(folder.join("text")).unwrap();
    // The state after a kill: the file exists, and no process listens.
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
        // Keep the connection until the worker has its end of the channel.
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
