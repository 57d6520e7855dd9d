//! The C ABI of ckernels: `ckernel.h`, which documents these functions. None of them unwinds.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::size_of;

use lapis_cx_core::ckernel::{Composition, Failure, Kind, Prefix, RawBuilder, Set};

use super::make::{find, make};
use super::{bind, compose, raw};

/// The builder at an address; `None` for one that cannot be.
fn builder(ckb: *mut c_void) -> Option<*mut RawBuilder> {
    let builder = ckb.cast::<RawBuilder>();
    (!builder.is_null() && builder.is_aligned()).then_some(builder)
}

/// Constructs a builder (Blaze CKernel Interface, "CKernel Builder Functions").
///
/// # Safety
/// `ckb` is null or good for writes of 18 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_construct(ckb: *mut c_void) {
    if let Some(builder) = builder(ckb) {
        // SAFETY: the caller gives the memory.
        unsafe { raw::construct(builder) };
    }
}

/// Destroys the ckernel in a builder and frees its memory.
///
/// # Safety
/// `ckb` is null or a constructed builder that nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_destruct(ckb: *mut c_void) {
    if let Some(builder) = builder(ckb) {
        // SAFETY: the caller's promise.
        unsafe { raw::destruct(builder) };
    }
}

/// Destructs and constructs a builder.
///
/// # Safety
/// As [`ckernel_builder_destruct`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_reset(ckb: *mut c_void) {
    if let Some(builder) = builder(ckb) {
        // SAFETY: the caller's promise.
        unsafe {
            raw::destruct(builder);
            raw::construct(builder);
        }
    }
}

/// Makes the capacity at least `requested_capacity` and a prefix more.
///
/// # Safety
/// As [`ckernel_builder_destruct`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_ensure_capacity(ckb: *mut c_void, requested_capacity: isize) -> c_int {
    match requested_capacity.max(0).checked_add(size_of::<Prefix>() as isize) {
        // SAFETY: the caller's promise.
        Some(capacity) => unsafe { ckernel_builder_ensure_capacity_leaf(ckb, capacity) },
        None => -1,
    }
}

/// Makes the capacity at least `requested_capacity`.
///
/// # Safety
/// As [`ckernel_builder_destruct`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_ensure_capacity_leaf(ckb: *mut c_void, requested_capacity: isize) -> c_int {
    let Some(builder) = builder(ckb) else { return -1 };
    let bytes = usize::try_from(requested_capacity).unwrap_or(0);
    // SAFETY: the caller's promise.
    match unsafe { raw::grow(builder, bytes) } {
        Ok(()) => 0,
        Err(_) => -1,
    }
}

/// What C gets: an offset, or the number of the failure.
fn told(made: Result<usize, Failure>) -> isize {
    match made {
        // Offsets are inside of memory, whose size is no more than an isize has.
        Ok(end) => end as isize,
        Err(failure) => failure as i32 as isize,
    }
}

/// The arguments that all factories have.
fn place(ckb: *mut c_void, offset: isize, kind: c_int) -> Result<(*mut RawBuilder, usize, Kind), Failure> {
    let builder = builder(ckb).ok_or(Failure::Invalid)?;
    let offset = usize::try_from(offset).map_err(|_| Failure::Invalid)?;
    Ok((builder, offset, Kind::from_code(kind).ok_or(Failure::Invalid)?))
}

/// A name of C.
unsafe fn text<'a>(name: *const c_char) -> Result<&'a CStr, Failure> {
    // SAFETY: the caller says that it is null or ends with 0.
    if name.is_null() { Err(Failure::Invalid) } else { Ok(unsafe { CStr::from_ptr(name) }) }
}

/// Makes a ckernel of a command.
///
/// # Safety
/// As [`ckernel_builder_destruct`]; `set`, `name` and `image` are null or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_make(
    ckb: *mut c_void,
    offset: isize,
    set: *const Set,
    name: *const c_char,
    kind: c_int,
    image: *const c_void,
    image_size: isize,
) -> isize {
    // SAFETY: the caller's promise.
    let made = || unsafe {
        let (builder, offset, kind) = place(ckb, offset, kind)?;
        let command = find(set, text(name)?).ok_or(Failure::Invalid)?;
        make(builder, offset, command, kind, (image, image_size))
    };
    told(made())
}

/// Begins a ckernel that gives its child an operand.
///
/// # Safety
/// As [`ckernel_builder_destruct`]; `value` is null or good for reads of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_bind(
    ckb: *mut c_void,
    offset: isize,
    kind: c_int,
    operands: u32,
    at: u32,
    value: *const c_void,
    size: isize,
) -> isize {
    let made = || {
        let (builder, offset, kind) = place(ckb, offset, kind)?;
        let size = usize::try_from(size).ok().filter(|size| *size <= 8 && !value.is_null()).ok_or(Failure::Invalid)?;
        // SAFETY: the caller's promise.
        unsafe {
            let value = std::slice::from_raw_parts(value.cast::<u8>(), size);
            bind::bind(builder, offset, kind, (operands, at), value)
        }
    };
    told(made())
}

/// Begins a ckernel that is one after another.
///
/// # Safety
/// As [`ckernel_builder_destruct`]; `what` is null or good for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_compose_begin(
    ckb: *mut c_void,
    offset: isize,
    kind: c_int,
    what: *const Composition,
) -> isize {
    let made = || {
        let (builder, offset, kind) = place(ckb, offset, kind)?;
        // SAFETY: the caller's promise.
        unsafe { compose::compose(builder, offset, kind, *what.as_ref().ok_or(Failure::Invalid)?) }
    };
    told(made())
}

/// Says where the outer child of such a ckernel will be.
///
/// # Safety
/// As [`ckernel_builder_destruct`]; at `offset` is what `ckernel_compose_begin` began.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_compose_outer(ckb: *mut c_void, offset: isize, end: isize) -> isize {
    let made = || {
        let (builder, offset, _) = place(ckb, offset, 0)?;
        let end = usize::try_from(end).map_err(|_| Failure::Invalid)?;
        // SAFETY: the caller's promise.
        unsafe { compose::outer(builder, offset, end) }
    };
    told(made())
}

/// Makes a ckernel of two commands.
///
/// # Safety
/// As [`ckernel_make`], for both sets and names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_compose(
    ckb: *mut c_void,
    offset: isize,
    kind: c_int,
    outer_set: *const Set,
    outer: *const c_char,
    at: u32,
    inner_set: *const Set,
    inner: *const c_char,
) -> isize {
    // SAFETY: the caller's promise.
    let made = || unsafe {
        let (builder, offset, kind) = place(ckb, offset, kind)?;
        let outer = find(outer_set, text(outer)?).ok_or(Failure::Invalid)?;
        let inner = find(inner_set, text(inner)?).ok_or(Failure::Invalid)?;
        compose::commands(builder, offset, kind, (outer, at), inner)
    };
    told(made())
}
