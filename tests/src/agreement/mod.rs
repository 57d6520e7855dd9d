//! What commands do, asked of the oracle, of the lowered core and of generated code.

pub mod hart;
pub mod program;
pub mod rust;
pub mod vectors;
