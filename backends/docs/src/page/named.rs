//! Errors, enums, constants and functions.

use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Enum, Section as At};
use lapis_cx::oracle::show;

use super::interface::{Bodies, Of, anchor, part};
use super::types::{Said, one_text};
use super::{docs, line, table};
use crate::document::{Block, MEANING, Section, code, text};

/// What commands raise.
pub fn errors(of: &mut Of<'_>) -> Option<Block> {
    let errors = of.interface.sections.first()?.errors.clone();
    let mut rows = Vec::new();
    for error in &errors {
        let about = error.about();
        of.entry("error", &error.name, "errors", &about);
        rows.push(vec![vec![text(error.code.to_string())], vec![code(&error.name)], line(&about)]);
    }
    let table = table(["Code", "Error", MEANING], rows);
    part("errors", "Errors", if errors.is_empty() { Vec::new() } else { vec![table] })
}

/// Enums, each with its cases.
pub fn enums(of: &mut Of<'_>) -> Option<Block> {
    let enums = of.interface.sections.first()?.enums.clone();
    let mut blocks = Vec::new();
    for def in &enums {
        let id = anchor("enum", &def.name);
        of.entry("enum", &def.name, &id, &def.docs);
        blocks.push(enumeration(def, id));
    }
    part("enums", "Enums", blocks)
}

/// One enum.
pub fn enumeration(def: &Enum, id: String) -> Block {
    let mut blocks = docs(&def.docs);
    let rows = def.cases.iter().map(|case| {
        let name = format!("{}.{}", def.name, case.name);
        vec![vec![code(name)], vec![text(case.pattern.to_string())], line(&case.docs)]
    });
    blocks.push(table(["Case", "Value", MEANING], rows.collect()));
    let base = format!("{}{}", if def.signed { "s" } else { "u" }, def.width);
    Block::Section(Section { level: 3, id, title: vec![code(&def.name)], marks: vec![base], blocks })
}

/// Constants of the interface and those of its package that it sees.
pub fn consts(of: &mut Bodies<'_>) -> Option<Block> {
    let first = of.sections.first()?;
    let mut rows = Vec::new();
    for constant in &first.consts {
        let values: Said<String> = of
            .sections
            .iter()
            .filter_map(|at| {
                let constant = at.consts.iter().find(|other| other.name == constant.name)?;
                Some((at.xlen, const_value(at, constant)))
            })
            .collect();
        let type_text = constant.ty.as_ref().map_or_else(|| "int".to_owned(), |of| of.text(first));
        of.entry("constant", &constant.name, "constants", &constant.docs);
        rows.push(vec![
            vec![code(&constant.name)],
            vec![code(type_text)],
            vec![text(one_text(&values))],
            line(&constant.docs),
        ]);
    }
    let table = table(["Constant", "Type", "Value", MEANING], rows);
    part("constants", "Constants", if first.consts.is_empty() { Vec::new() } else { vec![table] })
}

fn const_value(at: &At, constant: &lapis_cx::contract::Const) -> String {
    // An unsized integer is shown as one that is wide enough.
    let wide = Type::S(constant.value.int().bits() + 2);
    show(at, constant.ty.as_ref().unwrap_or(&wide), &constant.value)
}

/// Functions that commands call.
pub fn functions(of: &mut Bodies<'_>) -> Option<Block> {
    let mut spans = Vec::new();
    let mut blocks = Vec::new();
    for function in of.sections.iter().flat_map(|at| &at.fns) {
        // A function with generics has an instance for each use.
        if spans.contains(&function.span) {
            continue;
        }
        spans.push(function.span);
        let Some(text) = of.declaration(function.span) else { continue };
        let id = anchor("fn", &function.name);
        of.entry("function", &function.name, &id, &function.docs);
        let mut inner = docs(&function.docs);
        inner.push(text);
        blocks.push(Block::Section(Section {
            level: 3,
            id,
            title: vec![code(&function.name)],
            marks: Vec::new(),
            blocks: inner,
        }));
    }
    part("functions", "Functions", blocks)
}
