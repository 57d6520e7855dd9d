//! Buffers of a straight call that lie in the room of its channel, where the library finds them: they are copied once, not twice. The
//! worker grants the room ([`Geometry::room`](crate::Geometry)): its library reads what the guest may still change.
//!
//! No address is sent. Both sides lay the buffers out one after the other, behind those of the calls around this one: a thread makes a
//! call in another only while it does what the library called back, so both begin and end in the same order.

use std::cell::Cell;

use smallvec::SmallVec;

use crate::Writer;
use crate::marshal::access::bytes;
use crate::memory::Room;

/// Where a buffer is, or null, and its bytes.
pub(super) type Place = (usize, usize);

/// Below this, bytes in all, they go in the record: it is one line or few. With fault injection, all of them go in the buffer pool.
const LEAST: usize = if cfg!(all(feature = "fault-injection", not(loom))) { 1 } else { 2048 };
/// The other side stays awake while no more than so much of a copy is left: bytes. What is larger takes much longer than a wake-up.
const AWAKE: usize = 1 << 20;
/// Then it is told after so many bytes: they take no longer than it spins.
const STEP: usize = 128 << 10;
/// Each begins at a line, and at a page if it has one or more.
const LINE: usize = 64;
const PAGE: usize = 4096;

/// The room of a channel, and how much of it calls that are not over use: bytes.
pub(crate) struct Rooms {
    room: Option<Room>,
    used: Cell<usize>,
}

impl Rooms {
    pub fn new(room: Option<Room>) -> Rooms {
        Rooms { room, used: Cell::new(0) }
    }

    /// Places for the buffers of a call until it is over; none if they do not fit, or are better sent.
    #[inline]
    pub fn places(&self, buffers: &[Place]) -> Option<InPlace<'_>> {
        let mut in_place = self.begin()?;
        let total = buffers.iter().try_fold(0usize, |sum, (_, size)| sum.checked_add(*size))?;
        if total < LEAST {
            return None;
        }
        for (_, size) in buffers {
            in_place.add(*size)?;
        }
        Some(in_place)
    }

    /// The same, without one yet.
    pub fn begin(&self) -> Option<InPlace<'_>> {
        let (room, used) = (self.room.as_ref()?, &self.used);
        Some(InPlace { room, used, before: used.get(), offsets: SmallVec::new() })
    }
}

/// Buffers of a call. What they use is free again once this is dropped.
pub(crate) struct InPlace<'a> {
    room: &'a Room,
    used: &'a Cell<usize>,
    before: usize,
    offsets: SmallVec<[usize; 4]>,
}

impl Drop for InPlace<'_> {
    fn drop(&mut self) {
        self.used.set(self.before);
    }
}

impl InPlace<'_> {
    /// The address of the next buffer, of so many bytes; none if there is no room for it.
    pub fn add(&mut self, size: usize) -> Option<usize> {
        let at = self.used.get().next_multiple_of(if size < PAGE { LINE } else { PAGE });
        let place = self.room.place(at, size)?;
        self.used.set(at + size);
        self.offsets.push(at);
        Some(place)
    }

    /// Copies what is in the buffers, and ends the record with a word that says so. A large copy takes longer than the other side
    /// spins, so it is told now and then that there is more, and if it was awake it need not be woken at the end.
    ///
    /// # Safety
    ///
    /// They are at their places.
    pub unsafe fn send(&self, to: &mut Writer<'_>, buffers: &[Place]) {
        // Of those that are null there are no bytes.
        let mut left: usize = buffers.iter().map(|(_, size)| size).sum();
        for (mut at, (here, size)) in self.offsets.iter().copied().zip(buffers) {
            // SAFETY: the program's own. If it changes it meanwhile, so it would natively.
            let mut rest = unsafe { bytes(*here, *size) };
            while !rest.is_empty() {
                if (STEP / 2..=AWAKE).contains(&left) {
                    to.keep_awake();
                }
                let step = if left > AWAKE { left - AWAKE } else { STEP };
                let (now, later) = rest.split_at(step.min(rest.len()));
                self.room.write(at, now);
                at += now.len();
                left -= now.len();
                rest = later;
            }
        }
        to.put_u64(0);
    }

    /// Copies out of one.
    pub fn read(&self, buffer: usize, to: &mut [u8]) {
        if let Some(at) = self.offsets.get(buffer) {
            self.room.read(*at, to);
        }
    }
}
