//! CXUs of ckernels, from Rust and from Python. `c_abi.rs` has them from C.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ffi::{c_char, c_int, c_void};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use lapis_cx_runtime::ckernel::{Builder, Call, Prefix, Type};
use lapis_cx_runtime::{
    CkernelCxu, CommandError, Error, OpenFlags, Place, Reply, Response, RustCxu, Sharing, SoftFlags, Uuid, open,
    register_rust, withdraw,
};
use proptest::prelude::*;

fn uuid(low: u64) -> Uuid {
    Uuid { high: 88, low }
}

fn ok(value: usize) -> Reply {
    Reply { value, response: Response::Ok }
}

/// Multiply-accumulate in Rust, the usual way.
struct Mac;

impl RustCxu for Mac {
    type State = [usize; 2];
    type Word = usize;
    const UUID: Uuid = Uuid { high: 88, low: 1 };
    const NAME: &'static std::ffi::CStr = c"mac";
    const SHARING: Sharing = Sharing::Exclusive;
    const STATE_WORDS: u32 = 1;
    /// `cs`, and the total.
    const RESET: [usize; 2] = [1, 7];

    fn issue([cs, total]: &mut [usize; 2], function: u32, a: usize, b: usize) -> Reply {
        let old = *total;
        match function {
            0 => *total = a.wrapping_mul(b),
            1 => *total = total.wrapping_add(a.wrapping_mul(b)),
            2 => return Reply { value: *total, response: Response::Op },
            _ => return Reply { value: 0, response: Response::Func },
        }
        *cs |= if *total == old { 0 } else { 3 };
        ok(*total)
    }

    fn save([cs, total]: &[usize; 2], words: &mut [usize]) {
        words.copy_from_slice(&[*cs | 1 << 2, *total]);
    }

    fn restore([cs, total]: &mut [usize; 2], words: &[usize]) {
        (*cs, *total) = (words[0] & 3, if words[0] & 3 < 2 { 7 } else { words[1] });
    }
}

fn mac_of_functions(uuid: Uuid) -> CkernelCxu {
    CkernelCxu::new(uuid, c"mac of functions")
        .state(Sharing::Exclusive, &[7])
        .command(1, |state, [a, b, _]| {
            state[0] = state[0].wrapping_add(a.wrapping_mul(b));
            ok(state[0])
        })
        .unwrap()
        .command(0, |state, [a, b, _]| {
            state[0] = a.wrapping_mul(b);
            ok(state[0])
        })
        .unwrap()
        .command(2, |state, _| Reply { value: state[0], response: Response::Op })
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
    #[test]
    fn safe_functions_are_as_a_cxu_in_rust(
        steps in prop::collection::vec((0u32..5, any::<usize>(), any::<usize>()), 0..40)
    ) {
        register_rust::<Mac>().unwrap();
        // The first case of the process registers it.
        match mac_of_functions(uuid(2)).register() {
            Ok(()) | Err(Error::Busy) => {}
            Err(error) => panic!("{error}"),
        }
        let [mine, theirs] = [Mac::UUID, uuid(2)].map(|uuid| open(uuid, OpenFlags::EXCLUSIVE).unwrap());
        for (function, a, b) in steps {
            if function == 4 {
                let [a, b] = [&mine, &theirs].map(|cx| {
                    let mut image = [0; 2 * size_of::<usize>()];
                    assert_eq!(cx.select().save(&mut image), Ok(image.len()));
                    image
                });
                prop_assert_eq!(a, b);
                theirs.select().restore(&a).unwrap();
            } else {
                let [mine, theirs] = [&mine, &theirs].map(|cx| cx.select().issue(function, a, b));
                prop_assert_eq!(mine, theirs);
            }
        }
    }
}

/// Counts its drops.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counted(uuid: Uuid, dropped: &Arc<AtomicUsize>) -> CkernelCxu {
    let [one, two] = [(); 2].map(|()| Dropped(dropped.clone()));
    let cxu = CkernelCxu::new(uuid, c"counted");
    let cxu = cxu.command(0, move |_, [a, ..]| ok(a + one.0.load(Ordering::SeqCst))).unwrap();
    cxu.command(1, move |_, [_, b, immediate]| ok(b + immediate + two.0.load(Ordering::SeqCst))).unwrap()
}

#[test]
fn what_functions_own_is_dropped_once() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let count = || dropped.load(Ordering::SeqCst);
    drop(counted(uuid(10), &dropped));
    assert_eq!(count(), 2, "never registered");
    counted(uuid(10), &dropped).register().unwrap();
    assert_eq!(counted(uuid(10), &dropped).register(), Err(Error::Busy));
    assert_eq!(count(), 4, "refused");
    let cx = open(uuid(10), OpenFlags::SHARED).unwrap();
    assert_eq!(cx.select().issue(0, 20, 0), Ok(24));
    assert_eq!(cx.select().issue(1 | 3 << 16, 0, 30), Ok(37));
    assert_eq!(withdraw(uuid(10)), Ok(()));
    assert_eq!(count(), 6, "withdrawn");
    assert_eq!(cx.select().issue(0, 20, 0).map_err(|e| e.0.response), Err(Response::Cxu));
    drop(cx);
    assert_eq!(withdraw(uuid(10)), Err(Error::NoDevice));
    register_rust::<Mac>().unwrap();
    assert_eq!(withdraw(Mac::UUID), Err(Error::Invalid));
    assert_eq!(count(), 6);
}

/// While one thread is inside of a command, others take the CXU away: what it owns goes when the command ends.
#[test]
fn a_command_that_runs_has_its_kernel() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let (started, starts) = channel();
    let (go, gone) = channel::<()>();
    let owned = (Dropped(dropped.clone()), std::sync::Mutex::new((started, gone)));
    let run = move |_: &mut [usize], _: [usize; 3]| {
        let (started, gone) = &*owned.1.lock().unwrap();
        started.send(()).unwrap();
        gone.recv().unwrap();
        ok(owned.0.0.load(Ordering::SeqCst) + 5)
    };
    CkernelCxu::new(uuid(11), c"slow").command(0, run).unwrap().register().unwrap();
    let runs = thread::spawn(|| open(uuid(11), OpenFlags::SHARED).unwrap().select().issue(0, 0, 0).unwrap());
    starts.recv().unwrap();
    withdraw(uuid(11)).unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    go.send(()).unwrap();
    assert_eq!(runs.join().unwrap(), 5);
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

/// Many threads issue while the CXU goes: each answer is right, or says that there is none, and from then on there is none.
#[test]
fn threads_see_it_go() {
    let dropped = Arc::new(AtomicUsize::new(0));
    for _ in 0..20 {
        let owned = Dropped(dropped.clone());
        let run =
            move |_: &mut [usize], [a, ..]: [usize; 3]| ok(a + usize::from(owned.0.load(Ordering::SeqCst) > 1000));
        CkernelCxu::new(uuid(12), c"goes").command(0, run).unwrap().register().unwrap();
        let (opened, opens) = channel();
        let threads = [(); 4].map(|()| {
            let opened = opened.clone();
            thread::spawn(move || {
                let cx = open(uuid(12), OpenFlags::SHARED).unwrap();
                let selected = cx.select();
                opened.send(()).unwrap();
                let answers = (0..).map(|n| (n, selected.issue(0, n, 0)));
                for (n, answer) in answers {
                    match answer {
                        Ok(value) => assert_eq!(value, n),
                        Err(CommandError(Reply { response: Response::Cxu, .. })) => break,
                        Err(other) => panic!("{other}"),
                    }
                }
                assert!(selected.issue(0, 1, 0).is_err());
            })
        });
        threads.iter().for_each(|_| opens.recv().unwrap());
        withdraw(uuid(12)).unwrap();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
    assert_eq!(dropped.load(Ordering::SeqCst), 20);
}

/// A function that panics answers as hardware that is not there, and changes nothing. It is hardware, too: it issues nothing.
#[test]
fn functions_cannot_do_harm() {
    CkernelCxu::new(uuid(13), c"harm")
        .state(Sharing::CallerSave, &[1, 2])
        .flags(SoftFlags::STATE_CONTEXT)
        .command(0, |state, _| {
            state[0] = 9;
            let beyond = state.len();
            ok(state[beyond])
        })
        .unwrap()
        .command(1, |_, _| {
            let again = open(uuid(13), OpenFlags::SHARED).unwrap();
            ok(usize::from(again.select().issue(1020, 0, 5).is_err() && again.select().save(&mut [0; 24]).is_err()))
        })
        .unwrap()
        .register()
        .unwrap();
    let cx = open(uuid(13), OpenFlags::SHARED).unwrap();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let panicked = cx.select().issue(0, 0, 0).map_err(|e| e.0.response);
    std::panic::set_hook(hook);
    assert_eq!(panicked, Err(Response::Cxu));
    assert_eq!(cx.select().issue(1021, 0, 0), Ok(1));
    assert_eq!(cx.select().issue(1, 0, 0), Ok(1));
    assert_eq!(cx.select().issue(1021, 0, 0), Ok(1));
}

/// A ckernel that some other language could have made: x - y of bytes, where x comes from rs2.
unsafe extern "C" fn difference(dst: *mut c_char, src: *const *const c_char, _: *mut Prefix, _: *const Call) -> c_int {
    // SAFETY: it gets the addresses of two bytes and of one.
    unsafe { dst.write(src.read().read().wrapping_sub(src.add(1).read().read())) };
    0
}

#[test]
fn ckernels_from_elsewhere_are_commands() {
    let byte = Type { kind: b'i', size: 1, width: 8 };
    let mut builder = Builder::new().unwrap();
    let prefix = Prefix { function: difference as *mut c_void, destructor: None };
    // SAFETY: it owns nothing, and the builder is new.
    unsafe { builder.put(0, prefix, ()) }.unwrap();
    let operands = [(Place::Rs2, byte), (Place::Rs1, byte)];
    // SAFETY: it is such a ckernel.
    unsafe { CkernelCxu::new(uuid(14), c"bytes").xlen(32).kernel(9, &operands, byte, builder) }.register().unwrap();
    let cx = open(uuid(14), OpenFlags::EXCLUSIVE).unwrap();
    assert_eq!(cx.select().issue(9, 0xF03, 0xA02), Ok(u32::MAX as usize), "-1 in 32 bits");
}

#[test]
fn what_does_not_fit_is_refused() {
    let mac = || mac_of_functions(uuid(15));
    assert_eq!(mac().xlen(16).register(), Err(Error::Invalid));
    assert_eq!(mac().state(Sharing::Stateless, &[1]).register(), Err(Error::Invalid));
    assert_eq!(mac().flags(8).register(), Err(Error::Invalid));
    let twice = mac().command(1, |_, _| ok(0)).unwrap();
    assert_eq!(twice.register(), Err(Error::Invalid));
    let far = mac().command(1020, |_, _| ok(0)).unwrap();
    assert_eq!(far.flags(SoftFlags::STATE_CONTEXT).register(), Err(Error::Invalid));
    assert_eq!(open(uuid(15), OpenFlags::EXCLUSIVE).err(), Some(Error::NoDevice));
}

/// ctypes, and NumPy where it is: `tests/run` installs that of Debian, for Debian's Python.
#[cfg(target_os = "linux")]
#[test]
fn ckernels_in_python_are_commands() {
    let library = std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.so");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ckernel_cxu.py");
    let output = Command::new("/usr/bin/python3").args(["-B", script]).arg(library).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said, "good\n");
}
