//! Copies between private memory and memory that another process may change meanwhile.
//!
//! That process is no thread of this program, so the compiler must not see a copy that it could read from twice, or drop: small
//! copies are volatile, large ones are instructions that the compiler does not look into.

/// A block of vectors: bytes.
#[cfg(target_arch = "x86_64")]
const LARGE: usize = 128;

/// Copies `size` bytes out of shared memory.
///
/// # Safety
///
/// `from` is `size` bytes of mapped memory, `to` as many that are nobody else's.
#[inline]
pub(crate) unsafe fn from_shared(to: *mut u8, from: *const u8, size: usize) {
    let mut at = 0;
    #[cfg(target_arch = "x86_64")]
    if size >= LARGE {
        at = size & !(LARGE - 1);
        // SAFETY: as asked of the caller.
        unsafe { blocks(to, from, at) };
    }
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
    let mut at = 0;
    #[cfg(target_arch = "x86_64")]
    if size >= LARGE {
        at = size & !(LARGE - 1);
        // SAFETY: as asked of the caller.
        unsafe { blocks(to, from, at) };
    }
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

/// `rep movsb` would be a tenth as fast on some processors if only one of both addresses is aligned.
///
/// # Safety
///
/// `from` and `to` are `size` bytes of mapped memory that do not overlap, a multiple of a block that is not 0.
#[cfg(target_arch = "x86_64")]
unsafe fn blocks(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: as asked of the caller.
    unsafe { if std::arch::is_x86_feature_detected!("avx") { wide(to, from, size) } else { narrow(to, from, size) } }
}

/// # Safety
///
/// As for `blocks`. The processor has AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn wide(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: as asked of the caller.
    unsafe {
        std::arch::asm!(
            "2:",
            "vmovdqu {a}, [{from}]",
            "vmovdqu {b}, [{from} + 32]",
            "vmovdqu {c}, [{from} + 64]",
            "vmovdqu {d}, [{from} + 96]",
            "vmovdqu [{to}], {a}",
            "vmovdqu [{to} + 32], {b}",
            "vmovdqu [{to} + 64], {c}",
            "vmovdqu [{to} + 96], {d}",
            "sub {from}, -128",
            "sub {to}, -128",
            "sub {size}, 128",
            "jnz 2b",
            "vzeroupper",
            a = out(ymm_reg) _, b = out(ymm_reg) _, c = out(ymm_reg) _, d = out(ymm_reg) _,
            from = inout(reg) from => _, to = inout(reg) to => _, size = inout(reg) size => _,
            options(nostack),
        );
    }
}

/// # Safety
///
/// As for `blocks`.
#[cfg(target_arch = "x86_64")]
unsafe fn narrow(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: as asked of the caller.
    unsafe {
        std::arch::asm!(
            "2:",
            "movdqu {a}, [{from}]",
            "movdqu {b}, [{from} + 16]",
            "movdqu {c}, [{from} + 32]",
            "movdqu {d}, [{from} + 48]",
            "movdqu [{to}], {a}",
            "movdqu [{to} + 16], {b}",
            "movdqu [{to} + 32], {c}",
            "movdqu [{to} + 48], {d}",
            "sub {from}, -64",
            "sub {to}, -64",
            "sub {size}, 64",
            "jnz 2b",
            a = out(xmm_reg) _, b = out(xmm_reg) _, c = out(xmm_reg) _, d = out(xmm_reg) _,
            from = inout(reg) from => _, to = inout(reg) to => _, size = inout(reg) size => _,
            options(nostack),
        );
    }
}
