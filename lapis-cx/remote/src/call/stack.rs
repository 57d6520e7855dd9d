//! How much stack the calling thread has left: calls nested in callbacks use the stacks of both sides.

std::thread_local! {
    /// The lowest address of this thread's stack, once it was asked for.
    static LOWEST: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// How many bytes of stack this thread has left; `usize::MAX` if the system does not say.
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
    // SAFETY: attributes of this function, which are destroyed once they were filled.
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
