//! The caller's side: encodes a call, sends it and waits for the reply.

use std::rc::Rc;

use super::asynchronous::{SentCall, SentCalls};
use super::collect::{collect, collect_lanes, collect_reports, is_in_callback};
use super::endpoint::{Endpoint, PendingCall, ProvisionalObject, keys, marshaller, report_refusal};
use super::link::{Answer, Link, UNEXPECTED};
use super::links;
use super::order::{Keys, Ticket, TicketList, put_tickets};
use super::serve::{TextPosition, process_next, run_text};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::access::{bytes_mut, store};
use crate::marshal::eval::Before;
use crate::marshal::names::provisional_id;
use crate::marshal::{BufferEntry, CallError, CallResult, Marshaller, NEEDS_REPLY, Scratch, lock};
use crate::plan::{Block, Call, Kind, Mode, Store};
use crate::protocol::{Ended, HAS_TICKETS, ID_SHIFT, MOST, NESTED, RESULT, record};
use crate::{Error, Wake, Writer};

/// The call to make.
#[derive(Clone, Copy, Default)]
pub(crate) struct CallTarget {
    /// The index of the function or callback.
    pub number: u32,
    /// Of a callback, the id of the registration.
    pub registration: u32,
    /// Of a callback with userdata, the number of the trampoline that the library called.
    pub slot: u32,
    /// Of a callback, the value that the library left in `errno`.
    pub errno: i32,
}

/// Makes a call.
///
/// # Errors
///
/// The call was not made. The caller must store the failure result ([`fail`]).
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
pub(crate) unsafe fn make<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    of: CallTarget,
    call: &'static Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> CallResult<()> {
    let mut scratch = link.scratch(true);
    let before = endpoint.sent_calls().and_then(SentCalls::next_id);
    let (has_run_text, is_synchronous, has_reports, returned) = (false, false, false, Keys::new());
    let mut attempt =
        Attempt { of, call, arguments, before, has_run_text, is_synchronous, has_reports, returned, next: None };
    let made = loop {
        // SAFETY: the caller upholds the contract of this function.
        let made = unsafe { make_in(endpoint, link, &mut scratch, &mut attempt, errno) };
        let prepared = match attempt.next.take() {
            None => break made,
            Some(Before::Synchronous) => {
                attempt.is_synchronous = true;
                Ok(true)
            }
            Some(Before::Reports) => {
                attempt.has_reports = true;
                collect_reports(endpoint, link).map(|()| true)
            }
            Some(Before::Results(of)) => collect(endpoint, link, &[of]),
        };
        match prepared {
            Ok(true) => {}
            Ok(false) => break Err(CallError::Refused(AWAITS_RESULTS, call.name)),
            Err(why @ CallError::Channel(_)) => break Err(why),
            Err(_) => break Err(CallError::Refused(HAS_NO_RESULTS, call.name)),
        }
    };
    if endpoint.is_worker() {
        link.hold(&mut scratch.in_use);
    }
    if made.is_ok() {
        attempt.collect_lanes(endpoint, link, false);
    }
    made
}

/// The state of a call across the attempts of [`make`].
struct Attempt {
    of: CallTarget,
    call: &'static Call,
    arguments: usize,
    /// If results of earlier calls have not arrived: the number of the next call.
    before: Option<u64>,
    /// Whether the C text before the call has run.
    has_run_text: bool,
    /// Whether the call must be synchronous, although the specification says `async`.
    is_synchronous: bool,
    /// Whether the worker has reported what has ended since the call began.
    has_reports: bool,
    /// The lanes of the call, if it is synchronous and has returned.
    returned: Keys,
    /// What must happen before the next attempt, if this attempt was not sent.
    next: Option<Before>,
}

impl Attempt {
    /// Collects once the results of earlier calls that share a lane with this call, if it is synchronous and has returned.
    /// `is_waited_for` is as for [`is_in_callback`].
    fn collect_lanes<P: Endpoint>(&mut self, endpoint: &P, link: &Rc<Link>, is_waited_for: bool) {
        let keys = std::mem::take(&mut self.returned);
        if let Some(before) = self.before.filter(|_| !keys.is_empty()) {
            collect_lanes(endpoint, link, (&keys, before), is_in_callback(link, is_waited_for));
        }
    }
}

/// Makes one attempt of [`make`] with the given scratch memory. The call was not sent if the attempt sets [`Attempt::next`].
///
/// # Safety
///
/// Same contract as [`make`].
unsafe fn make_in<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    scratch: &mut Scratch,
    attempt: &mut Attempt,
    errno: &mut Option<i32>,
) -> CallResult<()> {
    let Attempt { of, call, arguments, .. } = *attempt;
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut marshaller = marshaller(endpoint, scratch, block, arguments);
    marshaller.call = call.name;
    marshaller.stage.has_reports = attempt.has_reports;
    marshaller.watch_results();
    // SAFETY: the caller passes the argument struct of this call, and `marshaller` was made for it above.
    let has_default_result = unsafe { has_default_result(&mut marshaller, call, arguments, errno) };
    // With an observer, which compares results, all calls are synchronous. So is a call in a callback on a channel of the worker: callbacks of this
    // call arrive over the same channel, which the guest reads only while it waits. And so is a call whose effects on the guest's own tables depend
    // on its results. In a callback these include ends of memory that the calls around the callback use.
    let may_end = call.facts.ends && !endpoint.is_worker() && is_in_callback(link, false);
    let has_late_effects = call.facts.may_set || may_end || attempt.is_synchronous;
    let may_be_async = endpoint.observer().is_none() && !link.is_for_callbacks && !has_late_effects;
    let timing = marshaller.last(&call.timing);
    let mode = timing.filter(|_| may_be_async).map_or(Mode::Sync, |timing| timing.mode);
    marshaller.is_async = mode != Mode::Sync;
    let has_lanes = !endpoint.is_worker() && marshaller.stage.plan.has_async;
    let order = if has_lanes { keys(&mut marshaller, &call.order) } else { Keys::new() };
    attempt.next = marshaller.stage.before;
    if attempt.next.is_some() {
        return Ok(());
    }
    if !marshaller.is_async {
        attempt.returned.clone_from(&order);
    }
    if has_default_result? {
        return Ok(());
    }
    if !attempt.has_run_text {
        run_text(&mut marshaller, call, TextPosition { is_before: true, is_caller: true });
        attempt.has_run_text = true;
    }
    let waits = if marshaller.is_async { None } else { Some(link.wait()?) };
    let lanes = Lanes { tickets: endpoint.tickets(&order, marshaller.is_async), keys: order };
    let request = waits.as_ref().map_or(0, |waits| waits.id);
    link.add_members(&mut marshaller);
    let head = Head { of, mode, request, within: endpoint.within(link) };
    // SAFETY: the caller upholds the contract of this function.
    let sent = unsafe { send(endpoint, link, &mut marshaller, head, call, arguments, &lanes) };
    attempt.next = if sent.is_err() { marshaller.stage.before } else { None };
    let _with_members = waits.as_ref().map(|_| link.with_members(&marshaller));
    let made = match sent {
        Err(why) => {
            if !endpoint.is_worker() {
                marshaller.take_back_references();
            }
            marshaller.empty_nulls();
            if attempt.next.is_none() {
                report_refusal(endpoint, &marshaller, &why);
            }
            Err(why)
        }
        Ok(result) if marshaller.is_async => {
            let returns: &[Store] = timing.map_or(&[], |timing| &timing.returns);
            returns.iter().for_each(|store| marshaller.store(store, errno));
            if let Some((offset, bytes, value)) = result {
                // SAFETY: the result is a member of the argument struct, which the caller passes.
                unsafe { store(arguments + offset, bytes, i128::from(value)) };
            }
            marshaller.stage.is_entry = false;
            marshaller.is_sent = true;
            if let Some(sent_calls) = endpoint.sent_calls() {
                sent_calls.count();
            }
            // The worker stores the same metadata, and reports errors.
            let _ = marshaller.remember(call, errno).and_then(|()| marshaller.check_attached());
            Ok(Answer { was_made: true, success: true, errno: None, ended: Vec::new(), rejected: None })
        }
        // SAFETY: `send` encoded and sent the request with this marshaller.
        Ok(_) => unsafe { wait_for_answer(endpoint, link, request, &mut marshaller, (call, block)) },
    };
    if !endpoint.is_worker() && made.as_ref().is_ok_and(|answer| !answer.was_made) {
        marshaller.take_back_references();
    }
    if call.facts.ends && made.is_ok() {
        // The call may end memory that the results change.
        attempt.collect_lanes(endpoint, link, waits.is_some());
    }
    // SAFETY: `send` encoded the request with this marshaller, and `wait_for_answer` decoded the reply with it, if there is one.
    unsafe { end(endpoint, link, &mut marshaller, (call, block), made, errno) }
}

/// The lanes of a call, and its tickets in them.
#[derive(Default)]
struct Lanes {
    keys: Keys,
    tickets: TicketList,
}

/// Waits for the reply to a request, and serves requests of the other side meanwhile.
///
/// # Safety
///
/// `marshaller` must have encoded the request.
unsafe fn wait_for_answer<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    request: u32,
    marshaller: &mut Marshaller<'_>,
    (call, block): (&'static Call, &'static Block),
) -> CallResult<Answer> {
    if let Some(observer) = endpoint.observer() {
        // The real library may call functions of the program, and these may make calls.
        let _may_call = link.allow_calls();
        // SAFETY: `marshaller` encoded these arguments, and the request was sent.
        unsafe { observer.sent(link, marshaller, call, block) };
        if let Some(answer) = observer.early() {
            return Ok(answer);
        }
    }
    let _marshaller = link.with_marshaller(request, marshaller);
    loop {
        let arguments = marshaller.stage.arguments;
        let pending = PendingCall { marshaller, call, block, arguments };
        // SAFETY: `marshaller` encoded the request, so its arguments belong to the waiting call, as the caller guarantees.
        let answer = unsafe { process_next(endpoint, link, request, pending)? };
        if let Some(answer) = answer {
            return Ok(answer);
        }
    }
}

/// Applies the effects of a finished call: ended entities, files, `errno`.
///
/// # Safety
///
/// `marshaller` must have encoded the request, and decoded the reply if there is one.
unsafe fn end<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    marshaller: &mut Marshaller<'_>,
    (call, block): (&'static Call, &'static Block),
    made: CallResult<Answer>,
    errno: &mut Option<i32>,
) -> CallResult<()> {
    marshaller.stage.is_entry = false;
    let is_refused = made.as_ref().map_or(true, |answer| !answer.was_made || answer.rejected.is_some());
    if is_refused {
        marshaller.take_back_changes();
    }
    let is_waited_for = !marshaller.is_async || made.is_err();
    link.settle_files(marshaller, is_waited_for, is_refused);
    let mut answer = match made {
        Ok(answer) => answer,
        Err(why) => {
            // The tables of a child do not contain the registrations of the parent's call.
            if why != CallError::Channel(Error::Forked) {
                marshaller.settle(false, &mut Vec::new());
            }
            return Err(why);
        }
    };
    let rejected = answer.rejected.take();
    if rejected.is_some() {
        // The program takes the call for failed, and still owns the blocks that it passed.
        marshaller.entries.keep_passed_blocks();
    } else if answer.errno.is_some() {
        *errno = answer.errno;
    }
    if let Some(observer) = endpoint.observer().filter(|_| answer.was_made && rejected.is_none()) {
        // SAFETY: the caller guarantees that `marshaller` encoded the request and decoded its reply.
        unsafe { observer.compare(marshaller, call, block, answer.success) };
    }
    // Files end before `settle` removes the entries of files that only this call used. Registrations lose their former scopes before `settle` adds
    // scopes of this call, as on the worker.
    let is_first = |one: &Ended| match one {
        Ended::File(..) => true,
        Ended::Callbacks(..) | Ended::Registration(_) => !endpoint.is_worker(),
        _ => false,
    };
    let (first, ended): (Vec<Ended>, Vec<Ended>) = answer.ended.into_iter().partition(is_first);
    lock(endpoint.tables()).forget(&first);
    if endpoint.is_worker() {
        // The worker does not rely on the guest's list of ended entities.
        let mut ended = Vec::new();
        marshaller.finish(call, answer.was_made && answer.success, &mut ended);
        marshaller.end_held();
        endpoint.record_ended(ended);
    }
    let mut settled = Vec::new();
    if answer.success && !endpoint.is_worker() && !marshaller.is_async && call.facts.ends {
        // Memory that the call passes for a scope gets its owner afterwards.
        marshaller.end_named(call);
    }
    marshaller.settle(answer.success, &mut settled);
    if endpoint.is_worker() {
        settled.retain(|one| matches!(one, Ended::Region(_) | Ended::Copy(..)));
        endpoint.record_ended(settled);
    } else {
        marshaller.forget(&ended);
    }
    if answer.success {
        link.end_memory(marshaller, endpoint.sent_calls());
    }
    if let Some(why) = rejected {
        return Err(why);
    }
    if answer.was_made { Ok(()) } else { Err(CallError::of_other_side(call.name)) }
}

/// Stores computed arguments and checks the conditions of `requires`. Returns `true` if a condition fails and its `else` supplied the
/// result, so the call is not sent. Returns `false` if an expression reads memory that outstanding results change.
///
/// # Safety
///
/// `marshaller` must marshal the arguments of this call.
unsafe fn has_default_result(
    marshaller: &mut Marshaller<'_>,
    call: &Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> CallResult<bool> {
    for implicit in call.implicits.iter().filter(|implicit| !implicit.at_exit) {
        let value =
            marshaller.eval(&implicit.value).ok_or(CallError::Refused("it cannot be computed", implicit.value.text))?;
        // SAFETY: the offset is that of a member of the argument struct.
        unsafe { store(arguments + implicit.offset, implicit.bytes, value) };
    }
    for required in &call.requires {
        if marshaller.holds(required.condition.as_ref()) && !marshaller.holds(Some(&required.then.condition)) {
            if marshaller.stage.before.is_some() {
                return Ok(false);
            }
            if required.then.otherwise.is_empty() {
                return Err(CallError::Refused("what the call requires does not hold", call.name));
            }
            required.then.otherwise.iter().for_each(|store| marshaller.store(store, errno));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Handles a call while no worker is available. A call whose `requires … else` supplies the result needs no worker.
///
/// # Errors
///
/// The call needs a worker.
///
/// # Safety
///
/// Same contract as [`make`].
// Not inlined, so frames of nested calls do not contain its locals.
#[inline(never)]
pub(crate) unsafe fn make_without_worker<P: Endpoint>(
    endpoint: &P,
    call: &Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> CallResult<()> {
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    // SAFETY: the caller passes the argument struct of this call.
    unsafe { clear_result(endpoint, call, arguments) };
    let mut scratch = Scratch::default();
    let mut marshaller = marshaller(endpoint, &mut scratch, block, arguments);
    // SAFETY: same guarantee as above.
    if unsafe { has_default_result(&mut marshaller, call, arguments, errno)? } {
        Ok(())
    } else {
        Err(CallError::Channel(Error::Died))
    }
}

/// The offset and size in bytes of a result to which the guest assigned a provisional id, and the value that the program gets.
type NamedResult = Option<(usize, usize, u64)>;

/// The fixed part at the beginning of a request record.
#[derive(Clone, Copy)]
struct Head {
    of: CallTarget,
    mode: Mode,
    /// The id of the request; 0 if it is asynchronous.
    request: u32,
    /// The id of the call during which a callback is made.
    within: u32,
}

/// Sends a call. For an asynchronous call, also sends the ids of the objects that it creates. If sending fails, sends its tickets as `SKIPPED`.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
unsafe fn send<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    marshaller: &mut Marshaller<'_>,
    head: Head,
    call: &'static Call,
    arguments: usize,
    lanes: &Lanes,
) -> CallResult<NamedResult> {
    let mut sender = link.sender()?;
    let mode = head.mode;
    let mut to = sender.record(if endpoint.is_worker() { record::CALLBACK } else { record::CALL });
    // SAFETY: the caller passes the argument struct of this call, for which `marshaller` was made.
    let prepared = unsafe { prepare((endpoint, link), marshaller, head, call, arguments, (lanes, &mut to)) };
    let Prepared { names, result, expected } = match prepared {
        Ok(prepared) => prepared,
        Err(why) => {
            drop(to);
            if mode != Mode::Sync && !lanes.tickets.is_empty() {
                // Other calls wait for these tickets.
                let mut skipped = sender.record(record::SKIPPED);
                put_tickets(&mut skipped, &lanes.tickets);
                skipped.commit(Wake::Later)?;
            }
            return Err(why);
        }
    };
    endpoint.described().at(lapis_cx_plan::Hook::Send);
    let wake = if mode == Mode::Async { Wake::Later } else { Wake::Now };
    let sent = to.commit(wake).and_then(|()| {
        let Some(names) = names else { return Ok(()) };
        let mut named = sender.record(record::NAMED);
        next_field(FieldKind::Length);
        named.put_u32(names.len() as u32);
        for ProvisionalObject { of, entry, position, id } in names {
            named.put_u32(of);
            next_field(FieldKind::Region);
            named.put_u32(entry);
            next_field(FieldKind::Offset);
            named.put_u64(position);
            next_field(FieldKind::Handle);
            named.put_u64(id);
        }
        named.commit(wake)
    });
    if let (Some(id), Err(_), Some(sent_calls)) = (expected, &sent, endpoint.sent_calls()) {
        sent_calls.remove(id);
    }
    sent?;
    if endpoint.is_worker() && mode != Mode::Sync {
        lock(endpoint.tables()).sent_callbacks(head.of.registration, 1);
    }
    Ok(result)
}

/// The parts of an encoded request that the caller needs after sending it.
struct Prepared {
    /// The objects that the call creates, if the guest assigns their ids.
    names: Option<Vec<ProvisionalObject>>,
    result: NamedResult,
    /// The number of the call, if its results arrive later.
    expected: Option<u64>,
}

/// Encodes the record of a request.
///
/// # Safety
///
/// Same contract as [`send`].
unsafe fn prepare<P: Endpoint>(
    (endpoint, link): (&P, &Link),
    marshaller: &mut Marshaller<'_>,
    head: Head,
    call: &'static Call,
    arguments: usize,
    (lanes, to): (&Lanes, &mut Writer<'_>),
) -> CallResult<Prepared> {
    let block = marshaller.stage.plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let is_async = head.mode != Mode::Sync;
    to.put_u32(head.of.number);
    next_field(FieldKind::Flags);
    to.put_u32(flags_of(head.mode, &lanes.tickets, head.request));
    if endpoint.is_worker() {
        to.put_u32(head.within);
        next_field(FieldKind::Handle);
        to.put_u32(head.of.registration);
        next_field(FieldKind::Handle);
        to.put_u32(head.of.slot);
        to.put_u32(head.of.errno.cast_unsigned());
    }
    put_tickets(to, &lanes.tickets);
    let mut result = None;
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        marshaller.encode_request(block, arguments, to)?;
        marshaller.send_members(to)?;
    }
    // A reply of the program that is refused must change nothing in memory of the library. On the guest, callbacks of other threads may change the
    // buffers.
    let has_callbacks =
        || !marshaller.stage.plan.callbacks.is_empty() && !lock(endpoint.tables()).registrations.is_empty();
    if !is_async && (endpoint.is_worker() || has_callbacks()) {
        marshaller.keep_contents(endpoint.callbacks_now());
    }
    if marshaller.stage.before.is_some() {
        return Err(CallError::Refused(AWAITS_RESULTS, call.name));
    }
    if call.facts.ends {
        let is_any_awaited = || endpoint.sent_calls().is_some_and(|all| all.next_id().is_some());
        link.watch_ended(marshaller, is_in_callback(link, !marshaller.is_async) && is_any_awaited());
    }
    let mut expected = None;
    if let Some(sent_calls) = endpoint.sent_calls().filter(|_| is_async && !call.facts.is_numbers) {
        if marshaller.has_results_in_library_memory() || call.facts.ends && marshaller.may_end_memory(call) {
            marshaller.stage.before = Some(Before::Synchronous);
            return Err(CallError::Refused(NEEDS_REPLY, call.name));
        }
        let id = marshaller.is_open().then(|| sent_calls.new_id());
        expected = id.map(|id| (sent_calls, id));
        to.put_u64(expected.map_or(0, |(_, id)| id));
    }
    let in_waiting_call = |one: &BufferEntry| {
        let is_shared = one.bytes == 0 || one.is_owner || one.accepts_data;
        !is_shared && link.is_in_waiting_call((one.here, one.here.saturating_add(one.bytes)), one.is_written)
    };
    if !endpoint.is_worker() && marshaller.entries.iter().any(in_waiting_call) {
        return Err(CallError::Refused(IN_WAITING_CALL, call.name));
    }
    let names = if marshaller.is_async && call.facts.makes_objects && !endpoint.is_worker() {
        // SAFETY: same guarantee as above.
        Some(unsafe { allocate_ids(endpoint, marshaller, block, &mut result)? })
    } else {
        None
    };
    if marshaller.is_async {
        marshaller.leave_descriptors();
        if marshaller.entries.iter().any(|entry| entry.region != 0) {
            lock(endpoint.tables()).may_fail_to_keep = true;
        }
    }
    if let Some((sent_calls, id)) = expected {
        // Another thread may receive the results as soon as the record is sent, so the call is registered first.
        let own_memory = if marshaller.stage.plan.has_ends { marshaller.take_own_memory() } else { None };
        marshaller.own_regions();
        let parts = marshaller.part();
        // SAFETY: the caller passes the argument struct of this call, and `block.bytes` is its size.
        let sent_call = unsafe { SentCall::new((call, lanes.keys.clone()), (arguments, block.bytes), parts) };
        let mut sent_call = sent_call.ok_or(CallError::Refused("there is no memory for it", call.name))?;
        sent_call.in_use = std::mem::take(marshaller.in_use);
        sent_calls.add(id, sent_call, own_memory);
    }
    Ok(Prepared { names, result, expected: expected.map(|(_, id)| id) })
}

/// The reason for refusing a call in a callback that cannot wait for results, because the asynchronous call may wait for the callback.
const AWAITS_RESULTS: &str =
    "it is made in a callback, and uses the buffer of an asynchronous call whose results have not arrived";

/// The reason for refusing a call that uses memory without the results of an earlier call.
const HAS_NO_RESULTS: &str = "it uses the buffer of an asynchronous call whose results were refused";

/// The reason for refusing a call in a callback that would use another copy of a buffer than the waiting call.
const IN_WAITING_CALL: &str = "it uses a buffer of the call that waits for this callback, and the library has changed it or will; write \
                               `@lifetime` for that memory";

/// Returns the word of a request that contains its mode, its flags and its id.
fn flags_of(mode: Mode, tickets: &[Ticket], id: u32) -> u32 {
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    mode as u32 | flag(!tickets.is_empty(), HAS_TICKETS) | flag(links::is_in_callback(), NESTED) | id << ID_SHIFT
}

/// Allocates ids for the objects that a call creates, and stores them in the program's buffers.
///
/// # Safety
///
/// `marshaller` must have encoded the arguments of the call.
unsafe fn allocate_ids<P: Endpoint>(
    endpoint: &P,
    marshaller: &mut Marshaller<'_>,
    block: &'static Block,
    result: &mut NamedResult,
) -> CallResult<Vec<ProvisionalObject>> {
    let mut provisional = Vec::new();
    for (n, entry) in (0..).zip(marshaller.entries.to_vec()) {
        let Some(handle) = entry.provisional else { continue };
        for position in 0..entry.count.min(u64::from(MOST)) {
            let id = provisional_id(endpoint.new_name(), handle.bytes);
            let value = marshaller.stand_in(handle, id, 0)?;
            // SAFETY: the marshaller validated this buffer of the program, and `position` is less than its element count.
            unsafe { store(entry.here + position as usize * handle.bytes, handle.bytes, i128::from(value)) };
            provisional.push(ProvisionalObject { of: handle.of, entry: n, position, id });
        }
    }
    for value in &block.values {
        if let Kind::Handle(handle) = &value.kind
            && handle.is_new
            && value.copy_out
            && !value.copy_in
        {
            let id = provisional_id(endpoint.new_name(), handle.bytes);
            let bits = marshaller.stand_in(handle, id, value.name)?;
            // Lifetimes of the call's memory can name the result.
            // SAFETY: the result is a member of the argument struct, which the caller passes.
            unsafe { store(marshaller.stage.arguments + value.offset, handle.bytes, i128::from(bits)) };
            *result = Some((value.offset, handle.bytes, bits));
            provisional.push(ProvisionalObject { of: handle.of, entry: RESULT, position: 0, id });
        }
    }
    Ok(provisional)
}

/// Stores the failure result of a call that was not made.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
// Not inlined, so frames of nested calls do not contain its locals.
#[inline(never)]
pub(crate) unsafe fn fail<P: Endpoint>(endpoint: &P, call: &Call, arguments: usize, errno: &mut Option<i32>) {
    let Some(block) = endpoint.described().plan.blocks.get(call.arguments as usize) else { return };
    // SAFETY: the caller passes the argument struct of this call.
    unsafe { clear_result(endpoint, call, arguments) };
    let mut scratch = Scratch::default();
    let mut marshaller = marshaller(endpoint, &mut scratch, block, arguments);
    // The call changed nothing, so `old` returns the present values, or 0 if there is no memory for them.
    let _ = marshaller.take_snapshots(block);
    marshaller.stage.is_entry = false;
    if let Some(stores) = marshaller.last(&call.fails) {
        stores.iter().for_each(|store| marshaller.store(store, errno));
    }
}

/// Sets the result to 0. The result is the last member of the argument struct.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
pub(crate) unsafe fn clear_result(endpoint: &impl Endpoint, call: &Call, arguments: usize) {
    let Some(block) = endpoint.described().plan.blocks.get(call.arguments as usize) else { return };
    if let Some(result) = call.facts.result.and_then(|at| block.values.get(at)) {
        let size = block.bytes.saturating_sub(result.offset);
        // SAFETY: the result is the last member of the struct, so the bytes from its offset to the end of the struct belong to it.
        unsafe { bytes_mut(arguments + result.offset, size) }.fill(0);
    }
}
