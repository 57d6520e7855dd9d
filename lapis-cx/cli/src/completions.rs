//! `cxc completions`: prints the completion script of a shell.

use std::io;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::options::Cli;
use crate::report::print;

/// Options of `cxc completions`.
#[derive(Args)]
pub struct Options {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let mut script = Vec::new();
    generate(options.shell, &mut Cli::command(), "cxc", &mut script);
    let printed = print(&mut io::stdout(), &String::from_utf8_lossy(&script));
    ExitCode::from(if printed { 0 } else { 2 })
}
