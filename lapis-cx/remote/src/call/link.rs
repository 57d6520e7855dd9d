//! A channel of one thread, and what is the same on both of its ends.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::sync::Arc;

use super::fast_path::in_place::Rooms;
use super::{stack, start};
use crate::marshal::memory::Allocation;
use crate::marshal::{CallError, CallResult, Marshaller, Scratch, Side, watched_memory};
use crate::plan::{Block, Call};
use crate::protocol::{
    Ended, Finding, answer, errno_of_reply, get_ended, get_found, id_of_reply, put_ended, put_found, record, reply_head,
};
use crate::{Channel, Error, Reader, Receiver, Sender, Wake};

/// So many files of calls that nobody waited for are remembered, to be taken back if those were refused.
const MOST_FILES: usize = 4096;
/// What writes the results of calls that nobody waited for.
pub(crate) type Late<'a> = Option<&'a mut dyn FnMut(&mut crate::Writer<'_>) -> CallResult<()>>;

/// A channel between a thread of the guest and one of the worker.
pub(crate) struct Link {
    /// Whose it is, among the guests of this process; 0 on a worker.
    pub guest: usize,
    sender: RefCell<Sender>,
    receiver: RefCell<Receiver>,
    /// Where buffers of calls lie in place.
    pub rooms: Rooms,
    /// A call of this thread waits for its reply, and none of the program's functions runs meanwhile. Who calls then is a signal
    /// handler, which could interrupt the engine anywhere.
    waits: Cell<bool>,
    /// `errno` of the program's thread as both sides have it.
    pub errno: Cell<i32>,
    /// How many requests of this side wait for their replies. They are nested, so this is also the id of the innermost one.
    depth: Cell<u32>,
    most_depth: u32,
    /// Records that arrived for a request that is not the innermost, in the order in which they came.
    aside: RefCell<VecDeque<Aside>>,
    /// Memory that functions of the program gave to a call that runs: another one may end it meanwhile.
    held: RefCell<Vec<Arc<Allocation>>>,
    /// Objects whose structs have members that are copied, named by requests that wait on this channel. Each side may change them meanwhile.
    members: RefCell<Vec<(u32, u64)>>,
    /// Files of calls that nobody waits for: which of them the other side took is known with the next answer.
    sent_files: RefCell<Vec<u32>>,
    /// Of calls that are not running.
    #[allow(clippy::vec_box)] // a box goes out and comes back without a copy
    scratch: RefCell<Vec<Box<Scratch>>>,
}

/// A record for a request that waits around the innermost one.
struct Aside {
    request: u32,
    kind: u32,
    bytes: Vec<u8>,
}

/// Until this is dropped, a function of the program runs and may make calls.
pub(crate) struct Lent<'a> {
    waits: &'a Cell<bool>,
    before: bool,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.waits.set(self.before);
    }
}

/// A request that names objects waits or runs, until this is dropped.
pub(crate) struct WithMembers<'a> {
    link: &'a Link,
    /// So many objects are of the requests around it.
    before: usize,
}

impl Drop for WithMembers<'_> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.link.members.try_borrow_mut() {
            all.truncate(self.before);
        }
    }
}

/// A request that waits for its reply, until this is dropped.
pub(crate) struct Waits<'a> {
    link: &'a Link,
    /// The id of the request: how many requests wait on the channel, with it.
    pub id: u32,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.link.waits.set(false);
        self.link.depth.set(self.id - 1);
    }
}

/// Requests that are nested less deep are not checked against the limits.
const FREE_DEPTH: u32 = 8;
/// Bytes of stack that a nested request needs, with what the program or the library does in it.
const LEAST_STACK: usize = 192 << 10;
/// The most requests that wait on one channel: ids have 16 bits.
pub(crate) const MOST_IDS: u32 = (1 << 16) - 1;
/// The most bytes of records that are set aside on one channel.
const MOST_ASIDE: usize = 1 << 30;

impl Link {
    /// The end of a channel, on which at most `most_depth` requests of this side wait at a time.
    pub fn new(channel: Channel, guest: usize, most_depth: u32) -> Link {
        let Channel { sender, receiver, room } = channel;
        let (sender, receiver) = (RefCell::new(sender), RefCell::new(receiver));
        let held = RefCell::default();
        Link {
            guest,
            sender,
            receiver,
            rooms: Rooms::new(room),
            waits: Cell::new(false),
            errno: Cell::new(0),
            depth: Cell::new(0),
            most_depth: most_depth.clamp(FREE_DEPTH, MOST_IDS),
            aside: RefCell::default(),
            held,
            members: RefCell::default(),
            sent_files: RefCell::default(),
            scratch: RefCell::default(),
        }
    }

    /// A request begins that waits for its reply.
    ///
    /// # Errors
    ///
    /// A signal handler makes it in the middle of another call of its thread, or too many requests wait around it.
    #[inline(always)]
    pub fn wait(&self) -> CallResult<Waits<'_>> {
        let id = self.depth.get() + 1;
        if self.waits.get() {
            return Err(INTERRUPTED);
        }
        self.check_depth(id)?;
        self.waits.set(true);
        self.depth.set(id);
        Ok(Waits { link: self, id })
    }

    /// The same on the worker, for a callback: no signal handler makes one.
    ///
    /// # Errors
    ///
    /// Too many wait around it.
    pub fn wait_for_callback(&self) -> CallResult<Waits<'_>> {
        let id = self.depth.get() + 1;
        self.check_depth(id)?;
        self.depth.set(id);
        Ok(Waits { link: self, id })
    }

    /// Nested requests use the stacks of both sides: there must be some left for what this one calls.
    #[inline(always)]
    fn check_depth(&self, id: u32) -> CallResult<()> {
        if id > FREE_DEPTH && (id > self.most_depth || stack::stack_left() < LEAST_STACK) {
            start::say_once(&format!(
                "calls nested {id} deep are refused: the limit is {} (CX_REMOTE_CALL_DEPTH), or less stack than {LEAST_STACK} bytes \
                 is left",
                self.most_depth
            ));
            return Err(TOO_DEEP);
        }
        Ok(())
    }

    /// Whether a request waits that names objects with members that are copied.
    pub fn has_members(&self) -> bool {
        self.members.try_borrow().is_ok_and(|all| !all.is_empty())
    }

    /// A message is also about the objects of the requests around it.
    pub fn add_members(&self, marshaller: &mut Marshaller<'_>) {
        if let Ok(all) = self.members.try_borrow() {
            marshaller.with_members.extend_from_slice(&all);
        }
    }

    /// Until the result is dropped, a request waits or runs that names these objects.
    pub fn with_members(&self, marshaller: &Marshaller<'_>) -> WithMembers<'_> {
        let mut before = 0;
        if let Ok(mut all) = self.members.try_borrow_mut() {
            before = all.len();
            for object in &*marshaller.with_members {
                if !all.contains(object) {
                    all.push(*object);
                }
            }
        }
        WithMembers { link: self, before }
    }

    /// On the guest: the worker's library finds the program's `errno`, as it would in one process.
    #[inline(always)]
    pub fn send_errno(&self, errno: i32) {
        if errno != self.errno.get() {
            self.send_new_errno(errno);
        }
    }

    #[cold]
    fn send_new_errno(&self, errno: i32) {
        // A signal handler in the middle of another call leaves it, as it cannot make a call either.
        let Ok(mut sender) = self.sender.try_borrow_mut() else { return };
        let mut to = sender.record(record::ERRNO);
        to.put_u32(errno.cast_unsigned());
        if to.commit(Wake::Later).is_ok() {
            self.errno.set(errno);
        }
    }

    /// What a reply says of `errno` is what both sides have from now on.
    #[inline(always)]
    pub fn take_errno(&self, errno: Option<i32>) -> i32 {
        self.errno.set(errno.unwrap_or(self.errno.get()));
        self.errno.get()
    }

    /// A function of the program runs, and may make calls.
    pub fn lend(&self) -> Lent<'_> {
        Lent { waits: &self.waits, before: self.waits.replace(false) }
    }

    /// How many requests of this side wait.
    pub fn depth(&self) -> u32 {
        self.depth.get()
    }

    /// Waits for the next record that is for the request `id`, which is the innermost of this side: the receiver stands there then.
    ///
    /// On the guest, a record that is for a request around this one is set aside until that is the innermost. On the worker every
    /// record but a reply is for whoever reads it: it runs nested in what waits.
    ///
    /// # Errors
    ///
    /// The channel cannot be used any more; the record is for no request that waits.
    pub fn next_for(&self, id: u32, is_worker: bool) -> CallResult<RefMut<'_, Receiver>> {
        let mut receiver = self.receiver()?;
        if let Some(Aside { kind, bytes, .. }) = self.take_aside(id) {
            receiver.replay(kind, bytes);
            return Ok(receiver);
        }
        loop {
            receiver.next()?.keep();
            if self.is_for(id, is_worker, &mut receiver)? {
                return Ok(receiver);
            }
        }
    }

    /// Whether the record at which the receiver stands is for this request. If it is for one around it, it is set aside.
    #[inline(always)]
    pub fn is_for(&self, id: u32, is_worker: bool, receiver: &mut Receiver) -> CallResult<bool> {
        let mut from = receiver.again();
        let kind = from.kind();
        let request = match kind {
            record::RETURN | record::ANSWER => id_of_reply(from.get_u64()?),
            record::CALLBACK if !is_worker => {
                from.get_u64()?;
                from.get_u32()?
            }
            _ => id,
        };
        from.keep();
        if request == id {
            return Ok(true);
        }
        if is_worker || request == 0 || request > id {
            return Err(UNEXPECTED);
        }
        self.set_aside(request, kind, receiver.again())?;
        Ok(false)
    }

    #[cold]
    fn set_aside(&self, request: u32, kind: u32, from: Reader<'_>) -> CallResult<()> {
        let mut aside = self.aside.try_borrow_mut().map_err(|_| INTERRUPTED)?;
        let used: usize = aside.iter().map(|one| one.bytes.len()).sum();
        match from.copy(MOST_ASIDE.saturating_sub(used)) {
            Ok(bytes) => aside.push_back(Aside { request, kind, bytes }),
            // The other side gave it up; what follows says why.
            Err(Error::Cut) => {}
            Err(why) => return Err(why.into()),
        }
        Ok(())
    }

    /// The first record that was set aside for a request.
    #[inline]
    fn take_aside(&self, request: u32) -> Option<Aside> {
        let mut aside = self.aside.try_borrow_mut().ok()?;
        if aside.is_empty() {
            return None;
        }
        let at = aside.iter().position(|one| one.request == request)?;
        aside.remove(at)
    }

    /// The end that sends.
    ///
    /// # Errors
    ///
    /// A signal handler makes a call in the middle of another call of its thread.
    pub fn sender(&self) -> CallResult<RefMut<'_, Sender>> {
        self.sender.try_borrow_mut().map_err(|_| INTERRUPTED)
    }

    /// The end that receives.
    ///
    /// # Errors
    ///
    /// As [`sender`](Link::sender).
    pub fn receiver(&self) -> CallResult<RefMut<'_, Receiver>> {
        self.receiver.try_borrow_mut().map_err(|_| INTERRUPTED)
    }

    /// What a function of the program gave stays until [`release`](Link::release).
    pub fn hold(&self, memory: &mut Vec<Arc<Allocation>>) {
        let Ok(mut held) = self.held.try_borrow_mut() else { return };
        for one in memory.drain(..) {
            if !held.iter().any(|known| Arc::ptr_eq(known, &one)) {
                held.push(one);
            }
        }
    }

    /// The outermost call of the thread is over.
    pub fn release(&self) {
        if let Ok(mut held) = self.held.try_borrow_mut() {
            held.clear();
        }
    }

    /// A call is over, with files that were sent for it: the other side may not have taken those of one that it `refused`.
    pub fn settle_files(&self, marshaller: &mut Marshaller<'_>, is_waited_for: bool, is_refused: bool) {
        if is_waited_for {
            if is_refused {
                marshaller.take_files_back();
            }
            self.files_are_settled(marshaller.side);
        } else if let Ok(mut earlier) = self.sent_files.try_borrow_mut() {
            marshaller.sent_files.truncate(MOST_FILES.saturating_sub(earlier.len()));
            earlier.append(&mut marshaller.sent_files);
        }
    }

    /// The other side answered: it has taken the files that went before, or never will.
    pub fn files_are_settled(&self, side: &dyn Side) {
        // Mostly there is none.
        if let Ok(mut earlier) = self.sent_files.try_borrow_mut()
            && !earlier.is_empty()
        {
            earlier.drain(..).for_each(|number| side.take_file_back(number));
        }
    }

    pub fn scratch(&self) -> Box<Scratch> {
        self.scratch.try_borrow_mut().ok().and_then(|mut all| all.pop()).unwrap_or_default()
    }

    pub fn give_back(&self, mut scratch: Box<Scratch>) {
        scratch.arena.clear();
        scratch.in_use.clear();
        scratch.opened.clear();
        if let Ok(mut all) = self.scratch.try_borrow_mut() {
            all.push(scratch);
        }
    }

    /// Says that a call was not made, or that its result cannot be sent.
    pub fn refuse(&self, (kind, id): (u32, u32), ended: &[Ended]) -> CallResult<()> {
        let mut sender = self.sender()?;
        let mut to = sender.record(kind);
        let found = watched_memory::take_found();
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = answer::FAILED | flag(!ended.is_empty(), answer::ENDED) | flag(!found.is_empty(), answer::FOUND);
        to.put_u64(reply_head(flags, id, None));
        put_ended(&mut to, ended);
        put_found(&mut to, &found);
        Ok(to.commit(Wake::Now)?)
    }

    /// Sends what comes back of a call.
    ///
    /// # Safety
    ///
    /// The arguments are there.
    pub unsafe fn answer<'a>(
        &self,
        marshaller: &mut Marshaller<'a>,
        (kind, id, errno, success): (u32, u32, Option<i32>, bool),
        (call, block): (&'static Call, &'static Block),
        arguments: usize,
        ended: &[Ended],
        late: Late<'_>,
    ) -> CallResult<()> {
        let mut sender = self.sender()?;
        let mut to = sender.record(kind);
        #[cfg(all(feature = "fault-injection", not(loom)))]
        let ended = &*if kind == record::ANSWER { crate::fault_injection::ended(ended) } else { ended.to_vec() };
        let found = watched_memory::take_found();
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(success, answer::SUCCEEDED)
            | flag(!ended.is_empty(), answer::ENDED)
            | flag(late.is_some(), answer::LATE)
            | flag(!found.is_empty(), answer::FOUND);
        to.put_u64(reply_head(flags, id, errno));
        put_ended(&mut to, ended);
        put_found(&mut to, &found);
        if let Some(late) = late {
            late(&mut to)?;
        }
        // SAFETY: as the caller says.
        unsafe {
            marshaller.encode_reply(block, arguments, success, call.result, &mut to)?;
            marshaller.send_members(&mut to)?;
        }
        Ok(to.commit(Wake::Now)?)
    }

    /// Takes what came back of a call: whether it was made and succeeded.
    ///
    /// # Safety
    ///
    /// The arguments are there, and are those that were sent.
    pub unsafe fn take_answer<'a>(
        marshaller: &mut Marshaller<'a>,
        (call, block): (&'static Call, &'static Block),
        arguments: usize,
        mut from: Reader<'_>,
        late: impl FnOnce(&mut Reader<'_>) -> CallResult<()>,
        found: impl Fn(Finding),
    ) -> CallResult<Answer> {
        let head = from.get_u64()?;
        let (flags, errno) = (head as u8, errno_of_reply(head));
        let mut ended = Vec::new();
        if flags & answer::ENDED != 0 {
            get_ended(&mut from, &mut ended)?;
        }
        if flags & answer::FOUND != 0 {
            for _ in 0..from.get_u32()? {
                found(get_found(&mut from)?);
            }
        }
        let success = flags & answer::SUCCEEDED != 0;
        if flags & answer::LATE != 0 {
            late(&mut from)?;
        }
        if flags & answer::FAILED != 0 {
            return Ok(Answer { was_made: false, success: false, errno, ended });
        }
        // SAFETY: as the caller says.
        let taken = unsafe {
            marshaller
                .decode_reply(block, arguments, success, call.result, &mut from)
                .and_then(|()| marshaller.receive_members(&mut from))
                .and_then(|()| marshaller.check_claims(call, arguments, success))
        };
        marshaller.end_answer(taken.is_ok());
        taken?;
        Ok(Answer { was_made: true, success, errno, ended })
    }
}

/// What an answer says beside what comes back.
pub(crate) struct Answer {
    pub was_made: bool,
    pub success: bool,
    pub errno: Option<i32>,
    pub ended: Vec<Ended>,
}

/// What a call gets that is nested too deep.
const TOO_DEEP: CallError = CallError::Refused("it is nested deeper than the limit, CX_REMOTE_CALL_DEPTH", 0);

/// What a call gets that a signal handler makes in the middle of another.
const INTERRUPTED: CallError = CallError::Refused("it interrupts another call of its thread", 0);

/// A record of a kind that cannot come now.
pub(crate) const UNEXPECTED: CallError = CallError::Channel(crate::Error::Protocol(crate::ProtocolError::Order));
