//! Prints C that makes arguments: what a caller passes, by chance, but as the specification says.

use super::emit::{Emitter, Scope, inline_count, random, scalar_of};
use super::model::{Buffer, Extent, Gives, Place, Scalar, Type};
use super::names;

/// The most elements that are no plain numbers.
const FEW: u32 = 4;
/// The most elements of an array that ends a struct.
const TAIL: u32 = 64;
/// The most elements.
const MANY: u32 = 1 << 20;

/// What decides about a number of a scope.
enum Role {
    /// Nothing.
    Free,
    /// It is a size of at most this.
    Size(u32),
    /// It is a size, or below zero.
    SizeOrLess(u32),
    /// It says which case there is.
    Cases(Vec<i64>),
}

/// Makes a place, which is `expr`.
pub fn make(to: &mut Emitter, place: &Place, expr: &str, scope: Scope<'_>, index: &str) {
    let null = |odds: u32| if place.optional { format!("chance(l, {odds})") } else { "false".to_owned() };
    match &place.ty {
        Type::Scalar(scalar) => to.line(format!("{expr} = {};", number(scope, place.id, *scalar))),
        Type::Text => to.line(format!("{expr} = {} ? NULL : text(l);", null(4))),
        Type::Union(on, members) => to.union(*on, members, expr, scope, |to, place, expr| {
            make(to, place, expr, scope, index);
        }),
        Type::Array(scalar, _) | Type::Tail(_, scalar) => {
            let (i, n) = (to.variable("i"), inline_count(&place.ty, scope));
            to.line(format!("for (int {i} = 0; {i} < {n}; {i}++) {expr}[{i}] = {};", random(*scalar)));
        }
        Type::Struct(at) => to.line(format!("make_s{at}(l, &{expr}, depth + 1);")),
        Type::Handle(_, Gives::New) => to.line(format!("{expr} = NULL;")),
        Type::Handle(..) if to.objects.contains(&place.id) => to.line(format!("{expr} = o{};", place.id)),
        Type::Handle(at, _) => to.line(format!("{expr} = l->object[{at}];")),
        Type::Callback(at) => to.line(format!("{expr} = {} ? NULL : PICK(l, {at});", null(4))),
        Type::User(of) => {
            let there: Vec<String> = of.iter().map(|id| scope.name(*id)).collect();
            let there = if there.is_empty() { "1".to_owned() } else { there.join(" || ") };
            to.line(format!("{expr} = {there} ? l->user : NULL;"));
        }
        Type::Passed(scalar, on) => {
            let (i, n, c) = (to.variable("i"), scope.name(*on), scalar.c());
            to.line(format!("{expr} = {} ? NULL : malloc((size_t){n} * sizeof({c}) + 1);", null(4)));
            let value = random(*scalar);
            to.line(format!("for (size_t {i} = 0; {expr} && {i} < (size_t){n}; {i}++) {expr}[{i}] = {value};"));
        }
        Type::Taken(slot) => to.line(format!("{expr} = kept_{slot};")),
        Type::Choice(on, cases) => {
            to.line(format!("{expr} = NULL;\nswitch ((int){}) {{", scope.name(*on)));
            for (value, ty) in cases {
                let chosen = to.variable("chosen");
                let c = match ty {
                    Type::Buffer(buffer) => names::typed(buffer),
                    other => names::c_type(other),
                };
                to.line(format!("case {value}: {{\n{c} {chosen};"));
                let case = Place { id: u32::MAX, ty: ty.clone(), optional: place.optional, stated: false };
                make(to, &case, &chosen, scope, index);
                to.line(format!("{expr} = (void *){chosen};\nbreak;\n}}"));
            }
            to.line(format!("default: {expr} = (void *)(uintptr_t)(rnd(l) % 1000);\n}}"));
        }
        Type::Buffer(buffer) => make_buffer(to, place, buffer, expr, scope, index),
    }
}

fn make_buffer(to: &mut Emitter, place: &Place, buffer: &Buffer, expr: &str, scope: Scope<'_>, index: &str) {
    let (n, i) = (to.variable("n"), to.variable("i"));
    let is_list = matches!(buffer.element.ty, Type::Struct(_)) && place.optional;
    let null = match (place.optional, is_list) {
        (true, true) => "depth > 3 || rnd(l) % 3 == 0",
        (true, false) => "chance(l, 4)",
        _ => "false",
    };
    to.line(format!("if ({null}) {expr} = NULL;\nelse {{"));
    let most = limit(&buffer.element);
    let length = match &buffer.extent {
        Extent::Zero | Extent::Length => format!("1 + count(l, {})", most.min(5000)),
        Extent::CountOrZero(a) => format!("(size_t){}", scope.name(*a)),
        Extent::LengthIfNegative(a) => format!("{0} < 0 ? 1 + count(l, 5000) : (size_t){0}", scope.name(*a)),
        Extent::Old(a) => format!("({0} ? (size_t)*{0} : 0)", scope.name(*a)),
        _ => Emitter::extent(buffer, expr, scope, index),
    };
    let element = names::c_type(&buffer.element.ty);
    to.line(format!("size_t {n} = {length};"));
    let tail = match buffer.element.ty {
        Type::Struct(at) if to.tails.contains(&at) => format!(" + {TAIL} * sizeof(uint64_t)"),
        _ => String::new(),
    };
    to.line(format!("{expr} = room(l, {n} * sizeof({element}){tail});"));
    to.line(format!("for (size_t {i} = 0; {i} < {n}; {i}++) {{"));
    let typed = format!("(({}){expr})", names::typed(buffer));
    let one = format!("{typed}[{i}]");
    match &buffer.element.ty {
        Type::Scalar(_) if is_size(scope, place.id) => {
            to.line(format!("{one} = count(l, {});", size_limit(scope, place.id)));
        }
        // Nothing but the end is zero.
        Type::Scalar(_) if ends(&buffer.extent) => to.line(format!("{one} = 1 + rnd(l) % 100;")),
        Type::Handle(_, Gives::Use | Gives::Own) if to.objects.contains(&place.id) => {
            to.line(format!("{one} = o{}[{i}];", place.id));
        }
        _ => make(to, &buffer.element, &one, scope, &i),
    }
    to.line("}");
    match &buffer.extent {
        Extent::Zero | Extent::Length => to.line(format!("{typed}[{n} - 1] = 0;")),
        Extent::CountOrZero(_) => to.line(format!("if ({n} && rnd(l) % 2) {typed}[rnd(l) % {n}] = 0;")),
        Extent::LengthIfNegative(a) => to.line(format!("if ({} < 0) {typed}[{n} - 1] = 0;", scope.name(*a))),
        _ => {}
    }
    to.line("}");
}

fn ends(extent: &Extent) -> bool {
    matches!(extent, Extent::Zero | Extent::Length | Extent::CountOrZero(_) | Extent::LengthIfNegative(_))
}

/// How many such elements there are at most.
fn limit(element: &Place) -> u32 {
    if matches!(element.ty, Type::Scalar(_)) { MANY } else { FEW }
}

/// Whether what a pointer points to is a size.
fn is_size(scope: Scope<'_>, id: u32) -> bool {
    let reads = |place: &Place| match &place.ty {
        Type::Buffer(buffer) => buffer.extent == Extent::First(id) || buffer.extent == Extent::Old(id),
        _ => false,
    };
    scope.places.iter().any(reads)
}

/// The most that a size may be, of all that read it.
fn size_limit(scope: Scope<'_>, id: u32) -> u32 {
    scope.places.iter().map(|place| most(&place.ty, id)).min().unwrap_or(MANY)
}

fn most(ty: &Type, id: u32) -> u32 {
    match ty {
        Type::Buffer(buffer) => {
            let here = if buffer.extent.reads().contains(&id) { limit(&buffer.element) } else { MANY };
            // Elements are many, if each has a buffer.
            let inner = most(&buffer.element.ty, id);
            here.min(if inner == MANY { inner } else { inner.min(FEW) })
        }
        Type::Choice(_, cases) => cases.iter().map(|(_, ty)| most(ty, id)).min().unwrap_or(MANY),
        Type::Tail(on, _) if *on == id => TAIL,
        Type::Passed(_, on) if *on == id => MANY,
        _ => MANY,
    }
}

/// A number that a scope's sizes and choices may read, as C.
fn number(scope: Scope<'_>, id: u32, scalar: Scalar) -> String {
    let most = |n: u32| match scalar {
        Scalar::U8 | Scalar::Char | Scalar::S8 => n.min(100),
        Scalar::U16 | Scalar::S16 => n.min(30_000),
        _ => n,
    };
    match role(scope, id) {
        Role::Free => random(scalar),
        Role::Size(n) => format!("count(l, {})", most(n)),
        Role::SizeOrLess(n) => format!("rnd(l) % 3 ? ({}){} : -1", scalar.c(), format_args!("count(l, {})", most(n))),
        Role::Cases(values) => {
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            format!("((int[]){{{}, 99}})[rnd(l) % {}]", values.join(", "), values.len() + 1)
        }
    }
}

fn role(scope: Scope<'_>, id: u32) -> Role {
    for place in scope.places {
        match &place.ty {
            Type::Choice(on, cases) if *on == id => {
                return Role::Cases(cases.iter().map(|(value, _)| *value).collect());
            }
            Type::Union(on, members) if *on == id => {
                return Role::Cases(members.iter().map(|(value, _)| *value).collect());
            }
            Type::Buffer(Buffer { extent: Extent::LengthIfNegative(a), .. }) if *a == id => {
                return Role::SizeOrLess(size_limit(scope, id));
            }
            _ => {}
        }
    }
    let is_read = scope.places.iter().any(|place| reads_size(&place.ty, id));
    if is_read && scalar_of(scope, id).is_some() { Role::Size(size_limit(scope, id)) } else { Role::Free }
}

fn reads_size(ty: &Type, id: u32) -> bool {
    match ty {
        Type::Buffer(buffer) => buffer.extent.reads().contains(&id) || reads_size(&buffer.element.ty, id),
        Type::Choice(_, cases) => cases.iter().any(|(_, ty)| reads_size(ty, id)),
        Type::Tail(on, _) | Type::Passed(_, on) => *on == id,
        _ => false,
    }
}
