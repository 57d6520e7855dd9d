//! Places in words: what travels, and how long it lives.

use lapis_cx::contract::library::place::{Directions, Lifetime, Place, Type, ZeroCopy};
use lapis_cx::contract::library::text::Scope;

use crate::document::{Inline, code, text};

/// The direction of a place, for a table.
pub fn direction(directions: Directions) -> Vec<Inline> {
    let words = [
        (directions.input && directions.output, "in and out"),
        (directions.input && !directions.output, "in"),
        (directions.output && !directions.input, "out"),
        (directions.new, "new: it belongs to the receiver"),
        (directions.own, "own: the call takes it"),
        (directions.local, "local: it does not travel"),
    ];
    let said: Vec<_> = words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
    vec![text(if said.is_empty() { "in".to_owned() } else { said.join("; ") })]
}

/// What a place holds.
pub fn travels(scope: Scope<'_>, place: &Place) -> Vec<Inline> {
    let mut out = match &place.ty {
        Type::Buffer { element, len, until } => {
            let mut out = Vec::new();
            match (len, until) {
                (Some(len), Some(_)) => out.extend([text("at most "), code(scope.expr(len)), text(" of ")]),
                (Some(len), None) => out.extend([code(scope.expr(len)), text(" of ")]),
                _ => {}
            }
            out.push(code(scope.place(element)));
            if let Some(until) = until {
                out.extend([text(" up to "), code(scope.expr(until))]);
            }
            out
        }
        Type::Handle(_) => vec![text("a handle")],
        Type::Callback(_) => vec![text("a function of the caller")],
        Type::Userdata(_) => vec![text("what the callback gets")],
        Type::Ptr => vec![text("an address that is not followed")],
        Type::File => vec![text("a file of the caller")],
        Type::Stream => vec![text("bytes in sequence")],
        Type::Lifetime => vec![text("a scope")],
        Type::Within(Some(of)) => vec![text("a place in "), code(scope.expr(of))],
        Type::Within(None) => vec![text("a place in a region")],
        // The type says it.
        Type::Scalar(_) | Type::Enum(_) => Vec::new(),
        other => vec![code(scope.ty(other))],
    };
    if let Some(valid) = &place.valid {
        out.extend([text("; the first "), code(scope.expr(valid)), text(" are valid")]);
    }
    if let Some(on) = &place.on {
        out.extend([text("; if "), code(scope.expr(on))]);
    }
    if let Some(room) = &place.room {
        out.extend([text("; with "), code(scope.expr(room)), text(" bytes of its own")]);
    }
    match place.zero_copy {
        Some(ZeroCopy::Virtual) => out.push(text("; shared, never copied")),
        Some(ZeroCopy::Physical) => out.push(text("; shared and pinned, never copied")),
        None => {}
    }
    if let Some(bytes) = place.align {
        out.push(text(format!("; aligned to {bytes} bytes")));
    }
    if place.optional {
        out.push(text("; may be NULL"));
    }
    // What follows nothing needs no semicolon.
    if let Some(Inline::Text(first)) = out.first_mut()
        && let Some(rest) = first.strip_prefix("; ")
    {
        *first = rest.to_owned();
    }
    out
}

/// How long what a place holds lives on the side that did not make it.
pub fn lifetime(scope: Scope<'_>, place: &Place) -> Vec<Inline> {
    let mut out = match &place.lifetime {
        None if matches!(place.ty, Type::Buffer { .. }) => vec![text("the call")],
        None => Vec::new(),
        Some(Lifetime::Call) => vec![text("the call")],
        Some(Lifetime::Static) => vec![text("for ever")],
        Some(Lifetime::Manual) => vec![text("until it is given back")],
        Some(Lifetime::Until(until)) => vec![text("as long as "), code(scope.expr(until))],
    };
    if let Some(allocator) = place.allocator {
        out.extend([text(", freed by "), code(scope.function_name(allocator.free))]);
    }
    out
}
