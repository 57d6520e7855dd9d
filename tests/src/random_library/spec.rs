//! Prints the specification and the header of a random library.

use std::fmt::Write;

use super::model::{
    Buffer, Effect, Extent, Function, Gives, Library, Lifetime, Place, Returns, Slot, Timing, Type, Valid,
};
use super::names;

/// The specification of a library.
pub fn specification(library: &Library) -> String {
    let mut text = String::from(
        "cxspec 1;\npackage org.example.r;\n/// Made by chance.\nlibrary R {\n    \
         c prefix \"r_\"; c header \"r.h\"; c soname \"libr.so.1\";\n    \
         defaults { sync; ordered(global); atomic; }\n    \
         defaults callback { success true; }\n",
    );
    for (at, handle) in library.handles.iter().enumerate() {
        let parent = handle.parent.map(|parent| format!(" with H{parent}")).unwrap_or_default();
        let mut public = String::new();
        if !handle.public.is_empty() {
            let members: String =
                handle.public.iter().map(|place| format!(" p{}: {};", place.id, member(place))).collect();
            let _ = writeln!(text, "    struct P{at} = \"r_h{at}\" {{{members} }}");
            public = format!(" as P{at}");
        }
        let _ = writeln!(text, "    handle H{at} = \"r_h{at} *\"{public}{parent};");
        let scopes: String = (library.slots.iter().enumerate())
            .filter(|(_, slot)| slot.owner == Some(at) && slot.lifetime == Lifetime::Scope)
            .map(|(slot, _)| format!(" s{slot}: lifetime;"))
            .collect();
        let _ = writeln!(text, "    metadata H{at} {{ count: size;{scopes} }}");
    }
    for (at, item) in library.structs.iter().enumerate() {
        for (name, all) in unions(&item.members) {
            let members: String = all.iter().map(|(_, place)| format!(" p{}: {};", place.id, member(place))).collect();
            let _ = writeln!(text, "    union U{} = \"{name}\" {{{members} }}", &name[3..]);
        }
        let members: String = item.members.iter().map(|place| format!(" p{}: {};", place.id, member(place))).collect();
        let _ = writeln!(text, "    struct S{at} = \"r_s{at}\" {{{members} }}");
    }
    for (at, callback) in library.callbacks.iter().enumerate() {
        let result = if callback.result { " -> int" } else { "" };
        let mut clauses = String::new();
        for (has, clause) in [
            (callback.result, " fails -50;"),
            (callback.asynchronous, " async;"),
            (callback.once, " once;"),
            (callback.errno, " errno;"),
        ] {
            clauses += if has { clause } else { "" };
        }
        if let Some(n) = callback.slots {
            let _ = write!(clauses, " slots({n});");
        }
        let params: Vec<String> = callback.params.iter().map(|place| param(library, place, &[])).collect();
        let _ = writeln!(text, "    callback C{at} = \"r_c{at}\" ({}){result} {{{clauses} }}", params.join(", "));
    }
    for function in &library.functions {
        text += &one(library, function);
    }
    text += "    func made() -> int { success true; fails -99; }\n    func running() -> int { success true; fails 0; }\n    func ran() -> int { success true; fails -99; }\n}\n";
    text
}

/// The header of a library.
pub fn header(library: &Library) -> String {
    let mut text =
        String::from("#ifndef R_H\n#define R_H\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n");
    for at in 0..library.handles.len() {
        let _ = writeln!(text, "typedef struct r_h{at} r_h{at};");
    }
    for at in 0..library.structs.len() {
        let _ = writeln!(text, "typedef struct r_s{at} r_s{at};");
    }
    for (at, callback) in library.callbacks.iter().enumerate() {
        let _ = writeln!(text, "typedef {};", names::callback(&format!("(*r_c{at})"), callback));
    }
    for (at, handle) in library.handles.iter().enumerate().filter(|(_, handle)| !handle.public.is_empty()) {
        let members: String = handle.public.iter().map(names::member).collect();
        let _ = writeln!(text, "struct r_h{at} {{ int id; size_t count; {members} }};");
    }
    for (at, item) in library.structs.iter().enumerate() {
        for (name, all) in unions(&item.members) {
            let members: String = all.iter().map(|(_, place)| names::member(place)).collect();
            let _ = writeln!(text, "typedef union {name} {{ {members} }} {name};");
        }
        let _ = writeln!(text, "struct r_s{at} {{");
        for place in &item.members {
            let _ = writeln!(text, "    {}", names::member(place));
        }
        text += "};\n";
    }
    for function in &library.functions {
        let _ = writeln!(text, "{};", names::prototype(function));
    }
    text += "/* How many callbacks the library has called, or will. */\nint r_made(void);\n";
    text += "/* How many threads have still to write what they saw. */\nint r_running(void);\n/* How many calls of functions that may be asynchronous are over. */\nint r_ran(void);\n#endif\n";
    text
}

fn one(library: &Library, function: &Function) -> String {
    let params: Vec<String> = function.params.iter().map(|place| param(library, place, &function.effects)).collect();
    let (result, mut clauses) = returned(function);
    match function.timing {
        Timing::Sync => {}
        Timing::Async => clauses += if function.result == Returns::Void { " async;" } else { " async returns 0;" },
        Timing::If(id) => {
            let _ = write!(clauses, " when (p{id} != 0) {{ sync; }} else {{ async returns 0; }}");
        }
    }
    clauses += if function.errno { " errno;" } else { "" };
    for effect in &function.effects {
        match effect {
            Effect::Set { value, of } => {
                let of = of.map_or("ret".to_owned(), |of| format!("p{of}"));
                let _ = write!(clauses, " set {of}.count = p{value};");
            }
            Effect::Drop { slot, of: Some(of) } if is_scope(library, *slot) => {
                let _ = write!(clauses, " ends(p{of}.s{slot});");
            }
            _ => {}
        }
    }
    format!("    func f{}({}){result} {{{clauses} }}\n", function.id, params.join(", "))
}

/// The unions of a struct: their names in C and their members.
fn unions(members: &[Place]) -> Vec<(String, &[(i64, Place)])> {
    let mut all = Vec::new();
    for place in members {
        if let Type::Union(_, members) = &place.ty {
            all.push((names::union(members), members.as_slice()));
        }
    }
    all
}

fn is_scope(library: &Library, slot: usize) -> bool {
    library.slots.get(slot).is_some_and(|slot| slot.lifetime == Lifetime::Scope)
}

/// The type of a result, and clauses about it.
fn returned(function: &Function) -> (String, String) {
    let always = " success true;".to_owned();
    match &function.result {
        Returns::Void => (String::new(), always),
        Returns::Status => (" -> int".to_owned(), " success ret >= 0; fails -99;".to_owned()),
        Returns::Number(scalar) => (format!(" -> {}", scalar.spec()), always + " fails 0;"),
        Returns::New(at) => (format!(" -> new H{at}?"), " success ret != null; fails null;".to_owned()),
        Returns::Text => (" -> \"const char *\" as cstr? @lifetime(static)".to_owned(), always + " fails null;"),
        Returns::Elements(scalar, n) => {
            let ty = format!(" -> \"const {} *\" as [{}; {n}]? @lifetime(static)", scalar.c(), scalar.spec());
            (ty, always + " fails null;")
        }
        Returns::Shared(scalar, n) => {
            let ty = format!(" -> \"{} *\" as [{}; {n}]? @lifetime(static)", scalar.c(), scalar.spec());
            (ty, always + " fails null;")
        }
        Returns::Struct(at) => (format!(" -> S{at}"), always),
        Returns::Block(scalar, of) => {
            (format!(" -> \"{} *\" as new [{}; p{of}]?", scalar.c(), scalar.spec()), always + " fails null;")
        }
        Returns::Callback(at, _) => (format!(" -> \"r_c{at}\" as C{at}?"), always + " fails null;"),
        Returns::Within(of) => {
            let c = names::result(&function.result, &function.params);
            (format!(" -> \"{c}\" as within(p{of})?"), always + " fails null;")
        }
    }
}

fn param(library: &Library, place: &Place, effects: &[Effect]) -> String {
    let mut text = format!("p{}: {}", place.id, member(place));
    let kept = place.stated.then(|| effects.iter().find_map(|effect| lifetime(library, place, effect))).flatten();
    text += &kept.unwrap_or_default();
    text
}

/// The lifetime of a place, if this is what keeps it.
fn lifetime(library: &Library, place: &Place, effect: &Effect) -> Option<String> {
    let Effect::Keep { place: kept, slot, of } = effect else { return None };
    let is_user = matches!(&place.ty, Type::User(callbacks) if callbacks.contains(kept));
    if *kept != place.id && !is_user {
        return None;
    }
    let Slot { lifetime, .. } = library.slots.get(*slot)?;
    let of = of.map_or("ret".to_owned(), |of| format!("p{of}"));
    match lifetime {
        // A slot keeps a `once` callback until the library has called it.
        Lifetime::Call => is_user.then(|| format!(" @lifetime(p{kept})")),
        Lifetime::Static => Some(" @lifetime(static)".to_owned()),
        Lifetime::Manual => Some(" @lifetime(manual)".to_owned()),
        Lifetime::Owner => Some(format!(" @lifetime({of})")),
        Lifetime::Scope => Some(format!(" @lifetime({of}.s{slot})")),
    }
}

/// A place with its C type where the two may differ.
fn member(place: &Place) -> String {
    let spelling = match &place.ty {
        Type::Text | Type::Buffer(_) | Type::Choice(..) | Type::Passed(..) => {
            format!("\"{}\" as ", names::c_type(&place.ty))
        }
        _ => String::new(),
    };
    spelling + &place_type(place)
}

fn place_type(place: &Place) -> String {
    let mut text = of_type(&place.ty);
    text += if place.optional { "?" } else { "" };
    if let Type::Buffer(buffer) = &place.ty {
        text += &attributes(buffer);
    }
    text
}

fn attributes(buffer: &Buffer) -> String {
    let mut text = match buffer.valid {
        None => String::new(),
        Some(Valid::Result) => " @valid(ret)".to_owned(),
        Some(Valid::First(of)) => format!(" @valid(p{of}[0])"),
        Some(Valid::MinFirst(of)) => format!(" @valid(min({}, p{of}[0]))", extent(buffer)),
    };
    text += if buffer.always { " @on(true)" } else { "" };
    text
}

fn of_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar.spec().to_owned(),
        Type::Text => "in cstr".to_owned(),
        Type::Buffer(buffer) => {
            format!("{} [{}; {}]", buffer.direction.word(), place_type(&buffer.element), extent(buffer))
        }
        Type::Array(scalar, n) => format!("{}[{n}]", scalar.spec()),
        Type::Tail(on, scalar) => format!("{}[p{on}]", scalar.spec()),
        Type::Union(on, members) => {
            let name = names::union(members);
            let (last, rest) = (members.last().map_or(0, |(_, place)| place.id), members.len().saturating_sub(1));
            let case = |(value, place): &(i64, Place)| format!(" {value} => U{}.p{};", &name[3..], place.id);
            let cases: String = members.iter().take(rest).map(case).collect();
            format!("match (p{on}) {{{cases} _ => U{}.p{last}; }}", &name[3..])
        }
        Type::Struct(at) => format!("S{at}"),
        Type::Handle(at, Gives::Use) => format!("H{at}"),
        Type::Handle(at, Gives::New) => format!("new H{at}"),
        Type::Handle(at, Gives::Own) => format!("own H{at}"),
        Type::Callback(at) => format!("C{at}"),
        Type::User(of) if of.is_empty() => "userdata".to_owned(),
        Type::User(of) => {
            let of: Vec<String> = of.iter().map(|id| format!("p{id}")).collect();
            format!("userdata({})", of.join(", "))
        }
        Type::Choice(on, cases) => {
            let cases: String = cases.iter().map(|(value, ty)| format!(" {value} => {};", of_type(ty))).collect();
            format!("match (p{on}) {{{cases} _ => ptr; }}")
        }
        Type::Taken(_) => "own ptr".to_owned(),
        Type::Passed(scalar, on) => format!("own in [{}; p{on}]", scalar.spec()),
    }
}

/// The size of a buffer as the specification has it, without brackets.
fn extent(buffer: &Buffer) -> String {
    let element = of_type(&buffer.element.ty);
    match &buffer.extent {
        Extent::Fixed(n) => n.to_string(),
        Extent::Count(a) => format!("p{a}"),
        Extent::Times(a, k) => format!("p{a} * {k}"),
        Extent::Plus(a, k) => format!("p{a} + {k}"),
        Extent::Min(a, b) => format!("min(p{a}, p{b})"),
        Extent::Max(a, b) => format!("max(p{a}, p{b})"),
        Extent::Bytes(a) => format!("p{a} / sizeof({element})"),
        Extent::First(a) => format!("p{a}[0]"),
        Extent::Old(a) => format!("old(p{a}[0])"),
        Extent::Zero => "until 0".to_owned(),
        Extent::CountOrZero(a) => format!("p{a} until 0"),
        Extent::Length => "strlen(self) + 1".to_owned(),
        Extent::LengthIfNegative(a) => format!("p{a} < 0 ? strlen(self) + 1 : p{a}"),
        Extent::Index(k) => format!("index + {k}"),
        Extent::Meta(a) => format!("p{a}.count"),
    }
}
