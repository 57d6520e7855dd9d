//! The `.cxspec` compiler.
