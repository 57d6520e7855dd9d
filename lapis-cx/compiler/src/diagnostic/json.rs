//! Diagnostics for programs.
