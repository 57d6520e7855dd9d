//! The guest library: a stub for each function.

use lapis_cx::contract::library::clause::Clause;
use lapis_cx::contract::library::{CallbackId, Event, Function, Library};
use lapis_cx_backend_c::library::{declared, function_name};
use minijinja::{Environment, context};

use crate::bodies::{Bodies, is_body};
use crate::native::indented;
use crate::{Passed, Unit, ctype, naming, render, shared, variables, words};

/// The name of the template.
pub const TEMPLATE: &str = "guest.c";

/// Prints the source of the guest library.
pub fn print(templates: &Environment<'_>, unit: &Unit<'_>) -> Result<String, minijinja::Error> {
    let (library, names) = (unit.library, &unit.names);
    let stubs = unit.functions().enumerate().filter(|(_, (function, _))| !is_body(function));
    let stubs = stubs.map(|(at, (function, passed))| {
        let text = replacement(function);
        let is_replaced = text.is_some();
        let body = match &passed {
            Some(passed) => call(unit, at, function, passed),
            None => replaced(library, function, text.unwrap_or_default()),
        };
        // The text of `replace` uses the names of the specification.
        let name = |name: &str| if is_replaced { name.to_owned() } else { naming::member(name) };
        let list = ctype::list(library, function, name);
        let head = declared(
            &ctype::declared_result(library, function),
            &format!("{}({list})", function_name(library, function)),
        );
        context! { head, body => body.trim_end(), exported => is_exported(function) }
    });
    let invokes = (0..).zip(&library.callbacks).map(|(at, callback)| {
        let ty = ctype::callback(library, CallbackId(at));
        invoke(unit, callback, &ty, &names.of(&format!("invoke_{}", callback.name)))
    });
    let functions = library.functions.iter();
    let function_names: Vec<String> = functions.clone().map(|function| function_name(library, function)).collect();
    let context = context! {
        file => names.file_name("guest.c"),
        include => names.file_name("remote.h"),
        origin => words::full_name(library),
        at_end => shared::hooks_at(unit, Event::GuestFini),
        bodies => Bodies::of(library).map(|bodies| bodies.header),
        of => names.of(""),
        api => names.macro_of("API"),
        export => library.binding.export.as_deref().unwrap_or_default(),
        worker => words::literal(&format!("{}_worker", names.library)),
        has_replaced => functions.clone().any(|function| replacement(function).is_some()),
        undefined => function_names,
        invokes => invokes.collect::<Vec<_>>(),
        invoke_rows => words::in_rows(library.callbacks.iter().map(|c| names.of(&format!("invoke_{}", c.name)))),
        stub_rows => words::in_rows(functions.map(|function| format!("(cxr_function){}", function_name(library, function)))),
        stubs => stubs.collect::<Vec<_>>(),
    };
    render(templates, TEMPLATE, context)
}

/// Returns the text of `replace`.
pub fn replacement(function: &Function) -> Option<&str> {
    function.clauses.iter().find_map(|clause| match clause {
        Clause::Replace(code) => Some(code.text.as_str()),
        _ => None,
    })
}

/// Whether the guest library exports the function. Programs get `by_name` functions from another function only.
pub fn is_exported(function: &Function) -> bool {
    !function.clauses.contains(&Clause::ByName)
}

fn replaced(library: &Library, function: &Function, text: &str) -> String {
    let unused: Vec<String> =
        ctype::params(library, function).iter().map(|param| format!("(void){};", param.name)).collect();
    let unused = if unused.is_empty() { String::new() } else { format!("    {}\n", unused.join(" ")) };
    format!("{unused}{}", indented(text))
}

/// Prints the body of a stub: stores the arguments, makes the call, returns the result.
fn call(unit: &Unit<'_>, at: usize, function: &Function, passed: &Passed) -> String {
    let (library, names) = (unit.library, &unit.names);
    let mut text = format!("    {} cxr;\n    memset(&cxr, 0, sizeof cxr);\n", names.arguments(function));
    let stores = ctype::params(library, function).into_iter().map(|param| {
        let member = naming::member(param.name);
        format!("cxr.{member} = {member};")
    });
    text += &statements(stores);
    if let (Passed::Variable { decider, cases }, Some(last)) = (passed, function.params.last()) {
        text += &format!("    va_list cxr_list;\n    va_start(cxr_list, {});\n", naming::member(&last.name));
        text += &variables::chain(decider, cases, |arguments| {
            arguments.iter().map(|argument| format!("    cxr.{} = {};\n", argument.member, taken(argument))).collect()
        });
        text += "    va_end(cxr_list);\n";
    }
    text += &format!("    cxr_call(&{}guest, {at}, &cxr);\n", names.of(""));
    if ctype::result(library, function).is_some() {
        text += &format!("    return cxr.{};\n", naming::RESULT);
    }
    text
}

/// Prints the expression that takes the next variable argument.
fn taken(argument: &variables::Argument) -> String {
    match &argument.promoted {
        Some(promoted) => format!("({})va_arg(cxr_list, {promoted})", argument.ty),
        None => format!("va_arg(cxr_list, {})", argument.ty),
    }
}

/// Prints short statements, several on a line.
fn statements(all: impl Iterator<Item = String>) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for one in all {
        if column > 0 && column + one.len() < 120 {
            out.push(' ');
        } else {
            out += if out.is_empty() { "    " } else { "\n    " };
            column = 3;
        }
        out += &one;
        column += one.len() + 1;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Prints the function that calls a callback of the program.
fn invoke(unit: &Unit<'_>, callback: &Function, ty: &str, name: &str) -> String {
    let library = unit.library;
    let params = ctype::params(library, callback);
    let list: Vec<String> = params.iter().map(|param| format!("cxr->{}", naming::member(param.name))).collect();
    let call = format!("target({})", list.join(", "));
    let call = match ctype::result(library, callback) {
        Some(_) => format!("cxr->{} = {call};", naming::RESULT),
        None => format!("{call};"),
    };
    let arguments = unit.names.callback_arguments(callback);
    let mut text = format!("static void {name}(void *function, void *arguments)\n{{\n");
    if call.contains("cxr->") {
        text += &format!("    {arguments} *const cxr = ({arguments} *)arguments;\n");
    } else {
        text += "    (void)arguments;\n";
    }
    text +=
        &format!("    {};\n    memcpy(&target, &function, sizeof target);\n    {call}\n}}\n", declared(ty, "target"));
    text
}
