//! Makes calls: what the caller does.

use std::rc::Rc;

use super::later::Asked;
use super::link::{Answer, Link, UNEXPECTED};
use super::links;
use super::order::{Taken, Ticket, put_tickets};
use super::party::{Minted, Party, Waiting, keys, note_refusal, walk};
use super::serve::{Around, around, turn};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::access::{bytes_mut, store};
use crate::marshal::names::mint as mint_id;
use crate::marshal::{Fault, Scratch, Walk, Walked, lock};
use crate::plan::{Block, Call, Kind, Mode, Store};
use crate::protocol::{Ended, HAS_TICKETS, ID_SHIFT, MOST, NESTED, RESULT, record};
use crate::{Error, Wake, Writer};

/// What is called.
#[derive(Clone, Copy, Default)]
pub(crate) struct Called {
    /// The function or callback.
    pub number: u32,
    /// Of a callback.
    pub registration: u32,
    /// Of a callback with userdata, the trampoline that the library called.
    pub slot: u32,
    /// Of a callback, what the library left in `errno`.
    pub errno: i32,
}

/// Makes a call.
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
    of: Called,
    call: &'static Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let mut scratch = link.scratch();
    // SAFETY: as the caller says.
    let made = unsafe { make_in(party, link, &mut scratch, of, call, arguments, errno) };
    if party.is_worker() {
        link.hold(&mut scratch.in_use);
    }
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
    of: Called,
    call: &'static Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut walk = walk(party, scratch, block, arguments);
    walk.call = call.name;
    // SAFETY: as the caller says.
    if unsafe { is_made_up(&mut walk, call, arguments, errno)? } {
        return Ok(());
    }
    around(&mut walk, call, Around { is_before: true, is_caller: true });
    let timing = walk.last(&call.timing);
    // An observer compares results, so every call is synchronous for it.
    let mode = timing.filter(|_| party.observer().is_none()).map_or(Mode::Sync, |timing| timing.mode);
    walk.is_async = mode != Mode::Sync;
    // Before there are tickets, for whose turn others would wait.
    link.sender()?;
    let waits = match (walk.is_async, party.is_worker()) {
        (true, _) => None,
        (false, true) => Some(link.wait_for_callback()?),
        (false, false) => Some(link.wait()?),
    };
    let tickets = if party.is_worker() || !walk.stage.plan.has_async {
        Taken::new()
    } else {
        let keys = keys(&mut walk, &call.order, party.thread());
        party.tickets(&keys, walk.is_async)
    };
    let request = waits.as_ref().map_or(0, |waits| waits.id);
    link.add_members(&mut walk);
    let head = Head { of, mode, request, within: party.within(link) };
    // SAFETY: as the caller says.
    let sent = unsafe { send(party, link, &mut walk, head, call, arguments, &tickets) };
    let _with_members = waits.as_ref().map(|_| link.with_members(&walk));
    let made = match sent {
        Err(why) => {
            note_refusal(party, &walk, &why);
            Err(why)
        }
        Ok(result) if walk.is_async => {
            let returns: &[Store] = timing.map_or(&[], |timing| &timing.returns);
            returns.iter().for_each(|store| walk.store(store, errno));
            if let Some((offset, bytes, value)) = result {
                // SAFETY: the result is a member of the arguments.
                unsafe { store(arguments + offset, bytes, i128::from(value)) };
            }
            walk.stage.is_entry = false;
            walk.is_sent = true;
            walk.remember(call, errno);
            Ok(Answer { was_made: true, success: true, errno: None, ended: Vec::new() })
        }
        // SAFETY: as the caller says.
        Ok(_) => unsafe { wait_for_answer(party, link, request, &mut walk, (call, block)) },
    };
    // SAFETY: as the caller says.
    unsafe { end(party, link, &mut walk, (call, block), made, errno) }
}

/// Waits for the reply to a request, and serves the requests of the other side meanwhile.
///
/// # Safety
///
/// The request was sent with this walk.
unsafe fn wait_for_answer<P: Party>(
    party: &P,
    link: &Rc<Link>,
    request: u32,
    walk: &mut Walk<'_>,
    (call, block): (&'static Call, &'static Block),
) -> Walked<Answer> {
    if let Some(observer) = party.observer() {
        // The real library may call functions of the program.
        let _lent = link.lend();
        // SAFETY: the walk is over these arguments, which were sent.
        unsafe { observer.sent(link, walk, call, block) };
        if let Some(answer) = observer.early() {
            return Ok(answer);
        }
    }
    loop {
        let arguments = walk.stage.arguments;
        // SAFETY: as the caller says.
        if let Some(answer) = unsafe { turn(party, link, request, Waiting { walk, call, block, arguments })? } {
            return Ok(answer);
        }
    }
}

/// Takes over what a call changed on the other side.
///
/// # Safety
///
/// The request was sent with this walk, and its reply taken if there is one.
unsafe fn end<P: Party>(
    party: &P,
    link: &Link,
    walk: &mut Walk<'_>,
    (call, block): (&'static Call, &'static Block),
    made: Walked<Answer>,
    errno: &mut Option<i32>,
) -> Walked<()> {
    walk.stage.is_entry = false;
    let is_refused = made.as_ref().map_or(true, |answer| !answer.was_made);
    if is_refused {
        walk.take_back_members();
    }
    let is_waited_for = !walk.is_async || made.is_err();
    link.settle_files(walk, is_waited_for, is_refused);
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
    if let Some(observer) = party.observer().filter(|_| answer.was_made) {
        // SAFETY: as the caller says.
        unsafe { observer.compare(walk, call, block, answer.success) };
    }
    // The files of this call end before the tables forget that the other side has them.
    for one in answer.ended.iter().filter(|one| matches!(one, Ended::File(..))) {
        lock(party.tables()).end(*one, &mut Vec::new());
    }
    if party.is_worker() {
        party.is_late(walk.end_given(call, answer.was_made && answer.success, &answer.ended));
    }
    walk.settle(answer.success, &mut Vec::new());
    if !party.is_worker() {
        lock(party.tables()).forget(&answer.ended);
    }
    if answer.was_made { Ok(()) } else { Err(Fault::Refused("the other side refused the call", call.name)) }
}

/// What is known of a call before it is sent: arguments that are computed, and whether it is made at all. If what it requires does not
/// hold, its result is made up.
///
/// # Safety
///
/// The walk is over the arguments of this call.
unsafe fn is_made_up(walk: &mut Walk<'_>, call: &Call, arguments: usize, errno: &mut Option<i32>) -> Walked<bool> {
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
            return Ok(true);
        }
    }
    Ok(false)
}

/// A call without anybody who could do it: nobody is needed for one that is not made.
///
/// # Errors
///
/// It would have been made.
///
/// # Safety
///
/// As [`make`].
pub(crate) unsafe fn make_alone<P: Party>(
    party: &P,
    call: &Call,
    arguments: usize,
    errno: &mut Option<i32>,
) -> Walked<()> {
    let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    // SAFETY: as the caller says.
    unsafe { clear_result(party, call, arguments) };
    let mut scratch = Scratch::default();
    let mut walk = walk(party, &mut scratch, block, arguments);
    // SAFETY: as above.
    if unsafe { is_made_up(&mut walk, call, arguments, errno)? } { Ok(()) } else { Err(Fault::Channel(Error::Died)) }
}

/// Where a result is that the guest named: its offset, its bytes, and what the program has for it.
type NamedResult = Option<(usize, usize, u64)>;

/// What the record of a request begins with.
#[derive(Clone, Copy)]
struct Head {
    of: Called,
    mode: Mode,
    /// The id of the request; 0 if it is asynchronous.
    request: u32,
    /// The call during which a callback is made.
    within: u32,
}

/// Sends a call, and names the objects that it makes if it is asynchronous. If it cannot be sent, its tickets are given back.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn send<P: Party>(
    party: &P,
    link: &Link,
    walk: &mut Walk<'_>,
    head: Head,
    call: &'static Call,
    arguments: usize,
    tickets: &[Ticket],
) -> Walked<NamedResult> {
    let mut sender = link.sender()?;
    let mode = head.mode;
    let mut to = sender.record(if party.is_worker() { record::CALLBACK } else { record::CALL });
    // SAFETY: as the caller says.
    let prepared = unsafe { prepare(party, walk, head, call, arguments, (tickets, &mut to)) };
    let Prepared { names, result, expected } = match prepared {
        Ok(prepared) => prepared,
        Err(why) => {
            drop(to);
            if mode != Mode::Sync && !tickets.is_empty() {
                // Others wait for their turn behind it.
                let mut skipped = sender.record(record::SKIPPED);
                put_tickets(&mut skipped, tickets);
                skipped.commit(Wake::Later)?;
            }
            return Err(why);
        }
    };
    party.described().at(lapis_cx_plan::Hook::Send);
    let wake = if mode == Mode::Async { Wake::Later } else { Wake::Now };
    let sent = to.commit(wake).and_then(|()| {
        let Some(names) = names else { return Ok(()) };
        let mut named = sender.record(record::NAMED);
        next_field(FieldKind::Length);
        named.put_u32(names.len() as u32);
        for Minted { of, visit, position, id } in names {
            named.put_u32(of);
            next_field(FieldKind::Region);
            named.put_u32(visit);
            next_field(FieldKind::Offset);
            named.put_u64(position);
            next_field(FieldKind::Handle);
            named.put_u64(id);
        }
        named.commit(wake)
    });
    if let (Some(id), Err(_)) = (expected, &sent) {
        party.take_expected(id);
    }
    Ok(sent.map(|()| result)?)
}

/// A request whose record was written.
struct Prepared {
    /// The objects that it makes, if the guest names them.
    names: Option<Vec<Minted>>,
    result: NamedResult,
    /// Its number, if results of it come later.
    expected: Option<u64>,
}

/// Writes the record of a request.
///
/// # Safety
///
/// As [`send`].
unsafe fn prepare<P: Party>(
    party: &P,
    walk: &mut Walk<'_>,
    head: Head,
    call: &'static Call,
    arguments: usize,
    (tickets, to): (&[Ticket], &mut Writer<'_>),
) -> Walked<Prepared> {
    let block = walk.stage.plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let is_async = head.mode != Mode::Sync;
    to.put_u32(head.of.number);
    next_field(FieldKind::Flags);
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let more = flag(!tickets.is_empty(), HAS_TICKETS) | flag(links::is_in_callback(), NESTED);
    to.put_u32(head.mode.word() | more | head.request << ID_SHIFT);
    if party.is_worker() {
        to.put_u32(head.within);
        next_field(FieldKind::Handle);
        to.put_u32(head.of.registration);
        next_field(FieldKind::Handle);
        to.put_u32(head.of.slot);
        to.put_u32(head.of.errno.cast_unsigned());
    }
    put_tickets(to, tickets);
    let has_number = is_async && !party.is_worker() && !call.is_numbers;
    let id = if has_number { party.new_call() } else { 0 };
    if has_number {
        to.put_u64(id);
    }
    let mut result = None;
    // SAFETY: as the caller says.
    unsafe {
        walk.send_entry(block, arguments, to)?;
        walk.send_members(to)?;
    }
    let names = if walk.is_async && call.makes_objects && !party.is_worker() {
        // SAFETY: as above.
        Some(unsafe { mint(party, walk, block, &mut result)? })
    } else {
        None
    };
    if walk.is_async {
        walk.leave_descriptors();
        if !party.is_worker() {
            walk.forget_ending();
        }
    }
    let mut expected = None;
    if is_async && walk.is_open() {
        // Results may come, to another thread, as soon as the record was sent.
        let parts = walk.part();
        // SAFETY: as the caller says.
        let asked = unsafe { Asked::new(call, arguments, block.bytes, parts) };
        let mut asked = asked.ok_or(Fault::Refused("there is no memory for it", call.name))?;
        asked.in_use = std::mem::take(walk.in_use);
        party.expect(id, asked);
        expected = Some(id);
    }
    Ok(Prepared { names, result, expected })
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
) -> Walked<Vec<Minted>> {
    let mut minted = Vec::new();
    for (n, visit) in (0..).zip(walk.visits.to_vec()) {
        let Some(handle) = visit.minted else { continue };
        for position in 0..visit.count.min(u64::from(MOST)) {
            let id = mint_id(party.new_name(), handle.bytes);
            let value = walk.stand_in(handle, id, 0)?;
            // SAFETY: an element of the program's buffer.
            unsafe { store(visit.here + position as usize * handle.bytes, handle.bytes, i128::from(value)) };
            minted.push(Minted { of: handle.of, visit: n, position, id });
        }
    }
    for value in &block.values {
        if let Kind::Handle(handle) = &value.kind
            && handle.is_new
            && value.comes
            && !value.goes
        {
            let id = mint_id(party.new_name(), handle.bytes);
            *result = Some((value.offset, handle.bytes, walk.stand_in(handle, id, value.name)?));
            minted.push(Minted { of: handle.of, visit: RESULT, position: 0, id });
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
    let Some(block) = party.described().plan.blocks.get(call.arguments as usize) else { return };
    // SAFETY: as the caller says.
    unsafe { clear_result(party, call, arguments) };
    let mut scratch = Scratch::default();
    let mut walk = walk(party, &mut scratch, block, arguments);
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
