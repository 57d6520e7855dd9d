//! What the CX API document says, sentence by sentence (`tests/sentences/cx-api.txt`), through the functions of `cx.h`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ffi::{CStr, c_void};
use std::ptr;
use std::thread::spawn;

use lapis_cx_runtime::{
    CsrOp, Legacy, OpenFlags, Reply, Response, RustCxu, Sharing, UserContext, Uuid, open, register_rust,
};

// `cx.h`. The pointers of these calls are good.
unsafe extern "C" {
    fn cx_open(puuid: *const Uuid, flags: i32) -> i32;
    safe fn cx_close(sel: i32);
    safe fn cx_sel_is_cx(sel: i32) -> bool;
    safe fn cx_get_sel() -> i32;
    safe fn cx_select(sel: i32) -> i32;
    fn cx_save(pv: *mut c_void, size: usize) -> usize;
    fn cx_restore(pv: *mut c_void, size: usize);
    safe fn cx_abi3_issue(function: u32, rs1: usize, rs2: usize) -> usize;
    safe fn cx_abi3_csr(op: u32, address: u32, value: usize) -> usize;
    safe fn cx_status_clear(flags: u32) -> u32;
}

const INVALID: i32 = -1;
const BUILTIN: i32 = 0;
const SHARED: i32 = 0;
const EXCLUSIVE: i32 = 1;
const UCONTEXT: i32 = 2;

/// Multiply-accumulate, with the total in a CSR too; `MODEL` is the sharing.
struct Mac<const ID: u64, const MODEL: u32>;

impl<const ID: u64, const MODEL: u32> RustCxu for Mac<ID, MODEL> {
    type State = usize;
    type Word = usize;
    const UUID: Uuid = Uuid { high: 21, low: ID };
    const NAME: &'static CStr = c"mac";
    const SHARING: Sharing = match Sharing::from_code(MODEL) {
        Some(sharing) => sharing,
        None => Sharing::Exclusive,
    };
    const STATE_WORDS: u32 = 1;
    const RESET: usize = 7;

    fn issue(state: &mut usize, function: u32, a: usize, b: usize) -> Reply {
        match function {
            0 => *state = a.wrapping_mul(b),
            1 => *state = state.wrapping_add(a.wrapping_mul(b)),
            _ => return Reply { value: 0, response: Response::Func },
        }
        Reply { value: *state, response: Response::Ok }
    }

    fn csr(state: &mut usize, op: CsrOp, _: u32, value: usize) -> Reply {
        let old = *state;
        *state = op.written(old, value).unwrap_or(old);
        Reply { value: old, response: Response::Ok }
    }

    fn save(state: &usize, words: &mut [usize]) {
        words.copy_from_slice(&[3 | 1 << 2, *state]);
    }

    fn restore(state: &mut usize, words: &[usize]) {
        *state = words[1];
    }
}

/// Without state.
struct Adder;

impl RustCxu for Adder {
    type State = ();
    type Word = usize;
    const UUID: Uuid = Uuid { high: 21, low: 99 };
    const NAME: &'static CStr = c"adder";
    const SHARING: Sharing = Sharing::Stateless;
    const STATE_WORDS: u32 = 0;
    const RESET: () = ();
    fn issue((): &mut (), _: u32, a: usize, b: usize) -> Reply {
        Reply { value: a.wrapping_add(b), response: Response::Ok }
    }
    fn save((): &(), _: &mut [usize]) {}
    fn restore((): &mut (), _: &[usize]) {}
}

type Exclusive = Mac<1, 1>;
type CallerSave = Mac<2, 2>;
type CalleeSave = Mac<3, 3>;

/// `cx_open` of a CX that is registered.
fn opened<C: RustCxu>(flags: i32) -> i32 {
    register_rust::<C>().unwrap();
    raw_open(C::UUID, flags)
}

fn raw_open(uuid: Uuid, flags: i32) -> i32 {
    // SAFETY: a UUID is there.
    unsafe { cx_open(&raw const uuid, flags) }
}

/// acc = a * b
fn mul(a: usize, b: usize) -> usize {
    cx_abi3_issue(0, a, b)
}

/// acc += a * b
fn mac(a: usize, b: usize) -> usize {
    cx_abi3_issue(1, a, b)
}

fn saved() -> Vec<u8> {
    // SAFETY: null asks for the size; then there is room.
    unsafe {
        let mut image = vec![0; cx_save(ptr::null_mut(), 0)];
        assert_eq!(cx_save(image.as_mut_ptr().cast(), image.len()), image.len());
        image
    }
}

fn load(image: &mut [u8]) {
    // SAFETY: the slice is as long as it says.
    unsafe { cx_restore(image.as_mut_ptr().cast(), image.len()) };
}

// Sentences: cx-api 1, 41.
#[test]
fn a_stateless_cx_has_nothing_of_its_own() {
    for flags in [SHARED, EXCLUSIVE] {
        let sel = opened::<Adder>(flags);
        cx_select(sel);
        assert_eq!(cx_abi3_issue(0, 20, 22), 42);
        assert_eq!(saved().len(), 0);
        cx_select(BUILTIN);
        cx_close(sel);
    }
}

// Sentences: cx-api 2, 20, 29, 32.
#[test]
fn a_shared_cx_has_one_instance_for_a_thread() {
    let (one, two) = (opened::<CallerSave>(SHARED), opened::<CallerSave>(SHARED));
    assert!(cx_sel_is_cx(one) && one == two);
    cx_select(one);
    assert_eq!(mul(6, 7), 42);
    let three = opened::<CallerSave>(SHARED);
    assert_eq!((three, mac(0, 0)), (one, 42), "the third open did not initialise it");
    cx_close(one);
    cx_close(two);
    assert!(cx_sel_is_cx(one));
    assert_eq!(mac(0, 0), 42);
    cx_close(three);
    assert!(!cx_sel_is_cx(one));
    cx_select(BUILTIN);
}

// Sentences: cx-api 3, 16.
#[test]
fn the_contract_says_how_a_cx_is_opened() {
    assert!(cx_sel_is_cx(opened::<CalleeSave>(SHARED)) && !cx_sel_is_cx(opened::<CalleeSave>(EXCLUSIVE)));
    assert!(cx_sel_is_cx(opened::<Exclusive>(EXCLUSIVE)) && !cx_sel_is_cx(opened::<Exclusive>(SHARED)));
}

// Sentences: cx-api 4-5, 21, 38.
#[test]
fn exclusive_instances_keep_their_states() {
    let all: Vec<i32> = (0..5).map(|_| opened::<Exclusive>(EXCLUSIVE)).collect();
    for (i, sel) in all.iter().enumerate() {
        assert!(!all[..i].contains(sel));
        cx_select(*sel);
        mul(i, 10);
    }
    for (i, sel) in all.iter().enumerate().rev() {
        cx_select(*sel);
        assert_eq!((mac(0, 0), cx_abi3_csr(0, 0x840, 0)), (i * 10, i * 10));
    }
    cx_select(BUILTIN);
    all.into_iter().for_each(|sel| cx_close(sel));
}

// Sentences: cx-api 6-11, 27.
#[test]
fn user_contexts_have_the_selection_and_what_takes_part() {
    let (in_it, not) = (opened::<CallerSave>(SHARED | UCONTEXT), opened::<CalleeSave>(SHARED));
    let (own_in_it, own) = (opened::<Exclusive>(EXCLUSIVE | UCONTEXT), opened::<Exclusive>(EXCLUSIVE));
    let all = [in_it, not, own_in_it, own];
    let set = |value| all.map(|sel| (cx_select(sel), mul(value, 1)));
    set(1);
    cx_select(own);
    let context = UserContext::save().unwrap();
    set(2);
    cx_select(not);
    context.restore().unwrap();
    assert_eq!(cx_get_sel(), own);
    let now = all.map(|sel| (cx_select(sel), mac(0, 0)).1);
    assert_eq!(now, [1, 2, 1, 2]);
    cx_select(BUILTIN);
    all.into_iter().for_each(|sel| cx_close(sel));
}

// Sentences: cx-api 13-14, 17-18.
#[test]
fn a_uuid_names_one_cx() {
    let there = opened::<Exclusive>(EXCLUSIVE);
    assert!(cx_sel_is_cx(there));
    cx_close(there);
    for (high, low) in [(21, 1 << 63), (22, 1), (0, 0)] {
        assert_eq!(raw_open(Uuid { high, low }, EXCLUSIVE), INVALID);
    }
    // Another CX with this UUID is refused: it would be another contract.
    struct Other;
    impl RustCxu for Other {
        type State = ();
        type Word = usize;
        const UUID: Uuid = Exclusive::UUID;
        const NAME: &'static CStr = c"other";
        const SHARING: Sharing = Sharing::Stateless;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();
        fn issue((): &mut (), _: u32, _: usize, _: usize) -> Reply {
            Reply { value: 0, response: Response::Ok }
        }
        fn save((): &(), _: &mut [usize]) {}
        fn restore((): &mut (), _: &[usize]) {}
    }
    assert!(register_rust::<Other>().is_err());
}

// Sentences: cx-api 15, 19, 30.
#[test]
fn a_selector_serves_until_it_is_closed() {
    let sel = opened::<Exclusive>(EXCLUSIVE);
    cx_select(sel);
    assert_eq!(mul(2, 3), 6);
    cx_close(sel);
    assert!(!cx_sel_is_cx(sel));
    cx_status_clear(!0);
    assert_eq!((mac(1, 1), cx_status_clear(!0)), (0, 2));
    cx_select(sel);
    assert_eq!((mac(1, 1), cx_status_clear(!0)), (0, 2));
    cx_select(BUILTIN);
}

// Sentences: cx-api 22, 28.
#[test]
fn what_is_opened_again_is_new() {
    let first = opened::<Exclusive>(EXCLUSIVE);
    cx_select(first);
    assert_eq!((mac(0, 0), mul(5, 5)), (7, 25), "initialised as the CX says");
    cx_close(first);
    let second = opened::<Exclusive>(EXCLUSIVE);
    cx_select(second);
    assert_eq!(mac(0, 0), 7);
    assert_ne!(first, second);
    cx_select(BUILTIN);
    cx_close(second);
    let shared = opened::<CallerSave>(SHARED);
    cx_select(shared);
    mul(5, 5);
    cx_close(shared);
    let again = opened::<CallerSave>(SHARED);
    cx_select(again);
    assert_eq!(mac(0, 0), 7);
    cx_select(BUILTIN);
    cx_close(again);
}

// Sentences: cx-api 23-26, 31.
#[test]
fn threads_have_instances_and_selectors_of_their_own() {
    let (shared, own) = (opened::<CallerSave>(SHARED), opened::<Exclusive>(EXCLUSIVE));
    cx_select(shared);
    mul(3, 3);
    let other = spawn(move || {
        assert!(!cx_sel_is_cx(shared) && !cx_sel_is_cx(own), "nothing is open here");
        // A close of what this thread did not open does nothing.
        cx_close(own);
        let first = opened::<Exclusive>(EXCLUSIVE);
        let here = opened::<CallerSave>(SHARED);
        cx_select(here);
        assert_eq!(mul(100, 1), 100);
        (first, here)
    });
    let (first, here) = other.join().unwrap();
    assert_eq!(mac(0, 0), 9);
    assert_eq!(first, shared, "equal selectors of different CXs");
    assert_ne!(here, shared, "different selectors of one CX");
    assert!(cx_sel_is_cx(own));
    cx_select(BUILTIN);
    cx_close(own);
    cx_close(shared);
}

// Sentences: cx-api 34-37, 50.
#[test]
fn selections_are_those_of_the_thread() {
    spawn(|| {
        assert_eq!(cx_get_sel(), BUILTIN);
        let sel = opened::<Exclusive>(EXCLUSIVE);
        assert_eq!(cx_select(sel), BUILTIN);
        assert_eq!(spawn(|| cx_get_sel()).join().unwrap(), BUILTIN);
        assert_eq!((cx_get_sel(), cx_select(INVALID), cx_get_sel()), (sel, sel, INVALID));
        assert_eq!(cx_select(12345), INVALID);
        assert_eq!(cx_select(BUILTIN), 12345);
        let stale = opened::<Exclusive>(EXCLUSIVE);
        cx_close(stale);
        assert_eq!(
            [sel, BUILTIN, INVALID, stale, 12345].map(|sel| cx_sel_is_cx(sel)),
            [true, false, false, false, false]
        );
    })
    .join()
    .unwrap();
}

// Sentences: cx-api 39-40.
#[test]
fn without_a_cx_commands_set_flags() {
    spawn(|| {
        // This processor has no custom instructions of its own.
        assert_eq!((mul(3, 3), cx_status_clear(!0)), (0, 0x10));
        assert_eq!((cx_abi3_csr(0, 0x840, 0), cx_status_clear(!0)), (0, 0x10));
        for invalid in [INVALID, 1, 1023, 77777] {
            cx_select(invalid);
            assert_eq!((mul(3, 3), cx_status_clear(!0)), (0, 2));
            assert_eq!((cx_abi3_csr(0, 0x840, 0), cx_status_clear(!0)), (0, 2));
        }
    })
    .join()
    .unwrap();
}

// Sentences: cx-api 42-44.
#[test]
fn states_are_saved_and_loaded() {
    let (one, two) = (opened::<Exclusive>(EXCLUSIVE), opened::<Exclusive>(EXCLUSIVE));
    cx_select(one);
    mul(6, 7);
    let mut image = saved();
    assert_eq!(image.len(), 2 * size_of::<usize>());
    // Too little room: nothing is written.
    let mut short = [0xA5u8; 3 * size_of::<usize>()];
    for size in 0..image.len() {
        // SAFETY: there is more room than that.
        assert_eq!(unsafe { cx_save(short.as_mut_ptr().cast(), size) }, 0);
    }
    // SAFETY: as above.
    assert_eq!(unsafe { cx_save(short.as_mut_ptr().cast(), short.len()) }, image.len());
    assert!(short[..image.len()] == image && short[image.len()..].iter().all(|byte| *byte == 0xA5));
    cx_select(two);
    // SAFETY: null does nothing.
    unsafe { cx_restore(ptr::null_mut(), 100) };
    assert_eq!(mac(0, 0), 7);
    load(&mut image);
    assert_eq!(mac(0, 0), 42);
    cx_select(BUILTIN);
    cx_close(one);
    cx_close(two);
}

// Sentences: cx-api 45-47.
#[test]
fn code_of_the_default_convention() {
    register_rust::<CallerSave>().unwrap();
    let legacy = Legacy::new(|| {
        let selected = cx_get_sel();
        let sel = raw_open(CallerSave::UUID, SHARED);
        cx_select(sel);
        mul(1000, 1000);
        cx_select(selected);
        cx_close(sel);
        selected
    });
    let cx = open(CallerSave::UUID, OpenFlags::SHARED).unwrap();
    let selected = cx.select();
    mul(3, 5);
    assert_eq!(selected.call(&legacy, |code| code()), Ok(BUILTIN));
    assert_eq!((cx_get_sel(), mac(1, 1)), (cx.selector().raw(), 16));
}

// Sentences: cx-api 48-49.
#[test]
fn code_of_the_cx_convention() {
    /// The dot product of the document, "Shared state CX library -- CX calling convention".
    fn dotp(sel: i32, a: &[usize], b: &[usize]) -> usize {
        let before = cx_select(sel);
        let mut callers = saved();
        mul(0, 0);
        let sum = a.iter().zip(b).fold(0, |_, (a, b)| mac(*a, *b));
        load(&mut callers);
        cx_select(before);
        sum
    }
    let (sel, other) = (opened::<CalleeSave>(SHARED), opened::<Exclusive>(EXCLUSIVE));
    cx_select(sel);
    mul(6, 7);
    cx_select(other);
    assert_eq!(dotp(sel, &[1, 2, 3], &[4, 5, 6]), 32);
    assert_eq!(cx_get_sel(), other);
    cx_select(sel);
    assert_eq!(mac(0, 0), 42);
    cx_select(BUILTIN);
    cx_close(sel);
    cx_close(other);
}
