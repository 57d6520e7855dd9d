//! The channel of a thread that issues commands.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use super::wire::reply;
use crate::{Channel, Error, ProtocolError, Reader, Wake, Writer};

/// The reason why a command was not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// The channel failed or could not be opened.
    Channel(Error),
    /// The worker refused the request.
    Refused,
    /// A signal handler issued a command while its thread waits for a reply.
    Interrupted,
}

impl From<Error> for CommandError {
    fn from(why: Error) -> CommandError {
        CommandError::Channel(why)
    }
}

/// A channel to a thread of the worker.
pub(super) struct CommandChannel(RefCell<Channel>);

impl CommandChannel {
    pub fn new(channel: Channel) -> CommandChannel {
        CommandChannel(RefCell::new(channel))
    }

    /// Sends a request and waits for the reply. `put` encodes the request, `take` decodes the reply.
    pub fn ask<R>(
        &self,
        kind: u32,
        put: impl FnOnce(&mut Writer<'_>),
        take: impl FnOnce(&mut Reader<'_>) -> Result<R, Error>,
    ) -> Result<R, CommandError> {
        let mut channel = self.0.try_borrow_mut().map_err(|_| CommandError::Interrupted)?;
        let Channel { sender, receiver, .. } = &mut *channel;
        let mut to = sender.record(kind);
        put(&mut to);
        to.commit(Wake::Now)?;
        let mut from = receiver.next()?;
        match from.kind() {
            reply::DONE => {
                let taken = take(&mut from)?;
                let is_whole = from.remaining() == 0 && !from.is_open();
                is_whole.then_some(taken).ok_or(CommandError::Channel(Error::Protocol(ProtocolError::Message)))
            }
            reply::REFUSED => Err(CommandError::Refused),
            _ => Err(CommandError::Channel(Error::Protocol(ProtocolError::Message))),
        }
    }

    /// Sends a record that has no reply.
    pub fn send(&self, kind: u32, put: impl FnOnce(&mut Writer<'_>)) -> Result<(), CommandError> {
        let mut channel = self.0.try_borrow_mut().map_err(|_| CommandError::Interrupted)?;
        let mut to = channel.sender.record(kind);
        put(&mut to);
        Ok(to.commit(Wake::Later)?)
    }
}

thread_local! {
    /// The channels of this thread, by guest.
    static CHANNELS: RefCell<Vec<(usize, Rc<CommandChannel>)>> = const { RefCell::new(Vec::new()) };
}

/// The number of forks between the first process and the current process.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Runs in the child of a fork. The channels belong to the parent; closing them here would close them there, so they are leaked.
extern "C" fn in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    let _ = CHANNELS.try_with(|channels| {
        if let Ok(mut channels) = channels.try_borrow_mut() {
            std::mem::forget(std::mem::take(&mut *channels));
        }
    });
}

/// Starts counting forks.
pub(super) fn watch_forks() {
    static WATCHES: Once = Once::new();
    WATCHES.call_once(|| {
        // SAFETY: `in_child` is a function of this library, which is never unloaded.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

#[inline]
pub(super) fn forks() -> u64 {
    FORKS.load(Ordering::Relaxed)
}

/// Returns the channel of this thread to the worker of a guest. `open` opens a new one.
#[inline]
pub(super) fn of_thread(
    guest: usize,
    open: impl FnOnce() -> Result<Channel, CommandError>,
) -> Result<Rc<CommandChannel>, CommandError> {
    let found = CHANNELS.try_with(|channels| {
        let channels = channels.try_borrow().map_err(|_| CommandError::Interrupted)?;
        Ok(channels.iter().find(|(id, _)| *id == guest).map(|(_, channel)| Rc::clone(channel)))
    });
    match found {
        Ok(Ok(Some(channel))) => Ok(channel),
        Ok(Ok(None)) => {
            let channel = Rc::new(CommandChannel::new(open()?));
            let _ = CHANNELS.try_with(|channels| {
                if let Ok(mut channels) = channels.try_borrow_mut() {
                    channels.push((guest, Rc::clone(&channel)));
                }
            });
            Ok(channel)
        }
        Ok(Err(why)) => Err(why),
        // The thread is ending and cannot store a channel, so this call uses a temporary one.
        Err(_) => Ok(Rc::new(CommandChannel::new(open()?))),
    }
}

/// Drops the channel of this thread to the worker of a guest.
pub(super) fn forget(guest: usize) {
    let _ = CHANNELS.try_with(|channels| {
        if let Ok(mut channels) = channels.try_borrow_mut() {
            channels.retain(|(id, _)| *id != guest);
        }
    });
}
