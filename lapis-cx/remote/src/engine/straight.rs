//! Straight calls ([`Straight`]): what most of a walk is for is not in them, so there is none.
//!
//! Their records have a form of their own, of which the guest says that it is theirs:
//!
//! ```text
//! CALL    u64 function, mode and flags | u64 ticket of the lane of all calls, if there is one | numbers | u64 of each object
//!         | if there are buffers: u64 which are null | contents of those that go
//! RETURN  u64 flags, errno in the upper half | what they announce | the result | if it succeeded: contents that come
//! ```
//!
//! No size is sent: both sides compute each of the same numbers, and a record that ends sooner or later is refused. A call with memory
//! that both sides keep, or with a buffer inside of another, is made by a walk.

use std::rc::Rc;

use smallvec::SmallVec;

use super::later::{is_minted, number_of};
use super::link::{Link, forget, get_ended, put_ended};
use super::make::{HAS_TICKETS, STRAIGHT};
use super::memory::{Allocation, bytes, bytes_mut, load_pointer, store_pointer};
use super::order::{Ticket, constant};
use super::party::{Doing, Party};
use super::serve::{put_late, take_late, turn};
use super::tables::Ended;
use super::walk::{Fault, NO_OBJECT, STAYS, Scratch, Walked, lock, named};
use super::{answer, record, start};
use crate::plan::{Flat, Mode, Object, Straight};
use crate::{Error, Reader, Wake, Writer};

/// How a call was made.
pub(crate) enum Made {
    /// Its `errno`, if it has one.
    Done(Option<i32>),
    /// It was not: a walk must make it.
    NeedsWalk,
}

/// What a call sends beside numbers: identifiers of objects, and where buffers are.
#[derive(Default)]
struct Prepared {
    objects: SmallVec<[u64; 4]>,
    /// Where each is, or null, and its bytes.
    buffers: SmallVec<[(usize, usize); 4]>,
}

/// Makes such a call.
///
/// # Errors
///
/// It was not made.
///
/// # Safety
///
/// The arguments are the struct of this call.
pub(crate) unsafe fn make<P: Party>(
    party: &P,
    link: &Rc<Link>,
    (number, name): (u32, u32),
    straight: &Straight,
    arguments: usize,
) -> Walked<Made> {
    let prepared = if straight.is_numbers() {
        Prepared::default()
    } else {
        // SAFETY: as the caller says.
        match unsafe { prepare(party, straight, arguments)? } {
            Some(prepared) => prepared,
            None => return Ok(Made::NeedsWalk),
        }
    };
    let is_waited_for = straight.mode == Mode::Sync;
    let ticket = if straight.order.is_global { party.ticket() } else { None };
    let mut sender = link.sender()?;
    let mut to = sender.record(record::CALL);
    let flags = straight.mode.word() | STRAIGHT | if ticket.is_some() { HAS_TICKETS } else { 0 };
    to.put_u64(u64::from(number) | u64::from(flags) << 32);
    if let Some((_, ticket)) = ticket {
        to.put_u64(ticket);
    }
    for (offset, size) in &straight.goes {
        // SAFETY: members of the arguments.
        unsafe { put(&mut to, arguments + offset, *size) };
    }
    prepared.objects.iter().for_each(|object| to.put_u64(*object));
    if !prepared.buffers.is_empty() {
        let places = (0..).zip(&prepared.buffers);
        to.put_u64(places.fold(0, |nulls, (n, (here, _))| nulls | u64::from(*here == 0) << n));
        for (buffer, (here, size)) in straight.buffers.iter().zip(&prepared.buffers) {
            if *here != 0 && buffer.goes(*size) {
                // SAFETY: the program's own. If it changes it meanwhile, so it would natively.
                to.put(unsafe { bytes(*here, *size) });
            }
        }
    }
    party.described().at(lapis_cx_plan::Hook::Send);
    to.commit(if is_waited_for { Wake::Now } else { Wake::Later })?;
    drop(sender);
    if !is_waited_for {
        return Ok(Made::Done(None));
    }
    loop {
        let mut receiver = link.receiver()?;
        let mut from = receiver.next()?;
        if from.kind() == record::RETURN {
            // SAFETY: as the caller says.
            return unsafe { take(party, name, straight, &prepared, arguments, &mut from) }.map(Made::Done);
        }
        // The library calls back.
        from.put_back();
        drop(receiver);
        // SAFETY: nothing waits that it could take.
        unsafe { turn(party, link, None)? };
    }
}

/// Finds what a call sends; none if a walk must.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn prepare<P: Party>(party: &P, straight: &Straight, arguments: usize) -> Walked<Option<Prepared>> {
    let mut prepared = Prepared::default();
    let tables = lock(party.tables());
    for object in &straight.objects {
        // SAFETY: a member of the arguments.
        let bits = unsafe { object.bits(arguments) };
        let has_memory = party.described().plan.handles.get(object.of as usize).is_some_and(|handle| handle.has_memory);
        let id = match bits {
            0 if object.is_optional => 0,
            0 => return Err(Fault::Refused("it is null", object.name)),
            _ if has_memory => tables.known_id(object.of, bits).unwrap_or(NO_OBJECT),
            _ => bits,
        };
        let is_none = is_minted(id, object.bytes) && !party.has_named(number_of(id, object.bytes));
        prepared.objects.push(if is_none { NO_OBJECT } else { id });
    }
    for buffer in &straight.buffers {
        // SAFETY: a member of the arguments.
        let (here, size) = unsafe { (load_pointer(arguments + buffer.offset), buffer.size(party, arguments)?) };
        if here == 0 {
            buffer.may_be_null(size)?;
        } else if tables.find_end_of_region(here).is_some()
            || prepared.buffers.iter().any(|(other, room)| *other != 0 && (*other..=*other + *room).contains(&here))
        {
            return Ok(None);
        }
        prepared.buffers.push((here, size));
    }
    Ok(Some(prepared))
}

/// Takes what came back: `errno`, if it did.
///
/// # Safety
///
/// The arguments are the struct of this call.
unsafe fn take<P: Party>(
    party: &P,
    name: u32,
    straight: &Straight,
    prepared: &Prepared,
    arguments: usize,
    from: &mut Reader<'_>,
) -> Walked<Option<i32>> {
    let head = from.get_u64()?;
    let flags = head as u8;
    if flags & (answer::ENDED | answer::LATE) != 0 {
        take_news(party, flags, from)?;
    }
    if flags & answer::FAILED != 0 {
        return Err(Fault::Refused("the other side refused the call", name));
    }
    if let Some((offset, size)) = straight.comes {
        // SAFETY: a member of the arguments.
        unsafe { get(from, arguments + offset, size)? };
    }
    if flags & answer::SUCCEEDED != 0 {
        for (buffer, (here, size)) in straight.buffers.iter().zip(&prepared.buffers) {
            if *here != 0 && buffer.takes_out {
                // SAFETY: the program's own.
                from.get(unsafe { bytes_mut(*here, *size) })?;
            }
        }
    }
    ends(from)?;
    Ok((flags & answer::ERRNO != 0).then_some((head >> 32) as i32))
}

/// What ended, and results of calls that nobody waited for.
#[cold]
fn take_news<P: Party>(party: &P, flags: u8, from: &mut Reader<'_>) -> Walked<()> {
    if flags & answer::ENDED != 0 {
        let mut ended = Vec::new();
        get_ended(from, &mut ended)?;
        forget(&mut lock(party.tables()), &ended);
    }
    if flags & answer::LATE != 0 {
        take_late(party, from)?;
    }
    Ok(())
}

/// Nothing more may follow.
fn ends(from: &Reader<'_>) -> Walked<()> {
    if from.remaining() == 0 && !from.is_open() { Ok(()) } else { Err(OTHER_SIZE) }
}

const OTHER_SIZE: Fault = Fault::Refused("what was sent has another size than its numbers say", 0);

/// Memory of a call that is done: its arguments, and what its buffers need.
#[derive(Default)]
pub(crate) struct Memory {
    few: [u128; 8],
    many: Option<Allocation>,
    scratch: Option<Box<Scratch>>,
}

impl Memory {
    /// Where so many bytes are for arguments, all 0.
    fn arguments(&mut self, bytes: usize) -> Option<usize> {
        if bytes <= size_of_val(&self.few) {
            return Some(self.few.as_mut_ptr().expose_provenance());
        }
        self.many = Allocation::zeroed(bytes);
        self.many.as_ref().map(Allocation::address)
    }
}

/// A call that was received.
pub(crate) struct Received {
    number: u32,
    name: u32,
    arguments: usize,
    tickets: SmallVec<[Ticket; 1]>,
    /// Where each buffer is, and its bytes.
    buffers: SmallVec<[(usize, usize); 4]>,
    /// Why it cannot be done.
    refused: Option<Fault>,
}

/// Receives a call, of which the first word was read.
///
/// # Errors
///
/// The channel cannot be used any more.
pub(crate) fn receive<P: Party>(
    party: &P,
    link: &Link,
    (number, name): (u32, u32),
    (straight, flags): (&Straight, u32),
    memory: &mut Memory,
    from: &mut Reader<'_>,
) -> Walked<Received> {
    let mut tickets = SmallVec::new();
    if flags & HAS_TICKETS != 0 {
        tickets.push((0, from.get_u64()?));
    }
    if !straight.buffers.is_empty() {
        memory.scratch = Some(link.scratch());
    }
    let (buffers, arguments) = (SmallVec::new(), memory.arguments(straight.bytes));
    let mut received = Received { number, name, arguments: arguments.unwrap_or(0), tickets, buffers, refused: None };
    let done = if arguments.is_some() {
        // SAFETY: there is room for the struct of arguments.
        unsafe { receive_values(party, straight, memory.scratch.as_deref_mut(), &mut received, from) }
    } else {
        Err(Fault::Refused("there is no memory for it", name))
    };
    match done {
        Ok(()) => {}
        Err(Fault::Channel(Error::End)) => received.refused = Some(OTHER_SIZE),
        Err(why @ Fault::Channel(_)) => return Err(why),
        Err(why) => received.refused = Some(why),
    }
    Ok(received)
}

/// Receives numbers, objects, and buffers in memory of the call.
///
/// # Safety
///
/// There is room for the struct of arguments.
unsafe fn receive_values<P: Party>(
    party: &P,
    straight: &Straight,
    scratch: Option<&mut Scratch>,
    received: &mut Received,
    from: &mut Reader<'_>,
) -> Walked<()> {
    let arguments = received.arguments;
    for (offset, size) in &straight.goes {
        // SAFETY: members of the arguments.
        unsafe { get(from, arguments + offset, *size)? };
    }
    for object in &straight.objects {
        let id = from.get_u64()?;
        let bits = match id {
            0 if object.is_optional => 0,
            0 => return Err(Fault::Refused("it is null", object.name)),
            _ => named(party.tables(), party.names(), (object.of, object.bytes), id)
                .ok_or(Fault::Refused("it is no object of this guest, or a dead one", object.name))?,
        };
        // SAFETY: a member of the arguments.
        unsafe { object.store(arguments, bits) };
    }
    let Some(scratch) = scratch else { return ends(from) };
    let nulls = from.get_u64()?;
    for (n, buffer) in (0..).zip(&straight.buffers) {
        // SAFETY: as the caller says.
        let size = unsafe { buffer.size(party, arguments)? };
        if nulls >> n & 1 != 0 {
            buffer.may_be_null(size)?;
            received.buffers.push((0, 0));
            continue;
        }
        let goes = buffer.goes(size);
        let memory = scratch.arena.allocate(size, !goes, party.limits().call);
        let here = memory.ok_or(Fault::Refused("the call needs more memory than the limit", buffer.name))?;
        // SAFETY: a member of the arguments, and memory that was allocated just now.
        unsafe {
            store_pointer(arguments + buffer.offset, here);
            if goes {
                from.get(bytes_mut(here, size))?;
            }
        }
        received.buffers.push((here, size));
    }
    ends(from)
}

/// Does a call, and answers.
///
/// # Errors
///
/// The channel cannot be used any more.
///
/// # Safety
///
/// The memory is that with which the call was received.
pub(crate) unsafe fn perform<P: Party>(
    party: &P,
    link: &Rc<Link>,
    received: &Received,
    straight: &Straight,
    memory: &mut Memory,
) -> Walked<()> {
    // SAFETY: as the caller says.
    let done = unsafe { perform_in(party, link, received, straight) };
    if let Some(scratch) = memory.scratch.take() {
        link.give_back(scratch);
    }
    done
}

/// # Safety
///
/// As [`perform`].
unsafe fn perform_in<P: Party>(party: &P, link: &Rc<Link>, received: &Received, straight: &Straight) -> Walked<()> {
    let Received { number, name, arguments, ref tickets, ref buffers, refused } = *received;
    let (is_waited_for, thread) = (straight.mode == Mode::Sync, party.thread());
    let done = match refused {
        Some(why) => {
            party.skip(tickets);
            Err(why)
        }
        None => {
            party.described().at(lapis_cx_plan::Hook::Arguments);
            let doing = Doing { number, name, tickets, monitors: constant(straight.monitor, thread), is_waited_for };
            // SAFETY: the arguments were received.
            unsafe { party.call(link, doing, arguments) }
        }
    };
    let errno = match done {
        Err(why @ Fault::Channel(_)) => return Err(why),
        Ok(_) if !is_waited_for => return Ok(()),
        Ok(errno) => errno,
        Err(why) => {
            start::explain(party.described(), name, &why);
            if !is_waited_for {
                party.has_failed(number, 0);
                return Ok(());
            }
            let ended = party.late();
            let mut sender = link.sender()?;
            let mut to = sender.record(record::RETURN);
            put_head(&mut to, answer::FAILED, None, &ended);
            return Ok(to.commit(Wake::Now)?);
        }
    };
    party.described().at(lapis_cx_plan::Hook::Reply);
    let ended = party.late();
    let news = if party.described().plan.has_async { party.news(&constant(straight.order, thread)) } else { None };
    // SAFETY: the arguments of this call.
    let success = straight.success.as_ref().is_none_or(|code| unsafe { code.value(arguments) }.unwrap_or(0) != 0);
    let mut sender = link.sender()?;
    let mut to = sender.record(record::RETURN);
    let late = if news.is_some() { answer::LATE } else { 0 };
    let flags = late | if success { answer::SUCCEEDED } else { 0 };
    put_head(&mut to, flags, errno.filter(|_| straight.has_errno), &ended);
    if let Some(mut news) = news {
        put_late(party, &mut news, &mut to)?;
    }
    if let Some((offset, size)) = straight.comes {
        // SAFETY: a member of the arguments.
        unsafe { put(&mut to, arguments + offset, size) };
    }
    if success {
        for (_, (here, size)) in straight.buffers.iter().zip(buffers).filter(|(buffer, _)| buffer.takes_out) {
            // SAFETY: memory of the call.
            to.put(unsafe { bytes(*here, *size) });
        }
    }
    Ok(to.commit(Wake::Now)?)
}

fn put_head(to: &mut Writer<'_>, flags: u8, errno: Option<i32>, ended: &[Ended]) {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let flags = flags | flag(errno.is_some(), answer::ERRNO) | flag(!ended.is_empty(), answer::ENDED);
    to.put_u64(u64::from(flags) | u64::from(errno.unwrap_or(0).cast_unsigned()) << 32);
    put_ended(to, ended);
}

impl Object {
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    unsafe fn bits(&self, arguments: usize) -> u64 {
        // SAFETY: a member of the arguments.
        unsafe {
            match self.bytes {
                4 => u64::from(((arguments + self.offset) as *const u32).read_unaligned()),
                _ => ((arguments + self.offset) as *const u64).read_unaligned(),
            }
        }
    }

    /// # Safety
    ///
    /// As above.
    unsafe fn store(&self, arguments: usize, bits: u64) {
        // SAFETY: a member of the arguments.
        unsafe {
            match self.bytes {
                4 => ((arguments + self.offset) as *mut u32).write_unaligned(bits as u32),
                _ => ((arguments + self.offset) as *mut u64).write_unaligned(bits),
            }
        }
    }
}

impl Flat {
    /// Whether contents of so many bytes go. What an `out` buffer has before the call goes too if it is small: what the library does
    /// not write stays.
    fn goes(&self, size: usize) -> bool {
        self.takes_in || size <= STAYS
    }

    /// Bytes.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    unsafe fn size<P: Party>(&self, party: &P, arguments: usize) -> Walked<usize> {
        // SAFETY: as the caller says.
        let count = unsafe { self.count.value(arguments) }.and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or(Fault::Refused("its size is no number, below 0 or too large", self.name))?;
        let size = count.checked_mul(self.stride).filter(|size| *size <= party.limits().call);
        size.ok_or(Fault::Refused("it is larger than the limit", self.name))
    }

    /// A pointer to nothing may be null, whatever is said of it.
    fn may_be_null(&self, size: usize) -> Walked<()> {
        if self.is_optional || size == 0 { Ok(()) } else { Err(Fault::Refused("it is null", self.name)) }
    }
}

/// Sends members, which are mostly one number or few.
///
/// # Safety
///
/// So many bytes lie there.
#[inline]
unsafe fn put(to: &mut Writer<'_>, address: usize, size: usize) {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            4 => to.put_array((address as *const [u8; 4]).read()),
            8 => to.put_array((address as *const [u8; 8]).read()),
            16 => {
                to.put_array((address as *const [u8; 8]).read());
                to.put_array(((address + 8) as *const [u8; 8]).read());
            }
            _ => to.put(bytes(address, size)),
        }
    }
}

/// Receives them.
///
/// # Safety
///
/// There is room for so many bytes.
#[inline]
unsafe fn get(from: &mut Reader<'_>, address: usize, size: usize) -> Walked<()> {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            4 => (address as *mut [u8; 4]).write(from.get_array()?),
            8 => (address as *mut [u8; 8]).write(from.get_array()?),
            16 => {
                (address as *mut [u8; 8]).write(from.get_array()?);
                ((address + 8) as *mut [u8; 8]).write(from.get_array()?);
            }
            _ => from.get(bytes_mut(address, size))?,
        }
    }
    Ok(())
}
