//! Finds and notes the buffers of a request.

use super::marshaller::Walk;
use super::shape::Shape;
use super::side::{Fault, Walked};
use super::visit::{Sought, Visit, element_key};
use crate::plan::{Buffer, Kind, Lifetime, Ownership};

impl Walk<'_> {
    /// The buffer that a pointer of the request led to, and its position.
    pub(super) fn visit_at(&mut self, slot: usize) -> Option<(u32, Visit)> {
        let at = self.visits.at_slot(slot)?;
        Some((at as u32, *self.visits.get(at)?))
    }

    /// The buffer of this call in which memory lies, and how far from its start.
    pub(super) fn visit_with(&mut self, address: usize, bytes: usize, shape: Option<Shape>) -> Option<(u32, usize)> {
        let at = self.visits.containing(address, bytes, shape.map_or(Sought::Anything, Sought::Shape))?;
        Some((at as u32, address - self.visits.get(at)?.here))
    }

    /// The same of one that has the address as its end.
    pub(super) fn visit_ending(&self, address: usize) -> Option<(u32, usize)> {
        let at = self.visits.iter().position(|visit| visit.end() == address)?;
        Some((at as u32, self.visits.get(at)?.bytes))
    }

    /// The buffer of this call whose contents are those of so many elements of `buffer` at an address, and how far from its start
    /// they are: the message carries them once. Only blocks can lead to themselves.
    pub(super) fn repeated(&mut self, buffer: &'static Buffer, here: usize, bytes: usize) -> Option<(u32, usize)> {
        if !matches!(buffer.element.kind, Kind::Block(_)) || buffer.is_flat || buffer.varies || bytes == 0 {
            return None;
        }
        if buffer.until.is_some() || buffer.valid.is_some() {
            return None;
        }
        let at = self.visits.containing(here, bytes, Sought::Element(element_key(buffer)))?;
        let visit = self.visits.get(at)?;
        let offset = here - visit.here;
        visit.has_contents_of(buffer, offset, bytes).then_some((at as u32, offset))
    }

    /// Notes a buffer of the request. `valid` of its `count` elements carry contents.
    pub(super) fn visit(
        &mut self,
        buffer: &'static Buffer,
        slot: usize,
        (here, count, bytes): (usize, u64, usize),
        made: u32,
        (is_ours, is_repeated): (bool, bool),
    ) -> Walked<()> {
        self.charge(size_of::<Visit>())?;
        let visit = Visit {
            slot,
            here,
            count,
            valid: 0,
            bytes,
            made,
            lifetime: self.retained(buffer).unwrap_or(&Lifetime::Call),
            ends_twin: matches!(buffer.ownership, Ownership::EndsTwin | Ownership::Taken),
            shape: self.shape(buffer),
            element: element_key(buffer),
            is_ours,
            takes_in: buffer.takes_in,
            takes_out: buffer.takes_out,
            is_blank: buffer.is_flat && buffer.takes_out && !self.has_contents(buffer, bytes),
            is_repeated,
            minted: self.minted(buffer),
            own: self.own(),
        };
        self.visits.push(visit);
        Ok(())
    }

    /// So many elements of the buffer that was noted last carry contents.
    pub(super) fn carries(&mut self, valid: u64) {
        if let Some(visit) = self.visits.all.last_mut() {
            visit.valid = valid;
        }
    }

    /// Counts memory that the engine needs for what a call names.
    ///
    /// # Errors
    ///
    /// The call needs more than its limit.
    pub(super) fn charge(&mut self, bytes: usize) -> Walked<()> {
        if self.arena.charge(bytes, self.limits.call) {
            return Ok(());
        }
        Err(Fault::TooLarge("it leads to more memory than CX_REMOTE_CALL_BYTES allows", self.outer))
    }
}
