//! What backends say about use (`Backend::usage`) is true: programs and lines compile without warnings wherever the
//! generated code does, and those of the shipped specs run and print what they say.

#![allow(clippy::unwrap_used, clippy::panic)]

mod asm;
mod c;
mod rust;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lapis_cx::backend::Usage;
use lapis_cx::contract::Interface;
use lapis_cx::driver::Outcome;
use lapis_cx_tests::spec;

/// A spec, compiled.
struct Compiled {
    name: String,
    /// Whether it is one of those that users get.
    is_shipped: bool,
    outcome: Outcome,
}

/// The same, written to a folder of its own.
struct Spec {
    compiled: &'static Compiled,
    folder: PathBuf,
}

impl Spec {
    /// Its interfaces that are not abstract, with what a backend says of each.
    fn usages(&self, backend: &str) -> Vec<(&Interface, Usage)> {
        let backend = lapis_cx_backends::by_name(backend).unwrap();
        let all = spec::contract(&self.compiled.outcome).interfaces();
        all.filter_map(|interface| {
            let usage = backend.usage(interface);
            assert_eq!(usage.is_none(), interface.is_abstract, "{}", interface.name);
            Some((interface, usage?))
        })
        .collect()
    }
}

/// All that is tried: the shipped specs, those of the backends' tests, the kept ones, and what is odd about calls.
fn compiled() -> &'static [Compiled] {
    static COMPILED: OnceLock<Vec<Compiled>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let shipped = spec::shipped().into_iter().map(|name| (true, spec::folder().join(format!("{name}.cxspec"))));
        let mut others: Vec<PathBuf> =
            fs::read_dir(here.join("agreement/kept")).unwrap().map(|entry| entry.unwrap().path()).collect();
        others.sort();
        let odd = ["backends/torture", "backends/open", "backends/rust/tests/names", "tests/usage/odd"];
        others.extend(odd.map(|name| here.join(format!("../{name}.cxspec"))));
        let all = shipped.chain(others.into_iter().map(|path| (false, path)));
        let compile = |(is_shipped, path): (bool, PathBuf)| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let outcome = spec::build_text(&name, fs::read(&path).unwrap());
            Compiled { name, is_shipped, outcome }
        };
        all.map(compile).collect()
    })
}

/// All of it, below a folder.
fn specs(below: &Path) -> Vec<Spec> {
    let write = |compiled: &'static Compiled| {
        let folder = below.join(&compiled.name);
        spec::write(&compiled.outcome, &folder);
        Spec { compiled, folder }
    };
    compiled().iter().map(write).collect()
}

/// What the lines of a program that print say that they print, where they say it: a comment behind the line.
fn said<'a>(program: &'a str, print: &str, comment: [&str; 2]) -> Vec<Option<&'a str>> {
    let lines = program.lines().filter(|line| line.trim_start().starts_with(print));
    lines.map(|line| Some(line.split_once(comment[0])?.1.trim_end_matches(comment[1]).trim())).collect()
}

/// Holds what a program printed against what it says, and gives how many results it says.
fn is_as_said(name: &str, said: &[Option<&str>], printed: &str) -> usize {
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), said.len(), "{name} printed {lines:?} and says {said:?}");
    for (said, line) in said.iter().zip(lines) {
        assert!(said.is_none_or(|said| said == line), "{name} printed {line} and says {said:?}");
    }
    said.iter().flatten().count()
}

#[test]
fn each_file_and_member_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for spec in specs(folder.path()) {
        // A device tree has platforms, and nothing of interfaces.
        for backend in lapis_cx_backends::all().iter().filter(|backend| !["dts", "remoting"].contains(&backend.name()))
        {
            for (interface, usage) in spec.usages(backend.name()) {
                assert!(usage.files.iter().all(|file| spec.folder.join(file).is_file()), "{:?}", usage.files);
                assert!(!usage.files.is_empty());
                for section in &interface.sections {
                    for command in &section.commands {
                        let snippets = usage.commands.iter().filter(|s| s.name == command.name && !s.code.is_empty());
                        assert_eq!(snippets.count(), 1, "{} of {}", command.name, spec.compiled.name);
                    }
                    for csr in &section.csrs {
                        let snippets = usage.csrs.iter().filter(|s| s.name == csr.name && !s.code.is_empty());
                        assert_eq!(snippets.count(), 1, "{} of {}", csr.name, spec.compiled.name);
                    }
                }
            }
        }
    }
}
