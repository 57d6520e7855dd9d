//! The lowered core: what backends print. See [`ir`] for the model.

pub mod ir;

pub use ir::Program;

/// Lowers.
pub fn lower(_contract: &crate::contract::Contract) -> Program {
    Program::default()
}
