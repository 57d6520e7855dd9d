//! The guest: its program issues commands to the CXUs of a worker.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use super::Error;
use super::lane::{self, Fault, Lane};
use super::places::Places;
use super::wire::{self, Listed, record};
use crate::call::start::{self, Unreached};
use crate::locks::{Mutex, MutexGuard};
use crate::{Channel, Connection, Reader, Writer};

pub(super) struct Inner {
    pub(super) reach: start::Reach,
    pub(super) arguments: Vec<OsString>,
    pub(super) listed: Vec<Listed>,
    /// Which guest of the process it is: threads find their lanes by it.
    pub(super) id: usize,
    /// In the child of a fork another one begins. The old ones are never freed: they are the parent's.
    pub(super) era: AtomicPtr<Era>,
    /// It was said that the worker has no room.
    pub(super) has_said: AtomicBool,
}

/// Between two forks.
pub(super) struct Era {
    forks: u64,
    pub(super) state: Mutex<State>,
    pub(super) places: Mutex<Places>,
}

pub(super) enum State {
    /// In the child of a fork, before the first command.
    New,
    Open(Arc<Connection>),
    /// It ended, or there is none: each command is answered with an error.
    Ended,
}

pub(super) static GUESTS: AtomicUsize = AtomicUsize::new(1);

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Era {
    pub(super) fn new(forks: u64, state: State) -> *mut Era {
        Box::into_raw(Box::new(Era { forks, state: Mutex::new(state), places: Mutex::default() }))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        lane::forget(self.id);
        let era = *self.era.get_mut();
        // SAFETY: it is there, and nobody has it any more. One of before a fork is the parent's.
        unsafe {
            if (*era).forks == lane::forks() {
                drop(Box::from_raw(era));
            }
        }
    }
}

impl Inner {
    #[inline]
    pub(super) fn era(&self) -> &Era {
        // SAFETY: eras are there as long as this is.
        let era = unsafe { &*self.era.load(Ordering::Acquire) };
        if era.forks == lane::forks() { era } else { self.begin_anew(era) }
    }

    /// In the child of a fork. No lock of the parent's is looked at: another thread may have had it.
    #[cold]
    pub(super) fn begin_anew(&self, old: &Era) -> &Era {
        let new = Era::new(lane::forks(), State::New);
        let old = std::ptr::from_ref(old).cast_mut();
        let known = match self.era.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new,
            Err(other) => {
                // SAFETY: nobody else has seen it.
                drop(unsafe { Box::from_raw(new) });
                other
            }
        };
        // SAFETY: as in `era`.
        unsafe { &*known }
    }

    pub(super) fn open(&self, era: &Era) -> Result<Channel, Fault> {
        let mut state = lock(&era.state);
        if let State::New = &*state {
            *state = match begin(&self.reach, &self.arguments) {
                // The descriptors stay as they are, so the CXUs must be the same.
                Ok((connection, listed)) if listed == self.listed => State::Open(connection),
                Ok(_) => {
                    start::say("the worker has other CXUs than it had before the fork; commands are not done");
                    State::Ended
                }
                Err(why) => {
                    start::say(&format!("after a fork: {why}; commands are not done"));
                    State::Ended
                }
            };
        }
        let State::Open(connection) = &*state else { return Err(Fault::Channel(crate::Error::Died)) };
        let connection = Arc::clone(connection);
        drop(state);
        Ok(connection.open()?)
    }

    /// A channel that failed is of no use any more; nor is a connection of which the other process is gone.
    #[cold]
    pub(super) fn is_lost(&self, era: &Era, why: crate::Error) {
        use crate::Error::{Closed, Died, Stopped, System};
        lane::forget(self.id);
        if matches!(why, Closed | Stopped | System(_)) {
            return;
        }
        let ended = std::mem::replace(&mut *lock(&era.state), State::Ended);
        if let State::Open(connection) = ended {
            connection.stop();
            if why != Died || start::is_verbose() {
                start::say(&format!("the worker of CXUs is lost: {why}"));
            }
        }
    }

    #[inline]
    pub(super) fn with_lane<R>(&self, work: impl FnOnce(&Lane) -> Result<R, Fault>) -> Result<R, Fault> {
        let errno = start::errno();
        let era = self.era();
        let done = lane::lane(self.id, || self.open(era)).and_then(|lane| work(&lane));
        if let Err(Fault::Channel(why)) = done {
            self.is_lost(era, why);
        }
        start::set_errno(errno);
        done
    }

    #[inline]
    pub(super) fn ask<R>(
        &self,
        kind: u32,
        put: impl FnOnce(&mut Writer<'_>),
        take: impl FnOnce(&mut Reader<'_>) -> Result<R, crate::Error>,
    ) -> Result<R, Fault> {
        self.with_lane(|lane| lane.ask(kind, put, take))
    }

    /// Tells the worker which states are over. If it does not learn of it, it keeps them until the guest ends.
    pub(super) fn end(&self, over: &[u64]) {
        // Each part is smaller than the smallest ring.
        for some in over.chunks(1024) {
            let _ = self.with_lane(|lane| {
                lane.tell(record::END, |to| {
                    to.put_u32(some.len() as u32);
                    some.iter().for_each(|state| to.put_u64(*state));
                })
            });
        }
    }

    /// Begins a state; 0 if the worker has none.
    pub(super) fn begin_state(&self, cxu: u32, address: usize) -> u64 {
        let places = &self.era().places;
        let (same, over) = lock(places).begin(address);
        self.end(&over);
        let init = |old: u64| {
            let put = |to: &mut Writer<'_>| {
                to.put_u32(cxu);
                to.put_u64(old);
            };
            self.ask(record::INIT, put, |from| from.get_u64())
        };
        let mut made = init(same.unwrap_or(0));
        if made == Err(Fault::Refused) {
            let over = lock(places).look();
            self.end(&over);
            made = init(0);
        }
        if made == Err(Fault::Refused) && !self.has_said.swap(true, Ordering::Relaxed) {
            start::say(
                "the worker has no room for another state of this guest (CX_REMOTE_KEPT_BYTES); commands to it are not done",
            );
        }
        made.unwrap_or(0)
    }
}

/// Connects, and asks which CXUs the worker has.
pub(super) fn begin(reach: &start::Reach, arguments: &[OsString]) -> Result<(Arc<Connection>, Vec<Listed>), Error> {
    let connection = start::connect_to(&wire::library(), reach, arguments).map_err(|why| match why {
        Unreached::Missing(why) | Unreached::Passing(why) => Error::NoWorker(why),
        Unreached::Refused(why) => Error::Refused(why),
    })?;
    let ended = |why: crate::Error| match why {
        why @ (crate::Error::Protocol(_) | crate::Error::End | crate::Error::Cut) => Error::Answer(why),
        why => Error::NoWorker(format!("the worker does not say which CXUs it has: {why}")),
    };
    let channel = connection.open().map_err(ended)?;
    let listed = Lane::new(channel).ask(record::LIST, |_| (), wire::get_list).map_err(|why| match why {
        Fault::Channel(why) => ended(why),
        Fault::Refused | Fault::Interrupted => ended(crate::Error::Protocol(crate::ProtocolError::Message)),
    })?;
    Ok((Arc::new(connection), listed))
}
