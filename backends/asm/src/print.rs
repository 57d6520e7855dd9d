//! The header of an interface.

use std::fmt::Write;

use lapis_cx::backend::in_c_comment;
use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::layout::Layout;
use lapis_cx::contract::{Interface, Section, Xintf};
use lapis_cx::lower::ir;
use lapis_cx_core::Status;
use lapis_cx_core::encoding::{Csr, FAILED_LUNS, FIRST_DEVICE_LUN, Fallback, Instruction, Profile};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use crate::macros;
use crate::naming::{self, Names};

/// The name of the template.
const HEADER: &str = "header.h";

/// The template, to be filled for each interface; a name that it does not get is an error.
pub fn templates() -> Result<Environment<'static>, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_template(HEADER, include_str!("../templates/header.h.j2"))?;
    Ok(templates)
}

fn comment(out: &mut String, text: &str) {
    let text = in_c_comment(text);
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [] => {}
        [line] => {
            let _ = writeln!(out, "/* {line} */");
        }
        lines => {
            let _ = writeln!(out, "/* {}\n */", lines.join("\n * "));
        }
    }
}

/// Prints the header.
pub fn header(
    templates: &Environment<'_>,
    profile: Profile,
    names: &Names,
    interface: &Interface,
) -> Result<String, minijinja::Error> {
    let sections = interface.sections.iter().map(|section| {
        minijinja::context! { xlen => section.xlen, text => section_text(profile, names, section) }
    });
    let docs = in_c_comment(interface.docs.trim());
    let xlens: Vec<String> = interface.sections.iter().map(|s| s.xlen.to_string()).collect();
    let origin = format!("{}:{}", interface.package, interface.name);
    let context = minijinja::context! {
        title => format!("{}.h", names.stem),
        origin,
        docs => docs.lines().map(|line| format!(" * {}", line.trim()).trim_end().to_owned()).collect::<Vec<_>>(),
        guard => names.guard(),
        csrs => Csr::ALL.map(|csr| minijinja::context! { name => csr.name(), number => format!("0x{:03X}", csr.number()) }),
        flags => flags(),
        xcmd => interface.xintf.map(|_| xcmd(profile)),
        xcmd_opcode => format!("0x{:02X}", profile.xcmd()),
        failed_luns => FAILED_LUNS,
        first_device_lun => FIRST_DEVICE_LUN,
        identity => identity(names, interface),
        sections => sections.collect::<Vec<_>>(),
        xlens => xlens.join(" or "),
    };
    // The engine drops the last line break of a template.
    templates.get_template(HEADER)?.render(context).map(|text| text.trim_end().to_owned() + "\n")
}

/// The flags of `cx_status` by their bits.
fn flags() -> Vec<String> {
    let flags = [
        ("IV", Status::INVALID_VERSION),
        ("IC", Status::INVALID_CXU),
        ("IS", Status::INVALID_STATE),
        ("OF", Status::OFF),
        ("IF", Status::INVALID_FUNCTION),
        ("OP", Status::OPERAND),
        ("CU", Status::CUSTOM),
    ];
    flags.map(|(name, flag)| format!("#define CX_STATUS_{name} 0x{:02X}", flag.bits())).to_vec()
}

/// The instructions of overloadable opcodes under the names of their document.
fn xcmd(profile: Profile) -> String {
    let mut out = String::new();
    let mut add = |name: &str, instruction: Instruction| {
        // Fields are taken out of the encoded word, so that it alone decides.
        let word = instruction.encode(profile).unwrap_or_default();
        let (opcode, funct3, funct7) = (word & 0x7F, word >> 12 & 7, word >> 25);
        let _ = writeln!(
            out,
            ".macro {name} rd:req, rs1:req, rs2:req\n    .insn r 0x{opcode:02X}, {funct3}, {funct7}, \\rd, \\rs1, \\rs2\n.endm"
        );
    };
    for fallback in Fallback::ALL {
        add(fallback.mnemonic(), Instruction::Xext { fallback, rd: 0, rs1: 0, rs2: 0 });
    }
    for command in 0..8 {
        add(&format!("xcmd{command}"), Instruction::Xcmd { command, rd: 0, rs1: 0, rs2: 0 });
    }
    out
}

/// The short name of a member, if there is one.
fn alias(out: &mut String, names: &Names, name: &str) {
    if let Some(short) = names.short(name) {
        let _ = writeln!(out, "#define {short} {}", names.long(name));
    }
}

fn define(out: &mut String, names: &Names, name: &str, value: &str) {
    let _ = writeln!(out, "#define {} {value}", names.long(name));
    alias(out, names, name);
}

/// A macro without parameters, which puts data into the current section.
fn data(out: &mut String, names: &Names, name: &str, lines: &[String]) {
    let _ = writeln!(out, ".macro {}\n    {}\n.endm", names.long(name), lines.join("\n    "));
    alias(out, names, name);
}

fn identity(names: &Names, interface: &Interface) -> String {
    let mut out = String::new();
    if let Some(uuid) = interface.uuid {
        let (high, low) = uuid.as_u64_pair();
        let _ = writeln!(out, "\n/* Puts the UUID {} here, as a cx_uuid_t. */", uuid.hyphenated());
        let lines = [".balign 8".to_owned(), format!(".8byte 0x{high:016X}, 0x{low:016X}")];
        data(&mut out, names, "uuid_data", &lines);
    }
    if let Some(xintf) = interface.xintf {
        lookups(&mut out, names, xintf);
    }
    if let Some(hash) = interface.hash_bytes() {
        out.push_str("\n/* Puts the contract hash here: 32 bytes. */\n");
        let rows: Vec<String> = hash.chunks(8).map(|row| format!(".byte {}", listed(row))).collect();
        data(&mut out, names, "contract_data", &rows);
    }
    out
}

fn listed(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02X}")).collect();
    bytes.join(", ")
}

/// The id of an xintf, and the macros that load it and look it up.
fn lookups(out: &mut String, names: &Names, xintf: Xintf) {
    // `lui` on RV64 extends the sign of its 20 bits.
    let is_extended = xintf.id52 == ((u64::from(xintf.id20) << 44) as i64 >> 44) as u64 & 0xF_FFFF_FFFF_FFFF;
    out.push_str(if is_extended {
        "\n/* Overloadable-opcode id, as `lui` takes it. */\n"
    } else {
        "\n/* Overloadable-opcode id, as `lui` takes it on RV32. The one of RV64 has 52 bits of its own. */\n"
    });
    define(out, names, "uuid", &format!("0x{:05X}", xintf.id20));
    define(out, names, "xintf", &format!("0x{:05X}", xintf.id20));
    define(out, names, "xintf52", &format!("0x{:013X}", xintf.id52));
    out.push_str(
        "\n/* Looks the interface up: loads its id and the number of a device, and replaces them in rd by a lun, with data of\n \
         * rs2 above it. */\n",
    );
    let id64 = (xintf.id52 << 12) as i64;
    let id64 = if id64 < 0 { format!("-0x{:X}", id64.unsigned_abs()) } else { format!("0x{id64:X}") };
    for fallback in Fallback::ALL {
        let lookup = fallback.mnemonic();
        let name = names.long(lookup);
        let _ = writeln!(
            out,
            ".macro {name} rd:req, rs2=x0, device=0\n    .ifc \\rd, \\rs2\n    .error \"{name}: rd is loaded before rs2 is \
                 read; they must be two registers\"\n    .endif\n    .if (\\device) < 0 || (\\device) > 4095\n    .error \"{name}: \
                 a device is 0 to 4095\"\n    .endif\n#if __riscv_xlen == 64\n    li \\rd, {id64} + (\\device)\n#else\n    li \\rd, \
                 0x{:X} + (\\device)\n#endif\n    {lookup} \\rd, \\rd, \\rs2\n.endm",
            xintf.id20 << 12
        );
        alias(out, names, lookup);
    }
}

fn section_text(profile: Profile, names: &Names, section: &Section) -> String {
    let mut out = String::new();
    constants(&mut out, names, section);
    if section.state.is_some() {
        state(&mut out, names, section);
    }
    csrs(&mut out, names, section);
    out.push_str("\n/* Function ids. */\n");
    for command in &section.commands {
        define(&mut out, names, &naming::id(&command.name), &command.id.to_string());
    }
    out.push_str("\n/* Commands: one instruction each. Registers that a command does not have are x0. */\n");
    for command in &section.commands {
        comment(&mut out, &command.docs);
        for (form, name) in naming::forms(command) {
            let long = names.long(&name);
            macros::print(&mut out, &long, &macros::command(profile, command, form, &long));
            alias(&mut out, names, &name);
        }
    }
    out
}

fn constants(out: &mut String, names: &Names, section: &Section) {
    for def in &section.enums {
        out.push('\n');
        comment(out, format!("Cases of `{}`.\n{}", def.name, def.docs.trim()).trim_end());
        for case in &def.cases {
            let pattern = ir::pattern(&case.pattern, def.width);
            comment(out, &case.docs);
            define(out, names, &naming::case(&def.name, &case.name), &pattern.to_string());
        }
    }
    for constant in section.consts.iter().filter(|c| c.is_member) {
        let Value::Int(v) = &constant.value else { continue };
        // What no register holds stays out.
        let in_range = v.to_i128().filter(|v| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(v));
        let Some(v) = in_range else { continue };
        out.push('\n');
        comment(out, &constant.docs);
        let text = match &constant.ty {
            Some(Type::Bool) => i128::from(v != 0).to_string(),
            _ if v < 0 => format!("({v})"),
            _ => v.to_string(),
        };
        define(out, names, &constant.name, &text);
    }
    if !section.errors.is_empty() {
        out.push_str("\n/* Error codes in the status word. */\n");
        for error in &section.errors {
            comment(out, &error.about());
            define(out, names, &naming::error(&error.name), &error.code.to_string());
        }
    }
}

/// Addresses of CSRs, for the CSR instructions of the ISA, and where their fields are in the word.
fn csrs(out: &mut String, names: &Names, section: &Section) {
    if section.csrs.is_empty() {
        return;
    }
    out.push_str("\n/* CSRs of the selected CX, for `csrr`, `csrw` and their like. */\n");
    for csr in &section.csrs {
        comment(out, &csr.docs);
        define(out, names, &naming::csr(&csr.name), &format!("0x{:03X}", csr.address));
        for field in &csr.fields {
            comment(out, &field.docs);
            define(out, names, &naming::shift(&csr.name, &field.name), &field.lo.to_string());
            let mask = ir::ones(field.width()) << field.lo;
            define(out, names, &naming::mask(&csr.name, &field.name), &format!("0x{mask:X}"));
        }
    }
}

fn state(out: &mut String, names: &Names, section: &Section) {
    let layout = Layout::new(section);
    out.push_str("\n/* State: words of XLEN bits without the status word, and where each field begins. */\n");
    comment(out, section.state.as_ref().map_or("", |state| &state.docs));
    define(out, names, "state_words", &layout.words.to_string());
    let fields = section.state.iter().flat_map(|state| &state.fields);
    for (field, place) in fields.zip(&layout.fields) {
        comment(out, &field.docs);
        define(out, names, &naming::word(&field.name), &place.first.to_string());
    }
}
