//! Devices of overloadable opcodes: functions that find one, and its commands.

use std::fmt::Write;

use lapis_cx::contract::{Form, Section};
use lapis_cx_core::encoding::Fallback;

use crate::docs::indent;
use crate::method::{self, Method};
use crate::naming::DEVICE;
use crate::section::{Source, origin};

/// Whether a section has a command that an overloadable opcode issues.
pub fn has_xcmd(section: &Section) -> bool {
    section.commands.iter().any(|c| c.forms.contains(&Form::Xcmd))
}

fn is_xcmd(section: &Section, id: u16) -> bool {
    section.commands.iter().any(|c| c.id == id && c.forms.contains(&Form::Xcmd))
}

/// Whether an overloadable opcode issues all of the trait that has these methods, so that a device implements it.
pub fn is_whole(section: &Section, methods: &[Method]) -> bool {
    has_xcmd(section) && section.csrs.is_empty() && methods.iter().all(|m| is_xcmd(section, m.id))
}

/// Prints the guard of a device. It implements the trait if an overloadable opcode issues all of it; else those
/// commands are methods of its own.
pub fn print(out: &mut String, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, name, .. } = source;
    if !has_xcmd(section) {
        return;
    }
    let x = source.parameter("X");
    let origin = origin(interface);
    let whole = is_whole(section, methods);
    let own: Vec<Method>;
    let methods = if whole {
        *methods
    } else {
        let is_register = |m: &Method| m.operands.iter().all(|o| o.register.is_some());
        own = method::all(interface, section, lowered)
            .into_iter()
            .filter(|m| is_xcmd(section, m.id) && is_register(m))
            .collect();
        own.as_slice()
    };
    let _ = writeln!(
        out,
        "/// A device that implements `{origin}`: each command is one instruction on a hart, and elsewhere a call. What a command\n\
         /// raises is lost, so `try_` says that it was done; one to a device that is not there traps, or gives what the lookup \
         says.\n#[derive(Clone, Copy, Debug)]\npub struct {DEVICE}<{x}> {{\n    /// The processor that sends commands to \
         it.\n    pub xcmds: {x},\n    /// Its lun, and data for a command without an operand in their place.\n    pub cookie: \
         cx::Cookie,\n}}\n"
    );
    if interface.xintf.is_some() {
        Fallback::ALL.into_iter().for_each(|fallback| lookup(out, &x, section.xlen, fallback));
    }
    let mut inner = String::new();
    for (i, method) in methods.iter().enumerate() {
        if i > 0 {
            inner.push('\n');
        }
        command(&mut inner, method, &x, section.xlen, whole);
    }
    let of = if whole { format!("{name} for ") } else { String::new() };
    let _ = writeln!(out, "impl<{x}: cx::Xcmd> {of}{DEVICE}<{x}> {{\n{}}}\n", indent(&inner));
}

fn lookup(out: &mut String, x: &str, xlen: u32, fallback: Fallback) {
    let otherwise = match fallback {
        Fallback::Trap => "commands trap",
        Fallback::Zero => "commands give 0",
        Fallback::MinusOne => "commands give -1",
    };
    let name = fallback.mnemonic();
    let id = if xlen == 64 { "XINTF52" } else { "XINTF" };
    let _ = writeln!(
        out,
        "/// The device of this number, of which 12 bits count; the default one is 0. If there is none, {otherwise}.\n\
         #[inline]\n#[must_use]\npub fn {name}<{x}: cx::Xcmd>(xcmds: {x}, device: u16) -> {DEVICE}<{x}> {{\n    let cookie = \
         abi1::{name}::<{x}, {xlen}>(&xcmds, ({id} << 12) as usize | usize::from(device & 0xFFF));\n    {DEVICE} {{ xcmds, \
         cookie }}\n}}\n"
    );
}

fn command(out: &mut String, method: &Method, x: &str, xlen: u32, of_trait: bool) {
    // A constant travels in the place of rs2.
    let register = |n: u32| {
        let operand = method.operands.iter().find(|o| o.register.unwrap_or(1) == n);
        operand.map(|o| o.value.to_register(&o.argument(), xlen))
    };
    let rs1 = match register(0) {
        Some(data) => format!("abi1::with_data::<{xlen}>(self.cookie, {data})"),
        None => "self.cookie.bits()".to_owned(),
    };
    let rs2 = register(1).map_or("None".to_owned(), |value| format!("Some({value})"));
    let function = if method.result.is_some() { "xcmd" } else { "silent_xcmd" };
    let call = format!("abi1::{function}::<{x}, {xlen}, {}>(&self.xcmds, {rs1}, {rs2})", method.id);
    let check = method.check().map_or(String::new(), |check| format!("    {check}\n"));
    let line = match &method.result {
        Some(value) => format!("    {}\n", value.outer(&value.from_register(&call))),
        None => format!("    let _ = {call};\n"),
    };
    if !of_trait {
        method.document(out);
        let _ = writeln!(out, "#[inline]\npub {} {{\n{check}{line}}}", method.head(false));
        return;
    }
    let _ = writeln!(out, "#[inline]\n{} {{\n{check}{line}}}", method.head(false));
    if method.tried.is_some() {
        let constant = method.operands.iter().find(|o| o.register.is_none());
        let generic = constant.map_or(String::new(), |o| format!("::<{}>", o.name));
        let args: Vec<&str> =
            method.operands.iter().filter(|o| o.register.is_some()).map(|o| o.name.as_str()).collect();
        let call = format!("self.{}{generic}({})", method.name, args.join(", "));
        let line = match method.result {
            Some(_) => format!("    Ok({call})\n"),
            None => format!("    {call};\n    Ok(())\n"),
        };
        let _ = writeln!(out, "\n#[inline]\n{} {{\n{line}}}", method.head(true));
    }
}
