//! Records between guest and worker: their kinds, flags and common parts. `PROTOCOL.md` defines their order.

use std::fmt;

use crate::{Error, ProtocolError, Reader, Writer};

/// Kinds of records. `PROTOCOL.md` defines which side sends which record when.
pub(crate) mod record {
    /// Guest to worker: function, mode, flags and id of a request, its tickets and its arguments. An asynchronous call whose arguments are not
    /// only numbers ends with the number by which the guest collects its results, or 0. The fast path has another form (`call::fast_path`).
    pub const CALL: u32 = 1;
    /// Worker to guest: flags (see [`answer`](super::answer)), the id of the request, `errno`, and the fields that the
    /// flags announce; then the results.
    pub const RETURN: u32 = 2;
    /// Worker to guest: callback, mode and id of a request; the id of the call during which it is made, or 0; the registration; then the
    /// arguments.
    pub const CALLBACK: u32 = 3;
    /// Guest to worker: like `RETURN`, for a callback.
    pub const ANSWER: u32 = 4;
    /// Guest to worker: tickets of an asynchronous call that is not made.
    pub const SKIPPED: u32 = 5;
    /// Guest to worker: the provisional ids of the objects that the preceding asynchronous call creates.
    pub const NAMED: u32 = 6;
    /// Guest to worker: `errno` of the program's thread, if it differs from the last value that either side sent.
    pub const ERRNO: u32 = 7;
    /// Guest to worker: a request for the results of asynchronous calls (`call::collect`).
    pub const COLLECT: u32 = 8;
}

/// Flags of a reply.
pub(crate) mod answer {
    /// The call was not made, or its results could not be sent, so no results follow.
    pub const FAILED: u8 = 1;
    /// The call succeeded.
    pub const SUCCEEDED: u8 = 2;
    /// `errno` follows.
    pub const ERRNO: u8 = 4;
    /// A list of ended entities follows ([`Ended`](super::Ended)).
    pub const ENDED: u8 = 8;
    /// A list of asynchronous calls that failed follows.
    pub const FAILURES: u8 = 16;
    /// Mistakes in the specification follow that the worker detected.
    pub const FOUND: u8 = 32;
    /// Guest to worker: the program left the callback and the call around it, which gets no reply. Nothing follows.
    pub const LEFT: u8 = 64;
}

// Flags of a request, in addition to the mode of its call.
/// Tickets follow.
pub(crate) const HAS_TICKETS: u32 = 1 << 8;
/// The record has the form of the fast path.
pub(crate) const FAST_PATH: u32 = 1 << 9;
/// The buffers of a call on the fast path are in the shared buffer pool of the channel.
pub(crate) const IN_PLACE: u32 = 1 << 10;
/// The call is made during a callback from a thread of the library.
pub(crate) const NESTED: u32 = 1 << 11;
/// A request for results does not wait until the calls are over.
pub(crate) const AT_ONCE: u32 = 1 << 12;
/// The largest number of tickets, of objects, and of asynchronous calls in one request.
pub(crate) const MOST: u32 = 1 << 16;
/// The position of the result, where a record identifies buffers by their positions.
pub(crate) const RESULT: u32 = u32::MAX;

/// The position of the request's id in the flags of its record.
pub(crate) const ID_SHIFT: u32 = 16;

/// Returns the first word of a reply: its flags, the id of its request, and `errno`.
#[inline(always)]
pub(crate) fn reply_head(flags: u8, id: u32, errno: Option<i32>) -> u64 {
    let flags = flags | if errno.is_some() { answer::ERRNO } else { 0 };
    u64::from(flags) | u64::from(id) << 8 | u64::from(errno.unwrap_or(0).cast_unsigned()) << 32
}

/// Returns the id of the request from the first word of a reply.
#[inline(always)]
pub(crate) fn id_of_reply(head: u64) -> u32 {
    head as u32 >> 8
}

/// Returns `errno` from the first word of a reply.
#[inline(always)]
pub(crate) fn errno_of_reply(head: u64) -> Option<i32> {
    (head as u8 & answer::ERRNO != 0).then_some((head >> 32) as i32)
}

/// An entity that ended and that the other side must remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ended {
    /// A region, by its id.
    Region(u32),
    /// An object, by kind and identifier.
    Object(u32, u64),
    /// A registration of a callback, by its id.
    Registration(u32),
    /// The use of a registration by an asynchronous call that is over: its id, and the number of calls of `once` callbacks that are no longer
    /// expected.
    Use(u32, u32),
    /// A registration that an asynchronous call was expected to keep, but did not, by its id.
    NotKept(u32),
    /// A descriptor, by its id, and whether the callee closed it.
    File(u32, bool),
    /// A registration that ended on the worker, by its id, and the number of asynchronous callbacks that the worker sent for it. The guest's
    /// registration ends after that number of callbacks.
    Callbacks(u32, u64),
    /// The worker's copy of a region of the program's memory, by the region's id, and the number of references in requests to this copy. The guest's
    /// region ends unless the guest has sent more references, with which the worker makes the copy again.
    Copy(u32, u32),
}

/// Returns a list of objects, regions and registrations that tests report as ended.
#[cfg(all(feature = "fault-injection", not(loom)))]
pub(crate) fn everything() -> Vec<Ended> {
    let objects = (0..16).flat_map(|kind| (1..16).map(move |index| Ended::Object(kind, 2 << 32 | index)));
    let others = (1..64).flat_map(|id| [Ended::Region(id), Ended::Copy(id, u32::MAX), Ended::Registration(id)]);
    objects.chain(others).collect()
}

/// The largest number of ended entities in one record.
pub(crate) const MOST_ENDED: u32 = 1 << 20;

/// Encodes the list of ended entities, if it is not empty.
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
            Ended::Use(id, calls) => (4, calls, u64::from(id)),
            Ended::Callbacks(id, count) => (5, id, count),
            Ended::NotKept(id) => (6, 0, u64::from(id)),
            Ended::Copy(id, references) => (7, references, u64::from(id)),
        };
        to.put_u32(what);
        to.put_u32(kind);
        to.put_u64(id);
    }
}

/// Decodes the list that [`put_ended`] encoded.
///
/// # Errors
///
/// Fails if the channel fails or the list has more than [`MOST_ENDED`] entries.
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
            4 => Ended::Use(id as u32, kind),
            5 => Ended::Callbacks(kind, id),
            6 => Ended::NotKept(id as u32),
            7 => Ended::Copy(id as u32, kind),
            _ => Ended::Registration(id as u32),
        });
    }
    Ok(())
}

/// Encodes the function and the result of each failed asynchronous call, if there are any.
pub(crate) fn put_failures(to: &mut Writer<'_>, failures: &[(u32, i64)]) {
    if failures.is_empty() {
        return;
    }
    to.put_u32(failures.len() as u32);
    for (function, result) in failures {
        to.put_u32(*function);
        to.put_u64(result.cast_unsigned());
    }
}

/// Decodes the list that [`put_failures`] encoded, and passes its entries to `report`.
///
/// # Errors
///
/// Fails if the channel fails.
pub(crate) fn get_failures(from: &mut Reader<'_>, mut report: impl FnMut(u32, i64)) -> Result<(), Error> {
    for _ in 0..from.get_u32()? {
        report(from.get_u32()?, from.get_u64()?.cast_signed());
    }
    Ok(())
}

/// A kind of mistake in a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mistake {
    /// The size of a buffer, or the size of its valid part, is wrong.
    Size,
    /// The direction (`in`, `out`, `inout` or `@on`) is wrong.
    Direction,
    /// The lifetime of memory or of an object is wrong.
    Lifetime,
    /// The result differs.
    Result,
    /// The callbacks differ.
    Callback,
    /// The call was rejected.
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

/// A mistake in a specification, and the evidence for it.
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

/// The largest size in bytes of a text in a finding.
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

/// Decodes one finding.
///
/// # Errors
///
/// Fails if the channel fails or the record contains no finding.
pub(crate) fn get_found(from: &mut Reader<'_>) -> Result<Finding, Error> {
    let mistake = Mistake::of(from.get_u8()?).ok_or(Error::Protocol(ProtocolError::Order))?;
    Ok(Finding { mistake, function: get_text(from)?, parameter: get_text(from)?, text: get_text(from)? })
}
