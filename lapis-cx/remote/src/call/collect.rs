//! Collects the results of asynchronous calls: the guest names the calls, and the worker replies with the state and the results of each call.
//!
//! ```text
//! COLLECT u32 flags and id | u32 count | u64 number of each call
//! RETURN  u64 flags | announcements | for each call: u8 state, and the contents of its buffers if it has results
//! ```

use std::rc::Rc;

use super::asynchronous::{Claims, Collected, Done, SentCall};
use super::endpoint::{Endpoint, marshaller, take_announcements};
use super::fast_path::ends;
use super::fast_path::serve::put_head;
use super::link::{Link, UNEXPECTED};
use super::links;
use super::order::Key;
use super::start;
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::{CallError, CallResult, Scratch};
use crate::protocol::{AT_ONCE, ID_SHIFT, MOST, NESTED, answer, record};
use crate::{Reader, Wake, Writer};

/// The states of a call in the reply.
mod state {
    pub const NOT_OVER: u8 = 0;
    pub const NOTHING: u8 = 1;
    pub const FAILED: u8 = 2;
    pub const SUCCEEDED: u8 = 3;
}

/// Collects the results of earlier calls that share a lane with a synchronous call, which is over: the calls with lower numbers than `before`.
/// The worker started the synchronous call after they were over.
#[cold]
pub(crate) fn collect_lanes<P: Endpoint>(endpoint: &P, link: &Rc<Link>, keys: &[Key], before: u64) {
    let ids = endpoint.sent_calls().map(|all| all.of_lanes(keys, before)).unwrap_or_default();
    // The synchronous call was made. If the channel failed meanwhile, the next call reports it.
    let _ = collect(endpoint, link, &ids);
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
    request(endpoint, link, waits.id | AT_ONCE, claims)
}

/// Waits until these calls are over and collects their results, unless another thread does. A request in a callback does not wait, because
/// the call may wait for the callback. Returns whether the results of all calls have arrived.
///
/// # Errors
///
/// The channel failed.
#[cold]
#[inline(never)]
pub(crate) fn collect<P: Endpoint>(endpoint: &P, link: &Rc<Link>, ids: &[u64]) -> CallResult<bool> {
    let Some(sent_calls) = endpoint.sent_calls() else { return Ok(true) };
    let mut left = ids.to_vec();
    while !left.is_empty() {
        let waits = link.wait()?;
        let claims = sent_calls.claim(left.get(..MOST as usize).unwrap_or(&left));
        let claimed: Vec<u64> = claims.calls.iter().map(|(id, _)| *id).collect();
        if !claimed.is_empty() {
            request(endpoint, link, waits.id, claims)?;
        }
        left = sent_calls.wait(&left);
        // Calls whose claim another thread ended without results are claimed in the next round.
        if left.iter().any(|id| claimed.contains(id)) {
            return Ok(false);
        }
    }
    Ok(true)
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
    let mut receiver = link.next_for(id, false)?;
    let mut from = receiver.again();
    if from.kind() != record::RETURN {
        return Err(UNEXPECTED);
    }
    link.files_are_settled(endpoint);
    let flags = from.get_u64()? as u8;
    take_announcements(endpoint, flags, &mut from)?;
    if flags & answer::FAILED != 0 {
        // The worker could not encode the results, and reports the calls as failed with a later reply.
        return Ok(());
    }
    while let Some((call, sent_call)) = claims.calls.pop_front() {
        match from.get_u8()? {
            state::NOT_OVER => claims.put_back(call, sent_call),
            state::NOTHING => claims.remove(call),
            state => {
                let decoded = decode(endpoint, sent_call, state == state::SUCCEEDED, &mut from);
                claims.remove(call);
                decoded?;
            }
        }
    }
    ends(&from)
}

/// Decodes the results of a call into the program's memory.
fn decode<P: Endpoint>(
    endpoint: &P,
    SentCall { call, arguments, parts, in_use: _in_use, .. }: SentCall,
    success: bool,
    from: &mut Reader<'_>,
) -> CallResult<()> {
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    let mut scratch = Scratch::default();
    let mut marshaller = marshaller(endpoint, &mut scratch, block, arguments.address());
    marshaller.resume(parts);
    marshaller.is_sent = true;
    // SAFETY: `SentCall` owns the argument struct. The specification guarantees that the program's buffers live until the results arrive.
    let decoded = unsafe { marshaller.decode_reply(block, arguments.address(), success, call.facts.result, from) };
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
    let mut collected = endpoint.take_results(link, calls, waits, flags & NESTED != 0)?.into_iter();
    let (ended, failures) = (endpoint.take_ended(), endpoint.take_failures());
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    put_head(&mut to, 0, (id, None), (&ended, &failures));
    let mut encoded_calls = Vec::new();
    let encoded = collected.by_ref().try_for_each(|one| {
        match one {
            Collected::NotOver => to.put_u8(state::NOT_OVER),
            Collected::Nothing => to.put_u8(state::NOTHING),
            Collected::Results(done) => {
                let number = done.number;
                encode(endpoint, done, Some(&mut to))?;
                encoded_calls.push(number);
            }
        }
        Ok(())
    });
    match encoded {
        Ok(()) => Ok(to.commit(Wake::Now)?),
        Err(why @ CallError::Channel(_)) => Err(why),
        Err(_) => {
            drop(to);
            failures.iter().for_each(|(function, result)| endpoint.record_failure(*function, *result));
            // The results before the refused ones are lost with the record.
            encoded_calls.iter().for_each(|number| endpoint.record_failure(*number, 0));
            for one in collected {
                if let Collected::Results(done) = one {
                    endpoint.record_failure(done.number, 0);
                    encode(endpoint, done, None)?;
                }
            }
            let mut to = sender.record(record::RETURN);
            put_head(&mut to, answer::FAILED, (id, None), (&ended, &[]));
            Ok(to.commit(Wake::Now)?)
        }
    }
}

/// Encodes the results of a call, and ends the call. Without a writer it only ends the call.
fn encode<P: Endpoint>(endpoint: &P, mut done: Done, to: Option<&mut Writer<'_>>) -> CallResult<()> {
    let Done { number, call, arguments, success, .. } = done;
    let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
    // Keeps the memory of the call alive until its results were encoded.
    let _in_use = std::mem::take(&mut done.scratch.in_use);
    let mut marshaller = marshaller(endpoint, &mut done.scratch, block, arguments);
    marshaller.resume(done.parts);
    marshaller.is_async = true;
    let encoded = to.map_or(Ok(()), |to| {
        to.put_u8(if success { state::SUCCEEDED } else { state::FAILED });
        // SAFETY: `Done` keeps the argument struct and its memory alive in `scratch`.
        unsafe { marshaller.encode_reply(block, arguments, success, call.facts.result, to) }
    });
    let mut ended = Vec::new();
    marshaller.settle(success, &mut ended);
    endpoint.record_ended(ended);
    for (function, address) in marshaller.frees.drain(..) {
        endpoint.free(function, address);
    }
    encoded.inspect_err(|why| {
        start::explain(endpoint.described(), call.name, why);
        endpoint.record_failure(number, 0);
    })
}
