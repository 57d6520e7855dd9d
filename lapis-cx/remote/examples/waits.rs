//! How long a call takes beside the least that two threads of this machine need for it, with and without other load. Nanoseconds, means of
//! 100 ms; each line is the median of some rounds, in which all columns were measured one after the other.
//!
//! ```text
//! cargo run --release -p lapis-cx-remote --example waits
//! taskset -c 0 target/release/examples/waits
//! ```
#![cfg(not(loom))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::scope;
use std::time::{Duration, Instant};

use lapis_cx_remote::{Channel, Spin, Wake};

const WINDOW: Duration = Duration::from_millis(100);

#[repr(align(128))]
#[derive(Default)]
struct Word(AtomicU32);

fn futex(word: &AtomicU32, operation: i32, value: u32) {
    // SAFETY: the word is borrowed.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, std::ptr::null::<libc::timespec>()) };
}

/// Mean time of `work` in a window, ns.
fn mean(mut work: impl FnMut()) -> f64 {
    let began = Instant::now();
    let mut count = 0u32;
    while began.elapsed() < WINDOW {
        (0..4).for_each(|_| work());
        count += 4;
    }
    began.elapsed().as_nanos() as f64 / f64::from(count)
}

/// A word there and back.
fn floor(sleeps: bool) -> f64 {
    let (there, back) = (Word::default(), Word::default());
    let wait = |word: &AtomicU32, old: u32| {
        while word.load(Ordering::Acquire) == old {
            if sleeps { futex(word, libc::FUTEX_WAIT, old) } else { std::hint::spin_loop() }
        }
    };
    let post = |word: &AtomicU32, new: u32| {
        word.store(new, Ordering::Release);
        if sleeps {
            futex(word, libc::FUTEX_WAKE, 1);
        }
    };
    let over = AtomicBool::new(false);
    scope(|threads| {
        threads.spawn(|| {
            for n in 0.. {
                wait(&there.0, n);
                // Before the answer, which lets the other thread set it.
                let is_last = over.load(Ordering::Relaxed);
                post(&back.0, n + 1);
                if is_last {
                    return;
                }
            }
        });
        let mut n = 0;
        let mut call = || {
            post(&there.0, n + 1);
            wait(&back.0, n);
            n += 1;
        };
        let took = mean(&mut call);
        over.store(true, Ordering::Relaxed);
        call();
        took
    })
}

fn serve(mut channel: Channel) {
    while let Ok(mut asked) = channel.receiver.next() {
        let value = asked.get_u64().unwrap();
        drop(asked);
        let mut answer = channel.sender.record(1);
        answer.put_u64(value);
        if answer.commit(Wake::Now).is_err() {
            return;
        }
    }
}

fn call(channel: &mut Channel) {
    let mut asked = channel.sender.record(1);
    asked.put_u64(1);
    asked.commit(Wake::Now).unwrap();
    channel.receiver.next().unwrap().get_u64().unwrap();
}

/// Makes calls from `threads` threads, each with its own channel, and returns the average time of a call.
fn calls(spin: Spin, threads: usize) -> f64 {
    let times: Vec<f64> = scope(|all| {
        let calls: Vec<_> = (0..threads)
            .map(|_| {
                let [(mut here, _life), (there, _)] = Channel::pair(65536, spin).unwrap();
                all.spawn(move || serve(there));
                all.spawn(move || {
                    call(&mut here);
                    mean(|| call(&mut here))
                })
            })
            .collect();
        calls.into_iter().map(|one| one.join().unwrap()).collect()
    });
    // Rates add up.
    1.0 / times.iter().map(|took| 1.0 / took).sum::<f64>()
}

fn row(what: &str, rounds: usize, with_spin: bool) {
    let mut columns: [Vec<f64>; 5] = Default::default();
    for _ in 0..rounds {
        let spun = if with_spin { floor(false) } else { f64::NAN };
        let one = calls(Spin::Adaptive, 1);
        let all = [spun, floor(true), one, calls(Spin::Never, 1), calls(Spin::Adaptive, 2)];
        columns.iter_mut().zip(all).for_each(|(column, one)| column.push(one));
    }
    let ratio = |a: usize, b: usize| {
        let mut all: Vec<f64> = columns[a].iter().zip(&columns[b]).map(|(a, b)| a / b).collect();
        all.sort_by(f64::total_cmp);
        all[rounds / 2]
    };
    let mut sorted = columns.clone();
    sorted.iter_mut().for_each(|column| column.sort_by(f64::total_cmp));
    let [spun, slept, one, never, two] = sorted.map(|column| column[rounds / 2]);
    println!(
        "{what:20} spin {spun:8.0} futex {slept:8.0} | call {one:8.0} (/spin {:5.2} /futex {:5.2}) no spin {never:8.0} (/futex {:5.2}) | two threads {two:8.0} (throughput x {:5.2})",
        ratio(2, 0),
        ratio(2, 1),
        ratio(3, 1),
        ratio(2, 4),
    );
}

/// Runs `work` beside threads that compute.
fn beside(hogs: usize, work: impl FnOnce()) {
    let over = AtomicBool::new(false);
    scope(|threads| {
        for _ in 0..hogs {
            threads.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        work();
        over.store(true, Ordering::Relaxed);
    });
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(9, |rounds| rounds.parse().unwrap());
    if std::env::args().nth(2).is_some() {
        return row("one of four", rounds, false);
    }
    row("alone", rounds, std::thread::available_parallelism().unwrap().get() > 1);
    beside(1, || row("one busy loop", rounds, false));
    beside(2, || row("two busy loops", rounds, false));
    let program = || {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args([&rounds.to_string(), "four"]).spawn().unwrap()
    };
    let all: Vec<_> = (0..4).map(|_| program()).collect();
    all.into_iter().for_each(|mut one| assert!(one.wait().unwrap().success()));
}
