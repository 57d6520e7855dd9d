//! The software fallback: the state, its words, and the commands as pure Rust.

use std::fmt::Write;

use lapis_cx::contract::{Section, Sharing, layout};
use lapis_cx::lower::ir::{self, Edge, Shape, Storage};

use crate::body::Printer;
use crate::csr;
use crate::docs::{docs, indent};
use crate::expr::{hexadecimal, number, storage_type};
use crate::helper;
use crate::method::{Method, edge_type, to_register};
use crate::naming::STATUS;
use crate::section::{Source, origin};
use crate::unit::{Unit, field_names};

/// Prints the structure of the state, and its words.
pub fn state(out: &mut String, source: &Source<'_>, state: &ir::State) {
    let Source { section, lowered, .. } = source;
    let xlen = section.xlen;
    let fields = field_names(lowered);
    let declared = section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
    let mut members = format!(
        "/// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in 11:2, an error code in \
         31:24.\npub {STATUS}: u32,\n"
    );
    let initial = layout::status::word(layout::status::INITIAL, u64::from(state.words), 0);
    let mut resets = format!("{STATUS}: {},\n", number(ir::Ty::W32, u64::from(initial), true));
    for ((field, name), declared) in state.fields.iter().zip(&fields).zip(declared) {
        docs(&mut members, &declared.docs, &format!("The field `{}`.", field.name));
        let ty = match field.shape {
            Shape::Scalar(storage) => storage_type(storage).to_owned(),
            Shape::Array { storage, len } => format!("[{}; {len}]", storage_type(storage)),
        };
        let _ = writeln!(members, "pub {name}: {ty},");
        let _ = writeln!(resets, "{name}: {},", initial_value(field));
    }
    let words = state.words + 1;
    let _ = writeln!(
        out,
        "/// One context. A field holds patterns below 2^width of its type, signed values as two's complement; rows of arrays\n\
         /// follow each other, and wide values are limbs of 32 bits, lowest first.\n#[derive(Clone, Copy, Debug, PartialEq, \
         Eq)]\npub struct State {{\n{}}}\n",
        indent(&members)
    );
    let mut unit = Unit::new(section, lowered);
    let (names, read) = crate::print::parts(Printer::method(&mut unit, &state.read_word, 1));
    let [index] = names.as_slice() else { return };
    // An image of live state only passes over the other words.
    let (read_one, write_one) =
        if state.live.is_some() { ("live_word", "write_live_word") } else { ("read_word", "write_word") };
    let mut inner = format!(
        "/// Words in an image: the status word, and the state words.\npub const WORDS: usize = {words};\n\n\
         /// The reset state: cs is initial.\npub const RESET: State = State {{\n{}}};\n\n",
        indent(&resets)
    );
    let _ = writeln!(
        inner,
        "/// The status word, then the state words.\n#[must_use]\npub fn save(&self) -> [u{xlen}; State::WORDS] {{\n    let mut \
         words = [0; State::WORDS];\n    let [status, rest @ ..] = &mut words;\n    *status = {};\n    for (word, index) in \
         rest.iter_mut().zip(0..) {{\n        *word = self.{read_one}(index);\n    }}\n    words\n}}\n",
        if xlen == 32 { "self.status" } else { "u64::from(self.status)" }
    );
    let _ = writeln!(inner, "{}", restore(state, xlen, write_one));
    let _ = writeln!(
        inner,
        "/// The state word at an index, 0 outside.\nfn read_word(&self, {index}: u{xlen}) -> u{xlen} {{\n{read}}}\n"
    );
    let (names, write) = crate::print::parts(Printer::method(&mut unit, &state.write_word, 2));
    let [index, value] = names.as_slice() else { return };
    let _ = writeln!(
        inner,
        "/// Writes the state word at an index; drops what lies outside.\nfn write_word(&mut self, {index}: u{xlen}, {value}: \
         u{xlen}) {{\n{write}}}"
    );
    if let Some(live) = &state.live {
        live_words(&mut inner, &mut unit, live, xlen);
    }
    let _ = writeln!(
        out,
        "impl State {{\n{}}}\n\nimpl Default for State {{\n    fn default() -> Self {{\n        State::RESET\n    }}\n}}\n",
        indent(&inner)
    );
}

/// Prints what an image carries of each state word.
fn live_words<'s>(out: &mut String, unit: &mut Unit<'s>, live: &'s ir::Live, xlen: u32) {
    let (names, text) = crate::print::parts(Printer::method(unit, &live.save, 1));
    if let [index] = names.as_slice() {
        let _ = writeln!(
            out,
            "\n/// The state word at an index if it is live, else 0.\nfn live_word(&self, {index}: u{xlen}) -> u{xlen} \
             {{\n{text}}}\n"
        );
    }
    let (names, text) = crate::print::parts(Printer::method(unit, &live.restore, 2));
    if let [index, value] = names.as_slice() {
        let _ = writeln!(
            out,
            "/// Writes the state word at an index if it is live, given the state as it is.\nfn write_live_word(&mut self, \
             {index}: u{xlen}, {value}: u{xlen}) {{\n{text}}}"
        );
    }
}

/// After a reset the old code is 0, so an undeclared one becomes 0, as `write_status` has it.
fn restore(state: &ir::State, xlen: u32, write_one: &str) -> String {
    let size = layout::status::word(layout::status::OFF, u64::from(state.words), 0);
    let codes: Vec<String> = state.codes.iter().map(u8::to_string).collect();
    let status = if xlen == 32 { "*status" } else { "*status as u32" };
    let low = if xlen == 32 { "(status & 3)" } else { "(*status as u32 & 3)" };
    let low = low.replace("(status", "(*status");
    let code = match codes.as_slice() {
        [] => String::new(),
        codes => format!(
            "    let code = {} >> 24;\n    if matches!(code, {}) {{\n        self.status |= code << 24;\n    }}\n",
            if xlen == 32 { "*status".to_owned() } else { format!("({status})") },
            codes.join(" | ")
        ),
    };
    format!(
        "/// Loads what [`save`](State::save) gave. In cs off or initial the fields are reset; an undeclared error code becomes \
         0.\npub fn restore(&mut self, words: &[u{xlen}; State::WORDS]) {{\n    let [status, rest @ ..] = words;\n    *self = \
         State {{ status: {low} | {}, ..State::RESET }};\n{code}    if self.status & 3 >= 2 {{\n        for (word, index) in \
         rest.iter().zip(0..) {{\n            self.{write_one}(index, *word);\n        }}\n    }}\n}}\n",
        number(ir::Ty::W32, u64::from(size), true)
    )
}

/// A field's value after reset.
fn initial_value(field: &ir::Field) -> String {
    let (storage, is_array) = match field.shape {
        Shape::Scalar(storage) => (storage, false),
        Shape::Array { storage, .. } => (storage, true),
    };
    let item = |v: &u64| number(storage.ty(), *v, false).to_string();
    match field.reset.as_slice() {
        [first, rest @ ..] if is_array && rest.iter().all(|v| v == first) => {
            format!("[{}; {}]", item(first), field.reset.len())
        }
        all if is_array => format!("[{}]", all.iter().map(item).collect::<Vec<_>>().join(", ")),
        [only] => item(only),
        _ => "0".to_owned(),
    }
}

/// Prints the fallback, as an implementation of the trait and as a software CXU, and what both call.
pub fn fallback(out: &mut String, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, .. } = source;
    soft(out, source);
    if interface.uuid.is_some() {
        soft_cxu(out, source);
    }
    let mut unit = Unit::new(section, lowered);
    let mut code = String::new();
    if let Some(state) = &lowered.state {
        // Their helpers are printed with the others.
        Printer::method(&mut unit, &state.read_word, 1);
        Printer::method(&mut unit, &state.write_word, 2);
        if let Some(live) = &state.live {
            Printer::method(&mut unit, &live.save, 1);
            Printer::method(&mut unit, &live.restore, 2);
        }
    }
    for id in &lowered.call_order {
        let Some(function) = lowered.functions.get(id.index()) else { continue };
        let result = match function.result {
            Shape::Scalar(storage) => format!(" -> {}", storage_type(storage)),
            Shape::Array { .. } => String::new(),
        };
        let name = unit.function(*id);
        let (list, text) = crate::print::parts(Printer::function(&mut unit, function));
        let list = list.join(", ");
        docs(&mut code, &function.docs, &format!("The function `{}`.", function.name));
        let _ = writeln!(code, "#[inline]\nfn {name}({list}){result} {{\n{text}}}\n");
    }
    let state = lowered.state.is_some().then_some("st: &mut State");
    for command in &lowered.commands {
        let name = software_name(methods, command);
        let result = command.result.map_or("()".to_owned(), edge_type);
        let result = match (command.can_fail, command.result) {
            (true, _) => format!(" -> ({result}, abi1::Answer)"),
            (false, Some(_)) => format!(" -> {result}"),
            (false, None) => String::new(),
        };
        let (list, text) = crate::print::parts(Printer::issued(&mut unit, &command.body, &command.params, command.result, command.can_fail));
        let list: Vec<String> = state.iter().copied().map(str::to_owned).chain(list).collect();
        let _ = writeln!(
            code,
            "/// `{}` in software.\n#[inline]\nfn {name}({}){result} {{\n{text}}}\n",
            command.name,
            list.join(", ")
        );
    }
    csr::software(&mut code, &mut unit);
    for id in &lowered.used_tables {
        if let Some(table) = lowered.tables.get(id.0 as usize) {
            print_table(out, &unit.table(*id).to_string(), table);
        }
    }
    // What is used is known only now.
    out.push_str(&{
        let mut text = String::new();
        crate::print::items(helper::tokens(&unit.used, unit.division_limbs), 0, &mut text);
        if !text.is_empty() {
            text.push('\n');
        }
        text
    });
    out.push_str(&code);
}

/// The software function of a command, which a method of the trait may name too.
fn software_name(methods: &[Method], command: &ir::Command) -> String {
    let method = methods.iter().find(|m| m.id == command.id);
    method.map_or_else(|| crate::method::software_name(&command.name), |m| m.software.clone())
}

fn print_table(out: &mut String, name: &str, table: &ir::Table) {
    let digits = (table.storage.bits() / 4).max(1) as usize;
    let item = |v: &u64| match table.storage {
        Storage::Bool => if *v == 0 { "false" } else { "true" }.to_owned(),
        _ => hexadecimal(*v, digits),
    };
    let per_row = match table.storage {
        Storage::Bool | Storage::U8 => 12,
        Storage::U16 | Storage::U32 => 8,
        Storage::U64 => 4,
    };
    docs(out, &table.docs, "Constants.");
    let _ =
        writeln!(out, "#[rustfmt::skip]\nstatic {name}: [{}; {}] = [", storage_type(table.storage), table.values.len());
    for row in table.values.chunks(per_row) {
        let _ = writeln!(out, "    {},", row.iter().map(item).collect::<Vec<_>>().join(", "));
    }
    out.push_str("];\n\n");
}

/// The fallback as people use it.
fn soft(out: &mut String, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, name } = source;
    let origin = origin(interface);
    if lowered.state.is_some() {
        let xlen = section.xlen;
        let _ = writeln!(
            out,
            "/// `{origin}` in software: one context. Operands count by their low bits, and a context that is off gives 0 and \
             stays\n/// as it is.\n#[derive(Clone, Debug, Default)]\npub struct Soft {{\n    state: State,\n}}\n"
        );
        let inner = format!(
            "/// The state as it is.\n#[must_use]\npub fn state(soft: &Soft) -> &State {{\n    &soft.state\n}}\n\n/// The status \
             word, then the state words.\n#[must_use]\npub fn save(soft: &Soft) -> [u{xlen}; State::WORDS] {{\n    \
             soft.state.save()\n}}\n\n/// Loads an image, as [`State::restore`] does.\npub fn restore(soft: &mut Soft, words: \
             &[u{xlen}; State::WORDS]) {{\n    soft.state.restore(words);\n}}\n"
        );
        let _ = writeln!(out, "impl Soft {{\n{}}}\n", indent(&inner));
    } else {
        let _ = writeln!(
            out,
            "/// `{origin}` in software. Operands count by their low bits.\n#[derive(Clone, Copy, Debug, Default)]\npub struct \
             Soft;\n"
        );
    }
    let mut inner = String::new();
    for (i, method) in methods.iter().enumerate() {
        if i > 0 {
            inner.push('\n');
        }
        soft_method(&mut inner, method);
    }
    csr::soft(&mut inner, source);
    let _ = writeln!(out, "impl {name} for Soft {{\n{}}}\n", indent(&inner));
}

fn soft_method(out: &mut String, method: &Method) {
    let check = method.check().map_or(String::new(), |check| format!("    {check}\n"));
    if !method.is_defined {
        let names: Vec<&str> =
            method.operands.iter().filter(|o| o.register.is_some()).map(|o| o.name.as_str()).collect();
        let unused =
            if names.is_empty() { String::new() } else { format!("    let _ = ({});\n", names.join(", ") + ",") };
        let value =
            method.result.as_ref().map(|value| value.outer(if value.edge == Edge::Bool { "false" } else { "0" }));
        let value = value.map_or(String::new(), |value| format!("    {value}\n"));
        let _ = writeln!(out, "#[inline]\n{} {{\n{check}{unused}{value}}}", method.head(false));
        if method.tried.is_some() {
            let _ = writeln!(out, "\n#[inline]\n{} {{\n{check}{unused}    Err(Error::Func)\n}}", method.head(true));
        }
        return;
    }
    let mut args = if method.stateful { vec!["&mut self.state".to_owned()] } else { Vec::new() };
    args.extend(method.operands.iter().map(|o| o.argument()));
    let call = format!("{}({})", method.software, args.join(", "));
    let call_value = if method.tried.is_some() { format!("{call}.0") } else { call.clone() };
    let line = match &method.result {
        Some(value) => format!("    {}\n", value.outer(&call_value)),
        None if method.drops_result => format!("    let _ = {call};\n"),
        None => format!("    {call};\n"),
    };
    let _ = writeln!(out, "#[inline]\n{} {{\n{check}{line}}}", method.head(false));
    if method.tried.is_some() {
        let code = if method.stateful { "|| (self.state.status >> 24) as u8" } else { "|| 0" };
        let value = match &method.result {
            Some(value) => value.outer("value"),
            None => "()".to_owned(),
        };
        let pattern = match method.result {
            Some(_) => "value",
            None if method.drops_result => "_",
            None => "()",
        };
        let _ = writeln!(
            out,
            "\n#[inline]\n{} {{\n{check}    let ({pattern}, answer) = {call};\n    Error::check({value}, answer, {code})\n}}",
            method.head(true)
        );
    }
}

fn sharing(section: &Section) -> &'static str {
    match section.state.as_ref().map(|s| s.sharing) {
        None => "Stateless",
        Some(Sharing::Exclusive) => "Exclusive",
        Some(Sharing::CallerSave) => "CallerSave",
        Some(Sharing::CalleeSave) => "CalleeSave",
        Some(Sharing::AlwaysInit) => "AlwaysInit",
        Some(Sharing::Custom) => "Custom",
    }
}

/// The fallback as a runtime registers it.
fn soft_cxu(out: &mut String, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, .. } = source;
    let xlen = section.xlen;
    let (state, words) = match &lowered.state {
        Some(state) => ("State", state.words),
        None => ("()", 0),
    };
    let mut flags = Vec::new();
    if section.state.as_ref().is_some_and(|s| s.ucontext) {
        flags.push("cx::SoftFlags::UCONTEXT");
    }
    if interface.state_context {
        flags.push("cx::SoftFlags::STATE_CONTEXT");
    }
    let flags = if flags.is_empty() { "0".to_owned() } else { flags.join(" | ") };
    let (reset, save, restore) = if lowered.state.is_some() {
        (
            "State::RESET",
            "fn save(state: &State, words: &mut [Self::Word]) {\n    words.copy_from_slice(&state.save());\n}\n".to_owned(),
            "fn restore(state: &mut State, words: &[Self::Word]) {\n    if let Ok(words) = words.try_into() {\n        \
             state.restore(words);\n    }\n}\n"
                .to_owned(),
        )
    } else {
        (
            "()",
            "fn save((): &(), _words: &mut [Self::Word]) {}\n".to_owned(),
            "fn restore((): &mut (), _words: &[Self::Word]) {}\n".to_owned(),
        )
    };
    let inner = format!(
        "type State = {state};\ntype Word = u{xlen};\nconst UUID: cx::Uuid = UUID;\nconst NAME: &'static ::core::ffi::CStr = \
         c\"{}\";\nconst SHARING: cx::Sharing = cx::Sharing::{};\nconst CONTRACT: [u8; 32] = CONTRACT;\nconst FLAGS: u32 = \
         {flags};\nconst STATE_WORDS: u32 = {words};\nconst RESET: {state} = {reset};\n\n{}{}\n{save}\n{restore}",
        origin(interface),
        sharing(section),
        issue(lowered, methods),
        csr::dispatcher(lowered)
    );
    let _ = writeln!(
        out,
        "/// The fallback as a runtime registers it.\n#[derive(Clone, Copy, Debug)]\npub struct SoftCxu;\n\nimpl cx::RustCxu \
         for SoftCxu {{\n{}}}\n",
        indent(&inner)
    );
}

fn issue(lowered: &ir::Section, methods: &[Method]) -> String {
    let stateful = lowered.state.is_some();
    let xlen = lowered.xlen;
    let mut arms = String::new();
    let mut read = [false; 2];
    let mut has_third = false;
    for command in &lowered.commands {
        let mut args = if stateful { vec!["state".to_owned()] } else { Vec::new() };
        for param in &command.params {
            let register = match param.register {
                Some(0) => 0,
                Some(_) => 1,
                None => {
                    has_third = true;
                    args.push(match param.edge {
                        Edge::Bool => "function >> 16 & 1 != 0".to_owned(),
                        edge => format!("(function >> 16) as {}", edge_type(edge)),
                    });
                    continue;
                }
            };
            if let Some(flag) = read.get_mut(register) {
                *flag = true;
            }
            let register = if register == 0 { "rs1" } else { "rs2" };
            args.push(match param.edge {
                Edge::Bool => format!("{register} & 1 != 0"),
                edge => format!("{register} as {}", edge_type(edge)),
            });
        }
        let call = format!("{}({})", software_name(methods, command), args.join(", "));
        let register = |value: &str| command.result.map_or("0".to_owned(), |edge| to_register(edge, value, xlen));
        let id = command.id;
        let _ = match (command.can_fail, command.result) {
            (true, result) => {
                let pattern = if result.is_some() { "value" } else { "()" };
                writeln!(
                    arms,
                    "{id} => {{\n    let ({pattern}, answer) = {call};\n    ({}, answer.response())\n}}",
                    register("value")
                )
            }
            (false, Some(_)) => writeln!(arms, "{id} => ({}, cx::Response::Ok),", register(&call)),
            (false, None) => writeln!(arms, "{id} => {{\n    {call};\n    (0, cx::Response::Ok)\n}}"),
        };
    }
    arms.push_str("_ => (0, cx::Response::Func),\n");
    let [rs1, rs2] = [("rs1", read[0]), ("rs2", read[1])]
        .map(|(name, read)| if read { name.to_owned() } else { format!("_{name}") });
    let off = if stateful {
        "    // A context that is off answers only read_status and write_status.\n    if state.status & 3 == 0 && \
         !matches!(function, 1022 | 1023) {\n        return cx::Reply { value: 0, response: cx::Response::Off };\n    }\n"
    } else {
        ""
    };
    let state = if stateful { "state: &mut State" } else { "(): &mut ()" };
    // The immediate of a flex command beside two registers stands above the id.
    let id = if has_third { "function & 0xFFFF" } else { "function" };
    format!(
        "fn issue({state}, function: u32, {rs1}: usize, {rs2}: usize) -> cx::Reply {{\n{off}    let (value, response) = match \
         {id} {{\n{}    }};\n    cx::Reply {{ value, response }}\n}}\n",
        indent(&indent(&arms))
    )
}
