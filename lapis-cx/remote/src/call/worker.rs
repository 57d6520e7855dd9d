//! The worker: loads the library and serves the calls of guests.

use std::cell::RefMut;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::asynchronous::{Collected, Done, Results};
use super::described::{Described, Enter, Thunk};
use super::endpoint::{Endpoint, LibraryCall, Request, Returned, keys};
use super::fast_path::one_way::ScalarCalls;
use super::fast_path::serve_scalar_calls::serve_scalar_calls;
use super::link::{Link, UNEXPECTED};
use super::make::{CallTarget, clear_result, fail, make};
use super::order::{Keys, Ticket, Turns, WaitsFor, thread};
use super::run::{end_when_idle, run};
use super::serve::serve;
use super::serving::Serving;
use super::session::{IS_LEFT, LINKS, RUNNING, Registered, RunningGuard, check_callbacks, run_thunk};
pub(crate) use super::session::{Session, Worker};
use super::{errno, log, refusals, settings};
use crate::locks::{Mutex, guard};
use crate::marshal::access::{load_pointer, store_pointer};
use crate::marshal::eval::{Lists, Stage};
use crate::marshal::memory::{self, Allocation};
use crate::marshal::names::Names;
use crate::marshal::tables::Tables;
use crate::marshal::{
    CallError, CallResult, KeptMemory, Limits, Marshaller, NothingAttached, Side, lock, watched_memory as watched,
};
use crate::plan::{self, Kind, Mode};
use crate::protocol::{Ended, MOST_ENDED};
use crate::transport::threads;
use crate::{Connection, Error, Geometry, Library, Receiver};

/// The largest number of failures of asynchronous calls that a worker records until the next reply. A program that makes only one-way calls gets
/// no reply.
const MOST_FAILURES: usize = 1 << 16;
const IS_MISSING: &str = "the library has no such function";

impl Worker {
    pub fn new(
        described: Described,
        (thunks, enter, reals): (Vec<Option<Thunk>>, Option<Enter>, Vec<usize>),
        trampolines: Vec<Vec<usize>>,
        limits: Limits,
    ) -> Arc<Worker> {
        if settings::is_shadow() {
            watched::start();
        }
        let scalar_calls = ScalarCalls::new(&described, &thunks);
        let (monitors, slots, null_userdata, sessions) = Default::default();
        Arc::new(Worker {
            described,
            thunks,
            enter,
            reals,
            trampolines,
            limits,
            scalar_calls,
            monitors,
            slots,
            null_userdata,
            sessions,
        })
    }

    /// Serves the calls of a guest until the guest disconnects.
    pub fn serve(self: &Arc<Worker>, connection: Connection) {
        let connection = Arc::new(connection);
        let session = Arc::new_cyclic(|itself| Session {
            worker: Arc::clone(self),
            itself: Weak::clone(itself),
            connection: Arc::clone(&connection),
            tables: Mutex::new(Tables::new(true, self.described.plan)),
            late: Mutex::default(),
            turns: Turns::default(),
            names: Names::default(),
            has_async_callbacks: AtomicBool::new(false),
            results: Results::default(),
            failed: Mutex::default(),
            has_ended: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            serving: Serving::default(),
        });
        {
            let mut sessions = guard(&self.sessions);
            sessions.retain(|one| one.strong_count() > 0);
            sessions.push(Arc::downgrade(&session));
        }
        // This thread serves the first channel, because a new thread may wait long for a processor.
        let first = connection.accept();
        let accepts = {
            let session = Arc::clone(&session);
            threads::thread("lapis-cx-accept", move || session.accept_all())
        };
        if let (Ok(first), Some(_)) = (first, &accepts) {
            let _serves = session.serving.begin();
            serve(&*session, &Rc::new(Link::new(first, 0, self.limits.depth)));
        } else {
            connection.stop();
        }
        if let Some(accepts) = accepts {
            // The panic hook has already reported a panic of this thread.
            let _ = accepts.join();
        }
    }

    /// Serves guests according to the program's arguments, without the program's name. `most` is the upper limit of a guest's shared memory.
    ///
    /// # Errors
    ///
    /// The reason why the process cannot serve.
    pub fn run(self: &Arc<Worker>, most: Geometry, arguments: &[String]) -> Result<(), String> {
        let name = Library { name: self.described.name.clone(), contract: self.described.contract };
        let worker = Arc::clone(self);
        run((name, most), arguments, move |connection| worker.serve(connection))
    }

    /// Forwards a call of a trampoline to the guest that registered the function.
    ///
    /// # Errors
    ///
    /// The function was not called. The arguments hold the failure result, if the registration is known.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the callback's argument struct, as laid out in the plan.
    pub unsafe fn callback(&self, callback: u32, slot: u32, arguments: usize) -> CallResult<()> {
        let call = self.described.plan.callbacks.get(callback as usize).ok_or(UNEXPECTED)?;
        let before = errno::get();
        let mut errno = None;
        // SAFETY: the caller upholds the contract of this function.
        let Some((session, registration)) = (unsafe { self.registration(call, callback, slot, arguments) }) else {
            // SAFETY: same guarantee as above.
            unsafe { self.report_ended_registration(call, arguments, &mut errno) };
            errno::set(errno.unwrap_or(before));
            return Err(CallError::Refused("its registration is over", call.name));
        };
        // SAFETY: the caller upholds the contract of this function.
        let made = unsafe {
            clear_result(&*session, call, arguments);
            let called = CallTarget { number: callback, registration, slot, errno: before };
            if call.timing.iter().any(|timing| timing.then.mode != Mode::Sync) {
                session.has_async_callbacks.store(true, Ordering::SeqCst);
            }
            let made = match session.link() {
                // The program has left the call, but the library calls back again.
                Some((_, true)) if IS_LEFT.get() => Err(CallError::Left),
                Some((link, true)) => {
                    let made = make(&*session, &link, called, call, arguments, &mut errno);
                    // The program can only leave a library function that the engine's frames do not separate from the callback.
                    let is_direct = RUNNING.get().is_some_and(|running| running.depth == link.depth());
                    IS_LEFT.set(made == Err(CallError::Left) && is_direct);
                    made
                }
                Some((link, false)) => {
                    let made = make(&*session, &link, called, call, arguments, &mut errno);
                    link.release();
                    made
                }
                None => Err(CallError::Channel(Error::Died)),
            };
            if let Err(why) = &made {
                if *why != CallError::Left {
                    refusals::explain(&self.described, call.name, why);
                }
                fail(&*session, call, arguments, &mut errno);
            }
            made
        };
        if call.is_once {
            let mut ended = Vec::new();
            lock(&session.tables).called_once(registration, &mut ended);
            session.record_ended(ended);
        }
        errno::set(errno.unwrap_or(before));
        made
    }

    /// Handles a callback whose registration has ended: stores the failure result and logs the callback's name.
    ///
    /// # Safety
    ///
    /// Same contract as [`callback`](Worker::callback).
    #[cold]
    unsafe fn report_ended_registration(&self, call: &plan::Call, arguments: usize, errno: &mut Option<i32>) {
        let name = self.described.plan.text(call.name);
        log::say(&format!(
            "{}: the library called a function for `{name}` whose registration had ended, so it was not called; give its place \
             or its userdata a longer @lifetime",
            self.described.soname
        ));
        let session = guard(&self.sessions).iter().find_map(Weak::upgrade);
        if let Some(session) = session {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { fail(&*session, call, arguments, errno) };
        }
    }

    /// Finds the registration for a call of a trampoline.
    ///
    /// # Safety
    ///
    /// Same contract as [`callback`](Worker::callback).
    unsafe fn registration(
        &self,
        call: &plan::Call,
        callback: u32,
        slot: u32,
        arguments: usize,
    ) -> Option<(Arc<Session>, u32)> {
        if !call.facts.has_userdata {
            let (session, registration) = guard(&self.slots).get(&(callback, slot)).cloned()?;
            return session.upgrade().map(|session| (session, registration));
        }
        let block = self.described.plan.blocks.get(call.arguments as usize)?;
        let is_userdata = |value: &&plan::Value| matches!(&value.kind, Kind::Userdata { of, .. } if of.is_empty());
        let value = block.values.iter().find(is_userdata)?;
        if let Some(implicit) = call.implicits.iter().find(|one| !one.at_exit && one.offset == value.offset) {
            // SAFETY: the caller upholds the contract of this function; the expression reads only the arguments.
            unsafe { self.store_userdata(implicit, arguments)? };
        }
        // SAFETY: the plan places this member inside the argument struct.
        let userdata = unsafe { load_pointer(arguments + value.offset) };
        if userdata == 0 {
            // An older registration may be about to end.
            return guard(&self.null_userdata).get(&(callback, slot))?.iter().rev().find_map(registered);
        }
        let sessions: Vec<Arc<Session>> = guard(&self.sessions).iter().filter_map(Weak::upgrade).collect();
        sessions.into_iter().find_map(|session| {
            let registration = lock(&session.tables).registration_at(userdata)?;
            Some((session, registration))
        })
    }
}

/// Returns a registration that has not ended.
fn registered((session, registration): &Registered) -> Option<(Arc<Session>, u32)> {
    let session = session.upgrade()?;
    let is_there = lock(&session.tables).registrations.contains_key(registration);
    is_there.then_some((session, *registration))
}

impl Worker {
    /// Returns whether the program has left the call that runs on this thread. The library must not continue then.
    pub fn has_left() -> bool {
        IS_LEFT.get()
    }

    /// Computes the userdata of a callback whose C type has no userdata parameter.
    ///
    /// # Safety
    ///
    /// Same contract as [`callback`](Worker::callback).
    unsafe fn store_userdata(&self, implicit: &plan::Implicit, arguments: usize) -> Option<()> {
        let mut lists = Lists::default();
        let mut stage = Stage::new(self.described.plan, &self.described.natives, true, arguments, &mut lists);
        // SAFETY: the caller upholds the contract of this function.
        let userdata = unsafe { stage.eval(&implicit.value, &NothingAttached) }?;
        // SAFETY: the plan places this member inside the argument struct.
        unsafe { store_pointer(arguments + implicit.offset, userdata as usize) };
        Some(())
    }
}

impl Session {
    /// Serves each channel that the guest opens on a separate thread, until the guest disconnects.
    fn accept_all(self: &Arc<Session>) {
        let mut threads = Vec::new();
        while let Ok(channel) = self.connection.accept() {
            let session = Arc::clone(self);
            threads.retain(|thread: &std::thread::JoinHandle<()>| !thread.is_finished());
            let begun = self.serving.begin();
            threads.extend(threads::thread_with("lapis-cx-work", threads::WORK_STACK, move || {
                let (_begun, link) = (begun, Rc::new(Link::new(channel, 0, session.worker.limits.depth)));
                serve(&*session, &link);
            }));
        }
        self.serving.end();
        let session = Arc::clone(self);
        end_when_idle(move || session.serving.served());
        self.serving.finish(|| self.turns.waiting() + self.results.waiting() + self.names.waiting());
        self.turns.stop();
        self.results.stop();
        self.names.end();
        for thread in threads {
            // The panic hook has already reported a panic of this thread.
            let _ = thread.join();
        }
    }

    /// Returns the channel for callbacks of this thread, and whether it is the channel of a running call.
    fn link(self: &Arc<Session>) -> Option<(Rc<Link>, bool)> {
        let running = RUNNING.get().filter(|one| one.request != 0 && one.session == Arc::as_ptr(self).addr());
        if let Some(running) = running {
            // SAFETY: the link belongs to the call that runs on this thread, so it outlives this use.
            return Some((Rc::clone(unsafe { &*running.link }), true));
        }
        LINKS.with(|links| {
            let mut links = links.borrow_mut();
            links.retain(|(session, _)| session.strong_count() > 0);
            let known = links.iter().find(|(session, _)| std::ptr::eq(session.as_ptr(), Arc::as_ptr(self)));
            if let Some((_, link)) = known {
                return Some((Rc::clone(link), false));
            }
            let link = Rc::new(Link::new(self.connection.open().ok()?, 0, self.worker.limits.depth));
            links.push((Arc::downgrade(self), Rc::clone(&link)));
            Some((link, false))
        })
    }

    /// Returns whether `other` is this session.
    fn is(&self, other: &Weak<Session>) -> bool {
        std::ptr::eq(other.as_ptr(), std::ptr::from_ref(self))
    }

    /// Returns whether a request was made in a callback, and whether in a callback of a library thread. A request in such a callback does not wait
    /// for its turn, because an earlier call may wait for that thread. `claim` is the guest's flag, which is ignored if no asynchronous callback was
    /// sent.
    fn is_nested(&self, link: &Link, claim: bool) -> (bool, bool) {
        let outer = RUNNING.get();
        let is_claimed = || claim && self.has_async_callbacks.load(Ordering::SeqCst);
        let is_outside = outer.map_or_else(|| is_claimed() || link.depth() != 0, |outer| outer.is_outside);
        (outer.is_some() || is_outside, is_outside)
    }
}

impl Side for Session {
    fn function_at(&self, callback: u32, trampoline: usize) -> Option<u32> {
        let all = self.worker.trampolines.get(callback as usize)?;
        let slot = all.iter().position(|one| *one == trampoline)? as u32;
        if self.worker.described.plan.callbacks.get(callback as usize)?.facts.has_userdata {
            return Some(slot);
        }
        let (session, registration) = guard(&self.worker.slots).get(&(callback, slot)).cloned()?;
        self.is(&session).then_some(registration)
    }

    fn trampoline(&self, callback: u32, function: u32) -> Option<usize> {
        let all = self.worker.trampolines.get(callback as usize)?;
        let has_userdata = self.worker.described.plan.callbacks.get(callback as usize)?.facts.has_userdata;
        if has_userdata {
            return all.get(function as usize).or(all.first()).copied();
        }
        let mut slots = guard(&self.worker.slots);
        let is_ours = |(session, known): &Registered| self.is(session) && *known == function;
        let is_free = |one: &Registered| registered(one).is_none();
        let found = (0u32..).zip(all).find(|(n, _)| slots.get(&(callback, *n)).is_some_and(is_ours));
        let found = found.or_else(|| (0u32..).zip(all).find(|(n, _)| slots.get(&(callback, *n)).is_none_or(is_free)));
        let (slot, pointer) = found?;
        slots.insert((callback, slot), (Weak::clone(&self.itself), function));
        Some(*pointer)
    }

    fn claims_null(&self, of: &[(u32, u32)], registration: u32) -> bool {
        let mut all = guard(&self.worker.null_userdata);
        for one in of {
            if let Some(known) = all.get_mut(one) {
                known.retain(|one| registered(one).is_some());
            }
        }
        let exists = |(callback, slot): &(u32, u32)| {
            self.worker.trampolines.get(*callback as usize).is_some_and(|all| (*slot as usize) < all.len())
        };
        // Several functions can share slot 0.
        let fits = |slot: u32, (other, known): &Registered| self.is(other) && (slot != 0 || *known == registration);
        let is_free = |one: &(u32, u32)| all.get(one).is_none_or(|all| all.iter().all(|known| fits(one.1, known)));
        let may_have = of.iter().all(|one| exists(one) && is_free(one));
        if may_have {
            for one in of {
                let known = all.entry(*one).or_default();
                known.retain(|(_, known)| *known != registration);
                known.push((Weak::clone(&self.itself), registration));
            }
        }
        may_have
    }

    fn function(&self, _: &[u8]) -> usize {
        0
    }

    fn send_file(&self, file: BorrowedFd<'_>) -> Result<u32, Error> {
        self.connection.send_file(file)
    }

    fn take_file_back(&self, number: u32) {
        self.connection.take_file_back(number);
    }

    fn take_file(&self, number: u32) -> Result<OwnedFd, Error> {
        self.connection.take_file(number)
    }

    fn names(&self) -> Option<&Names> {
        Some(&self.names)
    }

    fn allocate(&self, function: Option<u32>, bytes: usize) -> usize {
        let real = function.and_then(|at| self.worker.reals.get(at as usize)).copied().unwrap_or(0);
        // SAFETY: the specification declares the function as an allocator, which takes a size.
        unsafe { memory::allocate(real, bytes) }
    }

    fn free(&self, function: Option<u32>, address: usize) {
        let real = function.and_then(|at| self.worker.reals.get(at as usize)).copied().unwrap_or(0);
        let Some(function) = function.filter(|_| real == 0) else {
            // Without a function, C's `free` is correct.
            // SAFETY: the library passed ownership. The specification declares the function as a deallocator, which takes a pointer.
            unsafe { memory::free(real, address) };
            return;
        };
        let plan = self.worker.described.plan;
        let call = plan.call(function);
        let block = call.and_then(|call| plan.blocks.get(call.arguments as usize));
        let thunk = self.worker.thunks.get(function as usize).copied().flatten();
        let (Some(block), Some(thunk)) = (block, thunk) else { return };
        let Some(first) = block.values.iter().map(|value| value.offset).min() else { return };
        let Some(arguments) = Allocation::zeroed(block.bytes) else { return };
        // SAFETY: the first argument of a deallocator is the pointer, and `arguments` is a zeroed struct of this function.
        unsafe {
            store_pointer(arguments.address() + first, address);
            thunk(std::ptr::with_exposed_provenance_mut(arguments.address()));
        }
    }
}

impl Endpoint for Session {
    fn described(&self) -> &Described {
        &self.worker.described
    }

    fn tables(&self) -> &Mutex<Tables> {
        &self.tables
    }

    fn limits(&self) -> Limits {
        self.worker.limits
    }

    fn is_worker(&self) -> bool {
        true
    }

    unsafe fn run(
        &self,
        link: &Rc<Link>,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Returned<'_>> {
        let monitors = keys(marshaller, &request.call.monitor);
        let (number, name) = (request.number, request.call.name);
        let tickets = &request.tickets[..];
        let errno = if request.call.reads_errno { 0 } else { link.errno.get() };
        let (is_nested, request_id) = (request.is_nested, request.request);
        let library_call = LibraryCall {
            number,
            name,
            tickets,
            monitors,
            errno,
            request: request_id,
            is_nested,
            has_late_results: request.id != 0 && marshaller.is_open(),
            ends: request.call.facts.ends,
        };
        if !watched::is_on() {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.call(link, library_call, arguments) };
        }
        let function = self.described().plan.text(name);
        let (outer, kept) = (watched::set_running(function), KeptMemory::before(marshaller));
        watched::protect(marshaller.entries, !request.call.errno.is_empty());
        // SAFETY: the caller upholds the contract of this function.
        let done = unsafe { self.call(link, library_call, arguments) };
        watched::unprotect(marshaller.entries);
        kept.check(marshaller, function);
        watched::set_running(outer);
        done
    }

    unsafe fn call(
        &self,
        link: &Rc<Link>,
        library_call: LibraryCall<'_>,
        arguments: usize,
    ) -> CallResult<Returned<'_>> {
        let thunk = self.worker.thunks.get(library_call.number as usize).copied().flatten();
        let is_async = library_call.request == 0;
        let thunk = thunk.ok_or(CallError::Refused(IS_MISSING, library_call.name))?;
        let (is_nested, is_outside) = self.is_nested(link, library_call.is_nested);
        let (thread, monitors) = (thread(), &self.worker.monitors);
        let monitored = if is_outside { Keys::new() } else { library_call.monitors };
        let needs_order = !library_call.tickets.is_empty() || !monitored.is_empty();
        let LibraryCall { tickets, has_late_results, ends, .. } = library_call;
        let waits_for = match is_nested {
            true => WaitsFor::Nothing,
            false if ends => WaitsFor::Ends,
            false => WaitsFor::Starts,
        };
        // A call with late results counts as started once they are stored, so a later call of its lanes finds the call over.
        let held = needs_order.then(|| {
            let passes = is_async && !has_late_results;
            self.turns.start(tickets, (waits_for, passes), || monitors.ask(thread, library_call.name, monitored))
        });
        let held = match held {
            Some(queued) => {
                let queued = queued.ok_or(CallError::Channel(Error::Stopped))?;
                let slow = refusals::is_verbose().then_some(refusals::SLOW);
                Some(queued.wait(slow, |other| refusals::say_waits(self.described(), library_call.name, other)))
            }
            None => None,
        };
        let (_begun, depth) = (RunningGuard::new(self, link, (library_call.request, is_outside)), link.depth());
        // SAFETY: the caller upholds the contract of this function.
        let done = unsafe { run_thunk((thunk, self.worker.enter), library_call.name, library_call.errno, arguments) };
        check_callbacks(self, link, depth, library_call.name)?;
        done.map(|errno| Returned { errno, held })
    }

    fn wait_for_turn(
        &self,
        link: &Link,
        (tickets, is_nested): (&[Ticket], bool),
        limit: Option<Duration>,
        region: u32,
    ) -> bool {
        if self.is_nested(link, is_nested).0 {
            // The worker had the region if it has yet to report its end.
            return guard(&self.late).iter().any(|one| matches!(one, Ended::Copy(id, _) if *id == region));
        }
        self.turns.wait(tickets, limit)
    }

    fn serve_scalar_calls<'a>(
        &self,
        link: &'a Rc<Link>,
        receiver: RefMut<'a, Receiver>,
    ) -> CallResult<Option<RefMut<'a, Receiver>>> {
        serve_scalar_calls(self, &self.worker.scalar_calls, link, receiver)
    }

    fn take_ended(&self) -> Vec<Ended> {
        // Writers set the flag after they add an entry, and this reader clears it before it takes the entries.
        if !self.has_ended.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.has_ended.store(false, Ordering::SeqCst);
        std::mem::take(&mut guard(&self.late))
    }

    fn store_results(&self, id: u64, done: Option<Done>) {
        if let Some(done) = &done {
            lock(&self.tables).keep_results(done.cost);
        }
        if !self.results.store(id, done) {
            self.connection.stop();
        }
    }

    fn take_results(&self, link: &Link, calls: &[u64], waits: bool, is_nested: bool) -> CallResult<Vec<Collected>> {
        let (is_nested, _) = self.is_nested(link, is_nested);
        let all = self.results.take(calls, waits && !is_nested).ok_or(CallError::Channel(Error::Stopped))?;
        let costs = all.iter().map(|one| if let Collected::Results(done) = one { done.cost } else { 0 });
        lock(&self.tables).drop_results(costs.sum());
        Ok(all)
    }

    fn take_failures(&self) -> Vec<(u32, i64)> {
        // The flag follows the same protocol as in `take_ended`.
        if !self.has_failed.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.has_failed.store(false, Ordering::SeqCst);
        std::mem::take(&mut *guard(&self.failed))
    }

    fn has_announcements(&self) -> bool {
        // Writers set these flags after they add an entry.
        self.has_ended.load(Ordering::Acquire) || self.has_failed.load(Ordering::Acquire)
    }

    fn record_failure(&self, function: u32, result: i64) {
        let mut failed = guard(&self.failed);
        if failed.len() < MOST_FAILURES {
            failed.push((function, result));
        }
        drop(failed);
        self.has_failed.store(true, Ordering::SeqCst);
    }

    fn finish(&self, tickets: &[Ticket]) {
        self.turns.finish(tickets);
    }

    fn within(&self, link: &Rc<Link>) -> u32 {
        let running = RUNNING.get().filter(|one| one.session == std::ptr::from_ref(self).addr());
        // SAFETY: the link belongs to the call that runs on this thread, so it outlives this use.
        running.filter(|one| Rc::ptr_eq(unsafe { &*one.link }, link)).map_or(0, |one| one.request)
    }

    fn served(&self) {
        self.serving.count();
    }

    fn record_ended(&self, ended: Vec<Ended>) {
        if !ended.is_empty() {
            let mut late = guard(&self.late);
            late.extend(ended);
            // Only a faulty guest never collects the list of ended entities.
            if late.len() > MOST_ENDED as usize {
                self.connection.stop();
                late.clear();
            }
            self.has_ended.store(true, Ordering::SeqCst);
        }
    }
}
