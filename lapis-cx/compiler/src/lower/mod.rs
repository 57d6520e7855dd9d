//! The lowered core: what backends print. See [`ir`] for the model.

pub mod ir;

pub use ir::Program;
