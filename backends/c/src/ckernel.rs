//! The commands of an interface as ckernels (`ckernel_abi.h`): for each a function over one value and one over many, and the
//! table by which they are found.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::contract::{Interface, Section};
use lapis_cx::lower::ir::{self, Edge};
use lapis_cx_core::ckernel::CKERNEL_ABI_H;
use minijinja::Environment;

use crate::expr::edge_type;
use crate::fallback::{self, StateFunctions};
use crate::header::{origin, rows, sections};
use crate::naming::{Names, STATUS, Scope};
use crate::unit::Unit;

/// The longest body, in lines, that is put into each of a command's loops. Longer ones gain nothing by it.
const INLINE_LINES: usize = 60;

/// Up to so many words a state is copied into locals for a loop, where compilers keep it in registers.
const LOCAL_WORDS: u32 = 8;

/// The response of a command that was done.
const OK: &str = "CX_RESPONSE_OK";

/// Prints the header.
pub fn header(templates: &Environment<'_>, names: &Names, interface: &Interface) -> Result<String, minijinja::Error> {
    let context = minijinja::context! {
        title => format!("{}_ckernels.h", names.stem),
        origin => origin(interface),
        guard => names.ckernels_guard(),
        abi => CKERNEL_ABI_H.trim_end(),
        set => names.member("ckernels"),
    };
    crate::render(templates, crate::CKERNELS_HEADER, context)
}

/// Prints the source.
pub fn source(
    templates: &Environment<'_>,
    names: &Names,
    interface: &Interface,
    lowered: &ir::Interface,
    taken: &Rc<Scope<'_>>,
) -> Result<String, minijinja::Error> {
    // What only CSRs call or read would be unused here.
    let without;
    let lowered = if lowered.sections.iter().any(|section| !section.csrs.is_empty()) {
        let mut interface = interface.clone();
        interface.sections.iter_mut().for_each(|section| section.csrs.clear());
        without = lapis_cx::lower::lower_interface(&interface);
        &without
    } else {
        lowered
    };
    let sections =
        sections(interface, lowered, |source, section| section_text(names, interface, source, section, taken));
    let context = minijinja::context! {
        title => format!("{}_ckernels.c", names.stem),
        origin => origin(interface),
        stem => names.stem.clone(),
        header => format!("{}_ckernels.h", names.stem),
        sections => sections,
    };
    crate::render(templates, crate::CKERNELS_SOURCE, context)
}

/// The static functions of a command.
struct Functions<'a> {
    /// What it does, as the fallback has it.
    body: Cow<'a, str>,
    /// The same from and to memory.
    at: Cow<'a, str>,
    single: Cow<'a, str>,
    strided: Cow<'a, str>,
}

/// The other static things.
struct Shared<'a> {
    begin: Cow<'a, str>,
    end: Cow<'a, str>,
    load: Cow<'a, str>,
    init: Cow<'a, str>,
    table: Cow<'a, str>,
    state: StateFunctions,
}

fn section_text(
    names: &Names,
    interface: &Interface,
    source: &Section,
    section: &ir::Section,
    taken: &Rc<Scope<'_>>,
) -> String {
    let commands = section.every_command();
    let mut scope = Scope::inside(taken);
    let mut fresh = |name: &str| scope.fresh(names.member(name));
    let shared = Shared {
        begin: fresh("ck_begin"),
        end: fresh("ck_end"),
        load: fresh("ck_load"),
        init: fresh("ck_init"),
        table: fresh("ck_commands"),
        state: StateFunctions {
            linkage: "static ",
            init: fresh("ck_state_init").into_owned(),
            save: fresh("ck_state_save").into_owned(),
            restore: fresh("ck_state_restore").into_owned(),
        },
    };
    let functions: Vec<Functions<'_>> = commands
        .iter()
        .map(|command| {
            let mut fresh = |part| fresh(&format!("ck_{}{part}", command.name));
            Functions { body: fresh(""), at: fresh("_at"), single: fresh("_single"), strided: fresh("_strided") }
        })
        .collect();
    let mut unit = Unit::new(names, section, &Rc::new(scope));
    let mut code = String::new();
    fallback::functions(&mut code, &mut unit);
    if let Some(state) = &section.state {
        fallback::state_functions(&mut code, names, &mut unit, state, &shared.state);
        state_ends(&mut code, names, state, &shared);
    }
    if section.state.is_some() || commands.iter().any(|command| command.can_fail) {
        end(&mut code, names, source, section, &shared);
    }
    for (command, functions) in commands.iter().zip(&functions) {
        Printed::new(names, source, section, command, functions, &shared).print(&mut code, &mut unit);
    }
    set(&mut code, names, interface, source, section, &functions, &shared);
    let mut out = String::new();
    for id in &section.used_tables {
        if let Some(table) = section.tables.get(id.0 as usize) {
            fallback::print_table(&mut out, unit.table(*id), table);
        }
    }
    // What is used is known only now.
    out.push_str(&crate::helper::texts(&unit.used, unit.division_limbs, |helper| unit.helper_name(helper)));
    out + &code
}

/// How a state gets into a ckernel, and into a call.
fn state_ends(out: &mut String, names: &Names, state: &ir::State, shared: &Shared<'_>) {
    let ty = names.member("state");
    let Shared { begin, load, init, state: functions, .. } = shared;
    let (reset, restore, words) = (&functions.init, &functions.restore, state.words);
    let _ = write!(
        out,
        "/* The state of an image, unless that is one of another state. */
static int {load}({ty} *st, const void *image, intptr_t size)
{{
    cx_word_t words[1 + {words}u];
    if (size < (intptr_t)sizeof words) {{
        return CKERNEL_INVALID;
    }}
    CKERNEL_COPY(words, image, sizeof words);
    if ((words[0] >> 2 & 0x3FFu) != {words}u) {{
        return CKERNEL_INVALID;
    }}
    {restore}(st, words);
    return CKERNEL_OK;
}}

/* What a ckernel owns: the state in which each call of it begins. */
static int {init}(void *data, const void *image, intptr_t size)
{{
    {ty} st;
    {reset}(&st);
    int status = image ? {load}(&st, image, size) : CKERNEL_OK;
    if (status == CKERNEL_OK) {{
        CKERNEL_COPY(data, &st, sizeof st);
    }}
    return status;
}}

/* The state in which this call begins. */
static int {begin}({ty} *st, const ckernel_prefix *extra, const ckernel_call *call, const char *who)
{{
    int status = CKERNEL_OK;
    CKERNEL_COPY(st, extra + 1, sizeof *st);
    if (call && call->state && call->state_size < (intptr_t)((1 + {words}u) * sizeof(cx_word_t))) {{
        status = CKERNEL_INVALID;
    }} else if (call && call->initial) {{
        status = {load}(st, call->initial, call->state_size);
    }}
    return status == CKERNEL_OK ? status : ckernel_raise(call, status, 0, 0, who, \"no image of this state\");
}}

",
    );
}

/// How a call ends that has a state or can fail.
fn end(out: &mut String, names: &Names, source: &Section, section: &ir::Section, shared: &Shared<'_>) {
    let end = &shared.end;
    let (mut parameters, mut save, mut code) = (String::new(), String::new(), "0");
    if let Some(state) = &section.state {
        parameters = format!("const {} *st, ", names.member("state"));
        save = format!(
            "    if (call && call->state) {{\n        cx_word_t words[1 + {}u];\n        {}(st, words);\n        \
             CKERNEL_COPY(call->state, words, sizeof words);\n    }}\n    if (response == CX_RESPONSE_OK) {{\n        \
             return CKERNEL_OK;\n    }}\n",
            state.words, shared.state.save
        );
        code = "response == CX_RESPONSE_CUSTOM ? st->STATUS >> 24 : 0u";
    }
    let code = code.replace("STATUS", STATUS);
    let mut cases = String::new();
    for error in &source.errors {
        let text = error.message.as_deref().unwrap_or(&error.name);
        let _ =
            write!(cases, "        case {}u:\n            what = {};\n            break;\n", error.code, string(text));
    }
    let custom = if section.state.is_some() && !cases.is_empty() {
        format!(
            "        switch (code) {{\n{cases}        default:\n            what = \"an error of the interface's own\";\n            \
             break;\n        }}\n"
        )
    } else {
        "        what = \"an error of the interface's own\";\n".to_owned()
    };
    let about = if section.state.is_some() {
        "Gives the final state to the caller, and reports a response other than CX_RESPONSE_OK."
    } else {
        "Reports a response other than CX_RESPONSE_OK."
    };
    let _ = write!(
        out,
        "/* {about} */
static int {end}({parameters}const ckernel_call *call, uint32_t response, intptr_t index, const char *who)
{{
{save}    const uint32_t code = {code};
    const char *what;
    switch (response) {{
    case CX_RESPONSE_STATE:
        what = \"the state is invalid\";
        break;
    case CX_RESPONSE_OFF:
        what = \"the state is off\";
        break;
    case CX_RESPONSE_FUNC:
        what = \"no such function\";
        break;
    case CX_RESPONSE_OP:
        what = \"an operand is in error\";
        break;
    case CX_RESPONSE_CUSTOM:
{custom}        break;
    case CX_RESPONSE_TRAP:
        what = \"the command traps\";
        break;
    default:
        response = CX_RESPONSE_CXU;
        what = \"the command was not done\";
        break;
    }}
    return ckernel_raise(call, (int)response, code, (uint64_t)index, who, what);
}}

",
    );
}

/// Text as a literal.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => out.extend(['\\', byte as char]),
            b' '..=b'~' => out.push(byte as char),
            // Three digits, whatever follows.
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// A command that is being printed.
struct Printed<'p, 's> {
    names: &'p Names,
    source: &'p Section,
    section: &'s ir::Section,
    command: &'s ir::Command,
    functions: &'p Functions<'p>,
    shared: &'p Shared<'p>,
    /// `Interface.command`, as a literal.
    who: String,
    memory: Vec<Memory>,
    result: Option<Memory>,
}

/// What lies in memory for a value at the edge.
#[derive(Clone, Copy)]
struct Memory {
    /// The type there.
    ty: &'static str,
    /// Whether the value is a bool.
    is_bool: bool,
    /// `b`, `u` or `i`.
    kind: char,
    /// Bytes.
    size: u32,
}

impl Memory {
    fn new(edge: Edge) -> Memory {
        let (kind, bits) = match edge {
            Edge::Bool => ('b', 8),
            Edge::Unsigned(bits) => ('u', bits),
            Edge::Signed(bits) => ('i', bits),
        };
        let is_bool = edge == Edge::Bool;
        Memory { ty: if is_bool { "uint8_t" } else { edge_type(edge) }, is_bool, kind, size: bits / 8 }
    }
}

impl<'p, 's> Printed<'p, 's> {
    fn new(
        names: &'p Names,
        source: &'p Section,
        section: &'s ir::Section,
        command: &'s ir::Command,
        functions: &'p Functions<'p>,
        shared: &'p Shared<'p>,
    ) -> Printed<'p, 's> {
        Printed {
            names,
            source,
            section,
            command,
            functions,
            shared,
            who: string(&format!("{}.{}", names.stem, command.name)),
            memory: command.params.iter().map(|param| Memory::new(param.edge)).collect(),
            result: command.result.map(Memory::new),
        }
    }

    /// Whether the loop has something to watch.
    fn can_stop(&self) -> bool {
        self.command.can_fail
    }

    fn print(&self, out: &mut String, unit: &mut Unit<'s>) {
        let mut body = String::new();
        fallback::define(&mut body, self.names, unit, self.source, self.command, ["static ", &self.functions.body]);
        let is_short = body.lines().count() <= INLINE_LINES;
        if is_short {
            body.replace_range(.."static ".len(), "CKERNEL_INLINE ");
        }
        out.push_str(&body);
        self.at(out, is_short);
        self.single(out, unit);
        self.strided(out, unit, is_short);
    }

    /// The command from and to memory; returns the response if it can be another one than OK.
    fn at(&self, out: &mut String, is_short: bool) {
        let mut parameters = vec!["char *dst".to_owned()];
        parameters.extend((0..self.memory.len()).map(|i| format!("const char *src{i}")));
        if self.section.state.is_some() {
            parameters.push(format!("{} *st", self.names.member("state")));
        }
        let linkage = if is_short { "CKERNEL_INLINE" } else { "static" };
        let returned = if self.can_stop() { "uint32_t" } else { "void" };
        let _ = writeln!(out, "{linkage} {returned} {}({})\n{{", self.functions.at, parameters.join(", "));
        let mut arguments = Vec::new();
        if self.section.state.is_some() {
            arguments.push("st".to_owned());
        }
        for (i, Memory { ty, is_bool, .. }) in self.memory.iter().enumerate() {
            let _ = writeln!(out, "    {ty} a{i};\n    CKERNEL_COPY(&a{i}, src{i}, sizeof a{i});");
            arguments.push(if *is_bool { format!("(a{i} & 1u) != 0") } else { format!("a{i}") });
        }
        if self.can_stop() {
            out.push_str("    uint32_t response = CX_RESPONSE_OK;\n");
            arguments.push("&response".to_owned());
        }
        let call = format!("{}({})", self.functions.body, arguments.join(", "));
        match &self.result {
            Some(Memory { ty, .. }) => {
                let _ = writeln!(out, "    const {ty} rd = {call};\n    CKERNEL_COPY(dst, &rd, sizeof rd);");
            }
            None => {
                let _ = writeln!(out, "    (void)dst;\n    {call};");
            }
        }
        if self.can_stop() {
            out.push_str("    return response;\n");
        }
        out.push_str("}\n\n");
    }

    /// The beginning of a call with state; leaves the state in `st`.
    fn begin(&self, out: &mut String, unit: &mut Unit<'s>, first: &str, none: &str) {
        if self.section.state.is_none() {
            return;
        }
        let (ty, who) = (self.names.member("state"), &self.who);
        let Shared { begin, end, .. } = self.shared;
        let local = self.is_local();
        let loaded = if local { "begun" } else { "st" };
        let _ = writeln!(
            out,
            "    {ty} {loaded};\n    int status = {begin}(&{loaded}, extra, call, {who});\n    if (status != CKERNEL_OK) \
             {{\n        return status;\n    }}"
        );
        if !none.is_empty() {
            let _ = writeln!(out, "    if ({none}) {{\n        return {end}(&{loaded}, call, {OK}, 0, {who});\n    }}");
        }
        if let Some(is_off) = self.watched(unit, &format!("{loaded}.")) {
            let _ = writeln!(
                out,
                "    if ({is_off}) {{\n        {first};\n        return {end}(&{loaded}, call, CX_RESPONSE_OFF, 0, \
                 {who});\n    }}"
            );
        }
        if local {
            // Nobody has its address, so stores to memory cannot change it.
            let _ = writeln!(out, "    {ty} st = begun;");
        }
    }

    /// Whether the context is off, where the command itself does not say so; the state is behind `st`.
    fn watched(&self, unit: &mut Unit<'s>, st: &str) -> Option<String> {
        let state = self.section.state.as_ref().filter(|_| !self.can_stop() && !self.command.runs_when_off)?;
        Some(fallback::is_off(unit, state).replace("st->", st))
    }

    /// Whether the loop works on a copy of the state.
    fn is_local(&self) -> bool {
        self.section.state.as_ref().is_some_and(|state| state.words <= LOCAL_WORDS)
    }

    /// The end of a call with this response, at the element with this index.
    fn end(&self, out: &mut String, indent: &str, response: &str, index: &str) {
        let (end, who) = (&self.shared.end, &self.who);
        let _ = match (&self.section.state, self.is_local()) {
            (None, _) if response == OK => writeln!(out, "{indent}return CKERNEL_OK;"),
            (None, _) => writeln!(out, "{indent}return {end}(call, {response}, {index}, {who});"),
            (Some(_), false) => writeln!(out, "{indent}return {end}(&st, call, {response}, {index}, {who});"),
            (Some(_), true) => {
                writeln!(out, "{indent}begun = st;\n{indent}return {end}(&begun, call, {response}, {index}, {who});")
            }
        };
    }

    /// A call of `at` as a statement; an error ends the function.
    fn done(&self, out: &mut String, indent: &str, call: &str, index: &str) {
        if self.can_stop() {
            // Where the loop went on to the end of the function, compilers keep more in it.
            let _ =
                writeln!(out, "{indent}const uint32_t response = {call};\n{indent}if (response != CX_RESPONSE_OK) {{");
            self.end(out, &format!("{indent}    "), "response", index);
            let _ = writeln!(out, "{indent}}}");
        } else {
            let _ = writeln!(out, "{indent}{call};");
        }
    }

    /// A call of `at`; the state is `state`.
    fn call(&self, dst: &str, sources: &[String], state: &str) -> String {
        let mut arguments = vec![dst.to_owned()];
        arguments.extend_from_slice(sources);
        if self.section.state.is_some() {
            arguments.push(format!("&{state}"));
        }
        format!("{}({})", self.functions.at, arguments.join(", "))
    }

    /// What nobody uses.
    fn unused(&self, out: &mut String, strided: bool) {
        let mut unused = Vec::new();
        if strided && self.result.is_none() {
            unused.push("dst_stride");
        }
        if self.memory.is_empty() {
            unused.push("src");
            if strided {
                unused.push("src_stride");
            }
        }
        if self.section.state.is_none() {
            unused.push("extra");
            if !self.can_stop() {
                unused.push("call");
            }
        }
        unused.iter().for_each(|name| {
            let _ = writeln!(out, "    (void){name};");
        });
    }

    fn loaded(&self) -> &'static str {
        if self.is_local() { "begun" } else { "st" }
    }

    fn single(&self, out: &mut String, unit: &mut Unit<'s>) {
        let _ = writeln!(
            out,
            "static int {}(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)\n{{",
            self.functions.single
        );
        self.unused(out, false);
        let sources: Vec<String> = (0..self.memory.len()).map(|i| format!("src[{i}]")).collect();
        self.begin(out, unit, &self.call("dst", &sources, self.loaded()), "");
        self.done(out, "    ", &self.call("dst", &sources, "st"), "0");
        self.end(out, "    ", OK, "0");
        out.push_str("}\n\n");
    }

    fn strided(&self, out: &mut String, unit: &mut Unit<'s>, is_short: bool) {
        let _ = writeln!(
            out,
            "static int {}(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,\n    size_t \
             count, ckernel_prefix *extra, const ckernel_call *call)\n{{",
            self.functions.strided
        );
        self.unused(out, true);
        for i in 0..self.memory.len() {
            let _ =
                writeln!(out, "    const char *src{i} = src[{i}];\n    const intptr_t stride{i} = src_stride[{i}];");
        }
        out.push_str("    const intptr_t n = (intptr_t)count;\n");
        let sources: Vec<String> = (0..self.memory.len()).map(|i| format!("src{i}")).collect();
        self.begin(out, unit, &self.call("dst", &sources, self.loaded()), "n <= 0");
        if self.section.state.is_none() {
            out.push_str("    if (n <= 0) {\n        return CKERNEL_OK;\n    }\n");
        }
        let is_off = self.watched(unit, "st.");
        if is_off.is_some() {
            // What it does to the status the others do not do again: two compilers need two hints.
            self.done(out, "    ", &self.call("dst", &sources, "st"), "0");
        }
        let packed_dst = self.result.map_or_else(|| "dst".to_owned(), |memory| format!("dst + i * {}", memory.size));
        if is_short && !self.memory.is_empty() {
            // Neighbours in memory, then one operand that stays as it is, then whatever there is.
            let mut conditions: Vec<String> =
                self.result.iter().map(|memory| format!("dst_stride == {}", memory.size)).collect();
            conditions.extend(self.memory.iter().enumerate().map(|(i, m)| format!("stride{i} == {}", m.size)));
            let moving = |(i, memory): (usize, &Memory)| format!("src{i} + i * {}", memory.size);
            let all: Vec<String> = self.memory.iter().enumerate().map(moving).collect();
            let _ = writeln!(out, "    if ({}) {{", conditions.join(" && "));
            self.turns(out, is_off.as_deref(), &self.call(&packed_dst, &all, "st"));
            let several = self.memory.len() > 1;
            for (fixed, Memory { size, .. }) in self.memory.iter().enumerate().filter(|_| several) {
                let neighbours = format!("stride{fixed} == {size}");
                let mut conditions: Vec<String> =
                    conditions.iter().filter(|condition| **condition != neighbours).cloned().collect();
                conditions.push(format!("stride{fixed} == 0"));
                if let Some(result) = self.result {
                    conditions.push(format!("ckernel_apart(src{fixed}, {size}, dst, count * {})", result.size));
                }
                let sources: Vec<String> =
                    all.iter().enumerate().map(|(i, all)| if i == fixed { "fixed" } else { all }.to_owned()).collect();
                let _ = writeln!(
                    out,
                    "    }} else if ({}) {{\n        char fixed[{size}];\n        CKERNEL_COPY(fixed, src{fixed}, sizeof \
                     fixed);",
                    conditions.join(" && ")
                );
                self.turns(out, is_off.as_deref(), &self.call(&packed_dst, &sources, "st"));
            }
            out.push_str("    } else {\n");
        } else {
            out.push_str("    {\n");
        }
        self.steps(out, is_off.as_deref());
        out.push_str("    }\n");
        self.end(out, "    ", OK, "0");
        out.push_str("}\n\n");
    }

    /// The loop for any strides. It makes no address but those of elements.
    fn steps(&self, out: &mut String, is_off: Option<&str>) {
        let sources: Vec<String> = (0..self.memory.len()).map(|i| format!("src{i}")).collect();
        let call = self.call("dst", &sources, "st");
        let mut step = String::new();
        if self.result.is_some() {
            step.push_str("            dst += dst_stride;\n");
        }
        for i in 0..self.memory.len() {
            let _ = writeln!(step, "            src{i} += stride{i};");
        }
        if is_off.is_some() {
            put!(out, "        for (intptr_t i = 1; i != n; i++) {\n", step, never_off(is_off));
            self.done(out, "            ", &call, "i");
        } else {
            let (begin, end) = if self.can_stop() { ("i = 0", "++i == n") } else { ("left = n", "--left == 0") };
            put!(out, "        for (intptr_t ", begin, ";;) {\n");
            self.done(out, "            ", &call, "i");
            put!(out, "            if (", end, ") {\n                break;\n            }\n", step);
        }
        out.push_str("        }\n");
    }

    /// The loop for neighbours in memory. There is at least one; of `i < n`, clang makes a pointer that takes an addition.
    fn turns(&self, out: &mut String, is_off: Option<&str>, call: &str) {
        let first = if is_off.is_some() { "1" } else { "0" };
        put!(out, "        for (intptr_t i = ", first, "; i != n; i++) {\n", never_off(is_off));
        self.done(out, "            ", call, "i");
        out.push_str("        }\n");
    }
}

/// What tells compilers that no command turns the context off but one that runs in such a context.
fn never_off(is_off: Option<&str>) -> String {
    is_off.map_or_else(String::new, |is_off| format!("            CKERNEL_NEVER({is_off});\n"))
}

/// The table of the commands.
fn set(
    out: &mut String,
    names: &Names,
    interface: &Interface,
    source: &Section,
    section: &ir::Section,
    functions: &[Functions<'_>],
    shared: &Shared<'_>,
) {
    let commands = section.every_command();
    let ty = |edge: Edge, width: u32| {
        let Memory { kind, size, .. } = Memory::new(edge);
        format!("{{'{kind}', {size}, {width}}}")
    };
    let mut table = "0".to_owned();
    if !commands.is_empty() {
        table = shared.table.clone().into_owned();
        let _ = writeln!(out, "static const ckernel_command {table}[] = {{");
        for (command, functions) in commands.iter().zip(functions) {
            let mut flags = Vec::new();
            if command.can_fail {
                flags.push("CKERNEL_CAN_RAISE");
            }
            if section.state.is_some() {
                flags.push("CKERNEL_HAS_STATE");
            }
            let flags = if flags.is_empty() { "0".to_owned() } else { flags.join(" | ") };
            let declared = source.commands.iter().find(|declared| declared.id == command.id);
            let width = declared.and_then(|declared| declared.result.as_ref()).map_or(0, |ty| ty.width());
            let result = command.result.map_or_else(|| "{0, 0, 0}".to_owned(), |edge| ty(edge, width));
            let mut operands: Vec<String> = command.params.iter().map(|param| ty(param.edge, param.width)).collect();
            operands.resize(3, "{0, 0, 0}".to_owned());
            let _ = writeln!(
                out,
                "    {{{}, {}u, {flags}, {}u, {result}, {{{}}},\n        {}, {}}},",
                string(&command.name),
                command.id,
                command.params.len(),
                operands.join(", "),
                functions.single,
                functions.strided
            );
        }
        out.push_str("};\n\n");
    }
    let bytes = interface.hash_bytes().unwrap_or([0; 32]);
    let (data, state, init) = match &section.state {
        Some(state) => (
            format!("CKERNEL_ALIGNED(sizeof({}))", names.member("state")),
            format!("(intptr_t)((1 + {}u) * sizeof(cx_word_t))", state.words),
            shared.init.as_ref(),
        ),
        None => ("0".to_owned(), "0".to_owned(), "0"),
    };
    let _ = writeln!(
        out,
        "const ckernel_set {} = {{\n    CKERNEL_ABI_VERSION,\n    (uint32_t)sizeof(ckernel_set),\n    \"{}\",\n    \
         {{\n{}\n    }},\n    CX_XLEN,\n    {}u,\n    {table},\n    {data},\n    {state},\n    {init},\n}};",
        names.member("ckernels"),
        origin(interface),
        rows(&bytes, 8).replace("    ", "        "),
        commands.len(),
    );
}
