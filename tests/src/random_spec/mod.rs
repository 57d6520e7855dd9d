//! Random interfaces as source text: well typed, small, and the same for the same seed.
//!
//! [`item::generate`] makes a [`model::Spec`], [`print::print`] writes it under any [`names::Names`] and in any layout.
//! The typing rules are written here a second time ([`types`]); where they differ from the checker's, one of the two is
//! wrong, and a test says so.

mod build;
pub mod dice;
mod expr;
mod generator;
pub mod item;
pub mod model;
pub mod names;
pub mod print;
mod stmt;
pub mod types;
