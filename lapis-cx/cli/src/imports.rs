//! Finding the `.cxspec` files that a root file may import from.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx::driver::{Imports, SourceText};

use crate::{cannot_read, read_spec};

/// The folder of a root file, then the folders of `-I` in their order; within a folder by name. Each file comes once,
/// under the first path that leads to it; the root itself does not come.
pub struct Folders {
    root: PathBuf,
    folders: Vec<PathBuf>,
    findings: Vec<Diagnostic>,
}

impl Folders {
    /// Nothing is read yet.
    pub fn new(root: &Path, search: &[PathBuf]) -> Self {
        let own = root.parent().unwrap_or(Path::new("")).to_path_buf();
        let folders = std::iter::once(own).chain(search.iter().cloned()).collect();
        Folders { root: root.to_path_buf(), folders, findings: Vec::new() }
    }

    /// What could not be read: a folder is an error, a file in it a warning, as it may have nothing to do with the
    /// root.
    pub fn into_findings(self) -> Vec<Diagnostic> {
        self.findings
    }

    /// The spec files of a folder, by name.
    fn list(&mut self, folder: &Path) -> Vec<PathBuf> {
        let to_read = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let names = fs::read_dir(to_read)
            .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>());
        let mut paths: Vec<_> = match names {
            Ok(names) => names.iter().map(|name| folder.join(name)).collect(),
            Err(error) => {
                self.findings.push(cannot_read(to_read, error));
                return Vec::new();
            }
        };
        paths.retain(|path| path.extension() == Some(OsStr::new("cxspec")) && path.is_file());
        paths.sort();
        paths
    }
}

impl Imports for Folders {
    fn has_source(&mut self, path: &str) -> bool {
        self.root.parent().unwrap_or(Path::new("")).join(path).is_file()
    }

    fn files(&mut self) -> Vec<SourceText> {
        let identity = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut seen = HashSet::from([identity(&self.root)]);
        let mut files = Vec::new();
        for folder in self.folders.clone() {
            for path in self.list(&folder) {
                if !seen.insert(identity(&path)) {
                    continue;
                }
                match read_spec(&path) {
                    Ok(bytes) => files.push(SourceText { name: path.display().to_string(), bytes }),
                    Err(error) => {
                        self.findings.push(Diagnostic { severity: Severity::Warning, ..cannot_read(&path, error) });
                    }
                }
            }
        }
        files
    }

    fn folders(&self) -> Vec<String> {
        let shown =
            |folder: &PathBuf| if folder.as_os_str().is_empty() { ".".into() } else { folder.display().to_string() };
        let mut seen = HashSet::new();
        self.folders.iter().map(shown).filter(|name| seen.insert(name.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path, search: &[PathBuf], below: &Path) -> Vec<String> {
        let mut folders = Folders::new(root, search);
        let files = folders.files();
        assert_eq!(folders.into_findings(), []);
        let prefix = format!("{}/", below.display());
        files.into_iter().map(|file| file.name.replace(&prefix, "")).collect()
    }

    #[test]
    fn files_come_once_and_in_order() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.cxspec", "a.cxspec", "root.cxspec", "note.txt", "lib/z.cxspec", "lib/root.cxspec"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        fs::create_dir(dir.path().join("folder.cxspec")).unwrap();
        let root = dir.path().join("lib/../root.cxspec");
        let search = [dir.path().join("lib"), dir.path().to_path_buf(), dir.path().join("lib/.")];
        assert_eq!(
            names(&root, &search, dir.path()),
            ["lib/../a.cxspec", "lib/../b.cxspec", "lib/root.cxspec", "lib/z.cxspec"]
        );
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let mut folders = Folders::new(&dir.path().join("r.cxspec"), &[dir.path().join("none")]);
        assert!(folders.files().is_empty());
        let findings = folders.into_findings();
        assert_eq!(findings.len(), 1);
        assert!(findings[0].severity == Severity::Error && findings[0].message.contains("none"));
    }
}
