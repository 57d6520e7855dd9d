//! Mistakes that people bring from other languages, and misspelt words: a message that knows what was meant.

use lapis_cx_grammar::Rule;

use super::foreign::{self, foreign};
use super::library;
use super::misfit::{Failure, Found, Misfit, token_at};
use super::words;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;
use crate::syntax::tree::Node;

/// Words of other languages, and what to write instead.
const FOREIGN: &[(&str, &str)] = &[
    ("while", "loops have known bounds: `for i in 0..n { … }`"),
    ("do", "loops have known bounds: `for i in 0..n { … }`"),
    ("loop", "loops have known bounds: `for i in 0..n { … }`"),
    ("switch", "write `match (x) { 0 => { … } _ => { … } }`"),
    ("case", "write `match (x) { 0 => { … } _ => { … } }`"),
    ("elif", "write `else if (…) { … }`"),
    ("elsif", "write `else if (…) { … }`"),
    ("elseif", "write `else if (…) { … }`"),
    ("break", "loops always run to their end; use an `if` in the body"),
    ("continue", "loops always run to their end; use an `if` in the body"),
    ("goto", "there are no jumps; use `if`, `match` and `for`"),
    ("assert", "an `example` or a `law` says what must hold"),
    ("func", "a function begins with `fn`"),
    ("function", "a function begins with `fn`"),
    ("def", "a function begins with `fn`"),
    ("import", "write `use org.example.name:Item;`"),
    ("include", "write `use org.example.name:Item;`"),
    ("module", "write `interface Name { … }`"),
    ("class", "write `interface Name { … }`"),
    ("struct", "the state of an interface is its `state` block"),
    ("typedef", "types have no other names; an `enum` makes a new one"),
    ("static", "constants begin with `const`, and state is declared in a `state` block"),
    ("instruction", "write `command name = 0 : R (a: word) -> word { … }`"),
    ("insn", "write `command name = 0 : R (a: word) -> word { … }`"),
    ("throw", "write `raise name;`, after `error name = 1 \"text\";` in the interface"),
    ("try", "an error ends the command; there is nothing to catch"),
    ("pub", "leave it out: everything can be imported"),
    ("public", "leave it out: everything can be imported"),
    ("export", "leave it out: everything can be imported"),
    ("extern", "leave it out; a command without a body is known to the hardware only"),
    ("inline", "leave it out: functions are put where they are called"),
    ("constexpr", "constants begin with `const`"),
    ("localparam", "constants begin with `const`"),
    ("parameter", "constants begin with `const`; an `abstract interface` may leave one open"),
    ("namespace", "write `package org.example.name;` at the start of the file"),
    ("trait", "write `abstract interface Name { … }`"),
    ("type", "types have no other names; an `enum` makes a new one"),
    ("using", "types have no other names; an `enum` makes a new one"),
    ("always", "a command says what happens when it is issued; there is no clock"),
    ("test", "write `example \"title\" { … }`"),
];

/// Words of the C preprocessor.
const DIRECTIVES: &[&str] =
    &["define", "undef", "include", "if", "ifdef", "ifndef", "else", "elif", "endif", "error", "pragma", "line"];

/// What the first tokens of a bad node tell.
pub(super) fn by_first_words(misfit: &Misfit<'_>, tokens: &[Node<'_>]) -> Option<Diagnostic> {
    let first = *tokens.first()?;
    let (kind, word) = (misfit.node.kind(), first.text());
    let second = tokens.get(1).map_or("", |t| t.text());
    if kind == Rule::bad_arm && word == "," {
        let diagnostic = Diagnostic::error(&codes::UNEXPECTED, "nothing separates arms", first.span(), "one too many");
        return Some(diagnostic.help("remove the `,`"));
    }
    if kind == Rule::bad_arm && matches!(word, "case" | "default") && second != "=>" {
        return Some(foreign(&format!("there is no `{word}`"), first.span(), "write `0 => { … }` and `_ => { … }`"));
    }
    if kind == Rule::bad_loop && word == "(" {
        return Some(foreign("loops have no parentheses", misfit.node.span(), "write `for i in 0..n { … }`"));
    }
    let known: &[&str] = match kind {
        Rule::bad_item => words::ITEMS,
        Rule::bad_member => words::MEMBERS,
        Rule::bad_part => words::PARTS,
        Rule::bad_clause => words::CLAUSES,
        Rule::bad_platform_member => words::PLATFORM,
        Rule::bad_stmt => words::STATEMENTS,
        Rule::bad_step => words::STEPS,
        _ => return None,
    };
    let error = |message: String, label: &str| Diagnostic::error(&codes::UNEXPECTED, message, first.span(), label);
    match word {
        ";" => return Some(error("this `;` ends nothing".into(), "one too many").help("remove it")),
        "}" => {
            let help = "remove it, or look for one that comes too early above";
            return Some(error("this `}` closes nothing".into(), "one too many").help(help));
        }
        "else" if kind == Rule::bad_stmt => {
            let help = "write `else` right after the `}` of an `if`";
            return Some(error("this `else` belongs to no `if`".into(), "no `if` before this").help(help));
        }
        "#" if second == "[" => {
            let help = "attributes begin with `@` and stand behind what they are about, as `@latency(1, 4)`";
            return Some(foreign("there are no attributes in `#[ ]`", first.span(), help));
        }
        "#" if DIRECTIVES.contains(&second) => {
            let help = "constants begin with `const`, imports with `use`";
            return Some(foreign("there is no preprocessor", first.span(), help));
        }
        "#" => return Some(foreign("`#` begins no comment", first.span(), "begin comments with `//`")),
        "-" if second == "-" && matches!(kind, Rule::bad_item | Rule::bad_member) => {
            let place = Span { end: first.span().end + 1, ..first.span() };
            return Some(foreign("`--` begins no comment", place, "begin comments with `//`"));
        }
        "this" | "self" if second == "." => {
            let help = "fields of the state are named alone: `total = total +% 1;`";
            return Some(foreign(&format!("there is no `{word}`"), first.span(), help));
        }
        "unit" | "omits" | "level" | "latency" | "contexts" if kind == Rule::bad_platform_member => {
            let (row, help) = match word {
                "unit" => ("device", "write it in `device name { … }`"),
                _ => ("CXU", "write it in `cxu 0 = org.example.name:Item { … }`"),
            };
            return Some(error(format!("`{word}` outside of a {row}"), "of which one?").help(help));
        }
        "const" if matches!(kind, Rule::bad_stmt | Rule::bad_step) => {
            let help = "write `let` here, or move the constant out of the body";
            return Some(foreign("there are no constants in bodies", first.span(), help));
        }
        _ => {}
    }
    if known.contains(&word) {
        return if_let_mut(first, second, tokens);
    }
    let assigns = second.starts_with(['=', '[', '+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '.']);
    let in_library = matches!(kind, Rule::bad_part | Rule::bad_clause);
    if in_library && known.contains(&word) {
        return None;
    }
    if !assigns
        && !in_library
        && let Some(&(_, help)) = FOREIGN.iter().find(|(w, _)| *w == word)
    {
        return Some(foreign(&format!("there is no `{word}`"), first.span(), help));
    }
    let is_name = first.kind() == Rule::ident;
    if is_name
        && !assigns
        && second != ":"
        && (second != "(" || misfit.node.text().ends_with('}'))
        && let Some(meant) = nearest(word, known)
    {
        return Some(
            error(format!("`{word}` is not known here"), "unknown word").help(format!("did you mean `{meant}`?")),
        );
    }
    match kind {
        Rule::bad_stmt | Rule::bad_step if is_name => declaration(first, tokens),
        Rule::bad_stmt | Rule::bad_step => None,
        Rule::bad_member if is_name && second == ":" => {
            let help = "write `state exclusive { … }` around it";
            Some(error(format!("field `{word}` outside of a state block"), "a field?").help(help))
        }
        Rule::bad_item | Rule::bad_member if c_function(tokens) => {
            let help = "write the result type behind the parameters: `fn name(a: u8) -> u8 { return a; }`";
            Some(foreign("a function begins with `fn`", first.span(), help))
        }
        _ => {
            let place = match kind {
                Rule::bad_item => "an item of a file",
                Rule::bad_part => "a part of a library",
                Rule::bad_clause => "a clause",
                Rule::bad_platform_member => "a member of a platform",
                _ => "a member of an interface",
            };
            let list: Vec<_> = known.iter().map(|w| format!("`{w}`")).collect();
            let token = if is_name { word } else { token_at(misfit.tree.text(), first.span().start) };
            let end = first.span().start + token.len() as u32;
            let span = Span { end, ..first.span() };
            let message = format!("`{token}` does not begin {place}");
            let diagnostic = Diagnostic::error(&codes::UNEXPECTED, message, span, format!("expected {place}"));
            Some(look_alike(token, span).unwrap_or(diagnostic.help(format!("it begins with {}", words::list(&list)))))
        }
    }
}

/// `u8 f(u8 a) {`
fn c_function(tokens: &[Node<'_>]) -> bool {
    let kinds: Vec<_> = tokens.iter().take(2).map(|t| t.kind()).collect();
    kinds == [Rule::ident, Rule::ident] && tokens.get(2).is_some_and(|t| t.text() == "(")
}

/// `let mut x` is of another language.
fn if_let_mut(first: Node<'_>, second: &str, tokens: &[Node<'_>]) -> Option<Diagnostic> {
    let mutable = tokens.get(1).filter(|_| first.text() == "let" && second == "mut")?;
    tokens.get(2).filter(|t| t.kind() == Rule::ident)?;
    Some(foreign("there is no `let mut`", mutable.span(), "write `var name: type = value;`"))
}

/// `int x = 3;`
fn declaration(first: Node<'_>, tokens: &[Node<'_>]) -> Option<Diagnostic> {
    let typed = foreign::leading_type(tokens);
    let name = match &typed {
        Some((.., name)) => name,
        None => tokens.get(1).filter(|t| t.kind() == Rule::ident && !matches!(t.text(), "raises"))?,
    };
    let after = tokens.iter().skip_while(|t| *t != name).nth(1).map_or("", |t| t.text());
    if !matches!(after, "=" | ";" | "[") {
        return None;
    }
    let (ty, name) = (typed.as_ref().map_or(first.text(), |(ty, ..)| ty), name.text());
    let help = format!("write `let {name} = …;`, or `var {name}: type = …;` if it changes later");
    Some(
        foreign(&format!("`{name}` is declared without `let` or `var`"), first.span(), &help)
            .note(format!("a type such as `{ty}` follows the name; `{name}: {ty}`")),
    )
}

/// What the place of the failure tells.
pub(super) fn by_failure(
    misfit: &Misfit<'_>,
    tokens: &[Node<'_>],
    failure: &Failure,
    found: &Found<'_>,
) -> Option<Diagnostic> {
    let of_library = || library::by_failure(misfit, tokens, failure, found);
    if let Some(diagnostic) = of_library().or_else(|| foreign::by_failure(misfit, tokens, failure, found)) {
        return Some(diagnostic);
    }
    let rest = found.rest;
    let span = |len: u32| Span { end: found.span.start + len, ..found.span };
    let before = misfit.tree.text().get(..found.span.start as usize).unwrap_or_default();
    for (op, with) in [("+", "+%"), ("-", "-%"), ("*", "*%"), ("/", ""), ("%", "")] {
        if rest.strip_prefix(op).is_some_and(|r| r.starts_with('=') && !r.starts_with("==")) {
            let help = match with {
                "" => format!("write `x = x {op} …;`"),
                _ => format!("write `{with}=`, which keeps the width; an exact `{op}` is wider than its operands"),
            };
            return Some(foreign(&format!("there is no `{op}=`"), span(2), &help));
        }
    }
    for op in ["+", "-"] {
        let double = op.repeat(2);
        if rest.starts_with(&double) {
            return Some(foreign(&format!("there is no `{double}`"), span(2), &format!("write `x {op}%= 1;`")));
        }
        if rest.starts_with(op) && before.ends_with(op) || before.ends_with(&double) {
            let start = found.span.start - if before.ends_with(&double) { 2 } else { 1 };
            let place = Span { start, end: start + 2, ..found.span };
            return Some(foreign(&format!("there is no `{double}`"), place, &format!("write `x {op}%= 1;`")));
        }
    }
    let compares = matches!(failure.rule, Rule::cond | Rule::run_step | Rule::law | Rule::return_stmt)
        || failure.rule == Rule::if_stmt;
    if compares && found.token == "=" {
        let message = "`=` assigns; `==` compares";
        return Some(
            Diagnostic::error(&codes::UNEXPECTED, message, span(1), "this does not compare").help("write `==`"),
        );
    }
    if rest.starts_with(|c: char| c.is_ascii_digit()) && before.ends_with('.') {
        return Some(foreign("there are no fractions", found.span, "all numbers are integers"));
    }
    let (token, place) = (found.token, found.span);
    if token == "(" && failure.rule == Rule::assign_stmt {
        let help = "assign what it returns: `x = f(…);`; bodies call functions, which change nothing themselves";
        return Some(Diagnostic::error(&codes::UNEXPECTED, "a call alone does nothing", place, "a call").help(help));
    }
    if matches!(token, "true" | "false") && failure.expected.iter().any(|e| e == "a name") {
        let message = format!("`{token}` is a value and cannot be a name");
        return Some(
            Diagnostic::error(&codes::BAD_NAME, message, place, "expected a name").help("choose another name"),
        );
    }
    if token == "=" && failure.rule == Rule::var_stmt {
        let message = "a `var` says its type";
        return Some(
            Diagnostic::error(&codes::UNEXPECTED, message, place, "expected `:` and a type")
                .help("write `var name: type = value;`, or `let` for what does not change"),
        );
    }
    if lacks_other_value(misfit, failure) {
        let message = "a choice has two values";
        return Some(
            Diagnostic::error(&codes::UNEXPECTED, message, place, "expected `:` and a value")
                .help("write `condition ? a : b`"),
        );
    }
    let operator = matches!(token, "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "&" | "|" | "^" | "+" | "-");
    let upto = misfit.tree.text().get(misfit.node.span().start as usize..failure.offset as usize).unwrap_or_default();
    let is_inside = upto.matches('(').count() > upto.matches(')').count();
    if failure.rule == Rule::cond && !is_inside && (operator || failure.offset == misfit.node.span().start) {
        let word = match misfit.parent.kind() {
            Rule::match_stmt | Rule::match_type => "match (x)",
            Rule::when_clause => "when (a == b)",
            _ => "if (a == b)",
        };
        let message = "condition without parentheses";
        let span = misfit.node.span();
        let diagnostic = Diagnostic::error(&codes::UNEXPECTED, message, span, "expected `( )` around this");
        return Some(diagnostic.help(format!("write `{word} {{ … }}`")));
    }
    look_alike(token, place)
}

/// Whether a `:` is missing after a `?`.
fn lacks_other_value(misfit: &Misfit<'_>, failure: &Failure) -> bool {
    let upto = misfit.tree.text().get(misfit.node.span().start as usize..failure.offset as usize).unwrap_or_default();
    let in_library = matches!(misfit.node.kind(), Rule::bad_place | Rule::bad_part | Rule::bad_field);
    !in_library && failure.expected.iter().any(|e| e == "`:`") && upto.matches('?').count() > upto.matches(':').count()
}

/// Characters that look like those of the language.
fn look_alike(token: &str, span: Span) -> Option<Diagnostic> {
    let c = token.chars().next().filter(|c| !c.is_ascii() || matches!(c, '\'' | '`'))?;
    let help = match c {
        '“' | '”' | '„' | '‘' | '’' | '\'' | '`' => "strings stand in `\"`",
        '−' | '–' | '—' => "write `-`",
        '×' => "write `*`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '\u{a0}' | '\u{feff}' | '\u{200b}' | '\u{3000}' => "replace it with a space",
        _ => "only strings and comments hold characters that are not ASCII",
    };
    let end = span.start + c.len_utf8() as u32;
    let shown = if c.is_control() || c.is_whitespace() { String::new() } else { format!("`{c}`, ") };
    let message = format!("the character {shown}U+{:04X} cannot stand here", c as u32);
    Some(Diagnostic::error(&codes::UNEXPECTED, message, Span { end, ..span }, "this character").help(help))
}

/// Statements among the members of an interface: clauses written with `=`, or what follows a `}` that came too early.
pub(super) fn stray_statements(node: Node<'_>, before: Option<Node<'_>>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut outside = None;
    for statement in node.children().filter(|c| c.kind() != Rule::rbrace) {
        let first = statement.leaves().find(|l| !l.is_trivia()).unwrap_or(statement);
        let word = first.text();
        if !words::MEMBERS.contains(&word) {
            outside.get_or_insert(first);
            continue;
        }
        let form = words::item(word).and_then(words::form).unwrap_or_default();
        let message = format!("`{word}` is not written like this");
        let diagnostic = Diagnostic::error(&codes::UNEXPECTED, message, first.span(), "in this clause");
        found.push(diagnostic.help(format!("the form is `{form}`")));
    }
    // After a mistake in the body before, these are most likely part of it.
    let Some(first) = outside.filter(|_| !before.is_some_and(|b| b.is_broken())) else { return found };
    let (message, label) = ("statement outside of a body", "statements are allowed in commands and functions");
    let diagnostic = Diagnostic::error(&codes::MISPLACED, message, first.span(), label);
    let body = before.and_then(|b| b.children().filter(|c| c.kind() == Rule::block).last());
    found.push(match body.and_then(|body| body.child(Rule::rbrace)) {
        Some(brace) => diagnostic
            .label(brace.span(), "the body before ends here")
            .help("is there a `}` too many before this? otherwise move it into a body"),
        None => diagnostic.help("move it into the body of a command or function"),
    });
    found
}

/// Digits and letters that are no number.
pub(super) fn malformed_number(node: Node<'_>) -> Diagnostic {
    let text = node.text();
    if let Some(help) = foreign::number(text) {
        return foreign(&format!("`{text}` is not a number here"), node.span(), &help);
    }
    let help = if text.starts_with("0x") || text.starts_with("0X") {
        "after `0x` come the digits 0 to 9 and a to f, and perhaps a type such as `u32`"
    } else if text.starts_with("0b") || text.starts_with("0B") {
        "after `0b` come the digits 0 and 1, and perhaps a type such as `u8`"
    } else {
        "a number is decimal, `0x…` or `0b…`, perhaps with a type such as `u8`; a name begins with a letter"
    };
    Diagnostic::error(&codes::UNEXPECTED, format!("`{text}` is not a number"), node.span(), "malformed number")
        .help(help)
}

/// Clauses among the parts of a library.
pub(super) fn stray_clauses(node: Node<'_>, before: Option<Node<'_>>) -> Option<Diagnostic> {
    // After a mistake in the body before, these are most likely part of it.
    if before.is_some_and(|b| b.is_broken()) {
        return None;
    }
    let first = node.leaves().find(|l| !l.is_trivia()).unwrap_or(node);
    let (message, label) = ("clause outside of a body", "clauses are allowed in functions, handles and defaults");
    let diagnostic = Diagnostic::error(&codes::MISPLACED, message, first.span(), label);
    let body = before.and_then(|b| b.children().filter(|c| c.kind() == Rule::clauses).last());
    Some(match body.and_then(|body| body.child(Rule::rbrace)) {
        Some(brace) => diagnostic
            .label(brace.span(), "the body before ends here")
            .help("is there a `}` too many before this? otherwise move it into a body"),
        None => diagnostic.help("for all functions, write `defaults { … }` around it"),
    })
}

/// Whether a word begins statements.
pub(super) fn is_statement_word(word: &str) -> bool {
    words::STATEMENTS.contains(&word)
}

/// The known word that a misspelt one was most likely meant to be.
fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let near = |k: &&str| distance(word, k) <= if k.len() < 5 { 1 } else { 2 };
    known.iter().copied().filter(near).min_by_key(|k| distance(word, k))
}

/// How many letters are to be added, removed, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&row, j) + usize::from(ca != cb)).min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(cb) && b.get(j - 1) == Some(ca);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    #[test]
    fn near_words() {
        assert_eq!(super::distance("comand", "command"), 1);
        assert_eq!(super::distance("retrun", "return"), 1);
        assert_eq!(super::distance("lte", "let"), 1);
        assert_eq!(super::nearest("comandd", super::words::MEMBERS), Some("command"));
        assert_eq!(super::nearest("foo", super::words::MEMBERS), None);
    }
}
