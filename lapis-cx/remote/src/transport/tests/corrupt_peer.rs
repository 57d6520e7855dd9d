//! Tests with a peer that writes arbitrary values into shared memory at any time. The tests check that nothing panics, that no access
//! leaves the ring, and that every wait can be ended.
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

/// A pseudo-random number generator (xorshift64*).
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a header that is often valid.
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

fn new_channel(spin: Spin) -> (Channel, Life, [Ring; 2]) {
    let rings = Segment::new(Geometry { ring: 4096, channels: 1, in_place: 0 }).unwrap().channel(0).unwrap();
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
fn ring_arbitrary_writes_end_with_an_error() {
    for seed in 1..40 {
        let spin = if seed % 2 == 0 { Spin::Never } else { Spin::Adaptive };
        let (mut channel, life, rings) = new_channel(spin);
        scope(|threads| {
            let Channel { sender, receiver, .. } = &mut channel;
            let receives = threads.spawn(|| receive_all(receiver));
            let sends = threads.spawn(|| send_all(sender));
            let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
            for _ in 0..20_000 {
                let [own, other] = &rings;
                let (word, at) = (random.word(), random.next() as usize);
                match random.next() % 12 {
                    0 => own.consumed().store(word >> (random.next() % 64), Ordering::Relaxed),
                    1 => {
                        own.consumed().store(own.consumed().load(Ordering::Relaxed).wrapping_add(64), Ordering::Relaxed)
                    }
                    2 => own.sender().asleep.store(word as u32 & 1, Ordering::Relaxed),
                    3 => other.receiver().asleep.store(word as u32, Ordering::Relaxed),
                    4 => other.sender().cpu.store(word as u32, Ordering::Relaxed),
                    5 => own.receiver().heavy.store(word as u32, Ordering::Relaxed),
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
fn ring_invalid_header_or_cursor_is_reported() {
    let first = |word: u64| {
        let (mut channel, _, [_, other]) = new_channel(Spin::Never);
        other.word(0).store(word, Ordering::Release);
        channel.receiver.next().err()
    };
    let present = 1 << 63;
    assert_eq!(first(present), None);
    assert_eq!(first(present | 1024 << 32), None);
    assert_eq!(first(present | 1025 << 32), Some(Error::Protocol(ProtocolError::Size)));
    assert_eq!(first(u64::MAX), Some(Error::Protocol(ProtocolError::Size)));
    assert_eq!(first(1), Some(Error::Protocol(ProtocolError::Word)));
    assert_eq!(first(present | 1 << 61), Some(Error::Protocol(ProtocolError::Order)));
    assert_eq!(first(present | 1 << 59), Some(Error::Protocol(ProtocolError::Word)));

    let (mut channel, _, [_, other]) = new_channel(Spin::Never);
    other.word(0).store(present | 1 << 62 | 8 << 32 | 5, Ordering::Relaxed);
    other.word(16).store(present | 8 << 32 | 5, Ordering::Release);
    let mut reader = channel.receiver.next().unwrap();
    assert_eq!(reader.get(&mut [0; 16]), Err(Error::Protocol(ProtocolError::Order)));
    drop(reader);
    assert_eq!(channel.receiver.next().err(), Some(Error::Protocol(ProtocolError::Order)));

    let (mut channel, _, [own, _]) = new_channel(Spin::Never);
    own.consumed().store(u64::MAX, Ordering::Release);
    let error = (0..5000).find_map(|_| channel.sender.record(0).commit(Wake::Later).err());
    assert_eq!(error, Some(Error::Protocol(ProtocolError::Cursor)));
}

/// Bytes that change while they are read are read only once, so the engine uses the bytes that it checked.
#[test]
fn ring_changing_bytes_are_read_once() {
    let (mut channel, _, [_, other]) = new_channel(Spin::Never);
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

/// Makes a channel over a socket, and the peer's end of the socket.
fn over_a_socket() -> (Channel, Life, UnixStream) {
    let [own, other] = stream_pair().unwrap();
    let (stream, life) = (Arc::new(Stream::new(own, Box::new(|_: Half| {})).unwrap()), Life::default());
    (Channel::over(stream, 4096, &life, Spin::Never, None).unwrap(), life, other.into())
}

#[test]
fn socket_invalid_header_is_reported() {
    let sent = |words: &[u64]| {
        let (mut channel, _, mut other) = over_a_socket();
        words.iter().for_each(|word| other.write_all(&word.to_ne_bytes()).unwrap());
        drop(other);
        loop {
            match channel.receiver.next().and_then(|mut reader| reader.get(&mut [0; 16])) {
                Ok(()) | Err(Error::End) => {}
                Err(why) => {
                    // Later calls return the same error.
                    assert_eq!(channel.receiver.next().err(), Some(why));
                    assert_eq!(channel.receiver.try_next().err(), Some(why));
                    return why;
                }
            }
        }
    };
    let present = 1 << 63;
    assert_eq!(sent(&[]), Error::Died);
    assert_eq!(sent(&[present]), Error::Died);
    // The record is incomplete.
    assert_eq!(sent(&[present | 16 << 32, 5]), Error::Died);
    assert_eq!(sent(&[0]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[present, present | 8 << 32, 1, 0, present]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[1]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[present | 1 << 59]), Error::Protocol(ProtocolError::Word));
    assert_eq!(sent(&[present | 1025 << 32]), Error::Protocol(ProtocolError::Size));
    assert_eq!(sent(&[u64::MAX]), Error::Protocol(ProtocolError::Size));
    assert_eq!(sent(&[present | 1 << 61]), Error::Protocol(ProtocolError::Order));
    assert_eq!(
        sent(&[present | 1 << 62 | 8 << 32 | 5, 0, present | 8 << 32 | 5, 0]),
        Error::Protocol(ProtocolError::Order)
    );
}

#[test]
fn socket_arbitrary_bytes_end_with_an_error() {
    for seed in 1..300u64 {
        let (mut channel, life, mut other) = over_a_socket();
        // The channel is not read after a protocol error, so a blocking write could hang.
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
                // Most records are valid, so the data behind them is reached.
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

/// The peer may have created the socket, and can set its options.
#[test]
fn socket_set_nonblocking_by_peer_still_blocks() {
    let [own, other] = stream_pair().unwrap();
    let same = own.try_clone().unwrap();
    let (stream, life) = (Arc::new(Stream::new(own, Box::new(|_: Half| {})).unwrap()), Life::default());
    let mut channel = Channel::over(stream, 4096, &life, Spin::Never, None).unwrap();
    let mut other = UnixStream::from(other);
    // SAFETY: F_SETFL takes no pointers.
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

/// A timeout that every wait exceeds.
const SHORT: Option<Duration> = Some(Duration::from_millis(1));

#[test]
fn ring_silent_peer_times_out() {
    for spin in [Spin::Never, Spin::Adaptive] {
        // The peer sends half a record.
        let (mut channel, _, [_, other]) = new_channel(spin);
        channel.set_timeout(SHORT, None);
        other.word(0).store(1 << 63 | 1 << 62 | 8 << 32 | 5, Ordering::Release);
        let mut reader = channel.receiver.next().unwrap();
        assert_eq!(reader.get(&mut [0; 16]), Err(Error::Silent));

        // The peer sends no record.
        let (mut channel, ..) = new_channel(spin);
        channel.set_timeout(None, SHORT);
        assert_eq!(channel.receiver.next().err(), Some(Error::Silent));

        // The peer reads nothing, so the ring is full.
        let (mut channel, ..) = new_channel(spin);
        channel.set_timeout(SHORT, None);
        assert_eq!(send_all(&mut channel.sender), Error::Silent);
    }
}

#[test]
fn socket_silent_peer_times_out() {
    let present = 1 << 63;
    // Half of a header, of a part, of a record.
    for sent in [
        &[1][..],
        &(present | 16u64 << 32).to_ne_bytes(),
        &[(present | 1 << 62 | 8 << 32), 0].map(u64::to_ne_bytes).concat(),
    ] {
        let (mut channel, _, mut other) = over_a_socket();
        channel.set_timeout(SHORT, None);
        other.write_all(sent).unwrap();
        let error = channel.receiver.next().and_then(|mut reader| reader.get(&mut [0; 16]));
        assert_eq!(error, Err(Error::Silent), "{sent:?}");
    }
    let (mut channel, _, _other) = over_a_socket();
    channel.set_timeout(None, SHORT);
    assert_eq!(channel.receiver.next().err(), Some(Error::Silent));
    let (mut channel, _, _other) = over_a_socket();
    channel.set_timeout(SHORT, None);
    assert_eq!(send_all(&mut channel.sender), Error::Silent);
}
