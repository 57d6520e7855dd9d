//! The guest as the side of a connection that makes calls and runs callbacks.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::asynchronous::SentCalls;
use super::described::Described;
use super::endpoint::{Endpoint, Observer, Request, Returned};
use super::guest::{ERRNO, Guest};
use super::link::Link;
use super::order::{Key, Ticket, TicketList};
use super::waiting::CallbackCount;
use super::{errno, forks, leave, links, refusals};
use crate::Error;
use crate::locks::Mutex;
use crate::marshal::memory;
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits, Marshaller, Side, Substitutes};
use crate::plan::Mode;
use crate::transport::threads::Counted;

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

    fn call_that_changes(&self, start: usize, end: usize) -> Option<u64> {
        self.sent_calls.next_id()?;
        self.sent_calls.call_that_changes(start, end)
    }

    fn awaits_results(&self) -> bool {
        self.sent_calls.next_id().is_some()
    }

    fn function(&self, name: &[u8]) -> usize {
        self.functions.iter().find(|(one, _)| one == name).map_or(0, |(_, function)| *function)
    }

    fn allocate(&self, function: Option<u32>, bytes: usize) -> usize {
        // SAFETY: the specification declares the function as an allocator, which takes a size.
        unsafe { memory::allocate(self.own_function(function).unwrap_or(0), bytes) }
    }

    fn free(&self, function: Option<u32>, address: usize) {
        // SAFETY: the program passed ownership of this memory. The specification declares the function as a deallocator, which takes a
        // pointer.
        unsafe { memory::free(self.own_function(function).unwrap_or(0), address) };
    }

    fn can_free(&self, function: Option<u32>) -> bool {
        function.is_none() || self.own_function(function).is_some()
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

    fn tickets(&self, keys: &[Key], is_async: bool) -> TicketList {
        self.tickets.of_keys(keys, is_async)
    }

    fn ticket(&self, is_async: bool) -> Option<Ticket> {
        self.described.plan.has_async.then(|| self.tickets.global(is_async))
    }

    fn new_name(&self) -> u64 {
        self.names.fetch_add(1, Ordering::Relaxed)
    }

    fn callbacks(&self) -> Option<&CallbackCount> {
        Some(&self.callbacks)
    }

    fn sent_calls(&self) -> Option<&SentCalls> {
        Some(&self.sent_calls)
    }

    fn report_late_failure(&self, function: u32, result: i64) {
        let call = self.described.plan.call(function);
        let name = call.map_or("?", |call| self.described.plan.text(call.name));
        refusals::report_late_failure(&self.described, name, result);
    }

    unsafe fn run(
        &self,
        link: &Rc<Link>,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Returned<'_>> {
        // The worker's thread that sent the callback serves the calls of the callback, if it reads this channel: it waits for the callback, or for
        // the end of a call. Otherwise no thread reads the channel, so this thread uses a separate channel.
        let is_read = request.mode == Mode::Sync || link.depth() != 0;
        let _nested = if is_read { links::use_channel(self.id, link) } else { links::use_separate_channel() };
        if let Some(observer) = &self.observer {
            let _may_call = link.allow_calls();
            // SAFETY: the caller upholds the contract of this function.
            let errno = unsafe { observer.run(self, request, marshaller, arguments)? };
            return Ok(Returned { errno, held: None });
        }
        let function = {
            let tables = marshaller.lock();
            let registration = tables.registrations.get(&request.registration);
            let functions = registration.map_or(&[][..], |one| &one.functions);
            let registered = functions.iter().find(|(callback, _)| *callback == request.number);
            let own =
                if request.call.facts.has_userdata { tables.function_of(request.number, request.slot) } else { None };
            registration.and(own.or(registered.map(|(_, function)| *function)))
        };
        let invoke = self.invokes.get(request.number as usize).copied().flatten();
        let refused = CallError::Refused("no function of the program is registered for it", request.call.name);
        let (function, invoke) = function.zip(invoke).ok_or(refused)?;
        let pointer = std::ptr::with_exposed_provenance_mut;
        refusals::has_refused();
        let (forks, depth) = (forks::count(), link.depth());
        let errno = {
            let _runs = (link.depth() == 0).then(Counted::callback);
            let _may_call = link.allow_calls();
            errno::set(request.errno);
            // SAFETY: the program registered the function for this callback.
            let call = || unsafe { invoke(pointer(function), pointer(arguments)) };
            if request.mode != Mode::Sync || link.depth() == 0 {
                call();
            } else if !leave::run(link, request.request, call) {
                return Err(CallError::Channel(Error::Left));
            }
            errno::get()
        };
        ERRNO.set(errno);
        let was_refused = refusals::has_refused();
        if forks != forks::count() {
            // The channel is the parent's, and would be closed when it is dropped.
            std::mem::forget(Rc::clone(link));
            return Err(CallError::Channel(Error::Forked));
        }
        if depth != link.depth() {
            return Err(CallError::Channel(Error::Left));
        }
        if request.call.is_once && request.mode == Mode::Sync {
            marshaller.lock().called_once(request.registration, &mut Vec::new());
        }
        if was_refused {
            return Err(CallError::Refused("the function of the program refused the call", request.call.name));
        }
        Ok(Returned { errno: Some(errno), held: None })
    }
}
