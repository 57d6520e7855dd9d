//! State and CSRs: what they hold, and drawings of where.

use lapis_cx::contract::Section as At;
use lapis_cx::contract::core::Type;
use lapis_cx::contract::csr::{Access, Csr};
use lapis_cx::contract::layout::{Layout, status};
use lapis_cx::oracle::show;

use super::interface::{Of, anchor, part, sharing};
use super::types::{Said, at, grouped, one_text, one_type};
use super::{count, docs, line, table, usage};
use crate::document::{Block, Inline, MEANING, Section, code, text};
use crate::figure::{Field, FieldKind, Figure, Row, Shape};

/// The most words of a field that are drawn; of a larger one the first and the last.
const MAX_WORDS: u64 = 3;

/// The state of a context.
pub fn state(of: &mut Of<'_>) -> Option<Block> {
    let interface = of.interface;
    let state = of.widest()?.state.as_ref()?;
    let (word, sentence) = sharing(state.sharing);
    let mut blocks = docs(&state.docs);
    blocks.push(Block::Text(vec![Inline::Strong(vec![text(format!("{}. ", capital(word)))]), text(sentence)]));
    if state.ucontext {
        blocks.push(Block::Text(vec![text("It takes part in the contexts of user threads.")]));
    }
    let names: Vec<_> = state.fields.iter().map(|field| field.name.clone()).collect();
    let mut rows = Vec::new();
    for name in &names {
        let fields = interface.sections.iter().filter_map(|at| {
            let field = at.state.as_ref()?.fields.iter().find(|field| field.name == *name)?;
            Some((at, field))
        });
        let resets: Said<String> =
            fields.clone().map(|(at, field)| (at.xlen, shown(at, &field.ty, &field.reset))).collect();
        let about = fields.clone().next().map(|(_, field)| field.docs.clone()).unwrap_or_default();
        of.entry("state field", name, "state", &about);
        rows.push(vec![
            vec![code(name)],
            vec![code(one_type(fields.map(|(at, field)| (at, &field.ty))))],
            vec![text(one_text(&resets))],
            line(&about),
        ]);
    }
    blocks.push(table(["Field", "Type", "After reset", MEANING], rows));
    let maps: Said<Figure> = interface.sections.iter().filter_map(|at| Some((at.xlen, map(at)?))).collect();
    for (xlens, figure) in grouped(&maps) {
        let words = interface.sections.iter().find(|at| xlens.contains(&at.xlen)).map_or(0, |at| Layout::new(at).words);
        let words = format!("At {} the state has {}:", at(&xlens), count(words, "word"));
        blocks.push(Block::Text(vec![text(words)]));
        blocks.push(Block::Figure(figure.clone()));
    }
    if interface.state_context {
        blocks.push(Block::Text(vec![text("The status word, which "), code("read_status"), text(" gives:")]));
        blocks.push(Block::Figure(status_word()));
        let cs = "`cs`: 0 off, 1 initial, 2 clean, 3 dirty. `state_size`: words of state. `error`: the code of the last \
                  declared error.";
        blocks.extend(docs(cs));
    }
    part("state", "State", blocks)
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// A value after reset: an array that is the same all over is said to be so.
fn shown(at: &At, ty: &Type, value: &lapis_cx::contract::core::Value) -> String {
    let scalars = value.scalars();
    let (scalar, n) = ty.flattened();
    match scalars.split_first() {
        Some((first, rest)) if n > 1 && rest.iter().all(|other| other == first) => {
            let one = lapis_cx::contract::core::Value::Int((*first).clone());
            format!("all {}", show(at, scalar, &one))
        }
        _ => show(at, ty, value),
    }
}

/// The words of the state at one XLEN.
fn map(at: &At) -> Option<Figure> {
    let layout = Layout::new(at);
    let state = at.state.as_ref()?;
    let mut rows = Vec::new();
    for (field, place) in state.fields.iter().zip(&layout.fields) {
        let all = place.words;
        let drawn: Vec<Option<u64>> =
            if all <= MAX_WORDS { (0..all).map(Some).collect() } else { vec![Some(0), None, Some(all - 1)] };
        for word in drawn {
            rows.push(match word {
                None => Row { label: String::new(), fields: Vec::new() },
                Some(word) => Row {
                    label: (place.first + word).to_string(),
                    fields: word_fields(at.xlen, &field.name, &layout, place, word),
                },
            });
        }
    }
    let about = format!("state words at XLEN {}", at.xlen);
    (!rows.is_empty()).then_some(Figure { about, shape: Shape::Words { width: at.xlen, rows } })
}

/// The most elements of a word that are drawn one by one.
const MAX_ELEMENTS: usize = 8;

fn word_fields(
    xlen: u32,
    name: &str,
    layout: &Layout,
    place: &lapis_cx::contract::layout::FieldLayout,
    word: u64,
) -> Vec<Field> {
    let parts: Vec<_> = layout.parts(place, word).collect();
    let used: u32 = parts.iter().map(|part| part.width).sum();
    let element = |index: u64| format!("{name}{}", indices(&place.ty, index));
    let value = |width: u32, text: String| Field { width, text, note: String::new(), kind: FieldKind::Value };
    let mut fields = Vec::new();
    if used < xlen {
        let unused = Field { width: xlen - used, text: String::new(), note: String::new(), kind: FieldKind::Unused };
        fields.push(unused);
    }
    match parts.as_slice() {
        [first, .., last] if parts.len() > MAX_ELEMENTS => {
            fields.push(value(used, format!("{} … {}", element(last.element), element(first.element))));
        }
        parts => fields.extend(parts.iter().rev().map(|part| {
            let whole = part.width == place.element_bits;
            let bits = if whole { String::new() } else { bits(part.element_bit, part.width) };
            value(part.width, element(part.element) + &bits)
        })),
    }
    fields
}

/// The indices of an element, row by row: `[3][255]`; nothing for a scalar.
fn indices(ty: &Type, mut flat: u64) -> String {
    let (mut out, mut inner) = (String::new(), ty);
    while let Type::Array { elem, .. } = inner {
        let below = elem.flattened().1.max(1);
        out += &format!("[{}]", flat / below);
        flat %= below;
        inner = elem;
    }
    out
}

/// `[high:low]`, or `[bit]`.
fn bits(low: u32, width: u32) -> String {
    if width == 1 { format!("[{low}]") } else { format!("[{}:{low}]", low + width - 1) }
}

/// The status word of a serialisable context.
fn status_word() -> Figure {
    let field = |width, text: &str, kind| Field { width, text: text.into(), note: String::new(), kind };
    let gap = status::ERROR_SHIFT - status::SIZE_SHIFT - status::SIZE_BITS;
    let fields = vec![
        field(status::ERROR_BITS, "error", FieldKind::Value),
        field(gap, "", FieldKind::Unused),
        field(status::SIZE_BITS, "state_size", FieldKind::Value),
        field(status::CS_BITS, "cs", FieldKind::Value),
    ];
    let row = Row { label: String::new(), fields };
    Figure { about: "status word".into(), shape: Shape::Words { width: 32, rows: vec![row] } }
}

/// The CSRs.
pub fn csrs(of: &mut Of<'_>) -> Option<Block> {
    let interface = of.interface;
    let mut names: Vec<&str> = Vec::new();
    for csr in interface.sections.iter().flat_map(|at| &at.csrs) {
        if !names.contains(&csr.name.as_str()) {
            names.push(&csr.name);
        }
    }
    let blocks = names.iter().filter_map(|name| one_csr(of, name)).collect();
    part("csrs", "CSRs", blocks)
}

fn one_csr(of: &mut Of<'_>, name: &str) -> Option<Block> {
    let interface = of.interface;
    let csrs: Vec<(&At, &Csr)> =
        interface.sections.iter().filter_map(|at| Some((at, at.csrs.iter().find(|csr| csr.name == name)?))).collect();
    let (_, first) = csrs.first()?;
    let id = anchor("csr", name);
    of.entry("CSR", name, &id, &first.docs);
    let mut blocks = docs(&first.docs);
    let address = format!("{:#X}", first.address).replace('X', "x");
    let access = match first.access {
        Access::Rw => "read and write",
        Access::Ro => "read only",
    };
    blocks.push(Block::Facts(vec![
        ("Address".into(), vec![code(address.clone())]),
        ("Access".into(), vec![text(access)]),
    ]));
    let figures: Said<Figure> = csrs.iter().map(|(at, csr)| (at.xlen, csr_figure(at, csr))).collect();
    for (xlens, figure) in grouped(&figures) {
        if figures.len() > 1 {
            blocks.push(Block::Text(vec![text(format!("At {}:", at(&xlens)))]));
        }
        blocks.push(Block::Figure(figure.clone()));
    }
    let mut rows = Vec::new();
    for field in &first.fields {
        let types = csrs
            .iter()
            .filter_map(|(at, csr)| Some((*at, &csr.fields.iter().find(|other| other.name == field.name)?.ty)));
        let mut about = line(&field.docs);
        if field.warl {
            about.push(text(" A pattern that is no case leaves it alone (WARL)."));
        }
        let value = of.bodies.declarations.at(field.span).and_then(|node| node.exprs().last());
        let value = value.map_or_else(Vec::new, |node| vec![code(node.text())]);
        rows.push(vec![
            vec![code(format!("{}{}", field.name, bits(field.lo, field.width())))],
            vec![code(one_type(types))],
            value,
            about,
        ]);
    }
    blocks.push(table(["Field", "Type", "Reads", MEANING], rows));
    blocks.extend(usage::accesses(of, name));
    // The bodies of fields are short, and are in the table; their operators are explained all the same.
    let _ = of.bodies.declaration(first.span);
    Some(Block::Section(Section {
        level: 3,
        id,
        title: vec![code(name)],
        marks: vec![address, first.access.name().to_owned()],
        blocks,
    }))
}

/// The fields of a CSR, and what is between them.
fn csr_figure(at: &At, csr: &Csr) -> Figure {
    let mut fields = Vec::new();
    let mut high = at.xlen;
    let unused = |width| Field { width, text: String::new(), note: String::new(), kind: FieldKind::Unused };
    for field in csr.fields.iter().rev() {
        let end = field.lo + field.width();
        if end < high {
            fields.push(unused(high - end));
        }
        fields.push(Field {
            width: field.width(),
            text: field.name.clone(),
            note: String::new(),
            kind: FieldKind::Value,
        });
        high = field.lo;
    }
    if high > 0 {
        fields.push(unused(high));
    }
    let about = format!("CSR {} at XLEN {}", csr.name, at.xlen);
    Figure { about, shape: Shape::Words { width: at.xlen, rows: vec![Row { label: String::new(), fields }] } }
}
