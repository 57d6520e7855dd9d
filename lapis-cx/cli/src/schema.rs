//! `cxc schema`: prints the JSON schemas of what the command prints for programs.

use std::io;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::report::print;

/// Options of `cxc schema`.
#[derive(Args)]
pub struct Options {
    /// Which format
    #[arg(value_enum, value_name = "FORMAT")]
    pub format: Format,
}

/// The formats of our own. SARIF's schema is published by OASIS.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One line of `--message-format json`
    Diagnostics,
    /// The syntax tree of `cxc emit ast`
    Ast,
    /// The resolved model of `cxc emit contract`
    Contract,
    /// The lowered program of `cxc emit core`
    Core,
    /// The document of `cxc diff --format json`
    Diff,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let text = match options.format {
        Format::Diagnostics => include_str!("../schemas/diagnostics.schema.json"),
        Format::Ast => include_str!("../schemas/ast.schema.json"),
        Format::Contract => include_str!("../schemas/contract.schema.json"),
        Format::Core => include_str!("../schemas/core.schema.json"),
        Format::Diff => include_str!("../schemas/diff.schema.json"),
    };
    if print(&mut io::stdout(), text) { ExitCode::SUCCESS } else { ExitCode::from(2) }
}
