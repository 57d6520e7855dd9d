//! The marshalling plan of a library: what is copied when, in which direction, how much of it, for how long, by which table
//! of handles, in which lane, and what a caller gets if a call cannot be made. (Language, "Meaning of a `library` item")
//!
//! It is to calls what [`ir`](super::ir) is to commands: backends print it, and decide nothing. Defaults, views of structs,
//! `arg` clauses and named types are gone. Each [`Block`] is memory that both sides have in the layout of their own C
//! compilers; its values are in the order in which they travel, which is one in which each size is known before it is needed.
//!
//! *Entry* is before the call is sent, *exit* after the real call returned. At each, whoever sends walks over its memory and
//! whoever receives over its own, in the same order.

mod block;
mod call;
mod check;
mod code;
mod constructs;
mod name;
mod order;
mod read;
mod room;
mod size;
mod spelled;
mod table;
mod text;
mod variables;

pub use self::block::has_identifier;
pub use self::call::plan_library;
pub use self::check::check_library;
pub use self::constructs::construct_uses;
pub use self::spelled::{Required, required};
pub use self::table::{Native, NativeText, Table, Word, table};
pub use self::text::describe;
pub use lapis_cx_plan::Ownership;

use crate::contract::core::{BinaryOp, UnaryOp};
use crate::contract::ids::ids;
use crate::contract::library::clause::{Change, Mode, Thread};
use crate::contract::library::place::{Allocator, Scalar, ZeroCopy};
use crate::contract::library::{CallbackId, FnUseId, FunctionId, HandleId, MetadataId, ResourceId, StructId};
use crate::int::Int;

ids! {
    /// Position in [`Plan::blocks`].
    BlockId
}

/// How the functions and callbacks of a library are marshalled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Memory: arguments, and structs as their uses see them. A struct whose members depend on where it is used has a block
    /// for each such use.
    pub blocks: Vec<Block>,
    /// By [`FunctionId`]; `None` where the caller's side has all that is needed: a body, or `replace`.
    pub functions: Vec<Option<Call>>,
    /// By [`CallbackId`]. The worker calls, the guest is called.
    pub callbacks: Vec<Call>,
    /// By [`HandleId`]: the struct behind the handle as the caller sees it, if members of it are copied. `local` members are not.
    pub handles: Vec<Option<BlockId>>,
}

/// What memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The arguments of a function: parameters, implicit arguments and the result, as members of a struct.
    Arguments(FunctionId),
    /// The same of a callback.
    CallbackArguments(CallbackId),
    /// A struct of the library.
    Struct(StructId),
    /// A member of a union, the one that is live.
    Live(StructId, u32),
}

/// Memory whose values travel.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is.
    pub memory: Memory,
    /// In the order in which they travel: where each lies, and what it is.
    pub values: Vec<(At, Value)>,
    /// What `old(…)` stands for: computed at entry for each such block, for use at exit. [`Op::Old`] is a position here.
    pub olds: Vec<Code>,
}

/// Where a value lies in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum At {
    /// A parameter.
    Param(u32),
    /// An implicit argument.
    Implicit(u32),
    /// The result.
    Ret,
    /// A variable argument: its case, which is the number of cases for `_`, and its position there.
    Variable(u32, u32),
    /// A member of the struct, by its position there.
    Member(u32),
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Whether it is sent at entry.
    pub copy_in: bool,
    /// Whether it is sent at exit, if the call succeeded.
    pub copy_out: bool,
    /// `@on(…)`: decides in place of success what happens to it at exit.
    pub on: Option<Code>,
    /// What it is, and what hangs on it.
    pub kind: Kind,
}

impl Value {
    /// What does not travel, and is not there.
    pub const NOTHING: Value = Value { copy_in: false, copy_out: false, on: None, kind: Kind::Nothing };
}

/// How a value travels.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Bits. On the wire a `long` and a `size_t` have 8 bytes, whatever they have in memory.
    Scalar {
        /// What travels.
        scalar: Scalar,
        /// Bytes in C.
        size: Size,
    },
    /// An enum: bits of its base, so many bytes.
    Enum {
        /// Bytes on the wire.
        bytes: u32,
        /// Whether the base is signed.
        is_signed: bool,
        /// Bytes in C.
        size: Size,
    },
    /// An address that nobody follows: its bits. In a block that the worker sends back, one that lies in a region is
    /// translated.
    Address {
        /// The region at which it points ends with the call.
        is_own: bool,
    },
    /// An identifier of an object.
    Handle {
        /// Its table.
        of: HandleId,
        /// Bytes in C.
        size: Size,
        /// The receiver gains a reference.
        is_new: bool,
        /// The call takes one.
        is_own: bool,
        /// Bytes of memory behind it on its own side, at least: `@room(…)`.
        room: Option<Code>,
        /// Whether it may be null.
        is_optional: bool,
    },
    /// A struct by value.
    Block(BlockId),
    /// An inline array.
    Array {
        /// How many.
        count: Code,
        /// How many carry contents: `@valid(…)`.
        valid: Option<Code>,
        /// Whether that can be evaluated before the call, without C code.
        is_valid_known: bool,
        /// Bytes of an element in C.
        stride: Size,
        /// Each of them.
        element: Box<Value>,
    },
    /// A pointer and the elements behind it.
    Buffer(Box<Buffer>),
    /// A function of the caller that the worker calls.
    Callback {
        /// Its type.
        of: CallbackId,
        /// How long it is registered.
        lifetime: Lifetime,
        /// Whether it may be null.
        is_optional: bool,
    },
    /// The tag of a registration.
    Userdata {
        /// The callbacks that it is the tag of: places in the same block. Empty in a callback itself.
        of: Vec<Code>,
        /// How long the tag is kept.
        lifetime: Lifetime,
    },
    /// A pointer into a region, of which the offset travels.
    Within {
        /// The start of the region; `None` for any.
        region: Option<Code>,
        /// Whether it may be null.
        is_optional: bool,
    },
    /// A path or a descriptor of a file.
    File {
        /// Whether it is a descriptor, a number, rather than a path.
        is_descriptor: bool,
        /// Bytes of the path's address or of the descriptor in C.
        size: Size,
        /// Whether its contents go.
        is_in: bool,
        /// Whether its contents come back.
        is_out: bool,
        /// How long it is open.
        lifetime: Lifetime,
    },
    /// The caller's stub of the function that this names.
    Function(Code),
    /// Sequential bytes.
    Stream {
        /// Whether the callee reads them.
        is_in: bool,
        /// Whether the callee writes them.
        is_out: bool,
    },
    /// It depends on a number.
    Match {
        /// The number.
        value: Code,
        /// The cases: half-open ranges, and what it is then.
        arms: Vec<(Vec<(Int, Int)>, Value)>,
        /// In all other cases.
        default: Option<Box<Value>>,
    },
    /// A value that is not sent. The callee gets zero.
    Local {
        /// The size of the value in C.
        size: Size,
    },
    /// Nothing.
    Nothing,
}

/// A pointer and the elements behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// Each element.
    pub element: Value,
    /// Bytes of an element in C.
    pub stride: Size,
    /// How many there are, or may be. Without, `until` ends it.
    pub count: Option<Code>,
    /// What of the last element has which value.
    pub until: Option<Until>,
    /// Whether contents go at entry.
    pub is_in: bool,
    /// Whether contents come at exit.
    pub is_out: bool,
    /// How many elements carry contents: `@valid(…)`.
    pub valid: Option<Code>,
    /// Whether that can be evaluated before the call, without C code.
    pub is_valid_known: bool,
    /// Whether the pointer may be null.
    pub is_optional: bool,
    /// How long the other side's copy lives.
    pub lifetime: Lifetime,
    /// Who has it.
    pub ownership: Ownership,
    /// Where its memory comes from.
    pub allocator: Option<Allocator>,
    /// Whether both sides share it.
    pub zero_copy: Option<ZeroCopy>,
    /// The least alignment of the other side's copy, in bytes.
    pub align: Option<u32>,
    /// Whether the number of elements is read from the contents: the receiver evaluates it after it received them.
    pub is_measured: bool,
    /// Whether an expression at exit reads the contents: the callee gets memory even if the caller passes null.
    pub has_always_room: bool,
    /// Whether C declares the elements constant: the receiver of the pointer does not change them.
    pub is_constant: bool,
}

/// What ends a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Until {
    /// What is compared: the number or address at the start of an element.
    pub compared: Number,
    /// Its value in the last element.
    pub value: Code,
}

/// A number in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Bytes in C.
    pub size: Size,
    /// Whether it has a sign.
    pub is_signed: bool,
    /// Whether it is a `char`. The C implementation determines whether a `char` has a sign.
    pub is_char: bool,
    /// Whether it is a floating-point number, which no expression can read.
    pub is_float: bool,
}

impl Number {
    /// An integer without a sign.
    pub fn unsigned(size: Size) -> Number {
        Number { size, is_signed: false, is_char: false, is_float: false }
    }

    /// Returns a constant expression of C for whether it has a sign.
    pub fn sign_in_c(&self) -> &'static str {
        match (self.is_signed, self.is_char) {
            (true, _) => "true",
            (false, true) => "(char)-1 < 0",
            (false, false) => "false",
        }
    }
}

/// How long the other side's copy of something lives.
#[derive(Clone, Debug, PartialEq)]
pub enum Lifetime {
    /// To the exit of the call.
    Call,
    /// For ever, and made once.
    Static,
    /// Until a call takes it.
    Manual,
    /// Until this handle dies.
    Handle(HandleId, Code),
    /// Until the mirrored struct at this address ends.
    MirroredStruct(Code),
    /// Until this scope of a handle or pointer ends.
    Scope(MetadataId, u32, Code),
    /// Until this callback was called.
    Callback(Code),
}

/// A function or a callback: what travels, and how the call is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its arguments.
    pub arguments: BlockId,
    /// Implicit arguments, in the order of the source: computed by the caller at entry, or by the worker at exit.
    pub implicits: Vec<Implicit>,
    /// What `...` stands for.
    pub variables: Option<Variables>,
    /// How the caller waits. The last that applies.
    pub timing: Vec<Conditional<Timing>>,
    /// Its lanes: it starts in the caller's order among calls that share a key of theirs. The last that applies.
    pub order: Vec<Conditional<Vec<Key>>>,
    /// Its monitors: it never runs at the same time as a call that shares a key of theirs. The last that applies.
    pub monitor: Vec<Conditional<Vec<Key>>>,
    /// Where it runs. The last that applies.
    pub thread: Vec<Conditional<Thread>>,
    /// What success is, at exit. The last that applies; without any, every call succeeds.
    pub success: Vec<Conditional<Code>>,
    /// What must hold at entry, each of them, and the result otherwise; empty for that of `fails`.
    pub requires: Vec<Conditional<(Code, Vec<Store>)>>,
    /// The result of a call that cannot be made. The last that applies.
    pub fails: Vec<Conditional<Vec<Store>>>,
    /// Whether the worker's `errno` comes back.
    pub errno: Vec<Conditional<bool>>,
    /// What the worker gives the library in place of an argument.
    pub passes: Vec<Conditional<Store>>,
    /// What happens at exit if the call succeeded, in the order of the source.
    pub effects: Vec<Conditional<Effect>>,
    /// Text of C around the real call, in the order of the source.
    pub c_text: Vec<Conditional<CText>>,
    /// A callback whose registration ends with its first call.
    pub is_once: bool,
    /// A callback without userdata: how many may be registered at once.
    pub slots: Option<u32>,
}

/// Something that holds under a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditional<T> {
    /// `None`: always.
    pub condition: Option<Code>,
    /// What.
    pub then: T,
}

/// How a caller waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Which way.
    pub mode: Mode,
    /// What it gets if it does not wait.
    pub returns: Vec<Store>,
    /// When out places are final, asked on the worker.
    pub until: Option<Code>,
}

/// What calls share.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// All calls have this key.
    Global,
    /// The calls of one thread.
    Thread,
    /// The calls with this value.
    Value(Code),
}

/// An argument that travels beside those of C.
#[derive(Clone, Debug, PartialEq)]
pub struct Implicit {
    /// Its position.
    pub position: u32,
    /// Bytes in C.
    pub size: Size,
    /// Computed on the worker at exit, rather than by the caller at entry.
    pub at_exit: bool,
    /// What it is.
    pub value: Code,
}

/// Variable arguments. Each is a value of the arguments that is there in one case only ([`At::Variable`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Variables {
    /// The number that says which case it is, of arguments that are not variable; 0, where there is one case.
    pub value: Code,
    /// The cases.
    pub cases: Vec<Case>,
}

/// What selects the case of variable arguments, if the caller's stub can compute it.
#[derive(Clone, Debug, PartialEq)]
pub enum Decider {
    /// The number of the only case.
    Constant(Int),
    /// The parameter at this position, an integer of this type.
    Param(u32, Number),
}

impl Variables {
    /// Returns the parameter whose value selects the case. Returns `None` if the expression is neither an integer parameter nor a constant.
    pub fn decider(&self) -> Option<Decider> {
        match self.value.ops.as_slice() {
            [Op::Int(value)] => Some(Decider::Constant(value.clone())),
            [Op::Arguments, Op::Field(_, At::Param(n)), Op::Load(number)] if !number.is_float => {
                Some(Decider::Param(*n, number.clone()))
            }
            _ => None,
        }
    }
}

/// A case of variable arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Half-open ranges of the number; none for all numbers that no other case has.
    pub patterns: Vec<(Int, Int)>,
    /// For each argument the type to which C's default argument promotions turn it; `None` if it is passed as it is.
    pub promoted: Vec<Option<Scalar>>,
}

/// A value that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// Where: an address.
    pub target: Target,
    /// What.
    pub value: Code,
}

/// Where a value is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Memory that begins at this address; a null one takes nothing.
    Memory(Code, Size),
    /// A pointer in memory that begins at this address.
    Pointer(Code),
    /// Metadata of this handle or pointer.
    Metadata(MetadataId, u32, Code),
    /// An element of metadata that is an inline array, by its position.
    MetadataElement(MetadataId, u32, u32, Code),
    /// `errno`.
    Errno,
}

/// What happens at exit.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Both sides remember, or the caller's memory gets a value.
    Set(Store),
    /// A scope ends, with all that lives in it.
    Ends(MetadataId, u32, Code),
    /// A resource is taken from or given back to; at entry, if the amount is known then.
    Account {
        /// How.
        change: Change,
        /// Which.
        resource: ResourceId,
        /// How much.
        amount: Code,
        /// Whether the amount is known at entry.
        at_entry: bool,
    },
    /// It is replayed to make these objects again; none for those that are new or own, else the arguments.
    Record(Vec<Code>),
    /// The objects exist only after these.
    DependsOn(Vec<Code>),
    /// Functions that write and read the state of the object.
    Snapshot(FunctionId, FunctionId),
}

/// Text of C around a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CText {
    /// Before the call, not after it.
    pub is_before: bool,
    /// The text.
    pub text: String,
}

/// An expression: a program for a stack of exact integers, and what it says in the source.
///
/// An address is an integer too; 0 is null, and whatever is read through it is 0. An integer that does not fit 128 bits, and
/// what is computed from it, is no number: a size, a condition or a result that is none fails the call. It has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The program. It leaves one value.
    pub ops: Vec<Op>,
    /// The expression, for people.
    pub text: String,
}

/// A step of a [`Code`].
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Pushes a number.
    Int(Int),
    /// Pushes the address of a text, which is constant.
    Text(String),
    /// Pushes the address of the arguments of the call.
    Arguments,
    /// Pushes the address of the block in which the expression stands.
    Own,
    /// What follows, up to the matching [`Leave`](Op::Leave), stands in the arguments of the call.
    EnterArguments,
    /// What follows stands in the block around.
    EnterOuter,
    /// What follows stands in the block at an address, which is taken; it is used in the block of before.
    Enter,
    /// What follows stands at a position among elements, which is taken.
    EnterElement,
    /// Ends the last of these.
    Leave,
    /// Pushes the address of the value that the expression is part of.
    This,
    /// Pushes the position of that value among the elements around it, or 0.
    Index,
    /// Pushes how many elements were received of the buffer whose number of elements this is; below 0 on the side that sends it.
    Received,
    /// The address of a block becomes that of a value in it.
    Field(Memory, At),
    /// An address becomes the number that lies there.
    Load(Number),
    /// An address becomes the pointer or handle of so many bytes that lies there.
    Follow(Size),
    /// The address of elements, a position and how many there are become the address of that element, or null beyond the
    /// end. An element has so many bytes.
    Element(Size),
    /// A handle or a pointer becomes what is attached to it.
    Metadata(MetadataId, u32),
    /// A handle or a pointer and a position become an element of an inline array that is attached to it, or 0 beyond its end.
    /// The array has so many elements.
    MetadataElement(MetadataId, u32, u32),
    /// Pushes a value that was computed at entry: a position in [`Block::olds`].
    Old(u32),
    /// Pushes the worker's `errno` after the call.
    Errno,
    /// Pushes how long the call took, in nanoseconds.
    Elapsed,
    /// Pushes 1 at entry and 0 at exit.
    IsEntry,
    /// Pushes 1 on the worker and 0 in the guest.
    IsWorker,
    /// Pushes the bytes of a type of C.
    Sizeof(Size),
    /// The address of elements that end with a value becomes their number; at most so many, if it is below 0 any number.
    /// Taken are address, limit and value. What is compared lies at the start of an element, which has so many bytes.
    Until(Number, Size),
    /// The address of a string and how long it is at most (any length, if it is below 0) become its length.
    Strlen,
    /// The address of a string, how long it is at most (any length, if it is below 0) and a character become the position of
    /// the first such, from 1, or 0.
    Strchr,
    /// An address of a pinned region becomes its physical address.
    Physical,
    /// The smaller of two.
    Min,
    /// The greater of two.
    Max,
    /// So many arguments become the result of a function of the API, asked on the worker.
    Call(FunctionId, u32),
    /// So many arguments become the result of a function of the language.
    Fn(FnUseId, u32),
    /// So many arguments become the result of a function of `utility`.
    Utility(String, u32),
    /// Pushes what an expression of C says about this memory, the one in which it stands.
    Native(Memory, String),
    /// One operand.
    Unary(UnaryOp),
    /// Two operands.
    Binary(BinaryOp),
    /// A condition and two values become one of these.
    Select,
}

/// Bytes of a type in C.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// A scalar.
    Scalar(Scalar),
    /// So many, of an enum.
    Bytes(u32),
    /// A pointer, or a handle or function that is one.
    Pointer,
    /// A handle that C spells in a way of its own.
    Handle(HandleId),
    /// A scalar, enum or handle that C spells in a way of its own, at the place where it stands.
    Spelling(String),
    /// A struct or union.
    Struct(StructId),
    /// The struct that has the arguments of a function.
    Arguments(FunctionId),
    /// The same of a callback.
    CallbackArguments(CallbackId),
    /// So many of a type, inline.
    Array(Box<Size>, Int),
    /// None.
    Nothing,
}
