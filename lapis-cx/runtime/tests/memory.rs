//! The memory of open CXs is given back at the last close, and when the thread ends.
#![allow(clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::CStr;
use std::mem::{forget, size_of};
use std::sync::atomic::{AtomicIsize, Ordering};

use lapis_cx_runtime::{OpenFlags, Reply, Response, RustCxu, Sharing, Uuid, open, register_rust};

/// A size that nothing else here allocates.
type State = [u64; 1237];

static LIVE: AtomicIsize = AtomicIsize::new(0);

struct Counting;

fn count(layout: Layout, change: isize) {
    if layout.size() == size_of::<State>() {
        LIVE.fetch_add(change, Ordering::SeqCst);
    }
}

// SAFETY: the system allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout, 1);
        // SAFETY: as asked.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(layout, -1);
        // SAFETY: as asked.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Large;

impl RustCxu for Large {
    type State = State;
    type Word = usize;
    const UUID: Uuid = Uuid { high: 9, low: 1 };
    const NAME: &'static CStr = c"large";
    const SHARING: Sharing = Sharing::Exclusive;
    const STATE_WORDS: u32 = 1237;
    const RESET: State = [0; 1237];

    fn issue(_: &mut State, _: u32, _: usize, _: usize) -> Reply {
        Reply { value: 0, response: Response::Ok }
    }
    fn save(_: &State, _: &mut [usize]) {}
    fn restore(_: &mut State, _: &[usize]) {}
}

// Sentences: cx-api 33.
#[test]
fn nothing_stays() {
    register_rust::<Large>().unwrap();
    let live = || LIVE.load(Ordering::SeqCst);
    let one = open(Large::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let two = open(Large::UUID, OpenFlags::EXCLUSIVE).unwrap();
    assert_eq!(live(), 2);
    drop(one);
    assert_eq!(live(), 1);
    std::thread::spawn(move || {
        for _ in 0..10 {
            let cx = open(Large::UUID, OpenFlags::EXCLUSIVE).unwrap();
            forget(cx.select());
            forget(cx);
        }
        assert_eq!(live(), 11);
    })
    .join()
    .unwrap();
    assert_eq!(live(), 1);
    drop(two);
    assert_eq!(live(), 0);
}
