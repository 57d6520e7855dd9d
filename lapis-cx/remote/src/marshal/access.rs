//! Access to numbers, pointers and bytes at an address.
//!
//! Addresses are numbers in the engine. The plan says what lies at one; the author of the specification is responsible for that being
//! right about the memory of the program and of the library. An address never comes from the other process.

use crate::plan::Scalar;

/// A number of C at an address, which need not be aligned.
///
/// # Safety
///
/// So many bytes can be read there.
pub(crate) unsafe fn load(address: usize, scalar: Scalar) -> i128 {
    let mut bytes = [0u8; 16];
    // SAFETY: as the caller says; a number has 16 bytes at most.
    unsafe {
        match (scalar.bytes, scalar.is_signed) {
            (4, false) => return i128::from((address as *const u32).read_unaligned()),
            (4, true) => return i128::from((address as *const i32).read_unaligned()),
            (8, false) => return i128::from((address as *const u64).read_unaligned()),
            (8, true) => return i128::from((address as *const i64).read_unaligned()),
            _ => std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), scalar.bytes.min(16)),
        }
    }
    number(bytes, scalar)
}

/// Little-endian bytes as a number.
pub(crate) fn number(bytes: [u8; 16], scalar: Scalar) -> i128 {
    let bits = 128 - 8 * scalar.bytes.min(16) as u32;
    let value = i128::from_le_bytes(bytes);
    if bits >= 128 {
        0
    } else if scalar.is_signed {
        value << bits >> bits
    } else {
        (value.cast_unsigned() << bits >> bits).cast_signed()
    }
}

/// Stores a number; what does not fit is cut off.
///
/// # Safety
///
/// So many bytes can be written there.
pub(crate) unsafe fn store(address: usize, bytes: usize, value: i128) {
    let from = value.to_le_bytes();
    // SAFETY: as the caller says; a number has 16 bytes at most.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), address as *mut u8, bytes.min(16)) };
}

/// # Safety
///
/// A pointer can be read there.
pub(crate) unsafe fn load_pointer(address: usize) -> usize {
    // SAFETY: as the caller says.
    unsafe { (address as *const usize).read_unaligned() }
}

/// # Safety
///
/// A pointer can be written there.
pub(crate) unsafe fn store_pointer(address: usize, value: usize) {
    // SAFETY: as the caller says.
    unsafe { (address as *mut usize).write_unaligned(value) }
}

/// Memory as bytes.
///
/// # Safety
///
/// So many bytes can be read there, and nobody writes them while the slice is in use.
pub(crate) unsafe fn bytes<'a>(address: usize, count: usize) -> &'a [u8] {
    // A pointer to nothing need not point anywhere.
    let at = if count == 0 { std::ptr::dangling() } else { address as *const u8 };
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(at, count) }
}

/// Memory as bytes to be written.
///
/// # Safety
///
/// So many bytes can be written there, and nobody else uses them while the slice is in use.
pub(crate) unsafe fn bytes_mut<'a>(address: usize, count: usize) -> &'a mut [u8] {
    let at = if count == 0 { std::ptr::dangling_mut() } else { address as *mut u8 };
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts_mut(at, count) }
}

/// How many elements there are up to the first one that begins with `last`; `limit` without one.
///
/// # Safety
///
/// Elements can be read up to that one, or so many.
pub(crate) unsafe fn scan(address: usize, stride: usize, scalar: Scalar, last: i128, limit: Option<u64>) -> u64 {
    let limit = limit.unwrap_or(u64::MAX);
    let mut count = 0;
    while count < limit {
        // SAFETY: as the caller says.
        let value = unsafe { load(address.wrapping_add((count as usize).wrapping_mul(stride)), scalar) };
        count += 1;
        if value == last {
            break;
        }
    }
    count
}

/// Whether the process may read `size` bytes at `here`. True if the kernel cannot say.
pub(crate) fn is_readable(here: usize, size: usize) -> bool {
    const PAGE: usize = 4096;
    let mut at = here;
    while let Some(last) = here.checked_add(size)
        && at < last
    {
        // One byte of each page, and the last one.
        let mut pages = Vec::new();
        while at < last && pages.len() < 512 {
            pages.push(libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut(at), iov_len: 1 });
            at = (at / PAGE + 1) * PAGE;
        }
        let mut place = [0u8; 512];
        let to = libc::iovec { iov_base: place.as_mut_ptr().cast(), iov_len: pages.len() };
        // SAFETY: the kernel looks whether it can be read, and there is room for it.
        let read =
            unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, pages.as_ptr(), pages.len() as u64, 0) };
        match usize::try_from(read) {
            Ok(read) if read < pages.len() => return false,
            Ok(_) => {}
            Err(_) => return std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT),
        }
    }
    true
}

/// One byte without a sign.
pub(crate) const BYTE: Scalar = Scalar { bytes: 1, is_signed: false, is_float: false };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_sign() {
        for (bytes, is_signed, value) in
            [(1, true, -1), (2, false, 65535), (4, true, i128::from(i32::MIN)), (8, false, 1 << 63)]
        {
            let scalar = Scalar { bytes, is_signed, is_float: false };
            let mut place = [0xaau8; 16];
            // SAFETY: within `place`.
            unsafe { store(place.as_mut_ptr() as usize, bytes, value) };
            // SAFETY: as above.
            assert_eq!(unsafe { load(place.as_ptr() as usize, scalar) }, value);
            assert!(place[bytes..].iter().all(|byte| *byte == 0xaa));
        }
    }
}
