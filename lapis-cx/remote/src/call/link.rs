//! A channel of one thread: the part that guest and worker share.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::sync::Arc;

use super::fast_path::in_place::InPlaceMemory;
use super::scratch::{ScratchPool, UsedScratch};
use super::stack;
use crate::marshal::memory::Allocation;
use crate::marshal::{CallError, CallResult, Marshaller, NO_NAME, Side, watched_memory};
use crate::plan::{Block, Call};
use crate::protocol::{
    Ended, Finding, answer, errno_of_reply, get_ended, get_failures, get_found, id_of_reply, put_ended, put_failures,
    put_found, record, reply_head,
};
use crate::{Channel, Error, Reader, Receiver, Sender, Wake};

/// The maximum number of files that the link tracks for asynchronous calls. It closes them if the other side refused those calls.
const MOST_FILES: usize = 4096;

/// A channel between a thread of the guest and a thread of the worker.
pub(crate) struct Link {
    /// The id of the guest in this process; 0 on a worker.
    pub guest: usize,
    /// On a guest: the worker opened the channel for callbacks of a thread of its library, or of an asynchronous call.
    pub is_for_callbacks: bool,
    sender: RefCell<Sender>,
    receiver: RefCell<Receiver>,
    /// The shared buffer pool for arguments that the library uses in place.
    pub in_place: InPlaceMemory,
    /// Whether the engine makes a call of this thread and no function of the program runs in it. A call that begins in this state comes from a
    /// signal handler, which can interrupt the engine at any point.
    is_busy: Cell<bool>,
    /// The value of the program thread's `errno` in the last message that carried it, of either side.
    pub errno: Cell<i32>,
    /// The number of requests of this side that wait for their replies. They are nested, so this is also the id of the innermost request.
    depth: Cell<u32>,
    most_depth: u32,
    /// Records for requests other than the innermost request, in order of arrival.
    aside: RefCell<VecDeque<Aside>>,
    /// Memory that functions of the program passed to a running call. It stays alive here even if another call ends it.
    held: RefCell<Vec<Arc<Allocation>>>,
    /// The marshallers of the calls and callbacks that this side waits for, with their ids. Calls on the fast path have no marshaller.
    pub(super) marshallers: RefCell<Vec<Unfinished>>,
    /// The marshallers of the calls and callbacks that this side runs, each with the number of requests that wait on this channel.
    pub(super) running: RefCell<Vec<Unfinished>>,
    /// The buffers of waiting calls on the fast path that run a callback, with the ids of the calls.
    pub(super) buffers: RefCell<Vec<(u32, WaitingBuffer)>>,
    /// Objects with copied members that requests waiting on this channel name. Each side may change the members meanwhile.
    pub(super) members: RefCell<Vec<(u32, u64)>>,
    /// Files of asynchronous calls. Once the next reply arrives, the other side takes none of them any more.
    sent_files: RefCell<Vec<u32>>,
    scratch: ScratchPool,
}

/// A marshaller of a call or callback: of one that waits, with its id; of one that runs, with the number of requests that wait outside of it.
pub(super) type Unfinished = (u32, *mut Marshaller<'static>);

/// A buffer of a waiting call on the fast path.
pub(crate) struct WaitingBuffer {
    pub start: usize,
    pub end: usize,
    /// The library may write the buffer.
    pub is_written: bool,
}

/// A record for an outer request, stored until that request is the innermost request.
struct Aside {
    request: u32,
    kind: u32,
    bytes: Vec<u8>,
}

/// A period in which the engine is busy for the thread, or in which a function of the program runs. Dropping this restores the previous state.
pub(crate) struct Period<'a> {
    is_busy: &'a Cell<bool>,
    before: bool,
}

impl Drop for Period<'_> {
    fn drop(&mut self) {
        self.is_busy.set(self.before);
    }
}

/// A request that waits for its reply, until this is dropped.
pub(crate) struct Waits<'a> {
    link: &'a Link,
    /// The id of the request: the number of waiting requests on the channel, including this request.
    pub id: u32,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.link.depth.set(self.id - 1);
    }
}

/// Nesting depth up to which requests are not checked against the limits.
const FREE_DEPTH: u32 = 8;
/// Bytes of free stack that a nested request must find, including the stack of the program's or library's function that it runs.
const LEAST_STACK: usize = 192 << 10;
/// The maximum number of waiting requests on one channel: ids have 16 bits.
pub(crate) const MOST_IDS: u32 = (1 << 16) - 1;
/// The maximum total size in bytes of the records set aside on one channel.
const MOST_ASIDE: usize = 1 << 30;

impl Link {
    /// Wraps one end of a channel, on which at most `most_depth` requests of this side may wait at a time.
    pub fn new(channel: Channel, guest: usize, most_depth: u32) -> Link {
        let Channel { sender, receiver, in_place } = channel;
        let (sender, receiver) = (RefCell::new(sender), RefCell::new(receiver));
        let held = RefCell::default();
        Link {
            guest,
            is_for_callbacks: false,
            sender,
            receiver,
            in_place: InPlaceMemory::new(in_place),
            is_busy: Cell::new(false),
            errno: Cell::new(0),
            depth: Cell::new(0),
            most_depth: most_depth.clamp(FREE_DEPTH, MOST_IDS),
            aside: RefCell::default(),
            held,
            marshallers: RefCell::default(),
            running: RefCell::default(),
            buffers: RefCell::default(),
            members: RefCell::default(),
            sent_files: RefCell::default(),
            scratch: ScratchPool::new(),
        }
    }

    /// Begins a call of the program. The caller must neither lock nor allocate for the call before.
    ///
    /// # Errors
    ///
    /// A signal handler makes the call during another call of its thread.
    #[inline(always)]
    pub fn enter(&self) -> CallResult<Period<'_>> {
        if self.is_busy.replace(true) { Err(INTERRUPTED) } else { Ok(Period { is_busy: &self.is_busy, before: false }) }
    }

    /// Starts a request that waits for its reply.
    ///
    /// # Errors
    ///
    /// The nesting exceeds the limit.
    #[inline(always)]
    pub fn wait(&self) -> CallResult<Waits<'_>> {
        let id = self.depth.get() + 1;
        self.check_depth(id)?;
        self.depth.set(id);
        Ok(Waits { link: self, id })
    }

    /// Checks the nesting depth and the free stack. Nested requests use the stacks of both sides.
    #[inline(always)]
    fn check_depth(&self, id: u32) -> CallResult<()> {
        if id > FREE_DEPTH && (id > self.most_depth || stack::stack_left() < LEAST_STACK) {
            return Err(TOO_DEEP);
        }
        Ok(())
    }

    /// On the guest: sends the program's `errno` if it has changed, because the library reads it, as it would in one process.
    #[inline(always)]
    pub fn send_errno(&self, errno: i32) {
        if errno != self.errno.get() {
            self.send_new_errno(errno);
        }
    }

    #[cold]
    fn send_new_errno(&self, errno: i32) {
        // A signal handler during another call does not send it, because it cannot make a call either.
        let Ok(mut sender) = self.sender.try_borrow_mut() else { return };
        let mut to = sender.record(record::ERRNO);
        to.put_u32(errno.cast_unsigned());
        if to.commit(Wake::Later).is_ok() {
            self.errno.set(errno);
        }
    }

    /// Records the `errno` of a reply, or keeps the recorded value if the reply has none. Returns the recorded value.
    #[inline(always)]
    pub fn take_errno(&self, errno: Option<i32>) -> i32 {
        self.errno.set(errno.unwrap_or(self.errno.get()));
        self.errno.get()
    }

    /// Ends the innermost waiting call, because the program leaves callback `id` that runs during it. `depth` is the number of waiting calls
    /// when the callback began.
    #[cold]
    pub fn leave(&self, id: u32, depth: u32) {
        // If the engine is busy, a signal handler left the call that it interrupted. The worker waits for no answer then.
        let Ok(busy) = self.enter() else { return };
        let Ok(mut sender) = self.sender.try_borrow_mut() else { return };
        let mut to = sender.record(record::ANSWER);
        to.put_u64(reply_head(answer::LEFT, id, None));
        // If the channel failed, the worker ends the call too.
        let _ = to.commit(Wake::Now);
        drop(sender);
        let marshaller = self.marshallers.try_borrow_mut().ok().and_then(|mut all| {
            all.retain(|(call, _)| *call <= depth);
            all.pop_if(|(call, _)| *call == depth)
        });
        if let Ok(mut running) = self.running.try_borrow_mut() {
            running.retain(|(outer, _)| *outer < depth);
        }
        if let Some((_, marshaller)) = marshaller {
            // SAFETY: the frame of the call still exists, although the program is about to leave it, and does not use the marshaller again.
            let marshaller = unsafe { &mut *marshaller };
            marshaller.stage.is_entry = false;
            self.settle_files(marshaller, true, true);
            marshaller.settle_left(&mut Vec::new());
            marshaller.free();
        }
        self.forget_buffers(depth);
        self.in_place.leave(depth);
        self.scratch.leave(depth - 1);
        self.depth.set(depth - 1);
        if depth == 1 {
            self.members.take();
        }
        drop(busy);
    }

    /// Allows calls until the result is dropped, because a function of the program runs.
    pub fn allow_calls(&self) -> Period<'_> {
        Period { is_busy: &self.is_busy, before: self.is_busy.replace(false) }
    }

    /// Returns the number of requests of this side that wait for replies.
    pub fn depth(&self) -> u32 {
        self.depth.get()
    }

    /// Waits for the next record for request `id`, the innermost request of this side. Returns the receiver positioned at that record.
    ///
    /// The guest sets records for outer requests aside until their request is the innermost request. The worker serves every record except replies
    /// immediately, nested in the waiting request.
    ///
    /// # Errors
    ///
    /// The channel failed, or the record matches no waiting request.
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

    /// Returns whether the current record of the receiver is for this request. Sets a record for an outer request aside.
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
            // The sender cancelled the record, and reports the reason with the next record.
            Err(Error::Cut) => {}
            Err(why) => return Err(why.into()),
        }
        Ok(())
    }

    /// Takes the first record that was set aside for a request.
    #[inline]
    fn take_aside(&self, request: u32) -> Option<Aside> {
        let mut aside = self.aside.try_borrow_mut().ok()?;
        if aside.is_empty() {
            return None;
        }
        let at = aside.iter().position(|one| one.request == request)?;
        aside.remove(at)
    }

    /// Borrows the sending end.
    ///
    /// # Errors
    ///
    /// A signal handler makes a call during another call of its thread.
    pub fn sender(&self) -> CallResult<RefMut<'_, Sender>> {
        self.sender.try_borrow_mut().map_err(|_| INTERRUPTED)
    }

    /// Borrows the receiving end.
    ///
    /// # Errors
    ///
    /// Same as [`sender`](Link::sender).
    pub fn receiver(&self) -> CallResult<RefMut<'_, Receiver>> {
        self.receiver.try_borrow_mut().map_err(|_| INTERRUPTED)
    }

    /// Keeps memory that a function of the program passed alive until [`release`](Link::release).
    pub fn hold(&self, memory: &mut Vec<Arc<Allocation>>) {
        let Ok(mut held) = self.held.try_borrow_mut() else { return };
        for one in memory.drain(..) {
            if !held.iter().any(|known| Arc::ptr_eq(known, &one)) {
                held.push(one);
            }
        }
    }

    /// Releases the held memory, when the outermost call of the thread is over.
    pub fn release(&self) {
        if let Ok(mut held) = self.held.try_borrow_mut() {
            held.clear();
        }
    }

    /// Settles the files that were sent for a finished call: withdraws those that the other side has not taken, or records them if the call has no
    /// reply.
    pub fn settle_files(&self, marshaller: &mut Marshaller<'_>, is_waited_for: bool, is_refused: bool) {
        if is_waited_for {
            if is_refused {
                marshaller.take_files_back();
            }
            self.files_are_settled(marshaller.side);
        } else if let Ok(mut earlier) = self.sent_files.try_borrow_mut() {
            marshaller.effects.sent_files.truncate(MOST_FILES.saturating_sub(earlier.len()));
            earlier.append(&mut marshaller.effects.sent_files);
        }
    }

    /// Closes the files of earlier asynchronous calls that the other side has not taken. Must be called after a reply arrived, when the other side
    /// no longer takes them.
    pub fn files_are_settled(&self, side: &dyn Side) {
        // Usually the list is empty.
        if let Ok(mut earlier) = self.sent_files.try_borrow_mut()
            && !earlier.is_empty()
        {
            earlier.drain(..).for_each(|number| side.take_file_back(number));
        }
    }

    /// Returns scratch memory for a request that this side makes or serves.
    pub fn scratch(&self, is_made: bool) -> UsedScratch<'_> {
        self.scratch.take(self.depth(), is_made)
    }

    /// Sends the reply of a call that was not made, or whose results cannot be sent.
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

    /// Sends the reply of a call.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of this call.
    pub unsafe fn answer<'a>(
        &self,
        marshaller: &mut Marshaller<'a>,
        (kind, id, errno, success): (u32, u32, Option<i32>, bool),
        (call, block): (&'static Call, &'static Block),
        arguments: usize,
        (ended, failures): (&[Ended], &[(u32, i64)]),
    ) -> CallResult<()> {
        let mut sender = self.sender()?;
        let mut to = sender.record(kind);
        #[cfg(all(feature = "fault-injection", not(loom)))]
        let ended = if kind == record::ANSWER && crate::fault_injection::ends_everything() {
            &*crate::protocol::everything()
        } else {
            ended
        };
        let found = watched_memory::take_found();
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(success, answer::SUCCEEDED)
            | flag(!ended.is_empty(), answer::ENDED)
            | flag(!failures.is_empty(), answer::FAILURES)
            | flag(!found.is_empty(), answer::FOUND);
        to.put_u64(reply_head(flags, id, errno));
        put_ended(&mut to, ended);
        put_found(&mut to, &found);
        put_failures(&mut to, failures);
        // SAFETY: the caller upholds the contract of this function.
        let encoded = unsafe {
            let encoded = marshaller.encode_reply(block, arguments, success, call.facts.result, &mut to);
            encoded.and_then(|()| marshaller.send_members(&mut to)).and_then(|()| marshaller.check_attached())
        };
        if let Err(why) = encoded {
            watched_memory::put_back(found);
            return Err(why);
        }
        Ok(to.commit(Wake::Now)?)
    }

    /// Decodes the reply of a call: whether the call was made, and whether it succeeded.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct that was sent.
    pub unsafe fn take_answer<'a>(
        marshaller: &mut Marshaller<'a>,
        (call, block): (&'static Call, &'static Block),
        arguments: usize,
        from: &mut Reader<'_>,
        failed: impl FnMut(u32, i64),
        found: impl Fn(Finding),
    ) -> CallResult<Answer> {
        let head = from.get_u64()?;
        let (flags, errno) = (head as u8, errno_of_reply(head));
        if flags & answer::LEFT != 0 {
            return Err(if marshaller.is_worker() { CallError::Left } else { UNEXPECTED });
        }
        let mut ended = Vec::new();
        if flags & answer::ENDED != 0 {
            get_ended(from, &mut ended)?;
        }
        if flags & answer::FOUND != 0 {
            for _ in 0..from.get_u32()? {
                found(get_found(from)?);
            }
        }
        let success = flags & answer::SUCCEEDED != 0;
        if flags & answer::FAILURES != 0 {
            get_failures(from, failed)?;
        }
        if flags & answer::FAILED != 0 {
            return Ok(Answer { was_made: false, success: false, errno, ended, rejected: None });
        }
        // SAFETY: the caller upholds the contract of this function.
        let taken = unsafe {
            marshaller
                .decode_reply(block, arguments, success, call.facts.result, from)
                .and_then(|()| marshaller.receive_members(from))
                .and_then(|()| marshaller.check_claims(call, arguments, success))
        };
        marshaller.free_given_if_rejected(taken.is_ok());
        let rejected = match taken.map_err(|why| unless_cut(why, from)) {
            Ok(()) => None,
            Err(why) if marshaller.is_worker() || matches!(why, CallError::Channel(_)) => return Err(why),
            Err(why) => Some(why),
        };
        Ok(Answer { was_made: true, success, errno, ended, rejected })
    }
}

/// Skips the rest of a rejected request or reply, and returns the reason. The reason is `Cut` if the sender cancelled the record: it expects no reply
/// to a cancelled request, and sends another reply in place of a cancelled reply.
pub(crate) fn unless_cut(why: CallError, from: &mut Reader<'_>) -> CallError {
    match why {
        CallError::Channel(_) => why,
        _ => match from.skip(usize::MAX) {
            Ok(()) | Err(Error::End) => why,
            Err(failed) => CallError::Channel(failed),
        },
    }
}

/// The status part of a reply.
pub(crate) struct Answer {
    pub was_made: bool,
    pub success: bool,
    pub errno: Option<i32>,
    pub ended: Vec<Ended>,
    /// Why this side rejected the results. The other side has made the call, and may have kept memory and functions.
    pub rejected: Option<CallError>,
}

/// The error of a call whose nesting exceeds the limit.
const TOO_DEEP: CallError = CallError::Refused(
    "it is nested deeper than CX_REMOTE_CALL_DEPTH, or less than 192 KiB of the stack of its thread are left",
    NO_NAME,
);

/// The error of a call that a signal handler makes during another call.
const INTERRUPTED: CallError = CallError::Refused("it interrupts another call of its thread", NO_NAME);

/// The error for a record of a kind that the protocol does not allow in the current state.
pub(crate) const UNEXPECTED: CallError = CallError::Channel(crate::Error::Protocol(crate::ProtocolError::Order));
