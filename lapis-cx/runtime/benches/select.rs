//! What the CX API costs, beside the least that it could: selecting beside a load and a store of a thread's own word, a command
//! to a software CXU beside a call of a function through a pointer, and a state that is swapped beside two copies of it and a
//! swap of one word. Nanoseconds, the least of some turns.
//!
//! `cargo bench -p lapis-cx-runtime --bench select`
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::Cell;
use std::ffi::c_void;
use std::hint::black_box;
use std::time::Instant;

use lapis_cx_core::ABI_VERSION;
use lapis_cx_runtime::{
    Cx, OpenFlags, PlatformCxu, Response, SoftCxu, SoftFlags, Uuid, emulate_absent, load_platform, open, register,
};

// The C ABI, as programs in C call it.
unsafe extern "C" {
    safe fn cx_select(sel: i32) -> i32;
    safe fn cx_abi3_issue(function: u32, rs1: usize, rs2: usize) -> usize;
}

thread_local! {
    static WORD: Cell<i32> = const { Cell::new(0) };
}

/// What a selection is at the least.
#[inline(never)]
extern "C" fn swap_word(value: i32) -> i32 {
    WORD.with(|word| word.replace(value))
}

/// A state of `N` words after the status word; command 0 adds to the first.
#[repr(C)]
struct State<const N: usize> {
    status: usize,
    words: [usize; N],
}

unsafe extern "C" fn init<const N: usize>(state: *mut c_void) {
    // SAFETY: zeroed memory of a state.
    unsafe { (*state.cast::<State<N>>()).status = N << 2 | 1 };
}

unsafe extern "C" fn issue<const N: usize>(state: *mut c_void, id: u32, a: usize, _b: usize, rd: *mut usize) -> u32 {
    // SAFETY: an initialised state, and a place for rd.
    let (state, rd) = unsafe { (&mut *state.cast::<State<N>>(), &mut *rd) };
    match id {
        0 => {
            state.words[0] = state.words[0].wrapping_add(a);
            state.status |= 3;
            *rd = state.words[0];
        }
        1022 => *rd = std::mem::replace(&mut state.status, N << 2 | a & 3),
        1023 => *rd = state.status,
        _ => return Response::Func.code(),
    }
    Response::Ok.code()
}

unsafe extern "C" fn save<const N: usize>(state: *const c_void, image: *mut c_void) {
    // SAFETY: an image is as large as a state.
    unsafe { image.cast::<State<N>>().copy_from_nonoverlapping(state.cast(), 1) };
}

unsafe extern "C" fn restore<const N: usize>(state: *mut c_void, image: *const c_void) {
    // SAFETY: as for `save`.
    unsafe { state.cast::<State<N>>().copy_from_nonoverlapping(image.cast(), 1) };
}

struct Made<const N: usize>;

impl<const N: usize> Made<N> {
    const UUID: Uuid = Uuid { high: 11, low: N as u64 };
    const CXU: &'static SoftCxu = &SoftCxu {
        abi_version: ABI_VERSION,
        struct_size: size_of::<SoftCxu>() as u32,
        uuid: Self::UUID,
        contract: [0; 32],
        xlen: usize::BITS,
        sharing: 1,
        flags: SoftFlags::STATE_CONTEXT,
        state_words: N as u32,
        state_size: size_of::<State<N>>(),
        state_align: align_of::<State<N>>(),
        name: c"made".as_ptr(),
        init: Some(init::<N>),
        issue: Some(issue::<N>),
        save: Some(save::<N>),
        restore: Some(restore::<N>),
        csr: None,
        flex: None,
    };

    fn open() -> Cx {
        // SAFETY: the functions keep what is asked of them.
        unsafe { register(Self::CXU) }.unwrap();
        open(Self::UUID, OpenFlags::EXCLUSIVE).unwrap()
    }
}

/// Nanoseconds of one of `count` runs: the least of some turns.
fn least(count: u32, mut run: impl FnMut()) -> f64 {
    let turn = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..count {
            run();
        }
        start.elapsed().as_nanos() as f64 / f64::from(count)
    };
    (0..21).map(|_| turn(&mut run)).fold(f64::INFINITY, f64::min)
}

fn row(what: &str, floor: f64, ours: f64, bar: f64) {
    println!("{what:28} {floor:9.2} {ours:9.2} {:7.2} {bar:7.1}", ours / floor);
}

/// Two CXs in turn over one context: each command swaps.
fn swap<const N: usize>() -> f64 {
    let both = [Made::<N>::open(), Made::<N>::open()].map(|cx| (cx.selector().raw(), cx));
    least(20_000 / (N as u32 / 16 + 1), || {
        for (selector, _) in &both {
            cx_select(*selector);
            black_box(cx_abi3_issue(0, 1, 0));
        }
    }) / 2.0
}

fn copies<const N: usize>() -> f64 {
    let (mut live, mut image, loaded) = (vec![0usize; N], vec![1usize; N], vec![2usize; N]);
    least(20_000, || {
        black_box(&mut image).copy_from_slice(black_box(&live));
        black_box(&mut live).copy_from_slice(black_box(&loaded));
    })
}

fn main() {
    println!("{:28} {:>9} {:>9} {:>7} {:>7}", "ns", "floor", "this", "ratio", "bar");
    // One without a CXU, and others over one context each.
    let one = |uuid| PlatformCxu { uuid, contexts: 1 };
    load_platform(&[Made::<2>::UUID, Made::<16>::UUID, Made::<128>::UUID, Made::<1023>::UUID].map(one)).unwrap();
    emulate_absent(Made::<1>::UUID).unwrap();
    let cx = Made::<1>::open();
    let selector = cx.selector().raw();
    let word: extern "C" fn(i32) -> i32 = swap_word;
    let floor = least(100_000, || {
        black_box(black_box(word)(black_box(5)));
    });
    for (what, selector) in [("select: a CX", selector), ("select: built-in", 0)] {
        row(what, floor, least(100_000, || _ = black_box(cx_select(black_box(selector)))), 2.0);
    }
    cx_select(selector);
    let mut state = State { status: 1, words: [0] };
    let call: unsafe extern "C" fn(*mut c_void, u32, usize, usize, *mut usize) -> u32 = issue::<1>;
    let floor = least(100_000, || {
        let mut rd = 0;
        // SAFETY: the state and the place are good.
        black_box(unsafe { black_box(call)((&raw mut state).cast(), 0, 3, 4, &mut rd) });
        black_box(rd);
    });
    row("command: a soft CXU", floor, least(100_000, || _ = black_box(cx_abi3_issue(0, 3, 4))), 3.0);
    cx_select(0);
    let trap = swap::<2>();
    println!("{:28} {:>9} {trap:9.2}", "swap: 2 words", "");
    for (what, copies, swap) in [
        ("swap: 16 words", copies::<16>(), swap::<16>()),
        ("swap: 128 words", copies::<128>(), swap::<128>()),
        ("swap: 1023 words", copies::<1023>(), swap::<1023>()),
    ] {
        row(what, copies + trap, swap, 1.5);
    }
}
