//! A function of a library: parameters, order and failure as tables.

use lapis_cx::contract::library::clause::{Clause, Key, Mode, Thread};
use lapis_cx::contract::library::text::Scope;
use lapis_cx::contract::library::{Function, Rest};

use super::{Of, place};
use crate::document::{Block, Code, Inline, MEANING, Target, code, text};
use crate::page::interface::anchor;
use crate::page::{docs, line, table};
use crate::prose;

/// All functions in a table.
pub fn list(of: &Of<'_>, functions: &[Function], kind: &str) -> Block {
    let rows = functions.iter().map(|function| {
        let target = Target::anchor(of.path.as_str(), anchor(kind, &function.name));
        vec![
            vec![Inline::Link(target, vec![code(&function.name)])],
            vec![text(mode(&function.clauses))],
            prose::brief(docs(&function.docs)),
        ]
    });
    table(["Function", "The caller", MEANING], rows.collect())
}

/// Whether the caller of a function waits.
fn mode(clauses: &[Clause]) -> &'static str {
    let timing = |clause: &Clause| match clause {
        Clause::Timing { mode: Mode::Sync, .. } => Some("waits"),
        Clause::Timing { mode: Mode::Async | Mode::Flush, .. } => Some("goes on"),
        Clause::When { then, otherwise, .. } => {
            let has_timing = |clauses: &[Clause]| clauses.iter().any(|c| matches!(c, Clause::Timing { .. }));
            (has_timing(then) || has_timing(otherwise)).then_some("it depends")
        }
        _ => None,
    };
    // A clause that applies under a condition wins over the others.
    clauses.iter().rev().find_map(timing).unwrap_or("waits")
}

/// All that is said of a function.
pub fn blocks(of: &Of<'_>, function: &Function) -> Vec<Block> {
    let names: Vec<String> = function.params.iter().map(|param| param.name.clone()).collect();
    let scope = Scope::function(of.library, function, &names);
    let mut blocks = docs(&function.docs);
    blocks.extend(prototype(of, function).map(|text| Block::Code(Code::plain("c", text))));
    blocks.extend(places(scope, function));
    let mut facts = Vec::new();
    for clause in &function.clauses {
        facts.extend(fact(of, scope, clause));
    }
    if !facts.is_empty() {
        // Clauses of `defaults` come before those of the function, whatever they are about.
        facts.sort_by_key(|(label, _)| FIRST.iter().position(|first| first == label).unwrap_or(FIRST.len()));
        blocks.push(Block::Facts(facts));
    }
    blocks
}

/// What readers look for first.
const FIRST: [&str; 7] = ["The caller", "Order", "At a time", "Thread", "Requires", "Success", "If it cannot be made"];

/// The declaration in C.
fn prototype(of: &Of<'_>, function: &Function) -> Option<String> {
    of.site.backends.iter().find_map(|backend| backend.declaration(of.library, function))
}

/// Parameters, the result, and arguments that travel beside those of C.
fn places(scope: Scope<'_>, function: &Function) -> Option<Block> {
    let mut rows = Vec::new();
    let mut row = |name: Inline, place: &lapis_cx::contract::library::place::Place, about: &str| {
        let mut direction = place::direction(place.directions);
        if matches!(&name, Inline::Emphasis(_)) && place.directions == Default::default() {
            direction = vec![text("out")];
        }
        rows.push(vec![
            vec![name],
            vec![code(scope.c_type(place))],
            direction,
            place::travels(scope, place),
            place::lifetime(scope, place),
            line(about),
        ]);
    };
    for param in &function.params {
        row(code(&param.name), &param.place, &param.docs);
    }
    for implicit in &function.implicits {
        row(
            code(format!("{} = {}", implicit.name, scope.expr(&implicit.value))),
            &implicit.place,
            "Not an argument of C.",
        );
    }
    if !matches!(function.result.ty, lapis_cx::contract::library::place::Type::Void) {
        row(Inline::Emphasis(vec![text("result")]), &function.result, "");
    }
    if let Some(Rest::Typed(place)) = &function.rest {
        row(code("..."), place, "");
    }
    let places = table(["Name", "Type", "Direction", "Holds", "Lives", MEANING], rows);
    matches!(&places, Block::Table { rows, .. } if !rows.is_empty()).then_some(places)
}

/// A clause as a label and a sentence.
fn fact(of: &Of<'_>, scope: Scope<'_>, clause: &Clause) -> Option<(String, Vec<Inline>)> {
    let label = |label: &str, said: Vec<Inline>| Some((label.to_owned(), said));
    let lists = |all: &[lapis_cx::contract::library::expr::Expr]| {
        let names: Vec<_> = all.iter().map(|e| scope.expr(e)).collect();
        vec![code(names.join(", "))]
    };
    match clause {
        Clause::Timing { mode, returns, until } => {
            let mut said = vec![text(match mode {
                Mode::Sync => "waits until the call is done",
                Mode::Async => "goes on at once",
                Mode::Flush => "goes on at once; all that came before can begin",
            })];
            if !returns.is_empty() {
                said.extend([text(", with "), code(scope.outcomes(returns))]);
            }
            if let Some(until) = until {
                said.extend([text("; what comes back is final when "), code(scope.expr(until))]);
            }
            label("The caller", said)
        }
        Clause::Ordered(keys) => label("Order", sharing(scope, keys, "starts in the caller's order among")),
        Clause::Unordered => label("Order", vec![text("starts in any order")]),
        Clause::Monitor(keys) => label("At a time", sharing(scope, keys, "never together with another of")),
        Clause::Atomic => label("At a time", vec![text("together with any call")]),
        Clause::Thread(thread) => label(
            "Thread",
            vec![text(match thread {
                Thread::Caller => "the one that belongs to the caller's",
                Thread::Any => "any",
                Thread::Main => "the first one",
            })],
        ),
        Clause::Success(condition) => label("Success", vec![code(scope.expr(condition))]),
        Clause::Fails(outcomes) => label("If it cannot be made", vec![code(scope.outcomes(outcomes))]),
        Clause::Requires { condition, otherwise } => {
            let mut said = vec![code(scope.expr(condition))];
            if !otherwise.is_empty() {
                said.extend([text("; else "), code(scope.outcomes(otherwise))]);
            }
            label("Requires", said)
        }
        Clause::Errno => label("errno", vec![text("comes back from the library")]),
        Clause::Set { target, value } => {
            label("Afterwards", vec![code(format!("{} = {}", scope.expr(target), scope.expr(value)))])
        }
        Clause::Pass { target, value } => {
            label("The library gets", vec![code(format!("{} = {}", scope.expr(target), scope.expr(value)))])
        }
        Clause::Ends(scopes) => label("Ends the scopes", lists(scopes)),
        Clause::Once => label("Registered", vec![text("for one call")]),
        Clause::Slots(slots) => label("Registered", vec![text(format!("at most {slots} at once"))]),
        Clause::ByName => label("Address", vec![text("found by name only")]),
        Clause::Account { .. } => label("Resources", vec![code(scope.clause(clause))]),
        Clause::Record(objects) if objects.is_empty() => {
            label("Migration", vec![text("the call is recorded, and made again where the objects go")])
        }
        Clause::Record(objects) => {
            let mut said = vec![text("the call is recorded for ")];
            said.extend(lists(objects));
            label("Migration", said)
        }
        Clause::DependsOn(objects) => label("Exists after", lists(objects)),
        Clause::Snapshot { .. } => label("Snapshot", vec![code(scope.clause(clause))]),
        Clause::Refine { place, to } => {
            label("Argument", vec![code(format!("{}: {}", scope.path(place), scope.place(to)))])
        }
        Clause::Around(..) => label("Around the call", vec![text("text of C runs")]),
        Clause::Replace(_) => label("Replaced", vec![text("text of C runs in place of the call, in the caller")]),
        Clause::CxCall => label("Convention", vec![text("that of CX: shared state is preserved too")]),
        Clause::Impl { uses, .. } => {
            let mut said = Vec::new();
            for one in uses {
                for name in &one.interfaces {
                    let lead = if said.is_empty() { "issues commands of " } else { ", else of " };
                    said.extend([text(lead), of.site.link(&name.package, &name.name)]);
                }
            }
            label("Body", if said.is_empty() { vec![text("in the language of the spec")] } else { said })
        }
        Clause::When { condition, then, otherwise } => {
            let mut said = branch(of, scope, then);
            if !otherwise.is_empty() {
                said.push(text(". Otherwise: "));
                said.extend(branch(of, scope, otherwise));
            }
            label(&format!("If {}", scope.expr(condition)), said)
        }
    }
}

/// The clauses under a condition, one after the other.
fn branch(of: &Of<'_>, scope: Scope<'_>, clauses: &[Clause]) -> Vec<Inline> {
    let mut said = Vec::new();
    for (label, what) in clauses.iter().filter_map(|clause| fact(of, scope, clause)) {
        if !said.is_empty() {
            said.push(text("; "));
        }
        said.extend([Inline::Emphasis(vec![text(label)]), text(": ")]);
        said.extend(what);
    }
    said
}

/// Among which calls something holds.
fn sharing(scope: Scope<'_>, keys: &[Key], what: &str) -> Vec<Inline> {
    let mut said = vec![text(format!("{what} "))];
    for (at, key) in keys.iter().enumerate() {
        if at > 0 {
            said.push(text(", and of "));
        }
        match key {
            Key::Global => said.push(text("all calls")),
            Key::Thread => said.push(text("the calls of one thread")),
            Key::Value(value) => said.extend([text("the calls with the same "), code(scope.expr(value))]),
        }
    }
    said
}
