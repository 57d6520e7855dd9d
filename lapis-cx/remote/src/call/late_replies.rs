//! Results of asynchronous calls, which go with the reply of a later call.

use super::later::{Asked, News};
use super::link::UNEXPECTED;
use super::party::{Party, walk};
use crate::marshal::{Scratch, Walked};
use crate::{Reader, Writer};

/// Encodes the functions that failed, the calls without results, and the results that are known now.
pub(super) fn put_late<P: Party>(party: &P, news: &mut News, to: &mut Writer<'_>) -> Walked<()> {
    let News { failed, dropped, done } = news;
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
        let Some(block) = party.described().plan.blocks.get(one.call.arguments as usize) else {
            return Err(UNEXPECTED);
        };
        let parts = std::mem::take(&mut one.parts);
        // What it uses stays until it was sent.
        let _in_use = std::mem::take(&mut one.scratch.in_use);
        let mut walk = walk(party, &mut one.scratch, block, one.arguments);
        walk.resume(parts);
        walk.is_async = true;
        // SAFETY: the memory of the call was kept.
        let sent = unsafe { walk.send_exit(block, one.arguments, one.success, one.call.result, to) };
        let mut ended = Vec::new();
        walk.settle(one.success && sent.is_ok(), &mut ended);
        party.is_late(ended);
        for (function, address) in walk.frees.drain(..) {
            party.free(function, address);
        }
        sent?;
    }
    Ok(())
}

/// Decodes what [`put_late`] encoded, into the memory of the calls.
pub(super) fn take_late<P: Party>(party: &P, from: &mut Reader<'_>) -> Walked<()> {
    for _ in 0..from.get_u32()? {
        let (function, result) = (from.get_u32()?, from.get_u64()?);
        party.failed_late(function, result.cast_signed());
    }
    for _ in 0..from.get_u32()? {
        // Nothing comes of these any more.
        party.take_expected(from.get_u64()?);
    }
    for _ in 0..from.get_u32()? {
        let (id, success) = (from.get_u64()?, from.get_u8()? != 0);
        let Asked { call, arguments, parts, in_use: _in_use } = party.take_expected(id).ok_or(UNEXPECTED)?;
        let block = party.described().plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
        let mut scratch = Scratch::default();
        let mut walk = walk(party, &mut scratch, block, arguments.address());
        walk.resume(parts);
        walk.is_sent = true;
        // SAFETY: the arguments were kept; what they point at is lent until now.
        let taken = unsafe { walk.receive_exit(block, arguments.address(), success, call.result, from) };
        walk.settle(success && taken.is_ok(), &mut Vec::new());
        taken?;
    }
    Ok(())
}
