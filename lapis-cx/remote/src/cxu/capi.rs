//! The C ABI, as `cx_remote_cxu.h` says it.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

use lapis_cx_core::{SoftCxu, Uuid};

use super::{Error, Reach, Remote};
use crate::call::start;

/// `CXR_CXU_OK`, and a pointer that is null.
const OK: c_int = 0;
const FAULT: c_int = 1;

thread_local! {
    /// Why the last function failed, in words.
    static LAST: RefCell<CString> = RefCell::default();
}

/// `CXR_CXU_*`.
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

fn remember(words: String) {
    let words = CString::new(words.replace('\0', "?")).unwrap_or_default();
    let _ = LAST.try_with(|last| last.replace(words));
}

fn said(done: Result<(), Error>) -> c_int {
    match done {
        Ok(()) => {
            remember(String::new());
            OK
        }
        Err(why) => {
            remember(why.to_string());
            code(&why)
        }
    }
}

fn fault() -> c_int {
    remember("a pointer is null".to_owned());
    FAULT
}

/// # Safety
///
/// As `cx_remote_cxu.h` says; so are the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_connect(reach: *const c_char, cxus: *mut *mut Remote) -> c_int {
    if reach.is_null() || cxus.is_null() {
        return fault();
    }
    // SAFETY: a string, and a place for a pointer.
    let (text, place) = unsafe {
        cxus.write(std::ptr::null_mut());
        (CStr::from_ptr(reach).to_string_lossy().into_owned(), &mut *cxus)
    };
    said(text.parse::<Reach>().and_then(|reach| Remote::connect(&reach)).map(|remote| {
        *place = Box::into_raw(Box::new(remote));
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_count(cxus: *const Remote) -> usize {
    if cxus.is_null() {
        return 0;
    }
    // SAFETY: it was given out, and is never freed.
    unsafe { &*cxus }.listed().len()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_cxu_at(cxus: *const Remote, index: usize, cxu: *mut *const SoftCxu) -> c_int {
    if cxus.is_null() || cxu.is_null() {
        return fault();
    }
    // SAFETY: as above, and a place for a pointer.
    let (remote, place) = unsafe {
        cxu.write(std::ptr::null());
        (&*cxus, &mut *cxu)
    };
    said(remote.descriptor(index).map(|found| *place = found))
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
        return fault();
    }
    // SAFETY: as above; a UUID, and a hash or null.
    let (remote, uuid, contract, place) = unsafe {
        cxu.write(std::ptr::null());
        (&*cxus, uuid.read(), contract.as_ref(), &mut *cxu)
    };
    said(remote.find(uuid, xlen, contract).map(|found| *place = found))
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
    // SAFETY: so many pointers, of descriptors and of strings.
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
            start::say(&why);
            1
        }
    }
}
