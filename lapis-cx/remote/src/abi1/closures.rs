//! Closures that the other side can call during a call.
//!
//! The other side gets a number for a closure, never an address. A number is valid only on the thread that registered the closure, while it
//! is registered and does not run. So no peer can run a closure twice at once, on another thread, or after it was dropped.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The highest bit marks numbers of closures. No address in user space has it.
const MARK: usize = 1 << (usize::BITS - 1);

static NUMBERS: AtomicUsize = AtomicUsize::new(0);

struct Entry {
    number: usize,
    callback: u32,
    /// `None` while the closure runs.
    closure: Option<*mut c_void>,
}

thread_local! {
    static CLOSURES: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    /// The panic of a closure of this thread. The call during which it ran resumes it.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Keeps a closure registered until it is dropped.
#[derive(Debug)]
pub struct ClosureGuard {
    number: usize,
    /// Makes the type `!Send`, because the registration belongs to this thread.
    _thread: std::marker::PhantomData<*mut ()>,
}

/// Registers the closure behind a pointer as a function of this callback type.
///
/// # Safety
///
/// `closure` must point to the type that the caller of [`with_closure`] casts it to. It must stay valid, and must not be used otherwise,
/// until the result is dropped.
pub unsafe fn register_closure(callback: u32, closure: *mut c_void) -> ClosureGuard {
    let number = MARK | NUMBERS.fetch_add(1, Ordering::Relaxed);
    CLOSURES.with_borrow_mut(|all| all.push(Entry { number, callback, closure: Some(closure) }));
    ClosureGuard { number, _thread: std::marker::PhantomData }
}

impl ClosureGuard {
    /// Returns the number of the closure as a pointer, for the function and for its userdata.
    pub fn function(&self) -> *mut c_void {
        std::ptr::without_provenance_mut(self.number)
    }
}

impl Drop for ClosureGuard {
    fn drop(&mut self) {
        let _ = CLOSURES.try_with(|all| all.borrow_mut().retain(|one| one.number != self.number));
    }
}

/// Returns whether a function pointer is the number of a closure that is or was registered.
pub fn is_closure(function: *mut c_void) -> bool {
    function.addr() & MARK != 0
}

/// A running closure. Dropping it makes the closure callable again.
struct Running(usize, *mut c_void);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = CLOSURES.try_with(|all| {
            if let Some(one) = all.borrow_mut().iter_mut().find(|one| one.number == self.0) {
                one.closure = Some(self.1);
            }
        });
    }
}

/// Runs `run` with the closure of a number. Returns `None` if it is not registered for this callback type on this thread, if it is running,
/// or if `run` returns `None`.
pub fn with_closure(function: *mut c_void, callback: u32, run: impl FnOnce(*mut c_void) -> Option<()>) -> Option<()> {
    let closure = CLOSURES.with_borrow_mut(|all| {
        let is_it = |one: &&mut Entry| one.number == function.addr() && one.callback == callback;
        all.iter_mut().find(is_it).and_then(|one| one.closure.take())
    })?;
    let running = Running(function.addr(), closure);
    run(running.1)
}

/// Stores a panic for the enclosing call. Without a registered closure there is no such call, and the panic hook has reported it.
pub(super) fn keep_panic(panic: Box<dyn Any + Send>) {
    if CLOSURES.with_borrow(|all| !all.is_empty()) {
        PANIC.with_borrow_mut(|kept| *kept = Some(panic));
    }
}

/// Resumes a stored panic.
pub(super) fn resume_panic() {
    if let Some(panic) = PANIC.with_borrow_mut(Option::take) {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::{is_closure, register_closure, with_closure};

    /// The number of a closure gives no more rights than its owner granted.
    #[test]
    fn closure_number_is_valid_once_at_a_time_on_its_thread() {
        let mut count = 0;
        let at = (&raw mut count).cast();
        // SAFETY: `count` outlives the guard and is not used meanwhile.
        let one = unsafe { register_closure(3, at) };
        let function = one.function();
        assert!(is_closure(function) && !is_closure(at));
        let entered = with_closure(function, 3, |closure| {
            assert_eq!(closure, at);
            assert!(with_closure(function, 3, |_| Some(())).is_none(), "the closure is running");
            Some(())
        });
        assert!(entered.is_some() && with_closure(function, 3, |_| Some(())).is_some(), "the closure finished");
        assert!(with_closure(function, 4, |_| Some(())).is_none(), "another callback type");
        let number = function.addr();
        let elsewhere =
            std::thread::spawn(move || with_closure(std::ptr::without_provenance_mut(number), 3, |_| Some(())));
        assert!(elsewhere.join().is_ok_and(|found| found.is_none()), "another thread");
        drop(one);
        assert!(with_closure(function, 3, |_| Some(())).is_none(), "the guard was dropped");
    }
}
