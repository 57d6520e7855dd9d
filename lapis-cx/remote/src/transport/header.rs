//! The first word of a record, or of a part of one: while it is 0 nothing is there. Whoever sends stores it last.
//!
//! ```text
//! bit 63  there          62  more parts follow      61  not the first part     60  urgent
//!     59  given up       32..=58  bytes of payload, without the padding to 8   0..=31  kind
//! ```
//!
//! After an urgent part the next one begins on a line of its own (64 bytes): the next urgent record is one line then.

use crate::transport::error::ProtocolError;

const THERE: u64 = 1 << 63;
/// Others follow.
pub(crate) const MORE: u64 = 1 << 62;
/// Not the first.
pub(crate) const LATER: u64 = 1 << 61;
/// Its sender fenced it, and waits.
pub(crate) const URGENT: u64 = 1 << 60;
const GIVEN_UP: u64 = 1 << 59;
const SIZE: u64 = (1 << 27) - 1;

/// The bytes of the first word.
pub(crate) const BYTES: usize = 8;
/// What a cache line has: bytes.
pub(crate) const LINE: usize = 64;

/// A part of a record, as its first word says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part(u64);

impl Part {
    /// Nothing is there.
    pub const NONE: Part = Part(0);

    /// Of a kind, with so many bytes of payload; `flags` are those above.
    #[inline]
    pub fn new(kind: u32, size: usize, flags: u64) -> Part {
        Part(THERE | flags | (size as u64 & SIZE) << 32 | u64::from(kind))
    }

    /// The last part, an empty one, of a record that its sender gave up.
    pub fn given_up(kind: u32) -> Part {
        Part::new(kind, 0, LATER | URGENT | GIVEN_UP)
    }

    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }

    /// `word` is not 0, and may be anything else. No part is larger than `limit`.
    #[inline]
    pub fn read(word: u64, limit: usize) -> Result<Part, ProtocolError> {
        let part = Part(word);
        if part.size() > limit {
            return Err(ProtocolError::Size);
        }
        if !part.has(THERE) || part.is_given_up() && (part.has(MORE) || !part.has(LATER) || part.size() != 0) {
            return Err(ProtocolError::Word);
        }
        Ok(part)
    }

    /// A whole record of this kind, with no more than `limit` bytes.
    #[inline(always)]
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub fn small(word: u64, kind: u32, limit: usize) -> Option<Part> {
        let rest = word & !URGENT & !(SIZE << 32);
        let part = Part(word);
        (rest == THERE | u64::from(kind) && part.size() <= limit).then_some(part)
    }

    /// Such a record that is not urgent.
    #[inline(always)]
    pub fn told(word: u64, kind: u32, limit: usize) -> Option<Part> {
        let part = Part(word);
        (word & !(SIZE << 32) == THERE | u64::from(kind) && part.size() <= limit).then_some(part)
    }

    /// The [`stride`](Part::stride) of a part that is not urgent, anywhere.
    #[inline(always)]
    pub fn told_stride(self) -> usize {
        (BYTES + self.size() + BYTES - 1) & !(BYTES - 1)
    }

    /// The same with another size of its payload.
    #[cfg(all(feature = "fault-injection", not(loom)))]
    pub fn with_size(self, size: usize) -> Part {
        Part(self.0 & !(SIZE << 32) | (size as u64) << 32)
    }

    #[inline]
    pub fn kind(self) -> u32 {
        self.0 as u32
    }

    /// Payload, in bytes.
    #[inline]
    pub fn size(self) -> usize {
        (self.0 >> 32 & SIZE) as usize
    }

    /// Whether it has one of the flags.
    #[inline]
    pub fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    pub fn is_given_up(self) -> bool {
        self.has(GIVEN_UP)
    }

    /// From the first word of this part to that of the next, if this one begins at `at`: bytes. At most `LINE + BYTES` more than
    /// the size.
    #[inline]
    pub fn stride(self, at: usize) -> usize {
        let to = if self.has(URGENT) { LINE } else { BYTES };
        ((at + BYTES + self.size() + to - 1) & !(to - 1)) - at
    }
}
