//! Copies of memory that the other side owns. Both sides may write to such memory between calls. So the side with the copy keeps its
//! *base*: the contents on which both sides last agreed. It sends what differs from the base as changes, and the owner stores these only. Of
//! contents that it receives, it keeps what this side has changed meanwhile.

use super::access::{bytes, bytes_mut, store_runs};
use super::frame::{After, MemoryKind, Received};
use super::marshaller::{Marshaller, SentChanges};
use super::pages;
use super::pointer::Known;
use super::side::{CallError, CallResult};
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Buffer, Kind, Value};
use crate::{Reader, Writer};

/// Returns how a pass encodes a buffer, and what follows. `to_base` is the distance to the base of a copy whose changes are sent.
pub(super) fn copy_of(to_base: Option<usize>) -> (MemoryKind, After) {
    match to_base {
        Some(to_base) => (MemoryKind::Copy { to_base }, After::SendChanges { to_base }),
        None => (MemoryKind::Used, After::Nothing),
    }
}

/// Stores received bytes into a copy, except where this side has changed it.
///
/// # Safety
///
/// The copy at `address` and its base must be valid for as many bytes.
pub(super) unsafe fn merge(address: usize, received: &[u8], to_base: usize) {
    // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
    let (copy, base) =
        unsafe { (bytes_mut(address, received.len()), bytes_mut(address.wrapping_add(to_base), received.len())) };
    if copy == base {
        copy.copy_from_slice(received);
    } else {
        for ((copy, base), new) in copy.iter_mut().zip(&*base).zip(received) {
            if copy == base {
                *copy = *new;
            }
        }
    }
    base.copy_from_slice(received);
}

fn is_set(bits: &[u8], at: usize) -> bool {
    bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0)
}

/// Returns the size in bytes of a value that is one number or pointer in memory.
fn size_of_one(value: &Value) -> Option<usize> {
    match &value.kind {
        Kind::Scalar { scalar, .. } => Some(scalar.bytes),
        Kind::Handle(handle) => Some(handle.bytes),
        Kind::File(file) => Some(file.bytes),
        Kind::Block(_) | Kind::Array(_) | Kind::Match(_) | Kind::Nothing | Kind::Local(_) => None,
        _ => Some(size_of::<usize>()),
    }
}

impl Marshaller<'_> {
    /// Returns the distance from a buffer to its base, if it is a copy that has one, or gets one because this side may change it. `region` is 0
    /// if the message does not keep the copy.
    pub(super) fn base_of(
        &mut self,
        buffer: &'static Buffer,
        region: u32,
        known: Option<Known>,
        name: u32,
    ) -> CallResult<Option<usize>> {
        if region == 0 || buffer.is_constant {
            return Ok(known.and_then(|place| place.to_base));
        }
        self.add_base(region, name)
    }

    /// Gives a copy a base, unless it has one. Returns the distance from the copy to the base.
    fn add_base(&mut self, region: u32, name: u32) -> CallResult<Option<usize>> {
        let mut tables = self.lock();
        if !tables.add_base(region) {
            return Err(CallError::Refused("there is no memory for it", name));
        }
        let Some(region) = tables.region(region) else { return Ok(None) };
        self.in_use.extend(region.base.clone());
        Ok(region.to_base())
    }

    /// Returns the address of memory that this side owns, if the other side may change it through its copy.
    pub(super) fn changeable(&self, place: Known, name: u32) -> CallResult<usize> {
        // The library may change all memory that it keeps.
        if place.is_owner && (place.is_changeable || !self.is_worker()) {
            return Ok(place.here);
        }
        Err(CallError::Refused("the program changed it, but the library returned it as constant memory", name))
    }

    /// Notes which of `size` bytes of a copy this side has changed, if the pass is in one.
    ///
    /// # Safety
    ///
    /// The bytes must be in the copy.
    pub(super) unsafe fn note_changes(&mut self, address: usize, size: usize) {
        let MemoryKind::Copy { to_base } = self.kind else { return };
        // SAFETY: the caller upholds the contract of this function.
        let (copy, base) = unsafe { (bytes(address, size), bytes(address.wrapping_add(to_base), size)) };
        if copy == base {
            return;
        }
        let differs = |at: usize| copy.get(at) != base.get(at);
        let mut at = 0;
        while at < size {
            let run = (at..size).take_while(|at| differs(*at)).count();
            self.changes.extend((run != 0).then_some((address + at, run)));
            at += run + 1;
        }
    }

    /// Notes whether this side has changed a number or pointer of a copy, if the pass is in one.
    ///
    /// # Safety
    ///
    /// `address` must be that of the value.
    pub(super) unsafe fn note_change(&mut self, value: &Value, address: usize) {
        let (MemoryKind::Copy { to_base }, Some(size)) = (self.kind, size_of_one(value)) else { return };
        // SAFETY: the caller upholds the contract of this function.
        if unsafe { bytes(address, size) != bytes(address.wrapping_add(to_base), size) } {
            self.changes.push((address, size));
        }
    }

    /// Returns whether the value that is encoded now, at `address`, is one that this side has changed.
    pub(super) fn is_changed(&self, address: usize) -> bool {
        self.changes.last().is_some_and(|last| last.0 == address)
    }

    /// Encodes the elements of a flat buffer, and what follows them.
    ///
    /// # Safety
    ///
    /// The memory must be as `sent` describes.
    pub(super) unsafe fn encode_flat(
        &mut self,
        sent: &Received,
        kind: MemoryKind,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let size = self.bytes(sent.valid, sent.buffer.stride, sent.name)?;
        let around = std::mem::replace(&mut self.kind, kind);
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            self.note_changes(sent.here, size);
            self.kind = around;
            if sent.is_result && size >= pages::LEAST {
                self.encode_runs(sent.here, size, to)
            } else {
                to.put(bytes(sent.here, size))
            }
            self.encode_after(sent, to)
        }
    }

    /// Encodes which bytes of a copy this side has changed, after the contents.
    ///
    /// # Safety
    ///
    /// `of.bytes` bytes at `of.here` must be a copy with a base at this distance.
    unsafe fn encode_changes(&mut self, of: &Received, to_base: usize, to: &mut Writer<'_>) -> CallResult<()> {
        let is_inside = |change: &mut (usize, usize)| (of.here..of.here + of.bytes).contains(&change.0);
        let changes: Vec<(usize, usize)> = self.changes.extract_if(.., is_inside).collect();
        next_field(FieldKind::Flags);
        to.put_u8(u8::from(!changes.is_empty()));
        if changes.is_empty() {
            return Ok(());
        }
        self.charge(of.bytes.div_ceil(8))?;
        let mut changed = vec![0u8; of.bytes.div_ceil(8)];
        for (address, size) in changes {
            let size = size.min(of.here + of.bytes - address);
            for at in address - of.here..address - of.here + size {
                if let Some(byte) = changed.get_mut(at / 8) {
                    *byte |= 1 << (at % 8);
                }
            }
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes_mut(address.wrapping_add(to_base), size).copy_from_slice(bytes(address, size)) };
        }
        next_field(FieldKind::Flags);
        to.put(&changed);
        self.sent_changes.push(SentChanges { start: of.here, to_base, changed });
        Ok(())
    }

    /// Marks the changes that were sent as unsent: the call was not made.
    pub(super) fn take_back_sent_changes(&mut self) {
        for SentChanges { start, to_base, changed } in self.sent_changes.drain(..) {
            for at in (0..changed.len() * 8).filter(|at| is_set(&changed, *at)) {
                // SAFETY: the call keeps the copy and its base allocated. A base with another value makes the byte a change.
                unsafe { bytes_mut((start + at).wrapping_add(to_base), 1).fill(!bytes(start + at, 1)[0]) };
            }
        }
    }

    /// Decodes which bytes of the contents before are changes, and stores them into the memory at `owner`.
    ///
    /// # Errors
    ///
    /// The owner's memory is not writable, or the channel fails.
    ///
    /// # Safety
    ///
    /// `of.bytes` bytes of contents must have been decoded to `of.here`. `owner` must be the address of as many bytes that the other
    /// side may change.
    unsafe fn decode_changes(&mut self, of: &Received, owner: usize, from: &mut Reader<'_>) -> CallResult<()> {
        if from.get_u8()? == 0 {
            return Ok(());
        }
        self.charge(of.bytes.div_ceil(8))?;
        let mut changed = vec![0u8; of.bytes.div_ceil(8)];
        from.get(&mut changed)?;
        let (mut at, mut runs) = (0, Vec::new());
        while at < of.bytes {
            let run = (at..of.bytes).take_while(|at| is_set(&changed, *at)).count();
            runs.extend((run != 0).then_some(at..at + run));
            at += run + 1;
        }
        self.charge(size_of_val(runs.as_slice()))?;
        // SAFETY: the caller upholds the contract of this function.
        if !unsafe { store_runs(owner, bytes(of.here, of.bytes), &runs) } {
            return Err(CallError::Refused("the other side changed it, but its memory is not writable", of.name));
        }
        Ok(())
    }

    /// Does what follows the contents of a buffer in an encoded message.
    ///
    /// # Safety
    ///
    /// The memory must be as `of` describes.
    pub(super) unsafe fn encode_after(&mut self, of: &Received, to: &mut Writer<'_>) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            match of.after {
                After::SendChanges { to_base } => self.encode_changes(of, to_base, to)?,
                After::Agree { to_base } => agree(of.here, of.bytes, to_base),
                After::Nothing | After::TakeChanges { .. } => {}
            }
        }
        Ok(())
    }

    /// Does what follows the contents of a buffer in a decoded message.
    ///
    /// # Safety
    ///
    /// The memory must be as `of` describes.
    pub(super) unsafe fn decode_after(&mut self, of: &Received, from: &mut Reader<'_>) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        unsafe {
            match of.after {
                After::TakeChanges { owner } => self.decode_changes(of, owner, from)?,
                After::Agree { to_base } => agree(of.here, of.bytes, to_base),
                After::Nothing | After::SendChanges { .. } => {}
            }
        }
        Ok(())
    }
}

/// Notes that both sides have the contents of a copy.
///
/// # Safety
///
/// The copy and its base must have `size` bytes.
unsafe fn agree(here: usize, size: usize, to_base: usize) {
    // SAFETY: the caller upholds the contract of this function. The base is a separate allocation.
    unsafe { bytes_mut(here.wrapping_add(to_base), size).copy_from_slice(bytes(here, size)) };
}
