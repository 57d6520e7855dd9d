//! What is wrong with text that fits no rule.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::grammar::{Grammar, Rule};
use super::tree::{Node, Tree};
use super::{MAX_DEPTH, words};
use crate::diagnostic::catalogue::syntax as codes;
use crate::diagnostic::{Diagnostic, Label};
use crate::source::{FileId, Span};

/// Findings that keep the text from being parsed at all: characters that cannot be source, and nesting that would
/// exhaust the stack of a recursive parser.
pub(super) fn check_text(text: &str, file: FileId) -> Vec<Diagnostic> {
    let at = |start: usize, len: usize| Span { file, start: start as u32, end: (start + len) as u32 };
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut depth = 0u32;
    // Per open bracket: how many `else` and `?` chain without an end of statement.
    let mut chains = vec![0u32];
    let mut previous = "";
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        let rest = text.get(i..).unwrap_or_default();
        let mut token = "";
        let mut len = 1;
        match byte {
            0 => {
                found.push(
                    Diagnostic::error(&codes::BAD_CHARACTER, "the file holds a zero byte", at(i, 1), "here")
                        .help("a .cxspec file is UTF-8 text; was this one truncated, or is it another kind of file?"),
                );
                return found;
            }
            b'\r' if bytes.get(i + 1) != Some(&b'\n') => {
                found.push(
                    Diagnostic::error(&codes::BAD_CHARACTER, "a carriage return without a line feed", at(i, 1), "here")
                        .help("end lines with LF or CR LF"),
                );
                return found;
            }
            b'/' if rest.starts_with("//") => len = rest.find(['\n', '\r']).unwrap_or(rest.len()),
            b'"' if rest.starts_with("\"\"\"") => {
                len = rest.get(3..).and_then(|r| r.find("\"\"\"")).map_or(rest.len(), |p| p + 6);
            }
            b'"' => {
                let line = rest.find('\n').unwrap_or(rest.len());
                len = rest.get(1..line).and_then(|r| r.find('"')).map_or(1, |p| p + 2);
            }
            b'(' | b'[' | b'{' => {
                depth += 1;
                chains.push(0);
                token = "(";
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if chains.len() > 1 {
                    chains.pop();
                }
                token = ")";
            }
            b';' | b',' => {
                token = ";";
                if let Some(chain) = chains.last_mut() {
                    *chain = 0;
                }
            }
            b'?' => {
                token = "?";
                if let Some(chain) = chains.last_mut() {
                    *chain += 1;
                }
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                token = &rest[..len];
                if let Some(chain) = chains.last_mut() {
                    match token {
                        "else" => *chain += 1,
                        "if" if previous != "else" => *chain = 0,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        let chain = chains.last().copied().unwrap_or(0);
        if depth > MAX_DEPTH || chain > MAX_DEPTH {
            found.push(
                Diagnostic::error(
                    &codes::TOO_DEEP,
                    "this is nested too deeply",
                    at(i, len),
                    format!("more than {MAX_DEPTH} levels"),
                )
                .help("split it: name parts with `let`, move parts into a `fn`, or use `match` for a long `else if`"),
            );
            return found;
        }
        if !token.is_empty() {
            previous = token;
        }
        i += len;
        while !text.is_char_boundary(i) {
            i += 1;
        }
    }
    found
}

/// A failure of the tolerant grammar itself.
pub(super) fn unreadable(text: &str, file: FileId, error: &pest::error::Error<Rule>) -> Diagnostic {
    let offset = match error.location {
        InputLocation::Pos(p) | InputLocation::Span((p, _)) => p,
    };
    let end = text.get(offset..).and_then(|r| r.chars().next()).map_or(offset, |c| offset + c.len_utf8());
    let span = Span { file, start: offset as u32, end: end as u32 };
    Diagnostic::error(&codes::UNEXPECTED, "this text cannot be read", span, "here")
        .help("is a brace missing before this place?")
}

/// A diagnostic for each bad node of a tree.
pub(super) fn explain(tree: &Tree, diagnostics: &mut Vec<Diagnostic>) {
    for node in tree.root().descendants(|n| n.is_bad() || n.kind() == Rule::binary) {
        match node.kind() {
            Rule::unclosed => {}
            Rule::binary => diagnostics.extend(comparison_chain(node)),
            _ => diagnostics.push(explain_bad(tree, node)),
        }
    }
    for node in tree.root().descendants(|n| n.has(Rule::unclosed)) {
        diagnostics.push(explain_unclosed(node));
    }
}

fn explain_unclosed(node: Node<'_>) -> Diagnostic {
    let brace = node.child(Rule::lbrace).unwrap_or(node);
    let end = node.child(Rule::unclosed).unwrap_or(node).span();
    Diagnostic::error(&codes::UNCLOSED, "this `{` is never closed", brace.span(), "opened here")
        .label(Span { end: end.start, ..end }, "a `}` is missing before here")
        .help("add the `}`")
}

fn comparison_chain(node: Node<'_>) -> Option<Diagnostic> {
    node.child(Rule::op_cmp)?;
    let left = node.exprs().next().filter(|l| l.kind() == Rule::binary)?;
    left.child(Rule::op_cmp)?;
    Some(
        Diagnostic::error(&codes::CHAINED, "comparisons do not chain", node.span(), "two comparisons in a row")
            .help("join two comparisons with `&&`, or put one in parentheses"),
    )
}

/// The strict rule that text starting with these words was probably meant for.
fn intended(node: Node<'_>) -> Rule {
    let parent_is_example = |n: Node<'_>| n.kind() == Rule::bad_stmt && !n.text().contains(" = ");
    let mut tokens = node.leaves().filter(|l| !l.is_trivia() && l.kind() != Rule::doc);
    let mut word = tokens.next().map_or("", Node::text);
    while matches!(word, "abstract" | "draft") {
        word = tokens.next().map_or("", Node::text);
    }
    let statement = node.kind() == Rule::bad_stmt;
    match word {
        "interface" => Rule::interface,
        "library" => Rule::library,
        "platform" => Rule::platform,
        "use" => Rule::use_clause,
        "package" => Rule::package,
        "cxspec" => Rule::edition,
        "const" => Rule::const_item,
        "fn" => Rule::fn_item,
        "law" => Rule::law,
        "uuid" => Rule::uuid_clause,
        "contract" => Rule::contract_clause,
        "xintf" => Rule::xintf_clause,
        "short" => Rule::short_clause,
        "xlen" => Rule::xlen_clause,
        "refines" => Rule::refines_clause,
        "enum" => Rule::enum_item,
        "state" => Rule::state_item,
        "csr" => Rule::csr_item,
        "error" => Rule::error_item,
        "command" => Rule::command,
        "example" => Rule::example,
        "let" => Rule::let_stmt,
        "var" => Rule::var_stmt,
        "if" => Rule::if_stmt,
        "for" => Rule::for_stmt,
        "match" => Rule::match_stmt,
        "return" => Rule::return_stmt,
        "raise" => Rule::raise_stmt,
        "trap" => Rule::trap_stmt,
        _ if parent_is_example(node) => Rule::run_step,
        _ if statement => Rule::assign_stmt,
        _ => Rule::bad_item,
    }
}

fn explain_bad(tree: &Tree, node: Node<'_>) -> Diagnostic {
    let (text, span) = (node.text(), node.span());
    let rule = intended(node);
    let (offset, expected) = match Grammar::parse(rule, text) {
        Ok(pairs) => (pairs.as_str().trim_end().len(), Vec::new()),
        Err(error) => {
            let offset = match error.location {
                InputLocation::Pos(p) | InputLocation::Span((p, _)) => p,
            };
            let expected = match error.variant {
                ErrorVariant::ParsingError { positives, .. } => words::expected(&positives),
                ErrorVariant::CustomError { .. } => Vec::new(),
            };
            (offset, expected)
        }
    };
    let found = found_at(tree, span.start + offset as u32);
    let what = words::what(rule);
    let message = match (found.kind, expected.as_slice()) {
        (Found::End, []) => "the file ends too early".to_owned(),
        (Found::End, [..]) => format!("the file ends where {} is expected", words::list(&expected)),
        (Found::Token(token), []) => format!("unexpected {token}"),
        (Found::Token(token), [..]) => format!("expected {}, found {token}", words::list(&expected)),
    };
    let primary = if found.new_line && expected.iter().any(|e| e == "`;`") { found.previous_end } else { found.span };
    let label = match expected.as_slice() {
        [one] => format!("expected {one}"),
        _ => format!("in this {what}"),
    };
    let mut diagnostic = Diagnostic::error(&codes::UNEXPECTED, message, primary, label);
    if rule == Rule::bad_item {
        let (names, place) = match node.kind() {
            Rule::bad_member => {
                ("command, state, const, fn, enum, error, csr, example, law, uuid, short or xlen", "a member")
            }
            _ => ("use, interface, library, platform, const or fn", "an item"),
        };
        diagnostic.message = format!("this is no {}", place.trim_start_matches("an ").trim_start_matches("a "));
        diagnostic.labels = vec![Label { span: found.span, text: format!("expected {place}") }];
        diagnostic = diagnostic.help(format!("{place} starts with {names}"));
    }
    diagnostic
}

#[derive(Clone, Copy)]
enum Found<'t> {
    End,
    Token(&'t str),
}

struct Place<'t> {
    kind: Found<'t>,
    span: Span,
    new_line: bool,
    previous_end: Span,
}

/// The token at an offset, and how it lies to the one before.
fn found_at(tree: &Tree, offset: u32) -> Place<'_> {
    let file = tree.file();
    let text = tree.text();
    let before = text.get(..offset as usize).unwrap_or_default().trim_end();
    // Comments between are rare enough here: the label then stands after the comment.
    let previous = before.len() as u32;
    let previous_end = Span { file, start: previous.saturating_sub(1), end: previous };
    let rest = text.get(offset as usize..).unwrap_or_default();
    let skipped = rest.len() - rest.trim_start().len();
    let start = offset + skipped as u32;
    let rest = rest.trim_start();
    let len = match rest.chars().next() {
        None => 0,
        Some(c) if c.is_alphanumeric() || c == '_' => {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        }
        Some(c) => c.len_utf8(),
    };
    let new_line = text.get(previous as usize..start as usize).unwrap_or_default().contains('\n');
    let kind = if len == 0 { Found::End } else { Found::Token(&rest[..len]) };
    let span = if len == 0 { previous_end } else { Span { file, start, end: start + len as u32 } };
    Place { kind, span, new_line, previous_end }
}
