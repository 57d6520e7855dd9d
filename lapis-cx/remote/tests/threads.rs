//! Tests with both ends of a channel in one process: records of all sizes arrive unchanged.
#![cfg(not(loom))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::thread::scope;

use lapis_cx_remote::{Channel, Error, Life, Receiver, Sender, Spin, Transport, Wake};
use proptest::prelude::*;

fn pair(over: Transport, ring: u32) -> [Channel; 2] {
    // Covers both kinds of waiting.
    let spin = if ring == 4096 { Spin::Never } else { Spin::Adaptive };
    Channel::pair_over(over, ring, spin).unwrap().map(|(channel, _)| channel)
}

/// The transports that each test covers.
const OVER: [Transport; 2] = [Transport::Shared, Transport::Socket];
/// The transports with the kinds of waiting.
const VARIANTS: [(Transport, Spin); 3] =
    [(Transport::Shared, Spin::Adaptive), (Transport::Shared, Spin::Never), (Transport::Socket, Spin::Adaptive)];

/// Returns the bytes of record `n`.
fn bytes(n: usize, size: usize) -> Vec<u8> {
    (0..size).map(|at| (n * 31 + at * 7 + at / 251) as u8).collect()
}

fn send(to: &mut Sender, sizes: &[usize], urgent: usize) {
    for (n, &size) in sizes.iter().enumerate() {
        let mut writer = to.record(n as u32);
        writer.put_u64(size as u64);
        // Write in pieces, and in arrays.
        for piece in bytes(n, size).chunks(1 + n % 5000) {
            match piece {
                &[a, b] => writer.put_array([a, b]),
                _ => writer.put(piece),
            }
        }
        writer.commit(if n % urgent == 0 { Wake::Now } else { Wake::Later }).unwrap();
    }
    to.record(u32::MAX).commit(Wake::Now).unwrap();
}

fn receive(from: &mut Receiver, sizes: &[usize], skipped: usize) {
    for (n, &size) in sizes.iter().enumerate() {
        let mut reader = from.next().unwrap();
        assert_eq!(reader.kind(), n as u32);
        assert_eq!(reader.get_u64(), Ok(size as u64));
        if n % skipped == 1 {
            // Some records are read in part.
            reader.skip(size / 2).unwrap();
            continue;
        }
        let mut got = vec![0; size];
        for piece in got.chunks_mut(1 + n % 3000) {
            match <&mut [u8; 3]>::try_from(&mut *piece) {
                Ok(array) => *array = reader.get_array().unwrap(),
                Err(_) => reader.get(piece).unwrap(),
            }
        }
        assert!(got == bytes(n, size), "record {n} of {size} bytes");
        assert_eq!(reader.get_u8(), Err(Error::End));
    }
    // The rest of the last record is skipped.
    assert_eq!(from.next().unwrap().kind(), u32::MAX);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn records_of_any_size_arrive_unchanged(
        sizes in prop::collection::vec(prop_oneof![0usize..80, 0usize..2000, 0usize..20_000, Just(50_000)], 1..40),
        ring in prop_oneof![Just(4096u32), Just(8192), Just(65536)],
        urgent in 1usize..5,
        skipped in 2usize..5,
        over in prop_oneof![Just(Transport::Shared), Just(Transport::Socket)],
    ) {
        let [mut a, mut b] = pair(over, ring);
        scope(|threads| {
            let sent = &mut a.sender;
            let others = [
                threads.spawn(|| send(sent, &sizes, urgent)),
                threads.spawn(|| receive(&mut a.receiver, &sizes, skipped)),
                threads.spawn(|| send(&mut b.sender, &sizes, urgent)),
            ];
            receive(&mut b.receiver, &sizes, skipped);
            // The thread sanitizer understands `join`, but not the end of the scope.
            others.into_iter().for_each(|other| other.join().unwrap());
        });
    }
}

#[test]
fn calls_get_their_replies() {
    for (over, spin) in VARIANTS {
        let [(mut a, _), (mut b, _)] = Channel::pair_over(over, 65536, spin).unwrap();
        scope(|threads| {
            threads.spawn(move || {
                while let Ok(mut asked) = b.receiver.next() {
                    let sum = asked.get_u64().unwrap() + asked.get_u64().unwrap();
                    let mut answer = b.sender.record(asked.kind());
                    answer.put_u64(sum);
                    answer.commit(Wake::Now).unwrap();
                }
            });
            for n in 0..20_000 {
                // Some records are not urgent and precede the call.
                let mut writer = a.sender.record(7);
                writer.put_u64(n);
                writer.put_u64(1);
                writer.commit(if n % 3 == 0 { Wake::Later } else { Wake::Now }).unwrap();
                let mut answer = a.receiver.next().unwrap();
                assert_eq!((answer.kind(), answer.get_u64()), (7, Ok(n + 1)));
            }
            drop(a);
        });
    }
}

#[test]
fn record_aborted_is_skipped_or_cut() {
    for over in OVER {
        let [mut a, mut b] = pair(over, 8192);
        // Nothing of this record was sent.
        a.sender.record(1).put(&[1; 100]);
        let mut next = a.sender.record(2);
        next.put_u8(5);
        next.commit(Wake::Now).unwrap();
        assert_eq!(b.receiver.next().unwrap().kind(), 2);
        scope(|threads| {
            let aborts = threads.spawn(|| {
                for _ in 0..3 {
                    a.sender.record(3).put(&[1; 50_000]);
                }
                a.sender.record(4).commit(Wake::Now).unwrap();
            });
            let mut cut = b.receiver.next().unwrap();
            assert!(cut.is_open());
            assert_eq!(cut.get(&mut [0; 60_000]), Err(Error::Cut));
            assert_eq!(cut.get_u8(), Err(Error::Cut));
            drop(cut);
            assert_eq!(b.receiver.next().unwrap().kind(), 3);
            assert_eq!(b.receiver.next().unwrap().kind(), 3);
            assert_eq!(b.receiver.next().unwrap().kind(), 4);
            aborts.join().unwrap();
        });
    }
}

#[test]
fn records_sent_before_close_are_received() {
    for over in OVER {
        let [mut a, mut b] = pair(over, 8192);
        a.sender.record(1).commit(Wake::Later).unwrap();
        a.sender.record(2).commit(Wake::Later).unwrap();
        drop(a);
        assert_eq!(b.receiver.try_next().unwrap().unwrap().kind(), 1);
        assert_eq!(b.receiver.next().unwrap().kind(), 2);
        assert_eq!(b.receiver.next().err(), Some(Error::Closed));
        assert_eq!(b.receiver.try_next().err(), Some(Error::Closed));
        // The peer is gone: the sender fails when the ring is full.
        let sent = (0..2000).find_map(|_| b.sender.record(1).commit(Wake::Later).err());
        assert_eq!(sent, Some(Error::Closed));
    }
}

#[test]
fn death_wakes_sender_and_receiver() {
    for (over, spin) in VARIANTS {
        for _ in 0..50 {
            let [(mut a, life), (b, _)] = Channel::pair_over(over, 4096, spin).unwrap();
            scope(|threads| {
                let receiver = threads.spawn(|| a.receiver.next().err());
                let sender = threads.spawn(|| {
                    (0..).find_map(|_| {
                        let mut writer = a.sender.record(1);
                        writer.put(&[0; 999]);
                        writer.commit(Wake::Now).err()
                    })
                });
                life.died();
                assert_eq!(receiver.join().unwrap(), Some(Error::Died));
                assert_eq!(sender.join().unwrap(), Some(Error::Died));
            });
            assert!(!life.is_alive());
            drop(b);
        }
    }
}

#[test]
fn stop_before_death_is_reported_as_stopped() {
    for over in OVER {
        let [(mut a, life), _b] = Channel::pair_over(over, 4096, Spin::Never).unwrap();
        life.stop();
        life.died();
        assert_eq!(a.receiver.next().err(), Some(Error::Stopped));
        assert_eq!(a.sender.record(1).commit(Wake::Now).err(), Some(Error::Stopped));
    }
}

#[test]
fn ends_can_be_dropped_separately() {
    for (over, spin) in VARIANTS {
        // The other direction still works.
        let [(a, _), (b, _)]: [(Channel, Life); 2] = Channel::pair_over(over, 4096, spin).unwrap();
        let (
            Channel { mut sender, receiver: unused_receiver, .. },
            Channel { sender: unused_sender, mut receiver, .. },
        ) = (a, b);
        drop(unused_receiver);
        for n in 0..500 {
            sender.record(n).commit(Wake::Later).unwrap();
            assert_eq!(receiver.next().unwrap().kind(), n);
        }
        drop(unused_sender);
        drop(sender);
        assert_eq!(receiver.next().err(), Some(Error::Closed));

        // Waiting threads are woken. The record is larger than the buffer of a socket.
        let [(a, _), (b, _)] = Channel::pair_over(over, 4096, spin).unwrap();
        let (Channel { mut sender, mut receiver, .. }, Channel { sender: other, receiver: reads, .. }) = (a, b);
        scope(|threads| {
            let sends = threads.spawn(move || {
                let mut writer = sender.record(1);
                writer.put(&[1; 8 << 20]);
                writer.commit(Wake::Now)
            });
            let receives = threads.spawn(move || receiver.next().err());
            std::thread::yield_now();
            drop(reads);
            assert_eq!(sends.join().unwrap(), Err(Error::Closed));
            drop(other);
            assert_eq!(receives.join().unwrap(), Some(Error::Closed));
        });
    }
}

#[test]
fn ring_of_invalid_size_is_refused() {
    for ring in [0, 1, 4095, 4097, 2048, 128 << 20, u32::MAX] {
        for over in OVER {
            assert!(Channel::pair_over(over, ring, Spin::Never).is_err(), "{ring}");
        }
    }
}
