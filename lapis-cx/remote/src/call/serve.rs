//! Waits for records: takes answers, and does what the other side asks for.

use std::cell::{Cell, RefMut};
use std::rc::Rc;

use super::asynchronous::{Done, Parts};
use super::endpoint::{Endpoint, PendingCall, ProvisionalObject, Request, keys, marshaller, note_refusal};
use super::fast_path::serve as fast_path;
use super::late_replies::{put_late, take_late};
use super::link::{Answer, Late, Link, UNEXPECTED};
use super::order::{Keys, Taken, get_tickets};
use super::start;
use crate::marshal::access::{bytes_mut, load, load_pointer, store};
use crate::marshal::names::Named;
use crate::marshal::{BufferEntry, CallError, CallResult, Marshaller, names};
use crate::plan::{Block, Call, Kind, Mode, Op, Scalar, Value};
use crate::protocol::{Ended, FAST_PATH, HAS_TICKETS, ID_SHIFT, MOST, NESTED, RESULT, record};
use crate::{Error, Reader, Receiver, Writer};

/// Waits for the next record that is for the request `id`. Its reply is taken; what the other side asks for meanwhile is done.
///
/// # Errors
///
/// The channel cannot be used any more, or the reply cannot be taken.
///
/// # Safety
///
/// What waits has its arguments.
pub(crate) unsafe fn turn<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    id: u32,
    waiting: PendingCall<'_, '_>,
) -> CallResult<Option<Answer>> {
    let receiver = link.next_for(id, endpoint.is_worker())?;
    // SAFETY: as the caller says.
    unsafe { turn_at(endpoint, link, receiver, Some(waiting)) }
}

/// Does what the other side asks for, until the channel can be used no more.
pub(crate) fn serve<P: Endpoint>(endpoint: &P, link: &Rc<Link>) -> CallError {
    loop {
        let done = link.receiver().and_then(|receiver| endpoint.serve_scalar_calls(link, receiver)).and_then(|other| {
            match other {
                // SAFETY: nothing waits.
                Some(receiver) => unsafe { turn_at(endpoint, link, receiver, None) }.map(|_| ()),
                None => Ok(()),
            }
        });
        link.release();
        if let Err(why) = done {
            return why;
        }
    }
}

/// As [`turn`], with a receiver that stands at a record.
///
/// # Safety
///
/// As there.
pub(super) unsafe fn turn_at<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    mut receiver: RefMut<'_, Receiver>,
    waiting: Option<PendingCall<'_, '_>>,
) -> CallResult<Option<Answer>> {
    let mut from = receiver.again();
    let (answers, asks) =
        if endpoint.is_worker() { (record::ANSWER, record::CALL) } else { (record::RETURN, record::CALLBACK) };
    match waiting {
        // SAFETY: as the caller says.
        Some(waiting) if from.kind() == answers => return unsafe { take_reply(endpoint, link, waiting, from) },
        _ if from.kind() == record::SKIPPED && endpoint.is_worker() => {
            endpoint.skip(&get_tickets(&mut from)?);
            return Ok(None);
        }
        _ if from.kind() == record::ERRNO && endpoint.is_worker() => {
            link.take_errno(Some(from.get_u32()?.cast_signed()));
            return Ok(None);
        }
        _ if from.kind() != asks => return Err(UNEXPECTED),
        _ => {}
    }
    let (number, flags) = (from.get_u32()?, from.get_u32()?);
    let (flags, id) = (flags & ((1 << ID_SHIFT) - 1), flags >> ID_SHIFT);
    if flags & FAST_PATH != 0 && endpoint.is_worker() {
        let call =
            endpoint.described().plan.functions.get(number as usize).and_then(Option::as_ref).ok_or(UNEXPECTED)?;
        let fast = call.fast.as_ref().ok_or(UNEXPECTED)?;
        let mut memory = fast_path::Memory::default();
        let head = (number, call.name, id);
        let received = fast_path::receive(endpoint, link, head, (fast, flags), &mut memory, &mut from)?;
        // The library may need the channel.
        drop(from);
        drop(receiver);
        // SAFETY: with this memory.
        unsafe { fast_path::perform(endpoint, link, &received, fast, &mut memory)? };
        return Ok(None);
    }
    let request = get_request(endpoint, link, (number, flags, id), &mut from)?;
    from.keep();
    serve_request(endpoint, link, receiver, request).map(|()| None)
}

/// Decodes the reply of the call that waits. None if its sender gave the reply up: the next record says why.
///
/// # Safety
///
/// What waits has its arguments.
unsafe fn take_reply<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    PendingCall { marshaller, call, block, arguments }: PendingCall<'_, '_>,
    from: Reader<'_>,
) -> CallResult<Option<Answer>> {
    let observer = endpoint.observer();
    if let Some(observer) = observer {
        observer.begin_answer();
    }
    let found = |finding| {
        if let Some(observer) = observer {
            observer.found(finding);
        }
    };
    // Types may depend on the time.
    marshaller.stage.is_entry = false;
    // SAFETY: as the caller says.
    let answer = unsafe {
        Link::take_answer(marshaller, (call, block), arguments, from, |from| take_late(endpoint, from), found)
    };
    let answer = match answer {
        Err(CallError::Channel(Error::Cut)) => Ok(None),
        answer => answer.map(Some),
    };
    let answer = answer.map(|mut answer| {
        if let Some(answer) = answer.as_mut().filter(|answer| answer.was_made && !endpoint.is_worker()) {
            answer.errno = Some(link.take_errno(answer.errno));
        }
        if answer.as_ref().is_some_and(|answer| answer.was_made) {
            around(marshaller, call, Around { is_before: false, is_caller: true });
        }
        if let Some(answer) = answer.as_mut().filter(|answer| answer.success) {
            marshaller.remember(call, &mut answer.errno);
        }
        answer
    });
    if let Some(observer) = observer {
        observer.end_answer();
    }
    answer
}

/// Decodes what stands before the arguments of a request.
fn get_request<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    (number, flags, request): (u32, u32, u32),
    from: &mut Reader<'_>,
) -> CallResult<Request> {
    let mode = Mode::of(flags & !(HAS_TICKETS | NESTED)).ok_or(UNEXPECTED)?;
    let (registration, slot, errno) = if endpoint.is_worker() {
        (0, 0, 0)
    } else {
        // A callback is made during the innermost request, or outside of any.
        if from.get_u32()? != link.depth() {
            return Err(UNEXPECTED);
        }
        (from.get_u32()?, from.get_u32()?, from.get_u32()?.cast_signed())
    };
    if (mode == Mode::Sync) != (request != 0) {
        return Err(UNEXPECTED);
    }
    let tickets = if flags & HAS_TICKETS != 0 { get_tickets(from)? } else { Taken::new() };
    let plan = endpoint.described().plan;
    let call = if endpoint.is_worker() {
        plan.functions.get(number as usize).and_then(Option::as_ref)
    } else {
        plan.callbacks.get(number as usize)
    };
    let call = call.ok_or(UNEXPECTED)?;
    let has_id = mode != Mode::Sync && endpoint.is_worker() && !call.is_numbers;
    let id = if has_id { from.get_u64()? } else { 0 };
    let (is_nested, started, provisional) = (flags & NESTED != 0, Cell::new(0), Vec::new());
    Ok(Request { number, registration, slot, errno, mode, is_nested, request, call, tickets, id, started, provisional })
}

/// Decodes the arguments of a request, at which the receiver stands, makes the call and replies.
fn serve_request<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    mut receiver: RefMut<'_, Receiver>,
    mut request: Request,
) -> CallResult<()> {
    let call = request.call;
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let no_memory = CallError::Refused("there is no memory for it", call.name);
    let mut scratch = link.scratch();
    let mut open = None;
    let memory = scratch.arena.allocate(block.bytes, 1, true, usize::MAX).ok_or(no_memory)?;
    let done = {
        let mut marshaller = marshaller(endpoint, &mut scratch, block, memory);
        (marshaller.registration, marshaller.is_async) = (request.registration, request.mode != Mode::Sync);
        marshaller.call = call.name;
        // SAFETY: it was allocated just now.
        unsafe { bytes_mut(memory, block.bytes) }.fill(0);
        let mut from = receiver.resume();
        // SAFETY: as above.
        let received = unsafe {
            marshaller.decode_request(block, memory, &mut from).and_then(|()| marshaller.receive_members(&mut from))
        };
        let received = received.map_err(|why| unless_cut(why, &mut from));
        drop(from);
        let is_named = marshaller.is_async && call.makes_objects && endpoint.is_worker();
        if is_named && !matches!(received, Err(CallError::Channel(_))) {
            let mut from = receiver.next()?;
            if from.kind() != record::NAMED {
                return Err(UNEXPECTED);
            }
            get_provisional(&mut request, &mut from)?;
        }
        // The library may need the channel.
        drop(receiver);
        match received {
            Ok(()) => {
                link.add_members(&mut marshaller);
                let _with_members = link.with_members(&marshaller);
                // SAFETY: the arguments were received.
                unsafe { perform(endpoint, link, &request, &mut marshaller, block, &mut open) }
            }
            // The guest found while it sent the call that it cannot be made.
            Err(CallError::Channel(Error::Cut)) => {
                marshaller.settle(false, &mut Vec::new());
                Ok(())
            }
            Err(why @ CallError::Channel(_)) => Err(why),
            Err(why) => {
                explain(endpoint, &marshaller, &why);
                request.skip(endpoint);
                refuse(endpoint, link, &request, &mut marshaller)
            }
        }
    };
    match open {
        Some((parts, success, keys)) => {
            let (id, started) = (request.id, request.started.get());
            endpoint.keep_done(Done { id, call, arguments: memory, scratch, parts, success, keys, started });
        }
        None => link.give_back(scratch),
    }
    done
}

/// Why a request is refused. If its sender gives it up before its end, it expects no reply: that is the reason then.
fn unless_cut(why: CallError, from: &mut Reader<'_>) -> CallError {
    match why {
        CallError::Channel(_) => why,
        _ => match from.skip(usize::MAX) {
            Ok(()) | Err(Error::End) => why,
            Err(failed) => CallError::Channel(failed),
        },
    }
}

fn get_provisional(request: &mut Request, from: &mut Reader<'_>) -> CallResult<()> {
    let count = from.get_u32()?;
    if count > MOST {
        return Err(UNEXPECTED);
    }
    for _ in 0..count {
        let (of, entry) = (from.get_u32()?, from.get_u32()?);
        request.provisional.push(ProvisionalObject { of, entry, position: from.get_u64()?, id: from.get_u64()? });
    }
    Ok(())
}

fn explain(endpoint: &impl Endpoint, marshaller: &Marshaller<'_>, why: &CallError) {
    start::explain(endpoint.described(), marshaller.call, why);
    note_refusal(endpoint, marshaller, why);
}

impl Request {
    /// The call will not be made: those behind it do not wait for it.
    fn skip(&self, endpoint: &impl Endpoint) {
        if self.mode != Mode::Sync {
            endpoint.skip(&self.tickets);
        }
    }
}

/// What was asked for is not done.
fn refuse<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
) -> CallResult<()> {
    let mut ended = endpoint.late();
    name(endpoint, marshaller, request, false);
    marshaller.settle(false, &mut ended);
    if request.mode == Mode::Sync {
        return link.refuse((answer_kind(endpoint), request.request), &ended);
    }
    endpoint.is_late(ended);
    endpoint.has_failed(request.number, 0);
    endpoint.drop_done(request.id);
    Ok(())
}

/// Objects that the guest named have a meaning now, or none.
fn name<P: Endpoint>(endpoint: &P, marshaller: &mut Marshaller<'_>, request: &Request, success: bool) {
    let Some(names) = endpoint.names() else { return };
    let result = marshaller.stage.plan.blocks.get(request.call.arguments as usize).and_then(|block| {
        let is_object = |value: &&Value| matches!(&value.kind, Kind::Handle(handle) if handle.is_new);
        block.values.iter().filter(is_object).find(|value| value.comes && !value.goes)
    });
    for ProvisionalObject { of, entry, position, id } in &request.provisional {
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        let address = if *entry == RESULT {
            result.map(|value| marshaller.stage.arguments + value.offset)
        } else {
            let entry = marshaller.entries.get(*entry as usize).filter(|entry| *position < entry.count);
            let is_same =
                |entry: &&BufferEntry| entry.provisional.is_some_and(|one| one.of == *of && one.bytes == bytes);
            entry.filter(is_same).map(|entry| entry.here + *position as usize * bytes)
        };
        let scalar = Scalar { bytes, is_signed: false, is_float: false };
        let value = match address {
            // SAFETY: an element of a buffer of this call, or its result.
            Some(address) if success => unsafe { load(address, scalar) as u64 },
            _ => 0,
        };
        if value != 0 {
            marshaller.lock().name(*of, *id, value);
        }
        let named = if value == 0 { Named::Failed } else { Named::Made(value) };
        names.name(*of, *id, names::number_of(*id, bytes), named);
    }
}

fn answer_kind(endpoint: &impl Endpoint) -> u32 {
    if endpoint.is_worker() { record::RETURN } else { record::ANSWER }
}

/// Makes a call whose arguments were received, and replies.
///
/// # Safety
///
/// The arguments were received with this walk.
unsafe fn perform<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
    block: &'static Block,
    open: &mut Option<(Parts, bool, Keys)>,
) -> CallResult<()> {
    let (call, arguments) = (request.call, marshaller.stage.arguments);
    for required in &call.requires {
        if marshaller.holds(required.condition.as_ref()) && !marshaller.holds(Some(&required.then.0)) {
            explain(endpoint, marshaller, &CallError::Refused("what the call requires does not hold", call.name));
            request.skip(endpoint);
            return refuse(endpoint, link, request, marshaller);
        }
    }
    // SAFETY: as the caller says.
    let errno = match unsafe { run(endpoint, link, request, marshaller) } {
        Ok(errno) => errno,
        Err(why @ CallError::Channel(_)) => return Err(why),
        Err(why) => {
            explain(endpoint, marshaller, &why);
            return refuse(endpoint, link, request, marshaller);
        }
    };
    let success = marshaller.last(&call.success).is_none_or(|code| marshaller.holds(Some(code)));
    let mut ended = endpoint.late();
    // SAFETY: as the caller says.
    let named = unsafe { hold_named(marshaller, block, arguments) };
    marshaller.finish(call, success, &mut ended);
    if success {
        marshaller.remember(call, &mut None);
    }
    if request.mode == Mode::Sync {
        // SAFETY: as the caller says.
        match unsafe { reply(endpoint, link, request, marshaller, (errno, success), &ended) } {
            Ok(()) => marshaller.settle(success, &mut Vec::new()),
            Err(why @ CallError::Channel(_)) => return Err(why),
            Err(why) => {
                explain(endpoint, marshaller, &why);
                marshaller.settle(false, &mut Vec::new());
                link.refuse((answer_kind(endpoint), request.request), &ended)?;
            }
        }
    } else {
        name(endpoint, marshaller, request, success);
        if !success {
            // SAFETY: as the caller says.
            endpoint.has_failed(request.number, unsafe { result_of(call, block, arguments) });
        }
        if marshaller.is_open() {
            let order = keys(marshaller, &call.order, endpoint.thread());
            *open = Some((marshaller.part(), success, order));
        }
        marshaller.settle(success, &mut ended);
        endpoint.is_late(ended);
    }
    named.into_iter().for_each(|id| marshaller.lock().release(id));
    for (function, address) in marshaller.frees.drain(..) {
        endpoint.free(function, address);
    }
    Ok(())
}

/// Calls the function, with the text of C around it. Returns its `errno`.
///
/// # Safety
///
/// The arguments were received with this walk.
unsafe fn run<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
) -> CallResult<Option<i32>> {
    let (call, arguments) = (request.call, marshaller.stage.arguments);
    for pass in &call.passes {
        if marshaller.holds(pass.condition.as_ref()) {
            marshaller.store(&pass.then, &mut None);
        }
    }
    if endpoint.is_worker() {
        endpoint.described().at(lapis_cx_plan::Hook::Arguments);
    }
    around(marshaller, call, Around { is_before: true, is_caller: false });
    // SAFETY: as the caller says.
    let errno = unsafe { endpoint.run(link, request, marshaller, arguments)? };
    marshaller.stage.is_entry = false;
    marshaller.stage.errno = errno.unwrap_or(0);
    for implicit in call.implicits.iter().filter(|implicit| implicit.at_exit) {
        if let Some(value) = marshaller.eval(&implicit.value) {
            // SAFETY: a member of the arguments.
            unsafe { store(arguments + implicit.offset, implicit.bytes, value) };
        }
    }
    around(marshaller, call, Around { is_before: false, is_caller: false });
    Ok(errno)
}

/// Sends the reply of a synchronous call, with results of earlier asynchronous calls.
///
/// # Safety
///
/// The call was made with the arguments of this walk.
unsafe fn reply<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
    (errno, success): (Option<i32>, bool),
    ended: &[Ended],
) -> CallResult<()> {
    let (call, arguments) = (request.call, marshaller.stage.arguments);
    let block = marshaller.stage.plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    // The library finds the `errno` of a function of the program, as it would in one process; the program one that the library changed.
    let errno = errno.filter(|errno| {
        let is_unset = call.reads_errno && *errno == 0;
        !endpoint.is_worker() || !is_unset && *errno != link.errno.get()
    });
    let head = (answer_kind(endpoint), request.request, errno, success);
    let order =
        if marshaller.stage.plan.has_async { keys(marshaller, &call.order, endpoint.thread()) } else { Keys::new() };
    let mut news = endpoint.news(&order, request.started.get());
    let mut write = news.as_mut().map(|news| |to: &mut Writer<'_>| put_late(endpoint, news, to));
    let late: Late<'_> = match &mut write {
        Some(write) => Some(write),
        None => None,
    };
    if endpoint.is_worker() {
        endpoint.described().at(lapis_cx_plan::Hook::Reply);
    }
    // SAFETY: as the caller says.
    unsafe { link.answer(marshaller, head, (call, block), arguments, ended, late)? };
    if endpoint.is_worker() {
        link.take_errno(errno);
    }
    Ok(())
}

/// Keeps the registrations that a call names in its result until the answer was sent: a scope that ends with the call may own them.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn hold_named(marshaller: &Marshaller<'_>, block: &Block, arguments: usize) -> Vec<u32> {
    let is_named = |value: &&Value| matches!(value.kind, Kind::Userdata { .. }) && value.comes && !value.goes;
    let named = block.values.iter().filter(|value| marshaller.is_worker() && is_named(value));
    // SAFETY: a pointer among the arguments.
    named.filter_map(|value| marshaller.lock().hold(unsafe { load_pointer(arguments + value.offset) })).collect()
}

/// The result of a call as a number, if it is one.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn result_of(call: &Call, block: &Block, arguments: usize) -> i64 {
    match call.result.and_then(|at| block.values.get(at)) {
        Some(Value { kind: Kind::Scalar { scalar, .. }, offset, .. }) => {
            // SAFETY: a member of the arguments.
            unsafe { load(arguments + offset, *scalar) as i64 }
        }
        _ => 0,
    }
}

/// When text of C runs, and on which side.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub is_before: bool,
    pub is_caller: bool,
}

/// Runs text of C before or after the call: all of it beside what is called, and in the caller what asks for a side.
pub(super) fn around(marshaller: &mut Marshaller<'_>, call: &Call, at: Around) {
    for text in &call.around {
        let (is_before, native) = text.then;
        let asks = || text.condition.as_ref().is_some_and(|code| code.ops.contains(&Op::IsWorker));
        if is_before == at.is_before
            && (!at.is_caller || asks())
            && marshaller.holds(text.condition.as_ref())
            && let Some(native) = marshaller.stage.natives.get(native as usize).copied().flatten()
        {
            let arguments = std::ptr::with_exposed_provenance_mut(marshaller.stage.arguments);
            // SAFETY: the function is of this call.
            unsafe { native(arguments, std::ptr::null()) };
        }
    }
}
