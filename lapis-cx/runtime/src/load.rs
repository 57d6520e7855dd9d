//! Software CXUs in shared libraries.

use std::ffi::{CStr, c_char};

use lapis_cx_core::{Error, SoftCxu};

use crate::last_error::Failure;
use crate::registry;

/// Loads a shared library and makes the CXU known whose descriptor it exports under `symbol`. The library stays loaded.
///
/// # Errors
/// [`Error::NoDevice`] if the library or the symbol cannot be loaded; the rest as [`register`](crate::register).
///
/// # Safety
/// To load the library runs code of it, and its descriptor is what `cx_abi.h` asks for.
pub unsafe fn load(library: &CStr, symbol: &CStr) -> Result<(), Error> {
    // SAFETY: the caller vouches for the library.
    Ok(unsafe { load_raw(library.as_ptr(), symbol.as_ptr()) }?)
}

/// As [`load`], of strings of C.
///
/// # Safety
/// As [`load`]; both are null or strings.
pub(crate) unsafe fn load_raw(library: *const c_char, symbol: *const c_char) -> Result<(), Failure> {
    if library.is_null() || symbol.is_null() {
        return Err(Error::Fault.into());
    }
    // SAFETY: both are strings, and the caller vouches for the library.
    let descriptor: *const SoftCxu = unsafe {
        let handle = libc::dlopen(library, libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            return Err(Failure::said(
                Error::NoDevice,
                c"no device: the shared library cannot be loaded; dlerror() says why",
            ));
        }
        let descriptor = libc::dlsym(handle, symbol);
        if descriptor.is_null() {
            libc::dlclose(handle);
            return Err(Failure::said(Error::NoDevice, c"no device: the shared library has no such symbol"));
        }
        descriptor.cast()
    };
    // SAFETY: the caller says that a descriptor is there; what it is made of is checked, and the library stays.
    let cxu = unsafe { SoftCxu::from_raw(descriptor) }?;
    registry::add(cxu, None).map_err(registry::taken)
}
