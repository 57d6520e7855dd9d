//! The caller's side: what is sent, and what comes back.

use std::cell::RefMut;
use std::rc::Rc;

use smallvec::SmallVec;

use super::super::endpoint::Endpoint;
use super::super::late_replies::take_late;
use super::super::link::Link;
use super::super::links;
use super::super::serve::turn_at;
use super::in_place::{InPlace, Place};
use super::{alignment, ends, get, put};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::access::{bytes, bytes_mut, load_pointer};
use crate::marshal::names::{is_provisional, number_of};
use crate::marshal::{CallError, CallResult, NO_OBJECT, lock};
use crate::plan::{FastCall, Mode};
use crate::protocol::{FAST_PATH, HAS_TICKETS, ID_SHIFT, IN_PLACE, NESTED, answer, errno_of_reply, get_ended, record};
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
pub(crate) unsafe fn make<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    (number, name): (u32, u32),
    fast: &FastCall,
    arguments: usize,
) -> CallResult<Made> {
    let prepared;
    let (objects, places): (&[u64], &[Place]) = if fast.is_numbers() {
        (&[], &[])
    } else {
        // SAFETY: as the caller says.
        prepared = match unsafe { prepare(endpoint, fast, arguments)? } {
            Some(prepared) => prepared,
            None => return Ok(Made::NeedsWalk),
        };
        (&prepared.objects, &prepared.places)
    };
    let is_waited_for = fast.mode == Mode::Sync;
    let waits = if is_waited_for { Some(link.wait()?) } else { None };
    let id = waits.as_ref().map_or(0, |waits| waits.id);
    let mut sender = link.sender()?;
    let ticket = if fast.order.is_global { endpoint.ticket(!is_waited_for) } else { None };
    let mut to = sender.record(record::CALL);
    // Of a call that nobody waits for it is not known when they are free again.
    let in_place = if is_waited_for { link.rooms.places(places) } else { None };
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let more = flag(ticket.is_some(), HAS_TICKETS) | flag(in_place.is_some(), IN_PLACE);
    let more = more | flag(links::is_in_callback(), NESTED);
    let flags = fast.mode.word() | FAST_PATH | more | id << ID_SHIFT;
    to.put_u64(u64::from(number) | u64::from(flags) << 32);
    if let Some((_, ticket)) = ticket {
        to.put_u64(ticket);
    }
    for (offset, size) in &fast.goes {
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
            for (buffer, (here, size)) in fast.buffers.iter().zip(places) {
                if *here != 0 && buffer.goes(*size) {
                    // SAFETY: the program's own. If it changes it meanwhile, so it would natively.
                    to.put(unsafe { bytes(*here, *size) });
                }
            }
        }
    }
    endpoint.described().at(lapis_cx_plan::Hook::Send);
    to.commit(if is_waited_for { Wake::Now } else { Wake::Later })?;
    drop(sender);
    if !is_waited_for {
        return Ok(Made::Done(None));
    }
    // SAFETY: as the caller says.
    unsafe { wait(endpoint, link, (name, id), fast, (places, in_place), arguments, None) }.map(Made::Done)
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
pub(super) unsafe fn wait<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    (name, id): (u32, u32),
    fast: &FastCall,
    (places, in_place): (&[Place], Option<InPlace<'_>>),
    arguments: usize,
    stands: Option<RefMut<'_, Receiver>>,
) -> CallResult<Option<i32>> {
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
            link.files_are_settled(endpoint);
            // SAFETY: as the caller says.
            let errno = unsafe { take(endpoint, name, fast, (places, in_place), arguments, &mut from)? };
            return Ok(Some(link.take_errno(errno)));
        }
        // The library calls back.
        from.keep();
        // SAFETY: nothing waits that it could take.
        unsafe { turn_at(endpoint, link, receiver, None)? };
    }
}

/// Finds what a call sends; none if a walk must.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn prepare<P: Endpoint>(endpoint: &P, fast: &FastCall, arguments: usize) -> CallResult<Option<Prepared>> {
    let mut prepared = Prepared::default();
    let tables = lock(endpoint.tables());
    for object in &fast.objects {
        // SAFETY: a member of the arguments.
        let bits = unsafe { object.bits(arguments) };
        let has_memory =
            endpoint.described().plan.handles.get(object.of as usize).is_some_and(|handle| handle.has_memory);
        let id = match bits {
            0 if object.is_optional => 0,
            0 => return Err(CallError::Refused("it is null", object.name)),
            _ if has_memory => tables.known_id(object.of, bits).unwrap_or(NO_OBJECT),
            _ => bits,
        };
        let is_none = is_provisional(id, object.bytes) && !endpoint.has_named(number_of(id, object.bytes));
        prepared.objects.push(if is_none { NO_OBJECT } else { id });
    }
    for buffer in &fast.buffers {
        // SAFETY: a member of the arguments.
        let here = unsafe { load_pointer(arguments + buffer.offset) };
        if here == 0 {
            // SAFETY: as the caller says.
            unsafe { buffer.may_be_null(endpoint, arguments)? };
            prepared.places.push((0, 0));
            continue;
        }
        // SAFETY: as the caller says.
        let size = unsafe { buffer.size(endpoint, arguments)? };
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
unsafe fn take<P: Endpoint>(
    endpoint: &P,
    name: u32,
    fast: &FastCall,
    (places, in_place): (&[Place], Option<InPlace<'_>>),
    arguments: usize,
    from: &mut Reader<'_>,
) -> CallResult<Option<i32>> {
    let head = from.get_u64()?;
    let flags = head as u8;
    if flags & (answer::ENDED | answer::LATE) != 0 {
        take_news(endpoint, flags, from)?;
    }
    if flags & answer::FAILED != 0 {
        return Err(CallError::Refused("the other side refused the call", name));
    }
    if let Some((offset, size)) = fast.comes {
        // SAFETY: a member of the arguments.
        unsafe { get(from, arguments + offset, size)? };
    }
    if flags & answer::SUCCEEDED != 0 {
        for (n, (buffer, (here, size))) in fast.buffers.iter().zip(places).enumerate() {
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
fn take_news<P: Endpoint>(endpoint: &P, flags: u8, from: &mut Reader<'_>) -> CallResult<()> {
    if flags & answer::ENDED != 0 {
        let mut ended = Vec::new();
        get_ended(from, &mut ended)?;
        lock(endpoint.tables()).forget(&ended);
    }
    if flags & answer::LATE != 0 {
        take_late(endpoint, from)?;
    }
    Ok(())
}
