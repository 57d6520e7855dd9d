//! The guest: it makes the calls of a program in the worker, and runs the program's callbacks.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Once, PoisonError};

use super::asynchronous::SentCall;
use super::described::Described;
use super::endpoint::{Endpoint, Observer, Request};
use super::fast_path::make::{Made, make as make_fast};
use super::fast_path::one_way::{OneWayCall, one_way_calls};
use super::fast_path::scalar_call::{ScalarCall, Sent, scalar_call};
use super::link::{Link, UNEXPECTED};
use super::make::{Called, clear_result, fail, make, make_alone};
use super::order::{Key, Taken, Ticket, Tickets};
use super::serve::serve;
use super::start::{Backoff, Unreached};
use super::{links, start};
use crate::locks::{Mutex, MutexGuard};
use crate::marshal::memory;
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits, Marshaller, Side, Substitutes};
use crate::plan::{Call, Mode};
use crate::{Connection, Error};

/// Calls a function of the program, of a callback's type, with the members of a struct of arguments.
pub(crate) type Invoke = unsafe extern "C" fn(function: *mut c_void, arguments: *mut c_void);

/// Observes a guest, and makes its calls and callbacks in its place.
pub(crate) trait GuestObserver: Observer + Send + Sync {
    /// Makes a call of the program.
    ///
    /// # Errors
    ///
    /// The call was not made.
    ///
    /// # Safety
    ///
    /// `arguments` is the struct of the function's arguments, as the plan says.
    unsafe fn call(&self, guest: &Arc<Guest>, function: u32, call: &'static Call, arguments: usize) -> CallResult<()>;
    /// Calls a function of the program for the worker: its `errno`.
    ///
    /// # Errors
    ///
    /// The function was not called.
    ///
    /// # Safety
    ///
    /// The arguments were decoded with this walk.
    unsafe fn run(
        &self,
        guest: &Guest,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Option<i32>>;
}

/// A library in the program.
pub(crate) struct Guest {
    pub described: Described,
    pub invokes: Vec<Option<Invoke>>,
    /// The stubs, by function: what they are called in the API, and where they are.
    pub functions: Vec<(Vec<u8>, usize)>,
    pub limits: Limits,
    /// How a worker is reached.
    pub reach: start::Reach,
    /// Observes the calls, in shadow mode.
    pub observer: Option<Arc<dyn GuestObserver>>,
    /// Which guest of the process it is: threads find their channels by it.
    id: usize,
    /// How often the process had forked when it was connected.
    forks: AtomicU64,
    tables: Mutex<Tables>,
    tickets: Tickets,
    calls: AtomicU64,
    names: AtomicU64,
    /// The first name that this process gave: what has a lower one is of before a fork.
    first_name: AtomicU64,
    expected: Mutex<HashMap<u64, SentCall>>,
    state: Mutex<State>,
    /// By function.
    scalar_call: Box<[Option<ScalarCall>]>,
    one_way_calls: Box<[Option<OneWayCall>]>,
}

enum State {
    New,
    Open(Arc<Connection>),
    /// It could not be started, for a reason that may pass: a later call tries it again.
    Failed(Backoff),
    /// It ended, or never was: all calls fail.
    Ended,
}

std::thread_local! {
    /// What the program has in `errno` while the engine runs on its thread: callbacks find it and may change it.
    static ERRNO: Cell<i32> = const { Cell::new(0) };
}

static GUESTS: AtomicUsize = AtomicUsize::new(1);
/// How many forks lie between the first process and this one.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// In the child of a fork: connections are the parent's. They are left as they are, as closing them would close them there too.
extern "C" fn in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    links::leave_to_parent();
}

static WATCHES_FORKS: Once = Once::new();

impl Guest {
    pub fn new(
        described: Described,
        invokes: Vec<Option<Invoke>>,
        functions: Vec<(Vec<u8>, usize)>,
        reach: start::Reach,
        observer: Option<Arc<dyn GuestObserver>>,
        limits: Limits,
    ) -> Arc<Guest> {
        let scalar_call = if observer.is_none() { scalar_call(&described) } else { Box::default() };
        let one_way_calls = one_way_calls(&scalar_call);
        let tables = Mutex::new(Tables::new(false, &described.plan.metadata));
        Arc::new(Guest {
            described,
            invokes,
            functions,
            limits,
            reach,
            observer,
            id: GUESTS.fetch_add(1, Ordering::Relaxed),
            forks: AtomicU64::new(FORKS.load(Ordering::Relaxed)),
            tables,
            tickets: Tickets::default(),
            calls: AtomicU64::new(0),
            names: AtomicU64::new(0),
            first_name: AtomicU64::new(0),
            expected: Mutex::default(),
            state: Mutex::new(State::New),
            scalar_call,
            one_way_calls,
        })
    }

    /// Makes a call.
    ///
    /// # Errors
    ///
    /// It was not made: the result is what the specification says for that.
    ///
    /// # Safety
    ///
    /// `arguments` is the struct of the function's arguments, as the plan says.
    #[inline(always)]
    pub unsafe fn call(self: &Arc<Guest>, function: u32, arguments: usize) -> CallResult<()> {
        // SAFETY: as the caller says.
        unsafe { if self.send_one_way(function, arguments) { Ok(()) } else { self.ask(function, arguments) } }
    }

    /// Makes a call that nobody waits for, if it is one, and follows another one: true. This is what programs do that make many.
    ///
    /// # Safety
    ///
    /// As [`call`](Guest::call).
    #[inline(always)]
    pub unsafe fn send_one_way(&self, function: u32, arguments: usize) -> bool {
        let Some(Some(tell)) = self.one_way_calls.get(function as usize) else { return false };
        // SAFETY: as the caller says.
        let send = |link: &Link| unsafe { tell.send(link, arguments) };
        self.is_same_process() && links::with_last(self.id, send).unwrap_or(false)
    }

    #[inline(always)]
    fn is_same_process(&self) -> bool {
        self.forks.load(Ordering::Relaxed) == FORKS.load(Ordering::Relaxed)
    }

    /// Makes a call for which there is more to be done than to [`tell`](Guest::tell) it.
    ///
    /// # Errors
    ///
    /// As [`call`](Guest::call).
    ///
    /// # Safety
    ///
    /// As there.
    pub unsafe fn ask(self: &Arc<Guest>, function: u32, arguments: usize) -> CallResult<()> {
        if let Some(Some(scalar_call)) = self.scalar_call.get(function as usize)
            && self.is_same_process()
            && let Some(link) = links::last(self.id)
        {
            // SAFETY: as the caller says.
            return unsafe { self.call_bare(&link, scalar_call, function, arguments) };
        }
        // SAFETY: as the caller says.
        unsafe { self.call_otherwise(function, arguments) }
    }

    /// # Safety
    ///
    /// As [`call`](Guest::call).
    #[inline(never)]
    unsafe fn call_bare(
        self: &Arc<Guest>,
        link: &Rc<Link>,
        scalar_call: &ScalarCall,
        function: u32,
        arguments: usize,
    ) -> CallResult<()> {
        if !scalar_call.is_told() {
            link.send_errno(start::errno());
        }
        // SAFETY: as the caller says.
        match unsafe { scalar_call.send(link, arguments) } {
            Sent::ServedOneWay => return Ok(()),
            // SAFETY: as the caller says.
            Sent::SentCall(_waits) => return unsafe { self.take(link, scalar_call, arguments) },
            Sent::Not => {}
        }
        // SAFETY: as the caller says.
        unsafe { self.call_otherwise(function, arguments) }
    }

    /// Waits for what comes back of a call.
    ///
    /// # Safety
    ///
    /// As [`call`](Guest::call).
    #[inline(always)]
    unsafe fn take(self: &Arc<Guest>, link: &Rc<Link>, scalar_call: &ScalarCall, arguments: usize) -> CallResult<()> {
        let mut errno = None;
        ERRNO.set(start::errno());
        // SAFETY: as the caller says.
        unsafe {
            let made = scalar_call.take(&**self, link, arguments).map(|said| errno = said);
            self.end_call(scalar_call.call, arguments, made, errno)
        }
    }

    /// What the program finds: `errno` if there is one, and of a call that was not made what the specification says for that.
    ///
    /// # Safety
    ///
    /// As [`call`](Guest::call).
    #[inline(always)]
    unsafe fn end_call(
        &self,
        call: &'static Call,
        arguments: usize,
        made: CallResult<()>,
        mut errno: Option<i32>,
    ) -> CallResult<()> {
        if let Err(fault) = &made {
            start::explain(&self.described, call.name, fault);
            self.is_lost(fault);
            // SAFETY: as the caller says.
            unsafe { fail(self, call, arguments, &mut errno) };
        }
        start::set_errno(errno.unwrap_or_else(|| ERRNO.get()));
        made
    }

    /// # Safety
    ///
    /// As [`call`](Guest::call).
    #[inline(never)]
    unsafe fn call_otherwise(self: &Arc<Guest>, function: u32, arguments: usize) -> CallResult<()> {
        let call = self.described.plan.functions.get(function as usize).and_then(Option::as_ref).ok_or(UNEXPECTED)?;
        let mut errno = None;
        ERRNO.set(start::errno());
        if self.forks.load(Ordering::Relaxed) != FORKS.load(Ordering::Relaxed) {
            self.begin_anew();
        }
        if let Some(observer) = &self.observer {
            // SAFETY: as the caller says.
            return unsafe { observer.call(self, function, call, arguments) };
        }
        // SAFETY: as the caller says.
        unsafe {
            let made = match self.link() {
                Some(link) => self.make(&link, (function, call), arguments, &mut errno),
                None => make_alone(&**self, call, arguments, &mut errno),
            };
            self.end_call(call, arguments, made, errno)
        }
    }

    /// # Safety
    ///
    /// As [`call`](Guest::call).
    unsafe fn make(
        &self,
        link: &Rc<Link>,
        (function, call): (u32, &'static Call),
        arguments: usize,
        errno: &mut Option<i32>,
    ) -> CallResult<()> {
        link.send_errno(ERRNO.get());
        // SAFETY: as the caller says.
        unsafe {
            if let Some(fast) = call.fast.as_ref().filter(|_| !link.has_members()) {
                match make_fast(self, link, (function, call.name), fast, arguments)? {
                    Made::Done(said) => {
                        *errno = said;
                        return Ok(());
                    }
                    Made::NeedsWalk => {}
                }
            }
            clear_result(self, call, arguments);
            make(self, link, Called { number: function, ..Called::default() }, call, arguments, errno)
        }
    }

    /// The result of a call that is not made.
    ///
    /// # Safety
    ///
    /// As [`call`](Guest::call).
    pub unsafe fn make_up(&self, function: u32, arguments: usize) {
        if let Some(call) = self.described.plan.functions.get(function as usize).and_then(Option::as_ref) {
            let (before, mut errno) = (start::errno(), None);
            // SAFETY: as the caller says.
            unsafe { fail(self, call, arguments, &mut errno) };
            start::set_errno(errno.unwrap_or(before));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection, if it is there.
    fn connection(&self) -> Result<Arc<Connection>, Error> {
        match &*self.state() {
            State::Open(connection) => Ok(Arc::clone(connection)),
            State::New | State::Failed(_) | State::Ended => Err(Error::Died),
        }
    }

    /// A channel that failed is of no use any more; nor is a connection of which the other process is gone.
    pub(crate) fn is_lost(&self, fault: &CallError) {
        let CallError::Channel(why) = fault else { return };
        links::forget(self.id);
        if matches!(why, Error::Died | Error::Protocol(_) | Error::Silent) {
            let mut state = self.state();
            if let State::Open(connection) = &*state {
                connection.stop();
                *state = State::Ended;
                start::say(&format!("{}: its worker is lost: {why}; its calls fail", self.described.soname));
            }
        }
    }

    /// In the child of a fork: nothing of the parent's worker is known here.
    fn begin_anew(&self) {
        let mut state = self.state();
        if self.forks.swap(FORKS.load(Ordering::Relaxed), Ordering::Relaxed) == FORKS.load(Ordering::Relaxed) {
            return;
        }
        std::mem::forget(std::mem::replace(&mut *state, State::New));
        let tables = Tables::new(false, &self.described.plan.metadata);
        let parents = std::mem::replace(&mut *crate::marshal::lock(&self.tables), tables);
        self.expected.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.tickets.begin_anew();
        self.first_name.store(self.names.load(Ordering::Relaxed), Ordering::Relaxed);
        drop(state);
        // Files are closed when no lock is held.
        drop(parents);
        self.described.at(lapis_cx_plan::Hook::ForkChild);
    }

    /// The channel of this thread.
    pub(crate) fn link(self: &Arc<Guest>) -> Option<Rc<Link>> {
        match links::find(self.id) {
            Ok(Some(link)) => Some(link),
            Ok(None) => {
                let link = self.open().map(|channel| Rc::new(Link::new(channel, self.id, self.limits.depth)))?;
                links::keep(self.id, &link);
                Some(link)
            }
            // This call has a channel of its own.
            Err(links::NoPlace) => self.open().map(|channel| Rc::new(Link::new(channel, self.id, self.limits.depth))),
        }
    }

    /// Connects now, rather than with the first call.
    ///
    /// # Errors
    ///
    /// Why there is no worker, in words. All calls fail then.
    pub fn connect(self: &Arc<Guest>) -> Result<(), String> {
        self.begin(&mut self.state()).map_err(Unreached::words)
    }

    /// Nobody makes calls any more.
    pub fn end(&self) {
        links::forget(self.id);
        // A connection of before a fork is the parent's.
        if self.forks.load(Ordering::Relaxed) == FORKS.load(Ordering::Relaxed)
            && let State::Open(connection) = std::mem::replace(&mut *self.state(), State::Ended)
        {
            connection.stop();
        }
    }

    /// Connects, unless it was tried, and failed for a reason that stays or just now.
    fn begin(self: &Arc<Guest>, state: &mut State) -> Result<(), Unreached> {
        let mut backoff = match state {
            State::New => Backoff::default(),
            State::Failed(backoff) if backoff.is_over() => *backoff,
            _ => return Ok(()),
        };
        WATCHES_FORKS.call_once(|| {
            // SAFETY: a function that stays.
            let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        });
        *state = State::Ended;
        let connection = match start::connect(&self.described, &self.reach) {
            Ok(connection) => Arc::new(connection),
            Err(why) => {
                if matches!(why, Unreached::Passing(_)) {
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
            let until = if matches!(why, Unreached::Passing(_)) {
                "; its calls fail until it does"
            } else {
                "; its calls fail"
            };
            start::say(&format!("{}: {}{until}", self.described.soname, why.words()));
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

    /// Threads of the library call back over channels that the worker opens: each has a thread here.
    fn serve_callbacks(self: &Arc<Guest>, connection: &Arc<Connection>) {
        let (guest, accepts) = (Arc::clone(self), Arc::clone(connection));
        start::thread("lapis-cx-accept", move || {
            while let Ok(channel) = accepts.accept() {
                let guest = Arc::clone(&guest);
                start::thread_with("lapis-cx-call", start::CALLBACK_STACK, move || {
                    serve(&*guest, &Rc::new(Link::new(channel, guest.id, guest.limits.depth)));
                    links::forget(guest.id);
                });
            }
        });
    }
}

impl Side for Guest {
    fn trampoline(&self, _: u32, _: u32) -> Option<usize> {
        None
    }

    fn substitutes(&self) -> Option<&dyn Substitutes> {
        self.observer.as_deref().map(|observer| observer as &dyn Substitutes)
    }

    fn send_file(&self, file: BorrowedFd<'_>) -> Result<u32, Error> {
        self.connection()?.send_file(file)
    }

    fn take_file_back(&self, number: u32) {
        if let Ok(connection) = self.connection() {
            connection.take_file_back(number);
        }
    }

    fn take_file(&self, number: u32) -> Result<OwnedFd, Error> {
        self.connection()?.take_file(number)
    }

    fn has_named(&self, number: u64) -> bool {
        (self.first_name.load(Ordering::Relaxed)..self.names.load(Ordering::Relaxed)).contains(&number)
    }

    fn function(&self, name: &[u8]) -> usize {
        self.functions.iter().find(|(one, _)| one == name).map_or(0, |(_, function)| *function)
    }

    fn allocate(&self, function: Option<u32>, bytes: usize) -> usize {
        // One that the worker runs has nothing to give to the program.
        let is_own = |at: &u32| self.described.plan.functions.get(*at as usize).is_some_and(Option::is_none);
        let own = function.filter(is_own).and_then(|at| self.functions.get(at as usize));
        // SAFETY: an allocator takes a size.
        unsafe { memory::allocate(own.map_or(0, |(_, function)| *function), bytes) }
    }

    fn free(&self, _: Option<u32>, address: usize) {
        // SAFETY: the program gave it away.
        unsafe { libc::free(std::ptr::with_exposed_provenance_mut(address)) };
    }
}

impl Endpoint for Guest {
    fn observer(&self) -> Option<&dyn Observer> {
        self.observer.as_deref().map(|observer| observer as &dyn Observer)
    }

    fn described(&self) -> &Described {
        &self.described
    }

    fn tables(&self) -> &Mutex<Tables> {
        &self.tables
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn is_worker(&self) -> bool {
        false
    }

    fn tickets(&self, keys: &[Key], is_async: bool) -> Taken {
        self.tickets.of_keys(keys, is_async)
    }

    fn ticket(&self, is_async: bool) -> Option<Ticket> {
        self.described.plan.has_async.then(|| self.tickets.global(is_async))
    }

    fn new_call(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed)
    }

    fn new_name(&self) -> u64 {
        self.names.fetch_add(1, Ordering::Relaxed)
    }

    fn expect(&self, id: u64, asked: SentCall) {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner).insert(id, asked);
    }

    fn take_expected(&self, id: u64) -> Option<SentCall> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
    }

    fn failed_late(&self, function: u32, result: i64) {
        let call = self.described.plan.functions.get(function as usize).and_then(Option::as_ref);
        let name = call.map_or("?", |call| self.described.plan.text(call.name));
        start::failed_late(&self.described, name, result);
    }

    unsafe fn run(
        &self,
        link: &Rc<Link>,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Option<i32>> {
        let _lent = link.lend();
        // What the callback calls runs on the thread that called it, which reads this channel while it waits for the callback or for
        // the end of a call. Otherwise nobody reads it: then this thread uses a channel of its own.
        let is_read = request.mode == Mode::Sync || link.depth() != 0;
        let _nested = if is_read { links::lend(self.id, link) } else { links::use_own() };
        let _runs = is_read.then(|| links::runs(link));
        if let Some(observer) = &self.observer {
            // SAFETY: as the caller says.
            return unsafe { observer.run(self, request, marshaller, arguments) };
        }
        let function = {
            let tables = marshaller.lock();
            let registration = tables.registrations.get(&request.registration);
            let functions = registration.map_or(&[][..], |one| &one.functions);
            let registered = functions.iter().find(|(callback, _)| *callback == request.number);
            let own = if request.call.has_userdata { tables.function_of(request.number, request.slot) } else { None };
            registration.and(own.or(registered.map(|(_, function)| *function)))
        };
        let invoke = self.invokes.get(request.number as usize).copied().flatten();
        let refused = CallError::Refused("no function of the program is registered for it", request.call.name);
        let (function, invoke) = function.zip(invoke).ok_or(refused)?;
        let pointer = std::ptr::with_exposed_provenance_mut;
        start::has_refused();
        start::set_errno(request.errno);
        // SAFETY: the program registered the function for this callback.
        unsafe { invoke(pointer(function), pointer(arguments)) };
        let errno = start::errno();
        ERRNO.set(errno);
        let was_refused = start::has_refused();
        if request.call.is_once {
            marshaller.lock().called_once(request.registration);
        }
        if was_refused {
            return Err(CallError::Refused("the function of the program did not do it", request.call.name));
        }
        Ok(Some(errno))
    }
}
