//! The data of a worker and of its guests, and how a function of the library is called.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use super::asynchronous::Done;
use super::described::{Described, Thunk};
use super::fast_path::one_way::ScalarCalls;
use super::link::Link;
use super::order::{Monitors, Turns};
use super::start;
use crate::Connection;
use crate::locks::Mutex;
use crate::marshal::names::Names;
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits};
use crate::protocol::Ended;

/// A library in its own process.
pub(crate) struct Worker {
    pub described: Described,
    /// By function; none where the real library has no such function.
    pub thunks: Vec<Option<Thunk>>,
    /// The functions of the real library, where it is one in C; 0 for what it does not have.
    pub reals: Vec<usize>,
    /// By callback.
    pub trampolines: Vec<Vec<usize>>,
    pub limits: Limits,
    /// By function.
    pub(super) scalar_call: ScalarCalls,
    pub(super) monitors: Monitors,
    /// Whose function a trampoline without userdata stands for, or one with null userdata: by callback and slot.
    pub(super) slots: Mutex<HashMap<(u32, u32), Registered>>,
    pub(super) sessions: Mutex<Vec<Weak<Session>>>,
}

/// A registration of a guest.
pub(super) type Registered = (Weak<Session>, u32);

/// What a worker knows of one guest.
pub(crate) struct Session {
    pub(super) worker: Arc<Worker>,
    pub(super) itself: Weak<Session>,
    pub(super) connection: Arc<Connection>,
    pub(super) tables: Mutex<Tables>,
    /// What ended in calls that nobody waited for.
    pub(super) late: Mutex<Vec<Ended>>,
    pub(super) turns: Turns,
    /// How many calls have started, where that is of interest.
    pub(super) starts: AtomicU64,
    pub(super) names: Names,
    pub(super) done: Mutex<Vec<Done>>,
    pub(super) failed: Mutex<Vec<(u32, i64)>>,
    pub(super) dropped: Mutex<Vec<u64>>,
    /// There is something in `late`; in one of the three above.
    pub(super) has_late: AtomicBool,
    pub(super) has_news: AtomicBool,
}

/// A call that runs on this thread.
#[derive(Clone, Copy)]
pub(super) struct Running {
    /// Whose, by its address: it lives as long as its calls.
    pub(super) session: usize,
    pub(super) link: *const Rc<Link>,
    /// The id of the request. 0: its caller does not wait, and so runs no callbacks.
    pub(super) request: u32,
    /// It is made in a callback of a thread of the library: it holds no monitors.
    pub(super) is_outside: bool,
}

pub(super) const DID_NOT: &str = "the service did not do it";

/// A call has begun on this thread. What ran before, around it, runs again when this is dropped.
pub(super) struct Begun(Option<Running>);

impl Begun {
    #[inline(always)]
    pub fn new(session: &Session, link: &Rc<Link>, (request, is_outside): (u32, bool)) -> Begun {
        let running = Running { session: std::ptr::from_ref(session).addr(), link, request, is_outside };
        Begun(RUNNING.replace(Some(running)))
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Calls a function of the library, which finds `before` in `errno`, and returns what is there then.
///
/// # Errors
///
/// A service in Rust did not do it.
///
/// # Safety
///
/// The arguments are of this function.
#[inline(always)]
pub(super) unsafe fn run_thunk(thunk: Thunk, name: u32, before: i32, arguments: usize) -> CallResult<Option<i32>> {
    start::set_errno(before);
    start::has_refused();
    // SAFETY: as the caller says.
    unsafe { thunk(std::ptr::with_exposed_provenance_mut(arguments)) };
    if start::has_refused() {
        return Err(CallError::Refused(DID_NOT, name));
    }
    Ok(Some(start::errno()))
}

thread_local! {
    /// The innermost.
    pub(super) static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
    /// Channels of a thread of the library to guests.
    pub(super) static LINKS: RefCell<Vec<(Weak<Session>, Rc<Link>)>> = const { RefCell::new(Vec::new()) };
    pub(super) static THREAD: u64 = THREADS.fetch_add(1, Ordering::Relaxed);
}

static THREADS: AtomicU64 = AtomicU64::new(1);

impl Session {
    /// When a call starts that is not counted.
    pub(super) fn started(&self) -> u64 {
        self.starts.load(Ordering::Relaxed)
    }
}
