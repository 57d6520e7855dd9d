//! ScalarCall calls ([`FastCall::is_scalar`](crate::plan::FastCall)), as the worker does them. Of those that nobody waits for, a program makes
//! many, and does not do much else: nothing is done for each that can be done once.

use std::cell::RefMut;
use std::rc::Rc;

use super::super::described::Thunk;
use super::super::endpoint::Endpoint;
use super::super::link::Link;
use super::super::session::{Begun, DID_NOT, Session, run_thunk};
use super::super::start;
use super::one_way::{self, ScalarCalls, Served, ServedOneWay};
use super::put;
use super::scalar_call::OUTERMOST;
use super::serve::{answer_with, fail, fail_later};
use crate::marshal::access::bytes_mut;
use crate::marshal::{CallError, CallResult};
use crate::plan::{FEW, FastCall};
use crate::protocol::{answer, record, reply_head};
use crate::{Receiver, Wake};

/// Waits for bare calls and does them, until one was waited for; or until there is something else: then the receiver, which stands
/// there, is returned.
///
/// # Errors
///
/// The channel cannot be used any more.
pub(crate) fn serve_scalar_calls<'a>(
    session: &Session,
    ScalarCalls { served, told }: &ScalarCalls,
    link: &'a Rc<Link>,
    mut receiver: RefMut<'a, Receiver>,
) -> CallResult<Option<RefMut<'a, Receiver>>> {
    let mut arguments = [0u128; FEW / 16];
    let arguments = arguments.as_mut_ptr().expose_provenance();
    let of = |head: u64, size| {
        let known = served.get(head as u32 as usize).and_then(Option::as_ref);
        known.filter(|one| one.scalar_call.head == head && one.scalar_call.size == size)
    };
    start::watch_refusals(|has_refused| {
        loop {
            receiver.stand()?;
            // Whose calls they are is noted once.
            let mut begun = None;
            let took = receiver.take_told(record::CALL, |window| {
                let function = one_way::function_of(window);
                let Some(ServedOneWay { tell, thunk, name }) =
                    function.and_then(|function| told.get(function as usize)).and_then(Option::as_ref)
                else {
                    return 0;
                };
                // SAFETY: there is room for few numbers, which nobody else has.
                let Some(words) = (unsafe { tell.take(window, arguments) }) else { return 0 };
                begun.get_or_insert_with(|| Begun::new(session, link, (0, false)));
                // SAFETY: all members were received. What the library calls back goes over another channel.
                unsafe { thunk(std::ptr::with_exposed_provenance_mut(arguments)) };
                if has_refused.get() {
                    has_refused.set(false);
                    fail_later(session, (function.unwrap_or(0), *name), CallError::Refused(DID_NOT, *name));
                }
                words
            });
            if !took {
                return CallResult::Ok(());
            }
        }
    })?;
    let Some(mut from) = receiver.next_small(record::CALL, LARGEST)? else { return Ok(Some(receiver)) };
    let (head, size) = (from.get_u64(), from.size());
    let Some(Served { scalar_call, thunk }) = of(head, size).filter(|one| one.scalar_call.wake == Wake::Now) else {
        return Ok(Some(receiver));
    };
    for (offset, size) in &scalar_call.fast.goes {
        // SAFETY: as above.
        from.get(unsafe { bytes_mut(arguments + offset, *size) });
    }
    // What is done may need the channel.
    drop(receiver);
    let call = (head as u32, scalar_call.call.name);
    // SAFETY: all members were received.
    unsafe { perform(session, link, call, scalar_call.fast, *thunk, arguments) }.map(|()| None)
}

/// The largest record of such a call.
const LARGEST: usize = size_of::<u64>() + FEW;

/// Does a call that is waited for, and answers.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn perform(
    session: &Session,
    link: &Rc<Link>,
    call: (u32, u32),
    fast: &FastCall,
    thunk: Thunk,
    arguments: usize,
) -> CallResult<()> {
    let (begun, started) = (Begun::new(session, link, (OUTERMOST, false)), session.started());
    // SAFETY: as the caller says.
    let done = unsafe { run_thunk(thunk, call.1, link.errno.get(), arguments) };
    drop(begun);
    match done {
        // SAFETY: as the caller says.
        Ok(errno) => unsafe {
            if answer_bare(session, link, fast, arguments, errno)? {
                Ok(())
            } else {
                answer_with(session, link, (fast, OUTERMOST), arguments, &[], (errno, started))
            }
        },
        Err(why) => fail(session, link, call, OUTERMOST, why),
    }
}

/// Answers a bare call, unless there is more to say.
///
/// # Safety
///
/// The arguments are the struct of this call.
#[inline(never)]
unsafe fn answer_bare<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    fast: &FastCall,
    arguments: usize,
    errno: Option<i32>,
) -> CallResult<bool> {
    let (offset, result) = fast.comes.unwrap_or((0, 0));
    let mut sender = link.sender()?;
    if endpoint.has_news() {
        return Ok(false);
    }
    let Some(mut to) = sender.small(record::RETURN, size_of::<u64>() + result, Wake::Now) else { return Ok(false) };
    let errno = errno.filter(|errno| *errno != link.errno.get());
    to.put_array(reply_head(answer::SUCCEEDED, OUTERMOST, errno).to_ne_bytes());
    // SAFETY: a member of the arguments.
    unsafe { put(&mut to, arguments + offset, result) };
    to.send();
    link.take_errno(errno);
    Ok(true)
}
