//! Integer literals.

use crate::contract::core::{Type, Value};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::types as codes;
use crate::int::Int;
use crate::syntax::Node;

use super::typed::Typed;

/// Widest integer of the language in bits.
pub(super) const MAX_WIDTH: u32 = 1024;

/// Longest literal in characters: 1024 binary digits with as many underscores, and a prefix.
const MAX_DIGITS: usize = 2050;

/// `123`, `0xFF`, `0b1010_1010`, each perhaps with a type such as `u32` behind it. In hexadecimal no suffix is lost:
/// neither `u` nor `s` is a digit.
pub(super) fn literal(node: Node<'_>) -> Result<Typed, Diagnostic> {
    let text = node.text();
    let (digits, suffix) = match text.find(['u', 's']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    // Reading digits takes time that grows with their square; no value of the language needs so many.
    if digits.len() > MAX_DIGITS {
        let message = format!("this number has {} digits", digits.len());
        let found = Diagnostic::error(&codes::BAD_LITERAL, message, node.span(), "too many");
        return Err(found.help(format!("an integer has at most {MAX_WIDTH} bits")));
    }
    // In C these are octal: people would read two different numbers.
    let is_padded =
        digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0x") && !digits.starts_with("0b");
    if is_padded {
        let bare = digits.trim_start_matches(['0', '_']);
        let bare = if bare.is_empty() { "0" } else { bare };
        let found =
            Diagnostic::error(&codes::BAD_LITERAL, "a decimal number does not begin with 0", node.span(), "ambiguous");
        return Err(found
            .note("C would read it as octal")
            .help(format!("write `{bare}{suffix}`; there are no octal numbers")));
    }
    let value = if let Some(hex) = digits.strip_prefix("0x") {
        Int::parse(hex, 16)
    } else if let Some(bin) = digits.strip_prefix("0b") {
        Int::parse(bin, 2)
    } else {
        Int::parse(digits, 10)
    };
    let Some(value) = value else {
        return Err(Diagnostic::error(&codes::BAD_LITERAL, "this number cannot be read", node.span(), "no digits"));
    };
    if value.bits() > MAX_WIDTH {
        let message = format!("this number has {} bits, more than {MAX_WIDTH}", value.bits());
        return Err(Diagnostic::error(&codes::BAD_LITERAL, message, node.span(), "too large for any type"));
    }
    if suffix.is_empty() {
        return Ok(Typed::number(value));
    }
    let width = suffix.get(1..).and_then(|w| w.parse::<u32>().ok()).filter(|w| (1..=MAX_WIDTH).contains(w));
    let Some(width) = width else {
        return Err(Diagnostic::error(
            &codes::BAD_WIDTH,
            format!("there is no type `{suffix}`"),
            node.span(),
            format!("a width is 1 to {MAX_WIDTH}"),
        ));
    };
    let ty = if suffix.starts_with('u') { Type::U(width) } else { Type::S(width) };
    let (_, max) = ty.range();
    if value > max {
        return Err(Diagnostic::error(
            &codes::BAD_LITERAL,
            format!("{value} does not fit `{suffix}`"),
            node.span(),
            format!("`{suffix}` ends at {max}"),
        )
        .help(match ty {
            Type::S(_) => format!("it needs `s{}`", value.bits() + 1),
            _ => format!("it needs `u{}`", value.bits()),
        }));
    }
    Ok(Typed::constant(ty, Value::Int(value)))
}
