//! Collects the results of asynchronous calls: the guest names the calls, and the worker replies with the state and the results of each call.
//!
//! ```text
//! COLLECT u32 flags and id | u32 count | u64 number of each call
//! RETURN  u64 flags | announcements
//! RETURN  u64 flags | u8 state | the contents of the buffers if the call has results    (one record for each call)
//! ```
//!
//! If the worker cannot encode the results of a call, it cancels the record and sends another one without results.

use std::rc::Rc;

use super::asynchronous::{Claims, Collected, Done, SentCall};
use super::endpoint::{Endpoint, marshaller, take_announcements};
use super::fast_path::ends;
use super::fast_path::serve::put_head;
use super::link::{Link, UNEXPECTED, unless_cut};
use super::links;
use super::order::Key;
use super::refusals;
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::{CallError, CallResult, Scratch};
use crate::protocol::{AT_ONCE, ID_SHIFT, MOST, NESTED, record, reply_head};
use crate::{Error, Reader, Receiver, Sender, Wake, Writer};

/// The states of a call in the reply.
mod state {
    pub const NOT_OVER: u8 = 0;
    pub const NOTHING: u8 = 1;
    pub const FAILED: u8 = 2;
    pub const SUCCEEDED: u8 = 3;
}

/// Collects the results of earlier calls that share a lane with a synchronous call, which is over: the calls with lower numbers than `before`.
/// The worker started the synchronous call after they were over, unless it was made in a callback (`is_nested`).
#[cold]
pub(crate) fn collect_lanes<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    (keys, before): (&[Key], u64),
    is_nested: bool,
) {
    let Some(sent_calls) = endpoint.sent_calls() else { return };
    let ids = sent_calls.of_lanes(keys, before);
    // The synchronous call was made. If the channel failed meanwhile, the next call reports it. A thread that has claimed results may wait for a call
    // that waits for the end of this callback.
    let _ = match is_nested {
        true => collect_unclaimed(endpoint, link, &ids).map(|_| true),
        false => collect(endpoint, link, &ids),
    };
}

/// Collects all results and reports that the worker has by now, so memory use does not grow.
///
/// # Errors
///
/// The channel failed.
#[cold]
pub(crate) fn collect_regularly<P: Endpoint>(endpoint: &P, link: &Rc<Link>) -> CallResult<()> {
    let Some(sent_calls) = endpoint.sent_calls() else { return Ok(()) };
    let waits = link.wait()?;
    let ids = sent_calls.all();
    let claims = sent_calls.claim(ids.get(..MOST as usize).unwrap_or(&ids));
    match request(endpoint, link, waits.id | AT_ONCE, claims) {
        // The guest logs refused results, which the next call may not need.
        Err(CallError::Channel(why)) => Err(CallError::Channel(why)),
        _ => Ok(()),
    }
}

/// Asks the worker what has ended by now: at least what earlier calls of this thread have ended.
///
/// # Errors
///
/// The channel failed.
#[cold]
pub(crate) fn collect_reports<P: Endpoint>(endpoint: &P, link: &Rc<Link>) -> CallResult<()> {
    let Some(sent_calls) = endpoint.sent_calls() else { return Ok(()) };
    let waits = link.wait()?;
    request(endpoint, link, waits.id | AT_ONCE, sent_calls.claim(&[]))
}

/// Waits until these calls are over and collects their results, unless another thread does. A request in a callback does not wait, because
/// the call may wait for the callback. Returns whether the results of all calls have arrived.
///
/// # Errors
///
/// The channel failed, or the guest refuses results.
#[cold]
#[inline(never)]
pub(crate) fn collect<P: Endpoint>(endpoint: &P, link: &Rc<Link>, ids: &[u64]) -> CallResult<bool> {
    let Some(sent_calls) = endpoint.sent_calls() else { return Ok(true) };
    let mut left = ids.to_vec();
    while !left.is_empty() {
        let claimed = collect_unclaimed(endpoint, link, &left)?;
        left = sent_calls.wait(&left);
        // Calls whose claim another thread ended without results are claimed in the next round.
        if left.iter().any(|id| claimed.contains(id)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Collects the results of those of these calls that no other thread has claimed, up to [`MOST`]. Returns the claimed calls.
fn collect_unclaimed<P: Endpoint>(endpoint: &P, link: &Rc<Link>, ids: &[u64]) -> CallResult<Vec<u64>> {
    let Some(sent_calls) = endpoint.sent_calls() else { return Ok(Vec::new()) };
    let waits = link.wait()?;
    let claims = sent_calls.claim(ids.get(..MOST as usize).unwrap_or(ids));
    let claimed: Vec<u64> = claims.calls.iter().map(|(id, _)| *id).collect();
    if !claimed.is_empty() {
        request(endpoint, link, waits.id, claims)?;
    }
    Ok(claimed)
}

/// Returns whether a call is made in a callback. `is_waited_for` is whether a request of the call itself waits for its reply.
pub(crate) fn is_in_callback(link: &Link, is_waited_for: bool) -> bool {
    links::is_in_callback() || link.is_for_callbacks || link.depth() > u32::from(is_waited_for)
}

/// Sends a request for the results of these calls, and decodes the reply. `id` is the id of the request, with its flags.
fn request<P: Endpoint>(endpoint: &P, link: &Rc<Link>, id: u32, mut claims: Claims<'_>) -> CallResult<()> {
    let (id, at_once) = (id & !AT_ONCE, id & AT_ONCE);
    let mut sender = link.sender()?;
    let mut to = sender.record(record::COLLECT);
    next_field(FieldKind::Flags);
    to.put_u32(at_once | if links::is_in_callback() { NESTED } else { 0 } | id << ID_SHIFT);
    next_field(FieldKind::Length);
    to.put_u32(claims.calls.len() as u32);
    for (call, _) in &claims.calls {
        next_field(FieldKind::Handle);
        to.put_u64(*call);
    }
    to.commit(Wake::Now)?;
    drop(sender);
    {
        let mut receiver = link.next_for(id, false)?;
        let (mut from, flags) = reply(&mut receiver)?;
        link.files_are_settled(endpoint);
        take_announcements(endpoint, flags, &mut from)?;
        ends(&from)?;
    }
    let mut refused = Ok(());
    while let Some((number, sent_call)) = claims.calls.front_mut() {
        let number = *number;
        let mut receiver = link.next_for(id, false)?;
        let (mut from, _) = reply(&mut receiver)?;
        let state = from.get_u8()?;
        if state != state::NOT_OVER {
            let name = sent_call.call.name;
            match decode(endpoint, (number, sent_call), state, &mut from) {
                Ok(()) => {}
                // The next record has no results for this call.
                Err(CallError::Channel(Error::Cut)) => continue,
                Err(why @ CallError::Channel(_)) => return Err(why),
                Err(why) => {
                    refusals::explain(endpoint.described(), name, &why);
                    refused = refused.and(Err(why));
                }
            }
        }
        claims.end_first(state != state::NOT_OVER);
    }
    refused
}

/// Returns a reader of the current record, which must be a reply, and its flags.
fn reply(receiver: &mut Receiver) -> CallResult<(Reader<'_>, u8)> {
    let mut from = receiver.again();
    if from.kind() != record::RETURN {
        return Err(UNEXPECTED);
    }
    let flags = from.get_u64()? as u8;
    Ok((from, flags))
}

/// Decodes the results of a call into the program's memory, and settles the call.
fn decode<P: Endpoint>(
    endpoint: &P,
    (number, SentCall { call, arguments, parts, .. }): (u64, &mut SentCall),
    state: u8,
    from: &mut Reader<'_>,
) -> CallResult<()> {
    let (arguments, success) = (arguments.address(), state == state::SUCCEEDED);
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut scratch = Scratch::default();
    let mut marshaller = marshaller(endpoint, &mut scratch, block, arguments);
    marshaller.resume(std::mem::take(parts));
    marshaller.entries.set_gone(&endpoint.sent_calls().map(|all| all.gone(number)).unwrap_or_default());
    marshaller.is_sent = true;
    let decoded = if state == state::NOTHING {
        Ok(())
    } else {
        // SAFETY: `SentCall` owns the argument struct. The specification guarantees that the program's buffers live until the results arrive.
        unsafe { marshaller.decode_reply(block, arguments, success, call.facts.result, from) }
    };
    let decoded = decoded.and_then(|()| ends(from)).map_err(|why| unless_cut(why, from));
    marshaller.settle(success && decoded.is_ok(), &mut Vec::new());
    decoded
}

/// Replies to a request for the results of calls. The caller must have read the flags and the calls. Worker only.
///
/// # Errors
///
/// The channel failed.
pub(super) fn serve<P: Endpoint>(endpoint: &P, link: &Link, flags: u32, calls: &[u64]) -> CallResult<()> {
    let id = flags >> ID_SHIFT;
    let waits = flags & AT_ONCE == 0;
    let collected = endpoint.take_results(link, calls, waits, flags & NESTED != 0)?;
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    put_head(&mut to, 0, (id, None), (&endpoint.take_ended(), &endpoint.take_failures()));
    to.commit(Wake::Now)?;
    for one in collected {
        let state = match &one {
            Collected::NotOver => state::NOT_OVER,
            Collected::Nothing => state::NOTHING,
            Collected::Results(done) if done.success => state::SUCCEEDED,
            Collected::Results(_) => state::FAILED,
        };
        let mut to = begin(&mut sender, id, state);
        if let Collected::Results(done) = one {
            match encode(endpoint, done, &mut to) {
                Ok(()) => {}
                Err(why @ CallError::Channel(_)) => return Err(why),
                Err(_) => {
                    drop(to);
                    to = begin(&mut sender, id, state::NOTHING);
                }
            }
        }
        to.commit(Wake::Now)?;
    }
    Ok(())
}

/// Begins the record of a call.
fn begin(sender: &mut Sender, id: u32, state: u8) -> Writer<'_> {
    let mut to = sender.record(record::RETURN);
    to.put_u64(reply_head(0, id, None));
    to.put_u8(state);
    to
}

/// Encodes the results of a call, and ends the call.
fn encode<P: Endpoint>(endpoint: &P, mut done: Done, to: &mut Writer<'_>) -> CallResult<()> {
    let Done { number, call, arguments, success, .. } = done;
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    // Keeps the memory of the call alive until its results were encoded.
    let _in_use = std::mem::take(&mut done.scratch.in_use);
    let mut marshaller = marshaller(endpoint, &mut done.scratch, block, arguments);
    marshaller.resume(done.parts);
    marshaller.is_async = true;
    // SAFETY: `Done` keeps the argument struct and its memory alive in `scratch`.
    let encoded = unsafe { marshaller.encode_reply(block, arguments, success, call.facts.result, to) };
    let mut ended = Vec::new();
    marshaller.settle(success, &mut ended);
    endpoint.record_ended(ended);
    for (function, address) in marshaller.frees.drain(..) {
        endpoint.free(function, address);
    }
    encoded.inspect_err(|why| {
        refusals::explain(endpoint.described(), call.name, why);
        endpoint.record_failure(number, 0);
    })
}
