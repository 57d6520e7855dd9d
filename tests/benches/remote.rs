//! Channels beside the least that two threads on this machine need: each line has the floor that was measured just before, as the
//! host moves its processors near and far within seconds. Nanoseconds; medians, and 99th percentiles of single calls.
//!
//! `cargo bench -p lapis-cx-tests --bench remote`; with `-- small` without the large copies.
#![allow(clippy::unwrap_used, clippy::panic)]

mod floors;

use std::hint::black_box;
use std::io::Read;
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::thread::scope;
use std::time::{Duration, Instant};

use floors::{
    copies, exchange, hand_over, head, hot, line, pin, ping_pong, socket_ping_pong, socket_stream, times, unpin,
};
use lapis_cx_remote::{Channel, Connection, Error, Geometry, Library, Spin, Transport, Wake, socket_pair};

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
    with_server_over(Transport::Shared, ring, spin, work)
}

fn with_server_over<T>(over: Transport, ring: u32, spin: Spin, work: impl FnOnce(&mut Channel) -> T) -> T {
    let [(mut here, life), (there, _)] = Channel::pair_over(over, ring, spin).unwrap();
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

fn void(channel: &mut Channel, count: u64) {
    for n in 0..count {
        let mut writer = channel.sender.record(VOID);
        writer.put_u64(n);
        writer.put_u64(1);
        writer.commit(Wake::Later).unwrap();
    }
    small(channel, 0);
}

/// Processor time of a clock: nanoseconds.
fn processor_time(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for a time.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Processor time of this whole process, user's and system's, in some seconds in which nobody calls, after each channel was just used: %
/// of one processor.
fn idle(over: Transport) -> f64 {
    with_server_over(over, 65536, Spin::Adaptive, |channel| {
        (0..10_000).for_each(|n| small(channel, n));
        // Whoever spins sleeps then.
        std::thread::sleep(Duration::from_millis(10));
        let (began, used) = (Instant::now(), processor_time(libc::CLOCK_PROCESS_CPUTIME_ID));
        std::thread::sleep(Duration::from_secs(3));
        100.0 * (processor_time(libc::CLOCK_PROCESS_CPUTIME_ID) - used) / began.elapsed().as_nanos() as f64
    })
}

/// Processor time of both threads for a call after a pause in which whoever waited fell asleep: nanoseconds.
fn cold_call(spin: Spin) -> [f64; 2] {
    with_server(65536, spin, |channel| {
        let mut used: Vec<f64> = (0..400)
            .map(|_| {
                std::thread::sleep(Duration::from_millis(1));
                let before = processor_time(libc::CLOCK_PROCESS_CPUTIME_ID);
                small(channel, 1);
                // It ends its spin, and sleeps.
                std::thread::sleep(Duration::from_millis(1));
                processor_time(libc::CLOCK_PROCESS_CPUTIME_ID) - before
            })
            .collect();
        used.sort_by(f64::total_cmp);
        [used[200], used[396]]
    })
}

/// Calls of so many threads, each with its own channel and server, on whatever processors: millions a second.
fn calls_a_second(threads: usize, over: Transport) -> f64 {
    const CALLS: u64 = 100_000;
    let (mut guests, mut servers) = (Vec::new(), Vec::new());
    for _ in 0..threads {
        let [guest, server] = Channel::pair_over(over, 65536, Spin::Adaptive).unwrap();
        guests.push(guest.0);
        servers.push(server.0);
    }
    let began = Instant::now();
    scope(|threads| {
        for server in servers {
            threads.spawn(|| {
                unpin();
                serve_small(server);
            });
        }
        for mut guest in guests {
            threads.spawn(move || {
                unpin();
                (0..CALLS).for_each(|n| small(&mut guest, n));
            });
        }
    });
    threads as f64 * CALLS as f64 * 1e3 / began.elapsed().as_nanos() as f64
}

fn serve_small(mut channel: Channel) {
    while let Ok(mut asked) = channel.receiver.next() {
        let (kind, size, value) = (asked.kind(), asked.get_u64().unwrap(), asked.get_u64().unwrap());
        drop(asked);
        let mut answer = channel.sender.record(kind);
        answer.put_u64(size);
        answer.put_u64(value);
        if answer.commit(Wake::Now).is_err() {
            return;
        }
    }
}

fn library() -> Library {
    Library { name: "bench".to_owned(), contract: [0; 32] }
}

/// What this program is when it is started to be killed.
const VICTIM: &str = "be-killed";

/// Its standard input is the connection: it accepts a channel, and never answers.
fn be_killed() {
    let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
    let worker = Connection::worker(socket, &library(), Geometry::default(), Spin::Never, |_| Ok(())).unwrap();
    let mut channel = worker.accept().unwrap();
    channel.sender.record(CALL).commit(Wake::Now).unwrap();
    while channel.receiver.next().is_ok() {}
}

/// From the signal to the moment a thread that waited for an answer knows; the floor is the end of file of a pipe of that process.
fn death(over: Transport) -> ([f64; 2], [f64; 2]) {
    let (mut floors, mut learnt) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let [mine, other] = socket_pair().unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut child = command.arg(VICTIM).stdin(Stdio::from(other)).stdout(Stdio::piped()).spawn().unwrap();
        drop(command);
        let geometry = Geometry::default();
        let guest = Connection::guest_over(&[over], mine, &library(), geometry, Spin::Adaptive).unwrap();
        let mut channel = guest.open().unwrap();
        assert_eq!(channel.receiver.next().unwrap().kind(), CALL);
        let mut pipe = child.stdout.take().unwrap();
        scope(|threads| {
            let floor = threads.spawn(move || {
                let _ = pipe.read(&mut [0]);
                Instant::now()
            });
            let waits = threads.spawn(|| {
                assert_eq!(channel.receiver.next().err(), Some(Error::Died));
                Instant::now()
            });
            std::thread::sleep(Duration::from_millis(2));
            let killed = Instant::now();
            child.kill().unwrap();
            floors.push((floor.join().unwrap() - killed).as_nanos() as f64);
            learnt.push((waits.join().unwrap() - killed).as_nanos() as f64);
        });
        child.wait().unwrap();
    }
    let sorted = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        [times[20], times[39]]
    };
    (sorted(floors), sorted(learnt))
}

fn rivals_and_rest() {
    let floor = ping_pong(true, 3000, 1);
    line("raw socket, 16 bytes | futex", floor, socket_ping_pong(3000));
    let floor = socket_ping_pong(3000);
    let over_socket =
        with_server_over(Transport::Socket, 65536, Spin::Adaptive, |channel| times(3000, 1, || small(channel, 1)));
    line("call over a socket | raw socket", floor, over_socket);
    let floor = socket_stream();
    let each = |took: [f64; 2]| took.map(|took| took / 1e6);
    let over_socket = each(with_server_over(Transport::Socket, 65536, Spin::Adaptive, |channel| {
        times(3, 1, || void(channel, 1_000_000))
    }));
    line("void record over a socket | raw stream", floor, over_socket);
    let floor = socket_stream();
    let shared = each(with_server(65536, Spin::Adaptive, |channel| times(5, 1, || void(channel, 1_000_000))));
    line("void record | raw stream", floor, shared);
    let (floor, learnt) = death(Transport::Shared);
    line("SIGKILL until learnt | pipe", floor, learnt);
    let (floor, learnt) = death(Transport::Socket);
    line("SIGKILL until learnt, socket | pipe", floor, learnt);
    let floor = cold_call(Spin::Never);
    line("processor time, cold call | no spin", floor, cold_call(Spin::Adaptive));
    println!(
        "{:56} {:.4} % of a processor, over sockets {:.4} %",
        "idle for 3 s",
        idle(Transport::Shared),
        idle(Transport::Socket)
    );
    for over in [Transport::Shared, Transport::Socket] {
        let [one, two] = [1, 2].map(|threads| calls_a_second(threads, over));
        println!(
            "{:56} {one:10.3} {two:10.3} {:10} {:6.2}",
            format!("M calls/s, 1 and 2 threads, {over:?}"),
            "",
            two / one
        );
    }
}

const MOST: u32 = 1 << 20;

fn main() {
    let is = |what: &str| std::env::args().any(|argument| argument == what);
    if is(VICTIM) {
        return be_killed();
    }
    let sizes: &[(usize, usize, &str)] =
        if is("small") { &[] } else { &[(1 << 20, 300, "1 MiB"), (64 << 20, 12, "64 MiB")] };
    pin(0);
    head("");
    for _ in 0..3 {
        let spun = |ring| with_server(ring, Spin::Adaptive, |channel| hot(3000, || small(channel, 1)));
        line("call of 16 bytes | spin", ping_pong(false, 3000, 10), spun(65536));
        line("the same, ring of 1 MiB | spin", ping_pong(false, 3000, 10), spun(MOST));
        let page =
            || with_server(65536, Spin::Adaptive, |channel| hot(3000, || call(channel, &[1; 4096], &mut [0; 4096])));
        line("call of 4 KiB each way | spin", ping_pong(false, 3000, 10), page());
        line("the same | bare copies", exchange(4096, 3000, 10), page());
        let floor = ping_pong(true, 3000, 1);
        let slept = with_server(65536, Spin::Never, |channel| times(3000, 1, || small(channel, 1)));
        line("call of 16 bytes, no spin | futex", floor, slept);
        rivals_and_rest();
        for &(size, rounds, what) in sizes {
            let bytes = vec![1u8; size];
            for ring in [65536, 256 << 10, 512 << 10, MOST] {
                let took = || {
                    with_server(ring, Spin::Adaptive, |channel| {
                        call(channel, &bytes, &mut []);
                        times(rounds, 1, || call(channel, &bytes, &mut []))
                    })
                };
                line(&format!("{what} in, ring of {} KiB | memcpy", ring >> 10), copies(size, rounds), took());
                if ring == MOST {
                    line("the same | bare copies", hand_over(size, rounds), took());
                }
            }
        }
        for ring in [65536, MOST] {
            const COUNT: u64 = 1_000_000;
            let floor = ping_pong(false, 300, 10);
            let [took, late] = with_server(ring, Spin::Adaptive, |channel| times(12, 1, || void(channel, COUNT)));
            let each = COUNT as f64;
            println!(
                "{:56} {:10.0} {:10.2} {:10.2} {:6.0} M/s",
                format!("void record, ring of {} KiB | spin", ring >> 10),
                floor[0],
                took / each,
                late / each,
                1e3 * each / took
            );
        }
    }
}
