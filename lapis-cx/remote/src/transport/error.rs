//! What can go wrong on a channel.

use std::fmt;

/// Why a record was not sent or received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The other process ended, or its connection did. What it sent before can still be received.
    Died,
    /// The other end of this channel was dropped. What it sent before can still be received.
    Closed,
    /// This process stopped the channel.
    Stopped,
    /// The other process wrote what no correct one writes. Nothing that comes after it can be trusted.
    Lied(Lie),
    /// The other process did nothing for longer than this one waits. What it does later is not seen any more.
    Silent,
    /// A record was read beyond its end.
    End,
    /// The sender gave a record up after it had sent a part of it.
    Cut,
    /// The system refused a call, with this `errno`.
    System(i32),
}

/// What the other process wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lie {
    /// A record that is larger than the ring.
    Size,
    /// A first word of a record with bits that are not used, or that exclude each other.
    Word,
    /// The middle of a record where one begins, or the other way round.
    Order,
    /// A cursor that went back, or beyond what was sent.
    Cursor,
    /// A message on the control socket that has no meaning.
    Message,
}

impl Error {
    /// What the last call of the system said.
    #[cfg(not(all(loom, test)))]
    pub(crate) fn last() -> Error {
        Error::System(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Error::Died => "the other process ended",
            Error::Closed => "the other end of the channel was closed",
            Error::Stopped => "the channel was stopped by this process",
            Error::Lied(Lie::Size) => "the other process sent a record that is larger than the ring",
            Error::Lied(Lie::Word) => "the other process sent a record whose first word has no meaning",
            Error::Lied(Lie::Order) => "the other process sent the parts of a record out of order",
            Error::Lied(Lie::Cursor) => "the other process claims to have read what was not sent",
            Error::Lied(Lie::Message) => "the other process sent a control message that has no meaning",
            Error::Silent => "the other process did nothing for longer than it may",
            Error::End => "a record was read beyond its end",
            Error::Cut => "the sender gave the record up",
            Error::System(code) => return write!(to, "{}", std::io::Error::from_raw_os_error(*code)),
        })
    }
}

impl std::error::Error for Error {}
