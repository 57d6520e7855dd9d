//! Pointers into memory that both sides have, and how a message names them: never by an address.

use super::entries::BufferEntry;
use super::marshaller::Marshaller;
use super::side::{CallError, CallResult};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::shape::Shape;
use crate::plan::Code;
use crate::{Reader, Writer};

/// The first byte of a pointer in a message. Of memory that the receiver makes, the upper four bits are the alignment of the sender's
/// (its logarithm to the base 2).
pub(super) mod tag {
    /// Null.
    pub const NULL: u8 = 0;
    /// Memory for this call: an element count, and contents.
    pub const CALL: u8 = 1;
    /// New memory that outlives the call: the number of its region, an element count, and contents.
    pub const RETAINED: u8 = 2;
    /// Memory of a region: its number and an offset; contents as the plan says.
    pub const REGION: u8 = 3;
    /// Memory that an earlier pointer of the same call led to: its position and an offset; contents as the plan says.
    pub const VISIT: u8 = 4;
    /// An address that means nothing here.
    pub const BITS: u8 = 5;
    /// In a reply: unchanged.
    pub const SAME: u8 = 6;
    /// In a reply: memory of a region, and new contents.
    pub const REFRESHED: u8 = 7;
    /// Memory for this call in which several buffers overlap: its bytes, the offset of this buffer, an element count, and contents.
    pub const SPAN: u8 = 9;
    /// As `VISIT`, and the contents are those that the earlier pointer carries.
    pub const REPEATED: u8 = 8;
}

/// The bits of a first byte that are the tag.
const TAG: u8 = 0xf;
/// Copies keep an alignment of up to a page, as a logarithm.
const PAGE: u8 = 12;

/// The alignment of an address that a copy of what lies there keeps, as a logarithm.
pub(crate) fn alignment_of(here: usize) -> u8 {
    (here.trailing_zeros() as u8).min(PAGE)
}

/// Writes a tag of memory that the receiver makes as a copy of memory here.
pub(super) fn put_tag(to: &mut Writer<'_>, tag: u8, here: usize) {
    next_field(FieldKind::Tag);
    to.put_u8(tag | alignment_of(here) << 4);
}

/// Reads a tag, and the alignment that memory of it has, in bytes.
pub(super) fn get_tag(from: &mut Reader<'_>) -> CallResult<(u8, usize)> {
    let byte = from.get_u8()?;
    Ok((byte & TAG, 1 << (byte >> 4).min(PAGE)))
}

/// Writes where something lies in memory that both sides have.
pub(super) fn put_place(to: &mut Writer<'_>, tag: u8, id: u32, offset: usize) {
    next_field(FieldKind::Tag);
    to.put_u8(tag);
    next_field(FieldKind::Region);
    to.put_u32(id);
    next_field(FieldKind::Offset);
    to.put_u64(offset as u64);
}

/// Memory that both sides have.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub here: usize,
    /// From its start.
    pub offset: usize,
    /// Bytes up to its end.
    pub room: usize,
    shape: Shape,
    /// What the other side sends may be written there.
    pub is_ours: bool,
}

impl Known {
    /// `offset` bytes from a start, unless that is beyond the end.
    pub fn within(start: usize, bytes: usize, offset: u64, shape: Shape, is_ours: bool) -> Option<Known> {
        let offset = usize::try_from(offset).ok().filter(|at| *at <= bytes)?;
        Some(Known { here: start + offset, offset, room: bytes - offset, shape, is_ours })
    }

    /// Whether what has this shape may lie there.
    pub fn shape_fits(self, shape: Shape) -> bool {
        shape.fits(self.shape, self.offset)
    }

    /// Whether the other side may fill it with what has this shape.
    pub fn may_take(self, shape: Shape) -> bool {
        self.is_ours && self.shape_fits(shape)
    }
}

/// Memory that both sides have, as the sender found it.
pub(super) enum Place {
    BufferEntry(u32, usize),
    Region(u32, usize),
}

impl Place {
    pub fn put(&self, to: &mut Writer<'_>) {
        match *self {
            Place::BufferEntry(entry, offset) => put_place(to, tag::VISIT, entry, offset),
            Place::Region(id, offset) => put_place(to, tag::REGION, id, offset),
        }
    }
}

impl Marshaller<'_> {
    /// Finds `bytes` of memory that both sides have, in which only what has that shape may lie.
    pub(super) fn find_known(&mut self, pointer: usize, bytes: usize, shape: Option<Shape>) -> Option<Place> {
        if pointer == 0 {
            return None;
        }
        if let Some((entry, offset)) = self.entry_with(pointer, bytes, shape) {
            return Some(Place::BufferEntry(entry, offset));
        }
        let tables = self.lock();
        let (id, offset) = tables.find_region(pointer)?;
        let region = tables.region(id)?;
        let fits = shape.is_none_or(|shape| shape.fits(region.shape, offset));
        (bytes <= region.bytes - offset.min(region.bytes) && fits).then_some(Place::Region(id, offset))
    }

    /// Finds where a pointer leads that may also be one behind the last byte. `inside` is an expression for memory that it lies in, if
    /// the specification says one: the end of one buffer can be the start of another.
    pub(super) fn find_within(&mut self, pointer: usize, inside: Option<&Code>) -> Option<Place> {
        if pointer == 0 {
            return None;
        }
        let start = inside.and_then(|code| self.eval(code)).and_then(|start| usize::try_from(start).ok());
        if let Some(start) = start.filter(|start| (1..=pointer).contains(start)) {
            let distance = pointer - start;
            match self.find_known(start, 0, None) {
                Some(Place::BufferEntry(entry, offset)) => {
                    let bytes = self.entries.get(entry as usize).map_or(0, |entry| entry.bytes);
                    if offset + distance <= bytes {
                        return Some(Place::BufferEntry(entry, offset + distance));
                    }
                }
                Some(Place::Region(id, offset)) => {
                    let bytes = self.lock().region(id).map_or(0, |region| region.bytes);
                    if offset + distance <= bytes {
                        return Some(Place::Region(id, offset + distance));
                    }
                }
                None => {}
            }
        }
        if let Some(place) = self.find_known(pointer, 0, None) {
            return Some(place);
        }
        if let Some((entry, offset)) = self.entry_ending(pointer) {
            return Some(Place::BufferEntry(entry, offset));
        }
        let (id, offset) = self.lock().find_end_of_region(pointer)?;
        Some(Place::Region(id, offset))
    }

    /// Finds memory of no bytes that is kept already: nothing lies in it, so only its start identifies it.
    pub(super) fn find_empty(&mut self, pointer: usize, shape: Shape) -> Option<Place> {
        let tables = self.lock();
        let (id, 0) = tables.find_region(pointer)? else { return None };
        let is_it = tables.region(id).is_some_and(|region| region.bytes == 0 && region.shape == shape);
        is_it.then_some(Place::Region(id, 0))
    }

    /// Reads a place in a region.
    pub(super) fn get_region(&mut self, name: u32, from: &mut Reader<'_>) -> CallResult<Known> {
        let (id, offset) = (from.get_u32()?, from.get_u64()?);
        let is_worker = self.is_worker();
        let tables = self.lock();
        let inside = tables.region(id).filter(|region| region.is_shared).and_then(|region| {
            // Another call may end it meanwhile.
            self.in_use.extend(region.memory.clone());
            // A guest writes nothing into memory of the library itself, but for what the library gave it.
            let is_ours = !is_worker || region.memory.is_some() || region.is_given;
            Known::within(region.start, region.bytes, offset, region.shape, is_ours)
        });
        inside.ok_or(CallError::Refused("it points outside of what both sides have", name))
    }

    /// Reads a place in what an earlier pointer led to, which is returned too.
    pub(super) fn get_visit(&mut self, name: u32, from: &mut Reader<'_>) -> CallResult<(BufferEntry, Known)> {
        let (entry, offset) = (from.get_u32()?, from.get_u64()?);
        let found = self.entries.get(entry as usize).and_then(|entry| {
            let is_ours = !self.is_worker() || entry.is_ours;
            Some((*entry, Known::within(entry.here, entry.bytes, offset, entry.shape, is_ours)?))
        });
        found.ok_or(CallError::Refused("it points outside of what was sent", name))
    }

    /// Reads a place of a tag that was read.
    pub(super) fn get_known(&mut self, tag: u8, name: u32, from: &mut Reader<'_>) -> CallResult<Known> {
        match tag {
            tag::REGION => self.get_region(name, from),
            tag::VISIT => Ok(self.get_visit(name, from)?.1),
            _ => Err(CallError::Refused("unknown pointer tag", name)),
        }
    }
}
