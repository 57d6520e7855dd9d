//! Bare calls ([`Straight::is_bare`](crate::plan::Straight)), as the worker does them. Of those that nobody waits for, a program makes
//! many, and does not do much else: nothing is done for each that can be done once.

use std::cell::RefMut;
use std::rc::Rc;

use super::super::link::Link;
use super::super::memory::bytes_mut;
use super::super::party::Party;
use super::super::walk::{Fault, Walked};
use super::super::worker::{Begun, DID_NOT, Session, Thunk, run_thunk};
use super::super::{Described, answer, record, start};
use super::bare::{Bare, bare};
use super::put;
use super::serve::{answer_with, fail, fail_later, head};
use crate::plan::{FEW, Straight};
use crate::{Receiver, Wake};

/// A function that is called so.
pub(crate) struct Served {
    bare: Bare,
    thunk: Thunk,
}

/// Those of a library, by function.
pub(crate) fn served(described: &Described, thunks: &[Option<Thunk>]) -> Box<[Option<Served>]> {
    let functions = bare(described).into_iter().zip(thunks);
    functions.map(|(bare, thunk)| Some(Served { bare: bare?, thunk: (*thunk)? })).collect()
}

/// Waits for bare calls and does them, until one was waited for; or until there is something else: then the receiver, which stands
/// there, is returned.
///
/// # Errors
///
/// The channel cannot be used any more.
pub(crate) fn serve_bare<'a>(
    session: &Session,
    all: &[Option<Served>],
    link: &'a Rc<Link>,
    mut receiver: RefMut<'a, Receiver>,
) -> Walked<Option<RefMut<'a, Receiver>>> {
    let mut arguments = [0u128; FEW / 16];
    let arguments = arguments.as_mut_ptr().expose_provenance();
    let of = |head: u64, size| {
        let served = all.get(head as u32 as usize).and_then(Option::as_ref);
        served.filter(|one| one.bare.head == head && one.bare.size == size)
    };
    start::watch_refusals(|has_refused| {
        let mut begun = None;
        let mut tell = |bytes: &[u8]| {
            let Some((head, rest)) = bytes.split_first_chunk() else { return false };
            let head = u64::from_ne_bytes(*head);
            let Some(Served { bare, thunk }) = of(head, bytes.len()).filter(|one| one.bare.wake == Wake::Later) else {
                return false;
            };
            // SAFETY: as many bytes go, to members of the arguments, which nobody else has.
            unsafe { fill(arguments, &bare.straight.goes, rest) };
            begun.get_or_insert_with(|| Begun::new(session, link, false));
            // SAFETY: all members were received. What the library calls back goes over another channel.
            unsafe { thunk(std::ptr::with_exposed_provenance_mut(arguments)) };
            if has_refused.get() {
                has_refused.set(false);
                let call = (head as u32, bare.call.name);
                fail_later(session, call, Fault::Refused(DID_NOT, call.1));
            }
            true
        };
        receiver.stand()?;
        while receiver.take_told(record::CALL, &mut tell) {
            receiver.stand()?;
        }
        Walked::Ok(())
    })?;
    let Some(mut from) = receiver.next_small(record::CALL, LARGEST)? else { return Ok(Some(receiver)) };
    let (head, size) = (from.get_u64(), from.size());
    let Some(Served { bare, thunk }) = of(head, size).filter(|one| one.bare.wake == Wake::Now) else {
        return Ok(Some(receiver));
    };
    for (offset, size) in &bare.straight.goes {
        // SAFETY: as above.
        from.get(unsafe { bytes_mut(arguments + offset, *size) });
    }
    // What is done may need the channel.
    drop(receiver);
    let call = (head as u32, bare.call.name);
    // SAFETY: all members were received.
    unsafe { perform(session, link, call, bare.straight, *thunk, arguments) }.map(|()| None)
}

/// The largest record of such a call.
const LARGEST: usize = size_of::<u64>() + FEW;

/// Fills members of the arguments: mostly one number or two.
///
/// # Safety
///
/// `from` has as many bytes as they, and there is room for them.
#[inline(always)]
unsafe fn fill(arguments: usize, goes: &[(usize, usize)], mut from: &[u8]) {
    let place = |offset| std::ptr::with_exposed_provenance_mut::<u8>(arguments + offset);
    // SAFETY: as the caller says.
    unsafe {
        match *goes {
            [] => {}
            [(offset, 8)] => place(offset).cast::<[u8; 8]>().write(from.as_ptr().cast::<[u8; 8]>().read()),
            [(offset, 16)] => place(offset).cast::<[u8; 16]>().write(from.as_ptr().cast::<[u8; 16]>().read()),
            _ => {
                for (offset, size) in goes {
                    let Some((bytes, rest)) = from.split_at_checked(*size) else { return };
                    bytes_mut(arguments + offset, *size).copy_from_slice(bytes);
                    from = rest;
                }
            }
        }
    }
}

/// Does a call that is waited for, and answers.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn perform(
    session: &Session,
    link: &Rc<Link>,
    call: (u32, u32),
    straight: &Straight,
    thunk: Thunk,
    arguments: usize,
) -> Walked<()> {
    let begun = Begun::new(session, link, true);
    // SAFETY: as the caller says.
    let done = unsafe { run_thunk(thunk, call.1, straight.has_errno, arguments) };
    drop(begun);
    match done {
        // SAFETY: as the caller says.
        Ok(errno) => unsafe {
            if answer_bare(session, link, straight, arguments, errno)? {
                Ok(())
            } else {
                answer_with(session, link, straight, arguments, &[], errno)
            }
        },
        Err(why) => fail(session, link, call, true, why),
    }
}

/// Answers a bare call, unless there is more to say.
///
/// # Safety
///
/// The arguments are the struct of this call.
#[inline(never)]
unsafe fn answer_bare<P: Party>(
    party: &P,
    link: &Link,
    straight: &Straight,
    arguments: usize,
    errno: Option<i32>,
) -> Walked<bool> {
    let (offset, result) = straight.comes.unwrap_or((0, 0));
    let mut sender = link.sender()?;
    if party.has_news() {
        return Ok(false);
    }
    let Some(mut to) = sender.small(record::RETURN, size_of::<u64>() + result, Wake::Now) else { return Ok(false) };
    to.put_array(head(answer::SUCCEEDED, errno).to_ne_bytes());
    // SAFETY: a member of the arguments.
    unsafe { put(&mut to, arguments + offset, result) };
    to.send();
    Ok(true)
}
