//! Items and members.

use std::fmt::Write;

use super::super::model::*;
use super::Printer;
use super::layout::Token;

impl Printer<'_> {
    pub(super) fn interface(&mut self, item: &Interface) {
        if item.is_abstract {
            self.put("abstract");
        }
        if item.uuid.is_some() {
            self.put("draft");
        }
        self.put("interface");
        self.name(item.name);
        let bases: Vec<String> = item.bases.iter().map(|base| self.names.get(*base).to_owned()).collect();
        for (i, base) in bases.into_iter().chain(item.has_context.then(|| "IStateContext".to_owned())).enumerate() {
            self.put(if i == 0 { ":" } else { "," });
            self.put(base);
        }
        self.end("{");
        match item.uuid {
            _ if item.is_abstract => {}
            Some(uuid) => {
                self.put("uuid");
                self.put(format!(
                    "\"{:08x}-{:04x}-{:04x}-{:04x}-{:012x}\"",
                    uuid >> 96,
                    uuid >> 80 & 0xFFFF,
                    uuid >> 64 & 0xFFFF,
                    uuid >> 48 & 0xFFFF,
                    uuid & 0xFFFF_FFFF_FFFF
                ));
                self.end(";");
            }
            None => {
                self.puts(&["uuid", "auto"]);
                self.end(";");
            }
        }
        if item.xintf && !item.is_abstract {
            self.puts(&["xintf", "auto"]);
            self.end(";");
        }
        if item.short && !item.is_abstract {
            let short: String = self.names.get(item.name).chars().filter(|c| c.is_ascii_alphanumeric()).collect();
            let short = format!("{}{}", short.to_lowercase(), self.names.package.replace('.', ""));
            self.put("short");
            self.put(short);
            self.end(";");
        }
        if let Some(refined) = item.refines {
            self.put("refines");
            self.name(refined);
            self.end(";");
        }
        if let Some(xlens) = &item.xlens {
            self.put("xlen");
            for (i, xlen) in xlens.iter().enumerate() {
                if i > 0 {
                    self.put(",");
                }
                self.put(xlen.to_string());
            }
            self.end(";");
        }
        item.members.iter().for_each(|m| self.member(m));
        self.end("}");
    }

    pub(super) fn member(&mut self, member: &Member) {
        self.doc();
        match member {
            Member::Const(item) => self.constant(item),
            Member::Function(item) => self.function(item),
            Member::Enum(item) => {
                self.put("enum");
                self.name(item.name);
                self.put(":");
                self.type_text(&TypeText::Plain(item.base.is_signed(), item.base.width()));
                self.put("{");
                for (i, (name, v)) in item.cases.iter().enumerate() {
                    if i > 0 {
                        self.put(",");
                    }
                    self.doc();
                    self.name(*name);
                    self.put("=");
                    self.int(v);
                }
                self.end("}");
            }
            Member::Error(name, code) => {
                self.put("error");
                self.name(*name);
                self.put("=");
                self.put(code.to_string());
                if code % 2 == 0 {
                    self.put(format!("\"error {code}\""));
                }
                self.end(";");
            }
            Member::State(state) => self.state(state),
            Member::Command(command) => self.command(command),
            Member::Example(example) => self.example(example),
            Member::Csr(csr) => self.csr(csr),
            Member::Law(law) => self.law(law),
        }
    }

    pub(super) fn law(&mut self, law: &Law) {
        self.put("law");
        self.name(law.name);
        self.params(&law.params);
        self.put(":");
        self.expr(&law.holds, 0);
        self.end(";");
    }

    pub(super) fn constant(&mut self, item: &Const) {
        self.put("const");
        self.name(item.name);
        if let Some(ty) = &item.ty {
            self.put(":");
            self.type_text(ty);
        }
        if let Some(init) = &item.init {
            self.put("=");
            self.expr(init, 0);
        }
        self.end(";");
    }

    pub(super) fn function(&mut self, item: &Function) {
        self.put("fn");
        self.name(item.name);
        if !item.generics.is_empty() {
            self.put("<");
            self.list(&item.generics, |p, name| p.name(*name));
            self.put(">");
        }
        self.params(&item.params);
        self.put("->");
        self.type_text(&item.result);
        self.block(&item.body);
        self.tokens.push(Token::Break);
    }

    fn params(&mut self, params: &[(Name, TypeText)]) {
        self.put("(");
        self.list(params, |p, (name, ty)| {
            p.name(*name);
            p.put(":");
            p.type_text(ty);
        });
        self.put(")");
    }

    fn state(&mut self, state: &State) {
        self.put("state");
        match state.live {
            None => self.put(state.sharing),
            Some((save, restore)) => {
                self.puts(&["shared", "(", "custom", ",", "save", ":"]);
                self.name(save);
                self.puts(&[",", "restore", ":"]);
                self.name(restore);
                self.put(")");
            }
        }
        if let Some(on) = state.ucontext {
            self.puts(&["@", "ucontext", "(", if on { "true" } else { "false" }, ")"]);
        }
        self.end("{");
        for (name, ty, reset) in &state.fields {
            self.doc();
            self.name(*name);
            self.put(":");
            self.type_text(ty);
            self.put("=");
            self.expr(reset, 0);
            self.end(";");
        }
        self.end("}");
    }

    fn csr(&mut self, csr: &Csr) {
        self.put("csr");
        self.name(csr.name);
        self.put("=");
        self.put(format!("{:#X}", csr.address));
        self.put(if csr.writable { "rw" } else { "ro" });
        self.end("{");
        for field in &csr.fields {
            self.doc();
            self.name(field.name);
            self.put("[");
            self.expr(&field.hi, 0);
            if let Some(lo) = &field.lo {
                self.put(":");
                self.expr(lo, 0);
            }
            self.puts(&["]", ":"]);
            self.type_text(&field.ty);
            self.put("=");
            self.expr(&field.value, 0);
            if field.warl {
                self.puts(&["@", "warl"]);
            }
            self.end(";");
        }
        self.end("}");
    }

    fn command(&mut self, command: &Command) {
        self.put("command");
        self.name(command.name);
        if let Some((index, lo, hi)) = command.family {
            self.put("[");
            self.name(index);
            self.put("in");
            self.put(lo.to_string());
            self.put("..");
            self.put(hi.to_string());
            self.put("]");
        }
        self.put("=");
        self.put(command.id.to_string());
        if let Some((index, ..)) = command.family {
            self.put("+");
            self.name(index);
        }
        for (i, form) in command.forms.iter().enumerate() {
            self.put(if i == 0 { ":" } else { "|" });
            self.put(*form);
        }
        self.put("(");
        self.list(&command.operands, |p, operand| {
            p.name(operand.name);
            p.put(":");
            if operand.is_imm {
                p.put("imm");
            }
            p.type_text(&operand.ty);
            if operand.rs2 {
                p.puts(&["@", "rs2"]);
            }
        });
        self.put(")");
        if let Some(result) = &command.result {
            self.put("->");
            self.type_text(result);
        }
        if let Some(xlen) = command.xlen {
            self.puts(&["@", "xlen", "("]);
            self.put(xlen.to_string());
            self.put(")");
        }
        if let Some((lo, hi)) = command.latency {
            self.puts(&["@", "latency", "("]);
            self.put(lo.to_string());
            self.put(",");
            self.put(hi.to_string());
            self.put(")");
        }
        match &command.body {
            Some(body) => {
                self.block(body);
                self.tokens.push(Token::Break);
            }
            None => self.end(";"),
        }
    }

    fn example(&mut self, example: &Example) {
        self.put("example");
        if let Some(xlen) = example.xlen {
            self.puts(&["@", "xlen", "("]);
            self.put(xlen.to_string());
            self.put(")");
        }
        self.end("{");
        for step in &example.steps {
            match step {
                Step::Reset => self.put("reset"),
                Step::Access { csr, written, value } => {
                    self.name(*csr);
                    self.args(written.as_slice());
                    self.put("==");
                    self.expr(value, 4);
                }
                Step::Call { command, index, args, value, raises } => {
                    let mut name = self.names.get(*command).to_owned();
                    if let Some(index) = index {
                        let _ = write!(name, "{index}");
                    }
                    self.put(name);
                    self.put("(");
                    self.list(args, |p, arg| p.expr(arg, 0));
                    self.put(")");
                    if let Some(value) = value {
                        self.put("==");
                        self.expr(value, 4);
                    }
                    if let Some(raised) = raises {
                        self.put("raises");
                        self.raised(*raised);
                    }
                }
            }
            self.end(";");
        }
        self.end("}");
    }

    pub(super) fn raised(&mut self, raised: Raised) {
        match raised {
            Raised::Word(word) => self.put(word),
            Raised::Error(name) => self.name(name),
        }
    }
}
