//! Places of a library's functions that are written as in C.

use lapis_cx_grammar::Rule;

use super::foreign::foreign;
use super::misfit::{Failure, Found, Misfit};
use super::types::type_here;
use crate::contract::library::ctype;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;
use crate::syntax::tree::Node;

/// What the place of the failure tells.
pub(super) fn by_failure(
    misfit: &Misfit<'_>,
    tokens: &[Node<'_>],
    failure: &Failure,
    found: &Found<'_>,
) -> Option<Diagnostic> {
    match misfit.node.kind() {
        Rule::bad_place => dereference(failure, found).or_else(|| place(misfit, tokens)),
        Rule::bad_field if misfit.parent.kind() == Rule::struct_item => {
            let is_of_c = tokens.get(1).is_some_and(|token| token.text() == ":");
            dereference(failure, found).or_else(|| is_of_c.then(|| place(misfit, tokens)).flatten())
        }
        Rule::bad_clause | Rule::bad_part | Rule::bad_type_arm | Rule::bad_field => dereference(failure, found),
        Rule::bad_head => result_in_front(misfit, tokens).or_else(|| result_of_c(misfit, found)),
        _ => None,
    }
}

/// `@valid(*len)`. An attribute of a place may have no arguments, so the rule stops at its `(` there.
fn dereference(failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    let wants_value = failure.expected.iter().any(|e| e == "an expression");
    let (skipped, rest) = match found.rest.strip_prefix('(') {
        Some(rest) => (1, rest),
        None => (0, found.rest),
    };
    let name = rest.strip_prefix('*').map(leading_name).filter(|name| !name.is_empty())?;
    if skipped == 0 && !wants_value {
        return None;
    }
    let start = found.span.start + skipped;
    let place = Span { start, end: start + 1 + name.len() as u32, ..found.span };
    let help = format!("write `{name}[0]`: what a pointer points to is its first element");
    Some(foreign("there is no `*` before a pointer", place, &help))
}

/// The identifier that a text begins with.
fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).filter(|name| !name.starts_with(|c: char| c.is_ascii_digit())).unwrap_or_default()
}

/// `const char *key`, `key: *const char`, `key: in char *`, `uint32_t x`.
fn place(misfit: &Misfit<'_>, tokens: &[Node<'_>]) -> Option<Diagnostic> {
    // What stands in attributes is no type.
    let words: Vec<&str> = tokens.iter().map(|t| t.text()).take_while(|t| !matches!(*t, "@" | "=" | ";")).collect();
    let (name, ty) = match words.as_slice() {
        [name, ":", ty @ ..] => (*name, ty),
        [ty @ .., name] if !words.contains(&":") => (*name, ty),
        _ => return None,
    };
    let is_name = |word: &str| !word.is_empty() && leading_name(word) == word;
    let is_type = |word: &&str| is_name(word) || *word == "*";
    if !is_name(name) || ty.is_empty() || !ty.iter().all(is_type) {
        return None;
    }
    let pointers = ty.iter().filter(|w| **w == "*").count();
    let is_const = ty.contains(&"const");
    const NO_TYPES: [&str; 11] =
        ["*", "const", "struct", "enum", "volatile", "restrict", "mut", "in", "out", "inout", "local"];
    let base: Vec<&str> = ty.iter().copied().filter(|w| !NO_TYPES.contains(w)).collect();
    let base = base.join(" ");
    // A word or two in an order that is no type of C: nobody knows what was meant.
    if base.is_empty() || pointers == 0 && words.contains(&":") && ctype::written(&base).is_none() {
        return None;
    }
    let here = type_in_library(&base);
    let help = match (pointers, base.as_str()) {
        (0, _) => format!("write `{name}: {here}`"),
        (1, "char") if is_const => {
            format!("write `{name}: in cstr` for text that ends with a zero, `{name}: in [u8; n]` for `n` bytes")
        }
        (1, "char") => {
            format!("write `{name}: in cstr` for text that is read, `{name}: out [u8; n]` for room of `n` bytes")
        }
        (1, "void") => format!("write `{name}: in [u8; n]` for `n` bytes that are read, `out [u8; n]` for room"),
        (1, _) => {
            let direction = if is_const { "in" } else { "inout" };
            format!("write `{name}: {direction} [{here}; 1]` for one, `{direction} [{here}; n]` for `n` of them")
        }
        _ => format!("say what it points to and in which direction, as in `{name}: in [u8; n]`"),
    };
    let message = match (pointers, words.contains(&":")) {
        (0, true) => &format!("`{base}` is a type of C"),
        (0, false) => "the type follows the name",
        _ => "a pointer says its direction and what it points to",
    };
    Some(foreign(message, misfit.node.span(), &help))
}

/// The type of libraries for a type of C; of other languages, the one that is the same everywhere.
fn type_in_library(base: &str) -> String {
    let is_of_library = matches!(base, "uint" | "ulong" | "ushort" | "size" | "intptr" | "uintptr");
    let here = || ctype::written(base).or_else(|| type_here(base)).unwrap_or_else(|| base.to_owned());
    if is_of_library { base.to_owned() } else { here() }
}

/// `-> unsigned long`, `-> const char *`: a result with a type of C.
fn result_of_c(misfit: &Misfit<'_>, found: &Found<'_>) -> Option<Diagnostic> {
    let (text, head) = (misfit.tree.text(), misfit.node.span().start as usize);
    let start = head + text.get(head..found.span.start as usize)?.rfind("->")? + 2;
    let rest = text.get(start..)?;
    let written = rest.get(..rest.find([';', '{', '\n', '@', '?']).unwrap_or(rest.len()))?.trim();
    let is_of_c = written.split(|c: char| c == '*' || c.is_whitespace()).all(|word| leading_name(word) == word);
    if !is_of_c || !written.contains([' ', '*']) {
        return None;
    }
    let start = (start + rest.find(written)?) as u32;
    let place = Span { start, end: start + written.len() as u32, ..found.span };
    let help = match ctype::written(written) {
        Some(ty) => format!("write `-> {ty}`"),
        None if written.ends_with('*') => {
            "write `-> [T; n]` for `n` elements of the library, `-> ptr` for an address that neither side reads"
                .to_owned()
        }
        None => return None,
    };
    Some(foreign(&format!("`{written}` is a type of C"), place, &help))
}

/// `callback void F(…)`, `func int f(…)`: the head that could not be read begins with the name.
fn result_in_front(misfit: &Misfit<'_>, tokens: &[Node<'_>]) -> Option<Diagnostic> {
    let word = match misfit.parent.kind() {
        Rule::callback_item => "callback",
        Rule::func_item => "func",
        _ => return None,
    };
    let (name, open) = (tokens.first()?, tokens.get(1)?);
    if name.kind() != Rule::ident || open.text() != "(" {
        return None;
    }
    let result = misfit.parent.name();
    let here = if result.text() == "void" { "void".to_owned() } else { type_in_library(result.text()) };
    let message = "result type before the parameters";
    let help = format!("write `{word} {}(…) -> {here}`", name.text());
    Some(Diagnostic::error(&codes::UNEXPECTED, message, result.span(), "in front of the name").help(help))
}
