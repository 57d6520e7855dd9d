//! The lowered program.

/// The lowered program of a contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {}
