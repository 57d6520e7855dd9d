//! The reference of the language is complete: it explains every rule of the grammar and no other, and its examples check.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lapis_cx::diagnostic::render::{Style, render};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};

fn grammars() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars")
}

/// Name and text of each page.
fn pages() -> Vec<(String, String)> {
    let entries = fs::read_dir(grammars().join("reference")).unwrap().map(|e| e.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    paths.sort();
    assert!(paths.len() >= 6);
    paths.iter().map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

/// The rules that leave a node in the tree of a text without mistakes: not silent, and not of the recovery. Keywords and
/// infix operators are part of the rules that use them.
fn rules() -> BTreeSet<String> {
    let grammar = fs::read_to_string(grammars().join("cxspec.pest")).unwrap();
    let (language, recovery) = grammar.split_once("// ---- recovery ----").unwrap();
    assert!(recovery.contains("bad_item"));
    let declared = language.lines().filter_map(|line| line.split_once('='));
    let names = declared.filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_lowercase()));
    let visible = names.filter(|(_, body)| !body.trim_start().starts_with('_'));
    let names =
        visible.map(|(name, _)| name.trim()).filter(|name| !name.starts_with("kw_") && !name.starts_with("op_"));
    names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).map(str::to_owned).collect()
}

/// The rules that a page names behind *Rules*.
fn explained(page: &str) -> Vec<String> {
    let parts = page.split("*Rules:").skip(1).map(|rest| rest.split_once('*').unwrap().0);
    parts.flat_map(|list| list.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_rule_is_explained_once() {
    let rules = rules();
    assert!(rules.len() > 100, "{}", rules.len());
    let mut seen = BTreeSet::new();
    for (path, page) in pages() {
        for rule in explained(&page) {
            assert!(rules.contains(&rule), "{path}: the grammar has no rule `{rule}`");
            assert!(seen.insert(rule.clone()), "{path}: `{rule}` is explained twice");
        }
    }
    let missing: Vec<_> = rules.difference(&seen).collect();
    assert!(missing.is_empty(), "the reference does not explain {missing:?}");
}

#[test]
fn every_example_checks() {
    let mut checked = 0;
    for (path, page) in pages() {
        for block in page.split("```cxspec\n").skip(1) {
            let text = block.split_once("\n```").unwrap().0;
            assert!(text.starts_with("cxspec 1;"), "{path}: no whole file: {text}");
            let root = SourceText { name: path.clone(), bytes: text.as_bytes().to_vec() };
            let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
            assert!(!outcome.has_errors(), "{}", render(&outcome.diagnostics, &outcome.sources, Style::GOLDEN));
            checked += 1;
        }
    }
    assert!(checked >= 6, "{checked}");
}
