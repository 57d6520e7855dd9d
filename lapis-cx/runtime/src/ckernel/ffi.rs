//! The C ABI of ckernels: `ckernel.h`, which documents these functions. None of them unwinds.

use std::ffi::{c_int, c_void};
use std::mem::size_of;

use lapis_cx_core::ckernel::{Prefix, RawBuilder};

use super::raw;

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
