//! Blanks that put parts of successive lines below each other.

use super::LIMIT;
use super::document::Class;

/// Comments behind the text of a line stand here, or where the text is longer a few steps further right.
const COMMENT_COLUMN: u32 = 40;
const COMMENT_STEP: u32 = 8;

/// Blanks between text and comment, at least.
const APART: u32 = 2;

/// A place in the printed text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The byte.
    pub(super) at: usize,
    /// Characters before it on its line.
    pub(super) column: u32,
}

/// A member that has a line of its own.
pub(super) struct Row {
    pub(super) class: Class,
    /// The list that it is in.
    pub(super) list: u32,
    /// Where in the list; places that follow each other are those of neighbours.
    pub(super) place: u32,
    pub(super) line: u32,
    /// Where its parts begin, but for the first.
    pub(super) cells: Vec<Mark>,
}

struct Comment {
    line: u32,
    /// Where the line ends without it.
    at: Mark,
    width: u32,
}

/// Rows and comments, in the order of the text.
#[derive(Default)]
pub(super) struct Align {
    rows: Vec<(Row, Mark)>,
    comments: Vec<Comment>,
    /// The last line on which several members stand.
    shared: Option<u32>,
}

/// Blanks to be added at a byte of the printed text.
struct Pad {
    at: usize,
    blanks: u32,
}

impl Align {
    /// Adds a row that ends at a mark.
    pub(super) fn row(&mut self, row: Row, end: Mark) {
        if !row.cells.is_empty() && self.shared != Some(row.line) {
            self.rows.push((row, end));
        }
    }

    /// A line holds several members, so the one that ended last is no row.
    pub(super) fn shared(&mut self, line: u32) {
        self.shared = Some(line);
        if self.rows.last().is_some_and(|(row, _)| row.line == line) {
            self.rows.pop();
        }
    }

    /// Adds a comment behind the text of a line.
    pub(super) fn comment(&mut self, line: u32, at: Mark, text: &str) {
        self.comments.push(Comment { line, at, width: text.chars().count() as u32 });
    }

    /// The text with all blanks.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut pads = Vec::new();
        // For each row that is padded: its line, and by how much it grows.
        let mut grown = Vec::new();
        let follows =
            |a: &(Row, Mark), b: &(Row, Mark)| (a.0.class, a.0.list, a.0.place + 1) == (b.0.class, b.0.list, b.0.place);
        for run in self.rows.chunk_by(follows).filter(|run| run.len() > 1) {
            align_rows(run, &mut pads, &mut grown);
        }
        for run in self.comments.chunk_by(|a, b| a.line + 1 == b.line) {
            align_comments(run, &grown, &mut pads);
        }
        // Rows within each other are never both padded, but comments stand between them.
        pads.sort_by_key(|pad| pad.at);
        let mut padded = String::with_capacity(text.len() + pads.iter().map(|pad| pad.blanks as usize).sum::<usize>());
        let mut at = 0;
        for pad in pads {
            padded.push_str(text.get(at..pad.at).unwrap_or_default());
            padded.extend(std::iter::repeat_n(' ', pad.blanks as usize));
            at = pad.at;
        }
        padded.push_str(text.get(at..).unwrap_or_default());
        padded
    }
}

/// Puts the cells of neighbours below each other, unless a line would become too long. A part is as wide as the widest of
/// the neighbours that have a next one.
fn align_rows(run: &[(Row, Mark)], pads: &mut Vec<Pad>, grown: &mut Vec<(u32, u32)>) {
    let mut growth = vec![0; run.len()];
    let mut added = Vec::new();
    let most = run.iter().map(|(row, _)| row.cells.len()).max().unwrap_or(0);
    for cell in 0..most {
        let mut first = 0;
        for part in run.chunk_by(|a, b| (a.0.cells.len() > cell) == (b.0.cells.len() > cell)) {
            let columns = part.iter().zip(growth.iter().skip(first));
            let columns: Vec<Option<u32>> =
                columns.map(|((row, _), growth)| row.cells.get(cell).map(|mark| mark.column + growth)).collect();
            let widest = columns.iter().flatten().max().copied().unwrap_or(0);
            for ((row, _), (column, growth)) in part.iter().zip(columns.iter().zip(growth.iter_mut().skip(first))) {
                if let (Some(column), Some(mark)) = (column, row.cells.get(cell)) {
                    added.push(Pad { at: mark.at, blanks: widest - column });
                    *growth += widest - column;
                }
            }
            first += part.len();
        }
    }
    if run.iter().zip(&growth).all(|((_, end), growth)| end.column + growth <= LIMIT) {
        pads.extend(added);
        grown.extend(run.iter().zip(growth).map(|((row, _), growth)| (row.line, growth)));
    }
}

/// Puts the comments of neighbouring lines below each other, unless one would pass the limit that need not.
fn align_comments(run: &[Comment], grown: &[(u32, u32)], pads: &mut Vec<Pad>) {
    let growth = |line: u32| {
        let found = grown.binary_search_by_key(&line, |(line, _)| *line).ok();
        found.and_then(|place| grown.get(place)).map_or(0, |(_, growth)| *growth)
    };
    let ends: Vec<u32> = run.iter().map(|comment| comment.at.column + growth(comment.line)).collect();
    let widest = ends.iter().max().copied().unwrap_or(0) + APART;
    let common = widest.max(COMMENT_COLUMN).next_multiple_of(COMMENT_STEP);
    let fits = run.iter().all(|comment| common + comment.width <= LIMIT);
    for (comment, end) in run.iter().zip(ends) {
        let column = if fits { common } else { (end + APART).max(COMMENT_COLUMN) };
        pads.push(Pad { at: comment.at.at, blanks: column - end });
    }
}
