//! Conversions between arguments in memory and Rust types.

use std::ffi::{CStr, c_char, c_void};

use super::Error;

/// Converts the value of an expression to a number of elements; `None` if it is negative or too large.
pub fn length(count: Option<i128>) -> Option<usize> {
    count.and_then(|count| usize::try_from(count).ok())
}

/// Checks that a slice of `has` elements has at least the number that the specification requires.
///
/// # Errors
///
/// [`Error::Argument`]: the slice is shorter, or the expression is not a number of elements.
pub fn fits(name: &'static str, has: usize, count: Option<i128>) -> Result<(), Error> {
    match length(count) {
        Some(count) if count <= has => Ok(()),
        _ => Err(Error::Argument(name)),
    }
}

/// Returns a pointer that the engine may read or write through.
pub fn expose<T>(at: *const T) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(at.expose_provenance())
}

fn is_good<T>(at: *mut c_void, count: usize) -> bool {
    let bytes = count.checked_mul(size_of::<T>());
    at.cast::<T>().is_aligned() && bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

/// Returns `count` elements as a slice, or `None` if the pointer is null or misaligned, or the size exceeds `isize::MAX`. With `count` 0
/// the pointer may be null.
///
/// # Safety
///
/// A non-null pointer must refer to `count` elements that stay valid and are not written while the result is used.
pub unsafe fn slice<'a, T>(at: *mut c_void, count: Option<usize>) -> Option<&'a [T]> {
    match count? {
        0 => Some(&[]),
        count if !at.is_null() && is_good::<T>(at, count) => {
            // SAFETY: the caller guarantees the elements; alignment and size were checked.
            Some(unsafe { std::slice::from_raw_parts(at.cast(), count) })
        }
        _ => None,
    }
}

/// Same as [`slice()`], for elements that are written.
///
/// # Safety
///
/// Same as [`slice()`], and nothing else may use the elements.
pub unsafe fn slice_mut<'a, T>(at: *mut c_void, count: Option<usize>) -> Option<&'a mut [T]> {
    match count? {
        0 => Some(&mut []),
        count if !at.is_null() && is_good::<T>(at, count) => {
            // SAFETY: the caller guarantees the elements; alignment and size were checked.
            Some(unsafe { std::slice::from_raw_parts_mut(at.cast(), count) })
        }
        _ => None,
    }
}

/// Returns a C string, or `None` if the pointer is null.
///
/// # Safety
///
/// A non-null pointer must refer to a terminated string that stays valid and is not written while the result is used.
pub unsafe fn string<'a>(at: *mut c_void) -> Option<&'a CStr> {
    // SAFETY: the caller guarantees a terminated string.
    (!at.is_null()).then(|| unsafe { CStr::from_ptr(at.cast::<c_char>()) })
}

/// The memory of an argument, and whether the function writes it.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    first: usize,
    end: usize,
    is_written: bool,
}

/// Makes the range of `count` elements; it is empty if the pointer is null.
pub fn range<T>(at: *mut c_void, count: Option<usize>, is_written: bool) -> Range {
    let count = if at.is_null() { 0 } else { count.unwrap_or(0) };
    let bytes = count.saturating_mul(size_of::<T>());
    Range { first: at.addr(), end: at.addr().saturating_add(bytes), is_written }
}

/// Returns `None` if a written range overlaps another range. A caller in C may pass the same memory twice, which Rust references must not
/// see.
pub fn are_disjoint(ranges: &[Range]) -> Option<()> {
    let meet = |one: &Range, other: &Range| one.first.max(other.first) < one.end.min(other.end);
    let pairs = ranges.iter().enumerate().flat_map(|(n, one)| ranges.iter().skip(n + 1).map(move |other| (one, other)));
    let mut overlaps = pairs.filter(|(one, other)| (one.is_written || other.is_written) && meet(one, other));
    overlaps.next().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::{are_disjoint, fits, range, slice};

    #[test]
    fn are_disjoint_written_overlap_returns_none() {
        let mut memory = [0u32; 8];
        let mut at = |n: usize| super::expose(&raw mut memory[n]);
        let (low, high) = (range::<u32>(at(0), Some(4), true), range::<u32>(at(4), Some(4), false));
        assert!(are_disjoint(&[low, high]).is_some());
        assert!(are_disjoint(&[low, range::<u32>(at(3), Some(1), false)]).is_none());
        assert!(are_disjoint(&[high, range::<u32>(at(5), Some(1), false)]).is_some(), "both are read");
        assert!(are_disjoint(&[low, range::<u32>(at(1), Some(0), false)]).is_some(), "the range is empty");
        assert!(are_disjoint(&[low, low]).is_none());
        let null = range::<u32>(std::ptr::null_mut(), Some(4), true);
        assert!(are_disjoint(&[null, null]).is_some());
    }

    #[test]
    fn slice_invalid_pointer_or_size_returns_none() {
        let memory = [1u32, 2];
        let at = super::expose(memory.as_ptr());
        // SAFETY: the pointers refer to the array, or are rejected before use.
        unsafe {
            assert_eq!(slice::<u32>(at, Some(2)), Some(&[1u32, 2][..]));
            assert_eq!(slice::<u32>(at.cast::<u8>().wrapping_add(1).cast(), Some(1)), None);
            assert_eq!(slice::<u32>(std::ptr::null_mut(), Some(1)), None);
            assert_eq!(slice::<u32>(std::ptr::null_mut(), Some(0)), Some(&[][..]));
            assert_eq!(slice::<u32>(at, Some(usize::MAX)), None);
            assert_eq!(slice::<u32>(at, None), None);
        }
        assert!(fits("a", 3, Some(3)).is_ok() && fits("a", 3, Some(4)).is_err() && fits("a", 3, Some(-1)).is_err());
    }
}
