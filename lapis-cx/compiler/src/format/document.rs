//! What is to be printed, as a flat list of steps. Widths are summed up while it grows, so that the width of any part on
//! one line is known at once, and printing takes time in proportion to the length.

use crate::syntax::Kind;

/// A step. Text is a range of bytes of the source; indents are columns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// A token.
    Text { start: u32, end: u32 },
    /// A space, unless a line starts or ends here.
    Space,
    /// The next line.
    Hard { indent: u32 },
    /// An empty line before the next one.
    Blank,
    /// A space, or the next line if the innermost group does not fit on one.
    Break { indent: u32, space: bool },
    /// A space, or the next line if what comes up to the step `end` does not fit on this one.
    Fill { indent: u32, end: u32, kind: Fill },
    /// A group begins, which ends before the step `end`.
    Begin { end: u32, kind: Group },
    /// The group that began last ends.
    End,
    /// A comment, behind what stands on the line if `trailing`. What follows is a line or a break of a broken group.
    Comment { start: u32, end: u32, trailing: bool },
    /// A member of a list begins: members of one kind with successive places are aligned at their cells.
    Element { class: Option<Class>, list: u32, place: u32 },
    /// The member that began last ends.
    ElementEnd,
    /// Here the next part of a member starts, which is aligned.
    Cell,
}

/// When a fill becomes a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// If what follows does not fit.
    Parts,
    /// As `Parts`, and if the member before takes several lines.
    Members,
    /// If what follows does not fit here but would fit on a line of its own.
    Whole,
    /// As `Parts`, or as all others of its kind in the group.
    Row,
}

/// How a group breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// If it does not fit on a line.
    Fit,
    /// In any case.
    Broken,
    /// If it does not fit on a line: then at each [`Fill::Row`], if that makes all lines fit, else where the lines are full.
    /// The number is that of the group in [`Document::rows`].
    Rows(u32),
}

/// Kinds of members that are aligned with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// `short`, `xlen` and the like.
    Clause,
    /// All of one kind.
    Of(Kind),
}

/// The steps, with sums.
#[derive(Default)]
pub(super) struct Document {
    pub(super) ops: Vec<Op>,
    /// For each group with rows, the places of the steps that begin one.
    pub(super) rows: Vec<Vec<usize>>,
    /// Before each step, and at the end.
    sums: Vec<Sum>,
    now: Sum,
}

/// What all steps before one come to on a single line.
#[derive(Clone, Copy, Default)]
struct Sum {
    width: u32,
    /// Steps that no single line can hold.
    lines: u32,
}

impl Document {
    /// Empty, with room for about `ops` steps.
    pub(super) fn with_capacity(ops: usize) -> Document {
        Document { ops: Vec::with_capacity(ops), sums: Vec::with_capacity(ops + 1), ..Document::default() }
    }

    /// How many steps there are.
    pub(super) fn len(&self) -> usize {
        self.ops.len()
    }

    /// Adds a step; its place.
    pub(super) fn push(&mut self, op: Op) -> usize {
        let width = match op {
            Op::Space | Op::Fill { .. } | Op::Break { space: true, .. } => 1,
            _ => 0,
        };
        let lines = matches!(op, Op::Hard { .. } | Op::Blank | Op::Comment { .. });
        self.add(op, width, u32::from(lines))
    }

    /// Adds a token of the source.
    pub(super) fn text(&mut self, start: u32, text: &str) {
        let width = if text.is_ascii() { text.len() } else { text.chars().count() };
        let lines = u32::from(text.contains('\n'));
        self.add(Op::Text { start, end: start + text.len() as u32 }, width as u32, lines);
    }

    fn add(&mut self, op: Op, width: u32, lines: u32) -> usize {
        self.sums.push(self.now);
        self.now.width += width;
        self.now.lines += lines;
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// Lets the fill or group at `place` reach up to here.
    pub(super) fn reach(&mut self, place: usize) {
        let here = self.ops.len() as u32;
        if let Some(Op::Fill { end, .. } | Op::Begin { end, .. }) = self.ops.get_mut(place) {
            *end = here;
        }
    }

    /// Breaks the group at `place` in any case.
    pub(super) fn break_group(&mut self, place: usize) {
        if let Some(Op::Begin { kind, .. }) = self.ops.get_mut(place) {
            *kind = Group::Broken;
        }
    }

    /// Lets the group at `place` break at these fills.
    pub(super) fn set_rows(&mut self, place: usize, rows: Vec<usize>) {
        if let Some(Op::Begin { kind, .. }) = self.ops.get_mut(place)
            && !rows.is_empty()
        {
            *kind = Group::Rows(self.rows.len() as u32);
            self.rows.push(rows);
        }
    }

    /// Makes a space of the line at `place`.
    pub(super) fn join(&mut self, place: usize) {
        if let Some(op @ Op::Hard { .. }) = self.ops.get_mut(place) {
            *op = Op::Space;
        }
    }

    /// The width of the steps from `start` up to `end` on one line; none if they cannot be on one.
    pub(super) fn width(&self, start: usize, end: usize) -> Option<u32> {
        let at = |place: usize| self.sums.get(place).copied().unwrap_or(self.now);
        let (from, to) = (at(start), at(end));
        (from.lines == to.lines).then(|| to.width.saturating_sub(from.width))
    }

    /// For each step and the end, the next step from there on at which a line may end.
    pub(super) fn stops(&self) -> Vec<u32> {
        let mut stops = vec![self.ops.len() as u32; self.ops.len() + 1];
        let mut next = self.ops.len() as u32;
        for (place, op) in self.ops.iter().enumerate().rev() {
            if matches!(op, Op::Hard { .. } | Op::Break { .. } | Op::Fill { .. } | Op::Comment { .. }) {
                next = place as u32;
            }
            if let Some(stop) = stops.get_mut(place) {
                *stop = next;
            }
        }
        stops
    }
}
