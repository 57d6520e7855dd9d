//! The callee's side: waits for records, takes replies and serves requests of the other side.

use std::cell::{Cell, RefMut};
use std::rc::Rc;

use super::asynchronous::{Done, Parts};
use super::collect;
use super::endpoint::{Endpoint, PendingCall, ProvisionalObject, Request, Returned, marshaller, report_refusal};
use super::fast_path::serve as fast_path;
use super::link::{Answer, Link, UNEXPECTED, unless_cut};
use super::order::{TicketList, get_tickets};
use super::{refusals, settings};
use crate::marshal::access::{bytes_mut, load, store};
use crate::marshal::names::Named;
use crate::marshal::{CallError, CallResult, Marshaller, NEEDS_REPLY, Reply, lock, names};
use crate::plan::{Block, Call, HandleValue, Kind, Mode, Op, Scalar, Value};
use crate::protocol::{Ended, FAST_PATH, HAS_TICKETS, ID_SHIFT, MOST, NESTED, RESULT, record};
use crate::{Error, Reader, Receiver};

/// Waits for the next record for the request `id`, and decodes the reply or serves a request of the other side. Returns the reply.
///
/// # Errors
///
/// The channel failed, or the reply could not be decoded.
///
/// # Safety
///
/// `waiting` must refer to the arguments that its marshaller encoded.
pub(crate) unsafe fn process_next<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    id: u32,
    waiting: PendingCall<'_, '_>,
) -> CallResult<Option<Answer>> {
    let receiver = link.next_for(id, endpoint.is_worker())?;
    // SAFETY: the caller guarantees that the marshaller and the arguments belong to this call.
    unsafe { process_record(endpoint, link, receiver, Some(waiting)) }
}

/// Serves requests of the other side until the channel fails. Returns the reason.
pub(crate) fn serve<P: Endpoint>(endpoint: &P, link: &Rc<Link>) -> CallError {
    loop {
        let done = link.receiver().and_then(|receiver| endpoint.serve_scalar_calls(link, receiver)).and_then(|other| {
            match other {
                // SAFETY: no call waits, so no arguments are accessed.
                Some(receiver) => unsafe { process_record(endpoint, link, receiver, None) }.map(|_| ()),
                None => Ok(()),
            }
        });
        link.release();
        endpoint.served();
        if let Err(why) = done {
            return why;
        }
    }
}

/// Processes the current record of the receiver as [`process_next`] does.
///
/// # Safety
///
/// Same contract as [`process_next`].
pub(super) unsafe fn process_record<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    mut receiver: RefMut<'_, Receiver>,
    waiting: Option<PendingCall<'_, '_>>,
) -> CallResult<Option<Answer>> {
    let mut from = receiver.again();
    let (answers, asks) =
        if endpoint.is_worker() { (record::ANSWER, record::CALL) } else { (record::RETURN, record::CALLBACK) };
    match waiting {
        // SAFETY: the caller upholds the contract of this function.
        Some(waiting) if from.kind() == answers => return unsafe { take_reply(endpoint, link, waiting, from) },
        _ if from.kind() == record::SKIPPED && endpoint.is_worker() => {
            endpoint.finish(&get_tickets(&mut from)?);
            return Ok(None);
        }
        _ if from.kind() == record::ERRNO && endpoint.is_worker() => {
            link.take_errno(Some(from.get_u32()?.cast_signed()));
            return Ok(None);
        }
        _ if from.kind() == record::COLLECT && endpoint.is_worker() => {
            let (flags, count) = (from.get_u32()?, from.get_u32()?);
            let calls = (0..count.min(MOST)).map(|_| from.get_u64()).collect::<Result<Vec<u64>, Error>>()?;
            drop(from);
            drop(receiver);
            return collect::serve(endpoint, link, flags, &calls).map(|()| None);
        }
        _ if from.kind() != asks => return Err(UNEXPECTED),
        _ => {}
    }
    link.keep_contents();
    let _running = endpoint.callbacks().map(|count| count.begin(link.depth() != 0));
    let (number, flags) = (from.get_u32()?, from.get_u32()?);
    let (flags, id) = (flags & ((1 << ID_SHIFT) - 1), flags >> ID_SHIFT);
    if flags & FAST_PATH != 0 && endpoint.is_worker() {
        let call = endpoint.described().plan.call(number).ok_or(UNEXPECTED)?;
        let fast = call.facts.fast.as_ref().ok_or(UNEXPECTED)?;
        let mut memory = fast_path::Memory::default();
        let head = (number, call.name, id);
        let received = fast_path::receive(endpoint, link, head, (fast, flags), &mut memory, &mut from)?;
        // Releases the channel, because the library may call back over it.
        drop(from);
        drop(receiver);
        // SAFETY: `receive` decoded the arguments into `memory`.
        unsafe { fast_path::perform(endpoint, link, &received, fast, &mut memory)? };
        return Ok(None);
    }
    let request = get_request(endpoint, link, (number, flags, id), &mut from)?;
    from.keep();
    serve_request(endpoint, link, receiver, request).map(|()| None)
}

/// Decodes the reply of the waiting call. Returns `None` if its sender cancelled the reply; the next record gives the reason.
///
/// # Safety
///
/// `marshaller` must have encoded the arguments at `arguments`.
unsafe fn take_reply<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    PendingCall { marshaller, call, block, arguments }: PendingCall<'_, '_>,
    mut from: Reader<'_>,
) -> CallResult<Option<Answer>> {
    if endpoint.has_run_no_callback(marshaller.effects.callbacks) {
        marshaller.effects.forget_contents();
    }
    let observer = endpoint.observer();
    if let Some(observer) = observer {
        observer.begin_answer();
    }
    let found = |finding| {
        if let Some(observer) = observer {
            observer.found(finding);
        }
    };
    // Expressions may be evaluated differently on entry and on exit.
    marshaller.stage.is_entry = false;
    // SAFETY: the caller guarantees that the marshaller and the arguments belong to this call.
    let answer = unsafe {
        let failed = |function, result| endpoint.report_late_failure(function, result);
        Link::take_answer(marshaller, (call, block), arguments, &mut from, failed, found)
    };
    let answer = match answer {
        // The other side cancelled this reply, so another reply follows.
        Err(CallError::Channel(Error::Cut)) => Ok(None),
        Ok(mut answer) => {
            if answer.was_made && answer.rejected.is_none() {
                if !endpoint.is_worker() {
                    answer.errno = Some(link.take_errno(answer.errno));
                }
                run_text(marshaller, call, TextPosition { is_before: false, is_caller: true });
                if answer.success {
                    let remembered = marshaller.remember(call, &mut answer.errno);
                    answer.rejected = remembered.and_then(|()| marshaller.check_attached()).err();
                }
            }
            Ok(Some(answer))
        }
        Err(why) => Err(why),
    };
    if let Some(observer) = observer {
        observer.end_answer();
    }
    answer
}

/// Decodes the part of a request that precedes the arguments.
fn get_request<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    (number, flags, request): (u32, u32, u32),
    from: &mut Reader<'_>,
) -> CallResult<Request> {
    let mode =
        *[Mode::Sync, Mode::Async, Mode::Flush].get((flags & !(HAS_TICKETS | NESTED)) as usize).ok_or(UNEXPECTED)?;
    let (registration, slot, errno) = if endpoint.is_worker() {
        (0, 0, 0)
    } else {
        // A callback names the innermost request, or 0 if no request waits.
        if from.get_u32()? != link.depth() {
            return Err(UNEXPECTED);
        }
        (from.get_u32()?, from.get_u32()?, from.get_u32()?.cast_signed())
    };
    if (mode == Mode::Sync) != (request != 0) {
        return Err(UNEXPECTED);
    }
    let tickets = if flags & HAS_TICKETS != 0 { get_tickets(from)? } else { TicketList::new() };
    let plan = endpoint.described().plan;
    let call = if endpoint.is_worker() { plan.call(number) } else { plan.callbacks.get(number as usize) };
    let call = call.ok_or(UNEXPECTED)?;
    Ok(Request {
        number,
        registration,
        slot,
        errno,
        mode,
        is_nested: flags & NESTED != 0,
        request,
        call,
        tickets,
        id: 0,
        provisional: Vec::new(),
    })
}

/// Decodes the arguments of the receiver's current request, makes the call and replies.
fn serve_request<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    mut receiver: RefMut<'_, Receiver>,
    mut request: Request,
) -> CallResult<()> {
    let call = request.call;
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let no_memory = CallError::Refused("there is no memory for it", call.name);
    let mut scratch = link.scratch(false);
    let (mut open, mut cost) = (None, 0);
    let memory = scratch.arena.allocate(block.bytes, 1, true, usize::MAX).ok_or(no_memory)?;
    let (tickets, is_nested) = (request.tickets.clone(), request.is_nested);
    let limit = Cell::new(None);
    let turn = |region| endpoint.wait_for_turn(link, (&tickets, is_nested), limit.get(), region);
    let done = {
        let mut marshaller = marshaller(endpoint, &mut scratch, block, memory);
        (marshaller.registration, marshaller.is_async) = (request.registration, request.mode != Mode::Sync);
        marshaller.call = call.name;
        marshaller.turn = Some(&turn);
        // SAFETY: the arena allocated `block.bytes` bytes at `memory` above.
        unsafe { bytes_mut(memory, block.bytes) }.fill(0);
        let mut from = receiver.resume();
        if from.is_open() {
            // While the worker waits, the guest cannot send the rest of the request, and must not give the worker up.
            limit.set(settings::timeout().map(|timeout| timeout / 2));
        }
        // SAFETY: as above.
        let received = unsafe {
            marshaller.decode_request(block, memory, &mut from).and_then(|()| marshaller.receive_members(&mut from))
        };
        let has_id = request.mode != Mode::Sync && endpoint.is_worker() && !call.facts.is_numbers;
        let received = match received {
            Err(why @ CallError::Channel(_)) => Err(why),
            received if has_id => from.last_u64().map(|id| request.id = id).map_err(CallError::Channel).and(received),
            received => received.map_err(|why| unless_cut(why, &mut from)),
        };
        drop(from);
        marshaller.turn = None;
        let is_named = marshaller.is_async && call.facts.makes_objects && endpoint.is_worker();
        if is_named && !matches!(received, Err(CallError::Channel(_))) {
            let mut from = receiver.next()?;
            if from.kind() != record::NAMED {
                return Err(UNEXPECTED);
            }
            get_provisional(&mut request, &mut from)?;
        }
        // Releases the channel, because the library may call back over it.
        drop(receiver);
        let received = received.and_then(|()| {
            if request.id != 0 {
                if marshaller.has_results_in_library_memory() {
                    return Err(CallError::Refused(NEEDS_REPLY, call.name));
                }
                cost = marshaller.cost_of_results()?;
            }
            Ok(())
        });
        match received {
            Ok(()) => {
                link.add_members(&mut marshaller);
                let _with_members = link.with_members(&marshaller);
                // SAFETY: the arguments were received.
                let done = unsafe { perform(endpoint, link, &request, &mut marshaller, block, &mut open) };
                request.count(endpoint);
                done
            }
            // The guest cancelled the call while it sent the request.
            Err(CallError::Channel(Error::Cut)) => {
                marshaller.take_back_references();
                settle_known(endpoint, &mut marshaller, false);
                Ok(())
            }
            Err(why @ CallError::Channel(_)) => {
                marshaller.settle(false, &mut Vec::new());
                Err(why)
            }
            Err(why) => {
                explain(endpoint, &marshaller, &why);
                request.count(endpoint);
                refuse(endpoint, link, &request, &mut marshaller)
            }
        }
    };
    if request.id != 0 {
        let (number, scratch) = (request.number, scratch.into_box());
        let done = |(parts, success)| Done { number, call, arguments: memory, scratch, cost, parts, success };
        endpoint.store_results(request.id, open.map(done));
    }
    if request.mode != Mode::Sync {
        endpoint.finish(&request.tickets);
    }
    done
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
    refusals::explain(endpoint.described(), marshaller.call, why);
    report_refusal(endpoint, marshaller, why);
}

/// Settles a call whose ended entities the other side determines itself. Only numbers are recorded for the next reply: of sent callbacks, and of
/// references.
fn settle_known(endpoint: &impl Endpoint, marshaller: &mut Marshaller<'_>, success: bool) {
    let mut ended = Vec::new();
    marshaller.settle(success, &mut ended);
    ended.retain(|one| matches!(one, Ended::Callbacks(..) | Ended::Copy(..)));
    endpoint.record_ended(ended);
}

impl Request {
    /// On the guest: records that an asynchronous callback is over, which may end its registration.
    fn count(&self, endpoint: &impl Endpoint) {
        if !endpoint.is_worker() && self.mode != Mode::Sync {
            let mut tables = lock(endpoint.tables());
            tables.finished_callback(self.registration);
            if self.call.is_once {
                tables.called_once(self.registration, &mut Vec::new());
            }
        }
    }
}

/// Refuses a request: sends a failure reply, or records the failure of an asynchronous call.
fn refuse<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
) -> CallResult<()> {
    let mut ended = endpoint.take_ended();
    bind_ids(endpoint, marshaller, request, false);
    if request.mode == Mode::Sync && endpoint.is_worker() {
        marshaller.take_back_references();
    }
    marshaller.settle(false, &mut ended);
    if request.mode == Mode::Sync {
        return link.refuse((answer_kind(endpoint), request.request), &ended);
    }
    endpoint.record_ended(ended);
    endpoint.record_failure(request.number, 0);
    Ok(())
}

/// Binds the ids that the guest allocated to the objects of this call, or marks them as failed.
fn bind_ids<P: Endpoint>(endpoint: &P, marshaller: &mut Marshaller<'_>, request: &Request, success: bool) {
    let Some(names) = endpoint.names() else { return };
    let result = marshaller.stage.plan.blocks.get(request.call.arguments as usize).and_then(|block| {
        let new_object = |value: &'static Value| match &value.kind {
            Kind::Handle(handle) if handle.is_new && value.copy_out && !value.copy_in => Some((handle, value.offset)),
            _ => None,
        };
        block.values.iter().find_map(new_object)
    });
    for ProvisionalObject { of, entry, position, id } in &request.provisional {
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        let is_same = |handle: &HandleValue| names::may_name((handle.of, handle.bytes), (*of, *id));
        let address = if *entry == RESULT {
            let result = result.filter(|(handle, _)| is_same(handle));
            result.map(|(_, offset)| marshaller.stage.arguments + offset)
        } else {
            let entry = marshaller.entries.get(*entry as usize).filter(|entry| *position < entry.count);
            let entry = entry.filter(|entry| entry.provisional.is_some_and(is_same));
            entry.map(|entry| entry.here + *position as usize * bytes)
        };
        let scalar = Scalar::unsigned(bytes);
        let value = match address {
            // SAFETY: the address is an element of a decoded buffer of this call (index checked above), or its result.
            Some(address) if success => unsafe { load(address, scalar) as u64 },
            _ => 0,
        };
        let is_object = names::id_without_object(value, bytes).is_none();
        let is_made = is_object && marshaller.name_object((*of, *id, bytes), value);
        let named = if is_made { Named::Made(value) } else { Named::Failed };
        names.name(*of, *id, names::number_of(*id, bytes), named);
    }
}

fn answer_kind(endpoint: &impl Endpoint) -> u32 {
    if endpoint.is_worker() { record::RETURN } else { record::ANSWER }
}

/// Makes a call whose arguments were decoded, and replies.
///
/// # Safety
///
/// `marshaller` must have decoded the arguments.
unsafe fn perform<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
    block: &'static Block,
    open: &mut Option<(Parts, bool)>,
) -> CallResult<()> {
    let (call, arguments) = (request.call, marshaller.stage.arguments);
    for required in &call.requires {
        if marshaller.holds(required.condition.as_ref()) && !marshaller.holds(Some(&required.then.condition)) {
            explain(endpoint, marshaller, &CallError::Refused("what the call requires does not hold", call.name));
            return refuse(endpoint, link, request, marshaller);
        }
    }
    let running = link.with_running(marshaller);
    // SAFETY: the caller guarantees that the marshaller and the arguments belong to this call.
    let Returned { errno, held } = match unsafe { run(endpoint, link, request, marshaller) } {
        Ok(returned) => returned,
        Err(why @ CallError::Channel(_)) => return Err(why),
        Err(CallError::Left) => {
            let mut ended = Vec::new();
            marshaller.leave_out_unsent(Reply::None);
            marshaller.settle_left(&mut ended);
            endpoint.record_ended(ended);
            return Ok(());
        }
        Err(why) => {
            explain(endpoint, marshaller, &why);
            return refuse(endpoint, link, request, marshaller);
        }
    };
    drop(running);
    let success = marshaller.last(&call.success).is_none_or(|code| marshaller.holds(Some(code)));
    let mut ended = endpoint.take_ended();
    marshaller.end_descriptors(success, &mut ended);
    if endpoint.is_worker() && success && call.facts.ends {
        link.watch_ended(marshaller, false);
    }
    marshaller.finish(call, success, &mut ended);
    let remembered = if success { marshaller.remember(call, &mut None) } else { Ok(()) };
    if request.mode == Mode::Sync {
        marshaller.end_call_registrations(success, &mut ended);
        let exit = (block, errno, success);
        // SAFETY: the caller guarantees that the marshaller and the arguments belong to this call.
        let send = |()| unsafe { reply(endpoint, link, request, marshaller, exit, &ended) };
        let sent = remembered.and_then(send);
        drop(held);
        match sent {
            Ok(()) => settle_known(endpoint, marshaller, success),
            Err(why @ CallError::Channel(_)) => return Err(why),
            Err(why) => {
                explain(endpoint, marshaller, &why);
                // The library may have kept memory and functions of the call, although the guest does not get the results.
                marshaller.leave_out_unsent(Reply::None);
                marshaller.settle(success, &mut ended);
                link.refuse((answer_kind(endpoint), request.request), &ended)?;
            }
        }
    } else {
        drop(held);
        bind_ids(endpoint, marshaller, request, success);
        let remembered = remembered.and_then(|()| marshaller.check_attached());
        if remembered.inspect_err(|why| explain(endpoint, marshaller, why)).is_err() || !success {
            // SAFETY: the caller guarantees that the marshaller and the arguments belong to this call.
            endpoint.record_failure(request.number, unsafe { result_of(call, block, arguments) });
        }
        if request.id != 0 && marshaller.is_open() {
            if success {
                marshaller.own_regions();
            }
            *open = Some((marshaller.part(), success));
        } else {
            marshaller.leave_out_unsent(Reply::None);
        }
        marshaller.settle(success, &mut ended);
        endpoint.record_ended(ended);
    }
    end_served(endpoint, link, marshaller);
    Ok(())
}

/// Ends what a call ended but its reply could still name.
fn end_served(endpoint: &impl Endpoint, link: &Link, marshaller: &mut Marshaller<'_>) {
    let mut returned = Vec::new();
    marshaller.take_returned(&mut returned);
    endpoint.record_ended(returned);
    link.end_memory(marshaller, None);
    marshaller.end_held();
    for (function, address) in marshaller.frees.drain(..) {
        endpoint.free(function, address);
    }
}

/// Calls the function, with the C text around it. Returns its `errno`.
///
/// # Safety
///
/// `marshaller` must have decoded the arguments.
unsafe fn run<'a, P: Endpoint>(
    endpoint: &'a P,
    link: &Rc<Link>,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
) -> CallResult<Returned<'a>> {
    let (call, arguments) = (request.call, marshaller.stage.arguments);
    for pass in &call.passes {
        if marshaller.holds(pass.condition.as_ref()) {
            marshaller.store(&pass.then, &mut None);
        }
    }
    if endpoint.is_worker() {
        endpoint.described().at(lapis_cx_plan::Hook::Arguments);
    }
    run_text(marshaller, call, TextPosition { is_before: true, is_caller: false });
    // SAFETY: the caller guarantees that the marshaller and the arguments belong to this call.
    let returned = unsafe { endpoint.run(link, request, marshaller, arguments)? };
    marshaller.stage.is_entry = false;
    marshaller.stage.errno = returned.errno.unwrap_or(0);
    for implicit in call.implicits.iter().filter(|implicit| implicit.at_exit) {
        if let Some(value) = marshaller.eval(&implicit.value) {
            // SAFETY: the offset is that of a member of the argument struct.
            unsafe { store(arguments + implicit.offset, implicit.bytes, value) };
        }
    }
    run_text(marshaller, call, TextPosition { is_before: false, is_caller: false });
    Ok(returned)
}

/// Sends the reply of a synchronous call, with the failures of asynchronous calls.
///
/// # Safety
///
/// The call must have been made with the arguments of `marshaller`.
unsafe fn reply<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    request: &Request,
    marshaller: &mut Marshaller<'_>,
    (block, errno, success): (&'static Block, Option<i32>, bool),
    ended: &[Ended],
) -> CallResult<()> {
    let (call, arguments) = (request.call, marshaller.stage.arguments);
    // A callback's `errno` is always sent, because the library reads it. The worker sends an `errno` only if the library changed it.
    let errno = errno.filter(|errno| {
        let is_unset = call.reads_errno && *errno == 0;
        !endpoint.is_worker() || !is_unset && *errno != link.errno.get()
    });
    let head = (answer_kind(endpoint), request.request, errno, success);
    let failures = endpoint.take_failures();
    if endpoint.is_worker() {
        endpoint.described().at(lapis_cx_plan::Hook::Reply);
    }
    // SAFETY: the caller upholds the contract of this function.
    let answered = unsafe { link.answer(marshaller, head, (call, block), arguments, (ended, &failures)) };
    if answered.is_err() {
        // The next reply reports these failures.
        failures.into_iter().for_each(|(function, result)| endpoint.record_failure(function, result));
    }
    answered?;
    if endpoint.is_worker() {
        link.take_errno(errno);
    }
    Ok(())
}

/// Returns the result of a call as a number, or 0 if it is not a number.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
unsafe fn result_of(call: &Call, block: &Block, arguments: usize) -> i64 {
    match call.facts.result.and_then(|at| block.values.get(at)) {
        Some(Value { kind: Kind::Scalar { scalar, .. }, offset, .. }) => {
            // SAFETY: the offset is that of a member of the argument struct.
            unsafe { load(arguments + offset, *scalar) as i64 }
        }
        _ => 0,
    }
}

/// When and on which side C text runs.
#[derive(Clone, Copy)]
pub(super) struct TextPosition {
    pub is_before: bool,
    pub is_caller: bool,
}

/// Runs the C text of a call for this time and side. The callee runs all text; the caller runs only text whose condition tests the side.
pub(super) fn run_text(marshaller: &mut Marshaller<'_>, call: &Call, at: TextPosition) {
    for text in &call.c_text {
        let (is_before, native) = (text.then.is_before, text.then.native);
        let asks = || text.condition.as_ref().is_some_and(|code| code.ops.contains(&Op::IsWorker));
        if is_before == at.is_before
            && (!at.is_caller || asks())
            && marshaller.holds(text.condition.as_ref())
            && let Some(native) = marshaller.stage.natives.get(native as usize).copied().flatten()
        {
            let arguments = std::ptr::with_exposed_provenance_mut(marshaller.stage.arguments);
            // SAFETY: the plan assigns this function to this call, so it expects this argument struct.
            unsafe { native(arguments, std::ptr::null()) };
        }
    }
}
