//! The parser that pest derives from `grammars/cxspec.pest`.

#![allow(missing_docs)] // the derive writes an undocumented enum; its variants are the rules of the grammar

#[derive(pest_derive::Parser)]
#[grammar = "../../../grammars/cxspec.pest"]
pub struct Grammar;
