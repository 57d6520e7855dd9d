//! Tests with a guest that sends arbitrary records on several channels. The tests check that nothing crashes, that no state is used twice
//! at once, and that other guests are not affected.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::atomic::Ordering;
use std::thread::{scope, sleep};
use std::time::Duration;

use super::command_channel::CommandChannel;
use super::tests::{OTHER_AT, PLAIN_AT, SUM_AT, WRONG, begin, guest, guest_within, sum, worker};
use super::wire::record;
use crate::locks::Mutex;
use crate::transport::tests::Random;
use crate::{Channel, Wake};

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// Sends random records, many of them valid.
fn send_random(channel: &mut Channel, random: &mut Random, states: &Mutex<Vec<u64>>) {
    let Channel { sender, receiver, .. } = channel;
    for _ in 0..4000 {
        let kind = random.below(10) as u32;
        let cxu = if random.below(8) == 0 { random.next() as u32 } else { random.below(4) as u32 };
        let known: Vec<u64> = states.lock().unwrap().clone();
        let state = match random.below(6) {
            0 => random.next(),
            1 => random.below(5) << 32 | random.below(40),
            _ => known.get(random.below(known.len() as u64 + 1) as usize).copied().unwrap_or(0),
        };
        let mut to = sender.record(kind);
        match kind {
            record::ISSUE | record::CSR => {
                to.put_u64(u64::from(cxu) | random.below(5) << 32);
                to.put_u64(state);
                to.put_u64(random.next());
                if kind == record::ISSUE || random.below(2) == 0 {
                    to.put_u64(random.next());
                } else {
                    to.put_u32(random.next() as u32);
                }
            }
            record::END => {
                let count = random.below(4);
                to.put_u32((count + random.below(8) / 7 * 1000) as u32);
                (0..count).for_each(|_| to.put_u64(state));
            }
            _ => {
                to.put_u32(cxu);
                to.put_u64(state);
                let has_more = kind == record::RESTORE || random.below(4) == 0;
                let more = if random.below(2) == 0 { 16 } else { random.below(90_000) } * u64::from(has_more);
                to.put(&vec![random.next() as u8; more as usize]);
                if more > 40_000 && random.below(2) == 0 {
                    // Aborts the record, of which a part was sent.
                    drop(to);
                    receiver.next().unwrap();
                    continue;
                }
            }
        }
        to.commit(Wake::Now).unwrap();
        if kind == record::END {
            continue;
        }
        let mut from = receiver.next().unwrap();
        if kind == record::INIT
            && let Ok(state) = from.get_u64()
        {
            let mut states = states.lock().unwrap();
            let at = random.below(20) as usize;
            if at < states.len() {
                states[at] = state;
            } else {
                states.push(state);
            }
        }
    }
}

#[test]
fn worker_arbitrary_records_do_not_affect_other_guests() {
    let worker = worker(10_000);
    let (honest, serves) = guest(&worker);
    let commands = CommandChannel::new(honest.open().unwrap());
    let (first, second) = (begin(&commands, SUM_AT, 0).unwrap(), begin(&commands, OTHER_AT, 0).unwrap());
    for seed in 1..=4 {
        let (corrupt, ends) = guest(&worker);
        let states = Mutex::new(Vec::new());
        scope(|threads| {
            for n in 0..3 {
                let mut channel = corrupt.open().unwrap();
                let states = &states;
                threads.spawn(move || send_random(&mut channel, &mut Random(seed * 10 + n), states));
            }
            let mut sums = [0u64; 2];
            for n in 0..500 {
                for (of, (cxu, state)) in sums.iter_mut().zip([(SUM_AT, first), (OTHER_AT, second)]) {
                    *of = of.wrapping_mul(31).wrapping_add(n);
                    assert_eq!(sum(&commands, cxu, state, n), Ok((0, *of)));
                }
                assert_eq!(sum(&commands, PLAIN_AT, 0, n), Ok((0, n)));
            }
            for (cxu, state) in [(SUM_AT, first), (OTHER_AT, second)] {
                assert_eq!(begin(&commands, cxu, state), Ok(state));
            }
        });
        drop(corrupt);
        ends.join().unwrap();
    }
    assert_eq!(WRONG.load(Ordering::Relaxed), 0);
    drop((commands, honest));
    serves.join().unwrap();
}

/// The slow guest sends a record that never ends, with a pause before each part. The worker drops its channel, and the calls of another
/// guest succeed meanwhile.
#[test]
fn worker_slow_guest_is_dropped() {
    let worker = worker(10_000);
    let (honest, serves) = guest(&worker);
    let commands = CommandChannel::new(honest.open().unwrap());
    let (slow, ends) = guest_within(&worker, Some(Duration::from_millis(60)));
    let mut channel = slow.open().unwrap();
    scope(|threads| {
        let slow = threads.spawn(move || {
            let mut to = channel.sender.record(record::RESTORE);
            while to.check().is_ok() {
                sleep(Duration::from_millis(1));
                // A part of the record, before the timeout.
                to.put(&[7; 4096]);
            }
            to.check()
        });
        let mut calls = 0;
        while !slow.is_finished() {
            assert_eq!(sum(&commands, PLAIN_AT, 0, calls), Ok((0, calls)));
            calls += 1;
        }
        assert_eq!(slow.join().unwrap(), Err(crate::Error::Closed));
        assert_eq!(sum(&commands, PLAIN_AT, 0, calls), Ok((0, calls)));
    });
    drop(slow);
    ends.join().unwrap();
    drop((commands, honest));
    serves.join().unwrap();
}
