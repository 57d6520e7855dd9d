//! Encodes pointers into memory that both sides have. A message refers to such memory by an id and an offset, never by an address.

use super::entries::{BufferEntry, BufferMemory, InRegion, Sought, element_key};
use super::marshaller::Marshaller;
use super::side::{CallError, CallResult};
use super::tables::{EndedRegion, is_id_of_other_side};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::shape::Shape;
use crate::plan::{Buffer, Code, Layout};
use crate::{Reader, Writer};

/// The lower four bits of the first byte of a pointer. For memory that the receiver allocates, the upper four bits are the base-2 logarithm
/// of the alignment of the sender's memory.
pub(super) mod tag {
    /// A null pointer.
    pub const NULL: u8 = 0;
    /// Memory for this call: an element count, and contents.
    pub const CALL: u8 = 1;
    /// New memory that outlives the call: the id of its region, an element count, and contents.
    pub const RETAINED: u8 = 2;
    /// Memory of a region: its id and an offset. Contents follow if the plan copies the buffer in this direction. If the receiver does not have
    /// the region yet, or no longer, it creates the region as for `RETAINED`.
    pub const REGION: u8 = 3;
    /// Memory of an earlier pointer of the same call: its position and an offset. Contents follow if the plan copies the
    /// buffer in this direction.
    pub const ENTRY: u8 = 4;
    /// An address without a counterpart on the receiver.
    pub const BITS: u8 = 5;
    /// In a reply: an unchanged pointer.
    pub const SAME: u8 = 6;
    /// In a reply: memory of a region, with new contents. As for `REGION`, the receiver creates a region that it does not have.
    pub const REFRESHED: u8 = 7;
    /// Memory for this call in which several buffers overlap: its size in bytes, the offset of this buffer, an element count, and contents.
    pub const SPAN: u8 = 9;
    /// Like `ENTRY`, but the contents are those of the earlier pointer.
    pub const REPEATED: u8 = 8;
    /// In a reply: memory of the callee that an earlier pointer of this reply leads to: the position of that pointer, and an offset.
    pub const RETURNED: u8 = 10;
    /// In a reply: the contents of the memory to which the pointer led before the call, and then the new pointer.
    pub const MOVED: u8 = 11;
}

/// The bits of the first byte that contain the tag.
const TAG: u8 = 0xf;
/// The base-2 logarithm of the largest alignment that copies preserve: one page.
const PAGE: u8 = 12;

/// Returns the base-2 logarithm of the alignment that a copy of the memory at `here` gets.
pub(crate) fn alignment_of(here: usize) -> u8 {
    (here.trailing_zeros() as u8).min(PAGE)
}

/// Encodes a tag of memory that the receiver allocates as a copy of the memory at `here`. The copy of a buffer has at least the alignment
/// that the specification demands.
pub(super) fn put_tag(to: &mut Writer<'_>, tag: u8, here: usize, of: &Buffer) {
    next_field(FieldKind::Tag);
    to.put_u8(tag | alignment_of(here).max(of.alignment as u8) << 4);
}

/// Decodes a tag and the alignment of its memory in bytes.
pub(super) fn get_tag(from: &mut Reader<'_>) -> CallResult<(u8, usize)> {
    let byte = from.get_u8()?;
    Ok((byte & TAG, 1 << (byte >> 4).min(PAGE)))
}

/// Encodes a reference to memory that both sides have: an id and an offset.
pub(super) fn put_memory_ref(to: &mut Writer<'_>, tag: u8, id: u32, offset: usize) {
    next_field(FieldKind::Tag);
    to.put_u8(tag);
    put_id(to, id, offset);
}

fn put_id(to: &mut Writer<'_>, id: u32, offset: usize) {
    next_field(FieldKind::Region);
    to.put_u32(id);
    next_field(FieldKind::Offset);
    to.put_u64(offset as u64);
}

/// A decoded reference to memory that both sides have.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub here: usize,
    /// The id of the region; 0 for memory of the call.
    pub region: u32,
    /// A call may end the block that starts here, see [`Tables::may_end`](super::tables::Tables::may_end).
    pub may_end: bool,
    /// The offset from the start of the memory in bytes.
    pub offset: usize,
    /// The bytes from `here` to the end of the memory.
    pub bytes_left: usize,
    shape: Shape,
    /// Data of the other side may be stored in the memory. On the worker, this excludes memory of the library that the guest does not own.
    pub accepts_data: bool,
    /// The memory belongs to this side's program or library, and the other side has a copy.
    pub is_owner: bool,
    /// See [`BufferEntry::outlives`].
    pub outlives: bool,
    /// The other side may change this memory through its copy.
    pub is_changeable: bool,
}

impl Known {
    /// Creates the reference to `offset` bytes past `start`, or returns `None` if that is past the end.
    pub fn within(start: usize, bytes: usize, offset: u64, shape: Shape, accepts_data: bool) -> Option<Known> {
        let offset = usize::try_from(offset).ok().filter(|at| *at <= bytes)?;
        let (here, bytes_left) = (start + offset, bytes - offset);
        Some(Known {
            here,
            region: 0,
            may_end: false,
            offset,
            bytes_left,
            shape,
            accepts_data,
            is_owner: false,
            outlives: false,
            is_changeable: false,
        })
    }

    /// Returns whether the memory exists after the call: this side owns it, or keeps its copy.
    pub fn lasts(self) -> bool {
        self.outlives || self.is_owner
    }

    /// Returns whether `bytes` bytes of this layout may be at this location.
    pub fn fits(self, shape: Shape, bytes: usize, layouts: &[Layout]) -> bool {
        shape.is_part(bytes, self.shape, self.offset, layouts)
    }
}

/// A reference to memory that both sides have, as the sender encodes it.
pub(super) enum MemoryRef {
    /// A buffer of the request: its position, and an offset.
    Entry(u32, usize),
    /// A region: its id, and an offset.
    Region(u32, usize),
    /// Memory whose contents this reply carries: the position of its first pointer, and an offset.
    Returned(u32, usize),
}

impl MemoryRef {
    /// Returns the location `distance` bytes further, unless it is past the end of the `bytes` bytes of memory.
    fn advanced(mut self, distance: usize, bytes: usize) -> Option<MemoryRef> {
        let (MemoryRef::Entry(_, offset) | MemoryRef::Region(_, offset) | MemoryRef::Returned(_, offset)) = &mut self;
        *offset += distance;
        (*offset <= bytes).then_some(self)
    }

    /// Returns the offset in the memory.
    pub fn offset(&self) -> usize {
        let (MemoryRef::Entry(_, offset) | MemoryRef::Region(_, offset) | MemoryRef::Returned(_, offset)) = *self;
        offset
    }

    pub fn put(&self, to: &mut Writer<'_>) {
        match *self {
            MemoryRef::Entry(entry, offset) => put_memory_ref(to, tag::ENTRY, entry, offset),
            MemoryRef::Region(id, offset) => put_memory_ref(to, tag::REGION, id, offset),
            MemoryRef::Returned(position, offset) => put_memory_ref(to, tag::RETURNED, position, offset),
        }
    }
}

impl Marshaller<'_> {
    /// Encodes the reference to a region of a buffer at `here`.
    pub(super) fn put_known(
        &mut self,
        tag: u8,
        (buffer, here): (&Buffer, usize),
        (id, offset): (u32, usize),
        to: &mut Writer<'_>,
    ) -> BufferMemory {
        let outlives = {
            let mut tables = self.lock_regions();
            tables.confirm(id);
            let region = tables.region(id);
            // Keeps the memory of a copy allocated: another call may end the region during this call.
            self.in_use.extend(region.and_then(|one| one.memory.clone()));
            region.is_some_and(|one| one.memory.is_none() && !one.is_mirrored_struct)
        };
        put_tag(to, tag, here, buffer);
        put_id(to, id, offset);
        BufferMemory { at: InRegion { id, offset }, outlives, ..BufferMemory::default() }
    }

    /// Finds the memory that both sides have and that contains `bytes` bytes at `pointer`. The bytes may have the layout `shape`.
    pub(super) fn find_known(&mut self, pointer: usize, bytes: usize, shape: Option<Shape>) -> Option<MemoryRef> {
        if pointer == 0 {
            return None;
        }
        if let Some((entry, offset)) = self.entry_with(pointer, bytes, shape) {
            return Some(MemoryRef::Entry(entry, offset));
        }
        // Memory of this reply is newer than any region. The region may be borrowed memory that was freed at the same address.
        let returned = self.find_returned(pointer, bytes, shape.map_or(Sought::Anything, Sought::Shape));
        let region = |marshaller: &mut Self| {
            marshaller.lock().region_with(pointer, bytes, shape).map(|(id, offset)| MemoryRef::Region(id, offset))
        };
        returned.or_else(|| region(self)).or_else(|| self.find_ended_region(pointer).filter(|_| shape.is_none()))
    }

    /// Finds memory of the caller in the regions that ended with this call.
    fn find_ended_region(&self, pointer: usize) -> Option<MemoryRef> {
        let contains = |one: &&EndedRegion| (one.start..=one.start + one.bytes).contains(&pointer);
        self.effects.ended_regions.iter().find(contains).map(|one| MemoryRef::Region(one.id, pointer - one.start))
    }

    /// Finds `bytes` bytes at `pointer` in memory whose contents this reply carries.
    pub(super) fn find_returned(&mut self, pointer: usize, bytes: usize, sought: Sought) -> Option<MemoryRef> {
        let at = self.returned.containing(pointer, bytes, sought)?;
        Some(MemoryRef::Returned(at as u32, pointer - self.returned.get(at)?.here))
    }

    /// Records memory of the callee whose contents this reply carries. `region` is 0 if the caller gets a separate block.
    pub(super) fn add_returned(
        &mut self,
        buffer: &'static Buffer,
        (here, count, bytes): (usize, u64, usize),
        region: u32,
    ) {
        let (shape, element) = (self.shape(buffer), element_key(buffer));
        self.returned.push(BufferEntry {
            here,
            count,
            valid: count,
            bytes,
            region,
            shape,
            element,
            ..BufferEntry::NONE
        });
    }

    /// Decodes a reference to memory whose contents this reply carries.
    pub(super) fn get_returned(&mut self, name: u32, from: &mut Reader<'_>) -> CallResult<Known> {
        let (position, offset) = (from.get_u32()?, from.get_u64()?);
        let known = self.returned.get(position as usize).and_then(|one| {
            let known = Known::within(one.here, one.bytes, offset, one.shape, true)?;
            Some(Known { region: one.region, ..known })
        });
        known.ok_or(CallError::Refused("it points outside of the memory that the reply carries", name))
    }

    /// Returns the size in bytes of memory that both sides have.
    pub(super) fn size_of_known(&self, known: &MemoryRef) -> usize {
        match *known {
            MemoryRef::Entry(at, _) => self.entries.get(at as usize).map_or(0, |entry| entry.bytes),
            MemoryRef::Region(id, _) => self.lock().region(id).map_or(0, |region| region.bytes),
            MemoryRef::Returned(at, _) => self.returned.get(at as usize).map_or(0, |one| one.bytes),
        }
    }

    /// Finds the memory that contains a pointer, or ends at it. `inside` is the expression of the specification for the start of that memory, if
    /// there is one: the end of one buffer can be the start of another.
    pub(super) fn find_within(&mut self, pointer: usize, inside: Option<&Code>) -> Option<MemoryRef> {
        if pointer == 0 {
            return None;
        }
        let start = inside.and_then(|code| self.eval(code)).and_then(|start| usize::try_from(start).ok());
        if let Some(start) = start.filter(|start| (1..=pointer).contains(start)) {
            let distance = pointer - start;
            if let Some(known) = self.find_known(start, 0, None) {
                let bytes = self.size_of_known(&known);
                if let Some(advanced) = known.advanced(distance, bytes) {
                    return Some(advanced);
                }
            }
        }
        if let Some(place) = self.find_known(pointer, 0, None) {
            return Some(place);
        }
        if let Some((entry, offset)) = self.entry_ending(pointer) {
            return Some(MemoryRef::Entry(entry, offset));
        }
        let (id, offset) = self.lock().find_end_of_region(pointer)?;
        Some(MemoryRef::Region(id, offset))
    }

    /// Decodes a reference to a region.
    pub(super) fn get_region(&mut self, name: u32, from: &mut Reader<'_>) -> CallResult<Known> {
        let (id, offset) = (from.get_u32()?, from.get_u64()?);
        self.known_at(id, offset).ok_or(CallError::Refused("it points outside of all shared regions", name))
    }

    /// Returns the memory at an offset in a region.
    pub(super) fn known_at(&mut self, id: u32, offset: u64) -> Option<Known> {
        self.find_or_wait(id, |marshaller| marshaller.known_now(id, offset))
    }

    /// Calls `find`, which looks for memory in the region `id`. If `find` returns `None`, the worker waits for the turn of the call and calls `find`
    /// again, because an earlier asynchronous call on another channel may bring this memory of the guest, or more of it. It waits once for a request.
    fn find_or_wait(&mut self, id: u32, find: impl Fn(&mut Self) -> Option<Known>) -> Option<Known> {
        let known = find(self);
        if known.is_some() {
            return known;
        }
        let turn = self.turn.take_if(|_| is_id_of_other_side(id, true))?;
        self.is_early = !turn(id);
        if self.is_early { None } else { find(self) }
    }

    /// Like [`known_at`](Self::known_at), but does not wait for other calls.
    pub(super) fn known_now(&mut self, id: u32, offset: u64) -> Option<Known> {
        let is_worker = self.is_worker();
        let tables = self.lock_regions();
        let region = tables.region(id).filter(|region| region.is_shared)?;
        // Keeps the memory allocated: another call may end the region during this call.
        self.in_use.extend(region.memory.clone());
        // A guest must not write to memory of the library, except blocks that the library gave to the guest.
        let accepts_data = !is_worker || region.memory.is_some() || region.is_given;
        let known = Known::within(region.start, region.bytes, offset, region.shape, accepts_data)?;
        Some(Known {
            region: id,
            may_end: known.offset == 0 && tables.may_end(id),
            is_owner: region.memory.is_none(),
            outlives: region.memory.is_some() && !region.is_mirrored_struct,
            is_changeable: region.is_changeable,
            ..known
        })
    }

    /// Returns the memory at an offset in a region if `bytes` bytes of the layout `shape` fit there. A copy grows with the memory of the other
    /// side.
    pub(super) fn known_with(&mut self, (id, offset): (u32, u64), bytes: usize, shape: Shape) -> Option<Known> {
        self.find_or_wait(id, |marshaller| {
            if offset == 0 {
                marshaller.lock_regions().grow(id, bytes, shape, true);
            }
            let layouts = &marshaller.stage.plan.layouts;
            let fits = |place: &Known| bytes <= place.bytes_left && place.fits(shape, bytes, layouts);
            marshaller.known_now(id, offset).filter(fits)
        })
    }

    /// Decodes a reference to the buffer of an earlier pointer. Returns the position of that buffer, too.
    pub(super) fn get_entry(&mut self, name: u32, from: &mut Reader<'_>) -> CallResult<(u32, Known)> {
        let (at, offset) = (from.get_u32()?, from.get_u64()?);
        let found = self.entries.get(at as usize).and_then(|entry| {
            let accepts_data = !self.is_worker() || entry.accepts_data;
            let known = Known::within(entry.here, entry.bytes, offset, entry.shape, accepts_data)?;
            Some((at, Known { is_owner: entry.is_owner, outlives: entry.outlives, ..known }))
        });
        found.ok_or(CallError::Refused("it points outside of the buffers of this call", name))
    }

    /// Decodes the reference that follows a tag.
    pub(super) fn get_known(&mut self, tag: u8, name: u32, from: &mut Reader<'_>) -> CallResult<Known> {
        match tag {
            tag::REGION => self.get_region(name, from),
            tag::ENTRY => Ok(self.get_entry(name, from)?.1),
            tag::RETURNED => self.get_returned(name, from),
            _ => Err(CallError::Refused("unknown pointer tag", name)),
        }
    }
}
