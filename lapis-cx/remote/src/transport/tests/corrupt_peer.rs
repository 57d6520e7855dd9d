//! A peer that writes whatever it likes, whenever it likes, into what both share: nothing panics, nothing is touched that is not the
//! ring's, and everything that waits can be ended.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;
use std::time::Duration;

use crate::transport::channel::{Channel, Side};
use crate::transport::control::stream_pair;
use crate::transport::memory::{Geometry, Ring, Segment};
use crate::transport::stream::{Half, Stream};
use crate::transport::{Error, Life, ProtocolError, Receiver, Sender, Spin, Wake};

/// Numbers that look random.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Words as a ring has them, nearly.
    fn word(&mut self) -> u64 {
        let (size, kind) = (self.next() % 5000, self.next() % 3);
        match self.next() % 8 {
            0 => self.next(),
            1 => 0,
            2 => u64::MAX,
            flags => 1 << 63 | (flags & 3) << 61 | (self.next() & 1) << 60 | size << 32 | kind,
        }
    }
}

fn made(spin: Spin) -> (Channel, Life, [Ring; 2]) {
    let rings = Segment::new(Geometry { ring: 4096, channels: 1, room: 0 }).unwrap().channel(0).unwrap();
    let life = Life::default();
    (Channel::new(rings.clone(), Side::A, &life, spin), life, rings)
}

fn receive_all(from: &mut Receiver) -> Error {
    let mut bytes = [0; 700];
    loop {
        match from.next() {
            Err(why) => return why,
            Ok(mut reader) => {
                let _ = reader.get_u64().and_then(|_| reader.get(&mut bytes)).and_then(|()| reader.skip(10));
            }
        }
    }
}

fn send_all(to: &mut Sender) -> Error {
    for n in 0.. {
        let mut writer = to.record(n);
        writer.put_u64(1);
        writer.put(&[7; 3000][..n as usize % 3000]);
        if let Err(why) = writer.commit(if n % 2 == 0 { Wake::Now } else { Wake::Later }) {
            return why;
        }
    }
    Error::End
}

#[test]
fn a_peer_that_changes_everything_at_any_time() {
    for seed in 1..40 {
        let spin = if seed % 2 == 0 { Spin::Never } else { Spin::Adaptive };
        let (mut channel, life, rings) = made(spin);
        scope(|threads| {
            let Channel { sender, receiver, .. } = &mut channel;
            let receives = threads.spawn(|| receive_all(receiver));
            let sends = threads.spawn(|| send_all(sender));
            let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
            for _ in 0..20_000 {
                let [mine, other] = &rings;
                let (word, at) = (random.word(), random.next() as usize);
                match random.next() % 12 {
                    0 => mine.consumed().store(word >> (random.next() % 64), Ordering::Relaxed),
                    1 => mine
                        .consumed()
                        .store(mine.consumed().load(Ordering::Relaxed).wrapping_add(64), Ordering::Relaxed),
                    2 => mine.sender().asleep.store(word as u32 & 1, Ordering::Relaxed),
                    3 => other.receiver().asleep.store(word as u32, Ordering::Relaxed),
                    4 => other.sender().cpu.store(word as u32, Ordering::Relaxed),
                    5 => mine.receiver().heavy.store(word as u32, Ordering::Relaxed),
                    _ => other.word(at % 4096).store(word, Ordering::Relaxed),
                }
            }
            life.stop();
            let ends = [receives.join().unwrap(), sends.join().unwrap()];
            assert!(ends.iter().all(|end| matches!(end, Error::Stopped | Error::Protocol(_))), "{ends:?}");
        });
    }
}

#[test]
fn each_lie_is_told() {
    let first = |word: u64| {
        let (mut channel, _, [_, other]) = made(Spin::Never);
        other.word(0).store(word, Ordering::Release);
        channel.receiver.next().err()
    };
    let there = 1 << 63;
    assert_eq!(first(there), None);
    assert_eq!(first(there | 1024 << 32), None);
    assert_eq!(first(there | 1025 << 32), Some(Error::Protocol(ProtocolError::Size)));
    assert_eq!(first(u64::MAX), Some(Error::Protocol(ProtocolError::Size)));
    assert_eq!(first(1), Some(Error::Protocol(ProtocolError::Word)));
    assert_eq!(first(there | 1 << 61), Some(Error::Protocol(ProtocolError::Order)));
    assert_eq!(first(there | 1 << 59), Some(Error::Protocol(ProtocolError::Word)));

    let (mut channel, _, [_, other]) = made(Spin::Never);
    other.word(0).store(there | 1 << 62 | 8 << 32 | 5, Ordering::Relaxed);
    other.word(16).store(there | 8 << 32 | 5, Ordering::Release);
    let mut reader = channel.receiver.next().unwrap();
    assert_eq!(reader.get(&mut [0; 16]), Err(Error::Protocol(ProtocolError::Order)));
    drop(reader);
    assert_eq!(channel.receiver.next().err(), Some(Error::Protocol(ProtocolError::Order)));

    let (mut channel, _, [mine, _]) = made(Spin::Never);
    mine.consumed().store(u64::MAX, Ordering::Release);
    let told = (0..5000).find_map(|_| channel.sender.record(0).commit(Wake::Later).err());
    assert_eq!(told, Some(Error::Protocol(ProtocolError::Cursor)));
}

/// Bytes that change while they are read are read once: what was checked is what is used.
#[test]
fn what_changes_is_read_once() {
    let (mut channel, _, [_, other]) = made(Spin::Never);
    let done = AtomicBool::new(false);
    scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for value in [0, u64::MAX] {
                    (1..=64).for_each(|at| other.word(at * 8).store(value, Ordering::Relaxed));
                }
            }
        });
        other.word(0).store(1 << 63 | 512 << 32, Ordering::Release);
        let mut reader = channel.receiver.next().unwrap();
        for _ in 0..8 {
            let read = reader.get_u64().unwrap();
            assert!([0, u64::MAX].contains(&read));
        }
        let mut bytes = [1; 448];
        reader.get(&mut bytes).unwrap();
        assert!(bytes.iter().all(|byte| [0, 255].contains(byte)));
        done.store(true, Ordering::Relaxed);
    });
}

/// A channel over a socket, and the other end of that.
fn over_a_socket() -> (Channel, Life, UnixStream) {
    let [mine, other] = stream_pair().unwrap();
    let (stream, life) = (Arc::new(Stream::new(mine, Box::new(|_: Half| {})).unwrap()), Life::default());
    (Channel::over(stream, 4096, &life, Spin::Never, None).unwrap(), life, other.into())
}

#[test]
fn each_lie_is_told_over_a_socket() {
    let sent = |words: &[u64]| {
        let (mut channel, _, mut other) = over_a_socket();
        words.iter().for_each(|word| other.write_all(&word.to_ne_bytes()).unwrap());
        drop(other);
        loop {
            match channel.receiver.next().and_then(|mut reader| reader.get(&mut [0; 16])) {
                Ok(()) | Err(Error::End) => {}
                Err(why) => {
                    // It stays so.
                    assert_eq!(channel.receiver.next().err(), Some(why));
                    assert_eq!(channel.receiver.try_next().err(), Some(why));
                    return why;
                }
            }
        }
    };
    let there = 1 << 63;
    assert_eq!(sent(&[]), Error::Died);
    assert_eq!(sent(&[there]), Error::Died);
    // The end of a record is missing.
    assert_eq!(sent(&[there | 16 << 32, 5]), Error::Died);
    assert_eq!(sent(&[0]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[there, there | 8 << 32, 1, 0, there]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[1]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[there | 1 << 59]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[there | 1025 << 32]), Error::Protocol(ProtocolError::Size));
    assert_eq!(sent(&[u64::MAX]), Error::Protocol(ProtocolError::Size));
    assert_eq!(sent(&[there | 1 << 61]), Error::Protocol(ProtocolError::Order));
    assert_eq!(
        sent(&[there | 1 << 62 | 8 << 32 | 5, 0, there | 8 << 32 | 5, 0]),
        Error::Protocol(ProtocolError::Order)
    );
}

#[test]
fn a_peer_that_sends_anything_over_a_socket() {
    for seed in 1..300u64 {
        let (mut channel, life, mut other) = over_a_socket();
        // The channel is not read after a protocol error.
        other.set_nonblocking(true).unwrap();
        scope(|threads| {
            let Channel { sender, receiver, .. } = &mut channel;
            let receives = threads.spawn(|| receive_all(receiver));
            let sends = threads.spawn(|| send_all(sender));
            let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
            for _ in 0..random.next() % 300 {
                let word = random.word();
                let size = (word >> 32) as usize & 1023;
                let mut bytes = [&word.to_ne_bytes()[..], &vec![0x81; size.next_multiple_of(8)]].concat();
                // Often a record as it should be: what comes behind is reached.
                if !random.next().is_multiple_of(8) {
                    bytes[..8].copy_from_slice(&(1 << 63 | (size as u64) << 32).to_ne_bytes());
                }
                let cut = random.next() as usize % bytes.len();
                let (first, second) = bytes.split_at(cut);
                let _ = other.write_all(first).and_then(|()| other.write_all(second));
            }
            match seed % 3 {
                0 => life.stop(),
                1 => drop(other.shutdown(std::net::Shutdown::Both)),
                _ => {}
            }
            drop(other);
            let ends = [receives.join().unwrap(), sends.join().unwrap()];
            let is_end = |end: &Error| matches!(end, Error::Stopped | Error::Died | Error::Protocol(_));
            assert!(ends.iter().all(is_end), "{ends:?}");
        });
    }
}

/// The other side may have made the socket, and then it can set it as it likes.
#[test]
fn a_socket_that_does_not_wait_is_waited_for() {
    let [mine, other] = stream_pair().unwrap();
    let same = mine.try_clone().unwrap();
    let (stream, life) = (Arc::new(Stream::new(mine, Box::new(|_: Half| {})).unwrap()), Life::default());
    let mut channel = Channel::over(stream, 4096, &life, Spin::Never, None).unwrap();
    let mut other = UnixStream::from(other);
    // SAFETY: without pointers.
    unsafe { libc::fcntl(same.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    scope(|threads| {
        let receiver = &mut channel.receiver;
        let receives = threads.spawn(move || receiver.next().map(|reader| reader.kind()));
        for byte in (1u64 << 63 | 16 << 32 | 9).to_ne_bytes().into_iter().chain([0; 16]) {
            std::thread::yield_now();
            other.write_all(&[byte]).unwrap();
        }
        assert_eq!(receives.join().unwrap(), Ok(9));
        let sender = &mut channel.sender;
        let sends = threads.spawn(move || send_all(sender));
        std::io::copy(&mut std::io::Read::take(&mut other, 3 << 20), &mut std::io::sink()).unwrap();
        life.died();
        assert_eq!(sends.join().unwrap(), Error::Died);
    });
}

/// As little timeout as there can be: every wait is too long.
const LITTLE: Option<Duration> = Some(Duration::from_millis(1));

#[test]
fn who_says_nothing_is_waited_for_no_longer_than_was_said() {
    for spin in [Spin::Never, Spin::Adaptive] {
        // Half a record, and nothing more.
        let (mut channel, _, [_, other]) = made(spin);
        channel.set_timeout(LITTLE, None);
        other.word(0).store(1 << 63 | 1 << 62 | 8 << 32 | 5, Ordering::Release);
        let mut reader = channel.receiver.next().unwrap();
        assert_eq!(reader.get(&mut [0; 16]), Err(Error::Silent));

        // No record.
        let (mut channel, ..) = made(spin);
        channel.set_timeout(None, LITTLE);
        assert_eq!(channel.receiver.next().err(), Some(Error::Silent));

        // No room.
        let (mut channel, ..) = made(spin);
        channel.set_timeout(LITTLE, None);
        assert_eq!(send_all(&mut channel.sender), Error::Silent);
    }
}

#[test]
fn who_says_nothing_over_a_socket_is_waited_for_no_longer_than_was_said() {
    let there = 1 << 63;
    // Half of a first word, of a part, of a record.
    for sent in [
        &[1][..],
        &(there | 16u64 << 32).to_ne_bytes(),
        &[(there | 1 << 62 | 8 << 32), 0].map(u64::to_ne_bytes).concat(),
    ] {
        let (mut channel, _, mut other) = over_a_socket();
        channel.set_timeout(LITTLE, None);
        other.write_all(sent).unwrap();
        let told = channel.receiver.next().and_then(|mut reader| reader.get(&mut [0; 16]));
        assert_eq!(told, Err(Error::Silent), "{sent:?}");
    }
    let (mut channel, _, _other) = over_a_socket();
    channel.set_timeout(None, LITTLE);
    assert_eq!(channel.receiver.next().err(), Some(Error::Silent));
    let (mut channel, _, _other) = over_a_socket();
    channel.set_timeout(LITTLE, None);
    assert_eq!(send_all(&mut channel.sender), Error::Silent);
}
