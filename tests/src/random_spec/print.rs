//! A generated spec as text, in any layout.

use std::fmt::Write;

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::dice::Dice;
use super::model::*;
use super::names::Names;

/// How a spec is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Parentheses around everything, or only where they are needed.
    pub all_parentheses: bool,
    /// Documentation before what can have it.
    pub docs: bool,
    /// Where blanks and comments go.
    pub layout: Layout,
}

/// Where blanks and comments go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A statement a line.
    Plain,
    /// No blank that is not needed.
    Tight,
    /// Blanks, line ends and comments everywhere, from a seed.
    Wild(u64),
}

/// As people write.
pub const PLAIN: Style = Style { all_parentheses: false, docs: false, layout: Layout::Plain };

/// The text of a spec.
pub fn print(spec: &Spec, names: &Names, style: Style) -> String {
    let mut printer = Printer { names, style, tokens: Vec::new(), docs: 0 };
    printer.file(spec);
    join(&printer.tokens, style.layout)
}

enum Token {
    Text(String),
    Doc(String),
    Break,
}

struct Printer<'a> {
    names: &'a Names,
    style: Style,
    tokens: Vec<Token>,
    docs: u32,
}

/// How tightly an operator binds; 0 is `?:`.
fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Select(..) => 0,
        ExprKind::Binary(op, ..) => binary_level(op),
        ExprKind::Unary(..) => 10,
        ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Part(..) | ExprKind::Method(..) | ExprKind::Case(..) => {
            11
        }
        _ => 12,
    }
}

fn binary_level(op: &str) -> u8 {
    match op {
        "||" => 1,
        "&&" => 2,
        "|" => 4,
        "^" => 5,
        "&" => 6,
        "<<" | ">>" => 7,
        "+" | "-" | "+%" | "-%" => 8,
        "*" | "/" | "%" | "*%" => 9,
        _ => 3,
    }
}

impl Printer<'_> {
    fn put(&mut self, text: impl Into<String>) {
        self.tokens.push(Token::Text(text.into()));
    }

    fn puts(&mut self, texts: &[&str]) {
        texts.iter().for_each(|t| self.put(*t));
    }

    fn name(&mut self, name: Name) {
        let text = self.names.get(name).to_owned();
        self.put(text);
    }

    /// The end of a line in the plain layout.
    fn end(&mut self, text: &str) {
        self.put(text);
        self.tokens.push(Token::Break);
    }

    fn doc(&mut self) {
        if self.style.docs {
            self.docs += 1;
            self.tokens
                .push(Token::Doc(format!("/// Text number {} with \"quotes\", `code` and */ signs.", self.docs)));
        }
    }

    fn file(&mut self, spec: &Spec) {
        self.puts(&["cxspec", "1"]);
        self.end(";");
        self.put("package");
        let package = self.names.package.clone();
        self.put(package);
        self.end(";");
        if spec.imports_context {
            self.puts(&["use", "cx.std", ":", "IStateContext"]);
            self.end(";");
        }
        for item in &spec.items {
            self.doc();
            match item {
                Item::Const(item) => self.constant(item),
                Item::Function(item) => self.function(item),
                Item::Interface(item) => self.interface(item),
            }
        }
    }

    fn interface(&mut self, item: &Interface) {
        if item.is_abstract {
            self.put("abstract");
        }
        if item.uuid.is_some() {
            self.put("draft");
        }
        self.put("interface");
        self.name(item.name);
        let bases = item.base.map(|base| self.names.get(base).to_owned()).into_iter();
        for (i, base) in bases.chain(item.has_context.then(|| "IStateContext".to_owned())).enumerate() {
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

    fn member(&mut self, member: &Member) {
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
            Member::Law(law) => {
                self.put("law");
                self.name(law.name);
                self.params(&law.params);
                self.put(":");
                self.expr(&law.holds, 0);
                self.end(";");
            }
        }
    }

    fn constant(&mut self, item: &Const) {
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

    fn function(&mut self, item: &Function) {
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

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(",");
            }
            each(self, item);
        }
    }

    fn state(&mut self, state: &State) {
        self.put("state");
        self.put(state.sharing);
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
        self.block(&command.body);
        self.tokens.push(Token::Break);
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

    fn raised(&mut self, raised: Raised) {
        match raised {
            Raised::Word(word) => self.put(word),
            Raised::Error(name) => self.name(name),
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        self.end("{");
        stmts.iter().for_each(|s| self.stmt(s));
        self.put("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(name, ty, init) => {
                self.put("let");
                self.name(*name);
                if let Some(ty) = ty {
                    self.put(":");
                    self.type_text(ty);
                }
                self.put("=");
                self.expr(init, 0);
                self.put(";");
            }
            Stmt::Var(name, ty, init) => {
                self.put("var");
                self.name(*name);
                self.put(":");
                self.type_text(ty);
                self.put("=");
                self.expr(init, 0);
                self.put(";");
            }
            Stmt::Assign(name, path, op, value) => {
                self.name(*name);
                path.iter().for_each(|step| self.place_step(step));
                self.put(*op);
                self.expr(value, 0);
                self.put(";");
            }
            Stmt::If(cond, then, other) => {
                self.puts(&["if", "("]);
                self.expr(cond, 0);
                self.put(")");
                self.block(then);
                match other.as_deref() {
                    None => {}
                    // `else if` and `else { if }` mean the same.
                    Some([only @ Stmt::If(..)]) if !self.style.all_parentheses => {
                        self.put("else");
                        return self.stmt(only);
                    }
                    Some(other) => {
                        self.put("else");
                        self.block(other);
                    }
                }
            }
            Stmt::For(name, lo, hi, body) => {
                self.put("for");
                self.name(*name);
                self.put("in");
                self.range(lo, hi);
                self.block(body);
            }
            Stmt::Match(value, arms) => {
                self.puts(&["match", "("]);
                self.expr(value, 0);
                self.put(")");
                self.end("{");
                for arm in arms {
                    for (i, pattern) in arm.patterns.iter().enumerate() {
                        if i > 0 {
                            self.put("|");
                        }
                        self.pattern(pattern);
                    }
                    self.put("=>");
                    self.block(&arm.body);
                    self.tokens.push(Token::Break);
                }
                self.put("}");
            }
            Stmt::Return(value) => {
                self.put("return");
                if let Some(value) = value {
                    self.expr(value, 0);
                }
                self.put(";");
            }
            Stmt::Raise { error, commit, value } => {
                self.put("raise");
                self.raised(*error);
                if *commit {
                    self.puts(&["@", "commit"]);
                }
                if let Some(value) = value {
                    self.put("->");
                    self.expr(value, 0);
                }
                self.put(";");
            }
            Stmt::Trap => self.puts(&["trap", ";"]),
        }
        self.tokens.push(Token::Break);
    }

    fn range(&mut self, lo: &Expr, hi: &Expr) {
        self.expr(lo, 0);
        self.put("..");
        self.expr(hi, 0);
    }

    fn place_step(&mut self, step: &PlaceStep) {
        self.put("[");
        match step {
            PlaceStep::Index(at) => self.expr(at, 0),
            PlaceStep::Slice(h, l) => {
                self.expr(h, 0);
                self.put(":");
                self.expr(l, 0);
            }
            PlaceStep::Part(at, w) => {
                self.expr(at, 0);
                self.put("+:");
                self.expr(w, 0);
            }
        }
        self.put("]");
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Int(v) => self.int(v),
            Pattern::Range(lo, hi) => {
                self.int(lo);
                self.put("..");
                self.int(hi);
            }
            Pattern::Bool(v) => self.put(if *v { "true" } else { "false" }),
            Pattern::Name(name) => self.name(*name),
            Pattern::Any => self.put("_"),
        }
    }

    /// A number that may have a minus.
    fn int(&mut self, v: &Int) {
        if v.is_negative() {
            self.put("-");
        }
        self.put(if v.is_negative() { -v } else { v.clone() }.to_string());
    }

    fn type_text(&mut self, ty: &TypeText) {
        match ty {
            TypeText::Bool => self.put("bool"),
            TypeText::Word => self.put("word"),
            TypeText::Sword => self.put("sword"),
            TypeText::Int => self.put("int"),
            TypeText::Plain(signed, width) => self.put(format!("{}{width}", letter(*signed))),
            TypeText::Computed(signed, width) => {
                self.puts(&[letter(*signed), "<"]);
                self.expr(width, 8);
                self.put(">");
            }
            TypeText::Enum(name) => self.name(*name),
            TypeText::Array(elem, dims) => {
                self.type_text(elem);
                for dim in dims {
                    self.put("[");
                    self.expr(dim, 0);
                    self.put("]");
                }
            }
        }
    }

    fn expr(&mut self, expr: &Expr, least: u8) {
        let own = level(&expr.kind);
        let wrapped = own < least || self.style.all_parentheses && own < 12;
        if wrapped {
            self.put("(");
        }
        self.bare_expr(&expr.kind);
        if wrapped {
            self.put(")");
        }
    }

    fn bare_expr(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Lit(v, radix, ty) => self.put(literal(v, *radix, ty.as_ref())),
            ExprKind::Bool(v) => self.put(if *v { "true" } else { "false" }),
            ExprKind::Xlen => self.put("XLEN"),
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Case(name, case) => {
                self.name(*name);
                self.put(".");
                self.name(*case);
            }
            ExprKind::Unary(op, a) => {
                self.put(*op);
                self.expr(a, 10);
            }
            ExprKind::Binary(op, a, b) => {
                let level = binary_level(op);
                // Comparisons do not chain, the others group to the left.
                self.expr(a, if level == 3 { 4 } else { level });
                self.put(*op);
                self.expr(b, level + 1);
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c, 1);
                self.put("?");
                self.expr(a, 0);
                self.put(":");
                self.expr(b, 0);
            }
            ExprKind::Index(x, at) => {
                self.expr(x, 11);
                self.put("[");
                self.expr(at, 0);
                self.put("]");
            }
            ExprKind::Slice(x, h, l) => {
                self.expr(x, 11);
                self.put("[");
                self.expr(h, 0);
                self.put(":");
                self.expr(l, 0);
                self.put("]");
            }
            ExprKind::Part(x, at, w) => {
                self.expr(x, 11);
                self.put("[");
                self.expr(at, 0);
                self.put("+:");
                self.expr(w, 0);
                self.put("]");
            }
            ExprKind::List(items) => {
                self.put("[");
                self.list(items, |p, item| p.expr(item, 0));
                self.put("]");
            }
            ExprKind::Comprehension(name, lo, hi, elem) => {
                self.puts(&["[", "for"]);
                self.name(*name);
                self.put("in");
                self.range(lo, hi);
                self.put("=>");
                self.expr(elem, 0);
                self.put("]");
            }
            ExprKind::Builtin(name, args) => {
                self.put(*name);
                self.args(args);
            }
            ExprKind::Convert(ty, x) => {
                self.type_text(ty);
                self.put("(");
                self.expr(x, 0);
                self.put(")");
            }
            ExprKind::Method(x, name, n) => {
                self.expr(x, 11);
                self.puts(&[".", name, "("]);
                if let Some(n) = n {
                    self.expr(n, 0);
                }
                self.put(")");
            }
            ExprKind::Call(name, args) => {
                self.name(*name);
                self.args(args);
            }
        }
    }

    fn args(&mut self, args: &[Expr]) {
        self.put("(");
        self.list(args, |p, arg| p.expr(arg, 0));
        self.put(")");
    }
}

fn letter(signed: bool) -> &'static str {
    if signed { "s" } else { "u" }
}

fn literal(v: &Int, radix: Radix, ty: Option<&Type>) -> String {
    let mut text = match radix {
        Radix::Decimal => v.to_string(),
        Radix::Hex => {
            let limbs = v.limbs32(v.bits().div_ceil(32).max(1) as usize);
            let digits: String = limbs.iter().rev().map(|limb| format!("{limb:08X}")).collect();
            let digits = digits.trim_start_matches('0');
            format!("0x{}", if digits.is_empty() { "0" } else { digits })
        }
        Radix::Binary => {
            let bits = (0..v.bits().max(1)).rev();
            let digits: String = bits.map(|i| if v.shr(i).and(&Int::ONE).is_zero() { '0' } else { '1' }).collect();
            format!("0b{digits}")
        }
    };
    if let Some(ty) = ty {
        let _ = write!(text, "{}{}", letter(ty.is_signed()), ty.width());
    }
    text
}

fn join(tokens: &[Token], layout: Layout) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut fresh = true;
    let mut dice = Dice::seeded(match layout {
        Layout::Wild(seed) => seed,
        _ => 0,
    });
    for token in tokens {
        match token {
            Token::Doc(text) => {
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                out.push_str(text);
                out.push('\n');
                fresh = true;
            }
            Token::Break if layout == Layout::Plain => {
                out.push('\n');
                fresh = true;
            }
            Token::Break => {}
            Token::Text(text) => {
                depth = depth.saturating_sub(usize::from(text == "}"));
                match layout {
                    Layout::Plain if fresh => out.push_str(&"    ".repeat(depth)),
                    Layout::Plain => {
                        if !(text == ";" || text == ",") {
                            out.push(' ');
                        }
                    }
                    Layout::Tight => {
                        if touches(&out, text) {
                            out.push(' ');
                        }
                    }
                    Layout::Wild(_) => trivia(&mut out, &mut dice),
                }
                out.push_str(text);
                depth += usize::from(text == "{");
                fresh = false;
            }
        }
    }
    out.push('\n');
    out
}

/// Whether two tokens would be read as one.
fn touches(before: &str, next: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_sign = |c: char| "+-*/%&|^<>=!~.:@?".contains(c);
    let (Some(a), Some(b)) = (before.chars().next_back(), next.chars().next()) else { return false };
    is_word(a) && is_word(b) || is_sign(a) && is_sign(b)
}

fn trivia(out: &mut String, dice: &mut Dice) {
    out.push_str(match dice.below(12) {
        0 => "\n",
        1 => "\t \n\n",
        2 => " // a comment } ; \" /* ///\n",
        3 => " //\n",
        4 => "\r\n",
        5 => " //// four\n  ",
        _ => " ",
    });
}
