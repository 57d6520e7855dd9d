//! Copies between private memory and memory that another process may change meanwhile.
//!
//! That process is no thread of this program, so the compiler must not see a copy that it could read from twice, or drop: small
//! copies are volatile, large ones are instructions that the compiler does not look into.

/// A number at any address. Volatile arrays of bytes are read and written byte by byte.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Any<T>(T);

/// Copies what is no block: as many bytes as fit at a time. `to` and `from` have those behind `at` up to `size`.
macro_rules! few {
    ($to:ident, $from:ident, $at:ident..$size:ident, $read:ident, $write:ident) => {{
        macro_rules! copy {
            ($type:ty) => {{
                // SAFETY: both have so many bytes there.
                unsafe { $to.add($at).cast::<Any<$type>>().$write($from.add($at).cast::<Any<$type>>().$read()) };
                $at += size_of::<$type>();
            }};
        }
        while $size - $at >= 8 {
            copy!(u64);
        }
        if $size - $at >= 4 {
            copy!(u32);
        }
        if $size - $at >= 2 {
            copy!(u16);
        }
        if $at < $size {
            // SAFETY: as above.
            unsafe { $to.add($at).$write($from.add($at).$read()) };
        }
    }};
}

/// Asks for the line of an address, to write there.
#[inline]
pub(crate) fn prefetch_to_write(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which is no access.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

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
    few!(to, from, at..size, read_volatile, write);
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
    few!(to, from, at..size, read, write_volatile);
}

/// `rep movsb` is as fast as vectors, and short. But some processors do 3 GB/s instead of 50 where `to` is less than a line ahead of
/// `from` in a page.
///
/// # Safety
///
/// `from` and `to` are `size` bytes of mapped memory that do not overlap, a multiple of a block that is not 0.
#[cfg(target_arch = "x86_64")]
unsafe fn blocks(to: *mut u8, from: *const u8, size: usize) {
    let ahead = to.addr().wrapping_sub(from.addr()) % 4096;
    // SAFETY: as asked of the caller. The ABI promises that the direction flag is clear.
    unsafe {
        if !(1..64).contains(&ahead) {
            std::arch::asm!(
                "rep movsb",
                inout("rcx") size => _, inout("rsi") from => _, inout("rdi") to => _,
                options(nostack, preserves_flags),
            );
        } else if std::arch::is_x86_feature_detected!("avx") {
            wide(to, from, size);
        } else {
            narrow(to, from, size);
        }
    }
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

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// At each distance, of each size around a block: what is copied is what was there, and nothing else changes.
    #[test]
    fn each_way_copies_all_and_no_more() {
        let from: Vec<u8> = (0..9000u32).map(|n| (n * 7 + n / 256) as u8).collect();
        for size in (0..18).chain([127, 128, 129, 255, 256, 500, 4096, 4103]) {
            for place in (0..130).chain([4000, 4095]) {
                for copy in [from_shared, to_shared] {
                    let mut to = vec![1u8; 9000];
                    // SAFETY: both have so many bytes.
                    unsafe { copy(to.as_mut_ptr().add(place), from.as_ptr().add(3), size) };
                    assert!(to[place..place + size] == from[3..3 + size], "{size} bytes to {place}");
                    assert!(to[..place].iter().chain(&to[place + size..]).all(|&byte| byte == 1));
                }
            }
        }
        let mut to = vec![0u8; 1024];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: both have so many bytes.
        unsafe {
            narrow(to.as_mut_ptr().add(5), from.as_ptr(), 896);
            assert_eq!(to[5..901], from[..896]);
        }
        to.clear();
    }
}
