//! Prints the full name, the contract hash and the canonical text of each interface of a spec.
//!
//! `cargo run -p lapis-cx --example canonical FILE [FOLDER]…`; imports are looked for beside the file and in the folders.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lapis_cx::contract::canonical;
use lapis_cx::diagnostic::render::{Style, render};
use lapis_cx::driver::{Effort, Imports, NoVerdicts, SourceText, compile};

struct Folders {
    root: PathBuf,
    folders: Vec<PathBuf>,
}

impl Imports for Folders {
    fn files(&mut self) -> Vec<SourceText> {
        let mut paths = Vec::new();
        for folder in &self.folders {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut found: Vec<_> = entries.map(|entry| entry.path()).collect();
            found.retain(|path| path.extension().is_some_and(|e| e == "cxspec") && *path != self.root);
            found.sort();
            paths.append(&mut found);
        }
        paths.iter().filter_map(|path| read(path).ok()).collect()
    }
}

fn read(path: &Path) -> std::io::Result<SourceText> {
    Ok(SourceText { name: path.display().to_string(), bytes: std::fs::read(path)? })
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let Some(root) = arguments.next() else {
        eprintln!("usage: canonical FILE [FOLDER]…");
        return ExitCode::from(2);
    };
    let own = root.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf();
    let text = match read(&root) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{}: {error}", root.display());
            return ExitCode::from(2);
        }
    };
    let mut imports = Folders { root, folders: std::iter::once(own).chain(arguments).collect() };
    let outcome = compile(text, &mut imports, &mut NoVerdicts, Effort::Build, &[]);
    let Some(contract) = &outcome.contract else {
        eprint!("{}", render(&outcome.diagnostics, &outcome.sources, Style::GOLDEN));
        return ExitCode::FAILURE;
    };
    for interface in contract.interfaces().filter(|i| !i.is_abstract) {
        println!("{}:{} {}", interface.package, interface.name, interface.hash);
        print!("{}", canonical::text(interface));
    }
    ExitCode::SUCCESS
}
