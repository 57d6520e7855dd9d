//! Random interfaces as source text: well typed, small, and the same for the same seed.
//!
//! [`item::generate`] makes a [`model::Spec`], [`print::print`] writes it under any [`names::Names`] and in any layout.
//! The typing rules are written here a second time ([`types`]); where they differ from the checker's, one of the two is
//! wrong, and a test says so.

#![allow(clippy::result_large_err)] // an error is the end of a search, and the spec in it the point

pub mod batch;
mod build;
mod command;
pub mod dice;
pub mod example;
mod expr;
mod generator;
pub mod item;
pub mod judge;
mod law;
pub mod model;
pub mod names;
pub mod print;
pub mod shrink;
mod stmt;
pub mod types;

use dice::Dice;
use judge::{Fault, Judged};
use model::Spec;
use names::Names;

/// The spec of a seed, with examples of which the oracle has said what they give.
///
/// # Errors
///
/// What is found in it, which should be nothing.
pub fn of_seed(seed: u64) -> Result<Spec, (Spec, Fault)> {
    complete(Dice::seeded(seed), format!("s{seed}"))
}

/// The spec of some choices.
///
/// # Errors
///
/// As [`of_seed`].
pub fn complete(mut dice: Dice, package: String) -> Result<Spec, (Spec, Fault)> {
    let later = Dice::seeded(dice.below(1 << 32));
    let mut spec = item::generate(dice, package);
    let text = print::print(&spec, &Names::plain(&spec), print::PLAIN);
    match judge::clean(&spec.package, &text, &[]) {
        Err(fault) => Err((spec, fault)),
        Ok(outcome) => {
            example::add(&mut spec, &outcome, &mut later.clone());
            Ok(spec)
        }
    }
}

/// Judges the spec of a seed.
///
/// # Errors
///
/// The spec, if there is one, and what is wrong with it.
pub fn try_seed(seed: u64) -> Result<(Spec, Judged), (Spec, Fault)> {
    let spec = of_seed(seed)?;
    match judge::judge(&spec, &mut Dice::seeded(seed)) {
        Ok(judged) => Ok((spec, judged)),
        Err(fault) => Err((spec, fault)),
    }
}
