//! Where registered CXUs of ckernels are.
//!
//! The functions of a descriptor get a state, and no more: without state they could not tell whose command it is. So there is
//! a number of slots, each with functions of its own.

use std::ffi::c_void;
use std::ptr;

use lapis_cx_core::{Error, InitFn, IssueFn, Response, RestoreFn, SaveFn, Uuid};

use super::Command;
use super::run::Made;
use crate::last_error::Failure;
use crate::registry;
use crate::sync::{self, AtomicPtr, AtomicU32, Mutex, Ordering};

/// Of [`Slot::users`]: the CXU was withdrawn.
const GONE: u32 = 1 << 31;

/// The functions of a descriptor.
pub(super) struct Functions {
    pub init: InitFn,
    pub issue: IssueFn,
    pub save: SaveFn,
    pub restore: RestoreFn,
}

/// A place for one CXU. It is not used again: where the CXU is open, its functions are still known.
struct Slot {
    /// Null while the slot is free. What was registered is never freed, its ckernels are.
    made: AtomicPtr<Made>,
    /// How many commands run, and [`GONE`].
    users: AtomicU32,
    functions: Functions,
}

macro_rules! slots {
    ($($n:literal)*) => {
        [$(Slot {
            made: AtomicPtr::new(ptr::null_mut()),
            users: AtomicU32::new(0),
            functions: Functions { init: init::<$n>, issue: issue::<$n>, save: save::<$n>, restore: restore::<$n> },
        }),*]
    };
}

shared! {
    static SLOTS: [Slot; 64] = slots![
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    ];

    /// Held while something is registered or withdrawn.
    static CHANGE: Mutex<()> = Mutex::new(());
}

impl Slot {
    fn made(&self) -> Option<&'static Made> {
        // SAFETY: what is there stays, see `made`.
        unsafe { self.made.load(Ordering::Acquire).as_ref() }
    }

    /// Runs a command, unless the CXU was withdrawn.
    fn run(&self, command: impl FnOnce(&Made) -> u32) -> Option<u32> {
        let enter = |users: u32| (users & GONE == 0).then_some(users + 1);
        self.users.fetch_update(Ordering::Acquire, Ordering::Relaxed, enter).ok()?;
        let made = self.made();
        let response = made.map(command);
        if self.users.fetch_sub(1, Ordering::AcqRel) == GONE | 1
            && let Some(made) = made
        {
            // SAFETY: this was the last command, and nobody enters any more.
            drop(unsafe { made.take_commands() });
        }
        response
    }

    /// No command begins any more. Gives the ckernels, which are to be destroyed; none if one runs: the last of these destroys
    /// them.
    fn withdraw(&self) -> Vec<Command> {
        if self.users.fetch_or(GONE, Ordering::AcqRel) > 0 {
            return Vec::new();
        }
        // SAFETY: no command runs, and nobody enters any more.
        self.made().map(|made| unsafe { made.take_commands() }).unwrap_or_default()
    }
}

/// Makes a CXU known to all threads, or gives its commands back.
pub(super) fn register(made: Made) -> Result<(), (Failure, Vec<Command>)> {
    sync::with(&CHANGE, |()| add(made))
}

fn add(mut made: Made) -> Result<(), (Failure, Vec<Command>)> {
    // SAFETY: nobody else knows of it.
    let refused = |made: &Made, failure| Err((failure, unsafe { made.take_commands() }));
    let Some(slot) = SLOTS.iter().find(|slot| slot.made.load(Ordering::Relaxed).is_null()) else {
        let text = c"table full: 64 CXUs of ckernels were registered, which is the most of a process";
        return refused(&made, Failure::said(Error::TableFull, text));
    };
    if let Err(defect) = made.describe(&slot.functions).check() {
        return refused(&made, defect.into());
    }
    let place = Box::into_raw(Box::new(made));
    slot.made.store(place, Ordering::Release);
    // SAFETY: the memory is good; it is freed below only where nobody else got to know it. A described CXU has a descriptor.
    match unsafe { registry::add(&*(*place).descriptor(), None) } {
        Ok(()) => Ok(()),
        Err(error) => {
            slot.made.store(ptr::null_mut(), Ordering::Release);
            // SAFETY: it came from a box, and nobody has its descriptor.
            let made = unsafe { Box::from_raw(place) };
            refused(&made, registry::taken(error))
        }
    }
}

/// Takes a CXU away.
pub(super) fn withdraw(uuid: Uuid) -> Result<(), Error> {
    let commands: Result<_, Error> = sync::with(&CHANGE, |()| {
        let cxu = registry::find(uuid).ok_or(Error::NoDevice)?;
        let slot = SLOTS.iter().find(|slot| slot.made().is_some_and(|made| ptr::eq(made.descriptor(), cxu)));
        let slot = slot.ok_or(Error::Invalid)?;
        registry::remove(cxu);
        Ok(slot.withdraw())
    });
    // What destroys a ckernel may register another one.
    drop(commands?);
    Ok(())
}

unsafe extern "C" fn init<const N: usize>(state: *mut c_void) {
    if let Some(made) = SLOTS[N].made() {
        // SAFETY: the caller's promise.
        unsafe { made.init(state) };
    }
}

unsafe extern "C" fn issue<const N: usize>(
    state: *mut c_void,
    function: u32,
    rs1: usize,
    rs2: usize,
    rd: *mut usize,
) -> u32 {
    let mut value = 0;
    // SAFETY: the caller's promise; commands are taken when none runs.
    let response = SLOTS[N].run(|made| unsafe { made.issue(state, function, rs1, rs2, &mut value) });
    // SAFETY: the runtime gives a place for rd.
    unsafe { rd.write(value) };
    response.unwrap_or(Response::Cxu.code())
}

unsafe extern "C" fn save<const N: usize>(state: *const c_void, image: *mut c_void) {
    if let Some(made) = SLOTS[N].made() {
        // SAFETY: the caller's promise.
        unsafe { made.save(state, image) };
    }
}

unsafe extern "C" fn restore<const N: usize>(state: *mut c_void, image: *const c_void) {
    if let Some(made) = SLOTS[N].made() {
        // SAFETY: the caller's promise.
        unsafe { made.restore(state, image) };
    }
}
