//! Channels beside the least that two threads on this machine need: each line has the floor that was measured just before, as the
//! host moves its processors near and far within seconds. Nanoseconds; medians.
//!
//! `cargo bench -p lapis-cx-tests --bench remote`
#![allow(clippy::unwrap_used, clippy::panic)]

use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::scope;
use std::time::Instant;

use lapis_cx_remote::{Channel, Spin, Wake};

/// Two words, each on lines of its own.
#[repr(align(128))]
#[derive(Default)]
struct Word(AtomicU32);

/// Keeps this thread on a processor.
fn pin(cpu: usize) {
    // SAFETY: a set of processors is plain numbers, and it is written whole.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// Median and 99th percentile of the times of `work`, in nanoseconds; of `each` calls at a time.
fn times(rounds: usize, each: u32, mut work: impl FnMut()) -> [f64; 2] {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let began = Instant::now();
            (0..each).for_each(|_| work());
            began.elapsed().as_nanos() as f64 / f64::from(each)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    [times[rounds / 2], times[rounds * 99 / 100]]
}

fn futex(word: &AtomicU32, operation: i32, value: u32) {
    // SAFETY: the word is there while it is borrowed.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, std::ptr::null::<libc::timespec>()) };
}

/// A word there and back; whoever waits spins, or sleeps.
fn ping_pong(sleeps: bool, rounds: usize, each: u32) -> [f64; 2] {
    let (there, back) = (Word::default(), Word::default());
    let wait = |word: &AtomicU32, old: u32| {
        while word.load(Ordering::Acquire) == old {
            if sleeps {
                futex(word, libc::FUTEX_WAIT, old);
            } else {
                spin_loop();
            }
        }
    };
    let post = |word: &AtomicU32, new: u32| {
        word.store(new, Ordering::Release);
        if sleeps {
            futex(word, libc::FUTEX_WAKE, 1);
        }
    };
    let total = rounds as u32 * each;
    scope(|threads| {
        threads.spawn(|| {
            pin(1);
            for n in 0..total {
                wait(&there.0, n);
                post(&back.0, n + 1);
            }
        });
        let mut n = 0;
        times(rounds, each, || {
            post(&there.0, n + 1);
            wait(&back.0, n);
            n += 1;
        })
    })
}

/// A process that answers: `CALL` with as many bytes, `BULK` with one, `VOID` not at all.
const CALL: u32 = 1;
const BULK: u32 = 2;
const VOID: u32 = 3;

fn serve(mut channel: Channel) {
    pin(1);
    let mut bytes = vec![0u8; 64 << 20];
    let mut sum = 0u64;
    while let Ok(mut asked) = channel.receiver.next() {
        let kind = asked.kind();
        if kind == VOID {
            sum = sum.wrapping_add(asked.get_u64().unwrap()).wrapping_add(asked.get_u64().unwrap());
            continue;
        }
        let size = asked.get_u64().unwrap() as usize;
        if kind == CALL && size == 8 {
            let value = asked.get_u64().unwrap();
            drop(asked);
            let mut answer = channel.sender.record(kind);
            answer.put_u64(size as u64);
            answer.put_u64(value);
            answer.commit(Wake::Now).unwrap();
            continue;
        }
        asked.get(&mut bytes[..size]).unwrap();
        drop(asked);
        let mut answer = channel.sender.record(kind);
        answer.put_u64(sum);
        if kind == CALL {
            answer.put(&bytes[..size]);
        }
        answer.commit(Wake::Now).unwrap();
    }
    black_box(bytes);
}

/// Runs `work` against such a process, or thread.
fn with_server<T>(ring: u32, spin: Spin, work: impl FnOnce(&mut Channel) -> T) -> T {
    let [(mut here, life), (there, _)] = Channel::pair(ring, spin).unwrap();
    scope(|threads| {
        threads.spawn(|| serve(there));
        let out = work(&mut here);
        drop(here);
        life.stop();
        out
    })
}

fn call(channel: &mut Channel, bytes: &[u8], back: &mut [u8]) {
    let mut asked = channel.sender.record(if back.is_empty() { BULK } else { CALL });
    asked.put_u64(bytes.len() as u64);
    asked.put(bytes);
    asked.commit(Wake::Now).unwrap();
    let mut answer = channel.receiver.next().unwrap();
    black_box(answer.get_u64().unwrap());
    answer.get(back).unwrap();
}

fn small(channel: &mut Channel, value: u64) {
    let mut asked = channel.sender.record(CALL);
    asked.put_u64(8);
    asked.put_u64(value);
    asked.commit(Wake::Now).unwrap();
    let mut answer = channel.receiver.next().unwrap();
    black_box((answer.get_u64().unwrap(), answer.get_u64().unwrap()));
}

fn line(what: &str, [floor, _]: [f64; 2], [median, p99]: [f64; 2]) {
    println!("{what:38} {floor:10.0} {median:10.0} {p99:10.0} {:6.2}", median / floor);
}

fn void(channel: &mut Channel, count: u64) {
    for n in 0..count {
        let mut writer = channel.sender.record(VOID);
        writer.put_u64(n);
        writer.put_u64(1);
        writer.commit(Wake::Later).unwrap();
    }
    small(channel, 0);
}

fn copies(size: usize, rounds: usize) -> [f64; 2] {
    let (from, mut to) = (vec![1u8; size], vec![2u8; size]);
    times(rounds, 1, || black_box(&mut to).copy_from_slice(black_box(&from)))
}

const MOST: u32 = 1 << 20;

fn main() {
    pin(0);
    println!("{:38} {:>10} {:>10} {:>10} {:>6}", "", "floor", "median", "p99", "ratio");
    for _ in 0..3 {
        let floor = ping_pong(false, 3000, 10);
        let spun = with_server(65536, Spin::Adaptive, |channel| times(3000, 10, || small(channel, 1)));
        line("call of 16 bytes | spin", floor, spun);
        let page =
            with_server(65536, Spin::Adaptive, |channel| times(3000, 10, || call(channel, &[1; 4096], &mut [0; 4096])));
        line("call of 4 KiB each way | spin", floor, page);
        let floor = ping_pong(true, 3000, 1);
        let slept = with_server(65536, Spin::Never, |channel| times(3000, 1, || small(channel, 1)));
        line("call of 16 bytes, no spin | futex", floor, slept);
        for (size, rounds, what) in [(1 << 20, 300, "1 MiB"), (64 << 20, 12, "64 MiB")] {
            let bytes = vec![1u8; size];
            for ring in [65536, 256 << 10, 512 << 10, MOST] {
                let floor = copies(size, rounds);
                let took = with_server(ring, Spin::Adaptive, |channel| {
                    call(channel, &bytes, &mut []);
                    times(rounds, 1, || call(channel, &bytes, &mut []))
                });
                line(&format!("{what} in, ring of {} KiB | memcpy", ring >> 10), floor, took);
            }
        }
        for ring in [65536, MOST] {
            const COUNT: u64 = 1_000_000;
            let floor = ping_pong(false, 300, 10);
            let [took, late] = with_server(ring, Spin::Adaptive, |channel| times(12, 1, || void(channel, COUNT)));
            let each = COUNT as f64;
            println!(
                "{:38} {:10.0} {:10.2} {:10.2} {:6.0} M/s",
                format!("void record, ring of {} KiB | spin", ring >> 10),
                floor[0],
                took / each,
                late / each,
                1e3 * each / took
            );
        }
    }
}
