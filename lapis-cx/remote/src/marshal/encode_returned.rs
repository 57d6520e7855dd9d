//! Encodes memory of the callee to which a pointer of a reply leads, and which was not in the request.

use super::buffers::may_repeat;
use super::entries::{BufferEntry, InRegion, Sought, element_key};
use super::marshaller::Marshaller;
use super::memory::is_of_engine;
use super::pointer::{MemoryRef, put_tag, tag};
use super::sent_contents::SentKind;
use super::shape::Shape;
use super::side::{CallError, CallResult};
use super::tables::Region;
use super::traverse::Next;
use crate::Writer;
use crate::field_kind::{FieldKind, next_field};
use crate::plan::{Buffer, Lifetime, Ownership, Value, gives_block};

/// Encodes the number of elements, and their size in bytes if the number does not determine it.
fn put_size(to: &mut Writer<'_>, buffer: &Buffer, count: u64, size: usize) {
    next_field(FieldKind::Length);
    to.put_u64(count);
    if buffer.facts.varies {
        to.put_u64(size as u64);
    }
}

impl Marshaller<'_> {
    /// Finds memory of the callee to which an earlier pointer of this reply leads, if its contents include those of this pointer.
    ///
    /// # Errors
    ///
    /// The earlier pointer gave the block to the caller with fewer elements. A block is given once.
    ///
    /// # Safety
    ///
    /// `pointer` must point to elements of the buffer.
    pub(super) unsafe fn returned_before(
        &mut self,
        buffer: &'static Buffer,
        pointer: usize,
        name: u32,
    ) -> CallResult<Option<MemoryRef>> {
        let is_flat = buffer.facts.is_flat;
        let sought = if is_flat { Sought::Shape(Shape::Flat) } else { Sought::Element(element_key(buffer)) };
        let Some(MemoryRef::Returned(position, offset)) = self.find_returned(pointer, 1, sought) else {
            return Ok(None);
        };
        let Some(there) = self.returned.get(position as usize).copied() else { return Ok(None) };
        let is_given = offset == 0 && there.region == 0;
        // The end of a text is found in the contents that the earlier pointer carries.
        let may_repeat = may_repeat(buffer) || is_flat && buffer.until.is_some();
        if !is_given && (buffer.valid.is_some() || !may_repeat) {
            return Ok(None);
        }
        // SAFETY: the caller upholds the contract of this function.
        let (size, valid) = unsafe {
            let count = self.capacity(buffer, pointer, name)?;
            (self.size(buffer, pointer, count, name)?, self.valid(buffer, pointer, count, name)? as usize)
        };
        let carried = there.valid as usize * (there.bytes / there.count.max(1) as usize);
        let is_carried = offset + size <= there.bytes
            && (buffer.facts.varies || offset + valid * buffer.stride <= carried)
            && offset.is_multiple_of(buffer.stride.max(1))
            && !buffer.facts.reads_outer;
        if !is_carried {
            let why = "an earlier pointer of the reply gave the block to the caller with other contents";
            return if is_given { Err(CallError::Refused(why, name)) } else { Ok(None) };
        }
        if there.region != 0 {
            self.lock().use_region(there.region, buffer);
            self.keep_region(there.region, buffer);
        }
        Ok(Some(MemoryRef::Returned(position, offset)))
    }

    /// Encodes memory to which the callee points at `slot`, and that the caller does not have yet.
    ///
    /// # Safety
    ///
    /// `pointer` must point to elements of the buffer.
    pub(super) unsafe fn encode_new(
        &mut self,
        value: &'static Value,
        buffer: &'static Buffer,
        (slot, pointer): (usize, usize),
        to: &mut Writer<'_>,
    ) -> CallResult<Next> {
        // SAFETY: the caller upholds the contract of this function.
        let count = unsafe { self.capacity(buffer, pointer, value.name)? };
        // SAFETY: the caller guarantees elements at `pointer`, and `capacity` returned their number.
        let size = unsafe { self.size(buffer, pointer, count, value.name)? };
        self.charge(size_of::<BufferEntry>())?;
        let at = if gives_block(buffer) {
            if is_of_engine(pointer, size) {
                return Err(CallError::Refused("it is no new block, but memory of the caller", value.name));
            }
            put_tag(to, tag::CALL, pointer, buffer);
            // In shadow mode the library in the program's process gets the block of a callback.
            if self.side.substitutes().is_none() {
                self.frees.push((buffer.free, pointer));
            }
            InRegion::default()
        } else {
            self.encode_region(value.name, buffer, (pointer, size), to)?
        };
        self.add_returned(buffer, (pointer, count, size), at.id);
        put_size(to, buffer, count, size);
        // Bytes that the library does not write keep their values in the caller's memory, unless `@valid` includes these bytes.
        let has_valid = buffer.valid.is_some() || buffer.until.is_some();
        let is_output = has_valid && !value.is_result && self.is_argument(slot);
        let sent_kind = if is_output { SentKind::Output } else { SentKind::Memory };
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.encode_contents(value.name, buffer, (pointer, count, size), (at, sent_kind), to) }
    }

    /// Encodes the reference to memory that the caller keeps: in an existing region, or in a new one.
    ///
    /// # Errors
    ///
    /// The caller has the memory already, but with another type or size.
    fn encode_region(
        &mut self,
        name: u32,
        buffer: &'static Buffer,
        (pointer, size): (usize, usize),
        to: &mut Writer<'_>,
    ) -> CallResult<InRegion> {
        let shape = self.shape(buffer);
        let is_given = buffer.ownership == Ownership::Given;
        let mut tables = self.lock();
        let known = match tables.find_or_grow_region(pointer, size, shape) {
            Err(why) if !is_given => return Err(CallError::Refused(why, name)),
            known => known.unwrap_or_default(),
        };
        // A new block at this address means that the library has freed the memory that was there before.
        let is_same = |(id, offset): &(u32, usize)| {
            let is_given_again = |one: &Region| one.memory.is_some() || one.is_given && *offset == 0;
            !is_given || tables.region(*id).is_some_and(is_given_again)
        };
        if let Some((id, offset)) = known.filter(is_same) {
            if is_given && tables.region(id).is_some_and(|one| one.memory.is_some()) {
                return Err(CallError::Refused("it is no new block, but memory that the other side has already", name));
            }
            tables.use_region(id, buffer);
            drop(tables);
            self.put_known(tag::REFRESHED, (buffer, pointer), (id, offset), to);
            self.keep_region(id, buffer);
            return Ok(InRegion { id, offset });
        }
        if is_of_engine(pointer, size) {
            return Err(CallError::Refused("it points into memory of the caller, with another type or size", name));
        }
        let id = tables.new_region_id();
        tables.add_region(id, Region { is_given, ..self.own_region(pointer, size, shape) });
        tables.describe(id, buffer);
        drop(tables);
        put_tag(to, tag::RETAINED, pointer, buffer);
        next_field(FieldKind::Region);
        to.put_u32(id);
        self.keep_region(id, buffer);
        Ok(InRegion { id, offset: 0 })
    }

    /// Records the lifetime of a region that a reply refers to. Borrowed memory without a lifetime is kept until the connection ends.
    pub(super) fn keep_region(&mut self, region: u32, buffer: &'static Buffer) {
        // The lifetime is evaluated after the traversal, when all values are decoded.
        let has_unknown_end = matches!(buffer.lifetime, Lifetime::Call);
        let scope = if has_unknown_end { 0 } else { self.keep_scope() };
        let lifetime = &buffer.lifetime;
        self.unsent.push(BufferEntry {
            region,
            lifetime,
            scope,
            has_unknown_end,
            is_returned: true,
            ..BufferEntry::NONE
        });
    }
}
