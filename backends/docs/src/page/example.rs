//! Examples with what they answer, and laws.

use lapis_cx::contract::Example;
use lapis_cx::oracle::examples::{Answered, trace};

use super::interface::{Bodies, Of, part};
use super::types::{Said, at, grouped};
use super::{docs, table};
use crate::document::{Block, Inline, Section, code, text};
use crate::notation;

/// Every example: its text, and what each step of it answers.
pub fn examples(of: &mut Of<'_>) -> Option<Block> {
    let interface = of.interface;
    let mut seen = Vec::new();
    let mut blocks = Vec::new();
    for example in interface.sections.iter().flat_map(|at| &at.examples) {
        if !seen.contains(&example.span) {
            seen.push(example.span);
            blocks.push(one(of, example, seen.len()));
        }
    }
    part("examples", "Examples", blocks)
}

fn one(of: &mut Of<'_>, example: &Example, number: usize) -> Block {
    let interface = of.interface;
    let mut blocks = docs(&example.docs);
    let node = of.bodies.declarations.at(example.span);
    if let Some(node) = node {
        blocks.push(Block::Code(notation::declaration(node, &of.bodies.names, &mut of.bodies.used)));
    }
    let traced: Said<Vec<Answered>> = interface
        .sections
        .iter()
        .filter_map(|at| {
            let example = at.examples.iter().find(|other| other.span == example.span)?;
            Some((at.xlen, trace(at, example)))
        })
        .collect();
    let groups = grouped(&traced);
    for (xlens, steps) in &groups {
        if groups.len() > 1 || xlens.len() < interface.sections.len() {
            blocks.push(Block::Text(vec![text(format!("At {}:", at(xlens)))]));
        }
        let rows: Vec<_> = steps.iter().map(|step| row(node, step)).collect();
        if !rows.is_empty() {
            blocks.push(table(["Step", "Answers"], rows));
        }
    }
    let title = example.name.clone().unwrap_or_else(|| format!("Example {number}"));
    Block::Section(Section {
        level: 3,
        id: format!("example-{number}"),
        title: vec![text(title)],
        marks: Vec::new(),
        blocks,
    })
}

/// A step, and what it answered.
fn row(node: Option<lapis_cx::syntax::Node<'_>>, step: &Answered) -> Vec<Vec<Inline>> {
    let source = node.and_then(|node| {
        let start = step.span.start.checked_sub(node.span().start)? as usize;
        node.text().get(start..start + (step.span.end - step.span.start) as usize)
    });
    let source: Vec<&str> = source.unwrap_or_default().split_whitespace().collect();
    let mut answers = Vec::new();
    for answer in &step.answers {
        if !answers.is_empty() {
            answers.push(text(", "));
        }
        // One command in a step needs no name.
        if step.answers.len() > 1 {
            answers.extend([code(&answer.name), text(": ")]);
        }
        answers.push(text(answer.value.as_deref().unwrap_or("ok")));
        if let Some(raised) = &answer.raised {
            answers.extend([text(", raises "), code(raised)]);
        }
    }
    if answers.is_empty() {
        answers.push(text("holds"));
    }
    if step.rounds > 1 {
        answers.push(text(format!(" (the last of {} rounds)", step.rounds)));
    }
    vec![vec![code(source.join(" "))], answers]
}

/// Every law, below what is said of all.
pub fn laws(of: &mut Bodies<'_>, intro: &str) -> Option<Block> {
    let mut seen = Vec::new();
    let mut blocks = Vec::new();
    for law in of.sections.iter().flat_map(|at| &at.laws) {
        if seen.contains(&law.span) {
            continue;
        }
        seen.push(law.span);
        blocks.extend(docs(&law.docs));
        blocks.extend(of.declaration(law.span));
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Text(vec![text(intro)]));
    }
    part("laws", "Laws", blocks)
}
