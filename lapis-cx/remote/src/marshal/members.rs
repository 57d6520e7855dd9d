//! Members of structs behind handles. At the end of each message, the worker sends the members of the objects that the message names. The guest
//! sends the numbers among these members that the program has changed since.

use std::collections::HashSet;
use std::ops::Range;

use super::access::{bytes, bytes_mut};
use super::marshaller::{Marshaller, SentMember, lock};
use super::side::{CallError, CallResult};
use crate::plan::{Block, Members};
use crate::{Reader, Writer};

impl Marshaller<'_> {
    fn members_of(&self, kind: u32) -> Option<&'static Members> {
        self.stage.plan.handles.get(kind as usize)?.facts.as_ref()
    }

    /// Records that the message names an object, so it also carries the members of the object's struct.
    pub(super) fn copies_members(&mut self, kind: u32, id: u64) {
        if self.stage.plan.has_members && id != 0 && self.members_of(kind).is_some() {
            self.with_members.push((kind, id));
        }
    }

    /// Encodes the members of the objects that the message names.
    ///
    /// # Errors
    ///
    /// The program changed a pointer, which cannot be sent, or the channel failed.
    ///
    /// # Safety
    ///
    /// The objects of the handles that the message names must exist, and begin with the structs that the plan describes.
    pub unsafe fn send_members(&mut self, to: &mut Writer<'_>) -> CallResult<()> {
        if !self.stage.plan.has_members {
            return Ok(());
        }
        let (mut sent, mut next) = (HashSet::new(), 0);
        // The members of an object may name other objects.
        while let Some(object) = self.with_members.get(next).copied() {
            next += 1;
            if !sent.insert(object) {
                continue;
            }
            // SAFETY: the caller upholds the contract of this function.
            unsafe { if self.is_worker() { self.send_struct(object, to)? } else { self.send_changes(object, to)? } }
        }
        to.put_u8(0);
        Ok(())
    }

    /// On the worker: encodes the struct of an object.
    ///
    /// # Safety
    ///
    /// As for [`send_members`](Self::send_members).
    unsafe fn send_struct(&mut self, (kind, id): (u32, u64), to: &mut Writer<'_>) -> CallResult<()> {
        let Some((_, block)) = self.block_of(kind) else { return Ok(()) };
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        // The call has ended the object.
        let Some(address) = self.lock().address_of(kind, id, bytes) else { return Ok(()) };
        put_object(to, (kind, id));
        let end = std::mem::replace(&mut self.end, address + block.bytes);
        // SAFETY: the specification guarantees that the library's object begins with such a struct.
        let sent = unsafe { self.encode_reply(block, address, true, None, to) };
        self.end = end;
        sent
    }

    /// On the guest: encodes the numbers in the struct of an object that the program has changed.
    ///
    /// # Safety
    ///
    /// As for [`send_members`](Self::send_members).
    unsafe fn send_changes(&mut self, object: (u32, u64), to: &mut Writer<'_>) -> CallResult<()> {
        let Some((members, _)) = self.block_of(object.0).filter(|_| self.side.substitutes().is_none()) else {
            return Ok(());
        };
        let mut changed = Vec::new();
        if let Some((address, seen)) = self.lock().stand_in_and_seen(object.0, object.1) {
            // SAFETY: the guest allocated this memory for the object, with its struct at the beginning.
            let now = |offset: usize, size: usize| unsafe { bytes(address + offset, size) };
            if members.others.iter().any(|one| seen.get(one.range()) != Some(now(one.offset, one.bytes))) {
                let name = self.stage.plan.handles.get(object.0 as usize).map_or(0, |handle| handle.name);
                let why = "the program changed a pointer in the struct behind the handle; only numbers of it are sent";
                return Err(CallError::Refused(why, name));
            }
            for (n, one) in (0_u32..).zip(&members.numbers) {
                let Some(known) = seen.get_mut(one.range()).filter(|known| **known != *now(one.offset, one.bytes))
                else {
                    continue;
                };
                // Read only once, because another thread of the program may change the numbers.
                let now = now(one.offset, one.bytes).to_vec();
                for run in differences(known, &now, one.each) {
                    let (before, new) = (&mut known[run.clone()], &now[run.clone()]);
                    let offset = one.offset + run.start;
                    self.effects.sent_members.push(SentMember { object, offset, before: before.to_vec() });
                    before.copy_from_slice(new);
                    changed.push((n, run.start / one.each, new.len() / one.each, new.to_vec()));
                }
            }
        }
        if changed.is_empty() {
            return Ok(());
        }
        put_object(to, object);
        to.put_u32(changed.len() as u32);
        for (n, first, count, now) in changed {
            to.put_u32(n);
            to.put_u32(first as u32);
            to.put_u32(count as u32);
            to.put(&now);
        }
        Ok(())
    }

    /// Marks the changes that were sent as unsent: the call was not made, so the other side did not apply them.
    pub fn take_back_changes(&mut self) {
        for SentMember { object, offset, before } in self.effects.sent_members.drain(..).rev() {
            if let Some((_, seen)) = lock(self.tables).stand_in_and_seen(object.0, object.1)
                && let Some(known) = seen.get_mut(offset..offset + before.len())
            {
                known.copy_from_slice(&before);
            }
        }
    }

    /// Decodes the members of objects.
    ///
    /// # Errors
    ///
    /// The message contradicts the plan, or the channel failed.
    ///
    /// # Safety
    ///
    /// The objects of the handles that the message names must exist, and begin with the structs that the plan describes.
    pub unsafe fn receive_members(&mut self, from: &mut Reader<'_>) -> CallResult<()> {
        if !self.stage.plan.has_members {
            return Ok(());
        }
        while from.get_u8()? != 0 {
            let object = (from.get_u32()?, from.get_u64()?);
            let unknown = CallError::Refused("the message has members of an unknown object", self.call);
            let (members, block) = self.block_of(object.0).ok_or(unknown)?;
            // SAFETY: the caller upholds the contract of this function.
            unsafe {
                if self.is_worker() {
                    self.receive_changes(object, members, from)?;
                } else {
                    self.receive_struct(object, block, from)?;
                }
            }
        }
        Ok(())
    }

    /// On the guest: decodes the struct of an object.
    ///
    /// # Safety
    ///
    /// As for [`receive_members`](Self::receive_members).
    unsafe fn receive_struct(
        &mut self,
        (kind, id): (u32, u64),
        block: &'static Block,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        let unknown = CallError::Refused("the message has members of an unknown object", self.call);
        let address = self.lock().stand_in(kind, id).ok_or(unknown)? as usize;
        let scratch = self.allocate(block.bytes, align_of::<usize>(), self.call)?;
        // SAFETY: the guest allocated this memory for the object, with its struct at the beginning.
        unsafe { bytes_mut(scratch, block.bytes).copy_from_slice(bytes(address, block.bytes)) };
        let end = std::mem::replace(&mut self.end, scratch + block.bytes);
        // SAFETY: the scratch memory has the size of the struct.
        let received = unsafe { self.decode_reply(block, scratch, true, None, from) };
        self.end = end;
        received?;
        let Some(members) = self.members_of(kind) else { return Ok(()) };
        // The lock makes this atomic for other threads, which compare the struct with `seen`.
        let mut tables = self.lock();
        let Some((_, seen)) = tables.stand_in_and_seen(kind, id) else { return Ok(()) };
        for one in members.numbers.iter().chain(&members.others) {
            let Some(known) = seen.get_mut(one.range()) else { continue };
            // SAFETY: as above; the members are within the struct.
            let (now, new) =
                unsafe { (bytes_mut(address + one.offset, one.bytes), bytes(scratch + one.offset, one.bytes)) };
            // Members that the program has changed meanwhile keep their values: the guest has not sent them yet.
            if now == known {
                now.copy_from_slice(new);
            } else {
                let numbers = now.chunks_mut(one.each).zip(known.chunks(one.each)).zip(new.chunks(one.each));
                for ((now, _), new) in numbers.filter(|((now, known), _)| now == known) {
                    now.copy_from_slice(new);
                }
            }
            known.copy_from_slice(new);
        }
        Ok(())
    }

    /// On the worker: decodes changed numbers and stores them in the struct of the library's object.
    ///
    /// # Safety
    ///
    /// As for [`receive_members`](Self::receive_members).
    unsafe fn receive_changes(
        &mut self,
        (kind, id): (u32, u64),
        members: &'static Members,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        let unknown = CallError::Refused("the message has members of an unknown object", self.call);
        // An object whose call is not over or failed has no members.
        let address = self.lock().address_of(kind, id, bytes).ok_or(unknown)?;
        for _ in 0..from.get_u32()? {
            let [n, first, count] = [from.get_u32()?, from.get_u32()?, from.get_u32()?].map(|number| number as usize);
            let one = members.numbers.get(n).ok_or(unknown)?;
            let (start, size) = (first.saturating_mul(one.each), count.saturating_mul(one.each));
            if start.saturating_add(size) > one.bytes {
                return Err(unknown);
            }
            // SAFETY: the specification guarantees that the object begins with this struct, and the plan that the numbers are in the struct.
            from.get(unsafe { bytes_mut(address + one.offset + start, size) })?;
        }
        Ok(())
    }

    fn block_of(&self, kind: u32) -> Option<(&'static Members, &'static Block)> {
        let members = self.members_of(kind)?;
        Some((members, self.block(members.block)?))
    }
}

fn put_object(to: &mut Writer<'_>, (kind, id): (u32, u64)) {
    to.put_u8(1);
    to.put_u32(kind);
    to.put_u64(id);
}

/// Returns the ranges of bytes in which numbers of `each` bytes differ.
fn differences(one: &[u8], other: &[u8], each: usize) -> Vec<Range<usize>> {
    let mut all = Vec::<Range<usize>>::new();
    let numbers = one.chunks(each).zip(other.chunks(each)).enumerate();
    for (n, _) in numbers.filter(|(_, (one, other))| one != other) {
        let range = n * each..(n + 1) * each;
        match all.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => all.push(range),
        }
    }
    all
}
