//! The interface that guest and worker share: both make calls ([`make`](super::make)) and serve calls of the other side
//! ([`serve`](super::serve)). The guest calls functions; the worker calls callbacks.

use std::cell::RefMut;
use std::rc::Rc;
use std::time::Duration;

use smallvec::smallvec;

use super::asynchronous::{Collected, Done, SentCalls};
use super::described::Described;
use super::link::{Answer, Link, UNEXPECTED};
use super::order::{Held, Key, Keys, Ticket, TicketList, thread};
use super::waiting::CallbackCount;
use crate::locks::Mutex;
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits, Marshaller, Scratch, Side, Substitutes, lock, watched_memory};
use crate::plan::{self, Block, Call, Mode, When};
use crate::protocol::{Ended, Finding, Mistake, answer, get_ended, get_failures};
use crate::{Reader, Receiver};

/// Observes the calls of a guest, in shadow mode.
pub(crate) trait Observer: Substitutes {
    /// Runs after the guest sent a request and before it received the reply.
    ///
    /// # Safety
    ///
    /// `marshaller` must marshal the arguments of this call.
    unsafe fn sent(&self, link: &Rc<Link>, marshaller: &mut Marshaller<'_>, call: &'static Call, block: &'static Block);
    /// Returns the reply if it arrived while [`sent`](Observer::sent) ran.
    fn early(&self) -> Option<Answer>;
    /// Runs before the guest decodes a reply into the program's memory.
    fn begin_answer(&self);
    /// Runs after the guest decoded a reply.
    fn end_answer(&self);
    /// Compares the results of the worker and the real library, after the reply was decoded.
    ///
    /// # Safety
    ///
    /// Same contract as [`sent`](Observer::sent).
    unsafe fn compare(
        &self,
        marshaller: &mut Marshaller<'_>,
        call: &'static Call,
        block: &'static Block,
        success: bool,
    );
    /// Receives an error in the specification that the worker detected.
    fn found(&self, finding: Finding);
    /// Receives the reason why the guest refused a call.
    fn refused(&self, finding: Finding);
}

/// Reports why a call is refused: to the observer, or to the guest if this is a worker that checks a specification.
pub(crate) fn report_refusal(endpoint: &impl Endpoint, marshaller: &Marshaller<'_>, why: &CallError) {
    let Some(name) = why.name() else { return };
    let finding = || {
        let (function, parameter) = marshaller.names_of(name);
        let parameter = if name == marshaller.call { "" } else { parameter };
        Finding::of(function, parameter, Mistake::Refused, why.to_string())
    };
    if watched_memory::is_on() {
        watched_memory::record_refusal(finding());
    } else if let Some(observer) = endpoint.observer() {
        observer.refused(finding());
    }
}

/// One side of a connection: a guest, or a worker's session with one guest.
pub(crate) trait Endpoint: Side {
    fn described(&self) -> &Described;
    fn tables(&self) -> &Mutex<Tables>;
    fn limits(&self) -> Limits;
    fn is_worker(&self) -> bool;

    /// Returns the observer of the calls. Only a guest in shadow mode has one.
    fn observer(&self) -> Option<&dyn Observer> {
        None
    }

    /// Runs the requested function or callback. Stores its result in the arguments and returns its `errno` if the call reports one.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of this call.
    unsafe fn run(
        &self,
        link: &Rc<Link>,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Returned<'_>>;

    /// Waits until earlier calls of these lanes have started, for at most `limit`. A call that is nested in another call does not wait. Returns
    /// `false` if earlier calls may still bring the region, which the worker does not have. Worker only.
    fn wait_for_turn(&self, _: &Link, _: (&[Ticket], bool), _limit: Option<Duration>, _region: u32) -> bool {
        true
    }

    /// Calls the library's function while it holds the monitors of the call. Worker only.
    ///
    /// # Safety
    ///
    /// Same contract as [`run`](Endpoint::run).
    unsafe fn call(&self, _: &Rc<Link>, _: LibraryCall<'_>, _: usize) -> CallResult<Returned<'_>> {
        Err(UNEXPECTED)
    }

    /// Waits for the next record. The worker also serves scalar calls here, as long as they arrive, and returns `None` if the last scalar call was
    /// synchronous. Otherwise the returned receiver is positioned at a record of another kind.
    ///
    /// # Errors
    ///
    /// The channel failed.
    fn serve_scalar_calls<'a>(
        &self,
        _: &'a Rc<Link>,
        mut receiver: RefMut<'a, Receiver>,
    ) -> CallResult<Option<RefMut<'a, Receiver>>> {
        receiver.next()?.keep();
        Ok(Some(receiver))
    }

    /// Removes and returns the list of ended entities that were not yet reported to the other side.
    fn take_ended(&self) -> Vec<Ended> {
        Vec::new()
    }

    /// Records entities that ended in an asynchronous call, for the next reply.
    fn record_ended(&self, _: Vec<Ended>) {}

    /// Returns the next ticket of each lane. An asynchronous call takes these tickets. Guest only.
    fn tickets(&self, _: &[Key], _is_async: bool) -> TicketList {
        TicketList::new()
    }

    /// Returns the next ticket of the global lane, or `None` if the library has no asynchronous calls. Guest only.
    fn ticket(&self, _is_async: bool) -> Option<Ticket> {
        None
    }

    /// Returns the id of the call on this channel that this thread runs, or 0 if it runs none. Worker only.
    fn within(&self, _: &Rc<Link>) -> u32 {
        0
    }

    /// Allocates the number of a provisional object. These numbers have a separate counter, so the worker can detect gaps. Guest only.
    fn new_name(&self) -> u64 {
        0
    }

    /// Returns the count of callbacks. Guest only.
    fn callbacks(&self) -> Option<&CallbackCount> {
        None
    }

    /// Returns [`CallbackCount::now`].
    fn callbacks_now(&self) -> Option<u64> {
        self.callbacks().and_then(CallbackCount::now)
    }

    /// Returns whether no callback has run since [`callbacks_now`](Endpoint::callbacks_now) returned `earlier`.
    fn has_run_no_callback(&self, earlier: Option<u64>) -> bool {
        earlier.is_some() && earlier == self.callbacks_now()
    }

    /// Returns the asynchronous calls whose results have not arrived. Guest only.
    fn sent_calls(&self) -> Option<&SentCalls> {
        None
    }

    /// Reports that an asynchronous call of this function failed with this result. Guest only.
    fn report_late_failure(&self, _: u32, _: i64) {}

    /// Stores the results of an asynchronous call, or that it has none, until the guest collects them. Worker only.
    fn store_results(&self, _: u64, _: Option<Done>) {}

    /// Takes the results of these asynchronous calls. Waits until the calls are over, if `waits` is true and the guest does not make the request
    /// in a callback. Worker only.
    ///
    /// # Errors
    ///
    /// The connection ended.
    fn take_results(&self, _: &Link, _calls: &[u64], _waits: bool, _is_nested: bool) -> CallResult<Vec<Collected>> {
        Err(UNEXPECTED)
    }

    /// Takes the list of asynchronous calls that failed: the function and the result of each. Worker only.
    fn take_failures(&self) -> Vec<(u32, i64)> {
        Vec::new()
    }

    /// Returns whether [`take_ended`](Endpoint::take_ended) or [`take_failures`](Endpoint::take_failures) may return entries. Worker only.
    fn has_announcements(&self) -> bool {
        false
    }

    /// Records that an asynchronous call of this function failed with this result. Worker only.
    fn record_failure(&self, _: u32, _: i64) {}

    /// Counts a record that was served. Worker only.
    fn served(&self) {}

    /// Marks the tickets of an asynchronous call that is over, or that will not be made. Worker only.
    fn finish(&self, _: &[Ticket]) {}
}

/// Decodes the lists of ended entities and of failed asynchronous calls, if `flags` announce them.
#[cold]
pub(crate) fn take_announcements(endpoint: &impl Endpoint, flags: u8, from: &mut Reader<'_>) -> CallResult<()> {
    if flags & answer::ENDED != 0 {
        let mut ended = Vec::new();
        get_ended(from, &mut ended)?;
        lock(endpoint.tables()).forget(&ended);
    }
    if flags & answer::FAILURES != 0 {
        get_failures(from, |function, result| endpoint.report_late_failure(function, result))?;
    }
    Ok(())
}

/// Returns the keys by which a call is ordered, or of the monitors that it enters: those of the last clause of `all` whose condition holds, or the
/// global key if no condition holds.
pub(crate) fn keys(marshaller: &mut Marshaller<'_>, all: &'static [When<Vec<plan::Key>>]) -> Keys {
    let Some(keys) = marshaller.last(all) else { return smallvec![Key::Global] };
    let mut found = Keys::new();
    for key in keys {
        let key = match key {
            plan::Key::Global => Key::Global,
            plan::Key::Thread => Key::Thread(thread()),
            plan::Key::Value(code) => Key::Value(marshaller.eval(code).unwrap_or(0) as u64),
        };
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found
}

/// A decoded request of the other side.
pub(crate) struct Request {
    /// The index of the function or callback.
    pub number: u32,
    pub registration: u32,
    /// Of a callback with userdata, the number of the trampoline that the library called.
    pub slot: u32,
    /// Of a callback, the value that the library left in `errno`.
    pub errno: i32,
    pub mode: Mode,
    /// Whether the program made the call in a callback of a library thread.
    pub is_nested: bool,
    /// The id that the reply carries; 0 if the request is asynchronous.
    pub request: u32,
    pub call: &'static Call,
    pub tickets: TicketList,
    /// The number of an asynchronous call whose results the guest collects later; 0 of other calls.
    pub id: u64,
    pub provisional: Vec<ProvisionalObject>,
}

/// An object to which the guest assigned an id before the library creates it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProvisionalObject {
    /// The kind of the handle.
    pub of: u32,
    /// The index of its buffer, or [`RESULT`](crate::protocol::RESULT).
    pub entry: u32,
    /// The index of the element in that buffer.
    pub position: u64,
    pub id: u64,
}

/// The `errno` of a function that has returned, and the monitors of its call.
pub(crate) struct Returned<'a> {
    pub errno: Option<i32>,
    /// On the worker: the monitors of the call. No other call may change the library's memory before the reply is encoded.
    pub held: Option<Held<'a>>,
}

/// The parameters of a call to the library.
pub(crate) struct LibraryCall<'a> {
    pub number: u32,
    /// The index of its name in the plan's texts.
    pub name: u32,
    pub tickets: &'a [Ticket],
    pub monitors: Keys,
    /// The value of `errno` for the library.
    pub errno: i32,
    /// The id of the request; 0 if its caller does not wait.
    pub request: u32,
    /// Whether the program made the call in a callback of a library thread.
    pub is_nested: bool,
    /// The call is asynchronous and has results, which the guest collects later.
    pub has_late_results: bool,
    /// The call ends objects or memory that earlier calls used.
    pub ends: bool,
}

/// A call that waits for its reply.
pub(crate) struct PendingCall<'w, 'a> {
    pub marshaller: &'w mut Marshaller<'a>,
    pub call: &'static Call,
    pub block: &'static Block,
    pub arguments: usize,
}

/// Returns a marshaller for the arguments of a call.
pub(crate) fn marshaller<'a>(
    endpoint: &'a impl Endpoint,
    scratch: &'a mut Scratch,
    block: &Block,
    arguments: usize,
) -> Marshaller<'a> {
    let described = endpoint.described();
    let of = (described.plan, &described.natives[..]);
    let memory = (arguments, block.bytes);
    Marshaller::new(
        of,
        (endpoint.tables(), as_side(endpoint)),
        endpoint.is_worker(),
        endpoint.limits(),
        memory,
        scratch,
    )
}

fn as_side(endpoint: &impl Endpoint) -> &dyn Side {
    endpoint
}
