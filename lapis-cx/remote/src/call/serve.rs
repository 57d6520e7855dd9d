//! Waits for records: takes answers, and does what the other side asks for.

use std::cell::{Cell, RefMut};
use std::rc::Rc;

use super::late_replies::{put_late, take_late};
use super::later::{Done, Parts};
use super::link::{Answer, Late, Link, UNEXPECTED};
use super::order::{Keys, Taken, get_tickets};
use super::party::{Minted, Party, Request, Waiting, keys, note_refusal, walk};
use super::start;
use super::straight::serve as straight;
use crate::marshal::access::{bytes_mut, load, load_pointer, store};
use crate::marshal::names::Named;
use crate::marshal::{Fault, Visit, Walk, Walked, names};
use crate::plan::{Block, Call, Kind, Mode, Op, Scalar, Value};
use crate::protocol::{Ended, HAS_TICKETS, ID_SHIFT, MOST, NESTED, RESULT, STRAIGHT, record};
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
pub(crate) unsafe fn turn<P: Party>(
    party: &P,
    link: &Rc<Link>,
    id: u32,
    waiting: Waiting<'_, '_>,
) -> Walked<Option<Answer>> {
    let receiver = link.next_for(id, party.is_worker())?;
    // SAFETY: as the caller says.
    unsafe { turn_at(party, link, receiver, Some(waiting)) }
}

/// Does what the other side asks for, until the channel can be used no more.
pub(crate) fn serve<P: Party>(party: &P, link: &Rc<Link>) -> Fault {
    loop {
        let done =
            link.receiver().and_then(|receiver| party.serve_bare(link, receiver)).and_then(|other| match other {
                // SAFETY: nothing waits.
                Some(receiver) => unsafe { turn_at(party, link, receiver, None) }.map(|_| ()),
                None => Ok(()),
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
pub(super) unsafe fn turn_at<P: Party>(
    party: &P,
    link: &Rc<Link>,
    mut receiver: RefMut<'_, Receiver>,
    waiting: Option<Waiting<'_, '_>>,
) -> Walked<Option<Answer>> {
    let mut from = receiver.again();
    let (answers, asks) =
        if party.is_worker() { (record::ANSWER, record::CALL) } else { (record::RETURN, record::CALLBACK) };
    match waiting {
        // SAFETY: as the caller says.
        Some(waiting) if from.kind() == answers => return unsafe { take_reply(party, link, waiting, from) },
        _ if from.kind() == record::SKIPPED && party.is_worker() => {
            party.skip(&get_tickets(&mut from)?);
            return Ok(None);
        }
        _ if from.kind() == record::ERRNO && party.is_worker() => {
            link.take_errno(Some(from.get_u32()?.cast_signed()));
            return Ok(None);
        }
        _ if from.kind() != asks => return Err(UNEXPECTED),
        _ => {}
    }
    let (number, flags) = (from.get_u32()?, from.get_u32()?);
    let (flags, id) = (flags & ((1 << ID_SHIFT) - 1), flags >> ID_SHIFT);
    if flags & STRAIGHT != 0 && party.is_worker() {
        let call = party.described().plan.functions.get(number as usize).and_then(Option::as_ref).ok_or(UNEXPECTED)?;
        let straight = call.straight.as_ref().ok_or(UNEXPECTED)?;
        let mut memory = straight::Memory::default();
        let head = (number, call.name, id);
        let received = straight::receive(party, link, head, (straight, flags), &mut memory, &mut from)?;
        // The library may need the channel.
        drop(from);
        drop(receiver);
        // SAFETY: with this memory.
        unsafe { straight::perform(party, link, &received, straight, &mut memory)? };
        return Ok(None);
    }
    let request = get_request(party, link, (number, flags, id), &mut from)?;
    from.keep();
    serve_request(party, link, receiver, request).map(|()| None)
}

/// Decodes the reply of the call that waits. None if its sender gave the reply up: the next record says why.
///
/// # Safety
///
/// What waits has its arguments.
unsafe fn take_reply<P: Party>(
    party: &P,
    link: &Link,
    Waiting { walk, call, block, arguments }: Waiting<'_, '_>,
    from: Reader<'_>,
) -> Walked<Option<Answer>> {
    let observer = party.observer();
    if let Some(observer) = observer {
        observer.begin_answer();
    }
    let found = |finding| {
        if let Some(observer) = observer {
            observer.found(finding);
        }
    };
    // Types may depend on the time.
    walk.stage.is_entry = false;
    // SAFETY: as the caller says.
    let answer =
        unsafe { Link::take_answer(walk, (call, block), arguments, from, |from| take_late(party, from), found) };
    let answer = match answer {
        Err(Fault::Channel(Error::Cut)) => Ok(None),
        answer => answer.map(Some),
    };
    let answer = answer.map(|mut answer| {
        if let Some(answer) = answer.as_mut().filter(|answer| answer.was_made && !party.is_worker()) {
            answer.errno = Some(link.take_errno(answer.errno));
        }
        if answer.as_ref().is_some_and(|answer| answer.was_made) {
            around(walk, call, Around { is_before: false, is_caller: true });
        }
        if let Some(answer) = answer.as_mut().filter(|answer| answer.success) {
            walk.remember(call, &mut answer.errno);
        }
        answer
    });
    if let Some(observer) = observer {
        observer.end_answer();
    }
    answer
}

/// Decodes what stands before the arguments of a request.
fn get_request<P: Party>(
    party: &P,
    link: &Link,
    (number, flags, request): (u32, u32, u32),
    from: &mut Reader<'_>,
) -> Walked<Request> {
    let mode = Mode::of(flags & !(HAS_TICKETS | NESTED)).ok_or(UNEXPECTED)?;
    let (registration, slot, errno) = if party.is_worker() {
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
    let plan = party.described().plan;
    let call = if party.is_worker() {
        plan.functions.get(number as usize).and_then(Option::as_ref)
    } else {
        plan.callbacks.get(number as usize)
    };
    let call = call.ok_or(UNEXPECTED)?;
    let has_id = mode != Mode::Sync && party.is_worker() && !call.is_numbers;
    let id = if has_id { from.get_u64()? } else { 0 };
    let (is_nested, started, minted) = (flags & NESTED != 0, Cell::new(0), Vec::new());
    Ok(Request { number, registration, slot, errno, mode, is_nested, request, call, tickets, id, started, minted })
}

/// Decodes the arguments of a request, at which the receiver stands, makes the call and replies.
fn serve_request<P: Party>(
    party: &P,
    link: &Rc<Link>,
    mut receiver: RefMut<'_, Receiver>,
    mut request: Request,
) -> Walked<()> {
    let call = request.call;
    let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let no_memory = Fault::Refused("there is no memory for it", call.name);
    let mut scratch = link.scratch();
    let mut open = None;
    let memory = scratch.arena.allocate(block.bytes, 1, true, usize::MAX).ok_or(no_memory)?;
    let done = {
        let mut walk = walk(party, &mut scratch, block, memory);
        (walk.registration, walk.is_async) = (request.registration, request.mode != Mode::Sync);
        walk.call = call.name;
        // SAFETY: it was allocated just now.
        unsafe { bytes_mut(memory, block.bytes) }.fill(0);
        let mut from = receiver.resume();
        // SAFETY: as above.
        let received =
            unsafe { walk.receive_entry(block, memory, &mut from).and_then(|()| walk.receive_members(&mut from)) };
        let received = received.map_err(|why| unless_cut(why, &mut from));
        drop(from);
        let is_named = walk.is_async && call.makes_objects && party.is_worker();
        if is_named && !matches!(received, Err(Fault::Channel(_))) {
            let mut from = receiver.next()?;
            if from.kind() != record::NAMED {
                return Err(UNEXPECTED);
            }
            get_minted(&mut request, &mut from)?;
        }
        // The library may need the channel.
        drop(receiver);
        match received {
            Ok(()) => {
                link.add_members(&mut walk);
                let _with_members = link.with_members(&walk);
                // SAFETY: the arguments were received.
                unsafe { perform(party, link, &request, &mut walk, block, &mut open) }
            }
            // The guest found while it sent the call that it cannot be made.
            Err(Fault::Channel(Error::Cut)) => {
                walk.settle(false, &mut Vec::new());
                Ok(())
            }
            Err(why @ Fault::Channel(_)) => Err(why),
            Err(why) => {
                explain(party, &walk, &why);
                request.skip(party);
                refuse(party, link, &request, &mut walk)
            }
        }
    };
    match open {
        Some((parts, success, keys)) => {
            let (id, started) = (request.id, request.started.get());
            party.keep_done(Done { id, call, arguments: memory, scratch, parts, success, keys, started });
        }
        None => link.give_back(scratch),
    }
    done
}

/// Why a request is refused. If its sender gives it up before its end, it expects no reply: that is the reason then.
fn unless_cut(why: Fault, from: &mut Reader<'_>) -> Fault {
    match why {
        Fault::Channel(_) => why,
        _ => match from.skip(usize::MAX) {
            Ok(()) | Err(Error::End) => why,
            Err(failed) => Fault::Channel(failed),
        },
    }
}

fn get_minted(request: &mut Request, from: &mut Reader<'_>) -> Walked<()> {
    let count = from.get_u32()?;
    if count > MOST {
        return Err(UNEXPECTED);
    }
    for _ in 0..count {
        let (of, visit) = (from.get_u32()?, from.get_u32()?);
        request.minted.push(Minted { of, visit, position: from.get_u64()?, id: from.get_u64()? });
    }
    Ok(())
}

fn explain(party: &impl Party, walk: &Walk<'_>, why: &Fault) {
    start::explain(party.described(), walk.call, why);
    note_refusal(party, walk, why);
}

impl Request {
    /// The call will not be made: those behind it do not wait for it.
    fn skip(&self, party: &impl Party) {
        if self.mode != Mode::Sync {
            party.skip(&self.tickets);
        }
    }
}

/// What was asked for is not done.
fn refuse<P: Party>(party: &P, link: &Link, request: &Request, walk: &mut Walk<'_>) -> Walked<()> {
    let mut ended = party.late();
    name(party, walk, request, false);
    walk.settle(false, &mut ended);
    if request.mode == Mode::Sync {
        return link.refuse((answer_kind(party), request.request), &ended);
    }
    party.is_late(ended);
    party.has_failed(request.number, 0);
    party.drop_done(request.id);
    Ok(())
}

/// Objects that the guest named have a meaning now, or none.
fn name<P: Party>(party: &P, walk: &mut Walk<'_>, request: &Request, success: bool) {
    let Some(names) = party.names() else { return };
    let result = walk.stage.plan.blocks.get(request.call.arguments as usize).and_then(|block| {
        let is_object = |value: &&Value| matches!(&value.kind, Kind::Handle(handle) if handle.is_new);
        block.values.iter().filter(is_object).find(|value| value.comes && !value.goes)
    });
    for Minted { of, visit, position, id } in &request.minted {
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        let address = if *visit == RESULT {
            result.map(|value| walk.stage.arguments + value.offset)
        } else {
            let visit = walk.visits.get(*visit as usize).filter(|visit| *position < visit.count);
            let is_same = |visit: &&Visit| visit.minted.is_some_and(|one| one.of == *of && one.bytes == bytes);
            visit.filter(is_same).map(|visit| visit.here + *position as usize * bytes)
        };
        let scalar = Scalar { bytes, is_signed: false, is_float: false };
        let value = match address {
            // SAFETY: an element of a buffer of this call, or its result.
            Some(address) if success => unsafe { load(address, scalar) as u64 },
            _ => 0,
        };
        if value != 0 {
            walk.lock().name(*of, *id, value);
        }
        let named = if value == 0 { Named::Failed } else { Named::Made(value) };
        names.name(*of, *id, names::number_of(*id, bytes), named);
    }
}

fn answer_kind(party: &impl Party) -> u32 {
    if party.is_worker() { record::RETURN } else { record::ANSWER }
}

/// Makes a call whose arguments were received, and replies.
///
/// # Safety
///
/// The arguments were received with this walk.
unsafe fn perform<P: Party>(
    party: &P,
    link: &Rc<Link>,
    request: &Request,
    walk: &mut Walk<'_>,
    block: &'static Block,
    open: &mut Option<(Parts, bool, Keys)>,
) -> Walked<()> {
    let (call, arguments) = (request.call, walk.stage.arguments);
    for required in &call.requires {
        if walk.holds(required.condition.as_ref()) && !walk.holds(Some(&required.then.0)) {
            explain(party, walk, &Fault::Refused("what the call requires does not hold", call.name));
            request.skip(party);
            return refuse(party, link, request, walk);
        }
    }
    // SAFETY: as the caller says.
    let errno = match unsafe { run(party, link, request, walk) } {
        Ok(errno) => errno,
        Err(why @ Fault::Channel(_)) => return Err(why),
        Err(why) => {
            explain(party, walk, &why);
            return refuse(party, link, request, walk);
        }
    };
    let success = walk.last(&call.success).is_none_or(|code| walk.holds(Some(code)));
    let mut ended = party.late();
    // SAFETY: as the caller says.
    let named = unsafe { hold_named(walk, block, arguments) };
    walk.finish(call, success, &mut ended);
    if success {
        walk.remember(call, &mut None);
    }
    if request.mode == Mode::Sync {
        // SAFETY: as the caller says.
        match unsafe { reply(party, link, request, walk, (errno, success), &ended) } {
            Ok(()) => walk.settle(success, &mut Vec::new()),
            Err(why @ Fault::Channel(_)) => return Err(why),
            Err(why) => {
                explain(party, walk, &why);
                walk.settle(false, &mut Vec::new());
                link.refuse((answer_kind(party), request.request), &ended)?;
            }
        }
    } else {
        name(party, walk, request, success);
        if !success {
            // SAFETY: as the caller says.
            party.has_failed(request.number, unsafe { result_of(call, block, arguments) });
        }
        if walk.is_open() {
            let order = keys(walk, &call.order, party.thread());
            *open = Some((walk.part(), success, order));
        }
        walk.settle(success, &mut ended);
        party.is_late(ended);
    }
    named.into_iter().for_each(|id| walk.lock().release(id));
    for (function, address) in walk.frees.drain(..) {
        party.free(function, address);
    }
    Ok(())
}

/// Calls the function, with the text of C around it. Returns its `errno`.
///
/// # Safety
///
/// The arguments were received with this walk.
unsafe fn run<P: Party>(party: &P, link: &Rc<Link>, request: &Request, walk: &mut Walk<'_>) -> Walked<Option<i32>> {
    let (call, arguments) = (request.call, walk.stage.arguments);
    for pass in &call.passes {
        if walk.holds(pass.condition.as_ref()) {
            walk.store(&pass.then, &mut None);
        }
    }
    if party.is_worker() {
        party.described().at(lapis_cx_plan::Hook::Arguments);
    }
    around(walk, call, Around { is_before: true, is_caller: false });
    // SAFETY: as the caller says.
    let errno = unsafe { party.run(link, request, walk, arguments)? };
    walk.stage.is_entry = false;
    walk.stage.errno = errno.unwrap_or(0);
    for implicit in call.implicits.iter().filter(|implicit| implicit.at_exit) {
        if let Some(value) = walk.eval(&implicit.value) {
            // SAFETY: a member of the arguments.
            unsafe { store(arguments + implicit.offset, implicit.bytes, value) };
        }
    }
    around(walk, call, Around { is_before: false, is_caller: false });
    Ok(errno)
}

/// Sends the reply of a synchronous call, with results of earlier asynchronous calls.
///
/// # Safety
///
/// The call was made with the arguments of this walk.
unsafe fn reply<P: Party>(
    party: &P,
    link: &Link,
    request: &Request,
    walk: &mut Walk<'_>,
    (errno, success): (Option<i32>, bool),
    ended: &[Ended],
) -> Walked<()> {
    let (call, arguments) = (request.call, walk.stage.arguments);
    let block = walk.stage.plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    // The library finds the `errno` of a function of the program, as it would in one process; the program one that the library changed.
    let errno = errno.filter(|errno| {
        let is_unset = call.reads_errno && *errno == 0;
        !party.is_worker() || !is_unset && *errno != link.errno.get()
    });
    let head = (answer_kind(party), request.request, errno, success);
    let order = if walk.stage.plan.has_async { keys(walk, &call.order, party.thread()) } else { Keys::new() };
    let mut news = party.news(&order, request.started.get());
    let mut write = news.as_mut().map(|news| |to: &mut Writer<'_>| put_late(party, news, to));
    let late: Late<'_> = match &mut write {
        Some(write) => Some(write),
        None => None,
    };
    if party.is_worker() {
        party.described().at(lapis_cx_plan::Hook::Reply);
    }
    // SAFETY: as the caller says.
    unsafe { link.answer(walk, head, (call, block), arguments, ended, late)? };
    if party.is_worker() {
        link.take_errno(errno);
    }
    Ok(())
}

/// Keeps the registrations that a call names in its result until the answer was sent: a scope that ends with the call may own them.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn hold_named(walk: &Walk<'_>, block: &Block, arguments: usize) -> Vec<u32> {
    let is_named = |value: &&Value| matches!(value.kind, Kind::Userdata { .. }) && value.comes && !value.goes;
    let named = block.values.iter().filter(|value| walk.is_worker() && is_named(value));
    // SAFETY: a pointer among the arguments.
    named.filter_map(|value| walk.lock().hold(unsafe { load_pointer(arguments + value.offset) })).collect()
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
pub(super) fn around(walk: &mut Walk<'_>, call: &Call, at: Around) {
    for text in &call.around {
        let (is_before, native) = text.then;
        let asks = || text.condition.as_ref().is_some_and(|code| code.ops.contains(&Op::IsWorker));
        if is_before == at.is_before
            && (!at.is_caller || asks())
            && walk.holds(text.condition.as_ref())
            && let Some(native) = walk.stage.natives.get(native as usize).copied().flatten()
        {
            let arguments = std::ptr::with_exposed_provenance_mut(walk.stage.arguments);
            // SAFETY: the function is of this call.
            unsafe { native(arguments, std::ptr::null()) };
        }
    }
}
