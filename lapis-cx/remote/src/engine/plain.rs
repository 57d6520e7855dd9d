//! Calls of numbers only: what most of a walk is for is not in them, so there is none.
//!
//! The records are those of any other call; either side may take this way or the other.

use std::rc::Rc;

use super::link::{Link, UNEXPECTED, forget, get_ended, put_ended};
use super::make::{HAS_TICKETS, put_tickets};
use super::memory::{Allocation, bytes, bytes_mut};
use super::order::{Ticket, constant};
use super::party::{Doing, Party};
use super::serve::{put_late, take_late};
use super::walk::{Fault, Walked, lock};
use super::{answer, record, start};
use crate::plan::{Mode, Plain};
use crate::{Reader, Wake, Writer};

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
    let is_waited_for = plain.mode == Mode::Sync;
    let ticket = if plain.order.is_global { party.ticket() } else { None };
    {
        let mut sender = link.sender()?;
        let mut to = sender.record(record::CALL);
        let flags = plain.mode.word() | if ticket.is_some() { HAS_TICKETS } else { 0 };
        to.put_u64(u64::from(number) | u64::from(flags) << 32);
        if let Some(ticket) = ticket {
            put_tickets(&mut to, &[ticket]);
        }
        for (offset, size) in &plain.goes {
            // SAFETY: members of the arguments.
            unsafe { put(&mut to, arguments + offset, *size) };
        }
        to.commit(if is_waited_for { Wake::Now } else { Wake::Later })?;
    }
    if !is_waited_for {
        return Ok(());
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
    if flags & !(answer::SUCCEEDED | answer::ENDED | answer::FAILED | answer::LATE) != 0 {
        return Err(UNEXPECTED);
    }
    if flags & answer::ENDED != 0 {
        let mut ended = Vec::new();
        get_ended(&mut from, &mut ended)?;
        forget(&mut lock(party.tables()), &ended);
    }
    if flags & answer::LATE != 0 {
        take_late(party, &mut from)?;
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
        unsafe { get(from, arguments + offset, *size)? };
    }
    Ok(())
}

/// Sends members, which are mostly one number or few.
///
/// # Safety
///
/// So many bytes lie there.
#[inline]
unsafe fn put(to: &mut Writer<'_>, address: usize, size: usize) {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            4 => to.put_array((address as *const [u8; 4]).read()),
            8 => to.put_array((address as *const [u8; 8]).read()),
            16 => {
                to.put_array((address as *const [u8; 8]).read());
                to.put_array(((address + 8) as *const [u8; 8]).read());
            }
            _ => to.put(bytes(address, size)),
        }
    }
}

/// Receives them.
///
/// # Safety
///
/// There is room for so many bytes.
#[inline]
unsafe fn get(from: &mut Reader<'_>, address: usize, size: usize) -> Walked<()> {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            4 => (address as *mut [u8; 4]).write(from.get_array()?),
            8 => (address as *mut [u8; 8]).write(from.get_array()?),
            16 => {
                (address as *mut [u8; 8]).write(from.get_array()?);
                ((address + 8) as *mut [u8; 8]).write(from.get_array()?);
            }
            _ => from.get(bytes_mut(address, size))?,
        }
    }
    Ok(())
}

/// Zeroed memory for the arguments of a call.
#[derive(Default)]
pub(crate) struct Memory {
    few: [u128; 8],
    many: Option<Allocation>,
}

impl Memory {
    /// Where so many bytes are.
    pub fn address(&mut self, bytes: usize) -> Option<usize> {
        if bytes <= size_of_val(&self.few) {
            return Some(self.few.as_mut_ptr().expose_provenance());
        }
        self.many = Allocation::zeroed(bytes);
        self.many.as_ref().map(Allocation::address)
    }
}

/// Receives the arguments of a call.
///
/// # Errors
///
/// The channel cannot be used any more.
///
/// # Safety
///
/// There is room for the struct of arguments.
pub(crate) unsafe fn receive(plain: &Plain, arguments: usize, from: &mut Reader<'_>) -> Walked<()> {
    for (offset, size) in &plain.goes {
        // SAFETY: members of the arguments.
        unsafe { get(from, arguments + offset, *size)? };
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
    tickets: &[Ticket],
    arguments: usize,
) -> Walked<()> {
    let is_waited_for = plain.mode == Mode::Sync;
    let thread = party.thread();
    let doing = Doing { number, name, tickets, monitors: constant(plain.monitor, thread), is_waited_for };
    // SAFETY: as the caller says.
    match unsafe { party.call(link, doing, arguments) } {
        Err(why @ Fault::Channel(_)) => return Err(why),
        Ok(_) if !is_waited_for => return Ok(()),
        Ok(_) => {}
        Err(why) => {
            start::explain(party.described(), name, &why);
            if is_waited_for {
                return link.refuse(record::RETURN, &party.late());
            }
            party.has_failed(number, 0);
            return Ok(());
        }
    }
    let ended = party.late();
    let news = if party.described().plan.has_async { party.news(&constant(plain.order, thread)) } else { None };
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    to.put_u8(answer::SUCCEEDED | flag(!ended.is_empty(), answer::ENDED) | flag(news.is_some(), answer::LATE));
    put_ended(&mut to, &ended);
    if let Some(mut news) = news {
        put_late(party, &mut news, &mut to)?;
    }
    for (offset, size) in &plain.comes {
        // SAFETY: members of the arguments.
        unsafe { put(&mut to, arguments + offset, *size) };
    }
    Ok(to.commit(Wake::Now)?)
}
