//! Copies between private memory and memory that another process may change meanwhile.
//!
//! That process is no thread of this program, so the compiler must not see a copy that it could read from twice, or drop: small
//! copies are volatile, large ones are instructions that the compiler does not look into.

/// From here on one instruction that copies strings is faster than a loop of words.
#[cfg(target_arch = "x86_64")]
const LARGE: usize = 128;

/// Copies `size` bytes out of shared memory.
///
/// # Safety
///
/// `from` is `size` bytes of mapped memory, `to` as many that are nobody else's.
#[inline]
pub(crate) unsafe fn from_shared(to: *mut u8, from: *const u8, size: usize) {
    #[cfg(target_arch = "x86_64")]
    if size >= LARGE {
        // SAFETY: as asked of the caller.
        return unsafe { strings(to, from, size) };
    }
    let mut at = 0;
    while size - at >= 8 {
        // SAFETY: both have 8 bytes there. Arrays of bytes need no alignment.
        unsafe { to.add(at).cast::<[u8; 8]>().write(from.add(at).cast::<[u8; 8]>().read_volatile()) };
        at += 8;
    }
    while at < size {
        // SAFETY: as above, of one byte.
        unsafe { to.add(at).write(from.add(at).read_volatile()) };
        at += 1;
    }
}

/// Copies `size` bytes into shared memory.
///
/// # Safety
///
/// `to` is `size` bytes of mapped memory, `from` as many that nobody changes.
#[inline]
pub(crate) unsafe fn to_shared(to: *mut u8, from: *const u8, size: usize) {
    #[cfg(target_arch = "x86_64")]
    if size >= LARGE {
        // SAFETY: as asked of the caller.
        return unsafe { strings(to, from, size) };
    }
    let mut at = 0;
    while size - at >= 8 {
        // SAFETY: both have 8 bytes there. Arrays of bytes need no alignment.
        unsafe { to.add(at).cast::<[u8; 8]>().write_volatile(from.add(at).cast::<[u8; 8]>().read()) };
        at += 8;
    }
    while at < size {
        // SAFETY: as above, of one byte.
        unsafe { to.add(at).write_volatile(from.add(at).read()) };
        at += 1;
    }
}

/// # Safety
///
/// `from` and `to` are `size` bytes of mapped memory that do not overlap.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn strings(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: as asked of the caller. The ABI promises that the direction flag is clear.
    unsafe {
        std::arch::asm!(
            "rep movsb",
            inout("rcx") size => _,
            inout("rsi") from => _,
            inout("rdi") to => _,
            options(nostack, preserves_flags),
        );
    }
}
