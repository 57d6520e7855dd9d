//! Accesses numbers, pointers and bytes at an address.
//!
//! The engine represents addresses as integers. The plan describes the memory at each address. The author of the specification must ensure
//! that the plan describes the memory of the program and the library correctly. The engine never uses an address of the other process.

use std::ffi::c_char;
use std::ops::Range;

use crate::plan::Scalar;

/// Loads a C number, which need not be aligned.
///
/// # Safety
///
/// `address` must be valid for reading `scalar.bytes` bytes.
pub(crate) unsafe fn load(address: usize, scalar: Scalar) -> i128 {
    let mut bytes = [0u8; 16];
    // SAFETY: the caller guarantees the access; the local array has 16 bytes, and no number is larger.
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

/// Converts little-endian bytes to a number.
pub(crate) fn number(bytes: [u8; 16], scalar: Scalar) -> i128 {
    let bits = 128 - 8 * scalar.bytes.min(16) as u32;
    let value = i128::from_le_bytes(bytes);
    if bits >= 128 {
        0
    } else if scalar.is_signed || scalar.is_char && c_char::MIN != 0 {
        value << bits >> bits
    } else {
        (value.cast_unsigned() << bits >> bits).cast_signed()
    }
}

/// Stores the low `bytes` bytes of a number.
///
/// # Safety
///
/// `address` must be valid for writing `bytes` bytes.
pub(crate) unsafe fn store(address: usize, bytes: usize, value: i128) {
    let from = value.to_le_bytes();
    // SAFETY: the caller guarantees the access; the local array has 16 bytes, and no number is larger.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), address as *mut u8, bytes.min(16)) };
}

/// Loads a pointer.
///
/// # Safety
///
/// `address` must be valid for reading a pointer.
pub(crate) unsafe fn load_pointer(address: usize) -> usize {
    // SAFETY: the caller upholds the contract of this function.
    unsafe { (address as *const usize).read_unaligned() }
}

/// Stores a pointer.
///
/// # Safety
///
/// `address` must be valid for writing a pointer.
pub(crate) unsafe fn store_pointer(address: usize, value: usize) {
    // SAFETY: the caller upholds the contract of this function.
    unsafe { (address as *mut usize).write_unaligned(value) }
}

/// Returns memory as a slice.
///
/// # Safety
///
/// `address` must be valid for reading `count` bytes. The memory must not be written while the slice is in use.
pub(crate) unsafe fn bytes<'a>(address: usize, count: usize) -> &'a [u8] {
    // The address of an empty slice may be invalid, so it is not used.
    let at = if count == 0 { std::ptr::dangling() } else { address as *const u8 };
    // SAFETY: the caller upholds the contract of this function.
    unsafe { std::slice::from_raw_parts(at, count) }
}

/// Returns memory as a mutable slice.
///
/// # Safety
///
/// `address` must be valid for writing `count` bytes. The memory must not be accessed otherwise while the slice is in use.
pub(crate) unsafe fn bytes_mut<'a>(address: usize, count: usize) -> &'a mut [u8] {
    let at = if count == 0 { std::ptr::dangling_mut() } else { address as *mut u8 };
    // SAFETY: the caller upholds the contract of this function.
    unsafe { std::slice::from_raw_parts_mut(at, count) }
}

/// Stores `size` bytes. `read` fills them in pieces, given the offset of each piece. This function writes each piece only from the first to the
/// last byte that differs, so memory with the same contents may be constant.
///
/// # Errors
///
/// Fails if `read` fails.
///
/// # Safety
///
/// `address` must be valid for reading `size` bytes, and for writing the bytes that differ.
// Not inlined: calls of the engine nest, and would each have the buffer of this function on their stacks.
#[inline(never)]
pub(crate) unsafe fn store_changed<E>(
    address: usize,
    size: usize,
    mut read: impl FnMut(usize, &mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    // A piece is smaller than a page, so no constant page lies between bytes that differ.
    let mut piece = [0; 2048];
    for at in (0..size).step_by(piece.len()) {
        let piece = &mut piece[..(size - at).min(2048)];
        read(at, piece)?;
        // SAFETY: the caller upholds the contract of this function.
        let memory = unsafe { bytes(address + at, piece.len()) };
        if memory == piece {
            continue;
        }
        let differs = |(old, new): (&u8, &u8)| old != new;
        let first = memory.iter().zip(&*piece).position(differs);
        let last = memory.iter().zip(&*piece).rposition(differs);
        if let (Some(first), Some(last)) = (first, last) {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes_mut(address + at + first, last + 1 - first) }.copy_from_slice(&piece[first..=last]);
        }
    }
    Ok(())
}

/// Stores the numbers that differ from former contents of the same size. Elements have `stride` bytes; numbers have at most 8.
///
/// # Safety
///
/// `address` must be the address of as many bytes, which are writable where the contents differ.
pub(crate) unsafe fn store_differences(address: usize, stride: usize, new: &[u8], before: &[u8]) {
    /// Equal pieces of this size in bytes are skipped as a whole.
    const PIECE: usize = 2048;
    let size = 1 << stride.trailing_zeros().min(3);
    let pieces = new.chunks(PIECE).zip(before.chunks(PIECE)).enumerate();
    for (piece, (new, before)) in pieces.filter(|(_, (new, before))| new != before) {
        let numbers = new.chunks(size).zip(before.chunks(size)).enumerate();
        for (n, (new, _)) in numbers.filter(|(_, (new, before))| new != before) {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes_mut(address + piece * PIECE + n * size, new.len()) }.copy_from_slice(new);
        }
    }
}

/// Counts the elements up to and including the first element that begins with `last`. Stops at `limit`.
///
/// # Safety
///
/// The elements must be valid for reads up to and including the first element that begins with `last`, or up to `limit`.
pub(crate) unsafe fn scan(address: usize, stride: usize, scalar: Scalar, last: i128, limit: Option<u64>) -> u64 {
    let limit = limit.unwrap_or(u64::MAX);
    let mut count = 0;
    while count < limit {
        // SAFETY: the caller upholds the contract of this function.
        let value = unsafe { load(address.wrapping_add((count as usize).wrapping_mul(stride)), scalar) };
        count += 1;
        if is_end(value, scalar, last) {
            break;
        }
    }
    count
}

/// Returns whether a loaded element is equal to the end of its buffer. The end of floating-point numbers is 0, to which -0.0 is equal too.
pub(crate) fn is_end(value: i128, scalar: Scalar, end: i128) -> bool {
    value == end || scalar.is_float && value == -1 << (8 * scalar.bytes - 1)
}

/// Returns whether the process may read `size` bytes at `here`. Returns true if the kernel cannot check it.
pub(crate) fn is_readable(here: usize, size: usize) -> bool {
    const PAGE: usize = 4096;
    let mut at = here;
    while let Some(last) = here.checked_add(size)
        && at < last
    {
        // Reads one byte of each page, and the last byte.
        let mut pages = Vec::new();
        while at < last && pages.len() < 512 {
            pages.push(libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut(at), iov_len: 1 });
            at = (at / PAGE + 1) * PAGE;
        }
        let mut place = [0u8; 512];
        let to = libc::iovec { iov_base: place.as_mut_ptr().cast(), iov_len: pages.len() };
        // SAFETY: the kernel checks the source addresses, and `to` is a valid buffer.
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

/// Returns whether the page at `address` is writable. Returns true if `/proc/self/maps` does not list it.
pub(crate) fn is_writable(address: usize) -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let contains = |line: &&str| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).unwrap_or(0);
        range.is_some_and(|(start, end)| (number(start)..number(end)).contains(&address))
    };
    maps.lines().find(contains).and_then(|line| line.split(' ').nth(1)).is_none_or(|access| access.contains('w'))
}

/// Stores runs of `contents` at the same offsets from `to`. Returns false, without a signal, if the memory is not writable. If the kernel cannot
/// check that, stores the bytes anyway.
///
/// # Safety
///
/// For each of the `runs`, the caller must be allowed to write the memory from `to` if it is writable. The runs must be within `contents`.
pub(crate) unsafe fn store_runs(to: usize, contents: &[u8], runs: &[Range<usize>]) -> bool {
    for runs in runs.chunks(512) {
        let vector = |start: usize| -> Vec<libc::iovec> {
            let base = |run: &Range<usize>| std::ptr::with_exposed_provenance_mut(start + run.start);
            runs.iter().map(|run| libc::iovec { iov_base: base(run), iov_len: run.len() }).collect()
        };
        let (from, into) = (vector(contents.as_ptr().expose_provenance()), vector(to));
        let (count, size) = (runs.len() as u64, runs.iter().map(Range::len).sum::<usize>());
        // SAFETY: the kernel checks both lists of addresses.
        let stored = unsafe { libc::process_vm_writev(libc::getpid(), from.as_ptr(), count, into.as_ptr(), count, 0) };
        match usize::try_from(stored) {
            Ok(stored) if stored == size => {}
            Err(_) if std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT) => {
                for run in runs {
                    // SAFETY: the caller guarantees that it may write the memory. Only the kernel could check whether the memory is writable.
                    let into = unsafe { bytes_mut(to + run.start, run.len()) };
                    into.copy_from_slice(contents.get(run.clone()).unwrap_or_default());
                }
            }
            _ => return false,
        }
    }
    true
}

/// An unsigned byte.
pub(crate) const BYTE: Scalar = Scalar::unsigned(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_bytes_are_stored() {
        let new: Vec<u8> = (0..9000u32).map(|n| (n / 7) as u8).collect();
        for changed in [0..0, 5..6, 2000..2100, 0..9000, 8999..9000] {
            let mut memory = new.clone();
            memory[changed].iter_mut().for_each(|byte| *byte ^= 1);
            let read = |at: usize, piece: &mut [u8]| {
                piece.copy_from_slice(&new[at..at + piece.len()]);
                Ok::<(), ()>(())
            };
            // SAFETY: the vector has this size.
            assert_eq!(unsafe { store_changed(memory.as_mut_ptr() as usize, new.len(), read) }, Ok(()));
            assert!(memory == new);
        }
    }

    #[test]
    fn numbers_keep_their_sign() {
        for (bytes, is_signed, value) in
            [(1, true, -1), (2, false, 65535), (4, true, i128::from(i32::MIN)), (8, false, 1 << 63)]
        {
            let scalar = Scalar { is_signed, ..Scalar::unsigned(bytes) };
            let mut place = [0xaau8; 16];
            // SAFETY: the test only stores within `place`.
            unsafe { store(place.as_mut_ptr() as usize, bytes, value) };
            // SAFETY: the test only loads within `place`.
            assert_eq!(unsafe { load(place.as_ptr() as usize, scalar) }, value);
            assert!(place[bytes..].iter().all(|byte| *byte == 0xaa));
        }
    }
}
