//! How Rust programs use an interface: a program, and lines for each command and CSR.

use std::fmt::Write;

use lapis_cx::backend::{Snippet, Usage};
use lapis_cx::contract::core::Type;
use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{Command, Csr, Form, Interface, Section, Semantics, Sharing};
use lapis_cx::int::Int;
use lapis_cx::lower::ir::Edge;
use lapis_cx::usage::{self, Call, Failures, Way};
use lapis_cx_core::encoding::Fallback;

use crate::csr::Kind;
use crate::method::{self, Method, Value};
use crate::naming::{self, BODIES, ERROR, RAISED, SELECTED, SOFT, SOFT_CXU, STATE, Scope};
use crate::xcmd;

/// How programs use an interface; `None` if nothing reaches it.
pub fn usage(interface: &Interface) -> Option<Usage> {
    let way = Way::of(interface).filter(|_| !interface.is_abstract)?;
    let rust = Writer { interface, way, module: naming::module(interface), name: naming::type_name(&interface.name) };
    Some(Usage {
        language: "Rust",
        syntax: "rust",
        files: vec![naming::file(interface)],
        program: rust.program(),
        note: rust.note(),
        commands: usage::commands(interface)
            .into_iter()
            .map(|(section, command)| Snippet { name: command.name.clone(), code: rust.command(section, command) })
            .collect(),
        csrs: usage::csrs(interface)
            .into_iter()
            .map(|(_, csr)| Snippet { name: csr.name.clone(), code: rust.csr(csr) })
            .collect(),
    })
}

/// The guard in lines that issue commands to the selected CX, unless an operand has that name.
pub const GUARD: &str = "selected";
/// What sends commands to devices, in the same way.
pub const XCMDS: &str = "xcmds";
/// The type of a program that has the bodies.
const MINE: &str = "Mine";
/// The type of a program that is as wide as a register.
const WORD: &str = "Word";

/// What all of it is written with.
struct Writer<'a> {
    interface: &'a Interface,
    way: Way,
    module: String,
    /// The name of the trait.
    name: String,
}

impl Writer<'_> {
    fn is_stateful(&self) -> bool {
        self.interface.sections.iter().any(|section| section.state.is_some())
    }

    fn is_open(&self) -> bool {
        let mut commands = self.interface.sections.iter().flat_map(|section| &section.commands);
        commands.any(|command| command.semantics == Semantics::Opaque)
    }

    /// The methods of a section: those of the trait, and those of a device.
    fn methods(&self, section: &Section) -> (Vec<Method>, Vec<Method>) {
        let own = method::methods(self.interface, section);
        let sent = xcmd::methods(self.interface, section, &own);
        (own, sent)
    }

    fn program(&self) -> String {
        let mut out = String::new();
        if let [section] = self.interface.sections.as_slice()
            && section.xlen == 32
        {
            out.push_str("// For registers of 32 bits, on any host.\n");
        }
        let file = naming::file(self.interface);
        let stem = naming::file_stem(self.interface);
        if naming::stem(&self.module) != stem {
            let _ = writeln!(out, "#[path = \"{stem}.rs\"]");
        }
        let _ = writeln!(
            out,
            "mod {0}; // a copy of the generated {file}, beside this file\n// or, if build.rs makes it: mod {0} {{ \
             {1}::include_spec!(\"{stem}\"); }}\n",
            self.module,
            self.krate()
        );
        match self.way {
            Way::Cx => self.cx(&mut out),
            Way::Device => self.device(&mut out),
        }
        out
    }

    /// The crate that such a program depends on.
    fn krate(&self) -> &'static str {
        match self.way {
            Way::Cx => "lapis_cx_runtime",
            Way::Device => "lapis_cx_core",
        }
    }

    /// How to write for both widths of registers, if the types of the trait differ.
    fn note(&self) -> String {
        let own = |section: &Section| self.methods(section).0;
        let values = |method: &Method| -> Vec<String> {
            let operands = method.operands.iter().map(|operand| operand.value.ty().to_string());
            operands.chain(method.result.as_ref().map(|result| result.ty().to_string())).collect()
        };
        // Those of every interface with state are seldom called.
        let is_standard = |section: &Section, method: &Method| {
            let is_it =
                |command: &Command| command.id == method.id && matches!(command.semantics, Semantics::Standard(_));
            section.commands.iter().any(is_it)
        };
        let differ = match self.interface.sections.as_slice() {
            [narrow, wide] => {
                let others = own(wide);
                let same_name = |method: &Method| others.iter().find(|other| other.name == method.name).map(values);
                let differs = |method: &Method| same_name(method).is_some_and(|types| types != values(method));
                own(narrow).iter().any(|method| !is_standard(narrow, method) && differs(method))
            }
            _ => false,
        };
        // Without a software CXU that needs nothing else there is no name for the word.
        if !differ || self.way != Way::Cx || self.is_open() {
            return String::new();
        }
        format!(
            "A `word` is a `u32` in Rust if registers have 32 bits, and a `u64` if they have 64; on a host that is no RISC-V \
             as pointers are. Numbers such as `3`, and narrower values with `.into()`, fit both. Code for both names the \
             type:\n\n```rust\ntype {WORD} = <{0}::{SOFT_CXU} as lapis_cx_runtime::RustCxu>::Word;\n```\n\nThe \
             modules `{0}::xlen32` and `{0}::xlen64` are both there on every target.",
            self.module
        )
    }

    /// The line that brings the methods of the trait into scope.
    fn import(&self) -> String {
        // Names of the program come first.
        let hidden = if ["OpenFlags", MINE, WORD].contains(&self.name.as_str()) { " as _" } else { "" };
        format!("use {}::{}{hidden};\n", self.module, self.name)
    }

    /// The name of a fallback, with the bodies of the program if it takes some.
    fn with_bodies(&self, name: &str, before: &str) -> String {
        let bodies = if self.is_open() { format!("{before}<{MINE}>") } else { String::new() };
        format!("{}::{name}{bodies}", self.module)
    }

    fn cx(&self, out: &mut String) {
        let (calls, csr) = (usage::calls(self.interface), usage::only_csr(self.interface));
        let mut imports = vec!["use lapis_cx_runtime::{Error, OpenFlags, open, register_rust};\n".to_owned()];
        if !calls.is_empty() || csr.is_some() {
            imports.push(self.import());
        }
        imports.sort();
        out.push_str(&imports.concat());
        out.push('\n');
        self.bodies(out);
        let module = &self.module;
        let exclusive = |s: &Section| s.state.as_ref().is_some_and(|state| state.sharing == Sharing::Exclusive);
        let flags = if self.interface.sections.iter().any(exclusive) { "EXCLUSIVE" } else { "SHARED" };
        let cxu = self.with_bodies(SOFT_CXU, "");
        let _ = writeln!(
            out,
            "fn main() -> Result<(), Error> {{\n    register_rust::<{cxu}>()?; // without hardware: the generated \
             fallback\n    let cx = open({module}::UUID, OpenFlags::{flags})?;"
        );
        let mut body = String::new();
        calls.iter().for_each(|call| self.call(&mut body, call, GUARD));
        if let Some(csr) = csr {
            let _ =
                writeln!(body, "    println!(\"{{}}\", {GUARD}.{}().0);", naming::csr_method(&csr.name, Kind::Read));
        }
        let mutable = if self.is_stateful() && !calls.is_empty() { "mut " } else { "" };
        let unused = if body.is_empty() { "_" } else { "" };
        let _ = writeln!(
            out,
            "    let {mutable}{unused}{GUARD} = {module}::{SELECTED}::new(cx.select()); // selected until it is \
             dropped\n{body}    Ok(())\n}}"
        );
    }

    fn device(&self, out: &mut String) {
        out.push_str(&self.import());
        out.push('\n');
        self.bodies(out);
        let (module, name) = (&self.module, &self.name);
        let lookup = Fallback::Trap.mnemonic();
        let soft = self.with_bodies(SOFT, "::");
        let hart = "any(target_arch = \"riscv32\", target_arch = \"riscv64\")";
        // A type of the program may hide the trait.
        let name = if [MINE, WORD].contains(&name.as_str()) { format!("{module}::{name}") } else { name.clone() };
        let _ = writeln!(
            out,
            "/// The default device.\n#[cfg({hart})]\nfn device() -> Option<impl {name}> {{\n    let device = \
             {module}::{lookup}(lapis_cx_core::XcmdOnHart::new(), 0);\n    device.cookie.is_device().then_some(device)\n}}\n\n\
             /// Without hardware, the generated fallback.\n#[cfg(not({hart}))]\nfn device() -> Option<impl {name}> {{\n    \
             Some({soft}::default())\n}}\n"
        );
        let calls = usage::calls(self.interface);
        let mutable = if self.is_stateful() && !calls.is_empty() { "mut " } else { "" };
        let unused = if calls.is_empty() { "_" } else { "" };
        let _ = writeln!(
            out,
            "fn main() {{\n    let Some({mutable}{unused}device) = device() else {{\n        eprintln!(\"no {} here\"); // commands \
             to it would trap\n        std::process::exit(1);\n    }};",
            self.interface.name
        );
        calls.iter().for_each(|call| self.call(out, call, "device"));
        out.push_str("}\n");
    }

    /// A line of a program that issues a command and prints what it gives.
    fn call(&self, out: &mut String, call: &Call, receiver: &str) {
        let found = usage::commands(self.interface).into_iter().find(|(_, command)| command.name == call.command);
        let Some((section, command)) = found else { return };
        let (own, _) = self.methods(section);
        let Some(method) = own.iter().find(|method| method.id == command.id) else { return };
        let values = command.operands.iter().zip(&call.values).zip(&method.operands);
        let (mut constant, mut list) = (String::new(), Vec::new());
        for ((operand, value), place) in values {
            match place.register {
                // A constant parameter is what an enum is made of.
                None => constant = format!("::<{}>", plain(&operand.ty, value)),
                Some(_) => list.push(self.value(section, &operand.ty, value)),
            }
        }
        let text = format!("{receiver}.{}{constant}({})", method.name, list.join(", "));
        let Some(result) = &method.result else {
            let _ = writeln!(out, "    {text};");
            return;
        };
        let inner = if result.is_enum() { ".0" } else { "" };
        let said = call.result.as_ref().map(|value| match result.edge {
            Edge::Bool if !result.is_enum() => format!(" // {}", !value.is_zero()),
            _ => format!(" // {value}"),
        });
        let _ = writeln!(out, "    println!(\"{{}}\", {text}{inner});{}", said.unwrap_or_default());
    }

    /// A value of a type.
    fn value(&self, section: &Section, ty: &Type, value: &Int) -> String {
        let Type::Enum { id, .. } = ty else { return plain(ty, value) };
        let Some(def) = section.enums.get(id.index()) else { return plain(ty, value) };
        let name = naming::type_name(&def.name);
        match def.cases.iter().find(|case| case.pattern == *value) {
            Some(case) => format!("{}::{name}::{}", self.module, naming::screaming(&case.name)),
            None => format!("{}::{name}({})", self.module, plain(ty, value)),
        }
    }

    /// The bodies that the interface leaves open, to be written.
    fn bodies(&self, out: &mut String) {
        if !self.is_open() {
            return;
        }
        let _ = writeln!(
            out,
            "/// What the interface leaves open: whoever builds the fallback writes it.\nstruct {MINE};\n"
        );
        let of_each = |word: &str| -> Vec<String> {
            self.interface.sections.iter().map(|section| self.bodies_of(section, word)).collect()
        };
        let is_one = |texts: &[String]| texts.windows(2).all(|pair| pair.first() == pair.last());
        let (plain, words) = (of_each(""), of_each(WORD));
        if is_one(&plain) {
            out.push_str(plain.first().map_or("", |text| text));
        } else if is_one(&words) {
            for section in &self.interface.sections {
                let xlen = section.xlen;
                let _ = writeln!(out, "#[cfg(target_pointer_width = \"{xlen}\")]\ntype {WORD} = u{xlen};");
            }
            let _ = write!(out, "\n{}", words.first().map_or("", |text| text));
        } else {
            let texts = self.interface.sections.iter().zip(&plain).filter(|(_, text)| !text.is_empty());
            texts.for_each(|(section, text)| {
                let _ = write!(out, "#[cfg(target_pointer_width = \"{}\")]\n{text}", section.xlen);
            });
        }
    }

    /// The bodies at one XLEN. Types of that many bits are called `word`, if that is a name.
    fn bodies_of(&self, section: &Section, word: &str) -> String {
        let module = &self.module;
        let ty = |ty: &Type| {
            let value = Value::new(section, ty);
            match value.ty().to_string() {
                name if value.is_enum() => format!("{module}::{name}"),
                name if !word.is_empty() && name == format!("u{}", section.xlen) => word.to_owned(),
                name => name,
            }
        };
        let mut text = String::new();
        for command in section.commands.iter().filter(|command| command.semantics == Semantics::Opaque) {
            let mut scope = Scope::default();
            let mut list = Vec::new();
            if section.state.is_some() {
                list.push(format!("_{}: &mut {module}::{STATE}", scope.fresh("state")));
            }
            for operand in &command.operands {
                let name = naming::snake(&operand.name);
                list.push(format!("_{}: {}", scope.fresh(naming::stem(&name)), ty(&operand.ty)));
            }
            let (result, into) = match &command.result {
                Some(result) => (format!("{0}, {module}::{RAISED}<{0}>", ty(result)), ".into()"),
                None => (format!("(), {module}::{ERROR}"), ""),
            };
            let _ = writeln!(
                text,
                "    fn {}({}) -> Result<{result}> {{\n        Err({module}::{ERROR}::Func{into}) // there is nothing yet\n    }}",
                naming::snake(&command.name),
                list.join(", ")
            );
        }
        if text.is_empty() { text } else { format!("impl {module}::{BODIES} for {MINE} {{\n{text}}}\n\n") }
    }

    /// The lines that issue a command.
    fn command(&self, section: &Section, command: &Command) -> String {
        let mut out = String::new();
        let (own, sent) = self.methods(section);
        let failures = Failures::of(section, command);
        if self.way == Way::Cx && command.forms.iter().any(|form| *form != Form::Xcmd) {
            out.push_str(&self.errors(&failures));
            for method in own.iter().filter(|method| method.id == command.id) {
                issue(&mut out, method, &receiver(command, GUARD), !failures.is_empty());
            }
        }
        if command.forms.contains(&Form::Xcmd) && self.interface.xintf.is_some() {
            let (xcmds, device) = (receiver(command, XCMDS), receiver(command, "device"));
            let mutable = if section.state.is_some() { "mut " } else { "" };
            let _ = writeln!(
                out,
                "let {mutable}{device} = {}::{}({xcmds}, 0); // on RISC-V {xcmds} is lapis_cx_core::XcmdOnHart::new()",
                self.module,
                Fallback::Trap.mnemonic()
            );
            for method in sent.iter().filter(|method| method.id == command.id) {
                issue(&mut out, method, &device, false);
            }
        }
        out
    }

    /// What a method that fails gives, a line of a comment for each error.
    fn errors(&self, failures: &Failures<'_>) -> String {
        let error = format!("{}::{ERROR}", self.module);
        let mut out = String::new();
        let mut add = |variant: &str, names: &str| {
            let _ = writeln!(out, "// Err({error}::{variant}) if it raised {names}");
        };
        if failures.anything {
            add("…", "something");
        }
        if failures.op {
            add("Op", "`op`");
        }
        let names = failures.declared.iter().map(|error| &error.name);
        if self.interface.state_context {
            names.for_each(|name| add(&naming::camel(name), &format!("`{name}`")));
        } else if !failures.declared.is_empty() {
            // Nobody can ask for the code.
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            add("Custom(0)", &names.join(" or "));
        }
        out
    }

    /// The lines that access a CSR.
    fn csr(&self, csr: &Csr) -> String {
        let mut out = String::new();
        let method = |kind| format!("{GUARD}.{}", naming::csr_method(&csr.name, kind));
        let _ = writeln!(out, "let word = {}();", method(Kind::Read));
        let mut scope = Scope::default();
        scope.reserve("word");
        let mut changed = String::new();
        for field in &csr.fields {
            let name = scope.fresh(&naming::snake(&field.name));
            let _ = writeln!(out, "let {name} = word.{}();", naming::snake(&field.name));
            let _ = write!(changed, ".{}({name})", naming::csr_with(&field.name));
        }
        if csr.access == Access::Ro {
            return out;
        }
        let _ = writeln!(out, "{}(word{changed});", method(Kind::Write));
        let _ = writeln!(out, "let before = {}(word);", method(Kind::Swap));
        let ty = format!("{}::csr::{}", self.module, naming::type_name(&csr.name));
        let bits = csr.fields.first().map(|field| format!("{ty}::{}", naming::csr_constant(&field.name, "MASK")));
        let bits = bits.unwrap_or_else(|| "word.0".to_owned());
        for kind in [Kind::Set, Kind::Clear] {
            let _ = writeln!(out, "let before = {}({bits});", method(kind));
        }
        let _ =
            writeln!(out, "{}::<1>(); // a constant of 5 bits goes into the instruction", method(Kind::WriteConstant));
        for kind in [Kind::SetConstant, Kind::ClearConstant] {
            let _ = writeln!(out, "let before = {}::<1>();", method(kind));
        }
        out
    }
}

/// The name of what a method is called on: this one, unless an operand has it.
fn receiver(command: &Command, name: &str) -> String {
    let mut scope = Scope::default();
    command.operands.iter().for_each(|operand| scope.reserve(naming::snake(&operand.name)));
    scope.free(name).to_string()
}

/// A number or a bool.
fn plain(ty: &Type, value: &Int) -> String {
    match (ty, value.to_u64()) {
        (Type::Bool, _) => (!value.is_zero()).to_string(),
        (_, Some(large)) if large > 9999 => format!("0x{large:X}"),
        _ => value.to_string(),
    }
}

/// A line that issues a command by a method.
fn issue(out: &mut String, method: &Method, receiver: &str, can_fail: bool) {
    let constant = method.constant().map(|constant| constant.name.to_string());
    let given = constant.as_ref().map(|name| format!("::<{name}>")).unwrap_or_default();
    let registers = method.operands.iter().filter(|o| o.register.is_some());
    let list: Vec<String> = registers.map(|o| o.name.to_string()).collect();
    let tried = method.tried.as_ref().filter(|_| can_fail);
    let name = tried.unwrap_or(&method.name);
    let target = if tried.is_some() || method.result.is_some() { "let result = " } else { "" };
    let note = constant.map(|name| format!(" // {name} is a constant")).unwrap_or_default();
    let _ = writeln!(out, "{target}{receiver}.{name}{given}({});{note}", list.join(", "));
}
