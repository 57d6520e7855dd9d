//! Paths of outputs, and the path that names a root.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use lapis_cx::backend::File;
use lapis_cx::diagnostic::catalogue::driver::OUTPUT_PATH;
use lapis_cx::diagnostic::{Diagnostic, Severity};

use super::PRIVATE;
use crate::finding;

/// Refuses paths that leave the output folder, that not every system has, that occur twice or lie inside a file.
pub fn check(files: &[File]) -> Result<(), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for File { path, .. } in files {
        if !is_portable(path) {
            problems.push(refuse(path, "is not a plain path below the output folder"));
        } else if !seen.insert(path.as_str()) {
            // Only without folders: in these, backends do not meet.
            problems
                .push(refuse(path, "occurs twice").help("choose one backend with `--backend`, or leave out `--flat`"));
        }
    }
    for path in &seen {
        if parents(path).any(|parent| seen.contains(parent)) {
            problems.push(refuse(path, "lies inside another output"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// A finding that says why the output `path` is refused.
pub fn refuse(path: &str, problem: &str) -> Diagnostic {
    finding(&OUTPUT_PATH, Severity::Error, format!("the output `{path}` {problem}"))
}

/// Whether a path is relative, has `/` between parts that every file system takes, and stays out of [`PRIVATE`].
pub fn is_portable(path: &str) -> bool {
    let part_is_plain = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.ends_with(['.', ' '])
            && !part.contains(['\\', ':', '*', '?', '"', '<', '>', '|'])
            && !part.chars().any(char::is_control)
    };
    path.split('/').all(part_is_plain) && !path.split('/').next().unwrap_or("").eq_ignore_ascii_case(PRIVATE)
}

/// `a/b` and `a` for `a/b/c`.
pub fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| path.get(..at).unwrap_or_default())
}

/// `path` as seen from `base`, both real; with `/` between its parts. Absolute if they share no root.
pub fn relative(path: &Path, base: &Path) -> String {
    let (mut to, mut from) = (path.components().peekable(), base.components().peekable());
    while let (Some(a), Some(b)) = (to.peek(), from.peek()) {
        if a != b {
            break;
        }
        to.next();
        from.next();
    }
    if from.peek().is_some_and(|part| matches!(part, Component::Prefix(_) | Component::RootDir)) {
        return path.to_string_lossy().into_owned();
    }
    let up = from.map(|_| "..".into());
    up.chain(to.map(|part| part.as_os_str().to_string_lossy())).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> File {
        File { path: path.into(), text: String::new() }
    }

    #[test]
    fn only_plain_paths_pass() {
        for good in ["a", "a/b.h", "a-b/.c/d", "ä", "x/.cxc"] {
            assert!(is_portable(good), "{good}");
        }
        for bad in
            ["", "/a", "a/", "a//b", "./a", "a/../b", "..", "a\\b", "c:x", "a\nb", ".cxc/a", ".CXC", "a.", "a /b"]
        {
            assert!(!is_portable(bad), "{bad}");
        }
    }

    #[test]
    fn no_output_twice_or_inside_another() {
        assert!(check(&[file("a"), file("b/c"), file("b/d")]).is_ok());
        for bad in [["a", "a"], ["a/b/c", "a"], ["a", "../x"]] {
            assert_eq!(check(&bad.map(file)).unwrap_err().len(), 1, "{bad:?}");
        }
    }

    #[test]
    fn relative_paths_go_up_and_down() {
        let relative = |path: &str, base: &str| super::relative(Path::new(path), Path::new(base));
        assert_eq!(relative("/p/specs/a.cxspec", "/p/out"), "../specs/a.cxspec");
        assert_eq!(relative("/p/out/a.cxspec", "/p/out"), "a.cxspec");
        assert_eq!(relative("/a", "/b/c"), "../../a");
        assert_eq!(parents("a/b/c").collect::<Vec<_>>(), ["a/b", "a"]);
    }
}
