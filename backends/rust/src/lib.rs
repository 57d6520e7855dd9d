//! Prints Rust: for each interface one module with a trait, the guard that issues commands to the selected CX, the one of
//! a device of overloadable opcodes, and the software fallback.
//!
//! The code is Rust 2021 and 2024 without `std`, heap or `unsafe`. It leans on `lapis-cx-core` and on nothing else.

mod bodies;
mod body;
mod common;
pub mod csr;
mod docs;
mod expr;
mod guard;
mod helper;
pub mod method;
mod mutable;
pub mod naming;
mod print;
mod section;
mod software;
mod state;
mod stmt;
mod tokens;
mod unit;
pub mod usage;
pub mod xcmd;

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input, Usage};
use lapis_cx::contract::{Contract, Interface};

use print::Writer;

/// The Rust backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rust;

impl Backend for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn about(&self) -> &'static str {
        "Rust modules (editions 2021 and 2024, no_std): a trait, a guard over one instruction a command, and a fallback"
    }

    fn capabilities(&self) -> Capabilities {
        // Wide values are loops over limbs: any width of the language, and of exact results of its operators, prints.
        Capabilities { max_width: 1024, ..Capabilities::ALL }
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        naming::derive(contract)
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        files(input, Writer::default()).map_err(|message| EmitError { backend: self.name(), message })
    }

    fn usage(&self, interface: &Interface) -> Option<Usage> {
        usage::usage(interface)
    }
}

/// Prints the files, and compares each with the tokens that it was printed from. For tests: the printer decides about
/// layout only.
///
/// # Errors
/// The first place where a file does not say what its tokens say.
pub fn verify(input: Input<'_>) -> Result<Vec<File>, String> {
    files(input, Writer::verified())
}

fn files(input: Input<'_>, mut out: Writer) -> Result<Vec<File>, String> {
    let file = |(interface, lowered)| {
        section::file(&mut out, interface, lowered);
        Ok(File { path: naming::file(interface), text: out.finish()? })
    };
    input.interfaces().map(file).collect()
}
