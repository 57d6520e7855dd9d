//! Measures the remaining stack of the calling thread. Calls nested in callbacks use the stacks of both sides.

std::thread_local! {
    /// The lowest address of this thread's stack, or `usize::MAX` before the first query.
    static LOWEST: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// Returns the remaining bytes of this thread's stack, or `usize::MAX` if the system does not report them.
pub(crate) fn stack_left() -> usize {
    let mark = 0u8;
    let here = (&raw const mark).addr();
    let lowest = match LOWEST.get() {
        usize::MAX => lowest_of_stack().unwrap_or(0),
        known => known,
    };
    LOWEST.set(lowest);
    if lowest == 0 { usize::MAX } else { here.saturating_sub(lowest) }
}

fn lowest_of_stack() -> Option<usize> {
    // SAFETY: all pointers refer to locals. `pthread_getattr_np` fills the attributes before they are read and destroyed.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return None;
        }
        let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
        let failed = libc::pthread_attr_getstack(&raw const attributes, &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        (failed == 0).then_some(lowest.addr())
    }
}
