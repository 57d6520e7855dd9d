//! The data of a worker and its sessions, and the call of a library function.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};

use super::asynchronous::Results;
use super::described::{Described, Enter, Thunk};
use super::fast_path::one_way::ScalarCalls;
use super::link::Link;
use super::order::{Monitors, Turns, thread};
use super::serving::Serving;
use super::{errno, log, refusals};
use crate::locks::Mutex;
use crate::marshal::names::Names;
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits};
use crate::protocol::Ended;
use crate::{Connection, Error};

/// The library in the worker's process.
pub(crate) struct Worker {
    pub described: Described,
    /// The thunks, by function. `None` if the real library lacks the function.
    pub thunks: Vec<Option<Thunk>>,
    /// Runs a thunk of a library with callbacks.
    pub enter: Option<Enter>,
    /// The addresses of the real library's functions, by function. 0 if it lacks one, or if the library is a Rust service.
    pub reals: Vec<usize>,
    /// The trampolines, by callback.
    pub trampolines: Vec<Vec<usize>>,
    pub limits: Limits,
    /// The thunks of scalar calls, by function.
    pub(super) scalar_calls: ScalarCalls,
    pub(super) monitors: Monitors,
    /// The registration of each trampoline without userdata, by callback and slot.
    pub(super) slots: Mutex<HashMap<(u32, u32), Registered>>,
    /// The registrations with null userdata, by callback and slot: all of one guest and with the same function. At slot 0, which functions can
    /// share, there is one registration only.
    pub(super) null_userdata: Mutex<HashMap<(u32, u32), Vec<Registered>>>,
    pub(super) sessions: Mutex<Vec<Weak<Session>>>,
}

/// A registration of a guest, by session and number.
pub(super) type Registered = (Weak<Session>, u32);

/// The worker's state for one guest.
pub(crate) struct Session {
    pub(super) worker: Arc<Worker>,
    pub(super) itself: Weak<Session>,
    pub(super) connection: Arc<Connection>,
    pub(super) tables: Mutex<Tables>,
    /// Ended entities that no reply has reported yet.
    pub(super) late: Mutex<Vec<Ended>>,
    pub(super) turns: Turns,
    pub(super) names: Names,
    /// Whether an asynchronous callback was sent, so the guest may be running one.
    pub(super) has_async_callbacks: AtomicBool,
    pub(super) results: Results,
    /// Failed asynchronous calls that no reply has reported yet: the function and the result of each.
    pub(super) failed: Mutex<Vec<(u32, i64)>>,
    /// Whether `late` may have entries.
    pub(super) has_ended: AtomicBool,
    /// Whether `failed` may have entries.
    pub(super) has_failed: AtomicBool,
    pub(super) serving: Serving,
}

/// A call that runs on this thread.
#[derive(Clone, Copy)]
pub(super) struct Running {
    /// The address of the session, which outlives its calls.
    pub(super) session: usize,
    pub(super) link: *const Rc<Link>,
    /// The id of the request. 0 if the request is asynchronous: its caller does not wait, so it cannot run callbacks.
    pub(super) request: u32,
    /// Whether the program made the call in a callback of a library thread. Such a call holds no monitors.
    pub(super) is_outside: bool,
    /// The number of callbacks that waited on the channel when the call began.
    pub(super) depth: u32,
}

pub(super) const SERVICE_REFUSED: &str = "the service refused the call";

/// Marks the call that runs on this thread. Dropping it restores the outer call.
pub(super) struct RunningGuard(Option<Running>);

impl RunningGuard {
    #[inline(always)]
    pub fn new(session: &Session, link: &Rc<Link>, (request, is_outside): (u32, bool)) -> RunningGuard {
        let (session, depth) = (std::ptr::from_ref(session).addr(), link.depth());
        let running = Running { session, link, request, is_outside, depth };
        RunningGuard(RUNNING.replace(Some(running)))
    }
}

impl Drop for RunningGuard {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Calls a function of the library with `before` in `errno`. Returns the value that the function leaves in `errno`.
///
/// # Errors
///
/// A Rust service refused the call.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this function.
#[inline(always)]
pub(super) unsafe fn run_thunk(
    (thunk, enter): (Thunk, Option<Enter>),
    name: u32,
    before: i32,
    arguments: usize,
) -> CallResult<Option<i32>> {
    errno::set(before);
    refusals::has_refused();
    let arguments = std::ptr::with_exposed_provenance_mut(arguments);
    match enter {
        // SAFETY: the caller upholds the contract of this function.
        Some(enter) => unsafe { enter(thunk, arguments) },
        // SAFETY: as above.
        None => unsafe { thunk(arguments) },
    }
    if IS_LEFT.replace(false) {
        return Err(CallError::Left);
    }
    if refusals::has_refused() {
        return Err(CallError::Refused(SERVICE_REFUSED, name));
    }
    Ok(Some(errno::get()))
}

/// Disconnects the guest if the library has left callbacks of a call by `longjmp`, because the guest still runs these callbacks. `depth` is the
/// number of callbacks that waited on the channel when the call began.
///
/// # Errors
///
/// The library has left callbacks.
#[inline(always)]
pub(super) fn check_callbacks(session: &Session, link: &Link, depth: u32, name: u32) -> CallResult<()> {
    if link.depth() == depth { Ok(()) } else { Err(disconnect(session, name)) }
}

#[cold]
fn disconnect(session: &Session, name: u32) -> CallError {
    let plan = session.worker.described.plan;
    log::say(&format!(
        "{}: {}: the library left a callback of the program by `longjmp`, which remoting does not support; the program is disconnected",
        std::process::id(),
        plan.text(plan.name_in_c(name))
    ));
    session.connection.stop();
    // Other guests may wait for monitors that the left calls hold.
    session.worker.monitors.release(thread());
    CallError::Channel(Error::Stopped)
}

thread_local! {
    /// The innermost call that runs on this thread.
    pub(super) static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
    /// Whether the program has left the innermost call during one of its callbacks.
    pub(super) static IS_LEFT: Cell<bool> = const { Cell::new(false) };
    /// The channels that this library thread opened to guests.
    pub(super) static LINKS: RefCell<Vec<(Weak<Session>, Rc<Link>)>> = const { RefCell::new(Vec::new()) };
}
