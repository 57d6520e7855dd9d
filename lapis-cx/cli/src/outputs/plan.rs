//! Deciding what to do, without doing it.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use lapis_cx::backend::File;
use lapis_cx::contract::identity::sha256_hex;
use lapis_cx::diagnostic::catalogue::driver::{OUTPUT_EDITED, OUTPUT_EXISTS, OUTPUT_OWNED, STALE_EDITED};
use lapis_cx::diagnostic::{Diagnostic, Severity};

use super::apply::{self, Step};
use super::manifest::Manifest;
use super::{Edited, Report, Rivals, paths};
use crate::{cannot_read, finding};

/// The steps that lead from what is there to what should be; none if all is well.
pub struct Plan {
    pub steps: Vec<Step>,
    /// What will have been done after the steps.
    pub report: Report,
}

impl Plan {
    /// Compares the outputs with the folder `base`, which people know as `shown`.
    pub fn make(
        base: &Path,
        shown: &Path,
        key: &str,
        files: &[File],
        edited: Edited,
        rivals: &Rivals,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let one = |finding| vec![finding];
        let old = Manifest::load(base, shown, key).map_err(one)?;
        let (live, gone) = Manifest::others(base, key).into_iter().partition(|other| rivals.has(other, base));
        let view = View { base, shown, old: &old, live, gone, edited };
        let mut new = Manifest::new(key);
        let mut report = Report::default();
        let mut puts = Vec::new();
        let mut refusals = Vec::new();
        for file in files {
            let digest = sha256_hex(&file.text);
            match view.must_write(file, &digest) {
                Ok(true) => {
                    report.written.push(file.path.clone());
                    puts.push(Step::Put { path: file.path.clone(), text: file.text.clone() });
                }
                Ok(false) => {}
                Err(refusal) => refusals.push(refusal),
            }
            new.files.insert(file.path.clone(), BTreeSet::from([digest]));
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }

        for (path, hashes) in old.files.iter().filter(|(path, _)| !new.files.contains_key(*path)) {
            match view.stale(path, hashes).map_err(one)? {
                Stale::Leave => {}
                Stale::Delete => report.deleted.push(path.clone()),
                Stale::Edited => report.warnings.push(
                    finding(
                        &STALE_EDITED,
                        Severity::Warning,
                        format!("`{}` is no longer produced, but was edited: it stays", shown.join(path).display()),
                    )
                    .help("delete it if the edit may go"),
                ),
            }
        }

        // Folders: those to be made, those of earlier builds that stay, and those that run empty.
        let needed: BTreeSet<&str> = new.files.keys().flat_map(|path| paths::parents(path)).collect();
        let made: Vec<_> =
            needed.iter().filter(|path| !base.join(path).exists()).map(|path| path.to_string()).collect();
        let mut leaving: BTreeSet<String> = report.deleted.iter().cloned().collect();
        let mut emptied = Vec::new();
        for folder in old.folders.iter().rev().filter(|path| !needed.contains(path.as_str())) {
            // Deeper folders come first, because a path sorts before what lies below it.
            match view.holds_only(folder, &leaving) {
                Some(true) => {
                    leaving.insert(folder.clone());
                    emptied.push(Step::RemoveFolder { path: folder.clone() });
                }
                Some(false) if !view.live.iter().any(|other| other.folders.contains(folder)) => {
                    new.folders.insert(folder.clone());
                }
                _ => {}
            }
        }
        // Roots that share a folder own it together, so that the last one to leave removes it.
        let owners = std::iter::once(&old).chain(&view.live).chain(&view.gone);
        new.folders.extend(owners.flat_map(|m| &m.folders).filter(|path| needed.contains(path.as_str())).cloned());
        new.folders.extend(made.iter().cloned());

        let mut steps = Vec::new();
        if apply::has_leftovers(base) {
            steps.push(Step::Sweep);
        }
        if !puts.is_empty() {
            steps.push(Step::save(&old.clone().union(&new)));
        }
        steps.extend(made.into_iter().map(|path| Step::MakeFolder { path }));
        steps.extend(puts);
        steps.extend(report.deleted.iter().map(|path| Step::Delete { path: path.clone() }));
        steps.extend(emptied);
        if steps.len() > usize::from(apply::has_leftovers(base)) || old != new {
            steps.push(if new.is_empty() { Step::forget(key) } else { Step::save(&new) });
        }
        Ok(Plan { steps, report })
    }
}

enum Stale {
    /// Not there any more, or somebody else's too.
    Leave,
    Delete,
    Edited,
}

/// What is there.
struct View<'a> {
    base: &'a Path,
    shown: &'a Path,
    old: &'a Manifest,
    /// Roots that may still write here.
    live: Vec<Manifest>,
    /// Roots that do not any more: what they wrote may be taken over.
    gone: Vec<Manifest>,
    edited: Edited,
}

impl View<'_> {
    /// Whether a file must be written; or why it must not.
    fn must_write(&self, file: &File, digest: &str) -> Result<bool, Diagnostic> {
        let path = file.path.as_str();
        let shown = self.shown.join(path);
        let in_the_way = |problem: &str| Err(paths::refuse(&shown.display().to_string(), problem));
        if let Some(parent) = self.blocked(path) {
            return in_the_way(&format!(
                "would lie behind `{}`, which is no real folder",
                self.shown.join(parent).display()
            ));
        }
        if let Some(other) = self.live.iter().find(|m| m.files.contains_key(path) && !m.wrote(path, digest)) {
            let message = format!("`{}` is written by `{}` with other contents", shown.display(), self.spec(other));
            return Err(finding(&OUTPUT_OWNED, Severity::Error, message).help(format!(
                "give each spec its own `--out-dir`, or one of the interfaces another `short` name; if `{}` no longer \
                 writes this file, build it alone first",
                self.spec(other)
            )));
        }
        let real = self.base.join(path);
        let found = match fs::symlink_metadata(&real) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(cannot_read(&shown, error)),
            Ok(found) => found,
        };
        if !found.is_file() {
            let what = if found.is_dir() { "is a folder" } else { "is a symbolic link or a special file" };
            return in_the_way(what);
        }
        let bytes = fs::read(&real).map_err(|error| cannot_read(&shown, error))?;
        if bytes == file.text.as_bytes() {
            return Ok(false);
        }
        let is_there = sha256_hex(&bytes);
        if std::iter::once(self.old).chain(&self.gone).any(|m| m.wrote(path, &is_there)) {
            return Ok(true);
        }
        if self.old.files.contains_key(path) {
            if self.edited == Edited::Overwrite {
                return Ok(true);
            }
            let message = format!("`{}` was edited since the last build wrote it", shown.display());
            return Err(finding(&OUTPUT_EDITED, Severity::Error, message)
                .help("move the edit elsewhere and delete the file, or overwrite it with `--force`"));
        }
        let message = format!("`{}` exists with other contents, and no earlier build wrote it", shown.display());
        Err(finding(&OUTPUT_EXISTS, Severity::Error, message)
            .help("move or delete that file, or give another `--out-dir`"))
    }

    /// What to do with a file that the root produced before.
    fn stale(&self, path: &str, hashes: &BTreeSet<String>) -> Result<Stale, Diagnostic> {
        if self.live.iter().any(|m| m.files.contains_key(path)) {
            return Ok(Stale::Leave);
        }
        let real = self.base.join(path);
        match fs::symlink_metadata(&real) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Stale::Leave);
            }
            Err(error) => return Err(cannot_read(&self.shown.join(path), error)),
            Ok(found) if !found.is_file() || self.blocked(path).is_some() => return Ok(Stale::Edited),
            Ok(_) => {}
        }
        let bytes = fs::read(&real).map_err(|error| cannot_read(&self.shown.join(path), error))?;
        Ok(if hashes.contains(&sha256_hex(&bytes)) { Stale::Delete } else { Stale::Edited })
    }

    /// The parent of an output that exists and is no real folder.
    fn blocked<'p>(&self, path: &'p str) -> Option<&'p str> {
        paths::parents(path)
            .find(|parent| fs::symlink_metadata(self.base.join(parent)).is_ok_and(|found| !found.is_dir()))
    }

    /// Whether nothing is in a folder but what is `leaving`; `None` if it is no real folder any more.
    fn holds_only(&self, folder: &str, leaving: &BTreeSet<String>) -> Option<bool> {
        let real = self.base.join(folder);
        if self.blocked(folder).is_some() || !fs::symlink_metadata(&real).ok()?.is_dir() {
            return None;
        }
        let mut entries =
            fs::read_dir(real).ok()?.map(|entry| Some(format!("{folder}/{}", entry.ok()?.file_name().to_str()?)));
        Some(entries.all(|path| path.is_some_and(|path| leaving.contains(&path))))
    }

    /// A root as people can find it: seen from where we are.
    fn spec(&self, manifest: &Manifest) -> String {
        let spec = self.base.join(&manifest.spec);
        match (fs::canonicalize(&spec), fs::canonicalize(".")) {
            (Ok(real), Ok(here)) => paths::relative(&real, &here),
            _ => spec.display().to_string(),
        }
    }
}
