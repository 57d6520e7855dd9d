//! The header of an interface: identity, types, constants, prototypes and stubs.

use std::fmt::Write;

use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::{Command, Const, Enum, Form, Interface, Section, Slot};
use lapis_cx::lower::ir::{self, Edge, Shape};

use crate::body::edge_type;
use crate::expr::storage_type;
use crate::naming::Names;
use crate::unit::field_names;

/// The interface as people know it.
pub fn origin(interface: &Interface) -> String {
    format!("{}:{}", interface.package, interface.name)
}

/// Text that may stand in a comment.
fn safe(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/")
}

/// Documentation as lines of a comment, without its first and last line.
fn comment_lines(text: &str) -> String {
    let lines: Vec<String> =
        safe(text).trim().lines().map(|line| format!(" * {}", line.trim_end()).trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A comment of its own, or nothing.
fn comment(out: &mut String, text: &str) {
    let text = safe(text);
    let text = text.trim();
    if text.is_empty() {
    } else if text.contains('\n') {
        let lines: Vec<String> = text.lines().map(|l| format!(" * {}", l.trim()).trim_end().to_owned()).collect();
        let _ = writeln!(out, "/**\n{}\n */", lines.join("\n"));
    } else {
        let _ = writeln!(out, "/** {text} */");
    }
}

/// Prints the header.
pub fn print(names: &Names, interface: &Interface, lowered: &ir::Interface) -> Result<String, minijinja::Error> {
    let sections = interface.sections.iter().zip(&lowered.sections).enumerate().map(|(i, (source, section))| {
        minijinja::context! {
            condition => condition(i, source.xlen),
            text => section_text(names, interface, source, section),
        }
    });
    let sections: Vec<_> = sections.collect();
    let uuid = interface.uuid.map(|uuid| {
        let (high, low) = uuid.as_u64_pair();
        minijinja::context! {
            text => uuid.hyphenated().to_string(),
            name => names.member("uuid"),
            high => format!("0x{high:016X}ull"),
            low => format!("0x{low:016X}ull"),
        }
    });
    let xintf = interface.xintf.iter().flat_map(|xintf| {
        [
            "/* Overloadable-opcode id: 20 bits, and 52 bits for RV64. */".to_owned(),
            format!("#define {} 0x{:05X}u", names.member("xintf"), xintf.id20),
            format!("#define {} 0x{:013X}ull", names.member("xintf52"), xintf.id52),
        ]
    });
    let xintf: Vec<String> = xintf.collect();
    let contract = contract_bytes(&interface.hash).map(|bytes| {
        minijinja::context! { name => names.member("contract"), bytes => rows(&bytes, 8) }
    });
    let context = minijinja::context! {
        title => format!("{}.h", names.stem),
        origin => origin(interface),
        docs => comment_lines(&interface.docs),
        guard => names.guard(),
        stem => names.stem.clone(),
        abi => lapis_cx_core::CX_ABI_H.trim_end(),
        abi_version => lapis_cx_core::ABI_VERSION,
        uuid => uuid,
        xintf => xintf,
        contract => contract,
        sections => sections,
    };
    crate::render("header.h", include_str!("../templates/header.h.j2"), context)
}

/// The preprocessor line that begins a section.
pub fn condition(position: usize, xlen: u32) -> String {
    format!("#{} CX_XLEN == {xlen}", if position == 0 { "if" } else { "elif" })
}

/// The bytes of a contract hash of 64 hexadecimal digits.
pub fn contract_bytes(hash: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hash.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let digits = digits.filter(|d| d.len() == 64)?;
    Some(digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

/// Bytes in rows of a initialiser.
pub fn rows(bytes: &[u8], per_row: usize) -> String {
    let row = |row: &[u8]| row.iter().map(|b| format!("0x{b:02X}")).collect::<Vec<_>>().join(", ");
    bytes.chunks(per_row).map(|chunk| format!("    {},", row(chunk))).collect::<Vec<_>>().join("\n")
}

fn section_text(names: &Names, interface: &Interface, source: &Section, section: &ir::Section) -> String {
    let mut out = String::new();
    for def in &source.enums {
        enumeration(&mut out, names, def);
    }
    for constant in source.consts.iter().filter(|c| c.is_member) {
        scalar_constant(&mut out, names, constant);
    }
    if !source.errors.is_empty() {
        out.push_str("\n/* Error codes in the status word. */\n");
        for error in &source.errors {
            comment(&mut out, error.message.as_deref().unwrap_or(&error.docs));
            let _ = writeln!(out, "#define {} {}u", names.error(&error.name), error.code);
        }
    }
    out.push_str("\n/* Function ids. */\n");
    for command in &source.commands {
        let _ = writeln!(out, "#define {} {}u", names.id(&command.name), command.id);
    }
    if let Some(state) = &section.state {
        state_type(&mut out, names, source, section, state);
    }
    if !section.commands.is_empty() {
        software(&mut out, names, interface, source, section);
    }
    stubs(&mut out, names, source);
    out
}

fn enumeration(out: &mut String, names: &Names, def: &Enum) {
    let bits = def.width.next_power_of_two().clamp(8, 64);
    if def.width > 64 {
        return;
    }
    out.push('\n');
    comment(out, &def.docs);
    let name = names.member(&def.name);
    let _ = writeln!(out, "typedef uint{bits}_t {name};");
    for case in &def.cases {
        comment(out, &case.docs);
        let pattern = ir::pattern(&case.pattern, def.width);
        let suffix = if bits == 64 { "ull" } else { "u" };
        let _ = writeln!(out, "#define {} (({name}){pattern}{suffix})", names.case(&def.name, &case.name));
    }
}

/// A scalar constant as a macro. Arrays stay in the fallback; what fits no C type is left out.
fn scalar_constant(out: &mut String, names: &Names, constant: &Const) {
    let Value::Int(v) = &constant.value else { return };
    let text = match &constant.ty {
        Some(Type::Bool) => if v.is_zero() { "false" } else { "true" }.to_owned(),
        _ => match v.to_i128() {
            Some(v) if (0..=i128::from(u32::MAX)).contains(&v) => format!("{v}u"),
            Some(v) if (0..=i128::from(u64::MAX)).contains(&v) => format!("{v}ull"),
            Some(v) if (i128::from(i32::MIN) + 1..0).contains(&v) => format!("({v})"),
            Some(v) if (i128::from(i64::MIN) + 1..0).contains(&v) => format!("({v}ll)"),
            _ => return,
        },
    };
    out.push('\n');
    comment(out, &constant.docs);
    let _ = writeln!(out, "#define {} {text}", names.member(&constant.name));
}

fn state_type(out: &mut String, names: &Names, source: &Section, section: &ir::Section, state: &ir::State) {
    let (fields, status) = field_names(section);
    let name = names.member("state");
    let _ = writeln!(
        out,
        "\n/** One context. Each field holds patterns below 2^width of its type, signed values as two's complement;\n \
         * rows of arrays follow each other. In words of {1} bits: {0}. */",
        state.words, section.xlen
    );
    let _ = writeln!(out, "typedef struct {name} {{");
    let _ = writeln!(
        out,
        "    uint32_t {status}; /* cs[1:0] (0 off, 1 initial, 2 clean, 3 dirty), state_size[11:2], error[31:24] */"
    );
    let declared = source.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
    for ((field, name), declared) in state.fields.iter().zip(&fields).zip(declared) {
        let mut docs = String::new();
        comment(&mut docs, &declared.docs);
        docs.lines().for_each(|line| {
            let _ = writeln!(out, "    {line}");
        });
        let _ = match field.shape {
            Shape::Scalar(storage) => writeln!(out, "    {} {name};", storage_type(storage)),
            Shape::Array { storage, len } => writeln!(out, "    {} {name}[{len}];", storage_type(storage)),
        };
    }
    let _ = writeln!(out, "}} {name};");
    let _ =
        writeln!(out, "\n/** To the reset state: `cs` initial. */\nvoid {}({name} *st);", names.member("state_init"));
    let _ = writeln!(
        out,
        "/** Writes {} words: the status word, then the state words. */\nvoid {}(const {name} *st, cx_word_t *words);",
        u64::from(state.words) + 1,
        names.member("state_save")
    );
    let _ = writeln!(
        out,
        "/** Reads what the other one wrote. In `cs` off or initial the fields are reset. */\nvoid {}({name} *st, const \
         cx_word_t *words);",
        names.member("state_restore")
    );
}

/// The parameters of a prototype, by source name.
fn prototype_list(section: &ir::Section, names: &Names, command: &ir::Command, reports: bool) -> String {
    let mut scope = crate::naming::Scope::default();
    let params: Vec<(String, Edge)> =
        command.params.iter().map(|p| (scope.fresh(&crate::naming::local(&p.name)), p.edge)).collect();
    let mut list = Vec::new();
    if section.state.is_some() {
        list.push(format!("{} *{}", names.member("state"), scope.fresh("st")));
    }
    list.extend(params.iter().map(|(name, edge)| format!("{} {name}", edge_type(*edge))));
    if reports {
        list.push(format!("uint32_t *{}", scope.fresh("status")));
    }
    if list.is_empty() { "void".to_owned() } else { list.join(", ") }
}

fn result_type(command: &ir::Command) -> String {
    command.result.map_or("void".to_owned(), edge_type)
}

fn software(out: &mut String, names: &Names, interface: &Interface, source: &Section, section: &ir::Section) {
    out.push_str(
        "\n/* In software: operands count by their low bits. A context that is off gives 0 and stays as it is.",
    );
    out.push_str(" */\n");
    for command in &section.commands {
        let docs = source.commands.iter().find(|c| c.id == command.id).map_or("", |c| c.docs.as_str());
        comment(out, docs);
        let list = prototype_list(section, names, command, false);
        let _ = writeln!(out, "{} {}({list});", result_type(command), names.software(&command.name));
        if command.can_fail {
            let list = prototype_list(section, names, command, true);
            out.push_str("/** The same; `*status` becomes the response. */\n");
            let _ = writeln!(out, "{} {}({list});", result_type(command), names.software_with_status(&command.name));
        }
    }
    let _ = writeln!(
        out,
        "/** Any command, by what its registers hold; `state` is null without state. Returns the response. */\nuint32_t \
         {}(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);",
        names.member("sw_issue")
    );
    if interface.uuid.is_some() {
        let _ = writeln!(
            out,
            "/** The fallback as a runtime registers it. */\nextern const struct cx_soft_cxu {};",
            names.member("soft_cxu")
        );
    }
}

/// One instruction of a form.
struct Encoding {
    opcode: u32,
    funct3: u16,
    funct7: u16,
}

/// How a command is issued here: `None` for forms that have no stub.
fn encoding(command: &Command) -> Option<(Form, Encoding)> {
    let (funct3, funct7) = (command.id & 7, command.id >> 3);
    let has = |form| command.forms.contains(&form);
    let (form, opcode) = if has(Form::R) {
        (Form::R, 0x0B)
    } else if has(Form::Flex) && command.operands.len() <= 2 && command.operands.iter().all(|o| o.slot != Slot::Imm) {
        (Form::Flex, 0x5B)
    } else if has(Form::I) && command.id < 8 && !command.operands.is_empty() {
        (Form::I, 0x2B)
    } else {
        return None;
    };
    Some((form, Encoding { opcode, funct3, funct7 }))
}

fn stubs(out: &mut String, names: &Names, source: &Section) {
    let mut hardware = String::new();
    let mut emulated = String::new();
    for command in &source.commands {
        let Some((form, code)) = encoding(command) else { continue };
        let edges: Vec<(String, Edge, Slot)> = command
            .operands
            .iter()
            .map(|o| (crate::naming::local(&o.name), lapis_cx::lower::edge(&o.ty), o.slot))
            .collect();
        // The rd field of a flex command is an immediate, so it has no result register.
        let result = command.result.as_ref().filter(|_| form != Form::Flex).map(lapis_cx::lower::edge);
        let name = names.member(&command.name);
        match form {
            Form::I => immediate_stub(&mut hardware, &name, &code, &edges, result),
            _ => register_stub(&mut hardware, &name, &code, &edges, result, &command.docs),
        }
        emulated_stub(&mut emulated, names, command, &edges, result);
    }
    if hardware.is_empty() {
        return;
    }
    out.push_str(
        "\n/* To the selected CX: one instruction on RISC-V, elsewhere through the runtime. */\n#ifdef __riscv\n",
    );
    out.push_str(&hardware);
    out.push_str("#else\n");
    out.push_str(&emulated);
    out.push_str("#endif\n");
}

/// A register operand: the value, extended by its sign kind to XLEN, in a whole register.
fn in_register(name: &str, edge: Edge) -> String {
    match edge {
        Edge::Bool | Edge::Unsigned(_) => format!("(cx_reg_t){name}"),
        Edge::Signed(_) => format!("(cx_reg_t)(cx_word_t){name}"),
    }
}

/// What a stub returns, out of the result register.
fn out_of_register(name: &str, edge: Edge) -> String {
    match edge {
        Edge::Bool => format!("({name} & 1u) != 0"),
        edge => format!("({}){name}", edge_type(edge)),
    }
}

fn stub_head(out: &mut String, name: &str, edges: &[(String, Edge, Slot)], result: Option<Edge>) {
    let list: Vec<String> = edges.iter().map(|(name, edge, _)| format!("{} {name}", edge_type(*edge))).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let ty = result.map_or("void".to_owned(), edge_type);
    let _ = writeln!(out, "static inline {ty} {name}({list})\n{{");
}

fn register_stub(
    out: &mut String,
    name: &str,
    code: &Encoding,
    edges: &[(String, Edge, Slot)],
    result: Option<Edge>,
    docs: &str,
) {
    comment(out, docs);
    stub_head(out, name, edges, result);
    let mut next = 0;
    let mut operand = || {
        next += 1;
        format!("%{}", next - 1)
    };
    let rd = if result.is_some() { operand() } else { "x0".to_owned() };
    let has = |slot| edges.iter().any(|(_, _, s)| *s == slot);
    let rs1 = if has(Slot::Rs1) { operand() } else { "x0".to_owned() };
    let rs2 = if has(Slot::Rs2) { operand() } else { "x0".to_owned() };
    let inputs: Vec<String> =
        edges.iter().map(|(name, edge, _)| format!("\"r\"({})", in_register(name, *edge))).collect();
    let variable = result.map(|_| unused("rd", edges));
    if let Some(variable) = &variable {
        let _ = writeln!(out, "    cx_reg_t {variable};");
    }
    let output = variable.as_ref().map_or(String::new(), |v| format!("\"=r\"({v})"));
    let _ = writeln!(
        out,
        "    __asm__ volatile(\".insn r 0x{:02X}, {}, {}, {rd}, {rs1}, {rs2}\" : {output} : {});",
        code.opcode,
        code.funct3,
        code.funct7,
        inputs.join(", ")
    );
    if let (Some(variable), Some(edge)) = (variable, result) {
        let _ = writeln!(out, "    return {};", out_of_register(&variable, edge));
    }
    out.push_str("}\n");
}

/// A name that no operand has.
fn unused(name: &str, edges: &[(String, Edge, Slot)]) -> String {
    let mut scope = crate::naming::Scope::default();
    edges.iter().for_each(|(name, _, _)| scope.reserve(name));
    scope.fresh(name)
}

/// A macro, as the immediate must be a constant expression in the instruction.
fn immediate_stub(out: &mut String, name: &str, code: &Encoding, edges: &[(String, Edge, Slot)], result: Option<Edge>) {
    // The immediate is the operand declared so, or else the last one; the other one is in a register.
    let place = edges.iter().position(|(_, _, slot)| *slot == Slot::Imm).unwrap_or(edges.len().saturating_sub(1));
    let Some((immediate, _, _)) = edges.get(place) else { return };
    let register = edges.iter().enumerate().find(|(i, _)| *i != place).map(|(_, edge)| edge);
    let list: Vec<&str> = edges.iter().map(|(name, _, _)| name.as_str()).collect();
    let _ = writeln!(out, "/* `{immediate}` is a constant expression. */");
    let input = register.map_or(String::new(), |(name, edge, _)| {
        let ty = edge_type(*edge);
        format!("\"r\"({}), ", in_register(&format!("({ty})({name})"), *edge))
    });
    let rs1 = if register.is_some() { "%1" } else { "x0" };
    let position = if register.is_some() { 2 } else { 1 };
    let value = result.map_or("(void)cx_rd_".to_owned(), |edge| out_of_register("cx_rd_", edge));
    let _ = writeln!(
        out,
        "#define {name}({}) __extension__({{ \\\n    cx_reg_t cx_rd_; \\\n    __asm__ volatile(\".insn i 0x{:02X}, {}, %0, {rs1}, %{position}\" : \"=r\"(cx_rd_) : {input}\"i\"((int)(((uint32_t)({immediate}) & \
         0xFFFu) ^ 0x800u) - 0x800)); \\\n    {value}; \\\n}})",
        list.join(", "),
        code.opcode,
        code.funct3,
    );
}

fn emulated_stub(
    out: &mut String,
    names: &Names,
    command: &Command,
    edges: &[(String, Edge, Slot)],
    result: Option<Edge>,
) {
    comment(out, &command.docs);
    stub_head(out, &names.member(&command.name), edges, result);
    let of = |slot| {
        let found = edges.iter().find(|(_, _, s)| *s == slot);
        found.map(|(name, _, _)| format!("(cx_reg_t)(cx_word_t){name}"))
    };
    let zero = || "0".to_owned();
    let rs1 = of(Slot::Rs1).unwrap_or_else(zero);
    let rs2 = of(Slot::Rs2).or_else(|| of(Slot::Imm)).unwrap_or_else(zero);
    let call = format!("cx_issue({}, {rs1}, {rs2})", names.id(&command.name));
    let _ = match result {
        None => writeln!(out, "    (void){call};"),
        Some(Edge::Bool) => writeln!(out, "    return ({call} & 1u) != 0;"),
        Some(edge) => writeln!(out, "    return ({}){call};", edge_type(edge)),
    };
    out.push_str("}\n");
}
