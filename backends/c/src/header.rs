//! The header of an interface: identity, types, constants, prototypes and stubs.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::backend::in_c_comment;
use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::{Command, Const, Enum, Interface, Section};
use lapis_cx::lower::ir::{self, Shape};
use lapis_cx_core::encoding::{FIRST_DEVICE_LUN, Profile};
use minijinja::Environment;

use crate::expr::{edge_type, storage_type};
use crate::naming::{Names, STATUS, Scope};
use crate::stub;
use crate::text::List;
use crate::unit::field_names;
use crate::xcmd;

/// The interface as people know it.
pub fn origin(interface: &Interface) -> String {
    format!("{}:{}", interface.package, interface.name)
}

/// The sections as templates take them: the condition of each, and its text.
pub fn sections<'a>(
    interface: &'a Interface,
    lowered: &'a ir::Interface,
    text: impl Fn(&'a Section, &'a ir::Section) -> String,
) -> Vec<minijinja::Value> {
    let pairs = interface.sections.iter().zip(&lowered.sections).enumerate();
    pairs
        .map(|(i, (source, section))| {
            minijinja::context! { condition => condition(i, source.xlen), text => text(source, section) }
        })
        .collect()
}

/// Documentation as lines of a comment, without its first and last line.
pub fn comment_lines(text: &str) -> String {
    let lines: Vec<String> =
        in_c_comment(text).trim().lines().map(|line| format!(" * {}", line.trim_end()).trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A comment of its own, or nothing.
pub fn comment(out: &mut String, text: &str) {
    let text = in_c_comment(text);
    let text = text.trim();
    if text.is_empty() {
    } else if text.contains('\n') {
        out.push_str("/**\n");
        for line in text.lines().map(str::trim) {
            put!(out, if line.is_empty() { " *" } else { " * " }, line, "\n");
        }
        out.push_str(" */\n");
    } else {
        put!(out, "/** ", text, " */\n");
    }
}

/// Prints the header.
pub fn print<'a>(
    templates: &Environment<'_>,
    names: &Names,
    interface: &'a Interface,
    lowered: &'a ir::Interface,
    taken: &Rc<Scope<'a>>,
) -> Result<String, minijinja::Error> {
    let sections =
        sections(interface, lowered, |source, section| section_text(names, interface, source, section, taken));
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
    let contract = interface.hash_bytes().map(|bytes| {
        minijinja::context! { name => names.member("contract"), bytes => rows(&bytes, 8) }
    });
    let context = minijinja::context! {
        title => format!("{}.h", names.stem),
        origin => origin(interface),
        docs => comment_lines(&interface.docs),
        guard => names.guard(),
        stem => names.stem.clone(),
        abi => lapis_cx_core::CX_ABI_H.trim_end(),
        uuid => uuid,
        xintf => xintf,
        contract => contract,
        constants => interface.sections.iter().any(stub::takes_constants),
        xcmd => interface.sections.iter().any(xcmd::has_xcmd),
        xcmd_opcode => format!("0x{:02X}", Profile::DEFAULT.xcmd()),
        first_device_lun => FIRST_DEVICE_LUN,
        xlens => xlens(interface),
        first_xlen => interface.sections.first().map_or(0, |s| s.xlen),
        sections => sections,
    };
    crate::render(templates, crate::HEADER, context)
}

/// The preprocessor line that begins a section.
fn condition(position: usize, xlen: u32) -> String {
    format!("#{} CX_XLEN == {xlen}", if position == 0 { "if" } else { "elif" })
}

/// Bytes in rows of an initialiser.
pub fn rows(bytes: &[u8], per_row: usize) -> String {
    let mut rows = String::new();
    for (i, row) in bytes.chunks(per_row).enumerate() {
        rows.push_str(if i == 0 { "    " } else { "\n    " });
        for (i, byte) in row.iter().enumerate() {
            let _ = write!(rows, "{}0x{byte:02X}", if i == 0 { "" } else { ", " });
        }
        rows.push(',');
    }
    rows
}

fn section_text<'a>(
    names: &Names,
    interface: &Interface,
    source: &'a Section,
    section: &'a ir::Section,
    taken: &Rc<Scope<'a>>,
) -> String {
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
            comment(&mut out, &error.about());
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
    if !source.commands.is_empty() || !section.csrs.is_empty() {
        software(&mut out, names, interface, source, section, taken);
    }
    stub::stubs(&mut out, names, source, taken);
    xcmd::stubs(&mut out, names, interface, source, taken);
    crate::csr::declarations(&mut out, names, source, section, taken);
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
    let fields = field_names(section);
    let status = STATUS;
    let name = names.member("state");
    let docs = match source.state.as_ref().map_or("", |state| state.docs.trim()) {
        "" => String::new(),
        docs => format!("{docs}\n\n"),
    };
    out.push('\n');
    let about = format!(
        "{docs}One context. Each field holds patterns below 2^width of its type, signed values as two's complement;\n\
         rows of arrays follow each other. In words of {} bits: {}.",
        section.xlen, state.words
    );
    comment(out, &about);
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
        let (storage, len) = match field.shape {
            Shape::Scalar(storage) => (storage, String::new()),
            Shape::Array { storage, len } => (storage, format!("[{len}]")),
        };
        let ty = enum_name(names, source, &declared.ty).map_or(Cow::Borrowed(storage_type(storage)), Cow::Owned);
        put!(out, "    ", ty, " ", name, len, ";\n");
    }
    let _ = writeln!(out, "}} {name};");
    let _ =
        writeln!(out, "\n/** To the reset state: `cs` initial. */\nvoid {}({name} *st);", names.member("state_init"));
    let _ = writeln!(
        out,
        "/** Writes {}: the status word, then the state words. */\nvoid {}(const {name} *st, cx_word_t *words);",
        count(u64::from(state.words) + 1, "word"),
        names.member("state_save")
    );
    let _ = writeln!(
        out,
        "/** Reads what the other one wrote. In `cs` off or initial the fields are reset; an undeclared error\n * code becomes 0. */\nvoid {}({name} *st, const \
         cx_word_t *words);",
        names.member("state_restore")
    );
}

/// The parameters of a prototype, by source name: without the one for the response, and with it.
fn prototype_lists<'a>(
    section: &'a ir::Section,
    names: &Names,
    command: &'a ir::Command,
    types: &[Cow<'_, str>],
    taken: &Rc<Scope<'a>>,
) -> [String; 2] {
    let mut scope = Scope::inside(taken);
    let params: Vec<_> = command.params.iter().map(|p| scope.fresh(crate::naming::local(&p.name))).collect();
    let mut list = List::default();
    if section.state.is_some() {
        list.item(&[&names.member("state"), " *", &scope.fresh("st")]);
    }
    types.iter().zip(&params).for_each(|(ty, name)| list.item(&[ty, " ", name]));
    let plain = list.clone();
    list.item(&["uint32_t *", &scope.fresh("status")]);
    [plain.or_void(), list.or_void()]
}

/// The C type of an operand or result: the typedef of an enum, or a standard integer.
pub fn type_name(names: &Names, source: &Section, ty: &Type) -> Cow<'static, str> {
    enum_name(names, source, ty).map_or_else(|| edge_type(lapis_cx::lower::edge(ty)).into(), Cow::Owned)
}

/// The typedef of an enum, or of what an array of enums holds.
fn enum_name(names: &Names, source: &Section, ty: &Type) -> Option<String> {
    let Type::Enum { id, width } = ty.flattened().0 else { return None };
    source.enums.get(id.index()).filter(|_| *width <= 64).map(|def| names.member(&def.name))
}

/// The C types of a command's parameters and result.
pub fn signature(names: &Names, source: &Section, command: &Command) -> (Vec<Cow<'static, str>>, Cow<'static, str>) {
    let params = command.operands.iter().map(|o| type_name(names, source, &o.ty)).collect();
    let result = command.result.as_ref().map_or("void".into(), |ty| type_name(names, source, ty));
    (params, result)
}

/// What an XLEN can be, in words.
fn xlens(interface: &Interface) -> String {
    let xlens: Vec<String> = interface.sections.iter().map(|s| s.xlen.to_string()).collect();
    xlens.join(" or ")
}

/// A count with its noun.
pub fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn software<'a>(
    out: &mut String,
    names: &Names,
    interface: &Interface,
    source: &Section,
    section: &'a ir::Section,
    taken: &Rc<Scope<'a>>,
) {
    out.push_str("\n/* In software: operands count by their low bits.");
    if section.state.is_some() {
        out.push_str(" A context that is off gives 0 and stays as it is.");
    }
    out.push_str(" */\n");
    for command in section.every_command() {
        let Some(declared) = source.commands.iter().find(|c| c.id == command.id) else { continue };
        let (types, result) = signature(names, source, declared);
        let [plain, reporting] = prototype_lists(section, names, command, &types, taken);
        if section.is_opaque(command) {
            let changes = if section.state.is_some() {
                " It runs in a context that is on, which is marked dirty after it."
            } else {
                ""
            };
            let about = format!(
                "The body of `{}`, which the interface leaves open: to be defined where the fallback is used.{changes}\n\
                 `*status` is `CX_RESPONSE_OK` before; the body may set another response.",
                command.name
            );
            comment(out, &about);
            put!(out, result, " ", names.body(&command.name), "(", reporting, ");\n");
        }
        comment(out, &declared.docs);
        put!(out, result, " ", names.software(&command.name), "(", plain, ");\n");
        if command.can_fail {
            let trap = if lapis_cx::lower::can_trap(declared) {
                "\n`CX_RESPONSE_TRAP` says that the command traps; a runtime without levels takes it for \
                 `CX_RESPONSE_CXU`."
            } else {
                ""
            };
            comment(out, &format!("The same; `*status` becomes the response.{trap}"));
            put!(out, result, " ", names.software_with_status(&command.name), "(", reporting, ");\n");
        }
    }
    crate::csr::prototypes(out, names, section, taken);
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
