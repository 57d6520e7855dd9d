//! CSRs: a module with a type for the word of each, accesses as methods of the trait, and what implements them.
//!
//! The word of a CSR is a structure of its own, so that its fields are methods. Only reading and writing must be
//! implemented; what else the instructions do is said by the trait, and one instruction in the guard.

use std::fmt::Write;

use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{Csr, CsrField, Section};
use lapis_cx::lower::ir::{self, Edge};

use crate::body::Printer;
use crate::docs::{docs, indent};
use crate::expr::hexadecimal;
use crate::method::{Value, edge_type};
use crate::naming::{self, Scope};
use crate::section::Source;
use crate::unit::Unit;

/// An access of a CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The word.
    Read,
    /// Another word.
    Write,
    /// Another word, for the one before.
    Swap,
    /// Bits set, for the word before.
    Set,
    /// Bits cleared, for the word before.
    Clear,
    /// A constant.
    WriteConstant,
    /// Constant bits set, for the word before.
    SetConstant,
    /// Constant bits cleared, for the word before.
    ClearConstant,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Read,
        Kind::Write,
        Kind::Swap,
        Kind::Set,
        Kind::Clear,
        Kind::WriteConstant,
        Kind::SetConstant,
        Kind::ClearConstant,
    ];

    /// As names of methods have it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Swap => "swap",
            Kind::Set => "set",
            Kind::Clear => "clear",
            Kind::WriteConstant => "write_i",
            Kind::SetConstant => "set_i",
            Kind::ClearConstant => "clear_i",
        }
    }

    /// The function of `abi1`.
    fn function(self) -> &'static str {
        match self {
            Kind::Read => "csr_read",
            Kind::Write => "csr_write",
            Kind::Swap => "csr_swap",
            Kind::Set => "csr_set",
            Kind::Clear => "csr_clear",
            Kind::WriteConstant => "csr_write_constant",
            Kind::SetConstant => "csr_set_constant",
            Kind::ClearConstant => "csr_clear_constant",
        }
    }

    /// Whether the word before is its result.
    fn has_result(self) -> bool {
        !matches!(self, Kind::Write | Kind::WriteConstant)
    }

    fn is_constant(self) -> bool {
        matches!(self, Kind::WriteConstant | Kind::SetConstant | Kind::ClearConstant)
    }
}

/// The accesses that a CSR has.
pub fn kinds(csr: &Csr) -> &'static [Kind] {
    match csr.access {
        Access::Rw => &Kind::ALL,
        Access::Ro => &[Kind::Read],
    }
}

/// A CSR as the methods name it.
struct Named<'a> {
    csr: &'a Csr,
    /// Its type, from outside of the module of all.
    ty: String,
    /// The type of a word.
    word: String,
    /// The constant parameter of accesses with a constant.
    constant: String,
}

impl<'a> Named<'a> {
    fn new(source: &Source<'a>, csr: &'a Csr) -> Named<'a> {
        // A type of the same name would be taken for it.
        let mut types = Scope::default();
        source.section.enums.iter().for_each(|def| types.reserve(&naming::type_name(&def.name)));
        types.reserve(&source.name);
        Named {
            csr,
            ty: format!("csr::{}", naming::type_name(&csr.name)),
            word: format!("u{}", source.section.xlen),
            constant: types.fresh("WORD"),
        }
    }

    /// From `fn` up to the result.
    fn head(&self, kind: Kind) -> String {
        let Named { csr, ty, word, constant } = self;
        let name = naming::csr_method(&csr.name, kind);
        let generic = if kind.is_constant() { format!("<const {constant}: {word}>") } else { String::new() };
        let receiver = if kind == Kind::Read { "&self" } else { "&mut self" };
        let parameter = match kind {
            Kind::Write | Kind::Swap => format!(", word: {ty}"),
            Kind::Set | Kind::Clear => format!(", bits: {word}"),
            _ => String::new(),
        };
        let result = if kind.has_result() { format!(" -> {ty}") } else { String::new() };
        format!("fn {name}{generic}({receiver}{parameter}){result}")
    }

    fn docs(&self, out: &mut String, kind: Kind) {
        let name = &self.csr.name;
        let text = match kind {
            Kind::Read => return docs(out, &self.csr.docs, &format!("Reads `{name}`.")),
            Kind::Write => format!("Writes `{name}`."),
            Kind::Swap => format!("Writes `{name}`; returns what was there before."),
            Kind::Set => format!("Sets these bits of `{name}`; returns what was there before."),
            Kind::Clear => format!("Clears these bits of `{name}`; returns what was there before."),
            Kind::WriteConstant => {
                format!("Writes a constant to `{name}`. One below 32 is part of the instruction.")
            }
            Kind::SetConstant => format!("Sets constant bits of `{name}`; returns what was there before."),
            Kind::ClearConstant => format!("Clears constant bits of `{name}`; returns what was there before."),
        };
        docs(out, &text, "");
    }

    /// What the trait says of an access that is not a read or a write: no body for these two.
    fn provided(&self, kind: Kind) -> Option<String> {
        let Named { csr, ty, constant, .. } = self;
        let [read, write, set, clear] =
            [Kind::Read, Kind::Write, Kind::Set, Kind::Clear].map(|kind| naming::csr_method(&csr.name, kind));
        let over = |new: &str| format!("    let old = self.{read}();\n    self.{write}({new});\n    old\n");
        Some(match kind {
            Kind::Read | Kind::Write => return None,
            Kind::Swap => over("word"),
            Kind::Set => over(&format!("{ty}(old.0 | bits)")),
            Kind::Clear => over(&format!("{ty}(old.0 & !bits)")),
            Kind::WriteConstant => format!("    self.{write}({ty}({constant}));\n"),
            Kind::SetConstant => format!("    self.{set}({constant})\n"),
            Kind::ClearConstant => format!("    self.{clear}({constant})\n"),
        })
    }
}

/// Prints a module with the types of all CSRs.
pub fn types(out: &mut String, source: &Source<'_>) {
    let Source { section, lowered, .. } = source;
    if section.csrs.is_empty() {
        return;
    }
    let mut inner = String::new();
    for (csr, lowered) in section.csrs.iter().zip(&lowered.csrs) {
        one_type(&mut inner, section, csr, lowered);
    }
    let _ = writeln!(out, "/// The words of CSRs.\npub mod csr {{\n{}}}\n", indent(inner.trim_end()));
}

fn one_type(out: &mut String, section: &Section, csr: &Csr, lowered: &ir::Csr) {
    let ty = naming::type_name(&csr.name);
    let word = format!("u{}", section.xlen);
    docs(out, &csr.docs, &format!("The CSR `{}`.", csr.name));
    let _ = writeln!(
        out,
        "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]\n#[repr(transparent)]\npub struct {ty}(pub {word});\n"
    );
    let mut inner = format!("/// The address of `{}`.\npub const ADDRESS: u32 = {};\n", csr.name, address(lowered));
    for (field, lowered) in csr.fields.iter().zip(&lowered.fields) {
        one_field(&mut inner, section, csr, field, lowered);
    }
    let _ = writeln!(out, "impl {ty} {{\n{}}}\n", indent(&inner));
}

fn address(csr: &ir::Csr) -> String {
    hexadecimal(u64::from(csr.address), 3)
}

fn one_field(out: &mut String, section: &Section, csr: &Csr, field: &CsrField, lowered: &ir::CsrField) {
    let xlen = section.xlen;
    let (lo, width) = (lowered.lo, lowered.width);
    let word = format!("u{xlen}");
    let bits = match width {
        1 => format!("Bit {lo}"),
        _ => format!("Bits {}:{lo}", lo + width - 1),
    };
    let (mask, shift) = (naming::csr_constant(&field.name, "MASK"), naming::csr_constant(&field.name, "SHIFT"));
    let value = Value::new(section, &field.ty);
    // Enums are declared outside of the module.
    let (prefix, ty) = (if value.is_enum() { "super::" } else { "" }, value.ty());
    let get = match lowered.edge {
        Edge::Bool => format!("self.0 & Self::{mask} != 0"),
        Edge::Unsigned(n) => {
            let low =
                if lo == 0 { format!("self.0 & Self::{mask}") } else { format!("(self.0 & Self::{mask}) >> {lo}") };
            if n == xlen { low } else { format!("({low}) as {}", edge_type(lowered.edge)) }
        }
        // Up, so that its top bit is the word's, and down again with its sign.
        Edge::Signed(n) => {
            let up = xlen - lo - width;
            let top = if up == 0 { "self.0".to_owned() } else { format!("(self.0 << {up})") };
            let down = xlen - width;
            let signed = if down == 0 { format!("{top} as i{xlen}") } else { format!("{top} as i{xlen} >> {down}") };
            if n == xlen { signed } else { format!("({signed}) as {}", edge_type(lowered.edge)) }
        }
    };
    let _ = writeln!(out, "\n/// The lowest bit of `{}`.\npub const {shift}: u32 = {lo};", field.name);
    let _ = writeln!(
        out,
        "/// The bits of `{}`.\npub const {mask}: {word} = {};\n",
        field.name,
        hexadecimal(ir::ones(width) << lo, 1)
    );
    docs(out, &field.docs, &format!("The field `{}`.", field.name));
    let _ = writeln!(out, "///\n/// {bits}.");
    let _ = writeln!(
        out,
        "#[must_use]\npub const fn {}(self) -> {prefix}{ty} {{\n    {prefix}{}\n}}",
        naming::snake(&field.name),
        value.outer(&get)
    );
    if csr.access == Access::Ro {
        return;
    }
    let inner = value.inner("value");
    let wide = if lowered.edge == Edge::Unsigned(xlen) { inner } else { format!("({inner} as {word})") };
    let moved = if lo == 0 { wide } else { format!("({wide} << {lo})") };
    let _ = writeln!(
        out,
        "\n/// The same word with another `{}`.\n#[must_use]\npub const fn {}(self, value: {prefix}{ty}) -> Self {{\n    \
         Self((self.0 & !Self::{mask}) | ({moved} & Self::{mask}))\n}}",
        field.name,
        naming::csr_with(&field.name)
    );
}

/// Prints the accesses as the trait declares them.
pub fn declare(out: &mut String, source: &Source<'_>) {
    each(out, source, |out, named, kind| {
        named.docs(out, kind);
        if kind == Kind::Read {
            out.push_str("#[must_use]\n");
        }
        let _ = match named.provided(kind) {
            Some(body) => writeln!(out, "#[inline]\n{} {{\n{body}}}", named.head(kind)),
            None => writeln!(out, "{};", named.head(kind)),
        };
    });
}

/// Prints the accesses of the guard.
pub fn guard(out: &mut String, source: &Source<'_>) {
    each(out, source, |out, named, kind| {
        let Named { ty, word, constant, .. } = named;
        let immediate = format!(", abi1::{}<{constant}>", word.to_ascii_uppercase());
        let (generic, argument) = match kind {
            Kind::Read => (String::new(), ", 0"),
            Kind::Write | Kind::Swap => (String::new(), ", word.0 as usize"),
            Kind::Set | Kind::Clear => (String::new(), ", bits as usize"),
            _ => (immediate, ""),
        };
        let call = format!("abi1::{}::<G, {{ {ty}::ADDRESS }}{generic}>(&self.0{argument})", kind.function());
        let line = if kind.has_result() { format!("{ty}({call} as {word})") } else { format!("let _ = {call};") };
        let _ = writeln!(out, "#[inline]\n{} {{\n    {line}\n}}", named.head(kind));
    });
}

/// Prints the accesses of the fallback.
pub fn soft(out: &mut String, source: &Source<'_>) {
    let state = source.lowered.state.is_some();
    each(out, source, |out, named, kind| {
        let name = naming::csr_software(&named.csr.name, kind);
        let line = match kind {
            Kind::Read => format!("{}({name}({}))", named.ty, if state { "&self.state" } else { "" }),
            Kind::Write => format!("{name}({}word.0);", if state { "&mut self.state, " } else { "" }),
            _ => return,
        };
        let _ = writeln!(out, "#[inline]\n{} {{\n    {line}\n}}", named.head(kind));
    });
}

/// Prints something for each access, with an empty line before it unless nothing was printed.
fn each(out: &mut String, source: &Source<'_>, print: impl Fn(&mut String, &Named<'_>, Kind)) {
    for csr in &source.section.csrs {
        let named = Named::new(source, csr);
        for &kind in kinds(csr) {
            let mut text = String::new();
            print(&mut text, &named, kind);
            if !text.is_empty() && !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&text);
        }
    }
}

/// Prints what reads and writes the CSRs in software.
pub fn software<'s>(out: &mut String, unit: &mut Unit<'s>) {
    let section: &'s ir::Section = unit.section;
    let word = Edge::Unsigned(section.xlen);
    let value = ir::Param { name: "word".to_owned(), edge: word, width: section.xlen, register: None };
    let has_state = section.state.is_some();
    for csr in &section.csrs {
        let (list, text) = crate::print::parts(Printer::issued(unit, &csr.read, &[], Some(word), false));
        let list: Vec<String> = has_state.then(|| "st: &State".to_owned()).into_iter().chain(list).collect();
        let name = naming::csr_software(&csr.name, Kind::Read);
        let _ = writeln!(
            out,
            "/// Reads `{}` in software.\n#[inline]\nfn {name}({}) -> {} {{\n{text}}}\n",
            csr.name,
            list.join(", "),
            edge_type(word)
        );
        let Some(body) = &csr.write else { continue };
        let (list, text) = crate::print::parts(Printer::issued(unit, body, std::slice::from_ref(&value), None, false));
        let list: Vec<String> = has_state.then(|| "st: &mut State".to_owned()).into_iter().chain(list).collect();
        let name = naming::csr_software(&csr.name, Kind::Write);
        let _ = writeln!(
            out,
            "/// Writes `{}` in software.\n#[inline]\nfn {name}({}) {{\n{text}}}\n",
            csr.name,
            list.join(", ")
        );
    }
}

/// The access of any CSR, as a runtime calls it; nothing for an interface that has none.
pub fn dispatcher(section: &ir::Section) -> String {
    if section.csrs.is_empty() {
        return String::new();
    }
    let xlen = section.xlen;
    let has_state = section.state.is_some();
    let state = if has_state { "state" } else { "" };
    let writes = section.csrs.iter().any(|csr| csr.write.is_some());
    let mut arms = String::new();
    for csr in &section.csrs {
        let read = format!("{}({state})", naming::csr_software(&csr.name, Kind::Read));
        let _ = match csr.write {
            Some(_) => writeln!(
                arms,
                "{} => {{\n    let old = {read};\n    if let Some(word) = op.written(old as usize, value) {{\n        \
                 {}({}word as u{xlen});\n    }}\n    old\n}}",
                address(csr),
                naming::csr_software(&csr.name, Kind::Write),
                if has_state { "state, " } else { "" }
            ),
            None => writeln!(arms, "{} if op == cx::CsrOp::Read => {read},", address(csr)),
        };
    }
    arms.push_str("_ => return cx::Reply { value: 0, response: cx::Response::Func },\n");
    let off = if has_state {
        "    if state.status & 3 == 0 {\n        return cx::Reply { value: 0, response: cx::Response::Off };\n    }\n"
    } else {
        ""
    };
    format!(
        "\nfn csr({}, op: cx::CsrOp, address: u32, {}: usize) -> cx::Reply {{\n{off}    let old = match address {{\n{}    \
         }};\n    cx::Reply {{ value: old as usize, response: cx::Response::Ok }}\n}}\n",
        if has_state { "state: &mut State" } else { "(): &mut ()" },
        if writes { "value" } else { "_value" },
        indent(&indent(&arms))
    )
}
