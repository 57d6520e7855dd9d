//! Calls of a library in another process, from C's stubs to C's thunks, beside the least that two threads of this machine need.
//! Nanoseconds; medians.
//!
//! `cargo bench -p lapis-cx-tests --bench calls`; with `-- small` without the large copies; `-- count KIND N` makes N calls of a
//! kind and prints nothing, for valgrind.
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)] // other benchmarks use the rest
mod floors;

use std::ffi::{CStr, CString, c_int, c_void};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::thread::scope;
use std::time::Instant;

use floors::{copies, exchange, hand_over, line, pin, ping_pong, socket_stream, times, unpin};
use lapis_cx_core::SoftCxu;
use lapis_cx_remote::cxu::{Reach, Remote, load};
use lapis_cx_tests::{cc, remoted, repository, spec};

macro_rules! functions {
    ($($name:ident $symbol:literal: $type:ty),* $(,)?) => {
        /// The functions of the guest library.
        #[derive(Clone, Copy)]
        struct Calls {
            $($name: $type,)*
        }

        impl Calls {
            fn load(library: &Path) -> Calls {
                let path = CString::new(library.to_str().unwrap()).unwrap();
                // SAFETY: a library that is loaded for good.
                let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
                assert!(!library.is_null(), "{path:?}");
                let symbol = |name: &CStr| {
                    // SAFETY: the library is loaded.
                    let at = unsafe { libc::dlsym(library, name.as_ptr()) };
                    assert!(!at.is_null(), "{name:?}");
                    at
                };
                Calls {
                    // SAFETY: the functions have these types in calls.h.
                    $($name: unsafe { std::mem::transmute::<*mut c_void, $type>(symbol($symbol)) },)*
                }
            }
        }
    };
}

functions! {
    number c"calls_number": extern "C" fn(u64) -> u64,
    note c"calls_note": extern "C" fn(u64, u64),
    note_in_order c"calls_note_in_order": extern "C" fn(u64, u64),
    noted c"calls_noted": extern "C" fn() -> u64,
    take c"calls_take": unsafe extern "C" fn(*const u8, usize) -> c_int,
    work c"calls_work": extern "C" fn(u64) -> u64,
    page c"calls_page": unsafe extern "C" fn(*const u8, *mut u8, usize) -> c_int,
    open c"calls_open": extern "C" fn() -> *mut c_void,
    close c"calls_close": unsafe extern "C" fn(*mut c_void),
    box_take c"calls_box_take": unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
}

impl Calls {
    fn take(self, bytes: &[u8]) {
        // SAFETY: the function reads so many bytes.
        assert!(unsafe { (self.take)(bytes.as_ptr(), bytes.len()) } >= 0);
    }

    fn page(self, from: &[u8], to: &mut [u8]) {
        // SAFETY: the function reads and writes so many bytes.
        assert_eq!(unsafe { (self.page)(from.as_ptr(), to.as_mut_ptr(), from.len().min(to.len())) }, 0);
    }

    /// A million calls that nobody waits for, and one that waits for them.
    fn notes(self, note: extern "C" fn(u64, u64)) {
        (0..NOTES).for_each(|n| note(n, 1));
        black_box((self.noted)());
    }
}

const NOTES: u64 = 1_000_000;

/// So many calls of each of so many threads: millions a second.
fn calls_a_second(call: extern "C" fn(u64) -> u64, each: u64, threads: usize) -> f64 {
    let all = Barrier::new(threads + 1);
    let began = scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                unpin();
                call(0);
                all.wait();
                (0..each).for_each(|n| assert_eq!(call(n), n + 1));
            });
        }
        all.wait();
        Instant::now()
    });
    threads as f64 * each as f64 * 1e3 / began.elapsed().as_nanos() as f64
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
    let library = remoted::Library::make("calls", "calls", "-O2", &[]);
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("CX_REMOTE_LIBRARY", &library.real) };
    let calls = Calls::load(&library.remoting.join("libcalls.so.1"));
    // The worker is started by it, and runs where it likes.
    (calls.number)(0);
    let arguments: Vec<String> = std::env::args().collect();
    if let [.., count_, kind, rounds] = &*arguments
        && count_ == "count"
    {
        return count(calls, kind, rounds.parse().unwrap());
    }
    let folder = library.folder.path().join("mulacc");
    let [mut here, mut there] = cxus(&folder).map(command);
    there();
    pin(0);
    println!("{:38} {:>10} {:>10} {:>10} {:>6}", "", "floor", "median", "p99", "ratio");
    let (small, page, mut back) = ([1; 16], [1; 4096], [0; 4096]);
    for _ in 0..3 {
        let spin = || ping_pong(false, 3000, 10);
        line(
            "a number each way | spin",
            spin(),
            times(3000, 10, || {
                black_box((calls.number)(1));
            }),
        );
        line("a command of a CXU | spin", spin(), times(3000, 10, &mut there));
        line("a command of a CXU | in this process", times(3000, 100, &mut here), times(3000, 10, &mut there));
        line("16 bytes in | spin", spin(), times(3000, 10, || calls.take(&small)));
        line("16 bytes each way | spin", spin(), times(3000, 10, || calls.page(&small, &mut back[..16])));
        let open = (calls.open)();
        let boxed = || {
            // SAFETY: a box of the library, and bytes.
            assert!(unsafe { (calls.box_take)(open, small.as_ptr(), small.len()) } >= 0);
        };
        line("a handle and 16 bytes in | spin", spin(), times(3000, 10, boxed));
        // SAFETY: it is not used any more.
        unsafe { (calls.close)(open) };
        let pages = || calls.page(&page, &mut back);
        line("4 KiB each way | bare copies", exchange(4096, 3000, 10), times(3000, 10, pages));
        let each = |took: [f64; 2]| took.map(|took| took / NOTES as f64);
        line("nobody waits | raw stream", socket_stream(), each(times(5, 1, || calls.notes(calls.note))));
        line("in order | raw stream", socket_stream(), each(times(5, 1, || calls.notes(calls.note_in_order))));
        for (what, call, each) in [("a number", calls.number, 200_000), ("20 us of work", calls.work, 10_000)] {
            let [one, two] = [1, 2].map(|threads| calls_a_second(call, each, threads));
            println!("M calls/s, 1 and 2 threads, {what:13} {one:7.3} {two:10.3} {:10} {:6.2}", "", two / one);
        }
        let sizes: &[(usize, usize, &str)] = if arguments.iter().any(|argument| argument == "small") {
            &[]
        } else {
            &[(1 << 20, 300, "1 MiB"), (64 << 20, 12, "64 MiB")]
        };
        for &(size, rounds, what) in sizes {
            let bytes = vec![1u8; size];
            calls.take(&bytes);
            let floor = copies(size, rounds);
            let took = times(rounds, 1, || calls.take(&bytes));
            line(&format!("{what} in | memcpy"), floor, took);
            line("the same | bare copies", hand_over(size, rounds), took);
        }
    }
}
