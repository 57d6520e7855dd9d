//! Loads the real library into the program in shadow mode, with the worker's generated functions compiled as a library.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};

use super::{CWorker, functions_of, open_file, text};
use crate::call::guest::Guest;
use crate::call::loaded_files::absolute;
use crate::call::start::Reach;
use crate::locks::{Mutex, guard};
use crate::shadow::{self, Native, Shadow};

/// `struct cxr_shadow`.
#[repr(C)]
pub struct CShadow {
    worker: *mut CWorker,
    real: *const c_char,
    callback: Option<unsafe extern "C" fn(*mut CWorker, u32, u32, *mut c_void) -> c_int>,
}

/// The shadows, by the address of their worker struct.
static GUESTS: OnceLock<Mutex<HashMap<usize, Shadowed>>> = OnceLock::new();

/// A guest and its observer.
type Shadowed = (Weak<Guest>, Arc<Shadow>);

/// Handles callbacks of the real library.
unsafe extern "C" fn callback(worker: *mut CWorker, number: u32, slot: u32, arguments: *mut c_void) -> c_int {
    let guest = {
        let guests = guard(GUESTS.get_or_init(Mutex::default));
        guests.get(&worker.addr()).and_then(|(guest, shadow)| Some((guest.upgrade()?, Arc::clone(shadow))))
    };
    if let Some((guest, shadow)) = guest {
        // SAFETY: the generated caller fulfils the contract of `cxr_callback` in `cx_remote.h`.
        unsafe { shadow::callback(&guest, &shadow, number, slot, arguments.expose_provenance()) };
    }
    0
}

/// Loads the real library and its generated functions. Returns them with the address of the worker struct.
///
/// # Errors
///
/// The file or function that is missing.
///
/// # Safety
///
/// The shadow file must be built from the worker of the same specification.
pub unsafe fn load(reach: &Reach, contract: [u8; 32]) -> Result<(Native, usize), String> {
    let Reach::Private(worker, _) = reach else { return Err("there is no worker to compare with".to_owned()) };
    let mut file = worker.clone().into_os_string();
    file.push(".so");
    // SAFETY: the caller upholds the contract of this function; loaded libraries are never unloaded.
    unsafe {
        let handle = open_file(Path::new(&file), libc::RTLD_LOCAL)
            .map_err(|why| format!("{why}: CX_REMOTE=shadow needs this file, which `make shadow` builds"))?;
        let found = libc::dlsym(handle, c"cx_remote_shadow".as_ptr()).cast::<CShadow>();
        let Some(made) = found.as_mut() else {
            return Err(format!("{} has no cx_remote_shadow", Path::new(&file).display()));
        };
        let worker = &*made.worker;
        if (*worker.library).contract != contract {
            return Err(format!("{} was built from another specification: build it again", Path::new(&file).display()));
        }
        let real = std::env::var_os("CX_REMOTE_LIBRARY").unwrap_or_else(|| text(made.real).into());
        // The loader searches for names without a slash, and would find the guest library.
        if !real.as_bytes().contains(&b'/') {
            return Err(format!(
                "{} would be the guest library again: set CX_REMOTE_LIBRARY to the path of the real one",
                Path::new(&real).display()
            ));
        }
        let real = absolute(real.into());
        // The library must find its own functions first, because the program has the guest library's functions of the same names.
        let how = libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
        let (thunks, _, trampolines) = functions_of(worker, open_file(&real, how)?);
        made.callback = Some(callback);
        Ok((Native { thunks, trampolines }, made.worker.addr()))
    }
}

/// Assigns callbacks of this worker struct to the guest.
pub fn belongs(worker: usize, guest: &Arc<Guest>, shadow: Arc<Shadow>) {
    let mut guests = guard(GUESTS.get_or_init(Mutex::default));
    guests.insert(worker, (Arc::downgrade(guest), shadow));
}
