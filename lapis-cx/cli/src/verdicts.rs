//! Remembering which examples and laws have passed.
//!
//! The file is a header with the version of the compiler, then one key on a line, the latest last. It is only a cache:
//! a file that is missing, damaged or of another version counts as empty, and failing to write it is no failure.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::driver::Verdicts;

/// More keys than this are never kept; the oldest go first.
const MOST_KEYS: usize = 4096;
/// A longer key is not kept.
const LONGEST_KEY: usize = 200;
const HEADER: &str = concat!("cxc verdicts 1 ", env!("CARGO_PKG_VERSION"));

/// The verdicts in one file.
pub struct VerdictFile {
    path: PathBuf,
    known: Option<HashSet<String>>,
    new: Vec<String>,
}

impl VerdictFile {
    /// The verdicts of an output folder, read when first asked for.
    pub fn of(out_dir: &Path) -> Self {
        VerdictFile { path: out_dir.join(super::outputs::PRIVATE).join("verdicts"), known: None, new: Vec::new() }
    }

    /// Writes what was recorded, if anything was. Two processes that save at once may lose keys, never mix them.
    pub fn save(self) {
        let out_dir = self.path.parent().and_then(Path::parent);
        if self.new.is_empty() || !out_dir.is_some_and(super::outputs::private_is_ours) {
            return;
        }
        let mut keys = read(&self.path);
        keys.retain(|key| !self.new.contains(key));
        keys.extend(self.new);
        keys.drain(..keys.len().saturating_sub(MOST_KEYS));
        let text = keys.iter().fold(format!("{HEADER}\n"), |text, key| text + key + "\n");
        if let Some(folder) = self.path.parent().filter(|folder| fs::create_dir_all(folder).is_ok()) {
            let _ = super::outputs::replace(folder, &self.path, &text);
        }
    }
}

/// The keys in the file, oldest first.
fn read(path: &Path) -> Vec<String> {
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) || !text.ends_with('\n') {
        return Vec::new();
    }
    lines.filter(|line| is_key(line)).take(MOST_KEYS).map(str::to_owned).collect()
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.len() <= LONGEST_KEY && key.chars().all(|c| c.is_ascii_graphic() || c == ' ')
}

impl Verdicts for VerdictFile {
    fn passed(&mut self, key: &str) -> bool {
        let path = &self.path;
        self.known.get_or_insert_with(|| read(path).into_iter().collect()).contains(key)
    }

    fn record(&mut self, key: &str) {
        if is_key(key) && !self.passed(key) && !self.new.iter().any(|new| new == key) {
            self.new.push(key.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(dir: &Path, key: &str) -> bool {
        VerdictFile::of(dir).passed(key)
    }

    fn record(dir: &Path, keys: &[&str]) {
        let mut file = VerdictFile::of(dir);
        keys.iter().for_each(|key| file.record(key));
        file.save();
    }

    #[test]
    fn verdicts_last_and_add_up() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!passes(dir.path(), "a"));
        record(dir.path(), &["a", "a", "no\nkey", ""]);
        record(dir.path(), &["b"]);
        assert!(passes(dir.path(), "a") && passes(dir.path(), "b") && !passes(dir.path(), "no"));
        let text = fs::read_to_string(dir.path().join(".cxc/verdicts")).unwrap();
        assert_eq!(text, format!("{HEADER}\na\nb\n"));
        assert_eq!(fs::read_dir(dir.path().join(".cxc")).unwrap().count(), 1);
    }

    #[test]
    fn nothing_new_writes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        record(dir.path(), &[]);
        assert!(!dir.path().join(".cxc").exists());
    }

    #[test]
    fn damaged_files_count_as_empty() {
        let dir = tempfile::tempdir().unwrap();
        record(dir.path(), &["a"]);
        let path = dir.path().join(".cxc/verdicts");
        for bytes in
            [b"a\n".as_slice(), b"", b"cxc verdicts 1 9.9.9\na\n", b"\xff\xfe", &[HEADER.as_bytes(), b"\na"].concat()]
        {
            fs::write(&path, bytes).unwrap();
            assert!(!passes(dir.path(), "a"), "{bytes:?}");
        }
        record(dir.path(), &["b"]);
        assert!(passes(dir.path(), "b"));
    }

    #[test]
    fn the_oldest_go_first() {
        let dir = tempfile::tempdir().unwrap();
        let keys: Vec<String> = (0..MOST_KEYS + 10).map(|i| format!("k{i}")).collect();
        record(dir.path(), &keys.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!passes(dir.path(), "k9") && passes(dir.path(), "k10"));
        let last = format!("k{}", MOST_KEYS + 9);
        assert!(passes(dir.path(), &last));
    }
}
