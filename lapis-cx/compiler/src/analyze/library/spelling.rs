//! Names in C: what two declarations share there, nobody can tell apart.

use std::collections::HashMap;

use crate::contract::Item;
use crate::contract::library::Library;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::source::Span;

use super::Lib;

/// Types of C that belong to no library: many handles may be one.
const COMMON: &[&str] = &[
    "void",
    "char",
    "short",
    "int",
    "long",
    "unsigned",
    "signed",
    "float",
    "double",
    "const",
    "bool",
    "_Bool",
    "size_t",
    "ssize_t",
    "intptr_t",
    "uintptr_t",
    "ptrdiff_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
];

impl Lib<'_, '_> {
    /// Complains about two declarations of one name in C.
    pub(super) fn same_in_c(&mut self) {
        let library = &self.library;
        let in_c = |spelling: &Option<String>, name: &str| library.name_in_c(spelling.as_deref(), name);
        let mut all: Vec<(String, &str, Span, &str)> = Vec::new();
        for f in &library.functions {
            let help = "one function of C is described once: `match` types and `when` tell its uses apart";
            all.push((in_c(&f.c, &f.name), &f.name, f.span, help));
        }
        for h in &library.handles {
            let help = "declare one handle; `type Other = Handle;` gives it a second name";
            all.push((in_c(&h.c, &h.name), &h.name, h.span, help));
        }
        for s in library.structs.iter().filter(|s| s.view_of.is_none()) {
            let help = "write `struct B as A { … }` for the same struct of C with other annotations";
            all.push((in_c(&s.c, &s.name), &s.name, s.span, help));
        }
        for c in &library.callbacks {
            let help = "one type of callback is described once: `match` types and `when` tell its uses apart";
            // Without a spelling it is written out where it is used.
            all.extend(c.c.clone().map(|spelled| (spelled, c.name.as_str(), c.span, help)));
        }
        all.sort_by_key(|(_, _, span, _)| span.start);
        let mut first: HashMap<String, (&str, Span)> = HashMap::new();
        let mut found = Vec::new();
        for (spelled, name, span, help) in all {
            let words = words(&spelled);
            if words.iter().all(|word| COMMON.contains(&word.as_str()) || word == "*" || word == "(" || word == ")") {
                continue;
            }
            if let Some((other, at)) = first.get(&words.join(" ")) {
                // That one name is declared twice was said.
                if *other == name {
                    continue;
                }
                let message = format!("`{other}` and `{name}` are both `{spelled}` in C");
                let diagnostic = Diagnostic::error(&codes::SAME_IN_C, message, span, "the second");
                found.push(diagnostic.label(*at, "the first").help(help));
            } else {
                first.insert(words.join(" "), (name, span));
            }
        }
        for diagnostic in found {
            self.report(diagnostic);
        }
    }
}

/// Complains about what the libraries of one file share: functions of C, and the number of the API.
pub(in crate::analyze) fn between(items: &[Item], found: &mut Vec<Diagnostic>) {
    let libraries = items.iter().filter_map(|item| match item {
        Item::Library(library) => Some(&**library),
        _ => None,
    });
    let mut functions: HashMap<String, (&Library, Span)> = HashMap::new();
    let mut numbers: HashMap<u32, &Library> = HashMap::new();
    for library in libraries {
        for f in &library.functions {
            let name = library.name_in_c(f.c.as_deref(), &f.name);
            match functions.get(&name) {
                Some((other, span)) if other.span != library.span => {
                    let message = format!("`{}` and `{}` both have a function `{name}` in C", other.name, library.name);
                    found.push(
                        Diagnostic::error(&codes::SAME_IN_C, message, f.span, "the second")
                            .label(*span, "the first")
                            .help("give the libraries different prefixes: `c prefix \"…\";`"),
                    );
                }
                Some(_) => {}
                None => {
                    functions.insert(name, (library, f.span));
                }
            }
        }
        let Some(number) = library.binding.number else { continue };
        if let Some(other) = numbers.insert(number, library) {
            let message = format!("`{}` and `{}` both have the number {number}", other.name, library.name);
            found.push(
                Diagnostic::error(&codes::SAME_IN_C, message, library.span, "the second")
                    .label(other.span, "the first")
                    .help("the other side finds an API by its number: write another `c number`"),
            );
        }
    }
}

/// The words and signs of a type of C: blanks tell nothing.
fn words(spelled: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in spelled.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        if c.is_whitespace() {
            in_word = false;
            continue;
        }
        match words.last_mut().filter(|_| in_word && is_word) {
            Some(last) => last.push(c),
            None => words.push(c.to_string()),
        }
        in_word = is_word;
    }
    words
}
