//! What backends say about use (`Backend::usage`) is true: programs and lines compile without warnings wherever the
//! generated code does, and those of the shipped specs run and print what they say.

#![allow(clippy::unwrap_used, clippy::panic)]

mod c;
mod rust;

use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::backend::Usage;
use lapis_cx::contract::Interface;
use lapis_cx::driver::Outcome;
use lapis_cx_tests::spec;

/// A spec, compiled and written to a folder of its own.
struct Spec {
    name: String,
    /// Whether it is one of those that users get.
    is_shipped: bool,
    outcome: Outcome,
    folder: PathBuf,
}

impl Spec {
    /// Its interfaces that are not abstract, with what a backend says of each.
    fn usages(&self, backend: &str) -> Vec<(&Interface, Usage)> {
        let backend = lapis_cx_backends::by_name(backend).unwrap();
        let all = spec::contract(&self.outcome).interfaces();
        all.filter_map(|interface| {
            let usage = backend.usage(interface);
            assert_eq!(usage.is_none(), interface.is_abstract, "{}", interface.name);
            Some((interface, usage?))
        })
        .collect()
    }
}

/// All that is tried: the shipped specs, those of the backends' tests, the kept ones, and what is odd about calls.
fn specs(below: &Path) -> Vec<Spec> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<(bool, PathBuf)> = Vec::new();
    let shipped = spec::shipped().into_iter().map(|name| spec::folder().join(format!("{name}.cxspec")));
    paths.extend(shipped.map(|path| (true, path)));
    let mut kept: Vec<PathBuf> =
        fs::read_dir(here.join("agreement/kept")).unwrap().map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    let others = ["../backends/torture.cxspec", "../backends/open.cxspec", "../backends/rust/tests/names.cxspec"];
    kept.extend(others.map(|path| here.join(path)));
    kept.push(here.join("usage/odd.cxspec"));
    paths.extend(kept.into_iter().map(|path| (false, path)));
    paths
        .into_iter()
        .map(|(is_shipped, path)| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let outcome = spec::build_text(&name, fs::read(&path).unwrap());
            let folder = below.join(&name);
            spec::write(&outcome, &folder);
            Spec { name, is_shipped, outcome, folder }
        })
        .collect()
}

/// What the lines of a program that print say that they print, where they say it: a comment behind the line.
fn said<'a>(program: &'a str, print: &str, comment: [&str; 2]) -> Vec<Option<&'a str>> {
    let lines = program.lines().filter(|line| line.trim_start().starts_with(print));
    lines.map(|line| Some(line.split_once(comment[0])?.1.trim_end_matches(comment[1]).trim())).collect()
}

/// Holds what a program printed, and how it ended, against what it says.
fn is_as_said(name: &str, said: &[Option<&str>], printed: &str) {
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), said.len(), "{name} printed {lines:?} and says {said:?}");
    for (said, line) in said.iter().zip(lines) {
        assert!(said.is_none_or(|said| said == line), "{name} printed {line} and says {said:?}");
    }
}

#[test]
fn each_file_and_member_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for spec in specs(folder.path()) {
        for backend in ["c", "rust"] {
            for (interface, usage) in spec.usages(backend) {
                assert!(usage.files.iter().all(|file| spec.folder.join(file).is_file()), "{:?}", usage.files);
                assert!(!usage.files.is_empty());
                for section in &interface.sections {
                    for command in &section.commands {
                        let snippets = usage.commands.iter().filter(|s| s.name == command.name && !s.code.is_empty());
                        assert_eq!(snippets.count(), 1, "{} of {}", command.name, spec.name);
                    }
                    for csr in &section.csrs {
                        let snippets = usage.csrs.iter().filter(|s| s.name == csr.name && !s.code.is_empty());
                        assert_eq!(snippets.count(), 1, "{} of {}", csr.name, spec.name);
                    }
                }
            }
        }
    }
}
