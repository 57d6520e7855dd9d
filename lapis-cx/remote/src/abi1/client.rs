//! The connection of a client to its worker.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Error, Failed, Invoke, Library};
use crate::call::Described;
use crate::call::guest::Guest;
use crate::call::{settings, start};
use crate::marshal::{CallError, NO_NAME};

/// How a client reaches its worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The client starts a private worker from this file.
    Private(PathBuf),
    /// A worker listens on a Unix socket at this path.
    Unix(PathBuf),
    /// `CX_REMOTE` and `CX_REMOTE_WORKER` decide, as for guest libraries in C. The default is a private worker from the file beside the
    /// program.
    Environment,
}

/// A connection to a worker. Dropping it ends a private worker.
pub struct Client(Arc<Guest>);

impl std::fmt::Debug for Client {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Client").field("library", &self.0.described.name).finish_non_exhaustive()
    }
}

impl Client {
    /// Connects to a worker. `invokes` are indexed by callback; `worker` is the file name of the worker.
    ///
    /// # Errors
    ///
    /// [`Error::Connection`]: the worker cannot be reached or serves another library, or the plan is malformed.
    pub fn new(library: &Library, invokes: &[Invoke], worker: &str, reach: &Reach) -> Result<Client, Error> {
        let described = library.describe().map_err(Error::Connection)?;
        let invokes = invokes.iter().copied().map(Some).collect();
        let reach = match reach {
            Reach::Private(path) => start::Reach::Private(path.clone(), None),
            Reach::Unix(path) => start::Reach::Shared(path.clone()),
            // A program in Rust has no real library that shadow mode could compare with.
            Reach::Environment if settings::is_shadow() => {
                start::Reach::None("CX_REMOTE=shadow is for guest libraries in C".to_owned())
            }
            Reach::Environment => match start::Reach::of_environment(std::env::current_exe().ok(), worker) {
                start::Reach::Private(path, _) => start::Reach::Private(path, None),
                other => other,
            },
        };
        let guest = Guest::new(described, invokes, Vec::new(), reach, None, settings::limits());
        guest.connect().map_err(Error::Connection)?;
        Ok(Client(guest))
    }

    /// Makes a call, unless `checked` is an error. The result is stored in `arguments`; if the call was not made, that is the failure
    /// result of the specification.
    ///
    /// # Errors
    ///
    /// The call was not made.
    ///
    /// # Safety
    ///
    /// `arguments` must be the argument struct of this function, and its pointers must be valid as the specification states.
    pub unsafe fn call<T>(&self, checked: Result<(), Error>, function: u32, arguments: &mut T) -> Result<(), Error> {
        let arguments = std::ptr::from_mut(arguments).expose_provenance();
        if let Err(why) = checked {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.0.store_failure_result(function, arguments) };
            return Err(why);
        }
        // SAFETY: the caller upholds the contract of this function.
        let made = unsafe { self.0.call(function, arguments) };
        super::closures::resume_panic();
        made.map_err(|fault| error_of(fault, &self.0.described))
    }

    /// Combines the status and the result value of a call.
    ///
    /// # Errors
    ///
    /// The call was not made; the error contains the failure result.
    pub fn result_of<T>(made: Result<(), Error>, result: T) -> Result<T, Failed<T>> {
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

/// Converts an error of the engine to the public type.
pub(super) fn error_of(fault: CallError, described: &Described) -> Error {
    match (fault, fault.name()) {
        (CallError::Channel(why), _) => Error::Channel(why),
        (_, name) => Error::Refused(described.plan.text(name.unwrap_or(NO_NAME)).to_owned(), fault.to_string()),
    }
}
