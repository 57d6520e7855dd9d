//! A connection to a worker of CXUs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use lapis_cx_core::{SoftCxu, Uuid};

use super::guest::{Era, GUESTS, Inner, State, begin};
use super::lane;
use super::wire::Listed;
use super::{Error, Reach, slots};
use crate::call::start;

/// A connection to a worker of CXUs. It stays for as long as the process once a descriptor was given out.
pub struct Remote(Arc<Inner>);

impl std::fmt::Debug for Remote {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Remote").field("reach", &self.0.reach).field("listed", &self.0.listed).finish_non_exhaustive()
    }
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
    /// Its commands are answered with [`Response::Cxu`](lapis_cx_core::Response::Cxu) once the worker has ended, and with [`Response::State`](lapis_cx_core::Response::State) if the worker has
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
