//! Clauses become the plan of a call.

use super::block::{Planner, Refinement, is_at_exit};
use super::code::{Frames, metadata_elements};
use super::read::Place;
use super::room;
use super::{At, CText, Call, Code, Conditional, Effect, Implicit, Key, Memory, Op, Plan, Size, Store, Target, Timing};
use crate::contract::library::clause::{self, Clause, Outcome, Root};
use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::{Scalar, Type};
use crate::contract::library::{CallbackId, Function, FunctionId, Library, Moment};
use crate::int::Int;
use crate::source::Span;

/// Plans every call of a library.
pub fn plan_library(library: &Library) -> Plan {
    planned(library).0
}

/// What is wrong with a plan; a library that was checked has none of it.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Values whose length needs itself.
    pub circles: Vec<(Memory, At)>,
    /// Values with an expression that asks for a position among elements, where several lists of elements are around.
    pub unclear: Vec<Place>,
    /// Optional `out` members of structs that an expression at exit names: nothing gives the library memory for them.
    pub left_out: Vec<Place>,
    /// The places of functions with an expression that reads or stores a floating-point number.
    pub fractions: Vec<Span>,
    /// There was more than a plan holds.
    pub is_too_large: bool,
}

/// A plan, and what is wrong with it.
pub(super) fn planned(library: &Library) -> (Plan, Faults) {
    let Some(first) = library.functions.iter().chain(&library.callbacks).next() else {
        return (Plan::default(), Faults::default());
    };
    let mut planner = Planner::new(library, first);
    let functions = (0..).zip(&library.functions).map(|(n, function)| {
        let is_local = function.clauses.iter().any(|clause| matches!(clause, Clause::Replace(_) | Clause::Impl { .. }));
        (!is_local).then(|| plan_call(&mut planner, function, Memory::Arguments(FunctionId(n))))
    });
    let functions = functions.collect();
    let callbacks = (0..).zip(&library.callbacks);
    let callbacks =
        callbacks.map(|(n, callback)| plan_call(&mut planner, callback, Memory::CallbackArguments(CallbackId(n))));
    let callbacks = callbacks.collect();
    planner.begin(first, Memory::Arguments(FunctionId(0)));
    let handles = library.handles.iter().map(|handle| planner.public_struct(handle.memory?)).collect();
    let Frames { circles, unclear, fractions, is_too_large, .. } = planner.frames;
    let mut faults = Faults { circles, unclear, fractions, is_too_large, left_out: Vec::new() };
    let (functions, callbacks): (Vec<Option<Call>>, Vec<Call>) = (functions, callbacks);
    let mut plan = Plan { blocks: planner.blocks, handles, ..Plan::default() };
    for call in functions.iter().flatten().chain(&callbacks) {
        faults.left_out.extend(room::mark(library, &mut plan, call));
    }
    (Plan { functions, callbacks, ..plan }, faults)
}

/// Conditions of `when`, each with the truth value that it must have.
type Conditions<'a> = Vec<(&'a Expr, bool)>;

fn flatten<'a>(clauses: &'a [Clause], conditions: &Conditions<'a>, all: &mut Vec<(Conditions<'a>, &'a Clause)>) {
    for clause in clauses {
        let Clause::When { condition, then, otherwise } = clause else {
            all.push((conditions.clone(), clause));
            continue;
        };
        for (holds, clauses) in [(true, then), (false, otherwise)] {
            let mut conditions = conditions.clone();
            conditions.push((condition, holds));
            flatten(clauses, &conditions, all);
        }
    }
}

fn plan_call<'a>(planner: &mut Planner<'a>, function: &'a Function, memory: Memory) -> Call {
    planner.begin(function, memory);
    let mut clauses = Vec::new();
    flatten(&function.clauses, &Vec::new(), &mut clauses);
    // What applies under a condition wins over what always applies.
    clauses.sort_by_key(|(conditions, _)| !conditions.is_empty());

    let refinements: Vec<(Root, Refinement<'a>)> = clauses
        .iter()
        .filter_map(|(conditions, clause)| match clause {
            Clause::Refine { place, to } => {
                Some((place.root, Refinement { conditions: conditions.clone(), steps: &place.steps, to }))
            }
            _ => None,
        })
        .collect();
    let values = planner.arguments(&refinements);
    let implicits = (0..).zip(&function.implicits).map(|(position, implicit)| Implicit {
        position,
        // Text of C fills an inline array: its value is stored nowhere.
        size: match &implicit.place.ty {
            Type::Array { .. } => Size::Nothing,
            _ => planner.frames.sizes().size(&implicit.place),
        },
        at_exit: is_at_exit(&implicit.place),
        value: planner.frames.code(&implicit.value),
    });
    let mut call = Call {
        arguments: super::BlockId(0),
        implicits: implicits.collect(),
        variables: planner.variables(function),
        timing: Vec::new(),
        order: Vec::new(),
        monitor: Vec::new(),
        thread: Vec::new(),
        success: Vec::new(),
        requires: Vec::new(),
        fails: Vec::new(),
        errno: Vec::new(),
        passes: Vec::new(),
        effects: Vec::new(),
        c_text: Vec::new(),
        is_once: false,
        slots: None,
    };
    for (conditions, clause) in &clauses {
        let condition = (!conditions.is_empty()).then(|| planner.all(conditions));
        add(planner, &mut call, condition, clause);
    }
    call.arguments = planner.finish(memory, values);
    call
}

fn add<'a>(planner: &mut Planner<'a>, call: &mut Call, condition: Option<Code>, clause: &'a Clause) {
    let code = |planner: &mut Planner<'a>, e: &Expr| planner.frames.code(e);
    let codes = |planner: &mut Planner<'a>, all: &[Expr]| all.iter().map(|e| planner.frames.code(e)).collect();
    match clause {
        Clause::Timing { mode, returns, until } => {
            let returns = stores(planner, returns);
            let until = until.as_ref().map(|e| code(planner, e));
            call.timing.push(Conditional { condition, then: Timing { mode: *mode, returns, until } });
        }
        Clause::Ordered(all) => {
            let then = keys(planner, all);
            call.order.push(Conditional { condition, then });
        }
        Clause::Unordered => call.order.push(Conditional { condition, then: Vec::new() }),
        Clause::Monitor(all) => {
            let then = keys(planner, all);
            call.monitor.push(Conditional { condition, then });
        }
        Clause::Atomic => call.monitor.push(Conditional { condition, then: Vec::new() }),
        Clause::Thread(thread) => call.thread.push(Conditional { condition, then: *thread }),
        Clause::Success(e) => {
            let then = code(planner, e);
            call.success.push(Conditional { condition, then });
        }
        Clause::Fails(outcomes) => {
            let then = stores(planner, outcomes);
            call.fails.push(Conditional { condition, then });
        }
        Clause::Requires { condition: required, otherwise } => {
            let then = (code(planner, required), stores(planner, otherwise));
            call.requires.push(Conditional { condition, then });
        }
        Clause::Errno => call.errno.push(Conditional { condition, then: true }),
        Clause::Set { target, value } => {
            for store in sets(planner, target, value) {
                call.effects.push(Conditional { condition: condition.clone(), then: Effect::Set(store) });
            }
        }
        Clause::Pass { target, value } => {
            let store = store(planner, target, value);
            call.passes.extend(store.map(|then| Conditional { condition, then }));
        }
        Clause::Ends(scopes) => {
            for scope in scopes {
                if let ExprKind::Metadata { base, of, member } = &scope.kind {
                    let then = Effect::Ends(*of, *member, code(planner, base));
                    call.effects.push(Conditional { condition: condition.clone(), then });
                }
            }
        }
        Clause::Account { change, resource, amount } => {
            let at_entry = amount.when == When::Entry;
            let amount = code(planner, amount);
            let then = Effect::Account { change: *change, resource: *resource, amount, at_entry };
            call.effects.push(Conditional { condition, then });
        }
        Clause::Record(objects) => {
            let then = Effect::Record(codes(planner, objects));
            call.effects.push(Conditional { condition, then });
        }
        Clause::DependsOn(objects) => {
            let then = Effect::DependsOn(codes(planner, objects));
            call.effects.push(Conditional { condition, then });
        }
        Clause::Snapshot { extract, restore } => {
            call.effects.push(Conditional { condition, then: Effect::Snapshot(*extract, *restore) });
        }
        Clause::Around(moment, text) => {
            let then = CText { is_before: *moment == Moment::Before, text: text.text.clone() };
            call.c_text.push(Conditional { condition, then });
        }
        Clause::Once => call.is_once = true,
        Clause::Slots(count) => call.slots = Some(*count),
        // These are in the values, or the function is not planned.
        Clause::Refine { .. } | Clause::Replace(_) | Clause::Impl { .. } => {}
        // How a pointer to the function is got, and which registers it keeps, is nothing that travels.
        Clause::ByName | Clause::CxCall | Clause::When { .. } => {}
    }
}

fn keys(planner: &mut Planner<'_>, all: &[clause::Key]) -> Vec<Key> {
    let key = |key: &clause::Key| match key {
        clause::Key::Global => Key::Global,
        clause::Key::Thread => Key::Thread,
        clause::Key::Value(e) => Key::Value(planner.frames.code(e)),
    };
    all.iter().map(key).collect()
}

fn stores(planner: &mut Planner<'_>, outcomes: &[Outcome]) -> Vec<Store> {
    outcomes.iter().filter_map(|one| store(planner, &one.target, &one.value)).collect()
}

/// What `set` stores: of an inline array each element.
fn sets(planner: &mut Planner<'_>, target: &Expr, value: &Expr) -> Vec<Store> {
    if let ExprKind::Metadata { base, of, member } = &target.kind
        && let Some(count) = metadata_elements(planner.frames.library, *of, *member)
    {
        let element = |at: u32| Expr {
            value: ValueKind::Int,
            when: value.when,
            kind: ExprKind::Element(Box::new(value.clone()), Box::new(number(at))),
        };
        let base = planner.frames.code(base);
        let store = |at: u32| Store {
            target: Target::MetadataElement(*of, *member, at, base.clone()),
            value: planner.frames.code(&element(at)),
        };
        return (0..count).map(store).collect();
    }
    store(planner, target, value).into_iter().collect()
}

fn number(value: u32) -> Expr {
    Expr { value: ValueKind::Int, when: When::Entry, kind: ExprKind::Int(Int::from(value)) }
}

fn store(planner: &mut Planner<'_>, target: &Expr, value: &Expr) -> Option<Store> {
    let mut code = planner.frames.code(value);
    let target = match &target.kind {
        ExprKind::Errno => Target::Errno,
        ExprKind::Metadata { base, of, member } => Target::Metadata(*of, *member, planner.frames.code(base)),
        _ => {
            let place = planner.frames.place(target, 0)?;
            let (address, load) = planner.frames.address_code(target)?;
            match (&place.ty, load) {
                (ty, Some(Op::Load(number))) => {
                    if let Type::Scalar(scalar @ (Scalar::Float | Scalar::Double)) = ty
                        && !store_bits(&mut code, *scalar)
                    {
                        planner.frames.fractions.push(planner.frames.function.span);
                    }
                    Target::Memory(address, number.size)
                }
                // Handles need not be pointers in C.
                (Type::Handle(_), Some(Op::Follow(size))) => Target::Memory(address, size),
                (_, Some(Op::Follow(_))) => Target::Pointer(address),
                _ => return None,
            }
        }
    };
    Some(Store { target, value: code })
}

/// Lets the value of an expression be the bits of a floating-point number. Returns false unless the expression is an integer constant or text of C.
fn store_bits(code: &mut Code, scalar: Scalar) -> bool {
    let is_double = scalar == Scalar::Double;
    match &mut code.ops[..] {
        [Op::Int(value)] => {
            let number = value.to_i128().unwrap_or_default();
            let bits = if is_double { (number as f64).to_bits() } else { u64::from((number as f32).to_bits()) };
            *value = Int::from(bits);
            true
        }
        [Op::Native(_, text)] => {
            *text = format!("{}({})", if is_double { "cxr_double" } else { "cxr_float" }, text.trim());
            true
        }
        _ => false,
    }
}
