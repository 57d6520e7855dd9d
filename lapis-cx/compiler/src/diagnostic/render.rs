//! Diagnostics for people.
