//! Encodes and decodes plain addresses (`ptr`). Such an address may point to memory that a later value of the message describes, such as the link
//! of a list to a later node. So the engine searches addresses into no known memory again at the end of the message.

use super::frame::{MemoryKind, UnknownAddress};
use super::marshaller::Marshaller;
use super::pointer::{MemoryRef, get_tag, tag};
use super::side::{CallError, CallResult};
use crate::field_kind::{FieldKind, next_field};
use crate::{Reader, Writer};

impl Marshaller<'_> {
    /// Encodes an address into no memory that is known so far. `is_own` is whether the call ends the block at the address.
    pub(super) fn put_unknown(
        &mut self,
        (slot, is_own): (usize, bool),
        bits: usize,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        next_field(FieldKind::Tag);
        to.put_u8(tag::BITS);
        next_field(FieldKind::Number);
        to.put_u64(bits as u64);
        self.add_unknown((slot, is_own), bits)
    }

    /// Decodes an address that [`put_unknown`](Self::put_unknown) encoded, after its tag.
    pub(super) fn get_unknown(&mut self, (slot, is_own): (usize, bool), from: &mut Reader<'_>) -> CallResult<usize> {
        let bits = from.get_u64()? as usize;
        self.add_unknown((slot, is_own), bits)?;
        Ok(bits)
    }

    /// Records an address to search at the end of the message. Addresses of blocks that the call ends are not searched again.
    fn add_unknown(&mut self, (slot, is_own): (usize, bool), bits: usize) -> CallResult<()> {
        if bits != 0 && !is_own {
            self.charge(size_of::<UnknownAddress>())?;
            self.deferred.unknown_addresses.push(UnknownAddress { slot, kind: self.kind, bits });
        }
        Ok(())
    }

    /// Encodes at the end of a message the references for recorded addresses whose memory is known by now.
    pub(super) fn put_late_addresses(&mut self, to: &mut Writer<'_>) {
        let unknown = std::mem::take(&mut self.deferred.unknown_addresses);
        if unknown.is_empty() {
            return;
        }
        let find = |one: &UnknownAddress| match self.stage.is_entry {
            // Plain addresses of requests only refer to regions.
            true => self.lock().find_region(one.bits).map(|(id, offset)| MemoryRef::Region(id, offset)),
            false => self.find_known(one.bits, 1, None),
        };
        let places: Vec<Option<MemoryRef>> = unknown.iter().map(find).collect();
        next_field(FieldKind::Length);
        to.put_u32(places.iter().flatten().count() as u32);
        for (at, place) in (0u32..).zip(&places).filter_map(|(at, place)| Some((at, place.as_ref()?))) {
            next_field(FieldKind::Number);
            to.put_u32(at);
            place.put(to);
        }
    }

    /// Decodes what [`put_late_addresses`](Self::put_late_addresses) encoded, and stores these addresses.
    ///
    /// # Safety
    ///
    /// The slots of the unknown addresses must still be valid.
    pub(super) unsafe fn get_late_addresses(&mut self, from: &mut Reader<'_>) -> CallResult<()> {
        let unknown = std::mem::take(&mut self.deferred.unknown_addresses);
        if unknown.is_empty() {
            return Ok(());
        }
        for _ in 0..from.get_u32()? {
            let misplaced = CallError::Refused("a late address is none of this message", self.call);
            let UnknownAddress { slot, kind, .. } = *unknown.get(from.get_u32()? as usize).ok_or(misplaced)?;
            let pointer = match get_tag(from)?.0 {
                tag::REGION => self.get_region(self.call, from)?.here,
                _ if self.stage.is_entry => return Err(CallError::Refused("unknown pointer tag", self.call)),
                other => self.get_known(other, self.call, from)?.here,
            };
            self.kind = kind;
            // SAFETY: the caller upholds the contract of this function.
            unsafe {
                self.set_pointer(slot, pointer)?;
                self.finish_contents(kind, None)?;
            }
        }
        self.kind = MemoryKind::Fresh;
        Ok(())
    }
}
