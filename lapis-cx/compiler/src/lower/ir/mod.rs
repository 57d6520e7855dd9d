//! The lowered program: words, arrays of words, and statements that every target can print one to one.
//!
//! A value is its bit pattern, zero-extended in an unsigned word of 32 or 64 bits. There is no signed type and nothing
//! is undefined: shift amounts are below the width of their word, divisors are not zero, and indices lie inside their
//! array, because lowering put the checks where no range shows them to be useless. A value wider than 64 bits is a
//! run of 32-bit limbs, lowest first, worked on by [`WideOp`]s. Arrays have one dimension. Memory is read only where it
//! was written. [`interp`](super::interp) runs all this, and refuses what breaks it.

mod code;
mod routine;

pub use code::{Base, BinaryOp, CallArg, CompareOp, Expr, ExprKind, Slice, Stmt, WideOp};
pub use routine::{
    Context, Cx, ForeignArg, Library, LibrarySection, Owner, ParamKind, Routine, RoutineParam, Selection,
};

use crate::contract::FnId;
use crate::int::Int;
use crate::json::{JsonSchema, Serialize};

/// The lowered program of a contract.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Program {
    /// One for each interface of the contract, in the same order, abstract ones included.
    pub interfaces: Vec<Interface>,
    /// One for each library of the contract, in the same order.
    pub libraries: Vec<Library>,
}

/// A lowered interface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Interface {
    /// One for each section of the contract's interface, in the same order. None for an abstract interface.
    pub sections: Vec<Section>,
}

/// A lowered interface at one XLEN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Section {
    /// Width of a register in bits: 32 or 64.
    pub xlen: u32,
    /// The state, if the interface has any.
    pub state: Option<State>,
    /// Constant arrays: a [`TableId`] is a position.
    pub tables: Vec<Table>,
    /// The tables to print.
    pub used_tables: Vec<TableId>,
    /// Functions: the position is the contract's [`FnId`]. Only those that commands reach are in `call_order`.
    pub functions: Vec<Function>,
    /// The functions to print, callees first.
    pub call_order: Vec<FnId>,
    /// Whether functions call each other in a circle, so that a target may need declarations first.
    pub recursive: bool,
    /// Commands that have semantics, by ascending id.
    pub commands: Vec<Command>,
    /// CSRs by ascending address. An access at another address, and a write of a CSR without one, is answered
    /// [`Answer::Func`]; in a context that is off each access is answered [`Answer::Off`].
    pub csrs: Vec<Csr>,
    /// Commands declared without a body, by ascending id. Theirs are empty here: whoever builds the fallback supplies
    /// them, and a target calls what was supplied.
    pub opaque: Vec<Command>,
}

impl Section {
    /// All commands by ascending id, those without a body included.
    pub fn every_command(&self) -> Vec<&Command> {
        let mut all: Vec<&Command> = self.commands.iter().chain(&self.opaque).collect();
        all.sort_by_key(|command| command.id);
        all
    }

    /// Whether a command is declared without a body.
    pub fn is_opaque(&self, command: &Command) -> bool {
        self.opaque.iter().any(|opaque| opaque.id == command.id)
    }
}

/// The state of one context in memory and as words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct State {
    /// The fields: the position is the contract's `FieldId`.
    pub fields: Vec<Field>,
    /// Words of all fields, without the status word.
    pub words: u32,
    /// The declared error codes, ascending: what a write of the status word or a restored image may set beside 0.
    pub codes: Vec<u8>,
    /// The status word at power-on: `cs` initial, the size, no error.
    pub initial: u32,
    /// Whether the context is off: a bool that reads nothing but [`ExprKind::Status`]. Each body below that is issued says
    /// so itself; a dispatcher asks before it looks for a function id.
    pub is_off: Expr,
    /// The function ids that are looked for in a context that is off too. Every other one is answered [`Answer::Off`],
    /// also if there is no such command.
    pub not_off: Vec<u16>,
    /// Sets every field to its reset value; no parameters.
    pub reset: Body,
    /// Parameter 0: the status word of an image, XLEN bits. Resets every field and sets the status word: `cs` as the
    /// image has it, an error code that is not declared becomes 0, the size is this state's own. Returns a bool: whether
    /// the state words of the image are to be written, by ascending index, with `write_word` or as `live` says.
    pub restore: Body,
    /// Which words an image carries, if not all of them.
    pub live: Option<Live>,
    /// Parameter 0: index. Returns that state word, 0 outside.
    pub read_word: Body,
    /// Parameters: index, word. Writes that state word; drops what lies outside.
    pub write_word: Body,
}

/// The state words of an image, where not all of them are live: a save and a restore go through the words by ascending
/// index with these in place of `read_word` and `write_word`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Live {
    /// Parameter 0: index. Returns the word of an image: that state word if it is live, else 0.
    pub save: Body,
    /// Parameters: index, word. Writes that state word if it is live, given the fields as they are.
    pub restore: Body,
}

/// A state field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Field {
    /// Its name in the source.
    pub name: String,
    /// How it lies in memory.
    pub shape: Shape,
    /// The word where it starts, counted from the first state word.
    pub first_word: u32,
    /// How many words it takes.
    pub words: u32,
    /// Its elements after reset, by their patterns, for targets that say it as a constant; [`State::reset`] sets the same.
    pub reset: Vec<u64>,
}

/// A scalar in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ty {
    /// True or false.
    Bool,
    /// An unsigned word of 32 bits.
    W32,
    /// An unsigned word of 64 bits.
    W64,
}

impl Ty {
    /// The word for values of `width` bits, at most 64.
    pub fn for_width(width: u32) -> Ty {
        if width <= 32 { Ty::W32 } else { Ty::W64 }
    }

    /// Its width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Ty::Bool => 1,
            Ty::W32 => 32,
            Ty::W64 => 64,
        }
    }

    /// The greatest pattern.
    pub fn max(self) -> u64 {
        ones(self.bits())
    }
}

/// `2^n - 1` for `n` up to 64.
pub fn ones(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// An element in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// A bool.
    Bool,
    /// 8 bits.
    U8,
    /// 16 bits.
    U16,
    /// 32 bits, also a limb.
    U32,
    /// 64 bits.
    U64,
}

impl Shape {
    /// How a scalar, or an element of an array, is stored.
    pub fn storage(self) -> Storage {
        match self {
            Shape::Scalar(storage) | Shape::Array { storage, .. } => storage,
        }
    }
}

impl Storage {
    /// Its width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Storage::Bool => 1,
            Storage::U8 => 8,
            Storage::U16 => 16,
            Storage::U32 => 32,
            Storage::U64 => 64,
        }
    }

    /// The scalar that reads and writes it.
    pub fn ty(self) -> Ty {
        match self {
            Storage::Bool => Ty::Bool,
            Storage::U8 | Storage::U16 | Storage::U32 => Ty::W32,
            Storage::U64 => Ty::W64,
        }
    }
}

/// What a local, a field or a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// One scalar. Fields keep it in the storage given; locals, parameters and results have a bool or a whole word.
    Scalar(Storage),
    /// `len` elements; also a wide value, as limbs.
    Array {
        /// What an element is.
        storage: Storage,
        /// How many there are, at least 1.
        len: u32,
    },
}

/// A constant array.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Table {
    /// Its name in the source; empty for a constant without one.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// What an element is.
    pub storage: Storage,
    /// Element patterns.
    #[serde(serialize_with = "crate::lower::exact::words")]
    #[schemars(with = "Vec<Int>")]
    pub values: Vec<u64>,
}

/// Position in [`Section::tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct TableId(pub u32);

/// Position in [`Body::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct LocalId(pub u32);

impl LocalId {
    /// The position in [`Body::locals`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A local of a body.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Local {
    /// Its name in the source; empty for a temporary.
    pub name: String,
    /// What it is.
    pub shape: Shape,
}

/// Statements and the locals they use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Body {
    /// Locals: parameters first, if the body has any.
    pub locals: Vec<Local>,
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A pure function. Its parameters are the first locals: scalars by value, arrays and wide values by reference to
/// memory that nobody writes during the call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// The values of its generics.
    pub generics: Vec<u32>,
    /// Documentation.
    pub docs: String,
    /// How many of the locals are parameters.
    pub params: u32,
    /// What it returns. An array or wide value goes to [`Base::Out`], which overlaps no argument.
    pub result: Shape,
    /// What it does.
    pub body: Body,
}

/// A type at the edge of the program, where people pass values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// True or false; in a register bit 0.
    Bool,
    /// Unsigned, of 8, 16, 32 or 64 bits; zero-extended in a register.
    Unsigned(u32),
    /// Signed, of 8, 16, 32 or 64 bits; sign-extended in a register.
    Signed(u32),
}

impl Edge {
    /// The scalar whose low bits carry it.
    pub fn ty(self) -> Ty {
        match self {
            Edge::Bool => Ty::Bool,
            Edge::Unsigned(n) | Edge::Signed(n) => Ty::for_width(n),
        }
    }
}

/// An operand of a command.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// How it is passed.
    pub edge: Edge,
    /// Its width in bits; the body ignores higher ones.
    pub width: u32,
    /// The register that carries it: 0 for rs1, 1 for rs2, where an immediate goes too. `None` for the immediate of a
    /// flex command whose registers are both taken: where a command is issued in software, bits 31:16 of the function
    /// number carry that (`CX_WITH_IMMEDIATE` of `cx_abi.h`).
    pub register: Option<u32>,
}

/// A lowered command.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Command {
    /// Its name in the source.
    pub name: String,
    /// Function id.
    pub id: u16,
    /// Operands; the body reads them with [`ExprKind::Arg`].
    pub params: Vec<Param>,
    /// Result; `None` leaves rd = 0.
    pub result: Option<Edge>,
    /// Whether it reads or writes the state or its status word. Every command of an interface with state counts, as
    /// each answers `Off` in a context that is off.
    pub uses_state: bool,
    /// Whether it can answer anything but `Ok` in a context that is not off.
    pub can_fail: bool,
    /// Whether it runs in a context that is off too.
    pub runs_when_off: bool,
    /// What it does; each path ends in [`Stmt::Finish`].
    pub body: Body,
}

/// A lowered CSR. Its bodies are those of commands: each path ends in [`Stmt::Finish`] with [`Answer::Ok`] or
/// [`Answer::Off`].
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Csr {
    /// Its name in the source.
    pub name: String,
    /// Its address, 12 bits.
    pub address: u16,
    /// Its fields by ascending low bit.
    pub fields: Vec<CsrField>,
    /// Gives the word, an edge of XLEN unsigned bits.
    pub read: Body,
    /// Operand 0: the word, an edge of XLEN unsigned bits. No result. `None` for one that is read only.
    ///
    /// Setting and clearing bits is a read and a write of what was read with these bits changed.
    pub write: Option<Body>,
}

/// Bits of a CSR.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CsrField {
    /// Its name in the source.
    pub name: String,
    /// Its lowest bit.
    pub lo: u32,
    /// How many bits it has.
    pub width: u32,
    /// How people pass its value; a signed one is the pattern in these bits, extended.
    pub edge: Edge,
}

/// How a command or an access of a CSR ends. The numbers up to 6 are the CXU response's; 7 is the fallback's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Answer {
    /// Done.
    Ok = 0,
    /// The state context is off.
    Off = 3,
    /// There is no such command or CSR. Only dispatchers say it, no body.
    Func = 4,
    /// Operand error.
    Op = 5,
    /// A declared error; its code is in the status word.
    Custom = 6,
    /// `trap`: nothing happened, and the instruction traps one level higher. No CXU response says this.
    Trap = 7,
}

/// Limbs of a value of `width` bits.
pub fn limbs(width: u32) -> u32 {
    width.div_ceil(32)
}

/// The low 64 bits of a value's pattern in `width` bits.
pub fn pattern(v: &Int, width: u32) -> u64 {
    let v = v.wrap(width, false);
    if let Some(small) = v.to_i128() {
        return small as u64;
    }
    let limbs = v.limbs32(2);
    limbs.iter().rev().fold(0, |acc, &limb| acc << 32 | u64::from(limb))
}
