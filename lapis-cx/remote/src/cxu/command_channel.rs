//! The channel of a thread that issues commands.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use super::wire::answer;
use crate::{Channel, Error, ProtocolError, Reader, Wake, Writer};

/// Why the worker did not do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The channel failed, or there is none.
    Channel(Error),
    /// It refused.
    Refused,
    /// The handler of a signal asks in the middle of something else that its thread asks.
    Interrupted,
}

impl From<Error> for Fault {
    fn from(why: Error) -> Fault {
        Fault::Channel(why)
    }
}

/// A channel to a thread of the worker.
pub(super) struct Lane(RefCell<Channel>);

impl Lane {
    pub fn new(channel: Channel) -> Lane {
        Lane(RefCell::new(channel))
    }

    /// Asks, and waits for the answer.
    pub fn ask<R>(
        &self,
        kind: u32,
        put: impl FnOnce(&mut Writer<'_>),
        take: impl FnOnce(&mut Reader<'_>) -> Result<R, Error>,
    ) -> Result<R, Fault> {
        let mut channel = self.0.try_borrow_mut().map_err(|_| Fault::Interrupted)?;
        let Channel { sender, receiver, .. } = &mut *channel;
        let mut to = sender.record(kind);
        put(&mut to);
        to.commit(Wake::Now)?;
        let mut from = receiver.next()?;
        match from.kind() {
            answer::DONE => {
                let taken = take(&mut from)?;
                let is_whole = from.remaining() == 0 && !from.is_open();
                is_whole.then_some(taken).ok_or(Fault::Channel(Error::Protocol(ProtocolError::Message)))
            }
            answer::REFUSED => Err(Fault::Refused),
            _ => Err(Fault::Channel(Error::Protocol(ProtocolError::Message))),
        }
    }

    /// Tells something that has no answer.
    pub fn tell(&self, kind: u32, put: impl FnOnce(&mut Writer<'_>)) -> Result<(), Fault> {
        let mut channel = self.0.try_borrow_mut().map_err(|_| Fault::Interrupted)?;
        let mut to = channel.sender.record(kind);
        put(&mut to);
        Ok(to.commit(Wake::Later)?)
    }
}

thread_local! {
    /// The lanes of this thread, by guest.
    static LANES: RefCell<Vec<(usize, Rc<Lane>)>> = const { RefCell::new(Vec::new()) };
}

/// How many forks lie between the first process and this one.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// In the child of a fork: channels are the parent's. They are left as they are, as closing them would close them there too.
extern "C" fn in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    let _ = LANES.try_with(|lanes| {
        if let Ok(mut lanes) = lanes.try_borrow_mut() {
            std::mem::forget(std::mem::take(&mut *lanes));
        }
    });
}

/// From now on forks are counted.
pub(super) fn watch_forks() {
    static WATCHES: Once = Once::new();
    WATCHES.call_once(|| {
        // SAFETY: a function that stays.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

#[inline]
pub(super) fn forks() -> u64 {
    FORKS.load(Ordering::Relaxed)
}

/// The lane of this thread to a guest's worker; a new one is opened by `open`.
#[inline]
pub(super) fn lane(guest: usize, open: impl FnOnce() -> Result<Channel, Fault>) -> Result<Rc<Lane>, Fault> {
    let found = LANES.try_with(|lanes| {
        let lanes = lanes.try_borrow().map_err(|_| Fault::Interrupted)?;
        Ok(lanes.iter().find(|(id, _)| *id == guest).map(|(_, lane)| Rc::clone(lane)))
    });
    match found {
        Ok(Ok(Some(lane))) => Ok(lane),
        Ok(Ok(None)) => {
            let lane = Rc::new(Lane::new(open()?));
            let _ = LANES.try_with(|lanes| {
                if let Ok(mut lanes) = lanes.try_borrow_mut() {
                    lanes.push((guest, Rc::clone(&lane)));
                }
            });
            Ok(lane)
        }
        Ok(Err(why)) => Err(why),
        // The thread is about to end: this has a channel of its own.
        Err(_) => Ok(Rc::new(Lane::new(open()?))),
    }
}

/// This thread's lane of a guest is of no use any more.
pub(super) fn forget(guest: usize) {
    let _ = LANES.try_with(|lanes| {
        if let Ok(mut lanes) = lanes.try_borrow_mut() {
            lanes.retain(|(id, _)| *id != guest);
        }
    });
}
