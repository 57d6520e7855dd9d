//! Texts of C around a call: each is a function of its own.

use super::super::block::has_identifier;
use super::Check;
use crate::contract::library::clause::Clause;
use crate::contract::library::{Code, Moment};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;

impl Check<'_> {
    /// Rejects an `after` that names a variable which a `before` of the same function declares.
    pub(super) fn texts(&mut self) {
        for function in self.library.functions.iter().chain(&self.library.callbacks) {
            let mut texts = Vec::new();
            gather(&function.clauses, &mut texts);
            let of = |moment| texts.iter().filter(move |(at, _)| *at == moment).map(|(_, code)| *code);
            for (before, after) in
                of(Moment::Before).flat_map(|before| of(Moment::After).map(move |after| (before, after)))
            {
                let names = declared_in(&before.text);
                let Some(name) = names.into_iter().find(|name| has_identifier(&after.text, name)) else { continue };
                let message = format!("`after` names `{name}`, a variable of `before`");
                let found = Diagnostic::error(&codes::SEPARATE_TEXTS, message, after.span, "not declared here");
                self.found.push(
                    found.label(before.span, "declared in another function").help(
                        "compute it again, or keep it in an argument or in a `_Thread_local` variable of `utility`",
                    ),
                );
            }
        }
    }
}

/// The texts of C around a call, under any condition.
fn gather<'a>(clauses: &'a [Clause], texts: &mut Vec<(Moment, &'a Code)>) {
    for clause in clauses {
        match clause {
            Clause::Around(moment, code) => texts.push((*moment, code)),
            Clause::When { then, otherwise, .. } => {
                gather(then, texts);
                gather(otherwise, texts);
            }
            _ => {}
        }
    }
}

/// Words that begin statements of C which declare nothing.
const NO_TYPES: [&str; 5] = ["return", "goto", "else", "case", "sizeof"];

/// The variables that statements of C declare, as far as their form shows it: `type name`, `type *name = …`, `type a, b[2]`.
fn declared_in(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for statement in text.split([';', '{', '}']) {
        let mut parts = statement.split(',');
        let head = parts.next().map_or("", declarator);
        let mut words = head.split(|c: char| c.is_whitespace() || c == '*').filter(|word| !word.is_empty());
        let (Some(first), Some(last)) = (words.next(), words.next_back()) else { continue };
        let is_declaration = !NO_TYPES.contains(&first) && [first, last].into_iter().chain(words).all(is_name);
        if is_declaration {
            let more = parts.map(|part| declarator(part).trim().trim_start_matches('*').trim());
            names.extend([last].into_iter().chain(more.filter(|name| is_name(name))));
        }
    }
    names
}

/// What stands before the value or the length of a declared variable.
fn declarator(part: &str) -> &str {
    part.split(['=', '[']).next().unwrap_or(part)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::declared_in;

    #[test]
    fn declarations_are_told_from_other_statements() {
        for (text, names) in [
            ("n += 1; int save = n;", &["save"][..]),
            ("const char *p = text, *q; unsigned long sizes[4];", &["p", "q", "sizes"]),
            ("struct timespec at; clock_gettime(CLOCK_MONOTONIC, &at);", &["at"]),
            ("if (n) { static int calls; calls++; }", &["calls"]),
            ("n = a * b; return n;", &[]),
            ("save(n); total = n, ret = 1;", &[]),
            ("extern int printf(const char *, ...); printf(\"%d\", n);", &[]),
        ] {
            assert_eq!(declared_in(text), names, "{text}");
        }
    }
}
