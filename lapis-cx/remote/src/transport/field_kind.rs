//! Kinds of the fields of records. The kind of a field determines how fault injection corrupts it. Without the feature `fault-injection` this module
//! generates no code.

/// The kind of a field of a record.
#[cfg_attr(not(all(feature = "fault-injection", not(loom))), allow(dead_code, unreachable_pub))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A number of the library, or a field of no other kind.
    Number,
    /// The number of elements or bytes that follow.
    Length,
    /// A tag that selects the encoding of what follows.
    Tag,
    /// An object or a registration.
    Handle,
    /// A region or a buffer of this call.
    Region,
    /// An offset into a region or buffer, in bytes.
    Offset,
    /// The number of a message about memory that both sides keep.
    Version,
    /// Flags of the call, or bits that mark null pointers.
    Flags,
}

#[cfg(all(feature = "fault-injection", not(loom)))]
thread_local! {
    static NEXT: std::cell::Cell<FieldKind> = const { std::cell::Cell::new(FieldKind::Number) };
}

/// Sets the kind of the field that is written next.
#[inline(always)]
pub(crate) fn next_field(kind: FieldKind) {
    #[cfg(all(feature = "fault-injection", not(loom)))]
    NEXT.set(kind);
    #[cfg(not(all(feature = "fault-injection", not(loom))))]
    let _ = kind;
}

/// Returns the kind that [`next_field`] set, and resets it to [`FieldKind::Number`].
#[cfg(all(feature = "fault-injection", not(loom)))]
pub(crate) fn take_kind() -> FieldKind {
    NEXT.replace(FieldKind::Number)
}
