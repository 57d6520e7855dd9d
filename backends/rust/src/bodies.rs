//! Commands without a body: a trait with a function for each, and the fallback's functions that call it.
//!
//! The fallback of such an interface has the trait as a parameter, so there is none without the bodies.

use std::fmt::Write;

use lapis_cx::lower::ir::{self, Edge};

use crate::docs::{docs, indent};
use crate::expr::hexadecimal;
use crate::method::{Value, edge_type, software_name};
use crate::naming::{self, BODIES, RAISED, Scope};
use crate::section::{Source, origin};

/// One command without a body, as people define it.
struct Open<'a> {
    command: &'a ir::Command,
    docs: &'a str,
    /// The name of the state, and names and types of the operands.
    state: Option<String>,
    operands: Vec<(String, Value)>,
    result: Option<Value>,
}

impl Open<'_> {
    /// The type of what the body returns.
    fn returns(&self) -> String {
        match &self.result {
            Some(value) => format!("Result<{}, {RAISED}<{}>>", value.ty(), value.ty()),
            None => "Result<(), Error>".to_owned(),
        }
    }
}

/// All of a section.
fn open<'a>(source: &Source<'a>) -> Vec<Open<'a>> {
    let Source { section, lowered, .. } = source;
    let of = |command: &'a ir::Command| {
        let declared = section.commands.iter().find(|c| c.id == command.id)?;
        let mut scope = Scope::default();
        let state = lowered.state.is_some().then(|| scope.fresh("state"));
        let mut operand = |(name, ty)| (scope.fresh(&naming::snake(name)), Value::new(section, ty));
        Some(Open {
            command,
            docs: &declared.docs,
            state,
            operands: declared.operands.iter().map(|o| operand((o.name.as_str(), &o.ty))).collect(),
            result: declared.result.as_ref().map(|ty| Value::new(section, ty)),
        })
    };
    lowered.opaque.iter().filter_map(of).collect()
}

/// Prints the trait of the bodies, and what they raise.
pub fn declare(out: &mut String, source: &Source<'_>) {
    let Source { interface, lowered, .. } = source;
    let all = open(source);
    if all.is_empty() {
        return;
    }
    let origin = origin(interface);
    let mut inner = String::new();
    for (i, open) in all.iter().enumerate() {
        if i > 0 {
            inner.push('\n');
        }
        docs(&mut inner, open.docs, &format!("Command {}.", open.command.id));
        inner.push_str("///\n/// # Errors\n/// What the command answers, if not that it is done.\n");
        let state = open.state.iter().map(|name| format!("{name}: &mut State"));
        let operands = open.operands.iter().map(|(name, value)| format!("{name}: {}", value.ty()));
        let list: Vec<String> = state.chain(operands).collect();
        let name = naming::snake(&open.command.name);
        let _ = writeln!(inner, "fn {name}({}) -> {};", list.join(", "), open.returns());
    }
    let state = if lowered.state.is_some() {
        " They run only in a context that is\n/// on, which is dirty after them; what they changed before an error stays changed."
    } else {
        ""
    };
    let _ = writeln!(
        out,
        "/// What the commands of `{origin}` do that the specification leaves open. Whoever builds a fallback supplies it.\n///\n\
         /// Operands are values of their types, and of results the low bits count.{state}\n\
         #[diagnostic::on_unimplemented(\n    message = \"`{{Self}}` does not say what the open commands of `{origin}` do\",\n    \
         label = \"no bodies\",\n    note = \"implement `{BODIES}` for a type, and give that type to `Soft` or `SoftCxu`\"\n)]\n\
         pub trait {BODIES}: 'static {{\n{}}}\n",
        indent(&inner)
    );
    if all.iter().any(|open| open.result.is_some()) {
        let _ = writeln!(
            out,
            "/// What a body raises: an error, and a value for the result register beside it.\n#[derive(Clone, Copy, Debug, \
             PartialEq, Eq)]\npub struct {RAISED}<T> {{\n    /// The error.\n    pub error: Error,\n    /// The value; without \
             one it is 0.\n    pub value: Option<T>,\n}}\n\nimpl<T> From<Error> for {RAISED}<T> {{\n    fn from(error: Error) -> \
             Self {{\n        {RAISED} {{ error, value: None }}\n    }}\n}}\n"
        );
    }
    answers(out, source);
}

/// Prints how an error of a body is answered.
fn answers(out: &mut String, source: &Source<'_>) {
    let mut arms: String = naming::RESPONSES
        .iter()
        .filter(|name| **name != "Custom")
        .map(|name| format!("Error::{name} => return abi1::Answer::{name},\n"))
        .collect();
    if source.lowered.state.is_none() {
        // Declared errors need a state.
        arms = arms.replace("return ", "") + "Error::Custom(_) => abi1::Answer::Custom,\n";
        let _ = writeln!(
            out,
            "impl Error {{\n    /// How the command of a body ends that raises this.\n    fn answer(self) -> abi1::Answer {{\n        \
             match self {{\n{}        }}\n    }}\n}}\n",
            indent(&indent(&indent(&arms)))
        );
        return;
    }
    for error in &source.section.errors {
        let _ = writeln!(arms, "Error::{} => {},", naming::camel(&error.name), error.code);
    }
    arms.push_str("Error::Custom(code) => code,\n");
    let _ = writeln!(
        out,
        "impl Error {{\n    /// How the command of a body ends that raises this. A code goes into the status word.\n    fn \
         answer(self, state: &mut State) -> abi1::Answer {{\n        let code = match self {{\n{}        }};\n        \
         state.status = (state.status & 0x00FF_FFFF) | u32::from(code) << 24;\n        abi1::Answer::Custom\n    }}\n}}\n",
        indent(&indent(&indent(&arms)))
    );
}

/// A value of an edge type, cut to the width of the type that it is a value of: by its sign, or with zeros above.
fn cut(value: &str, edge: Edge, width: u32) -> String {
    match edge {
        Edge::Unsigned(n) if width < n => format!("{value} & {}", hexadecimal(ir::ones(width), 1)),
        Edge::Signed(n) if width < n => format!("{value} << {0} >> {0}", n - width),
        _ => value.to_owned(),
    }
}

/// Prints the functions of the fallback that call the bodies.
pub fn software(out: &mut String, source: &Source<'_>) {
    let soft = source.soft();
    for open in open(source) {
        let Open { command, operands, result, .. } = &open;
        let mut scope = Scope::default();
        ["st", "value", "raised", "error"].iter().for_each(|name| scope.reserve(name));
        let stateful = open.state.is_some();
        let mut list = if stateful { vec!["st: &mut State".to_owned()] } else { Vec::new() };
        let mut args = if stateful { vec!["st".to_owned()] } else { Vec::new() };
        for (name, value) in operands {
            let name = scope.fresh(name);
            list.push(format!("{name}: {}", edge_type(value.edge)));
            args.push(value.outer(&cut(&name, value.edge, value.width)));
        }
        let zero = match result {
            Some(Value { edge: Edge::Bool, .. }) => "false",
            Some(_) => "0",
            None => "()",
        };
        let off = match stateful {
            true => format!("    if st.status & 3 == 0 {{\n        return ({zero}, abi1::Answer::Off);\n    }}\n"),
            false => String::new(),
        };
        let (pattern, value, raised, error) = match result {
            Some(result) => {
                let value = cut(&result.inner("value"), result.edge, result.width);
                let raised = match value.as_str() {
                    "value" => format!("raised.value.unwrap_or({zero})"),
                    _ => format!("raised.value.map_or({zero}, |value| {value})"),
                };
                ("value", value, raised, "raised")
            }
            None => ("()", zero.to_owned(), zero.to_owned(), "error"),
        };
        let of = if result.is_some() { "raised.error" } else { "error" };
        let answer = if stateful { format!("{of}.answer(st)") } else { format!("{of}.answer()") };
        let done = if stateful {
            format!("{{\n            st.status |= 3;\n            ({value}, abi1::Answer::Ok)\n        }}")
        } else {
            format!("({value}, abi1::Answer::Ok),")
        };
        let body = naming::snake(&command.name);
        let _ = writeln!(
            out,
            "/// `{}` in software, as its body has it.\n#[inline]\nfn {}{}({}) -> ({}, abi1::Answer) {{\n{off}    \
             match {}::{body}({}) {{\n        Ok({pattern}) => {done}\n        Err({error}) => ({raised}, {answer}),\n    }}\n}}\n",
            command.name,
            software_name(&command.name),
            soft.declared,
            list.join(", "),
            result.as_ref().map_or("()".to_owned(), |value| edge_type(value.edge)),
            soft.name,
            args.join(", "),
        );
    }
}

/// What is derived elsewhere, for the fallback that has bodies.
pub fn by_hand(out: &mut String, declared: &str, given: &str, fresh: &str, same: &str, shown: &str) {
    let body = |head: &str, line: &str| format!("    fn {head} {{\n        {line}\n    }}\n");
    let debug = "fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result";
    for (what, body) in [
        ("Default", body("default() -> Self", fresh)),
        ("Clone", body("clone(&self) -> Self", same)),
        ("::core::fmt::Debug", body(debug, &format!("f.debug_struct(\"Soft\"){shown}.finish_non_exhaustive()"))),
    ] {
        let _ = writeln!(out, "impl{declared} {what} for Soft{given} {{\n{body}}}\n");
    }
}

/// The type of a member that is nothing.
pub const PHANTOM: &str = "::core::marker::PhantomData";
