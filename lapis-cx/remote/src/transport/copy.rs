//! Copies between private memory and memory that another process can change at the same time.
//!
//! The other process is not a thread of this program, so the compiler must neither read twice nor drop a copy. Small copies are volatile;
//! large copies are assembly, which the compiler does not analyse.

/// An unaligned number. The compiler splits volatile accesses to byte arrays into single bytes, but not these.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Any<T>(T);

/// Copies the bytes from `$at` to `$size`, in units of 8, 4, 2 and 1 bytes.
macro_rules! few {
    ($to:ident, $from:ident, $at:ident..$size:ident, $read:ident, $write:ident) => {{
        macro_rules! copy {
            ($type:ty) => {{
                // SAFETY: the caller guarantees `$size` bytes on both sides, and this access ends before `$size`.
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

/// Prefetches the cache line at an address for writing.
#[inline]
pub(crate) fn prefetch_to_write(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch does not access memory and cannot fault.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// The block size of large copies, in bytes.
#[cfg(target_arch = "x86_64")]
const LARGE: usize = 128;

/// Copies `size` bytes out of shared memory.
///
/// # Safety
///
/// `from` must be the address of `size` mapped bytes, and `to` of `size` bytes that only this thread uses.
#[inline]
pub(crate) unsafe fn from_shared(to: *mut u8, from: *const u8, size: usize) {
    let mut at = 0;
    #[cfg(target_arch = "x86_64")]
    if size >= LARGE {
        at = size & !(LARGE - 1);
        // SAFETY: the caller guarantees both ranges.
        unsafe { blocks(to, from, at) };
    }
    few!(to, from, at..size, read_volatile, write);
}

/// Copies `size` bytes into shared memory.
///
/// # Safety
///
/// `to` must be the address of `size` mapped bytes, and `from` of `size` bytes that do not change during the call.
#[inline]
pub(crate) unsafe fn to_shared(to: *mut u8, from: *const u8, size: usize) {
    let mut at = 0;
    #[cfg(target_arch = "x86_64")]
    if size >= LARGE {
        at = size & !(LARGE - 1);
        // SAFETY: the caller guarantees both ranges.
        unsafe { blocks(to, from, at) };
    }
    few!(to, from, at..size, read, write_volatile);
}

/// Copies whole blocks. `rep movsb` is short and as fast as vector instructions, except on processors that drop from 50 to 3 GB/s if `to`
/// is less than a cache line ahead of `from` within a page. Vector loops handle that case.
///
/// # Safety
///
/// `from` and `to` must be the addresses of `size` mapped bytes that do not overlap. `size` must be a positive multiple of [`LARGE`].
#[cfg(target_arch = "x86_64")]
unsafe fn blocks(to: *mut u8, from: *const u8, size: usize) {
    let ahead = to.addr().wrapping_sub(from.addr()) % 4096;
    // SAFETY: the caller guarantees both ranges. The ABI guarantees that the direction flag is clear.
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
/// Same contract as `blocks`. The processor must have AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn wide(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: the caller guarantees both ranges.
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
/// Same contract as `blocks`.
#[cfg(target_arch = "x86_64")]
unsafe fn narrow(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: the caller guarantees both ranges.
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

    /// Copies all bytes and no others, at each distance from the source and for sizes around the block size.
    #[test]
    fn copy_of_any_size_and_distance_writes_exactly_its_bytes() {
        let from: Vec<u8> = (0..9000u32).map(|n| (n * 7 + n / 256) as u8).collect();
        for size in (0..18).chain([127, 128, 129, 255, 256, 500, 4096, 4103]) {
            for start in (0..130).chain([4000, 4095]) {
                for copy in [from_shared, to_shared] {
                    let mut to = vec![1u8; 9000];
                    // SAFETY: both buffers are longer than the copy.
                    unsafe { copy(to.as_mut_ptr().add(start), from.as_ptr().add(3), size) };
                    assert!(to[start..start + size] == from[3..3 + size], "{size} bytes to offset {start}");
                    assert!(to[..start].iter().chain(&to[start + size..]).all(|&byte| byte == 1));
                }
            }
        }
        let mut to = vec![0u8; 1024];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: both buffers are longer than the copy.
        unsafe {
            narrow(to.as_mut_ptr().add(5), from.as_ptr(), 896);
            assert_eq!(to[5..901], from[..896]);
        }
        to.clear();
    }
}
