//! A guest and a worker that are two processes: this program again, which is told what to be.
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
    Channel, ConnectError, Connection, Error, Geometry, Library, Listener, Spin, Transport, Wake, socket_pair,
};

const RINGS: Geometry = Geometry { ring: 16384, channels: 8, in_place: 0 };

/// Set for the processes that tests start: others that run all tests have no socket.
const STARTED: &str = "LAPIS_CX_STARTED";

/// Each test does the same over each.
const OVER: [Transport; 2] = [Transport::Shared, Transport::Socket];

fn library() -> Library {
    Library { name: "adder".to_owned(), contract: [7; 32] }
}

/// This program again, as another process: through what this variable names, with its options, if this one runs under an emulator.
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
    connection
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
    for over in OVER {
        let [mine, other] = socket_pair().unwrap();
        let mut child = worker(other);
        let connection = guest(mine, over, RINGS, Spin::Adaptive);
        assert_eq!(connection.geometry(), RINGS);
        // More than there are at a time: what was closed is used again, once the worker has closed it too.
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
fn threads_come_and_go_and_call() {
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
fn a_channel_that_the_other_side_still_has_is_waited_for() {
    for over in OVER {
        let [mine, other] = socket_pair().unwrap();
        let worker =
            spawn(move || Connection::worker_over(&[over], other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
        let guest = guest(mine, over, Geometry { channels: 2, ..RINGS }, Spin::Never);
        let worker = worker.join().unwrap();
        let held = guest.open().unwrap();
        // It is in use here: nobody can be waited for.
        assert_eq!(guest.open().err(), Some(Error::System(libc::EMFILE)));
        let theirs = worker.accept().unwrap();
        drop(held);
        scope(|threads| {
            let opened = threads.spawn(|| guest.open());
            drop(theirs);
            let mut opened = opened.join().unwrap().unwrap();
            let mut again = worker.accept().unwrap();
            opened.sender.record(1).commit(Wake::Now).unwrap();
            assert_eq!(again.receiver.next().unwrap().kind(), 1);
            // And who waits in vain is told of the end.
            drop(opened);
            let opened = threads.spawn(|| guest.open().err());
            drop(worker);
            assert_eq!(opened.join().unwrap(), Some(Error::Died));
            drop(again);
        });
    }
}

#[test]
fn both_sides_open_channels() {
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
                // What was sent before it was closed is received.
                drop(mine);
                let mut other = accepts.accept().unwrap();
                assert_eq!(other.receiver.next().unwrap().kind(), 5);
                assert_eq!(other.receiver.next().err(), Some(Error::Closed));
            }
        }
    }
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
            // In another call each time, and at another moment of it.
            while made.load(Ordering::Relaxed) < round % 200 / 2 {
                std::thread::yield_now();
            }
            (0..round % 7 * 100).for_each(|_| std::hint::spin_loop());
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

/// The guest of the next test: calls until it is killed.
#[test]
#[ignore = "it is started by the next test"]
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
fn a_killed_guest_is_learnt_of() {
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
fn a_transport_is_one_that_both_take() {
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
fn what_is_no_hello_is_refused() {
    let version = 2u32.to_le_bytes();
    let hello = |bytes: usize| [b"LAPISCX?".as_slice(), &version, &vec![0; bytes]].concat();
    for said in [hello(0), hello(10), hello(19), hello(20), hello(100), hello(115), hello(117), vec![7; 300], vec![1]] {
        let [mine, other] = socket_pair().unwrap();
        // SAFETY: so many bytes.
        let sent = unsafe {
            libc::send(std::os::fd::AsRawFd::as_raw_fd(&mine), said.as_ptr().cast(), said.len(), libc::MSG_NOSIGNAL)
        };
        assert_eq!(sent, said.len() as isize);
        let served = Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(()));
        assert!(matches!(served.err(), Some(ConnectError::Refused(_))), "{} bytes", said.len());
    }
}

#[test]
fn listeners_that_start_at_once_on_a_stale_socket_leave_one_that_serves() {
    let folder = std::env::temp_dir().join(format!("lapis-cx-race-{}", std::process::id()));
    let path = folder.join("socket");
    for round in 0..40 {
        if round % 2 == 0 {
            // As after a kill: the file is there, and nobody listens.
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
            // The others connected too, to see whether somebody listens.
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
fn a_path_is_for_its_owner_and_is_replaced_after_a_kill() {
    let folder = std::env::temp_dir().join(format!("lapis-cx-test-{}", std::process::id()));
    let path = folder.join("socket");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let listener = Listener::bind(&path).unwrap();
    assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
    // Somebody listens.
    assert!(Listener::bind(&path).is_err());
    // What is no socket is not replaced.
    std::fs::write(folder.join("text"), "kept").unwrap();
    assert!(Listener::bind(&folder.join("text")).is_err());
    assert_eq!(std::fs::read_to_string(folder.join("text")).unwrap(), "kept");
    std::fs::remove_file(folder.join("text")).unwrap();
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
