//! The guest: its program issues commands to the CXUs of a worker.

use std::ffi::{OsString, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use lapis_cx_core::{Response, SoftCxu, Uuid};

use super::lane::{self, Fault, Lane};
use super::places::{Places, Record};
use super::slots::{self, Slot};
use super::wire::{self, Listed, record};
use super::{Error, Reach};
use crate::engine::start::{self, Unreached};
use crate::locks::{Mutex, MutexGuard};
use crate::{Channel, Connection, Reader, Writer};

/// A connection to a worker of CXUs. It stays for as long as the process once a descriptor was given out.
pub struct Remote(Arc<Inner>);

impl std::fmt::Debug for Remote {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Remote").field("reach", &self.0.reach).field("listed", &self.0.listed).finish_non_exhaustive()
    }
}

pub(super) struct Inner {
    reach: start::Reach,
    arguments: Vec<OsString>,
    listed: Vec<Listed>,
    /// Which guest of the process it is: threads find their lanes by it.
    id: usize,
    /// In the child of a fork another one begins. The old ones are never freed: they are the parent's.
    era: AtomicPtr<Era>,
    /// It was said that the worker has no room.
    has_said: AtomicBool,
}

/// Between two forks.
struct Era {
    forks: u64,
    state: Mutex<State>,
    places: Mutex<Places>,
}

enum State {
    /// In the child of a fork, before the first command.
    New,
    Open(Arc<Connection>),
    /// It ended, or there is none: each command is answered with an error.
    Ended,
}

static GUESTS: AtomicUsize = AtomicUsize::new(1);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Remote {
    /// Connects to a worker, and asks which CXUs it has.
    ///
    /// # Errors
    ///
    /// [`Error::NoWorker`], [`Error::Refused`], [`Error::Answer`].
    pub fn connect(reach: &Reach) -> Result<Remote, Error> {
        lane::watch_forks();
        let (reach, arguments) = match reach {
            Reach::Private(file, arguments) => (start::Reach::Private(file.clone(), None), arguments.clone()),
            Reach::Unix(path) => (start::Reach::Shared(path.clone()), Vec::new()),
        };
        let forks = lane::forks();
        let (connection, listed) = begin(&reach, &arguments)?;
        let id = GUESTS.fetch_add(1, Ordering::Relaxed);
        let era = AtomicPtr::new(Era::new(forks, State::Open(connection)));
        Ok(Remote(Arc::new(Inner { reach, arguments, listed, id, era, has_said: AtomicBool::new(false) })))
    }

    /// The worker's CXUs.
    #[must_use]
    pub fn listed(&self) -> &[Listed] {
        &self.0.listed
    }

    /// The descriptor of one of [`listed`](Remote::listed): the runtime registers it. To ask again gives the same.
    ///
    /// Its commands are answered with [`Response::Cxu`] once the worker has ended, and with [`Response::State`] if the worker has
    /// no state for it. An image that is saved then is all zero: it says that the context is off, and has no words.
    ///
    /// # Errors
    ///
    /// [`Error::Full`]; [`Error::Answer`] if the worker says of it what cannot be; [`Error::Absent`] if there is no such index.
    pub fn descriptor(&self, index: usize) -> Result<&'static SoftCxu, Error> {
        let absent = Error::Absent(Uuid::default(), 0);
        let listed = self.0.listed.get(index).ok_or(absent)?;
        slots::descriptor(&self.0, index as u32, listed)
    }

    /// The descriptor of the CXU for an interface, at the XLEN of the program. With `contract` it must have that one.
    ///
    /// # Errors
    ///
    /// As [`descriptor`](Remote::descriptor), [`Error::Contract`].
    pub fn find(&self, uuid: Uuid, xlen: u32, contract: Option<&[u8; 32]>) -> Result<&'static SoftCxu, Error> {
        let is_it = |listed: &Listed| listed.uuid == uuid && listed.xlen == xlen;
        let index = self.0.listed.iter().position(is_it).ok_or(Error::Absent(uuid, xlen))?;
        let descriptor = self.descriptor(index)?;
        match contract {
            Some(here) if *here != descriptor.contract => {
                let name = self.0.listed[index].name.to_string_lossy().into_owned();
                Err(Error::Contract { name, there: descriptor.contract, here: *here })
            }
            _ => Ok(descriptor),
        }
    }
}

/// Connects, and asks what there is.
fn begin(reach: &start::Reach, arguments: &[OsString]) -> Result<(Arc<Connection>, Vec<Listed>), Error> {
    let connection = start::connect_to(&wire::library(), reach, arguments).map_err(|why| match why {
        Unreached::Missing(why) | Unreached::Passing(why) => Error::NoWorker(why),
        Unreached::Refused(why) => Error::Refused(why),
    })?;
    let ended = |why: crate::Error| match why {
        why @ (crate::Error::Lied(_) | crate::Error::End | crate::Error::Cut) => Error::Answer(why),
        why => Error::NoWorker(format!("the worker does not say which CXUs it has: {why}")),
    };
    let channel = connection.open().map_err(ended)?;
    let listed = Lane::new(channel).ask(record::LIST, |_| (), wire::get_list).map_err(|why| match why {
        Fault::Channel(why) => ended(why),
        Fault::Refused | Fault::Interrupted => ended(crate::Error::Lied(crate::Lie::Message)),
    })?;
    Ok((Arc::new(connection), listed))
}

impl Era {
    fn new(forks: u64, state: State) -> *mut Era {
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
    fn era(&self) -> &Era {
        // SAFETY: eras are there as long as this is.
        let era = unsafe { &*self.era.load(Ordering::Acquire) };
        if era.forks == lane::forks() { era } else { self.begin_anew(era) }
    }

    /// In the child of a fork. No lock of the parent's is looked at: another thread may have had it.
    #[cold]
    fn begin_anew(&self, old: &Era) -> &Era {
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

    fn open(&self, era: &Era) -> Result<Channel, Fault> {
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
    fn is_lost(&self, era: &Era, why: crate::Error) {
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
    fn with_lane<R>(&self, work: impl FnOnce(&Lane) -> Result<R, Fault>) -> Result<R, Fault> {
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
    fn ask<R>(
        &self,
        kind: u32,
        put: impl FnOnce(&mut Writer<'_>),
        take: impl FnOnce(&mut Reader<'_>) -> Result<R, crate::Error>,
    ) -> Result<R, Fault> {
        self.with_lane(|lane| lane.ask(kind, put, take))
    }

    /// Tells the worker which states are over. If it does not learn of it, it keeps them until the guest ends.
    fn end(&self, over: &[u64]) {
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
    fn begin_state(&self, cxu: u32, address: usize) -> u64 {
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

impl Slot {
    /// The worker's state for one of the program. 0 without state; `None` if there is none there.
    ///
    /// # Safety
    ///
    /// A state of this descriptor.
    #[inline]
    unsafe fn state(&self, state: *const c_void) -> Option<u64> {
        if !self.has_state {
            return Some(0);
        }
        // SAFETY: the memory of a state was zeroed, and is written by `init` only.
        let record = unsafe { state.cast::<Record>().read() };
        let is_ours = record.address == state.addr() && record.guest == self.guest.id && record.forks == lane::forks();
        (is_ours && record.state != 0).then_some(record.state)
    }

    /// What a command is answered with that has no state here.
    #[cold]
    fn without_state(&self) -> (u32, usize) {
        let has_ended = matches!(&*lock(&self.guest.era().state), State::Ended);
        (if has_ended { Response::Cxu } else { Response::State }.code(), 0)
    }

    /// # Safety
    ///
    /// As in `cx_abi.h`; so are the others.
    pub unsafe fn init(&self, state: *mut c_void) {
        let address = state.expose_provenance();
        let made = self.guest.begin_state(self.cxu, address);
        let record = Record { state: made, address, guest: self.guest.id, forks: lane::forks() };
        // SAFETY: as the caller says.
        unsafe { state.cast::<Record>().write(record) };
        if made != 0 {
            // Last: who looks for records finds this one.
            lock(&self.guest.era().places).add(record);
        }
    }

    fn answered(&self, asked: Result<(u32, u64), Fault>) -> (u32, usize) {
        match asked {
            Ok((response, value)) => (response, value as usize & self.mask),
            Err(Fault::Refused) if self.has_state => (Response::State.code(), 0),
            Err(_) => (Response::Cxu.code(), 0),
        }
    }

    #[inline]
    pub unsafe fn issue(&self, state: *mut c_void, function: u32, rs1: usize, rs2: usize) -> (u32, usize) {
        // SAFETY: as the caller says.
        let Some(state) = (unsafe { self.state(state) }) else { return self.without_state() };
        let put = |to: &mut Writer<'_>| {
            to.put_u64(u64::from(self.cxu) | u64::from(function) << 32);
            to.put_u64(state);
            to.put_u64(rs1 as u64);
            to.put_u64(rs2 as u64);
        };
        self.answered(self.guest.ask(record::ISSUE, put, |from| Ok((from.get_u32()?, from.get_u64()?))))
    }

    pub unsafe fn csr(&self, state: *mut c_void, op: u32, address: u32, value: usize) -> (u32, usize) {
        // SAFETY: as the caller says.
        let Some(state) = (unsafe { self.state(state) }) else { return self.without_state() };
        let put = |to: &mut Writer<'_>| {
            to.put_u64(u64::from(self.cxu) | u64::from(address) << 32);
            to.put_u64(state);
            to.put_u32(op);
            to.put_u64(value as u64);
        };
        self.answered(self.guest.ask(record::CSR, put, |from| Ok((from.get_u32()?, from.get_u64()?))))
    }

    pub unsafe fn flex(&self, function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        let put = |to: &mut Writer<'_>| {
            [self.cxu, function, fields].into_iter().for_each(|number| to.put_u32(number));
            to.put_u64(rs2 as u64);
        };
        let asked = self.guest.ask(record::FLEX, put, |from| Ok((from.get_u32()?, from.get_u64()?)));
        // Whoever decodes issues the command next, and that is answered with an error.
        asked.map_or((function, rs2), |(function, rs2)| (function, rs2 as usize))
    }

    pub unsafe fn save(&self, state: *const c_void, image: *mut c_void) {
        // SAFETY: room for an image, which is zeroed, so that it can be lent.
        let image = unsafe {
            image.cast::<u8>().write_bytes(0, self.image);
            std::slice::from_raw_parts_mut(image.cast::<u8>(), self.image)
        };
        // SAFETY: as the caller says.
        let Some(state) = (unsafe { self.state(state) }) else { return };
        let put = |to: &mut Writer<'_>| {
            to.put_u32(self.cxu);
            to.put_u64(state);
        };
        if self.guest.ask(record::SAVE, put, |from| from.get(image)).is_err() {
            image.fill(0);
        }
    }

    pub unsafe fn restore(&self, state: *mut c_void, image: *const c_void) {
        // SAFETY: as the caller says.
        if unsafe { self.state(state) }.is_none() {
            // One of before a fork; an image is all that it needs.
            // SAFETY: as the caller says.
            unsafe { self.init(state) };
        }
        // SAFETY: as the caller says; an image has so many bytes.
        let (state, image) = unsafe { (self.state(state), std::slice::from_raw_parts(image.cast::<u8>(), self.image)) };
        let Some(state) = state else { return };
        let put = |to: &mut Writer<'_>| {
            to.put_u32(self.cxu);
            to.put_u64(state);
            to.put(image);
        };
        // If it is not done the state is lost with the worker, and the next command says so.
        let _ = self.guest.ask(record::RESTORE, put, |_| Ok(()));
    }
}
