//! Calls of numbers only: what most of a walk is for is not in them, so there is none.
//!
//! The records are those of any other call; either side may take this way or the other.

use std::rc::Rc;

use super::link::{Link, UNEXPECTED, forget, get_ended};
use super::memory::{bytes, bytes_mut};
use super::party::Party;
use super::walk::{Fault, Walked, lock};
use super::{answer, record};
use crate::plan::Plain;
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
        let mut sender = link.sender.borrow_mut();
        let mut to = sender.record(record::CALL);
        to.put_u64(u64::from(number));
        for (offset, size) in &plain.goes {
            // SAFETY: members of the arguments.
            to.put(unsafe { bytes(arguments + offset, *size) });
        }
        to.commit(Wake::Now)?;
    }
    let mut receiver = link.receiver.borrow_mut();
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
