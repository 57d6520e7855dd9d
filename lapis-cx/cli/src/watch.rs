//! `cxc watch`: checks or builds again whenever something that is read changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use clap::Args;
use cxc_io::{cannot_read, read_spec, roots};
use lapis_cx::contract::identity::sha256_hex;
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::source::SourceMap;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::options::Common;
use crate::report::{Reporter, count};
use crate::{build, check};

/// Options of `cxc watch`.
#[derive(Args)]
#[group(id = "watch")]
pub struct Options {
    /// What is checked
    #[command(flatten)]
    pub check: check::Options,
    /// Build into this folder, as `cxc build` does, instead of checking
    #[arg(long, value_name = "DIR", conflicts_with = "vectors")]
    pub out_dir: Option<PathBuf>,
    /// Build with this backend only; may be given again
    #[arg(long = "backend", value_name = "NAME", requires = "out_dir")]
    pub backends: Vec<String>,
    /// Set an option of a backend, as in `asm.r-opcode=0x6B`; may be given again
    #[arg(long = "option", value_name = "BACKEND.KEY=VALUE", requires = "out_dir")]
    pub options: Vec<String>,
    /// Clear the terminal before each round
    #[arg(long)]
    pub clear: bool,
}

/// Changes that come within this time are one: an editor that saves a file writes, renames and deletes.
const QUIET: Duration = Duration::from_millis(50);

/// Changes that do not end, of other files beside the specs, hold up a round so many times.
const MOST_CHANGES: usize = 100;

/// Runs it, until it is ended from outside.
pub fn run(options: &Options) -> ExitCode {
    let (sender, changes) = channel();
    let config = Config::default().with_follow_symlinks(false);
    let mut watched = match RecommendedWatcher::new(sender, config) {
        Ok(watcher) => Watched { watcher, folders: BTreeMap::new() },
        Err(error) => return refuse(options, cannot_read(Path::new("."), error)),
    };
    let mut before = None;
    loop {
        // Watched first and read afterwards, so that no change comes between.
        if let Err(problem) = watched.renew(folders(options)) {
            return refuse(options, problem);
        }
        let now = Inputs::read(options);
        if before.as_ref() != Some(&now) {
            if round(options, now.roots.len()).is_err() {
                return ExitCode::SUCCESS; // Nobody reads it any longer.
            }
            before = Some(now);
        }
        if !wait(&changes) {
            return ExitCode::from(2);
        }
    }
}

/// Ends with the one thing that kept it from watching.
fn refuse(options: &Options, problem: Diagnostic) -> ExitCode {
    let mut reporter = Reporter::new(&options.check.common);
    reporter.show(vec![problem], &SourceMap::new());
    reporter.finish()
}

/// Waits for a change, and until all is quiet; whether there can be one.
fn wait(changes: &Receiver<notify::Result<Event>>) -> bool {
    loop {
        match changes.recv() {
            // To read is no change; the compiler itself does it.
            Ok(Ok(event)) if matches!(event.kind, EventKind::Access(_)) => {}
            // An error may hide changes, so it counts as one.
            Ok(_) => break,
            Err(_) => return false,
        }
    }
    let mut left = MOST_CHANGES;
    while left > 0 {
        match changes.recv_timeout(QUIET) {
            Ok(Ok(event)) if matches!(event.kind, EventKind::Access(_)) => {}
            Ok(_) => left -= 1,
            Err(_) => break,
        }
    }
    // What came in the meantime is seen by the round.
    changes.try_iter().for_each(drop);
    true
}

/// Checks or builds once, and says in one line what came out.
fn round(options: &Options, specs: usize) -> io::Result<()> {
    if options.clear && io::stderr().is_terminal() {
        io::stderr().write_all(b"\x1b[2J\x1b[H")?;
    }
    let mut reporter = Reporter::new(&options.check.common);
    let done = match build_options(options) {
        Some(options) => {
            build::round(&options, &mut reporter);
            "built"
        }
        None => {
            check::round(&options.check, &mut reporter);
            "checked"
        }
    };
    let findings = reporter.finish_round().unwrap_or_else(|| "no findings".to_owned());
    let line = format!("{done} {}: {findings}; waiting for changes\n", count(specs, "spec"));
    io::stderr().write_all(line.as_bytes())
}

/// What `cxc build` would be told, if it is to be run.
fn build_options(options: &Options) -> Option<build::Options> {
    Some(build::Options {
        specs: options.check.specs.clone(),
        out_dir: options.out_dir.clone()?,
        backends: options.backends.clone(),
        options: options.options.clone(),
        emit: Vec::new(),
        flat: false,
        depfile: None,
        stamp: None,
        list_outputs: false,
        check: false,
        force: false,
        common: Common::clone(&options.check.common),
    })
}

/// All that is read, by contents: what changes in time or name only is no change.
#[derive(PartialEq, Eq)]
struct Inputs {
    roots: BTreeSet<PathBuf>,
    /// The digest of each file, or why it cannot be read.
    files: BTreeMap<PathBuf, Result<String, String>>,
}

impl Inputs {
    fn read(options: &Options) -> Inputs {
        let digest = |path: &Path| match read_spec(path) {
            Ok(bytes) => Ok(sha256_hex(&bytes)),
            Err(error) => Err(error.to_string()),
        };
        let (roots, paths) = paths(options);
        Inputs { roots, files: paths.into_iter().map(|path| (path.clone(), digest(&path))).collect() }
    }
}

/// The roots; and with them all specs that lie where imports are searched.
fn paths(options: &Options) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
    let roots: BTreeSet<PathBuf> = roots::find(&options.check.specs).0.into_iter().collect();
    let mut folders: BTreeSet<PathBuf> = roots.iter().map(|root| folder_of(root)).collect();
    folders.extend(options.check.common.imports.search.iter().cloned());
    let mut paths = roots.clone();
    for folder in &folders {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        paths.extend(entries.map(|entry| entry.path()).filter(|path| is_spec(path)));
    }
    (roots, paths)
}

fn is_spec(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "cxspec")
}

/// The folder of a file, which is never the empty path.
fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_path_buf() }
}

/// The folders to watch. A file is seen through its folder, as an editor may put another file in its place; what is not there
/// through the nearest folder that is; and what a link points to through the folder where that lies.
fn folders(options: &Options) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut folders = BTreeMap::new();
    let mut add = |path: &Path, mode: RecursiveMode| {
        let is_there = |path: &&Path| path.as_os_str().is_empty() || path.is_dir();
        let Some(there) = path.ancestors().find(is_there) else { return };
        let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        let mode = if there == path { mode } else { RecursiveMode::NonRecursive };
        let known = folders.entry(there.to_path_buf()).or_insert(mode);
        if mode == RecursiveMode::Recursive {
            *known = mode;
        }
    };
    for spec in &options.check.specs {
        if spec.is_dir() {
            // Below a link nothing would be seen; and where it is, it may come to lead elsewhere.
            add(&fs::canonicalize(spec).unwrap_or_else(|_| spec.clone()), RecursiveMode::Recursive);
            add(&folder_of(spec), RecursiveMode::NonRecursive);
        } else {
            add(&folder_of(spec), RecursiveMode::NonRecursive);
        }
    }
    for folder in &options.check.common.imports.search {
        add(folder, RecursiveMode::NonRecursive);
    }
    for file in &paths(options).1 {
        if let (true, Ok(real)) = (file.is_symlink(), fs::canonicalize(file)) {
            add(&folder_of(&real), RecursiveMode::NonRecursive);
        }
    }
    folders
}

/// The folders that are watched.
struct Watched {
    watcher: RecommendedWatcher,
    folders: BTreeMap<PathBuf, RecursiveMode>,
}

impl Watched {
    /// Watches other folders. Those that are watched already are so anew: they may have been deleted and made again.
    fn renew(&mut self, folders: BTreeMap<PathBuf, RecursiveMode>) -> Result<(), Diagnostic> {
        for folder in self.folders.keys() {
            // One that is gone is not watched any longer.
            let _ = self.watcher.unwatch(folder);
        }
        self.folders = folders;
        for (folder, mode) in &self.folders {
            match self.watcher.watch(folder, *mode) {
                // It went just now; the folder that it was in tells.
                Err(_) if !folder.is_dir() => {}
                Err(error) => return Err(cannot_read(folder, error)),
                Ok(()) => {}
            }
        }
        Ok(())
    }
}
