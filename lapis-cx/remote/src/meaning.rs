//! What members of records mean to who reads them: a guest that lies chooses its lies by it (feature `spoil`). Else all of this is
//! compiled to nothing.

/// What a member means.
#[cfg_attr(not(all(feature = "spoil", not(loom))), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A number of the library's, or of no other kind.
    Number,
    /// How many elements or bytes follow.
    Length,
    /// In which of some ways something is said.
    Tag,
    /// An object or a registration.
    Handle,
    /// A region or a buffer of this call.
    Region,
    /// How far into it.
    Offset,
    /// Bits that say how a call is made, or what of it is null.
    Flags,
}

#[cfg(all(feature = "spoil", not(loom)))]
thread_local! {
    static NEXT: std::cell::Cell<Meaning> = const { std::cell::Cell::new(Meaning::Number) };
}

/// Sets the meaning of the member that is written next.
#[inline(always)]
pub(crate) fn next_is(meaning: Meaning) {
    #[cfg(all(feature = "spoil", not(loom)))]
    NEXT.set(meaning);
    #[cfg(not(all(feature = "spoil", not(loom))))]
    let _ = meaning;
}

/// Takes the meaning of the member that was written last.
#[cfg(all(feature = "spoil", not(loom)))]
pub(crate) fn take() -> Meaning {
    NEXT.replace(Meaning::Number)
}
