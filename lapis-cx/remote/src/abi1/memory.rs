//! Arguments in memory as Rust has them.

use std::ffi::{CStr, c_char, c_void};

use super::Error;

/// The number of elements that an expression says; none if there can be no so many.
pub fn length(count: Option<i128>) -> Option<usize> {
    count.and_then(|count| usize::try_from(count).ok())
}

/// Whether a slice has as many elements as the specification says of this argument. One that is longer is fine.
///
/// # Errors
///
/// It has less, or what the specification says is no number of elements.
pub fn fits(name: &'static str, has: usize, count: Option<i128>) -> Result<(), Error> {
    match length(count) {
        Some(count) if count <= has => Ok(()),
        _ => Err(Error::Argument(name)),
    }
}

/// A pointer for the other side to read or write through.
pub fn give<T>(at: *const T) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(at.expose_provenance())
}

fn is_good<T>(at: *mut c_void, count: usize) -> bool {
    let bytes = count.checked_mul(size_of::<T>());
    at.cast::<T>().is_aligned() && bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

/// Elements behind a pointer; `None` if there can be none. No elements need no memory.
///
/// # Safety
///
/// Behind a pointer that is not null are so many elements, for as long as the result is there, and nobody writes them.
pub unsafe fn slice<'a, T>(at: *mut c_void, count: Option<usize>) -> Option<&'a [T]> {
    match count? {
        0 => Some(&[]),
        count if !at.is_null() && is_good::<T>(at, count) => {
            // SAFETY: as the caller says; alignment and size are checked.
            Some(unsafe { std::slice::from_raw_parts(at.cast(), count) })
        }
        _ => None,
    }
}

/// The same, to be written.
///
/// # Safety
///
/// As [`slice()`]; and nobody else uses them.
pub unsafe fn slice_mut<'a, T>(at: *mut c_void, count: Option<usize>) -> Option<&'a mut [T]> {
    match count? {
        0 => Some(&mut []),
        count if !at.is_null() && is_good::<T>(at, count) => {
            // SAFETY: as the caller says; alignment and size are checked.
            Some(unsafe { std::slice::from_raw_parts_mut(at.cast(), count) })
        }
        _ => None,
    }
}

/// A text of C.
///
/// # Safety
///
/// A pointer that is not null is to a text that ends, for as long as the result is there, and nobody writes it.
pub unsafe fn string<'a>(at: *mut c_void) -> Option<&'a CStr> {
    // SAFETY: as the caller says.
    (!at.is_null()).then(|| unsafe { CStr::from_ptr(at.cast::<c_char>()) })
}

/// Where elements lie, and whether they are written.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    first: usize,
    behind: usize,
    is_written: bool,
}

/// So many elements; none behind null.
pub fn range<T>(at: *mut c_void, count: Option<usize>, is_written: bool) -> Range {
    let count = if at.is_null() { 0 } else { count.unwrap_or(0) };
    let bytes = count.saturating_mul(size_of::<T>());
    Range { first: at.addr(), behind: at.addr().saturating_add(bytes), is_written }
}

/// Whether what is written lies apart from all else: a caller may pass the same memory twice, and Rust must not see that.
pub fn are_apart(ranges: &[Range]) -> Option<()> {
    let meet = |one: &Range, other: &Range| one.first.max(other.first) < one.behind.min(other.behind);
    let pairs = ranges.iter().enumerate().flat_map(|(n, one)| ranges.iter().skip(n + 1).map(move |other| (one, other)));
    let mut clashes = pairs.filter(|(one, other)| (one.is_written || other.is_written) && meet(one, other));
    clashes.next().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::{are_apart, fits, range, slice};

    #[test]
    fn what_is_written_lies_apart() {
        let mut memory = [0u32; 8];
        let mut at = |n: usize| super::give(&raw mut memory[n]);
        let (low, high) = (range::<u32>(at(0), Some(4), true), range::<u32>(at(4), Some(4), false));
        assert!(are_apart(&[low, high]).is_some());
        assert!(are_apart(&[low, range::<u32>(at(3), Some(1), false)]).is_none());
        assert!(are_apart(&[high, range::<u32>(at(5), Some(1), false)]).is_some(), "both are read");
        assert!(are_apart(&[low, range::<u32>(at(1), Some(0), false)]).is_some(), "there is nothing");
        assert!(are_apart(&[low, low]).is_none());
        let null = range::<u32>(std::ptr::null_mut(), Some(4), true);
        assert!(are_apart(&[null, null]).is_some());
    }

    #[test]
    fn no_slice_is_made_of_what_is_none() {
        let memory = [1u32, 2];
        let at = super::give(memory.as_ptr());
        // SAFETY: pointers into an array, or such as are not followed.
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
