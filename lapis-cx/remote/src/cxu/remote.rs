//! A connection to a worker of CXUs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use lapis_cx_core::{SoftCxu, Uuid};

use super::command_channel;
use super::guest::{GUESTS, Guest, ProcessState, State, begin};
use super::wire::Listed;
use super::{Error, Reach, slots};
use crate::call::start;

/// A connection to a worker of CXUs. It lasts until the process ends if a descriptor was returned.
pub struct Remote(Arc<Guest>);

impl std::fmt::Debug for Remote {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Remote").field("reach", &self.0.reach).field("listed", &self.0.listed).finish_non_exhaustive()
    }
}

impl Remote {
    /// Connects to a worker and requests the list of its CXUs.
    ///
    /// # Errors
    ///
    /// [`Error::NoWorker`], [`Error::Refused`], [`Error::Answer`].
    pub fn connect(reach: &Reach) -> Result<Remote, Error> {
        command_channel::watch_forks();
        let (reach, arguments) = match reach {
            Reach::Private(file, arguments) => (start::Reach::Private(file.clone(), None), arguments.clone()),
            Reach::Unix(path) => (start::Reach::Shared(path.clone()), Vec::new()),
        };
        let forks = command_channel::forks();
        let (connection, listed) = begin(&reach, &arguments)?;
        let id = GUESTS.fetch_add(1, Ordering::Relaxed);
        let process_state = AtomicPtr::new(ProcessState::new(forks, State::Open(connection)));
        Ok(Remote(Arc::new(Guest {
            reach,
            arguments,
            listed,
            id,
            process_state,
            has_reported_full: AtomicBool::new(false),
        })))
    }

    /// Returns the CXUs of the worker.
    #[must_use]
    pub fn listed(&self) -> &[Listed] {
        &self.0.listed
    }

    /// Returns the descriptor of the CXU at this index of [`listed`](Remote::listed), for the runtime to register. Each index has one
    /// descriptor.
    ///
    /// Its commands return [`Response::Cxu`](lapis_cx_core::Response::Cxu) after the worker ended, and
    /// [`Response::State`](lapis_cx_core::Response::State) if the worker has no state for them. The saved image of such a state is all
    /// zero: the context is off and has no words.
    ///
    /// # Errors
    ///
    /// [`Error::Full`]; [`Error::Answer`] if the worker describes the CXU inconsistently; [`Error::Absent`] if the index is out of range.
    pub fn descriptor(&self, index: usize) -> Result<&'static SoftCxu, Error> {
        let absent = Error::Absent(Uuid::default(), 0);
        let listed = self.0.listed.get(index).ok_or(absent)?;
        slots::descriptor(&self.0, index as u32, listed)
    }

    /// Returns the descriptor of the CXU with this UUID and XLEN. If `contract` is given, the CXU must have it.
    ///
    /// # Errors
    ///
    /// Same as [`descriptor`](Remote::descriptor), and [`Error::Contract`].
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
