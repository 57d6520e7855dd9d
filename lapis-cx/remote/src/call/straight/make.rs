//! The caller's side: what is sent, and what comes back.

use std::cell::RefMut;
use std::rc::Rc;

use smallvec::SmallVec;

use super::super::late_replies::take_late;
use super::super::link::Link;
use super::super::links;
use super::super::party::Party;
use super::super::serve::turn_at;
use super::in_place::{InPlace, Place};
use super::{alignment, ends, get, put};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::access::{bytes, bytes_mut, load_pointer};
use crate::marshal::names::{is_minted, number_of};
use crate::marshal::{Fault, NO_OBJECT, Walked, lock};
use crate::plan::{Mode, Straight};
use crate::protocol::{HAS_TICKETS, ID_SHIFT, IN_PLACE, NESTED, STRAIGHT, answer, errno_of_reply, get_ended, record};
use crate::{Reader, Receiver, Wake};

/// How a call was made.
pub(crate) enum Made {
    /// Its `errno`, if it has one.
    Done(Option<i32>),
    /// It was not: a walk must make it.
    NeedsWalk,
}

/// What a call sends beside numbers: identifiers of objects, and where buffers are.
#[derive(Default)]
struct Prepared {
    objects: SmallVec<[u64; 4]>,
    /// Of buffers.
    places: SmallVec<[Place; 4]>,
}

/// Makes such a call.
///
/// # Errors
///
/// It was not made.
///
/// # Safety
///
/// The arguments are the struct of this call.
pub(crate) unsafe fn make<P: Party>(
    party: &P,
    link: &Rc<Link>,
    (number, name): (u32, u32),
    straight: &Straight,
    arguments: usize,
) -> Walked<Made> {
    let prepared;
    let (objects, places): (&[u64], &[Place]) = if straight.is_numbers() {
        (&[], &[])
    } else {
        // SAFETY: as the caller says.
        prepared = match unsafe { prepare(party, straight, arguments)? } {
            Some(prepared) => prepared,
            None => return Ok(Made::NeedsWalk),
        };
        (&prepared.objects, &prepared.places)
    };
    let is_waited_for = straight.mode == Mode::Sync;
    let waits = if is_waited_for { Some(link.wait()?) } else { None };
    let id = waits.as_ref().map_or(0, |waits| waits.id);
    let mut sender = link.sender()?;
    let ticket = if straight.order.is_global { party.ticket(!is_waited_for) } else { None };
    let mut to = sender.record(record::CALL);
    // Of a call that nobody waits for it is not known when they are free again.
    let in_place = if is_waited_for { link.rooms.places(places) } else { None };
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let more = flag(ticket.is_some(), HAS_TICKETS) | flag(in_place.is_some(), IN_PLACE);
    let more = more | flag(links::is_in_callback(), NESTED);
    let flags = straight.mode.word() | STRAIGHT | more | id << ID_SHIFT;
    to.put_u64(u64::from(number) | u64::from(flags) << 32);
    if let Some((_, ticket)) = ticket {
        to.put_u64(ticket);
    }
    for (offset, size) in &straight.goes {
        // SAFETY: members of the arguments.
        unsafe { put(&mut to, arguments + offset, *size) };
    }
    for object in objects {
        next_field(FieldKind::Handle);
        to.put_u64(*object);
    }
    if !places.is_empty() {
        next_field(FieldKind::Flags);
        to.put_u64((0..).zip(places).fold(0, |word, (n, (here, _))| word | alignment(*here) << (4 * n)));
        if let Some(in_place) = &in_place {
            // What the library does not write of them comes back as it was.
            // SAFETY: found just now.
            unsafe { in_place.send(&mut to, places) };
        } else {
            for (buffer, (here, size)) in straight.buffers.iter().zip(places) {
                if *here != 0 && buffer.goes(*size) {
                    // SAFETY: the program's own. If it changes it meanwhile, so it would natively.
                    to.put(unsafe { bytes(*here, *size) });
                }
            }
        }
    }
    party.described().at(lapis_cx_plan::Hook::Send);
    to.commit(if is_waited_for { Wake::Now } else { Wake::Later })?;
    drop(sender);
    if !is_waited_for {
        return Ok(Made::Done(None));
    }
    // SAFETY: as the caller says.
    unsafe { wait(party, link, (name, id), straight, (places, in_place), arguments, None) }.map(Made::Done)
}

/// Waits for what comes back of a call: `errno`, if it did. Meanwhile it does what the library calls. A receiver that is given stands
/// at the first record.
///
/// # Errors
///
/// It was not made.
///
/// # Safety
///
/// As [`make`]; the buffers are at their places.
pub(super) unsafe fn wait<P: Party>(
    party: &P,
    link: &Rc<Link>,
    (name, id): (u32, u32),
    straight: &Straight,
    (places, in_place): (&[Place], Option<InPlace<'_>>),
    arguments: usize,
    stands: Option<RefMut<'_, Receiver>>,
) -> Walked<Option<i32>> {
    let mut first = match stands {
        Some(mut receiver) => link.is_for(id, false, &mut receiver)?.then_some(receiver),
        None => None,
    };
    loop {
        let mut receiver = match first.take() {
            Some(receiver) => receiver,
            None => link.next_for(id, false)?,
        };
        let mut from = receiver.again();
        if from.kind() == record::RETURN {
            link.files_are_settled(party);
            // SAFETY: as the caller says.
            let errno = unsafe { take(party, name, straight, (places, in_place), arguments, &mut from)? };
            return Ok(Some(link.take_errno(errno)));
        }
        // The library calls back.
        from.keep();
        // SAFETY: nothing waits that it could take.
        unsafe { turn_at(party, link, receiver, None)? };
    }
}

/// Finds what a call sends; none if a walk must.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn prepare<P: Party>(party: &P, straight: &Straight, arguments: usize) -> Walked<Option<Prepared>> {
    let mut prepared = Prepared::default();
    let tables = lock(party.tables());
    for object in &straight.objects {
        // SAFETY: a member of the arguments.
        let bits = unsafe { object.bits(arguments) };
        let has_memory = party.described().plan.handles.get(object.of as usize).is_some_and(|handle| handle.has_memory);
        let id = match bits {
            0 if object.is_optional => 0,
            0 => return Err(Fault::Refused("it is null", object.name)),
            _ if has_memory => tables.known_id(object.of, bits).unwrap_or(NO_OBJECT),
            _ => bits,
        };
        let is_none = is_minted(id, object.bytes) && !party.has_named(number_of(id, object.bytes));
        prepared.objects.push(if is_none { NO_OBJECT } else { id });
    }
    for buffer in &straight.buffers {
        // SAFETY: a member of the arguments.
        let here = unsafe { load_pointer(arguments + buffer.offset) };
        if here == 0 {
            // SAFETY: as the caller says.
            unsafe { buffer.may_be_null(party, arguments)? };
            prepared.places.push((0, 0));
            continue;
        }
        // SAFETY: as the caller says.
        let size = unsafe { buffer.size(party, arguments)? };
        let meets = |(other, room): &Place| *other != 0 && here <= *other + *room && *other <= here + size;
        if tables.find_end_of_region(here).is_some() || prepared.places.iter().any(meets) {
            return Ok(None);
        }
        prepared.places.push((here, size));
    }
    Ok(Some(prepared))
}

/// Takes what came back: `errno`, if it did.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn take<P: Party>(
    party: &P,
    name: u32,
    straight: &Straight,
    (places, in_place): (&[Place], Option<InPlace<'_>>),
    arguments: usize,
    from: &mut Reader<'_>,
) -> Walked<Option<i32>> {
    let head = from.get_u64()?;
    let flags = head as u8;
    if flags & (answer::ENDED | answer::LATE) != 0 {
        take_news(party, flags, from)?;
    }
    if flags & answer::FAILED != 0 {
        return Err(Fault::Refused("the other side refused the call", name));
    }
    if let Some((offset, size)) = straight.comes {
        // SAFETY: a member of the arguments.
        unsafe { get(from, arguments + offset, size)? };
    }
    if flags & answer::SUCCEEDED != 0 {
        for (n, (buffer, (here, size))) in straight.buffers.iter().zip(places).enumerate() {
            if *here == 0 || !buffer.takes_out {
                continue;
            }
            // SAFETY: the program's own.
            let contents = unsafe { bytes_mut(*here, *size) };
            match &in_place {
                Some(in_place) => in_place.read(n, contents),
                None => from.get(contents)?,
            }
        }
    }
    ends(from)?;
    Ok(errno_of_reply(head))
}

/// What ended, and results of calls that nobody waited for.
#[cold]
fn take_news<P: Party>(party: &P, flags: u8, from: &mut Reader<'_>) -> Walked<()> {
    if flags & answer::ENDED != 0 {
        let mut ended = Vec::new();
        get_ended(from, &mut ended)?;
        lock(party.tables()).forget(&ended);
    }
    if flags & answer::LATE != 0 {
        take_late(party, from)?;
    }
    Ok(())
}
