//! The caller's side.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Error, Failed, Invoke, Library};
use crate::call::Described;
use crate::call::guest::Guest;
use crate::call::start;
use crate::marshal::CallError;

/// How a client gets to its worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It starts one of its own, from this file.
    Private(PathBuf),
    /// One listens at this path.
    Unix(PathBuf),
    /// As guest libraries do, by `CX_REMOTE` and `CX_REMOTE_WORKER`; the worker's file is otherwise the one beside the program.
    Environment,
}

/// A connection to a worker. When it is dropped, a worker of its own ends.
pub struct Client(Arc<Guest>);

impl std::fmt::Debug for Client {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Client").field("library", &self.0.described.name).finish_non_exhaustive()
    }
}

impl Client {
    /// Connects. `invokes` are by callback; `worker` is what the worker's file is called.
    ///
    /// # Errors
    ///
    /// There is no worker, it serves another library, or the plan cannot be read.
    pub fn new(library: &Library, invokes: &[Invoke], worker: &str, reach: &Reach) -> Result<Client, Error> {
        let described = library.describe().map_err(Error::Connection)?;
        let invokes = invokes.iter().copied().map(Some).collect();
        let reach = match reach {
            Reach::Private(path) => start::Reach::Private(path.clone(), None),
            Reach::Unix(path) => start::Reach::Shared(path.clone()),
            // A program has no library of this name that its worker could find in its place.
            Reach::Environment if start::is_shadow() => {
                start::Reach::None("CX_REMOTE=shadow is for guest libraries in C".to_owned())
            }
            Reach::Environment => match start::Reach::of_environment(std::env::current_exe().ok(), worker) {
                start::Reach::Private(path, _) => start::Reach::Private(path, None),
                other => other,
            },
        };
        let guest = Guest::new(described, invokes, Vec::new(), reach, None, start::limits());
        guest.connect().map_err(Error::Connection)?;
        Ok(Client(guest))
    }

    /// Makes a call, if its arguments are good. Its result is in the struct; if it was not made, what the specification says for
    /// that.
    ///
    /// # Errors
    ///
    /// It was not made.
    ///
    /// # Safety
    ///
    /// `arguments` is the struct of this function, and what it points at is as the specification says.
    pub unsafe fn call<T>(&self, given: Result<(), Error>, function: u32, arguments: &mut T) -> Result<(), Error> {
        let arguments = std::ptr::from_mut(arguments).expose_provenance();
        if let Err(why) = given {
            // SAFETY: as the caller says.
            unsafe { self.0.store_failure_result(function, arguments) };
            return Err(why);
        }
        // SAFETY: as the caller says.
        let made = unsafe { self.0.call(function, arguments) };
        super::lend::resume();
        made.map_err(|fault| error_of(fault, &self.0.described))
    }

    /// The result of a call that was made, or not.
    ///
    /// # Errors
    ///
    /// It was not made.
    pub fn outcome<T>(made: Result<(), Error>, result: T) -> Result<T, Failed<T>> {
        match made {
            Ok(()) => Ok(result),
            Err(error) => Err(Failed { declared: result, error }),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// As programs in Rust get it.
pub(super) fn error_of(fault: CallError, described: &Described) -> Error {
    match (fault, fault.name()) {
        (CallError::Channel(why), _) => Error::Channel(why),
        (_, name) => Error::Refused(described.plan.text(name.unwrap_or(0)).to_owned(), fault.to_string()),
    }
}
