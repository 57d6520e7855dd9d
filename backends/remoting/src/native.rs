//! Text of C in a specification as functions that the engine calls.

use std::collections::BTreeSet;

use lapis_cx::contract::library::expr::ExprKind;
use lapis_cx::contract::library::place::{Place, Type};
use lapis_cx::contract::library::{Function, Library};
use lapis_cx::lower::plan::Memory;
use lapis_cx::lower::plan::{Native, NativeText};
use lapis_cx_backend_c::library::{Language, declared};

use crate::{Unit, ctype, naming};

/// Who asks for a native.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Both,
    Guest,
    Worker,
}

/// A native in C.
pub struct Printed {
    pub name: String,
    pub side: Side,
    /// The function; empty if there is none.
    pub text: String,
}

/// The natives of a unit, in the order of its table.
pub fn natives(unit: &Unit<'_>) -> Vec<Printed> {
    let natives = unit.table.natives.iter().enumerate();
    natives.map(|(at, native)| printed(unit, native, unit.names.of(&format!("native_{at}")))).collect()
}

fn printed(unit: &Unit<'_>, native: &Native, name: String) -> Printed {
    let (side, body) = match &native.text {
        NativeText::Expression(text) => {
            (side(unit.library, native.context, text), Some(expression(unit, native, text)))
        }
        NativeText::Statements(text) => (Side::Both, Some(statements(unit, native, text))),
        NativeText::Utility(function) => (Side::Both, Some(utility(native, function))),
        NativeText::Call(id) => {
            let body = unit.library.functions.get(id.index()).map(|function| call(unit, id.index(), function));
            (Side::Worker, body)
        }
        NativeText::Fn(id) => (Side::Both, of_language(&unit.language, id.index())),
    };
    // The engine fails a call that asks for what is not there.
    let Some(body) = body else { return Printed { name: "NULL".to_owned(), side, text: String::new() } };
    let head = format!("static cxr_int {name}(void *cxr_arguments, const cxr_int *cxr_operands)");
    Printed { name, side, text: format!("{head}\n{{\n{body}}}\n") }
}

/// The values that lie in memory: their names in the source, the types of variables for them, and whether they are arrays.
fn values<'l>(unit: &Unit<'l>, memory: Memory) -> (String, Vec<Value<'l>>) {
    let library = unit.library;
    let of_function = |function: &'l Function, ty: String| {
        let mut values: Vec<Value<'l>> = ctype::params(library, function)
            .into_iter()
            .map(|param| Value { name: param.name, ty: param.ty, member: naming::member(param.name), is_array: false })
            .collect();
        values.extend(function.implicits.iter().map(|implicit| {
            let is_array = is_inline(&implicit.place);
            let ty = lapis_cx_backend_c::library::place_type(library, Some(function), &implicit.place);
            Value { name: &implicit.name, ty, member: naming::member(&implicit.name), is_array }
        }));
        values.extend(ctype::result(library, function).map(|ty| Value {
            name: "ret",
            ty,
            member: naming::RESULT.to_owned(),
            is_array: false,
        }));
        (ty, values)
    };
    match memory {
        Memory::Arguments(id) => match library.functions.get(id.index()) {
            Some(function) => of_function(function, unit.names.arguments(function)),
            None => Default::default(),
        },
        Memory::CallbackArguments(id) => match library.callbacks.get(id.index()) {
            Some(callback) => of_function(callback, unit.names.callback_arguments(callback)),
            None => Default::default(),
        },
        Memory::Struct(id) | Memory::Live(id, _) => {
            let Some(def) = library.structs.get(id.index()) else { return Default::default() };
            let values = def.members.iter().map(|member| Value {
                name: &member.name,
                ty: lapis_cx_backend_c::library::place_type(library, None, &member.place),
                member: member.c.as_ref().unwrap_or(&member.name).clone(),
                is_array: is_inline(&member.place),
            });
            (ctype::structure(library, id), values.collect())
        }
    }
}

#[derive(Default)]
struct Value<'l> {
    name: &'l str,
    ty: String,
    member: String,
    is_array: bool,
}

fn is_inline(place: &Place) -> bool {
    matches!((&place.c, &place.ty), (None, Type::Array { .. }))
}

/// Declarations of what a text names, and statements that put changes back.
fn bound(unit: &Unit<'_>, memory: Memory, text: &str) -> (String, String) {
    let used = words(text);
    let (ty, values) = values(unit, memory);
    let values: Vec<_> = values.into_iter().filter(|value| used.contains(value.name)).collect();
    if values.is_empty() {
        return ("    (void)cxr_arguments;\n".to_owned(), String::new());
    }
    let mut before = format!("    {ty} *const cxr = ({ty} *)cxr_arguments;\n");
    let mut behind = String::new();
    for value in &values {
        let variable = declared(&value.ty, value.name);
        before += &format!("    {variable} = cxr->{};\n    (void){};\n", value.member, value.name);
        if !value.is_array {
            behind += &format!("    cxr->{} = {};\n", value.member, value.name);
        }
    }
    (before, behind)
}

fn expression(unit: &Unit<'_>, native: &Native, text: &str) -> String {
    let (before, _) = bound(unit, native.context, text);
    format!("{before}    (void)cxr_operands;\n    return CXR_INT({});\n", text.trim())
}

/// What the text changes, the call and the answer have.
fn statements(unit: &Unit<'_>, native: &Native, text: &str) -> String {
    let (before, behind) = bound(unit, native.context, text);
    format!("{before}    (void)cxr_operands;\n{}{behind}    return CXR_INT(0);\n", indented(text))
}

fn utility(native: &Native, function: &str) -> String {
    let operands: Vec<String> = (0..native.operands).map(|n| format!("CXR_PASS(cxr_operands[{n}])")).collect();
    let unused = if operands.is_empty() { "    (void)cxr_operands;\n" } else { "" };
    format!("    (void)cxr_arguments;\n{unused}    return CXR_INT({function}({}));\n", operands.join(", "))
}

/// A function of the real library.
fn call(unit: &Unit<'_>, at: usize, function: &Function) -> String {
    let library = unit.library;
    let operands = ctype::params(library, function).into_iter().zip(&function.params).enumerate();
    let operands: Vec<String> = operands
        .map(|(n, (param, place))| match place.place.ty {
            Type::Scalar(_) | Type::Enum(_) => format!("({})cxr_operands[{n}].low", param.ty),
            _ => format!("({})(uintptr_t)cxr_operands[{n}].low", param.ty),
        })
        .collect();
    let unused = if operands.is_empty() { "    (void)cxr_operands;\n" } else { "" };
    let pointer = ctype::pointer_to(library, function);
    let call = format!("(({pointer}){}[{at}])({})", unit.names.of("reals"), operands.join(", "));
    let result = match ctype::result(library, function) {
        Some(_) => format!("    return CXR_INT({call});\n"),
        None => format!("    {call};\n    return CXR_INT(0);\n"),
    };
    format!("    (void)cxr_arguments;\n{unused}{result}")
}

/// A function of the language, which is printed beside. What does not fit a parameter is cut to its bits.
fn of_language(language: &Language, at: usize) -> Option<String> {
    let function = language.functions.get(at)?.as_ref()?;
    let operands = function.params.iter().enumerate().map(|(n, (ty, bits))| {
        let operand = format!("cxr_operands[{n}].low");
        match bits {
            1 if *ty == "bool" => format!("{operand} != 0"),
            64 => operand,
            bits => format!("({ty})({operand} & 0x{:X}u)", (1u64 << (bits & 63)) - 1),
        }
    });
    let operands: Vec<String> = operands.collect();
    let unused = if operands.is_empty() { "    (void)cxr_operands;\n" } else { "" };
    let call = format!("{}({})", function.name, operands.join(", "));
    let result = match (function.is_signed, function.bits) {
        (false, _) => format!("    return cxr_unsigned({call});\n"),
        (true, bits) => {
            let sign = format!("0x{:X}ull", 1u64 << (bits.saturating_sub(1) & 63));
            format!(
                "    const uint64_t bits = (uint64_t){call};\n    return cxr_signed((long long)((bits ^ {sign}) - {sign}));\n"
            )
        }
    };
    Some(format!("    (void)cxr_arguments;\n{unused}{result}"))
}

/// Who asks for an expression: one that is all of an implicit argument is computed where that begins its way.
fn side(library: &Library, memory: Memory, text: &str) -> Side {
    let (function, caller, callee) = match memory {
        Memory::Arguments(id) => (library.functions.get(id.index()), Side::Guest, Side::Worker),
        Memory::CallbackArguments(id) => (library.callbacks.get(id.index()), Side::Worker, Side::Guest),
        Memory::Struct(_) | Memory::Live(..) => return Side::Both,
    };
    let implicits = function.into_iter().flat_map(|function| &function.implicits);
    let mut sides = implicits
        .filter(|implicit| matches!(&implicit.value.kind, ExprKind::Code(code) if code.text == text))
        .map(|implicit| {
            let d = implicit.place.directions;
            if d.output && !d.input { callee } else { caller }
        });
    match sides.next() {
        Some(side) if sides.all(|other| other == side) => side,
        _ => Side::Both,
    }
}

/// The identifiers in a text.
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect()
}

/// Text of a specification, indented as the body of a function.
pub fn indented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // The first line stands behind the quotes.
    let margin =
        lines.iter().skip(1).filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
    let margin = margin.min().unwrap_or(0);
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        let line = if n == 0 { line.trim_start() } else { line.get(margin..).unwrap_or(line.trim_start()) };
        if line.is_empty() {
            continue;
        }
        out += if line.starts_with('#') { "" } else { "    " };
        out += line;
        out.push('\n');
    }
    out
}
