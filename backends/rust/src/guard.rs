//! The guard: commands go to the selected CX.

use std::fmt::Write;

use lapis_cx::contract::layout;

use crate::csr;
use crate::docs::indent;
use crate::method::{Method, Shape};
use crate::section::{Source, origin};

/// Prints the guard.
pub fn print(out: &mut String, source: &Source<'_>) {
    let Source { interface, section, methods, name, .. } = source;
    let xlen = section.xlen;
    let origin = origin(interface);
    let _ = writeln!(
        out,
        "/// `{origin}`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes \
         back\n/// when this is dropped.\n#[derive(Debug)]\n#[must_use = \"the selection before comes back when this is \
         dropped\"]\npub struct Selected<G>(G);\n"
    );
    let new = format!(
        "/// Takes the guard of a selection of [`UUID`].\n#[inline]\npub fn new(guard: G) -> Self {{\n    \
         abi1::check_xlen::<G, {xlen}>();\n    Selected(guard)\n}}\n"
    );
    let _ = writeln!(out, "impl<G: cx::Issue> Selected<G> {{\n{}}}\n", indent(&new));
    let mut inner = String::new();
    for (i, method) in methods.iter().enumerate() {
        if i > 0 {
            inner.push('\n');
        }
        command(&mut inner, method, xlen, interface.state_context);
    }
    csr::guard(&mut inner, source);
    let _ = writeln!(out, "impl<G: cx::Issue> {name} for Selected<G> {{\n{}}}\n", indent(&inner));
}

fn command(out: &mut String, method: &Method, xlen: u32, state_context: bool) {
    let check = method.check().map_or(String::new(), |check| format!("    {check}\n"));
    let call = |tried: bool| {
        let has_result = method.result.is_some();
        let function = match (method.shape, tried) {
            (Shape::Flex, false) => "flex",
            (Shape::Flex, true) => "try_flex",
            (Shape::FlexImmediate, false) => "flex_immediate",
            (Shape::FlexImmediate, true) => "try_flex_immediate",
            (Shape::Flex25, false) => "flex25",
            (Shape::Flex25, true) => "try_flex25",
            (Shape::Immediate | Shape::OneRegister, false) if method.is_pure() => "pure_immediate",
            (Shape::Immediate | Shape::OneRegister, false) if has_result => "immediate",
            (Shape::Immediate | Shape::OneRegister, true) if has_result => "try_immediate",
            (Shape::Immediate | Shape::OneRegister, false) => "silent_immediate",
            (Shape::Immediate | Shape::OneRegister, true) => "try_silent_immediate",
            (_, false) if method.is_pure() => "pure_value",
            (_, false) if has_result => "value",
            (_, true) if has_result => "try_value",
            (_, false) => "silent",
            (_, true) => "try_silent",
        };
        let register = |n: u32| {
            let operand = method.operands.iter().find(|o| o.register == Some(n));
            operand
                .map_or("None".to_owned(), |o| format!("Some({})", o.value.to_register(&o.value.inner(&o.name), xlen)))
        };
        let constant = method.operands.iter().find(|o| o.register.is_none());
        // An instruction with room for a constant and no operand for it has 0 there.
        let immediate = constant.map_or("abi1::U8<0>".to_owned(), |o| o.immediate());
        match method.shape {
            Shape::FlexImmediate => format!(
                "abi1::{function}::<G, {}, {}, {immediate}>(&self.0, {}, {})",
                method.id,
                constant.map_or(1, |o| o.value.width),
                register(0),
                register(1)
            ),
            Shape::Flex25 => format!("abi1::{function}::<G, {}, {immediate}>(&self.0)", method.id),
            Shape::Immediate | Shape::OneRegister => {
                format!("abi1::{function}::<G, {}, {immediate}>(&self.0, {})", method.id, register(0))
            }
            _ => format!("abi1::{function}::<G, {}>(&self.0, {}, {})", method.id, register(0), register(1)),
        }
    };
    let line = match &method.result {
        Some(value) => format!("    {}\n", value.outer(&value.from_register(&call(false)))),
        None => format!("    let _ = {};\n", call(false)),
    };
    let _ = writeln!(out, "#[inline]\n{} {{\n{check}{line}}}", method.head(false));
    if method.tried.is_some() {
        let code = if state_context {
            format!("|| (abi1::value::<G, 1023>(&self.0, None, None) >> {}) as u8", layout::status::ERROR_SHIFT)
        } else {
            "|| 0".to_owned()
        };
        let value = method.result.as_ref().map_or("()".to_owned(), |v| v.outer(&v.from_register("reply.value")));
        let _ = writeln!(
            out,
            "\n#[inline]\n{} {{\n{check}    let reply = {};\n    Error::check({value}, reply.response.into(), {code})\n}}",
            method.head(true),
            call(true)
        );
    }
}
