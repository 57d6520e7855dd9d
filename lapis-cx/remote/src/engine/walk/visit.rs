//! What a walk has seen of buffers and handles.

use super::Walk;
use crate::engine::tables::Shape;
use crate::plan::{Buffer, HandleValue, Lifetime, Ownership, Value};

/// A buffer that was there at entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    /// Where the pointer lies.
    pub slot: usize,
    /// Where it pointed.
    pub here: usize,
    /// Elements.
    pub count: u64,
    pub bytes: usize,
    /// The region that was made for it, or 0.
    pub made: u32,
    pub lifetime: &'static Lifetime,
    pub ends_twin: bool,
    pub shape: Shape,
    /// It is the engine's: what the other side sends may be written there.
    pub is_ours: bool,
    /// Contents come back.
    pub takes_out: bool,
    /// Nothing was sent of what is in it.
    pub is_blank: bool,
    /// They are objects that the guest names: nothing comes back.
    pub minted: Option<&'static HandleValue>,
    /// The scope of the value.
    pub own: usize,
}

impl Visit {
    /// Nothing was there.
    pub const NONE: Visit = Visit {
        slot: usize::MAX,
        here: 0,
        count: 0,
        bytes: 0,
        made: 0,
        lifetime: &Lifetime::Call,
        ends_twin: false,
        shape: Shape::Flat,
        is_ours: false,
        takes_out: false,
        is_blank: false,
        minted: None,
        own: 0,
    };
}

/// A handle of which a reference is given or taken, on the worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandleVisit {
    pub value: &'static Value,
    pub of: u32,
    pub bytes: usize,
    pub id: u64,
    pub is_own: bool,
    pub own: usize,
}

impl Walk<'_> {
    /// The buffer that a pointer at entry led to.
    pub(super) fn visit_at(&mut self, slot: usize) -> Option<Visit> {
        let count = self.visits.len();
        let found = (0..count).map(|n| (self.cursor + n) % count).find(|n| self.visits[*n].slot == slot)?;
        self.cursor = found + 1;
        self.visits.get(found).copied()
    }

    /// The buffer of this call in which memory lies, and how far from its start; one behind the end too, if `slot` led there.
    pub(super) fn visit_with(
        &self,
        address: usize,
        bytes: usize,
        slot: usize,
        shape: Option<Shape>,
    ) -> Option<(u32, usize)> {
        let offset = |visit: &Visit| address.checked_sub(visit.here).filter(|at| *at <= visit.bytes);
        let own = self.visits.iter().position(|visit| visit.slot == slot && offset(visit).is_some());
        let inside = |visit: &Visit| {
            offset(visit).is_some_and(|at| {
                let fits = shape.is_none_or(|shape| shape.fits(visit.shape, at));
                at < visit.bytes && bytes <= visit.bytes - at && fits
            })
        };
        let at = own.or_else(|| self.visits.iter().position(inside))?;
        Some((at as u32, offset(self.visits.get(at)?)?))
    }

    /// Notes a buffer that was there at entry.
    pub(super) fn visit(
        &mut self,
        buffer: &'static Buffer,
        slot: usize,
        (here, count, bytes): (usize, u64, usize),
        made: u32,
        is_ours: bool,
    ) {
        let visit = Visit {
            slot,
            here,
            count,
            bytes,
            made,
            lifetime: self.retained(buffer).unwrap_or(&Lifetime::Call),
            ends_twin: matches!(buffer.ownership, Ownership::EndsTwin | Ownership::Taken),
            shape: self.shape(buffer),
            is_ours,
            takes_out: buffer.takes_out,
            is_blank: buffer.is_flat && buffer.takes_out && !self.has_contents(buffer, bytes),
            minted: self.minted(buffer),
            own: self.own(),
        };
        self.visits.push(visit);
    }
}
