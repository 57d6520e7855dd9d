//! The macros of commands: one instruction each.

use std::fmt::Write;

use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Command, Form, Operand, Slot};
use lapis_cx::lower::ir::{Edge, ones};
use lapis_cx_core::encoding::{Profile, functs};

/// The parameters and lines of a macro.
pub struct Macro {
    /// Names of parameters; each must be given.
    pub params: Vec<&'static str>,
    /// The lines between `.macro` and `.endm`.
    pub lines: Vec<String>,
}

/// The macro of a command in one of its forms. `name` is for messages.
pub fn command(profile: Profile, command: &Command, form: Form, name: &str) -> Macro {
    let has_rd = matches!(form, Form::R | Form::I | Form::Xcmd) && command.result.is_some();
    let mut params = Vec::new();
    if has_rd {
        params.push("rd");
    }
    // The device is in rs1, whether the command has an operand beside it or not.
    if form == Form::Xcmd && !command.operands.iter().any(|o| o.slot == Slot::Rs1) {
        params.push("rs1");
    }
    let constant = constant(command, form);
    params.extend(command.operands.iter().map(|operand| match operand.slot {
        _ if constant.is_some_and(|c| std::ptr::eq(c, operand)) => "imm",
        Slot::Rs1 => "rs1",
        Slot::Rs2 => "rs2",
        Slot::Imm => "imm",
    }));
    let register = |name: &'static str| if params.contains(&name) { format!("\\{name}") } else { "x0".to_owned() };
    let (rd, rs1, rs2) = (register("rd"), register("rs1"), register("rs2"));
    let (funct3, funct7) = functs(command.id);
    let r_type = |opcode: u8, funct7| format!(".insn r 0x{opcode:02X}, {funct3}, {funct7}, {rd}, {rs1}, {rs2}");
    let mut lines = Vec::new();
    if let Some(constant) = constant {
        lines.extend(check(constant, form, name));
    }
    match (form, constant) {
        (Form::R, _) => lines.push(r_type(profile.r(), funct7)),
        (Form::Xcmd, _) => lines.push(r_type(profile.xcmd(), 0)),
        (Form::Flex | Form::Flex25, None) => lines.push(r_type(profile.flex(), funct7)),
        (Form::I, constant) => {
            let value = if constant.is_some() { signed("(\\imm) & 0xFFF") } else { "0".to_owned() };
            lines.push(format!(".insn i 0x{:02X}, {funct3}, {rd}, {rs1}, {value}", profile.i()));
        }
        (Form::Flex, Some(constant)) => {
            // The S type has the bits of rd in its immediate, below those of funct7.
            let field = format!("{} | ((\\imm) & {})", u32::from(funct7) << 5, ones(constant.ty.width()));
            lines.push(format!(".insn s 0x{:02X}, {funct3}, {rs2}, ({})({rs1})", profile.flex(), signed(&field)));
        }
        (Form::Flex25, Some(constant)) => {
            // The U type has all but rd in its immediate; rd is the register of a number.
            let low = ones(constant.ty.width().min(5));
            let part = |shift: u32| ones(constant.ty.width()) >> shift & 31;
            let upper = format!(
                "{} | ((\\imm) >> 10 & {}) << 8 | ((\\imm) >> 5 & {}) << 3",
                u32::from(funct7) << 13 | u32::from(funct3),
                part(10),
                part(5)
            );
            let registers: Vec<String> = (0..32).map(|n| n.to_string()).collect();
            lines.extend([
                format!(".irp cx_rd, {}", registers.join(", ")),
                format!(".if ((\\imm) & {low}) == \\cx_rd"),
                format!(".insn u 0x{:02X}, x\\cx_rd, {upper}", profile.flex()),
                ".endif".to_owned(),
                ".endr".to_owned(),
            ]);
        }
    }
    Macro { params, lines }
}

/// The operand that is a constant in a form: the one declared so; in form I, if there is none, the second.
pub fn constant(command: &Command, form: Form) -> Option<&Operand> {
    let find = |slot| command.operands.iter().find(|o| o.slot == slot);
    match form {
        Form::R | Form::Xcmd => None,
        Form::I => find(Slot::Imm).or_else(|| find(Slot::Rs2)),
        Form::Flex | Form::Flex25 => find(Slot::Imm),
    }
}

/// Twelve bits as the signed number that assemblers want.
fn signed(bits: &str) -> String {
    format!("((({bits}) ^ 0x800) - 0x800)")
}

/// Lines that refuse a constant which is not of the operand's type, or which twelve bits, sign-extended, do not carry.
fn check(constant: &Operand, form: Form, name: &str) -> Vec<String> {
    let width = constant.ty.width();
    let mut tests = Vec::new();
    // Assemblers for RV32 may take 32-bit patterns as signed or unsigned; both are good.
    if width < 32 {
        let (low, high) = match lapis_cx::lower::edge(&constant.ty) {
            Edge::Signed(_) => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
            Edge::Bool | Edge::Unsigned(_) => (0, (1i64 << width) - 1),
        };
        tests.push(format!("(\\imm) < {low}"));
        tests.push(format!("(\\imm) > {high}"));
    }
    let carries = if form == Form::I && width > 12 {
        let above = match width {
            64 => "-4096".to_owned(),
            _ => format!("0x{:X}", ones(width) & !0xFFF),
        };
        tests.push(format!("(((\\imm) + 0x800) & {above}) != 0"));
        "12 bits, sign-extended, do not carry".to_owned()
    } else if width == 1 {
        "1 bit does not carry".to_owned()
    } else {
        format!("{width} bits do not carry")
    };
    let what = if matches!(constant.ty, Type::Bool) { "a bool" } else { &constant.name };
    vec![format!(".if {}", tests.join(" || ")), format!(".error \"{name}: {carries} {what}\""), ".endif".to_owned()]
}

/// Prints a macro under a name, also as the preprocessor has it.
pub fn print(out: &mut String, name: &str, text: &Macro) {
    let list = text.params.join(", ");
    let required: Vec<String> = text.params.iter().map(|p| format!("{p}:req")).collect();
    let head = format!("{name} {}", required.join(", "));
    let _ = writeln!(out, ".macro {}", head.trim_end());
    for line in &text.lines {
        let _ = writeln!(out, "    {line}");
    }
    let _ = writeln!(out, ".endm\n#define {name}({list}) {}", format!("{name} {list}").trim_end());
}
