//! The worker's side, which has a service in place of a library.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use super::client::error_of;
use super::{Error, Library, Thunk};
use crate::Geometry;
use crate::call::start;
use crate::call::worker::Worker;

/// A function that stands for one of the program: of a callback's type in C, as an address.
pub type Trampoline = *const ();

/// A worker; there is one of each library in a process.
pub struct Service(OnceLock<Arc<Worker>>);

impl std::fmt::Debug for Service {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Service").field("is_there", &self.0.get().is_some()).finish()
    }
}

impl Default for Service {
    fn default() -> Service {
        Service::new()
    }
}

impl Service {
    /// Not yet begun.
    pub const fn new() -> Service {
        Service(OnceLock::new())
    }

    /// Serves as the arguments of the program say, of which the first one is its name: the client that started this process, or with
    /// `--listen PATH` all of this user that connect there. What stands against it is said on standard error.
    ///
    /// Thunks are by function, trampolines by callback.
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
            let made = Worker::new(described, (thunks.to_vec(), Vec::new()), trampolines.collect(), start::limits());
            self.0.set(Arc::clone(&made)).map_err(|_| format!("{} is served already", library.name))?;
            // Rust may rely on memory that nobody changes while it is borrowed, so no guest has any in place.
            made.run(Geometry::default(), &arguments)
        });
        match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                start::say(&why);
                ExitCode::FAILURE
            }
        }
    }

    /// Asks a client to call its function, which a trampoline stands for, if the arguments are good. The result is in the struct.
    ///
    /// # Errors
    ///
    /// It was not called. The result is what the specification says for that.
    ///
    /// # Safety
    ///
    /// `arguments` is the struct of this callback, and what it points at is as the specification says.
    pub unsafe fn callback<T>(
        &self,
        given: Result<(), Error>,
        callback: u32,
        slot: u32,
        arguments: &mut T,
    ) -> Result<(), Error> {
        given?;
        let Some(worker) = self.0.get() else { return Err(Error::Channel(crate::Error::Stopped)) };
        // SAFETY: as the caller says.
        let made = unsafe { worker.callback(callback, slot, std::ptr::from_mut(arguments).expose_provenance()) };
        made.map_err(|fault| error_of(fault, &worker.described))
    }
}

/// Which of these trampolines a pointer is.
pub fn slot(function: *mut std::ffi::c_void, all: &[Trampoline]) -> Option<u32> {
    all.iter().position(|one| one.addr() == function.addr()).and_then(|at| u32::try_from(at).ok())
}

/// Runs what the other side asks for. If it panics, or finds that arguments cannot be taken, the call fails there: nothing unwinds
/// into the engine.
pub fn guarded(run: impl FnOnce() -> Option<()>) {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Some(())) => {}
        Ok(None) => start::refuse(),
        Err(panic) => {
            super::lend::keep(panic);
            start::refuse();
        }
    }
}
