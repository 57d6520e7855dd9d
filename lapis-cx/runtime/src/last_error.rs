//! How a thread's last C call ended.

use std::cell::Cell;
use std::ffi::CStr;

use lapis_cx_core::{Defect, Error};

#[derive(Clone, Copy)]
struct Last {
    code: i32,
    text: &'static CStr,
}

pub(crate) const NO_ERROR: &CStr = c"no error";

thread_local! {
    static LAST: Cell<Last> = const { Cell::new(Last { code: 0, text: NO_ERROR }) };
}

/// A failure of a C call: the number, and the words for it.
pub(crate) struct Failure {
    error: Error,
    text: &'static CStr,
}

impl Failure {
    /// In words that say more than those of the number.
    pub(crate) fn said(error: Error, text: &'static CStr) -> Failure {
        Failure { error, text }
    }
}

/// For Rust, which has no words beside the error.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        failure.error
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { error, text: error.message() }
    }
}

impl From<Defect> for Failure {
    fn from(defect: Defect) -> Failure {
        Failure { error: defect.into(), text: defect.message() }
    }
}

/// Notes how a call ended, and turns a failure into the number C sees.
pub(crate) fn note<T>(result: Result<T, Failure>) -> Result<T, i32> {
    let (last, result) = match result {
        Ok(value) => (Last { code: 0, text: NO_ERROR }, Ok(value)),
        Err(Failure { error, text }) => {
            set_errno(error);
            let code = error.code();
            (Last { code, text }, Err(code))
        }
    };
    LAST.with(|place| place.set(last));
    result
}

/// `CX_ERROR_*` of the last call.
pub(crate) fn code() -> i32 {
    LAST.with(Cell::get).code
}

/// The last call's error in words.
pub(crate) fn text() -> &'static CStr {
    LAST.with(Cell::get).text
}

#[cfg(unix)]
fn set_errno(error: Error) {
    let value = match error {
        Error::Permission => libc::EACCES,
        Error::Busy => libc::EBUSY,
        Error::Fault => libc::EFAULT,
        Error::NoDevice => libc::ENODEV,
        Error::BadSelector => libc::EBADF,
        Error::NoMemory => libc::ENOMEM,
        Error::TableFull => libc::EMFILE,
        Error::Cxu => libc::EIO,
        _ => libc::EINVAL,
    };
    if let Some(place) = errno_place() {
        // SAFETY: it is the calling thread's errno.
        unsafe { *place = value };
    }
}

#[cfg(not(unix))]
fn set_errno(_: Error) {}

#[cfg(unix)]
fn errno_place() -> Option<*mut libc::c_int> {
    // SAFETY: these functions have no conditions.
    unsafe {
        #[cfg(target_os = "linux")]
        return Some(libc::__errno_location());
        #[cfg(any(target_os = "macos", target_os = "ios", target_os = "freebsd"))]
        return Some(libc::__error());
        #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
        return Some(libc::__errno());
        #[allow(unreachable_code)]
        None
    }
}
