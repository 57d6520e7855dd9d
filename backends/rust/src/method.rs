//! The methods of the trait: one or two for each command, with the types of their operands.

use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Command, Form, Interface, Section, Semantics, Slot};
use lapis_cx::lower::ir::Edge;
use lapis_cx_core::encoding::SMALL_LIMIT;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::naming::{self, Scope};
use crate::print::Writer;
use crate::tokens::{ident, part, word};

/// The instruction of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Form R.
    Registers,
    /// Form flex, which has no result.
    Flex,
    /// Form I with the immediate 0: a single operand, in rs1.
    OneRegister,
    /// Form I with a constant.
    Immediate,
    /// Form flex with a constant in place of the result register.
    FlexImmediate,
    /// Form flex25, which is a constant in place of all registers, or nothing.
    Flex25,
    /// No form that a selected CX answers.
    Nothing,
}

impl Shape {
    /// Whether the result register belongs to the instruction.
    fn has_result(self) -> bool {
        !matches!(self, Shape::Flex | Shape::FlexImmediate | Shape::Flex25)
    }
}

/// The instruction of the method that has the command's name.
fn shape(command: &Command) -> Shape {
    let has = |form| command.forms.contains(&form);
    let immediate = command.operands.iter().any(|o| o.slot == Slot::Imm);
    let is_small = command.id < SMALL_LIMIT;
    if has(Form::R) {
        Shape::Registers
    } else if has(Form::I) && is_small && command.operands.len() == 1 && !immediate {
        Shape::OneRegister
    } else if has(Form::Flex) && !immediate {
        Shape::Flex
    } else if has(Form::I) && is_small && !command.operands.is_empty() {
        Shape::Immediate
    } else if has(Form::Flex) {
        Shape::FlexImmediate
    } else if has(Form::Flex25) {
        Shape::Flex25
    } else {
        Shape::Nothing
    }
}

/// Whether a command has a second method, for its form I, beside one that takes all operands in registers.
pub fn has_immediate(command: &Command) -> bool {
    let registers = matches!(shape(command), Shape::Registers | Shape::Flex);
    registers && command.forms.contains(&Form::I) && command.id < SMALL_LIMIT && command.operands.len() == 2
}

/// Whether a command can answer anything but that it is done, in a context that is on.
pub fn can_fail(section: &Section, command: &Command) -> bool {
    matches!(command.semantics, Semantics::Opaque) || section.can_raise(command) || lapis_cx::lower::can_trap(command)
}

/// An operand or a result as people pass it.
#[derive(Clone, Debug)]
pub struct Value {
    /// The name of an enum's type.
    enumeration: Option<Ident>,
    /// How it is passed, or what the enum is made of.
    pub edge: Edge,
    /// Its width in bits.
    pub width: u32,
}

impl Value {
    /// The value of a type.
    pub fn new(section: &Section, ty: &Type) -> Value {
        let enumeration = match ty {
            Type::Enum { id, .. } => section.enums.get(id.index()).map(|def| ident(&naming::type_name(&def.name))),
            _ => None,
        };
        Value { enumeration, edge: lapis_cx::lower::edge(ty), width: ty.width() }
    }

    /// Whether its type is an enum.
    pub fn is_enum(&self) -> bool {
        self.enumeration.is_some()
    }

    /// The Rust type.
    pub fn ty(&self) -> Ident {
        self.enumeration.clone().unwrap_or_else(|| edge_type(self.edge))
    }

    /// A value of that type as the integer or bool inside.
    pub fn inner(&self, value: TokenTree) -> TokenTree {
        if self.enumeration.is_some() { part(quote!(#value.0)) } else { value }
    }

    /// The integer or bool inside as a value of that type.
    pub fn outer(&self, inner: TokenTree) -> TokenTree {
        match &self.enumeration {
            Some(ty) => part(quote!(#ty(#inner))),
            None => inner,
        }
    }

    /// The integer or bool `inner` in a register.
    pub fn to_register(&self, inner: TokenTree, xlen: u32) -> TokenTree {
        to_register(self.edge, inner, xlen)
    }

    /// The integer or bool in a register.
    pub fn from_register(&self, register: TokenTree) -> TokenTree {
        from_register(self.edge, register)
    }
}

/// The integer or bool `inner` in a register: extended by its sign kind to XLEN, and with zeros above.
pub fn to_register(edge: Edge, inner: TokenTree, xlen: u32) -> TokenTree {
    let signed = |inner: TokenStream| {
        let unsigned = edge_type(Edge::Unsigned(xlen));
        quote!(#inner as #unsigned as usize)
    };
    part(match edge {
        Edge::Bool | Edge::Unsigned(8 | 16) => quote!(usize::from(#inner)),
        Edge::Unsigned(_) => quote!(#inner as usize),
        Edge::Signed(bits) if bits == xlen => signed(inner.into()),
        Edge::Signed(_) => {
            let ty = edge_type(Edge::Signed(xlen));
            signed(quote!(#ty::from(#inner)))
        }
    })
}

/// The integer or bool in a register.
pub fn from_register(edge: Edge, register: TokenTree) -> TokenTree {
    let ty = edge_type(edge);
    part(match edge {
        Edge::Bool => quote!(#register & 1 != 0),
        Edge::Unsigned(_) | Edge::Signed(_) => quote!(#register as #ty),
    })
}

/// The Rust type at the edge.
pub fn edge_type(edge: Edge) -> Ident {
    word(match edge {
        Edge::Bool => "bool",
        Edge::Unsigned(8) => "u8",
        Edge::Unsigned(16) => "u16",
        Edge::Unsigned(32) => "u32",
        Edge::Unsigned(_) => "u64",
        Edge::Signed(8) => "i8",
        Edge::Signed(16) => "i16",
        Edge::Signed(32) => "i32",
        Edge::Signed(_) => "i64",
    })
}

/// An operand of a method.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name as a parameter, or as a constant parameter.
    pub name: Ident,
    /// What it is.
    pub value: Value,
    /// The register that carries it; `None` for the immediate.
    pub register: Option<u32>,
}

impl Operand {
    /// The immediate as a type of `abi1`.
    pub fn immediate(&self) -> TokenTree {
        let (ty, name) = (immediate_type(self.value.edge), &self.name);
        part(quote!(abi1::#ty<#name>))
    }

    /// As an argument for the software function.
    pub fn argument(&self) -> TokenTree {
        let name = self.name.clone().into();
        // A constant parameter is what an enum is made of.
        if self.register.is_none() { name } else { self.value.inner(name) }
    }
}

/// The type of `abi1` for constants of this one.
pub fn immediate_type(edge: Edge) -> Ident {
    match edge {
        Edge::Bool => word("Bool"),
        Edge::Unsigned(n) => word(&format!("U{n}")),
        Edge::Signed(n) => word(&format!("I{n}")),
    }
}

/// A method of the trait.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: Ident,
    /// The name of the one that returns a `Result`.
    pub tried: Option<Ident>,
    /// The function id.
    pub id: u16,
    /// The software function; its command may be opaque, and then there is none.
    pub software: Ident,
    /// Whether the command has semantics.
    pub is_defined: bool,
    /// The instruction.
    pub shape: Shape,
    /// Its operands in order.
    pub operands: Vec<Operand>,
    /// Its result.
    pub result: Option<Value>,
    /// Whether the software function has a result that the method drops.
    pub drops_result: bool,
    /// Documentation.
    pub docs: String,
    /// Whether the interface has state.
    pub stateful: bool,
    head: TokenTree,
    tried_head: Option<TokenTree>,
}

/// A number of bits, in words.
pub fn bits(n: u32) -> String {
    format!("{n} bit{}", if n == 1 { "" } else { "s" })
}

/// The methods of a section's trait, in the order of the commands.
pub fn methods(interface: &Interface, section: &Section) -> Vec<Method> {
    let mut methods = all(interface, section);
    // A command that no CX answers is for the fallback of an interface that is no CX.
    methods.retain(|method| method.shape != Shape::Nothing || interface.uuid.is_none());
    methods
}

/// The methods of all commands, also those that only an overloadable opcode issues.
pub fn all(interface: &Interface, section: &Section) -> Vec<Method> {
    let stateful = section.state.is_some();
    let mut types = Scope::default();
    section.enums.iter().for_each(|def| types.reserve(naming::type_name(&def.name)));
    types.reserve(naming::type_name(&interface.name));
    let mut methods = Vec::new();
    for command in &section.commands {
        let shape = shape(command);
        let can_fail = can_fail(section, command);
        let tried = |name: &str| can_fail.then(|| naming::tried(name));
        let mut add = |name: String, tried: Option<String>, shape: Shape| {
            let constant = constant(command, shape);
            let (mut scope, mut constants) = (Scope::default(), types.clone());
            let operands = command.operands.iter().enumerate().map(|(i, operand)| {
                let value = Value::new(section, &operand.ty);
                if constant == Some(i) {
                    let name = ident(&constants.fresh(&naming::screaming(&operand.name)));
                    return Operand { name, value, register: None };
                }
                let register = u32::from(operand.slot != Slot::Rs1);
                let name = ident(&scope.fresh(&naming::snake(&operand.name)));
                Operand { name, value, register: Some(register) }
            });
            let operands: Vec<Operand> = operands.collect();
            let is_flex = !shape.has_result();
            let mut docs = command.docs.trim().to_owned();
            if is_flex && command.result.is_some() {
                note(&mut docs, "The form flex has no result register: the result is dropped.");
            }
            let result = command.result.as_ref().filter(|_| !is_flex).map(|ty| Value::new(section, ty));
            let (name, tried) = (ident(&name), tried.map(|name| ident(&name)));
            let ty = result.as_ref().map(Value::ty);
            let returns = ty.as_ref().map(|ty| part(quote!(-> #ty)));
            let fallible =
                || ty.as_ref().map_or_else(|| quote!(-> Result<(), Error>), |ty| quote!(-> Result<#ty, Error>));
            methods.push(Method {
                head: head(&name, stateful, &operands, returns),
                tried_head: tried.as_ref().map(|tried| head(tried, stateful, &operands, Some(part(fallible())))),
                name,
                tried,
                id: command.id,
                software: ident(&software_name(&command.name)),
                is_defined: command.semantics != Semantics::Opaque,
                shape,
                operands,
                result,
                drops_result: is_flex && command.result.is_some(),
                docs,
                stateful,
            });
        };
        add(naming::snake(&command.name), tried(&command.name), shape);
        if has_immediate(command) {
            let name = naming::with_immediate(&command.name);
            add(name.clone(), tried(&name), Shape::Immediate);
        }
    }
    methods
}

/// The software function of a command.
pub fn software_name(command: &str) -> String {
    format!("sw_{}", naming::stem(&naming::snake(command)))
}

fn note(docs: &mut String, text: &str) {
    if !docs.is_empty() {
        docs.push_str("\n\n");
    }
    docs.push_str(text);
}

/// The operand that the instruction carries as a constant: the one declared so; in form I, if there is none, the one in
/// rs2. In form R an immediate is in a register.
fn constant(command: &Command, shape: Shape) -> Option<usize> {
    let at = |slot| command.operands.iter().position(|o| o.slot == slot);
    match shape {
        Shape::Immediate => at(Slot::Imm).or_else(|| at(Slot::Rs2)),
        Shape::FlexImmediate | Shape::Flex25 => at(Slot::Imm),
        Shape::Registers | Shape::Flex | Shape::OneRegister | Shape::Nothing => None,
    }
}

/// The head of a method, from `fn` up to the result.
fn head(name: &Ident, stateful: bool, operands: &[Operand], returns: Option<TokenTree>) -> TokenTree {
    let (registers, constants): (Vec<&Operand>, Vec<&Operand>) = operands.iter().partition(|o| o.register.is_some());
    let generics = constants.first().map(|constant| {
        let (name, ty) = (&constant.name, edge_type(constant.value.edge));
        part(quote!(<const #name: #ty>))
    });
    let receiver = stateful.then(|| word("mut"));
    let parameters = registers.iter().map(|operand| {
        let (name, ty) = (&operand.name, operand.value.ty());
        part(quote!(, #name: #ty))
    });
    part(quote!(fn #name #generics (&#receiver self #(#parameters)*) #returns))
}

impl Method {
    /// The constant parameter.
    pub fn constant(&self) -> Option<&Operand> {
        self.operands.iter().find(|o| o.register.is_none())
    }

    /// The head of the method, from `fn` up to the result; `tried` for the one that returns a `Result`.
    pub fn head(&self, tried: bool) -> TokenTree {
        self.tried_head.as_ref().filter(|_| tried).unwrap_or(&self.head).clone()
    }

    /// Documents what is printed next as this method, whose value matters if that is all that it does.
    pub fn document(&self, out: &mut Writer) {
        out.docs(&self.docs, format_args!("Command {}.", self.id));
        if let Some(constant) = self.constant() {
            let carried = if constant.value.width > 12 && self.shape == Shape::Immediate {
                " that 12 bits, sign-extended, carry"
            } else {
                ""
            };
            let bits = bits(constant.value.width);
            out.docs("", format_args!("`{}` is a value of {bits}{carried}.", constant.name));
        }
        if self.is_pure() {
            out.attribute("must_use");
        }
    }

    /// Refuses an immediate that no instruction carries, in hardware and in software alike.
    pub fn check(&self) -> Option<TokenTree> {
        let constant = self.constant()?;
        let check = word(if self.shape == Shape::Immediate { "check12" } else { "check" });
        let (immediate, width) = (constant.immediate(), Literal::u32_unsuffixed(constant.value.width));
        Some(part(quote!(abi1::#check::<#immediate, #width>();)))
    }

    /// Whether nothing but its operands decides what it gives.
    pub fn is_pure(&self) -> bool {
        !self.stateful && self.result.is_some()
    }
}
