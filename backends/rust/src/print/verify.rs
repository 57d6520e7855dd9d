//! Whether a text says what its tokens say, in a form in which both can be compared.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::COMMENT;
use super::flat::comment_text;

/// Tokens one after the other, without what the printer may add or leave out: commentaries, commas that end lists and arms, and
/// braces round the value of an arm or a closure.
#[derive(Default)]
pub struct Said {
    tokens: Vec<String>,
}

impl Said {
    /// Adds tokens.
    pub fn add(&mut self, tokens: TokenStream) {
        self.stream(tokens, false);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Adds tokens before others.
    pub fn insert(&mut self, at: usize, tokens: TokenStream) {
        let behind = self.tokens.split_off(at.min(self.tokens.len()));
        self.add(tokens);
        self.tokens.extend(behind);
    }

    /// Adds a line of documentation.
    pub fn document(&mut self, line: &str) {
        let text = if line.is_empty() { String::new() } else { format!(" {line}") };
        self.tokens.extend(["#", "[", "doc", "=", &text, "]"].map(str::to_owned));
    }

    /// Takes the last token away.
    pub fn pop(&mut self) {
        self.tokens.pop();
    }

    /// Adds a token that the writer prints by itself.
    pub fn push(&mut self, token: &str) {
        self.tokens.push(token.to_owned());
    }

    /// The first place where a text says something else, in words.
    pub fn differs(&self, text: &str) -> Option<String> {
        let mut other = Said::default();
        match text.parse() {
            Ok(tokens) => other.add(tokens),
            Err(error) => return Some(format!("the text has no tokens: {error}")),
        }
        let mut pairs = self.tokens.iter().zip(&other.tokens);
        let at = pairs.position(|(a, b)| a != b).unwrap_or(self.tokens.len().min(other.tokens.len()));
        let near = |tokens: &[String]| {
            let near = tokens.iter().skip(at.saturating_sub(8)).take(16).map(String::as_str);
            near.collect::<Vec<_>>().join(" ")
        };
        let same = self.tokens.len() == at && other.tokens.len() == at;
        (!same).then(|| format!("token {at}: `{}` became `{}`", near(&self.tokens), near(&other.tokens)))
    }

    fn last(&self) -> &str {
        self.tokens.last().map_or("", String::as_str)
    }

    /// `in_arms` says that these are the arms of a `match`.
    fn stream(&mut self, tokens: TokenStream, in_arms: bool) {
        let all: Vec<TokenTree> = inline(tokens);
        let mut rest = all.into_iter().peekable();
        while let Some(token) = rest.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ',' && in_arms => {}
                TokenTree::Punct(punct) if punct.as_char() == '#' => match rest.peek() {
                    Some(TokenTree::Group(group)) if is_comment(group.stream()) => {
                        rest.next();
                    }
                    _ => self.tokens.push("#".to_owned()),
                },
                TokenTree::Punct(punct) => self.tokens.push(punct.as_char().to_string()),
                TokenTree::Ident(ident) => self.tokens.push(ident.to_string()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    // Documentation is the same in each form of a string.
                    let is_doc = matches!(self.tokens.as_slice(), [.., name, equals] if name == "doc" && equals == "=");
                    let text = if is_doc { comment_text(&text).unwrap_or(text) } else { text };
                    self.tokens.push(text);
                }
                TokenTree::Group(group) => self.group(group.delimiter(), group.stream()),
            }
        }
    }

    fn group(&mut self, delimiter: Delimiter, inner: TokenStream) {
        let (open, close) = match delimiter {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::None => ("", ""),
        };
        let (mut commas, mut statements, mut arms, mut last) = (0, 0, 0, ' ');
        for token in inline(inner.clone()) {
            if let TokenTree::Punct(punct) = token {
                commas += u32::from(punct.as_char() == ',');
                statements += u32::from(punct.as_char() == ';');
                arms += u32::from(punct.as_char() == '>' && last == '=');
                last = punct.as_char();
            } else {
                last = ' ';
            }
        }
        let before = self.last();
        let is_value = matches!(self.tokens.as_slice(), [.., a, b] if a == "=" && b == ">") || before == "|";
        if delimiter == Delimiter::Brace && is_value && statements == 0 && arms == 0 && !inner.is_empty() {
            return self.stream(inner, false);
        }
        // A tuple of one element needs its comma.
        let is_name = before.ends_with(|c: char| c.is_alphanumeric() || "_>)]!".contains(c));
        let is_call = is_name && !matches!(before, "let" | "return" | "in" | "=" | "match");
        let is_tuple = delimiter == Delimiter::Parenthesis && commas == 1 && !is_call;
        self.push(open);
        self.stream(inner, arms > 0);
        if self.last() == "," && !is_tuple {
            self.tokens.pop();
        }
        self.push(close);
    }
}

/// Tokens without groups that have no delimiters.
fn inline(tokens: TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => all.extend(inline(group.stream())),
            token => all.push(token),
        }
    }
    all
}

/// Whether an attribute stands for a comment.
fn is_comment(attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(name)) if name == COMMENT)
}
