//! Where items, statements and arms break.

use super::expr::{Layout, STEP};
use super::flat::{Kind, Shape, Word};

/// Items of these kinds stand close together if each has one line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Closeness {
    /// Imports.
    Use,
    /// Constants and types.
    Value,
    /// Nothing stands close.
    No,
}

impl Closeness {
    /// Whether a blank line stands between an item and this one below it.
    pub fn is_apart(self, below: Closeness) -> bool {
        self != below || below == Closeness::No
    }
}

impl Layout<'_, '_> {
    /// The end of what begins at a piece.
    fn next(&self, from: usize, to: usize) -> usize {
        let mut i = self.flat.behind(from);
        while i < to && !self.flat.piece(i).first {
            i = self.flat.behind(i);
        }
        i.min(to)
    }

    /// Items, with blank lines between them; `above` is what stands above, if that is another item, and `docs` are lines
    /// before the first one. Gives what the last one is.
    pub(super) fn items(
        &mut self,
        from: usize,
        to: usize,
        indent: usize,
        mut above: Option<Closeness>,
        mut docs: &str,
    ) -> Option<Closeness> {
        let mut i = from;
        while i < to {
            let end = self.next(i, to);
            let close = self.closeness(i, end, indent);
            if above.is_some_and(|above| above.is_apart(close)) {
                self.out.push('\n');
            }
            self.out.push_str(std::mem::take(&mut docs));
            self.begin(indent);
            self.item(i, end, indent);
            self.out.push('\n');
            self.column = 0;
            above = Some(close);
            i = end;
        }
        above
    }

    /// What the first item is.
    pub(super) fn first(&self, from: usize, to: usize, indent: usize) -> Closeness {
        self.closeness(from, self.next(from, to), indent)
    }

    fn closeness(&self, from: usize, to: usize, indent: usize) -> Closeness {
        let mut i = from;
        while matches!(self.flat.kind(i), Kind::Doc | Kind::Comment | Kind::Hash) {
            i = if self.flat.kind(i) == Kind::Hash { self.flat.behind(i + 1) } else { i + 1 };
        }
        if !self.fits_at(indent, i, to, 0) {
            return Closeness::No;
        }
        if self.flat.kind(i) == Kind::Keyword(Word::Pub) {
            i += 1;
        }
        match self.flat.kind(i) {
            Kind::Keyword(Word::Use) => Closeness::Use,
            Kind::Keyword(Word::Const | Word::Type | Word::Static) => Closeness::Value,
            _ => Closeness::No,
        }
    }

    /// Attributes and comments, each on its line; gives what is behind them.
    fn attributes(&mut self, from: usize, indent: usize) -> usize {
        let mut i = from;
        loop {
            match self.flat.kind(i) {
                Kind::Doc | Kind::Comment => {
                    self.line(i, i + 1);
                    i += 1;
                }
                Kind::Hash => {
                    let end = self.flat.behind(i + 1);
                    self.rows |= self.flat.text(i, end) == "#[rustfmt::skip]";
                    self.line(i, i + 1);
                    self.in_attribute = true;
                    self.expr(i + 1, end, indent, 0);
                    self.in_attribute = false;
                    i = end;
                }
                _ => return i,
            }
            self.newline(indent);
        }
    }

    /// One item, a statement or a field, with its attributes.
    fn item(&mut self, from: usize, to: usize, indent: usize) {
        self.rows = false;
        let from = self.attributes(from, indent);
        let last = to.saturating_sub(1);
        let braces = match self.flat.kind(last) {
            Kind::Close(Shape::Items | Shape::Block | Shape::Fields) => Some(self.flat.piece(last).pair as usize),
            _ => None,
        };
        let parameters = self.find(from, to, |k| k == Kind::Open(Shape::Params));
        match (parameters, braces) {
            (Some(open), body) => {
                let end = body.unwrap_or(last);
                self.signature(from, open, end, indent, if body.is_some() { 2 } else { 1 });
                match body {
                    Some(body) => {
                        self.raw(" ");
                        self.braces(body, indent);
                    }
                    None => self.line(last, to),
                }
            }
            (None, Some(open)) if self.flat.kind(open) != Kind::Open(Shape::Block) => {
                self.line(from, open);
                self.raw(" ");
                self.braces(open, indent);
            }
            _ => self.simple(from, to, indent),
        }
        self.rows = false;
    }

    /// The head of a function up to its body.
    fn signature(&mut self, from: usize, open: usize, end: usize, indent: usize, tail: usize) {
        if self.fits(from, end, tail) || self.flat.kind(open + 1) == Kind::Close(Shape::Params) {
            return self.line(from, end);
        }
        self.line(from, open);
        let close = self.flat.behind(open) - 1;
        self.list(open, close, indent, true);
        if close + 1 < end {
            self.raw(" ");
            self.line(close + 1, end);
        }
    }

    /// A declaration or a statement that is no block.
    fn simple(&mut self, from: usize, to: usize, indent: usize) {
        let has_end = self.flat.kind(to.saturating_sub(1)) == Kind::Semi;
        let end = to - usize::from(has_end);
        let is_declaration = matches!(
            self.flat.kind(from),
            Kind::Keyword(Word::Let | Word::Const | Word::Static | Word::Type | Word::Pub)
        );
        match self.find(from, end, |k| k == Kind::Assign).filter(|_| is_declaration) {
            Some(at) => {
                self.line(from, at + 1);
                self.value(at + 1, end, indent, usize::from(has_end));
            }
            None if is_declaration => self.line(from, end),
            None => self.expr(from, end, indent, usize::from(has_end)),
        }
        if has_end {
            self.raw(";");
        }
    }

    /// What is in braces, over several lines unless there is nothing.
    pub(super) fn braces(&mut self, open: usize, indent: usize) {
        let close = self.flat.behind(open) - 1;
        self.line(open, open + 1);
        if close > open + 1 {
            self.newline(indent + STEP);
            match self.flat.kind(open) {
                Kind::Open(Shape::Items) => {
                    // Items write their own indentation, and end their last line.
                    self.out.truncate(self.out.len() - (indent + STEP));
                    self.items(open + 1, close, indent + STEP, None, "");
                    self.begin(indent);
                }
                Kind::Open(Shape::Arms) => {
                    self.each(open + 1, close, indent + STEP, Self::arm);
                    self.newline(indent);
                }
                Kind::Open(Shape::Fields) => {
                    self.each(open + 1, close, indent + STEP, Self::field);
                    self.newline(indent);
                }
                _ => {
                    self.each(open + 1, close, indent + STEP, Self::statement);
                    self.newline(indent);
                }
            }
        }
        self.line(close, close + 1);
    }

    fn each(&mut self, from: usize, to: usize, indent: usize, print: fn(&mut Self, usize, usize, usize)) {
        let mut i = from;
        while i < to {
            let end = self.next(i, to);
            if i > from {
                self.newline(indent);
            }
            print(self, i, end, indent);
            i = end;
        }
    }

    fn statement(&mut self, from: usize, to: usize, indent: usize) {
        let from = self.attributes(from, indent);
        // Blocks and what has them are statements of several lines, however short.
        match self.flat.kind(from) {
            Kind::Open(Shape::Block) if self.flat.behind(from) == to => self.braces(from, indent),
            Kind::Keyword(Word::Fn) => self.item(from, to, indent),
            _ => self.simple(from, to, indent),
        }
    }

    fn field(&mut self, from: usize, to: usize, indent: usize) {
        let from = self.attributes(from, indent);
        let has_comma = self.flat.kind(to.saturating_sub(1)) == Kind::Comma;
        self.expr(from, to - usize::from(has_comma), indent, 1);
        self.raw(",");
    }

    fn arm(&mut self, from: usize, to: usize, indent: usize) {
        let from = self.attributes(from, indent);
        let Some(arrow) = self.find(from, to, |k| k == Kind::FatArrow) else { return self.line(from, to) };
        self.pattern(from, arrow, indent);
        self.raw(" =>");
        let body = arrow + 1;
        if self.flat.kind(body) == Kind::Open(Shape::Block) && self.flat.behind(body) == to {
            self.raw(" ");
            return self.braces(body, indent);
        }
        let is_match = self.flat.kind(body) == Kind::Keyword(Word::Match);
        self.raw(" ");
        let breaks = is_match || self.breaks_itself(body, to) && !self.fits_at(indent + STEP, body, to, 0);
        if self.fits(body, to, 1) || breaks {
            self.expr(body, to, indent, 1);
            return self.raw(",");
        }
        self.wrapped(body, to, indent);
    }

    /// A pattern: alternatives fill lines.
    fn pattern(&mut self, from: usize, to: usize, indent: usize) {
        // ` => {`
        let tail = 5;
        if self.fits(from, to, tail) {
            return self.line(from, to);
        }
        let mut i = from;
        while i < to {
            let next = self.find(i + 1, to, |k| k == Kind::Binary(6)).unwrap_or(to);
            if i > from {
                let room = if next == to { tail } else { 0 };
                if self.fits(i, next, 1 + room) {
                    self.raw(" ");
                } else {
                    self.newline(indent);
                }
            }
            self.line(i, next);
            i = next;
        }
    }
}
