//! What a side has that makes calls ([`make`](super::make)) and does those of the other side ([`serve`](super::serve)): the same for
//! functions, which the guest calls, and callbacks, which the worker calls.

use std::cell::{Cell, RefMut};
use std::rc::Rc;

use smallvec::smallvec;

use super::asynchronous::{Done, LateResults, SentCall};
use super::described::Described;
use super::link::{Answer, Link, UNEXPECTED};
use super::order::{Key, Keys, Taken, Ticket};
use crate::Receiver;
use crate::locks::Mutex;
use crate::marshal::tables::Tables;
use crate::marshal::{CallError, CallResult, Limits, Marshaller, Scratch, Side, Substitutes, watched_memory};
use crate::plan::{self, Block, Call, Mode, When};
use crate::protocol::{Ended, Finding, Mistake};

/// Observes the calls of a guest. A guest without an observer does nothing for one.
pub(crate) trait Observer: Substitutes {
    /// A request was sent, and its reply did not come yet.
    ///
    /// # Safety
    ///
    /// The walk is over the arguments of this call.
    unsafe fn sent(&self, link: &Rc<Link>, marshaller: &mut Marshaller<'_>, call: &'static Call, block: &'static Block);
    /// The reply, if it came while [`sent`](Observer::sent) ran.
    fn early(&self) -> Option<Answer>;
    /// A reply is about to be decoded into the memory of the program.
    fn begin_answer(&self);
    /// The reply was decoded.
    fn end_answer(&self);
    /// The call was made and its reply decoded.
    ///
    /// # Safety
    ///
    /// As [`sent`](Observer::sent).
    unsafe fn compare(
        &self,
        marshaller: &mut Marshaller<'_>,
        call: &'static Call,
        block: &'static Block,
        success: bool,
    );
    /// The worker found a mistake in the specification.
    fn found(&self, finding: Finding);
    /// The guest refuses the call.
    fn refused(&self, finding: Finding);
}

/// Tells the observer, or on a worker that checks a specification the guest, why a call is refused.
pub(crate) fn note_refusal(endpoint: &impl Endpoint, marshaller: &Marshaller<'_>, why: &CallError) {
    let (CallError::Refused(why, name) | CallError::TooLarge(why, name)) = why else { return };
    let finding = || {
        let (function, parameter) = marshaller.names_of(*name);
        let parameter = if *name == marshaller.call { "" } else { parameter };
        Finding::of(function, parameter, Mistake::Refused, *why)
    };
    if watched_memory::is_on() {
        watched_memory::note_refusal(finding());
    } else if let Some(observer) = endpoint.observer() {
        observer.refused(finding());
    }
}

/// A guest, or a worker with one of its guests.
pub(crate) trait Endpoint: Side {
    fn described(&self) -> &Described;
    fn tables(&self) -> &Mutex<Tables>;
    fn limits(&self) -> Limits;
    fn is_worker(&self) -> bool;

    /// On the guest: what observes its calls.
    fn observer(&self) -> Option<&dyn Observer> {
        None
    }

    /// Does what the other side asks for: its result is in the arguments then, and `errno` if the call has one.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of this call.
    unsafe fn run(
        &self,
        link: &Rc<Link>,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Option<i32>>;

    /// On the worker: calls the library's function, within these monitors.
    ///
    /// # Safety
    ///
    /// As [`run`](Endpoint::run).
    unsafe fn call(&self, _: &Rc<Link>, _: LibraryCall<'_>, _: usize) -> CallResult<Option<i32>> {
        Err(UNEXPECTED)
    }

    /// Waits for the next record. On the worker, bare calls are done as long as they come ([`straight`]): none if the last one was
    /// waited for. Otherwise the receiver, which stands at something else.
    ///
    /// # Errors
    ///
    /// The channel cannot be used any more.
    fn serve_scalar_calls<'a>(
        &self,
        _: &'a Rc<Link>,
        mut receiver: RefMut<'a, Receiver>,
    ) -> CallResult<Option<RefMut<'a, Receiver>>> {
        receiver.next()?.keep();
        Ok(Some(receiver))
    }

    /// What ended, and the other side was not told of yet.
    fn late(&self) -> Vec<Ended> {
        Vec::new()
    }

    /// Something ended in a call of which the other side wants no answer.
    fn is_late(&self, _: Vec<Ended>) {}

    /// On the guest: the next tickets of lanes, which an asynchronous call takes.
    fn tickets(&self, _: &[Key], _is_async: bool) -> Taken {
        Taken::new()
    }

    /// On the guest: that of the lane of all calls, if there are lanes.
    fn ticket(&self, _is_async: bool) -> Option<Ticket> {
        None
    }

    /// On the worker: the id of the call on this channel that runs on this thread, 0 if none does.
    fn within(&self, _: &Rc<Link>) -> u32 {
        0
    }

    /// On the guest: a number for a call that nobody waits for.
    fn new_call(&self) -> u64 {
        0
    }

    /// On the guest: a number for an object that it names. They are counted by themselves, so that the worker sees where none is missing.
    fn new_name(&self) -> u64 {
        0
    }

    /// On the guest: results of this call come later.
    fn expect(&self, _: u64, _: SentCall) {}

    /// On the guest: they came.
    fn take_expected(&self, _: u64) -> Option<SentCall> {
        None
    }

    /// On the guest: a call that nobody waited for failed, with this result.
    fn failed_late(&self, _: u32, _: i64) {}

    /// On the worker: results that the guest is to get later.
    fn keep_done(&self, _: Done) {}

    /// On the worker: what the guest learns with the answer of a call that is ordered by these keys and started then, if there is
    /// something.
    fn news(&self, _: &[Key], _: u64) -> Option<LateResults> {
        None
    }

    /// On the worker: whether there may be something in [`late`](Endpoint::late) or [`news`](Endpoint::news).
    fn has_news(&self) -> bool {
        false
    }

    /// On the worker: nothing comes back of this call.
    fn drop_done(&self, _: u64) {}

    /// On the worker: a call that nobody waited for failed, with this result.
    fn has_failed(&self, _: u32, _: i64) {}

    /// On the worker: tickets of a call that will not be made.
    fn skip(&self, _: &[Ticket]) {}

    /// The thread, for those keys that mean it.
    fn thread(&self) -> u64 {
        0
    }
}

/// What a call is ordered by.
pub(crate) fn keys(marshaller: &mut Marshaller<'_>, all: &'static [When<Vec<plan::Key>>], thread: u64) -> Keys {
    let Some(keys) = marshaller.last(all) else { return smallvec![Key::Global] };
    let mut found = Keys::new();
    for key in keys {
        let key = match key {
            plan::Key::Global => Key::Global,
            plan::Key::Thread => Key::Thread(thread),
            plan::Key::Value(code) => Key::Value(marshaller.eval(code).unwrap_or(0) as u64),
        };
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found
}

/// What the other side asks for.
pub(crate) struct Request {
    /// A function or callback.
    pub number: u32,
    pub registration: u32,
    /// Of a callback with userdata, the trampoline that the library called.
    pub slot: u32,
    /// Of a callback, what the library left in `errno`.
    pub errno: i32,
    pub mode: Mode,
    /// It is made in a callback of a thread of the library.
    pub is_nested: bool,
    /// What its reply names; 0 if there is none.
    pub request: u32,
    pub call: &'static Call,
    pub tickets: Taken,
    /// The number of a call that nobody waits for.
    pub id: u64,
    /// When it started, of all calls of its guest.
    pub started: Cell<u64>,
    pub provisional: Vec<ProvisionalObject>,
}

/// An object that the guest names before it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProvisionalObject {
    /// Its kind.
    pub of: u32,
    /// In which buffer it is, or [`RESULT`](crate::protocol::RESULT).
    pub entry: u32,
    /// At which position.
    pub position: u64,
    pub id: u64,
}

/// How the worker calls a function.
pub(crate) struct LibraryCall<'a> {
    pub number: u32,
    /// Of its name.
    pub name: u32,
    pub tickets: &'a [Ticket],
    pub monitors: Keys,
    /// What the library finds in `errno`.
    pub errno: i32,
    /// The id of the request; 0 if its caller does not wait.
    pub request: u32,
    /// It is made in a callback of a thread of the library.
    pub is_nested: bool,
    /// Where to note when it started.
    pub started: &'a Cell<u64>,
}

/// A call that waits for its answer.
pub(crate) struct PendingCall<'w, 'a> {
    pub marshaller: &'w mut Marshaller<'a>,
    pub call: &'static Call,
    pub block: &'static Block,
    pub arguments: usize,
}

/// A walk over the arguments of a call.
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
