//! Calls of numbers only: what most of a walk is for is not in them, so there is none.
//!
//! The records are those of any other call; either side may take this way or the other.

use std::rc::Rc;

use super::link::{Link, UNEXPECTED, forget, get_ended, put_ended};
use super::memory::{bytes, bytes_mut};
use super::order::Key;
use super::party::{Doing, Party};
use super::walk::{Fault, Walked, lock};
use super::{answer, record, start};
use crate::plan::{self, Call, Plain, When};
use crate::{Reader, Wake};

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
    plain: &Plain,
    arguments: usize,
) -> Walked<()> {
    {
        let mut sender = link.sender()?;
        let mut to = sender.record(record::CALL);
        to.put_u64(u64::from(number));
        for (offset, size) in &plain.goes {
            // SAFETY: members of the arguments.
            to.put(unsafe { bytes(arguments + offset, *size) });
        }
        to.commit(Wake::Now)?;
    }
    let mut receiver = link.receiver()?;
    let mut from = receiver.next()?;
    if from.kind() != record::RETURN {
        return Err(UNEXPECTED);
    }
    let flags = from.get_u8()?;
    if flags == answer::SUCCEEDED || flags == 0 {
        // SAFETY: as the caller says.
        return unsafe { take(plain, arguments, &mut from) };
    }
    if flags & !(answer::SUCCEEDED | answer::ENDED | answer::FAILED) != 0 {
        return Err(UNEXPECTED);
    }
    if flags & answer::ENDED != 0 {
        let mut ended = Vec::new();
        get_ended(&mut from, &mut ended)?;
        forget(&mut lock(party.tables()), &ended);
    }
    if flags & answer::FAILED != 0 {
        return Err(Fault::Refused("the other side refused the call", name));
    }
    // SAFETY: as the caller says.
    unsafe { take(plain, arguments, &mut from) }
}

/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn take(plain: &Plain, arguments: usize, from: &mut Reader<'_>) -> Walked<()> {
    for (offset, size) in &plain.comes {
        // SAFETY: members of the arguments.
        from.get(unsafe { bytes_mut(arguments + offset, *size) })?;
    }
    Ok(())
}

/// The monitors of a call, if they are the same for each.
pub(crate) fn keys(call: &Call, thread: u64) -> Option<Vec<Key>> {
    let all = match call.monitor.as_slice() {
        [] => return Some(vec![Key::Global]),
        [When { condition: None, then }] => then,
        _ => return None,
    };
    let key = |key: &plan::Key| match key {
        plan::Key::Global => Some(Key::Global),
        plan::Key::Thread => Some(Key::Thread(thread)),
        plan::Key::Value(_) => None,
    };
    all.iter().map(key).collect()
}

/// Receives the arguments of a call.
///
/// # Errors
///
/// The channel cannot be used any more.
///
/// # Safety
///
/// There is room for the struct of arguments, of so many bytes.
pub(crate) unsafe fn receive(plain: &Plain, arguments: usize, size: usize, from: &mut Reader<'_>) -> Walked<()> {
    // SAFETY: as the caller says.
    unsafe { bytes_mut(arguments, size) }.fill(0);
    for (offset, size) in &plain.goes {
        // SAFETY: members of the arguments.
        from.get(unsafe { bytes_mut(arguments + offset, *size) })?;
    }
    Ok(())
}

/// Does a call, and answers.
///
/// # Errors
///
/// The channel cannot be used any more.
///
/// # Safety
///
/// The arguments were received.
pub(crate) unsafe fn perform<P: Party>(
    party: &P,
    link: &Rc<Link>,
    (number, name): (u32, u32),
    plain: &Plain,
    monitors: Vec<Key>,
    arguments: usize,
) -> Walked<()> {
    let doing = Doing { number, name, tickets: &[], monitors, is_waited_for: true };
    // SAFETY: as the caller says.
    match unsafe { party.call(link, doing, arguments) } {
        Ok(_) => {}
        Err(why @ Fault::Channel(_)) => return Err(why),
        Err(why) => {
            start::explain(party.described(), name, &why);
            return link.refuse(record::RETURN, &party.late());
        }
    }
    let ended = party.late();
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    to.put_u8(answer::SUCCEEDED | if ended.is_empty() { 0 } else { answer::ENDED });
    put_ended(&mut to, &ended);
    for (offset, size) in &plain.comes {
        // SAFETY: members of the arguments.
        to.put(unsafe { bytes(arguments + offset, *size) });
    }
    Ok(to.commit(Wake::Now)?)
}
