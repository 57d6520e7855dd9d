//! How C programs use an interface: a program, and lines for each command and CSR.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::backend::{Snippet, Usage};
use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Command, Csr, Form, Interface, Operand, Section, Semantics, Sharing};
use lapis_cx::int::Int;
use lapis_cx::lower::ir::Edge;
use lapis_cx::usage::{self, Call, Failures, Way};
use lapis_cx_core::encoding::Fallback;

use crate::header::type_name;
use crate::naming::{CsrAccess, Names, Scope, local};
use crate::stub::{self, Spelling};

/// How programs use an interface; `None` if nothing reaches it.
pub fn usage(interface: &Interface) -> Option<Usage> {
    let way = Way::of(interface).filter(|_| !interface.is_abstract)?;
    let names = Names::new(interface);
    let c = Writer { interface, way, taken: names.taken(interface), names };
    Some(Usage {
        language: "C",
        syntax: "c",
        files: vec![c.names.header(), c.names.fallback()],
        program: c.program(),
        note: String::new(),
        commands: usage::commands(interface)
            .into_iter()
            .map(|(section, command)| Snippet { name: command.name.clone(), code: c.command(section, command) })
            .collect(),
        csrs: usage::csrs(interface)
            .into_iter()
            .map(|(_, csr)| Snippet { name: csr.name.clone(), code: c.csr(csr) })
            .collect(),
    })
}

/// What all of it is written with.
struct Writer<'a> {
    interface: &'a Interface,
    way: Way,
    names: Names,
    taken: Rc<Scope<'static>>,
}

impl Writer<'_> {
    /// The C type that holds what has, at each XLEN, the type given for its section.
    fn ty<'t>(&self, of: impl Fn(&'t Section) -> Option<&'t Type>) -> Cow<'static, str>
    where
        Self: 't,
    {
        let interface: &'t Interface = self.interface;
        let all: Vec<(u32, &Type, Cow<'static, str>)> = interface
            .sections
            .iter()
            .filter_map(|section| of(section).map(|ty| (section.xlen, ty, type_name(&self.names, section, ty))))
            .collect();
        let words = all.iter().all(|(xlen, _, name)| *name == format!("uint{xlen}_t"));
        if words && all.len() > 1 {
            return "cx_word_t".into();
        }
        all.into_iter().max_by_key(|(_, ty, _)| ty.width()).map_or("void".into(), |(_, _, name)| name)
    }

    fn result(&self, command: &Command) -> Cow<'static, str> {
        self.ty(|section| section.command(&command.name)?.result.as_ref())
    }

    fn program(&self) -> String {
        let mut out = String::new();
        if let [section] = self.interface.sections.as_slice()
            && section.xlen == 32
        {
            out.push_str("/* For registers of 32 bits: where pointers are longer, build with -DCX_XLEN=32. */\n");
        }
        if self.way == Way::Cx {
            out.push_str("#include \"cx.h\"\n");
        }
        let _ = writeln!(out, "#include \"{}.h\"\n#include <stdio.h>\n", self.names.stem);
        self.bodies(&mut out);
        out.push_str("int main(void) {\n");
        match self.way {
            Way::Cx => self.cx(&mut out),
            Way::Device => self.device(&mut out),
        }
        out.push_str("    return 0;\n}\n");
        out
    }

    fn cx(&self, out: &mut String) {
        let sections = &self.interface.sections;
        if sections.iter().all(|s| !s.commands.is_empty() || !s.csrs.is_empty()) {
            let cxu = self.names.member("soft_cxu");
            let _ = writeln!(out, "    cx_soft_register(&{cxu}); /* without hardware: the generated fallback */");
        }
        let exclusive = |s: &Section| s.state.as_ref().is_some_and(|state| state.sharing == Sharing::Exclusive);
        let flags = if sections.iter().any(exclusive) { "cx_open_exclusive" } else { "cx_open_shared" };
        let _ = writeln!(
            out,
            "    cx_sel_t sel = cx_open(&{}, {flags});\n    if (!cx_sel_is_cx(sel)) {{\n        fprintf(stderr, \"no {} here: \
             %s\\n\", cx_last_error_string());\n        return 1;\n    }}\n    cx_sel_t outer = cx_select(sel);",
            self.names.member("uuid"),
            self.interface.name
        );
        for call in usage::calls(self.interface) {
            self.call(out, &call, |command| stub::spellings(&self.names, command).into_iter().next(), None);
        }
        if let Some(csr) = usage::only_csr(self.interface) {
            let read = self.names.csr(&csr.name, CsrAccess::Read);
            let _ = writeln!(out, "    printf(\"%llu\\n\", (unsigned long long){read}());");
        }
        out.push_str("    cx_select(outer);\n    cx_close(sel);\n");
    }

    fn device(&self, out: &mut String) {
        let lookup = self.names.member(Fallback::Trap.mnemonic());
        let _ = writeln!(
            out,
            "    /* The default device; without hardware, the generated fallback. */\n    cx_cookie_t device = {lookup}(0);\n    \
             if (!cx_cookie_is_device(device)) {{\n        fprintf(stderr, \"no {} here\\n\");\n        return 1; /* commands to \
             it would trap */\n    }}",
            self.interface.name
        );
        for call in usage::calls(self.interface) {
            self.call(out, &call, |command| Some(self.sent(command)), Some("device"));
        }
    }

    /// The stub of a command as an overloadable opcode.
    fn sent<'c>(&self, command: &'c Command) -> Spelling<'c> {
        Spelling { name: self.names.xcmd(command), has_result: command.result.is_some(), constant: None }
    }

    /// A line of a program that issues a command and prints what it gives.
    fn call<'c>(
        &'c self,
        out: &mut String,
        call: &Call,
        spelling: impl Fn(&'c Command) -> Option<Spelling<'c>>,
        before: Option<&str>,
    ) {
        let found = usage::commands(self.interface).into_iter().find(|(_, command)| command.name == call.command);
        let Some((section, command)) = found else { return };
        let Some(spelling) = spelling(command) else { return };
        let values = command.operands.iter().zip(&call.values).map(|(o, value)| self.value(section, &o.ty, value));
        let list: Vec<String> = before.map(str::to_owned).into_iter().chain(values).collect();
        let text = format!("{}({})", spelling.name, list.join(", "));
        let said = match &call.result {
            Some(result) if spelling.has_result => format!(" /* {result} */"),
            _ => String::new(),
        };
        let Some(ty) = command.result.as_ref().filter(|_| spelling.has_result) else {
            let _ = writeln!(out, "    {text};");
            return;
        };
        let wide = self.interface.sections.iter().any(|s| {
            let ty = s.command(&command.name).and_then(|c| c.result.as_ref());
            ty.is_some_and(|ty| ty.width() > 32)
        });
        let (format, cast) = match (lapis_cx::lower::edge(ty), wide) {
            (Edge::Bool, _) => ("%d", ""),
            (Edge::Unsigned(_), false) => ("%lu", "(unsigned long)"),
            (Edge::Unsigned(_), true) => ("%llu", "(unsigned long long)"),
            (Edge::Signed(_), false) => ("%ld", "(long)"),
            (Edge::Signed(_), true) => ("%lld", "(long long)"),
        };
        let _ = writeln!(out, "    printf(\"{format}\\n\", {cast}{text});{said}");
    }

    /// A constant of a type.
    fn value(&self, section: &Section, ty: &Type, value: &Int) -> String {
        let case = match ty {
            Type::Enum { id, width } if *width <= 64 => section.enums.get(id.index()).and_then(|def| {
                let case = def.cases.iter().find(|case| case.pattern == *value)?;
                Some(self.names.case(&def.name, &case.name))
            }),
            _ => None,
        };
        match (ty, case) {
            (_, Some(case)) => case,
            (Type::Bool, _) => if value.is_zero() { "false" } else { "true" }.to_owned(),
            _ => match value.to_u64() {
                Some(large) if large > 9999 => format!("0x{large:X}"),
                _ => value.to_string(),
            },
        }
    }

    /// The bodies that the interface leaves open, to be written.
    fn bodies(&self, out: &mut String) {
        for (_, command) in usage::commands(self.interface) {
            let one = |section: &Section| {
                let command = section.command(&command.name).filter(|c| c.semantics == Semantics::Opaque)?;
                Some(self.body(section, command))
            };
            let texts: Vec<(u32, Option<String>)> =
                self.interface.sections.iter().map(|section| (section.xlen, one(section))).collect();
            match texts.as_slice() {
                [(_, Some(text))] => out.push_str(text),
                [(_, Some(text)), (_, Some(other))] if text == other => out.push_str(text),
                texts => {
                    for (xlen, text) in texts {
                        if let Some(text) = text {
                            let _ = writeln!(out, "#if CX_XLEN == {xlen}\n{}\n#endif", text.trim_end());
                        }
                    }
                    if texts.iter().any(|(_, text)| text.is_some()) {
                        out.push('\n');
                    }
                }
            }
        }
    }

    fn body(&self, section: &Section, command: &Command) -> String {
        let word = format!("uint{}_t", section.xlen);
        let ty = |ty: &Type| match type_name(&self.names, section, ty) {
            name if name == word && self.interface.sections.len() > 1 => "cx_word_t".into(),
            name => name,
        };
        let mut scope = Scope::inside(&self.taken);
        let mut params = Vec::new();
        let operands: Vec<_> = command.operands.iter().map(|o| (ty(&o.ty), scope.fresh(local(&o.name)))).collect();
        if section.state.is_some() {
            params.push((format!("{} *", self.names.member("state")), scope.fresh("st")));
        }
        params.extend(operands.into_iter().map(|(ty, name)| (format!("{ty} "), name)));
        let status = scope.fresh("status");
        let mut list: Vec<String> = params.iter().map(|(ty, name)| format!("{ty}{name}")).collect();
        list.push(format!("uint32_t *{status}"));
        let result = command.result.as_ref().map_or("void".into(), ty);
        let mut text = format!(
            "/* The interface leaves this open: whoever links the fallback writes it. */\n{result} {}({}) {{\n",
            self.names.body(&command.name),
            list.join(", ")
        );
        for (_, name) in &params {
            let _ = writeln!(text, "    (void){name};");
        }
        let _ = writeln!(text, "    *{status} = CX_RESPONSE_FUNC; /* there is nothing yet */");
        if command.result.is_some() {
            text.push_str("    return 0;\n");
        }
        text.push_str("}\n\n");
        text
    }

    /// The lines that issue a command.
    fn command(&self, section: &Section, command: &Command) -> String {
        let mut scope = Scope::inside(&self.taken);
        let operands: Vec<Cow<'_, str>> = command.operands.iter().map(|o| scope.fresh(local(&o.name))).collect();
        let mut out = String::new();
        let spellings = stub::spellings(&self.names, command);
        let failures = Failures::of(section, command);
        let flags = failures.flags();
        let checked = !spellings.is_empty() && !failures.is_empty();
        if checked {
            let _ = writeln!(out, "cx_status_clear({});", flags);
        }
        let result = scope.fresh("result");
        let mut declared = HashSet::new();
        let mut line = |spelling: &Spelling<'_>, before: Option<&str>| {
            let names = before.into_iter().chain(operands.iter().map(|name| &**name));
            let list: Vec<&str> = names.collect();
            let call = format!("{}({});", spelling.name, list.join(", "));
            let target = match spelling.has_result {
                true if declared.insert(()) => format!("{} {result} = ", self.result(command)),
                true => format!("{result} = "),
                false => String::new(),
            };
            let note = spelling.constant.map(|constant| self.note(command, constant, &operands));
            format!("{target}{call}{}\n", note.unwrap_or_default())
        };
        let mut lines: String = spellings.iter().map(|spelling| line(spelling, None)).collect();
        if command.forms.contains(&Form::Xcmd) && self.interface.xintf.is_some() {
            let device = scope.fresh("device");
            let lookup = self.names.member(Fallback::Trap.mnemonic());
            let _ = writeln!(lines, "cx_cookie_t {device} = {lookup}(0);");
            lines.push_str(&line(&self.sent(command), Some(&*device)));
        }
        out.push_str(&lines);
        if checked {
            self.failures(&mut out, section, &failures);
        }
        out
    }

    /// Says of an operand that it is a constant.
    fn note(&self, command: &Command, constant: &Operand, names: &[Cow<'_, str>]) -> String {
        let place = command.operands.iter().position(|o| std::ptr::eq(o, constant));
        let name = place.and_then(|place| names.get(place)).map_or("", |name| name);
        format!(" /* {name} is a constant */")
    }

    /// What is seen of a command that raised something.
    fn failures(&self, out: &mut String, section: &Section, failures: &Failures<'_>) {
        let mut seen = |condition: String, what: String| {
            let _ = writeln!(out, "if ({condition}) {{\n    /* {what} */\n}}");
        };
        if failures.anything {
            seen(format!("cx_status_read() & ({})", failures.flags()), "its body raised an error".to_owned());
            return;
        }
        if failures.op {
            seen("cx_status_read() & CX_STATUS_OP".to_owned(), "it raised `op`".to_owned());
        }
        let status = section
            .commands
            .iter()
            .find(|c| matches!(c.semantics, Semantics::Standard(lapis_cx::contract::Standard::ReadStatus)));
        let raised = |name: &str| format!("it raised `{name}`");
        match status {
            Some(command) => failures.declared.iter().for_each(|error| {
                let (read, code) = (self.names.member(&command.name), self.names.error(&error.name));
                let shift = lapis_cx::contract::layout::status::ERROR_SHIFT;
                seen(
                    format!("(cx_status_read() & CX_STATUS_CU) && ({read}() >> {shift}) == {code}"),
                    raised(&error.name),
                );
            }),
            None if failures.declared.is_empty() => {}
            None => {
                let names: Vec<String> = failures.declared.iter().map(|error| format!("`{}`", error.name)).collect();
                seen("cx_status_read() & CX_STATUS_CU".to_owned(), format!("it raised {}", names.join(" or ")));
            }
        }
    }

    /// The lines that access a CSR.
    fn csr(&self, csr: &Csr) -> String {
        let mut scope = Scope::inside(&self.taken);
        let mut out = String::new();
        let word = scope.fresh("word");
        let access = |access| self.names.csr(&csr.name, access);
        let _ = writeln!(out, "cx_word_t {word} = {}();", access(CsrAccess::Read));
        let mut changes = String::new();
        let writable = crate::csr::accesses(csr).contains(&CsrAccess::Write);
        let mut bits = None;
        for field in &csr.fields {
            let ty = self.ty(|s| {
                let csr = s.csrs.iter().find(|c| c.name == csr.name)?;
                csr.fields.iter().find(|f| f.name == field.name).map(|f| &f.ty)
            });
            let name = scope.fresh(local(&field.name));
            let part = |part| self.names.csr_field(&csr.name, &field.name, part);
            let _ = writeln!(out, "{ty} {name} = {}({word});", part("get"));
            if writable {
                let _ = writeln!(changes, "{word} = {}({word}, {name});", part("put"));
                bits.get_or_insert_with(|| part("mask"));
            }
        }
        if writable {
            let before = scope.fresh("before");
            let _ = writeln!(changes, "{}({word});", access(CsrAccess::Write));
            let _ = writeln!(changes, "cx_word_t {before} = {}({word});", access(CsrAccess::Swap));
            let bits = bits.unwrap_or_else(|| word.to_string());
            for kind in [CsrAccess::Set, CsrAccess::Clear] {
                let _ = writeln!(changes, "{before} = {}({bits});", access(kind));
            }
            out.push_str(&changes);
        }
        out
    }
}
