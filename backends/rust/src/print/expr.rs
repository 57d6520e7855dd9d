//! Where expressions break.

use super::flat::{Flat, Kind, Shape, Word, is_brace};

/// The columns of a line.
pub const WIDTH: usize = 100;
/// One level of indentation.
pub const STEP: usize = 4;
/// What is no wider stays beside what is accessed of it.
const SHORT: usize = STEP;
/// Accesses that are wider do not stay beside each other.
const CHAIN: usize = 60;
/// What is wider does not stay before arguments that break.
const CALL: usize = 60;
/// Elements of an array that are no wider share lines.
const SMALL: usize = 10;

/// Writes so many blanks. Each line begins with some, so they are copied and not pushed one by one.
pub fn blanks(out: &mut String, count: usize) {
    const BLANKS: &str = "                                                                ";
    let mut rest = count;
    while rest > 0 {
        let some = rest.min(BLANKS.len());
        out.push_str(BLANKS.get(..some).unwrap_or_default());
        rest -= some;
    }
}

/// Writes the pieces of a flat text into lines. `indent` is in columns; `tail` counts the columns of what follows in the last
/// line.
pub struct Layout<'f, 'o> {
    pub(super) flat: &'f Flat,
    pub(super) out: &'o mut String,
    /// The column behind what is written.
    pub(super) column: usize,
    /// Arrays are in rows.
    pub(super) rows: bool,
    /// In an attribute, where no comma ends a list.
    pub(super) in_attribute: bool,
    /// Another place for a value is tried.
    trying: bool,
}

impl<'f, 'o> Layout<'f, 'o> {
    /// Begins at the beginning of a line.
    pub fn new(flat: &'f Flat, out: &'o mut String) -> Layout<'f, 'o> {
        Layout { flat, out, column: 0, rows: false, in_attribute: false, trying: false }
    }

    /// The next line.
    pub(super) fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.begin(indent);
    }

    /// Blanks at the beginning of a line.
    pub(super) fn begin(&mut self, indent: usize) {
        blanks(self.out, indent);
        self.column = indent;
    }

    /// Text of the printer's own.
    pub(super) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }

    /// Pieces in one line.
    pub(super) fn line(&mut self, from: usize, to: usize) {
        self.out.push_str(self.flat.text(from, to));
        self.column += self.flat.width(from, to);
    }

    /// Whether pieces fit here in one line.
    pub(super) fn fits(&self, from: usize, to: usize, tail: usize) -> bool {
        self.fits_at(self.column, from, to, tail)
    }

    /// Whether pieces fit at a column in one line.
    pub(super) fn fits_at(&self, column: usize, from: usize, to: usize, tail: usize) -> bool {
        column + self.flat.width(from, to) + tail <= WIDTH && !self.flat.is_broken(from, to)
    }

    /// The first piece at the top of a range that is as asked.
    pub(super) fn find(&self, from: usize, to: usize, wanted: impl Fn(Kind) -> bool) -> Option<usize> {
        let mut i = from;
        while i < to {
            if wanted(self.flat.kind(i)) {
                return Some(i);
            }
            i = self.flat.behind(i);
        }
        None
    }

    /// An expression, a pattern or a type.
    pub(super) fn expr(&mut self, from: usize, to: usize, indent: usize, tail: usize) {
        if self.fits(from, to, tail) {
            return self.line(from, to);
        }
        match self.flat.kind(from) {
            Kind::Keyword(word) => return self.keyword(word, from, to, indent, tail),
            // Parameters of a closure, then its value.
            Kind::PipeOpen | Kind::PipeClose => {
                let body = self.flat.behind(from);
                self.line(from, body);
                return self.body(body, to, indent, tail);
            }
            _ => {}
        }
        match self.loosest(from, to) {
            Some((Kind::Assign, at)) => {
                self.expr(from, at, indent, 2);
                self.raw(" ");
                self.line(at, at + 1);
                self.value(at + 1, to, indent, tail);
            }
            Some((Kind::As, at)) => {
                let (column, begun, width) = (self.column, self.out.len(), 1 + self.flat.width(at, to));
                self.expr(from, at, indent, 0);
                let is_broken = self.out.get(begun..).is_some_and(|text| text.contains('\n'));
                let limit = if is_broken { WIDTH.saturating_sub(column) } else { WIDTH };
                if self.column + width + tail > limit {
                    self.newline(indent + STEP);
                } else {
                    self.raw(" ");
                }
                self.line(at, to);
            }
            Some((Kind::Range, at)) => {
                self.expr(from, at, indent, 2);
                self.line(at, at + 1);
                self.expr(at + 1, to, indent, tail);
            }
            Some((kind @ Kind::Binary(_), _)) => self.operands((from, to), kind, indent, tail),
            _ if self.flat.kind(from) == Kind::Unary => {
                let is_mut = self.flat.kind(from + 1) == Kind::Keyword(Word::Mut);
                let operand = from + 1 + usize::from(is_mut);
                self.line(from, operand);
                if is_mut {
                    self.raw(" ");
                }
                self.expr(operand, to, indent, tail);
            }
            _ => self.postfix(from, to, indent, tail),
        }
    }

    /// The loosest operator at the top of a range, and its first place.
    fn loosest(&self, from: usize, to: usize) -> Option<(Kind, usize)> {
        let rank = |kind: Kind| match kind {
            Kind::As => 0,
            Kind::Binary(level) => level,
            Kind::Range => 10,
            Kind::Assign => 11,
            _ => u8::MAX,
        };
        let mut found: Option<(Kind, usize)> = None;
        let mut i = from;
        while i < to {
            let kind = self.flat.kind(i);
            // What follows belongs to a closure.
            if matches!(kind, Kind::PipeOpen | Kind::PipeClose) {
                break;
            }
            let rank_here = rank(kind);
            let is_looser = match found {
                None => rank_here != u8::MAX,
                // Casts go from left to right, so the last one is the loosest.
                Some((best, _)) => {
                    rank_here != u8::MAX && (rank_here > rank(best) || rank_here == 0 && rank(best) == 0)
                }
            };
            if is_looser && i > from {
                found = Some((kind, i));
            }
            i = self.flat.behind(i);
        }
        found
    }

    /// The value of a closure: a block, unless it is one or fits.
    fn body(&mut self, from: usize, to: usize, indent: usize, tail: usize) {
        self.raw(" ");
        let is_block = match self.flat.kind(from) {
            Kind::Open(shape) => is_brace(shape),
            kind => matches!(kind, Kind::Keyword(Word::Match | Word::Loop | Word::Unsafe)),
        };
        if is_block || self.fits(from, to, tail) || self.flat.kind(to - 1) == Kind::Close(Shape::Literal) {
            return self.expr(from, to, indent, tail);
        }
        self.wrapped(from, to, indent);
    }

    /// An expression in braces of its own.
    pub(super) fn wrapped(&mut self, from: usize, to: usize, indent: usize) {
        self.raw("{");
        self.newline(indent + STEP);
        self.expr(from, to, indent + STEP, 0);
        self.newline(indent);
        self.raw("}");
    }

    /// What follows `=`: here, or on the next line if that looks better.
    pub(super) fn value(&mut self, from: usize, to: usize, indent: usize, tail: usize) {
        let inner = indent + STEP;
        if !self.fits(from, to, tail + 1) && self.fits_at(inner, from, to, tail) {
            self.newline(inner);
            return self.line(from, to);
        }
        let (column, begun) = (self.column, self.out.len());
        self.raw(" ");
        if self.fits(from, to, tail) {
            return self.line(from, to);
        }
        self.expr(from, to, indent, tail);
        let here = self.out.get(begun..).unwrap_or_default();
        // A value in a value stays where it is, as trying both for each would take time that doubles with each.
        if self.trying || !here.contains('\n') || self.is_body(from) {
            return;
        }
        let here = (here.to_owned(), self.column);
        self.out.truncate(begun);
        self.column = column;
        self.trying = true;
        self.newline(inner);
        self.expr(from, to, inner, tail);
        self.trying = false;
        let next = self.out.get(begun + 1..).unwrap_or_default();
        let lines = |text: &str| text.matches('\n').count();
        let opens = |text: &str| text.lines().next().is_some_and(|line| line.ends_with(['(', '{', '[']));
        let fits = next.lines().all(|line| line.len() <= WIDTH);
        let is_better = lines(&here.0) > lines(next) + 1 || (opens(&here.0) && !opens(next));
        if !(fits && is_better) {
            self.out.truncate(begun);
            self.out.push_str(&here.0);
            self.column = here.1;
        }
    }

    /// Operands of the same operator, each on its line. Of operators that bind alike, those at the end that are the same split;
    /// the others are in the first operand.
    fn operands(&mut self, (from, to): (usize, usize), kind: Kind, indent: usize, tail: usize) {
        let mut signs = Vec::new();
        let mut i = from;
        while let Some(at) = self.find(i, to, |k| k == kind) {
            let is_same =
                signs.last().is_none_or(|last| self.flat.text(*last, *last + 1) == self.flat.text(at, at + 1));
            if !is_same {
                signs.clear();
            }
            signs.push(at);
            i = at + 1;
        }
        let (mut begin, mut inner) = (from, indent);
        for &end in &signs {
            self.expr(begin, end, inner, 0);
            // What is no wider than the indentation stays beside the next operand.
            if self.column > indent + STEP {
                self.newline(indent + STEP);
                inner = indent + STEP;
            } else {
                self.raw(" ");
                inner = indent;
            }
            self.line(end, end + 1);
            self.raw(" ");
            begin = end + 1;
        }
        self.expr(begin, to, inner, tail);
    }

    fn keyword(&mut self, word: Word, from: usize, to: usize, indent: usize, tail: usize) {
        match word {
            Word::If => self.branches(from, to, indent),
            Word::Match | Word::For | Word::While | Word::Loop | Word::Unsafe => {
                let Some(open) = self.find(from, to, |k| matches!(k, Kind::Open(Shape::Arms | Shape::Block))) else {
                    return self.line(from, to);
                };
                self.head(from, open, indent);
                self.braces(open, indent);
                let behind = self.flat.behind(open);
                if behind < to {
                    self.postfix(behind, to, indent, tail);
                }
            }
            // `return`, `break`, `mut`, `move` and others before an operand.
            _ => {
                self.line(from, from + 1);
                if from + 1 < to {
                    self.raw(" ");
                    self.expr(from + 1, to, indent, tail);
                }
            }
        }
    }

    /// What stands before a block: on its line, or above it.
    fn head(&mut self, from: usize, open: usize, indent: usize) {
        if self.fits(from, open, 2) {
            self.line(from, open);
            return self.raw(" ");
        }
        self.line(from, from + 1);
        self.raw(" ");
        self.expr(from + 1, open, indent, 2);
        self.newline(indent);
    }

    /// `if … else if … else …` over several lines.
    fn branches(&mut self, from: usize, to: usize, indent: usize) {
        let mut i = from;
        while i < to {
            let Some(open) = self.find(i, to, |k| k == Kind::Open(Shape::Block)) else { return self.line(i, to) };
            if i < open {
                self.head(i, open, indent);
            }
            self.braces(open, indent);
            i = self.flat.behind(open);
            if i < to {
                self.raw(" ");
                // `else`
                self.line(i, i + 1);
                self.raw(" ");
                i += 1;
            }
        }
    }

    /// An operand with accesses, calls and positions.
    fn postfix(&mut self, from: usize, to: usize, indent: usize, tail: usize) {
        let Some(first) = self.find(from, to, |k| k == Kind::Dot) else {
            return self.called(from, to, indent, tail);
        };
        let mut accesses = Vec::new();
        let mut i = first;
        while i < to {
            let next = self.find(i + 1, to, |k| k == Kind::Dot).unwrap_or(to);
            accesses.push((i, next));
            i = next;
        }
        // Something short that begins a line has the first access beside it.
        let short = SHORT.saturating_sub(self.column.saturating_sub(indent));
        self.called(from, first, indent, 0);
        let mut rest = accesses.as_slice();
        while let [(_, end), others @ ..] = rest
            && self.flat.width(from, rest[0].0) <= short
            && (!others.is_empty() || self.fits_at(self.column + 1, rest[0].0 + 1, *end, tail))
        {
            self.line(rest[0].0, *end);
            rest = others;
        }
        let Some((&(last, end), before)) = rest.split_last() else { return };
        // The arguments of the last access may break, if the others are beside each other.
        let is_beside = before.is_empty() || self.fits_at(self.column + 1, rest[0].0 + 1, last, 0);
        let own_line = self.fits_at(indent + STEP + 1, last + 1, end, tail);
        let has_block = self.flat.is_broken(last + 1, end);
        let short_root = before.is_empty() && self.flat.width(from, last) <= short;
        if is_beside && (short_root || has_block && !own_line || before.is_empty() && !own_line) {
            if let Some((first, _)) = before.first() {
                self.line(*first, last);
            }
            return self.called(last, end, indent, tail);
        }
        for (i, &(dot, end)) in rest.iter().enumerate() {
            self.newline(indent + STEP);
            let tail = if i + 1 == rest.len() { tail } else { 0 };
            self.called(dot, end, indent + STEP, tail);
        }
    }

    /// A path or an access with the groups behind it.
    fn called(&mut self, from: usize, to: usize, indent: usize, tail: usize) {
        let mut i = from;
        while i < to {
            let open = self.find(i, to, |k| matches!(k, Kind::Open(_))).unwrap_or(to);
            if self.fits(i, to, tail) || open == to {
                if i > from && self.is_apart(i) {
                    self.raw(" ");
                }
                return self.line(i, to);
            }
            if i < open {
                if i > from && self.is_apart(i) {
                    self.raw(" ");
                }
                self.line(i, open);
            }
            let close = self.flat.behind(open);
            let rest = if close == to { tail } else { self.flat.width(close, to) + tail };
            if open > from && self.is_apart(open) {
                self.raw(" ");
            }
            self.group(open, indent, rest);
            i = close;
        }
    }

    /// Whether a blank stands before a piece.
    fn is_apart(&self, i: usize) -> bool {
        i > 0 && self.flat.width(i - 1, i + 1) > self.flat.width(i - 1, i) + self.flat.width(i, i + 1)
    }

    /// A group that is not in one line, or is.
    fn group(&mut self, open: usize, indent: usize, tail: usize) {
        let Kind::Open(shape) = self.flat.kind(open) else { return self.line(open, open + 1) };
        let end = self.flat.behind(open);
        if self.fits(open, end, tail) {
            return self.line(open, end);
        }
        let close = end - 1;
        match shape {
            Shape::Block | Shape::Arms | Shape::Items | Shape::Fields => self.braces(open, indent),
            Shape::Literal => self.list(open, close, indent, true),
            Shape::Call | Shape::Params | Shape::Macro => self.arguments(open, close, indent, tail),
            Shape::Tuple if self.find(open + 1, close, |k| k == Kind::Comma).is_some() => {
                self.arguments(open, close, indent, tail);
            }
            Shape::Array if self.find(open + 1, close, |k| k == Kind::Semi).is_none() => {
                self.array(open, close, indent)
            }
            Shape::File | Shape::Tuple | Shape::Index | Shape::Array | Shape::Attribute | Shape::Use => {
                self.line(open, open + 1);
                self.expr(open + 1, close, indent, tail + 1);
                self.line(close, end);
            }
        }
    }

    /// The elements of a list: where each begins and ends.
    fn elements(&self, open: usize, close: usize) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let mut begin = open + 1;
        while begin < close {
            let end = self.find(begin, close, |k| k == Kind::Comma).unwrap_or(close);
            all.push((begin, end));
            begin = end + 1;
        }
        all
    }

    /// Arguments: the only one, or a closure at the end, may break itself; else each has its line.
    fn arguments(&mut self, open: usize, close: usize, indent: usize, tail: usize) {
        let elements = self.elements(open, close);
        let comma = self.flat.kind(open) != Kind::Open(Shape::Macro) && !self.in_attribute;
        let Some((&(from, to), before)) = elements.split_last() else { return self.line(open, close + 1) };
        let beside = self.column + 1 + self.flat.width(open + 1, from) + usize::from(!before.is_empty());
        let can_break = match before {
            [] => self.breaks_itself(from, to) && self.breaks_at_end(from, to, indent, tail),
            _ => self.has_body(from),
        };
        let is_lone = before.is_empty() && self.fits_at(indent + STEP, from, to, usize::from(comma));
        let is_worth = !is_lone || self.is_body(from);
        if can_break && is_worth && beside < WIDTH && !self.flat.is_broken(open + 1, from) {
            self.line(open, from);
            if !before.is_empty() {
                self.raw(" ");
            }
            self.expr(from, to, indent, tail + 1);
            return self.line(close, close + 1);
        }
        self.list(open, close, indent, comma);
    }

    /// Whether what breaks in an expression is a group at its end, behind which only casts are.
    pub(super) fn breaks_itself(&self, from: usize, to: usize) -> bool {
        if self.is_body(from) {
            return true;
        }
        let operand = match self.flat.kind(from) {
            Kind::Unary => from + 1 + usize::from(self.flat.kind(from + 1) == Kind::Keyword(Word::Mut)),
            Kind::Keyword(_) => return false,
            _ => from,
        };
        let call = self.find(operand, to, |k| matches!(k, Kind::As)).unwrap_or(to);
        let is_plain = !matches!(self.loosest(operand, call), Some((Kind::Binary(_) | Kind::Range | Kind::Assign, _)));
        if !is_plain || call <= operand || !matches!(self.flat.kind(call - 1), Kind::Close(_)) {
            return false;
        }
        // Parentheses alone stay where they are, and what stands before the group is not too wide either.
        let open = self.flat.piece(call - 1).pair as usize;
        let is_alone = self.flat.kind(open) == Kind::Open(Shape::Tuple)
            && self.find(open + 1, call - 1, |k| k == Kind::Comma).is_none();
        !is_alone && self.flat.width(from, open + 1) <= CALL
    }

    /// Whether accesses stay beside each other if the arguments of the last one break.
    fn breaks_at_end(&self, from: usize, to: usize, indent: usize, tail: usize) -> bool {
        let (mut last, mut accesses, mut i) = (from, 0, from);
        while let Some(dot) = self.find(i, to, |k| k == Kind::Dot) {
            (last, accesses, i) = (dot, accesses + 1, dot + 1);
        }
        let is_narrow = accesses < 2 || self.flat.width(from, last) <= CHAIN;
        accesses == 0 || self.is_body(from) || is_narrow && !self.fits_at(indent + STEP + 1, last + 1, to, tail)
    }

    /// Whether an expression is a closure or a block.
    fn has_body(&self, from: usize) -> bool {
        let kind = self.flat.kind(from);
        matches!(kind, Kind::PipeOpen | Kind::PipeClose | Kind::Open(Shape::Block) | Kind::Keyword(Word::Move))
    }

    /// Whether an expression ends with a block.
    fn is_body(&self, from: usize) -> bool {
        let is_flow = match self.flat.kind(from) {
            Kind::Keyword(word) => {
                matches!(word, Word::If | Word::Match | Word::For | Word::While | Word::Loop | Word::Unsafe)
            }
            _ => false,
        };
        is_flow || self.has_body(from)
    }

    /// A list with a line for each element.
    pub(super) fn list(&mut self, open: usize, close: usize, indent: usize, comma: bool) {
        self.line(open, open + 1);
        let elements = self.elements(open, close);
        for (i, &(from, to)) in elements.iter().enumerate() {
            self.newline(indent + STEP);
            let has_comma = comma && self.flat.kind(from) != Kind::Range || i + 1 < elements.len();
            self.member(from, to, indent + STEP, usize::from(has_comma));
            if has_comma {
                self.raw(",");
            }
        }
        self.newline(indent);
        self.line(close, close + 1);
    }

    /// An element; that of a literal has a name before its value.
    fn member(&mut self, from: usize, to: usize, indent: usize, tail: usize) {
        if self.flat.kind(from + 1) == Kind::Colon && !self.fits(from, to, tail) {
            self.line(from, from + 2);
            return self.value(from + 2, to, indent, tail);
        }
        self.expr(from, to, indent, tail);
    }

    /// An array: in rows, filled lines, or with a line for each element.
    fn array(&mut self, open: usize, close: usize, indent: usize) {
        let elements = self.elements(open, close);
        let widest = elements.iter().map(|(from, to)| self.flat.width(*from, *to)).max().unwrap_or(0);
        let room = WIDTH.saturating_sub(indent + STEP);
        let in_row = match [16, 12, 8, 4, 2].into_iter().find(|n| n * (widest + 2) - 1 <= room) {
            Some(n) if self.rows => n,
            _ if widest <= SMALL => usize::MAX,
            _ => return self.list(open, close, indent, true),
        };
        self.line(open, open + 1);
        for (i, &(from, to)) in elements.iter().enumerate() {
            let is_full = in_row == usize::MAX && !self.fits(from, to, 2);
            if i == 0 || is_full || i % in_row == 0 {
                self.newline(indent + STEP);
            } else {
                self.raw(" ");
            }
            self.expr(from, to, indent + STEP, 1);
            self.raw(",");
        }
        self.newline(indent);
        self.line(close, close + 1);
    }
}
