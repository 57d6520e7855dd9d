//! Helpers for names and for messages about them.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::names as codes;
use crate::syntax::{Kind, Node};

/// The names that text which could not be read would have declared.
pub(super) fn declared_in<'t>(bad: Node<'t>) -> Vec<&'t str> {
    const KEYWORDS: [&str; 13] = [
        "let",
        "var",
        "for",
        "const",
        "fn",
        "law",
        "command",
        "error",
        "enum",
        "csr",
        "interface",
        "library",
        "platform",
    ];
    let words: Vec<_> = bad.leaves().filter(|l| !l.is_trivia()).collect();
    let mut names = Vec::new();
    for pair in words.windows(2) {
        // `let mut x`, as in Rust.
        if let [keyword, name] = pair
            && (KEYWORDS.contains(&keyword.text()) || keyword.text() == "mut")
            && name.kind() == Kind::ident
        {
            names.push(name.text());
        }
    }
    // `let (x, y) = …;`
    if let [keyword, open, rest @ ..] = words.as_slice()
        && keyword.text() == "let"
        && open.text() == "("
    {
        let inside = rest.iter().take_while(|w| w.text() != ")");
        names.extend(inside.filter(|w| w.kind() == Kind::ident).map(|w| w.text()));
    }
    // `u8 y = x;`, as in C.
    if let [ty, name, rest, ..] = words.as_slice()
        && ty.kind() == Kind::ident
        && name.kind() == Kind::ident
        && matches!(rest.text(), "=" | ";")
    {
        names.push(name.text());
    }
    // `state { a: u8 = 0; }`, without its model.
    if words.first().is_some_and(|word| word.text() == "state") {
        for pair in words.windows(2) {
            if let [name, colon] = pair
                && name.kind() == Kind::ident
                && colon.text() == ":"
            {
                names.push(name.text());
            }
        }
    }
    // `x u8 = 3`, a parameter or a field without its colon.
    if matches!(bad.kind(), Kind::bad_param | Kind::bad_field)
        && let Some(first) = words.iter().find(|w| w.kind() == Kind::ident)
    {
        names.push(first.text());
    }
    names
}

/// The parameters of a function, command or law; `None` if its head could not be read in full.
pub(super) fn params_of<'t>(node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let params = node.child(Kind::params).filter(|p| !p.has(Kind::bad_param))?;
    Some(params.children_of(Kind::param).collect())
}

/// Whether a name cannot be declared because the language has it; types, functions and items cannot be named as types are.
pub(super) fn is_built_in(name: &str, is_no_value: bool) -> bool {
    let width = name.strip_prefix(['u', 's']).unwrap_or_default();
    let is_type = matches!(name, "bool" | "word" | "sword" | "int")
        || !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit());
    name == "XLEN" || is_type && is_no_value
}

/// The declaration of a name that [`is_built_in`].
pub(super) fn built_in(name: Node<'_>) -> Diagnostic {
    let message = format!("the name `{}` is built in", name.text());
    Diagnostic::error(&codes::DUPLICATE, message, name.span(), "cannot be declared").help("choose another name")
}

/// What people of other languages should write instead of a name.
pub(super) fn foreign_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "True" | "TRUE" => "write `true`",
        "False" | "FALSE" => "write `false`",
        "null" | "NULL" | "None" | "nullptr" | "nil" => "there is no null; every variable has a value",
        "not" => "write `!`, or `~` for every bit",
        "sizeof" => "the length of an array is `len(a)`; the width of a type is known where it is declared",
        "abs" => "write `x < 0 ? -x : x`, which is one bit wider than `x`",
        "pow" => "there are no powers; a power of two is `1u32 << n`",
        "sext" | "zext" | "trunc" | "sat" | "signed" | "unsigned" | "split" | "join" => {
            "write it behind the value: `x.sext(32)`, `x.trunc(8)`, `x.signed()`"
        }
        "concat" => "write `cat(hi, lo)`",
        "printf" | "print" | "println" => "nothing is printed; an `example` shows values",
        "self" | "this" => "fields of the state are named alone",
        _ => return None,
    })
}

/// Longer names are not compared.
const MAX_COMPARED: usize = 64;

/// The candidate closest to a misspelt name, if any is close enough to be meant.
pub(super) fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let length = name.chars().count();
    // The distance takes time and room of length times length, and nobody misspells a name of this length.
    if length > MAX_COMPARED {
        return None;
    }
    // A third of the letters may differ, of the longer name.
    let limit = |candidate: &str| candidate.chars().count().max(length) / 3;
    // Names much longer or shorter are not worth the work.
    let near = candidates.filter(|c| c.chars().count().abs_diff(length) <= limit(c));
    near.map(|c| (distance(name, c), c)).filter(|&(d, c)| d <= limit(c)).min().map(|(_, c)| c)
}

/// Edit distance in characters, where swapping neighbours counts once and case does not count.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// `` `a`, `b` and `c` ``; cut after eight.
pub(super) fn quoted_list(names: &[&str]) -> String {
    let mut quoted: Vec<_> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    if names.len() > 8 {
        quoted.push(format!("{} more", names.len() - 8));
    }
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["mulacc", "mul", "acc"];
        assert_eq!(nearest("mulac", names.into_iter()), Some("mulacc"));
        assert_eq!(nearest("mlu", names.into_iter()), Some("mul"));
        assert_eq!(nearest("ACC", names.into_iter()), Some("acc"));
        assert_eq!(nearest("division", names.into_iter()), None);
        assert_eq!(nearest("ac", names.into_iter()), Some("acc"));
        assert_eq!(nearest("x", ["y", "xy"].into_iter()), None);
    }
}
