//! The manifest of a root: which files and folders in the output folder are its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use lapis_cx::diagnostic::catalogue::driver::MANIFEST_DAMAGED;
use lapis_cx::diagnostic::{Diagnostic, Severity};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{PRIVATE, paths};
use crate::{cannot_read, finding};

/// The only version of the format so far.
const VERSION: u32 = 1;

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
        names.retain(|name| name.to_str().is_some_and(|name| name.ends_with(".json") && name != own));
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
        let list = |strings: &BTreeSet<String>| Value::from_iter(strings.iter().cloned());
        let files = self.files.iter().map(|(path, hashes)| (path.clone(), list(hashes)));
        // In the order of their names, so that it does not matter whether the crate sorts them.
        let members = [
            ("files", Value::Object(files.collect())),
            ("folders", list(&self.folders)),
            ("spec", self.spec.clone().into()),
            ("version", VERSION.into()),
        ];
        let document = Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect());
        format!("{document:#}\n")
    }

    /// The name of its file in [`PRIVATE`]: two roots never share it.
    pub fn file_name(spec: &str) -> String {
        format!("{}.json", hash(spec.as_bytes()).get(..32).unwrap_or_default())
    }

    fn parse(bytes: &[u8]) -> Option<Manifest> {
        let document: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        let strings = |list: &Value| -> Option<BTreeSet<String>> {
            list.as_array()?.iter().map(|one| Some(one.as_str()?.to_owned())).collect()
        };
        let files = document.get("files")?.as_object()?.iter();
        let manifest = Manifest {
            spec: document.get("spec")?.as_str()?.to_owned(),
            files: files.map(|(path, hashes)| Some((path.clone(), strings(hashes)?))).collect::<Option<_>>()?,
            folders: strings(document.get("folders")?)?,
        };
        // Its paths are deleted: whoever edits a manifest must not make us leave the output folder.
        let good = document.get("version")? == VERSION
            && manifest.files.keys().chain(&manifest.folders).all(|path| paths::is_portable(path));
        good.then_some(manifest)
    }
}

/// SHA-256 in lower-case hex.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
