//! Which objects die with which: a table of handles, and a drawing.

use lapis_cx::contract::library::clause::{Clause, Path};
use lapis_cx::contract::library::expr::{Expr, ExprKind, ValueKind};
use lapis_cx::contract::library::place::{Lifetime, Place, Type};
use lapis_cx::contract::library::text::Scope;
use lapis_cx::contract::library::{Function, HandleId, Library, StructId};

use super::Of;
use crate::document::{Block, Inline, MEANING, Target, code, text};
use crate::figure::{Edge, Figure, Graph, Node, Shape};
use crate::page::interface::{anchor, part};
use crate::page::{line, table};

/// The handles: what each dies with, and which functions make and take it.
pub fn handles(of: &mut Of<'_>) -> Option<Block> {
    let library = of.library;
    let mut rows = Vec::new();
    for (at, handle) in library.handles.iter().enumerate() {
        of.entry("handle", &handle.name, "handles", &handle.docs);
        let parent = handle.parent.and_then(|id| library.handles.get(id.index()));
        let id = HandleId(at as u32);
        rows.push(vec![
            vec![code(&handle.name)],
            vec![code(library.name_in_c(handle.c.as_deref(), &handle.name))],
            parent.map_or_else(Vec::new, |parent| vec![code(&parent.name)]),
            links(of, &of_functions(library, id, |place| place.directions.new)),
            links(of, &of_functions(library, id, |place| place.directions.own)),
            line(&handle.docs),
        ]);
    }
    let table = table(["Handle", "In C", "Dies with its", "Made by", "Taken by", MEANING], rows);
    part("handles", "Handles", if library.handles.is_empty() { Vec::new() } else { vec![table] })
}

fn links(of: &Of<'_>, functions: &[&Function]) -> Vec<Inline> {
    let mut out = Vec::new();
    for function in functions {
        if !out.is_empty() {
            out.push(text(", "));
        }
        let target = Target::anchor(of.path.as_str(), anchor("func", &function.name));
        out.push(Inline::Link(target, vec![code(&function.name)]));
    }
    out
}

/// The functions with a place of a handle of which something holds.
fn of_functions(library: &Library, id: HandleId, test: impl Fn(&Place) -> bool) -> Vec<&Function> {
    let functions = library.functions.iter();
    let has = |function: &&Function| places(function).any(|place| holds(place, id, &test));
    functions.filter(has).collect()
}

fn places(function: &Function) -> impl Iterator<Item = &Place> {
    function.params.iter().map(|param| &param.place).chain([&function.result])
}

/// Whether a place, or an element of it, is such a handle.
fn holds(place: &Place, id: HandleId, test: &impl Fn(&Place) -> bool) -> bool {
    match &place.ty {
        Type::Handle(handle) => *handle == id && test(place),
        Type::Buffer { element, .. } | Type::Array { element, .. } => holds(element, id, test),
        _ => false,
    }
}

/// Something that has a life.
struct Life {
    /// What other lives can hang on.
    key: Option<Key>,
    text: String,
    note: String,
    parent: Option<Key>,
}

/// What lives hang on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Handle(HandleId),
    /// A struct that both sides have, each its own.
    Struct(StructId),
}

/// What a lifetime names, if it is an object.
fn key(expr: &Expr, function: &Function) -> Option<Key> {
    match (expr.value, &expr.kind) {
        (ValueKind::Handle(id), _) => Some(Key::Handle(id)),
        (ValueKind::Struct(id), _) => Some(Key::Struct(id)),
        (_, ExprKind::Param(at)) => pointed(&function.params.get(*at as usize)?.place),
        (_, ExprKind::Ret) => pointed(&function.result),
        _ => None,
    }
}

/// The struct that a place points to.
fn pointed(place: &Place) -> Option<Key> {
    match &place.ty {
        Type::Buffer { element, .. } => pointed(element),
        Type::Struct { id, .. } => Some(Key::Struct(*id)),
        _ => None,
    }
}

/// The drawing, if something dies with something else.
pub fn lifetimes(of: &Of<'_>) -> Option<Block> {
    let library = of.library;
    let mut lives: Vec<Life> = Vec::new();
    for (at, handle) in library.handles.iter().enumerate() {
        let parent = handle.parent.map(Key::Handle);
        let key = Some(Key::Handle(HandleId(at as u32)));
        lives.push(Life { key, text: handle.name.clone(), note: "handle".into(), parent });
    }
    for function in &library.functions {
        let mut coupled = |name: &str, place: &Place| {
            let Some(Lifetime::Until(until)) = &place.lifetime else { return };
            let Some(parent) = key(until, function) else { return };
            if let Key::Struct(id) = parent
                && lives.iter().all(|life| life.key != Some(parent))
            {
                let name = library.structs.get(id.index()).map_or_else(String::new, |def| def.name.clone());
                lives.push(Life { key: Some(parent), text: name, note: "struct".into(), parent: None });
            }
            let note = format!("of {}", function.name);
            lives.push(Life { key: None, text: name.to_owned(), note, parent: Some(parent) });
        };
        function.params.iter().for_each(|param| coupled(&param.name, &param.place));
        coupled("result", &function.result);
        let names: Vec<String> = function.params.iter().map(|param| param.name.clone()).collect();
        let scope = Scope::function(library, function, &names);
        refined(&function.clauses, &mut |path, place| coupled(&scope.path(path), place));
    }
    // What hangs on nothing, and on which nothing hangs, is only in the way.
    let parents: Vec<Key> = lives.iter().filter_map(|life| life.parent).collect();
    lives.retain(|life| life.parent.is_some() || life.key.is_some_and(|key| parents.contains(&key)));
    if lives.is_empty() {
        return None;
    }
    let graph = tree(&lives);
    let intro =
        "What is to the right of something dies with it, at the latest. What is not here lives until it is given back.";
    let figure = Figure { about: format!("lifetimes in {}", library.name), shape: Shape::Graph(graph) };
    part("lifetimes", "What dies with what", vec![Block::Text(vec![text(intro)]), Block::Figure(figure)])
}

/// The places to which clauses give more attributes, under whatever condition.
fn refined<'c>(clauses: &'c [Clause], each: &mut impl FnMut(&'c Path, &'c Place)) {
    for clause in clauses {
        match clause {
            Clause::Refine { place, to } => each(place, to),
            Clause::When { then, otherwise, .. } => {
                refined(then, each);
                refined(otherwise, each);
            }
            _ => {}
        }
    }
}

/// A tree from left to right: each in the row of its first child.
fn tree(lives: &[Life]) -> Graph {
    let mut graph = Graph::default();
    let mut row = 0;
    // The last is next, and the parent's node comes first. A parent is declared before its child, so no circle is here; each
    // is placed once all the same.
    let mut placed: Vec<Option<usize>> = vec![None; lives.len()];
    let roots = (0..lives.len()).filter(|at| lives.get(*at).is_some_and(|life| life.parent.is_none()));
    for root in roots {
        let mut open = vec![(root, 0, None)];
        while let Some((at, column, parent)) = open.pop() {
            let Some(life) = lives.get(at).filter(|_| placed.get(at) == Some(&None)) else { continue };
            let node = graph.nodes.len();
            graph.nodes.push(Node { column, row, text: life.text.clone(), note: life.note.clone() });
            if let Some(slot) = placed.get_mut(at) {
                *slot = Some(node);
            }
            if let Some(parent) = parent {
                graph.edges.push(Edge { from: parent, to: node, text: String::new() });
            }
            let children: Vec<_> = (0..lives.len())
                .filter(|child| lives.get(*child).is_some_and(|one| one.parent.is_some() && one.parent == life.key))
                .collect();
            if children.is_empty() {
                row += 1;
            }
            open.extend(children.into_iter().rev().map(|child| (child, column + 1, Some(node))));
        }
    }
    graph
}
