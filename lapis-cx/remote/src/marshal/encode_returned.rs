//! Encodes memory of the callee to which a pointer of a reply leads, and which was not in the request.

use super::buffers::may_repeat;
use super::entries::{BufferEntry, InRegion, Sought, element_key};
use super::known_pointers::KnownPointer;
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

    /// Returns whether `bytes_left` bytes at a pointer contain the elements of the buffer. The receiver checks the same.
    ///
    /// # Safety
    ///
    /// `bytes_left` bytes must be valid for reads at `here`.
    unsafe fn has_elements(&mut self, buffer: &'static Buffer, (here, bytes_left): (usize, usize), name: u32) -> bool {
        let last = buffer.until.as_ref().map(|until| self.eval(&until.value));
        let Some(last) = last.map_or(Some(None), |last| last.map(Some)) else { return true };
        let pointer = KnownPointer { buffer, here, bytes_left, last, scope: 0, name };
        self.stage.received = buffer.is_measured.then(|| pointer.elements());
        let count = buffer.count.as_ref().and_then(|code| self.eval(code));
        self.stage.received = None;
        pointer.check(count.and_then(|count| u64::try_from(count).ok())).is_ok()
    }

    /// Finds memory that both sides have and that contains all elements of a buffer. The request may have carried fewer elements of a region, for the
    /// length that the pointer had then.
    ///
    /// # Safety
    ///
    /// `pointer` must point to elements of the buffer.
    unsafe fn find_elements(&mut self, buffer: &'static Buffer, pointer: usize, name: u32) -> Option<MemoryRef> {
        let shape = self.shape(buffer);
        let known = self.find_known(pointer, 1, Some(shape));
        let region = |marshaller: &mut Self| {
            let (id, offset) = marshaller.lock().region_with(pointer, 1, Some(shape))?;
            Some(MemoryRef::Region(id, offset))
        };
        [known, region(self)].into_iter().flatten().find(|place| {
            let size = match *place {
                // The program can set a wrong length in memory of the library.
                MemoryRef::Region(id, offset) if !self.is_worker() && self.is_theirs(id) => {
                    self.lock().region(id).filter(|_| offset == 0).map_or(0, |one| one.described.min(one.bytes))
                }
                _ => self.size_of_known(place),
            };
            let bytes_left = size.saturating_sub(place.offset());
            // SAFETY: this memory exists: it is of this call, or a region of which the pointer is in use.
            unsafe { self.has_elements(buffer, (pointer, bytes_left), name) }
        })
    }

    /// Finds the memory of a buffer whose contents the reply does not carry. It may be too short, because the library may not have changed the length
    /// of a buffer that it has read.
    ///
    /// # Safety
    ///
    /// As for [`find_elements`](Self::find_elements).
    pub(super) unsafe fn find_read(&mut self, buffer: &'static Buffer, pointer: usize, name: u32) -> Option<MemoryRef> {
        // SAFETY: the caller upholds the contract of this function.
        let place = unsafe { self.find_elements(buffer, pointer, name) };
        place.or_else(|| self.find_within(pointer, None))
    }

    /// Returns whether a pointer into a buffer of the request needs other memory: the buffer is too short for the elements, and other memory has
    /// them. So a pointer to the end of a buffer leads to the memory that starts there, such as a text that directly follows another text.
    ///
    /// # Safety
    ///
    /// `pointer` must point to elements of `buffer`, and `entry` must exist or contain no byte at the pointer.
    pub(super) unsafe fn is_too_short(
        &mut self,
        buffer: &'static Buffer,
        entry: &BufferEntry,
        pointer: usize,
        name: u32,
    ) -> bool {
        let bytes_left = entry.end().saturating_sub(pointer);
        // SAFETY: the caller upholds the contract of this function.
        if unsafe { self.has_elements(buffer, (pointer, bytes_left), name) } {
            return false;
        }
        // Memory of the program may have grown, and its region grows too.
        let may_grow = !self.is_worker() && buffer.is_out && entry.is_owner && pointer == entry.here;
        // SAFETY: as above.
        may_grow || unsafe { self.find_elements(buffer, pointer, name) }.is_some()
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
        unsafe {
            let valid = self.valid(buffer, pointer, count, value.name)?;
            self.encode_contents(value.name, buffer, (pointer, (count, valid), size), (at, sent_kind), to)
        }
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
            tables.count_reference(id, true);
            drop(tables);
            self.put_known(tag::REFRESHED, (buffer, pointer), (id, offset), to);
            self.keep_region(id, buffer);
            return Ok(InRegion { id, offset });
        }
        if is_of_engine(pointer, size) {
            return Err(CallError::Refused("it points into memory of the caller, with another type or size", name));
        }
        let id = tables.new_region_id();
        tables.add_region(id, Region { is_given, references: 1, ..self.own_region(pointer, size, shape) });
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
