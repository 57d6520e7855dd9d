//! The grammar of `.cxspec` as a parser. It is a crate of its own as it seldom changes and takes long to compile.

#![allow(missing_docs)] // the derive writes an undocumented enum; its variants are the rules of the grammar

#[derive(pest_derive::Parser)]
#[grammar = "cxspec.pest"]
pub struct Grammar;
