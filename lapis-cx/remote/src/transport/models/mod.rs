//! Models of the ring and its wake-ups. Loom runs each model for every interleaving of two threads and every value that a load may return.
//! A lost wake-up shows as a deadlock.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release -p lapis-cx-remote --lib --target-dir target/loom
//! ```
#![allow(clippy::unwrap_used, clippy::panic)]

pub(crate) mod memory;
pub(crate) mod stream;
pub(crate) mod sync;

use loom::thread::spawn;

use crate::transport::header::{BYTES, Part};
use crate::transport::life::Ends;
use crate::transport::sync::Arc;
use crate::transport::{Error, Receiver, Sender, Spin, Wake};
use memory::Ring;
use sync::Kind;

/// The size in bytes of a ring with space for several small records.
const WIDE: usize = 512;
/// The size in bytes of a ring that two urgent records fill.
const NARROW: usize = 256;

/// Both ends of a ring, and the state of each. Either end can omit one kind of fence.
struct Ring2 {
    sender: Sender,
    receiver: Receiver,
    sends: Arc<Ends>,
    receives: Arc<Ends>,
}

fn ring(size: usize, sender_without: Option<Kind>, receiver_without: Option<Kind>) -> Ring2 {
    let ring = Ring::new(size);
    // The other direction is not used.
    let other = Ring::new(64);
    let without = |kind| {
        let mut ring = ring.clone();
        ring.fences.without = kind;
        ring
    };
    let sends = Arc::new(Ends::new(&ring, &other, ring.fences.clone()));
    let receives = Arc::new(Ends::new(&other, &ring, ring.fences.clone()));
    let sender = Sender::new(without(sender_without), Arc::clone(&sends), Spin::Never);
    let receiver = Receiver::new(without(receiver_without), Arc::clone(&receives), Spin::Never);
    Ring2 { sender, receiver, sends, receives }
}

fn send(to: &mut Sender, value: u64, wake: Wake) -> Result<(), Error> {
    let mut writer = to.record(value as u32);
    writer.put_u64(value * 3);
    writer.commit(wake)
}

fn receive(from: &mut Receiver) -> Result<u64, Error> {
    let mut reader = from.next()?;
    let (kind, value) = (reader.kind(), reader.get_u64().unwrap());
    assert_eq!(u64::from(kind) * 3, value);
    Ok(u64::from(kind))
}

/// Sends records with these wake-ups on one thread, and receives them on another.
fn records(size: usize, wakes: &'static [Wake], sender: Option<Kind>, receiver: Option<Kind>) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(bounded.preemption_bound.unwrap_or(3));
    bounded.check(move || {
        let Ring2 { sender: mut to, receiver: mut from, .. } = ring(size, sender, receiver);
        let thread = spawn(move || {
            for (n, &wake) in (1..).zip(wakes) {
                send(&mut to, n, wake).unwrap();
            }
            // Dropping the sender would also wake the receiver.
            std::mem::forget(to);
        });
        for n in 1..=wakes.len() as u64 {
            assert_eq!(receive(&mut from), Ok(n));
        }
        thread.join().unwrap();
    });
}

/// The kind of one-way records.
const ONE_WAY: u32 = 40;

/// Sends `count` one-way records on one thread, on the fast path where it applies, and optionally an urgent record after them.
fn one_way_records(count: u64, urgent: bool, sender: Option<Kind>) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(bounded.preemption_bound.unwrap_or(3));
    bounded.check(move || {
        let Ring2 { sender: mut to, receiver: mut from, .. } = ring(WIDE, sender, None);
        let thread = spawn(move || {
            for n in 1..=count {
                let part = Part::new(ONE_WAY, BYTES, 0);
                if !to.send_one_way(part, part.one_way_stride(), |ring, at| ring.store_words(at, [n])) {
                    let mut record = to.record(ONE_WAY);
                    record.put_u64(n);
                    record.commit(Later).unwrap();
                }
            }
            if urgent {
                send(&mut to, 1, Now).unwrap();
            }
            std::mem::forget(to);
        });
        let mut came = 0;
        while came < count {
            from.wait_for_record().unwrap();
            from.take_one_way(ONE_WAY, |words| match words {
                [word, n, ..] => {
                    came += 1;
                    assert_eq!((*word, *n), (Part::new(ONE_WAY, BYTES, 0).word(), came));
                    2
                }
                _ => 0,
            });
        }
        if urgent {
            assert_eq!(receive(&mut from), Ok(1));
        }
        thread.join().unwrap();
    });
}

#[test]
fn one_way_records_arrive() {
    one_way_records(3, true, None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn one_way_without_light_fence_loses_wake_up() {
    one_way_records(2, false, Some(Kind::Light));
}

use Wake::{Later, Now};

#[test]
fn urgent_records_arrive() {
    records(WIDE, &[Now, Now], None, None);
}

#[test]
fn stream_records_arrive() {
    records(WIDE, &[Later, Later, Later], None, None);
}

#[test]
fn mixed_records_arrive() {
    records(WIDE, &[Now, Later, Now], None, None);
    records(WIDE, &[Later, Now, Later], None, None);
}

#[test]
fn full_ring_sender_waits() {
    records(NARROW, &[Now, Now, Later], None, None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn urgent_without_full_fence_loses_wake_up() {
    records(WIDE, &[Now], Some(Kind::Full), None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn sleep_without_full_fence_loses_wake_up() {
    records(WIDE, &[Now], None, Some(Kind::Full));
}

#[test]
#[should_panic(expected = "deadlock")]
fn stream_without_light_fence_loses_wake_up() {
    records(WIDE, &[Later, Later], Some(Kind::Light), None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn stream_without_heavy_fence_loses_wake_up() {
    records(WIDE, &[Later, Later], None, Some(Kind::Heavy));
}

#[test]
fn death_wakes_both_ends() {
    loom::model(|| {
        let Ring2 { receiver: mut from, receives, sender, .. } = ring(WIDE, None, None);
        let watcher = spawn(move || receives.end_for_test());
        assert_eq!(receive(&mut from), Err(Error::Died));
        watcher.join().unwrap();
        drop(sender);
    });
    loom::model(|| {
        let Ring2 { receiver, sends, sender: mut to, .. } = ring(NARROW, None, None);
        let watcher = spawn(move || sends.end_for_test());
        let sent = (1..20).find_map(|n| send(&mut to, n, Later).err());
        assert_eq!(sent, Some(Error::Died));
        watcher.join().unwrap();
        drop(receiver);
    });
}

#[test]
fn closed_sender_reported_after_its_records() {
    loom::model(|| {
        let Ring2 { receiver: mut from, sender: mut to, .. } = ring(WIDE, None, None);
        let thread = spawn(move || send(&mut to, 1, Later).unwrap());
        assert_eq!(receive(&mut from), Ok(1));
        assert_eq!(receive(&mut from), Err(Error::Closed));
        thread.join().unwrap();
    });
}

/// A process that shares the memory of the dead peer keeps setting `asleep`.
#[test]
fn death_wakes_receiver_despite_corrupt_asleep_word() {
    loom::model(|| {
        let Ring2 { receiver: mut from, receives, sender, .. } = ring(WIDE, None, None);
        let watcher = spawn(move || receives.end_for_test());
        let writer = spawn(move || {
            sender.ring_for_test().receiver().asleep.store(1, crate::transport::sync::Ordering::Relaxed);
            sender
        });
        assert_eq!(receive(&mut from), Err(Error::Died));
        watcher.join().unwrap();
        drop(writer.join().unwrap());
    });
}
