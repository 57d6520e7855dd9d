//! The stages of a compilation as JSON, for other programs: the tree of a file, its contract, and the lowered core.
//!
//! Each document says its stage and the version of its form. The version changes when a reader of the old one could go
//! wrong; members may be added without. Integers of any size, and words of 64 bits, are decimal strings. The schemas are
//! made from these types; `cxc schema` prints them.

pub mod ast;

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::Contract;
use crate::lower::{ir, lower};
use crate::syntax::Tree;

/// What stands between two steps of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The syntax tree of the file, lossless.
    Ast,
    /// The resolved model.
    Contract,
    /// The lowered program.
    Core,
}

/// All stages, in the order in which they arise.
pub const STAGES: [Stage; 3] = [Stage::Ast, Stage::Contract, Stage::Core];

impl Stage {
    /// As the command line and the documents say it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Ast => "ast",
            Stage::Contract => "contract",
            Stage::Core => "core",
        }
    }
}

/// The version of all documents so far.
const VERSION: u32 = 1;

/// `cxc emit ast`: the syntax tree of one file. The texts of its leaves, in order, are the file, byte for byte.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Syntax tree")]
pub struct AstDocument<'a> {
    /// `ast`
    stage: Stage,
    /// Version of this form: 1.
    version: u32,
    /// The node `file`.
    root: ast::AstNode<'a>,
}

/// `cxc emit contract`: what one file defines, with names resolved, types known and constants folded.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Contract")]
pub struct ContractDocument<'a> {
    /// `contract`
    stage: Stage,
    /// Version of this form: 1.
    version: u32,
    /// The resolved model.
    contract: &'a Contract,
}

/// `cxc emit core`: the lowered program, whose arithmetic is on words of 32 and 64 bits.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Lowered core")]
pub struct CoreDocument<'a> {
    /// `core`
    stage: Stage,
    /// Version of this form: 1.
    version: u32,
    /// The package of the file, dotted.
    package: &'a str,
    /// One for each interface of the contract, in the same order.
    interfaces: Vec<CoreInterface<'a>>,
}

/// A lowered interface with its name.
#[derive(Serialize, JsonSchema)]
struct CoreInterface<'a> {
    /// Its name in the package.
    name: &'a str,
    /// One for each XLEN, ascending; none for an abstract interface.
    sections: Vec<ir::Section>,
}

/// The tree of a file as one line of JSON, as it is large. It may be broken: see [`Tree`].
pub fn ast(tree: &Tree) -> String {
    let document = AstDocument { stage: Stage::Ast, version: VERSION, root: ast::AstNode::new(tree.root()) };
    // Strings, numbers and lists only, here and below: this cannot fail.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

/// A contract as indented JSON.
pub fn contract(contract: &Contract) -> String {
    let document = ContractDocument { stage: Stage::Contract, version: VERSION, contract };
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// The lowered core of a contract as indented JSON.
pub fn core(contract: &Contract) -> String {
    let names = contract.interfaces().map(|interface| interface.name.as_str());
    let lowered = lower(contract).interfaces.into_iter();
    let interfaces = names.zip(lowered).map(|(name, lowered)| CoreInterface { name, sections: lowered.sections });
    let document = CoreDocument {
        stage: Stage::Core,
        version: VERSION,
        package: &contract.package,
        interfaces: interfaces.collect(),
    };
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
