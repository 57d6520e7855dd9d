//! A peer that says whatever it likes on the control socket.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::thread::spawn;

use super::connection::{CLOSE, FILE, OPEN, RECEIVER_GONE, SENDER_GONE, message};
use super::hello::{Hello, Transports};
use super::link::Link;
use super::*;
use crate::transport::{Error, Geometry, ProtocolError, Spin, Transport, Wake};

const RINGS: Geometry = Geometry { ring: 4096, channels: 4, room: 4096 };

fn library() -> Library {
    Library { name: "adder".to_owned(), contract: [7; 32] }
}

/// A worker, and the socket of its guest: who is this test.
fn guest_of(over: Transport) -> (Link, Connection) {
    let [mine, other] = socket_pair().unwrap();
    let worker = spawn(move || Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
    let link = Link::new(mine, None);
    link.send(&Hello::new(&library(), RINGS, Transports::new(&[over])).ask(), None).unwrap();
    let (welcome, file) = link.receive().unwrap();
    assert!(Hello::answered(&welcome).is_ok());
    assert_eq!(file.is_some(), over == Transport::Shared);
    let worker = worker.join().unwrap();
    // In shared memory the first channel is open from the start.
    if over == Transport::Shared {
        drop(worker.accept().unwrap());
        assert_eq!(link.receive().unwrap().0, message(CLOSE, 0));
    }
    (link, worker)
}

fn null() -> OwnedFd {
    std::fs::File::open("/dev/null").unwrap().into()
}

#[test]
fn messages_without_meaning_end_the_connection() {
    use Transport::{Shared, Socket};
    let faults: [(Transport, Vec<u8>, Option<OwnedFd>); 10] = [
        (Shared, vec![9], None),
        (Shared, vec![7; 1024], None),
        (Shared, message(7, 0).to_vec(), None),
        (Shared, message(OPEN, 4).to_vec(), None),
        // The first file has another number.
        (Shared, message(FILE, 1).to_vec(), Some(null())),
        // That one is the worker's to open.
        (Shared, message(OPEN, 1).to_vec(), None),
        (Shared, message(SENDER_GONE, 0).to_vec(), None),
        (Socket, message(OPEN, u32::MAX).to_vec(), None),
        (Socket, message(OPEN, 0).to_vec(), Some(null())),
        // It keeps messages apart.
        (Socket, message(OPEN, 0).to_vec(), Some(socket_pair().unwrap().into_iter().next().unwrap())),
    ];
    for (over, said, file) in faults {
        let (link, worker) = guest_of(over);
        link.send(&said, file.as_ref().map(AsFd::as_fd)).unwrap();
        assert_eq!(worker.accept().err(), Some(Error::Protocol(ProtocolError::Message)), "{over:?} {said:?}");
    }
    for over in [Shared, Socket] {
        let (link, worker) = guest_of(over);
        for _ in 0..2 {
            let [_mine, theirs] = stream_pair().unwrap();
            link.send(&message(OPEN, 2), Some(theirs.as_fd())).unwrap();
        }
        let held = worker.accept();
        assert_eq!(worker.accept().err(), Some(Error::Protocol(ProtocolError::Message)));
        drop(held);
    }
}

#[test]
fn messages_out_of_turn_harm_nobody() {
    let (link, worker) = guest_of(Transport::Socket);
    for what in [CLOSE, SENDER_GONE, RECEIVER_GONE] {
        (0..4).for_each(|index| link.send(&message(what, index), None).unwrap());
    }
    // As if there was no file left for it: that channel is closed, the connection stays.
    link.send(&message(OPEN, 0), None).unwrap();
    assert_eq!(link.receive().unwrap().0, message(CLOSE, 0));
    let [mine, theirs] = stream_pair().unwrap();
    link.send(&message(OPEN, 0), Some(theirs.as_fd())).unwrap();
    let mut channel = worker.accept().unwrap();
    channel.sender.record(3).commit(Wake::Now).unwrap();
    // Closed and opened again while the worker still has the old one.
    link.send(&message(CLOSE, 0), None).unwrap();
    link.send(&message(SENDER_GONE, 0), None).unwrap();
    assert_eq!(channel.receiver.next().err(), Some(Error::Closed));
    link.send(&message(OPEN, 0), Some(theirs.as_fd())).unwrap();
    assert_eq!(worker.accept().err(), Some(Error::Protocol(ProtocolError::Message)));
    drop((mine, channel));
}

#[test]
fn a_worker_that_gives_what_was_not_asked_for_is_refused() {
    use Transport::{Shared, Socket};
    let more = [
        Geometry { ring: 8192, ..RINGS },
        Geometry { channels: 5, ..RINGS },
        Geometry { ring: 1, ..RINGS },
        Geometry { room: 8192, ..RINGS },
        Geometry { room: 2048, ..RINGS },
        Geometry { room: u32::MAX, ..RINGS },
    ];
    let cases = more.map(|geometry| (vec![Socket], geometry)).into_iter();
    let cases = cases.chain([(vec![Shared], RINGS), (vec![Shared, Socket], RINGS), (vec![], RINGS)]);
    for (transports, geometry) in cases {
        let [mine, other] = socket_pair().unwrap();
        let link = Link::new(other, None);
        let answered = spawn(move || {
            link.receive().unwrap();
            let welcome = Hello::new(&library(), geometry, Transports::new(&transports)).welcome();
            link.send(&welcome, Some(null().as_fd())).unwrap();
            link
        });
        let guest = Connection::guest_over(&[Socket], mine, &library(), RINGS, Spin::Never);
        assert!(
            matches!(guest.err(), Some(ConnectError::System(why)) if why.kind() == std::io::ErrorKind::InvalidData)
        );
        drop(answered.join().unwrap());
    }
}

#[test]
fn a_greeting_is_waited_for_no_longer_than_was_said() {
    let little = Some(std::time::Duration::from_millis(1));
    let is_late = |end: Result<Connection, ConnectError>| matches!(end, Err(ConnectError::System(why)) if why.kind() == std::io::ErrorKind::TimedOut);
    let [mine, _silent] = socket_pair().unwrap();
    assert!(is_late(Connection::worker_within(little, mine, &library(), RINGS, Spin::Never, |_| Ok(()))));
    let [mine, _silent] = socket_pair().unwrap();
    assert!(is_late(Connection::guest_within(little, mine, &library(), RINGS, Spin::Never)));
}

/// A guest that has closed no channel has none left that the worker could open.
#[test]
fn a_channel_is_waited_for_no_longer_than_was_said() {
    let (_silent, worker) = guest_of(Transport::Shared);
    worker.set_timeout(Some(std::time::Duration::from_millis(1)), None);
    // It drops them, and the guest does not say that it did too.
    let ends: Vec<_> = (0..3).map(|_| worker.open().map(drop)).collect();
    assert_eq!(ends, [Ok(()), Ok(()), Err(Error::Silent)]);
}

/// Who has a copy of a socket can make its calls wait or not, and take what comes.
#[test]
fn what_a_copy_of_the_socket_is_set_to_does_not_matter() {
    let [mine, other] = socket_pair().unwrap();
    let copy = other.try_clone().unwrap();
    // SAFETY: without pointers.
    unsafe { libc::fcntl(copy.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    let worker = spawn(move || Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
    let guest = Connection::guest(mine, &library(), RINGS, Spin::Never).unwrap();
    let mut asks = guest.open().unwrap();
    asks.sender.record(3).commit(Wake::Now).unwrap();
    let mut answers = worker.join().unwrap().accept().unwrap();
    assert_eq!(answers.receiver.next().unwrap().kind(), 3);
}
