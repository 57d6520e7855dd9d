//! Tests with a peer that makes a little progress before each wait ends, but never enough. The timeout must end the wait nevertheless. If
//! it does not, the test hangs.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{ScopedJoinHandle, scope, sleep};
use std::time::Duration;

use crate::transport::channel::{Channel, Side};
use crate::transport::control::stream_pair;
use crate::transport::header::{MORE, NOT_FIRST};
use crate::transport::memory::{Geometry, Ring, Segment};
use crate::transport::stream::{Half, Stream};
use crate::transport::{Error, Life, Receiver, Sender, Spin, Wake};

/// The timeout, and the much shorter pause of the peer between two steps.
const LIMIT: Option<Duration> = Some(Duration::from_millis(60));
const PAUSE: Duration = Duration::from_millis(1);
const RING: u32 = 4096;
const SPINS: [Spin; 2] = [Spin::Never, Spin::Adaptive];

/// Runs `work` while a peer runs `step` repeatedly, and returns the result of `work`.
fn beside<T: Send>(work: impl FnOnce() -> T + Send, mut step: impl FnMut()) -> T {
    scope(|threads| {
        let thread: ScopedJoinHandle<'_, T> = threads.spawn(work);
        while !thread.is_finished() {
            step();
            sleep(PAUSE);
        }
        thread.join().unwrap()
    })
}

/// Makes a channel, and the rings of both sides.
fn shared(spin: Spin) -> (Channel, Life, [Ring; 2]) {
    let rings = Segment::new(Geometry { ring: RING, channels: 1, in_place: 0 }).unwrap().channel(0).unwrap();
    let life = Life::default();
    let mut channel = Channel::new(rings.clone(), Side::A, &life, spin);
    channel.set_timeout(LIMIT, None);
    (channel, life, rings)
}

/// Makes a channel over a socket, the peer's end of the socket, and a duplicate of this end: the peer may have created both.
fn over_a_socket() -> (Channel, Life, UnixStream, OwnedFd) {
    let [own, other] = stream_pair().unwrap();
    let (copy, life) = (own.try_clone().unwrap(), Life::default());
    let stream = Arc::new(Stream::new(own, Box::new(|_: Half| {})).unwrap());
    let mut channel = Channel::over(stream, RING, &life, Spin::Never, None).unwrap();
    channel.set_timeout(LIMIT, None);
    let other = UnixStream::from(other);
    other.set_nonblocking(true).unwrap();
    (channel, life, other, copy)
}

/// Removes the timeouts of a socket, as the peer may do.
fn remove_timeouts(socket: &OwnedFd) {
    let time = libc::timeval { tv_sec: 0, tv_usec: 0 };
    for name in [libc::SO_RCVTIMEO, libc::SO_SNDTIMEO] {
        let (size, time) = (size_of_val(&time) as libc::socklen_t, (&raw const time).cast());
        // SAFETY: `time` points to a local of `size` bytes.
        assert_eq!(unsafe { libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, time, size) }, 0);
    }
}

/// Reads a record that never ends.
fn receives(from: &mut Receiver) -> Error {
    from.next().and_then(|mut reader| reader.get(&mut vec![0; 1 << 20])).unwrap_err()
}

/// Skips a record that never ends.
fn skips(from: &mut Receiver) -> Error {
    from.next().map(drop).and_then(|()| from.next().map(drop)).unwrap_err()
}

fn sends(to: &mut Sender) -> Error {
    let mut writer = to.record(1);
    writer.put(&vec![7; 8 << 20]);
    writer.commit(Wake::Now).unwrap_err()
}

#[test]
fn ring_slow_sender_times_out() {
    for spin in SPINS {
        for receives in [receives, skips] {
            let (mut channel, _life, [_, other]) = shared(spin);
            let mut at = 0;
            let step = || {
                // Do not overwrite unread bytes: the receiver publishes its position in steps of a quarter of the ring.
                if at - (other.consumed().load(Ordering::Relaxed) as usize) < RING as usize / 2 {
                    let later = if at == 0 { 0 } else { NOT_FIRST };
                    other.word(at + 16).store(0, Ordering::Relaxed);
                    other.word(at).store(1 << 63 | MORE | later | 1 << 32, Ordering::Release);
                    crate::transport::wait::wake(other.receiver());
                    at += 16;
                }
            };
            assert_eq!(beside(|| receives(&mut channel.receiver), step), Error::Silent);
            assert!(at > 0);
        }
    }
}

#[test]
fn socket_slow_sender_times_out() {
    for receives in [receives, skips] {
        let (mut channel, _life, mut other, copy) = over_a_socket();
        let part = |later: u64| [&(1 << 63 | MORE | later | 1024 << 32).to_ne_bytes()[..], &[7; 1024]].concat();
        let mut record = part(0).into_iter().chain(std::iter::repeat_with(|| part(NOT_FIRST)).flatten());
        let step = || {
            remove_timeouts(&copy);
            other.write_all(&[record.next().unwrap()]).unwrap();
        };
        assert_eq!(beside(|| receives(&mut channel.receiver), step), Error::Silent);
    }
}

#[test]
fn ring_slow_receiver_times_out() {
    for spin in SPINS {
        let (mut channel, _life, [own, _]) = shared(spin);
        let mut read = 0;
        let step = || {
            // Frees space for one word of the record.
            if own.word(read).load(Ordering::Acquire) != 0 || read % 1032 != 0 {
                read += 8;
                own.consumed().store(read as u64, Ordering::Release);
                crate::transport::wait::wake(own.sender());
            }
        };
        assert_eq!(beside(|| sends(&mut channel.sender), step), Error::Silent);
    }
}

#[test]
fn socket_slow_receiver_times_out() {
    let (mut channel, _life, mut other, copy) = over_a_socket();
    let step = || {
        remove_timeouts(&copy);
        let _ = other.read(&mut [0]);
    };
    assert_eq!(beside(|| sends(&mut channel.sender), step), Error::Silent);
}

/// A reply is smaller than the ring, so the error shows with the next record, or with the next wait for one.
#[test]
fn socket_unread_reply_fails_next_record_or_wait() {
    let (mut channel, _life, _other, _copy) = over_a_socket();
    let why = loop {
        let mut writer = channel.sender.record(1);
        writer.put(&[7; 512]);
        if let Err(why) = writer.commit(Wake::Now) {
            break why;
        }
    };
    assert_eq!((why, channel.receiver.next().err()), (Error::Silent, Some(Error::Silent)));
}

/// The sender learns that the peer dropped its end, though the peer still has the socket.
#[test]
fn socket_closed_receiver_ends_wait_for_space() {
    let [own, _other] = stream_pair().unwrap();
    let (stream, life) = (Arc::new(Stream::new(own, Box::new(|_: Half| {})).unwrap()), Life::default());
    let mut channel = Channel::over(Arc::clone(&stream), RING, &life, Spin::Never, None).unwrap();
    let error = scope(|threads| {
        let sends = threads.spawn(|| sends(&mut channel.sender));
        stream.set_closed(Half::Receiver);
        sends.join().unwrap()
    });
    assert_eq!(error, Error::Closed);
}
