//! Compares texts that name files. The library in the worker uses other paths and descriptor numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::RawFd;

/// The files whose names differ in the worker.
#[derive(Default)]
pub(super) struct Names {
    /// The descriptors, by their numbers in the program.
    pub numbers: BTreeSet<RawFd>,
    /// The program's names of a file, by the worker's name of its copy.
    pub paths: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>,
}

/// The result of comparing texts of both libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    /// The texts differ where one names a file, but the worker's file is unknown.
    ButForNames,
    Different,
}

impl Names {
    /// Compares a text of both libraries.
    pub fn compare(&self, native: &[u8], remoted: &[u8]) -> Likeness {
        if native == remoted {
            return Likeness::Same;
        }
        let mut is_named = false;
        for (copy, names) in &self.paths {
            if parts(remoted, copy).nth(1).is_none() {
                continue;
            }
            // The program may know the file by another name, so only the surrounding text must match.
            is_named |= is_around(native, parts(remoted, copy));
            for name in names {
                let said = parts(remoted, copy).collect::<Vec<_>>().join(&name[..]);
                if said == native {
                    return Likeness::Same;
                }
            }
        }
        if is_named || self.differs_in_numbers(native, remoted) { Likeness::ButForNames } else { Likeness::Different }
    }

    /// Returns whether the texts differ only in numbers, and the native numbers are descriptors that the worker has too.
    fn differs_in_numbers(&self, native: &[u8], remoted: &[u8]) -> bool {
        let is_descriptor = |run: &[u8]| {
            let number = std::str::from_utf8(run).ok().and_then(|run| run.parse().ok());
            number.is_some_and(|number| self.numbers.contains(&number))
        };
        let is_number = |run: &[u8]| run.first().is_some_and(u8::is_ascii_digit);
        let (mut ours, mut theirs) = (runs(native), runs(remoted));
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(ours), Some(theirs)) if ours == theirs => {}
                (Some(ours), Some(theirs)) if is_number(theirs) && is_descriptor(ours) => {}
                _ => return false,
            }
        }
    }
}

/// Splits a text into numbers and the text between them.
fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit())
}

/// Returns whether a text begins with the first part, ends with the last part, and contains the other parts between them in order.
fn is_around<'t>(text: &[u8], mut parts: impl Iterator<Item = &'t [u8]>) -> bool {
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let at = rest.windows(part.len().max(1)).position(|window| window.starts_with(part));
        let Some(behind) = at.and_then(|at| rest.get(at + part.len()..)) else { return false };
        rest = behind;
    }
    true
}

/// Splits a text at each occurrence of a name.
fn parts<'t>(text: &'t [u8], name: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let all = rest?;
        let at = all.windows(name.len().max(1)).position(|window| window == name);
        rest = at.and_then(|at| all.get(at + name.len()..));
        Some(at.and_then(|at| all.get(..at)).unwrap_or(all))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_alike_but_for_names_of_files() {
        let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        let names = Names {
            numbers: BTreeSet::from([5, 12]),
            paths: BTreeMap::from([(b"/tmp/0/a.gz".to_vec(), texts(&["a.gz", "/home/a.gz"]))]),
        };
        let compare = |native: &str, remoted: &str| names.compare(native.as_bytes(), remoted.as_bytes());
        assert_eq!(compare("a.gz: bad", "/tmp/0/a.gz: bad"), Likeness::Same);
        assert_eq!(compare("/home/a.gz, /home/a.gz-wal", "/tmp/0/a.gz, /tmp/0/a.gz-wal"), Likeness::Same);
        assert_eq!(compare("../a.gz: bad", "/tmp/0/a.gz: bad"), Likeness::ButForNames);
        assert_eq!(compare("../a.gz, ../a.gz-wal", "/tmp/0/a.gz, /tmp/0/a.gz-wal"), Likeness::ButForNames);
        assert_eq!(compare("../a.gz: bad", "/tmp/0/a.gz: good"), Likeness::Different);
        assert_eq!(compare("../a.gz: bad", "no /tmp/0/a.gz: bad"), Likeness::Different);
        assert_eq!(compare("a.gz; a.gz-wal", "/tmp/0/a.gz, /tmp/0/a.gz-wal"), Likeness::Different);
        assert_eq!(compare("", "/tmp/0/a.gz: bad"), Likeness::Different);
        assert_eq!(compare("<fd:5>: bad", "<fd:17>: bad"), Likeness::ButForNames);
        assert_eq!(compare("<fd:12>: bad", "<fd:7>: bad"), Likeness::ButForNames);
        assert_eq!(compare("<fd:5>: bad", "<fd:17>: good"), Likeness::Different);
        assert_eq!(compare("<fd:6>: bad", "<fd:17>: bad"), Likeness::Different);
        assert_eq!(compare("<fd:5>: 3 bad", "<fd:17>: 4 bad"), Likeness::Different);
        assert_eq!(compare("a.gz: bad", "a.gz: good"), Likeness::Different);
        assert_eq!(compare("", "5"), Likeness::Different);
        assert_eq!(compare("same", "same"), Likeness::Same);
    }
}
