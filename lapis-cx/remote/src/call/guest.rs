//! The guest: makes the program's calls in the worker, and runs the program's callbacks.

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::asynchronous::{Expected, SentCalls};
use super::collect::collect_regularly;
use super::described::Described;
use super::endpoint::{Observer, Request};
use super::fast_path::make::{Made, make as make_fast};
use super::fast_path::one_way::{OneWayCall, one_way_calls};
use super::fast_path::scalar_call::{ScalarCall, Sent, scalar_calls};
use super::forks::AtFork;
use super::link::{Link, UNEXPECTED};
use super::make::{CallTarget, clear_result, fail, make, make_without_worker};
use super::order::Tickets;
use super::serve::serve;
use super::start::{Backoff, Unreached};
use super::waiting::CallbackCount;
use super::{errno, forks, links, log, refusals, start};
use crate::locks::{Mutex, MutexGuard, guard, try_lock};
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits, Marshaller};
use crate::plan::Call;
use crate::transport::threads;
use crate::transport::without_signals;
use crate::{Connection, Error};

/// Calls a function of the program with the members of a callback's argument struct. Exceptions may leave it.
pub(crate) type Invoke = unsafe extern "C-unwind" fn(function: *mut c_void, arguments: *mut c_void);

/// Observes a guest, and replaces how it makes calls and runs callbacks.
pub(crate) trait GuestObserver: Observer + Send + Sync {
    /// Makes a call of the program.
    ///
    /// # Errors
    ///
    /// The call was not made.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the function's argument struct, as laid out in the plan.
    unsafe fn call(&self, guest: &Arc<Guest>, function: u32, call: &'static Call, arguments: usize) -> CallResult<()>;
    /// Runs a callback for the worker. Returns its `errno`.
    ///
    /// # Errors
    ///
    /// The function was not called.
    ///
    /// # Safety
    ///
    /// `marshaller` must have decoded the arguments.
    unsafe fn run(
        &self,
        guest: &Guest,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Option<i32>>;
}

/// The client side of a library, in the program's process.
pub(crate) struct Guest {
    pub described: Described,
    pub invokes: Vec<Option<Invoke>>,
    /// The stubs, by function: the name in the API and the address.
    pub functions: Vec<(Vec<u8>, usize)>,
    pub limits: Limits,
    /// How the guest connects to a worker.
    pub reach: start::Reach,
    /// The observer of the calls, in shadow mode.
    pub observer: Option<Arc<dyn GuestObserver>>,
    /// The id of the guest in this process, by which threads find their channels.
    pub(super) id: usize,
    /// The number of forks before the guest connected.
    forks: AtomicU64,
    pub(super) tables: Mutex<Tables>,
    pub(super) tickets: Tickets,
    pub(super) names: AtomicU64,
    /// The first object number of this process. Lower numbers were allocated before a fork.
    pub(super) first_name: AtomicU64,
    pub(super) sent_calls: SentCalls,
    pub(super) callbacks: CallbackCount,
    state: Mutex<State>,
    /// The calls that qualify as scalar calls, by function.
    scalar_calls: Box<[Option<ScalarCall>]>,
    one_way_calls: Box<[Option<OneWayCall>]>,
}

enum State {
    New,
    Open(Arc<Connection>),
    /// The worker could not be started for a temporary reason. A later call tries again.
    Failed(Backoff),
    /// The connection ended or could not be made. All calls fail.
    Ended,
}

std::thread_local! {
    /// The program's `errno` while the engine runs on its thread. Callbacks can read and change it.
    pub(super) static ERRNO: Cell<i32> = const { Cell::new(0) };
}

/// The reason of a refusal, for a program that does not see the log of its worker.
const WORKER_LOGS_IT: &str = "the worker refused the call, and logs the reason";

static GUESTS: AtomicUsize = AtomicUsize::new(1);

/// The guards of all locks of a guest. The guest is declared last, so it is dropped after the guards.
struct Held {
    _state: MutexGuard<'static, State>,
    _tables: MutexGuard<'static, Tables>,
    _expected: MutexGuard<'static, Expected>,
    _tickets: MutexGuard<'static, ()>,
    _guest: Arc<Guest>,
}

impl AtFork for Guest {
    fn hold(self: Arc<Guest>) -> Option<Box<dyn Any>> {
        // SAFETY: `Held` keeps the guest, whose locks are never moved, until it has dropped the guards.
        let guest: &'static Guest = unsafe { &*Arc::as_ptr(&self) };
        Some(Box::new(Held {
            _state: try_lock(&guest.state)?,
            _tables: try_lock(&guest.tables)?,
            _expected: try_lock(guest.sent_calls.lock())?,
            _tickets: try_lock(guest.tickets.lock())?,
            _guest: self,
        }))
    }
}

impl Guest {
    pub fn new(
        described: Described,
        invokes: Vec<Option<Invoke>>,
        functions: Vec<(Vec<u8>, usize)>,
        reach: start::Reach,
        observer: Option<Arc<dyn GuestObserver>>,
        limits: Limits,
    ) -> Arc<Guest> {
        // Threads compute these values once and wait for each other, so a child of a fork could wait forever. Forks wait until a guest was
        // created.
        refusals::hook_of_not_made();
        refusals::is_verbose();
        links::key();
        let scalar_calls = if observer.is_none() { scalar_calls(&described) } else { Box::default() };
        let one_way_calls = one_way_calls(&scalar_calls);
        let tables = Mutex::new(Tables::new(false, described.plan));
        let guest = Arc::new(Guest {
            described,
            invokes,
            functions,
            limits,
            reach,
            observer,
            id: GUESTS.fetch_add(1, Ordering::Relaxed),
            forks: AtomicU64::new(forks::count()),
            tables,
            tickets: Tickets::default(),
            names: AtomicU64::new(0),
            first_name: AtomicU64::new(0),
            sent_calls: SentCalls::default(),
            callbacks: CallbackCount::default(),
            state: Mutex::new(State::New),
            scalar_calls,
            one_way_calls,
        });
        forks::watch(Arc::downgrade(&guest) as Weak<dyn AtFork>);
        guest
    }

    /// Makes a call.
    ///
    /// # Errors
    ///
    /// The call was not made. The arguments hold the failure result.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the function's argument struct, as laid out in the plan.
    #[inline(always)]
    pub unsafe fn call(self: &Arc<Guest>, function: u32, arguments: usize) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { if self.send_one_way(function, arguments) { Ok(()) } else { self.ask(function, arguments) } }
    }

    /// Sends a call on the one-way fast path. Returns `false` if the call is not eligible: it is not one-way, or this thread used another
    /// channel last.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    #[inline(always)]
    pub unsafe fn send_one_way(&self, function: u32, arguments: usize) -> bool {
        let Some(Some(one_way)) = self.one_way_calls.get(function as usize) else { return false };
        // SAFETY: the caller upholds the contract of this function.
        let send = |link: &Link| unsafe { one_way.send(link, arguments) };
        self.is_same_process() && links::with_last(self.id, send).unwrap_or(false)
    }

    #[inline(always)]
    fn is_same_process(&self) -> bool {
        self.forks.load(Ordering::Relaxed) == forks::count()
    }

    /// Makes a call that [`send_one_way`](Guest::send_one_way) did not send.
    ///
    /// # Errors
    ///
    /// Same as [`call`](Guest::call).
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    pub unsafe fn ask(self: &Arc<Guest>, function: u32, arguments: usize) -> CallResult<()> {
        if let Some(Some(scalar_call)) = self.scalar_calls.get(function as usize)
            && self.is_same_process()
            && self.sent_calls.next_id().is_none()
            && let Some(link) = links::last(self.id)
        {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.call_scalar(&link, scalar_call, function, arguments) };
        }
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.call_otherwise(function, arguments) }
    }

    /// Makes a scalar call, or falls back to the general path.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    #[inline(never)]
    unsafe fn call_scalar(
        self: &Arc<Guest>,
        link: &Rc<Link>,
        scalar_call: &ScalarCall,
        function: u32,
        arguments: usize,
    ) -> CallResult<()> {
        if !scalar_call.is_one_way() {
            link.send_errno(errno::get());
        }
        // SAFETY: the caller upholds the contract of this function.
        match unsafe { scalar_call.send(link, arguments) } {
            Sent::OneWay => return Ok(()),
            // SAFETY: the caller upholds the contract of this function.
            Sent::Waiting(_waits) => return unsafe { self.take(link, scalar_call, arguments) },
            Sent::Not => {}
        }
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.call_otherwise(function, arguments) }
    }

    /// Waits for the reply of a scalar call.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    #[inline(always)]
    unsafe fn take(self: &Arc<Guest>, link: &Rc<Link>, scalar_call: &ScalarCall, arguments: usize) -> CallResult<()> {
        let mut errno = None;
        ERRNO.set(errno::get());
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            let made = scalar_call.take(&**self, link, arguments).map(|value| errno = value);
            self.end_call(scalar_call.call, arguments, made, errno)
        }
    }

    /// Finishes a call: sets `errno`, and stores the failure result if the call was not made.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    #[inline(always)]
    unsafe fn end_call(
        &self,
        call: &'static Call,
        arguments: usize,
        made: CallResult<()>,
        mut errno: Option<i32>,
    ) -> CallResult<()> {
        if let Err(fault) = &made {
            let reason = match self.reach {
                start::Reach::Shared(_) if fault.is_of_other_side() => CallError::Refused(WORKER_LOGS_IT, call.name),
                _ => *fault,
            };
            refusals::explain(&self.described, call.name, &reason);
            if let CallError::Channel(why) = fault {
                // A signal handler that makes a call would wait for locks of the thread that it interrupts.
                without_signals(|| self.handle_failure(why));
            }
            // SAFETY: the caller upholds the contract of this function.
            unsafe { fail(self, call, arguments, &mut errno) };
        }
        errno::set(errno.unwrap_or_else(|| ERRNO.get()));
        made
    }

    /// Makes a call on the general path, which handles forks, observers and missing channels.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    #[inline(never)]
    unsafe fn call_otherwise(self: &Arc<Guest>, function: u32, arguments: usize) -> CallResult<()> {
        let call = self.described.plan.call(function).ok_or(UNEXPECTED)?;
        let mut errno = None;
        ERRNO.set(errno::get());
        if self.forks.load(Ordering::Relaxed) != forks::count() {
            self.reset_after_fork();
        }
        if let Some(observer) = &self.observer {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { observer.call(self, function, call, arguments) };
        }
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            let made = match self.link() {
                Some(link) => self.make(&link, (function, call), arguments, &mut errno),
                None => make_without_worker(&**self, call, arguments, &mut errno),
            };
            self.end_call(call, arguments, made, errno)
        }
    }

    /// Makes a call over a channel: on the fast path, or else with a marshaller.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    unsafe fn make(
        &self,
        link: &Rc<Link>,
        (function, call): (u32, &'static Call),
        arguments: usize,
        errno: &mut Option<i32>,
    ) -> CallResult<()> {
        let _busy = link.enter()?;
        if self.sent_calls.is_collection_due() {
            collect_regularly(self, link)?;
        }
        link.send_errno(ERRNO.get());
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            if let Some(fast) = call.facts.fast.as_ref().filter(|_| !link.has_members()) {
                match make_fast(self, link, (function, call.name), fast, arguments)? {
                    Made::Done(value) => {
                        *errno = value;
                        return Ok(());
                    }
                    Made::NeedsMarshaller => {}
                }
            }
            clear_result(self, call, arguments);
            make(self, link, CallTarget { number: function, ..CallTarget::default() }, call, arguments, errno)
        }
    }

    /// Stores the failure result of a call that is not made.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Guest::call).
    pub unsafe fn store_failure_result(&self, function: u32, arguments: usize) {
        if let Some(call) = self.described.plan.call(function) {
            let (before, mut errno) = (errno::get(), None);
            // SAFETY: the caller upholds the contract of this function.
            unsafe { fail(self, call, arguments, &mut errno) };
            errno::set(errno.unwrap_or(before));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        guard(&self.state)
    }

    /// Returns the connection if it is open.
    pub(super) fn connection(&self) -> Result<Arc<Connection>, Error> {
        match &*self.state() {
            State::Open(connection) => Ok(Arc::clone(connection)),
            State::New | State::Failed(_) | State::Ended => Err(Error::Died),
        }
    }

    /// Drops a failed channel of this thread. Also drops the connection if the worker died, violated the protocol or timed out.
    pub(crate) fn handle_failure(&self, why: &Error) {
        links::forget(self.id);
        #[cfg(all(feature = "fault-injection", not(loom)))]
        if crate::fault_injection::reconnects() && matches!(why, Error::Protocol(_)) {
            return;
        }
        if matches!(why, Error::Died | Error::Protocol(_) | Error::Silent) {
            let mut state = self.state();
            if let State::Open(connection) = &*state {
                connection.stop();
                *state = State::Ended;
                log::say(&format!("{}: its worker is lost: {why}; its calls fail", self.described.soname));
                // The next call connects again, as in the child of a fork.
                #[cfg(all(feature = "fault-injection", not(loom)))]
                forks::pretend(u64::from(crate::fault_injection::reconnects()));
            }
        }
    }

    /// Resets the guest in the child of a fork, because the worker belongs to the parent. A separate function, so nested calls do not contain its
    /// stack frame.
    #[inline(never)]
    fn reset_after_fork(&self) {
        let mut state = self.state();
        if self.forks.swap(forks::count(), Ordering::Relaxed) == forks::count() {
            return;
        }
        std::mem::forget(std::mem::replace(&mut *state, State::New));
        let tables = Tables::new(false, self.described.plan);
        let parents = std::mem::replace(&mut *crate::marshal::lock(&self.tables), tables);
        self.callbacks.clear();
        let lost = self.sent_calls.clear();
        self.tickets.reset();
        self.first_name.store(self.names.load(Ordering::Relaxed), Ordering::Relaxed);
        drop(state);
        if lost != 0 {
            let soname = &self.described.soname;
            log::say(&format!(
                "{soname}: the results of {lost} asynchronous calls had not arrived when the program forked; the child does not get them"
            ));
        }
        // Files are closed after the locks were released.
        parents.leave_memory();
        self.described.at(lapis_cx_plan::Hook::ForkChild);
    }

    /// Returns the channel of this thread, and opens one if necessary.
    pub(crate) fn link(self: &Arc<Guest>) -> Option<Rc<Link>> {
        let can_store = match links::find(self.id) {
            Ok(Some(link)) => return Some(link),
            Ok(None) => true,
            // The thread cannot store a channel, so this call uses a temporary one.
            Err(links::CannotStore) => false,
        };
        // A signal handler that makes a call would wait for locks of the thread that it interrupts.
        without_signals(|| self.add_link(can_store))
    }

    /// Opens a channel for this thread. A separate function, so nested calls do not contain its stack frame.
    #[inline(never)]
    fn add_link(self: &Arc<Guest>, can_store: bool) -> Option<Rc<Link>> {
        let link = Rc::new(Link::new(self.open()?, self.id, self.limits.depth));
        if can_store {
            links::keep(self.id, &link);
        }
        Some(link)
    }

    /// Connects now instead of with the first call.
    ///
    /// # Errors
    ///
    /// The reason why no worker is available. All calls fail in that case.
    pub fn connect(self: &Arc<Guest>) -> Result<(), String> {
        self.begin(&mut self.state()).map_err(Unreached::message)
    }

    /// Ends the connection. The program makes no more calls.
    pub fn end(&self) {
        links::forget(self.id);
        // A connection from before a fork belongs to the parent.
        if self.forks.load(Ordering::Relaxed) == forks::count()
            && let State::Open(connection) = std::mem::replace(&mut *self.state(), State::Ended)
        {
            connection.stop();
        }
    }

    /// Connects, unless an earlier attempt failed for good or the backoff time has not passed.
    fn begin(self: &Arc<Guest>, state: &mut State) -> Result<(), Unreached> {
        let mut backoff = match state {
            State::New => Backoff::default(),
            State::Failed(backoff) if backoff.is_over() => *backoff,
            _ => return Ok(()),
        };
        *state = State::Ended;
        let connection = match start::connect(&self.described, &self.reach) {
            Ok(connection) => Arc::new(connection),
            Err(why) => {
                let is_temporary = matches!(why, Unreached::Temporary(_));
                #[cfg(all(feature = "fault-injection", not(loom)))]
                let is_temporary = is_temporary || crate::fault_injection::reconnects();
                if is_temporary {
                    let is_first = backoff.failed();
                    *state = State::Failed(backoff);
                    if !is_first {
                        return Ok(());
                    }
                }
                return Err(why);
            }
        };
        if !self.described.plan.callbacks.is_empty() {
            self.serve_callbacks(&connection);
        }
        *state = State::Open(connection);
        Ok(())
    }

    fn open(self: &Arc<Guest>) -> Option<crate::Channel> {
        let mut state = self.state();
        if let Err(why) = self.begin(&mut state) {
            let until = if matches!(why, Unreached::Temporary(_)) {
                "; its calls fail until it does"
            } else {
                "; its calls fail"
            };
            log::say(&format!("{}: {}{until}", self.described.soname, why.message()));
        }
        match &*state {
            State::Open(connection) => {
                let connection = Arc::clone(connection);
                drop(state);
                connection.open().ok()
            }
            _ => None,
        }
    }

    /// Starts a thread for each channel that the worker opens. Library threads call back over these channels.
    fn serve_callbacks(self: &Arc<Guest>, connection: &Arc<Connection>) {
        let (guest, accepts) = (Arc::clone(self), Arc::clone(connection));
        threads::thread("lapis-cx-accept", move || {
            while let Ok(channel) = accepts.accept() {
                let guest = Arc::clone(&guest);
                threads::thread_with("lapis-cx-call", threads::CALLBACK_STACK, move || {
                    let mut link = Link::new(channel, guest.id, guest.limits.depth);
                    link.is_for_callbacks = true;
                    serve(&*guest, &Rc::new(link));
                    links::forget(guest.id);
                });
            }
        });
    }

    /// Returns the address of a function that runs in the program, not in the worker.
    pub(super) fn own_function(&self, function: Option<u32>) -> Option<usize> {
        let at = function.filter(|at| self.described.plan.call(*at).is_none())?;
        self.functions.get(at as usize).map(|(_, function)| *function).filter(|function| *function != 0)
    }
}
