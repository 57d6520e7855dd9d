//! The caller's side of the fast path: encodes calls and decodes their replies.

use std::cell::RefMut;
use std::rc::Rc;

use smallvec::SmallVec;

use super::super::asynchronous::SentCalls;
use super::super::collect::{collect_lanes, is_in_callback};
use super::super::endpoint::{Endpoint, take_announcements};
use super::super::link::{Link, WaitingBuffer};
use super::super::links;
use super::super::order::constant;
use super::super::serve::process_record;
use super::in_place::{BufferSpan, InPlaceBuffers, alignment};
use super::{ends, get, put};
use crate::field_kind::{FieldKind, next_field};
use crate::marshal::access::{bytes, bytes_mut, load_pointer, store_changed, store_differences};
use crate::marshal::names::{id_without_object, is_provisional, number_of};
use crate::marshal::{CallError, CallResult, NO_OBJECT, lock, pages};
use crate::plan::{FastCall, Mode};
use crate::protocol::{FAST_PATH, HAS_TICKETS, ID_SHIFT, IN_PLACE, NESTED, answer, errno_of_reply, record};
use crate::{Reader, Receiver, Wake};

/// The outcome of an attempt on the fast path.
pub(crate) enum Made {
    /// The call was made; its `errno`, if it reports one.
    Done(Option<i32>),
    /// The call was not sent: it needs a marshaller.
    NeedsMarshaller,
}

/// The objects and buffers of a call.
#[derive(Default)]
struct Prepared {
    objects: SmallVec<[u64; 4]>,
    /// The address and size of each buffer.
    spans: SmallVec<[BufferSpan; 4]>,
    /// The contents of the `inout` buffers, if callbacks of other threads may change them.
    former: Former,
}

/// Makes a call on the fast path.
///
/// # Errors
///
/// The call was not made.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
pub(crate) unsafe fn make<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    (number, name): (u32, u32),
    fast: &FastCall,
    arguments: usize,
) -> CallResult<Made> {
    let mut prepared = Prepared::default();
    // SAFETY: the caller upholds the contract of this function.
    if !fast.is_numbers() && !unsafe { prepare(endpoint, link, fast, arguments, &mut prepared)? } {
        return Ok(Made::NeedsMarshaller);
    }
    let Prepared { objects, spans, former } = &mut prepared;
    let spans = &**spans;
    let is_waited_for = fast.mode == Mode::Sync;
    if !is_waited_for && link.is_for_callbacks {
        return Ok(Made::NeedsMarshaller);
    }
    let before = endpoint.sent_calls().and_then(SentCalls::next_id);
    let waits = if is_waited_for { Some(link.wait()?) } else { None };
    let id = waits.as_ref().map_or(0, |waits| waits.id);
    let mut sender = link.sender()?;
    let ticket = if fast.order.is_global { endpoint.ticket(!is_waited_for) } else { None };
    let mut to = sender.record(record::CALL);
    // An asynchronous call cannot use in-place memory, because the guest is not notified when the memory is free again.
    let in_place = if is_waited_for { link.in_place.allocate(id, spans) } else { None };
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let more = flag(ticket.is_some(), HAS_TICKETS) | flag(in_place.is_some(), IN_PLACE);
    let more = more | flag(links::is_in_callback(), NESTED);
    let flags = fast.mode as u32 | FAST_PATH | more | id << ID_SHIFT;
    to.put_u64(u64::from(number) | u64::from(flags) << 32);
    if let Some((_, ticket)) = ticket {
        to.put_u64(ticket);
    }
    for (offset, size) in &fast.copy_in {
        // SAFETY: the plan places these members inside the argument struct.
        unsafe { put(&mut to, arguments + offset, *size) };
    }
    for object in &*objects {
        next_field(FieldKind::Handle);
        to.put_u64(*object);
    }
    if !spans.is_empty() {
        next_field(FieldKind::Flags);
        to.put_u64((0..).zip(spans).fold(0, |word, (n, (here, _))| word | alignment(*here) << (4 * n)));
        // `out` buffers are sent too, so bytes that the library does not write keep their values.
        if let Some(in_place) = &in_place {
            // SAFETY: `prepare` computed these buffers from the program's arguments.
            unsafe { in_place.send(&mut to, spans) };
        } else {
            for (here, size) in spans.iter().filter(|(here, _)| *here != 0) {
                // SAFETY: `prepare` computed the buffer. A program that changes it meanwhile would race with the library natively too.
                to.put(unsafe { bytes(*here, *size) });
            }
        }
    }
    endpoint.described().at(lapis_cx_plan::Hook::Send);
    to.commit(if is_waited_for { Wake::Now } else { Wake::Later })?;
    drop(sender);
    if !is_waited_for {
        if let Some(sent_calls) = endpoint.sent_calls() {
            sent_calls.count();
        }
        return Ok(Made::Done(None));
    }
    // SAFETY: the caller upholds the contract of this function.
    let errno = unsafe { wait(endpoint, link, (name, id), fast, (spans, in_place.as_ref(), former), arguments, None)? };
    // `collect_lanes` can serve callbacks that make calls with in-place buffers. The worker has freed the memory of this call by then, and both
    // sides must place those buffers at the same offsets.
    drop((waits, in_place));
    if let Some(before) = before {
        collect_lanes(endpoint, link, (&constant(fast.order), before), is_in_callback(link, false));
    }
    Ok(Made::Done(errno))
}

/// Waits for the reply of a call and serves callbacks meanwhile. Returns the `errno`, if the call reports one. `at_record` is a receiver that is
/// already positioned at the first record.
///
/// # Errors
///
/// The call was not made.
///
/// # Safety
///
/// Same contract as [`make`]. The buffers must belong to this call.
pub(crate) unsafe fn wait<P: Endpoint>(
    endpoint: &P,
    link: &Rc<Link>,
    (name, id): (u32, u32),
    fast: &FastCall,
    (spans, in_place, former): (&[BufferSpan], Option<&InPlaceBuffers<'_>>, &mut Former),
    arguments: usize,
    at_record: Option<RefMut<'_, Receiver>>,
) -> CallResult<Option<i32>> {
    let mut first = match at_record {
        Some(mut receiver) => link.is_for(id, false, &mut receiver)?.then_some(receiver),
        None => None,
    };
    loop {
        let mut receiver = match first.take() {
            Some(receiver) => receiver,
            None => link.next_for(id, false)?,
        };
        let mut from = receiver.again();
        if from.kind() == record::RETURN {
            link.files_are_settled(endpoint);
            // SAFETY: the caller upholds the contract of this function.
            let errno = unsafe { take(endpoint, name, fast, (spans, in_place, former), arguments, &mut from)? };
            return Ok(Some(link.take_errno(errno)));
        }
        // Serves a callback of the library.
        from.keep();
        let buffers = spans.iter().zip(&fast.buffers).map(|((start, size), one)| WaitingBuffer {
            start: *start,
            end: start + size,
            is_written: one.is_out,
        });
        let _buffers = link.with_buffers(id, buffers);
        if former.contents.is_empty() {
            // The callback may change the buffers.
            // SAFETY: the caller guarantees that the buffers belong to this call.
            former.contents = unsafe { contents_of(fast, spans) };
        }
        // SAFETY: no call waits in this frame, so no arguments are accessed.
        unsafe { process_record(endpoint, link, receiver, None)? };
    }
}

/// Collects the objects and buffers of a call. Returns `false` if the call needs a marshaller.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
unsafe fn prepare<P: Endpoint>(
    endpoint: &P,
    link: &Link,
    fast: &FastCall,
    arguments: usize,
    prepared: &mut Prepared,
) -> CallResult<bool> {
    let tables = lock(endpoint.tables());
    for object in &fast.objects {
        // SAFETY: the plan places this member inside the argument struct.
        let bits = unsafe { object.bits(arguments) };
        let has_memory =
            endpoint.described().plan.handles.get(object.of as usize).is_some_and(|handle| handle.has_memory);
        if let Some(id) = id_without_object(bits, object.bytes) {
            if !object.is_optional {
                return Err(CallError::without_object(id, object.name));
            }
            prepared.objects.push(id);
            continue;
        }
        let id = if has_memory { tables.known_id(object.of, bits).unwrap_or(NO_OBJECT) } else { bits };
        let is_none = is_provisional(id, object.bytes) && !endpoint.has_named(number_of(id, object.bytes));
        prepared.objects.push(if is_none { NO_OBJECT } else { id });
    }
    for buffer in &fast.buffers {
        // SAFETY: the plan places this member inside the argument struct.
        let here = unsafe { load_pointer(arguments + buffer.offset) };
        if here == 0 {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { buffer.check_null_allowed(endpoint, arguments)? };
            prepared.spans.push((0, 0));
            continue;
        }
        // SAFETY: the caller upholds the contract of this function.
        let size = unsafe { buffer.size(endpoint, arguments)? };
        let end = here.saturating_add(size);
        let is_elsewhere = || {
            endpoint.call_that_changes(here, end).is_some()
                || link.depth() != 0 && link.is_in_waiting_call((here, end), buffer.is_out)
        };
        let meets =
            |(other, other_size): &BufferSpan| *other != 0 && here <= *other + *other_size && *other <= here + size;
        if size >= pages::LEAST || tables.meets_region(here, size) || prepared.spans.iter().any(meets) || is_elsewhere()
        {
            return Ok(false);
        }
        prepared.spans.push((here, size));
    }
    let has_callbacks = !tables.registrations.is_empty();
    drop(tables);
    if has_callbacks && fast.buffers.iter().any(|buffer| buffer.is_in && buffer.is_out) {
        let callbacks = endpoint.callbacks_now();
        // SAFETY: these are the program's buffers for this call.
        prepared.former = Former { contents: unsafe { contents_of(fast, &prepared.spans) }, callbacks };
    }
    Ok(true)
}

/// The contents of the `inout` buffers of a call before callbacks ran.
#[derive(Default)]
pub(crate) struct Former {
    /// For each buffer; `None` if it is null or not `inout`. Empty if they were not copied.
    contents: Vec<Option<Vec<u8>>>,
    /// [`Endpoint::callbacks_now`] before the contents were copied.
    callbacks: Option<u64>,
}

/// Copies the contents of the `inout` buffers of a call.
///
/// # Safety
///
/// The buffers must belong to the call.
unsafe fn contents_of(fast: &FastCall, spans: &[BufferSpan]) -> Vec<Option<Vec<u8>>> {
    // SAFETY: the caller upholds the contract of this function.
    let contents = |(here, size): &BufferSpan| unsafe { bytes(*here, *size) }.to_vec();
    let inout = spans.iter().zip(&fast.buffers).map(|(span, one)| (one.is_in && one.is_out).then_some(span));
    inout.map(|span| span.filter(|(here, _)| *here != 0).map(contents)).collect()
}

/// Decodes the reply. Returns the `errno`, if the call reports one.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this call.
unsafe fn take<P: Endpoint>(
    endpoint: &P,
    name: u32,
    fast: &FastCall,
    (spans, in_place, former): (&[BufferSpan], Option<&InPlaceBuffers<'_>>, &Former),
    arguments: usize,
    from: &mut Reader<'_>,
) -> CallResult<Option<i32>> {
    let head = from.get_u64()?;
    let flags = head as u8;
    if flags & (answer::ENDED | answer::FAILURES) != 0 {
        take_announcements(endpoint, flags, from)?;
    }
    if flags & answer::FAILED != 0 {
        return Err(CallError::of_other_side(name));
    }
    if let Some((offset, size)) = fast.copy_out {
        // SAFETY: the plan places this member inside the argument struct.
        unsafe { get(from, arguments + offset, size)? };
    }
    if flags & answer::SUCCEEDED != 0 {
        let former = if endpoint.has_run_no_callback(former.callbacks) { &[][..] } else { &former.contents };
        for (n, (buffer, (here, size))) in fast.buffers.iter().zip(spans).enumerate() {
            if *here == 0 || !buffer.is_out {
                continue;
            }
            let mut read = |at: usize, to: &mut [u8]| match in_place {
                Some(in_place) => {
                    in_place.read(n, at, to);
                    Ok(())
                }
                None => from.get(to),
            };
            // SAFETY: `prepare` computed the buffer from the program's arguments, which specify it as writable. An `inout` buffer may be constant if
            // the library does not change it, so `store_changed` only writes bytes that differ.
            unsafe {
                if let Some(Some(before)) = former.get(n) {
                    // Other changes of the callback stay.
                    let mut new = vec![0; *size];
                    read(0, &mut new)?;
                    store_differences(*here, buffer.stride, &new, before);
                } else if buffer.is_in {
                    store_changed(*here, *size, read)?;
                } else {
                    read(0, bytes_mut(*here, *size))?;
                }
            }
        }
    }
    ends(from)?;
    Ok(errno_of_reply(head))
}
