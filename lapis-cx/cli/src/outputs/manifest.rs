//! The manifest of a root: which files and folders in the output folder are its own.
//!
//! It is a text of lines, a word and what it is about, for people too:
//!
//! ```text
//! cxc-manifest 1
//! folder c
//! file 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae c/mulacc.h
//! root ../specs/mulacc.cxspec
//! ```
//!
//! A file has more hashes, with commas between, while a build is at work. The root comes last: it is the only path that may
//! have line feeds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use lapis_cx::contract::identity::sha256_hex;
use lapis_cx::diagnostic::catalogue::driver::MANIFEST_DAMAGED;
use lapis_cx::diagnostic::{Diagnostic, Severity};

use super::{PRIVATE, paths};
use crate::{cannot_read, finding};

/// The name of the format and its only version so far.
const FIRST_LINE: &str = "cxc-manifest 1";

/// The extension of manifests.
pub const EXTENSION: &str = "manifest";

/// The key of documentation, which is of no one root. No path of a root has this form.
pub const DOCUMENTATION: &str = "<documentation>";

/// What a root owns. All paths have `/` between their parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The root: its path relative to the output folder.
    pub spec: String,
    /// Each file with the SHA-256 of what was written. Two hashes while a build is at work: the old and the new.
    pub files: BTreeMap<String, BTreeSet<String>>,
    /// The folders that were made for the files.
    pub folders: BTreeSet<String>,
}

impl Manifest {
    /// Owns nothing.
    pub fn new(spec: &str) -> Self {
        Manifest { spec: spec.into(), files: BTreeMap::new(), folders: BTreeSet::new() }
    }

    /// The manifest of a root; an empty one if there is none.
    pub fn load(base: &Path, shown: &Path, spec: &str) -> Result<Manifest, Diagnostic> {
        let name = Self::file_name(spec);
        let shown = shown.join(PRIVATE).join(&name);
        let bytes = match fs::read(base.join(PRIVATE).join(name)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Manifest::new(spec)),
            Err(error) => return Err(cannot_read(&shown, error)),
        };
        Self::parse(&bytes).filter(|manifest| manifest.spec == spec).ok_or_else(|| {
            let message = format!("the manifest `{}` cannot be understood", shown.display());
            finding(&MANIFEST_DAMAGED, Severity::Error, message)
                .help("delete it and the generated files, and build again")
        })
    }

    /// The manifests of the other roots; those that cannot be understood are left out, as then their files count as
    /// nobody's and are not touched either.
    pub fn others(base: &Path, spec: &str) -> Vec<Manifest> {
        let own = Self::file_name(spec);
        let entries = fs::read_dir(base.join(PRIVATE)).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names.retain(|name| {
            Path::new(name).extension().is_some_and(|extension| extension == EXTENSION) && *name != *own
        });
        let manifests = names.iter().filter_map(|name| Self::parse(&fs::read(base.join(PRIVATE).join(name)).ok()?));
        manifests.collect()
    }

    /// Whether the root still exists.
    pub fn is_live(&self, base: &Path) -> bool {
        self.spec == DOCUMENTATION || base.join(&self.spec).is_file()
    }

    /// Whether this root wrote these contents.
    pub fn wrote(&self, path: &str, hash: &str) -> bool {
        self.files.get(path).is_some_and(|hashes| hashes.contains(hash))
    }

    /// Owns what either owns.
    pub fn union(mut self, other: &Manifest) -> Manifest {
        for (path, hashes) in &other.files {
            self.files.entry(path.clone()).or_default().extend(hashes.iter().cloned());
        }
        self.folders.extend(other.folders.iter().cloned());
        self
    }

    /// Whether it owns nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }

    /// The text to save.
    pub fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        self.folders.iter().for_each(|folder| text += &format!("folder {folder}\n"));
        for (path, hashes) in &self.files {
            let hashes: Vec<_> = hashes.iter().map(String::as_str).collect();
            text += &format!("file {} {path}\n", hashes.join(","));
        }
        text + &format!("root {}\n", self.spec)
    }

    /// The name of its file in [`PRIVATE`]: two roots never share it.
    pub fn file_name(spec: &str) -> String {
        format!("{}.{EXTENSION}", sha256_hex(spec).get(..32).unwrap_or_default())
    }

    fn parse(bytes: &[u8]) -> Option<Manifest> {
        let mut rest = str::from_utf8(bytes).ok()?.strip_prefix(FIRST_LINE)?.strip_prefix('\n')?;
        let mut manifest = Manifest::new("");
        while let Some((line, after)) = rest.split_once('\n') {
            // Its paths are deleted: whoever edits a manifest must not make us leave the output folder.
            let good = |path: &str| paths::is_portable(path).then(|| path.to_owned());
            match line.split_once(' ')? {
                ("folder", path) => {
                    manifest.folders.insert(good(path)?);
                }
                ("file", line) => {
                    let (hashes, path) = line.split_once(' ')?;
                    manifest.files.insert(good(path)?, hashes.split(',').map(str::to_owned).collect());
                }
                ("root", _) => {
                    manifest.spec = rest.strip_prefix("root ")?.strip_suffix('\n')?.to_owned();
                    return Some(manifest);
                }
                _ => return None,
            }
            rest = after;
        }
        None
    }
}
