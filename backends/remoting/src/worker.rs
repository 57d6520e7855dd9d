//! The worker: a thunk that calls each function of the real library, and trampolines that the library calls as callbacks.

use std::collections::BTreeSet;

use lapis_cx::contract::library::place::Type;
use lapis_cx::contract::library::{Event, Function, FunctionId};
use lapis_cx::lower::plan::Memory;
use lapis_cx_backend_c::library::{declared, function_name};
use lapis_cx_plan::TRAMPOLINES;
use minijinja::{Environment, context};

use crate::native::{self, Side};
use crate::variables::Argument;
use crate::{Passed, Unit, ctype, naming, render, variables, words};

/// The name of the template.
pub const TEMPLATE: &str = "worker.c";

/// How many callbacks of one type without userdata may be registered at once, unless `slots` says otherwise.
pub const SLOTS: u32 = 16;

/// Prints the source of the worker.
pub fn print(templates: &Environment<'_>, unit: &Unit<'_>) -> Result<String, minijinja::Error> {
    let (library, names) = (unit.library, &unit.names);
    let calls = unit.functions().enumerate().filter_map(|(at, (function, passed))| Some((at, (function, passed?))));
    let calls: Vec<_> = calls.collect();
    let thunks = calls.iter().map(|(at, (function, passed))| thunk(unit, *at, function, passed));
    let or_null = |text: &dyn Fn(&Function) -> String| {
        words::in_rows(unit.functions().map(
            |(function, passed)| {
                if passed.is_some() { text(function) } else { "NULL".to_owned() }
            },
        ))
    };
    let used = used_names(unit);
    let forwarded = calls.iter().filter(|(_, (function, _))| {
        // Variable arguments cannot be forwarded: the worker must be linked with the library for such functions.
        function.rest.is_none()
            && used.as_ref().is_none_or(|used| used.contains(function_name(library, function).as_str()))
    });
    let forwarded = forwarded.map(|(at, (function, _))| {
        context! { name => function_name(library, function), text => forward(unit, *at, function) }
    });
    let natives = native::natives(unit);
    let callbacks: Vec<Callback> = (0..)
        .zip(library.callbacks.iter().zip(&unit.plan.callbacks))
        .map(|(at, (callback, plan))| Callback {
            at,
            callback,
            slots: if has_userdata(callback) { 1 + TRAMPOLINES } else { plan.slots.unwrap_or(SLOTS).max(1) },
        })
        .collect();
    let trampolines = callbacks.iter().map(|callback| callback.text(unit));
    let context = context! {
        file => names.file_name("worker.c"),
        include => names.file_name("remote.h"),
        origin => words::full_name(library),
        of => names.of(""),
        worker_side => names.macro_of("WORKER"),
        functions => library.functions.len(),
        has_reals => natives.iter().any(|native| native.side == Side::Worker),
        forwarded => forwarded.collect::<Vec<_>>(),
        thunks => thunks.collect::<Vec<_>>(),
        thunk_rows => or_null(&|function| names.of(&format!("thunk_{}", function.name))),
        // Functions with `replace` are included: one may be the allocator of the library's memory.
        symbol_rows => words::in_rows(library.functions.iter().map(|function| words::literal(&function_name(library, function)))),
        trampolines => trampolines.collect::<Vec<_>>(),
        trampoline_rows => words::in_rows(callbacks.iter().map(|c| names.of(&format!("slots_{}", c.callback.name)))),
        count_rows => words::in_rows(callbacks.iter().map(|callback| callback.slots.to_string())),
    };
    render(templates, TEMPLATE, context)
}

/// The identifiers in text that the worker runs; `None` if there are source files, which may use any name.
fn used_names<'a>(unit: &Unit<'a>) -> Option<BTreeSet<String>> {
    let library = unit.library;
    if !library.binding.worker_sources.is_empty() {
        return None;
    }
    let hooks = library
        .hooks
        .iter()
        .filter(|hook| !matches!(hook.event, Event::GuestInit | Event::GuestFini | Event::ForkChild | Event::Send));
    let mut used = BTreeSet::new();
    let mut add = |text: &str| used.extend(native::words(text).into_iter().map(str::to_owned));
    library.utilities.iter().for_each(|code| add(&code.text));
    hooks.for_each(|hook| add(&hook.code.text));
    let thunks = (0..library.functions.len()).map(|at| Memory::Arguments(FunctionId(at as u32)));
    thunks.filter_map(|memory| native::around_in_thunk(unit, memory)).flatten().for_each(|text| add(&text));
    native::natives(unit).iter().filter(|native| native.side != Side::Guest).for_each(|native| add(&native.text));
    Some(used)
}

fn cast(unit: &Unit<'_>, at: usize, function: &Function) -> String {
    format!("(({}){}[{at}])", ctype::pointer_to(unit.library, function), unit.names.of("reals"))
}

/// Prints the thunk of a function: it calls the real function with the members of a struct.
fn thunk(unit: &Unit<'_>, at: usize, function: &Function, passed: &Passed) -> String {
    let library = unit.library;
    let list = ctype::params(library, function);
    let list: Vec<String> = list.iter().map(|param| format!("cxr->{}", naming::member(param.name))).collect();
    let result = ctype::result(library, function).map(|_| format!("cxr->{} = ", naming::RESULT)).unwrap_or_default();
    let call = |more: &[Argument]| {
        let more = more.iter().map(|argument| format!("cxr->{}", argument.member));
        let all: Vec<String> = list.iter().cloned().chain(more).collect();
        format!("    {result}{}({});\n", cast(unit, at, function), all.join(", "))
    };
    let calls = match passed {
        Passed::Fixed => call(&[]),
        Passed::Variable { decider, cases } => {
            let is_argument = decider.starts_with(|c: char| c.is_ascii_alphabetic());
            let decider = if is_argument { format!("cxr->{decider}") } else { decider.clone() };
            variables::chain(&decider, cases, call)
        }
    };
    let memory = Memory::Arguments(FunctionId(at as u32));
    let around = native::around_in_thunk(unit, memory);
    let calls = around.as_ref().map_or(calls.clone(), |texts| native::with_around(unit, memory, texts, &calls));
    let arguments = unit.names.arguments(function);
    let first = if calls.contains("cxr->") {
        format!("{arguments} *const cxr = ({arguments} *)arguments;")
    } else {
        "(void)arguments;".to_owned()
    };
    let name = unit.names.of(&format!("thunk_{}", function.name));
    let text = format!("static void {name}(void *arguments)\n{{\n    {first}\n{calls}}}");
    if around.is_none() {
        return text;
    }
    let ignored = ["-Wshadow", "-Wunused-variable", "-Wconversion", "-Wsign-conversion"];
    let ignored = ignored.map(|warning| format!("#pragma GCC diagnostic ignored \"{warning}\"\n")).concat();
    format!("#pragma GCC diagnostic push\n{ignored}{text}\n#pragma GCC diagnostic pop")
}

/// Prints a function that forwards to the real one under its name, for text of the specification.
fn forward(unit: &Unit<'_>, at: usize, function: &Function) -> String {
    let library = unit.library;
    let list = ctype::list(library, function, naming::member);
    let head =
        declared(&ctype::declared_result(library, function), &format!("{}({list})", function_name(library, function)));
    let arguments = ctype::params(library, function);
    let arguments: Vec<String> = arguments.iter().map(|param| naming::member(param.name)).collect();
    let call = format!("{}({});", cast(unit, at, function), arguments.join(", "));
    let call = if ctype::result(library, function).is_some() { format!("return {call}") } else { call };
    format!("__attribute__((visibility(\"hidden\"))) {head}\n{{\n    {call}\n}}")
}

/// Whether an argument identifies the registration.
fn has_userdata(callback: &Function) -> bool {
    let places = callback.params.iter().map(|param| &param.place);
    places
        .chain(callback.implicits.iter().map(|implicit| &implicit.place))
        .any(|place| matches!(place.ty, Type::Userdata(_)))
}

struct Callback<'a> {
    at: u32,
    callback: &'a Function,
    slots: u32,
}

impl Callback<'_> {
    /// Prints the trampolines of a callback and their table.
    fn text(&self, unit: &Unit<'_>) -> String {
        let Callback { at, callback, slots } = self;
        let (library, names) = (unit.library, &unit.names);
        let function = names.of(&format!("trampoline_{}", callback.name));
        let params = ctype::params(library, callback);
        let has_many = *slots > 1;
        let stores: Vec<String> = params
            .iter()
            .map(|param| {
                let member = naming::member(param.name);
                format!("    cxr.{member} = {member};\n")
            })
            .collect();
        let result = ctype::result(library, callback);
        let list = ctype::list(library, callback, naming::member);
        let typed = |inner: String| declared(&ctype::declared_result(library, callback), &inner);
        let (head, slot) = if has_many {
            let rest = if params.is_empty() { String::new() } else { format!(", {list}") };
            (typed(format!("{function}(uint32_t cxr_slot{rest})")), "cxr_slot")
        } else {
            (typed(format!("{function}({list})")), "0")
        };
        let back = if result.is_some() { format!("    return cxr.{};\n", naming::RESULT) } else { String::new() };
        let mut text = format!(
            "static {head}\n{{\n    {} cxr;\n    memset(&cxr, 0, sizeof cxr);\n{}    if (cxr_callback(&{}, {at}, \
             {slot}, &cxr) != 0) {{\n        {}();\n    }}\n{back}}}\n",
            names.callback_arguments(callback),
            stores.concat(),
            names.of("worker"),
            names.of("leave"),
        );
        let table = names.of(&format!("slots_{}", callback.name));
        let first = if has_many {
            let given: String = params.iter().map(|param| format!(", {}", naming::member(param.name))).collect();
            let call = format!("{function}(slot##u{given})");
            let call = if result.is_some() { format!("return {call};") } else { format!("{call};") };
            let one = typed(format!("{function}_##slot({list})"));
            let name = names.macro_of(&format!("SLOT_{at}"));
            text += &format!("#define {name}(slot) \\\n    static {one} {{ {call} }}\n");
            text += &rows((0..*slots).map(|n| format!("{name}({n})")));
            let all = words::in_rows((0..*slots).map(|n| format!("(cxr_function){function}_{n}")));
            text += &format!("static const cxr_function {table}[] = {{\n{all}\n}};\n");
            format!("{function}_0")
        } else {
            text += &format!("static const cxr_function {table}[] = {{ (cxr_function){function} }};\n");
            function
        };
        if let Some(c) = &callback.c {
            text += &format!(
                "#ifndef __cplusplus\n_Static_assert(_Generic(&{first}, {c}: 1, default: 0), \"{c} is of another type in the \
                 header\");\n#endif\n"
            );
        }
        text
    }
}

/// Puts invocations of a macro into rows.
fn rows(items: impl Iterator<Item = String>) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for item in items {
        if column > 0 && column + item.len() < 120 {
            out.push(' ');
            column += 1;
        } else if column > 0 {
            out.push('\n');
            column = 0;
        }
        column += item.len();
        out += &item;
    }
    out.push('\n');
    out
}
