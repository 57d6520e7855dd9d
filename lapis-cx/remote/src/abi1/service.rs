//! The worker's side: a service in Rust instead of a library in C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use super::client::error_of;
use super::{Error, Library, Thunk};
use crate::Geometry;
use crate::call::worker::Worker;
use crate::call::{log, refusals, settings};

/// The address of a function of a callback's C type that calls a function of the program.
pub type Trampoline = *const ();

/// The worker of a service. A process has at most one for each library.
pub struct Service(OnceLock<Arc<Worker>>);

impl std::fmt::Debug for Service {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Service").field("is_serving", &self.0.get().is_some()).finish()
    }
}

impl Default for Service {
    fn default() -> Service {
        Service::new()
    }
}

impl Service {
    /// Creates a worker that does not serve yet.
    pub const fn new() -> Service {
        Service(OnceLock::new())
    }

    /// Serves the client that started this process, or with `--listen PATH` all clients of this user that connect there. `arguments` are
    /// those of the program, starting with its name. Errors are logged to standard error.
    ///
    /// `thunks` are indexed by function, `trampolines` by callback.
    pub fn serve(
        &self,
        library: &Library,
        thunks: &[Option<Thunk>],
        trampolines: &[&[Trampoline]],
        arguments: impl IntoIterator<Item = String>,
    ) -> ExitCode {
        let arguments: Vec<String> = arguments.into_iter().skip(1).collect();
        let served = library.describe().and_then(|described| {
            let trampolines = trampolines.iter().map(|all| all.iter().map(|one| one.expose_provenance()).collect());
            let made =
                Worker::new(described, (thunks.to_vec(), None, Vec::new()), trampolines.collect(), settings::limits());
            self.0.set(Arc::clone(&made)).map_err(|_| format!("{} is already served by this process", library.name))?;
            // Borrowed memory must not change in Rust, so no client gets in-place memory.
            made.run(Geometry::default(), &arguments)
        });
        match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                log::say(&why);
                ExitCode::FAILURE
            }
        }
    }

    /// Calls a function of a client for a trampoline, unless `checked` is an error. The result is stored in `arguments`.
    ///
    /// # Errors
    ///
    /// The function was not called. `arguments` holds the failure result of the specification if the engine reported the error.
    ///
    /// # Safety
    ///
    /// `arguments` must be the argument struct of this callback, and its pointers must be valid as the specification states.
    pub unsafe fn callback<T>(
        &self,
        checked: Result<(), Error>,
        callback: u32,
        slot: u32,
        arguments: &mut T,
    ) -> Result<(), Error> {
        checked?;
        let Some(worker) = self.0.get() else { return Err(Error::Channel(crate::Error::Stopped)) };
        // SAFETY: the caller upholds the contract of this function.
        let made = unsafe { worker.callback(callback, slot, std::ptr::from_mut(arguments).expose_provenance()) };
        made.map_err(|fault| error_of(fault, &worker.described))
    }
}

/// Returns the index of a function pointer among these trampolines.
pub fn slot(function: *mut std::ffi::c_void, all: &[Trampoline]) -> Option<u32> {
    all.iter().position(|one| one.addr() == function.addr()).and_then(|at| u32::try_from(at).ok())
}

/// Runs a request of the other side. If it panics or returns `None`, the call fails on the other side; no panic unwinds into the engine.
pub fn guarded(run: impl FnOnce() -> Option<()>) {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Some(())) => {}
        Ok(None) => refusals::refuse(),
        Err(panic) => {
            super::closures::keep_panic(panic);
            refusals::refuse();
        }
    }
}
