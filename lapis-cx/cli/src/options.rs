//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Checks and builds .cxspec files: contracts of custom RISC-V instructions.
#[derive(Parser)]
#[command(name = "cxc", version, after_help = "Exit codes: 0 clean or warnings only, 1 findings, 2 could not run.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Check specs and write what the backends print
    Build(Build),
    /// Check specs: all examples, and all laws on edge cases and random vectors
    Check(Check),
    /// Write the `contract` line into each interface that has a literal uuid
    Freeze(Freeze),
    /// Explain a code such as CX0123, or list all codes
    Explain(Explain),
}

/// Options of `cxc build`.
#[derive(Args)]
pub struct Build {
    /// Specs to build
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// The folder to write into; it holds what the last build of each spec wrote
    #[arg(long, value_name = "DIR")]
    pub out_dir: PathBuf,
    /// Run only this backend; may be given again
    #[arg(long = "backend", value_name = "NAME")]
    pub backends: Vec<String>,
    /// Overwrite outputs that were edited since the last build
    #[arg(long)]
    pub force: bool,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// Options of `cxc check`.
#[derive(Args)]
pub struct Check {
    /// Specs to check
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// Random vectors for each law and register width
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub vectors: u32,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// Options of `cxc freeze`.
#[derive(Args)]
pub struct Freeze {
    /// The spec to write the lines into
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Write nothing; exit with 1 if a line is missing
    #[arg(long)]
    pub check: bool,
    /// Where imports are searched, and how findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// Options of `cxc explain`.
#[derive(Args)]
pub struct Explain {
    /// The code, as CX0123 or 123; without it, all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// What every command that reads specs takes.
#[derive(Args)]
pub struct Common {
    /// Search this folder for imports, after the folder of the spec; may be given again
    #[arg(short = 'I', long = "import-dir", value_name = "DIR")]
    pub search: Vec<PathBuf>,
    /// How findings are shown: for people on stderr, or as JSON lines on stdout
    #[arg(long, value_enum, default_value_t = MessageFormat::Human, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Do not say what was done, only what was found
    #[arg(short, long)]
    pub quiet: bool,
}

/// How findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text with source lines, on stderr
    Human,
    /// One JSON object on a line, on stdout
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
