//! `cxc man`: writes the manual pages, one for the command and one for each subcommand.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use cxc_io::cannot_write;
use cxc_io::outputs::replace_beside;
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::source::SourceMap;

use crate::options::{Cli, Color};
use crate::report::Reporter;

/// Options of `cxc man`.
#[derive(Args)]
pub struct Options {
    /// The folder to write cxc.1, cxc-build.1, … into; pages of these names are replaced
    #[arg(long, value_name = "DIR")]
    pub out_dir: PathBuf,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let mut reporter = Reporter::for_people(Color::Auto);
    let failed = fs::create_dir_all(&options.out_dir).map_err(|error| cannot_write(&options.out_dir, error));
    if let Err(problem) = failed.and_then(|()| write(&options.out_dir)) {
        reporter.show(vec![problem], &SourceMap::new());
    }
    reporter.finish()
}

fn write(folder: &Path) -> Result<(), Diagnostic> {
    for (name, page) in pages() {
        let path = folder.join(name);
        let text = page.map_err(|error| cannot_write(&path, error))?;
        replace_beside(&path, &text).map_err(|error| cannot_write(&path, error))?;
    }
    Ok(())
}

/// Each page with the name of its file.
fn pages() -> Vec<(String, io::Result<String>)> {
    let mut cxc = Cli::command().disable_help_subcommand(true);
    // Gives each subcommand its display name, such as `cxc-build`.
    cxc.build();
    std::iter::once(&cxc).chain(cxc.get_subcommands()).map(page).collect()
}

fn page(command: &Command) -> (String, io::Result<String>) {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut roff = Vec::new();
    let rendered = Man::new(command.clone()).render(&mut roff);
    (format!("{name}.1"), rendered.map(|()| String::from_utf8_lossy(&roff).into_owned()))
}
