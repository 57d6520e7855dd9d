//! The marshalling plan of a library, as the engine uses it.
//!
//! [`Plan::read`] decodes it from words, in the format that `lapis-cx-plan` defines. C code is represented by its position among the
//! functions of the library. All offsets and sizes are those of the C compiler that compiled the library.

mod facts;
mod fast_call;
mod read;
mod read_value;
mod simple;
mod steps;

pub(crate) use self::fast_call::{Constant, FEW, FastCall, Flat, Object};
pub(crate) use self::simple::Simple;
pub(crate) use self::steps::Step;
pub(crate) use lapis_cx_plan::{Key as KeyKind, Mode, Op as OpCode, Ownership};

impl Scalar {
    /// Creates the type of an unsigned integer with `bytes` bytes.
    pub const fn unsigned(bytes: usize) -> Scalar {
        Scalar { bytes, is_signed: false, is_float: false }
    }
}

/// The position of a block in the plan.
pub(crate) type BlockId = u32;

/// The description of how the functions and callbacks of a library are marshalled.
#[derive(Debug, Default)]
pub struct Plan {
    pub(crate) texts: Vec<String>,
    /// The texts as null-terminated strings.
    pub(crate) c_texts: Vec<std::ffi::CString>,
    pub(crate) handles: Vec<Handle>,
    pub(crate) metadata: Vec<Metadata>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) functions: Vec<Option<Call>>,
    /// The names of the functions in C, as texts.
    pub(crate) function_names: Vec<u32>,
    pub(crate) callbacks: Vec<Call>,
    /// The library has functions that can be called asynchronously.
    pub(crate) has_async: bool,
    /// There are handles with members that are copied.
    pub(crate) has_members: bool,
}

#[derive(Debug)]
pub(crate) struct Handle {
    pub name: u32,
    pub parent: Option<u32>,
    /// The side that did not create such an object has stand-in memory for it.
    pub has_memory: bool,
    /// The size in bytes of the struct that a handle points to, on the side that did not create the object, or 0.
    pub memory: usize,
    pub initial: Vec<Initial>,
    /// Members that a C function initializes: offset, size in bytes and function.
    pub computed: Vec<(usize, usize, u32)>,
    /// The members of the struct that are copied.
    pub members: Option<Members>,
}

/// The members of a struct behind a handle that the worker sends to the guest.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub block: BlockId,
    /// Numbers, as offset and bytes: the guest sends those that the program changed.
    pub numbers: Vec<(usize, usize)>,
    /// Pointers and objects, which the program does not change.
    pub others: Vec<(usize, usize)>,
}

/// The initial value of a member of the struct that a handle points to.
#[derive(Debug)]
pub(crate) struct Initial {
    pub offset: usize,
    pub bytes: usize,
    pub value: i128,
}

#[derive(Debug)]
pub(crate) struct Metadata {
    /// The handle type that has the metadata. It is `None` for metadata of pointers.
    pub of: Option<u32>,
    pub members: usize,
}

/// The layout of a struct or of the arguments of a call.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub bytes: usize,
    pub snapshots: Vec<Code>,
    pub values: Vec<Value>,
    /// The operations of a request, in order.
    pub request: Box<[Step]>,
    /// The operations of a reply, in order.
    pub reply: Box<[Step]>,
    /// Positions of buffers of numbers that may overlap where at least one of them is written. It is empty if there is only one buffer.
    pub may_overlap: Box<[usize]>,
    /// The block is copied unchanged, in the same directions as a whole.
    pub is_flat: bool,
    /// The block ends with an array of variable length.
    pub varies: bool,
}

#[derive(Debug)]
pub(crate) struct Value {
    pub name: u32,
    pub offset: usize,
    pub goes: bool,
    pub comes: bool,
    pub on: Option<Code>,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub bytes: usize,
    pub is_signed: bool,
    pub is_float: bool,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Nothing,
    Scalar {
        scalar: Scalar,
        wire: usize,
    },
    Address {
        is_own: bool,
    },
    Handle(HandleValue),
    Block(BlockId),
    Array(Box<Array>),
    Buffer(Box<Buffer>),
    Callback {
        of: u32,
        is_optional: bool,
        lifetime: Lifetime,
    },
    /// The userdata of callbacks: for each callback type, the expression for its function.
    Userdata {
        of: Vec<(u32, Code)>,
        lifetime: Lifetime,
    },
    Within {
        is_optional: bool,
        /// The memory that the pointer points into.
        inside: Option<Code>,
    },
    File(Box<File>),
    Function(Code),
    Stream,
    Match(Box<Match>),
    Local(Option<Box<Room>>),
}

#[derive(Debug)]
pub(crate) struct HandleValue {
    pub of: u32,
    pub is_new: bool,
    pub is_own: bool,
    pub is_optional: bool,
    pub bytes: usize,
    pub room: Option<Code>,
}

#[derive(Debug)]
pub(crate) struct Array {
    pub stride: usize,
    pub count: Code,
    pub valid: Option<Code>,
    pub element: Value,
    /// The elements are copied unchanged.
    pub is_flat: bool,
    /// The array has variable length and ends its struct. The C size of the struct does not include it.
    pub is_tail: bool,
}

#[derive(Debug)]
pub(crate) struct Buffer {
    pub takes_in: bool,
    pub takes_out: bool,
    pub is_optional: bool,
    pub ownership: Ownership,
    pub stride: usize,
    pub lifetime: Lifetime,
    pub allocate: Option<u32>,
    pub free: Option<u32>,
    pub count: Option<Code>,
    pub until: Option<(Scalar, Code)>,
    pub valid: Option<Code>,
    pub element: Value,
    /// The elements are copied unchanged.
    pub is_flat: bool,
    /// The element ends with an array of variable length.
    pub varies: bool,
    /// The count depends on the contents, so the receiver evaluates it after it decoded them.
    pub is_measured: bool,
    /// The callee gets memory even if the caller passes null, as an expression of the reply reads it.
    pub has_always_room: bool,
    /// The elements contain values that the reply carries, even if the buffer itself is `in`.
    pub has_inner_results: bool,
}

impl Buffer {
    /// Returns the number of zero bytes that a receiver appends to the elements.
    pub fn behind(&self) -> usize {
        if self.is_measured { self.stride } else { 0 }
    }
}

/// A path, or a descriptor.
#[derive(Debug)]
pub(crate) struct File {
    pub is_descriptor: bool,
    /// The size of the descriptor in bytes.
    pub bytes: usize,
    pub takes_out: bool,
    pub lifetime: Lifetime,
}

#[derive(Debug)]
pub(crate) struct Match {
    pub value: Code,
    /// The selector is part of the value itself, so the message carries the selected case.
    pub is_told: bool,
    pub arms: Vec<(Vec<(i128, i128)>, Value)>,
    pub default: Option<Value>,
}

/// Memory that only the callee has.
#[derive(Debug)]
pub(crate) struct Room {
    pub count: Code,
    pub bytes: usize,
    pub lifetime: Lifetime,
}

#[derive(Debug)]
pub(crate) enum Lifetime {
    Call,
    Static,
    Manual,
    Handle(u32, Code),
    Twin(Code),
    Scope(u32, u32, Code),
    Callback(#[expect(dead_code, reason = "kept until a call takes it")] Code),
    /// A function of the program for a `once` callback, which lives until it is called. Of userdata: the addresses of such functions.
    Once(Vec<Code>),
}

/// A function or a callback.
#[derive(Debug)]
pub(crate) struct Call {
    pub name: u32,
    pub arguments: BlockId,
    pub is_once: bool,
    pub implicits: Vec<Implicit>,
    pub timing: Vec<When<Timing>>,
    pub order: Vec<When<Vec<Key>>>,
    pub monitor: Vec<When<Vec<Key>>>,
    pub success: Vec<When<Code>>,
    pub requires: Vec<When<(Code, Vec<Store>)>>,
    pub fails: Vec<When<Vec<Store>>>,
    pub errno: Vec<When<bool>>,
    pub passes: Vec<When<Store>>,
    pub effects: Vec<When<Effect>>,
    pub around: Vec<When<(bool, u32)>>,
    /// The position of the result among the values of the arguments.
    pub result: Option<usize>,
    /// Expressions of it read `errno`: the library finds 0 there before it runs.
    pub reads_errno: bool,
    /// Where a callback carries its userdata.
    pub has_userdata: bool,
    /// All values are numbers, so the call leaves no state.
    pub is_numbers: bool,
    /// The values that are copied, if the call can take the fast path.
    pub fast: Option<FastCall>,
    /// The call creates objects. If it is asynchronous, the guest assigns provisional ids to them.
    pub makes_objects: bool,
}

#[derive(Debug)]
pub(crate) struct When<T> {
    pub condition: Option<Code>,
    pub then: T,
}

#[derive(Debug)]
pub(crate) struct Implicit {
    pub offset: usize,
    pub bytes: usize,
    pub at_exit: bool,
    pub value: Code,
}

#[derive(Debug)]
pub(crate) struct Timing {
    pub mode: Mode,
    pub returns: Vec<Store>,
}

#[derive(Debug)]
pub(crate) enum Key {
    Global,
    Thread,
    Value(Code),
}

#[derive(Debug)]
pub(crate) struct Store {
    pub target: Target,
    pub value: Code,
}

#[derive(Debug)]
pub(crate) enum Target {
    Memory(Code, usize),
    Pointer(Code),
    Metadata(u32, u32, Code),
    Errno,
}

#[derive(Debug)]
pub(crate) enum Effect {
    Set(Store),
    Ends(u32, u32, Code),
    /// An effect that the engine ignores: accounting, and replay for migration.
    Other,
}

/// An expression.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub text: u32,
    pub ops: Box<[Op]>,
    /// The expression as a tree, if it only reads arguments.
    pub simple: Option<Simple>,
    /// The expression reads metadata.
    pub asks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    Int(i128),
    Text(u32),
    Arguments,
    Own,
    EnterArguments,
    EnterOuter,
    Enter,
    EnterElement,
    Leave,
    This,
    Index,
    Received,
    Field(usize),
    Load(Scalar),
    Follow(usize),
    Element(usize),
    Metadata(u32, u32),
    MetadataElement(u32, u32, u32),
    Old(u32),
    Errno,
    Elapsed,
    IsEntry,
    IsWorker,
    Until(Scalar, usize),
    Strlen,
    Strchr,
    Physical,
    Native { native: u32, operands: u32, worker: bool },
    Select,
    Not,
    Neg,
    LogicalNot,
    Two(OpCode),
}

impl Match {
    /// Returns all cases.
    pub fn cases(&self) -> impl Iterator<Item = &Value> {
        self.arms.iter().map(|(_, value)| value).chain(&self.default)
    }

    /// Returns a case by its position. The position after the last arm selects the default case.
    pub fn case(&self, at: usize) -> Option<&Value> {
        self.arms.get(at).map(|(_, value)| value).or(self.default.as_ref().filter(|_| at == self.arms.len()))
    }
}

impl Plan {
    pub(crate) fn text(&self, at: u32) -> &str {
        self.texts.get(at as usize).map_or("?", String::as_str)
    }
}
