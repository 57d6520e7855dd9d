//! Scalar calls ([`FastCall::is_scalar`]) without ordering: they send a few numbers, and return one number or nothing. Programs make many of
//! them in a row, so everything except the numbers is computed in advance.

use std::rc::Rc;

use super::super::described::Described;
use super::super::endpoint::Endpoint;
use super::super::link::{Link, Period, Waits};
use super::super::links;
use super::make::{Former, wait};
use super::put;
use crate::Wake;
use crate::marshal::CallResult;
use crate::marshal::access::bytes_mut;
use crate::plan::{Call, FastCall, Mode};
use crate::protocol::{FAST_PATH, ID_SHIFT, answer, errno_of_reply, id_of_reply, record};
use crate::word::Part;

/// The id of the only waiting request on a channel. Only outermost calls use this path, so their first word is constant.
pub(super) const OUTERMOST: u32 = 1;

/// A function with scalar calls, on the guest.
pub(crate) struct ScalarCall {
    /// The first word of the record, with the id of an outermost request.
    pub head: u64,
    /// The length of the record in bytes.
    pub size: usize,
    pub wake: Wake,
    /// The framing of the record in the channel.
    pub part: Part,
    pub call: &'static Call,
    pub fast: &'static FastCall,
}

/// The outcome of an attempt to send a scalar call.
pub(crate) enum Sent<'a> {
    /// The call was sent and has no reply.
    OneWay,
    /// The call was sent; the caller must wait for the reply.
    Waiting((Period<'a>, Waits<'a>)),
    /// The call was not sent; it needs the general path.
    Not,
}

/// Returns the scalar calls of a library, by function.
pub(crate) fn scalar_calls(described: &Described) -> Box<[Option<ScalarCall>]> {
    let plan = described.plan;
    let is_it = |fast: &&'static FastCall| {
        fast.is_scalar && described.hooks.is_empty() && !(fast.order.is_global && plan.has_async)
    };
    let functions = (0u64..).zip(&plan.functions).map(|(number, function)| {
        let call = function.call.as_ref()?;
        let fast = call.facts.fast.as_ref().filter(is_it)?;
        let size = size_of::<u64>() + fast.copy_in.iter().map(|(_, size)| size).sum::<usize>();
        let id = if fast.mode == Mode::Sync { OUTERMOST } else { 0 };
        Some(ScalarCall {
            head: number | u64::from(fast.mode as u32 | FAST_PATH | id << ID_SHIFT) << 32,
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
    /// Returns whether the call is one-way.
    pub fn is_one_way(&self) -> bool {
        self.wake == Wake::Later
    }

    /// Sends the call, unless it needs the general path.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of the call.
    pub unsafe fn send<'a>(&self, link: &'a Link, arguments: usize) -> Sent<'a> {
        let waits = if self.wake == Wake::Now {
            // A call in a callback has another id or flag, so it takes the general path.
            let Ok(busy) = link.enter() else { return Sent::Not };
            match link.wait() {
                Ok(waits) if waits.id == OUTERMOST && !links::is_in_callback() => Some((busy, waits)),
                _ => return Sent::Not,
            }
        } else if link.is_for_callbacks {
            return Sent::Not;
        } else {
            None
        };
        let Ok(mut sender) = link.sender() else { return Sent::Not };
        let Some(mut to) = sender.small(record::CALL, self.size, self.wake) else { return Sent::Not };
        to.put_array(self.head.to_ne_bytes());
        for (offset, size) in &self.fast.copy_in {
            // SAFETY: the plan places these members inside the argument struct.
            unsafe { put(&mut to, arguments + offset, *size) };
        }
        to.send();
        waits.map_or(Sent::OneWay, Sent::Waiting)
    }

    /// Waits for the reply. Returns the `errno`, if the call reports one.
    ///
    /// # Errors
    ///
    /// The call was not made.
    ///
    /// # Safety
    ///
    /// Same contract as [`send`](ScalarCall::send).
    #[inline]
    pub unsafe fn take<P: Endpoint>(&self, endpoint: &P, link: &Rc<Link>, arguments: usize) -> CallResult<Option<i32>> {
        let mut receiver = link.receiver()?;
        let (offset, result) = self.fast.copy_out.unwrap_or((0, 0));
        let head = match receiver.next_small(record::RETURN, size_of::<u64>() + size_of::<u128>())? {
            Some(mut from) if from.size() == size_of::<u64>() + result => {
                let head = from.get_u64();
                let is_all = head as u8 & (answer::FAILED | answer::ENDED | answer::FAILURES) == 0
                    && id_of_reply(head) == OUTERMOST;
                // SAFETY: the plan places this member inside the argument struct.
                is_all.then(|| from.get(unsafe { bytes_mut(arguments + offset, result) })).map(|()| head)
            }
            _ => None,
        };
        let Some(head) = head else {
            let request = (self.call.name, OUTERMOST);
            // SAFETY: the caller upholds the contract of this function.
            return unsafe {
                wait(endpoint, link, request, self.fast, (&[], None, &mut Former::default()), arguments, Some(receiver))
            };
        };
        Ok(Some(link.take_errno(errno_of_reply(head))))
    }
}
