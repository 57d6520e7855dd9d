//! The oracle: what a contract means, computed exactly and without any lowering.
//!
//! [`eval`] runs the typed core, [`machine`] is one soft CX, [`examples`], [`laws`] and [`live`] hold a contract
//! to what it says of itself. Backends are tested against [`machine`] on the inputs of [`vectors`].

pub mod eval;
#[cfg(test)]
mod eval_tests;
pub mod examples;
mod exec;
mod finding;
mod judge;
pub use judge::show;
pub mod laws;
pub mod live;
pub mod machine;
#[cfg(test)]
mod machine_tests;
pub mod ops;
pub mod routine;
pub mod vectors;
pub mod verdict;
