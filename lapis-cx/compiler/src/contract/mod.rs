//! The contract: the resolved, serialisable model that every backend and the oracle read.
//!
//! Names are resolved to ids, types are known, constants are folded, bases are copied in. [`core`] holds the typed
//! bodies, [`layout`] where state lies in words, [`canonical`] the text whose SHA-256 is the contract hash.

#[macro_use]
pub(crate) mod ids;

pub mod canonical;
pub mod core;
pub mod csr;
pub mod frozen;
pub mod identity;
mod immediate;
pub mod layout;
pub mod library;
pub mod platform;
#[cfg(test)]
pub(crate) mod testing;

pub use self::csr::{Csr, CsrField, CsrOp};
pub use self::immediate::FlexConstant;
pub(crate) use self::immediate::WHAT_FORM_I_CARRIES;

use self::core::{Body, Expr, Local, LocalId, Stmt, Type, Value};
use crate::json::{Deserialize, JsonSchema, Serialize};
use crate::source::Span;

/// Everything one root file defines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contract {
    /// The language edition of the file.
    pub edition: u32,
    /// Its package, dotted.
    pub package: String,
    /// Its items in source order.
    pub items: Vec<Item>,
}

/// A resolved item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Item {
    /// Commands over state, with semantics.
    Interface(Interface),
    /// An annotated C API.
    Library(Box<library::Library>),
    /// Which hardware answers which id.
    Platform(platform::Platform),
    /// The laws that stand beside the interfaces. At most one item of this kind, the last.
    Laws(Laws),
}

/// Laws over functions and constants of the package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Laws {
    /// One per XLEN, ascending, without commands and state.
    pub sections: Vec<Section>,
    /// The first of them.
    #[serde(skip)]
    pub span: Span,
}

impl Item {
    /// Where its name stands.
    pub fn span(&self) -> Span {
        match self {
            Item::Interface(interface) => interface.span,
            Item::Library(library) => library.span,
            Item::Platform(platform) => platform.span,
            Item::Laws(laws) => laws.span,
        }
    }
}

impl Contract {
    /// All sections that may hold examples and laws: those of interfaces, and of the package.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.items.iter().flat_map(|item| match item {
            Item::Interface(interface) => interface.sections.as_slice(),
            Item::Laws(laws) => laws.sections.as_slice(),
            _ => &[],
        })
    }

    /// The interfaces in source order.
    pub fn interfaces(&self) -> impl Iterator<Item = &Interface> {
        self.items.iter().filter_map(|item| match item {
            Item::Interface(interface) => Some(interface),
            _ => None,
        })
    }

    /// The platforms in source order.
    pub fn platforms(&self) -> impl Iterator<Item = &platform::Platform> {
        self.items.iter().filter_map(|item| match item {
            Item::Platform(platform) => Some(platform),
            _ => None,
        })
    }

    /// The libraries, in source order.
    pub fn libraries(&self) -> impl Iterator<Item = &library::Library> {
        self.items.iter().filter_map(|item| match item {
            Item::Library(library) => Some(&**library),
            _ => None,
        })
    }
}

/// A contract of commands over state: a CX, an xintf, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interface {
    /// Its package, dotted.
    pub package: String,
    /// Its name in the package.
    pub name: String,
    /// The long name given with `interface X = "…"`, if any.
    pub long_name: Option<String>,
    /// The name given with `short`.
    pub short: Option<String>,
    /// Documentation, Markdown.
    pub docs: String,
    /// Copied into heirs only; nothing is generated.
    pub is_abstract: bool,
    /// May carry a literal UUID without `contract`.
    pub is_draft: bool,
    /// The UUID, also when it was derived with `uuid auto`.
    pub uuid: Option<uuid::Uuid>,
    /// The overloadable-opcode id, also when it was derived with `xintf auto`.
    pub xintf: Option<Xintf>,
    /// SHA-256 of the [`canonical`] text, 64 hex digits.
    pub hash: String,
    /// Whether it inherits `cx.std:IStateContext`.
    pub state_context: bool,
    /// One per XLEN, ascending.
    pub sections: Vec<Section>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl Interface {
    /// The 32 bytes of [`Interface::hash`]; none if that is not 64 hex digits, which only a contract read from elsewhere
    /// can have.
    pub fn hash_bytes(&self) -> Option<[u8; 32]> {
        hash_bytes(&self.hash)
    }
}

/// A contract hash as bytes; `None` if it is not 64 hex digits.
fn hash_bytes(hash: &str) -> Option<[u8; 32]> {
    let digits: Option<Vec<u8>> = hash.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let bytes: Vec<u8> =
        digits?.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
    (hash.len() == 64).then_some(bytes)?.try_into().ok()
}

/// Overloadable-opcode ids (overloadable-opcodes, "Description of the instructions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Xintf {
    /// 20-bit id, as `lui` takes it.
    pub id20: u32,
    /// 52-bit id for RV64; the sign extension of `id20` unless given.
    pub id52: u64,
}

ids! {
    /// Position in [`Section::enums`].
    EnumId
    /// Position in [`Section::consts`].
    ConstId
    /// Position in [`Section::fns`].
    FnId
    /// Position in [`Section::commands`].
    CommandId
    /// Position in [`Section::csrs`].
    CsrId
    /// Position in [`State::fields`].
    FieldId
    /// Position in [`Section::errors`].
    ErrorId
}

/// An interface at one XLEN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// Width of a register in bits: 32 or 64.
    pub xlen: u32,
    /// Enums visible to the interface, in order of declaration.
    pub enums: Vec<Enum>,
    /// Constants visible to the interface, in order of declaration.
    pub consts: Vec<Const>,
    /// The state, if it has any.
    pub state: Option<State>,
    /// What is live of the state, if that is shared in a way of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<Live>,
    /// CSRs by ascending address, inherited ones included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub csrs: Vec<Csr>,
    /// Declared errors by ascending code.
    pub errors: Vec<ErrorDef>,
    /// Function instances in order of first call.
    pub fns: Vec<Function>,
    /// Commands by ascending function id, family members and inherited ones included.
    pub commands: Vec<Command>,
    /// Examples that run at this XLEN.
    pub examples: Vec<Example>,
    /// Laws.
    pub laws: Vec<Law>,
}

impl Section {
    /// The command that is this function of IStateContext, if the interface has it.
    pub fn standard(&self, standard: Standard) -> Option<&Command> {
        self.commands.iter().find(|command| matches!(&command.semantics, Semantics::Standard(one) if *one == standard))
    }
}

/// An enum: named patterns of its base type. Other patterns may occur too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Width of the base type in bits.
    pub width: u32,
    /// Whether the base type is signed.
    pub signed: bool,
    /// The cases in source order.
    pub cases: Vec<EnumCase>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A named pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnumCase {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// The unsigned pattern.
    pub pattern: crate::int::Int,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A named constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Const {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Whether the interface (not the package around it) declares it.
    pub is_member: bool,
    /// Its type; `None` for an unsized integer.
    pub ty: Option<Type>,
    /// Its value.
    pub value: Value,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// The state of one context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// Documentation of the block; of several bases, each after an empty line.
    pub docs: String,
    /// The sharing discipline.
    pub sharing: Sharing,
    /// `@ucontext(true)`: takes part in user thread contexts (cx-api, "state isolation models").
    pub ucontext: bool,
    /// Fields in source order.
    pub fields: Vec<Field>,
}

/// How libraries share state (cx-api, "CX state isolation models").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Each open has its own.
    Exclusive,
    /// One per thread; the caller saves what it needs.
    CallerSave,
    /// One per thread; the callee saves what it changes.
    CalleeSave,
    /// One per thread; each user starts by initialising it.
    AlwaysInit,
    /// One per thread; [`Section::live`] says what is saved and restored.
    Custom,
}

/// `shared(custom, save: f, restore: g)`: which state words an image carries.
///
/// Word `i` of an image is state word `i` if `f` calls it live, else 0. A restore resets the fields; then, by ascending
/// index, it writes word `i` if `g` calls it live, given the fields as they are by then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Live {
    /// What a save carries.
    pub save: LiveWords,
    /// What a restore takes back.
    pub restore: LiveWords,
}

/// A pure function that says whether a state word is live.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiveWords {
    /// The function; it returns a bool.
    pub function: FnId,
    /// The type of its first parameter, the index of the word: unsigned, of at least 10 bits.
    pub index: Type,
    /// The state fields that are its other parameters: the first ones, in order.
    pub fields: Vec<FieldId>,
}

/// A state field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its type.
    pub ty: Type,
    /// Its value after reset, in full.
    pub reset: Value,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A declared error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDef {
    /// Its name.
    pub name: String,
    /// Its code in the status word, 1 to 255.
    pub code: u8,
    /// What it means, for people.
    pub message: Option<String>,
    /// Documentation.
    pub docs: String,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl ErrorDef {
    /// What people read of it: what it means, and its documentation.
    pub fn about(&self) -> String {
        let message = self.message.as_deref().unwrap_or_default();
        [message, self.docs.trim()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

/// One instance of a function: its generics are bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// The values of its generics, in order.
    pub generics: Vec<u32>,
    /// What it returns.
    pub result: Type,
    /// Parameters are the first [`Body::params`] locals.
    pub body: Body,
    /// Documentation.
    pub docs: String,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A way to issue a command. The order is that of the canonical text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Form {
    /// custom-1: a register and a 12-bit immediate.
    I,
    /// custom-0: two registers.
    R,
    /// custom-2: two registers and, instead of a result register, five immediate bits.
    #[serde(rename = "flex")]
    Flex,
    /// custom-2 with fifteen immediate bits and no register.
    #[serde(rename = "flex25")]
    Flex25,
    /// An overloadable opcode.
    #[serde(rename = "xcmd")]
    Xcmd,
}

impl Form {
    /// As the source writes it.
    pub fn name(self) -> &'static str {
        match self {
            Form::I => "I",
            Form::R => "R",
            Form::Flex => "flex",
            Form::Flex25 => "flex25",
            Form::Xcmd => "xcmd",
        }
    }
}

/// A command: a function id and a function of (state, operands) to (state', result, status).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Command {
    /// Its name; for a family member, the family's name and the decimal index.
    pub name: String,
    /// The family's name and the index.
    pub family: Option<(String, u32)>,
    /// Documentation.
    pub docs: String,
    /// Function id, 0 to 1023.
    pub id: u16,
    /// Ascending, without repetition.
    pub forms: Vec<Form>,
    /// Operands, first to rs1, second to rs2; they are the first locals of the body.
    pub operands: Vec<Operand>,
    /// The result; `None` leaves rd = 0.
    pub result: Option<Type>,
    /// `@latency(lo, hi)` in cycles.
    pub latency: Option<(u32, u32)>,
    /// What it does.
    pub semantics: Semantics,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A command's operand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Operand {
    /// Its name.
    pub name: String,
    /// Its type, at most XLEN wide.
    pub ty: Type,
    /// How it reaches the instruction.
    pub slot: Slot,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// Where an instruction carries an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// First source register.
    Rs1,
    /// Second source register.
    Rs2,
    /// Declared `imm`: an immediate in every form.
    Imm,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// A typed body.
    Body(Body),
    /// A standard function over the state words ([`layout`]), inherited from `cx.std:IStateContext`.
    Standard(Standard),
    /// Declared without a body.
    Opaque,
}

/// The standard functions of a serialisable state context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standard {
    /// 1023
    ReadStatus,
    /// 1022
    WriteStatus,
    /// 1021
    ReadState,
    /// 1020
    WriteState,
}

impl Standard {
    /// Its function id.
    pub fn id(self) -> u16 {
        match self {
            Standard::ReadStatus => 1023,
            Standard::WriteStatus => 1022,
            Standard::ReadState => 1021,
            Standard::WriteState => 1020,
        }
    }
}

/// A CXU response status (language rules, "Settled where the documents disagree"): the numbers are the ABI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Response {
    /// Done.
    Ok = 0,
    /// No such CXU.
    Cxu = 1,
    /// No such state context.
    State = 2,
    /// The state context is off.
    Off = 3,
    /// No such function.
    Func = 4,
    /// Operand error (`raise op`).
    Op = 5,
    /// A declared error; its code is in the status word.
    Custom = 6,
}

/// An example: it must run exactly as written, from reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// Its title.
    pub name: Option<String>,
    /// Documentation.
    pub docs: String,
    /// Locals of all steps.
    pub locals: Vec<Local>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The title, or the keyword.
    #[serde(skip)]
    pub span: Span,
}

/// A step of an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Evaluates; a bool must be true; every command before the last must answer `Ok`, the last as `raises` says.
    Run {
        /// The expression; may hold [`core::ExprKind::Command`] and state. A value that is no bool is dropped.
        expr: Box<Expr>,
        /// The response that the last command of the step must give.
        raises: Raises,
        /// The step.
        #[serde(skip)]
        span: Span,
    },
    /// Back to reset values.
    Reset,
    /// Names a value.
    Let {
        /// The new local.
        local: LocalId,
        /// Its value.
        value: Box<Expr>,
    },
    /// Repeats steps.
    For {
        /// The loop variable.
        local: LocalId,
        /// First value.
        lo: Box<Expr>,
        /// One past the last value.
        hi: Box<Expr>,
        /// What is repeated.
        steps: Vec<Step>,
    },
}

/// The response an example step expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Raises {
    /// [`Response::Ok`].
    Nothing,
    /// [`Response::Custom`] with this error in the status word.
    Error(ErrorId),
    /// Another response.
    Response(Response),
}

/// A law: holds for all values of its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Law {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Parameters are the first [`Body::params`] locals; the body is one `return` of a bool. Commands run from reset.
    pub body: Body,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl Section {
    /// The command of a name.
    pub fn command(&self, name: &str) -> Option<&Command> {
        self.commands.iter().find(|c| c.name == name)
    }

    /// Whether a body may raise anything, so that `_st` variants make sense.
    pub fn can_raise(&self, command: &Command) -> bool {
        matches!(&command.semantics, Semantics::Body(body) if body.stmts.iter().any(Stmt::raises))
    }
}
