//! The words of a plan as an initialiser of C.

use lapis_cx::contract::library::{Function, Library};
use lapis_cx::lower::plan::Word;
use lapis_cx::lower::plan::{At, Memory, Size};

use crate::naming;
use crate::{Unit, ctype, variables};

/// The maximum length of a line, in characters.
const WIDTH: usize = 120;

/// Prints the words of a library's plan in rows.
pub fn rows(unit: &Unit<'_>) -> String {
    in_rows(unit.table.words.iter().map(|word| text(unit, word)))
}

/// Puts items of an initialiser into indented rows.
pub fn in_rows(items: impl Iterator<Item = String>) -> String {
    let (mut out, mut column) = (String::from("   "), 3);
    for item in items {
        // With a space before the item and a comma behind it.
        if column > 3 && column + item.len() + 2 > WIDTH {
            out.push_str("\n   ");
            column = 3;
        }
        column += item.len() + 2;
        out.push(' ');
        out.push_str(&item);
        out.push(',');
    }
    out
}

/// Removes the spaces between tokens that do not need one.
pub fn tight(tokens: &str) -> String {
    let marks = |c: char| matches!(c, '(' | ')' | '<' | '>' | ':' | '!' | ',' | ';' | '[' | ']');
    let mut out = String::with_capacity(tokens.len());
    for word in tokens.split(' ') {
        let needs_blank = !out.is_empty() && !out.ends_with(marks) && !word.starts_with(marks);
        if needs_blank || out.ends_with(',') || word == "as" || out.ends_with(" as") {
            out.push(' ');
        }
        out += word;
    }
    out
}

fn text(unit: &Unit<'_>, word: &Word) -> String {
    match word {
        // C90 needs a suffix for a constant that does not fit `int`.
        Word::Number(number) if *number > i32::MAX as u32 => format!("0x{number:X}u"),
        Word::Number(number) => number.to_string(),
        Word::Offset(memory, at) => match offset(unit, *memory, *at) {
            Some((of, member)) => format!("CXR_AT({of}, {member})"),
            None => "0".to_owned(),
        },
        Word::Size(size) => match size_of(unit, size) {
            Some(text) => text,
            None => "0".to_owned(),
        },
    }
}

/// Returns the type that contains a value, and the member; `None` if the value is at offset 0.
pub fn offset(unit: &Unit<'_>, memory: Memory, at: At) -> Option<(String, String)> {
    let (library, names) = (unit.library, &unit.names);
    let of_call = |function: &Function, ty: String| {
        let member = match at {
            At::Param(n) => naming::member(&function.params.get(n as usize)?.name),
            At::Implicit(n) => naming::member(&function.implicits.get(n as usize)?.name),
            // `void` has no member.
            At::Ret => ctype::result(library, function).map(|_| naming::RESULT.to_owned())?,
            At::Variable(case, n) => {
                let params = *variables::params(function).get(case as usize)?;
                variables::member(case as usize, &params.get(n as usize)?.name)
            }
            At::Member(_) => return None,
        };
        Some((ty, member))
    };
    match memory {
        Memory::Arguments(id) => {
            let function = library.functions.get(id.index())?;
            of_call(function, names.arguments(function))
        }
        Memory::CallbackArguments(id) => {
            let callback = library.callbacks.get(id.index())?;
            of_call(callback, names.callback_arguments(callback))
        }
        Memory::Struct(id) => {
            let At::Member(n) = at else { return None };
            let member = library.structs.get(id.index())?.members.get(n as usize)?;
            Some((ctype::structure(library, id), member.c.as_ref().unwrap_or(&member.name).clone()))
        }
        // All members of a union are at offset 0.
        Memory::Live(..) => None,
    }
}

/// Prints the size of a type in bytes; `None` if it has none.
pub fn size_of(unit: &Unit<'_>, size: &Size) -> Option<String> {
    let library = unit.library;
    let bytes = |ty: &str| Some(format!("CXR_SIZE({ty})"));
    match size {
        Size::Scalar(scalar) => bytes(&ctype::scalar(library, *scalar)),
        Size::Bytes(count) => Some(count.to_string()),
        Size::Pointer => bytes("void *"),
        Size::Handle(id) => bytes(&ctype::handle(library, *id)),
        Size::Struct(id) => bytes(&ctype::structure(library, *id)),
        Size::Spelling(spelling) => bytes(spelling),
        Size::Arguments(id) => bytes(&unit.names.arguments(library.functions.get(id.index())?)),
        Size::CallbackArguments(id) => bytes(&unit.names.callback_arguments(library.callbacks.get(id.index())?)),
        Size::Array(element, count) => Some(format!("{count} * {}", size_of(unit, element)?)),
        Size::Nothing => None,
    }
}

/// Prints a string literal.
pub fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(byte as char);
            }
            b' '..=b'~' => out.push(byte as char),
            // Three digits: a digit that follows is not part of the escape sequence.
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// Prints a string literal, or a null pointer.
pub fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "NULL".to_owned(), literal)
}

/// Returns the name of a library with its package.
pub fn full_name(library: &Library) -> String {
    format!("{}:{}", library.package, library.name)
}
