//! A peer that writes whatever it likes, whenever it likes, into what both share: nothing panics, nothing is touched that is not the
//! ring's, and everything that waits can be ended.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;

use crate::channel::{Channel, Side};
use crate::memory::{Geometry, Ring, Segment};
use crate::{Error, Lie, Life, Receiver, Sender, Spin, Wake};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
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
    let rings = Segment::new(Geometry { ring: 4096, channels: 1 }).unwrap().channel(0).unwrap();
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
            let Channel { sender, receiver } = &mut channel;
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
            assert!(ends.iter().all(|end| matches!(end, Error::Stopped | Error::Lied(_))), "{ends:?}");
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
    assert_eq!(first(there | 1025 << 32), Some(Error::Lied(Lie::Size)));
    assert_eq!(first(u64::MAX), Some(Error::Lied(Lie::Size)));
    assert_eq!(first(1), Some(Error::Lied(Lie::Word)));
    assert_eq!(first(there | 1 << 61), Some(Error::Lied(Lie::Order)));
    assert_eq!(first(there | 1 << 59), Some(Error::Lied(Lie::Word)));

    let (mut channel, _, [_, other]) = made(Spin::Never);
    other.word(0).store(there | 1 << 62 | 8 << 32 | 5, Ordering::Relaxed);
    other.word(16).store(there | 8 << 32 | 5, Ordering::Release);
    let mut reader = channel.receiver.next().unwrap();
    assert_eq!(reader.get(&mut [0; 16]), Err(Error::Lied(Lie::Order)));
    drop(reader);
    assert_eq!(channel.receiver.next().err(), Some(Error::Lied(Lie::Order)));

    let (mut channel, _, [mine, _]) = made(Spin::Never);
    mine.consumed().store(u64::MAX, Ordering::Release);
    let told = (0..5000).find_map(|_| channel.sender.record(0).commit(Wake::Later).err());
    assert_eq!(told, Some(Error::Lied(Lie::Cursor)));
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
