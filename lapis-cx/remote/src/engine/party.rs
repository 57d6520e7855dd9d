//! How a side makes calls and does those of the other side: the same for functions, which the guest calls, and callbacks,
//! which the worker calls.

use std::rc::Rc;
use std::sync::Mutex;

use super::eval::Stage;
use super::later::{self, Asked, Done, Named, Parts};
use super::link::{Answer, Late, Link, UNEXPECTED, forget};
use super::memory::{bytes_mut, load, store};
use super::order::{Key, Ticket};
use super::tables::{Ended, Tables};
use super::walk::{Fault, Scratch, Side, Walk, Walked, lock};
use super::{Described, Limits, plain, record, start};
use crate::plan::{self, Block, Call, Kind, Mode, Scalar, Store, Value, When};
use crate::{Error, Reader, Wake, Writer};

/// A guest, or a worker with one of its guests.
pub(crate) trait Party: Side {
    fn described(&self) -> &Described;
    fn tables(&self) -> &Mutex<Tables>;
    fn limits(&self) -> Limits;
    fn is_worker(&self) -> bool;

    /// Does what the other side asks for: its result is in the arguments then, and `errno` if the call has one.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of this call.
    unsafe fn run(
        &self,
        link: &Rc<Link>,
        request: &Request,
        walk: &mut Walk<'_>,
        arguments: usize,
    ) -> Walked<Option<i32>>;

    /// On the worker: calls the library's function, within these monitors.
    ///
    /// # Safety
    ///
    /// As [`run`](Party::run).
    unsafe fn call(&self, _: &Rc<Link>, _: Doing<'_>, _: usize) -> Walked<Option<i32>> {
        Err(UNEXPECTED)
    }

    /// What ended, and the other side was not told of yet.
    fn late(&self) -> Vec<Ended> {
        Vec::new()
    }

    /// Something ended in a call of which the other side wants no answer.
    fn is_late(&self, _: Vec<Ended>) {}

    /// On the guest: tickets for lanes.
    fn tickets(&self, _: &[Key]) -> Vec<Ticket> {
        Vec::new()
    }

    /// On the guest: a number for something that nobody else has.
    fn new_number(&self) -> u64 {
        0
    }

    /// On the guest: results of this call come later.
    fn expect(&self, _: u64, _: Asked) {}

    /// On the guest: they came.
    fn take_expected(&self, _: u64) -> Option<Asked> {
        None
    }

    /// On the guest: a call that nobody waited for failed, with this result.
    fn failed_late(&self, _: u32, _: i64) {}

    /// On the worker: results that the guest is to get later; and those that a call ordered by these keys brings.
    fn keep_done(&self, _: Done) {}

    fn take_done(&self, _: &[Key]) -> Vec<Done> {
        Vec::new()
    }

    /// On the worker: calls that nobody waited for failed, with these results; and those that did.
    fn has_failed(&self, _: u32, _: i64) {}

    fn take_failed(&self) -> Vec<(u32, i64)> {
        Vec::new()
    }

    /// On the worker: tickets of a call that will not be made.
    fn skip(&self, _: &[Ticket]) {}

    /// The thread, for those keys that mean it.
    fn thread(&self) -> u64 {
        0
    }
}

/// What a call is ordered by.
pub(crate) fn keys(walk: &mut Walk<'_>, all: &'static [When<Vec<plan::Key>>], thread: u64) -> Vec<Key> {
    let Some(keys) = walk.last(all) else { return vec![Key::Global] };
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        let key = match key {
            plan::Key::Global => Key::Global,
            plan::Key::Thread => Key::Thread(thread),
            plan::Key::Value(code) => Key::Value(walk.eval(code).unwrap_or(0) as u64),
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
    pub mode: Mode,
    pub call: &'static Call,
    pub tickets: Vec<Ticket>,
    /// The number of a call that nobody waits for.
    pub id: u64,
    /// Objects that the guest named: in which buffer, or the result, at which position, and how.
    pub minted: Vec<(u32, u64, u64)>,
}

/// How the worker calls a function.
pub(crate) struct Doing<'a> {
    pub number: u32,
    /// Of its name.
    pub name: u32,
    pub tickets: &'a [Ticket],
    pub monitors: Vec<Key>,
    pub is_waited_for: bool,
}

/// A call that waits for its answer.
pub(crate) struct Waiting<'w, 'a> {
    pub walk: &'w mut Walk<'a>,
    pub call: &'static Call,
    pub block: &'static Block,
    pub arguments: usize,
}

fn walk<'a>(party: &'a impl Party, scratch: &'a mut Scratch, arguments: usize) -> Walk<'a> {
    let described = party.described();
    let stage = Stage::new(described.plan, &described.natives, party.is_worker(), arguments);
    Walk::new(stage, party.tables(), as_side(party), scratch, party.limits().call)
}

fn as_side(party: &impl Party) -> &dyn Side {
    party
}

/// Makes a call, of a callback with its registration.
///
/// # Errors
///
/// It was not made. The result is still to be made up.
///
/// # Safety
///
/// The arguments are the struct of this call.
pub(crate) unsafe fn make<P: Party>(
    party: &P,
    link: &Rc<Link>,
    (number, registration): (u32, u32),
    call: &'static Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let mut scratch = link.scratch();
    // SAFETY: as the caller says.
    let made = unsafe { make_in(party, link, &mut scratch, (number, registration), call, arguments, errno) };
    link.give_back(scratch);
    made
}

/// # Safety
///
/// As [`make`].
unsafe fn make_in<P: Party>(
    party: &P,
    link: &Rc<Link>,
    scratch: &mut Scratch,
    (number, registration): (u32, u32),
    call: &'static Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut walk = walk(party, scratch, arguments);
    for implicit in call.implicits.iter().filter(|implicit| !implicit.at_exit) {
        let value = walk.eval(&implicit.value).ok_or(Fault::Refused("it is no number", implicit.value.text))?;
        // SAFETY: a member of the arguments.
        unsafe { store(arguments + implicit.offset, implicit.bytes, value) };
    }
    for required in &call.requires {
        if walk.holds(required.condition.as_ref()) && !walk.holds(Some(&required.then.0)) {
            if required.then.1.is_empty() {
                return Err(Fault::Refused("what the call requires does not hold", call.name));
            }
            required.then.1.iter().for_each(|store| walk.store(store, errno));
            return Ok(());
        }
    }
    let timing = walk.last(&call.timing);
    let mode = timing.map_or(Mode::Sync, |timing| timing.mode);
    walk.is_async = mode != Mode::Sync;
    let tickets = if party.is_worker() || !walk.stage.plan.has_async {
        Vec::new()
    } else {
        let keys = keys(&mut walk, &call.order, party.thread());
        party.tickets(&keys)
    };
    let id = if walk.is_async { party.new_number() } else { 0 };
    // SAFETY: as the caller says.
    let sent = unsafe { send(party, link, &mut walk, (number, registration, mode, id), block, arguments, &tickets) };
    let made = match sent {
        Err(why) => Err(why),
        Ok(result) if walk.is_async => {
            let returns: &[Store] = timing.map_or(&[], |timing| &timing.returns);
            returns.iter().for_each(|store| walk.store(store, errno));
            if let Some((offset, bytes, value)) = result {
                // SAFETY: the result is a member of the arguments.
                unsafe { store(arguments + offset, bytes, i128::from(value)) };
            }
            if walk.is_open() {
                walk.stage.is_entry = false;
                walk.remember(call, errno);
                let parts = walk.part();
                // SAFETY: as the caller says.
                let asked = unsafe { Asked::new(call, arguments, block.bytes, parts) };
                asked.into_iter().for_each(|asked| party.expect(id, asked));
                return Ok(());
            }
            Ok(Answer { was_made: true, success: true, errno: None, ended: Vec::new() })
        }
        Ok(_) => loop {
            let waiting = Waiting { walk: &mut walk, call, block, arguments };
            // SAFETY: as the caller says.
            match unsafe { turn(party, link, Some(waiting)) } {
                Ok(None) => {}
                Ok(Some(answer)) => break Ok(answer),
                Err(why) => break Err(why),
            }
        },
    };
    walk.stage.is_entry = false;
    let answer = match made {
        Ok(answer) => answer,
        Err(why) => {
            walk.settle(false, &mut Vec::new());
            return Err(why);
        }
    };
    if answer.errno.is_some() {
        *errno = answer.errno;
    }
    if answer.success {
        walk.remember(call, errno);
    }
    walk.settle(answer.success, &mut Vec::new());
    forget(&mut lock(party.tables()), &answer.ended);
    if answer.was_made { Ok(()) } else { Err(Fault::Refused("the other side refused the call", call.name)) }
}

/// Where a result is that the guest named: its offset, its bytes, and what the program has for it.
type NamedResult = Option<(usize, usize, u64)>;

/// Sends a call, and names the objects that it makes if nobody waits for it.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn send<P: Party>(
    party: &P,
    link: &Link,
    walk: &mut Walk<'_>,
    (number, registration, mode, id): (u32, u32, Mode, u64),
    block: &'static Block,
    arguments: usize,
    tickets: &[Ticket],
) -> Walked<NamedResult> {
    let mut sender = link.sender.borrow_mut();
    let mut to = sender.record(if party.is_worker() { record::CALLBACK } else { record::CALL });
    to.put_u32(number);
    to.put_u32(mode.word() | if tickets.is_empty() { 0 } else { HAS_TICKETS });
    if party.is_worker() {
        to.put_u32(registration);
    }
    put_tickets(&mut to, tickets);
    // SAFETY: as the caller says.
    if let Err(why) = unsafe { walk.send_entry(block, arguments, &mut to) } {
        drop(to);
        if !tickets.is_empty() {
            // Others wait for their turn behind it.
            let mut skipped = sender.record(record::SKIPPED);
            put_tickets(&mut skipped, tickets);
            skipped.commit(Wake::Later)?;
        }
        return Err(why);
    }
    let mut result = None;
    if mode != Mode::Sync && !party.is_worker() {
        // SAFETY: as above.
        let minted = unsafe { mint(party, walk, block, &mut result)? };
        to.put_u64(id);
        to.put_u32(minted.len() as u32);
        for (visit, position, id) in minted {
            to.put_u32(visit);
            to.put_u64(position);
            to.put_u64(id);
        }
    }
    to.commit(if mode == Mode::Async { Wake::Later } else { Wake::Now })?;
    Ok(result)
}

/// A flag beside the mode of a call.
const HAS_TICKETS: u32 = 1 << 8;
/// Lanes, and objects, of one call.
const MOST: u32 = 1 << 16;
/// Stands for the result, where a buffer is named by its position.
const RESULT: u32 = u32::MAX;

fn put_tickets(to: &mut Writer<'_>, tickets: &[Ticket]) {
    if tickets.is_empty() {
        return;
    }
    to.put_u32(tickets.len() as u32);
    for (lane, ticket) in tickets {
        to.put_u32(*lane);
        to.put_u64(*ticket);
    }
}

fn get_tickets(from: &mut Reader<'_>) -> Walked<Vec<Ticket>> {
    let count = from.get_u32()?;
    if count > MOST {
        return Err(UNEXPECTED);
    }
    (0..count).map(|_| Ok((from.get_u32()?, from.get_u64()?))).collect()
}

/// Names the objects that a call makes, and gives the names to the program.
///
/// # Safety
///
/// The arguments were sent.
unsafe fn mint<P: Party>(
    party: &P,
    walk: &mut Walk<'_>,
    block: &'static Block,
    result: &mut NamedResult,
) -> Walked<Vec<(u32, u64, u64)>> {
    let mut minted = Vec::new();
    for (n, visit) in (0..).zip(walk.visits.clone()) {
        let Some(handle) = visit.minted else { continue };
        for position in 0..visit.count.min(u64::from(MOST)) {
            let id = later::mint(party.new_number(), handle.bytes);
            let value = walk.stand_in(handle, id, 0)?;
            // SAFETY: an element of the program's buffer.
            unsafe { store(visit.here + position as usize * handle.bytes, handle.bytes, i128::from(value)) };
            minted.push((n, position, id));
        }
    }
    for value in &block.values {
        if let Kind::Handle(handle) = &value.kind
            && handle.is_new
            && value.comes
            && !value.goes
        {
            let id = later::mint(party.new_number(), handle.bytes);
            *result = Some((value.offset, handle.bytes, walk.stand_in(handle, id, value.name)?));
            minted.push((RESULT, 0, id));
        }
    }
    Ok(minted)
}

/// Stores the result of a call that was not made.
///
/// # Safety
///
/// The arguments are the struct of this call.
pub(crate) unsafe fn fail<P: Party>(party: &P, call: &Call, arguments: usize, errno: &mut Option<i32>) {
    let mut scratch = Scratch::default();
    let mut walk = walk(party, &mut scratch, arguments);
    walk.stage.is_entry = false;
    if let Some(stores) = walk.last(&call.fails) {
        stores.iter().for_each(|store| walk.store(store, errno));
    }
}

/// The result lies behind all else in the arguments: what nobody stores there is 0.
///
/// # Safety
///
/// The arguments are the struct of this call.
pub(crate) unsafe fn clear_result(party: &impl Party, call: &Call, arguments: usize) {
    let Some(block) = party.described().plan.blocks.get(call.arguments as usize) else { return };
    if let Some(result) = call.result.and_then(|at| block.values.get(at)) {
        let size = block.bytes.saturating_sub(result.offset);
        // SAFETY: the last member of the struct.
        unsafe { bytes_mut(arguments + result.offset, size) }.fill(0);
    }
}

/// Waits for a record. If it is the answer that is waited for, it is taken; if it asks for something, that is done.
///
/// # Errors
///
/// The channel cannot be used any more, or the answer cannot be taken.
///
/// # Safety
///
/// What waits has its arguments.
pub(crate) unsafe fn turn<P: Party>(
    party: &P,
    link: &Rc<Link>,
    waiting: Option<Waiting<'_, '_>>,
) -> Walked<Option<Answer>> {
    let mut receiver = link.receiver.borrow_mut();
    let mut from = receiver.next()?;
    let (answers, asks) =
        if party.is_worker() { (record::ANSWER, record::CALL) } else { (record::RETURN, record::CALLBACK) };
    match waiting {
        Some(Waiting { walk, call, block, arguments }) if from.kind() == answers => {
            // SAFETY: as the caller says.
            return match unsafe {
                Link::take_answer(walk, (call, block), arguments, from, |from| take_late(party, from))
            } {
                // It was given up; what follows says why.
                Err(Fault::Channel(Error::Cut)) => Ok(None),
                answer => answer.map(Some),
            };
        }
        _ if from.kind() == record::SKIPPED && party.is_worker() => {
            party.skip(&get_tickets(&mut from)?);
            return Ok(None);
        }
        _ if from.kind() != asks => return Err(UNEXPECTED),
        _ => {}
    }
    let (number, flags) = (from.get_u32()?, from.get_u32()?);
    let mode = Mode::of(flags & !HAS_TICKETS).ok_or(UNEXPECTED)?;
    let registration = if party.is_worker() { 0 } else { from.get_u32()? };
    let tickets = if flags & HAS_TICKETS != 0 { get_tickets(&mut from)? } else { Vec::new() };
    let plan = party.described().plan;
    let call = if party.is_worker() {
        plan.functions.get(number as usize).and_then(Option::as_ref)
    } else {
        plan.callbacks.get(number as usize)
    };
    let call = call.ok_or(UNEXPECTED)?;
    let block = plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    if let Some(plain) = &call.plain
        && party.is_worker()
        && mode == Mode::Sync
        && tickets.is_empty()
        && let Some(keys) = plain::keys(call, party.thread())
    {
        let mut scratch = link.scratch();
        let memory = scratch.arena.allocate(block.bytes, usize::MAX).unwrap_or(0);
        // SAFETY: it was allocated just now.
        unsafe { plain::receive(plain, memory, block.bytes, &mut from)? };
        drop(from);
        drop(receiver);
        // SAFETY: the arguments were received.
        let done = unsafe { plain::perform(party, link, (number, call.name), plain, keys, memory) };
        link.give_back(scratch);
        return done.map(|()| None);
    }
    let mut scratch = link.scratch();
    let mut request = Request { number, registration, mode, call, tickets, id: 0, minted: Vec::new() };
    let mut open = None;
    let memory = scratch.arena.allocate(block.bytes, usize::MAX).unwrap_or(0);
    let done = {
        let mut walk = walk(party, &mut scratch, memory);
        (walk.registration, walk.is_async) = (registration, mode != Mode::Sync);
        // SAFETY: it was allocated just now.
        unsafe { bytes_mut(memory, block.bytes) }.fill(0);
        // SAFETY: as above.
        let received = unsafe { walk.receive_entry(block, memory, true, &mut from) };
        let received = received.and_then(|()| {
            if mode != Mode::Sync && party.is_worker() {
                get_minted(&mut request, &mut from)?;
            }
            Ok(())
        });
        // What is done may need the channel.
        drop(from);
        drop(receiver);
        match received {
            // SAFETY: the arguments were received.
            Ok(()) => unsafe { perform(party, link, &request, &mut walk, block, memory, &mut open) },
            // The guest found while it sent the call that it cannot be made.
            Err(Fault::Channel(Error::Cut)) => {
                walk.settle(false, &mut Vec::new());
                Ok(())
            }
            Err(why @ Fault::Channel(_)) => Err(why),
            Err(why) => {
                start::explain(party.described(), call.name, &why);
                party.skip(&request.tickets);
                refuse(party, link, &request, &mut walk)
            }
        }
    };
    match open {
        Some((parts, success, keys)) => {
            let id = request.id;
            party.keep_done(Done { id, call, arguments: memory, scratch, parts, success, keys });
        }
        None => link.give_back(scratch),
    }
    done.map(|()| None)
}

fn get_minted(request: &mut Request, from: &mut Reader<'_>) -> Walked<()> {
    request.id = from.get_u64()?;
    let count = from.get_u32()?;
    if count > MOST {
        return Err(UNEXPECTED);
    }
    for _ in 0..count {
        request.minted.push((from.get_u32()?, from.get_u64()?, from.get_u64()?));
    }
    Ok(())
}

/// Writes results of calls that nobody waited for: those that failed, and those that are there now.
fn put_late<P: Party>(party: &P, failed: &[(u32, i64)], done: &mut [Done], to: &mut Writer<'_>) -> Walked<()> {
    to.put_u32(failed.len() as u32);
    for (function, result) in failed {
        to.put_u32(*function);
        to.put_u64(result.cast_unsigned());
    }
    to.put_u32(done.len() as u32);
    for one in done {
        to.put_u64(one.id);
        to.put_u8(u8::from(one.success));
        let Some(block) = party.described().plan.blocks.get(one.call.arguments as usize) else {
            return Err(UNEXPECTED);
        };
        let parts = std::mem::take(&mut one.parts);
        let mut walk = walk(party, &mut one.scratch, one.arguments);
        walk.resume(parts);
        // SAFETY: the memory of the call was kept.
        let sent = unsafe { walk.send_exit(block, one.arguments, one.success, one.call.result, to) };
        walk.settle(one.success && sent.is_ok(), &mut Vec::new());
        sent?;
    }
    Ok(())
}

/// Takes them.
fn take_late<P: Party>(party: &P, from: &mut Reader<'_>) -> Walked<()> {
    for _ in 0..from.get_u32()? {
        let (function, result) = (from.get_u32()?, from.get_u64()?);
        party.failed_late(function, result.cast_signed());
    }
    for _ in 0..from.get_u32()? {
        let (id, success) = (from.get_u64()?, from.get_u8()? != 0);
        let Asked { call, arguments, parts } = party.take_expected(id).ok_or(UNEXPECTED)?;
        let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
        let mut scratch = Scratch::default();
        let mut walk = walk(party, &mut scratch, arguments.address());
        walk.resume(parts);
        // SAFETY: the arguments were kept; what they point at is lent until now.
        let taken = unsafe { walk.receive_exit(block, arguments.address(), success, call.result, from) };
        walk.settle(success && taken.is_ok(), &mut Vec::new());
        taken?;
    }
    Ok(())
}

/// What was asked for is not done.
fn refuse<P: Party>(party: &P, link: &Link, request: &Request, walk: &mut Walk<'_>) -> Walked<()> {
    let mut ended = party.late();
    walk.settle(false, &mut ended);
    if request.mode == Mode::Sync {
        return link.refuse(answer_kind(party), &ended);
    }
    party.is_late(ended);
    party.has_failed(request.number, 0);
    name(party, walk, request, false);
    if party.is_worker() && walk.is_open() {
        walk.part();
    }
    Ok(())
}

/// Objects that the guest named have a meaning now, or none.
fn name<P: Party>(party: &P, walk: &mut Walk<'_>, request: &Request, success: bool) {
    let Some(names) = party.names() else { return };
    let result = walk.stage.plan.blocks.get(request.call.arguments as usize).and_then(|block| {
        block.values.iter().find(|value| value.comes && !value.goes && matches!(value.kind, Kind::Handle(_)))
    });
    for (visit, position, id) in &request.minted {
        let place = if *visit == RESULT {
            result.and_then(|value| match &value.kind {
                Kind::Handle(handle) => Some((handle, walk.stage.arguments + value.offset)),
                _ => None,
            })
        } else {
            let visit = walk.visits.get(*visit as usize).filter(|visit| *position < visit.count);
            visit.and_then(|visit| Some((visit.minted?, visit.here + *position as usize * visit.minted?.bytes)))
        };
        let Some((handle, address)) = place else { continue };
        let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
        // SAFETY: an element of a buffer of this call, or its result.
        let value = unsafe { load(address, scalar) } as u64;
        let named = if success && value != 0 {
            walk.lock().name(handle.of, *id, value);
            Named::Made(value)
        } else {
            Named::Failed
        };
        names.name(handle.of, *id, later::number_of(*id, handle.bytes), named);
    }
}

fn answer_kind(party: &impl Party) -> u32 {
    if party.is_worker() { record::RETURN } else { record::ANSWER }
}

/// Does what was asked for, and answers.
///
/// # Safety
///
/// The arguments were received.
unsafe fn perform<'a, P: Party>(
    party: &P,
    link: &Rc<Link>,
    request: &Request,
    walk: &mut Walk<'a>,
    block: &'static Block,
    arguments: usize,
    open: &mut Option<(Parts, bool, Vec<Key>)>,
) -> Walked<()> {
    let call = request.call;
    for required in &call.requires {
        if walk.holds(required.condition.as_ref()) && !walk.holds(Some(&required.then.0)) {
            party.skip(&request.tickets);
            return refuse(party, link, request, walk);
        }
    }
    let mut no_errno = None;
    for pass in &call.passes {
        if walk.holds(pass.condition.as_ref()) {
            walk.store(&pass.then, &mut no_errno);
        }
    }
    around(walk, call, true);
    // SAFETY: as the caller says.
    let errno = match unsafe { party.run(link, request, walk, arguments) } {
        Ok(errno) => errno,
        Err(why @ Fault::Channel(_)) => return Err(why),
        Err(why) => {
            start::explain(party.described(), call.name, &why);
            return refuse(party, link, request, walk);
        }
    };
    walk.stage.is_entry = false;
    walk.stage.errno = errno.unwrap_or(0);
    for implicit in call.implicits.iter().filter(|implicit| implicit.at_exit) {
        if let Some(value) = walk.eval(&implicit.value) {
            // SAFETY: a member of the arguments.
            unsafe { store(arguments + implicit.offset, implicit.bytes, value) };
        }
    }
    around(walk, call, false);
    let success = walk.last(&call.success).is_none_or(|code| walk.holds(Some(code)));
    let mut ended = party.late();
    walk.finish(call, success, &mut ended);
    if success {
        walk.remember(call, &mut no_errno);
    }
    let answered = if request.mode == Mode::Sync {
        let sends_errno = walk.last(&call.errno).copied().unwrap_or(false);
        let head = (answer_kind(party), errno.filter(|_| sends_errno), success);
        let order = if walk.stage.plan.has_async { keys(walk, &call.order, party.thread()) } else { Vec::new() };
        let (failed, mut done) = (party.take_failed(), party.take_done(&order));
        let has_late = !(failed.is_empty() && done.is_empty());
        let mut write = |to: &mut Writer<'_>| put_late(party, &failed, &mut done, to);
        let late: Late<'_> = if has_late { Some(&mut write) } else { None };
        // SAFETY: as the caller says.
        unsafe { link.answer(walk, head, (call, block), arguments, &ended, late) }
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
        party.is_late(std::mem::take(&mut ended));
        Ok(())
    };
    match answered {
        Ok(()) if request.mode == Mode::Sync => walk.settle(success, &mut Vec::new()),
        Ok(()) => {
            let mut ended = Vec::new();
            walk.settle(success, &mut ended);
            party.is_late(ended);
        }
        Err(why @ Fault::Channel(_)) => return Err(why),
        Err(why) => {
            start::explain(party.described(), call.name, &why);
            walk.settle(false, &mut Vec::new());
            link.refuse(answer_kind(party), &ended)?;
        }
    }
    for (function, address) in std::mem::take(&mut walk.frees) {
        party.free(function, address);
    }
    Ok(())
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

/// Runs text of C before or after the call.
fn around(walk: &mut Walk<'_>, call: &Call, before: bool) {
    for text in &call.around {
        let (is_before, native) = text.then;
        if is_before == before
            && walk.holds(text.condition.as_ref())
            && let Some(native) = walk.stage.natives.get(native as usize).copied().flatten()
        {
            let arguments = std::ptr::with_exposed_provenance_mut(walk.stage.arguments);
            // SAFETY: the function is of this call.
            unsafe { native(arguments, std::ptr::null()) };
        }
    }
}
