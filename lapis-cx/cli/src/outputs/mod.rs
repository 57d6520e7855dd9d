//! Writing the files of a root spec into an output folder.
//!
//! A file is written only if its contents change, and replaced as a whole. The folder `.cxc` keeps one manifest for
//! each root, so that files a root no longer produces go, and nothing else does. See decision 0009.
//!
//! The order of the steps makes every point safe to die at: first the manifest claims what will be written, then the
//! files come, then stale ones go, at last the manifest says what is there.

mod apply;
mod manifest;
mod paths;
mod plan;

use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::backend::File;
use lapis_cx::diagnostic::Diagnostic;

pub use self::apply::{replace, replace_beside};
use self::manifest::Manifest;
pub use self::paths::relative;
use self::plan::Plan;
use crate::{cannot_read, cannot_write};

/// The folder in an output folder that holds the manifests, the verdicts and the lock.
pub const PRIVATE: &str = ".cxc";

/// What was done.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files created or replaced, as the outputs name them, in the order of the outputs.
    pub written: Vec<String>,
    /// Files deleted because the root no longer produces them, by path.
    pub deleted: Vec<String>,
    /// Worth telling.
    pub warnings: Vec<Diagnostic>,
}

/// What to do with an output that is still produced, but was edited since it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// Write nothing at all, and report it.
    Refuse,
    /// Overwrite it.
    Overwrite,
}

/// Makes `out_dir` hold exactly `files` for the root `spec`, and leaves what belongs to others alone.
///
/// The root is known by the real path of `spec` relative to the real path of `out_dir`; so it is the same root however
/// the two are spelled, and still after both moved together. Builds into one folder may run at the same time.
///
/// # Errors
///
/// All findings that stand against writing; then nothing was changed. Or the one failure of the file system that
/// stopped the work; then each file is either old or new, and the next call finishes.
pub fn write(out_dir: &Path, spec: &Path, files: &[File], edited: Edited) -> Result<Report, Vec<Diagnostic>> {
    write_for(out_dir, Owner::Spec(spec), files, edited, &Rivals::Existing)
}

/// As [`write()`], into a folder that is for builds of `roots` alone: other roots have left it, also if they still exist,
/// and edits are overwritten.
///
/// # Errors
///
/// As [`write()`].
pub fn write_own(out_dir: &Path, spec: &Path, files: &[File], roots: &[PathBuf]) -> Result<Report, Vec<Diagnostic>> {
    let real = roots.iter().map(|root| fs::canonicalize(root).unwrap_or_else(|_| root.clone()));
    write_for(out_dir, Owner::Spec(spec), files, Edited::Overwrite, &Rivals::These(real.collect()))
}

/// Makes `out_dir` hold exactly `files` as its documentation, of whatever specs, and leaves what belongs to others alone.
///
/// # Errors
///
/// As [`write()`].
pub fn write_documentation(out_dir: &Path, files: &[File], edited: Edited) -> Result<Report, Vec<Diagnostic>> {
    write_for(out_dir, Owner::Documentation, files, edited, &Rivals::Existing)
}

/// Whom files belong to.
#[derive(Clone, Copy)]
enum Owner<'a> {
    /// A root.
    Spec(&'a Path),
    /// The documentation in a folder: there is one, whatever it is about.
    Documentation,
}

/// Which other owners' files may not be taken over.
enum Rivals {
    /// Those that exist.
    Existing,
    /// Those of these roots that exist, by their real paths.
    These(Vec<PathBuf>),
}

impl Rivals {
    /// Whether the owner of a manifest in `base` is one.
    fn has(&self, manifest: &Manifest, base: &Path) -> bool {
        manifest.is_live(base)
            && match self {
                Rivals::Existing => true,
                Rivals::These(roots) => roots.iter().any(|root| paths::relative(root, base) == manifest.spec),
            }
    }
}

fn write_for(
    out_dir: &Path,
    owner: Owner<'_>,
    files: &[File],
    edited: Edited,
    rivals: &Rivals,
) -> Result<Report, Vec<Diagnostic>> {
    let one = |finding| vec![finding];
    check(out_dir, files)?;
    if files.is_empty() && !out_dir.exists() {
        return Ok(Report::default());
    }
    fs::create_dir_all(out_dir).map_err(|error| one(cannot_write(out_dir, error)))?;
    let (base, key) = locate(out_dir, owner).map_err(one)?;

    let (plan, lock) = settle(&base, out_dir, || Plan::make(&base, out_dir, &key, files, edited, rivals))?;
    let done = plan.steps.iter().try_for_each(|step| step.run(&base, out_dir));
    drop(lock);
    done.map_err(one).map(|()| plan.report)
}

/// A plan to go by, and the lock if it has steps.
///
/// It is made without the lock first: a build that changes nothing also works in a folder that cannot be written. While
/// another build is at work, such a plan may mix what was there before and after; so it counts only if nothing is to be
/// done, and nothing stands against it.
fn settle(
    base: &Path,
    shown: &Path,
    make: impl Fn() -> Result<Plan, Vec<Diagnostic>>,
) -> Result<(Plan, Option<fs::File>), Vec<Diagnostic>> {
    let findings = match make() {
        Ok(plan) if plan.steps.is_empty() => return Ok((plan, None)),
        // Whoever writes makes the lock before. So nobody has, and a refused folder stays as it is.
        Err(findings) if !apply::has_lock(base) => return Err(findings),
        plan => plan.err(),
    };
    match apply::lock(base) {
        Ok(lock) => make().map(|plan| (plan, Some(lock))),
        Err(error) => Err(findings.unwrap_or_else(|| vec![cannot_write(&shown.join(PRIVATE), error)])),
    }
}

/// What [`write()`] would do. Changes nothing.
///
/// # Errors
///
/// All findings that stand against writing.
pub fn preview(out_dir: &Path, spec: &Path, files: &[File], edited: Edited) -> Result<Report, Vec<Diagnostic>> {
    check(out_dir, files)?;
    if !out_dir.exists() {
        return Ok(Report { written: files.iter().map(|file| file.path.clone()).collect(), ..Report::default() });
    }
    let (base, key) = locate(out_dir, Owner::Spec(spec)).map_err(|finding| vec![finding])?;
    let make = || Plan::make(&base, out_dir, &key, files, edited, &Rivals::Existing).map(|plan| plan.report);
    // A finding may come from a build at work, as in `settle`: it counts while there is none.
    make().or_else(|findings| match apply::lock_shared(&base) {
        Some(_lock) => make(),
        None => Err(findings),
    })
}

/// Refuses outputs, and output folders, that cannot be. Changes nothing.
///
/// # Errors
///
/// All that is wrong with them.
pub fn check(out_dir: &Path, files: &[File]) -> Result<(), Vec<Diagnostic>> {
    paths::check(files)?;
    if out_dir.exists() && !out_dir.is_dir() {
        return Err(vec![cannot_write(out_dir, "it is not a folder")]);
    }
    Ok(())
}

/// The real output folder, which exists, and the key of an owner in it.
fn locate(out_dir: &Path, owner: Owner<'_>) -> Result<(PathBuf, String), Diagnostic> {
    let base = fs::canonicalize(out_dir).map_err(|error| cannot_read(out_dir, error))?;
    if !private_is_ours(&base) {
        return Err(cannot_write(&out_dir.join(PRIVATE), "it is a link or a file, not a folder of ours"));
    }
    let Owner::Spec(spec) = owner else { return Ok((base, manifest::DOCUMENTATION.to_owned())) };
    let spec = fs::canonicalize(spec).map_err(|error| cannot_read(spec, error))?;
    let key = paths::relative(&spec, &base);
    Ok((base, key))
}

/// Whether [`PRIVATE`] is a real folder, or nothing yet. Behind a link lies what belongs to others.
pub(crate) fn private_is_ours(out_dir: &Path) -> bool {
    fs::symlink_metadata(out_dir.join(PRIVATE)).map_or(true, |found| found.is_dir())
}

#[cfg(test)]
mod tests;
