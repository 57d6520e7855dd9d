//! Closures that a call lends to the other side.
//!
//! The other side gets a number for one, never an address. A number is found on the thread that lends it only, while it is lent and
//! while the closure does not run: so no peer makes a closure run twice at once, on another thread, or after it is gone.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Numbers have the highest bit, which no address of a process has.
const MARK: usize = 1 << (usize::BITS - 1);

static NUMBERS: AtomicUsize = AtomicUsize::new(0);

struct Entry {
    number: usize,
    callback: u32,
    /// None while it runs.
    closure: Option<*mut c_void>,
}

thread_local! {
    static LENT: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    /// A closure of this thread panicked: the call around it goes on with that when it is over.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// A closure is lent as long as this is there.
#[derive(Debug)]
pub struct Lent {
    number: usize,
    /// It belongs to this thread.
    _thread: std::marker::PhantomData<*mut ()>,
}

/// Lends the closure behind a pointer, as a function of this callback.
///
/// # Safety
///
/// The pointer is to what [`lent`] takes it for, for as long as the result is there, and nobody uses that meanwhile.
pub unsafe fn lend(callback: u32, closure: *mut c_void) -> Lent {
    let number = MARK | NUMBERS.fetch_add(1, Ordering::Relaxed);
    LENT.with_borrow_mut(|all| all.push(Entry { number, callback, closure: Some(closure) }));
    Lent { number, _thread: std::marker::PhantomData }
}

impl Lent {
    /// What stands for the function, and for its userdata.
    pub fn function(&self) -> *mut c_void {
        std::ptr::without_provenance_mut(self.number)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let _ = LENT.try_with(|all| all.borrow_mut().retain(|one| one.number != self.number));
    }
}

/// Whether a function is a closure that is lent, or was.
pub fn is_lent(function: *mut c_void) -> bool {
    function.addr() & MARK != 0
}

/// A closure that runs: it is given back at the end.
struct Running(usize, *mut c_void);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = LENT.try_with(|all| {
            if let Some(one) = all.borrow_mut().iter_mut().find(|one| one.number == self.0) {
                one.closure = Some(self.1);
            }
        });
    }
}

/// Does something with a closure that was lent for this callback; `None` if it cannot be used now.
pub fn lent(function: *mut c_void, callback: u32, run: impl FnOnce(*mut c_void) -> Option<()>) -> Option<()> {
    let closure = LENT.with_borrow_mut(|all| {
        let is_it = |one: &&mut Entry| one.number == function.addr() && one.callback == callback;
        all.iter_mut().find(is_it).and_then(|one| one.closure.take())
    })?;
    let running = Running(function.addr(), closure);
    run(running.1)
}

/// Keeps a panic for the call around. On a thread that lends nothing there is none: its hook has said all.
pub(super) fn keep(panic: Box<dyn Any + Send>) {
    if LENT.with_borrow(|all| !all.is_empty()) {
        PANIC.with_borrow_mut(|kept| *kept = Some(panic));
    }
}

/// Goes on with a panic that was kept.
pub(super) fn resume() {
    if let Some(panic) = PANIC.with_borrow_mut(Option::take) {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::{is_lent, lend, lent};

    /// Whoever has the number of a closure can do no more with it than the one who lent it means.
    #[test]
    fn a_closure_runs_once_at_a_time_and_on_its_own_thread() {
        let mut count = 0;
        let at = (&raw mut count).cast();
        // SAFETY: nobody else uses the number.
        let one = unsafe { lend(3, at) };
        let function = one.function();
        assert!(is_lent(function) && !is_lent(at));
        let entered = lent(function, 3, |closure| {
            assert_eq!(closure, at);
            assert!(lent(function, 3, |_| Some(())).is_none(), "it runs");
            Some(())
        });
        assert!(entered.is_some() && lent(function, 3, |_| Some(())).is_some(), "it was given back");
        assert!(lent(function, 4, |_| Some(())).is_none(), "it is of another type");
        let number = function.addr();
        let elsewhere = std::thread::spawn(move || lent(std::ptr::without_provenance_mut(number), 3, |_| Some(())));
        assert!(elsewhere.join().is_ok_and(|found| found.is_none()), "it is of another thread");
        drop(one);
        assert!(lent(function, 3, |_| Some(())).is_none(), "it is over");
    }
}
