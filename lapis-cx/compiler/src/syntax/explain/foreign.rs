//! Constructs of C, Rust, Python and Verilog at the place where the strict rule stops: what to write instead.

use lapis_cx_grammar::Rule;

use super::misfit::{Failure, Found, Misfit, token_at};
use super::types::{conversion, type_here};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;
use crate::syntax::tree::Node;

/// A construct of another language: what there is not, where, and what to write instead.
pub(super) fn foreign(message: &str, span: Span, help: &str) -> Diagnostic {
    Diagnostic::error(&codes::FOREIGN, message, span, "from another language").help(help)
}

/// Signs that are no operators here, longest first, with what to write. The strict rule stops somewhere inside of them.
const SIGNS: &[(&str, &str)] = &[
    (">>>=", "write `x = x >> n;`; it shifts in zeros if `x` is unsigned, copies of the sign if it is signed"),
    ("===", "write `==`"),
    ("!==", "write `!=`"),
    (">>>", "write `>>`; it shifts in zeros if the left side is unsigned, copies of the sign if it is signed"),
    ("**=", "there are no powers; a power of two is `1u32 << n`"),
    ("||=", "write `x = x || …;`"),
    ("&&=", "write `x = x && …;`"),
    ("...", "ranges do not contain their end: write `0..4` for 0 to 3"),
    ("..=", "ranges do not contain their end: write `0..4` for 0 to 3"),
    ("**", "there are no powers; a power of two is `1u32 << n`"),
    ("<>", "write `!=`"),
    (":=", "write `let x = …;` for a new name, `x = …;` for a variable"),
    ("//=", "write `x = x / …;`"),
    ("::", "write `Enum.case` for a case of an enum"),
];

/// Words that are operators elsewhere.
const WORDS: &[(&str, &str)] = &[
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("mod", "%"),
    ("rem", "%"),
    ("xor", "^"),
    ("shl", "<<"),
    ("shr", ">>"),
];

/// What the place of the failure tells.
pub(super) fn by_failure(
    misfit: &Misfit<'_>,
    tokens: &[Node<'_>],
    failure: &Failure,
    found: &Found<'_>,
) -> Option<Diagnostic> {
    qualified_case(misfit, failure, found)
        .or_else(|| sign(misfit, failure, found))
        .or_else(|| literal(misfit, found))
        .or_else(|| word(misfit, failure, found))
        .or_else(|| cast(misfit, found))
        .or_else(|| type_in_front(tokens, failure, found))
        .or_else(|| head(misfit, failure, found))
        .or_else(|| bracket(misfit, failure, found))
}

fn before<'t>(misfit: &Misfit<'t>, found: &Found<'_>) -> &'t str {
    misfit.tree.text().get(..found.span.start as usize).unwrap_or_default()
}

/// `Mode.wrap =>` and `Mode::wrap =>`
fn qualified_case(misfit: &Misfit<'_>, failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    let sign = ["::", "."].into_iter().find(|sign| failure.rule == Rule::arm && found.rest.starts_with(sign))?;
    let case = token_at(misfit.tree.text(), found.span.start + sign.len() as u32);
    let before = before(misfit, found).trim_end();
    let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |p| p + 1);
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !is_name(case) || !before.get(start..).is_some_and(is_name) {
        return None;
    }
    let end = found.span.start + (sign.len() + case.len()) as u32;
    let place = Span { start: start as u32, end, ..found.span };
    Some(foreign("a pattern does not name the enum", place, &format!("in a `match`, write the bare case: `{case}`")))
}

/// A sign around the place.
fn sign(misfit: &Misfit<'_>, failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    // `fn f<>(` lacks the names of its generics.
    if failure.rule == Rule::fn_head {
        return None;
    }
    let text = misfit.tree.text();
    SIGNS.iter().find_map(|(sign, help)| {
        let place = found.span.start as usize;
        // The failure is at one of its characters, or right behind the part of it that is an operator.
        let start = (0..sign.len())
            .filter_map(|back| place.checked_sub(back))
            .find(|&start| text.get(start..).is_some_and(|rest| rest.starts_with(sign)))?;
        let span = Span { start: start as u32, end: (start + sign.len()) as u32, ..found.span };
        let help = match *sign {
            "::" if failure.rule == Rule::use_clause => "write `use package.name:Item;`",
            _ => help,
        };
        Some(foreign(&format!("there is no `{sign}`"), span, help))
    })
}

/// `8'hFF` and `'c'`.
fn literal(misfit: &Misfit<'_>, found: &Found<'_>) -> Option<Diagnostic> {
    let rest = found.rest.strip_prefix('\'')?;
    let before = before(misfit, found);
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let base = rest.chars().next().filter(|c| "hHbBdDoO".contains(*c));
    let value: String = rest.get(1..)?.chars().take_while(|c| c.is_ascii_hexdigit() || *c == '_').collect();
    if let (Some(base), true, false) = (base, digits > 0, value.is_empty()) {
        let width = before.get(before.len() - digits..)?;
        let place = Span {
            start: found.span.start - digits as u32,
            end: found.span.start + 2 + value.len() as u32,
            ..found.span
        };
        let (prefix, radix) = match base.to_ascii_lowercase() {
            'h' => ("0x", 16),
            'b' => ("0b", 2),
            'o' => ("", 8),
            _ => ("", 10),
        };
        let number =
            if radix == 8 { crate::int::Int::parse(&value, 8).map_or(value, |v| v.to_string()) } else { value };
        let help = format!("write `{prefix}{number}u{width}`: the width comes after the digits");
        return Some(foreign("numbers are not written as in Verilog", place, &help));
    }
    let c = rest.chars().next()?;
    if !rest.get(c.len_utf8()..)?.starts_with('\'') || !c.is_ascii() {
        return None;
    }
    let place = Span { end: found.span.start + 3, ..found.span };
    Some(foreign("there are no characters", place, &format!("write the code of `{c}`: {:#04x}", u32::from(c))))
}

fn word(misfit: &Misfit<'_>, failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    let (token, place) = (found.token, found.span);
    if let Some((_, operator)) = WORDS.iter().find(|(word, _)| *word == token) {
        return Some(foreign(&format!("there is no operator `{token}`"), place, &format!("write `{operator}`")));
    }
    match token {
        "as" if failure.rule != Rule::use_clause => {
            let ty = misfit.tree.text().get(found.span.end as usize..).unwrap_or_default().trim_start();
            let help = conversion(token_at(ty, 0));
            Some(foreign("there are no casts with `as`", place, &help))
        }
        "extends" | "implements" if failure.rule == Rule::interface_head => {
            let help = "write `interface Name : Base { … }`";
            Some(foreign(&format!("there is no `{token}`"), place, help))
        }
        "{" if failure.rule == Rule::for_head => None,
        "{" if before(misfit, found).trim_end().ends_with(')') && is_if_value(misfit) => {
            Some(foreign("an `if` has no value", place, "write `condition ? a : b`"))
        }
        _ => None,
    }
}

/// Whether the statement is `return if …` or `let x = if …`.
fn is_if_value(misfit: &Misfit<'_>) -> bool {
    let words: Vec<_> = misfit.node.leaves().filter(|l| !l.is_trivia()).map(|l| l.text()).collect();
    words.windows(2).any(|pair| matches!(pair, ["return" | "=", "if"]))
}

/// `(u8)a`
fn cast(misfit: &Misfit<'_>, found: &Found<'_>) -> Option<Diagnostic> {
    let inner = before(misfit, found).trim_end().strip_suffix(')')?;
    let open = inner.rfind('(')?;
    let ty = inner.get(open + 1..)?.trim();
    let begins_value = found.token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(');
    if !begins_value || !(is_type_word(ty) || type_here(ty).is_some()) || open < misfit.node.span().start as usize {
        return None;
    }
    let place = Span { start: open as u32, end: inner.len() as u32 + 1, ..found.span };
    Some(foreign("casts are not written as in C", place, &conversion(ty)))
}

/// Whether a word names a type, here or in C.
fn is_type_word(word: &str) -> bool {
    let width = word.strip_prefix(['u', 's', 'i']).unwrap_or_default();
    let is_sized = !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit());
    is_sized || type_here(word).is_some() || word.ends_with("_t")
}

/// `u8 a` for `a: u8`, in parameters, variables and constants.
fn type_in_front(tokens: &[Node<'_>], failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    let (keyword, at) = match failure.rule {
        Rule::param | Rule::state_field => ("", 0),
        Rule::var_stmt => ("var ", 1),
        Rule::let_stmt | Rule::let_step => ("let ", 1),
        Rule::const_item => ("const ", 1),
        _ => return None,
    };
    let (ty, words, name) = leading_type(tokens.get(at..)?)?;
    // The rule stops at the second word, whichever that is; `x u8` has them in the right order.
    if tokens.get(at + 1).is_none_or(|second| found.span.start != second.span().start) {
        return None;
    }
    let place = Span { end: name.span().end, ..words };
    let value = if matches!(failure.rule, Rule::param) { "" } else { " = …;" };
    let help = format!("write `{keyword}{}: {ty}{value}`", name.text());
    Some(foreign("the type follows the name", place, &help))
}

/// The type before a name, as in `unsigned int x`: what it is here, where it stands, and the name.
pub(super) fn leading_type<'t>(tokens: &[Node<'t>]) -> Option<(String, Span, Node<'t>)> {
    let is_type = |t: &&Node<'t>| t.kind() == Rule::ident && is_type_word(t.text());
    let count = tokens.iter().take_while(is_type).count();
    let (types, name) = (tokens.get(..count)?, tokens.get(count).filter(|t| t.kind() == Rule::ident)?);
    let (first, last) = (types.first()?, types.last()?);
    let words = types.iter().map(|t| t.text()).collect::<Vec<_>>().join(" ");
    Some((type_here(&words).unwrap_or(words), Span { end: last.span().end, ..first.span() }, *name))
}

/// Heads of functions, commands, blocks and imports.
fn head(misfit: &Misfit<'_>, failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    let place = found.span;
    let expects = |word: &str| failure.expected.iter().any(|e| e == word);
    let error = |message: &str, label: &str, help: &str| {
        Some(Diagnostic::error(&codes::UNEXPECTED, message, place, label).help(help))
    };
    match (failure.rule, found.token) {
        (Rule::fn_head | Rule::fn_item, "{") if expects("`->`") => {
            let help =
                "write `-> u8` before the body; a function changes nothing, so without a result it would do nothing";
            error("a function says what it returns", "expected `->` and a type", help)
        }
        (Rule::fn_head | Rule::fn_item | Rule::command_head, ":") if expects("`->`") || expects("`{`") => {
            error("missing `->` before the result", "expected `->`", "write `-> u8`")
        }
        (Rule::fn_head | Rule::fn_item | Rule::command_head, "(") if expects("a type") => {
            let help = "join the parts with `cat(hi, lo)`, keep some in state, or make a command for each";
            Some(foreign("there are no tuples: a result is one value", place, help))
        }
        (Rule::command_head, "(" | ":") if expects("`=`") => {
            let help = "write `command name = 0 : R (…)`: ids are 0 to 1007, each used once in the interface";
            error("a command has a function id", "expected `=` and the id", help)
        }
        (Rule::state_item, "{") if before(misfit, found).trim_end().ends_with("state") => {
            let help = "write `state exclusive { … }`, or instead of `exclusive` one of `shared(caller_save)`, \
                        `shared(callee_save)`, `shared(always_init)` and `shared(custom, save: f, restore: g)`";
            error("a state block says how it is shared", "expected a sharing model", help)
        }
        (Rule::state_field, ";") if expects("`=`") => {
            error("a field says its value after reset", "expected `=` and a value", "write `name: word = 0;`")
        }
        (Rule::enum_case, "," | "}") if expects("`=`") => {
            error("each case says its value", "expected `=` and a number", "write `name = 1`")
        }
        (Rule::law, "{") => {
            let help = "write `law name(a: word): a == a;`; steps go into a `fn`, which the law calls";
            error("a law is one condition", "expected an expression", help)
        }
        (Rule::law, "raises") => {
            let help = "write it in an `example`: `example \"title\" { e(3) raises name; }`";
            error("laws compare values; examples check errors", "not in a law", help)
        }
        (Rule::arm, _) if expects("`{`") => {
            let help = "write `0 => { return a; }`; an arm has no value of its own";
            error("missing braces around the body of an arm", "expected `{ … }`", help)
        }
        (Rule::raise_stmt, token) if token.starts_with('"') => {
            let help = "declare `error name = 1 \"text\";` in the interface, and write `raise name;`";
            error("`raise` names an error", "expected a name", help)
        }
        (Rule::let_stmt, "(") if expects("a name") => {
            Some(foreign("there are no tuples: a `let` names one value", place, "write a `let` for each"))
        }
        (Rule::use_clause, "*" | "{") => {
            Some(foreign("an import names one item", place, "write `use package.name:Item;` for each"))
        }
        (Rule::use_clause, ";") if expects("`:`") => {
            let path = misfit.node.text().trim_start_matches("use").trim_end_matches(';').trim();
            let (package, item) = path.rsplit_once('.')?;
            let help = format!("write `use {package}:{item};`");
            error("missing `:` between package and item", "expected `:` and the item", &help)
        }
        (Rule::assign_stmt, _) if !misfit.node.text().contains('=') && !misfit.node.text().ends_with(';') => {
            let value = misfit.node.text();
            let help = if value.len() <= 40 && !value.contains('\n') {
                format!("write `return {value};`")
            } else {
                "write `return …;`".to_owned()
            };
            let place = misfit.node.span();
            let message = "a value alone does nothing";
            Some(Diagnostic::error(&codes::UNEXPECTED, message, place, "not returned").help(help))
        }
        (Rule::assign_stmt, "<=") => {
            let target = misfit.node.text().split("<=").next().unwrap_or_default().trim();
            let target = if target.len() <= 40 && !target.contains('\n') { target } else { "x" };
            Some(foreign("`<=` compares; `=` assigns", place, &format!("write `{target} = …;`")))
        }
        (Rule::assign_stmt | Rule::let_stmt | Rule::var_stmt, "=") if expects("`;`") => {
            Some(foreign("an assignment has no value", place, "assign in two statements"))
        }
        _ => None,
    }
}

/// Brackets of other shapes: `{a, b}`, `P { x: 1 }`, `[u8; 4]`, `uint<8>`, `logic [7:0]`, `a[0..3]`; and pointers.
fn bracket(misfit: &Misfit<'_>, failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
    let (token, place) = (found.token, found.span);
    let expects = |word: &str| failure.expected.iter().any(|e| e == word);
    let before = before(misfit, found);
    let word_at = before.trim_end().rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |p| p + 1);
    let previous = before.get(word_at..).unwrap_or_default().trim_end();
    let word_place = Span { start: word_at as u32, ..place };
    match token {
        "{" if expects("an expression") => {
            Some(foreign("braces do not join values", place, "write `cat(hi, lo)`, and `rep(x, n)` for a repetition"))
        }
        "{" if expects("`;`") && previous.starts_with(|c: char| c.is_ascii_uppercase()) => Some(foreign(
            "there are no structures",
            place,
            "keep each part in a variable, or join them with `cat(hi, lo)`",
        )),
        "[" if expects("a type") => {
            Some(foreign("length of an array before its type", place, "write `u8[4]` for four elements of `u8`"))
        }
        "<" if is_sized_word(previous) => Some(foreign(
            &format!("there is no type `{previous}<…>`"),
            word_place,
            "write `u8` or `u<N>`; `s8` or `s<N>` if it is signed",
        )),
        "[" if is_sized_word(previous) => Some(foreign(
            &format!("there is no type `{previous}`"),
            word_place,
            "a number of 8 bits is `u8`, or `s8` if it is signed; `u8[4]` is four of them",
        )),
        ".." if expects("`]`") => {
            Some(foreign("a slice is not a range", place, "write `x[3:0]`, the high bit first, or `x[i +: 4]`"))
        }
        "&" | "*" if expects("an expression") => {
            Some(foreign("there are no pointers", place, "values are passed, assigned and returned whole"))
        }
        _ => None,
    }
}

/// Words that take a width elsewhere.
fn is_sized_word(word: &str) -> bool {
    ["uint", "int", "bits", "bit", "logic", "reg", "wire", "UInt", "SInt", "unsigned", "signed", "Bits", "vector"]
        .contains(&word)
}

/// Numbers of other languages: what `text` is here.
pub(super) fn number(text: &str) -> Option<String> {
    use crate::int::Int;
    let lower = text.to_ascii_lowercase();
    let is = |digits: &str, radix: u32| {
        !digits.is_empty() && digits.chars().all(|c| c == '_' || c.is_digit(radix)) && digits.chars().any(|c| c != '_')
    };
    for (prefix, shown, radix) in [("0X", "0x", 16), ("0B", "0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix).filter(|d| is(d, radix)) {
            return Some(format!("write `{shown}{digits}`"));
        }
    }
    if let Some(digits) = lower.strip_prefix("0o").filter(|d| is(d, 8)) {
        let value = Int::parse(digits, 8)?;
        return Some(format!("there are no octal numbers: write `{value}`"));
    }
    // `3u`, `0xFFul`, `3i32`
    let (digits, radix) = lower.strip_prefix("0x").map_or((lower.as_str(), 10), |hex| (hex, 16));
    if let Some((digits, width)) = digits.split_once('i').filter(|(d, w)| is(d, radix) && is(w, 10)) {
        let prefix = if radix == 16 { "0x" } else { "" };
        return Some(format!("write `{prefix}{digits}s{width}`"));
    }
    let bare = digits.trim_end_matches(['u', 'l', 'z']);
    if bare.len() < digits.len() && is(bare, radix) {
        let shown = text.get(..text.len() - (digits.len() - bare.len()))?;
        return Some(format!("write `{shown}`, or with a type `{shown}u32`"));
    }
    if let Some(digits) = lower.strip_suffix('h').filter(|d| is(d, 16)) {
        return Some(format!("write `0x{}`", digits.to_ascii_uppercase()));
    }
    let (digits, zeros) = lower.split_once('e').filter(|(d, z)| is(d, 10) && is(z, 10))?;
    let zeros = zeros.parse::<usize>().ok().filter(|zeros| *zeros <= 30)?;
    Some(format!("write it out: `{digits}{}`", "0".repeat(zeros)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_other_languages() {
        let help = |text| super::number(text).unwrap_or_default();
        assert_eq!(help("0XFF"), "write `0xFF`");
        assert_eq!(help("0B1_0"), "write `0b1_0`");
        assert_eq!(help("0o17"), "there are no octal numbers: write `15`");
        assert_eq!(help("3UL"), "write `3`, or with a type `3u32`");
        assert_eq!(help("0xFFu"), "write `0xFF`, or with a type `0xFFu32`");
        assert_eq!(help("0FFh"), "write `0x0FF`");
        assert_eq!(help("3i32"), "write `3s32`");
        assert_eq!(help("2e3"), "write it out: `2000`");
        for other in ["3x", "0x", "0o9", "1e99", "_", "12ab"] {
            assert_eq!(help(other), "", "{other}");
        }
    }
}
