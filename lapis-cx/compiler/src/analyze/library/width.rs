//! Sizes of C types against those of the types that are sent.

use crate::contract::EnumId;
use crate::contract::library::ctype;
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Declared, Place, Type};
use crate::diagnostic::catalogue::library as codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::expr::constant_of;

impl<'t> Lib<'_, 't> {
    /// Checks that a number or address has as many bytes as can be sent, as far as its C type tells.
    pub(super) fn check_width(&mut self, declared: Node<'t>, base: Node<'t>, place: &Place) {
        let Some(bytes) = place.c.as_ref().and_then(|c| self.bytes_in_c(c)) else { return };
        let (is_right, sends) = match &place.ty {
            Type::Scalar(scalar) => (bytes <= scalar.wire_bytes(), scalar.wire_bytes()),
            Type::Enum(id) => (bytes <= self.enum_bytes(*id), self.enum_bytes(*id)),
            Type::Handle(_) => (matches!(bytes, 4 | 8), ctype::ADDRESS_BYTES),
            Type::Ptr
            | Type::Callback(_)
            | Type::Buffer { .. }
            | Type::Within(_)
            | Type::Userdata(_)
            | Type::Function(_) => (bytes == ctype::ADDRESS_BYTES, ctype::ADDRESS_BYTES),
            _ => return,
        };
        if is_right && bytes > 0 {
            return;
        }
        let (c, sent) = (declared.text().trim_matches('"'), base.text());
        let message = match bytes {
            0 => format!("`{c}` is not a number or an address, and cannot be sent as `{sent}`"),
            _ => format!("`{c}` has {bytes} bytes in C, and `{sent}` has {sends}"),
        };
        let diagnostic = Diagnostic::error(&codes::WIDTH, message, base.span(), "the type that is sent")
            .label(declared.span(), "the type in C");
        let same = declared.child(Kind::string).and_then(|_| ctype::help(c));
        self.report(match (&place.ty, same) {
            (Type::Scalar(_), Some(help)) => diagnostic.help(help),
            (Type::Scalar(_), None) if bytes > 0 => diagnostic.help(format!("write `{c}` without `as {sent}`")),
            (Type::Enum(_), _) => diagnostic.help("give the enum a base that is as wide as the C type"),
            _ => diagnostic.help("write a C type of as many bytes before `as`, or another type after it"),
        });
    }

    /// The bytes of a C type, 0 for what is no number and no address; `None` if only headers tell.
    fn bytes_in_c(&self, c: &Declared) -> Option<u32> {
        let place = match c {
            Declared::Spelling(text) => return ctype::bytes(text),
            Declared::Type(place) => place,
        };
        if let Some(c) = &place.c {
            return self.bytes_in_c(c);
        }
        match &place.ty {
            Type::Scalar(scalar) => Some(scalar.wire_bytes()),
            Type::Enum(id) => Some(self.enum_bytes(*id)),
            Type::Handle(id) => self.library.handles.get(id.index()).and_then(|h| ctype::bytes(h.c.as_deref()?)),
            Type::Void | Type::Lifetime | Type::Array { .. } | Type::Struct { .. } | Type::Live { .. } => Some(0),
            Type::Match { .. } | Type::Tuple(_) => None,
            Type::Ptr
            | Type::Callback(_)
            | Type::Buffer { .. }
            | Type::Within(_)
            | Type::Userdata(_)
            | Type::File
            | Type::Function(_)
            | Type::Stream => Some(ctype::ADDRESS_BYTES),
        }
    }

    fn enum_bytes(&self, id: EnumId) -> u32 {
        self.enums().get(id.index()).map_or(4, |def| def.width / 8)
    }

    /// Checks that the elements of a buffer have the size of those that the C type points to, as far as its text tells. Pointers to
    /// single bytes are used for memory of any type. An expression as the length may convert one unit to the other.
    pub(super) fn check_elements(&mut self, declared: Node<'t>, base: Node<'t>, place: &Place) {
        let (Some(Declared::Spelling(c)), Type::Buffer { element, len, .. }) = (&place.c, &place.ty) else { return };
        let Some(pointee) = ctype::pointee(c) else { return };
        let (Some(theirs), Some(in_c)) = (ctype::bytes(pointee), ctype::written(pointee)) else { return };
        let Some(bytes) = self.element_bytes(element).filter(|bytes| theirs > 1 && *bytes != theirs) else { return };
        let len = len.as_deref();
        let (count, is_counted) = (len.and_then(constant_of), len.is_some());
        let is_whole = count.as_ref().is_some_and(|count| is_multiple(count, bytes, theirs));
        if is_whole || count.is_none() && len.is_some_and(|len| !is_value(len)) {
            return;
        }
        let node = base.child(Kind::buffer);
        let sent = node.and_then(|node| node.child(Kind::place_type)).map_or("an element", |element| element.text());
        let len = node.and_then(|node| node.child(Kind::extent)?.expr()).map_or("n", |len| len.text());
        let message = format!("`{c}` points to elements of {theirs} bytes, and `{sent}` has {bytes}");
        let diagnostic = Diagnostic::error(&codes::WIDTH, message, base.span(), "the elements that are sent");
        let diagnostic = diagnostic.label(declared.span(), "the type in C");
        // A parameter may count bytes, but no API counts halves of its elements.
        self.report(if bytes == 1 && is_counted && count.is_none() {
            let help =
                format!("write `[{in_c}; {len}]`, or `[{in_c}; {len} / {theirs}]` if `{len}` is a number of bytes");
            Diagnostic { severity: Severity::Warning, ..diagnostic.help(help) }
        } else {
            diagnostic.help(format!("write `{in_c}` as the type of the elements"))
        });
    }

    /// The bytes of a number in memory; `None` for other elements, and if only headers tell.
    fn element_bytes(&self, element: &Place) -> Option<u32> {
        match (&element.c, &element.ty) {
            (Some(c), Type::Scalar(_) | Type::Enum(_)) => self.bytes_in_c(c),
            (None, Type::Scalar(scalar)) => Some(scalar.wire_bytes()),
            (None, Type::Enum(id)) => Some(self.enum_bytes(*id)),
            _ => None,
        }
    }
}

/// Whether `count` elements of `bytes` bytes are a whole number of elements of `theirs` bytes.
fn is_multiple(count: &Int, bytes: u32, theirs: u32) -> bool {
    count
        .to_i128()
        .and_then(|count| count.checked_mul(i128::from(bytes)))
        .is_none_or(|all| all % i128::from(theirs) == 0)
}

/// Whether a length is a value of the call, and not computed from one.
fn is_value(len: &Expr) -> bool {
    matches!(
        len.kind,
        ExprKind::Param(_)
            | ExprKind::Variable(_)
            | ExprKind::Implicit(_)
            | ExprKind::Sibling(_)
            | ExprKind::Outer(_)
            | ExprKind::Member { .. }
            | ExprKind::Element(..)
            | ExprKind::Ret
    )
}
