//! Doing it, one step after the other. A step either happens as a whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use lapis_cx::diagnostic::Diagnostic;

use super::PRIVATE;
use super::manifest::Manifest;
use crate::cannot_write;

/// New contents are written under a name that starts so, in [`PRIVATE`], and then renamed.
const NEW: &str = ".cxc-new-";

/// The file in [`PRIVATE`] that a build locks while it writes. It stays.
const LOCK: &str = "lock";

/// A step. Paths are relative to the output folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Removes what a killed build left behind in [`PRIVATE`].
    Sweep,
    MakeFolder {
        path: String,
    },
    /// Creates or replaces.
    Put {
        path: String,
        text: String,
    },
    Delete {
        path: String,
    },
    /// Unless somebody put something into it by now.
    RemoveFolder {
        path: String,
    },
}

impl Step {
    /// Saves a manifest.
    pub fn save(manifest: &Manifest) -> Step {
        let path = format!("{PRIVATE}/{}", Manifest::file_name(&manifest.spec));
        Step::Put { path, text: manifest.text() }
    }

    /// Removes the manifest of a root.
    pub fn forget(spec: &str) -> Step {
        Step::Delete { path: format!("{PRIVATE}/{}", Manifest::file_name(spec)) }
    }

    /// Does it in the folder `base`, which people know as `shown`.
    pub fn run(&self, base: &Path, shown: &Path) -> Result<(), Diagnostic> {
        let (path, done) = match self {
            Step::Sweep => (PRIVATE, sweep(base)),
            Step::MakeFolder { path } => (path.as_str(), fs::create_dir_all(base.join(path))),
            Step::Put { path, text } => (path.as_str(), replace(&base.join(PRIVATE), &base.join(path), text)),
            Step::Delete { path } => (path.as_str(), unless(ErrorKind::NotFound, fs::remove_file(base.join(path)))),
            Step::RemoveFolder { path } => {
                (path.as_str(), unless(ErrorKind::DirectoryNotEmpty, fs::remove_dir(base.join(path))))
            }
        };
        done.map_err(|error| cannot_write(&shown.join(path), error))
    }
}

fn unless(kind: ErrorKind, result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == kind => Ok(()),
        other => other,
    }
}

/// Puts `text` at `path` in one go, by way of a new file in `private`, which must be on the same file system. An
/// existing file keeps its permissions.
///
/// # Errors
///
/// What the file system says; then `path` is as it was, and no new file is left.
pub fn replace(private: &Path, path: &Path, text: &str) -> io::Result<()> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let new = private.join(format!("{NEW}{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed)));
    let done = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&new)
        .and_then(|mut file| {
            // Held until the file is closed: whoever gets it knows that the writer died. See `replace_beside`.
            let _ = file.try_lock();
            file.write_all(text.as_bytes())?;
            fs::metadata(path).map_or(Ok(()), |old| file.set_permissions(old.permissions()))
        })
        .and_then(|()| fs::rename(&new, path));
    if done.is_err() {
        let _ = fs::remove_file(&new);
    }
    done
}

/// Puts `text` at `path` as [`replace`] does, by way of a new file beside it. What killed processes left there goes
/// first.
///
/// # Errors
///
/// What the file system says; then `path` is as it was, and no new file is left.
pub fn replace_beside(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for left in leftovers_in(folder) {
        let is_dead = fs::File::open(&left).is_ok_and(|file| file.try_lock().is_ok());
        if is_dead {
            let _ = fs::remove_file(&left);
        }
    }
    match replace(folder, path, text) {
        // Somebody else swept between the making of the new file and its lock.
        Err(error) if error.kind() == ErrorKind::NotFound => replace(folder, path, text),
        done => done,
    }
}

/// Makes [`PRIVATE`] and keeps every other build out of the folder until the result is dropped, also by dying. Where a
/// file system has no locks, builds at the same time are on their own.
pub fn lock(base: &Path) -> io::Result<fs::File> {
    let private = base.join(PRIVATE);
    fs::create_dir_all(&private)?;
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(private.join(LOCK))?;
    match file.lock() {
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}

/// Keeps every build from writing into the folder until the result is dropped, and changes nothing. `None` if no build
/// ever wrote there, or if there are no locks.
pub fn lock_shared(base: &Path) -> Option<fs::File> {
    let file = fs::File::open(base.join(PRIVATE).join(LOCK)).ok()?;
    file.lock_shared().ok()?;
    Some(file)
}

/// Whether there was a build that wrote into the folder, or is one: each makes the lock, and none removes it.
pub fn has_lock(base: &Path) -> bool {
    base.join(PRIVATE).join(LOCK).exists()
}

/// Whether a killed build (or one at work) left new files in [`PRIVATE`].
pub fn has_leftovers(base: &Path) -> bool {
    !leftovers(base).is_empty()
}

fn leftovers(base: &Path) -> Vec<PathBuf> {
    leftovers_in(&base.join(PRIVATE))
}

fn leftovers_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(NEW)).map(|entry| entry.path()).collect()
}

fn sweep(base: &Path) -> io::Result<()> {
    leftovers(base).iter().try_for_each(|path| unless(ErrorKind::NotFound, fs::remove_file(path)))
}
