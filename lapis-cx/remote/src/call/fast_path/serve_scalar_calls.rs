//! Serves scalar calls ([`FastCall::is_scalar`](crate::plan::FastCall)) on the worker. Programs make many one-way calls in a row, so work
//! that does not depend on the call is done once for each batch.

use std::cell::RefMut;
use std::rc::Rc;

use super::super::described::Thunk;
use super::super::endpoint::Endpoint;
use super::super::link::Link;
use super::super::refusals;
use super::super::session::{RunningGuard, SERVICE_REFUSED, Session, check_callbacks, run_thunk};
use super::one_way::{self, ScalarCalls, Served, ServedOneWay};
use super::put;
use super::scalar_call::OUTERMOST;
use super::serve::{answer_with, fail, fail_later};
use crate::marshal::access::bytes_mut;
use crate::marshal::{CallError, CallResult};
use crate::plan::{FEW, FastCall};
use crate::protocol::{answer, record, reply_head};
use crate::{Receiver, Wake};

/// Waits for scalar calls and makes them, until one was synchronous. Returns the receiver if it reaches a record of another kind.
///
/// # Errors
///
/// The channel failed.
pub(crate) fn serve_scalar_calls<'a>(
    session: &Session,
    ScalarCalls { served, one_way }: &ScalarCalls,
    link: &'a Rc<Link>,
    mut receiver: RefMut<'a, Receiver>,
) -> CallResult<Option<RefMut<'a, Receiver>>> {
    let mut arguments = [0u128; FEW / 16];
    let arguments = arguments.as_mut_ptr().expose_provenance();
    let of = |head: u64, size| {
        let known = served.get(head as u32 as usize).and_then(Option::as_ref);
        known.filter(|one| one.scalar_call.head == head && one.scalar_call.size == size)
    };
    refusals::watch_refusals(|has_refused| {
        loop {
            receiver.wait_for_record()?;
            // The running call is recorded once for the whole batch.
            let mut begun = None;
            let took = receiver.take_one_way(record::CALL, |window| {
                let function = one_way::function_of(window);
                let Some(ServedOneWay { one_way, thunk, name }) =
                    function.and_then(|function| one_way.get(function as usize)).and_then(Option::as_ref)
                else {
                    return 0;
                };
                // SAFETY: `arguments` has space for the `FEW` bytes of a scalar call, and only this frame uses it.
                let Some(words) = (unsafe { one_way.take(window, arguments) }) else { return 0 };
                begun.get_or_insert_with(|| RunningGuard::new(session, link, (0, false)));
                // SAFETY: `take` filled all members. Callbacks of the library use another channel.
                unsafe { thunk(std::ptr::with_exposed_provenance_mut(arguments)) };
                if has_refused.get() {
                    has_refused.set(false);
                    fail_later(session, (function.unwrap_or(0), *name), CallError::Refused(SERVICE_REFUSED, *name));
                }
                words
            });
            session.served();
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
    for (offset, size) in &scalar_call.fast.copy_in {
        // SAFETY: same guarantee as above.
        from.get(unsafe { bytes_mut(arguments + offset, *size) });
    }
    // Releases the channel, because the library may call back over it.
    drop(receiver);
    let call = (head as u32, scalar_call.call.name);
    // SAFETY: all members were decoded.
    unsafe { perform(session, link, call, scalar_call.fast, *thunk, arguments) }.map(|()| None)
}

/// The size in bytes of the largest record of a scalar call.
const LARGEST: usize = size_of::<u64>() + FEW;

/// Makes a synchronous scalar call and replies.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
unsafe fn perform(
    session: &Session,
    link: &Rc<Link>,
    call: (u32, u32),
    fast: &FastCall,
    thunk: Thunk,
    arguments: usize,
) -> CallResult<()> {
    let begun = RunningGuard::new(session, link, (OUTERMOST, false));
    // SAFETY: the caller upholds the contract of this function.
    let done = unsafe { run_thunk((thunk, session.worker.enter), call.1, link.errno.get(), arguments) };
    drop(begun);
    check_callbacks(session, link, 0, call.1)?;
    match done {
        // SAFETY: the caller upholds the contract of this function.
        Ok(errno) => unsafe {
            if reply_scalar(session, link, fast, arguments, errno)? {
                Ok(())
            } else {
                answer_with(session, link, (fast, OUTERMOST), arguments, &[], errno)
            }
        },
        Err(why) => fail(session, link, call, OUTERMOST, why),
    }
}

/// Sends the reply of a scalar call, or takes the general path if there is more to report.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
#[inline(never)]
unsafe fn reply_scalar<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    fast: &FastCall,
    arguments: usize,
    errno: Option<i32>,
) -> CallResult<bool> {
    let (offset, result) = fast.copy_out.unwrap_or((0, 0));
    let mut sender = link.sender()?;
    if endpoint.has_announcements() {
        return Ok(false);
    }
    let Some(mut to) = sender.small(record::RETURN, size_of::<u64>() + result, Wake::Now) else { return Ok(false) };
    let errno = errno.filter(|errno| *errno != link.errno.get());
    to.put_array(reply_head(answer::SUCCEEDED, OUTERMOST, errno).to_ne_bytes());
    // SAFETY: the plan places this member inside the argument struct.
    unsafe { put(&mut to, arguments + offset, result) };
    to.send();
    link.take_errno(errno);
    Ok(true)
}
