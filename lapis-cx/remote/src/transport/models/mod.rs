//! The ring and its wake-ups in every order in which two threads can take them, and with each value that they may read: loom runs
//! each model below once for each. A lost wake-up shows as a deadlock.
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

/// Wide enough for some small records.
const WIDE: usize = 512;
/// Full after two urgent records.
const NARROW: usize = 256;

/// Both ends of a ring, and what lives of each. One fence of one end may be missing.
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

/// A thread sends such records, this one receives them.
fn records(size: usize, wakes: &'static [Wake], sender: Option<Kind>, receiver: Option<Kind>) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(bounded.preemption_bound.unwrap_or(3));
    bounded.check(move || {
        let Ring2 { sender: mut to, receiver: mut from, .. } = ring(size, sender, receiver);
        let thread = spawn(move || {
            for (n, &wake) in (1..).zip(wakes) {
                send(&mut to, n, wake).unwrap();
            }
            // To be closed wakes too: not here.
            std::mem::forget(to);
        });
        for n in 1..=wakes.len() as u64 {
            assert_eq!(receive(&mut from), Ok(n));
        }
        thread.join().unwrap();
    });
}

/// The kind of records that are taken many at a time.
const TOLD: u32 = 40;

/// A thread sends so many records that nobody waits for, the short way where it can, and maybe an urgent one.
fn told(count: u64, urgent: bool, sender: Option<Kind>) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(bounded.preemption_bound.unwrap_or(3));
    bounded.check(move || {
        let Ring2 { sender: mut to, receiver: mut from, .. } = ring(WIDE, sender, None);
        let thread = spawn(move || {
            for n in 1..=count {
                let part = Part::new(TOLD, BYTES, 0);
                if !to.tell(part, part.told_stride(), |ring, at| ring.store_words(at, [n])) {
                    let mut record = to.record(TOLD);
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
            from.stand().unwrap();
            from.take_told(TOLD, |words| match words {
                [word, n, ..] => {
                    came += 1;
                    assert_eq!((*word, *n), (Part::new(TOLD, BYTES, 0).word(), came));
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
fn records_that_are_taken_many_at_a_time_arrive() {
    told(3, true, None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn without_the_light_fence_of_the_short_way_a_wake_up_is_lost() {
    told(2, false, Some(Kind::Light));
}

use Wake::{Later, Now};

#[test]
fn urgent_records_arrive() {
    records(WIDE, &[Now, Now], None, None);
}

#[test]
fn a_stream_arrives() {
    records(WIDE, &[Later, Later, Later], None, None);
}

#[test]
fn both_kinds_arrive_in_turn() {
    records(WIDE, &[Now, Later, Now], None, None);
    records(WIDE, &[Later, Now, Later], None, None);
}

#[test]
fn a_full_ring_is_waited_for() {
    records(NARROW, &[Now, Now, Later], None, None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn without_the_fence_of_an_urgent_record_a_wake_up_is_lost() {
    records(WIDE, &[Now], Some(Kind::Full), None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn without_the_fence_before_a_sleep_a_wake_up_is_lost() {
    records(WIDE, &[Now], None, Some(Kind::Full));
}

#[test]
#[should_panic(expected = "deadlock")]
fn without_the_light_fence_of_a_stream_a_wake_up_is_lost() {
    records(WIDE, &[Later, Later], Some(Kind::Light), None);
}

#[test]
#[should_panic(expected = "deadlock")]
fn without_the_heavy_fence_in_a_stream_a_wake_up_is_lost() {
    records(WIDE, &[Later, Later], None, Some(Kind::Heavy));
}

#[test]
fn a_death_is_learnt_by_both_ends() {
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
fn a_closed_end_is_learnt_after_what_it_sent() {
    loom::model(|| {
        let Ring2 { receiver: mut from, sender: mut to, .. } = ring(WIDE, None, None);
        let thread = spawn(move || send(&mut to, 1, Later).unwrap());
        assert_eq!(receive(&mut from), Ok(1));
        assert_eq!(receive(&mut from), Err(Error::Closed));
        thread.join().unwrap();
    });
}

/// As an accomplice of a process that died may: he has its memory, and says that the waiter sleeps.
#[test]
fn a_death_is_learnt_though_somebody_writes_on() {
    loom::model(|| {
        let Ring2 { receiver: mut from, receives, sender, .. } = ring(WIDE, None, None);
        let watcher = spawn(move || receives.end_for_test());
        let accomplice = spawn(move || {
            sender.ring_for_test().receiver().asleep.store(1, crate::transport::sync::Ordering::Relaxed);
            sender
        });
        assert_eq!(receive(&mut from), Err(Error::Died));
        watcher.join().unwrap();
        drop(accomplice.join().unwrap());
    });
}
