//! *Natives*: functions that the engine calls for text in C of the specification.

use std::collections::BTreeSet;

use lapis_cx::contract::library::expr::ExprKind;
use lapis_cx::contract::library::place::{Place, Type};
use lapis_cx::contract::library::{Function, Library};
use lapis_cx::lower::plan::Memory;
use lapis_cx::lower::plan::{Native, NativeText};
use lapis_cx_backend_c::library::{Language, declared, identifiers};

use crate::{Unit, ctype, naming};

/// The side that calls a native.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Both,
    Guest,
    Worker,
}

/// A native, as C.
pub struct Printed {
    pub name: String,
    pub side: Side,
    /// The definition; empty if the native cannot be written.
    pub text: String,
}

/// Prints the natives of a library, in the order of the plan's table.
pub fn natives(unit: &Unit<'_>) -> Vec<Printed> {
    let natives = unit.table.natives.iter().enumerate();
    natives.map(|(at, native)| printed(unit, native, unit.names.of(&format!("native_{at}")))).collect()
}

fn printed(unit: &Unit<'_>, native: &Native, name: String) -> Printed {
    let (side, body) = match &native.text {
        NativeText::Expression(text) => {
            (side(unit.library, native.context, text), Some(expression(unit, native, text)))
        }
        // The thunk contains them: the engine's calls before and after it have nothing to do.
        NativeText::Statements(_) if around_in_thunk(unit, native.context).is_some() => {
            let body = "    (void)cxr_arguments;\n    (void)cxr_operands;\n    return CXR_INT(0);\n";
            (Side::Both, Some(body.to_owned()))
        }
        NativeText::Statements(text) => (Side::Both, Some(statements(unit, native, text))),
        NativeText::Utility(function) => (Side::Both, Some(utility(native, function))),
        NativeText::Call(id) => {
            let body = unit.library.functions.get(id.index()).map(|function| call(unit, id.index(), function));
            (Side::Worker, body)
        }
        NativeText::Fn(id) => (Side::Both, of_language(&unit.language, id.index())),
    };
    // The engine fails a call that needs a native which is null.
    let Some(body) = body else { return Printed { name: "NULL".to_owned(), side, text: String::new() } };
    let head = format!("static cxr_int {name}(void *cxr_arguments, const cxr_int *cxr_operands)");
    Printed { name, side, text: format!("{head}\n{{\n{body}}}\n") }
}

/// Returns the type of a struct in memory, and its values that text may name.
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

/// Prints declarations of the variables that a text names, and statements that store them back.
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

/// The texts of `before` and `after` of a function, if its thunk runs them: so that `after` can use the variables of `before`. The
/// engine runs texts under a condition, and those that use values which it computes between the call and `after`.
pub fn around_in_thunk(unit: &Unit<'_>, memory: Memory) -> Option<[String; 2]> {
    let Memory::Arguments(id) = memory else { return None };
    let call = unit.plan.functions.get(id.index())?.as_ref()?;
    let is_computed_at_exit = call.implicits.iter().any(|implicit| implicit.at_exit);
    if is_computed_at_exit || call.c_text.iter().any(|one| one.condition.is_some()) {
        return None;
    }
    let [before, after] = [true, false].map(|is_before| {
        let texts = call.c_text.iter().filter(|one| one.then.is_before == is_before);
        texts.map(|one| indented(&one.then.text)).collect::<String>()
    });
    let (_, values) = values(unit, memory);
    let is_shared = |word: &&str| words(&after).contains(word) && values.iter().all(|value| value.name != *word);
    words(&before).iter().any(is_shared).then_some([before, after])
}

/// Prints a call between the texts of `before` and `after`, with variables for the values that they name.
pub fn with_around(unit: &Unit<'_>, memory: Memory, [before, after]: &[String; 2], call: &str) -> String {
    let used = words(before).into_iter().chain(words(after)).collect::<BTreeSet<_>>();
    let (_, values) = values(unit, memory);
    let values: Vec<_> = values.into_iter().filter(|value| used.contains(value.name)).collect();
    let declared: String = values
        .iter()
        .map(|one| format!("    {} = cxr->{};\n    (void){};\n", declared(&one.ty, one.name), one.member, one.name))
        .collect();
    let assigned = || values.iter().filter(|one| !one.is_array);
    let store: String = assigned().map(|one| format!("    cxr->{} = {};\n", one.member, one.name)).collect();
    let load: String = assigned().map(|one| format!("    {} = cxr->{};\n", one.name, one.member)).collect();
    format!(
        "{declared}{before}{store}{call}{load}    const int cxr_errno = errno;\n{after}{store}    errno = cxr_errno;\n"
    )
}

/// Prints statements. Their changes of variables apply to the call and its reply.
fn statements(unit: &Unit<'_>, native: &Native, text: &str) -> String {
    let (before, behind) = bound(unit, native.context, text);
    let text = indented(text);
    format!("{before}    (void)cxr_operands;\n    {{\n{text}    }}\n{behind}    return CXR_INT(0);\n")
}

fn utility(native: &Native, function: &str) -> String {
    let operands: Vec<String> = (0..native.operands).map(|n| format!("CXR_PASS(cxr_operands[{n}])")).collect();
    let unused = if operands.is_empty() { "    (void)cxr_operands;\n" } else { "" };
    format!("    (void)cxr_arguments;\n{unused}    return CXR_INT({function}({}));\n", operands.join(", "))
}

/// Prints a native that calls a function of the real library.
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

/// Prints a native that calls a function of the language. Operands are truncated to the bits of the parameters.
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

/// Returns the side that evaluates an expression. The sender evaluates one that is the value of an implicit argument.
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

/// Returns the identifiers in a text.
pub fn words(text: &str) -> BTreeSet<&str> {
    identifiers(text).map(|word| &text[word]).collect()
}

/// Indents a text as the body of a function.
pub fn indented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // The first line follows the opening quotes.
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
