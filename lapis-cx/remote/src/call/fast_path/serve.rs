//! The callee's side of the fast path: decodes calls, makes them and replies.

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::endpoint::{Endpoint, LibraryCall};
use super::super::link::{Link, UNEXPECTED};
use super::super::order::{Ticket, constant};
use super::super::refusals;
use super::super::scratch::UsedScratch;
use super::in_place::{BufferSpan, InPlaceBuffers, align_of};
use super::{OTHER_SIZE, ends, get, put};
use crate::marshal::access::{bytes, bytes_mut, store_pointer};
use crate::marshal::memory::Allocation;
use crate::marshal::names::is_without_object;
use crate::marshal::{CallError, CallResult, named};
use crate::plan::{FastCall, Mode};
use crate::protocol::Ended;
use crate::protocol::{HAS_TICKETS, IN_PLACE, NESTED, answer, put_ended, put_failures, record, reply_head};
use crate::{Error, Reader, Wake, Writer};

/// The memory of a call: its arguments and buffers.
#[derive(Default)]
pub(crate) struct Memory<'a> {
    /// The argument struct, if it is small.
    few: [u128; 4],
    /// The argument struct, if it is larger.
    many: Option<Allocation>,
    scratch: Option<UsedScratch<'a>>,
    in_place: Option<InPlaceBuffers<'a>>,
    spans: SmallVec<[BufferSpan; 4]>,
}

impl Memory<'_> {
    /// Allocates `bytes` zeroed bytes for the arguments.
    fn arguments(&mut self, bytes: usize) -> Option<usize> {
        if bytes <= size_of_val(&self.few) {
            return Some(self.few.as_mut_ptr().expose_provenance());
        }
        self.many = Allocation::zeroed(bytes);
        self.many.as_ref().map(Allocation::address)
    }
}

/// A decoded call.
pub(crate) struct Received {
    number: u32,
    name: u32,
    /// The id of the request.
    id: u32,
    is_nested: bool,
    arguments: usize,
    ticket: Option<Ticket>,
    /// The reason why the call must be refused, if any.
    refused: Option<CallError>,
}

/// Decodes a call whose first word was read.
///
/// # Errors
///
/// The channel failed.
pub(crate) fn receive<'a, P: Endpoint>(
    endpoint: &P,
    link: &'a Link,
    (number, name, id): (u32, u32, u32),
    (fast, flags): (&FastCall, u32),
    memory: &mut Memory<'a>,
    from: &mut Reader<'_>,
) -> CallResult<Received> {
    if (fast.mode == Mode::Sync) != (id != 0) {
        return Err(UNEXPECTED);
    }
    let ticket = if flags & HAS_TICKETS != 0 { Some((0, from.get_u64()?)) } else { None };
    if flags & IN_PLACE != 0 && fast.mode == Mode::Sync {
        memory.in_place = link.in_place.begin(id);
    }
    let arguments = memory.arguments(fast.bytes);
    let (is_nested, arguments_at) = (flags & NESTED != 0, arguments.unwrap_or(0));
    let mut received = Received { number, name, id, is_nested, arguments: arguments_at, ticket, refused: None };
    let done = if flags & IN_PLACE != 0 && memory.in_place.is_none() {
        Err(CallError::Refused("its buffers are in shared memory, which this worker does not grant", name))
    } else if arguments.is_none() {
        Err(CallError::Refused("there is no memory for it", name))
    } else {
        // SAFETY: `received.arguments` was allocated for the argument struct of this call.
        unsafe { receive_values(endpoint, link, fast, received.arguments, memory, from) }
    };
    match done {
        Ok(()) => {}
        Err(CallError::Channel(Error::End)) => received.refused = Some(OTHER_SIZE),
        Err(why @ CallError::Channel(_)) => return Err(why),
        Err(why) => received.refused = Some(why),
    }
    Ok(received)
}

/// Decodes the numbers, objects and buffers of a call.
///
/// # Safety
///
/// `arguments` must have space for the argument struct.
#[inline]
unsafe fn receive_values<'a, P: Endpoint>(
    endpoint: &P,
    link: &'a Link,
    fast: &FastCall,
    arguments: usize,
    memory: &mut Memory<'a>,
    from: &mut Reader<'_>,
) -> CallResult<()> {
    for (offset, size) in &fast.copy_in {
        // SAFETY: the plan places these members inside the argument struct.
        unsafe { get(from, arguments + offset, *size)? };
    }
    if !fast.is_numbers() {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { receive_others(endpoint, link, fast, arguments, memory, from)? };
    }
    ends(from)
}

/// Decodes objects and buffers into the memory of the call.
///
/// # Safety
///
/// `arguments` must have space for the argument struct, and its numbers must be decoded.
unsafe fn receive_others<'a, P: Endpoint>(
    endpoint: &P,
    link: &'a Link,
    fast: &FastCall,
    arguments: usize,
    memory: &mut Memory<'a>,
    from: &mut Reader<'_>,
) -> CallResult<()> {
    for object in &fast.objects {
        let id = from.get_u64()?;
        if !object.is_optional && is_without_object(id) {
            return Err(CallError::without_object(id, object.name));
        }
        let bits = named(endpoint.tables(), endpoint.names(), (object.of, object.bytes), id)
            .ok_or(CallError::Refused("it is no object of this guest, or a dead one", object.name))?;
        // SAFETY: the plan places this member inside the argument struct.
        unsafe { object.store(arguments, bits) };
    }
    if fast.buffers.is_empty() {
        return Ok(());
    }
    let alignments = from.get_u64()?;
    for (n, buffer) in (0..).zip(&fast.buffers) {
        let alignment = alignments >> (4 * n) & 0xf;
        if alignment == 0 {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { buffer.check_null_allowed(endpoint, arguments)? };
            memory.spans.push((0, 0));
            if let Some(in_place) = &mut memory.in_place {
                in_place.add(0, 0);
            }
            continue;
        }
        // SAFETY: the caller upholds the contract of this function.
        let size = unsafe { buffer.size(endpoint, arguments)? };
        if let Some(in_place) = &mut memory.in_place {
            let here = in_place
                .add(size, alignment)
                .ok_or(CallError::Refused("it does not fit into the shared memory of its channel", buffer.name))?;
            // SAFETY: the plan places this member inside the argument struct.
            unsafe { store_pointer(arguments + buffer.offset, here) };
            memory.spans.push((here, size));
            continue;
        }
        let scratch = memory.scratch.get_or_insert_with(|| link.scratch(false));
        let here = scratch.arena().allocate(size, align_of(alignment), false, endpoint.limits().call);
        let here =
            here.ok_or(CallError::Refused("the call needs more memory than CX_REMOTE_CALL_BYTES", buffer.name))?;
        // SAFETY: the plan places this member inside the argument struct, and `here` was just allocated with `size` bytes.
        unsafe {
            store_pointer(arguments + buffer.offset, here);
            from.get(bytes_mut(here, size))?;
        }
        memory.spans.push((here, size));
    }
    if memory.in_place.is_some() {
        // The closing word of the record proves that all in-place buffers are complete.
        from.get_u64()?;
    }
    Ok(())
}

/// Makes a call and replies.
///
/// # Errors
///
/// The channel failed.
///
/// # Safety
///
/// The call must have been decoded into `memory`.
pub(crate) unsafe fn perform<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    received: &Received,
    fast: &FastCall,
    memory: &mut Memory<'_>,
) -> CallResult<()> {
    let Received { number, name, id, is_nested, .. } = *received;
    let is_waited_for = id != 0;
    let tickets = received.ticket.as_slice();
    let done = match received.refused {
        Some(why) => Err(why),
        None => {
            endpoint.described().at(lapis_cx_plan::Hook::Arguments);
            let (monitors, errno) = (constant(fast.monitor), link.errno.get());
            let library_call = LibraryCall {
                number,
                name,
                tickets,
                monitors,
                errno,
                request: id,
                is_nested,
                has_late_results: false,
                ends: false,
            };
            // SAFETY: the arguments were received.
            unsafe { endpoint.call(link, library_call, received.arguments) }
        }
    };
    if !is_waited_for {
        endpoint.finish(tickets);
    }
    match done {
        // SAFETY: the caller upholds the contract of this function.
        Ok(returned) if is_waited_for => unsafe {
            // In-place buffers need no copy.
            let spans = if memory.in_place.is_none() { &*memory.spans } else { &[] };
            answer_with(endpoint, link, (fast, id), received.arguments, spans, returned.errno)
        },
        Ok(_) => Ok(()),
        Err(why) => fail(endpoint, link, (number, name), id, why),
    }
}

/// Reports that a call was not made: in its reply, or with a later reply if the call is asynchronous.
#[cold]
pub(super) fn fail<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    (number, name): (u32, u32),
    id: u32,
    why: CallError,
) -> CallResult<()> {
    match why {
        CallError::Channel(_) => return Err(why),
        // The program left the call and expects no reply.
        CallError::Left => return Ok(()),
        _ => {}
    }
    if id == 0 {
        fail_later(endpoint, (number, name), why);
        return Ok(());
    }
    refusals::explain(endpoint.described(), name, &why);
    let ended = endpoint.take_ended();
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    put_head(&mut to, answer::FAILED, (id, None), (&ended, &[]));
    Ok(to.commit(Wake::Now)?)
}

/// Reports that an asynchronous call was not made.
#[cold]
pub(super) fn fail_later<P: Endpoint>(endpoint: &P, (number, name): (u32, u32), why: CallError) {
    refusals::explain(endpoint.described(), name, &why);
    endpoint.record_failure(number, 0);
}

/// Sends the reply of a call.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call. The buffers must belong to this call.
pub(super) unsafe fn answer_with<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    (fast, id): (&FastCall, u32),
    arguments: usize,
    spans: &[BufferSpan],
    errno: Option<i32>,
) -> CallResult<()> {
    endpoint.described().at(lapis_cx_plan::Hook::Reply);
    let (ended, failures) = if endpoint.has_announcements() {
        (endpoint.take_ended(), endpoint.take_failures())
    } else {
        Default::default()
    };
    // SAFETY: the caller guarantees the argument struct of this call.
    let success = fast.success.as_ref().is_none_or(|code| unsafe { code.value(arguments) }.unwrap_or(0) != 0);
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    let flags = if success { answer::SUCCEEDED } else { 0 };
    let errno = errno.filter(|errno| *errno != link.errno.get());
    put_head(&mut to, flags, (id, errno), (&ended, &failures));
    if let Some((offset, size)) = fast.copy_out {
        // SAFETY: the plan places this member inside the argument struct.
        unsafe { put(&mut to, arguments + offset, size) };
    }
    if success {
        for (_, (here, size)) in fast.buffers.iter().zip(spans).filter(|(buffer, _)| buffer.is_out) {
            // SAFETY: the buffer was allocated in the memory of this call with this size.
            to.put(unsafe { bytes(*here, *size) });
        }
    }
    to.commit(Wake::Now)?;
    link.take_errno(errno);
    Ok(())
}

/// Encodes the head of a reply, with the lists of ended entities and of failed asynchronous calls.
pub(crate) fn put_head(
    to: &mut Writer<'_>,
    flags: u8,
    (id, errno): (u32, Option<i32>),
    (ended, failures): (&[Ended], &[(u32, i64)]),
) {
    let flag = |is_empty: bool, flag: u8| if is_empty { 0 } else { flag };
    let flags = flags | flag(ended.is_empty(), answer::ENDED) | flag(failures.is_empty(), answer::FAILURES);
    to.put_u64(reply_head(flags, id, errno));
    put_ended(to, ended);
    put_failures(to, failures);
}
