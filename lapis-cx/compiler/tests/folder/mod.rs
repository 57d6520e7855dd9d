//! Specs of a folder, for the tests of this crate.

use std::path::{Path, PathBuf};

use lapis_cx::driver::{Imports, SourceText};

/// The specs of a folder, which the root may import; none if there is no such folder.
pub struct Folder(pub PathBuf);

impl Imports for Folder {
    fn files(&mut self) -> Vec<SourceText> {
        let Ok(entries) = std::fs::read_dir(&self.0) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
        // `std` is built in.
        paths.retain(|p| p.extension().is_some_and(|e| e == "cxspec") && !p.ends_with("std.cxspec"));
        paths.sort();
        paths.iter().map(|p| source(p)).collect()
    }
}

/// A file under its bare name.
pub fn source(path: &Path) -> SourceText {
    SourceText { name: path.file_name().unwrap().to_str().unwrap().to_owned(), bytes: std::fs::read(path).unwrap() }
}
