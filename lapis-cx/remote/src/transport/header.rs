//! The header word of a part of a record. It is 0 until the part is present: the sender stores it last.
//!
//! ```text
//! bit 63  present        62  more parts follow      61  not the first part     60  urgent
//!     59  aborted        32..=58  bytes of payload, without the padding to 8   0..=31  kind
//! ```
//!
//! After an urgent part, the next part begins on a new cache line (64 bytes), so a short urgent record touches one line.

use crate::transport::error::ProtocolError;

const PRESENT: u64 = 1 << 63;
/// More parts of the record follow.
pub(crate) const MORE: u64 = 1 << 62;
/// This part continues a record.
pub(crate) const NOT_FIRST: u64 = 1 << 61;
/// The sender executed a full fence after the part, and waits for the reply.
pub(crate) const URGENT: u64 = 1 << 60;
const ABORTED: u64 = 1 << 59;
const SIZE: u64 = (1 << 27) - 1;

/// The size of the header word in bytes.
pub(crate) const BYTES: usize = 8;
/// The size of a cache line in bytes.
pub(crate) const LINE: usize = 64;

/// The header of a part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part(u64);

impl Part {
    /// The header of an absent part.
    pub const NONE: Part = Part(0);

    /// Makes a header with `size` bytes of payload. `flags` is any of [`MORE`], [`NOT_FIRST`] and [`URGENT`].
    #[inline]
    pub fn new(kind: u32, size: usize, flags: u64) -> Part {
        Part(PRESENT | flags | (size as u64 & SIZE) << 32 | u64::from(kind))
    }

    /// Makes the header of the last, empty part of a record that its sender aborts.
    pub fn aborted(kind: u32) -> Part {
        Part::new(kind, 0, NOT_FIRST | URGENT | ABORTED)
    }

    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }

    /// Decodes and validates a header word that is not 0. `limit` is the largest size of a part in bytes.
    #[inline]
    pub fn read(word: u64, limit: usize) -> Result<Part, ProtocolError> {
        let part = Part(word);
        if part.size() > limit {
            return Err(ProtocolError::Size);
        }
        if !part.has(PRESENT) || part.is_aborted() && (part.has(MORE) || !part.has(NOT_FIRST) || part.size() != 0) {
            return Err(ProtocolError::Word);
        }
        Ok(part)
    }

    /// Returns the header if it is a complete record of this kind, urgent or not, with at most `limit` bytes.
    #[inline(always)]
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub fn small(word: u64, kind: u32, limit: usize) -> Option<Part> {
        let rest = word & !URGENT & !(SIZE << 32);
        let part = Part(word);
        (rest == PRESENT | u64::from(kind) && part.size() <= limit).then_some(part)
    }

    /// Same as [`small`](Part::small), for records that are not urgent.
    #[inline(always)]
    pub fn one_way(word: u64, kind: u32, limit: usize) -> Option<Part> {
        let part = Part(word);
        (word & !(SIZE << 32) == PRESENT | u64::from(kind) && part.size() <= limit).then_some(part)
    }

    /// Returns the [`stride`](Part::stride) of a part that is not urgent. It does not depend on the position.
    #[inline(always)]
    pub fn one_way_stride(self) -> usize {
        (BYTES + self.size() + BYTES - 1) & !(BYTES - 1)
    }

    /// Returns the header with another payload size.
    #[cfg(all(feature = "fault-injection", not(loom)))]
    pub fn with_size(self, size: usize) -> Part {
        Part(self.0 & !(SIZE << 32) | (size as u64) << 32)
    }

    #[inline]
    pub fn kind(self) -> u32 {
        self.0 as u32
    }

    /// Returns the payload size in bytes.
    #[inline]
    pub fn size(self) -> usize {
        (self.0 >> 32 & SIZE) as usize
    }

    /// Returns whether any of the bits in `flag` is set.
    #[inline]
    pub fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    pub fn is_aborted(self) -> bool {
        self.has(ABORTED)
    }

    /// Returns the distance in bytes from the header of this part, at position `at`, to the header of the next part. It is at most `LINE +
    /// BYTES` more than the size.
    #[inline]
    pub fn stride(self, at: usize) -> usize {
        let to = if self.has(URGENT) { LINE } else { BYTES };
        ((at + BYTES + self.size() + to - 1) & !(to - 1)) - at
    }
}
