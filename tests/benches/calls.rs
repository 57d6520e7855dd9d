//! Calls of a library in another process, from C's stubs to C's thunks, beside the least that two threads of this machine need: each
//! line has the floor that was measured just before. Nanoseconds; medians, and 99th percentiles of single calls.
//!
//! `cargo bench -p lapis-cx-tests --bench calls`; with `-- small` without the large copies; `-- count KIND N` makes N calls of a
//! kind and prints nothing, for valgrind.
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)] // other benchmarks use the rest
mod floors;
mod guest;

use std::hint::{black_box, spin_loop};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;
use std::time::Instant;

use floors::{
    copies, exchange, hand_over, head, hot, line, pin, ping_pong, socket_ping_pong, socket_stream, there_and_back,
    times, unpin,
};
use guest::{Calls, NOTES};
use lapis_cx_core::SoftCxu;
use lapis_cx_remote::cxu::{Reach, Remote, load};
use lapis_cx_tests::{cc, remoted, repository, spec};

/// Makes `each` calls on each of `threads` threads, which run `prepare` first, and returns millions of calls a second: the median of five runs.
fn calls_a_second(call: extern "C" fn(u64) -> u64, each: u64, threads: usize, prepare: fn()) -> f64 {
    let run = || {
        let all = Barrier::new(threads);
        let thread = || {
            prepare();
            call(0);
            all.wait();
            let began = Instant::now();
            (0..each).for_each(|n| assert_eq!(call(n), n + 1));
            (began, Instant::now())
        };
        let times: Vec<_> = scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(thread)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (began, ended) = (times.iter().map(|time| time.0).min(), times.iter().map(|time| time.1).max());
        threads as f64 * each as f64 * 1e3 / (ended.unwrap() - began.unwrap()).as_nanos() as f64
    };
    let mut runs = [(); 5].map(|()| run());
    runs.sort_by(f64::total_cmp);
    runs[2]
}

/// Makes so many calls of a kind, and what goes before.
fn count(calls: Calls, kind: &str, rounds: u32) {
    let (small, mut page, opened) = ([1; 16], [0; 16], (calls.open)());
    for _ in 0..rounds {
        match kind {
            "number" => assert_eq!((calls.number)(1), 2),
            "take" => calls.take(&small),
            "page" => calls.page(&small, &mut page),
            // SAFETY: a box of the library, and bytes.
            "box" => assert!(unsafe { (calls.box_take)(opened, small.as_ptr(), small.len()) } >= 0),
            "note" => (calls.note)(1, 1),
            "note_in_order" => (calls.note_in_order)(1, 1),
            _ => panic!("{kind}: number, take, page, box, note or note_in_order"),
        }
    }
    black_box((calls.noted)());
    // SAFETY: it is not used any more.
    unsafe { (calls.close)(opened) };
}

/// A CXU as a generated fallback in this process, and the same in a worker.
fn cxus(folder: &Path) -> [&'static SoftCxu; 2] {
    spec::write(&spec::build("mulacc"), folder);
    let [fallback, worker] = ["libmulacc.so", "worker"].map(|name| folder.join(name));
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-fPIC", "-shared", "-I"]).arg(folder.join("include")).arg("-o").arg(&fallback);
    cc::run(gcc.arg(folder.join("src/mulacc_fallback.c")));
    let main = "#include \"cx_remote_cxu.h\"\nextern const struct cx_soft_cxu mulacc_soft_cxu;\n\
        int main(int n, char **words) { const struct cx_soft_cxu *cxu = &mulacc_soft_cxu; \
        return cxr_cxu_worker_main(&cxu, 1, n, words); }\n";
    std::fs::write(folder.join("worker.c"), main).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.arg("-I").arg(remoted::headers()).arg("-I").arg(repository().join("lapis-cx/core/include"));
    gcc.arg(folder.join("worker.c")).arg(&fallback).arg(format!("-Wl,-rpath,{}", folder.display()));
    cc::run(gcc.args(remoted::engine().split(' ')).arg("-lgcc_s").arg("-o").arg(&worker));
    let remote = Remote::connect(&Reach::Private(worker, Vec::new())).unwrap();
    // SAFETY: a generated fallback.
    [unsafe { load(fallback.to_str().unwrap()) }.unwrap(), remote.descriptor(0).unwrap()]
}

/// A command to a new state of a CXU.
fn command(cxu: &'static SoftCxu) -> impl FnMut() {
    let mut state = vec![0u64; cxu.state_size.div_ceil(8)];
    let (init, issue) = (cxu.init.unwrap(), cxu.issue.unwrap());
    // SAFETY: zeroed memory of its size, which stays where it is.
    unsafe { init(state.as_mut_ptr().cast()) };
    move || {
        let mut rd = 0;
        // SAFETY: a state of this CXU.
        assert_eq!(unsafe { issue(state.as_mut_ptr().cast(), 1, black_box(3), 4, &raw mut rd) }, 0);
        black_box(rd);
    }
}

fn main() {
    let (library, calls) = guest::start();
    let arguments: Vec<String> = std::env::args().collect();
    if let [.., count_, kind, rounds] = &*arguments
        && count_ == "count"
    {
        return count(calls, kind, rounds.parse().unwrap());
    }
    let large = !arguments.iter().any(|argument| argument == "small");
    if arguments.iter().any(|argument| argument == UNDER_LOAD) {
        let is_alone = std::thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
        return under_load(calls, if is_alone { "on one processor" } else { "one of four programs" });
    }
    if arguments.iter().any(|argument| argument == COPIED) {
        pin(0);
        return (0..3).for_each(|_| buffers(calls, large, ", copied twice"));
    }
    let folder = library.folder.path().join("mulacc");
    let [mut here, mut there] = cxus(&folder).map(command);
    there();
    pin(0);
    head("");
    for _ in 0..3 {
        small_calls(calls, &mut here, &mut there);
        nobody_waits(calls);
        threads(calls);
        buffers(calls, large, "");
    }
    // What needs a worker of another kind: a process has one worker, on any processor.
    unpin();
    start_up(&library);
    let again = |mode: &str| {
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(arguments.iter().skip(1)).arg(mode);
        again
    };
    assert!(again(COPIED).env("CX_REMOTE_IN_PLACE_BYTES", "0").status().unwrap().success());
    beside_two_loops(|| under_load(calls, "beside two busy loops"));
    let four: Vec<_> = (0..4).map(|_| again(UNDER_LOAD).spawn().unwrap()).collect();
    four.into_iter().for_each(|mut one| assert!(one.wait().unwrap().success()));
    // SAFETY: a child may call `sched_setaffinity`.
    let one = unsafe {
        again(UNDER_LOAD)
            .pre_exec(|| {
                pin(0);
                Ok(())
            })
            .status()
    };
    assert!(one.unwrap().success());
}

/// Modes of this program: with a worker that uses no buffers in place, and as one of several programs or on few processors.
const COPIED: &str = "copied";
const UNDER_LOAD: &str = "under-load";

/// Calls, and two threads that wake each other, where they share processors with others.
fn under_load(calls: Calls, what: &str) {
    const ROUNDS: usize = 30;
    let number = || {
        black_box((calls.number)(1));
    };
    for _ in 0..3 {
        let floor = there_and_back(true, ROUNDS, 100, || ());
        line(&format!("a number, {what} | futex"), floor, times(ROUNDS, 100, number));
    }
    let [one, two] = [1, 2].map(|threads| calls_a_second(calls.number, 5000, threads, || ()));
    println!("{:56} {one:10.3} {two:10.3} {:10} {:6.2}", format!("M calls/s, 1 and 2 threads, {what}"), "", two / one);
}

/// Does `work` while two threads compute.
fn beside_two_loops(work: impl FnOnce()) {
    let is_over = AtomicBool::new(false);
    scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        work();
        is_over.store(true, Ordering::Relaxed);
    });
}

/// A process that makes one call, remoted: against a process that makes it with the library, and against one that does nothing.
fn start_up(library: &remoted::Library) {
    let program = library.program("once");
    let mut native = Command::new(&program);
    native.env("LD_LIBRARY_PATH", library.folder.path());
    let mut remote = remoted::command(&program, &library.remoting, &library.real);
    let run = |command: &mut Command| times(40, 1, || assert!(command.status().unwrap().success()));
    line("a process with one call, remoted | native", run(&mut native), run(&mut remote));
    line("the same | an empty process", run(&mut Command::new("true")), run(&mut remote));
}

/// Calls with buffers. `how` says how the worker uses them.
fn buffers(calls: Calls, large: bool, how: &str) {
    const ROUNDS: usize = 3000;
    // Allocated, because arrays on the stack can touch each other, and then share their copy.
    let (page, mut back) = (vec![1; 4096], vec![0; 4096]);
    let pages = hot(ROUNDS, || calls.page(&page, &mut back));
    line(&format!("4 KiB each way{how} | bare copies"), exchange(4096, ROUNDS, 10), pages);
    if large {
        bulk(calls, 1 << 20, 300, &format!("1 MiB in{how}"));
        bulk(calls, 64 << 20, 12, &format!("64 MiB in{how}"));
    }
}

fn small_calls(calls: Calls, here: &mut impl FnMut(), there: &mut impl FnMut()) {
    const ROUNDS: usize = 3000;
    let (small, mut back) = ([1; 16], [0; 16]);
    let spin = || ping_pong(false, ROUNDS, 10);
    let number = || {
        black_box((calls.number)(1));
    };
    line("a number each way | spin", spin(), hot(ROUNDS, number));
    line("the same | raw socket", socket_ping_pong(ROUNDS), hot(ROUNDS, number));
    line("a command of a CXU | spin", spin(), hot(ROUNDS, &mut *there));
    line("a command of a CXU | in this process", times(ROUNDS, 100, here), hot(ROUNDS, there));
    line("16 bytes in | spin", spin(), hot(ROUNDS, || calls.take(&small)));
    line("16 bytes each way | spin", spin(), hot(ROUNDS, || calls.page(&small, &mut back)));
    let open = (calls.open)();
    let boxed = || {
        // SAFETY: a box of the library, and bytes.
        assert!(unsafe { (calls.box_take)(open, small.as_ptr(), small.len()) } >= 0);
    };
    line("a handle and 16 bytes in | spin", spin(), hot(ROUNDS, boxed));
    // SAFETY: it is not used any more.
    unsafe { (calls.close)(open) };
}

/// A million calls at a time, and as millions a second.
fn nobody_waits(calls: Calls) {
    for (what, note) in [("nobody waits", calls.note), ("in order", calls.note_in_order)] {
        let floor = socket_stream();
        let took = times(20, 1, || calls.notes(note)).map(|took| took / NOTES as f64);
        line(&format!("{what} | raw stream"), floor, took);
        let [floor, median, slowest] = [floor[0], took[0], took[1]].map(|each| 1e3 / each);
        println!("{:56} {floor:10.2} {median:10.1} {slowest:10.1} {:6.1}", "the same, M calls/s", median / floor);
    }
}

fn threads(calls: Calls) {
    for (what, call, each) in [("a number", calls.number, 200_000), ("20 us of work", calls.work, 10_000)] {
        let [one, two] = [1, 2].map(|threads| calls_a_second(call, each, threads, unpin));
        println!(
            "{:56} {one:10.3} {two:10.3} {:10} {:6.2}",
            format!("M calls/s, 1 and 2 threads, {what}"),
            "",
            two / one
        );
    }
    // Threads that begin, call and end: all calls are done, or this does not end.
    const ROUNDS: usize = 10;
    const THREADS: u64 = 8;
    const CALLS: u64 = 2000;
    let rounds = times(ROUNDS, 1, || {
        scope(|scope| {
            (0..THREADS).for_each(|_| {
                scope.spawn(|| {
                    unpin();
                    (0..CALLS).for_each(|n| assert_eq!((calls.number)(n), n + 1));
                });
            });
        });
    });
    let [median, slowest] = rounds.map(|took| took / 1e6);
    let what = format!("{ROUNDS} rounds of {THREADS} new threads x {CALLS} calls: ms a round");
    println!("{what:56} {:10} {median:10.1} {slowest:10.1}", "");
}

fn bulk(calls: Calls, size: usize, rounds: usize, what: &str) {
    let bytes = vec![1u8; size];
    let took = || times(rounds, 1, || calls.take(&bytes));
    calls.take(&bytes);
    line(&format!("{what} | memcpy"), copies(size, rounds), took());
    line("the same | bare copies", hand_over(size, rounds), took());
}
