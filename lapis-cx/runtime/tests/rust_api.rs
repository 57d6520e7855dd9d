//! The safe API, with CXUs written in Rust.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lapis_cx_runtime::{
    CommandError, CsrOp, Detached, Error, Legacy, OpenFlags, Reply, Response, RustCxu, Selector, Sharing, Singleton,
    Status, UserContext, Uuid, clear_status, open, register_rust, status,
};

const OK: Response = Response::Ok;

fn reply(value: usize, response: Response) -> Reply {
    Reply { value, response }
}

/// Multiply-accumulate with one word of state, under any identity and sharing.
struct Mac<const ID: u64, const SHARED: bool>;

impl<const ID: u64, const SHARED: bool> RustCxu for Mac<ID, SHARED> {
    type State = usize;
    type Word = usize;
    const UUID: Uuid = Uuid { high: 7, low: ID };
    const NAME: &'static CStr = c"mac";
    const SHARING: Sharing = if SHARED { Sharing::CallerSave } else { Sharing::Exclusive };
    const STATE_WORDS: u32 = 1;
    const RESET: usize = 0;

    fn issue(state: &mut usize, function: u32, a: usize, b: usize) -> Reply {
        match function {
            0 => *state = a.wrapping_mul(b),
            1 => *state = state.wrapping_add(a.wrapping_mul(b)),
            2 => return reply(99, Response::Custom),
            3 => panic!("a fault in the CXU"),
            _ => return reply(0, Response::Func),
        }
        reply(*state, OK)
    }

    fn csr(state: &mut usize, op: CsrOp, address: u32, value: usize) -> Reply {
        match address {
            0x810 => {
                let old = *state;
                *state = op.written(old, value).unwrap_or(old);
                reply(old, OK)
            }
            0x811 => panic!("a fault in the CXU"),
            _ => reply(0, Response::Func),
        }
    }

    fn save(state: &usize, words: &mut [usize]) {
        words.copy_from_slice(&[3 | 1 << 2, *state]);
    }

    fn restore(state: &mut usize, words: &[usize]) {
        if let [_, word] = words {
            *state = *word;
        }
    }
}

type Exclusive = Mac<1, false>;
type Shared = Mac<2, true>;

fn exclusive() -> lapis_cx_runtime::Cx {
    register_rust::<Exclusive>().unwrap();
    open(Exclusive::UUID, OpenFlags::EXCLUSIVE).unwrap()
}

#[test]
fn instances_are_apart() {
    let (one, two) = (exclusive(), exclusive());
    assert_ne!(one.selector(), two.selector());
    let first = one.select();
    assert_eq!(first.issue(0, 3, 4), Ok(12));
    {
        let second = two.select();
        assert_eq!(second.issue(1, 1, 1), Ok(1));
        // An outer guard still reaches its own CX.
        assert_eq!(first.issue(1, 1, 1), Ok(13));
        assert_eq!(second.issue(1, 1, 1), Ok(2));
    }
    assert_eq!(first.issue(1, 5, 6), Ok(43));
}

#[test]
fn guards_restore_also_on_panic() {
    let (one, two) = (exclusive(), exclusive());
    let outer = one.select();
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _inner = two.select();
        panic!("out of the window");
    }));
    assert!(unwound.is_err());
    clear_status(Status::ALL);
    assert_eq!(outer.issue(0, 2, 2), Ok(4));
    assert_eq!(status(), Status::NONE);
}

/// CX API, "CX calling conventions" 1: built-in is selected when such code starts, and shared state is saved by its caller.
#[test]
fn legacy_code_runs_under_built_in_and_keeps_no_shared_state() {
    register_rust::<Shared>().unwrap();
    // Two libraries that do not know of each other: one calls the other in the midst of its work.
    let theirs = Legacy::new(|panics: bool| {
        clear_status(Status::ALL);
        assert_eq!(Selector::BUILTIN, selected_now());
        let cx = open(Shared::UUID, OpenFlags::SHARED).unwrap();
        assert_eq!(cx.select().issue(0, 100, 100), Ok(10_000));
        assert!(!panics, "in the midst of it");
        5
    });
    let cx = open(Shared::UUID, OpenFlags::SHARED).unwrap();
    let mac = cx.select();
    assert_eq!(mac.issue(0, 3, 4), Ok(12));
    assert_eq!(mac.call(&theirs, |f| f(false)), Ok(5));
    assert_eq!(mac.issue(1, 1, 1), Ok(13), "the state is as it was");
    let unwound = catch_unwind(AssertUnwindSafe(|| mac.call(&theirs, |f| f(true))));
    assert!(unwound.is_err());
    assert_eq!(mac.issue(1, 1, 1), Ok(14), "also after a panic");
    assert_eq!(selected_now(), cx.selector());
    // An instance of one's own is nobody else's to change, and is not saved.
    let own = exclusive();
    let mac = own.select();
    assert_eq!(mac.issue(0, 3, 4), Ok(12));
    assert_eq!(mac.call(&theirs, |f| f(false)), Ok(5));
    assert_eq!(mac.issue(1, 1, 1), Ok(13));
}

/// The selection as C sees it.
fn selected_now() -> Selector {
    unsafe extern "C" {
        safe fn cx_get_sel() -> i32;
    }
    Selector::from_raw(cx_get_sel())
}

#[test]
fn detached_cxs_go_from_thread_to_thread() {
    register_rust::<Exclusive>().unwrap();
    let mut mac = Detached::new(Exclusive::UUID, OpenFlags::EXCLUSIVE);
    assert_eq!(mac.with(|mac| mac.issue(1, 3, 4)), Ok(Ok(12)));
    let mut mac = std::thread::spawn(move || {
        assert_eq!(mac.with(|mac| mac.issue(1, 5, 6)), Ok(Ok(42)));
        mac
    })
    .join()
    .unwrap();
    let mut copy = mac.clone();
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        mac.with(|mac| {
            mac.issue(1, 1, 1).unwrap();
            panic!("half way");
        })
    }));
    assert!(unwound.is_err() && selected_now() == Selector::BUILTIN);
    assert_eq!(mac.with(|mac| mac.issue(1, 0, 0)), Ok(Ok(42)), "what was half done is dropped");
    assert_eq!(copy.with(|mac| mac.issue(1, 1, 1)), Ok(Ok(43)));
    assert_eq!(Detached::new(Uuid { high: 7, low: 0 }, OpenFlags::SHARED).with(|_| ()), Err(Error::NoDevice));
    // A shared instance that is open here is not this one's.
    register_rust::<Shared>().unwrap();
    let mut shared = Detached::new(Shared::UUID, OpenFlags::SHARED);
    assert_eq!(shared.with(|mac| mac.issue(0, 2, 3)), Ok(Ok(6)));
    let here = open(Shared::UUID, OpenFlags::SHARED).unwrap();
    assert_eq!(shared.with(|_| ()), Err(Error::Busy));
    drop(here);
    assert_eq!(shared.with(|mac| mac.issue(1, 1, 1)), Ok(Ok(7)));
}

#[test]
fn a_user_context_is_one_of_its_thread() {
    register_rust::<Shared>().unwrap();
    let cx = open(Shared::UUID, OpenFlags::SHARED | OpenFlags::UCONTEXT).unwrap();
    cx.select().issue(0, 7, 11).unwrap();
    let context = UserContext::save().unwrap();
    std::thread::spawn(move || {
        let theirs = open(Shared::UUID, OpenFlags::SHARED | OpenFlags::UCONTEXT).unwrap();
        theirs.select().issue(0, 5, 1).unwrap();
        assert_eq!(context.restore(), Err(Error::Invalid));
        assert_eq!(selected_now(), Selector::BUILTIN);
        assert_eq!(theirs.select().issue(1, 0, 0), Ok(5));
    })
    .join()
    .unwrap();
}

// Sentences: state-context-virtualization 5.
#[test]
fn a_process_shares_what_asks_for_it() {
    register_rust::<Mac<30, false>>().unwrap();
    const UUID: Uuid = Uuid { high: 7, low: 30 };
    let one = || Singleton::of_process(UUID, OpenFlags::EXCLUSIVE);
    let threads: Vec<_> = (0..4)
        .map(|_| std::thread::spawn(move || (0..100).for_each(|_| _ = one().with(|mac| mac.issue(1, 1, 1)).unwrap())))
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(one().with(|mac| mac.issue(1, 0, 0)), Ok(Ok(400)));
    assert_eq!(one().with(|_| one().with(|_| ())), Ok(Err(Error::Busy)), "nobody waits for himself");
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        one().with(|mac| {
            mac.issue(1, 1, 1).unwrap();
            panic!("half way");
        })
    }));
    assert!(unwound.is_err());
    assert_eq!(one().with(|mac| mac.issue(1, 0, 0)), Ok(Ok(400)));
    // Who opens it as usual has a state of his own.
    assert_eq!(open(UUID, OpenFlags::EXCLUSIVE).unwrap().select().issue(1, 0, 0), Ok(0));
}

/// Processes are this test again, with a number of additions to make.
// Sentences: state-context-virtualization 5.
#[test]
fn a_machine_shares_what_names_a_file() {
    register_rust::<Mac<31, false>>().unwrap();
    const UUID: Uuid = Uuid { high: 7, low: 31 };
    if let Some(file) = std::env::var_os("CX_SINGLETON_FILE") {
        let one = Singleton::of_machine(UUID, OpenFlags::EXCLUSIVE, file);
        (0..50).for_each(|_| _ = one.with(|mac| mac.issue(1, 1, 1)).unwrap());
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("singleton");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("state");
    let processes: Vec<_> = (0..4)
        .map(|_| {
            let mut again = std::process::Command::new(std::env::current_exe().unwrap());
            again.arg("a_machine_shares_what_names_a_file").env("CX_SINGLETON_FILE", &file);
            again.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    processes.into_iter().for_each(|mut process| assert!(process.wait().unwrap().success()));
    let one = Singleton::of_machine(UUID, OpenFlags::EXCLUSIVE, &file);
    assert_eq!(one.with(|mac| mac.issue(1, 0, 0)), Ok(Ok(200)));
    assert_eq!(one.with(|_| one.with(|_| ())), Ok(Err(Error::Busy)));
    // Under another name it is the same file, also for another CX.
    let again = Singleton::of_machine(UUID, OpenFlags::EXCLUSIVE, folder.join("../singleton/state"));
    let other = Singleton::of_machine(Exclusive::UUID, OpenFlags::EXCLUSIVE, &file);
    assert_eq!(one.with(|_| (again.with(|_| ()), other.with(|_| ()))), Ok((Err(Error::Busy), Err(Error::Busy))));
    register_rust::<Exclusive>().unwrap();
    assert_eq!(other.with(|_| ()), Err(Error::Invalid), "a state of another CX");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..16]).unwrap();
    assert_eq!(one.with(|_| ()), Err(Error::Invalid), "a state that was cut off");
    let nowhere = Singleton::of_machine(UUID, OpenFlags::EXCLUSIVE, folder.join("none/state"));
    assert_eq!(nowhere.with(|_| ()), Err(Error::Permission));
}

#[test]
fn errors_carry_value_and_leave_flags() {
    let cx = exclusive();
    let mac = cx.select();
    clear_status(Status::ALL);
    let custom = CommandError(reply(99, Response::Custom));
    assert_eq!(mac.issue(2, 0, 0), Err(custom));
    let missing = CommandError(reply(0, Response::Func));
    assert_eq!(mac.issue(77, 0, 0), Err(missing));
    let both = Status::CUSTOM | Status::INVALID_FUNCTION;
    assert_eq!(clear_status(Status::CUSTOM), both);
    assert_eq!(status(), Status::INVALID_FUNCTION);
}

#[test]
fn a_panic_in_a_cxu_is_an_answer() {
    let cx = exclusive();
    let mac = cx.select();
    let answer = CommandError(reply(0, Response::Cxu));
    assert_eq!(mac.issue(3, 0, 0), Err(answer));
    assert_eq!(mac.issue(0, 2, 3), Ok(6));
}

/// A CXU that panics half way through a save or a restore, while told to by its state or the image.
struct Fragile;

impl RustCxu for Fragile {
    type State = [usize; 2];
    type Word = usize;
    const UUID: Uuid = Uuid { high: 7, low: 70 };
    const NAME: &'static CStr = c"fragile";
    const SHARING: Sharing = Sharing::Exclusive;
    const STATE_WORDS: u32 = 2;
    const RESET: [usize; 2] = [5, 6];

    fn issue(state: &mut [usize; 2], function: u32, a: usize, b: usize) -> Reply {
        let old = state[function as usize];
        if a == 1 {
            state[function as usize] = b;
        }
        reply(old, OK)
    }

    fn save(state: &[usize; 2], words: &mut [usize]) {
        words[0] = 3 | 2 << 2;
        words[1] = state[0];
        assert_ne!(state[0], 13, "a fault in the CXU");
        words[2] = state[1];
    }

    fn restore(state: &mut [usize; 2], words: &[usize]) {
        state[0] = words[1];
        assert_ne!(words[1], 13, "a fault in the CXU");
        state[1] = words[2];
    }
}

#[test]
fn a_panic_in_save_or_restore_fails_and_changes_nothing() {
    const WORD: usize = size_of::<usize>();
    register_rust::<Fragile>().unwrap();
    let cx = open(Fragile::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let fragile = cx.select();
    // With room for an image that is not aligned.
    let mut memory = vec![0usize; 4];
    // SAFETY: the bytes of the words, which outlive them.
    let bytes = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<u8>(), 4 * WORD) };
    for shift in [0, 1] {
        let image = &mut bytes[shift..shift + 3 * WORD];
        for (place, word) in [3 | 2 << 2, 13, 14usize].into_iter().enumerate() {
            image[place * WORD..(place + 1) * WORD].copy_from_slice(&word.to_ne_bytes());
        }
        assert_eq!(fragile.restore(image), Err(Error::Cxu));
        assert_eq!((fragile.issue(0, 0, 0), fragile.issue(1, 0, 0)), (Ok(5), Ok(6)), "the state is as it was");
        fragile.issue(0, 1, 13).unwrap();
        image.fill(0xA5);
        assert_eq!(fragile.save(image), Err(Error::Cxu));
        assert!(image.iter().all(|byte| *byte == 0xA5), "nothing is written");
        // Both work again.
        fragile.issue(0, 1, 5).unwrap();
        assert_eq!(fragile.save(image), Ok(3 * WORD));
        assert_eq!(fragile.restore(image), Ok(()));
        assert_eq!((fragile.issue(0, 0, 0), fragile.issue(1, 0, 0)), (Ok(5), Ok(6)));
    }
}

#[test]
fn shared_opens_are_one() {
    register_rust::<Shared>().unwrap();
    let one = open(Shared::UUID, OpenFlags::SHARED).unwrap();
    let two = open(Shared::UUID, OpenFlags::SHARED | OpenFlags::UCONTEXT).unwrap();
    assert_eq!(one.selector(), two.selector());
    assert_eq!(one.select().issue(0, 3, 3), Ok(9));
    drop(one);
    assert_eq!(two.select().issue(1, 1, 1), Ok(10));
    let stale = two.selector();
    drop(two);
    let again = open(Shared::UUID, OpenFlags::SHARED).unwrap();
    assert_ne!(again.selector(), stale);
    assert_eq!(again.select().issue(1, 1, 1), Ok(1), "reset when reopened");
}

#[test]
fn only_the_contract_s_sharing_opens() {
    register_rust::<Shared>().unwrap();
    register_rust::<Exclusive>().unwrap();
    let wrong = open(Shared::UUID, OpenFlags::EXCLUSIVE);
    assert_eq!(wrong.err(), Some(Error::Permission));
    let wrong = open(Exclusive::UUID, OpenFlags::SHARED);
    assert_eq!(wrong.err(), Some(Error::Permission));
    let absent = open(Uuid { high: 7, low: 0 }, OpenFlags::SHARED);
    assert_eq!(absent.err(), Some(Error::NoDevice));
}

#[test]
fn one_uuid_one_cxu() {
    register_rust::<Exclusive>().unwrap();
    assert_eq!(register_rust::<Exclusive>(), Ok(()));
    assert_eq!(register_rust::<Mac<1, true>>(), Err(Error::Busy));
}

#[test]
fn images() {
    let cx = exclusive();
    let mac = cx.select();
    let bytes = 2 * size_of::<usize>();
    assert_eq!(mac.image_size(), Ok(bytes));
    mac.issue(0, 6, 7).unwrap();
    // One aligned place, and one that is not.
    for shift in 0..2 {
        let mut memory = vec![0u64; 4];
        // SAFETY: bytes of a vector of numbers.
        let memory = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<u8>(), 32) };
        let image = &mut memory[shift..shift + bytes];
        assert_eq!(mac.save(image), Ok(bytes));
        mac.issue(0, 0, 0).unwrap();
        assert_eq!(mac.restore(&image[1..]), Err(Error::Invalid));
        assert_eq!(mac.issue(1, 0, 0), Ok(0));
        mac.restore(image).unwrap();
        assert_eq!(mac.issue(1, 0, 0), Ok(42));
        assert_eq!(mac.save(&mut image[1..]), Err(Error::Invalid));
    }
}

/// Does what hardware cannot: it uses the API while it runs.
struct Meddler;

thread_local! {
    static HELD: std::cell::RefCell<Option<lapis_cx_runtime::Cx>> = const { std::cell::RefCell::new(None) };
}

impl RustCxu for Meddler {
    type State = [usize; 4];
    type Word = usize;
    const UUID: Uuid = Uuid { high: 8, low: 1 };
    const NAME: &'static CStr = c"meddler";
    const SHARING: Sharing = Sharing::CalleeSave;
    const STATE_WORDS: u32 = 4;
    const RESET: [usize; 4] = [5; 4];

    fn issue(state: &mut [usize; 4], function: u32, _: usize, _: usize) -> Reply {
        if function == 0 {
            HELD.take(); // tries to close the CX that runs
        } else {
            let me = open(Self::UUID, OpenFlags::SHARED).unwrap();
            let me = me.select();
            assert!(me.issue(1, 0, 0).is_err());
            assert_eq!(me.save(&mut [0; 64]), Err(Error::Busy));
        }
        reply(state.iter().sum(), OK)
    }
    fn save(_: &[usize; 4], _: &mut [usize]) {}
    fn restore(_: &mut [usize; 4], _: &[usize]) {}
}

#[test]
fn csrs_are_those_of_the_selected_cx() {
    let (one, two) = (exclusive(), exclusive());
    let first = one.select();
    first.issue(0, 3, 4).unwrap();
    assert_eq!(first.csr(CsrOp::Read, 0x810, 0), Ok(12));
    assert_eq!(first.csr(CsrOp::Write, 0x810, 1), Ok(12));
    {
        let second = two.select();
        assert_eq!(second.csr(CsrOp::Set, 0x810, 6), Ok(0));
        assert_eq!(first.csr(CsrOp::Set, 0x810, 6), Ok(1), "its own also under an inner guard");
        assert_eq!(second.csr(CsrOp::Clear, 0x810, 2), Ok(6));
        assert_eq!(second.issue(1, 0, 0), Ok(4));
    }
    assert_eq!(first.issue(1, 0, 0), Ok(7));
    assert_eq!(status(), Status::NONE);
    assert_eq!(first.csr(CsrOp::Read, 0x812, 0), Err(CommandError(reply(0, Response::Func))));
    assert_eq!(first.csr(CsrOp::Read, 0x811, 0), Err(CommandError(reply(0, Response::Cxu))), "it panicked");
    assert_eq!(
        clear_status(Status::INVALID_FUNCTION | Status::INVALID_CXU),
        Status::INVALID_FUNCTION | Status::INVALID_CXU
    );
}

#[test]
fn a_running_cxu_keeps_its_state() {
    register_rust::<Meddler>().unwrap();
    let cx = open(Meddler::UUID, OpenFlags::SHARED).unwrap();
    let selector = cx.selector();
    HELD.set(Some(cx));
    let keep = open(Meddler::UUID, OpenFlags::SHARED).unwrap();
    let guard = keep.select();
    assert_eq!(guard.issue(1, 0, 0), Ok(20));
    assert_eq!(guard.issue(0, 0, 0), Ok(20));
    assert_eq!(keep.selector(), selector);
    assert_eq!(guard.issue(0, 0, 0), Ok(20));
}

#[test]
fn a_thousand_and_twenty_two() {
    std::thread::spawn(|| {
        let mut all: Vec<_> = (0..1022).map(|_| exclusive()).collect();
        let full = open(Exclusive::UUID, OpenFlags::EXCLUSIVE);
        assert_eq!(full.err(), Some(Error::TableFull));
        assert_eq!(all[1021].selector(), Selector::from_raw(1022));
        let first = all.swap_remove(10).selector();
        let next = exclusive().selector();
        assert_eq!(next.cx_index(), first.cx_index());
        assert_ne!(next, first);
    })
    .join()
    .unwrap();
}

#[test]
fn threads_have_their_own() {
    let here = exclusive();
    let guard = here.select();
    guard.issue(0, 5, 5).unwrap();
    std::thread::scope(|scope| {
        for n in 1..5 {
            scope.spawn(move || {
                let cx = exclusive();
                assert_eq!(cx.selector(), Selector::from_raw(1));
                let mac = cx.select();
                for _ in 0..1000 {
                    mac.issue(1, n, 1).unwrap();
                }
                assert_eq!(mac.issue(1, 0, 0), Ok(1000 * n));
            });
        }
    });
    assert_eq!(guard.issue(1, 0, 0), Ok(25));
}
