//! The accesses of CSRs, as names have them.

/// What a header offers for a CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsrAccess {
    /// The word.
    Read,
    /// Another word.
    Write,
    /// Another word, for the one before.
    Swap,
    /// Bits set, for the word before.
    Set,
    /// Bits cleared, for the word before.
    Clear,
}

impl CsrAccess {
    /// All there are.
    pub const ALL: [CsrAccess; 5] =
        [CsrAccess::Read, CsrAccess::Write, CsrAccess::Swap, CsrAccess::Set, CsrAccess::Clear];

    /// As names have it.
    pub fn word(self) -> &'static str {
        match self {
            CsrAccess::Read => "read",
            CsrAccess::Write => "write",
            CsrAccess::Swap => "swap",
            CsrAccess::Set => "set",
            CsrAccess::Clear => "clear",
        }
    }
}
