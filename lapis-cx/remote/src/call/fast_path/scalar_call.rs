//! ScalarCall calls ([`FastCall::is_scalar`]) that nothing orders: few numbers go, and nothing or one number comes back. What can be known of them
//! is known before, as a program that makes many of them does not do much else.

use std::rc::Rc;

use super::super::described::Described;
use super::super::endpoint::Endpoint;
use super::super::link::{Link, Waits};
use super::super::links;
use super::make::wait;
use super::put;
use crate::Wake;
use crate::marshal::CallResult;
use crate::marshal::access::bytes_mut;
use crate::plan::{Call, FastCall, Mode};
use crate::protocol::{FAST_PATH, ID_SHIFT, answer, errno_of_reply, id_of_reply, record};
use crate::word::Part;

/// The id of a request that waits on a channel alone. Only such calls are sent this way, so their records are known before.
pub(super) const OUTERMOST: u32 = 1;

/// Such a call.
pub(crate) struct ScalarCall {
    /// The first word of what is sent, with the id of an outermost request, and all bytes of it.
    pub head: u64,
    pub size: usize,
    pub wake: Wake,
    /// What stands before it in the channel.
    pub part: Part,
    pub call: &'static Call,
    pub fast: &'static FastCall,
}

/// How a call was sent.
pub(crate) enum Sent<'a> {
    /// Nothing comes back.
    ServedOneWay,
    /// It is to be waited for.
    SentCall(Waits<'a>),
    /// It was not: more than that is to be done.
    Not,
}

/// Such calls of a library, by function.
pub(crate) fn scalar_call(described: &Described) -> Box<[Option<ScalarCall>]> {
    let plan = described.plan;
    let is_it = |fast: &&'static FastCall| {
        fast.is_scalar && described.hooks.is_empty() && !(fast.order.is_global && plan.has_async)
    };
    let functions = (0u64..).zip(&plan.functions).map(|(number, call)| {
        let call = call.as_ref()?;
        let fast = call.fast.as_ref().filter(is_it)?;
        let size = size_of::<u64>() + fast.goes.iter().map(|(_, size)| size).sum::<usize>();
        let id = if fast.mode == Mode::Sync { OUTERMOST } else { 0 };
        Some(ScalarCall {
            head: number | u64::from(fast.mode.word() | FAST_PATH | id << ID_SHIFT) << 32,
            size,
            wake: if fast.mode == Mode::Sync { Wake::Now } else { Wake::Later },
            part: Part::new(record::CALL, size, 0),
            call,
            fast,
        })
    });
    functions.collect()
}

impl ScalarCall {
    /// Nobody waits for it.
    pub fn is_told(&self) -> bool {
        self.wake == Wake::Later
    }

    /// Sends a call.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    pub unsafe fn send<'a>(&self, link: &'a Link, arguments: usize) -> Sent<'a> {
        let waits = if self.wake == Wake::Now {
            // A call in a callback has another id, or another flag: it goes the longer way.
            match link.wait() {
                Ok(waits) if waits.id == OUTERMOST && !links::is_in_callback() => Some(waits),
                _ => return Sent::Not,
            }
        } else {
            None
        };
        let Ok(mut sender) = link.sender() else { return Sent::Not };
        let Some(mut to) = sender.small(record::CALL, self.size, self.wake) else { return Sent::Not };
        to.put_array(self.head.to_ne_bytes());
        for (offset, size) in &self.fast.goes {
            // SAFETY: members of the arguments.
            unsafe { put(&mut to, arguments + offset, *size) };
        }
        to.send();
        waits.map_or(Sent::ServedOneWay, Sent::SentCall)
    }

    /// Waits for what comes back of it: `errno`, if it did.
    ///
    /// # Errors
    ///
    /// It was not made.
    ///
    /// # Safety
    ///
    /// As [`send`](ScalarCall::send).
    #[inline]
    pub unsafe fn take<P: Endpoint>(&self, endpoint: &P, link: &Rc<Link>, arguments: usize) -> CallResult<Option<i32>> {
        let mut receiver = link.receiver()?;
        let (offset, result) = self.fast.comes.unwrap_or((0, 0));
        let said = match receiver.next_small(record::RETURN, size_of::<u64>() + size_of::<u128>())? {
            Some(mut from) if from.size() == size_of::<u64>() + result => {
                let head = from.get_u64();
                let is_all =
                    head as u8 & (answer::FAILED | answer::ENDED | answer::LATE) == 0 && id_of_reply(head) == OUTERMOST;
                // SAFETY: a member of the arguments.
                is_all.then(|| from.get(unsafe { bytes_mut(arguments + offset, result) })).map(|()| head)
            }
            _ => None,
        };
        let Some(head) = said else {
            let request = (self.call.name, OUTERMOST);
            // SAFETY: as the caller says.
            return unsafe { wait(endpoint, link, request, self.fast, (&[], None), arguments, Some(receiver)) };
        };
        Ok(Some(link.take_errno(errno_of_reply(head))))
    }
}
