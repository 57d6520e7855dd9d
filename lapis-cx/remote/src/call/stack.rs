//! Measures the remaining stack of the calling thread. Calls nested in callbacks use the stacks of both sides.

use std::cell::Cell;

std::thread_local! {
    /// The lowest address of this thread's stack and the address behind it. Both are 0 if they are unknown, `usize::MAX` before the first query.
    static BOUNDS: Cell<(usize, usize)> = const { Cell::new((usize::MAX, usize::MAX)) };
}

fn bounds() -> (usize, usize) {
    if BOUNDS.get().0 == usize::MAX {
        BOUNDS.set(bounds_of_stack().unwrap_or_default());
    }
    BOUNDS.get()
}

/// Returns whether the current frame is on the stack of the thread, not on one that the program allocated.
pub(super) fn is_own() -> bool {
    let mark = 0u8;
    let (lowest, end) = bounds();
    (lowest..end).contains(&(&raw const mark).addr())
}

/// Returns the remaining bytes of this thread's stack, or `usize::MAX` if the system does not report them.
pub(crate) fn stack_left() -> usize {
    let mark = 0u8;
    let here = (&raw const mark).addr();
    let lowest = bounds().0;
    if lowest == 0 { usize::MAX } else { here.saturating_sub(lowest) }
}

fn bounds_of_stack() -> Option<(usize, usize)> {
    // SAFETY: all pointers refer to locals. `pthread_getattr_np` fills the attributes before they are read and destroyed.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return None;
        }
        let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
        let failed = libc::pthread_attr_getstack(&raw const attributes, &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        (failed == 0).then_some((lowest.addr(), lowest.addr() + size))
    }
}
