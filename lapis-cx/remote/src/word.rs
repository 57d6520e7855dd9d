//! The first word of a record, or of a part of one: while it is 0 nothing is there. Whoever sends stores it last.
//!
//! ```text
//! bit 63  there          62  more parts follow      61  not the first part     60  urgent
//!     59  given up       32..=58  bytes of payload, without the padding to 8   0..=31  kind
//! ```
//!
//! After an urgent part the next one begins on a line of its own (64 bytes): the next urgent record is one line then.

use crate::error::Lie;

const THERE: u64 = 1 << 63;
const MORE: u64 = 1 << 62;
const LATER_PART: u64 = 1 << 61;
const URGENT: u64 = 1 << 60;
const GIVEN_UP: u64 = 1 << 59;
const SIZE: u64 = (1 << 27) - 1;

/// The bytes of the first word.
pub(crate) const BYTES: usize = 8;
/// What a cache line has: bytes.
pub(crate) const LINE: usize = 64;

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub kind: u32,
    /// Payload, in bytes.
    pub size: usize,
    /// Others follow.
    pub more: bool,
    /// Not the first.
    pub later: bool,
    /// Its sender fenced it, and waits.
    pub urgent: bool,
    /// The sender gave the record up: this part, the last one, is empty.
    pub given_up: bool,
}

impl Part {
    pub const EMPTY: Part = Part { kind: 0, size: 0, more: false, later: false, urgent: false, given_up: false };

    #[inline]
    pub fn word(self) -> u64 {
        let flag = |is: bool, bit| if is { bit } else { 0 };
        THERE
            | flag(self.more, MORE)
            | flag(self.later, LATER_PART)
            | flag(self.urgent, URGENT)
            | flag(self.given_up, GIVEN_UP)
            | (self.size as u64 & SIZE) << 32
            | u64::from(self.kind)
    }

    /// `word` is not 0, and may be anything else. No part is larger than `limit`.
    #[inline]
    pub fn read(word: u64, limit: usize) -> Result<Part, Lie> {
        let has = |bit| word & bit != 0;
        let part = Part {
            kind: word as u32,
            size: (word >> 32 & SIZE) as usize,
            more: has(MORE),
            later: has(LATER_PART),
            urgent: has(URGENT),
            given_up: has(GIVEN_UP),
        };
        if part.size > limit {
            return Err(Lie::Size);
        }
        if !has(THERE) || part.given_up && (part.more || !part.later || part.size != 0) {
            return Err(Lie::Word);
        }
        Ok(part)
    }

    /// From the first word of this part to that of the next, if this one begins at `at`: bytes. At most `LINE + BYTES` more than
    /// the size.
    #[inline]
    pub fn stride(self, at: usize) -> usize {
        let to = if self.urgent { LINE } else { BYTES };
        (at + BYTES + self.size).next_multiple_of(to) - at
    }
}
