//! The header that guest library and worker share: structs of arguments, text of the specification, and the plan.

use lapis_cx::contract::library::{Event, Function, Moment};
use minijinja::{Environment, context};

use crate::native::{Printed, Side, indented, natives};
use crate::{Unit, ctype, naming, render, sizes, variables, words};

/// The name of the template.
pub const TEMPLATE: &str = "remote.h";

/// Prints the header.
pub fn print(templates: &Environment<'_>, unit: &Unit<'_>) -> Result<String, minijinja::Error> {
    let (library, names) = (unit.library, &unit.names);
    let functions = library.functions.iter().zip(&unit.plan.functions).filter(|(_, plan)| plan.is_some());
    let functions = functions.map(|(function, _)| arguments(unit, function, &names.arguments(function)));
    let callbacks = library.callbacks.iter();
    let callbacks = callbacks.map(|callback| arguments(unit, callback, &names.callback_arguments(callback)));
    let structs: Vec<String> = functions.chain(callbacks).collect();
    let natives = natives(unit);
    let rows = words::rows(unit);
    let texts = texts(unit);
    let has_streams = structs.iter().any(|text| text.contains("struct cxs_stream"));
    let utilities = library.utilities.iter().map(|code| code_of(&code.text));
    let utilities: Vec<String> = utilities.collect();
    let contract = contract_of(&rows, &texts);
    let context = context! {
        file => names.file_name("remote.h"),
        origin => words::full_name(library),
        guard => names.macro_of("H"),
        of => names.of(""),
        worker_side => names.macro_of("WORKER"),
        headers => library.binding.declaring_headers().to_vec(),
        has_text => has_text(unit),
        has_streams,
        structs,
        checks => sizes::checks(unit).into_iter().map(|check| context! {
            condition => check.condition, message => words::literal(&check.message),
        }).collect::<Vec<_>>(),
        utilities,
        language => unit.language.text.clone(),
        has_natives => !natives.is_empty(),
        natives => natives.iter().filter(|native| !native.text.is_empty()).map(|native| context! {
            text => native.text.trim_end(), side => side_name(native.side),
        }).collect::<Vec<_>>(),
        calls_real => natives.iter().any(|native| native.side == Side::Worker),
        guest_natives => native_rows(&natives, Side::Guest),
        worker_natives => native_rows(&natives, Side::Worker),
        same_natives => natives.iter().all(|native| native.side == Side::Both),
        words => rows,
        texts,
        has_texts => !unit.table.texts.is_empty(),
        hash => words::in_rows(contract.iter().map(|byte| format!("0x{byte:02X}"))),
        name => words::literal(&words::full_name(library)),
        version => words::optional(library.version.as_deref()),
        soname => words::literal(&soname(unit)),
        functions => library.functions.len(),
        callbacks => library.callbacks.len(),
        guest_hooks => hooks(unit, Side::Guest),
        worker_hooks => hooks(unit, Side::Worker),
    };
    render(templates, TEMPLATE, context)
}

/// Returns the hash that guest and worker compare, in whichever language each is written: of the words with their C names.
pub fn contract(unit: &Unit<'_>) -> [u8; 32] {
    contract_of(&words::rows(unit), &texts(unit))
}

fn contract_of(rows: &str, texts: &str) -> [u8; 32] {
    hmac_sha256::Hash::hash(format!("{rows}\n{texts}").as_bytes())
}

fn texts(unit: &Unit<'_>) -> String {
    words::in_rows(unit.table.texts.iter().map(|text| words::literal(text)))
}

/// Returns the soname of the real library, which the guest library takes.
pub fn soname(unit: &Unit<'_>) -> String {
    unit.library.binding.soname.clone().unwrap_or_else(|| format!("lib{}.so", unit.names.library))
}

/// Whether the specification contains text in C.
pub fn has_text(unit: &Unit<'_>) -> bool {
    let library = unit.library;
    let mut replaced = library.functions.iter().filter(|function| crate::guest::replacement(function).is_some());
    !library.utilities.is_empty()
        || !library.hooks.is_empty()
        || !unit.table.natives.is_empty()
        || replaced.next().is_some()
}

/// Removes the common indentation of a text.
fn code_of(text: &str) -> String {
    let lines = indented(text);
    let lines: Vec<&str> = lines.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.join("\n")
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Both => "both",
        Side::Guest => "guest",
        Side::Worker => "worker",
    }
}

fn native_rows(natives: &[Printed], side: Side) -> String {
    let is_there = |native: &Printed| native.side == Side::Both || native.side == side;
    words::in_rows(natives.iter().map(|native| if is_there(native) { native.name.clone() } else { "NULL".to_owned() }))
}

/// Prints the struct with the arguments of a function.
fn arguments(unit: &Unit<'_>, function: &Function, name: &str) -> String {
    let library = unit.library;
    let mut members: Vec<String> = ctype::params(library, function)
        .iter()
        .map(|param| lapis_cx_backend_c::library::declared(&param.ty, &naming::member(param.name)))
        .collect();
    let variable = variables::members(library, function).into_iter();
    members.extend(variable.map(|(ty, name)| lapis_cx_backend_c::library::declared(&ty, &name)));
    members.extend(
        function
            .implicits
            .iter()
            .map(|implicit| ctype::declaration(library, function, &implicit.place, &naming::member(&implicit.name))),
    );
    let result = ctype::result(library, function);
    members.extend(result.map(|ty| lapis_cx_backend_c::library::declared(&ty, naming::RESULT)));
    if members.is_empty() {
        members.push("char nothing".to_owned());
    }
    let line = format!("{name} {{ {}; }};", members.join("; "));
    if line.len() <= 120 {
        return line;
    }
    format!("{name} {{\n    {};\n}};", members.join(";\n    "))
}

/// Each event with a function for it, in the order of the table: before or after, and on which side it happens.
const EVENTS: [(Event, Option<Moment>, Side); 12] = [
    (Event::GuestInit, Some(Moment::Before), Side::Guest),
    (Event::GuestInit, Some(Moment::After), Side::Guest),
    (Event::GuestFini, Some(Moment::Before), Side::Guest),
    (Event::GuestFini, Some(Moment::After), Side::Guest),
    (Event::WorkerInit, Some(Moment::Before), Side::Worker),
    (Event::WorkerInit, Some(Moment::After), Side::Worker),
    (Event::WorkerFini, Some(Moment::Before), Side::Worker),
    (Event::WorkerFini, Some(Moment::After), Side::Worker),
    (Event::ForkChild, None, Side::Guest),
    (Event::Send, None, Side::Guest),
    (Event::Reply, None, Side::Worker),
    (Event::Arguments, None, Side::Worker),
];

/// The functions of the guest that run at an event, the one before it first.
pub fn hooks_at(unit: &Unit<'_>, event: Event) -> Vec<String> {
    let is_there = |moment: &Option<Moment>| {
        let hooks = unit.library.hooks.iter();
        hooks.filter(|hook| hook.event == event).any(|hook| hook.moment.or(Some(Moment::Before)) == *moment)
    };
    let events = EVENTS.iter().enumerate().filter(|(_, (of, moment, _))| *of == event && is_there(moment));
    events.map(|(at, _)| unit.names.of(&format!("hook_{at}"))).collect()
}

/// Returns the hooks of one side: for each event the function's name and texts. Empty if the side has no hooks.
fn hooks(unit: &Unit<'_>, side: Side) -> Vec<minijinja::Value> {
    let hooks = EVENTS.iter().enumerate().map(|(at, (event, moment, where_))| {
        let texts = unit.library.hooks.iter().filter(|hook| {
            // Events that are one moment have neither `before` nor `after`.
            *where_ == side
                && hook.event == *event
                && (moment.is_none() || hook.moment.or(Some(Moment::Before)) == *moment)
        });
        let texts: Vec<String> = texts.map(|hook| indented(&hook.code.text)).collect();
        context! { name => unit.names.of(&format!("hook_{at}")), texts }
    });
    let hooks: Vec<_> = hooks.collect();
    let is_used = unit
        .library
        .hooks
        .iter()
        .any(|hook| EVENTS.iter().any(|(event, _, where_)| *where_ == side && *event == hook.event));
    if is_used { hooks } else { Vec::new() }
}
