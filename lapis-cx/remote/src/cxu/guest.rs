//! The guest, whose program issues commands to the CXUs of a worker.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use super::Error;
use super::command_channel::{self, CommandChannel, CommandError};
use super::live_states::LiveStates;
use super::wire::{self, Listed, record};
use crate::call::start::{self, Unreached};
use crate::call::{errno, log, refusals};
use crate::locks::{Mutex, guard};
use crate::{Channel, Connection, Reader, Writer};

pub(super) struct Guest {
    pub(super) reach: start::Reach,
    pub(super) arguments: Vec<OsString>,
    pub(super) listed: Vec<Listed>,
    /// The number of this guest in the process, by which threads find their channels.
    pub(super) id: usize,
    /// The state since the last fork. Older states belong to the parent and are never freed.
    pub(super) process_state: AtomicPtr<ProcessState>,
    /// Whether the memory limit of the worker was reported.
    pub(super) has_reported_full: AtomicBool,
}

/// The state of a guest between two forks.
pub(super) struct ProcessState {
    forks: u64,
    pub(super) state: Mutex<State>,
    pub(super) live: Mutex<LiveStates>,
}

pub(super) enum State {
    /// In the child of a fork, before the first command.
    New,
    Open(Arc<Connection>),
    /// The connection ended or could not be made. All commands return an error.
    Ended,
}

pub(super) static GUESTS: AtomicUsize = AtomicUsize::new(1);

impl ProcessState {
    pub(super) fn new(forks: u64, state: State) -> *mut ProcessState {
        Box::into_raw(Box::new(ProcessState { forks, state: Mutex::new(state), live: Mutex::default() }))
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        command_channel::forget(self.id);
        let process_state = *self.process_state.get_mut();
        // SAFETY: `&mut self` makes this the only user of the state. A state from before a fork belongs to the parent.
        unsafe {
            if (*process_state).forks == command_channel::forks() {
                drop(Box::from_raw(process_state));
            }
        }
    }
}

impl Guest {
    #[inline]
    pub(super) fn process_state(&self) -> &ProcessState {
        // SAFETY: a state lives as long as its guest.
        let process_state = unsafe { &*self.process_state.load(Ordering::Acquire) };
        if process_state.forks == command_channel::forks() { process_state } else { self.begin_in_child(process_state) }
    }

    /// Installs a new state in the child of a fork. Takes no lock of the parent, because a thread that does not exist here may hold it.
    #[cold]
    pub(super) fn begin_in_child(&self, old: &ProcessState) -> &ProcessState {
        let new = ProcessState::new(command_channel::forks(), State::New);
        let old = std::ptr::from_ref(old).cast_mut();
        let known = match self.process_state.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new,
            Err(other) => {
                // SAFETY: the exchange failed, so this thread still owns the new state.
                drop(unsafe { Box::from_raw(new) });
                other
            }
        };
        // SAFETY: as in `process_state`.
        unsafe { &*known }
    }

    pub(super) fn open(&self, process_state: &ProcessState) -> Result<Channel, CommandError> {
        let mut state = guard(&process_state.state);
        if let State::New = &*state {
            *state = match begin(&self.reach, &self.arguments) {
                // The program keeps its descriptors, so the CXUs must be the replaced.
                Ok((connection, listed)) if listed == self.listed => State::Open(connection),
                Ok(_) => {
                    log::say("after a fork: the worker has other CXUs than before the fork; all commands fail");
                    State::Ended
                }
                Err(why) => {
                    log::say(&format!("after a fork: {why}; all commands fail"));
                    State::Ended
                }
            };
        }
        let State::Open(connection) = &*state else { return Err(CommandError::Channel(crate::Error::Died)) };
        let connection = Arc::clone(connection);
        drop(state);
        Ok(connection.open()?)
    }

    /// Drops a channel that failed, and the connection too if the worker ended or violated the protocol.
    #[cold]
    pub(super) fn handle_failure(&self, process_state: &ProcessState, why: crate::Error) {
        use crate::Error::{Closed, Died, Stopped, System};
        command_channel::forget(self.id);
        if matches!(why, Closed | Stopped | System(_)) {
            return;
        }
        let ended = std::mem::replace(&mut *guard(&process_state.state), State::Ended);
        if let State::Open(connection) = ended {
            connection.stop();
            if why != Died || refusals::is_verbose() {
                log::say(&format!("the worker of CXUs is lost: {why}"));
            }
        }
    }

    #[inline]
    pub(super) fn with_channel<R>(
        &self,
        work: impl FnOnce(&CommandChannel) -> Result<R, CommandError>,
    ) -> Result<R, CommandError> {
        let errno = errno::get();
        let process_state = self.process_state();
        let done = command_channel::of_thread(self.id, || self.open(process_state)).and_then(|channel| work(&channel));
        if let Err(CommandError::Channel(why)) = done {
            self.handle_failure(process_state, why);
        }
        errno::set(errno);
        done
    }

    #[inline]
    pub(super) fn ask<R>(
        &self,
        kind: u32,
        put: impl FnOnce(&mut Writer<'_>),
        take: impl FnOnce(&mut Reader<'_>) -> Result<R, crate::Error>,
    ) -> Result<R, CommandError> {
        self.with_channel(|channel| channel.ask(kind, put, take))
    }

    /// Reports states that ended to the worker. If that fails, the worker keeps them until the guest ends.
    pub(super) fn end(&self, ended: &[u64]) {
        // Each record is smaller than the smallest ring.
        for some in ended.chunks(1024) {
            let _ = self.with_channel(|channel| {
                channel.send(record::END, |to| {
                    to.put_u32(some.len() as u32);
                    some.iter().for_each(|state| to.put_u64(*state));
                })
            });
        }
    }

    /// Creates a state of the worker for a state of the program. Returns 0 if the worker has none.
    pub(super) fn begin_state(&self, cxu: u32, address: usize) -> u64 {
        let live = &self.process_state().live;
        let (replaced, ended) = guard(live).begin(address);
        self.end(&ended);
        let init = |old: u64| {
            let put = |to: &mut Writer<'_>| {
                to.put_u32(cxu);
                to.put_u64(old);
            };
            self.ask(record::INIT, put, |from| from.get_u64())
        };
        let mut made = init(replaced.unwrap_or(0));
        if made == Err(CommandError::Refused) {
            let ended = guard(live).remove_ended();
            self.end(&ended);
            made = init(0);
        }
        if made == Err(CommandError::Refused) && !self.has_reported_full.swap(true, Ordering::Relaxed) {
            log::say(
                "the worker has no memory for another state of this guest; commands to it fail; raise CX_REMOTE_KEPT_BYTES of the worker",
            );
        }
        made.unwrap_or(0)
    }
}

/// Connects to a worker and requests the list of its CXUs.
pub(super) fn begin(reach: &start::Reach, arguments: &[OsString]) -> Result<(Arc<Connection>, Vec<Listed>), Error> {
    let connection = start::connect_to(&wire::library(), reach, arguments).map_err(|why| match why {
        Unreached::Missing(why) | Unreached::Temporary(why) => Error::NoWorker(why),
        Unreached::Refused(why) => Error::Refused(why),
    })?;
    let ended = |why: crate::Error| match why {
        why @ (crate::Error::Protocol(_) | crate::Error::End | crate::Error::Cut) => Error::Answer(why),
        why => Error::NoWorker(format!("the worker did not list its CXUs: {why}")),
    };
    let channel = connection.open().map_err(ended)?;
    let listed = CommandChannel::new(channel).ask(record::LIST, |_| (), wire::get_list).map_err(|why| match why {
        CommandError::Channel(why) => ended(why),
        CommandError::Refused | CommandError::Interrupted => {
            ended(crate::Error::Protocol(crate::ProtocolError::Message))
        }
    })?;
    Ok((Arc::new(connection), listed))
}
