//! One pass over the characters before parsing: what no parser should see, strings and comments that do not end, and where
//! comments are.

use std::borrow::Cow;

use super::MAX_DEPTH;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::syntax as codes;
use crate::source::{FileId, Span};

/// What the pass found.
#[derive(Default)]
pub(super) struct Lexical {
    /// The text must not be parsed: it could exhaust the stack of a recursive parser, or is no text.
    pub(super) fatal: bool,
    /// The findings.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where each finding is. What is wrong around one of these is a consequence of it.
    pub(super) faults: Vec<Span>,
    /// Where each comment is, in the order of the text. Documentation is none.
    comments: Vec<Span>,
}

impl Lexical {
    /// `text`, which was scanned, with a blank for each byte of a comment: what the parser reads. It would try for a comment
    /// between all tokens otherwise.
    pub(super) fn blanked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.comments.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut blanked = String::with_capacity(text.len());
        let mut at = 0;
        for comment in &self.comments {
            let (start, end) = (comment.start as usize, comment.end as usize);
            blanked.push_str(text.get(at..start).unwrap_or_default());
            blanked.extend(std::iter::repeat_n(' ', end - start));
            at = end;
        }
        blanked.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(blanked)
    }
}

/// Looks at every character of `text` once.
pub(super) fn scan(text: &str, file: FileId) -> Lexical {
    let mut scanner =
        Scanner { text, file, at: 0, open: vec![(b'{', 0)], after_brace: false, found: Lexical::default() };
    while !scanner.found.fatal && scanner.at < text.len() {
        scanner.step();
    }
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
    /// Open brackets, with how many `if`, `else`, `for`, `match` and `?` chain in each since the last end of a statement.
    open: Vec<(u8, u32)>,
    /// The last token was `}`: only an `else` continues a chain.
    after_brace: bool,
    found: Lexical,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(&byte) = rest.as_bytes().first() else { return self.at = self.text.len() };
        if matches!(byte, b' ' | b'\t' | b'\n') {
            self.at += 1;
            return;
        }
        let len = match byte {
            0 => self.fatal(
                "the file holds a zero byte",
                "a .cxspec file is UTF-8 text; was this one truncated, or is it another kind of file?",
            ),
            b'\r' if rest.starts_with("\r\n") => 2,
            b'\r' => self.fatal("a carriage return without a line feed", "end lines with LF or CR LF"),
            0x01..0x20 => self.control_character(byte),
            b'/' if rest.starts_with("//") => self.line_comment(rest),
            b'/' if rest.starts_with("/*") => self.block_comment(rest),
            b'"' if rest.starts_with("\"\"\"") => self.raw_string(rest),
            b'"' => self.string(rest),
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                self.word(rest.get(..len).unwrap_or_default());
                len
            }
            _ => {
                self.symbol(byte);
                rest.chars().next().map_or(1, char::len_utf8)
            }
        };
        self.at += len;
    }

    fn word(&mut self, word: &str) {
        if std::mem::take(&mut self.after_brace) {
            // After the braces of a `match` type no word goes on but `as`; so an unclosed `(` before braces ends here.
            if word != "as" {
                self.close_round();
            }
            if word != "else" {
                self.end_chain();
            }
        }
        if matches!(word, "else" | "if" | "for" | "match") {
            self.chain(word.len());
        }
    }

    /// Counts what nests in the parser. No expression goes past a `;`, so an unclosed `(` ends there too. A type of a
    /// library may hold braces in `(` and `[`.
    fn symbol(&mut self, byte: u8) {
        if std::mem::take(&mut self.after_brace) {
            self.end_chain();
        }
        match byte {
            b'(' | b'[' => self.push(byte),
            b')' | b']' if self.open.last().is_some_and(|&(b, _)| b != b'{') => {
                self.open.pop();
            }
            b'{' => self.push(byte),
            b'}' => {
                self.close_round();
                if self.open.len() > 1 {
                    self.open.pop();
                }
                self.after_brace = true;
            }
            b';' => {
                if !self.in_buffer() {
                    self.close_round();
                }
                self.end_chain();
            }
            b',' => self.end_chain(),
            b'?' => self.chain(1),
            _ => {}
        }
    }

    fn push(&mut self, bracket: u8) {
        self.open.push((bracket, 0));
        if self.open.len() > MAX_DEPTH as usize + 1 {
            self.too_deep("brackets", 1);
        }
    }

    /// Whether the `;` here is that of a buffer `[T; n]`: the innermost bracket is `[`, and is closed before the next
    /// statement or group.
    fn in_buffer(&self) -> bool {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let mut depth = 0u32;
        for byte in rest.iter().take_while(|b| !matches!(b, b';' | b'{' | b'}')) {
            match byte {
                b'[' => depth += 1,
                b']' if depth == 0 => return self.open.last().is_some_and(|&(b, _)| b == b'['),
                b']' => depth -= 1,
                _ => {}
            }
        }
        false
    }

    fn close_round(&mut self) {
        while self.open.last().is_some_and(|&(b, _)| b != b'{') {
            self.open.pop();
        }
    }

    fn end_chain(&mut self) {
        if let Some((_, chain)) = self.open.last_mut() {
            *chain = 0;
        }
    }

    fn chain(&mut self, len: usize) {
        let Some((_, chain)) = self.open.last_mut() else { return };
        *chain += 1;
        // An `else if` counts twice.
        if self.open.iter().map(|&(_, chain)| chain).sum::<u32>() > 2 * MAX_DEPTH {
            self.too_deep("`else if`, `? :` or `match`", len);
        }
    }

    fn too_deep(&mut self, what: &str, len: usize) {
        let label = format!("more than {MAX_DEPTH} levels of {what}");
        self.found.fatal = true;
        self.found.diagnostics.push(
            Diagnostic::error(&codes::TOO_DEEP, "this is nested too deeply", self.span(len), label)
                .help("split it: name parts with `let`, move parts into a `fn`, or use `match` for a long `else if`"),
        );
    }

    fn fatal(&mut self, message: &str, help: &str) -> usize {
        self.found.fatal = true;
        self.found.diagnostics.push(Diagnostic::error(&codes::BAD_CHARACTER, message, self.span(1), "here").help(help));
        1
    }

    fn control_character(&mut self, byte: u8) -> usize {
        let message = format!("a control character, U+{byte:04X}");
        let diagnostic = Diagnostic::error(&codes::BAD_CHARACTER, message, self.span(1), "here");
        self.fault(1, diagnostic.help("remove it: between tokens stand spaces, tabs and line ends"));
        1
    }

    fn line_comment(&mut self, rest: &str) -> usize {
        let len = line_len(rest);
        let is_doc = rest.starts_with("///") && !rest.starts_with("////");
        if !is_doc {
            self.found.comments.push(self.span(len));
        }
        len
    }

    fn block_comment(&mut self, rest: &str) -> usize {
        let (len, message) = match rest.find("*/") {
            Some(p) => (p + 2, "there are no block comments"),
            None => (rest.len(), "there are no block comments, and this one does not end"),
        };
        self.fault(
            len,
            Diagnostic::error(&codes::BLOCK_COMMENT, message, self.span(2), "starts here")
                .help("begin each line of the comment with `//`, or with `///` if it documents what follows"),
        );
        self.found.comments.push(self.span(len));
        len
    }

    fn raw_string(&mut self, rest: &str) -> usize {
        if let Some(p) = rest.get(3..).and_then(|r| r.find("\"\"\"")) {
            return p + 6;
        }
        let diagnostic =
            Diagnostic::error(&codes::UNTERMINATED, "this code text never ends", self.span(3), "starts here")
                .help("end it with `\"\"\"`");
        self.fault(rest.len(), diagnostic);
        rest.len()
    }

    fn string(&mut self, rest: &str) -> usize {
        let line = line_len(rest);
        if let Some(p) = rest.get(1..line).and_then(|r| r.find('"')) {
            return p + 2;
        }
        self.fault(
            line,
            Diagnostic::error(&codes::UNTERMINATED, "this string never ends", self.span(1), "starts here")
                .help("end it with `\"` on the same line"),
        );
        line
    }

    fn fault(&mut self, len: usize, diagnostic: Diagnostic) {
        self.found.faults.push(self.span(len));
        self.found.diagnostics.push(diagnostic);
    }

    fn span(&self, len: usize) -> Span {
        Span { file: self.file, start: self.at as u32, end: (self.at + len) as u32 }
    }
}

/// The length of the first line, without its end. A CR elsewhere is another finding.
fn line_len(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}
