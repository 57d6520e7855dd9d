//! `CX_REMOTE=shadow`: the real library beside the guest one, by the worker's functions compiled as a library.

use std::collections::HashMap;
use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::{Arc, OnceLock, PoisonError, Weak};

use super::{CWorker, load_real, open_file, text};
use crate::call::guest::Guest;
use crate::call::start::Reach;
use crate::locks::Mutex;
use crate::shadow::{self, Native, Shadow};

/// `struct cxr_shadow`.
#[repr(C)]
pub struct CShadow {
    worker: *mut CWorker,
    real: *const c_char,
    callback: Option<unsafe extern "C" fn(*mut CWorker, u32, u32, *mut c_void)>,
}

/// Guests by the address of what their shadow has of the worker.
static GUESTS: OnceLock<Mutex<HashMap<usize, Shadowed>>> = OnceLock::new();

/// A guest and its observer.
type Shadowed = (Weak<Guest>, Arc<Shadow>);

/// Callbacks of the real library lead here.
unsafe extern "C" fn callback(worker: *mut CWorker, number: u32, slot: u32, arguments: *mut c_void) {
    let guest = {
        let guests = GUESTS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        guests.get(&worker.addr()).and_then(|(guest, shadow)| Some((guest.upgrade()?, Arc::clone(shadow))))
    };
    if let Some((guest, shadow)) = guest {
        // SAFETY: as `cx_remote.h` says of `cxr_callback`.
        unsafe { shadow::callback(&guest, &shadow, number, slot, arguments.expose_provenance()) };
    }
}

/// What loads it: the real library, and where its callbacks come from.
///
/// # Errors
///
/// What is missing, in words.
///
/// # Safety
///
/// The file is what is built of the worker of the same specification.
pub unsafe fn load(reach: &Reach, contract: [u8; 32]) -> Result<(Native, usize), String> {
    let Reach::Private(worker, _) = reach else { return Err("there is no worker to compare with".to_owned()) };
    let mut file = worker.clone().into_os_string();
    file.push(".so");
    // SAFETY: as the caller says; what is loaded stays.
    unsafe {
        let handle = open_file(Path::new(&file), libc::RTLD_LOCAL)
            .map_err(|why| format!("{why}: CX_REMOTE=shadow needs this file, which `make shadow` builds"))?;
        let found = libc::dlsym(handle, c"cx_remote_shadow".as_ptr()).cast::<CShadow>();
        let Some(made) = found.as_mut() else {
            return Err(format!("{} has no cx_remote_shadow", Path::new(&file).display()));
        };
        let worker = &*made.worker;
        if (*worker.library).contract != contract {
            return Err(format!("{} is of another specification: build it anew", Path::new(&file).display()));
        }
        let real = std::env::var_os("CX_REMOTE_LIBRARY").unwrap_or_else(|| text(made.real).into());
        if !Path::new(&real).is_absolute() {
            let real = Path::new(&real).display();
            return Err(format!(
                "{real} would be the guest library again: set CX_REMOTE_LIBRARY to the path of the real one"
            ));
        }
        // Its own functions come first for it: the program has the guest library's under the same names.
        let how = libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
        let (thunks, _, trampolines) = load_real(worker, Path::new(&real), how)?;
        made.callback = Some(callback);
        Ok((Native { thunks, trampolines }, made.worker.addr()))
    }
}

/// Callbacks that come from this worker's functions are the guest's.
pub fn belongs(worker: usize, guest: &Arc<Guest>, shadow: Arc<Shadow>) {
    let mut guests = GUESTS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    guests.insert(worker, (Arc::downgrade(guest), shadow));
}
