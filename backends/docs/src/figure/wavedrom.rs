//! Words as WaveDrom draws them: the blocks of the RISC-V documents.

use std::fmt::Write;

use super::{Field, FieldKind, Row};

/// The lines of one word: fields from the lowest bit to the highest, as WaveDrom wants them.
pub fn word(row: &Row) -> String {
    let mut out = String::from("{reg: [\n");
    for Field { width, text, note, kind } in row.fields.iter().rev() {
        let _ = write!(out, "  {{bits: {width}");
        if *kind != FieldKind::Unused && !text.is_empty() {
            let _ = write!(out, ", name: {}", quoted(text));
        }
        if !note.is_empty() {
            let _ = write!(out, ", attr: {}", quoted(note));
        }
        // The colours of the diagrams of the RISC-V manuals: what is fixed is grey, registers and values are not.
        if *kind == FieldKind::Fixed {
            out.push_str(", type: 8");
        }
        out.push_str("},\n");
    }
    let bits: u32 = row.fields.iter().map(|field| field.width).sum();
    let lanes = bits.div_ceil(32).max(1);
    let _ = write!(out, "], config: {{bits: {bits}, lanes: {lanes}}}}}");
    out
}

/// A string of JSON5, which WaveDrom reads.
fn quoted(text: &str) -> String {
    // A string always has a form in JSON.
    serde_json::to_string(text).unwrap_or_default()
}
