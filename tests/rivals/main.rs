//! The guest library's calls beside what a program would use instead: a Unix socket by hand, and gRPC (tonic) over one. Each has its
//! server in a process of its own. Each line has the floor that was measured just before, in this process. Nanoseconds; the medians,
//! and the 99th percentiles of single calls.
//!
//! `cargo bench --manifest-path tests/rivals/Cargo.toml`; with `-- free` the servers run where the scheduler puts them, else on another
//! processor than this process, as the two ends of a floor do.

#[allow(dead_code)] // other benchmarks use the rest
#[path = "../benches/floors/mod.rs"]
mod floors;
mod grpc;
#[allow(dead_code)]
#[path = "../benches/guest/mod.rs"]
mod guest;
mod socket;

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use floors::{copies, exchange, head, hot, line, pin, ping_pong, times};
// The static library of the engine is made because it is named.
use lapis_cx_remote as _;

/// What each of them can do; a call returns once it is done.
trait Rival {
    /// A number there, and the next one back.
    fn number(&mut self, value: u64) -> u64;
    /// Bytes there and back.
    fn page(&mut self, from: &[u8], to: &mut [u8]);
    /// Bytes there.
    fn take(&mut self, bytes: &[u8]);
    /// So many calls of two numbers that nobody waits for, and one that waits for them all.
    fn notes(&mut self, count: u64);
}

impl Rival for guest::Calls {
    fn number(&mut self, value: u64) -> u64 {
        (self.number)(value)
    }

    fn page(&mut self, from: &[u8], to: &mut [u8]) {
        guest::Calls::page(*self, from, to);
    }

    fn take(&mut self, bytes: &[u8]) {
        guest::Calls::take(*self, bytes);
    }

    fn notes(&mut self, count: u64) {
        let before = (self.noted)();
        (0..count).for_each(|_| (self.note)(0, 1));
        assert_eq!((self.noted)(), before + count);
    }
}

/// This program as a server of the name, and its socket. It ends with this process.
fn server(name: &str) -> (Server, UnixStream) {
    let (mine, other) = UnixStream::pair().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(name).stdin(OwnedFd::from(other));
    // SAFETY: one call of the system.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        })
    };
    (Server(command.spawn().unwrap()), mine)
}

/// It is killed when this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The connection that a server was started with.
fn given() -> UnixStream {
    use std::os::fd::AsFd;
    std::io::stdin().as_fd().try_clone_to_owned().unwrap().into()
}

const SERVERS: [(&str, fn(UnixStream)); 2] = [("serve-socket", socket::serve), ("serve-grpc", grpc::serve)];

fn main() {
    let is = |name: &str| std::env::args().any(|argument| argument == name);
    if let Some((_, serve)) = SERVERS.iter().find(|(name, _)| is(name)) {
        return serve(given());
    }
    // The servers are bound as this thread is when it starts them.
    if !is("free") {
        pin(1);
    }
    let (_library, calls) = guest::start();
    let [(_socket, by_hand), (_grpc, over_grpc)] = SERVERS.map(|(name, _)| server(name));
    let rivals: [(&str, Box<dyn Rival>); 3] = [
        ("the guest library", Box::new(calls)),
        ("a Unix socket", Box::new(socket::Client(by_hand))),
        ("tonic over a Unix socket", Box::new(grpc::Client::new(over_grpc))),
    ];
    pin(0);
    compare(rivals);
}

fn compare(mut rivals: [(&str, Box<dyn Rival>); 3]) {
    for (name, rival) in &mut rivals {
        (0..100).for_each(|value| assert_eq!(rival.number(value), value + 1, "{name}"));
    }
    let (page, large, mut back) = ([1; 4096], vec![1; 1 << 20], [0; 4096]);
    let spin = || ping_pong(false, 3000, 10);
    for _ in 0..3 {
        head("A number each way; the floor is a spin");
        line("a futex", spin(), ping_pong(true, 3000, 1));
        for (name, rival) in &mut rivals {
            line(name, spin(), hot(2000, || assert_eq!(rival.number(1), 2)));
        }
        head("The same; the floor is a futex");
        for (name, rival) in &mut rivals {
            line(name, ping_pong(true, 3000, 1), times(2000, 1, || assert_eq!(rival.number(1), 2)));
        }
        head("4 KiB each way; the floor is bare copies");
        for (name, rival) in &mut rivals {
            line(name, exchange(4096, 3000, 10), hot(2000, || rival.page(&page, &mut back)));
        }
        head("1 MiB in; the floor is memcpy");
        for (name, rival) in &mut rivals {
            line(name, copies(1 << 20, 300), times(300, 1, || rival.take(&large)));
        }
        head("Two numbers that nobody waits for; the floor is a spin");
        for (name, rival) in &mut rivals {
            const COUNT: u64 = 100_000;
            let took = times(20, 1, || rival.notes(COUNT)).map(|took| took / COUNT as f64);
            line(name, spin(), took);
        }
    }
}
