//! What threads share in the runtime, in every order in which they can take it: loom runs each model below once for each order of
//! the real code's locks and atomics, and for each value that these may read under the memory model of C11.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release -p lapis-cx-runtime --lib --target-dir target/loom
//! ```
//!
//! That is exhaustive. `LOOM_MAX_PREEMPTIONS=2` before it leaves out the orders in which threads are interrupted more often;
//! so does `tests/run`. `LOOM_LOG=loom::model=info` counts the orders, with `-- --nocapture`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod ckernels;
mod harts;

use std::ffi::CStr;

use crate::{
    Backing, Cx, Error, OpenFlags, PlatformCxu, Reply, Response, RustCxu, Sharing, Singleton, SoftFlags, UserContext,
    Uuid, counters, emulate_absent, load_platform, open, register_rust, revoke,
};
use loom::cell::UnsafeCell;
use loom::model;
use loom::sync::Arc;
use loom::thread::{spawn, yield_now};

const EXCLUSIVE: OpenFlags = OpenFlags::EXCLUSIVE;

/// A running sum under the status word. Types of one `ID` have one UUID.
struct Sum<const ID: u64, const TYPE: usize = 0>;

/// Adds, and gives the sum.
const ADD: u32 = 0;
/// Gives the type.
const TYPE: u32 = 1;

impl<const ID: u64, const T: usize> RustCxu for Sum<ID, T> {
    type State = [usize; 2];
    type Word = usize;
    const UUID: Uuid = Uuid { high: 21, low: ID };
    const NAME: &'static CStr = c"sum";
    const SHARING: Sharing = Sharing::Exclusive;
    const FLAGS: u32 = SoftFlags::STATE_CONTEXT;
    const STATE_WORDS: u32 = 1;
    const RESET: [usize; 2] = [1 << 2 | 1, 0];

    fn issue(state: &mut [usize; 2], function: u32, rs1: usize, rs2: usize) -> Reply {
        let mut response = Response::Ok;
        let value = match function {
            ADD => {
                *state = [1 << 2 | 3, state[1] + rs1];
                state[1]
            }
            TYPE => T,
            1020 => {
                *state = [1 << 2 | 3, rs2];
                rs2
            }
            1021 => state[1],
            1022 => {
                let old = state[0];
                if rs1 & 3 < 2 {
                    *state = Self::RESET;
                }
                state[0] = 1 << 2 | rs1 & 3;
                old
            }
            1023 => state[0],
            _ => {
                response = Response::Func;
                0
            }
        };
        Reply { value, response }
    }
    fn save(state: &[usize; 2], words: &mut [usize]) {
        words.copy_from_slice(state);
    }
    fn restore(state: &mut [usize; 2], words: &[usize]) {
        state.copy_from_slice(words);
    }
}

type One = Sum<1>;
type Two = Sum<2>;

/// A machine with `contexts` of each of both.
fn machine(contexts: u32) {
    load_platform(&[PlatformCxu { uuid: One::UUID, contexts }, PlatformCxu { uuid: Two::UUID, contexts }]).unwrap();
}

fn both_are_registered() {
    register_rust::<One>().unwrap();
    register_rust::<Two>().unwrap();
}

/// The sum after adding one, or what the command was answered with.
fn add(cx: &Cx, value: usize) -> Result<usize, Response> {
    cx.select().issue(ADD, value, 0).map_err(|error| error.0.response)
}

#[test]
fn a_cxu_is_there_or_not_while_it_is_registered() {
    model(|| {
        let others = [spawn(register_rust::<One>), spawn(register_rust::<Two>)];
        match open(One::UUID, EXCLUSIVE) {
            Ok(cx) => assert_eq!(add(&cx, 5), Ok(5)),
            Err(error) => assert_eq!(error, Error::NoDevice),
        }
        for other in others {
            other.join().unwrap().unwrap();
        }
        assert!([One::UUID, Two::UUID].map(|uuid| open(uuid, EXCLUSIVE)).iter().all(Result::is_ok));
    });
}

#[test]
fn of_two_cxus_with_one_uuid_one_is_registered() {
    model(|| {
        let other = spawn(register_rust::<Sum<1, 7>>);
        let registered = [register_rust::<Sum<1, 8>>(), other.join().unwrap()];
        let cx = open(One::UUID, EXCLUSIVE).unwrap();
        let there = cx.select().issue(TYPE, 0, 0).unwrap();
        let wanted = if there == 8 { [Ok(()), Err(Error::Busy)] } else { [Err(Error::Busy), Ok(())] };
        assert_eq!(registered, wanted);
    });
}

#[test]
fn the_same_cxu_is_registered_by_all() {
    model(|| {
        let others = [(); 2].map(|()| spawn(register_rust::<One>));
        assert_eq!(register_rust::<One>(), Ok(()));
        for other in others {
            other.join().unwrap().unwrap();
        }
    });
}

/// The platform is loaded before all opens, or not at all.
#[test]
fn no_cx_is_open_without_the_platform() {
    model(|| {
        both_are_registered();
        let loader = spawn(|| load_platform(&[PlatformCxu { uuid: One::UUID, contexts: 1 }]));
        let cx = open(One::UUID, EXCLUSIVE).unwrap();
        let before = cx.backing();
        let wanted = match loader.join().unwrap() {
            Ok(()) => Backing::Native,
            Err(error) => {
                assert_eq!(error, Error::Busy);
                Backing::Soft
            }
        };
        assert_eq!([before, cx.backing()], [Some(wanted); 2]);
        let of_other = open(Two::UUID, EXCLUSIVE).map(|cx| cx.backing());
        assert_eq!(of_other.ok(), (wanted == Backing::Soft).then_some(Some(Backing::Soft)));
    });
}

#[test]
fn an_open_that_fails_does_not_hold_the_platform_up() {
    model(|| {
        both_are_registered();
        let other = spawn(|| open(Sum::<3>::UUID, EXCLUSIVE).is_err());
        // While it is not known yet whether the open fails, the answer may be either.
        let loaded = load_platform(&[PlatformCxu { uuid: One::UUID, contexts: 1 }]);
        assert!(other.join().unwrap());
        if let Err(error) = loaded {
            assert_eq!(error, Error::Busy);
            machine(1);
        }
        assert_eq!(open(One::UUID, EXCLUSIVE).unwrap().backing(), Some(Backing::Native));
    });
}

/// Nor does it take back what an open beside it has settled.
#[test]
fn an_open_that_fails_beside_another_settles_nothing() {
    model(|| {
        both_are_registered();
        let other = spawn(|| open(Sum::<3>::UUID, EXCLUSIVE).is_err());
        let cx = open(One::UUID, EXCLUSIVE).unwrap();
        assert!(other.join().unwrap());
        assert_eq!(load_platform(&[]), Err(Error::Busy));
        assert_eq!(add(&cx, 1), Ok(1));
    });
}

#[test]
fn one_platform_is_loaded() {
    model(|| {
        both_are_registered();
        let other = spawn(|| load_platform(&[PlatformCxu { uuid: One::UUID, contexts: 1 }]).is_ok());
        let mine = load_platform(&[PlatformCxu { uuid: Two::UUID, contexts: 1 }]).is_ok();
        assert_eq!(other.join().unwrap(), !mine);
        assert_eq!(open(One::UUID, EXCLUSIVE).is_ok(), !mine);
        assert_eq!(open(Two::UUID, EXCLUSIVE).is_ok(), mine);
    });
}

/// Commands are answered by the CXU up to some command, and from there on by nobody: at the latest from the one that comes
/// after the end of `revoke`.
#[test]
fn a_cx_is_revoked_while_it_is_used() {
    model(|| {
        both_are_registered();
        machine(1);
        let cx = open(One::UUID, EXCLUSIVE).unwrap();
        let other = open(Two::UUID, EXCLUSIVE).unwrap();
        let revoker = spawn(|| revoke(One::UUID).unwrap());
        let answers = [add(&cx, 1), add(&cx, 1)];
        let may_be = [[Ok(1), Ok(2)], [Ok(1), Err(Response::Cxu)], [Err(Response::Cxu); 2]];
        assert!(may_be.contains(&answers), "{answers:?}");
        revoker.join().unwrap();
        assert_eq!(add(&cx, 1), Err(Response::Cxu));
        assert_eq!(cx.backing(), None);
        assert_eq!(open(One::UUID, EXCLUSIVE).map(|_| ()), Err(Error::NoDevice));
        assert_eq!(add(&other, 3), Ok(3));
    });
}

/// Each of two revocations reaches a thread, whichever it sees first.
#[test]
fn no_revocation_is_missed() {
    model(|| {
        both_are_registered();
        machine(1);
        let cxs = [One::UUID, Two::UUID].map(|uuid| open(uuid, EXCLUSIVE).unwrap());
        let revokers = [One::UUID, Two::UUID].map(|uuid| spawn(move || revoke(uuid).unwrap()));
        let first = cxs.each_ref().map(|cx| add(cx, 1).is_ok());
        let second = cxs.each_ref().map(|cx| add(cx, 1).is_ok());
        assert!(first >= second || first[0] >= second[0] && first[1] >= second[1]);
        for revoker in revokers {
            revoker.join().unwrap();
        }
        assert_eq!(cxs.each_ref().map(|cx| add(cx, 1)), [Err(Response::Cxu); 2]);
    });
}

#[test]
fn what_is_revoked_while_it_is_opened_is_gone_or_stood_in_for() {
    for emulated in [false, true] {
        model(move || {
            both_are_registered();
            machine(1);
            if emulated {
                emulate_absent(One::UUID).unwrap();
            }
            let revoker = spawn(|| revoke(One::UUID).unwrap());
            let opened = open(One::UUID, EXCLUSIVE);
            revoker.join().unwrap();
            match &opened {
                Ok(cx) if cx.backing().is_none() => assert_eq!(add(cx, 1), Err(Response::Cxu)),
                Ok(cx) => {
                    assert!(emulated);
                    assert_eq!((cx.backing(), add(cx, 1)), (Some(Backing::Emulated), Ok(1)));
                }
                Err(error) => assert_eq!((*error, emulated), (Error::NoDevice, false)),
            }
            // From here on it is as the policy says.
            let again = open(One::UUID, EXCLUSIVE);
            assert_eq!(again.as_ref().map(|cx| add(cx, 4)).ok(), emulated.then_some(Ok(4)));
        });
    }
}

#[test]
fn a_policy_comes_while_an_absent_cx_is_opened() {
    model(|| {
        both_are_registered();
        load_platform(&[]).unwrap();
        let other = spawn(|| emulate_absent(One::UUID).unwrap());
        match open(One::UUID, EXCLUSIVE) {
            Ok(cx) => assert_eq!((cx.backing(), add(&cx, 2)), (Some(Backing::Emulated), Ok(2))),
            Err(error) => assert_eq!(error, Error::NoDevice),
        }
        other.join().unwrap();
        assert!(open(One::UUID, EXCLUSIVE).is_ok());
    });
}

/// Two threads, each with more open CXs than its hart has contexts: each has the sums that it would have alone, and its own swaps.
#[test]
fn harts_swap_without_each_other() {
    fn work(seed: usize) {
        let cxs = [(); 2].map(|()| open(One::UUID, EXCLUSIVE).unwrap());
        assert_eq!(cxs.each_ref().map(|cx| add(cx, seed)), [Ok(seed); 2]);
        assert_eq!(add(&cxs[0], 1), Ok(seed + 1));
        assert_eq!(counters().swaps, 2);
    }
    model(|| {
        both_are_registered();
        machine(1);
        let other = spawn(|| work(10));
        work(100);
        other.join().unwrap();
    });
}

/// A thread ends with CXs open, and one is selected, while others go on.
#[test]
fn a_thread_ends_while_others_use_the_same_cx() {
    model(|| {
        both_are_registered();
        machine(1);
        let other = spawn(|| {
            let cx = open(One::UUID, EXCLUSIVE).unwrap();
            let selected = cx.select();
            let _ = selected.issue(ADD, 1, 0);
            std::mem::forget(selected);
            std::mem::forget(cx);
        });
        let mine = open(One::UUID, EXCLUSIVE).unwrap();
        let revoker = spawn(|| revoke(Two::UUID).unwrap());
        assert_eq!(add(&mine, 4), Ok(4));
        other.join().unwrap();
        assert_eq!(add(&mine, 4), Ok(8));
        revoker.join().unwrap();
    });
}

/// Each use of a singleton finds what the one before left, and nobody else meanwhile; also if handles are made and dropped.
#[test]
fn one_thread_at_a_time_has_a_singleton() {
    fn use_it(alone: &UnsafeCell<usize>) -> usize {
        let singleton = Singleton::of_process(One::UUID, EXCLUSIVE);
        let sum = singleton.with(|sum| {
            // loom panics if another thread is in here.
            alone.with_mut(|_| yield_now());
            sum.issue(ADD, 1, 0).unwrap()
        });
        sum.unwrap()
    }
    model(|| {
        both_are_registered();
        machine(1);
        let alone = Arc::new(UnsafeCell::new(0));
        let others = [(); 2].map(|()| {
            let alone = Arc::clone(&alone);
            spawn(move || use_it(&alone))
        });
        let mut sums = others.map(|other| other.join().unwrap()).to_vec();
        sums.push(use_it(&alone));
        sums.sort_unstable();
        assert_eq!(sums, [1, 2, 3]);
    });
}

/// Who uses a singleton already is told so, and does not wait for itself; others do wait.
#[test]
fn a_thread_does_not_wait_for_itself() {
    model(|| {
        both_are_registered();
        let inside = |uuid| Singleton::of_process(uuid, EXCLUSIVE).with(|cx| cx.issue(ADD, 1, 0).unwrap());
        let other = spawn(move || inside(One::UUID));
        let nested = Singleton::of_process(One::UUID, EXCLUSIVE).with(|_| (inside(One::UUID), inside(Two::UUID)));
        assert_eq!(nested, Ok((Err(Error::Busy), Ok(1))));
        assert_eq!(other.join().unwrap(), Ok(1));
        assert_eq!(inside(One::UUID), Ok(2));
    });
}

/// A singleton whose CX is revoked meanwhile keeps the state that it had.
#[test]
fn a_singleton_outlives_its_cxu() {
    model(|| {
        both_are_registered();
        machine(1);
        let singleton = Singleton::of_process(One::UUID, EXCLUSIVE);
        let revoker = spawn(|| revoke(One::UUID).unwrap());
        let first = singleton.with(|cx| cx.issue(ADD, 1, 0).map_err(|error| error.0.response));
        revoker.join().unwrap();
        assert!(matches!(first, Ok(Ok(1)) | Err(Error::NoDevice)), "{first:?}");
        assert_eq!(singleton.with(|_| ()), Err(Error::NoDevice));
        emulate_absent(One::UUID).unwrap();
        let kept = usize::from(first.is_ok());
        assert_eq!(singleton.with(|cx| cx.issue(ADD, 1, 0).unwrap()), Ok(kept + 1));
    });
}

#[test]
fn user_contexts_are_those_of_one_thread() {
    model(|| {
        let others = [(); 2].map(|()| spawn(|| UserContext::save().unwrap()));
        let mine = UserContext::save().unwrap();
        assert_eq!(mine.restore(), Ok(()));
        for other in others {
            assert_eq!(other.join().unwrap().restore(), Err(Error::Invalid));
        }
    });
}
