//! Text that fits no rule: the strict rule is run again over it, to see how far it gets and what it expects there.

use lapis_cx_grammar::{Grammar, Rule};
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::{hints, words};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::Span;
use crate::syntax::lexical;
use crate::syntax::tree::{Node, Tree};

/// A bad node and where it stands.
pub(super) struct Misfit<'t> {
    pub(super) tree: &'t Tree,
    pub(super) node: Node<'t>,
    pub(super) parent: Node<'t>,
    pub(super) before: Option<Node<'t>>,
}

/// Where a strict rule fails, and what it expects there.
pub(super) struct Failure {
    pub(super) rule: Rule,
    /// The first byte that does not fit.
    pub(super) offset: u32,
    /// In words; empty if too many things could stand there.
    pub(super) expected: Vec<String>,
}

impl<'t> Misfit<'t> {
    pub(super) fn explain(&self) -> Diagnostic {
        let tokens = self.tokens();
        if let Some(diagnostic) = hints::by_first_words(self, &tokens) {
            return diagnostic;
        }
        let failure = self.fail(&tokens);
        let found = Found::at(self, &tokens, failure.offset);
        if let Some(diagnostic) = hints::by_failure(self, &tokens, &failure, &found) {
            return diagnostic;
        }
        if let Some(diagnostic) = self.unbalanced(&tokens, &failure, &found) {
            return diagnostic;
        }
        self.expected(&failure, &found)
    }

    /// The leaves of the node, without documentation.
    fn tokens(&self) -> Vec<Node<'t>> {
        self.node.leaves().filter(|l| !l.is_trivia() && l.kind() != Rule::doc).collect()
    }

    fn expected(&self, failure: &Failure, found: &Found<'_>) -> Diagnostic {
        let list = words::list(&failure.expected);
        let what = words::what(failure.rule);
        let message = match (found.token, list.as_str()) {
            ("", "") => "the text ends too early".to_owned(),
            ("", _) => format!("expected {list}, but the text ends"),
            (token, "") => format!("`{token}` does not fit here"),
            (token, _) => format!("expected {list}, found `{token}`"),
        };
        // What is missing at the end of a line is missing there, not at the start of the next.
        let closing = failure.expected.iter().any(|e| matches!(e.as_str(), "`;`" | "`)`" | "`]`"));
        let place = if found.new_line && closing { found.previous_end } else { found.span };
        let label = match failure.expected.as_slice() {
            [one] => format!("expected {one}"),
            _ => format!("in this {what}"),
        };
        let diagnostic = Diagnostic::error(&codes::UNEXPECTED, message, place, label);
        // In an expression, the form of what it stands in says nothing.
        let in_expr = failure.expected.iter().any(|e| matches!(e.as_str(), "an expression" | "an operator" | "`]`"));
        match words::form(failure.rule) {
            Some(form) if !in_expr => diagnostic.help(format!("the form is `{form}`")),
            _ => diagnostic,
        }
    }

    /// A `(` or `[` without its partner explains more than what is expected after it.
    fn unbalanced(&self, tokens: &[Node<'t>], failure: &Failure, found: &Found<'_>) -> Option<Diagnostic> {
        let mut open = Vec::new();
        for token in tokens.iter().take_while(|t| t.text() != "{") {
            // The `;` of a buffer ends nothing.
            if token.text() == ";" && open.last().is_none_or(|last: &Node<'_>| last.text() != "[") {
                break;
            }
            match (token.text(), open.last()) {
                ("(" | "[", _) => open.push(*token),
                (")", Some(last)) if last.text() == "(" => drop(open.pop()),
                ("]", Some(last)) if last.text() == "[" => drop(open.pop()),
                (closing @ (")" | "]"), None) if token.span().start <= failure.offset => {
                    let message = format!("this `{closing}` closes nothing");
                    let diagnostic = Diagnostic::error(&codes::UNCLOSED, message, token.span(), "not opened before");
                    return Some(diagnostic.help("remove it, or add what it should close"));
                }
                _ => {}
            }
        }
        let bracket = open.pop().filter(|b| b.span().start < failure.offset)?;
        let (name, closing) = if bracket.text() == "(" { ("(", ")") } else { ("[", "]") };
        let place = if found.new_line { found.previous_end } else { found.span };
        let diagnostic = Diagnostic::error(
            &codes::UNCLOSED,
            format!("this `{name}` is never closed"),
            bracket.span(),
            "opened here",
        )
        .label(place, format!("expected `{closing}` before this"))
        .help(format!("add the `{closing}`"));
        Some(diagnostic)
    }

    fn fail(&self, tokens: &[Node<'t>]) -> Failure {
        let (start, end) = (tokens.first().map_or(self.node.span().start, |t| t.span().start), self.node.span().end);
        let rule = self.intended(tokens.first().map_or("", |t| t.text()));
        // A little more than the node, as rules look ahead; not all, as there may be many bad nodes in a long text.
        let rest = self.tree.text().get(start as usize..).unwrap_or_default();
        let cut = rest.char_indices().map(|(i, _)| i).find(|&i| i >= (end - start) as usize + 100);
        let text = rest.get(..cut.unwrap_or(rest.len())).unwrap_or_default();
        let text = lexical::scan(text, self.tree.file()).blanked(text);
        let (offset, expected) = match Grammar::parse(rule, &text) {
            // It goes wrong after the rule: say what may follow.
            Ok(pairs) => (pairs.as_str().trim_end().len(), words::after(self.node.kind())),
            Err(error) => {
                let expected = match &error.variant {
                    ErrorVariant::ParsingError { positives, .. } => words::expected(positives),
                    ErrorVariant::CustomError { .. } => Vec::new(),
                };
                (offset_of(&error), expected)
            }
        };
        // Past the node, the failure would be about something else.
        let offset = (start + offset as u32).min(end);
        Failure { rule, offset, expected }
    }

    /// The rule that the text was most likely meant for.
    fn intended(&self, first_word: &str) -> Rule {
        use Rule::*;
        match (self.node.kind(), self.parent.kind()) {
            (bad_head, command) => return command_head,
            (bad_head, fn_item) => return fn_head,
            (bad_head, interface) => return interface_head,
            (bad_head, library) => return library_head,
            (bad_head, platform) => return platform_head,
            (bad_head, enum_item) => return enum_head,
            (bad_head, state_item) => return state_head,
            (bad_head, csr_item) => return csr_head,
            (bad_head, example) => return example_head,
            (bad_head, func_item | callback_item) => return signature,
            (bad_head, struct_item) => return struct_head,
            (bad_head, metadata_item) => return metadata_head,
            (bad_head, handle_item) => return handle_head,
            (bad_head, device) => return device_head,
            (bad_head, lun) => return lun_head,
            (bad_head, discover) => return discover_head,
            (bad_head, cxu) => return cxu_head,
            (bad_row, device) => return unit,
            (bad_row, lun) => return route,
            (bad_row, discover) => return sequence,
            (bad_row, _) if first_word == "omits" => return omits,
            (bad_row, _) => return cxu_property,
            (bad_cond, _) => return cond,
            (bad_loop, _) => return for_head,
            (bad_param, _) => return param,
            (bad_case, _) => return enum_case,
            (bad_place, _) => return place_item,
            (bad_type_arm, _) => return type_arm,
            (bad_clause, _) => return words::clause(first_word),
            (bad_field, struct_item | metadata_item) => return c_field,
            (bad_field, csr_item) => return csr_field,
            (bad_field, _) => return state_field,
            (bad_arm, _) => return arm,
            _ => {}
        }
        let by_word = match (self.node.kind(), first_word) {
            (bad_stmt, _) => words::statement(first_word),
            (bad_step, "let") => Some(let_step),
            (bad_step, "for") => Some(for_step),
            (bad_step, "reset") => Some(reset_step),
            (bad_step, _) => Some(run_step),
            (bad_part, _) => words::part(first_word),
            _ => words::item(first_word),
        };
        by_word.unwrap_or(if self.node.kind() == bad_stmt { assign_stmt } else { self.node.kind() })
    }
}

/// Where a parse failed.
pub(super) fn offset_of(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(p) | InputLocation::Span((p, _)) => p,
    }
}

/// The token at a place, and how it lies to the one before.
pub(super) struct Found<'t> {
    /// Empty at the end of the text.
    pub(super) token: &'t str,
    /// The text from the token on.
    pub(super) rest: &'t str,
    pub(super) span: Span,
    /// It begins a line.
    pub(super) new_line: bool,
    /// Right after the token before.
    pub(super) previous_end: Span,
}

impl<'t> Found<'t> {
    fn at(misfit: &Misfit<'t>, tokens: &[Node<'t>], offset: u32) -> Self {
        let (text, file) = (misfit.tree.text(), misfit.tree.file());
        let start = after_trivia(text, offset);
        let earlier = tokens.iter().rev().map(|t| t.span().end).find(|&end| end <= start);
        let before = misfit.before.map_or(misfit.node.span().start, |b| b.span().end);
        let previous_end = earlier.unwrap_or(before).min(start);
        let rest = text.get(start as usize..).unwrap_or_default();
        let token = rest.get(..token_len(rest)).unwrap_or_default();
        let between = text.get(previous_end as usize..start as usize).unwrap_or_default();
        Found {
            token,
            rest,
            span: Span { file, start, end: start + token.len() as u32 },
            new_line: between.contains('\n') || token.is_empty(),
            previous_end: Span { file, start: previous_end, end: previous_end },
        }
    }
}

/// The first place from `offset` on that is neither blank nor comment nor documentation.
pub(super) fn after_trivia(text: &str, offset: u32) -> u32 {
    let mut rest = text.get(offset as usize..).unwrap_or_default();
    loop {
        let next = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        rest = match next {
            _ if next.starts_with("//") => next.find('\n').and_then(|p| next.get(p..)).unwrap_or_default(),
            _ if next.starts_with("/*") => next.find("*/").and_then(|p| next.get(p + 2..)).unwrap_or_default(),
            _ => return (text.len() - next.len()) as u32,
        };
    }
}

/// The token that starts at `start`.
pub(super) fn token_at(text: &str, start: u32) -> &str {
    let rest = text.get(start as usize..).unwrap_or_default();
    rest.get(..token_len(rest)).unwrap_or_default()
}

/// The length of the first token, as a person would cut the text.
pub(super) fn token_len(text: &str) -> usize {
    const PAIRS: [&str; 12] = ["->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "..", "+:"];
    let Some(first) = text.chars().next() else { return 0 };
    if first.is_alphanumeric() || first == '_' {
        text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
    } else if first == '"' {
        let line = text.lines().next().map_or(text.len(), str::len);
        text.get(1..line).and_then(|rest| rest.find('"')).map_or(line, |p| p + 2)
    } else if PAIRS.iter().any(|pair| text.starts_with(pair)) {
        2
    } else {
        first.len_utf8()
    }
}
