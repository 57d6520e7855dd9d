//! The stubs of overloadable opcodes: `xext` finds the lun of a device, `xcmd` sends it a command (overloadable opcodes,
//! "Description of the instructions"). Without the hardware they lead to the software functions.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::contract::{Command, Form, Interface, Operand, Section, Slot};
use lapis_cx::lower::ir::Edge;
use lapis_cx_core::encoding::Fallback;

use crate::header::{comment, type_name};
use crate::naming::{Names, Scope, local};
use crate::stub::to_operand_register;

/// Whether a section has a command that an overloadable opcode issues.
pub fn has_xcmd(section: &Section) -> bool {
    section.commands.iter().any(|c| c.forms.contains(&Form::Xcmd))
}

/// Whether a command has a second stub, in which the data of the cookie is its first operand.
pub fn has_cookie_stub(command: &Command) -> bool {
    command.forms.contains(&Form::Xcmd) && command.operands.iter().any(|o| o.slot == Slot::Rs1)
}

/// Prints the stubs of a section.
pub fn stubs<'a>(out: &mut String, names: &Names, interface: &Interface, source: &'a Section, taken: &Rc<Scope<'a>>) {
    if !has_xcmd(source) {
        return;
    }
    out.push_str(
        "\n/* To the device that a cookie names: one instruction on RISC-V. Elsewhere, and with CX_XCMD_SOFTWARE, the \
         software. With\n * CX_XCMD_CPU a processor in software, which a platform describes. */\n#if defined CX_XCMD_CPU\n",
    );
    let commands = || source.commands.iter().filter(|c| c.forms.contains(&Form::Xcmd));
    lookups(out, names, interface, |fallback, data| {
        format!(
            "    cx_word_t id = (cx_word_t)((cx_word_t){} << 12 | (device & 0xFFFu));\n    \
             cx_cookie_t cookie = {{cx_cpu_xext({}u, id, {})}};\n    return cookie;\n",
            xintf(names, source),
            fallback.lun(),
            data.unwrap_or("0")
        )
    });
    for command in commands() {
        Stub::all(names, taken, source, command).iter().for_each(|stub| stub.processor(out));
    }
    out.push_str("#elif CX_ON_HART && !defined CX_XCMD_SOFTWARE\n");
    lookups(out, names, interface, |fallback, data| {
        let funct3 = fallback.lun();
        let (rs2, input) = data.map_or(("x0", String::new()), |data| ("%2", format!(", \"r\"((cx_reg_t){data})")));
        format!(
            "    cx_cookie_t cookie;\n    cx_reg_t id = (cx_reg_t)((cx_word_t){}) << 12 | (device & 0xFFFu);\n    \
             __asm__(\".insn r \" CX_XCMD_TEXT(CX_XCMD_OPCODE) \", {funct3}, 1, %0, %1, {rs2}\" : \"=r\"(cookie.bits) : \
             \"r\"(id){input});\n    return cookie;\n",
            xintf(names, source)
        )
    });
    for command in commands() {
        Stub::all(names, taken, source, command).iter().for_each(|stub| stub.instruction(out));
    }
    out.push_str("#else\n");
    // A device has one state for all who use it; the software functions want to be told which.
    let software = source.state.is_none();
    lookups(out, names, interface, |fallback, data| {
        let none = format!("0x{:X}u", fallback.lun());
        let found =
            data.map_or("CX_LUN_SOFTWARE".to_owned(), |data| format!("(cx_word_t)({data} << 12 | CX_LUN_SOFTWARE)"));
        if software {
            format!("    cx_cookie_t cookie = {{(device & 0xFFFu) == 0 ? {found} : {none}}};\n    return cookie;\n")
        } else {
            let unused = data.map_or(String::new(), |data| format!("    (void){data};\n"));
            format!("    cx_cookie_t cookie = {{{none}}};\n    (void)device;\n{unused}    return cookie;\n")
        }
    });
    for command in commands() {
        Stub::all(names, taken, source, command).iter().for_each(|stub| stub.software(out, names, source));
    }
    out.push_str("#endif\n");
}

/// The macro with the interface's id at one XLEN.
fn xintf(names: &Names, source: &Section) -> String {
    names.member(if source.xlen == 64 { "xintf52" } else { "xintf" })
}

/// `xext` and its variants, for an interface that has an id to be found by. The body gets the name of the data, of
/// variants that take some.
fn lookups(out: &mut String, names: &Names, interface: &Interface, body: impl Fn(Fallback, Option<&str>) -> String) {
    if interface.xintf.is_none() {
        return;
    }
    for fallback in Fallback::ALL {
        let otherwise = match fallback {
            Fallback::Trap => "commands trap",
            Fallback::Zero => "commands give 0",
            Fallback::MinusOne => "commands give -1",
        };
        comment(out, &format!("The default device is number 0. If there is no such device, {otherwise}."));
        let mnemonic = fallback.mnemonic();
        let name = names.member(mnemonic);
        let _ = writeln!(out, "static inline cx_cookie_t {name}(uint32_t device)\n{{\n{}}}", body(fallback, None));
        let about = "The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count.";
        comment(out, about);
        let name = names.lookup_with(mnemonic);
        let _ = writeln!(
            out,
            "static inline cx_cookie_t {name}(uint32_t device, cx_word_t data)\n{{\n{}}}",
            body(fallback, Some("data"))
        );
    }
}

/// The C type and the name of a parameter.
type Param<'a> = (Cow<'static, str>, Cow<'a, str>);

/// A stub of one command.
#[derive(Clone)]
struct Stub<'a> {
    command: &'a Command,
    name: String,
    /// Whether the first operand is the cookie's data, and no parameter.
    of_cookie: bool,
    xlen: u32,
    /// The names of cookie, operands and result register.
    cookie: Cow<'a, str>,
    params: Vec<Param<'a>>,
    register: Cow<'a, str>,
    result: Option<(Cow<'static, str>, Edge)>,
}

impl<'a> Stub<'a> {
    fn new(names: &Names, taken: &Rc<Scope<'a>>, source: &Section, command: &'a Command) -> Stub<'a> {
        let mut scope = Scope::inside(taken);
        let operand = |o: &'a Operand| (type_name(names, source, &o.ty), scope.fresh(local(&o.name)));
        let params = command.operands.iter().map(operand).collect();
        Stub {
            command,
            name: names.xcmd(command),
            of_cookie: false,
            xlen: source.xlen,
            params,
            cookie: scope.fresh("cookie"),
            register: scope.fresh("rd"),
            result: command.result.as_ref().map(|ty| (type_name(names, source, ty), lapis_cx::lower::edge(ty))),
        }
    }

    /// The stub that takes all operands, and the one that leaves the cookie as it is.
    fn all(names: &Names, taken: &Rc<Scope<'a>>, source: &'a Section, command: &'a Command) -> Vec<Stub<'a>> {
        let stub = Stub::new(names, taken, source, command);
        let of_cookie = has_cookie_stub(command).then(|| Stub {
            name: names.xcmd_of_cookie(command),
            of_cookie: true,
            ..stub.clone()
        });
        std::iter::once(stub).chain(of_cookie).collect()
    }

    /// Operands with their parameters; those that are none, without.
    fn operands(&self) -> impl Iterator<Item = (&'a Operand, Option<&Param<'a>>)> {
        let is_param = |o: &Operand| !self.of_cookie || o.slot != Slot::Rs1;
        self.command.operands.iter().zip(&self.params).map(move |(o, param)| (o, is_param(o).then_some(param)))
    }

    /// The operand in a place as an expression of a whole register, if it is a parameter.
    fn operand(&self, slot: Slot, cast: impl Fn(Edge) -> &'static str) -> Option<String> {
        let (operand, param) = self.operands().find(|(o, _)| o.slot == slot)?;
        param.map(|(_, name)| format!("{}{name}", cast(lapis_cx::lower::edge(&operand.ty))))
    }

    /// The name of the operand in a place, if it is a parameter.
    fn in_slot(&self, slot: Slot) -> Option<&str> {
        self.operands().find(|(o, _)| o.slot == slot)?.1.map(|(_, name)| &**name)
    }

    fn head(&self, out: &mut String) {
        let note = match self.in_slot(Slot::Rs1) {
            Some(data) => format!("`{data}` takes the place of the cookie's data."),
            None if self.of_cookie => {
                let first = self.command.operands.iter().find(|o| o.slot == Slot::Rs1);
                format!("The cookie's data is `{}`.", first.map_or("", |o| &o.name))
            }
            None => "The device gets the cookie's data.".to_owned(),
        };
        comment(out, &format!("{}\n{note}", self.command.docs.trim()));
        let params = self.operands().filter_map(|(_, param)| param);
        let params: String = params.map(|(ty, name)| format!(", {ty} {name}")).collect();
        let ty = self.result.as_ref().map_or("void", |(ty, _)| ty);
        let _ = writeln!(out, "static inline {ty} {}(cx_cookie_t {}{params})\n{{", self.name, self.cookie);
    }

    /// A register as the stub returns it.
    fn value(&self, register: &str) -> Option<String> {
        self.result.as_ref().map(|(ty, edge)| match edge {
            Edge::Bool => format!("({register} & 1u) != 0"),
            _ => format!("({ty}){register}"),
        })
    }

    /// rs1: the cookie, with an operand in the place of its data.
    fn rs1(&self, cast: impl Fn(Edge) -> &'static str) -> String {
        let cookie = &self.cookie;
        match self.operand(Slot::Rs1, cast) {
            Some(data) => format!("cx_cookie_with({cookie}, {data}).bits"),
            None => format!("{cookie}.bits"),
        }
    }

    /// Calls the processor in software.
    fn processor(&self, out: &mut String) {
        self.head(out);
        // The data of a signed operand by its sign.
        let word = |_| "(cx_word_t)";
        let rs2 = self.operand(Slot::Rs2, word).unwrap_or_else(|| "0".to_owned());
        let call = format!("cx_cpu_xcmd({}u, {}, {rs2})", self.command.id, self.rs1(word));
        let _ = match self.value(&self.register) {
            Some(value) => {
                writeln!(out, "    cx_word_t {} = {call};\n    return {value};\n}}", self.register)
            }
            None => writeln!(out, "    (void){call};\n}}"),
        };
    }

    fn instruction(&self, out: &mut String) {
        self.head(out);
        let Stub { register, .. } = self;
        let cast = |edge| to_operand_register(edge, self.xlen);
        let in_cookie = |edge| match edge {
            Edge::Unsigned(32) if self.xlen == 64 => "(cx_word_t)(int32_t)",
            _ => "(cx_word_t)",
        };
        let mut inputs = vec![format!("\"r\"((cx_reg_t){})", self.rs1(in_cookie))];
        let value = self.value(register);
        let first = usize::from(value.is_some());
        let rd = if value.is_some() { "%0" } else { "x0" };
        let rs2 = self.operand(Slot::Rs2, cast).map_or("x0".to_owned(), |operand| {
            inputs.push(format!("\"r\"({operand})"));
            format!("%{}", first + 1)
        });
        if value.is_some() {
            let _ = writeln!(out, "    cx_reg_t {register};");
        }
        let output = if value.is_some() { format!("\"=r\"({register})") } else { String::new() };
        let _ = writeln!(
            out,
            "    __asm__ volatile(\".insn r \" CX_XCMD_TEXT(CX_XCMD_OPCODE) \", {}, 0, {rd}, %{first}, {rs2}\" : {output} : {});",
            self.command.id,
            inputs.join(", ")
        );
        if let Some(value) = value {
            let _ = writeln!(out, "    return {value};");
        }
        out.push_str("}\n");
    }

    /// What the stub with all operands gets: a parameter, or the data of the cookie.
    fn argument(&self, operand: &Operand, param: Option<&Param<'a>>) -> String {
        let data = format!("cx_cookie_data({})", self.cookie);
        match (param, lapis_cx::lower::edge(&operand.ty)) {
            (Some((_, name)), _) => name.clone().into_owned(),
            (None, Edge::Bool) => format!("({data} & 1u) != 0"),
            (None, edge) => format!("({}){data}", crate::expr::edge_type(edge)),
        }
    }

    fn software(&self, out: &mut String, names: &Names, source: &Section) {
        self.head(out);
        let Stub { cookie, register, .. } = self;
        let value = self.value(register);
        if self.of_cookie {
            let args: Vec<String> = self.operands().map(|(o, param)| self.argument(o, param)).collect();
            let give = if value.is_some() { "return " } else { "" };
            let _ = writeln!(out, "    {give}{}({cookie}, {});\n}}", names.xcmd(self.command), args.join(", "));
            return;
        }
        let stop = match &value {
            Some(value) => format!("cx_word_t {register} = cx_lun_value({cookie});\n        return {value};"),
            None => format!("(void)cx_lun_value({cookie});\n        return;"),
        };
        if source.state.is_some() {
            // No lookup gives a device.
            self.params.iter().for_each(|(_, name)| {
                let _ = writeln!(out, "    (void){name};");
            });
            let _ = writeln!(out, "    {{\n        {stop}\n    }}\n}}");
            return;
        }
        let _ = writeln!(out, "    if (cx_cookie_lun({cookie}) != CX_LUN_SOFTWARE) {{\n        {stop}\n    }}");
        let mut args: Vec<&str> = self.params.iter().map(|(_, name)| &**name).collect();
        if !lapis_cx::lower::can_trap(self.command) {
            let call = format!("{}({})", names.software(&self.command.name), args.join(", "));
            let give = if value.is_some() { "return " } else { "" };
            let _ = writeln!(out, "    {give}{call};\n}}");
            return;
        }
        let status = format!("{cookie}_status");
        let status_argument = format!("&{status}");
        args.push(&status_argument);
        let call = format!("{}({})", names.software_with_status(&self.command.name), args.join(", "));
        let (keep, give) = match &self.result {
            Some((ty, _)) => (format!("{ty} {register} = "), format!("    return {register};\n")),
            None => (String::new(), String::new()),
        };
        let _ = writeln!(
            out,
            "    uint32_t {status};\n    {keep}{call};\n    if ({status} == CX_RESPONSE_TRAP) {{\n        CX_XCMD_TRAP();\n    }}\n{give}}}"
        );
    }
}
