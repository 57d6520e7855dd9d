//! The command line: the subcommands, and what several of them take. The options of one stand in its own file.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lapis_cx::diagnostic::shown::MOST_SHOWN;

use crate::{build, check, completions, diff, doc, emit, explain, fmt, freeze, man, new, plan, schema, watch};

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
    /// Start a spec that compiles, to be changed
    New(new::Options),
    /// Check specs and write what the backends print
    #[command(after_help = build::backends())]
    Build(build::Options),
    /// Check specs: all examples, and all laws on edge cases and random vectors
    Check(check::Options),
    /// Check or build again whenever a spec changes
    Watch(watch::Options),
    /// Put specs into the style of the language: blanks and line ends, nothing else
    Fmt(fmt::Options),
    /// Write the `contract` line into each interface that has a literal uuid
    Freeze(freeze::Options),
    /// Write documentation: a static site, Markdown or AsciiDoc
    Doc(doc::Options),
    /// Explain a code such as CX0123, or list all codes
    Explain(explain::Options),
    /// Compare two versions of specs, and say whom each change breaks
    Diff(diff::Options),
    /// Print what stands between two steps of the compiler, as JSON
    Emit(emit::Options),
    /// Show how calls of a library are marshalled: what is copied when, how much, for how long
    Plan(plan::Options),
    /// Print the JSON schema of a machine-readable format
    Schema(schema::Options),
    /// Print a completion script for a shell
    Completions(completions::Options),
    /// Write the manual pages
    Man(man::Options),
}

/// What every command that reads specs takes.
#[derive(Args, Clone)]
pub struct Common {
    /// Where imports are searched
    #[command(flatten)]
    pub imports: Imports,
    /// How findings are shown
    #[command(flatten)]
    pub shown: Shown,
}

/// How findings are shown.
#[derive(Args, Clone)]
pub struct Shown {
    /// How findings are shown: for people on stderr, for programs on stdout
    #[arg(long, value_enum, default_value_t = MessageFormat::Human, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// How many findings of one spec are shown to people, the most severe first; 0 for all
    #[arg(long, default_value_t = MOST_SHOWN, value_name = "N")]
    pub error_limit: usize,
    /// Show warnings and errors only: no notes, and not what was done; formats for programs keep the notes
    #[arg(short, long)]
    pub quiet: bool,
}

/// Where imports are searched.
#[derive(Args, Clone)]
pub struct Imports {
    /// Search this folder for imports, after the folder of the spec; may be given again
    #[arg(short = 'I', long = "import-dir", value_name = "DIR")]
    pub search: Vec<PathBuf>,
}

/// How findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text with source lines, on stderr
    Human,
    /// One JSON object on a line, on stdout; `cxc schema diagnostics` describes it
    Json,
    /// One SARIF 2.1.0 document for the whole run, on stdout
    Sarif,
    /// Workflow commands of GitHub Actions, on stdout
    Github,
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
