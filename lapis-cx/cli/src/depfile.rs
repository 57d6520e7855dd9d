//! Dependency files: which sources each output was made from, as make and ninja read it (like `gcc -MD -MP`).

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lapis_cx::diagnostic::catalogue::driver::OUTPUT_EXISTS;
use lapis_cx::diagnostic::{Diagnostic, Severity};

use crate::outputs::replace_beside;
use crate::{cannot_read, cannot_write, finding};

/// The outputs of one root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Paths as the build wrote them.
    pub outputs: Vec<PathBuf>,
    /// The root as it was named.
    pub root: PathBuf,
    /// The files that its imports led to.
    pub imports: Vec<PathBuf>,
}

/// Writes the rules to `path`, if they differ from what is there. A file that is no list of rules is never replaced.
///
/// # Errors
///
/// What stands against it; then the file is as it was.
pub fn write(path: &Path, rules: &[Rule]) -> Result<(), Diagnostic> {
    let text = text(rules).map_err(|odd| {
        let why = format!("the name `{}` cannot stand in it", odd.display().to_string().escape_default());
        cannot_write(path, why).help("rename that file or folder")
    })?;
    match fs::read(path) {
        Ok(found) if found == text.as_bytes() => return Ok(()),
        Ok(found) if !is_depfile(&found) => {
            let message = format!("`{}` exists and is no dependency file", path.display());
            return Err(finding(&OUTPUT_EXISTS, Severity::Error, message)
                .help("give `--depfile` another name, or delete that file"));
        }
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot_read(path, error)),
        _ => {}
    }
    replace_beside(path, &text).map_err(|error| cannot_write(path, error))
}

/// The text; or a path that no makefile can hold.
fn text(rules: &[Rule]) -> Result<String, &Path> {
    let mut text = String::new();
    for Rule { outputs, root, imports } in rules.iter().filter(|rule| !rule.outputs.is_empty()) {
        let targets: Vec<_> = outputs.iter().map(|path| escape(path)).collect::<Result<_, _>>()?;
        let sources: Vec<_> =
            std::iter::once(root).chain(imports).map(|path| escape(path)).collect::<Result<_, _>>()?;
        text += &format!("{}: {}\n", targets.join(" "), sources.join(" "));
    }
    // A rule without anything for each import: make does not stop when one is gone.
    let imports: BTreeSet<_> = rules.iter().flat_map(|rule| &rule.imports).collect();
    for path in imports.into_iter().filter(|path| !rules.iter().any(|rule| rule.root == **path)) {
        text += &format!("{}:\n", escape(path)?);
    }
    Ok(text)
}

/// A path with what make would take for something else marked: blanks and `#` by a backslash, after which backslashes
/// before them count double; `$` by another one; `:` in a name by a backslash.
fn escape(path: &Path) -> Result<String, &Path> {
    let name = path.to_str().filter(|name| !name.contains(['\n', '\r', '\0'])).ok_or(path)?;
    let mut out = String::new();
    let mut backslashes = 0;
    for (at, c) in name.char_indices() {
        match c {
            ' ' | '\t' | '#' => out.push_str(&"\\".repeat(backslashes + 1)),
            '$' => out.push('$'),
            // The drive of a path as `C:\a` is known to make.
            ':' if !(cfg!(windows) && at == 1) => out.push('\\'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    Ok(out)
}

/// Whether a text may be one that [`text`] made: rules without recipes, or nothing.
fn is_depfile(bytes: &[u8]) -> bool {
    let is_rule = |line: &str| line.ends_with(':') || line.contains(": ") && !line.starts_with([' ', '\t']);
    std::str::from_utf8(bytes).is_ok_and(|text| text.lines().all(is_rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(outputs: &[&str], root: &str, imports: &[&str]) -> Rule {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect();
        Rule { outputs: paths(outputs), root: root.into(), imports: paths(imports) }
    }

    #[test]
    fn rules_name_outputs_sources_and_what_may_go() {
        let rules = [
            rule(&["o/a.h", "o/a.c"], "a.cxspec", &["lib/x.cxspec", "b.cxspec"]),
            rule(&["o/b.h"], "b.cxspec", &["lib/x.cxspec"]),
            rule(&[], "c.cxspec", &[]),
        ];
        let want = "o/a.h o/a.c: a.cxspec lib/x.cxspec b.cxspec\no/b.h: b.cxspec lib/x.cxspec\nlib/x.cxspec:\n";
        let text = text(&rules).unwrap();
        assert_eq!(text, want);
        assert!(is_depfile(text.as_bytes()) && is_depfile(b""));
        for other in ["int main(void) {}\n", "all: x\n\tcc x\n", "a\n", "\u{0}"] {
            assert!(!is_depfile(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn names_are_escaped_as_make_reads_them() {
        for (name, want) in [
            ("a b", "a\\ b"),
            ("a\\ b", "a\\\\\\ b"),
            ("a\\b", "a\\b"),
            ("$x#1", "$$x\\#1"),
            ("a:b", "a\\:b"),
            ("100%", "100%"),
        ] {
            assert_eq!(escape(Path::new(name)), Ok(want.to_owned()));
        }
        assert!(escape(Path::new("a\nb")).is_err());
    }
}
