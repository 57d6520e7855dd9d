//! Errors of a channel.

use std::fmt;

/// Why a record was not sent or received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The other process ended, or its connection closed. Records that it sent before can still be received.
    Died,
    /// The other end of this channel was dropped. Records that it sent before can still be received.
    Closed,
    /// This process stopped the channel.
    Stopped,
    /// The other process broke the protocol. Nothing that it sends afterwards is read.
    Protocol(ProtocolError),
    /// The other process did nothing until the timeout. What it sends afterwards is not read.
    Silent,
    /// The reader went beyond the end of a record.
    End,
    /// The sender gave up a record after it had sent a part of it.
    Cut,
    /// The system refused a call, with this `errno`.
    System(i32),
}

/// How the other process broke the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolError {
    /// A record that is larger than the ring.
    Size,
    /// A first word of a record with bits that are not used, or that exclude each other.
    Word,
    /// The middle of a record where a record begins, or the other way round.
    Order,
    /// A cursor that went back, or beyond what was sent.
    Cursor,
    /// A message on the control socket that has no meaning.
    Message,
}

impl Error {
    /// The error of the last system call.
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
            Error::Protocol(ProtocolError::Size) => "the other process sent a record that is larger than the ring",
            Error::Protocol(ProtocolError::Word) => "the other process sent a record with an invalid first word",
            Error::Protocol(ProtocolError::Order) => "the other process sent the parts of a record out of order",
            Error::Protocol(ProtocolError::Cursor) => "the other process reports more bytes as read than were sent",
            Error::Protocol(ProtocolError::Message) => "the other process sent an invalid control message",
            Error::Silent => "the other process did nothing until the timeout",
            Error::End => "a record was read beyond its end",
            Error::Cut => "the sender gave up the record",
            Error::System(code) => return write!(to, "{}", std::io::Error::from_raw_os_error(*code)),
        })
    }
}

impl std::error::Error for Error {}
