//! Tests with a peer that sends invalid or misplaced messages on the control socket.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::thread::spawn;

use super::connection::{CLOSE, FILE, OPEN, RECEIVER_CLOSED, SENDER_CLOSED, message};
use super::hello::{Hello, Transports};
use super::link::Link;
use super::*;
use crate::transport::{Error, Geometry, ProtocolError, Spin, Transport, Wake};

const RINGS: Geometry = Geometry { ring: 4096, channels: 4, in_place: 4096 };

fn library() -> Library {
    Library { name: "adder".to_owned(), contract: [7; 32] }
}

/// Makes a worker and the socket of its guest, which this test plays.
fn guest_of(over: Transport) -> (Link, Connection) {
    let [mine, other] = socket_pair().unwrap();
    let worker = spawn(move || Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
    let link = Link::new(mine, None);
    link.send(&Hello::new(&library(), RINGS, Transports::new(&[over])).encode_request(), None).unwrap();
    let (welcome, file) = link.receive().unwrap();
    assert!(Hello::decode_reply(&welcome).is_ok());
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
fn control_invalid_message_ends_connection() {
    use Transport::{Shared, Socket};
    let faults: [(Transport, Vec<u8>, Option<OwnedFd>); 10] = [
        (Shared, vec![9], None),
        (Shared, vec![7; 1024], None),
        (Shared, message(7, 0).to_vec(), None),
        (Shared, message(OPEN, 4).to_vec(), None),
        // The first file must have number 0.
        (Shared, message(FILE, 1).to_vec(), Some(null())),
        // The worker opens odd channels.
        (Shared, message(OPEN, 1).to_vec(), None),
        (Shared, message(SENDER_CLOSED, 0).to_vec(), None),
        (Socket, message(OPEN, u32::MAX).to_vec(), None),
        (Socket, message(OPEN, 0).to_vec(), Some(null())),
        // A SOCK_SEQPACKET socket instead of a stream.
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
fn control_unexpected_close_messages_are_ignored() {
    let (link, worker) = guest_of(Transport::Socket);
    for what in [CLOSE, SENDER_CLOSED, RECEIVER_CLOSED] {
        (0..4).for_each(|index| link.send(&message(what, index), None).unwrap());
    }
    // Without a file, as if no descriptor was free: the worker closes that channel and keeps the connection.
    link.send(&message(OPEN, 0), None).unwrap();
    assert_eq!(link.receive().unwrap().0, message(CLOSE, 0));
    let [mine, theirs] = stream_pair().unwrap();
    link.send(&message(OPEN, 0), Some(theirs.as_fd())).unwrap();
    let mut channel = worker.accept().unwrap();
    channel.sender.record(3).commit(Wake::Now).unwrap();
    // The guest closes the channel and opens it again while the worker still has the old one.
    link.send(&message(CLOSE, 0), None).unwrap();
    link.send(&message(SENDER_CLOSED, 0), None).unwrap();
    assert_eq!(channel.receiver.next().err(), Some(Error::Closed));
    link.send(&message(OPEN, 0), Some(theirs.as_fd())).unwrap();
    assert_eq!(worker.accept().err(), Some(Error::Protocol(ProtocolError::Message)));
    drop((mine, channel));
}

#[test]
fn handshake_grant_beyond_request_is_rejected() {
    use Transport::{Shared, Socket};
    let more = [
        Geometry { ring: 8192, ..RINGS },
        Geometry { channels: 5, ..RINGS },
        Geometry { ring: 1, ..RINGS },
        Geometry { in_place: 8192, ..RINGS },
        Geometry { in_place: 2048, ..RINGS },
        Geometry { in_place: u32::MAX, ..RINGS },
    ];
    let cases = more.map(|geometry| (vec![Socket], geometry)).into_iter();
    let cases = cases.chain([(vec![Shared], RINGS), (vec![Shared, Socket], RINGS), (vec![], RINGS)]);
    for (transports, geometry) in cases {
        let [mine, other] = socket_pair().unwrap();
        let link = Link::new(other, None);
        let answered = spawn(move || {
            link.receive().unwrap();
            let welcome = Hello::new(&library(), geometry, Transports::new(&transports)).encode_welcome();
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
fn handshake_silent_peer_times_out() {
    let short = Some(std::time::Duration::from_millis(1));
    let is_late = |end: Result<Connection, ConnectError>| matches!(end, Err(ConnectError::System(why)) if why.kind() == std::io::ErrorKind::TimedOut);
    let [mine, _silent] = socket_pair().unwrap();
    assert!(is_late(Connection::worker_within(short, mine, &library(), RINGS, Spin::Never, |_| Ok(()))));
    let [mine, _silent] = socket_pair().unwrap();
    assert!(is_late(Connection::guest_within(short, mine, &library(), RINGS, Spin::Never)));
}

/// A guest that closes no channel leaves none for the worker to open.
#[test]
fn open_without_free_channel_times_out() {
    let (_silent, worker) = guest_of(Transport::Shared);
    worker.set_timeout(Some(std::time::Duration::from_millis(1)), None);
    // The worker drops the channels, but the guest does not report that it did too.
    let ends: Vec<_> = (0..3).map(|_| worker.open().map(drop)).collect();
    assert_eq!(ends, [Ok(()), Ok(()), Err(Error::Silent)]);
}

/// A process with a copy of a socket can set it to non-blocking and read its messages.
#[test]
fn control_socket_set_nonblocking_by_peer_still_works() {
    let [mine, other] = socket_pair().unwrap();
    let copy = other.try_clone().unwrap();
    // SAFETY: F_SETFL takes no pointers.
    unsafe { libc::fcntl(copy.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    let worker = spawn(move || Connection::worker(other, &library(), RINGS, Spin::Never, |_| Ok(())).unwrap());
    let guest = Connection::guest(mine, &library(), RINGS, Spin::Never).unwrap();
    let mut asks = guest.open().unwrap();
    asks.sender.record(3).commit(Wake::Now).unwrap();
    let mut answers = worker.join().unwrap().accept().unwrap();
    assert_eq!(answers.receiver.next().unwrap().kind(), 3);
}
