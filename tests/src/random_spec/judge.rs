//! What must be true of every generated spec: it is read as it was meant, it is clean, its contract hash depends on its
//! meaning and on nothing else, and the lowered core does what the oracle says.

use std::fmt::Write;

use lapis_cx::backend::{Backend, Input};
use lapis_cx::contract::{Command as Compiled, Interface as Resolved, Section, Semantics};
use lapis_cx::diagnostic::catalogue::{statements, types};
use lapis_cx::diagnostic::render;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, Outcome, SourceText, compile};
use lapis_cx::lower::ir;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{Kind, Node, Tree, parse};
use lapis_cx_backend_docs::{Format, Input as Documentation, Spec as Documented};

use super::dice::Dice;
use super::model::*;
use super::names::Names;
use super::print::{Layout, PLAIN, Style, print};
use crate::agreement::vectors::{self, Answer, Vector};

/// Vectors for each command and XLEN.
const VECTORS: usize = 40;

/// What is wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In which respect; a smaller spec must be wrong in the same one.
    pub kind: String,
    /// What was found.
    pub what: String,
}

impl Fault {
    fn new(kind: &str, what: impl Into<String>) -> Fault {
        Fault { kind: kind.to_owned(), what: what.into() }
    }
}

/// A spec that passed, and what it is compiled to.
pub struct Judged {
    /// The outcome of its plain text.
    pub outcome: Outcome,
    /// Whether an operator was changed that matters, and the hash with it.
    pub mutated: bool,
}

/// Compiles text, as far as the contract or with some backends.
fn compiled(name: &str, text: &str, backends: &[&dyn Backend]) -> Outcome {
    let root = SourceText { name: format!("{name}.cxspec"), bytes: text.as_bytes().to_vec() };
    compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, backends)
}

/// Compiles text that must be clean.
///
/// # Errors
///
/// What was found.
pub fn clean(name: &str, text: &str, backends: &[&dyn Backend]) -> Result<Outcome, Fault> {
    let outcome = compiled(name, text, backends);
    // A generic function that nothing calls is none of the generator's mistakes, nor is a shift that loses bits.
    let doubtful = [statements::UNCHECKED.code, types::SHIFT_WIDENED.code];
    let Some(first) = outcome.diagnostics.iter().find(|d| !doubtful.contains(&d.code)) else { return Ok(outcome) };
    let shown = render::render(&outcome.diagnostics, &outcome.sources, render::Style::GOLDEN);
    Err(Fault::new(&format!("check {}", first.code), shown))
}

/// Tries everything but compilers of targets.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn judge(spec: &Spec, dice: &mut Dice) -> Result<Judged, Fault> {
    let names = Names::plain(spec);
    let text = print(spec, &names, PLAIN);
    let outcome = clean(&spec.package, &text, lapis_cx_backends::all())?;
    reads_alike(spec, &names, &text, dice)?;
    for (what, text) in variants(spec, &names, dice) {
        let other = clean(&spec.package, &text, &[])
            .map_err(|f| Fault { what: f.what, kind: format!("{what}: {}", f.kind) })?;
        // Of a command without a body the name is all there is to hash.
        let counts = |i: &&Resolved| what != "renamed" || !has_opaque(i);
        if hashes(&other, counts) != hashes(&outcome, counts) {
            return Err(Fault::new(what, format!("another contract hash:\n{text}")));
        }
        if hashes(&other, |i| !counts(i)).iter().any(|h| hashes(&outcome, |i| !counts(i)).contains(h)) {
            return Err(Fault::new(what, format!("the contract hash covers no name of what has no body:\n{text}")));
        }
    }
    let mutated = mutate(spec, &names, dice)?;
    lowered(&outcome)?;
    retold(&outcome)?;
    documented(&outcome)?;
    Ok(Judged { outcome, mutated })
}

/// Whether the printer of Rust says what its tokens say.
///
/// # Errors
///
/// The first place where it says something else.
pub fn retold(outcome: &Outcome) -> Result<(), Fault> {
    let Some(contract) = &outcome.contract else { return Ok(()) };
    let program = lapis_cx::lower::lower(contract);
    let files = lapis_cx_backend_rust::verify(Input::new(contract, &program));
    files.map(|_| ()).map_err(|place| Fault::new("printed Rust", place))
}

/// Whether documentation in each format names every command.
///
/// # Errors
///
/// What it leaves out.
pub fn documented(outcome: &Outcome) -> Result<(), Fault> {
    let Some(contract) = &outcome.contract else { return Ok(()) };
    for format in [Format::Html, Format::Markdown, Format::AsciiDoc] {
        let specs = vec![Documented { name: "spec", contract, sources: &outcome.sources }];
        let input = Documentation { title: "", specs, guides: Vec::new(), backends: lapis_cx_backends::all() };
        let fault = |what: String| Fault::new("documentation", format!("{format:?}: {what}"));
        let files = lapis_cx_backend_docs::print(&input, format).map_err(|error| fault(error.to_string()))?;
        for command in contract.interfaces().flat_map(|i| &i.sections).flat_map(|section| &section.commands) {
            let anchor = format!("command-{}", command.family.as_ref().map_or(&command.name, |(family, _)| family));
            if !files.iter().any(|file| file.text.contains(&anchor)) {
                return Err(fault(format!("nothing about {}", command.name)));
            }
        }
    }
    Ok(())
}

/// Whether the lowered core of an outcome answers as the oracle does.
///
/// # Errors
///
/// The promise that it broke, or the first other answer.
pub fn lowered(outcome: &Outcome) -> Result<(), Fault> {
    for (interface, lowered) in runnable(outcome) {
        for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
            interpreted(interface, section, lowered)?;
        }
    }
    Ok(())
}

/// The interfaces that have something to run, with what they are lowered to.
pub fn runnable(outcome: &Outcome) -> Vec<(&Resolved, ir::Interface)> {
    let Some(contract) = &outcome.contract else { return Vec::new() };
    let program = lapis_cx::lower::lower(contract);
    contract.interfaces().zip(program.interfaces).filter(|(interface, _)| !interface.is_abstract).collect()
}

/// Vectors of a section and what the oracle answers: some of all edges and contexts.
pub fn questions(section: &Section) -> (Vec<Vector>, Vec<Answer>) {
    let vectors = vectors::some(section, VECTORS, 5);
    let answers = vectors::expect(section, &vectors);
    (vectors, answers)
}

fn interpreted(interface: &Resolved, section: &Section, lowered: &ir::Section) -> Result<(), Fault> {
    let (vectors, expected) = questions(section);
    let place = format!("{} at XLEN {}", interface.name, section.xlen);
    match vectors::interpret(section, lowered, &vectors) {
        Err(defect) => Err(Fault::new("the lowered core", format!("{place}: {defect:?}"))),
        Ok(found) => same_answers(&vectors, &expected, &found)
            .map_err(|what| Fault::new("the lowered core", format!("{place}: {what}"))),
    }
}

/// Compares answers with those of the oracle.
///
/// # Errors
///
/// The first vector that is answered otherwise.
pub fn same_answers(vectors: &[Vector], expected: &[Answer], found: &[Answer]) -> Result<(), String> {
    if expected.len() != found.len() {
        return Err(format!("{} answers to {} vectors", found.len(), expected.len()));
    }
    for ((vector, expected), found) in vectors.iter().zip(expected).zip(found) {
        if expected != found {
            return Err(format!("{vector:#x?}\nthe oracle: {expected:x?}\nfound: {found:x?}"));
        }
    }
    Ok(())
}

/// The contract hashes of some interfaces, sorted; abstract interfaces with open constants have none.
fn hashes(outcome: &Outcome, counts: impl Fn(&&Resolved) -> bool) -> Vec<String> {
    let interfaces = outcome.contract.iter().flat_map(|c| c.interfaces()).filter(counts);
    let mut all: Vec<String> = interfaces.map(|i| i.hash.clone()).filter(|hash| !hash.is_empty()).collect();
    all.sort();
    all
}

/// Whether an interface has a command without a body.
fn has_opaque(interface: &Resolved) -> bool {
    interface.sections.iter().flat_map(|s| &s.commands).any(|c| c.semantics == Semantics::Opaque)
}

/// Texts that mean the same.
fn variants(spec: &Spec, names: &Names, dice: &mut Dice) -> Vec<(&'static str, String)> {
    let seed = dice.below(1 << 32);
    let mut moved = spec.clone();
    dice.shuffle(&mut moved.items);
    for item in &mut moved.items {
        if let Item::Interface(interface) = item {
            dice.shuffle(&mut interface.members);
        }
    }
    let strange = Names::strange(spec, dice);
    let wild = Style { all_parentheses: false, docs: true, layout: Layout::Wild(seed) };
    let dense = Style { all_parentheses: true, docs: false, layout: Layout::Tight };
    vec![("renamed", print(spec, &strange, wild)), ("moved", print(&moved, names, dense))]
}

/// The text is read without loss, and alike in every layout.
fn reads_alike(spec: &Spec, names: &Names, text: &str, dice: &mut Dice) -> Result<(), Fault> {
    let plain = tree(text)?;
    let wild = Style { layout: Layout::Wild(dice.below(1 << 32)), ..PLAIN };
    let tight = Style { layout: Layout::Tight, ..PLAIN };
    for style in [wild, tight] {
        let text = print(spec, names, style);
        if shape(tree(&text)?.root(), false) != shape(plain.root(), false) {
            return Err(Fault::new("layout", text));
        }
    }
    let text = print(spec, names, Style { all_parentheses: true, ..PLAIN });
    // `else if` is written as `else { if }` there, which is another tree.
    if !text.contains("else {\n") && shape(tree(&text)?.root(), true) != shape(plain.root(), true) {
        return Err(Fault::new("parentheses", text));
    }
    Ok(())
}

fn tree(text: &str) -> Result<Tree, Fault> {
    let mut sources = SourceMap::default();
    let file = sources.add("t.cxspec".to_owned(), text.to_owned());
    let (tree, findings) = parse(&sources, file);
    let joined: String = tree.root().leaves().map(Node::text).collect();
    if joined != text {
        return Err(Fault::new("lossless", format!("the leaves are not the text:\n{joined}")));
    }
    match findings.first() {
        Some(first) => Err(Fault::new("syntax", format!("{first:?}\n{text}"))),
        None => Ok(tree),
    }
}

/// The tree without blanks and comments, and perhaps without parentheses.
fn shape(root: Node<'_>, without_parentheses: bool) -> String {
    let mut out = String::new();
    // Nodes to be opened, and closed after what is in them.
    let mut stack = vec![Some(root)];
    while let Some(next) = stack.pop() {
        let Some(node) = next else {
            out.push(')');
            continue;
        };
        let transparent = matches!(node.kind(), Kind::paren | Kind::expr | Kind::width);
        if !(without_parentheses && transparent) {
            let _ = write!(out, "({:?}", node.kind());
            stack.push(None);
        }
        let children: Vec<Node<'_>> = node.children().collect();
        if children.is_empty() {
            out.push_str(node.text());
        }
        let dropped = |n: &Node<'_>| {
            without_parentheses && node.kind() == Kind::paren && matches!(n.kind(), Kind::lparen | Kind::rparen)
        };
        stack.extend(children.into_iter().rev().filter(|n| !dropped(n)).map(Some));
    }
    out
}

/// Operators of one length and one rule, so that a change leaves all places of the text where they are.
const FLIPS: &[(&str, &str)] = &[
    ("+%", "-%"),
    ("-%", "*%"),
    ("*%", "+%"),
    ("&", "|"),
    ("|", "^"),
    ("^", "&"),
    ("==", "!="),
    ("!=", "=="),
    ("<", ">"),
    (">", "<"),
    ("<=", ">="),
    (">=", "<="),
    ("&&", "||"),
    ("||", "&&"),
    ("<<", ">>"),
    (">>", "<<"),
    ("/", "%"),
    ("%", "/"),
];

/// Changes one operator of a command: the hash changes if the meaning does. Gives whether it did.
fn mutate(spec: &Spec, names: &Names, dice: &mut Dice) -> Result<bool, Fault> {
    let mut bare = spec.clone();
    for item in &mut bare.items {
        if let Item::Interface(interface) = item {
            interface.members.retain(|m| !matches!(m, Member::Example(_) | Member::Law(_)));
        }
    }
    // With all parentheses, so that another operator moves nothing.
    let style = Style { all_parentheses: true, ..PLAIN };
    let old = compiled(&spec.package, &print(&bare, names, style), &[]);
    for _ in 0..4 {
        let mut changed = bare.clone();
        let mut places = Vec::new();
        for item in &mut changed.items {
            if let Item::Interface(interface) = item {
                for member in &mut interface.members {
                    if let Member::Command(command) = member {
                        command.body.iter_mut().for_each(|body| operators(body, &mut places));
                    }
                }
            }
        }
        if places.is_empty() {
            return Ok(false);
        }
        let at = dice.index(places.len());
        let Some(place) = places.get_mut(at) else { return Ok(false) };
        let Some((_, other)) = FLIPS.iter().find(|(op, _)| *op == **place) else { continue };
        **place = other;
        let after = print(&changed, names, style);
        let new = compiled(&spec.package, &after, &[]);
        if new.has_errors() {
            // Numbers without a size have other bounds now.
            continue;
        }
        let commands = |o: &Outcome| -> Vec<Compiled> {
            let sections = o.contract.iter().flat_map(|c| c.interfaces()).flat_map(|i| &i.sections);
            sections.flat_map(|s| s.commands.clone()).collect()
        };
        let (old_commands, new_commands) = (commands(&old), commands(&new));
        let differ = old_commands != new_commands;
        let rehashed = hashes(&old, |_| true) != hashes(&new, |_| true);
        // Locals that only a branch that is dropped declares are in a body, and not in the hash.
        let locals = |c: &Compiled| match &c.semantics {
            Semantics::Body(body) => body.locals.clone(),
            _ => Vec::new(),
        };
        let same_locals = old_commands.iter().map(locals).eq(new_commands.iter().map(locals));
        if rehashed && !differ || differ && !rehashed && same_locals {
            return Err(Fault::new("mutation", format!("commands differ: {differ}, hashes: {rehashed}\n{after}")));
        }
        if rehashed {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The infix operators of some statements.
fn operators<'a>(stmts: &'a mut [Stmt], out: &mut Vec<&'a mut &'static str>) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(_, _, e) | Stmt::Var(_, _, e) | Stmt::Assign(_, _, _, e) => operators_of(e, out),
            Stmt::If(cond, then, other) => {
                operators_of(cond, out);
                operators(then, out);
                other.iter_mut().for_each(|other| operators(other, out));
            }
            Stmt::For(_, _, _, body) => operators(body, out),
            Stmt::Match(value, arms) => {
                operators_of(value, out);
                arms.iter_mut().for_each(|arm| operators(&mut arm.body, out));
            }
            Stmt::Return(e) => e.iter_mut().for_each(|e| operators_of(e, out)),
            Stmt::Raise { value, .. } => value.iter_mut().for_each(|e| operators_of(e, out)),
            Stmt::Trap => {}
        }
    }
}

fn operators_of<'a>(expr: &'a mut Expr, out: &mut Vec<&'a mut &'static str>) {
    match &mut expr.kind {
        ExprKind::Binary(op, a, b) => {
            out.push(op);
            operators_of(a, out);
            operators_of(b, out);
        }
        other => other.children_mut().into_iter().for_each(|e| operators_of(e, out)),
    }
}

/// Whether a command runs.
pub fn has_body(command: &Compiled) -> bool {
    matches!(command.semantics, Semantics::Body(_))
}
