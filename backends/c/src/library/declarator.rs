//! The text of a C type as a declaration: where the name of what is declared goes, and types that follow from others.
//!
//! All edits work on whole identifiers: `_Bool` in `XML_Bool` and `const` in `my_const` are parts of other names.

use std::ops::Range;

/// Words before a parenthesis whose contents are no declarator.
const OPERATORS: &[&str] = &["typeof", "__typeof__", "__typeof", "__attribute__", "__attribute", "_Atomic", "_Alignas"];

/// Declares `name` with the type `ty`: `void (*)(int)` and `f` are `void (*f)(int)`, `int[4]` and `a` are `int a[4]`.
pub(super) fn declare(ty: &str, name: &str) -> String {
    if name.is_empty() {
        return ty.to_owned();
    }
    let (before, behind) = ty.split_at(name_position(ty));
    let before = before.trim_end();
    let space = if before.is_empty() || before.ends_with(['*', '(']) { "" } else { " " };
    format!("{before}{space}{name}{}", behind.trim_start())
}

/// Returns the type of a pointer to `ty`, or of a pointer to constant `ty`.
pub(super) fn pointer(ty: &str, constant: bool) -> String {
    let at = name_position(ty);
    let (before, behind) = ty.split_at(at);
    let before = before.trim_end();
    let (pointee, levels) = split_qualifiers(before);
    let is_constant = identifiers(levels).any(|word| &levels[word] == "const");
    let is_pointer = pointee.ends_with('*');
    let before = match constant && !is_constant {
        true if is_pointer => format!("{before}{}const", if levels.is_empty() { "" } else { " " }),
        true if !identifiers(before).any(|word| &before[word] == "const") => format!("const {before}"),
        _ => before.to_owned(),
    };
    let space = if before.ends_with('*') { "" } else { " " };
    match behind.starts_with('[') && !is_in_parentheses(ty, at) {
        true => format!("{before}{space}(*){behind}"),
        false => format!("{before}{space}*{behind}"),
    }
}

/// Returns the type of a variable that can store a value of type `ty`: without a `const` of its own, and a pointer for an array,
/// as C adjusts parameters.
pub fn stored(ty: &str) -> String {
    let ty = ty.trim();
    let at = name_position(ty);
    let (before, behind) = ty.split_at(at);
    if let Some(rest) = behind.strip_prefix('[') {
        let inner = rest.split_once(']').map_or("", |(_, inner)| inner.trim_start());
        return match inner.starts_with('[') {
            true => declare(before.trim_end(), &format!("(*){inner}")),
            false => format!("{}{inner}", declare(before.trim_end(), "*")),
        };
    }
    let (pointee, qualifiers) = split_qualifiers(before);
    if pointee.ends_with('*') {
        let kept = without_const(qualifiers);
        return format!("{pointee}{kept}{behind}");
    }
    if behind.is_empty() { without_const(before) } else { ty.to_owned() }
}

/// Replaces the identifier `from` by `to`. Longer identifiers that contain it stay.
pub fn with_identifier(text: &str, from: &str, to: &str) -> String {
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for word in identifiers(text).filter(|word| &text[word.clone()] == from) {
        out.push_str(&text[end..word.start]);
        out.push_str(to);
        end = word.end;
    }
    out.push_str(&text[end..]);
    out
}

/// The identifiers and numbers of a text, as ranges of bytes.
pub fn identifiers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let (bytes, mut at) = (text.as_bytes(), 0);
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(is_part)?;
        let length = bytes[start..].iter().position(|byte| !is_part(byte)).unwrap_or(bytes.len() - start);
        at = start + length;
        Some(start..at)
    })
}

/// The position at which a declaration of this type has its name: in the innermost declarator in parentheses, else before the
/// lengths of an array, else at the end.
fn name_position(ty: &str) -> usize {
    let mut skipped = 0;
    while let Some(open) = ty[skipped..].find('(').map(|at| at + skipped) {
        let word = identifiers(&ty[..open]).last().filter(|word| ty[word.end..open].trim().is_empty());
        match end_of_stars(ty, open + 1) {
            _ if word.is_some_and(|word| OPERATORS.contains(&&ty[word])) => skipped = close_of(ty, open),
            Some(end) if ty[end..].starts_with('(') => skipped = end,
            Some(end) => return end,
            // The parameters of a function: the declarator was before them.
            None if skipped > 0 && ty[..open].ends_with('*') => return open,
            None => break,
        }
    }
    ty.find('[').unwrap_or(ty.len())
}

/// The end of `WINAPI *const *` at `start`; `None` if there is no star.
fn end_of_stars(ty: &str, start: usize) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '*' || c.is_whitespace();
    let length = ty[start..].find(|c| !is_part(c)).unwrap_or(ty.len() - start);
    ty[start..start + length].contains('*').then_some(start + length)
}

/// The position behind the parenthesis that closes the one at `open`.
fn close_of(ty: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in ty[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return open + at + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    ty.len()
}

fn is_in_parentheses(ty: &str, at: usize) -> bool {
    ty[..at].matches('(').count() > ty[..at].matches(')').count()
}

/// Splits the words behind the last star off: the qualifiers of the pointer itself.
fn split_qualifiers(before: &str) -> (&str, &str) {
    before.split_at(before.rfind('*').map_or(0, |star| star + 1))
}

/// A text without the identifier `const`, and without the space that separated it.
fn without_const(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "const").collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{declare, pointer, stored, with_identifier};

    #[test]
    fn declare_puts_the_name_where_c_has_it() {
        let cases = [
            ("int", "int x"),
            ("char *", "char *x"),
            ("char *const", "char *const x"),
            ("const int[4]", "const int x[4]"),
            ("int[2][3]", "int x[2][3]"),
            ("void (*)(int)", "void (*x)(int)"),
            ("void (*const)(int)", "void (*const x)(int)"),
            ("void (**)(int)", "void (**x)(int)"),
            ("void (WINAPI *)(int)", "void (WINAPI *x)(int)"),
            ("void (*(*)(int))(char *)", "void (*(*x)(int))(char *)"),
            ("void (*[4])(int (*)(void))", "void (*x[4])(int (*)(void))"),
            ("int (*)[3]", "int (*x)[3]"),
            ("__typeof__(*p)", "__typeof__(*p) x"),
            ("_Atomic(int *)", "_Atomic(int *) x"),
        ];
        for (ty, expected) in cases {
            assert_eq!(declare(ty, "x"), expected, "{ty}");
            assert_eq!(declare(ty, ""), ty);
        }
        assert_eq!(declare("void (*)(int)", "f(char c)"), "void (*f(char c))(int)");
    }

    #[test]
    fn pointer_adds_one_level() {
        let cases = [
            ("int", "int *", "const int *"),
            ("const int", "const int *", "const int *"),
            ("my_const", "my_const *", "const my_const *"),
            ("char *", "char **", "char *const *"),
            ("char *const", "char *const *", "char *const *"),
            ("void (*)(int)", "void (**)(int)", "void (*const *)(int)"),
            ("int[3]", "int (*)[3]", "const int (*)[3]"),
            ("int (*)[3]", "int (**)[3]", "int (*const *)[3]"),
        ];
        for (ty, plain, constant) in cases {
            assert_eq!((pointer(ty, false).as_str(), pointer(ty, true).as_str()), (plain, constant), "{ty}");
        }
    }

    #[test]
    fn stored_can_be_assigned() {
        let cases = [
            ("int", "int"),
            ("const int", "int"),
            ("int const", "int"),
            ("unsigned const int", "unsigned int"),
            ("const char *", "const char *"),
            ("const char *const", "const char *"),
            ("char *const volatile", "char *volatile"),
            ("char *const *", "char *const *"),
            ("const float[16]", "const float *"),
            ("const float *[16]", "const float **"),
            ("int[2][3]", "int (*)[3]"),
            ("void (*)(const int)", "void (*)(const int)"),
            ("void (*const)(int)", "void (*)(int)"),
            ("void (*[4])(int)", "void (**)(int)"),
            ("my_const", "my_const"),
            ("const_t", "const_t"),
        ];
        for (ty, expected) in cases {
            assert_eq!(stored(ty), expected, "{ty}");
        }
    }

    #[test]
    fn with_identifier_keeps_longer_names() {
        let cases = [
            ("_Bool", "bool"),
            ("XML_Bool", "XML_Bool"),
            ("_Bool (*)(XML_Bool, _Bool *, my_Bool_t)", "bool (*)(XML_Bool, bool *, my_Bool_t)"),
            ("_Bool_t", "_Bool_t"),
        ];
        for (text, expected) in cases {
            assert_eq!(with_identifier(text, "_Bool", "bool"), expected);
        }
    }
}
