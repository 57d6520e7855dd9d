//! Drawings as SVG. Colours are classes, which the style sheet of the page gives a light and a dark value; a drawing that
//! is a file of its own carries them.

use std::fmt::Write;

use super::{Field, FieldKind, Figure, Graph, Row, Shape};
use crate::print::escape;

/// Width of a character of the font of drawings, which has characters of one width, in units.
const CHARACTER: u32 = 8;
/// Width of the bits of a row.
const BITS: u32 = 768;
/// Height of the box of a row.
const BOX: u32 = 34;
/// Height of a line of text below a row.
const LINE: u32 = 18;

/// What a file needs that is not part of a page.
const STYLE: &str = include_str!("../../assets/figure.css");

/// The drawing as a part of a page.
pub fn inline(figure: &Figure) -> String {
    print(figure, "")
}

/// The drawing as a file.
pub fn file(figure: &Figure) -> String {
    print(figure, &format!("<style>\n{STYLE}</style>\n"))
}

fn print(figure: &Figure, style: &str) -> String {
    let drawn = match &figure.shape {
        Shape::Words { width, rows } => words(*width, rows),
        Shape::Graph(graph) => draw_graph(graph),
    };
    let Drawn { width, height, body } = drawn;
    let about = escape(&figure.about);
    format!(
        "<svg class=\"figure\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{about}\">\n{style}{body}</svg>\n"
    )
}

struct Drawn {
    width: u32,
    height: u32,
    body: String,
}

impl Drawn {
    fn rect(&mut self, class: &str, x: u32, y: u32, width: u32, height: u32) {
        let _ =
            writeln!(self.body, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>");
    }

    fn text(&mut self, class: &str, x: u32, y: u32, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(self.body, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(text));
        }
    }

    fn path(&mut self, class: &str, data: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{data}\"/>");
    }

    fn reach(&mut self, x: u32) {
        self.width = self.width.max(x);
    }
}

/// How wide a text is.
fn extent(text: &str) -> u32 {
    text.chars().count() as u32 * CHARACTER
}

/// A text in a box of this width, if it fits.
fn fits(text: &str, width: u32) -> bool {
    extent(text) + 4 <= width
}

/// Words one below the other.
fn words(width: u32, rows: &[Row]) -> Drawn {
    let bit = (BITS / width.max(1)).max(1);
    let margin = rows.iter().map(|row| extent(&row.label)).max().unwrap_or(0);
    let left = if margin == 0 { 1 } else { margin + 12 };
    let mut drawn = Drawn { width: left + bit * width + 1, height: 0, body: String::new() };
    for row in rows {
        one_word(&mut drawn, row, width, bit, left);
    }
    drawn
}

/// One word below what is drawn.
fn one_word(drawn: &mut Drawn, row: &Row, width: u32, bit: u32, left: u32) {
    let top = drawn.height;
    if row.fields.is_empty() {
        drawn.text("figure-text", left + bit * width / 2, top + 16, "⋮");
        drawn.text("figure-label", left.saturating_sub(12), top + 16, &row.label);
        drawn.height = top + 28;
        return;
    }
    let (box_top, box_middle) = (top + 16, top + 16 + BOX / 2 + 5);
    drawn.text("figure-label", left.saturating_sub(12), box_middle, &row.label);
    let mut high = width;
    let mut hanging = Vec::new();
    let mut has_notes = false;
    for field in &row.fields {
        let low = high.saturating_sub(field.width);
        let x = left + (width - high) * bit;
        let wide = field.width * bit;
        let middle = x + wide / 2;
        drawn.rect(&format!("figure-{}", field.kind.name()), x, box_top, wide, BOX);
        numbers(drawn, (high, low), x, wide, top + 12);
        let shown = shown_in(field, wide);
        match shown {
            Some(text) => drawn.text("figure-text", middle, box_middle, text),
            None if field.kind != FieldKind::Unused => hanging.push((middle, label_of(field))),
            None => {}
        }
        if shown.is_some() && !field.note.is_empty() {
            if fits(&field.note, wide) {
                drawn.text("figure-note", middle, box_top + BOX + 14, &field.note);
                has_notes = true;
            } else {
                hanging.push((middle, field.note.clone()));
            }
        }
        high = low;
    }
    let below = box_top + BOX + if has_notes { LINE } else { 0 };
    // A label hangs to the right of its line, and the left ones hang lower, so that no line crosses a label.
    for (depth, (x, text)) in hanging.iter().rev().enumerate() {
        let y = below + (depth as u32 + 1) * LINE;
        drawn.path("figure-line", &format!("M{x} {} V{} h5", box_top + BOX, y - 4));
        drawn.text("figure-hanging", x + 8, y, text);
        drawn.reach(x + 8 + extent(text) + 4);
    }
    drawn.height = below + hanging.len() as u32 * LINE + 10;
}

/// What is written into the box of a field: its text, if it fits.
fn shown_in(field: &Field, wide: u32) -> Option<&str> {
    fits(&field.text, wide).then_some(field.text.as_str()).filter(|text| !text.is_empty())
}

fn label_of(field: &Field) -> String {
    match field.note.as_str() {
        "" => field.text.clone(),
        note => format!("{} ({note})", field.text),
    }
}

/// The numbers of the highest and the lowest bit of a field, over its edges.
fn numbers(drawn: &mut Drawn, (high, low): (u32, u32), x: u32, wide: u32, y: u32) {
    let (first, last) = ((high - 1).to_string(), low.to_string());
    if high - low == 1 {
        drawn.text("figure-number", x + wide / 2, y, &first);
    } else if extent(&first) + extent(&last) + 8 <= wide {
        drawn.text("figure-number figure-first", x + 3, y, &first);
        drawn.text("figure-number figure-last", x + wide - 3, y, &last);
    } else {
        drawn.text("figure-number", x + wide / 2, y, &last);
    }
}

/// Height of a row of a graph, and of a node.
const ROW: u32 = 56;
const NODE: u32 = 40;

/// Nodes in columns, and lines between them.
fn draw_graph(graph: &Graph) -> Drawn {
    let columns = graph.nodes.iter().map(|node| node.column + 1).max().unwrap_or(0);
    let title = |at: usize| graph.columns.get(at).map_or("", String::as_str);
    // A column is as wide as its widest node, and before it is room for what stands at the lines that end there.
    let mut starts = Vec::new();
    let mut widths = Vec::new();
    let mut x = 1;
    for at in 0..columns {
        let nodes = graph.nodes.iter().filter(|node| node.column == at);
        let wide = nodes.map(|node| extent(&node.text).max(extent(&node.note))).max().unwrap_or(0);
        let wide = wide.max(extent(title(at))) + 24;
        let into = graph.edges.iter().filter(|e| graph.nodes.get(e.to).is_some_and(|node| node.column == at));
        let labels = into.map(|edge| extent(&edge.text)).max().unwrap_or(0);
        x += if at == 0 { 0 } else { labels + 56 };
        starts.push(x);
        widths.push(wide);
        x += wide;
    }
    let head = if graph.columns.is_empty() { 4 } else { 28 };
    let rows = graph.nodes.iter().map(|node| node.row + 1).max().unwrap_or(0) as u32;
    let mut drawn = Drawn { width: x + 1, height: head + rows * ROW, body: String::new() };
    let place = |at: usize| {
        let node = graph.nodes.get(at)?;
        let (x, wide) = (*starts.get(node.column)?, *widths.get(node.column)?);
        Some((node, x, wide, head + node.row as u32 * ROW))
    };
    for (at, (start, wide)) in starts.iter().zip(&widths).enumerate() {
        drawn.text("figure-title", start + wide / 2, 16, title(at));
    }
    for edge in &graph.edges {
        let (Some((_, from, wide, from_y)), Some((_, to, _, to_y))) = (place(edge.from), place(edge.to)) else {
            continue;
        };
        let (x1, y1, x2, y2) = (from + wide, from_y + NODE / 2, to, to_y + NODE / 2);
        let label = extent(&edge.text);
        // The label lies on the last, straight piece.
        let bend = x2.saturating_sub(label + 16).max(x1);
        let middle = (x1 + bend) / 2;
        drawn.path("figure-line", &format!("M{x1} {y1} C{middle} {y1} {middle} {y2} {bend} {y2} H{x2}"));
        drawn.text("figure-edge", x2.saturating_sub(6), y2 - 5, &edge.text);
    }
    for at in 0..graph.nodes.len() {
        let Some((node, x, wide, y)) = place(at) else { continue };
        drawn.rect("figure-node", x, y, wide, NODE);
        if node.note.is_empty() {
            drawn.text("figure-text", x + wide / 2, y + NODE / 2 + 5, &node.text);
        } else {
            drawn.text("figure-text", x + wide / 2, y + 17, &node.text);
            drawn.text("figure-note", x + wide / 2, y + 33, &node.note);
        }
    }
    drawn
}
