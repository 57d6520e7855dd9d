//! A peer that is slow: it does a little, each time before anybody loses timeout with it, and never enough. It is cut off all the
//! same, and nobody else notices. None of these tests ends if it is not.
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
use crate::transport::header::{LATER, MORE};
use crate::transport::memory::{Geometry, Ring, Segment};
use crate::transport::stream::{Half, Stream};
use crate::transport::{Error, Life, Receiver, Sender, Spin, Wake};

/// How long it is waited for, and how long the peer rests between two times that it does something: much less.
const LIMIT: Option<Duration> = Some(Duration::from_millis(60));
const PAUSE: Duration = Duration::from_millis(1);
const RING: u32 = 4096;
const SPINS: [Spin; 2] = [Spin::Never, Spin::Adaptive];

/// Runs `works` beside a peer that does `a_bit` again and again: what comes of it.
fn beside<T: Send>(works: impl FnOnce() -> T + Send, mut a_bit: impl FnMut()) -> T {
    scope(|threads| {
        let works: ScopedJoinHandle<'_, T> = threads.spawn(works);
        while !works.is_finished() {
            a_bit();
            sleep(PAUSE);
        }
        works.join().unwrap()
    })
}

/// A channel, and the rings of both sides.
fn shared(spin: Spin) -> (Channel, Life, [Ring; 2]) {
    let rings = Segment::new(Geometry { ring: RING, channels: 1, room: 0 }).unwrap().channel(0).unwrap();
    let life = Life::default();
    let mut channel = Channel::new(rings.clone(), Side::A, &life, spin);
    channel.set_timeout(LIMIT, None);
    (channel, life, rings)
}

/// A channel over a socket, and the other end of that. The peer has both: it may have made them.
fn over_a_socket() -> (Channel, Life, UnixStream, OwnedFd) {
    let [mine, other] = stream_pair().unwrap();
    let (copy, life) = (mine.try_clone().unwrap(), Life::default());
    let stream = Arc::new(Stream::new(mine, Box::new(|_: Half| {})).unwrap());
    let mut channel = Channel::over(stream, RING, &life, Spin::Never, None).unwrap();
    channel.set_timeout(LIMIT, None);
    let other = UnixStream::from(other);
    other.set_nonblocking(true).unwrap();
    (channel, life, other, copy)
}

/// The peer makes calls of this socket wait for ever.
fn waits_for_ever(socket: &OwnedFd) {
    let time = libc::timeval { tv_sec: 0, tv_usec: 0 };
    for name in [libc::SO_RCVTIMEO, libc::SO_SNDTIMEO] {
        let (size, time) = (size_of_val(&time) as libc::socklen_t, (&raw const time).cast());
        // SAFETY: a time.
        assert_eq!(unsafe { libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, time, size) }, 0);
    }
}

/// A record that has no end.
fn receives(from: &mut Receiver) -> Error {
    from.next().and_then(|mut reader| reader.get(&mut vec![0; 1 << 20])).unwrap_err()
}

/// The same, none of which is wanted.
fn skips(from: &mut Receiver) -> Error {
    from.next().map(drop).and_then(|()| from.next().map(drop)).unwrap_err()
}

fn sends(to: &mut Sender) -> Error {
    let mut writer = to.record(1);
    writer.put(&vec![7; 8 << 20]);
    writer.commit(Wake::Now).unwrap_err()
}

#[test]
fn who_sends_a_byte_now_and_then() {
    for spin in SPINS {
        for receives in [receives, skips] {
            let (mut channel, _life, [_, other]) = shared(spin);
            let mut at = 0;
            let a_bit = || {
                // Not over what was not read: the receiver tells that in quarters of the ring.
                if at - (other.consumed().load(Ordering::Relaxed) as usize) < RING as usize / 2 {
                    let later = if at == 0 { 0 } else { LATER };
                    other.word(at + 16).store(0, Ordering::Relaxed);
                    other.word(at).store(1 << 63 | MORE | later | 1 << 32, Ordering::Release);
                    crate::transport::wait::wake(other.receiver());
                    at += 16;
                }
            };
            assert_eq!(beside(|| receives(&mut channel.receiver), a_bit), Error::Silent);
            assert!(at > 0);
        }
    }
}

#[test]
fn who_sends_a_byte_now_and_then_over_a_socket() {
    for receives in [receives, skips] {
        let (mut channel, _life, mut other, copy) = over_a_socket();
        let part = |later: u64| [&(1 << 63 | MORE | later | 1024 << 32).to_ne_bytes()[..], &[7; 1024]].concat();
        let mut record = part(0).into_iter().chain(std::iter::repeat_with(|| part(LATER)).flatten());
        let a_bit = || {
            waits_for_ever(&copy);
            other.write_all(&[record.next().unwrap()]).unwrap();
        };
        assert_eq!(beside(|| receives(&mut channel.receiver), a_bit), Error::Silent);
    }
}

#[test]
fn who_takes_a_byte_now_and_then() {
    for spin in SPINS {
        let (mut channel, _life, [mine, _]) = shared(spin);
        let mut read = 0;
        let a_bit = || {
            // As much as there is room for one word of the record.
            if mine.word(read).load(Ordering::Acquire) != 0 || read % 1032 != 0 {
                read += 8;
                mine.consumed().store(read as u64, Ordering::Release);
                crate::transport::wait::wake(mine.sender());
            }
        };
        assert_eq!(beside(|| sends(&mut channel.sender), a_bit), Error::Silent);
    }
}

#[test]
fn who_takes_a_byte_now_and_then_over_a_socket() {
    let (mut channel, _life, mut other, copy) = over_a_socket();
    let a_bit = || {
        waits_for_ever(&copy);
        let _ = other.read(&mut [0]);
    };
    assert_eq!(beside(|| sends(&mut channel.sender), a_bit), Error::Silent);
}

/// An answer that is smaller than the ring: that it was not taken shows with the next record, or with the next wait for one.
#[test]
fn who_takes_no_answer_over_a_socket() {
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

/// Who waits for room learns that the other end was dropped, though it still has the socket.
#[test]
fn who_wants_no_more_is_not_waited_for() {
    let [mine, _other] = stream_pair().unwrap();
    let (stream, life) = (Arc::new(Stream::new(mine, Box::new(|_: Half| {})).unwrap()), Life::default());
    let mut channel = Channel::over(Arc::clone(&stream), RING, &life, Spin::Never, None).unwrap();
    let told = scope(|threads| {
        let sends = threads.spawn(|| sends(&mut channel.sender));
        stream.set_gone(Half::Receiver);
        sends.join().unwrap()
    });
    assert_eq!(told, Error::Closed);
}
