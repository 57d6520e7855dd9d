//! The software fallback of an interface: tables, functions, commands, the dispatcher and the descriptor.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::contract::{Command, FlexConstant, Interface, Section, Sharing};
use lapis_cx::lower::ir::{self, Body, Edge, Shape, Storage};
use minijinja::Environment;

use crate::body::Printer;
use crate::expr::{edge_type, storage_type};
use crate::header::{origin, rows, sections, signature};
use crate::naming::{Names, STATUS, Scope, local};
use crate::text::List;
use crate::unit::Unit;

/// Prints the fallback.
pub fn print<'a>(
    templates: &Environment<'_>,
    names: &Names,
    interface: &'a Interface,
    lowered: &'a ir::Interface,
    taken: &Rc<Scope<'a>>,
) -> Result<String, minijinja::Error> {
    let sections =
        sections(interface, lowered, |source, section| section_text(names, interface, source, section, taken));
    let context = minijinja::context! {
        title => format!("{}_fallback.c", names.stem),
        origin => origin(interface),
        stem => names.stem.clone(),
        sections => sections,
    };
    crate::render(templates, crate::FALLBACK, context)
}

fn section_text<'a>(
    names: &Names,
    interface: &Interface,
    source: &'a Section,
    section: &'a ir::Section,
    taken: &Rc<Scope<'a>>,
) -> String {
    let mut unit = Unit::new(names, section, taken);
    let mut code = String::new();
    functions(&mut code, &mut unit);
    if let Some(state) = &section.state {
        state_functions(&mut code, names, &mut unit, state, &StateFunctions::public(names));
    }
    for command in section.every_command() {
        print_command(&mut code, names, &mut unit, source, command);
    }
    crate::csr::definitions(&mut code, names, &mut unit);
    if !source.commands.is_empty() || !section.csrs.is_empty() {
        dispatcher(&mut code, names, &mut unit);
        flex(&mut code, names, source);
        if interface.uuid.is_some() {
            descriptor(&mut code, names, interface, source, &unit);
        }
    }
    let mut out = String::new();
    for id in &section.used_tables {
        if let Some(table) = section.tables.get(id.0 as usize) {
            print_table(&mut out, unit.table(*id), table);
        }
    }
    // What is used is known only now.
    out.push_str(&crate::helper::texts(&unit.used, unit.division_limbs, |helper| unit.helper_name(helper)));
    out + &code
}

/// Prints a constant array.
pub fn print_table(out: &mut String, name: &str, table: &ir::Table) {
    let digits = (table.storage.bits() / 4).max(1) as usize;
    let item = |v: &u64| match table.storage {
        Storage::Bool => if *v == 0 { "false" } else { "true" }.to_owned(),
        Storage::U64 => format!("0x{v:0digits$X}ull"),
        _ => format!("0x{v:0digits$X}u"),
    };
    let per_row = match table.storage {
        Storage::Bool | Storage::U8 => 12,
        Storage::U16 | Storage::U32 => 8,
        Storage::U64 => 4,
    };
    let _ = writeln!(out, "static const {} {name}[{}] = {{", storage_type(table.storage), table.values.len());
    for row in table.values.chunks(per_row) {
        let _ = writeln!(out, "    {},", row.iter().map(item).collect::<Vec<_>>().join(", "));
    }
    out.push_str("};\n\n");
}

/// Prints the functions that commands call.
pub fn functions(out: &mut String, unit: &mut Unit<'_>) {
    let section = unit.section;
    let mut bodies = String::new();
    for id in &section.call_order {
        let Some(function) = section.functions.get(id.index()) else { continue };
        let ty = match function.result {
            Shape::Scalar(storage) => storage_type(storage),
            Shape::Array { .. } => "void",
        };
        let (list, text) = Printer::new(unit, &function.body).function(function);
        let name = unit.function(*id);
        if section.recursive {
            put!(out, "static ", ty, " ", name, "(", list, ");\n");
        }
        put!(&mut bodies, "static ", ty, " ", name, "(", list, ")\n{\n", text, "}\n\n");
    }
    if section.recursive {
        out.push('\n');
    }
    out.push_str(&bodies);
}

/// A function over a body of the state.
fn over_state<'s>(unit: &mut Unit<'s>, body: &'s Body) -> (Cow<'s, str>, String) {
    let printer = Printer::new(unit, body);
    let state = printer.state.clone();
    (state, printer.plain())
}

/// What the functions over a whole state are called, and how they are declared.
pub struct StateFunctions {
    /// `static ` or nothing.
    pub linkage: &'static str,
    /// To the reset state.
    pub init: String,
    /// To an image.
    pub save: String,
    /// From an image.
    pub restore: String,
}

impl StateFunctions {
    /// As the header declares them.
    fn public(names: &Names) -> StateFunctions {
        let [init, save, restore] = ["state_init", "state_save", "state_restore"].map(|name| names.member(name));
        StateFunctions { linkage: "", init, save, restore }
    }
}

/// The functions over a state.
pub fn state_functions(
    out: &mut String,
    names: &Names,
    unit: &mut Unit<'_>,
    state: &ir::State,
    public: &StateFunctions,
) {
    let ty = names.member("state");
    let section = unit.section;
    let Some(own) = &section.state else { return };
    let (st, text) = over_state(unit, &own.reset);
    let unused = |st: &str, text: &str| {
        if text.contains(&format!("{st}->")) { String::new() } else { format!("    (void){st};\n") }
    };
    let _ = writeln!(out, "static void {}({ty} *{st})\n{{\n{}{text}}}\n", unit.reset, unused(&st, &text));
    let (st, text) = over_state(unit, &own.read_word);
    let _ = writeln!(
        out,
        "static cx_word_t {}(const {ty} *{st}, cx_word_t index)\n{{\n{}{text}}}\n",
        unit.read_word,
        unused(&st, &text)
    );
    let (st, text) = over_state(unit, &own.write_word);
    let _ = writeln!(
        out,
        "static void {}({ty} *{st}, cx_word_t index, cx_word_t value)\n{{\n{}{text}}}\n",
        unit.write_word,
        unused(&st, &text)
    );
    let (st, text) = over_state(unit, &own.restore);
    let _ = writeln!(
        out,
        "/* The status word of an image; whether its state words follow. */\nstatic bool {}({ty} *{st}, cx_word_t \
         word)\n{{\n{text}}}\n",
        unit.restore
    );
    let [mut read, mut write] = [unit.read_word.clone(), unit.write_word.clone()];
    if let Some(live) = &own.live {
        [read, write] = unit.live.clone();
        let (st, text) = over_state(unit, &live.save);
        let _ = writeln!(out, "static cx_word_t {read}(const {ty} *{st}, cx_word_t index)\n{{\n{text}}}\n");
        let (st, text) = over_state(unit, &live.restore);
        let _ = writeln!(out, "static void {write}({ty} *{st}, cx_word_t index, cx_word_t value)\n{{\n{text}}}\n");
    }
    let status = STATUS;
    let StateFunctions { linkage, init, save, restore } = public;
    let _ = writeln!(
        out,
        "{linkage}void {init}({ty} *st)\n{{\n    st->{status} = 0x{:X}u;\n    {}(st);\n}}\n",
        state.initial, unit.reset
    );
    let words = state.words;
    let _ = writeln!(
        out,
        "{linkage}void {save}(const {ty} *st, cx_word_t *words)\n{{\n    words[0] = st->{status};\n    for (cx_word_t i = 0; i < \
         {words}u; i++) {{\n        words[1 + i] = {}(st, i);\n    }}\n}}\n",
        read
    );
    let _ = writeln!(
        out,
        "{linkage}void {restore}({ty} *st, const cx_word_t *words)\n{{\n    if ({}(st, words[0])) {{\n        for (cx_word_t i = 0; i < \
         {words}u; i++) {{\n            {}(st, i, words[1 + i]);\n        }}\n    }}\n}}\n",
        unit.restore, write
    );
}

/// Defines what a command does, under a name and with what stands before the type of its result.
pub fn define<'s>(
    out: &mut String,
    names: &Names,
    unit: &mut Unit<'s>,
    source: &Section,
    command: &'s ir::Command,
    [linkage, name]: [&str; 2],
) {
    let section = unit.section;
    let state = section.state.is_some().then(|| names.member("state"));
    let Some(declared) = source.commands.iter().find(|c| c.id == command.id) else { return };
    let (types, ty) = signature(names, source, declared);
    if section.is_opaque(command) {
        let Wrapper { mut list, args, st, status, rd } = Wrapper::new(unit, command, &types, state.as_deref());
        list.item(&["uint32_t *", &status]);
        let (off, dirty) = match state {
            Some(_) => (
                format!(
                    "    if (({st}->{STATUS} & 3u) == 0) {{\n        *{status} = CX_RESPONSE_OFF;\n        return{};\n    }}\n",
                    if command.result.is_some() { " 0" } else { "" }
                ),
                format!("    if (*{status} == CX_RESPONSE_OK) {{\n        {st}->{STATUS} |= 3u;\n    }}\n"),
            ),
            None => (String::new(), String::new()),
        };
        // A body gets values of its operands' types, whatever a register holds above.
        let operands = args.len() - command.params.len();
        let values = args.iter().skip(operands).zip(&command.params).zip(&types);
        let values = values.map(|((name, param), ty)| cut(name, ty, param.edge, param.width));
        let values = args.iter().take(operands).cloned().chain(values.map(Cow::Owned)).chain([status.clone()]);
        let mut passed = List::default();
        values.for_each(|value| passed.item(&[&value]));
        let call = format!("{}({})", names.body(&command.name), passed.as_str());
        let text = match (command.result, &declared.result) {
            (Some(edge), Some(result)) => {
                let cut = cut(&rd, &ty, edge, result.width());
                format!("    {ty} {rd} = {call};\n{dirty}    return {cut};\n")
            }
            _ => format!("    {call};\n{dirty}"),
        };
        let list = list.as_str();
        let _ = writeln!(out, "{linkage}{ty} {name}({list})\n{{\n{off}    *{status} = CX_RESPONSE_OK;\n{text}}}\n");
    } else {
        let printer = Printer::new(unit, &command.body);
        let (params, result) = (&command.params, command.result);
        let (list, text) = printer.issued(params, result, &types, state.as_deref(), command.can_fail);
        put!(out, linkage, ty, " ", name, "(", list, ")\n{\n", text, "}\n\n");
    }
}

fn print_command<'s>(out: &mut String, names: &Names, unit: &mut Unit<'s>, source: &Section, command: &'s ir::Command) {
    let Some(declared) = source.commands.iter().find(|c| c.id == command.id) else { return };
    let (types, ty) = signature(names, source, declared);
    let name = if command.can_fail { names.software_with_status(&command.name) } else { names.software(&command.name) };
    define(out, names, unit, source, command, ["", &name]);
    let state = unit.section.state.is_some().then(|| names.member("state"));
    if command.can_fail {
        // The one without a status drops it.
        let Wrapper { list, args, status, .. } = Wrapper::new(unit, command, &types, state.as_deref());
        let mut passed = List::default();
        args.iter().for_each(|name| passed.item(&[name]));
        passed.item(&["&", &status]);
        let give = if command.result.is_some() { "return " } else { "" };
        put!(
            out,
            ty,
            " ",
            names.software(&command.name),
            "(",
            list.or_void(),
            ")\n{\n    uint32_t ",
            status,
            ";\n    "
        );
        put!(out, give, name, "(", passed.as_str(), ");\n}\n\n");
    }
}

/// A value of a C type, cut to the width of the result that it is.
fn cut(value: &str, ty: &str, edge: Edge, width: u32) -> String {
    let mask = ir::ones(width);
    match edge {
        Edge::Unsigned(bits) if width < bits => format!("({ty})({value} & 0x{mask:X}ull)"),
        Edge::Signed(bits) if width < bits => {
            let sign = 1u64 << (width - 1);
            format!("({ty})((int64_t)(((uint64_t){value} & 0x{mask:X}ull) ^ 0x{sign:X}ull) - 0x{sign:X})")
        }
        _ => value.to_owned(),
    }
}

/// Names for a function that passes its parameters on.
struct Wrapper<'s> {
    /// The parameters with their types, without the one for the status.
    list: List,
    /// The same, as arguments.
    args: Vec<Cow<'s, str>>,
    /// The state.
    st: Cow<'s, str>,
    /// The status.
    status: Cow<'s, str>,
    /// A local for the result.
    rd: Cow<'s, str>,
}

impl<'s> Wrapper<'s> {
    fn new(unit: &Unit<'s>, command: &'s ir::Command, types: &[Cow<'_, str>], state: Option<&str>) -> Wrapper<'s> {
        let mut scope = Scope::inside(&unit.taken);
        let params: Vec<_> = command.params.iter().map(|p| scope.fresh(local(&p.name))).collect();
        let [st, status, rd] = ["st", "status", "rd"].map(|name| scope.fresh(name));
        let mut list = List::default();
        state.iter().for_each(|state| list.item(&[state, " *", &st]));
        types.iter().zip(&params).for_each(|(ty, name)| list.item(&[ty, " ", name]));
        let mut args = if state.is_some() { vec![st.clone()] } else { Vec::new() };
        args.extend(params);
        Wrapper { list, args, st, status, rd }
    }
}

/// What an expression outside of bodies is printed in.
const NO_BODY: &Body = &Body { locals: Vec::new(), stmts: Vec::new() };

/// Whether the context behind `st` is off.
pub fn is_off(unit: &mut Unit<'_>, state: &ir::State) -> String {
    Printer::new(unit, NO_BODY).conjunct("st", &state.is_off)
}

/// The test before a dispatcher looks for a function id.
fn off_test(unit: &mut Unit<'_>, state: &ir::State) -> String {
    let is_off = is_off(unit, state);
    let ids: String = state.not_off.iter().map(|id| format!(" && function != {id}u")).collect();
    format!(
        "    /* A context that is off answers only read_status and write_status. */\n    if ({is_off}{ids}) {{\n        \
         return CX_RESPONSE_OFF;\n    }}"
    )
}

fn dispatcher(out: &mut String, names: &Names, unit: &mut Unit<'_>) {
    let section = unit.section;
    let off = section.state.as_ref().map(|state| off_test(unit, state));
    let mut cases = String::new();
    let mut read = [false; 2];
    let commands = section.every_command();
    for command in &commands {
        let mut args = List::default();
        if section.state.is_some() {
            args.item(&["st"]);
        }
        for param in &command.params {
            let register = match param.register {
                Some(0) => "rs1",
                Some(_) => "rs2",
                None => "(function >> 16)",
            };
            match param.edge {
                Edge::Bool => args.item(&["(", register, " & 1u) != 0"]),
                edge => args.item(&["(", edge_type(edge), ")", register]),
            }
        }
        for param in &command.params {
            if let Some(flag) = param.register.and_then(|r| read.get_mut(r.min(1) as usize)) {
                *flag = true;
            }
        }
        let name = if command.can_fail {
            args.item(&["&response"]);
            names.software_with_status(&command.name)
        } else {
            names.software(&command.name)
        };
        let keep = match command.result {
            None => "",
            // To the width of a register first, by its sign; then zero-extended.
            Some(Edge::Signed(_)) => "*rd = (cx_reg_t)(cx_word_t)",
            Some(_) => "*rd = ",
        };
        let _ = write!(cases, "    case {}u:\n        ", command.id);
        put!(&mut cases, keep, name, "(", args.as_str(), ");\n        break;\n");
    }
    let _ = writeln!(
        out,
        "uint32_t {}(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)\n{{",
        names.member("sw_issue")
    );
    if section.state.is_some() {
        let ty = names.member("state");
        let _ = writeln!(out, "    {ty} *st = ({ty} *)state;");
    } else {
        out.push_str("    (void)state;\n");
    }
    for (name, read) in ["rs1", "rs2"].iter().zip(read) {
        if !read {
            let _ = writeln!(out, "    (void){name};");
        }
    }
    let can_fail = commands.iter().any(|c| c.can_fail);
    if can_fail {
        out.push_str("    uint32_t response = CX_RESPONSE_OK;\n");
    }
    out.push_str("    *rd = 0;\n");
    if let Some(off) = off {
        let _ = writeln!(out, "{off}");
    }
    // The immediate of a flex command beside two registers stands above the id.
    let has_third = commands.iter().any(|c| c.params.iter().any(|p| p.register.is_none()));
    let function = if has_third { "function & 0xFFFFu" } else { "function" };
    let _ = writeln!(
        out,
        "    switch ({function}) {{\n{cases}    default:\n        return CX_RESPONSE_FUNC;\n    }}\n    return {};\n}}\n",
        if can_fail { "response" } else { "CX_RESPONSE_OK" }
    );
}

/// Whether the descriptor has a function for constants on the opcode of flex.
pub fn has_flex(source: &Section) -> bool {
    source.commands.iter().any(|command| command.flex_constant().is_some())
}

/// Where `issue` looks for a constant that an instruction has in its register fields.
fn flex(out: &mut String, names: &Names, source: &Section) {
    if !has_flex(source) {
        return;
    }
    let mut cases = String::new();
    for command in &source.commands {
        let Some(FlexConstant { bits, signed, above }) = command.flex_constant() else { continue };
        let mask = ir::ones(bits);
        let _ = write!(cases, "    case {}u:\n        ", command.id);
        let _ = match (above, signed) {
            (true, _) => writeln!(cases, "return CX_WITH_IMMEDIATE(function, fields & 0x{mask:X}u);"),
            (false, false) => writeln!(cases, "*rs2 = fields & 0x{mask:X}u;\n        return function;"),
            (false, true) => {
                let sign = 1u32 << (bits - 1);
                writeln!(
                    cases,
                    "*rs2 = (cx_reg_t)((fields & 0x{mask:X}u) ^ 0x{sign:X}u) - 0x{sign:X}u;\n        return function;"
                )
            }
        };
    }
    let uses_rs2 = source.commands.iter().filter_map(Command::flex_constant).any(|constant| !constant.above);
    let unused = if uses_rs2 { "" } else { "    (void)rs2;\n" };
    let _ = writeln!(
        out,
        "static uint32_t {}(uint32_t function, uint32_t fields, cx_reg_t *rs2)\n{{\n{unused}    switch (function) {{\n{cases}    \
         default:\n        return function;\n    }}\n}}\n",
        names.member("sw_flex")
    );
}

fn sharing(source: &Section) -> &'static str {
    match source.state.as_ref().map(|s| s.sharing) {
        None => "CX_SHARING_STATELESS",
        Some(Sharing::Exclusive) => "CX_SHARING_EXCLUSIVE",
        Some(Sharing::CallerSave) => "CX_SHARING_CALLER_SAVE",
        Some(Sharing::CalleeSave) => "CX_SHARING_CALLEE_SAVE",
        Some(Sharing::AlwaysInit) => "CX_SHARING_ALWAYS_INIT",
        Some(Sharing::Custom) => "CX_SHARING_CUSTOM",
    }
}

fn descriptor(out: &mut String, names: &Names, interface: &Interface, source: &Section, unit: &Unit<'_>) {
    let state = unit.section.state.as_ref();
    let ty = names.member("state");
    let [init, save, restore] = ["state_init", "state_save", "state_restore"].map(|name| names.member(name));
    let [init_any, save_any, restore_any] = ["init_any", "save_any", "restore_any"].map(|name| names.member(name));
    if state.is_some() {
        let _ = writeln!(out, "static void {init_any}(void *state)\n{{\n    {init}(({ty} *)state);\n}}\n");
        let _ = writeln!(
            out,
            "static void {save_any}(const void *state, void *image)\n{{\n    {save}((const {ty} *)state, (cx_word_t \
             *)image);\n}}\n"
        );
        let _ = writeln!(
            out,
            "static void {restore_any}(void *state, const void *image)\n{{\n    {restore}(({ty} *)state, (const cx_word_t \
             *)image);\n}}\n"
        );
    }
    let words = state.map_or(0, |s| s.words);
    let (high, low) = interface.uuid.map_or((0, 0), |uuid| uuid.as_u64_pair());
    let bytes = interface.hash_bytes().unwrap_or([0; 32]);
    let mut flags = Vec::new();
    if source.state.as_ref().is_some_and(|s| s.ucontext) {
        flags.push("CX_SOFT_UCONTEXT");
    }
    if interface.state_context {
        flags.push("CX_SOFT_STATE_CONTEXT");
    }
    let flags = if flags.is_empty() { "0".to_owned() } else { flags.join(" | ") };
    let (size, align, [init, save, restore]) = match state {
        // The alignment of its widest member.
        Some(_) => (format!("sizeof({ty})"), format!("CX_ALIGNOF({ty})"), [init_any, save_any, restore_any]),
        None => ("0".to_owned(), "0".to_owned(), std::array::from_fn(|_| "0".to_owned())),
    };
    if state.is_some() {
        out.push_str(
            "#ifndef CX_ALIGNOF\n#ifdef __cplusplus\n#define CX_ALIGNOF(type) alignof(type)\n#else\n#define CX_ALIGNOF(type) \
             _Alignof(type)\n#endif\n#endif\n\n",
        );
    }
    let _ = writeln!(
        out,
        "const struct cx_soft_cxu {} = {{\n    CX_ABI_VERSION,\n    (uint32_t)sizeof(struct cx_soft_cxu),\n    \
         {{0x{high:016X}ull, 0x{low:016X}ull}},\n    {{\n{}\n    }},\n    CX_XLEN,\n    {},\n    {flags},\n    {}u, /* {} */\n    {size},\n    {align},\n    \"{}\",\n    {init},\n    {},\n    {save},\n    {restore},\n    {},\n    {},\n}};",
        names.member("soft_cxu"),
        rows(&bytes, 8).replace("    ", "        "),
        sharing(source),
        words,
        if words == 1 { "state word" } else { "state words" },
        origin(interface),
        names.member("sw_issue"),
        if unit.section.csrs.is_empty() { "0".to_owned() } else { names.member("sw_access") },
        if has_flex(source) { names.member("sw_flex") } else { "0".to_owned() },
    );
}
