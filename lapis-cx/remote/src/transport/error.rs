//! The errors of a channel.

use std::fmt;

/// The reason why a record was not sent or received.
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
    /// The timeout passed before the other process answered. Nothing that it sends afterwards is read.
    Silent,
    /// The reader requested more bytes than the record has.
    End,
    /// The sender aborted a record after it had sent a part of it.
    Cut,
    /// The process is the child of a fork that a function of the program made during a call. The channel belongs to the parent.
    Forked,
    /// A function of the program left a call that it had made, by `longjmp` or a context switch. The other side still makes that call.
    Left,
    /// A system call failed with this `errno`.
    System(i32),
}

/// How the other process broke the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolError {
    /// A part of a record is larger than a quarter of the ring or 32 KiB.
    Size,
    /// The header of a part has unused bits set, or flags that exclude each other.
    Word,
    /// A continuation part arrived where a record must begin, or a first part inside a record.
    Order,
    /// The receiver reports a position that went back or is beyond the sent bytes.
    Cursor,
    /// A message on the control socket is malformed or not allowed in this state.
    Message,
}

impl Error {
    /// Returns the error of the last system call of this thread.
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
            Error::Protocol(ProtocolError::Size) => {
                "the other process sent a part of a record that is larger than its limit"
            }
            Error::Protocol(ProtocolError::Word) => "the other process sent a record with an invalid header",
            Error::Protocol(ProtocolError::Order) => "the other process sent the parts of a record out of order",
            Error::Protocol(ProtocolError::Cursor) => "the other process reports more bytes as read than were sent",
            Error::Protocol(ProtocolError::Message) => "the other process sent an invalid control message",
            Error::Silent => "the other process did not answer before the timeout",
            Error::End => "a record was read beyond its end",
            Error::Cut => "the sender aborted the record",
            Error::Forked => "the program forked during the call: only the parent gets the result",
            Error::Left => "a function of the program left a call in it, by longjmp or a context switch",
            Error::System(code) => return write!(to, "{}", std::io::Error::from_raw_os_error(*code)),
        })
    }
}

impl std::error::Error for Error {}
