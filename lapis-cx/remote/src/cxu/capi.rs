//! The C ABI, which `cx_remote_cxu.h` documents.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

use lapis_cx_core::{SoftCxu, Uuid};

use super::{Error, Reach, Remote};
use crate::call::log;

/// `CXR_CXU_OK`, and the code for a null pointer.
const OK: c_int = 0;
const FAULT: c_int = 1;

thread_local! {
    /// The error text of the last function that this thread called.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Returns the `CXR_CXU_*` code of an error.
fn code(why: &Error) -> c_int {
    match why {
        Error::Reach(_) => 2,
        Error::NoWorker(_) => 3,
        Error::Refused(_) => 4,
        Error::Answer(_) => 5,
        Error::Absent(..) => 6,
        Error::Contract { .. } => 7,
        Error::Full => 8,
        Error::Load(_) => 9,
    }
}

fn set_error(words: String) {
    let words = CString::new(words.replace('\0', "?")).unwrap_or_default();
    let _ = LAST.try_with(|last| last.replace(words));
}

fn finish(done: Result<(), Error>) -> c_int {
    match done {
        Ok(()) => {
            set_error(String::new());
            OK
        }
        Err(why) => {
            set_error(why.to_string());
            code(&why)
        }
    }
}

fn null_pointer() -> c_int {
    set_error("a pointer argument is null".to_owned());
    FAULT
}

/// # Safety
///
/// The safety contract of this function and the following ones is in `cx_remote_cxu.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_connect(reach: *const c_char, cxus: *mut *mut Remote) -> c_int {
    if reach.is_null() || cxus.is_null() {
        return null_pointer();
    }
    // SAFETY: the caller passes a C string and a valid pointer to write to.
    let (text, place) = unsafe {
        cxus.write(std::ptr::null_mut());
        (CStr::from_ptr(reach).to_string_lossy().into_owned(), &mut *cxus)
    };
    finish(text.parse::<Reach>().and_then(|reach| Remote::connect(&reach)).map(|remote| {
        *place = Box::into_raw(Box::new(remote));
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_count(cxus: *const Remote) -> usize {
    if cxus.is_null() {
        return 0;
    }
    // SAFETY: the pointer came from `cxr_cxu_connect`, which leaks the connection.
    unsafe { &*cxus }.listed().len()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_at(cxus: *const Remote, index: usize, cxu: *mut *const SoftCxu) -> c_int {
    if cxus.is_null() || cxu.is_null() {
        return null_pointer();
    }
    // SAFETY: as above, and the caller passes a valid pointer to write to.
    let (remote, place) = unsafe {
        cxu.write(std::ptr::null());
        (&*cxus, &mut *cxu)
    };
    finish(remote.descriptor(index).map(|found| *place = found))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_find(
    cxus: *const Remote,
    uuid: *const Uuid,
    xlen: u32,
    contract: *const [u8; 32],
    cxu: *mut *const SoftCxu,
) -> c_int {
    if cxus.is_null() || uuid.is_null() || cxu.is_null() {
        return null_pointer();
    }
    // SAFETY: as above; the caller passes a valid UUID, and null or a hash of 32 bytes.
    let (remote, uuid, contract, place) = unsafe {
        cxu.write(std::ptr::null());
        (&*cxus, uuid.read(), contract.as_ref(), &mut *cxu)
    };
    finish(remote.find(uuid, xlen, contract).map(|found| *place = found))
}

#[unsafe(no_mangle)]
pub extern "C" fn cxr_cxu_error() -> *const c_char {
    let text = LAST.try_with(|last| last.try_borrow().map_or(std::ptr::null(), |last| last.as_ptr()));
    text.ok().filter(|text| !text.is_null()).unwrap_or(c"".as_ptr())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_worker_main(
    cxus: *const *const SoftCxu,
    count: usize,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    let count = if cxus.is_null() { 0 } else { count };
    let words = if argv.is_null() { 0 } else { usize::try_from(argc).unwrap_or(0) };
    // SAFETY: the caller passes `count` pointers to descriptors and `argc` C strings.
    let served = unsafe {
        let found: Result<Vec<&'static SoftCxu>, String> = (0..count)
            .map(|n| SoftCxu::from_raw(cxus.add(n).read()).map_err(|why| format!("CXU {n}: {why}")))
            .collect();
        let words = (1..words).map(|n| CStr::from_ptr(argv.add(n).read()).to_string_lossy().into_owned());
        let words: Vec<String> = words.collect();
        found.and_then(|found| super::serve(&found, &words))
    };
    match served {
        Ok(()) => 0,
        Err(why) => {
            log::say(&why);
            1
        }
    }
}
