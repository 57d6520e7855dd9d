//! The files of guest libraries, and the working directory in which they were loaded.

use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::locks::{Mutex, guard};

/// The working directory when the first guest library was loaded. Relative paths in the environment are relative to it: the program
/// may change its working directory before the first call.
static LOADED_IN: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
/// The files of the loaded guest libraries, by the address of their `cxr_guest`.
static LOADED: Mutex<Vec<(usize, Option<PathBuf>)>> = Mutex::new(Vec::new());

/// Records the file of a guest library and the working directory, while a relative path of the loader is still valid.
pub(crate) fn loaded(address: usize) {
    if let Ok(folder) = std::env::current_dir() {
        LOADED_IN.get_or_init(|| folder);
    }
    let file = find_file_of(address);
    guard(&LOADED).push((address, file));
}

/// Returns a path that does not depend on later changes of the working directory.
pub(crate) fn absolute(path: PathBuf) -> PathBuf {
    LOADED_IN.get().map_or_else(|| path.clone(), |folder| folder.join(&path))
}

/// Returns the file from which an address was loaded.
pub(crate) fn file_of(address: usize) -> Option<PathBuf> {
    let loaded = guard(&LOADED);
    let known = loaded.iter().rev().find(|(known, _)| *known == address).map(|(_, file)| file.clone());
    drop(loaded);
    known.unwrap_or_else(|| find_file_of(address))
}

fn find_file_of(address: usize) -> Option<PathBuf> {
    // SAFETY: `Dl_info` holds numbers and pointers, for which all zeros is a valid value.
    let mut about: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address = std::ptr::with_exposed_provenance(address);
    // SAFETY: `about` is a valid output parameter.
    if unsafe { libc::dladdr(address, &raw mut about) } == 0 || about.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader returns a NUL-terminated string, which lives while the library is loaded.
    let name = unsafe { CStr::from_ptr(about.dli_fname) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    let path = absolute(path.to_owned());
    Some(path.canonicalize().unwrap_or(path))
}
