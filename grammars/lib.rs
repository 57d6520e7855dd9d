//! The grammar of `.cxspec` as a parser. It is a crate of its own as it seldom changes and takes long to compile.
//!
//! `parser.rs` is what pest's derive makes of `cxspec.pest`. It is kept, so that whoever depends on this crate needs neither
//! the derive nor what that is made of; a test holds it against the grammar.

#![allow(missing_docs)] // pest documents no variant of `Rule`; they are the rules of the grammar
#![allow(clippy::all)]

pub struct Grammar;

include!("parser.rs");
