//! The file of an interface: a module for each XLEN, and the choice between them.

use std::fmt::Write;

use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::{Const, Enum, ErrorDef, Interface, Section};
use lapis_cx::lower::ir::{self, Edge};

use crate::docs::{docs, indent};
use crate::expr::hexadecimal;
use crate::method::{self, Method, Shape, edge_type};
use crate::naming;
use crate::{csr, guard, software};

/// What the arithmetic of generated code needs, and why.
const ALLOWED: &str = "\
#[allow(dead_code, unreachable_pub)] // a program seldom uses all of it, and decides itself who sees it
#[allow(unused_assignments)] // a value that only a branch that is gone would read
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)] // words are patterns
#[allow(clippy::manual_checked_ops, clippy::manual_is_multiple_of, clippy::verbose_bit_mask)] // arithmetic as it was lowered
#[allow(clippy::if_not_else, clippy::needless_late_init)] // branches as they were lowered
#[allow(clippy::match_same_arms, clippy::many_single_char_names, clippy::similar_names)] // as the specification has it
#[allow(clippy::too_many_lines, clippy::trivially_copy_pass_by_ref)] // as large or small as the specification's
#[allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all)] // documentation is the specification's
";

/// The interface as people know it.
pub fn origin(interface: &Interface) -> String {
    format!("{}:{}", interface.package, interface.name)
}

/// What the modules of both XLENs are made from.
pub struct Source<'a> {
    /// The interface.
    pub interface: &'a Interface,
    /// Its section.
    pub section: &'a Section,
    /// The lowered section.
    pub lowered: &'a ir::Section,
    /// The methods of the trait.
    pub methods: &'a [Method],
    /// The name of the trait.
    pub name: String,
}

/// Prints the file.
pub fn file(interface: &Interface, lowered: &ir::Interface) -> String {
    let stem = naming::file_stem(interface);
    let origin = origin(interface);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "// {stem}.rs\n// Generated from {origin} by cxc; do not edit.\n//\n// A module of a crate that depends on \
         lapis-cx-core: `#[path = \"{stem}.rs\"] mod {};`, or `include!` inside a `mod`.\n",
        naming::module(interface)
    );
    let abi = lapis_cx_core::ABI_VERSION;
    let _ = writeln!(
        out,
        "const _: () = assert!(\n    ::lapis_cx_core::ABI_VERSION == {abi},\n    \"{stem}.rs was generated for CX ABI {abi}: \
         regenerate it with the cxc of this lapis-cx-core\"\n);\n"
    );
    choice(&mut out, interface);
    for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
        let methods = method::methods(interface, section, lowered);
        let name = naming::type_name(&interface.name);
        let source = Source { interface, section, lowered, methods: &methods, name };
        let xlen = section.xlen;
        let _ = writeln!(out, "\n/// `{origin}` where a register has {xlen} bits.\n{ALLOWED}pub mod xlen{xlen} {{");
        out.push_str(&indent(module(&source).trim_end()));
        out.push_str("}\n");
    }
    out
}

/// Which module is seen without its name: that of the target's XLEN, unless the only one or `--cfg cx_xlen="…"` says
/// otherwise.
fn choice(out: &mut String, interface: &Interface) {
    let xlens: Vec<u32> = interface.sections.iter().map(|s| s.xlen).collect();
    // Cargo warns about a `cfg` that it does not know, unless the module around it allows that.
    match xlens.as_slice() {
        [32, 64] => {
            let narrow = "any(cx_xlen = \"32\", all(target_pointer_width = \"32\", not(cx_xlen = \"64\")))";
            let _ = writeln!(
                out,
                "#[allow(unused_imports)]\npub use self::chosen::*;\n\n#[allow(unexpected_cfgs, unused_imports)]\n\
                 mod chosen {{\n    #[cfg({narrow})]\n    pub use super::xlen32::*;\n    #[cfg(not({narrow}))]\n    \
                 pub use super::xlen64::*;\n}}"
            );
        }
        [only] => {
            let other = 96 - only;
            let origin = origin(interface);
            let _ = writeln!(
                out,
                "#[allow(unused_imports)]\npub use self::xlen{only}::*;\n\n#[allow(unexpected_cfgs)]\nmod chosen {{\n    \
                 #[cfg(any(target_arch = \"riscv{other}\", cx_xlen = \"{other}\"))]\n    \
                 compile_error!(\"{origin} has no contract for XLEN {other}, only for {only}\");\n}}"
            );
        }
        _ => {}
    }
}

fn module(source: &Source<'_>) -> String {
    let Source { interface, section, lowered, methods, .. } = source;
    let mut out = String::new();
    identity(&mut out, interface, section.xlen);
    for constant in section.consts.iter().filter(|c| c.is_member) {
        scalar_constant(&mut out, section, constant);
    }
    ids(&mut out, section);
    for def in section.enums.iter().filter(|def| def.width <= 64) {
        enumeration(&mut out, def);
    }
    if methods.iter().any(|m| m.tried.is_some()) {
        errors(&mut out, interface, &section.errors);
    }
    csr::types(&mut out, source);
    interface_trait(&mut out, source);
    if let Some(state) = &lowered.state {
        software::state(&mut out, source, state);
    }
    software::fallback(&mut out, source);
    if interface.uuid.is_some() {
        guard::print(&mut out, source);
    }
    // What is used is known only now.
    let uses = [("cx::", "use ::lapis_cx_core as cx;\n"), ("abi1::", "use ::lapis_cx_core::abi1;\n")];
    let uses: String = uses.into_iter().filter(|(used, _)| out.contains(used)).map(|(_, line)| line).collect();
    if uses.is_empty() { out } else { format!("{uses}\n{out}") }
}

fn identity(out: &mut String, interface: &Interface, xlen: u32) {
    let _ = writeln!(out, "/// Bits in a register.\npub const XLEN: u32 = {xlen};\n");
    if let Some(uuid) = interface.uuid {
        let (high, low) = uuid.as_u64_pair();
        let digits = format!("{}_{}", hexadecimal(high, 16), hexadecimal(low, 16).trim_start_matches("0x"));
        let _ = writeln!(
            out,
            "/// The UUID, {}.\npub const UUID: cx::Uuid = cx::Uuid::from_u128({digits});\n",
            uuid.hyphenated()
        );
    }
    if let Some(xintf) = interface.xintf {
        let id20 = hexadecimal(u64::from(xintf.id20), 5);
        let id52 = hexadecimal(xintf.id52, 13);
        let _ = writeln!(out, "/// The overloadable-opcode id, 20 bits.\npub const XINTF: u32 = {id20};\n");
        let _ = writeln!(out, "/// The overloadable-opcode id of RV64, 52 bits.\npub const XINTF52: u64 = {id52};\n");
    }
    if let Some(bytes) = contract_bytes(&interface.hash) {
        let rows = bytes.chunks(16).map(|row| {
            let row: Vec<String> = row.iter().map(|b| format!("0x{b:02X}")).collect();
            format!("    {},\n", row.join(", "))
        });
        let _ = writeln!(
            out,
            "/// The contract hash: SHA-256 of what the commands mean.\n#[rustfmt::skip]\npub const CONTRACT: [u8; 32] = [\n{}];\n",
            rows.collect::<String>()
        );
    }
}

/// The bytes of a contract hash of 64 hexadecimal digits.
fn contract_bytes(hash: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hash.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let digits = digits.filter(|d| d.len() == 64)?;
    Some(digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

/// A scalar constant. Arrays stay in the fallback; what fits no type of 64 bits is left out.
fn scalar_constant(out: &mut String, section: &Section, constant: &Const) {
    let Value::Int(v) = &constant.value else { return };
    let name = naming::screaming(&constant.name);
    let value = v.to_i128();
    let (ty, text) = match (&constant.ty, value) {
        (Some(Type::Enum { id, width }), Some(v)) if *width <= 64 => {
            let Some(def) = section.enums.get(id.index()) else { return };
            let ty = naming::type_name(&def.name);
            let text = format!("{ty}({})", literal(v));
            (ty, text)
        }
        (Some(Type::Bool), Some(v)) => ("bool".to_owned(), (v != 0).to_string()),
        (Some(ty), Some(v)) if ty.width() <= 64 => (edge_type(lapis_cx::lower::edge(ty)), literal(v)),
        (None, Some(v)) => {
            let fits = [(0, i128::from(u32::MAX), "u32"), (0, i128::from(u64::MAX), "u64")];
            let signed = [(i128::from(i32::MIN), -1, "i32"), (i128::from(i64::MIN), -1, "i64")];
            let all = fits.into_iter().chain(signed);
            let Some((_, _, ty)) = all.into_iter().find(|(lo, hi, _)| (*lo..=*hi).contains(&v)) else { return };
            (ty.to_owned(), literal(v))
        }
        _ => return,
    };
    docs(out, &constant.docs, &format!("The constant `{}`.", constant.name));
    let _ = writeln!(out, "pub const {name}: {ty} = {text};\n");
}

/// A number that stands alone: small ones in decimal.
fn literal(v: i128) -> String {
    let sign = if v < 0 { "-" } else { "" };
    match u64::try_from(v.unsigned_abs()) {
        Ok(v) if v < 10_000 => format!("{sign}{v}"),
        Ok(v) => format!("{sign}{}", hexadecimal(v, 1)),
        Err(_) => v.to_string(),
    }
}

fn ids(out: &mut String, section: &Section) {
    if section.commands.is_empty() {
        return;
    }
    let mut inner = String::new();
    for command in &section.commands {
        let name = naming::screaming(&command.name);
        let _ = writeln!(inner, "/// `{}`\npub const {name}: u32 = {};", command.name, command.id);
    }
    let _ = writeln!(out, "/// Function ids.\npub mod id {{\n{}}}\n", indent(&inner));
}

fn enumeration(out: &mut String, def: &Enum) {
    let name = naming::type_name(&def.name);
    docs(out, &def.docs, &format!("The enum `{}`.", def.name));
    let edge = Edge::Unsigned(def.width.next_power_of_two().clamp(8, 64));
    let ty = edge_type(edge);
    let _ = writeln!(
        out,
        "///\n/// Any pattern of {} may occur, so this is no Rust enum.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n\
         #[repr(transparent)]\npub struct {name}(pub {ty});\n",
        bits(def.width)
    );
    let mut inner = String::new();
    for case in &def.cases {
        docs(&mut inner, &case.docs, &format!("The case `{}`.", case.name));
        let pattern = ir::pattern(&case.pattern, def.width);
        let _ = writeln!(
            inner,
            "pub const {}: {name} = {name}({});",
            naming::screaming(&case.name),
            literal(i128::from(pattern))
        );
    }
    let _ = writeln!(out, "impl {name} {{\n{}}}\n", indent(&inner));
}

/// A number of bits, in words.
pub fn bits(n: u32) -> String {
    format!("{n} bit{}", if n == 1 { "" } else { "s" })
}

/// Text as a string literal.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn errors(out: &mut String, interface: &Interface, errors: &[ErrorDef]) {
    let mut variants = String::new();
    let mut codes = String::new();
    let mut messages = String::new();
    for error in errors {
        let name = naming::camel(&error.name);
        let message = error.message.as_deref().unwrap_or(&error.docs);
        let message = if message.trim().is_empty() { error.name.as_str() } else { message.trim() };
        docs(&mut variants, message, "");
        let _ = writeln!(variants, "{name},");
        let _ = writeln!(codes, "{} => Error::{name},", error.code);
        let _ = writeln!(messages, "Error::{name} => {},", quoted(message));
    }
    let _ = write!(
        variants,
        "/// No such CX is selected.\nCxu,\n/// The state is invalid.\nState,\n/// The state is off.\nOff,\n/// The CX has no \
         such command.\nFunc,\n/// An operand is in error.\nOp,\n/// An error of the CX's own by its code, 0 if that cannot be \
         read.\nCustom(u8),\n/// The command traps, one level higher.\nTrap,\n"
    );
    messages.push_str(
        "Error::Cxu => \"no such CX is selected\",\nError::State => \"the CX state is invalid\",\nError::Off => \"the CX state is \
         off\",\nError::Func => \"the CX has no such command\",\nError::Op => \"an operand is in error\",\nError::Custom(_) => \
         \"the CX raised an error of its own\",\nError::Trap => \"the command traps\",\n",
    );
    let custom = if codes.is_empty() {
        "abi1::Answer::Custom => Error::Custom(code()),\n".to_owned()
    } else {
        format!("abi1::Answer::Custom => match code() {{\n{}}},\n", indent(&(codes + "code => Error::Custom(code),\n")))
    };
    let arms = format!(
        "abi1::Answer::Ok => return Ok(value),\nabi1::Answer::Cxu => Error::Cxu,\nabi1::Answer::State => Error::State,\n\
         abi1::Answer::Off => Error::Off,\nabi1::Answer::Func => Error::Func,\nabi1::Answer::Op => Error::Op,\n{custom}\
         abi1::Answer::Trap => Error::Trap,\n"
    );
    let check = format!(
        "/// The value, if that is the answer.\nfn check<T>(value: T, answer: abi1::Answer, code: impl FnOnce() -> u8) -> \
         Result<T, Error> {{\n    Err(match answer {{\n{}    }})\n}}\n",
        indent(&indent(&arms))
    );
    let show = format!(
        "fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{\n    f.write_str(match self {{\n{}    \
         }})\n}}\n",
        indent(&indent(&messages))
    );
    let _ = writeln!(
        out,
        "/// Why a command of [`{}`] was not done.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum Error {{\n{}}}\n\n\
         impl Error {{\n{}}}\n\nimpl ::core::fmt::Display for Error {{\n{}}}\n\nimpl ::core::error::Error for Error {{}}\n",
        naming::type_name(&interface.name),
        indent(&variants),
        indent(&check),
        indent(&show)
    );
}

fn interface_trait(out: &mut String, source: &Source<'_>) {
    let Source { interface, methods, name, .. } = source;
    docs(out, &interface.docs, &format!("The commands of `{}`.", origin(interface)));
    let mut inner = String::new();
    for (i, method) in methods.iter().enumerate() {
        if i > 0 {
            inner.push('\n');
        }
        declare(&mut inner, method);
    }
    csr::declare(&mut inner, source);
    let _ = writeln!(out, "pub trait {name} {{\n{}}}\n", indent(&inner));
}

fn declare(out: &mut String, method: &Method) {
    docs(out, &method.docs, &format!("Command {}.", method.id));
    if let Some(constant) = method.operands.iter().find(|o| o.register.is_none()) {
        let carried = if constant.value.width > 12 && method.shape == Shape::Immediate {
            " that 12 bits, sign-extended, carry"
        } else {
            ""
        };
        let _ = writeln!(out, "///\n/// `{}` is a value of {}{carried}.", constant.name, bits(constant.value.width));
    }
    if method.is_pure() {
        out.push_str("#[must_use]\n");
    }
    let _ = writeln!(out, "{};", method.head(false));
    if method.tried.is_some() {
        let _ = writeln!(
            out,
            "\n/// The same, and whether it was done.\n///\n/// # Errors\n/// What the CX answered, if not that it is done.\n{};",
            method.head(true)
        );
    }
}
