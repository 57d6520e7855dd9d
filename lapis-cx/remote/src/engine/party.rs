//! How a side makes calls and does those of the other side: the same for functions, which the guest calls, and callbacks,
//! which the worker calls.

use std::rc::Rc;
use std::sync::Mutex;

use super::eval::Stage;
use super::link::{Answer, Link, UNEXPECTED, forget};
use super::memory::{Arena, bytes_mut, store};
use super::tables::{Ended, Tables};
use super::walk::{Fault, Side, Walk, Walked, lock};
use super::{Described, Limits, record, start};
use crate::plan::{Block, Call, Mode, Store};
use crate::{Error, Wake};

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
        request: &Request<'_>,
        walk: &mut Walk<'_>,
        arguments: usize,
    ) -> Walked<Option<i32>>;

    /// What ended, and the other side was not told of yet.
    fn late(&self) -> Vec<Ended> {
        Vec::new()
    }

    /// Something ended in a call of which the other side wants no answer.
    fn is_late(&self, _: Vec<Ended>) {}
}

/// What the other side asks for.
pub(crate) struct Request<'a> {
    /// A function or callback.
    pub number: u32,
    pub registration: u32,
    pub mode: Mode,
    pub call: &'a Call,
}

/// A call that waits for its answer.
pub(crate) struct Waiting<'w, 'a> {
    pub walk: &'w mut Walk<'a>,
    pub call: &'a Call,
    pub block: &'a Block,
    pub arguments: usize,
}

fn walk<'a>(party: &'a impl Party, arena: &'a mut Arena, arguments: usize) -> Walk<'a> {
    let described = party.described();
    let mut stage = Stage::new(&described.plan, &described.natives, party.is_worker());
    stage.begin(arguments);
    Walk::new(stage, party.tables(), as_side(party), arena, party.limits().call)
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
    call: &Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let mut arena = link.arena();
    // SAFETY: as the caller says.
    let made = unsafe { make_in(party, link, &mut arena, (number, registration), call, arguments, errno) };
    link.give_back(arena);
    made
}

/// # Safety
///
/// As [`make`].
unsafe fn make_in<P: Party>(
    party: &P,
    link: &Rc<Link>,
    arena: &mut Arena,
    (number, registration): (u32, u32),
    call: &Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut walk = walk(party, arena, arguments);
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
    let made = (|| {
        {
            let mut sender = link.sender.borrow_mut();
            let mut to = sender.record(if party.is_worker() { record::CALLBACK } else { record::CALL });
            to.put_u32(number);
            to.put_u32(mode.word());
            if party.is_worker() {
                to.put_u32(registration);
            }
            // SAFETY: as the caller says.
            unsafe { walk.send_entry(block, arguments, &mut to)? };
            to.commit(if mode == Mode::Async { Wake::Later } else { Wake::Now })?;
        }
        if mode != Mode::Sync {
            let returns: &[Store] = timing.map_or(&[], |timing| &timing.returns);
            returns.iter().for_each(|store| walk.store(store, errno));
            return Ok(Answer { was_made: true, success: true, errno: None, ended: Vec::new() });
        }
        loop {
            let waiting = Waiting { walk: &mut walk, call, block, arguments };
            // SAFETY: as the caller says.
            if let Some(answer) = unsafe { turn(party, link, Some(waiting))? } {
                return Ok(answer);
            }
        }
    })();
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

/// Stores the result of a call that was not made.
///
/// # Safety
///
/// The arguments are the struct of this call.
pub(crate) unsafe fn fail<P: Party>(party: &P, call: &Call, arguments: usize, errno: &mut Option<i32>) {
    let mut arena = Arena::default();
    let mut walk = walk(party, &mut arena, arguments);
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
            return match unsafe { Link::take_answer(walk, (call, block), arguments, from) } {
                // It was given up; what follows says why.
                Err(Fault::Channel(Error::Cut)) => Ok(None),
                answer => answer.map(Some),
            };
        }
        _ if from.kind() != asks => return Err(UNEXPECTED),
        _ => {}
    }
    let number = from.get_u32()?;
    let mode = Mode::of(from.get_u32()?).ok_or(UNEXPECTED)?;
    let registration = if party.is_worker() { 0 } else { from.get_u32()? };
    let plan = &party.described().plan;
    let call = if party.is_worker() {
        plan.functions.get(number as usize).and_then(Option::as_ref)
    } else {
        plan.callbacks.get(number as usize)
    };
    let call = call.ok_or(UNEXPECTED)?;
    let block = plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut arena = link.arena();
    let request = Request { number, registration, mode, call };
    let done = {
        let memory = arena.allocate(block.bytes, usize::MAX).unwrap_or(0);
        let mut walk = walk(party, &mut arena, memory);
        walk.registration = registration;
        // SAFETY: it was allocated just now.
        unsafe { bytes_mut(memory, block.bytes) }.fill(0);
        // SAFETY: as above.
        let received = unsafe { walk.receive_entry(block, memory, true, &mut from) };
        // What is done may need the channel.
        drop(from);
        drop(receiver);
        match received {
            // SAFETY: the arguments were received.
            Ok(()) => unsafe { perform(party, link, &request, &mut walk, block, memory) },
            Err(why @ Fault::Channel(_)) => Err(why),
            Err(why) => {
                start::explain(party.described(), call.name, &why);
                walk.settle(false, &mut Vec::new());
                refuse(party, link, mode)
            }
        }
    };
    link.give_back(arena);
    done.map(|()| None)
}

fn refuse<P: Party>(party: &P, link: &Link, mode: Mode) -> Walked<()> {
    if mode == Mode::Sync { link.refuse(answer_kind(party), &party.late()) } else { Ok(()) }
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
    request: &Request<'a>,
    walk: &mut Walk<'a>,
    block: &'a Block,
    arguments: usize,
) -> Walked<()> {
    let call = request.call;
    for required in &call.requires {
        if walk.holds(required.condition.as_ref()) && !walk.holds(Some(&required.then.0)) {
            walk.settle(false, &mut Vec::new());
            return refuse(party, link, request.mode);
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
            walk.settle(false, &mut Vec::new());
            return refuse(party, link, request.mode);
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
    let sends_errno = walk.last(&call.errno).copied().unwrap_or(false);
    let answered = if request.mode == Mode::Sync {
        let head = (answer_kind(party), errno.filter(|_| sends_errno), success);
        // SAFETY: as the caller says.
        unsafe { link.answer(walk, head, (call, block), arguments, &ended) }
    } else {
        party.is_late(std::mem::take(&mut ended));
        Ok(())
    };
    match answered {
        Ok(()) => walk.settle(success, &mut Vec::new()),
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
