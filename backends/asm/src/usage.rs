//! How sources in assembly use an interface: a function, and lines for each command and CSR.

use std::fmt::Write;

use lapis_cx::backend::{Snippet, Usage};
use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{Command, Csr, Form, Interface, Operand, Section, Slot};
use lapis_cx::int::Int;
use lapis_cx::usage::{self, Call, Failures, Way};
use lapis_cx_core::encoding::{Fallback, Profile};

use crate::macros;
use crate::naming::{self, Names};

/// How sources use an interface; `None` if nothing reaches it.
pub fn usage(profile: Profile, interface: &Interface) -> Option<Usage> {
    let way = Way::of(interface).filter(|_| !interface.is_abstract)?;
    let asm = Writer { interface, profile, way, names: Names::new(interface) };
    let commands = usage::commands(interface).into_iter();
    let csrs = usage::csrs(interface).into_iter();
    Some(Usage {
        language: "Assembly",
        syntax: "asm",
        files: vec![asm.names.header()],
        program: asm.function(),
        note: String::new(),
        commands: commands
            .map(|(section, c)| Snippet { name: c.name.clone(), code: asm.command(section, c) })
            .collect(),
        csrs: csrs.map(|(_, csr)| Snippet { name: csr.name.clone(), code: asm.csr(csr) }).collect(),
    })
}

/// The registers of the parts of an instruction.
const RESULT: &str = "a0";
const FIRST: &str = "a1";
const SECOND: &str = "a2";
/// The lun of a device, with data above it.
const DEVICE: &str = "t0";

/// What all of it is written with.
struct Writer<'a> {
    interface: &'a Interface,
    profile: Profile,
    way: Way,
    names: Names,
}

/// A line with a comment in a column of its own.
fn line(out: &mut String, text: &str, comment: &str) {
    let _ = match comment {
        "" => writeln!(out, "{text}"),
        comment => writeln!(out, "{text:<39} /* {comment} */"),
    };
}

impl Writer<'_> {
    /// A member under its short name, or the long one.
    fn member(&self, name: &str) -> String {
        self.names.short(name).unwrap_or_else(|| self.names.long(name))
    }

    /// The function's name, which no macro has.
    fn label(&self) -> String {
        let mut label = format!("use_{}", self.names.stem);
        let derived = naming::of_interface(self.interface);
        while derived.iter().any(|name| name.name.eq_ignore_ascii_case(&label)) {
            label.push('_');
        }
        label
    }

    fn function(&self) -> String {
        let calls = usage::calls(self.interface);
        let label = self.label();
        let mut out = format!("#include \"{}.h\"\n\n", self.names.stem);
        let about = match self.way {
            Way::Cx => format!("Takes the selector of a CX in {RESULT}, as cx_open gives it."),
            Way::Device => "Asks the default device, if there is one.".to_owned(),
        };
        let gives = calls.last().is_some_and(|call| self.find(call).is_some_and(|c| self.gives(c)));
        let returns = if gives { format!(" Returns what the last command gives, in {RESULT}.") } else { String::new() };
        let _ = writeln!(out, "/* {about}{returns} */\n    .text\n    .globl {label}\n{label}:");
        match self.way {
            Way::Cx => line(&mut out, &format!("    csrrw {DEVICE}, cx_index, {RESULT}"), "selects"),
            Way::Device => {
                line(&mut out, &format!("    {} {DEVICE}", self.member(Fallback::Trap.mnemonic())), "looks it up");
                line(&mut out, "    li t1, CX_LUN_FAILED", "");
                line(&mut out, &format!("    bltu {DEVICE}, t1, 1f"), "none: commands would trap");
            }
        }
        calls.iter().for_each(|call| self.call(&mut out, call));
        if let Some(csr) = usage::only_csr(self.interface) {
            let _ = writeln!(out, "    csrr {RESULT}, {}", self.member(&naming::csr(&csr.name)));
        }
        match self.way {
            Way::Cx => line(&mut out, &format!("    csrw cx_index, {DEVICE}"), "as it was before"),
            Way::Device => out.push_str("1:\n"),
        }
        out.push_str("    ret\n");
        out
    }

    fn find(&self, call: &Call) -> Option<&Command> {
        usage::commands(self.interface).into_iter().map(|(_, command)| command).find(|c| c.name == call.command)
    }

    /// The form that a function shows: the one with the command's name, or that of a device.
    fn form(&self, command: &Command) -> Option<(Form, String)> {
        let forms = naming::forms(command).into_iter();
        forms.into_iter().find(|(form, _)| (*form == Form::Xcmd) == (self.way == Way::Device))
    }

    fn gives(&self, command: &Command) -> bool {
        let form = self.form(command);
        form.is_some_and(|(form, name)| macros::command(self.profile, command, form, &name).params.contains(&"rd"))
    }

    /// A command with constants.
    fn call(&self, out: &mut String, call: &Call) {
        let Some(command) = self.find(call) else { return };
        let Some((form, name)) = self.form(command) else { return };
        let params = macros::command(self.profile, command, form, &name).params;
        let value = |operand: Option<&Operand>| {
            let place = command.operands.iter().position(|o| operand.is_some_and(|operand| std::ptr::eq(o, operand)));
            place.and_then(|place| call.values.get(place)).map_or("0".to_owned(), number)
        };
        for (param, register) in [("rs1", FIRST), ("rs2", SECOND)] {
            if let Some(operand) = operand(command, form, param) {
                line(out, &format!("    li {register}, {}", value(Some(operand))), &operand.name);
            }
        }
        if form == Form::Xcmd && operand(command, form, "rs1").is_some() {
            let lookup = self.member(Fallback::Trap.mnemonic());
            line(out, &format!("    {lookup} {DEVICE}, {FIRST}"), "the lun, with data above it");
        }
        let list: Vec<String> = params
            .iter()
            .map(|param| match *param {
                "imm" => value(operand(command, form, "imm")),
                param => register(form, param).to_owned(),
            })
            .collect();
        let said = call.result.as_ref().filter(|_| params.contains(&"rd")).map(ToString::to_string);
        line(out, &format!("    {}", instruction(&self.member(&name), &list)), &said.unwrap_or_default());
    }

    /// The lines that issue a command, in each form.
    fn command(&self, section: &Section, command: &Command) -> String {
        let mut out = String::new();
        let failures = Failures::of(section, command);
        let flags = failures.flags();
        // What an xcmd raises is lost.
        let checked = !failures.is_empty() && command.forms.iter().any(|form| *form != Form::Xcmd);
        if checked {
            let _ = writeln!(out, "li t1, {flags}\ncsrc cx_status, t1");
        }
        for (form, name) in naming::forms(command) {
            let params = macros::command(self.profile, command, form, &name).params;
            let mut notes = Vec::new();
            if form == Form::Xcmd {
                let lookup = self.member(Fallback::Trap.mnemonic());
                let data = operand(command, form, "rs1");
                let list: Vec<String> =
                    [Some(DEVICE), data.map(|_| FIRST)].into_iter().flatten().map(str::to_owned).collect();
                let note = data.map(|o| format!("{FIRST}: {}, which goes above the lun", o.name));
                line(&mut out, &instruction(&lookup, &list), &note.unwrap_or("the default device".to_owned()));
            }
            let list: Vec<String> = params
                .iter()
                .map(|param| match (*param, operand(command, form, param)) {
                    ("imm", Some(operand)) => {
                        notes.push(format!("{} is a constant, here 0", operand.name));
                        "0".to_owned()
                    }
                    (param, operand) => {
                        if let Some(operand) = operand.filter(|_| form != Form::Xcmd || param != "rs1") {
                            notes.push(format!("{}: {}", register(form, param), operand.name));
                        }
                        register(form, param).to_owned()
                    }
                })
                .collect();
            line(&mut out, &instruction(&self.member(&name), &list), &notes.join(", "));
        }
        if checked {
            out.push_str("csrr t1, cx_status\n");
            line(&mut out, &format!("andi t1, t1, {flags}"), "not 0 if it raised something");
        }
        out
    }

    /// The lines that access a CSR.
    fn csr(&self, csr: &Csr) -> String {
        let address = self.member(&naming::csr(&csr.name));
        let mut out = String::new();
        let _ = writeln!(out, "csrr {RESULT}, {address}");
        if csr.access == Access::Rw {
            let _ = writeln!(out, "csrw {address}, {FIRST}");
        }
        for field in &csr.fields {
            let (mask, shift) = (naming::mask(&csr.name, &field.name), naming::shift(&csr.name, &field.name));
            let (mask, shift) = (self.member(&mask), self.member(&shift));
            line(&mut out, &format!("li {SECOND}, {mask}"), &format!("the pattern of {}", field.name));
            let _ = writeln!(out, "and {SECOND}, {RESULT}, {SECOND}\nsrli {SECOND}, {SECOND}, {shift}");
        }
        if let Some(field) = csr.fields.first().filter(|_| csr.access == Access::Rw) {
            let mask = self.member(&naming::mask(&csr.name, &field.name));
            let _ = writeln!(
                out,
                "li {FIRST}, {mask}\ncsrrs {RESULT}, {address}, {FIRST}\ncsrrc {RESULT}, {address}, {FIRST}"
            );
        }
        out
    }
}

/// The register for a parameter of a macro.
fn register(form: Form, param: &str) -> &'static str {
    match param {
        "rd" => RESULT,
        "rs1" if form == Form::Xcmd => DEVICE,
        "rs1" => FIRST,
        _ => SECOND,
    }
}

/// The operand that a parameter of a macro carries.
fn operand<'c>(command: &'c Command, form: Form, param: &str) -> Option<&'c Operand> {
    let constant = macros::constant(command, form);
    let is_constant = |o: &Operand| constant.is_some_and(|c| std::ptr::eq(c, o));
    let find = |slots: &[Slot]| command.operands.iter().find(|o| !is_constant(o) && slots.contains(&o.slot));
    match param {
        "imm" => constant.or_else(|| find(&[Slot::Imm])),
        "rs1" => find(&[Slot::Rs1]),
        "rs2" => find(&[Slot::Rs2]),
        _ => None,
    }
}

/// A macro with its arguments.
fn instruction(name: &str, list: &[String]) -> String {
    format!("{name} {}", list.join(", ")).trim_end().to_owned()
}

/// A number.
fn number(value: &Int) -> String {
    match value.to_u64() {
        Some(large) if large > 9999 => format!("0x{large:X}"),
        _ => value.to_string(),
    }
}
