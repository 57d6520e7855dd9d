//! The least that this machine needs for what the benchmarks of remoting measure: each is measured in the same process, just before.

use std::cell::UnsafeCell;
use std::hint::{black_box, spin_loop};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::scope;
use std::time::Instant;

/// Two words, each on lines of its own.
#[repr(align(128))]
#[derive(Default)]
struct Word(AtomicU32);

/// Keeps this thread on a processor.
pub fn pin(cpu: usize) {
    // SAFETY: a set of processors is plain numbers, and it is written whole.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// Median and 99th percentile of the times of `work`, in nanoseconds; of `each` calls at a time.
pub fn times(rounds: usize, each: u32, mut work: impl FnMut()) -> [f64; 2] {
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

/// The same of calls that take little more than the clock: the median of ten at a time, the 99th percentile of single ones, with the clock.
pub fn hot(rounds: usize, mut work: impl FnMut()) -> [f64; 2] {
    let (mut tens, mut ones) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let began = Instant::now();
        (0..10).for_each(|_| work());
        let between = Instant::now();
        work();
        ones.push(between.elapsed().as_nanos() as f64);
        tens.push((between - began).as_nanos() as f64 / 10.0);
    }
    tens.sort_by(f64::total_cmp);
    ones.sort_by(f64::total_cmp);
    [tens[rounds / 2], ones[rounds * 99 / 100]]
}

fn futex(word: &AtomicU32, operation: i32, value: u32) {
    // SAFETY: the word is there while it is borrowed.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, std::ptr::null::<libc::timespec>()) };
}

/// A word there and back, between processors 0 and 1; a thread that waits spins, or sleeps.
pub fn ping_pong(sleeps: bool, rounds: usize, each: u32) -> [f64; 2] {
    there_and_back(sleeps, rounds, each, || pin(1))
}

/// The same where the system runs both threads. The other one begins with `prepare`.
pub fn there_and_back(sleeps: bool, rounds: usize, each: u32, prepare: impl FnOnce() + Send) -> [f64; 2] {
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
    let (there, back) = (&there, &back);
    scope(|threads| {
        threads.spawn(move || {
            prepare();
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

/// A ring that two threads have, for pieces of one size, and how many were put there and taken.
struct Way {
    put: Word,
    taken: Word,
    ring: Box<[UnsafeCell<u8>]>,
}

// SAFETY: whoever stores a word copied before; the other thread copies only then.
unsafe impl Sync for Way {}

impl Way {
    fn new(bytes: usize) -> Way {
        Way { put: Word::default(), taken: Word::default(), ring: (0..bytes).map(|_| UnsafeCell::new(0)).collect() }
    }

    fn place(&self, n: u32, size: usize) -> *mut u8 {
        self.ring[n as usize * size % self.ring.len()..][..size].as_ptr().cast_mut().cast()
    }

    fn put(&self, n: u32, bytes: &[u8]) {
        while (n - self.taken.0.load(Ordering::Acquire)) as usize * bytes.len() == self.ring.len() {
            spin_loop();
        }
        // SAFETY: the other thread waits for the word.
        unsafe { self.place(n, bytes.len()).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.put.0.store(n + 1, Ordering::Release);
    }

    fn take(&self, n: u32, bytes: &mut [u8]) {
        while self.put.0.load(Ordering::Acquire) == n {
            spin_loop();
        }
        // SAFETY: as above.
        unsafe { self.place(n, bytes.len()).copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        self.taken.0.store(n + 1, Ordering::Release);
    }
}

/// So many bytes in, through a ring of 1 MiB in parts of 32 KiB: one thread copies in while the other one copies out. Until the last is
/// out.
pub fn hand_over(size: usize, rounds: usize) -> [f64; 2] {
    const PART: usize = 32 << 10;
    let way = Way::new(1 << 20);
    scope(|threads| {
        threads.spawn(|| {
            pin(1);
            let (mut n, mut bytes) = (0, vec![0; size]);
            for _ in 0..rounds {
                for part in bytes.chunks_exact_mut(PART) {
                    way.take(n, part);
                    n += 1;
                }
            }
        });
        let (mut n, bytes) = (0, vec![1; size]);
        times(rounds, 1, || {
            for part in bytes.chunks_exact(PART) {
                way.put(n, part);
                n += 1;
            }
            while way.taken.0.load(Ordering::Acquire) != n {
                spin_loop();
            }
        })
    })
}

/// So many bytes there and back, over memory that both threads have: copied in and out on both sides, as nobody may look at bytes which
/// the other one can change. Each time the next place of a ring of 64 KiB.
pub fn exchange(size: usize, rounds: usize, each: u32) -> [f64; 2] {
    let (there, back) = (Way::new(65536), Way::new(65536));
    scope(|threads| {
        threads.spawn(|| {
            pin(1);
            let mut bytes = vec![0; size];
            for n in 0..rounds as u32 * each {
                there.take(n, &mut bytes);
                back.put(n, &bytes);
            }
        });
        let (mut n, mut bytes) = (0, vec![1; size]);
        times(rounds, each, || {
            there.put(n, &bytes);
            back.take(n, &mut bytes);
            n += 1;
        })
    })
}

/// 16 bytes there and back over a socket: what any RPC over one costs at least.
pub fn socket_ping_pong(rounds: usize) -> [f64; 2] {
    let (mut here, mut there) = UnixStream::pair().unwrap();
    scope(|threads| {
        threads.spawn(move || {
            pin(1);
            let mut bytes = [0; 16];
            while there.read_exact(&mut bytes).is_ok() {
                there.write_all(&bytes).unwrap();
            }
        });
        let mut bytes = [1; 16];
        let took = times(rounds, 1, || {
            here.write_all(&bytes).unwrap();
            here.read_exact(&mut bytes).unwrap();
        });
        drop(here);
        took
    })
}

/// Many messages of 16 bytes, each a write of its own, read as they come, and an answer to the last: for each.
pub fn socket_stream() -> [f64; 2] {
    const COUNT: usize = 200_000;
    let (mut here, mut there) = UnixStream::pair().unwrap();
    scope(|threads| {
        threads.spawn(move || {
            pin(1);
            let (mut bytes, mut left) = (vec![0; 65536], COUNT * 16);
            while let Ok(1..) = there.read(&mut bytes).inspect(|&read| left -= read) {
                if left == 0 {
                    left = COUNT * 16;
                    there.write_all(&[1]).unwrap();
                }
            }
        });
        let took = times(3, 1, || {
            (0..COUNT).for_each(|_| here.write_all(&[1; 16]).unwrap());
            here.read_exact(&mut [0]).unwrap();
        });
        drop(here);
        took.map(|took| took / COUNT as f64)
    })
}

/// A copy of so many bytes.
pub fn copies(size: usize, rounds: usize) -> [f64; 2] {
    let (from, mut to) = (vec![1u8; size], vec![2u8; size]);
    times(rounds, 1, || black_box(&mut to).copy_from_slice(black_box(&from)))
}

/// Lets this thread run anywhere.
pub fn unpin() {
    // SAFETY: as in `pin`.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        (0..libc::CPU_SETSIZE as usize).for_each(|cpu| libc::CPU_SET(cpu, &mut set));
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// The head of a table.
pub fn head(what: &str) {
    println!("{what:56} {:>10} {:>10} {:>10} {:>6}", "floor", "median", "p99", "ratio");
}

/// A line of a table: what is little has a digit more.
pub fn line(what: &str, [floor, _]: [f64; 2], [median, p99]: [f64; 2]) {
    let digits = |time: f64| if time < 100.0 { 1 } else { 0 };
    let shown = [floor, median, p99].map(|time| format!("{time:10.*}", digits(time)));
    println!("{what:56} {} {:6.2}", shown.join(" "), median / floor);
}
