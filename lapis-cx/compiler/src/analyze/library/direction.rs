//! Directions, null and room: what is said of a place must be possible for its type.

use crate::contract::library::place::{Declared, Place, Scalar, Type};
use crate::diagnostic::catalogue::library as codes;
use crate::diagnostic::{Diagnostic, Entry};
use crate::syntax::{Kind, Node};

use super::Lib;
use super::place::{Context, Role};

impl<'t> Lib<'_, 't> {
    fn complain(&mut self, entry: &'static Entry, node: Node<'t>, message: &str, label: &str, help: &str) {
        self.report(Diagnostic::error(entry, message, node.span(), label).help(help));
    }

    /// Complains where something is said of a place that its type cannot do. `may_be_null` is what stands there itself,
    /// without the named types in it.
    pub(super) fn check_place(&mut self, node: Node<'t>, place: &Place, may_be_null: bool, cx: Context) {
        if may_be_null && !has_null(place) {
            let help = "remove `?`; it is for pointers, handles and callbacks";
            self.complain(
                &codes::NO_NULL,
                node,
                "a value of this type is never null",
                "nothing that null could be",
                help,
            );
        }
        if let (Type::File, Some(Declared::Type(declared))) = (&place.ty, &place.c)
            && !names_a_file(declared)
        {
            let help = "write `file` alone or `cstr as … file` for a path, `int as … file` for a descriptor";
            self.complain(&codes::FILE, node, "a file is named by a path or a descriptor", "neither of them", help);
        }
        self.check_attributes(node, place, cx);
    }

    /// Complains about attributes of a parameter on which nothing happens that they are about.
    fn check_attributes(&mut self, node: Node<'t>, place: &Place, cx: Context) {
        if cx.role != Role::Param {
            return;
        }
        let attribute = |name: &str| node.children_of(Kind::attr).find(|a| a.name().text() == name).unwrap_or(node);
        if place.on.is_some() && !has_exit_effect(place) {
            self.complain(
                &codes::ATTRIBUTE,
                attribute("on"),
                "`@on` without effect: the call copies no contents of this argument back",
                "is copied in only",
                "remove it, or write a direction that copies back: `out`, `inout`, `new`, `own`",
            );
        }
        let d = place.directions;
        let is_open = matches!(place.ty, Type::Match { .. } | Type::Tuple(_));
        if place.allocator.is_some() && !(d.output || d.new || d.own || is_open || self.gives_back(place)) {
            self.complain(
                &codes::ATTRIBUTE,
                attribute("allocator"),
                "`@allocator` without effect: this argument returns no memory",
                "is copied in only",
                "remove it: copies of `in` memory are freed at exit, or when their `@lifetime` ends",
            );
        }
    }

    /// Whether elements of a place come back although the place goes in only.
    fn gives_back(&self, place: &Place) -> bool {
        match &place.ty {
            Type::Buffer { element, .. } | Type::Array { element, .. } => {
                let d = element.directions;
                d.output || d.new || d.own || self.gives_back(element)
            }
            Type::Struct { .. } | Type::Live { .. } | Type::Match { .. } | Type::Tuple(_) => true,
            _ => false,
        }
    }

    /// Complains where directions say nothing that could be done, or say too little.
    pub(super) fn check_directions(&mut self, node: Node<'t>, place: &Place, cx: Context) {
        let d = place.directions;
        let data = d.input || d.output;
        let is_memory = matches!(place.ty, Type::Buffer { .. } | Type::File | Type::Stream);
        let complain = |lib: &mut Self, message: &str, label: &str, help: &str| {
            lib.complain(&codes::DIRECTION, node, message, label, help);
        };
        let can_be_owned = matches!(
            place.ty,
            Type::Handle(_)
                | Type::Ptr
                | Type::Buffer { .. }
                | Type::Struct { .. }
                | Type::Match { .. }
                | Type::Tuple(_)
        );
        if (d.own || d.new) && !can_be_owned {
            let word = if d.own { "own" } else { "new" };
            let message = format!("`{word}` makes no sense here");
            return complain(
                self,
                &message,
                "nothing that could be owned",
                "it is for handles, buffers and twins of structs",
            );
        }
        if self.check_elements_that_come_back(node, place) {
            return;
        }
        let is_new_memory = |place: &Place| {
            place.directions.new && !place.directions.output && matches!(place.ty, Type::Buffer { .. } | Type::Ptr)
        };
        let is_in = |place: &Place| place.directions.input && !place.directions.output;
        let gives_elements = match &place.ty {
            Type::Buffer { element, .. } => is_in(place) && is_new_memory(element),
            _ => false,
        };
        if cx.role == Role::Param && (is_new_memory(place) || gives_elements) {
            let help =
                "write `own` if the callee frees it, or `out [new …; 1]` if the callee returns it through a pointer";
            return complain(
                self,
                "`new` on an `in` argument: the call cannot return memory through it",
                "the caller gets no pointer",
                help,
            );
        }
        if matches!(cx.role, Role::Param | Role::Result) && matches!(place.ty, Type::Array { .. }) && place.c.is_none()
        {
            let help = "write `in [T; n]`, `out [T; n]` or `inout [T; n]`: in C, what is written as an array is a pointer here";
            return complain(self, "C passes no array by value", "an inline array", help);
        }
        match cx.role {
            Role::Param => self.check_param(node, place),
            Role::Result if d.input || d.own => {
                let help = "`new` if the caller owns it; without it, it is borrowed";
                complain(self, "a result cannot be `in` or `own`", "not for results", help);
            }
            Role::Result if d.local => {
                let help = "remove `local`; a `void` function has no result";
                complain(self, "a result cannot be `local`", "not for results", help);
            }
            Role::Result | Role::Implicit | Role::Inner => {}
        }
        if cx.role == Role::Param && is_memory && data {
            self.check_room(node, place);
        }
    }

    /// Reports elements with `own` or `in` in a buffer that is `out` only: the call gets no elements. Returns whether there is such a report.
    fn check_elements_that_come_back(&mut self, node: Node<'t>, place: &Place) -> bool {
        let Type::Buffer { element, .. } = &place.ty else { return false };
        let (d, inner) = (place.directions, element.directions);
        if d.input || !d.output {
            return false;
        }
        let (message, label, help) = if inner.own && !inner.input {
            let help = "write `inout` if the caller passes objects, or `new` if it gets objects";
            ("`own` in an `out` buffer: the call sends no elements", "the call takes nothing", help)
        } else if matches!(element.ty, Type::Buffer { .. })
            && (inner.input && !inner.output)
            && (place.lifetime.is_none() && element.lifetime.is_none())
        {
            let help =
                "remove `in` if the callee fills the memory, or write `within(x)` for a pointer into the memory of x";
            ("`in` behind an `out` pointer: the call sends no pointer", "these contents are never sent", help)
        } else {
            return false;
        };
        self.complain(&codes::DIRECTION, node, message, label, help);
        true
    }

    fn check_param(&mut self, node: Node<'t>, place: &Place) {
        let d = place.directions;
        let data = d.input || d.output;
        let is_memory = matches!(place.ty, Type::Buffer { .. } | Type::File | Type::Stream);
        // A direction before `as` was reported already.
        let has_direction = node.child(Kind::direction).is_some();
        if is_memory && !data && !d.local && !d.own && !d.new && !has_direction {
            let mut help =
                "`in` copies the contents to the callee, `out` copies them back, `inout` does both, `local` does neither".to_owned();
            let written = node.text();
            if written.len() <= 40 && !written.contains(['\n', '"']) {
                let with_direction = match written.split_once(" as ") {
                    Some((c_type, place)) => format!("{c_type} as in {place}"),
                    None => format!("in {written}"),
                };
                help = format!("write `{with_direction}` if it is only read; {help}");
            }
            let message = "missing direction of a pointer";
            self.complain(&codes::DIRECTION, node, message, "no direction", &help);
        }
        let by_value = matches!(
            place.ty,
            Type::Scalar(_)
                | Type::Enum(_)
                | Type::Handle(_)
                | Type::Callback(_)
                | Type::Userdata(_)
                | Type::Ptr
                | Type::Array { .. }
        );
        if data && by_value {
            let help = "write `out [T; 1]` for a pointer to a T, or remove the direction";
            let message = "direction on a value that is passed by value";
            self.complain(&codes::DIRECTION, node, message, "not a pointer", help);
        }
        if matches!(place.ty, Type::Void | Type::Lifetime) {
            let message = "invalid type of an argument";
            self.complain(&codes::DIRECTION, node, message, "not a value", "leave it out");
        }
    }

    /// Complains about memory of the caller that is filled up to an end, without a word on how much fits.
    fn check_room(&mut self, node: Node<'t>, place: &Place) {
        let d = place.directions;
        let Type::Buffer { len: None, until: Some(_), .. } = &place.ty else { return };
        if d.output && !d.input && !d.new {
            self.complain(
                &codes::ROOM,
                node,
                "missing capacity of an `out` buffer",
                "the library fills it, and its capacity is unknown",
                "write `out [char; n until 0]` with the capacity n, or `out [new cstr; 1]` if the callee allocates the string",
            );
        }
    }
}

/// Whether null is a value of a type.
fn has_null(place: &Place) -> bool {
    match &place.ty {
        Type::Void
        | Type::Scalar(_)
        | Type::Enum(_)
        | Type::Struct { .. }
        | Type::Live { .. }
        | Type::Array { .. }
        | Type::Lifetime => false,
        Type::File => !matches!(&place.c, Some(Declared::Type(declared)) if !has_null(declared)),
        Type::Match { arms, default, .. } => {
            arms.is_empty() || arms.iter().map(|arm| &arm.place).chain(default.as_deref()).any(has_null)
        }
        _ => true,
    }
}

/// Whether a type is that of a path or of a descriptor.
fn names_a_file(declared: &Place) -> bool {
    match &declared.ty {
        Type::Scalar(Scalar::Bool | Scalar::Float | Scalar::Double) => false,
        Type::Scalar(_) => true,
        Type::Buffer { element, .. } => {
            matches!(element.ty, Type::Scalar(Scalar::Char | Scalar::Unsigned(8) | Scalar::Signed(8)))
        }
        // What is not known was said.
        Type::Match { .. } | Type::Tuple(_) => true,
        _ => false,
    }
}

/// Whether anything happens to an argument at exit: contents come back, references pass, registrations are made.
fn has_exit_effect(place: &Place) -> bool {
    let d = place.directions;
    if d.output || d.new || d.own {
        return true;
    }
    match &place.ty {
        Type::Void
        | Type::Scalar(_)
        | Type::Enum(_)
        | Type::Handle(_)
        | Type::Ptr
        | Type::Within(_)
        | Type::Function(_)
        | Type::File
        | Type::Stream
        | Type::Lifetime => false,
        Type::Buffer { element, .. } | Type::Array { element, .. } => has_exit_effect(element),
        Type::Struct { .. }
        | Type::Live { .. }
        | Type::Callback(_)
        | Type::Match { .. }
        | Type::Userdata(_)
        | Type::Tuple(_) => true,
    }
}
