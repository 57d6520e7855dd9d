//! The oracle: what a contract means, computed exactly and without any lowering.
//!
//! [`eval`] runs the typed core, [`machine`] is one soft CX, [`examples`] and [`laws`] hold a contract to what it says
//! of itself. Backends are tested against [`machine`] on the inputs of [`vectors`].

pub mod eval;
#[cfg(test)]
mod eval_tests;
pub mod examples;
mod exec;
mod finding;
mod judge;
pub mod laws;
pub mod machine;
pub mod ops;
pub mod vectors;
pub mod verdict;

use crate::contract::Interface;
use crate::diagnostic::Diagnostic;
use crate::driver::Effort;

/// Runs all examples and tries all laws of an interface. Nothing found means that they hold, the laws as far as the
/// effort goes.
pub fn verify(interface: &Interface, effort: Effort) -> Vec<Diagnostic> {
    let mut found = examples::check(interface);
    found.extend(laws::check(interface, effort));
    found
}
