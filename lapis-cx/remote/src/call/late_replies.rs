//! Encodes and decodes results of asynchronous calls, which are part of the reply of a later call.

use super::asynchronous::{LateResults, SentCall};
use super::endpoint::{Endpoint, marshaller};
use super::link::UNEXPECTED;
use crate::marshal::{CallResult, Scratch};
use crate::{Reader, Writer};

/// Encodes failed calls, calls without results, and available results.
pub(super) fn put_late<P: Endpoint>(
    endpoint: &P,
    late_results: &mut LateResults,
    to: &mut Writer<'_>,
) -> CallResult<()> {
    let LateResults { failed, dropped, done } = late_results;
    to.put_u32(failed.len() as u32);
    for (function, result) in failed {
        to.put_u32(*function);
        to.put_u64(result.cast_unsigned());
    }
    to.put_u32(dropped.len() as u32);
    dropped.iter().for_each(|id| to.put_u64(*id));
    to.put_u32(done.len() as u32);
    for one in done {
        to.put_u64(one.id);
        to.put_u8(u8::from(one.success));
        let Some(block) = endpoint.described().plan.blocks.get(one.call.arguments as usize) else {
            return Err(UNEXPECTED);
        };
        let parts = std::mem::take(&mut one.parts);
        // Keeps the memory of the call alive until its results were encoded.
        let _in_use = std::mem::take(&mut one.scratch.in_use);
        let mut marshaller = marshaller(endpoint, &mut one.scratch, block, one.arguments);
        marshaller.resume(parts);
        marshaller.is_async = true;
        // SAFETY: `Done` keeps the argument struct and its memory alive in `scratch`.
        let sent = unsafe { marshaller.encode_reply(block, one.arguments, one.success, one.call.facts.result, to) };
        let mut ended = Vec::new();
        marshaller.settle(one.success, &mut ended);
        endpoint.record_ended(ended);
        for (function, address) in marshaller.frees.drain(..) {
            endpoint.free(function, address);
        }
        sent?;
    }
    Ok(())
}

/// Decodes the output of [`put_late`] into the memory of the calls.
pub(super) fn take_late<P: Endpoint>(endpoint: &P, from: &mut Reader<'_>) -> CallResult<()> {
    for _ in 0..from.get_u32()? {
        let (function, result) = (from.get_u32()?, from.get_u64()?);
        endpoint.report_late_failure(function, result.cast_signed());
    }
    for _ in 0..from.get_u32()? {
        // The worker discarded the results of these calls.
        endpoint.take_expected(from.get_u64()?);
    }
    for _ in 0..from.get_u32()? {
        let (id, success) = (from.get_u64()?, from.get_u8()? != 0);
        let SentCall { call, arguments, parts, in_use: _in_use, .. } = endpoint.take_expected(id).ok_or(UNEXPECTED)?;
        let block = endpoint.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
        let mut scratch = Scratch::default();
        let mut marshaller = marshaller(endpoint, &mut scratch, block, arguments.address());
        marshaller.resume(parts);
        marshaller.is_sent = true;
        // SAFETY: `SentCall` owns the argument struct. The specification guarantees that the program's buffers live until the results
        // arrive.
        let taken = unsafe { marshaller.decode_reply(block, arguments.address(), success, call.facts.result, from) };
        marshaller.settle(success && taken.is_ok(), &mut Vec::new());
        taken?;
    }
    Ok(())
}
