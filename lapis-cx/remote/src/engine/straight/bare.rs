//! Bare calls ([`Straight::is_bare`]) that nothing orders: few numbers go, and nothing or one number comes back. What can be known of them
//! is known before, as a program that makes many of them does not do much else.

use std::rc::Rc;

use super::super::Described;
use super::super::link::{Link, Waits};
use super::super::make::STRAIGHT;
use super::super::memory::bytes_mut;
use super::super::party::Party;
use super::super::walk::Walked;
use super::super::{answer, record};
use super::make::wait;
use super::put;
use crate::Wake;
use crate::plan::{Call, Mode, Straight};
use crate::word::Part;

/// Such a call.
pub(crate) struct Bare {
    /// The first word of what is sent, and all bytes of it.
    pub head: u64,
    pub size: usize,
    pub wake: Wake,
    /// What stands before it in the channel.
    pub part: Part,
    pub call: &'static Call,
    pub straight: &'static Straight,
}

/// How a call was sent.
pub(crate) enum Sent<'a> {
    /// Nothing comes back.
    Told,
    /// It is to be waited for.
    Asked(Waits<'a>),
    /// It was not: more than that is to be done.
    Not,
}

/// Such calls of a library, by function.
pub(crate) fn bare(described: &Described) -> Box<[Option<Bare>]> {
    let plan = described.plan;
    let is_it = |straight: &&'static Straight| {
        straight.is_bare && described.hooks.is_empty() && !(straight.order.is_global && plan.has_async)
    };
    let functions = (0u64..).zip(&plan.functions).map(|(number, call)| {
        let call = call.as_ref()?;
        let straight = call.straight.as_ref().filter(is_it)?;
        let size = size_of::<u64>() + straight.goes.iter().map(|(_, size)| size).sum::<usize>();
        Some(Bare {
            head: number | u64::from(straight.mode.word() | STRAIGHT) << 32,
            size,
            wake: if straight.mode == Mode::Sync { Wake::Now } else { Wake::Later },
            part: Part::new(record::CALL, size, 0),
            call,
            straight,
        })
    });
    functions.collect()
}

impl Bare {
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
            let Ok(waits) = link.wait() else { return Sent::Not };
            Some(waits)
        } else {
            None
        };
        let Ok(mut sender) = link.sender() else { return Sent::Not };
        let Some(mut to) = sender.small(record::CALL, self.size, self.wake) else { return Sent::Not };
        to.put_array(self.head.to_ne_bytes());
        for (offset, size) in &self.straight.goes {
            // SAFETY: members of the arguments.
            unsafe { put(&mut to, arguments + offset, *size) };
        }
        to.send();
        waits.map_or(Sent::Told, Sent::Asked)
    }

    /// Waits for what comes back of it: `errno`, if it did.
    ///
    /// # Errors
    ///
    /// It was not made.
    ///
    /// # Safety
    ///
    /// As [`send`](Bare::send).
    #[inline]
    pub unsafe fn take<P: Party>(&self, party: &P, link: &Rc<Link>, arguments: usize) -> Walked<Option<i32>> {
        let mut receiver = link.receiver()?;
        let (offset, result) = self.straight.comes.unwrap_or((0, 0));
        let said = match receiver.next_small(record::RETURN, size_of::<u64>() + size_of::<u128>())? {
            Some(mut from) if from.size() == size_of::<u64>() + result => {
                let head = from.get_u64();
                let is_all = head as u8 & (answer::FAILED | answer::ENDED | answer::LATE) == 0;
                // SAFETY: a member of the arguments.
                is_all.then(|| from.get(unsafe { bytes_mut(arguments + offset, result) })).map(|()| head)
            }
            _ => None,
        };
        let Some(head) = said else {
            // SAFETY: as the caller says.
            return unsafe { wait(party, link, self.call.name, self.straight, (&[], None), arguments, Some(receiver)) };
        };
        Ok((head as u8 & answer::ERRNO != 0).then_some((head >> 32) as i32))
    }
}
