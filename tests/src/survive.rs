//! What the compiler owes to any input, for fuzzers and for the tests that replay what they found.

use std::sync::OnceLock;

use lapis_cx::diagnostic::render;
use lapis_cx::driver::{Effort, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{Node, parse};

use crate::layout::formatted;
use crate::random_spec::complete;
use crate::random_spec::dice::Dice;
use crate::random_spec::judge::judge;
use crate::random_spec::names::Names;
use crate::random_spec::print::{PLAIN, print};
use crate::spec;

/// Tokens that are changed, at most.
const CHANGES: u32 = 8;

/// Compiles bytes as a file and checks what holds of any file: the tree is the text, formatting changes blanks
/// only, findings lie in it and can be shown, and without errors there is a contract.
///
/// # Panics
///
/// If one of these does not hold.
pub fn bytes(data: &[u8]) -> Outcome {
    if let Ok(text) = std::str::from_utf8(data) {
        let mut sources = SourceMap::default();
        let file = sources.add("t.cxspec".to_owned(), text.to_owned());
        let (tree, _) = parse(&sources, file);
        let joined: String = tree.root().leaves().map(Node::text).collect();
        assert_eq!(joined, text, "the tree is not the text");
        formatted(text);
    }
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: data.to_vec() };
    let outcome = compile(root, &mut spec::importable(), &mut NoVerdicts, Effort::Build, lapis_cx_backends::all());
    for diagnostic in &outcome.diagnostics {
        for label in &diagnostic.labels {
            let marked = outcome
                .sources
                .get(label.span.file)
                .and_then(|file| file.text().get(label.span.start as usize..label.span.end as usize));
            assert!(marked.is_some(), "{:?} of {diagnostic:?} lies nowhere", label.span);
        }
    }
    let shown = render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN);
    assert_eq!(shown.is_empty(), outcome.diagnostics.is_empty());
    assert!(outcome.has_errors() || outcome.contract.is_some(), "neither a contract nor an error");
    outcome
}

/// Lets bytes choose: a random spec, which must be right in every respect that needs no compiler of a target; or a
/// spec, random or shipped, with some tokens changed, which must be answered.
///
/// # Panics
///
/// If it is not.
pub fn choices(data: &[u8]) {
    let mut dice = Dice::from_bytes(data);
    let kind = dice.below(4);
    let changes = dice.between(1, CHANGES);
    let text = match kind {
        0 | 1 => {
            let spec = match complete(dice.clone(), "chosen".to_owned()) {
                Ok(spec) => spec,
                Err((_, fault)) => panic!("{}\n{}", fault.kind, fault.what),
            };
            if kind == 0 {
                if let Err(fault) = judge(&spec, &mut dice) {
                    panic!("{}\n{}", fault.kind, fault.what);
                }
                return;
            }
            print(&spec, &Names::plain(&spec), PLAIN)
        }
        _ => dice.pick(shipped()).cloned().unwrap_or_default(),
    };
    bytes(changed(&text, changes, &mut dice).as_bytes());
}

/// The texts of the shipped specs.
fn shipped() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let read = |name: &String| std::fs::read_to_string(spec::folder().join(format!("{name}.cxspec"))).ok();
        spec::shipped().iter().filter_map(read).collect()
    })
}

/// A text with some of its tokens left out, doubled, swapped or put elsewhere.
fn changed(text: &str, changes: u32, dice: &mut Dice) -> String {
    let mut words = tokens(text);
    for _ in 0..changes {
        if words.is_empty() {
            break;
        }
        let (at, other) = (dice.index(words.len()), dice.index(words.len()));
        match dice.below(5) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words.get(other).copied().unwrap_or_default()),
            2 => words.swap(at, other),
            3 => {
                let word = words.get(other).copied().unwrap_or_default();
                words.splice(at..=at, [word]);
            }
            // A part of the file again, or gone.
            _ => {
                let end = (at + dice.index(40)).min(words.len());
                let part: Vec<&str> = words.drain(at.min(end)..end).collect();
                if dice.one_in(2) {
                    let place = other.min(words.len());
                    words.splice(place..place, part);
                }
            }
        }
    }
    words.concat()
}

/// Words, numbers, blanks and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let same = |kind: fn(char) -> bool| rest.find(|c| !kind(c)).unwrap_or(rest.len());
        let len = match c {
            _ if c.is_whitespace() => same(char::is_whitespace),
            _ if c.is_alphanumeric() || c == '_' => same(|c| c.is_alphanumeric() || c == '_'),
            _ => c.len_utf8(),
        };
        let (token, others) = rest.split_at(len);
        tokens.push(token);
        rest = others;
    }
    tokens
}
