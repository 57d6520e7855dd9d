//! The C ABI: `cx.h`, which documents these functions, and the entry of `cx_abi.h`. None of them unwinds.

#[cfg(unix)]
use std::ffi::{CStr, OsStr};
use std::ffi::{c_char, c_int, c_void};
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::slice;

use lapis_cx_core::machine::{Counters, PlatformCxu};
use lapis_cx_core::{CsrOp, Error, Response, Selector, SoftCxu, Status, Uuid};

use crate::cx::OpenFlags;
use crate::last_error::{self, Failure, NO_ERROR, note};
use crate::platform;
use crate::{context, hardware, image, registry, thread};
#[cfg(unix)]
use crate::{load, singleton::Singleton};

/// `cx_issue` of ABI 3: issues a command to the current selection.
#[unsafe(no_mangle)]
pub extern "C" fn cx_abi3_issue(function: u32, rs1: usize, rs2: usize) -> usize {
    thread::issue(function, rs1, rs2).value
}

/// `cx_csr` of ABI 3: accesses a CSR of the current selection. An unknown operation counts as one on a CSR that is not
/// there.
#[unsafe(no_mangle)]
pub extern "C" fn cx_abi3_csr(op: u32, address: u32, value: usize) -> usize {
    match CsrOp::from_code(op) {
        Some(op) => thread::csr(op, address, value).value,
        None => {
            thread::change_status(|status| status | Status::from(Response::Func));
            0
        }
    }
}

/// Opens a CX (CX API, `cx_open`).
///
/// # Safety
/// `puuid` is null or points to a UUID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_open(puuid: *const Uuid, flags: c_int) -> c_int {
    let opened = || {
        // SAFETY: the caller promises it.
        let uuid = unsafe { uuid_at(puuid) }?;
        let flags = OpenFlags::from_bits(flags).ok_or(Error::Invalid)?;
        hardware::ready()?;
        Ok(thread::open(uuid, flags)?)
    };
    note(opened()).map_or(Selector::INVALID.raw(), Selector::raw)
}

/// Closes one open of a CX (CX API, `cx_close`).
#[unsafe(no_mangle)]
pub extern "C" fn cx_close(sel: c_int) {
    let closed = thread::close(Selector::from_raw(sel));
    let _ = note(closed.map_err(Failure::from));
}

/// Whether a selector is open on this thread, and its CX was not revoked (CX API, `cx_sel_is_cx`).
#[unsafe(no_mangle)]
pub extern "C" fn cx_sel_is_cx(sel: c_int) -> bool {
    thread::is_there(Selector::from_raw(sel))
}

/// The current selection (CX API, `cx_get_sel`).
#[unsafe(no_mangle)]
pub extern "C" fn cx_get_sel() -> c_int {
    thread::selected().raw()
}

/// Selects, and returns the selection before (CX API, `cx_select`).
#[unsafe(no_mangle)]
pub extern "C" fn cx_select(sel: c_int) -> c_int {
    thread::select(Selector::from_raw(sel)).raw()
}

/// Saves the state of the selected CX (CX API, `cx_save`).
///
/// # Safety
/// `pv` is null or good for writes of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_save(pv: *mut c_void, size: usize) -> usize {
    let selector = thread::selected();
    let saved = if pv.is_null() {
        image::size(selector).map_err(Failure::from)
    } else {
        // SAFETY: the caller gives `size` bytes.
        unsafe { image::save(selector, pv.cast(), size) }
    };
    note(saved).unwrap_or(0)
}

/// Loads the state of the selected CX (CX API, `cx_restore`).
///
/// # Safety
/// `pv` is null or good for reads of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_restore(pv: *mut c_void, size: usize) {
    let restored = if pv.is_null() {
        Ok(())
    } else {
        // SAFETY: the caller gives `size` bytes.
        unsafe { image::restore(thread::selected(), pv.cast_const().cast(), size) }
    };
    let _ = note(restored);
}

/// Saves the user context of this thread, or with a null `pv` gives the bytes that takes.
///
/// # Safety
/// `pv` is null or good for writes of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_context_save(pv: *mut c_void, size: usize) -> usize {
    // SAFETY: the caller's promise.
    note(unsafe { context::save_or_size(pv.cast(), size) }).unwrap_or(0)
}

/// Loads a user context.
///
/// # Safety
/// `pv` is null or good for reads of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_context_restore(pv: *const c_void, size: usize) {
    let restored = if pv.is_null() {
        Ok(())
    } else {
        // SAFETY: the caller's promise.
        unsafe { context::restore(pv.cast(), size) }
    };
    let _ = note(restored);
}

/// Calls a function with the one instance of the process, or of all processes that name a file, selected.
///
/// # Safety
/// `puuid` is null or points to a UUID, `file` is null or a string, and `work` is a function that neither unwinds nor leaves by
/// `longjmp`.
#[cfg(unix)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_singleton(
    puuid: *const Uuid,
    flags: c_int,
    file: *const c_char,
    work: Option<unsafe extern "C" fn(*mut c_void)>,
    argument: *mut c_void,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        let uuid = unsafe { uuid_at(puuid) }?;
        let flags = OpenFlags::from_bits(flags).ok_or(Error::Invalid)?;
        let work = work.ok_or(Error::Fault)?;
        let one = if file.is_null() {
            Singleton::of_process(uuid, flags)
        } else {
            // SAFETY: it is not null, so a string.
            let file = unsafe { CStr::from_ptr(file) };
            Singleton::of_machine(uuid, flags, OsStr::from_bytes(file.to_bytes()))
        };
        // SAFETY: the caller's promise.
        one.with(|_| unsafe { work(argument) })
    };
    noted(run())
}

/// Makes a software CXU known to all threads.
///
/// # Safety
/// `cxu` is null or points to a descriptor that keeps what `cx_abi.h` asks of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_soft_register(cxu: *const SoftCxu) -> c_int {
    // SAFETY: the caller promises what both need.
    let checked = unsafe { SoftCxu::from_raw(cxu) };
    let registered = checked.map_err(Failure::from).and_then(|cxu| registry::add(cxu, None).map_err(registry::taken));
    note(registered).map_or_else(|code| code, |()| 0)
}

/// Loads a shared library and makes the CXU known whose descriptor it exports.
///
/// # Safety
/// Both are null or strings; the library can be loaded, and its descriptor keeps what `cx_abi.h` asks of it.
#[cfg(unix)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_soft_load(library: *const c_char, symbol: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    note(unsafe { load::load_raw(library, symbol) }).map_or_else(|code| code, |()| 0)
}

/// Says which CXUs each hart has.
///
/// # Safety
/// `cxus` points to `count` of them, or `count` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_platform_load(cxus: *const PlatformCxu, count: usize) -> c_int {
    let cxus = if count == 0 {
        Ok(&[][..])
    } else if cxus.is_null() || !cxus.is_aligned() || count > isize::MAX as usize / size_of::<PlatformCxu>() {
        Err(Error::Fault)
    } else {
        // SAFETY: the caller promises it, and the address and the size can be those of a slice.
        Ok(unsafe { slice::from_raw_parts(cxus, count) })
    };
    noted(cxus.and_then(platform::load_platform))
}

/// Lets software stand in for a CX that the platform lacks.
///
/// # Safety
/// `puuid` is null or points to a UUID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_emulate_absent(puuid: *const Uuid) -> c_int {
    // SAFETY: the caller promises it.
    noted(unsafe { uuid_at(puuid) }.and_then(platform::emulate_absent))
}

/// Takes the CXUs of a CX away.
///
/// # Safety
/// `puuid` is null or points to a UUID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_revoke(puuid: *const Uuid) -> c_int {
    // SAFETY: the caller promises it.
    noted(unsafe { uuid_at(puuid) }.and_then(platform::revoke))
}

/// What stands behind a selector: `CX_BACKING_*`.
#[unsafe(no_mangle)]
pub extern "C" fn cx_backing(sel: c_int) -> c_int {
    thread::backing(Selector::from_raw(sel)).map_or(0, |backing| backing as c_int)
}

/// Nanoseconds of the next command to an open CX; negative if it is not open.
#[unsafe(no_mangle)]
pub extern "C" fn cx_backing_cost(sel: c_int) -> f64 {
    thread::cost(Selector::from_raw(sel)).unwrap_or(-1.0)
}

/// What happened on the hart of this thread.
///
/// # Safety
/// `counters` is null or points to room for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_read_counters(counters: *mut CCounters) {
    let Counters { traps, swaps, saved_bytes, loaded_bytes } = thread::counters();
    if !counters.is_null() && counters.is_aligned() {
        // SAFETY: it is not null, and the caller says that there is room.
        unsafe { counters.write(CCounters { traps, swaps, saved_bytes, loaded_bytes }) };
    }
}

/// `struct cx_counters` of `cx.h`.
#[repr(C)]
pub struct CCounters {
    traps: u64,
    swaps: u64,
    saved_bytes: u64,
    loaded_bytes: u64,
}

/// The UUID at an address.
///
/// # Safety
/// It is null or that of a UUID.
pub(crate) unsafe fn uuid_at(puuid: *const Uuid) -> Result<Uuid, Error> {
    if puuid.is_null() || !puuid.is_aligned() {
        return Err(Error::Fault);
    }
    // SAFETY: it is not null, and the caller says that a UUID is there.
    Ok(unsafe { puuid.read() })
}

/// Notes how a call ended, and gives its number.
fn noted(result: Result<(), Error>) -> c_int {
    note(result.map_err(Failure::from)).map_or_else(|code| code, |()| 0)
}

/// The thread's `cx_status` (CX-ISA, CSR 0x801).
#[unsafe(no_mangle)]
pub extern "C" fn cx_status_read() -> u32 {
    thread::change_status(|status| status).bits()
}

/// Writes `cx_status`, and returns the old value.
#[unsafe(no_mangle)]
pub extern "C" fn cx_status_write(value: u32) -> u32 {
    thread::change_status(|_| Status::from_bits(value)).bits()
}

/// Clears flags of `cx_status`, and returns the old value.
#[unsafe(no_mangle)]
pub extern "C" fn cx_status_clear(flags: u32) -> u32 {
    thread::change_status(|status| status.without(Status::from_bits(flags))).bits()
}

/// How the last call ended: `CX_ERROR_*`.
#[unsafe(no_mangle)]
pub extern "C" fn cx_last_error() -> c_int {
    last_error::code()
}

/// How the last call ended, in words.
#[unsafe(no_mangle)]
pub extern "C" fn cx_last_error_string() -> *const c_char {
    last_error::text().as_ptr()
}

/// An error number in words.
#[unsafe(no_mangle)]
pub extern "C" fn cx_error_string(error: c_int) -> *const c_char {
    let text = match error {
        0 => NO_ERROR,
        code => Error::from_code(code).map_or(c"unknown error number", Error::message),
    };
    text.as_ptr()
}
