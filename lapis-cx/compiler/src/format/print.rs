//! From steps to lines: which breaks become lines, and what is to be aligned.

use super::align::{Align, Mark, Row};
use super::document::{Document, Fill, Group, Op};
use super::{LIMIT, line_end};

/// Prints a document over its source.
pub(super) fn print(document: &Document, source: &str) -> String {
    let mut printer = Printer {
        source,
        line_end: line_end(source),
        stops: document.stops(),
        document,
        out: String::with_capacity(source.len() + source.len() / 8),
        align: Align::default(),
        line: 0,
        column: 0,
        start: Some(0),
        space: false,
        after_comment: false,
        groups: Vec::new(),
        elements: Vec::new(),
        cells: Vec::new(),
        last_element: 0,
    };
    for (place, op) in document.ops.iter().enumerate() {
        printer.step(place, *op);
    }
    if printer.start.is_none() {
        printer.out.push_str(printer.line_end);
    }
    printer.align.apply(&printer.out)
}

struct Printer<'d> {
    source: &'d str,
    line_end: &'static str,
    document: &'d Document,
    stops: Vec<u32>,
    out: String,
    align: Align,
    /// The number of the line.
    line: u32,
    /// Characters on it so far.
    column: u32,
    /// The indent of the line if nothing is on it yet.
    start: Option<u32>,
    /// A space comes before the next text.
    space: bool,
    /// The line ends with a comment.
    after_comment: bool,
    /// How each open group is printed.
    groups: Vec<Mode>,
    elements: Vec<Element>,
    /// The cells of all open elements, outermost first.
    cells: Vec<Mark>,
    /// The line on which the last complete element began.
    last_element: u32,
}

/// How a group is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
    Rows,
}

/// A member of a list that is being printed.
struct Element {
    line: u32,
    /// Nothing stands before it on its line.
    is_first: bool,
    /// Where its cells begin in `cells`.
    cells: usize,
    row: Option<Row>,
}

impl Printer<'_> {
    fn step(&mut self, place: usize, op: Op) {
        match op {
            Op::Text { start, end } => {
                let text = self.source.get(start as usize..end as usize).unwrap_or_default();
                self.before_text();
                self.text(text, place);
            }
            Op::Space => self.space = self.start.is_none(),
            Op::Hard { indent } => self.next_line(indent),
            Op::Blank => {
                if self.start.is_some() && !self.out.is_empty() {
                    self.out.push_str(self.line_end);
                    self.line += 1;
                }
            }
            Op::Break { indent, space } => {
                if self.is_broken() {
                    self.next_line(indent);
                } else if space {
                    self.space = true;
                }
            }
            Op::Fill { indent, end, kind } => {
                if self.is_broken() && self.fills_up(place, end as usize, indent, kind) {
                    self.next_line(indent);
                } else {
                    self.space = self.start.is_none();
                }
            }
            Op::Begin { end, kind } => {
                let mode = self.mode(place, end as usize, kind);
                self.groups.push(mode);
            }
            Op::End => drop(self.groups.pop()),
            Op::Comment { start, end, trailing } => {
                let text = self.source.get(start as usize..end as usize).unwrap_or_default();
                if trailing && self.start.is_none() {
                    self.space = false;
                    self.align.comment(self.line, self.mark(), text);
                } else {
                    self.before_text();
                }
                self.out.push_str(text);
                self.after_comment = true;
            }
            Op::Element { class, list, place } => {
                let is_first = self.start.is_some();
                // Members of the body of one on this line are no neighbours of it.
                let is_inner = self.elements.last().is_some_and(|outer| outer.line == self.line);
                if !is_first && !is_inner {
                    self.align.shared(self.line);
                }
                let row = class.map(|class| Row { class, list, place, line: self.line, cells: Vec::new() });
                self.elements.push(Element { line: self.line, is_first, cells: self.cells.len(), row });
            }
            Op::ElementEnd => self.end_element(),
            Op::Cell => self.cells.push(self.mark()),
        }
    }

    fn end_element(&mut self) {
        let Some(element) = self.elements.pop() else { return };
        self.last_element = element.line;
        let cells = self.cells.split_off(element.cells.min(self.cells.len()));
        if let Some(row) = element.row
            && element.is_first
            && element.line == self.line
        {
            let row = Row { cells, ..row };
            self.align.row(row, self.mark());
        }
    }

    fn mark(&self) -> Mark {
        Mark { at: self.out.len(), column: self.column }
    }

    /// Outside of groups lines may end.
    fn is_broken(&self) -> bool {
        self.groups.last().is_none_or(|mode| *mode != Mode::Flat)
    }

    /// How the group from `place` up to `end` is printed.
    fn mode(&self, place: usize, end: usize, kind: Group) -> Mode {
        if kind == Group::Broken {
            return Mode::Broken;
        }
        if !self.is_broken() || self.fits(place, end, self.upcoming()) {
            return Mode::Flat;
        }
        let Group::Rows(rows) = kind else { return Mode::Broken };
        let rows = self.document.rows.get(rows as usize).map(Vec::as_slice).unwrap_or_default();
        let (mut start, mut column) = (place, self.upcoming());
        for &row in rows {
            if self.document.width(start, row).is_none_or(|width| column + width > LIMIT) {
                return Mode::Broken;
            }
            start = row + 1;
            if let Some(Op::Fill { indent, .. }) = self.document.ops.get(row) {
                column = *indent;
            }
        }
        if self.fits(start, end, column) { Mode::Rows } else { Mode::Broken }
    }

    /// The column of the next text.
    fn upcoming(&self) -> u32 {
        self.start.unwrap_or(self.column + u32::from(self.space))
    }

    /// Whether the steps from `place` up to `end`, and what must follow them on the line, fit behind `column`.
    fn fits(&self, place: usize, end: usize, column: u32) -> bool {
        let stop = self.stops.get(end).map_or(end, |&stop| stop as usize);
        let Some(width) = self.document.width(place, end) else { return false };
        // What follows may begin with text of several lines: then the first of these is what must fit.
        let tail = self.document.width(end, stop).unwrap_or(0);
        column + width + tail <= LIMIT
    }

    fn fills_up(&self, place: usize, end: usize, indent: u32, kind: Fill) -> bool {
        let fits_here = !self.after_comment && self.fits(place + 1, end, self.column + 1);
        match kind {
            Fill::Parts => !fits_here,
            Fill::Row => !fits_here || self.last_element != self.line || self.groups.last() == Some(&Mode::Rows),
            Fill::Members => !fits_here || self.last_element != self.line,
            Fill::Whole => self.after_comment || !fits_here && self.fits(place + 1, end, indent),
        }
    }

    fn next_line(&mut self, indent: u32) {
        if self.start.is_none() {
            self.out.push_str(self.line_end);
            self.line += 1;
            self.column = 0;
        }
        self.start = Some(indent);
        self.space = false;
        self.after_comment = false;
    }

    /// Writes what comes before the next text on its line.
    fn before_text(&mut self) {
        if let Some(indent) = self.start.take() {
            self.out.extend(std::iter::repeat_n(' ', indent as usize));
            self.column = indent;
        } else if self.space {
            self.out.push(' ');
            self.column += 1;
        }
        self.space = false;
    }

    fn text(&mut self, text: &str, place: usize) {
        self.out.push_str(text);
        match self.document.width(place, place + 1) {
            Some(width) => self.column += width,
            None => {
                self.line += text.matches('\n').count() as u32;
                self.column = text.rsplit('\n').next().unwrap_or_default().chars().count() as u32;
            }
        }
    }
}
