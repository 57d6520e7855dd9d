//! Records between guest and worker: their kinds, flags and common parts. `PROTOCOL.md` says who may send which record when.

use std::fmt;

use crate::{Error, ProtocolError, Reader, Writer};

/// Kinds of records. `PROTOCOL.md` says who may send which one when.
pub(crate) mod record {
    /// Guest to worker: function, mode, flags and id of a request, its tickets, and its number if it is asynchronous; then the
    /// arguments. The fast path has another form ([`crate::call::fast_path`]).
    pub const CALL: u32 = 1;
    /// Worker to guest: flags (below), the id of the request and `errno`, what the flags announce; then what comes back.
    pub const RETURN: u32 = 2;
    /// Worker to guest: callback, mode and id of a request; the id of the call during which it is made, 0 if there is none; the
    /// registration; then the arguments.
    pub const CALLBACK: u32 = 3;
    /// Guest to worker: as `RETURN`, of a callback.
    pub const ANSWER: u32 = 4;
    /// Guest to worker: tickets of an asynchronous call that is not made.
    pub const SKIPPED: u32 = 5;
    /// Follows a call that makes objects and that nobody waits for: how the guest names them.
    pub const NAMED: u32 = 6;
    /// Guest to worker: `errno` of the program's thread, if it is not what the last reply said.
    pub const ERRNO: u32 = 7;
}

/// Flags of an answer.
pub(crate) mod answer {
    /// The call was not made, or its result could not be sent. Nothing follows but what ended.
    pub const FAILED: u8 = 1;
    /// It succeeded.
    pub const SUCCEEDED: u8 = 2;
    /// `errno` follows.
    pub const ERRNO: u8 = 4;
    /// A list of what ended follows.
    pub const ENDED: u8 = 8;
    /// Results of calls follow that nobody waited for.
    pub const LATE: u8 = 16;
    /// Mistakes of the specification follow, which the worker found.
    pub const FOUND: u8 = 32;
}

// Flags of a request, beside the mode of its call.
/// Tickets follow.
pub(crate) const HAS_TICKETS: u32 = 1 << 8;
/// The record has the form of the fast path.
pub(crate) const FAST_PATH: u32 = 1 << 9;
/// The buffers of a call of the fast path are in the shared buffer pool of the channel.
pub(crate) const IN_PLACE: u32 = 1 << 10;
/// The call is made in a callback of a thread of the library.
pub(crate) const NESTED: u32 = 1 << 11;
/// The most tickets, and the most objects, that one request names.
pub(crate) const MOST: u32 = 1 << 16;
/// Stands for the result where a buffer is named by its position.
pub(crate) const RESULT: u32 = u32::MAX;

/// The id of a request in the upper half of the flags of its record.
pub(crate) const ID_SHIFT: u32 = 16;

/// The first word of a reply: its flags, the id of its request, and `errno`.
#[inline(always)]
pub(crate) fn reply_head(flags: u8, id: u32, errno: Option<i32>) -> u64 {
    let flags = flags | if errno.is_some() { answer::ERRNO } else { 0 };
    u64::from(flags) | u64::from(id) << 8 | u64::from(errno.unwrap_or(0).cast_unsigned()) << 32
}

/// The id in it.
#[inline(always)]
pub(crate) fn id_of_reply(head: u64) -> u32 {
    head as u32 >> 8
}

/// The `errno` in it.
#[inline(always)]
pub(crate) fn errno_of_reply(head: u64) -> Option<i32> {
    (head as u8 & answer::ERRNO != 0).then_some((head >> 32) as i32)
}

/// Something that ended, which the other side has to forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Memory, by the number of its region.
    Region(u32),
    /// An object, by kind and identifier.
    Object(u32, u64),
    /// A registration of a callback.
    Registration(u32),
    /// An asynchronous call that used this registration.
    Use(u32),
    /// A descriptor, and whether it was closed.
    File(u32, bool),
}

/// The most that may end with one call.
const MOST_ENDED: u32 = 1 << 20;

/// Encodes what ended, if there is something.
pub(crate) fn put_ended(to: &mut Writer<'_>, ended: &[Ended]) {
    if ended.is_empty() {
        return;
    }
    to.put_u32(ended.len() as u32);
    for one in ended {
        let (what, kind, id) = match *one {
            Ended::Region(id) => (0, 0, u64::from(id)),
            Ended::Object(kind, id) => (1, kind, id),
            Ended::Registration(id) => (2, 0, u64::from(id)),
            Ended::File(id, is_closed) => (3, u32::from(is_closed), u64::from(id)),
            Ended::Use(id) => (4, 0, u64::from(id)),
        };
        to.put_u32(what);
        to.put_u32(kind);
        to.put_u64(id);
    }
}

/// Decodes what [`put_ended`] encoded.
///
/// # Errors
///
/// The channel failed, or more than [`MOST_ENDED`] ended.
pub(crate) fn get_ended(from: &mut Reader<'_>, ended: &mut Vec<Ended>) -> Result<(), Error> {
    let count = from.get_u32()?;
    if count > MOST_ENDED {
        return Err(Error::Protocol(ProtocolError::Order));
    }
    for _ in 0..count {
        let (what, kind, id) = (from.get_u32()?, from.get_u32()?, from.get_u64()?);
        ended.push(match what {
            0 => Ended::Region(id as u32),
            1 => Ended::Object(kind, id),
            3 => Ended::File(id as u32, kind != 0),
            4 => Ended::Use(id as u32),
            _ => Ended::Registration(id as u32),
        });
    }
    Ok(())
}

/// A kind of mistake in a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mistake {
    /// How large a buffer is, or how much of it is valid.
    Size,
    /// `in`, `out`, `inout`, or `@on`.
    Direction,
    /// How long memory or an object lives.
    Lifetime,
    /// A value that came back.
    Result,
    /// Which callbacks run.
    Callback,
    /// The call was not made.
    Refused,
}

impl Mistake {
    const ALL: [Mistake; 6] =
        [Mistake::Size, Mistake::Direction, Mistake::Lifetime, Mistake::Result, Mistake::Callback, Mistake::Refused];

    fn of(word: u8) -> Option<Mistake> {
        Mistake::ALL.into_iter().find(|mistake| *mistake as u8 == word)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mistake::Size => "size",
            Mistake::Direction => "direction",
            Mistake::Lifetime => "lifetime",
            Mistake::Result => "result",
            Mistake::Callback => "callback",
            Mistake::Refused => "refused",
        })
    }
}

/// A mistake in a specification, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub function: String,
    pub parameter: String,
    pub mistake: Mistake,
    pub text: String,
}

impl Finding {
    pub fn of(function: &str, parameter: &str, mistake: Mistake, text: impl Into<String>) -> Finding {
        Finding { function: function.to_owned(), parameter: parameter.to_owned(), mistake, text: text.into() }
    }
}

/// The longest text of a finding, in bytes.
const MOST_TEXT: usize = 1 << 16;

fn put_text(to: &mut Writer<'_>, text: &str) {
    let text = text.get(..MOST_TEXT).unwrap_or(text);
    to.put_u32(text.len() as u32);
    to.put(text.as_bytes());
}

fn get_text(from: &mut Reader<'_>) -> Result<String, Error> {
    let size = from.get_u32()? as usize;
    if size > MOST_TEXT {
        return Err(Error::Protocol(ProtocolError::Order));
    }
    let mut text = vec![0; size];
    from.get(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Encodes the findings of the worker, if there are any.
pub(crate) fn put_found(to: &mut Writer<'_>, found: &[Finding]) {
    if found.is_empty() {
        return;
    }
    to.put_u32(found.len() as u32);
    for Finding { function, parameter, mistake, text } in found {
        to.put_u8(*mistake as u8);
        [function, parameter, text].into_iter().for_each(|text| put_text(to, text));
    }
}

/// Decodes the next finding of as many as a number before them says.
///
/// # Errors
///
/// The channel failed, or the record has no finding there.
pub(crate) fn get_found(from: &mut Reader<'_>) -> Result<Finding, Error> {
    let mistake = Mistake::of(from.get_u8()?).ok_or(Error::Protocol(ProtocolError::Order))?;
    Ok(Finding { mistake, function: get_text(from)?, parameter: get_text(from)?, text: get_text(from)? })
}
