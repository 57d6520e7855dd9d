//! Bare calls ([`Straight::is_bare`]) that nothing orders: few numbers go, and nothing or one number comes back. What can be known of them
//! is known before, as a program that makes many of them does not do much else.

use std::rc::Rc;

use super::super::Described;
use super::super::link::{Link, Waits};
use super::super::make::STRAIGHT;
use super::super::party::Party;
use super::super::walk::Walked;
use super::super::{answer, record};
use super::make::wait;
use super::put;
use crate::Wake;
use crate::plan::{Call, Mode, Straight};

/// Such a call.
pub(crate) struct Bare {
    /// The first word.
    head: u64,
    wake: Wake,
    /// Bytes of numbers.
    size: usize,
    pub call: &'static Call,
    straight: &'static Straight,
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
        Some(Bare {
            head: number | u64::from(straight.mode.word() | STRAIGHT) << 32,
            wake: if straight.mode == Mode::Sync { Wake::Now } else { Wake::Later },
            size: straight.goes.iter().map(|(_, size)| size).sum(),
            call,
            straight,
        })
    });
    functions.collect()
}

/// Fills a member of the arguments.
///
/// # Safety
///
/// There is room for so many bytes, and `from` has as many.
#[inline(always)]
pub(super) unsafe fn copy(from: *const u8, address: usize, size: usize) {
    let to = std::ptr::with_exposed_provenance_mut::<u8>(address);
    // SAFETY: as the caller says.
    unsafe {
        match size {
            4 => to.cast::<[u8; 4]>().write(from.cast::<[u8; 4]>().read()),
            8 => to.cast::<[u8; 8]>().write(from.cast::<[u8; 8]>().read()),
            16 => to.cast::<[u8; 16]>().write(from.cast::<[u8; 16]>().read()),
            _ => to.copy_from_nonoverlapping(from, size),
        }
    }
}

impl Bare {
    /// Sends the call.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of the call.
    #[inline(always)]
    pub unsafe fn send<'a>(&self, link: &'a Link, arguments: usize) -> Sent<'a> {
        let waits = if self.wake == Wake::Now {
            let Ok(waits) = link.wait() else { return Sent::Not };
            Some(waits)
        } else {
            None
        };
        let Ok(mut sender) = link.sender() else { return Sent::Not };
        let size = size_of::<u64>() + self.size;
        let Some(mut to) = sender.small(record::CALL, size, self.wake) else { return Sent::Not };
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
        // The largest number that comes back.
        let mut came = [0; size_of::<u64>() + size_of::<u128>()];
        let mut receiver = link.receiver()?;
        let size = receiver.next_small(record::RETURN, &mut came)?;
        let (offset, result) = self.straight.comes.unwrap_or((0, 0));
        let head = came.first_chunk().map_or(0, |head| u64::from_ne_bytes(*head));
        let flags = head as u8;
        let is_all = flags & (answer::FAILED | answer::ENDED | answer::LATE) == 0;
        if size != Some(size_of::<u64>() + result) || !is_all {
            // SAFETY: as the caller says.
            return unsafe { wait(party, link, self.call.name, self.straight, &[], arguments, Some(receiver)) };
        }
        // SAFETY: a member of the arguments, and so many bytes have come.
        unsafe { copy(came.as_ptr().add(size_of::<u64>()), arguments + offset, result) };
        Ok((flags & answer::ERRNO != 0).then_some((head >> 32) as i32))
    }
}
