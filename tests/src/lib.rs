//! Shared helpers of the tests that cross crates: specs compiled in memory, and C compilers.

#![allow(clippy::panic)] // a test that cannot go on says why and stops

pub mod agreement;
pub mod cc;
pub mod layout;
pub mod random_spec;
pub mod rust;
pub mod spec;
pub mod survive;

/// Whether the long variants of the tests were asked for (`tests/run --long`).
pub fn long() -> bool {
    std::env::var_os("CX_LONG").is_some_and(|v| v == "1")
}
