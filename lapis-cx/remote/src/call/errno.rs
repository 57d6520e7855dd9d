//! The `errno` of the thread.

pub(crate) fn get() -> i32 {
    // SAFETY: the C library returns a valid pointer to the thread's `errno`.
    unsafe { *libc::__errno_location() }
}

pub(crate) fn set(value: i32) {
    // SAFETY: the C library returns a valid pointer to the thread's `errno`.
    unsafe { *libc::__errno_location() = value };
}
