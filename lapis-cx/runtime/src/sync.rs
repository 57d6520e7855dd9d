//! What threads share is made of this: locks and atomics of the standard library, or, with `--cfg loom`, those of loom, which
//! tries the orders in which threads can take them (`tests/loom.rs`).
//!
//! Both have the same names, but loom makes its statics anew for each order that it tries, and has thread locals of its own, as
//! its threads are coroutines. So statics that change stand in [`shared!`], and this stands before all other modules.

#[cfg(loom)]
pub(crate) use loom::sync::{
    Mutex, RwLock,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Mutex, RwLock,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

/// Changes a thread local without a destructor, while others of the thread are dropped: it is still there. Not so loom's.
#[cfg(not(loom))]
pub(crate) fn at_end_of_thread<T>(local: &'static std::thread::LocalKey<T>, change: impl FnOnce(&T)) {
    local.with(change);
}
#[cfg(loom)]
pub(crate) fn at_end_of_thread<T>(local: &'static loom::thread::LocalKey<T>, change: impl FnOnce(&T)) {
    // After a model failed there are no threads any more.
    if !std::thread::panicking() {
        let _ = local.try_with(change);
    }
}

/// Statics that threads share.
#[cfg(not(loom))]
macro_rules! shared {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$attribute])* static $name: $type = $value;)*
    };
}
#[cfg(loom)]
macro_rules! shared {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        loom::lazy_static! { $($(#[$attribute])* static ref $name: $type = $value;)* }
    };
}

/// As the standard library's, which it stands in for.
#[cfg(loom)]
macro_rules! thread_local {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = const $value:block;)*) => {
        loom::thread_local! { $($(#[$attribute])* static $name: $type = $value;)* }
    };
}
